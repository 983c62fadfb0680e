"""How the number of clusters falls with time, exact events beside time steps; and the time to one cluster, which has a heavy
tail."""
import numpy as np

from .aggregates import COLOR, DAMPED, LABEL, PACKINGS, PAPER, PAPERS, STEPS, TIMES, Run, cells, counts_of, scene, slope, values
from .lab import COLORS, Report, plt

SPEED = 1 / np.sqrt(6)  # root mean square of velocities uniform in [-1/2, 1/2]^2
RADIUS = 0.2


def left(rows):
    """Clusters at TIMES: a row a run."""
    return np.array([row["left"] for row in rows], dtype=float)


def when(rows, count, share):
    """Median over the runs of the time at which this share of the clusters is left (between two of TIMES: logarithmic)."""
    found = []
    for curve in left(rows):
        k = int(np.argmax(curve <= share * count))
        if curve[k] <= share * count and k > 0:
            ends = np.log(curve[k - 1: k + 1])
            part = (ends[0] - np.log(share * count)) / (ends[0] - ends[1]) if ends[0] > ends[1] else 1.0
            found.append(TIMES[k - 1] * (TIMES[k] / TIMES[k - 1]) ** part)
    return float(np.median(found)) if found else float("nan")


def large(lab, packing, count, seeds):
    """Clusters in time in large boxes without walls, by exact events."""
    def work():
        rows = []
        for seed in range(1, seeds + 1):
            with Run(lab, text, seed) as run:
                times = np.sort(run.merges()[0])
                rows.append({"left": [int(n) for n in count - np.searchsorted(times, TIMES, side="right")], "end": float(times[-1])})
        return rows
    text = scene(count, packing, boundary="periodic", until="{clusters: %d}" % max(10, count // 3000))
    return lab.remember("aggregation-kinetics-%g" % packing, {"scene": text, "seeds": seeds, "times": len(TIMES)}, work)


def exponent(rows, count, most=0.1, least=0.003):
    """Growth exponent of the mean mass while the share of clusters falls from most to least."""
    curve = left(rows).mean(axis=0) / count
    end = np.median([row.get("end", np.inf) for row in rows])
    inside = (curve <= most) & (curve >= least) & (TIMES < end)
    return slope(TIMES[inside], 1 / curve[inside]) if inside.sum() > 3 else (float("nan"), float("nan"))


def draw(found, counts, thin, most):
    figure, (first, second, third) = plt.subplots(1, 3, figsize=(13, 4.5), layout="constrained")
    for k, p in enumerate(PACKINGS):
        for way in ("ED", "DAHA 1", "DAHA 1/4"):
            curve = np.median(left(found[counts[-1], p, way]), axis=0)
            inside = np.append(True, curve[:-1] > 1)
            first.plot(TIMES[inside] * SPEED / RADIUS, curve[inside], color=COLORS[k], linestyle="-" if way == "ED" else "none", markersize=3.5,
                       marker={"ED": "", "DAHA 1": "o", "DAHA 1/4": "x"}[way], label="%g" % p if way == "ED" else None)
    first.set(xscale="log", yscale="log", ylim=(0.9, 1.2 * counts[-1]), xlabel="time / ($R$ / rms speed)", ylabel="clusters (median)",
              title="$N$ = {:,}; line: ED, o: DAHA cfl 1, x: cfl 1/4".format(counts[-1]), xlim=(0.1, None))
    first.legend(title="packing fraction")
    for color, (p, rows) in zip(COLORS, thin.items()):
        curve = left(rows).mean(axis=0) / most
        inside = (TIMES < np.median([row["end"] for row in rows])) & (curve < 1)
        second.plot(TIMES[inside] * SPEED / RADIUS, 1 / curve[inside], color=color, label="%g: %.2f" % (p, exponent(rows, most)[0]))
    x = np.array([30, 3e5])
    second.plot(x, 0.3 * x, "--", color="#777777", linewidth=1, label="slope 1")
    second.plot(x, 0.002 * x**1.2, ":", color="#777777", linewidth=1, label="slope 1.2")
    second.set(xscale="log", yscale="log", xlabel="time / ($R$ / rms speed)", ylabel="mean mass / particles", ylim=(0.8, 2e4),
               title="ED, $N$ = {:,}, periodic".format(most))
    second.legend(title="packing fraction: exponent")
    for way in PAPERS:
        times = np.sort(np.concatenate([values(found[counts[-1], p, way], "time") / np.median(values(found[counts[-1], p, "ED"], "time")) for p in PACKINGS]))
        third.plot(times, 1 - np.arange(len(times)) / len(times), drawstyle="steps-post", color=COLOR[way], label=LABEL[way],
                   linestyle="--" if way in STEPS else "-")
    third.set(xscale="log", yscale="log", xlabel="time to one cluster / median of ED", ylabel="share of runs that take longer",
              title="$N$ = {:,}, three packing fractions".format(counts[-1]))
    third.legend(fontsize=7)
    return figure


def run(lab):
    found = cells(lab)
    most, seeds = lab.length((99856, 2), (10000, 2)) if lab.size is None else (2500, 1)
    thin = {p: large(lab, p, most, seeds) for p in (0.2, 0.03, 0.003, 0.001) if lab.selects("kinetics-%g" % p)}
    if lab.only:
        return None
    counts = counts_of(found)
    report = Report("aggregation_kinetics", "Clusters in time", "not shown in the paper", lab, PAPER)
    n = counts[-1]
    shares = [s for s in (0.5, 0.1, 0.01) if s * n >= 10]
    off = {way: [when(found[n, p, way], n, s) / when(found[n, p, "ED"], n, s) - 1 for p in PACKINGS for s in shares] for way in (*DAMPED, *STEPS)}
    report.claim("TS follows ED in time", "-", "N = {:,}, times at which {} of the clusters are left, TS to ED, largest difference: ".format(
        n, ", ".join("%g %%" % (100 * s) for s in shares)) + ", ".join("%+.1f %% (%s)" % (100 * max(of, key=abs), LABEL[way]) for way, of in off.items()), None)
    grown = {p: exponent(rows, most) for p, rows in thin.items()}
    report.claim("mean mass in dilute systems grows as t^z", "-", "z = " + ", ".join("%.2f (%g)" % (z, p) for p, (z, _) in grown.items()) +
                 "; mean field, from cross section and speed of clusters of dimension D: z = 1 / (3/2 - 1/D): 1.2 for D = 1.5, and 1 for discs", None)
    tails = {way: np.concatenate([values(found[n, p, way], "time") / np.median(values(found[n, p, way], "time")) for p in PACKINGS]) for way in PAPERS}
    report.claim("the time to one cluster has a heavy tail", "-", "N = {:,}: the slowest 5 % of the runs take at least ".format(n) + ", ".join(
        "%.1f (%s)" % (np.percentile(t, 95), way) for way, t in tails.items()) + " medians", None)
    report.table("Time at which a share of the clusters is left (median), and to one cluster; in R / rms speed", ["N", "packing fraction", "way"] +
                 ["%g %%" % (100 * s) for s in shares] + ["one"],
                 [["{:,}".format(n), p, way] + ["%.3g" % (when(found[n, p, way], n, s) * SPEED / RADIUS) for s in shares] +
                  ["%.3g" % (np.median(values(found[n, p, way], "time")) * SPEED / RADIUS)] for p in PACKINGS for way in PAPERS])
    report.notes += ["%d seeds a case; large boxes: %d. Velocities uniform in [-1/2, 1/2]^2." % (len(found[n, 0.2, "ED"]), seeds),
                     "The mean field: mass m, speed m^-1/2 by conservation of momentum in random merges, width m^(1/D), so dm/dt = m^(1/D - 1/2)."]
    report.columns = ["count", "packing_fraction", "way", "time", "clusters_median"]
    report.rows = [[c, p, way, "%.4g" % t, "%g" % k] for (c, p, way), rows in found.items() for t, k in zip(TIMES, np.median(left(rows), axis=0))
                   if 1 < k < c]
    report.figure = draw(found, counts, thin, most)
    return report
