"""carom as a library, for the rows that need thousands of short runs."""
import ctypes
import json
import os
from math import exp


def listed(rows):
    return "[" + ", ".join("[%r, %r, %r]" % tuple(map(float, row)) for row in rows) + "]"


class Channel(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("quantity", ctypes.c_char_p), ("data", ctypes.POINTER(ctypes.c_double)),
                ("type", ctypes.c_int), ("rank", ctypes.c_int), ("shape", ctypes.c_size_t * 3),
                ("numbers", ctypes.c_double * 9), ("counts", ctypes.c_uint64 * 9)]


class Carom:
    def __init__(self, build):
        lib = self.lib = ctypes.CDLL(os.path.join(build, "libcarom.so"))
        pointer, text = ctypes.c_void_p, ctypes.c_char_p
        for name, result, arguments in (
                ("carom_scene_new", pointer, []), ("carom_scene_free", None, [pointer]),
                ("carom_scene_set", ctypes.c_int, [pointer, text]),
                ("carom_scene_load_text", ctypes.c_int, [pointer, text, text, ctypes.c_size_t]),
                ("carom_scene_message", text, [pointer]),
                ("carom_sim_new", ctypes.c_int, [ctypes.POINTER(pointer), pointer, pointer]),
                ("carom_sim_run", ctypes.c_int, [pointer]), ("carom_sim_free", None, [pointer]),
                ("carom_sim_advance", ctypes.c_int, [pointer, ctypes.c_double]),
                ("carom_sim_set_velocities", ctypes.c_int, [pointer, ctypes.c_size_t, pointer, ctypes.POINTER(ctypes.c_double)]),
                ("carom_sim_summary", pointer, [pointer]), ("carom_sim_message", text, [pointer]),
                ("carom_free", None, [pointer]),
                ("carom_sim_frame", pointer, [pointer]), ("carom_frame_count", ctypes.c_size_t, [pointer]),
                ("carom_frame_dimension", ctypes.c_int, [pointer]),
                ("carom_frame_channel", ctypes.c_int, [pointer, text, ctypes.POINTER(Channel)]),
                ("carom_frame_positions", ctypes.POINTER(ctypes.c_double), [pointer]),
                ("carom_frame_velocities", ctypes.POINTER(ctypes.c_double), [pointer])):
            getattr(lib, name).restype = result
            getattr(lib, name).argtypes = arguments

    def begin(self, name, text, sets):
        """A simulation of a scene given as text, without a result file."""
        lib, sim = self.lib, ctypes.c_void_p()
        scene = lib.carom_scene_new()
        for one in sets:
            if lib.carom_scene_set(scene, one.encode()) != 0:
                raise RuntimeError("cannot set " + one)
        text = text.encode()
        if lib.carom_scene_load_text(scene, name.encode(), text, len(text)) != 0:
            raise RuntimeError(lib.carom_scene_message(scene).decode())
        if lib.carom_sim_new(ctypes.byref(sim), scene, None) != 0:
            raise RuntimeError("no simulation of %s: %s" % (name, (lib.carom_sim_message(sim) or b"").decode()))
        return scene, sim

    def end(self, scene, sim):
        self.lib.carom_sim_free(sim)
        self.lib.carom_scene_free(scene)

    def look(self, sim):
        """Positions and velocities, a list of coordinates for each particle."""
        frame = self.lib.carom_sim_frame(sim)
        d, n = self.lib.carom_frame_dimension(frame), self.lib.carom_frame_count(frame)
        flat = (self.lib.carom_frame_positions(frame)[: n * d], self.lib.carom_frame_velocities(frame)[: n * d])
        return [[values[i * d: (i + 1) * d] for i in range(n)] for values in flat]

    def spins(self, sim):
        """Angular velocities, three components for each particle; None without rotation."""
        channel = Channel()
        if self.lib.carom_frame_channel(self.lib.carom_sim_frame(sim), b"angular_velocity", ctypes.byref(channel)) != 0:
            return None
        return [channel.data[3 * i: 3 * i + 3] for i in range(channel.shape[0])]

    def summary(self, sim):
        """The output of `carom run --json`, with `message` added."""
        words = self.lib.carom_sim_summary(sim)
        found = json.loads(ctypes.string_at(words))
        self.lib.carom_free(words)
        found["message"] = (self.lib.carom_sim_message(sim) or b"").decode()
        return found

    def run(self, name, text, *sets):
        """Runs a scene to its end: the summary with `status`, `positions` and `velocities` added."""
        scene, sim = self.begin(name, text, sets)
        status = self.lib.carom_sim_run(sim)
        found = self.summary(sim)
        found["status"] = status
        found["positions"], found["velocities"] = self.look(sim)
        found["spins"] = self.spins(sim)
        self.end(scene, sim)
        return found

    def run_from(self, name, text, positions, velocities, box, *sets):
        """Runs the scene text(start), `start` the keys `place` and `velocity` of particles in a state (arrays, 3D,
        periodic). The pair that collided last may overlap by its rounding, which is invalid in a scene: all
        particles first move freely for a short time."""
        for ahead in (0, 1e-9, 1e-7, 1e-5, 1e-4):
            start = "place: {at: %s}, velocity: {each: %s}" % (listed((positions + ahead * velocities) % box), listed(velocities))
            try:
                return self.run(name, text(start), *sets)
            except RuntimeError as error:
                refusal = error
        raise refusal

    def settle(self, name, text, times, rate, interval, moves=lambda place: True):
        """Positions at each of the times, under a drag that equals the mass times the rate: on the way to equilibrium, the velocities
        of all particles, of which `moves` says by the place whether no drive holds them, are multiplied at intervals."""
        scene, sim = self.begin(name, text, ())
        ids = [i for i, place in enumerate(self.look(sim)[0]) if moves(place)]
        numbers, time = (ctypes.c_uint32 * len(ids))(*ids), 0.0
        for end in times:
            while time < end - interval / 2:
                time += interval
                if self.lib.carom_sim_advance(sim, time) != 0:
                    raise RuntimeError("%s stopped before time %g" % (name, time))
                now = self.look(sim)[1]
                slower = [exp(-rate * interval) * v for i in ids for v in now[i]]
                if self.lib.carom_sim_set_velocities(sim, len(ids), numbers, (ctypes.c_double * len(slower))(*slower)) != 0:
                    raise RuntimeError("cannot slow down " + name)
            yield self.look(sim)[0]
        self.end(scene, sim)

    def watch(self, name, text, times, *sets):
        """Positions and velocities at each of the times."""
        scene, sim = self.begin(name, text, sets)
        for time in times:
            if self.lib.carom_sim_advance(sim, time) != 0:
                raise RuntimeError("%s stopped before time %g" % (name, time))
            yield self.look(sim)
        self.end(scene, sim)
