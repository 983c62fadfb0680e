"""Conservation laws and observables, from positions and velocities of frames alone: each function gives a list of (what, error),
the error relative to the largest terms of the sum that should vanish."""
import numpy

from pair_features import BONDED, GRAVITY, SHEAR, SHOULDER, STEPS, WELL


class Look:
    """A result with its scene, and sums over its frames [F]. Masses are a matrix, as the vertices of a solid share
    its mass."""

    def __init__(self, scene, result):
        self.scene, self.r = scene, result
        self.d, self.n = scene.dimension, scene.bodies
        self.mass = result.mass[:self.n]
        self.x, self.v = result.unwrapped(), result.velocity
        self.masses = numpy.diag(result.mass)
        for solid in result.solids:
            self.masses[solid["first"]:solid["first"] + solid["count"]] = 0
            self.masses[numpy.ix_(solid["corners"], solid["corners"])] = numpy.reshape(solid["share_mass"], (4, 4))
        self.gravity = numpy.array(GRAVITY.value[:self.d]) if "fields.gravity" in scene.keys else numpy.zeros(self.d)
        self.shear = SHEAR if "shear" in scene.names else 0.0
        self.edges = numpy.diagonal(result.edges, axis1=1, axis2=2)
        self.time = result.time
        self.z = numpy.array([name == "z" for name in scene.species])
        self.spin = result.angular_velocity[:, :self.n] if result.angular_velocity is not None else None
        self.mv, self.mx = self.masses @ self.v, self.masses @ self.x

    def kinetic(self):
        return 0.5 * (self.v * self.mv).sum(axis=(1, 2))

    def inertia(self):
        """Moment of inertia of each body; of ellipsoids, about an axis orthogonal to their axis."""
        shares = self.scene.keys
        factors = {name: shares.get("species.%s.inertia" % name, 0.4 if self.d == 3 else 0.5) for name in ("a", "z")}
        factor = numpy.array([factors[name] for name in self.scene.species])
        inertia = factor * self.mass * self.r.radius[:self.n] ** 2
        if self.scene.axes:
            a, b = self.r.semi_axes[:self.n, 0], self.r.semi_axes[:self.n, 1]
            inertia = self.mass * (a * a + b * b) / (5 if self.d == 3 else 4)
        return inertia

    def turning(self):
        """Rotational energy of each body [F][N]."""
        if self.spin is None:
            return 0 * self.v[..., 0]
        return 0.5 * self.inertia() * (self.spin ** 2).sum(axis=2)

    def height(self):
        return -(self.mx @ self.gravity).sum(axis=1)

    def momentum(self):
        return self.mv.sum(axis=1)

    def tally(self, name):
        return self.r.frames.get(name, 0 * self.time)

    def separations(self, f):
        """r_i - r_j [N][N][D] to the nearest image, in the frame f."""
        x = self.r.position[f, :self.n]
        d = x[:, None] - x[None]
        if self.shear:  # images above have slid
            d = d - numpy.round(d[..., 1] / self.edges[f, 1])[..., None] * self.r.edges[f, 1]
        for k in range(self.d):
            if self.scene.periodic[k]:
                d[..., k] -= self.edges[f, k] * numpy.round(d[..., k] / self.edges[f, k])
        return d

    def distances(self, f):
        return numpy.linalg.norm(self.separations(f), axis=2)

    def contact(self):
        radius = self.r.radius[:self.n]
        return radius[:, None] + radius[None]


def pair_energy(look, f):
    """Energy of the potentials of pair_features, from the distances."""
    part = look.distances(f) / look.contact()
    z = look.z
    both, none = z[:, None] & z[None], ~z[:, None] & ~z[None]
    energy = numpy.where(both, -WELL[1] * (part < WELL[0]), numpy.where(none, SHOULDER[1] * (part < SHOULDER[0]), 0.0))
    mixed, inner = ~both & ~none, numpy.full(part.shape, numpy.inf)
    for distance, value in STEPS:  # the nearest step that the pair is within
        inside = mixed & (part < distance) & (distance < inner)
        energy, inner = numpy.where(inside, value, energy), numpy.where(inside, distance, inner)
    if "bonds" in look.scene.names:
        for i, j in BONDED:
            energy[i, j] = energy[j, i] = 0
    return energy[numpy.triu_indices(look.n, 1)].sum()


