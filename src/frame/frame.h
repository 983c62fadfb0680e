/* A frame: the state at time t. Engines fill it; all other code reads the state of a simulation from frames only. */
#ifndef CAROM_FRAME_FRAME_H
#define CAROM_FRAME_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum event_kind {
    EVENT_COLLISION, /* between two particles */
    EVENT_WALL,      /* with a wall of the box or a plane */
    EVENT_MERGE,
    EVENT_FORCE,       /* a force acts at a tick of its clock; a heat bath; a step of a potential; a bond */
    EVENT_CERTIFICATE, /* check of a certificate: not physical; `total` excludes this kind and all later kinds */
    EVENT_TRANSFER,    /* bookkeeping of neighbours: a transfer */
    EVENT_REBASE,      /* re-basing of clocks and positions */
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

/* Impact separations are counted in one bin per floating-point number: bin i holds impacts with a distance |r| that is
 * (i - IMPACT_HALF) numbers (of the precision of the engine) above the contact distance s (negative: below it). The end
 * bins hold all beyond. */
enum { IMPACT_HALF = 4096, IMPACT_BINS = 2 * IMPACT_HALF + 1 };

typedef carom_merge frame_merge;

/* Cost and failures of time stepping. */
typedef struct frame_steps {
    uint64_t count;      /* number of steps; 0: the engine has none */
    uint64_t problems;   /* groups of overlapping clusters that were brought to contact */
    uint64_t iterations; /* of the solvers, total */
    uint64_t stalls;     /* problems on which the selected solver failed, so that another solver replaced it */
    uint64_t held_back;  /* problems on which the second solver failed as well: the clusters kept their positions */
} frame_steps;

/* The energy balance of engines that compute it: the present energy, including kinetic energy and that of gravity, plus
 * the dissipated energy, less the work done on the system, is constant except for the drift. */
typedef struct frame_ledger {
    bool kept;
    double springs, contact;               /* stored at present */
    double restitution, friction, damping; /* dissipated since the start */
    double work;                           /* done by drives, since the start */
    bool shells;                       /* whether there are shells or elastic rods, to which the next numbers belong */
    double stretch, bend;              /* stored at present */
    double plastic;                    /* dissipated since the start */
    bool rods;                         /* whether there are elastic rods, to which the next number belongs */
    double twist;                      /* stored at present; their other energies are in `stretch` and `bend` */
    bool rotation;                     /* whether the parts of friction, the next numbers, are distinguished */
    double sliding, rolling, twisting; /* dissipated since the start; their sum is `friction` */
} frame_ledger;

/* Impacts by the deepest penalty layer reached: bin n - 1 for layer n, the last for all beyond. */
enum { LAYER_BINS = 64 };

/* A drive that starts when all bodies are at rest. */
typedef struct frame_start {
    uint32_t drive; /* index in the list of the scene */
    double time;    /* start time of its motion; NAN: not started */
} frame_start;

/* A mesh that appears or vanishes. */
typedef struct frame_moments {
    uint32_t mesh;             /* index in the list of the scene */
    double appeared, vanished; /* times; negative: it has not */
} frame_moments;

/* Transport in a fluid: its Helfand moments, relative to their start. */
typedef struct frame_transport {
    double momentum[3][3]; /* integral of sum m v_a v_b, and sum over collisions of J_a r_b: mass length^2 / time */
    double heat[3];        /* the same for kinetic energy: energy length */
} frame_transport;

/* Particles that have entered and left since the start; the energy is that which they have brought and taken. */
typedef struct frame_flow {
    bool given; /* whether particles may enter or leave */
    uint64_t entered, left;
    double mass_entered, mass_left, energy_entered, energy_left;
} frame_flow;

/* Quantities known at events only, summed since the start of the run. An observable stores the last values and
 * subtracts them. */
