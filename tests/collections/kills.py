#!/usr/bin/env python3
"""Kills runs of every example at seeded points, resumes them until they end, and compares whole results - each dataset,
attribute and number of the JSON summary - with those of runs that were left alone.

kills.py [--seed N] [--rounds N] [--seconds S] [--scale X] [--only NAME,...]

A round takes every example once. A run is killed (SIGKILL) or stopped (SIGTERM, SIGINT) at a chosen operation on its
files, which comes at the same simulated time whenever it is run, after a checkpoint at another (tests/collections/
at_operation.c); or it is given a shorter time and ends; or it gets its signal some time after it began. The same seed
makes the same choices.
"""
import argparse
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SOURCE, "tests", "cli"))
sys.dont_write_bytecode = True
from readers import SKIPPED, need  # noqa: E402

need("h5py")
import h5py  # noqa: E402
import numpy  # noqa: E402

# Until when examples run here: about 0.1 s; a number is a time. Those that are not named run to their end.
UNTIL = {
    "ballistic-aggregation": 600, "barometric": 170, "billiard-2d": 40, "bowline": 0.02, "cantilever": 0.05, "chain": 8,
    "cloths-on-spikes": 0.005, "cusick-drape": 0.01, "dice": 0.3, "disks-in-a-box": 0.4, "drained-pile": 6, "draped-cloth": 0.04, "driven-gas": 4, "drum": 8,
    "effusion": 60, "ellipsoids": 1, "granular-gas": "collisions: 40000", "hanging-cloth": 0.4, "hard-chains": "events: 80000",
    "hard-disks": 10, "hard-sphere-fluid": 1.9, "hopper": 4, "house-of-cards": 0.01, "incline-block": 1.2,
    "jamming": "collisions: 40000", "lennard-jones-liquid": 0.3, "loaded-strip": 6, "nematic": "collisions: 4000", "net": 1.3,
    "overhand-knot": 150, "poured-clumps": 6, "pushed-pile": 4, "recorded-gas": 8, "reef-knot": 0.02, "rod-in-cloth": 0.1, "rods-over-posts": 4, "rough-drum": 6,
    "rough-gas": "collisions: 14000", "rough-pile": 5, "ruler": 0.03,
    "settling-pile": 5, "sheared-fluid": 3, "sheared-granular-gas": 24, "shutter": 130, "sphere-and-plate": 0.0004,
    "spheres-on-cloth": 0.004, "spring-on-plane": 120, "square-well-fluid": "events: 20000", "steady-hopper": 4,
    "stirrer": 20, "thermal-walls": 8, "transport-coefficients": 60, "trash-compactor": 0.03, "tumbling-roof": 0.7, "twisted-cloth": 0.04,
    "twisted-ring": 2, "coil-spring": 0.2, "two-sizes": "collisions: 4000", "vibrated-plate": 120, "wedge": 0.08,
}  # fmt: skip
FEWER = {"two-sizes": ["particles.0.count=4000"]}  # 1.5 s to place the others
PATHS = {"bowline": 1}  # the observable `paths`, whose samples divide the interval of frames
FRAMES = 9
CLOCKS = ("setup_s", "cpu_s", "wall_s", "events_per_s", "peak_rss_bytes")
# Says that a run was resumed; holds times of the clock, and the length of what does.
CLOCKED = ("carom@flags", "carom/checkpoint", "carom/checkpoint@bytes", "carom/summary@digest")
TIMED_OUT = 300


