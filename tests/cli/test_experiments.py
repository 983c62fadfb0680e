#!/usr/bin/env python3
"""The experiments' code, without their long runs: what it counts by hand, and two experiments small."""
import csv
import importlib.util
import os
import tempfile

from trials import close

import numpy as np

from experiments import impact_separation, plate, remedies, three_body_frames, three_body_frequency
from experiments.__main__ import NAMES, options
from experiments.lab import Experiment, markdown, power


def by_hand():
    """Separations: -2, -1, 0, 3 numbers off are at -1, -0.5, 0, 3 spacings."""
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
    assert power(3.21e-9) == "3.2e-9" and power(0) == "0"
    assert markdown(["a", "b"], [[1, "x|y"]]) == ["| a | b |", "|---|---|", "| 1 | x\\|y |"]


def textbook():
    """The first impact of a ball that falls by 1/2 is at time 1 and speed 1: at round heights it never fails."""
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
    assert 15 < share < 35, share
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
    report = three_body_frames.run(lab)
    report.write()
    assert all(c.holds for c in report.claims), [c.measured for c in report.claims]


def arguments():
    given = options(["plate", "--full", "--only", "stable", "--size", "7"])
    assert given.names == ["plate"] and given.full and given.only == "stable" and given.size == 7
    for name in NAMES:
        assert importlib.util.find_spec("experiments." + name) is not None, name


by_hand()
textbook()
arguments()
with tempfile.TemporaryDirectory() as at:
    small_runs(at)
