"""Detects recipes of the cookbook whose scripts fail or miss their numbers, and pages that differ from scenes and scripts."""
from __future__ import annotations

import importlib.util
import os
import re
import shutil
import unittest
from types import ModuleType

import numpy as np
from support import COMMAND, EXAMPLES, SOURCE, Case, command, long

RECIPES = EXAMPLES / "cookbook"
PAGES = SOURCE / "docs" / "cookbook"


def recipe(name: str) -> ModuleType:
    """The script of a recipe, as a module."""
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), RECIPES / (name + ".py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Pages(Case):
    def pages(self) -> "list[str]":
        return sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "README")

    def test_blocks(self) -> None:
        """A block of a page that is not part of its scene or script; a page without one of its files, or with a part of it only."""
        heading = re.compile(r'(#.*\n|"""[^"]*"""\n|from __future__ import annotations\n|\s)*')
        sources = [path for path in RECIPES.glob("*.*") if path.suffix in (".yaml", ".py", ".c", ".sh")]
        for name in self.pages():
            text = (PAGES / (name + ".md")).read_text()
            blocks = [block.strip() for block in re.findall(r"```(?:yaml|python|c|bash)\n(.*?)```", text, re.S)]
            for block in blocks:
                self.assertTrue(any(block in path.read_text() for path in sources), "%s.md: %s" % (name, block[:200]))
            for path in sources:
                if path.stem != name and "`examples/cookbook/%s`" % path.name not in text:
                    continue
                source = path.read_text().strip()
                whole = [b for b in blocks if source.endswith(b) and heading.fullmatch(source[:len(source) - len(b)])]
                self.assertTrue(whole, "%s.md lacks %s, or parts of it" % (name, path.name))

    def test_parts(self) -> None:
        """A page without a picture, scene, Python or section, a picture of 60 kB or more, a page that the index does not list."""
        index = (PAGES / "README.md").read_text()
        for name in self.pages():
            self.assertIn("(%s.md)" % name, index)
            text = (PAGES / (name + ".md")).read_text()
            pictures = re.findall(r"!\[.*?\]\((.*?)\)", text)
            self.assertTrue(pictures, name)
            for picture in pictures:
                self.assertLess((PAGES / picture).stat().st_size, 60000, picture)
            for language in ("yaml", "python"):
                self.assertIn("```%s\n" % language, text, name)
            for heading in ("## Commands", "## Python", "## Number to expect", "## Variations", "## Limits"):
                self.assertIn(heading, text, name)

    def test_scenes(self) -> None:
        """A scene that carom rejects."""
        for scene in sorted(RECIPES.glob("*.yaml")):
            if "\nparameters:" in scene.read_text():
                continue
            done = command("check", scene, "--trial", "0", check=False)
            self.assertEqual(done.returncode, 0, done.stderr)


