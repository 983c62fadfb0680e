#!/usr/bin/env python3
"""Draws frames of a result in 2 dimensions as SVG, side by side:

    tools/picture.py RESULT.h5 OUT.svg [FRAME...]      (default: the last; negative numbers count from the end)

Disks with their radii, segments with their thickness, springs as thin lines, and the box. Needs h5py."""
import sys

from needs import need

need("h5py")

import h5py  # noqa: E402

WIDTH, GAP = 420, 20  # pixels: of a frame, and between two
COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377"]  # by species


class Frame:
    """The part of the plane that is shown, and how it becomes pixels."""

    def __init__(self, box, left):
        self.scale, self.left = WIDTH / box[0], left
        self.height = box[1] * self.scale

    def x(self, x):
        return self.left + x * self.scale

    def y(self, y):
        return self.height - y * self.scale


def lines(view, position, pairs, box, periodic, style):
    for i, j in pairs:
        a, b = position[i], position[j]
        if any(p and abs(u - v) > side / 2 for p, u, v, side in zip(periodic, a, b, box)):
            continue  # through the boundary
        yield (f'<line x1="{view.x(a[0]):.2f}" y1="{view.y(a[1]):.2f}" x2="{view.x(b[0]):.2f}" '
               f'y2="{view.y(b[1]):.2f}" {style}/>')


def draw(file, number, view, box, periodic):
    particles, root = file["particles/all"], file["carom"]
    position = particles["position/value"][number]
    yield (f'<rect x="{view.left}" y="0" width="{WIDTH}" height="{view.height:.2f}" fill="none" '
           'stroke="#bbbbbb" stroke-width="1"/>')
    if "segments" in root:
        segments = root["segments"]
        for i, j, radius in zip(segments["i"][:], segments["j"][:], segments["radius"][:]):
            style = f'stroke="#888888" stroke-linecap="round" stroke-width="{2 * radius * view.scale:.2f}"'
            yield from lines(view, position, [(i, j)], box, periodic, style)
    for (x, y), radius, species in zip(position, particles["radius"][:], particles["species"][:]):
        yield (f'<circle cx="{view.x(x):.2f}" cy="{view.y(y):.2f}" r="{radius * view.scale:.2f}" '
               f'fill="{COLOURS[species % len(COLOURS)]}" fill-opacity="0.8"/>')
    if "springs" in root:
        pairs = zip(root["springs/i"][:], root["springs/j"][:])
        yield from lines(view, position, pairs, box, periodic, 'stroke="#222222" stroke-width="1"')


def main(source, target, *frames):
    with h5py.File(source, "r") as file:
        count = len(file["particles/all/position/time"])
        box = file["particles/all/box/edges/value"][-1].diagonal()
        if len(box) != 2:
            sys.exit(f"{source}: pictures are for 2 dimensions; 'carom export --to vtp' is for ParaView")
        periodic = [b in (b"periodic", "periodic") for b in file["particles/all/box"].attrs["boundary"]]
        parts, view = [], None
        for n, text in enumerate(frames or ["-1"]):
            number = int(text) % count
            view = Frame(box, n * (WIDTH + GAP))
            parts += draw(file, number, view, box, periodic)
    width = len(frames or [1]) * (WIDTH + GAP) - GAP
    with open(target, "w", encoding="utf-8") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{view.height:.0f}" '
                  f'viewBox="-1 -1 {width + 2} {view.height + 2:.0f}">\n')
        out.write('<rect x="-1" y="-1" width="100%" height="100%" fill="white"/>\n')
        out.write("\n".join(parts) + "\n</svg>\n")


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
