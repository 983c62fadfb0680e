"""Detects recipes of docs/extending.md that are out of date: patches that do not apply, do not build without a warning, fail
their tests, or touch another number of files than the page says. All are applied together to a copy of the tree. The quick part
applies them to the files that they touch and lets the compiler check these; the long part builds the tree and runs it."""
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys

SOURCE = os.environ["CAROM_SOURCE"]
BUILD = os.environ["CAROM_BUILD"]
SCRATCH = os.path.join(BUILD, "extending")
PAGE = "docs/extending.md"
# Files that a patch may touch. The page states the number of each; `make docs` and `make golden` write others.
MOST = {"observable": 2, "setting": 1, "frame_channel": 2, "pair_interaction": 6, "boundary": 8, "shape": 10,
        "force": 6, "engine": 4, "subcommand": 4, "file_format": 5}
AWAITED = set()  # recipes without a patch as yet


def fail(*words):
    print("FAILED:", *words)
    sys.exit(1)


def run(command, what, **options):
    """Output of a command; its failure ends the test with the last of what it has said."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        print("\n".join(done.stdout.splitlines()[-60:]))
        fail(what)
    return done.stdout


def patch_of(name):
    return os.path.join(SOURCE, "docs/extending", name + ".patch")


# ---- what the patches say ----


def files_of(name):
    """Files that a patch touches, and whether it makes them."""
    with open(patch_of(name), encoding="utf-8") as file:
        lines = file.read().splitlines()
    pairs = [(old, new) for old, new in zip(lines, lines[1:]) if old.startswith("--- ") and new.startswith("+++ b/")]
    return {new[len("+++ b/"):]: old == "--- /dev/null" for old, new in pairs}


def stated_counts():
    """From the rows `| [recipe](...) | files | ... |` of the page: a number, or `at most` one."""
    with open(os.path.join(SOURCE, PAGE), encoding="utf-8") as file:
        rows = re.findall(r"^\| \[([a-z ]+)\]\([^)]*\) \| (at most )?(\d+) \|", file.read(), re.MULTILINE)
    return {name.replace(" ", "_"): (int(count), most != "") for name, most, count in rows}


def check_counts(recipes):
    stated = stated_counts()
    if set(stated) != set(MOST):
        fail(PAGE, "has rows for", ", ".join(sorted(stated)), "and the recipes are", ", ".join(sorted(MOST)))
    for name, files in recipes.items():
        count, at_most = stated[name]
        print(f"{name}: {len(files)} files, stated {'at most ' if at_most else ''}{count}, allowed {MOST[name]}")
        if len(files) > MOST[name]:
            fail(f"docs/extending/{name}.patch touches {len(files)} files, allowed are {MOST[name]}:", ", ".join(files))
        if len(files) > count or (len(files) < count and not at_most):
            fail(f"docs/extending/{name}.patch touches {len(files)} files; {PAGE} states {count}:", ", ".join(files))


def check_links(recipes):
    """Every link of the page leads to a file, or to the patch or page of an awaited recipe."""
    with open(os.path.join(SOURCE, PAGE), encoding="utf-8") as file:
        links = set(re.findall(r"\]\(([^)#:]+)", file.read()))
    later = {f"extending/{name}.{end}" for name in AWAITED - set(recipes) for end in ("md", "patch")}
    lost = [link for link in sorted(links - later) if not os.path.exists(os.path.join(SOURCE, "docs", link))]
    if lost:
        fail(PAGE, "names files that are not there:", ", ".join(lost))
    for name in recipes:
        if f"extending/{name}.patch" not in links:
            fail(PAGE, f"has no link to extending/{name}.patch")


# ---- applying them to a copy of the tree ----


def copy_files(paths, tree):
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(tree)
    for path in paths:
        source, target = os.path.join(SOURCE, path), os.path.join(tree, path)
        if os.path.isfile(source):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)


def all_files():
    listed = run(["git", "ls-files", "-z", "-co", "--exclude-standard"], "git ls-files", cwd=SOURCE)
    return filter(None, listed.split("\0"))


def try_patch(name, tree, *options):
    """Files of the patch that it does not fit any more, with what `patch` says of them."""
    done = subprocess.run(["patch", "-p1", "--force", "--fuzz=0", "--no-backup-if-mismatch", "--reject-file=-",
                           "--input", patch_of(name), *options], cwd=tree, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0:
        return []
    at, gone, faults = "?", False, []
    for line in done.stdout.splitlines():
        named = re.match(r"(?:checking|patching) file '?(.*?)'?$|\|\+\+\+ b/(\S+)", line)
        if named:
            at = named.group(1) or named.group(2)
        if named and gone:
            faults.append(f"{at}: there is no such file")
        gone = "can't find file" in line or (gone and not named)
        if re.search(r"^Hunk.*FAILED|already exists|Reversed|malformed", line):
            faults.append(f"{at}: {line.strip()}")
    return faults or done.stdout.splitlines()


def apply_patches(recipes, tree):
    bad = False
    for name, files in recipes.items():
        made = [f"{path}: the tree has such a file" for path in files
                if files[path] and os.path.exists(os.path.join(tree, path))]
        for fault in made or try_patch(name, tree, "--dry-run"):
            print(f"FAILED: docs/extending/{name}.patch no longer fits {fault}")
            bad = True
    if bad:
        sys.exit(1)
    for name in recipes:
        faults = try_patch(name, tree)
        if faults:
            fail(f"docs/extending/{name}.patch and those before it change the same lines of", "; ".join(faults))


# ---- building and running ----


def cached(name):
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
        found = re.search(rf"^{name}:\w+=(.*)$", file.read(), re.MULTILINE)
    return found.group(1) if found else ""


def test_files(recipes):
    return sorted(path for files in recipes.values() for path in files
                  if re.match(r"tests/\w+/test_\w+\.(c|py|sh)$|tests/cli/cases/\w+\.sh$", path))


def build(tree, tests):
    ccache = shutil.which("ccache")
    environment = dict(os.environ, CCACHE_BASEDIR=SCRATCH, CCACHE_NOHASHDIR="1")
    folder = os.path.join(tree, "build")
    run(["cmake", "-S", tree, "-B", folder, "-G", cached("CMAKE_GENERATOR"), "-DCMAKE_BUILD_TYPE=Debug",
         "-DCMAKE_C_FLAGS_DEBUG=-O0 -g0", "-DCAROM_WERROR=ON", "-DCAROM_QUAD=OFF", "-DCAROM_MPI=OFF",
         "-DCMAKE_C_COMPILER=" + cached("CMAKE_C_COMPILER"),
         *(["-DCMAKE_C_COMPILER_LAUNCHER=" + ccache] if ccache else [])], "configuring the patched tree", env=environment)
    targets = ["carom_command"] + [os.path.basename(path)[:-2] for path in tests if path.endswith(".c")]
    run(["cmake", "--build", folder, "-j", str(os.cpu_count()), "--target", *targets], "building the patched tree",
        env=environment)
    return folder


def run_tests(folder, tests):
    names = [("cli_" if "/cases/" in path else "") + os.path.splitext(os.path.basename(path))[0] for path in tests]
    names += ["test_first_lines", "test_layers"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("CAROM_")}
    output = run(["ctest", "--test-dir", folder, "--output-on-failure", "-R", f"^({'|'.join(names)})(_long)?$"],
                 "tests of the patched tree", env=environment)
    for name in names:
        if not re.search(rf"Test +#\d+: {name}[ _]", output):
            fail("no test", name, "in the patched tree")
    print(f"tests of the patches: {', '.join(names)}")


def summary(carom, name, scene):
    """Runs a scene; what it has measured, and what its file says."""
    path = os.path.join(SCRATCH, name)
    with open(path + ".yaml", "w", encoding="utf-8") as file:
        file.write(scene)
    for end in (".json", ".h5"):
        if os.path.exists(path + end):
            os.remove(path + end)
    run([carom, "run", path + ".yaml", "-o", path + ".h5", "--json", path + ".json", "--quiet"], f"the run {name}")
    with open(path + ".json", encoding="utf-8") as file:
        return json.load(file), json.loads(run([carom, "info", path + ".h5", "--json"], "carom info"))


def expect(what, value, wanted, tolerance):
    print(f"{what} = {value:.17g}, expected {wanted:.17g} within {tolerance:g}")
    if not abs(value - wanted) <= tolerance:
        fail(what)


# ---- the recipes without a file for a test: exact values ----


def check_observable(carom):
    """Three particles with speeds 5, 5 and 0; then a gas in equilibrium, which has Maxwell's."""
    three = """carom: 1
engine: hard
box: {size: 20}
species: {a: {diameter: 1, mass: 2}}
particles:
  - {species: a, place: {at: [[5, 5, 5], [10, 10, 10], [15, 15, 15]]}, velocity: {each: [[3, 4, 0], [-3, -4, 0], [0, 0, 0]]}}
run: {until: {time: 0.01}}
observe: [{what: mean_speed, every: 0.005}]
"""
    measured = summary(carom, "observable", three)[0]["observables"]["mean_speed"]
    expect("mean speed of three", measured["mean"], 10 / 3, 1e-15)
    expect("rms speed of three", measured["rms_speed"]["mean"], math.sqrt(50 / 3), 1e-15)
    gas = """carom: 1
engine: hard
seed: 4
box: {packing_fraction: 0.2}
species: {a: {diameter: 1, mass: 2}}
particles: [{species: a, count: 500, place: fcc, velocity: {maxwell: 3}, zero_momentum: true}]
run: {until: {time: 6}}
observe: [{what: mean_speed, every: 0.25, start: 1}, {what: temperature, every: 0.25, start: 1}]
"""
    measured = summary(carom, "observable_gas", gas)[0]["observables"]
    temperature, speed = measured["temperature"]["mean"], measured["mean_speed"]
    wanted = math.sqrt(8 * temperature / (2 * math.pi)) * math.sqrt(1 - 1 / 500)
    expect("mean speed of a gas", speed["mean"], wanted, 5 * speed["error"])


