"""Detects observables that differ from those of a scene, own observers that are called at wrong times or break a run, and
forces of the user that act wrongly."""
from __future__ import annotations

import copy
import ctypes
import functools
import itertools
import math
import pickle
import signal
import unittest
from typing import Any

import carom
import numpy as np
from support import Case, command, gas, pile, sticky, summary_of


def trapped(**keys: Any) -> dict[str, Any]:
    """A particle of `variational` far from all walls."""
    return {"engine": "variational", "dimension": 2, "box": {"size": [100, 100], "boundary": "wall"},
            "species": {"ball": {"diameter": 1, "mass": 2}},
            "particles": [{"species": "ball", "place": {"at": [[51, 50]]}, "velocity": {"each": [0, 0]}}],
            "variational": {"stiffness": 1000}, "run": {"until": {"time": 10}}, **keys}


def spring(positions: np.ndarray, time: float, centre: float = 50, stiffness: float = 8) -> tuple[float, np.ndarray]:
    away = positions - centre
    return 0.5 * stiffness * float((away ** 2).sum()), -stiffness * away


class Observables(Case):
    def test_pressure_equals_that_of_the_scene(self) -> None:
        scene = gas()
        own = carom.Simulation(scene)
        pressure = own.observe("pressure", every=0.1)
        given = carom.Simulation({**scene, "observe": [{"what": "pressure", "every": 0.1}]})
        for sim in (own, given):
            sim.run()
        other = given.observables[0]
        self.assertEqual((pressure.name, pressure.what, pressure.units), ("pressure", "pressure", "energy / volume"))
        self.assertEqual((pressure.mean, pressure.error), (other.mean, other.error))
        self.assertEqual(list(pressure.series), list(other.series))
        for column in pressure.series:
            np.testing.assert_array_equal(pressure.series[column], other.series[column])
        self.assertEqual(own.state_hash, given.state_hash)

    def test_values_equal_those_of_the_command(self) -> None:
        scene = gas(observe=[{"what": "pressure", "every": 0.1}, {"what": "radial_distribution", "every": 0.5, "bins": 20}])
        sim = carom.Simulation(scene)
        self.folder.joinpath("scene.yaml").write_text(sim.scene.resolved)
        sim.run()
        stored = summary_of("scene.yaml")["observables"]
        pressure, g = sim.observables
        self.assertEqual(pressure.mean, stored["pressure"]["mean"])
        self.assertEqual(pressure.error, stored["pressure"]["error"])
        tensor = pressure.values["tensor"]
        self.assertEqual(tensor.mean.shape, (3, 3))
        np.testing.assert_array_equal(tensor.mean.ravel(), stored["pressure"]["tensor"]["mean"])
        self.assertEqual(next(iter(g.tables.values())).rows, 20)
        with self.assertRaisesRegex(AttributeError, "no series"):
            g.series  # noqa: B018

    def test_results_are_present_during_the_run(self) -> None:
        sim = carom.Simulation(gas())
        energy = sim.observe("energy", every=0.25)
        for k in range(1, 5):
            sim.run(time=0.5 * k)
            series = energy.series
            np.testing.assert_allclose(series["time"], 0.25 * np.arange(2 * k + 1))
            self.assertEqual(series["kinetic"][-1], sim.energy.kinetic)

    def test_observation_begins_now(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(time=0.7)
        energy = sim.observe("energy", every=0.5)
        late = sim.observe("energy", every=0.5, start=1.1, name="late")
        sim.run(time=2)
        np.testing.assert_allclose(energy.series["time"], [0.7, 1.2, 1.7])
        np.testing.assert_allclose(late.series["time"], [1.1, 1.6])
        with self.assertRaisesRegex(carom.UsageError, "start"):
            sim.observe("energy", every=0.5, start=1)

    def test_observation_does_not_change_the_run(self) -> None:
        one, other = carom.Simulation(gas()), carom.Simulation(gas())
        one.run(time=0.6)
        one.observe("pressure", every=0.05)
        one.observe("velocity_distribution")
        for sim in (one, other):
            sim.run()
        self.assertEqual(one.state_hash, other.state_hash)

    def test_rhythms_by_collisions(self) -> None:
        sim = carom.Simulation(gas())
        energy = sim.observe("energy", every_collisions=20)
        sim.run()
        times = energy.series["time"]
        self.assertEqual(times[-1], sim.time)  # the last sample is that of the final state
        self.assertEqual(len(times), 2 + sim.collisions // 20)

    def test_names_are_chosen_and_repeated(self) -> None:
        sim = carom.Simulation(gas(observe=[{"what": "energy", "every": 1}]))
        self.assertEqual(sim.observe("energy", every=0.5).name, "energy_2")
        self.assertEqual(sim.observe("energy", every=0.5, name="mine").name, "mine")
        with self.assertRaisesRegex(carom.SceneError, "taken"):
            sim.observe("energy", every=0.5, name="mine")
        self.assertEqual([o.name for o in sim.observables], ["energy", "energy_2", "mine"])
        self.assertEqual(sim.observables["mine"].name, "mine")
        self.assertIn("mine", sim.observables)
        self.assertNotIn("pressure", sim.observables)
        with self.assertRaisesRegex(KeyError, "it has energy, energy_2, mine"):
            sim.observables["pressure"]

    def test_mistakes_are_reported_as_in_scenes(self) -> None:
        sim = carom.Simulation(gas())
        with self.assertRaisesRegex(carom.SceneError, "did you mean 'pressure'"):
            sim.observe("presure", every=0.1)
        with self.assertRaisesRegex(carom.SceneError, "bins"):
            sim.observe("radial_distribution", every=0.1, bns=3)
        with self.assertRaisesRegex(carom.SceneError, "every"):
            sim.observe("msd")
        with self.assertRaises(carom.SceneError):
            sim.observe("pressure", every=-1)
        with self.assertRaisesRegex(carom.SceneError, "collisions"):
            carom.Simulation(sticky()).observe("collision_rate", every=0.1)
        self.assertEqual(sim.observables, [])
        sim.run(time=0.1)

    def test_tallies_are_recorded_from_now_on(self) -> None:
        given = carom.Simulation(gas(observe=[{"what": "viscosity", "every": 0.05}]))
        own = carom.Simulation(gas())
        viscosity = own.observe("viscosity", every=0.05)
        for sim in (given, own):
            sim.run()
        self.assertEqual(own.state_hash, given.state_hash)
        for name, table in viscosity.tables.items():
            for column in table:
                np.testing.assert_array_equal(table[column], given.observables[0].tables[name][column])
        late = carom.Simulation(gas())
        late.run(time=1)
        counts = late.observe("impact_separation")
        bodies = late.observe("three_body", every=0.5)
        late.run(time=2)
        copied = copy.deepcopy(late)
        for sim in (late, copied):
            sim.run(time=3)
        self.assertEqual(late.state_hash, copied.state_hash)
        for live, other in zip((counts, bodies), copied.observables):
            self.assertEqual(list(live.tables), list(other.tables))
            for name, table in live.tables.items():
                self.assertGreater(table.rows, 0)
                for column in table:
                    np.testing.assert_array_equal(table[column], other.tables[name][column])

    def test_a_result_file_contains_observables_added_before_the_run(self) -> None:
        with carom.Simulation(gas(output={"frames": {"every": 1}}), output="run.h5") as sim:
            pressure = sim.observe("pressure", every=0.1)
            sim.run()
            mean = pressure.mean
            with self.assertRaisesRegex(carom.UsageError, "result file"):
                sim.observe("energy", every=0.1)
            with self.assertRaisesRegex(carom.UsageError, "carom.open"):
                pressure.series  # noqa: B018
        command("verify", "run.h5")
        with carom.open("run.h5") as result:
            stored = result.observables["pressure"]
            self.assertEqual((stored.mean, stored.units), (mean, "energy / volume"))
            np.testing.assert_allclose(stored.series["time"], 0.1 * np.arange(1, 21))

    def test_added_observables_are_copied(self) -> None:
        sim = carom.Simulation(gas())
        pressure = sim.observe("pressure", every=0.1)
        sim.run(time=1)
        other = pickle.loads(pickle.dumps(sim))
        for one in (sim, other):
            one.run(time=2)
        self.assertEqual(other.observables[0].mean, pressure.mean)
        np.testing.assert_array_equal(other.observables[0].series["pressure"], pressure.series["pressure"])

    def test_numpy_values_are_settings(self) -> None:
        sim = carom.Simulation(gas())
        g = sim.observe("radial_distribution", every=np.float64(0.5), bins=np.int64(12))
        sim.run(time=1)
        self.assertEqual(next(iter(g.tables.values())).rows, 12)


class Own(Case):
    def test_a_function_is_called_at_multiples_of_the_time(self) -> None:
        sim = carom.Simulation(gas())
        seen = sim.observe(lambda frame: float((frame.velocities ** 2).sum()), every=0.25)
        sim.run()
        self.assertEqual(seen.times, [0.25 * k for k in range(9)])
        np.testing.assert_allclose(seen.values, seen.values[0], rtol=1e-12)
        self.assertEqual((sim.stop, len(seen)), ("time", 9))
        other = carom.Simulation(gas())  # sums of a step that has no exact binary number differ from its multiples
        seen = other.observe(lambda frame: None, every=0.1)
        other.run()
        self.assertEqual(seen.times, [0.1 * k for k in range(21)])

    def test_a_function_is_called_at_counts(self) -> None:
        sim = carom.Simulation(gas())
        events = sim.observe(lambda frame: sim.events["total"], every_events=25)
        collisions = sim.observe(lambda frame: sim.collisions, every_collisions=40)
        sim.run(collisions=130)
        self.assertEqual(collisions.values, [0, 40, 80, 120])
        self.assertEqual(events.values[:4], [0, 25, 50, 75])

    def test_functions_do_not_change_the_run(self) -> None:
        for scene in (gas(), sticky(), pile()):
            with self.subTest(scene["engine"]):
                one, other = carom.Simulation(scene), carom.Simulation(scene)
                one.observe(lambda frame: frame.positions.mean(), every=0.11)
                one.observe(lambda frame: None, every_events=7)
                for sim in (one, other):
                    sim.run()
                self.assertEqual(one.state_hash, other.state_hash)
                self.assertEqual((one.time, one.stop, one.events), (other.time, other.stop, other.events))

    def test_functions_are_called_in_runs_of_all_kinds(self) -> None:
        sim = carom.Simulation(gas())
        seen = sim.observe(lambda frame: None, every=0.1)
        sim.run(time=0.2)
        sim.run(time=0.2)
        for _ in sim.frames(every=0.15, until=0.5):
            pass
        np.testing.assert_allclose(seen.times, [0, 0.1, 0.2, 0.3, 0.4])
        sim.step(3)

    def test_an_exception_passes_and_leaves_the_simulation_intact(self) -> None:
        sim = carom.Simulation(gas())

        def stop_at(frame: carom.Frame) -> None:
            if frame.time > 0.45:
                raise StopIteration("enough")

        seen = sim.observe(stop_at, every=0.1)
        with self.assertRaisesRegex(StopIteration, "enough"):
            sim.run()
        self.assertAlmostEqual(sim.time, 0.5)
        self.assertEqual(len(seen), 5)
        seen.remove()
        sim.run()
        other = carom.Simulation(gas())
        other.run()
        self.assertEqual(sim.state_hash, other.state_hash)

    def test_a_function_may_change_the_state(self) -> None:
        sim = carom.Simulation(gas(contacts=[{"between": ["ball", "ball"], "restitution": 0.8}]))

        def heat(frame: carom.Frame) -> float:
            kinetic = frame.energy.kinetic
            sim.set_velocities(frame.velocities * math.sqrt(100 / kinetic))
            return kinetic

        seen = sim.observe(heat, every=0.5)
        sim.run(time=2.2)
        self.assertEqual(len(seen), 5)
        self.assertLess(seen.values[-1], 100)
        self.assertAlmostEqual(sim.energy.drift, 0, delta=1e-9)

    def test_a_function_cannot_run_its_simulation(self) -> None:
        sim = carom.Simulation(gas())
        sim.observe(lambda frame: sim.run(time=1), every=0.5)
        with self.assertRaisesRegex(carom.UsageError, "cannot run it"):
            sim.run()

    def test_frames_of_a_function_stay(self) -> None:
        sim = carom.Simulation(gas())
        kept = sim.observe(lambda frame: frame.positions, every=0.5)
        sim.run()
        self.assertEqual(len({float(p[0, 0]) for p in kept.values}), 5)

    def test_a_wall_limit_ends_observed_calls(self) -> None:
        sim = carom.Simulation(gas(run={"until": {"time": 1e9}}))
        sim.observe(lambda frame: None, every=0.01)
        sim.run(wall=0.02)
        self.assertLess(sim.time, 1e9)
        self.assertIsNone(sim.stop)

    def test_a_rhythm_is_required(self) -> None:
        sim = carom.Simulation(gas())
        for rhythm in ({}, {"every": 0}, {"every": -1}, {"every": 1, "every_events": 5}, {"every_events": 0}):
            with self.assertRaises(carom.UsageError):
                sim.observe(print, **rhythm)

    def test_an_observer_that_an_observer_adds_at_the_start(self) -> None:
        """An observer that is due at time 0 makes a limit of 0, which is none: the run does not end."""
        sim = carom.Simulation(gas(run={"until": {"events": 5000}}))
        added: list[carom.Observer] = []

        def add(frame: carom.Frame) -> None:
            if not added:
                added.append(sim.observe(lambda frame: frame.time, every=0.3))

        sim.observe(add, every=0.5)
        sim.run(time=1)
        self.assertEqual(sim.time, 1)
        self.assertEqual(len(added[0]), 4)

    def test_an_observed_run_of_collisions_ends_without_events(self) -> None:
        """A run to a number of collisions that never come does not end if it is observed."""
        scene = {"engine": "hard", "dimension": 2, "box": {"size": [9, 9]}, "species": {"ball": {"diameter": 1}},
                 "particles": [{"species": "ball", "place": {"at": [[4, 4]]}}]}
        sim = carom.Simulation(scene)

        def count(frame: carom.Frame) -> None:
            self.assertLess(len(calls), 10)

        calls = sim.observe(count, every=1)
        sim.run(collisions=1)
        self.assertEqual(sim.stop, "no_events")

    def test_observed_parts_end_without_events(self) -> None:
        """Limits of the scene, or samples that are due, keep a run going that waits for events."""
        scene = {"engine": "hard", "dimension": 2, "box": {"size": [9, 9]}, "species": {"ball": {"diameter": 1}},
                 "particles": [{"species": "ball", "place": {"at": [[4, 4]]}}], "run": {"until": {"events": 9, "wall_time": 600}},
                 "observe": [{"what": "temperature", "every": 0.1}]}
        for begin in (lambda sim: sim.run(collisions=1), lambda sim: sim.run(wall=600), lambda sim: sim.run(),
                      lambda sim: list(sim.frames(every=1)), lambda sim: list(sim.event_batches(collisions=1))):
            for observed in (False, True):
                sim = carom.Simulation(scene)
                if observed:
                    sim.observe(lambda frame: self.assertLess(frame.time, 10), every=1)
                begin(sim)
                self.assertEqual(sim.stop, "no_events")

    def test_the_wall_time_of_a_call_with_parts(self) -> None:
        """Each part of a run gets the whole wall time."""
        sim = carom.Simulation(carom.Scene(gas(), run={"until": {"wall_time": 0.05}}))
        frames = list(itertools.islice(sim.frames(every=1e-6), 10**5))
        self.assertLess(len(frames), 10**5)

    def test_intervals_below_the_rounding(self) -> None:
        """An interval that cannot advance the time makes endless calls."""
        sim = carom.Simulation(gas())
        sim.run(time=1)

        def count(frame: carom.Frame) -> None:
            self.assertLess(len(calls), 10)

        with self.assertRaisesRegex(carom.UsageError, "below the rounding"):
            calls = sim.observe(count, every=1e-17)
            sim.run(time=1.1)

    def test_observed_runs_go_on_after_the_end_of_the_scene(self) -> None:
        """After the limits of the scene, calls with limits have no effect if the simulation has an observer."""
        sim, twin = carom.Simulation(gas()), carom.Simulation(gas())
        times = sim.observe(lambda frame: frame.time, every=0.5)
        for one in (sim, twin):
            one.run()
            one.run(time=3)
            one.step(5)
        self.assertEqual(sim.state_hash, twin.state_hash)
        self.assertEqual(times.values[-1], 3)

    def test_a_result_file_is_completed_after_observed_runs(self) -> None:
        with carom.Simulation(gas(output={"frames": {"every": 0.5}}), output="run.h5") as sim:
            sim.observe(lambda frame: None, every=0.3)
            sim.run()
        self.assertIn("finished", command("info", "run.h5").stdout + " finished")
        command("verify", "run.h5")


class Potentials(Case):
    def closed_form(self, step: float, ticks: int, omega: float) -> float:
        """Position of the leapfrog whose first kick is at time `step`, released at rest 1 from the centre."""
        x, v = 1.0, 0.0
        for _ in range(ticks):
            x += step * v
            v -= step * omega ** 2 * x
        return x

    def test_a_function_acts_as_its_closed_form(self) -> None:
        sim = carom.Simulation(trapped())
        sim.add_potential(spring, step=0.01)
        self.assertAlmostEqual(sim.frame.energy.stored, 4)
        sim.run(time=3)
        self.assertAlmostEqual(sim.frame.positions[0, 0] - 50, self.closed_form(0.01, 300, 2), delta=1e-11)

    def test_positions_can_be_kept(self) -> None:
        """Positions that later calls overwrite, and that are invalid after the simulation."""
        kept: list[Any] = []

        def force(positions: np.ndarray, time: float) -> Any:
            kept.append((positions, positions.copy()))
            return spring(positions, time)

        sim = carom.Simulation(trapped())
        sim.add_potential(force, step=0.01)
        sim.run(time=1)
        sim.close()
        self.assertTrue(all(np.array_equal(given, copy) for given, copy in kept))
        self.assertFalse(np.array_equal(kept[0][0], kept[-1][0]))

    def test_ctypes_functions_give_the_same_bits(self) -> None:
        kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_double, ctypes.POINTER(ctypes.c_double),
                                ctypes.POINTER(ctypes.c_double))

        @kind
        def force(_user: Any, _time: float, x: Any, f: Any) -> float:
            energy = 0.0
            for k in range(2):
                away = x[k] - 50
                energy += 0.5 * 8 * away * away
                if f:
                    f[k] = -8 * away
            return energy

        hashes = []
        for given in (spring, force, ctypes.cast(force, ctypes.c_void_p).value):
            sim = carom.Simulation(trapped())
            sim.add_potential(given, step=0.01)
            sim.run(time=2)
            hashes.append(sim.state_hash)
        self.assertEqual(len(set(hashes)), 1)

    def test_numba_functions_give_the_same_bits(self) -> None:
        try:
            import numba
        except ImportError:
            self.skipTest("numba is not installed")

        @numba.cfunc("float64(voidptr, float64, CPointer(float64), CPointer(float64))")
        def force(user, time, positions, forces):  # type: ignore[no-untyped-def]
            away = numba.carray(positions, (1, 2)) - 50
            out = numba.carray(forces, (1, 2))
            if out.ctypes.data != 0:
                out[:] = -8 * away
            return 4 * (away**2).sum()

        hashes = []
        for given in (spring, force, force.address):
            sim = carom.Simulation(trapped())
            sim.add_potential(given, step=0.01)
            sim.run(time=2)
            hashes.append(sim.state_hash)
        self.assertEqual(len(set(hashes)), 1)

    def test_cffi_pointers_are_functions(self) -> None:
        try:
            import cffi
        except ImportError:
            self.skipTest("cffi is not installed")
        ffi = cffi.FFI()

        @ffi.callback("double(void *, double, const double *, double *)")
        def force(_user: Any, _time: float, x: Any, f: Any) -> float:
            if f != ffi.NULL:
                f[0], f[1] = 2, 0
            return -2 * x[0]

        sim = carom.Simulation(trapped())
        sim.add_potential(force, step=0.5)
        sim.run(time=1.25)
        self.assertAlmostEqual(sim.frame.velocities[0, 0], 1)

    def test_only_named_particles_are_pushed(self) -> None:
        scene = trapped(particles=[{"species": "ball", "place": {"at": [[20, 50], [50, 50], [80, 50]]}}])
        sim = carom.Simulation(scene)
        shapes = set()

        def force(positions: np.ndarray, time: float) -> tuple[float, Any]:
            shapes.add(positions.shape)
            return 0.0, [0, 4]

        sim.add_potential(force, step=0.5, particles=[2, 0])
        sim.run(time=1.25)
        np.testing.assert_allclose(sim.frame.velocities[:, 1], [2, 0, 2])
        self.assertEqual(shapes, {(2, 2)})

    def test_an_exception_of_a_force_ends_the_run(self) -> None:
        sim = carom.Simulation(trapped())

        calls: list[float] = []

        def force(positions: np.ndarray, time: float) -> tuple[float, Any]:
            calls.append(time)
            if time > 1:
                raise ZeroDivisionError("at %g" % time)
            return spring(positions, time)

        sim.add_potential(force, step=0.1)
        with self.assertRaisesRegex(ZeroDivisionError, "at 1.1"):
            sim.run()
        self.assertLess(max(calls), 1.3)  # the run ends, instead of continuing without a force

    def test_ctrl_c_does_not_disturb_a_force(self) -> None:
        """Ctrl-C within a function of Python ends the simulation with a force of nan, or makes a force 0."""
        sim, twin = carom.Simulation(trapped(), progress=False), carom.Simulation(trapped())
        calls: list[float] = []

        def force(positions: np.ndarray, time: float) -> tuple[float, Any]:
            calls.append(time)
            if len(calls) == 50:
                signal.raise_signal(signal.SIGINT)
            return spring(positions, time)

        sim.add_potential(force, step=0.01)
        twin.add_potential(spring, step=0.01)
        with self.assertRaises(KeyboardInterrupt):
            sim.run()
        end = sim.time + 3  # the run ends some time after the signal
        for one in (sim, twin):
            one.run(time=end)
        self.assertEqual(sim.state_hash, twin.state_hash)

    def test_positions_cannot_be_changed(self) -> None:
        sim = carom.Simulation(trapped())

        def force(positions: np.ndarray, time: float) -> tuple[float, Any]:
            positions[0] = 0
            return 0.0, 0

        with self.assertRaises(ValueError):
            sim.add_potential(force, step=0.1)

    def test_an_exception_while_the_state_is_read(self) -> None:
        """The exception of a force, which is called for the energy of a frame, is lost and an error of nan takes its place."""
        sim = carom.Simulation(trapped())
        fails: list[bool] = []

        def force(positions: np.ndarray, time: float) -> "tuple[float, np.ndarray]":
            if fails:
                raise ZeroDivisionError("mine")
            return spring(positions, time)

        sim.add_potential(force, step=0.1)
        sim.run(time=1)
        fails.append(True)
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            sim.frame

    def test_copies_have_the_potentials(self) -> None:
        sim = carom.Simulation(trapped())
        sim.add_potential(functools.partial(spring, stiffness=5), step=0.01)
        sim.run(time=1.005)
        for other in (copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))):
            self.assertEqual(other.state_hash, sim.state_hash)
            third = copy.deepcopy(sim)
            for one in (third, other):
                one.run(time=3)
            self.assertEqual(other.state_hash, third.state_hash)

    def test_forces_need_an_engine_and_a_step(self) -> None:
        with self.assertRaisesRegex(carom.UsageError, "variational"):
            carom.Simulation(gas()).add_potential(spring, step=0.1)
        for step in (0, -1, math.nan, 1e-30):
            with self.assertRaises(carom.UsageError):
                carom.Simulation(trapped()).add_potential(spring, step=step)
        with self.assertRaises(carom.UsageError):
            carom.Simulation(trapped()).add_potential("spring", step=0.1)

    def test_forces_stay_after_a_change(self) -> None:
        scene = trapped(variational={"eta": 0.01, "stiffness": 1e4, "step": 1e-3})
        sim = carom.Simulation(scene)
        sim.add_potential(spring, step=0.01)
        sim.run(time=1)
        sim.change("fields.gravity", [0, -1])
        sim.run(time=4)
        self.assertLess(abs(sim.frame.positions[0, 0] - 50), 1.01)
        self.assertLess(abs(sim.energy.drift), 0.05)


if __name__ == "__main__":
    unittest.main()
