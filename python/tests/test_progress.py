"""Detects bars that appear for short runs or outside of terminals and notebooks, that stay after a run, or show other numbers."""
from __future__ import annotations

import io
import sys
import types
import unittest
from typing import Any
from unittest import mock

import carom
from carom import progress
from support import Case, gas


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


def reported(fraction: float = 0.25, phase: bytes = b"run") -> Any:
    """The progress that the library reports."""
    return types.SimpleNamespace(phase=phase, time=3.0, until_time=12.0, events=700, collisions=600, merges=0,
                                 fraction=fraction, events_per_s=35e3, wall_s=0.02, left_s=0.06)


class Bars(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = Clock()
        for patch in (mock.patch.object(progress, "time", self.clock), mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None})):
            patch.start()
            self.addCleanup(patch.stop)

    def output(self, stderr: io.StringIO, choice: Any, *after_s: float) -> str:
        """The text on `stderr` of a run that reports after these times."""
        with mock.patch.object(sys, "stderr", stderr):
            reporter = progress.Reporter(choice)
            start = self.clock.now
            for after in after_s:
                self.clock.now = start + after
                reporter.report(reported())
            self.before_close = stderr.getvalue()
            reporter.close()
        return stderr.getvalue()

    def test_a_bar_in_terminals(self) -> None:
        self.assertEqual(self.output(Terminal(), None, 0.1, 0.9), "")
        text = self.output(Terminal(), None, 0.5, 1.1, 1.2)
        self.assertEqual(self.before_close.count("\r[#######%s]  25 %% time 3, 3.5e+04 events/s" % (23 * " ")), 2)
        line = self.before_close.rpartition("\r")[2]
        self.assertEqual(text, self.before_close + "\r" + " " * len(line) + "\r")

    def test_no_bar_elsewhere(self) -> None:
        self.assertEqual(self.output(io.StringIO(), None, 2), "")
        self.assertEqual(self.output(Terminal(), False, 2), "")
        self.assertIn("25 %", self.output(io.StringIO(), True, 2))

    def test_a_bar_in_notebooks(self) -> None:
        shell = types.new_class("ZMQInteractiveShell")()
        for given, shown in ((shell, True), (None, False), (object(), False)):
            module = types.ModuleType("IPython")
            module.get_ipython = lambda given=given: given  # type: ignore[attr-defined]
            with mock.patch.dict(sys.modules, {"IPython": module}):
                self.assertEqual(self.output(io.StringIO(), None, 2) != "", shown)

    def test_the_bar_of_tqdm(self) -> None:
        made: "list[Any]" = []

        class Bar:
            def __init__(self, **options: Any) -> None:
                self.total, self.text, self.closed = options["total"], "", False
                made.append(self)

            def set_postfix_str(self, text: str) -> None:
                self.text = text

            def close(self) -> None:
                self.closed = True

        module = types.ModuleType("tqdm.auto")
        module.tqdm = Bar  # type: ignore[attr-defined]
        with mock.patch.dict(sys.modules, {"tqdm": types.ModuleType("tqdm"), "tqdm.auto": module}):
            self.assertEqual(self.output(Terminal(), None, 2, 3), "")
        self.assertEqual([(bar.total, bar.n, bar.text, bar.closed) for bar in made], [(1.0, 0.25, "time 3, 3.5e+04 events/s", True)])

    def test_fractions_beyond_the_ends(self) -> None:
        with mock.patch.object(sys, "stderr", Terminal()) as stderr:
            reporter = progress.Reporter(True)
            self.clock.now += 2
            for fraction in (-1.0, 1.5):
                reporter.report(reported(fraction, b"compress"))
        self.assertIn("]   0 % compression", stderr.getvalue())
        self.assertIn("[%s] 100 %% compression" % (30 * "#"), stderr.getvalue())


class Functions(Case):
    def test_a_function_receives_the_numbers(self) -> None:
        seen: "list[carom.Progress]" = []
        progress.Reporter(seen.append).report(reported())
        self.assertEqual(seen, [carom.Progress("run", 3.0, 12.0, 700, 600, 0, 0.25, 35e3, 0.02, 0.06)])

    def test_the_progress_of_a_run(self) -> None:
        """A field of the struct has the place of another."""
        seen: "list[carom.Progress]" = []

        def note(one: carom.Progress) -> None:
            seen.append(one)
            if one.phase == "run" and one.events > 0:
                raise StopIteration

        sim = carom.Simulation(gas(256, run={"until": {"time": 1e6}}), progress=note)
        with self.assertRaises(StopIteration):
            sim.run()
        last = seen[-1]
        self.assertEqual(last.until_time, 1e6)
        self.assertEqual(last.fraction, last.time / 1e6)
        self.assertEqual(last.events, last.collisions)
        self.assertTrue(0 < last.time <= sim.time and last.events <= sim.events["total"])


if __name__ == "__main__":
    unittest.main()
