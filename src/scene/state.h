/* The initial state that a scene describes. */
#ifndef CAROM_SCENE_STATE_H
#define CAROM_SCENE_STATE_H

#include "mesh/mesh.h"
#include "scene/scene.h"
#include "scene/where.h"

/* Lists of particle numbers. */
typedef struct state_list {
    uint32_t *particles;
    size_t count;
} state_list;

/* A body of the scene. */
typedef struct state_body {
    uint32_t *particles; /* of a mesh: its vertices, in order */
    size_t count;
    double angular_velocity[3]; /* at the start; 2D: the third component */
    bool clump;                 /* spheres of a template, */
    size_t template;            /* its index in the scene */
    bool solid; /* of a mesh, or a clump: the fields below are set; else mass and inertia are those of points */
    double volume, mass, centre[3];
    double inertia[3][3], inverse[3][3]; /* about the centre, at the start */
    /* The motion of four vertices determines that of the body: with the barycentric coordinates s_i (sum 1),
     * share_mass[i][j] is the integral of density s_i s_j. */
    uint32_t corner[4];
    double share_mass[4][4];
    /* Clumps of fewer than four spheres have fewer corners; the others have a share of 0. The rest of the inertia, that about
     * a line, is own_inertia times the square of the angular velocity / 2. */
    double own_inertia;
    /* Of a clump: the largest distance of a sphere's centre from the centre of mass; the smallest effective mass at the
     * centre of a sphere; that over the smallest one on the surface of a sphere, less 1 (a sphere: m R^2 / I). */
    double reach, lightest, yield;
} state_body;

typedef struct initial_state {
    size_t count;
    double size[3];        /* the box, after packing_fraction has been resolved */
    double (*position)[3]; /* third component 0 in 2D; vertices are unwrapped, possibly beyond periodic boundaries */
    double (*velocity)[3];
    double (*spin)[3]; /* 2D: the third component; NULL unless the scene is rough */
    double (*axis)[3]; /* unit vectors; NULL if all are spheres */
    uint32_t *species;
    double *diameter;
    double *mass;
    bool *absent; /* particles that enter later; NULL: none */
    mesh *meshes; /* [mesh_count] of the scene, checked, at their initial positions */
    size_t mesh_count;
    char **repairs;     /* [mesh_count] changes of the file of the mesh; NULL: no repair requested */
    size_t *mesh_first; /* [mesh_count + 1] first vertex of a mesh; none without thickness, unless rigid */
    state_list *drives; /* [drive_count] of the scene; empty for surfaces */
    size_t drive_count;
    state_list *loads; /* [load_count] of the scene */
    size_t load_count;
    state_body *bodies; /* [body_count] those listed in the scene, then clumps */
    size_t body_count;
    size_t clusters;       /* clusters of several particles in files of positions, and the last entry with one; */
    size_t clusters_entry; /* the particles of the state are single */
    double compress_to;    /* > 0: the diameters are final, and the positions are for diameters times */
    double compress_scale; /* this factor; the engine has to grow them by 1 / factor (PLACE_COMPRESS) */
    double compress_rate;
} initial_state;

/* Number of particles that are not vertices of meshes. */
static inline size_t state_particles(const initial_state *state)
{
    return state->mesh_count > 0 ? state->mesh_first[0] : state->count;
}

/* The same, a clump counting as one. */
size_t state_items(const initial_state *state);

/* The default of `variational.eta`, half the thickness of the first layer of contacts: from the diameter of the smallest particle
 * and the thickness of the thinnest mesh (infinite: none). */
static inline double state_layer(double smallest, double thinnest)
{
    const double of_particle = smallest / 20, of_mesh = thinnest / 4;
    return of_particle < of_mesh ? of_particle : of_mesh;
}

/* Contacts of a given state may be compressed by this part of the first layer, of which the cores do not touch. */
static const double STATE_COMPRESSION = 0.9;

/* Whether positions are those of a file or an array: particles may be in contact, compressed as in an earlier run. */
static inline bool state_is_given(const scene *s)
{
    bool given = false;
    for (size_t k = 0; k < s->particles_count; k++) given = given || s->particles[k].place == PLACE_FILE;
    return given;
}

/* Draws the state. Faults (overlap, outside the box, packing fraction above the limit, unreadable file) state the
 * particles or the line. */
carom_status state_create(initial_state *state, const scene *s, error *e);

/* Refuses a condition for more particles than there are, with those that enter. */
carom_status state_check_condition(const initial_state *state, const scene_condition *when, scene_spot at, error *e);

/* Draws the velocities again, after a compression has changed them. */
carom_status state_draw_velocities(initial_state *state, const scene *s, error *e);

/* [count]: whether the motion of a particle is prescribed: by a drive, or as part of a rigid mesh. NULL without memory.
 * Freed by the caller. */
bool *state_find_held(const initial_state *state, const scene *s);

/* Largest displacement rate at a point (relative to the centre of a solid body) for a unit impulse there: an inverse
 * mass. */
double state_body_mobility(const state_body *body, const double arm[3]);

/* "particle 5", or "vertex 3 of mesh 'cloth'". */
void state_name(const initial_state *state, const scene *s, size_t particle, char *out, size_t length);

/* The rotation of a mesh by `place`. */
void state_mesh_rotation(const scene_mesh *s, double rotation[3][3]);

void state_free(initial_state *state);

#endif
