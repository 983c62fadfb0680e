"""Processor time to one cluster against N: exact events, the all-pairs method of the paper, and time steps (timing section)."""
import os

import numpy as np

from .aggregates import COLOR, MARK, PAPER, STEPS, WAYS, Run, scene, slope
from .lab import COLORS, Report, plt

COUNTS = (100, 400, 2500, 10000)
LARGE = {"ED": {40000: 11, 99856: 11, 250000: 3, 1000000: 3}, "TS 1/2": {40000: 11, 99856: 5, 250000: 2, 1000000: 1}}  # seeds
WAY = {**WAYS, "reference": ["aggregation.reference=true"],
       **{solver + " 1/2": WAYS["TS 1/2"] + ["aggregation.steps.solver=" + solver] for solver in ("newton", "daha")}}
TINTS = dict(COLOR, reference=COLORS[3])


def plan(lab):
    """(way, packing fraction) and how many seeds at each N."""
    small = {n: 11 for n in COUNTS[:4]}
    some = {**small, 40000: 5}
    exact, steps, pairs = {**small, **LARGE["ED"]}, {**small, **LARGE["TS 1/2"]}, {100: 11, 400: 11, 900: 3, 1600: 1}
    if lab.size is not None:
        exact = steps = some = small = pairs = {100: lab.size, 400: lab.size}
    elif lab.quick:
        exact = steps = some = small = {n: 3 for n in COUNTS[:4]}
        pairs = {100: 3, 400: 3}
    cases = {("ED", 0.2): exact, ("TS 1/2", 0.2): steps, ("reference", 0.2): pairs}
    cases.update({(way, p): some for p in (0.1, 0.3) for way in ("ED", "TS 1/2")})
    cases.update({(way, 0.2): some for way in ("TS 1", "TS 1/4", "rigid 1/2", "daha 1/2", "newton 1/2")})
    cases[("ED", 0.001)] = small
    return cases


def timed(lab, way, packing, count, seeds):
    def work():
        rows = []
        for seed in range(1, seeds + 1):
            load = os.getloadavg()[0]
            with Run(lab, text, seed, WAY[way]) as run:
                s = run.summary
                rows.append({"cpu": s["cpu_s"], "wall": s["wall_s"], "time": s["time"], "rss": s["peak_rss_bytes"], "stop": s["stop"],
                             "steps": s.get("steps", {}).get("count"), "load": load, "stalls": s.get("steps", {}).get("stalls", 0)})
        return rows
    text = scene(count, packing)
    name = "aggregation-cost-%s-%g-%d" % (way.replace(" ", "_").replace("/", "_"), packing, count)
    return lab.remember(name, {"scene": text, "sets": WAY[way], "seeds": seeds}, work)


def median(rows, key="cpu"):
    return float(np.median([row[key] for row in rows]))


def power_of(found, way, p, least, most=10**9):
    points = [(n, median(rows)) for (w, q, n), rows in found.items() if w == way and q == p and least <= n <= most]
    return slope(*zip(*points)) if len(points) > 2 else (float("nan"), float("nan"))


def draw(found, cases):
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
    for way, p in cases:
        points = [(n, median(rows)) for (w, q, n), rows in found.items() if w == way and q == p]
        if p == 0.2 and way in ("ED", "reference", *STEPS, "rigid 1/2"):
            label = {"ED": "ED", "reference": "ED, all pairs (the paper's)"}.get(way, way.replace("TS", "TS, cfl").replace("rigid", "TS rigid, cfl"))
            left.plot(*zip(*points), marker=MARK.get(way, "v"), color=TINTS[way], label=label, linestyle="--" if "rigid" in way else "-")
        if way in ("ED", "TS 1/2") and p > 0.01 or p == 0.001:
            right.plot(*zip(*points), marker=MARK[way], color={0.001: COLORS[4], 0.1: COLORS[0], 0.2: COLORS[1], 0.3: COLORS[2]}[p],
                       linestyle="-" if way == "ED" else "--", label="%s, %g" % (way.replace("TS", "TS cfl"), p))
    x = np.array([1e4, 1e6])
    for z, y, text in ((1.0, 0.012, "$N$"), (1.3, 0.5, "$N^{1.3}$")):
        left.plot(x, y * (x / 1e4) ** z, color="#999999", linewidth=1, linestyle=":")
        left.text(1.1e6, y * 100**z, text, color="#777777", va="center")
    for ax, title in ((left, "packing fraction 0.2"), (right, "packing fractions")):
        ax.set(xscale="log", yscale="log", xlabel="$N$", ylabel="processor time to one cluster / s (median)", title=title)
        ax.legend()
    return figure


def tail(found, way, top):
    """The exponent of large systems."""
    return ", %.2f (0.2) from 10,000 to %s" % (power_of(found, way, 0.2, 10000)[0], "{:,}".format(top)) if top > 100000 else ""


