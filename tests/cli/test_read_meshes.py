"""Detects mesh files written by VTK and meshio that carom misreads: the one intersection, of the 37th triangle with
the last, is reported by number."""
import importlib.util
import os
import subprocess
import tempfile

import readers

CELLS, PIERCED = 6, 37
SCENE = """carom: 1
engine: variational
box: {size: 10, boundary: wall}
species: {grain: {diameter: 1}}
particles: [{species: grain, count: 1, place: {at: [[5, 5, 5]]}}]
meshes: [{name: sheet, file: FILE}]
run: {until: {time: 1}}
"""


def sheet():
    points = [(i / 8, j / 8, 0.0) for j in range(CELLS + 1) for i in range(CELLS + 1)]
    triangles = []
    for j in range(CELLS):
        for i in range(CELLS):
            low = j * (CELLS + 1) + i
            triangles += [(low, low + 1, low + CELLS + 2), (low, low + CELLS + 2, low + CELLS + 1)]
    x, y, _ = (sum(points[c][k] for c in triangles[PIERCED]) / 3 for k in range(3))
    last = len(points)
    points += [(x, y, 1.0), (x, y + 1 / 256, -1.0), (x + 1 / 256, y, -1.0)]
    return points, triangles + [(last, last + 1, last + 2)]


def with_vtk(points, triangles):
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
    from vtkmodules.vtkIOGeometry import vtkOBJWriter, vtkSTLWriter
    from vtkmodules.vtkIOPLY import vtkPLYWriter

    data, places, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    for point in points:
        places.InsertNextPoint(point)
    for triangle in triangles:
        cells.InsertNextCell(3, triangle)
    data.SetPoints(places)
    data.SetPolys(cells)
    for kind, name in ((vtkOBJWriter, "vtk.obj"), (vtkSTLWriter, "vtk_text.stl"), (vtkSTLWriter, "vtk.stl"),
                       (vtkPLYWriter, "vtk_text.ply"), (vtkPLYWriter, "vtk_little.ply"), (vtkPLYWriter, "vtk_big.ply")):
        writer = kind()
        writer.SetInputData(data)
        writer.SetFileName(name)
        if "text" in name:
            writer.SetFileTypeToASCII()
        elif kind is not vtkOBJWriter:
            writer.SetFileTypeToBinary()
        if kind is vtkPLYWriter and "big" in name:
            writer.SetDataByteOrderToBigEndian()
        elif kind is vtkPLYWriter:
            writer.SetDataByteOrderToLittleEndian()
        writer.Write()
        yield name


def with_meshio(points, triangles):
    import meshio

    mesh = meshio.Mesh(points, [("triangle", triangles)])
    for name, kind, more in (("m.obj", "obj", {}), ("m.off", "off", {}), ("m.ply", "ply", {}),
                             ("m_text.ply", "ply", {"binary": False}), ("m.stl", "stl", {"binary": True}),
                             ("m_text.stl", "stl", {}), ("m22.msh", "gmsh22", {"binary": False}),
                             ("m41.msh", "gmsh", {"binary": False})):
        mesh.write(name, file_format=kind, **more)
        yield name


def check(name, last):
    with open("s.yaml", "w") as file:
        file.write(SCENE.replace("FILE", name))
    done = subprocess.run([os.environ["CAROM"], "check", "s.yaml"], capture_output=True, text=True, timeout=60)
    wanted = f"s.yaml:6:10: error: mesh 'sheet': triangles {PIERCED} and {last} intersect"
    print(name, done.stderr.strip())
    assert done.returncode == 65 and done.stderr.splitlines()[0] == wanted, f"{name}: expected {wanted}"


if all(importlib.util.find_spec(module) is None for module in ("vtkmodules", "meshio")):
    readers.need("vtkmodules")
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    points, triangles = sheet()
    for module, write in (("vtkmodules", with_vtk), ("meshio", with_meshio)):
        if importlib.util.find_spec(module) is None:
            continue
        for name in write(points, triangles):
            check(name, len(triangles) - 1)
