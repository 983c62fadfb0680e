"""Detects scenes whose keys, texts, arrays or messages differ from those of the command."""
from __future__ import annotations

import copy
import json
import os
import pathlib
import pickle
import unittest
from typing import Any

import numpy as np

import carom
from carom import _yaml
from carom.scene_tree import keys_below
from support import EXAMPLES, Case, command, gas, pile, sticky

BAD = """carom: 1
engine: hrad
box: {size: [10, ten, 10], boundry: wall}
species: {ball: {diameter: -1}}
particles:
  - {species: bal, count: 10, place: fcc}
run: {until: {time: 1}}
"""


def message_of(*arguments: Any) -> str:
    """What `carom check` prints about a scene with errors."""
    return command("check", *arguments, check=False).stderr.rstrip("\n")


def balls(count: int = 100, seed: int = 1, dimension: int = 3) -> "tuple[np.ndarray, np.ndarray, np.ndarray]":
    """Positions on a cubic lattice, disturbed, velocities and radii, with all digits."""
    random = np.random.default_rng(seed)
    side = int(np.ceil(count ** (1 / dimension)))
    grid = np.stack(np.meshgrid(*[np.arange(side)] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)[:count]
    positions = 0.8 + 1.5 * grid + random.uniform(-0.1, 0.1, grid.shape)
    return positions, random.normal(size=grid.shape), random.uniform(0.3, 0.6, count)


def of_balls(entry: "dict[str, Any]", side: float = 12, dimension: int = 3, **keys: Any) -> carom.Scene:
    return carom.Scene(engine="hard", dimension=dimension, box={"size": [side] * dimension},
                       species={"ball": {"diameter": {"uniform": [0.5, 1.3]}, "density": 1}},
                       particles=[{"species": "ball", **entry}], run={"until": {"time": 1}}, **keys)


def hash_after(scene: carom.Scene, time: float = 1) -> str:
    sim = carom.Simulation(scene)
    sim.run(time=time)
    return sim.state_hash


TETRAHEDRON = (np.array([[3, 3, 2], [5, 3, 2.1], [4, 5, 1.9], [4, 3.9, 4]]), np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]))


class Errors(Case):
    def faults(self, scene: Any) -> "tuple[carom.Fault, ...]":
        with self.assertRaises(carom.SceneError) as caught:
            scene.check() if isinstance(scene, carom.Scene) else scene()
        self.assertGreater(len(caught.exception.faults), 0)
        return caught.exception.faults


