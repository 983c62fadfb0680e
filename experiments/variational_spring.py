"""Section 8.1, figure 2: a spring bounces on a plane. Three ways: instantaneous impulses; layers whose clocks are set anew at each
impact; layers on clocks that run on, as the engine has them. The first two are simulated here, in one dimension."""
from math import inf, sqrt

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
variational: {eta: %r, stiffness: %r, material_step: 0.005}
run: {until: {time: 1e8}}
""" % (RADIUS, *START, ETA, K)
PERIOD = 1.8  # time between two bounces, about


def proposed(lab, name, bounces, samples, *sets):
    """The engine's own: [bounces, energy over that at the start] at each of the samples; kicks a bounce at the end."""
    def work():
        times, rows, last = np.linspace(0, bounces * PERIOD, samples + 1)[1:], [], None
        for last in summaries(lab.carom_library, name, SCENE, times, *sets):
            energy = last["energy"]
            rows.append([last["events"]["wall"], energy["total"] / energy["initial"]])
        return {"rows": rows, "kicks": last["events"]["force"] / last["events"]["wall"]}
    return lab.remember(name, {"scene": SCENE, "bounces": bounces, "samples": samples, "sets": list(sets)}, work)


# ---- the other two ------------------------------------------------------------------------------------------------------


class Spring:
    """Two unit masses on a unit spring, g = 1. Heights, speeds; flight is a parabola where `falls`, else straight."""

    def __init__(self, falls):
        self.y, self.v, self.g, self.t = list(START), [0.0, 0.0], 1.0 if falls else 0.0, 0.0

    def energy(self):
        stretch = self.y[1] - self.y[0] - 1
        return 0.5 * (self.v[0] ** 2 + self.v[1] ** 2 + stretch * stretch) + self.y[0] + self.y[1]

    def fly(self, until):
        s = until - self.t
        for i in (0, 1):
            self.y[i] += s * (self.v[i] - 0.5 * self.g * s)
            self.v[i] -= self.g * s
        self.t = until

    def pull(self, step):
        force = self.y[1] - self.y[0] - 1
        self.v[0] += step * force
        self.v[1] -= step * force

    def reach(self, height):
        """How long until the lower mass falls to a height; inf: it does not."""
        fall, v = self.y[0] - height, self.v[0]
        if fall <= 0:
            return 0.0
        if self.g == 0:
            return fall / -v if v < 0 else inf
        return (v + sqrt(v * v + 2 * self.g * fall)) / self.g


