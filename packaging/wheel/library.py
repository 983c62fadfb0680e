"""Builds libcarom and the command for the Python package."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import project

# A build folder of its own: no tests, no MPI (a wheel cannot know the MPI of the machine), no debugging information, nor the
# tables that unwind the stack, which C does not need. The instruction set is generic, and the kernels choose theirs at run time,
# as in every build.
FLAGS = "-O3 -g0 -fno-asynchronous-unwind-tables -fno-unwind-tables"
LINK = "-Wl,-z,pack-relative-relocs"
OPTIONS = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_C_FLAGS_RELWITHDEBINFO=" + FLAGS, "-DCAROM_TESTS=OFF", "-DCAROM_MPI=OFF",
           "-DCMAKE_SHARED_LINKER_FLAGS=" + LINK]


def run(*command: str, failure: str) -> None:
    """Runs a command; its output is shown by `pip install -v`, and by pip if the build fails."""
    sys.stdout.flush()
    try:
        status = subprocess.run(command, cwd=project.ROOT, stdin=subprocess.DEVNULL).returncode
    except OSError as error:
        raise SystemExit("carom: %s (%s)" % (failure, error)) from None
    if status != 0:
        raise SystemExit("carom: %s (%s ended with status %d)" % (failure, command[0], status))


def setup(level: str) -> None:
    """Installs what the build needs, if it is missing."""
    run("bash", str(project.ROOT / "tools" / "setup.sh"), level,
        failure="packages for the build are missing and could not be installed; install those listed above and repeat")


def build(folder: str, *options: str) -> Path:
    """Builds libcarom.so.N and carom in a folder of the checkout."""
    path = project.ROOT / "build" / folder
    run("cmake", "-S", str(project.ROOT), "-B", str(path), "-G", "Ninja", *OPTIONS, *options,
        failure="the configuration of the build failed")
    run("cmake", "--build", str(path), "--target", "carom_command", failure="the compilation of libcarom failed")
    return path


def build_release() -> None:
    """Builds build/release as `make build` does."""
    if not (project.ROOT / "build" / "release" / "build.ninja").exists():
        run("cmake", "--preset", "release", failure="the configuration of the build failed")
    run("cmake", "--build", "--preset", "release", "--target", "carom_command",
        failure="the compilation of libcarom failed")


def shared_object(folder: Path) -> Path:
    """The file libcarom.so.N that a build made."""
    return (folder / "libcarom.so").resolve()
