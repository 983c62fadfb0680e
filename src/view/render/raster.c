#include "view/render/raster.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/vec.h"

typedef struct vector {
    float x, y, z;
} vector;

/* Direction to the light, and the bisector of it and the direction to the camera; y up, z ahead. */
static const vector to_light = {-0.42f, 0.62f, -0.663f};
static const vector half_way = {-0.2302f, 0.3399f, -0.9118f};

uint32_t raster_paint(colour c)
{
    return (uint32_t)(255 * c.r + 0.5f) << 16 | (uint32_t)(255 * c.g + 0.5f) << 8 | (uint32_t)(255 * c.b + 0.5f);
}

carom_status raster_create(raster *r, int width, int height, int fine, error *e)
{
    *r = (raster){.width = width, .height = height, .fine = fine};
    r->across = (width * fine + RASTER_TILE - 1) / RASTER_TILE * RASTER_TILE;
    r->down = (height * fine + RASTER_TILE - 1) / RASTER_TILE * RASTER_TILE;
    const size_t samples = (size_t)r->across * (size_t)r->down;
    if (memory_can_hold(samples * 8)) {
        r->depth = NEW_ARRAY(samples, float);
        r->paint = NEW_ARRAY(samples, uint32_t);
        r->farthest = NEW_ARRAY(samples / (RASTER_TILE * RASTER_TILE), float);
        r->bodies = NEW_ARRAY((size_t)width * (size_t)height, float);
    }
    if (r->depth != NULL && r->paint != NULL && r->farthest != NULL && r->bodies != NULL) return CAROM_OK;
    raster_free(r);
    return error_memory(e, "a picture", samples * 8);
}

void raster_free(raster *r)
{
    memory_free(r->depth);
    memory_free(r->paint);
    memory_free(r->farthest);
    memory_free(r->bodies);
    *r = (raster){0};
}

void raster_clear(raster *r, const camera *c, colour background)
{
    const size_t samples = (size_t)r->across * (size_t)r->down;
    r->background = raster_paint(background);
    r->camera = *c;
    r->camera.scale *= r->fine;
    r->camera.x *= r->fine;
    r->camera.y *= r->fine;
    for (size_t i = 0; i < samples; i++) r->depth[i] = INFINITY;
    for (size_t i = 0; i < samples; i++) r->paint[i] = r->background;
    for (size_t i = 0; i < samples / (RASTER_TILE * RASTER_TILE); i++) r->farthest[i] = INFINITY;
}

/* ---- light ------------------------------------------------------------------------------------------------------- */

#define SPHERE_SHINE 70.0f

static inline uint32_t channel(uint32_t paint, int shift, float light, float gloss)
{
    const float value = (float)(int32_t)(paint >> shift & 255u) * light + gloss;
    return (uint32_t)(int32_t)(value < 255 ? value : 255) << shift;
}

static inline uint32_t paint_in(uint32_t paint, float light, float gloss)
{
    return channel(paint, 16, light, gloss) | channel(paint, 8, light, gloss) | channel(paint, 0, light, gloss);
}

/* Unit normals that point to the camera. The light also reaches slightly beyond the terminator. */
static inline float light_on(vector n)
{
    const float around = (n.x * to_light.x + n.y * to_light.y + n.z * to_light.z + 0.4f) / 1.4f;
    return 0.46f + 0.06f * n.y + (around > 0 ? 0.56f * around : 0);
}

static inline float specular_on(vector n, float shine)
{
    const float gleam = n.x * half_way.x + n.y * half_way.y + n.z * half_way.z;
    float gloss = gleam > 0 ? gleam * gleam : 0; /* to the 32nd power */
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    return gloss * shine;
}

