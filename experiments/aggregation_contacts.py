"""Relative number of contacts N_c of the one cluster at the end, exact events beside time steps of three lengths (figure 7); and
what makes it grow with the time step."""
import numpy as np

from .aggregates import BOUNDS, COLOR, DAMPED, LABEL, MARK, PACKINGS, PAPER, PAPERS, STEPS, apart, cells, counts_of, ensemble, error, plus_minus, values
from .lab import COLORS, Report, plt

SOLVERS = {"DAHA": tuple(DAMPED), "sor": tuple(STEPS)}
# ED, least and most; TS, least and most: 32 seeds, N = 100 to 10,000, and a standard error.
ENDS = ((0.5091, 0.0011), (0.5153, 0.0001), (0.5152, 0.0007), (0.5496, 0.0026))
RIGID = tuple(name.replace("TS", "rigid") for name in STEPS)


def mean(found, n, p, way, key="contacts_self"):
    return float(np.mean(values(found[n, p, way], key)))


def limit(found, n, p, ways):
    """The mean extrapolated to a time step of 0, by the line through the two shortest, less that of ED: in standard errors."""
    half, quarter, exact = (values(found[n, p, way], "contacts_self") for way in (*ways[1:], "ED"))
    return float((2 * quarter.mean() - half.mean() - exact.mean()) / np.sqrt(4 * error(quarter) ** 2 + error(half) ** 2 + error(exact) ** 2))


def draw(found, n_most):
    figure, axes = plt.subplots(2, 2, figsize=(10, 7.4), layout="constrained")
    for ax, p in zip(axes.flat, PACKINGS):
        for k, way in enumerate(PAPERS):
            seen = [(n * 1.06 ** (k - 3), values(found[n, p, way], "contacts_self")) for n in counts_of(found)]
            ax.errorbar([n for n, _ in seen], [s.mean() for _, s in seen], [s.std(ddof=1) for _, s in seen], marker=MARK[way], color=COLOR[way],
                        linewidth=1, capsize=2, label=LABEL[way], linestyle="--" if way in STEPS else "-", markerfacecolor="white" if way in STEPS else None)
        n = np.logspace(np.log10(counts_of(found)[0]), np.log10(n_most))
        ax.plot(n, 0.5 - 1 / (3 * n), "--", color="#999999", linewidth=1, label="tree: $1/2 - 1/(3N)$")
        ax.set(xscale="log", xlabel="$N$", ylabel="$N_c$ (with the particle itself)", title="packing fraction %g" % p, ylim=(0.485, 0.57))
    axes[0, 0].legend(loc="upper right", ncols=2, fontsize=7)
    ax = axes[1, 1]
    for ways, color, mark, label in ((tuple(DAMPED), COLORS[1], "o", "flexible clusters, DAHA"), (tuple(STEPS), COLORS[0], "s", "flexible clusters, sor"),
                                     (RIGID, COLORS[2], "D", "rigid clusters, sor")):
        seen = [values(found[n_most, 0.2, way], "contacts_self") for way in ways]
        ax.errorbar(list(STEPS.values()), [s.mean() for s in seen], [error(s) for s in seen], marker=mark, color=color, capsize=2, label=label)
    exact = values(found[n_most, 0.2, "ED"], "contacts_self")
    ax.axhline(exact.mean(), color=COLOR["ED"], label="ED")
    ax.set(xlim=(0, 1.08), ylim=(exact.mean() - 0.002, None), xlabel="time step: radii that the fastest cluster flies", ylabel="$N_c$ (with the particle itself)",
           title="$N$ = {:,}, packing fraction 0.2".format(n_most))
    ax.legend()
    return figure


