/* The initial state that a scene describes. */
#ifndef CAROM_SCENE_STATE_H
#define CAROM_SCENE_STATE_H

#include "mesh/mesh.h"
#include "scene/scene.h"

/* Numbers of particles. */
typedef struct state_list {
    uint32_t *particles;
    size_t count;
} state_list;

/* A body of the scene. */
typedef struct state_body {
    uint32_t *particles; /* of a mesh: its vertices, in order */
    size_t count;
    bool solid; /* of a mesh: what follows is known; else mass and inertia are those of the particles, as points */
    double volume, mass, centre[3];
    double inertia[3][3], inverse[3][3]; /* about the centre, at the start */
    /* The motion of four of its vertices is that of all of it: with s_i the share of the i-th in a place (sum 1),
     * share_mass[i][j] is the integral of density s_i s_j. */
    uint32_t corner[4];
    double share_mass[4][4];
} state_body;

typedef struct initial_state {
    size_t count;
    double size[3];        /* the box, after packing_fraction has been resolved */
    double (*position)[3]; /* third component 0 in 2D; of vertices in one piece, also beyond periodic boundaries */
    double (*velocity)[3];
    double (*spin)[3]; /* 2D: the third; NULL unless the scene is rough */
    double (*axis)[3]; /* unit; NULL where all are spheres */
    uint32_t *species;
    double *diameter;
    double *mass;
    mesh *meshes; /* [mesh_count] of the scene, checked, where they are at the start */
    size_t mesh_count;
    char **repairs;     /* [mesh_count] what has been changed of the mesh's file; NULL: nothing was to be */
    size_t *mesh_first; /* [mesh_count + 1] particle that is a mesh's first vertex: of one without thickness that is not
                           rigid none is one */
    state_list *drives; /* [drive_count] of the scene; none where a plane is moved */
    size_t drive_count;
    state_body *bodies; /* [body_count] of the scene */
    size_t body_count;
    size_t clusters; /* of several particles in the files that give the places, and the last entry that has some: */
    size_t clusters_entry; /* not in the state, which is of single particles */
    double compress_to;    /* > 0: the diameters are those wanted, the positions belong to diameters scaled by */
    double compress_scale; /* this factor, and the engine has to grow them by 1 / factor (PLACE_COMPRESS) */
    double compress_rate;
} initial_state;

/* How many come before the vertices of meshes. */
static inline size_t state_particles(const initial_state *state)
{
    return state->mesh_count > 0 ? state->mesh_first[0] : state->count;
}

/* Draws the state. Faults (overlap, outside the box, packing fraction above the possible, a file that cannot be
 * read) name the particles or the line. */
carom_status state_create(initial_state *state, const scene *s, error *e);

/* Draws the velocities again (after a compression has used them up). */
carom_status state_draw_velocities(initial_state *state, const scene *s, error *e);

/* [count]: whether nothing but the scene moves it: a drive, or a rigid mesh. NULL where there is no memory. Freed by
 * the caller. */
bool *state_find_held(const initial_state *state, const scene *s);

/* The most that a unit impulse at a place, from the centre of a solid body, moves that place: an inverse mass. */
double state_body_mobility(const state_body *body, const double arm[3]);

/* "particle 5", or "vertex 3 of mesh 'cloth'". */
void state_name(const initial_state *state, const scene *s, size_t particle, char *out, size_t length);

void state_free(initial_state *state);

#endif
