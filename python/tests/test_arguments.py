"""Detects wrong arguments that crash, run without end, or are taken for another value."""
from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

import carom
from support import Case, gas, pile

BEYOND = 2**64  # a count that a C function would receive as 0


def simulation() -> carom.Simulation:
    return carom.Simulation(gas())


class Numbers(Case):
    def refused(self, call: Callable[[Any], Any], values: "list[Any]", kind: Any = carom.UsageError) -> None:
        for value in values:
            with self.subTest(value=value), self.assertRaises(kind):
                call(value)

    def test_limits_of_runs(self) -> None:
        sim = simulation()
        self.refused(lambda value: sim.run(time=value), ["1", True, -1, math.nan, [1], 1j])
        for name in ("collisions", "events"):
            self.refused(lambda value: sim.run(**{name: value}), ["1", True, -1, 0.5, math.nan, math.inf])
            self.refused(lambda value: next(sim.event_batches(**{name: value})), ["1", -1, 0.5, math.inf])
        self.refused(sim.step, [-1, 0.5, "1", None])
        self.assertEqual(sim.events["total"], 0)

    def test_counts_beyond_those_of_c_are_no_other_counts(self) -> None:
        """2**64 collisions become 0, which is no limit: the run goes beyond the time, or the batch never ends."""
        sim = simulation()
        sim.run(time=0.1, collisions=BEYOND, events=1e30)
        self.assertEqual(sim.time, 0.1)
        self.assertEqual(sum(map(len, sim.event_batches(time=0.2, size=BEYOND))), sim.events["total"] -
                         carom.Simulation.events.fget(self.twin(0.1))["total"])  # type: ignore[attr-defined]

    @staticmethod
    def twin(time: float) -> carom.Simulation:
        sim = simulation()
        sim.run(time=time)
        return sim

    def test_no_step_executes_no_event(self) -> None:
        sim = simulation()
        sim.step(0)
        self.assertEqual((sim.time, sim.events["total"]), (0, 0))

    def test_counts_of_batches_may_be_floats(self) -> None:
        sim = simulation()
        for _ in sim.event_batches(collisions=1e2):
            pass
        self.assertEqual(sim.collisions, 100)

    def test_frames(self) -> None:
        """The error of a call appears where the call is, not where its frames are used."""
        sim = simulation()
        self.refused(lambda value: sim.frames(every=value), [0, -1, math.nan, math.inf, "1", None, 10**400])
        self.refused(lambda value: sim.frames(every=1, until=value), [math.nan, "1", [1]])
        sim.run(time=0.5)
        with self.assertRaisesRegex(carom.UsageError, "below the rounding"):
            next(sim.frames(every=1e-300, until=1))  # otherwise the same frame without end

    def test_recordings(self) -> None:
        sim = simulation()
        self.refused(lambda value: sim.record_events(capacity=value), [0, 1.5, "9", math.inf])
        self.refused(lambda value: sim.record_events(callback=value), [0, "f", []])
        self.refused(lambda value: sim.record_events(kinds=value), [1.5, ["collision", "x"], b"x"])
        self.refused(lambda value: sim.record_events(bodies=value), [1.5, [1.5], -1, []])
        self.refused(lambda value: sim.event_batches(time=1, size=value), [0, -1, "9", 1.5])

    def test_observers(self) -> None:
        sim = simulation()
        self.refused(lambda value: sim.observe(len, every=value), [0, math.nan, math.inf, "1", 10**400])
        self.refused(lambda value: sim.observe(len, every_events=value), [0, 1.5, "1", -1])

    def test_threads_and_progress(self) -> None:
        self.refused(lambda value: carom.Simulation(gas(), threads=value), [0, -1, 1.5, True, "2", BEYOND])
        self.assertEqual(carom.Simulation(gas(), threads=None).summary["threads"], 1)
        self.refused(lambda value: carom.Simulation(gas(), progress=value), [0, 1, "yes", []])
        self.refused(lambda value: carom.compare(gas(8), "hard", progress=value), [0, 1, "yes", []])
        self.refused(lambda value: carom.compare(gas(8), "hard", threads=value), [0, 1.5, "2"])

    def test_views(self) -> None:
        sim = simulation()
        self.refused(lambda value: sim.view(port=value), [-1, BEYOND, "80", None, 1.5])
        self.refused(lambda value: sim.view(height=value), [0, -1, "tall", None])
        for name in ("frames", "particles"):
            self.refused(lambda value: carom.Page(**{name: value}), [0, 0.5, "3", math.inf])
        self.refused(lambda value: carom.Page(megabytes=value), [0, math.nan, "3", math.inf])
        self.refused(carom.Page().record, [None, "sim", gas()])

    def test_results(self) -> None:
        with carom.Simulation(gas(output={"events": True}), output="run.h5") as sim:
            sim.run()
        with carom.open("run.h5") as result:
            self.refused(lambda value: result.events.read(value, 3), [-1, -BEYOND, "0", 0.5])
            self.refused(lambda value: result.events.read(BEYOND, value), [3], carom.CaromError)
            self.refused(lambda value: next(result.events.batches(value)), [0, -1, "9"])
        self.refused(lambda value: carom.shape("run.h5", frame=value), [-1, 0.5, BEYOND], carom.CaromError)
        self.refused(lambda value: carom.shape("run.h5", min_size=value), [0, "2", None])
        self.refused(lambda value: carom.render("run.h5", "a.mp4", rate=value), [0, "9", math.nan])
        self.refused(lambda value: carom.render("run.h5", frame=value), [BEYOND, -BEYOND, "first"], carom.CaromError)

    def test_sweeps(self) -> None:
        self.refused(lambda value: carom.sweep(gas(8), seeds=value), [0, -1, 1.5, "3", True, [1.5], [-1], [BEYOND]])
        self.refused(lambda value: carom.sweep(gas(8), jobs=value), [0, 1.5, "2"])
        for name in ("over", "together"):
            self.refused(lambda value: carom.sweep(gas(8), **{name: value}), ["seed", 3, [1]])
        self.refused(lambda value: carom.sweep(gas(8), executor=value), ["pool", 3])
        scene = gas(8, run={"until": {"time": 0.1}})
        self.assertEqual(carom.sweep(scene, seeds=np.int64(2), jobs=1).seeds, [1, 2])
        self.assertEqual(carom.sweep(scene, seeds=np.array([4, 5]), jobs=1).seeds, [4, 5])
        self.assertEqual(carom.sweep(scene, measures="energy.total", jobs=1).measures, ("energy.total",))

    def test_potentials(self) -> None:
        """An address that is no function ends the interpreter."""
        sim = carom.Simulation(pile())
        self.refused(lambda value: sim.add_potential(value, step=0.01), [True, False, 0, -1, 2**70, "force", None])
        self.refused(lambda value: sim.add_potential(len, step=value), [0, -1, math.nan, math.inf, "1"])

    def test_no_particles_are_not_all(self) -> None:
        sim = carom.Simulation(pile())
        self.refused(lambda value: sim.add_potential(len, step=0.01, particles=value), [[], [0.5], [-1], "1", True])


