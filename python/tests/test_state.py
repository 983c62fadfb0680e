"""Detects changes of the state that are lost, wrong or not validated, saved and copied simulations that continue with other
bits, and differences that are missed."""
from __future__ import annotations

import copy
import math
import pickle
import unittest
from typing import Any, Iterator

import carom
import numpy as np
from carom import state
from support import Case, command, gas, pile, sticky


def ball(**keys: Any) -> dict[str, Any]:
    """A ball in a tall box, without contacts for a while."""
    return {"engine": "hard", "dimension": 2, "box": {"size": [10, 1000], "boundary": "wall"},
            "species": {"ball": {"diameter": 1}}, "fields": {"gravity": [0, -1]},
            "particles": [{"species": "ball", "place": {"at": [[5, 500]]}, "velocity": {"each": [0.25, 0]}}],
            "run": {"until": {"time": 100}}, **keys}


def row(count: int = 3, **keys: Any) -> dict[str, Any]:
    """Balls on a line in a periodic box, at rest."""
    return {"engine": "hard", "dimension": 2, "box": {"size": [3.0 * count, 10], "boundary": "periodic"},
            "species": {"ball": {"diameter": 1, "mass": 2}, "small": {"diameter": 0.5, "mass": 1}},
            "particles": [{"species": "ball", "place": {"at": [[3.0 * k + 1, 5] for k in range(count)]},
                           "velocity": {"each": [[0, 0]] * count}}],
            "run": {"until": {"time": 100}}, **keys}


VARIANTS: dict[str, dict[str, Any]] = {
    "hard": gas(),
    "hard, 2D, inelastic, rough": gas(dimension=2, contacts=[{"between": ["ball", "ball"], "restitution": 0.9, "tangential": 0.4}]),
    "hard, thermostat": gas(hard={"thermostat": {"temperature": 1, "rate": 2}}),
    "hard, shear": gas(hard={"shear": {"rate": 0.5}}),
    "hard, float": gas(hard={"precision": "float"}),
    "hard, square well": gas(potentials=[{"between": ["ball", "ball"], "square_well": {"range": 1.4, "depth": 1}}]),
    "hard, drift and gravity": gas(fields={"gravity": [0, 0, -0.5]}, particles=[
        {"species": "ball", "count": 40, "place": "random", "velocity": {"maxwell": 1}}]),
    "aggregation": sticky(),
    "aggregation, rotating": sticky(aggregation={"rotation": True}),
    "aggregation, steps": sticky(aggregation={"method": "steps"}),
    "variational": pile(),
    "variational, friction": pile(contacts=[{"between": ["grain", "grain"], "restitution": 0.7, "friction": 0.3}]),
}


ON_ONE_THREAD = [name for name, scene in VARIANTS.items() if scene["engine"] == "hard" and (
    {"shear", "compression"} & set(scene.get("hard", {})) or scene.get("hard", {}).get("collapse", {}).get("policy") == "sleep"
    or any("shape" in kind for kind in scene["species"].values()))]


def end_of(scene: dict[str, Any]) -> float:
    return float(scene["run"]["until"]["time"])


