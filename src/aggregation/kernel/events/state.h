/* The state of ballistic aggregation by events, and how a cluster flies.
 *
 * A cluster moves as a whole: particle i of cluster k is at o_k + v_k (t - t_k) + xi_i, where o_k is where the
 * cluster's origin was at the cluster's last event, at t_k. Clusters are known by their root, the index of one of their
 * particles. */
#ifndef CAROM_AGGREGATION_EVENTS_STATE_H
#define CAROM_AGGREGATION_EVENTS_STATE_H

#include "aggregation/kernel.h"
#include "aggregation/kernel/events/constants.h"
#include "aggregation/kernel/history.h"
#include "aggregation/settings.h"
#include "base/nearest.h"

#include <math.h>

enum { DIM = CAROM_DIM, NONE = UINT32_MAX };

/* Half a cache line, or a little more: all that a check of a possible neighbour needs. */
typedef struct particle {
    double xi[DIM]; /* from the cluster's origin */
    uint32_t root;  /* of its cluster */
    uint32_t kind;
    uint32_t place; /* its cell in the grid, and the bits below */
    uint32_t next;  /* in that cell */
} particle;

/* place: PLACE_EDGE: the cell is at the end of the grid; PLACE_ACTIVE: the particle is in its cluster's list of
 * particles with neighbours; the rest: the cell. */
#define PLACE_EDGE 0x80000000u
#define PLACE_ACTIVE 0x40000000u
#define PLACE_CELL 0x3fffffffu

/* How a cluster flies: one cache line. */
typedef struct motion {
    double o[DIM], v[DIM], t;
    double slack; /* by how much v may change before its particles' plans are replaced: plan.c */
} __attribute__((aligned(64))) motion;

/* The rest of a cluster. */
typedef struct cluster {
    double p[DIM], mass;        /* momentum: merges add it, v follows from it */
    double low[DIM], high[DIM]; /* extent, radii included, from the origin */
    double anchor[DIM];         /* origin at which its particles lie in the grid */
    double nominal[DIM];        /* velocity that slack is counted from */
    double radius;              /* of the ball of velocities around it that its plans allow for */
    double skin;                /* by how much it may move from its anchor */
    double renew, wall;         /* times: when it has used up its skin, when it meets a wall */
    uint32_t size, first, last; /* particles, and the chunks that list them: members.h */
    uint32_t active;            /* first of its particles with neighbours, a list through `next_active` */
    uint32_t id;                /* smallest of its particles' */
    int64_t image[DIM];
    int8_t axis;   /* that `wall` is about; where clusters turn the face: 2 axis, and 1 more for the upper one */
    bool isolated; /* not in the grid: isolated.h */
} cluster;

typedef struct kind {
    double radius, mass;
    uint32_t species;
} kind;

/* Which particles a cluster has: members.h. */
typedef struct member_lists {
    struct chunk *chunk;
    uint32_t used, free; /* chunks that were ever in use; the first of those that are free again */
} member_lists;

/* Whether another merge may come: stall.c. */
typedef struct progress {
    double rms_speed;    /* root mean square of the speeds at the start */
    double last_merge;   /* its time */
    double overdue;      /* time by which a merge may be overdue; it is determined exactly then */
    uint64_t steps;      /* of the event loop since the last merge */
    bool merge_possible; /* velocities were found to differ since the last merge */
} progress;

/* Of clusters that turn, by root: rotating/body.h. All NULL where clusters do not turn. */
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
    double now;               /* time that the engine's bookkeeping has reached */
    double last_event;        /* time of the last event */
    uint64_t clusters;
    uint64_t events[EVENT_KINDS];
    uint64_t work; /* elementary operations so far: it bounds slices, and is not part of the state */
    double skin;   /* of clusters in the grid */
    struct isolated *isolated;
    double horizon; /* how far two clusters may move before the nearest image of a pair may be another */
    struct grid *grid;
    struct planner *planner;
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

/* Whether a place can be in a cluster, which is no longer than a chain of all particles. */
static inline bool in_cluster(const cluster_state *s, const double x[DIM])
{
    for (int k = 0; k < DIM; k++)
        if (!(fabs(x[k]) <= s->size[k] + 2 * s->largest * s->count)) return false;
    return true;
}

/* ---- flight: rotating/ has another ------------------------------------------------------------------------------- */

#if CAROM_ROTATING

static void position_at(const cluster_state *s, uint32_t i, double t, double r[DIM]);
static void particle_at(const cluster_state *s, uint32_t i, double t, double r[DIM], double v[DIM]);
static void spin_at(const cluster_state *s, uint32_t i, double t, double spin[3]);
static void anchored_at(const cluster_state *s, uint32_t i, double r[DIM]);
static void anchor_here(cluster_state *s, uint32_t root);
static double skin_time(const cluster_state *s, uint32_t root);
static double touch_horizon(const cluster_state *s, uint32_t i, uint32_t j);
static double fastest_speed(const cluster_state *s,
                            uint32_t root); /* no particle of the cluster is faster, until its next event */

#else

/* Where a particle is at time t, on no account wrapped. */
static inline void position_at(const cluster_state *s, uint32_t i, double t, double r[DIM])
{
    const particle *p = &s->particle[i];
    const motion *m = &s->motion[p->root];
    for (int k = 0; k < DIM; k++) r[k] = (m->o[k] + m->v[k] * (t - m->t)) + p->xi[k];
}

