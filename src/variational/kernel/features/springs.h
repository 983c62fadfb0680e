/* Springs and hinges: potentials between named nodes. */
#ifndef CAROM_VARIATIONAL_SPRINGS_H
#define CAROM_VARIATIONAL_SPRINGS_H

#include "variational/kernel/features/feature.h"

static const feature springs_feature;

/* The error of a run with a spring or hinge longer than LINK_REACH. */
static carom_status springs_stretched(const world *w, double t, error *e);

/* From j to i. False: another image is almost as near. Then the two are stored in `stretched`. */
static bool link_vector(world *w, uint32_t i, uint32_t j, double t, double r[DIM]);
static void spring_vector(const world *w, uint32_t i, uint32_t j, double t, double r[DIM]);

/* Reports that element k of the list of this key connects nodes that are too far apart. */
static carom_status refuse_long(const world *w, const char *key, size_t k, uint32_t i, uint32_t j, error *e);

/* The setting `courant` of springs and shells, and their longest automatic step. */
static double material_courant(const world *w);
static double longest_material_step(const world *w);

/* The bound of stability of springs and hinges: infinite without a force on a free node; NaN without memory. And the
 * step that follows from it. */
static double springs_bound(const world *w);
static double springs_step(const world *w, double bound);

/* Adds the stiffness at each node to pull[count]. No squared frequency is above twice that, over the node's mass
 * (Gershgorin). A hinge contributes hinge_pull, its stiffness over the square of its shorter arm: twice at its ends,
 * and four times at its middle. */
static void springs_pull(const world *w, double *pull);
static double hinge_pull(const world *w, const hinge *q);

static step_rates spring_rates(const world *w, const spring *q);
static step_rates hinge_rates(const world *w, const hinge *q);
#endif
