#!/usr/bin/env python3
"""Detects wrong formulae in the experiments on variational contact, against values by hand, and experiments that no
longer run (two of them, small)."""
import os
import tempfile

from trials import close

import numpy as np

from experiments import (layers, shells, variational_boxes, variational_drift, variational_impacts, variational_restitution, variational_spring,
                         variational_variants)
from experiments.__main__ import NAMES, chosen
from experiments.lab import Experiment


def by_hand():
    close("one layer, p = 2", layers.potential(0.15, 2), (0.2 - 0.15) ** 2 / 0.01)
    close("two layers, p = 2", layers.potential(0.08, 2), (0.12**2 + 2 * 0.04**2) / 0.01)
    close("one layer, p = 3", layers.potential(0.15, 3), 0.05**3 / (3 * 0.2) / 0.01)
    close("the gap of an energy", layers.closest(layers.potential(0.03, 3), 3), 0.03 / 0.2, 1e-9)
    close("far below", layers.closest(1e6, 2) * 0.2, 0.1 * (4 / 3 * 1e-6) ** 0.5, 1e-8)
    speeds = np.hypot(*np.array(variational_boxes.velocities(900)).T)
    assert speeds.max() <= 10.00001 and abs(speeds.mean() - 5) < 0.3, speeds.mean()
    assert variational_restitution.ordered([1, 0.9, 0.8, 0.7, 0.5, 0.2, 0.21], [0.01] * 7)
    assert not variational_restitution.ordered([1, 0.9, 0.8, 0.7, 0.5, 0.55, 0.2], [0.1] * 7)
    assert not variational_restitution.ordered([1, 0.9, 0.8, 0.7, 0.5, 0.2, 0.25], [0.01] * 7)
    mean, error, spread = variational_drift.at_end([{"rows": [1.0] * 9 + [1.1]}, {"rows": [1.0] * 9 + [1.3]}])
    close("mean of the last tenths", mean, 0.2, 1e-12)
    close("its error", error, 0.1, 1e-12)
    close("deviation", spread, 0.02**0.5, 1e-12)
    close("trend", variational_spring.trend([[0, 1.0], [5, 1.05], [10, 1.1]]), 0.1)
    tenths, slope, _ = variational_boxes.change(np.array([[t, 2 + 0.02 * t] for t in range(100)]))
    close("slope over the run", slope, 0.9, 1e-9)
    close("growth of a cost", shells.growth([10, 100, 1000], [3, 30 * 10**0.1, 300 * 10**0.2]), 1.1)
    close("drift over the largest energy", shells.drift({"energy": {"drift": 3, "initial": -5, "total": 2, "work": 60}}), 0.05)


def small_runs(folder):
    lab = Experiment(os.environ["CAROM_BUILD"], False, os.path.join(folder, "out"), size=4)
    lab.cache = folder
    report = variational_impacts.run(lab)
    report.write()
    assert all(c.holds for c in report.claims), [c.measured for c in report.claims]
    rows = variational_boxes.box(lab, "few", 0.5, 20, count=60)
    assert rows.shape == (21, 9) and rows[-1, 4] + rows[-1, 5] > 50, rows[-1]
    close("energy of 60 disks", rows[-1, 1] / rows[0, 1], 1, 2e-6)
    cloth = shells.draped(lab, 6, 0.01)
    assert cloth["sound"] and cloth["overlaps"] == 0 and cloth["vertices"] == 49 + 362, cloth
    bounces = variational_spring.bounce(lab, "bounces", 30, 10)
    close("energy of a bouncing spring", bounces["rows"][-1][1], 1, 5.4e-3)
    anew = [variational_spring.bounce(lab, "anew", 3000, 500, *variational_spring.REALIGNED, higher=0.01 * k, step=0.02, most=3.0)["rows"][-1] for k in range(3)]
    rates = [np.log(e) / n for n, e in anew]  # 16 other starts: 1.07e-3, deviation 4e-5
    close("growth a bounce, clocks begun anew", float(np.mean(rates)), 1.07e-3, 3 * 4e-5 / 3**0.5)
    struck = variational_variants.variant(lab, "impulses", 0.1, 2, 1)
    assert struck[-1, 2] > 1000 and abs(struck[-1, 1] - 1) < 6e-15, struck[-1]
    layered = variational_drift.energies(lab, "disks", 0, 3, 2.0, 0.05, 0.1, samples=10)
    close("energy of 900 disks", layered["rows"][-1], 1, 1e-4)
    warm = variational_restitution.cooled(lab, 1.0, 1)
    close("energy of 900 disks under gravity, e = 1", float(warm[-1, :3].sum()), 1, 2.1e-4)


by_hand()
assert chosen(["variational"])[0] == [name for name in NAMES if name.startswith("variational")]
with tempfile.TemporaryDirectory() as at:
    small_runs(at)
