/* Drawing of a frame. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/vec.h"
#include "geometry/shapes.h"
#include "view/render/render.h"

void render_unwrapped(const carom_frame *f, size_t i, double x[3])
{
    const size_t dimension = (size_t)f->dimension;
    x[2] = 0;
    for (size_t k = 0; k < dimension; k++) x[k] = frame_unwrapped(f, i, k);
}

static void position_of(const carom_frame *f, size_t i, double x[3])
{
    const size_t dimension = (size_t)f->dimension;
    x[2] = 0;
    for (size_t k = 0; k < dimension; k++) x[k] = f->position[i * dimension + k];
}

/* The image of the other end of a link that is nearest to the first end; links across a periodic boundary are drawn on
 * one side of it. */
static void ends_of(const carom_frame *f, uint32_t i, uint32_t j, double a[3], double b[3])
{
    position_of(f, i, a);
    position_of(f, j, b);
    for (int k = 0; k < f->dimension; k++)
        if (f->boundary[k] == FRAME_PERIODIC) b[k] -= nearest_periods(b[k] - a[k], f->box[k]);
}

/* ---- two dimensions ---------------------------------------------------------------------------------------------- */

static void to_pixel(const renderer *v, const double x[3], double pixel[2])
{
    double seen[3];
    camera_see(&v->camera, x, seen);
    camera_project(&v->camera, seen, pixel);
}

static void flat_line(const renderer *v, flat *to, const double a[3], const double b[3], double radius, uint32_t paint)
{
    double p[2], q[2];
    to_pixel(v, a, p);
    to_pixel(v, b, q);
    flat_rod(to, p, q, radius, paint);
}

/* Walls are solid lines, periodic boundaries are faint. */
static void flat_box(const renderer *v, flat *to)
{
    const carom_frame *f = &v->frame;
    for (int axis = 0; axis < 2; axis++)
        for (int side = 0; side < 2 && f->boundary[axis] != FRAME_OPEN; side++) {
            double a[3] = {0}, b[3] = {0};
            const int other = 1 - axis;
            a[axis] = b[axis] = side * f->box[axis];
            a[other] = f->boundary[other] == FRAME_OPEN ? v->low[other] : 0;
            b[other] = f->boundary[other] == FRAME_OPEN ? v->high[other] : f->box[other];
            const bool wall = f->boundary[axis] == FRAME_WALL;
            flat_line(v, to, a, b, wall ? 0.9 : 0.5, raster_paint(wall ? v->theme->ink : v->theme->soft));
        }
}

/* Clips the line `from` + s `along`, with s between ends[0] and ends[1], to n.x >= bound. */
static void keep_free(const double from[2], const double along[2], const double n[2], double bound, double ends[2])
{
    const double height = n[0] * from[0] + n[1] * from[1] - bound, slope = n[0] * along[0] + n[1] * along[1];
    if (slope > 0) ends[0] = fmax(ends[0], -height / slope);
    if (slope < 0) ends[1] = fmin(ends[1], -height / slope);
    if (!(fabs(slope) > 0) && height < 0) ends[1] = -INFINITY;
}

/* Clips a plane to the free sides of the other planes and to the box. */
static void flat_plane(const renderer *v, flat *to, size_t plane)
{
    const carom_frame *f = &v->frame;
    const view_plane *p = &v->planes[plane];
    const double along[2] = {-p->normal[1], p->normal[0]}, slack = 1e-6 * (v->high[0] - v->low[0]);
    double a[3] = {0}, b[3] = {0}, middle = 0, ends[2];
    for (int k = 0; k < 2; k++) middle += along[k] * (0.5 * (v->low[k] + v->high[k]) - p->point[k]);
    const double far = hypot(v->high[0] - v->low[0], v->high[1] - v->low[1]);
    ends[0] = middle - far;
    ends[1] = middle + far;
    for (size_t k = 0; k < v->options.plane_count; k++) {
        const view_plane *q = &v->planes[k];
        const double bound = q->normal[0] * q->point[0] + q->normal[1] * q->point[1];
        if (k != plane) keep_free(p->point, along, q->normal, bound - slack, ends);
    }
    for (int k = 0; k < 2; k++) {
        const double up[2] = {k == 0, k == 1}, down[2] = {-up[0], -up[1]};
        if (f->boundary[k] == FRAME_OPEN) continue;
        keep_free(p->point, along, up, -slack, ends);
        keep_free(p->point, along, down, -f->box[k] - slack, ends);
    }
    if (ends[0] >= ends[1]) return;
    for (int k = 0; k < 2; k++) {
        a[k] = p->point[k] + ends[0] * along[k];
        b[k] = p->point[k] + ends[1] * along[k];
    }
    flat_line(v, to, a, b, 0.9, raster_paint(v->theme->ink));
}

