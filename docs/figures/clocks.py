#!/usr/bin/env python3
"""Draws docs/figures/clocks.svg: docs/figures/clocks.py > docs/figures/clocks.svg"""

INK, BLUE, ORANGE, GREEN, GREY = "#333333", "#2b6ca3", "#d9822b", "#3a8f5d", "#999999"
WIDTH, HEIGHT, LEFT, RIGHT = 860, 600, 110, 840
out = []


def line(x1, y1, x2, y2, color=INK, width=1.2, dash=""):
    out.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%g"%s/>' % (
        x1, y1, x2, y2, color, width, ' stroke-dasharray="%s"' % dash if dash else ""))


def text(x, y, words, color=INK, anchor="start", size=13):
    out.append('<text x="%.1f" y="%.1f" fill="%s" text-anchor="%s" font-size="%d">%s</text>' % (x, y, color, anchor, size, words))


def box(x, y, width, height, color):
    out.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" fill-opacity="0.18"/>' % (x, y, width, height, color))


def path(points, color, width=1.8, dash=""):
    out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="%g"%s/>' % (
        " ".join("%.1f,%.1f" % p for p in points), color, width, ' stroke-dasharray="%s"' % dash if dash else ""))


def gap(x):
    """Of a pair that meets and parts, in units of 2 eta."""
    u = (x - 430) / 260
    return 0.28 + 2.1 * u * u


def clocks(top):
    """Layer by layer: asleep behind a certificate, awake on the clock's grid, acting."""
    text(10, top - 12, "the layers of one pair and their clocks", size=14)
    for layer, color in ((1, BLUE), (2, ORANGE), (3, GREEN)):
        y, step = top + 26 + 34 * (layer - 1), 52 * layer**-1.5
        inside = [x for x in range(LEFT, RIGHT) if gap(x) < 1 / layer]
        text(LEFT - 10, y + 5, "layer %d" % layer, color, "end")
        line(LEFT, y, RIGHT, y, GREY, 0.8)
        if inside:
            box(inside[0] - 22, y - 11, inside[-1] - inside[0] + 22 + 40, 22, color)
        x = LEFT + (step * 0.4)
        while x < RIGHT:
            awake = inside and inside[0] - 22 <= x <= inside[-1] + 40
            acts = inside and inside[0] <= x <= inside[-1]
            line(x, y - (10 if acts else 6 if awake else 3), x, y + (10 if acts else 6 if awake else 3),
                 color if awake else "#cccccc", 2.4 if acts else 1.2)
            x += step
    y = top + 130
    text(LEFT, y, "grey: the fixed grid of multiples of h_l;  shaded: active, ticks are events;  bold: a kick.")
    text(LEFT, y + 18, "White: inactive; a certificate guarantees that the gap stays above 2 eta/l until its end.")


def approach(top, height):
    """The gap over time, with the layers' thicknesses."""
    scale = height / 1.75
    bottom = top + height
    for layer, color in ((1, BLUE), (2, ORANGE), (3, GREEN)):
        y = bottom - scale / layer
        line(LEFT, y, RIGHT, y, color, 1, "5 4")
        text(LEFT - 10, y + 5, "2 eta" + ("" if layer == 1 else "/%d" % layer), color, "end")
    path([(x, bottom - scale * gap(x)) for x in range(LEFT, RIGHT) if gap(x) < 1.7], INK)
    line(LEFT, bottom, RIGHT, bottom)
    text(LEFT - 10, bottom + 5, "gap 0", anchor="end")
    text(RIGHT, bottom + 17, "time", anchor="end")


def flight_bound(top):
    """A kicked node and its nominal trajectory."""
    text(10, top - 12, "one test per kick: a nominal trajectory and its flight bound", size=14)
    x0, x1, slope, tau = LEFT, 560, 0.16, 30
    nominal = lambda x: top + 75 - slope * (x - x0)  # noqa: E731
    out.append('<polygon points="%s" fill="%s" fill-opacity="0.15"/>' % (" ".join("%.1f,%.1f" % p for p in (
        (x0, nominal(x0) - tau), (x1, nominal(x1) - tau), (x1, nominal(x1) + tau), (x0, nominal(x0) + tau))), BLUE))
    path([(x0, nominal(x0)), (x1, nominal(x1))], BLUE, 1.5, "7 4")
    flight = [(x0, 0), (190, 9), (270, -12), (350, 13), (430, 2), (500, -16), (x1, -6)]
    path([(x, nominal(x) + off) for x, off in flight], INK)
    for x, off in flight[1:-1]:
        out.append('<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>' % (x, nominal(x) + off, ORANGE))
    out.append('<circle cx="%.1f" cy="%.1f" r="%g" fill="none" stroke="%s" stroke-width="1.5"/>' % (x1, nominal(x1), tau, GREEN))
    for k, words in enumerate(("One test after each kick: if the flight", "ends in this ball, it stays within", "the band until then,", "and all certificates remain valid.")):
        text(x1 + 42, nominal(x1) - 12 + 17 * k, words)
    text(x0, nominal(x0) + tau + 20, "Dots: kicks. Dashed: the nominal trajectory of the certificates, each wider by the half-width tau of the band.")


def main():
    approach(24, 165)
    clocks(236)
    flight_bound(446)
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">' % (WIDTH, HEIGHT))
    print('<rect width="%d" height="%d" fill="white"/>' % (WIDTH, HEIGHT))
    print("\n".join(out))
    print("</svg>")


main()
