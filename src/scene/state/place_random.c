/* Random sequential addition: uniform random positions are tried for each sphere until it overlaps no other (Widom, J.
 * Chem. Phys. 44, 3888 (1966)). Large spheres are placed first, since they would not fit between small ones.
 *
 * The trials are divided into rounds. First, all trials of a round are tested against the spheres of earlier rounds, in
 * spatial order for cache efficiency. Those without overlap are then tested against all spheres, one after the other.
 * The result is the same as that of a separate test of each trial. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "geometry/ball.h"
#include "scene/state/build.h"
#include "scene/state/region.h"

static bool is_random(const build *b, size_t entry)
{
    scene_place place = b->s->particles[entry].place;
    if (build_is_clump(b, entry)) return false;
    return place == PLACE_RANDOM || place == PLACE_COMPRESS;
}

/* The fraction of the box that planes and exact surfaces leave for a sphere of that diameter, on a grid of points. */
static double free_share(const build *b, double diameter)
{
    enum { FINE = 24 };
    const int layers = b->s->dimension == 3 ? FINE : 1;
    int found = 0;
    for (int i = 0; i < FINE * FINE * layers; i++) {
        const double r[3] = {b->box.size[0] * (i % FINE + 0.5) / FINE, b->box.size[1] * (i / FINE % FINE + 0.5) / FINE,
                             layers > 1 ? b->box.size[2] * (i / FINE / FINE + 0.5) / FINE : 0};
        found += build_is_free(b, r, diameter);
    }
    return (double)found / (FINE * FINE * layers);
}

/* Compression grows all particles, which must be spheres, up to random close packing. */
static bool can_compress(const build *b, size_t entry)
{
    const scene *s = b->s;
    const double most = s->dimension == 2 ? 0.84 : 0.64;
    if (s->shaped || s->mesh_count + s->drive_count > 0) return false;
    if (s->segments_count + s->rods_count + s->hinges_count + s->bonds_count > 0 || scene_has_bodies(s)) return false;
    for (size_t k = 0; k < s->particles_count; k++)
        if ((k != entry && !is_random(b, k)) || s->particles[k].region.kind != REGION_ALL) return false;
    if (scene_surfaces(s) == 1) return b->phi < most;
    return free_share(b, b->widest) > 0 && b->phi < most * free_share(b, 0);
}

const char *build_remedy(const build *b, size_t entry)
{
    if (!can_compress(b, entry)) return "use fewer or smaller particles, or give them more room";
    for (size_t k = 0; k < b->s->particles_count; k++)
        if (b->s->particles[k].place == PLACE_COMPRESS)
            return "use a larger box, or a lower 'from' in place: {compress: {from: ...}}";
    const double usual = 0.2; /* default packing fraction at the start of a compression */
    return b->phi > usual
               ? "use a larger box or place: compress"
               : "use a larger box, or place: {compress: {from: ...}} that begins below this packing fraction";
}

/* Jamming limits of random sequential addition for equal spheres, in 3D and 2D (Zhang and Torquato, Phys. Rev. E 88,
 * 053312 (2013)). A large system slows down far below them. */
static carom_status check_jamming(const build *b, size_t count, error *e)
{
    double jams = b->s->dimension == 2 ? 0.5471 : 0.3841;
    double phi = b->phi * pow(b->scale, b->s->dimension);
    if (!b->equal || count < 1000 || count < build_particles(b) || phi < 0.98 * jams) return CAROM_OK;
    return scene_refuse(b->scale < 1 ? scene_at_compression(b->s) : scene_at(b->s, "particles.0.place"), e,
                        "random placement cannot reach packing fraction %.4g, it jams near %.4g" HINT "%s", phi, jams,
                        build_remedy(b, SIZE_MAX));
}

typedef struct candidate {
    sized size; /* first: build_larger_first */
    bool placed;
    const scene_particles *entry;
    const bool *barred; /* [mesh_count] */
} candidate;

int build_larger_first(const void *a, const void *b)
{
    const sized *left = a, *right = b;
    if (left->diameter != right->diameter) return left->diameter > right->diameter ? -1 : 1;
    return left->id < right->id ? -1 : 1;
}

