/* Random walks: chains of particles at a fixed distance without overlaps, which bonds or springs can connect. A chain
 * that cannot be continued is restarted at another position. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/periodic.h"
#include "base/random.h"
#include "scene/state/build.h"

enum { TRIES_A_STEP = 64, MOST_PIECES = 100000 };

typedef struct walker {
    const build *b;
    packing placed;
    random_key key;
    uint64_t drawn; /* particles of the present chain */
    size_t first, length;
    double step;
} walker;

static void draw(walker *w, double u[4])
{
    random_uniform2(w->key, w->first, w->drawn++, u);
    random_uniform2(w->key, w->first, w->drawn++, u + 2);
}

static void draw_start(walker *w, double r[3])
{
    double u[4];
    draw(w, u);
    for (int k = 0; k < w->b->s->dimension; k++) r[k] = u[k] * w->b->box.size[k];
}

/* A step in a random direction: a uniform point in a ball, projected onto its surface. */
static void draw_step(walker *w, const double from[3], double r[3])
{
    double u[4], way[3], square;
    do {
        draw(w, u);
        square = 0;
        for (int k = 0; k < w->b->s->dimension; k++) {
            way[k] = 2 * u[k] - 1;
            square += way[k] * way[k];
        }
    } while (square > 1 || square < 1e-4);
    for (int k = 0; k < w->b->s->dimension; k++) {
        r[k] = from[k] + way[k] * (w->step / sqrt(square));
        if (w->b->box.periodic[k]) r[k] = periodic_image(r[k], w->b->box.size[k]);
    }
}

/* Whether a sphere is inside the box and on the particle side of planes and exact surfaces. */
static bool is_inside(const walker *w, const double r[3], double diameter)
{
    for (int k = 0; k < w->b->s->dimension; k++) {
        const double low = 0.5 * diameter, high = w->b->box.size[k] - low;
        if (w->b->s->box.boundary[k] == BOUNDARY_WALL && !(r[k] >= low && r[k] <= high)) return false;
    }
    return build_is_free(w->b, r, diameter);
}

/* Whether particle i at r overlaps no particle of its own chain except its predecessor. */
static bool clear_of_own(const walker *w, size_t i, const double r[3])
{
    const initial_state *state = w->b->state;
    for (size_t j = w->first; j + 1 < i; j++) {
        const double contact = 0.5 * (state->diameter[i] + state->diameter[j]);
        double square = 0;
        for (int k = 0; k < w->b->s->dimension; k++) {
            double way = r[k] - state->position[j][k], size = w->b->box.size[k];
            if (w->b->box.periodic[k]) way -= nearest_periods(way, size);
            square += way * way;
        }
        if (square < contact * contact) return false;
    }
    return true;
}

static bool place_one(walker *w, size_t i)
{
    const initial_state *state = w->b->state;
    double r[3] = {0};
    for (int n = 0; n < TRIES_A_STEP; n++) {
        if (i == w->first)
            draw_start(w, r);
        else
            draw_step(w, state->position[i - 1], r);
        if (!is_inside(w, r, state->diameter[i]) || !clear_of_own(w, i, r)) continue;
        if (packing_hit(&w->placed, r, state->diameter[i]) != CELLS_END) continue;
        memcpy(state->position[i], r, sizeof r);
        return true;
    }
    return false;
}

static bool place_piece(walker *w)
{
    w->drawn = 0;
    for (int n = 0; n < MOST_PIECES; n++) {
        size_t i = w->first;
        while (i < w->first + w->length && place_one(w, i)) i++;
        if (i < w->first + w->length) continue;
        for (i = w->first; i < w->first + w->length; i++) packing_add(&w->placed, (uint32_t)i);
        return true;
    }
    return false;
}

static carom_status check_steps(const build *b, size_t entry, error *e)
{
    const scene_particles *p = &b->s->particles[entry];
    for (size_t i = b->first[entry]; i + 1 < b->first[entry + 1]; i++) {
        const double contact = 0.5 * (b->state->diameter[i] + b->state->diameter[i + 1]);
        if ((i + 1 - b->first[entry]) % p->walk_length == 0 || p->walk_step >= contact * (1 - 1e-12)) continue;
        return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                            "particles.%zu: steps of %.6g are too short: particles %zu and %zu touch at %.6g", entry,
                            p->walk_step, i, i + 1, contact);
    }
    return CAROM_OK;
}

static carom_status walk_entry(walker *w, size_t entry, error *e)
{
    const build *b = w->b;
    const scene_particles *p = &b->s->particles[entry];
    TRY(check_steps(b, entry, e));
    w->step = p->walk_step;
    for (w->first = b->first[entry]; w->first < b->first[entry + 1]; w->first += w->length) {
        const size_t left = b->first[entry + 1] - w->first;
        w->length = left < p->walk_length ? left : p->walk_length;
        if (!place_piece(w))
            return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                                "particles.%zu: no room is found for the walk that begins with particle %zu" HINT
                                "use a "
                                "larger box, or shorter walks",
                                entry, w->first);
    }
    return CAROM_OK;
}

carom_status build_walks(build *b, error *e)
{
    walker w = {.b = b, .key = {b->s->seed, RANDOM_POSITION}};
    carom_status status = CAROM_OK;
    size_t walks = 0;
    for (size_t entry = 0; entry < b->s->particles_count; entry++) walks += b->s->particles[entry].place == PLACE_WALK;
    if (walks == 0) return CAROM_OK;
    status = packing_create(&w.placed, &b->box, build_particles(b), (const double(*)[3])b->state->position,
                            b->state->diameter, 1, e);
    for (size_t entry = 0; status == CAROM_OK && entry < b->s->particles_count; entry++) {
        const scene_place place = b->s->particles[entry].place;
        const bool waits = place == PLACE_WALK || place == PLACE_RANDOM;
        for (size_t i = b->first[entry]; !waits && i < b->first[entry + 1]; i++) packing_add(&w.placed, (uint32_t)i);
    }
    for (size_t entry = 0; status == CAROM_OK && entry < b->s->particles_count; entry++)
        if (b->s->particles[entry].place == PLACE_WALK) status = walk_entry(&w, entry, e);
    packing_destroy(&w.placed);
    return status;
}
