"""Methods before the rule (section 3), each with its failure: an inelastic gas whose clusters collapse,
the ball on the plate, what a bias does to the dynamics, and what a retrospective search costs."""
from math import pi

import numpy as np

from .lab import COLORS, Report, gas, observed, plt
from .plate import drop

WAYS = ("stable", "naive", "rewind", "ignore_overlap", "bias", "retrospective")
NAMES = {"stable": "the stable rule", "naive": "text-book formula", "rewind": "text-book formula, negative times carried out",
         "ignore_overlap": "overlapping pairs ignored", "bias": "contact a little early (bias 1e-12)",
         "retrospective": "contact sought backwards"}
COUNT, DENSITY, INELASTIC, SEEDS = 2000, 0.5, 0.2, 8
BIASES = (0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
OBSERVE = "observe=[{what: stabilising, every: 1e300}]"
SUNK = 1e-6  # an overlap that no rounding makes


def deepest(positions, box):
    """Largest overlap of unit spheres in a periodic box."""
    r, deep = np.array(positions), 0.0
    for k in range(0, len(r), 250):
        d = r[k:k + 250, None, :] - r[None, :, :]
        d -= box * np.rint(d / box)
        square = (d * d).sum(axis=2)
        square[square == 0] = 4
        deep = max(deep, 1 - np.sqrt(square.min()))
    return deep


def granular(lab, way, seed, collisions):
    """An inelastic gas, looked at as its clock doubles: when it ends, or spheres are seen to have sunk into each other."""
    def work():
        box = (COUNT / DENSITY) ** (1 / 3)
        text = gas(DENSITY, INELASTIC, COUNT, "{collisions: %d}" % collisions, seed=seed, detection=way, tc=1e-9)
        carom, time, deep, sunk, quiet, before = lab.carom_library, 1.0, 0.0, None, 0, 0
        scene, sim = carom.begin("granular", text, [OBSERVE])
        while True:
            carom.lib.carom_sim_advance(sim, time)
            found = carom.summary(sim)
            deep = max(deep, deepest(carom.look(sim)[0], box))
            if deep > SUNK and sunk is None:
                sunk = found["events"]["collision"]
            quiet = quiet + 1 if found["events"]["collision"] == before else 0
            before = found["events"]["collision"]
            if found["stop"] not in ("time", "none") or quiet > 60:
                break
            time *= 1.1
        if found["stop"] not in ("time", "none"):
            carom.lib.carom_sim_run(sim)  # has ended: observers take their last sample
            found = carom.summary(sim)
        carom.end(scene, sim)
        return {"stop": found["stop"], "collisions": found["events"]["collision"], "deepest": deep, "sunk": sunk,
                "stabilising": observed(found, "stabilising", "stabilising"), "message": found["message"]}
    return lab.remember("granular-%s-%d" % (way, seed), {"way": way, "seed": seed, "collisions": collisions, "scene": 2}, work)


def plates(lab, way, count):
    """The events after which balls are lost, and how many balls hop on without end."""
    def work():
        lost, hopping = [], 0
        for height in np.random.default_rng(3).random(count):
            stop, _, events, above = drop(lab.carom_library, float(height), way, "double", "run.until.events=5000")
            hopping += stop == "events"
            if stop not in ("collapse", "events") or abs(above) > 1e-9:
                lost.append(events)
        return {"lost": lost, "hopping": hopping}
    return lab.remember("plates-%s" % way, {"way": way, "count": count, "events": 5000}, work)


def fluid(lab, way, bias, collisions):
    """Collisions of a sphere per unit time in an elastic gas, seconds of the processor a collision, and overlapping impacts."""
    def work():
        text = gas(DENSITY, 1.0, COUNT, "{collisions: %d}" % collisions, detection=way, bias=bias)
        found = lab.carom_library.run("fluid", text, "observe=[{what: impact_separation, every: 1e300}]")
        return {"rate": 2 * found["events"]["collision"] / (COUNT * found["time"]), "stop": found["stop"],
                "cost": found["cpu_s"] / found["events"]["collision"], "overlapping": found["observables"]["impact_separation"]["mean"]}
    return lab.remember("fluid-%s-%g" % (way, bias), {"way": way, "bias": bias, "collisions": collisions}, work)


def contact_value(density):
    """g(1) of hard spheres (Carnahan and Starling, J. Chem. Phys. 51, 635 (1969)); the collision rate is 4 sqrt(pi) n g."""
    eta = density * pi / 6
    return (1 - eta / 2) / (1 - eta) ** 3


def expected_shift(bias):
    """Relative change of the collision rate of spheres that are larger by the bias."""
    wide = (1 + bias) ** 3
    return (1 + bias) ** 2 * contact_value(DENSITY * wide) / contact_value(DENSITY) - 1


def outcome(runs):
    """In words, for a gas under one way, over the seeds."""
    halts = [r["collisions"] for r in runs if r["stop"] == "no_progress"]
    sunk = [r["sunk"] for r in runs if r["sunk"] is not None]
    stuck = [r["collisions"] for r in runs if r["stop"] == "collapse"]
    words = []
    for what, seen in (("halts: an event before the present", halts), ("spheres inside each other", sunk), ("collapse", stuck)):
        if seen:
            words.append("%s in %d of %d, after %.3g collisions (median)" % (what, len(seen), len(runs), np.median(seen)))
    return "; ".join(words) or "goes on, to the end"


def failures(runs):
    return [min(r["collisions"], r["sunk"] or r["collisions"]) for r in runs
            if r["stop"] in ("no_progress", "collapse") or r["sunk"] is not None]


def draw(gases, lost, count, biases, rate, collisions):
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.9), layout="constrained",
                                                 gridspec_kw={"width_ratios": [1.5, 1, 1]})
    rows = list(range(len(WAYS)))[::-1]
    for row, way, color in zip(rows, WAYS, COLORS):
        for n, r in enumerate(gases[way]):
            failed = failures([r])
            y = row + 0.28 * (n / max(len(gases[way]) - 1, 1) - 0.5) * 2
            left.plot(failed or [r["collisions"]], [y], "X" if failed else "|", color=COLORS[3] if failed else COLORS[2],
                      markersize=6 if failed else 12)
    left.set(xscale="log", yticks=rows, yticklabels=[NAMES[w].replace(", ", ",\n") for w in WAYS],
             xlabel="collisions until it fails (crosses) or ends (bars)", xlim=(1e3, 2 * collisions),
             title="gas, $N$ = %s, $e$ = %g" % ("{:,}".format(COUNT), INELASTIC))
    shares = [100 * len(lost[w]["lost"]) / count for w in WAYS]
    hopping = [100 * lost[w]["hopping"] / count for w in WAYS]
    middle.barh(rows, shares, color=COLORS[3], height=0.55, label="lost")
    middle.barh(rows, hopping, left=shares, color=COLORS[1], height=0.55, label="hop without end")
    for row, some, more in zip(rows, shares, hopping):
        words = ["%.1f %%" % s for s in (some, more) if s > 0]
        middle.text(some + more + 1.5, row, " + ".join(words) or "none", va="center", fontsize=8.5)
    middle.set(yticks=rows, yticklabels=[], xlabel="balls that do not come to rest / %", xlim=(0, 130),
               title="ball on a plate, $e$ = 0.5")
    middle.legend(loc="upper right")
    x = np.logspace(-3.3, -1.1, 50)
    right.plot(x, [expected_shift(b) for b in x], color="#999999", linewidth=1, label="spheres that much larger\n(Carnahan-Starling)")
    shifts = [(b, f["rate"] / rate - 1) for b, f in biases.items()]
    right.plot([b for b, s in shifts if s > 0], [s for _, s in shifts if s > 0], "o", color=COLORS[0], label="measured")
    right.set(xscale="log", yscale="log", xlabel="bias", ylabel="relative change of the collision rate",
              title="a bias is another system")
    right.legend(loc="upper left")
    return figure


