/* Do things that only the scene moves run into each other? Nothing could yield: such a scene has no solution. */
#include <math.h>
#include <stdio.h>

#include "geometry/segment.h"
#include "scene/build.h"

enum { MOST_PIECES = 10000 };

/* Where a drive has got to at time t, and its velocity from then on. */
static void moved(const scene_drive *d, double t, double way[3], double velocity[3])
{
    for (int k = 0; k < 3; k++) way[k] = velocity[k] = 0;
    for (size_t i = 0; i < d->motion_count && d->motion[i].time <= t; i++) {
        double end = i + 1 < d->motion_count ? fmin(d->motion[i + 1].time, t) : t;
        for (int k = 0; k < 3; k++) {
            velocity[k] = d->motion[i].velocity[k];
            way[k] += velocity[k] * (end - d->motion[i].time);
        }
    }
}

/* A stretch of time in which neither changes its velocity; `other` is NULL for what stands. */
typedef struct stretch {
    const build *b;
    const scene_drive *one, *other;
    double start, length;
    double way[3], velocity[3]; /* of `one`, as `other` sees it, from the start on */
} stretch;

/* The next change of either after t; `last` where there is none. */
static double next_change(const stretch *s, double t, double last)
{
    const scene_drive *both[2] = {s->one, s->other};
    for (int n = 0; n < 2; n++)
        for (size_t i = 0; both[n] != NULL && i < both[n]->motion_count; i++)
            if (both[n]->motion[i].time > t) last = fmin(last, both[n]->motion[i].time);
    return last;
}

static carom_status collides(const stretch *s, double t, const char *what, error *e)
{
    return error_add(e, CAROM_BAD_DATA,
                     "%s: error: drive '%s' runs into %s at t = %.6g, and neither can yield; change its motion",
                     s->b->source, s->one->name, what, t);
}

/* The first time, from the start of the stretch, at which two points are nearer than `contact`; infinite: not in it. r: from
 * the other to the one, at the start. */
static double time_of_contact(const stretch *s, const double r[3], double contact, double length)
{
    double approach = segment_dot(r, s->velocity), speed2 = segment_dot(s->velocity, s->velocity);
    double beyond = segment_dot(r, r) - contact * contact, root2 = approach * approach - speed2 * beyond;
    if (approach >= 0 || root2 <= 0) return INFINITY;
    double t = beyond > 0 ? beyond / (-approach + sqrt(root2)) : 0;
    return t < length ? t : INFINITY;
}

/* In pieces so short that the nearest image stays the same; contact within rounding is none. */
static double meet_pair(const stretch *s, uint32_t i, uint32_t j)
{
    const build *b = s->b;
    double contact = 0.5 * (b->state->diameter[i] + b->state->diameter[j]) * (1 - 1e-9), narrowest = INFINITY;
    for (int k = 0; k < b->s->dimension; k++)
        if (b->box.periodic[k]) narrowest = fmin(narrowest, b->box.size[k]);
    double pieces = ceil(4 * s->length * sqrt(segment_dot(s->velocity, s->velocity)) / narrowest);
    pieces = fmin(fmax(pieces, 1), MOST_PIECES);
    double length = s->length / pieces;
    for (double n = 0; n < pieces; n++) {
        double r[3] = {0};
        for (int k = 0; k < b->s->dimension; k++) {
            r[k] = b->state->position[i][k] - b->state->position[j][k] + s->way[k] + n * length * s->velocity[k];
            double middle = r[k] + 0.5 * length * s->velocity[k];
            if (b->box.periodic[k]) r[k] -= b->box.size[k] * rint(middle / b->box.size[k]);
        }
        double t = time_of_contact(s, r, contact, length);
        if (isfinite(t)) return n * length + t;
    }
    return INFINITY;
}

static carom_status meet_particles(const stretch *s, error *e)
{
    double first = INFINITY;
    uint32_t who[2] = {0, 0};
    if (!(segment_dot(s->velocity, s->velocity) > 0)) return CAROM_OK;
    for (size_t n = 0; n < s->one->count; n++)
        for (size_t m = 0; m < s->other->count; m++) {
            double t = meet_pair(s, s->one->particles[n], s->other->particles[m]);
            if (!(t < first)) continue;
            first = t;
            who[0] = s->one->particles[n];
            who[1] = s->other->particles[m];
        }
    if (isinf(first)) return CAROM_OK;
    char what[200];
    snprintf(what, sizeof what, "drive '%.100s' (particles %lu and %lu)", s->other->name, (unsigned long)who[0],
             (unsigned long)who[1]);
    return collides(s, s->start + first, what, e);
}

