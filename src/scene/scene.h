/* The checked scene: all settings of a scene file, with defaults. Made by scene_read, const afterwards. */
#ifndef CAROM_SCENE_SCENE_H
#define CAROM_SCENE_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "scene/arrays.h"
#include "scene/exact/kinds.h"
#include "scene/settings.h"

typedef enum scene_boundary { BOUNDARY_PERIODIC, BOUNDARY_WALL, BOUNDARY_OPEN } scene_boundary;

/* The box spans [0, size) on each axis. In 2D the third size is 1 and periodic. */
typedef struct scene_box {
    double size[3];          /* 0 if it follows from packing_fraction and the drawn diameters */
    double packing_fraction; /* 0 if size is given */
    double aspect[3];        /* ratios of the sides if packing_fraction determines the volume; default 1, 1, 1 */
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
    double mass;           /* 0 if density is given: mass = density * volume (area in 2D) */
    double density;        /* 0 if mass is given */
    double inertia;        /* 4 I / (m d^2); 0: of a solid body */
    double young, poisson; /* Young's modulus, Poisson's ratio; young 0: no elastic constants */
    uint32_t shape;        /* for shapes other than spheres: its row in geometry/shapes.h, */
    double half[2];        /* and its half lengths along the axis and across; diameter: the longer one. 0: a sphere */
} scene_species;

typedef enum scene_place {
    PLACE_FCC,
    PLACE_BCC,
    PLACE_SC,
    PLACE_SQUARE,
    PLACE_HEXAGONAL, /* lattices filling the box */
    PLACE_RANDOM,    /* random sequential */
    PLACE_COMPRESS,  /* Lubachevsky-Stillinger */
    PLACE_FILE,      /* a file (extended XYZ or H5MD), or an array */
    PLACE_AT,        /* listed in the scene */
    PLACE_WALK,      /* random walks that do not overlap */
    PLACE_INFLOW     /* absent at the start; they enter through a region */
} scene_place;

typedef enum scene_velocity {
    VELOCITY_ZERO,
    VELOCITY_MAXWELL, /* a = temperature: each component normal with variance a / mass */
    VELOCITY_UNIFORM, /* each component uniform in [a, b] */
    VELOCITY_CIRCLE,  /* on the circle (2D) or sphere (3D) of radius a */
    VELOCITY_FILE,    /* from the file that gives the positions */
    VELOCITY_EACH     /* listed in the scene: one vector per particle, or one for all */
} scene_velocity;

typedef enum scene_spin {
    SPIN_ZERO,
    SPIN_MAXWELL, /* a temperature: each component normal with variance T / I */
    SPIN_EACH,    /* listed in the scene: one per particle, or one for all */
    SPIN_FILE     /* from the file that gives the positions */
} scene_spin;

typedef enum scene_orientation {
    ORIENTATION_RANDOM,
    ORIENTATION_ALONG, /* one for all */
    ORIENTATION_EACH,  /* listed in the scene */
    ORIENTATION_FILE,  /* from the file that gives the positions */
    ORIENTATION_FIXED  /* of clumps: as in their template */
} scene_orientation;

typedef struct scene_share {
    uint32_t species;
    double ratio;
} scene_share;

typedef enum scene_region_kind { REGION_ALL, REGION_BOX, REGION_BALL, REGION_CYLINDER } scene_region_kind;

/* The region of random positions: spheres are completely inside it. */
typedef struct scene_region {
    scene_region_kind kind;
    double from[3], to[3]; /* corners of a box; ends of the axis of a cylinder; `from`: the centre of a ball */
    double radius;
} scene_region;

