#!/usr/bin/env python3
"""The cost of Python, as one table:  bench/python.py [BUILD-FOLDER]

CPU times, medians; runs in interleaved rounds after a warm-up round. ROUNDS=5 by default."""
from __future__ import annotations

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release").resolve()
ROUNDS = int(os.environ.get("ROUNDS", "5"))
os.environ.setdefault("CAROM_LIBRARY", str(BUILD / "libcarom.so"))
sys.path.insert(0, str(ROOT / "python"))
import carom  # noqa: E402

SCENE = ROOT / "bench/fluid-3d.yaml"


def gas(count: int) -> carom.Simulation:
    """The fluid with this number of particles."""
    return carom.Simulation(carom.Scene.load(SCENE, set={"particles.0.count": count}), progress=False)


def cpu(call: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def views(count: int = 1_000_000) -> tuple[float, float, float, float]:
    """CPU seconds of a new frame, of its radii and positions, which are copied when they are read first, and of the positions
    again."""
    sim = gas(count)
    times = []
    for _ in range(10 * ROUNDS):
        sim.step()
        marks = [time.process_time()]
        frame = sim.frame
        marks.append(time.process_time())
        frame.radii
        marks.append(time.process_time())
        frame.positions
        marks.append(time.process_time())
        carom.Frame(frame._handle).positions
        times.append([late - early for early, late in zip(marks, [*marks[1:], time.process_time()])])
    return tuple(statistics.median(column) for column in zip(*times))  # type: ignore[return-value]


def of_the_command() -> float:
    """CPU seconds of a million collisions by the command, as its summary states them."""
    with tempfile.TemporaryDirectory() as folder:
        words = [BUILD / "carom", "run", SCENE, "-o", folder + "/run.h5", "--quiet", "--json", "-"]
        return float(json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)["cpu_s"])


def from_python() -> float:
    """CPU seconds of the same run by Python, with the calls."""
    sim = gas(1000)
    return cpu(lambda: sim.run(collisions=1_000_000))


def observed(particles: int = 10_000, every: int = 10_000) -> float:
    """Cost of a function that reads the velocities of each frame at 10,000 events: CPU time of short runs with and without it,
    by turns."""
    sim = gas(particles)
    events = 200_500
    sim.run(events=events)
    times: "dict[bool, list[float]]" = {False: [], True: []}
    for _ in range(20 * ROUNDS):
        for observing in times:
            observer = sim.observe(lambda frame: frame.velocities[0, 0], every_events=every) if observing else None
            events += 5 * every
            times[observing].append(cpu(lambda: sim.run(events=events)))
            if observer is not None:
                observer.remove()
    return statistics.median(times[True]) / statistics.median(times[False]) - 1


def ratio(one: Callable[[], float], other: Callable[[], float]) -> float:
    """Median over the rounds of the ratio of two times."""
    one(), other()
    return statistics.median(one() / other() for _ in range(ROUNDS))


def main() -> None:
    frame, radii, positions, again = views()
    rows = (("new frame of 1,000,000 particles", "%.0f microseconds" % (1e6 * frame)),
            ("its radii; its positions: copies", "%.1f; %.1f ms" % (1e3 * radii, 1e3 * positions)),
            ("its positions again", "%.1f microseconds" % (1e6 * again)),
            ("run from Python over that of the command", "%+.2f %%" % (100 * (ratio(from_python, of_the_command) - 1))),
            ("observer each 10,000 events, 10,000 particles", "%+.2f %%" % (100 * observed())))
    for name, value in rows:
        print("%-50s %s" % (name, value))


main()
