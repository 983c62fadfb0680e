"""Detects sweeps whose numbers differ from those of the command or depend on the number of processes, failed runs that stop
the others, rows that are lost by an interruption, and wrong statistics."""
from __future__ import annotations

import concurrent.futures
import csv
import importlib.util
import json
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import time
import unittest
import warnings
from typing import Any
from unittest import mock

import numpy as np

import carom
from carom import sweeps
from support import Case, SOURCE, command, gas, sticky

TIMES = {"cpu_s", "wall_s", "setup_s", "events_per_s", "peak_rss_bytes"}


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def observed(**keys: Any) -> dict[str, Any]:
    return gas(30, observe=[{"what": "pressure", "every": 0.1}, {"what": "energy", "every": 0.5}], **keys)


def end_of_process(task: Any) -> dict[str, Any]:
    """A run with seed 2 that ends its process."""
    if task.seed == 2:
        os._exit(3)
    return RUN(task)


RUN = sweeps._run


class Numbers(Case):
    def test_the_tables_of_the_command(self) -> None:
        pathlib.Path("gas.yaml").write_text(json.dumps({"carom": 1, **observed()}))
        measures = ["pressure", "observables.pressure.compressibility.mean", "events.total", "momentum.0", "stop"]
        pathlib.Path("sweep.yaml").write_text(json.dumps(
            {"carom": 1, "scene": "gas.yaml", "seeds": 3, "measure": measures, "keep": "nothing",
             "parameters": {"box.packing_fraction": [0.1, 0.3], "particles.0.count": [20, 30]}}))
        command("sweep", "sweep.yaml", "-o", "command", "--quiet", "--json", "command.json")
        table = carom.sweep("gas.yaml", {"box.packing_fraction": [0.1, 0.3], "particles.0.count": [20, 30]}, seeds=3,
                            jobs=2, measures=measures, folder="python")
        for name in ("runs.csv", "table.csv"):
            mine, theirs = ([list(row) for row in csv.reader((pathlib.Path(folder) / name).open(newline=""))]
                            for folder in ("python", "command"))
            self.assertEqual(mine[0], theirs[0])
            self.assertEqual(len(mine), len(theirs))
            for a, b in zip(mine[1:], theirs[1:]):
                for x, y in zip(a, b):
                    self.assertEqual(number(x), number(y))
        points = json.loads(pathlib.Path("command.json").read_text())["points"]
        for p, point in enumerate(points):
            self.assertEqual(table.points[p], point["parameters"])
            for name, expected in point["measures"].items():
                found = table.statistics(name)
                self.assertEqual({k: found[k][p] for k in expected}, expected)

    def test_a_run_has_the_bits_of_a_simulation(self) -> None:
        table = carom.sweep(observed(), {"box.packing_fraction": [0.1, 0.25]}, seeds=[4, 9], jobs=2)
        for row, summary in zip(table.rows, table.summaries):
            scene = observed() | {"seed": row["seed"], "box": {"packing_fraction": row["box.packing_fraction"]}}
            sim = carom.Simulation(scene, progress=False)
            sim.run()
            self.assertEqual(summary["state_hash"], sim.state_hash)

    def test_the_number_of_processes_does_not_matter(self) -> None:
        tables = [carom.sweep(observed(), {"particles.0.count": [20, 25]}, seeds=range(3), jobs=jobs) for jobs in (1, 2, 5)]
        for table in tables[1:]:
            for a, b in zip(table.summaries, tables[0].summaries):
                self.assertEqual({k: v for k, v in a.items() if k not in TIMES},
                                 {k: v for k, v in b.items() if k not in TIMES})

    def test_orders(self) -> None:
        table = carom.sweep(gas(10), {"particles.0.count": [10, 12], "box.packing_fraction": np.array([0.1, 0.2])},
                            together={"run.until.time": [0.1, 0.2], "title": ["a", "b"]}, seeds=range(2), jobs=2)
        self.assertEqual(table.parameters, ("run.until.time", "title", "particles.0.count", "box.packing_fraction"))
        self.assertEqual([tuple(point.values()) for point in table.points],
                         [(t, n, c, f) for t, n in ((0.1, "a"), (0.2, "b")) for c in (10, 12) for f in (0.1, 0.2)])
        self.assertEqual(table["seed"].tolist(), [0, 1] * 8)
        self.assertEqual(table["point"].tolist(), [p for p in range(1, 9) for _ in range(2)])
        self.assertEqual(table["time"].tolist(), table["run.until.time"].tolist())
        self.assertEqual(table["particles"].tolist(), table["particles.0.count"].tolist())

    def test_seeds_are_no_parameter(self) -> None:
        """A sweep over 'seed' labels runs of the same seed with different ones."""
        with self.assertRaisesRegex(carom.UsageError, "`seeds`"):
            carom.sweep(gas(), over={"seed": [1, 2]}, jobs=1)

    def test_statistics(self) -> None:
        values = [3.0, 1.0, 4.0, 1.5, 9.0, float("nan")]
        found, known = carom.statistics(values), np.array(values[:-1])
        self.assertEqual(found["runs"], 5)
        for name, expected in (("mean", known.mean()), ("sd", known.std(ddof=1)), ("error", known.std(ddof=1) / 5 ** 0.5),
                               ("min", 1), ("q05", np.quantile(known, 0.05)), ("q25", np.quantile(known, 0.25)),
                               ("median", 3), ("q75", 4), ("q95", np.quantile(known, 0.95)), ("max", 9)):
            self.assertAlmostEqual(found[name], expected, delta=1e-14, msg=name)
        one = carom.statistics([2])
        self.assertEqual((one["mean"], one["runs"]), (2, 1))
        self.assertTrue(np.isnan(one["sd"]) and np.isnan(one["error"]))
        self.assertTrue(np.isnan(carom.statistics([])["mean"]))

    def test_means_and_errors_of_groups(self) -> None:
        table = carom.sweep(observed(), {"box.packing_fraction": [0.1, 0.3]}, seeds=4, jobs=2)
        values = table["pressure"].reshape(2, 4)
        np.testing.assert_allclose(table.mean("pressure"), values.mean(axis=1), rtol=1e-14)
        np.testing.assert_allclose(table.error("pressure"), values.std(axis=1, ddof=1) / 2, rtol=1e-12)
        self.assertGreater(table.mean("pressure")[1], 2 * table.mean("pressure")[0])
        self.assertIn("observables.pressure.mean", table.measures)
        np.testing.assert_array_equal(table["observables.pressure.mean"], table["pressure"])