/* One entry of `particles`. */
typedef struct scene_particles {
    scene_share *shares; /* one species, or several with number fractions; of clumps: that of the template */
    size_t share_count;
    size_t clump;   /* index of a template; SIZE_MAX: single particles */
    uint64_t count; /* of particles or clumps; 0: all particles of the file or the list */
    scene_place place;
    double compress_rate;            /* growth rate of the diameters relative to the thermal speed; PLACE_COMPRESS */
    double compress_from;            /* packing fraction at which the compression starts */
    uint64_t walk_length;            /* particles per walk; PLACE_WALK */
    double walk_step;                /* distance of successive particles; PLACE_WALK */
    size_t inside;                   /* a closed mesh; SIZE_MAX: anywhere in the box; PLACE_RANDOM */
    size_t outside;                  /* likewise; SIZE_MAX: only rigid closed meshes are excluded */
    scene_region region;             /* PLACE_RANDOM, PLACE_INFLOW */
    double inflow_rate;              /* most particles per time; PLACE_INFLOW */
    double inflow_start, inflow_end; /* first and last time; infinite: no end */
    char *file;                      /* relative to the folder of the scene; PLACE_FILE; NULL: an array */
    char *array_name;                /* PLACE_FILE; NULL: a file */
    const scene_array *array;        /* of that name; NULL: a stored scene, without it */
    char *from;                      /* the file or array in messages; PLACE_FILE */
    int64_t frame;                   /* index of the frame, from 0; negative: from the end; PLACE_FILE */
    double (*at)[3];                 /* PLACE_AT: count positions */
    scene_velocity velocity;
    double a, b;          /* of the velocity law */
    double *temperatures; /* VELOCITY_MAXWELL, for each species of `shares`; NULL: a for all */
    double (*each)[3];    /* VELOCITY_EACH */
    size_t each_count;    /* 1 or count */
    bool zero_momentum;   /* subtract the centre-of-mass velocity (of this entry) */
    scene_spin spin;      /* initial angular velocities */
    bool spin_given;      /* otherwise VELOCITY_FILE implies SPIN_FILE: zero if the file has none */
    double spin_temperature;
    double (*spins)[3];            /* SPIN_EACH; 2D: the third component */
    size_t spin_count;             /* 1 or count */
    scene_orientation orientation; /* initial orientations */
    bool orientation_given;        /* otherwise PLACE_FILE implies ORIENTATION_FILE: random if the file has none */
    double (*axes)[3];             /* ORIENTATION_ALONG: one; ORIENTATION_EACH: axes_count; any lengths */
    size_t axes_count;
} scene_particles;

/* A sphere of a clump, in the frame of the template. */
typedef struct scene_clump_sphere {
    double at[3], diameter;
} scene_clump_sphere;

/* A template of rigid bodies of spheres, which may overlap: the body is their union. */
typedef struct scene_clump {
    char *name;
    uint32_t species; /* the species that determines the contacts */
    scene_clump_sphere *spheres;
    size_t sphere_count;
    double density, mass; /* one of them is 0 */
} scene_clump;

typedef enum restitution_kind { RESTITUTION_CONSTANT, RESTITUTION_VISCOELASTIC, RESTITUTION_TABLE } restitution_kind;

/* Coefficient of normal restitution as a function of the impact speed g. */
typedef struct restitution_law {
    restitution_kind kind;
    double value;       /* CONSTANT: e. VISCOELASTIC: the speed scale parameter A kappa^(2/5) (time/length)^(1/5) */
    double (*table)[2]; /* TABLE: (g, e), g increasing; linear interpolation, constant outside */
    size_t count;
    double stick_below;  /* impact speed below which particles merge; infinite (the default): always */
    bool stick_given;    /* in the scene */
    double friction;     /* Coulomb coefficient; 0: smooth */
    bool friction_given; /* given in the scene; otherwise nothing limits `tangential` */
    double temperature;  /* of a thermal wall; 0: not thermal */
    double tangential;   /* coefficient of tangential restitution of rough spheres; -1: smooth */
    double rolling_friction, twisting_friction; /* of the reduced radius times the normal force: caps of torques */
    double cohesion;                            /* force of attraction in contact; 0: none */
    double rolling_viscosity;                   /* of the same: torque per rate of rolling */
    double young, poisson;                      /* of the wall or plane; young 0: rigid */
    size_t contact;                             /* index of the entry of `contacts` with this law */
} restitution_law;

/* Whether contacts dissipate energy. */
static inline bool restitution_loses(const restitution_law *law)
{
    return law->kind != RESTITUTION_CONSTANT || law->value != 1;
}

/* Whether contacts resist rolling or twisting. */
static inline bool restitution_resists_rolling(const restitution_law *law)
{
    return law->rolling_friction > 0 || law->twisting_friction > 0 || law->rolling_viscosity > 0;
}

