"""A strip of cloth from arrays of vertices and triangles, stretched by its own weight."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

FOLDER = pathlib.Path(__file__).parent


def strip(length: float = 2, width: float = 0.5, rows: int = 16) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a vertical strip below z = 3."""
    columns = max(1, round(rows * width / length))
    across, down = np.meshgrid(np.linspace(0, width, columns + 1), np.linspace(0, length, rows + 1))
    vertices = np.column_stack((1.5 + across.ravel(), np.full(across.size, 2.0), 3 - down.ravel()))
    number = np.arange(across.size).reshape(across.shape)
    a, b, c, d = (corner.ravel() for corner in (number[:-1, :-1], number[:-1, 1:], number[1:, :-1], number[1:, 1:]))
    return vertices, np.concatenate((np.column_stack((a, c, b)), np.column_stack((b, c, d))))


def write_obj(path: pathlib.Path, vertices: np.ndarray, faces: np.ndarray) -> None:
    """The mesh as a file; OBJ counts vertices from 1."""
    lines = ["v %r %r %r" % tuple(v) for v in vertices.tolist()] + ["f %d %d %d" % tuple(f) for f in (faces + 1).tolist()]
    path.write_text("\n".join(lines) + "\n")


def elongation(stretch: float = 40, rows: int = 16) -> float:
    """Displacement of the lower end at rest, from arrays."""
    vertices, faces = strip(rows=rows)
    scene = carom.Scene.load(FOLDER / "cloth-from-mesh.yaml")
    del scene["meshes.0.file"]
    scene["meshes.0.vertices"], scene["meshes.0.faces"] = vertices, faces
    scene["meshes.0.stretch"] = stretch
    sim = carom.Simulation(scene)
    sim.run(time=30)
    return float(vertices[:, 2].min() - sim.frame.vertices[:, 2].min())


if __name__ == "__main__":
    write_obj(FOLDER / "strip.obj", *strip())
    weight = 10 * 0.04 * 2                               # per width: density, thickness, length; g = 1
    print("elongation %.5f, linear elasticity %.5f" % (elongation(), weight * 2 / (2 * 40)))