/* Particles of `one` against a plane or wall through `point`, which `other` may move. */
static carom_status meet_surface(const stretch *s, const double point[3], const double normal[3], const char *name,
                                 error *e)
{
    double first = INFINITY, fall = segment_dot(s->velocity, normal);
    for (size_t n = 0; n < s->one->count && fall < 0; n++) {
        uint32_t i = s->one->particles[n];
        double gap = -0.5 * s->b->state->diameter[i] * (1 - 1e-9);
        for (int k = 0; k < s->b->s->dimension; k++)
            gap += normal[k] * (s->b->state->position[i][k] + s->way[k] - point[k]);
        double t = gap > 0 ? gap / -fall : 0;
        if (t < s->length) first = fmin(first, t);
    }
    return isinf(first) ? CAROM_OK : collides(s, s->start + first, name, e);
}

static carom_status meet_walls(const stretch *s, error *e)
{
    static const char *const names[3] = {"a wall along x", "a wall along y", "a wall along z"};
    for (int k = 0; k < s->b->s->dimension; k++) {
        if (s->b->s->box.boundary[k] != BOUNDARY_WALL) continue;
        for (int side = 0; side < 2; side++) {
            double point[3] = {0}, normal[3] = {0};
            point[k] = side * s->b->box.size[k];
            normal[k] = 1 - 2 * side;
            TRY(meet_surface(s, point, normal, names[k], e));
        }
    }
    return CAROM_OK;
}

static carom_status meet_plane(const stretch *s, size_t plane, error *e)
{
    char name[160];
    snprintf(name, sizeof name, "plane '%.100s'", s->b->s->planes[plane].name);
    return meet_surface(s, s->b->s->planes[plane].point, s->b->s->planes[plane].normal, name, e);
}

typedef carom_status meeting(const stretch *s, size_t plane, error *e);

static carom_status meet_standing(const stretch *s, size_t plane, error *e)
{
    return plane == SIZE_MAX ? meet_walls(s, e) : meet_plane(s, plane, e);
}

static carom_status meet_drive(const stretch *s, size_t plane, error *e)
{
    return plane == SIZE_MAX ? meet_particles(s, e) : meet_plane(s, plane, e);
}

/* Goes through the stretches up to the end of the run; without a limit of time, until what moves would have crossed the box. */
static carom_status follow(stretch *s, size_t plane, meeting *meet, error *e)
{
    double end = s->b->s->until.time, diagonal2 = 0;
    for (int k = 0; k < s->b->s->dimension; k++) diagonal2 += s->b->box.size[k] * s->b->box.size[k];
    for (double t = 0; t < end;) {
        double way[3], velocity[3];
        double next = next_change(s, t, end);
        moved(s->one, t, s->way, s->velocity);
        if (s->other != NULL) {
            moved(s->other, t, way, velocity);
            for (int k = 0; k < 3; k++) s->way[k] -= way[k], s->velocity[k] -= velocity[k];
        }
        double speed2 = segment_dot(s->velocity, s->velocity);
        s->start = t;
        s->length = isfinite(next) ? next - t : speed2 > 0 ? sqrt(diagonal2 / speed2) : 0;
        TRY(meet(s, plane, e));
        t = next;
    }
    return CAROM_OK;
}

carom_status build_check_drives(const build *b, error *e)
{
    const scene *s = b->s;
    for (size_t i = 0; i < s->drive_count; i++) {
        stretch now = {.b = b, .one = &s->drives[i]};
        if (now.one->plane != SIZE_MAX) continue;
        TRY(follow(&now, SIZE_MAX, meet_standing, e));
        for (size_t p = 0; p < s->plane_count; p++) {
            bool driven = false;
            for (size_t j = 0; j < s->drive_count; j++) driven = driven || s->drives[j].plane == p;
            if (!driven) TRY(follow(&now, p, meet_standing, e));
        }
        for (size_t j = 0; j < s->drive_count; j++) {
            now.other = &s->drives[j];
            if (now.other->plane != SIZE_MAX || j > i) TRY(follow(&now, now.other->plane, meet_drive, e));
        }
    }
    return CAROM_OK;
}
