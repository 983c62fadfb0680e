"""A circular sheet over a coaxial disk, as in Cusick's test of the drape of a fabric (J. Text. Inst. 56, T596 (1965)): the disk holds the sheet, of
radius 15, inside radius 9, and the rest hangs under its weight. References: validate/plates.py."""
from math import cos, hypot, pi, sin, sqrt

from .binding import Carom
from .harness import Row
from .plates import Annulus, drooped, small

INNER, OUTER, POISSON = 9.0, 15.0, 0.3
THIN, THICK = 0.1, 1.0  # rigidity and mass per area are 1
FOLDS, SHARE, PUSH = 5, 0.6, 1e-4
DRAG, PAUSE = 0.12, 0.5  # drag over mass, a thirtieth of the slowest vibration's period


def unit(thick):
    """Weight that bends the sheet by about a tenth of its thickness: loads below are in this unit, rigidity times thickness over overhang^4."""
    return thick / (OUTER - INNER) ** 4


def stretch(thick):
    return 12 * (1 - POISSON ** 2) / thick ** 2


def around(cells):
    """Cells around, as long as those along r, and as many in each half of a fold."""
    return 2 * FOLDS * round(pi * (INNER + OUTER) * cells / (OUTER - INNER) / (2 * FOLDS))


def sheet(cells, thick, load, push, until):
    """A ring, its first row of cells inside the disk; forces of sum `push` up and down on sectors of its edge, FOLDS of each."""
    size, turns = (OUTER - INNER) / cells, around(cells)
    half, edge = turns // (2 * FOLDS), (cells + 1) * turns
    loads = []
    for name, side in (("up", 0), ("down", 1)):
        sectors = ["{from: %d, to: %d}" % (edge + k * half, edge + (k + 1) * half - 1) for k in range(side, 2 * FOLDS, 2)]
        loads.append("{name: %s, mesh: sheet, vertices: [%s], force: [0, 0, %r]}" % (name, ", ".join(sectors), push * (1 - 2 * side)))
    return """carom: 1
engine: variational
box: {size: [40, 40, 40], boundary: open}
species: {sheet: {diameter: 0.001}}
meshes:
  - {name: sheet, shape: {revolution: {profile: [%s], around: %d}}, place: {at: [20, 20, 20]}, thickness: 0.001, density: 1000,
     young: %r, poisson: %r, elastic_thickness: %r}
drives: [{name: disk, mesh: sheet, vertices: {from: 0, to: %d}}]
%sfields: {gravity: [0, 0, %r]}
variational: {stiffness: 1, material_step: 1}
run: {until: {time: %r}}
""" % (", ".join("[%r, 0]" % (INNER + (k - 1) * size) for k in range(cells + 2)), turns, stretch(thick) / thick, POISSON, thick, 2 * turns - 1,
       "loads: [%s]\n" % ", ".join(loads) if push else "", -load * unit(thick), until)


def edge(lab, name, cells, thick, load, push=0, until=250.0):
    """Places of the outer edge at rest, from the middle of the disk, down positive."""
    text = sheet(cells, thick, load, push, until)

    def work():
        free = Carom(lab.build).settle(name, text, [until], DRAG, PAUSE, lambda place: hypot(place[0] - 20, place[1] - 20) > INNER + 0.001)
        return {"edge": [[x - 20, y - 20, 20 - z] for x, y, z in next(free)[-around(cells):]]}
    return lab.remember(name, {"scene": text}, work)["edge"]


def sunk(places):
    return sum(place[2] for place in places) / len(places)


def coefficient(places, inner=INNER, outer=OUTER):
    """Cusick's drape coefficient; the shadow of the polygon is scaled by the circle over it."""
    count = len(places)
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(places, places[1:] + places[:1])) / 2 * 2 * pi / (count * sin(2 * pi / count))
    return (area / pi - inner ** 2) / (outer ** 2 - inner ** 2)


def extrapolated(sizes, found):
    """From the last two, with errors of second order in the cells."""
    ratio = (sizes[-1] / sizes[-2]) ** 2
    return (ratio * found[-1] - found[-2]) / (ratio - 1)


def stiff(lab, name):
    """Sheets that sink the same all around: under a small load, one of a third of what folds need, and a thick one."""
    sizes, rows = lab.length((6, 12), (3, 6)), []
    plate = Annulus(INNER, OUTER, stretch(THIN), 1.0, POISSON)
    for claim, source, load, exact in (
            ("a small load", "Roark's Formulas for Stress and Strain, 7th ed., table 11.2, case 2l", 0.1,
             small(INNER, OUTER, 1.0, POISSON, 0.1 * unit(THIN))),
            ("0.4 of the load at which folds grow", "plate of Foeppl and von Karman, integrated", 12.0, plate.deflect(12 * unit(THIN))[-2])):
        found = [sunk(edge(lab, name, cells, THIN, load)) / exact for cells in sizes]
        limit = extrapolated(sizes, found)
        rows.append(Row(name, "sheet over a disk, %s: how far its edge sinks, over theory" % claim, source, "1 within 1 %, extrapolated; {:.4f} thicknesses".format(exact / THIN),
                        "%.4f, %.4f; extrapolated %.4f" % (*found, limit), abs(limit - 1) < 0.01, "%d and %d cells from the disk to the edge" % sizes))
    place, _ = drooped(INNER, OUTER, stretch(THICK), 1.0, POISSON, 28 * unit(THICK))
    exact = (place ** 2 - INNER ** 2) / (OUTER ** 2 - INNER ** 2)
    found = [coefficient(edge(lab, name, cells, THICK, 28.0)) for cells in sizes]
    limit = extrapolated(sizes, found)
    rows.append(Row(name, "drape coefficient of a thick sheet, whose edge sinks by 0.39 of its overhang", "shell of any rotation, the same around, integrated",
                    "%.4f within 0.002, extrapolated" % exact, "%.4f, %.4f; extrapolated %.4f" % (*found, limit), abs(limit - exact) < 0.002,
                    "%d and %d cells from the disk to the edge, thickness a sixth of it" % sizes))
    return rows


