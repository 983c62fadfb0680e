#include "neighbors/packing.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

static int class_of(const packing *p, double diameter)
{
    int c = 0;
    for (double width = 0.5 * p->widest; diameter < width && c < PACKING_CLASSES - 1; width *= 0.5) c++;
    return c;
}

static double class_width(const packing *p, int c)
{
    return ldexp(p->widest, -c) * p->scale;
}

static carom_status create_classes(packing *p, error *e)
{
    for (size_t i = 0; i < p->count; i++) p->members[class_of(p, p->diameter[i])]++;
    for (int c = 0; c < PACKING_CLASSES; c++) {
        if (p->members[c] == 0) continue;
        TRY(cells_create(&p->classes[c], &p->box, class_width(p, c), p->members[c], p->next, e));
    }
    return CAROM_OK;
}

carom_status packing_create(packing *p, const cells_box *box, size_t count, const double (*position)[3],
                            const double *diameter, double scale, error *e)
{
    *p = (packing){.box = *box, .count = count, .position = position, .diameter = diameter, .scale = scale};
    for (int k = 0; k < box->dimension; k++)
        p->slack = fmax(p->slack, 4 * DBL_EPSILON * fmax(fabs(box->low[k]), fabs(box->low[k] + box->size[k])));
    for (size_t i = 0; i < count; i++) p->widest = fmax(p->widest, diameter[i]);
    p->next = NEW_ARRAY(count, uint32_t);
    if (p->next == NULL) return error_memory(e, "the neighbours of the initial state", count * sizeof(uint32_t));
    carom_status status = create_classes(p, e);
    if (status != CAROM_OK) packing_destroy(p);
    return status;
}

void packing_destroy(packing *p)
{
    for (int c = 0; c < PACKING_CLASSES; c++) cells_destroy(&p->classes[c]);
    memory_free(p->next);
    p->next = NULL;
}

void packing_add(packing *p, uint32_t i)
{
    cells_add(&p->classes[class_of(p, p->diameter[i])], i, p->position[i]);
}

static double contact_of(const packing *p, double a, double b)
{
    return 0.5 * p->scale * (a + b);
}

static bool overlapping(const packing *p, const double r[3], double diameter, uint32_t j)
{
    double contact = contact_of(p, diameter, p->diameter[j]);
    double least = contact - fmax(1e-12 * contact, p->slack);
    return least > 0 && cells_distance2(&p->box, r, p->position[j]) < least * least;
}

static cells_walk walk_class(const packing *p, int c, const double r[3], double diameter)
{
    return cells_near(&p->classes[c], r, 0.5 * (p->scale * diameter + class_width(p, c)));
}

uint32_t packing_hit(const packing *p, const double r[3], double diameter)
{
    for (int c = 0; c < PACKING_CLASSES; c++) {
        if (p->members[c] == 0) continue;
        cells_walk walk = walk_class(p, c, r, diameter);
        for (uint32_t j; (j = cells_step(&walk)) != CELLS_END;)
            if (overlapping(p, r, diameter, j)) return j;
    }
    return CELLS_END;
}

/* The spheres in order of their cells. */
typedef struct sorted {
    double (*position)[3];
    double *diameter;
    uint32_t *id;
    uint32_t *start; /* work space of the sorting */
} sorted;

static void sorted_free(sorted *s)
{
    memory_free(s->position);
    memory_free(s->diameter);
    memory_free(s->id);
    memory_free(s->start);
}

static carom_status sort_by_cell(sorted *s, const cells *grid, size_t count, const double (*position)[3],
                                 const double *diameter, error *e)
{
    size_t total = cells_total(grid);
    s->position = memory_new(count, sizeof *s->position);
    s->diameter = NEW_ARRAY(count, double);
    s->id = NEW_ARRAY(count, uint32_t);
    s->start = NEW_ARRAY(total + 1, uint32_t);
    if (s->position == NULL || s->diameter == NULL || s->id == NULL || s->start == NULL)
        return error_memory(e, "the overlap check", count * 36 + total * 4);
    cells_sort(grid, count, position, s->start, s->id);
    for (size_t i = 0; i < count; i++) {
        memcpy(s->position[i], position[s->id[i]], sizeof s->position[i]);
        s->diameter[i] = diameter[s->id[i]];
    }
    return CAROM_OK;
}

static bool before(const packing_pair *a, const packing_pair *b)
{
    return a->i != b->i ? a->i < b->i : a->j < b->j;
}

