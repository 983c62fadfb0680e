#include "output/verify_between.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/crossing.h"
#include "mesh/topology.h"
#include "output/joined.h"
#include "output/moving_boxes.h"

static const double PATH_FACTOR = 3;

enum {
    WINDOWS_DEEP = 3,          /* halvings of the time between two frames */
    COMPARISONS_A_PART = 2000, /* beyond which it is halved; cloth takes 500 */
};

/* A particle, a segment, or a triangle with the vertices (bits 0 to 2) and edges (3 to 5) that are not another's. */
typedef struct part {
    passage_part who;
    unsigned own;
    double radius;
    bool held; /* whether only the scene moves it */
} part;

/* How far a path may be from the straight line, and from the parabola of a fall between the same ends. */
typedef struct bend {
    double line, fall;
} bend;

/* What a part does between two frames. */
typedef struct travel {
    const part *p;
    double at[2][3][3]; /* time, corner */
    bend away;
} travel;

struct between {
    const result_links *links;
    part *parts;
    size_t part_count, particles;
    joined joined;
    double least_radius;
    between_counts counts;
    /* of the two frames that are looked at */
    const carom_frame *before, *after;
    double tolerance, fallen; /* by how much a fall is away from the straight line */
    bend *bends, *granted;    /* [particles]: their own, and with their neighbours' */
    travel *travels;
    moving_box *boxes;
    size_t count;
    double window[2];
    passage *passages; /* that are certain */
    size_t passage_count, passage_room;
    uint64_t doubts; /* crossings that are not */
    bool lost;       /* there are too many pairs, even so */
    bool failed;     /* no memory for passages */
};

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static bool all_owned(const between *w, const passage_part *p)
{
    for (int c = 0; c < p->ends; c++)
        if (w->links->owner == NULL || w->links->owner[p->end[c]] == 0) return false;
    return true;
}

/* Of an ellipsoid, that of the sphere in it. */
static double solid_radius(const carom_frame *f, size_t i)
{
    return f->axis != NULL ? fmin(f->semi_axes[3 * i], f->semi_axes[3 * i + 1]) : f->radius[i];
}

static part *add_part(between *w, size_t which, int ends, const uint32_t *end, double radius)
{
    part *p = &w->parts[w->part_count++];
    *p = (part){.who = {.mesh = which, .ends = ends}, .radius = radius};
    memcpy(p->who.end, end, (size_t)ends * sizeof *end);
    p->held = all_owned(w, &p->who);
    return p;
}

/* Each vertex and edge belongs to the first triangle that has it. */
static carom_status add_mesh(between *w, const carom_frame *f, size_t which, error *e)
{
    const result_mesh *m = &w->links->mesh[which];
    const mesh shape = {.triangles = m->triangles, .vertex_count = m->vertices, .triangle_count = m->triangle_count};
    mesh_topology t;
    TRY(mesh_topology_create(&t, &shape, e));
    uint8_t *seen = NEW_ARRAY(m->vertices + t.edge_count, uint8_t);
    for (size_t n = 0; seen != NULL && n < m->triangle_count; n++) {
        uint32_t end[3];
        for (int c = 0; c < 3; c++) end[c] = m->first + m->triangles[n][c];
        part *p = add_part(w, which, 3, end, f->radius[m->first]);
        p->held = p->held || m->rigid;
        for (int c = 0; c < 3; c++) {
            uint8_t *vertex = &seen[m->triangles[n][c]], *edge = &seen[m->vertices + t.triangle_edges[n][c]];
            p->own |= (*vertex ? 0U : 1U << c) | (*edge ? 0U : 8U << c);
            *vertex = *edge = 1;
        }
    }
    const bool done = seen != NULL;
    memory_free(seen);
    mesh_topology_free(&t);
    return done ? CAROM_OK : error_memory(e, "a look at meshes", m->vertices);
}

static carom_status add_all(between *w, const carom_frame *f, error *e)
{
    const result_links *links = w->links;
    uint8_t *vertex = NEW_ARRAY(f->count, uint8_t);
    if (vertex == NULL) return error_memory(e, "a look between frames", f->count);
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < links->meshes && status == CAROM_OK; k++) {
        memset(vertex + links->mesh[k].first, 1, links->mesh[k].vertices);
        if (f->dimension == 3) status = add_mesh(w, f, k, e);
    }
    for (size_t n = 0; n < links->segments; n++)
        add_part(w, SIZE_MAX, 2, (const uint32_t[2]){links->segment[0][n], links->segment[1][n]}, links->radius[n]);
    for (uint32_t i = 0; i < f->count; i++)
        if (!vertex[i]) add_part(w, SIZE_MAX, 1, &i, solid_radius(f, i));
    memory_free(vertex);
    return status;
}

