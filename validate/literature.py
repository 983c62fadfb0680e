"""Numbers and formulas of the literature, with their sources. Packing fractions are written f."""
from math import pi, sqrt

KLM = "Kolafa, Labik, Malijevsky, Phys. Chem. Chem. Phys. 6, 2335 (2004), fit to molecular dynamics"
CS = "Carnahan, Starling, J. Chem. Phys. 51, 635 (1969)"
PADE = "virial coefficients B2 to B10 of Clisby, McCoy, J. Stat. Phys. 122, 15 (2006), Pade approximant [4/5]"
LI = "Li et al., J. Chem. Phys. 157, 234111 (2022), N = 870, event-chain Monte Carlo: P (2 sigma)^2 / T = 9.1297(2)"
ENGEL = "Engel et al., Phys. Rev. E 87, 042134 (2013), N = 256^2, event-driven: P (2 sigma)^2 / T = 9.1890(2), sigma the radius"
HAFF = "Haff, J. Fluid Mech. 134, 401 (1983)"
SONINE = "a2: van Noije, Ernst, Granular Matter 1, 57 (1998)"
BRITO = "Brito, Ernst, Europhys. Lett. 43, 497 (1998)"
BANNERMAN = "Bannerman et al., Comput. Part. Mech. 1, 191 (2014)"


def spheres(f):
    """Compressibility of hard spheres; within 5e-5 of simulations in all of the fluid (95 % confidence)."""
    x = f / (1 - f)
    return (1 + 4 * x + 6 * x**2 + 2.3647684 * x**3 - 0.8698551 * x**4 + 1.1062803 * x**5 - 1.1014221 * x**6
            + 0.66605866 * x**7 - 0.03633431 * x**8 - 0.20965164 * x**10 + 0.10555569 * x**14 - 0.0087238 * x**22)


def carnahan_starling(f):
    return (1 + f + f**2 - f**3) / (1 - f)**3


# Molecular dynamics of 1.1 million spheres, Bannerman, Lue, Woodcock, J. Chem. Phys. 132, 084507 (2010):
# compressibility at number densities 0.1, 0.2, ..., 0.9 (diameter 1).
BANNERMAN_LUE_WOODCOCK = (1.2397, 1.5536, 1.9682, 2.5216, 3.2694, 4.2950, 5.7269, 7.7700, 10.762)

# B_k / B_2^(k-1), k = 2 ... 10, of hard disks (Clisby and McCoy, table 1).
DISK_VIRIALS = (1, 0.782004436, 0.53223180, 0.33355604, 0.1988425, 0.1148728, 0.0649930, 0.0362193, 0.0199537)


def solve(matrix, right):
    """Gauss elimination with pivots."""
    rows = [row[:] + [y] for row, y in zip(matrix, right)]
    for i in range(len(rows)):
        best = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for k in range(len(rows)):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def disks(f):
    """Compressibility of hard disks up to f of about 0.6: the Pade approximant [4/5] of the virial series."""
    series = [1] + [b * 2**(k + 1) for k, b in enumerate(DISK_VIRIALS)]
    above, below = 4, 5
    known = lambda k: series[k] if k >= 0 else 0
    matrix = [[known(above + i - j) for j in range(1, below + 1)] for i in range(1, below + 1)]
    q = [1] + solve(matrix, [-known(above + i) for i in range(1, below + 1)])
    p = [sum(q[j] * known(k - j) for j in range(min(k, below) + 1)) for k in range(above + 1)]
    return sum(a * f**k for k, a in enumerate(p)) / sum(a * f**k for k, a in enumerate(q))


def disks_engel():
    """65,536 hard disks at f = 0.7: P (2 sigma)^2 / T = 9.1890 with sigma the radius. The transition from liquid to
    hexatic starts here: the pressure depends on N, and long-lived order slows down the approach to equilibrium."""
    return 9.1890 * pi / 4 / 0.7


def disks_li():
    """870 hard disks in a square box at f = 0.7."""
    return 9.12966 * pi / 4 / 0.7


def enskog_rate(f, z):
    """Collisions of one sphere per unit time; diameter, mass and temperature 1."""
    return 6 / sqrt(pi) * (z - 1)


def enskog_viscosity(f, z):
    """Shear viscosity of hard spheres; diameter, mass and temperature 1 (Chapman and Cowling, 16.41)."""
    y = z - 1
    return 5 / 16 / sqrt(pi) * 1.016034 * 4 * f * (1 / y + 0.8 + 0.7614 * y)


def sonine_a2(e):
    """Fourth cumulant of the homogeneous cooling state in three dimensions (van Noije and Ernst, Granular Matter 1,
    57 (1998))."""
    return 16 * (1 - e) * (1 - 2 * e * e) / (81 - 17 * e + 30 * e * e * (1 - e))