/* Bodies and links across a periodic boundary are drawn on both sides of it and cut off there. */
static void clip_to_box(const renderer *v, flat *to)
{
    const carom_frame *f = &v->frame;
    double corners[2][2];
    to_pixel(v, (double[]){0, 0, 0}, corners[0]);
    to_pixel(v, (double[]){f->box[0], f->box[1], 0}, corners[1]);
    for (int k = 0; k < 2; k++) {
        const double ends[2] = {corners[k][k], corners[1 - k][k]}; /* y points down */
        const int most = k == 0 ? v->width : v->height;
        if (f->boundary[k] != FRAME_PERIODIC || v->options.whole) continue;
        to->low[k] = (int)fmin(fmax(round(ends[0]), 0), most);
        to->high[k] = (int)fmin(fmax(round(ends[1]), 0), most);
    }
}

/* The images, within the box, of a body that extends from `low` to `high`: their number, at most 9; the first is the
 * body itself. */
static int images_of(const renderer *v, const double low[2], const double high[2], double shifts[9][2])
{
    const carom_frame *f = &v->frame;
    const int most = v->options.whole ? 1 : 9;
    int count = 0;
    for (int n = 0; n < most; n++) {
        static const int order[3] = {0, -1, 1};
        const int times[2] = {order[n % 3], order[n / 3]};
        bool seen = true;
        for (int k = 0; k < 2; k++) {
            const double shift = shifts[count][k] = times[k] != 0 ? times[k] * f->box[k] : 0;
            if (times[k] == 0) continue;
            seen = seen && f->boundary[k] == FRAME_PERIODIC && high[k] + shift > 0 && low[k] + shift < f->box[k];
        }
        count += seen;
    }
    return count;
}

static void flat_disk_at(const renderer *v, flat *to, const double x[3], double radius, uint32_t paint)
{
    enum { OUTLINED = 3 };
    double p[2];
    to_pixel(v, x, p);
    const double rim = fmin(1.2, 0.12 * radius);
    if (radius < OUTLINED) {
        flat_disk(to, p[0], p[1], radius, paint);
        return;
    }
    const uint32_t dark = paint >> 1 & 0x7f7f7fu;
    flat_disk(to, p[0], p[1], radius, dark + (dark >> 2 & 0x1f1f1fu));
    flat_disk(to, p[0], p[1], radius - rim, paint);
}

static const body_shape *shape_of(const carom_frame *f, size_t i)
{
    return shapes[f->shape != NULL && f->shape[i] < BODY_KINDS ? f->shape[i] : BODY_ELLIPSOID];
}

/* As flat_disk_at, for a body that is not a disk. */
static void flat_shape_at(const renderer *v, flat *to, const double x[3], size_t i)
{
    const double *u = v->frame.axis + 3 * i, axis[2] = {u[0], -u[1]}; /* y points down */
    const double scale = v->camera.scale, *semi = v->frame.semi_axes + 3 * i;
    const double wide = fmax(semi[0] * scale, v->dot), narrow = fmax(semi[1] * scale, v->dot);
    const double rim = fmin(1.2, 0.12 * fmin(wide, narrow));
    const uint32_t dark = v->paint[i] >> 1 & 0x7f7f7fu;
    double p[2];
    to_pixel(v, x, p);
    flat_shape(to, shape_of(&v->frame, i), p[0], p[1], axis, (double[]){wide, narrow}, dark + (dark >> 2 & 0x1f1f1fu));
    flat_shape(to, shape_of(&v->frame, i), p[0], p[1], axis, (double[]){wide - rim, narrow - rim}, v->paint[i]);
}

static bool is_sphere(const carom_frame *f, size_t i)
{
    return f->axis == NULL || f->semi_axes[3 * i] == f->semi_axes[3 * i + 1];
}

