#include "scene/restitution.h"

#include <math.h>

static double from_table(const restitution_law *law, double speed)
{
    size_t n = law->count;
    if (speed <= law->table[0][0]) return law->table[0][1];
    if (speed >= law->table[n - 1][0]) return law->table[n - 1][1];
    size_t low = 0, high = n - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (law->table[middle][0] <= speed)
            low = middle;
        else
            high = middle;
    }
    double g0 = law->table[low][0], g1 = law->table[high][0], e0 = law->table[low][1], e1 = law->table[high][1];
    return e0 + (e1 - e0) * ((speed - g0) / (g1 - g0));
}

/* Viscoelastic spheres with the force rho (x^(3/2) + 3/2 A' x^(1/2) x') until it vanishes; A = 3/2 A' (rho / m)^(2/5),
 * x = v* = sqrt(A) g^(1/10). e(x) = 1 - C1 x^2 + 3/5 C1^2 x^4 + 4/15 x^5 - ..., with C1 = Gamma(3/5) sqrt(pi) /
 * (50^(1/5) Gamma(21/10)) = 1.153449. C1 and C2 = 3/5 C1^2: R. Ramirez, T. Poeschel, N. V. Brilliantov, T. Schwager,
 * Phys. Rev. E 60, 4465 (1999). The higher terms of that paper include an attraction before the spheres separate; the
 * terms without it, x^5 first: T. Schwager, T. Poeschel, Phys. Rev. E 78, 051304 (2008). The function below is the Pade
 * approximant [1/4] of the latter by P. Mueller, T. Poeschel, Phys. Rev. E 84, 021302 (2011), with the digits of that
 * paper: c1 = b1 = 2 / (3 C1^2), b2 = C1, b3 = 2 / (3 C1), b4 = 2/5 C1^2, and no b5. */
static double viscoelastic(double a, double speed)
{
    const double c1 = 0.501086, b1 = 0.501086, b2 = 1.15345, b3 = 0.577977, b4 = 0.532178;
    double x = sqrt(a) * pow(speed, 0.1);
    double below = 1 + x * (b1 + x * (b2 + x * (b3 + x * b4)));
    return (1 + c1 * x) / below;
}

double restitution(const restitution_law *law, double speed)
{
    switch (law->kind) {
    case RESTITUTION_TABLE:
        return from_table(law, speed);
    case RESTITUTION_VISCOELASTIC:
        return viscoelastic(law->value, speed);
    case RESTITUTION_CONSTANT:
        break;
    }
    return law->value;
}
