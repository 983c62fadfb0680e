"""Common parts of the experiments on ballistic aggregation: scenes, ensembles over seeds with the shape of each cluster, statistics."""
import json
import os
import subprocess
import tempfile

import h5py
import numpy as np

from .lab import COLORS

PAPER = "Degond, Dimarco, Ferreira, Hecht, arXiv:2309.09523"
COUNTS, PACKINGS = (100, 400, 2500, 10000), (0.1, 0.2, 0.3)
TIMES = np.logspace(-2, 6, 129)  # at which clusters are counted
STEPS = {"TS 1": 1.0, "TS 1/2": 0.5, "TS 1/4": 0.25}
WAYS = {"ED": ["aggregation.method=events"]}
WAYS.update({name: ["aggregation.method=steps", "aggregation.steps.cfl=%g" % cfl] for name, cfl in STEPS.items()})
WAYS.update({name.replace("TS", "rigid"): WAYS[name] + ["aggregation.steps.mode=rigid"] for name in STEPS})
DAMPED = {name.replace("TS", "DAHA"): cfl for name, cfl in STEPS.items()}  # the paper's solver; TS alone is that with `sor`
WAYS.update({name.replace("TS", "DAHA"): WAYS[name] + ["aggregation.steps.solver=daha"] for name in STEPS})
BOUNDS = {"bound 1 radius": ["1"], "bound 1 flight": ["1", "flight"], "bound 2 flights": ["2", "flight"]}  # DAHA, cfl 1
WAYS.update({name: WAYS["DAHA 1"] + ["aggregation.steps.%s=%s" % pair for pair in zip(("bound", "bound_by"), words)] for name, words in BOUNDS.items()})
PAPERS = ("ED", *DAMPED, *STEPS)  # what the paper compares, and our own solver
COLOR = dict(zip(WAYS, ["#222222"] + 3 * [COLORS[1], COLORS[0], COLORS[2]]))
MARK = dict(zip(WAYS, "o" + 3 * "sD^"))
LABEL = {"ED": "ED", **{name: "DAHA, cfl " + name[5:] for name in DAMPED}, **{name: "sor, cfl " + name[3:] for name in STEPS}}
CONTACT_NUMBER = {2: 6, 3: 12}

SCENE = """carom: 1
engine: aggregation
dimension: {dimension}
seed: 1
box: {{packing_fraction: {packing!r}, boundary: {boundary}}}
species: {{grain: {{radius: 0.2, mass: 1}}}}
particles: [{{species: grain, count: {count}, place: {place}, velocity: {velocity}}}]
run: {{until: {until}}}
"""


def scene(count, packing, dimension=2, boundary="wall", velocity="{uniform: [-0.5, 0.5]}", until="{clusters: 1}"):
    """The paper's system: a square lattice in a box with walls, R = 0.2, velocities uniform in [-1/2, 1/2]^2."""
    return SCENE.format(count=count, packing=packing, dimension=dimension, boundary=boundary, velocity=velocity, until=until,
                        place="square" if dimension == 2 else "sc")