def virial(steps, core, temperature):
    """Second virial coefficient beyond the core of steps [[distance, energy], ...] from the outermost in."""
    total = 0
    for (outer, energy), inner in zip(steps, [step[0] for step in steps[1:]] + [1]):
        total -= 2 * math.pi / 3 * core ** 3 * (outer ** 3 - inner ** 3) * math.expm1(-energy / temperature)
    return total


def smooth_virial(core, cutoff, temperature, shifted, parts=20000):
    def energy(r):
        return 4 * (r ** -12 - r ** -6)
    end, width, total = energy(cutoff) if shifted else 0, (cutoff - core) / parts, 0
    for n in range(parts + 1):
        r = core + width * n
        weight = 1 if n in (0, parts) else 4 if n % 2 else 2
        total += weight * width / 3 * r * r * math.expm1((end - energy(r)) / temperature)
    return -2 * math.pi * total


def check_setting(carom):
    """The steps have the second virial coefficient of the shifted potential; without the key, of the other."""
    for shifted in (True, False):
        scene = f"""carom: 1
engine: hard
box: {{size: 20}}
species: {{a: {{diameter: 0.8, mass: 1}}}}
particles: [{{species: a, count: 2, place: random}}]
potentials: [{{between: [a, a], lennard_jones: {{epsilon: 1, cutoff: 2, steps: 25, shifted: {str(shifted).lower()}}}}}]
run: {{until: {{time: 1}}}}
"""
        name = "setting_shifted" if shifted else "setting"
        summary(carom, name, scene)
        with open(os.path.join(SCRATCH, name + ".h5"), "rb") as file:
            steps = re.search(rb"steps: (\[\[[-\[\]0-9.e,\s]*\]\])", file.read())
        if steps is None:
            fail("no steps in the scene of", name)
        value = virial(json.loads(steps.group(1)), 0.8, 1)
        expect(f"second virial coefficient, shifted {shifted}", value, smooth_virial(0.8, 2, 1, shifted), 1e-8)