/* Whether surfaces in contact exchange angular momentum. */
static inline bool restitution_is_rough(const restitution_law *law)
{
    return law->tangential > -1;
}

/* The energy of a pair at a distance below `distance`, in units of the contact distance, and above that of the next
 * step. */
typedef struct scene_step {
    double distance, energy;
} scene_step;

/* Potential between particles of two species beyond contact: steps in the order of decreasing distance, all above 1. A
 * liquid bridge has one step: it forms at contact and breaks at `distance`, which costs `energy`. */
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

/* The structs below refer to particles by number: from 0, in the order of `particles` of the scene, then vertices of
 * meshes. */

/* Springs between pairs: V = stiffness (|r| - length)^2 / 2, and a dashpot along r. */
typedef struct scene_springs {
    char *name;
    uint32_t (*pairs)[2];
    size_t count;
    double stiffness, damping; /* force / length, force / speed */
    double length;             /* rest length; negative: the initial distance of each pair */
} scene_springs;

/* Pairs with a distance between `shortest` and `longest` and no other contact. */
typedef struct scene_bonds {
    char *name;
    uint32_t (*pairs)[2];
    size_t count;
    double shortest, longest;
    uint64_t length; /* number of particles of each piece of a chain; 0: not divided */
    bool closed;     /* each piece is closed to a ring */
} scene_bonds;

/* Angular springs (2D) at b of triples a, b, c: V = stiffness (theta - angle)^2 / 2, theta the angle by which the path
 * a-b-c turns to the left, in (-pi, pi]. */
typedef struct scene_hinges {
    char *name;
    uint32_t (*triples)[3];
    size_t count;
    double stiffness; /* energy / radian^2 */
    double angle;     /* rest angle, radians; NaN: the initial angle of each */
} scene_hinges;

enum { ROD_STRAIGHT, ROD_START }; /* shape of a rod at rest */

/* An elastic rod through particles: it stretches, bends and twists. */
typedef struct scene_rod {
    char *name;
    uint32_t *particles;
    size_t count;
    bool closed; /* the last particle is joined to the first */
    double young, poisson, diameter;
    double width;    /* the other axis of the cross section; 0: `diameter` */
    double along[3]; /* direction of the width at the start of the rod */
    int rest;
    double damping;                 /* retardation time */
    double twist;                   /* at the start, radians, from one end to the other; NaN: it twists freely */
    double twist_rate, twist_until; /* rotation of the last end against the first; 0: to the end of the run */
} scene_rod;

/* Rods between pairs of particles: segments with round ends and thickness `diameter`, which take part in contacts. They
 * move with their ends and have no mass. */
typedef struct scene_segments {
    char *name;
    uint32_t (*pairs)[2];
    size_t count;
    double diameter;
    uint32_t species; /* the species that determines the contacts */
} scene_segments;

/* From `time` until the next motion: translation at this velocity; rotation, if `rate` is not 0, about an axis that
 * passes through `through` at `time` and moves with the velocity; and oscillation, if `frequency` is not 0, by swing
 * (sin(2 pi frequency (t - time) + phase) - sin(phase)). */
typedef struct scene_motion {
    double time, velocity[3];
    double axis[3], through[3], rate;
    double swing[3], frequency, phase;
} scene_motion;

/* A point of a path: the displacement `by` at this time. */
typedef struct scene_waypoint {
    double time, by[3];
} scene_waypoint;

/* All points in question have been slower than `slower` at each check during `lasting`. */
typedef struct scene_condition {
    double slower, lasting, every;
    size_t *meshes;     /* meshes whose vertices are checked; NULL: all points that no drive holds */
    uint64_t particles; /* least number in the system */
    size_t mesh_count;
} scene_condition;

/* The start of a motion. */
typedef struct scene_start {
    bool given; /* otherwise: at the start of the run */
    bool free;  /* before the start the drive does not hold its particles */
    scene_condition when;
} scene_start;

/* The moment at which a mesh appears or vanishes: a time, or that at which a condition holds. */
typedef struct scene_moment {
    bool given, waits; /* waits: for the condition */
    double time;
    double every; /* of a mesh that appears at a time: between two trials, as long as its place is occupied */
    scene_condition when;
} scene_moment;

/* A box with faces parallel to those of the scene's. */
typedef struct scene_within {
    bool given;
    double lowest[3], highest[3];
} scene_within;

