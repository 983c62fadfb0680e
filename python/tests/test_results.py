"""Detects contents of result files that differ from the file, frames that change or vanish, wrong trees of merges, wrong
conversions, and files that are damaged, growing or of earlier versions."""
from __future__ import annotations

import concurrent.futures
import csv
import gzip
import importlib.util
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
from typing import Any
from unittest import mock

import numpy as np

import carom
from carom import converters
from support import COMMAND, SOURCE, Case, command, gas, sticky

RESULTS: dict[str, pathlib.Path] = {}
FOLDER: list[pathlib.Path] = []


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def mixture(**keys: Any) -> dict[str, Any]:
    """Disks of two species between walls, with observables of all kinds."""
    scene = gas(50, dimension=2, output={"frames": {"every": 0.5}},
                observe=[{"what": "pressure", "every": 0.25}, {"what": "energy", "every": 0.5},
                         {"what": "momentum", "every": 1}, {"what": "radial_distribution", "every": 0.5},
                         {"what": "temperature", "every": 0.1, "name": "heat"}], **keys)
    scene["box"] = {"size": [14, 12], "boundary": ["periodic", "wall"]}
    scene["species"] = {"small": {"diameter": 0.8}, "big": {"diameter": 1.2, "mass": 3}}
    scene["run"] = {"until": {"time": 4}}
    scene["particles"] = [{"species": name, "count": 25, "place": "random", "velocity": {"maxwell": 1}}
                          for name in ("small", "big")]
    return scene


def cloth() -> dict[str, Any]:
    """A sheet above a rigid sphere, and a chain of particles beside them."""
    return {"engine": "variational", "dimension": 3, "seed": 2, "box": {"size": [8, 8, 5], "boundary": "open"},
            "species": {"a": {"diameter": 1}, "bead": {"diameter": 0.2, "mass": 1}},
            "particles": [{"species": "bead", "place": {"at": [[1, 1, 1], [1.5, 1, 1], [2, 1, 1]]}, "velocity": "zero"}],
            "springs": [{"name": "links", "chain": {"from": 0, "to": 2}, "stiffness": 100}],
            "drives": [{"name": "end", "particles": [2]}],
            "meshes": [{"name": "ball", "shape": {"sphere": {"radius": 1, "parts": 2}}, "place": {"at": [4, 4, 1.5]},
                        "thickness": 0.05, "rigid": True},
                       {"name": "sheet", "shape": {"rectangle": {"length": 2, "width": 2, "along": 4, "across": 4}},
                        "place": {"at": [4, 4, 2.7]}, "thickness": 0.05, "density": 1, "stretch": 50, "bend": 0.002}],
            "fields": {"gravity": [0, 0, -1]}, "run": {"until": {"time": 0.2}}, "output": {"frames": {"every": 0.1}}}


def run(name: str, scene: dict[str, Any], *options: str) -> pathlib.Path:
    """A result of the command."""
    folder = FOLDER[0]
    (folder / (name + ".yaml")).write_text(json.dumps({"carom": 1, **scene}))
    command("run", folder / (name + ".yaml"), "-o", folder / (name + ".h5"), "--quiet", "--json", folder / (name + ".json"),
            *options)
    return folder / (name + ".h5")


def setUpModule() -> None:
    FOLDER.append(pathlib.Path(tempfile.mkdtemp(prefix="carom-python-")))
    RESULTS["gas"] = run("gas", mixture())
    merging = sticky(60, output={"frames": {"every": 0.5}}, observe=[{"what": "clusters", "every": 0.5}])
    RESULTS["sticky"] = run("sticky", merging | {"run": {"until": {"clusters": 1}}, "box": {"packing_fraction": 0.1}})
    RESULTS["cloth"] = run("cloth", cloth())


def tearDownModule() -> None:
    shutil.rmtree(FOLDER.pop())


def stored(path: pathlib.Path) -> dict[str, Any]:
    """All datasets and attributes of a file by path, as h5py reads them. Two users of the HDF5 of the system cannot have the
    same file open in one process, so that it is closed again."""
    import h5py
    found: dict[str, Any] = {}

    def take(group: Any, path: str) -> None:  # visititems would visit linked datasets once
        for key, item in group.items():
            found.update(("%s%s@%s" % (path, key, name), value) for name, value in item.attrs.items())
            if isinstance(item, h5py.Dataset):
                found[path + key] = item[()]
            else:
                take(item, path + key + "/")

    with h5py.File(path) as file:
        take(file, "")
    return found


