"""Homogeneous cooling: Haff's law with the corrections of the literature, over many seeds from equilibrated starts."""
from math import log, pi, sqrt

import numpy as np

from . import literature
from .binding import Carom
from .harness import Row, count

RESTITUTION, PARTICLES, EQUILIBRATION = 0.9, 13500, 60
STOPS = (5, 10, 20, 30)  # collisions a particle
DILUTE = (0.005, 0.01, 0.02, 0.05)  # number densities
GAS = """carom: 1
engine: hard
seed: {seed}
dimension: 3
box: {{packing_fraction: {packing!r}, boundary: periodic}}
species: {{sphere: {{diameter: 1, mass: 1}}}}
particles: [{{species: sphere, count: {count}, {start}, zero_momentum: true}}]
contacts: [{{between: [sphere, sphere], restitution: {e!r}}}]
run: {{until: {{collisions: {collisions}}}}}
"""
LATTICE = "place: compress, velocity: {maxwell: 1}"


def gas(density, seed, e, collisions, start=LATTICE):
    return GAS.format(seed=seed, packing=density * pi / 6, count=PARTICLES, start=start, e=e, collisions=collisions)


def cooled(lab, density, seed):
    """Kinetic energies relative to the start, and times, after STOPS collisions per particle, from an elastic gas in
    equilibrium."""
    def work():
        library, half = Carom(lab.build), PARTICLES // 2
        still = library.run("equilibrium", gas(density, seed, 1.0, EQUILIBRATION * half))
        r, v = np.array(still["positions"]), np.array(still["velocities"])
        side, found = (PARTICLES / density) ** (1 / 3), []
        for n in STOPS:
            end = library.run_from("cooling", lambda start: gas(density, seed, RESTITUTION, n * half, start), r, v, side)
            found.append([end["energy"]["kinetic"] / end["energy"]["initial"], end["time"]])
        return {"temperature": float((v * v).sum() / (3 * PARTICLES)), "found": found}
    return lab.remember("haff-%g-%d" % (density, seed), {"density": density, "seed": seed, "stops": STOPS, "count": PARTICLES}, work)


def mean_and_error(values):
    return np.mean(values), np.std(values, ddof=1) / sqrt(len(values))


def cooling_a_collision(runs, first, last):
    """Decrease of ln(T) between two of STOPS, divided by (1 - e^2) / 3 per collision of a particle: mean and error
    over the seeds."""
    a, b = STOPS.index(first), STOPS.index(last)
    law = (1 - RESTITUTION**2) / 3 * (last - first)
    return mean_and_error([log(run["found"][a][0] / run["found"][b][0]) / law for run in runs])


def time_law(runs, density, first, last):
    """(T_a / T_b)^(1/2) - 1 divided by the time between, times 2 / sqrt(T_a): the cooling rate at temperature 1,
    divided by that of Haff with Enskog's rate."""
    a, b = STOPS.index(first), STOPS.index(last)
    f = density * pi / 6
    rate = (1 - RESTITUTION**2) / 3 * literature.enskog_rate(f, literature.spheres(f))
    values = []
    for run in runs:
        (hot, early), (cold, later) = run["found"][a], run["found"][b]
        values.append(2 * (sqrt(hot / cold) - 1) / (later - early) / sqrt(hot * run["temperature"]) / rate)
    return mean_and_error(values)


def share_of_flow(density, n, most):
    """Energy in transverse flow divided by that of the thermal motion after n collisions per particle, by
    fluctuating hydrodynamics (van Noije, Ernst, Brito, Orza, Phys. Rev. Lett. 79, 411 (1997), eq. 9; Brito, Ernst,
    Europhys. Lett. 43, 497 (1998)), summed over the wave vectors of the box below `most`: the modes that viscosity
    damps more slowly than the gas cools. Collisions reduce the energy of the thermal motion only."""
    f, side = density * pi / 6, (PARTICLES / density) ** (1 / 3)
    z = literature.spheres(f)
    damping = literature.enskog_viscosity(f, z) / density / literature.enskog_rate(f, z)
    cooling = (1 - RESTITUTION**2) / 6 * (1 + literature.sonine_a2(RESTITUTION) / 4)
    reach = int(most * side / (2 * pi)) + 1
    axis = np.arange(-reach, reach + 1)
    k2 = (axis[:, None, None]**2 + axis[None, :, None]**2 + axis[None, None, :]**2) * (2 * pi / side) ** 2
    rate = damping * k2[(k2 > 0) & (k2 < most**2)] - cooling
    return 2 / (3 * PARTICLES) * np.sum(-cooling / rate * np.expm1(-2 * rate * n))