def spring_energy(look):
    """Energy of springs and hinges, by the table of features; those without a length have their initial length at
    rest."""
    energy, x = 0 * look.time, look.x
    for entry in look.scene.lists["springs"]:
        for i, j in ([end.value for end in pair] for pair in entry["pairs"]):
            length = numpy.linalg.norm(x[:, i] - x[:, j], axis=1)
            rest = entry["length"].value if "length" in entry else length[0]
            energy = energy + 0.5 * entry["stiffness"].value * (length - rest) ** 2
    for entry in look.scene.lists["hinges"]:
        for i, j, k in ([body.value for body in triple] for triple in entry["triples"]):
            a, b = x[:, j] - x[:, i], x[:, k] - x[:, j]
            angle = numpy.arctan2(cross(a, b)[:, 0], (a * b).sum(axis=1))
            turn = angle - (entry["angle"].value if "angle" in entry else angle[0])
            energy = energy + 0.5 * entry["stiffness"].value * ((turn + numpy.pi) % (2 * numpy.pi) - numpy.pi) ** 2
    return energy


def energies(look):
    """The energies in the file, and their balance."""
    kinetic, height, pairs = look.kinetic() + look.turning().sum(axis=1), look.height(), 0 * look.time
    if "potentials" in look.scene.names:
        pairs = numpy.array([pair_energy(look, f) for f in range(len(look.time))])
    springs = spring_energy(look)
    kept = sum(look.tally(name) for name in ("contact", "stretch", "bend"))
    stored = kinetic + height + pairs + springs + kept
    dissipated, work, supplied = (look.tally(name) for name in ("dissipated", "work", "supplied"))
    scale = kinetic[0] + numpy.abs([height, pairs, springs, kept, dissipated, work, supplied]).max()
    lost = sum(look.tally(name) for name in ("restitution", "friction", "damping", "plastic"))

    def error(difference):
        return numpy.abs(difference).max() / scale
    found = [("energy", error(stored + dissipated - work - stored[0])), ("kinetic", error(kinetic - look.tally("kinetic"))),
             ("potential", error(height + pairs - look.tally("potential"))), ("springs", error(springs - look.tally("springs"))),
             ("total", error(stored - look.tally("total")))]
    return found + ([("losses", error(dissipated + supplied - lost))] if "work" in look.r.frames else [])


def free_directions(look):
    """Orthonormal rows: directions without forces other than gravity and walls."""
    scene, d = look.scene, look.d
    pushes = list(scene.pushes)
    walls = [k for k in range(d) if scene.boundary[k] == "wall"]
    if any(law[1] == "wall" and ({"tangential", "temperature"} & set(settings)) for law, settings in scene.laws.items()):
        pushes += [numpy.eye(d)[k] for k in range(d) if any(wall != k for wall in walls)]
    if scene.engine == "aggregation":  # which does not say how hard walls are hit
        pushes += [numpy.eye(d)[k] for k in walls]
    if any(push is None for push in pushes):
        return numpy.zeros((0, d))
    if not pushes:
        return numpy.eye(d)
    _, size, rows = numpy.linalg.svd(numpy.array(pushes))
    return rows[(size > 1e-9).sum():]


def momenta(look):
    """Changes of momentum are due to gravity, walls and, in a sheared box, crossings of its boundary."""
    momentum, free = look.momentum(), free_directions(look)
    given = look.masses.sum() * look.gravity * look.time[:, None]
    wall = look.r.frames["wall_impulse"][:, :look.d]
    given = given + wall[..., 0] - wall[..., 1]  # sums of absolute values
    given[:, 0] -= look.shear * look.edges[:, 1] * (look.mass * look.r.image[:, :look.n, 1]).sum(axis=1)
    scale = numpy.abs(look.mv).sum(axis=1).max() + numpy.abs(given).max()
    missing = (momentum - momentum[0] - given) @ free.T
    found = [("momentum", numpy.abs(missing).max() / scale)] if len(free) else []
    found.append(("sum of momenta", numpy.abs(momentum - look.r.frames["momentum"][:, :look.d]).max() / scale))
    return found


def cross(a, b):
    if a.shape[-1] == 2:
        return (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])[..., None]
    return numpy.cross(a, b)


