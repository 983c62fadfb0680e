#!/usr/bin/env python3
"""Compares the bounds of the expectations of the examples with the scatter of runs.

    tools/bounds.py [EXAMPLE ...] [--runs N] [--seconds S] [--build FOLDER] [--again] [--write]

A line `# expect NAME = VALUE +- BOUND: EXPRESSION` of examples/*.yaml is what tests/cli/test_examples.sh asks of one run. Here each
example runs N times more (4 at least, where a run takes longer than S / N) with what should not matter changed: its seed, and with
`engine: variational` the steps of the layers and, where the scene gives one, the material's, by hundredths; gravity by a millionth
where all is read from files. The error of one run is the spread of these runs: their sample standard deviation. Where nothing
changes, it is the estimate of rounding: half an ulp of the value times the root of ten for each event. `off` is the distance of their
mean from VALUE, in errors of the mean. A reason in words, a line `# bound: WORDS` below, is needed by a bound wider than 3 errors, by
one narrower than 1 (which holds for the shipped seed only), and by an `off` beyond 3 (a bias).

Without names all examples run; --write puts the table into tests/bounds.md. Runs are kept in build/bounds; --again makes them anew.
The status is 1 when a reason is missing, or a run of the example itself lies beyond it."""
import argparse
import datetime
import hashlib
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from validate.harness import machine  # noqa: E402

BAD_DATA = 65
LEAST, MOST, FAR = 1, 3.05, 3  # what is written to two digits may be that much above 3
EXPECT = re.compile(r"# expect (.*?) = (\S+) \+- (\S+): (.*)")
PATH = re.compile(r"[a-z_][a-z_0-9]*(?:\.[a-z_0-9]+)*")
# Nothing is drawn in these, but they are chaotic: gravity, -1, changes by a millionth.
GRAVITY = {"drum": "fields.gravity.2", "hopper": "fields.gravity.2", "rough-drum": "fields.gravity.2"}
FUNCTIONS = {"log": math.log, "exp": math.exp, "sqrt": math.sqrt}
HEAD = """# Bounds of the examples' expectations

Made with `tools/bounds.py --write` on %s at commit %s (%s).
`error`: the spread (sample standard deviation) of `runs` others (`rounding`: nothing that was changed matters, an estimate); `bound / error`:
above 3 or below 1 it needs a reason; `off`: mean of the runs less the value, in errors of that mean, where it is beyond 3: a bias,
which needs a reason too.

| example | expectation | value | bound | measured | runs | mean | error | bound / error | off | reason |
|---|---|---|---|---|---|---|---|---|---|---|
"""


def options():
    parser = argparse.ArgumentParser(description="How wide the bounds of the examples' expectations are.")
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE", help="names, without examples/ and .yaml (default: all)")
    parser.add_argument("--runs", type=int, default=8, help="runs beside the example's own, at most (default 8)")
    parser.add_argument("--seconds", type=float, default=12, help="CPU time beyond which four are enough (default 12)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release", help="folder of the build")
    parser.add_argument("--again", action="store_true", help="run everything anew")
    parser.add_argument("--write", action="store_true", help="write tests/bounds.md")
    return parser.parse_args()


def expectations(text):
    """(name, value as written, bound as written, expression, reason)"""
    found, lines = [], text.splitlines()
    for line, after in zip(lines, lines[1:] + [""]):
        match = EXPECT.fullmatch(line)
        if match:
            found.append([*match.groups(), after[len("# bound: "):] if after.startswith("# bound: ") else ""])
    return found


