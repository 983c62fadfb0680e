/* The state of asynchronous variational contact (Vouga, Harmon, Tamstorf, Grinspun, paper 3), and how a node flies.
 *
 * A *node* is a particle: mass, core radius, and the parabola on which it flies until something kicks it. Potentials
 * with the same step fire together, at multiples of it, on their *clock*; a pair (of nodes, or a node and a surface)
 * whose penalty layers 1 .. n are awake is a *contact*, with a *touch* on the clock of each of these layers. Layers
 * that sleep have certificates: see schedule/nominal.h. */
#ifndef CAROM_VARIATIONAL_WORLD_H
#define CAROM_VARIATIONAL_WORLD_H

#include "variational/kernel/constants.h"

#include "base/nearest.h"
#include "base/vec.h"
#include "frame/snapshot.h"
#include "queue/fel.h"
#include "variational/kernel.h"
#include "variational/kernel/features/list.h"
#include "variational/settings.h"

#include <math.h>
#include <string.h>

enum { DIM = CAROM_DIM, NONE = UINT32_MAX };

/* variational.contact: what becomes of a pair at the very moment that it comes within a layer's reach. IMPULSES: it is
 * turned round at once, and no layer acts. REALIGNED: the layer's clock begins then. Either way each layer of a contact
 * has a clock of its own, and certificates end at that moment, not before it. */
enum { IMPULSES = CAROM_CONTACT == 1, REALIGNED = CAROM_CONTACT == 2, OWN_CLOCKS = IMPULSES || REALIGNED };

/* Loops that are compiled once for each of their kinds: with all that they call in place. */
#define HOT static inline __attribute__((always_inline))

/* Free: it flies by itself. Driven: it flies straight, as the scene says. Rigid: its body determines where it is. */
typedef enum node_kind { NODE_FREE, NODE_DRIVEN, NODE_RIGID } node_kind;