class Files(Errors):
    def test_messages_are_those_of_the_command(self) -> None:
        pathlib.Path("bad.yaml").write_text(BAD)
        with self.assertRaises(carom.SceneError) as caught:
            carom.Scene.load("bad.yaml")
        self.assertEqual(str(caught.exception), message_of("bad.yaml"))

    def test_faults_have_their_parts(self) -> None:
        pathlib.Path("bad.yaml").write_text(BAD)
        faults = self.faults(lambda: carom.Scene.load("bad.yaml"))
        self.assertEqual(faults[0], carom.Fault("bad.yaml", 2, 9, "engine", "unknown engine 'hrad'; did you mean 'hard'?",
                                                "did you mean 'hard'?"))
        self.assertEqual([(f.line, f.key) for f in faults[1:]],
                         [(3, "box.size.1"), (3, "box.boundry"), (4, "species.ball.diameter"), (6, "particles.0.species")])

    def test_each_kind_of_message_equals_that_of_the_command(self) -> None:
        base = json.dumps({"carom": 1, **gas()})
        texts = ["", "hello\n", "- 1\n", "carom: 2\n", "a: [1\n", "run: {until: {time: 1}}\na: 1\na: 2\n", "run: {until: {time: 1}}\na: &x 1\n", "\tb: 1\n", "carom: \x07\n",
                 base.replace('"count": 64', '"count": 6.5'), base.replace('"random"', '"fcc2"'),
                 base.replace('"random"', '{"array": "p"}'), base.replace('"time": 2', '"tim": 2'),
                 base.replace('0.2}', '0.9}').replace('"random"', '"compress"'), base.replace('"random"', '{"at": [[1, 1, 1], [1.2, 1, 1]]}'),
                 base.replace('"diameter"', '"diametre"'), base.replace('"random"', '{"file": "none.xyz"}'),
                 base.replace('"hard"', '"variational"').replace('"carom": 1', '"carom": 1, "variational": {"step": 9}')]
        for text in texts:
            with self.subTest(text=text[:60]):
                pathlib.Path("s.yaml").write_text(text)
                with self.assertRaises((carom.SceneError, carom.InputError)) as caught:
                    carom.Scene.load("s.yaml").check()
                said = message_of("s.yaml")
                self.assertEqual(str(caught.exception), said[len("error: "):] if said.startswith("error: ") else said)

    def test_missing_file(self) -> None:
        with self.assertRaises(FileNotFoundError) as caught:
            carom.Scene.load("none.yaml")
        self.assertIsInstance(caught.exception, carom.InputError)
        self.assertEqual(str(caught.exception), message_of("none.yaml"))
        with self.assertRaises(carom.InputError) as caught:
            carom.Scene.load(".")
        self.assertEqual(str(caught.exception), message_of("."))

    def test_changes_are_overrides_with_the_message_of_the_command(self) -> None:
        pathlib.Path("s.yaml").write_text("# a gas\n" + json.dumps({"carom": 1, **gas()}))
        scene = carom.Scene.load("s.yaml")
        scene.box.packing_fraction = "dense"
        self.assertEqual(self.faults(scene)[0].key, "box.packing_fraction")
        with self.assertRaises(carom.SceneError) as caught:
            scene.check()
        self.assertEqual(str(caught.exception), message_of("s.yaml", "--set", "box.packing_fraction=dense"))
        scene.box.packing_fraction = 0.2
        scene.particles[0].count = -1
        scene["species.ball.diameter"] = [1]
        with self.assertRaises(carom.SceneError) as caught:
            scene.check()
        self.assertEqual(str(caught.exception), message_of("s.yaml", "--set", "species.ball.diameter=[1]",
                                                           "--set", "particles.0.count=-1"))

    def test_errors_in_the_file_keep_their_lines_after_changes(self) -> None:
        pathlib.Path("s.yaml").write_text(BAD)
        scene = carom.Scene.load("s.yaml", partial=True)
        scene.engine = "hard"
        del scene["run"]
        del scene.box["boundry"]
        faults = self.faults(scene)
        self.assertEqual([(f.file, f.line, f.column) for f in faults], [("s.yaml", 3, 18), ("s.yaml", 4, 28), ("s.yaml", 6, 15)])

    def test_set(self) -> None:
        pathlib.Path("s.yaml").write_text(json.dumps({"carom": 1, **gas()}))
        scene = carom.Scene.load("s.yaml", set={"seed": 9, "particles.0.count": 10, "run.until.collisions": 5})
        self.assertEqual((scene.seed, scene.particles[0].count), (9, 10))
        self.assertEqual(scene.run.until, {"time": 2, "collisions": 5})
        self.assertIn("count: 10\n", scene.resolved)
        with self.assertRaises(carom.SceneError) as caught:
            carom.Scene.load("s.yaml", set={"run.until.tim": 3})
        self.assertEqual(str(caught.exception), message_of("s.yaml", "--set", "run.until.tim=3"))

    def test_files_of_a_scene_are_relative_to_it(self) -> None:
        os.makedirs("deep/er")
        pathlib.Path("deep/p.xyz").write_text("2\n\nball 2 2 2\nball 4 4 4\n")
        scene = gas(box={"size": [10, 10, 10]}, particles=[{"species": "ball", "place": {"file": "../p.xyz"}}])
        pathlib.Path("deep/er/s.yaml").write_text(json.dumps({"carom": 1, **scene}))
        loaded = carom.Scene.load("deep/er/s.yaml")
        self.assertEqual(loaded.check().particles, 2)
        self.assertIn("file: ../p.xyz", loaded.resolved.replace('"', ""))
        os.chdir("deep")
        self.assertEqual(loaded.check().particles, 2)
        os.chdir("..")
        loaded.seed = 4
        loaded.save("moved.yaml")
        self.assertEqual(carom.Scene.load("moved.yaml").check().particles, 2)

    def test_a_scene_without_run_is_complete_in_python_only(self) -> None:
        scene = gas()
        del scene["run"]
        pathlib.Path("s.yaml").write_text(json.dumps({"carom": 1, **scene}))
        self.assertIn("missing key 'run.until'", message_of("s.yaml"))
        loaded = carom.Scene.load("s.yaml")
        sim = carom.Simulation(loaded)
        with self.assertRaises(carom.UsageError):
            sim.run()
        sim.run(time=0.5)
        self.assertEqual(sim.time, 0.5)

    def test_text_of_an_unchanged_file_keeps_comments(self) -> None:
        text = "# comment\ncarom: 1   # version\n" + "\n".join("%s: %s" % (k, _yaml.flow(v)) for k, v in gas().items()) + "\n"
        pathlib.Path("s.yaml").write_text(text)
        scene = carom.Scene.load("s.yaml")
        self.assertEqual(scene.yaml, text)
        scene.seed = 8
        self.assertNotIn("#", scene.yaml)
        scene.seed = 7
        self.assertEqual(scene.yaml, text)

    def test_byte_order_mark_and_carriage_returns(self) -> None:
        text = json.dumps({"carom": 1, **gas()}, indent=1).replace("\n", "\r\n")
        pathlib.Path("s.yaml").write_bytes(b"\xef\xbb\xbf" + text.encode())
        self.assertEqual(carom.Scene.load("s.yaml"), carom.Scene(gas()))

    def test_files_with_errors_have_their_own_places(self) -> None:
        pathlib.Path("p.xyz").write_text("2\n\nball 2 2 2\nball 4 x 4\n")
        scene = carom.Scene(gas(box={"size": [10, 10, 10]}, particles=[{"species": "ball", "place": {"file": "p.xyz"}}]))
        self.assertEqual(self.faults(scene), (carom.Fault("p.xyz", 4, 0, "", "pos: 'x' is no number"),))

    def test_overlaps_are_faults_of_simulations_too(self) -> None:
        scene = of_balls({"place": {"at": [[2, 2, 2], [2.1, 2, 2]]}})
        faults = self.faults(scene)
        self.assertEqual(faults[0].key, "particles.0.place")
        self.assertEqual(self.faults(lambda: carom.Simulation(scene)), faults)


