"""Detects wrong or missed merges of ballistic aggregation, against an independent all-pairs oracle in numpy.

The oracle starts from the first frame of each result, flies all particles to the earliest touch or wall (Degond et al.,
arXiv:2309.09523, appendix A), merges or reflects, and goes on. Merge tree, times and the last frame must agree. It shares
nothing with carom: positions are flown from event to event, unwrapped, and a touch is sought over the neighbouring images."""
import itertools
import os
import tempfile

import readers

readers.need("h5py")
readers.need("numpy")
import h5py
import numpy

SCENE = """carom: 1
engine: aggregation
dimension: {dimension}
seed: {seed}
box: {{size: [{size}], boundary: [{boundary}]}}
species:
  a: {{diameter: {{uniform: [0.6, 1]}}, density: 1}}
  b: {{diameter: 0.5, mass: 3}}
particles:
  - {{species: {{a: 2, b: 1}}, count: {count}, place: random, velocity: {{{velocity}}}}}
run: {{until: {{clusters: 1}}}}
output: {{frames: {{every: 3}}}}
"""

TIMES, PLACES = 5.1e-13, 4.8e-14  # three times the most of all cases, of themselves and of the side

CASES = [
    (2, 20, 12.0, ["wall", "wall"], "uniform: [-0.5, 0.5]"),
    (2, 50, 16.0, ["periodic", "periodic"], "maxwell: 1"),
    (2, 30, 10.0, ["periodic", "wall"], "circle: 1"),
    (3, 30, 6.0, ["wall", "wall", "wall"], "maxwell: 1"),
    (3, 50, 8.0, ["periodic", "periodic", "periodic"], "uniform: [-0.5, 0.5]"),
    (3, 20, 5.0, ["periodic", "wall", "periodic"], "maxwell: 1"),
]


class Oracle:
    def __init__(self, x, v, radius, mass, box, periodic):
        self.x, self.v, self.radius, self.mass = x.copy(), v.copy(), radius, mass
        self.box, self.periodic = box, periodic
        self.time, self.cluster, self.merges, self.walls = 0.0, numpy.arange(len(x)), [], 0
        around = [(-1, 0, 1) if p else (0,) for p in periodic]
        self.images = numpy.array(list(itertools.product(*around))) * box
        self.contact2 = (radius[:, None] + radius[None, :]) ** 2

    def first_touch(self):
        """The earliest dt with |dX + dV dt| = R_i + R_j of two clusters: c / (-b + sqrt(b^2 - a c)), where b < 0."""
        best = (numpy.inf, -1, -1)
        nearest = self.x[:, None, :] - self.x[None, :, :]
        nearest -= numpy.where(self.periodic, self.box * numpy.rint(nearest / self.box), 0)
        dv = self.v[:, None, :] - self.v[None, :, :]
        a = (dv**2).sum(axis=2)
        other = self.cluster[:, None] < self.cluster[None, :]
        for image in self.images:
            dx = nearest + image
            b = (dx * dv).sum(axis=2)
            c = (dx**2).sum(axis=2) - self.contact2
            disc = b * b - a * c
            meets = other & (b < 0) & (disc >= 0)
            with numpy.errstate(all="ignore"):
                dt = numpy.where(meets, numpy.where(c <= 0, 0, c / (-b + numpy.sqrt(disc))), numpy.inf)
            i, j = numpy.unravel_index(numpy.argmin(dt), dt.shape)
            best = min(best, (dt[i, j], i, j))
        return best

    def first_wall(self):
        """Only the outermost particles of a cluster matter, but the check includes all."""
        best = (numpy.inf, -1, -1)
        for axis in numpy.flatnonzero(~self.periodic):
            v = self.v[:, axis]
            way = numpy.where(v > 0, self.box[axis] - self.radius - self.x[:, axis], self.x[:, axis] - self.radius)
            with numpy.errstate(all="ignore"):
                dt = numpy.where(v == 0, numpy.inf, numpy.maximum(way, 0) / numpy.abs(v))
            i = int(numpy.argmin(dt))
            best = min(best, (dt[i], i, axis))
        return best

    def reach(self):
        """Time for which the nine (27) images are sufficient: until a particle may have moved by a quarter of the
        box."""
        speed = numpy.abs(self.v[:, self.periodic]).max(initial=0)
        return 0.25 * self.box[self.periodic].min() / speed if speed > 0 else numpy.inf

    def step(self):
        touch, wall, reach = self.first_touch(), self.first_wall(), self.reach()
        dt = min(touch[0], wall[0], reach)
        self.time += dt
        self.x += self.v * dt
        if dt == touch[0]:
            self.merge(touch[1], touch[2])
        elif dt == wall[0]:
            self.v[self.cluster == self.cluster[wall[1]], wall[2]] *= -1
            self.walls += 1

    def merge(self, i, j):
        self.merges.append((self.time, min(i, j), max(i, j)))
        one, two = sorted((self.cluster[i], self.cluster[j]))
        both = (self.cluster == one) | (self.cluster == two)
        self.cluster[both] = one
        self.v[both] = (self.mass[both, None] * self.v[both]).sum(axis=0) / self.mass[both].sum()


