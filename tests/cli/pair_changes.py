"""Scenes that are the same in other words - units, axes, order of lists, a frame that moves - and how far their runs differ."""
import numpy

from pair_scene import Change

UNITS, SHIFT, DRIFT = (2.0, 3.0, 5.0), (1.3, -2.1, 0.7), (0.4, -0.25, 0.15)
AXES = {2: ((1, 0), (1, 1)), 3: ((2, 0, 1), (-1, 1, 1))}  # a mirror in each


def changes(scene):
    """First all changes in one scene; then each alone, which identifies the one with an effect."""
    d = scene.dimension
    one = {"units": {"units": UNITS}, "lists": {"lists": True}}
    if "axes" not in scene.fixed:
        axes, signs = AXES[d]
        if "compression" in scene.names:  # the middle of the box moves
            signs = None
        one["axes"] = {"axes": axes, "signs": signs}
    if "bodies" not in scene.fixed:
        one["bodies"] = {"bodies": True}
    if scene.periodic.all() and "drift" not in scene.fixed and not scene.pushes:
        one["drift"] = {"shift": SHIFT, "drift": DRIFT}
    together = {key: value for settings in one.values() for key, value in settings.items()}
    return {"all": Change(d, **together), **{name: Change(d, **settings) for name, settings in one.items()}}


def difference(scene, change, time, plain, changed):
    """The largest difference of positions, relative to the box, and of velocities, relative to the fastest."""
    size = (scene.size * change.units[0])[change.axes]
    x = change.places(plain[0], scene.size) + change.drift * time * change.units[0]
    v = change.speeds(plain[1])
    if change.bodies:
        x, v = x[::-1], v[::-1]
    apart = changed[0] - x
    apart -= numpy.where(scene.periodic[change.axes], size * numpy.round(apart / size), 0)
    return max(numpy.abs(apart / size).max(), numpy.abs(changed[1] - v).max() / numpy.abs(v).max())
