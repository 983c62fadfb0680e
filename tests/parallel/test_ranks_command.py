#!/usr/bin/env python3
"""Detects runs under mpirun that differ from those of one process, that print or write more than once, that ranks with another
scene, input or carom can join, that hang or end without a reason and a checkpoint after the loss of a rank or on a full disk, or that
a signal or `wall_time` ends badly.

The command under test, carom_signalled, sends signals to itself at chosen steps (signalled.c)."""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

CAROM, BUILD = os.environ["CAROM"], os.environ["CAROM_BUILD"]
SIGNALLED = os.path.join(BUILD, "carom_signalled")
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1")
SCENE = """carom: 1
engine: hard
dimension: 3
seed: 42
box: {packing_fraction: 0.3, boundary: periodic}
species: {grain: {diameter: 1, mass: 1}}
particles: [{species: grain, count: 256, place: fcc, velocity: {maxwell: 1}}]
contacts: [{between: [grain, grain], restitution: 1}]
run: {until: {time: 30}}
observe: [{what: energy, every: 0.1}, {what: pressure, every: 0.5}]
output: {frames: {every: 1}}
"""
LOSSES = int(sys.argv[1]) if len(sys.argv) > 1 else 6  # kills of a rank
failed = 0


def expect(what, holds, *details):
    global failed
    print("ok:" if holds else "FAILED:", what, *([] if holds else details))
    failed += not holds


def mpirun(words, ranks=3, program=SIGNALLED, others=None, place=(), **environment):
    """The exit code and the standard error. others, place: words of the other ranks, and of mpirun for these."""
    command = ["mpirun", "-n", str(ranks if others is None else 1), program, *words]
    if others is not None:
        command += [":", *place, "-n", str(ranks - 1), program, *others]
    done = subprocess.run(command, env=dict(ENVIRONMENT, **environment), capture_output=True, text=True, timeout=120)
    return done.returncode, done.stderr


def words_of(name, *more):
    return ["run", "gas.yaml", "-o", name + ".h5", "--json", name + ".json", *more]


def summary(name):
    with open(name + ".json") as file:
        return json.load(file)


def without_clocks(name):
    """The results: the count of transfers depends on how neighbours are found."""
    found = {key: value for key, value in summary(name).items()
             if key not in ("setup_s", "cpu_s", "wall_s", "events_per_s", "peak_rss_bytes", "ranks", "domains")}
    del found["events"]["transfer"]
    return found


def check_equal():
    code, text = mpirun(words_of("three", "--quiet"))
    expect("three ranks: ends", code == 0, code, text)
    expect("three ranks: quiet", text == "", text)
    expect("three ranks: the summary of one process", without_clocks("three") == without_clocks("one"))
    expect("three ranks: are counted", summary("three")["ranks"] == 3 and summary("one")["ranks"] == 1)
    code, text = mpirun(words_of("two"), ranks=2)
    expect("two ranks: one summary", text.count("stopped by time at t = 30") == 1, text)
    code, text = mpirun(words_of("both", "--quiet", "--threads", "2"), ranks=2)
    both = dict(without_clocks("both"), threads=1)
    expect("two ranks with two threads: the summary of one process", code == 0 and both == without_clocks("one"), code, text)


def check_refusals():
    cases = [("a result that exists", words_of("three"), None, {}, 73, "' exists; "),
             ("another seed", words_of("new"), words_of("new", "--seed", "7"), {}, 64,
              "rank 1 of 3 (%s) has another seed than rank 0"),
             ("another scene", words_of("new"), words_of("new", "--set", "run.until.time=29"), {}, 64,
              "rank 1 of 3 (%s) has another scene than rank 0"),
             ("an option", words_of("new"), words_of("new", "--resume"), {}, 64,
              "rank 1 of 3 (%s) has another option --resume than rank 0"),
             ("a number of threads", words_of("new"), words_of("new", "--threads", "2"), {}, 64,
              "rank 1 of 3 (%s) has another option --threads than rank 0"),
             ("no scene", ["run", "none.yaml"], None, {}, 66, "none.yaml: error: the scene cannot be opened"),
             ("no scene on one rank", words_of("new"), ["run", "none.yaml"], {}, 66,
              "(%s): none.yaml: error: the scene cannot be opened"),
             ("standard input", ["run", "-"], None, {}, 64, "a scene on standard input reaches rank 0 only"),
             ("an engine with one process", ["run", "gas.yaml", "--set", "engine=variational"], None, {}, 64,
              "the engine `variational` cannot divide this run among 3 ranks"),
             ("a rank that cannot send", words_of("new"), None, {"CAROM_TEST_FAIL": "1"}, 74,
              "error: rank 1 (%s): the communication between the ranks has failed: MPI_ERR_NO_MEM")]
    for what, words, others, environment, wanted, part in cases:
        code, text = mpirun(words, others=others, **environment)
        part = part.replace("%s", os.uname().nodename[:50])
        expect(what + ": refused", code == wanted, code, text)
        messages = [line for line in text.splitlines() if "error: " in line]
        expect(what + ": one message", len(messages) == 1 and part in messages[0], text)
        remove("new")
    single = subprocess.run([SIGNALLED, "run", "gas.yaml", "-o", "new.h5"], capture_output=True, text=True,
                            env=dict(ENVIRONMENT, PMI_SIZE="2", PMI_RANK="0"), timeout=60)
    expect("a launcher of another MPI: refused", single.returncode == 64 and "for which" in single.stderr, single.stderr)


