"""Detects events in Python that differ from the run, the filters or the result file, arrays that change, and lost
exceptions of callbacks."""
from __future__ import annotations

import gc
import sys

import numpy as np

import carom
import support


def trajectories(frame: carom.Frame, events: np.ndarray, time: float) -> "tuple[np.ndarray, np.ndarray]":
    """Unwrapped positions and velocities at a time, from those of a frame and the events after it."""
    x = frame.positions + frame.images * frame.box
    v, mass = frame.velocities.copy(), frame.masses
    now = np.full(len(frame), frame.time)
    d = frame.dimension
    for event in events:
        bodies = [(event["i"], 1)] + ([(event["j"], -1)] if event["j_type"] == 0 else [])
        for i, sign in bodies:
            x[i] += v[i] * (event["time"] - now[i])
            v[i] += sign * event["impulse"][:d] / mass[i]
            now[i] = event["time"]
    return x + v * (time - now)[:, None], v


class Recording(support.Case):
    def test_all_events_are_recorded(self) -> None:
        sim = carom.Simulation(support.gas())
        log = sim.record_events()
        sim.run(time=1)
        self.assertEqual(len(log), sim.events["total"])
        self.assertEqual(log.total, len(log))
        self.assertEqual(log.array.dtype, carom.EVENT_DTYPE)
        self.assertTrue((np.diff(log.array["time"]) >= 0).all())
        self.assertTrue((log.array["i"] < log.array["j"]).all())
        np.testing.assert_allclose(np.linalg.norm(log.array["normal"], axis=1), 1, rtol=1e-14)

    def test_motion_follows_from_the_events(self) -> None:
        sim = carom.Simulation(support.gas(species={"ball": {"diameter": 1, "mass": 2}}))
        log, start = sim.record_events(), sim.frame
        sim.run(time=2)
        x, v = trajectories(start, log.array, sim.time)
        end = sim.frame
        np.testing.assert_allclose(v, end.velocities, atol=1e-12)
        np.testing.assert_allclose(x, end.positions + end.images * end.box, atol=1e-11)

    def test_a_recording_changes_no_bit(self) -> None:
        plain, recorded = carom.Simulation(support.gas()), carom.Simulation(support.gas())
        recorded.record_events()
        plain.run(time=1)
        recorded.run(time=1)
        self.assertEqual(plain.state_hash, recorded.state_hash)

    def test_recordings_without_a_reference(self) -> None:
        """The library calls a function, or writes to an array, that has been freed: the interpreter crashes."""
        for options in ({}, {"capacity": 100}, {"callback": lambda events: counts.append(len(events))}):
            counts: list[int] = []
            sim = carom.Simulation(support.gas())
            sim.record_events(**options)
            gc.collect()
            sim.run(time=1)
            if "callback" in options:
                self.assertEqual(sum(counts), sim.events["collision"])

    def test_batches_after_the_end_of_the_scene(self) -> None:
        """A simulation that has run to the limits of its scene yields no further events."""
        sim, twin = carom.Simulation(support.gas()), carom.Simulation(support.gas())
        sim.run()
        twin.run()
        log = twin.record_events()
        twin.run(time=4)
        batches = list(sim.event_batches(time=4))
        self.assertEqual(sim.time, 4)
        np.testing.assert_array_equal(np.concatenate(batches), log.array)

    def test_kinds_and_bodies_choose(self) -> None:
        sim = carom.Simulation(support.gas(box={"size": 8, "boundary": "wall"}))
        everything, walls = sim.record_events(), sim.record_events(kinds="wall")
        two = sim.record_events(kinds=["collision", "wall"], bodies=[3, 5])
        species = sim.record_events(bodies="ball")
        sim.run(time=1)
        events = everything.array
        self.assertGreater(len(walls), 0)
        np.testing.assert_array_equal(walls.array, events[events["kind"] == carom.EVENT_KINDS.index("wall")])
        pair = events["j_type"] == carom.EVENT_BODIES.index("particle")
        with_two = np.isin(events["i"], [3, 5]) | (pair & np.isin(events["j"], [3, 5]))
        np.testing.assert_array_equal(two.array, events[with_two])
        self.assertEqual(len(species), len(events))

    def test_merges_of_aggregation(self) -> None:
        sim = carom.Simulation(support.sticky())
        log = sim.record_events(kinds="merge")
        sim.run()
        self.assertEqual(len(log), sim.events["merge"])
        self.assertGreater(len(log), 0)

    def test_impacts_of_variational_last(self) -> None:
        sim = carom.Simulation(support.pile())
        log = sim.record_events()
        sim.run(time=3)
        self.assertGreater(len(log), 0)
        self.assertTrue((log.array["duration"] > 0).all())

    def test_wrong_choices(self) -> None:
        sim = carom.Simulation(support.gas())
        for wrong in (dict(kinds="colision"), dict(kinds=[]), dict(bodies=[]), dict(bodies=[-1]), dict(bodies=[1.5]), dict(bodies=[64]),
                      dict(bodies="none"), dict(capacity=0), dict(capacity=1.5), dict(capacity="many"), dict(capacity=5, callback=print),
                      dict(callback=3), dict(kinds=3)):
            with self.subTest(wrong), self.assertRaises(carom.UsageError):
                sim.record_events(**wrong)
        sim.run(time=0.1)


