#!/usr/bin/env python3
"""Generates the vessels of the examples, like a CAD program: a hopper (STL) and a drum with lifters (OBJ), and grains
on a lattice that is a little out of order, to fill them with (extended XYZ).

    tools/vessels.py [FOLDER]      writes hopper.stl, hopper.xyz, drum.obj and drum.xyz (default: examples)"""
import math
import os
import random
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def ring(radius, sides, z, centre):
    """Corners of a regular polygon around a circle of that radius."""
    out = radius / math.cos(math.pi / sides)
    return [(centre[0] + out * math.cos(2 * math.pi * k / sides), centre[1] + out * math.sin(2 * math.pi * k / sides), z)
            for k in range(sides)]


def hopper(outlet, radius, height, steepness=1, sides=32, centre=(0, 0)):
    """Triangles of a vertical bin above a cone, open above and below; the outlet is at z = 0. Also: where the bin begins."""
    cone = steepness * (radius - outlet / 2)
    rings = [ring(outlet / 2, sides, 0, centre), ring(radius, sides, cone, centre), ring(radius, sides, cone + height, centre)]
    faces = []
    for low, high in zip(rings, rings[1:]):
        for k in range(sides):
            after = (k + 1) % sides
            faces += [(low[k], low[after], high[after]), (low[k], high[after], high[k])]
    return faces, cone


def write_stl(path, faces):
    """Text STL; readers work the normals out for themselves."""
    with open(path, "w") as file:
        file.write("solid hopper\n")
        for face in faces:
            file.write("facet normal 0 0 0\nouter loop\n")
            for corner in face:
                file.write("vertex %.9g %.9g %.9g\n" % corner)
            file.write("endloop\nendfacet\n")
        file.write("endsolid hopper\n")


def drum_outline(radius, lifters, tall, sides=4):
    """Corners around a drum, with lifters of that height; `sides` of a polygon from one lifter to the next."""
    outline = []
    for n in range(lifters):
        start = 2 * math.pi * n / lifters
        half = 0.25 * tall / radius
        for angle, at in ((-2 * half, radius), (-half, radius - tall), (half, radius - tall), (2 * half, radius)):
            outline.append((at * math.cos(start + angle), at * math.sin(start + angle)))
        for k in range(1, sides):
            angle = start + 2 * half + (2 * math.pi / lifters - 4 * half) * k / sides
            outline.append((radius * math.cos(angle), radius * math.sin(angle)))
    return outline


def write_drum(path, outline, length):
    """A drum along y, from 0 on, open at both ends, as OBJ."""
    count = len(outline)
    with open(path, "w") as file:
        for y in (0, length):
            for x, z in outline:
                file.write("v %.9g %.9g %.9g\n" % (x, y, z))
        for k in range(count):
            a, b = 1 + k, 1 + (k + 1) % count
            file.write("f %d %d %d\nf %d %d %d\n" % (a, b + count, b, a, a + count, b + count))


def grains(count, radius, low, spacing=1.15, centre=(0, 0), jitter=0.06, high=math.inf, seed=1):
    """Places of grains of diameter 1, layer by layer from `low` upwards, in an upright cylinder of that radius."""
    random.seed(seed)
    places, z = [], low
    reach = int(radius / spacing) + 1
    while len(places) < count and z < high:
        for i in range(-reach, reach + 1):
            for j in range(-reach, reach + 1):
                if math.hypot(i * spacing, j * spacing) < radius - 0.6 and len(places) < count:
                    places.append(tuple(c + random.uniform(-jitter, jitter)
                                        for c in (centre[0] + i * spacing, centre[1] + j * spacing, z)))
        z += spacing
    return places


def write_xyz(path, places):
    with open(path, "w") as file:
        file.write("%d\nProperties=species:S:1:pos:R:3\n" % len(places))
        for place in places:
            file.write("grain %.6g %.6g %.6g\n" % place)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "examples")
    faces, cone = hopper(outlet=5, radius=6, height=12)
    write_stl(os.path.join(folder, "hopper.stl"), faces)
    write_xyz(os.path.join(folder, "hopper.xyz"), grains(1000, 6, cone + 0.7))
    write_drum(os.path.join(folder, "drum.obj"), drum_outline(6, 8, 1.2), 5)
    lying = [(x + 7, z, y + 7) for x, y, z in grains(150, 5, 0.7, high=4.3)]
    write_xyz(os.path.join(folder, "drum.xyz"), lying)
    return 0


if __name__ == "__main__":
    sys.exit(main())