@unittest.skipUnless(has("h5py"), "h5py is missing")
class AgainstH5py(Case):
    def test_arrays_of_frames(self) -> None:
        file = stored(RESULTS["gas"])
        with carom.open(RESULTS["gas"]) as result:
            self.assertEqual(len(result.frames), 9)
            for n, frame in enumerate(result.frames):
                for attribute, path in (("positions", "position"), ("velocities", "velocity"), ("images", "image")):
                    np.testing.assert_array_equal(getattr(frame, attribute), file["particles/all/%s/value" % path][n])
                for attribute, path in (("radii", "radius"), ("masses", "mass"), ("species", "species"), ("ids", "id")):
                    np.testing.assert_array_equal(getattr(frame, attribute), file["particles/all/" + path][:])
                np.testing.assert_array_equal(frame["edges"], file["particles/all/box/edges/value"][n])
                self.assertEqual(frame.time, file["particles/all/position/time"][n])
                self.assertEqual(frame["state_hash"], file["carom/frames/state_hash"][n])

    def test_numbers_of_all_frames(self) -> None:
        file = stored(RESULTS["gas"])
        with carom.open(RESULTS["gas"]) as result:
            for name in result.channels:
                path = {"step": "particles/all/position/step", "time": "particles/all/position/time",
                        "edges": "particles/all/box/edges/value"}.get(name, "carom/frames/" + name)
                np.testing.assert_array_equal(result.numbers(name), file[path][:], err_msg=name)
            np.testing.assert_array_equal(result.times, file["particles/all/position/time"][:])

    def test_many_rows_of_numbers(self) -> None:
        # more frames than one block of rows
        path = run("many", gas(4, dimension=2, output={"frames": {"every": 0.001}}))
        file = stored(path)
        with carom.open(path) as result:
            self.assertEqual(len(result.times), 2001)
            np.testing.assert_array_equal(result.times, file["particles/all/position/time"][:])
            np.testing.assert_array_equal(result.numbers("momentum"), file["carom/frames/momentum"][:])

    def test_merges(self) -> None:
        file = stored(RESULTS["sticky"])
        with carom.open(RESULTS["sticky"]) as result:
            for name, values in (("time", result.merges.times), ("i", result.merges.i), ("j", result.merges.j)):
                np.testing.assert_array_equal(values, file["carom/merges/" + name][:])
            self.assertEqual(len(result.merges), 59)

    def test_meshes_and_springs(self) -> None:
        file = stored(RESULTS["cloth"])
        with carom.open(RESULTS["cloth"]) as result:
            self.assertEqual(list(result.meshes), ["ball", "sheet"])
            for name, mesh in result.meshes.items():
                group = "carom/meshes/" + name
                first, count = (int(file["%s@%s" % (group, word)]) for word in ("first", "vertices"))
                np.testing.assert_array_equal(mesh.faces, file[group + "/triangles"])
                self.assertEqual(mesh.points, range(first, first + count))
                own = slice(mesh.points.start, mesh.points.stop)
                np.testing.assert_array_equal(mesh.vertices(1, unwrapped=False), file["particles/all/position/value"][1, own])
                self.assertEqual(mesh.rigid, name == "ball")
            np.testing.assert_array_equal(result.links.springs[:, 0], file["carom/springs/i"][:])
            np.testing.assert_array_equal(result.links.springs[:, 1], file["carom/springs/j"][:])
            np.testing.assert_array_equal(result.links.owners, file["carom/owner"])
            self.assertEqual(result.links.owners[2] > 0, True)
            self.assertEqual(result.vertices, sum(len(mesh.points) for mesh in result.meshes.values()))

    def test_texts(self) -> None:
        file = stored(RESULTS["gas"])
        with carom.open(RESULTS["gas"]) as result:
            self.assertEqual(result.scene_text, bytes(file["carom/scene"]).decode())
            self.assertEqual(result.commit, file["carom@commit"].decode())
            self.assertEqual(result.species_names, ("small", "big"))