static uint32_t shade(uint32_t paint, vector n, float shine)
{
    return paint_in(paint, light_on(n), specular_on(n, shine));
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

/* A rectangle of samples, without the upper limits. */
typedef struct span {
    int x0, x1, y0, y1;
} span;

static int clamp(double value, int most)
{
    return !(value > 0) ? 0 : value >= most ? most : (int)value;
}

/* The samples whose centres may lie between the bounds. */
static span span_of(const raster *r, double x0, double x1, double y0, double y1)
{
    return (span){clamp(floor(x0), r->across), clamp(ceil(x1) + 1, r->across), clamp(floor(y0), r->down),
                  clamp(ceil(y1) + 1, r->down)};
}

static void renew_tile(raster *r, int tile_x, int tile_y)
{
    float farthest = 0;
    for (int y = 0; y < RASTER_TILE; y++) {
        const float *row = r->depth + (size_t)(tile_y * RASTER_TILE + y) * (size_t)r->across + tile_x * RASTER_TILE;
        for (int x = 0; x < RASTER_TILE; x++) farthest = row[x] > farthest ? row[x] : farthest;
    }
    r->farthest[(size_t)tile_y * (size_t)(r->across / RASTER_TILE) + (size_t)tile_x] = farthest;
}

/* Fills the samples of a body in part of a tile; returns whether there are any. */
typedef bool fill_tile(raster *r, const void *body, span part);

static void fill_span(raster *r, span s, double nearest, fill_tile *fill, const void *body)
{
    for (int ty = s.y0 / RASTER_TILE; ty * RASTER_TILE < s.y1; ty++)
        for (int tx = s.x0 / RASTER_TILE; tx * RASTER_TILE < s.x1; tx++) {
            const int left = tx * RASTER_TILE, top = ty * RASTER_TILE;
            if (nearest > (double)r->farthest[(size_t)ty * (size_t)(r->across / RASTER_TILE) + (size_t)tx]) continue;
            const span part = {s.x0 > left ? s.x0 : left, s.x1 < left + RASTER_TILE ? s.x1 : left + RASTER_TILE,
                               s.y0 > top ? s.y0 : top, s.y1 < top + RASTER_TILE ? s.y1 : top + RASTER_TILE};
            if (fill(r, body, part)) renew_tile(r, tx, ty);
        }
}

/* ---- spheres ----------------------------------------------------------------------------------------------------- */

typedef struct ball {
    float x, y, z, radius; /* x, y: slopes of the ray to its centre */
    float step, left, top; /* slopes: step between samples, and slope of sample 0 */
    float depth;           /* for bodies drawn larger than they are: true radius over radius in the picture */
    uint32_t paint;
} ball;

/* A row of a tile. All samples are treated alike, so that the compiler can vectorise the loop. The ray of slopes (u, v)
 * intersects the plane of the centre at (ex, ey) from the centre, and the sphere a step s further. */
static bool fill_ball_row(const ball *b, int left, float v, float *depth, uint32_t *paint)
{
    float inside[RASTER_TILE], ahead[RASTER_TILE], light[RASTER_TILE], gloss[RASTER_TILE];
    const float ey = (v - b->y) * b->z, by = 1 / b->radius, square = b->radius * b->radius;
    int any = 0;
    for (int k = 0; k < RASTER_TILE; k++) {
        const float u = b->left + b->step * (float)(left + k), ex = (u - b->x) * b->z;
        const float a = 1 + u * u + v * v, h = ex * u + ey * v, rest = h * h - a * (ex * ex + ey * ey - square);
        const float s = (-h - sqrtf(rest > 0 ? rest : 0)) / a;
        const vector n = {(ex + s * u) * by, (ey + s * v) * by, s * by};
        inside[k] = rest;
        ahead[k] = b->z + b->depth * s;
        light[k] = light_on(n);
        gloss[k] = specular_on(n, SPHERE_SHINE);
    }
    for (int k = 0; k < RASTER_TILE; k++) {
        const float before = depth[k];
        const uint32_t lit = paint_in(b->paint, light[k], gloss[k]), there = paint[k];
        const int hit = (inside[k] > 0) & (ahead[k] < before);
        depth[k] = hit ? ahead[k] : before;
        paint[k] = hit ? lit : there;
        any |= hit;
    }
    return any;
}

static bool fill_ball(raster *r, const void *body, span part)
{
    const ball *b = body;
    const int left = part.x0 / RASTER_TILE * RASTER_TILE;
    bool any = false;
    for (int y = part.y0; y < part.y1; y++) {
        const size_t row = (size_t)y * (size_t)r->across + (size_t)left;
        any |= fill_ball_row(b, left, b->top - b->step * (float)y, r->depth + row, r->paint + row);
    }
    return any;
}

/* The range of slopes of a sphere along one axis: tangents to a circle. */
static void tangents(double across, double depth, double radius, double *low, double *high)
{
    const double below = depth * depth - radius * radius;
    const double root = radius * sqrt(across * across + below);
    *low = (across * depth - root) / below;
    *high = (across * depth + root) / below;
}

static bool is_in_front(const raster *r, double depth, double radius)
{
    return depth - radius > 1e-6 * r->camera.distance;
}

static span bounds_of(const raster *r, const double seen[3], double radius)
{
    const camera *c = &r->camera;
    double x0, x1, y0, y1;
    tangents(seen[0], seen[2], radius, &x0, &x1);
    tangents(seen[1], seen[2], radius, &y0, &y1);
    return span_of(r, c->x + c->scale * x0 - 0.5, c->x + c->scale * x1 - 0.5, c->y - c->scale * y1 - 0.5,
                   c->y - c->scale * y0 - 0.5);
}

void raster_sphere(raster *r, const double seen[3], double radius, uint32_t paint)
{
    const camera *c = &r->camera;
    if (!is_in_front(r, seen[2], radius) || !(radius > 0)) return;
    const double thickness = radius;
    radius = fmax(radius, r->least * seen[2]);
    const ball b = {
        .x = (float)(seen[0] / seen[2]),
        .y = (float)(seen[1] / seen[2]),
        .z = (float)seen[2],
        .radius = (float)radius,
        .step = (float)(1 / c->scale),
        .left = (float)((0.5 - c->x) / c->scale),
        .top = (float)((c->y - 0.5) / c->scale),
        .depth = (float)(thickness / radius),
        .paint = paint,
    };
    fill_span(r, bounds_of(r, seen, radius), seen[2] - thickness, fill_ball, &b);
}

carom_status raster_spheres(raster *r, const double *positions, const double *radii, const uint32_t *paints,
                            size_t count, error *e)
{
    enum { NUMBER_BITS = 36, KEYS = (1 << (63 - NUMBER_BITS)) - 1 };
    uint64_t *keys = NEW_ARRAY(count, uint64_t), *space = NEW_ARRAY(count, uint64_t);
    double(*seen)[3] = memory_new(count, sizeof *seen);
    carom_status status = CAROM_OK;
    if (keys == NULL || space == NULL || seen == NULL) status = error_memory(e, "spheres", count * 40);
    for (size_t i = 0; status == CAROM_OK && i < count; i++) {
        camera_see(&r->camera, positions + 3 * i, seen[i]);
        const double near = (seen[i][2] - radii[i]) / (4 * r->camera.distance);
        const double key = near > 0 ? near < 1 ? near : 1 : 0;
        keys[i] = (uint64_t)(key * KEYS) << NUMBER_BITS | i;
    }
    if (status == CAROM_OK) sort_u64(keys, space, count);
    for (size_t k = 0; status == CAROM_OK && k < count; k++) {
        const size_t i = keys[k] & (((uint64_t)1 << NUMBER_BITS) - 1);
        raster_sphere(r, seen[i], radii[i], paints[i]);
    }
    memory_free(keys);
    memory_free(space);
    memory_free(seen);
    return status;
}

/* ---- bodies that are not spheres --------------------------------------------------------------------------------- */

typedef struct shaped {
    const body_shape *of;
    double middle[3], axis[3], half[2];
    uint32_t paint;
} shaped;

static bool fill_shape(raster *r, const void *body, span part)
{
    const shaped *o = body;
    const camera *c = &r->camera;
    bool any = false;
    for (int y = part.y0; y < part.y1; y++)
        for (int x = part.x0; x < part.x1; x++) {
            const size_t sample = (size_t)y * (size_t)r->across + (size_t)x;
            const double ray[3] = {(x + 0.5 - c->x) / c->scale, (c->y - y - 0.5) / c->scale, 1};
            double n[3];
            const double t = o->of->ray(o->axis, o->half, o->middle, ray, n);
            if (t < 0 || t >= (double)r->depth[sample]) continue;
            const double by = 1 / sqrt(dot3(n, n));
            r->depth[sample] = (float)t;
            r->paint[sample] =
                shade(o->paint, (vector){(float)(n[0] * by), (float)(n[1] * by), (float)(n[2] * by)}, SPHERE_SHINE);
            any = true;
        }
    return any;
}

void raster_shape(raster *r, const body_shape *of, const double seen[3], const double axis[3], const double half[2],
                  uint32_t paint)
{
    const double along = fmax(half[0], r->least * seen[2]), across = fmax(half[1], r->least * seen[2]);
    const double radius = fmax(along, across);
    if (!is_in_front(r, seen[2], radius) || !(radius > 0)) return;
    shaped o = {.of = of, .half = {along, across}, .paint = paint};
    memcpy(o.middle, seen, sizeof o.middle);
    memcpy(o.axis, axis, sizeof o.axis);
    fill_span(r, bounds_of(r, seen, radius), seen[2] - radius, fill_shape, &o);
}

/* ---- rods -------------------------------------------------------------------------------------------------------- */

typedef struct rod {
    double a[3], along[3], radius;
    double length2; /* square of its length */
    uint32_t paint;
    bool lit;
} rod;

/* Distance from the camera along the unit vector `ray` at which it intersects the rod; negative: no intersection.
 * *part: position along the rod, 0 to 1. */
static double intersect_rod(const rod *o, const double ray[3], double *part)
{
    const double k = dot3(o->along, ray), m = -dot3(o->along, o->a), n = -dot3(ray, o->a), d = dot3(o->a, o->a);
    const double a = o->length2 - k * k, b = o->length2 * n - m * k;
    const double c = o->length2 * d - m * m - o->radius * o->radius * o->length2, h = b * b - a * c;
    if (h < 0) return -1;
    const double t = a > 0 ? (-b - sqrt(h)) / a : 0, at = m + t * k;
    *part = at <= 0 ? 0 : at >= o->length2 ? 1 : at / o->length2;
    if (a > 0 && at > 0 && at < o->length2) return t;
    const double end[3] = {o->a[0] + *part * o->along[0], o->a[1] + *part * o->along[1], o->a[2] + *part * o->along[2]};
    const double beside = dot3(ray, end), square = beside * beside - dot3(end, end) + o->radius * o->radius;
    return square < 0 ? -1 : beside - sqrt(square);
}

static bool fill_rod(raster *r, const void *body, span part)
{
    const rod *o = body;
    const camera *c = &r->camera;
    bool any = false;
    for (int y = part.y0; y < part.y1; y++)
        for (int x = part.x0; x < part.x1; x++) {
            const size_t sample = (size_t)y * (size_t)r->across + (size_t)x;
            const double u = (x + 0.5 - c->x) / c->scale, v = (c->y - y - 0.5) / c->scale;
            const double by = 1 / sqrt(1 + u * u + v * v), ray[3] = {u * by, v * by, by};
            double at;
            const double t = intersect_rod(o, ray, &at);
            if (t < 0 || t * by >= (double)r->depth[sample]) continue;
            double n[3];
            for (int k = 0; k < 3; k++) n[k] = (t * ray[k] - o->a[k] - at * o->along[k]) / o->radius;
            r->depth[sample] = (float)(t * by);
            r->paint[sample] = o->lit ? shade(o->paint, (vector){(float)n[0], (float)n[1], (float)n[2]}, 60) : o->paint;
            any = true;
        }
    return any;
}

/* Long rods are drawn in pieces, since the bounding rectangle of a slanted rod is mostly empty. */
void raster_rod(raster *r, const double a[3], const double b[3], double radius, uint32_t paint, bool lit)
{
    enum { PIECE = 24, PIECES_MOST = 1000 };
    double ends[2][3], pixels[2][2];
    camera_see(&r->camera, a, ends[0]);
    camera_see(&r->camera, b, ends[1]);
    if (!is_in_front(r, fmin(ends[0][2], ends[1][2]), radius) || !(radius > 0)) return;
    for (int k = 0; k < 2; k++) camera_project(&r->camera, ends[k], pixels[k]);
    const double length = hypot(pixels[1][0] - pixels[0][0], pixels[1][1] - pixels[0][1]);
    const int pieces = (int)fmin(1 + length / PIECE, PIECES_MOST);
    for (int p = 0; p < pieces; p++) {
        rod o = {.radius = radius, .paint = paint, .lit = lit};
        double end[3];
        for (int k = 0; k < 3; k++) {
            o.a[k] = ends[0][k] + (ends[1][k] - ends[0][k]) * p / pieces;
            o.along[k] = (ends[1][k] - ends[0][k]) / pieces;
            end[k] = o.a[k] + o.along[k];
        }
        o.length2 = dot3(o.along, o.along);
        if (!(o.length2 > 0)) o.length2 = 1e-300;
        const span s = bounds_of(r, o.a, radius), t = bounds_of(r, end, radius);
        const span both = {s.x0 < t.x0 ? s.x0 : t.x0, s.x1 > t.x1 ? s.x1 : t.x1, s.y0 < t.y0 ? s.y0 : t.y0,
                           s.y1 > t.y1 ? s.y1 : t.y1};
        fill_span(r, both, fmin(o.a[2], end[2]) - radius, fill_rod, &o);
    }
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

typedef struct tile_triangle {
    const raster_corner *corners;
    double slope[3][2], offset[3]; /* barycentric weight k of sample (x, y): offset + slope . (x, y) */
    double height[3];              /* in samples, height of corner k over the opposite side */
    double inverse[3];             /* of the depths */
    uint32_t paint;
    unsigned flags;
} tile_triangle;

static uint32_t lit_sample(const raster *r, const tile_triangle *t, const double share[3], const double weight[3])
{
    float n[3] = {0}, value = 0;
    for (int k = 0; k < 3; k++) {
        for (int m = 0; m < 3; m++) n[m] += (float)share[k] * t->corners[k].normal[m];
        value += (float)share[k] * t->corners[k].value;
    }
    const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    /* Normals point to the camera: those of back faces are reversed. */
    const float turn = (n[2] > 0 ? -1 : 1) / (length > 0 ? length : 1);
    uint32_t paint = value >= 0 ? raster_paint(colour_map((double)value)) : t->paint;
    paint = shade(paint, (vector){n[0] * turn, n[1] * turn, n[2] * turn}, 24);
    if (!(t->flags & RASTER_EDGES)) return paint;
    double edge = INFINITY;
    for (int k = 0; k < 3; k++)
        if (t->flags & (unsigned)RASTER_EDGE << k) edge = fmin(edge, weight[k] * t->height[k]);
    return edge < 0.45 * r->fine ? shade(paint, (vector){0, 0, -0.2f}, 0) : paint;
}

/* Adds a quarter of the colour in front. */
static uint32_t paint_through(uint32_t behind, uint32_t front)
{
    const uint32_t outer = (3 * (behind & 0xff00ffu) + (front & 0xff00ffu) + 0x020002u) >> 2 & 0xff00ffu;
    return outer | ((3 * (behind & 0xff00u) + (front & 0xff00u) + 0x200u) >> 2 & 0xff00u);
}

static bool fill_triangle(raster *r, const void *body, span part)
{
    const tile_triangle *t = body;
    bool any = false;
    for (int y = part.y0; y < part.y1; y++)
        for (int x = part.x0; x < part.x1; x++) {
            double weight[3], share[3], inverse = 0;
            bool inside = true;
            for (int k = 0; k < 3; k++) {
                weight[k] = t->offset[k] + t->slope[k][0] * x + t->slope[k][1] * y;
                inside = inside && weight[k] >= 0;
                inverse += weight[k] * t->inverse[k];
            }
            const size_t sample = (size_t)y * (size_t)r->across + (size_t)x;
            const double depth = 1 / inverse;
            if (!inside || depth >= (double)r->depth[sample]) continue;
            for (int k = 0; k < 3; k++) share[k] = weight[k] * t->inverse[k] * depth;
            const uint32_t paint = t->flags & RASTER_UNLIT ? t->paint : lit_sample(r, t, share, weight);
            if (t->flags & RASTER_CLEAR) {
                r->paint[sample] = paint_through(r->paint[sample], paint);
                continue;
            }
            r->depth[sample] = (float)depth;
            r->paint[sample] = paint;
            any = true;
        }
    return any;
}

static void draw_triangle(raster *r, const raster_corner corners[3], uint32_t paint, unsigned flags)
{
    tile_triangle t = {.corners = corners, .paint = paint, .flags = flags};
    double p[3][2], least[2] = {INFINITY, INFINITY}, greatest[2] = {-INFINITY, -INFINITY}, nearest = INFINITY;
    for (int k = 0; k < 3; k++) {
        camera_project(&r->camera, corners[k].seen, p[k]);
        t.inverse[k] = 1 / corners[k].seen[2];
        nearest = fmin(nearest, corners[k].seen[2]);
        for (int m = 0; m < 2; m++) {
            least[m] = fmin(least[m], p[k][m] - 0.5);
            greatest[m] = fmax(greatest[m], p[k][m] - 0.5);
        }
    }
    const double area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
    if (area == 0 || !isfinite(area)) return;
    for (int k = 0; k < 3; k++) {
        const double *a = p[(k + 1) % 3], *b = p[(k + 2) % 3];
        t.slope[k][0] = (a[1] - b[1]) / area;
        t.slope[k][1] = (b[0] - a[0]) / area;
        t.offset[k] = (a[0] * b[1] - b[0] * a[1]) / area + 0.5 * (t.slope[k][0] + t.slope[k][1]);
        t.height[k] = fabs(area) / fmax(hypot(b[0] - a[0], b[1] - a[1]), 1e-9);
    }
    fill_span(r, span_of(r, least[0], greatest[0], least[1], greatest[1]), nearest, fill_triangle, &t);
}

/* The point of an edge at a given depth. */
static raster_corner corner_between(const raster_corner *a, const raster_corner *b, double depth)
{
    const double share = (depth - a->seen[2]) / (b->seen[2] - a->seen[2]);
    raster_corner c = {.value = a->value + (float)share * (b->value - a->value)};
    for (int k = 0; k < 3; k++) {
        c.seen[k] = a->seen[k] + share * (b->seen[k] - a->seen[k]);
        c.normal[k] = a->normal[k] + (float)share * (b->normal[k] - a->normal[k]);
    }
    return c;
}

void raster_triangle(raster *r, const raster_corner corners[3], uint32_t paint, unsigned flags)
{
    const double near = 1e-4 * r->camera.distance;
    raster_corner kept[4];
    size_t count = 0, ahead = 0;
    for (int k = 0; k < 3; k++) {
        const raster_corner *a = &corners[k], *b = &corners[(k + 1) % 3];
        if (a->seen[2] >= near) ahead++, kept[count++] = *a;
        if ((a->seen[2] < near) != (b->seen[2] < near)) kept[count++] = corner_between(a, b, near);
    }
    if (ahead == 3) draw_triangle(r, corners, paint, flags);
    for (size_t k = 1; ahead < 3 && k + 1 < count; k++)
        draw_triangle(r, (raster_corner[]){kept[0], kept[k], kept[k + 1]}, paint, flags & ~(unsigned)RASTER_EDGES);
}
