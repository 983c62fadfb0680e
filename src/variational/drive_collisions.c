/* Collisions of drives. While two move with constant velocities, the distance of two of their segments (particles:
 * of length 0) is a convex function of time. A search by thirds finds its minimum, and one by halves the time at
 * which it falls below contact. */
#include "variational/drive_collisions.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "geometry/closest.h"
#include "scene/where.h"
#include "variational/constants.h"
#include "variational/motions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of quarters of a periodic box over which a relative motion is followed. */
enum { MOST_NAMED = 5, MOST_QUARTERS = 4096, HALVINGS = 100 };

typedef struct shape {
    double at[3], way[3], radius;
    uint32_t ends[2];
    size_t drive;
} shape;

typedef struct search {
    const scene *s;
    const initial_state *state;
    size_t *drive_of; /* [particles] 1 + drive; 0: free */
    shape *shape;     /* in order of drives */
    size_t *first;    /* [drives + 1] first shape of a drive */
    size_t count;
    double end;
    int named;
} search;

typedef struct collision {
    double time;
    const shape *a, *b;
} collision;

/* ---- two shapes -------------------------------------------------------------------------------------------------- */

/* Relative motion during a piece, in the image that is nearest at its middle. */
typedef struct pass {
    const shape *a, *b;
    double r[3]; /* from b to a at the beginning of the piece */
    double velocity[3], contact;
} pass;

static double gap(const pass *p, double t)
{
    double r[3];
    for (int k = 0; k < 3; k++) r[k] = p->r[k] + t * p->velocity[k];
    return sqrt(segment_distance2(r, p->a->way, p->b->way)) - p->contact;
}

/* The first time in [0, time] at which the gap falls below 0; infinite: none. */
static double first_below(const pass *p, double time)
{
    double speed = sqrt(dot3(p->velocity, p->velocity)), low = 0, high = time;
    if (gap(p, 0) + gap(p, time) > speed * time) return INFINITY;
    if (gap(p, 0) < 0) return 0;
    for (int k = 0; k < HALVINGS; k++) {
        double one = low + (high - low) / 3, two = high - (high - low) / 3;
        *(gap(p, one) < gap(p, two) ? &high : &low) = gap(p, one) < gap(p, two) ? two : one;
    }
    if (gap(p, high) >= 0) return INFINITY;
    low = 0;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        *(gap(p, middle) < 0 ? &high : &low) = middle;
    }
    return high;
}

static pass make_pass(const search *q, const motion_part *p, const shape *a, const shape *b, double begin, double time)
{
    pass out = {.a = a, .b = b, .contact = (a->radius + b->radius) * COLLIDING};
    memcpy(out.velocity, p->velocity, sizeof out.velocity);
    for (int k = 0; k < q->s->dimension; k++) {
        double size = q->state->size[k], moved = p->moved[k] + begin * p->velocity[k];
        out.r[k] = a->at[k] - b->at[k] + moved;
        double middle = out.r[k] + 0.5 * (a->way[k] - b->way[k]) + 0.5 * time * p->velocity[k];
        if (q->s->box.boundary[k] == BOUNDARY_PERIODIC) out.r[k] -= nearest_periods(middle, size);
    }
    return out;
}

/* The part of a piece for which one image is sufficient. Without periodic axes: a bound of the time for which the
 * two approach. */
static double stretch_of(const search *q, const motion_part *p, const shape *a, const shape *b)
{
    double time = p->to - p->from, far = 0, speed = sqrt(dot3(p->velocity, p->velocity));
    for (int k = 0; k < q->s->dimension; k++) {
        far += fabs(a->at[k] - b->at[k] + p->moved[k]) + fabs(a->way[k]) + fabs(b->way[k]);
        if (q->s->box.boundary[k] == BOUNDARY_PERIODIC && p->velocity[k] != 0)
            time = fmin(time, q->state->size[k] / (4 * fabs(p->velocity[k])));
    }
    return fmin(time, 2 * far / speed);
}

static bool crosses_box(const search *q, const motion_part *p)
{
    for (int k = 0; k < q->s->dimension; k++)
        if (q->s->box.boundary[k] == BOUNDARY_PERIODIC && p->velocity[k] != 0) return true;
    return false;
}

static double collision_time(const search *q, const motion_part *p, const shape *a, const shape *b)
{
    if (!(dot3(p->velocity, p->velocity) > 0)) return INFINITY;
    double stretch = stretch_of(q, p, a, b);
    int stretches = crosses_box(q, p) ? MOST_QUARTERS : 1;
    for (int n = 0; n < stretches && p->from + n * stretch < p->to; n++) {
        double begin = n * stretch, time = fmin(stretch, p->to - p->from - begin);
        pass one = make_pass(q, p, a, b, begin, time);
        double found = first_below(&one, time);
        if (found < INFINITY) return p->from + begin + found;
    }
    return INFINITY;
}

