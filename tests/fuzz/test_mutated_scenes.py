#!/usr/bin/env python3
"""Detects crashes, hangs, NaN and undocumented exit codes of `carom check` and a short `carom run` on examples and
starters with values, keys and blocks changed at random, by seed. Messages name a place.

usage: test_mutated_scenes.py [COUNT [FIRST]]    scenes FIRST to FIRST + COUNT - 1; CAROM names the command
       test_mutated_scenes.py --show NUMBER      prints a scene
A scene that fails stays in build/fuzz/scenes (CAROM_BUILD/fuzz/scenes)."""
import copy
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
    import yaml
except ImportError as missing:
    print("needs", missing.name)
    sys.exit(77)

ROOT = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("CAROM_BUILD") or os.path.join(ROOT, "build", "release")
CAROM = os.path.abspath(os.environ.get("CAROM") or os.path.join(BUILD, "carom"))
SANITIZED = os.environ.get("CAROM_SANITIZE", "0") not in ("", "0", "OFF")
COUNT = 60 if SANITIZED else 700  # scenes
QUICK = 60  # those of them that `make test` runs, as many under the sanitizers: the shares that run and are refused are those of one set
EVENTS = 2000  # of a run
SAMPLES = 1000  # of a run, for each thing that is sampled
PARTICLES = 200  # of an entry
SECONDS = 200 if SANITIZED else 100  # after which a command counts as hung: a hundred times what the slowest takes
MEMORY = 3 << 30

# ---- scenes as trees: a map is a Map, so that keys may repeat; a scalar is the text that stands in the file ----------


class Map(list):
    """[key, value] pairs."""


def convert(node):
    if isinstance(node, yaml.MappingNode):
        return Map([convert(k), convert(v)] for k, v in node.value)
    if isinstance(node, yaml.SequenceNode):
        return [convert(item) for item in node.value]
    return json.dumps(node.value) if node.style in ('"', "'") or re.search(r"[][{},:#]", node.value) else node.value


def text_of(tree, depth=0):
    """Blocks for the outermost levels, so that messages name lines."""
    if isinstance(tree, Map) and depth < 2 and tree:
        return "".join("\n%s%s: %s" % ("  " * depth, k, text_of(v, depth + 1)) for k, v in tree)
    if isinstance(tree, Map):
        return "{%s}" % ", ".join("%s: %s" % (k, text_of(v, 9)) for k, v in tree)
    if isinstance(tree, list):
        return "[%s]" % ", ".join(text_of(item, 9) for item in tree)
    return tree


def nodes_of(tree, found=None):
    """(container, index) of each value; of a pair of a map index is 1."""
    found = [] if found is None else found
    for place, item in enumerate(tree):
        holder, index = (item, 1) if isinstance(tree, Map) else (tree, place)
        found.append((holder, index))
        if isinstance(holder[index], list):
            nodes_of(holder[index], found)
    return found


def maps_of(tree):
    return [tree] + [h[i] for h, i in nodes_of(tree) if isinstance(h[i], Map)]


def lists_of(tree):
    return [h[i] for h, i in nodes_of(tree) if isinstance(h[i], list) and h[i]]


def get(tree, *path):
    for key in path:
        tree = next((v for k, v in tree if k == key), None) if isinstance(tree, Map) else None
    return tree


# ---- mutations ---------------------------------------------------------------------------------------------------

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")
INTEGERS = ["0", "1", "2", "3", "7", "-1", "4294967295", "4294967296", "18446744073709551615", "18446744073709551616",
            "1e3", "2.5"]
REALS = ["0", "-0", "1", "-1", "1e-40", "1e-30", "1e-18", "1e-12", "1e-9", "1e-6", "1e-3", "1e3", "1e6", "1e9", "1e12",
         "1e18", "1e30", "1e40", "1e60", "1e100", "1e150", "1e200", "1e300", "1e308", "1e309", "1e-100", "1e-200",
         "1e-308", "1e-320", "1e-400", "5e-324", "1.7976931348623157e308", "nan", ".nan", "inf", "-inf", "-1e308"]
OTHERS = ["", "~", "null", "true", "no", "text", '"1"', "'quoted'", "0x10", "1_000", "*a", "&a 1", "!!int 1", "[]", "{}",
          "[[]]", "[1, 2, 3]", "{a: 1}", "-", "zero", "wall", "\u00e9", "1,5", "1 2", "@", "`", "[", "}"]
