"""Why layers are cubic by default: the energy of the spring of figure 2 (6,000 bounces) and of the 900 disks of figure 4 (355,000 impacts)
for layers of the exponents 2 (the paper's), 3 and 4, the step laws 3/2 (the paper's) and 2, and several steps."""
from math import sqrt

import numpy as np

from .lab import COLORS, Report, plt
from .layers import PAPER, summaries
from .variational_boxes import scene as disks
from .variational_spring import PERIOD, scene as spring

POWERS, LAWS, COURANTS = (2, 3, 4), (1.5, 2.0), (0.01, 0.02, 0.05, 0.1)
HEIGHT = 0.0037  # by which starts of the spring differ: a few steps of the first layer's clock


def energies(lab, kind, start, p, law, courant, length, samples=1000):
    """Energy over that at the start at each of the samples, and how many impacts there were."""
    text = spring(start * HEIGHT, ", material_step: 0.002") if kind == "spring" else disks(seed=start + 1)
    sets = ["variational.exponent=%d" % p, "variational.step_law=%r" % law, "variational.courant=%r" % courant]

    def work():
        rows, last = [], None
        for last in summaries(lab.carom_library, kind, text, np.linspace(0, length, samples + 1)[1:], *sets):
            rows.append(last["energy"]["total"] / last["energy"]["initial"])
        return {"rows": rows, "impacts": last["events"]["wall"] + last["events"]["collision"], "forces": last["events"]["force"]}
    return lab.remember("drift-" + kind, {"scene": text, "sets": sets, "length": length, "samples": samples}, work)


def at_end(runs):
    """The last tenth of each run: mean of E / E0 - 1 over the starts, its standard error, and the deviation of single runs."""
    ends = np.array([np.mean(r["rows"][-max(len(r["rows"]) // 10, 1):]) - 1 for r in runs])
    spread = float(ends.std(ddof=1))
    return float(ends.mean()), spread / sqrt(len(ends)), spread


def steps(kind, p):
    """Of the disks p = 4 is left out where it costs most and p = 3 does as well."""
    return COURANTS if kind == "spring" or p < 4 else COURANTS[2:]


def draw(found, impacts):
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained", sharey=True)
    for axis, kind in zip(axes, ("spring", "disks")):
        for p, color in zip(POWERS, COLORS):
            for law, line, mark in zip(LAWS, ("--", "-"), ("o", "s")):
                ends = [found[kind, p, law, c] for c in steps(kind, p)]
                axis.plot(steps(kind, p), [sqrt(mean**2 + spread**2) for mean, _, spread in ends], line, marker=mark, color=color,
                          label="$p$ = %d, $x$ = %g" % (p, law))
        axis.axvline(0.05, color="#999999", linewidth=0.8)
        axis.set(xscale="log", yscale="log", xlabel="courant, $h_1$ over its stability bound",
                 title="%s, %s impacts" % ("spring on a plane" if kind == "spring" else "900 disks", "{:,}".format(impacts[kind])))
        axis.set_xticks(COURANTS, ["%g" % c for c in COURANTS])
        axis.minorticks_off()
    axes[0].set(ylabel="energy off the start, rms of the runs")
    axes[0].legend(ncols=1)
    return figure


def number(mean, error):
    return "%+.1e +- %.0e" % (mean, error)


def run(lab):
    lengths = {"spring": lab.length(6071, 600) * PERIOD, "disks": lab.length(22.6, 0.6)}
    starts = {("spring", p): lab.length(16, 4) for p in POWERS}
    starts.update({("disks", p): lab.length(8 if p == 2 else 2, 2) for p in POWERS})  # those of p = 3 and 4 differ by 1e-5
    found, impacts, curves, cost = {}, {}, {}, {}
    for kind in ("spring", "disks"):
        for p in POWERS:
            for law in LAWS:
                for c in steps(kind, p):
                    runs = [energies(lab, kind, k, p, law, c, lengths[kind]) for k in range(starts[kind, p])]
                    found[kind, p, law, c] = at_end(runs)
                    curves[kind, p, law, c] = runs
                    impacts[kind] = runs[0]["impacts"]
                    cost[kind, p, law, c] = np.mean([r["forces"] / r["impacts"] for r in runs])
    if lab.only:
        return None
    report = Report("variational_drift", "Energy against the step, for layers of exponent 2, 3 and 4", "sections 5.1, 8.1, 8.2", lab, PAPER)
    for kind in ("spring", "disks"):
        two, three = found[kind, 2, 2.0, 0.05], found[kind, 3, 2.0, 0.05]
        rms = [sqrt(mean**2 + spread**2) for mean, _, spread in (two, three)]
        report.claim("%s at the default step (courant 0.05, x = 2): p = 2 against p = 3" % kind, "p = 2: no drift seen",
                     "after %s impacts E / E0 - 1 = %s (p = 2), %s (p = 3); single runs deviate by %.0e and %.0e" % (
                         "{:,}".format(impacts[kind]), number(*two[:2]), number(*three[:2]), two[2], three[2]), rms[0] > 10 * rms[1])
        for law in LAWS:
            fine, coarse = (sqrt(found[kind, 2, law, c][0] ** 2 + found[kind, 2, law, c][2] ** 2) for c in (0.01, 0.1))
            report.claim("%s, p = 2, x = %g: error against the step" % (kind, law), "-", "rms %.0e at 0.01, %.0e at 0.1" % (fine, coarse), fine < coarse)
    for kind in ("spring", "disks"):
        report.table("%s: E / E0 - 1 after %s impacts" % ("Spring" if kind == "spring" else "900 disks", "{:,}".format(impacts[kind])),
                     ["p", "x", "starts"] + ["courant %g" % c for c in COURANTS] + ["forces an impact at 0.05"],
                     [[p, "%g" % law, starts[kind, p]] + [number(*found[kind, p, law, c][:2]) if c in steps(kind, p) else "-" for c in COURANTS] + ["%.0f" % cost[kind, p, law, 0.05]] for p in POWERS for law in LAWS])
    report.notes += ["Mean of the last tenth of each run, over that at the start; +- is the standard error over the starts (heights of the spring that differ by %g, "
                     "velocities of the disks from other seeds). The figure has the root mean square over the runs." % HEIGHT,
                     "All else as by default, but for the spring's own step of 0.002, so that courant changes the layers alone."]
    report.columns = ["case", "p", "x", "courant", "start", "impacts", "energy_over_start_less_1"]
    report.rows = [[kind, p, law, c, k, r["impacts"], "%.4e" % (np.mean(r["rows"][-100:]) - 1)] for (kind, p, law, c), runs in curves.items() for k, r in enumerate(runs)]
    report.figure = draw(found, impacts)
    return report