/* Particles, a plane, an exact surface, or vertices of a mesh with prescribed motion; at rest if `motion` is empty. The
 * list is resolved in the initial state (initial_state.drives). */
typedef struct scene_drive {
    char *name;
    uint32_t *particles; /* particles, or vertices counted from the first of the mesh; NULL: all of it */
    size_t count;
    size_t plane, mesh;        /* index; SIZE_MAX: none */
    size_t exact[EXACT_COUNT]; /* likewise, among those of a kind; at most one is set */
    scene_within within;       /* of a mesh: only vertices that are initially in this box */
    scene_motion *motion;
    size_t motion_count;
    scene_start start;
} scene_drive;

/* From the factor of the item before (0 at time 0) on a straight line to this one. */
typedef struct scene_ramp {
    double time, factor;
} scene_ramp;

/* A force and a couple on vertices of a shell, both in total and times the factor of the ramp (1 without items). */
typedef struct scene_load {
    char *name;
    uint32_t *vertices; /* counted from the first of the mesh; NULL: all of it */
    size_t count;
    size_t mesh;
    scene_within within; /* only vertices that are initially in this box */
    double force[3], moment[3];
    scene_ramp *ramp;
    size_t ramp_count;
} scene_load;

/* A rigid body: particles at fixed distances, with the mass and inertia of point particles; or the solid inside of a
 * closed mesh. */
typedef struct scene_body {
    char *name;
    uint32_t *particles; /* not including vertices of its mesh */
    size_t count;
    size_t mesh;                /* index; SIZE_MAX: none */
    double density;             /* of the solid */
    double angular_velocity[3]; /* at the start; 2D: the third component */
    size_t listed;              /* index in the text of the scene; 0 before copies are made */
    bool copied;                /* one of several copies, */
    size_t copy_of, copy;       /* the index of the first one, and the number of this one, from 0 */
    scene_particles copies;     /* their number, places, orientations and velocities */
} scene_body;

/* Particles whose centres are in the region, or beyond an open side of the box, leave. */
typedef struct scene_outflow {
    char *name;
    scene_region region; /* REGION_ALL: the side instead */
    int side;            /* 2 axis, or one more for the high side */
    double every;        /* interval of the checks */
    double start, end;   /* first and last time; infinite: no end */
} scene_outflow;

typedef enum scene_shape_kind {
    SHAPE_RECTANGLE,
    SHAPE_DISK,
    SHAPE_RIBBON,
    SHAPE_SPHERE,
    SHAPE_GLOBE,
    SHAPE_TORUS,
    SHAPE_SOLID,
    SHAPE_BOX,
    SHAPE_CAPSULE,
    SHAPE_PRISM,
    SHAPE_TUBE,
    SHAPE_REVOLUTION,
    SHAPE_SPIKES,
    SHAPE_REEF_KNOT,
    SHAPE_BOWLINE
} scene_shape_kind;

/* A generated mesh; its kind determines the parameters that apply (mesh/make.h). */
typedef struct scene_shape {
    scene_shape_kind kind;
    double length, width, height, radius, tube, size[3];
    uint64_t along, across, around, rings, parts; /* numbers of cells */
    bool rough;
    uint64_t seed;
    int solid; /* a platonic_solid */
    double (*points)[3], (*sides)[3];
    size_t point_count;
} scene_shape;

typedef enum scene_rest { REST_MESH, REST_FLAT } scene_rest;

/* The energy of stretching. */
typedef enum scene_material { MATERIAL_ST_VENANT_KIRCHHOFF, MATERIAL_NEO_HOOKEAN } scene_material;

/* Moduli besides `young`, that along the warp. */
typedef struct scene_fabric {
    bool given;
    double weft, shear;
    double warp[3]; /* direction, before the mesh is placed */
} scene_fabric;

/* A triangle mesh: a file, an array or a shape; scaled, then rotated by `angle` about `axis`, then displaced by `at`. Material:
 * docs/shells.md. Its vertices are particles if it has a thickness; otherwise it only appears in pictures and
 * checks. */
