/* The state of the engine `hard`, as one kernel (dimension, number type) sees it.
 *
 * Each body is at its own time (delayed states): it changes only in a collision or when the clock is re-based, never
 * because of neighbour lists, frames or checkpoints. Therefore every prediction is a function of the stored states
 * alone, and any way of finding the pairs gives the same bits.
 *
 * Clocks. Local time runs from the last re-basing: true time = origin + local * 2^scale. Stored velocities are the
 * true ones times 2^scale: a gas that cools for ever is rescaled by powers of two, which are exact. */
#ifndef CAROM_HARD_KERNEL_GAS_H
#define CAROM_HARD_KERNEL_GAS_H

#include <stdalign.h>
#include <string.h>

#include "engine/engine.h"
#include "hard/kernel/names.h"
#include "hard/settings.h"
#include "queue/fel.h"

#define DIM CAROM_DIM
enum { TURN = DIM == 3 ? 3 : 1 }; /* components of a spin */

/* Adding and taking away this constant rounds to an integer (ties to even), without a library call. */
#if CAROM_REAL == 0
#define REAL_ROUNDER 0x1.8p52
#elif CAROM_REAL == 1
#define REAL_ROUNDER 0x1.8p63L
#elif CAROM_REAL == 2
#define REAL_ROUNDER 0x1.8p112Q
#else
#define REAL_ROUNDER 0x1.8p23f
#endif

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
#define PARTNER_SURFACE 0xffff0000u /* + surface: first the walls of the box, then the planes */
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
        struct {            /* where there are lists: */
            real home[DIM]; /* where the body was when its list was built, */
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
struct solids;
struct motion;
struct pose;
struct stepped;

/* What a body still has before it from a heat bath. */
typedef struct heat_bath {
    real *next;      /* local time of its next kick, */
    uint64_t *kicks; /* and how many it has had */
} heat_bath;

/* What flows through the gas between two events, in true units. */
typedef struct transport {
    double flow[DIM][DIM], heat_flow[DIM]; /* sums over all bodies: m v_a v_b, and v_a m v^2 / 2 */
    real since;                            /* local time up to which their integrals are in the tallies */
    double energy, virial[3][3];           /* of the pair that collides, and the tally, before */
} transport;

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
    real (*spin)[TURN];    /* scaled as velocities are; NULL unless the scene is rough */
    int32_t (*image)[DIM]; /* unwrapped position = r + image * box */
    bool *asleep;          /* NULL unless the policy is sleep */
    uint16_t *slow;        /* consecutive slow contacts; NULL unless the policy is sleep */
    uint32_t *touched;     /* what was hit last, a body or PARTNER_SURFACE + surface; NULL unless the policy is sleep */
    real (*mark)[DIM];     /* where it was some contacts ago; NULL unless the policy is sleep */
    real *check;           /* when a sleeper that others hold has to be looked at; NULL unless the policy is sleep */
    real holding;          /* how far apart they may be that hold a sleeper; 0 unless the policy is sleep */
    real touching;         /* how far apart bodies are that count as touching; 0 unless the policy is sleep */
    uint32_t *woken;       /* bodies that woke up in the event at hand, to be scheduled */
    uint32_t woken_count;
    plan *plan;
    heat_bath *bath;      /* NULL unless the scene has a thermostat */
    transport *transport; /* NULL unless asked for */

    real box[DIM]; /* 0 on axes that are not periodic */
    real inverse_box[DIM];
    real size[DIM]; /* on every axis */
    real gravity[DIM];
    bool has_gravity;
    bool sheared;       /* the images of the box along y slide along x: */
    real offset, slide; /* how far they have come at local time 0, less whole boxes, and how fast they are */
    real *settled;      /* local time when each body's list was built; NULL unless sheared */
    real upright;       /* local time when the grid of homes was */
    surface *surface;
    uint32_t surface_count;
    struct solids *solids; /* meshes; NULL: there are none (meshes.h) */
    struct motion *motion; /* of each drive; NULL: nothing moves (motion.h) */
    real lookahead;        /* local time for which what moves is looked at in one go */
    real growth;           /* radius(t) = radius * (1 + growth * t); 0 but in a compression, before a run or as one */
    real grow_to;          /* what that factor may become; 1 but in a compression */
    struct {
        double kinetic;    /* energy of motion at the start, */
        double virial;     /* trace of the virial, */
        double pressure;   /* and P V / (N T), as of the last re-basing */
    } squeeze;             /* of a run that compresses */
    real reach;            /* contact distances at which pairs begin to interact; 1 without potentials */
    struct stepped *steps; /* NULL unless the scene has potentials or bonds */

    bool free_axis[DIM]; /* periodic, and no surface or sleeper singles a place or velocity out */
    double drift[DIM];   /* true velocity at the start, along free axes, of the frame that everything else is in, */
    double fall[DIM];    /* and its acceleration, along axes that nothing holds */
    real now;            /* local time of the last event of any kind, */
    real last_event;     /* and of the last physical one */
    double origin, origin_low; /* true time of local time 0, as an unevaluated sum */
    int64_t scale;
    int base_exponent;       /* of the r.m.s. velocity at the start */
    uint64_t since_rebase;   /* physical events */
    uint64_t idle;           /* transfers since the last physical event */
    real idle_since;         /* local time of the last transfer, */
    uint64_t idle_count;     /* and how many have happened at that instant */
    uint32_t witness[2];     /* two bodies (or one and a surface) that will meet, in an open box, */
    uint64_t witness_stamps; /* if their stamps still add up to one less than this */

    uint64_t *emissions;   /* each body's hits of thermal walls; NULL: there are none (thermal.c) */
    real *last_contact;    /* local time of each body's last collision; NULL unless the policy is tc */
    real *stall_time;      /* collapse detector: start of each body's row of collisions without progress, */
    uint32_t *stall_count; /* and how many they are; 0: no such row */
    bool stalls;           /* has there been any? */
    real span;             /* local time between the last re-basings: the longest, halved with each */

    uint64_t events[EVENT_KINDS];
    frame_tallies tallies;
    uint64_t *impact;
    bool tally_three_body;

    fel *queue;
    struct neighbor_lists *lists; /* one of these two; neither for the reference */
    struct cell_grid *cells;
} gas;

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