/* ... and its velocity. */
static inline void particle_at(const cluster_state *s, uint32_t i, double t, double r[DIM], double v[DIM])
{
    position_at(s, i, t, r);
    for (int k = 0; k < DIM; k++) v[k] = s->motion[s->particle[i].root].v[k];
}

/* Where its cluster's anchor puts a particle. */
static inline void anchored_at(const cluster_state *s, uint32_t i, double r[DIM])
{
    const particle *p = &s->particle[i];
    for (int k = 0; k < DIM; k++) r[k] = s->cluster[p->root].anchor[k] + p->xi[k];
}

/* Anchors a cluster where it is now. */
static inline void anchor_here(cluster_state *s, uint32_t root)
{
    const motion *m = &s->motion[root];
    for (int k = 0; k < DIM; k++) s->cluster[root].anchor[k] = m->o[k] + m->v[k] * (s->now - m->t);
}

/* When a cluster will have used up its skin: |way + v x| = skin, for the larger x. */
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

/* Until when a contact of two particles is sought. */
static inline double touch_horizon(const cluster_state *s, uint32_t i, uint32_t j)
{
    (void)s;
    (void)i;
    (void)j;
    return INFINITY;
}

#endif

struct walk;

/* ---- touch.c: when do two particles touch? ----------------------------------------------------------------------- */

/* Exact, from the states of the two clusters alone, at the later of their times, so that every query gets the same
 * bits; INFINITY: never. Particles that overlap by rounding and approach touch at once. Where clusters turn, a time
 * later than `until` only means: not before that. */
static double touch_time(const cluster_state *s, uint32_t i, uint32_t j, double until);

/* A time before which they do not touch, whatever velocities within their slack the clusters get. */
static double touch_bound(const cluster_state *s, uint32_t i, uint32_t j);

/* How far apart they are now, surface to surface, and how fast they move past each other. */
static double touch_gap(const cluster_state *s, uint32_t i, uint32_t j, double *speed);

/* ---- motion.c ---------------------------------------------------------------------------------------------------- */

/* Makes the present the time of a cluster's state. */
static void advance_to_now(cluster_state *s, uint32_t root);

/* From its momentum. */
static void set_velocity(cluster_state *s, uint32_t root);

/* ---- merge.c ----------------------------------------------------------------------------------------------------- */

/* When a cluster next meets a wall, and along which axis; where clusters turn, INFINITY if not by *until, which it may
 * make sooner: the search for the contact of one that spins can be long. */
static double wall_next(const cluster_state *s, uint32_t root, double *until, int *axis);

/* Reflects a cluster at a wall, now. */
static void wall_reflect(cluster_state *s, uint32_t root, int axis);

/* Merges the clusters of particles i and j, which touch now: the larger absorbs the smaller. Returns the root that
 * stays; *added is the walk through the particles that were absorbed. */
static uint32_t merge_clusters(cluster_state *s, uint32_t i, uint32_t j, struct walk *added);

/* ---- history.c --------------------------------------------------------------------------------------------------- */

/* Whether cluster a absorbs b: the larger one does; of two of the same size, the one with the smaller id. */
static bool merge_absorbs(const cluster_state *s, uint32_t a, uint32_t b);

/* To be called when the clusters of particles i and j have become one, now. */
static void merge_record(cluster_state *s, uint32_t i, uint32_t j);

/* ---- impact.c ---------------------------------------------------------------------------------------------------- */

/* Whether particles i and j, which touch now, stick, by their contact's law and the speed of the impact. */
static bool bounce_sticks(const cluster_state *s, uint32_t i, uint32_t j);

/* Their clusters bounce off each other, along the line of centres. */
static void bounce_clusters(cluster_state *s, uint32_t i, uint32_t j);

/* ---- grid.c: neighbours ----------------------------------------------------------------------------------------- */

static carom_status grid_create(cluster_state *s, error *e);
static void grid_destroy(cluster_state *s);
static void grid_add(cluster_state *s, uint32_t i, uint32_t place);
static void grid_remove(cluster_state *s, uint32_t i);

/* ---- plan.c: what happens next ----------------------------------------------------------------------------------- */

typedef enum step_kind { STEP_NONE, STEP_MERGE, STEP_WALL, STEP_OTHER } step_kind;

/* What happens next, and when. i, j: the particles of a merge; i: the root of a cluster at a wall. */
typedef struct step {
    step_kind kind;
    double time;
    uint32_t i, j;
} step;

static step plan_next(cluster_state *s,
                      double limit); /* STEP_OTHER: bookkeeping was done, call again. STEP_NONE: no event by `limit` */
static void plan_bounced(cluster_state *s, uint32_t root);
static void plan_merge(cluster_state *s, uint32_t i, uint32_t j);

/* ---- reference.c: the oracle ------------------------------------------------------------------------------------- */

static step reference_next(cluster_state *s, double limit);

/* ---- stall.c, state.c, save.c, run.c ----------------------------------------------------------------------------- */

/* The time by which another merge is overdue, from the present velocities; the time of the last merge where no merge is
 * possible. */
static double stall_time(const cluster_state *s);

/* A lower bound of that time which needs no loop over the clusters. */
static double stall_time_bound(const cluster_state *s);

static double rms_speed(const cluster_state *s); /* root mean square of the speeds */
static carom_status state_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e);
static void state_fill_frame(void *self, double time, carom_frame *f);
static carom_status state_save(const void *self, snapshot *out, error *e);
static carom_status state_load(void *self, const snapshot *in, error *e);

#endif
