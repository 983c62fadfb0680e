#include "output/verify/verify_between.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/crossing.h"
#include "mesh/topology.h"
#include "output/verify/joined.h"
#include "output/verify/moving_boxes.h"
#include "output/verify/still.h"
#include "output/verify/verify_shapes.h"

static const double PATH_FACTOR = 3;

enum {
    WINDOWS_DEEP = 3,          /* halvings of the time between two frames */
    COMPARISONS_A_PART = 2000, /* above this limit the interval is halved; cloth takes 500 */
};

/* A particle, a segment, or a triangle with the vertices (bits 0 to 2) and edges (3 to 5) that this part owns. */
typedef struct part {
    passage_part element;
    unsigned own;
    double radius;
    bool held; /* whether its motion is prescribed by the scene */
} part;

/* Largest deviations of a path from the straight line, and from the parabola of a free fall, between the same ends. */
typedef struct bend {
    double line, fall;
} bend;

/* The motion of a part between two frames. */
typedef struct travel {
    const part *p;
    double at[2][3][3]; /* time, corner */
    double extent;      /* the larger of the two frames */
    bend away;
    double deviation; /* largest deviation from the straight line, if recorded; else INFINITY */
} travel;

struct between {
    const result_links *links;
    part *parts;
    size_t part_count, particles;
    joined joined;
    double least_radius;
    between_counts counts;
    /* for the two frames under comparison */
    const carom_frame *before, *after;
    const recorded_paths *paths; /* NULL: none */
    double tolerance, fallen;    /* deviation of a free fall from the straight line */
    bend *bends, *granted;       /* [particles]: of the particle, and including its neighbours */
    travel *travels;
    moving_box *boxes;
    moving_boxes *trees;
    size_t held, count; /* number of travels of held triangles, which come first, and of all */
    still_meshes still;
    bool *holds;     /* [meshes]: at least one of its triangles is held */
    bool *tied;      /* [meshes]: springs or segments are attached to it */
    bool *stands;    /* [meshes]: it has the same position in both frames */
    bool *known;     /* [meshes]: it is at rest since the previous comparison, whose data are reused */
    size_t *mesh_of; /* [particles]; SIZE_MAX: none */
    size_t held_parts,
        known_parts; /* held triangles come first; the first known_parts parts are known: all held ones or none */
    double held_longest, held_thickest;
    bool in_place; /* travel n belongs to part n, for all held triangles */
    double boxed;  /* tolerance of their boxes for the whole interval; NaN: the boxes are for part of it */
    double window[2];
    passage *passages; /* certain crossings */
    size_t passage_count, passage_room;
    uint64_t doubts; /* number of undecided crossings */
    bool lost;       /* there are too many pairs even after halving */
    bool failed;     /* no memory for passages */
};

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static bool all_owned(const between *w, const passage_part *p)
{
    for (int c = 0; c < p->ends; c++)
        if (w->links->owner == NULL || w->links->owner[p->end[c]] == 0) return false;
    return true;
}

/* For a body that is not a sphere, the radius of a sphere inside it. */
static double solid_radius(const carom_frame *f, size_t i)
{
    return f->axis != NULL ? verify_shapes_within(f, i) : f->radius[i];
}

static part *add_part(between *w, size_t which, int ends, const uint32_t *end, double radius)
{
    part *p = &w->parts[w->part_count++];
    *p = (part){.element = {.mesh = which, .ends = ends}, .radius = radius};
    memcpy(p->element.end, end, (size_t)ends * sizeof *end);
    p->held = all_owned(w, &p->element);
    return p;
}

/* Each vertex and edge belongs to the first triangle that contains it. */
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

/* Triangles with prescribed motion are not tested against each other. */
static bool is_held_triangle(const part *p)
{
    return p->held && p->element.ends == 3;
}