/* ---- flight ---------------------------------------------------------------------------------------------------- */

/* Acceleration along axis k: bodies that sleep do not fall. */
static inline real acceleration(const gas *g, uint32_t i, int k)
{
    return g->asleep != NULL && g->asleep[i] ? 0 : g->gravity[k];
}

/* ---- shear.c: boxes whose images along y slide along x ----------------------------------------------------------- */

void shear_set(gas *g); /* and adds the flow to the velocities */

/* Takes a difference of positions at local time t, and of velocities, to the image that is nearest after `ahead`. */
void shear_nearest(const gas *g, real t, real ahead, real r[DIM], real v[DIM]);

/* Takes something at local time t back into the box, and counts the images. */
void shear_wrap(const gas *g, real t, real r[DIM], real v[DIM], int32_t image[DIM]);

/* As `fly`. */
void shear_fly(gas *g, uint32_t i, real t);

/* Homes of lists go with the flow; they are kept where they were at `upright`. Makes where i is now its home; from now
 * back to then, and forth; how far what was upright leans. */
void shear_home(gas *g, uint32_t i, real home[DIM]);
void shear_back(const gas *g, real home[DIM]);
void shear_forth(const gas *g, real home[DIM]);
real shear_lean(const gas *g);

/* Makes the position d of i that from its home, v that relative to it; local time when homes within reach of each other
 * have slid by `skin`. */
real shear_due(const gas *g, uint32_t i, const real home[DIM], real skin, real reach, real d[DIM], real v[DIM]);

/* Where a home lies as the box `above` (1, or -1: below) sees it. */
void shear_seen(const gas *g, const real home[DIM], real above, real seen[DIM]);

/* What a change of the velocity along x does to the energy of i. */
double shear_gain(const gas *g, uint32_t i, real before, real after);

/* The work of an impulse on i, faster `before` it, on a body whose image moves `lead` slower than itself. */
void shear_work(gas *g, uint32_t i, real before, real lead);

/* How far the box above has come along x, less whole boxes. */
double shear_slid(const gas *g, real t);

/* The clock is set back by t, or velocities are multiplied by 2^bits. */
void shear_rebase(gas *g, real t);
void shear_rescale(gas *g, int bits);

