/* What touches: nodes, and rods between two of them. Elements are numbered: nodes, then rods; surfaces lie from NODES on. A contact
 * in which there is a rod, or a node of a rigid body, is *linked*: what pushes it pushes several. */
#ifndef CAROM_VARIATIONAL_ELEMENTS_H
#define CAROM_VARIATIONAL_ELEMENTS_H

#include "variational/kernel/contacts.h"
#include "variational/kernel/fire.h"
#include "variational/kernel/sight.h"

/* Reads the rods of the scene; w->rod_count is set before, and the arrays of elements have room for them. */
carom_status elements_create(world *w, error *e);
void elements_destroy(world *w);

static inline bool is_rod(const world *w, uint32_t who)
{
    return who >= w->count && who < NODES;
}

/* How many rods end at node i. */
static inline uint32_t rods_at(const world *w, uint32_t i)
{
    return w->rod_count > 0 ? w->first_rod[i + 1] - w->first_rod[i] : 0;
}

static inline bool is_vertex(const world *w, uint32_t who)
{
    return w->mesh_of != NULL && who < w->count && w->mesh_of[who] != NOBODY;
}

static inline bool is_rigid(const world *w, uint32_t who)
{
    return who < w->count && w->node[who].w < 0;
}

static inline bool is_linked(const world *w, uint32_t i, uint32_t who)
{
    return is_rod(w, i) || is_rod(w, who) || is_rigid(w, i) || is_rigid(w, who);
}

/* Refuses to go on with a rod so long that the periodic box's images of it cannot be told apart; room: for what touches it. */
carom_status check_stretch(const world *w, uint32_t who, double t, double room, error *e);

/* Place and velocity of a node, free or of a rigid body. */
void node_place(const world *w, uint32_t i, double t, double x[DIM]);
void node_velocity(const world *w, uint32_t i, double t, double v[DIM]);

/* How far a node's path may bend: a bound of its acceleration beside gravity's. */
double node_bend(const world *w, uint32_t i);

/* Whether two elements never touch: they share a node, a rigid body, or are both driven. */
bool never_touch(const world *w, uint32_t i, uint32_t who);

/* From the closest point of `who` to that of i, and where on the rods these are: 0 at the first end, 1 at the second. Both by their
 * flights, or by their nominal motions. */
void closest(const world *w, uint32_t i, uint32_t who, double t, bool by_nominal, double r[DIM], double along[2]);

/* Of two segments a + s d and b + u f, 0 <= s, u <= 1; d and f may be nothing. */
void closest_of_rods(const double a[DIM], const double d[DIM], const double b[DIM], const double f[DIM], double r[DIM],
                     double along[2]);

/* How two elements lie to each other, as a bound; by_nominal: slack is set to their tolerances. */
sight sight_of_elements(const world *w, uint32_t i, uint32_t who, double t, bool by_nominal, double *slack);

/* One layer of a linked contact. It adds its kicks itself. */
pressed press_linked(world *w, const clock *c, touch *p, double t);

/* The impulse on i of any contact, and its opposite on j, as kicks. r: from j to i. */
bool kick_contact(world *w, const contact *c, const double impulse[DIM], const double r[DIM]);

/* Velocity of i with respect to j where they touch. */
void contact_velocity(const world *w, const contact *c, double t, double v[DIM]);

/* Reduced mass of a contact along a unit vector. */
double contact_mass(const world *w, const contact *c, const double along[DIM], double t);

#endif
