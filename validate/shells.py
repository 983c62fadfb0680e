"""Benchmarks of shells that bend far: K. Y. Sze, X. H. Liu, S. H. Lo, Finite Elements in Analysis and Design 40, 1551 (2004)."""
from math import cos, pi, sin, sqrt

from .binding import Carom
from .harness import Row

SZE = "Sze, Liu, Lo, Finite Elem. Anal. Des. 40, 1551 (2004)"
# Force over 4: the end goes back by U and up by W.
SHEAR = ((0.05, 0.026, 0.663), (0.1, 0.103, 1.309), (0.2, 0.381, 2.493), (0.3, 0.763, 3.488), (0.4, 1.184, 4.292), (0.5, 1.604, 4.933),
         (0.6, 2.002, 5.444), (0.7, 2.370, 5.855), (0.8, 2.705, 6.190), (0.9, 3.010, 6.467), (1.0, 3.286, 6.698))
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


ROWS = {"shell-shear": shear, "shell-moment": moment, "ribbon-twist": twist}