@unittest.skipIf("asan" in os.environ.get("LD_PRELOAD", ""), "physics, as tests/physics, runs without sanitizers")
class Numbers(Case):
    """Bounds are three times the scatter over seeds that the pages state, or the stated deviation of the theory."""

    def test_restitution_by_speed(self) -> None:
        """A cooling law other than that of viscoelastic spheres."""
        self.assertAlmostEqual(recipe("restitution-by-speed").cooling_exponent({"viscoelastic": 0.1}), -5 / 3, delta=0.03)

    def test_quasi_2d_layers(self) -> None:
        """A wrong component of the pressure, or a wrong excluded area in a slit."""
        module = recipe("quasi-2d-layers")
        self.assertAlmostEqual(module.lateral(360) / module.theory(360), 1, delta=0.006)

    def test_rotating_drum(self) -> None:
        """Work of a drive that differs from its torque."""
        angle, ratio = recipe("rotating-drum").drum()
        self.assertAlmostEqual(ratio, 1, delta=0.05)
        self.assertTrue(15 < angle < 39, angle)

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_coupling_c(self) -> None:
        """A force of the user at a wrong time or place, in C or in Python."""
        module = recipe("coupling-c")
        misses = [module.miss(force, step) for force, step in ((module.compiled(), 4e-3), (module.in_python, 2e-3))]
        self.assertAlmostEqual(misses[0] / misses[1], 4, delta=0.2)
        self.assertLess(misses[0], 1e-3)

    def test_readers(self) -> None:
        """An export with wrong radii, box or velocities."""
        count, fraction, kinetic = recipe("readers").exported(COMMAND, self.folder)
        self.assertEqual(count, 400)
        self.assertAlmostEqual(fraction, 0.75, delta=1e-9)
        self.assertAlmostEqual(kinetic, 400, delta=1e-6)

    @long
    def test_cluster_job(self) -> None:
        """A job array whose rows differ from those of one command, or whose pressures are wrong."""
        module = recipe("cluster-job")
        parts, piece = module.in_parts(COMMAND, self.folder / "parts"), module.whole(COMMAND, self.folder / "piece")
        self.assertEqual(parts, piece)
        self.assertEqual(len(parts), 12)

    @long
    def test_dense_binary_mixtures(self) -> None:
        """Wrong pressures of dense mixtures, wrong densities of jammed ones."""
        module = recipe("dense-binary-mixtures")
        theory = module.theory(0.70, np.array([1, 1.4]))
        self.assertAlmostEqual(module.compressibility(0.70) / theory, 1, delta=0.04)
        self.assertAlmostEqual(module.closest_rods(np.array([1.0]), np.array([1.0])), 0.6435, delta=0.001)
        predicted = module.closest_rods(np.array([1, 3]), np.array([20, 1.0]))
        self.assertAlmostEqual(module.jammed(3, 20) / predicted, 1, delta=0.015)

    @long
    def test_wall_compression(self) -> None:
        """Work of a piston off the adiabat."""
        module = recipe("wall-compression")
        self.assertAlmostEqual(module.heated(0.1) / module.adiabat(15.28, 40, 20), 1, delta=0.02)

    @long
    def test_jamming_large(self) -> None:
        """A packing that is not random close, or not rigid."""
        fraction, contacts, rattlers = recipe("jamming-large").jam(rate=0.01)
        self.assertTrue(0.635 < fraction < 0.655, fraction)
        self.assertTrue(5.6 < contacts < 6.05, contacts)
        self.assertLess(rattlers, 0.1)

    @long
    def test_shear_cell_dissipation(self) -> None:
        """Dissipation that differs from the work, or from kinetic theory near e = 1."""
        theory, work = recipe("shear-cell-dissipation").dissipation(0.95)
        self.assertAlmostEqual(theory, 1.042, delta=0.015)
        self.assertAlmostEqual(work, 1, delta=0.02)

    @long
    def test_granular_leidenfrost(self) -> None:
        """A floor that does not carry the weight, a layer that does not float."""
        pressure, inversion = recipe("granular-leidenfrost").leidenfrost()
        self.assertAlmostEqual(pressure, 10, delta=0.08)
        self.assertAlmostEqual(inversion, 3.68, delta=0.25)

    @long
    def test_maxwell_demon(self) -> None:
        """A symmetric state of weakly shaken grains, an asymmetric one of strongly shaken grains."""
        module = recipe("maxwell-demon")
        self.assertGreater(module.asymmetry(1), 0.9)
        self.assertLess(module.asymmetry(3), 0.1)

    @long
    def test_brazil_nut(self) -> None:
        """A light disk that does not rise in a shaken bed, a heavy one that does."""
        module = recipe("brazil-nut")
        self.assertGreater(module.rank(0.25), 0.85)
        self.assertLess(module.rank(4), 0.45)

    @long
    def test_hopper_flow(self) -> None:
        """A flow that does not grow with the power 5/2 of the width of the hole."""
        module = recipe("hopper-flow")
        holes = np.array([3, 4, 5])
        rates = np.array([module.flow_rate(hole) for hole in holes])
        slope, offset = np.polyfit(holes, rates**0.4, 1)
        self.assertLess(np.abs(rates / (slope * holes + offset) ** 2.5 - 1).max(), 0.1)
        self.assertTrue(0.2 < -offset / slope < 2, -offset / slope)

    @long
    def test_clogging(self) -> None:
        """An outlet of two diameters that does not clog, one of five that does."""
        module = recipe("clogging")
        left, kinetic = module.outflow(2.1)
        self.assertLess(left, 20)
        self.assertLess(kinetic, 1e-5)
        self.assertEqual(module.outflow(5.0)[0], 40)

    @long
    def test_billiards_lyapunov(self) -> None:
        """Trajectories that separate at a rate other than that of the curvature of wave fronts."""
        module = recipe("billiards-lyapunov")
        rate, error = module.lyapunov()
        self.assertAlmostEqual(rate, module.exact(), delta=4 * error)

    @long
    def test_melting_loop(self) -> None:
        """A wrong pressure of the dense fluid, or a pressure of the loop far from coexistence (9.185)."""
        module = recipe("melting-loop")
        self.assertAlmostEqual(module.pressure(0.66, time=2000)[0], 7.48, delta=0.06)
        self.assertAlmostEqual(module.pressure(0.71, time=2000)[0], 8.9, delta=0.6)

    @long
    def test_crystal_nucleation(self) -> None:
        """A supersaturated fluid that does not crystallise."""
        module = recipe("crystal-nucleation")
        start, end = module.pressures()
        self.assertAlmostEqual(start / module.fluid(0.56), 1, delta=0.12)
        self.assertTrue(module.crystal(0.56) < end < 17, end)

    @long
    def test_square_well_coexistence(self) -> None:
        """A vapour off the published saturation pressure."""
        liquid, vapour = recipe("square-well-coexistence").densities()
        self.assertAlmostEqual(vapour, 0.032, delta=0.011)
        self.assertAlmostEqual(liquid, 0.642, delta=0.04)

    @long
    def test_dust_rings(self) -> None:
        """A sheared gas off its balance of energy."""
        module = recipe("dust-rings")
        temperature, power = module.measured(0.02)
        self.assertAlmostEqual(temperature / module.balance(0.02), 0.95, delta=0.04)
        self.assertAlmostEqual(power, 1, delta=0.05)

    @long
    def test_aggregates(self) -> None:
        """Aggregates with a wrong fractal dimension."""
        module = recipe("aggregates")
        scene = module.carom.Scene.load(RECIPES / "aggregates.yaml")
        self.assertAlmostEqual(module.dimension(scene, 1e-6, 20), 1.54, delta=0.2)

    def test_cloth_mesh(self) -> None:
        """A file of the strip that differs from its arrays."""
        module = recipe("cloth-from-mesh")
        module.write_obj(self.folder / "strip.obj", *module.strip())
        self.assertEqual((self.folder / "strip.obj").read_text(), (RECIPES / "strip.obj").read_text())

    @long
    def test_cloth_from_mesh(self) -> None:
        """A sheet that stretches other than its material."""
        self.assertAlmostEqual(recipe("cloth-from-mesh").elongation(), 0.0196, delta=0.0006)

    @long
    def test_knot_pull(self) -> None:
        """A knot that friction does not tighten."""
        module = recipe("knot-pull")
        _, smooth, drift = module.pull(0, until=0.6)
        _, rough, _ = module.pull(0.3, until=0.6)
        self.assertGreater(rough[-4:].mean() / smooth[-4:].mean(), 1.2)
        self.assertLess(abs(drift), 1e-3)

    @long
    def test_house_of_cards(self) -> None:
        """Cards that stand below the limit of statics, or fall above it."""
        module = recipe("house-of-cards")
        self.assertGreater(module.sinking(0.16), 0.1)
        self.assertLess(module.sinking(0.2), 0.03)

    @long
    def test_pile_angle(self) -> None:
        """A block that sticks above, or slides below its friction angle."""
        module = recipe("pile-angle")
        self.assertTrue(module.slides(0.5, 0.49))
        self.assertFalse(module.slides(0.5, 0.51))
        self.assertAlmostEqual(module.pile(0.5), 44, delta=9)

    @long
    def test_column_collapse(self) -> None:
        """A heap that spreads other than in experiments, from grains that a result holds."""
        aspect, spread = recipe("column-collapse").collapse(grains=350)
        self.assertAlmostEqual(aspect, 0.55, delta=0.03)
        self.assertAlmostEqual(spread, 1 + 1.24 * aspect, delta=0.15)
