"""Rotation in `variational`: rolling, sliding, and resistance to rolling and twisting, of one ball on a plane."""
from math import sqrt

from .binding import Carom
from .harness import Row

ARM = 0.5  # thin layers: the centre is at most 0.002 lower
LUDING, AI = "Luding, Granular Matter 10, 235 (2008)", "Ai et al., Powder Technol. 206, 269 (2011)"


def scene(tan, contact, velocity="zero", spin="zero"):
    """The plane is horizontal, and gravity, of magnitude 1, is inclined along x."""
    down = 1 / sqrt(1 + tan * tan)
    return """carom: 1
engine: variational
dimension: 3
box: {size: [200, 4, 4], boundary: open}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, place: {at: [[2, 2, 0.5]]}, velocity: %s, angular_velocity: %s}]
planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]
fields: {gravity: [%r, 0, %r]}
contacts: [{between: [a, floor], restitution: 0, %s}]
variational: {rotation: true, eta: 0.001, stiffness: 1e5}
run: {until: {time: 60}}
""" % (velocity, spin, tan * down, -down, contact)


def at(lab, text, *times):
    """Position and velocity along x, and spin about y and z, at each time."""
    found = []
    for time in times:
        run = Carom(lab.build).run("rolling", text, "run.until.time=%r" % time)
        found.append({"x": run["positions"][0][0], "v": run["velocities"][0][0], "w": run["spins"][0]})
    return found


def measured(lab, name, text, *times):
    return lab.remember(name, {"scene": text, "times": times}, lambda: {"states": at(lab, text, *times)})["states"]


def acceleration(claim, source, tan, contact, expected, bound, **start):
    def rows(lab, name):
        first, last = measured(lab, name, scene(tan, contact, **start), 1, 3)
        ours = (last["v"] - first["v"]) / 2
        return [Row(name, claim, source, "%.6f within %.1e" % (expected, bound), "%.6f" % ours, abs(ours - expected) < bound, "time 1 to 3")]
    return rows


def limit(lab, name):
    """tan / mu between rolling and sliding, by the sliding velocity at time 3."""
    mu, low, high = 0.2, 3.0, 4.0
    for _ in range(12):
        ratio = (low + high) / 2
        state, = measured(lab, name, scene(ratio * mu, "friction: %r" % mu), 3)
        slides = state["v"] - state["w"][1] * ARM > 1e-2
        low, high = (low, ratio) if slides else (ratio, high)
    return [Row(name, "slope beyond which a ball slides, over mu", "1 + m R^2 / I", "3.5 within 0.02", "%.4f" % low, abs(low - 3.5) < 0.02, "mu = 0.2, time 3")]


def backspin(lab, name):
    state, = measured(lab, name, scene(0, "friction: 0.2", "{each: [1, 0, 0]}", "{each: [0, -10, 0]}"), 40)
    expected = (5 - 2 * ARM * 10) / 7
    return [Row(name, "velocity of rolling after backspin, v = 1, w = -10", "(5 v + 2 R w) / 7", "%.4f within 0.0009" % expected, "%.4f" % state["v"],
                abs(state["v"] - expected) < 0.0009, "time 40")]


def twisting(lab, name):
    first, last = measured(lab, name, scene(0, "friction: 0.5, twisting_friction: 0.1", spin="{each: [0, 0, 2]}"), 1, 3)
    ours, expected = (first["w"][2] - last["w"][2]) / 2, 0.1 * ARM / 0.1
    return [Row(name, "deceleration of a spin about the vertical, mu_t = 0.1", LUDING, "mu_t R m g / I = %.5f within 0.00046" % expected, "%.5f" % ours,
                abs(ours - expected) < 0.00046, "time 1 to 3")]


def creep(lab, name):
    times = lab.length((30, 60), (8, 12))
    first, last = measured(lab, name, scene(0.099, "friction: 0.5, rolling_friction: 0.1"), *times)
    speed, bound = (last["x"] - first["x"]) / (times[1] - times[0]), lab.length(9e-13, 1e-10)
    return [Row(name, "creep of a ball at 0.99 of the limit of rolling resistance", "none", "below %.1e of the size a second" % bound, "%.1e" % speed,
                abs(speed) < bound, "time %g to %g" % times)]


SIN = 0.5 / sqrt(1.25)
ROWS = {"rolling-slope": acceleration("a ball rolls down a slope of tan = 1/2, mu = 0.4", "5/7 g sin", 0.5, "friction: 0.4", SIN / 1.4, 1.4e-4),
        "rolling-limit": limit,
        "rolling-backspin": backspin,
        "rolling-resistance": acceleration("the same with mu_r = 0.1", AI, 0.5, "friction: 0.4, rolling_friction: 0.1",
                                           (SIN - 0.1 / sqrt(1.25)) / 1.4, 1.1e-4),
        "rolling-twist": twisting,
        "rolling-creep": creep}
