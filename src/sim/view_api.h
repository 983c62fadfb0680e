/* The live page: what its two makers of pictures, a simulation and a file, share. */
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
    _Atomic(carom_sim *) sim; /* while one runs */
    view_plane planes[VIEW_PLANES];
    size_t plane_count;
    view_cylinder cylinders[VIEW_CYLINDERS];
    size_t cylinder_count;
    view_exact outlined; /* other exact surfaces */
    double moved[VIEW_OUTLINES][3];
};

/* What ties particles together, as the page wants it. Freed with view_meshes_free; what it points to stays the
 * links'. */
carom_status subject_links(view_subject *s, const result_links *links, view_mesh **meshes, error *e);

/* The scene that a result keeps; its `checked` is NULL where its text cannot be read (any more). Freed by the caller;
 * NULL without memory. */
carom_scene *stored_scene(const reader *r);

/* From where a scene wants to be looked at; s may be NULL. */
camera_options camera_of(const scene *s);
mesh_style mesh_style_of(const scene *s);

/* Where the first `count` of a scene's planes are at a time. */
void scene_planes_at(const scene *s, double time, view_plane *planes, size_t count);

/* The exact surfaces of a scene, which may be NULL. */
view_exact view_exact_of(const scene *s);

/* Planes and exact surfaces for the page; scene may be NULL: none. */
void view_planes(carom_view *view, const scene *s, double time);

/* How long a viewer will want to look, in seconds, where nothing says how fast to go. */
#define VIEW_SECONDS 30.0

#endif
