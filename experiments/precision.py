"""The rule in single, double, long double and quad precision. It holds no tolerance, and the paper says that more exact numbers
reduce the stabilising collisions; here it is counted how much. A stabilising collision has an overlap at the moment
that it is found."""
from math import log10, sqrt

import numpy as np

from .lab import COLORS, Report, gas, histogram, observed, plt, power
from .plate import drop

NUMBERS = {"float": 2.0**-23, "double": 2.0**-52, "long_double": 2.0**-63, "quad": 2.0**-112}
RESTITUTIONS, COUNT, DENSITY = (1.0, 0.9, 0.6, 0.3, 0.1), 1000, 0.9
FALL, COLLAPSING = 2000, 400000  # heights of the plate; collisions where e is small, the same for all
FULL = {"float": 4000000, "double": 4000000, "long_double": 1000000, "quad": 200000}
QUICK = {"float": 300000, "double": 300000, "long_double": 100000, "quad": 20000}
STILL = 10  # impacts at one instant that are called rest
TC = 1e-12  # contact duration: short, so that a collapse comes as far as double precision can follow it


def case(lab, e, precision):
    def work():
        text = gas(DENSITY, e, COUNT, "{collisions: %d}" % collisions, precision=precision, tc=TC)
        found = lab.carom_library.run("precision", text)
        impacts = histogram(found)
        return {"stabilising": observed(found, "stabilising", "stabilising"), "collisions": found["events"]["collision"],
                "again": observed(found, "three_body", "again"), "deepest": found["max_overlap"], "stop": found["stop"],
                "overlapping": found["observables"]["impact_separation"]["mean"],
                "rms": sqrt(sum(n * s * s for s, n in impacts.items()) / sum(impacts.values()))}
    collisions = lab.length(COLLAPSING if e < 0.5 else FULL[precision], 20000 if e < 0.5 else QUICK[precision])
    key = {"e": e, "precision": precision, "collisions": collisions, "tc": TC, "count": COUNT, "density": DENSITY}
    return lab.remember("precision-%s-%g" % (precision, e), key, work)


def balls(lab, precision, count):
    """Impacts of a ball on a plate before its clock stands still, and the error of that time."""
    def work():
        seen = []
        for height in np.random.default_rng(5).random(count):
            stop, time, events, _ = drop(lab.carom_library, float(height), "stable", precision, "hard.collapse.count=%d" % STILL)
            if stop != "collapse":
                raise RuntimeError("a ball in %s ended by %s" % (precision, stop))
            seen.append([events - STILL, abs(time - 3)])
        return seen
    return lab.remember("precision-plate-%s" % precision, {"precision": precision, "count": count, "still": STILL}, work)


def most_likely_less(found):
    """Upper limit of a frequency where nothing was seen: 95 %."""
    return 3 / found["collisions"]


def draw(cases, plates):
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.9), layout="constrained",
                                                 gridspec_kw={"width_ratios": [1.4, 1, 1]})
    for k, e in enumerate(RESTITUTIONS):
        seen = [(NUMBERS[p] * 1.25 ** (k - 2), cases[e, p]) for p in NUMBERS]
        some = [(x, c["stabilising"] / c["collisions"]) for x, c in seen if c["stabilising"] > 0]
        none = [(x, most_likely_less(c)) for x, c in seen if c["stabilising"] == 0]
        left.plot([x for x, _ in some], [y for _, y in some], "o-", color=COLORS[k], label="$e$ = %g" % e)
        left.plot([x for x, _ in none], [y for _, y in none], "v", color=COLORS[k], markerfacecolor="none")
    elastic = cases[1.0, "float"]
    if elastic["stabilising"] > 0:
        x = np.array([1e-36, 1e-6])
        left.plot(x, elastic["stabilising"] / elastic["collisions"] * x / NUMBERS["float"], "--", color="#999999", linewidth=1)
    left.set(xscale="log", yscale="log", xlabel="spacing of numbers at one", ylabel="stabilising collisions per collision",
             ylim=(1e-17, 8), xlim=(1e-35, 1e-5), title="gas, $N/V$ = %g (triangles: none seen, less than)" % DENSITY)
    left.legend(loc="lower left")
    left.text(1e-14, 1e-14, "float's in a fluid,\nfalling with the spacing", fontsize=8, color="#777777")
    for p, place in zip(NUMBERS, ("center", "left", "right", "center")):
        left.text(NUMBERS[p], 1.6, p.replace("_", " "), ha=place, fontsize=8, color="#555555")
    middle.plot(list(NUMBERS.values()), [max(cases[e, p]["deepest"] for e in RESTITUTIONS) for p in NUMBERS], "o", color=COLORS[3])
    x = np.array([1e-35, 1e-5])
    middle.plot(x, 10 * x, "--", color="#999999", linewidth=1)
    middle.text(1e-22, 1e-24, "10 spacings", color="#777777", fontsize=8.5)
    middle.set(xscale="log", yscale="log", xlabel="spacing of numbers at one", ylabel="deepest overlap at an impact / $\\sigma$",
               title="overlaps stay rounding")
    bits = [-log10(NUMBERS[p]) / log10(2) for p in NUMBERS]
    right.plot(bits, [np.median([n for n, _ in plates[p]]) for p in NUMBERS], "o-", color=COLORS[0])
    right.axline((23, 23), slope=1, linestyle="--", color="#999999", linewidth=1)
    right.text(55, 66, "bits", color="#777777", fontsize=8.5)
    right.set(xlabel="bits of the numbers", ylabel="impacts until the clock stands still", title="ball on a plate, $e$ = 1/2")
    return figure


