"""Impacts of elastic spheres in `variational`, by the laws of Hertz and Mindlin."""
from math import gamma, pi, sqrt

from .annuli import impact
from .binding import Carom
from .harness import Row

HERTZ, MAW = "Johnson, Contact Mechanics (1985), sections 4.2, 11.4", "Maw, Barber, Fawcett, Wear 38, 101 (1976)"
FOERSTER = "Foerster, Louge, Chang, Allia, Phys. Fluids 6, 1108 (1994)"
YOUNG, POISSON, DENSITY, RADIUS = 71e9, 0.22, 2500, 1.5e-3
KAPPA, MASS = 2 * (1 - POISSON) / (2 - POISSON), DENSITY * 4 / 3 * pi * RADIUS ** 3
MODULUS = YOUNG / (1 - POISSON ** 2)  # of a rigid plane


def scene(speed, contact="restitution: 1", gravity=0.0, along=0.0, more="", time=1.0):
    return """carom: 1
engine: variational
dimension: 3
box: {size: [0.2, 0.02, 0.02], boundary: open}
species: {glass: {radius: %r, density: %r, young: %r, poisson: %r}}
particles: [{species: glass, place: {at: [[0.1, 0.01, %r]]}, velocity: {each: [%r, 0, %r]}}]
planes: [{name: plate, point: [0, 0, 0], normal: [0, 0, 1]}]
contacts: [{between: [glass, plate], %s}]
fields: {gravity: [0, 0, %r]}
variational: {rotation: true%s}
run: {until: {time: %r}}
""" % (RADIUS, DENSITY, YOUNG, POISSON, RADIUS + 1e-9, along, -speed, contact, -gravity, more, time)


def overlap(speed):
    return (15 * MASS * speed ** 2 / (16 * MODULUS * sqrt(RADIUS))) ** 0.4


def duration(lab, name):
    """First and last moment of contact and the deepest overlap, in steps of 1 / 4000 of the duration."""
    rows = []
    for speed in (0.01, 0.1, 1):
        depth = overlap(speed)
        time = 2 * sqrt(pi) * gamma(1.4) / gamma(0.9) * depth / speed

        def work():
            carom, found = Carom(lab.build), []
            held = carom.begin("impact", scene(speed), [])
            for k in range(4600):
                now = 1e-9 / speed + (k / 4000 - 0.05) * time
                if now > 0:
                    carom.lib.carom_sim_advance(held[1], now)
                    found.append((now, RADIUS - carom.look(held[1])[0][0][2]))
            carom.end(*held)
            inside = [one[0] for one in found if one[1] > 0]
            return {"duration": inside[-1] - inside[0], "depth": max(one[1] for one in found)}
        ours = lab.remember(name, {"scene": scene(speed)}, work)
        rows.append(Row(name, "glass bead of 3 mm on a rigid plate at %g m/s: duration of contact, deepest overlap" % speed, HERTZ,
                        "%.5g s within 0.15 %%, %.5g m within 0.04 %%" % (time, depth), "%.5g s, %.5g m" % (ours["duration"], ours["depth"]),
                        abs(ours["duration"] / time - 1) < 1.5e-3 and abs(ours["depth"] / depth - 1) < 4e-4, "steps of 1/4000 of the duration"))
    return rows


def indentation(lab, name):
    weight = 9.81e3 * MASS  # a strong gravity, for a short run
    expected = (9 * weight ** 2 / (16 * MODULUS ** 2 * RADIUS)) ** (1 / 3)
    text = scene(0, "restitution: 0.5", gravity=9.81e3, more=", courant: 0.02", time=0.01)
    ours = lab.remember(name, {"scene": text}, lambda: {"z": Carom(lab.build).run("rest", text)["positions"][0][2]})
    depth = RADIUS - ours["z"]
    return [Row(name, "indentation of a bead at rest under 1000 times its weight", "(9 F^2 / (16 E*^2 R))^(1/3): " + HERTZ,
                "%.6g m within 3e-4 of it" % expected, "%.6g m" % depth, abs(depth / expected - 1) < 3e-4, "time 0.01 s")]


def angle(lab, name, psi, friction=0.092, restitution=1.0):
    """The local angle after an impact at 0.01 m/s, from that before it, in units of mu / kappa."""
    text = scene(0.01, "restitution: %r, friction: %r" % (restitution, friction), along=0.01 * psi * friction / KAPPA,
                 more=", courant: 0.005", time=1e-4)

    def work():
        run = Carom(lab.build).run("oblique", text)
        return {"v": run["velocities"][0], "w": run["spins"][0]}
    ours = lab.remember(name, {"scene": text}, work)
    return (ours["v"][0] - ours["w"][1] * RADIUS) / 0.01 / friction * KAPPA


def sliding(lab, name):
    chi = 1.75 * KAPPA
    angles = [4 * chi - 0.9 + k for k in range(4)]
    worst = max(abs(angle(lab, name, psi) - (psi - 4 * chi)) for psi in angles)
    return [Row(name, "oblique impact, gross sliding from psi = 4 chi - 0.9 on: psi' = psi - 4 chi", MAW, "0 within 0.006",
                "largest deviation %.1g" % worst, worst < 0.006, "psi from %.2f to %.2f" % (angles[0], angles[-1]))]


def foerster(lab, name):
    e, mu = 0.97, 0.092
    worst = max(abs(angle(lab, name, tan * KAPPA / mu, mu, e) * mu / KAPPA - (tan - 3.5 * (1 + e) * mu)) for tan in (0.7, 1.0, 1.5, 2.0))
    beta = [-angle(lab, name, psi, mu, e) / psi for psi in (2.5, 3.0, 3.5)]
    return [Row(name, "glass, e = 0.97, mu = 0.092: Psi2 = Psi1 - 7/2 (1 + e) mu in sliding", FOERSTER, "0 within 0.0003",
                "largest deviation %.1g" % worst, worst < 3e-4, "Psi1 from 0.7 to 2"),
            Row(name, "the same: rebound of sticking surfaces, beta0 = -Psi2 / Psi1", FOERSTER, "0.44 +- 0.07 (measured)",
                "%.2f to %.2f" % (min(beta), max(beta)), abs(sum(beta) / 3 - 0.44) < 0.07, "psi from 2.5 to 3.5")]


def curve(lab, name):
    angles = [0.25 * k for k in range(1, 25)]
    theory = [impact(psi, KAPPA) for psi in angles]
    ours = [angle(lab, name, psi) for psi in angles]
    worst = max(abs(b - a) for a, b in zip(theory, ours))
    least = [min(zip(values, angles)) for values in (theory, ours)]
    return [Row(name, "oblique impact, all angles: psi' with partial slip, by annuli (validate/annuli.py)", MAW,
                "smallest psi' %.2f at psi = %.2f; all within 0.06" % least[0],
                "smallest psi' %.2f at psi = %.2f; largest deviation %.2g" % (*least[1], worst), worst < 0.06, "psi from 0.25 to 6")]


ROWS = {"hertz-duration": duration, "hertz-indentation": indentation, "oblique-sliding": sliding, "oblique-glass": foerster,
        "oblique-curve": curve}
