"""VTK reads exported VTP files, which ParaView does by the same reader, and the PVD names them all."""
import os
import xml.etree.ElementTree as tree

import readers

readers.need("vtkmodules")
readers.need("h5py")
import h5py
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
