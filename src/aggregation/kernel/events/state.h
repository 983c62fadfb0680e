/* The state of ballistic aggregation by events, and the free motion of a cluster.
 *
 * A cluster moves as a whole: particle i of cluster k is at o_k + v_k (t - t_k) + xi_i, where o_k is the origin of the
 * cluster at its last event, at t_k. A cluster is identified by its root, the index of one of its particles. */
#ifndef CAROM_AGGREGATION_EVENTS_STATE_H
#define CAROM_AGGREGATION_EVENTS_STATE_H

#include "aggregation/kernel.h"
#include "aggregation/kernel/events/constants.h"
#include "aggregation/kernel/history.h"
#include "aggregation/settings.h"
#include "base/nearest.h"

#include <math.h>

enum { DIM = CAROM_DIM, NONE = UINT32_MAX };

/* Half a cache line, or a little more: all data for the check of a possible neighbour. */
typedef struct particle {
    double xi[DIM]; /* relative to the origin of its cluster */
    uint32_t root;  /* of its cluster */
    uint32_t kind;
    uint32_t place; /* its cell in the grid, and the flags below */
    uint32_t next;  /* next particle in that cell */
} particle;

/* place: PLACE_EDGE: the cell is at the end of the grid; PLACE_ACTIVE: the particle is in the list of particles with
 * neighbours of its cluster; the remaining bits: the cell. */
#define PLACE_EDGE 0x80000000u
#define PLACE_ACTIVE 0x40000000u
#define PLACE_CELL 0x3fffffffu

/* Free motion of a cluster: one cache line. */
typedef struct motion {
    double o[DIM], v[DIM], t;
    double slack; /* largest change of v for which the plans of its particles remain valid: plan.c */
} __attribute__((aligned(64))) motion;

/* The other data of a cluster. */
typedef struct cluster {
    double p[DIM], mass;        /* momentum: merges add it, v follows from it */
    double low[DIM], high[DIM]; /* extent, including radii, relative to the origin */
    double anchor[DIM];         /* list origin: origin for which its particles are in the grid */
    double nominal[DIM];        /* velocity to which slack is relative */
    double radius;              /* radius of the ball of velocities that its plans allow for */
    double skin;                /* largest distance from its list origin */
    double renew, wall;         /* times at which its skin is used up and at which it meets a wall */
    uint32_t size, first, last; /* particles, and chunks that list them: members.h */
    uint32_t active;            /* first of its particles with neighbours, a list through `next_active` */
    uint32_t id;                /* smallest id of its particles */
    int64_t image[DIM];
    int8_t axis;   /* axis of `wall`; for rotating clusters the face: 2 axis, plus 1 for the upper one */
    bool isolated; /* not in the grid: isolated.h */
} cluster;

typedef struct kind {
    double radius, mass;
    uint32_t species;
} kind;

/* The particles of each cluster: members.h. */
typedef struct member_lists {
    struct chunk *chunk;
    uint32_t used, free; /* chunks that were ever in use; the first one that is free again */
} member_lists;

/* Whether another merge is possible: stall.c. */
typedef struct progress {
    double rms_speed;    /* root mean square of the speeds at the start */
    double last_merge;   /* time of the last merge */
    double overdue;      /* time by which a merge may be overdue; it is determined exactly then */
    uint64_t steps;      /* of the event loop since the last merge */
    bool merge_possible; /* velocities have differed since the last merge */
} progress;

/* Rotating clusters, by root: rotating/body.h. All NULL without rotation. */
typedef struct rotation {
    struct body *body;
    struct taylor_piece *piece;
    struct pose_cache *cache;
} rotation;

typedef struct cluster_state {
    const scene *scene;
    const aggregation_settings *settings;
    uint32_t count;
    double size[DIM];
    double period[DIM], per_period[DIM]; /* 0 on axes with walls */
    uint32_t *id;                        /* of the scene, by index */
    particle *particle;
    uint32_t *next_active; /* [count] lists of particles with neighbours, one for each cluster */
    motion *motion;        /* [count], by root */
    cluster *cluster;      /* [count], by root */
    kind *kind;
    bool sticky; /* all touches merge */
    uint32_t kinds;
    double largest, smallest; /* radius */
    double now;               /* time up to which the bookkeeping of the engine is complete */
    double last_event;        /* time of the last event */
    uint64_t clusters;
    uint64_t events[EVENT_KINDS];
    uint64_t work; /* elementary operations so far: bounds slices, not part of the state */
    double skin;   /* of clusters in the grid */
    struct isolated *isolated;
    double horizon; /* distance that two clusters may move before the nearest image of a pair may change */
    struct grid *grid;
    struct planner *planner;
    event_log *log; /* record.h; NULL: events are not recorded */
    member_lists members;
    merge_history history; /* history.c */
    progress progress;
    rotation rotation;
} cluster_state;

