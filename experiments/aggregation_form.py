"""Aspect ratio and orientation of the one cluster at the end, exact events beside time steps (figures 13 and 14)."""
import numpy as np

from .aggregates import COLOR, DAMPED, LABEL, MARK, PACKINGS, PAPER, PAPERS, STEPS, apart, cells, counts_of, values
from .lab import Report, plt


def order(angles, turns):
    """How much directions in degrees agree after multiplying them by `turns` (0: not at all, 1: all): 2 for axes, 4 for axes of a
    square. And the chance to be that orderly where there is none (Rayleigh)."""
    r = float(abs(np.mean(np.exp(1j * turns * np.radians(angles)))))
    return r, float(np.exp(-len(angles) * r * r))


def fourfold(angles):
    """The direction, from 0 to 45 degrees from a side of the square, that a fourfold order prefers."""
    return abs(float(np.degrees(np.angle(np.mean(np.exp(4j * np.radians(angles))))))) / 4


def drops(samples, of):
    """How far a statistic falls from each sample to the next, in standard errors of the difference, by drawing anew from each."""
    draws = np.random.default_rng(0)
    error = [np.std([of(draws.choice(s, len(s))) for _ in range(400)], ddof=1) for s in samples]
    return [float((of(a) - of(b)) / np.hypot(ea, eb)) for a, b, ea, eb in zip(samples, samples[1:], error, error[1:])]


def falls(samples, of):
    """Does it rise nowhere beyond 3 standard errors, and fall beyond them from first to last?"""
    return min(drops(samples, of)) > -3 and drops([samples[0], samples[-1]], of)[0] > 3


def deviation(values):
    return values.std(ddof=1)


def between(ratio, counts, of):
    steps = [drop for p in PACKINGS for drop in drops([ratio[n, p, "ED"] for n in counts], of)]
    return "from each N to the next it falls by %.1f to %.1f standard errors of the difference" % (min(steps), max(steps))


def draw(found, counts):
    figure, axes = plt.subplots(2, 3, figsize=(12, 7), layout="constrained")
    for k, p in enumerate(PACKINGS):
        for j, way in enumerate(PAPERS):
            seen = [(n * 1.07 ** (j - 3), values(found[n, p, way], "aspect_ratio")) for n in counts]
            axes[0, k].errorbar([n for n, _ in seen], [np.median(s) for _, s in seen], np.abs([np.percentile(s, [25, 75]) - np.median(s) for _, s in seen]).T,
                                fmt=MARK[way], color=COLOR[way], capsize=2, label=LABEL[way],
                                markerfacecolor="white" if way in STEPS else None)
            for n in counts:
                angle = values(found[n, p, way], "orientation")
                axes[1, k].plot(np.full(len(angle), n * 1.1 ** (j - 3)), angle, "_", color=COLOR[way], markersize=6, alpha=0.6)
        axes[0, k].set(xscale="log", title="packing fraction %g" % p, yscale="log", ylim=(0.95, 8), yticks=(1, 1.5, 2, 3, 4, 6), yticklabels=("1", "1.5", "2", "3", "4", "6"), ylabel="aspect ratio $\\lambda_1/\\lambda_2$" if k == 0 else "")
        axes[0, k].yaxis.set_minor_locator(plt.NullLocator())
        axes[1, k].set(xscale="log", xlabel="$N$", ylim=(0, 180), yticks=range(0, 181, 45), ylabel="orientation / degrees" if k == 0 else "")
    axes[0, 2].legend(title="median, quartiles")
    return figure