static void flat_disks(const renderer *v, flat *to)
{
    const carom_frame *f = &v->frame;
    for (size_t i = 0; i < f->count; i++) {
        double x[3], shifts[9][2];
        if (frame_is_absent(f, i)) continue;
        position_of(f, i, x);
        const double radius = f->radius[i], low[2] = {x[0] - radius, x[1] - radius};
        const int images = images_of(v, low, (double[]){x[0] + radius, x[1] + radius}, shifts);
        for (int n = 0; n < images; n++) {
            const double at[3] = {x[0] + shifts[n][0], x[1] + shifts[n][1], 0};
            if (is_sphere(f, i))
                flat_disk_at(v, to, at, radius > 0 ? fmax(radius * v->camera.scale, v->dot) : 0, v->paint[i]);
            else
                flat_shape_at(v, to, at, i);
        }
    }
}

/* A line between two bodies; its half width in pixels. */
static void flat_link(const renderer *v, flat *to, uint32_t i, uint32_t j, double radius, uint32_t paint)
{
    double a[3], b[3], low[2], high[2], shifts[9][2];
    ends_of(&v->frame, i, j, a, b);
    for (int k = 0; k < 2; k++) {
        low[k] = fmin(a[k], b[k]) - radius / v->camera.scale;
        high[k] = fmax(a[k], b[k]) + radius / v->camera.scale;
    }
    const int images = images_of(v, low, high, shifts);
    for (int n = 0; n < images; n++)
        flat_line(v, to, (double[]){a[0] + shifts[n][0], a[1] + shifts[n][1], 0},
                  (double[]){b[0] + shifts[n][0], b[1] + shifts[n][1], 0}, radius, paint);
}

static void draw_flat(renderer *v)
{
    flat to = flat_on(v->pixels, v->width, v->height), inside = to;
    const uint32_t paper = raster_paint(v->theme->paper);
    for (size_t i = 0; i < (size_t)v->width * (size_t)v->height; i++) v->pixels[i] = paper;
    for (size_t k = 0; k < v->options.plane_count; k++) flat_plane(v, &to, k);
    render_flat_exact(v, &to);
    clip_to_box(v, &inside);
    for (size_t k = 0; k < v->links->segments; k++) {
        const uint32_t i = v->links->segment[0][k], j = v->links->segment[1][k];
        flat_link(v, &inside, i, j, fmax(v->links->radius[k] * v->camera.scale, 0.5), v->paint[i]);
    }
    flat_disks(v, &inside);
    for (size_t k = 0; k < v->links->springs; k++)
        flat_link(v, &inside, v->links->spring[0][k], v->links->spring[1][k], 0.6, raster_paint(v->theme->ink));
    flat_box(v, &to);
}

/* ---- three dimensions -------------------------------------------------------------------------------------------- */

void render_polygon(renderer *v, double (*corners)[3], size_t count, uint32_t paint)
{
    raster_corner c[3] = {0};
    for (size_t k = 1; k + 1 < count; k++) {
        const size_t at[3] = {0, k, k + 1};
        for (int n = 0; n < 3; n++) camera_see(&v->raster.camera, corners[at[n]], c[n].seen);
        raster_triangle(&v->raster, c, paint, RASTER_UNLIT);
    }
}

static bool sees_front(const renderer *v, const double point[3], const double normal[3])
{
    double towards = 0;
    for (int k = 0; k < 3; k++) towards += normal[k] * (v->camera.eye[k] - point[k]);
    return towards > 0;
}

static void face_of_box(const renderer *v, int axis, int side, double corners[4][3])
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    const double *const ends[2] = {v->low, v->high};
    for (int n = 0; n < 4; n++) {
        corners[n][axis] = side * v->frame.box[axis];
        corners[n][a] = ends[n == 1 || n == 2][a];
        corners[n][b] = ends[n >= 2][b];
    }
}

