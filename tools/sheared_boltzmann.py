#!/usr/bin/env python3
"""Uniform shear flow of inelastic hard spheres by the Boltzmann equation, with Nanbu's and Babovsky's method.

    tools/sheared_boltzmann.py [--particles N] [--time COLLISIONS] [--seed S] RESTITUTION...

Prints the temperature over that of Grad's method to first order (docs/validation.md, "Sheared boxes") and the pressures over
n T, each with its standard error. Shares nothing with carom: no positions, no density; particles of a large set collide at
random. The error of its step is of first order: it is taken out by a second flow, with twice the step.
"""
import argparse

import numpy as np

STEP = 0.01  # of the time between the collisions of a particle


def turned(u, rng):
    """Normals of hard spheres: the square of the cosine with the relative velocity (along u) is uniform."""
    cosine, angle = np.sqrt(rng.random(len(u))), 2 * np.pi * rng.random(len(u))
    beside = np.where(abs(u[:, :1]) < 0.9, [[1.0, 0, 0]], [[0, 1.0, 0]])
    first = np.cross(u, beside)
    first /= np.linalg.norm(first, axis=1)[:, None]
    around = np.cos(angle)[:, None] * first + np.sin(angle)[:, None] * np.cross(u, first)
    return cosine, cosine[:, None] * u + np.sqrt(1 - cosine**2)[:, None] * around


def collide(v, e, time, rng):
    """Each particle meets one other, drawn at random, with the probability pi n d^2 g time; n = d = m = 1."""
    pairs = rng.permutation(len(v)).reshape(2, -1)
    apart = v[pairs[0]] - v[pairs[1]]
    speed = np.linalg.norm(apart, axis=1)
    meet = rng.random(len(speed)) < np.pi * speed * time
    (i, j), apart, speed = pairs[:, meet], apart[meet], speed[meet]
    cosine, normal = turned(apart / speed[:, None], rng)
    impulse = 0.5 * (1 + e) * (speed * cosine)[:, None] * normal
    v[i] -= impulse
    v[j] += impulse


def flow(e, particles, collisions, each, rng):
    """Means and errors of T / T0, P_xy, P_xx, P_yy, P_zz over n T; shear rate 1."""
    z, b = 5 / 12 * (1 - e * e), (1 + e) * (2 + e) / 6
    root = 5 / (16 * np.sqrt(np.pi) * np.sqrt(3 * z / (2 * b)) * (b + z))  # of Grad's temperature
    v = root * rng.normal(size=(particles, 3))
    time = each / (4 * np.sqrt(np.pi) * root)
    seen = []
    for step in range(int(collisions / each)):
        v[:, 0] -= 0.5 * time * v[:, 1]
        collide(v, e, time, rng)
        v[:, 0] -= 0.5 * time * v[:, 1]
        v -= v.mean(0)
        if step * each > collisions / 4:
            p = v.T @ v / particles
            t = np.trace(p) / 3
            seen.append((t / root**2, p[0, 1] / t, p[0, 0] / t, p[1, 1] / t, p[2, 2] / t))
    blocks = np.array(seen)[: len(seen) // 12 * 12].reshape(12, -1, 5).mean(1)
    return blocks.mean(0), blocks.std(0, ddof=1) / np.sqrt(12)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("restitution", type=float, nargs="+")
    parser.add_argument("--particles", type=int, default=20000, help="an even number")
    parser.add_argument("--time", type=float, default=160, help="collisions of a particle")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for e in options.restitution:
        rng = np.random.default_rng(options.seed)
        (fine, off), (coarse, far) = (flow(e, options.particles, options.time, each, rng) for each in (STEP, 2 * STEP))
        mean, error = 2 * fine - coarse, np.hypot(2 * off, far)
        print("e = %g: " % e + ", ".join("%s %.4f +- %.4f" % row for row in zip(("T / T0", "P_xy", "P_xx", "P_yy", "P_zz"), mean, error)))


if __name__ == "__main__":
    main()