static carom_status held_first(between *w, error *e)
{
    part *sorted = NEW_ARRAY(w->part_count, part);
    if (sorted == NULL) return error_memory(e, "a look between frames", w->part_count * sizeof *sorted);
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < w->part_count; k++)
            if (is_held_triangle(&w->parts[k]) == (pass == 0)) sorted[n++] = w->parts[k];
        if (pass == 0) w->held_parts = n;
    }
    memcpy(w->parts, sorted, n * sizeof *sorted);
    memory_free(sorted);
    return CAROM_OK;
}

static bool allocate(between *w, const carom_frame *f, size_t parts)
{
    w->parts = NEW_ARRAY(parts, part);
    w->bends = NEW_ARRAY(f->count, bend);
    w->granted = NEW_ARRAY(f->count, bend);
    w->travels = NEW_ARRAY(parts, travel);
    w->boxes = NEW_ARRAY(parts, moving_box);
    w->holds = NEW_ARRAY(w->links->meshes, bool);
    w->tied = NEW_ARRAY(w->links->meshes, bool);
    w->stands = NEW_ARRAY(w->links->meshes, bool);
    w->known = NEW_ARRAY(w->links->meshes, bool);
    w->mesh_of = NEW_ARRAY(f->count, size_t);
    if (w->holds == NULL || w->tied == NULL || w->stands == NULL || w->known == NULL || w->mesh_of == NULL)
        return false;
    return w->parts != NULL && w->bends != NULL && w->granted != NULL && w->travels != NULL && w->boxes != NULL;
}

static void find_meshes(between *w)
{
    const result_links *links = w->links;
    for (size_t i = 0; i < w->particles; i++) w->mesh_of[i] = SIZE_MAX;
    for (size_t k = 0; k < links->meshes; k++)
        for (size_t n = 0; n < links->mesh[k].vertices; n++) w->mesh_of[links->mesh[k].first + n] = k;
    for (size_t n = 0; n < 2 * (links->springs + links->segments); n++) {
        const bool spring = n < 2 * links->springs;
        const size_t end = spring ? n : n - 2 * links->springs;
        const size_t k = w->mesh_of[spring ? links->spring[end % 2][end / 2] : links->segment[end % 2][end / 2]];
        if (k != SIZE_MAX) w->tied[k] = true;
    }
}

carom_status between_open(between **out, const carom_frame *f, const result_links *links, error *e)
{
    between *w = *out = NEW_ARRAY(1, between);
    size_t parts = f->count + links->segments;
    for (size_t k = 0; k < links->meshes; k++) parts += links->mesh[k].triangle_count;
    if (w == NULL) return error_memory(e, "a look between frames", sizeof *w);
    *w = (between){.links = links, .particles = f->count, .least_radius = INFINITY, .boxed = NAN};
    carom_status status =
        allocate(w, f, parts) ? add_all(w, f, e) : error_memory(e, "a look between frames", parts * sizeof(travel));
    if (status == CAROM_OK) status = still_create(&w->still, f, links, e);
    if (status == CAROM_OK) status = joined_create(&w->joined, links, e);
    if (status == CAROM_OK) status = moving_boxes_create(&w->trees, e);
    if (status == CAROM_OK) status = held_first(w, e);
    if (status != CAROM_OK) {
        between_close(w);
        *out = NULL;
        return status;
    }
    find_meshes(w);
    for (size_t n = 0; n < w->held_parts; n++) w->holds[w->parts[n].element.mesh] = true;
    for (size_t i = 0; i < f->count; i++) w->least_radius = fmin(w->least_radius, solid_radius(f, i));
    for (size_t n = 0; n < links->segments; n++) w->least_radius = fmin(w->least_radius, links->radius[n]);
    return CAROM_OK;
}

void between_close(between *w)
{
    if (w == NULL) return;
    memory_free(w->parts);
    joined_destroy(&w->joined);
    still_destroy(&w->still);
    memory_free(w->holds);
    memory_free(w->tied);
    memory_free(w->stands);
    memory_free(w->known);
    memory_free(w->mesh_of);
    memory_free(w->bends);
    memory_free(w->granted);
    memory_free(w->travels);
    memory_free(w->boxes);
    moving_boxes_destroy(w->trees);
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
    return f->position[at] + period(f, k) * (double)f->image[at];
}

