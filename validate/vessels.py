"""Boundaries from CAD: no particle leaks out of meshes, walls of triangles equal walls of the box, grains flow out of a hopper."""
import json
import math
import os
import subprocess
import sys

from .binding import Carom
from .harness import ROOT, Row, count

sys.path.insert(0, os.path.join(ROOT, "tools"))
import vessels  # noqa: E402

# ---- leaks ----------------------------------------------------------------------------------------------------------

CAGES = (
    ("400 slivers that meet in two poles", []),
    ("a torus: concave", ["meshes.0.shape={torus: {radius: 1, tube: 0.4, around: 12, across: 5}}",
                          "particles.0.place.at=[[6, 5, 5], [4, 5, 5]]", "meshes.0.place.rotate.angle=0"]),
    ("a wedge, 0.1 wide and 2 high", ["meshes.0.shape={prism: {width: 0.1, height: 2, length: 1, along: 1}}",
                                      "particles.0.place.at=[[5, 5, 5.3], [5, 5.1, 5.5]]", "meshes.0.place.rotate.angle=0"]),
    ("a tetrahedron, in gravity", ["meshes.0.shape={solid: {kind: tetrahedron, radius: 1, parts: 3}}",
                                   "fields={gravity: [0.3, 0.1, -1]}"]),
    ("a cube that turns and swings", ["meshes.0.shape={solid: {kind: cube, radius: 1, parts: 2}}",
                                      "drives=[{name: d, mesh: cage, motion: [{turn: {axis: [1, 2, 3], through: [5.2, 5, 5], rate: 0.7}, "
                                      "oscillate: {by: [0.1, 0.2, 0], frequency: 0.3}}]}]"]),
)


def cage_run(lab, sets, hits):
    """Hits, and the report of `carom verify` on the result."""
    sets = sets + ["run.until.events=%d" % hits]

    def work():
        result = os.path.join(lab.cache, "cage.%d.h5" % os.getpid())
        command = [lab.carom, "run", lab.scene("cage"), "-o", result, "--json", result + ".json", "--force", "--quiet"]
        for one in sets:
            command += ["--set", one]
        subprocess.run(command, check=True)
        with open(result + ".json") as file:
            summary = json.load(file)
        _, report, _ = lab.command("verify", result, "--json")
        found = json.loads(report)
        for path in (result, result + ".json", result + ".checkpoint"):
            if os.path.exists(path):
                os.remove(path)
        return {"hits": summary["events"]["wall"], "overlap": summary["max_overlap"], "frames": found["frames"],
                "violations": sum(found["violations"].values())}
    with open(lab.scene("cage")) as file:
        return lab.remember("cage", {"scene": file.read(), "sets": sets}, work)


def leaks(lab, name):
    each = lab.length(2000000, 20000)
    runs = [cage_run(lab, sets, each) for _, sets in CAGES]
    hits, overlap = sum(run["hits"] for run in runs), max(run["overlap"] for run in runs)
    bad = sum(run["violations"] for run in runs)
    return [Row(name, "no particle leaks out of closed meshes: " + "; ".join(what for what, _ in CAGES), "-",
                "0 violations of `carom verify` (sides, overlaps, passages); overlaps below 1e-13",
                "%d in %s hits, %s frames; deepest overlap %.1e" % (bad, count(hits), count(sum(r["frames"] for r in runs)), overlap),
                bad == 0 and overlap < 1e-13 and hits > 0.99 * len(CAGES) * each, "%s hits each" % count(each))]


# ---- walls of triangles ---------------------------------------------------------------------------------------------

GAS = """carom: 1
engine: hard
dimension: 3
seed: 1
box: {size: [10, 10, 10], boundary: %s}
species: {grain: {diameter: 1, mass: 1}}
%s
particles: [{species: grain, count: 300, place: sc, velocity: {maxwell: 1}}]
run: {until: {events: %d}}
"""
BOX = ("meshes: [{name: box, shape: {solid: {kind: cube, radius: 8.660254037844386, parts: 3}}, place: {at: [5, 5, 5]}, "
       "rigid: true}]")


def walls(lab, name):
    """The same gas in a box of walls and in one of triangles: hits of walls per collision."""
    events = lab.length(4000000, 500000)

    def work():
        carom, ratios = Carom(lab.build), []
        for boundary, mesh in (("wall", ""), ("open", BOX)):
            found = carom.run("walls", GAS % (boundary, mesh, events))
            ratios.append(found["events"]["wall"] / found["events"]["collision"])
        return ratios
    flat, triangles = lab.remember("walls", {"gas": GAS, "box": BOX, "events": events}, work)
    off = triangles / flat - 1
    within = 3 * math.sqrt(2 / (events * flat / (1 + flat)))
    return [Row(name, "a box of 108 triangles holds a gas (packing fraction 0.16) as walls do: hits of walls a collision", "-",
                "%.5f, between walls" % flat, "%.5f, off by %.1e; 3 sigma are %.1e" % (triangles, off, within), abs(off) < within,
                "%s events" % count(events))]


# ---- a hopper -------------------------------------------------------------------------------------------------------

HOPPER = """carom: 1
engine: hard
dimension: 3
seed: 1
box: {size: [20, 20, 20], boundary: open}
species: {grain: {diameter: 1, mass: 1}}
meshes: [{name: hopper, file: %s, rigid: true}]
contacts: [{between: [grain, grain], restitution: 0.8}]
fields: {gravity: [0, 0, -1]}
particles: [{species: grain, place: {file: %s}}]
hard: {collapse: {policy: tc, tc: 1e-2}}
run: {until: {time: 1e3}}
"""
RADIUS, STEP = 9, 0.5