/* One cache line: all that a force needs of a node. */
typedef struct node {
    double x[DIM], v[DIM]; /* at time t */
    double t;              /* of its last kick */
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

static inline bool node_is_rigid(const node *a)
{
    return a->kind == NODE_RIGID;
}

/* A wall or plane: n.(x - point) > 0 is free. */
typedef struct surface {
    double point[DIM], normal[DIM], velocity[DIM];
    double t;       /* when it was at point */
    uint32_t law;   /* 0: the box's walls */
    bool driven;    /* by the scene, some time */
    int axis, side; /* of a wall of the box; axis -1: a plane of the scene */
} surface;

/* How contacts of a pair of species answer. */
typedef struct law {
    const restitution_law *restitution;
    double friction;
    bool rubs; /* what its normal forces exchange with other contacts is booked as friction's */
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
    uint32_t count, sorted, capacity, dead; /* dead: touches whose contact is NONE, to be taken out */
} batch;

#define KIND(kind, feature) CLOCK_##kind,
typedef enum clock_kind { VARIATIONAL_CLOCKS(KIND) CLOCK_LAYER } clock_kind;
#undef KIND

typedef struct clock {
    double step;
    double tick;          /* fires next at tick * step; whole */
    double origin;        /* OWN_CLOCKS, of layers: at origin + tick * step */
    uint64_t pair;        /* and whose it is, which orders those that fire at the same time */
    uint64_t rank;        /* orders clocks that fire at the same time */
    uint32_t place;       /* in the heap; NONE: at rest */
    uint32_t kind, group; /* clock_kind; layers, shells: class; potentials of the user's: which */
    uint32_t layer;
    double thickness; /* 2 eta / l */
    double strength;  /* h_l p k_p l^(p+1): impulse = strength (thickness - gap)^(p-1) */
    batch pairs, surfaces, linked;
} clock;

/* What a contact that loses energy remembers of the present impact: see restitution.c. */
typedef struct restitution_state {
    double ratio;      /* coefficient of restitution; negative: not known yet */
    double budget;     /* energy that may still be given back */
    double stored;     /* energy of the layers at the last kick */
    double left;       /* normal velocity after the last kick */
    double share;      /* of the layers' strength, of a pair at rest */
    uint32_t turns;    /* how often the pair has turned round without parting */
    uint32_t withheld; /* kicks that withheld force while it approached, less those while it separated */
} restitution_state;

/* What a contact with friction remembers of the present impact: see friction.c. */
typedef struct friction_state {
    double pending;                  /* normal impulse that friction has yet to answer */
    double left[DIM];                /* velocity after the last kicks */
    double slip[DIM];                /* with a rod: how far the pair has slid */
    double anchor[DIM], normal[DIM]; /* where the tangential spring is at rest; normal at the last kick or tick */
    double stored;                   /* energy of the spring */
    bool anchored;
} friction_state;

/* Layers 1 .. n of a pair are awake. */
typedef struct contact {
    uint32_t i, j; /* elements, i < j; j >= NODES: surface j - NODES (the next free contact, where n is 0) */
    bool linked;   /* see elements.h */
    uint32_t n;
    uint32_t law, class;
    uint32_t deepest;   /* layer that has acted in the present impact; 0: none is going on */
    double reach, mass; /* mass: reduced; of linked ones the least that it may be */
    double deep_since;  /* when it got beyond layer LAYER_BINS */
    double closest;     /* smallest gap of the present impact; touches that act may know a smaller one */
    double share[2][3]; /* linked: of the ends of i and j at their closest points */
    restitution_state restitution;
    friction_state friction;
} contact;

enum { NODES = 0x80000000u }; /* contact.j and neighbour.partner: surfaces lie from here on */

/* A contact by its pair: what is summed over contacts is summed in this order, not in that of the pool. */
typedef struct ranked {
    uint32_t i, j, contact;
} ranked;

/* Impulse on element i, and its opposite on j. */
typedef struct kick {
    uint32_t i, j;               /* j: or a surface; NONE */
    uint32_t linked;             /* 1 + contact, whose shares its ends have in it; 0: nodes */
    double impulse[DIM], r[DIM]; /* r: from j to i */
} kick;

/* What a contact did in a batch. */
typedef struct response {
    uint32_t contact;
    bool parted;                    /* the first layer does not act: the impact is over */
    double normal[DIM], place[DIM]; /* place: from j to i */
    double layer, impulse;          /* normal impulse that the layer has, and that the contact gave */
    double before;                  /* normal velocity before the batch */
    double held, mass;              /* energy of the layers; reduced mass along the normal */
    double push[DIM];               /* friction's impulse on i */
    double restitution, friction;   /* what they have cost */
} response;

/* What pressing a touch has come to, bits. The batch handles those from PRESSED_FAR on. */
enum {
    PRESSED_ACTS = 1,     /* there is a kick */
    PRESSED_RESPONDS = 2, /* and a response */
    PRESSED_FAR = 4,      /* the layer does not act, and might sleep */
    PRESSED_BEGINS = 8,   /* an impact begins */
    PRESSED_DEEP = 16,    /* in one of the deepest layers */
    PRESSED_OVER = 32     /* the impact is over */
};

typedef struct note {
    uint32_t at; /* touch of the batch */
    unsigned pressed;
} note;

typedef enum batch_kind { BATCH_PAIRS, BATCH_SURFACES, BATCH_LINKED } batch_kind;

/* What kicks add to: between two, the virial; on what is driven, work; and on walls. */
typedef struct tally {
    double virial[3][3], wall[3][2], work;
} tally;

/* Touches that one thread presses one after the other; their kicks, responses and notes lie from `slot` on. */
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
    double until; /* its certificate, as seen from here: the latest made of a pair, from either side, holds */
} neighbour;

typedef struct list {
    neighbour *at;
    uint32_t count, capacity;
} list;

/* The bound of a node's flight: see schedule/nominal.h. One cache line. */
typedef struct flight_bound {
    double centre[DIM]; /* where the nominal motion will be at `until` */
    double until;       /* the flight stays within tau of the nominal motion up to then */
    double radius2;     /* of the ball round the centre in which the flight must then end; negative: none */
} __attribute__((aligned(64))) flight_bound;

/* When an element is to be looked at again. */
typedef struct recheck {
    double due;  /* time in the queue */
    double next; /* earliest certificate, or end of the list's reach */
    float gap;   /* of meshes: the smallest to where a neighbour's layers begin, when all were looked at last */
} recheck;

