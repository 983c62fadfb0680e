"""Detects time steps printed by `carom check` that differ from those computed by hand, and missing warnings of
elements that cost more than all others together; an outlier of the speeds that is not named."""
import json
import math
import os
import subprocess
import tempfile

from readers import expect

HEAD = """carom: 1
engine: {engine}
dimension: {dimension}
box: {{size: 50, boundary: {boundary}}}
run: {{until: {{time: 0.01}}}}
"""
CHAIN = """species: {heavy: {diameter: 1, mass: 2}, light: {diameter: 1, mass: 0.5}}
particles:
  - {species: heavy, place: {at: [[2, 2], [5, 2]]}}
  - {species: light, place: {at: [[8, 2]]}}
springs:
  - {name: ties, pairs: [[0, 1], [1, 2]], stiffness: 50, damping: 0.3}
hinges:
  - {name: knee, triples: [[0, 1, 2]], stiffness: 18}
variational: {stiffness: 8, courant: 0.1}
"""
CLOTH = """species: {cloth: {diameter: 1, mass: 1}}
meshes:
  - {name: cloth, file: cloth.obj, thickness: 0.002, density: 10, poisson: 0, stretch: 400, bend: %s,
     damping: {stretch: %s, bend: 0}}
variational: {stiffness: 1}
fields: {gravity: [0, 0, -1]}
"""
DUST = """species: {dust: {diameter: 1, mass: 1}}
particles:
  - {species: dust, place: {at: %s}, velocity: {each: %s}}
aggregation: {method: steps}
"""


def check(text, *options, engine="variational", dimension=3, boundary="open", trial="0"):
    with open("scene.yaml", "w", encoding="utf-8") as file:
        file.write(HEAD.format(engine=engine, dimension=dimension, boundary=boundary) + text)
    said = subprocess.run([os.environ["CAROM"], "check", "scene.yaml", "--json", "--trial", trial, *options], check=True,
                          capture_output=True, text=True).stdout
    return json.loads(said)


def grid(cells, gap):
    """A square with cells of width 0.2; one triangle has an additional vertex, at a distance `gap` from its longest
    edge."""
    number = lambda i, j: j * (cells + 1) + i
    vertices = [[1 + 0.2 * i, 1 + 0.2 * j, 1.0] for j in range(cells + 1) for i in range(cells + 1)]
    triangles = [t for j in range(cells) for i in range(cells) for t in (
        [number(i, j), number(i + 1, j), number(i + 1, j + 1)], [number(i, j), number(i + 1, j + 1), number(i, j + 1)])]
    if gap > 0:
        a, b, c = triangles.pop(2 * (5 * cells + 5))
        middle = [(vertices[a][k] + vertices[c][k]) / 2 for k in range(3)]
        away = [vertices[b][k] - middle[k] for k in range(3)]
        vertices.append([middle[k] + gap * away[k] / math.hypot(*away) for k in range(3)])
        last = len(vertices) - 1
        triangles += [[a, b, last], [b, c, last], [c, a, last]]
    with open("cloth.obj", "w", encoding="utf-8") as file:
        file.writelines("v %r %r %r\n" % tuple(v) for v in vertices)
        file.writelines("f %d %d %d\n" % tuple(n + 1 for n in t) for t in triangles)
    return len(triangles) - 1, vertices, triangles


def near(what, value, wanted):
    expect(what, value, wanted, 1e-12 * abs(wanted))


def rows(found):
    return {row["kind"]: row for row in found["steps"]}


def chain():
    found = rows(check(CHAIN, dimension=2))
    layers, springs, damping, hinges = (found[kind] for kind in ("layers", "springs", "spring_damping", "hinges"))
    # The lightest pair has a reduced mass of 1/4; both springs and the hinge, of arms of 3, pull at particle 1, and one
    # of each at particle 2, which is lighter.
    near("layers' bound", layers["bound"], math.sqrt(2 * 0.25 / 8))
    near("layers' step", layers["step"], 0.1 * math.sqrt(2 * 0.25 / 8))
    expect("lightest", (layers["particles"], layers["position"]), ([2], [8, 2]))
    arm = 18 / 9
    bound = min(2 / math.sqrt(2 * (2 * 50 + 4 * arm) / 2), 2 / math.sqrt(2 * (50 + 2 * arm) / 0.5))
    near("springs' bound", springs["bound"], bound)
    near("dashpots' bound", damping["bound"], 1 / (0.3 * (1 / 2 + 1 / 0.5)))
    near("springs' step", springs["step"], min(0.1 * min(bound, damping["bound"]), 4 * layers["step"]))
    expect("stiffest", (springs["element"], springs["elements"], springs["position"]),
           ("spring 1 of 'ties' (particles 1 and 2)", 2, [6.5, 2]))
    near("hinges' bound", hinges["bound"], bound)
    expect("steps of one clock", springs["step"], hinges["step"])
    expect("hinge", (hinges["element"], hinges["particles"]), ("hinge 0 of 'knee' (particles 0, 1 and 2)", [0, 1, 2]))
    given = rows(check(CHAIN, "--set", "variational.material_step=0.003", dimension=2))
    expect("a step that is given", given["springs"]["step"], 0.003)