def number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


class Tables(Case):
    def setUp(self) -> None:
        super().setUp()
        self.table = carom.sweep(observed(), {"box.packing_fraction": [0.1, 0.2]}, seeds=2, jobs=2)

    def test_columns(self) -> None:
        table = self.table
        self.assertEqual(table.columns, ("point", "box.packing_fraction", "seed", "exit", "message", "stop", "time",
                                         "events.total", "cpu_s", "observables.pressure.mean", "observables.energy.mean"))
        self.assertEqual(len(table), 4)
        self.assertEqual([row["exit"] for row in table], [0] * 4)
        self.assertEqual(table["stop"].tolist(), ["time"] * 4)
        self.assertEqual(table["energy.kinetic"].shape, (4,))
        self.assertEqual(table.failed, [])
        with self.assertRaisesRegex(KeyError, "no run has a number or a word at 'presure'"):
            table["presure"]
        with self.assertRaisesRegex(KeyError, "no run has a number at 'stop'"):
            table.mean("stop")

    @unittest.skipUnless(has("pandas"), "pandas is missing")
    def test_pandas(self) -> None:
        runs = self.table.to_pandas()
        self.assertEqual(list(runs.columns), list(self.table.columns))
        means = runs.groupby("box.packing_fraction")["observables.pressure.mean"].mean()
        np.testing.assert_allclose(means, self.table.mean("pressure"), rtol=1e-14)
        points = self.table.to_pandas(statistics=True)
        own = points[points["measure"] == "observables.pressure.mean"]
        np.testing.assert_array_equal(own["mean"], self.table.mean("pressure"))

    def test_page_and_plot(self) -> None:
        page = self.table._repr_html_()
        self.assertIn("<th>box.packing_fraction</th>", page)
        self.assertIn("%.6g ± " % self.table.mean("pressure")[0], page)
        self.assertEqual(repr(self.table), "<carom.SweepTable: 4 runs at 2 points, 0 failed>")
        self.table.save("saved")
        self.assertIn("observables.pressure.mean", " ".join(p["name"] for p in carom.plot("saved").panels) +
                      json.dumps(carom.plot("saved").panels))

    def test_a_table_can_be_pickled(self) -> None:
        again = pickle.loads(pickle.dumps(self.table))
        self.assertEqual(again.rows, self.table.rows)

    def test_a_measure_that_no_run_has(self) -> None:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            carom.sweep(gas(10), measures=["time", "observables.msd.mean"], jobs=1)
        self.assertTrue(any("no run has a number or a word at 'observables.msd.mean'" in str(one.message) for one in seen))


    def test_the_cost_of_a_table_is_linear(self) -> None:
        """Each run is searched for the means of observables that no run has."""
        summary = {"observables": {"pressure": {"mean": 1.0}, "radial_distribution": {}}}
        rows = [{"exit": 0, "message": "", "summary": summary} for _ in range(100)]
        with mock.patch.object(sweeps, "_measured", side_effect=sweeps._measured) as measured:
            table = sweeps.SweepTable([{}], list(range(100)), rows, None, None)
        self.assertEqual(table.measures[-1], "observables.pressure.mean")
        self.assertLess(measured.call_count, 500)


