/* The checked scene: all that a scene file says, with defaults filled in. Made by scene_read, const afterwards. */
#ifndef CAROM_SCENE_SCENE_H
#define CAROM_SCENE_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "scene/exact/kinds.h"
#include "scene/settings.h"

typedef enum scene_boundary { BOUNDARY_PERIODIC, BOUNDARY_WALL, BOUNDARY_OPEN } scene_boundary;

/* The box spans [0, size) on each axis. In 2D the third size is 1 and periodic. */
typedef struct scene_box {
    double size[3];          /* 0 while it follows from packing_fraction and the drawn diameters */
    double packing_fraction; /* 0 where size is given */
    double aspect[3];        /* ratios of the sides where packing_fraction gives the volume; default 1, 1, 1 */
    scene_boundary boundary[3];
} scene_box;

typedef enum size_law { SIZE_CONSTANT, SIZE_UNIFORM, SIZE_NORMAL, SIZE_LOGNORMAL } size_law;

/* Distribution of diameters. UNIFORM: [a, b]. NORMAL: mean a, standard deviation b, redrawn within [min, max].
 * LOGNORMAL: mean a and standard deviation b of the diameter itself, redrawn within [min, max]. */
typedef struct scene_size {
    size_law law;
    double a, b, min, max;
} scene_size;

typedef struct scene_species {
    char *name;
    scene_size diameter;
    double mass;    /* 0 where density is given: mass = density * volume (area in 2D) */
    double density; /* 0 where mass is given */
    double inertia; /* 4 I / (m d^2); 0: of a solid body */
    uint32_t shape; /* where it is no sphere: its row in geometry/shapes.h, */
    double half[2]; /* and half its extent along the axis and across; diameter: the longer. 0: a sphere */
} scene_species;

typedef enum scene_place {
    PLACE_FCC,
    PLACE_BCC,
    PLACE_SC,
    PLACE_SQUARE,
    PLACE_HEXAGONAL, /* lattices filling the box */
    PLACE_RANDOM,    /* random sequential */
    PLACE_COMPRESS,  /* Lubachevsky-Stillinger */
    PLACE_FILE,      /* extended XYZ or H5MD */
    PLACE_AT,        /* listed in the scene */
    PLACE_WALK       /* random walks that do not overlap */
} scene_place;

typedef enum scene_velocity {
    VELOCITY_ZERO,
    VELOCITY_MAXWELL, /* a = temperature: each component normal with variance a / mass */
    VELOCITY_UNIFORM, /* each component uniform in [a, b] */
    VELOCITY_CIRCLE,  /* on the circle (2D) or sphere (3D) of radius a */
    VELOCITY_FILE,    /* from the file of place */
    VELOCITY_EACH     /* listed in the scene: one vector a particle, or one for all */
} scene_velocity;

typedef enum scene_spin {
    SPIN_ZERO,
    SPIN_MAXWELL, /* a temperature: each component normal with variance T / I */
    SPIN_EACH,    /* listed in the scene: one a particle, or one for all */
    SPIN_FILE     /* from the file of place */
} scene_spin;

typedef enum scene_orientation {
    ORIENTATION_RANDOM,
    ORIENTATION_ALONG, /* one for all */
    ORIENTATION_EACH,  /* listed in the scene */
    ORIENTATION_FILE   /* from the file of place */
} scene_orientation;

typedef struct scene_share {
    uint32_t species;
    double ratio;
} scene_share;

typedef enum scene_region_kind { REGION_ALL, REGION_BOX, REGION_BALL, REGION_CYLINDER } scene_region_kind;

/* Where random places are: spheres lie in it as a whole. */
typedef struct scene_region {
    scene_region_kind kind;
    double from[3], to[3]; /* corners of a box; ends of a cylinder's axis; `from` the centre of a ball */
    double radius;
} scene_region;

