/* The state of the engine `hard`, in one variant of the kernel (dimension, number type).
 *
 * Each body has its own time (delayed states). Its state changes only in events and at re-basing, not by neighbour
 * lists, frames or checkpoints. Each prediction is therefore a function of the stored states alone, and all methods of
 * finding pairs give the same bits.
 *
 * Clocks: local time starts at the last re-basing: true time = origin + local * 2^scale. Stored velocities are the true
 * ones times 2^scale: a cooling gas is rescaled by powers of two, which is exact. */
#ifndef CAROM_HARD_KERNEL_GAS_H
#define CAROM_HARD_KERNEL_GAS_H

#include <stdalign.h>
#include <string.h>

#include "base/exact_rows.h"
#include "base/nearest.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "hard/kernel/tuning.h"
#include "hard/settings.h"
#include "queue/fel.h"

#define DIM CAROM_DIM
enum { TURN = DIM == 3 ? 3 : 1 }; /* components of a spin */

/* A sphere (a disk in 2D): the data of predictions, in double precision one cache line. */
typedef struct body {
    alignas(CAROM_REAL == 0 ? 64 : alignof(real)) real r[DIM];
    real v[DIM];
    real t;         /* local time of r and v */
    uint32_t stamp; /* changes with the state */
    uint32_t kind;  /* index of the body's radius, mass and species */
} body;

/* A planned event of a body. Pairs: partner < count. */
#define PARTNER_ELEMENT 0x80000000u /* + triangle, numbered through all meshes */
#define PARTNER_SURFACE 0xffff0000u /* + surface: first the walls of the box, then planes, then exact surfaces */
#define PARTNER_CHECK 0xfffffffbu   /* check of the support of a sleeping body */
#define PARTNER_KICK 0xfffffffcu    /* of the heat bath */
#define PARTNER_TRANSFER 0xfffffffdu
#define TRANSFER_REPEAT 0xffffffffu   /* as its stamp: repeats the predictions against moving boundaries */
#define TRANSFER_TOGETHER 0xfffffffeu /* no event of one body: the crossings of cells that are due */
#define PARTNER_UNKNOWN 0xfffffffeu
#define PARTNER_NONE 0xffffffffu
enum { MAX_SURFACES = 0xfff0, MAX_ELEMENTS = 0x7fff0000 };

typedef struct next_event {
    real time; /* local */
    uint32_t partner;
    uint32_t stamp; /* stamp of the partner at the prediction; the event is invalid if it has changed */
} next_event;

/* The earliest two events of a body. The second counts if the partner of the first has changed. Later events are
 * unknown and need a new prediction (PARTNER_UNKNOWN). */
typedef struct plan {
    alignas(CAROM_REAL == 0 ? 64 : alignof(real)) next_event first;
    next_event second;
    union {
        struct {                /* with cells: */
            uint32_t cell[DIM]; /* coordinates of the cell of the body */
            uint32_t next_in_cell;
            real crossing;  /* local time at which it leaves the cell */
            uint32_t side;  /* 2 * axis, + 1: upwards; with CROSSES_ALONE the crossing is an event of the plan */
            uint32_t entry; /* of the crossing (broad/crossings.h); 0: none */
        };
        struct {                   /* with lists: */
            real list_origin[DIM]; /* position at the last renewal of the list */
            uint32_t length;
            uint32_t place; /* place in the grid: block * SLOTS + slot */
        };
    };
} plan;

typedef struct surface {
    real normal[DIM];
    real point[DIM];
    uint32_t law;                /* index of column in scene.surface_law */
    int axis, side;              /* of a wall of the box; axis -1: a plane */
    const struct motion *motion; /* of a plane; NULL: at rest */
} surface;

struct neighbor_lists;
struct cell_grid;
struct crew;
struct domain;
struct curve_place;

/* Detector of inelastic collapse and of runs without progress (collapse.c). */
typedef struct stall_state {
    real *time;           /* for each body, start of its consecutive collisions without progress */
    uint32_t *count;      /* and their number; 0: none */
    bool any;             /* whether there have been any */
    uint64_t slow_events; /* physical events in consecutive stages (between re-basings) in which time hardly advances */
    real span;            /* longest local time between re-basings, with a decay */
    real
        sliding_time; /* after an event caused by rounding, of a body that slides or rests: time between two such events; else 0 */
} stall_state;

/* Detector of states without further events (run.c). */
typedef struct ending_state {
    uint64_t idle;       /* transfers since the last physical event */
    real idle_since;     /* local time of the last transfer */
    uint64_t idle_count; /* number of transfers at that time */
    uint32_t
        witness[2]; /* in an open box: two bodies, or one twice, that will collide (with each other, with a surface) */
    uint64_t witness_stamps; /* valid if the sum of their stamps is one less than this */
} ending_state;

enum { PLANES = DIM * (DIM + 1) / 2 }; /* components of a symmetric tensor: xx, (xy, yy), (xz, yz, zz) */