class Buffers(support.Case):
    def test_arrays_are_views_of_one_memory(self) -> None:
        """Each access copies all events: the cost of a loop of steps that looks at them is quadratic."""
        sim = carom.Simulation(support.gas())
        log, everything = sim.record_events(), []
        for _ in range(200):
            sim.step(3)
            array = log.array
            self.assertTrue(np.shares_memory(array, log.array))
            self.assertFalse(array.flags.writeable)
            everything.append((array, array.copy()))
        owners = {array.__array_interface__["data"][0] for array, _ in everything}
        self.assertLess(len(owners), 12)  # the memory is doubled when it is full
        self.assertEqual(len(log), 600)
        for array, before in everything:
            np.testing.assert_array_equal(array, before)

    def test_events_remain_after_the_simulation(self) -> None:
        """A recording with a capacity is empty after the end of its simulation."""
        with carom.Simulation(support.gas()) as sim:
            few, everything = sim.record_events(capacity=10), sim.record_events()
            sim.run(time=1)
            total = sim.events["total"]
        for log, count in ((few, 10), (everything, total)):
            self.assertEqual((len(log), len(log.array), log.total), (count, count, total))
        self.assertEqual((few.missed, everything.missed), (total - 10, 0))
        np.testing.assert_array_equal(few.array, everything.array[:10])
        few.close()
        few.clear()
        self.assertEqual((len(few), few.total, few.missed), (0, total, 0))

    def test_a_capacity_keeps_the_first_events(self) -> None:
        sim = carom.Simulation(support.gas())
        log, everything = sim.record_events(capacity=10), sim.record_events()
        sim.run(time=1)
        self.assertEqual((len(log), log.total), (10, len(everything)))
        self.assertEqual(log.missed, log.total - 10)
        np.testing.assert_array_equal(log.array, everything.array[:10])

    def test_arrays_are_views_that_later_events_do_not_change(self) -> None:
        sim = carom.Simulation(support.gas())
        log = sim.record_events(capacity=1000)
        sim.run(time=0.2)
        first = log.array
        self.assertFalse(first.flags.owndata or first.flags.writeable)
        self.assertTrue(np.shares_memory(first, log.array))
        kept = first.copy()
        log.clear()
        self.assertEqual(len(log), 0)
        sim.run(time=0.4)
        self.assertGreater(log.array["time"][0], kept["time"][-1])
        np.testing.assert_array_equal(first, kept)

    def test_arrays_outlive_the_simulation(self) -> None:
        sim = carom.Simulation(support.gas())
        log, growing = sim.record_events(capacity=100), sim.record_events()
        sim.run(time=0.5)
        array, kept = log.array, log.array.copy()
        sim.close()
        del sim
        gc.collect()
        np.testing.assert_array_equal(array, kept)
        self.assertGreater(len(growing.array), 0)
        log.close()
        growing.close()

    def test_events_outlive_the_simulation(self) -> None:
        """The end of a simulation empties its recordings."""
        for end in (carom.Simulation.close, lambda sim: None):
            sim = carom.Simulation(support.gas())
            full, short, growing = (sim.record_events(capacity=1000), sim.record_events(capacity=5), sim.record_events())
            sim.run(time=0.5)
            total = sim.events["total"]
            end(sim)
            del sim
            gc.collect()
            self.assertEqual([(len(log), log.total, log.missed) for log in (full, short, growing)],
                             [(total, total, 0), (5, total, total - 5), (total, total, 0)])
            np.testing.assert_array_equal(full.array, growing.array)
            full.close()
            self.assertEqual((len(full.take()), len(full)), (total, 0))

    def test_take_and_close(self) -> None:
        sim = carom.Simulation(support.gas())
        with sim.record_events() as log:
            sim.run(time=0.3)
            self.assertEqual(len(log.take()), sim.events["total"])
            self.assertEqual(len(log), 0)
            total = sim.events["total"]
            sim.run(time=0.5)
        self.assertEqual(len(log.array), sim.events["total"] - total)
        sim.run(time=0.7)
        self.assertLess(log.total, sim.events["total"])


