/* Rotation of balls (variational.rotation): angular velocities, which impulses at surfaces change. Balls have one moment of
 * inertia: between impulses the angular velocity is constant, and flights do not depend on it. */
#ifndef CAROM_VARIATIONAL_SPINS_H
#define CAROM_VARIATIONAL_SPINS_H

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/features/feature.h"
#include "variational/kernel/narrow/element_kinds.h"

static const feature spins_feature;

/* Those of a node that is driven, rigid or a vertex stay 0. One cache line. */
typedef struct spinner {
    double spin[3]; /* angular velocity; 2D: the third */
    double turn[3]; /* its integral over time, at time t */
    double t;       /* of the last change of the spin */
    double inverse_inertia;
} __attribute__((aligned(64))) spinner;

/* The rotation of the sides of a contact with friction, on the present impact: response/rolling.c. */
typedef struct contact_spin {
    double place[DIM]; /* vector across the contact at the last tick */
    double bend[3];    /* rotation of i with respect to j that the springs hold */
    double torque[3];  /* impulse of the present tick on i; its opposite acts on j */
    double stored[2];  /* energy of the springs: of rolling, of twisting */
    union {
        double turn[2][3]; /* `turn` of both sides at the last tick */
        double left[3];    /* linked contacts: rate of the rotation of i with respect to j after the last kicks */
    };
} contact_spin;

struct spins {
    spinner *node;         /* [count] */
    contact_spin *contact; /* [contact_capacity] */
    bool resists;          /* some contacts resist rolling or twisting */
};

/* Prefetches the rotations of a contact with friction and of its sides. */
static inline void spins_prefetch(const world *w, uint32_t index, uint32_t i, uint32_t j)
{
    if (w->spins == NULL) return;
    const char *at = (const char *)&w->spins->contact[index];
    for (size_t k = 0; k < sizeof(contact_spin); k += 64) __builtin_prefetch(at + k);
    if (i < w->count) __builtin_prefetch(&w->spins->node[i]);
    if (j < w->count) __builtin_prefetch(&w->spins->node[j]);
}

/* An impulse of a torque on a ball, at time t. */
HOT void ball_spin_up(spinner *a, const double torque[3], double t)
{
    const double dt = t - a->t;
    if (a->inverse_inertia == 0) return;
    for (int k = 0; k < 3 && dt > 0; k++) a->turn[k] += dt * a->spin[k];
    for (int k = 0; k < 3; k++) a->spin[k] += a->inverse_inertia * torque[k];
    a->t = t;
}

/* The same on node i, or on its body. */
static inline void spin_up(world *w, uint32_t i, const double torque[3], double t)
{
    if (is_rigid(w, i))
        body_twist(w, i, torque, t);
    else
        ball_spin_up(&w->spins->node[i], torque, t);
}

/* A drive begins to hold node i: its rotation ends. Returns its energy. */
static double spin_hold(world *w, uint32_t i, double t);

/* The angular velocity of an element, of a ball or of the body of a rigid node, and the inverse of its moment of inertia
 * about an axis; otherwise 0. */
static inline void spin_of_element(const world *w, uint32_t element, double spin[3])
{
    if (element >= w->count)
        memset(spin, 0, 3 * sizeof *spin);
    else if (is_rigid(w, element))
        body_spin(w, element, spin);
    else
        memcpy(spin, w->spins->node[element].spin, 3 * sizeof *spin);
}
static inline double inverse_inertia_of(const world *w, uint32_t element, const double axis[3]);

/* Room for contacts; without memory false. */
static bool spins_grow(world *w, uint32_t from, uint32_t capacity);

static void spins_fill_node(const world *w, uint32_t i, carom_frame *f);

/* The rotations of contacts in checkpoints. */
static carom_status spins_save_contacts(const world *w, uint32_t rank_count, snapshot *out, error *e);
static carom_status spins_load_contacts(world *w, const snapshot *in, size_t count, const uint32_t *loaded, error *e);

#endif
