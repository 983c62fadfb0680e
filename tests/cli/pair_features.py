"""The features of the engine `hard` whose pairs test_feature_pairs.py looks at: what each adds to a scene. Nothing is a cube, at
the origin, of mass 1 or alone in its list."""
import numpy

from pair_scene import ENERGY, LENGTH, PULL, RATE, SPEED, TIME, Body, Handed, Mesh, Number, Place, Vector


def disks(s):
    s.dimension = 2


def walls(s):
    s.put("box.boundary", ["wall"] * 3)
    s.laws_with("wall", z={"restitution": 0.92}, a={"restitution": 0.97})


def hot_walls(s):
    s.put("box.boundary", ["wall"] * 3)
    s.laws_with("wall", z={"temperature": Number(1.3, ENERGY)}, a={"temperature": Number(0.8, ENERGY)})
    s.fixed |= {"axes", "bodies"}  # draws have an order


def mixed(s):
    s.put("box.boundary", ["wall", "periodic", "open"])
    s.law("a", "wall", restitution=0.85)


def all_open(s):
    s.put("box.boundary", ["open"] * 3)
    s.brief = 0.1  # they part


GRAVITY = Vector([0.11, -0.07, -0.3], PULL)


def gravity(s):
    s.put("fields.gravity", GRAVITY)
    s.prefer("wall")


def restitution(s):
    s.law("z", "z", restitution=0.9)
    s.law("a", "z", restitution=0.8)
    s.law("a", "a", restitution={"table": [[Number(0.3, SPEED), 0.95], [Number(2.5, SPEED), 0.7]]})


def viscoelastic(s):
    s.law("a", "z", restitution={"viscoelastic": Number(0.09, (-0.2, 0, 0.2))})
    s.law("z", "z", restitution=0.92)


def lose(s):
    """Adds a dissipative contact: policies have an effect only if energy is dissipated."""
    s.laws.setdefault(("a", "z"), {}).setdefault("restitution", 0.85)


def contact_duration(s):
    s.put("hard.collapse.policy", "tc")
    s.put("hard.collapse.tc", Number(0.05, TIME))
    s.later(lose)


def cutoff(s):
    s.put("hard.collapse.policy", "cutoff")
    s.put("hard.collapse.speed", Number(0.15, SPEED))
    s.later(lose)


def sleep(s):
    s.put("hard.collapse.policy", "sleep")
    s.put("hard.collapse.speed", Number(0.1, SPEED))
    gravity(s)
    s.push()
    s.later(lose)


def rough(s):
    s.spins = True
    s.law("z", "z", tangential=0.4)
    s.law("a", "z", tangential=-0.3, friction=0.35)
    s.law("a", "a", tangential=0.8, friction=0.2)
    s.put("species.z.inertia", 0.55)
    s.later(rough_surfaces)


def rough_surfaces(s):
    others = {law[1] for law in s.laws if law[1] not in ("a", "z")}
    for other in sorted(others):
        for name, by in (("z", 0.5), ("a", 0.1)):
            law = s.laws.setdefault((name, other), {})
            if "temperature" not in law:
                law.update(tangential=by)
        if other != "wall":
            s.push()


def ellipsoids(s):
    s.spins = s.axes = True
    s.put("species.z.diameter", None)
    s.put("species.z.semi_axes", [Number(0.57, LENGTH), Number(0.38, LENGTH), Number(0.38, LENGTH)])
    s.later(lambda s: s.dimension == 2 and s.keys["species.z.semi_axes"].pop())


def corner_plane(s, name, corner, inwards, depth=0.12):
    """A plane that cuts off a corner of the box."""
    corner = numpy.array(corner, float)
    normal = numpy.array(inwards) * (1 - 2 * corner)
    point = s.at(*(corner + depth * (1 - 2 * corner)))
    s.lists["planes"].append({"name": name, "point": Place(point), "normal": Vector(normal)})
    n = normal[:s.dimension] / numpy.linalg.norm(normal[:s.dimension])
    s.clear.append(lambda x, r: (x - point) @ n > r + 0.2 * (name == "lift"))
    s.prefer("wall")
    return n


def planes(s):
    s.push(corner_plane(s, "slope", (0, 0, 0), (1, 0.7, 0.4)))
    s.push(corner_plane(s, "roof", (1, 1, 1), (0.5, 0.9, 0.8)))
    s.laws_with("slope", z={"restitution": 0.7}, a={"restitution": 0.95})
    s.laws_with("roof", a={"restitution": 0.8})