class Callbacks(support.Case):
    def test_a_callback_receives_all_events_in_order(self) -> None:
        sim = carom.Simulation(support.gas(200))
        parts: list[np.ndarray] = []
        sim.record_events(callback=parts.append)
        whole = sim.record_events()
        sim.run(time=2)
        np.testing.assert_array_equal(np.concatenate(parts), whole.array)

    def test_an_exception_ends_the_run_and_is_raised(self) -> None:
        sim = carom.Simulation(support.gas())

        def fail(_: np.ndarray) -> None:
            raise ValueError("from a callback")

        log = sim.record_events(callback=fail)
        with self.assertRaisesRegex(ValueError, "from a callback"):
            sim.run(time=1)
        log.close()
        sim.run(time=1)
        self.assertEqual(sim.time, 1)


    def test_only_the_first_exception_counts(self) -> None:
        """Exceptions after the first are printed by ctypes, with their tracebacks."""
        def fail(events: np.ndarray) -> None:
            calls.append(len(events))
            raise ZeroDivisionError("call %d" % len(calls))
        calls: list[int] = []
        printed: list[object] = []
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        sys.unraisablehook = printed.append
        sim = carom.Simulation(support.gas())
        sim.record_events(callback=fail)
        sim.record_events(callback=fail)
        with self.assertRaisesRegex(ZeroDivisionError, "call 1"):
            sim.run(time=1)
        self.assertGreater(len(calls), 1)
        self.assertEqual(printed, [])


class Iteration(support.Case):
    def test_limits_are_those_of_runs(self) -> None:
        """Counts such as 1e2 are refused as floats, and limits that are no numbers end in errors of ctypes."""
        self.assertEqual(sum(map(len, carom.Simulation(support.gas()).event_batches(events=1e2))), 100)
        for limit in ({"events": 1.5}, {"collisions": -1}, {"time": "two"}):
            with self.subTest(limit), self.assertRaises(carom.UsageError):
                next(carom.Simulation(support.gas()).event_batches(**limit))

    def test_batches_end_with_the_wall_time_of_the_scene(self) -> None:
        """The limit of wall time begins again with each batch: the batches do not end."""
        sim = carom.Simulation(support.gas(run={"until": {"wall_time": 0.05}}))
        for n, _ in enumerate(sim.event_batches(size=20)):
            self.assertLess(n, 20_000)
        self.assertGreater(sim.time, 0)

    def test_batches_are_the_events_of_the_run(self) -> None:
        sim, other = carom.Simulation(support.gas()), carom.Simulation(support.gas())
        log = other.record_events()
        other.run(time=1)
        batches = list(sim.event_batches(time=1, size=50))
        self.assertGreater(len(batches), 3)
        self.assertLessEqual(max(map(len, batches)), 50)
        np.testing.assert_array_equal(np.concatenate(batches), log.array)
        self.assertEqual((sim.time, sim.state_hash), (1, other.state_hash))

    def test_limits(self) -> None:
        sim = carom.Simulation(support.gas())
        self.assertEqual(sum(map(len, sim.event_batches(events=123, size=50))), 123)
        self.assertEqual(sim.events["total"], 123)
        self.assertEqual(sum(map(len, sim.event_batches(collisions=200, size=50))), 77)
        self.assertGreater(sum(map(len, sim.event_batches(size=1000))), 0)  # the limits of the scene
        self.assertEqual(sim.time, 2)
        self.assertEqual(list(sim.event_batches(time=1)), [])

    def test_rows_have_the_fields_as_attributes(self) -> None:
        sim = carom.Simulation(support.gas())
        times = [event.time for event in sim.events_until(time=0.5, kinds="collision")]
        self.assertEqual(len(times), sim.collisions)
        self.assertEqual(times, sorted(times))

    def test_an_iterator_that_is_left_ends_its_recording(self) -> None:
        sim = carom.Simulation(support.gas())
        for batch in sim.event_batches(time=1, size=10):
            self.assertEqual(len(batch), 10)
            break
        gc.collect()
        sim.run(time=1)
        self.assertEqual(sim.time, 1)


