"""Detects results and XYZ exports that MDAnalysis cannot read with its default arguments."""
import os
import warnings

import readers

readers.need("MDAnalysis")
warnings.simplefilter("ignore")
import h5py
import MDAnalysis
import numpy

expect = readers.expect
for boundary in ("periodic", "wall"):
    path = os.path.join(readers.result(boundary=boundary), "r.h5")
    universe = MDAnalysis.Universe.empty(60, trajectory=True, velocities=True)
    universe.load_new(path, format="H5MD", convert_units=False)
    expect("frames", len(universe.trajectory), 5)
    with h5py.File(path) as file:
        position = file["particles/all/position/value"][:].astype(numpy.float32)
        velocity = file["particles/all/velocity/value"][:].astype(numpy.float32)
    for n, step in enumerate(universe.trajectory):
        expect("time", float(step.time), 0.5 * n)
        expect("box", step.dimensions.tolist(), [9, 9, 9, 90, 90, 90])
        assert (step.positions == position[n]).all(), f"positions of frame {n}"
        assert (step.velocities == velocity[n]).all(), f"velocities of frame {n}"

# Exports, without arguments: a trajectory, whose units are those of MDAnalysis, so that all numbers stay.
for dimension in (2, 3):
    path = os.path.join(readers.result(dimension), "r.h5")
    target = path.replace(".h5", ".h5md")
    readers.run("export", path, "--to", "h5md", "-o", target)
    universe = MDAnalysis.Universe(target)
    expect("atoms", universe.atoms.n_atoms, 60)
    expect("frames", len(universe.trajectory), 5)
    with h5py.File(path) as file, h5py.File(target) as other:
        position = file["particles/all/position/value"][:].astype(numpy.float32)
        velocity = file["particles/all/velocity/value"][:].astype(numpy.float32)
        for name in ("species", "id", "mass", "radius"):
            same = (file["particles/all/" + name][:] == other["particles/trajectory/" + name][:]).all()
            assert same, f"exported {name}"
        image = other["particles/trajectory/image/value"][:]
        assert (image[:, :, :dimension] == file["particles/all/image/value"][:]).all(), "exported images"
        edges = [f[name][2].diagonal()[:dimension].tolist() for f, name in
                 ((other, "particles/trajectory/box/edges/value"), (file, "particles/all/box/edges/value"))]
        expect("edges", *edges)
    for n, step in enumerate(universe.trajectory):
        expect("time", float(step.time), 0.5 * n)
        if dimension == 3:
            expect("box", step.dimensions.tolist(), [9, 9, 9, 90, 90, 90])
        assert (step.positions[:, :dimension] == position[n]).all(), f"exported positions of frame {n}"
        assert (step.velocities[:, :dimension] == velocity[n]).all(), f"exported velocities of frame {n}"
        assert (step.positions[:, dimension:] == 0).all() and (step.velocities[:, dimension:] == 0).all(), "z"

# Positions alone, in text.
for dimension in (2, 3):
    path = os.path.join(readers.result(dimension), "r.h5")
    target = path.replace(".h5", ".xyz")
    readers.run("export", path, "--to", "xyz", "-o", target)
    universe = MDAnalysis.Universe(target)
    expect("atoms", universe.atoms.n_atoms, 60)
    expect("frames", len(universe.trajectory), 5)
    expect("species", [list(universe.atoms.names).count(s) for s in ("small", "large")], [40, 20])
    with h5py.File(path) as file:
        position = file["particles/all/position/value"][:].astype(numpy.float32)
    for n, step in enumerate(universe.trajectory):
        assert (step.positions[:, :dimension] == position[n]).all(), f"exported positions of frame {n}"
        assert (step.positions[:, dimension:] == 0).all(), "the third coordinate"

# Particles that enter and leave: all are atoms of each frame, and the ids say which are there; XYZ has the present ones only.
folder = readers.result()
scene = os.path.join(folder, "flow.yaml")
with open(scene, "w", encoding="utf-8") as file:
    file.write("""carom: 1
engine: variational
box: {size: [6, 6, 12], boundary: open}
species: {grain: {diameter: 0.5, density: 1}}
particles: [{species: grain, count: 20, velocity: {each: [0, 0, -1]}, place: {inflow: {rate: 10, start: 0.25,
  region: {box: {from: [0, 0, 7], to: [6, 6, 11]}}}}}]
outflow: [{name: below, side: z-, every: 0.1}]
fields: {gravity: [0, 0, -1]}
run: {until: {time: 5}}
output: {frames: {every: 0.5}}
""")
readers.run("run", scene, "-o", os.path.join(folder, "flow.h5"), "--quiet")
for ending in ("xyz", "h5md"):
    readers.run("export", os.path.join(folder, "flow.h5"), "--to", ending, "-o", os.path.join(folder, "flow." + ending))
universe = MDAnalysis.Universe(os.path.join(folder, "flow.h5md"))
expect("atoms", universe.atoms.n_atoms, 20)
with h5py.File(os.path.join(folder, "flow.h5md")) as file:
    ids = file["particles/trajectory/id/value"]
    there = ids[:] != ids.fillvalue
with open(os.path.join(folder, "flow.xyz"), encoding="utf-8") as file:
    lines = file.read().splitlines()
numbers = []
while lines:
    count = int(lines[0])
    places = [[float(x) for x in line.split()[1:4]] for line in lines[2:2 + count]]
    present = universe.trajectory[len(numbers)].positions[there[len(numbers)]]
    assert len(present) == count and numpy.allclose(present.reshape(-1, 3), numpy.array(places).reshape(-1, 3), atol=1e-5)
    numbers.append(count)
    lines = lines[2 + count:]
expect("frames", len(numbers), 11)
assert numbers[0] == 0 and max(numbers) > 10 and numbers[-1] < max(numbers), numbers
print("particles in the frames:", *numbers)
