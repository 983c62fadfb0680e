"""The intrinsic fractal dimension of aggregates: radius of gyration against mass over the many clusters of dilute runs that are
stopped before one cluster is left, in two and three dimensions; beside what is known of ballistic cluster-cluster aggregation."""
import numpy as np

from .aggregates import PAPER, Run, plus_minus, scene, slope
from .lab import COLORS, Report, plt

CASES = [(2, p) for p in (0.001, 0.003, 0.01, 0.03, 0.1)] + [(3, p) for p in (0.001, 0.003, 0.01)]
KNOWN, DIGIT = {2: 1.5, 3: 1.88}, {2: 0.05, 3: 0.005}  # and half its last digit
LEFT = 300  # the mean size at which a run is stopped
LEAST = 30  # particles of the smallest cluster in the fit


def case(lab, dimension, packing, count, seeds):
    """The dimension that each run gives, and mass and radius of all clusters."""
    def work():
        found, cloud = [], []
        for seed in range(1, seeds + 1):
            with Run(lab, text, seed) as run:
                shapes = run.shape("--cluster", "all", "--min-size", str(LEAST))
            of = shapes["gyration_radius_of_mass"]
            found.append([of["dimension"], of["error"], of["clusters"], run.summary["time"], run.summary["cpu_s"]])
            cloud += [[c["size"], round(c["gyration_radius"], 5)] for c in shapes["clusters"] if c["state"] == "whole"]
        return {"fits": found, "cloud": cloud}
    text = dilute(dimension, packing, count)
    return lab.remember("aggregation-dilute-%dd-%g" % (dimension, packing), {"scene": text, "seeds": seeds, "least": LEAST}, work)


def mean_size(count):
    return min(LEFT, count // 40)


def dilute(dimension, packing, count):
    return scene(count, packing, dimension, "periodic", "{maxwell: 0.1}", "{clusters: %d}" % (count // mean_size(count)))


def fit(cloud):
    """Dimension from the medians of R_g in bins of a factor two in mass: every size counts the same, however few clusters it has."""
    mass, radius = np.array(cloud).T
    edges = LEAST * 2.0 ** np.arange(0, 20)
    bins = [(mass >= a) & (mass < b) for a, b in zip(edges, edges[1:])]
    points = np.array([(np.exp(np.log(mass[b]).mean()), np.exp(np.log(radius[b]).mean())) for b in bins if b.sum() >= 5])
    exponent, deviation = slope(points[:, 0], points[:, 1])
    return points, 1 / exponent, deviation / exponent**2


def draw(found):
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    for ax, d in zip(axes, (2, 3)):
        for k, (color, (packing, of)) in enumerate(zip(COLORS, [(p, f) for (e, p), f in found.items() if e == d])):
            mass, radius = np.array(of["cloud"]).T
            points, dimension, _ = fit(of["cloud"])
            ax.plot(mass, radius / 0.2 * 1.5**k, ".", markersize=1.5, color=color, alpha=0.25, rasterized=True)
            ax.plot(points[:, 0], points[:, 1] / 0.2 * 1.5**k, "o-", color=color, label="%g: $D$ = %.2f" % (packing, dimension))
        x = np.array([LEAST, 1e4])
        ax.plot(x, 1.5 * (x / LEAST) ** (1 / KNOWN[d]), "--", color="#555555", label="slope 1/%g" % KNOWN[d])
        ax.set(xscale="log", yscale="log", xlabel="mass / particles", ylabel="$R_g/R$ (each case 1.5 times higher)" if d == 2 else "", title="%d dimensions" % d)
        ax.legend(title="packing fraction")
    return figure


def run(lab):
    count, count_3d, seeds = lab.length((40000, 39304, 3), (10000, 8000, 1)) if lab.size is None else (2500, 3375, lab.size)
    found = {(d, p): case(lab, d, p, count if d == 2 else count_3d, seeds) for d, p in CASES if lab.selects("%dd-%g" % (d, p))}
    if lab.only:
        return None
    report = Report("aggregation_dilute", "Fractal dimension in the dilute limit", "not in the paper, which counts boxes of dense systems", lab, PAPER)
    fits = {case: fit(of["cloud"]) for case, of in found.items()}
    for d, words in ((2, "about 1.5"), (3, "1.88 (Arakawa, Takemoto, Nakamoto, PTEP 2019, 093E02: pairs of equal clusters, turned at random)")):
        thin = [case for case in found if case[0] == d and case[1] <= 0.01]
        report.claim("%d dimensions, ballistic clusters in the dilute limit" % d, words, ", ".join("%.2f ± %.2f (%g)" % (
            *fits[c][1:], c[1]) for c in thin), abs(fits[thin[0]][1] - KNOWN[d]) < DIGIT[d] + 3 * fits[thin[0]][2])
    report.table("Dimension", ["dimensions", "packing fraction", "runs x particles", "clusters", "largest", "D (means of bins of a factor two)",
                               "D (`carom shape`: each cluster counts), mean of runs"],
                 [[d, p, "%d x %s" % (len(of["fits"]), "{:,}".format(count if d == 2 else count_3d)), len(of["cloud"]), int(max(m for m, _ in of["cloud"])),
                   "%.3f ± %.3f" % fits[d, p][1:], plus_minus([f[0] for f in of["fits"]]) if len(of["fits"]) > 1 else "%.3f" % of["fits"][0][0]]
                  for (d, p), of in found.items()])
    report.notes += ["Periodic box, velocities of a Maxwell distribution; each run is stopped when clusters have %d particles on average. Clusters of %d or "
                     "more count, as they are at that time." % (mean_size(count), LEAST),
                     "The verdict is of the thinnest system: aggregates of dimension D < d fill space as they grow, and D rises with the packing fraction.",
                     "Clusters do not turn here. What hits them comes from all sides all the same."]
    report.columns = ["dimension", "packing_fraction", "mass", "gyration_radius_over_radius"]
    report.rows = [[d, p, "%.5g" % m, "%.5g" % (r / 0.2)] for (d, p), (points, _, _) in fits.items() for m, r in points]
    report.figure = draw(found)
    return report
