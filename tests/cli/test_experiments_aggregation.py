#!/usr/bin/env python3
"""Detects wrong counts in the experiments on ballistic aggregation, against counts by hand, and experiments that no
longer run (each of them, small)."""
import csv
import importlib
import os
import tempfile

from trials import close

import numpy as np

from experiments import aggregates, aggregation_boxes, aggregation_convergence, aggregation_dilute, aggregation_form, aggregation_kinetics
from experiments import aggregation_pictures
from experiments.__main__ import NAMES, chosen
from experiments.lab import Experiment

SEEDS = 2


def by_hand():
    close("exponent", aggregates.slope([1, 10, 100], [2, 20 * 10**0.5, 200 * 10])[0], 1.5)
    close("standard error", aggregates.error([1, 2, 3, 4]), (5 / 3) ** 0.5 / 2)
    close("standard errors apart", aggregates.apart([1, 2, 3], [4, 5, 6]), -3 / (2 / 3) ** 0.5)
    close("axes that agree", aggregation_form.order(np.array([10.0, 190.0, 10.0]), 2)[0], 1)
    close("axes at right angles", aggregation_form.order(np.array([10.0, 100.0]), 2)[0], 0)
    close("the same in a square", aggregation_form.order(np.array([10.0, 100.0]), 4)[0], 1)
    wide, narrow = np.arange(100.0), np.linspace(45, 55, 100)  # medians 49.5 and 50, deviations 29 and 2.9
    close("how far a median falls", aggregation_form.drops([wide, narrow], np.median)[0], 0, 0.3)
    assert 10 < aggregation_form.drops([wide, narrow], aggregation_form.deviation)[0] < 20
    assert aggregation_form.falls([wide, narrow, narrow / 2], aggregation_form.deviation)
    assert not aggregation_form.falls([wide, narrow / 2, narrow], aggregation_form.deviation), "a rise in between"
    assert not aggregation_form.falls([wide, 0.99 * wide], aggregation_form.deviation), "nothing falls"
    rows = [{"left": np.minimum(1000, 1000 / aggregates.TIMES), "end": 1e9}]
    close("time of one in ten", aggregation_kinetics.when(rows, 1000, 0.1), 10, 1e-9)
    close("growth", aggregation_kinetics.exponent(rows, 1000)[0], 1, 1e-9)
    cloud = [(m, m ** (1 / 1.7)) for m in range(30, 3000)]
    close("dimension from R_g", aggregation_dilute.fit(cloud)[1], 1.7, 1e-3)
    found = {"side": [16.0, 8.0, 4.0, 2.0, 1.0, 0.5], "boxes": [1, 4, 12, 36, 108, 324]}
    close("local slope", aggregation_boxes.local([found])[0], np.log2(3))
    assert len(aggregation_boxes.local([found])) == 3, "3 R to L/2"
    close("a full lattice of 900 discs", aggregation_boxes.exact_lattice(30), 2 - np.log2(16 / 14))
    close("one that fits its grids", aggregation_boxes.fitted(16.0, [1, 4, 16, 64, 256, 256], 0.1), 2)
    close("a swing that halves", aggregation_convergence.swing([[1, -4], [2, 3], [3, 2], [4, -1]]), 0.5)
    curves = {"1": [[1, 0.5], [3, 0.25]], "2": [[1, 0.1]]}
    close("strains in the middle", aggregation_convergence.quartiles(curves, [1, 2, 3])[1].sum(), 0.3 + 0.3 + 0.175)
    close("iterations where half stall", aggregation_convergence.median_iterations([[1, 3], [0, 9], [1, 5]]), 5)


def pictures_by_hand():
    i, j = np.array([0, 2, 1]), np.array([1, 3, 2])
    assert aggregation_pictures.clusters_after(5, i, j, 2).tolist() == [0, 0, 2, 2, 4]
    assert aggregation_pictures.clusters_after(5, i, j, 3).tolist() == [0, 0, 0, 0, 4]
    colors = aggregation_pictures.colors_of(np.array([0, 0, 2]))
    assert (colors[0] == colors[1]).all() and (colors[2] == 0.6).all()
    image = aggregation_pictures.raster(np.array([[0.5, 1.5]]), np.array([[0.0, 0.5, 1.0]]), 2.0, 2)
    close("a pixel", image[1, 0, 0], 1 - 1.25 * np.pi * 0.04)
    close("an empty one", image[0, 0, 0], 1)


def ensembles(lab):
    """A tree of contacts, counted by hand; numbers of clusters in time; exact events are exact."""
    rows = aggregates.ensemble(lab, 100, 0.2, "ED", SEEDS)
    for row in rows:
        close("sizes", row["size"], 100)
        assert row["left"][0] == 100 and row["left"][-1] == 1 and row["stop"] == "clusters"
        assert row["contacts"] >= 99 / 300 and row["contacts_self"] - row["contacts"] > 0.166
        assert row["boxes"][0] >= 1 and len(row["boxes"]) == len(row["side"]) and row["pairs"][-1] <= 100
    assert rows[0]["time"] != rows[1]["time"]
    fast, slow = aggregates.scene(100, 0.2), ["aggregation.reference=true"]
    with aggregates.Run(lab, fast, 1) as one, aggregates.Run(lab, fast, 1, slow) as two:
        assert (one.frame()[1] == two.frame()[1]).all() and one.summary["time"] == rows[0]["time"]
    assert not os.path.exists(one.result), "results are left behind"


def small_runs(lab):
    for name in chosen(["aggregation"])[0]:
        lab.used = []
        module = importlib.import_module("experiments." + name)
        report = module.run(lab)
        text = report.text()
        report.write()
        assert "arXiv:2309.09523" in text and report.claims and "](%s.png)" % name in text
        with open(os.path.join(lab.out, name + ".csv")) as file:
            rows = list(csv.reader(file))
        assert len(rows) > 3 and all(len(row) == len(report.columns) for row in rows), name
        assert os.path.getsize(os.path.join(lab.out, name + ".png")) > 10000
        if name == "aggregation_boxes":
            assert report.claims[0].holds and report.claims[2].holds, [c.measured for c in report.claims]
        if name == "aggregation_contacts":
            assert report.claims[1].holds is False, "the self term is two neighbours and oneself"
            lab.idle = True
            assert module.run(lab).text() == text, "a run from the cache differs"
            lab.idle = False
    assert os.path.getsize(os.path.join(lab.out, "aggregation_million.png")) > 10000
    assert os.path.getsize(os.path.join(lab.out, "aggregation_film.gif")) > 1000


def names():
    group, unknown = chosen(["aggregation", "plate", "aggreg"])
    assert group == [n for n in NAMES if n.startswith("aggregation_")] + ["plate"] and len(group) == 11 and unknown == ["aggreg"]


by_hand()
pictures_by_hand()
names()
with tempfile.TemporaryDirectory() as at:
    small = Experiment(os.environ["CAROM_BUILD"], False, os.path.join(at, "out"), size=SEEDS)
    small.cache = at
    ensembles(small)
    small_runs(small)
