/* Random sequential addition of bodies that are not spheres: each has a random orientation; random positions are tried
 * until it overlaps no other. Large bodies are placed first. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "geometry/shape.h"
#include "scene/planes.h"
#include "scene/state/build.h"
#include "scene/state/region.h"

static bool is_random(const build *b, size_t i)
{
    return b->s->particles[build_entry(b, i)].place == PLACE_RANDOM;
}

/* A uniform position between the walls. */
static void draw_place(const build *b, uint32_t i, uint64_t try, double r[3])
{
    const random_key key = {b->s->seed, RANDOM_POSITION};
    const scene_region *region = &b->s->particles[build_entry(b, i)].region;
    double u[4];
    random_uniform2(key, i, 2 * try, u);
    random_uniform2(key, i, 2 * try + 1, u + 2);
    for (int k = 0; k < b->s->dimension; k++) {
        const double n[3] = {k == 0, k == 1, k == 2}, size = b->box.size[k];
        const double margin = build_bounded(b, k) ? fmin(build_reach(b, i, n), 0.5 * size) : 0;
        double low = margin, high = size - margin, from, to;
        if (region_range(region, k, 0.5 * b->state->diameter[i], &from, &to)) {
            const bool wall = b->s->box.boundary[k] == BOUNDARY_WALL;
            if (b->s->box.boundary[k] == BOUNDARY_PERIODIC) region_limit_range(size, &from, &to);
            low = wall ? fmax(low, from) : from;
            high = wall ? fmin(high, to) : to;
        }
        r[k] = low + u[k] * fmax(high - low, 0);
        if (r[k] >= size && b->s->box.boundary[k] == BOUNDARY_WALL) r[k] = 0;
        if (b->s->box.boundary[k] == BOUNDARY_PERIODIC) r[k] = region_wrap(r[k], size);
    }
}

static bool fits(const build *b, const cells *grid, uint32_t i)
{
    const double *r = b->state->position[i];
    const scene_region *region = &b->s->particles[build_entry(b, i)].region;
    if (!region_holds_image(region, b->s, b->box.size, r, 0.5 * b->state->diameter[i])) return false;
    for (size_t p = 0; p < b->s->plane_count; p++)
        if (scene_plane_height(&b->s->planes[p], NULL, r) < build_reach(b, i, b->s->planes[p].normal)) return false;
    cells_walk walk = cells_near(grid, r, 0.5 * (b->state->diameter[i] + b->widest));
    for (uint32_t j; (j = cells_step(&walk)) != CELLS_END;) {
        const double reach = 0.5 * (b->state->diameter[i] + b->state->diameter[j]);
        if (cells_distance2(&b->box, r, b->state->position[j]) < reach * reach && build_gap(b, i, j) <= 0) return false;
    }
    return true;
}

enum { TRIES_PER_REPORT = 1024 };

static carom_status place_all(const build *b, cells *grid, const sized *order, size_t count, error *e)
{
    uint64_t tries = 1000 * (uint64_t)count + 10000000;
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = order[n].id;
        for (uint64_t try = 0;; try++) {
            if (tries-- == 0)
                return scene_refuse(
                    build_where(b, i, "place"), e, "random placement stalled after %zu of %zu %s: use a larger box%s",
                    n, count, scene_particle_shape(b->s)->plural,
                    scene_particle_shape(b->s)->stretched ? ", or a lattice with one orientation along an axis "
                                                            "of the box, which is stretched as they are"
                                                          : "");
            draw_place(b, i, try, b->state->position[i]);
            if (fits(b, grid, i)) break;
            if (try % TRIES_PER_REPORT == 0) TRY(build_report(b, (double)n / (double)count, e));
        }
        cells_add(grid, i, b->state->position[i]);
    }
    return CAROM_OK;
}

carom_status build_random_shapes(build *b, error *e)
{
    const size_t all = build_particles(b);
    size_t count = 0;
    cells grid = {0};
    sized *order = NEW_ARRAY(all, sized);
    uint32_t *next = NEW_ARRAY(all, uint32_t);
    carom_status status = order != NULL && next != NULL
                              ? cells_create(&grid, &b->box, b->widest, all, next, e)
                              : error_memory(e, "random placement", all * (sizeof *order + sizeof *next));
    for (size_t i = 0; i < all && status == CAROM_OK; i++) {
        if (is_random(b, i))
            order[count++] = (sized){b->state->diameter[i], (uint32_t)i};
        else
            cells_add(&grid, (uint32_t)i, b->state->position[i]);
    }
    if (status == CAROM_OK && count > 0) {
        qsort(order, count, sizeof *order, build_larger_first);
        status = place_all(b, &grid, order, count, e);
    }
    cells_destroy(&grid);
    memory_free(order);
    memory_free(next);
    return status;
}
