"""Scenes that are put together from features, and what a scene becomes where units, axes and the order of its lists are
others. Numbers carry their dimension, vectors say whether they are places, directions or turns: emit() makes YAML of all."""
import json
import math
import os
import random

import numpy


class Change:
    """Other units, axes and order. Axis k of the changed scene is axis `axes[k]` of the original, mirrored if
    `signs[k]` is -1."""

    def __init__(self, dimension, axes=None, signs=None, units=(1, 1, 1), lists=False, bodies=False, shift=None, drift=None):
        self.dimension, self.units = dimension, units
        self.lists, self.bodies = lists, bodies  # in reverse
        self.axes = list(axes or range(dimension))
        self.signs = list(signs or [1] * dimension)
        self.shift = numpy.zeros(dimension) if shift is None else numpy.array(shift[:dimension])
        self.drift = numpy.zeros(dimension) if drift is None else numpy.array(drift[:dimension])
        self.matrix = numpy.zeros((dimension, dimension))
        for k, axis in enumerate(self.axes):
            self.matrix[k, axis] = self.signs[k]
        self.handed = round(numpy.linalg.det(self.matrix))

    def unit(self, power):
        return math.prod(float(unit) ** p for unit, p in zip(self.units, power))

    def places(self, x, size):
        """Positions [..., D]; mirrored about the middle of the box."""
        turned = numpy.asarray(x)[..., self.axes] * self.signs + numpy.where(numpy.array(self.signs) < 0, size[self.axes], 0)
        return (turned + self.shift) * self.units[0]

    def vectors(self, v, power):
        return numpy.asarray(v)[..., self.axes] * self.signs * self.unit(power)

    def speeds(self, v):
        return self.vectors(v, SPEED) + self.drift * self.unit(SPEED)

    def turns(self, w):
        """Angular velocities [..., 3]; in 2D along z."""
        w = numpy.asarray(w)
        if self.dimension == 2:
            return w * self.handed * self.unit(RATE)
        return w[..., self.axes] * self.signs * self.handed * self.unit(RATE)


# Powers of length, mass and time.
LENGTH, MASS, TIME, SPEED, RATE, ENERGY = (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, -1), (0, 0, -1), (2, 1, -2)
PULL, STIFFNESS, DAMPING, ACTION, PRESSURE = (1, 0, -2), (0, 1, -2), (0, 1, -1), (2, 1, -1), (-1, 1, -2)


class Value:
    def __init__(self, value, power=(0, 0, 0)):
        self.value, self.power = value, power


class Number(Value):
    def emit(self, scene, change):
        return self.value * change.unit(self.power)


class Handed(Number):
    """An angular velocity about an axis that is given as a direction."""

    def emit(self, scene, change):
        return self.value * change.unit(self.power) * change.handed


class Place(Value):
    def emit(self, scene, change):
        x = change.places(self.value[:scene.dimension], scene.size)
        return numpy.where(scene.periodic[change.axes], x % (scene.size[change.axes] * change.units[0]), x).tolist()


class Vector(Value):
    def emit(self, scene, change):
        return change.vectors(self.value[:scene.dimension], self.power).tolist()


class Speed(Value):
    """Velocity of a body, to which a common drift is added."""

    def emit(self, scene, change):
        return change.speeds(self.value[:scene.dimension]).tolist()


class Turn(Value):
    """An angular velocity; in 2D its z component."""

    def emit(self, scene, change):
        w = change.turns(self.value).tolist()
        return w[2] if scene.dimension == 2 else w


class AlongAxes(Value):
    """One entry per axis, without direction."""

    def emit(self, scene, change):
        entries = [self.value[axis] for axis in change.axes]
        return entries if isinstance(entries[0], str) else [entry * change.unit(self.power) for entry in entries]


class Body(Value):
    """The index of a particle."""

    def emit(self, scene, change):
        return scene.bodies - 1 - self.value if change.bodies else self.value


class Unordered(Value):
    """A list whose order has no effect."""

    def emit(self, scene, change):
        entries = emit(self.value, scene, change)
        return entries[::-1] if change.lists else entries


class ByBody(Value):
    """A list with one entry per particle, in order."""

    def emit(self, scene, change):
        entries = emit(self.value, scene, change)
        return entries[::-1] if change.bodies else entries