def claims(report, found):
    most, counts = counts_of(found)[-1], counts_of(found)
    exact = [mean(found, n, p, "ED") for n in counts for p in PACKINGS]
    steps = [mean(found, n, p, way) for n in counts for p in PACKINGS for way in (*DAMPED, *STEPS)]
    report.claim("N_c from N = {:,} to {:,}".format(counts[0], most), "around 0.5 with both methods",
                 "ED %.3f to %.3f, TS %.3f to %.3f (sums with i = j, as printed)" % (min(exact), max(exact), min(steps), max(steps)),
                 all(abs(x - value) < 3 * of for x, (value, of) in zip((min(exact), max(exact), min(steps), max(steps)), ENDS)) if report.lab.full else
                 max(abs(np.array(exact + steps) - 0.5)) < 0.06)  # the longest steps 0.05 (cfl 1, N = 100); it goes with the step
    bare = [6 * mean(found, n, p, "ED", "contacts") for n in counts for p in PACKINGS]
    report.claim("a particle is in contact with three others on average", "yes",
                 "no: with %.2f to %.2f (ED); the sum counts the particle itself" % (min(bare), max(bare)), min(bare) > 2.5)
    off = {way: max(abs(mean(found, n, p, way) / mean(found, n, p, "ED") - 1) for n in counts for p in PACKINGS) for way in (*DAMPED, *STEPS)}
    limits = [limit(found, n, p, ways) for n in counts for p in PACKINGS for ways in SOLVERS.values()]
    report.claim("TS agrees with ED", "very good", "largest difference of the means: " + ", ".join("%.1f %% (%s)" % (100 * off[way], LABEL[way]) for way in off) +
                 "; extrapolated to steps of length 0 the %d means lie at most %.1f standard errors from ED" % (len(limits), max(map(abs, limits))),
                 max(map(abs, limits)) < 3)
    gap = [apart(values(found[n, p, damped], "contacts_self"), values(found[n, p, own], "contacts_self")) for n in counts for p in PACKINGS
           for damped, own in zip(DAMPED, STEPS)]
    report.claim("the solver makes no difference", "-", "DAHA to sor, %d comparisons: at most %.1f standard errors, %d beyond 2 (%.1f by chance)" % (
        len(gap), max(map(abs, gap)), sum(abs(g) > 2 for g in gap), 0.046 * len(gap)), None)
    levels = [mean(found, most, p, "ED") for p in PACKINGS]
    report.claim("dependence on the packing fraction", "not very significant", "N = {:,}, ED: ".format(most) + ", ".join(
        "%.4f (%g)" % pair for pair in zip(levels, PACKINGS)), abs(max(levels) / min(levels) - 1.0066) < 9e-4 if report.lab.full else max(levels) / min(levels) < 1.03)
    orders = [[values(found[most, p, way], "contacts_self") for way in ways] for ways in SOLVERS.values() for p in PACKINGS]
    report.claim("above N = 2,500 N_c grows with the time step (flexible clusters)", "clearly", "N = {:,}: ".format(most) + "; ".join(
        "%s at %g (%s)" % (" > ".join("%.4f" % s.mean() for s in three), p, name) for three, (name, p) in zip(orders, [(s, p) for s in SOLVERS for p in PACKINGS])),
        all(apart(three[0], three[2]) > 3 for three in orders))
    small = [apart(values(found[counts[0], p, "DAHA 1"], "contacts_self"), values(found[counts[0], p, "ED"], "contacts_self")) for p in PACKINGS]
    report.claim("and below it?", "not clearly observable", "N = %d: DAHA at cfl 1 lies %s standard errors above ED (%d seeds)" % (
        counts[0], ", ".join("%.1f" % s for s in small), len(found[counts[0], PACKINGS[0], "ED"])), None)
    base = mean(found, most, 0.2, "ED")
    report.claim("rigid clusters: no growth with the time step", "not tried", "N = {:,}: above ED at cfl 1, 1/2, 1/4: flexible ".format(most) + ", ".join(
        "%+.2f %%" % (100 * (mean(found, most, 0.2, w) / base - 1)) for w in STEPS) + "; rigid " + ", ".join(
        "%+.2f %%" % (100 * (mean(found, most, 0.2, w) / base - 1)) for w in RIGID), None)