class Frames(Case):
    def setUp(self) -> None:
        super().setUp()
        self.result = carom.open(RESULTS["gas"])
        self.addCleanup(self.result.close)

    def test_indices_and_slices(self) -> None:
        frames, times = self.result.frames, [0.5 * n for n in range(9)]
        self.assertEqual(frames[-1].time, 4.0)
        self.assertEqual([f.time for f in frames[1:4]], times[1:4])
        self.assertEqual([f.time for f in frames[::-3]], times[::-3])
        self.assertEqual(frames[2:8][::2][-1].time, times[2:8][::2][-1])
        self.assertEqual(list(frames[::-2].times), times[::-2])
        self.assertEqual(list(frames[::3].indices), [0, 3, 6])
        self.assertEqual(len(frames[5:2]), 0)
        self.assertEqual(frames[np.int64(2)].time, 1.0)

    def test_an_index_beyond_the_end(self) -> None:
        for index in (9, -10):
            with self.assertRaisesRegex(IndexError, "no frame %d: there are 9" % index):
                self.result.frames[index]
        with self.assertRaises(TypeError):
            self.result.frames["last"]

    def test_threads_can_share_a_result(self) -> None:
        """Threads that read frames at the same time remove frames from the memory of each other."""
        def read(seed: int) -> None:
            for number in np.random.default_rng(seed).integers(0, len(times), 200):
                if result.frames[number].time != times[number]:
                    wrong.append(number)

        with carom.Simulation(gas(8, output={"frames": {"every": 0.1}}), output="run.h5") as sim:
            sim.run()
        wrong: list[int] = []
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-6)
        with carom.open("run.h5") as result, concurrent.futures.ThreadPoolExecutor(6) as threads:
            times = result.times
            list(threads.map(read, range(6)))
        self.assertEqual(wrong, [])

    def test_frames_are_read_once_and_few_are_kept(self) -> None:
        first = self.result.frames[0]
        self.assertIs(self.result.frames[0], first)
        for n in range(1, 9):
            self.result.frames[n]
        self.assertIsNot(self.result.frames[0], first)
        np.testing.assert_array_equal(self.result.frames[0].positions, first.positions)

    def test_frames_outlive_the_file(self) -> None:
        frame, last = self.result.frames[0], self.result.frames[-1].positions
        before, after = frame.positions.copy(), last.copy()
        self.result.close()
        del self.result
        np.testing.assert_array_equal(frame.positions, before)
        np.testing.assert_array_equal(last, after)
        self.result = carom.open(RESULTS["gas"])

    def test_arrays_are_read_only(self) -> None:
        for array in (self.result.frames[0].positions, self.result.times, self.result.merges.times,
                      self.result.observables["heat"].series["time"]):
            with self.assertRaises(ValueError):
                array[...] = 0

    def test_stacked_arrays(self) -> None:
        stack = self.result.array("positions", every=2)
        self.assertEqual(stack.shape, (5, 50, 2))
        np.testing.assert_array_equal(stack, np.stack([f.positions for f in self.result.frames[::2]]))
        np.testing.assert_array_equal(self.result.array("velocities", start=-2), np.stack(
            [f.velocities for f in self.result.frames[-2:]]))
        np.testing.assert_array_equal(self.result.array("kinetic"), self.result.numbers("kinetic"))
        with self.assertRaisesRegex(carom.UsageError, "no frame of .* is chosen: it has 9"):
            self.result.array("positions", start=20)
        with self.assertRaisesRegex(KeyError, "no channel 'colour'"):
            self.result.array("colour")

    def test_energies_and_momenta_agree_with_the_stored_ones(self) -> None:
        for n, frame in enumerate(self.result.frames):
            self.assertEqual(frame.energy.kinetic, self.result.numbers("kinetic")[n])
            np.testing.assert_array_equal(frame.momentum, self.result.numbers("momentum")[n][:2])

    def test_velocities_of_a_gas_that_has_cooled_far(self) -> None:
        # velocities are scaled in the engine: 2^scale has to be removed
        scene = gas(30, dimension=2, contacts=[{"between": ["ball", "ball"], "restitution": 0.3}],
                    output={"frames": {"every_collisions": 5000}})
        scene["run"] = {"until": {"collisions": 20000}}
        scene["hard"] = {"collapse": {"policy": "tc", "tc": 1e-9}}
        with carom.open(run("cold", scene)) as result:
            self.assertNotEqual(result.numbers("scale")[-1], 0)
            for n, frame in enumerate(result.frames):
                own = 0.5 * np.sum(frame.masses * np.sum(frame.velocities ** 2, axis=1))
                self.assertLess(abs(own - result.numbers("kinetic")[n]), 1e-12 * own)

    def test_wrong_channels(self) -> None:
        with self.assertRaisesRegex(carom.UsageError, "have no numbers 'positions'"):
            self.result.numbers("positions")
        with self.assertRaisesRegex(AttributeError, "no cluster"):
            self.result.frames[0].cluster