def floor(s):
    """A plane orthogonal to the last axis, in a box that is periodic along the first."""
    up = numpy.eye(s.dimension)[-1]
    point = s.at(*[0.08] * 3)
    s.lists["planes"].append({"name": "floor", "point": Place(point), "normal": Vector(0.7 * up)})
    s.laws_with("floor", z={"restitution": 0.9}, a={"restitution": 0.8})
    s.clear.append(lambda x, r: (x - point)[-1] > r)
    s.prefer(["periodic", "wall", "wall"])
    s.push(up)


def oscillating(frequency, by, phase=0.4):
    return {"by": Vector(by, LENGTH), "frequency": Number(frequency, RATE), "phase": phase}


def lift(s):
    s.push(corner_plane(s, "lift", (0, 1, 0), (0.8, 0.3, 0.4)))
    s.laws_with("lift", z={"restitution": 0.9}, a={"restitution": 0.75})
    s.lists["drives"].append({"name": "lifts", "plane": "lift", "motion": [
        {"time": Number(2, TIME), "velocity": Vector([0.04, -0.02, 0.03], SPEED), "oscillate": oscillating(0.3, [0.07, 0.03, 0.05])},
        {"time": Number(6.5, TIME), "velocity": Vector([-0.05, 0.01, 0.02], SPEED)},
        {"time": Number(11, TIME), "oscillate": oscillating(0.2, [-0.1, 0.06, 0.02], -0.8)}]})


def stove(s):
    corner_plane(s, "stove", (1, 0, 1), (0.4, 0.9, 0.6))
    s.laws_with("stove", z={"temperature": Number(1.5, ENERGY)}, a={"temperature": Number(0.9, ENERGY)})
    s.push()
    s.fixed |= {"axes", "bodies"}


def add_cylinder(s, name, through, axis, radius):
    through, axis = s.at(*through), numpy.array(axis) / numpy.linalg.norm(axis)
    entry = {"name": name, "through": Place(through), "radius": Number(radius, LENGTH), "side": "outside"}
    if s.dimension == 3:
        entry["axis"] = Vector(axis)
    s.lists["cylinders"].append(entry)

    def free(x, r):
        away = x - through
        if s.dimension == 3:
            away = away - (away @ axis) * axis
        return numpy.linalg.norm(away) > radius + r + 0.2 * (name == "roller")
    s.clear.append(free)
    s.prefer("wall")
    if s.dimension == 2:
        s.push()
    else:
        for k in range(3):
            across = numpy.eye(3)[k] - axis[k] * axis
            s.push(across)


def post(s):
    add_cylinder(s, "post", (0.36, 0.55, 0.5), (0.2, -0.1, 1), 0.4)
    s.laws_with("post", z={"restitution": 0.85}, a={"restitution": 0.7})


def roller(s):
    add_cylinder(s, "roller", (0.7, 0.3, 0.45), (-0.1, 1, 0.2), 0.3)
    s.laws_with("roller", z={"restitution": 0.9}, a={"restitution": 0.95})
    s.lists["drives"].append({"name": "rolls", "cylinder": "roller", "motion": [
        {"time": Number(1.5, TIME), "velocity": Vector([0.05, 0.02, -0.04], SPEED), "turn": {"rate": Handed(0.6, RATE)}},
        {"time": Number(7, TIME), "turn": {"rate": Handed(-0.9, RATE)}, "oscillate": oscillating(0.25, [0.08, -0.05, 0.06])}]})


OCTAHEDRON = [[0.55, 0, 0], [-0.45, 0.1, 0], [0, 0.6, 0], [0.1, -0.5, 0.05], [0, 0.05, 0.5], [0, 0, -0.6]]
SIDES = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]


def add_mesh(s, name, centre, species, restitution):
    centre = s.at(*centre)[:3]
    vertices = [centre + numpy.array(v)[:s.dimension] for v in OCTAHEDRON]
    s.lists["meshes"].append({"name": name, "file": Mesh((vertices, SIDES)), "rigid": True, "species": species})
    s.put("species.%s.diameter" % species, 1)
    s.laws_with(species, z={"restitution": restitution}, a={"restitution": 0.95})
    s.clear.append(lambda x, r: numpy.linalg.norm(x - centre) > 0.65 + r)
    s.prefer("wall")
    s.push()
    return centre


