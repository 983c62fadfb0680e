/* Elastic constants of spheres, walls and planes: the moduli of their contacts, and the layers that follow from them. */
#ifndef CAROM_VARIATIONAL_MATERIALS_H
#define CAROM_VARIATIONAL_MATERIALS_H

#include "scene/state.h"
#include "variational/settings.h"

/* Of a contact. Normal force of Hertz: 4/3 normal sqrt(R) x^(3/2), x the overlap, 1/R = 1/R1 + 1/R2. Tangential
 * stiffness of Mindlin: 8 shear sqrt(R x). (Johnson, Contact Mechanics, sections 4.2 and 7.2.) */
typedef struct contact_moduli {
    double normal; /* 1/normal = (1 - nu1^2) / E1 + (1 - nu2^2) / E2 */
    double shear;  /* 1/shear = (2 - nu1) / G1 + (2 - nu2) / G2, G = E / (2 (1 + nu)) */
} contact_moduli;

/* Between two species, and of a species with a wall or plane by their law. The species must have elastic constants;
 * walls and planes without them are rigid. */
contact_moduli materials_between(const scene *s, size_t a, size_t b);
contact_moduli materials_at_surface(const scene *s, size_t species, const restitution_law *law);

/* The stiffness k of a contact: half of the second derivative of Hertz's potential at an overlap of 2 eta. */
double materials_stiffness(contact_moduli m, double radius, double eta);

/* The thickness eta in which impacts of this energy (0: not known) stay within the first layer; at most `most`. */
double materials_eta(const scene *s, const initial_state *state, double energy, double most);

/* Frequency of the motion along surfaces that friction holds, over that along the normal: the largest, at least 1.
 * yield: of clumps (scene/state.h). */
double materials_sliding(const scene *s, double yield);

/* The stiffness and mass of the contact with the shortest step, and the ratio of the softest stiffness to it. held:
 * nodes without independent motion; lightest: of bodies (infinite: there are none). */
void materials_choose(variational_choice *c, const scene *s, const initial_state *state, const bool *held,
                      double lightest);

#endif
