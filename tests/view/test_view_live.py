"""Detects a live page that receives other data than the simulation has, and viewers that change the simulation."""
import math
import os
import shutil
import signal
import subprocess
import sys

import h5py

from viewer import CAROM, SOURCE, Folder, Killed, Server, Viewer, about, run

GAS = """
carom: 1
title: A small gas
engine: hard
dimension: 3
seed: 5
box: {packing_fraction: 0.3, boundary: periodic}
species: {grain: {diameter: 1, mass: 1}}
particles: [{species: grain, count: 108, place: fcc, velocity: {maxwell: 1}}]
run: {until: {time: 4}}
observe: [{what: pressure, every: 0.1}]
output: {frames: {every: 0.5}}
"""
DISKS = """
carom: 1
engine: aggregation
dimension: 2
seed: 2
box: {packing_fraction: 0.1, boundary: periodic}
species: {disk: {diameter: 1, mass: 1}}
particles: [{species: disk, count: 100, place: square, velocity: {uniform: [-0.5, 0.5]}}]
run: {until: {clusters: 20}}
output: {frames: {every: 2}}
"""
CLOTH = """
carom: 1
engine: variational
box: {size: [8, 8, 5], boundary: open}
species: {a: {diameter: 1}}
meshes:
  - {name: sphere, shape: {sphere: {radius: 1, parts: 2}}, place: {at: [4, 4, 1.5]}, thickness: 0.1, rigid: true}
  - {name: cloth, shape: {rectangle: {length: 3, width: 3, along: 4, across: 4}}, place: {at: [4, 4, 2.7]},
     thickness: 0.1, density: 1, stretch: 50, bend: 0.002}
contacts: [{between: [a, a], restitution: 0.2}]
fields: {gravity: [0, 0, -10]}
run: {until: {time: 0.2}}
output: {frames: {every: 0.05}}
"""
RODS = """
carom: 1
engine: variational
dimension: 2
box: {size: [12, 12], boundary: open}
species: {a: {diameter: 0.5, mass: 1}}
particles: [{species: a, place: {at: [[3, 3], [5, 3], [7, 3], [5, 5]]}, velocity: zero}]
segments: [{name: rod, chain: {from: 0, to: 1}, diameter: 0.25, species: a}]
springs: [{name: spring, pairs: [[1, 2]], stiffness: 10}]
planes: [{name: floor, point: [0, 1], normal: [0, 1]}]
drives: [{name: lift, plane: floor, motion: [{velocity: [0, 0.25]}]}]
fields: {gravity: [0, -1]}
run: {until: {time: 1}}
output: {frames: {every: 0.25}}
view: {zoom: 2, target: [0, 3]}
"""
PRESSED = """
carom: 1
engine: variational
dimension: 2
box: {size: [12, 12], boundary: wall}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, place: {at: [[3, 0.5], [6, 6], [9, 9]]}, velocity: zero}]
contacts: [{between: [a, wall], restitution: 0}]
fields: {gravity: [0, -1]}
run: {until: {time: 1}}
output: {frames: {every: 0.5}}
"""
OBSERVED = """
carom: 1
engine: hard
dimension: 2
seed: 5
box: {packing_fraction: 0.3, boundary: periodic}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, count: 32, place: hexagonal, velocity: {maxwell: 1}}]
run: {until: {time: 4}}
observe:
  - {what: energy, every: 0.01}
  - {what: momentum, every: 0.1}
  - {what: radial_distribution, every: 1, bins: 50}
output: {frames: {every: 0.5}}
"""
CHAIN = """
carom: 1
engine: variational
box: {size: [20, 10, 10], boundary: open}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, place: {at: [[2, 5, 5], [4, 5, 5], [6, 5, 5], [8, 5, 5]]}, velocity: zero}]
springs: [{name: chain, pairs: [[0, 1], [1, 2], [2, 3]], stiffness: 10}]
variational: {stiffness: 1000}
run: {until: {time: 100}}
"""


def close(a, b, tolerance):
    return abs(a - b) <= tolerance


