#!/usr/bin/env python3
"""Generates the ribbon of validate/scenes/shell-bowline.yaml: tie_bowline.py CAROM OUT.obj

A ribbon of 27 x 2 is too wide for a bowline in which it lies flat. So one of half the width is laid along the knot of
examples/bowline.yaml, and spread: its cells grow to the squares of a flat ribbon of 27 x 2 while it keeps clear of itself and
of the cylinder, and folds where there is no room. No step is longer than 0.005, and vertices that are not neighbours
stay at least 0.09 apart, so that no part passes through another, and the knot is preserved."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from scipy.spatial import cKDTree

ROOT = Path(__file__).resolve().parent.parent
ALONG, ACROSS = 312, 16
ROWS, COLUMNS = ALONG + 1, ACROSS + 1
LENGTH, WIDTH = 27, 2
STEPS = 6000
AXIS, CLEAR, MIDDLE, HALF = np.array([13.35, 12.0]), 1.0, 5.9, 2.2  # of the cylinder


def lay(carom):
    """Vertices and triangles of a flat ribbon of width 1 along the knot."""
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "laid.h5")
        settings = ["meshes.0.shape.ribbon.along=%d" % ALONG, "meshes.0.shape.ribbon.across=%d" % ACROSS, "meshes.0.thickness=0.02",
                    "drives=[]", "observe=[]", "variational.stiffness=1", "run.until.time=1e-6"]
        words = [word for setting in settings for word in ("--set", setting)]
        subprocess.run([carom, "run", ROOT / "examples" / "bowline.yaml", "-o", result, "--quiet"] + words, check=True)
        with h5py.File(result) as file:
            return file["particles/all/position/value"][0][: ROWS * COLUMNS], file["carom/meshes/ribbon/triangles"][:]


class Ribbon:
    """Springs along the edges and diagonals of its cells, and between every other vertex."""

    def __init__(self):
        at = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
        pairs = ((at[:-1], at[1:]), (at[:, :-1], at[:, 1:]), (at[:-1, :-1], at[1:, 1:]), (at[:-1, 1:], at[1:, :-1]))
        self.begin, self.end = (np.concatenate([pair[k].ravel() for pair in pairs]) for k in (0, 1))
        self.sizes = [pair[0].size for pair in pairs]
        self.rows = [(at[:-2].ravel(), at[1:-1].ravel(), at[2:].ravel()), (at[:, :-2].ravel(), at[:, 1:-1].ravel(), at[:, 2:].ravel())]
        self.row, self.column = np.divmod(np.arange(ROWS * COLUMNS), COLUMNS)

    def rest(self, width):
        along, across = LENGTH / ALONG, width / ACROSS
        lengths = (along, across, np.hypot(along, across), np.hypot(along, across))
        return np.concatenate([np.full(size, length) for size, length in zip(self.sizes, lengths)])

    def near(self, x, distance):
        pairs = cKDTree(x).query_pairs(distance, output_type="ndarray")
        rows, columns = (abs(of[pairs[:, 0]] - of[pairs[:, 1]]) for of in (self.row, self.column))
        pairs = pairs[(rows > 2) | (columns > 3)]
        return pairs[:, 0], pairs[:, 1]

    def force(self, x, rest, pairs, clear):
        f = np.zeros_like(x)

        def add(vertices, push):
            for k in range(3):
                f[:, k] += np.bincount(vertices, push[:, k], minlength=len(f))

        def spring(a, b, strength):
            add(a, strength)
            add(b, -strength)
        d = x[self.end] - x[self.begin]
        length = np.linalg.norm(d, axis=1)
        spring(self.begin, self.end, ((length - rest) / length)[:, None] * d)
        for a, b, c in self.rows:
            bend = 0.05 * (x[a] - 2 * x[b] + x[c])
            add(a, -bend)
            add(b, 2 * bend)
            add(c, -bend)
        a, b = pairs
        d = x[b] - x[a]
        length = np.linalg.norm(d, axis=1)
        spring(a, b, (-2 * np.maximum(clear - length, 0) / length)[:, None] * d)
        d = x[:, :2] - AXIS
        length = np.linalg.norm(d, axis=1)
        f[:, :2] += 2 * (np.maximum(CLEAR - length, 0) / length * (abs(x[:, 2] - MIDDLE) < HALF))[:, None] * d
        return f


def spread(x):
    ribbon, v = Ribbon(), np.zeros_like(x)
    x = x + np.random.default_rng(1).normal(0, 0.004, x.shape)
    for n in range(STEPS):
        share = min(1, n / (0.5 * STEPS))
        clear = 0.09 + 0.04 * share
        if n % 5 == 0:
            pairs = ribbon.near(x, clear + 0.06)
        v = 0.95 * v + 0.05 * ribbon.force(x, ribbon.rest(1 + share * (WIDTH - 1)), pairs, clear)
        x = x + v * min(1, 0.005 / np.linalg.norm(v, axis=1).max())
    lengths = np.linalg.norm(x[ribbon.end] - x[ribbon.begin], axis=1) / ribbon.rest(WIDTH)
    print("edges over those of a flat ribbon: %.3f to %.3f, %.3f off in the mean square" % (
        lengths.min(), lengths.max(), np.sqrt(((lengths - 1) ** 2).mean())))
    return x


def main():
    carom, out = sys.argv[1:]
    x, triangles = lay(carom)
    x = spread(x)
    with open(out, "w") as file:
        file.write("# A ribbon of 5,321 vertices (313 rows of 17), 27 x 2 when flat, tied in a loose bowline: tools/tie_bowline.py\n")
        file.writelines("v %.4f %.4f %.4f\n" % tuple(p) for p in x)
        file.writelines("f %d %d %d\n" % tuple(t + 1) for t in triangles)


if __name__ == "__main__":
    main()
