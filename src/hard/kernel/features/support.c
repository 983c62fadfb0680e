/* Whether supports can carry the weight of a body: whether forces exist that balance gravity.
 *
 * Smooth supports press: sum lambda n = -g with lambda >= 0, n the normals towards the body. Rough ones also exert forces
 * tau along their surfaces, |tau| <= mu lambda, whose torques on the sphere cancel: sum (lambda n + tau) = -g and
 * sum n x tau = 0. A sphere on one inclined surface rolls, whatever the friction; one in a groove, or on several others, may
 * rest by friction. */
#include "hard/kernel/features/support.h"

static void add_support(supports *s, uint32_t id, const real normal[DIM], real length, double friction)
{
    int at = s->count;
    while (at > 0 && s->id[at - 1] > id) at--;
    if (at == MOST_SUPPORTS) return;
    int last = s->count < MOST_SUPPORTS ? s->count++ : MOST_SUPPORTS - 1;
    for (int k = last; k > at; k--) {
        s->id[k] = s->id[k - 1];
        s->friction[k] = s->friction[k - 1];
        for (int a = 0; a < DIM; a++) s->normal[k][a] = s->normal[k - 1][a];
    }
    s->id[at] = id;
    s->friction[at] = friction;
    for (int a = 0; a < DIM; a++) s->normal[at][a] = (double)(normal[a] / length);
}

static double support_friction(const restitution_law *law)
{
    if (!restitution_is_rough(law)) return 0;
    return law->friction_given ? law->friction : INFINITY;
}

/* Non-negative least squares by coordinate descent. */
static bool carried_by_pressure(const gas *g, const supports *s)
{
    double left[DIM], lambda[MOST_SUPPORTS] = {0}, pull = 0;
    for (int a = 0; a < DIM; a++) {
        left[a] = (double)g->gravity[a];
        pull += left[a] * left[a];
    }
    for (int sweep = 0; sweep < SUPPORT_SWEEPS; sweep++) {
        for (int k = 0; k < s->count; k++) {
            double step = 0;
            for (int a = 0; a < DIM; a++) step -= left[a] * s->normal[k][a];
            if (lambda[k] + step < 0) step = -lambda[k];
            lambda[k] += step;
            for (int a = 0; a < DIM; a++) left[a] += step * s->normal[k][a];
        }
    }
    double rest = 0;
    for (int a = 0; a < DIM; a++) rest += left[a] * left[a];
    return rest <= SUPPORT_ERROR * SUPPORT_ERROR * pull;
}

/* ---- with friction ----------------------------------------------------------------------------------------------- */

/* The force of a support: lambda, and sqrt(2) tau. In these coordinates the sum of squares of the forces and torques of
 * one support is that of the coordinates, so that the nearest point of its cone is the best force. */
typedef struct grip {
    double normal[3], steepness; /* sqrt(2) mu */
    double press, along[3];
} grip;

/* What is not balanced; the torque in units of the radius. */
typedef struct imbalance {
    double force[3], torque[3];
} imbalance;

static void cross_of(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double product_of(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The nearest point of the cone |along| <= steepness * press. */
static void project_on_cone(double steepness, double *press, double along[3])
{
    const double size = sqrt(product_of(along, along));
    double nearest = *press;
    if (size <= steepness * *press) return;
    if (isinf(steepness))
        nearest = fmax(*press, 0);
    else if (steepness * size <= -*press)
        nearest = 0;
    else
        nearest = (*press + steepness * size) / (1 + steepness * steepness);
    for (int k = 0; k < 3 && !isinf(steepness); k++) along[k] *= size > 0 ? steepness * nearest / size : 0;
    *press = nearest;
}

/* Chooses the force of one support that leaves the smallest imbalance. */
static void grip_best(grip *s, imbalance *left)
{
    double turn[3], along[3], step[3], across = product_of(left->force, s->normal), press = s->press - across;
    cross_of(left->torque, s->normal, turn);
    for (int k = 0; k < 3; k++) along[k] = s->along[k] - sqrt(0.5) * (left->force[k] - across * s->normal[k] + turn[k]);
    project_on_cone(s->steepness, &press, along);
    for (int k = 0; k < 3; k++) {
        step[k] = sqrt(0.5) * (along[k] - s->along[k]);
        left->force[k] += (press - s->press) * s->normal[k] + step[k];
        s->along[k] = along[k];
    }
    cross_of(s->normal, step, turn);
    for (int k = 0; k < 3; k++) left->torque[k] += turn[k];
    s->press = press;
}

/* Least squares over the cones, one support after the other. The imbalance never increases, and the sweeps end when it is
 * small enough, or decreases too slowly for that. */
static bool carried_by_friction(const gas *g, const supports *s)
{
    grip grips[MOST_SUPPORTS] = {{.press = 0}};
    imbalance left = {.force = {0}};
    for (int a = 0; a < DIM; a++) left.force[a] = (double)g->gravity[a];
    for (int k = 0; k < s->count; k++) {
        for (int a = 0; a < DIM; a++) grips[k].normal[a] = s->normal[k][a];
        grips[k].steepness = sqrt(2) * s->friction[k];
    }
    const double most = SUPPORT_ERROR * SUPPORT_ERROR * product_of(left.force, left.force);
    double rest = INFINITY;
    for (int sweep = 0; sweep < FRICTION_SWEEPS; sweep++) {
        const double before = rest;
        for (int k = 0; k < s->count; k++) grip_best(&grips[k], &left);
        rest = product_of(left.force, left.force) + product_of(left.torque, left.torque);
        if (rest <= most) return true;
        if ((before - rest) * (FRICTION_SWEEPS - sweep) < rest - most) return false;
    }
    return false;
}

static bool carried(const gas *g, const supports *s)
{
    return carried_by_pressure(g, s) || (g->rotation != NULL && carried_by_friction(g, s));
}
