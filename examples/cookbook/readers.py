"""Reads an export of carom without carom: numbers of an extended XYZ file."""
from __future__ import annotations

import math
import pathlib
import re
import subprocess
import sys

import numpy as np

SCENE = pathlib.Path(__file__).with_name("dense-binary-mixtures.yaml")


def last_frame(path: pathlib.Path) -> "tuple[np.ndarray, dict[str, np.ndarray]]":
    """Box and columns of the last frame of an extended XYZ file."""
    lines = path.read_text().splitlines()
    count = int(lines[0])
    header, rows = lines[-count - 1], lines[-count:]
    (lattice,), (properties,) = re.findall(r'Lattice="([^"]*)"', header), re.findall(r"Properties=(\S+)", header)
    box = np.array([float(n) for n in lattice.split()]).reshape(3, 3)
    kinds = properties.split(":")
    table, columns, first = np.array([row.split() for row in rows]), {}, 0
    for name, kind, width in zip(kinds[::3], kinds[1::3], map(int, kinds[2::3])):
        values = table[:, first:first + width]
        columns[name] = values if kind == "S" else values.astype(float)
        first += width
    return box, columns


def exported(carom: str = "carom", folder: pathlib.Path = pathlib.Path(".")) -> tuple[int, float, float]:
    """Disks, packing fraction and kinetic energy, from the export of a run."""
    result = folder / "mixture.h5"
    subprocess.run([carom, "run", SCENE, "-o", result, "--quiet", "--force", "--set", "run.until.time=10", "--set", "observe=[]",
                    "--set", "output.frames.every=10"], check=True)
    subprocess.run([carom, "export", result, "--to", "xyz", "-o", folder / "mixture.xyz", "--force"], check=True)
    box, columns = last_frame(folder / "mixture.xyz")
    radius = columns["radius"][:, 0]
    mass = math.pi * radius**2                                    # the density of the species is 1
    kinetic = (mass * (columns["velo"] ** 2).sum(axis=1)).sum() / 2
    return len(radius), float((math.pi * radius**2).sum() / (box[0, 0] * box[1, 1])), float(kinetic)


if __name__ == "__main__":
    print("%d disks, packing fraction %.12f, kinetic energy %.9f" % exported(sys.argv[1] if len(sys.argv) > 1 else "carom"))