class Failures(Case):
    def test_a_run_that_the_dynamics_ends(self) -> None:
        scene = gas(3, dimension=2)
        scene["box"] = {"size": [30, 30]}
        scene["particles"] = [{"species": "ball", "place": {"at": [[2, 5], [10, 5], [18, 5]]},
                               "velocity": {"each": [[3, 0], [0, 0], [-3, 0]]}}]
        scene["run"] = {"until": {"time": 20}}
        table = carom.sweep(scene, {"contacts": [[{"between": ["ball", "ball"], "restitution": e}] for e in (0.01, 1)]}, jobs=2)
        self.assertEqual(table["exit"].tolist(), [76, 0])
        self.assertIn("collapse", table.failed[0]["message"])
        self.assertEqual(table["stop"].tolist(), ["collapse", "time"])
        self.assertEqual(table.statistics("time")["runs"].tolist(), [0, 1])
        self.assertIn("1 runs failed", table._repr_html_())

    def test_a_scene_that_cannot_run_at_a_point(self) -> None:
        with mock.patch.object(sweeps, "_work_through") as work:
            with self.assertRaisesRegex(carom.SceneError, "the scene cannot run with box.packing_fraction = -1"):
                carom.sweep(gas(10), {"box.packing_fraction": [0.1, -1]})
            work.assert_not_called()

    def test_a_process_that_ends_takes_no_other_run_along(self) -> None:
        with mock.patch.object(sweeps, "_run", end_of_process):
            table = carom.sweep(gas(10), seeds=4, jobs=2)
        self.assertEqual(table["exit"].tolist(), [0, 70, 0, 0])
        self.assertIn("the process of the run has ended", table.failed[0]["message"])
        self.assertIsNone(table.summaries[1])

    def test_columns_of_lists(self) -> None:
        """Values of a parameter that are lists of different lengths, which no array of numpy has."""
        lists = [[{"what": "pressure"}], [{"what": "pressure"}, {"what": "temperature"}]]
        table = carom.sweep(gas(10), over={"observe": lists}, jobs=1)
        self.assertEqual(table["observe"].tolist(), lists)
        boxes = carom.sweep(gas(10, box={"size": [9, 9, 9]}), over={"box.size": [[8, 8, 8], [9, 9, 9]]}, jobs=1)
        self.assertEqual(boxes["box.size"].shape, (2, 3))

    def test_wrong_arguments(self) -> None:
        for options, text in (({"over": {"seed": 3}}, "needs a list of values"), ({"over": {"title": "ab"}}, "needs a list"),
                              ({"over": {"box.size": []}}, "needs a list"), ({"seeds": []}, "at least one seed"),
                              ({"seeds": [1, 1]}, "must differ"), ({"jobs": 0}, "`jobs` is 0: it must be a whole number of at least 1"),
                              ({"keep": True}, "needs a folder"),
                              ({"together": {"title": ["a"], "seed": [1, 2]}}, "different lengths: title 1, seed 2"),
                              ({"over": {"title": ["a"]}, "together": {"title": ["a"]}}, "in `over` and in `together`")):
            with self.subTest(options=options), self.assertRaisesRegex(carom.UsageError, text):
                carom.sweep(gas(10), **options)
        scene = gas(10)
        del scene["run"]
        with self.assertRaisesRegex(carom.UsageError, "run.until"):
            carom.sweep(scene)


