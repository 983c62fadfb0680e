/* The page: common parts of simulations (live.c), files (replay.c) and recordings (page_api.c). */
#ifndef CAROM_SIM_VIEW_API_H
#define CAROM_SIM_VIEW_API_H

#include "output/results/read.h"
#include "sim/sim.h"
#include "view/cylinder.h"
#include "view/server/server.h"

/* Planes and exact surfaces at a time. */
typedef struct view_surfaces {
    view_plane planes[VIEW_PLANES];
    size_t plane_count;
    view_cylinder cylinders[VIEW_CYLINDERS];
    size_t cylinder_count;
    view_exact outlined; /* other exact surfaces */
    double moved[VIEW_OUTLINES][3];
} view_surfaces;

struct carom_view {
    guard guard;
    view_server *server;
    error message;
    atomic_int stop_requested;
    view_surfaces surfaces;
};

/* What a page shows, with the arrays that it owns. */
typedef struct subject {
    view_subject shown;
    view_mesh *meshes;
    const char **species; /* of a simulation */
} subject;

/* The state of a simulation at present; sim->frame is set to it. */
carom_status subject_of_sim(subject *s, carom_sim *sim, const view_surfaces *surfaces, error *e);
/* A result with its first frame; `known` is its scene, NULL if this version cannot read it. */
carom_status subject_of_result(subject *s, const reader *r, const result_links *links, const scene *known,
                               const carom_frame *first, const view_surfaces *surfaces, error *e);
void subject_free(subject *s);

/* A moment of a result: frame number `index`. */
carom_status moment_of_result(const reader *r, uint64_t index, view_moment *m, error *e);

/* The scene stored in a result; its `checked` is NULL if this version cannot read its text. The caller frees it;
 * NULL without memory. */
carom_scene *stored_scene(const reader *r);

/* The view of a scene; s may be NULL. */
camera_options camera_of(const scene *s);
mesh_style mesh_style_of(const scene *s);

/* Positions of the first `count` planes of a scene at a time. */
void scene_planes_at(const scene *s, double time, view_plane *planes, size_t count);

/* The exact surfaces of a scene, which may be NULL. */
view_exact view_exact_of(const scene *s);

/* Surfaces of a scene at a time; s may be NULL: none. */
void view_surfaces_at(view_surfaces *surfaces, const scene *s, double time);
/* The same as a part of the status of a frame. */
void status_surfaces(view_status *status, const view_surfaces *surfaces);

/* Default duration of a run on the page, in seconds; of a result, half of it. */
#define VIEW_SECONDS 30.0

#endif
