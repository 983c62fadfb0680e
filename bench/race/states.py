"""The states that all programs start from: made once by carom, kept, and written out in each program's format."""
import cmath
import json
import math
import os
import random
import subprocess

CRYSTAL_FROM = 0.53  # packing fractions above stay on their lattice
SLOW_FROM = 0.45  # those above melt slowly, 1,000 collisions a particle near freezing: they start with vacancies
COLLISIONS_EACH = 30  # of a particle, between two looks whether the lattice has melted
LEAST, LONGEST = 5, 20  # such looks; the least for those that start with vacancies

SCENE = """carom: 1
title: State of the race
engine: hard
dimension: 3
seed: %(seed)d
box: {%(box)s, boundary: periodic}
species:
  grain: {diameter: 1, mass: 1}
particles:
  - {species: grain, %(particles)s}
run: {until: {%(until)s}}
"""
LATTICE = "count: %d, place: fcc, velocity: {maxwell: 1}, zero_momentum: true"


class State:
    """Positions and velocities of the particles. `rate`: collisions of a particle per unit time."""

    def __init__(self, n, fraction, folder):
        self.n, self.fraction, self.folder = n, fraction, os.path.abspath(folder)
        self.side = self.rate = self.order = self.collisions = None

    def path(self, name):
        return os.path.join(self.folder, name)

    def crystal(self):
        return self.fraction > CRYSTAL_FROM


def side_of(n, fraction):
    """The box of n spheres of diameter 1."""
    return (n * math.pi / 6 / fraction) ** (1 / 3)


def cells_of(n):
    """Lattice cells along a side for n = 4 k^3 particles."""
    k = round((n / 4) ** (1 / 3))
    if 4 * k**3 != n:
        raise ValueError("%d is not 4 k^3: the lattice would not fill the box" % n)
    return k


