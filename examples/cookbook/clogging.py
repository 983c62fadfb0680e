"""Number of grains that leave a hopper before it clogs."""
from __future__ import annotations

import pathlib

import carom

SCENE = pathlib.Path(__file__).with_suffix(".yaml")


def hopper(outlet: float, friction: float = 0.5, seed: int = 1) -> carom.Scene:
    """The scene with an outlet of this width between the ends of the walls."""
    scene = carom.Scene.load(SCENE, set={"seed": seed, "contacts.0.friction": friction, "contacts.1.friction": friction})
    half = outlet / 2 + 0.25                                   # the walls are 0.5 thick
    scene["particles.0.place"] = {"at": [[0, 40], [0, 12], [6 - half, 8], [6 + half, 8], [12, 12], [12, 40]]}
    return scene


def outflow(outlet: float, friction: float = 0.5, seed: int = 1) -> tuple[int, float]:
    """Grains below the outlet at the end, and the kinetic energy of those above."""
    sim = carom.Simulation(hopper(outlet, friction, seed))
    sim.run(time=40)
    frame = sim.frame
    above = (frame.positions[:, 1] > 7) & (frame.species == frame.species[-1])
    speeds = (frame.velocities**2).sum(axis=1)
    return int(40 - above.sum()), float((frame.masses * speeds / 2)[above].sum())


if __name__ == "__main__":
    for outlet in (2.1, 5.0):
        for seed in (1, 2, 3):
            print(outlet, seed, *outflow(outlet, seed=seed))