static bool allocate(between *w, const carom_frame *f, size_t parts)
{
    w->parts = NEW_ARRAY(parts, part);
    w->bends = NEW_ARRAY(f->count, bend);
    w->granted = NEW_ARRAY(f->count, bend);
    w->travels = NEW_ARRAY(parts, travel);
    w->boxes = NEW_ARRAY(parts, moving_box);
    return w->parts != NULL && w->bends != NULL && w->granted != NULL && w->travels != NULL && w->boxes != NULL;
}

carom_status between_open(between **out, const carom_frame *f, const result_links *links, error *e)
{
    between *w = *out = NEW_ARRAY(1, between);
    size_t parts = f->count + links->segments;
    for (size_t k = 0; k < links->meshes; k++) parts += links->mesh[k].triangle_count;
    if (w == NULL) return error_memory(e, "a look between frames", sizeof *w);
    *w = (between){.links = links, .particles = f->count, .least_radius = INFINITY};
    carom_status status =
        allocate(w, f, parts) ? add_all(w, f, e) : error_memory(e, "a look between frames", parts * sizeof(travel));
    if (status == CAROM_OK) status = joined_create(&w->joined, links, e);
    if (status != CAROM_OK) {
        between_close(w);
        *out = NULL;
        return status;
    }
    for (size_t i = 0; i < f->count; i++) w->least_radius = fmin(w->least_radius, solid_radius(f, i));
    for (size_t n = 0; n < links->segments; n++) w->least_radius = fmin(w->least_radius, links->radius[n]);
    return CAROM_OK;
}

void between_close(between *w)
{
    if (w == NULL) return;
    memory_free(w->parts);
    joined_destroy(&w->joined);
    memory_free(w->bends);
    memory_free(w->granted);
    memory_free(w->travels);
    memory_free(w->boxes);
    memory_free(w->passages);
    memory_free(w);
}