/* One entry of `particles`. */
typedef struct scene_particles {
    scene_share *shares; /* one species, or several with number ratios */
    size_t share_count;
    uint64_t count; /* 0: as many as the file or the list holds */
    scene_place place;
    double compress_rate; /* growth rate of the diameters relative to the thermal speed; PLACE_COMPRESS */
    double compress_from; /* packing fraction at which the compression starts */
    uint64_t walk_length; /* particles in each; PLACE_WALK */
    double walk_step;     /* from one to the next; PLACE_WALK */
    size_t inside;        /* a closed mesh; SIZE_MAX: anywhere in the box; PLACE_RANDOM */
    size_t outside;       /* likewise; SIZE_MAX: only rigid closed meshes are kept free */
    scene_region region;  /* PLACE_RANDOM */
    char *file;           /* resolved relative to the scene's folder; PLACE_FILE */
    int64_t frame;        /* of the file, from 0; negative: from the end; PLACE_FILE */
    double (*at)[3];      /* PLACE_AT: count positions */
    scene_velocity velocity;
    double a, b;          /* of the velocity law */
    double *temperatures; /* VELOCITY_MAXWELL, by share; NULL: a for all */
    double (*each)[3];    /* VELOCITY_EACH */
    size_t each_count;    /* 1 or count */
    bool zero_momentum;   /* take the centre-of-mass velocity away (of this entry) */
    scene_spin spin;      /* how they turn at the start */
    bool spin_given;      /* else SPIN_FILE goes with VELOCITY_FILE: zero where the file has none */
    double spin_temperature;
    double (*spins)[3];            /* SPIN_EACH; 2D: the third */
    size_t spin_count;             /* 1 or count */
    scene_orientation orientation; /* of axes at the start */
    bool orientation_given;        /* else ORIENTATION_FILE goes with PLACE_FILE: random where the file has none */
    double (*axes)[3];             /* ORIENTATION_ALONG: one; ORIENTATION_EACH: axes_count; any lengths */
    size_t axes_count;
} scene_particles;

typedef enum restitution_kind { RESTITUTION_CONSTANT, RESTITUTION_VISCOELASTIC, RESTITUTION_TABLE } restitution_kind;

/* Coefficient of normal restitution as a function of the impact speed g. */
typedef struct restitution_law {
    restitution_kind kind;
    double value;       /* CONSTANT: e. VISCOELASTIC: the speed scale parameter A kappa^(2/5) (time/length)^(1/5) */
    double (*table)[2]; /* TABLE: (g, e), g increasing; linear between, constant outside */
    size_t count;
    double
        stick_below;  /* impact speed below which the two stick, in engines that merge; infinite: always, the default */
    bool stick_given; /* in the scene */
    double friction;  /* Coulomb coefficient; 0: smooth */
    bool friction_given; /* in the scene: without it nothing limits `tangential` */
    double temperature;  /* of a thermal wall; 0: it is none */
    double tangential;   /* coefficient of tangential restitution of rough spheres; -1: smooth */
    size_t contact;      /* the entry of `contacts` that gives it */
} restitution_law;

/* Whether the surfaces that meet exchange angular momentum. */
static inline bool restitution_is_rough(const restitution_law *law)
{
    return law->tangential > -1;
}

/* The energy of a pair closer than `distance`, in contact distances, and further away than the next step. */
typedef struct scene_step {
    double distance, energy;
} scene_step;

/* Between particles of two species, beyond contact: steps from the outermost in, above 1. A bridge of liquid has one
 * step: it forms at contact and breaks at `distance`, which takes `energy`. */
typedef struct scene_potential {
    uint32_t between[2];
    scene_step *steps;
    size_t count;
    bool bridge;
} scene_potential;

/* A fixed plane n.(r - point) >= 0; normal is a unit vector. */
typedef struct scene_plane {
    char *name;
    double point[3], normal[3];
} scene_plane;

/* Particles below are named by their numbers: from 0, in the order of the scene's `particles`; the vertices of meshes
 * follow. */

/* Springs between pairs: V = stiffness (|r| - length)^2 / 2, and a dashpot along r. */
typedef struct scene_springs {
    char *name;
    uint32_t (*pairs)[2];
    size_t count;
    double stiffness, damping; /* force / length, force / speed */
    double length;             /* at rest; negative: each as long as it is placed */
} scene_springs;

