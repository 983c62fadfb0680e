"""Detects views that change a run, leave it unusable or keep the interpreter from ending, and pages with other frames than
those that were recorded."""
from __future__ import annotations

import base64
import html
import json
import math
import pathlib
import re
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
import zlib
from typing import Any, Iterator

import numpy as np

import carom
from support import SOURCE, Case, command, gas, pile, sticky

sys.path.insert(0, str(SOURCE / "tests/view"))
import viewer  # noqa: E402


def connect(view: carom.View) -> viewer.Viewer:
    """A viewer that has received what the page starts from."""
    server = viewer.Server.__new__(viewer.Server)
    parts = urllib.parse.urlsplit(view.url)
    server.host, server.port, server.query = parts.hostname, parts.port, parts.query
    made = viewer.Viewer(server)
    made.greeting()
    return made


class Live(Case):
    def test_a_run_that_was_shown_has_the_same_bits(self) -> None:
        for scene in (gas(), sticky(), pile()):
            with self.subTest(engine=scene["engine"]):
                whole, shown = carom.Simulation(scene), carom.Simulation(scene)
                whole.run()
                with shown.view() as view, connect(view) as page:
                    page.say("pause")
                    page.until(lambda frame: frame["state"] == "paused")
                    page.say("step 3")
                    page.until(lambda frame: frame["events"] >= 3)
                    page.say("speed 0.5")
                    page.say("play")
                    page.until(lambda frame: frame["time"] > 0.02)
                self.assertTrue(0.02 < shown.time < 2)
                shown.run()
                self.assertEqual(shown.state_hash, whole.state_hash)
                self.assertEqual(shown.events, whole.events)

    def test_the_simulation_is_reserved_while_it_is_shown(self) -> None:
        sim = carom.Simulation(gas())
        sim.run(time=0.1)
        view = sim.view()
        self.assertIs(sim.view(), view)
        for use in (lambda: sim.run(time=1), lambda: sim.frame, lambda: sim.time, lambda: sim.events, lambda: sim.stop,
                    lambda: sim.summary, lambda: sim.step(), lambda: carom.Page().record(sim)):
            with self.assertRaisesRegex(carom.UsageError, r"shown in a view: `sim.view\(\).stop\(\)` ends it"):
                use()
        self.assertIn(view.url, repr(sim))
        view.stop()
        view.stop()
        self.assertFalse(view.running)
        self.assertEqual(sim.time, 0.1)
        other = sim.view()
        self.assertIsNot(other, view)
        sim.close()
        self.assertFalse(other.running)

    def test_the_run_ends_at_the_limit(self) -> None:
        sim, whole = carom.Simulation(gas()), carom.Simulation(gas())
        whole.run(time=3)
        with sim.view(until=2.5) as view, connect(view) as page:
            self.assertEqual(page.hello["end"], 2.5)
            page.say("speed max")
            end = page.until(lambda frame: frame["state"] == "ended")
            self.assertEqual(end["stop"], "time")
        self.assertEqual(sim.time, 2.5)
        self.assertIsNone(sim.stop)
        sim.run(time=3)
        self.assertEqual(sim.state_hash, whole.state_hash)

    def test_without_limits_it_runs_on(self) -> None:
        scene = gas()
        del scene["run"]
        sim = carom.Simulation(scene)
        with sim.view(until=math.inf) as view, connect(view) as page:
            self.assertIsNone(page.hello["end"])
            page.say("speed max")
            page.until(lambda frame: frame["time"] > 5)
        self.assertGreater(sim.time, 5)

    def test_a_collapse_is_raised_by_stop(self) -> None:
        scene = {"engine": "hard", "dimension": 2, "box": {"size": [3, 40], "boundary": "wall"},
                 "species": {"ball": {"diameter": 1}}, "contacts": [{"between": ["ball", "wall"], "restitution": 0.1},
                                                                    {"between": ["ball", "ball"], "restitution": 0.1}],
                 "particles": [{"species": "ball", "place": {"at": [[1.5, 0.6], [1.5, 1.7], [1.5, 2.9]]},
                                "velocity": "zero"}],
                 "fields": {"gravity": [0, -1]}, "hard": {"collapse": {"policy": "stop"}}, "run": {"until": {"time": 50}}}
        sim = carom.Simulation(scene)
        view = sim.view()
        with connect(view) as page:
            page.say("speed max")
            page.until(lambda frame: frame["state"] == "ended")
        with self.assertRaises(carom.DynamicsError) as caught:
            view.stop()
        self.assertEqual(caught.exception.stop, "collapse")

    def test_result_files_are_complete_after_a_view(self) -> None:
        scene = gas(output={"frames": {"every": 0.25}})
        with carom.Simulation(scene, output="shown.h5") as sim:
            with sim.view() as view, connect(view) as page:
                page.until(lambda frame: frame["time"] > 0.1)
            sim.run()
        command("verify", "shown.h5")
        with carom.Simulation(scene, output="plain.h5") as sim:
            sim.run()
        for name in ("shown", "plain"):
            command("export", name + ".h5", "--to", "xyz", "-o", name + ".xyz")
        self.assertEqual(pathlib.Path("shown.xyz").read_text(), pathlib.Path("plain.xyz").read_text())

    def test_notebooks_of_this_machine_may_frame_the_page(self) -> None:
        with carom.Simulation(gas()).view(height=300) as view:
            with urllib.request.urlopen(view.url) as answer:
                policy = answer.headers["Content-Security-Policy"]
            self.assertIn("frame-ancestors http://localhost:*", policy)
            self.assertNotIn("*;", policy.replace("localhost:*", "").replace("127.0.0.1:*", ""))
            text = view._repr_html_()
            self.assertIn('<iframe src="%s"' % view.url, text)
            self.assertIn('height="300"', text)

    def test_ports_and_options_are_checked(self) -> None:
        sim = carom.Simulation(gas())
        with self.assertRaisesRegex(carom.UsageError, "port of a view is 70000: it must be a whole number from 0 to 65535"):
            sim.view(port=70000)
        with sim.view() as view:
            port = urllib.parse.urlsplit(view.url).port
            with self.assertRaises(carom.CreateError):
                carom.Simulation(gas()).view(port=port)
        with self.assertRaisesRegex(carom.UsageError, "`frames` is for pages in a file"):
            sim.view(frames=3)
        with self.assertRaisesRegex(carom.UsageError, "`every` is for pages in a file"):
            sim.view(every=1)
        with self.assertRaisesRegex(carom.UsageError, "limit `until` of a view"):
            sim.view(until=-1)
        with self.assertRaisesRegex(carom.UsageError, "limit `until` of a view"):
            sim.view(until=math.nan)
        observer = sim.observe(lambda frame: frame.time, every=0.25)
        with self.assertRaisesRegex(carom.UsageError, "observe the simulation are not called while it is shown"):
            sim.view()
        self.assertEqual(sim.view(static=True, every=0.25, until=1).frames, 5)
        self.assertEqual(observer.times, [0, 0.25, 0.5, 0.75, 1])
        observer.remove()
        sim.view().stop()
        sim.run(time=1.5)
        self.assertEqual(sim.time, 1.5)


