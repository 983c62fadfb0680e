/* The state of asynchronous variational contact (Vouga, Harmon, Tamstorf, Grinspun, paper 3), and the flight of a node.
 *
 * A *node* is a particle: mass, core radius, and the parabola on which it flies until the next kick. All potentials
 * with the same step act together, at multiples of it, on their *clock*. A pair (of nodes, or a node and a surface)
 * whose penalty layers 1 .. n are active is a *contact*, with a *touch* on the clock of each of these layers.
 * Inactive layers have certificates: see schedule/nominal.h. */
#ifndef CAROM_VARIATIONAL_WORLD_H
#define CAROM_VARIATIONAL_WORLD_H

#include "variational/kernel/constants.h"

#include "base/components.h"
#include "base/nearest.h"
#include "base/team_size.h"
#include "base/vec.h"
#include "frame/snapshot.h"
#include "queue/fel.h"
#include "variational/kernel.h"
#include "variational/kernel/features/list.h"
#include "variational/settings.h"

#include <math.h>
#include <string.h>

enum { DIM = CAROM_DIM, NONE = UINT32_MAX };

/* variational.contact: the treatment of a pair at the moment at which it reaches a layer. IMPULSES: an impulse
 * reverses its approach at once, and no layer acts. REALIGNED: the layer's clock begins then. In both modes each
 * layer of a contact has a clock of its own, and certificates end at that moment, not before it. */
enum { IMPULSES = CAROM_CONTACT == 1, REALIGNED = CAROM_CONTACT == 2, OWN_CLOCKS = IMPULSES || REALIGNED };

/* For loops that are compiled once for each of their kinds, with all calls inlined. */
#define HOT static inline __attribute__((always_inline))

/* Free: a parabola between kicks. Driven: a straight line given by the scene. Rigid: the position follows from its
 * body. Absent: not in the system at present (features/reserve.h). */
typedef enum node_kind { NODE_FREE, NODE_DRIVEN, NODE_RIGID, NODE_ABSENT } node_kind;

/* One cache line: all data of a node that a force reads. */
typedef struct node {
    double x[DIM], v[DIM]; /* at time t */
    double t;              /* time of its last kick */
    node_kind kind;
} __attribute__((aligned(64))) node;

static inline bool node_is_free(const node *a)
{
    return a->kind == NODE_FREE;
}

static inline bool node_is_driven(const node *a)
{
    return a->kind == NODE_DRIVEN;
}

static inline bool node_is_absent(const node *a)
{
    return a->kind == NODE_ABSENT;
}

/* No force moves it. */
static inline bool node_is_held(const node *a)
{
    return node_is_driven(a) || node_is_absent(a);
}

static inline bool node_is_rigid(const node *a)
{
    return a->kind == NODE_RIGID;
}

/* A wall or plane: n.(x - point) > 0 is the free side. */
typedef struct surface {
    double point[DIM], normal[DIM], velocity[DIM];
    double t;       /* time at which it was at `point` */
    uint32_t law;   /* 0: that of the walls of the box */
    bool driven;    /* by the scene, at some time of the run */
    int axis, side; /* those of a wall of the box; axis -1: a plane of the scene */
} surface;

/* The contact law of a pair of species. */
typedef struct law {
    const restitution_law *restitution;
    double friction, cohesion; /* cohesion: a force */
    bool rubs;                 /* energy that its normal forces exchange with other contacts counts as friction's */
} law;

/* One layer of one contact. */
typedef struct touch {
    uint32_t i, j; /* j: node, or the number of a surface */
    uint32_t contact;
    uint32_t law;
    double reach; /* distance at which the gap is 0 */
    double least; /* smallest gap since the layer began to act, or of the impact; infinite while it does not act */
} touch;

/* Touches of one clock, in order of (i, j) up to `sorted`, then those added since. */
typedef struct batch {
    touch *at;
    uint32_t count, sorted, capacity, dead; /* dead: touches whose contact is NONE, to be removed */
} batch;

#define KIND(kind, feature) CLOCK_##kind,
typedef enum clock_kind { VARIATIONAL_CLOCKS(KIND) CLOCK_LAYER } clock_kind;
#undef KIND

