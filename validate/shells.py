"""Benchmarks of shells that bend far: K. Y. Sze, X. H. Liu, S. H. Lo, Finite Elements in Analysis and Design 40, 1551 (2004); lateral buckling; a twisted ribbon."""
from math import cos, dist, pi, sin, sqrt

from .binding import Carom
from .harness import Row

SZE = "Sze, Liu, Lo, Finite Elem. Anal. Des. 40, 1551 (2004)"
# Force over 4: the end goes back by U and up by W.
SHEAR = ((0.05, 0.026, 0.663), (0.1, 0.103, 1.309), (0.2, 0.381, 2.493), (0.3, 0.763, 3.488), (0.4, 1.184, 4.292), (0.5, 1.604, 4.933),
         (0.6, 2.002, 5.444), (0.7, 2.370, 5.855), (0.8, 2.705, 6.190), (0.9, 3.010, 6.467), (1.0, 3.286, 6.698))
# Force over 400: the points pulled outwards move by U, those pushed inwards by W. Quoted from memory; the paper was not at hand.
SPHERE = ((0.25, 2.596, 3.833), (0.5, 3.406, 5.902), (0.75, 3.816, 7.234), (1.0, 4.067, 8.178))
CRITICAL, HIGH, THIN = 4.01260, 0.5, 0.025  # load of lateral buckling times L^2 / sqrt(EI GJ); height and thickness of the strip
STEPS, RISE = 20, 2.0  # steps of the load; the time in which each grows
FORCE, MOMENT = 4.0, 50 * pi / 3


def stairs(keep):
    """Ramp of the load: it grows by a step, and stays until the strip is at rest."""
    items = []
    for k in range(STEPS):
        start = k * (RISE + keep)
        items += [{"time": start + RISE, "factor": (k + 1) / STEPS}, {"time": start + RISE + keep, "factor": (k + 1) / STEPS}]
    return ", ".join("{time: %(time)r, factor: %(factor)r}" % item for item in items)


def strip(length, cells, load, rows, keep, late):
    """A strip 1 wide and 0.1 thick, rigidity 100, mass 1 an area, clamped at x = 2; the load is on the last rows of vertices.
    `late`: damping over stiffness of bending."""
    cell = length / cells
    return """carom: 1
engine: variational
box: {size: [40, 40, 40], boundary: open}
species: {strip: {diameter: 0.01}}
meshes:
  - {name: strip, shape: {rectangle: {length: %r, width: 1, along: %d, across: 2}}, place: {at: [%r, 20, 20]}, thickness: 0.01,
     density: 100, young: 1.2e6, poisson: 0, elastic_thickness: 0.1, damping: {stretch: 24, bend: %r}}
drives: [{name: clamp, mesh: strip, within: {from: [0, 0, 0], to: [2.0001, 40, 40]}}]
loads: [{name: end, mesh: strip, within: {from: [%r, 0, 0], to: [40, 40, 40]}, %s, ramp: [%s]}]
variational: {stiffness: 1, material_step: 1}
run: {until: {time: %r}}
""" % (length + cell, cells + 1, 2 - cell + (length + cell) / 2, late * 100 / 6, 2 + length - (rows - 0.5) * cell, load, stairs(keep),
       STEPS * (RISE + keep))


def ends(lab, name, text, length, cells, keep):
    """How far the end has gone back and up after each step of the load."""
    def work():
        times = [(RISE + keep) * (k + 1) for k in range(STEPS)]
        found = []
        for positions, _ in Carom(lab.build).watch(name, text, times):
            rows = positions[cells + 1::cells + 2]
            found.append([2 + length - sum(float(x[0]) for x in rows) / len(rows), sum(float(x[2]) for x in rows) / len(rows) - 20])
        return {"ends": found}
    return lab.remember(name, {"scene": text}, work)["ends"]


def largest(found, expected, length):
    """Largest distance of an end from its place, over the length."""
    return max(((found[round(at * STEPS) - 1][0] - back) ** 2 + (found[round(at * STEPS) - 1][1] - up) ** 2) ** 0.5
               for at, back, up in expected) / length


