/* A frame: what is where at time t. Engines fill it; whatever looks at a simulation reads nothing else. */
#ifndef CAROM_FRAME_FRAME_H
#define CAROM_FRAME_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum event_kind {
    EVENT_COLLISION, /* between two particles */
    EVENT_WALL,      /* with a wall of the box or a plane */
    EVENT_MERGE,
    EVENT_FORCE,       /* a force acts at a tick of its clock, or a heat bath, a step of a potential, a bond */
    EVENT_CERTIFICATE, /* watching of sleeping layers: no physics; neither it nor what follows is in `total` */
    EVENT_TRANSFER,    /* bookkeeping of neighbours */
    EVENT_REBASE,      /* clocks and positions brought to a common origin */
    EVENT_KINDS
} event_kind;

extern const char *const event_kind_names[EVENT_KINDS];

/* Physical events: all kinds before EVENT_CERTIFICATE. `total` in results and summaries; run.until.events limits it. */
static inline uint64_t events_total(const uint64_t events[EVENT_KINDS])
{
    uint64_t total = 0;
    for (int kind = 0; kind < EVENT_CERTIFICATE; kind++) total += events[kind];
    return total;
}

/* Impact separations are counted one bin per floating-point number: bin i holds impacts whose distance |r| is the
 * (i - IMPACT_HALF)th number (of the engine's precision) above the contact distance s (below it where negative); the
 * end bins hold all beyond. */
enum { IMPACT_HALF = 4096, IMPACT_BINS = 2 * IMPACT_HALF + 1 };

/* Two particles, i < j, whose touch made one cluster of two. */
typedef struct frame_merge {
    double time;
    uint32_t i, j;
} frame_merge;

/* What steps in time cost, and where they failed. */
typedef struct frame_steps {
    uint64_t count;      /* 0: the engine has none */
    uint64_t problems;   /* groups of overlapping clusters that were brought to contact */
    uint64_t iterations; /* of the solvers, in all */
    uint64_t stalls;     /* problems on which the solver asked for failed, and another took over */
    uint64_t held_back;  /* problems on which that failed, too: the clusters stayed where they had been */
} frame_steps;

/* Where the energy is and went, in engines that keep such accounts. What is there now, kinetic and of gravity included,
 * plus what has been dissipated less the work done on it stays what it was at the start, but for the drift. */
typedef struct frame_ledger {
    bool kept;
    double springs, contact;               /* stored now */
    double restitution, friction, damping; /* dissipated since the start */
    double work;                           /* done by what the scene moves, since the start */
    bool shells;                           /* whether there are any: what follows is theirs */
    double stretch, bend;                  /* stored now */
    double plastic;                        /* dissipated since the start */
} frame_ledger;

/* Impacts by the deepest penalty layer that they reached: bin n - 1 for layer n, the last for all beyond. */
enum { LAYER_BINS = 64 };

/* A drive that waits until all is at rest. */
typedef struct frame_start {
    uint32_t drive; /* of the scene's list */
    double time;    /* when its motion has begun; NAN: not yet */
} frame_start;

/* What has flowed through a fluid: its moments of Helfand, but for their start. */
typedef struct frame_transport {
    double momentum[3][3]; /* integral of sum m v_a v_b, and sum over collisions of J_a r_b: mass length^2 / time */
    double heat[3];        /* the same of energy of motion: energy length */
} frame_transport;

/* What only events know, summed since the start of the run. An observer keeps what it saw last and subtracts. */
typedef struct frame_tallies {
    double virial[3][3]; /* sum over collisions of J_a r_b, J the impulse on i, r = r_i - r_j: mass length^2 / time */
    double wall_impulse[3][2];  /* sum of |impulse| on each face of the box */
    double dissipated;          /* energy lost in collisions with e < 1 (and in putting particles to sleep) */
    bool fed;                   /* whether a heat bath, thermal walls or shearing supply energy: */
    double supplied;            /* energy that came in from a heat bath and by shearing, in `hard` */
    frame_transport transport;  /* where asked for */
    uint64_t stabilising;       /* collisions with an overlap at the moment they were found (dt = 0) */
    uint64_t three_body_again;  /* collisions of a particle that still overlaps another */
    uint64_t three_body_double; /* collisions that leave a particle overlapping two (paper 1, Fig. 5) */
    double max_overlap;         /* deepest overlap seen at an impact: length */
    const uint64_t *impact;     /* [IMPACT_BINS], or NULL where not asked for */
    const frame_merge *merges;  /* [merge_count], in order of time; NULL where the engine has no clusters */
    uint64_t merge_count;
    /* [IMPACT_BINS] likewise: sum over the impacts of each bin of the inverse of its width, in spacings of numbers above
     * the contact distance */
    const double *impact_density;
    frame_steps steps;
    frame_ledger ledger;
    const uint64_t *layers;      /* [LAYER_BINS]; NULL where the engine has none */
    double eta, stiffness, step; /* of the first layer, given or chosen: half its thickness, k, h_1; 0 without layers */
    const frame_start *starts;   /* [start_count]; NULL where no drive waits */
    size_t start_count;
    double closest; /* smallest gap of an impact, in units of the contact's full thickness 2 eta; 0: no impact yet */
} frame_tallies;

/* What observers need, and not every engine has; the first two and the transport only where asked for. */
enum {
    TALLY_IMPACT = 1,
    TALLY_THREE_BODY = 2,
    TALLY_COLLISIONS = 4,
    TALLY_IMPULSES = 8,
    TALLY_STABILISING = 16,
    TALLY_SUPPLY = 32,
    TALLY_TRANSPORT = 64,
    TALLY_SHEAR = 128,
    TALLY_IMAGES = 256, /* whole boxes away, and not sheared: paths across the box's edges, and distances */
    TALLY_ALL = 511
};