class Saving(Case):
    def each(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, scene in VARIANTS.items():
            yield name, {**scene, "observe": [{"what": "energy", "every": end_of(scene) / 20}]}

    def test_a_saved_run_equals_the_uninterrupted_one(self) -> None:
        for name, scene in self.each():
            with self.subTest(name):
                whole, first = carom.Simulation(scene), carom.Simulation(scene)
                end = end_of(scene)
                whole.run(time=end)
                first.run(time=0.37 * end)
                first.save("state.carom")
                second = carom.Simulation.load("state.carom")
                self.assertFalse(first.diff(second))
                second.run(time=end)
                self.assertEqual(second.state_hash, whole.state_hash)
                self.assertFalse(whole.diff(second))
                np.testing.assert_array_equal(second.observables[0].series["total"], whole.observables[0].series["total"])
                first.run(time=end)
                self.assertEqual(first.state_hash, whole.state_hash)

    def test_a_pickle_continues_with_the_same_bits(self) -> None:
        for name, scene in self.each():
            with self.subTest(name):
                threads = 1 if name in ON_ONE_THREAD else 2
                sim = carom.Simulation(scene, threads=threads)
                sim.run(time=0.4 * end_of(scene))
                other = pickle.loads(pickle.dumps(sim))
                for one in (sim, other):
                    one.run(time=end_of(scene))
                self.assertEqual(sim.state_hash, other.state_hash)
                kinds = [kind for kind in sim.events if kind != "transfer" or threads == 1]  # depends on the domains
                self.assertEqual([sim.events[kind] for kind in kinds], [other.events[kind] for kind in kinds])

    def test_a_copy_is_independent(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(time=0.5)
        for other in (copy.deepcopy(sim), copy.copy(sim)):
            before = sim.state_hash
            other.run(time=1)
            self.assertEqual(sim.state_hash, before)
            self.assertNotEqual(other.state_hash, before)

    def test_a_simulation_is_saved_before_it_runs(self) -> None:
        scene = gas(observe=[{"what": "pressure", "every": 0.1}])
        sim = carom.Simulation(scene)
        other = copy.deepcopy(sim)
        for one in (sim, other):
            one.run()
        self.assertEqual(sim.state_hash, other.state_hash)
        self.assertEqual(sim.observables[0].mean, other.observables[0].mean)

    def test_a_finished_run_is_saved_and_goes_on(self) -> None:
        sim = carom.Simulation(gas())
        sim.run()
        other = copy.deepcopy(sim)
        self.assertEqual(other.stop, "time")
        for one in (sim, other):
            one.run(time=3)
        self.assertEqual(sim.state_hash, other.state_hash)

    def test_threads_do_not_matter(self) -> None:
        sim = carom.Simulation(pile(), threads=1)
        sim.run(time=0.5)
        sim.save("state.carom")
        hashes = []
        for threads in (1, 2, 4):
            other = carom.Simulation.load("state.carom", threads=threads)
            other.run(time=1)
            hashes.append(other.state_hash)
        self.assertEqual(len(set(hashes)), 1)

    def test_the_copy_of_a_simulation_with_a_result_has_none(self) -> None:
        with carom.Simulation(gas(output={"frames": {"every": 0.5}}), output="run.h5") as sim:
            sim.run(time=1)
            other = pickle.loads(pickle.dumps(sim))
            self.assertIsNone(other.output)
            other.run(time=2)
            sim.run(time=2)
            self.assertEqual(sim.state_hash, other.state_hash)
        command("verify", "run.h5")

    def test_a_loaded_simulation_begins_a_result_of_its_own(self) -> None:
        sim = carom.Simulation(gas(output={"frames": {"every": 0.5}}))
        sim.run(time=0.7)
        sim.save("state.carom")
        with carom.Simulation.load("state.carom", output="second.h5") as other:
            other.run()
        text = command("info", "second.h5").stdout
        self.assertIn("frames", text)
        command("verify", "second.h5")

    def test_the_input_files_of_a_scene_must_not_change(self) -> None:
        xyz = "1\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3\nball 1 1 %s\n"
        self.folder.joinpath("one.xyz").write_text(xyz % 1)
        scene = {"engine": "hard", "box": {"size": 9}, "species": {"ball": {"diameter": 1}},
                 "particles": [{"species": "ball", "place": {"file": "one.xyz"}, "velocity": {"each": [1, 0, 0]}}],
                 "run": {"until": {"time": 5}}}
        sim = carom.Simulation(scene)
        sim.run(time=1)
        sim.save("state.carom")
        self.assertEqual(carom.Simulation.load("state.carom").state_hash, sim.state_hash)
        self.folder.joinpath("one.xyz").write_text(xyz % 2)
        with self.assertRaisesRegex(carom.DataError, "has changed"):
            carom.Simulation.load("state.carom")

    def test_other_files_are_refused(self) -> None:
        self.folder.joinpath("text").write_text("hello")
        with self.assertRaises(carom.DataError):
            carom.Simulation.load("text")
        with self.assertRaises(carom.InputError):
            carom.Simulation.load("missing")
        carom.Simulation(gas()).save("state.carom")
        data = bytearray(self.folder.joinpath("state.carom").read_bytes())
        data[len(data) // 2] ^= 1
        self.folder.joinpath("damaged").write_bytes(data)
        with self.assertRaises(carom.DataError):
            carom.Simulation.load("damaged")

    def test_a_scene_that_differs_is_refused(self) -> None:
        carom.Simulation(gas()).save("state.carom")
        with self.assertRaisesRegex(carom.DataError, "seed"):
            carom.Simulation.load("state.carom", gas(seed=8))
        self.assertEqual(carom.Simulation.load("state.carom", gas(run={"until": {"time": 9}})).time, 0)

    def test_a_copy_of_a_collapsed_run_has_ended_too(self) -> None:
        sim = carom.Simulation({**ball(), "contacts": [{"between": ["ball", "wall"], "restitution": 0.5}],
                                "particles": [{"species": "ball", "place": {"at": [[5, 2]]}}]})
        with self.assertRaises(carom.DynamicsError):
            sim.run()
        other = pickle.loads(pickle.dumps(sim))
        self.assertEqual(other.stop, sim.stop)
        with self.assertRaisesRegex(carom.DynamicsError, str(sim.stop)):
            other.run(time=1e3)
        for one in (sim, other):  # a push ends the collapse
            one.set_velocities([[0, 5]])
            one.run(time=one.time + 4)
        self.assertEqual(sim.state_hash, other.state_hash)

    def test_a_missing_folder_is_reported(self) -> None:
        sim = carom.Simulation(gas())
        with self.assertRaises(carom.OutputError):
            sim.save("missing/state.carom")
        sim.run(time=0.1)


class Differences(Case):
    def test_equal_simulations_do_not_differ(self) -> None:
        one, other = carom.Simulation(gas()), carom.Simulation(gas())
        for sim in (one, other):
            sim.run(time=0.5)
        self.assertFalse(one.diff(other))
        self.assertEqual(str(one.diff(other)), "equal")

    def test_a_difference_has_channel_size_and_place(self) -> None:
        one, other = carom.Simulation(row()), carom.Simulation(row())
        other.set_velocities([[0, 0], [0, 0.25], [0, 0]])
        found = one.diff(other)
        self.assertTrue(found)
        self.assertEqual(found.channels["velocity"], (0.25, (1, 1)))
        self.assertNotIn("position", found.channels)
        self.assertIn("state_hash", found.keys)
        self.assertIn("velocity differs by 0.25", str(found))

    def test_times_and_sizes_differ(self) -> None:
        one, other = carom.Simulation(gas()), carom.Simulation(gas(count=30))
        self.assertTrue(math.isnan(one.diff(other).channels["position"][0]))
        other = carom.Simulation(gas())
        other.run(time=0.5)
        self.assertIn("time", one.diff(other).keys)


    def test_numbers_that_are_not_defined(self) -> None:
        """Two states with nan at the same place count as different, or one of them as equal to a number."""
        nan, found = math.nan, state._difference
        self.assertIsNone(found(np.array([nan, 1]), np.array([nan, 1])))
        by, at = found(np.array([2.0, nan, 5]), np.array([9.0, 1, 5])) or (0, ())
        self.assertEqual((math.isnan(by), at), (True, (1,)))


class Velocities(Case):
    def test_a_ball_flies_with_its_new_velocity(self) -> None:
        sim = carom.Simulation(ball())
        sim.run(time=2)
        at = sim.frame.positions[0].copy()
        sim.set_velocities([[1, 3]])
        np.testing.assert_array_equal(sim.frame.velocities, [[1, 3]])
        np.testing.assert_array_equal(sim.frame.positions[0], at)
        sim.run(time=4)
        np.testing.assert_allclose(sim.frame.positions[0], at + [2, 6 - 2], rtol=1e-14)

    def test_reversed_velocities_lead_back(self) -> None:
        sim = carom.Simulation(gas(count=40, dimension=2, particles=[
            {"species": "ball", "count": 40, "place": "square", "velocity": {"maxwell": 1}}]))
        start = sim.frame.positions.copy()
        sim.run(time=1)
        self.assertGreater(sim.collisions, 10)
        sim.set_velocities(-sim.frame.velocities)
        sim.run(time=2)
        apart = np.abs(sim.frame.positions - start)
        np.testing.assert_allclose(np.minimum(apart, sim.frame.box - apart), 0, atol=1e-8)

    def test_only_named_particles_change(self) -> None:
        sim = carom.Simulation(row())
        sim.set_velocities([[1, 0]], ids=[2])
        np.testing.assert_array_equal(sim.frame.velocities, [[0, 0], [0, 0], [1, 0]])
        sim.set_velocities([0, 5], ids=[1, 0])
        np.testing.assert_array_equal(sim.frame.velocities, [[0, 5], [0, 5], [1, 0]])

    def test_energy_of_a_change_counts_as_supplied(self) -> None:
        sim = carom.Simulation(gas(contacts=[{"between": ["ball", "ball"], "restitution": 0.9}]))
        sim.run(time=1)
        before = sim.energy
        sim.set_velocities(2 * sim.frame.velocities)
        after = sim.energy
        self.assertAlmostEqual(after.kinetic, 4 * before.kinetic, delta=1e-12 * after.kinetic)
        self.assertAlmostEqual(after.supplied, 3 * before.kinetic, delta=1e-12 * after.kinetic)
        sim.run(time=2)
        self.assertAlmostEqual(sim.energy.drift, 0, delta=1e-11 * after.kinetic)

    def test_a_change_before_the_run_is_part_of_the_start(self) -> None:
        sim = carom.Simulation(gas())
        sim.set_velocities(3 * sim.frame.velocities)
        self.assertEqual(sim.energy.supplied, 0)
        self.assertAlmostEqual(sim.summary["energy"]["initial"], sim.energy.kinetic, delta=1e-12 * sim.energy.kinetic)

    def test_the_reference_path_agrees(self) -> None:
        for name, scene in (("hard", gas(count=30)), ("aggregation", sticky(30)), ("variational", pile())):
            with self.subTest(name):
                hashes = []
                for reference in (False, True):
                    sim = carom.Simulation({**scene, name: {"reference": reference}})
                    for k in range(3):
                        sim.run(time=0.3 * (k + 1))
                        v = sim.frame.velocities * (1.5 if k < 2 else -1)
                        one = np.unique(sim.frame.cluster, return_index=True)[1] if name == "aggregation" else np.arange(len(v))
                        sim.set_velocities(v[one], ids=sim.frame.ids[one])
                    sim.run(time=end_of(scene))
                    hashes.append((sim.state_hash, sim.collisions, sim.events["merge"]))
                self.assertEqual(hashes[0], hashes[1])

    def test_a_saved_run_after_a_change_equals_the_uninterrupted_one(self) -> None:
        for name, scene in VARIANTS.items():
            with self.subTest(name):
                sim = carom.Simulation(scene)
                sim.run(time=0.3 * end_of(scene))
                if "aggregation" in name:
                    sim.set_velocities([[0.5] * sim.dimension], ids=sim.frame.ids[:1])
                else:
                    sim.set_velocities(0.5 * sim.frame.velocities)
                other = copy.deepcopy(sim)
                self.assertFalse(sim.diff(other))
                sim.run(time=0.6 * end_of(scene))
                third = copy.deepcopy(sim)
                for one in (sim, other, third):
                    one.run(time=end_of(scene))
                self.assertEqual(sim.state_hash, other.state_hash)
                self.assertEqual(sim.state_hash, third.state_hash)

    def test_a_cluster_has_one_velocity(self) -> None:
        sim = carom.Simulation(sticky())
        sim.run()
        cluster = sim.frame.cluster
        label = np.argmax(np.bincount(cluster))
        members = sim.frame.ids[cluster == label]
        self.assertGreater(len(members), 1)
        with self.assertRaisesRegex(carom.UsageError, "one cluster"):
            sim.set_velocities([[1, 0, 0], [2, 0, 0]], ids=members[:2])
        sim.set_velocities([1, 2, 3], ids=members[:1])
        np.testing.assert_allclose(sim.frame.velocities[cluster == label], np.tile([1, 2, 3], (len(members), 1)), rtol=1e-15)

    def test_stopped_particles_of_variational_start_to_move(self) -> None:
        sim = carom.Simulation(pile(fields={"gravity": [0, 0]}, variational={"stiffness": 1000}))
        sim.run(time=0.25)
        start = sim.frame.positions.copy()
        sim.set_velocities([0, 0.01])
        sim.run(time=0.75)
        np.testing.assert_allclose(sim.frame.positions - start, np.tile([0, 0.005], (9, 1)), atol=1e-12)
        self.assertAlmostEqual(sim.energy.drift, 0, delta=1e-12)
        self.assertAlmostEqual(sim.energy.parts["work"], sim.energy.kinetic, delta=1e-14)

    def test_driven_particles_are_refused(self) -> None:
        sim = carom.Simulation(pile(drives=[{"name": "lid", "particles": [0], "motion": [{"velocity": [0, 0]}]}]))
        before = sim.state_hash
        with self.assertRaisesRegex(carom.UsageError, "driven"):
            sim.set_velocities([1, 0], ids=[0])
        self.assertEqual(sim.state_hash, before)

    def test_wrong_velocities_are_refused(self) -> None:
        sim = carom.Simulation(row())
        sim.run(time=1)
        before = sim.state_hash
        for velocities, ids in (([[1, 0]], [3]), ([[1, 0], [1, 0]], [1, 1]), ([[math.nan, 0]], [0]), ([[math.inf, 0]], [0]),
                                ([[1, 0, 0]], [0]), ([[1, 0]] * 2, None), ([[1e50, 0]], [0]), ([1, 0], [-1]), ([1, 0], [0.5])):
            with self.assertRaises(carom.UsageError):
                sim.set_velocities(velocities, ids)
        self.assertEqual(sim.state_hash, before)
        sim.run(time=2)

    def test_a_run_without_events_goes_on_after_a_push(self) -> None:
        sim = carom.Simulation(row())
        sim.run(collisions=1)
        self.assertEqual(sim.stop, "no_events")
        sim.set_velocities([[1, 0]], ids=[0])
        sim.run(collisions=2)
        self.assertEqual(sim.collisions, 2)
        self.assertEqual(sim.time, 4)

    def test_results_with_changed_velocities_are_verified(self) -> None:
        for name, scene in (("hard", gas()), ("drift", VARIANTS["hard, drift and gravity"]), ("variational", pile())):
            with self.subTest(name):
                path = "%s.h5" % name
                with carom.Simulation({**scene, "output": {"frames": {"every": 0.1}}}, output=path) as sim:
                    sim.run(time=0.55)
                    sim.set_velocities(1.5 * sim.frame.velocities)
                    sim.run()
                command("verify", path)

    def test_a_drifting_gas_keeps_its_places(self) -> None:
        scene = gas(particles=[{"species": "ball", "count": 30, "place": "random", "velocity": {"uniform": [0.5, 1.5]}}])
        sim = carom.Simulation(scene)
        sim.run(time=1.5)
        before = sim.frame.copy()
        sim.set_velocities(sim.frame.velocities)
        after = sim.frame
        size = after.box[0]
        unwrapped = [f["position"] + f["image"] * size for f in (before, after)]
        np.testing.assert_allclose(unwrapped[1], unwrapped[0], atol=1e-12)
        np.testing.assert_allclose(after.velocities, before["velocity"], atol=1e-14)
        self.assertAlmostEqual(sim.energy.supplied, 0, delta=1e-12)


class Particles(Case):
    def test_a_gas_without_a_wall_of_balls_lets_a_beam_pass(self) -> None:
        wall = [[10, k + 0.5] for k in range(8)]
        scene = {"engine": "hard", "dimension": 2, "box": {"size": [20, 8], "boundary": "wall"},
                 "species": {"ball": {"diameter": 1}, "brick": {"diameter": 1, "mass": 1e6}},
                 "particles": [{"species": "ball", "place": {"at": [[2, 4.5]]}, "velocity": {"each": [1, 0]}},
                               {"species": "brick", "place": {"at": wall}}], "run": {"until": {"time": 50}}}
        stopped, passing = carom.Simulation(scene), carom.Simulation(scene)
        for sim in (stopped, passing):
            sim.run(time=2)
        passing.remove_particles(passing.frame.ids[1:])
        for sim in (stopped, passing):
            sim.run(time=12)
        self.assertLess(stopped.frame.positions[0, 0], 10)
        np.testing.assert_allclose(passing.frame.positions, [[14, 4.5]], rtol=1e-15)

    def test_an_added_ball_collides(self) -> None:
        sim = carom.Simulation(row(1, box={"size": [20, 10], "boundary": "wall"}))
        sim.run(time=3)
        ids = sim.add_particles([[11, 5]], [[-1, 0]])
        self.assertEqual(ids.tolist(), [1])
        sim.run(time=12.25)
        self.assertEqual(sim.collisions, 1)
        np.testing.assert_allclose(sim.frame.velocities[1], [0, 0], atol=1e-15)
        np.testing.assert_allclose(sim.frame.positions[1], [2, 5], rtol=1e-14)

    def test_ids_are_unique_and_never_used_again(self) -> None:
        sim = carom.Simulation(row(4))
        sim.remove_particles([1, 3])
        self.assertEqual(sim.frame.ids.tolist(), [0, 2])
        np.testing.assert_array_equal(sim.frame.positions, [[1, 5], [7, 5]])
        self.assertEqual(sim.add_particles([[4, 5], [10, 5]]).tolist(), [4, 5])
        self.assertEqual(sim.frame.ids.tolist(), [0, 2, 4, 5])
        sim.remove_particles([5])
        self.assertEqual(sim.add_particles([[10, 5]]).tolist(), [6])
        sim.set_velocities([[0, 1]], ids=[4])
        np.testing.assert_array_equal(sim.frame.velocities, [[0, 0], [0, 0], [0, 1], [0, 0]])
        for ids in ([1], [3], [5], [7]):
            with self.assertRaises(carom.UsageError):
                sim.remove_particles(ids)

    def test_an_added_particle_has_its_properties(self) -> None:
        sim = carom.Simulation(row(2))
        sim.run(time=1)
        sim.add_particles([[2.5, 1]], [[1, 2]], species="small", radii=0.2)
        frame = sim.frame
        self.assertEqual((len(frame), frame.species[2], frame.radii[2], frame.masses[2]), (3, 1, 0.2, 1))
        np.testing.assert_array_equal(frame.positions[2], [2.5, 1])
        np.testing.assert_array_equal(frame.velocities[2], [1, 2])
        self.assertEqual(frame.time, 1)

    def test_overlaps_and_walls_are_checked(self) -> None:
        sim = carom.Simulation(row(2, box={"size": [6, 10], "boundary": ["periodic", "wall"]}))
        sim.run(time=1)
        before = sim.state_hash
        for positions, words in (([[1.5, 5]], "overlaps the particle with id 0"), ([[0.1, 9.8]], "outside the walls"),
                                 ([[2, 2], [2.5, 2]], "overlaps added particle 0"), ([[6.9, 5]], "overlaps the particle with id 0"),
                                 ([[math.nan, 1]], "out of range")):
            with self.assertRaisesRegex(carom.DataError, words):
                sim.add_particles(positions)
        for radii in (-1, 0, 5):
            with self.assertRaises(carom.DataError):
                sim.add_particles([[2.5, 2]], radii=radii)
        with self.assertRaisesRegex(carom.UsageError, "no species 'stone'"):
            sim.add_particles([[2.5, 2]], species="stone")
        self.assertEqual(sim.state_hash, before)
        self.assertEqual(len(sim.frame), 2)

    def test_planes_are_checked_where_they_are(self) -> None:
        scene = row(1, box={"size": [20, 10], "boundary": "open"}, planes=[{"name": "lid", "point": [0, 0], "normal": [0, 1]}],
                    drives=[{"name": "up", "plane": "lid", "motion": [{"velocity": [0, 1]}]}])
        sim = carom.Simulation(scene)
        sim.run(time=2)
        with self.assertRaisesRegex(carom.DataError, "plane lid"):
            sim.add_particles([[10, 1]])
        sim.add_particles([[10, 3]])

    def test_energy_and_counters_continue(self) -> None:
        sim = carom.Simulation(gas(count=50))
        sim.run(time=1)
        events, energy, time = sim.events, sim.energy, sim.time
        gone = sim.frame.ids[::5]
        away = 0.5 * (sim.frame.velocities[::5] ** 2).sum() * sim.frame.masses[0]
        sim.remove_particles(gone)
        self.assertEqual(sim.time, time)
        self.assertEqual(sim.events["collision"], events["collision"])
        self.assertAlmostEqual(sim.energy.supplied, -away, delta=1e-12 * energy.kinetic)
        sim.run(time=2)
        self.assertGreater(sim.events["collision"], events["collision"])
        self.assertAlmostEqual(sim.energy.drift, 0, delta=1e-11 * energy.kinetic)

    def test_a_copy_after_a_change_continues_with_the_same_bits(self) -> None:
        for name in ("hard", "hard, 2D, inelastic, rough", "hard, thermostat", "hard, float", "hard, drift and gravity"):
            with self.subTest(name):
                sim = carom.Simulation(VARIANTS[name])
                sim.run(time=0.5)
                sim.remove_particles(sim.frame.ids[3:9])
                sim.run(time=0.8)
                other = copy.deepcopy(sim)
                self.assertFalse(sim.diff(other))
                self.assertEqual(sim.frame.ids.tolist(), other.frame.ids.tolist())
                place = np.median(sim.frame.positions, axis=0)
                for one in (sim, other):
                    try:
                        one.add_particles([place], radii=1e-3)
                    except carom.DataError:
                        pass
                    one.run(time=2)
                self.assertEqual(sim.state_hash, other.state_hash)

    def test_the_reference_path_agrees(self) -> None:
        hashes = []
        for reference in (False, True):
            sim = carom.Simulation(gas(count=40, hard={"reference": reference}))
            sim.run(time=0.4)
            sim.remove_particles(sim.frame.ids[10:20])
            sim.run(time=0.8)
            far = sim.frame.positions[0] + 0.5 * sim.frame.box
            with_room = [p for p in ([far], [far + 0.5], [far + 1]) if self.fits(sim, p)]
            sim.add_particles(with_room[0], [[3, 1, 2]], radii=0.05)
            sim.run(time=2)
            hashes.append(sim.state_hash)
        self.assertEqual(hashes[0], hashes[1])

    def fits(self, sim: carom.Simulation, positions: Any) -> bool:
        r = np.asarray(positions)[0] % sim.frame.box
        apart = np.abs(sim.frame.positions - r)
        apart = np.minimum(apart, sim.frame.box - apart)
        return bool((np.sqrt((apart ** 2).sum(axis=1)) > 0.6).all())

    def test_a_gas_with_other_particles_equals_a_new_one(self) -> None:
        sim = carom.Simulation(row(4))
        sim.set_velocities([[1, 0], [0, 0], [0, 0], [-0.5, 0]])
        sim.run(time=1)
        sim.remove_particles([1])
        frame = sim.frame
        fresh = carom.Simulation(row(3, box={"size": [12, 10], "boundary": "periodic"}, particles=[
            {"species": "ball", "place": {"at": frame.positions.tolist()}, "velocity": {"each": frame.velocities.tolist()}}]))
        sim.run(time=9)
        fresh.run(time=8)
        self.assertEqual(sim.collisions, fresh.collisions)
        np.testing.assert_allclose(sim.frame.positions, fresh.frame.positions, atol=1e-12)

    def test_particles_may_be_where_a_mesh_was_at_the_start(self) -> None:
        scene = {"engine": "hard", "box": {"size": 20, "boundary": "open"}, "species": {"ball": {"diameter": 1}, "plate": {"diameter": 1}},
                 "contacts": [{"between": ["ball", "plate"], "restitution": 0.5}],
                 "meshes": [{"name": "lid", "rigid": True, "species": "plate", "place": {"at": [10, 10, 5]},
                             "shape": {"rectangle": {"length": 8, "width": 8, "along": 2, "across": 2}}}],
                 "drives": [{"name": "up", "mesh": "lid", "motion": [{"velocity": [0, 0, 1]}]}],
                 "particles": [{"species": "ball", "place": {"at": [[10, 10, 2], [1, 1, 1]]},
                                "velocity": {"each": [[0, 0, 1], [0, 0, 0]]}}], "run": {"until": {"time": 30}}}
        sim = carom.Simulation(scene)
        sim.run(time=3)
        sim.remove_particles([1])
        np.testing.assert_allclose(sim.frame.positions, [[10, 10, 5]], rtol=1e-15)
        sim.change("fields.gravity", [0, 0, -0.5])
        other = copy.deepcopy(sim)
        for one in (sim, other):
            one.run(time=4)
            np.testing.assert_allclose(one.frame.positions, [[10, 10, 5.75]], rtol=1e-14)
        sim.set_velocities([0, 0, 9])
        other = copy.deepcopy(sim)
        for one in (sim, other):
            one.run(time=5)
            self.assertEqual(one.events["wall"], 1)
            self.assertAlmostEqual(one.frame.velocities[0, 2], 1 - 0.5 * 8, delta=0.6)
        self.assertEqual(sim.state_hash, other.state_hash)

    def test_what_cannot_change_is_refused_with_the_reason(self) -> None:
        for scene, words in ((sticky(), "clusters"), (pile(), "variational"), (VARIANTS["hard, square well"], "stepped"),
                             (VARIANTS["hard, shear"], "shear"), (gas(observe=[{"what": "msd", "every": 0.1}]), "msd")):
            sim = carom.Simulation(scene)
            before = sim.state_hash
            with self.assertRaisesRegex(carom.UsageError, words):
                sim.remove_particles([0])
            self.assertEqual(sim.state_hash, before)
            sim.run(time=0.1)
        with carom.Simulation(gas(), output="run.h5") as sim:
            with self.assertRaisesRegex(carom.UsageError, "result file"):
                sim.remove_particles([0])
        sim = carom.Simulation(row(1))
        with self.assertRaisesRegex(carom.UsageError, "at least one"):
            sim.remove_particles([0])

    def test_sleeping_grains_wake_without_their_support(self) -> None:
        scene = {"engine": "hard", "dimension": 2, "box": {"size": [6, 12], "boundary": "wall"},
                 "species": {"grain": {"diameter": 1}}, "fields": {"gravity": [0, -1]},
                 "contacts": [{"between": ["grain", "grain"], "restitution": 0.3}, {"between": ["grain", "wall"], "restitution": 0.3}],
                 "hard": {"collapse": {"policy": "sleep", "speed": 0.05}},
                 "particles": [{"species": "grain", "place": {"at": [[3, 0.5], [3, 1.6]]}}], "run": {"until": {"time": 200}}}
        sim = carom.Simulation(scene)
        sim.run(time=60)
        np.testing.assert_allclose(sim.frame.positions[:, 1], [0.5, 1.5], atol=1e-3)
        sim.remove_particles([0])
        sim.run(time=120)
        np.testing.assert_allclose(sim.frame.positions[:, 1], [0.5], atol=1e-3)


class Changes(Case):
    def test_a_ball_rises_after_gravity_is_reversed(self) -> None:
        sim = carom.Simulation(ball())
        sim.run(time=3)
        sim.change("fields.gravity", [0, 2])
        sim.run(time=8)
        np.testing.assert_allclose(sim.frame.positions, [[5 + 0.25 * 8, 500 - 4.5 - 3 * 5 + 25]], rtol=1e-14)
        np.testing.assert_allclose(sim.frame.velocities, [[0.25, -3 + 10]], rtol=1e-14)
        self.assertEqual(sim.frame.energy.potential, -2 * sim.frame.positions[0, 1])

    def test_a_ball_of_variational_rises_too(self) -> None:
        scene = ball(engine="variational", variational={"eta": 0.01, "stiffness": 1e5, "step": 1e-4})
        sim = carom.Simulation(scene)
        sim.run(time=3)
        sim.change("fields.gravity", [0, 2])
        sim.run(time=8)
        np.testing.assert_allclose(sim.frame.positions, [[7, 505.5]], rtol=1e-12)
        self.assertAlmostEqual(sim.energy.drift, 0, delta=1e-9)

    def test_gravity_along_a_free_axis_changes(self) -> None:
        sim = carom.Simulation(row(2, fields={"gravity": [0.5, 0]}))
        start = sim.frame.positions.copy()
        sim.run(time=2)
        sim.change("fields.gravity", [0, 0.25])
        sim.run(time=4)
        frame = sim.frame
        moved = frame.positions + frame.images * frame.box - start
        np.testing.assert_allclose(moved, [[1 + 2, 0.5]] * 2, rtol=1e-13)

    def test_the_drift_after_a_change_at_the_start(self) -> None:
        """The drift refers to the energy before a change at time 0, if it was read before."""
        sim = carom.Simulation(gas())
        self.assertEqual(sim.energy.drift, 0)
        sim.set_velocities(3 * sim.frame.velocities)
        self.assertEqual(sim.energy.drift, 0)

    def test_changed_runs_are_saved_and_continue(self) -> None:
        for name, key, value in (("hard", "fields.gravity", [0, 0, -1]), ("hard, thermostat", "hard.thermostat.temperature", 3),
                                 ("variational", "fields.gravity", [0.5, -1]), ("aggregation", "run.until.time", 7)):
            with self.subTest(name):
                scene = VARIANTS[name]
                if name == "variational":
                    scene = {**scene, "variational": {"eta": 0.02, "stiffness": 3000, "step": 5e-4}}
                sim = carom.Simulation(scene)
                sim.run(time=0.3)
                sim.change(key, value)
                self.assertEqual(sim.time, 0.3)
                other = pickle.loads(pickle.dumps(sim))
                self.assertFalse(sim.diff(other))
                for one in (sim, other):
                    one.run(time=0.9)
                self.assertEqual(sim.state_hash, other.state_hash)

    def test_restitution_changes(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(time=1)
        self.assertEqual(sim.energy.dissipated, 0)
        sim.change("contacts", [{"between": ["ball", "ball"], "restitution": 0.5}])
        sim.run(time=2)
        self.assertGreater(sim.energy.dissipated, 0.1)
        self.assertAlmostEqual(sim.energy.drift, 0, delta=1e-11 * sim.energy.total)

    def test_the_reference_path_agrees(self) -> None:
        for name, scene in (("hard", gas(count=30)), ("variational", pile(variational={"eta": 0.02, "stiffness": 3000, "step": 5e-4}))):
            with self.subTest(name):
                hashes = []
                for reference in (False, True):
                    sim = carom.Simulation({**scene, name: {**scene.get(name, {}), "reference": reference}})
                    sim.run(time=0.5)
                    sim.change("fields.gravity", [0.3] * (sim.dimension - 1) + [-2])
                    sim.run(time=1)
                    hashes.append(sim.state_hash)
                self.assertEqual(hashes[0], hashes[1])

    def test_values_are_those_of_scenes(self) -> None:
        """Parts of scenes and arrays of numpy as values change another key, or are refused."""
        scene = carom.Scene(gas(fields={"gravity": [0, 0, -2]}))
        for value in (scene.fields, {"gravity": np.array([0.0, 0.0, -2.0])}, {"gravity": (0, 0, np.float32(-2))}):
            sim = carom.Simulation(gas())
            before = sim.momentum
            sim.change("fields", value)
            sim.run(time=1)
            self.assertAlmostEqual((sim.momentum - before)[2], -2 * sim.frame.masses.sum(), places=9)
        with self.assertRaisesRegex(carom.SceneError, "type set"):
            sim.change("fields", {1, 2})

    def test_keys_of_the_initial_state_are_refused_by_name(self) -> None:
        sim = carom.Simulation(gas())
        before = sim.state_hash
        for key in ("seed", "box.packing_fraction", "species.ball.diameter", "particles.0.count", "engine", "dimension"):
            with self.assertRaisesRegex(carom.UsageError, key.split(".")[0]):
                sim.change(key, 3)
        self.assertEqual(sim.state_hash, before)

    def test_errors_of_the_scene_are_reported(self) -> None:
        sim = carom.Simulation(gas())
        for key, value in (("fields.gravity", [0, -1]), ("fields.gravty", [0, 0, -1]), ("hard.thermostat.rate", -2)):
            with self.assertRaises(carom.SceneError):
                sim.change(key, value)
        sim.run(time=0.1)

    def test_a_surface_that_would_jump_is_refused(self) -> None:
        scene = row(1, box={"size": [20, 10], "boundary": "open"}, planes=[{"name": "lid", "point": [0, 0], "normal": [0, 1]}],
                    drives=[{"name": "up", "plane": "lid", "motion": [{"velocity": [0, 1]}]}])
        sim = carom.Simulation(scene)
        sim.run(time=2)
        with self.assertRaisesRegex(carom.UsageError, "lid.*jump"):
            sim.change("drives.0.motion", [{"velocity": [0, 2]}])
        sim.change("drives.0.motion", [{"velocity": [0, 1]}, {"time": 2, "velocity": [0, 0]}])
        sim.run(time=20)
        self.assertEqual(sim.events["wall"], 0)

    def test_other_numbers_and_features_are_refused(self) -> None:
        sim = carom.Simulation(gas())
        with self.assertRaisesRegex(carom.UsageError, "type of numbers"):
            sim.change("hard.precision", "float")
        with self.assertRaisesRegex(carom.UsageError, "thermostat"):
            sim.change("hard.thermostat", {"temperature": 1, "rate": 1})
        with carom.Simulation(gas(), output="run.h5") as other:
            with self.assertRaisesRegex(carom.UsageError, "result file"):
                other.change("fields.gravity", [0, 0, -1])


if __name__ == "__main__":
    unittest.main()