static inline int component(int a, int b)
{
    return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
}

/* Sums over impacts of pairs: the components of the virial of impulses along the line of centres, and: */
enum { PAIR_DISSIPATED = PLANES };

/* Quantities known at events only, since the start of the run (frame_tallies), in true units. Sums are exact: they do
 * not depend on the order of the events. Additions go through the functions of response/tallies.h. */
typedef struct event_tallies {
    exact_sum pair[EXACT_COLUMNS];
    exact_sum virial[DIM][DIM]; /* of other impulses */
    exact_sum wall_impulse[DIM][2];
    exact_sum supplied;
    exact_sum friction, work; /* of the ledger */
    uint64_t stabilising, three_body_again, three_body_double;
    double max_overlap;
    uint64_t pending_count;
    double pending[EXACT_ROWS][EXACT_COLUMNS]; /* contributions of the latest impacts, not yet in the sums */
} event_tallies;

typedef struct gas {
    const scene *scene;
    const hard_settings *settings;
    uint32_t count, room; /* bodies; bodies for which there is memory (a domain of a parallel run reuses places; absent
                           * bodies are behind the others: features/reserve.h) */
    /* In a parallel run the whole has the arrays of bodies only while they are needed (bodies.h). */
    body *body;
    uint32_t *id;          /* number of each body in the scene */
    uint32_t kind_count;   /* number of distinct kinds of bodies or, if there are many, of bodies */
    real *radius;          /* [kind]; of growing spheres at local time 0 */
    double *mass;          /* [kind] */
    uint32_t *species;     /* [kind] */
    uint32_t *population;  /* [kind]: number of bodies; of domains: in all of them */
    int32_t (*image)[DIM]; /* unwrapped position = r + image * box (images.h) */
    int32_t (*image_high)[DIM];
    bool images_long; /* whether image_high counts */
    plan *plan;

    real box[DIM]; /* 0 on axes that are not periodic */
    real inverse_box[DIM];
    real size[DIM]; /* on every axis */
    real gravity[DIM];
    bool has_gravity;
    surface *surface;
    uint32_t surface_count;
    real growth;  /* radius(t) = radius * (1 + growth * t); 0 except in a compression, before or during a run */
    real grow_to; /* largest value of this factor; 1 except in a compression */
    real reach;   /* largest range of an interaction in contact distances; 1 without potentials */

    /* The state of each feature (features/). NULL: not enabled. */
    struct sleepers *sleep;
    struct rotation *rotation;
    struct shape_bodies *shapes;
    struct thermostat *thermostat;
    struct contact_duration *contact_duration;
    struct thermal_walls *thermal;
    struct shear *shear;
    struct transport_sums *transport;
    struct impacts *impacts;
    struct compression *compression;
    struct stepped *stepped;
    struct motions *motions;
    struct exact_surfaces *exact;
    struct solids *solids;

    bool body_data; /* features have data of bodies that belong to their state */

    bool free_axis[DIM]; /* periodic, and no boundary or feature breaks the symmetry along it */
    double drift[DIM];   /* true initial velocity of the frame of reference, along free axes */
    double fall[DIM];    /* and its acceleration, along axes without other forces */
    double frame_since;  /* time from which drift and fall count: 0, or that of the last change from outside (edit.c) */
    real now;            /* local time of the last event of any kind */
    real last_event;     /* and of the last physical event */
    double origin, origin_low; /* true time of local time 0, as an unevaluated sum */
    int64_t scale;
    int base_exponent;     /* of the r.m.s. velocity at the start */
    uint64_t since_rebase; /* physical events since the last re-basing */
    real far;              /* local time at which flights require a re-basing */
    stall_state stall;
    ending_state ending;

    bool counts; /* whether the present event enters the counts and tallies */
    uint64_t events[EVENT_KINDS];
    event_tallies tallies;
    bool tally_three_body;

    bool begun; /* neighbours and events have been searched for */
    fel *queue;
    struct crew *crew;            /* the domains of a parallel run; NULL: serial */
    struct domain *domain;        /* of a gas that is one of them */
    const struct gas *whole;      /* the gas of all bodies; NULL: this one */
    struct recorder *recorder;    /* NULL: events are not recorded */
    struct neighbor_lists *lists; /* one of these two; none for the reference path */
    struct cell_grid *cells;
    struct reserve *reserve; /* state of a feature, as those above; the same: */
    struct presence *presence;
    struct starts *starts;
} gas;

/* Whether the stable rule is used. Kernels without the historic rules (CAROM_REMEDIES 0) contain no test. */
static inline bool is_stable(const gas *g)
{
#if CAROM_REMEDIES
    return g->settings->detection == DETECTION_STABLE;
#else
    (void)g;
    return true;
#endif
}

static inline const gas *whole_of(const gas *g)
{
    return g->whole != NULL ? g->whole : g;
}