static inline double radius_of(const cluster_state *s, uint32_t i)
{
    return s->kind[s->particle[i].kind].radius;
}

static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* Whether the position of a particle in a cluster is valid: a cluster is at most as long as a chain of all
 * particles. */
static inline bool in_cluster(const cluster_state *s, const double x[DIM])
{
    for (int k = 0; k < DIM; k++)
        if (!(fabs(x[k]) <= s->size[k] + 2 * s->largest * s->count)) return false;
    return true;
}

/* ---- free motion; rotating/ replaces it -------------------------------------------------------------------------- */

#if CAROM_ROTATING

static void position_at(const cluster_state *s, uint32_t i, double t, double r[DIM]);
static void particle_at(const cluster_state *s, uint32_t i, double t, double r[DIM], double v[DIM]);
static void spin_at(const cluster_state *s, uint32_t i, double t, double spin[3]);
static void anchored_at(const cluster_state *s, uint32_t i, double r[DIM]);
static void anchor_here(cluster_state *s, uint32_t root);
static double skin_time(const cluster_state *s, uint32_t root);
static double touch_horizon(const cluster_state *s, uint32_t i, uint32_t j);
static double
fastest_speed(const cluster_state *s,
              uint32_t root); /* upper bound of the speeds of the particles of the cluster, until its next event */

#else

/* The position of a particle at time t, never wrapped. */
static inline void position_at(const cluster_state *s, uint32_t i, double t, double r[DIM])
{
    const particle *p = &s->particle[i];
    const motion *m = &s->motion[p->root];
    for (int k = 0; k < DIM; k++) r[k] = (m->o[k] + m->v[k] * (t - m->t)) + p->xi[k];
}

/* The velocity of a particle at time t. */
static inline void particle_at(const cluster_state *s, uint32_t i, double t, double r[DIM], double v[DIM])
{
    position_at(s, i, t, r);
    for (int k = 0; k < DIM; k++) v[k] = s->motion[s->particle[i].root].v[k];
}

/* The position of a particle at the list origin of its cluster. */
static inline void anchored_at(const cluster_state *s, uint32_t i, double r[DIM])
{
    const particle *p = &s->particle[i];
    for (int k = 0; k < DIM; k++) r[k] = s->cluster[p->root].anchor[k] + p->xi[k];
}

/* Sets the list origin of a cluster to its present position. */
static inline void anchor_here(cluster_state *s, uint32_t root)
{
    const motion *m = &s->motion[root];
    for (int k = 0; k < DIM; k++) s->cluster[root].anchor[k] = m->o[k] + m->v[k] * (s->now - m->t);
}

/* The time at which a cluster has used up its skin: |way + v x| = skin, for the larger x. */
static inline double skin_time(const cluster_state *s, uint32_t root)
{
    const motion *m = &s->motion[root];
    const cluster *c = &s->cluster[root];
    double way2 = 0, ahead = 0, v2 = 0;
    for (int k = 0; k < DIM; k++) {
        double way = m->o[k] + m->v[k] * (s->now - m->t) - c->anchor[k];
        way2 += way * way;
        ahead += way * m->v[k];
        v2 += m->v[k] * m->v[k];
    }
    double room = fmax(0, c->skin * c->skin - way2), root_of = sqrt(ahead * ahead + v2 * room);
    double x = ahead > 0 ? room / (ahead + root_of) : v2 > 0 ? (root_of - ahead) / v2 : INFINITY;
    return s->now + x;
}

/* The time until which a contact of two particles is searched. */
static inline double touch_horizon(const cluster_state *s, uint32_t i, uint32_t j)
{
    (void)s;
    (void)i;
    (void)j;
    return INFINITY;
}

#endif

struct walk;

/* ---- touch.c: contact times of two particles --------------------------------------------------------------------- */

