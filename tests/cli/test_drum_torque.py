"""Detects a wrong account of the work of a rotating drum (examples/rough-drum.yaml): the work equals its rotation
rate W times the angular momentum of its impulses about its axis, and the grains and gravity account for all of it."""
import json
import os
import tempfile

import readers

readers.need("h5py")
import h5py

RATE = 0.5
scene = os.path.join(os.environ.get("CAROM_SOURCE", "."), "examples/rough-drum.yaml")
with tempfile.TemporaryDirectory() as folder:
    readers.run("run", scene, "-o", os.path.join(folder, "drum.h5"), "--json", os.path.join(folder, "drum.json"), "--quiet")
    with open(os.path.join(folder, "drum.json"), encoding="utf-8") as file:
        work = json.load(file)["energy"]["work"]
    with h5py.File(os.path.join(folder, "drum.h5")) as file:
        particles = file["particles/all"]
        time = particles["position/time"][:]
        x, z = (particles["position/value"][:, :, k] - 6 for k in (0, 2))
        vx, vz = (particles["velocity/value"][:, :, k] for k in (0, 2))
        spin = particles["angular_velocity/value"][:, :, 1]
        inertia = particles["moment_of_inertia"][:]
aside = x.sum(axis=1)  # the torque of gravity about the axis, m = g = 1
taken = (0.5 * (aside[1:] + aside[:-1]) * (time[1:] - time[:-1])).sum()
angular = (z * vx - x * vz + inertia * spin).sum(axis=1)
readers.expect("work", work, RATE * (angular[-1] - angular[0] - taken), 7.2e-6 * work)  # three times what frames of this distance miss