class Mesh(Value):
    """A file of vertices and triangles."""

    def emit(self, scene, change):
        vertices, triangles = self.value
        path = os.path.abspath("mesh-%d.obj" % len(scene.files))
        scene.files.append(path)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines("v %r %r %r\n" % tuple((Place(v).emit(scene, change) + [0.0])[:3]) for v in vertices)
            file.writelines("f %d %d %d\n" % tuple(n + 1 for n in t) for t in triangles)
        return path


def emit(value, scene, change):
    if isinstance(value, Value):
        return value.emit(scene, change)
    if isinstance(value, dict):
        return {name: emit(inner, scene, change) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [emit(entry, scene, change) for entry in value]
    return value


class Clash(Exception):
    """Two features that set different values of the same key."""


class Scene:
    """The base scene of all features. It has bodies of two species in three entries that all differ."""

    SIZES = {2: (9.1, 7.3), 3: (5.4, 6.3, 4.7)}
    SPECIES = {"z": (0.9, 2.3), "a": (0.62, 0.7)}  # diameter, mass
    ENTRIES = (("a", 11), ("z", 9), ("a", 10))

    def __init__(self, engine):
        self.engine, self.dimension, self.names = engine, 3, []
        self.keys, self.laws, self.last = {}, {}, []
        self.lists = {name: [] for name in ("planes", "cylinders", "meshes", "drives", "bonds", "potentials", "springs", "hinges",
                                            "segments", "bodies")}
        self.preferred = "periodic"  # boundary where no feature sets it
        self.clear = []              # functions (place, radius): is there room?
        self.near = {}               # bodies that are placed near another: number: (the other, distance)
        self.rods = []               # (i, j, radius): what is placed later keeps clear of the way between i and j
        self.pushes = []             # directions in which something that the file does not list pushes; None: all
        self.fixed = set()           # what must not change: "axes", "bodies", "drift"
        self.spins = self.axes = False
        self.time, self.brief, self.frames, self.files = 20.0, 1.0, 10, []
        self.observed = {}           # observables and their settings

    # ---- what features call

    @staticmethod
    def length(value):
        return Number(value, LENGTH)

    def put(self, key, value):
        if self.keys.setdefault(key, value) != value:
            raise Clash(key)

    def law(self, first, second, **settings):
        law = self.laws.setdefault((first, second), {})
        for key, value in settings.items():
            if law.setdefault(key, value) is not value:
                raise Clash("contacts." + key)

    def laws_with(self, other, **by_species):
        """by_species: z={...}, a={...}."""
        for name, settings in by_species.items():
            self.law(name, other, **settings)

    def prefer(self, boundary):
        if self.preferred != "wall":
            self.preferred = boundary

    def later(self, call):
        """Adds a call that runs after all features have been applied."""
        self.last.append(call)

    def at(self, *fractions):
        return numpy.array(self.SIZES[self.dimension]) * fractions[:self.dimension]

    def push(self, direction=None):
        self.pushes.append(None if direction is None else numpy.array(direction[:self.dimension], float))

    # ---- what becomes of it

    def finish(self):
        self.size = numpy.array(self.SIZES[self.dimension])
        preferred = [self.preferred] * 3 if isinstance(self.preferred, str) else self.preferred
        self.boundary = self.keys.pop("box.boundary", preferred)[:self.dimension]
        self.periodic = numpy.array([word == "periodic" for word in self.boundary])
        for call in self.last:
            call(self)
        self.species = [name for name, count in self.ENTRIES for _ in range(count)]
        self.bodies = len(self.species)
        self.radius = numpy.array([self.SPECIES[name][0] / 2 for name in self.species])
        self.mass = numpy.array([self.SPECIES[name][1] for name in self.species])
        dice = random.Random(11)
        self.position = self.places(dice)
        gauss = numpy.array([[dice.gauss(0, 1) for _ in range(3)] for _ in range(self.bodies)])
        self.velocity = gauss[:, :self.dimension] / numpy.sqrt(self.mass)[:, None] + [0.2, -0.3, 0.1][:self.dimension]
        if "open" in self.boundary:  # else they would part for good
            self.velocity -= 0.6 * (self.position - self.size / 2)
        self.spin = numpy.array([[dice.gauss(0, 2) for _ in range(3)] for _ in range(self.bodies)])
        self.axis = numpy.array([[dice.gauss(0, 1) for _ in range(3)] for _ in range(self.bodies)])

    def room(self, i, x, placed):
        r = self.radius[i] * self.stretch(i)
        for k in range(self.dimension):
            if not self.periodic[k] and not r + 0.02 < x[k] < self.size[k] - r - 0.02:
                return False
        if i in self.near:
            other, most = self.near[i]
            if numpy.linalg.norm(x - placed[other]) > most:
                return False
        for j, y in enumerate(placed):
            d = x - y
            d -= numpy.where(self.periodic, self.size * numpy.round(d / self.size), 0)
            if numpy.linalg.norm(d) < r + self.radius[j] * self.stretch(j) + 0.02:
                return False
        rods = all(self.off_rod(x, placed[a], placed[b], r + thick + 0.02)
                   for a, b, thick in self.rods if max(a, b) < len(placed))
        return rods and all(free(x, r + 0.02) for free in self.clear)

    def off_rod(self, x, a, b, distance):
        x = x - numpy.where(self.periodic, self.size * numpy.round((x - (a + b) / 2) / self.size), 0)
        along = min(max((x - a) @ (b - a) / ((b - a) @ (b - a)), 0), 1)
        return numpy.linalg.norm(x - a - along * (b - a)) > distance

    def stretch(self, i):
        return 1.3 if self.axes and self.species[i] == "z" else 1.0

    def trial(self, i, placed, dice):
        if i not in self.near:
            return numpy.array([dice.uniform(0, side) for side in self.size])
        other, most = self.near[i]
        return placed[other] + [dice.uniform(-most, most) for _ in self.size]

    def places(self, dice):
        for _ in range(50):
            placed = []
            for i in range(self.bodies):
                trials = (self.trial(i, placed, dice) for _ in range(2000))
                x = next((x for x in trials if self.inside(x) and self.room(i, x, placed)), None)
                if x is None:
                    break  # begin anew
                placed.append(x)
            else:
                return numpy.array(placed)
        raise AssertionError("no room for body %d of %s" % (i, self.names))

    def inside(self, x):
        return (x >= 0).all() and (x < self.size).all()

    def entries(self):
        entries, first = [], 0
        for species, count in self.ENTRIES:
            some = range(first, first + count)
            entry = {"species": species, "place": {"at": ByBody([Place(self.position[i]) for i in some])},
                     "velocity": {"each": ByBody([Speed(self.velocity[i]) for i in some])}}
            if self.spins:
                entry["angular_velocity"] = {"each": ByBody([Turn(self.spin[i]) for i in some])}
            if self.axes:
                entry["orientation"] = {"each": ByBody([Vector(self.axis[i]) for i in some])}
            entries.append(entry)
            first += count
        return ByBody(entries)

    def observables(self):
        """The observables possible for the boundaries; sampled at each frame."""
        every = Number(self.time / self.frames, TIME)
        return Unordered([dict(settings, what=name, every=every) for name, settings in self.observed.items()])

    def tree(self):
        species = {name: {"diameter": Number(d, LENGTH), "mass": Number(m, MASS)} for name, (d, m) in self.SPECIES.items()}
        tree = {"carom": 1, "engine": self.engine, "dimension": self.dimension, "seed": 3,
                "box": {"size": AlongAxes(list(self.size), LENGTH), "boundary": AlongAxes(self.boundary)}, "species": species,
                "particles": self.entries(), "observe": self.observables(),
                "contacts": Unordered([dict(law, between=list(pair)) for pair, law in self.laws.items()]),
                "run": {"until": {"time": Number(self.time, TIME)}},
                "output": {"frames": {"every": Number(self.time / self.frames, TIME)}}}
        for name, entries in self.lists.items():
            if entries:
                tree[name] = Unordered(entries)
        for key, value in self.keys.items():
            *path, last = key.split(".")
            inner = tree
            for part in path:
                inner = inner.setdefault(part, {})
            if value is None:
                inner.pop(last)
            else:
                inner[last] = value
        return tree

    def text(self, change):
        self.files.clear()
        tree = emit(self.tree(), self, change)
        if change.lists:
            tree["species"] = dict(reversed(tree["species"].items()))
        return json.dumps(tree)


def build(engine, features, names):
    """The scene with the features of these names, applied in the order of the table."""
    scene = Scene(engine)
    if engine == "variational":
        scene.put("variational.courant", 0.05)  # one for all: the default depends on the losses in contacts
    for name, feature in features.items():
        if name in names:
            scene.names.append(name)
            feature(scene)
    scene.finish()
    return scene
