"""Detects pictures that differ from those of the command, options with another meaning, pictures of simulations that differ
from those of their results, and files that are replaced unasked."""
from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest
import xml.dom.minidom
import zlib
from typing import Any
from unittest import mock

import numpy as np

import carom
from support import SOURCE, Case, command, gas, pile, sticky


def pixels(data: bytes) -> np.ndarray:
    """The pixels of a PNG file of 8 bits a channel, (height, width, channels)."""
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    channels = {2: 3, 6: 4}[kind]
    packed, at = b"", 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    assert depth == 8
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + channels * width)
    out = np.zeros((height, channels * width), np.uint8)
    for y in range(height):
        kind, row = rows[y, 0], rows[y, 1:].astype(int)
        above = out[y - 1].astype(int) if y else np.zeros(channels * width, int)
        if kind in (0, 2):
            out[y] = (row + (above if kind == 2 else 0)) % 256
            continue
        for x in range(channels * width):
            left = int(out[y, x - channels]) if x >= channels else 0
            corner = int(above[x - channels]) if x >= channels else 0
            if kind == 1:
                guess = left
            elif kind == 3:
                guess = (left + above[x]) // 2
            else:
                p = left + above[x] - corner
                guess = min((left, int(above[x]), corner), key=lambda value: abs(p - value))
            out[y, x] = (row[x] + guess) % 256
    return out.reshape(height, width, channels)


