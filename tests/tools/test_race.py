"""Detects errors of tools/race.py without a peer: what it reads, how it measures, what its table says."""
import math
import os
import random
import sys
import tempfile
import unittest

SOURCE = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [SOURCE, os.path.join(SOURCE, "tools")]

from bench.race import states, table, watch  # noqa: E402
import race  # noqa: E402

FAKE = os.path.join(SOURCE, "tests", "tools", "fake_peer.py")


def mark(cpu, collisions):
    return watch.Mark(watch.Progress(cpu, collisions), cpu)


class Lines(unittest.TestCase):
    def test_edmd(self):
        told = watch.read_plain("Simtime: 12.500000, Collisions: 123456, Press: 3.1, T: 1.0, Listsizes: (1.0, 0)")
        self.assertEqual((told.time, told.collisions), (12.5, 123456))
        self.assertIsNone(watch.read_plain("Packing fraction: 0.490000"))

    def test_dynamo(self):
        told = watch.read_dynamo("ETA 12s, Events 650k, t 5.36873e+02, <MFT> 0.566608, T 1, U 0")
        self.assertEqual((told.time, told.collisions), (536.873, 650000))
        self.assertIsNone(watch.read_dynamo("Exception Events = 0"))


class Stretch(unittest.TestCase):
    def test_start_and_warm_up_are_left_out(self):
        marks = [mark(5, 0), mark(6, 90), mark(7, 110), mark(8, 210), mark(9, 310)]
        begun, ended = watch.stretch(marks, 100, 2)
        self.assertEqual((begun.collisions, ended.collisions), (110, 310))

    def test_first_line_is_never_the_begin(self):
        begun, _ = watch.stretch([mark(1, 500), mark(2, 600), mark(3, 700), mark(4, 800)], 100, 2)
        self.assertEqual(begun.collisions, 600)

    def test_too_short(self):
        self.assertIsNone(watch.stretch([mark(0, 0), mark(1, 200), mark(2, 300)], 100, 1), "one line since")
        self.assertIsNone(watch.stretch([mark(0, 0), mark(1, 200), mark(1.1, 300), mark(1.2, 400)], 100, 1), "too little time")


class Measure(unittest.TestCase):
    def measured(self, *words, read=watch.read_plain):
        return watch.measure([sys.executable, FAKE, *words], ".", read, 100, 1000, 0.2)

    def test_collisions_of_a_cpu_second(self):
        found = self.measured()
        self.assertLess(abs(found.speed / 1e6 - 1), 0.25)
        self.assertLess(abs(found.rate / 20 - 1), 1e-9)  # 1000 collisions a unit of time, 100 particles
        self.assertGreaterEqual(found.cpu, 0.2)
        self.assertTrue(1e6 < found.bytes < 1e9, found.bytes)

    def test_other_words(self):
        self.assertLess(abs(self.measured("dynamo", read=watch.read_dynamo).speed / 1e6 - 1), 0.25)

    def test_memory_is_its_own(self):
        ballast = bytearray(200 << 20)
        self.assertLess(self.measured().bytes, len(ballast))

    def test_broken_peer_is_quoted(self):
        with self.assertRaisesRegex(RuntimeError, "Too many neighbors"):
            self.measured("broken")


def ran(*speeds, rate=2.0):
    return [{"speed": s, "rate": rate, "setup": 1.0, "bytes": 300000.0} for s in speeds]


def raced(n, ours, cell, single, fraction=0.1, **others):
    runs = {table.OURS: ours, "EDMD Cell": cell, "EDMD Single": single, **others}
    return {"n": n, "fraction": fraction, "order": 0.01, "where": "here", "runs": runs}


class Table(unittest.TestCase):
    def test_ratio_to_the_best_variant_by_rounds(self):
        state = raced(1372, ran(300, 100, 210), ran(100, 100, 100), ran(90, 80, 150))
        self.assertEqual(table.best_variant(state), "EDMD Cell")
        self.assertEqual(table.ratios(state, "EDMD Cell"), [3, 1, 2.1])
        self.assertFalse(table.missed(state))
        self.assertIn("| 2.10 (1.00-3.00) | 1.5 |", table.markdown({"states": [state]}))

    def test_missed_states_are_named(self):
        good = raced(1372, ran(150), ran(100), ran(90))
        bad = raced(1000188, ran(299), ran(100), ran(90))
        report = table.markdown({"states": [good, bad]})
        self.assertIn("1 of 2 states reach", report)
        self.assertIn("Below it: N = 1,000,188 at 0.1.", report)
        self.assertIn("3: missed", report)

    def test_no_peer_to_race(self):
        state = raced(1372, ran(150), [], [])
        self.assertIsNone(table.missed(state))
        self.assertIn("0 of 0 states", table.markdown({"states": [state]}))

    def test_other_physics_is_flagged(self):
        same = raced(1372, ran(150), ran(100, rate=2.05), ran(90))
        other = raced(1372, ran(150), ran(100, rate=2.1), ran(90))
        self.assertNotIn("Not the same physics", table.markdown({"states": [same]}))
        self.assertIn("at N = 1,372 at 0.1: EDMD Cell.", table.markdown({"states": [other]}))

    def test_growth(self):
        small, large = raced(1000, ran(400), ran(100), ran(90)), raced(100000, ran(100), ran(100), ran(90))
        self.assertAlmostEqual(table.growth(small, large, table.OURS), math.log(4) / math.log(100))
        self.assertIsNone(table.growth(small, large, table.OTHERS))

    def test_marks(self):
        text = "before\n" + race.BEGIN + "old\n" + race.END + "after\n"
        self.assertEqual(race.between_marks(text, "new"), "before\n" + race.BEGIN + "\nnew\n" + race.END + "after\n")
        with self.assertRaises(SystemExit):
            race.between_marks("no marks", "new")


