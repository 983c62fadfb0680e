/* Thermal walls re-emit bodies like a gas at the temperature of the wall behind it. The normal velocity has the
 * distribution v exp(-m v^2 / 2T) of the flux of such a gas, the tangential velocities are Gaussian (Tehver, Toigo,
 * Koplik, Banavar, Phys. Rev. E 57, R17 (1998)). The outgoing velocity is independent of the incoming one. Random
 * numbers depend only on the number of the body and the count of its hits. */
#include "hard/kernel/features/thermal.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/rotation.h"

#include "base/random.h"

/* Two unit vectors perpendicular to n. */
static void across(const real n[DIM], real a[2][3])
{
#if CAROM_DIM == 3
    const int k = real_fabs(n[0]) < real_fabs(n[1]) ? (real_fabs(n[0]) < real_fabs(n[2]) ? 0 : 2)
                                                    : (real_fabs(n[1]) < real_fabs(n[2]) ? 1 : 2);
    real square = 0;
    for (int c = 0; c < 3; c++) {
        a[0][c] = (c == k) - n[k] * n[c];
        square += a[0][c] * a[0][c];
    }
    for (int c = 0; c < 3; c++) a[0][c] /= real_sqrt(square);
    cross3(n, a[0], a[1]);
#else
    a[0][0] = -n[1];
    a[0][1] = n[0];
    a[1][0] = a[1][1] = 0;
#endif
}

/* Random numbers of one hit: [0] for the flux, [1] and [2] for the tangential velocities, the rest for the spin. */
static void draw(const gas *g, uint32_t i, double out[6])
{
    const random_key key = {g->scene->seed, RANDOM_EMISSION};
    const uint64_t at = 4 * g->thermal->emissions[i];
    double more[2];
    out[0] = sqrt(-2 * log1p(-random_uniform(key, g->id[i], at)));
    random_normal2(key, g->id[i], at + 1, out + 1);
    random_normal2(key, g->id[i], at + 2, out + 3);
    random_normal2(key, g->id[i], at + 3, more);
    out[5] = more[0];
}

static void thermal_emit(gas *g, uint32_t i, const real n[DIM], const real u[DIM], double temperature)
{
    const double inertia = inertia_of(g, i), scale = ldexp(1, (int)g->scale);
    const real speed = (real)(sqrt(temperature / mass_of(g, i)) * scale);
    double number[6];
    real a[2][3];
    draw(g, i, number);
    across(n, a);
    g->thermal->emissions[i]++;
    for (int k = 0; k < DIM; k++)
        g->body[i].v[k] =
            u[k] + speed * ((real)number[0] * n[k] + (real)number[1] * a[0][k] + (real)number[2] * a[1][k]);
    for (int k = 0; g->rotation != NULL && k < TURN; k++)
        g->rotation->spin[i][k] = (real)(sqrt(temperature / inertia) * number[3 + k] * scale);
}

static bool thermal_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return scene_is_thermal(g->scene);
}

/* The outgoing velocity is independent of the incoming one: a wall breaks the symmetry under boosts. */
static bool thermal_holds(const gas *g, int k)
{
    (void)g;
    (void)k;
    return true;
}

static const body_array thermal_arrays[] = {
    {"engine/emissions", BODY_ARRAY(thermal_walls, emissions)},
};

static const feature feature_thermal = {.name = "thermal walls",
                                        FEATURE_STATE(thermal),
                                        .enabled = thermal_enabled,
                                        FEATURE_ARRAYS(thermal_arrays),
                                        .feeds = true,
                                        .holds = thermal_holds};
