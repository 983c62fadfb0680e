"""MDAnalysis reads a result as it is."""
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
