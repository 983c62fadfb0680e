/* Random sequential addition: one sphere after the other at uniform positions until it fits (Widom, J. Chem. Phys. 44,
 * 3888 (1966)). Large spheres go first, as they would find no room among the small ones. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "scene/build.h"

static bool is_random(const build *b, size_t entry)
{
    scene_place place = b->s->particles[entry].place;
    return place == PLACE_RANDOM || place == PLACE_COMPRESS;
}

/* Where equal spheres jam when added at random (in 3D and 2D): not worth trying in a large system. */
static carom_status check_jamming(const build *b, size_t count, error *e)
{
    double jams = b->s->dimension == 2 ? 0.5471 : 0.3841;
    double phi = b->phi * pow(b->scale, b->s->dimension);
    if (!b->equal || count < 1000 || count < b->state->count || phi < 1.05 * jams) return CAROM_OK;
    return error_set(e, CAROM_BAD_DATA,
                     "%s: error: random placement cannot reach packing fraction %.4g, it jams near %.4g; use place: "
                     "compress%s",
                     b->source, phi, jams, b->scale < 1 ? " from a lower one" : "");
}

typedef struct candidate {
    double diameter;
    uint32_t id;
} candidate;

static int larger_first(const void *a, const void *b)
{
    const candidate *left = a, *right = b;
    if (left->diameter != right->diameter) return left->diameter > right->diameter ? -1 : 1;
    return left->id < right->id ? -1 : 1;
}

static carom_status list_candidates(const build *b, candidate **out, size_t *count, error *e)
{
    *count = 0;
    for (size_t entry = 0; entry < b->s->particles_count; entry++)
        if (is_random(b, entry)) *count += build_count(b, entry);
    *out = NEW_ARRAY(*count, candidate);
    if (*out == NULL) return error_memory(e, "random placement", *count * sizeof **out);
    size_t at = 0;
    for (size_t entry = 0; entry < b->s->particles_count; entry++)
        for (size_t i = b->first[entry]; is_random(b, entry) && i < b->first[entry + 1]; i++)
            (*out)[at++] = (candidate){b->state->diameter[i], (uint32_t)i};
    if (!b->equal) qsort(*out, *count, sizeof **out, larger_first);
    return CAROM_OK;
}

static void draw_position(const build *b, uint32_t i, uint64_t index, double *r)
{
    const random_key key = {b->s->seed, RANDOM_POSITION};
    double u[4], d = b->scale * b->state->diameter[i];
    random_uniform2(key, i, 2 * index, u);
    if (b->s->dimension == 3) random_uniform2(key, i, 2 * index + 1, u + 2);
    for (int k = 0; k < b->s->dimension; k++) {
        double size = b->box.size[k], margin = build_bounded(b, k) ? fmin(d, size) : 0;
        r[k] = 0.5 * margin + u[k] * (size - margin);
        if (r[k] >= size) r[k] = 0;
    }
}

static bool clear_of_planes(const build *b, uint32_t i)
{
    for (size_t p = 0; p < b->s->plane_count; p++)
        if (build_height(b, &b->s->planes[p], b->state->position[i]) < 0.5 * b->scale * b->state->diameter[i])
            return false;
    return true;
}

/* Tries positions until one is free; false when the tries of this sphere or of all are used up. */
static bool add_one(const build *b, packing *p, uint32_t i, uint64_t *tries)
{
    for (uint64_t index = 0; index < 200000 && *tries > 0; index++) {
        --*tries;
        draw_position(b, i, index, b->state->position[i]);
        if (!clear_of_planes(b, i) || packing_hit(p, i) != CELLS_END) continue;
        packing_add(p, i);
        return true;
    }
    return false;
}

static carom_status stalled(const build *b, const candidate *order, size_t done, size_t count, error *e)
{
    double placed = 0, all = 0;
    for (size_t n = 0; n < count; n++) {
        double term = pow(order[n].diameter, b->s->dimension);
        all += term;
        if (n < done) placed += term;
    }
    const double pi = 3.141592653589793;
    double unit = pow(b->scale, b->s->dimension) * (b->s->dimension == 2 ? pi / 4 : pi / 6);
    for (int k = 0; k < b->s->dimension; k++) unit /= b->box.size[k];
    return error_set(e, CAROM_BAD_DATA,
                     "%s: error: random placement stalled after %zu of %zu particles, at packing fraction %.4g of %.4g; "
                     "use place: compress%s",
                     b->source, done, count, placed * unit, all * unit, b->scale < 1 ? " from a lower one" : "");
}

static carom_status add_all(const build *b, packing *p, const candidate *order, size_t count, error *e)
{
    uint64_t tries = 300 * (uint64_t)count + 2000000;
    for (size_t entry = 0; entry < b->s->particles_count; entry++)
        for (size_t i = b->first[entry]; !is_random(b, entry) && i < b->first[entry + 1]; i++)
            packing_add(p, (uint32_t)i);
    for (size_t n = 0; n < count; n++)
        if (!add_one(b, p, order[n].id, &tries)) return stalled(b, order, n, count, e);
    return CAROM_OK;
}

carom_status build_random(build *b, error *e)
{
    candidate *order = NULL;
    size_t count = 0;
    packing p = {0};
    carom_status status = list_candidates(b, &order, &count, e);
    if (status == CAROM_OK && count > 0) {
        status = check_jamming(b, count, e);
        if (status == CAROM_OK)
            status = packing_create(&p, &b->box, b->state->count, (const double(*)[3])b->state->position,
                                    b->state->diameter, b->scale, e);
        if (status == CAROM_OK) status = add_all(b, &p, order, count, e);
        packing_destroy(&p);
    }
    memory_free(order);
    return status;
}
