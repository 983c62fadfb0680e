"""Section 8.1, figure 2: a spring bounces on a plane. Three ways, all in the engine (variational.contact): instantaneous impulses;
layers whose clocks are set anew at each activation; layers on clocks that run on."""
from math import log, sqrt

import numpy as np

from .lab import COLORS, Report, plt
from .layers import PAPER, summaries

ETA, K, RADIUS, START = 0.1, 1000.0, 0.1, (1.1, 2.1)
SCENE = """carom: 1
engine: variational
dimension: 2
box: {size: [4, 8], boundary: open}
species: {ball: {radius: %r, mass: 1}}
particles: [{species: ball, place: {at: [[2, %r], [2, %r]]}}]
planes: [{name: floor, point: [0, 0], normal: [0, 1]}]
springs: [{name: spring, pairs: [[0, 1]], stiffness: 1, length: 1}]
fields: {gravity: [0, -1]}
variational: {eta: %r, stiffness: %r%s}
run: {until: {time: 1e8}}
"""
PERIOD = 1.8  # time between two bounces, about


def scene(higher=0.0, settings=""):
    """The start `higher` than the paper's; settings of the engine."""
    return SCENE % (RADIUS, *(y + higher for y in START), ETA, K, settings)


def bounce(lab, name, bounces, samples, *sets, higher=0.0, step=0.005, most=None):
    """[bounces, energy over that at the start] at each of the samples, until the energy is `most` of that at the start; forces a bounce."""
    text = scene(higher, ", material_step: %r" % step)

    def work():
        times, rows, last = np.linspace(0, bounces * PERIOD, samples + 1)[1:], [], None
        for last in summaries(lab.carom_library, name, text, times, *sets):
            energy = last["energy"]
            rows.append([last["events"]["wall"], energy["total"] / energy["initial"]])
            if most is not None and rows[-1][1] > most:
                break
        return {"rows": rows, "kicks": last["events"]["force"] / max(last["events"]["wall"], 1)}
    return lab.remember(name, {"scene": text, "bounces": bounces, "samples": samples, "sets": list(sets), "most": most}, work)


PAPER_LAYERS = ("variational.exponent=2", "variational.step_law=1.5")
IMPULSES = ("variational.contact=impulses", "variational.gravity=kick", "variational.gravity_step=0.02")
REALIGNED = ("variational.contact=realigned",) + PAPER_LAYERS
SHIFT = 0.0137  # by which starts differ


def impulses(lab, bounces, samples, start=0):
    """Gravity and the spring kick together at multiples of 0.02; the plane turns the lower mass round at once."""
    return bounce(lab, "impulses", bounces, samples, *IMPULSES, higher=SHIFT * start, step=0.02)["rows"]


def walk(lab, starts, bounces, samples):
    """How the root mean square of the change over the starts grows: bounces, and the rms; the exponent with its error."""
    runs = np.array([impulses(lab, bounces, samples, k) for k in range(1, starts + 1)])
    n, rms = runs[:, :, 0].mean(0), np.sqrt(((runs[:, :, 1] - 1) ** 2).mean(0))
    halves = [np.sqrt(((runs[k::8, :, 1] - 1) ** 2).mean(0)) for k in range(8)]
    slope = [float(np.polyfit(np.log(n), np.log(r), 1)[0]) for r in [rms] + halves]
    return n, rms, slope[0], float(np.std(slope[1:], ddof=1) / sqrt(8))


# ---- the report -----------------------------------------------------------------------------------------------------------


def trend(rows):
    """The change of the energy over the run, by a straight line through it, over the energy at the start."""
    x, y = np.array(rows).T
    return float(np.polyfit(x / x[-1], y, 1)[0])


def blocks(rows, count=10):
    return [float(b.mean()) - 1 for b in np.array_split(np.array(rows)[:, 1], count)]


def draw(curves, anew, walked):
    figure, (left, right, last) = plt.subplots(1, 3, figsize=(13, 3.6), layout="constrained")
    for rows in anew[1:]:
        left.plot(*np.array(rows).T, color=COLORS[3], linewidth=0.5, alpha=0.4)
    for (name, rows), color in zip(curves.items(), (COLORS[0], COLORS[3], COLORS[1], COLORS[2])):
        x, y = np.array(rows).T
        left.plot(x, y, color=color, label=name)
        if name.startswith("proposed"):
            right.plot(x, 100 * (y - 1), color=color, linewidth=0.8, label=name)
    left.set(xscale="log", xlabel="bounces", ylabel="energy / energy at the start", ylim=(0.3, 3), title="figure 2")
    right.set(xscale="log", xlabel="bounces", ylabel="energy, % off the start", ylim=(-5, 5), title="the proposed method")
    last.plot(*walked, "o", color=COLORS[0], label="contact: impulses")
    last.plot(walked[0], walked[1][-1] * np.sqrt(walked[0] / walked[0][-1]), "--", color="#555555", linewidth=0.8, label="$n^{1/2}$")
    last.set(xscale="log", yscale="log", xlabel="bounces, $n$", ylabel="rms change of the energy / start", title="a random walk")
    for axis in (left, right, last):
        axis.legend()
    return figure


