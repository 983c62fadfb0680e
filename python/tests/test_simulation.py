"""Detects runs from Python that differ from those of the command, limits that are missed, errors and interruptions that
lose the state."""
from __future__ import annotations

import _thread
import copy
import gc
import json
import math
import os
import pathlib
import pickle
import signal
import sys
import threading
import unittest
import warnings
import weakref

import numpy as np

import carom
from carom._library import lib
from support import Case, EXAMPLES, command, gas, pile, sticky, summary_of


class Runs(Case):
    def test_a_run_has_the_bits_of_the_command(self) -> None:
        for scene in (gas(), sticky(), pile()):
            with self.subTest(engine=scene["engine"]):
                pathlib.Path("scene.yaml").write_text(json.dumps({"carom": 1, **scene}))
                expected = summary_of("scene.yaml")
                sim = carom.Simulation(carom.Scene(scene))
                sim.run()
                self.assertEqual(sim.state_hash, expected["state_hash"])
                self.assertEqual(sim.stop, expected["stop"])
                self.assertEqual(sim.events, expected["events"])

    def test_parts_have_the_bits_of_the_whole(self) -> None:
        for scene in (gas(), sticky(), pile()):
            whole, parts = carom.Simulation(scene), carom.Simulation(scene)
            whole.run()
            for time in (0.1, 0.25, 0.7):
                parts.run(time=time)
                self.assertEqual(parts.time, time)
                parts.frame.positions
            parts.step(5)
            parts.run()
            self.assertEqual(parts.state_hash, whole.state_hash)

    def test_attributes_without_an_effect_are_refused(self) -> None:
        class Own(carom.Simulation):
            pass

        sim, own = carom.Simulation(gas()), Own(gas())
        for one in (sim, own):
            with self.assertRaisesRegex(AttributeError, r"'velocities' of a simulation cannot be set: use set_velocities"):
                one.velocities = np.zeros((1, 3))
        for name in ("positions", "time", "radii", "label"):
            with self.assertRaisesRegex(AttributeError, "'%s' .*add_particles" % name):
                setattr(sim, name, 1)
        own.label = "mine"
        self.assertEqual(own.label, "mine")

    def test_threads_give_the_same_bits(self) -> None:
        one, two = carom.Simulation(pile()), carom.Simulation(pile(), threads=2)
        one.run()
        two.run()
        self.assertEqual(one.state_hash, two.state_hash)

    def test_collisions_and_events_are_totals(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(collisions=10)
        self.assertEqual(sim.collisions, 10)
        sim.run(collisions=10)
        self.assertEqual(sim.collisions, 10)
        sim.run(events=25)
        self.assertEqual(sim.events["total"], 25)
        sim.step()
        self.assertEqual(sim.events["total"], 26)
        sim.step(3)
        self.assertEqual(sim.events["total"], 29)

    def test_a_limit_in_the_past_changes_nothing(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(time=0.5)
        before = sim.state_hash
        for limits in ({"time": 0.2}, {"time": 0.0}, {"collisions": 0}, {"events": 0}):
            with self.assertWarnsRegex(UserWarning, "beyond %s=" % next(iter(limits))):
                sim.run(**limits)
            self.assertEqual((sim.state_hash, sim.time), (before, 0.5))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for limits in ({"time": 0.5}, {"collisions": sim.collisions}, {"wall": 0}):
                sim.run(**limits)
                self.assertEqual((sim.state_hash, sim.time), (before, 0.5))

    def test_limits_of_a_call_replace_those_of_the_scene(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(time=5)
        self.assertEqual(sim.time, 5)
        self.assertIsNone(sim.stop)

    def test_a_run_goes_on_after_its_end(self) -> None:
        sim = carom.Simulation(gas())
        sim.run()
        self.assertEqual((sim.stop, sim.time), ("time", 2))
        sim.run(time=3)
        self.assertEqual(sim.time, 3)

    def test_a_scene_without_limits_runs(self) -> None:
        scene = gas()
        del scene["run"]
        sim = carom.Simulation(scene)
        sim.run(time=1)
        self.assertEqual(sim.time, 1)

    def test_a_lone_ball_flies_freely(self) -> None:
        sim = carom.Simulation({"engine": "hard", "dimension": 2, "box": {"size": 10, "boundary": "open"},
                                "species": {"ball": {"diameter": 1}},
                                "particles": [{"species": "ball", "place": {"at": [[1, 2]]}, "velocity": {"each": [1, 0.5]}}]})
        sim.run(time=4)
        np.testing.assert_array_equal(sim.frame.positions, [[5, 4]])

    def test_wall_time_ends_a_call(self) -> None:
        sim = carom.Simulation(gas(run={"until": {"time": 1e9}}))
        sim.run(wall=1e-6)
        self.assertGreater(sim.time, 0)
        self.assertLess(sim.time, 1e9)
        self.assertIsNone(sim.stop)

    def test_wrong_limits_are_refused(self) -> None:
        sim = carom.Simulation(gas())
        for limits in ({"time": -1}, {"time": math.nan}, {"collisions": -5}, {"wall": -1}, {"time": "long"}, {"time": [1]},
                       {"collisions": 2.5}, {"events": math.inf}, {"events": math.nan}):
            with self.assertRaisesRegex(carom.UsageError, next(iter(limits))):
                sim.run(**limits)
        self.assertEqual(sim.time, 0)

    def test_counts_may_be_floats_and_numpy_numbers(self) -> None:
        for count in (1e1, np.int64(10), np.float64(10)):
            sim = carom.Simulation(gas())
            sim.run(collisions=count)
            self.assertEqual(sim.collisions, 10)

    def test_collapse_is_an_exception_with_its_reason(self) -> None:
        sim = carom.Simulation({"engine": "hard", "dimension": 2, "box": {"size": [4, 40], "boundary": "wall"},
                                "species": {"ball": {"diameter": 1}}, "fields": {"gravity": [0, -1]},
                                "contacts": [{"between": ["ball", "wall"], "restitution": 0.5}],
                                "particles": [{"species": "ball", "place": {"at": [[2, 2]]}}], "run": {"until": {"time": 100}}})
        with self.assertRaises(carom.DynamicsError) as raised:
            sim.run()
        self.assertEqual(raised.exception.stop, sim.stop)
        self.assertIn(sim.stop, ("collapse", "no_progress"))
        self.assertIn("collapse", str(raised.exception))
        self.assertTrue(np.isfinite(sim.frame.positions).all())


class Frames(Case):
    def test_frames_come_at_the_multiples(self) -> None:
        sim = carom.Simulation(gas())
        times = [frame.time for frame in sim.frames(every=0.25)]
        self.assertEqual(times, [0.25 * k for k in range(9)])

    def test_frames_go_on_where_the_simulation_is(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(time=0.6)
        self.assertEqual([frame.time for frame in sim.frames(every=0.25, until=1.1)], [0.75, 1.0])

    def test_frames_have_the_bits_of_a_run_without_them(self) -> None:
        with_frames, without = carom.Simulation(gas()), carom.Simulation(gas())
        for _ in with_frames.frames(every=0.1):
            pass
        without.run()
        self.assertEqual(with_frames.state_hash, without.state_hash)

    def test_frames_end_with_the_collisions_of_the_scene(self) -> None:
        sim = carom.Simulation(gas(run={"until": {"collisions": 30}}))
        frames = list(sim.frames(every=0.01))
        self.assertGreater(len(frames), 3)
        self.assertEqual(sim.collisions, 30)

    def test_an_interval_must_be_positive(self) -> None:
        for every in (0, -1, math.inf, math.nan):
            with self.assertRaises(carom.UsageError):
                next(carom.Simulation(gas()).frames(every=every))

    def test_an_interval_below_the_rounding(self) -> None:
        """An interval that cannot advance the time yields the same frame for ever."""
        sim = carom.Simulation(gas())
        sim.run(time=1)
        with self.assertRaisesRegex(carom.UsageError, "below the rounding"):
            next(sim.frames(every=1e-17, until=2))

    def test_frames_end_with_the_wall_time_of_the_scene(self) -> None:
        """The limit of wall time begins again with each frame: the frames do not end."""
        sim = carom.Simulation(gas(run={"until": {"wall_time": 0.05}}))
        for n, _ in enumerate(sim.frames(every=1e-3)):
            self.assertLess(n, 20_000)
        self.assertGreater(sim.time, 0)

    def test_runs_and_frames_end_at_rest(self) -> None:
        """`run.until.rest` is ignored, or ends a run again after a change of velocities. A ball thrown up at 3: |3 - t|."""
        scene = {"engine": "hard", "dimension": 2, "box": {"size": [20, 40], "boundary": "open"},
                 "species": {"a": {"diameter": 1, "mass": 1}},
                 "particles": [{"species": "a", "place": {"at": [[5, 1]]}, "velocity": {"each": [0, 3]}}],
                 "planes": [{"name": "floor", "point": [0, 0], "normal": [0, 1]}], "fields": {"gravity": [0, -1]},
                 "run": {"until": {"time": 5.5, "rest": {"slower": 0.25, "for": 0.5, "every": 0.125}}}}
        sim = carom.Simulation(scene)
        sim.run()  # slow from 2.875 to 3.125: too short
        self.assertEqual((sim.stop, sim.time), ("time", 5.5))
        scene["run"]["until"]["rest"]["for"] = 0.25
        sim = carom.Simulation(scene)
        sim.run()
        self.assertEqual((sim.stop, sim.time), ("rest", 3.125))
        sim.set_velocities([[0, 1]])
        sim.run()
        self.assertEqual((sim.stop, sim.time), ("rest", 4.25))
        sim = carom.Simulation(scene)
        self.assertEqual([frame.time for frame in sim.frames(every=1)], [0, 1, 2, 3])
        self.assertEqual((sim.stop, sim.time), ("rest", 3.125))
        sim = carom.Simulation(scene)
        self.assertEqual([frame.time for frame in sim.frames(every=1, until=5)], [0, 1, 2, 3, 4, 5])


class Results(Case):
    def test_the_result_is_that_of_the_command(self) -> None:
        scene = gas(output={"frames": {"every": 0.5}}, observe=[{"what": "energy", "every": 0.1}])
        pathlib.Path("scene.yaml").write_text(json.dumps({"carom": 1, **scene}))
        command("run", "scene.yaml", "-o", "command.h5")
        with carom.Simulation("scene.yaml", output="python.h5") as sim:
            sim.run()
        for what in ([], ["--what", "energy"]):
            for name in ("command", "python"):
                command("export", name + ".h5", "--to", "csv", *what, "-o", name + ".csv", "--force")
            self.assertEqual(*(pathlib.Path(name + ".csv").read_text() for name in ("command", "python")))

    def test_a_result_of_parts_is_complete_after_close(self) -> None:
        with carom.Simulation(gas(output={"frames": {"every": 0.5}}), output="run.h5") as sim:
            sim.run(time=1)
        about = json.loads(command("info", "run.h5", "--json").stdout)
        self.assertEqual(about["stop"], "time")
        self.assertEqual(command("verify", "run.h5").returncode, 0)
        self.assertFalse(pathlib.Path("run.h5.checkpoint").exists())

    def test_a_result_goes_on_from_its_checkpoint(self) -> None:
        with carom.Simulation(gas(), output="run.h5") as sim:
            sim.run(time=1)
        with carom.Simulation(gas(), output="run.h5", resume=True) as sim:
            self.assertEqual(sim.time, 1)
            sim.run()
            resumed = sim.state_hash
        whole = carom.Simulation(gas())
        whole.run()
        self.assertEqual(resumed, whole.state_hash)

    def test_a_script_that_resumes_can_run_twice(self) -> None:
        with carom.Simulation(gas(), output="run.h5") as sim:
            sim.run()
            ended = sim.time, sim.state_hash, sim.stop
        before = pathlib.Path("run.h5").read_bytes()
        with self.assertWarnsRegex(UserWarning, "nothing to resume"):
            again = carom.Simulation(gas(), output="run.h5", resume=True)
        with again as sim:
            sim.run()
            self.assertEqual((sim.time, sim.state_hash, sim.stop), ended)
        self.assertEqual(pathlib.Path("run.h5").read_bytes(), before)

    def test_a_complete_result_is_not_extended(self) -> None:
        with carom.Simulation(gas(), output="run.h5") as sim:
            sim.run()
            with self.assertRaisesRegex(carom.UsageError, "complete"):
                sim.run(time=5)

    def test_an_existing_result_is_kept(self) -> None:
        pathlib.Path("run.h5").write_text("mine")
        with self.assertRaisesRegex(carom.CreateError, "as `output`, `resume=True` to continue it, or `force=True` to") as raised:
            carom.Simulation(gas(), output="run.h5")
        self.assertIsInstance(raised.exception, OSError)
        self.assertNotIn("--", str(raised.exception))
        self.assertEqual(pathlib.Path("run.h5").read_text(), "mine")
        carom.Simulation(gas(), output="run.h5", force=True).close()

    def test_a_forked_process_leaves_the_file(self) -> None:
        """A forked process completes the file when its copy of the simulation is freed; the run then cannot write."""
        sim = carom.Simulation(gas(output={"frames": {"every": 0.2}}), output="run.h5")
        sim.run(time=1)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                try:
                    sim.run(time=2)
                except carom.UsageError:
                    status = 0
                del sim
                gc.collect()
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        sim.run(time=2)
        sim.close()
        with carom.open("run.h5") as result:
            self.assertEqual(len(result.frames), 11)
        self.assertTrue(carom.verify("run.h5"))

    def test_a_missing_folder_is_an_error(self) -> None:
        with self.assertRaises(carom.CreateError):
            carom.Simulation(gas(), output="missing/run.h5")


class Lifetimes(Case):
    def test_a_simulation_ends_with_its_last_reference(self) -> None:
        """A cycle of references keeps simulations until the garbage collection, and their result files incomplete."""
        gas_, pile_ = (carom.Simulation(scene, output="run.h5" if scene["engine"] == "hard" else None)
                       for scene in (gas(), pile()))
        logs = [gas_.record_events(), gas_.record_events(capacity=10)]
        seen = gas_.observe(lambda frame: frame.time, every=0.5)
        pile_.add_potential(lambda x, t: (0.0, np.zeros_like(x)), step=0.01)
        pile_.observe("energy", every=0.1)
        ends = [weakref.ref(sim) for sim in (gas_, pile_)]
        gc.disable()
        self.addCleanup(gc.enable)
        gas_.run(time=1)
        pile_.run(time=0.1)
        del gas_, pile_
        self.assertEqual([end() for end in ends], [None, None])
        with carom.open("run.h5") as result:
            self.assertEqual((result.stop, result.being_written), ("time", False))
        self.assertEqual((len(logs[1]), len(seen)), (10, 3))
        seen.remove()

    def test_a_copy_has_a_scene_of_its_own(self) -> None:
        sim = carom.Simulation(gas())
        other = copy.deepcopy(sim)
        other.scene.seed = 99
        self.assertEqual(sim.scene.seed, 7)


class WrongUse(Case):
    def test_counts_beyond_64_bits(self) -> None:
        """A number of events is cut off to 64 bits, here to 7."""
        scene = gas(2, dimension=2, box={"size": [9, 9], "boundary": "open"})
        sim = carom.Simulation(scene)
        sim.run(collisions=(1 << 64) + 7, time=1)
        self.assertEqual(sim.time, 1)
        sim = carom.Simulation(gas(200))
        sim.run(events=(1 << 64) + 7, time=0.5)
        self.assertEqual(sim.time, 0.5)

    def test_steps_are_whole_numbers(self) -> None:
        """A negative number of steps from the start is a run without end."""
        sim = carom.Simulation(gas())
        sim.step(5)
        for n in (1.5, -1, "two"):
            with self.subTest(n=n), self.assertRaises(carom.UsageError):
                sim.step(n)  # type: ignore[arg-type]
        sim.step(1e2)  # type: ignore[arg-type]
        self.assertEqual(sim.events["total"], 105)

    def test_a_closed_simulation_is_refused(self) -> None:
        sim = carom.Simulation(gas())
        frame = sim.frame
        sim.close()
        uses = (lambda: sim.time, lambda: sim.events, lambda: sim.stop, lambda: sim.summary, lambda: sim.observables,
                lambda: sim.run(time=1), sim.step, lambda: sim.save("state.carom"))
        for use in uses:
            with self.assertRaisesRegex(carom.UsageError, "is closed"):
                use()
        self.assertEqual(len(frame.positions), len(frame))
        sim.close()

    def test_a_saved_state_without_its_arrays_is_explained(self) -> None:
        positions = np.stack(np.meshgrid(*[np.arange(5) * 1.5] * 3), axis=-1).reshape(-1, 3)
        scene = carom.Scene(engine="hard", box={"size": [8, 8, 8]}, species={"ball": {"diameter": 1}},
                            particles=[{"species": "ball", "place": positions, "velocity": {"maxwell": 1}}])
        sim = carom.Simulation(scene)
        sim.save("state.carom")
        with self.assertRaisesRegex(carom.UsageError, "Simulation.load"):
            carom.Simulation.load("state.carom")
        self.assertFalse(carom.Simulation.load("state.carom", scene).diff(sim))

    def test_what_is_no_scene_is_refused(self) -> None:
        for given in (None, 3, [1, 2]):
            with self.subTest(given=given), self.assertRaisesRegex(carom.UsageError, "not .*%s" % str(given)[-1]):
                carom.Simulation(given)
        with self.assertRaisesRegex(carom.UsageError, "Scene.load"):
            carom.Scene("scene.yaml")  # type: ignore[arg-type]


class Interruptions(Case):
    def endless(self) -> carom.Simulation:
        return carom.Simulation(gas(256, run={"until": {"time": 1e9}}), progress=self.interrupt)

    def interrupt(self, progress: carom.Progress) -> None:
        self.seen = progress
        _thread.interrupt_main()

    def test_ctrl_c_leaves_a_sound_state(self) -> None:
        sim = self.endless()
        with self.assertRaises(KeyboardInterrupt):
            sim.run()
        time = sim.time
        self.assertGreater(time, 0)
        self.assertEqual(self.seen.phase, "run")
        sim._progress = False
        sim.run(time=time + 1)
        twin = carom.Simulation(gas(256, run={"until": {"time": 1e9}}))
        twin.run(time=time + 1)
        self.assertEqual(sim.state_hash, twin.state_hash)

    def interrupt_later(self, sim: carom.Simulation, number: int = signal.SIGINT) -> threading.Thread:
        """A signal from outside, which arrives while the library computes."""
        def kill() -> None:
            while sim.time == 0:
                pass
            os.kill(os.getpid(), number)
        thread = threading.Thread(target=kill)
        thread.start()
        self.addCleanup(thread.join)
        return thread

    def test_ctrl_c_during_the_computation(self) -> None:
        """Ctrl-C has no effect: Python raises it at the first instruction of a callback, and ctypes discards it."""
        sim, twin = (carom.Simulation(gas(256, run={"until": {"time": 1e9}}), progress=False) for _ in range(2))
        self.interrupt_later(sim)
        with self.assertRaises(KeyboardInterrupt):
            sim.run(wall=60)
        twin.run(collisions=sim.collisions)
        sim.run(time=sim.time + 1)
        twin.run(time=sim.time)
        self.assertEqual(sim.state_hash, twin.state_hash)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_exceptions_of_other_signals_end_a_run(self) -> None:
        """A time limit by SIGALRM has no effect."""
        def fail(*_: object) -> None:
            raise TimeoutError("mine")
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, fail))
        sim = carom.Simulation(gas(256, run={"until": {"time": 1e9}}), progress=False)
        self.interrupt_later(sim, signal.SIGALRM)
        with self.assertRaisesRegex(TimeoutError, "mine"):
            sim.run(wall=60)
        sim.step()

    def test_a_late_request_to_stop_ends_no_later_run(self) -> None:
        """A request that came when a run had just ended raises EarlyStop in the next."""
        sim = carom.Simulation(gas(200), progress=False)
        sim.run(time=0.01)
        lib.carom_sim_request_stop(sim._address)
        sim.run(events=40_000)  # several parts, after each of which the library tests the request
        self.assertEqual(sim.events["total"], 40_000)

    def test_an_exception_of_a_progress_function_reaches_the_caller(self) -> None:
        def fail(_: carom.Progress) -> None:
            raise ZeroDivisionError("mine")
        sim = carom.Simulation(gas(run={"until": {"time": 1e9}}), progress=fail)
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            sim.run()
        sim._progress = False
        sim.step()

    def test_other_threads_run_meanwhile(self) -> None:
        """The interpreter is free during a run: a counter of another thread goes on."""
        ran = threading.Event()

        def progress(_: carom.Progress) -> None:
            if ran.is_set():
                raise StopIteration
        threading.Timer(0, ran.set).start()
        with self.assertRaises(StopIteration):
            carom.Simulation(gas(run={"until": {"time": 1e9}}), progress=progress).run()

    def test_a_simulation_in_use_refuses_a_second_call(self) -> None:
        refused = []

        def progress(_: carom.Progress) -> None:
            try:
                sim.step()
            except carom.UsageError as error:
                refused.append(str(error))
            raise StopIteration
        sim = carom.Simulation(gas(run={"until": {"time": 1e9}}), progress=progress)
        with self.assertRaises(StopIteration):
            sim.run()
        self.assertEqual(refused, ["the simulation is running: it can be used after that"])


class Objects(Case):
    def test_sources_of_a_scene(self) -> None:
        path = EXAMPLES / "gas.yaml"
        path = path if path.exists() else sorted(EXAMPLES.glob("*.yaml"))[0]
        self.assertEqual(carom.Simulation(path).state_hash, carom.Simulation(carom.Scene.load(path)).state_hash)
        self.assertEqual(carom.Simulation(gas()).state_hash, carom.Simulation(carom.Scene(gas())).state_hash)

    def test_faults_are_exceptions(self) -> None:
        with self.assertRaises(carom.SceneError) as raised:
            carom.Simulation(gas(box={"packing_fraction": 2}))
        self.assertIn("packing_fraction", str(raised.exception))
        with self.assertRaises(carom.InputError) as missing:
            carom.Simulation("missing.yaml")
        self.assertIsInstance(missing.exception, FileNotFoundError)

    def test_exceptions_can_be_pickled(self) -> None:
        error = carom.DynamicsError("error: it collapsed", stop="collapse")
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), str(again), again.stop), (carom.DynamicsError, "it collapsed", "collapse"))

    def test_attributes_of_a_closed_simulation(self) -> None:
        """After `with`, the time and the counters read as 0, and other calls blame a lack of memory."""
        with carom.Simulation(gas()) as sim:
            sim.run(time=1)
        for read in ("time", "events", "collisions", "stop", "frame", "energy", "summary", "observables"):
            with self.subTest(read), self.assertRaisesRegex(carom.UsageError, "is closed"):
                getattr(sim, read)

    def test_zero_characters_in_names_of_files(self) -> None:
        """The name ends at the zero character: another file is written or replaced."""
        sim = carom.Simulation(gas())
        for call in (lambda: sim.save("a\0b"), lambda: carom.Simulation(gas(), output="a\0b"), lambda: carom.open("a\0b")):
            with self.assertRaisesRegex(carom.UsageError, "zero character"):
                call()
        self.assertEqual(os.listdir("."), [])

    def test_numbers_of_threads_are_checked(self) -> None:
        """A number of threads beyond 32 bits is cut off, here to 0."""
        with self.assertRaises(carom.UsageError):
            carom.Simulation(gas(), threads=1 << 32)
        with self.assertRaisesRegex(carom.UsageError, "is 0: it must be a whole number from 1 to 1024"):
            carom.Simulation(gas(), threads=0)
        with self.assertRaises(carom.UsageError):
            carom.Simulation(gas(), threads=1.5)  # type: ignore[arg-type]

    def test_a_closed_simulation_is_refused(self) -> None:
        sim = carom.Simulation(gas())
        energy = sim.observe("energy", every=0.1)
        sim.close()
        sim.close()
        for use in (lambda: sim.run(time=1), lambda: sim.run(collisions=1), lambda: sim.run(), lambda: sim.step(),
                    lambda: sim.frame, lambda: sim.time, lambda: sim.events, lambda: sim.collisions, lambda: sim.energy,
                    lambda: sim.stop, lambda: sim.summary, lambda: sim.observables, lambda: energy.mean,
                    lambda: energy.series, lambda: sim.observe("pressure", every=1), lambda: sim.record_events(),
                    lambda: sim.save("saved"), lambda: carom.render(sim), lambda: sim.view(static=True)):
            with self.assertRaisesRegex(carom.UsageError, "is closed"):
                use()
        self.assertIn("closed", repr(sim))

    def test_a_closed_simulation_names_its_result(self) -> None:
        with carom.Simulation(gas(), output="run.h5") as sim:
            energy = sim.observe("energy", every=0.1)
            sim.run(time=1)
        with self.assertRaisesRegex(carom.UsageError, "carom.open.'run.h5'."):
            energy.mean

    def test_the_number_of_threads_is_checked(self) -> None:
        with self.assertRaises(carom.UsageError):
            carom.Simulation(gas(), threads=-1)

    def test_programs_without_a_terminal(self) -> None:
        """Programs without a console, as those of a window, have no `sys.stderr`: each run fails."""
        self.addCleanup(setattr, sys, "stderr", sys.stderr)
        sys.stderr = None
        carom.Simulation(gas()).run(time=0.1)
        carom.sweep(gas(10), jobs=1)

    def test_warnings_are_those_of_python(self) -> None:
        late = gas(observe=[{"what": "energy", "every": 0.1, "start": 1.5}])
        sim = carom.Simulation(late)
        sim.run(time=1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            carom.Simulation(late, output="run.h5").close()
        self.assertTrue(any("not measured" in str(w.message) for w in caught), [str(w.message) for w in caught])

    def test_warnings_name_the_line_of_the_program(self) -> None:
        """Warnings have the place of a function of the package, or of none."""
        late = gas(observe=[{"what": "energy", "every": 0.1, "start": 1.5}])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with carom.Simulation(late, output="run.h5") as sim:
                sim.run(time=1)
            with carom.Simulation(late, output="other.h5") as sim:
                sim.run(time=1)
                sim.run(time=0.5)
            carom.sweep(gas(5), jobs=1, measures=["nothing"])
        self.assertEqual([w.filename for w in caught], [__file__] * 4)

    def test_numbers_of_the_state(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(time=1)
        frame, energy = sim.frame, sim.energy
        kinetic = 0.5 * float((frame.masses[:, None] * frame.velocities ** 2).sum())
        self.assertAlmostEqual(energy.kinetic, kinetic, delta=1e-12 * kinetic)
        self.assertLess(abs(energy.drift), 1e-12 * kinetic)
        np.testing.assert_allclose(sim.momentum, 0, atol=1e-12)
        self.assertEqual(sim.summary["state_hash"], sim.state_hash)
        self.assertIs(sim.frame, frame)
        soft = carom.Simulation(pile())
        start = soft.energy.conserved
        soft.run()
        self.assertNotEqual(soft.energy.drift, 0)
        self.assertEqual(soft.energy.drift, soft.energy.conserved - start)
        sim.step()
        self.assertIsNot(sim.frame, frame)


if __name__ == "__main__":
    unittest.main()
