"""Single impacts: how near two come, how the energy returned scatters with the clocks' phases, restitution."""
import numpy as np

from .lab import COLORS, Report, plt
from .layers import PAPER, closest, meet, phases

POWERS = (2, 3, 4)
COURANTS = (0.01, 0.02, 0.05, 0.1, 0.2)
RATIOS = (0.0, 0.2, 0.5, 0.7, 0.8, 0.9)
SPEEDS = (0.01, 0.1, 1.0, 10.0, 100.0)
NEAR = {2: 0.0123, 3: 0.0102, 4: 0.0075}  # farthest from the exact closest approach, of 20 phases
SCATTER = {2: 1e-3, 3: 3e-6, 4: 2e-8}  # of the energy returned, c = 0.05, impacts of 0.2 k eta^2


def approaches(lab, p, decades, count):
    """Worst and mean of the closest approach over the exact one, energy by energy."""
    def work():
        rows = []
        for energy in 10.0 ** decades:
            wanted = closest(energy, p)
            ratios = [meet(lab.carom_library, energy, p, [start])[1]["closest"] / wanted for start in phases(count)]
            rows.append([energy, min(ratios), max(ratios), wanted])
        return rows
    return lab.remember("approaches", {"p": p, "decades": decades.tolist(), "count": count, "of": 1}, work)


def scatter(lab, p, c, energy, count):
    """Mean and deviation of the energy returned, less that before, over that before."""
    def work():
        change = meet(lab.carom_library, energy, p, phases(count), c=c)[0] ** 2 - 1
        return [float(change.mean()), float(change.std(ddof=1)), float(abs(change).max())]
    return lab.remember("scatter", {"p": p, "c": c, "energy": energy, "count": count, "of": 1}, work)


def restitution(lab, e, times, count):
    def work():
        ratio = meet(lab.carom_library, times**2, 3, phases(count), e=e, x=1.5)[0]
        return [float(ratio.min()), float(ratio.max())]
    return lab.remember("restitution", {"e": e, "times": times, "count": count, "of": 1}, work)


def by_force(lab, s, times, p, c, count):
    """The paper's rule, forces s times as large on departure: mean, least and largest ratio of the energies."""
    def work():
        ratio = meet(lab.carom_library, times**2, p, phases(count), e=s, c=c, x=1.5, rule="paper")[0] ** 2
        return [float(ratio.mean()), float(ratio.min()), float(ratio.max())]
    return lab.remember("by-force", {"s": s, "times": times, "p": p, "c": c, "count": count, "of": 1}, work)


def draw(near, wide, energies):
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.5), layout="constrained")
    for p, color in zip(POWERS, COLORS):
        rows = np.array(near[p])
        axes[0].fill_between(rows[:, 0], 100 * (rows[:, 1] - 1), 100 * (rows[:, 2] - 1), color=color, alpha=0.4, label="$p$ = %d" % p)
        axes[1].plot(COURANTS, [wide[p, c, energies[0]][1] for c in COURANTS], "o-", color=color, label="$p$ = %d" % p)
        axes[2].plot(COURANTS, [wide[p, c, energies[-1]][1] for c in COURANTS], "o-", color=color)
    axes[0].axhline(0, color="#555555", linewidth=0.8)
    axes[0].set(xscale="log", ylim=(-2.2, 2.2), xlabel="energy of the impact / $k\\eta^2$", ylabel="closest approach, % off the exact sum",
                title="all phases between the edges, c = 0.05")
    for axis, energy in ((axes[1], energies[0]), (axes[2], energies[-1])):
        axis.set(xscale="log", yscale="log", xlabel="step / stability bound, c", ylabel="scatter of the energy returned",
                 title="impacts of %g $k\\eta^2$" % energy)
    axes[1].plot(COURANTS, [0.7 * c * c for c in COURANTS], "--", color="#555555", linewidth=0.8, label="$0.7\\,c^2$")
    axes[0].legend()
    axes[1].legend()
    return figure