def run(lab):
    numbers = list(NUMBERS)
    cases = {(e, p): case(lab, e, p) for p in numbers for e in RESTITUTIONS if lab.selects("%s-%g" % (p, e))}
    plates = {p: balls(lab, p, FALL if lab.full else 50) for p in numbers if lab.selects(p)}
    if lab.only:
        return None
    report = Report("precision", "The rule in four precisions", "announced in section 4.2, not shown", lab)
    single = [cases[e, "float"] for e in RESTITUTIONS if e >= 0.6]
    exact = [cases[e, p] for e in RESTITUTIONS for p in numbers[1:] if e >= 0.6]
    report.claim("fluid (e >= 0.6): more exact numbers reduce the stabilising collisions", "yes",
                 "%s per collision in float; %d in %.0e collisions of the others (2^-29 of float's would be %s in double)" % (
                     power(sum(c["stabilising"] for c in single) / sum(c["collisions"] for c in single)),
                     sum(c["stabilising"] for c in exact), sum(c["collisions"] for c in exact),
                     power(2.0**-29 * sum(c["stabilising"] for c in single) / sum(c["collisions"] for c in single))),
                 sum(c["stabilising"] for c in single) > 0 and sum(c["stabilising"] for c in exact) == 0)
    worst = {p: cases[0.1, p]["stabilising"] / cases[0.1, p]["collisions"] for p in numbers}
    report.claim("collapsing clusters (e = 0.1)", "-", ", ".join("%s %s" % (p, power(worst[p])) for p in numbers), None)
    deep = {p: max(cases[e, p]["deepest"] for e in RESTITUTIONS) / NUMBERS[p] for p in numbers}
    report.claim("the rule is used unchanged: overlaps stay at rounding", "yes", "deepest, in spacings: " +
                 ", ".join("%s %.0f" % (p, deep[p]) for p in numbers), max(deep.values()) < 66)  # three times the deepest of 2e7 impacts
    halves = [cases[e, p]["overlapping"] for e in RESTITUTIONS for p in numbers]
    report.claim("about half of all impacts overlap, in each precision", "half (double)", "%.0f to %.0f %%" % (
        100 * min(halves), 100 * max(halves)), 0.4 < min(halves) and max(halves) < 0.6)  # half to a tenth: the share depends on e
    report.table("Counts", ["precision", "e", "collisions", "stabilising", "per collision", "hit again while overlapping",
                            "rms separation / spacing", "deepest overlap", "ended by"],
                 [[p, e, "%.0e" % c["collisions"], int(c["stabilising"]), power(c["stabilising"] / c["collisions"])
                   if c["stabilising"] else "< %s" % power(most_likely_less(c)), int(c["again"]), "%.1f" % c["rms"],
                   power(c["deepest"]), c["stop"]] for (e, p), c in cases.items()])
    report.table("Ball on a plate", ["precision", "impacts until its clock stands still (median)", "error of the time of rest (median)", "worst"],
                 [[p, "%.0f" % np.median([n for n, _ in plates[p]]), power(float(np.median([t for _, t in plates[p]]))),
                   power(max(t for _, t in plates[p]))] for p in numbers])
    report.notes += [
        "N = %s, N/V = %g, freely cooling; a collision within a time of %g of a sphere's last one is elastic. Distances are counted in "
        "the spacing of each precision's own numbers." % ("{:,}".format(COUNT), DENSITY, TC),
        "In a fluid the frequency is proportional to the spacing: a pair is in danger for as long as its overlap takes to clear. "
        "Where clusters collapse it is not: a collapse goes down to the rounding of any numbers, only some collisions later. In quad "
        "the contact duration ends it before.",
        "The times between the impacts of a ball halve, so each bit of the clock is good for one impact more.",
        "The time of a frame is a double, so the errors of the time of rest in long double and quad end at its rounding."]
    report.columns = ["precision", "spacing", "restitution", "collisions", "stabilising", "again", "rms_steps", "deepest_overlap"]
    report.rows = [[p, "%.3e" % NUMBERS[p], e, c["collisions"], int(c["stabilising"]), int(c["again"]), "%.3f" % c["rms"],
                    "%.3e" % c["deepest"]] for (e, p), c in cases.items()]
    report.figure = draw(cases, plates)
    return report
