/* carom_view_*: the live page. */
#include "sim/view_api.h"

#include "scene/exact.h"
#include "scene/planes.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

carom_status carom_view_new(carom_view **out, const carom_view_options *options)
{
    if (out == NULL) return CAROM_USAGE;
    carom_view *view = NEW_ARRAY(1, carom_view);
    *out = view;
    if (view == NULL) return CAROM_INTERNAL;
    const carom_view_options given = options != NULL ? *options : (carom_view_options){0};
    if (given.port < 0 || given.port > UINT16_MAX)
        return error_set(&view->message, CAROM_USAGE, "error: there is no port %d: ports are 1 to 65535", given.port);
    return guard_made(&view->guard, server_open(&view->server, given.bind, given.port, given.framed, &view->message));
}

void carom_view_free(carom_view *view)
{
    if (view == NULL || view->guard.busy) return;
    server_close(view->server);
    error_clear(&view->message);
    memory_free(view);
}

const char *carom_view_message(const carom_view *view)
{
    return view != NULL ? error_text(&view->message) : "error: out of memory";
}

const char *carom_view_url(const carom_view *view)
{
    return view != NULL && view->guard.made ? server_url(view->server) : "";
}

void carom_view_request_stop(carom_view *view)
{
    if (view == NULL || !view->guard.made) return;
    atomic_store(&view->stop_requested, 1);
    server_wake(view->server);
}

carom_scene *stored_scene(const reader *r)
{
    carom_scene *loaded = carom_scene_new();
    const char *text = reader_about(r)->scene;
    if (loaded != NULL) loaded->stored = true;
    if (loaded != NULL) (void)carom_scene_load_text(loaded, "scene", text, strlen(text));
    return loaded;
}

camera_options camera_of(const scene *s)
{
    camera_options wish = camera_default();
    if (s == NULL || !s->view.given) return wish;
    wish = (camera_options){.azimuth = s->view.azimuth,
                            .elevation = s->view.elevation,
                            .zoom = s->view.zoom,
                            .upward = s->view.up - 1, /* upward: against gravity */
                            .aimed = s->view.aimed,
                            .framed = s->view.framed};
    memcpy(wish.target, s->view.target, sizeof wish.target);
    memcpy(wish.low, s->view.low, sizeof wish.low);
    memcpy(wish.high, s->view.high, sizeof wish.high);
    return wish;
}

mesh_style mesh_style_of(const scene *s)
{
    return s != NULL ? (mesh_style)s->view.meshes : MESH_SOLID;
}

void scene_planes_at(const scene *s, double time, view_plane *planes, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        view_plane *plane = &planes[p];
        double moved[3];
        scene_plane_moved(s, p, time, moved);
        for (int k = 0; k < 3; k++) plane->point[k] = s->planes[p].point[k] + moved[k];
        memcpy(plane->normal, s->planes[p].normal, sizeof plane->normal);
    }
}

/* They are of the first kind. */
_Static_assert(EXACT_CYLINDER == 0, "cylinders are numbered from 0");

static void scene_cylinders_at(const scene *s, double time, view_cylinder *cylinders, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const scene_cylinder *from = (const scene_cylinder *)s->exact[EXACT_CYLINDER].items + n;
        double moved[3];
        scene_exact_moved(s, n, time, moved);
        cylinders[n] = (view_cylinder){.radius = from->radius, .inside = from->side == SIDE_INSIDE};
        for (int k = 0; k < 3; k++) cylinders[n].through[k] = from->through[k] + moved[k];
        memcpy(cylinders[n].axis, from->axis, sizeof cylinders[n].axis);
    }
}

static void draw_exact(const void *world, size_t n, double time, const outline *to)
{
    const scene_exact e = scene_exact_at(world, n);
    double moved[3];
    scene_exact_moved(world, n, time, moved);
    e.kind->draw(e.one, moved, to);
}

static void extent_of_exact(const void *world, size_t n, double time, const double middle[3], outline_extent *found)
{
    const scene_exact e = scene_exact_at(world, n);
    double moved[3];
    scene_exact_moved(world, n, time, moved);
    e.kind->extent(e.one, moved, middle, found);
}

view_exact view_exact_of(const scene *s)
{
    const size_t count = s != NULL ? scene_exact_count(s) : 0;
    return (view_exact){.count = count, .world = s, .draw = draw_exact, .extent = extent_of_exact};
}

/* All except cylinders, which have a separate message to the page. */
static view_exact outlined_of(const scene *s)
{
    view_exact exact = view_exact_of(s);
    exact.first = s != NULL ? s->exact[EXACT_CYLINDER].count : 0;
    exact.count -= exact.first;
    if (exact.count > VIEW_OUTLINES) exact.count = VIEW_OUTLINES;
    return exact;
}

void view_surfaces_at(view_surfaces *surfaces, const scene *s, double time)
{
    const size_t cylinders = s == NULL ? 0 : s->exact[EXACT_CYLINDER].count;
    surfaces->plane_count = s == NULL ? 0 : s->plane_count < VIEW_PLANES ? s->plane_count : VIEW_PLANES;
    surfaces->cylinder_count = cylinders < VIEW_CYLINDERS ? cylinders : VIEW_CYLINDERS;
    surfaces->outlined = outlined_of(s);
    if (s == NULL) return;
    scene_planes_at(s, time, surfaces->planes, surfaces->plane_count);
    scene_cylinders_at(s, time, surfaces->cylinders, surfaces->cylinder_count);
    for (size_t n = 0; n < surfaces->outlined.count; n++)
        scene_exact_moved(s, surfaces->outlined.first + n, time, surfaces->moved[n]);
}

void status_surfaces(view_status *status, const view_surfaces *surfaces)
{
    status->planes = surfaces->planes;
    status->cylinders = surfaces->cylinders;
    status->moved = (const double(*)[3])surfaces->moved;
}
