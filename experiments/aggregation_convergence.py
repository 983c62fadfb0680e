"""Why the plain Arrow-Hurwicz algorithm stalls and the damped one does not: strain against iterations on the problems of a run, for
several parameters; the other solvers beside them, and prototypes of stochastic minimisation."""
import os
import subprocess
import tempfile

import numpy as np

from .aggregates import PAPER, scene
from .lab import COLORS, Report, plt

MOST = 2000  # iterations after which a solver has stalled
STEPPING = ("seed=1", "aggregation.method=steps")
# label: solver, relaxation, alpha2 (AHA: alpha), beta, gamma, damping, multiplier damping, lambda (-1: at equilibrium), non-smooth, iterations
SOLVERS = {
    "sor": ("sor", 1.3, 0, 0, 0, 0, 0, -1, 0, MOST), "newton": ("newton", 1.3, 0, 0, 0, 0, 0, -1, 0, 50),
    "DAHA": ("daha", 0, 0.03, 1, 0.3, 0.8, 0, -1, 0, MOST), "DAHA, small steps": ("daha", 0, 0.01, 0.3, 0.1, 0.6, 0, -1, 0, MOST),
    "DAHA, lambda from 0": ("daha", 0, 0.03, 1, 0.3, 0.8, 0, 0, 0, MOST), "DAHA, non-smooth": ("daha", 0, 0.03, 1, 0.3, 0.8, 0, -1, 1, MOST),
    "AHA .1 .5": ("aha", 0, 0.1, 0.5, 0, 0, 0, -1, 0, MOST), "AHA .01 .1": ("aha", 0, 0.01, 0.1, 0, 0, 0, -1, 0, MOST),
    "AHA .03 1": ("aha", 0, 0.03, 1, 0, 0, 0, -1, 0, MOST), "AHA .001 .01": ("aha", 0, 0.001, 0.01, 0, 0, 0, -1, 0, MOST),
    "AHA, non-smooth": ("aha", 0, 0.1, 0.1, 0, 0, 0, -1, 1, MOST)}
DAMPING = (0.1, 0.15, 0.25, 0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 1.9)
STOCHASTIC = {
    "sor": SOLVERS["sor"], "DAHA": SOLVERS["DAHA"], "DAHA, small steps": SOLVERS["DAHA, small steps"],
    "sor, shuffled": ("shuffled", 1.3, 0, 0, 0, 0, 0, -1, 0, MOST), "sor, drawn": ("drawn", 1.3, 0, 0, 0, 0, 0, -1, 0, MOST),
    "random batches": ("batches", 0, 0.03, 1, 0.3, 0.8, 0, -1, 0, MOST),
    "random batches, small steps": ("batches", 0, 0.01, 0.3, 0.1, 0.6, 0, -1, 0, MOST),
    "annealing": ("annealed", 0, 0, 0, 0, 0, 0, -1, 0, MOST), "consensus": ("consensus", 0, 0, 0, 0, 0, 0, -1, 0, MOST)}
COLOR = dict(zip(SOLVERS, ["#222222", "#999999", COLORS[0], COLORS[7], COLORS[4], COLORS[2], COLORS[3], COLORS[1], COLORS[6], "#d8a0a0", "#c2588f"]))
WORK = {"sor": 1, "DAHA": 2, "DAHA, small steps": 2, "sor, shuffled": 1, "sor, drawn": 1, "random batches": 1,
        "random batches, small steps": 1, "consensus": 51}  # evaluations of a link in an iteration


def lines(cases):
    return "".join(" ".join([label.replace(" ", "_"), *map(str, case)]) + "\n" for label, case in cases.items())


