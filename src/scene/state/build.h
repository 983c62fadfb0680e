/* Steps of the creation of an initial state. They run in this order, and each uses the results of the previous ones:
 * counts and files, species and sizes, the box, positions, velocities, the final check. */
#ifndef CAROM_SCENE_BUILD_H
#define CAROM_SCENE_BUILD_H

#include "mesh/solid.h"
#include "neighbors/packing.h"
#include "scene/state.h"
#include "scene/state/mesh_space.h"
#include "scene/state/points.h"
#include "scene/state/watch.h"
#include "scene/where.h"

/* The mass properties of a template, in its frame. */
typedef struct clump_model {
    state_body body;  /* without particles; corners: numbers of spheres */
    double (*arm)[3]; /* [spheres] from the centre of mass */
    double *share;    /* [spheres] parts of the mass, proportional to the volumes; their sum is 1 */
} clump_model;

typedef struct build {
    const scene *s;
    initial_state *state;
    size_t *first;       /* [particles + 1]: first particle of each entry of `particles` */
    points *files;       /* [particles]: for entries with a file */
    clump_model *clumps; /* [clumps of the scene] */
    cells_box box;
    mesh_space meshes; /* during placement */
    bool equal;        /* all diameters are equal */
    double widest;     /* the largest diameter */
    double phi;        /* volume of the particles / volume of the box */
    double soft;       /* overlap that contacts permit: of layers of `variational`, if positions are given; else 0 */
    double scale;      /* factor of the diameters during placement: 1; less before a compression */
    char hint[256];    /* remedy in messages on overlaps, for an entry of particles */
    size_t hint_entry;
    uint32_t *owner; /* [count]: 0, or 1 + index of the body or drive (drives after bodies) that contains a particle */
    uint64_t
        *ends; /* [ends_count]: pairs connected by a segment or bond, sorted; the smaller index in the upper bits */
    size_t ends_count;
    state_watch *watch; /* NULL: none */
    void *watch_user;
} build;

enum { BUILD_NAMED = 5 }; /* maximum number of faults of a kind in messages */

/* Counts the particles of each entry, and reads the files of positions. */
carom_status build_open(build *b, const scene *s, initial_state *state, error *e);
void build_close(build *b);

/* Particles from files (state_file.c): reads the file of an entry. */
carom_status build_file(build *b, size_t entry, error *e);

/* The same for an array (state_array.c). */
carom_status build_array(build *b, size_t entry, error *e);

/* Clumps from a file or an array (state_clump_file.c): whether its particles can be their spheres; whether they have the shape;
 * the rotation of clump n from the frame of its template, the centres of mass, the velocity of a centre. */
carom_status build_count_clumps(const build *b, size_t entry, error *e);
carom_status build_compare_clumps(const build *b, size_t entry, error *e);
void build_file_attitude(const build *b, size_t entry, size_t n, double out[3][3]);
void build_file_centres(const build *b, size_t entry, double (*centre)[3]);
void build_file_velocity(const build *b, size_t entry, size_t n, double v[3]);

/* The mesh of an array; the message names no place. CAROM_BAD_DATA: an index that does not exist, a number that is not
 * finite. */
carom_status mesh_from_array(mesh *m, const scene_mesh *s, error *e);

/* Compares a file with the scene: species, diameters and masses of the state; the box. */
carom_status build_compare_file(const build *b, size_t entry, error *e);
carom_status build_compare_box(const build *b, size_t entry, error *e);

/* Species, diameters and masses of all particles. */
carom_status build_species(build *b, error *e);

/* The box, from its size or the packing fraction. Rejects impossible packings, and prepares a compression. */
carom_status build_box(build *b, error *e);

carom_status build_lattice(build *b, size_t entry, error *e);
carom_status build_walks(build *b, error *e);  /* all walks, after all but random entries have been placed */
carom_status build_random(build *b, error *e); /* all random entries, after all others have been placed */