def row(lab, name, claim, source, length, load, rows, keep, late, expected):
    sizes = lab.length((8, 16), (4, 8))
    off, last = [], None
    for cells in sizes:
        last = ends(lab, name, strip(length, cells, load, rows, keep, late), length, cells, keep)
        off.append(largest(last, expected, length))
    at, back, up = expected[-1]
    found = last[round(at * STEPS) - 1]
    return [Row(name, claim, source, "end within 1 %% of the length; at the last (%.3f, %.3f)" % (back, up),
                "%.2f %%, %.2f %%; (%.3f, %.3f)" % (100 * off[0], 100 * off[1], *found), off[1] < 0.01 and off[1] < 0.5 * off[0],
                "%d and %d cells, 20 steps of the load" % sizes)]


def shear(lab, name):
    return row(lab, name, "cantilever under an end force: the end goes back and up by, at 11 of 20 loads", SZE, 10.0,
               "force: [0, 0, %r]" % FORCE, 1, 18.0, 4.0, SHEAR)


def moment(lab, name):
    """At the largest moment the strip would close to a circle and touch the clamp."""
    expected = []
    for k in range(1, STEPS):
        turn = 2 * pi * k / STEPS
        expected.append((k / STEPS, 12 * (1 - sin(turn) / turn), 12 * (1 - cos(turn)) / turn))
    return row(lab, name, "cantilever under an end moment, up to 0.95 of that of a full circle", "arc of a circle; " + SZE, 12.0,
               "moment: [0, %r, 0]" % -MOMENT, 2, 24.0, 6.0, expected)


TWIST, TURNED, TWIST_END = 1.0, 100.0, 250.0  # angle; when it is reached; when the ribbon is at rest


def ribbon(across):
    """A ribbon 10 long and 1 wide between two clamps, one of which turns about its axis."""
    cell = 1 / across
    return """carom: 1
engine: variational
box: {size: [16, 4, 4], boundary: open}
species: {strip: {diameter: 0.01}}
meshes:
  - {name: strip, shape: {rectangle: {length: %r, width: 1, along: %d, across: %d}}, place: {at: [7, 2, 2]}, thickness: 0.01,
     density: 100, young: 20, poisson: 0, elastic_thickness: 0.05, damping: {stretch: 0.3, bend: 0.05}}
drives:
  - {name: left, mesh: strip, within: {from: [0, 0, 0], to: [2.0001, 4, 4]}}
  - {name: right, mesh: strip, within: {from: [11.9999, 0, 0], to: [16, 4, 4]},
     motion: [{turn: {axis: [1, 0, 0], through: [12, 2, 2], rate: %r}}, {time: %r, velocity: [0, 0, 0]}]}
variational: {stiffness: 1}
run: {until: {time: %r}}
""" % (10 + 2 * cell, 10 * across + 2, across, TWIST / TURNED, TURNED, TWIST_END)


def twist(lab, name):
    """Saint-Venant's torsion, shorter by b / sqrt(24) at each clamp, which keeps it plane; stretching e = (twist y)^2 / 2."""
    found = []
    for across in (4, 8):
        text = ribbon(across)
        found.append(lab.remember(name, {"scene": text}, lambda: Carom(lab.build).run(name, text)["energy"]))
    rate = TWIST / 10
    bend, stretch = 10 * 20 * 0.05 ** 3 / 12 * rate ** 2, 10 * rate ** 4 / 640
    clamped = 1 / (1 - 0.2 / sqrt(24))
    bends, stretches = ([one[kind] / unit for one in found] for kind, unit in (("bend", bend), ("stretch", stretch)))
    limit = (4 * stretches[1] - stretches[0]) / 3
    return [Row(name, "clamped ribbon, twisted by 1: energy of bending over that of free warping", "plate whose deflection is y angle(x), of least energy",
                "%.4f within 0.5 %%" % clamped, "%.4f, %.4f" % tuple(bends), abs(bends[1] / clamped - 1) < 0.005, "4 and 8 cells across"),
            Row(name, "the same: energy of stretching over L E t b^5 (twist / L)^4 / 640", "membrane strain of a helicoid",
                "1 within 5 %, extrapolated", "%.3f, %.3f; extrapolated %.3f" % (*stretches, limit), abs(limit - 1) < 0.05,
                "4 and 8 cells across")]