FACTORS = [0.5, 0.9, 0.99, 1.01, 1.1, 2, -1, 10, 0.1, 100, 0.01, 1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9]


def is_number(value):
    return isinstance(value, str) and NUMBER.match(value) is not None


def new_number(dice, old):
    whole = re.match(r"\d+$", old) is not None
    kind = dice.random()
    if kind < 0.15:
        return dice.choice(OTHERS)
    if kind < 0.6:
        value = float(old) * dice.choice(FACTORS)
        if whole and abs(value) < 1e9 and dice.random() < 0.8:
            return str(int(value))
        return "%.17g" % value
    return dice.choice(INTEGERS if whole and dice.random() < 0.5 else REALS)


def mutate_number(dice, tree, _):
    places = [(h, i) for h, i in nodes_of(tree) if is_number(h[i])]
    if places:
        holder, index = dice.choice(places)
        holder[index] = new_number(dice, holder[index])


def mutate_value(dice, tree, _):
    holder, index = dice.choice(nodes_of(tree))
    holder[index] = dice.choice(OTHERS + REALS)


def delete_key(dice, tree, _):
    one = dice.choice([m for m in maps_of(tree) if m])
    del one[dice.randrange(len(one))]


def repeat_key(dice, tree, _):
    one = dice.choice([m for m in maps_of(tree) if m])
    one.insert(dice.randrange(len(one) + 1), copy.deepcopy(dice.choice(one)))


def rename_key(dice, tree, other):
    one = dice.choice([m for m in maps_of(tree) if m])
    pair = dice.choice(one)
    names = [k for m in maps_of(other) for k, _ in m]
    pair[0] = dice.choice([pair[0] + "s", pair[0][1:] or "x", pair[0].upper(), dice.choice(names)])


def swap_blocks(dice, tree, _):
    places = nodes_of(tree)
    (h, i), (g, j) = dice.choice(places), dice.choice(places)
    h[i], g[j] = copy.deepcopy(g[j]), copy.deepcopy(h[i])


def swap_values(dice, tree, _):
    """Of two numbers anywhere: types stay, meanings do not."""
    places = [(h, i) for h, i in nodes_of(tree) if is_number(h[i])]
    if len(places) > 1:
        (h, i), (g, j) = dice.sample(places, 2)
        h[i], g[j] = g[j], h[i]


def repeat_item(dice, tree, _):
    lists = [l for l in lists_of(tree) if not isinstance(l, Map)]
    if lists:
        one = dice.choice(lists)
        for _ in range(dice.choice([1, 1, 2, 30])):
            one.insert(dice.randrange(len(one) + 1), copy.deepcopy(dice.choice(one)))


def delete_item(dice, tree, _):
    lists = [l for l in lists_of(tree) if not isinstance(l, Map)]
    if lists:
        one = dice.choice(lists)
        del one[dice.randrange(len(one))]


def set_word(dice, tree, word, choices):
    for pair in tree:
        if pair[0] == word:
            pair[1] = dice.choice(choices)
            return
    tree.append([word, dice.choice(choices)])


def swap_engine(dice, tree, _):
    set_word(dice, tree, "engine", ["hard", "aggregation", "variational"])


def swap_dimension(dice, tree, _):
    set_word(dice, tree, "dimension", ["2", "3"])


def swap_boundary(dice, tree, _):
    box = get(tree, "box")
    if isinstance(box, Map):
        set_word(dice, box, "boundary", ["periodic", "wall", "open", "[periodic, wall]", "[wall, open, periodic]"])


def splice(dice, tree, other):
    """A top-level block of another scene, in place of the own or beside it."""
    pair = copy.deepcopy(dice.choice(other))
    tree[:] = Map(p for p in tree if p[0] != pair[0] or dice.random() < 0.1)
    tree.append(pair)


def splice_key(dice, tree, other):
    """A key of a map of another scene with the same path."""
    own = dice.choice(maps_of(tree))
    keys = {k for k, _ in own}
    near = [m for m in maps_of(other) if keys & {k for k, _ in m}]
    if near:
        own.append(copy.deepcopy(dice.choice(dice.choice(near))))


MUTATIONS = [(mutate_number, 12), (mutate_value, 3), (delete_key, 3), (repeat_key, 1), (rename_key, 1), (swap_blocks, 1),
             (swap_values, 2), (repeat_item, 2), (delete_item, 2), (swap_engine, 3), (swap_dimension, 1),
             (swap_boundary, 3), (splice, 5), (splice_key, 4)]

