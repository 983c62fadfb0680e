"""A scene of the engine `variational` as an input deck of LAMMPS (package GRANULAR, stable release of 29 Sep 2021 or later).

The law of carom and what stands for it, k and eta the stiffness and the width of the layers:

    normal      k / (2 eta) overlap^2, more layers from the overlap eta on -> hertz, of equal energy at the overlap eta, or hooke
    restitution kinematic, exactly e, no attraction -> a dashpot (tsuji) whose impact has e, with limit_damping
    sliding     spring 2/7 k, half the critical damping, cap mu N -> linear_history with this spring, cap mu N
    rolling     torque spring k I / m, half the critical damping, cap mu_r R N -> rolling sds
    twisting    the same about the normal, cap mu_t R N -> twisting sds

Constants of springs for rolling and twisting are those of the mean diameter. N is the force of the step."""
import functools
import os
from math import pi, sqrt

import numpy as np

from . import walls
from .scenes import GRAIN, STEEL, WALL, Trace, contact, cpu_of

STEP = 0.5  # of that of carom's first layer: some 40 steps in a contact
HERTZ, HOOKE = "hertz", "hooke"
TSUJI = (1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218)


def rebound(damping, power):
    """Restitution of x'' = -max(0, x^power + damping x^((power-1)/2) x'), which LAMMPS has with limit_damping."""
    def force(x, v):
        return -max(0.0, x**power + damping * x**((power - 1) / 2) * v) if x > 0 else 0.0
    x, v, h = 0.0, 1.0, 1e-3
    while x > 0 or v > 0:
        u = v + 0.5 * h * force(x, v)
        y = x + 0.5 * h * v
        x, v = x + h * u, v + h * force(y, u)
    return -v


@functools.lru_cache(maxsize=None)
def damping_of(e, power):
    """The damping of an impact with this coefficient of restitution."""
    low, high = 0.0, 4.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if rebound(middle, power) > e else (low, middle)
    return (low + high) / 2


def tsuji_input(damping):
    """The coefficient that LAMMPS has to be given so that its polynomial returns this damping."""
    low, high = -1.0, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if sum(c * middle**k for k, c in enumerate(TSUJI)) > damping else (low, middle)
    return (low + high) / 2


class Pair:
    """Masses and radii of a contact of grains of the mean diameter, or of one of them with a wall."""

    def __init__(self, radius, mass, flat):
        self.mass = mass if flat else mass / 2
        self.radius = radius if flat else radius / 2  # reduced
        self.inertia = (1 if flat else 0.5) * 0.4 * mass * radius**2


def normal_law(pair, spring, law):
    """The model's stiffness, and the power of its force: the energy at the overlap eta is that of the first layer."""
    k, eta = spring["stiffness"], spring["eta"]
    energy = k * eta**2 / 6
    if law == HOOKE:
        return 2 * energy / eta**2, 1.0
    return 2.5 * energy / (sqrt(pair.radius) * eta**2.5), 1.5


def model(pair, spring, rules, law=HERTZ):
    """The words of `pair_coeff * *` and `fix wall/gran ... granular`."""
    stiffness, power = normal_law(pair, spring, law)
    damping = damping_of(rules["restitution"], power)
    k, eta = spring["stiffness"], spring["eta"]
    tangent = stiffness * (sqrt(pair.radius * eta) if law == HERTZ else 1)  # LAMMPS damps with the root of mass times this
    slide = sqrt(2 / 7 * k * 2 / 7 * pair.mass)
    words = ["%s %.9g %.9g damping tsuji" % (law, stiffness, tsuji_input(damping)),
             "tangential linear_history %.9g %.9g %.9g" % (2 / 7 * k, slide / (damping * sqrt(pair.mass * tangent)), rules["friction"])]
    turn = k * pair.inertia / pair.mass
    dashpot = sqrt(turn * pair.inertia)
    if rules.get("rolling_friction", 0) > 0:
        words.append("rolling sds %.9g %.9g %.9g" % (turn / pair.radius**2, dashpot / pair.radius**2, rules["rolling_friction"]))
    if rules.get("twisting_friction", 0) > 0:
        words.append("twisting sds %.9g %.9g %.9g" % (turn, dashpot, rules["twisting_friction"] * pair.radius))
    return " ".join(words + ["limit_damping"])