def places(n, fraction, seed):
    """Positions of the particles of a fluid that melts fast: n sites drawn from a denser fcc lattice, half-way to
    the densest possible one, in the order of the lattice; and its cells along a side."""
    side = side_of(n, fraction)
    densest = int(side / math.sqrt(2))  # neighbours are side / cells / sqrt(2) apart
    cells = (cells_of(n) + densest + 1) // 2
    corners = ((0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5))
    step = side / cells
    chosen = sorted(random.Random(seed).sample(range(4 * cells**3), n))
    sites = [(s // 4 // cells // cells, s // 4 // cells % cells, s // 4 % cells, corners[s % 4]) for s in chosen]
    return [[(c + 0.25 + o) * step for c, o in zip(site[:3], site[3])] for site in sites], cells


def lattice_order(positions, cells, side):
    """The largest Fourier component of the density at the first wave vectors of the lattice: 1 in the lattice, about
    1 / sqrt(N) in a fluid. Drift has no effect on it."""
    step = 2 * math.pi * cells / side
    largest = 0
    for b, c in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        total = sum(cmath.exp(1j * step * (x + b * y + c * z)) for x, y, z in positions)
        largest = max(largest, abs(total) / len(positions))
    return largest


def melted(order, n):
    return order < 5 / math.sqrt(n)


def last_frame(path, n):
    """Rows `species x y z vx vy vz ...` of the last frame of an extended XYZ file, as lists of words."""
    with open(path) as file:
        rows = [line.split() for line in file]
    if len(rows) % (n + 2) != 0:
        raise ValueError("%s does not hold whole frames of %d particles" % (path, n))
    return rows[-n:]


def write_xyz(path, side, rows):
    with open(path, "w") as file:
        file.write('%d\nLattice="%r 0 0 0 %r 0 0 0 %r" Properties=species:S:1:pos:R:3:velo:R:3\n'
                   % (len(rows), side, side, side))
        file.writelines(" ".join(row[:7]) + "\n" for row in rows)


def write_sph(path, side, rows):
    """Format of EDMD: the number, the sides, and `type x y z radius`; EDMD draws its own velocities."""
    with open(path, "w") as file:
        file.write("%d\n%r %r %r\n" % (len(rows), side, side, side))
        file.writelines("a %s %s %s 0.5\n" % tuple(row[1:4]) for row in rows)


DYNAMO_HEAD = """<?xml version="1.0"?>
<DynamOconfig version="1.5.0">
<Simulation>
<Scheduler Type="NeighbourList"><Sorter Type="BoundedPQMinMax3"/></Scheduler>
<SimulationSize x="%(side)r" y="%(side)r" z="%(side)r"/>
<Genus><Species Mass="1" Name="Bulk" Type="Point"><IDRange Type="All"/></Species></Genus>
<BC Type="PBC"/>
<Topology/>
<Interactions>
<Interaction Type="HardSphere" Diameter="1" Elasticity="1" Name="Bulk"><IDPairRange Type="All"/></Interaction>
</Interactions>
<Locals/><Globals/><SystemEvents/>
<Dynamics Type="Newtonian"/>
</Simulation>
<Properties/>
<ParticleData>
"""


def write_dynamo(path, side, rows):
    """Format of DynamO: its configuration, the box centred on the origin, with the scheduler and sorter that its
    packer selects."""
    with open(path, "w") as file:
        file.write(DYNAMO_HEAD % {"side": side})
        for i, row in enumerate(rows):
            place = tuple(repr(float(x) - side / 2) for x in row[1:4])
            file.write('<Pt ID="%d"><P x="%s" y="%s" z="%s"/><V x="%s" y="%s" z="%s"/></Pt>\n'
                       % ((i, *place) + tuple(row[4:7])))
        file.write("</ParticleData>\n</DynamOconfig>\n")


def write_text(path, text):
    with open(path, "w") as file:
        file.write(text)


def carom_run(carom, scene, folder):
    """Runs a scene of the folder and returns its summary. The result is scene.h5 in the folder."""
    result, summary = os.path.join(folder, "scene.h5"), os.path.join(folder, "summary.json")
    subprocess.run([carom, "run", scene, "-o", result, "--json", summary, "--force", "--quiet", "--threads", "1"], check=True, cwd=folder)
    with open(summary) as file:
        return json.load(file)


def forget(folder):
    """Removes the result of the last run."""
    for name in ("scene.h5", "scene.h5.checkpoint"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))


def advance(carom, state, particles, seed):
    """Runs COLLISIONS_EACH more collisions from `particles` (text of a scene); returns the rows of the last frame,
    and the summary."""
    scene = state.path("scene.yaml")
    write_text(scene, SCENE % {"seed": seed, "box": "size: %r" % state.side, "particles": particles,
                               "until": "collisions: %d" % (state.n * COLLISIONS_EACH // 2)})
    summary = carom_run(carom, scene, state.folder)
    export = state.path("export.xyz")
    subprocess.run([carom, "export", state.path("scene.h5"), "--to", "xyz", "-o", export, "--force"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    rows = last_frame(export, state.n)
    os.remove(export)
    return rows, summary


def begin(state, seed):
    """The initial particles, text of a scene, the cells of their lattice along a side, and the minimum number of
    checks."""
    if state.crystal() or state.fraction < SLOW_FROM:
        return LATTICE % state.n, cells_of(state.n), 1
    positions, cells = places(state.n, state.fraction, seed)
    write_xyz(state.path("state.xyz"), state.side, [["grain", *map(repr, p), "0", "0", "0"] for p in positions])
    return "place: {file: state.xyz}, velocity: {maxwell: 1}, zero_momentum: true", cells, LEAST


def equilibrate(carom, state, seed):
    """Runs from the lattice until the fluid has melted. Sets the state; returns the rows of its particles, in the
    order of the lattice."""
    state.side, state.collisions = side_of(state.n, state.fraction), 0
    particles, cells, least = begin(state, seed)
    for look in range(1, LONGEST + 1):
        rows, summary = advance(carom, state, particles, seed)
        state.collisions += COLLISIONS_EACH
        state.rate = 2 * summary["events"]["collision"] / (state.n * summary["time"])
        positions = [tuple(map(float, row[1:4])) for row in rows]
        state.order = lattice_order(positions, cells, state.side)
        if state.crystal() or (look >= least and melted(state.order, state.n)):
            return rows
        write_xyz(state.path("state.xyz"), state.side, rows)
        particles = "place: {file: state.xyz}, velocity: file"
    raise RuntimeError("N = %d at %g has not melted: order %.3f" % (state.n, state.fraction, state.order))


def make(carom, work, n, fraction, seed=1, say=print):
    """The state, from the work folder if it exists there."""
    state = State(n, fraction, os.path.join(work, "%d-%g" % (n, fraction)))
    note = state.path("state.json")
    if os.path.exists(note):
        with open(note) as file:
            vars(state).update(json.load(file), folder=state.folder)
        return state
    os.makedirs(state.folder, exist_ok=True)
    say("making the state N = %d, packing fraction %g" % (n, fraction))
    rows = equilibrate(carom, state, seed)
    write_xyz(state.path("state.xyz"), state.side, rows)
    write_sph(state.path("init.sph"), state.side, rows)
    write_dynamo(state.path("dynamo.xml"), state.side, rows)
    write_text(state.path("play.yaml"), SCENE % {"seed": seed, "box": "size: %r" % state.side, "until": "time: 1e9",
                                                 "particles": "place: {file: state.xyz}, velocity: file"})
    forget(state.folder)
    write_text(note, json.dumps({k: v for k, v in vars(state).items() if k != "folder"}, indent=1))
    return state