class Folders(Case):
    def test_a_sweep_that_was_interrupted_goes_on(self) -> None:
        over = {"particles.0.count": [10, 12]}
        whole = carom.sweep(gas(), over, seeds=3, jobs=2, folder="sweep")
        rows = pathlib.Path("sweep/rows.jsonl")
        lines = rows.read_text().splitlines(keepends=True)
        rows.write_text("".join(lines[:3]) + lines[3][:40])  # killed while it wrote a row
        calls = []
        with mock.patch.object(sweeps, "_submit", side_effect=lambda executor, tasks, keep: calls.append(len(tasks)) or
                               [keep(key, RUN(task)) for key, task in tasks.items()] and {}):
            again = carom.sweep(gas(), over, seeds=3, jobs=2, folder="sweep")
        self.assertEqual(calls, [3])
        self.assertEqual([s["state_hash"] for s in again.summaries], [s["state_hash"] for s in whole.summaries])
        self.assertEqual(again.folder, pathlib.Path("sweep"))
        third = carom.sweep(gas(), over, seeds=4, jobs=2, folder="sweep")
        self.assertEqual(len(third), 8)

    def test_another_sweep_is_refused(self) -> None:
        carom.sweep(gas(10), {"particles.0.count": [10, 12]}, folder="sweep", jobs=1)
        with self.assertRaisesRegex(carom.UsageError, "belongs to another sweep, with other `over`"):
            carom.sweep(gas(10), {"particles.0.count": [10, 14]}, folder="sweep")
        with self.assertRaisesRegex(carom.UsageError, "belongs to another sweep, with other `scene`"):
            carom.sweep(gas(11), {"particles.0.count": [10, 12]}, folder="sweep")
        pathlib.Path("notes").mkdir()
        pathlib.Path("notes/a.txt").write_text("a")
        with self.assertRaisesRegex(carom.UsageError, "contains other files \\(a.txt\\)"):
            carom.sweep(gas(10), folder="notes")

    def test_failed_runs_are_repeated(self) -> None:
        with mock.patch.object(sweeps, "_run", end_of_process):
            first = carom.sweep(gas(10), seeds=3, jobs=1, folder="sweep")
        self.assertEqual(first["exit"].tolist(), [0, 70, 0])
        second = carom.sweep(gas(10), seeds=3, jobs=1, folder="sweep")
        self.assertEqual(second["exit"].tolist(), [0, 0, 0])

    def test_results_are_kept(self) -> None:
        table = carom.sweep(sticky(20), seeds=2, jobs=2, folder="sweep", keep=True)
        for seed, summary in zip((1, 2), table.summaries):
            with carom.open("sweep/runs/point-1-seed-%d.h5" % seed) as result:
                self.assertEqual((result.seed, result.state_hash), (seed, summary["state_hash"]))

    def test_ctrl_c_keeps_the_rows(self) -> None:
        pathlib.Path("script.py").write_text(
            "import sys; sys.path.insert(0, %r)\n"
            "import carom, json\n"
            "scene = json.loads(%r)\n"
            "try:\n"
            "    carom.sweep(scene, {'run.until.time': [0.1, 0.2, 1e9]}, jobs=2, folder='sweep')\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted')\n" % (str(SOURCE / "python"), json.dumps(gas(10))))
        script = subprocess.Popen([sys.executable, "script.py"], stdout=subprocess.PIPE, text=True, start_new_session=True)
        rows = pathlib.Path("sweep/rows.jsonl")
        try:
            for _ in range(1200):
                if rows.exists() and rows.read_text().count("\n") == 2:
                    break
                time.sleep(0.05)
            os.killpg(script.pid, signal.SIGINT)  # as a terminal does
            out, _ = script.communicate(timeout=60)
        finally:
            if script.poll() is None:
                os.killpg(script.pid, signal.SIGKILL)
        self.assertEqual(out, "interrupted\n")
        self.assertEqual(rows.read_text().count("\n"), 2)
        with self.assertRaises(ProcessLookupError):  # no worker is left
            os.killpg(script.pid, 0)


    def test_the_cost_of_a_row_is_constant(self) -> None:
        """All rows are read again for each that is added; or a row that a kill cut off spoils the next."""
        store = sweeps._Store("rows", {})
        row = {"exit": 0, "message": "", "summary": None}
        store.add(1, 1, row)
        with store._path.open("a", encoding="utf-8") as file:
            file.write('{"point": 1, "se')
        with mock.patch.object(pathlib.Path, "read_bytes", side_effect=AssertionError), \
                mock.patch.object(pathlib.Path, "read_text", side_effect=AssertionError):
            store.add(1, 2, row)
            store.add(1, 3, row)
        self.assertEqual(sorted(store.rows()), [(1, 1), (1, 2), (1, 3)])