const between_counts *between_counted(const between *w)
{
    return &w->counts;
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static double period(const carom_frame *f, size_t k)
{
    return (int)k < f->dimension && f->boundary[k] == FRAME_PERIODIC ? f->box[k] : 0;
}

static double unwrapped(const carom_frame *f, size_t i, size_t k)
{
    if ((int)k >= f->dimension) return 0;
    size_t at = i * (size_t)f->dimension + k;
    return f->position[at] + period(f, k) * f->image[at];
}

static bend bend_of(const between *w, size_t i)
{
    static const double HERMITE = 4.0 / 27; /* the largest s (1 - s)^2 */
    const carom_frame *const f[2] = {w->before, w->after};
    const double time = f[1]->time - f[0]->time;
    double line[2] = {0, 0}, fall[2] = {0, 0};
    for (size_t k = 0; k < (size_t)f[0]->dimension; k++) {
        const double mean = (unwrapped(f[1], i, k) - unwrapped(f[0], i, k)) / time;
        for (int n = 0; n < 2; n++) {
            const double scale = ldexp(1, (int)fmax(-5000, fmin(5000, -(double)f[n]->scale)));
            double v = f[n]->velocity[i * (size_t)f[n]->dimension + k] * scale - mean;
            line[n] += v * v;
            v += (n == 0 ? 0.5 : -0.5) * time * f[n]->gravity[k];
            fall[n] += v * v;
        }
    }
    const double factor = PATH_FACTOR * HERMITE * time;
    return (bend){factor * (sqrt(line[0]) + sqrt(line[1])) + w->tolerance,
                  factor * (sqrt(fall[0]) + sqrt(fall[1])) + w->tolerance};
}

static void grant(between *w, const uint32_t *end, int ends, uint32_t first)
{
    for (int c = 0; c < ends; c++)
        for (int d = 0; d < ends; d++) {
            bend *b = &w->granted[first + end[c]];
            const bend *by = &w->bends[first + end[d]];
            b->line = fmax(b->line, by->line);
            b->fall = fmax(b->fall, by->fall);
        }
}

static void find_bends(between *w)
{
    const result_links *links = w->links;
    for (size_t i = 0; i < w->particles; i++) w->granted[i] = w->bends[i] = bend_of(w, i);
    for (size_t k = 0; k < links->meshes; k++)
        for (size_t n = 0; n < links->mesh[k].triangle_count; n++)
            grant(w, links->mesh[k].triangles[n], 3, links->mesh[k].first);
    for (size_t n = 0; n < links->springs; n++)
        grant(w, (const uint32_t[2]){links->spring[0][n], links->spring[1][n]}, 2, 0);
    for (size_t n = 0; n < links->segments; n++)
        grant(w, (const uint32_t[2]){links->segment[0][n], links->segment[1][n]}, 2, 0);
}

/* Into the box where its first corner is at the start; a segment goes to the nearest image. */
static void place(const between *w, const part *p, travel *t)
{
    *t = (travel){.p = p};
    for (int c = 0; c < p->who.ends; c++) {
        const bend *b = &w->granted[p->who.end[c]];
        t->away.line = fmax(t->away.line, b->line);
        t->away.fall = fmax(t->away.fall, b->fall);
        for (size_t k = 0; k < 3; k++) {
            const double side = period(w->before, k), first = unwrapped(w->before, p->who.end[0], k);
            const double x = unwrapped(w->before, p->who.end[c], k);
            double back = side > 0 ? side * floor(first / side) : 0;
            if (side > 0 && p->who.ends == 2) back += side * rint((x - first) / side);
            t->at[0][c][k] = x - back;
            t->at[1][c][k] = unwrapped(w->after, p->who.end[c], k) - back;
        }
    }
}

/* Its largest extent at either time; INFINITY where numbers are beyond all reason. */
static double extent(const between *w, const travel *t)
{
    static const double HUGE_LENGTH = 1e100, MOST_BOXES = 3;
    double widest = 0;
    for (size_t k = 0; k < 3; k++) {
        double low[2], high[2];
        for (int n = 0; n < 2; n++) {
            low[n] = high[n] = t->at[n][0][k];
            for (int c = 1; c < t->p->who.ends; c++) {
                low[n] = fmin(low[n], t->at[n][c][k]);
                high[n] = fmax(high[n], t->at[n][c][k]);
            }
            widest = fmax(widest, high[n] - low[n]);
        }
        const double all = fmax(high[0], high[1]) - fmin(low[0], low[1]), side = period(w->before, k);
        if (!(all < (side > 0 ? MOST_BOXES * side : HUGE_LENGTH)) || !(fabs(low[0]) < HUGE_LENGTH)) return INFINITY;
    }
    return widest;
}

/* Of paths that bend by more than the largest part is long or thick nothing can be said. */
static void place_all(between *w)
{
    double longest = 0, thickest = 0;
    w->count = 0;
    for (size_t n = 0; n < w->part_count; n++) {
        travel *t = &w->travels[w->count];
        place(w, &w->parts[n], t);
        double length = extent(w, t);
        if (length == INFINITY) continue;
        longest = fmax(longest, length);
        thickest = fmax(thickest, t->p->radius);
        w->count++;
    }
    size_t kept = 0;
    for (size_t n = 0; n < w->count; n++) {
        const travel *t = &w->travels[n];
        const double most = t->p->radius + fmax(longest, thickest);
        if (fmin(t->away.line, t->away.fall) <= most) w->travels[kept++] = *t;
    }
    w->count = kept;
    w->counts.paths += w->part_count;
    w->counts.bent += w->part_count - kept;
}

/* ---- two parts --------------------------------------------------------------------------------------------------- */

static bool is_end(const passage_part *p, uint32_t particle)
{
    for (int c = 0; c < p->ends; c++)
        if (p->end[c] == particle) return true;
    return false;
}

/* Those of a body or a drive, those that only the scene moves, and the two ends of a segment or bond. */
static bool may_pass(const between *w, const part *a, const part *b)
{
    if ((a->who.ends == 3 || b->who.ends == 3) && a->held && b->held) return true;
    if (a->who.ends == 1 && b->who.ends == 1 && joined_has(&w->joined, a->who.end[0], b->who.end[0])) return true;
    if (!a->held || !b->held) return false;
    uint32_t owner = w->links->owner[a->who.end[0]];
    for (int c = 0; c < 3; c++)
        if (w->links->owner[a->who.end[c % a->who.ends]] != owner ||
            w->links->owner[b->who.end[c % b->who.ends]] != owner)
            return false;
    return true;
}

static void keep(between *w, const passage *p, bool certain)
{
    const bool last = w->window[1] == 1;
    if (p->time < w->window[0] || (p->time >= w->window[1] && !last)) return; /* another window's */
    if (!certain) {
        w->doubts++;
        return;
    }
    if (w->passage_count == w->passage_room) {
        const size_t room = 2 * w->passage_room + 64;
        passage *grown = memory_resize(w->passages, w->passage_room, room, sizeof *grown);
        w->failed = w->failed || grown == NULL;
        if (grown == NULL) return;
        w->passages = grown;
        w->passage_room = room;
    }
    w->passages[w->passage_count++] = *p;
}

/* Half of the distance that they must keep; and how far their difference may be from that of straight lines. */
static crossing_limits limits_of(const between *w, const travel *a, const travel *b)
{
    const double contact = a->p->radius + b->p->radius, leeway = w->before->leeway;
    const bool meshes = a->p->who.ends == 3 || b->p->who.ends == 3;
    const double allowed = w->tolerance + leeway * (meshes ? 2 * w->least_radius : contact);
    const double mixed = fmin(a->away.line, a->away.fall) + fmin(b->away.line, b->away.fall) + w->fallen;
    const double alike = fmin(a->away.line + b->away.line, a->away.fall + b->away.fall);
    return (crossing_limits){fmax(0.5 * (contact - allowed), 0), fmin(mixed, alike)};
}

/* Features: corner c, or the edge that begins there. */
static passage_part feature(const travel *t, int c, int ends)
{
    const passage_part *p = &t->p->who;
    return (passage_part){p->mesh, {p->end[c], p->end[(c + 1) % p->ends], p->end[(c + 2) % p->ends]}, ends};
}

static void vertex_and_face(between *w, const travel *a, int c, const travel *b, crossing_limits limits)
{
    passage found = {.a = feature(a, c, 1), .b = b->p->who};
    double v[2][3];
    if (is_end(&found.b, found.a.end[0])) return;
    for (int n = 0; n < 2; n++) memcpy(v[n], a->at[n][c], sizeof v[n]);
    crossing is = crossing_vertex_face((const double(*)[3])v, (const double(*)[3][3])b->at, limits, &found.time);
    if (is != CROSSING_NONE) keep(w, &found, is == CROSSING_CERTAIN);
}

static void copy_edge(const travel *t, int c, double edge[2][2][3])
{
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 2; k++) memcpy(edge[n][k], t->at[n][(c + k) % t->p->who.ends], sizeof edge[n][k]);
}