def wave(places):
    """Height of the folds at the edge."""
    return 2 / len(places) * sum(place[2] * cos(2 * pi * FOLDS * k / len(places)) for k, place in enumerate(places))


def fold(lab, name):
    """By how much a load makes the edge softer for small forces in FOLDS waves gives the load at which it has no stiffness: there the folds grow."""
    sizes, found = lab.length((6, 8), (4, 6)), []
    plate = Annulus(INNER, OUTER, stretch(THIN), 1.0, POISSON)
    loads = {m: plate.threshold(m, 10 * unit(THIN), 60 * unit(THIN)) / unit(THIN) for m in range(3, 8)}
    exact, flat = loads[FOLDS], plate.compliance(plate.deflect(1e-6 * unit(THIN)), FOLDS)
    for cells in sizes:
        softer = wave(edge(lab, name, cells, THIN, SHARE * exact, PUSH)) / wave(edge(lab, name, cells, THIN, 0.0, PUSH))
        low, high = 0.0, 0.999 * exact
        while high - low > 1e-4:
            middle = (low + high) / 2
            less = plate.compliance(plate.deflect(middle * unit(THIN)), FOLDS) < softer * flat
            low, high = (middle, high) if less else (low, middle)
        found.append(SHARE * exact ** 2 / low)
    limit = extrapolated(sizes, found)
    return [Row(name, "sheet over a disk: load at which it folds, times overhang^4 over rigidity and thickness",
                "plate of Foeppl and von Karman: %d folds need the least, the second variation of its energy vanishes" % min(loads, key=loads.get),
                "%.3f within 2 %%, extrapolated" % exact, "%.3f, %.3f; extrapolated %.3f" % (*found, limit), abs(limit / exact - 1) < 0.02,
                "softness at %g of that load; %d and %d cells from the disk to the edge" % (SHARE, *sizes))]


# m, kg, s: the disk and the cloth, its thickness, bending rigidity, stiffness along its threads, mass per area, and number of folds
RADII, COTTON, BENDING, TENSION, WEIGHT, WAVES = (0.09, 0.15), 0.0005, 1e-5, 300.0, 0.15, 8


def cloth(cells, until):
    """The cloth of examples/cusick-drape.yaml on a mesh of its own, pushed into WAVES folds for a short time."""
    size, turns = (RADII[1] - RADII[0]) / cells, 2 * WAVES * round(pi * (RADII[0] + RADII[1]) * cells / (RADII[1] - RADII[0]) / (2 * WAVES))
    edge, step = (cells + 1) * turns, turns // (2 * WAVES)
    pushes = ", ".join("{name: push%d, mesh: cloth, vertices: [%s], force: [0, 0, %r], ramp: [{time: 0, factor: 1}, {time: 0.2, factor: 0}]}" % (
        side, ", ".join(str(edge + k * step) for k in range(side, 2 * WAVES, 2)), 0.005 * (1 - 2 * side)) for side in (0, 1))
    thick = sqrt(12 * BENDING / TENSION)
    return """carom: 1
engine: variational
box: {size: [0.4, 0.4, 0.4], boundary: open}
species: {cloth: {diameter: 0.0005}}
meshes:
  - {name: cloth, shape: {revolution: {profile: [%s], around: %d}}, place: {at: [0.2, 0.2, 0.2]}, thickness: %r, density: %r,
     young: %r, poisson: 0, elastic_thickness: %r, fabric: {weft: %r, shear: %r, warp: [1, 0, 0]}}
drives: [{name: disk, mesh: cloth, vertices: {from: 0, to: %d}}]
loads: [%s]
fields: {gravity: [0, 0, -9.81]}
variational: {stiffness: 1, material_step: 1}
run: {until: {time: %r}}
""" % (", ".join("[%r, 0]" % (RADII[0] + (k - 1) * size) for k in range(cells + 2)), turns, COTTON, WEIGHT / COTTON, TENSION / thick, thick,
       TENSION / thick, TENSION / thick / 20, 2 * turns - 1, pushes, until), turns


def folded(lab, name):
    """No theory: folds this deep are compared on two meshes."""
    sizes, found, until = lab.length((6, 9), (4, 6)), [], 1.2
    for cells in sizes:
        text, turns = cloth(cells, until)

        def work(text=text, turns=turns):
            free = Carom(lab.build).settle(name, text, [until], 12.0, 0.01, lambda place: hypot(place[0] - 0.2, place[1] - 0.2) > RADII[0] + 1e-5)
            return {"edge": [[x - 0.2, y - 0.2, 0.2 - z] for x, y, z in next(free)[-turns:]]}
        places = lab.remember(name, {"scene": text}, work)["edge"]
        far = [hypot(x, y) for x, y, _ in places]
        found.append((coefficient(places, *RADII), sum(far[k - 1] < far[k] >= far[(k + 1) % turns] for k in range(turns))))
    return [Row(name, "drape coefficient of a woven cloth, bending length 1.9 cm, radius 15 cm over a disk of 9 cm, pushed into %d folds" % WAVES,
                "none: two meshes", "within 0.02 of each other, %d folds" % WAVES, ", ".join("%.3f (%d folds)" % pair for pair in found),
                abs(found[0][0] - found[1][0]) < 0.02 and all(count == WAVES for _, count in found), "%d and %d cells from the disk to the edge" % sizes)]


ROWS = {"drape-stiff": stiff, "drape-fold": fold, "drape-cloth": folded}
