"""Static friction in `variational`, at 0.99 of its cap: the creep of resting bodies."""
from .binding import Carom
from .harness import Row

RATIO, G = 0.99, 9.81
SLOPE3 = "planes: [{name: slope, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
SLOPE2 = "planes: [{name: slope, point: [0, 0], normal: [0, 1]}]\n"


def scene(dimension, mu, rest):
    """The plane is horizontal, and gravity is inclined along x."""
    tan = RATIO * mu
    down = G / (1 + tan * tan) ** 0.5
    gravity = [tan * down] + [0] * (dimension - 2) + [-down]
    return ("carom: 1\nengine: variational\ndimension: %d\nbox: {size: 20, boundary: open}\nfields: {gravity: %r}\n"
            "run: {until: {time: 60}}\n" % (dimension, gravity)) + rest


def body(points, mass, dimension=3):
    return scene(dimension, 0.5, """species: {a: {diameter: 0.1, mass: %r}}
particles: [{species: a, place: {at: %r}}]
bodies: [{name: block, particles: {from: 0, to: %d}}]
contacts: [{between: [a, slope], restitution: 0, friction: 0.5}]
variational: {eta: 0.01, stiffness: 1e4}
""" % (mass, points, len(points) - 1) + (SLOPE3 if dimension == 3 else SLOPE2))


def sphere():
    return scene(3, 0.5, """species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, place: {at: [[4, 4, 0.502]]}, velocity: zero}]
contacts: [{between: [a, slope], restitution: 0, friction: 0.5}]
variational: {eta: 0.01, stiffness: 1e4}
""" + SLOPE3)


def cube():
    return body([[4 + x, 4 + y, 0.052 + z] for z in (0, 1) for x in (0, 1) for y in (0, 1)], 0.125)


def tripod():
    return body([[4.5, 4, 0.052], [4, 4.8, 0.052], [5, 4.9, 0.052], [4.5, 4.6, 0.852]], 0.25)


def stack():
    """Blocks in 2D, whose upper corners are connected by a segment; each stands on the segment of the one below."""
    points, blocks, tops = [], [], []
    for k in range(3):
        first, inset, low = len(points), 0.1 * k, 0.052 + 0.602 * k
        points += [[4 + inset, low], [5 - inset, low], [4 + inset, low + 0.5], [5 - inset, low + 0.5]]
        blocks.append("{name: b%d, particles: {from: %d, to: %d}}" % (k, first, first + 3))
        tops.append([first + 2, first + 3])
    return scene(2, 0.25, """species: {a: {diameter: 0.1, mass: 0.25}}
particles: [{species: a, place: {at: %r}}]
bodies: [%s]
segments: [{name: tops, pairs: %r, diameter: 0.1, species: a}]
contacts: [{between: [a, slope], restitution: 0, friction: 0.25}, {between: [a, a], restitution: 0, friction: 0.25}]
variational: {eta: 0.01, stiffness: 1e4}
""" % (points, ", ".join(blocks), tops) + SLOPE2)


def card():
    return scene(3, 0.5, """species: {card: {diameter: 1}}
meshes:
  - {name: card, shape: {rectangle: {length: 1, width: 0.6, along: 4, across: 3}}, place: {at: [4, 4, 0.011]}, thickness: 0.02,
     stretch: 1e4, bend: 10, density: 10, damping: {stretch: 1, bend: 0.01}}
contacts: [{between: [card, slope], restitution: 0, friction: 0.5}]
""" + SLOPE3)


def creep(what, make, most, soon, times=(30, 60)):
    """`most`: three times the measured value, and `soon` in quick runs, in which the initial motion has not decayed."""
    def rows(lab, name):
        start, end = lab.length(times, (8, 12))
        text = make()

        def work():
            places = [Carom(lab.build).run("creep", text, "run.until.time=%d" % t, "variational.courant=0.05")["positions"] for t in (start, end)]
            return {"moved": max(max(abs(b - a) for a, b in zip(*pair)) for pair in zip(*places))}
        found = lab.remember(name, {"scene": text, "from": start, "to": end}, work)
        speed, bound = found["moved"] / (end - start), lab.length(most, soon)
        return [Row(name, "creep of %s at 0.99 of the cap" % what, "Coulomb: none", "below %.1e of the size a second" % bound, "%.1e" % speed,
                    speed < bound, "time %d to %d" % (start, end))]
    return rows


ROWS = {"creep-sphere": creep("a sphere on one contact", sphere, 1.2e-16, 2.1e-16),
        "creep-three": creep("a body on three corners", tripod, 3.6e-16, 1.4e-15),
        "creep-cube": creep("a cube on four corners", cube, 6e-10, 6e-9),
        "creep-stack": creep("three stacked blocks, the fastest", stack, 1.6e-15, 1.7e-6),
        "creep-card": creep("an elastic card", card, 1.2e-10, 3.4e-10)}