def rock(s):
    add_mesh(s, "rock", (0.66, 0.62, 0.6), "iron", 0.8)


def paddle(s):
    centre = add_mesh(s, "paddle", (0.3, 0.25, 0.55), "oak", 0.9)
    s.lists["drives"].append({"name": "paddles", "mesh": "paddle", "motion": [
        {"time": Number(1, TIME), "turn": {"axis": Vector([1, 0.3, -0.2]), "through": Place(centre + 0.1), "rate": Handed(0.5, RATE)}},
        {"time": Number(6, TIME), "velocity": Vector([0.03, 0.05, -0.02], SPEED),
         "turn": {"axis": Vector([0.2, -0.5, 1]), "through": Place(centre), "rate": Handed(-0.7, RATE)}},
        {"time": Number(12, TIME), "oscillate": oscillating(0.2, [0.05, 0.1, 0.03])}]})


def gate(s):
    """A mesh that vanishes, and one that appears and vanishes."""
    add_mesh(s, "gate", (0.78, 0.22, 0.66), "brass", 0.85)
    s.lists["meshes"][-1]["vanish"] = {"time": Number(3.3, TIME)}
    add_mesh(s, "lid", (0.3, 0.75, 0.68), "lead", 0.8)
    s.lists["meshes"][-1].update(appear={"time": Number(1.1, TIME), "every": Number(0.07, TIME)},
                                 vanish={"when": {"slower": Number(3, SPEED), "every": Number(0.9, TIME)}})


def compression(s):
    s.put("hard.compression.rate", 0.006)
    s.prefer(["wall", "periodic", "wall"])
    s.push()


SHEAR = 0.15


def shear(s):
    s.put("hard.shear.rate", Number(SHEAR, RATE))
    s.put("hard.shear.profile", False)
    s.fixed |= {"axes", "drift"}


def bath(s):
    s.put("hard.thermostat.temperature", Number(1.4, ENERGY))
    s.put("hard.thermostat.rate", Number(0.2, RATE))
    s.push()
    s.fixed |= {"axes", "bodies"}


WELL, SHOULDER, STEPS = (1.4, 0.5), (1.3, 0.3), ((1.6, 0.1), (1.35, -0.4), (1.15, -0.2))


def potentials(s):
    s.lists["potentials"] += [
        {"between": ["z", "z"], "square_well": {"range": WELL[0], "depth": Number(WELL[1], ENERGY)}},
        {"between": ["a", "z"], "steps": [[distance, Number(energy, ENERGY)] for distance, energy in STEPS]},
        {"between": ["a", "a"], "square_shoulder": {"range": SHOULDER[0], "height": Number(SHOULDER[1], ENERGY)}}]


CHAIN, PAIRS, LONGEST = (3, 4, 5, 6), ((12, 13), (25, 17)), (1.5, 1.7)
LINKS = list(zip(CHAIN, CHAIN[1:]))
BONDED = {**{pair: (0.4, LONGEST[0]) for pair in LINKS}, **{pair: (0.0, LONGEST[1]) for pair in PAIRS}}


def bonds(s):
    s.near.update({j: (i, 0.98 * LONGEST[0]) for i, j in LINKS})
    s.near.update({max(pair): (min(pair), 0.98 * LONGEST[1]) for pair in PAIRS})
    for name, pairs, longest, shortest in (("chain", LINKS, LONGEST[0], 0.4), ("ties", PAIRS, LONGEST[1], 0.0)):
        s.lists["bonds"].append({"name": name, "pairs": [[Body(i), Body(j)] for i, j in pairs], "longest": Number(longest, LENGTH),
                                 "shortest": Number(shortest, LENGTH)})


def precision(word):
    return lambda s: s.put("hard.precision", word)


HARD = {"disks": disks, "walls": walls, "hot_walls": hot_walls, "mixed": mixed, "open": all_open, "gravity": gravity,
        "restitution": restitution, "viscoelastic": viscoelastic, "tc": contact_duration, "cutoff": cutoff, "sleep": sleep,
        "planes": planes, "floor": floor, "lift": lift, "stove": stove, "post": post, "roller": roller, "rock": rock, "paddle": paddle,
        "rough": rough, "ellipsoids": ellipsoids, "compression": compression, "shear": shear, "bath": bath,
        "potentials": potentials, "bonds": bonds, "float": precision("float"), "long_double": precision("long_double"),
        "quad": precision("quad"), "gate": gate}
