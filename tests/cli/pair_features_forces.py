"""The features of the engines `variational` and `aggregation`, as pair_features.py has those of `hard`."""
import numpy

from pair_features import (GRAVITY, LINKS, add_mesh, all_open, corner_plane, disks, gravity, planes, restitution)
from pair_scene import ACTION, DAMPING, ENERGY, LENGTH, MASS, PRESSURE, SPEED, STIFFNESS, TIME, Body, Handed, Mesh, Number, Turn, Vector


def walls(s):
    s.put("box.boundary", ["wall"] * 3)
    s.laws_with("wall", z={"restitution": 0.8}, a={"restitution": 0.9})


def mixed(s):
    s.put("box.boundary", ["wall", "periodic", "open"])
    s.law("a", "wall", restitution=0.85)


def friction(s):
    s.law("z", "z", friction=0.4)
    s.law("a", "z", friction=0.2)
    s.later(lambda s: [s.law(name, other, friction=by) for other in sorted({law[1] for law in s.laws} - {"a", "z"})
                       for name, by in (("z", 0.3), ("a", 0.5))])
    s.later(lambda s: "wall" in s.boundary and [s.push(numpy.eye(3)[k]) for k in range(s.dimension)])
    s.later(lambda s: s.lists["planes"] and s.push())


def viscoelastic(s):
    s.law("a", "a", restitution={"viscoelastic": Number(0.07, (-0.2, 0, 0.2))})


TIES, FREE = ((12, 13), (25, 17)), 1.2


def springs(s):
    s.near.update({j: (i, 1.4) for i, j in LINKS})
    s.near.update({max(pair): (min(pair), 1.6) for pair in TIES})
    s.lists["springs"] += [
        {"name": "chain", "pairs": [[Body(i), Body(j)] for i, j in LINKS], "stiffness": Number(14, STIFFNESS),
         "damping": Number(0.3, DAMPING)},
        {"name": "ties", "pairs": [[Body(i), Body(j)] for i, j in TIES], "stiffness": Number(9, STIFFNESS),
         "length": Number(FREE, LENGTH)}]


def hinges(s):
    s.near.update({j: (i, 1.4) for i, j in LINKS})
    s.lists["hinges"] += [
        {"name": "knee", "triples": [[Body(3), Body(4), Body(5)]], "stiffness": Number(4, ENERGY)},
        {"name": "elbow", "triples": [[Body(4), Body(5), Body(6)]], "stiffness": Number(3, ENERGY), "angle": Handed(0.3)}]


def rods(s):
    s.near.update({1: (0, 1.3), 2: (1, 1.2)})
    s.rods += [(0, 1, 0.15), (1, 2, 0.15)]
    s.lists["segments"].append({"name": "rods", "pairs": [[Body(0), Body(1)], [Body(1), Body(2)]], "diameter": Number(0.3, LENGTH),
                                "species": "a"})
    s.lists["springs"].append({"name": "along", "pairs": [[Body(0), Body(1)], [Body(1), Body(2)]], "stiffness": Number(150, STIFFNESS)})


def held(s):
    s.lists["drives"].append({"name": "pins", "particles": [Body(7), Body(15)]})
    s.push()


def driven(s):
    s.lists["drives"] += [
        {"name": "first", "particles": [Body(8)], "motion": [
            {"time": Number(0.4, TIME), "velocity": Vector([0.2, -0.1, 0.15], SPEED)},
            {"time": Number(1.1, TIME), "velocity": Vector([-0.15, 0.2, 0.1], SPEED)},
            {"time": Number(1.9, TIME), "velocity": Vector([0.1, 0.05, -0.2], SPEED)}]},
        {"name": "second", "particles": [Body(14)], "path": [
            {"time": Number(0.9, TIME), "by": Vector([0.1, 0.05, -0.1], LENGTH)},
            {"time": Number(2.0, TIME), "by": Vector([-0.05, 0.15, 0.1], LENGTH)}]}]
    s.push()


def lift(s):
    s.push(corner_plane(s, "lift", (0, 1, 0), (0.8, 0.3, 0.4)))
    s.laws_with("lift", z={"restitution": 0.9}, a={"restitution": 0.75})
    s.lists["drives"].append({"name": "lifts", "plane": "lift", "motion": [
        {"time": Number(0.3, TIME), "velocity": Vector([0.2, -0.1, 0.15], SPEED)},
        {"time": Number(1.2, TIME), "velocity": Vector([-0.25, 0.05, 0.1], SPEED)},
        {"time": Number(2.1, TIME), "velocity": Vector([0.05, 0.1, -0.1], SPEED)}]})


def clumps(s):
    s.near.update({18: (17, 1.1), 19: (18, 1.1), 21: (20, 0.9), 22: (21, 0.9)})
    s.lists["bodies"] += [
        {"name": "heavy", "particles": [Body(17), Body(18), Body(19)], "angular_velocity": Turn([0.4, -0.3, 0.7])},
        {"name": "light", "particles": [Body(20), Body(21), Body(22)], "angular_velocity": Turn([-0.5, 0.2, 0.6])}]


