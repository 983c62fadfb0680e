#!/usr/bin/env python3
"""Races the engine `variational` against LAMMPS on bench/variational-pile-3d.yaml: CPU time of one core, in turn.

    tools/pile_peer.py --lmp PATH [--rounds N] [--docs FILE]

Both start from the positions and velocities of carom's first frame, and run to the same time. LAMMPS has the linear dashpot
`pair_style gran/hooke/history 2500 NULL 25 NULL 0 0`, whose impacts have e = 0.57 (carom: 0.3), with the time step 0.0018. The height
of the centre of mass at the end is measured in both. CPU times are those of the whole processes."""
import argparse
import datetime
import os
import statistics
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [ROOT, os.path.join(ROOT, "tools")]

from needs import need  # noqa: E402
from race import between_marks  # noqa: E402

need("h5py", "numpy", "yaml")

import numpy as np  # noqa: E402
import yaml  # noqa: E402

from bench.granular import deck, scenes  # noqa: E402
from validate.harness import git, machine  # noqa: E402

BEGIN, END = "<!-- pile: written by tools/pile_peer.py -->\n", "<!-- end of pile -->\n"
SCENE = os.path.join(ROOT, "bench", "variational-pile-3d.yaml")
STEP, STEPS = 0.0018, 1112
LAW = "2500 NULL 25 NULL 0 0"
DECK = """units lj
atom_style sphere
boundary p p f
newton off
comm_modify vel yes
read_data grains.data
neighbor 0.2 bin
neigh_modify delay 0 every 1 check yes
timestep {step}
pair_style gran/hooke/history {law}
pair_coeff * *
fix motion all nve/sphere
fix weight all gravity 1 vector 0 0 -1
fix floor all wall/gran hooke/history {law} zplane 0 {top}
dump frames all custom {steps} grains.dump id x y z
dump_modify frames sort id format float %.9g
thermo {steps}
run {steps}
"""


def options(arguments):
    parser = argparse.ArgumentParser(description="Races a pile of carom against LAMMPS.")
    parser.add_argument("--lmp", metavar="PATH", required=True, help="LAMMPS with its package GRANULAR")
    parser.add_argument("--carom", default=os.path.join(ROOT, "build", "release", "carom"), help="the command, in its build folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--docs", metavar="FILE", help="puts the table between its marks in this file")
    return parser.parse_args(arguments)


def data_file(box, start):
    """The start for LAMMPS, in the periodic box of the scene."""
    inside = start.positions[0] - box * np.floor(start.positions[0] / box) * [1, 1, 0]
    lines = deck.data_file(inside, start.radii, start.masses, start.velocities).split("\n")
    for line, (name, size) in enumerate(zip("xyz", box), lines.index("1 atom types") + 2):
        lines[line] = "0 %.17g %slo %shi" % (size, name, name)
    return "\n".join(lines)


def peer(lmp, box, start, folder):
    """(CPU seconds, final positions) of LAMMPS."""
    files = {"grains.data": data_file(box, start), "grains.in": DECK.format(step=STEP, steps=STEPS, law=LAW, top="%g" % box[2])}
    for name, text in files.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    cpu = scenes.cpu_of([lmp, "-in", "grains.in", "-log", "none"], folder)
    return cpu, deck.read_dump(os.path.join(folder, "grains.dump"), STEP, len(start.radii))[1][-1]


def race(choice):
    """(CPU seconds, heights of the centre of mass) of each round: [ours, LAMMPS]."""
    with open(SCENE) as file:
        tree = scenes.seeded(yaml.safe_load(file), 1, 2)
    box, times, heights = np.array(tree["box"]["size"], dtype=float), [], []
    for number in range(choice.rounds):
        with tempfile.TemporaryDirectory(prefix="carom-pile-") as folder:
            ours = scenes.run(os.path.abspath(choice.carom), tree, folder)
            cpu, places = peer(choice.lmp, box, ours, folder)
        times.append((ours.cpu, cpu))
        heights.append((ours.positions[-1][:, 2].mean(), places[:, 2].mean()))
        print("round %d: carom %.2f s, LAMMPS %.2f s; centre of mass at %.4f, %.4f" % (number + 1, *times[-1], *heights[-1]), flush=True)
    return np.array(times), np.array(heights)


def report(times, heights):
    def spread(values):
        return "%.2f (%.2f-%.2f)" % (statistics.median(values), min(values), max(values))
    return ("%s; %s, carom %s. CPU seconds of the whole process, median of %d rounds (smallest-largest).\n\n"
            "| carom | LAMMPS | carom / LAMMPS | centre of mass at the end: carom, LAMMPS |\n| --- | --- | --- | --- |\n"
            "| %s | %s | %s | %.4f, %.4f |\n" % (
                datetime.date.today(), machine(), git("rev-parse", "--short", "HEAD") or "unknown", len(times), spread(times[:, 0]),
                spread(times[:, 1]), spread(times[:, 0] / times[:, 1]), *heights[-1]))


def main(arguments=None):
    choice = options(arguments)
    text = report(*race(choice))
    print(text)
    if choice.docs:
        with open(choice.docs, encoding="utf-8") as file:
            page = file.read()
        with open(choice.docs, "w", encoding="utf-8") as file:
            file.write(between_marks(page, text, BEGIN, END))


if __name__ == "__main__":
    main()