def outflow(lab, outlet, grains):
    """Number of particles outside, at intervals of 1/2, until two thirds are outside."""
    def work():
        files = [os.path.join(lab.cache, "hopper.%d.%s" % (os.getpid(), end)) for end in ("stl", "xyz")]
        faces, cone = vessels.hopper(outlet, RADIUS, 40)
        vessels.write_stl(files[0], faces)
        vessels.write_xyz(files[1], vessels.grains(grains, RADIUS, cone + 0.7))
        out = []
        for places, _ in Carom(lab.build).watch("hopper", HOPPER % tuple(files), [STEP * k for k in range(1, 2000)]):
            out.append(sum(place[2] < 0 for place in places[:grains]))
            if out[-1] > 2 * grains / 3:
                break
        for path in files:
            os.remove(path)
        return out
    return lab.remember("hopper", {"scene": HOPPER, "outlet": outlet, "grains": grains, "radius": RADIUS}, work)


def rate_of(out, grains):
    """Slope of a line through the outflow between a quarter and two thirds; and the difference of the slopes of its
    halves."""
    points = [(STEP * k, n) for k, n in enumerate(out) if n > grains / 4]

    def slope(part):
        middle = [sum(p[c] for p in part) / len(part) for c in (0, 1)]
        return sum((x - middle[0]) * (y - middle[1]) for x, y in part) / sum((x - middle[0]) ** 2 for x, _ in part)
    half = len(points) // 2
    return slope(points), slope(points[half:]) / slope(points[:half]) - 1


def beverloo(lab, name):
    """W = c (D - k)^p: straight lines through W^(1/p) over D, and the p with the best fit."""
    grains = lab.length(2500, 1500)
    outlets = lab.length((4, 5, 6, 7), (4, 5, 6))
    found = [rate_of(outflow(lab, outlet, grains), grains) for outlet in outlets]

    def fit(power):
        ys = [rate ** (1 / power) for rate, _ in found]
        n, sx, sy = len(outlets), sum(outlets), sum(ys)
        slope = (n * sum(x * y for x, y in zip(outlets, ys)) - sx * sy) / (n * sum(x * x for x in outlets) - sx * sx)
        shift = (sy - slope * sx) / n
        off = max(abs((slope * x + shift) ** power / rate - 1) for x, (rate, _) in zip(outlets, found))
        return off, -shift / slope, slope ** power
    off, k, c = fit(2.5)
    drift = max(abs(d) for _, d in found)
    rates = ", ".join("%.1f" % rate for rate, _ in found)
    source = "Beverloo, Leniger, van de Velde, Chem. Eng. Sci. 15, 260 (1961)"
    run = "%s grains, outlets %s" % (count(grains), ", ".join(map(str, outlets)))
    return [Row(name, "grains run out of a hopper at a rate W that grows as c (D - k d)^(5/2)", source,
                "every rate within 3.3 % of the law (k is 1 to 2 where grains are rough; these are smooth)",
                "within %.1f %%, k = %.2f, c = %.2f; W = %s" % (100 * off, k, c, rates), off < 0.033, run),
            Row(name, "the rate does not depend on how full the hopper is", source,
                "second half of the flow as fast as the first, within 10 %", "within %.1f %%" % (100 * drift), drift < 0.1, run)]


# ---- two engines ----------------------------------------------------------------------------------------------------

BALL = """carom: 1
engine: hard
dimension: 3
box: {size: [10, 10, 10], boundary: open}
species: {ball: {diameter: 1, mass: 1}}
meshes:
  - {name: cage, shape: {solid: {kind: cube, radius: 5.2, parts: 2}}, thickness: 0.2, rigid: true,
     place: {at: [5, 5, 5], rotate: {axis: [1, 1, 1], angle: 0.5}}}
particles: [{species: ball, place: {at: [[5.1, 4.8, 5.3]]}, velocity: {each: [0.9, -0.7, 0.4]}}]
run: {until: {time: 12}}
"""


def engines(lab, name):
    """A ball that hits a cage of triangles five times, in `hard` and in `variational` with decreasing thickness of
    layers."""
    etas = (0.02, 0.005, 0.001)

    def work():
        carom = Carom(lab.build)
        exact = carom.run("ball", BALL)["positions"][0]
        return [math.dist(exact, carom.run("ball", BALL, "engine=variational", "variational.eta=%g" % eta)["positions"][0])
                for eta in etas]
    off = lab.remember("ball", {"scene": BALL, "etas": etas}, work)
    ratios = [off[k] / off[k + 1] / (etas[k] / etas[k + 1]) for k in range(len(etas) - 1)]
    return [Row(name, "a ball after five hits of a cage of triangles: `variational` comes to the place of `hard` as its "
                "layers get thin", "two methods", "distance proportional to eta", "%s for eta = %s" % (
                    ", ".join("%.2g" % x for x in off), ", ".join("%g" % x for x in etas)),
                all(0.8 < ratio < 1.25 for ratio in ratios) and off[-1] < 0.02, "time 12")]


ROWS = {"engines": engines, "leaks": leaks, "triangle_walls": walls, "beverloo": beverloo}
