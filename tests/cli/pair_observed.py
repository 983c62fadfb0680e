"""What the observables of the engine `hard` say, from the frames at the same times: value by value."""
import math

import numpy

BINS, RANGE, SHELLS, REACH = 8, 3.0, 6, 1.9
REACH_COMPRESSED = 0.85  # with compression the range must fit every later box


def reach(scene):
    return REACH_COMPRESSED if "compression" in scene.names else REACH


def settings(scene):
    """The observables possible for a scene, and their settings."""
    found = {"energy": {}, "momentum": {}, "temperature": {}, "collision_rate": {},
             "velocity_distribution": {"bins": BINS, "range": RANGE}}
    if "shear" not in scene.names:
        found["msd"] = {}
    if "open" not in scene.boundary:
        found.update(packing_fraction={}, pressure={})
        if "shear" not in scene.names:
            found["radial_distribution"] = {"bins": SHELLS, "range": scene.length(reach(scene))}
    if "wall" in scene.boundary:
        found["wall_pressure"] = {}
    if scene.spins:
        found["rotational_temperature"] = {}
    if scene.axes:
        found["nematic_order"] = {}
    if {"bath", "shear", "hot_walls", "stove"} & set(scene.names):
        found["power"] = {}
    return found


class Measured:
    """Expected values, from a Look at frames."""

    def __init__(self, look):
        self.look, self.n, self.d = look, look.n, look.d
        v = look.v[:, :self.n].copy()
        v[..., 0] -= look.shear * (look.r.position[:, :self.n, 1] - look.edges[:, 1:2] / 2)
        centre = (look.mass[:, None] * v).sum(axis=1) / look.mass.sum()
        self.c = v - centre[:, None]  # peculiar velocities [F][N][D]
        self.stress = numpy.einsum("n,fna,fnb->fab", look.mass, self.c, self.c)
        self.temperature = numpy.trace(self.stress, axis1=1, axis2=2) / (self.d * (self.n - 1))
        self.volume = look.edges[:, :self.d].prod(axis=1)
        self.span = numpy.diff(look.time)

    def rate(self, tally):
        return numpy.diff(tally, axis=0) / self.span.reshape(-1, *[1] * (numpy.ndim(tally) - 1))

    def of_energy(self):
        look = self.look
        return {"kinetic/value": look.kinetic() + look.turning().sum(axis=1),
                "dissipated/value": look.tally("dissipated") + look.tally("supplied")}

    def of_momentum(self):
        return {"momentum/value": self.look.momentum()}

    def of_temperature(self):
        return {"temperature/value": self.temperature}

    def of_rotational_temperature(self):
        turning, ways = 2 * self.look.turning(), self.n * (3 if self.d == 3 else 1)
        if self.look.scene.axes:  # spheres among ellipsoids do not count
            turning = turning[:, self.look.z]
            ways = self.look.z.sum() * (self.d - 1)
        turning = turning.sum(axis=1) / ways
        return {"rotational_temperature/value": turning, "ratio/value": turning / self.temperature}

    def of_nematic_order(self):
        u = self.look.r.orientation[:, :self.n, :self.d][:, self.look.z]
        q = (self.d * numpy.einsum("fna,fnb->fab", u, u) / u.shape[1] - numpy.eye(self.d)) / (self.d - 1)
        return {"nematic_order/value": numpy.linalg.eigvalsh(q)[:, -1]}

    def of_packing_fraction(self):
        r, n = self.look.r, self.n
        if self.look.scene.axes:
            sizes = r.semi_axes[:n, :self.d].prod(axis=1)
        else:
            sizes = r.radius[:n] ** self.d
        return {"packing_fraction/value": sizes.sum() * (4 / 3 * math.pi if self.d == 3 else math.pi) / self.volume}

    def of_pressure(self):
        kinetic = self.stress * self.n / (self.n - 1)
        virial = self.rate(self.look.r.frames["virial"][:, :self.d, :self.d])
        tensor = ((kinetic[1:] + kinetic[:-1]) / 2 + virial) / self.volume[1:, None, None]
        pressure = numpy.trace(tensor, axis1=1, axis2=2) / self.d
        mean = (self.temperature[1:] + self.temperature[:-1]) / 2
        return {"tensor/value": tensor.reshape(len(tensor), -1), "pressure/value": pressure,
                "compressibility/value": pressure * self.volume[1:] / (self.n * mean)}

    def of_wall_pressure(self):
        push = self.rate(self.look.r.frames["wall_impulse"][:, :self.d])
        area = self.volume[1:, None] / self.look.edges[1:, :self.d]
        walls = [k for k in range(self.d) if self.look.scene.boundary[k] == "wall"]
        mean = push[:, walls].sum(axis=(1, 2)) / (2 * area[:, walls].sum(axis=1))
        return {"faces/value": (push / area[:, :, None]).reshape(len(push), -1), "wall_pressure/value": mean}

    def of_collision_rate(self):
        number = self.rate(self.look.r.frames["events"][:, 0].astype(float))
        return {"total_rate/value": number, "collision_rate/value": 2 * number / self.n}

    def of_power(self):
        supplied = self.look.tally("supplied")
        return {"supplied/value": self.rate(supplied), "dissipated/value": self.rate(self.look.tally("dissipated") + supplied)}

    def of_msd(self):
        every, time = self.look.scene.time / self.look.scene.frames, self.look.time
        regular = numpy.abs(time - every * numpy.round(time / every)) < 1e-9 * time[-1]  # not the end of a run that ends by itself
        x = self.look.x[regular, :self.n]
        by_lag = [((x[lag:] - x[:-lag]) ** 2).mean(axis=(0, 1)) for lag in (1, 2, 3) if lag < len(x)]
        return {"msd/axes": numpy.array(by_lag), "msd/msd": numpy.array(by_lag).sum(axis=1)}

    def of_velocity_distribution(self):
        c = self.c * numpy.sqrt(self.look.mass[None, :, None] / self.temperature[:, None, None])
        square, freedom = (c ** 2).sum(axis=2), self.d * (self.n - 1)
        ratio = (square ** 2).mean(axis=1) / square.mean(axis=1) ** 2
        parts = numpy.histogram(c, BINS, (-RANGE, RANGE))[0] / (c.size * 2 * RANGE / BINS)
        speeds = numpy.histogram(numpy.sqrt(square), BINS, (0, RANGE))[0] / (square.size * RANGE / BINS)
        return {"a2/a2/value": (freedom + 2) / freedom * self.d / (self.d + 2) * ratio - 1,
                "components/density": parts, "speeds/density": speeds}

    def of_radial_distribution(self):
        upper, count = numpy.triu_indices(self.n, 1), numpy.zeros(SHELLS)
        for f in range(len(self.look.time)):
            distance = self.look.distances(f)[upper]
            count += [(distance < reach(self.look.scene) * (k + 1) / SHELLS).sum() for k in range(SHELLS)]
        return {"radial_distribution/neighbours": 2 * count / (self.n * len(self.look.time))}


def compared(look):
    """(what, error) of all observables of the run."""
    measured, found = Measured(look), []
    for name, values in look.r.observed.items():
        for key, wanted in getattr(measured, "of_" + name)().items():
            given = values[key][:len(wanted)] if name == "msd" else values[key]
            assert given.shape == wanted.shape, "%s/%s has the shape %s, not %s" % (name, key, given.shape, wanted.shape)
            scale = max(numpy.abs(wanted).max(), 1e-300)
            found.append((name, numpy.abs(given - wanted).max() / scale))
    return found