/* Pairs that never come closer than `shortest` nor part further than `longest`, and do not touch otherwise. */
typedef struct scene_bonds {
    char *name;
    uint32_t (*pairs)[2];
    size_t count;
    double shortest, longest;
    uint64_t length; /* of the pieces that a chain was cut into; 0: it was not */
    bool closed;     /* each is a ring */
} scene_bonds;

/* Angular springs (2D) at b of triples a, b, c: V = stiffness (theta - angle)^2 / 2, theta the angle by which the way
 * a-b-c turns to the left, in (-pi, pi]. */
typedef struct scene_hinges {
    char *name;
    uint32_t (*triples)[3];
    size_t count;
    double stiffness; /* energy / radian^2 */
    double angle;     /* at rest, radians; NaN: each as it is placed */
} scene_hinges;

/* Rods between pairs of particles that others touch: a segment with round ends, `diameter` thick. They move with their
 * ends and have no mass. */
typedef struct scene_segments {
    char *name;
    uint32_t (*pairs)[2];
    size_t count;
    double diameter;
    uint32_t species; /* whose contacts they have */
} scene_segments;

/* From `time` on (until the next) moved with this velocity; and turned, where `rate` is not 0, about an axis that is at
 * `through` at the time and moves with the velocity; and swung, where `frequency` is not 0, by
 * swing (sin(2 pi frequency (t - time) + phase) - sin(phase)). */
typedef struct scene_motion {
    double time, velocity[3];
    double axis[3], through[3], rate;
    double swing[3], frequency, phase;
} scene_motion;

/* A place on a path: moved from the start by `by` at this time. */
typedef struct scene_waypoint {
    double time, by[3];
} scene_waypoint;

/* When a motion begins: once all of what it waits for has been slower than that at each look over this time. */
typedef struct scene_start {
    bool given; /* else: at the start of the run */
    bool free;  /* until then nothing holds what it moves */
    double slower, lasting, every;
    size_t *meshes; /* whose vertices; NULL: all that moves */
    size_t mesh_count;
} scene_start;

/* Particles, a plane, an exact surface, or vertices of a mesh that nothing but the scene moves: they stand where the motion
 * is empty. Which they are is known when the state is made (initial_state.drives). */
typedef struct scene_drive {
    char *name;
    uint32_t *particles; /* or the vertices listed, counted from the mesh's first; NULL: all of it */
    size_t count;
    size_t plane, mesh;        /* index; SIZE_MAX: none */
    size_t exact[EXACT_COUNT]; /* likewise, among those of a kind: one at most */
    bool within;               /* of a mesh: only those that start in this box */
    double lowest[3], highest[3];
    scene_motion *motion;
    size_t motion_count;
    scene_start start;
} scene_drive;

/* A rigid body: particles that keep their distances, whose mass and inertia are those of the particles, as points; or
 * the solid inside of a closed mesh. */
typedef struct scene_body {
    char *name;
    uint32_t *particles; /* none of a mesh */
    size_t count;
    size_t mesh;                /* index; SIZE_MAX: none */
    double density;             /* of the solid */
    double angular_velocity[3]; /* at the start; 2D: the third. Its particles' mean velocity is that of its centre */
} scene_body;

typedef enum scene_shape_kind {
    SHAPE_RECTANGLE,
    SHAPE_DISK,
    SHAPE_RIBBON,
    SHAPE_SPHERE,
    SHAPE_GLOBE,
    SHAPE_TORUS,
    SHAPE_SOLID,
    SHAPE_PRISM,
    SHAPE_TUBE,
    SHAPE_SPIKES,
    SHAPE_REEF_KNOT,
    SHAPE_BOWLINE
} scene_shape_kind;

/* A mesh made to measure; which of these count depends on the kind (mesh/make.h). */
typedef struct scene_shape {
    scene_shape_kind kind;
    double length, width, height, radius, tube;
    uint64_t along, across, around, rings, parts; /* numbers of cells */
    bool rough;
    uint64_t seed;
    int solid; /* a platonic_solid */
    double (*points)[3], (*sides)[3];
    size_t point_count;
} scene_shape;

typedef enum scene_rest { REST_MESH, REST_FLAT } scene_rest;

