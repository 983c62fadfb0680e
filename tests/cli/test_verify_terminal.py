"""Detects a progress bar of `carom verify` that stays on the terminal, or appears without one, and a Ctrl-C that does
not end it at once by the signal. No bar is due when the work is done early."""
import os
import pty
import signal
import subprocess
import tempfile

from readers import expect, run

SCENE = """carom: 1
engine: hard
dimension: 3
seed: 1
box: {size: 10, boundary: periodic}
species: {grain: {diameter: 0.2, mass: 1}}
meshes:
  - {name: ball, shape: {globe: {radius: 3, rings: 24, around: 48}}, place: {at: [5, 5, 5]}, rigid: true}
particles:
  - {species: grain, count: 400, place: {random: {outside: ball}}, velocity: {maxwell: 1}}
run: {until: {time: 1}}
output: {frames: {every: %s}}
"""
CLEAR = b"\r\x1b[K"


def start():
    """A process in a separate terminal; its report is redirected to a pipe."""
    reading, writing = os.pipe()
    process, terminal = pty.fork()
    if process == 0:
        os.dup2(writing, 1)
        os.close(reading)
        os.environ.update(TERM="xterm", NO_COLOR="1")
        os.execv(os.environ["CAROM"], ["carom", "verify", "slow.h5"])
    os.close(writing)
    return process, terminal, reading


def read(descriptor, wanted=None):
    """Reads output up to `wanted`, or to the end."""
    seen = b""
    while wanted is None or wanted not in seen:
        try:
            more = os.read(descriptor, 4096)
        except OSError:  # Linux: the other side of the terminal is closed
            break
        if not more:
            break
        seen += more
    return seen


def end(process, terminal, reading):
    report = read(reading).decode()
    os.close(terminal)
    os.close(reading)
    return os.waitpid(process, 0)[1], report


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("slow.yaml", "w", encoding="utf-8") as file:
        file.write(SCENE % (0.01 if os.environ.get("CAROM_SANITIZE") == "1" else 0.005))
    run("run", "slow.yaml", "--quiet")
    # To the end: the last thing on the terminal is that the line is cleared.
    process, terminal, reading = start()
    seen = read(terminal)
    status, report = end(process, terminal, reading)
    expect("a bar", b"[" in seen and b" % frame at t = " in seen and b" left" in seen, True)
    expect("taken away", seen.endswith(CLEAR), True)
    expect("sound", (status, report.startswith("slow.h5: sound")), (0, True))
    # Ctrl-C, typed when a bar has appeared.
    process, terminal, reading = start()
    read(terminal, b" % frame at t = ")
    os.write(terminal, b"\x03")
    seen = read(terminal)
    status, report = end(process, terminal, reading)
    expect("ended by SIGINT", (os.WIFSIGNALED(status), os.WTERMSIG(status)), (True, signal.SIGINT))
    expect("taken away", seen.endswith(CLEAR), True)
    expect("no report", report, "")
    # No terminal, no bar.
    plain = subprocess.run([os.environ["CAROM"], "verify", "slow.h5"], check=True, capture_output=True)
    expect("without a terminal", plain.stderr, b"")