def trace(lab, name, cases, *arguments, count=None):
    """What solver_iterates prints: {label: ends}, {label: {problem: [[iterations, strain]]}}, problems."""
    def work():
        with tempfile.TemporaryDirectory(prefix="carom-iterates-") as folder:
            path = os.path.join(folder, "scene.yaml")
            with open(path, "w") as file:
                file.write(text)
            command = [os.path.join(lab.build, "solver_iterates"), *([path] if count is not None else []), *arguments]
            done = subprocess.run(command, input=lines(cases), capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError("solver_iterates: exit %d: %s" % (done.returncode, done.stderr))
        found = {"problems": [], "ends": {}, "curves": {}}
        for word, ident, *rest in map(str.split, done.stdout.splitlines()):
            if word == "problem":
                found["problems"].append([float(x) for x in rest])
            elif word == "end":
                found["ends"].setdefault(rest[0].replace("_", " "), []).append([float(x) for x in rest[1:]])
            else:
                found["curves"].setdefault(rest[0].replace("_", " "), {}).setdefault(ident, []).append([float(x) for x in rest[1:]])
        return found
    text = scene(count, 0.2) if count is not None else ""
    return lab.remember("aggregation-convergence-" + name, {"scene": text, "cases": lines(cases), "arguments": arguments}, work)


def quartiles(curves, grid):
    """Of the strain over problems at these iterations; a problem keeps the strain at which it was solved."""
    at = [[next((s for r, s in reversed(curve) if r <= x), np.nan) for x in grid] for curve in curves.values()]
    return np.nanpercentile(np.maximum(at, 1e-12), [25, 50, 75], axis=0)


def solved(ends):
    return float(np.mean([end[0] for end in ends]))


def median_iterations(ends):
    """Infinite where fewer than half are solved."""
    return float(np.median([end[1] if end[0] else np.inf for end in ends]))


def swing(curve):
    """The largest gap in the second half of the iterations over that in the first."""
    gaps = np.abs([s for _, s in curve])
    return float(gaps[len(gaps) // 2:].max() / gaps[:len(gaps) // 2].max())


def draw(pair, run, damping, random):
    figure, axes = plt.subplots(2, 3, figsize=(13.5, 8), layout="constrained")
    for label in ("AHA .1 .5", "AHA, non-smooth", "DAHA"):
        curve = np.array(pair["curves"][label]["0"])[:120]
        axes[0, 0].plot(curve[:, 0], curve[:, 1], color=COLOR[label], label=label)
    axes[0, 0].set(xlabel="iterations", ylabel="gap / contact distance", ylim=(-0.12, 0.19), title="two disks that overlap by a tenth")
    for label, curve in pair["curves"].items():
        curve = np.abs(np.array(curve["0"]))
        top = [curve[k: k + max(8, k // 3), 1].max() for k in range(3 * len(curve) // 4)]
        axes[0, 1].plot(curve[1: len(top), 0], np.maximum(top[1:], 1e-9), color=COLOR[label], label=label)
    axes[0, 1].axhline(1e-7, color="#777777", linewidth=0.8, linestyle="--")
    axes[0, 1].set(xscale="log", yscale="log", ylim=(3e-8, 1), xlabel="iterations", ylabel="amplitude of the gap", title="the same: amplitude")
    grid = np.unique(np.geomspace(1, MOST, 60).astype(int))
    for label, curves in run["curves"].items():
        low, middle, high = quartiles(curves, grid)
        axes[0, 2].plot(grid, middle, color=COLOR[label], label=label)
        axes[0, 2].fill_between(grid, low, high, color=COLOR[label], alpha=0.12, linewidth=0)
    axes[0, 2].axhline(1e-7, color="#777777", linewidth=0.8, linestyle="--")
    axes[0, 2].set(xscale="log", yscale="log", ylim=(3e-9, 0.5), xlabel="iterations", ylabel="worst strain (median, quartiles)",
                   title="%d problems of a run" % len(run["problems"]))
    for label, ends in run["ends"].items():
        done = np.sort([end[1] if end[0] else np.inf for end in ends])
        axes[1, 0].plot(np.append(done, MOST), np.append(np.arange(1, len(done) + 1) / len(done), solved(ends)), color=COLOR[label],
                        drawstyle="steps-post", label=label)
    axes[1, 0].set(xscale="log", xlim=(1, MOST), xlabel="iterations", ylabel="share of problems solved", title="to 1e-7 of the contact distance")
    axes[0, 2].legend(fontsize=6.5, loc="lower left")
    for color, (label, row) in zip(COLORS, damping.items()):
        axes[1, 1].plot(list(row), [min(median_iterations(e), MOST) for e in row.values()], "o-", color=color, label=label)
    axes[1, 1].axhline(MOST, color="#777777", linewidth=0.8, linestyle="--")
    axes[1, 1].set(yscale="log", xlabel="damping c", ylabel="iterations (median; top: stalled)", title="DAHA: the damping")
    for color, (label, ends) in zip(["#222222", COLORS[0], COLORS[7], COLORS[1], COLORS[3], COLORS[2], COLORS[6], COLORS[4], COLORS[5]], random["ends"].items()):
        done = np.sort([end[4] if end[0] else np.inf for end in ends])
        axes[1, 2].plot(done, np.arange(1, len(done) + 1) / len(done), color=color, drawstyle="steps-post", label=label)
    axes[1, 2].set(xscale="log", xlabel="processor time / microseconds", ylabel="share of problems solved", title="stochastic minimisation")
    for ax, place in ((axes[0, 0], "upper right"), (axes[0, 1], "center right"), (axes[1, 1], "upper right"), (axes[1, 2], "lower right")):
        ax.legend(fontsize=7, loc=place)
    return figure


def damped_cases():
    """{settings: {damping: case}}; the bound below which it diverges is 2 alpha2 beta / gamma."""
    sets = {"alpha2 .03, beta 1, gamma .3 (bound .2)": (0.03, 1, 0.3), "alpha2 .01, beta .3, gamma .1 (bound .06)": (0.01, 0.3, 0.1),
            "alpha2 .03, beta .3, gamma .3 (bound .06)": (0.03, 0.3, 0.3)}
    return {label: {c: ("daha", 0, a, b, g, c, 0, -1, 0, MOST) for c in DAMPING} for label, (a, b, g) in sets.items()}


def table_rows(ends, work=False):
    rows = []
    for label, of in ends.items():
        its, strain, way, us = (np.array([end[k] for end in of]) for k in (1, 2, 3, 4))
        rows.append([label, "%.0f %%" % (100 * solved(of)), "%.0f" % np.median(its), "%.0f" % its.mean(), "%.1e" % np.median(strain),
                     "%.3f" % np.median(way) if np.all(np.isfinite(way)) else "diverges", "%.0f" % us.mean()] +
                    (["%.0f" % (WORK[label] * np.median(its)) if label in WORK else "-"] if work else []))
    return rows


def run(lab):
    count, every, sparse = lab.length((2500, 12, 60), (400, 12, 40)) if lab.size is None else (100, 12, 40)
    pair = trace(lab, "pair", {label: (*SOLVERS[label][:9], 6000) for label in SOLVERS if label not in ("sor", "newton")}, "pair")
    of_run = trace(lab, "run", SOLVERS, *STEPPING, "--", str(every), count=count)
    sets = damped_cases()
    flat = trace(lab, "damping", {"%d %g" % (k, c): case for k, row in enumerate(sets.values()) for c, case in row.items()}, *STEPPING, "--", str(sparse), count=count)
    damping = {label: {c: flat["ends"]["%d %g" % (k, c)] for c in row} for k, (label, row) in enumerate(sets.items())}
    random = trace(lab, "stochastic", STOCHASTIC, *STEPPING, "--", str(sparse), count=count)
    if lab.only:
        return None
    report = Report("aggregation_convergence", "Convergence of the minimisation", "sections 3.1 and 3.2", lab, PAPER)
    plain = ["AHA .1 .5", "AHA .01 .1", "AHA .03 1", "AHA .001 .01"]
    swings = {label: swing(pair["curves"][label]["0"]) for label in pair["curves"]}
    report.claim("plain Arrow-Hurwicz presents oscillations around the equilibrium", "yes", "two disks, smooth constraint: the swing of iterations 3,001 to 6,000 over that of the "
                 "first 3,000: " + ", ".join("%.5f (%s)" % (swings[x], x[4:]) for x in plain) + "; damped: %.1e" % swings["DAHA"],
                 all(abs(swings[x] - 1) < 1.5e-5 for x in plain) and swings["DAHA"] < 2.7e-6)  # 1 to five digits; 9e-7
    ends = of_run["ends"]
    report.claim("it becomes very difficult to converge", "yes", "solved after {:,} iterations: ".format(MOST) + ", ".join("%.0f %% (%s)" % (
        100 * solved(ends[x]), x[4:]) for x in plain) + "; damped: %.0f %%, median %.0f iterations" % (100 * solved(ends["DAHA"]), median_iterations(ends["DAHA"])),
        max(solved(ends[x]) for x in plain) < (6.3e-3 if lab.full else 0.05) and solved(ends["DAHA"]) == 1)
    report.claim("the non-smooth constraint (2.10) slows the convergence", "yes", "DAHA, median iterations: %.0f smooth, %.0f non-smooth; but plain AHA converges with it alone: "
                 "%.0f %% solved, median %.0f" % (median_iterations(ends["DAHA"]), median_iterations(ends["DAHA, non-smooth"]), 100 * solved(ends["AHA, non-smooth"]),
                                                  median_iterations(ends["AHA, non-smooth"])), median_iterations(ends["DAHA, non-smooth"]) > 1.2 * median_iterations(ends["DAHA"]))
    best = min(damping[list(sets)[0]].items(), key=lambda x: median_iterations(x[1]))
    report.claim("friction relaxes faster", "yes", "alpha2 .03, beta 1, gamma .3: fewest iterations at damping %g (median %.0f); below the bound .2 (c gamma > 2 alpha2 beta) solved: %s" % (
        best[0], median_iterations(best[1]), ", ".join("%.0f %% at %g" % (100 * solved(damping[list(sets)[0]][c]), c) for c in DAMPING if c < 0.2)), 1 <= best[0] <= 1.6 if lab.full else best[0] > 0.2)
    way = {label: np.median([end[3] for end in of]) for label, of in ends.items() if solved(of) == 1}
    report.claim("the solution is a near one (3.7)", "displacement of order dt V", "median length of the displacement of all particles, in contact distances: " + ", ".join(
        "%.4f (%s)" % (w, label) for label, w in way.items()), max(way.values()) < (1.016 if lab.full else 1.1) * min(way.values()))
    cost = {label: np.mean([end[4] for end in of]) for label, of in random["ends"].items()}
    report.claim("stochastic minimisation will improve the performance", "future work", "processor time over that of sor (share solved): " + ", ".join(
        "%.1f (%s, %.0f %%)" % (cost[label] / cost["sor"], label, 100 * solved(random["ends"][label])) for label in list(STOCHASTIC)[1:]), None)
    head = ["solver", "solved", "iterations, median", "mean", "strain, median", "displacement, median", "processor time, mean / us"]
    report.table("%d problems (every %dth of a run, N = %s, packing fraction 0.2, cfl 1/2)" % (len(of_run["problems"]), every, "{:,}".format(count)), head, table_rows(ends))
    report.table("Stochastic prototypes, %d problems" % len(random["problems"]), head + ["evaluations a link, median"], table_rows(random["ends"], True))
    report.table("DAHA: iterations (median) against damping; -: fewer than half solved", ["settings", *map(str, DAMPING)], [
        [label] + ["%.0f" % median_iterations(e) if median_iterations(e) < MOST else "-" for e in row.values()] for label, row in damping.items()])
    links = np.array([p[1] for p in of_run["problems"]])
    report.notes += [
        "Strain: the worst |distance / contact distance - 1| of a problem's links. AHA is followed by alpha and beta; DAHA: alpha2 .03, beta 1, gamma .3, damping .8; small steps: "
        ".01, .3, .1, .6. Links a problem: median %.0f, most %.0f. Iterates are the engine's: `solver_iterates` lets a solver run for r iterations and looks." % (np.median(links), links.max()),
        "Why plain AHA cannot converge with the smooth constraint: W = |x|^2 / 2 and lambda phi = lambda (D^2 - |x|^2) have the same second derivative, so that that of the Lagrangian, "
        "1 - 2 lambda on each link, is zero at the solution lambda = 1/2, for any graph of links. What is left of the linearised iteration is antisymmetric: X' = alpha B mu, mu' = -beta B' X. "
        "Its eigenvalues are imaginary; the semi-implicit steps keep them on the unit circle. No alpha and beta help; a smaller product is a slower swing. The non-smooth constraint has the "
        "second derivative 1 along a link, which damps.",
        "The problems that AHA does solve are two single particles that are within the tolerance of contact at the end of some iteration, by chance: 5 of the 2,409 of the run with N = 2,500.",
        "Stochastic prototypes (`experiments/stochastic.c`): sor with links shuffled in each sweep, or drawn with replacement; DAHA with a random half of the links in each iteration, twice as "
        "strong; annealing (Metropolis) and consensus-based optimisation (50 agents) of the sum of squared strains. Random batches converge all the way, without averaging, since "
        "each link's own force vanishes at the solution; at the default coefficients twice the strength is beyond what is stable.",
        "Not in the product: none is faster than sor. A problem has some three links in the median and needs ten sweeps; there is nothing to sample."]
    report.columns = ["solver", "problem", "solved", "iterations", "strain", "displacement", "cpu_us"]
    report.rows = [[label, k, int(end[0]), int(end[1]), "%.3g" % end[2], "%.4g" % end[3], "%.3g" % end[4]] for of in (ends, {
        "stochastic: " + label: e for label, e in random["ends"].items() if label not in SOLVERS}) for label, each in of.items() for k, end in enumerate(each)]
    report.figure = draw(pair, of_run, damping, random)
    return report