/* Exact contact time. It is computed from the states of the two clusters alone, relative to the later of their times,
 * so that every query returns the same bits. INFINITY: never. Particles that overlap by rounding and approach touch at
 * once. For rotating clusters a time later than `until` is only a lower bound. */
static double touch_time(const cluster_state *s, uint32_t i, uint32_t j, double until);

/* A lower bound of the contact time for all velocities of the clusters within their slack. */
static double touch_bound(const cluster_state *s, uint32_t i, uint32_t j);

/* The gap between two surfaces at present, and the relative speed. */
static double touch_gap(const cluster_state *s, uint32_t i, uint32_t j, double *speed);

/* ---- motion.c ---------------------------------------------------------------------------------------------------- */

/* Advances the state of a cluster to the present time. */
static void advance_to_now(cluster_state *s, uint32_t root);

/* Sets the velocity from the momentum. */
static void set_velocity(cluster_state *s, uint32_t root);

/* ---- merge.c ----------------------------------------------------------------------------------------------------- */

/* The time and axis of the next contact of a cluster with a wall. For rotating clusters, INFINITY if there is none
 * until *until. The function may reduce *until, as the search can be long for a cluster with a high angular
 * velocity. */
static double wall_next(const cluster_state *s, uint32_t root, double *until, int *axis);

/* Reflects a cluster at a wall at the present time. */
static void wall_reflect(cluster_state *s, uint32_t root, int axis);

/* Merges the clusters of particles i and j, which are in contact at present: the larger cluster absorbs the smaller
 * one. Returns the root of the result; *added iterates over the absorbed particles. */
static uint32_t merge_clusters(cluster_state *s, uint32_t i, uint32_t j, struct walk *added);

/* ---- history.c --------------------------------------------------------------------------------------------------- */

/* Whether cluster a absorbs b: a is larger, or has the same size and the smaller id. */
static bool merge_absorbs(const cluster_state *s, uint32_t a, uint32_t b);

/* To be called after the clusters of particles i and j have merged, at the present time. */
static void merge_record(cluster_state *s, uint32_t i, uint32_t j);

/* ---- impact.c ---------------------------------------------------------------------------------------------------- */

/* Whether particles i and j, which are in contact at present, merge, by their contact law and the closing speed. */
static bool bounce_sticks(const cluster_state *s, uint32_t i, uint32_t j);

/* Executes a bounce of their clusters, along the line of centres. */
static void bounce_clusters(cluster_state *s, uint32_t i, uint32_t j);

/* ---- grid.c: neighbours ----------------------------------------------------------------------------------------- */

static carom_status grid_create(cluster_state *s, error *e);
static void grid_destroy(cluster_state *s);
static void grid_add(cluster_state *s, uint32_t i, uint32_t place);
static void grid_remove(cluster_state *s, uint32_t i);

/* ---- plan.c: the next event -------------------------------------------------------------------------------------- */

typedef enum step_kind { STEP_NONE, STEP_MERGE, STEP_WALL, STEP_OTHER } step_kind;

/* The next event and its time. i, j: the particles of a merge; i: the root of a cluster at a wall. */
typedef struct step {
    step_kind kind;
    double time;
    uint32_t i, j;
} step;

static step plan_next(cluster_state *s,
                      double limit); /* STEP_OTHER: bookkeeping, call again. STEP_NONE: no event by `limit` */
static void plan_bounced(cluster_state *s, uint32_t root);
static void plan_merge(cluster_state *s, uint32_t i, uint32_t j);

/* ---- reference.c: the reference path ----------------------------------------------------------------------------- */

static step reference_next(cluster_state *s, double limit);

/* ---- stall.c, state.c, save.c, run.c ----------------------------------------------------------------------------- */

/* The time by which another merge is overdue, from the present velocities; the time of the last merge if no merge is
 * possible. */
static double stall_time(const cluster_state *s);

/* A lower bound of that time without a loop over the clusters. */
static double stall_time_bound(const cluster_state *s);

static double rms_speed(const cluster_state *s); /* root mean square of the speeds */
static carom_status state_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e);
static void state_fill_frame(void *self, double time, carom_frame *f);
static void state_fill_columns(void *self, unsigned columns, carom_frame *f);
static carom_status state_save(void *self, snapshot *out, error *e);
static carom_status state_load(void *self, const snapshot *in, error *e);

#endif
