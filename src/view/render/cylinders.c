/* Cylinders: rings and lines along them; surfaces where the side that particles touch faces the camera. */
#include <math.h>

#include "view/render/render.h"

enum { PARTS = 96, LINES = 8 };

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Unit vectors across the axis; in two dimensions x and y. */
static void across(const view_cylinder *c, double a[3], double b[3])
{
    const double *n = c->axis;
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(n[k]) < fabs(n[least])) least = k;
    for (int k = 0; k < 3; k++) a[k] = (k == least) - n[least] * n[k];
    const double length = sqrt(dot(a, a));
    for (int k = 0; k < 3; k++) a[k] /= length;
    for (int k = 0; k < 3; k++) b[k] = n[(k + 1) % 3] * a[(k + 2) % 3] - n[(k + 2) % 3] * a[(k + 1) % 3];
    if (!(dot(n, n) > 0)) b[0] = 0, b[1] = 1, b[2] = 0;
}

/* Its surface at an angle and a height along the axis; which way it faces there, to where bodies are. */
static void point_of(const view_cylinder *c, double angle, double height, double x[3], double normal[3])
{
    double a[3], b[3];
    across(c, a, b);
    for (int k = 0; k < 3; k++) {
        const double out = cos(angle) * a[k] + sin(angle) * b[k];
        x[k] = c->through[k] + height * c->axis[k] + c->radius * out;
        normal[k] = c->inside ? -out : out;
    }
}

static double angle_of(int part)
{
    return 2 * acos(-1.0) * part / PARTS;
}

void render_flat_cylinders(const renderer *v, flat *to)
{
    for (size_t n = 0; n < v->options.cylinder_count; n++) {
        double from[2], at[2];
        for (int part = 0; part <= PARTS; part++) {
            double x[3], normal[3], seen[3];
            point_of(&v->cylinders[n], angle_of(part), 0, x, normal);
            camera_see(&v->camera, x, seen);
            camera_project(&v->camera, seen, at);
            if (part > 0) flat_rod(to, from, at, 0.9, raster_paint(v->theme->ink));
            from[0] = at[0];
            from[1] = at[1];
        }
    }
}

/* What of it is along all that is shown. */
static void ends_of(const renderer *v, const view_cylinder *c, double ends[2])
{
    ends[0] = INFINITY;
    ends[1] = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        double height = 0;
        for (int k = 0; k < 3; k++) height += c->axis[k] * ((corner >> k & 1 ? v->high : v->low)[k] - c->through[k]);
        ends[0] = fmin(ends[0], height);
        ends[1] = fmax(ends[1], height);
    }
}

/* One of its strips, darker where it turns away from the eye. */
static void draw_strip(renderer *v, const view_cylinder *c, int part, const double ends[2])
{
    double corners[4][3], normal[3], towards[3];
    for (int n = 0; n < 4; n++) point_of(c, angle_of(part + (n == 1 || n == 2)), ends[n >= 2], corners[n], normal);
    double middle[3];
    point_of(c, angle_of(part) + angle_of(1) / 2, (ends[0] + ends[1]) / 2, middle, normal);
    for (int k = 0; k < 3; k++) towards[k] = v->camera.eye[k] - middle[k];
    const double front = dot(normal, towards) / sqrt(dot(towards, towards));
    if (front > 0)
        render_polygon(v, corners, 4, raster_paint(colour_mix(v->theme->wall, v->theme->paper, 0.6 * front)));
}

void render_draw_cylinders(renderer *v)
{
    const uint32_t paint = raster_paint(v->theme->soft);
    for (size_t n = 0; n < v->options.cylinder_count; n++) {
        const view_cylinder *c = &v->cylinders[n];
        double ends[2], normal[3];
        ends_of(v, c, ends);
        for (int part = 0; part < PARTS; part++) {
            double a[3], b[3];
            draw_strip(v, c, part, ends);
            for (int end = 0; end < 2; end++) {
                point_of(c, angle_of(part), ends[end], a, normal);
                point_of(c, angle_of(part + 1), ends[end], b, normal);
                raster_rod(&v->raster, a, b, v->line, paint, false);
            }
            if (part % (PARTS / LINES) != 0) continue;
            point_of(c, angle_of(part), ends[0], a, normal);
            point_of(c, angle_of(part), ends[1], b, normal);
            raster_rod(&v->raster, a, b, v->line, paint, false);
        }
    }
}

void render_see_cylinders(renderer *v, double wide, const double middle[3])
{
    enum { FAR = 3 };
    for (size_t n = 0; n < v->options.cylinder_count; n++) {
        const view_cylinder *c = &v->cylinders[n];
        double along = 0;
        for (int k = 0; k < 3; k++) along += c->axis[k] * (middle[k] - c->through[k]);
        for (int k = 0; k < v->frame.dimension && c->radius < FAR * wide; k++) {
            const double at = c->through[k] + along * c->axis[k], reach = c->radius * sqrt(1 - c->axis[k] * c->axis[k]);
            if (v->frame.boundary[k] != FRAME_OPEN) continue;
            v->low[k] = fmin(v->low[k], at - reach);
            v->high[k] = fmax(v->high[k], at + reach);
        }
    }
}