# ---- what stays bounded -------------------------------------------------------------------------------------------


def bound(tree, shrink):
    """Few particles, few events, and no sampling that takes longer than the events: what is large is only slow."""
    for holder in maps_of(tree):
        for pair in holder:
            value = pair[1]
            if not is_number(value):
                continue
            if pair[0] == "count" and shrink < float(value) < 1e10:
                pair[1] = str(shrink)
            if pair[0] in ("along", "across", "around", "rings", "parts") and 150 < float(value) < 1e10:
                pair[1] = "40"
            if pair[0] == "bins" and float(value) > 1e4:
                pair[1] = "1e4"
    until = get(tree, "run", "until")
    if isinstance(until, Map):
        until[:] = Map(p for p in until if p[0] not in ("events", "wall_time"))
        until.append(["events", str(EVENTS)])
        every = [float(v) for m in maps_of(tree) for k, v in m if k == "every" and is_number(v) and float(v) > 0]
        end = get(tree, "run", "until", "time")
        if every and (end is None or (is_number(end) and float(end) > SAMPLES * min(every))):
            until[:] = Map(p for p in until if p[0] != "time")
            until.append(["time", "%.6g" % (SAMPLES * min(every))])


def load_sources():
    sources = {}
    folder = os.path.join(ROOT, "examples")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".yaml"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                sources[name] = convert(yaml.compose(file.read(), Loader=yaml.BaseLoader))
    for engine in ("hard", "aggregation", "variational"):
        text = subprocess.run([CAROM, "init", engine], capture_output=True, text=True, check=True).stdout
        sources["starter " + engine] = convert(yaml.compose(text, Loader=yaml.BaseLoader))
    for tree in sources.values():
        bound(tree, PARTICLES)
    return sources


def make_scene(number, sources):
    """The name of what it was made from, its text, and overrides."""
    dice = random.Random("mutated scene %d" % number)
    names = sorted(sources)
    name = names[number % len(names)]
    tree, other = copy.deepcopy(sources[name]), sources[dice.choice(names)]
    for _ in range(dice.choice([1, 1, 1, 2, 2, 3, 5])):
        mutation = dice.choices([m for m, _ in MUTATIONS], [w for _, w in MUTATIONS])[0]
        if tree and nodes_of(tree):
            mutation(dice, tree, other)
    bound(tree, 4 * PARTICLES)
    sets = []
    if dice.random() < 0.1:
        key = dice.choice(["box.size", "seed", "species", "particles.0.count", "run.until.time", "dimension", "engine",
                           "fields.gravity", "particles.1.velocity", "observe.0.every", "x.y.z", "particles.99999"])
        value = dice.choice(REALS + OTHERS)
        if not (key.endswith("count") and is_number(value) and PARTICLES < float(value) < 1e10):
            sets = ["--set", "%s=%s" % (key, value)]
    return name, "# from %s\n%s\n" % (name, text_of(tree).strip("\n")), sets


# ---- what must hold ------------------------------------------------------------------------------------------------

CODES = {"check": (0, 64, 65, 66, 70), "run": (0, 64, 65, 66, 70, 75, 76)}
PLACE = re.compile(r"^(\S[^:\n]*:\d+(:\d+)?|--set .*): error: \S", re.M)
OF_FILE = re.compile(r"^\S*\.(xyz|obj|stl|h5|off|ply|msh)\b.*: error: ", re.M)  # what is wrong with a file of data