def bounds_table(lab, report, found):
    """What the bound of displacements (3.7) changes at the longest step."""
    n, p = 2500, 0.2
    seeds = len(found[n, p, "ED"])
    rows = {"ED": found[n, p, "ED"], "DAHA 1": found[n, p, "DAHA 1"], **{way: ensemble(lab, n, p, way, seeds) for way in BOUNDS}}
    near = {way: np.array([np.interp(10 * 0.2, row["r"], row["pairs"]) for row in of]) for way, of in rows.items()}
    report.table("The bound of displacements (3.7): DAHA, cfl 1, N = {:,}, packing fraction {:g}".format(n, p),
                 ["bound", "N_c with the particle itself", "above ED", "P(10 R)", "steps (median)", "processor time / s (median)", "stalls a run"],
                 [[{"ED": "(ED)", "DAHA 1": "none"}.get(way, way[6:]), plus_minus(values(of, "contacts_self"), "%.4f"),
                   "%+.2f %%" % (100 * (values(of, "contacts_self").mean() / values(rows["ED"], "contacts_self").mean() - 1)), plus_minus(near[way], "%.2f"),
                   "%.0f" % np.median(values(of, "steps")) if way != "ED" else "-", "%.3f" % np.median(values(of, "cpu")),
                   "%.2f" % values(of, "stalls").mean() if way != "ED" else "-"] for way, of in rows.items()])


def run(lab):
    found = cells(lab)
    found.update(cells(lab, RIGID, (0.2,)))
    if lab.only:
        return None
    report = Report("aggregation_contacts", "Contacts of an aggregate", "figure 7", lab, PAPER)
    claims(report, found)
    report.table("N_c with the particle itself, mean ± standard error", ["N", "packing fraction", *PAPERS, *RIGID],
                 [["{:,}".format(n), p] + [plus_minus(values(found[n, p, way], "contacts_self"), "%.4f") if (n, p, way) in found else "-"
                                           for way in (*PAPERS, *RIGID)] for p in PACKINGS for n in counts_of(found)])
    if lab.size is None:
        bounds_table(lab, report, found)
    report.table("N_c without the particle itself (1/6 less)", ["N", "packing fraction", *PAPERS],
                 [["{:,}".format(n), p] + ["%.4f" % mean(found, n, p, way, "contacts") for way in PAPERS]
                  for p in PACKINGS for n in counts_of(found)])
    report.notes += [
        "%d seeds a case; bars in the picture are standard deviations. TS: solvers DAHA (the paper's) and sor; cfl counts in radii, 1 is the paper's bound "
        "(3.3); its own three steps are lost." % len(found[counts_of(found)[0], 0.2, "ED"]),
        "An aggregate that grew by touches of two is a tree: N_c = 1/2 - 1/(3N) with the particle itself, 1/3 without. What ED has above "
        "that are pairs that do not touch but are closer than the 2.1 R that count.",
        "Flexible clusters close overlaps by moving single particles, and what overlaps at one time is tied together: loops "
        "arise where the exact motion has one contact. Rigid clusters are translated as a whole, one contact for each merge."]
    stalls = {case: [row["stalls"] for row in rows] for case, rows in found.items() if sum(row["stalls"] for row in rows) > 0}
    report.notes.append("Groups on which the solver stalled, and sor took over: " + ("; ".join("%d in %d of %d runs (%s, N = %s, %g)" % (
        sum(s), sum(x > 0 for x in s), len(s), LABEL[way], "{:,}".format(n), p) for (n, p, way), s in stalls.items()) or "none") + ".")
    report.columns = ["count", "packing_fraction", "way", "seeds", "contacts_self_mean", "contacts_self_std", "contacts_self_median", "contacts_mean"]
    for (n, p, way), rows in found.items():
        s = values(rows, "contacts_self")
        report.rows.append([n, p, way, len(s), "%.6f" % s.mean(), "%.6f" % s.std(ddof=1), "%.6f" % np.median(s),
                            "%.6f" % values(rows, "contacts").mean()])
    report.figure = draw(found, counts_of(found)[-1])
    return report