/* In a plane, a point and a segment are an edge that stands on the plane, and one in it. */
static crossing across(const double point[2][2][3], const double segment[2][2][3], crossing_limits limits, double *time)
{
    double edge[2][2][3];
    memcpy(edge, point, sizeof edge);
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 2; k++) edge[n][k][2] = (k == 0 ? 4 : -4) * limits.bend;
    limits.near = 0;
    return crossing_edge_edge((const double(*)[2][3])edge, segment, limits, time);
}

/* Edges of triangles, segments, particles. */
static void edge_and_edge(between *w, const travel *a, int c, const travel *b, int d, crossing_limits limits)
{
    const int ends[2] = {a->p->who.ends > 1 ? 2 : 1, b->p->who.ends > 1 ? 2 : 1};
    passage found = {.a = feature(a, c, ends[0]), .b = feature(b, d, ends[1])};
    double one[2][2][3], other[2][2][3];
    if (is_end(&found.b, found.a.end[0]) || is_end(&found.b, found.a.end[ends[0] - 1])) return;
    copy_edge(a, c, one);
    copy_edge(b, d, other);
    const double(*first)[2][3] = (const double(*)[2][3])one, (*second)[2][3] = (const double(*)[2][3])other;
    crossing is = crossing_edge_edge(first, second, limits, &found.time);
    if (is == CROSSING_UNCLEAR && w->before->dimension == 2 && ends[0] + ends[1] == 3) {
        double time;
        is = ends[0] == 1 ? across(first, second, limits, &time) : across(second, first, limits, &time);
        if (is == CROSSING_NONE) is = CROSSING_UNCLEAR;
    }
    if (is != CROSSING_NONE) keep(w, &found, is == CROSSING_CERTAIN);
}

static bool owns(const travel *t, int c, bool edge)
{
    return t->p->who.ends < 3 || (t->p->own >> (c + (edge ? 3 : 0)) & 1) != 0;
}