/* `barred`: [entries][mesh_count]. */
static carom_status list_candidates(const build *b, const bool *barred, candidate **out, size_t *count, error *e)
{
    *count = 0;
    for (size_t entry = 0; entry < b->s->particles_count; entry++)
        if (is_random(b, entry)) *count += build_count(b, entry);
    *out = NEW_ARRAY(*count, candidate);
    if (*out == NULL) return error_memory(e, "random placement", *count * sizeof **out);
    size_t at = 0;
    for (size_t entry = 0; entry < b->s->particles_count; entry++)
        for (size_t i = b->first[entry]; is_random(b, entry) && i < b->first[entry + 1]; i++)
            (*out)[at++] = (candidate){.size = {b->state->diameter[i], (uint32_t)i},
                                       .entry = &b->s->particles[entry],
                                       .barred = barred + entry * b->s->mesh_count};
    if (!b->equal) qsort(*out, *count, sizeof **out, build_larger_first);
    return CAROM_OK;
}

/* A round of trials. */
typedef struct round_of_tries {
    size_t room, count;
    double (*position)[3]; /* [room] */
    uint32_t *member;      /* [room]: index of the candidate */
    bool *passed;          /* [room]: no overlap with the spheres of earlier rounds */
    uint32_t *order;       /* [room]: spatial order */
    cells grid;            /* for sorting into that order */
    uint32_t *start;
} round_of_tries;

enum { ROUND_LEAST = 512, ROUND_MOST = 131072 };

static carom_status round_create(round_of_tries *round, const build *b, size_t count, error *e)
{
    size_t room = count > ROUND_LEAST ? count : ROUND_LEAST;
    double cell = 1;
    *round = (round_of_tries){.room = room};
    for (int k = 0; k < b->s->dimension; k++) cell *= b->box.size[k];
    cell = pow(cell / ((double)room / 4), 1.0 / b->s->dimension);
    TRY(cells_create(&round->grid, &b->box, cell, room, NULL, e));
    round->position = memory_new(room, sizeof *round->position);
    round->member = NEW_ARRAY(room, uint32_t);
    round->passed = NEW_ARRAY(room, bool);
    round->order = NEW_ARRAY(room, uint32_t);
    round->start = NEW_ARRAY(cells_total(&round->grid) + 1, uint32_t);
    if (round->position == NULL || round->member == NULL || round->passed == NULL || round->order == NULL ||
        round->start == NULL)
        return error_memory(e, "random placement", room * 36);
    return CAROM_OK;
}

static void round_destroy(round_of_tries *round)
{
    cells_destroy(&round->grid);
    memory_free(round->position);
    memory_free(round->member);
    memory_free(round->passed);
    memory_free(round->order);
    memory_free(round->start);
}

/* The interval of coordinate k, from *low on: the intersection of the box, the region, and the mesh that encloses them.
 * A region may extend beyond an open boundary, and continues beyond a periodic one. */
static double range_of(const build *b, const scene_particles *p, double diameter, int k, double *low)
{
    const double size = b->box.size[k], margin = build_bounded(b, k) ? fmin(b->scale * diameter, size) : 0;
    double from, to, high = size - 0.5 * margin;
    *low = 0.5 * margin;
    if (p->inside == SIZE_MAX && p->region.kind == REGION_ALL) return size - margin;
    if (region_range(&p->region, k, 0.5 * diameter, &from, &to)) {
        const int boundary = (int)b->s->box.boundary[k];
        if (boundary == BOUNDARY_PERIODIC) region_limit_range(size, &from, &to);
        if (boundary == BOUNDARY_PERIODIC && p->inside != SIZE_MAX && (from < 0 || to > size))
            from = 0, to = size; /* the mesh is in the box, and meets any of the images */
        high = boundary != BOUNDARY_WALL ? to : fmin(high, to);
        *low = boundary != BOUNDARY_WALL ? from : fmax(*low, from);
    }
    if (p->inside != SIZE_MAX) {
        const tree_box *all = box_tree_all(b->meshes.tree[p->inside]);
        high = fmin(high, all->high[k]);
        *low = fmax(*low, all->low[k]);
    }
    return fmax(high - *low, 0);
}

void build_draw_place(const build *b, const scene_particles *p, double diameter, uint32_t id, uint64_t index,
                      double r[3])
{
    const random_key key = {b->s->seed, RANDOM_POSITION};
    double u[4], low;
    random_uniform2(key, id, 2 * index, u);
    if (b->s->dimension == 3) random_uniform2(key, id, 2 * index + 1, u + 2);
    for (int k = 0; k < b->s->dimension; k++) {
        const double length = range_of(b, p, diameter, k, &low);
        r[k] = low + u[k] * length;
        if (r[k] >= b->box.size[k] && b->s->box.boundary[k] == BOUNDARY_WALL) r[k] = 0;
        if (b->s->box.boundary[k] == BOUNDARY_PERIODIC) r[k] = region_wrap(r[k], b->box.size[k]);
    }
}

