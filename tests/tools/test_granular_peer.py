"""Detects errors of tools/granular_peer.py without LAMMPS: the input decks, what is measured from positions, the tables."""
import math
import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CAROM = os.environ.get("CAROM") or os.path.join(SOURCE, "build", "release", "carom")
sys.path[:0] = [SOURCE, os.path.join(SOURCE, "tools")]

try:
    import h5py  # noqa: F401
    import numpy as np
    import yaml  # noqa: F401
except ImportError as missing:
    print("skipped: %s" % missing)
    sys.exit(77)

from bench.granular import deck, measures, scenes, table, walls  # noqa: E402
import granular_peer  # noqa: E402

SPRING = {"eta": 0.05, "stiffness": 4000.0, "step": 0.002}
RULES = {"restitution": 0.3, "friction": 0.5, "rolling_friction": 0.4, "twisting_friction": 0.1}
MASS = math.pi / 6

# The dumps that LAMMPS would write, in which grains fall freely; the second argument: grains that it loses.
FAKE = """#!%s
import sys
step = float([line.split()[1] for line in open("grains.in") if line.startswith("timestep")][0])
each = int([line.split()[4] for line in open("grains.in") if line.startswith("dump ")][0])
steps = int([line.split()[1] for line in open("grains.in") if line.startswith("run ")][0])
rows = [line.split() for line in open("grains.data").read().split("# sphere")[1].strip().splitlines()]
with open("grains.dump", "w") as out:
    for k in range(0, steps + 1, each):
        out.write("ITEM: TIMESTEP\\n%%d\\nITEM: NUMBER OF ATOMS\\n%%d\\nITEM: BOX BOUNDS ss ss ff\\n0 1\\n0 1\\n0 1\\nITEM: ATOMS id x y z\\n" %% (k, len(rows)))
        for row in rows:
            out.write("%%s %%s %%s %%.12g\\n" %% (row[0], row[4], row[5], float(row[6]) - 0.5 * (k * step)**2))
""" % sys.executable


def words_of(flat, law=deck.HERTZ, **rules):
    words = deck.model(deck.Pair(0.5, MASS, flat), SPRING, {**RULES, **rules}, law).split()
    return {words[k]: [float(w) for w in words[k + 1:] if re.match(r"-?[\d.]", w)] for k in range(len(words))}, words


def numbers(words, key, count):
    at = words.index(key) + (2 if words[words.index(key) + 1] in ("sds", "linear_history") else 1)
    return [float(word) for word in words[at:at + count]]


class Law(unittest.TestCase):
    def test_restitution_of_a_linear_dashpot(self):
        # Schwager and Poeschel, Granular Matter 9, 465 (2007): impacts that end when the force is 0.
        for damping in (0.2, 0.7, 1.2):
            beta = damping / 2
            omega = math.sqrt(1 - beta * beta)
            exact = math.exp(-beta / omega * (math.pi - math.atan2(2 * beta * omega, omega**2 - beta**2)))
            ours = deck.rebound(damping, 1.0)
            print("e %.5f, exact %.5f" % (ours, exact))
            self.assertLess(abs(ours - exact), 2e-3)

    def test_damping_of_an_impact(self):
        for power in (1.0, 1.5):
            for e in (0.3, 0.8):
                self.assertLess(abs(deck.rebound(deck.damping_of(e, power), power) - e), 2e-3)

    def test_input_of_tsuji(self):
        for damping in (0.1, 0.6, 1.3):
            e = deck.tsuji_input(damping)
            self.assertAlmostEqual(sum(c * e**k for k, c in enumerate(deck.TSUJI)), damping, places=6)

    def test_normal_force_has_the_energy_of_the_first_layer(self):
        energy = 4000 * 0.05**2 / 6  # k (eta)^3 / (6 eta)
        for flat, radius in ((False, 0.25), (True, 0.5)):
            _, words = words_of(flat)
            stiffness, = numbers(words, "hertz", 1)
            self.assertAlmostEqual(0.4 * stiffness * math.sqrt(radius) * 0.05**2.5 / energy, 1, places=6)
            _, words = words_of(flat, deck.HOOKE)
            stiffness, = numbers(words, "hooke", 1)
            self.assertAlmostEqual(0.5 * stiffness * 0.05**2 / energy, 1, places=6)

    def test_springs_turn_grains_at_the_rate_of_the_layers(self):
        for flat, mass, radius, inertia in ((False, MASS / 2, 0.25, 0.05 * MASS), (True, MASS, 0.5, 0.1 * MASS)):
            _, words = words_of(flat)
            stiffness, dashpot, mu = numbers(words, "rolling", 3)
            torque = stiffness * radius**2
            self.assertAlmostEqual(torque / inertia / (4000 / mass), 1, places=6)
            self.assertAlmostEqual(dashpot * radius**2 / math.sqrt(torque * inertia), 1, places=6)  # half the critical damping
            self.assertEqual(mu, 0.4)
            twist, dashpot, longest = numbers(words, "twisting", 3)
            self.assertAlmostEqual(twist / torque, 1, places=6)
            self.assertAlmostEqual(longest, 0.1 * radius, places=8)
            slide, _, mu = numbers(words, "tangential", 3)
            self.assertAlmostEqual(slide, 2 / 7 * 4000, places=3)
            self.assertEqual(mu, 0.5)

    def test_absent_laws_are_left_out(self):
        _, words = words_of(True, rolling_friction=0, twisting_friction=0)
        self.assertNotIn("rolling", words)
        self.assertNotIn("twisting", words)
        self.assertEqual(words[-1], "limit_damping")