SCRIPT = """
import sys
sys.path[:0] = [%r, %r]
import carom
from support import gas
sim = carom.Simulation(gas())
view = sim.view()
print(view.url, flush=True)
"""
# Ctrl-C, from another thread, as soon as the view waits.
INTERRUPTED = """
import os, signal, threading
wait = view._ended.wait
def interrupted():
    threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()
    wait()
view._ended.wait = interrupted
"""


class Interpreters(Case):
    def start(self, more: str) -> "subprocess.Popen[str]":
        script = SCRIPT % (str(SOURCE / "python"), str(SOURCE / "python/tests")) + more
        made = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(made.kill)
        return made

    def test_the_interpreter_ends_with_a_view_running(self) -> None:
        out, errors = self.start("").communicate(timeout=60)
        self.assertTrue(out.startswith("http://127.0.0.1:"))
        self.assertEqual(errors, "")

    def test_ctrl_c_ends_the_wait(self) -> None:
        script = self.start(INTERRUPTED + "view.wait()\nprint(sim.time, view.running)\n")
        out, errors = script.communicate(timeout=60)
        self.assertEqual((out.split("\n")[1], script.returncode), ("0.0 False", 0), errors)


# ---- pages in a file ----

def records(text: str) -> "Iterator[tuple[int, bytes]]":
    """The records of a page (docs/view.md)."""
    found = re.search(r'<script type="text/plain" id="recording"[^>]*>([A-Za-z0-9+/=]*)</script>', text)
    assert found is not None
    data, at = zlib.decompress(base64.b64decode(found[1])), 0
    while at < len(data):
        kind, size = np.frombuffer(data, "<u4", 2, at)
        yield int(kind), data[at + 8:at + 8 + int(size)]
        at += 8 + (int(size) + 3) // 4 * 4