/* Walls that face the camera are surfaces; walls in front of the bodies are outlines. */
static void draw_walls(renderer *v)
{
    const carom_frame *f = &v->frame;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2 && f->boundary[axis] == FRAME_WALL; side++) {
            double corners[4][3], normal[3] = {0};
            face_of_box(v, axis, side, corners);
            normal[axis] = side == 0 ? 1 : -1;
            const double tint = 0.35 * axis; /* different shades for different directions */
            const colour paint = colour_mix(v->theme->wall, v->theme->paper, tint);
            if (sees_front(v, corners[0], normal)) render_polygon(v, corners, 4, raster_paint(paint));
        }
}

static void draw_box(renderer *v)
{
    const carom_frame *f = &v->frame;
    const uint32_t paint = raster_paint(v->theme->soft);
    int closed = 0;
    for (int k = 0; k < 3; k++) closed += f->boundary[k] != FRAME_OPEN;
    if (closed < 3) return;
    for (int axis = 0; axis < 3; axis++)
        for (int n = 0; n < 4; n++) {
            double a[3] = {0}, b[3] = {0};
            a[(axis + 1) % 3] = b[(axis + 1) % 3] = n & 1 ? f->box[(axis + 1) % 3] : 0;
            a[(axis + 2) % 3] = b[(axis + 2) % 3] = n & 2 ? f->box[(axis + 2) % 3] : 0;
            b[axis] = f->box[axis];
            raster_rod(&v->raster, a, b, v->line, paint, false);
        }
}

enum { CORNERS = 32 };

/* Clips a polygon to normal.x >= bound; its corners stay in order. */
static size_t cut(double (*from)[3], size_t count, const double normal[3], double bound, double (*to)[3])
{
    size_t kept = 0;
    for (size_t n = 0; n < count && kept + 2 < CORNERS; n++) {
        const double *a = from[n], *b = from[(n + 1) % count];
        const double above = dot3(normal, a) - bound, next = dot3(normal, b) - bound;
        if (above >= 0) memcpy(to[kept++], a, 3 * sizeof *a);
        if ((above < 0) == (next < 0)) continue;
        for (int k = 0; k < 3; k++) to[kept][k] = a[k] + above / (above - next) * (b[k] - a[k]);
        kept++;
    }
    return kept;
}

/* A square in the plane, larger than everything in the picture; its size is returned. */
static double make_square(const renderer *v, const view_plane *p, double corners[4][3])
{
    double side[3] = {0}, up[3], far = 0, middle[3], above = 0;
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(p->normal[k]) < fabs(p->normal[least])) least = k;
    side[least] = 1;
    for (int k = 0; k < 3; k++) above += (0.5 * (v->low[k] + v->high[k]) - p->point[k]) * p->normal[k];
    for (int k = 0; k < 3; k++) {
        far += v->high[k] - v->low[k];
        middle[k] = 0.5 * (v->low[k] + v->high[k]) - above * p->normal[k];
        side[k] -= p->normal[least] * p->normal[k];
    }
    cross3(p->normal, side, up);
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 3; k++)
            corners[n][k] = middle[k] + 2 * far * ((n == 1 || n == 2 ? 1 : -1) * side[k] + (n >= 2 ? 1 : -1) * up[k]);
    return far;
}

/* Clips a plane to the box around everything in the picture and to the free sides of the other planes. */
static size_t cut_plane(const renderer *v, size_t plane, double corners[CORNERS][3])
{
    double shape[2][CORNERS][3];
    const double slack = 1e-6 * make_square(v, &v->planes[plane], shape[0]);
    size_t count = 4;
    int now = 0;
    for (int face = 0; face < 6; face++, now = 1 - now) {
        const double sign = face % 2 == 0 ? 1 : -1;
        double normal[3] = {0};
        normal[face / 2] = sign;
        const double bound = sign * (face % 2 == 0 ? v->low : v->high)[face / 2];
        count = cut(shape[now], count, normal, bound - slack, shape[1 - now]);
    }
    for (size_t other = 0; other < v->options.plane_count; other++) {
        const view_plane *p = &v->planes[other];
        if (other == plane) continue;
        count = cut(shape[now], count, p->normal, dot3(p->normal, p->point) - slack, shape[1 - now]);
        now = 1 - now;
    }
    memcpy(corners, shape[now], count * sizeof *corners);
    return count;
}

