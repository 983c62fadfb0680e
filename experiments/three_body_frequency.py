"""Fig. 5: the frequency of collisions of a sphere that overlaps another. Against restitution and density.

In an elastic gas that is so rare in double precision that the 9e9 collisions of figure 3's runs, in which it is counted, show it
seldom or never. The overlap of a pair is cleared in a time that is proportional to the spacing of numbers, and so is the chance of
being hit in it: single precision shows the law, and 2^-29 of its frequency is what double precision is expected to have."""
from math import exp, sqrt

from . import impact_separation
from .lab import COLORS, PAPER, Report, gas, observed, plt, power  # noqa: F401

COUNT, DENSITIES = 4000, (0.1, 0.5, 0.9)
RESTITUTIONS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
SINGLE = (1.0, 0.9, 0.8, 0.6)
OBSERVE = "observe=[{what: three_body, every: 1e300}, {what: stabilising, every: 1e300}]"
RATIO = 2.0**-29  # of the spacings of doubles and floats


def case(lab, density, e, precision, collisions):
    """Counts of one gas."""
    def work():
        text = gas(density, e, COUNT, "{collisions: %d}" % collisions, precision=precision, policy="stop")
        found = lab.carom_library.run("three_body", text, OBSERVE)
        return {"again": observed(found, "three_body", "again"), "double": observed(found, "three_body", "double"),
                "stabilising": observed(found, "stabilising", "stabilising"), "collisions": found["events"]["collision"],
                "stop": found["stop"]}
    key = {"density": density, "e": e, "precision": precision, "collisions": collisions, "count": COUNT, "policy": "stop"}
    return lab.remember("three_body-%s-%g-%g" % (precision, density, e), key, work)


def collapsed(found):
    return found["stop"] == "collapse"


def frequency(found):
    """Events a collision; None where there was none. A collapse is one: what it does before it is called so depends on when
    that is."""
    events = 1 if collapsed(found) else found["again"]
    return events / found["collisions"] if events > 0 else None


def counted(lab):
    """Counts of the runs of figure 3, {(density, e): counts}."""
    found = {}
    for density in impact_separation.DENSITIES:
        for e in impact_separation.RESTITUTIONS:
            runs = impact_separation.links(lab, density, e)
            found[density, e] = {value: sum(run[value] for run in runs) for _, value in impact_separation.COUNTED}
            found[density, e]["collisions"] = sum(n for run in runs for _, n in run["impacts"])
    return found


def most(events):
    """The largest mean of a Poisson count that shows no more than these events in one of 40 cases (97.5 %): Garwood, Biometrika 28,
    437 (1936)."""
    low, high = events, 4 * events + 10
    for _ in range(60):
        mean = (low + high) / 2
        chance, term = 0.0, exp(-mean)
        for k in range(int(events) + 1):
            chance += term
            term *= mean / (k + 1)
        low, high = (low, mean) if chance < 0.025 else (mean, high)
    return high


def draw_side(axes, cases, precision, restitutions, collisions):
    for k, density in enumerate(DENSITIES):
        seen = [(e, cases[precision, density, e]) for e in restitutions]
        x = [1 - e * e + 0.006 * (k - 1) for e, _ in seen]
        points = [(at, frequency(c), c) for at, (_, c) in zip(x, seen)]
        some = [(at, f, f * min(0.8, 1 / sqrt(c["again"]))) for at, f, c in points
                if f is not None and not collapsed(c)]
        label = "$N/V$ = %g" % density
        axes.errorbar([p[0] for p in some], [p[1] for p in some], yerr=[p[2] for p in some], fmt="o-", color=COLORS[k],
                      label=label, capsize=2, linewidth=1)
        ends = [(at, f) for at, f, c in points if collapsed(c)]
        axes.plot([p[0] for p in ends], [p[1] for p in ends], "X-", color=COLORS[k], linewidth=1, markersize=7)
        none = [(at, 1 / c["collisions"]) for at, f, c in points if f is None]
        axes.plot([p[0] for p in none], [p[1] for p in none], "v", color=COLORS[k], markerfacecolor="none", alpha=0.8)
    axes.set(yscale="log", xlabel="$1 - e^2$")


def draw(cases, collisions, single, expected):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.9), layout="constrained")
    draw_side(left, cases, "double", RESTITUTIONS, collisions)
    left.set(title="double precision", ylabel="spheres hit again while they overlap, per collision", ylim=(1e-17, 0.05))
    left.axhspan(0.5e-9, 2e-9, color="#dddddd", zorder=0)
    left.text(0.99, 2.6e-9, "the paper, dilute, $e$ = 1: $10^{-9}$", ha="right", color="#666666", fontsize=8.5)
    for k, density in enumerate(DENSITIES):
        law = [(1 - e * e, RATIO * f) for e in SINGLE for f in [frequency(cases["float", density, e])] if f is not None]
        left.plot([x for x, _ in law], [y for _, y in law], "*--", color=COLORS[k], markersize=7, linewidth=0.7)
    left.text(0.0, 5e-17, "stars: single precision $\\times\\ 2^{-29}$", color="#666666", fontsize=8.5)
    left.text(0.0, 2e-5, "triangles: none seen, less than", color="#666666", fontsize=8.5)
    left.text(0.9, 4e-3, "crosses: collapse", color="#666666", fontsize=8.5, ha="right")
    left.legend(loc="lower right")
    draw_side(right, cases, "float", SINGLE, single)
    right.set(title="single precision", ylim=(1e-7, 1e-3), xlim=(-0.05, 0.8))
    right.legend(loc="upper left")
    return figure


