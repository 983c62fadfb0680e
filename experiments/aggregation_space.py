"""Aggregates in space beside those in the plane: times, contacts, dimensions, by exact events and by time steps. The paper is of the
plane and names three dimensions as future work."""
import numpy as np

from .aggregates import (COLOR, COUNTS, CONTACT_NUMBER, DAMPED, LABEL, MARK, PACKINGS, PAPER, STEPS, apart, ensemble, error, plus_minus, slope,
                         values)
from .lab import COLORS, Report, plt

CUBES = (125, 1000, 8000)
SPACE_WAYS = ("ED", "DAHA 1", "DAHA 1/2", "DAHA 1/4", "TS 1/2")
SHOWN = ("ED", "DAHA 1/2", "TS 1/2")


def cells(lab):
    """{(dimension, count, packing, way): rows}; those of the plane are the ensembles of the other experiments."""
    seeds = lab.length(32, 4)
    sizes = {2: COUNTS if lab.full else COUNTS[:3], 3: CUBES if lab.full else CUBES[:2]}
    if lab.size is not None:
        sizes = {2: COUNTS[:2], 3: CUBES[:2]}
    return {(d, n, p, way): ensemble(lab, n, p, way, seeds, d) for d, of in sizes.items() for n in of for p in PACKINGS for way in SPACE_WAYS
            if lab.selects("%dd-%d-%g-%s" % (d, n, p, way))}


def sizes_of(found, dimension):
    return sorted({n for d, n, _, _ in found if d == dimension})


def neighbours(rows, dimension):
    """Contacts that a particle has."""
    return CONTACT_NUMBER[dimension] * values(rows, "contacts")


def draw(found):
    figure, axes = plt.subplots(2, 3, figsize=(12.5, 7.4), layout="constrained")
    for row, d in zip(axes, (2, 3)):
        counts = sizes_of(found, d)
        for style, p in zip((":", "-", "--"), PACKINGS):
            for way in SHOWN:
                look = {"color": COLOR[way] if way == "ED" else COLORS[1] if way in DAMPED else COLORS[0], "marker": MARK[way], "linestyle": style, "linewidth": 1, "markersize": 4}
                for ax, key in zip(row, ("cpu", "contacts", "box_dimension")):
                    seen = [neighbours(found[d, n, p, way], d) if key == "contacts" else values(found[d, n, p, way], key) for n in counts]
                    middle = [np.median(s) if key == "cpu" else s.mean() for s in seen]
                    if key == "cpu":
                        ax.plot(counts, middle, **look)
                    else:
                        ax.errorbar(counts, middle, [error(s) for s in seen], **look)
        for ax, label in zip(row, ("processor time to one cluster / s", "contacts a particle", "$D_f$ (box counting)")):
            ax.set(xscale="log", xlabel="$N$", ylabel=label, title="%d dimensions" % d)
        row[0].set(yscale="log")
        row[1].axhline(2, color="#999999", linewidth=0.8)
        row[2].axhline(d, color="#999999", linewidth=0.8)
    for way in SHOWN:
        axes[0, 0].plot([], [], marker=MARK[way], color=COLOR[way] if way == "ED" else COLORS[1] if way in DAMPED else COLORS[0], label=LABEL[way])
    for style, p in zip((":", "-", "--"), PACKINGS):
        axes[0, 0].plot([], [], style, color="#555555", label="packing fraction %g" % p)
    axes[0, 0].legend(fontsize=7)
    return figure


def cost_exponent(found, d, p, way):
    counts = [n for n in sizes_of(found, d) if n >= 400]
    return slope(counts, [np.median(values(found[d, n, p, way], "cpu")) for n in counts])[0] if len(counts) > 1 else float("nan")