static void meet(size_t first, size_t second, const double shift[3], void *data)
{
    between *w = data;
    const travel *a = &w->travels[first];
    travel b = w->travels[second];
    const int ends[2] = {a->p->who.ends, b.p->who.ends};
    /* In a plane an end of one of two segments comes first, and that is a particle. */
    if (may_pass(w, a->p, b.p) || (w->before->dimension == 2 && ends[0] == 2 && ends[1] == 2)) return;
    for (int n = 0; n < 2; n++)
        for (int c = 0; c < ends[1]; c++)
            for (int k = 0; k < 3; k++) b.at[n][c][k] += shift[k];
    const crossing_limits limits = limits_of(w, a, &b);
    for (int c = 0; c < ends[0] && ends[1] == 3 && ends[0] != 2; c++)
        if (owns(a, c, false)) vertex_and_face(w, a, c, &b, limits);
    for (int c = 0; c < ends[1] && ends[0] == 3 && ends[1] != 2; c++)
        if (owns(&b, c, false)) vertex_and_face(w, &b, c, a, limits);
    if (ends[0] + ends[1] == 4 && ends[0] != 2) return; /* a particle and a triangle */
    for (int c = 0; c < (ends[0] == 3 ? 3 : 1); c++)
        for (int d = 0; d < (ends[1] == 3 ? 3 : 1); d++)
            if (owns(a, c, true) && owns(&b, d, true)) edge_and_edge(w, a, c, &b, d, limits);
}

/* ---- all pairs --------------------------------------------------------------------------------------------------- */

static void find_boxes(between *w)
{
    for (size_t i = 0; i < w->count; i++) {
        const travel *t = &w->travels[i];
        const double pad = 0.5 * t->p->radius + w->tolerance;
        for (int n = 0; n < 2; n++)
            for (int k = 0; k < 3; k++) {
                double low = INFINITY, high = -INFINITY;
                for (int c = 0; c < t->p->who.ends; c++) {
                    double x = (1 - w->window[n]) * t->at[0][c][k] + w->window[n] * t->at[1][c][k];
                    low = fmin(low, x);
                    high = fmax(high, x);
                }
                w->boxes[i].low[n][k] = low - pad;
                w->boxes[i].high[n][k] = high + pad;
            }
    }
}

/* Where long ways in all directions make boxes of the tree useless, the time is halved; where that does not help, the
 * rest is given up. */
static carom_status follow(between *w, double from, double to, int depth, error *e)
{
    const size_t kept = w->passage_count;
    const uint64_t doubts = w->doubts;
    boxes_request r = {.boxes = w->boxes, .count = w->count, .found = meet, .data = w};
    bool finished;
    r.most = COMPARISONS_A_PART * (uint64_t)(w->count + 1);
    for (size_t k = 0; k < 3; k++) r.period[k] = period(w->before, k);
    w->window[0] = from;
    w->window[1] = to;
    find_boxes(w);
    TRY(boxes_overlapping(&r, &finished, e));
    if (w->failed) return error_memory(e, "passages between frames", w->passage_room * sizeof(passage));
    if (finished) return CAROM_OK;
    w->passage_count = kept;
    w->doubts = doubts;
    if (depth == WINDOWS_DEEP) {
        w->lost = true;
        return CAROM_OK;
    }
    const double middle = 0.5 * (from + to);
    TRY(follow(w, from, middle, depth + 1, e));
    return w->lost ? CAROM_OK : follow(w, middle, to, depth + 1, e);
}

static int compare_passages(const void *left, const void *right)
{
    const passage *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    int order = memcmp(a->a.end, b->a.end, sizeof a->a.end);
    return order != 0 ? order : memcmp(a->b.end, b->b.end, sizeof a->b.end);
}

carom_status between_look(between *w, const carom_frame *before, const carom_frame *after, double tolerance,
                          passage_found *found, void *data, error *e)
{
    const double time = after->time - before->time;
    if (!(time > 0) || w->part_count < 2) return CAROM_OK;
    double square = 0;
    for (int k = 0; k < before->dimension; k++) square += before->gravity[k] * before->gravity[k];
    w->before = before;
    w->after = after;
    w->tolerance = tolerance;
    w->fallen = sqrt(square) * time * time / 8;
    w->passage_count = 0;
    w->doubts = 0;
    w->lost = false;
    find_bends(w);
    place_all(w);
    TRY(follow(w, 0, 1, 0, e));
    if (w->lost) w->counts.bent += w->count;
    if (w->passage_count > 0) qsort(w->passages, w->passage_count, sizeof *w->passages, compare_passages);
    w->counts.certain += w->passage_count;
    w->counts.unclear += w->doubts;
    for (size_t n = 0; n < w->passage_count; n++) {
        w->passages[n].time = before->time + time * w->passages[n].time;
        found(&w->passages[n], data);
    }
    return CAROM_OK;
}