def deck_of(name):
    tree = scenes.seeded(scenes.starter(CAROM, name), 1, 0.25)
    return tree, deck.input_deck(tree, np.full(5, 0.5), np.full(5, MASS), SPRING)


class Deck(unittest.TestCase):
    def test_pile(self):
        tree, text = deck_of("pile")
        self.assertRegex(text, r"pair_coeff \* \* hertz .* 0\.5 rolling sds .* 0\.4 twisting sds")
        self.assertRegex(text, r"fix floor all wall/gran granular hertz .* 0\.8 rolling sds .* zplane 0 NULL")
        self.assertNotIn("region", text)
        step, each = float(re.search(r"timestep (\S+)", text)[1]), int(re.search(r"dump frames all custom (\d+)", text)[1])
        self.assertAlmostEqual(step * each, 0.25, places=12)
        self.assertLessEqual(step, 0.5 * SPRING["step"])
        self.assertEqual(int(re.search(r"\nrun (\d+)", text)[1]), 160 * each)

    def test_hopper(self):
        tree, text = deck_of("hopper")
        polygon = math.sqrt(24 / (2 * math.pi) * math.sin(2 * math.pi / 24))
        wall = re.search(r"cylinder z 12 12 (\S+) (\S+) (\S+) open 1 open 2", text)
        self.assertAlmostEqual(float(wall[1]), 5 * polygon - 0.15, places=7)
        self.assertEqual((float(wall[2]), float(wall[3])), (11, 30))
        self.assertEqual(text.count("open 1 open 2"), 5, "two walls, and three parts of the lip")
        self.assertEqual(len(re.findall(r"fix of_\S+ all wall/gran/region granular hertz .* 0\.3 limit_damping region", text)), 6)
        moved = re.search(r"variable gate equal (\S+)", text)[1]
        for time, place in ((9, 0), (11.5, 4.5), (13, 9), (20, 9)):
            self.assertAlmostEqual(eval(moved, {"v_t": time}), place)  # its operators are those of Python

    def test_drum(self):
        _, text = deck_of("drum")
        polygon = math.sqrt(32 / (2 * math.pi) * math.sin(2 * math.pi / 32))
        wall = re.search(r"region drum cylinder y 7 7 (\S+) (\S+) (\S+) side in rotate v_angle 7 3 7 0 1 0", text)
        self.assertAlmostEqual(float(wall[1]), 6 * polygon - 0.15, places=7)
        self.assertEqual((float(wall[2]), float(wall[3])), (1.15, 4.85))
        self.assertIn("variable angle equal 0.2*v_t", text)
        self.assertNotIn("zplane", text)

    def test_walls_are_displaced_by_half_the_thickness(self):
        profile = [(3, 0), (5, 3), (5, 22)]
        parts = walls.displaced(profile, 0.15)
        for a, b in parts[:walls.ARC]:
            self.assertAlmostEqual(math.hypot(a[0] - 3, a[1]), 0.15)
            self.assertAlmostEqual(math.hypot(b[0] - 3, b[1]), 0.15)
        self.assertLess(math.dist(parts[walls.ARC - 1][1], parts[walls.ARC][0]), 1e-12, "the lip ends where the cone begins")
        for r, z in parts[walls.ARC]:  # distance from the line of the cone, on the side of the axis
            self.assertAlmostEqual((2 * z - 3 * (r - 3)) / math.sqrt(13), 0.15)

    def test_flat_ring(self):
        text = walls.segment_region("ring", (2, 0.15), (6, 0.15), (12, 12, 8))
        self.assertEqual(text, "region ring cone z 12 12 2 6 8.15 8.1501 open 1 open 2")

    def test_densities(self):
        text = deck.data_file(np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([0.5, 0.45]), np.array([MASS, 2 * MASS * 0.729]))
        self.assertRegex(text, r"\n1 1 1 1(\.0*\d*)? 1 2 3\n")
        self.assertAlmostEqual(float(text.strip().split("\n")[-1].split()[3]), 2)
        self.assertNotIn("Velocities", text)

    def test_velocities(self):
        text = deck.data_file(np.zeros((2, 3)), np.full(2, 0.5), np.full(2, MASS), np.array([[0, 0, 0], [2.0, 0, 0]]))
        self.assertTrue(text.endswith("Velocities\n\n1 0 0 0 0 0 0\n2 2 0 0 0 0 0\n"))


