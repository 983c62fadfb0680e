/* Thickness, stiffness and step, as far as the scene does not set them. */
#ifndef CAROM_VARIATIONAL_CHOOSE_H
#define CAROM_VARIATIONAL_CHOOSE_H

#include "scene/state.h"
#include "variational/settings.h"

/* Values of the scene have priority. Refuses invalid ones with their bound: eta without a core left, a step beyond
 * stability. */
carom_status choose(variational_choice *c, const scene *s, const initial_state *state, error *e);

/* The smallest effective mass at a particle of a solid. */
double solid_lightest(const state_body *b, const initial_state *state);

/* The stiffness, and the rule that has chosen it: "1e+04, given". */
void choice_source(const variational_choice *c, const scene *s, const initial_state *state, char *out, size_t size);

#endif