def claims(report, found, top):
    first = min(n for _, _, n in found)
    steps = {p: power_of(found, "TS 1/2", p, 400) for p in (0.1, 0.2, 0.3)}
    report.claim("TS grows as N to the power of", "1.2 to 1.3, depending on the packing fraction", ", ".join(
        "%.2f ± %.2f (%g)" % (*steps[p], p) for p in steps) + " from N = 400, mean %.2f ± %.2f, cfl 1/2" % mean_of(steps.values()) + tail(found, "TS 1/2", top),
        all(1.2 - 3 * e <= z <= 1.3 + 3 * e for z, e in (*steps.values(), mean_of(steps.values()))))
    exact = {p: power_of(found, "ED", p, 400) for p in (0.1, 0.2, 0.3)}
    report.claim("ED is quadratic, and given up beyond N = 10,000", "yes (all pairs at each event)", "not by itself: %s for N from 400 to %s%s; all pairs: %.1f" % (
        ", ".join("%.2f ± %.2f (%g)" % (*exact[p], p) for p in exact), "{:,}".format(top), tail(found, "ED", top), power_of(found, "reference", 0.2, first)[0]),
        all(z > 1.8 for z, _ in exact.values()))
    both = [n for (w, p, n) in found if w == "ED" and p == 0.2]
    wins = {n: median(found["TS 1/2", 0.2, n]) / median(found["ED", 0.2, n]) for n in both if ("TS 1/2", 0.2, n) in found}
    report.claim("TS outperforms ED when N becomes large", "yes", "time of TS (cfl 1/2) over ED: " + ", ".join(
        "%.1f (%s)" % (r, "{:,}".format(n)) for n, r in wins.items()), wins[max(wins)] < 1)
    slow = [(n, median(found["TS 1/2", 0.2, n]), median(rows)) for (w, p, n), rows in found.items() if w == "reference" and n in wins]
    if slow:
        report.claim("TS outperforms the paper's ED (all pairs)", "yes", "all pairs over TS: " + ", ".join(
            "%.1f (%s)" % (r / t, "{:,}".format(n)) for n, t, r in slow), slow[-1][2] > slow[-1][1])
    middle = max(n for w, p, n in found if w == "TS 1" and p == 0.2)
    base = median(found["TS 1/2", 0.2, middle])
    report.claim("other steps and solvers", "daha is fast", "time over that of sor, flexible, cfl 1/2, at N = {:,}: ".format(middle) + ", ".join(
        "%.2f (%s)" % (median(found[way, 0.2, middle]) / base, way.replace("TS", "cfl").replace(" 1/2", ""))
        for way in ("TS 1", "TS 1/4", "rigid 1/2", "newton 1/2", "daha 1/2")), None)


def mean_of(found):
    """The mean of (value, error), weighted, and its error."""
    weight = sum(e**-2 for _, e in found)
    return sum(z * e**-2 for z, e in found) / weight, weight**-0.5


def run(lab):
    cases = plan(lab)
    found = {(way, p, n): timed(lab, way, p, n, seeds) for (way, p), of in cases.items() for n, seeds in of.items()
             if lab.selects("%s-%g-%d" % (way, p, n))}
    if lab.only:
        return None
    top = max(n for w, _, n in found if w == "ED")
    report = Report("aggregation_cost", "Time of computation", "timing section, which is missing from our copy", lab, PAPER)
    claims(report, found, top)
    report.table("Processor time to one cluster in seconds: median (quartiles)", ["way", "packing fraction", "N", "seeds", "processor time", "simulated time (median)",
                                                                                  "steps (median)"],
                 [[way, p, "{:,}".format(n), len(rows), "%.3g (%.3g to %.3g)" % tuple(np.percentile([r["cpu"] for r in rows], [50, 25, 75])),
                   "%.3g" % median(rows, "time"), "%.0f" % median(rows, "steps") if rows[0]["steps"] is not None else "-"]
                  for (way, p, n), rows in found.items()])
    loads = [row["load"] for rows in found.values() for row in rows]
    report.notes += ["One core, `nice`; processor time of the run without setting up. The machine was not quiet: its load was %.0f in the median (%.0f to %.0f). "
                     "Busy neighbours slow large systems, which live in memory, more than small ones." % (np.median(loads), min(loads), max(loads)),
                     "The time to one cluster has a heavy tail, so all numbers are medians. Exponents are least squares of the medians.",
                     "All pairs: `aggregation.reference: true`, a scan of all pairs at each event, as in the paper's appendix A."]
    if top >= 1000000:  # below that it is what Python had when it started the run
        report.notes.append("Peak memory at N = {:,}: {:.0f} bytes a particle (ED), {:.0f} (TS), with the frames.".format(
            top, *(median(found[way, 0.2, top], "rss") / top for way in ("ED", "TS 1/2"))))
    stalls = sum(row["stalls"] for rows in found.values() for row in rows)
    report.notes.append("Solvers stalled %d times in all these runs." % stalls)
    report.columns = ["way", "packing_fraction", "count", "seed", "cpu_s", "wall_s", "simulated_time", "steps", "load"]
    report.rows = [[way, p, n, k + 1, "%.4g" % r["cpu"], "%.4g" % r["wall"], "%.6g" % r["time"], r["steps"], "%.1f" % r["load"]]
                   for (way, p, n), rows in found.items() for k, r in enumerate(rows)]
    report.figure = draw(found, cases)
    return report