typedef struct scene_mesh {
    char *name;
    char *file;               /* relative to the folder of the scene; NULL: an array or the shape */
    char *array_name;         /* NULL: a file or the shape */
    const scene_array *array; /* of that name; NULL: a stored scene, without it */
    char *from;               /* the file or array in messages; NULL: the shape */
    scene_shape shape;
    double at[3], axis[3], angle, scale;
    uint32_t species; /* the species that determines the contacts */
    double thickness; /* 0: not given */
    double density;
    double velocity[3]; /* at the start */
    bool rigid;         /* it moves only by a drive */
    scene_moment appear, vanish;
    bool solid;         /* a body */
    size_t listed;      /* index in the text of the scene; 0 before copies are made */
    bool copied;        /* of a copy of a body, */
    size_t copy_of;     /* with the shape of this mesh, that of the first copy */
    unsigned repair;    /* mesh_repair flags: permitted changes of the file */
    double weld_within; /* in lengths of the file; 0: only vertices with equal positions are merged */
    double stretch, poisson, bend;
    double young;             /* 0: not given; then `stretch` and `bend` are 0 */
    double elastic_thickness; /* 0: not given */
    int material;             /* scene_material */
    scene_fabric fabric;
    double stretch_damping, bend_damping;
    int rest;                      /* scene_rest: rest angles of the hinges */
    double yield_angle, hardening; /* yield_angle 0: elastic; of hinges with `bend` */
    double yield_moment;           /* of plates, per length; 0: elastic */
} scene_mesh;

/* By bit of mesh_repair. */
extern const char *const scene_repair_words[];

/* `every` in simulated time, `every_collisions` in collisions; both 0: the observable determines its samples. */
typedef struct scene_observe {
    uint32_t what;       /* index into the vocabulary's observables */
    char *name;          /* key in the results; default: the name of the observable, numbered if repeated */
    double every, start; /* start: no sample before this time */
    uint64_t every_collisions;
    void *settings; /* the struct of the settings table of the observable */
} scene_observe;

/* Limits of a run; 0 (time: infinity) if not given. */
typedef struct scene_until {
    double time, wall_time, pressure;
    uint64_t events, collisions, clusters;
    scene_condition rest; /* of all points that no drive holds; every 0: not given */
} scene_until;

/* Recording of events into the result. */
typedef struct scene_events {
    char *unused;        /* begins as the structs of keys with particle numbers (keys_numbers.c) */
    uint32_t *particles; /* [count] numbers; NULL without `particles` */
    size_t count;
    uint32_t *species; /* [species_count]; NULL without `species` */
    size_t species_count;
    bool given;
    uint32_t kinds;    /* sum of 1 << kind (carom_event_kind); 0: all */
    double start, end; /* first and last time; end 0: none */
    uint64_t most;     /* number of events; 0: no limit */
} scene_events;

typedef struct scene_output {
    scene_events events;
    double frames_every;
    uint64_t frames_every_collisions;
    double checkpoint_every_wall; /* seconds */
    uint64_t compression;         /* compression level of deflate; 0: none */
} scene_output;

/* The default view of pictures. */
typedef struct scene_view {
    bool given, aimed;         /* aimed: at `target`; otherwise at the centre of the scene */
    double azimuth, elevation; /* degrees, direction of the camera */
    double zoom, target[3];
    bool framed; /* the picture shows the box from low to high; otherwise the whole scene */
    double low[3], high[3];
    int up;     /* 0: opposite to gravity; otherwise 1 + axis */
    bool whole; /* molecules and clusters in one piece */
    int meshes; /* index of: solid, transparent, edges, hidden */
} scene_view;

