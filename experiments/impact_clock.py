"""Fig. 3 with a clock that is never set back: separations at impact by a small program (one_clock.c) that uses the stable rule as
printed, with one clock from the start to the end and no rescaling of velocities, for elastic and cooling gases."""
import os
import subprocess

import numpy as np

from .impact_separation import DENSITIES, RESTITUTIONS
from .lab import COLORS, Report, plt, power

WINDOWS = (4, 16, 64, 256, 1024)  # collisions a sphere
VALUES = ("end", "impacts", "overlapping", "mean", "rms", "time", "speed")


def windows(lab, density, e, seed, edge, ends):
    """What one_clock prints, a dictionary a window."""
    def work():
        command = [os.path.join(lab.build, "one_clock"), str(edge), repr(density), repr(e), str(seed), *map(str, ends)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        return [dict(zip(VALUES, map(float, line.split()))) for line in lines]
    key = {"density": density, "e": e, "seed": seed, "edge": edge, "ends": list(ends)}
    return lab.remember("clock-%g-%g-%d" % (density, e, seed), key, work)


def pooled(runs):
    """Over seeds, window by window: impacts, the share that overlaps, mean, rms and its standard error, time and speed."""
    found = []
    for same in zip(*runs):
        rms = np.array([w["rms"] for w in same])
        found.append({"end": same[0]["end"], "impacts": sum(w["impacts"] for w in same), "rms": np.sqrt((rms**2).mean()),
                      "error": rms.std(ddof=1) / np.sqrt(len(rms)),
                      **{name: np.mean([w[name] for w in same]) for name in ("overlapping", "mean", "time", "speed")}})
    return found


def rounded_clock(found):
    """The spacing of numbers at the clock's time, times the rms speed relative to another sphere: the length by which the
    rounding of a time of impact moves two spheres, in 2^-52."""
    return np.array([np.sqrt(2) * w["speed"] * 2.0**np.floor(np.log2(w["time"])) for w in found])


def growth(cases, e):
    """The rms over that of the elastic gas, by density, in the last window."""
    return [cases[d, e][-1]["rms"] / cases[d, 1.0][-1]["rms"] for d in DENSITIES]


def draw(cases):
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.6), sharey=True, layout="constrained")
    for a, density in zip(axes, DENSITIES):
        for k, e in enumerate(RESTITUTIONS):
            found = cases[density, e]
            ends = [w["end"] for w in found]
            a.loglog(ends, [w["rms"] for w in found], "o-", color=COLORS[k], label="$e$ = %g" % e)
            a.loglog(ends, rounded_clock(found) / np.sqrt(12), ":", color=COLORS[k])
        a.set(title="$N/V$ = %g" % density, xlabel="collisions a sphere")
    axes[0].set_ylabel("rms of separation at impact / $2^{-52}\\sigma$")
    axes[0].plot([], [], ":", color="#555555", label="one rounding of the clock")
    axes[0].legend()
    return figure


def run(lab):
    edge, ends, seeds = lab.length(10, 6), WINDOWS if lab.full else WINDOWS[:3], range(1, 5)
    cases = {(d, e): pooled([windows(lab, d, e, seed, edge, ends) for seed in seeds]) for d in DENSITIES for e in RESTITUTIONS
             if lab.selects("%g-%g" % (d, e))}
    if lab.only:
        return None
    report = Report("impact_clock", "Separation at impact, one clock", "section 3 and figure 3", lab)
    for e in RESTITUTIONS[1:]:
        ratios = growth(cases, e)
        report.claim("errors in inelastic systems, one clock, after %d collisions a sphere: e = %g" % (ends[-1], e), "significantly larger",
                     "rms %.3f to %.3f of that for e = 1" % (min(ratios), max(ratios)), max(ratios) > 1.5)
    report.table("Each case", ["N/V", "e", "collisions a sphere", "impacts", "overlapping", "mean", "rms", "the clock", "rms speed"],
                 [[d, e, "%g" % w["end"], "%d" % w["impacts"], "%.1f %%" % (100 * w["overlapping"]), "%+.2f" % w["mean"],
                   "%.2f +- %.2f" % (w["rms"], w["error"]), power(w["time"]), power(w["speed"])]
                  for (d, e), found in cases.items() for w in found])
    report.notes += [
        "N = %d within elastic walls, 4 starts a case; a row is the impacts since the row above, and the clock and the speed at its end. A contact "
        "within 1e-3 mean free times of a sphere's last one is elastic, so that inelastic collapse does not end the run." % edge**3,
        "A time of impact is rounded to a multiple of the spacing of numbers at the clock, and the spheres move v times that meanwhile. In an elastic "
        "gas the clock grows by one mean free time a collision and v stays: errors grow without bound. A cooling gas obeys Haff's law, v t tends to "
        "a constant (the mean free path over 1 - e^2), and errors with it. A program that keeps its clock has larger errors where the gas is elastic, "
        "the opposite of the claim; one that sets its clock back (as the engine does) has the same in both."]
    values = ["end", "impacts", "overlapping", "mean", "rms", "error", "time", "speed"]
    report.columns = ["density", "restitution", "collisions_a_sphere"] + values[1:]
    report.rows = [[d, e] + ["%.6g" % w[name] for name in values] for (d, e), found in cases.items() for w in found]
    report.figure = draw(cases)
    return report
