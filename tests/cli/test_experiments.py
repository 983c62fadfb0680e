#!/usr/bin/env python3
"""Detects wrong counts in the code of the experiments, against counts by hand, and experiments that no longer run
(two of them, small)."""
import csv
import importlib.util
import os
import tempfile

from trials import close

import numpy as np

from experiments import impact_clock, impact_separation, impact_states, plate, remedies, three_body_frames, three_body_frequency
from experiments.__main__ import NAMES, options
from experiments.lab import Experiment, markdown, power
from validate import haff, literature


def by_hand():
    """Separations by hand: those -2, -1, 0, 3 numbers away are at -1, -0.5, 0, 3 spacings."""
    s = impact_separation.Spread({-2: 2, -1: 4, 0: 1, 3: 1})
    close("overlapping", s.overlapping, 0.75)
    close("touching", s.touching, 0.125)
    close("mean", s.mean, (2 * -1 + 4 * -0.5 + 3) / 8)
    close("rms", s.rms, ((2 + 4 * 0.25 + 9) / 8) ** 0.5)
    close("mode", s.mode, -1)
    left, width = impact_separation.edges(np.array([-2, -1, 0, 1, 2]))
    close("gaps between bins", abs(left[1:] - (left + width)[:-1]).max(), 0)
    close("width at contact", width[2], 0.75)
    close("mode by width", impact_separation.Spread({-1: 100, 0: 160, 1: 150}).mode, 0)
    v = impact_separation.thermal(np.array([[1.0, 0, 0], [3.0, 0, 0], [2.0, 2, 0], [2.0, -2, 0]]))
    close("momentum", abs(v.sum(axis=0)).max(), 0)
    close("temperature", (v * v).sum() / 12, 1)
    close("deepest overlap", remedies.deepest([[0.1, 1, 1], [9.3, 1, 1], [5, 5, 5]], 10), 0.2, 1e-9)
    close("no overlap", remedies.deepest([[0.0, 1, 1], [5, 1, 1]], 10), 0)
    close("a bias of nothing", remedies.expected_shift(0), 0)
    for events, stop, wanted in ((0, "collisions", None), (3, "collisions", 0.03), (1200, "collapse", 0.01)):
        found = three_body_frequency.frequency({"again": events, "stop": stop, "collisions": 100})
        print("frequency of %d, %s: %r" % (events, stop, found))
        assert found == wanted
    for events, wanted in ((0, 3.6889), (1, 5.5716), (10, 18.3904)):  # Gehrels, Astrophys. J. 303, 336 (1986): chi^2 / 2 at 97.5 %
        close("largest mean of a count of %d" % events, three_body_frequency.most(events), wanted, 1e-4)
    half = {"cooled": 0.5, "collisions": impact_separation.COUNT}
    close("cooling a collision", impact_states.slower(half, 0.5), np.log(2) / 0.5)
    assert power(3.21e-9) == "3.2e-9" and power(0) == "0"
    assert markdown(["a", "b"], [[1, "x|y"]]) == ["| a | b |", "|---|---|", "| 1 | x\\|y |"]


def textbook():
    """The first impact of a ball that falls by 1/2 is at time 1 with speed 1: round heights give exact results."""
    lost, events = plate.textbook(np.array([0.0, 0.25, 0.625, 0.3125]), *(pair[0][1] for pair in (plate.MOVES, plate.GAPS)), -1.0)
    print("text-book formula at round heights: lost", lost, "events", events)
    assert not lost.any() and (events == 80).all()
    odd = 0.5 + 2.0**-53 * np.arange(1, 64, 2)  # their places of rest are no doubles
    lost, events = plate.textbook(odd, plate.MOVES[0][1], plate.GAPS[0][1], -1.0)
    print("at odd heights: lost %d of %d after %g to %g events" % (lost.sum(), len(odd), events.min(), events.max()))
    assert lost.all() and events.min() > 20 and events.max() < 40


