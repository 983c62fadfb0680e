/* The features of the kernel, one entry each. A new feature needs its own file, entries here, and an include in
 * kernel.c. */
#ifndef CAROM_VARIATIONAL_FEATURE_LIST_H
#define CAROM_VARIATIONAL_FEATURE_LIST_H

/* clang-format off */
/* In the order in which they are made: NAME_feature. */
#define VARIATIONAL_FEATURES(each) \
    each(gravity) \
    each(drives) \
    each(presence) \
    each(bodies) \
    each(reserve) \
    each(spins) \
    each(springs) \
    each(shells) \
    each(elastic_rods) \
    each(vertex_loads) \
    each(potentials) \
    each(restitution) \
    each(friction) \
    each(hertz)

/* Clocks, in the order in which those that are due at one time fire, before the layers: CLOCK_KIND of NAME_feature. */
#define VARIATIONAL_CLOCKS(each) \
    each(GRAVITY, gravity) \
    each(BODIES, bodies) \
    each(SPRINGS, springs) \
    each(SHELLS, shells) \
    each(USER, potentials) \
    each(RODS, elastic_rods)
/* clang-format on */

#endif
