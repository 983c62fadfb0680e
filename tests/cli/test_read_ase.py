"""Detects exports that ASE cannot read with its default arguments."""
import os
import warnings

import readers

readers.need("ase")
warnings.simplefilter("ignore")
import ase.io

expect = readers.expect
path = os.path.join(readers.result(), "r.h5")
target = os.path.join(os.path.dirname(path), "r.xyz")
readers.run("export", path, "--to", "xyz", "-o", target)
frames = ase.io.read(target, index=":")
expect("frames", len(frames), 5)
for n, atoms in enumerate(frames):
    expect("particles", len(atoms), 60)
    expect("time", float(atoms.info["Time"]), 0.5 * n)
    expect("box", atoms.cell.lengths().tolist(), [9, 9, 9])
    assert atoms.pbc.all()
    expect("species", sorted(set(atoms.arrays["type"])), ["large", "small"])
    expect("mass", float(atoms.arrays["mass"].sum()), 80)