static void draw_planes(renderer *v)
{
    for (size_t k = 0; k < v->options.plane_count; k++) {
        const view_plane *p = &v->planes[k];
        double corners[CORNERS][3];
        const size_t count = cut_plane(v, k, corners);
        if (count >= 3 && sees_front(v, p->point, p->normal))
            render_polygon(v, corners, count, raster_paint(v->theme->wall));
        for (size_t n = 0; n < count; n++)
            raster_rod(&v->raster, corners[n], corners[(n + 1) % count], v->line, raster_paint(v->theme->soft), false);
    }
}

static carom_status draw_spheres(renderer *v, error *e)
{
    const carom_frame *f = &v->frame;
    for (size_t i = 0; f->axis != NULL && i < f->count; i++) {
        double seen[3], tip[3], ahead[3];
        if (v->is_vertex[i]) continue;
        for (int k = 0; k < 3; k++) ahead[k] = f->position[3 * i + (size_t)k] + f->axis[3 * i + (size_t)k];
        camera_see(&v->raster.camera, f->position + 3 * i, seen);
        camera_see(&v->raster.camera, ahead, tip);
        for (int k = 0; k < 3; k++) tip[k] -= seen[k];
        raster_shape(&v->raster, shape_of(f, i), seen, tip, f->semi_axes + 3 * i, v->paint[i]);
    }
    if (f->axis != NULL) return CAROM_OK;
    if (v->links->meshes == 0 && f->present == NULL)
        return raster_spheres(&v->raster, f->position, f->radius, v->paint, f->count, e);
    for (size_t i = 0; i < f->count; i++) {
        double seen[3];
        if (v->is_vertex[i] || frame_is_absent(f, i)) continue;
        camera_see(&v->raster.camera, f->position + 3 * i, seen);
        raster_sphere(&v->raster, seen, f->radius[i], v->paint[i]);
    }
    return CAROM_OK;
}

/* A link across a periodic boundary is drawn whole on both sides, from either end. */
static void draw_link(renderer *v, uint32_t i, uint32_t j, double radius, uint32_t paint, bool lit)
{
    double a[3], b[3], x[3], apart = 0;
    ends_of(&v->frame, i, j, a, b);
    raster_rod(&v->raster, a, b, radius, paint, lit);
    position_of(&v->frame, j, x);
    for (int k = 0; k < 3; k++) apart = fmax(apart, fabs(x[k] - b[k]));
    if (!(apart > 0)) return;
    ends_of(&v->frame, j, i, a, b);
    raster_rod(&v->raster, a, b, radius, paint, lit);
}

static void draw_links(renderer *v)
{
    const result_links *l = v->links;
    for (size_t k = 0; k < l->segments; k++)
        draw_link(v, l->segment[0][k], l->segment[1][k], fmax(l->radius[k], v->line), v->paint[l->segment[0][k]], true);
    for (size_t k = 0; k < l->springs; k++)
        draw_link(v, l->spring[0][k], l->spring[1][k], v->line, raster_paint(v->theme->soft), false);
}

/* Bodies shade surfaces up to a few radii behind them; large bodies, up to a fraction of the scene. */
static double shade_reach(const renderer *v)
{
    double size = 0, sum = 0, count = 0;
    for (int k = 0; k < 3; k++) size += (v->high[k] - v->low[k]) * (v->high[k] - v->low[k]);
    for (size_t i = 0; i < v->frame.count; i++)
        if (!v->is_vertex[i]) sum += v->frame.radius[i], count++;
    return fmin(count > 0 ? 3 * sum / count : INFINITY, 0.08 * sqrt(size));
}

static carom_status draw_space(renderer *v, error *e)
{
    raster_clear(&v->raster, &v->camera, v->theme->paper);
    v->raster.least = v->dot / v->camera.scale;
    v->raster.reach = v->options.unshaded ? 0 : shade_reach(v);
    TRY(draw_spheres(v, e));
    TRY(render_solid_meshes(v, e));
    draw_links(v);
    raster_backdrop(&v->raster);
    draw_box(v);
    draw_walls(v);
    draw_planes(v);
    render_draw_exact(v);
    TRY(render_thin_meshes(v, e));
    return raster_resolve(&v->raster, v->pixels, e);
}

carom_status render_draw(renderer *v, error *e)
{
    render_colours(v);
    if (v->frame.dimension == 2)
        draw_flat(v);
    else
        TRY(draw_space(v, e));
    return render_marks(v, e);
}