def steps_of(tree, spring, fraction=STEP):
    """(time step, steps per frame, steps)."""
    every, until = tree["output"]["frames"]["every"], tree["run"]["until"]["time"]
    each = int(np.ceil(every / (fraction * spring["step"])))
    return every / each, each, each * int(round(until / every))


def input_deck(tree, radii, masses, spring, law=HERTZ, fraction=STEP):
    """The text of the input deck; its data file is grains.data, its frames go to grains.dump."""
    radius, mass = float(np.mean(radii)), float(np.mean(masses))
    grains, flat = Pair(radius, mass, False), Pair(radius, mass, True)
    lines, steel = walls.of_scene(tree)
    step, each, steps = steps_of(tree, spring, fraction)
    lines = ["units lj", "atom_style sphere", "boundary s s f", "newton off", "comm_modify vel yes", "read_data grains.data",
             "neighbor 0.2 bin", "neigh_modify delay 0 every 1 check yes", "timestep %.17g" % step,
             "pair_style granular", "pair_coeff * * " + model(grains, spring, contact(tree, GRAIN), law), *lines,
             "fix motion all nve/sphere", "fix weight all gravity %g vector %g %g %g" % (
                 np.linalg.norm(tree["fields"]["gravity"]), *tree["fields"]["gravity"])]
    if tree["box"]["boundary"] != "open":
        lines.append("fix floor all wall/gran granular %s zplane 0 NULL" % model(flat, spring, contact(tree, WALL), law))
    for name in steel:
        lines.append("fix of_%s all wall/gran/region granular %s region %s" % (name, model(flat, spring, contact(tree, STEEL), law), name))
    return "\n".join(lines + ["dump frames all custom %d grains.dump id x y z" % each, "dump_modify frames sort id format float %.9g",
                              "thermo %d" % (100 * each), "run %d" % steps, ""])


def data_file(positions, radii, masses, velocities=None):
    low, high = positions.min(axis=0) - 1, positions.max(axis=0) + 1
    low[2] = min(low[2], -1)  # the box is fixed along z, with the floor at 0
    lines = ["Grains", "", "%d atoms" % len(radii), "1 atom types", ""]
    lines += ["%.17g %.17g %slo %shi" % (a, b, axis, axis) for a, b, axis in zip(low, high, "xyz")]
    lines += ["", "Atoms # sphere", ""]
    for k, (p, r, m) in enumerate(zip(positions, radii, masses)):
        lines.append("%d 1 %.17g %.17g %.17g %.17g %.17g" % (k + 1, 2 * r, m / (4 / 3 * pi * r**3), *p))
    if velocities is not None and np.any(velocities):
        lines += ["", "Velocities", ""] + ["%d %.17g %.17g %.17g 0 0 0" % (k + 1, *v) for k, v in enumerate(velocities)]
    return "\n".join(lines) + "\n"


def read_dump(path, step, count):
    """(times, positions) of a dump of `id x y z`. A dump with fewer grains is an error: some were lost."""
    times, frames = [], []
    with open(path) as file:
        while file.readline():
            times.append(step * int(file.readline()))
            file.readline()
            if int(file.readline()) != count:
                raise RuntimeError("%s: grains are lost at time %g" % (path, times[-1]))
            for _ in range(5):
                file.readline()
            frames.append([[float(word) for word in file.readline().split()[1:]] for _ in range(count)])
    return np.array(times), np.array(frames)


def run(lmp, tree, start, folder, law=HERTZ, fraction=STEP):
    """Runs the peer from the first frame of a trace of carom; its trace."""
    for name, text in (("grains.in", input_deck(tree, start.radii, start.masses, start.spring, law, fraction)),
                       ("grains.data", data_file(start.positions[0], start.radii, start.masses, start.velocities))):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    cpu = cpu_of([lmp, "-in", "grains.in", "-log", "none"], folder)
    step = steps_of(tree, start.spring, fraction)[0]
    times, positions = read_dump(os.path.join(folder, "grains.dump"), step, len(start.radii))
    os.remove(os.path.join(folder, "grains.dump"))
    return Trace(times, positions, start.radii, start.masses, cpu)