def rock(s):
    add_mesh(s, "rock", (0.66, 0.62, 0.6), "iron", 0.8)
    s.lists["meshes"][-1]["thickness"] = Number(0.1, LENGTH)


def sheet(s):
    """A shell with a bent rest shape and one fixed corner."""
    centre = s.at(0.3, 0.4, 0.35)
    vertices = [centre + numpy.array([0.4 * i - 0.4 + 0.03 * j, 0.35 * j - 0.35, 0.1 * (i - 1) ** 2 + 0.04 * j])[:s.dimension]
                for j in range(3) for i in range(3)]
    triangles = [t for j in range(2) for i in range(2) for t in (
        [3 * j + i, 3 * j + i + 1, 3 * j + i + 4], [3 * j + i, 3 * j + i + 4, 3 * j + i + 3])]
    s.lists["meshes"].append({
        "name": "sheet", "file": Mesh((vertices, triangles)), "species": "cloth", "thickness": Number(0.2, LENGTH),
        "density": Number(9, (-3, 1, 0)), "stretch": Number(60, STIFFNESS), "bend": Number(0.4, ENERGY), "poisson": 0.25,
        "rest": "flat", "damping": {"stretch": Number(0.2, DAMPING), "bend": Number(0.01, ACTION)},
        "velocity": Vector([0.1, -0.2, 0.15], SPEED)})
    s.put("species.cloth.diameter", Number(1, LENGTH))
    s.put("variational.material_step", Number(1e-3, TIME))  # the default is twenty times as short, for the sake of contacts
    s.laws_with("cloth", z={"restitution": 0.8})
    s.clear.append(lambda x, r: numpy.linalg.norm(x - centre) > 0.75 + r)


def solid(s):
    centre = s.at(0.7, 0.3, 0.6)
    vertices = [centre + 0.9 * numpy.array(v)[:s.dimension] for v in
                ([0.5, 0.4, 0.3], [-0.4, -0.5, 0.4], [-0.5, 0.45, -0.35], [0.35, -0.4, -0.5])]
    s.lists["meshes"].append({"name": "block", "file": Mesh((vertices, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])),
                              "repair": ["orient"], "species": "stone", "thickness": Number(0.12, LENGTH),
                              "velocity": Vector([-0.2, 0.1, 0.1], SPEED)})
    s.put("species.stone.diameter", Number(1, LENGTH))
    s.laws_with("stone", z={"restitution": 0.9}, a={"restitution": 0.7})
    s.lists["bodies"].append({"name": "block", "mesh": "block", "density": Number(2.5, (-3, 1, 0)),
                              "angular_velocity": Turn([0.8, -0.5, 0.6])})
    s.clear.append(lambda x, r: numpy.linalg.norm(x - centre) > 0.8 + r)


def setting(key, value):
    return lambda s: s.put(key, value)


def kicked(s):
    gravity(s)
    s.put("variational.gravity", "kick")
    s.push(GRAVITY.value)  # at the times of a clock


def elastic(s):
    """Elastic spheres: all species need elastic constants, and a mass."""
    def constants(s):
        of_meshes = sorted({key.split(".")[1] for key in s.keys if key.startswith("species.")})
        for n, name in enumerate(["z", "a"] + of_meshes):
            s.put("species.%s.young" % name, Number(3e4 / (1 + n), PRESSURE))
            s.put("species.%s.poisson" % name, 0.25 + 0.05 * n)
        for name in of_meshes:
            s.put("species.%s.mass" % name, Number(1, MASS))
    s.later(constants)


VARIATIONAL = {"disks": disks, "walls": walls, "mixed": mixed, "open": all_open, "gravity": gravity, "kicked": kicked,
               "restitution": restitution, "viscoelastic": viscoelastic, "planes": planes, "lift": lift, "rock": rock,
               "sheet": sheet, "solid": solid, "friction": friction, "springs": springs, "hinges": hinges, "rods": rods,
               "held": held, "driven": driven, "clumps": clumps, "squares": setting("variational.exponent", 2),
               "impulses": setting("variational.contact", "impulses"), "elastic": elastic}


# ---- aggregation


def closed(s):
    s.put("box.boundary", ["wall"] * 3)


def partly(s):
    s.put("box.boundary", ["wall", "periodic", "wall"])


def rigid(s):
    s.put("aggregation.method", "steps")
    s.put("aggregation.steps.mode", "rigid")


def bouncing(s):
    s.law("a", "z", stick={"below": Number(1.1, SPEED)}, restitution=0.8)
    s.law("a", "a", stick={"below": Number(0.9, SPEED)}, restitution=0.7)


def by_steps(solver):
    def feature(s):
        s.put("aggregation.method", "steps")
        s.put("aggregation.steps.solver", solver)
    return feature


AGGREGATION = {"disks": disks, "walls": closed, "partly": partly, "bouncing": bouncing, "rotation": setting("aggregation.rotation", True),
               "sor": by_steps("sor"), "newton": by_steps("newton"), "daha": by_steps("daha"),
               "rigid": rigid, "skin": setting("aggregation.skin", Number(0.3, LENGTH))}
