#!/usr/bin/python3
"""Queries of the continuous collision detection from simulations of meshes, with exact answers.

    ccd_queries.py FOLDER [--count N] [--met N] [--seed N]

Writes FOLDER/SCENE/{vertex-face,edge-edge}.csv with N queries each (5000): pairs whose boxes overlap during a step, drawn
at random from all steps of a scene (cloth: a sheet falls onto a ball; twist: a sheet is wrung; chain: two links of a chain
are pulled and turned; grains: spiky grains fly through each other). With --met, of N queries that meet and N that do not.
Needs numpy (tools/setup.sh experiments). bench/ccd_queries reads them; tests/support/ccd_queries.h has the format.
"""
import argparse
import os

from needs import need

need("numpy")

import numpy  # noqa: E402


# ---- Meshes: positions (n, 3), triangles (m, 3) -----------------------------------------------------------------------

def sheet(cells, width):
    x, y = numpy.meshgrid(*2 * [numpy.linspace(-width / 2, width / 2, cells + 1)], indexing='ij')
    number = numpy.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    faces = numpy.concatenate([numpy.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    return numpy.stack([x.ravel(), y.ravel(), 0 * x.ravel()], -1), faces


def torus(around, across, radius, thickness):
    u, v = numpy.meshgrid(2 * numpy.pi * numpy.arange(around) / around, 2 * numpy.pi * numpy.arange(across) / across,
                          indexing='ij')
    number = numpy.arange(around * across).reshape(around, across)
    a, b = number, numpy.roll(number, -1, 0)
    c, d = numpy.roll(b, -1, 1), numpy.roll(number, -1, 1)
    faces = numpy.concatenate([numpy.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    ring = radius + thickness * numpy.cos(v)
    return numpy.stack([(ring * numpy.cos(u)).ravel(), (ring * numpy.sin(u)).ravel(),
                        (thickness * numpy.sin(v)).ravel()], -1), faces


def ball(rings, radius):
    around = 2 * rings
    u, v = numpy.meshgrid(numpy.pi * numpy.arange(around) / rings, numpy.pi * numpy.arange(1, rings) / rings)
    points = numpy.stack([numpy.cos(u) * numpy.sin(v), numpy.sin(u) * numpy.sin(v), numpy.cos(v)], -1).reshape(-1, 3)
    number = numpy.arange(len(points)).reshape(rings - 1, around)
    a, b = number[:-1], numpy.roll(number[:-1], -1, 1)
    c, d = numpy.roll(number[1:], -1, 1), number[1:]
    pole = numpy.full(around, len(points))
    caps = [(pole, number[0], numpy.roll(number[0], -1)), (pole + 1, numpy.roll(number[-1], -1), number[-1])]
    faces = numpy.concatenate([numpy.stack(t, -1).reshape(-1, 3) for t in [(a, d, c), (a, c, b)] + caps])
    return radius * numpy.concatenate([points, [[0, 0, 1], [0, 0, -1]]]), faces


def spiky(random, radius):
    points, faces = ball(5, radius)
    return points * random.uniform(0.4, 1.6, len(points))[:, None], faces


def joined(meshes):
    points = numpy.concatenate([p for p, _ in meshes])
    first = numpy.cumsum([0] + [len(p) for p, _ in meshes])
    return points, numpy.concatenate([f + start for (_, f), start in zip(meshes, first)])


def edges_of(faces):
    return numpy.unique(numpy.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)


# ---- Scenes: yield (positions before, positions after, faces) for each step -------------------------------------------

def rotation(axis, angle):
    x, y, z = axis / numpy.linalg.norm(axis)
    k = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + numpy.sin(angle) * k + (1 - numpy.cos(angle)) * k @ k


def cloth(random):
    (points, faces), (ball_points, ball_faces) = sheet(24, 2.0), ball(10, 0.4)
    points += [0.03, 0.02, 0.75]
    everything, all_faces = joined([(points, faces), (ball_points, ball_faces)])
    edges = edges_of(faces)
    rest = numpy.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    velocity = random.normal(0, 0.02, points.shape)
    before = everything
    for step in range(40):
        for _ in range(40):
            force = numpy.tile([0.0, 0.0, -1.0], (len(points), 1))
            pull = points[edges[:, 1]] - points[edges[:, 0]]
            length = numpy.linalg.norm(pull, axis=1)
            pull *= (400 * (length - rest) / length)[:, None]
            numpy.add.at(force, edges[:, 0], pull)
            numpy.add.at(force, edges[:, 1], -pull)
            distance = numpy.linalg.norm(points, axis=1)
            depth = numpy.maximum(0.41 - distance, 0)
            force += (300 * depth / distance)[:, None] * points - 0.5 * velocity
            velocity += 0.002 * force
            points = points + 0.002 * velocity
        after = numpy.concatenate([points, ball_points])
        yield before, after, all_faces
        before = after


def twist(random):
    points, faces = sheet(30, 2.0)
    noise = random.normal(0, 0.004, points.shape)

    def wrung(turns):
        angle = numpy.pi * turns * points[:, 0]
        narrow = 1 / (1 + 0.4 * turns)
        y, z = narrow * points[:, 1], 0.05 * turns * numpy.sin(9 * points[:, 1]) + 0.02 * numpy.sin(7 * points[:, 0])
        return numpy.stack([points[:, 0] / (1 + 0.05 * turns), numpy.cos(angle) * y - numpy.sin(angle) * z,
                            numpy.sin(angle) * y + numpy.cos(angle) * z], -1) + noise * turns

    for step in range(40):
        yield wrung(0.15 * step), wrung(0.15 * (step + 1)), faces


def chain(random):
    links = [torus(36, 12, 1.0, 0.25) for _ in range(3)]
    _, faces = joined(links)
    axes = random.normal(0, 1, (3, 3))

    def pulled(time):
        places = []
        for i, (points, _) in enumerate(links):
            turned = points @ rotation(numpy.array([1.0, 0, 0]), i * numpy.pi / 2).T
            wobble = rotation(axes[i], 0.3 * numpy.sin(1.3 * time + i))
            places.append(turned @ wobble.T + [(i - 1) * (1.2 + 0.25 * numpy.sin(time)), 0.05 * i * time, 0])
        return numpy.concatenate(places)

    for step in range(40):
        yield pulled(0.1 * step), pulled(0.1 * (step + 1)), faces


def grains(random):
    bodies = [spiky(random, 0.25) for _ in range(14)]
    _, faces = joined(bodies)
    at, speed, axes = (random.uniform(-s, s, (len(bodies), 3)) for s in (0.7, 0.6, 1.0))

    def flown(time):
        return numpy.concatenate([p @ rotation(axes[i], 3 * time).T + at[i] + time * speed[i]
                                  for i, (p, _) in enumerate(bodies)])

    for step in range(25):
        yield flown(0.04 * step), flown(0.04 * (step + 1)), faces


SCENES = {'cloth': cloth, 'twist': twist, 'chain': chain, 'grains': grains}


# ---- Pairs whose boxes overlap during a step --------------------------------------------------------------------------

def boxes(before, after, parts):
    points = numpy.concatenate([before[parts], after[parts]], axis=1)
    return points.min(axis=1), points.max(axis=1)


def overlapping(a, b):
    (a_low, a_high), (b_low, b_high) = a, b
    found = []
    for start in range(0, len(a_low), 200):
        low, high = a_low[start:start + 200, None], a_high[start:start + 200, None]
        i, j = numpy.nonzero(((low <= b_high) & (b_low <= high)).all(axis=2))
        found.append(numpy.stack([i + start, j], -1))
    return numpy.concatenate(found)


def queries(before, after, faces, kind):
    """Rows of four point numbers."""
    first = numpy.unique(faces)[:, None] if kind == 'vertex-face' else edges_of(faces)
    second = faces if kind == 'vertex-face' else first
    pairs = overlapping(boxes(before, after, first), boxes(before, after, second))
    if kind == 'edge-edge':
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    rows = numpy.concatenate([first[pairs[:, 0]], second[pairs[:, 1]]], axis=1)
    count = first.shape[1]
    shared = (rows[:, :count, None] == rows[:, None, count:]).any(axis=(1, 2))
    return rows[~shared]


# ---- Truth, in whole numbers ------------------------------------------------------------------------------------------

SPLITS = 80


def product(a, b):
    out = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def plus(a, b, sign=1):
    return [x + sign * y for x, y in zip(a, b)]


def cross(a, b):
    return [plus(product(a[(k + 1) % 3], b[(k + 2) % 3]), product(a[(k + 2) % 3], b[(k + 1) % 3]), -1) for k in range(3)]


def dot(a, b):
    return plus(plus(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]))


def bernstein(a):
    """The coefficients on [0, 1] of a polynomial of degree 3 or 4, over a positive factor."""
    weights = {4: [[3], [3, 1], [3, 2, 1], [3, 3, 3, 3]], 5: [[12], [12, 3], [12, 6, 2], [12, 9, 6, 3], [12] * 5]}
    return [sum(w * x for w, x in zip(row, a)) for row in weights[len(a)]]


def halves(a):
    """de Casteljau's scheme; both halves over the same positive factor."""
    degree, row, left, right = len(a) - 1, a, [], []
    for level in range(degree + 1):
        left.append(row[0] << (degree - level))
        right.append(row[-1] << (degree - level))
        row = [x + y for x, y in zip(row, row[1:])]
    return left, right[::-1]


def whole(points):
    """Doubles as whole numbers of one common unit."""
    ratios = [[float(x).as_integer_ratio() for x in p] for p in points]
    unit = max(d for p in ratios for _, d in p)
    return [[n * (unit // d) for n, d in p] for p in ratios]


def meets(kind, before, after):
    """Whether the origin gets into the polygon of the pair's differences; None where SPLITS do not tell."""
    numbers = whole(list(before) + list(after))
    order = [(1, 0), (2, 0), (3, 0)] if kind == 'vertex-face' else [(0, 2), (1, 2), (1, 3), (0, 3)]
    corners = []
    for i, j in order:
        start = [numbers[i][k] - numbers[j][k] for k in range(3)]
        end = [numbers[4 + i][k] - numbers[4 + j][k] for k in range(3)]
        corners.append([[s, e - s] for s, e in zip(start, end)])
    sides = [[plus(x, y, -1) for x, y in zip(corners[n], corners[0])] for n in (1, len(corners) - 1)]
    normal = cross(*sides)
    height = bernstein(dot(normal, corners[0]))
    inward = [bernstein(dot(normal, cross(p, q))) for p, q in zip(corners, corners[1:] + corners[:1])]
    stack = [(height, inward, 0)]
    while stack:
        height, inward, depth = stack.pop()
        if min(height) > 0 or max(height) < 0 or any(max(side) < 0 for side in inward):
            continue
        changes = height[0] <= 0 <= height[-1] or height[-1] <= 0 <= height[0]
        if changes and all(min(side) > 0 for side in inward):
            return True
        if depth == SPLITS:
            return None
        split = [halves(height)] + [halves(side) for side in inward]
        stack += [(split[0][half], [side[half] for side in split[1:]], depth + 1) for half in (1, 0)]
    return False


# ---- Files ------------------------------------------------------------------------------------------------------------

def write(file, before, after, truth):
    for point in list(before) + list(after):
        ratios = [float(x).as_integer_ratio() for x in point]
        file.write(','.join(f'{n},{d}' for n, d in ratios) + f',{int(truth)}\n')


def candidates(scene, kind, random, seed):
    """The queries of all steps in random order."""
    steps = list(SCENES[scene](numpy.random.default_rng(seed)))
    rows = [queries(*step, kind) for step in steps]
    which = numpy.repeat(numpy.arange(len(steps)), [len(r) for r in rows])
    rows = numpy.concatenate(rows)
    for n in random.permutation(len(rows)):
        before, after, _ = steps[which[n]]
        yield before[rows[n]], after[rows[n]]


def make(folder, scene, kind, wanted, seed):
    os.makedirs(os.path.join(folder, scene), exist_ok=True)
    path = os.path.join(folder, scene, kind + '.csv')
    left, total, unknown = dict(wanted), {True: 0, False: 0}, 0
    with open(path, 'w', encoding='ascii') as file:
        for before, after in candidates(scene, kind, numpy.random.default_rng(seed + 1), seed):
            truth = meets(kind, before, after)
            if truth is None:
                unknown += 1
                continue
            key = truth if truth in left else 'all'
            if left.get(key, 0) > 0:
                left[key] -= 1
                total[truth] += 1
                write(file, before, after, truth)
            if not any(left.values()):
                break
    print(f'{path}: {total[True]} meet, {total[False]} do not, {unknown} left out as too close to tell', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--count', type=int, default=5000, help='queries of each scene and kind (5000)')
    parser.add_argument('--met', type=int, help='instead, so many that meet and so many that do not')
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    wanted = {'all': options.count} if options.met is None else {True: options.met, False: options.met}
    for scene in SCENES:
        for kind in ('vertex-face', 'edge-edge'):
            make(options.folder, scene, kind, wanted, options.seed)


if __name__ == '__main__':
    main()
