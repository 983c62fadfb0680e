"""Detects reports that differ from those of the command, violations that pass, and comparisons that lose a run or cannot be
stopped."""
from __future__ import annotations

import _thread
import csv
import importlib.util
import json
import pathlib
import unittest

import numpy as np

import carom
from carom import _declarations as declarations
from carom import studies
from support import Case, command, gas, pile, sticky


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


class Verification(Case):
    def setUp(self) -> None:
        super().setUp()
        self.sim = carom.Simulation(gas(output={"frames": {"every": 0.5}}), output="gas.h5", progress=False)
        self.sim.run()

    def test_a_sound_result(self) -> None:
        report = carom.verify("gas.h5")
        self.assertTrue(report)
        self.assertTrue(report.sound)
        self.assertEqual(report.data, json.loads(command("verify", "gas.h5", "--json").stdout))
        self.assertEqual(json.loads(report.json), report.data)
        self.assertTrue(all(one.sound for one in report.checks.values()))
        self.assertIn("gas.h5: sound; 5 frames of 64 particles", str(report))
        self.assertEqual(repr(report), "<carom.Verification 'gas.h5': sound>")

    def test_sources(self) -> None:
        self.sim.close()
        with carom.open("gas.h5") as result:
            self.assertTrue(carom.verify(result))
        sim = carom.Simulation(gas(output={"frames": {"every": 0.1}}), output="part.h5", progress=False)
        sim.run(time=0.55)
        self.assertEqual(carom.verify(sim).data["frames"], 6)
        with self.assertRaisesRegex(carom.UsageError, "has no result file"):
            carom.verify(carom.Simulation(gas(), progress=False))

    @unittest.skipUnless(has("h5py"), "h5py is missing")
    def test_a_violation(self) -> None:
        import h5py
        self.sim.close()
        with h5py.File("gas.h5", "r+") as file:
            for group in (file["particles/all/position"], file["carom/frames"]):
                del group["digest"]
            positions = file["particles/all/position/value"]
            positions[2, 5] = positions[2, 9] + 0.1
            for name in ("image", "velocity"):
                if "digest" in file["particles/all/" + name]:
                    del file["particles/all/" + name]["digest"]
        done = command("verify", "gas.h5", "--json", check=False)
        report = carom.verify("gas.h5")
        self.assertEqual(done.returncode, 77)
        self.assertFalse(report)
        self.assertEqual(report.data, json.loads(done.stdout))
        overlaps = report.checks["overlaps"]
        self.assertFalse(overlaps.sound)
        self.assertGreater(overlaps.violations, 0)
        self.assertIn("5 and 9", " ".join(overlaps.descriptions))
        self.assertIn("NOT SOUND", str(report))
        self.assertIn("overlaps", repr(report))
        self.assertIn("<b>not sound</b>", report._repr_html_())

    def test_files_that_cannot_be_verified(self) -> None:
        with self.assertRaises(carom.InputError):
            carom.verify("none.h5")
        pathlib.Path("text.h5").write_text("text")
        with self.assertRaises(carom.DataError):
            carom.verify("text.h5")

    def test_progress(self) -> None:
        # reports arrive at intervals of 0.2 s: a verification of many frames gives some
        scene = gas(2000, output={"frames": {"every": 0.004}}) | {"run": {"until": {"time": 1}}}
        with carom.Simulation(scene, output="long.h5", progress=False) as sim:
            sim.run()
        seen: list[carom.Progress] = []
        self.assertTrue(carom.verify("long.h5", progress=seen.append))
        self.assertTrue(all(one.phase == "verify" and 0 <= one.fraction <= 1 for one in seen))

    def test_an_exception_of_a_progress_function(self) -> None:
        """The exception is printed and lost."""
        def fail(one: carom.Progress) -> None:
            raise ZeroDivisionError("at %g" % one.fraction)
        watch = studies._Watch(fail)
        with self.assertRaisesRegex(ZeroDivisionError, "at 0.25"), watch.during():
            for fraction in (0.25, 0.5):
                watch.callback(declarations.carom_progress(phase=b"verify", fraction=fraction), None)


