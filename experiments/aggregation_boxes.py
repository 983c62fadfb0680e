"""Fractal dimension by box counting: first of shapes whose dimension is known (figure 9), then of the one cluster at the end,
exact events beside time steps (figures 10, 11, 16 and 17)."""
import os

import numpy as np

from .aggregates import COLOR, MARK, PACKINGS, PAPER, PAPERS, STEPS, Run, cells, counts_of, error, plus_minus, values
from .lab import COLORS, Report, plt

SIDE, RADIUS = 120.0, 0.2
EXPECTED = {"three lines": 1.0, "square lattice": 2.0, "Sierpinski triangle": float(np.log2(3)), "equilateral triangle": float(np.log2(3))}
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
    cells = np.array([(i, j) for i in range(64) for j in range(64) if i & j == 0], dtype=float) + 0.5
    right = cells * SIDE / 64
    equal = np.stack([right[:, 0] + right[:, 1] / 2, right[:, 1] * np.sqrt(0.75)], axis=1)
    return {"three lines": np.array([(x, y) for y in (20.0, 60.0, 100.0) for x in line]),
            "square lattice": np.array([(x, y) for y in row for x in row]), "Sierpinski triangle": right, "equilateral triangle": equal}


def check(lab, name, places):
    def work():
        path = os.path.join(lab.cache, "aggregation-%d.xyz" % os.getpid())
        with open(path, "w") as file:
            file.write("%d\nProperties=species:S:1:pos:R:2\n" % len(places))
            file.writelines("g %.17g %.17g\n" % tuple(x) for x in places)
        with Run(lab, REST.format(side=SIDE, radius=RADIUS, path=path), 1) as run:
            os.remove(path)
            return run.shape("--cluster", "together")["clusters"][0]["boxes"]
    return lab.remember("aggregation-check-" + name.replace(" ", "_"), {"shape": name, "places": np.asarray(places).tolist()}, work)


def window(boxes):
    return ((np.array(boxes["side"]) >= boxes["from"] * 0.999) & (np.array(boxes["side"]) <= boxes["to"] * 1.001))


def draw(shapes, checks, found, counts):
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
            ax.plot(side, np.mean([row["boxes"] for row in found[n, p, "TS 1"]], axis=0), "o", color=color, markersize=3.5)
        ax.axvline(3, color="#999999", linewidth=0.8, linestyle="--")
        ax.set(xscale="log", yscale="log", xlabel="$\\varepsilon/R$", ylabel="boxes" if k == 0 else "", title="packing fraction %g" % p)
        if k == 0:
            ax.legend(title="$N$; line: ED, dots: TS, cfl 1")
    left, right = figure.add_subplot(grid[3, :3]), figure.add_subplot(grid[3, 3:])
    for line, p in zip((":", "-", "--"), PACKINGS):
        for way in PAPERS:
            seen = [values(found[n, p, way], "box_dimension") for n in counts]
            left.errorbar(counts, [s.mean() for s in seen], [error(s) for s in seen], fmt=line, marker=MARK[way], color=COLOR[way], linewidth=1, markersize=4)
    for way in STEPS:
        for line, p in zip((":", "-", "--"), PACKINGS):
            right.plot(counts, [100 * abs(shift(found, n, p, way)) for n in counts], line, marker=MARK[way], color=COLOR[way], linewidth=1)
    for line, p in zip((":", "-", "--"), PACKINGS):
        left.plot([], [], line, color="#555555", label="packing fraction %g" % p)
    for way in PAPERS:
        left.plot([], [], MARK[way], color=COLOR[way], label="ED" if way == "ED" else "TS, cfl " + way[3:])
    left.legend(ncols=2)
    left.set(xscale="log", xlabel="$N$", ylabel="$D_f$ (box counting)", title="fractal dimension")
    right.set(xscale="log", xlabel="$N$", ylabel="relative difference TS - ED / %", title="difference of the methods")
    return figure


def shift(found, n, p, way):
    return float(values(found[n, p, way], "box_dimension").mean() / values(found[n, p, "ED"], "box_dimension").mean() - 1)


def run(lab):
    found = cells(lab)
    if lab.only:
        return None
    counts, shapes = counts_of(found), figures()
    checks = {name: check(lab, name, places) for name, places in shapes.items()}
    report = Report("aggregation_boxes", "Box-counting dimension of an aggregate", "figures 9, 10, 11, 16 and 17", lab, PAPER)
    for name, wanted in EXPECTED.items():
        report.claim("figure 9: " + name, "%.3f" % wanted, "%.3f ± %.3f (%d points, %.3g to %.3g)" % tuple(
            checks[name][key] for key in ("dimension", "error", "points", "from", "to")), abs(checks[name]["dimension"] - wanted) < 0.1)
    off = {case: abs(shift(found, *case)) for case in found if case[2] in STEPS}
    report.claim("average difference of D_f, TS to ED", "less than 3 %", "%.2f %% over N, packing fraction and cfl; noise: the means have standard errors of "
                 "%.2f %% on average" % (100 * np.mean(list(off.values())), 100 * np.mean([error(s) / s.mean() for s in (
                     values(rows, "box_dimension") for rows in found.values())])), np.mean(list(off.values())) < 0.03)
    worst = max(off, key=off.get)
    report.claim("largest difference", "about 5 %, N = 100, packing fraction 0.1", "%.1f %%, N = %s, packing fraction %g, cfl %s" % (
        100 * off[worst], "{:,}".format(worst[0]), worst[1], worst[2][3:]), off[worst] < 0.06)
    slopes = {p: local(found[counts[-1], p, "ED"]) for p in PACKINGS}
    report.claim("a fractal has one slope", "a fit from 3 R to L/2", "N = {:,}, ED: ".format(counts[-1]) + "; ".join(
        "local slopes from %.2f (fine) to %.2f (coarse) at %g" % (min(of), max(of), p) for p, of in slopes.items()) +
        ": the cluster fills the box from afar, so D_f is a mean between a branched aggregate and 2", None)
    report.table("D_f, mean ± standard error", ["N", "packing fraction", *PAPERS], [
        ["{:,}".format(n), p] + [plus_minus(values(found[n, p, way], "box_dimension")) for way in PAPERS] for p in PACKINGS for n in counts])
    report.notes += ["%d seeds a case, the same for both methods. One fit a run (3 R <= e <= L/2, plateaus cut), then the mean; the paper's windows are the same." % len(
        found[counts[0], 0.2, "ED"]),
        "The Sierpinski triangle is drawn with its right angle in a corner, so that it fits the grids; the equilateral one of the paper does not. Both have "
        "729 particles (the paper: 900, which no generation has). The lattice is 12 on a side: boxes of 15 and 7.5 do not fit it."]
    report.columns = ["count", "packing_fraction", "way", "side", "boxes_mean", "box_dimension_mean", "box_dimension_std"]
    for (n, p, way), rows in found.items():
        s, boxes = values(rows, "box_dimension"), np.mean([row["boxes"] for row in rows], axis=0)
        report.rows += [[n, p, way, "%.6g" % side, "%.3f" % number, "%.5f" % s.mean(), "%.5f" % s.std(ddof=1)] for side, number in zip(rows[0]["side"], boxes)]
    report.figure = draw(shapes, checks, found, counts)
    return report


def local(rows):
    """Slopes between neighbouring grids of the mean curve, from 3 R to L/2."""
    side, number = np.array(rows[0]["side"]), np.mean([row["boxes"] for row in rows], axis=0)
    inside = (side >= 3 * RADIUS) & (side <= 1.001 * side[0] / 2)
    return np.diff(np.log2(number[inside])).tolist()
