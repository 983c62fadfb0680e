/* The last look at an initial state: everything inside, nothing overlapping. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "scene/build.h"

enum { NAMED = 5 }; /* faults of a kind that are named one by one */

/* How far a sphere may stick out before it is more than rounding. */
static double tolerance(const build *b, size_t i)
{
    double longest = 0;
    for (int k = 0; k < b->s->dimension; k++)
        longest = fmax(longest, fmax(b->box.size[k], fabs(b->state->position[i][k])));
    return fmax(1e-12 * b->state->diameter[i], 4 * DBL_EPSILON * longest);
}

static void report_outside(const build *b, size_t i, double depth, const char *surface, uint64_t *found, error *e)
{
    const double *r = b->state->position[i];
    char z[40] = "";
    if (b->s->dimension == 3) snprintf(z, sizeof z, ", %.10g", r[2]);
    if (++*found <= NAMED)
        error_add(e, CAROM_BAD_DATA, "%s: error: particle %zu at (%.10g, %.10g%s), diameter %.6g, is %.4g outside %s",
                  b->source, i, r[0], r[1], z, b->scale * b->state->diameter[i], depth, surface);
}

static void check_walls(const build *b, size_t i, uint64_t *found, error *e)
{
    static const char *const faces[3][2] = {{"the wall at low x", "the wall at high x"},
                                            {"the wall at low y", "the wall at high y"},
                                            {"the wall at low z", "the wall at high z"}};
    const double radius = 0.5 * b->scale * b->state->diameter[i], slack = tolerance(b, i);
    for (int k = 0; k < b->s->dimension; k++) {
        if (b->s->box.boundary[k] != BOUNDARY_WALL) continue;
        double low = radius - b->state->position[i][k], high = b->state->position[i][k] + radius - b->box.size[k];
        if (low > slack) report_outside(b, i, low, faces[k][0], found, e);
        if (high > slack) report_outside(b, i, high, faces[k][1], found, e);
    }
}

static void check_planes(const build *b, size_t i, uint64_t *found, error *e)
{
    const double radius = 0.5 * b->scale * b->state->diameter[i], slack = tolerance(b, i);
    for (size_t p = 0; p < b->s->plane_count; p++) {
        double depth = radius - build_height(b, &b->s->planes[p], b->state->position[i]);
        if (depth <= slack) continue;
        char surface[80];
        snprintf(surface, sizeof surface, "plane %.60s", b->s->planes[p].name);
        report_outside(b, i, depth, surface, found, e);
    }
}

static carom_status check_inside(const build *b, error *e)
{
    uint64_t found = 0, particles = 0;
    for (size_t i = 0; i < b->state->count; i++) {
        uint64_t before = found;
        check_walls(b, i, &found, e);
        check_planes(b, i, &found, e);
        particles += found > before;
    }
    if (found > NAMED)
        error_add(e, CAROM_BAD_DATA, "%s: error: %llu particles in all are outside walls or planes", b->source,
                  (unsigned long long)particles);
    return found > 0 ? CAROM_BAD_DATA : CAROM_OK;
}

static carom_status check_overlaps(const build *b, error *e)
{
    const initial_state *state = b->state;
    packing_pair pairs[NAMED];
    uint64_t found = 0;
    TRY(packing_overlaps(&b->box, state->count, (const double(*)[3])state->position, state->diameter, b->scale, pairs,
                         NAMED, &found, e));
    if (found == 0) return CAROM_OK;
    for (size_t n = 0; n < found && n < NAMED; n++)
        error_add(e, CAROM_BAD_DATA,
                  "%s: error: particles %lu and %lu overlap: their distance is %.10g, contact is at %.10g", b->source,
                  (unsigned long)pairs[n].i, (unsigned long)pairs[n].j, pairs[n].distance, pairs[n].contact);
    if (found > NAMED)
        error_add(e, CAROM_BAD_DATA, "%s: error: %llu pairs%s overlap at the start", b->source,
                  (unsigned long long)found, found >= PACKING_MANY ? " or more" : "");
    if (b->hint[0] != '\0') error_add(e, CAROM_BAD_DATA, "%s: error: %s", b->source, b->hint);
    return CAROM_BAD_DATA;
}

carom_status build_check(build *b, error *e)
{
    carom_status inside = check_inside(b, e);
    carom_status apart = check_overlaps(b, e);
    return inside != CAROM_OK ? inside : apart;
}

/* Speeds whose squares overflow, or masses that make them so, would give energies that are no numbers. */
carom_status build_check_speeds(const build *b, error *e)
{
    const initial_state *state = b->state;
    for (size_t i = 0; i < state->count; i++) {
        double energy = 0;
        for (int k = 0; k < b->s->dimension; k++) energy += state->velocity[i][k] * state->velocity[i][k];
        if (isfinite(energy) && isfinite(energy * state->mass[i] * (double)state->count)) continue;
        return error_add(
            e, CAROM_BAD_DATA,
            "%s: error: particle %zu starts too fast for numbers (mass %.3g): its energy overflows; use other "
            "units",
            b->source, i, state->mass[i]);
    }
    return CAROM_OK;
}
