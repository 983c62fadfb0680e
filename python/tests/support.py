"""Common code of the tests of the package: tiers, folders, the command, scenes."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest
from typing import Any, Callable, TypeVar

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = SOURCE / "examples"
COMMAND = os.environ.get("CAROM", str(SOURCE / "build/release/carom"))

# A shell starts commands in the background with Ctrl-C ignored: tests of it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

T = TypeVar("T", bound=Callable[..., Any])


def long(test: T) -> T:
    """Marks a test that `make test` leaves out and `make test-all` runs."""
    test.is_long = True  # type: ignore[attr-defined]
    return test


class Case(unittest.TestCase):
    """A test with a folder of its own, which is the working directory."""

    def setUp(self) -> None:
        before = os.getcwd()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="carom-python-"))
        os.chdir(self.folder)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(os.chdir, before)


def command(*arguments: Any, check: bool = True) -> "subprocess.CompletedProcess[str]":
    """Runs the command `carom`."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, env=environment)
    if check and done.returncode != 0:
        raise AssertionError("%s\n%s" % (done.args, done.stderr))
    return done


def summary_of(*arguments: Any) -> dict[str, Any]:
    """The JSON summary of `carom run`."""
    return json.loads(command("run", *arguments, "--json", "-", "--quiet", "--output", "command.h5", "--force").stdout)


def gas(count: int = 64, dimension: int = 3, **keys: Any) -> dict[str, Any]:
    """A gas of hard spheres in a periodic box."""
    return {"engine": "hard", "dimension": dimension, "seed": 7, "box": {"packing_fraction": 0.2},
            "species": {"ball": {"diameter": 1}},
            "particles": [{"species": "ball", "count": count, "place": "random", "velocity": {"maxwell": 1},
                           "zero_momentum": True}], "run": {"until": {"time": 2}}, **keys}


def sticky(count: int = 40, **keys: Any) -> dict[str, Any]:
    """Particles that aggregate."""
    return gas(count, engine="aggregation", box={"packing_fraction": 0.05}, run={"until": {"time": 3}}, **keys)


def pile(**keys: Any) -> dict[str, Any]:
    """Disks that fall onto the floor of a box, with penalty layers."""
    return {"engine": "variational", "dimension": 2, "seed": 3, "box": {"size": [6, 8], "boundary": "wall"},
            "species": {"grain": {"diameter": 1}}, "fields": {"gravity": [0, -1]},
            "particles": [{"species": "grain", "count": 9, "place": "random"}], "run": {"until": {"time": 1}}, **keys}