def run(lab):
    collisions, single = (2000000, 4000000) if lab.full else (200000, 400000)  # --size: of figure 3's runs alone
    wanted = [("double", d, e, collisions) for e in RESTITUTIONS for d in DENSITIES]
    wanted += [("float", d, e, single) for e in SINGLE for d in DENSITIES]
    cases = {(p, d, e): case(lab, d, e, p, n) for p, d, e, n in wanted if lab.selects("%s-%g-%g" % (p, d, e))}
    if lab.only:
        return None
    report = Report("three_body_frequency", "Three-body events", "figure 5", lab)
    expected = {d: (frequency(cases["float", d, 1.0]) or 1 / single) * RATIO for d in DENSITIES}
    long = counted(lab)

    def law(e):
        known = e if e in SINGLE else 1.0
        return {d: (frequency(cases["float", d, known]) or 1 / single) * RATIO for d in DENSITIES}
    totals = {e: (sum(c["again"] for (_, one), c in long.items() if one == e),
                  sum(c["collisions"] for (_, one), c in long.items() if one == e)) for e in impact_separation.RESTITUTIONS}
    for e, (events, collisions_of) in totals.items():
        bound, wanted = most(events) / collisions_of, 1e-9 if e == 1 else 1e-6
        report.claim("the runs of figure 3, e = %g, per collision" % e, "about 1e-9 (dilute)" if e == 1 else "up to three orders more",
                     "%d in %.1e collisions, so below %s (97.5 %%); from single precision %s to %s expected" % (
                         events, collisions_of, power(bound), power(min(law(e).values())), power(max(law(e).values()))),
                     events > 0 if events > 0 or bound < wanted else None)
    fluid = [c for (p, d, e), c in cases.items() if p == "double" and 0.4 <= e < 1]
    partial = [(e, d) for (p, d, e), c in cases.items() if p == "double" and 0.4 <= e < 1 and c["again"] > 0]
    single_fluid = [(frequency(cases["float", d, e]) or 0) / (expected[d] / RATIO) for d in DENSITIES for e in SINGLE if e < 1]
    report.claim("inelastic, e from 0.9 to 0.4", "three orders more than elastic",
                 "%d in %.0e collisions%s; in single precision (e from 0.9 to 0.6) %.1f to %.1f times as many as elastic" % (
                     sum(c["again"] for c in fluid), sum(c["collisions"] for c in fluid),
                     ", all in one gas (e = %g, N/V = %g)" % partial[0] if len(partial) == 1 else "", min(single_fluid),
                     max(single_fluid)),
                 max(single_fluid) > 300)
    ends = [(c["collisions"] / COUNT, e, d) for (p, d, e), c in cases.items() if p == "double" and collapsed(c)]
    before = max((e for _, e, _ in ends), default=0)
    report.claim("more inelastic", "three orders more than elastic",
                 "e <= %g: collapse within %.2g to %.2g collisions a sphere, each without end of such events" % (
                     before, min(ends)[0], max(ends)[0]) if ends else "no collapse", None)
    grows = [frequency(cases["float", d, 1.0]) or 0 for d in DENSITIES]
    report.claim("grows with density (elastic, single precision)", "yes", " < ".join(power(g) for g in grows) + " for N/V = 0.1, 0.5, 0.9",
                 grows == sorted(grows) and grows[0] < grows[-1])
    report.table("Counts", ["precision", "e", "N/V", "collisions", "hit again", "left overlapping two", "stabilising", "ended by"],
                 [[p, e, d, "%.3g" % c["collisions"], int(c["again"]), int(c["double"]), int(c["stabilising"]), c["stop"]]
                  for (p, d, e), c in cases.items()])
    report.table("Counts in the runs of figure 3 (N = 13,500, double)", ["e", "N/V", "collisions", "hit again", "left overlapping two",
                                                                        "stabilising", "a collision, below (97.5 %)"],
                 [[e, d, "%.1e" % c["collisions"], int(c["again"]), int(c["double"]), int(c["stabilising"]),
                   power(most(c["again"]) / c["collisions"])] for (d, e), c in sorted(long.items(), key=lambda x: (-x[0][1], x[0][0]))])
    report.notes += [
        "N = %s, freely cooling, policy stop: a run ends where it collapses, which here is when a sphere has collided 1,000 times "
        "while the clock stood still; a collapse counts as one event. An event is a collision of a sphere that overlaps a third "
        "(hit again); a stricter count, spheres left overlapping two, is in the table." % "{:,}".format(COUNT),
        "An overlap is some 5 to 15 spacings of doubles deep, about 1e-15, and is cleared in 1e-15 of the time between collisions: "
        "1e-9 as in the paper would need overlaps of 1e-9. With one event in 1e9 collisions the paper's number may be the least "
        "that its runs could show; what its code does to a pair it does not say.",
        "Where clusters of spheres collapse, contacts last and every collision is one of many bodies."]
    report.columns = ["precision", "restitution", "density", "collisions", "again", "double", "stabilising", "stop"]
    report.rows = [[p, e, d, c["collisions"], int(c["again"]), int(c["double"]), int(c["stabilising"]), c["stop"]]
                   for (p, d, e), c in cases.items()]
    report.figure = draw(cases, collisions, single, expected)
    return report