def settings(name, scale):
    """The --set of an example, and the part of run.until that a shorter run has less of."""
    until = UNTIL.get(name)
    if until is None:
        return [], None
    kind, most = until.split(": ") if isinstance(until, str) else ("time", until)
    most = float(most) * scale if kind == "time" else int(int(most) * scale)
    every = "every" if kind == "time" else "every_collisions"
    step = most / FRAMES if kind == "time" else max(most // FRAMES, 1)
    sets = FEWER.get(name, []) + ["run.until={%s: %r}" % (kind, most), "output={frames: {%s: %r}}" % (every, step)]
    if name in PATHS:
        sets.append("observe.%d.every=%r" % (PATHS[name], step / 4))
    return sets, (kind, most)


# ---- comparing ------------------------------------------------------------------------------------------------------


def summary_of(text):
    numbers = json.loads(text)
    for key in CLOCKS:
        numbers.pop(key, None)
    return numbers


def contents(path):
    found = {}

    def note(name, item):
        for key, value in item.attrs.items():
            found[name + "@" + key] = value
        if isinstance(item, h5py.Dataset):
            found[name] = item[()]

    with h5py.File(path, "r") as file:
        note("", file)
        file.visititems(note)
    for name in CLOCKED:
        found.pop(name, None)
    text = found.get("carom/summary")
    if text is not None:
        found["carom/summary"] = json.dumps(summary_of(bytes(numpy.asarray(text)).rstrip(b"\0")), sort_keys=True)
    return found


def holds_checkpoint(path):
    """Whether a run has finished and its result holds the last checkpoint."""
    try:
        with h5py.File(path, "r", swmr=True) as file:
            return int(file["carom/checkpoint"].attrs["bytes"]) > 0
    except (OSError, KeyError):
        return False


def same(a, b):
    one, two = numpy.asarray(a), numpy.asarray(b)
    if one.dtype != two.dtype or one.shape != two.shape:
        return False
    return str(a) == str(b) if one.dtype.kind == "O" else one.tobytes() == two.tobytes()


def describe(a, b):
    one, two = numpy.asarray(a), numpy.asarray(b)
    if one.dtype.kind not in "fiu" or one.shape != two.shape:
        return "%s, not %s" % (str(b)[:300], str(a)[:300])
    at = numpy.argwhere(one != two)
    if len(at) == 0:
        return "signs or NaNs"
    where = tuple(at[0])
    return "%d of %d numbers, the first %s: %r, not %r" % (len(at), one.size, where, two[where], one[where])


def differences(whole, other, prefix=""):
    """What differs between two JSON objects."""
    if isinstance(whole, dict) and isinstance(other, dict):
        keys = sorted(set(whole) | set(other))
        return [line for k in keys for line in differences(whole.get(k), other.get(k), prefix + "." + k if prefix else k)]
    return [] if whole == other else ["%s: %r, not %r" % (prefix, other, whole)]


def compare(whole, other, but):
    """`but`: names that may differ."""
    a, b = contents(whole + ".h5"), contents(other + ".h5")
    for name in but:
        a.pop(name, None), b.pop(name, None)
    lines = ["%s is in one file only" % name for name in sorted(set(a) ^ set(b))]
    lines += ["%s: %s" % (k, describe(a[k], b[k])) for k in sorted(set(a) & set(b)) if not same(a[k], b[k])]
    with open(whole + ".json") as one, open(other + ".json") as two:
        lines += differences(summary_of(one.read()), summary_of(two.read()))
    return len(a), lines


# ---- running --------------------------------------------------------------------------------------------------------


class Failure(Exception):
    pass


class Victim:
    """One example, and how its runs go on."""

    def __init__(self, name, scale, folder, dice):
        self.name, self.folder, self.dice = name, folder, dice
        self.scene = os.path.join(SOURCE, "examples", name + ".yaml")
        self.sets, self.until = settings(name, scale)
        self.story, self.may_differ = [], []

    def path(self, stem, ending=""):
        return os.path.join(self.folder, stem + ending)

    def run(self, stem, sets=(), plan=(), count=None, after=None):
        """Runs or resumes; the exit status, and how long it took. `after`: seconds until a signal, and the signal."""
        here = self.path(stem, ".h5")
        begun = os.path.exists(here) and (os.path.exists(here + ".checkpoint") or holds_checkpoint(here))
        command = [os.environ["CAROM"], "run", self.scene, "-o", here, "-q", "--json", self.path(stem, ".json")]
        command += ["--resume" if begun else "--force"]
        for one in list(self.sets) + list(sets):
            command += ["--set", one]
        environment = dict(os.environ, OMP_NUM_THREADS="1")
        preload = os.path.join(os.path.dirname(os.environ["CAROM"]), "libat_operation.so")
        if os.path.exists(preload) and (plan or count):
            environment["LD_PRELOAD"] = preload
            environment["AT_OPERATION"] = " ".join("%d %d" % (at, number) for at, number in plan)
            if count:
                environment["AT_OPERATION_COUNT"] = count
        began = time.monotonic()
        process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        if after is not None:
            time.sleep(after[0])
            process.send_signal(after[1])
        try:
            errors = process.communicate(timeout=TIMED_OUT)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failure("no end after %d s" % TIMED_OUT) from None
        self.story.append("%s%s%s -> %d" % ("resume" if begun else "start", " " + str(plan) if plan else "",
                                           " " + " ".join(sets) if sets else "", process.returncode))
        if process.returncode not in (0, 75, 76) and process.returncode >= 0:
            raise Failure("exit status %d: %s" % (process.returncode, errors.strip()))
        return process.returncode, time.monotonic() - began

    def whole(self):
        counted = self.path("operations")
        status, seconds = self.run("whole", count=counted)
        if status not in (0, 76):
            raise Failure("the run that is left alone ends with %d" % status)
        self.status, self.seconds, self.operations = status, seconds, 0
        if os.path.exists(counted):
            with open(counted) as file:
                self.operations = int(file.read())
            if self.operations == 0:
                raise Failure("operations on files are not seen")

    def end_somehow(self):
        """One life, that ends too early."""
        ending = self.dice.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
        kind = self.dice.choice(("operation", "operation", "shorter", "moment"))
        if kind == "shorter" and self.until is not None and len(self.story) == 1:  # never shorter than it ran already
            limit, most = self.until
            less = most * self.dice.uniform(0.05, 0.95)
            less = less if limit == "time" else int(less) + 1
            ended = self.run("killed", sets=["run.until={%s: %r}" % (limit, less)])
            # One that its dynamics have ended before its scene does is not gone on with: that scene stays.
            with open(self.path("killed", ".json")) as summary:
                if json.load(summary)["stop"] not in ("time", "collisions"):
                    self.may_differ = ["carom/scene", "carom/scene@digest"]
            return ended
        if kind == "operation" and self.operations > 0:
            at = self.dice.randint(1, self.operations)
            return self.run("killed", plan=[(self.dice.randint(1, at), signal.SIGUSR1), (at, ending)])
        return self.run("killed", after=(self.seconds * self.dice.uniform(0.1, 0.9), ending))

    def judge(self, lives):
        self.whole()
        for _ in range(lives):
            self.end_somehow()
        status, _ = self.run("killed")
        if status != self.status:
            raise Failure("it ends with %d, not %d" % (status, self.status))
        return compare(self.path("whole"), self.path("killed"), self.may_differ)


def one(name, seed, scale, lives):
    """What differs: lines of text."""
    dice = random.Random("%s %s" % (name, seed))
    folder = tempfile.mkdtemp(prefix="carom-kills-")
    victim = Victim(name, scale, folder, dice)
    try:
        count, lines = victim.judge(lives)
    except Failure as failure:
        count, lines = 0, [str(failure)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if lines:
        lines = ["%s, seed %s: %s" % (name, seed, "; ".join(victim.story))] + ["    " + line for line in lines]
        print("\n".join(lines))
    else:
        print("%s: %d datasets and attributes are the same after %s" % (name, count, "; ".join(victim.story)))
    sys.stdout.flush()
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of the first round")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no new round after these")
    parser.add_argument("--scale", type=float, default=1, help="of the time that examples run")
    parser.add_argument("--lives", type=int, default=2, help="interruptions of each run")
    parser.add_argument("--only", default="", help="examples, between commas")
    chosen = parser.parse_args()
    if "CAROM" not in os.environ:
        os.environ["CAROM"] = os.path.join(SOURCE, "build", "release", "carom")
    names = sorted(os.path.basename(path)[:-5] for path in glob.glob(os.path.join(SOURCE, "examples", "*.yaml")))
    names = [name for name in names if not chosen.only or name in chosen.only.split(",")]
    began, failed, told = time.monotonic(), [], []
    for k in range(chosen.rounds):
        for name in names:
            lines = one(name, chosen.seed + k, chosen.scale, chosen.lives)
            if lines:
                failed.append(name)
                told += lines
        if time.monotonic() - began > chosen.seconds:
            break
    if told:
        print("\n".join(told))  # again: of a long log the end is read
    print("%d of %d differ%s" % (len(failed), len(names) * (k + 1), ": " + ", ".join(failed) if failed else ""))
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
