"""Fractal dimension by box counting: first of shapes whose dimension is known (figure 9), then of the one cluster at the end,
exact events beside time steps (figures 10, 11, 16 and 17)."""
import os

import numpy as np

from .aggregates import COLOR, DAMPED, LABEL, MARK, PACKINGS, PAPER, PAPERS, STEPS, Run, cells, counts_of, error, plus_minus, values
from .lab import COLORS, Report, plt

SIDE, RADIUS = 120.0, 0.2
SIERPINSKI = float(np.log2(3))
EXPECTED = {"three lines": 1.0, "square lattice": 2.0, "Sierpinski triangle": SIERPINSKI, "equilateral triangle": SIERPINSKI,
            "900 of the right triangle": SIERPINSKI, "900 of the equilateral triangle": SIERPINSKI}
LATTICES = (10, 20, 30, 60, 100, 200, 300)  # on a side, measured; the same by counting, and larger ones
LARGER = (500, 1000, 3000, 10000, 100000, 1000000)
REST = """carom: 1
engine: hard
dimension: 2
seed: 1
box: {{size: [{side!r}, {side!r}], boundary: wall}}
species: {{g: {{radius: {radius!r}, mass: 1}}}}
particles: [{{species: g, place: {{file: {path}}}, velocity: zero}}]
run: {{until: {{time: 1}}}}
"""


def figures():
    """The shapes of figure 9, and the triangle of right angles that fits the grids."""
    line = RADIUS * (1 + 2 * np.arange(300))
    row = SIDE / 2 + RADIUS * (2 * np.arange(30) - 29)
    right, fine = (SIDE / m * (np.array([(i, j) for i in range(m) for j in range(m) if i & j == 0], dtype=float) + 0.5) for m in (64, 128))
    some = np.sort(np.random.default_rng(9).permutation(len(fine))[:900])
    return {"three lines": np.array([(x, y) for y in (20.0, 60.0, 100.0) for x in line]),
            "square lattice": np.array([(x, y) for y in row for x in row]), "Sierpinski triangle": right, "equilateral triangle": equilateral(right),
            "900 of the right triangle": fine[some], "900 of the equilateral triangle": equilateral(fine[some])}


def equilateral(right):
    return np.stack([right[:, 0] + right[:, 1] / 2, right[:, 1] * np.sqrt(0.75)], axis=1)


def fitted(side, boxes, radius):
    """The estimator's rule (docs/shape.md) on numbers of boxes at side / 2^m: 3 R to L/2 without the plateaus at its ends."""
    last = max(m for m in range(len(boxes)) if side / 2**m >= 3 * radius * (1 - 1e-12))
    level = [boxes[m] == boxes[m - 1] or (m + 1 < len(boxes) and boxes[m] == boxes[m + 1]) for m in range(last + 1)]
    first = 1
    while first <= last and level[first]:
        first += 1
    while last >= first and level[last]:
        last -= 1
    return float(np.polyfit(np.arange(first, last + 1), np.log2(np.array(boxes[first: last + 1], dtype=float)), 1)[0])


def counted(places, side=SIDE):
    """The dimension by counting in Python, beside the command's."""
    return fitted(side, [len(np.unique(np.floor(places / side * 2**m), axis=0)) for m in range(11)], RADIUS)


def lattice_row(n):
    """Coordinates of a row of n discs that touch, in the middle of a box of L = 4 n, which is 10 times as long, as in figure 9."""
    return 2.0 * n + RADIUS * (2 * np.arange(n) - (n - 1))