def square():
    """Two right triangles with legs a: the largest eigenvalue of the Laplacian of each is 3 / a^2, times its area. 64
    stages of damping are stable for (64^2 + 64 - 2) / 4 times the step of one."""
    a = 0.2
    grid(1, 0)
    found = rows(check(CLOTH % (0, 4)))
    mass = 10 * 0.002 * a * a / 6  # of a vertex, a triangle
    for kind, pull in (("stretch", 2 / math.sqrt(400 * 1.5 / mass)), ("stretch_damping", 1039.5 * 2 / (4 * 1.5 / mass))):
        expect(kind + "'s bound", found[kind]["bound"], pull, 1e-6 * pull)
    layers = math.sqrt(2 * mass / 2 / 1)
    expect("layers' bound", found["layers"]["bound"], layers, 1e-6 * layers)
    expect("elements", (found["stretch"]["elements"], "bend" in found), (2, False))


def sliver():
    thin = ("--set", "meshes.0.thickness=5e-6")
    grid(12, 0)
    expect("an even mesh", check(CLOTH % (0.0005, 4), *thin)["warnings"], [])
    number, vertices, triangles = grid(12, 1e-5)
    found = check(CLOTH % (0.0005, 4), *thin)
    damping = rows(found)["stretch_damping"]
    expect("the sliver", (damping["element"], len(found["warnings"])),
           ("triangle %d (vertices %d, %d, %d) of mesh 'cloth'" % (number, *triangles[number]), 1))
    for k in range(3):
        expect("place", damping["position"][k], sum(vertices[n][k] for n in triangles[number]) / 3, 1e-12)
    expect("few", 1 <= damping["outliers"] <= 10, True)
    expect("in the warning", damping["element"] in found["warnings"][0], True)
    expect("excess", damping["excess"] >= 10, True)
    # Damping of a usual strength does not shorten steps: it acts in several stages.
    grid(12, 0.0038)
    free, damped = (check(CLOTH % (0.0005, damping)) for damping in (0, 4))
    expect("a damped sliver", rows(damped)["stretch_damping"]["step"], rows(free)["stretch"]["step"])
    expect("warnings", free["warnings"] + damped["warnings"], [])


def stiff_spring():
    """A hundred springs with one clock, one of them 1000 times as stiff; then one light particle instead."""
    ends = ", ".join("[%g, %g]" % (2 + 2 * (n % 20), 2 + 2 * (n // 20)) for n in range(101))
    weak = ", ".join("[%d, %d]" % (n, n + 1) for n in range(99))
    text = """species: {{bead: {{diameter: 1, mass: 1}}, mote: {{diameter: 1, mass: {light}}}}}
particles: [{{species: bead, place: {{at: [{ends}]}}}}, {{species: mote, place: {{at: [[2, 45]]}}}}]
springs: [{{name: weak, pairs: [{weak}], stiffness: 1}}, {{name: stiff, pairs: [[99, 100]], stiffness: {stiff}}}]
variational: {{stiffness: 1e-3}}
"""
    expect("alike", check(text.format(light=1, ends=ends, weak=weak, stiff=1), dimension=2)["warnings"], [])
    found = check(text.format(light=1, ends=ends, weak=weak, stiff=1e3), dimension=2)
    springs = rows(found)["springs"]
    expect("stiff", (springs["element"], springs["outliers"]), ("spring 0 of 'stiff' (particles 99 and 100)", 1))
    # One node of a chain is pulled at by two springs of 1, the stiff one's by 1000 (and, at one end, by another of 1).
    near("excess", springs["excess"], 100 * math.sqrt(1001) / (99 * math.sqrt(2)) - 1)
    found = check(text.format(light=1e-5, ends=ends, weak=weak, stiff=1), "--set", "variational.stiffness=1", dimension=2)
    layers = rows(found)["layers"]
    expect("light", (layers["element"], layers["outliers"]), ("particle 101", 1))


def flight():
    for fastest, warnings in ((2, 0), (50, 1)):
        places = ", ".join("[%d, 2]" % (2 + 3 * n) for n in range(10))
        speeds = ", ".join("[0, %g]" % (fastest if n == 7 else 1) for n in range(10))
        found = check(DUST % ("[%s]" % places, "[%s]" % speeds), engine="aggregation", dimension=2, boundary="wall")
        near("a flight's step", rows(found)["flight"]["step"], 0.5 * 0.5 / fastest)
        expect("fastest", (rows(found)["flight"]["particles"], len(found["warnings"])), ([7], warnings))
    found = check(DUST % ("[%s]" % places, "[%s]" % speeds), "--set", "aggregation.method=events", engine="aggregation",
                  dimension=2, boundary="wall", trial="60")
    expect("by events", (found["steps"], found["particles"], found["box"]), ([], 10, [50, 50]))
    cost = found["cost"]
    expect("the whole run", (cost["whole"], cost["events"], cost["trial_time"]), (True, 0, 0.01))


def fast_particle():
    """The stiffness follows from the fastest particle, which is named if it is 20 times as fast as the median."""
    rule = "for impacts at the largest speed at the start"
    places = ", ".join("[%d, %d]" % (2 + 3 * (n % 10), 2 + 3 * (n // 10)) for n in range(30))
    for usual, fastest, source in ((1, 19, rule), (1, 42, rule + ", of particle 7, 42 times the median"), (0, 42, rule)):
        speeds = ", ".join("[0, %g]" % (fastest if n == 7 else usual) for n in range(30))
        text = DUST.replace("aggregation: {method: steps}\n", "") % ("[%s]" % places, "[%s]" % speeds)
        found = rows(check(text, dimension=2))["layers"]["source"]
        expect("the rule of the stiffness", found.split(", ", 1)[1], source)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for test in (chain, square, sliver, stiff_spring, flight, fast_particle):
        test()
