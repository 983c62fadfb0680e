"""Fig. 3, other inelastic states: does dissipation make the errors of separations at impact larger? In a homogeneously driven gas, in
one run without a rescaling of velocities between its parts, and in the clusters at its end, each beside the elastic gas."""
import os

import numpy as np

from .impact_separation import COUNT, DENSITIES, OBSERVE, RESTITUTIONS, Spread, side
from .lab import COLORS, COMPRESSED, Report, gas, histogram, plt, power

PLAIN = {"policy": "stop", "tc": 0}  # no contact is spared its loss
BATH = "thermostat: {temperature: 1, rate: 2}, "
STATES = ("driven", "cooling", "late")


def summed_up(found):
    return {"impacts": sorted(histogram(found).items()), "stop": found["stop"], "collisions": found["events"]["collision"],
            "cooled": found["energy"]["kinetic"] / found["energy"]["initial"], "message": found["message"]}


def driven(lab, density, e, collisions):
    """A gas in a heat bath (Andersen), from its start on."""
    def work():
        text = gas(density, e, COUNT, "{collisions: %d}" % collisions, **PLAIN, start=COMPRESSED, more=BATH)
        return summed_up(lab.carom_library.run("driven", text, OBSERVE))
    return lab.remember("driven-%g-%g" % (density, e), {"density": density, "e": e, "collisions": collisions}, work)


def end_of(lab, density, e, collisions):
    return os.path.join(lab.cache, "cooled-%g-%g-%d.npz" % (density, e, collisions))


def cooling(lab, density, e, collisions):
    """A freely cooling gas in a single run; its last state is left beside the cache."""
    def work():
        found = lab.carom_library.run("cooling", gas(density, e, COUNT, "{collisions: %d}" % collisions, **PLAIN), OBSERVE)
        np.savez(end_of(lab, density, e, collisions), r=np.array(found["positions"]), v=np.array(found["velocities"]))
        return summed_up(found)
    return lab.remember("cooling-%g-%g" % (density, e), {"density": density, "e": e, "collisions": collisions}, work)


def late(lab, density, e, before, collisions):
    """The same gas, later."""
    def work():
        state = np.load(end_of(lab, density, e, before))
        return summed_up(lab.carom_library.run_from(
            "late", lambda start: gas(density, e, COUNT, "{collisions: %d}" % collisions, **PLAIN, start=start),
            state["r"], state["v"], side(density), OBSERVE))
    key = {"density": density, "e": e, "collisions": collisions, "before": before}
    return lab.remember("late-%g-%g" % (density, e), key, work)


def measured(lab, density, e):
    long, short = lab.length(20000000, 1000000), lab.length(4000000, 500000)
    return {"driven": driven(lab, density, e, short), "cooling": cooling(lab, density, e, long),
            "late": late(lab, density, e, long, short)}


def slower(found, e):
    """Cooling per collision over that of a homogeneous gas (Haff, Maxwell's velocities): far below one where there are clusters."""
    return np.log(found["cooled"]) / (-(1 - e * e) / 3 * 2 * found["collisions"] / COUNT)


def draw(spreads):
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.4), sharey=True, layout="constrained")
    for a, state in zip(axes, STATES):
        for k, density in enumerate(DENSITIES):
            a.plot([1 - e * e for e in RESTITUTIONS], [spreads[density, e, state].rms for e in RESTITUTIONS], "o-", color=COLORS[k],
                   label="$N/V$ = %g" % density)
        a.set(title=state, xlabel="$1 - e^2$", ylim=(0, None))
    axes[0].set_ylabel("rms of separation at impact / $2^{-52}\\sigma$")
    axes[0].legend()
    return figure


def run(lab):
    found = {(d, e): measured(lab, d, e) for d in DENSITIES for e in RESTITUTIONS if lab.selects("%g-%g" % (d, e))}
    if lab.only:
        return None
    spreads = {(d, e, s): Spread(dict(found[d, e][s]["impacts"])) for d, e in found for s in STATES}
    report = Report("impact_states", "Separation at impact in other inelastic states", "section 3 and figure 3", lab)
    for state, words in zip(STATES, ("in a heat bath", "cooling freely, no rescaling from outside, no loss spared",
                                     "the same, later")):
        growth = [spreads[d, e, state].rms / spreads[d, 1.0, state].rms for d in DENSITIES for e in RESTITUTIONS if e < 1]
        report.claim("errors in inelastic systems: " + words, "significantly larger", "rms %.2f to %.2f of that for e = 1" % (
            min(growth), max(growth)), max(growth) > 1.5)
    report.table("Each case", ["state", "e", "N/V", "impacts", "overlapping", "rms", "99 % within", "T over that at its start",
                               "cooling a collision, of Haff's", "ended by"],
                 [[s, e, d, "%.0e" % spreads[d, e, s].total, "%.2f %%" % (100 * spreads[d, e, s].overlapping),
                   "%.2f" % spreads[d, e, s].rms, "%.0f" % spreads[d, e, s].most, power(found[d, e][s]["cooled"]),
                   "%.3f" % slower(found[d, e][s], e) if e < 1 and s != "driven" else "-", found[d, e][s]["stop"]]
                  for d in DENSITIES for e in RESTITUTIONS for s in STATES])
    report.notes += [
        "N = %d. Driven: Andersen's bath, two meetings of a particle and time, temperature 1; cooling: one run from equilibrium; late: "
        "from the end of that one on, in which the gases of e = 0.6 are clusters (cooling a collision far below Haff's)." % COUNT,
        "The engine brings its clock back to 0 after every 16 collisions a body, and multiplies velocities by a power of two when they have "
        "cooled by 2^32 (exact): rounding is that of a warm gas. Where it is not larger than in the elastic gas, dissipation as such is "
        "no cause of larger errors; what the paper's program does to its clock it does not say."]
    report.columns = ["state", "restitution", "density", "floating_point_numbers_from_contact", "impacts"]
    report.rows = [[s, e, d, int(k), int(n)] for (d, e, s), x in spreads.items() for k, n in zip(x.steps, x.impacts)]
    report.figure = draw(spreads)
    return report
