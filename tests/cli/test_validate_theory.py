#!/usr/bin/env python3
"""Detects wrong theories of tools/validate.py: of a strip that buckles sideways, and of a hemisphere of shell theory and of triangles."""
from readers import need_library

need_library("numpy", "scipy")

import numpy as np  # noqa: E402

from trials import close  # noqa: E402
from validate.newton import Shell, bend  # noqa: E402
from validate.sphere import POISSON, RADIUS, THICK, YOUNG, harmonic, mesh, solve  # noqa: E402
from validate.strips import Strip  # noqa: E402


def strips():
    """Timoshenko's factor of warping 1 / (1 - k)^2 is approximate, with an error of second order in the height. A strong axis 400 times as stiff: by shooting."""
    for high, within in ((0.05, 2e-3), (0.02, 4e-4)):
        close("warping", Strip(high, 1e-6 * high, 24).critical(), 4.01260 / (1 - high / 24 ** 0.5) ** 2, within)
    stiff, strip = Strip(0.02, 1e-7, 24), Strip(0.02, 0.001, 24)
    close("strong axis", strip.critical() / stiff.critical(), 4.030643 / 4.012599, 1e-4)
    close("without a load", 3 * strip.softness(0.0), 1, 1e-9)
    close("back", strip.load_of(strip.softness(3.0), strip.critical()), 3, 1e-6)


def hemisphere():
    """The elements along the meridian are small enough, and the equations are solved."""
    close("elements", harmonic(2, 60) / harmonic(2, 120), 1, 1e-5)
    random, band = np.random.default_rng(1), np.zeros((4, 12))
    full = random.standard_normal((12, 12))
    full = np.where(abs(np.subtract.outer(range(12), range(12))) < 4, full + full.T, 0) + 20 * np.eye(12)
    for k in range(4):
        band[k, :12 - k] = np.diagonal(full, -k)
    right = random.standard_normal(12)
    close("banded", abs(full @ solve(band, right) - right).max(), 0)


def triangles():
    """No force in the mesh at rest, also turned; angles change by their gradients; Newton's steps shrink quadratically."""
    start, corners = mesh(4)
    close("radius", abs(np.linalg.norm(start, axis=1) - RADIUS).max(), 0)
    rim = [len(start) - 16 + 4 * k for k in range(4)]
    shell = Shell(start, corners, YOUNG, THICK, POISSON, [(rim[0], 1), (rim[0], 2), (rim[2], 1), (rim[2], 2), (rim[1], 0)], [rim[1], rim[3]])
    close("edges", len(shell.edges), 3 * len(corners) // 2 - 16)
    turned = start @ np.array([[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1]])
    close("turned", abs(shell.step(turned, np.zeros(start.size))).max(), 0, 1e-9)
    aside = 1e-6 * np.random.default_rng(2).standard_normal(start.shape)
    (ahead, slope), (behind, _) = bend((start + aside)[shell.edges]), bend((start - aside)[shell.edges])
    close("angles", abs(ahead - behind - 2 * (slope * aside[shell.edges]).sum((1, 2))).max(), 0, 1e-10)
    push = np.zeros(start.shape)
    push[rim, [0, 1, 0, 1]] = [-2, 2, 2, -2]
    x, sizes = start, []
    for _ in range(5):
        step = shell.step(x, push.ravel())
        x = x + step
        sizes.append(abs(step).max())
    close("last step", sizes[-1], 0, 1e-5 * sizes[0])


strips()
hemisphere()
triangles()
