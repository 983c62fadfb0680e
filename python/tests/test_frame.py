"""Detects arrays of frames that change, dangle or have wrong values."""
from __future__ import annotations

import copy
import gc
import pickle
import threading
from typing import Any
from unittest import mock

import numpy as np

import carom
from carom import frame as frame_module
from carom._library import lib
from support import Case, gas, pile, sticky


def rods() -> dict:
    return gas(20, dimension=3, species={"rod": {"semi_axes": [1.0, 0.4, 0.4]}}, hard={"rough": True}) | {}


class Arrays(Case):
    def test_a_wrong_name_has_a_hint(self) -> None:
        frame = carom.Simulation(gas()).frame
        with self.assertRaisesRegex(AttributeError, "no attribute 'position'; did you mean 'positions'"):
            frame.position

    def test_counters_are_those_of_the_time_of_the_frame(self) -> None:
        """Frames of all engines: the order of the kinds is that of the library, and later events do not count."""
        for scene in (gas(), sticky(), pile()):
            with self.subTest(engine=scene["engine"]):
                sim = carom.Simulation(scene)
                sim.step(5)
                frame, events, collisions = sim.frame, sim.events, sim.collisions
                sim.step(5)
                self.assertEqual(frame.events, events)
                self.assertEqual(frame.collisions, collisions)
                self.assertGreater(sim.events["total"], frame.events["total"])

    def test_arrays_are_views_that_cannot_be_written(self) -> None:
        frame = carom.Simulation(gas()).frame
        for name in ("positions", "velocities", "radii", "masses", "species", "ids", "images"):
            array = getattr(frame, name)
            self.assertFalse(array.flags.writeable, name)
            self.assertFalse(array.flags.owndata, name)
            self.assertIs(getattr(frame, name), array)
            with self.assertRaises(ValueError):
                array[0] = 0

    def test_shapes_and_types(self) -> None:
        for dimension in (2, 3):
            frame = carom.Simulation(gas(30, dimension=dimension)).frame
            self.assertEqual(len(frame), 30)
            self.assertEqual(frame.dimension, dimension)
            self.assertEqual(frame.positions.shape, (30, dimension))
            self.assertEqual(frame.velocities.dtype, np.float64)
            self.assertEqual(frame.radii.shape, (30,))
            self.assertEqual(frame.species.dtype, np.uint32)
            self.assertEqual(frame.images.dtype, np.int64)
            self.assertEqual(frame.box.shape, (dimension,))
            self.assertEqual(frame.boundary, ("periodic",) * dimension)
            self.assertEqual(frame.species_names, ("ball",))

    def test_values_are_those_of_the_result_file(self) -> None:
        import importlib.util
        if importlib.util.find_spec("h5py") is None:
            self.skipTest("h5py is not installed")
        import h5py
        with carom.Simulation(gas(output={"frames": {"every": 0.5}}), output="run.h5") as sim:
            sim.run()
            frame = sim.frame
        with h5py.File("run.h5") as file:
            np.testing.assert_array_equal(file["particles/all/position/value"][-1], frame.positions)
            np.testing.assert_array_equal(file["particles/all/velocity/value"][-1], frame.velocities)
            np.testing.assert_array_equal(file["particles/all/image/value"][-1], frame.images)
            np.testing.assert_array_equal(file["particles/all/radius"][:], frame.radii)
            self.assertEqual(file["carom/frames/kinetic"][-1], frame["kinetic"])
            np.testing.assert_array_equal(file["carom/frames/virial"][-1], frame["virial"])

    def test_clusters_of_aggregation(self) -> None:
        sim = carom.Simulation(sticky())
        sim.run()
        frame = sim.frame
        self.assertEqual(len(np.unique(frame.cluster)), sim.summary["clusters"])
        self.assertLess(sim.summary["clusters"], len(frame))

    def test_arrays_that_the_engine_does_not_have(self) -> None:
        frame = carom.Simulation(gas()).frame
        with self.assertRaisesRegex(AttributeError, "orientations"):
            frame.orientations
        with self.assertRaisesRegex(AttributeError, "wings"):
            frame.wings
        with self.assertRaisesRegex(AttributeError, "did you mean 'velocities'"):
            frame.velocity
        with self.assertRaisesRegex(KeyError, "position"):
            frame["wings"]
        self.assertNotIn("cluster", dir(frame))
        self.assertIn("positions", dir(frame))

    def test_vertices_of_meshes(self) -> None:
        sim = carom.Simulation({
            "engine": "variational", "box": {"size": [8, 8, 8], "boundary": "open"}, "species": {"cloth": {"diameter": 0.1}},
            "meshes": [{"name": "cloth", "shape": {"rectangle": {"length": 2, "width": 2, "along": 3, "across": 3}},
                        "place": {"at": [4, 4, 4]}, "thickness": 0.1, "stretch": 100, "bend": 0.1}],
            "fields": {"gravity": [0, 0, -1]}, "run": {"until": {"time": 0.1}}})
        frame = sim.frame
        self.assertEqual((len(frame), frame.positions.shape, frame.radii.shape), (0, (0, 3), (0,)))
        self.assertEqual(frame.vertices.shape, (16, 3))
        np.testing.assert_allclose(frame.vertices.mean(axis=0), [4, 4, 4])
        sim.run()
        np.testing.assert_allclose(sim.frame.vertex_velocities.mean(axis=0), [0, 0, -0.1], atol=1e-3)


    def test_small_arrays_are_read_only(self) -> None:
        """The box is a view of an array that can be changed: all later reads of the frame then have other numbers."""
        frame = carom.Simulation(gas()).frame
        for channel in frame.channels:
            if isinstance(frame[channel], np.ndarray):
                self.assertFalse(frame[channel].flags.writeable, channel)
        self.assertTrue(frame.copy()["edges"].flags.writeable)


