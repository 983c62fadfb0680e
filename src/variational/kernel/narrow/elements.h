/* Elements: making, naming, and the distances between them. */
#ifndef CAROM_VARIATIONAL_ELEMENTS_H
#define CAROM_VARIATIONAL_ELEMENTS_H

#include "variational/kernel/narrow/element_kinds.h"

/* How many elements there are: before the arrays of elements are made. */
static carom_status elements_count(world *w, const initial_state *state, error *e);

/* Reads rods and faces. */
static carom_status elements_create(world *w, error *e);
static void elements_destroy(world *w);

/* Refuses to go on with a rod so long that the periodic box's images of it cannot be told apart; room: for what
 * touches it. */
static carom_status check_stretch(const world *w, uint32_t element, double t, double room, error *e);

/* Place and velocity of a node, free or of a rigid body. */
static void node_place(const world *w, uint32_t i, double t, double x[DIM]);
static void node_velocity(const world *w, uint32_t i, double t, double v[DIM]);

/* How far a node's path may bend: a bound of its acceleration beside gravity's. */
static double node_acceleration(const world *w, uint32_t i);

/* Whether two elements never touch: others do it for them, they share a node, a rigid body, or are both driven. */
static bool never_touch(const world *w, uint32_t i, uint32_t partner);

/* From the closest point of `partner` to that of i, and the shares that their ends have in these. Both by their
 * flights, or by their nominal motions. */
static void closest(const world *w, uint32_t i, uint32_t partner, double t, bool by_nominal, double r[DIM],
                    double share[2][3]);

/* The gap between the cores of node i and `partner`. */
static double gap_at(const world *w, uint32_t i, uint32_t partner, double t);

/* Of the m ends of one element, x, and the n of another, y: unwrapped, and of the images wanted. */
static void closest_of_ends(double x[3][DIM], int m, double y[3][DIM], int n, double r[DIM], double share[2][3]);

/* Brings ends together that are images of each other's neighbours, and y to the image nearest to x. */
static void join_ends(const world *w, double x[3][DIM], int m, double y[3][DIM], int n);

/* What messages call an element, or a wall or plane. */
enum { ELEMENT_NAME = 200 };
static void element_name(const world *w, uint32_t element, char out[ELEMENT_NAME]);

#endif