/* ---- drives ------------------------------------------------------------------------------------------------------ */

static bool share_an_end(const shape *a, const shape *b)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (a->ends[i] == b->ends[j]) return true;
    return false;
}

static collision first_collision(const search *q, size_t i, size_t j)
{
    const scene_drive *c = &q->s->drives[i], *d = &q->s->drives[j];
    collision first = {.time = INFINITY};
    motion_part p;
    if (c->start.given || d->start.given) return first; /* the start time is not determined yet */
    for (double t = 0; (drive_moves(c) || drive_moves(d)) && isinf(first.time) && motion_piece(q->end, c, d, t, &p);
         t = p.to)
        for (const shape *a = q->shape + q->first[i]; a < q->shape + q->first[i + 1]; a++)
            for (const shape *b = q->shape + q->first[j]; b < q->shape + q->first[j + 1]; b++) {
                double time = share_an_end(a, b) ? INFINITY : collision_time(q, &p, a, b);
                if (time < first.time) first = (collision){time, a, b};
            }
    return first;
}

/* A shape and a plane, both of which may move. */
static double reaches(const search *q, const shape *a, const scene_drive *plane, const double point[3],
                      const double normal[3])
{
    motion_part p;
    const scene_drive *d = &q->s->drives[a->drive];
    if (d->start.given && drive_moves(plane)) return INFINITY;
    for (double t = 0; (drive_moves(d) || drive_moves(plane)) && motion_piece(q->end, d, plane, t, &p); t = p.to) {
        double r[3], along = dot3(a->way, normal), speed = dot3(p.velocity, normal);
        for (int k = 0; k < 3; k++) r[k] = a->at[k] - point[k] + p.moved[k];
        double height = dot3(r, normal) + fmin(along, 0) - a->radius * COLLIDING;
        if (speed < 0 && -height / speed < p.to - p.from) return p.from + fmax(-height / speed, 0);
    }
    return INFINITY;
}

static void name_shape(const shape *a, char *out, size_t length)
{
    if (a->ends[0] == a->ends[1])
        snprintf(out, length, "particle %lu", (unsigned long)a->ends[0]);
    else
        snprintf(out, length, "the segment between particles %lu and %lu", (unsigned long)a->ends[0],
                 (unsigned long)a->ends[1]);
}

static carom_status report(search *q, const shape *a, const char *other, double time, error *e)
{
    char one[80];
    name_shape(a, one, sizeof one);
    if (q->named++ >= MOST_NAMED) return CAROM_BAD_DATA;
    return scene_refuse(scene_at(q->s, "drives.%zu", a->drive), e,
                        "drive '%s': at time %.9g %s collides with %s; both have prescribed motion: end the "
                        "motion before, or lead it elsewhere",
                        q->s->drives[a->drive].name, time, one, other);
}

static carom_status check_pairs(search *q, error *e)
{
    carom_status all = CAROM_OK;
    for (size_t j = 0; j < q->s->drive_count; j++)
        for (size_t i = 0; i < j; i++) {
            if (q->s->drives[i].plane != SIZE_MAX || q->s->drives[j].plane != SIZE_MAX) continue;
            collision m = first_collision(q, i, j);
            if (isinf(m.time)) continue;
            char shape_name[80], other[200];
            name_shape(m.b, shape_name, sizeof shape_name);
            snprintf(other, sizeof other, "%s of drive '%.80s'", shape_name, q->s->drives[j].name);
            all = report(q, m.a, other, m.time, e);
        }
    return all;
}

/* The first of a drive's shapes that reaches one plane. */
static carom_status check_plane(search *q, const scene_drive *moved, const char *name, const double point[3],
                                const double normal[3], error *e)
{
    carom_status all = CAROM_OK;
    for (size_t d = 0; d < q->s->drive_count; d++) {
        const shape *first = NULL;
        double time = INFINITY;
        for (const shape *a = q->shape + q->first[d]; a < q->shape + q->first[d + 1]; a++) {
            double now = reaches(q, a, moved, point, normal);
            if (!(now < time)) continue;
            time = now;
            first = a;
        }
        if (first != NULL) all = report(q, first, name, time, e);
    }
    return all;
}