def frames_of(text: str) -> "list[dict[str, Any]]":
    """Time and positions of the frames of a page, for two or three dimensions without surfaces."""
    hello: dict[str, Any] = {}
    words: list[np.ndarray] = []
    for kind, data in records(text):
        if kind == 0 and not hello:
            hello = json.loads(data)
        if kind < 2:
            continue
        low, high = np.frombuffer(data, "u1").reshape(2, -1).astype(np.int64)
        folded = low + 256 * high
        x = np.where(folded % 2 == 0, folded // 2, -(folded + 1) // 2)
        if kind > 2:
            x = x + (words[-1] if kind == 3 else 2 * words[-1] - words[-2])
        words.append(x % 65536)
    frames = []
    for frame in words:
        data, d, n = frame.astype("<u2").tobytes(), hello["dimension"], hello["points"]
        low, high = np.frombuffer(data, "<f8", 3, 88)[:d], np.frombuffer(data, "<f8", 3, 112)[:d]
        place = np.frombuffer(data, "<u2", n * d, 208).reshape(n, d)
        frames.append({"time": np.frombuffer(data, "<f8", 1, 16)[0], "positions": low + (high - low) * place / 65535,
                       "unit": (high - low) / 65535})
    return frames


class Pages(Case):
    def test_frames_are_those_of_the_simulation(self) -> None:
        for scene in (gas(), sticky()):
            sim, page, expected = carom.Simulation(scene), carom.Page(), []
            for frame in sim.frames(every=0.125, until=1.5):
                page.record(sim)
                expected.append(frame)
            self.assertEqual((page.frames, page.recorded), (13, 13))
            found = frames_of(page.html)
            self.assertEqual(len(found), 13)
            for frame, seen in zip(expected, found):
                self.assertEqual(frame.time, seen["time"])
                wrong = np.abs(frame.positions - seen["positions"]) / seen["unit"]
                self.assertLess(wrong.max(), 0.501)

    def test_recording_changes_no_bit(self) -> None:
        sim, plain = carom.Simulation(pile()), carom.Simulation(pile())
        page = sim.view(static=True, every=0.1)
        plain.run()
        self.assertEqual((page.frames, sim.time), (11, 1.0))
        sim.run()
        self.assertEqual(sim.state_hash, plain.state_hash)

    def test_the_page_of_a_result_is_that_of_the_command(self) -> None:
        with carom.Simulation(gas(output={"frames": {"every": 0.1}}), output="gas.h5") as sim:
            sim.run()
        carom.view("gas.h5", frames=8).save("python.html")
        command("view", "gas.h5", "--save", "command.html", "--frames", 8)
        self.assertEqual(pathlib.Path("python.html").read_bytes(), pathlib.Path("command.html").read_bytes())
        with self.assertRaisesRegex(carom.CreateError, "exists"):
            carom.view("gas.h5").save("python.html")
        with carom.open("gas.h5") as result:
            self.assertEqual(result.view(frames=8).html, pathlib.Path("python.html").read_text())
        carom.view("gas.h5").save("python.html", force=True)
        self.assertEqual([round(f["time"], 9) for f in frames_of(pathlib.Path("command.html").read_text())],
                         [0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.0])

    def test_one_state(self) -> None:
        page = carom.Simulation(gas()).view(static=True)
        self.assertEqual([frame["time"] for frame in frames_of(page.html)], [0])

    def test_limits_thin_out(self) -> None:
        page = carom.Simulation(gas()).view(static=True, every=0.01, frames=10, particles=20)
        found = frames_of(page.html)
        self.assertEqual((page.recorded, len(found)), (201, page.frames))
        self.assertEqual(len(found[0]["positions"]), 16)  # every fourth of 64
        self.assertEqual([frame["time"] for frame in found], [0.01 * k for k in (0, 32, 64, 96, 128, 160, 192, 200)])
        whole = len(carom.Simulation(gas()).view(static=True, every=0.01).html)
        small = carom.Simulation(gas()).view(static=True, every=0.01, megabytes=1e-6 * (whole - 10000))
        self.assertLessEqual(len(small.html), whole - 10000)
        self.assertLess(small.frames, small.recorded)

    def test_notebooks_receive_the_whole_page(self) -> None:
        page = carom.Simulation(gas(title='5 < 6 & "quoted"')).view(static=True)
        found = re.fullmatch(r'<iframe sandbox="allow-scripts allow-downloads" srcdoc="([^"]*)" .*></iframe>',
                             page._repr_html_(), flags=re.S)
        assert found is not None
        self.assertEqual(html.unescape(found[1]), page.html)
        self.assertNotIn("5 < 6", page.html)

    def test_wrong_uses(self) -> None:
        sim = carom.Simulation(gas())
        for name in ("frames", "particles", "megabytes"):
            with self.assertRaisesRegex(carom.UsageError, "`%s` of a page" % name):
                carom.Page(**{name: 0})
        with self.assertRaisesRegex(carom.UsageError, "2 to 1000000 frames, not 1"):
            carom.Page(frames=1)
        with self.assertRaisesRegex(carom.UsageError, "no frames"):
            carom.Page().html
        with self.assertRaisesRegex(carom.UsageError, "`until` needs `every`"):
            sim.view(static=True, until=1)
        page = carom.Page().record(sim)
        with self.assertRaisesRegex(carom.UsageError, "shows 64 particles, the simulation has 40"):
            page.record(carom.Simulation(gas(40)))
        sim.run(time=0.5)
        page.record(sim)
        with self.assertRaisesRegex(carom.UsageError, "is at time 0, before the last frame at 0.5"):
            page.record(carom.Simulation(gas()))
        with self.assertRaises(carom.InputError):
            carom.view("none.h5")
        with self.assertRaisesRegex(carom.UsageError, "give static=False"):
            carom.view("none.h5", port=8000)
        with self.assertRaisesRegex(carom.UsageError, "a live page shows all frames"):
            carom.view("none.h5", static=False, frames=3)

    def test_results_on_a_live_page(self) -> None:
        with carom.Simulation(gas(output={"frames": {"every": 0.5}}), output="gas.h5") as sim:
            sim.run()
        with carom.view("gas.h5", static=False) as view, connect(view) as page:
            self.assertEqual(page.hello["frames"], 5)
            page.say("seek 4")
            page.until(lambda frame: frame["index"] == 4)
        with self.assertRaises(carom.InputError):
            carom.view("none.h5", static=False)
        self.assertEqual([t.name for t in threading.enumerate() if t.name == "carom view"], [])