/* Numbered as scene_boundary. */
typedef enum frame_boundary { FRAME_PERIODIC, FRAME_WALL, FRAME_OPEN } frame_boundary;

/* A rigid body that is more than its points: the solid inside of a mesh. The motion of four of its points is that of all
 * of it: with s_i the share of the i-th in a place (sum 1), share_mass[i][j] is the integral of density s_i s_j. */
typedef struct frame_solid {
    uint32_t first, count; /* its points */
    uint32_t corner[4];
    double share_mass[4][4];
} frame_solid;

struct carom_frame {
    int dimension;
    size_t count;    /* points: the particles, then the vertices of meshes */
    size_t vertices; /* so many at the end are vertices of meshes: of shells with a mass, of rigid meshes in `hard`
                      * massless */
    double time;     /* simulated time, true (unscaled) units */
    int64_t scale;   /* true velocity = velocity * 2^-scale (a cooling gas is rescaled to keep precision) */
    double box[3];
    int boundary[3];      /* frame_boundary of each axis */
    double gravity[3];    /* true units */
    bool has_pair_energy; /* whether there are potentials in steps: */
    double pair_energy;   /* of all pairs, true units */
    double shear;         /* rate: images of the box along y slide along x (Lees and Edwards); 0: they do not */
    double slid;          /* how far along x the image above has come, in [0, box[0]) */
    double leeway;        /* fraction of contact distances by which the engine lets particles overlap */
    double grain;         /* spacing at one of the engine's numbers, where they are coarser than double; else 0 */
    double *position;     /* [count][dimension], inside the box on periodic axes */
    double *velocity;     /* [count][dimension], times 2^scale */
    double *unscaled;     /* likewise, without that factor: frame_unscale; NULL: not made yet */
    int64_t *image;       /* [count][dimension]: unwrapped = position + image * box; image.h */
    double *radius;       /* [count] */
    double *mass;         /* [count] */
    uint32_t *species;    /* [count] */
    uint32_t *id;         /* [count] */
    uint32_t *cluster;    /* [count]: the smallest id in the particle's cluster; NULL where there are none */
    uint64_t clusters;    /* how many there are */
    double *spin;         /* [count][3]: angular velocity (2D: along z), times 2^scale; NULL where none turns */
    double *inertia;      /* [count]: moment of inertia of those that turn; NULL: they are solid */
    double *axis;         /* [count][3]: unit vectors along the axes of bodies; NULL: there are only spheres */
    double *semi_axes;  /* [count][3]: half the extents along the axis, and twice across (also of spheres); likewise */
    uint32_t *shape;    /* [count]: a row of geometry/shapes.h; NULL: all are ellipsoids or spheres */
    uint32_t *layers;   /* [count]: penalty layers that its closest contact is in, 0 without one; NULL: no layers */
    frame_solid *solid; /* [solids], by `first`: what moves there is these, and not the masses of their points */
    size_t solids;
    uint64_t events[EVENT_KINDS]; /* since the start */
    frame_tallies tallies;        /* since the start, in true units */
    uint64_t state_hash;
};

/* With the arrays that all frames have; others are added with FRAME_ADD (frame/channels.h). */
carom_status frame_create(carom_frame *f, int dimension, size_t count, error *e);
void frame_destroy(carom_frame *f);

/* Makes the velocities in the units of the scene, which carom_frame_velocities gives. Those of a gas that has cooled very far
 * may be too small for a number. */
carom_status frame_unscale(carom_frame *f, error *e);

static inline size_t frame_particles(const carom_frame *f)
{
    return f->count - f->vertices;
}

static inline double frame_unwrapped(const carom_frame *f, size_t i, size_t k)
{
    const size_t at = i * (size_t)f->dimension + k;
    return f->position[at] + (double)f->image[at] * f->box[k];
}

/* By how many boxes the image of point i is beyond that of j; whatever numbers a file has. */
static inline double frame_boxes_apart(const carom_frame *f, size_t i, size_t j, size_t k)
{
    const size_t d = (size_t)f->dimension;
    return (double)f->image[i * d + k] - (double)f->image[j * d + k];
}

/* The frame without the vertices at its end. It owns nothing. */
carom_frame frame_of_particles(const carom_frame *f);

/* Makes room for `solid`. */
carom_status frame_add_solids(carom_frame *f, size_t count, error *e);

/* Energy of a particle's spin, times 2^(2 scale). */
double frame_spin_energy(const carom_frame *f, size_t i);

typedef struct frame_energy {
    double kinetic, potential, stored, total; /* true units; kinetic: of the spins too; potential: of gravity, and of
                                               * pairs; stored: in springs and contacts, where the engine keeps a
                                               * ledger */
    double momentum[3];
    double temperature; /* 2 K / (D N), centre of mass included, spins left out */
} frame_energy;

/* Sums in index order (compensated), so that the same frame gives the same bits. */
frame_energy frame_energy_of(const carom_frame *f);

/* What stays: the total and what has been dissipated, less the work done and the heat supplied from outside. */
double frame_budget(const carom_frame *f, const frame_energy *energy);

/* Mean layer of counted impacts, NAN without any; *used: up to the deepest. */
double frame_mean_layer(const uint64_t layers[LAYER_BINS], size_t *used);

#endif