def run(lab):
    decades, count = np.arange(-2, 4.01, lab.length(0.125, 0.5)), lab.length(20, 4)
    energies, many = (0.2, 10.0), lab.length(400, 50)
    near = {p: approaches(lab, p, decades, count) for p in POWERS}
    wide = {(p, c, energy): scatter(lab, p, c, energy, many) for p in POWERS for c in COURANTS for energy in energies}
    speeds = SPEEDS if lab.full else SPEEDS[:4]
    few = lab.length(20, 5)
    ratios = {(e, s): restitution(lab, e, s, few if e > 0 else 2) for e in RATIOS for s in speeds}  # what stays in deep layers costs
    forced = {(s, p, c): [by_force(lab, s, v, p, c, few) for v in SPEEDS[:4]] for s in RATIOS for p, c in ((3, 0.05), (3, 0.01), (2, 0.05))}
    report = Report("variational_impacts", "Single impacts: closest approach, energy, restitution", "sections 4 and 7.1", lab, PAPER)
    worst = {p: max(max(1 - row[1], row[2] - 1) for row in near[p]) for p in POWERS}
    report.claim("nothing crosses: the energy of an impact sets how near two come", "d > 0, from the sum of the layers",
                 "worst of six decades of energy and %d phases against the exact sum: " % count + ", ".join(
                     "%.2f %% (p = %d)" % (100 * worst[p], p) for p in POWERS), all((0.5 if lab.full else 0) < worst[p] / off < 1.5 for p, off in NEAR.items()))
    report.claim("scatter of the energy returned, c = 0.05, impacts of 0.2 k eta^2", "no drift seen", ", ".join(
        "%.0e (p = %d)" % (wide[p, 0.05, energies[0]][1], p) for p in POWERS), all((share / 3 if lab.full else 0) < wide[p, 0.05, energies[0]][1] < 3 * share for p, share in SCATTER.items()))
    off = max(max(abs(low - e), abs(high - e)) / e for (e, _), (low, high) in ratios.items() if e > 0)
    rest = max(high for (e, _), (low, high) in ratios.items() if e == 0)
    report.claim("restitution asked for is that of the impact", "energy ratio e (their e scales the force)", "speeds %g to %g times the design speed: "
                 "worst %.3f %% of e; at e = 0 what is left: %.0e of the speed" % (speeds[0], speeds[-1], 100 * off, rest), off < 6e-4 and rest < 1e-12)  # 2e-4 of e
    report.table("Energy returned less that before, over that before: mean (deviation)", ["p", "energy / k eta^2"] + ["c = %g" % c for c in COURANTS],
                 [[p, energy] + ["%+.0e (%.0e)" % tuple(wide[p, c, energy][:2]) for c in COURANTS] for p in POWERS for energy in energies])
    report.table("Coefficient of restitution: smallest to largest of all phases, p = 3", ["asked for"] + ["%g v_d" % s for s in speeds],
                 [["%g" % e] + ["%.4f to %.4f" % tuple(ratios[e, s]) for s in speeds] for e in RATIOS])
    widest = max(abs(row[k] - s) for (s, p, c), rows in forced.items() for row in rows[:3] for k in (1, 2) if (p, c) == (3, 0.05))
    report.claim("the paper's rule (`restitution_rule: paper`), p = 3, up to the design speed: the energy's ratio is its s", "s", "within %.4f of s at any phase of the clocks; "
                 "at s = 0 up to %.1e of the energy is left" % (widest, max(row[2] for row in forced[0.0, 3, 0.05][:3])), widest < 2 * 0.05**2)
    report.table("The paper's rule: energy after over before, mean (least to largest of all phases)", ["s", "p", "courant"] + ["%g v_d" % v for v in SPEEDS[:4]],
                 [["%g" % s, p, "%g" % c] + ["%.4f (%.4f to %.4f)" % tuple(row) for row in rows] for (s, p, c), rows in forced.items()])
    report.notes.append("Two disks of mass 1 meet head on, eta = 0.1, k = 1, step law 2 (restitution: 1.5); v_d = sqrt(2 k eta^2 / m), m the reduced mass. "
                        "The start is varied, and with it the phases of the clocks.")
    report.columns = ["p", "energy", "closest_low", "closest_high", "exact"]
    report.rows = [[p] + ["%.6g" % v for v in row] for p in POWERS for row in near[p]]
    report.figure = draw(near, wide, energies)
    return report