typedef struct scene {
    char *source;                    /* name of the file, for messages; "(text)" without a file */
    char *folder;                    /* of the files that it names; NULL: the working directory */
    const scene_array *arrays;       /* that its text may name, also when it is read again with a change */
    bool endless;                    /* its text may lack limits */
    const struct scene_spots *spots; /* positions of its keys in the text (where.h) */
    char *resolved;                  /* the scene with all defaults, as YAML */
    char *title;
    uint32_t engine; /* index into the vocabulary's engines */
    int dimension;
    uint64_t seed;
    scene_box box;
    scene_species *species;
    size_t species_count;
    scene_particles *particles;
    size_t particles_count;
    scene_clump *clumps;
    size_t clump_count;
    scene_plane *planes; /* planes of the scene, without the walls of the box */
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
    scene_rod *rods;
    size_t rods_count;
    scene_segments *segments;
    size_t segments_count;
    scene_drive *drives;
    size_t drive_count;
    scene_load *loads;
    size_t load_count;
    scene_body *bodies;
    size_t body_count;
    scene_mesh *meshes;
    size_t mesh_count;
    bool expanded; /* bodies and meshes include the copies (scene/copies.h) */
    scene_outflow *outflows;
    size_t outflow_count;
    restitution_law *laws; /* laws[0] is elastic */
    size_t law_count;
    uint32_t *pair_law;    /* [species][species], symmetric */
    uint32_t *surface_law; /* [species][scene_surfaces]: walls of the box (`wall`), planes, exact surfaces */
    bool rough;            /* particles rotate: a contact is rough, or there are initial spins */
    bool shaped;           /* a species is not spherical (particles then rotate) */
    double gravity[3];
    scene_until until;
    scene_observe *observe;
    size_t observe_count;
    scene_output output;
    scene_view view;
    void *engine_settings; /* the struct of the settings table of the engine */
    const settings_table *engine_table;
    struct arena *memory; /* owns all of the above */
} scene;

/* Number of particles of each item of an entry: 1, or the spheres of a clump. */
static inline size_t scene_item_size(const scene *s, size_t entry)
{
    const size_t clump = s->particles[entry].clump;
    return clump < s->clump_count ? s->clumps[clump].sphere_count : 1;
}

static inline bool scene_has_clumps(const scene *s)
{
    bool some = false;
    for (size_t k = 0; k < s->particles_count; k++) some = some || s->particles[k].clump != SIZE_MAX;
    return some;
}

/* Rigid bodies: those listed under `bodies`, then clumps in the order of `particles`. */
static inline bool scene_has_bodies(const scene *s)
{
    return s->body_count > 0 || scene_has_clumps(s);
}

/* Whether the number of bodies may change during the run. */
static inline bool scene_flows(const scene *s)
{
    bool flows = s->outflow_count > 0;
    for (size_t k = 0; k < s->particles_count; k++) flows = flows || s->particles[k].place == PLACE_INFLOW;
    return flows;
}

/* Whether a mesh appears or vanishes during the run. */
static inline bool scene_mesh_changes(const scene *s, size_t k)
{
    return s->meshes[k].appear.given || s->meshes[k].vanish.given;
}

static inline bool scene_meshes_change(const scene *s)
{
    bool change = false;
    for (size_t k = 0; k < s->mesh_count; k++) change = change || scene_mesh_changes(s, k);
    return change;
}

static inline size_t scene_exact_count(const scene *s)
{
    size_t count = 0;
    for (size_t k = 0; k < EXACT_COUNT; k++) count += s->exact[k].count;
    return count;
}

/* Number of surfaces with which a species may have contacts: the walls of the box together, each plane, each exact
 * surface. */
static inline size_t scene_surfaces(const scene *s)
{
    return 1 + s->plane_count + scene_exact_count(s);
}

/* The number of that name in the settings of the engine, of a choice its index; `otherwise` if there is none (or no scene). */
double scene_engine_number(const scene *s, const char *name, double otherwise);

/* Reads a scene from text (`source`: its name in messages; `folder`: the folder of its files, may be NULL). `sets` are
 * `key.path=value` overrides. All faults are reported in one pass in `e`, one `file:line:col: error: ...` each with the
 * line and a caret. CAROM_BAD_DATA, or CAROM_USAGE for an invalid override. On failure *out is NULL. */
carom_status scene_read(scene **out, const char *source, const char *folder, const char *text, size_t length,
                        const char *const *sets, size_t set_count, const scene_vocabulary *vocabulary, error *e);

/* The same from a file; CAROM_NO_INPUT if it cannot be opened. */
carom_status scene_read_file(scene **out, const char *path, const char *const *sets, size_t set_count,
                             const scene_vocabulary *vocabulary, error *e);

/* The text of a scene, and what a program adds to it. */
typedef struct scene_text {
    const char *source; /* its name in messages */
    const char *folder; /* of its files; may be NULL */
    const char *text;   /* NULL: the file `source` */
    size_t length;
    const char *const *sets; /* overrides `key.path=value`, */
    const bool *unset;       /* or keys to remove where this is true; NULL: none */
    size_t set_count;
    const scene_array *arrays; /* that the scene may name */
    bool endless;              /* `run.until` may be missing */
    bool stored;               /* from a result: arrays may be missing */
} scene_text;

