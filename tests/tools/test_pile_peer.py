"""Detects errors of tools/pile_peer.py without LAMMPS: the start that it writes, its deck, the table."""
import os
import sys
import unittest

SOURCE = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [SOURCE, os.path.join(SOURCE, "tools")]

try:
    import h5py  # noqa: F401
    import numpy as np
    import yaml  # noqa: F401
except ImportError as missing:
    print("skipped: %s" % missing)
    sys.exit(77)

from bench.granular import scenes  # noqa: E402
import pile_peer  # noqa: E402


class Pile(unittest.TestCase):
    def test_start_is_in_the_periodic_box(self):
        box = np.array([4.0, 5.0, 6.0])
        places = np.array([[[4.25, 1, 0.5], [-0.5, 5.5, 3]]])
        start = scenes.Trace(np.zeros(1), places, np.full(2, 0.5), np.ones(2), 0, velocities=np.array([[0.1, 0, 0], [0, 0, -0.2]]))
        lines = pile_peer.data_file(box, start).split("\n")
        self.assertIn("0 4 xlo xhi", lines)
        self.assertIn("0 5 ylo yhi", lines)
        self.assertIn("0 6 zlo zhi", lines)
        first = lines.index("Atoms # sphere") + 2
        atoms = np.array([[float(word) for word in line.split()] for line in lines[first:first + 2]])
        self.assertTrue(np.allclose(atoms[:, 4:], [[0.25, 1, 0.5], [3.5, 0.5, 3]]))
        self.assertTrue(np.allclose(atoms[:, 3] * np.pi / 6, 1))  # the density of the mass
        self.assertIn("1 0.10000000000000001 0 0 0 0 0", lines)

    def test_deck(self):
        deck = pile_peer.DECK.format(step=pile_peer.STEP, steps=pile_peer.STEPS, law=pile_peer.LAW, top="22")
        self.assertIn("pair_style gran/hooke/history 2500 NULL 25 NULL 0 0\n", deck)
        self.assertIn("fix floor all wall/gran hooke/history 2500 NULL 25 NULL 0 0 zplane 0 22\n", deck)
        self.assertAlmostEqual(pile_peer.STEP * pile_peer.STEPS, 2, places=2)

    def test_table(self):
        text = pile_peer.report(np.array([[3.0, 2.0], [4.0, 2.0], [6.0, 2.0]]), np.array([[9.5, 9.6]] * 3))
        self.assertIn("| 4.00 (3.00-6.00) | 2.00 (2.00-2.00) | 2.00 (1.50-3.00) | 9.5000, 9.6000 |", text)


if __name__ == "__main__":
    unittest.main()
