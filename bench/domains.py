#!/usr/bin/env python3
"""Speed-ups of parallel runs beyond the cores of this machine, by a model of the critical path:

    bench/domains.py [BUILD-FOLDER] [--count N] [--fraction PHI] [--domains 2,8,64] [--collisions K] [--csv FILE]
    bench/domains.py --plot FIGURE.svg FILE.csv...     (FILE-measured-...: measured)

Each number of domains runs as that many threads, on as many cores as there are. In each step of a window the slowest domain
counts, by the CPU time of its thread. A message costs LATENCY plus its bytes over BANDWIDTH; each of the two reductions of a window
2 log2(domains) messages. The set-up is subtracted: the costs are those of a run less those of one with an eighth of the
collisions. The speed-up is relative to the CPU time of one thread."""
from __future__ import annotations

import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
from typing import Any, Dict, List

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCENE = ROOT / "bench/fluid-3d.yaml"
LATENCY, BANDWIDTH = 2e-6, 1e10  # seconds, bytes per second
COLUMNS = ("particles", "fraction", "domains", "collisions", "serial_s", "cpu_s", "critical_s", "messages_s", "windows", "repeated",
           "speedup")


def run(build: pathlib.Path, count: int, fraction: float, collisions: int, domains: int) -> Dict[str, Any]:
    """The summary of a run."""
    with tempfile.TemporaryDirectory() as folder:
        words = [build / "carom", "run", SCENE, "-o", folder + "/run.h5", "--quiet", "--json", "-", "--threads", domains]
        for key, value in (("particles.0.count", count), ("box.packing_fraction", fraction), ("run.until.collisions", collisions)):
            words += ["--set", f"{key}={value}"]
        done = subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)


def costs(summary: Dict[str, Any]) -> Dict[str, float]:
    of_domains = summary.get("domains", {})
    return {"cpu": summary["cpu_s"], "hash": summary["state_hash"], **of_domains}


def steady(build: pathlib.Path, count: int, fraction: float, collisions: int, domains: int) -> Dict[str, Any]:
    """Costs of the last seven eighths of a run, and its hash."""
    first = costs(run(build, count, fraction, collisions // 8, domains))
    whole = costs(run(build, count, fraction, collisions, domains))
    return {key: value if key in ("hash", "count") else value - first[key] for key, value in whole.items()}


def model(serial: Dict[str, Any], found: Dict[str, Any]) -> Dict[str, float]:
    """Seconds of messages, and the speed-up."""
    hops = 2 * 2 * math.ceil(math.log2(found["count"])) * found["windows"]
    messages = LATENCY * (found["messages"] + hops) + found["bytes"] / BANDWIDTH
    return {"messages_s": messages, "speedup": serial["cpu"] / (found["critical_s"] + messages)}


def measure(options: argparse.Namespace) -> List[Dict[str, Any]]:
    given = (options.build.resolve(), options.count, options.fraction, options.collisions)
    serial = steady(*given, 1)
    rows = []
    for domains in options.domains:
        found = steady(*given, domains)
        if found["hash"] != serial["hash"]:
            sys.exit(f"{domains} domains: the state is not that of one thread")
        row = {"particles": options.count, "fraction": options.fraction, "domains": domains,
               "collisions": options.collisions - options.collisions // 8, "serial_s": serial["cpu"], "cpu_s": found["cpu_s"],
               "critical_s": found["critical_s"], "windows": found["windows"], "repeated": found["repeated"],
               **model(serial, found)}
        rows.append(row)
        print("  ".join(f"{key} {row[key]:.4g}" for key in COLUMNS), flush=True)
    return rows


def plot(path: str, tables: List[str]) -> None:
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(6, 4.5))
    most = 2
    for table in tables:
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        domains = [int(row["domains"]) for row in rows]
        most = max([most, *domains])
        measured = "measured" in pathlib.Path(table).stem
        label = f"{int(rows[0]['particles']):,}, {rows[0]['fraction']}, {'measured' if measured else 'model'}"
        axes.loglog(domains, [float(row["speedup"]) for row in rows], "o-" if measured else "s--", label=label)
    axes.loglog([1, most], [1, most], color="0.6", linewidth=1, label="ideal")
    axes.set_xlabel("domains"), axes.set_ylabel("speed-up"), axes.legend(title="particles, packing fraction")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--count", type=int, default=1_000_188)
    parser.add_argument("--fraction", type=float, default=0.49)
    parser.add_argument("--domains", type=lambda text: [int(word) for word in text.split(",")], default=[2, 8, 64])
    parser.add_argument("--collisions", type=int, default=4_000_000)
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--plot", nargs="+", metavar="FILE")
    options = parser.parse_args()
    if options.plot:
        plot(options.plot[0], options.plot[1:])
        return
    rows = measure(options)
    if options.csv:
        with options.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)


main()