def impulses(bounces, samples, step):
    """Gravity and the spring kick together at multiples of the step; the plane turns the lower mass round at once."""
    s, start, rows, done, tick = Spring(False), Spring(True).energy(), [], 0, 0
    while done < bounces:
        tick += 1
        due = tick * step
        while s.t + s.reach(RADIUS) <= due and s.v[0] < 0:
            s.fly(s.t + s.reach(RADIUS))
            s.v[0] = -s.v[0]
            done += 1
            if done % max(bounces // samples, 1) == 0:
                rows.append([done, s.energy() / start])
        s.fly(due)
        s.pull(step)
        s.v[0] -= step
        s.v[1] -= step
    return rows


def realigned(bounces, samples, courant, step, most=3.0):
    """Each layer (p = 2) begins to tick when it becomes active, anew at each impact. Ends where the energy is `most` that of the start."""
    s, first, rows, done, tick = Spring(True), courant * sqrt(2 / K), [], 0, 1
    start, due = s.energy(), []  # due: when the active layers, from the first, act next
    floor = RADIUS - 2 * ETA
    while done < bounces:
        layer = len(due) + 1
        wake = s.t + s.reach(floor + 2 * ETA / layer)
        when = min(due + [wake, tick * step])
        s.fly(when)
        if when == tick * step:
            s.pull(step)
            tick += 1
        elif due and when == min(due):
            at = due.index(when) + 1
            gap = s.y[0] - floor
            if gap < 2 * ETA / at:
                s.v[0] += first * at**-1.5 * 2 * K * at**3 * (2 * ETA / at - gap)
                due[at - 1] = when + first * at**-1.5
            elif at == len(due) and s.v[0] > 0:
                due.pop()
            else:
                due[at - 1] = when + first * at**-1.5
            if not due:
                done += 1
                if done % max(bounces // samples, 1) == 0:
                    rows.append([done, s.energy() / start])
                    if rows[-1][1] > most:
                        break
        else:
            due.append(when)
    return rows


# ---- the report -----------------------------------------------------------------------------------------------------------


def trend(rows):
    """The change of the energy over the run, by a straight line through it, over the energy at the start."""
    x, y = np.array(rows).T
    return float(np.polyfit(x / x[-1], y, 1)[0])


def blocks(rows, count=10):
    return [float(b.mean()) - 1 for b in np.array_split(np.array(rows)[:, 1], count)]


def draw(curves):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    for (name, rows), color in zip(curves.items(), (COLORS[0], COLORS[3], COLORS[1], COLORS[2])):
        x, y = np.array(rows).T
        left.plot(x, y, color=color, label=name)
        if name.startswith("proposed"):
            right.plot(x, 100 * (y - 1), color=color, linewidth=0.8, label=name)
    left.set(xscale="log", xlabel="bounces", ylabel="energy / energy at the start", ylim=(0.3, 3))
    right.set(xscale="log", xlabel="bounces", ylabel="energy, % off the start", ylim=(-5, 5))
    left.legend()
    right.legend()
    return figure


def run(lab):
    many, some, few = lab.length(1000000, 10000), lab.length(10000, 2000), lab.length(50000, 3000)
    ours = proposed(lab, "proposed, p = 3", many, 4000)
    paper = proposed(lab, "proposed, p = 2", some, 1000, "variational.exponent=2", "variational.courant=0.01", "variational.step_law=1.5")
    bound = sqrt(2 / K)
    runs = [proposed(lab, "trends", few, 500, "variational.step=%r" % (0.05 * bound * (1 + 0.01 * k))) for k in range(8)]
    struck = lab.remember("impulses", {"bounces": some, "of": 1}, lambda: impulses(some, 500, 0.02))
    anew = lab.remember("realigned", {"bounces": some, "of": 1}, lambda: realigned(some, 500, 0.05, 0.02))
    if lab.only:
        return None
    report = Report("variational_spring", "A spring bounces on a plane", "section 8.1, figure 2", lab, PAPER)
    span, slopes = blocks(ours["rows"]), [trend(r["rows"]) for r in runs]
    slope, error = float(np.mean(slopes)), float(np.std(slopes, ddof=1) / sqrt(len(slopes)))
    bounces = ours["rows"][-1][0]
    report.claim("proposed method, p = 3 (the spring's own step 0.005, else as by default): mean energy", "no drift (1 %% over %d bounces asked for)" % many,
                 "%+.3f %% over %s bounces; tenths of the run from %+.3f to %+.3f %%" % (100 * np.mean(span), "{:,}".format(bounces), 100 * min(span), 100 * max(span)),
                 max(abs(b) for b in span) < 0.0013)  # three times what the tenths wander by
    report.claim("no trend", "none seen", "%+.4f +- %.4f %% over %s bounces, 8 runs with steps that differ by a hundredth" % (100 * slope, 100 * error, "{:,}".format(few)),
                 abs(slope) < 3 * error or abs(slope) < 1e-4)
    two = blocks(paper["rows"])
    report.claim("p = 2, the paper's layers and step law, c = 0.01", "no drift", "over %s bounces tenths from %+.2f to %+.2f %%" % (
        "{:,}".format(paper["rows"][-1][0]), 100 * min(two), 100 * max(two)), max(abs(b) for b in two) < 0.006)
    wide = np.array(struck)[:, 1]
    report.claim("instantaneous impulses: the energy walks at random", "random walk", "after %s bounces %.2f of the start, between %.2f and %.2f" % (
        "{:,}".format(struck[-1][0]), wide[-1], wide.min(), wide.max()), wide.max() - wide.min() > 0.05)
    report.claim("clocks that begin anew at each impact (p = 2, c = 0.05): the energy grows", "grows", "%.2f of the start after %s bounces" % (
        anew[-1][1], "{:,}".format(anew[-1][0])), anew[-1][1] > 1.05)
    report.notes += ["Two unit masses, unit spring and length, g = 1, eta = 0.1, k = 1000; the lower mass starts 1 above the plane. "
                     "Forces a bounce, those of the spring included: %.0f (p = 3), %.0f (p = 2)." % (ours["kicks"], paper["kicks"]),
                     "In a single run the energy wanders like the sum of independent errors: a slope fitted to one run is not evidence of a trend. "
                     "The slope test is over runs whose steps differ, so that their errors do."]
    report.columns = ["variant", "bounces", "energy"]
    curves = {"instantaneous impulses": struck, "clocks begun anew, p = 2": anew, "proposed, p = 2, c = 0.01": paper["rows"],
              "proposed, p = 3 (default)": ours["rows"]}
    report.rows = [[name, n, "%.6f" % e] for name, rows in curves.items() for n, e in rows]
    report.figure = draw(curves)
    return report
