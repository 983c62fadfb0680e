/* Elements: creation, names, and the distances between them. */
#ifndef CAROM_VARIATIONAL_ELEMENTS_H
#define CAROM_VARIATIONAL_ELEMENTS_H

#include "variational/kernel/narrow/element_kinds.h"

/* The number of elements. Precedes the creation of the arrays of elements. */
static carom_status elements_count(world *w, const initial_state *state, error *e);

/* Reads rods and faces. */
static carom_status elements_create(world *w, error *e);
static void elements_destroy(world *w);

/* Stops the run if a rod is so long that its images in the periodic box are ambiguous. room: for the elements in
 * contact with it. */
static carom_status check_stretch(const world *w, uint32_t element, double t, double room, error *e);

/* Position and velocity of a node, free or of a rigid body. */
static void node_place(const world *w, uint32_t i, double t, double x[DIM]);
static void node_velocity(const world *w, uint32_t i, double t, double v[DIM]);

/* A bound of a node's acceleration beside that of gravity. */
static double node_acceleration(const world *w, uint32_t i);

/* Whether contact of two elements is excluded: other pairs represent it, they share a node or a rigid body, both are
 * driven, or one is absent. */
static bool never_touch(const world *w, uint32_t i, uint32_t partner);

/* Whether an element is not in the system at present. */
static bool is_absent(const world *w, uint32_t element);

/* The vector from the closest point of `partner` to that of i, and the shares of their ends in these points. Both
 * follow their flights, or their nominal motions. */
static void closest(const world *w, uint32_t i, uint32_t partner, double t, bool by_nominal, double r[DIM],
                    double share[2][3]);

/* The gap between the cores of node i and `partner`. */
static double gap_at(const world *w, uint32_t i, uint32_t partner, double t);

/* The same for elements with the m ends x and the n ends y: unwrapped, and in the intended images. */
static void closest_of_ends(double x[3][DIM], int m, double y[3][DIM], int n, double r[DIM], double share[2][3]);

/* Moves the ends of each element into one image, and y to the image nearest to x. */
static void join_ends(const world *w, double x[3][DIM], int m, double y[3][DIM], int n);

/* The name of an element, wall or plane in messages. */
enum { ELEMENT_NAME = 200 };
static void element_name(const world *w, uint32_t element, char out[ELEMENT_NAME]);

#endif