def angular_momenta(look):
    """Without boundaries, angular momentum changes by the torque of gravity, M X(t) x g, only."""
    scene = look.scene
    if scene.pushes or set(scene.boundary) != {"open"} or "friction" in scene.names:
        return []  # friction turns nothing in `variational`, where particles do not turn
    mass, momentum = look.masses.sum(), look.momentum()
    centre = look.mx.sum(axis=1) / mass
    total = cross(look.x, look.mv).sum(axis=1)
    if look.spin is not None:
        spins = (look.inertia()[:, None] * look.spin).sum(axis=1)
        total = total + (spins if look.d == 3 else spins[:, 2:])
    t = look.time[:, None]
    given = cross(mass * centre[0] * t + momentum[0] * t * t / 2, numpy.broadcast_to(look.gravity, momentum.shape))
    scale = numpy.abs(cross(look.x, look.mv)).sum(axis=1).max()
    what = "angular momentum" + (" of bodies" if scene.lists["bodies"] else "")  # which in between turn about fixed axes
    return [(what, numpy.abs(total - total[0] - given).max() / scale)]


def centre_of_mass(look):
    """The centre of mass moves with the velocity given by the momentum if there are no forces."""
    if look.scene.pushes or "wall" in look.scene.boundary or look.shear or look.scene.engine == "aggregation":
        return []  # where clusters merge particles change their images
    mass = look.masses.sum()
    centre = look.mx.sum(axis=1) / mass
    t = look.time[:, None]
    path = centre[0] + look.momentum()[0] / mass * t + look.gravity * t * t / 2
    return [("centre of mass", numpy.abs(centre - path).max() / numpy.abs(look.x).max())]


def moved(look, key, name, time):
    """Displacement of a plane or cylinder by its drive: each motion starts at the end of the previous one."""
    drive = next((one for one in look.scene.lists["drives"] if one.get(key) == name), {"motion": []})
    far, motions = numpy.zeros(3), drive["motion"]
    ends = [motion["time"].value for motion in motions[1:]] + [numpy.inf]
    for motion, end in zip(motions, ends):
        t = min(time, end) - motion["time"].value
        if t > 0 and "velocity" in motion:
            far = far + t * numpy.array(motion["velocity"].value)
        if t > 0 and "oscillate" in motion:
            swing = motion["oscillate"]
            angle, phase = 2 * numpy.pi * swing["frequency"].value * t, swing["phase"]
            far = far + numpy.array(swing["by"].value) * (numpy.sin(angle + phase) - numpy.sin(phase))
    return far[:look.d]


def surfaces(look, f):
    """Largest distance of a body beyond walls, planes and cylinders, including those with a drive."""
    scene, x, radius = look.scene, look.r.position[f, :look.n], look.r.radius[:look.n]
    beyond, time = [-numpy.inf], look.time[f]
    if scene.axes:
        return -numpy.inf
    for k in range(look.d):
        if scene.boundary[k] == "wall":
            beyond += [(radius - x[:, k]).max(), (x[:, k] + radius - look.edges[f, k]).max()]
    for plane in scene.lists["planes"]:
        point, normal = (numpy.array(plane[key].value)[:look.d] for key in ("point", "normal"))
        point = point + moved(look, "plane", plane["name"], time)
        beyond.append((radius - (x - point) @ normal / numpy.linalg.norm(normal)).max())
    for cylinder in scene.lists["cylinders"]:
        away = x - cylinder["through"].value - moved(look, "cylinder", cylinder["name"], time)
        if look.d == 3:
            axis = cylinder["axis"].value
            away = away - (away @ axis)[:, None] * axis
        beyond.append((radius + cylinder["radius"].value - numpy.linalg.norm(away, axis=1)).max())
    return max(beyond)


def overlaps(look):
    """The deepest overlap of two bodies, or with an immovable object, in box lengths; of ellipsoids that of the
    inner balls."""
    n, worst = look.n, -numpy.inf
    contact = look.contact()
    if look.scene.axes:
        inner = look.r.semi_axes[:n, :look.d].min(axis=1)
        contact = inner[:, None] + inner[None]
    contact = contact * (1 - look.r.leeway)
    free = ~numpy.eye(n, dtype=bool)
    bonded = BONDED if "bonds" in look.scene.names else {}
    for i, j in bonded:
        free[i, j] = free[j, i] = False
    for f in range(len(look.time)):
        distance = look.distances(f)
        worst = max(worst, (contact - distance)[free].max(), surfaces(look, f) - look.r.leeway * 2 * look.r.radius[:n].min())
        for (i, j), (shortest, longest) in bonded.items():
            worst = max(worst, shortest - distance[i, j], distance[i, j] - longest)
    return [("overlap", max(worst, 0.0) / look.edges.max())]


def balance(look):
    return energies(look) + momenta(look) + angular_momenta(look) + centre_of_mass(look) + overlaps(look)