typedef struct clock {
    double step;
    double tick;          /* the next firing is at tick * step; an integer */
    double origin;        /* OWN_CLOCKS, of layers: at origin + tick * step */
    uint64_t pair;        /* OWN_CLOCKS: the pair of the contact; it orders clocks that fire at the same time */
    uint64_t rank;        /* orders clocks that fire at the same time */
    uint32_t place;       /* in the heap; NONE: stopped */
    uint32_t kind, group; /* clock_kind; layers and shells: class; user's potentials: number */
    uint32_t layer;
    double thickness; /* 2 eta / l */
    double strength;  /* h_l p k_p l^(p+1): impulse = strength (thickness - gap)^(p-1) */
    batch pairs, surfaces, linked;
} clock;

/* Data of a dissipative contact on the present impact: see restitution.c. */
typedef struct restitution_state {
    double ratio;    /* coefficient of restitution; negative: not determined yet */
    double budget;   /* energy that the contact may still return; negative: it has returned too much */
    double stored;   /* energy of the layers at the last kick */
    double left;     /* normal velocity after the last kick */
    double fastest;  /* largest normal speed before a kick */
    double together; /* number of contacts that act in parallel with this one */
    bool turned;     /* the pair has reversed in this impact */
    bool loaded;     /* other forces have acted on the pair in this impact */
} restitution_state;

/* Data of a contact with friction on the present impact: see friction.c. */
typedef struct friction_state {
    double pending;     /* normal impulse that friction has not used yet */
    double stored;      /* energy of the springs, with those of rolling */
    double slip[DIM];   /* sliding distance */
    double anchor[DIM]; /* rest position of the tangential spring. The row of ball_friction.c ends here */
    double normal[DIM]; /* at the last kick or tick */
    double left[DIM];   /* velocity after the last kicks */
    bool anchored;
} friction_state;

/* A pair whose layers 1 .. n are active. The lines of the cache: the pair, restitution, two of friction, shares. */
typedef struct contact {
    uint32_t i, j; /* elements, i < j; j >= NODES: surface j - NODES (next free record, if n is 0) */
    bool linked;   /* see element_kinds.h */
    uint32_t n;
    uint32_t law, class;
    uint32_t deepest;   /* deepest layer that has acted in the present impact; 0: no impact */
    double reach, mass; /* mass: reduced; if linked, its lower bound */
    double deep_since;  /* time at which it passed layer LAYER_BINS */
    double closest;     /* smallest gap of the present impact; touches that act may hold a smaller one */
    restitution_state restitution;
    friction_state friction;
    double share[2][3]; /* linked: shares of the ends of i and j in their closest points */
} __attribute__((aligned(64))) contact;

enum { NODES = 0x80000000u }; /* contact.j and neighbour.partner: first number of surfaces */

/* A contact by its pair. Sums over contacts are in this order, not in that of the pool. */
typedef struct ranked {
    uint32_t i, j, contact;
} ranked;

/* An impulse on element i, and its opposite on j. */
typedef struct kick {
    uint32_t i, j;               /* j: also a surface, or NONE */
    uint32_t linked;             /* 1 + contact that holds the shares of the ends; 0: nodes */
    bool turns;                  /* acts at the surfaces, with torques (variational.rotation) */
    double impulse[DIM], r[DIM]; /* r: from j, or from any point of a surface, to i */
} kick;

/* Result of a contact in a batch. */
typedef struct response {
    double normal[DIM], place[DIM]; /* place: from j to i */
    double mass, layer;             /* reduced mass along the normal; normal impulse of the layer */
    double push[DIM];               /* friction's impulse on i */
    double friction, restitution;   /* energy that each of them has dissipated */
    double velocity[DIM];           /* slides: of the centres, before the batch */
    double impulse;                 /* normal impulse of the contact */
    double before;                  /* normal velocity before the batch */
    double held;                    /* energy of the layers */
    double rolling, twisting;       /* parts of `friction`. The row of ball_ledger.c ends here */
    kick *kick;
    uint32_t contact, law;
    bool parted; /* the first layer does not act: end of the impact */
    bool slides; /* its friction is found with that of other contacts: ball_friction.h */
} response;

