"""Detects VTP files, and the PVD file that lists them, which VTK (the reader of ParaView) cannot read."""
import atexit
import os
import shutil
import tempfile
import xml.etree.ElementTree as tree

import readers

readers.need("vtkmodules")
readers.need("h5py")
import h5py
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

expect = readers.expect
for dimension in (2, 3):
    folder = readers.result(dimension)
    readers.run("export", os.path.join(folder, "r.h5"), "--to", "vtp", "-o", os.path.join(folder, "r.pvd"))
    sets = tree.parse(os.path.join(folder, "r.pvd")).getroot().find("Collection").findall("DataSet")
    expect("times", [float(s.get("timestep")) for s in sets], [0, 0.5, 1, 1.5, 2])
    file = h5py.File(os.path.join(folder, "r.h5"), "r")
    particles = file["particles/all"]
    expect("beside the list", sorted(n for n in os.listdir(folder) if n.endswith(".vtp")), [])
    expect("files", [s.get("file") for s in sets], [f"r/r_{n:06}.vtp" for n in range(5)])
    for n, entry in enumerate(sets):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(os.path.join(folder, entry.get("file")))
        reader.Update()
        data = reader.GetOutput()
        expect("errors", reader.GetErrorCode(), 0)
        expect("points", data.GetNumberOfPoints(), 60)
        expect("vertices", data.GetNumberOfVerts(), 60)
        points = vtk_to_numpy(data.GetPoints().GetData())
        assert (points[:, :dimension] == particles["position/value"][n]).all(), "positions"
        assert (points[:, dimension:] == 0).all(), "the third coordinate"
        fields = data.GetPointData()
        assert (vtk_to_numpy(fields.GetArray("velocity"))[:, :dimension] == particles["velocity/value"][n]).all()
        for name in ("radius", "mass", "species", "id"):
            assert (vtk_to_numpy(fields.GetArray(name)) == particles[name][:]).all(), name
        expect("time", data.GetFieldData().GetArray("TimeValue").GetValue(0), 0.5 * n)

SHELLS = """carom: 1
engine: variational
box: {size: 6, boundary: [periodic, wall, wall]}
species: {ball: {diameter: 1, density: 1}, cloth: {diameter: 1, mass: 0.01}}
particles: [{species: ball, velocity: {each: [[0, 0, -4], [0, 0, -4]]}, place: {at: [[4.6, 3, 4], [0.6, 3, 5]]}}]
meshes:
  - {name: cube, shape: {solid: {kind: cube, radius: 0.5}}, place: {at: [3, 1, 1]}, thickness: 0.05, rigid: true}
  - {name: sheet, species: cloth, shape: {rectangle: {length: 3, width: 3, along: 4, across: 4}}, place: {at: [5, 3, 3]},
     thickness: 0.1, stretch: 50}
run: {until: {time: 0.5}}
output: {frames: {every: 0.25}}
"""


def strain(points, rest, triangles):
    """Strain of each vertex: the mean of |l / l_0 - 1| over the edges of its triangles."""
    total, edges = numpy.zeros(len(points)), numpy.zeros(len(points))
    for corners in triangles:
        for k in range(3):
            i, j = corners[k], corners[(k + 1) % 3]
            change = abs(numpy.linalg.norm(points[i] - points[j]) / numpy.linalg.norm(rest[i] - rest[j]) - 1)
            total[[i, j]] += change
            edges[[i, j]] += 1
    return total / edges


folder = tempfile.mkdtemp(prefix="carom-readers-")
atexit.register(shutil.rmtree, folder)
with open(os.path.join(folder, "s.yaml"), "w") as scene:
    scene.write(SHELLS)
result = os.path.join(folder, "s.h5")
readers.run("run", os.path.join(folder, "s.yaml"), "-o", result, "--quiet")
readers.run("export", result, "--to", "vtp", "-o", os.path.join(folder, "s"))
file = h5py.File(result, "r")
particles, meshes = file["particles/all"], file["carom/meshes"]
edges = numpy.diagonal(particles["box/edges/value"][0])
whole = particles["position/value"][:] + particles["image/value"][:] * edges
wanted = numpy.zeros(whole.shape[1], dtype=int)
for number, name in enumerate(("cube", "sheet"), 1):
    first, count = meshes[name].attrs["first"], meshes[name].attrs["vertices"]
    wanted[first:first + count] = number
for n in range(3):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(os.path.join(folder, "s", f"s_{n:06}.vtp"))
    reader.Update()
    expect("errors", reader.GetErrorCode(), 0)
    fields = reader.GetOutput().GetPointData()
    assert (vtk_to_numpy(fields.GetArray("mesh")) == wanted).all(), "mesh"
    assert (vtk_to_numpy(fields.GetArray("layers")) == particles["layers/value"][n]).all(), "layers"
    got = vtk_to_numpy(fields.GetArray("strain"))
    assert (got[wanted == 0] == 0).all(), "strain of particles"
    for number, name in enumerate(("cube", "sheet"), 1):
        at = wanted == number
        by_hand = strain(whole[n][at], whole[0][at], meshes[name]["triangles"][:])
        assert numpy.abs(got[at] - by_hand).max() < 1e-12, f"strain of {name}"
    print(f"frame {n}: largest strain {got.max()}")
assert got[wanted == 2].max() > 0.01 and got[wanted == 1].max() < 1e-12, "the sheet alone is stretched"