static inline void position_at(const gas *g, uint32_t i, real t, real r[DIM])
{
    const body *b = &g->body[i];
    real dt = t - b->t;
    for (int k = 0; k < DIM; k++) r[k] = b->r[k] + dt * (b->v[k] + acceleration(g, i, k) * (dt / 2));
}

/* The pair's distance vector r_i - r_j and relative velocity at local time t, for the image of j that is nearest at
 * local time `now`. Exactly antisymmetric in i and j. */
static inline void relative_at(const gas *g, uint32_t i, uint32_t j, real t, real now, real r[DIM], real v[DIM])
{
    const body *a = &g->body[i], *b = &g->body[j];
    real dt_a = t - a->t, dt_b = t - b->t;
    for (int k = 0; k < DIM; k++) {
        real g_a = acceleration(g, i, k), g_b = acceleration(g, j, k);
        real r_a = a->r[k] + dt_a * (a->v[k] + g_a * (dt_a / 2));
        real r_b = b->r[k] + dt_b * (b->v[k] + g_b * (dt_b / 2));
        v[k] = (a->v[k] + g_a * dt_a) - (b->v[k] + g_b * dt_b);
        r[k] = r_a - r_b;
        if (g->sheared) continue;
        real image = (r[k] + v[k] * (now - t)) * g->inverse_box[k];
        image = (image + REAL_ROUNDER) - REAL_ROUNDER;
        r[k] -= image * g->box[k];
    }
    if (g->sheared) shear_nearest(g, t, now - t, r, v);
}

/* Brings body i to local time t and, on periodic axes, back into the box: its stored state changes. */
static inline void fly(gas *g, uint32_t i, real t)
{
    if (g->sheared) {
        shear_fly(g, i, t);
        return;
    }
    body *b = &g->body[i];
    real dt = t - b->t;
    for (int k = 0; k < DIM; k++) {
        real a = acceleration(g, i, k);
        b->r[k] += dt * (b->v[k] + a * (dt / 2));
        b->v[k] += a * dt;
        real turns = real_floor(b->r[k] * g->inverse_box[k]);
        if (turns != 0) {
            b->r[k] -= turns * g->box[k];
            g->image[i][k] += (int32_t)turns;
        }
    }
    b->t = t;
    b->stamp++;
}

static inline real dot(const real a[DIM], const real b[DIM])
{
    real sum = a[0] * b[0];
    for (int k = 1; k < DIM; k++) sum += a[k] * b[k];
    return sum;
}

/* Contact distance of a pair at local time t. */
static inline real contact_distance(const gas *g, uint32_t i, uint32_t j, real t)
{
    real s = radius_of(g, i) + radius_of(g, j);
    return g->growth == 0 ? s : s * (1 + g->growth * t);
}

static inline real later(real a, real b)
{
    return a > b ? a : b;
}

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

/* ---- detect.c -------------------------------------------------------------------------------------------------- */

/* Local time of the next collision of i and j (REAL_NEVER: none), as known at local time `now`. */
real detect_pair(const gas *g, uint32_t i, uint32_t j, real now);

/* Local time of the next contact of i with a wall or plane; one that moves is looked at for a while only. */
real detect_surface(const gas *g, uint32_t i, uint32_t index);

/* Improves `best` by the next contact of i with a wall or plane. */
void detect_surfaces(const gas *g, uint32_t i, next_event *best);

/* Does the pair overlap at local time `now`? */
bool detect_overlaps(const gas *g, uint32_t i, uint32_t j, real now);

/* ---- remedies.c: what stands in for the rule where hard.detection says so ---------------------------------------- */

/* As detect_pair, for a pair that is at r, v, contact distance s, at local time t. */
real remedy_pair(const gas *g, uint32_t i, uint32_t j, real t, const real r[DIM], const real v[DIM], real s);

/* Local time of the next contact of i with a surface at `distance`, approached at -speed and -pull. */
real remedy_surface(const gas *g, uint32_t i, const surface *s, real pull, real speed, real distance);

/* ---- predict.c ------------------------------------------------------------------------------------------------- */

/* Improves the plan of i by those on a list (padded with i itself to a multiple of 8). */
void predict(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p);