def test_looking_changes_nothing(folder):
    same = os.path.join(SOURCE, "tests/cli/same_results.py")
    for name, text in (("gas", GAS), ("disks", DISKS), ("cloth", CLOTH), ("rods", RODS)):
        scene, alone = folder.path(f"{name}.yaml", text), folder.path(f"{name}.h5")
        seen = folder.path(f"{name}-seen.h5")
        run("run", scene, "-o", alone, "--quiet")
        with Server(scene, "-o", seen) as server, Viewer(server) as viewer:
            viewer.greeting()
            viewer.until(lambda f: f["time"] > 0)
            for order in ("pause", "step 1", "step 3", "step 1", "speed 0.5", "play", "pause", "step 17"):
                viewer.say(order)
            viewer.until(lambda f: f["state"] == "paused")
            viewer.say("speed max")
            viewer.say("play")
            last = viewer.until(lambda f: f["state"] == "ended")
            code = server.stop()
        assert code == 0, (code, server.errors)
        done = subprocess.run([sys.executable, same, alone, seen], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
        print(f"{name}: the same {about(alone)['state_hash']}, stopped by {last['stop']} at {last['time']:.4g}")


def test_what_is_told(folder):
    with Server(folder.path("gas.yaml", GAS)) as server, Viewer(server) as viewer:
        hello = viewer.greeting()
        assert (hello["title"], hello["engine"]) == ("A small gas", "hard")
        assert (hello["dimension"], hello["particles"]) == (3, 108)
        assert hello["frames"] == 0 and hello["end"] == 4 and hello["begin"] == 0 and not hello["clusters"]
        assert set(viewer.things["radius"]) == {0.5} and set(viewer.things["species"]) == {0}
        viewer.say("pause")
        frame = viewer.until(lambda f: f["state"] == "paused")
        tick = frame["resolution"]
        assert all(-tick <= x <= hello["box"][k] + tick for r in frame["position"] for k, x in enumerate(r))
        kinetic = sum(v * v for v in frame["speeds"]) / 2
        assert close(kinetic, frame["kinetic"], 1e-3 * kinetic), (kinetic, frame["kinetic"])
        print(f"kinetic energy of the speeds shown {kinetic:.6g}, told {frame['kinetic']:.6g}")
        nearest = min(math.dist(a, b) for i, a in enumerate(frame["position"]) for b in frame["position"][:i])
        assert nearest >= 1 - 4 * tick, nearest


def test_single_steps(folder):
    with Server(folder.path("gas.yaml", GAS)) as server, Viewer(server) as viewer:
        viewer.greeting()
        viewer.say("pause")
        before = viewer.until(lambda f: f["state"] == "paused")
        for steps in (1, 1, 5):
            viewer.say(f"step {steps}")
            after = viewer.until(lambda f, b=before: f["events"] != b["events"])
            while after["events"] < before["events"] + steps:
                after = viewer.frame()
            assert after["events"] == before["events"] + steps, (before["events"], after["events"])
            assert after["state"] == "paused" and after["time"] >= before["time"]
            before = after
        assert server.stop(signal.SIGTERM) == 75


def test_long_history(folder):
    """A viewer that connects late receives a part of a long history, which includes the last frame."""
    with Server(folder.path("gas.yaml", GAS)) as server, Viewer(server) as viewer:
        viewer.greeting()
        viewer.say("pause")
        viewer.until(lambda f: f["state"] == "paused")
        for _ in range(519):
            viewer.say("step 1")
            viewer.frame()
        while True:
            with Viewer(server) as late:
                late.greeting()
                last = late.frame()
            if last["events"] == 519:
                break
        with Viewer(server) as late:
            late.greeting()
            assert late.history[-1]["time"] == last["time"], (late.history[-1], last["time"])
            assert len(late.history) < 512
        print(f"{len(late.history)} moments told")


def test_steps_of_clocks(folder):
    """In `variational` a step is one time at which clocks have a tick, here that of three springs."""
    with Server(folder.path("chain.yaml", CHAIN)) as server, Viewer(server) as viewer:
        assert "one moment" in viewer.greeting()["step"]
        viewer.say("speed 1e-6")
        viewer.say("pause")
        before = viewer.until(lambda f: f["state"] == "paused")
        for steps in (1, 1, 5):
            viewer.say(f"step {steps}")
            after = viewer.until(lambda f, e=before["events"] + 3 * steps: f["events"] >= e)
            assert after["events"] == before["events"] + 3 * steps, (steps, before["events"], after["events"])
            before = after
        assert server.stop(signal.SIGTERM) == 75


def test_pace(folder):
    with Server(folder.path("gas.yaml", GAS)) as server, Viewer(server) as viewer:
        viewer.greeting()
        viewer.say("speed 0.001")
        slow = viewer.until(lambda f: f["speed"] == 0.001)
        later = viewer.until(lambda f: f["time"] > slow["time"])
        assert later["time"] < 4 and later["state"] == "running"
        viewer.say("speed max")
        ended = viewer.until(lambda f: f["state"] == "ended")
        assert ended["time"] == 4 and ended["stop"] == "time", ended
        with Viewer(server) as late:  # a viewer that comes after the end sees it
            late.greeting()
            assert late.frame()["state"] == "ended" and late.history[-1]["time"] <= 4 and len(late.history) > 2
        assert server.stop() == 0


def test_charts(folder):
    """The charts of observables agree with the result: for a run with and without a result file, and for the result
    itself."""
    scene = folder.path("observed.yaml", OBSERVED)
    alone, seen = folder.path("observed.h5"), folder.path("observed-seen.h5")
    run("run", scene, "-o", alone, "--quiet")
    charts = []
    for arguments in ((scene,), (scene, "-o", seen), (alone,)):
        with Server(*arguments) as server, Viewer(server) as viewer:
            viewer.greeting()
            viewer.say("speed max")
            if arguments[0] == scene:
                viewer.until(lambda f: f["state"] == "ended")
            charts.append(viewer.until_charts(lambda all: len(all) == 3 and all[0]["at"][-1] == 4))
            assert server.stop() == 0
    assert charts[0] == charts[1] == charts[2]
    named = [(c["of"], c["series"], c["x"], [line["name"] for line in c["lines"]]) for c in charts[0]]
    assert named == [("energy", True, "time", ["total", "kinetic", "potential", "dissipated"]),
                     ("momentum", True, "time", ["momentum x", "momentum y"]),
                     ("radial_distribution", False, "r", ["g"])], named
    energy, momentum, radial = charts[0]
    assert 128 <= len(energy["at"]) <= 256 and energy["at"][0] == 0, len(energy["at"])
    steps = {round(b - a, 9) for a, b in zip(energy["at"], energy["at"][1:])}
    assert steps == {0.02}, steps  # 401 rows of 0.01: every other
    assert len(radial["at"]) == 50 and max(radial["lines"][0]["values"]) > 1
    with h5py.File(alone) as file:
        stored = file["carom/observables/energy/total/value"][::2]
    assert list(stored) == energy["lines"][0]["values"]


def test_shells_and_rods(folder):
    with Server(folder.path("cloth.yaml", CLOTH)) as server, Viewer(server) as viewer:
        hello = viewer.greeting()
        view = hello["view"]
        low, high = view.pop("low"), view.pop("high")
        assert view == {"azimuth": 30, "elevation": 22, "zoom": 1, "target": None, "up": 2, "framed": False,
                        "meshes": "solid", "whole": False}, view
        assert [mesh["rigid"] for mesh in hello["meshes"]] == [True, False]
        light, dark = hello["colours"]["light"], hello["colours"]["dark"]
        assert light["series"][:2] == ["#0072b2", "#d55e00"] and len(dark["series"]) == 6, hello["colours"]
        assert hello["colours"]["map"][::16] == ["#440154", "#fde725"] and len(hello["colours"]["map"]) == 17
        assert [mesh["name"] for mesh in hello["meshes"]] == ["sphere", "cloth"] and hello["grains"] == 0
        assert hello["points"] == sum(mesh["vertices"] for mesh in hello["meshes"]) == hello["particles"]
        assert max(viewer.things["triangles"]) == hello["points"] - 1
        frame = viewer.frame()
        rest = [viewer.things["rest"][3 * n:3 * n + 3] for n in range(hello["points"])]
        for k in range(3):  # meshes are in sight, and no more than their thickness is added
            assert low[k] < min(x[k] for x in rest) and high[k] > max(x[k] for x in rest), (low, high)
            assert high[k] - low[k] < 1.2 * max(x[k] for x in rest) - 1.2 * min(x[k] for x in rest) + 0.2, (low, high)
        sphere = hello["meshes"][0]["vertices"]
        assert max(math.dist(a, b) for a, b in zip(rest[:sphere], frame["position"])) < 2 * frame["resolution"]
    with Server(folder.path("rods.yaml", RODS)) as server, Viewer(server) as viewer:
        hello = viewer.greeting()
        assert viewer.things["segments"] == [(0, 1, 0.125)] and viewer.things["springs"] == [(1, 2)]
        assert hello["view"]["zoom"] == 2 and hello["view"]["target"] == [0, 3, 0], hello["view"]
        viewer.say("speed max")
        ended = viewer.until(lambda f: f["state"] == "ended")
        point, normal = ended["planes"][0][:2], ended["planes"][0][3:5]
        assert close(point[1], 1.25, 1e-6) and normal == (0, 1), ended["planes"]
        assert hello["layers"] and len(ended["layers"]) == 4
    with Server(folder.path("disks.yaml", DISKS)) as server, Viewer(server) as viewer:
        viewer.greeting()
        viewer.say("speed max")
        ended = viewer.until(lambda f: f["state"] == "ended")
        assert len(set(ended["cluster"])) == ended["clusters"] == 20 and ended["stop"] == "clusters"
        print(f"rods and shells are told; {ended['clusters']:.0f} clusters at the end")


def test_replay(folder):
    scene, path = folder.path("gas.yaml", GAS), folder.path("gas.h5")
    run("run", scene, "-o", path, "--quiet", "--force")
    frames = about(path)["frames"]
    with Server(path) as server, Viewer(server) as viewer:
        hello = viewer.greeting()
        assert hello["frames"] == frames == 9 and hello["end"] == 4 and len(viewer.history) == frames
        for index in (3, 8, 0, 5):
            viewer.say(f"seek {index}")
            frame = viewer.until(lambda f, i=index: f["index"] == i and f["state"] == "paused")
            assert close(frame["time"], 0.5 * index, 1e-12), frame["time"]
            assert frame["kinetic"] == viewer.history[index]["kinetic"]
        viewer.say("step 1")
        viewer.until(lambda f: f["index"] == 6)
        viewer.say("seek 4000000000")  # beyond: the last
        viewer.until(lambda f: f["index"] == 8)
        viewer.say("speed max")
        viewer.say("play")  # from the end: from the beginning, to the end
        viewer.until(lambda f: f["index"] < 8)
        viewer.until(lambda f: f["index"] == 8 and f["state"] == "paused")
        assert server.stop() == 0
        print(f"{frames} frames, in any order")


def test_growing(folder):
    """The page shows the frames that a run adds to a file, and reports the end of the run."""
    scene, path = folder.path("gas.yaml", GAS), folder.path("growing.h5")
    command = [CAROM, "run", scene, "--set", "run.until.time=1e9", "--set", "output.frames.every=20", "-o", path]
    with Killed([*command, "--quiet"]) as writing:
        while not os.path.exists(path):
            assert writing.poll() is None
        with Server(path) as server, Viewer(server) as viewer:
            hello = viewer.greeting()
            viewer.say(f"seek {hello['frames'] - 1}")
            grown = viewer.until(lambda f: f["frames"] > hello["frames"] + 1)
            assert grown["unfinished"] and grown["last"]["time"] == 20 * (grown["frames"] - 1), grown["last"]
            viewer.say("play")  # from what was the end: on, to what has come since
            viewer.until(lambda f: f["index"] >= grown["frames"] and f["state"] == "running")
            writing.send_signal(signal.SIGINT)
            assert writing.wait() == 75
            ended = viewer.until(lambda f: not f["unfinished"])
            assert ended["frames"] == about(path)["frames"], (ended["frames"], about(path)["frames"])
            with Viewer(server) as late:
                late.greeting()
                assert late.history[-1]["time"] == ended["last"]["time"], (late.history[-1], ended["last"])
                first = late.frame()
                assert first["frames"] == ended["frames"], (first["frames"], ended["frames"], late.hello["frames"])
            assert server.stop() == 0
            print(f"{hello['frames']} frames when it was opened, {ended['frames']} at the end")


def test_layers(folder):
    """Penalty layers of a disk under pressure and of one without contacts; live, and from the file."""
    scene, path = folder.path("pressed.yaml", PRESSED), folder.path("pressed.h5")
    run("run", scene, "-o", path, "--quiet")
    with Server(scene) as server, Viewer(server) as viewer:
        assert viewer.greeting()["layers"]
        viewer.say("speed max")
        live = viewer.until(lambda f: f["state"] == "ended")["layers"]
    with Server(path) as server, Viewer(server) as viewer:
        assert viewer.greeting()["layers"]
        viewer.say("seek 1000")
        frame = viewer.until(lambda f: f["time"] == 1)
    assert frame["layers"] == live and live[0] > 0 and live[1] == 0, (live, frame["layers"])
    print(f"layers {live}")


def test_resume_after_a_stop(folder):
    scene, path = folder.path("gas.yaml", GAS), folder.path("stopped.h5")
    with Server(scene, "-o", path) as server, Viewer(server) as viewer:
        viewer.greeting()
        viewer.until(lambda f: f["time"] > 0.1)
        assert server.stop() == 75
    shutil.copy(f"{path}.checkpoint", folder.path("kept.h5.checkpoint"))
    run("run", scene, "-o", path, "--resume", "--quiet")
    assert about(path)["state_hash"] == about(folder.path("gas.h5"))["state_hash"]


def test_browser(folder):
    """If there is a display, the opener of the system receives the address, but no open files of carom."""
    said = folder.path("said")
    opener = folder.path("xdg-open", f'#!/bin/sh\nls -l /proc/self/fd > "{said}.fd"\necho "$1" > "{said}.tmp"\n'
                                     f'mv "{said}.tmp" "{said}"\n')
    os.chmod(opener, 0o755)
    environment = dict(os.environ, DISPLAY=":9", PATH=f"{os.path.dirname(opener)}:{os.environ['PATH']}")
    with Server(folder.path("gas.yaml"), "-o", folder.path("locked.h5"), browser=True, env=environment) as server:
        while not os.path.exists(said):
            assert server.process.poll() is None
        with open(said, encoding="utf-8") as file:
            assert file.read().strip() == server.url
        with open(f"{said}.fd", encoding="utf-8") as file:
            files = file.read()
        assert "locked" not in files and "socket" not in files, files
        assert server.stop() == 75


def refused(*arguments):
    command = [CAROM, "view", *arguments, "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr.strip()


def test_refusals(folder):
    scene, path = folder.path("gas.yaml"), folder.path("gas.h5")
    for arguments, code, words in (
            ((folder.path("nowhere.yaml"),), 66, "cannot be opened"),
            ((folder.path("nowhere.h5"),), 66, "cannot open"),
            ((folder.path("empty.h5", ""),), 65, "is no HDF5 file, not a result of carom"),
            ((scene, "--port", "65536"), 64, "a port from 1 to 65535"),
            ((scene, "--port", "http"), 64, "whole number"),
            ((scene, "--bind", "203.0.113.7"), 73, "has no address '203.0.113.7'"),
            ((scene, "-o", scene), 64, "would replace the scene"),
            ((scene, "-o", path), 73, "exists"),
            ((path, "--set", "seed=3"), 64, "is for scenes; "),
            ((folder.path("kept.h5.checkpoint"),), 65, "is a checkpoint and contains no frames to show"),
            ((path, "-o", "x.h5"), 64, "is for scenes; ")):
        got = refused(*arguments)
        assert got[0] == code and words in got[1], (arguments, got)
    with Server(scene) as server:
        got = refused(scene, "--port", str(server.port))
        assert got[0] == 73 and f"port {server.port} of 127.0.0.1 is in use" in got[1], got
        assert server.stop() == 75


if __name__ == "__main__":
    with Folder() as work:
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                print(name, flush=True)
                test(work)