bool build_place_allowed(const build *b, const scene_particles *p, const bool *barred, double diameter,
                         const double r[3])
{
    if (!region_holds_image(&p->region, b->s, b->box.size, r, 0.5 * b->scale * diameter)) return false;
    if (!mesh_space_clear(&b->meshes, r, 0.5 * b->scale * diameter)) return false;
    if (p->inside != SIZE_MAX && !mesh_space_encloses(&b->meshes, p->inside, r)) return false;
    for (size_t k = 0; k < b->s->mesh_count; k++)
        if (barred[k] && mesh_space_encloses_image(&b->meshes, k, r)) return false;
    return true;
}

/* Candidates of similar size, of which `left` remain to be placed, and their number of trials. */
typedef struct group {
    candidate *members;
    uint32_t *left;
    size_t count, left_count;
    uint64_t tried;
} group;

/* Draws a trial for each remaining candidate, or several if few remain. */
static void draw_round(round_of_tries *round, const build *b, group *g)
{
    size_t most = round->room < ROUND_MOST ? round->room : ROUND_MOST;
    size_t each = g->left_count < most ? most / g->left_count : 1;
    round->count = 0;
    for (size_t n = 0; n < each; n++)
        for (size_t i = 0; i < g->left_count; i++) {
            size_t at = round->count++;
            round->member[at] = g->left[i];
            const candidate *c = &g->members[g->left[i]];
            build_draw_place(b, c->entry, c->size.diameter, c->size.id, g->tried + n, round->position[at]);
        }
    g->tried += each;
}

static void hold_against_earlier(round_of_tries *round, const build *b, const packing *p, const group *g)
{
    cells_sort(&round->grid, round->count, (const double(*)[3])round->position, round->start, round->order);
    for (size_t n = 0; n < round->count; n++) {
        size_t at = round->order[n];
        const candidate *c = &g->members[round->member[at]];
        const double *r = round->position[at];
        round->passed[at] = build_is_free(b, r, b->scale * c->size.diameter) &&
                            packing_hit(p, r, c->size.diameter) == CELLS_END &&
                            build_place_allowed(b, c->entry, c->barred, c->size.diameter, r);
    }
}

static void place_round(const round_of_tries *round, const build *b, packing *p, group *g)
{
    for (size_t at = 0; at < round->count; at++) {
        candidate *c = &g->members[round->member[at]];
        if (!round->passed[at] || c->placed || packing_hit(p, round->position[at], c->size.diameter) != CELLS_END)
            continue;
        memcpy(b->state->position[c->size.id], round->position[at], sizeof round->position[at]);
        packing_add(p, c->size.id);
        c->placed = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < g->left_count; i++)
        if (!g->members[g->left[i]].placed) g->left[kept++] = g->left[i];
    g->left_count = kept;
}

/* Places a group, unless the largest number of trials is reached. `done`: the particles of earlier groups, of `all`. */
static carom_status place_group(round_of_tries *round, const build *b, packing *p, group *g, uint64_t *tries,
                                size_t done, size_t all, error *e)
{
    g->tried = 0;
    g->left_count = g->count;
    for (size_t i = 0; i < g->count; i++) g->left[i] = (uint32_t)i;
    while (g->left_count > 0) {
        draw_round(round, b, g);
        hold_against_earlier(round, b, p, g);
        place_round(round, b, p, g);
        if (*tries <= round->count) return CAROM_OK;
        *tries -= round->count;
        TRY(build_report(b, (double)(done + g->count - g->left_count) / (double)all, e));
    }
    return CAROM_OK;
}