typedef struct frame_tallies {
    double virial[3][3]; /* sum over collisions of J_a r_b, J the impulse on i, r = r_i - r_j: mass length^2 / time */
    double wall_impulse[3][2];  /* sum of |impulse| on each face of the box */
    double dissipated;          /* energy lost in collisions with e < 1 (and in putting particles to sleep) */
    bool fed;                   /* whether a heat bath, thermal walls or shear supply energy: */
    double supplied;            /* energy supplied by a heat bath and by shear, in `hard` */
    frame_transport transport;  /* if requested */
    uint64_t stabilising;       /* collisions with an overlap at the time of detection (dt = 0) */
    uint64_t three_body_again;  /* collisions of a particle that still overlaps another */
    uint64_t three_body_double; /* collisions that leave a particle overlapping two (paper 1, Fig. 5) */
    double max_overlap;         /* deepest overlap at an impact: length */
    const uint64_t *impact;     /* [IMPACT_BINS], or NULL if not requested */
    const frame_merge *merges;  /* [merge_count], in order of time; NULL if the engine has no clusters */
    uint64_t merge_count;
    /* [IMPACT_BINS], if requested: sum over the impacts of each bin of the inverse of its width, in spacings of numbers
     * above the contact distance */
    const double *impact_density;
    frame_steps steps;
    frame_ledger ledger;
    frame_flow flow;
    const uint64_t *layers;      /* [LAYER_BINS]; NULL if the engine has none */
    double eta, stiffness, step; /* of the first layer, given or chosen: half its thickness, k, h_1; 0 without layers */
    const frame_start *starts;   /* [start_count]; NULL if no drive waits */
    size_t start_count;
    const frame_moments *moments; /* [moment_count]; NULL if no mesh appears or vanishes */
    size_t moment_count;
    double closest; /* smallest gap of an impact, in units of the contact's full thickness 2 eta; 0: no impact yet */
} frame_tallies;

/* Tallies that observables require and only some engines have; the first two and the transport only on request. */
enum {
    TALLY_IMPACT = 1,
    TALLY_THREE_BODY = 2,
    TALLY_COLLISIONS = 4,
    TALLY_IMPULSES = 8,
    TALLY_STABILISING = 16,
    TALLY_SUPPLY = 32,
    TALLY_TRANSPORT = 64,
    TALLY_SHEAR = 128,
    TALLY_IMAGES = 256,   /* images are whole boxes, without shear: paths across boundaries, and distances */
    TALLY_CONTACTS = 512, /* the contact log; on request */
    TALLY_FORCES = 1024,  /* contacts last: the contact log has forces times their durations, not single impacts */
    TALLY_ALL = 2047
};

/* Numbered as scene_boundary. */
typedef enum frame_boundary { FRAME_PERIODIC, FRAME_WALL, FRAME_OPEN } frame_boundary;

/* A rigid body with a mass distribution other than point masses: the solid inside of a mesh, or a clump of spheres. The
 * motion of four of its points determines that of the body: with s_i the barycentric coordinate i of a position (sum 1),
 * share_mass[i][j] is the integral of density s_i s_j. Centres of spheres may lie in a plane, on a line or in a point. Corners
 * then have shares of 0, and share_mass lacks the inertia own_inertia, the same about all axes: that energy is own_inertia / 2
 * times the square of the angular velocity. */
typedef struct frame_solid {
    uint32_t first, count; /* its points */
    uint32_t corner[4];
    double share_mass[4][4];
    double own_inertia;
    bool clump; /* of particles; else of vertices */
} frame_solid;

/* Columns: the arrays of frames with one element for each point, in groups that are filled together; and the state
 * hash, which requires a pass over all bodies too. Code calls frame_need before it reads them. */
enum {
    FRAME_POSITION = 1,
    FRAME_VELOCITY = 2,
    FRAME_IMAGE = 4,
    FRAME_RADIUS = 8,
    FRAME_MASS = 16,
    FRAME_SPECIES = 32, /* with clump */
    FRAME_ID = 64,
    FRAME_CLUSTER = 128,
    FRAME_SPIN = 256, /* with inertia */
    FRAME_AXIS = 512, /* with semi_axes and shape */
    FRAME_LAYERS = 1024,
    FRAME_HASH = 2048,
    FRAME_PRESENT = 4096,
    FRAME_ALL = 8191,      /* that engines fill */
    FRAME_UNSCALED = 8192, /* velocities and spins in the units of the scene: frame_unscale */
    FRAME_PATH = FRAME_POSITION | FRAME_IMAGE,
    FRAME_FIXED = FRAME_RADIUS | FRAME_MASS | FRAME_SPECIES | FRAME_ID /* constant while an engine runs */
};