class Trees(Errors):
    def test_items_of_two_references_keep_their_order(self) -> None:
        """The first item by a second reference to a new list is inserted before those of the first."""
        scene = carom.Scene(gas())
        one, other = scene.observe, scene.observe
        one.append({"what": "energy"})
        other.append({"what": "msd"})
        self.assertEqual([item.what for item in scene.observe], ["energy", "msd"])

    def test_dicts_and_keywords_are_equal(self) -> None:
        self.assertEqual(carom.Scene(gas()), carom.Scene(**gas()))
        self.assertEqual(carom.Scene({"seed": 1}, seed=2).seed, 2)
        self.assertEqual(list(carom.Scene(seed=2).tree), ["carom", "seed"])

    def test_attributes_and_paths_reach_the_same_keys(self) -> None:
        scene = carom.Scene(gas())
        scene.box.packing_fraction = 0.3
        self.assertEqual(scene["box.packing_fraction"], 0.3)
        scene["particles.0.count"] = 500
        self.assertEqual(scene.particles[0].count, 500)
        self.assertEqual(scene["particles"][0]["velocity.maxwell"], 1)
        scene.particles[-1]["velocity"] = {"circle": 2}
        self.assertEqual(scene.tree["particles"][0]["velocity"], {"circle": 2})

    def test_paths_make_the_maps_that_are_missing(self) -> None:
        scene = carom.Scene()
        scene["run.until.time"] = 3
        scene.output.frames.every = 2
        scene.observe.append({"what": "pressure", "every": 1})
        scene.fields.gravity = (0, 0, -1)
        self.assertEqual(scene.tree, {"carom": 1, "run": {"until": {"time": 3}}, "output": {"frames": {"every": 2}},
                                      "observe": [{"what": "pressure", "every": 1}], "fields": {"gravity": [0, 0, -1]}})

    def test_reading_changes_nothing(self) -> None:
        scene = carom.Scene(gas())
        before = scene.tree
        scene.output.frames, scene.observe, scene.hard.collapse, dir(scene.fields)
        self.assertEqual(scene.tree, before)

    def test_keys_that_are_not_set(self) -> None:
        scene = carom.Scene(gas())
        with self.assertRaisesRegex(AttributeError, "'title' is not set"):
            scene.title
        with self.assertRaisesRegex(AttributeError, "'box.boundary' is not set .default: periodic"):
            scene.box.boundary
        with self.assertRaisesRegex(AttributeError, "no key 'box.sise'"):
            scene.box.sise
        self.assertEqual(getattr(scene, "title", "none"), "none")
        self.assertIsNone(scene.get("title"))
        with self.assertRaisesRegex(KeyError, "box.sise"):
            scene["box.sise.x"]
        with self.assertRaisesRegex(KeyError, "particles.1"):
            scene["particles.1.count"] = 5
        with self.assertRaises(AttributeError):
            scene.yaml = "carom: 1"

    def test_deletion(self) -> None:
        scene = carom.Scene(gas(observe=[{"what": "energy", "every": 1}, {"what": "pressure", "every": 1}]))
        del scene["observe.0"]
        self.assertEqual(scene.observe, [{"what": "pressure", "every": 1}])
        del scene.observe[0]
        del scene.observe
        del scene.particles[0]["zero_momentum"]
        self.assertNotIn("observe", scene)
        self.assertNotIn("zero_momentum", scene["particles.0"])
        with self.assertRaises(KeyError):
            del scene["observe"]

    def test_lists_and_maps_behave_as_such(self) -> None:
        scene = carom.Scene(gas())
        scene.particles.append({"species": "ball", "count": 2, "place": "random"})
        scene.particles.insert(0, {"species": "ball", "count": 3, "place": "random"})
        self.assertEqual([entry.count for entry in scene.particles], [3, 64, 2])
        scene.particles[1:] = []
        self.assertEqual(len(scene.particles), 1)
        scene.box.update(size=[4, 4, 4])
        self.assertEqual(sorted(scene.box), ["packing_fraction", "size"])
        self.assertEqual(scene.box.pop("packing_fraction"), 0.2)
        self.assertEqual(scene["box"], {"size": [4, 4, 4]})
        scene.box.size[1] *= 2
        self.assertEqual(scene.box.size, [4, 8, 4])

    def test_values_are_copied(self) -> None:
        given = gas()
        scene = carom.Scene(given)
        given["box"]["packing_fraction"] = 9
        self.assertEqual(scene.box.packing_fraction, 0.2)
        box = scene.tree["box"]
        box["packing_fraction"] = 8
        self.assertEqual(scene.box.packing_fraction, 0.2)
        scene.species.other = scene.species.ball
        scene.species.other.diameter = 2
        self.assertEqual(scene.species.ball.diameter, 1)

    def test_completion(self) -> None:
        scene = carom.Scene(gas())
        self.assertLessEqual({"box", "particles", "hard", "observe", "check", "save"}, set(dir(scene)))
        self.assertLessEqual({"size", "packing_fraction", "boundary", "aspect"}, set(dir(scene.box)))
        self.assertLessEqual({"restitution", "between"}, set(dir(carom.Scene(contacts=[{}]).contacts[0])))
        self.assertLessEqual({"policy", "tc"}, set(dir(scene.hard.collapse)))
        self.assertLessEqual({"diameter", "mass"}, set(dir(scene.species.ball)))

    def test_no_key_is_hidden_by_a_method(self) -> None:
        def below(path: str) -> "list[str]":
            return [key for name in keys_below(path) for key in [name] + (below((path + "." + name).strip(".")))]
        for name in below(""):
            self.assertFalse(hasattr(carom.Scene, name), name)

    def test_values_that_are_no_part_of_a_scene(self) -> None:
        scene = carom.Scene(gas())
        with self.assertRaises(carom.SceneError) as caught:
            scene.box.size = {1, 2}
        self.assertEqual(caught.exception.faults[0].key, "box.size")
        with self.assertRaises(carom.SceneError) as caught:
            carom.Scene(box={3: 4})
        self.assertIn("the key 3 is no text", str(caught.exception))

    def test_errors_of_dicts_have_places_in_the_text_and_keys(self) -> None:
        scene = carom.Scene(gas(title="A gas"))
        scene.particles[0].place = "fcc2"
        fault = self.faults(scene)[0]
        self.assertEqual((fault.file, fault.key, fault.hint[:13]), ("scene", "particles.0.place", "did you mean "))
        line = scene.yaml.splitlines()[fault.line - 1]
        self.assertEqual(line[fault.column - 1:fault.column + 3], "fcc2")

    def test_an_empty_scene_names_all_that_is_missing(self) -> None:
        self.assertEqual({f.message.split(":")[0] for f in self.faults(carom.Scene())},
                         {"missing key '%s'" % key for key in ("engine", "box", "species", "particles")})

    def test_copies_are_independent(self) -> None:
        scene = carom.Scene(gas())
        for other in (scene.copy(), copy.deepcopy(scene), copy.copy(scene).copy(), pickle.loads(pickle.dumps(scene))):
            self.assertEqual(other, scene)
            other.particles[0].count = 3
            self.assertNotEqual(other, scene)
            self.assertEqual(scene.particles[0].count, 64)

    def test_equality(self) -> None:
        self.assertEqual(carom.Scene(seed=1), carom.Scene(seed=1.0))
        self.assertNotEqual(carom.Scene(seed=1), carom.Scene(seed=True))
        self.assertNotEqual(carom.Scene(seed=1), carom.Scene(seed="1"))
        self.assertNotEqual(carom.Scene(seed=1), {"carom": 1, "seed": 1})
        one, two = carom.Scene(box={"size": np.ones(3)}), carom.Scene(box={"size": np.ones(3)})
        self.assertEqual(one, two)
        two.box.size[1] = 2
        self.assertNotEqual(one, two)

    def test_views(self) -> None:
        scene = carom.Scene(gas(title="<a>"))
        self.assertIn("hard", repr(scene))
        self.assertEqual(str(scene), scene.yaml)
        self.assertIn("&lt;a&gt;", scene._repr_html_())
        self.assertEqual(repr(scene.box), "{packing_fraction: 0.2}")
        scene.particles[0].place = np.zeros((100000, 3))
        self.assertIn("array(100000, 3)", scene._repr_html_())

    def test_starters(self) -> None:
        self.assertIn("gas", carom.starters())
        for name in carom.starters():
            with self.subTest(name=name):
                scene = carom.Scene.starter(name)
                self.assertGreater(scene.check().particles + scene.check().vertices, 0)
                text = command("init", name, "--output", "%s.yaml" % name, check=False)
                if text.returncode == 0:
                    self.assertEqual(pathlib.Path("%s.yaml" % name).read_text(), scene.yaml)
        with self.assertRaisesRegex(carom.UsageError, "did you mean 'gas'"):
            carom.Scene.starter("gass")

    def test_the_library_checks_what_a_simulation_uses(self) -> None:
        with self.assertRaises(carom.SceneError) as caught:
            carom.Simulation(gas(engine="hrad"))
        self.assertEqual(caught.exception.faults[0].key, "engine")
        scene = carom.Scene(gas())
        sim = carom.Simulation(scene)
        scene.particles[0].count = 1
        self.assertEqual(sim.scene.particles[0].count, 64)