def slowed(density, first, last, most):
    """Cooling per collision by mode coupling, divided by that without."""
    return np.mean([1 / (1 + share_of_flow(density, n, most)) for n in np.linspace(first, last, 21)])


def row(name, claim, source, formula, expected, measured, runs):
    """Agreement within three standard errors."""
    ours, error = measured
    return Row(name, claim, source, "%s = %.4f within 3 standard errors" % (formula, expected),
               "%.4f +- %.4f (%+.1f errors)" % (ours, error, (ours - expected) / error), abs(ours - expected) < 3 * error,
               "N = %s, %d seeds, %d collisions a particle" % (count(PARTICLES), len(runs), STOPS[-1]))


def at_no_density(measured):
    """A straight line in the density through (mean, error) at DILUTE: its value at density 0, and its slope, (mean,
    error) each."""
    mean, error = np.array([measured[d] for d in DILUTE]).T
    (slope, value), covariance = np.polyfit(DILUTE, mean, 1, w=1 / error, cov="unscaled")
    return (value, sqrt(covariance[1, 1])), (slope, sqrt(covariance[0, 0]))


def dilute(lab, name):
    """Without correlations the correction is that of Sonine's a2 only. Correlations affect the time law first:
    collisions become rarer, in proportion to the density."""
    runs = {d: [cooled(lab, d, seed) for seed in range(1, lab.length(64, 4) + 1)] for d in DILUTE}
    a2, least = literature.sonine_a2(RESTITUTION), DILUTE[0]
    source = literature.HAFF + "; " + literature.SONINE
    in_time = {d: time_law(runs[d], d, 5, 30) for d in DILUTE}
    value, slope = at_no_density(in_time)
    limit = row(name, "the same, a straight line through densities %s, at density 0" % ", ".join("%g" % d for d in DILUTE), source,
                "1 + 3 a2 / 16", 1 + 3 * a2 / 16, value, runs[least])
    limit.ours += "; slope %.3f +- %.3f" % slope
    return [
        row(name, "cooling a collision, 5 to 30 collisions a particle, e = 0.9, N / V = %g, over Haff's with Maxwell's velocities" % least,
            source, "1 + a2 / 4", 1 + a2 / 4, cooling_a_collision(runs[least], 5, 30), runs[least]),
        row(name, "cooling in time, same, over Haff's with Enskog's rate", source, "1 + 3 a2 / 16", 1 + 3 * a2 / 16, in_time[least],
            runs[least]),
        limit]


def dense(lab, name):
    """N / V = 0.5: cooling slows down as flow persists longer than the thermal motion. The contribution of short
    waves depends on the cut-off of hydrodynamics; the growth of the slowing does not (cut-offs of 1 to 5 inverse
    diameters: 0.0087 to 0.0094)."""
    density = 0.5
    runs = [cooled(lab, density, seed) for seed in range(1, lab.length(64, 4) + 1)]
    early, late = cooling_a_collision(runs, 5, 10), cooling_a_collision(runs, 20, 30)
    paired = mean_and_error([cooling_a_collision([run, run], 5, 10)[0] - cooling_a_collision([run, run], 20, 30)[0] for run in runs])
    factor = 1 + literature.sonine_a2(RESTITUTION) / 4
    expected = factor * (slowed(density, 5, 10, 2) - slowed(density, 20, 30, 2))
    whole = cooling_a_collision(runs, 5, 20)
    return [
        row(name, "slowing of the cooling a collision, from 5-10 to 20-30 collisions a particle, e = 0.9, N / V = 0.5, over Haff's",
            literature.BRITO, "by mode coupling", expected, paired, runs),
        Row(name, "cooling a collision, 5 to 20 collisions a particle, e = 0.9, N / V = 0.5, over Haff's with Maxwell's velocities",
            literature.HAFF + "; " + literature.SONINE + "; " + literature.BRITO,
            "between %.4f (1 + a2 / 4, and mode coupling of waves below 2 inverse diameters) and %.4f (below 1)" % (
                factor * slowed(density, 5, 20, 2), factor * slowed(density, 5, 20, 1)),
            "%.4f +- %.4f (%.4f, then %.4f)" % (*whole, early[0], late[0]),
            factor * slowed(density, 5, 20, 2) - 3 * whole[1] < whole[0] < factor * slowed(density, 5, 20, 1) + 3 * whole[1],
            "N = %s, %d seeds" % (count(PARTICLES), len(runs)))]


ROWS = {"haff": dilute, "haff-dense": dense}