static bend bend_of(const between *w, size_t i)
{
    static const double HERMITE = 4.0 / 27; /* maximum of s (1 - s)^2 */
    const carom_frame *const f[2] = {w->before, w->after};
    const double time = f[1]->time - f[0]->time;
    double line[2] = {0, 0}, fall[2] = {0, 0};
    for (size_t k = 0; k < (size_t)f[0]->dimension; k++) {
        const double mean = (unwrapped(f[1], i, k) - unwrapped(f[0], i, k)) / time;
        for (int n = 0; n < 2; n++) {
            double v = frame_true(f[n], f[n]->velocity[i * (size_t)f[n]->dimension + k]) - mean;
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

static bool at_rest(const carom_frame *f, const result_mesh *m)
{
    const size_t d = (size_t)f->dimension;
    for (size_t n = m->first * d; n < (m->first + m->vertices) * d; n++)
        if (f->velocity[n] != 0) return false;
    return true;
}

static void find_known(between *w)
{
    const result_links *links = w->links;
    still_update(&w->still, w->before);
    for (size_t k = 0; k < links->meshes; k++) w->known[k] = w->in_place && w->stands[k] && w->still.mesh[k];
    still_update(&w->still, w->after);
    memcpy(w->stands, w->still.mesh, links->meshes * sizeof *w->stands);
    for (size_t k = 0; k < links->meshes; k++) {
        const result_mesh *m = &links->mesh[k];
        w->known[k] = w->known[k] && w->stands[k] && !w->tied[k] && at_rest(w->before, m) && at_rest(w->after, m);
    }
    w->known_parts = w->held_parts;
    for (size_t k = 0; k < links->meshes; k++)
        if (w->holds[k] && !w->known[k]) w->known_parts = 0;
}

/* All vertices of a mesh at rest have the same deviation. */
static void find_bends(between *w)
{
    const result_links *links = w->links;
    for (size_t i = 0; i < w->particles; i++) {
        const size_t k = w->mesh_of[i];
        if (k == SIZE_MAX || !w->known[k] || i == links->mesh[k].first) w->granted[i] = w->bends[i] = bend_of(w, i);
    }
    for (size_t k = 0; k < links->meshes; k++)
        for (size_t n = 0; n < links->mesh[k].triangle_count && !w->known[k]; n++)
            grant(w, links->mesh[k].triangles[n], 3, links->mesh[k].first);
    for (size_t n = 0; n < links->springs; n++)
        grant(w, (const uint32_t[2]){links->spring[0][n], links->spring[1][n]}, 2, 0);
    for (size_t n = 0; n < links->segments; n++)
        grant(w, (const uint32_t[2]){links->segment[0][n], links->segment[1][n]}, 2, 0);
}

/* Moves the part so that its first corner is in the box at the start; for a segment, the nearest image. */
static void place(const between *w, const part *p, travel *t)
{
    *t = (travel){.p = p, .deviation = w->paths != NULL ? 0 : INFINITY};
    for (int c = 0; c < p->element.ends; c++) {
        const bend *b = &w->granted[p->element.end[c]];
        if (w->paths != NULL) t->deviation = fmax(t->deviation, recorded_paths_deviation(w->paths, p->element.end[c]));
        t->away.line = fmax(t->away.line, b->line);
        t->away.fall = fmax(t->away.fall, b->fall);
        for (size_t k = 0; k < 3; k++) {
            const double side = period(w->before, k), first = unwrapped(w->before, p->element.end[0], k);
            const double x = unwrapped(w->before, p->element.end[c], k);
            double back = side > 0 ? side * floor(first / side) : 0;
            if (side > 0 && p->element.ends == 2) back += side * rint((x - first) / side);
            t->at[0][c][k] = x - back;
            t->at[1][c][k] = unwrapped(w->after, p->element.end[c], k) - back;
        }
    }
}

/* Its largest extent in both frames; INFINITY if numbers are out of range. */
static double extent(const between *w, const travel *t)
{
    static const double HUGE_LENGTH = 1e100, MOST_BOXES = 3;
    double widest = 0;
    for (size_t k = 0; k < 3; k++) {
        double low[2], high[2];
        for (int n = 0; n < 2; n++) {
            low[n] = high[n] = t->at[n][0][k];
            for (int c = 1; c < t->p->element.ends; c++) {
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

static bool is_known(const between *w, const part *p)
{
    return is_held_triangle(p) && w->known[p->element.mesh];
}

static bend away_of(const between *w, const travel *t)
{
    return is_known(w, t->p) ? w->granted[w->links->mesh[t->p->element.mesh].first] : t->away;
}

/* Whether it has entered or left, or is absent: it has no path. */
static bool is_absent(const between *w, const part *p)
{
    return frame_is_absent(w->before, p->element.end[0]) || frame_is_absent(w->after, p->element.end[0]);
}

/* Parts at rest keep the positions of the previous comparison. */
static void place_part(const between *w, size_t n, travel *t)
{
    const part *p = &w->parts[n];
    if (is_known(w, p)) {
        if (t != &w->travels[n]) *t = w->travels[n];
        return;
    }
    place(w, p, t);
    t->extent = extent(w, t);
}

/* For parts at rest, these may date from an interval without records. */
static bool is_recorded(const between *w, const travel *t)
{
    return w->paths != NULL && t->deviation < INFINITY;
}

static bool is_too_curved(const between *w, const travel *t, double longest)
{
    if (is_recorded(w, t)) return false;
    const bend away = away_of(w, t);
    return fmin(away.line, away.fall) > t->p->radius + longest;
}

/* Among the known parts: all parts of a mesh are alike. */
static bool any_too_curved(const between *w, double longest)
{
    for (size_t n = 0; n < w->known_parts; n++) {
        const size_t k = w->parts[n].element.mesh;
        if ((n == 0 || k != w->parts[n - 1].element.mesh) && is_too_curved(w, &w->travels[n], longest)) return true;
    }
    return false;
}

/* Paths that deviate by more than the largest length and thickness of all parts are not checked. */
static void place_all(between *w)
{
    double longest = w->known_parts > 0 ? w->held_longest : 0, thickest = w->known_parts > 0 ? w->held_thickest : 0;
    size_t absent = 0;
    w->count = w->known_parts;
    for (size_t n = w->known_parts; n < w->part_count; n++) {
        travel *t = &w->travels[w->count];
        const bool gone = w->parts[n].element.ends == 1 && is_absent(w, &w->parts[n]);
        absent += gone;
        if (!gone) place_part(w, n, t);
        if (!gone && t->extent < INFINITY) {
            longest = fmax(longest, t->extent);
            thickest = fmax(thickest, t->p->radius);
            w->count++;
        }
        if (n + 1 == w->held_parts) {
            w->held_longest = longest;
            w->held_thickest = thickest;
        }
    }
    const double most = fmax(longest, thickest);
    size_t kept = any_too_curved(w, most) ? 0 : w->known_parts;
    w->held = kept;
    for (size_t n = kept; n < w->count; n++) {
        const travel *t = &w->travels[n];
        if (is_too_curved(w, t, most)) continue;
        w->held += is_held_triangle(t->p);
        if (kept < n) w->travels[kept] = *t;
        kept++;
    }
    w->count = kept;
    w->in_place = w->held == w->held_parts;
    w->counts.paths += w->part_count - absent;
    w->counts.bent += w->part_count - absent - kept;
}

/* ---- pairs of parts ---------------------------------------------------------------------------------------------- */

static bool is_end(const passage_part *p, uint32_t particle)
{
    for (int c = 0; c < p->ends; c++)
        if (p->end[c] == particle) return true;
    return false;
}

/* Excluded pairs: parts of one body or drive, parts with prescribed motion, and the two ends of a segment or bond. */
static bool may_pass(const between *w, const part *a, const part *b)
{
    if ((a->element.ends == 3 || b->element.ends == 3) && a->held && b->held) return true;
    if (a->element.ends == 1 && b->element.ends == 1 && joined_has(&w->joined, a->element.end[0], b->element.end[0]))
        return true;
    if (!a->held || !b->held) return false;
    uint32_t owner = w->links->owner[a->element.end[0]];
    for (int c = 0; c < 3; c++)
        if (w->links->owner[a->element.end[c % a->element.ends]] != owner ||
            w->links->owner[b->element.end[c % b->element.ends]] != owner)
            return false;
    return true;
}

static void keep(between *w, const passage *p, bool certain)
{
    const bool last = w->window[1] == 1;
    if (p->time < w->window[0] || (p->time >= w->window[1] && !last)) return; /* belongs to another interval */
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

/* Half of the distance that they must keep, and the largest deviation of their difference from that of straight
 * lines. */
static crossing_limits limits_of(const between *w, const travel *a, const travel *b)
{
    const double contact = a->p->radius + b->p->radius, leeway = w->before->leeway;
    const bool meshes = a->p->element.ends == 3 || b->p->element.ends == 3;
    const double allowed = w->tolerance + leeway * (meshes ? 2 * w->least_radius : contact);
    const bend one = away_of(w, a), other = away_of(w, b);
    const double mixed = fmin(one.line, one.fall) + fmin(other.line, other.fall) + w->fallen;
    const double alike = fmin(one.line + other.line, one.fall + other.fall);
    return (crossing_limits){fmax(0.5 * (contact - allowed), 0), fmin(mixed, alike)};
}

/* Features: corner c, or the edge that begins at it. */
static passage_part feature(const travel *t, int c, int ends)
{
    const passage_part *p = &t->p->element;
    return (passage_part){p->mesh, {p->end[c], p->end[(c + 1) % p->ends], p->end[(c + 2) % p->ends]}, ends};
}

/* On recorded paths. */
static crossing on_paths(const between *w, const path_point points[4], bool face, double near, double *time)
{
    return recorded_paths_cross(w->paths, points, face, near, w->tolerance, time);
}

static path_point point_of(const travel *t, int c)
{
    const int n = c % t->p->element.ends;
    return (path_point){t->p->element.end[n], t->at[0][n], t->at[1][n]};
}

static void vertex_and_face(between *w, const travel *a, int c, const travel *b, crossing_limits limits)
{
    passage found = {.a = feature(a, c, 1), .b = b->p->element};
    double v[2][3];
    crossing is;
    if (is_end(&found.b, found.a.end[0])) return;
    if (is_recorded(w, a) && is_recorded(w, b)) {
        const path_point points[4] = {point_of(a, c), point_of(b, 0), point_of(b, 1), point_of(b, 2)};
        is = on_paths(w, points, true, limits.near, &found.time);
    } else {
        for (int n = 0; n < 2; n++) memcpy(v[n], a->at[n][c], sizeof v[n]);
        is = crossing_vertex_face((const double(*)[3])v, (const double(*)[3][3])b->at, limits, &found.time);
    }
    if (is != CROSSING_NONE) keep(w, &found, is == CROSSING_CERTAIN);
}

static void copy_edge(const travel *t, int c, double edge[2][2][3])
{
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 2; k++) memcpy(edge[n][k], t->at[n][(c + k) % t->p->element.ends], sizeof edge[n][k]);
}

/* In two dimensions, a point and a segment are an edge perpendicular to the plane and one in it. */
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
    const int ends[2] = {a->p->element.ends > 1 ? 2 : 1, b->p->element.ends > 1 ? 2 : 1};
    passage found = {.a = feature(a, c, ends[0]), .b = feature(b, d, ends[1])};
    double one[2][2][3], other[2][2][3];
    if (is_end(&found.b, found.a.end[0]) || is_end(&found.b, found.a.end[ends[0] - 1])) return;
    copy_edge(a, c, one);
    copy_edge(b, d, other);
    const double(*first)[2][3] = (const double(*)[2][3])one, (*second)[2][3] = (const double(*)[2][3])other;
    const path_point points[4] = {point_of(a, c), point_of(a, c + 1), point_of(b, d), point_of(b, d + 1)};
    crossing is = is_recorded(w, a) && is_recorded(w, b) ? on_paths(w, points, false, limits.near, &found.time)
                                                         : crossing_edge_edge(first, second, limits, &found.time);
    if (is == CROSSING_UNCLEAR && w->before->dimension == 2 && ends[0] + ends[1] == 3) {
        double time;
        is = ends[0] == 1 ? across(first, second, limits, &time) : across(second, first, limits, &time);
        if (is == CROSSING_NONE) is = CROSSING_UNCLEAR;
    }
    if (is != CROSSING_NONE) keep(w, &found, is == CROSSING_CERTAIN);
}

static bool owns(const travel *t, int c, bool edge)
{
    return t->p->element.ends < 3 || (t->p->own >> (c + (edge ? 3 : 0)) & 1) != 0;
}

static void meet(size_t first, size_t second, const double shift[3], void *data)
{
    between *w = data;
    const travel *a = &w->travels[first];
    travel b = w->travels[second];
    const int ends[2] = {a->p->element.ends, b.p->element.ends};
    /* In two dimensions the first feature is an end of one of the segments: a particle. */
    if (is_absent(w, a->p) || is_absent(w, b.p)) return;
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

static void find_box(const between *w, const travel *t, moving_box *box)
{
    const double pad = 0.5 * t->p->radius + w->tolerance + (is_recorded(w, t) ? t->deviation : 0);
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 3; k++) {
            double low = INFINITY, high = -INFINITY;
            for (int c = 0; c < t->p->element.ends; c++) {
                double x = (1 - w->window[n]) * t->at[0][c][k] + w->window[n] * t->at[1][c][k];
                low = fmin(low, x);
                high = fmax(high, x);
            }
            box->low[n][k] = low - pad;
            box->high[n][k] = high + pad;
        }
}

/* True if the held triangles are those of the previous request. */
static bool find_boxes(between *w)
{
    const bool whole = w->window[0] == 0 && w->window[1] == 1 && w->in_place, same = whole && w->boxed == w->tolerance;
    for (size_t i = same ? w->known_parts : 0; i < w->count; i++)
        if (!same || !is_known(w, w->travels[i].p)) find_box(w, &w->travels[i], &w->boxes[i]);
    w->boxed = whole ? w->tolerance : NAN;
    return same && w->known_parts == w->held;
}

/* If long displacements in all directions make the boxes of the tree useless, the interval is halved; if that is not
 * sufficient, the remaining pairs are not checked. */
static carom_status follow(between *w, double from, double to, int depth, error *e)
{
    const size_t kept = w->passage_count;
    const uint64_t doubts = w->doubts;
    boxes_request r = {.boxes = w->boxes, .count = w->count, .held = w->held, .found = meet, .data = w};
    bool finished;
    r.most = COMPARISONS_A_PART * (uint64_t)(w->count + 1);
    for (size_t k = 0; k < 3; k++) r.period[k] = period(w->before, k);
    w->window[0] = from;
    w->window[1] = to;
    r.held_again = find_boxes(w);
    TRY(boxes_overlapping(w->trees, &r, &finished, e));
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

void between_take_paths(between *w, const recorded_paths *paths)
{
    if ((paths != NULL) != (w->paths != NULL)) w->boxed = NAN;
    w->paths = paths;
}

carom_status between_check(between *w, const carom_frame *before, const carom_frame *after, double tolerance,
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
    find_known(w);
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