def check_frame_channel(carom):
    """Two particles of masses 1 and 3 collide; their centre of mass goes on, across a periodic boundary."""
    scene = """carom: 1
engine: hard
box: {size: 6}
species: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 3}}
particles:
  - {species: a, place: {at: [[1, 3, 3]]}, velocity: {each: [[2, 0.5, -1]]}}
  - {species: b, place: {at: [[4, 3.25, 3]]}, velocity: {each: [[1, 0.25, -1]]}}
run: {until: {time: 7}}
output: {frames: {every: 7}}
"""
    run_summary, info = summary(carom, "frame_channel", scene)
    if run_summary["events"]["collision"] < 1:
        fail("the two do not collide")
    centre = info["last_frame"]["centre_of_mass"]
    for k, (start, velocity) in enumerate([(13 / 4, 5 / 4), (12.75 / 4, 1.25 / 4), (3, -1)]):
        expect(f"centre of mass, {'xyz'[k]}", centre[k], start + 7 * velocity, 1e-13)


def check_syntax(tree):
    """Of the sources in the tree, which has only the files that the patches touch; headers that it lacks are those of SOURCE."""
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
        command = next(entry["command"] for entry in json.load(file) if entry["file"].endswith("/src/frame/channels.c"))
    folders = ["include", "src", "tests/physics", "cli"]
    command = [*shlex.split(command.split(" -o ")[0]), "-fsyntax-only", "-O0", "-Werror",
               *(f"-I{os.path.join(SOURCE, folder)}" for folder in folders)]
    first = next(n for n, word in enumerate(command) if word.startswith("-"))  # after the compiler
    command[first:first] = [f"-I{os.path.join(tree, folder)}" for folder in folders]
    sources = [os.path.relpath(os.path.join(at, name), tree) for at, _, names in os.walk(tree) for name in names
               if name.endswith(".c") and ("/kernel/" not in at + "/" or name == "kernel.c")]
    kernels = [path for path in sources if path.endswith("/kernel.c")]
    others = sorted(set(sources) - set(kernels))
    run(command + others, "compiling files of the patches", cwd=tree)
    macros = [f"-DCAROM_{name}" for name in ("DIM=3", "CONTACT=0", "REAL=0", "ISA=0", "REMEDIES=0")]
    run(command + macros + kernels, "compiling kernels with the patches", cwd=tree)
    print(f"compiled: {', '.join(others + kernels)}")


