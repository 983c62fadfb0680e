"""Compares two results dataset by dataset: same_results.py A B. The summary and the checkpoint
hold times of the clock and are left out, and so is the scene, which may end at another time."""
import sys

import h5py
import numpy

LEFT_OUT = {"carom/summary", "carom/scene", "carom/checkpoint"}


def datasets(path):
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
        run = dict(file["carom"].attrs)
        return found, {key: run[key] for key in ("time", "events", "state_hash", "stop", "seed")}


(left, left_run), (right, right_run) = datasets(sys.argv[1]), datasets(sys.argv[2])
different = sorted(set(left) ^ set(right))
for name in sorted(set(left) & set(right) - LEFT_OUT):
    a, b = left[name], right[name]
    numbers = getattr(a, "dtype", None) is not None and a.dtype.kind in "fiu"
    if not (numpy.array_equal(a, b, equal_nan=True) if numbers and a.dtype.kind == "f" else numpy.array_equal(a, b)):
        different.append(name)
different += [key for key in left_run if not numpy.array_equal(left_run[key], right_run[key])]
if not left:
    different.append("no datasets")
print("different:", ", ".join(different)) if different else None
sys.exit(1 if different else 0)