def cone(angle, count=4000):
    draw = np.random.default_rng(1)
    high = 4.0
    z = high * (1 - draw.random(count) ** (1 / 3))
    r, turn = (high - z) / math.tan(math.radians(angle)) * np.sqrt(draw.random(count)), 2 * np.pi * draw.random(count)
    return np.stack([12 + r * np.cos(turn), 12 + r * np.sin(turn), z], axis=1)


def lattice(counts, spacing=1.0):
    axes = [np.arange(n) * spacing for n in counts]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


class Measures(unittest.TestCase):
    def test_angle_of_a_cone(self):
        for angle in (12.0, 30.0):
            grains = cone(angle)
            print(angle, measures.cone_angle(grains), measures.surface_angle(grains, np.zeros(len(grains))))
            self.assertLess(abs(measures.cone_angle(grains) - angle), 0.6)
            dense = cone(angle, 400000)
            self.assertLess(abs(measures.surface_angle(dense, np.full(len(dense), 0.0)) - angle), 2)

    def test_packing_fraction_of_a_lattice(self):
        grains = lattice((7, 7, 7))
        found = measures.packing_fraction(grains, np.full(len(grains), 0.5), lambda p: np.ones(len(p), bool), (0, 0, 0), (6, 6, 6))
        self.assertLess(abs(found - math.pi / 6), 0.01)
        cylinder = measures.packing_fraction(grains, np.full(len(grains), 0.5), measures.upright((3, 3), 2.5), (0.5, 0.5, 0.5), (5.5, 5.5, 5.5))
        self.assertLess(abs(cylinder - math.pi / 6), 0.03)

    def test_discharge(self):
        times = np.arange(0, 100, 0.25)
        leaves = 10 + np.arange(400) / 7  # seven a unit of time
        height = np.where(times[:, None] < leaves, 1.0, -1.0)
        positions = np.stack([0 * height, 0 * height, height], axis=-1)
        self.assertLess(abs(measures.discharge_rate(times, positions, 0, 0.2, 0.7) - 7), 0.05)
        with self.assertRaises(ValueError):
            measures.discharge_rate(times[:60], positions[:60], 0, 0.2, 0.7)

    def test_clogged(self):
        times = np.arange(0, 100, 0.25)
        leaves = np.where(np.arange(400) < 54, 10 + np.arange(400) / 7, np.inf)
        late = leaves.copy()
        late[54] = 95  # a single grain
        for case, count in ((leaves, 54), (late, 55)):
            positions = np.where(times[:, None] < case, 1.0, -1.0)[:, :, None] * [0, 0, 1]
            with self.assertRaisesRegex(measures.Clogged, "after %d of 400 grains" % count):
                measures.discharge_rate(times, positions, 0, 0.15, 0.4)

    def test_slope(self):
        tan = math.tan(math.radians(35))
        grains = lattice((80, 5, 80), 0.1)
        grains = grains[grains[:, 2] <= tan * grains[:, 0] + 1]
        found = measures.slope_angle(grains, np.zeros(len(grains)), 1, 7)
        self.assertLess(abs(found - 35), 1)

    def test_lean_of_a_circular_segment(self):
        points = lattice((121, 1, 121), 0.1) - (6, 0, 6)
        turn = math.radians(40)
        under = points[:, 2] < math.tan(turn) * points[:, 0] - 1
        grains = points[(np.hypot(points[:, 0], points[:, 2]) < 6) & under]
        self.assertLess(abs(measures.lean_angle(grains + (7, 0, 7), np.ones(len(grains)), np.array([7.0, 7.0])) - 40), 0.5)

    def test_single_grains(self):
        self.assertAlmostEqual(measures.throw(2, 0.8, 0.4), 35 / 9)
        tree = scenes.seeded(scenes.single(scenes.starter(CAROM, "pile")), 1, 0.01)
        with tempfile.TemporaryDirectory() as folder:
            trace = scenes.run(CAROM, tree, folder)
        found = measures.of_single(tree, trace)
        print(found)
        self.assertTrue(np.array_equal(trace.velocities, [[0, 0, 0], [2, 0, 0]]))
        # Less than 2.5 e^2: gravity acts while the grain leaves the floor.
        self.assertTrue(0.19 < found["height of the rebound"] < 0.225)
        self.assertAlmostEqual(found["distance of the throw"], 35 / 9, delta=0.012)

    def test_beverloo(self):
        sizes = np.array([4, 5, 6, 7])
        c, k, dc, dk = measures.beverloo(sizes, 0.58 * (sizes - 1.4) ** 2.5, 1.0)
        self.assertAlmostEqual(c, 0.58)
        self.assertAlmostEqual(k, 1.4)
        self.assertLess(max(dc, dk), 1e-6)

    def test_error_of_beverloo(self):
        draw, sizes, found = np.random.default_rng(2), np.linspace(4, 7, 7), []
        for _ in range(400):
            roots = (0.58 * (sizes - 1.4) ** 2.5) ** 0.4 + 0.02 * draw.standard_normal(7)
            found.append(measures.beverloo(sizes, roots**2.5, 1.0))
        scatter, stated = np.std(found, axis=0), np.mean(found, axis=0)
        print("scatter of C and k %.4f %.4f, stated %.4f %.4f" % (*scatter[:2], *stated[2:]))
        self.assertLess(np.max(np.abs(stated[2:] / scatter[:2] - 1)), 0.2)