class Texts(Case):
    def same(self, value: Any) -> None:
        """A value survives its text."""
        text = "carom: 1\nx: %s\n" % _yaml.flow(value)
        pathlib.Path("s.yaml").write_text(text, encoding="utf-8")
        self.assertEqual(carom.Scene.load("s.yaml", partial=True).tree["x"], value, text)
        pathlib.Path("s.yaml").write_text(_yaml.block({"carom": 1, "x": value}), encoding="utf-8")
        self.assertEqual(carom.Scene.load("s.yaml", partial=True).tree["x"], value)

    def test_text(self) -> None:
        for text in ("word", "two words", "1", "1e3", "-", "true", "false", "no", "null", "~", "a: b", "a #b", " a", "a ", "", "'", '"',
                     "\\", "\t\n", "\x01", "\x7f", "é", "{a}", "[b]", "*c", "&d", "!e", "%f", "@g", "`h", "|", ">", "?", "- x",
                     "0x1f", ".5", "inf", "nan", ".inf", "1_000", "12:30", "2024-01-01", "a,b", "a: ", "é: ü", "\u2028", "<<", "="):
            with self.subTest(text=text):
                self.same(text)
                self.same([text, {"k": text}])
                self.same({text + "k": text})

    def test_numbers(self) -> None:
        random = np.random.default_rng(3)
        numbers = [0, -1, 2 ** 64 - 1, 0.1, -0.0, 1e-300, 1.7976931348623157e308, 5e-324, 1e16, 123456789.123456789, 1e22, 1e-7]
        numbers += (random.normal(size=200) * 10.0 ** random.integers(-30, 30, 200)).tolist()
        for number in numbers:
            self.same(number)
        self.same(numbers)

    def test_nested(self) -> None:
        self.same({"a": {"b": {"c": [1, [2, [3]]], "d": {}}}, "e": [], "f": [{}, {"g": [{"h": 1}]}], "i": True, "j": None})
        self.same([{"long%d" % k: "word" * 9, "list": list(range(40)), "deep": {"deeper": [{"x": 1}, {"y": [1, 2]}]}} for k in range(3)])

    def test_numbers_as_integers(self) -> None:
        scene = carom.Scene(gas())
        for count in (64, 64.0, np.int32(64), np.float64(64), np.uint8(64), np.array(64)):
            scene.particles[0].count = count
            self.assertEqual(scene.check().particles, 64)


