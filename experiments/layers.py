"""Common parts of the experiments on asynchronous variational contact: pairs that collide, the layers' exact sums, the library."""
from math import sqrt

import numpy as np

PAPER = "Vouga, Harmon, Tamstorf, Grinspun, Asynchronous variational contact mechanics, Comput. Methods Appl. Mech. Eng. 200, 2181 (2011)"
ETA = 0.1

PAIRS = """carom: 1
engine: variational
dimension: 2
box: {{size: [20, {height}], boundary: open}}
species: {{disk: {{diameter: 1, mass: 1}}}}
particles: [{{species: disk, place: {{at: {at}}}, velocity: {{each: {each}}}}}]
contacts: [{{between: [disk, disk], restitution: {e!r}}}]
variational: {{eta: {eta!r}, stiffness: 1, exponent: {p}, courant: {c!r}, step_law: {x!r}, restitution_rule: {rule}}}
run: {{until: {{time: {time!r}}}}}
"""


def potential(gap, p, eta=ETA):
    """All layers at a gap, k = 1, in units of k eta^2."""
    l = np.arange(1, int(2 * eta / gap) + 1)
    return float((l * (2 * eta - l * gap) ** p).sum()) * 2 / (p * (p - 1) * (2 * eta) ** (p - 2)) / eta**2


def closest(energy, p):
    """The gap at which the layers hold an energy (in units of k eta^2), in units of 2 eta."""
    low, high = 1e-9, 2 * ETA
    for _ in range(100):
        middle = sqrt(low * high)
        low, high = (middle, high) if potential(middle, p) > energy else (low, middle)
    return low / (2 * ETA)


def speed_of(energy):
    """Of approach, of two of mass 1, for an impact of this energy in units of k eta^2."""
    return sqrt(2 * energy * ETA**2 / 0.5)


def pairs(energy, p, starts, e=1.0, c=0.05, x=2.0, rule="kinematic"):
    """A scene of pairs, each alone, that start this far apart and meet head on: so that the clocks' phases differ."""
    v, at, each = speed_of(energy) / 2, [], []
    for k, gap in enumerate(starts):
        at += [[9.5 - gap / 2, 2 * k + 1.5], [10.5 + gap / 2, 2 * k + 1.5]]
        each += [[v, 0], [-v, 0]]
    time = (3 * max(starts) + 1) / (2 * v) + 0.1 + 1 / (0.2 + 2 * v)
    return PAIRS.format(height=2 * len(starts) + 2, at=at, each=each, e=e, eta=ETA, p=p, c=c, x=x, rule=rule, time=time)


def phases(count, seed=1):
    """Distances at the start: the clocks' phases at the impact are as good as random."""
    return (0.1 + 0.1 * np.random.default_rng(seed).random(count)).tolist()


def meet(carom, *given, **more):
    """Speeds after the impacts over those before, and the summary."""
    found = carom.run("pairs", pairs(*given, **more))
    v = np.array(found["velocities"])[:, 0]
    return (v[1::2] - v[::2]) / speed_of(given[0]), found


def summaries(carom, name, text, times, *sets):
    """Summaries at these times."""
    scene, sim = carom.begin(name, text, sets)
    for time in times:
        if carom.lib.carom_sim_advance(sim, float(time)) != 0:
            raise RuntimeError("%s stopped before time %g" % (name, time))
        yield carom.summary(sim)
    carom.end(scene, sim)
