"""Detects pictures and plots that look different from the approved ones (tests/view/golden), and a comparison too
coarse to see another frame, colour or axis.

    tests/view/test_golden_pictures.py --update     writes them anew: look at each before committing it
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)
import pictures

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
CAROM = os.environ.get("CAROM", os.path.join(SOURCE, "build/release/carom"))
GOLDEN = os.path.join(HERE, "golden")

GAS = """carom: 1
engine: hard
dimension: 3
seed: 1
box: {packing_fraction: 0.3, boundary: periodic}
species:
  grain: {diameter: 1, mass: 1}
  seed: {diameter: 0.6, mass: 1}
particles:
  - {species: grain, count: 108, place: fcc, velocity: {maxwell: 1}}
  - {species: seed, count: 60, place: random, velocity: {maxwell: 1}}
run: {until: {time: 4}}
observe:
  - {what: energy, every: 0.1}
  - {what: radial_distribution, every: 0.5, bins: 60}
output: {frames: {every: 2}}
"""

# Texts are most of what differs between machines: all are set in the font that cairo's packages of Debian bring along.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <match target="pattern"><edit name="family" mode="assign" binding="strong"><string>DejaVu Sans</string></edit></match>
</fontconfig>
"""
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

# name: scene, settings, arguments; arguments of one that has to look different
SMALL = ["--size", "240x180"]
RENDERS = {
    "spheres": (GAS, [], SMALL, ["--frame", "0"]),
    "speeds": (GAS, [], SMALL + ["--colour", "speed", "--dark", "--camera", "60,50"], ["--frame", "0"]),
    "clusters": ("ballistic-aggregation", ["run.until.time=100"], ["--size", "200x220"], ["--colour", "species"]),
    "net": ("net", ["run.until.time=1"], SMALL, ["--camera", "40,22"]),
    "cloth": ("hanging-cloth", ["run.until.time=0.5"], SMALL, ["--colour", "strain"]),
    "ball": ("bouncing-ball", ["run.until.time=1"], SMALL, ["--dark"]),
    "layers": ("stirrer", ["run.until.time=3"], ["--size", "220x240", "--colour", "layers", "--frame", "2"],
               ["--frame", "3"]),
    "compactor": ("trash-compactor", ["run.until.time=0.1"], SMALL, ["--frame", "0"]),
    "hopper": ("hopper", ["run.until.time=6"], SMALL, ["--meshes", "solid"]),
    "pile": ("pushed-pile", ["run.until.time=1"], ["--size", "300x160"], ["--frame", "0"]),
}
PLOTS = {
    "distribution": (GAS, [], ["--what", "radial_distribution"], ["--log", "y"]),
    "aggregation": ("ballistic-aggregation", ["run.until.time=100"], ["--what", "boxes"], ["--log", "none"]),
    "stack": ("hanging-cloth", ["run.until.time=0.5"], ["--what", "stack"], ["--dark"]),
    "ledger": ("hanging-cloth", ["run.until.time=0.5"], ["--what", "drift"], ["--log", "x"]),
}


def carom(*arguments):
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=500)
    if "without cairo" in done.stderr:
        print("skipped: carom was built without cairo")
        sys.exit(77)
    assert done.returncode == 0, (arguments, done.stderr)


def result(folder, scene, settings):
    name = "gas" if scene == GAS else scene
    path = os.path.join(folder, name + ".h5")
    if os.path.exists(path):
        return path
    file = os.path.join(SOURCE, "examples", name + ".yaml")
    if scene == GAS:
        file = os.path.join(folder, "gas.yaml")
        with open(file, "w", encoding="utf-8") as out:
            out.write(GAS)
    carom("run", file, "-o", path, "--quiet", *[word for s in settings for word in ("--set", s)])
    return path


def compare(command, name, case, folder, most):
    scene, settings, arguments, other = case
    golden = os.path.join(GOLDEN, f"{command}-{name}.png")
    file = result(folder, scene, settings)
    made = [os.path.join(folder, f"{command}-{name}-{k}.png") for k in range(2)]
    carom(command, file, "-o", made[0], *arguments)
    carom(command, file, "-o", made[1], *arguments, *other)
    if update:
        os.replace(made[0], golden)
        return
    wanted = pictures.read(golden)
    mean, share = pictures.difference(pictures.read(made[0]), wanted)
    far_mean, far_share = pictures.difference(pictures.read(made[1]), wanted)
    print(f"{command} {name}: {mean:.3f} of 255 apart, {100 * share:.2f} % visibly; otherwise drawn {far_mean:.3f}, "
          f"{100 * far_share:.2f} %")
    assert mean <= most[0] and share <= most[1], f"{command} {name} does not look as {golden}"
    assert far_mean > most[0] or far_share > most[1], f"{command} {name}: the comparison sees no difference"


update = "--update" in sys.argv
with tempfile.TemporaryDirectory() as place:
    os.environ["FONTCONFIG_FILE"] = os.path.join(place, "fonts.conf")
    with open(os.environ["FONTCONFIG_FILE"], "w", encoding="utf-8") as file:
        file.write(FONTS)
    for key, value in RENDERS.items():
        compare("render", key, value, place, (1.2, 0.015))
    if not os.path.exists(FONT):
        print(f"plots are left out: no {FONT}")
        PLOTS.clear()
    for key, value in PLOTS.items():
        compare("plot", key, value, place, (0.8, 0.007))