/* Result of pressing a touch, as bits. Those from PRESSED_FAR on are handled by the batch. */
enum {
    PRESSED_ACTS = 1,     /* there is a kick */
    PRESSED_RESPONDS = 2, /* there is a response */
    PRESSED_FAR = 4,      /* the layer does not act, and may become inactive */
    PRESSED_BEGINS = 8,   /* an impact begins */
    PRESSED_DEEP = 16,    /* the pair is in one of the deepest layers */
    PRESSED_OVER = 32     /* the impact ends */
};

typedef struct note {
    uint32_t at; /* touch of the batch */
    unsigned pressed;
} note;

typedef enum batch_kind { BATCH_PAIRS, BATCH_SURFACES, BATCH_LINKED } batch_kind;

/* Sums over kicks: the virial of those between two elements, the work of those on driven elements, and impulses on
 * walls. */
typedef struct tally {
    double virial[3][3], wall[3][2], work;
} tally;

/* Touches that one thread presses one after the other. Their kicks, responses and notes begin at `slot`. */
typedef struct block {
    batch *touches;
    batch_kind kind;
    uint32_t first, count, slot, kicks, responses, notes;
} block;

typedef struct pending_nodes {
    uint32_t *at;
    uint32_t count;
} pending_nodes;

/* An entry in a node's list of neighbours. */
typedef struct neighbour {
    uint32_t partner; /* element, or NODES + surface */
    uint32_t contact;
    double until; /* certificate in this list; of the two of a pair, the later one holds */
} neighbour;

typedef struct list {
    neighbour *at;
    uint32_t count, capacity;
} list;

/* The bound of a node's flight: see schedule/nominal.h. One cache line. */
typedef struct flight_bound {
    double centre[DIM]; /* position of the nominal motion at `until` */
    double until;       /* the flight stays within tau of the nominal motion up to then */
    double radius2; /* squared radius of the ball around the centre in which the flight must then end; negative: none */
} __attribute__((aligned(64))) flight_bound;

/* The next check of an element. */
typedef struct recheck {
    double due;  /* time in the queue */
    double next; /* earliest end of a certificate or of the validity of the list */
    float gap;   /* meshes: smallest distance to a neighbour's layers at the last full check */
} recheck;

/* One cache line. */
typedef struct nominal {
    double x[DIM], v[DIM], t;
    float tau;
    bool straight; /* without gravity */
} __attribute__((aligned(64))) nominal;

/* A nominal motion at some time. */
typedef struct motion {
    components x, v;
    bool falls;
} motion;

/* A segment between two nodes that takes part in contacts: of the scene, or an edge of a mesh. */
typedef struct rod {
    uint32_t a, b;
} rod;

/* A triangle of a mesh. */
typedef struct face {
    uint32_t corner[3];
} face;

typedef struct spring {
    uint32_t i, j;
    double stiffness, damping, length;
    double lost, speed,
        n[DIM]; /* of the present tick: the dashpot's impulse; rate of lengthening before it; direction */
} spring;

typedef struct hinge {
    uint32_t a, b, c;
    double stiffness, angle;
} hinge;

/* Elements of each kind: nodes, then rods (segments, then edges of meshes) from `count` on, then faces. */
typedef struct topology {
    uint32_t balls;                  /* nodes other than vertices of meshes */
    uint32_t edges_from, faces_from; /* first edge and first face, as numbers of elements */
    rod *rod;
    face *face;
    uint32_t rod_count, face_count;
    uint32_t *first_part, *part; /* rods and faces that end at node i are part[first_part[i] .. first_part[i + 1]) */
    uint32_t *mesh_of;    /* [count] mesh whose vertex a node is; NONE: it is a particle. NULL: there are no meshes */
    uint32_t *mesh_first; /* [meshes] particle of its first vertex */
    bool *mesh_absent;    /* [meshes] not in the system at present; NULL: no mesh appears or vanishes */
} topology;

typedef struct domain {
    double size[DIM];
    double box[DIM], inverse_box[DIM];                         /* 0 on axes that are not periodic */
    double gravity[DIM], half_gravity[DIM], gravity_magnitude; /* gravity of flights: 0 if gravity acts in kicks */
    bool periodic;                                             /* on at least one axis */
    surface *surface;
    uint32_t surface_count;
} domain;