/* Reports the fraction of the random particles that are placed. CAROM_EARLY if the caller wants to stop. */
carom_status build_report(const build *b, double fraction, error *e);

/* A particle that waits for its place. */
typedef struct sized {
    double diameter;
    uint32_t id;
} sized;
int build_larger_first(const void *a, const void *b); /* for qsort */

/* Remedy for too little space; `entry` could use another `place` (SIZE_MAX: none). */
const char *build_remedy(const build *b, size_t entry);
carom_status build_velocities(build *b, error *e);
carom_status build_spins(build *b, error *e); /* if particles rotate (scene.rough) */
carom_status build_check(build *b, error *e);

/* Limits of magnitudes (state_scale.c): of a mesh when it is placed; of sizes, masses and the box, before particles
 * are placed; of positions, speeds and energies. */
carom_status build_check_mesh_scale(const scene *s, size_t which, const mesh *m, error *e);
carom_status build_check_sizes(const build *b, error *e);
carom_status build_check_scale(const build *b, error *e);

/* Bodies that are not spheres (state_orientations.c, place_shapes.c): their orientations. */
carom_status build_orientations(build *b, error *e);

/* Removes the components of spins along the axes of ellipsoids. */
void build_spin_across(const build *b, size_t i);

/* Whether a particle enters later. */
static inline bool build_is_absent(const build *b, size_t i)
{
    return b->state->absent != NULL && b->state->absent[i];
}

static inline bool build_is_sphere(const build *b, size_t i)
{
    return i >= b->first[b->s->particles_count] || !(b->s->species[b->state->species[i]].half[0] > 0);
}

/* Gap between the nearest images of particles i and j, at least one of which is not a sphere; not exact, but of the
 * correct sign. */
double build_gap(const build *b, size_t i, size_t j);

/* Support function of particle i: half of its width along a unit vector. */
double build_reach(const build *b, size_t i, const double n[3]);

/* Half widths along the axes of the box, if all bodies are equal spheroids whose axis is parallel to an axis of the
 * box. */
bool build_common_axes(const build *b, double reach[3]);

carom_status build_random_shapes(build *b, error *e); /* as build_random, with bodies that are not spheres */

/* Position of `key` in the text of the scene for a particle; for a vertex, that of its mesh. */
scene_spot build_where(const build *b, size_t i, const char *key);

/* A sphere, for messages. */
typedef struct build_who {
    char name[160];
    scene_spot at;
} build_who;

/* Number of spheres that extend beyond walls, planes or exact surfaces; `room` of them are listed. `who` may be NULL if
 * `room` is 0. */
uint64_t build_check_inside(const build *b, const build_who *who, const double r[3], double diameter, uint64_t room,
                            error *e);

/* Checks of springs, hinges, segments, drives and bodies (state_links.c): existence and positions of their
 * particles. */
carom_status build_check_numbers(const build *b, error *e);
carom_status build_find_owners(build *b, error *e);
carom_status build_check_links(const build *b, error *e);

/* Particles of one body or drive, and the two ends of a segment or bond, may overlap initially. */
bool build_may_overlap(const build *b, uint32_t i, uint32_t j);

/* Reads and makes the meshes, and checks each of them and their separation (state_meshes.c). */
carom_status build_meshes(const build *b, error *e);

/* Their vertices as particles, after all others have been placed. */
carom_status build_vertices(const build *b, error *e);

/* Driven particles. */
carom_status build_drives(const build *b, error *e);

/* Vertices with loads, after drives and bodies. */
carom_status build_loads(const build *b, error *e);

/* Particles of rigid bodies; masses of solids (state_bodies.c). */
carom_status build_bodies(const build *b, error *e);

/* Clumps (state_clumps.c): the properties of the templates; the bodies at their initial places, from the centres of mass in
 * the first places of an entry; their initial angular velocities. */
carom_status build_clump_models(build *b, error *e);
carom_status build_check_clumps(const build *b, error *e); /* that they fit into a periodic box */
void build_clump_models_free(build *b);
void build_expand_clumps(const build *b, size_t entry);
carom_status build_clump_bodies(const build *b, error *e);
state_body *build_clump_body(const build *b, size_t entry, size_t n);

