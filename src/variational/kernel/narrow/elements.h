/* What touches: nodes, rods between two of them, and faces between three. Elements are numbered: nodes, then rods (the
 * scene's segments, then edges of meshes), then faces; surfaces lie from NODES on. A contact in element there is a rod or
 * a face, or a node of a rigid body, is *linked*: what pushes it pushes several.
 *
 * Meshes meet vertex to face and edge to edge, element is all that it takes: none of the other pairs can be closest where
 * these are not as close. For the same reason balls meet faces only, whose closest points may lie on edges and corners;
 * segments of the scene meet edges, and with their ends faces; and surfaces meet vertices. */
#ifndef CAROM_VARIATIONAL_ELEMENTS_H
#define CAROM_VARIATIONAL_ELEMENTS_H

#include "variational/kernel/narrow/separation.h"
#include "variational/kernel/response/contacts.h"

/* How many elements there are: before the arrays of elements are made. */
static carom_status elements_count(world *w, const initial_state *state, error *e);

/* Reads rods and faces. */
static carom_status elements_create(world *w, error *e);
static void elements_destroy(world *w);

/* A rod or a face. */
static inline bool is_part(const world *w, uint32_t element)
{
    return element >= w->count && element < NODES;
}

static inline bool is_rod(const world *w, uint32_t element)
{
    return element >= w->count && element < w->faces_from;
}

static inline bool is_face(const world *w, uint32_t element)
{
    return element >= w->faces_from && element < NODES;
}

static inline bool is_vertex(const world *w, uint32_t element)
{
    return w->mesh_of != NULL && element < w->count && w->mesh_of[element] != NONE;
}

/* A vertex, edge or face of a mesh. */
static inline bool is_of_mesh(const world *w, uint32_t element)
{
    return element < w->count ? is_vertex(w, element) : element >= w->edges_from && element < NODES;
}

/* The nodes between element an element lies: how many. */
static inline int ends_of(const world *w, uint32_t element, uint32_t ends[3])
{
    if (element < w->count) {
        ends[0] = element;
        return 1;
    }
    if (element < w->faces_from) {
        ends[0] = w->rod[element - w->count].a;
        ends[1] = w->rod[element - w->count].b;
        return 2;
    }
    memcpy(ends, w->face[element - w->faces_from].corner, 3 * sizeof *ends);
    return 3;
}

/* How many rods and faces end at node i. */
static inline uint32_t parts_at(const world *w, uint32_t i)
{
    return w->first_part != NULL ? w->first_part[i + 1] - w->first_part[i] : 0;
}

static inline bool is_rigid(const world *w, uint32_t element)
{
    return w->bodies != NULL && element < w->count && w->node[element].w < 0;
}

static inline bool is_linked(const world *w, uint32_t i, uint32_t partner)
{
    return is_part(w, i) || is_part(w, partner) || is_rigid(w, i) || is_rigid(w, partner);
}

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

/* From the closest point of `partner` to that of i, and the shares that their ends have in these. Both by their flights, or
 * by their nominal motions. */
static void closest(const world *w, uint32_t i, uint32_t partner, double t, bool by_nominal, double r[DIM],
                    double share[2][3]);

/* Of the m ends of one element, x, and the n of another, y: unwrapped, and of the images wanted. */
static void closest_of_ends(double x[3][DIM], int m, double y[3][DIM], int n, double r[DIM], double share[2][3]);

/* Brings ends together that are images of each other's neighbours, and y to the image nearest to x. */
static void join_ends(const world *w, double x[3][DIM], int m, double y[3][DIM], int n);

/* How two elements lie to each other, as a bound; by_nominal: slack is set to their tolerances. */
static separation separation_of_elements(const world *w, uint32_t i, uint32_t partner, double t, bool by_nominal,
                                         double *slack);

/* What messages call an element, or a wall or plane. */
enum { ELEMENT_NAME = 200 };
static void element_name(const world *w, uint32_t element, char out[ELEMENT_NAME]);

/* Velocity of i with respect to j where they touch. */
static void contact_velocity(const world *w, const contact *c, double t, double v[DIM]);

/* Reduced mass of a contact along a unit vector. */
static double contact_mass(const world *w, const contact *c, const double along[DIM], double t);

#endif
