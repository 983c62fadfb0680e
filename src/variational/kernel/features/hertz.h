/* Elastic spheres: contacts by the laws of Hertz and Mindlin, from the elastic constants of species.
 *
 * The exponent of the layers is 5/2, and each contact has a stiffness of its own: layer l has the potential of layers.h times
 * the *hardness* of the contact, its stiffness over that of the clocks. The first layer is Hertz's law; an overlap above eta
 * activates the second one.
 *
 * Along the surfaces the area of contact sticks inside, and slips outside, as by Mindlin and Deresiewicz. The method of
 * dimensionality reduction (V. L. Popov, M. Hess, Method of Dimensionality Reduction in Contact Mechanics and Friction (2015);
 * E. Willert, V. L. Popov, Z. Angew. Math. Mech. 96, 1087 (2016)) gives their solution: independent springs along a line
 * through the area, each with its share of the normal force and its own Coulomb friction. A spring at x from the middle has
 * contact at overlaps above x^2 / R. Here cells of such springs share one stretch. While a cell grows, its force stays, as the
 * new part is not stretched; while it shrinks, its stretch stays. No cell can create energy. */
#ifndef CAROM_VARIATIONAL_HERTZ_H
#define CAROM_VARIATIONAL_HERTZ_H

#include "variational/kernel/features/feature.h"

static const feature hertz_feature;

typedef struct contact_hertz {
    double hardness;
    double shear;                     /* 8 G* sqrt(R): times the root of the overlap, the tangential stiffness */
    double radius;                    /* of the area of contact at the last tick, in units of sqrt(R eta) */
    double place[DIM];                /* of the pair, at the last tick */
    double stretch[HERTZ_CELLS][DIM]; /* of the springs of each cell */
} contact_hertz;

struct hertz {
    contact_hertz *contact; /* [contact_capacity] */
    double *damping;        /* [laws] beside the springs, in units of the critical one; negative: it depends on the
                               coefficient of restitution of the impact */
    double edge[HERTZ_CELLS + 1]; /* of the cells, in units of sqrt(R eta); the last is infinite */
};

/* Kernels without the feature contain no code for it. */
enum { HERTZ = DIM == 3 && !OWN_CLOCKS };

/* Of a contact of elastic spheres; otherwise NULL. */
static inline contact_hertz *hertz_of(const world *w, uint32_t index)
{
    return HERTZ && w->hertz != NULL ? &w->hertz->contact[index] : NULL;
}

/* The stiffness of the layers of a contact. */
static inline double layers_stiffness(const world *w, uint32_t index)
{
    const contact_hertz *h = hertz_of(w, index);
    return h != NULL ? w->choice.stiffness * h->hardness : w->choice.stiffness;
}

/* A contact begins. */
static void hertz_begin(world *w, uint32_t index);

/* The springs at a tick of the first layer: the force on i, at most `cap`, for a pair at this place (`begins`: at its first
 * tick). Returns their stiffness as long as all stick. */
static double hertz_pull(const world *w, contact_hertz *h, bool begins, const double place[DIM],
                         const double normal[DIM], double overlap, double cap, double force[DIM], double *stored);

/* The dashpot beside the springs, in units of the critical damping. */
static double hertz_damping(const world *w, const contact *c);

/* Room for contacts; without memory false. */
static bool hertz_grow(world *w, uint32_t from, uint32_t capacity);

/* Contacts in checkpoints. */
static carom_status hertz_save_contacts(const world *w, uint32_t rank_count, snapshot *out, error *e);
static carom_status hertz_load_contacts(world *w, const snapshot *in, size_t count, const uint32_t *loaded, error *e);

#endif