def hemisphere(cells, rise, keep):
    """A hemisphere of radius 10 around (30, 30, 30) with a hole of 18 degrees, 0.04 thick, mass 1 an area; four forces at its rim."""
    angles = [(18 + 72 * k / cells) * pi / 180 for k in range(cells + 1)]
    ramp = ", ".join("{time: %r, factor: %r}" % (k * (rise + keep) + extra, at) for k, (at, *_) in enumerate(SPHERE)
                     for extra in (rise, rise + keep))
    loads = ", ".join("{name: side%d, mesh: shell, within: {from: [%r, %r, 29.9], to: [%r, %r, 30.1]}, force: [%r, %r, 0], ramp: [%s]}" % (
        k, 29.9 + 10 * x, 29.9 + 10 * y, 30.1 + 10 * x, 30.1 + 10 * y, -400.0 * x, 400.0 * y, ramp)
        for k, (x, y) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))))
    return """carom: 1
engine: variational
box: {size: [60, 60, 60], boundary: open}
species: {shell: {diameter: 0.01}}
meshes:
  - {name: shell, shape: {revolution: {profile: [%s], around: %d}}, place: {at: [30, 30, 30]}, thickness: 0.001,
     density: 1000, young: 6.825e7, poisson: 0.3, elastic_thickness: 0.04}
loads: [%s]
variational: {stiffness: 1, material_step: %r}
run: {until: {time: %r}}
""" % (", ".join("[%r, %r]" % (10 * sin(a), 10 * cos(a)) for a in angles), 4 * cells, loads, 9e-4 / cells, len(SPHERE) * (rise + keep))


def sphere(lab, name):
    """The whole shell, free in space; the mean of both points that are pulled, and of both that are pushed. These meshes are too coarse
    for an extrapolation: from 8 to 16 cells the way passes that of the paper, and stretching grows from 0.2 to 1.5 % of the energy (at P = 100).
    Under small forces it is 6.6 % too large with 8 cells and 3.1 % with 12, against the linear 0.0935 at P = 2. 24 cells take hours."""
    rise, keep, sizes, moved = 1.0, 13.0, lab.length((8, 16), (4, 8)), []
    for cells in sizes:
        text = hemisphere(cells, rise, keep)

        def work(text=text):
            carom = Carom(lab.build)
            start, found = next(carom.watch(name, text, (0.0,)))[0], []
            a, c, b, d = (min(range(len(start)), key=lambda i: dist(start[i], (30 + 10 * x, 30 + 10 * y, 30)))
                          for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)))
            for p in carom.settle(name, text, [(rise + keep) * (k + 1) for k in range(len(SPHERE))], 1.2, 0.05):
                found.append([(p[b][1] - p[d][1]) / 2 - 10, 10 - (p[a][0] - p[c][0]) / 2])
            return {"moved": found}
        moved.append(lab.remember(name, {"scene": text}, work)["moved"])
    off = [max(abs(mine[k] / wanted[k + 1] - 1) for mine, wanted in zip(found, SPHERE) for k in range(2)) for found in moved]
    return [Row(name, "hemisphere with a hole, pulled and pushed at its rim: the points move outwards and inwards by, at 4 loads",
                SZE + "; quoted from memory", "within 3 % with 16 cells; " + ", ".join("(%.3f, %.3f)" % row[1:] for row in SPHERE),
                "%.2f %%, %.2f %%; " % (100 * off[0], 100 * off[1]) + ", ".join("(%.3f, %.3f)" % tuple(row) for row in moved[1]),
                off[1] < min(0.03, off[0]), "%d and %d cells from the hole to the rim, four times as many around; too coarse for an extrapolation" % sizes)]


