/* The motion of a cluster that turns: a rigid body.
 *
 * Its centre of mass moves on a straight line: o and v of its motion. Particle i is at o + v (t - t_k) + E(t) (xi_i -
 * centre), where the rotation E takes the body's axes to those of space. Its angular momentum about the centre of mass
 * is constant between events. In 2D it turns at a constant rate; in 3D as an asymmetric top, by Euler's equations
 * (attitude.c).
 *
 * Particles are solid: homogeneous disks or spheres, so that no moment of inertia of a cluster is 0. */
#ifndef CAROM_AGGREGATION_ROTATING_BODY_H
#define CAROM_AGGREGATION_ROTATING_BODY_H

#include "aggregation/kernel/events/state.h"
#include "aggregation/kernel/rotating/vectors.h"

#if CAROM_ROTATING

typedef struct body {
    double attitude[ATTITUDE]; /* at the motion's time: (cos, sin), or a unit quaternion, its real part first */
    double anchored[ATTITUDE]; /* the one at which its particles lie in the grid */
    double l[TURN];            /* angular momentum about the centre of mass */
    double centre[DIM];        /* of mass: a point of the body, as its particles' xi are */
    double inertia[MOMENTS];   /* about it, along the body's axes: xx, yy, zz, yz, zx, xy */
    double inverse[MOMENTS];
    double reach;        /* nothing of it is further from its centre of mass */
    double rate;         /* no smaller than |omega|, until the next event */
    double acceleration; /* a particle's acceleration is no larger than that times its distance from the centre */
    uint32_t measured;   /* how many particles it had when its reach was last measured */
} body;

/* Where a body is at a time, and how it moves. */
typedef struct pose {
    double o[DIM], v[DIM];
    double e[DIM][DIM];
    double w[TURN]; /* angular velocity, along the axes of space */
} pose;

/* Poses at the present time are needed again and again. */
typedef struct pose_cache {
    double t; /* NAN: none */
    pose pose;
} pose_cache;

/* ---- attitude.c -------------------------------------------------------------------------------------------------- */

static void attitude_normalise(double attitude[ATTITUDE]);

static void attitude_axes(const double attitude[ATTITUDE], double e[DIM][DIM]);

/* To be called whenever a body's state has been set: discards what was derived from the state before. */
static void attitude_reset(cluster_state *s, uint32_t root);

/* A function of the stored state and t alone, independent of the calls before. */
static void attitude_at(const cluster_state *s, uint32_t root, double t, double attitude[ATTITUDE]);

/* |E - E'|, the largest stretch of the difference of two rotations. */
static double attitude_apart(const double a[ATTITUDE], const double b[ATTITUDE]);

static carom_status attitude_create(cluster_state *s, error *e);
static void attitude_destroy(cluster_state *s);

/* ---- inertia.c --------------------------------------------------------------------------------------------------- */

/* Of a particle about its centre, solid. */
static void inertia_of_particle(double mass, double radius, double m[MOMENTS]);

/* Adds b's moments, turned by e, and those of a mass at a distance. */
static void inertia_add(double a[MOMENTS], const double b[MOMENTS], const double e[DIM][DIM], double mass,
                        const double apart[DIM]);

/* Inverts the moments and bounds the motion that the angular momentum allows. */
static void inertia_update(body *b, const double attitude[ATTITUDE]);

/* Of angular momentum or torque, along the axes of space, to angular velocity. */
static void inertia_angular_velocity(const body *b, const double e[DIM][DIM], const double l[TURN], double w[TURN]);

/* ---- body.c ------------------------------------------------------------------------------------------------------ */

static pose pose_at(const cluster_state *s, uint32_t root, double t);

/* Where particle i is in that pose of its body, and its velocity. */
static void pose_particle(const cluster_state *s, const pose *p, uint32_t i, double r[DIM], double u[DIM]);

/* From the centre of mass. */
static double body_distance(const cluster_state *s, uint32_t i);

static double body_energy(const cluster_state *s, uint32_t root);

/* Whether it may turn: one too large for a periodic box would meet its own image. */
static bool body_turns(const cluster_state *s, uint32_t root);

/* The inverse effective mass: the change of the velocity along `normal` at r from the centre of mass, now, by a unit
 * impulse there along `normal`. */
static double body_inverse_mass(const cluster_state *s, uint32_t root, const pose *p, const double r[DIM],
                                const double normal[DIM]);

/* Puts the centre of mass back into the box. */
static void bring_inside(cluster_state *s, uint32_t root);

static void body_apply_impulse(cluster_state *s, uint32_t root, const double r[DIM], const double impulse[DIM]);

/* ---- advancement.c: contacts, none missed ------------------------------------------------------------------------- */

/* A gap and its rate of change. */
typedef struct gap_state {
    double gap, rate;
} gap_state;

/* A gap that closes no faster than `speed`, and whose rate falls no faster than `acceleration`. */
typedef struct advancement {
    const cluster_state *cluster_state;
    uint32_t i, j;
    double image[DIM]; /* of j, added to i - j */
    int face;
    double contact, speed, acceleration;
    double near, noise, quantum; /* hunt_prepare */
    gap_state (*gap_at)(const struct advancement *h, double t);
} advancement;

/* Sets near: a gap no larger that closes is a contact. `length` is of the contact. */
static void advancement_prepare(advancement *h, double length);

/* When is the first contact, at `start` (the time of the stored states), or at a multiple of the grain that is no
 * earlier than `from`? A time later than `until`: not before that. */
static double advancement_contact(const advancement *h, double start, double from, double until);

/* For how long there can be no contact. */
static double advancement_safe(const advancement *h, gap_state now);

/* At one time. */
static bool advancement_touches(const advancement *h, double t);

#endif
#endif