class States(Case):
    def test_arrays_of_the_state(self) -> None:
        sim = simulation()
        count = len(sim.frame)
        for values in ("fast", np.zeros((count, 3), complex), [[1, 2], [3]], np.zeros((count, 2)), {}):
            with self.subTest(values=values), self.assertRaises(carom.UsageError):
                sim.set_velocities(values)
        for radii in ([], "wide", np.zeros(3), {}):
            with self.subTest(radii=radii), self.assertRaisesRegex(carom.UsageError, "^radii"):
                sim.add_particles([[1, 1, 1], [3, 3, 3]], radii=radii)

    def test_values_that_no_scene_contains(self) -> None:
        sim = simulation()
        for value in (object(), 1j, len, {1: 2}, np.array([1j])):
            with self.subTest(value=value), self.assertRaises(carom.SceneError) as caught:
                sim.change("fields.gravity", value)
            self.assertIn("fields.gravity", caught.exception.faults[0].key)
            with self.assertRaises(carom.SceneError):
                sim.observe("pressure", every=value)
        with self.assertRaises(carom.SceneError):
            sim.observe("pressure", every=math.nan)

    def test_numbers_of_numpy_are_values(self) -> None:
        """Numbers of numpy that only some calls accept."""
        sim = simulation()
        sim.observe("pressure", every=np.float32(0.5))
        both = carom.compare(gas(8), ("hard",), set={"seed": np.int64(3), "fields.gravity": np.array([0.0, 0, 0])})
        self.assertEqual(both["hard"]["seed"], 3)

    def test_other_objects_than_simulations(self) -> None:
        with self.assertRaises(carom.UsageError):
            simulation().diff("state.carom")  # type: ignore[arg-type]
        carom.Scene(gas()).save("gas.yaml")
        with self.assertRaises(carom.UsageError):
            carom.Scene.load("gas.yaml", set="seed=3")  # type: ignore[arg-type]
        with self.assertRaises(carom.UsageError):
            carom.compare("gas.yaml", "hard", set="seed=3")  # type: ignore[arg-type]

    def test_text_that_is_no_utf8(self) -> None:
        with self.assertRaises(carom.SceneError):
            carom.Scene(gas(), title="\udcff").check()