def run(lab):
    many, some, few = lab.length(1000000, 10000), lab.length(10000, 2000), lab.length(50000, 3000)
    ours = bounce(lab, "proposed, p = 3", many, 4000)
    paper = bounce(lab, "proposed, p = 2", some, 1000, *PAPER_LAYERS, "variational.courant=0.01")
    bound = sqrt(2 / K)
    runs = [bounce(lab, "trends", few, 500, "variational.step=%r" % (0.05 * bound * (1 + 0.01 * k))) for k in range(8)]
    struck = impulses(lab, some, 500)
    n, rms, slope, error = walk(lab, lab.length(256, 64), 300, 30)
    anew = [bounce(lab, "realigned", 3000, 500, *REALIGNED, higher=SHIFT * k, step=0.02, most=3.0)["rows"] for k in range(lab.length(16, 4))]
    cubic = bounce(lab, "realigned, p = 3", some, 500, "variational.contact=realigned")["rows"]
    if lab.only:
        return None
    report = Report("variational_spring", "A spring bounces on a plane", "section 8.1, figure 2", lab, PAPER)
    span, slopes = blocks(ours["rows"]), [trend(r["rows"]) for r in runs]
    trending, unsure = float(np.mean(slopes)), float(np.std(slopes, ddof=1) / sqrt(len(slopes)))
    bounces = ours["rows"][-1][0]
    report.claim("proposed method, p = 3 (the spring's own step 0.005, else as by default): mean energy", "no drift (1 %% over %d bounces asked for)" % many,
                 "%+.3f %% over %s bounces; tenths of the run from %+.3f to %+.3f %%" % (100 * np.mean(span), "{:,}".format(bounces), 100 * min(span), 100 * max(span)),
                 max(abs(b) for b in span) < 0.0013)  # three times what the tenths wander by
    report.claim("no trend", "none seen", "%+.4f +- %.4f %% over %s bounces, 8 runs with steps that differ by a hundredth" % (100 * trending, 100 * unsure, "{:,}".format(few)),
                 abs(trending) < 3 * unsure)
    two = blocks(paper["rows"])
    report.claim("p = 2, the paper's layers and step law, c = 0.01", "no drift", "over %s bounces tenths from %+.2f to %+.2f %%" % (
        "{:,}".format(paper["rows"][-1][0]), 100 * min(two), 100 * max(two)), max(abs(b) for b in two) < 0.006)
    wide = np.array(struck)[:, 1]
    report.claim("`contact: impulses`: the energy walks at random", "random walk", "after %s bounces %.2f of the start, between %.2f and %.2f" % (
        "{:,}".format(struck[-1][0]), wide[-1], wide.min(), wide.max()),
        0.8 < log(wide.max() / wide.min()) / (rms[-1] * sqrt(struck[-1][0] / n[-1])) < 3.03)  # the range of a walk is 1.60 of its rms, deviation 0.48
    report.claim("and its change grows as the root of the number of bounces", "random walk", "rms of %d starts: %.3f after %.0f bounces, %.3f after %.0f: exponent %.2f +- %.2f" % (
        lab.length(256, 64), rms[0], n[0], rms[-1], n[-1], slope, error),
        abs(slope - 0.5) < 3 * error and abs(rms[-1] / sqrt(n[-1] / 236) / 0.107 - 1) < 3 / sqrt(2 * lab.length(256, 64)))
    rates = [log(rows[-1][1]) / rows[-1][0] for rows in anew]
    rate, spread = float(np.mean(rates)), float(np.std(rates, ddof=1) / sqrt(len(rates)))
    report.claim("`contact: realigned` (p = 2, step law 3/2, c = 0.05): the energy grows", "grows monotonically", "%.2f of the start after %s bounces; %.3f +- %.3f %% a bounce, each of %d starts "
                 "between %.3f and %.3f" % (anew[0][-1][1], "{:,}".format(anew[0][-1][0]), 100 * rate, 100 * spread, len(rates), 100 * min(rates), 100 * max(rates)),
        abs(rate - 1.07e-3) < 3 * 4e-5 / sqrt(len(rates)))  # starts scatter by 4e-5
    late = np.array(cubic)[-50:, 1].mean() - 1
    report.claim("`contact: realigned`, p = 3 (default)", "-", "%+.2f %% of the start after %s bounces: layers without a kink scatter so little energy that clocks begun anew hardly matter" % (
        100 * late, "{:,}".format(cubic[-1][0])), None)
    report.notes += ["Two unit masses, unit spring and length, g = 1, eta = 0.1, k = 1000; the lower mass starts 1 above the plane. "
                     "Forces a bounce, those of the spring included: %.0f (p = 3), %.0f (p = 2). The masses have radii of 0.1 and touch each other, too." % (ours["kicks"], paper["kicks"]),
                     "In a single run the energy wanders like the sum of independent errors: a slope fitted to one run is not evidence of a trend. "
                     "The slope test is over runs whose steps differ, so that their errors do.",
                     "Impulses: gravity and the spring kick together at multiples of 0.02, as in the paper's first experiment. The exponent is a fit over 10 to 300 bounces; "
                     "its error comes from eight groups of starts, whose heights differ by %g." % SHIFT]
    report.columns = ["variant", "bounces", "energy"]
    curves = {"contact: impulses": struck, "contact: realigned, p = 2": anew[0], "proposed, p = 2, c = 0.01": paper["rows"],
              "proposed, p = 3 (default)": ours["rows"]}
    report.rows = [[name, count, "%.6f" % e] for name, rows in curves.items() for count, e in rows]
    report.figure = draw(curves, anew, (n, rms))
    return report