/* The origin of the columns of a frame that are filled when they are first needed. */
typedef struct frame_source {
    carom_frame *frame;
    void *owner;
    unsigned filled;                                             /* columns */
    void (*need)(struct frame_source *source, unsigned columns); /* fills those that are missing */
    void (*release)(struct frame_source *source);                /* of carom_frame_free; NULL: not to be freed */
    /* For frame_each_block; NULL: columns are filled as a whole. Fills columns of the points part->first and following;
     * whether that is possible at present. */
    void (*fill_part)(struct frame_source *source, unsigned columns, carom_frame *part);
    bool (*has_parts)(const struct frame_source *source);
} frame_source;

struct carom_frame {
    int dimension;
    size_t count;    /* points: the particles, then the vertices of meshes */
    size_t first;    /* of a block (frame/blocks.h): the number of its first point; else 0 */
    size_t vertices; /* vertices of meshes, at the end: of shells with mass, of rigid meshes in `hard` massless */
    double time;     /* simulated time, true (unscaled) units */
    int64_t scale;   /* true velocity = velocity * 2^-scale (a cooling gas is rescaled to keep precision) */
    double box[3];
    int boundary[3];       /* frame_boundary of each axis */
    double gravity[3];     /* true units */
    bool has_pair_energy;  /* whether there are stepped potentials: */
    double pair_energy;    /* of all pairs, true units */
    double shear;          /* shear rate: images of the box along y move along x (Lees and Edwards); 0: no shear */
    double slid;           /* displacement along x of the image above, in [0, box[0]) */
    double leeway;         /* fraction of contact distances by which the engine permits overlaps */
    double grain;          /* spacing at one of the numbers of the engine, if larger than that of double; else 0 */
    double *position;      /* [count][dimension], inside the box on periodic axes */
    double *velocity;      /* [count][dimension], times 2^scale */
    double *unscaled;      /* velocities without that factor: frame_unscale; NULL: not computed yet */
    double *unscaled_spin; /* the same for `spin` */
    int64_t *image;        /* [count][dimension]: unwrapped = position + image * box; image.h */
    double *radius;        /* [count] */
    double *mass;          /* [count] */
    uint32_t *species;     /* [count] */
    uint32_t *id;          /* [count] */
    uint32_t *present;     /* [count]: the id, or FRAME_ABSENT; NULL if no particles or meshes enter or leave */
    int32_t *clump;        /* [count]: number of the clump, from 0; -1: in none; NULL without clumps */
    uint32_t *cluster;     /* [count]: the smallest id in the cluster of the particle; NULL without clusters */
    uint64_t clusters;     /* number of clusters */
    double *spin;          /* [count][3]: angular velocity (2D: along z), times 2^scale; NULL if no particle rotates */
    double *inertia;       /* [count]: moment of inertia of rotating particles; NULL: homogeneous */
    double *axis;          /* [count][3]: unit vectors along the axes of bodies; NULL: spheres only */
    double
        *semi_axes; /* [count][3]: half the extents along the axis, and twice across (also of spheres); NULL: as axis */
    uint32_t *shape;    /* [count]: a row of geometry/shapes.h; NULL: all are ellipsoids or spheres */
    uint32_t *layers;   /* [count]: penalty layers of its closest contact, 0 without a contact; NULL: no layers */
    frame_solid *solid; /* [solids], by `first`: their masses replace those of their points */
    size_t solids;
    uint64_t events[EVENT_KINDS]; /* since the start */
    frame_tallies tallies;        /* since the start, in true units */
    uint64_t state_hash;
    frame_source *source; /* of missing columns, also for copies of this struct; NULL: all are there */
};

/* Allocates the arrays that all frames have; FRAME_ADD (frame/channels.h) adds others. */
carom_status frame_create(carom_frame *f, int dimension, size_t count, error *e);
void frame_destroy(carom_frame *f);