class States(unittest.TestCase):
    def test_order(self):
        cells, side = 5, 9.0
        corners = ((0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5))
        lattice = [tuple(side / cells * (c + o) + 0.1 for c, o in zip((i, j, k), corner))
                   for i in range(cells) for j in range(cells) for k in range(cells) for corner in corners]
        self.assertAlmostEqual(states.lattice_order(lattice, cells, side), 1)
        draw = random.Random(1)
        gas = [tuple(side * draw.random() for _ in range(3)) for _ in lattice]
        self.assertTrue(states.melted(states.lattice_order(gas, cells, side), len(gas)))
        self.assertFalse(states.melted(1, len(gas)))

    def test_places_with_vacancies_do_not_overlap(self):
        n, side = 500, states.side_of(500, 0.49)
        places, _ = states.places(n, 0.49, 1)
        self.assertEqual(len(places), n)
        nearest = min(sum(((a - b + side / 2) % side - side / 2) ** 2 for a, b in zip(p, q))
                      for i, p in enumerate(places) for q in places[:i])
        self.assertGreaterEqual(nearest, 1)

    def test_only_whole_lattices(self):
        self.assertEqual(states.cells_of(1000188), 63)
        with self.assertRaises(ValueError):
            states.cells_of(1000)


class Whole(unittest.TestCase):
    """A race of the built command against fakes."""

    def test_race(self):
        if os.environ.get("CAROM_SANITIZE") == "1":
            self.skipTest("the library of this build cannot be loaded")
        carom = os.environ.get("CAROM") or os.path.join(SOURCE, "build", "release", "carom")
        with tempfile.TemporaryDirectory() as folder:
            fake = os.path.join(folder, "edmd-256-0.3")
            states.write_text(fake, "#!/bin/sh\nexec %s %s\n" % (sys.executable, FAKE))
            os.chmod(fake, 0o755)
            output = os.path.join(folder, "table")
            race.main(["--carom", os.path.relpath(carom), "--edmd-cell", os.path.join(folder, "edmd-{n}-{phi}"), "--sizes", "256", "--fractions",
                       "0.3", "--rounds", "2", "--seconds", "0.1", "--work", os.path.join(folder, "work"), "-o", output])
            with open(output + ".md") as file:
                report = file.read()
            self.check_files(os.path.join(folder, "work", "256-0.3"))
        self.assertRegex(report, r"\| 256 \| 0.3 \| [0-9]+ \([0-9]+-[0-9]+\) \| [0-9]+ \([0-9]+-[0-9]+\) \| - \| - \| - \| [0-9]")
        self.assertIn("Not the same physics", report)  # the fake's collisions are none
        self.assertRegex(report, "`carom run` of N = 256")

    def check_files(self, folder):
        """All programs are told the same places."""
        read = {}
        for name in ("state.xyz", "init.sph", "dynamo.xml"):
            with open(os.path.join(folder, name)) as file:
                read[name] = file.read().replace('"', " ").split("\n")
        ours = [line.split()[1:4] for line in read["state.xyz"][2:-1]]
        edmd = [line.split() for line in read["init.sph"][2:-1]]
        dynamo = [line.split() for line in read["dynamo.xml"] if line.startswith("<Pt")]
        self.assertEqual((len(ours), len(edmd), len(dynamo)), (256, 256, 256))
        side = float(read["init.sph"][1].split()[0])
        self.assertAlmostEqual(256 * math.pi / 6 / side**3, 0.3)
        for i, place in enumerate(ours):
            self.assertEqual(edmd[i], ["a", *place, "0.5"])
            theirs = [float(dynamo[i][k]) + side / 2 for k in (5, 7, 9)]
            for a, b in zip(place, theirs):
                self.assertAlmostEqual(float(a), b, places=12)


unittest.main()