def ran(program, values, scene="pile", part="starters", name="angle of repose, by its medians"):
    return [{"part": part, "scene": scene, "program": program, "seed": k + 1, "values": {name: v}, "cpu": 2.0} for k, v in enumerate(values)]


class Table(unittest.TestCase):
    def test_every_part_has_a_table(self):
        runs = [run for part, scene in (("single", "0.2"), ("rolling", 0.1)) for run in ran(table.OURS, [3.0], scene, part, table.ANGLE)]
        for run in runs[:1]:
            run["values"] = {"height of the rebound": 0.2, "distance of the throw": 3.9}
        text = table.markdown({"where": dict.fromkeys(table.PARTS, "here"), "runs": runs})
        self.assertIn("| distance of the throw | 0.2 | 3.8889 | 3.9000 | - | - |", text)
        self.assertIn("| 0.1 | 1 | 3 | - | - | - | - |", text)

    def test_difference(self):
        self.assertAlmostEqual(table.difference([1, 2, 3], [4, 5, 6]), -3 / math.sqrt(2 / 3))
        self.assertEqual(table.difference([1], [2]), 0)

    def test_starters(self):
        text = table.markdown({"where": {"starters": "here"}, "runs": ran(table.OURS, [20, 21, 22]) + ran(table.PEER, [23, 24, 25])})
        self.assertIn("| pile | angle of repose, by its medians | 21 +- 0.58 | 24 +- 0.58 | - | -3.7 | - |", text)
        self.assertIn("| pile | 2.0 | 2.0 | - |", text)

    def test_beverloo_in_the_table(self):
        runs = []
        for size in (4.0, 5.0, 6.0, 7.0):
            for run in ran(table.OURS, [1.0], size, "silo", table.RATE):
                run["values"] = {table.RATE: 0.58 * (size - 1.4) ** 2.5, table.FRACTION: math.pi / 6 * 1.01}
                runs.append(run)
        runs += [{**runs[0], "seed": 2, "values": {table.FRACTION: math.pi / 6 * 1.01, table.CLOGGED: 1}}]
        self.assertIn("| 4.000 | 1 of 2 | %.4g | - |" % (0.58 * 2.6**2.5), table.markdown({"where": {"silo": "here"}, "runs": runs}))
        self.assertRegex(table.markdown({"where": {"silo": "here"}, "runs": runs}), r"\| carom \| 0\.529 \| 0\.580 \+- \S+ \| 1\.40 \+- \S+ \| 0\.58 \+- \S+ \|")


