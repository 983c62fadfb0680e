"""Runs of the library in this process, which begin in a tenth of the time that a command needs, and what their files hold."""
import ctypes

import h5py
import numpy

from validate.binding import Carom


class Options(ctypes.Structure):
    _fields_ = [("output", ctypes.c_char_p), ("force", ctypes.c_bool), ("resume", ctypes.c_bool), ("keep_checkpoint", ctypes.c_bool),
                ("threads", ctypes.c_int), ("progress", ctypes.c_void_p), ("warning", ctypes.c_void_p), ("user", ctypes.c_void_p)]


class Refused(Exception):
    pass


class Library(Carom):
    def start(self, text, output=None, resume=False, sets=()):
        lib, sim, scene = self.lib, ctypes.c_void_p(), self.lib.carom_scene_new()
        for one in sets:
            assert lib.carom_scene_set(scene, one.encode()) == 0, one
        text = text.encode()
        try:
            if lib.carom_scene_load_text(scene, b"pair.yaml", text, len(text)) != 0:
                raise Refused(lib.carom_scene_message(scene).decode())
            options = Options(output=output and output.encode(), force=not resume, resume=resume)
            if lib.carom_sim_new(ctypes.byref(sim), scene, ctypes.addressof(options)) != 0:
                raise Refused((lib.carom_sim_message(sim) or b"").decode())
        except Refused:
            self.end(scene, sim)
            raise
        return scene, sim

    def finish(self, scene, sim):
        status, summary = self.lib.carom_sim_run(sim), self.summary(sim)
        self.end(scene, sim)
        return status, summary

    def go(self, text, output=None, resume=False, sets=()):
        """Status and summary of a complete run."""
        return self.finish(*self.start(text, output, resume, sets))

    def looks(self, text, times):
        """Positions and velocities [N][D] at each of the times."""
        scene, sim = self.start(text)
        found = []
        for time in times:
            if self.lib.carom_sim_advance(sim, time) != 0:
                break
            found.append([numpy.array(one) for one in self.look(sim)])
        self.end(scene, sim)
        return found


class Result:
    """All data of a file, as arrays."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            points, carom = file["particles/all"], file["carom"]
            self.time = points["position/time"][:]
            for name in ("position", "velocity", "image", "angular_velocity", "orientation", "cluster"):
                setattr(self, name, points[name + "/value"][:] if name in points else None)
            for name in ("radius", "mass", "species", "id", "moment_of_inertia", "semi_axes"):
                setattr(self, name, points[name][:] if isinstance(points.get(name), h5py.Dataset) else None)
            self.edges = points["box/edges/value"][:]
            self.frames = {name: item[()] for name, item in carom["frames"].items()}
            self.solids = [{name: group.attrs[name] for name in ("first", "count", "corners", "share_mass")}
                           for group in carom.get("solids", {}).values()]
            self.leeway = carom.attrs["leeway"]
            groups = {name: group for name, group in carom.get("observables", {}).items() if isinstance(group, h5py.Group)}
            self.observed = {name: self.table(group) for name, group in groups.items()}
            self.values = {name: {key: item.attrs["mean"] for key, item in group["values"].items()} for name, group in groups.items()}
            self.merges = {name: carom["merges"][name][:] for name in ("time", "i", "j")} if "merges" in carom else None

    @staticmethod
    def table(group):
        found = {}

        def visit(name, item):
            if isinstance(item, h5py.Dataset):
                found[name] = item[()]
        group.visititems(visit)
        return found

    def unwrapped(self):
        return self.position + self.image * numpy.diagonal(self.edges, axis1=1, axis2=2)[:, None, :]