class Run:
    """One run, on one core, its files in a folder of its own until the end of `with`."""

    def __init__(self, lab, text, seed, sets=(), allow=(0,), limit=None):
        self.lab, self.folder = lab, tempfile.TemporaryDirectory(prefix="carom-aggregation-")
        self.result = os.path.join(self.folder.name, "run.h5")
        summary = os.path.join(self.folder.name, "run.json")
        command = ["nice", "-n", "5", lab.carom, "run", "-", "-o", self.result, "--json", summary, "--quiet", "--threads", "1",
                   "--seed", str(seed)]
        for one in sets:
            command += ["--set", one]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=limit)
        if done.returncode not in allow:
            raise RuntimeError("seed %d, %s: exit %d: %s" % (seed, " ".join(sets), done.returncode, done.stderr.strip()))
        with open(summary) as file:
            self.summary = json.load(file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def merges(self):
        """Times, and the two particles that touched."""
        with h5py.File(self.result, "r") as file:
            return tuple(file["carom/merges/" + name][:] for name in ("time", "i", "j"))

    def frame(self, number=-1):
        """Time, positions and clusters."""
        with h5py.File(self.result, "r") as file:
            at = file["particles/all"]
            return (float(file["carom/frames/time"][number]), at["position/value"][number], at["cluster/value"][number])

    def shape(self, *options):
        return shape(self.lab, self.result, *options)


def shape(lab, path, *options):
    """What `carom shape` says of a result."""
    status, out, err = lab.command("shape", path, "--json", "-", *options)
    if status != 0:
        raise RuntimeError("carom shape: exit %d: %s" % (status, err.strip()))
    return json.loads(out)


def shape_row(run):
    """What is kept of the one cluster at the end of a run."""
    found, summary = run.shape()["clusters"][0], run.summary  # in space there is no orientation
    row = {key: found.get(key) for key in ("contacts", "contacts_self", "box_dimension", "aspect_ratio", "orientation",
                                       "gyration_radius", "size")}
    row.update(seed=summary["seed"], stop=summary["stop"], time=summary["time"], cpu=summary["cpu_s"],
               steps=summary.get("steps", {}).get("count"), stalls=summary.get("steps", {}).get("stalls", 0),
               pairs=found["pairs"]["number_self"], r=found["pairs"]["r"], box=summary["box"][0],
               side=found["boxes"]["side"], boxes=found["boxes"]["number"],
               left=[int(n) for n in summary["particles"] - np.searchsorted(np.sort(run.merges()[0]), TIMES, side="right")])
    return row


def ensemble(lab, count, packing, way, seeds, dimension=2):
    """Runs with the seeds 1, 2, ... to one cluster: a row a run."""
    def work():
        rows = []
        for seed in range(1, seeds + 1):
            with Run(lab, text, seed, WAYS[way]) as run:
                rows.append(shape_row(run))
        return rows
    text = scene(count, packing, dimension)
    name = "aggregation%s-%d-%g-%s" % ("" if dimension == 2 else "-%dd" % dimension, count, packing, way.replace("/", "_").replace(" ", "_"))
    return lab.remember(name, {"scene": text, "sets": WAYS[way], "seeds": seeds}, work)


def cells(lab, ways=PAPERS, packings=PACKINGS):
    """All ensembles of the paper's comparison: {(count, packing, way): rows}."""
    counts, seeds = lab.length((COUNTS, 32), (COUNTS[:3], 4)) if lab.size is None else (COUNTS[:2], lab.size)
    return {(n, p, w): ensemble(lab, n, p, w, seeds) for p in packings for w in ways for n in counts
            if lab.selects("%d-%g-%s" % (n, p, w))}


def counts_of(found):
    return sorted({n for n, _, _ in found})


def values(rows, key):
    """The numbers of a column that are known."""
    return np.array([row[key] for row in rows if row[key] is not None], dtype=float)


def error(sample):
    """Standard error of the mean."""
    return float(np.std(sample, ddof=1) / np.sqrt(len(sample))) if len(sample) > 1 else float("nan")


def apart(first, second):
    """By how many standard errors two means differ."""
    spread = np.hypot(error(first), error(second))
    return float((np.mean(first) - np.mean(second)) / spread) if spread > 0 else 0.0


def slope(x, y):
    """Exponent of a power law by least squares of the logarithms, and its standard error."""
    x, y = np.log(np.asarray(x, dtype=float)), np.log(np.asarray(y, dtype=float))
    a, b = np.polyfit(x, y, 1)
    rest = y - a * x - b
    deviation = np.sqrt((rest @ rest) / max(1, len(x) - 2) / ((x - x.mean()) @ (x - x.mean())))
    return float(a), float(deviation)


def plus_minus(sample, form="%.3f"):
    return (form + " ± " + form) % (np.mean(sample), error(sample))