class Arrays(Errors):
    def test_small_arrays_stand_in_the_text(self) -> None:
        positions, velocities, _ = balls(8)
        scene = of_balls({"place": positions, "velocity": velocities, "orientation": np.array([0, 0, 1])})
        listed = of_balls({"place": {"at": positions.tolist()}, "velocity": {"each": velocities.tolist()},
                           "orientation": {"along": [0.0, 0.0, 1.0]}})
        self.assertEqual(scene.yaml, listed.yaml)
        self.assertIn(repr(float(positions[3, 1])), scene.yaml)

    def test_arrays_equal_lists(self) -> None:
        for count in (8, 100):
            positions, velocities, _ = balls(count)
            listed = {"place": {"at": positions.tolist()}, "velocity": {"each": velocities.tolist()}}
            expected = hash_after(of_balls(listed))
            for entry in ({"place": positions, "velocity": velocities},
                          {"place": {"at": positions}, "velocity": {"each": velocities}},
                          {"place": np.asfortranarray(positions), "velocity": velocities[::-1][::-1]}):
                self.assertEqual(hash_after(of_balls(entry)), expected)

    def test_arrays_equal_a_file_to_the_bit(self) -> None:
        positions, velocities, radii = balls(200)
        masses = np.linspace(0.5, 2, 200)
        names = np.where(np.arange(200) % 3 == 0, "heavy", "ball")
        rows = ["%s %s" % (n, " ".join(map(repr, row))) for n, row in
                zip(names, np.column_stack([positions, velocities, radii, masses]).tolist())]
        pathlib.Path("p.xyz").write_text("200\nProperties=species:S:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1\n%s\n" % "\n".join(rows))
        species = {"ball": {"diameter": {"uniform": [0.5, 1.3]}, "density": 1}, "heavy": {"diameter": {"uniform": [0.5, 1.3]}, "mass": 9}}
        arrays = of_balls({"species": names, "place": positions, "velocity": velocities, "radius": radii, "mass": masses})
        arrays.species = species
        file = of_balls({"species": {"ball": 1, "heavy": 1}, "place": {"file": "p.xyz"}, "velocity": "file"})
        file.species = species
        self.assertEqual(arrays.check().particles, 200)
        self.assertEqual(hash_after(arrays), hash_after(file))
        sim = carom.Simulation(arrays)
        np.testing.assert_array_equal(sim.frame.positions, positions)
        np.testing.assert_allclose(sim.frame.velocities, velocities, rtol=1e-14)
        np.testing.assert_array_equal(sim.frame.radii, radii)

    def test_two_dimensions(self) -> None:
        positions, velocities, radii = balls(100, dimension=2)
        flat = of_balls({"place": positions, "velocity": velocities, "radius": radii}, 17, 2)
        spatial = of_balls({"place": np.column_stack([positions, np.zeros(100)]), "radius": radii,
                            "velocity": np.column_stack([velocities, np.zeros(100)])}, 17, 2)
        self.assertEqual(hash_after(flat), hash_after(spatial))
        wrong = of_balls({"place": np.column_stack([positions, np.ones(100)]), "radius": radii}, 17, 2)
        self.assertIn("is a third component, but the scene has two dimensions", self.faults(wrong)[0].message)

    def test_angular_velocities_and_orientations(self) -> None:
        positions, velocities, _ = balls(100)
        spins, axes = velocities[::-1].copy(), velocities + 0.1
        egg = {"semi_axes": [0.4, 0.3, 0.3], "density": 1}
        entry = {"species": "egg", "place": positions, "angular_velocity": spins, "orientation": axes}
        arrays, lists = of_balls(entry), of_balls({"species": "egg", "place": {"at": positions.tolist()},
                                                   "angular_velocity": {"each": spins.tolist()}, "orientation": {"each": axes.tolist()}})
        arrays.species = lists.species = {"egg": egg}
        self.assertEqual(hash_after(arrays, 0.2), hash_after(lists, 0.2))
        flat, turning, _ = balls(100, dimension=2)
        rough = {"between": ["ball", "ball"], "tangential": 0.5}
        scene = of_balls({"place": flat, "angular_velocity": turning[:, 0]}, 17, 2, contacts=[rough])
        scene.species.ball = {"diameter": 1}
        sim = carom.Simulation(scene)
        np.testing.assert_array_equal(sim.frame.angular_velocities[:, 2], turning[:, 0])
        again = scene.copy()
        again.particles[0].angular_velocity = sim.frame.angular_velocities
        self.assertEqual(hash_after(again), hash_after(scene))

    def test_dtypes(self) -> None:
        positions = np.rint(1.5 * balls(100)[0])
        expected = hash_after(of_balls({"place": positions, "velocity": {"maxwell": 1}}, 20))
        for kind in (np.float32, np.int64, np.int16, np.uint8, ">f8"):
            with self.subTest(dtype=kind):
                scene = of_balls({"place": positions.astype(kind), "velocity": {"maxwell": 1}}, 20)
                self.assertEqual(hash_after(scene), expected)

    def test_one_radius_or_velocity_for_all(self) -> None:
        positions = balls(100)[0]
        scene = of_balls({"place": positions, "radius": 0.4, "velocity": np.array([1.0, 0, 0])})
        sim = carom.Simulation(scene)
        self.assertTrue(np.all(sim.frame.radii == 0.4))
        self.assertTrue(np.all(sim.frame.velocities == [1, 0, 0]))

    def test_shapes_and_types_that_do_not_fit(self) -> None:
        positions, velocities, radii = balls(70)
        meshes = {"name": "m", "rigid": True}
        flat = of_balls({"place": positions[:, :2], "velocity": velocities}, 50, 2)
        self.assertIn("shape (70, 3); expected (70, 2)", self.faults(flat)[0].message)
        cases: "list[tuple[dict[str, Any], str, str]]" = [
            ({"place": positions[:, :2]}, "place", "shape (70, 2); expected (N, 3): the positions of N particles"),
            ({"place": positions.ravel()}, "place", "shape (210,); expected (N, 3)"),
            ({"place": positions.astype(complex)}, "place", "an array of complex128; expected real numbers"),
            ({"place": positions.astype(complex), "radius": radii}, "place", "an array of complex128; expected real numbers"),
            ({"place": positions.astype(str)}, "place", "expected real numbers"),
            ({"place": positions.astype(object)}, "place", "an array of object; expected real numbers"),
            ({"place": positions > 1}, "place", "an array of bool; expected real numbers"),
            ({"place": positions, "velocity": velocities[:3]}, "velocity", "shape (3, 3); expected (70, 3): one vector for each position"),
            ({"place": positions, "radius": radii[:5]}, "radius", "shape (5,); expected (70,): one number for each position"),
            ({"place": positions, "mass": positions}, "mass", "shape (70, 3); expected (70,)"),
            ({"place": positions, "angular_velocity": radii}, "angular_velocity", "shape (70,); expected (70, 3)"),
            ({"place": positions, "orientation": radii}, "orientation", "shape (70,); expected (70, 3)"),
            ({"place": positions, "species": radii}, "species", "an array of float64; expected names of species"),
            ({"place": positions, "species": ["ball"] * 3}, "species", "shape (3,); expected (70,)"),
            ({"place": "random", "count": 70, "radius": radii}, "radius", "needs `place` to be an array")]
        for entry, key, message in cases:
            with self.subTest(key=key, message=message):
                fault, = self.faults(of_balls(entry))
                self.assertEqual(fault.key, "particles.0." + key)
                self.assertIn(message, fault.message)
        vertices, faces = TETRAHEDRON
        for mesh, key, message in (({"vertices": vertices}, "", "`vertices` without `faces`"),
                                   ({"vertices": vertices[:, :2], "faces": faces}, ".vertices", "shape (4, 2); expected (N, 3)"),
                                   ({"vertices": vertices, "faces": faces * 1.0}, ".faces", "an array of float64; expected whole numbers"),
                                   ({"vertices": vertices, "faces": faces[0]}, ".faces", "shape (3,); expected (M, 3)"),
                                   ({"vertices": vertices, "faces": faces - 1}, ".faces", "triangle 0 has the vertices [-1, 1, 0]"),
                                   ({"vertices": vertices, "faces": faces + 1}, ".faces", "triangle 1 has the vertices [1, 2, 4]; there are 4")):
            with self.subTest(key=key, message=message):
                fault = self.faults(of_balls({"place": positions}, meshes=[{**meshes, **mesh}]))[0]
                self.assertEqual(fault.key, "meshes.0" + key)
                self.assertIn(message, fault.message)

    def test_all_errors_of_arrays_are_reported_together(self) -> None:
        positions, velocities, radii = balls(70)
        faults = self.faults(of_balls({"place": positions, "velocity": velocities[1:], "radius": radii[1:]}))
        self.assertEqual([f.key for f in faults], ["particles.0.velocity", "particles.0.radius"])

    def test_numbers_that_are_not_finite(self) -> None:
        positions, velocities, radii = balls(70)
        velocities[6, 1] = np.nan
        fault = self.faults(of_balls({"place": positions, "velocity": velocities}))[0]
        self.assertEqual((fault.key, fault.message), ("particles.0.place", "particle 6 of array 'particles_0': velocity nan is not finite"))
        radii[3] = -1
        fault = self.faults(of_balls({"place": positions, "radius": radii}))[0]
        self.assertIn("particle 3 of array 'particles_0': radius -1 is not above 0", fault.message)

    def test_other_radii_than_those_of_the_species(self) -> None:
        positions, _, radii = balls(70)
        scene = of_balls({"place": positions, "radius": radii})
        scene.species.ball = {"diameter": 1}
        self.assertIn("give the species `diameter: {uniform: [", self.faults(scene)[0].hint)

    def test_arrays_in_any_list(self) -> None:
        scene = carom.Scene(gas(box={"size": np.array([10, 10, 10])}))
        scene.fields.gravity = np.array([0, 0, -1.5])
        scene.contacts = [{"between": np.array(["ball", "ball"]), "restitution": np.float32(0.5)}]
        self.assertIn("size: [10, 10, 10]", scene.yaml)
        self.assertIn("gravity: [0.0, 0.0, -1.5]", scene.yaml)
        scene.check()
        scene.fields.gravity = np.array([0, 0, 1j])
        self.assertEqual(self.faults(scene)[0].key, "fields.gravity")

    def test_a_mesh_equals_a_file(self) -> None:
        vertices, faces = TETRAHEDRON
        pathlib.Path("m.obj").write_text("".join("v %r %r %r\n" % tuple(v) for v in vertices.tolist()) +
                                         "".join("f %d %d %d\n" % tuple(f) for f in (faces + 1).tolist()))
        particles = {"species": "ball", "count": 40, "place": "random", "velocity": {"maxwell": 1}}
        file = of_balls(particles, 8, meshes=[{"name": "m", "rigid": True, "file": "m.obj"}])
        arrays = of_balls(particles, 8, meshes=[{"name": "m", "rigid": True, "vertices": vertices, "faces": faces}])
        self.assertEqual(hash_after(arrays, 3), hash_after(file, 3))

    def test_cloth_from_arrays(self) -> None:
        x, y = np.meshgrid(np.linspace(1, 3, 5), np.linspace(1, 3, 5))
        vertices = np.stack([x.ravel(), y.ravel(), np.full(25, 2.0)], axis=1)
        faces = [[a, a + 1, a + 6] for a in range(19) if a % 5 < 4] + [[a, a + 6, a + 5] for a in range(19) if a % 5 < 4]
        scene = carom.Scene(engine="variational", box={"size": [4, 4, 4], "boundary": "open"}, fields={"gravity": [0, 0, -1]},
                            species={"thread": {"diameter": 0.1}}, run={"until": {"time": 0.01}},
                            meshes=[{"name": "cloth", "vertices": vertices, "faces": faces, "thickness": 0.02, "stretch": 100, "bend": 0.01}])
        check = scene.check()
        self.assertEqual((check.particles, check.vertices), (0, 25))
        self.assertGreater(len(check.steps), 0)
        sim = carom.Simulation(scene)
        np.testing.assert_array_equal(sim.frame.vertices, vertices)

    def test_faults_of_a_mesh_from_arrays(self) -> None:
        vertices, faces = TETRAHEDRON
        faces = faces.copy()
        faces[1] = faces[1][::-1]
        scene = carom.Scene(engine="variational", box={"size": [8, 8, 8]}, species={"ball": {"diameter": 1}}, fields={"gravity": [0, 0, -1]},
                            meshes=[{"name": "m", "vertices": vertices, "faces": faces, "thickness": 0.1, "stretch": 1}])
        faults = self.faults(scene)
        self.assertIn("opposite orientations", faults[0].message)
        self.assertEqual(faults[0].hint, "reverse one")
        scene.meshes[0].repair = ["orient"]
        self.assertIn("mesh 'm': ", scene.check().notes)

    def test_pickles_and_copies_hold_the_arrays(self) -> None:
        positions, velocities, radii = balls(100)
        scene = of_balls({"place": positions, "velocity": velocities, "radius": radii})
        expected = hash_after(scene)
        positions[:] = 0
        for other in (scene, scene.copy(), pickle.loads(pickle.dumps(scene))):
            self.assertEqual(hash_after(other), expected)
        other.particles[0].velocity[3, 1] += 1e-14
        self.assertNotEqual(hash_after(other), expected)
        self.assertEqual(hash_after(scene), expected)

    def test_saved_arrays_run_by_the_command_with_the_same_bits(self) -> None:
        positions, velocities, radii = balls(100)
        vertices, faces = TETRAHEDRON
        names = np.where(np.arange(100) % 2 == 0, "heavy", "ball")
        keep = np.linalg.norm(positions - [4, 3.8, 2.5], axis=1) > 2.6
        scene = of_balls({"species": names[keep], "place": positions[keep], "velocity": velocities[keep], "radius": radii[keep]},
                         meshes=[{"name": "tip", "rigid": True, "vertices": vertices, "faces": faces}])
        scene.species.heavy = {"diameter": {"uniform": [0.5, 1.3]}, "density": 5}
        scene.save("saved.yaml")
        self.assertTrue(pathlib.Path("saved.particles_0.xyz").exists())
        self.assertTrue(pathlib.Path("saved.meshes_0.obj").exists())
        summary = json.loads(command("run", "saved.yaml", "--json", "-", "--quiet", "--output", "r.h5").stdout)
        sim = carom.Simulation(scene)
        sim.run()
        self.assertEqual(sim.state_hash, summary["state_hash"])
        with self.assertRaises(carom.CreateError):
            scene.save("saved.yaml")
        scene.save("saved.yaml", force=True)

    def test_a_result_of_arrays_is_readable(self) -> None:
        positions, velocities, radii = balls(100)
        scene = of_balls({"place": positions, "velocity": velocities, "radius": radii}, output={"frames": {"every": 0.5}})
        with carom.Simulation(scene, output="r.h5") as sim:
            sim.run()
        for arguments in (("info",), ("verify",), ("render", "--output", "r.png"), ("export", "--to", "xyz", "--output", "r.xyz")):
            with self.subTest(command=arguments[0]):
                command(arguments[0], "r.h5", *arguments[1:])

    def test_a_run_resumes_with_the_same_arrays_only(self) -> None:
        positions, velocities, radii = balls(100)
        scene = of_balls({"place": positions, "velocity": velocities, "radius": radii})
        whole = hash_after(scene)
        sim = carom.Simulation(scene, output="r.h5")
        sim.run(time=0.5)
        sim.close()
        other = scene.copy()
        other.particles[0].radius[0] *= 0.99
        with self.assertRaisesRegex(carom.CaromError, "array 'particles_0' has changed"):
            carom.Simulation(other, output="r.h5", resume=True)
        sim = carom.Simulation(scene, output="r.h5", resume=True)
        sim.run()
        self.assertEqual(sim.state_hash, whole)

    def test_simulations_of_arrays_are_copied_saved_and_changed(self) -> None:
        positions, velocities, radii = balls(100)
        scene = of_balls({"place": positions, "velocity": velocities, "radius": radii})
        del scene["run"]
        whole = hash_after(scene)
        sim = carom.Simulation(scene)
        sim.run(time=0.5)
        sim.save("saved.carom")
        others = [copy.deepcopy(sim), pickle.loads(pickle.dumps(sim)), carom.Simulation.load("saved.carom", scene=scene)]
        for other in others:
            other.run(time=1)
            self.assertEqual(other.state_hash, whole)
        with self.assertRaisesRegex(carom.UsageError, "has arrays, which the file does not contain"):
            carom.Simulation.load("saved.carom")
        sim.change("fields.gravity", [0, 0, -1])
        sim.run(time=1)
        self.assertNotEqual(sim.state_hash, whole)

    def test_arrays_in_a_loaded_scene(self) -> None:
        pathlib.Path("s.yaml").write_text("# later: particles\ncarom: 1\nengine: hard\nbox: {size: [12, 12, 12]}\n"
                                          "species: {ball: {diameter: 0.5}}\nrun: {until: {time: 1}}\n")
        with self.assertRaises(carom.SceneError):
            carom.Scene.load("s.yaml")
        scene = carom.Scene.load("s.yaml", partial=True)
        positions, velocities, _ = balls(100)
        scene.particles = [{"species": "ball", "place": positions, "velocity": velocities}]
        self.assertEqual(scene.check().particles, 100)
        scene.box.size = [9, 9]
        self.assertEqual(self.faults(scene)[0].file, "--set box.size=[9, 9]")

    def test_a_million_particles(self) -> None:
        side = 100
        grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3) + 0.5
        scene = carom.Scene(engine="hard", box={"size": [side] * 3}, species={"ball": {"diameter": 0.5}},
                            particles=[{"species": "ball", "place": grid, "velocity": np.ones_like(grid)}])
        handle = scene._open()
        self.assertTrue(handle.address)
        self.assertLess(len(scene.yaml), 1000)