class Lifetimes(Case):
    def test_a_kept_frame_does_not_change(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(time=0.5)
        kept = sim.frame
        before = kept.positions.copy()
        sim.run(time=1.5)
        np.testing.assert_array_equal(kept.positions, before)
        self.assertEqual(kept.time, 0.5)
        self.assertFalse(np.array_equal(sim.frame.positions, before))

    def test_an_array_outlives_its_frame_and_its_simulation(self) -> None:
        sim = carom.Simulation(gas())
        positions = sim.frame.positions
        before = positions.copy()
        sim.run(time=1)
        sim.run(time=2)
        sim.frame
        sim.close()
        del sim
        gc.collect()
        for _ in range(5):
            carom.Simulation(gas()).run(time=0.1)
        np.testing.assert_array_equal(positions, before)

    def test_a_slice_keeps_the_memory(self) -> None:
        sim = carom.Simulation(gas())
        x = sim.frame.positions[::2, 0]
        before = x.copy()
        for time in np.arange(0.1, 1.5, 0.1):
            sim.run(time=time)
            sim.frame.positions
        np.testing.assert_array_equal(x, before)

    def test_unused_frames_are_used_again(self) -> None:
        sim = carom.Simulation(gas())
        addresses = set()
        for time in np.arange(0.1, 1.5, 0.1):
            sim.run(time=time)
            addresses.add(sim.frame.positions.ctypes.data)
        self.assertLessEqual(len(addresses), 2)

    def test_the_memory_of_frames_is_freed(self) -> None:
        """Frames that are no longer used are not given back to the library, or given back twice."""
        freed: "list[int]" = []

        class Library:
            def __getattr__(self, name: str) -> Any:
                return getattr(lib, name)

            def carom_frame_free(self, address: Any) -> None:
                freed.append(address)
                lib.carom_frame_free(address)

        with mock.patch.object(frame_module, "lib", Library()):
            sim = carom.Simulation(gas())
            freed.clear()
            frames = list(sim.frames(every=0.1, until=0.6))
            last = frames.pop()
            frames.clear()
            self.assertEqual(len(freed), 6)
            sim.close()
            self.assertEqual(len(freed), 6)
            del last
            del sim
            self.assertEqual((len(freed), len(set(freed))), (7, 7))

    def test_columns_do_not_depend_on_when_they_are_read(self) -> None:
        """Arrays that are read first after the run went on, or after its end, are those of a later state."""
        sims = [carom.Simulation(gas()) for _ in range(2)]
        early, late = sims
        for sim in sims:
            sim.run(time=0.5)
        wanted, kept, again = early.frame.copy(), late.frame, early.frame
        for sim in sims:
            sim.run(time=1)
        late.close()
        del late, sims
        for name in reversed(kept.channels):
            np.testing.assert_array_equal(kept[name], wanted[name], name)
            np.testing.assert_array_equal(again[name], wanted[name], name)

    def test_an_observer_may_keep_arrays(self) -> None:
        sim = carom.Simulation(gas())
        kept = sim.observe(lambda frame: (frame.time, frame.velocities, frame), every=0.25)
        sim.run(time=1)
        for time, velocities, frame in kept.values:
            other = carom.Simulation(gas())
            other.run(time=time)
            np.testing.assert_array_equal(velocities, other.frame.velocities)
            np.testing.assert_array_equal(frame.positions, other.frame.positions)
            self.assertEqual(frame.state_hash, other.state_hash)

    def test_frames_are_read_while_the_simulation_runs(self) -> None:
        """Columns are filled in one thread while the simulation changes in another."""
        for _ in range(5):
            sim = carom.Simulation(gas())
            sim.run(time=0.2)
            frame, wanted = sim.frame, sim.frame.state_hash
            reader = threading.Thread(target=lambda: [frame[name] for name in frame.channels])
            reader.start()
            sim.run(time=0.6)
            reader.join()
            other = carom.Simulation(gas())
            other.run(time=0.2)
            for name in frame.channels:
                np.testing.assert_array_equal(frame[name], other.frame[name], name)
            self.assertEqual(frame.state_hash, wanted)

    def test_many_frames_can_be_kept(self) -> None:
        sim = carom.Simulation(gas())
        frames = list(sim.frames(every=0.1))
        self.assertEqual(len({f.positions.ctypes.data for f in frames}), 21)
        self.assertEqual([round(f.time / 0.1) for f in frames], list(range(21)))

    def test_frames_are_not_pickled_by_address(self) -> None:
        frame = carom.Simulation(gas()).frame
        with self.assertRaisesRegex(TypeError, "copy"):
            pickle.dumps(frame)
        again = pickle.loads(pickle.dumps(frame.copy()))
        np.testing.assert_array_equal(again["position"], frame.positions)
        self.assertIs(copy.deepcopy(frame), frame)

    def test_a_copy_is_free(self) -> None:
        frame = carom.Simulation(gas()).frame
        own = frame.copy()
        own["position"][:] = 0
        self.assertTrue(frame.positions.any())


class Numbers(Case):
    def test_energies(self) -> None:
        sim = carom.Simulation(pile())
        sim.run()
        frame, summary = sim.frame, sim.summary["energy"]
        self.assertEqual(frame.energy.total, summary["total"])
        self.assertEqual(frame.energy.kinetic, summary["kinetic"])
        self.assertEqual(frame.energy.parts["contact"], summary["contact"])
        self.assertEqual(sim.energy.drift, summary["drift"])

    def test_channels_are_listed(self) -> None:
        frame = carom.Simulation(gas()).frame
        self.assertIn("virial", frame)
        self.assertNotIn("cluster", frame)
        self.assertEqual(set(frame), set(frame.channels))
        self.assertEqual(frame["virial"].shape, (3, 3))
        self.assertEqual(frame["events"].dtype, np.uint64)
        self.assertEqual("%016x" % frame["state_hash"], frame.state_hash)

    def test_the_text_of_a_frame(self) -> None:
        self.assertEqual(repr(carom.Simulation(gas()).frame), "<carom.Frame: time 0, 64 particles, 3 dimensions>")