/* Clocks, and the heap that gives the next to fire. */
typedef struct schedule {
    clock *clock;
    uint32_t clock_count, clock_capacity;
    uint32_t *heap;
    uint32_t heap_count;
    uint32_t **layer_clock; /* [row_of(contact)][layer - 1]: clock; NONE: not made yet */
    uint32_t *layer_count;  /* [row]: layers in the row */
    uint32_t class_count;
} schedule;

typedef struct contact_pool {
    contact *contact;
    ranked *ranked; /* room for all of them */
    uint32_t contact_count, contact_capacity, contact_free;
    uint32_t begun; /* contacts since the pool was arranged */
    law *law;
    bool elastic; /* all laws are elastic, without friction */
} contact_pool;

/* Results of one firing of a clock. */
typedef struct firing {
    block *block;
    uint32_t block_count, block_capacity;
    kick *pressed;
    response *response;
    note *note;
    uint32_t slot_capacity; /* capacity of the three arrays above */
    kick *kick;             /* kicks outside blocks */
    uint32_t kick_count, kick_capacity;
} firing;

/* Nominal motions, the bounds of flights, and the times of their checks: schedule/nominal.h. */
typedef struct flights {
    flight_bound *flight_bound; /* [count] */
    recheck *recheck;           /* [elements] */
    nominal *nominal;           /* [count] */
    fel *queue;
    pending_nodes pending;         /* to be updated after all kicks of the present time */
    pending_nodes *thread_pending; /* [threads] */
    uint8_t *pending_reason;       /* [count] pending_why */
    uint8_t *outcome;              /* [count] flight_outcome of the nodes that were pending */
    uint32_t *renewed;             /* [elements] elements with new nominal motions of their own or of their ends */
    uint32_t renewed_count;
    bool *is_renewed; /* [elements - count] */
    double tau;       /* largest tolerance */
    double margin;    /* distance by which layers become active earlier than necessary, against rounding */
} flights;

typedef struct neighbours {
    list *list; /* [elements] */
    struct grid *grid;
    double spacing;     /* mesh_grid_spacing, */
    double period[DIM]; /* and the space of balls, at the start: a resumed run needs the same skins */
} neighbours;

typedef struct elastic_links {
    spring *spring;
    hinge *hinge;
    uint32_t spring_count, hinge_count;
    uint32_t stretched[2]; /* ends of a spring or of an arm of a hinge longer than LINK_REACH; NONE */
} elastic_links;

typedef struct rigid_nodes {
    uint32_t *body_of;     /* [count] body of a rigid node */
    struct bodies *bodies; /* NULL: there are none */
    uint32_t bodies_clock;
} rigid_nodes;

typedef struct driven_nodes {
    struct drives *drives; /* NULL: there are none */
    bool *free_first;      /* [count] nodes that are free until their drive begins; NULL: none */
    double drive_energy;   /* scale of the energy of an impact on a driven element */
} driven_nodes;

/* Progress of the run. All but quiet_* follows from the state. */
typedef struct progress {
    bool resumed, out_of_memory;
    uint64_t next_check; /* next check of the invariants, in units of `work` */
    uint64_t work;       /* elementary operations so far: touches, elements, checks; used only to limit slices */
    uint64_t quiet_since,
        quiet_checks;  /* numbers of events and of certificate checks at the last event with an effect */
    uint32_t squeezed; /* contact under unlimited compression by drives; NONE */
} progress;

typedef struct totals {
    uint64_t events[EVENT_KINDS];
    uint64_t layers[LAYER_BINS];
    double closest;
    frame_ledger ledger;
    tally sum; /* includes ledger.work */
} totals;

/* The smallest gap of elements of meshes at the start. Infinite: none is too small. */
typedef struct start_check {
    bool checking;
    bool given; /* positions are those of an earlier run: particles may be in contact */
    double gap;
    uint32_t i, partner;
} start_check;

typedef struct world world;

/* A replacement for the schedule of flights and certificates. It receives kicks, moves and ends of contacts. The
 * reference implementation registers one. Production code depends on these calls only. */
