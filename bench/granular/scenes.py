"""The scenes of the comparison, and runs of `carom` on them: the starters pile, hopper and drum, and variations."""
import copy
import json
import os
import resource
import subprocess

import h5py
import numpy as np
import yaml

GRAIN, STEEL, WALL = "grain", "steel", "wall"


class Trace:
    """Frames of one run: times (F), positions (F, N, 3), radii and masses (N), and what the deck of the peer needs."""

    def __init__(self, times, positions, radii, masses, cpu, spring=None, velocities=None):
        self.times, self.positions, self.radii, self.masses = times, positions, radii, masses
        self.velocities = velocities  # at the start
        self.cpu = cpu  # CPU seconds of the process
        self.spring = spring  # eta and stiffness of the layers, and the step of the first one


def starter(carom, name):
    text = subprocess.run([carom, "init", name], capture_output=True, text=True, check=True).stdout
    return yaml.safe_load(text)


def contact(tree, other):
    """The law of a grain with a grain, the steel or a wall."""
    for law in tree["contacts"]:
        if law["between"] == [GRAIN, other]:
            return law
    raise KeyError(other)


def changed(tree, changes):
    """The scene with changes `path.of.keys=value`, items of lists by their index."""
    tree = copy.deepcopy(tree)
    for change in changes:
        path, _, value = change.partition("=")
        *above, last = [int(key) if key.isdigit() else key for key in path.split(".")]
        item = tree
        for key in above:
            item = item[key]
        item[last] = yaml.safe_load(value)
    return tree


def seeded(tree, seed, every):
    """The scene with a seed and the interval of its frames; without observables."""
    tree = copy.deepcopy(tree)
    tree.pop("observe", None)
    tree["seed"], tree["output"] = seed, {"frames": {"every": every}}
    return tree


def rolling(tree, mu):
    """The scene with another coefficient of rolling friction between grains."""
    tree = copy.deepcopy(tree)
    contact(tree, GRAIN)["rolling_friction"] = mu
    return tree


def single(pile, eta=0.045, stiffness=7700.0):
    """Two grains of diameter 1 on the floor of the pile: one dropped from 2.5, one thrown along x at 2."""
    tree = copy.deepcopy(pile)
    tree["species"] = {GRAIN: {"diameter": 1, "density": 1}}
    tree["particles"] = [{"species": GRAIN, "place": {"at": [place]}, "velocity": {"each": [speed, 0, 0]}}
                         for place, speed in (([8, 16, 3], 0), ([4, 8, 0.5], 2))]
    tree["variational"].update(eta=eta, stiffness=stiffness)
    tree["run"]["until"]["time"] = 7
    return tree


SILO = {"radius": 6.5, "height": 38.0, "base": 8.0, "opens": 12.0}


def silo(hopper, grains, hole, until):
    """The hopper starter as a silo with a flat bottom: a hole of this radius in the middle of its mesh."""
    tree = copy.deepcopy(hopper)
    vessel, gate = tree["meshes"]
    base, top = SILO["base"], SILO["base"] + SILO["height"]
    vessel["shape"]["revolution"]["profile"] = [[hole, 0], [SILO["radius"], 0], [SILO["radius"], SILO["height"]]]
    vessel["place"]["at"] = [12, 12, base]
    gate["shape"]["disk"]["radius"] = 1.2 * hole + 0.3
    gate["place"]["at"] = [12, 12, base - 0.5]
    opens = SILO["opens"]
    tree["drives"][0]["motion"] = [{"time": opens, "velocity": [6, 0, 0]}, {"time": opens + 3}]
    tree["box"]["size"] = [24, 24, top + 2]
    tree["particles"][0]["count"] = grains
    tree["particles"][0]["place"]["random"]["region"]["cylinder"] = {
        "from": [12, 12, base + 0.7], "to": [12, 12, top], "radius": SILO["radius"] - 0.8}
    tree["run"]["until"]["time"] = until
    return tree


def cpu_of(command, folder):
    """Runs a command; its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError("%s: exit %d: %s" % (" ".join(command), done.returncode, (done.stdout + done.stderr)[-500:]))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def read_result(path):
    """Times, positions, radii, masses and first velocities of the grains; the vertices of meshes follow them."""
    with h5py.File(path, "r") as file:
        group = file["particles/all"]
        kept = np.flatnonzero(group["species"][:] == 0)
        return (file["carom/frames/time"][:], group["position/value"][:][:, kept], group["radius"][:][kept],
                group["mass"][:][kept], group["velocity/value"][0][kept])


def run(carom, tree, folder):
    """Runs a scene; its trace."""
    scene, result, summary = (os.path.join(folder, "scene" + end) for end in (".yaml", ".h5", ".json"))
    with open(scene, "w") as file:
        yaml.safe_dump(tree, file, sort_keys=False, default_flow_style=None)
    cpu = cpu_of([carom, "run", scene, "-o", result, "--json", summary, "--force", "--quiet", "--threads", "1"], folder)
    with open(summary) as file:
        layers = json.load(file)["layers"]
    times, positions, radii, masses, velocities = read_result(result)
    trace = Trace(times, positions, radii, masses, cpu, {key: layers[key] for key in ("eta", "stiffness", "step")}, velocities)
    os.remove(result)
    return trace
