"""The same gas with the engines `hard` and `variational`: pressure and collision rate while the layers become thin."""
import numpy as np

from .lab import COLORS, Report, plt
from .layers import PAPER

PACKINGS = (0.03, 0.3, 0.45)
THIN = (0.05, 0.01, 0.002, 0.0004)  # eta over the diameter
SCENE = """carom: 1
engine: {engine}
seed: {seed}
dimension: 3
box: {{packing_fraction: {packing!r}, boundary: periodic}}
species: {{sphere: {{diameter: 1, mass: 1}}}}
particles: [{{species: sphere, count: 500, place: compress, velocity: {{maxwell: 1}}, zero_momentum: true}}]
variational: {{eta: {eta!r}}}
observe: [{{what: pressure}}, {{what: collision_rate}}, {{what: temperature, every: {every!r}}}]
run: {{until: {{collisions: {collisions}}}}}
"""


def gas(lab, engine, packing, eta, collisions, seeds):
    """Of each seed: Z - 1 = p V / (N T) - 1, collisions a particle in the time of a thermal flight of one diameter, seconds. T is
    the mean of the kinetic temperature, which contacts lower."""
    rows = []
    for seed in range(1, seeds + 1):
        text = SCENE.format(engine=engine, seed=seed, packing=packing, eta=eta, collisions=collisions, every=0.1)

        def work():
            found = lab.carom_library.run("gas", text)
            z = found["observables"]["pressure"]["compressibility"]["mean"]
            t = found["observables"]["temperature"]["mean"]
            return [z - 1, 2 * found["events"]["collision"] / (500 * found["time"] * t**0.5), found["cpu_s"]]
        rows.append(lab.remember("gas", {"scene": text, "of": 1}, work))
    return np.array(rows)


def ratio(soft, stiff, column):
    """Mean of the seeds' ratios, and its standard error: both engines start from the same states."""
    share = soft[:, column] / stiff[:, column]
    return float(share.mean()), float(share.std(ddof=1) / np.sqrt(len(share)))


def run(lab):
    collisions, seeds = lab.length(30000, 10000), lab.length(4, 3)
    stiff = {p: gas(lab, "hard", p, 0.05, collisions, seeds) for p in PACKINGS}
    soft = {(p, eta): gas(lab, "variational", p, eta, collisions, seeds) for p in PACKINGS for eta in THIN}
    if lab.only:
        return None
    report = Report("variational_hard", "Layers against hard spheres", "a check of ours", lab, PAPER)
    names = ("pressure, Z - 1", "collision rate")
    for column, name in enumerate(names):
        found = {p: ratio(soft[p, THIN[-1]], stiff[p], column) for p in PACKINGS}
        report.claim(name + ", over that of hard spheres, eta = %g diameters" % THIN[-1], "1 within 3 standard errors", ", ".join(
            "%.4f +- %.4f (%g)" % (*found[p], p) for p in PACKINGS), all(abs(m - 1) < 3 * e for m, e in found.values()))
    report.table("Over hard spheres", ["packing fraction", "quantity"] + ["eta = %g" % eta for eta in THIN],
                 [[p, name] + ["%.4f +- %.4f" % ratio(soft[p, eta], stiff[p], column) for eta in THIN] for p in PACKINGS for column, name in enumerate(names)])
    report.table("Processor time over that of `hard`", ["packing fraction"] + ["eta = %g" % eta for eta in THIN],
                 [[p] + ["%.0f" % (soft[p, eta][:, 2].sum() / stiff[p][:, 2].sum()) for eta in THIN] for p in PACKINGS])
    report.notes.append("500 spheres, periodic, {:,} collisions from each of {} states, which both engines share. Spheres with layers come nearer than a diameter "
                        "before they turn round, by a part of 2 eta: they are the smaller the thicker the layers.".format(collisions, seeds))
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for column, (axis, name) in enumerate(zip(axes, names)):
        for p, color in zip(PACKINGS, COLORS):
            both = np.array([ratio(soft[p, eta], stiff[p], column) for eta in THIN])
            axis.errorbar(THIN, both[:, 0], both[:, 1], fmt="o-", color=color, label="packing %g" % p)
        axis.axhline(1, color="#555555", linewidth=0.8)
        axis.set(xscale="log", xlabel="eta / diameter", ylabel=name + " / hard spheres'")
    axes[0].legend()
    report.columns, report.figure = ["packing_fraction", "eta", "seed", "Z_minus_1", "rate", "cpu_s"], figure
    report.rows = [[p, eta, k + 1, *("%.6g" % v for v in row)] for (p, eta), rows in list(soft.items()) + [((p, 0), stiff[p]) for p in PACKINGS]
                   for k, row in enumerate(rows)]
    return report
