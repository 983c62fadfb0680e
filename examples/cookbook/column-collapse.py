"""Collapse of a column of grains: the grains at rest in a tube are the start of a scene without it."""
from __future__ import annotations

import pathlib
import tempfile

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")
RADIUS = 5.9                                          # inner one of the tube


def released(poured: pathlib.Path, layers: "dict[str, float]") -> carom.Scene:
    """The scene without the tube, from the last frame of a result; with the layers of that run."""
    tree = carom.Scene.load(SCENE).tree
    del tree["meshes"], tree["species"]["tube"], tree["contacts"][2]
    tree["particles"] = [{"species": "grain", "place": {"file": str(poured)}, "velocity": "file", "angular_velocity": "file"}]
    tree["variational"].update(layers)
    return carom.Scene(tree)


def collapse(grains: int = 700, seed: int = 1, heap_file: "str | None" = None) -> tuple[float, float]:
    """Aspect ratio of the column, and the radius of the heap over that of the column; the result of the second scene is kept in a file.

    The column is twice as high as its centre of mass. The radius of the heap is that of a cone with the same median distance
    from the axis: half of the volume of a cone is within half of its radius."""
    with tempfile.TemporaryDirectory() as folder:
        poured = pathlib.Path(folder) / "poured.h5"
        column = carom.Simulation(carom.Scene.load(SCENE, set={"particles.0.count": grains, "seed": seed}), output=poured)
        column.run()
        height = 2 * np.average(column.frame.positions[:grains, 2], weights=column.frame.masses[:grains])
        layers = column.summary["layers"]
        column.close()
        heap = carom.Simulation(released(poured, {key: layers[key] for key in ("eta", "stiffness")}), output=heap_file, force=True)
        heap.run()
        places = heap.frame.positions[:, :2]
        heap.close()
    distance = np.hypot(*(places - np.median(places, axis=0)).T)
    return height / RADIUS, 2 * float(np.median(distance)) / RADIUS


if __name__ == "__main__":
    for grains in (350, 700):
        runs = np.array([collapse(grains, seed, "heap.h5") for seed in (1, 2)])
        aspect, spread = runs.mean(axis=0)
        print("aspect ratio %.2f: radius %s of the column, expected %.2f"
              % (aspect, " ".join("%.2f" % run for run in runs[:, 1]), 1 + 1.24 * aspect))
