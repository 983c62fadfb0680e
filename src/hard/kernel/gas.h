/* The state of the engine `hard`, as one kernel (dimension, number type) sees it.
 *
 * Each body is at its own time (delayed states): it changes only in a collision or when the clock is re-based, never
 * because of neighbour lists, frames or checkpoints. Therefore every prediction is a function of the stored states
 * alone, and any way of finding the pairs gives the same bits.
 *
 * Clocks. Local time runs from the last re-basing: true time = origin + local * 2^scale. Stored velocities are the
 * true ones times 2^scale: a gas that cools without end is rescaled by powers of two, which are exact. */
#ifndef CAROM_HARD_KERNEL_GAS_H
#define CAROM_HARD_KERNEL_GAS_H

#include <stdalign.h>
#include <string.h>

#include "base/nearest.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "hard/kernel/tuning.h"
#include "hard/settings.h"
#include "queue/fel.h"

#define DIM CAROM_DIM
enum { TURN = DIM == 3 ? 3 : 1 }; /* components of a spin */

/* A sphere (a disk in 2D): everything that a prediction reads, in double precision one cache line. */
typedef struct body {
    alignas(CAROM_REAL == 0 ? 64 : alignof(real)) real r[DIM];
    real v[DIM];
    real t;         /* local time at which r and v hold */
    uint32_t stamp; /* changes whenever the state does */
    uint32_t kind;  /* index of the body's radius, mass and species */
} body;

/* Something that a body will do. Pairs: partner < count. */
#define PARTNER_ELEMENT 0x80000000u /* + triangle: those of all meshes, numbered on */
#define PARTNER_SURFACE 0xffff0000u /* + surface: first the walls of the box, then planes, then exact surfaces */
#define PARTNER_CHECK 0xfffffffbu   /* is a sleeper still held? */
#define PARTNER_KICK 0xfffffffcu    /* of the heat bath */
#define PARTNER_TRANSFER 0xfffffffdu
#define TRANSFER_NOWHERE 0xffffffffu /* as its stamp: nothing is crossed; what moves has to be looked at again */
#define PARTNER_UNKNOWN 0xfffffffeu
#define PARTNER_NONE 0xffffffffu
enum { MAX_SURFACES = 0xfff0, MAX_ELEMENTS = 0x7fff0000 };

typedef struct next_event {
    real time; /* local */
    uint32_t partner;
    uint32_t stamp; /* the partner's stamp when this was predicted: a different one means that it is off */
} next_event;

/* What a body does next, and after that if its partner is off. Nothing is known of later times: there it must be
 * predicted anew (PARTNER_UNKNOWN). */
typedef struct plan {
    alignas(CAROM_REAL == 0 ? 64 : alignof(real)) next_event first;
    next_event second;
    union {
        struct {                /* where there are cells: */
            uint32_t cell[DIM]; /* coordinates of the one that the body is in, */
            uint32_t next_in_cell;
        };
        struct {                   /* where there are lists: */
            real list_origin[DIM]; /* where the body was when its list was built, */
            uint32_t length;
            uint32_t place; /* and where in the grid that is: block * SLOTS + slot */
        };
    };
} plan;

typedef struct surface {
    real normal[DIM];
    real point[DIM];
    uint32_t law;                /* index of column in scene.surface_law */
    int axis, side;              /* of a wall of the box; axis -1: a plane */
    const struct motion *motion; /* of a plane; NULL: it stands still */
} surface;

struct neighbor_lists;
struct cell_grid;
struct base;
struct curve_place;

/* Detector of inelastic collapse and of runs without progress (collapse.c). */
typedef struct stall_state {
    real *time;       /* start of each body's row of collisions without progress, */
    uint32_t *count;  /* and how many they are; 0: no such row */
    bool any;         /* has there been any? */
    uint64_t crawled; /* physical events in a row of stages between re-basings in which time hardly passed */
    real span;        /* local time between the last re-basings: the longest, and less with each */
    real slid;        /* of an event that sliding makes of rounding, the time between two; 0 else */
} stall_state;

/* Detector of gases in which nothing more happens (run.c). */
typedef struct ending_state {
    uint64_t idle;           /* transfers since the last physical event */
    real idle_since;         /* local time of the last transfer, */
    uint64_t idle_count;     /* and how many have happened at that instant */
    uint32_t witness[2];     /* two bodies (or one and a surface) that will meet, in an open box, */
    uint64_t witness_stamps; /* if their stamps still add up to one less than this */
} ending_state;