/* The bodies, with those that are absent. */
static inline uint32_t all_bodies(const gas *g)
{
    return g->reserve != NULL ? g->room : g->count;
}

static inline real radius_of(const gas *g, uint32_t i)
{
    return g->radius[g->body[i].kind];
}

/* Range of interaction of a body, from its centre, at the end of a growth. */
static inline real extent_of(const gas *g, uint32_t i)
{
    return g->radius[g->body[i].kind] * g->grow_to * g->reach;
}

/* Radius in frames at local time t: in runs that compress, the box shrinks instead. */
static inline double frame_radius(const gas *g, uint32_t i, real t)
{
    return (double)(radius_of(g, i) * (g->compression != NULL ? 1 : 1 + g->growth * t));
}

static inline double mass_of(const gas *g, uint32_t i)
{
    return g->mass[g->body[i].kind];
}

static inline uint32_t species_of(const gas *g, uint32_t i)
{
    return g->species[g->body[i].kind];
}

/* Contact distance of a pair at local time t. */
static inline real contact_distance(const gas *g, uint32_t i, uint32_t j, real t)
{
    real s = radius_of(g, i) + radius_of(g, j);
    return g->growth == 0 ? s : s * (1 + g->growth * t);
}

/* |r x v|^2. */
static inline real moment_squared(const real r[DIM], const real v[DIM])
{
    const real about_z = r[0] * v[1] - r[1] * v[0];
    real square = about_z * about_z;
#if CAROM_DIM == 3
    const real about_x = r[1] * v[2] - r[2] * v[1], about_y = r[2] * v[0] - r[0] * v[2];
    square = square + about_x * about_x + about_y * about_y;
#endif
    return square;
}

/* Kinetic energy without rotation, times 2^(2 scale). */
static inline double kinetic_of(const gas *g, uint32_t i)
{
    return 0.5 * mass_of(g, i) * (double)dot(g->body[i].v, g->body[i].v);
}

static inline real later(real a, real b)
{
    return a > b ? a : b;
}

/* ---- the order of events ----------------------------------------------------------------------------------------- */

static inline bool is_pair(const next_event *e)
{
    return e->partner < PARTNER_ELEMENT;
}

/* Whether the event is valid: the partner has not changed since the prediction. */
static inline bool is_valid(const gas *g, const next_event *e)
{
    return !is_pair(e) || g->body[e->partner].stamp == e->stamp;
}

static inline void swap_unless_sorted(uint32_t *low, uint32_t *high)
{
    const uint32_t a = *low, b = *high;
    *low = a < b ? a : b;
    *high = a < b ? b : a;
}

/* Puts the body with the smaller number first. */
static inline void sort_pair(const gas *g, uint32_t *i, uint32_t *j)
{
    const uint32_t a = *i, b = *j;
    if (g->id[a] <= g->id[b]) return;
    *i = b;
    *j = a;
}

/* The order of two events at the same time. */
static __attribute__((noinline, unused)) bool tie_before(const gas *g, uint32_t i, const next_event *a, uint32_t j,
                                                         const next_event *b)
{
    bool pair_a = is_pair(a), pair_b = is_pair(b);
    if (pair_a != pair_b) return pair_a;
    bool virtual_a = a->partner >= PARTNER_TRANSFER, virtual_b = b->partner >= PARTNER_TRANSFER;
    if (virtual_a != virtual_b) return virtual_b;
    uint32_t low_a = g->id[i], low_b = g->id[j];
    uint32_t high_a = pair_a ? g->id[a->partner] : a->partner, high_b = pair_b ? g->id[b->partner] : b->partner;
    if (pair_a) swap_unless_sorted(&low_a, &high_a);
    if (pair_b) swap_unless_sorted(&low_b, &high_b);
    if (low_a != low_b) return low_a < low_b;
    return high_a < high_b;
}

/* The total order of events: (time, kind, id, id), the smaller id of a pair first. Bookkeeping events come last. Ids are
 * the numbers of the bodies in the scene: the order does not depend on the order of the bodies in memory. */
static inline bool event_before(const gas *g, uint32_t i, const next_event *a, uint32_t j, const next_event *b)
{
    if (a->time < b->time) return true;
    return a->time == b->time && a->time < REAL_NEVER && tie_before(g, i, a, j, b);
}

static inline void plan_clear(plan *p)
{
    const next_event none = {REAL_NEVER, PARTNER_NONE, 0};
    p->first = none;
    p->second = none;
}

/* Improves the plan of i by an event. */
static inline void consider(const gas *g, plan *p, uint32_t i, next_event e)
{
    if (!(e.time < REAL_NEVER)) return;
    if (event_before(g, i, &e, i, &p->first)) {
        p->second = p->first;
        p->first = e;
    } else if (event_before(g, i, &e, i, &p->second))
        p->second = e;
}

#endif