/* One cache line. */
typedef struct nominal {
    double x[DIM], v[DIM], t;
    float tau;
    bool straight; /* without gravity */
} __attribute__((aligned(64))) nominal;

/* A segment between two nodes that others touch: of the scene, or an edge of a mesh. */
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
    double lost, speed, n[DIM]; /* of the tick now: the dashpot's impulse; rate of lengthening before it; direction */
} spring;

typedef struct hinge {
    uint32_t a, b, c;
    double stiffness, angle;
} hinge;

/* Elements of each kind: nodes, then rods (segments, then edges of meshes) from `count` on, then faces. */
typedef struct topology {
    uint32_t balls;                  /* nodes that are no vertices of meshes */
    uint32_t edges_from, faces_from; /* numbers of elements */
    rod *rod;
    face *face;
    uint32_t rod_count, face_count;
    uint32_t *first_part, *part; /* rods and faces that end at node i are part[first_part[i] .. first_part[i + 1]) */
    uint32_t *mesh_of;    /* [count] mesh whose vertex a node is; NONE: it is a particle. NULL: there are no meshes */
    uint32_t *mesh_first; /* [meshes] the particle that is its first vertex */
} topology;

typedef struct domain {
    double size[DIM];
    double box[DIM], inverse_box[DIM];                         /* 0 on axes that are not periodic */
    bool periodic;                                             /* any of them */
    double gravity[DIM], half_gravity[DIM], gravity_magnitude; /* of flights: 0 where gravity acts in kicks */
    surface *surface;
    uint32_t surface_count;
} domain;

/* Clocks, and which fires next. */
typedef struct schedule {
    clock *clock;
    uint32_t clock_count, clock_capacity;
    uint32_t *heap;
    uint32_t heap_count;
    uint32_t **layer_clock; /* [row_of(contact)][layer - 1]: clock, NONE where there is none yet */
    uint32_t *layer_count;  /* [row]: layers in the row */
    uint32_t class_count;
} schedule;

typedef struct contact_pool {
    contact *contact;
    ranked *ranked; /* room for all of them */
    uint32_t contact_count, contact_capacity, contact_free;
    law *law;
    bool elastic; /* all laws are, and smooth */
} contact_pool;

/* What one firing of a clock does. */
typedef struct firing {
    block *block;
    uint32_t block_count, block_capacity;
    kick *pressed;
    response *response;
    note *note;
    uint32_t slot_capacity; /* of the three */
    kick *kick;             /* beside those of blocks */
    uint32_t kick_count, kick_capacity;
} firing;

/* Nominal motions, the bounds of flights, and when they are checked again: schedule/nominal.h. */
typedef struct flights {
    flight_bound *flight_bound; /* [count] */
    recheck *recheck;           /* [elements] */
    nominal *nominal;           /* [count] */
    fel *queue;
    pending_nodes pending;         /* to be updated when all kicks of the moment are given */
    pending_nodes *thread_pending; /* [threads] */
    uint8_t *pending_reason;       /* [count] pending_why */
    uint8_t *outcome;              /* [count] flight_outcome, of those that were pending */
    uint32_t *renewed;             /* [elements] those that have, or whose ends have, new nominal motions */
    uint32_t renewed_count;
    bool *is_renewed; /* [elements - count] */
    double tau;       /* largest tolerance */
    double margin;    /* by which layers wake earlier than they need, against rounding */
} flights;

typedef struct neighbours {
    list *list; /* [elements] */
    struct grid *grid;
    double spacing; /* mesh_grid_spacing, of the start: a resumed run must have the same skins */
} neighbours;

typedef struct elastic_links {
    spring *spring;
    hinge *hinge;
    uint32_t spring_count, hinge_count;
    uint32_t stretched[2]; /* the ends of a spring or of an arm of a hinge beyond LINK_REACH; NONE */
} elastic_links;

typedef struct rigid_nodes {
    uint32_t *body_of;     /* [count] of rigid nodes */
    struct bodies *bodies; /* NULL: there are none */
    uint32_t bodies_clock;
} rigid_nodes;

typedef struct driven_nodes {
    struct drives *drives; /* NULL: there are none */
    bool *free_first;      /* [count] nodes that a drive leaves free until it begins; NULL: there are no such drives */
    double drive_energy;   /* the scale of what an impact on something driven has */
} driven_nodes;

