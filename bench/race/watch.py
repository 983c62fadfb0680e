"""Watches a program that prints how far it is: collisions per second of its CPU time, between two of its lines."""
import ctypes
import os
import pty
import re
import select
import subprocess
import time


class Progress:
    """Contents of a line of progress: simulated time and number of collisions."""

    def __init__(self, time, collisions):
        self.time, self.collisions = time, collisions


NUMBER = r"([-+0-9.eE]+)"
PLAIN = re.compile(r"Simtime: %s, Collisions: (\d+)" % NUMBER)
DYNAMO = re.compile(r"Events (\d+)k, t %s," % NUMBER)


def read_plain(line):
    """A line of EDMD, which the player of this project prints as well."""
    found = PLAIN.search(line)
    return Progress(float(found.group(1)), int(found.group(2))) if found else None


def read_dynamo(line):
    """A line of DynamO; its events are collisions, without crossings of cells. The unit is thousands, rounded down:
    exact if lines follow after a fixed number of thousands."""
    found = DYNAMO.search(line)
    return Progress(float(found.group(2)), 1000 * int(found.group(1))) if found else None


class Mark:
    """A line, and the CPU time of its arrival."""

    def __init__(self, progress, cpu):
        self.collisions, self.time, self.cpu = progress.collisions, progress.time, cpu


def stretch(marks, warm, seconds):
    """The measured stretch: from the first line with `warm` collisions to the last line, once `seconds` of CPU time
    are between them and two lines have followed; None before that. The time before the first line of a program is
    never included."""
    begun = next((i for i, m in enumerate(marks) if i > 0 and m.collisions >= warm), None)
    if begun is None or len(marks) < begun + 3 or marks[-1].cpu - marks[begun].cpu < seconds:
        return None
    return marks[begun], marks[-1]


class Measurement:
    """One run: `speed` (collisions per CPU second), `rate` (collisions of a particle per unit time), `setup` (CPU
    seconds to its first line), `bytes` (largest resident size)."""

    def __init__(self, n, first, begun, ended, peak):
        collisions = ended.collisions - begun.collisions
        self.cpu = ended.cpu - begun.cpu
        self.collisions = collisions
        self.speed = collisions / self.cpu
        self.rate = 2 * collisions / (n * (ended.time - begun.time))
        self.setup, self.bytes = first.cpu, peak


class CpuClock:
    """CPU time of another process, of all its threads."""

    def __init__(self, pid):
        number = ctypes.c_int()
        if ctypes.CDLL(None).clock_getcpuclockid(ctypes.c_int(pid), ctypes.byref(number)) != 0:
            raise OSError("no CPU clock of process %d" % pid)
        self.number = number.value

    def seconds(self):
        return time.clock_gettime(self.number)


def batches_of(descriptor, patience):
    """Yields lists of lines as they arrive, with simultaneous lines in one list. It ends with the program, or after
    `patience` seconds without output."""
    rest = b""
    while select.select([descriptor], [], [], patience)[0]:
        try:
            piece = os.read(descriptor, 65536)
        except OSError:  # the other end of a terminal is gone
            piece = b""
        if not piece:
            return
        *whole, rest = (rest + piece).split(b"\n")
        yield [line.decode(errors="replace") for line in whole]


def peak_of(pid):
    """The largest resident size of a running process. (That of wait4 would include the parent process before exec.)"""
    with open("/proc/%d/status" % pid) as file:
        sizes = [line.split()[1] for line in file if line.startswith("VmHWM:")]
    return 1024 * int(sizes[0]) if sizes else 0


def marks_of(descriptor, read, clock, patience, said):
    """A mark for each line that arrived alone: of several lines at once, the first was read too late. Lines without
    progress are added to `said`."""
    for lines in batches_of(descriptor, patience):
        told = [p for p in map(read, lines) if p]
        if len(told) == 1:
            yield Mark(told[0], clock.seconds())
        elif not told:
            said.extend(lines)


def measure(command, folder, read, n, warm, seconds, patience=300):
    """Runs the command in the folder until it has been measured for `seconds` of CPU time, then stops it."""
    ours, theirs = pty.openpty()  # a terminal: the program hands out each line at once
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    marks, said, found, peak = [], [], None, 0
    try:
        for mark in marks_of(ours, read, CpuClock(process.pid), patience, said):
            marks.append(mark)
            found = stretch(marks, warm, seconds)
            if found:
                peak = peak_of(process.pid)
                break
    finally:  # also where the race is interrupted
        process.kill()
        process.wait()
        os.close(ours)
    if not found:
        raise RuntimeError("%s told too little:\n%s" % (" ".join(command), "\n".join(said[-20:])))
    return Measurement(n, marks[0], *found, peak)