def compare(folder, number, dimension, count, side, boundary, velocity):
    scene, result = os.path.join(folder, f"{number}.yaml"), os.path.join(folder, f"{number}.h5")
    with open(scene, "w") as file:
        file.write(SCENE.format(dimension=dimension, seed=number + 1, size=", ".join([str(side)] * dimension),
                                boundary=", ".join(boundary), count=count, velocity=velocity))
    readers.run("run", scene, "-o", result, "--quiet")
    readers.run("verify", result)
    with h5py.File(result) as f:
        p = f["particles/all"]
        x, v, cluster = p["position/value"][:], p["velocity/value"][:], p["cluster/value"][:]
        merges = list(zip(*(f["carom/merges"][name][:] for name in ("time", "i", "j"))))
        times, walls = p["position/time"][:], f["carom/frames/events"][-1][1]
        box = numpy.full(dimension, side)
        periodic = numpy.array([b == "periodic" for b in boundary])
        oracle = Oracle(x[0], v[0], p["radius"][:], p["mass"][:], box, periodic)
    readers.expect("clusters at first", cluster[0].tolist(), list(range(count)))
    while len(oracle.merges) < count - 1:
        oracle.step()
    readers.expect("merges", len(merges), count - 1)
    for mine, theirs in zip(oracle.merges, merges):
        assert (mine[1], mine[2]) == (theirs[1], theirs[2]), f"merge of {theirs}, not {mine}"
        assert abs(mine[0] - theirs[0]) <= TIMES * mine[0], f"merge of {theirs}, not {mine}"
    worst = max(abs(a[0] - b[0]) / a[0] for a, b in zip(oracle.merges, merges))
    print(f"{boundary}: {count} particles, times of merges within {worst:.2g} of themselves")
    readers.expect("walls", walls, oracle.walls)
    apart = x[-1] - oracle.x
    apart -= numpy.where(periodic, box * numpy.rint(apart / box), 0)
    readers.expect("last positions", float(numpy.abs(apart).max()), 0, PLACES * side)
    readers.expect("last velocity", float(numpy.abs(v[-1] - oracle.v).max()), 0, 3.4e-16)
    readers.expect("last time", times[-1], oracle.time, TIMES * oracle.time)
    readers.expect("clusters at last", cluster[-1].tolist(), [0] * count)
    for frame, time in zip(cluster, times):  # each cluster is named after its smallest particle
        names = numpy.arange(count)
        for merge in merges:
            if merge[0] <= time:
                one, two = sorted((names[merge[1]], names[merge[2]]))
                names[names == two] = one
        assert (names == frame).all(), f"clusters at {time}"


with tempfile.TemporaryDirectory() as folder:
    for number, case in enumerate(CASES):
        compare(folder, number, *case)