/* How far the run is; all but quiet_* follows from the state. */
typedef struct progress {
    bool resumed, out_of_memory;
    uint64_t next_check; /* of the invariants: the work by then */
    uint64_t work;       /* elementary operations so far: touches, elements, checks; it bounds slices alone */
    uint64_t quiet_since, quiet_checks; /* events, and checks of certificates, when something last happened */
    uint32_t squeezed;                  /* contact that is driven together without end; NONE */
} progress;

typedef struct totals {
    uint64_t events[EVENT_KINDS];
    uint64_t layers[LAYER_BINS];
    double closest;
    frame_ledger ledger;
    tally sum; /* ledger.work is here */
} totals;

/* The smallest gap of elements of meshes at the start; infinite: none is too small. */
typedef struct start_check {
    bool checking;
    double gap;
    uint32_t i, partner;
} start_check;

typedef struct world world;

/* What stands in for the schedule of flights and certificates, and is told of what concerns it: the reference
 * implementation registers one. Production code knows these calls only. */
typedef struct observer {
    carom_status (*begin)(world *w, error *e); /* nothing is awake, the clocks of materials run */
    void (*end)(world *w);
    double (*next)(const world *w);                                     /* when the next event is due */
    carom_status (*step)(world *w, double until, bool *done, error *e); /* what comes first, if it comes by `until` */
    void (*kicked)(world *w, uint32_t i);                               /* the certificates of node i are void */
    void (*moved)(world *w, uint32_t i); /* node i has a new velocity, or a surface that it may touch */
    void (*contact_ended)(world *w, uint32_t i, uint32_t partner); /* the two never touch from now on */
    void (*pairs_ended)(world *w);                                 /* all such contacts have been told of */
    carom_status (*save)(const world *w, snapshot *out, error *e);
    carom_status (*load)(world *w, const snapshot *in, error *e); /* checks what it loads */
} observer;

struct world {
    const scene *scene;
    const variational_settings *settings;
    variational_choice choice;
    int threads;
    uint32_t count;     /* nodes */
    uint32_t elements;  /* nodes, rods and faces */
    uint32_t *id;       /* [count] in the scene */
    uint32_t *index_of; /* [count] and back */
    node *node;
    double *mass; /* [count] */
    /* [count] 0: driven. Of a rigid node that of the particle, or the largest that an impulse at the vertex of a solid
     * meets: nothing moves more easily. Beside the nodes, which in 3D have no room left in their cache lines; of all that
     * a force needs, kicks alone read it. */
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
    struct shells *shells; /* NULL: none */
    struct potentials *potentials;
    const observer *observer; /* NULL: the schedule of this kernel */
    void *observed;           /* the observer's own state */
    start_check start;
    progress progress;
    totals totals;
};

/* 1 / (the longest step that an element would have by itself): of its stiffness, and of its damping. */
typedef struct step_rates {
    double pull, drag;
} step_rates;

static inline void node_set_driven(world *w, uint32_t i)
{
    w->node[i].kind = NODE_DRIVEN;
    w->inverse_mass[i] = 0;
}

/* ---- flight ------------------------------------------------------------------------------------------------------ */

static inline void position_at(const world *w, const node *a, double t, double x[DIM])
{
    double dt = t - a->t, fall = node_is_free(a) ? dt : 0;
    for (int k = 0; k < DIM; k++) x[k] = a->x[k] + dt * (a->v[k] + fall * w->domain.half_gravity[k]);
}

static inline void velocity_at(const world *w, const node *a, double t, double v[DIM])
{
    double fall = node_is_free(a) ? t - a->t : 0;
    for (int k = 0; k < DIM; k++) v[k] = a->v[k] + fall * w->domain.gravity[k];
}

static inline void surface_at(const surface *s, double t, double x[DIM])
{
    for (int k = 0; k < DIM; k++) x[k] = s->point[k] + (t - s->t) * s->velocity[k];
}

/* fmin and fmax are calls, for the sake of NaNs that do not come here. */
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

/* To the nearest image. */
static inline void nearest_image(const world *w, double r[DIM])
{
    for (int k = 0; k < DIM; k++) r[k] -= w->domain.box[k] * nearest_whole(r[k] * w->domain.inverse_box[k]);
}

#endif
