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