class Whole(unittest.TestCase):
    def small(self, folder):
        tree = scenes.seeded(scenes.starter(CAROM, "pile"), 3, 0.25)
        tree["particles"][0]["count"], tree["run"]["until"]["time"] = 20, 0.5
        return tree, os.path.join(folder, "lmp")

    def test_peer_begins_where_carom_does(self):
        with tempfile.TemporaryDirectory() as folder:
            tree, fake = self.small(folder)
            with open(fake, "w") as file:
                file.write(FAKE)
            os.chmod(fake, os.stat(fake).st_mode | stat.S_IXUSR)
            trace = scenes.run(CAROM, tree, folder)
            self.assertEqual(trace.positions.shape, (3, 20, 3))
            peer = deck.run(fake, tree, trace, folder)
            self.assertLess(np.abs(peer.positions[0] - trace.positions[0]).max(), 1e-9)
            self.assertTrue(np.allclose(peer.times, trace.times))
            fallen = trace.positions[0, :, 2] - peer.positions[2, :, 2]
            self.assertLess(np.abs(fallen - 0.125).max(), 1e-6)

    def test_lost_grains(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "dump")
            with open(path, "w") as file:
                file.write("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n")
            with self.assertRaisesRegex(RuntimeError, "lost"):
                deck.read_dump(path, 0.1, 2)

    def test_failed_peer_is_quoted(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(RuntimeError, "ERROR: bad deck"):
            scenes.cpu_of(["sh", "-c", "echo ERROR: bad deck; exit 1"], folder)

    def test_changes_of_a_scene(self):
        tree = scenes.starter(CAROM, "pile")
        found = scenes.changed(tree, ["contacts.1.restitution=0.1", "variational.courant=0.05"])
        self.assertEqual((found["contacts"][1]["restitution"], found["variational"]["courant"]), (0.1, 0.05))
        self.assertEqual(tree["contacts"][1]["restitution"], 0.3)

    def test_silo_is_a_scene(self):
        tree = scenes.silo(scenes.starter(CAROM, "hopper"), 50, 2.5, 20)
        self.assertAlmostEqual(granular_peer.hole_diameter(tree), 5 * walls.roundness(24) - 0.3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "silo.yaml")
            with open(path, "w") as file:
                yaml.safe_dump(scenes.seeded(tree, 1, 0.25), file)
            done = subprocess.run([CAROM, "check", path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        lines, names = walls.of_scene(tree)
        self.assertEqual(len(names), 6)
        self.assertIn("cone z 12 12", lines[3])


if __name__ == "__main__":
    unittest.main()