def run(lab):
    found = cells(lab)
    if lab.only:
        return None
    report = Report("aggregation_space", "Aggregates in space", "announced in the conclusions (three dimensions)", lab, PAPER)
    most = {d: sizes_of(found, d)[-1] for d in (2, 3)}
    off = {d: [apart(values(found[d, n, p, way], "contacts"), values(found[d, n, p, "ED"], "contacts")) for n in sizes_of(found, d) for p in PACKINGS
               for way in ("DAHA 1/4",)] for d in (2, 3)}
    more = {d: [100 * (values(found[d, most[d], p, way], "contacts_self").mean() / values(found[d, most[d], p, "ED"], "contacts_self").mean() - 1)
                for p in PACKINGS for way in DAMPED] for d in (2, 3)}
    report.claim("contacts a particle", "three, in the plane", "; ".join("%d dimensions, N = %s: %s (ED)" % (
        d, "{:,}".format(most[d]), ", ".join("%.3f at %g" % (neighbours(found[d, most[d], p, "ED"], d).mean(), p) for p in PACKINGS)) for d in (2, 3)) +
        "; a tree has 2 less 2/N", None)
    report.claim("N_c of DAHA over that of ED", "grows with the step", "; ".join("%d dimensions: %s" % (d, ", ".join("%+.1f %%" % x for x in more[d])) for d in (2, 3)) +
                 ", at cfl 1, 1/2, 1/4 for packing fractions 0.1, 0.2, 0.3; at cfl 1/4 by at most %.1f (2D) and %.1f (3D) standard errors" % (
                     max(off[2], key=abs), max(off[3], key=abs)), None)
    boxes = {d: [abs(values(found[d, n, p, "DAHA 1/2"], "box_dimension").mean() / values(found[d, n, p, "ED"], "box_dimension").mean() - 1)
                 for n in sizes_of(found, d) for p in PACKINGS] for d in (2, 3)}
    report.claim("D_f of TS (DAHA, cfl 1/2) to ED", "3 % on average in the plane", "; ".join("%d dimensions: %.2f %% on average, %.2f %% at most" % (
        d, 100 * np.mean(boxes[d]), 100 * max(boxes[d])) for d in (2, 3)), all(np.mean(boxes[d]) < 0.03 for d in (2, 3)))
    report.claim("the cost of TS grows as N to the power of", "1.2 to 1.3 in the plane", "; ".join("%d dimensions: %s" % (d, ", ".join("%.2f (%s, %g)" % (
        cost_exponent(found, d, p, way), LABEL[way], p) for way in SHOWN for p in PACKINGS)) for d in (2, 3)), None)
    for key, title, form in (("cpu", "Processor time to one cluster / s (median)", "%.3g"), ("time", "Simulated time to one cluster (median)", "%.3g")):
        report.table(title, ["dimensions", "N", "packing fraction", *(LABEL[w] for w in SPACE_WAYS)], [
            [d, "{:,}".format(n), p] + [form % np.median(values(found[d, n, p, way], key)) for way in SPACE_WAYS]
            for d in (2, 3) for n in sizes_of(found, d) for p in PACKINGS])
    report.table("Contacts a particle (mean ± standard error)", ["dimensions", "N", "packing fraction", *(LABEL[w] for w in SPACE_WAYS)], [
        [d, "{:,}".format(n), p] + [plus_minus(neighbours(found[d, n, p, way], d)) for way in SPACE_WAYS] for d in (2, 3) for n in sizes_of(found, d) for p in PACKINGS])
    report.table("D_f by box counting (mean ± standard error)", ["dimensions", "N", "packing fraction", *(LABEL[w] for w in SPACE_WAYS)], [
        [d, "{:,}".format(n), p] + [plus_minus(values(found[d, n, p, way], "box_dimension")) for way in SPACE_WAYS] for d in (2, 3) for n in sizes_of(found, d) for p in PACKINGS])
    report.notes += [
        "%d seeds a case, box with walls, R = 0.2, velocities uniform in [-1/2, 1/2]^d, square and cubic lattices at the start. N_c divides by 6 and by 12 neighbours." % len(next(iter(found.values()))),
        "The intrinsic dimension, from the radius of gyration of many clusters in dilute systems: [2D and 3D](aggregation_dilute.md).",
        "Box counting in space covers few grids at these N (20 particles on a side): its D_f says that the cluster fills its box, more than in the plane."]
    report.columns = ["dimension", "count", "packing_fraction", "way", "cpu_median", "time_median", "contacts_mean", "box_dimension_mean", "aspect_ratio_median", "gyration_radius_mean"]
    for (d, n, p, way), rows in found.items():
        report.rows.append([d, n, p, way] + ["%.5g" % x for x in (np.median(values(rows, "cpu")), np.median(values(rows, "time")), values(rows, "contacts").mean(),
                                                                  values(rows, "box_dimension").mean(), np.median(values(rows, "aspect_ratio")), values(rows, "gyration_radius").mean())])
    report.figure = draw(found)
    return report
