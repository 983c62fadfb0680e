/* The motion of a rotating cluster: a rigid body.
 *
 * Its centre of mass moves on a straight line: o and v of its motion. Particle i is at o + v (t - t_k) + E(t) (xi_i -
 * centre), where the rotation E transforms from the axes of the body to those of space. Its angular momentum about the
 * centre of mass is constant between events. In 2D its angular velocity is constant; in 3D it moves as an asymmetric
 * top, by Euler's equations (attitude.c).
 *
 * Particles are homogeneous disks or spheres, so that no moment of inertia of a cluster is 0. */
#ifndef CAROM_AGGREGATION_ROTATING_BODY_H
#define CAROM_AGGREGATION_ROTATING_BODY_H

#include "aggregation/kernel/events/state.h"
#include "aggregation/kernel/rotating/vectors.h"

#if CAROM_ROTATING

typedef struct body {
    double
        attitude[ATTITUDE]; /* at the time of the motion: (cos, sin), or a unit quaternion with the real part first */
    double anchored[ATTITUDE]; /* attitude for which its particles are in the grid */
    double l[TURN];            /* angular momentum about the centre of mass */
    double centre[DIM];        /* centre of mass, in the coordinates of xi */
    double inertia[MOMENTS];   /* about the centre, in the axes of the body: xx, yy, zz, yz, zx, xy */
    double inverse[MOMENTS];
    double reach;        /* upper bound of the distance of its surface from its centre of mass */
    double rate;         /* upper bound of |omega|, until the next event */
    double acceleration; /* times its distance from the centre: upper bound of the acceleration of a particle */
    uint32_t measured;   /* number of particles at the last measurement of its reach */
} body;

/* Position, attitude and velocities of a body at a time. */
typedef struct pose {
    double o[DIM], v[DIM];
    double e[DIM][DIM];
    double w[TURN]; /* angular velocity, in the axes of space */
} pose;

/* Cache of the poses at the present time. */
typedef struct pose_cache {
    double t; /* NAN: empty */
    pose pose;
} pose_cache;

/* ---- attitude.c -------------------------------------------------------------------------------------------------- */

static void attitude_normalise(double attitude[ATTITUDE]);

static void attitude_axes(const double attitude[ATTITUDE], double e[DIM][DIM]);

/* To be called after each change of the state of a body: discards the data derived from the previous state. */
static void attitude_reset(cluster_state *s, uint32_t root);

/* Depends on the stored state and t only, not on previous calls. */
static void attitude_at(const cluster_state *s, uint32_t root, double t, double attitude[ATTITUDE]);

/* |E - E'|, the norm of the difference of two rotations. */
static double attitude_apart(const double a[ATTITUDE], const double b[ATTITUDE]);

static carom_status attitude_create(cluster_state *s, error *e);
static void attitude_destroy(cluster_state *s);

/* ---- inertia.c --------------------------------------------------------------------------------------------------- */

/* Moments of a homogeneous particle about its centre. */
static void inertia_of_particle(double mass, double radius, double m[MOMENTS]);

/* Adds the moments of b, rotated by e, and those of a mass at a distance. */
static void inertia_add(double a[MOMENTS], const double b[MOMENTS], const double e[DIM][DIM], double mass,
                        const double apart[DIM]);

/* Inverts the moments and computes the bounds of the motion from the angular momentum. */
static void inertia_update(body *b, const double attitude[ATTITUDE]);

/* Angular velocity for an angular momentum, or its rate for a torque, in the axes of space. */
static void inertia_angular_velocity(const body *b, const double e[DIM][DIM], const double l[TURN], double w[TURN]);

/* ---- body.c ------------------------------------------------------------------------------------------------------ */

static pose pose_at(const cluster_state *s, uint32_t root, double t);

/* Position and velocity of particle i for a pose of its body. */
static void pose_particle(const cluster_state *s, const pose *p, uint32_t i, double r[DIM], double u[DIM]);

/* Vector from the centre of mass to a particle. */
static double body_distance(const cluster_state *s, uint32_t i);

static double body_energy(const cluster_state *s, uint32_t root);

/* Whether a cluster may rotate: one that is too large for a periodic box would touch its own image. */
static bool body_turns(const cluster_state *s, uint32_t root);

/* The inverse effective mass: the change of the velocity along `normal` at r from the centre of mass, at present, by a
 * unit impulse at r along `normal`. */
static double body_inverse_mass(const cluster_state *s, uint32_t root, const pose *p, const double r[DIM],
                                const double normal[DIM]);

/* Wraps the centre of mass into the box. */
static void bring_inside(cluster_state *s, uint32_t root);

static void body_apply_impulse(cluster_state *s, uint32_t root, const double r[DIM], const double impulse[DIM]);

/* ---- advancement.c: complete search for contacts
 * ------------------------------------------------------------------ */

/* A gap and its rate of change. */
typedef struct gap_state {
    double gap, rate;
} gap_state;

/* A gap with a closing speed of at most `speed`, and a rate that decreases by at most `acceleration` per time. */
typedef struct advancement {
    const cluster_state *cluster_state;
    uint32_t i, j;
    double image[DIM]; /* of j, added to i - j */
    int face;
    double contact, speed, acceleration;
    double near, noise, quantum; /* hunt_prepare */
    gap_state (*gap_at)(const struct advancement *h, double t);
} advancement;

/* Sets near: a gap of at most this size that closes is a contact. `length` is the contact distance. */
static void advancement_prepare(advancement *h, double length);

/* The time of the first contact: `start` (the time of the stored states), or a multiple of the grain that is at least
 * `from`. A time later than `until` is only a lower bound. */
static double advancement_contact(const advancement *h, double start, double from, double until);

/* A duration without contact. */
static double advancement_safe(const advancement *h, gap_state now);

/* The gap at one time. */
static bool advancement_touches(const advancement *h, double t);

#endif
#endif
