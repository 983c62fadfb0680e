#!/usr/bin/env python3
"""Compares grains of the engine `variational` with those of LAMMPS: the same scenes, measured by the same code.

    tools/granular_peer.py --lmp PATH [--parts starters rolling silo] [--seeds N] [--again]

LAMMPS needs its package GRANULAR (Debian's package lammps has it). Parts: the starters pile, hopper and drum; the angle of repose
against the coefficient of rolling friction; the discharge of a silo against the diameter of its hole. carom runs first, and
LAMMPS begins at the positions of carom's first frame. Runs that the output holds already are not repeated, unless
--again. docs/validation.md describes the laws and the results."""
import argparse
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [ROOT, os.path.join(ROOT, "tools")]

from needs import need  # noqa: E402
from race import between_marks  # noqa: E402

need("h5py", "numpy", "yaml")

from bench.granular import deck, measures, scenes, table, walls  # noqa: E402
from validate.harness import git, machine  # noqa: E402

BEGIN, END = "<!-- grains: written by tools/granular_peer.py -->\n", "<!-- end of grains -->\n"
LAWS = {table.PEER: deck.HERTZ, table.LINEAR: deck.HOOKE}
ROLLING = (0, 0.05, 0.1, 0.2, 0.4)
HOLES = (2.7, 3.0, 3.3, 3.6, 3.9)  # radii of the meshes; a silo with 2.4 clogs
GRAINS = 1200
SHARES = (0.15, 0.4)  # of the grains that have left the silo, while its discharge is measured


def options(arguments):
    parser = argparse.ArgumentParser(description="Compares grains with LAMMPS.")
    parser.add_argument("--lmp", metavar="PATH", help="LAMMPS; without it only carom runs")
    parser.add_argument("--carom", default=os.path.join(ROOT, "build", "release", "carom"), help="the command, in its build folder")
    parser.add_argument("--parts", nargs="+", default=table.PARTS, choices=table.PARTS)
    parser.add_argument("--laws", nargs="+", default=list(LAWS.values()), choices=list(LAWS.values()), help="normal forces of LAMMPS")
    parser.add_argument("--seeds", type=int, default=8, help="seeds of the starters; the other parts take half")
    parser.add_argument("--scenes", nargs="+", default=list(measures.STARTERS), choices=list(measures.STARTERS), help="some of the starters")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="changes a key of the starters, as in `carom run`; give another output")
    parser.add_argument("--step", type=float, default=deck.STEP, help="time step of LAMMPS, over that of carom's first layer (default %(default)g)")
    parser.add_argument("--again", action="store_true", help="repeats runs that the output holds already")
    parser.add_argument("-o", "--output", default=os.path.join(ROOT, "bench", "granular", "table"), help="writes this .json and .md")
    parser.add_argument("--docs", metavar="FILE", help="puts the tables between their marks in this file, too")
    choice = parser.parse_args(arguments)
    choice.carom = os.path.abspath(choice.carom)
    choice.lmp = choice.lmp and (shutil.which(choice.lmp) or os.path.abspath(choice.lmp))
    return choice


def single(choice):
    """(name of the scene in the table, its tree, what measures a trace) of each run of a part."""
    tree = scenes.single(scenes.starter(choice.carom, "pile"))
    for courant in (0.2, 0.05):
        tree["variational"]["courant"] = courant
        yield "%g" % courant, scenes.seeded(tree, 1, 0.01), measures.of_single


def starters(choice):
    for name in choice.scenes:
        tree, measure = scenes.changed(scenes.starter(choice.carom, name), choice.set), measures.STARTERS[name]
        for seed in range(1, choice.seeds + 1):
            yield name, scenes.seeded(tree, seed, 0.25), measure