def run(lab):
    found = cells(lab)
    if lab.only:
        return None
    counts = counts_of(found)
    ratio = {case: values(rows, "aspect_ratio") for case, rows in found.items()}
    report = Report("aggregation_form", "Form of an aggregate", "figures 13 and 14", lab, PAPER)
    spread = [[ratio[n, p, "ED"].std(ddof=1) for n in counts] for p in PACKINGS]
    report.claim("variance falls monotonically with N", "yes", "standard deviation, ED: " + "; ".join("%s (%g)" % (
        ", ".join("%.2f" % s for s in of), p) for of, p in zip(spread, PACKINGS)) + "; " + between(ratio, counts, deviation),
        all(falls([ratio[n, p, "ED"] for n in counts], deviation) for p in PACKINGS))
    medians = [[np.median(ratio[n, p, "ED"]) for n in counts] for p in PACKINGS]
    report.claim("the aspect ratio falls slightly with N", "yes", "median, ED, N = %s: " % ", ".join("{:,}".format(n) for n in counts) + "; ".join(
        "%s (%g)" % (", ".join("%.2f" % s for s in of), p) for of, p in zip(medians, PACKINGS)) + "; " + between(ratio, counts, np.median),
        all(falls([ratio[n, p, "ED"] for n in counts], np.median) for p in PACKINGS))
    ends = [(ratio[n, 0.1, "ED"], ratio[n, 0.3, "ED"]) for n in counts]
    report.claim("it falls with the packing fraction", "clearly", "ED, mean at 0.1 and at 0.3: " + ", ".join(
        "%.2f, %.2f (N = %s)" % (a.mean(), b.mean(), "{:,}".format(n)) for (a, b), n in zip(ends, counts)), all(a.mean() > b.mean() for a, b in ends))
    off = [apart(np.log(ratio[n, p, way]), np.log(ratio[n, p, "ED"])) for n in counts for p in PACKINGS for way in (*DAMPED, *STEPS)]
    report.claim("no statistical difference between TS and ED", "none to be seen", "of %d comparisons of mean logarithms (DAHA and sor) %d lie more than 2 standard errors "
                 "apart (%.1f by chance), the farthest %.1f" % (len(off), sum(abs(x) > 2 for x in off), 0.046 * len(off), max(off, key=abs)),
                 sum(abs(x) > 2 for x in off) < 0.046 * len(off) + 3 * np.sqrt(0.046 * len(off)) + 1)
    angles = {(n, way): np.concatenate([values(found[n, p, way], "orientation") for p in PACKINGS]) for n in counts for way in PAPERS}
    axes = {case: order(angle, 2) for case, angle in angles.items()}
    squares = {case: order(angle, 4) for case, angle in angles.items()}
    least, most = min(axes.values(), key=lambda x: x[1]), min(squares.items(), key=lambda x: x[1][1])
    report.claim("no direction is preferred", "no specific pattern", "order of the axes at most %.2f (chance %.2g; %d ensembles)" % (
        max(r for r, _ in axes.values()), least[1], len(axes)), least[1] > 0.01 / len(axes))
    report.claim("nor the diagonals or sides of the box", "-", "fourfold order at most %.2f (chance %.2g each, %d ensembles), %s, N = %s, about %.0f degrees from a side" % (
        *most[1], len(squares), most[0][1], "{:,}".format(most[0][0]), fourfold(angles[most[0]])), None)
    report.table("Aspect ratio: mean ± standard deviation (median)", ["N", "packing fraction", *PAPERS],
                 [["{:,}".format(n), p] + ["%.2f ± %.2f (%.2f)" % (s.mean(), s.std(ddof=1), np.median(s)) for s in (ratio[n, p, way] for way in PAPERS)]
                  for p in PACKINGS for n in counts])
    report.notes += ["The aspect ratio is that of the eigenvalues of the gyration tensor, as in the paper: of squared lengths. %d seeds a case; "
                     "orientations of the three packing fractions are tested together. Both methods begin at the same states, so that at N = 100 they often end "
                     "alike: comparisons of the two are stricter than the errors say, and ensembles of different ways are not independent." % len(found[counts[0], 0.2, "ED"])]
    report.columns = ["count", "packing_fraction", "way", "seed", "aspect_ratio", "orientation"]
    report.rows = [[n, p, way, row["seed"], row["aspect_ratio"] and "%.5f" % row["aspect_ratio"], row["orientation"] is not None and "%.3f" % row["orientation"]]
                   for (n, p, way), rows in found.items() for row in rows]
    report.figure = draw(found, counts)
    return report