class Shapes(Case):
    def setUp(self) -> None:
        super().setUp()
        for name, seed in (("a", 1), ("b", 2)):
            scene = sticky(80, output={"frames": {"every": 1}}) | {"seed": seed, "run": {"until": {"clusters": 5}}}
            with carom.Simulation(scene, output=name + ".h5", progress=False) as sim:
                sim.run()

    def test_the_numbers_of_the_command(self) -> None:
        for options, words in (({}, []), ({"frame": "all", "cluster": "all"}, ["--frame", "all", "--cluster", "all"]),
                               ({"frame": 2, "cluster": "together"}, ["--frame", "2", "--cluster", "together"]),
                               ({"cluster": "all", "min_size": 5}, ["--cluster", "all", "--min-size", "5"])):
            command("shape", "a.h5", "b.h5", *words, "--json", "s.json", "--csv", "s.csv", "--force")
            study = carom.shape("a.h5", "b.h5", **options)
            self.assertEqual(study.data, json.loads(pathlib.Path("s.json").read_text()))
            with open("s.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual((len(study), list(study.columns)), (len(rows), list(rows[0])))
            for name in ("size", "gyration_radius", "aspect_ratio", "contacts"):
                given = [float(row[name]) if row[name] else np.nan for row in rows]
                np.testing.assert_array_equal(study[name], given)
            self.assertEqual(str(study), command("shape", "a.h5", "b.h5", *words).stdout.rstrip("\n"))

    def test_the_radius_of_gyration_is_that_of_the_positions(self) -> None:
        study = carom.shape("a.h5")
        with carom.open("a.h5") as result:
            frame = result.frames[-1]
            own = frame.cluster == study["cluster"][0]
            places = (frame.positions + frame.images * frame.box)[own]
            self.assertEqual(study["size"][0], own.sum())
            radius = np.sqrt(np.mean(np.sum((places - places.mean(axis=0)) ** 2, axis=1)))
            self.assertAlmostEqual(study["gyration_radius"][0], radius, delta=1e-10 * radius)

    def test_views(self) -> None:
        study = carom.shape("a.h5", "b.h5", frame="all", cluster="all")
        self.assertEqual([one["size"] for one in study], study["size"].tolist())
        self.assertEqual(len(study.frames), len({(f["file"], f["frame"]) for f in study.frames}))
        value, error = study.dimension_of_mass
        self.assertTrue(1 < value < 3 and error > 0)
        self.assertIn("<th>gyration_radius</th>", study._repr_html_())
        self.assertEqual(study.ensemble["size"]["mean"], np.mean(study["size"]))
        if has("pandas"):
            np.testing.assert_array_equal(study.to_pandas()["size"], study["size"])

    def test_wrong_options(self) -> None:
        for options, text in (({"frame": "first"}, "option 'frame' needs a number, 'last' or 'all', not 'first'"),
                              ({"cluster": "big"}, "option 'cluster' needs"), ({"frame": -1}, "option 'frame' is -1: it must be a whole number of at least 0"),
                              ({"gap": 0}, "must be above 0"), ({"frame": 999}, "999")):
            with self.subTest(options=options), self.assertRaisesRegex(carom.UsageError, text):
                carom.shape("a.h5", **options)
        with self.assertRaisesRegex(carom.UsageError, "at least one result"):
            carom.shape()
        with self.assertRaisesRegex(KeyError, "no column 'radii'"):
            carom.shape("a.h5")["radii"]
        with self.assertRaises(carom.InputError):
            carom.shape("none.h5")


class Comparisons(Case):
    def test_overrides_of_numpy(self) -> None:
        found = carom.compare(gas(), ["hard"], set={"run.until.collisions": np.int64(9),
                                                     "box.packing_fraction": np.float64(0.25)})
        self.assertEqual(found["hard"]["events"]["collision"], 9)

    def test_errors_of_the_scene(self) -> None:
        """Errors are those of files of the scene in a temporary folder, of another class than documented."""
        wrong = gas(box={"packing_fraction": 2})
        with self.assertRaisesRegex(carom.SceneError, "^scene:5:25: error: 'packing_fraction' must"):
            carom.compare(wrong, ["hard"])
        pathlib.Path("wrong.yaml").write_text(json.dumps({"carom": 1, **wrong}))
        with self.assertRaisesRegex(carom.SceneError, "^wrong.yaml:1:.* error: 'packing_fraction' must"):
            carom.compare("wrong.yaml", ["hard"])
        with self.assertRaisesRegex(carom.UsageError, "a scene is a carom.Scene"):
            carom.compare(3, ["hard"])

    def write(self, scene: dict[str, object]) -> str:
        pathlib.Path("scene.yaml").write_text(json.dumps({"carom": 1, **scene}))
        return "scene.yaml"

    def test_the_runs_of_the_command(self) -> None:
        path = self.write(gas(30, dimension=2, observe=[{"what": "pressure", "every": 0.1}, {"what": "msd", "every": 0.1}]))
        command("compare", path, "--engines", "hard,aggregation", "--seed", "5", "--json", "runs.json")
        runs = json.loads(pathlib.Path("runs.json").read_text())["runs"]
        for scene in (path, carom.Scene.load(path)):
            found = carom.compare(scene, ("hard", "aggregation"), set={"seed": 5})
            for mine, theirs in zip(found.summaries, runs):
                for key in ("state_hash", "events", "energy", "stop", "observables", "time"):
                    self.assertEqual(mine[key], theirs[key], key)
        self.assertEqual(found["aggregation"]["engine"], "aggregation")
        self.assertEqual((len(found), found.engines), (2, ("hard", "aggregation")))

    def test_the_table(self) -> None:
        found = carom.compare(gas(30), ("hard", "hard"))
        lines = str(found).split("\n")
        self.assertEqual(lines[0].split(), ["hard", "hard"])
        row = next(line for line in lines if line.startswith("collisions"))
        self.assertEqual(row.split()[1:], [str(found.summaries[0]["events"]["collision"])] * 2)
        page = found._repr_html_()
        self.assertIn("<tr><td>stopped by</td><td>time</td><td>time</td></tr>", page)

    def test_a_collapse_does_not_hide_the_other_run(self) -> None:
        scene = gas(3, dimension=2, contacts=[{"between": ["ball", "ball"], "restitution": 0.01}])
        scene["box"] = {"size": [30, 30]}
        scene["particles"] = [{"species": "ball", "place": {"at": [[2, 5], [10, 5], [18, 5]]},
                               "velocity": {"each": [[3, 0], [0, 0], [-3, 0]]}}]
        found = carom.compare(scene | {"run": {"until": {"time": 5}}}, ("hard", "variational"))
        self.assertEqual(found["hard"]["stop"], "collapse")
        self.assertIn("collapse", found.messages[0])
        self.assertEqual(found.messages[1], "")
        self.assertEqual(found["variational"]["stop"], "time")

    def test_errors(self) -> None:
        with self.assertRaisesRegex(carom.CaromError, "zebra"):
            carom.compare(gas(), ("hard", "zebra"))
        with self.assertRaisesRegex(carom.UsageError, "takes 1 to 8 engines, not 0"):
            carom.compare(gas(), ())
        with self.assertRaisesRegex(carom.CaromError, "count"):
            carom.compare(gas(), ("hard",), set={"particles.0.count": "x"})
        with self.assertRaises(carom.InputError):
            carom.compare("none.yaml")
        carom.Scene(gas()).save("gas.yaml")
        for scene in (gas(), carom.Scene(gas()), "gas.yaml"):
            with self.subTest(scene=type(scene)), self.assertRaises(carom.SceneError) as caught:
                carom.compare(scene, ("hard", "variational"), set={"box.packing_fraction": 3})
            self.assertEqual(caught.exception.faults[0].key, "box.packing_fraction")
            self.assertNotIn("/carom-", str(caught.exception))  # the name of a temporary file
        with self.assertRaisesRegex(KeyError, "no engine 'hard'"):
            carom.compare(pile(), ("variational",))["hard"]

    def test_ctrl_c(self) -> None:
        scene = gas(200) | {"run": {"until": {"time": 1e9}}}
        calls = []

        def interrupt(progress: carom.Progress) -> None:
            calls.append(progress.time)
            _thread.interrupt_main()

        with self.assertRaises(KeyboardInterrupt):
            carom.compare(scene, ("hard", "hard"), progress=interrupt)
        self.assertLess(len(calls), 20)


if __name__ == "__main__":
    unittest.main()