def limit_memory():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def call(folder, *arguments):
    environment = dict(os.environ, OMP_NUM_THREADS="1", NO_COLOR="1")
    with subprocess.Popen([CAROM, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", env=environment, preexec_fn=limit_memory) as process:
        try:
            said = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.terminate()  # one that is only slow stops
            try:
                said = process.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                return None
        return subprocess.CompletedProcess(arguments, process.returncode, *said)


def judge_call(command, done, scene, sets):
    if done is None:
        yield "%s hangs" % command
        return
    message = done.stderr
    if done.returncode < 0 or "Sanitizer" in message or "runtime error" in message:
        yield "%s crashes with %d:\n%s" % (command, done.returncode, message[-3000:])
    elif done.returncode not in CODES[command] or (done.returncode == 64 and not sets):
        yield "%s exits with %d:\n%s" % (command, done.returncode, message)
    elif done.returncode not in (0, 75) and not message.strip():
        yield "%s exits with %d without a message" % (command, done.returncode)
    elif done.returncode == 65 and not PLACE.search(message) and not OF_FILE.search(message):
        yield "%s names no place:\n%s" % (command, message)
    elif done.returncode == 70 and "memory" not in message:
        yield "%s exits with 70:\n%s" % (command, message)
    quoted = scene + " ".join(sets)
    if re.search(r"\bnan\b", done.stdout + message) and "nan" not in quoted:
        yield "%s prints nan:\n%s" % (command, done.stdout + message)


def not_a_number(word):
    raise ValueError("the summary holds " + word)


def judge_result(folder, code):
    try:
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
            summary = json.load(file, parse_constant=not_a_number)
        for key, value in summary["energy"].items():
            if value is None and key != "potential":
                yield "energy.%s is not a number" % key
    except FileNotFoundError:
        if code == 0:
            yield "there is no summary"
    except ValueError as wrong:
        yield str(wrong)
    path = os.path.join(folder, "run.h5")
    if code not in (0, 75, 76) or not os.path.exists(path):
        return
    with h5py.File(path, "r") as file:
        for name in ("position", "velocity", "mass", "radius"):
            data = file.get("particles/all/%s" % name)
            data = data["value"] if isinstance(data, h5py.Group) else data
            if data is not None and not numpy.isfinite(data[...]).all():
                yield "%s has values that are not finite" % name


def judge(folder, scene, sets, counts):
    with open(os.path.join(folder, "scene.yaml"), "w", encoding="utf-8") as file:
        file.write(scene)
    for name in ("run.h5", "run.json", "run.h5.checkpoint"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    checked = call(folder, "check", "scene.yaml", *sets)
    counts["refused" if checked is None or checked.returncode else "run"] += 1
    yield from judge_call("check", checked, scene, sets)
    ran = call(folder, "run", "scene.yaml", "-o", "run.h5", "--json", "run.json", "--quiet", "--force", *sets)
    yield from judge_call("run", ran, scene, sets)
    if checked is None or ran is None:
        return
    if checked.returncode == 0 and ran.returncode in (64, 65, 66):
        yield "check finds nothing, and run says:\n%s" % ran.stderr
    if checked.returncode in (65, 66) and ran.returncode != checked.returncode:
        yield "check says %d, and run %d:\n%s%s" % (checked.returncode, ran.returncode, checked.stderr, ran.stderr)
    yield from judge_result(folder, ran.returncode)


def keep(number, scene, sets, faults):
    folder = os.path.join(BUILD, "fuzz", "scenes")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "%d.yaml" % number)
    with open(path, "w", encoding="utf-8") as file:
        file.write(scene)
    print("scene %d, kept as %s %s" % (number, path, " ".join(sets)))
    for fault in faults:
        print("    " + fault.strip().replace("\n", "\n    "))
    sys.stdout.flush()


def main(arguments):
    sources = load_sources()
    if arguments[:1] == ["--show"]:
        _, scene, sets = make_scene(int(arguments[1]), sources)
        print(scene, *sets)
        return 0
    first, count = {"quick": (0, QUICK), "long": (QUICK, COUNT - QUICK)}.get(os.environ.get("CAROM_TIER"), (0, COUNT))
    if arguments:
        first, count = int(arguments[1]) if len(arguments) > 1 else 0, int(arguments[0])
    failed, counts = 0, {"refused": 0, "run": 0}
    folder = tempfile.mkdtemp(prefix="mutated-")
    try:
        for name in os.listdir(os.path.join(ROOT, "examples")):
            if os.path.isfile(os.path.join(ROOT, "examples", name)) and not name.endswith(".yaml"):
                shutil.copy(os.path.join(ROOT, "examples", name), folder)
        for number in range(first, first + count):
            _, scene, sets = make_scene(number, sources)
            faults = list(judge(folder, scene, sets, counts))
            if faults:
                failed += 1
                keep(number, scene, sets, faults)
    finally:
        shutil.rmtree(folder)
    print("%d mutated scenes, %d refused, %d run, %d failed" % (count, counts["refused"], counts["run"], failed))
    return failed > 0 or counts["run"] < count // 10 or counts["refused"] < count // 10


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
