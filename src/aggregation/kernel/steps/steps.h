/* The state of time stepping: positions, clusters, contacts.
 *
 * The position of a particle is its own `x` plus the offset of its cluster: free motion of a cluster changes one
 * offset. Results do not depend on the other data, which only avoid searches where no contact is possible. */
#ifndef CAROM_AGGREGATION_STEPS_STEPS_H
#define CAROM_AGGREGATION_STEPS_STEPS_H

#include "aggregation/kernel/history.h"
#include "aggregation/kernel/steps/solvers.h"
#include "base/nearest.h"
#include "engine/engine.h"
#include "engine/sound.h"

#define NONE UINT32_MAX

typedef struct particle {
    double x[DIM]; /* less the offset of its cluster */
    double radius;
    uint32_t cluster;
    uint32_t listed; /* the count of listings at its last listing */
} particle;

/* Data of a cluster for free motion and detection. */
typedef struct motion {
    double offset[DIM], velocity[DIM];
    double speed;
    double used; /* path since its members were last listed, at most the margin */
} motion;

/* The other data: members are a list from `first` to `last` through steps.next. */
typedef struct cluster {
    double momentum[DIM], mass;
    uint32_t first, last, size; /* size 0: absorbed by another cluster */
    uint32_t least;             /* the smallest id */
} cluster;

/* Bounding box of the members, less the offset. */
typedef struct extent {
    double low[DIM], high[DIM];
} extent;

/* A pair that may touch before either is listed again; invalid after a later listing of one of them. */
typedef struct pair {
    uint32_t i, j, listed;
} pair;

typedef struct contact {
    uint32_t i, j; /* i < j */
} contact;

/* Displacement of a particle or a cluster in a step. */
typedef struct displacement {
    double by[DIM];
    uint64_t step;
} displacement;

/* Results of one thread. */
typedef struct thread_buffers {
    pair *pairs;
    size_t pair_count, pair_capacity;
    uint64_t *found; /* contacts: i << 32 | j */
    size_t found_count, found_capacity;
    uint32_t *near; /* result of one query */
    size_t near_capacity;
    uint32_t *moved; /* particles or clusters displaced in this round */
    size_t moved_count, moved_capacity;
    problem problem;
    frame_steps tally;  /* since the start of the step */
    uint64_t displaced; /* clusters displaced as a whole in this round */
    uint64_t work;      /* elementary operations of the solvers, since the start of the step */
    bool out_of_memory;
} thread_buffers;

/* Links: two half-edges each, in lists of the particles. */
typedef struct half_edge {
    uint32_t to;   /* the highest bit: slack (bond.slack) */
    uint32_t next; /* half-edge, or NONE */
} half_edge;
#define SLACK_BIT 0x80000000u

/* Changes of a cluster: displacement as a whole, or an outermost member that moved inwards. */
enum { TOUCHED_OFFSET = 1, TOUCHED_EXTENT = 2 };

typedef struct links {
    uint32_t *first; /* [particles] */
    half_edge *edges;
    size_t count, capacity; /* half-edges */
    size_t known;           /* number before this round */
} links;

/* One grid of cells for each class of radii, each half as large as the one before. */
typedef struct level {
    double radius; /* the largest */
    uint32_t cells[DIM];
    double per_length[DIM];
    size_t base; /* its first cell in pair_list.first */
} level;

typedef struct pair_list {
    level levels[MOST_LEVELS];
    int level_count;
    uint32_t *first;                            /* [cells] */
    uint32_t *listed_in_pass, *queried_in_pass; /* [cells] marks of a pass over a large cluster */
    uint32_t *next;                             /* [particles] in the same cell */
    uint32_t *bin;                              /* [particles] their cells */
    uint32_t pass;
    float *drift;               /* [particles] displacement within the cluster since it was last listed */
    double margin, drift_limit; /* largest path of a cluster, and drift of a member, before it is listed again */
    uint32_t listings;
    uint32_t *due; /* particles to list, or to list others with */
    size_t due_count;
    uint32_t *large; /* clusters to list as a whole */
} pair_list;

/* Walls: flight.c. */
typedef struct wall_state {
    bool any, on[DIM]; /* axes with walls */
    extent *extents;   /* [slots]; NULL if there are no walls */
} wall_state;

/* The bound of displacements (settings.bound): resolve.c. */
typedef struct displacement_bound {
    displacement *shifts; /* [particles or slots]; NULL if displacements have no bound */
} displacement_bound;

/* Whether another merge is possible: advance.c. */
typedef struct progress {
    double patience; /* mean free paths without a merge that count as no progress */
    double flown;    /* path of the fastest cluster since the last merge */
    double since;    /* time of the last change of velocities from outside: merges are awaited from then on */
    double overdue;  /* time by which a merge is overdue; INFINITY: not determined yet */
} progress;

/* The state that solvers keep between steps. */
typedef struct solver_state {
    double pseudo_time_scale; /* of the Arrow-Hurwicz iterations */
} solver_state;