/* A triangle mesh: a file, or a shape; scaled, then turned by `angle` about `axis`, then moved by `at`. What it is made
 * of: docs/shells.md. Its vertices are particles where it has a thickness; else it is only looked at. */
typedef struct scene_mesh {
    char *name;
    char *file; /* resolved relative to the scene's folder; NULL: the shape */
    scene_shape shape;
    double at[3], axis[3], angle, scale;
    uint32_t species; /* whose contacts it has */
    double thickness; /* 0: not given */
    double density;
    double velocity[3]; /* at the start */
    bool rigid;         /* nothing but a drive moves it */
    bool solid;         /* a body */
    unsigned repair;    /* mesh_repair flags: what may be changed of the file */
    double weld_within; /* in its lengths; 0: only what is at exactly one place is welded */
    double stretch, poisson, bend;
    double stretch_damping, bend_damping;
    int rest;                      /* scene_rest: angles of the hinges at rest */
    double yield_angle, hardening; /* yield_angle 0: elastic */
} scene_mesh;

/* By bit of mesh_repair. */
extern const char *const scene_repair_words[];

/* `every` in simulated time, `every_collisions` in collisions; both 0: the observable samples by itself. */
typedef struct scene_observe {
    uint32_t what;       /* index into the vocabulary's observables */
    char *name;          /* key in the results; default: the observable's name, numbered where repeated */
    double every, start; /* start: no sample before this time */
    uint64_t every_collisions;
    void *settings; /* the struct that the observable's table fills */
} scene_observe;

/* Limits of a run; 0 (time: infinity) where not given. */
typedef struct scene_until {
    double time, wall_time, pressure;
    uint64_t events, collisions, clusters;
} scene_until;

typedef struct scene_output {
    double frames_every;
    uint64_t frames_every_collisions;
    double checkpoint_every_wall; /* seconds */
    uint64_t compression;         /* level of deflate; 0: none */
} scene_output;

/* How pictures look at it. */
typedef struct scene_view {
    bool given, aimed;         /* aimed: at `target`; else at the middle of what there is */
    double azimuth, elevation; /* degrees, of the eye */
    double zoom, target[3];
    bool framed; /* the picture is of the box from low to high; else of what there is */
    double low[3], high[3];
    int up;     /* 0: against gravity; else 1 + axis */
    bool whole; /* molecules and clusters in one piece */
    int meshes; /* solid, transparent, edges, hidden */
} scene_view;

typedef struct scene {
    char *source;                    /* the file's name, for messages; "(text)" where there is none */
    const struct scene_spots *spots; /* where its keys stand (where.h) */
    char *resolved;                  /* the scene as run: YAML with every default written out */
    char *title;
    uint32_t engine; /* index into the vocabulary's engines */
    int dimension;
    uint64_t seed;
    scene_box box;
    scene_species *species;
    size_t species_count;
    scene_particles *particles;
    size_t particles_count;
    scene_plane *planes; /* those of the scene; the box's walls are not among them */
    size_t plane_count;
    exact_list exact[EXACT_COUNT]; /* exact surfaces, by kind (scene/exact.h) */
    scene_potential *potentials;
    size_t potential_count;
    scene_bonds *bonds;
    size_t bonds_count;
    scene_springs *springs;
    size_t springs_count;
    scene_hinges *hinges;
    size_t hinges_count;
    scene_segments *segments;
    size_t segments_count;
    scene_drive *drives;
    size_t drive_count;
    scene_body *bodies;
    size_t body_count;
    scene_mesh *meshes;
    size_t mesh_count;
    restitution_law *laws; /* laws[0] is elastic */
    size_t law_count;
    uint32_t *pair_law;    /* [species][species], symmetric */
    uint32_t *surface_law; /* [species][scene_surfaces]: 0 the box's walls (named `wall`), planes, exact surfaces */
    bool rough;            /* particles turn: a contact is rough, or one spins from the start */
    bool shaped;           /* a species is no sphere (and then particles turn) */
    double gravity[3];
    scene_until until;
    scene_observe *observe;
    size_t observe_count;
    scene_output output;
    scene_view view;
    void *engine_settings; /* the struct that the engine's table fills */
    const settings_table *engine_table;
    struct arena *memory; /* owns all of the above */
} scene;

