"""Pair distribution function P(r) of the one cluster at the end, exact events beside time steps (figures 8 and 15)."""
import numpy as np

from .aggregates import COLOR, DAMPED, PACKINGS, PAPER, PAPERS, STEPS, cells, counts_of
from .aggregation_form import drops, falls
from .lab import COLORS, Report, plt

RADIUS = 0.2
DENSER = {0.1: (0.031, 0.015, 0.009), 0.2: (0.021, 0.011, 0.005), 0.3: (0.009, 0.006, 0.003)}  # DAHA, N = 10,000, 32 seeds, at cfl 1, 1/2, 1/4


def curves(found):
    """{case: (r / R, P with the particle itself: a row a seed)}."""
    return {case: (np.array(rows[0]["r"]) / RADIUS, np.array([row["pairs"] for row in rows])) for case, rows in found.items()}


def ratio(seen, n, p, way):
    """Mean P of TS over that of ED at each r, and its standard error."""
    r, exact = seen[n, p, "ED"]
    steps = seen[n, p, way][1]
    value = steps.mean(axis=0) / exact.mean(axis=0)
    spread = [s.std(axis=0, ddof=1) / s.mean(axis=0) / np.sqrt(len(s)) for s in (steps, exact)]
    return r, value, value * np.hypot(*spread)


def relative(values):
    return float(values.std(ddof=1) / values.mean())


def draw(seen, counts):
    figure, axes = plt.subplots(2, 3, figsize=(12, 7.2), layout="constrained", sharex=True)
    for k, p in enumerate(PACKINGS):
        for color, n in zip(COLORS, counts):
            r, exact = seen[n, p, "ED"]
            axes[0, k].plot(r, exact.mean(axis=0), color=color, label="$N$ = {:,}".format(n))
            axes[0, k].fill_between(r, *(exact.mean(axis=0) + s * exact.std(axis=0, ddof=1) for s in (-1, 1)), color=color, alpha=0.15, linewidth=0)
            axes[0, k].plot(r[::4], seen[n, p, "DAHA 1"][1].mean(axis=0)[::4], "o", color=color, markersize=3.5)
        axes[0, k].set(title="packing fraction %g" % p, ylim=(0, 150), ylabel="$P(r)$" if k == 0 else "")
        for way in (*DAMPED, *STEPS):
            r, value, deviation = ratio(seen, counts[-1], p, way)
            axes[1, k].plot(r, value, color=COLOR[way], linestyle="-" if way in DAMPED else ":", label="DAHA, cfl " + way[5:] if way in DAMPED else None)
            if way in DAMPED:
                axes[1, k].fill_between(r, value - deviation, value + deviation, color=COLOR[way], alpha=0.2, linewidth=0)
        axes[1, k].axhline(1, color="#555555", linewidth=0.8)
        axes[1, k].set(xlabel="$r/R$", ylim=(0.985, 1.045), ylabel="TS / ED, $N$ = {:,}".format(counts[-1]) if k == 0 else "")
    axes[0, 0].legend(title="line: ED (band: std), dots: DAHA, cfl 1", loc="upper left")
    axes[1, 0].plot([], [], ":", color="#777777", label="sor")
    axes[1, 0].legend(fontsize=7.5)
    return figure


def run(lab):
    found = cells(lab)
    if lab.only:
        return None
    seen, counts = curves(found), counts_of(found)
    report = Report("aggregation_pairs", "Pairs in an aggregate", "figures 8 and 15", lab, PAPER)
    window = seen[counts[0], 0.1, "ED"][0] >= 4
    denser = {(n, p, way): float(np.mean(ratio(seen, n, p, way)[1][window]) - 1) for n in counts for p in PACKINGS for way in (*DAMPED, *STEPS)}
    report.claim("TS produces slightly denser clusters than ED", "yes", "P(r) of TS over that of ED, mean of 4 R to 20 R, N = {:,}: ".format(
        counts[-1]) + "; ".join("%s: %s" % (name, "; ".join("%s (%g)" % (", ".join("%+.1f %%" % (100 * denser[counts[-1], p, way]) for way in ways), p)
                                                                             for p in PACKINGS)) for name, ways in (("DAHA", DAMPED), ("sor", STEPS))) +
        ", at cfl 1, 1/2, 1/4", all(
            abs(denser[counts[-1], p, way] - DENSER[p][k]) < 3 * float(np.mean(ratio(seen, counts[-1], p, way)[2][window])) if lab.full else
            0 < denser[counts[-1], p, way] < 0.05 for p in PACKINGS for k, way in enumerate(DAMPED)))
    worst = {p: max(abs(denser[n, p, way]) for n in counts[1:] for way in DAMPED) for p in PACKINGS}
    report.claim("agreement", "excellent", "DAHA, largest difference, N >= %d: " % counts[1] + ", ".join(
        "%.1f %% (%g)" % (100 * worst[p], p) for p in PACKINGS), None)  # no number to hold it to
    report.claim("TS is more accurate for denser systems", "yes", "DAHA at cfl 1, mean over N: " + ", ".join("%.1f %% (%g)" % (
        100 * np.mean([abs(denser[n, p, "DAHA 1"]) for n in counts]), p) for p in PACKINGS),
        np.mean([abs(denser[n, 0.3, "DAHA 1"]) for n in counts]) < np.mean([abs(denser[n, 0.1, "DAHA 1"]) for n in counts]))
    spread = [[relative(seen[n, p, "ED"][1][:, -1]) for n in counts] for p in PACKINGS]
    far = [[seen[n, p, "ED"][1][:, -1] for n in counts] for p in PACKINGS]
    steps = [drop for of in far for drop in drops(of, relative)]
    report.claim("the variability falls with N", "yes", "P(20 R), ED, deviation over mean at N = %s: " % ", ".join("{:,}".format(n) for n in counts) +
                 "; ".join("%s (%g)" % (", ".join("%.1f %%" % (100 * s) for s in of), p) for of, p in zip(spread, PACKINGS)) +
                 "; from each N to the next it falls by %.1f to %.1f standard errors of the difference" % (min(steps), max(steps)),
                 all(falls(of, relative) for of in far))
    shown = [5, 10, 20]
    report.table("P(r) with the particle itself: ED; DAHA at cfl 1, 1/2, 1/4; sor at cfl 1, 1/2, 1/4", ["N", "packing fraction"] + ["r = %d R" % r for r in shown],
                 [["{:,}".format(n), p] + [", ".join("%.2f" % seen[n, p, way][1].mean(axis=0)[np.argmin(abs(seen[n, p, way][0] - r))] for way in PAPERS)
                                           for r in shown] for p in PACKINGS for n in counts])
    report.notes += ["P(r) counts the particle itself, as the paper prints it: it is 1 at r < 2 R. %d seeds a case, the same for both methods." % len(found[counts[0], 0.2, "ED"])]
    report.columns = ["count", "packing_fraction", "way", "r_over_radius", "mean", "std"]
    report.rows = [[n, p, way, "%.3g" % x, "%.4f" % s[:, k].mean(), "%.4f" % s[:, k].std(ddof=1)]
                   for (n, p, way), (r, s) in seen.items() for k, x in enumerate(r)]
    report.figure = draw(seen, counts)
    return report