/* Fills columns (FRAME_) that are missing. */
static inline void frame_need(const carom_frame *f, unsigned columns)
{
    if (f->source != NULL) f->source->need(f->source, columns);
}

/* For sources: those of the columns that are missing. They count as filled from then on: the caller fills them. */
unsigned frame_begin(frame_source *source, unsigned columns);
/* Only these columns are filled from now on. */
void frame_forget(frame_source *source, unsigned keep);
/* Computes the column FRAME_UNSCALED. */
void frame_fill_unscaled(carom_frame *f);

/* Returns the memory of large columns of a frame with a source to the system; they are missing from then on. */
void frame_release(const carom_frame *f, unsigned columns);

/* Removes references to memory of the engine (histograms, merges, starts of drives), which changes as the run goes on. */
void frame_detach(carom_frame *f);

/* Allocates the column FRAME_UNSCALED, and computes it unless the frame has a source: velocities in the units of the
 * scene, for the functions of carom.h. After extreme cooling they may be too small for a number. */
carom_status frame_unscale(carom_frame *f, error *e);

/* Columns that frame_energy_of reads; frame_spin_energy. */
unsigned frame_energy_columns(const carom_frame *f);
unsigned frame_spin_columns(const carom_frame *f);

/* A velocity, spin or momentum of the frame in the units of the scene; 0 or infinite beyond the range of numbers. */
double frame_true(const carom_frame *f, double value);

/* The id of a particle that has not entered yet, or has left. It is at the origin, at rest. */
enum { FRAME_ABSENT = UINT32_MAX };

/* Whether point i is absent (FRAME_PRESENT). */
static inline bool frame_is_absent(const carom_frame *f, size_t i)
{
    return f->present != NULL && f->present[i] == FRAME_ABSENT;
}

/* Whether point i is a single particle, or the first one of its clump (FRAME_SPECIES). */
static inline bool frame_begins_body(const carom_frame *f, size_t i)
{
    return f->clump == NULL || f->clump[i] < 0 || i == 0 || f->clump[i - 1] != f->clump[i];
}

static inline size_t frame_particles(const carom_frame *f)
{
    return f->count - f->vertices;
}

static inline double frame_unwrapped(const carom_frame *f, size_t i, size_t k)
{
    const size_t at = i * (size_t)f->dimension + k;
    return f->position[at] + (double)f->image[at] * f->box[k];
}

/* The number of boxes by which the image of point i is beyond that of j, for any numbers in a file. */
static inline double frame_boxes_apart(const carom_frame *f, size_t i, size_t j, size_t k)
{
    const size_t d = (size_t)f->dimension;
    return (double)f->image[i * d + k] - (double)f->image[j * d + k];
}

/* The frame without the vertices at its end. It owns no memory. */
carom_frame frame_of_particles(const carom_frame *f);

/* Allocates `solid`. */
carom_status frame_add_solids(carom_frame *f, size_t count, error *e);

/* Rotational energy of a particle, times 2^(2 scale). It reads frame_spin_columns, without frame_need. */
double frame_spin_energy(const carom_frame *f, size_t i);

typedef struct frame_energy {
    double kinetic, potential, stored, total; /* true units; kinetic: with rotation; potential: of gravity and of
                                               * pairs; stored: in springs and contacts, if the engine has an
                                               * energy balance */
    double momentum[3];
    double temperature; /* 2 K / (D N), with the motion of the centre of mass, without spins */
} frame_energy;

/* The number of particles in the system; a clump is one. */
size_t frame_present(const carom_frame *f);

/* Sums in index order (compensated), so that equal frames give equal bits. */
frame_energy frame_energy_of(const carom_frame *f);

/* The conserved sum: total plus dissipated energy, less work and supplied heat. */
double frame_budget(const carom_frame *f, const frame_energy *energy);

/* Mean layer of counted impacts, NAN if there are none; *used: deepest layer. */
double frame_mean_layer(const uint64_t layers[LAYER_BINS], size_t *used);

#endif
