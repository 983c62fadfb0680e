#!/usr/bin/env python3
"""Races carom against other event-driven codes, which you have built: the same states, in turn, on this machine.

    tools/race.py --edmd-cell MD --edmd-multi MD --edmd-single MD --dynamo DYNARUN [--sizes N...] [--fractions F...]

Measured are collisions per second of CPU time. Each state is made once by carom (fcc lattice, melted where it is a
fluid) and kept in the work folder. In each round every program starts on it, in rotated order, is watched by the lines it
prints, and stopped. States that were raced before and not now stay in the table. docs/benchmarks.md says how the peers are
to be built; in their paths {n} and {phi} stand for the number of particles and the packing fraction, where a peer has to
be built for each state. A peer that is not given is left out."""
import argparse
import datetime
import json
import multiprocessing
import os
import platform
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from bench.race import states, table, watch  # noqa: E402

SIZES = (1372, 13500, 97556, 1000188)
FRACTIONS = (0.1, 0.3, 0.49, 0.545)
BEGIN, END = "<!-- race: written by tools/race.py -->\n", "<!-- end of race -->\n"


def options(arguments):
    parser = argparse.ArgumentParser(description="Races carom against other event-driven codes.")
    parser.add_argument("--carom", default=os.path.join(ROOT, "build", "release", "carom"), help="the command, in its build folder")
    for variant in ("cell", "multi", "single"):
        parser.add_argument("--edmd-" + variant, metavar="PATH", help="EDMD's %s code, built" % variant.capitalize())
    parser.add_argument("--dynamo", metavar="PATH", help="DynamO's dynarun")
    parser.add_argument("--versions", default="", help="the peers' versions and flags, for the table")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="numbers of particles, each 4 k^3")
    parser.add_argument("--fractions", type=float, nargs="+", default=FRACTIONS, metavar="F", help="packing fractions")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6, help="CPU time that each run is watched for, after its warm-up")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "race"), help="where the states are kept")
    parser.add_argument("-o", "--output", default=os.path.join(ROOT, "bench", "race", "table"), help="writes this .json and .md")
    parser.add_argument("--docs", metavar="FILE", help="puts the table between its marks in this file, too")
    choice = parser.parse_args(arguments)
    choice.carom = os.path.abspath(choice.carom)
    return choice


def play_command(carom, state):
    """Our own player, which prints as often as a peer does."""
    piece = max(200000, 1.2 * state.n) * 2 / (state.n * state.rate)
    return [sys.executable, os.path.join(ROOT, "bench", "race", "play.py"), os.path.dirname(carom),
            "play.yaml", repr(piece)]


def peer_path(path, state):
    return os.path.abspath(path.replace("{n}", str(state.n)).replace("{phi}", "%g" % state.fraction))


def programs(choice, state):
    """What races: name, command, reader of its lines."""
    found = [(table.OURS, play_command(choice.carom, state), watch.read_plain)]
    for name in table.VARIANTS:
        path = getattr(choice, name.lower().replace(" ", "_"))
        if path:
            found.append((name, [peer_path(path, state)], watch.read_plain))
    if choice.dynamo:
        lines = max(50000, state.n // 10000 * 1000)
        found.append((table.OTHERS, [peer_path(choice.dynamo, state), "-p", str(lines), "dynamo.xml"], watch.read_dynamo))
    return found


def race_state(choice, state, say=print):
    """All rounds on one state: a program's name to its runs."""
    raced = programs(choice, state)
    runs = {name: [] for name, _, _ in raced}
    for turn in range(choice.rounds):
        first = turn % len(raced)
        for name, command, read in raced[first:] + raced[:first]:
            try:
                found = watch.measure(command, state.folder, read, state.n, state.n / 2, choice.seconds)
            except (RuntimeError, OSError) as trouble:
                say("%s: %s" % (name, trouble))
                continue
            runs[name].append(vars(found))
            say("N = %d, %g, round %d: %-12s %8.0f thousand/s, rate %.3f"
                % (state.n, state.fraction, turn + 1, name, found.speed / 1000, found.rate), flush=True)
    return runs


def made(choice, n, fraction):
    """The state, made in a process of its own: the text of a million particles would count as memory of each program that
    is started from here."""
    with multiprocessing.Pool(1) as pool:
        return pool.apply(states.make, (choice.carom, choice.work, n, fraction))


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0].strip()
    except OSError:
        return "unknown"


def machine():
    with open("/proc/cpuinfo") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return "%s, %d cores, %s %s" % (models[0] if models else platform.machine(), os.cpu_count(), platform.system(),
                                    platform.machine())


def compiler_of(build):
    """The compiler that the build's cache names."""
    try:
        with open(os.path.join(build, "CMakeCache.txt")) as file:
            named = [line.split("=", 1)[1].strip() for line in file if line.startswith("CMAKE_C_COMPILER:")]
    except OSError:
        named = []
    return first_line(named[0], "--version") if named else "compiler unknown"


def circumstances(choice):
    words = [str(datetime.date.today()), machine(), compiler_of(os.path.dirname(choice.carom)),
             first_line(choice.carom, "--version"), choice.versions,
             "%d rounds of %g s of CPU time" % (choice.rounds, choice.seconds)]
    return "; ".join(word for word in words if word)


def set_up(choice, state):
    """Set-up and memory of `carom run`, from the lattice and from the state's file."""
    found = {"n": state.n, "fraction": state.fraction}
    for name, particles in (("lattice", states.LATTICE % state.n), ("file", "place: {file: state.xyz}, velocity: file")):
        scene = state.path("start.yaml")
        states.write_text(scene, states.SCENE % {"seed": 1, "box": "size: %r" % state.side, "particles": particles,
                                                 "until": "events: 1"})
        summary = states.carom_run(choice.carom, scene, state.folder)
        found[name] = {"setup_s": summary["setup_s"], "bytes": summary["peak_rss_bytes"]}
        states.forget(state.folder)
    return found


def kept(path):
    """An earlier race, whose states stay unless they are raced again."""
    if not os.path.exists(path):
        return {"states": []}
    with open(path) as file:
        return json.load(file)


def put(race, state, runs, where):
    """The state's runs in place of those it had."""
    race["states"] = [s for s in race["states"] if (s["n"], s["fraction"]) != (state.n, state.fraction)]
    race["states"].append({"n": state.n, "fraction": state.fraction, "order": state.order, "where": where, "runs": runs})
    race["states"].sort(key=lambda s: (s["n"], s["fraction"]))


def between_marks(text, report, begin=BEGIN, last=END):
    """The text with the report between its marks."""
    before, mark, rest = text.partition(begin)
    _, end, after = rest.partition(last)
    if not mark or not end:
        raise SystemExit("the marks for the table are missing: %s" % begin.strip())
    return before + begin + "\n" + report + "\n" + last + after


def write(choice, race):
    report = table.markdown(race)
    states.write_text(choice.output + ".json", json.dumps(race, indent=1) + "\n")
    states.write_text(choice.output + ".md", report)
    if choice.docs:
        with open(choice.docs) as file:
            text = file.read()
        states.write_text(choice.docs, between_marks(text, report))


def main(arguments=None):
    choice = options(arguments)
    race, where = kept(choice.output + ".json"), circumstances(choice)
    for n in choice.sizes:
        for fraction in choice.fractions:
            state = made(choice, n, fraction)
            put(race, state, race_state(choice, state), where)
            if n >= race.get("start", {"n": 0})["n"]:
                race["start"] = set_up(choice, state)
            write(choice, race)
    print(table.markdown(race))


if __name__ == "__main__":
    main()
