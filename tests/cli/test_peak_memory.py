"""Detects a peak memory in the summary that includes the memory of the process which started carom; and frames, checkpoints or an
initial state that take memory beside that of a large run."""
import json
import os
import subprocess
import sys
import tempfile

HELD = 400 << 20
sanitized = os.environ.get("CAROM_SANITIZE", "0") != "0"
PARTICLES = 500000
# Bytes a particle of a fluid at a packing fraction of 0.3 by number of threads; a copy of the positions has 24, one of the state 92.
MOST = {1: 270, 2: 350}

carom = os.path.join(os.environ["CAROM_BUILD"], "carom")


def peak_of(folder, *arguments):
    done = subprocess.run([carom, "run", "gas.yaml", "--quiet", "--force", "--json", "-", *arguments], cwd=folder, check=True, capture_output=True)
    return json.loads(done.stdout)["peak_rss_bytes"]


FLUID = """carom: 1
engine: hard
dimension: 3
seed: 1
box: {packing_fraction: 0.3, boundary: periodic}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, count: %d, place: fcc, velocity: {maxwell: 1}}]
run: {until: {collisions: %d}}
"""

good = True
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([carom, "init", "gas", "-o", "gas.yaml"], cwd=folder, check=True, capture_output=True)
    alone = peak_of(folder, "--set", "run.until={time: 1e-3}")
    held = bytearray(os.urandom(4096)) * (HELD // 4096)
    least = peak_of(folder, "--set", "run.until={time: 1e-3}")
    print("%d bytes, started by a process that holds %d; %d without it" % (least, len(held), alone))
    good = good and 1 << 20 < least and abs(least - alone) < HELD // 16
    good = good and (least < HELD // 2 or sanitized) # which take half of this themselves
    with open(os.path.join(folder, "gas.yaml"), "w") as scene:
        scene.write(FLUID % (PARTICLES, PARTICLES))
    for threads, most in MOST.items():
        each = (peak_of(folder, "--threads", str(threads)) - least) / PARTICLES
        print("%d threads: %.0f bytes a particle, at most %d" % (threads, each, most))
        good = good and (each < most or sanitized)
sys.exit(0 if good else 1)