def rolling(choice):
    tree = scenes.starter(choice.carom, "pile")
    for mu in ROLLING:
        for seed in range(1, max(2, choice.seeds // 2) + 1):
            yield mu, scenes.seeded(scenes.rolling(tree, mu), seed, 0.5), measures.of_pile


def hole_diameter(tree):
    """The diameter of the hole between the surfaces: of the circle with the area of the polygon, less the thickness."""
    profile, half, _ = walls.revolution(tree["meshes"][0])
    return 2 * (profile[0][0] - half)


def of_silo(tree, trace):
    """A clogged silo has no rate."""
    level = tree["meshes"][0]["place"]["at"][2] - 1
    found = {table.FRACTION: measures.filled_fraction(tree, trace), table.CLOGGED: 0}
    try:
        found[table.RATE] = measures.discharge_rate(trace.times, trace.positions, level, *SHARES)
    except measures.Clogged:
        found[table.CLOGGED] = 1
    return found


def silo(choice):
    hopper = scenes.starter(choice.carom, "hopper")
    for hole in HOLES:
        diameter = 2 * hole - 0.3
        expected = 0.6 * (diameter - 1.4) ** 2.5  # grains a unit of time, for the end of the run
        until = scenes.SILO["opens"] + 2 + round(1.3 * SHARES[1] * GRAINS / expected)
        tree = scenes.silo(hopper, GRAINS, hole, until)
        for seed in range(1, max(2, choice.seeds // 2) + 1):
            yield round(hole_diameter(tree), 3), scenes.seeded(tree, seed, 0.25), of_silo


def record(part, scene, program, tree, measure, trace):
    values = {key: round(float(value), 6) for key, value in measure(tree, trace).items()}
    return {"part": part, "scene": scene, "program": program, "seed": tree["seed"], "values": values, "cpu": round(trace.cpu, 2)}


def same(run, other):
    return all(run[key] == other[key] for key in ("part", "scene", "program", "seed"))


def play(choice, part, scene, tree, measure, wanted):
    """Runs carom, and the programs wanted of the peer, on one scene; the records."""
    with tempfile.TemporaryDirectory(prefix="carom-grains-") as folder:
        trace = scenes.run(choice.carom, tree, folder)
        yield record(part, scene, table.OURS, tree, measure, trace)
        for program in wanted:
            yield record(part, scene, program, tree, measure, deck.run(choice.lmp, tree, trace, folder, LAWS[program], choice.step))


def programs(choice, part):
    """The laws of the peer; one only for the part that takes longest."""
    if not choice.lmp:
        return []
    return [program for program, law in LAWS.items() if law in choice.laws and (part in ("single", "starters") or program == table.PEER)]


def version_of(lmp):
    text = subprocess.run([lmp, "-h"], capture_output=True, text=True).stdout
    return next((line.strip() for line in text.split("\n") if "Simulator" in line), "LAMMPS of unknown version")


def circumstances(choice):
    words = [str(datetime.date.today()), machine(), "carom %s" % (git("rev-parse", "--short", "HEAD") or "unknown")]
    return "; ".join(words + ([version_of(choice.lmp)] if choice.lmp else []))


def write_text(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def json_text(kept):
    """A line a run."""
    runs = ",\n".join("  " + json.dumps(run) for run in kept["runs"])
    return '{"where": %s,\n "runs": [\n%s\n]}\n' % (json.dumps(kept["where"], indent=2), runs)


def write(choice, kept):
    report = table.markdown(kept)
    write_text(choice.output + ".json", json_text(kept))
    write_text(choice.output + ".md", report)
    if choice.docs:
        with open(choice.docs, encoding="utf-8") as file:
            text = file.read()
        write_text(choice.docs, between_marks(text, report, BEGIN, END))


def compare(choice, part, kept):
    """Runs what is missing of a part, and writes the tables after each scene."""
    for scene, tree, measure in {"single": single, "starters": starters, "rolling": rolling, "silo": silo}[part](choice):
        wanted = programs(choice, part)
        keys = [{"part": part, "scene": scene, "program": program, "seed": tree["seed"]} for program in [table.OURS, *wanted]]
        if not choice.again and all(any(same(run, key) for run in kept["runs"]) for key in keys):
            continue
        for found in play(choice, part, scene, tree, measure, wanted):
            kept["runs"] = sorted([run for run in kept["runs"] if not same(run, found)] + [found],
                                  key=lambda run: (run["part"], str(run["scene"]), run["program"], run["seed"]))
            print("%s %s, seed %d, %s: %.1f s; %s" % (part, scene, tree["seed"], found["program"], found["cpu"], "; ".join(
                "%s %.4g" % pair for pair in found["values"].items())), flush=True)
        kept["where"][part] = circumstances(choice)
        write(choice, kept)


def main(arguments=None):
    choice, kept = options(arguments), {"where": {}, "runs": []}
    if os.path.exists(choice.output + ".json"):
        with open(choice.output + ".json") as file:
            kept = json.load(file)
    for part in choice.parts:
        compare(choice, part, kept)
    write(choice, kept)
    print(table.markdown(kept))


if __name__ == "__main__":
    main()