/* Improves the plan of i by walls and planes. */
void plan_surfaces(const gas *g, uint32_t i, plan *p);

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

/* ---- collide.c ------------------------------------------------------------------------------------------------- */

/* Carries out what body i's next event says, at local time t. */
void collide_pair(gas *g, uint32_t i, uint32_t j, real t);

/* Adds an impulse, per r, to the virial. */
void tally_pair(gas *g, const real r[DIM], real impulse_per_r, double dissipated);
void collide_surface(gas *g, uint32_t i, uint32_t index, real t);
void collide_element(gas *g, uint32_t i, uint32_t index, real t);

/* ---- rough.c: spheres that turn ---------------------------------------------------------------------------------- */

/* What a contact does along the surfaces; v: the velocity before it, of i relative to j or of i. The pair is
 * r = r_i - r_j apart; along the normal the body moves at `approach` < 0, and `press` is the size of the impulse. */
void rough_pair(gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM], const restitution_law *law,
                real press);
void rough_surface(gas *g, uint32_t i, const surface *s, const real v[DIM], real approach, const restitution_law *law,
                   real press);

/* Is there a surface that drags along what slides on it? */
bool rough_surfaces(const gas *g);

/* ---- thermal.c: thermal walls ------------------------------------------------------------------------------------ */

bool thermal_create(gas *g); /* false: no memory */

/* Body i has hit something of that temperature, of unit normal n, which moves at u. */
void thermal_emit(gas *g, uint32_t i, const real n[DIM], const real u[DIM], double temperature);

/* ---- bath.c: a heat bath at rest --------------------------------------------------------------------------------- */

bool bath_create(gas *g); /* false: no memory */
void bath_destroy(gas *g);
void bath_start(gas *g); /* draws the first kicks */
void bath_kick(gas *g, uint32_t i, real t);

/* Clocks are set back by t, or velocities multiplied by 2^bits. */
void bath_rebase(gas *g, uint32_t i, real t);
void bath_rescale(gas *g, uint32_t i, int bits);

static inline void plan_kick(const gas *g, uint32_t i, plan *p)
{
    if (g->bath != NULL) consider(p, i, (next_event){g->bath->next[i], PARTNER_KICK, 0});
}
/* ---- steps.c, steps_plan.c, steps_make.c: potentials in steps and bonds, where there are some (g->steps) ------------------------- */

/* Local time at which the pair collides or crosses the next step. */
real steps_detect(const gas *g, uint32_t i, uint32_t j, real now);

/* Improves the plan of i by all that it is linked with; by those on a list (as for predict) that it is not linked with. */
void plan_links(const gas *g, uint32_t i, plan *p);
void plan_unlinked(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p);

/* Carries out what the pair does at local time t. */
carom_status steps_event(gas *g, uint32_t i, uint32_t j, real t, error *e);

bool steps_linked(const gas *g, uint32_t i, uint32_t j);
double steps_energy(const gas *g); /* true units */
uint64_t steps_hash(const gas *g);

/* Makes g->steps; who is linked follows from the places of the bodies, which are in the order of the scene. */
carom_status steps_create(gas *g, const initial_state *state, error *e);
void steps_destroy(gas *g);
carom_status steps_save(const gas *g, snapshot *out, error *e);
carom_status steps_load(gas *g, const snapshot *in, error *e);

/* The bodies have been sorted: from[i].item was the place of what is now at i. */
struct curve_place;
void steps_reorder(gas *g, struct curve_place *from);

/* ---- motion.c -------------------------------------------------------------------------------------------------- */

carom_status motions_create(gas *g, error *e);
void motions_destroy(gas *g);

/* After local time has got another origin. */
void motions_rebase(gas *g);

/* Of a plane or a mesh of the scene (else SIZE_MAX); NULL: it stands still. */
const struct motion *motion_of(const gas *g, size_t plane, size_t solid);

/* Where a surface is at local time t. */
void surface_pose(const surface *s, real t, struct pose *p, real point[DIM]);

/* ---- meshes.c -------------------------------------------------------------------------------------------------- */

carom_status meshes_create(gas *g, const initial_state *state, error *e);
void meshes_destroy(gas *g);

