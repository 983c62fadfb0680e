/* Elastic spheres: contacts by the laws of Hertz and Mindlin, from the elastic constants of species.
 *
 * The exponent of the layers is 5/2, and each contact has a stiffness of its own: layer l has the potential of layers.h times
 * the *hardness* of the contact, its stiffness over that of the clocks. The first layer is Hertz's law; an overlap above eta
 * activates the second one.
 *
 * Along the surfaces the spring of friction has Mindlin's stiffness for surfaces that do not slip, 8 G* a, a the present
 * radius of contact. It is incremental: while a grows, the force stays and its stretch becomes smaller; while a shrinks, the
 * stretch stays and the force becomes smaller. No cycle of loads thus creates energy (I. Agnolin, J.-N. Roux, Phys. Rev. E 76,
 * 061302 (2007), sec. II B). Partial slip within the area of contact is not represented. */
#ifndef CAROM_VARIATIONAL_HERTZ_H
#define CAROM_VARIATIONAL_HERTZ_H

#include "variational/kernel/features/feature.h"

static const feature hertz_feature;

typedef struct contact_hertz {
    double hardness;
    double shear;     /* 8 G* sqrt(R): times the root of the overlap, the tangential stiffness */
    double stiffness; /* tangential, at the last tick */
} contact_hertz;

struct hertz {
    contact_hertz *contact; /* [contact_capacity] */
    double *damping; /* [laws] of the tangential spring, in units of the critical one; negative: it depends on the
                               coefficient of restitution of the impact */
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

/* The tangential stiffness at an overlap, at a tick; scales the stretch of the spring. */
static double hertz_pull(contact_hertz *h, double overlap, double stretch[DIM]);

/* The dashpot of the tangential spring, in units of the critical damping. */
static double hertz_damping(const world *w, const contact *c);

/* Room for contacts; without memory false. */
static bool hertz_grow(world *w, uint32_t from, uint32_t capacity);

/* Contacts in checkpoints. */
static carom_status hertz_save_contacts(const world *w, uint32_t rank_count, snapshot *out, error *e);
static carom_status hertz_load_contacts(world *w, const snapshot *in, size_t count, const uint32_t *loaded, error *e);

#endif
