/* The live page: common parts of simulations (live.c) and files (replay.c). */
#ifndef CAROM_SIM_VIEW_API_H
#define CAROM_SIM_VIEW_API_H

#include "output/results/read.h"
#include "sim/sim.h"
#include "view/cylinder.h"
#include "view/server/server.h"

struct carom_view {
    guard guard;
    view_server *server;
    error message;
    atomic_int stop_requested;
    _Atomic(carom_sim *) sim; /* NULL: no simulation is running */
    view_plane planes[VIEW_PLANES];
    size_t plane_count;
    view_cylinder cylinders[VIEW_CYLINDERS];
    size_t cylinder_count;
    view_exact outlined; /* other exact surfaces */
    double moved[VIEW_OUTLINES][3];
};

/* Meshes, segments and springs for the page. The caller frees *meshes; the arrays belong to the links. */
carom_status subject_links(view_subject *s, const result_links *links, view_mesh **meshes, error *e);

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

/* Planes and exact surfaces for the page; scene may be NULL: none. */
void view_planes(carom_view *view, const scene *s, double time);

/* Default duration of a run or result on the page, in seconds. */
#define VIEW_SECONDS 30.0

#endif