class Checks(Errors):
    def test_estimates_are_those_of_the_command(self) -> None:
        pathlib.Path("s.yaml").write_text(json.dumps({"carom": 1, **gas(output={"frames": {"every": 0.5}})}))
        check = carom.Scene.load("s.yaml").check()
        report = json.loads(command("check", "s.yaml", "--json").stdout)
        for key in ("particles", "dimension", "packing_fraction", "memory_bytes", "frame_bytes", "frames"):
            self.assertEqual(getattr(check, key), report[key])
            self.assertEqual(check.report[key], report[key])
        self.assertEqual(check.box.tolist(), report["box"])
        self.assertEqual(check.steps, ())

    def test_steps(self) -> None:
        check = carom.Scene(pile()).check()
        self.assertEqual([step.kind for step in check.steps], [step["kind"] for step in check.report["steps"]])
        self.assertGreater(check.steps[0].step, 0)
        self.assertEqual([step.source for step in check.steps], [step.get("source", "") for step in check.report["steps"]])
        self.assertNotEqual(check.steps[0].source, "")
        self.assertEqual(check.steps[0].position.shape, (2,))

    def test_all_engines(self) -> None:
        for scene in (gas(), sticky(), pile()):
            self.assertGreater(carom.Scene(scene).check().memory_bytes, 0)


class Examples(Case):
    """Each scene of examples/: it loads, its tree is the same scene, and its text is."""

    def check_example(self, path: pathlib.Path) -> None:
        os.chdir(path.parent)
        scene = carom.Scene.load(path.name)
        resolved = scene.resolved
        again = carom.Scene(scene.tree)
        self.assertEqual(again.resolved, resolved)
        self.assertEqual(again, scene)
        text = self.folder / "again.yaml"
        text.write_text(again.yaml, encoding="utf-8")
        read = carom.Scene.load(text, partial=True)
        self.assertEqual(read, scene)
        read._folder = None
        self.assertEqual(read.resolved, resolved)
        self.assertEqual(pickle.loads(pickle.dumps(scene)).resolved, resolved)


def _add_examples() -> None:
    for path in sorted(EXAMPLES.glob("*.yaml")):
        def test(self: Examples, path: pathlib.Path = path) -> None:
            self.check_example(path)
        setattr(Examples, "test_" + path.stem.replace("-", "_"), test)


_add_examples()

if __name__ == "__main__":
    unittest.main()