class Observables(Case):
    def setUp(self) -> None:
        super().setUp()
        self.result = carom.open(RESULTS["gas"])
        self.addCleanup(self.result.close)

    def test_values_are_those_of_info(self) -> None:
        for name in RESULTS:
            info = json.loads(command("info", RESULTS[name], "--json").stdout)["observables"]
            with carom.open(RESULTS[name]) as result:
                self.assertEqual(list(result.observables), list(info))
                for key, observable in result.observables.items():
                    self.assertEqual(observable.what, info[key]["what"])
                    self.assertEqual(list(observable.values), list(info[key]["values"]))
                    for word, value in observable.values.items():
                        given = info[key]["values"][word]
                        for mine, theirs in ((value.mean, given["mean"]), (value.error, given["error"])):
                            theirs = np.array(theirs, dtype=float).reshape(np.shape(mine))
                            np.testing.assert_array_equal(mine, theirs)
                        self.assertEqual(value.converged, given["converged"])
                        self.assertEqual(value.units, given["quantity"])

    def test_main_value(self) -> None:
        pressure = self.result.observables["pressure"]
        first = next(iter(pressure.values.values()))
        self.assertEqual((pressure.mean, pressure.error, pressure.units, pressure.converged),
                         (first.mean, first.error, "energy / volume", first.converged))
        summary = json.loads((FOLDER[0] / "gas.json").read_text())["observables"]["pressure"]
        self.assertEqual((pressure.mean, pressure.error), (summary["mean"], summary["error"]))

    def test_tables_are_those_of_the_export(self) -> None:
        for name, what in (("gas", "heat"), ("gas", "pressure"), ("gas", "momentum"), ("gas", "radial_distribution"),
                           ("sticky", "clusters"), ("sticky", "clusters/octaves")):
            target = self.folder / "table.csv"
            command("export", RESULTS[name], "--to", "csv", "--what", what, "-o", target, "--force")
            with target.open(newline="") as file:
                rows = list(csv.reader(file))
            with carom.open(RESULTS[name]) as result:
                observable = result.observables[what.partition("/")[0]]
                tables = observable.tables
                table = tables[what.partition("/")[2]] if "/" in what else next(iter(tables.values()))
                flat = np.column_stack([table[c].reshape(table.rows, -1) for c in table]) if table.rows else []
                np.testing.assert_array_equal(np.array(rows[1:], dtype=float), flat)
                self.assertEqual(len(rows) - 1, table.rows)

    def test_series(self) -> None:
        series = self.result.observables["heat"].series
        np.testing.assert_allclose(series["time"], 0.1 * np.arange(41), rtol=0, atol=1e-12)
        self.assertEqual(list(series)[0], "time")
        self.assertEqual(series.units["time"], "time")
        self.assertTrue(series.series)
        self.assertEqual(self.result.observables["momentum"].series["momentum"].shape, (5, 2))
        self.assertEqual(self.result.observables["pressure"].values["tensor"].mean.shape, (2, 2))

    def test_what_is_not_there(self) -> None:
        with self.assertRaisesRegex(KeyError, "no observable 'pressur'; it has pressure, energy"):
            self.result.observables["pressur"]
        with self.assertRaisesRegex(KeyError, "no column 'energy'"):
            self.result.observables["heat"].series["energy"]
        distribution = self.result.observables["radial_distribution"]
        with self.assertRaisesRegex(AttributeError, "has no series"):
            distribution.series
        with self.assertRaisesRegex(AttributeError, "has no mean"):
            distribution.mean

    @unittest.skipUnless(has("pandas"), "pandas is missing")
    def test_tables_in_pandas(self) -> None:
        table = self.result.observables["pressure"].series
        frame = table.to_pandas()
        np.testing.assert_array_equal(frame["time"], table["time"])
        np.testing.assert_array_equal(frame["tensor_1"], table["tensor"][:, 0, 1])
        self.assertEqual(len(self.result.observables["radial_distribution"].to_pandas().columns),
                         len(next(iter(self.result.observables["radial_distribution"].tables.values()))))


