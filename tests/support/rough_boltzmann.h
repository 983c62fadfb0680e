/* The homogeneous Boltzmann equation of equal rough spheres (m = a = 1) by direct simulation (Bird 1994): no places, no
 * events; random pairs collide at random angles with a probability that grows with their speed. */
#ifndef CAROM_TESTS_ROUGH_BOLTZMANN_H
#define CAROM_TESTS_ROUGH_BOLTZMANN_H

#include <math.h>
#include <string.h>

#include "random_scene.h"

enum { BOLTZMANN_COUNT = 20000 };

typedef struct rough_swarm {
    int dimension;
    double e, beta, q;
    double v[BOLTZMANN_COUNT][3], w[BOLTZMANN_COUNT][3];
    dice d;
} rough_swarm;

static inline void vector_product(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline void any_direction(rough_swarm *s, double n[3])
{
    const double turn = 6.283185307179586 * dice_real(&s->d, 0, 1);
    n[2] = s->dimension == 3 ? dice_real(&s->d, -1, 1) : 0;
    n[0] = sqrt(1 - n[2] * n[2]) * cos(turn);
    n[1] = sqrt(1 - n[2] * n[2]) * sin(turn);
}

/* False where the pair does not collide. */
static inline bool collide_any(rough_swarm *s)
{
    const double fastest = 6.5, eta = s->q * (1 + s->beta) / (2 * s->q + 2);
    double *v[2], *w[2], n[3], g[3], rim[3], u[3], turn[3], normal = 0;
    for (int side = 0; side < 2; side++) {
        const uint32_t i = dice_below(&s->d, BOLTZMANN_COUNT);
        v[side] = s->v[i];
        w[side] = s->w[i];
    }
    any_direction(s, n);
    for (int k = 0; k < 3; k++) {
        g[k] = v[0][k] - v[1][k];
        rim[k] = w[0][k] + w[1][k];
        normal += g[k] * n[k];
    }
    if (v[0] == v[1] || normal >= -fastest * dice_real(&s->d, 0, 1)) return false;
    vector_product(rim, n, u);
    for (int k = 0; k < 3; k++) g[k] -= normal * n[k] + u[k];
    vector_product(n, g, turn);
    for (int k = 0; k < 3; k++) {
        const double p = -0.5 * (1 + s->e) * normal * n[k] - eta * g[k];
        v[0][k] += p;
        v[1][k] -= p;
        w[0][k] += eta / s->q * turn[k];
        w[1][k] += eta / s->q * turn[k];
    }
    return true;
}

/* T_rot / T_tr; and velocities again without drift and of temperature 1. */
static inline double take_ratio(rough_swarm *s)
{
    const double count = BOLTZMANN_COUNT, ways = s->dimension == 3 ? 3 : 1;
    double drift[3] = {0}, moving = 0, turning = 0;
    for (int i = 0; i < BOLTZMANN_COUNT; i++)
        for (int k = 0; k < 3; k++) drift[k] += s->v[i][k] / count;
    for (int i = 0; i < BOLTZMANN_COUNT; i++)
        for (int k = 0; k < 3; k++) {
            s->v[i][k] -= drift[k];
            moving += s->v[i][k] * s->v[i][k] / (s->dimension * count);
            turning += s->q * s->w[i][k] * s->w[i][k] / (ways * count);
        }
    for (int i = 0; i < BOLTZMANN_COUNT; i++)
        for (int k = 0; k < 3; k++) {
            s->v[i][k] /= sqrt(moving);
            s->w[i][k] /= sqrt(moving);
        }
    return turning / moving;
}

/* The ratio in the cooling state, averaged from 20 to 80 collisions of each particle. */
static inline double boltzmann_ratio(int dimension, double e, double beta, double q)
{
    static rough_swarm s;
    s = (rough_swarm){.dimension = dimension, .e = e, .beta = beta, .q = q, .d = {11}};
    for (int i = 0; i < BOLTZMANN_COUNT; i++) {
        for (int k = 0; k < dimension; k++) s.v[i][k] = dice_real(&s.d, -1.7, 1.7);
        for (int k = dimension == 3 ? 0 : 2; k < 3; k++) s.w[i][k] = dice_real(&s.d, -1.7, 1.7) / sqrt(q);
    }
    take_ratio(&s);
    double sum = 0;
    for (int sample = 0; sample < 320; sample++) {
        for (int n = 0; n < BOLTZMANN_COUNT / 8;) n += collide_any(&s);
        const double ratio = take_ratio(&s);
        if (sample >= 80) sum += ratio / 240;
    }
    return sum;
}

#endif