/* Keeps the `room` first pairs, sorted. */
void packing_keep(packing_pair *pairs, size_t room, uint64_t found, packing_pair pair)
{
    size_t at = found < room ? (size_t)found : room;
    if (at == room) {
        if (room == 0 || !before(&pair, &pairs[room - 1])) return;
        at--;
    }
    for (; at > 0 && before(&pair, &pairs[at - 1]); at--) pairs[at] = pairs[at - 1];
    pairs[at] = pair;
}

static packing_pair pair_of(const packing *p, const uint32_t *id, uint32_t i, uint32_t j)
{
    return (packing_pair){.i = id[i] < id[j] ? id[i] : id[j],
                          .j = id[i] < id[j] ? id[j] : id[i],
                          .distance = sqrt(cells_distance2(&p->box, p->position[i], p->position[j])),
                          .contact = contact_of(p, p->diameter[i], p->diameter[j])};
}

/* Each sphere is compared with those of its own class with higher numbers and with all larger classes: every pair
 * once. */
static void visit_overlaps(const packing *p, const uint32_t *id, packing_visit *visit, void *user)
{
    for (uint32_t i = 0; i < p->count; i++) {
        int own = class_of(p, p->diameter[i]);
        for (int c = 0; c <= own; c++) {
            if (p->members[c] == 0) continue;
            cells_walk walk = walk_class(p, c, p->position[i], p->diameter[i]);
            for (uint32_t j; (j = cells_step(&walk)) != CELLS_END;) {
                if ((c == own && j <= i) || !overlapping(p, p->position[i], p->diameter[i], j)) continue;
                packing_pair pair = pair_of(p, id, i, j);
                if (!visit(&pair, user)) return;
            }
        }
    }
}

/* The part of the box that holds the spheres: a small cluster in a large box gets fine cells too. An axis stays
 * periodic only where spheres may touch across the boundary. */
static cells_box tighten(const cells_box *box, size_t count, const double (*position)[3], double widest)
{
    cells_box tight = *box;
    for (int k = 0; k < box->dimension; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = position[i][k] < low ? position[i][k] : low;
            high = position[i][k] > high ? position[i][k] : high;
        }
        double range = high - low + widest;
        if (!(range > 0) || isinf(range) || (box->periodic[k] && range > 0.99 * box->size[k])) continue;
        tight.low[k] = low - 0.5 * widest;
        tight.size[k] = range;
        tight.periodic[k] = false;
    }
    return tight;
}

/* A grid of about one sphere a cell, only to order the spheres. */
static carom_status order_spheres(sorted *s, const cells_box *box, size_t count, const double (*position)[3],
                                  const double *diameter, error *e)
{
    double volume = 1;
    for (int k = 0; k < box->dimension; k++) volume *= box->size[k];
    cells grid = {0};
    double width = pow(volume / (double)(count > 0 ? count : 1), 1.0 / box->dimension);
    carom_status status = cells_create(&grid, box, width, count, NULL, e);
    if (status == CAROM_OK) status = sort_by_cell(s, &grid, count, position, diameter, e);
    cells_destroy(&grid);
    return status;
}

carom_status packing_pairs(const cells_box *box, size_t count, const double (*position)[3], const double *diameter,
                           double scale, packing_visit *visit, void *user, error *e)
{
    double widest = 0;
    for (size_t i = 0; i < count; i++) widest = fmax(widest, scale * diameter[i]);
    cells_box tight = tighten(box, count, position, widest);
    sorted s = {0};
    packing p = {0};
    carom_status status = order_spheres(&s, &tight, count, position, diameter, e);
    if (status == CAROM_OK)
        status = packing_create(&p, &tight, count, (const double(*)[3])s.position, s.diameter, scale, e);
    if (status == CAROM_OK) {
        for (uint32_t i = 0; i < count; i++) packing_add(&p, i);
        visit_overlaps(&p, s.id, visit, user);
        packing_destroy(&p);
    }
    sorted_free(&s);
    return status;
}

/* The pairs that packing_overlaps keeps. */
typedef struct kept {
    packing_pair *pairs;
    size_t room;
    uint64_t found;
} kept;

static bool keep_pair(const packing_pair *pair, void *user)
{
    kept *k = user;
    packing_keep(k->pairs, k->room, k->found, *pair);
    return ++k->found < PACKING_MANY;
}

carom_status packing_overlaps(const cells_box *box, size_t count, const double (*position)[3], const double *diameter,
                              double scale, packing_pair *pairs, size_t room, uint64_t *found, error *e)
{
    kept k = {.pairs = pairs, .room = room};
    carom_status status = packing_pairs(box, count, position, diameter, scale, keep_pair, &k, e);
    *found = k.found;
    return status;
}