class Merges(Case):
    def setUp(self) -> None:
        super().setUp()
        self.result = carom.open(RESULTS["sticky"])
        self.addCleanup(self.result.close)

    def test_clusters_are_those_of_the_frames(self) -> None:
        for frame in self.result.frames:
            np.testing.assert_array_equal(self.result.merges.clusters(frame.time), frame.cluster)

    def test_numbers_and_sizes_over_time(self) -> None:
        merges = self.result.merges
        for frame in self.result.frames:
            sizes = np.bincount(frame.cluster)
            self.assertEqual(merges.count(frame.time), np.count_nonzero(sizes))
            past = np.searchsorted(merges.times, frame.time, side="right")
            self.assertEqual(merges.largest[past - 1] if past else 1, sizes.max())
        self.assertEqual(merges.sizes[-1], 60)

    def test_tree(self) -> None:
        merges = self.result.merges
        parents, rows = merges.parents, merges.linkage()
        self.assertEqual(np.flatnonzero(parents < 0).tolist(), [60 + 58])
        members = {k: {k} for k in range(60)}
        for n, (a, b, when, size) in enumerate(rows):
            self.assertEqual((parents[int(a)], parents[int(b)]), (60 + n, 60 + n))
            members[60 + n] = members[int(a)] | members[int(b)]
            self.assertEqual(len(members[60 + n]), size)
            self.assertTrue({int(merges.i[n]), int(merges.j[n])} <= members[60 + n])
            self.assertEqual(when, merges.times[n])

    @unittest.skipUnless(has("scipy"), "scipy is missing")
    def test_scipy_accepts_the_tree(self) -> None:
        from scipy.cluster import hierarchy
        merges = self.result.merges
        rows = merges.linkage()
        self.assertTrue(hierarchy.is_valid_linkage(rows))
        middle = self.result.frames[len(self.result.frames) // 2]
        labels = hierarchy.fcluster(rows, middle.time, "distance")
        same = labels[:, None] == labels[None, :]
        np.testing.assert_array_equal(same, middle.cluster[:, None] == middle.cluster[None, :])

    def test_an_engine_without_merges(self) -> None:
        with carom.open(RESULTS["gas"]) as result:
            self.assertEqual((len(result.merges), len(result.merges.largest)), (0, 0))
            self.assertEqual(result.merges.count([0, 1]).tolist(), [50, 50])
            self.assertEqual(len(np.unique(result.merges.clusters())), 50)


class Properties(Case):
    def test_the_summary_is_that_of_the_command(self) -> None:
        for name in RESULTS:
            with carom.open(RESULTS[name]) as result:
                expected = json.loads((FOLDER[0] / (name + ".json")).read_text())
                for key in ("energy", "events", "momentum", "observables", "state_hash", "time", "stop"):
                    self.assertEqual(result.summary[key], expected[key], key)
                self.assertEqual(result.stop, expected["stop"])
                self.assertEqual(result.state_hash, expected["state_hash"])
                self.assertEqual((result.engine, result.seed, result.particles, result.dimension, result.time),
                                 tuple(expected[key] for key in ("engine", "seed", "particles", "dimension", "time")))
                self.assertEqual(result.frames[-1].state_hash, result.state_hash)
                self.assertFalse(result.being_written)
                self.assertFalse(result.is_checkpoint)

    def test_the_scene_gives_the_same_run(self) -> None:
        with carom.open(RESULTS["gas"]) as result:
            sim = carom.Simulation(result.scene, progress=False)
            sim.run()
            self.assertEqual(sim.state_hash, result.state_hash)

    def test_descriptions(self) -> None:
        with carom.open(RESULTS["gas"]) as result:
            self.assertIn("hard, 50 particles, 9 frames to time 4, stop: time", repr(result))
            page = result._repr_html_()
            self.assertIn("<td>pressure</td>", page)
            self.assertEqual(page.count("<table>"), page.count("</table>"))
            self.assertIn("pressure", result.observables._repr_html_())
            for part in (result.frames, result.merges, result.links, result.observables["heat"],
                         result.observables["heat"].series, result.observables["heat"].values["temperature"]):
                self.assertTrue(repr(part).startswith("<carom."), repr(part))


class Files(Case):
    def copy(self, name: str = "gas") -> pathlib.Path:
        return pathlib.Path(shutil.copy(RESULTS[name], self.folder / "copy.h5"))

    def test_a_missing_file(self) -> None:
        with self.assertRaisesRegex(carom.InputError, "cannot open 'none.h5': No such file") as caught:
            carom.open("none.h5")
        self.assertIsInstance(caught.exception, FileNotFoundError)

    def test_files_of_other_kinds(self) -> None:
        pathlib.Path("text.h5").write_text("no result")
        pathlib.Path("empty.h5").write_bytes(b"")
        for name, text in (("text.h5", "no HDF5 file"), ("empty.h5", "no HDF5 file"), (".", "a folder")):
            with self.assertRaisesRegex(carom.DataError, "is %s, not a result of carom" % text):
                carom.open(name)

    @unittest.skipUnless(has("h5py"), "h5py is missing")
    def test_a_file_that_h5py_has_open(self) -> None:
        # with the same HDF5 library in the process; a library of its own (in a wheel) opens the file
        import h5py
        with h5py.File(RESULTS["gas"]):
            try:
                carom.open(RESULTS["gas"]).close()
            except carom.InputError as refused:
                self.assertIn("is open in this process by other code that uses HDF5", str(refused))
        self.assertEqual(len(carom.open(RESULTS["gas"]).frames), 9)

    def test_a_truncated_file(self) -> None:
        path = self.copy()
        data = path.read_bytes()
        path.write_bytes(data[:len(data) // 2])
        with self.assertRaisesRegex(carom.DataError, "damaged"):
            carom.open(path)

    @unittest.skipUnless(has("h5py"), "h5py is missing")
    def test_damage_concerns_only_what_is_damaged(self) -> None:
        import h5py
        path = run("large", gas(300, dimension=2, output={"frames": {"every": 0.2}}))  # one chunk for each frame
        with h5py.File(path) as file:
            place = file["particles/all/position/value"].id.get_chunk_info_by_coord((3, 0, 0)).byte_offset
            rows = file["carom/frames/kinetic"].id.get_chunk_info_by_coord((0,)).byte_offset
        data = bytearray(path.read_bytes())
        data[place + 5] ^= 1
        path.write_bytes(data)
        with carom.open(path) as result:
            with self.assertRaisesRegex(carom.DataError, "its 'particles/all/position/value' cannot be read"):
                result.frames[3]
            self.assertEqual((result.frames[2].time, result.frames[4].time), (0.4, 0.8))
            self.assertEqual(len(result.times), 11)
            with self.assertRaises(carom.DataError):
                result.array("positions")
        data[rows + 5] ^= 1
        path.write_bytes(data)
        with carom.open(path) as result:
            with self.assertRaisesRegex(carom.DataError, "its 'carom/frames/kinetic' cannot be read"):
                result.numbers("momentum")  # rows are read and checked as a whole

    @unittest.skipUnless(has("h5py"), "h5py is missing")
    def test_exchanged_numbers_are_found_by_their_digest(self) -> None:
        import h5py
        path = self.copy()
        with h5py.File(path, "r+") as file:
            file["carom/frames/kinetic"][4] = 7
            file["carom/observables/heat/temperature/value"][3] = 7
        with carom.open(path) as result:
            with self.assertRaisesRegex(carom.DataError, "its 'carom/frames' cannot be read"):
                result.times
            with self.assertRaisesRegex(carom.DataError, "carom/observables/heat"):
                result.observables["heat"].series
            self.assertEqual(result.frames[3].time, 1.5)

    def test_a_checkpoint(self) -> None:
        pathlib.Path("gas.yaml").write_text(json.dumps({"carom": 1, **mixture()}))
        command("run", "gas.yaml", "-o", "gas.h5", "--quiet", "--keep-checkpoint")
        with carom.open("gas.h5.checkpoint") as result:
            self.assertTrue(result.is_checkpoint)
            self.assertEqual((result.engine, result.time, result.particles, result.stop), ("hard", 4.0, 50, None))
            self.assertEqual((len(result.frames), result.summary), (0, {}))
            self.assertIn("engine: hard", result.scene_text)
            self.assertIn("checkpoint", repr(result))
            self.assertIn("hard", result._repr_html_())
            for call in (lambda: result.times, lambda: result.merges, lambda: result.links, result.refresh):
                with self.assertRaisesRegex(carom.DataError, "is a checkpoint"):
                    call()

    def test_a_file_of_an_earlier_version(self) -> None:
        packed = SOURCE / "tests/cli/files/layout-1.h5.gz"
        pathlib.Path("old.h5").write_bytes(gzip.decompress(packed.read_bytes()))
        info = json.loads(command("info", "old.h5", "--json").stdout)
        with carom.open("old.h5") as result:
            self.assertEqual(len(result.frames), info["frames"])
            self.assertEqual(result.frames[-1].time, info["time"])
            self.assertEqual(list(result.observables), list(info["observables"]))
            self.assertEqual(len(result.times), info["frames"])

    def test_a_closed_result(self) -> None:
        result = carom.open(RESULTS["gas"])
        result.close()
        result.close()
        for call in (lambda: result.frames[0], lambda: result.times, lambda: result.observables, result.refresh):
            with self.assertRaisesRegex(carom.UsageError, "is closed"):
                call()

    def test_a_replaced_and_a_deleted_file(self) -> None:
        path = self.copy()
        with carom.open(path) as result:
            first = result.frames[0]
            self.assertEqual(result.refresh(), 0)
            self.assertIs(result.frames[0], first)
            path.unlink()
            with self.assertRaisesRegex(carom.InputError, "no longer exists"):
                result.refresh()
            self.assertEqual(result.frames[5].time, 2.5)
            shutil.copy(RESULTS["sticky"], path)
            result.refresh()
            self.assertEqual((result.engine, result.particles), ("aggregation", 60))
            self.assertIsNot(result.frames[0], first)
            self.assertEqual(len(result.frames[0]), 60)
            self.assertEqual(len(first), 50)


class Growing(Case):
    def test_a_run_in_this_process(self) -> None:
        sim = carom.Simulation(mixture(), output="run.h5", progress=False)
        sim.run(time=1.15)
        with carom.open("run.h5") as result:
            self.assertEqual(len(result.frames), 3)
            self.assertTrue(result.being_written)
            self.assertEqual((result.stop, result.summary), (None, {}))
            old = result.frames[1]
            self.assertEqual(result.observables["heat"].series.rows, 11)  # written with the last frame
            sim.run(time=2.65)
            self.assertEqual(result.refresh(), 3)
            self.assertIs(result.frames[1], old)
            self.assertEqual(result.frames[-1].time, 2.5)
            self.assertEqual(result.observables["heat"].series.rows, 26)
            sim.run()
            sim.close()
            self.assertEqual(result.refresh(), 3)
            self.assertFalse(result.being_written)
            self.assertEqual((result.stop, len(result.frames)), ("time", 9))
            self.assertEqual(result.refresh(), 0)
            with carom.open(RESULTS["gas"]) as other:
                for mine, theirs in zip(result.frames, other.frames):
                    self.assertEqual(mine.state_hash, theirs.state_hash)
                    np.testing.assert_array_equal(mine.positions, theirs.positions)

    def test_several_readers_of_a_run(self) -> None:
        """Results of a run share outdated metadata: later ones, and refresh, show no new frames, even after its end."""
        sim = carom.Simulation(mixture(), output="run.h5", progress=False)
        sim.run(time=1.15)
        first, second = carom.open("run.h5"), carom.open("run.h5")
        self.assertEqual((len(first.frames), len(second.frames)), (3, 3))
        sim.run(time=2.65)
        with carom.open("run.h5") as third:
            self.assertEqual(len(third.frames), 6)
            self.assertEqual(first.refresh(), 3)
        self.assertEqual(first.frames[-1].time, 2.5)
        sim.run()
        sim.close()
        with carom.open("run.h5") as third:
            self.assertEqual((len(third.frames), third.stop), (9, "time"))
        self.assertEqual((second.refresh(), first.refresh()), (6, 3))
        self.assertEqual(second.observables["heat"].series.rows, first.observables["heat"].series.rows)

    def test_a_run_in_another_thread(self) -> None:
        sim = carom.Simulation(mixture(), output="run.h5", progress=False)
        sim.run(time=0.1)
        runner = threading.Thread(target=sim.run)
        with carom.open("run.h5") as result:
            runner.start()
            while True:
                alive = runner.is_alive()
                result.refresh()
                for n in {0, len(result.frames) // 2, len(result.frames) - 1}:
                    self.assertEqual(result.frames[n].time, 0.5 * n)
                    self.assertEqual(result.frames[n].energy.kinetic, result.numbers("kinetic")[n])
                if not alive:
                    break
            runner.join()
            self.assertEqual((len(result.frames), result.state_hash), (9, sim.state_hash))

    def test_a_run_of_another_process_that_is_killed(self) -> None:
        scene = mixture(**{"title": "long"}) | {"run": {"until": {"time": 1e9}}}
        pathlib.Path("long.yaml").write_text(json.dumps({"carom": 1, **scene}))
        run_ = subprocess.Popen([COMMAND, "run", "long.yaml", "-o", "long.h5", "--quiet"])
        try:
            for _ in range(600):
                if pathlib.Path("long.h5").exists():
                    break
                time.sleep(0.05)
            with carom.open("long.h5") as result:
                before = 0
                for _ in range(600):
                    result.refresh()
                    if len(result.frames) > before + 3:
                        break
                    time.sleep(0.02)
                self.assertGreater(len(result.frames), 3)
                for n in (0, len(result.frames) // 2, -1):
                    self.assertEqual(result.frames[n].time, 0.5 * (n % len(result.frames)))
                self.assertEqual(result.times.tolist(), [0.5 * n for n in range(len(result.frames))])
                self.assertTrue(result.being_written)
                run_.send_signal(signal.SIGKILL)
                run_.wait()
                result.refresh()
                last = len(result.frames) - 1
                self.assertEqual(result.frames[last].time, 0.5 * last)
                self.assertTrue(result.being_written)  # as the file says
                self.assertIsNone(result.stop)
                self.assertEqual(len(result.observables), 5)
        finally:
            run_.kill()
            run_.wait()


class Meshes(Case):
    def test_a_mesh_across_the_boundary(self) -> None:
        """The vertices beyond a periodic boundary are on the other side of the box."""
        scene = {"engine": "variational", "box": {"size": [8, 8, 8], "boundary": "periodic"},
                 "species": {"cloth": {"diameter": 0.1}},
                 "meshes": [{"name": "cloth", "shape": {"rectangle": {"length": 2, "width": 2, "along": 3, "across": 3}},
                             "place": {"at": [7.5, 4, 4]}, "thickness": 0.1, "stretch": 100, "bend": 0.1}],
                 "variational": {"stiffness": 1000},
                 "run": {"until": {"time": 0.1}}}
        with carom.Simulation(scene, output="run.h5") as sim:
            sim.run()
        with carom.open("run.h5") as result:
            mesh = result.meshes["cloth"]
            np.testing.assert_allclose(np.ptp(mesh.vertices(), axis=0), [2, 2, 0], atol=1e-9)
            np.testing.assert_allclose(mesh.vertices(result.frames[0]).mean(axis=0), [7.5, 4, 4], rtol=1e-12)
            self.assertGreater(np.ptp(mesh.vertices(unwrapped=False)[:, 0]), 7)


class Converters(Case):
    def setUp(self) -> None:
        super().setUp()
        self.result = carom.open(RESULTS["gas"])
        self.addCleanup(self.result.close)

    @unittest.skipUnless(has("ase"), "ase is missing")
    def test_ase(self) -> None:
        atoms = self.result.to_ase(3)
        frame = self.result.frames[3]
        np.testing.assert_array_equal(atoms.positions[:, :2], frame.positions)
        np.testing.assert_array_equal(atoms.positions[:, 2], np.zeros(50))
        np.testing.assert_allclose(atoms.get_velocities()[:, :2], frame.velocities, rtol=1e-14)
        np.testing.assert_array_equal(atoms.get_masses(), frame.masses)
        np.testing.assert_array_equal(atoms.cell.lengths(), [14, 12, 0])
        self.assertEqual(atoms.pbc.tolist(), [True, False, False])
        self.assertEqual(set(atoms.arrays["type"]), {"small", "big"})
        self.assertEqual(atoms.info["time"], 1.5)
        several = self.result.to_ase(slice(0, None, 4))
        self.assertEqual([a.info["time"] for a in several], [0, 2, 4])

    @unittest.skipUnless(has("MDAnalysis"), "MDAnalysis is missing")
    def test_mdanalysis(self) -> None:
        universe = self.result.to_mdanalysis()
        self.assertEqual(len(universe.trajectory), 9)
        self.assertEqual(universe.atoms.names[0], "small")
        np.testing.assert_array_equal(universe.atoms.masses, self.result.frames[0].masses)
        for step, frame in zip(universe.trajectory, self.result.frames):
            self.assertEqual(step.time, frame.time)
            np.testing.assert_array_equal(step.positions[:, :2], frame.positions.astype(np.float32))
            np.testing.assert_array_equal(step.velocities[:, :2], frame.velocities.astype(np.float32))
            np.testing.assert_allclose(step.dimensions, [14, 12, 1, 90, 90, 90])
        self.assertEqual(universe.trajectory[4].time, 2.0)
        self.assertEqual(universe.select_atoms("name big").n_atoms, 25)

    @unittest.skipUnless(has("MDAnalysis"), "MDAnalysis is missing")
    def test_mdanalysis_with_times_at_irregular_distances(self) -> None:
        path = run("counted", gas(20, output={"frames": {"every_collisions": 7}}))
        with carom.open(path) as result:
            universe = result.to_mdanalysis()
            self.assertGreater(len(universe.trajectory), 4)
            self.assertEqual([step.time for step in universe.trajectory], result.times.tolist())
            self.assertEqual(universe.trajectory[2].time, result.times[2])

    @unittest.skipUnless(has("pandas"), "pandas is missing")
    def test_pandas(self) -> None:
        table = self.result.to_pandas(2)
        frame = self.result.frames[2]
        np.testing.assert_array_equal(table[["x", "y"]], frame.positions)
        np.testing.assert_array_equal(table[["vx", "vy"]], frame.velocities)
        np.testing.assert_array_equal(table.index, frame.ids)
        self.assertEqual(table.groupby("species")["mass"].first().to_dict()["big"], 3.0)
        self.assertEqual(table.attrs["time"], 1.0)
        with carom.open(RESULTS["sticky"]) as result:
            np.testing.assert_array_equal(result.to_pandas()["cluster"], result.frames[-1].cluster)

    def test_trimesh(self) -> None:
        # trimesh is not in Debian: a class with the constructor of trimesh.Trimesh takes its place
        made: dict[str, Any] = {}
        stand_in = types.ModuleType("trimesh")
        stand_in.Trimesh = lambda vertices=None, faces=None, process=True: made.update(  # type: ignore[attr-defined]
            vertices=vertices, faces=faces, process=process)
        with mock.patch.dict(sys.modules, {"trimesh": stand_in}), carom.open(RESULTS["cloth"]) as result:
            result.to_trimesh("ball", 1)
            np.testing.assert_array_equal(made["vertices"], result.meshes["ball"].vertices(1))
            np.testing.assert_array_equal(made["faces"], result.meshes["ball"].faces)
            self.assertFalse(made["process"])  # or the vertices would be merged and renumbered
            edges = made["vertices"][made["faces"]]
            volume = np.einsum("ij,ij->", edges[:, 0], np.cross(edges[:, 1], edges[:, 2])) / 6
            self.assertTrue(3 < volume < 4 / 3 * np.pi, volume)  # outward normals
            with self.assertRaisesRegex(carom.UsageError, "several meshes, ball, sheet: name one"):
                result.to_trimesh()
            with self.assertRaisesRegex(carom.UsageError, "no mesh 'bal'; it has ball, sheet"):
                result.to_trimesh("bal")
            with self.assertRaisesRegex(carom.DataError, "has no meshes"):
                self.result.to_trimesh()

    def test_a_missing_package_is_named(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None, "ase": None}):
            with self.assertRaisesRegex(ImportError, "needs the package pandas, which is not installed: pip install pandas"):
                self.result.to_pandas()
            with self.assertRaisesRegex(ImportError, "needs the package ase"):
                self.result.to_ase()
        with self.assertRaises(ImportError):
            converters.needed("no_such_package_of_carom")


if __name__ == "__main__":
    unittest.main()
