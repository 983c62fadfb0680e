/* Exact surfaces: lines everywhere; facets if the side that particles touch faces the camera. */
#include <math.h>

#include "base/vec.h"
#include "view/render/render.h"

typedef struct canvas {
    renderer *v;
    flat *flat;
} canvas;

/* ---- two dimensions ---------------------------------------------------------------------------------------------- */

static void flat_line(void *to, const double a[3], const double b[3])
{
    const canvas *c = to;
    double seen[3], from[2], at[2];
    camera_see(&c->v->camera, a, seen);
    camera_project(&c->v->camera, seen, from);
    camera_see(&c->v->camera, b, seen);
    camera_project(&c->v->camera, seen, at);
    flat_rod(c->flat, from, at, 0.9, raster_paint(c->v->theme->ink));
}

static void no_facet(void *to, double (*corners)[3], const double middle[3], const double normal[3])
{
    (void)to;
    (void)corners;
    (void)middle;
    (void)normal;
}

/* ---- three dimensions -------------------------------------------------------------------------------------------- */

static void space_line(void *to, const double a[3], const double b[3])
{
    renderer *v = ((canvas *)to)->v;
    raster_rod(&v->raster, a, b, v->line, raster_paint(v->theme->soft), false);
}

/* Darker at oblique angles to the camera. */
static void space_facet(void *to, double (*corners)[3], const double middle[3], const double normal[3])
{
    renderer *v = ((canvas *)to)->v;
    double towards[3];
    for (int k = 0; k < 3; k++) towards[k] = v->camera.eye[k] - middle[k];
    const double front = dot3(normal, towards) / sqrt(dot3(towards, towards));
    if (front > 0)
        render_polygon(v, corners, 4, raster_paint(colour_mix(v->theme->wall, v->theme->paper, 0.6 * front)));
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static void draw(renderer *v, outline *to)
{
    const view_exact *exact = &v->options.exact;
    to->dimension = v->frame.dimension;
    for (int k = 0; k < 3; k++) to->low[k] = v->low[k], to->high[k] = v->high[k];
    for (size_t n = 0; n < exact->count; n++) exact->draw(exact->world, exact->first + n, v->frame.time, to);
}

void render_flat_exact(renderer *v, flat *on)
{
    canvas c = {v, on};
    draw(v, &(outline){.line = flat_line, .facet = no_facet, .to = &c});
}

void render_draw_exact(renderer *v)
{
    canvas c = {v, NULL};
    draw(v, &(outline){.line = space_line, .facet = space_facet, .to = &c});
}

void render_see_exact(renderer *v, double wide, const double middle[3])
{
    enum { FAR = 3 };
    const view_exact *exact = &v->options.exact;
    for (size_t n = 0; n < exact->count; n++) {
        outline_extent found;
        exact->extent(exact->world, exact->first + n, v->frame.time, middle, &found);
        for (int k = 0; k < v->frame.dimension && found.size < FAR * wide; k++) {
            if (v->frame.boundary[k] != FRAME_OPEN) continue;
            v->low[k] = fmin(v->low[k], found.centre[k] - found.reach[k]);
            v->high[k] = fmax(v->high[k], found.centre[k] + found.reach[k]);
        }
    }
}
