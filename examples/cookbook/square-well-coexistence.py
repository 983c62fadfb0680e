"""Densities of coexisting liquid and vapour."""
from __future__ import annotations

import pathlib

import numpy as np

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def densities(temperature: float = 1, seed: int = 1, until: float = 300) -> tuple[float, float]:
    """Number densities of liquid and vapour; the slab is centred in each frame."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "hard.thermostat.temperature": temperature})
    scene["particles.0.velocity"] = {"maxwell": temperature}
    profiles = []
    for frame in carom.Simulation(scene).frames(every=1, until=until):
        if frame.time >= until / 3:
            height = frame.positions[:, 2]
            centre = 36 * np.angle(np.exp(2j * np.pi * height / 36).mean()) / (2 * np.pi)
            profiles.append(np.histogram((height - centre + 18) % 36, bins=36, range=(0, 36))[0] / 81)
    profile = np.mean(profiles, axis=0)
    return profile[15:21].mean(), np.concatenate((profile[:6], profile[-6:])).mean()


if __name__ == "__main__":
    for seed in (1, 2, 3):
        print("liquid %.3f, vapour %.4f" % densities(seed=seed))