class Executors(Case):
    def test_any_executor(self) -> None:
        expected = carom.sweep(gas(10), seeds=3, jobs=1)
        with concurrent.futures.ThreadPoolExecutor(2) as executor:
            table = carom.sweep(gas(10), seeds=3, executor=executor)
            self.assertEqual(executor.submit(int, "3").result(), 3)  # it is not shut down
        self.assertEqual([s["state_hash"] for s in table.summaries], [s["state_hash"] for s in expected.summaries])

    @unittest.skipUnless(has("mpi4py") and shutil.which("mpiexec"), "mpi4py or mpiexec is missing")
    def test_mpi(self) -> None:
        if os.environ.get("CAROM_SANITIZE") == "1":
            self.skipTest("the programs of mpiexec do not get the library of the sanitizer")
        pathlib.Path("script.py").write_text(
            "import sys; sys.path.insert(0, %r)\n"
            "import carom, json\n"
            "from mpi4py.futures import MPIPoolExecutor\n"
            "if __name__ == '__main__':\n"
            "    with MPIPoolExecutor() as executor:\n"
            "        table = carom.sweep(json.loads(%r), {'box.packing_fraction': [0.1, 0.2]}, seeds=3, executor=executor)\n"
            "    print(json.dumps([s['state_hash'] for s in table.summaries]))\n"
            % (str(SOURCE / "python"), json.dumps(gas(10))))
        done = subprocess.run(["mpiexec", "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-m",
                               "mpi4py.futures", "script.py"], capture_output=True, text=True, timeout=300,
                              env={k: v for k, v in os.environ.items() if k != "LD_PRELOAD"})
        self.assertEqual(done.returncode, 0, done.stderr)
        expected = carom.sweep(gas(10), {"box.packing_fraction": [0.1, 0.2]}, seeds=3, jobs=2)
        self.assertEqual(json.loads(done.stdout.strip().splitlines()[-1]), [s["state_hash"] for s in expected.summaries])


if __name__ == "__main__":
    unittest.main()
