"""Fig. 3: the separation of spheres at their impacts. One bin per floating-point number; N = 13,500, periodic, number densities
0.1, 0.5, 0.9, restitution 1, 0.9, 0.6, up to 1e9 collisions each.

A case is a chain of runs, each from the state that the last one left. A gas that cools is brought back to temperature 1 in
between - its dynamics knows no scale of time - because after 1e9 collisions its speeds would be beyond all numbers."""
import os

import numpy as np

from .lab import COLORS, COMPRESSED, Report, gas, histogram, observed, plt

COUNT, DENSITIES, RESTITUTIONS, LINK = 13500, (0.1, 0.5, 0.9), (1.0, 0.9, 0.6), 10000000
OVERLAPPING = {0.1: 0.4948, 0.5: 0.48735, 0.9: 0.4851}  # by density, of 1e9 impacts; e = 0.6 to 1 within 0.001
OBSERVE = "observe=[%s]" % ", ".join("{what: %s, every: 1e300}" % what for what in ("impact_separation", "three_body", "stabilising"))
COUNTED = (("three_body", "again"), ("three_body", "double"), ("stabilising", "stabilising"))


def name_of(density, e):
    return "impacts-%g-%g" % (density, e)


def state_file(lab, density, e, collisions, link):
    return os.path.join(lab.cache, "%s-%d-%d.npz" % (name_of(density, e), collisions, link))


def side(density):
    return (COUNT / density) ** (1 / 3)


def thermal(v):
    """The same motion in the frame of the centre of mass at temperature 1."""
    v = v - v.mean(axis=0)
    return v / np.sqrt((v * v).sum() / (3 * len(v)))


def link(lab, density, e, collisions, index):
    """Impacts by separation in the index-th run of a chain; its last state is left beside the cache."""
    before = state_file(lab, density, e, collisions, index - 1)

    def scene(start):
        return gas(density, e, COUNT, "{collisions: %d}" % collisions, start=start)

    def work():
        if index == 0:
            found = lab.carom_library.run("impacts", scene(COMPRESSED), OBSERVE)
        else:
            if not os.path.exists(before):
                raise RuntimeError("the state before is gone: run with --again")
            state = np.load(before)
            found = lab.carom_library.run_from("impacts", scene, state["r"], state["v"], side(density), OBSERVE)
        if found["stop"] != "collisions":
            raise RuntimeError("%s stopped by %s: %s" % (name_of(density, e), found["stop"], found["message"]))
        np.savez(state_file(lab, density, e, collisions, index), r=np.array(found["positions"]),
                 v=thermal(np.array(found["velocities"])))
        return {"impacts": sorted(histogram(found).items()), "wall_s": found["wall_s"],
                **{value: observed(found, observable, value) for observable, value in COUNTED}}
    key = {"density": density, "e": e, "collisions": collisions, "link": index}
    found = lab.remember(name_of(density, e), key, work)
    if index > 1:
        old = state_file(lab, density, e, collisions, index - 2)
        if os.path.exists(old):
            os.remove(old)
    return found


