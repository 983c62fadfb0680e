"""Response time of a run to SIGTERM: python3 tools/stop_times.py [SCENE ...]

Starts each scene (default: all examples, and a generated shell of 6,272 triangles), sends SIGTERM three times at
different moments of the run, and prints the longest time until the process has ended, checkpoint and last frame
included. A time beyond one second is a failure."""
import argparse
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT_S = 1.0
STOPPED_EARLY = 75
SHELL = """carom: 1
title: A damped shell of 6,272 triangles
engine: variational
box: {size: [40, 40, 20], boundary: open}
species: {cloth: {diameter: 1}}
meshes:
  - name: cloth
    shape: {rectangle: {length: 30, width: 30, along: 56, across: 56, rough: true}}
    place: {at: [20, 20, 5]}
    thickness: 0.1
    stretch: 2000
    bend: 0.5
    damping: {stretch: 2, bend: 0.001}
fields: {gravity: [0, 0, -1]}
run: {until: {time: 1000}}
"""


def begun(process, result):
    """Waits until the result exists, which a run makes at the end of its set-up."""
    while process.poll() is None and not result.exists():
        time.sleep(0.01)


def stop_after(carom, scene, wait_s, folder):
    """Seconds from SIGTERM to the end; None where the run was over before."""
    result = folder / "stopped.h5"
    result.unlink(missing_ok=True)
    process = subprocess.Popen([carom, "run", scene, "--force", "--quiet", "-o", result,
                                "--set", "run.until={time: 1e7}"], stderr=subprocess.DEVNULL)
    begun(process, result)
    time.sleep(wait_s)
    asked = time.monotonic()
    process.send_signal(signal.SIGTERM)
    code = process.wait()
    return time.monotonic() - asked if code == STOPPED_EARLY else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carom", default=ROOT / "build/release/carom")
    parser.add_argument("scenes", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    late = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shell = folder / "shell.yaml"
        shell.write_text(SHELL)
        for scene in args.scenes or [*sorted((ROOT / "examples").glob("*.yaml")), shell]:
            times = [stop_after(args.carom, scene, wait_s, folder) for wait_s in (0.3, 0.9, 2.1)]
            times = [t for t in times if t is not None]
            longest = max(times, default=0)
            late += longest > LIMIT_S
            print(f"{scene.stem:24} {1e3 * longest:6.0f} ms" if times else f"{scene.stem:24} ended by itself", flush=True)
    return late > 0


if __name__ == "__main__":
    sys.exit(main())