def tip(load, parts=400):
    """Deflection of the end of a cantilever, bent about its weak axis by a small force 1, under a force `load` about its strong axis: v'' = (1 - x)
    (1 + load twist), twist'' = -load (1 - x) v'', v = v' = twist = 0 at 0, twist' = 0 at 1, lengths, EI and GJ 1 (Michell; Prandtl, 1899)."""
    def rates(x, y):
        bent = (1 - x) * (1 + load * y[2])
        return (y[1], bent, y[3], -load * (1 - x) * bent)

    def shoot(start):
        y, h = (0.0, 0.0, 0.0, start), 1 / parts
        for n in range(parts):
            k1 = rates(n * h, y)
            k2 = rates((n + 0.5) * h, [a + h / 2 * b for a, b in zip(y, k1)])
            k3 = rates((n + 0.5) * h, [a + h / 2 * b for a, b in zip(y, k2)])
            k4 = rates((n + 1) * h, [a + h * b for a, b in zip(y, k3)])
            y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
        return y
    still, turned = shoot(0.0), shoot(1.0)
    return shoot(still[3] / (still[3] - turned[3]))[0]


def blade(cells, aside, down):
    """A strip 10 long and 0.5 high, clamped at x = 2, with stretching stiffness 1e6 and mass 1 an area, Poisson's ratio 0; two forces at its end."""
    cell, across = 10.0 / cells, max(1, cells // 10)
    return """carom: 1
engine: variational
box: {size: [40, 40, 40], boundary: open}
species: {strip: {diameter: 0.001}}
meshes:
  - {name: strip, shape: {rectangle: {length: %r, width: %r, along: %d, across: %d}}, place: {at: [%r, 20, 20], rotate: {axis: [1, 0, 0], angle: %r}},
     thickness: 0.001, density: 1000, young: %r, poisson: 0, elastic_thickness: %r}
drives: [{name: clamp, mesh: strip, within: {from: [0, 0, 0], to: [2.0001, 40, 40]}}]
loads: [{name: end, mesh: strip, within: {from: [%r, 0, 0], to: [40, 40, 40]}, force: [0, %r, %r], ramp: [{time: 10, factor: 1}]}]
variational: {stiffness: 1, material_step: %r}
run: {until: {time: 60}}
""" % (10 + cell, HIGH, cells + 1, across, 2 - cell + (10 + cell) / 2, pi / 2, 1e6 / THIN, THIN, 12 - cell / 2, aside, -down,
       2.5e-4 * min(cell, HIGH / across))


def lateral(lab, name):
    """The deflection at 0.8 of the critical load, by which it has grown, gives the critical load."""
    rigidity, side, share, found = 1e6 * THIN ** 2 / 12, 0.02, 0.8, []
    scale = 2 ** 0.5 * rigidity * HIGH / 100  # root of EI GJ over the squared length; EI = rigidity * HIGH, GJ = 2 EI
    sizes = lab.length((10, 20), (5, 10))
    for cells in sizes:
        text = blade(cells, side * 3 * rigidity * HIGH / 1000, share * CRITICAL * scale)

        def work(text=text):
            p = next(Carom(lab.build).settle(name, text, [60.0], 0.35, 0.2, lambda place: place[0] > 2.0001))
            last = max(x[0] for x in p) - 0.01
            edge = [x[1] - 20 for x in p if x[0] > last]
            return {"aside": sum(edge) / len(edge)}
        grown, low, high = lab.remember(name, {"scene": text}, work)["aside"] / side, 0.0, 0.999 * CRITICAL
        while high - low > 1e-6:
            middle = (low + high) / 2
            low, high = (middle, high) if 3 * tip(middle) < grown else (low, middle)
        found.append(share * CRITICAL ** 2 / low)
    return [Row(name, "lateral buckling of a cantilever strip under an end force: critical load times L^2 over the root of EI GJ",
                "Michell; Prandtl (1899): a rod, far stiffer about its strong axis", "%.4f within 2 %%" % CRITICAL, "%.4f, %.4f" % tuple(found),
                abs(found[1] / CRITICAL - 1) < 0.02,
                "deflection at %g of the critical load, %d and %d cells, height a twentieth of the length, strong axis 400 times as stiff" % (share, *sizes))]


ROWS = {"shell-shear": shear, "shell-moment": moment, "shell-lateral": lateral, "shell-sphere": sphere, "ribbon-twist": twist}