/* A uniform random rotation, the same in each call for one seed and id; in 2D about z. */
void build_random_rotation(const build *b, uint64_t id, double out[3][3]);

/* The angular velocity of a solid body in Maxwell's distribution. */
void build_thermal_spin(const build *b, const state_body *body, double temperature, double spin[3]);

/* Copies of bodies (place_copies.c): their meshes at their initial places, after all particles with given places; their
 * velocities. */
carom_status build_copies(build *b, error *e);
carom_status build_copy_velocities(build *b, error *e);

/* The velocity of item `n` with these settings, which begins with particle `i`; of its first particle only. */
void build_draw_velocity(build *b, const scene_particles *p, size_t n, size_t i, double mass);

/* The solid inside of the mesh of a body. CAROM_BAD_DATA: the mesh is open (state_bodies.c). */
carom_status build_solid(const build *b, const scene_body *from, const mesh *m, mesh_solid *out, error *e);

/* Whether meshes intersect each other (state_meshes.c). */
carom_status build_check_apart(const build *b, error *e);

/* From the centre of clump n of an entry to a sphere; the spheres of the clump with this centre. */
void build_clump_arm(const build *b, size_t entry, size_t n, size_t sphere, double out[3]);
void build_clump_sphere(const build *b, size_t entry, size_t n, size_t sphere, const double centre[3], double out[3]);

/* Clumps with random places (place_clumps.c). barred: [entries][mesh_count]. */
carom_status build_random_clumps(const build *b, const bool *barred, error *e);

/* Whether a sphere is between the walls of the box (place_clumps.c). */
bool build_is_in_box(const build *b, const double r[3], double diameter);

/* Trial `index` of the place of particle `id`, and whether a sphere there satisfies the conditions of the entry, apart from
 * other particles (place_random.c). */
void build_draw_place(const build *b, const scene_particles *p, double diameter, uint32_t id, uint64_t index,
                      double r[3]);
bool build_place_allowed(const build *b, const scene_particles *p, const bool *barred, double diameter,
                         const double r[3]);

/* Inverts a symmetric matrix with positive eigenvalues; false for others. Corners: up to `most` points, each far from the
 * line or plane through the previous ones; their number, if the others are closer than `flat` times the longest distance
 * (state_bodies.c). */
bool build_invert(const double (*a)[3], double (*out)[3]);
int build_choose_corners(const double (*place)[3], size_t count, int most, double flat, uint32_t corner[4]);

/* Number of particles that are not vertices. */
static inline size_t build_particles(const build *b)
{
    return b->first[b->s->particles_count];
}

static inline size_t build_count(const build *b, size_t entry)
{
    return b->first[entry + 1] - b->first[entry];
}

/* Number of single particles, or of clumps. */
static inline size_t build_items(const build *b, size_t entry)
{
    return build_count(b, entry) / scene_item_size(b->s, entry);
}

static inline bool build_is_clump(const build *b, size_t entry)
{
    return b->s->particles[entry].clump != SIZE_MAX;
}

/* Those of them that are there at the start. */
static inline size_t build_present(const build *b)
{
    size_t count = 0;
    for (size_t i = 0; i < build_particles(b); i++) count += !build_is_absent(b, i);
    return count;
}

/* Of a particle that is not a vertex. */
static inline size_t build_entry(const build *b, size_t i)
{
    size_t entry = 0;
    while (i >= b->first[entry + 1]) entry++;
    return entry;
}

/* Spheres stay inside the box along such an axis. */
static inline bool build_bounded(const build *b, int axis)
{
    return b->s->box.boundary[axis] != BOUNDARY_PERIODIC;
}

/* Whether a sphere of that diameter is on the particle side of all planes and exact surfaces (state_check.c). */
bool build_is_free(const build *b, const double r[3], double diameter);

#endif