/* Improves the plan of i by triangles, up to what it knows already: the later this comes the better. */
void meshes_plan(const gas *g, uint32_t i, plan *p);

static inline void plan_meshes(const gas *g, uint32_t i, plan *p)
{
    if (g->solids != NULL) meshes_plan(g, i, p);
}

/* Improves `best` by them, looking at all; false after `limit`, which this may bring forward. */
void meshes_detect(const gas *g, uint32_t i, next_event *best, real *limit);

/* Shows their vertices, behind the bodies, at local time t. */
void meshes_fill_frame(const gas *g, real t, carom_frame *f);

/* ---- transport.c: what flows through the gas --------------------------------------------------------------------- */

bool transport_create(gas *g);                                      /* false: no memory */
void transport_sum(gas *g);                                         /* what flows now */
void transport_reach(gas *g, real t);                               /* integrates up to t, */
void transport_before(gas *g, uint32_t i, uint32_t j, real t);      /* likewise; i and j will change */
void transport_after(gas *g, uint32_t i, uint32_t j, real t);       /* they have */
void transport_rebase(gas *g);                                      /* now is the origin of time */
void transport_look(const gas *g, real t, frame_transport *moment); /* the moments at t */

/* ---- lists.c: neighbour lists; more in lists.h ------------------------------------------------------------------- */

carom_status lists_create(gas *g, error *e);
void lists_destroy(gas *g);

/* Plans body i from nothing. */
void lists_plan(gas *g, uint32_t i);

/* Builds all lists anew from the positions at local time g->now. */
carom_status lists_rebuild(gas *g, error *e);

/* Builds the list of body i anew and updates those of its old and new neighbours. */
carom_status lists_renew(gas *g, uint32_t i, error *e);

size_t lists_bytes(uint32_t count);

/* ---- extent.c ---------------------------------------------------------------------------------------------------- */

/* The largest contact distance there is or, while spheres grow, will be; and the mean one of equals. */
real largest_contact(const gas *g);
real mean_contact(const gas *g);

/* How long the box is along an axis; in a compression, how short it may become: full of spheres. */
real least_size(const gas *g, int k);

/* Where the bodies are along an axis: the box or, if the axis is open, from the first body to the last. */
void span_of(const gas *g, int k, real *low, real *length);

/* ---- cells.c --------------------------------------------------------------------------------------------------- */

typedef struct cell_grid {
    uint32_t *head; /* [total]; the others of a cell hang on plan.next_in_cell */
    size_t total, room;
    uint32_t count[DIM];
    uint32_t *offset[DIM];                     /* [count + 2]: a cell's place in `head` is their sum */
    real *corner[DIM], width[DIM];             /* [count + 2]: where it begins, and how wide it is */
    uint32_t open_below[DIM], open_above[DIM]; /* coordinates of cells without an end */
} cell_grid;

/* Asks for the cells around i. */
static inline void cells_prefetch(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    const uint32_t *at = g->plan[i].cell;
    for (uint32_t z = at[DIM - 1] - 1; z <= at[DIM - 1] + 1; z++)
        for (uint32_t y = at[1] - 1; y <= at[1] + 1; y++)
            __builtin_prefetch(c->head + c->offset[0][at[0]] + c->offset[1][y] +
                               (DIM == 3 ? c->offset[DIM - 1][z] : 0));
}

/* Asks for the bodies in the cells around i. */
void cells_prefetch_bodies(const gas *g, uint32_t i);

/* Makes cells, or none (g->cells stays NULL) where the box is too narrow for them. */
carom_status cells_create(gas *g, error *e);
void cells_destroy(gas *g);

/* Finds the cell of each body anew, at local time g->now. */
carom_status cells_rebuild(gas *g, error *e);

/* Plans body i from nothing. */
void cells_plan(gas *g, uint32_t i);

/* Carries out the transfer that the plan of i says, and plans on. */
void cells_cross(gas *g, uint32_t i);

/* ---- schedule.c: one event a body in the shared queue ---------------------------------------------------------- */

carom_status schedule_create(gas *g, error *e);
void schedule_destroy(gas *g);
void schedule_all(gas *g);                               /* after a change of everything */
void schedule_one(gas *g, uint32_t i);                   /* after a change of body i, or of what it knows */
void schedule_planned(gas *g, uint32_t i);               /* after a change of its plan alone */
bool schedule_first(gas *g, uint32_t *i, next_event *e); /* the next event; false: there is none */

