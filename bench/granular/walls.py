"""Boundaries of a scene as regions of the peer.

A mesh of revolution has a thickness: its surface is that of its profile, displaced by half the thickness. Each segment of
the displaced profile is a cone (a cylinder, if it is parallel to the axis) with open ends, which acts on both sides and at
its edges; the rounded end at an opening is three more segments. A polygon of `around` corners becomes the circle of the
same area."""
from math import atan2, cos, hypot, pi, sin, sqrt

ARC = 3  # segments of a rounded end
FLAT = 1e-4  # height of the cone that stands for a flat ring


def roundness(corners):
    """Radius of the circle with the area of a regular polygon, over that of its corners."""
    turn = 2 * pi / corners
    return sqrt(sin(turn) / turn)


def normal(a, b):
    """Unit normal of a segment of a profile (r, z), to the side of the axis if z increases."""
    dr, dz = b[0] - a[0], b[1] - a[1]
    length = hypot(dr, dz)
    return -dz / length, dr / length


def displaced(profile, half):
    """Segments of the inner surface: the profile from its opening on, displaced by half the thickness, with a rounded end."""
    first = normal(profile[0], profile[1])
    start, end = atan2(first[1], first[0]), 1.25 * pi
    turns = [end + (start - end) * k / ARC for k in range(ARC + 1)]
    lip = [(profile[0][0] + half * cos(t), profile[0][1] + half * sin(t)) for t in turns]
    found = list(zip(lip, lip[1:]))
    for a, b in zip(profile, profile[1:]):
        n = normal(a, b)
        found.append(tuple((p[0] + half * n[0], p[1] + half * n[1]) for p in (a, b)))
    return found


def segment_region(name, a, b, centre):
    """One segment of a profile about a vertical axis."""
    (r, z), (s, y) = (a, b) if a[1] <= b[1] else (b, a)
    place = "%.9g %.9g" % (centre[0], centre[1])
    if abs(r - s) < 1e-9:
        return "region %s cylinder z %s %.9g %.9g %.9g open 1 open 2" % (name, place, r, centre[2] + z, centre[2] + y)
    if y - z < FLAT:
        z, y = (z, z + FLAT) if r < s else (z - FLAT, z)
    return "region %s cone z %s %.9g %.9g %.9g %.9g open 1 open 2" % (name, place, r, s, centre[2] + z, centre[2] + y)


def revolution(mesh):
    """Corners of the profile (r, z), of the circle of equal area; half the thickness; the place."""
    shape = mesh["shape"]["revolution"]
    factor = roundness(shape["around"])
    return [(factor * r, float(z)) for r, z in shape["profile"]], mesh["thickness"] / 2, mesh["place"]["at"]


def hopper(tree):
    """Commands that define regions, and the names of the regions, for a vessel with an opening and its gate."""
    vessel, gate = tree["meshes"]
    profile, half, centre = revolution(vessel)
    names, lines = [], []
    for k, (a, b) in enumerate(displaced(profile, half)):
        names.append("vessel%d" % k)
        lines.append(segment_region(names[-1], a, b, centre))
    begin, end = tree["drives"][0]["motion"][:2]
    moved = "%g*(v_t>%g)*(v_t<=%g)*(v_t-%g)+%g*(v_t>%g)" % (
        begin["velocity"][0], begin["time"], end["time"], begin["time"],
        begin["velocity"][0] * (end["time"] - begin["time"]), end["time"])
    x, y, z = gate["place"]["at"]
    thick = gate["thickness"] / 2
    lines += ["variable t equal time", "variable gate equal %s" % moved,
              "region gate cylinder z %.9g %.9g %.9g %.9g %.9g side out move v_gate NULL NULL"
              % (x, y, gate["shape"]["disk"]["radius"] + thick, z - thick, z + thick)]
    return lines, names + ["gate"]


def drum(tree):
    """The same for a closed vessel, whose axis is turned to -y, that rotates."""
    vessel = tree["meshes"][0]
    profile, half, centre = revolution(vessel)
    turn = vessel["place"]["rotate"]
    if turn["axis"] != [1, 0, 0] or abs(turn["angle"] - pi / 2) > 1e-12:
        raise ValueError("only a drum with its axis along y")
    motor = tree["drives"][0]["motion"][0]["turn"]
    radius, far = max(r for r, _ in profile) - half, max(z for _, z in profile)
    lines = ["variable t equal time", "variable angle equal %g*v_t" % motor["rate"],
             "region drum cylinder y %.9g %.9g %.9g %.9g %.9g side in rotate v_angle %s %s"
             % (centre[0], centre[2], radius, centre[1] - far + half, centre[1] - half,
                " ".join("%g" % p for p in motor["through"]), " ".join("%g" % a for a in motor["axis"]))]
    return lines, ["drum"]


def of_scene(tree):
    """(commands, names of regions of steel) of a scene."""
    if "meshes" not in tree:
        return [], []
    return drum(tree) if "turn" in tree["drives"][0]["motion"][0] else hopper(tree)