/* As scene_read, with all additions. */
carom_status scene_read_text(scene **out, const scene_text *from, const scene_vocabulary *vocabulary, error *e);

/* Sets *json (freed by the caller with memory_free) to the scene as written, with the overrides, as JSON. Keys and
 * values are not checked. CAROM_BAD_DATA, CAROM_USAGE (an override). */
carom_status scene_tree_json(char **json, const scene_text *from, error *e);

void scene_free(scene *s);

/* Data outside the text of a scene. */
typedef struct scene_input {
    const char *name;         /* for messages; NULL: there is none */
    const char *path;         /* NULL: an array */
    const scene_array *array; /* NULL: a file, or an array that a stored scene lacks */
} scene_input;

/* Input k of the scene: files and arrays of particles, then of meshes. */
scene_input scene_input_at(const scene *s, size_t k);

/* Whether `path` is one of the files. */
bool scene_reads(const scene *s, const char *path);

/* Refusals for engines without forces (springs, hinges, ...), one line for each element. */
carom_status scene_refuse_forces(const scene *s, const char *engine, error *e);

/* Likewise for friction. */
carom_status scene_refuse_friction(const scene *s, const char *engine, error *e);
carom_status scene_refuse_lasting(const scene *s, const char *engine, error *e);

/* Whether species have elastic constants. */
bool scene_is_elastic(const scene *s);

/* The key of a law that resists rolling or twisting. */
const char *restitution_rolling_key(const restitution_law *law);

/* Likewise for thermal walls. */
carom_status scene_refuse_thermal(const scene *s, const char *engine, error *e);

/* Likewise for drives. */
carom_status scene_refuse_drives(const scene *s, const char *engine, error *e);

/* Likewise for exact surfaces. */
carom_status scene_refuse_exact(const scene *s, const char *engine, error *e);

/* Likewise for meshes. */
carom_status scene_refuse_meshes(const scene *s, const char *engine, error *e);

/* The moment of inertia of a species, divided by m d^2 / 4. */
double scene_inertia(const scene *s, uint32_t species);

/* The shape of the first species that is not spherical (geometry/shape.h), for messages; ellipsoids if there is
 * none. */
const struct body_shape *scene_particle_shape(const scene *s);

/* Whether a species is neither spherical nor ellipsoidal. Frames then contain the shape of each body. */
bool scene_tells_shapes(const scene *s);

/* The volume of the bodies of a species, divided by that of the circumscribed sphere (disk). */
double scene_fullness(const scene *s, uint32_t species);

/* Upper limit of the packing fraction of equal spheres (disks). */
double scene_densest_packing(int dimension);

bool scene_has_gravity(const scene *s);

/* Whether a contact has a temperature. */
bool scene_is_thermal(const scene *s);

/* Compares two resolved scenes, without run.until, output and view. *key (freed by the caller with memory_free) is the
 * path of the first key that differs, NULL if they agree. CAROM_BAD_DATA if a text is not a resolved scene. */
carom_status scene_difference(const char *stored_resolved, const char *resolved, char **key, error *e);

/* The same for runs that continue a result file: output.events must agree, too. */
carom_status scene_difference_of_file(const char *stored_resolved, const char *resolved, char **key, error *e);

/* The same for any two texts of this language, including all keys. */
carom_status scene_text_difference(const char *stored, const char *text, char **key, error *e);

/* The keys of a scene as text for a terminal: all keys, or those below a `key.path`. The caller frees it. */
carom_status scene_help(char **out, const char *key, const scene_vocabulary *vocabulary, error *e);

/* The keys below a path ("": of a scene) as a JSON list (carom.h, carom_keys). The caller frees it. CAROM_USAGE: there
 * are none. */
carom_status scene_keys_json(char **out, const char *path, const scene_vocabulary *vocabulary, error *e);

/* The scene reference as Markdown (docs/scene.md). The caller frees it. */
carom_status scene_reference(char **out, const scene_vocabulary *vocabulary, error *e);

#endif