def small_runs(folder):
    lab = Experiment(os.environ["CAROM_BUILD"], False, os.path.join(folder, "out"), size=200)
    lab.cache = folder
    report = plate.run(lab)
    report.write()
    claims = [c.holds for c in report.claims]
    assert claims[0] and claims[1] and claims[3], claims
    share = float(report.claims[2].measured.split()[0])
    close("share that fails", share, 25, 300 * (0.25 * 0.75 / 200) ** 0.5)  # three standard errors, 9.2
    with open(os.path.join(lab.out, "plate.md")) as file:
        text = file.read()
    assert "![" in text and "| stable rule: runs that fail | 0 | 0 of 200 | yes |" in text, text
    with open(os.path.join(lab.out, "plate.csv")) as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["value"]) for row in rows if row["histogram"] == "log10_error_stable_runs") == 200
    assert os.path.getsize(os.path.join(lab.out, "plate.png")) > 10000
    again = Experiment(os.environ["CAROM_BUILD"], False, lab.out, size=200)
    again.cache, again.idle = folder, True
    assert plate.run(again).text() == report.text(), "a run from the cache differs"
    lab.size = 2000
    impact_separation.COUNT = impact_states.COUNT = 500
    states = impact_states.run(lab)
    print([c.measured for c in states.claims])
    assert {c.holds for c in states.claims} == {False} and len(states.rows) > 9 * 30
    report = three_body_frames.run(lab)
    report.write()
    assert all(c.holds for c in report.claims), [c.measured for c in report.claims]
    counts = three_body_frequency.case(lab, 0.5, 0.9, "double", 2000)
    assert counts["stop"] == "collisions" and counts["collisions"] == 2000 and counts["again"] == 0, counts
    one_clock(lab)


def one_clock(lab):
    """With a clock without re-basing, errors follow the rounding of the clock in an elastic gas, and stay constant
    in a cooling one."""
    lab.size = 6
    report = impact_clock.run(lab)
    assert {c.holds for c in report.claims} == {False} and len(report.rows) == 27, [c.measured for c in report.claims]
    dilute = {float(row[1]): float(row[6]) for row in report.rows if row[0] == 0.1 and float(row[2]) == 64}
    assert dilute[0.6] < 0.285 * dilute[1.0] and dilute[0.9] < 0.55 * dilute[1.0], dilute  # .276 and .535 +- .003 and .005


def arguments():
    given = options(["plate", "--full", "--only", "stable", "--size", "7"])
    assert given.names == ["plate"] and given.full and given.only == "stable" and given.size == 7
    for name in NAMES:
        assert importlib.util.find_spec("experiments." + name) is not None, name


def hydrodynamics():
    """Few modes, by hand: k^2 = (2 pi / L)^2 six times; and no slowing without dissipation before the first
    collision."""
    density, n = 0.5, 7.0
    k = 2 * np.pi / (haff.PARTICLES / density) ** (1 / 3)
    f = density * np.pi / 6
    damping = literature.enskog_viscosity(f, literature.spheres(f)) / density / literature.enskog_rate(f, literature.spheres(f)) * k**2
    cooling = (1 - 0.81) / 6 * (1 + literature.sonine_a2(0.9) / 4)
    wanted = 6 * 2 / (3 * haff.PARTICLES) * cooling / (damping - cooling) * (1 - np.exp(-2 * (damping - cooling) * n))
    close("flow in six modes", haff.share_of_flow(density, n, 1.2 * k), wanted, 1e-15)
    close("no collision", haff.share_of_flow(density, 0, 2), 0)
    close("viscosity of a dilute gas", literature.enskog_viscosity(1e-9, 1 + 4e-9), 5 / 16 / np.sqrt(np.pi) * 1.016034, 1e-8)


by_hand()
hydrodynamics()
textbook()
arguments()
with tempfile.TemporaryDirectory() as at:
    small_runs(at)
