#!/usr/bin/env python3
"""The experiments on variational contact: what they compute by hand, and two of them small."""
import os
import tempfile

from trials import close

import numpy as np

from experiments import layers, shells, variational_boxes, variational_impacts, variational_spring
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
    close("trend", variational_spring.trend([[0, 1.0], [5, 1.05], [10, 1.1]]), 0.1)
    tenths, slope, _ = variational_boxes.change(np.array([[t, 2 + 0.02 * t] for t in range(100)]))
    close("slope over the run", slope, 0.9, 1e-9)
    close("growth of a cost", shells.growth([10, 100, 1000], [3, 30 * 10**0.1, 300 * 10**0.2]), 1.1)
    close("drift over the largest energy", shells.drift({"energy": {"drift": 3, "initial": -5, "total": 2, "work": 60}}), 0.05)


def spring():
    """Falls by 1 without stretching, and is struck at speed sqrt(2)."""
    s = variational_spring.Spring(True)
    start = s.energy()
    s.fly(s.reach(0.1))
    close("time of the fall", s.t, 2**0.5)
    close("speed", s.v[0], -(2**0.5))
    close("energy", s.energy(), start)
    rows = variational_spring.impulses(5, 5, 0.001)
    close("five bounces by impulses", rows[-1][1], 1, 0.05)
    rows = variational_spring.realigned(5, 5, 0.05, 0.001)
    close("five bounces, clocks begun anew", rows[-1][1], 1, 0.05)


def small_runs(folder):
    lab = Experiment(os.environ["CAROM_BUILD"], False, os.path.join(folder, "out"), size=4)
    lab.cache = folder
    report = variational_impacts.run(lab)
    report.write()
    assert all(c.holds for c in report.claims), [c.measured for c in report.claims]
    rows = variational_boxes.box(lab, "few", 0.5, 20, count=60)
    assert rows.shape == (21, 9) and rows[-1, 4] + rows[-1, 5] > 50, rows[-1]
    close("energy of 60 disks", rows[-1, 1] / rows[0, 1], 1, 1e-4)
    cloth = shells.draped(lab, 6, 0.01)
    assert cloth["sound"] and cloth["overlaps"] == 0 and cloth["vertices"] == 49 + 362, cloth
    bounces = variational_spring.proposed(lab, "bounces", 30, 10)
    close("energy of a bouncing spring", bounces["rows"][-1][1], 1, 1e-2)


by_hand()
spring()
assert chosen(["variational"])[0] == [name for name in NAMES if name.startswith("variational")]
with tempfile.TemporaryDirectory() as at:
    small_runs(at)