class Stored(support.Case):
    def test_a_result_has_the_events_of_the_run(self) -> None:
        sim = carom.Simulation(support.gas(600, output={"events": True, "frames": {"every": 2}}, run={"until": {"time": 4}}), "run.h5")
        log = sim.record_events()
        sim.run()
        sim.close()
        result = carom.open("run.h5")
        stored = result.events
        self.assertGreater(len(stored), 4096)
        self.assertEqual(len(stored), len(log))
        np.testing.assert_array_equal(stored[:], log.array)
        np.testing.assert_array_equal(stored[4000:4200:3], log.array[4000:4200:3])
        np.testing.assert_array_equal(stored[10:2:-2], log.array[10:2:-2])
        self.assertEqual(stored[-1], log.array[-1])
        np.testing.assert_array_equal(np.concatenate(list(stored.batches(1000))), log.array)
        for size in (0, -1, 1.5):
            with self.subTest(size), self.assertRaises(carom.UsageError):
                next(stored.batches(size))
        with self.assertRaises(IndexError):
            stored[len(stored)]
        with self.assertRaises(carom.UsageError):
            stored.read(len(stored), 1)
        result.close()

    def test_a_result_without_events_has_none(self) -> None:
        with carom.Simulation(support.gas(), "run.h5") as sim:
            sim.run(time=0.1)
        with carom.open("run.h5") as result:
            self.assertEqual(len(result.events), 0)
            self.assertEqual(list(result.events), [])

    def test_the_choice_of_the_scene(self) -> None:
        choice = {"kinds": ["collision"], "particles": [3], "start": 0.1, "end": 0.9}
        sim = carom.Simulation(support.gas(output={"events": choice}), "run.h5")
        log = sim.record_events("collision", 3)
        sim.run()
        sim.close()
        expected = log.array[(log.array["time"] > 0.1) & (log.array["time"] <= 0.9)]
        with carom.open("run.h5") as result:
            self.assertGreater(len(expected), 0)
            np.testing.assert_array_equal(np.asarray(result.events), expected)


class Changes(support.Case):
    def test_events_of_a_changed_simulation_name_particles_by_id(self) -> None:
        sim = carom.Simulation(support.gas(40))
        log, one = sim.record_events(), sim.record_events(bodies=20)
        sim.run(time=0.5)
        sim.remove_particles([0, 7])
        log.clear()
        one.clear()
        frame = sim.frame
        sim.run(time=1)
        events = log.array
        self.assertFalse(np.isin([0, 7], events["i"]).any())
        np.testing.assert_array_equal(one.array, events[(events["i"] == 20) | (events["j"] == 20)])
        number = {int(name): n for n, name in enumerate(frame.ids)}
        events = events.copy()
        for field in ("i", "j"):
            events[field] = [number[int(name)] for name in events[field]]
        x, v = trajectories(frame, events, sim.time)
        np.testing.assert_allclose(v, sim.frame.velocities, atol=1e-12)

    def test_events_go_on_after_a_change_of_gravity(self) -> None:
        sim = carom.Simulation(support.gas(box={"size": 8, "boundary": "wall"}))
        log = sim.record_events()
        sim.run(time=0.5)
        before = len(log)
        sim.change("fields.gravity", [0, 0, -1])
        sim.run(time=1)
        self.assertGreater(len(log), before)
        self.assertEqual(len(log), sim.events["total"])


if __name__ == "__main__":
    import unittest

    unittest.main()
