"""Detects a wheel that is too large, that needs libraries of the machine besides the C library, or that pip cannot make and
install without a package index; and an editable installation that does not follow the checkout."""
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

SOURCE = Path(os.environ["CAROM_SOURCE"])
LARGEST = 8e6  # bytes of a wheel
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "packaging" / "wheel"))
import archive  # noqa: E402
import bundle  # noqa: E402
import checks  # noqa: E402

if os.environ.get("CAROM_SANITIZE") == "1":
    print("the wheel is built without sanitizers")
    sys.exit(77)


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        print("%s\nended with status %d:\n%s" % (" ".join(map(str, command)), done.returncode, done.stdout[-4000:]))
    return done


def environment(folder):
    """An environment that sees numpy of the system."""
    run("/usr/bin/python3", "-m", "venv", "--system-site-packages", folder)
    return folder / "bin"


# Draws colliding spheres, then prints the shared libraries in the memory of the process.
SCRIPT = """
import carom
sim = carom.Simulation(carom.Scene.starter("gas"), output="gas.h5")
sim.run(time=12)
carom.render(sim, "spheres.png")
sim.close()
print(carom.__file__, carom.__version__)
print("\\n".join(sorted({line.split()[-1] for line in open("/proc/self/maps") if ".so" in line})))
"""

work = tempfile.TemporaryDirectory()
folder = Path(work.name)
scripts = environment(folder / "v")
clean = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}

start = time.monotonic()
made = run(scripts / "pip", "wheel", "--no-index", "--no-deps", "-w", folder, SOURCE)
print("pip wheel took %.0f s" % (time.monotonic() - start))
checks.check("pip makes a wheel without an index", made.returncode == 0)
[wheel] = folder.glob("*.whl")
size = wheel.stat().st_size
checks.check("%s has %.2f MB, at most %.0f" % (wheel.name, size / 1e6, LARGEST / 1e6), size <= LARGEST)
with zipfile.ZipFile(wheel) as contents:
    names = contents.namelist()
    contents.extractall(folder / "contents")
    table = contents.read(archive.info_folder() + "/licenses/bundled/bundled.txt").decode()
libraries = [name.rsplit("/", 1)[1] for name in names if name.startswith("carom/lib/") and ".so" in name]
for name in libraries:
    path = folder / "contents" / "carom" / "lib" / name
    outside = [other for other in bundle.needed(path) if other not in libraries and not bundle.SYSTEM.match(other)]
    checks.check("%s needs the bundle and the C library only" % name, not outside, str(outside))
    checks.check("%s is in the table of licences" % name, name == "libcarom.so.1" or "\n%s: " % name in table)
checks.check("each licence was found", "was not found" not in table, table)
licences = re.findall(r"licence in (\S+)", table)
checks.check("the licences are in the package", licences and all(
    "%s/licenses/bundled/%s" % (archive.info_folder(), name) in names for name in licences), table)
major, minor = map(int, re.search(r"manylinux_(\d+)_(\d+)_", wheel.name).groups())
system = tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")[:2]))
checks.check("the tag does not ask for a newer C library than the one here", (major, minor) <= system, str(system))

checks.check("pip installs it", run(scripts / "pip", "install", "--no-index", wheel).returncode == 0)
done = run(scripts / "python", "-c", SCRIPT, cwd=folder, env=clean)
checks.check("a script draws colliding spheres", done.returncode == 0 and (folder / "spheres.png").read_bytes().startswith(b"\x89PNG"))
checks.check("nothing else is printed", done.stdout.count("\n") == 1 + done.stdout.count(".so"), done.stdout)
mapped = [Path(line) for line in done.stdout.splitlines()[1:]]
bundled = [path for path in mapped if path.parent.name == "lib"]
checks.check("the libraries in memory are those of the package", {path.name for path in bundled} >= {
    "libcarom.so.1", "libcarom-cairo.so.2", "libcarom-yaml-0.so.2"}, done.stdout)
outside = [path.name for path in mapped if path not in bundled and re.match(
    r"lib(aec|cairo|curl|fontconfig|freetype|hdf5|jansson|pixman|png|sz|X11|xcb|yaml)", path.name)]
checks.check("none of the machine is used in place of them", not outside, str(outside))
for command in ([scripts / "carom"], [scripts / "python", "-m", "carom"]):
    done = run(*command, "run", SOURCE / "examples" / "newtons-cradle.yaml", "-o", "cradle.h5", "--force", cwd=folder, env=clean)
    checks.check("%s runs a scene" % " ".join(map(str, command)), re.search("collisions +4 in", done.stdout), done.stdout)
    done = run(*command, "render", "gas.h5", "-o", "spheres.png", "--force", cwd=folder, env=clean)
    checks.check("and draws", done.stdout == "wrote spheres.png\n" and (folder / "spheres.png").read_bytes().startswith(b"\x89PNG"),
          done.stdout)
done = run(scripts / "carom", "run", "missing.yaml", cwd=folder, env=clean)
checks.check("the exit status is that of the command", done.returncode == 66)

if Path(os.environ["CAROM_BUILD"]) == SOURCE / "build" / "release":
    scripts = environment(folder / "editable")
    checks.check("pip makes an editable installation", run(scripts / "pip", "install", "--no-index", "-e", SOURCE).returncode == 0)
    done = run(scripts / "python", "-c", "import carom; print(carom.__file__)", cwd=folder, env=clean)
    checks.check("it imports the checkout", done.stdout.strip() == str(SOURCE / "python" / "carom" / "__init__.py"), done.stdout)
    done = run(scripts / "carom", "--version", cwd=folder, env=clean)
    checks.check("its command is that of the checkout", done.stdout == run(os.environ["CAROM"], "--version").stdout, done.stdout)
sys.exit(checks.failures > 0)
