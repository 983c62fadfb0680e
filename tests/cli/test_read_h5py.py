"""Detects results that violate the H5MD layout, or differ from `carom export`, as read by h5py."""
import csv
import json
import os

import readers

readers.need("h5py")
import h5py
import numpy

expect = readers.expect
folder = readers.result()
file = h5py.File(os.path.join(folder, "r.h5"), "r")

expect("h5md version", list(file["h5md"].attrs["version"]), [1, 1])
expect("creator", file["h5md/creator"].attrs["name"], b"carom")
particles = file["particles/all"]
for name in ("position", "velocity", "image"):
    expect(name, particles[name]["value"].shape, (5, 60, 3))
    expect(f"{name} time", list(particles[name]["time"]), [0, 0.5, 1, 1.5, 2])
    expect(f"{name} steps", particles[name]["step"].shape, (5,))
expect("box", particles["box/edges/value"][4].tolist(), [[9, 0, 0], [0, 9, 0], [0, 0, 9]])
expect("box dimension", particles["box"].attrs["dimension"], 3)
expect("box boundary", list(particles["box"].attrs["boundary"]), [b"periodic"] * 3)
expect("radii", sorted(set(particles["radius"][:])), [0.5, 0.75])
expect("species", [list(particles["species"]).count(s) for s in (0, 1)], [40, 20])
assert set(particles["mass"][:]) == {1.0, 2.0}

carom = file["carom"]
expect("stop", carom.attrs["stop"].decode(), "time")
expect("seed", carom.attrs["seed"], 5)
assert b"For other readers" in bytes(carom["scene"][:])
summary = json.loads(bytes(carom["summary"][:]))
expect("state hash", summary["state_hash"].split("x")[-1], carom.attrs["state_hash"].decode())
kinetic = 0.5 * (particles["mass"][:] * (particles["velocity/value"][3] ** 2).sum(axis=1)).sum()
expect("kinetic energy", carom["frames/kinetic"][3], kinetic, 1e-12 * kinetic)

energy = carom["observables/energy"]
expect("first column", energy.attrs["columns"][0], b"time")
for column in energy.attrs["columns"][1:]:
    column = column.decode()
    element = energy[column]
    expect(f"{column} times", list(element["time"]), [0.25 * n for n in range(9)])
    expect(f"{column} values", (len(element["value"]), len(element["step"])), (9, 9))
expect("sampled kinetic energy", energy["kinetic/value"][4], carom["frames/kinetic"][2], 1e-12 * kinetic)

readers.run("export", os.path.join(folder, "r.h5"), "--to", "csv", "-o", os.path.join(folder, "r.csv"))
with open(os.path.join(folder, "r.csv")) as text:
    rows = list(csv.DictReader(text))
expect("rows", len(rows), 300)
position = numpy.array([[float(row[k]) for k in "xyz"] for row in rows]).reshape(5, 60, 3)
assert (position == particles["position/value"][:]).all(), "exported positions differ"
velocity = numpy.array([[float(row["v" + k]) for k in "xyz"] for row in rows]).reshape(5, 60, 3)
assert (velocity == particles["velocity/value"][:]).all(), "exported velocities differ"