def check_other_inputs():
    """On rank 1 the file of the scene has another velocity."""
    os.mkdir("elsewhere")
    for folder, velocity in ((".", "1 0 0"), ("elsewhere", "1 0 1")):
        with open(os.path.join(folder, "start.xyz"), "w") as file:
            file.write('2\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:velo:R:3\n'
                       "grain 1 1 1 %s\ngrain 5 5 5 0 1 0\n" % velocity)
        with open(os.path.join(folder, "listed.yaml"), "w") as file:
            file.write(re.sub("(?m)^box:.*$", "box: {size: 9, boundary: periodic}",
                              re.sub("(?m)^particles:.*$", "particles: [{species: grain, place: {file: start.xyz}, velocity: file}]",
                                     SCENE)))
    words = ["run", "listed.yaml", "-o", "new.h5"]
    code, text = mpirun(words, others=words, place=["-wdir", os.path.abspath("elsewhere")])
    expect("another input file: refused", code == 64 and "has other input files than rank 0" in text, code, text)


def check_other_carom():
    """A library with another commit, on rank 1."""
    commit = re.search(r"\(([^)]+)\)", subprocess.run([CAROM, "--version"], capture_output=True, text=True).stdout)
    if commit is None:
        print("skipped: this carom has no commit")
        return
    os.mkdir("other")
    for name in ("libcarom_inside.so", "libcarom_mpi.so"):
        with open(os.path.join(BUILD, name), "rb") as file:
            data = file.read()
        with open(os.path.join("other", name), "wb") as file:
            file.write(data.replace(commit[1].encode() + b"\0", b"x" * len(commit[1]) + b"\0"))
    code, text = mpirun(words_of("new"), others=words_of("new"), place=["-x", "LD_LIBRARY_PATH=" + os.path.abspath("other")])
    expect("another carom: refused", code == 64 and "has another carom than rank 0" in text, code, text)


def check_without_library():
    """The library of carom in a folder without that for MPI."""
    os.mkdir("alone")
    shutil.copy(os.path.join(BUILD, "libcarom_inside.so"), "alone")
    code, text = mpirun(words_of("new"), LD_LIBRARY_PATH=os.path.abspath("alone"))
    expect("no library for MPI: refused", code == 64, code, text)
    expect("no library for MPI: one message", text.count("has started 3 processes, and this carom has no MPI") == 1, text)
    code, text = mpirun(words_of("new"), ranks=1, LD_LIBRARY_PATH=os.path.abspath("alone"))
    expect("no library for MPI: one process runs", code == 0, code, text)


def check_signals():
    term, usr1, hup, interrupt = int(signal.SIGTERM), int(signal.SIGUSR1), int(signal.SIGHUP), int(signal.SIGINT)
    code, text = mpirun(words_of("stopped"), CAROM_TEST_SIGNALS=f"0:6000:{term}")
    expect("SIGTERM to rank 0: stops with a checkpoint", code == 75 and os.path.exists("stopped.h5.checkpoint"), code, text)
    resume("stopped", "SIGTERM to rank 0")
    code, text = mpirun(words_of("all"), CAROM_TEST_SIGNALS=f"0:6000:{term},1:6000:{term},2:6000:{term}")
    expect("SIGTERM to all ranks: stops with a checkpoint", code == 75 and os.path.exists("all.h5.checkpoint"), code, text)
    resume("all", "SIGTERM to all ranks")
    code, text = mpirun(words_of("others"), CAROM_TEST_SIGNALS=f"1:6000:{term},2:7000:{usr1},1:8000:{hup},2:9000:{interrupt}")
    expect("signals to other ranks: have no effect", code == 0 and without_clocks("others") == without_clocks("one"), code, text)
    code, text = mpirun(words_of("interrupted"), CAROM_TEST_SIGNALS=f"0:6000:{interrupt}")
    expect("SIGINT to rank 0: stops with a checkpoint", code == 75 and os.path.exists("interrupted.h5.checkpoint"), code, text)
    resume("interrupted", "SIGINT to rank 0")
    code, text = mpirun(words_of("kept"), CAROM_TEST_SIGNALS=f"0:6000:{usr1}m,1:8000:{int(signal.SIGKILL)}")
    expect("SIGUSR1 to mpirun: writes a checkpoint", code == 137 and "'kept.h5' has a checkpoint of time " in text, code, text)
    resume("kept", "SIGUSR1 to mpirun")
    for number in (term, interrupt):  # mpirun kills the ranks, before or after a checkpoint
        name, what = f"ended{number}", f"{signal.Signals(number).name} to mpirun"
        code, text = mpirun(words_of(name), CAROM_TEST_SIGNALS=f"0:4000:{usr1},0:6000:{number}m")
        expect(what + ": ends", code != 0 and os.path.exists(name + ".h5.checkpoint"), code, text)
        resume(name, what)