def check_fit(recipes):
    tree = os.path.join(SCRATCH, "touched")
    copy_files({path for files in recipes.values() for path in files}, tree)
    apply_patches(recipes, tree)
    check_syntax(tree)
    shutil.rmtree(tree)


def check_build(recipes):
    tree = os.path.join(SCRATCH, "tree")
    copy_files(all_files(), tree)
    apply_patches(recipes, tree)
    tests = test_files(recipes)
    folder = build(tree, tests)
    run_tests(folder, tests)
    carom = os.path.join(folder, "carom")
    for check in (check_observable, check_setting, check_frame_channel):
        check(carom)
    shutil.rmtree(tree)


def main():
    if os.environ.get("CAROM_SANITIZE") == "1":
        print("skipped under the sanitizers")
        sys.exit(77)
    if shutil.which("patch") is None or not os.path.exists(os.path.join(SOURCE, ".git")):
        print("skipped: it needs patch, and the tree of git")
        sys.exit(77)
    for name in MOST:
        if not os.path.exists(patch_of(name)) and name not in AWAITED:
            fail(f"docs/extending/{name}.patch is missing")
    recipes = {name: files_of(name) for name in MOST if os.path.exists(patch_of(name))}
    tier = os.environ.get("CAROM_TIER", "all")
    if tier != "long":
        check_counts(recipes)
        check_links(recipes)
        check_fit(recipes)
    if tier != "quick":
        check_build(recipes)
    print(f"{len(recipes)} recipes")


main()