typedef struct observer {
    carom_status (*begin)(world *w, error *e); /* no layer is active, the clocks of materials run */
    void (*end)(world *w);
    double (*next)(const world *w);                                     /* time of the next event */
    carom_status (*step)(world *w, double until, bool *done, error *e); /* the next event, if it is not after `until` */
    void (*kicked)(world *w, uint32_t i);                               /* the certificates of node i are void */
    void (*moved)(world *w, uint32_t i); /* node i has a new velocity, or a surface near it has */
    void (*contact_ended)(world *w, uint32_t i, uint32_t partner); /* no contact of the two is possible from now on */
    void (*pairs_ended)(world *w);                                 /* follows the last of such calls */
    carom_status (*save)(const world *w, snapshot *out, error *e);
    carom_status (*load)(world *w, const snapshot *in, error *e); /* checks the data that it loads */
} observer;

struct world {
    const scene *scene;
    const variational_settings *settings;
    variational_choice choice;
    team_size team;
    uint32_t count;     /* nodes */
    uint32_t elements;  /* nodes, rods and faces */
    uint32_t *id;       /* [count] number of a node in the scene */
    uint32_t *index_of; /* [count] inverse of id */
    node *node;
    double *mass; /* [count] */
    /* [count] 0: driven. Of a rigid node: that of the particle, or, at a vertex of a solid, the largest over all
     * directions of an impulse. It is not in `node`, which in 3D has no room left in its cache line; of the parts of
     * a force, kicks alone read it. */
    double *inverse_mass;
    double *core;      /* [elements] radius less eta */
    double *radius;    /* [elements] */
    uint32_t *species; /* [elements] */
    double now, last_event;
    topology topology;
    domain domain;
    schedule schedule;
    contact_pool contacts;
    firing batch;
    flights flights;
    neighbours neighbours;
    rigid_nodes rigid;
    driven_nodes driven;
    elastic_links elastic_links;
    struct spins *spins;               /* NULL: particles do not rotate */
    struct hertz *hertz;               /* features/hertz.h; NULL: all contacts have the stiffness of the clocks */
    struct reserve *reserve;           /* NULL: the number of bodies is constant */
    struct presence *presence;         /* features/presence.h; NULL: no mesh appears or vanishes */
    struct shells *shells;             /* NULL: none */
    struct elastic_rods *rods;         /* NULL: none */
    struct vertex_loads *vertex_loads; /* NULL: none */
    struct potentials *potentials;
    struct impacts *impacts;  /* response/record.h; NULL: events are not recorded */
    struct loads *loads;      /* response/loads.h; NULL: impulses of contacts are not requested */
    const observer *observer; /* NULL: the schedule of this kernel applies */
    void *observed;           /* the observer's own state */
    start_check start;
    progress progress;
    totals totals;
};

/* 1 / (the longest step of an element on its own): by its stiffness, and by its damping. */
typedef struct step_rates {
    double pull, drag;
} step_rates;

static inline void node_set_driven(world *w, uint32_t i)
{
    w->node[i].kind = NODE_DRIVEN;
    w->inverse_mass[i] = 0;
}

/* ---- flight ------------------------------------------------------------------------------------------------------ */

static inline components node_position(const world *w, const node *a, double t)
{
    const double dt = t - a->t, fall = node_is_free(a) ? dt : 0;
    return components_at(a->x) + dt * (components_at(a->v) + fall * components_at(w->domain.half_gravity));
}

static inline components node_flight_velocity(const world *w, const node *a, double t)
{
    const double fall = node_is_free(a) ? t - a->t : 0;
    return components_at(a->v) + fall * components_at(w->domain.gravity);
}

static inline void position_at(const world *w, const node *a, double t, double x[DIM])
{
    components_put(node_position(w, a, t), x);
}

static inline void velocity_at(const world *w, const node *a, double t, double v[DIM])
{
    components_put(node_flight_velocity(w, a, t), v);
}

static inline void surface_at(const surface *s, double t, double x[DIM])
{
    for (int k = 0; k < DIM; k++) x[k] = s->point[k] + (t - s->t) * s->velocity[k];
}

/* fmin and fmax are calls because of NaNs, which do not occur here. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static inline double size(const double *a)
{
    return sqrt(dot(a, a));
}

/* The nearest image of a distance. */
static inline components to_nearest_image(const world *w, components r)
{
    return r - components_at(w->domain.box) * components_whole(r * components_at(w->domain.inverse_box));
}

static inline void nearest_image(const world *w, double r[DIM])
{
    for (int k = 0; k < DIM; k++) r[k] -= w->domain.box[k] * nearest_whole(r[k] * w->domain.inverse_box[k]);
}

#endif