def check_wall_time():
    code, text = mpirun(words_of("early", "--set", "run.until.wall_time=1e-9"))
    expect("wall_time: stops with a checkpoint",
           code == 0 and "stopped by wall_time" in text and os.path.exists("early.h5.checkpoint"), code, text)
    resume("early", "wall_time")


def check_full_disk():
    """Rank 0 cannot write: all ranks end, with one message; the run continues where there is a checkpoint."""
    code, text = mpirun(words_of("full"), CAROM_TEST_DISK="1000", CAROM_TEST_SIGNALS=f"0:600:{int(signal.SIGUSR1)}")
    messages = [line for line in text.splitlines() if "error: " in line]
    expect("a full disk: ends", code == 74 and len(messages) == 1 and "File too large" in messages[0], code, text)
    resume("full", "a full disk")


def resume(name, what):
    code, text = mpirun(words_of(name, "--resume", "--quiet"))
    expect(what + ": resumes", code == 0, code, text)
    expect(what + ": the bits of the uninterrupted run", without_clocks(name) == without_clocks("one"))


def check_losses():
    choice = random.Random(5)
    for number in range(LOSSES):
        rank, step, name = number % 3, choice.randint(4000, 15000), f"lost{number}"
        code, text = mpirun(words_of(name), CAROM_TEST_SIGNALS=f"0:{step - 2000}:{int(signal.SIGUSR1)},{rank}:{step}:{int(signal.SIGKILL)}")
        what = f"rank {rank} is killed at step {step}"
        expect(what + ": ends", code == 137, code, text)
        if rank > 0:
            expect(what + ": is named", "rank " in text and " has ended" in text, text)
            expect(what + ": names the checkpoint", f"'{name}.h5' has a checkpoint of time " in text, text)
        resume(name, what)
        remove(name)


def check_sanitized():
    """Ranks with threads under the sanitizers, which end a process with a report: whole, and stopped and resumed."""
    words, name = ("--threads", "2", "--set", "run.until.time=6", "--quiet"), "parts"
    code, text = mpirun(words_of("whole", *words))
    expect("sanitizers: ends", code == 0 and text == "", code, text)
    code, text = mpirun(words_of(name, *words), CAROM_TEST_SIGNALS=f"0:1500:{int(signal.SIGUSR1)},0:3000:{int(signal.SIGTERM)}")
    expect("sanitizers: stops with a checkpoint", code == 75 and os.path.exists(name + ".h5.checkpoint") and "Sanitizer" not in text,
           code, text)
    code, text = mpirun(words_of(name, "--resume", *words))
    expect("sanitizers: resumes", code == 0 and text == "", code, text)
    expect("sanitizers: the bits of the uninterrupted run", without_clocks(name) == without_clocks("whole"))


def remove(name):
    for ending in (".h5", ".json", ".h5.checkpoint", ".h5.lock"):
        if os.path.exists(name + ending):
            os.remove(name + ending)


def main():
    skip = None
    if not os.path.exists(SIGNALLED):
        skip = "this carom was built without MPI"
    elif shutil.which("mpirun") is None or subprocess.run(["mpirun", "-n", "2", "true"], env=ENVIRONMENT, capture_output=True).returncode:
        skip = "mpirun does not work here"
    if skip is not None:
        print("skipped:", skip)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("gas.yaml", "w") as file:
            file.write(SCENE)
        if os.environ.get("CAROM_SANITIZE", "0") not in ("", "0"):
            # Open MPI unloads parts with memory of their own: leaks without names, which no suppression covers.
            ENVIRONMENT["ASAN_OPTIONS"] = ENVIRONMENT.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
            check_sanitized()
            os.chdir("/")
            return failed > 0
        subprocess.run([SIGNALLED, *words_of("one", "--quiet")], check=True)
        check_equal()
        check_refusals()
        check_other_inputs()
        check_other_carom()
        check_without_library()
        check_signals()
        check_wall_time()
        check_full_disk()
        check_losses()
        os.chdir("/")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