static carom_status check_planes(search *q, error *e)
{
    const scene *s = q->s;
    carom_status all = CAROM_OK;
    for (int k = 0; k < s->dimension; k++)
        for (int side = 0; side < 2 && s->box.boundary[k] == BOUNDARY_WALL; side++) {
            char name[40];
            double point[3] = {0}, normal[3] = {0};
            snprintf(name, sizeof name, "the wall at %s %c", side == 0 ? "low" : "high", "xyz"[k]);
            point[k] = side == 0 ? 0 : q->state->size[k];
            normal[k] = side == 0 ? 1 : -1;
            if (check_plane(q, NULL, name, point, normal, e) != CAROM_OK) all = CAROM_BAD_DATA;
        }
    for (size_t p = 0; p < s->plane_count; p++) {
        char name[100];
        const scene_drive *moved = NULL;
        for (size_t d = 0; d < s->drive_count; d++)
            if (s->drives[d].plane == p) moved = &s->drives[d];
        snprintf(name, sizeof name, "plane '%.80s'", s->planes[p].name);
        if (check_plane(q, moved, name, s->planes[p].point, s->planes[p].normal, e) != CAROM_OK) all = CAROM_BAD_DATA;
    }
    return all;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void add_shape(search *q, uint32_t i, uint32_t j, double diameter)
{
    shape *a = &q->shape[q->count++];
    *a = (shape){.radius = 0.5 * diameter, .ends = {i, j}, .drive = q->drive_of[i] - 1};
    for (int k = 0; k < q->s->dimension; k++) {
        a->at[k] = q->state->position[i][k];
        a->way[k] = q->state->position[j][k] - a->at[k];
        if (q->s->box.boundary[k] == BOUNDARY_PERIODIC) a->way[k] -= nearest_periods(a->way[k], q->state->size[k]);
    }
}

static int by_drive(const void *left, const void *right)
{
    const shape *a = left, *b = right;
    if (a->drive != b->drive) return a->drive < b->drive ? -1 : 1;
    if (a->ends[0] != b->ends[0]) return a->ends[0] < b->ends[0] ? -1 : 1;
    return a->ends[1] < b->ends[1] ? -1 : a->ends[1] > b->ends[1];
}

static carom_status add_shapes(search *q, error *e)
{
    const scene *s = q->s;
    for (size_t d = 0; d < s->drive_count; d++)
        for (size_t n = 0; s->drives[d].plane == SIZE_MAX && s->drives[d].mesh == SIZE_MAX && n < s->drives[d].count;
             n++) {
            uint32_t i = s->drives[d].particles[n];
            q->drive_of[i] = d + 1;
            if (!s->drives[d].start.free) add_shape(q, i, i, q->state->diameter[i]);
        }
    for (size_t k = 0; k < s->segments_count; k++)
        for (size_t n = 0; n < s->segments[k].count; n++) {
            const uint32_t *ends = s->segments[k].pairs[n];
            size_t one = q->drive_of[ends[0]], other = q->drive_of[ends[1]];
            if (one == 0 || other == 0) continue;
            if (one != other && (drive_moves(&s->drives[one - 1]) || drive_moves(&s->drives[other - 1])))
                return scene_refuse(
                    scene_at(s, "segments.%zu", k), e,
                    "segments '%s': particles %u and %u are in two drives, '%s' and '%s': a passage through a "
                    "segment between two driven ends cannot be detected" HINT "use one drive, or a free end",
                    s->segments[k].name, ends[0], ends[1], s->drives[one - 1].name, s->drives[other - 1].name);
            if (!s->drives[one - 1].start.free && !s->drives[other - 1].start.free)
                add_shape(q, ends[0], ends[1], s->segments[k].diameter);
        }
    qsort(q->shape, q->count, sizeof *q->shape, by_drive);
    for (size_t n = 0; n < q->count; n++) q->first[q->shape[n].drive + 1]++;
    for (size_t d = 0; d < s->drive_count; d++) q->first[d + 1] += q->first[d];
    return CAROM_OK;
}

carom_status check_drive_collisions(const scene *s, const initial_state *state, error *e)
{
    search q = {.s = s, .state = state, .end = s->until.time > 0 ? s->until.time : INFINITY};
    size_t most = 0;
    for (size_t d = 0; d < s->drive_count; d++) most += s->drives[d].mesh == SIZE_MAX ? s->drives[d].count : 0;
    if (most == 0) return CAROM_OK;
    for (size_t k = 0; k < s->segments_count; k++) most += s->segments[k].count;
    q.shape = NEW_ARRAY(most, shape);
    q.first = NEW_ARRAY(s->drive_count + 1, size_t);
    q.drive_of = NEW_ARRAY(state->count, size_t);
    carom_status status = CAROM_OK;
    if (q.shape == NULL || q.first == NULL || q.drive_of == NULL) {
        status = error_memory(e, "the drives", most * sizeof *q.shape);
    } else {
        status = add_shapes(&q, e);
        carom_status pairs = status == CAROM_OK ? check_pairs(&q, e) : status;
        carom_status planes = status == CAROM_OK ? check_planes(&q, e) : status;
        status = pairs != CAROM_OK ? pairs : planes;
    }
    memory_free(q.shape);
    memory_free(q.first);
    memory_free(q.drive_of);
    return status;
}