def links(lab, density, e):
    """The runs of one case."""
    total = lab.length(1000000000, 10000000)
    size = min(LINK, total)
    return [link(lab, density, e, size, index) for index in range(max(1, total // size))]


def case(lab, density, e):
    """All impacts of one case, {steps: impacts}."""
    impacts = {}
    for run in links(lab, density, e):
        for step, n in run["impacts"]:
            impacts[step] = impacts.get(step, 0) + n
    return impacts


def place(steps):
    """Distance from contact in units of the spacing above it: below, floating-point numbers lie twice as dense."""
    return np.where(steps < 0, steps / 2, steps)


def edges(steps):
    """Where the distances begin that round to a number, and how wide they are: half way to its neighbours."""
    low = np.where(steps <= 0, steps / 2 - 0.25, steps - 0.5)
    return low, np.where(steps < 0, 0.5, np.where(steps == 0, 0.75, 1.0))


class Spread:
    """What a histogram says."""

    def __init__(self, impacts):
        self.steps = np.array(sorted(impacts))
        self.impacts = np.array([impacts[s] for s in self.steps], float)
        self.total = self.impacts.sum()
        self.share = self.impacts / self.total
        self.left, self.width = edges(self.steps)
        self.x = place(self.steps)
        self.density = self.share / self.width
        self.overlapping = self.share[self.steps < 0].sum()
        self.touching = self.share[self.steps == 0].sum()
        self.mean = (self.share * self.x).sum()
        self.rms = np.sqrt((self.share * self.x**2).sum())
        self.mode = int(self.steps[self.density.argmax()])
        ordered = np.argsort(abs(self.x))
        self.most = abs(self.x[ordered])[np.searchsorted(np.cumsum(self.share[ordered]), 0.99)]


def draw(spreads, total):
    figure, axes = plt.subplots(3, 3, figsize=(10, 7.6), sharey=True, layout="constrained")
    for row, e in enumerate(RESTITUTIONS):
        for column, density in enumerate(DENSITIES):
            s, a = spreads[density, e], axes[row][column]
            below = s.steps < 0
            for part, color in ((below, COLORS[3]), (~below, COLORS[0])):
                a.bar(s.left[part], s.density[part], width=s.width[part], align="edge", color=color, edgecolor="white", linewidth=0.25 if density > 0.3 else 0.08)
            reach = 90 if density < 0.3 else 30
            a.set(yscale="log", xlim=(-reach, reach), ylim=(0.5 / total, 0.6))
            a.axvline(0, color="#333333", linewidth=0.8)
            a.set_title("$e$ = %g,  $N/V$ = %g" % (e, density))
            a.text(0.03, 0.93, "%.1f %%\noverlap" % (100 * s.overlapping), transform=a.transAxes, va="top", color=COLORS[3])
            a.text(0.97, 0.93, "rms %.1f" % s.rms, transform=a.transAxes, va="top", ha="right", color="#555555")
    for a in axes[-1]:
        a.set_xlabel("separation at impact $|r| - \\sigma$  /  $2^{-52}\\sigma$")
    for a in axes[:, 0]:
        a.set_ylabel("probability density")
    figure.suptitle("Impact separations, one bar a floating-point number; %.0e collisions a case" % total, fontsize=11)
    return figure


def run(lab):
    cases = [(d, e) for e in RESTITUTIONS for d in DENSITIES if lab.selects(name_of(d, e))]
    spreads = {(d, e): Spread(case(lab, d, e)) for d, e in cases}
    if lab.only:
        return None
    total = min(s.total for s in spreads.values())
    report = Report("impact_separation", "Separation at impact: %.0e collisions a case" % total, "figure 3", lab)
    overlaps = [100 * s.overlapping for s in spreads.values()]
    report.claim("impacts with numerically overlapping spheres", "approximately half of all",
                 "%.1f to %.1f %%" % (min(overlaps), max(overlaps)), 
                 all(abs(s.overlapping - OVERLAPPING[d]) < (1e-3 if lab.full else 1e-2) + 1.5 / s.total**0.5 for (d, _), s in spreads.items()))
    modes, means = [s.mode for s in spreads.values()], [s.mean for s in spreads.values()]
    report.claim("mode of the separation at impact", "the contact distance", "%d to %+d floating-point numbers off" % (
        min(modes), max(modes)), all(abs(m) <= 1 for m in modes))
    report.claim("mean of the separation at impact", "the contact distance", "%+.2f to %+.2f spacings off, rms %.1f to %.1f" % (
        min(means), max(means), min(s.rms for s in spreads.values()), max(s.rms for s in spreads.values())),
        all(abs(m) < 0.5 for m in means))  # half a grain: the nearest number is that of contact
    growth = [spreads[d, e].rms / spreads[d, 1.0].rms for d in DENSITIES for e in RESTITUTIONS if e < 1]
    report.claim("errors in inelastic systems", "significantly larger", "rms %.2f to %.2f of that for e = 1" % (
        min(growth), max(growth)), max(growth) > 1.5)
    report.table("Each case", ["e", "N/V", "impacts", "overlapping", "touching", "mean", "rms", "99 % within", "mode"],
                 [[e, d, "%.0e" % s.total, "%.2f %%" % (100 * s.overlapping), "%.2f %%" % (100 * s.touching), "%+.2f" % s.mean,
                   "%.2f" % s.rms, "%.0f" % s.most, s.mode] for (d, e), s in spreads.items()])
    edge = sum(s.impacts[abs(s.steps) >= 4096].sum() for s in spreads.values())
    report.notes += [
        "Lengths are in units of 2^-52, the spacing of doubles above the contact distance 1; below it they lie twice as dense, and "
        "a bar is half as wide (at contact three quarters). Densities are fractions over widths. The mode is counted in floating-point numbers.",
        "A cooling gas is brought back to temperature 1 every %.0e collisions; a collision within a time of 1e-6 of a sphere's last "
        "one is elastic, so that inelastic collapse does not end the run." % LINK,
        "%d impacts of all were further than 4096 numbers off; they count as that." % edge,
        "How the paper kept its inelastic gases going it does not say."]
    report.columns = ["restitution", "density", "floating_point_numbers_from_contact", "impacts"]
    report.rows = [[e, d, int(k), int(n)] for (d, e), s in spreads.items() for k, n in zip(s.steps, s.impacts)]
    report.figure = draw(spreads, total)
    return report