def run(lab):
    collisions, count, long = lab.length(1000000, 150000), lab.length(20000, 1000), lab.length(4000000, 300000)
    seeds = SEEDS if lab.full else 2
    gases = {w: [granular(lab, w, s, collisions) for s in range(1, seeds + 1)] for w in WAYS if lab.selects(w)}
    lost = {w: plates(lab, w, count) for w in WAYS if lab.selects(w)}
    fluids = {w: fluid(lab, w, 1e-12, long) for w in WAYS if lab.selects(w)}
    biases = {b: fluid(lab, "bias", b, long) for b in BIASES if lab.selects("bias")}
    if lab.only:
        return None
    report = Report("remedies", "What was done before the rule", "section 3", lab)
    paper = {"stable": "stable", "naive": "negative times", "rewind": "rewinds, which lead to other overlaps",
             "ignore_overlap": "fails to resolve three-body contacts", "bias": "there are cases where overlaps form",
             "retrospective": "there are cases where overlaps form"}
    for way in WAYS:
        failed = failures(gases[way])
        report.claim("gas, e = %g, %.0e collisions: %s" % (INELASTIC, collisions, NAMES[way]), paper[way],
                     "%s; deepest overlap seen %.1e" % (outcome(gases[way]), max(r["deepest"] for r in gases[way])),
                     not failed if way == "stable" else bool(failed))
    for way in WAYS:
        share, events, hopping = len(lost[way]["lost"]) / count, lost[way]["lost"], lost[way]["hopping"] / count
        words = "%.1f %% lost%s" % (100 * share, ", after %.0f events" % np.mean(events) if events else "")
        words += "; %.1f %% hop without end" % (100 * hopping) if hopping > 0 else ""
        report.claim("ball on a plate: %s" % NAMES[way], "no failure" if way == "stable" else "-", words,
                     share + hopping == 0 if way == "stable" else None)
    report.claim("elastic fluid: impacts that overlap, by contact a little early and sought backwards", "prevented",
                 "%.2g and %.2g of %.0e" % (fluids["bias"]["overlapping"], fluids["retrospective"]["overlapping"], long),
                 fluids["bias"]["overlapping"] == 0 and fluids["retrospective"]["overlapping"] == 0)
    wide = biases[0.01]["rate"] / fluids["stable"]["rate"] - 1
    report.claim("a bias simulates a slightly different system", "yes", "bias 0.01: collision rate %+.1f %%, as of larger spheres (%+.1f %%)" % (
        100 * wide, 100 * expected_shift(0.01)), abs(wide - expected_shift(0.01)) < 0.002)  # three errors of two rates, 5e-4 each
    ratio = fluids["retrospective"]["cost"] / fluids["naive"]["cost"]
    report.claim("a retrospective search is expensive", "yes", "%.2f times the time of the text-book formula (both without vectors)" % ratio,
                 ratio > 1.1)
    report.table("The gas, run by run", ["detection", "seed", "stop", "collisions", "sunk after", "deepest overlap", "stabilising"],
                 [[w, s + 1, r["stop"], "%.4g" % r["collisions"], "-" if r["sunk"] is None else "%.3g" % r["sunk"],
                   "%.1e" % r["deepest"], int(r["stabilising"])] for w in WAYS for s, r in enumerate(gases[w])])
    report.notes += [
        "The gas: N = %s, N/V = %g, freely cooling, a collision within a time of 1e-9 of a sphere's last one elastic; the same %d starts "
        "for all. Positions are looked at each time that the clock has gone on by a tenth; a "
        "gas that has not collided while it went on 300-fold is left." % ("{:,}".format(COUNT), DENSITY, seeds),
        "Where overlapping pairs are ignored or negative times carried out, the engine goes on as if nothing were wrong. Negative times "
        "did no harm to spheres in any gas that was tried: each body here has a time of its own, and a step back moves the two that "
        "collide, not all. On the plate they fail as the text-book formula does, by a contact that it does not find.",
        "With a bias a ball on a plate is lost in the margin, or hops on it without end at 5e-9; contact sought backwards is found above "
        "the plate, and the ball hops on what is left (stopped here after 5,000 events).",
        "The retrospective search goes back by steps that double, a few evaluations for every second collision: little time, contrary "
        "to what the paper fears.",
        "The paper names these remedies without formulas; `carom help hard.detection` says how they were read. A pair within the "
        "biased distance is found at the true one, so that a sphere driven into that margin is a text-book case again; the retrospective "
        "search goes back along the flight to the last event at most."]
    report.columns = ["detection", "seed", "stop", "collisions", "sunk_after", "deepest_overlap", "balls_not_at_rest_share"]
    report.rows = [[w, s + 1, r["stop"], r["collisions"], r["sunk"] or "", "%.3e" % r["deepest"], (len(lost[w]["lost"]) + lost[w]["hopping"]) / count]
                   for w in WAYS for s, r in enumerate(gases[w])]
    report.figure = draw(gases, lost, count, biases, fluids["stable"]["rate"], collisions)
    return report