/* ---- reference.c: all pairs and a linear scan, the oracle ------------------------------------------------------ */

void reference_all(gas *g);
void reference_after(gas *g, uint32_t i, uint32_t j); /* j == i: only one body changed */
bool reference_first(const gas *g, uint32_t *i, next_event *e);

/* ---- squeeze.c: runs that compress --------------------------------------------------------------------------------- */

static inline bool is_squeezed(const gas *g)
{
    return g->settings->compression.rate > 0;
}

void squeeze_start(gas *g);

/* Makes box and walls fit the size. */
void squeeze_fit(gas *g);

/* Local time at which clocks have to be re-based, as spheres may not grow further. */
real squeeze_due(const gas *g);

/* What is due when clocks are re-based at local time t. */
void squeeze(gas *g, real t);

/* Surfaces that grow at `speed` do work in a contact. */
void squeeze_count_work(gas *g, real impulse, real speed);

/* ---- rebase.c -------------------------------------------------------------------------------------------------- */

bool rebase_due(const gas *g);

/* Brings all bodies to g->now, makes that the origin of local time, and rescales velocities when they have become
 * small. Happens at counts of physical events, so that it does not depend on the way events are found. */
void rebase(gas *g);

/* Takes the velocity of the centre of mass away along the free axes; `velocity` (may be NULL) receives it. */
void remove_drift(gas *g, real velocity[DIM]);

double gas_true_time(const gas *g, real local);
real gas_local_time(const gas *g, double time);

/* ---- order.c --------------------------------------------------------------------------------------------------- */

/* Sorts the bodies in space. What is planned is lost. */
void order_bodies(gas *g);

/* Puts element from[i].item of an array to place i, for all i, along the cycles; `held` has room for one. The keys say
 * what is done. */
struct curve_place;
void rearrange(void *array, size_t size, struct curve_place *from, uint32_t count, void *held);

/* ---- collapse.c, sleep.c --------------------------------------------------------------------------------------- */

/* Watches a collision of body i at local time t, the one before having been at `before`; false: inelastic collapse. */
bool collapse_watch(gas *g, uint32_t i, real t, real before);
void collapse_report(const gas *g, uint32_t i, error *e);

/* After a contact of i: puts it to sleep where it has been slow for a while and its contacts carry it. */
void sleep_after_contact(gas *g, uint32_t i);

/* Finds out how far apart bodies are that touch or hold each other: the height of a bounce at the sleeping speed, or 1 % of
 * the smallest radius; twice that height, or 5 %. */
void sleep_measure(gas *g);

/* Does body i meet what moves so, or stands still (NULL)? Who sleeps is hit only by what moves. */
static inline bool may_be_hit(const gas *g, uint32_t i, const struct motion *motion)
{
    return g->asleep == NULL || !g->asleep[i] || motion != NULL;
}

/* A sleeper is looked at that others hold, who may have gone. */
void sleep_check(gas *g, uint32_t i, real t);

static inline void plan_check(const gas *g, uint32_t i, plan *p)
{
    if (g->asleep != NULL && g->asleep[i]) consider(p, i, (next_event){g->check[i], PARTNER_CHECK, 0});
}

/* Puts i to sleep where it is. */
void sleep_now(gas *g, uint32_t i);

/* Body i has been hit hard: it wakes, and so does whatever it carried. */
void sleep_wake(gas *g, uint32_t i);

/* ---- gas.c ----------------------------------------------------------------------------------------------------- */

carom_status gas_create(void **self, const scene *s, const initial_state *state, unsigned tallies, error *e);
void gas_destroy(void *self);
carom_status gas_save(const void *self, snapshot *out, error *e);
carom_status gas_load(void *self, const snapshot *in, error *e);
void gas_fill_frame(void *self, double time, carom_frame *frame);
uint64_t gas_hash(const gas *g);

/* ---- run.c ----------------------------------------------------------------------------------------------------- */

/* After a change of everything: finds neighbours and events anew. */
carom_status gas_find_events(gas *g, error *e);

carom_status gas_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e);

#endif
