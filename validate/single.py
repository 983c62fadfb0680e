"""Planes and gravity, few bodies: a ball on a plate, the barometric law, Newton's cradle, time reversal."""
import os
import random
from math import exp, log, pi, sqrt

from . import literature
from .harness import ROOT, Row, count
from .binding import Carom


def text_of(lab, name):
    with open(lab.scene(name)) as file:
        return file.read()


# ---- a ball on a plate ----------------------------------------------------------------------------------------------


def drop(lab, samples, *sets):
    """Many drops from 1 above a plate with a random height: end time, events, stop, height above the plate."""
    text = text_of(lab, "plate")

    def work():
        carom, draw, ends = Carom(lab.build), random.Random(1), []
        for _ in range(samples):
            height = draw.random()
            found = carom.run("plate", text, "planes.0.point.2=%r" % height,
                              "particles.0.place.at.0.2=%r" % (height + 1), *sets)
            ends.append((found["time"], found["events"]["wall"], found["stop"], found["positions"][0][2] - height - 0.5))
        return ends
    return lab.remember("plate", {"scene": text, "samples": samples, "sets": list(sets)}, work)


def plate(lab, name):
    """The ball is at rest at t1 (1 + e) / (1 - e) = 3, t1 = 1 the time of the first fall."""
    samples, rows = lab.length(10000, 1000), []
    source = literature.BANNERMAN + ", section 5"
    run = "%s heights of the plate" % count(samples)
    for what, sets, most in (("collapse reported by policy stop", ["hard.collapse.policy=stop"], 3.3e-14),
                             ("policy sleep, speed 1e-12", ["hard.collapse.policy=sleep", "hard.collapse.speed=1e-12"], 1.1e-11)):
        ends = drop(lab, samples, *sets)
        errors = sorted(abs(end[0] / 3 - 1) for end in ends)
        deepest = -min(end[3] for end in ends)
        rows.append(Row(name, "time when a ball rests on a plate, e = 0.5; " + what, source,
                        "3; all within 2e-8, median within %.1e; deepest within 3.4e-16" % most,
                        "worst %.1e, median %.1e; deepest %.1e" % (errors[-1], errors[samples // 2], deepest),
                        errors[-1] < 2e-8 and errors[samples // 2] < most and deepest < 3.4e-16, run))
    ends = drop(lab, samples, "hard.detection=naive")
    lost = [end for end in ends if end[2] == "no_events" or end[3] < -0.1]  # nothing will hold it any more
    events = sum(end[1] for end in lost) / max(len(lost), 1)
    rows.append(Row(name, "the same with naive detection: the ball falls through the plate", source,
                    "a large share, after some 30 events (about 50 % there; it depends on how positions are rounded)",
                    "%.1f %%, after %.0f events on average" % (100 * len(lost) / samples, events), len(lost) > 0.1 * samples, run))
    return rows


# ---- the barometric law ---------------------------------------------------------------------------------------------


def column(lab, samples, every):
    """Mean height above contact with the floor, temperature and fractions above some heights, for each sample."""
    text = text_of(lab, "atmosphere")

    def work():
        seen = []
        for r, v in Carom(lab.build).watch("atmosphere", text, [500 + every * k for k in range(samples)]):
            heights = [x[2] - 0.15 for x in r]
            seen.append([sum(heights) / len(r), sum(sum(c * c for c in u) for u in v) / (3 * len(r))]
                        + [sum(h > at for h in heights) / len(r) for at in (10, 20, 30)])
        return seen
    return lab.remember("atmosphere", {"scene": text, "samples": samples, "every": every}, work)


def hydrostatic(n, area, pull, temperature, b2):
    """Mean height, and fractions above 10, 20, 30: balance of weight and pressure n T (1 + b2 n), floor at 0."""
    step = 0.01

    def profile(floor):
        density, values = floor, []
        for k in range(30000):
            at = (k + 0.5) * step
            for _ in range(3):  # Newton: log(n / floor) + 2 b2 (n - floor) = -pull z / T
                f = log(density / floor) + 2 * b2 * (density - floor) + pull * at / temperature
                density = max(density - f / (1 / density + 2 * b2), 1e-300)
            values.append(density)
        return values

    floor = n * pull / (area * temperature)
    for _ in range(6):
        values = profile(floor)
        floor *= n / (area * step * sum(values))
    total = sum(values)
    mean = sum((k + 0.5) * step * x for k, x in enumerate(values)) / total
    return [mean] + [sum(values[int(at / step):]) / total for at in (10, 20, 30)]


def blocked(values, blocks=20):
    """Mean and standard error from the means of blocks."""
    size = len(values) // blocks
    means = [sum(values[b * size:(b + 1) * size]) / size for b in range(blocks)]
    mean = sum(means) / blocks
    return mean, sqrt(sum((m - mean) ** 2 for m in means) / (blocks * (blocks - 1)))


def barometric(lab, name):
    samples, every, n = lab.length(4000, 400), 10, 1000
    seen = column(lab, samples, every)
    temperature = sum(s[1] for s in seen) / samples
    expected = hydrostatic(n, 400.0, 0.1, temperature, 2 * pi / 3 * 0.3**3)
    run = "N = %s, time %g, every %g" % (count(n), samples * every, every)
    rows = []
    for what, index, theirs in (("mean height of a gas in gravity", 0, expected[0]), ("share above height 10", 2, expected[1]),
                                ("share above height 20", 3, expected[2]), ("share above height 30", 4, expected[3])):
        ours, error = blocked([s[index] for s in seen])
        rows.append(Row(name, what + ", T / m g = %.4f" % (temperature / 0.1),
                        "barometric law with the second virial coefficient", "%.5f within 3 sigma" % theirs,
                        "%.5f +- %.5f (%+.2f %%, %+.1f sigma)" % (ours, error, 100 * (ours / theirs - 1), (ours - theirs) / error),
                        abs(ours - theirs) < 3 * error, run))
    return rows


# ---- few bodies -----------------------------------------------------------------------------------------------------


def example(name):
    with open(os.path.join(ROOT, "examples", name + ".yaml")) as file:
        return file.read()


def cradle(lab, name):
    found = Carom(lab.build).run("cradle", example("newtons-cradle"))
    speeds = [v[0] for v in found["velocities"]]
    return [Row(name, "Newton's cradle: speeds after one ball of five came in at speed 1", "conservation of energy and momentum",
                "0, 0, 0, 0, 1 exactly; 4 collisions", "%s; %d collisions" % (", ".join("%g" % s for s in speeds),
                                                                              found["events"]["collision"]),
                speeds == [0, 0, 0, 0, 1] and found["events"]["collision"] == 4, "5 balls")]


def reversal(lab, name):
    """A break shot, reversal of all velocities after some time, and the same time again. Errors grow with every
    collision. The cue ball is slightly off the axis: a shot along the axis of symmetry causes simultaneous
    collisions, and rounding would have to reverse their order."""
    carom, text, rows = Carom(lab.build), example("billiard-2d"), []
    body = text[:text.index("particles:")] + "particles:\n  - species: ball\n    place: {at: %s}\n    velocity: {each: %s}\n"
    askew = "particles.0.velocity.each.1=0.1"
    for time in (3, 10):
        (there, ) = carom.watch("break", text, [time], askew)
        scene = body % (there[0], [[-c for c in v] for v in there[1]]) + "run: {until: {time: %g}}\n" % time
        found = carom.run("back", scene)
        (start, ) = carom.watch("break", text, [0], askew)
        away = max(abs(a - b) for x, y in zip(found["positions"], start[0]) for a, b in zip(x, y))
        rows.append(Row(name, "break shot of 16 balls, reversed at time %g, back at the start" % time, "mechanics",
                        "positions within 3e-12", "%.1e" % away, away < 3e-12,
                        "%d collisions and %d with cushions, back" % (found["events"]["collision"], found["events"]["wall"])))
    return rows


ROWS = {"plate": plate, "barometric": barometric, "cradle": cradle, "reversal": reversal}