class Pictures(Case):
    def setUp(self) -> None:
        super().setUp()
        self.sim = carom.Simulation(
            gas(40, dimension=2, output={"frames": {"every": 0.5}}, observe=[{"what": "energy", "every": 0.5}]),
            output="gas.h5", progress=False)
        self.sim.run()

    def expect_same(self, picture: carom.Picture, *options: str, source: str = "gas.h5") -> None:
        command("render", source, "-o", "expected.png", "--force", *options)
        self.assertEqual(picture.data, pathlib.Path("expected.png").read_bytes())

    def test_a_file_does_not_depend_on_those_before(self) -> None:
        """Text with the hinting of the first plot or picture of the process."""
        command("plot", "gas.h5", "-o", "expected.svg")
        command("render", "gas.h5", "-o", "expected.png")
        for order in (["svg", "png"], ["png", "svg"]):
            with self.subTest(order=order):
                script = ("import sys, pathlib\nsys.path.insert(0, %r)\nimport carom\n"
                          "draw = {'svg': lambda: carom.plot('gas.h5').svg.encode(), 'png': lambda: carom.render('gas.h5').data}\n"
                          "for kind in %r:\n    pathlib.Path('drawn.' + kind).write_bytes(draw[kind]())\n"
                          % (str(SOURCE / "python"), order))
                subprocess.run([sys.executable, "-c", script], check=True)
                for kind in order:
                    drawn, expected = (re.sub(rb"surface\d+", b"", pathlib.Path(name + kind).read_bytes())  # counted by cairo
                                       for name in ("drawn.", "expected."))
                    self.assertEqual(drawn, expected, kind)

    def test_the_picture_of_a_result_is_that_of_the_command(self) -> None:
        self.expect_same(carom.render("gas.h5"))
        self.expect_same(carom.render(pathlib.Path("gas.h5"), frame=2), "--frame", "2")
        self.expect_same(carom.render("gas.h5", frame=-2), "--frame", "3")
        self.expect_same(carom.render("gas.h5", colour="speed", size=(300, 200), dark=True),
                         "--colour", "speed", "--size", "300x200", "--dark")
        with carom.open("gas.h5") as result:
            self.expect_same(carom.render(result, size="200x100"), "--size", "200x100")

    def test_cameras(self) -> None:
        with carom.Simulation(gas(20), output="space.h5", progress=False) as sim:
            sim.run(time=0.1)
            picture = carom.render(sim, camera=(40, 10, 2), size=(120, 90), unshaded=True)
        self.expect_same(picture, "--camera", "40,10,2", "--size", "120x90", "--unshaded", "--frame", "last",
                         source=self.write_space())

    def write_space(self) -> str:
        pathlib.Path("space.yaml").write_text(json.dumps({"carom": 1, **gas(20), "run": {"until": {"time": 0.1}}}))
        command("run", "space.yaml", "-o", "again.h5", "--quiet", "--set", "output.frames.every=0.1")
        return "again.h5"

    def test_the_picture_of_a_simulation_is_that_of_its_last_frame(self) -> None:
        # the name of the source is not in the picture: equal states have equal bytes
        self.assertEqual(carom.render(self.sim).data, carom.render("gas.h5").data)
        for scene in (sticky(30, output={"frames": {"every": 1}}), pile(output={"frames": {"every": 1}})):
            with self.subTest(engine=scene["engine"]):
                sim = carom.Simulation(scene, output="other.h5", force=True, progress=False)
                sim.run(time=1)
                own = carom.render(sim, size=(240, 180))
                sim.close()
                self.assertEqual(own.data, carom.render("other.h5", frame=1, size=(240, 180)).data)

    def test_a_frame_of_a_simulation(self) -> None:
        sim = carom.Simulation(gas(40, dimension=2), progress=False)
        before = sim.frame
        sim.run(time=0.5)
        self.assertEqual(carom.render(sim, frame=before).data, carom.render("gas.h5", frame=0).data)
        self.assertEqual(carom.render(sim).data, carom.render("gas.h5", frame=1).data)
        other = carom.Simulation(gas(41, dimension=2), progress=False)
        with self.assertRaisesRegex(carom.UsageError, "does not have the particles of the simulation"):
            carom.render(sim, frame=other.frame)
        with self.assertRaisesRegex(carom.UsageError, "a Frame is drawn with its simulation"):
            carom.render("gas.h5", frame=before)

    def test_drawing_does_not_change_the_run(self) -> None:
        drawn, other = (carom.Simulation(sticky(), progress=False) for _ in range(2))
        drawn.run(time=1)
        carom.render(drawn, whole=True, size=(64, 64))
        drawn.run()
        other.run()
        self.assertEqual(drawn.state_hash, other.state_hash)

    def test_size_and_report(self) -> None:
        picture = carom.render(self.sim, size=(160, 120), colour="speed")
        self.assertEqual(picture.size, (160, 120))
        self.assertEqual(struct.unpack(">II", picture.data[16:24]), (160, 120))
        self.assertEqual((picture.report["colour"], picture.report["frames"]), ("speed", 1))
        self.assertNotIn("picture", picture.report)
        self.assertEqual(repr(picture), "<carom.Picture: 160 x 120 pixels>")
        self.assertEqual(picture._repr_png_(), picture.data)
        self.assertGreater(len(np.unique(pixels(picture.data).reshape(-1, 3), axis=0)), 10)

    def test_targets(self) -> None:
        picture = carom.render("gas.h5", "pictures/gas.png")
        self.assertEqual(picture.data, pathlib.Path("pictures/gas.png").read_bytes())
        with self.assertRaisesRegex(carom.CreateError, "'pictures/gas.png' exists"):
            carom.render("gas.h5", "pictures/gas.png")
        carom.render("gas.h5", "pictures/gas.png", dark=True, force=True)
        self.assertNotEqual(picture.data, pathlib.Path("pictures/gas.png").read_bytes())
        picture.save("copy.png")
        self.assertEqual(picture.data, pathlib.Path("copy.png").read_bytes())

    def test_numbered_pictures(self) -> None:
        names = carom.render("gas.h5", "frames/%03d.png", size=(64, 64))
        self.assertEqual(names, ["frames/%03d.png" % n for n in range(5)])
        self.assertTrue(all(pathlib.Path(name).exists() for name in names))
        self.assertEqual(carom.render("gas.h5", "one-%d.png", frame=3, size=(64, 64)), ["one-3.png"])

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is missing")
    def test_movies(self) -> None:
        movie = carom.render("gas.h5", "gas.mp4", size=(64, 64), rate=5)
        self.assertEqual(movie.data, pathlib.Path("gas.mp4").read_bytes())
        self.assertEqual(repr(movie), "<carom.Movie: 5 frames of 64 x 64 pixels>")
        self.assertEqual(movie.data[4:8], b"ftyp")
        short = carom.render("gas.h5", format="mp4", size=(64, 64))
        self.assertIn('<video controls loop width="64" src="data:video/mp4;base64,', short._repr_html_())
        short.save("short.mp4")
        self.assertEqual(short.data, pathlib.Path("short.mp4").read_bytes())

    def test_wrong_options(self) -> None:
        cases: list[tuple[dict[str, Any], str]] = [
            ({"frame": 9}, "has no frame 9; its frames are 0 to 4"), ({"frame": -6}, "there is no frame -6: there are 5"),
            ({"frame": "first"}, "option 'frame' needs the number of a frame, 'last' or 'all', not 'first'"),
            ({"frame": "all"}, "one picture cannot show all frames"), ({"colour": "mass"}, "expected species, speed"),
            ({"meshes": "red"}, "expected solid, transparent, edges or hidden, found 'red'"),
            ({"size": "960"}, "option 'size' needs a width and a height"), ({"size": (10, 20, 30)}, "option 'size'"),
            ({"size": (8, 8)}, "its sides are 32 to 16384 pixels"), ({"camera": "1"}, "option 'camera' needs azimuth"),
            ({"camera": (30, 100)}, "option 'camera'"), ({"camera": (30, 20)}, "is two-dimensional"),
            ({"rate": 0}, "option 'rate' needs frames per second"), ({"rate": 3}, "only movies have a rate"),
            ({"colour": "cluster"}, "has no clusters to colour by"), ({"format": "gif"}, "option 'format' is 'png' or 'mp4'"),
            ({"target": "gas.gif"}, "has no known ending"), ({"target": "a.png", "format": "png"}, "either a target or a format")]
        for options, text in cases:
            with self.subTest(options=options), self.assertRaisesRegex(carom.UsageError, text):
                carom.render("gas.h5", **options)
        for options, text in [({"frame": 2}, "a simulation has one state"), ({"colour": "strain"}, "strain refers to the first"),
                              ({"colour": "cluster"}, "has no clusters"), ({"camera": (3, 4)}, "is two-dimensional")]:
            with self.subTest(options=options), self.assertRaisesRegex(carom.UsageError, text):
                carom.render(self.sim, **options)
        with self.assertRaises(carom.InputError):
            carom.render("none.h5")

    def test_the_result_is_not_replaced(self) -> None:
        before = pathlib.Path("gas.h5").read_bytes()
        with self.assertRaises(carom.UsageError):
            carom.render("gas.h5", "gas.h5", force=True)
        self.assertEqual(pathlib.Path("gas.h5").read_bytes(), before)

    def test_no_files_remain(self) -> None:
        with mock.patch("tempfile.tempdir", str(self.folder)):
            carom.render(self.sim, size=(64, 64))
            carom.plot("gas.h5")
        self.assertEqual(list(self.folder.glob("carom-*")), [])