/* The packing fraction is that of the region of the first particle that is not placed, or of the box. */
static carom_status stalled(const build *b, const candidate *order, size_t count, error *e)
{
    double placed = 0, all = 0, unit = pow(b->scale, b->s->dimension) * ball_volume(b->s->dimension, 1);
    size_t done = 0, first = 0;
    while (order[first].placed) first++;
    const scene_particles *entry = order[first].entry;
    const bool whole = entry->region.kind == REGION_ALL;
    if (!whole) unit /= region_volume(&entry->region, b->s->dimension);
    for (int k = 0; k < b->s->dimension && whole; k++) unit /= b->box.size[k];
    for (size_t n = 0; n < count; n++) {
        double term = whole || order[n].entry == entry ? unit * pow(order[n].size.diameter, b->s->dimension) : 0;
        all += term;
        placed += order[n].placed ? term : 0;
        done += order[n].placed;
    }
    return scene_refuse(
        build_where(b, order[first].size.id, "place"), e,
        "random placement stalled after %zu of %zu particles, at packing fraction %.4g of %.4g%s" HINT "%s", done,
        count, placed, all, whole ? "" : " in their region",
        done == 0 && b->s->mesh_count > 0
            ? "no place is free: closed rigid meshes are kept empty, and {random: {inside: MESH}} fills one"
            : build_remedy(b, SIZE_MAX));
}

static carom_status place_all(const build *b, packing *p, round_of_tries *round, candidate *order, uint32_t *left,
                              size_t count, error *e)
{
    const uint64_t spare = b->s->mesh_count > 0 ? 1000000 : 20000000; /* near meshes a trial takes more time */
    uint64_t tries = 100 * (uint64_t)count + spare;
    for (size_t entry = 0; entry < b->s->particles_count; entry++)
        for (size_t i = b->first[entry]; !is_random(b, entry) && i < b->first[entry + 1]; i++)
            if (!build_is_absent(b, i)) packing_add(p, (uint32_t)i);
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && order[to].size.diameter >= 0.8 * order[from].size.diameter) to++;
        group g = {.members = order + from, .left = left, .count = to - from};
        TRY(place_group(round, b, p, &g, &tries, from, count, e));
        if (g.left_count > 0) return stalled(b, order, count, e);
    }
    return CAROM_OK;
}

static carom_status place(build *b, candidate *order, size_t count, error *e)
{
    packing p = {0};
    round_of_tries round = {0};
    uint32_t *left = NEW_ARRAY(count, uint32_t);
    carom_status status = left != NULL ? CAROM_OK : error_memory(e, "random placement", count * sizeof *left);
    if (status == CAROM_OK) status = round_create(&round, b, count, e);
    if (status == CAROM_OK)
        status = packing_create(&p, &b->box, build_particles(b), (const double(*)[3])b->state->position,
                                b->state->diameter, b->scale, e);
    if (status == CAROM_OK) status = place_all(b, &p, &round, order, left, count, e);
    packing_destroy(&p);
    round_destroy(&round);
    memory_free(left);
    return status;
}

/* [entries][mesh_count]; the caller frees. */
static carom_status bar_meshes(const build *b, bool **out, error *e)
{
    *out = NEW_ARRAY(b->s->particles_count * b->s->mesh_count, bool);
    if (*out == NULL) return error_memory(e, "random placement", b->s->particles_count * b->s->mesh_count);
    for (size_t entry = 0; entry < b->s->particles_count; entry++)
        if (is_random(b, entry) || build_is_clump(b, entry))
            TRY(region_bar_meshes(b, &b->s->particles[entry], *out + entry * b->s->mesh_count, e));
    return CAROM_OK;
}

static carom_status place_candidates(build *b, error *e)
{
    candidate *order = NULL;
    size_t count = 0;
    bool *barred = NULL;
    carom_status status = mesh_space_create(&b->meshes, b->s, b->state->meshes, b->box.size, e);
    if (status == CAROM_OK) status = bar_meshes(b, &barred, e);
    if (status == CAROM_OK) status = build_random_clumps(b, barred, e);
    if (status == CAROM_OK) status = list_candidates(b, barred, &order, &count, e);
    if (status == CAROM_OK) status = check_jamming(b, count, e);
    if (status == CAROM_OK && count > 0) status = place(b, order, count, e);
    mesh_space_destroy(&b->meshes);
    memory_free(barred);
    memory_free(order);
    return status;
}

carom_status build_random(build *b, error *e)
{
    size_t count = 0;
    for (size_t entry = 0; entry < b->s->particles_count; entry++)
        if (is_random(b, entry) || (build_is_clump(b, entry) && b->s->particles[entry].place == PLACE_RANDOM))
            count += build_count(b, entry);
    if (count == 0) return CAROM_OK;
    return b->s->shaped ? build_random_shapes(b, e) : place_candidates(b, e);
}