typedef struct steps {
    const scene *scene;
    const steps_settings *settings;
    uint32_t count;
    int threads;
    double size[DIM];
    double box[DIM], inverse_box[DIM]; /* 0 on axes that are not periodic */
    double least_radius;
    particle *particles;
    double *mass;
    uint32_t *id, *species;
    motion *motions;       /* [count], of clusters: the slot of a cluster is the index of one of its members */
    double (*before)[DIM]; /* offsets before the flight of this step */
    double dt;             /* of this step */
    cluster *clusters;
    uint32_t *next; /* members */
    uint32_t *live; /* slots in use, ascending */
    uint32_t live_count;
    links links;
    pair_list pair_list;
    thread_buffers *buffers; /* [threads] */
    contact *contacts;       /* links made in this step, by (i, j) in each round */
    size_t contact_count, contact_capacity, round_start;
    uint32_t *group; /* [slots] joined in this step: union-find */
    uint64_t *order; /* of contacts by group, and work space to sort */
    size_t order_capacity;
    uint32_t *local;  /* [particles or slots]: their nodes in a problem, or NONE */
    uint8_t *touched; /* [slots] TOUCHED_*, in this step */
    double time;
    frame_steps tally;
    uint64_t work; /* elementary operations so far: bounds slices, not part of the state */
    uint64_t events[EVENT_KINDS];
    wall_state walls;
    displacement_bound bound;
    merge_history history; /* merge.c */
    progress progress;
    solver_state solver;
    event_log *log; /* NULL: events are not recorded */
} steps;

/* ---- flight.c: free motion, walls ---- */
static void flight_step(steps *s, double dt, double end); /* end: time of the end of the step */
static void flight_extent(steps *s, uint32_t slot);       /* measures the extent again */

/* ---- bins.c: cells ---- */
static void bins_put(steps *s, uint32_t i); /* at its present position */
static const level *bins_level(const steps *s, uint32_t i);

/* An iterator over the cells of one level within a distance of a position. */
typedef struct bin_walk {
    const level *level;
    uint32_t first[3], span[3], at[3];
} bin_walk;
static bin_walk bins_around(const steps *s, const level *l, const double r[DIM], double reach);

static inline bool bins_step(bin_walk *w, size_t *bin)
{
    if (w->at[2] == w->span[2]) return false;
    size_t index = 0;
    for (int k = DIM - 1; k >= 0; k--) {
        uint32_t cell = w->first[k] + w->at[k];
        index = index * w->level->cells[k] + (cell < w->level->cells[k] ? cell : cell - w->level->cells[k]);
    }
    *bin = w->level->base + index;
    for (int k = 0; k < 3; k++) {
        if (++w->at[k] < w->span[k] || k == 2) break;
        w->at[k] = 0;
    }
    return true;
}

/* ---- pair_list.c: pairs that may touch ---- */
static void pair_list_renew(steps *s); /* lists the members of clusters whose margin is used up */
static void pair_list_moved(steps *s); /* queries around the members that have been displaced individually */
static void pair_list_scan(steps *s, bool only_touched); /* the contacts among listed pairs */

/* ---- contacts.c ---- */
static carom_status
contacts_gather(steps *s, error *e); /* the contacts of all threads, sorted, into steps.contacts as a new round */

/* ---- links.c ---- */
static carom_status links_add(steps *s, uint32_t i, uint32_t j, error *e);
static bool links_has(const steps *s, uint32_t i, uint32_t j);

/* ---- resolve.c, merge.c ---- */
static carom_status resolve_contacts(steps *s, error *e);
static void merge_contacts(steps *s);

/* ---- record.c: recording of events ---- */
static carom_status steps_record(void *self, event_log *log, error *e);
/* A merge of the clusters of i and j, before it. */
static void record_merge(steps *s, uint32_t i, uint32_t j);
/* Reflection of a cluster at the walls across an axis, with its velocity before. */
static void record_wall(steps *s, uint32_t slot, int axis, double before, double time);

/* ---- advance.c, save.c, steps.c ---- */
static uint64_t steps_hash(const steps *s);
static carom_status steps_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e);
static carom_status steps_save(void *self, snapshot *out, error *e);
static carom_status steps_load(void *self, const snapshot *in, error *e);

static inline void nearest_image(const steps *s, double r[DIM])
{
    for (int k = 0; k < DIM; k++) r[k] -= s->box[k] * nearest_whole(r[k] * s->inverse_box[k]);
}

static inline void position_of(const steps *s, uint32_t i, double r[DIM])
{
    const particle *b = &s->particles[i];
    const motion *m = &s->motions[b->cluster];
    for (int k = 0; k < DIM; k++) r[k] = b->x[k] + m->offset[k];
}

/* From j to i. */
static inline void between(const steps *s, uint32_t i, uint32_t j, double r[DIM])
{
    double other[DIM];
    position_of(s, i, r);
    position_of(s, j, other);
    for (int k = 0; k < DIM; k++) r[k] -= other[k];
    nearest_image(s, r);
}

static inline double contact_distance(const steps *s, uint32_t i, uint32_t j)
{
    return s->particles[i].radius + s->particles[j].radius;
}

/* Whether a stored position is near enough to the box for exact arithmetic. */
static inline bool near_box(const steps *s, const double x[DIM])
{
    for (int k = 0; k < DIM; k++)
        if (!(fabs(x[k]) <= SOUND_BOXES * s->size[k])) return false;
    return true;
}

#endif