def unnumbered(svg: str) -> str:
    """Without the numbers of objects, which cairo counts through the process."""
    return re.sub(r"(?<=[a-z])[0-9]+(?=[-\")])", "", svg)


class Plots(Case):
    def setUp(self) -> None:
        super().setUp()
        for name, seed in (("a", 1), ("b", 2)):
            scene = gas(40, observe=[{"what": "pressure", "every": 0.2}, {"what": "temperature", "every": 0.2}],
                        output={"frames": {"every": 1}}) | {"seed": seed}
            with carom.Simulation(scene, output=name + ".h5", progress=False) as sim:
                sim.run()

    def test_plots_are_those_of_the_command(self) -> None:
        plot = carom.plot("a.h5")
        command("plot", "a.h5", "-o", "expected.svg", "--json", "expected.json")
        self.assertEqual(unnumbered(plot.svg), unnumbered(pathlib.Path("expected.svg").read_text()))
        self.assertEqual(plot.panels, json.loads(pathlib.Path("expected.json").read_text())["panels"])
        command("plot", "a.h5", "b.h5", "-o", "both.png", "--what", "pressure", "--log", "y", "--dark")
        # in a process of its own: texts that cairo has drawn before as SVG have other roundings in pixels
        subprocess.run([sys.executable, "-c", "import carom; carom.plot('a.h5', 'b.h5', what='pressure', log='y', dark=True)"
                        ".save('mine.png')"], check=True, env={**os.environ, "PYTHONPATH": str(SOURCE / "python")})
        self.assertEqual(pathlib.Path("mine.png").read_bytes(), pathlib.Path("both.png").read_bytes())

    def test_sources(self) -> None:
        expected = unnumbered(carom.plot("a.h5").svg)
        with carom.open("a.h5") as result:
            self.assertEqual(unnumbered(carom.plot(result).svg), expected)
        self.assertEqual(unnumbered(carom.plot(pathlib.Path("a.h5")).svg), expected)
        with self.assertRaisesRegex(carom.UsageError, "has no result file: create it with `output`"):
            carom.plot(carom.Simulation(gas(), progress=False))
        with self.assertRaisesRegex(carom.UsageError, "expected a path, a Result or a Simulation, not int"):
            carom.plot(3)

    def test_a_plot_of_a_run_that_goes_on(self) -> None:
        with carom.Simulation(gas(40, observe=[{"what": "temperature", "every": 0.1}]), output="run.h5", progress=False) as sim:
            sim.run(time=0.5)
            self.assertEqual([panel["name"] for panel in carom.plot(sim, what="temperature").panels], ["temperature"])

    def test_output(self) -> None:
        plot = carom.plot("a.h5", what=["temperature"])
        xml.dom.minidom.parseString(plot._repr_svg_())
        self.assertEqual(repr(plot), "<carom.Plot: temperature>")
        for name, start in (("p.svg", b"<?xml"), ("p.pdf", b"%PDF"), ("p.png", b"\x89PNG")):
            plot.save(name)
            self.assertTrue(pathlib.Path(name).read_bytes().startswith(start))
        with self.assertRaises(carom.CreateError):
            plot.save("p.svg", force=False)
        with self.assertRaisesRegex(carom.UsageError, "ending"):
            plot.save("p.gif")

    def test_errors(self) -> None:
        with self.assertRaisesRegex(carom.UsageError, "no panel or observable 'presure'; did you mean 'pressure'"):
            carom.plot("a.h5", what="presure")
        with self.assertRaisesRegex(carom.UsageError, "expected none, x, y or xy, found 'z'"):
            carom.plot("a.h5", log="z")
        with self.assertRaises(carom.InputError):
            carom.plot("none.h5")
        with self.assertRaisesRegex(carom.DataError, "nothing to plot"):
            carom.plot()


if __name__ == "__main__":
    unittest.main()