static inline size_t scene_exact_count(const scene *s)
{
    size_t count = 0;
    for (size_t k = 0; k < EXACT_COUNT; k++) count += s->exact[k].count;
    return count;
}

/* What a species may have a contact with, beside species: the walls together, each plane, each exact surface. */
static inline size_t scene_surfaces(const scene *s)
{
    return 1 + s->plane_count + scene_exact_count(s);
}

/* The number under `name` among the engine's settings; `otherwise` where there is none (or no scene). */
double scene_engine_number(const scene *s, const char *name, double otherwise);

/* Reads a scene from text (source names it in messages; `folder`, may be NULL, is where its files lie). `sets` are
 * `key.path=value` overrides. All faults are reported in one pass on `e`, one `file:line:col: error: ...` each with
 * the line and a caret. CAROM_BAD_DATA, or CAROM_USAGE for a bad override. On failure *out is NULL. */
carom_status scene_read(scene **out, const char *source, const char *folder, const char *text, size_t length,
                        const char *const *sets, size_t set_count, const scene_vocabulary *vocabulary, error *e);

/* The same from a file; CAROM_NO_INPUT where there is none. */
carom_status scene_read_file(scene **out, const char *path, const char *const *sets, size_t set_count,
                             const scene_vocabulary *vocabulary, error *e);

void scene_free(scene *s);

/* The k-th of the files that the scene is made from, beside its own: of particles, then of meshes. NULL beyond the last. */
const char *scene_file(const scene *s, size_t k);

/* Whether `path` is one of them. */
bool scene_reads(const scene *s, const char *path);

/* What only engines with forces have (springs, hinges, ...): an `engine` that has none of it says so, a line each. */
carom_status scene_refuse_forces(const scene *s, const char *engine, error *e);

/* Likewise friction. */
carom_status scene_refuse_friction(const scene *s, const char *engine, error *e);

/* Likewise thermal walls. */
carom_status scene_refuse_thermal(const scene *s, const char *engine, error *e);

/* Likewise drives. */
carom_status scene_refuse_drives(const scene *s, const char *engine, error *e);

/* Likewise exact surfaces. */
carom_status scene_refuse_exact(const scene *s, const char *engine, error *e);

/* Likewise meshes. */
carom_status scene_refuse_meshes(const scene *s, const char *engine, error *e);

/* A species' moment of inertia over m d^2 / 4. */
double scene_inertia(const scene *s, uint32_t species);

/* The shape of the first species that is no sphere (geometry/shape.h), for messages; without one, ellipsoids. */
const struct body_shape *scene_particle_shape(const scene *s);

/* Is a species neither a sphere nor an ellipsoid? Then frames say which shape each body has. */
bool scene_tells_shapes(const scene *s);

/* The volume of a species' bodies over that of the sphere (disk) around them. */
double scene_fullness(const scene *s, uint32_t species);

/* Packing fraction that no arrangement of equal spheres (disks) exceeds. */
double scene_densest_packing(int dimension);

bool scene_has_gravity(const scene *s);

/* Is there a contact with a temperature? */
bool scene_is_thermal(const scene *s);

/* Compares two resolved scenes, ignoring run.until, output and view. *key (caller frees with memory_free) is the path
 * of the first key that differs, NULL where nothing does. CAROM_BAD_DATA where one of them is no resolved scene. */
carom_status scene_difference(const char *stored_resolved, const char *resolved, char **key, error *e);

/* The same for any two texts of this language, and nothing is ignored. */
carom_status scene_text_difference(const char *stored, const char *text, char **key, error *e);

/* The keys of a scene as text for a terminal: all of them, or what is under one `key.path`. Caller frees. */
carom_status scene_help(char **out, const char *key, const scene_vocabulary *vocabulary, error *e);

/* The scene reference as Markdown (docs/scene.md). Caller frees. */
carom_status scene_reference(char **out, const scene_vocabulary *vocabulary, error *e);

#endif
