"""Exact cylinders: the circular billiard, the wall of a bent vessel, a drum compared with one of triangles."""
import math

from .binding import Carom
from .harness import Row, count

BILLIARD = """carom: 1
engine: hard
dimension: 2
box: {size: [10, 10], boundary: open}
species: {a: {diameter: 1, mass: 1}}
cylinders: [{name: ring, through: [5, 5], radius: 5, side: inside}]
particles: [{species: a, place: {at: [[8, 5]]}, velocity: {each: [0.6, 0.8]}}]
run: {until: {events: %d}}
"""


def billiard(lab, name):
    hits = lab.length(10000000, 1000000)

    def work():
        found = Carom(lab.build).run("billiard", BILLIARD % hits)
        (x, y), (u, v) = found["positions"][0], found["velocities"][0]
        return {"time": found["time"], "speed": math.hypot(u, v), "lever": (x - 5) * v - (y - 5) * u, "overlap": found["max_overlap"]}
    found = lab.remember("billiard", {"scene": BILLIARD, "hits": hits}, work)
    half = math.sqrt(4.5 ** 2 - 2.4 ** 2)
    wanted = half - 1.8 + (hits - 1) * 2 * half
    off = [abs(found["time"] / wanted - 1), abs(found["speed"] - 1), abs(found["lever"] / 2.4 - 1)]
    return [Row(name, "a disk in a circle: time of hit number %s, speed, angular momentum" % count(hits), "exact: all chords are equal",
                "%.4f, 1, 2.4" % wanted, "off by %.1e, %.1e, %.1e; deepest overlap %.1e" % (*off, found["overlap"]), max(off) < 9e-13,
                "%s hits" % count(hits))]


GAS = """carom: 1
engine: hard
dimension: 2
seed: 7
box: {size: [20, 20], boundary: open}
species: {a: {diameter: 1, mass: 1}}
cylinders: [{name: ring, through: [10, 10], radius: 10, side: inside}]
particles: [{species: a, count: 120, place: random, velocity: {maxwell: 1}}]
run: {until: {events: %d}}
"""


def bent(lab, name):
    """Twice the energy and the virial of the pairs equal s F, s the radius that centres reach; in equilibrium F is
    hits times sqrt(2 pi m T), and the virial collisions times sigma sqrt(pi m T). (3D:
    tests/physics/test_cylinders.c, as the pair collisions near the wall are not isotropic.)"""
    events = lab.length(20000000, 2000000)

    def work():
        found = Carom(lab.build).run("bent", GAS % events)
        return {"kinetic": found["energy"]["kinetic"], "hits": found["events"]["wall"], "time": found["time"],
                "count": len(found["positions"]), "collisions": found["events"]["collision"]}
    found = lab.remember("bent", {"scene": GAS, "events": events}, work)
    n, s = found["count"], 9.5
    temperature = 2 * found["kinetic"] / (2 * n - 1)
    virial = found["collisions"] / found["time"] * math.sqrt(math.pi * temperature)
    ratio = s * found["hits"] / found["time"] * math.sqrt(2 * math.pi * temperature) / (2 * n * temperature + virial)
    # runs a tenth as long scatter by 0.23 % (test_cylinders)
    return [Row(name, "force of 120 hard disks on a circle (packing fraction 0.3), from hits, over that from their collisions",
                "virial theorem", "1 within 0.2 %", "%.5f" % ratio, abs(ratio - 1) < 0.002, "%s events" % count(events))]


DRUM = """carom: 1
engine: hard
dimension: 3
seed: 1
box: {size: [20, 10, 20], boundary: [open, wall, open]}
species: {grain: {diameter: 1, mass: 1}, steel: {diameter: 1, mass: 1}}
%s
contacts:
  - {between: [grain, grain], restitution: 0.7, tangential: 0}
  - {between: [grain, %s], restitution: 0.7, tangential: 0}
  - {between: [grain, wall], restitution: 0.7}
fields: {gravity: [0, 0, -1]}
hard: {collapse: {policy: tc, tc: 1e-3}}
"""
ROUND = ("cylinders: [{name: drum, through: [10, 0, 10], axis: [0, 1, 0], radius: %g, side: inside}]\n"
         "drives: [{name: motor, cylinder: drum, motion: [{turn: {rate: 0.4}}]}]")
TRIANGLES = ("meshes: [{name: drum, shape: {tube: {radius: 10, length: 10.4, around: %d, along: 1}}, species: steel, rigid: true,\n"
             "          place: {at: [10, 5, 10], rotate: {axis: [1, 0, 0], angle: 1.5707963267948966}}}]\n"
             "drives: [{name: motor, mesh: drum, motion: [{turn: {axis: [0, 1, 0], through: [10, 0, 10], rate: 0.4}}]}]")


def drum(lab, name):
    time, sides = lab.length(200, 60), lab.length((48, 384), (96,))

    def work():
        carom = Carom(lab.build)
        first = carom.run("start", DRUM % (ROUND % 9.8, "drum") + "particles: [{species: grain, count: 1000, place: random}]\n"
                          "run: {until: {events: 1}}\n")
        start = "particles: [{species: grain, place: {at: %s}}]\nrun: {until: {time: %g}}\n" % (
            [[round(x, 12) for x in r] for r in first["positions"]], time)
        runs = [DRUM % (ROUND % 10, "drum")] + [DRUM % (TRIANGLES % n, "steel") for n in sides]
        return [carom.run("drum", run + start)["energy"]["work"] / time for run in runs]
    found = lab.remember("drum", {"scene": DRUM, "time": time, "sides": sides}, work)
    off = [power / found[0] - 1 for power in found[1:]]
    # three times what a drum's work scatters by, 0.65 % a turn (tests/bounds.md)
    return [Row(name, "what a rough drum that turns needs, 1000 grains: an exact cylinder beside tubes of %s triangles" %
                " and ".join(str(2 * n) for n in sides), "two kinds of boundary", "the same within 2 %",
                "%.1f; off by %s" % (found[0], ", ".join("%+.2f %%" % (100 * x) for x in off)), max(map(abs, off)) < 0.02,
                "time %g" % time)]


ROWS = {"billiard": billiard, "bent_walls": bent, "drum": drum}
