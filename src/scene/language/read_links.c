/* Springs, hinges and segments: what ties particles to particles. */
#include <math.h>

#include "base/memory.h"
#include "scene/language/reader.h"

/* `width` particles that belong together, no two the same. */
static bool read_tuple(reader *r, const node *n, size_t width, const char *what, uint32_t *out)
{
    if (n->kind != NODE_LIST) {
        value_refuse(r, n, width == 2 ? "[i, j], two particles" : "[i, j, k], three particles");
        return false;
    }
    if (n->length != width) {
        fault_add(r->f, n, "expected %zu particles, found %u", width, n->length);
        return false;
    }
    bool good = true;
    size_t i = 0;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        good = read_particle(r, item, &out[i++]) && good;
    for (i = 1; i < width && good; i++)
        for (size_t j = 0; j < i && good; j++) {
            good = out[i] != out[j];
            if (!good) fault_add(r->f, n, "%s from particle %lu to itself", what, (unsigned long)out[i]);
        }
    return good;
}

static uint32_t *new_tuples(reader *r, size_t count, size_t width)
{
    if (memory_can_hold(count * width * sizeof(uint32_t))) return read_new(r, count, width * sizeof(uint32_t));
    r->f->no_memory = count * width * sizeof(uint32_t);
    return NULL;
}

static uint32_t *read_listed(reader *r, const node *n, size_t width, const char *what, size_t *count)
{
    if (!value_is_list(r, n, width == 2 ? "a list of pairs" : "a list of triples")) return NULL;
    if (n->length == 0) fault_add(r->f, n, "this list is empty");
    uint32_t *tuples = n->length > 0 ? new_tuples(r, n->length, width) : NULL;
    if (tuples == NULL) return NULL;
    bool good = true;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        good = read_tuple(r, item, width, what, tuples + width * (*count)++) && good;
    return good ? tuples : NULL;
}

static uint32_t *read_chain(reader *r, const node *n, size_t width, size_t *count)
{
    read_range range;
    if (!read_particle_range(r, n, &range)) return NULL;
    if (range.to - range.from + 1 < width) {
        fault_add(r->f, n, "this chain takes %zu particles at least", width);
        return NULL;
    }
    size_t length = (size_t)(range.to - range.from + 2 - width);
    uint32_t *tuples = new_tuples(r, length, width);
    if (tuples == NULL) return NULL;
    for (size_t i = 0; i < length; i++)
        for (size_t k = 0; k < width; k++) tuples[i * width + k] = (uint32_t)(range.from + i + k);
    *count = length;
    return tuples;
}

/* The particles of `map`, listed under `key` or in a chain; *count of them, 0 where they are bad. */
static uint32_t *read_tuples(reader *r, const node *map, const char *key, size_t width, const char *what, size_t *count)
{
    const node *listed = tree_get(r->t, map, key), *chain = tree_get(r->t, map, "chain");
    uint32_t *tuples = NULL;
    *count = 0;
    if (listed != NULL && chain != NULL)
        fault_add(r->f, tree_key(r->t, chain), "'%s' and 'chain' exclude each other; give one", key);
    else if (listed != NULL)
        tuples = read_listed(r, listed, width, what, count);
    else if (chain != NULL)
        tuples = read_chain(r, chain, width, count);
    else
        fault_add(r->f, map, "missing key '%s' (or 'chain'): which particles", key);
    if (tuples == NULL) *count = 0;
    return tuples;
}

uint32_t (*read_pairs(reader *r, const node *map, const char *what, size_t *count))[2]
{
    return (uint32_t(*)[2])(void *)read_tuples(r, map, "pairs", 2, what, count);
}

/* A length or an angle at rest: whether it is a number; else it is as placed. */
static bool read_rest(reader *r, const node *n, double placed, double *out)
{
    *out = placed;
    if (n == NULL || node_is(n, "placed")) return false;
    if (n->kind == NODE_SCALAR && n->plain) return value_number(r, n, out);
    value_refuse(r, n, "a number or placed");
    return false;
}

static void read_spring(reader *r, const node *n, scene_springs *springs)
{
    if (!value_is_map(r, n, "a map with 'name', 'pairs' and 'stiffness'")) return;
    settings_check_keys(r, n, &table_springs, NULL);
    settings_read(r, &table_springs, n, n, springs);
    read_list_name(r, n, r->s->springs, sizeof *springs, springs, "springs");
    springs->pairs = read_pairs(r, n, "a spring", &springs->count);
    const node *length = tree_get(r->t, n, "length");
    if (read_rest(r, length, -1, &springs->length) && springs->length < 0)
        fault_add(r->f, length, "'length' must be at least 0, not %s", value_quote(r, length));
}

void read_springs(reader *r, const node *n)
{
    r->s->springs = read_list(r, n, "a list of springs", sizeof *r->s->springs);
    if (r->s->springs == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_spring(r, item, &r->s->springs[r->s->springs_count++]);
}

static void read_hinge(reader *r, const node *n, scene_hinges *hinges)
{
    const double pi = 3.14159265358979323846;
    if (!value_is_map(r, n, "a map with 'name', 'triples' and 'stiffness'")) return;
    settings_check_keys(r, n, &table_hinges, NULL);
    settings_read(r, &table_hinges, n, n, hinges);
    read_list_name(r, n, r->s->hinges, sizeof *hinges, hinges, "hinges");
    hinges->triples = (uint32_t(*)[3])(void *)read_tuples(r, n, "triples", 3, "a hinge", &hinges->count);
    const node *angle = tree_get(r->t, n, "angle");
    if (read_rest(r, angle, NAN, &hinges->angle) && fabs(hinges->angle) > pi)
        fault_add(r->f, angle, "'angle' must lie between -pi and pi, not %s", value_quote(r, angle));
}

void read_hinges(reader *r, const node *n)
{
    r->s->hinges = read_list(r, n, "a list of hinges", sizeof *r->s->hinges);
    if (r->s->hinges == NULL) return;
    if (r->s->dimension != 2 && n->length > 0)
        fault_add(r->f, tree_key(r->t, n), "hinges turn in the plane: they need 'dimension: 2'");
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_hinge(r, item, &r->s->hinges[r->s->hinges_count++]);
}

static void read_segment(reader *r, const node *n, scene_segments *segments)
{
    if (!value_is_map(r, n, "a map with 'name', 'pairs', 'diameter' and 'species'")) return;
    settings_check_keys(r, n, &table_segments, NULL);
    settings_read(r, &table_segments, n, n, segments);
    read_list_name(r, n, r->s->segments, sizeof *segments, segments, "segments");
    segments->pairs = read_pairs(r, n, "a segment", &segments->count);
    const node *species = tree_get(r->t, n, "species");
    if (species != NULL) segments->species = read_species_name(r, species);
}

void read_segments(reader *r, const node *n)
{
    r->s->segments = read_list(r, n, "a list of segments", sizeof *r->s->segments);
    if (r->s->segments == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_segment(r, item, &r->s->segments[r->s->segments_count++]);
}