def exact_lattice(n):
    """The same for n x n discs: the boxes that hold a centre are the square of those along one side, counted in whole numbers (of R)."""
    at, length, boxes = 10 * n + 2 * np.arange(n) - (n - 1), 20 * n, []
    while length / 2 ** len(boxes) >= 1:
        boxes.append(len(np.unique(at * 2 ** len(boxes) // length)) ** 2)
    return fitted(length, boxes, 1)


def check(lab, name, places, side=SIDE):
    def work():
        path = os.path.join(lab.cache, "aggregation-%d.xyz" % os.getpid())
        with open(path, "w") as file:
            file.write("%d\nProperties=species:S:1:pos:R:2\n" % len(places))
            file.writelines("g %.17g %.17g\n" % tuple(x) for x in places)
        with Run(lab, REST.format(side=float(side), radius=RADIUS, path=path), 1) as run:
            os.remove(path)
            return run.shape("--cluster", "together")["clusters"][0]["boxes"]
    return lab.remember("aggregation-check-" + name.replace(" ", "_"), {"shape": name, "places": np.asarray(places).tolist()}, work)


def window(boxes):
    return ((np.array(boxes["side"]) >= boxes["from"] * 0.999) & (np.array(boxes["side"]) <= boxes["to"] * 1.001))


def draw(shapes, checks, lattices, found, counts):
    figure = plt.figure(figsize=(12, 13.4), layout="constrained")
    grid = figure.add_gridspec(4, 6, height_ratios=[1, 0.8, 1.1, 1.1])
    for k, name in enumerate(list(EXPECTED)[:3]):
        ax = figure.add_subplot(grid[0, 2 * k: 2 * k + 2])
        ax.plot(*shapes[name].T, ".", markersize=1.5, color=COLORS[k])
        ax.set(xlim=(0, SIDE), ylim=(0, SIDE), aspect="equal", title=name, xticks=(0, 60, 120), yticks=(0, 60, 120))
        ax, boxes = figure.add_subplot(grid[1, 2 * k: 2 * k + 2]), checks[name]
        side, number, inside = np.array(boxes["side"]), np.array(boxes["number"]), window(boxes)
        ax.plot(side, number, "o", color=COLORS[k], markerfacecolor="none")
        ax.plot(side[inside], number[inside], "o", color=COLORS[k])
        ax.plot(side[inside], np.exp(boxes["log_prefactor"]) * side[inside] ** -boxes["dimension"], color="#555555", linewidth=1)
        ax.set(xscale="log", yscale="log", xlabel="$\\varepsilon$", ylabel="boxes", title="$D_f$ = %.3f (expected %.3f)" % (boxes["dimension"], EXPECTED[name]))
    for k, p in enumerate(PACKINGS):
        ax = figure.add_subplot(grid[2, 2 * k: 2 * k + 2])
        for color, n in zip(COLORS, counts):
            rows = found[n, p, "ED"]
            side = np.array(rows[0]["side"]) / RADIUS
            ax.plot(side, np.mean([row["boxes"] for row in rows], axis=0), color=color, label="{:,}".format(n))
            ax.plot(side, np.mean([row["boxes"] for row in found[n, p, "DAHA 1"]], axis=0), "o", color=color, markersize=3.5)
        ax.axvline(3, color="#999999", linewidth=0.8, linestyle="--")
        ax.set(xscale="log", yscale="log", xlabel="$\\varepsilon/R$", ylabel="boxes" if k == 0 else "", title="packing fraction %g" % p)
        if k == 0:
            ax.legend(title="$N$; line: ED, dots: DAHA, cfl 1")
    left, right, full = (figure.add_subplot(grid[3, 2 * k: 2 * k + 2]) for k in range(3))
    many = np.array([*LATTICES, *LARGER], dtype=float) ** 2
    full.plot(many, [exact_lattice(n) for n in (*LATTICES, *LARGER)], color="#777777", label="counted in whole numbers")
    full.plot(np.array(list(lattices)) ** 2, list(lattices.values()), "o", color=COLORS[1], label="`carom shape`")
    full.axhline(2, color="#999999", linewidth=0.8, linestyle="--")
    full.set(xscale="log", xlabel="$N$", ylabel="$D_f$ (box counting)", title="full square lattice, $L$ = 10 sides")
    full.legend(loc="lower right")
    for line, p in zip((":", "-", "--"), PACKINGS):
        for way in PAPERS:
            seen = [values(found[n, p, way], "box_dimension") for n in counts]
            left.errorbar(counts, [s.mean() for s in seen], [error(s) for s in seen], fmt=line, marker=MARK[way], color=COLOR[way], linewidth=1, markersize=4,
                          markerfacecolor="white" if way in STEPS else None)
    for way in (*DAMPED, *STEPS):
        for line, p in zip((":", "-", "--"), PACKINGS):
            right.plot(counts, [100 * abs(shift(found, n, p, way)) for n in counts], line, marker=MARK[way], color=COLOR[way], linewidth=1,
                       markerfacecolor="white" if way in STEPS else None)
    for line, p in zip((":", "-", "--"), PACKINGS):
        left.plot([], [], line, color="#555555", label="packing fraction %g" % p)
    for way in PAPERS:
        left.plot([], [], MARK[way], color=COLOR[way], label=LABEL[way], markerfacecolor="white" if way in STEPS else None)
    left.legend(ncols=2, fontsize=7)
    left.set(xscale="log", xlabel="$N$", ylabel="$D_f$ (box counting)", title="fractal dimension")
    right.set(xscale="log", xlabel="$N$", ylabel="relative difference TS - ED / %", title="difference of the methods")
    return figure


def shift(found, n, p, way):
    return float(values(found[n, p, way], "box_dimension").mean() / values(found[n, p, "ED"], "box_dimension").mean() - 1)


def difference(report, name, found, off):
    noise = np.mean([error(s) / s.mean() for s in (values(rows, "box_dimension") for rows in found.values())])
    report.claim("average difference of D_f, %s to ED" % name, "less than 3 %", "%.2f %% over N, packing fraction and cfl; noise: the means have standard errors of "
                 "%.2f %% on average" % (100 * np.mean(list(off.values())), 100 * noise), np.mean(list(off.values())) < 0.03)
    worst = max(off, key=off.get)
    report.claim("largest difference, %s" % name, "about 5 %, N = 100, packing fraction 0.1", "%.1f %%, N = %s, packing fraction %g, cfl %s" % (
        100 * off[worst], "{:,}".format(worst[0]), worst[1], worst[2].split()[1]), off[worst] < 0.05 and worst[0] == min(n for n, _, _ in found))


def run(lab):
    found = cells(lab)
    if lab.only:
        return None
    counts, shapes = counts_of(found), figures()
    checks = {name: check(lab, name, places) for name, places in shapes.items()}
    report = Report("aggregation_boxes", "Box-counting dimension of an aggregate", "figures 9, 10, 11, 16 and 17", lab, PAPER)
    lattices = {n: check(lab, "lattice-%d" % n, np.array([(x, y) for y in lattice_row(n) for x in lattice_row(n)]), 4 * n)["dimension"]
                for n in (LATTICES if lab.full else LATTICES[:5])}
    for name, wanted in EXPECTED.items():
        by_hand = counted(shapes[name])
        report.claim("figure 9: %s, N = %d" % (name, len(shapes[name])), "%.3f for the infinite set" % wanted, "%.3f ± %.3f (%d grids, %.3g to %.3g); %.3f by another "
                     "program that counts boxes" % (*(checks[name][key] for key in ("dimension", "error", "points", "from", "to")), by_hand),
                     abs(checks[name]["dimension"] - by_hand) < 1e-9)
    report.claim("a full lattice has dimension 2", "2", "%.3f for 900 points is exact: along a side the grids of 3.75, 1.875, 0.9375 have 4, 8, 14 boxes, as the last is filled to its "
                 "edges and the others are not, so D = 2 - log2(16/14). " % exact_lattice(30) + "; ".join("%.3f (N = %s)" % (exact_lattice(n), "{:,}".format(n * n)) for n in (100, 1000, *LARGER[-2:])) +
                 ": it comes to 2 as one over the square of the number of grids, the weight of an end in a slope. `carom shape` gives the same to %.0e" % max(abs(d - exact_lattice(n)) for n, d in lattices.items()),
                 all(abs(d - exact_lattice(n)) < 1e-9 for n, d in lattices.items()) and exact_lattice(30) < exact_lattice(1000) < exact_lattice(1000000) < 2)
    for name, ways in (("sor", STEPS), ("DAHA", DAMPED)):
        off = {case: abs(shift(found, *case)) for case in found if case[2] in ways}
        difference(report, name, found, off)
    slopes = {p: local(found[counts[-1], p, "ED"]) for p in PACKINGS}
    report.claim("a fractal has one slope", "a fit from 3 R to L/2", "N = {:,}, ED: ".format(counts[-1]) + "; ".join(
        "local slopes from %.2f (fine) to %.2f (coarse) at %g" % (min(of), max(of), p) for p, of in slopes.items()) +
        ": the cluster fills the box from afar, so D_f is a mean between a branched aggregate and 2", None)
    report.table("D_f, mean ± standard error", ["N", "packing fraction", *PAPERS], [
        ["{:,}".format(n), p] + [plus_minus(values(found[n, p, way], "box_dimension")) for way in PAPERS] for p in PACKINGS for n in counts])
    report.notes += ["%d seeds a case, the same for both methods. One fit a run (3 R <= e <= L/2, plateaus cut), then the mean; the paper's windows are the same." % len(
        found[counts[0], 0.2, "ED"]),
        "The Sierpinski triangle is drawn with its right angle in a corner, so that it fits the grids; the equilateral one of the paper does not. Both have "
        "729 particles, since no generation has the paper's 900; 900 of the 2,187 of the next, drawn at random, are beside them: thinned, they miss boxes of the finest grid.",
        "Lattices of N discs that touch lie in the middle of a box 10 times as long, as in figure 9. The deficit comes from the ends of the range: a few coarse grids that the edge of the lattice "
        "does not fit, whose weight falls as more grids fit in between. A lattice of 2^k on a side that fills its box has 2.000 at any N (docs/shape.md)."]
    report.columns = ["count", "packing_fraction", "way", "side", "boxes_mean", "box_dimension_mean", "box_dimension_std"]
    for (n, p, way), rows in found.items():
        s, boxes = values(rows, "box_dimension"), np.mean([row["boxes"] for row in rows], axis=0)
        report.rows += [[n, p, way, "%.6g" % side, "%.3f" % number, "%.5f" % s.mean(), "%.5f" % s.std(ddof=1)] for side, number in zip(rows[0]["side"], boxes)]
    report.figure = draw(shapes, checks, lattices, found, counts)
    return report


def local(rows):
    """Slopes between neighbouring grids of the mean curve, from 3 R to L/2."""
    side, number = np.array(rows[0]["side"]), np.mean([row["boxes"] for row in rows], axis=0)
    inside = (side >= 3 * RADIUS) & (side <= 1.001 * side[0] / 2)
    return np.diff(np.log2(number[inside])).tolist()