typedef struct gas {
    const scene *scene;
    const hard_settings *settings;
    uint32_t count;
    body *body;
    uint32_t *id;          /* the scene's number of each body */
    uint32_t kind_count;   /* of kinds of bodies: as many as differ, or one a body where those are many */
    real *radius;          /* [kind], at local time 0 where the spheres grow */
    double *mass;          /* [kind] */
    uint32_t *species;     /* [kind] */
    int64_t (*image)[DIM]; /* unwrapped position = r + image * box */
    plan *plan;

    real box[DIM]; /* 0 on axes that are not periodic */
    real inverse_box[DIM];
    real size[DIM]; /* on every axis */
    real gravity[DIM];
    bool has_gravity;
    surface *surface;
    uint32_t surface_count;
    real growth;  /* radius(t) = radius * (1 + growth * t); 0 but in a compression, before a run or as one */
    real grow_to; /* what that factor may become; 1 but in a compression */
    real reach;   /* contact distances at which pairs begin to interact; 1 without potentials */

    /* The state of each feature; NULL where it is not enabled (features/). */
    struct sleepers *sleep;
    struct rotation *rotation;
    struct shape_bodies *shapes;
    struct thermostat *thermostat;
    struct contact_duration *contact_duration;
    struct thermal_walls *thermal;
    struct shear *shear;
    struct transport *transport;
    struct impacts *impacts;
    struct compression *compression;
    struct stepped *steps;
    struct motions *motions;
    struct exact_surfaces *exact;
    struct solids *solids;

    bool free_axis[DIM]; /* periodic, and no surface or sleeper singles a place or velocity out */
    double drift[DIM];   /* true velocity at the start, along free axes, of the frame that everything else is in, */
    double fall[DIM];    /* and its acceleration, along axes that nothing holds */
    real now;            /* local time of the last event of any kind, */
    real last_event;     /* and of the last physical one */
    double origin, origin_low; /* true time of local time 0, as an unevaluated sum */
    int64_t scale;
    int base_exponent;     /* of the r.m.s. velocity at the start */
    uint64_t since_rebase; /* physical events, */
    real far;              /* and the local time by which bodies fly very far */
    stall_state stall;
    ending_state ending;

    uint64_t events[EVENT_KINDS];
    frame_tallies tallies;
    bool tally_three_body;

    struct base *base;   /* the state at the last re-basing (save.c) */
    uint64_t since_base; /* events since then, transfers too */
    fel *queue;
    struct neighbor_lists *lists; /* one of these two; neither for the reference */
    struct cell_grid *cells;
} gas;

/* Is the stable rule the one that finds collisions? The kernels that know no other (CAROM_REMEDIES 0) do not ask. */
static inline bool is_stable(const gas *g)
{
#if CAROM_REMEDIES
    return g->settings->detection == DETECTION_STABLE;
#else
    (void)g;
    return true;
#endif
}

static inline real radius_of(const gas *g, uint32_t i)
{
    return g->radius[g->body[i].kind];
}

/* How far from its centre a body interacts, at the end of a growth. */
static inline real extent_of(const gas *g, uint32_t i)
{
    return g->radius[g->body[i].kind] * g->grow_to * g->reach;
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

/* Energy of motion, without that of spins, times 2^(2 scale). */
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

/* Is it still so, or has the partner changed since? */
static inline bool holds(const gas *g, const next_event *e)
{
    return !is_pair(e) || g->body[e->partner].stamp == e->stamp;
}

/* Of two events at one time. */
static __attribute__((noinline, unused)) bool tie_before(uint32_t i, const next_event *a, uint32_t j,
                                                         const next_event *b)
{
    bool pair_a = is_pair(a), pair_b = is_pair(b);
    if (pair_a != pair_b) return pair_a;
    uint32_t low_a = pair_a && a->partner < i ? a->partner : i, low_b = pair_b && b->partner < j ? b->partner : j;
    uint32_t high_a = pair_a && a->partner < i ? i : a->partner, high_b = pair_b && b->partner < j ? j : b->partner;
    bool virtual_a = a->partner >= PARTNER_TRANSFER, virtual_b = b->partner >= PARTNER_TRANSFER;
    if (virtual_a != virtual_b) return virtual_b;
    if (low_a != low_b) return low_a < low_b;
    return high_a < high_b;
}

/* The total order of events: (time, kind, id, id); the pair's smaller id first. Bookkeeping comes last. */
static inline bool event_before(uint32_t i, const next_event *a, uint32_t j, const next_event *b)
{
    if (a->time < b->time) return true;
    return a->time == b->time && a->time < REAL_NEVER && tie_before(i, a, j, b);
}

static inline void plan_nothing(plan *p)
{
    p->first = p->second = (next_event){REAL_NEVER, PARTNER_NONE, 0};
}

/* Improves the plan of i by an event. */
static inline void consider(plan *p, uint32_t i, next_event e)
{
    if (!(e.time < REAL_NEVER)) return;
    if (event_before(i, &e, i, &p->first)) {
        p->second = p->first;
        p->first = e;
    } else if (event_before(i, &e, i, &p->second))
        p->second = e;
}

#endif