def changes(name, text, k):
    """The settings of run k: 0 is the example's own."""
    if k == 0:
        return []
    if name in GRAVITY:
        return ["--set", "%s=%.10g" % (GRAVITY[name], -1 - 1e-6 * k)]
    part, share = ["seed=%d" % (1000 + k)], 1 + 0.01 * ((k + 1) // 2) * (-1) ** k
    if re.search(r"^engine: variational", text, re.M):
        part.append("variational.courant=%.10g" % (0.05 * share))
        step = re.search(r"^variational: .*material_step: ([-+.0-9e]+)", text, re.M)
        if step:
            part.append("variational.material_step=%.10g" % (float(step[1]) * share))
    return [word for change in part for word in ("--set", change)]


def summary(scene, text, k, args):
    """What a run writes, from the cache where it is there; None where what is drawn at random is refused, as a start with overlaps."""
    body = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    settings = changes(scene.stem, text, k)
    key = hashlib.sha256((body + " ".join(settings)).encode()).hexdigest()[:12]
    folder = ROOT / "build" / "bounds"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / ("%s-%s.json" % (scene.stem, key))
    if args.again or not kept.exists():
        made = folder / ("%s.h5" % key)
        done = subprocess.run([args.build / "carom", "run", scene, *settings, "-o", made, "--force", "--json", "-", "--quiet"],
                              stdout=subprocess.PIPE, cwd=ROOT)
        made.unlink(missing_ok=True)
        if done.returncode == BAD_DATA:
            return None
        if done.returncode != 0:
            raise RuntimeError("%s %s fails" % (scene, " ".join(settings)))
        kept.write_bytes(done.stdout)
    return json.loads(kept.read_text())


def at(tree, path):
    for word in path.split("."):
        tree = tree[int(word)] if isinstance(tree, list) else tree[word]
    return math.nan if tree is None else float(tree)


def value_of(expression, tree):
    filled = PATH.sub(lambda word: word[0] if word[0] in FUNCTIONS or word[0] == "e" else "(%r)" % at(tree, word[0]), expression)
    return float(eval(filled, {"__builtins__": {}}, {**FUNCTIONS, "nan": math.nan}))


def row(name, one, trees):
    """A line of the table, and whether it is as it should be."""
    what, value, bound, expression, reason = one
    wanted, allowed = float(value), float(bound)
    own, *others = [value_of(expression, tree) for tree in trees]
    if any(map(math.isnan, others)):
        raise RuntimeError("%s: %s is not there in every run" % (name, expression))
    mean = sum(others) / len(others)
    error = math.sqrt(sum((x - mean) ** 2 for x in others) / (len(others) - 1))
    runs, of_mean = "%d" % len(others), error / math.sqrt(len(others))
    rounding = 2.0 ** -53 * max(abs(wanted), 1) * math.sqrt(10 * max(trees[0]["events"]["total"], 1))
    if error < rounding:
        runs, error, of_mean = "rounding", rounding, rounding
    off, ratio = (mean - wanted) / of_mean, allowed / error
    plain = (allowed == 0 or LEAST <= ratio <= MOST) and abs(off) <= FAR
    holds = abs(own - wanted) <= allowed and (plain or reason != "")
    cells = [name, what, value, bound, "%.8g" % own, runs, "%.8g" % mean, "%.3g" % error,
             "exact" if allowed == 0 else "%.2g" % ratio, "%+.1f" % off if abs(off) > FAR else "", reason]
    return "| " + " | ".join(cells) + " |", holds


def main():
    args = options()
    scenes = sorted((ROOT / "examples").glob("*.yaml"))
    if args.examples:
        scenes = [scene for scene in scenes if scene.stem in args.examples]
    lines, good = [], True
    for scene in scenes:
        text = scene.read_text()
        trees = [summary(scene, text, 0, args)]
        runs = min(args.runs, max(4, int(args.seconds / max(trees[0]["cpu_s"], 0.01))))
        drawn = (summary(scene, text, k, args) for k in itertools.count(1))
        trees += itertools.islice((tree for tree in drawn if tree is not None), runs)
        for one in expectations(text):
            line, holds = row(scene.stem, one, trees)
            print(line + ("" if holds else "  <- "), flush=True)
            lines.append(line)
            good = good and holds
    if args.write and not args.examples:
        commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.strip()
        today = datetime.datetime.now(datetime.timezone.utc).date()
        (ROOT / "tests" / "bounds.md").write_text(HEAD % (today, commit, machine()) + "\n".join(lines) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
