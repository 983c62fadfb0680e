#include <math.h>
#include <string.h>

#include "base/number.h"
#include "scene/language/reader.h"
#include "scene/language/suggest.h"

static void refuse_species(reader *r, const node *n)
{
    suggest near = suggest_begin(n->text, n->length);
    for (size_t i = 0; i < r->s->species_count; i++)
        if (r->s->species[i].name != NULL) suggest_try(&near, r->s->species[i].name);
    if (near.best != NULL)
        fault_add(r->f, n, "unknown species '%s'; did you mean '%s'?", value_quote(r, n), near.best);
    else if (read_knows(r, "species"))
        fault_add(r->f, n, "unknown species '%s'; it is not under 'species'", value_quote(r, n));
}

uint32_t read_species_name(reader *r, const node *n)
{
    if (n->kind != NODE_SCALAR || n->length == 0) {
        value_refuse(r, n, "the name of a species");
        return UINT32_MAX;
    }
    uint32_t species = read_find_species(r, n->text, n->length);
    if (species == UINT32_MAX) refuse_species(r, n);
    return species;
}

static void read_share(reader *r, const node *name, const node *ratio, scene_share *share)
{
    share->ratio = 1;
    share->species = read_species_name(r, name);
    if (ratio == NULL || !value_number(r, ratio, &share->ratio)) return;
    if (!(share->ratio > 0))
        fault_add(r->f, ratio, "a number ratio must be greater than 0, not %s", value_quote(r, ratio));
}

static void read_shares(reader *r, const node *n, scene_particles *p)
{
    if (n->kind == NODE_LIST || n->length == 0) {
        value_refuse(r, n, n->kind == NODE_MAP ? "number ratios" : "the name of a species");
        return;
    }
    p->shares = read_new(r, n->kind == NODE_MAP ? n->length : 1, sizeof *p->shares);
    if (p->shares == NULL) return;
    if (n->kind == NODE_SCALAR) read_share(r, n, NULL, &p->shares[p->share_count++]);
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_share(r, tree_key(r->t, item), item, &p->shares[p->share_count++]);
}

static int find_word(const node *key, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (node_is(key, words[i])) return i;
    return -1;
}

static void read_at(reader *r, const node *n, const node *count, scene_particles *p)
{
    size_t listed;
    p->at = value_vectors(r, n, &listed);
    if (p->at == NULL) return;
    if (count != NULL && p->count != listed)
        fault_add(r->f, count, "'count' is %llu, but 'at' lists %zu; leave it out", (unsigned long long)p->count,
                  listed);
    p->count = listed;
}

/* {file: PATH, frame: N} */
static void read_place_file(reader *r, const node *n, scene_particles *p)
{
    static const double far = 9007199254740992; /* whole numbers up to here are exact */
    const node *frame = tree_get(r->t, n, "frame");
    double number = -1;
    settings_check_keys(r, n, &table_place_file, NULL);
    p->place = PLACE_FILE;
    p->file = value_path(r, tree_get(r->t, n, "file"));
    if (frame == NULL || !value_number(r, frame, &number)) return;
    if (number != floor(number) || fabs(number) > far)
        fault_add(r->f, frame, "expected a whole number, from 0, or backwards from -1; found %s",
                  value_quote(r, frame));
    else
        p->frame = (int64_t)number;
}

static const char *const place_forms[] = {"file", "at", "walk", NULL}; /* that are maps alone */

static void read_place_map(reader *r, const node *n, const node *count, scene_particles *p)
{
    static const char *const kinds[] = {"compress", "file", "at", "walk", "random", NULL};
    if (tree_get(r->t, n, "file") != NULL) {
        read_place_file(r, n, p);
        return;
    }
    const node *form = value_only_key(r, n, "place");
    if (form == NULL) return;
    int kind = value_choice(r, tree_key(r->t, form), "place", kinds);
    if (kind == 0) {
        p->place = PLACE_COMPRESS;
        if (!value_is_map(r, form, "a map of rate and from")) return;
        settings_check_keys(r, form, &table_compress, NULL);
        settings_read(r, &table_compress, form, form, p);
    } else if (kind == 2) {
        p->place = PLACE_AT;
        read_at(r, form, count, p);
    } else if (kind == 3) {
        p->place = PLACE_WALK;
        if (!value_is_map(r, form, "a map of length and step")) return;
        settings_check_keys(r, form, &table_walk, NULL);
        settings_read(r, &table_walk, form, form, p);
    } else if (kind == 4) {
        p->place = PLACE_RANDOM;
        read_random(r, form, p);
    }
}

static void check_lattice(reader *r, const node *n, scene_place place)
{
    int wanted = place <= PLACE_SC ? 3 : place <= PLACE_HEXAGONAL ? 2 : r->s->dimension;
    if (wanted == r->s->dimension) return;
    fault_add(r->f, n, "'%s' is a lattice in %d dimensions; in %d use %s", place_words[place], wanted, r->s->dimension,
              wanted == 3 ? "square or hexagonal" : "fcc, bcc or sc");
}

static void read_place(reader *r, const node *n, const node *count, scene_particles *p)
{
    settings_read(r, &table_compress, NULL, n, p); /* its defaults */
    p->inside = p->outside = SIZE_MAX;
    p->frame = -1;
    p->place = PLACE_FILE; /* as long as it is not known how many that makes */
    if (n->kind == NODE_MAP) {
        read_place_map(r, n, count, p);
        return;
    }
    if (n->kind != NODE_SCALAR || n->length == 0 || find_word(n, place_forms) >= 0) {
        value_refuse(r, n,
                     "fcc, bcc, sc, square, hexagonal, random, compress, {random: {region: ...}}, {compress: {rate: R, "
                     "from: PHI}}, {walk: {length: N, step: S}}, {file: PATH} or {at: [[x, y, ...], ...]}");
        return;
    }
    int word = value_choice(r, n, "place", place_words);
    if (word < 0) return;
    p->place = (scene_place)word;
    check_lattice(r, n, p->place);
}

static void read_each(reader *r, const node *n, scene_particles *p)
{
    const node *first = tree_first(r->t, n);
    p->velocity = VELOCITY_EACH;
    if (first != NULL && first->kind == NODE_SCALAR) {
        p->each = read_new(r, 1, sizeof *p->each);
        if (p->each != NULL && value_vector(r, n, p->each[0])) p->each_count = 1;
        return;
    }
    p->each = value_vectors(r, n, &p->each_count);
    if (p->each == NULL || p->each_count == 1 || p->count == 0 || p->each_count == p->count) return;
    fault_add(r->f, n, "'each' lists %zu velocities for %llu particles; give one for all or one for each",
              p->each_count, (unsigned long long)p->count);
}

static void read_speed(reader *r, const node *n, const char *what, double *out)
{
    if (value_number(r, n, out) && *out < 0)
        fault_add(r->f, n, "'%s' must be at least 0, not %s", what, value_quote(r, n));
}

/* One for each species of the entry. */
static void read_temperatures(reader *r, const node *n, scene_particles *p)
{
    bool *given = read_new(r, p->share_count + 1, sizeof *given);
    p->temperatures = read_new(r, p->share_count, sizeof *p->temperatures);
    if (p->temperatures == NULL || given == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        const uint32_t species = read_species_name(r, tree_key(r->t, item));
        size_t k = 0;
        while (k < p->share_count && p->shares[k].species != species) k++;
        if (species == UINT32_MAX) continue;
        if (k == p->share_count) {
            fault_add(r->f, tree_key(r->t, item), "this entry has no particles of species '%s'",
                      value_quote(r, tree_key(r->t, item)));
            continue;
        }
        given[k] = true;
        read_speed(r, item, "maxwell", &p->temperatures[k]);
    }
    for (size_t k = 0; k < p->share_count; k++) {
        const uint32_t species = p->shares[k].species;
        if (!given[k] && species != UINT32_MAX && r->s->species[species].name != NULL)
            fault_add(r->f, n, "no temperature for species '%s' of this entry", r->s->species[species].name);
    }
}

static void read_velocity_map(reader *r, const node *n, scene_particles *p)
{
    static const char *const kinds[] = {"maxwell", "uniform", "circle", "each", NULL};
    const node *form = value_only_key(r, n, "velocity");
    double range[2];
    if (form == NULL) return;
    switch (value_choice(r, tree_key(r->t, form), "velocity", kinds)) {
    case 0:
        p->velocity = VELOCITY_MAXWELL;
        if (form->kind == NODE_MAP)
            read_temperatures(r, form, p);
        else
            read_speed(r, form, "maxwell", &p->a);
        break;
    case 1:
        p->velocity = VELOCITY_UNIFORM;
        if (!value_numbers(r, form, 2, range)) break;
        if (range[0] > range[1]) fault_add(r->f, form, "'uniform' must be [a, b] with a not above b");
        p->a = range[0];
        p->b = range[1];
        break;
    case 2:
        p->velocity = VELOCITY_CIRCLE;
        read_speed(r, form, "circle", &p->a);
        break;
    case 3:
        read_each(r, form, p);
        break;
    default:
        break;
    }
}

static bool is_zero(const node *n)
{
    double value;
    return n->kind == NODE_SCALAR && n->plain && number_read(n->text, n->length, &value, NULL) == NUMBER_OK &&
           value == 0;
}

static void read_velocity(reader *r, const node *n, scene_particles *p)
{
    static const char *const words[] = {"zero", "file", NULL};
    if (n->kind == NODE_MAP) {
        read_velocity_map(r, n, p);
    } else if (is_zero(n)) {
        p->velocity = VELOCITY_ZERO;
    } else if (n->kind == NODE_SCALAR && find_word(n, words) == 1) {
        p->velocity = VELOCITY_FILE;
        if (p->place != PLACE_FILE) fault_add(r->f, n, "'velocity: file' needs 'place: {file: PATH}'");
    } else if (n->kind != NODE_SCALAR || find_word(n, words) < 0) {
        value_refuse(r, n, "zero, file, {maxwell: T}, {uniform: [a, b]}, {circle: speed} or {each: [...]}");
    }
}

static void read_one(reader *r, const node *n, scene_particles *p)
{
    if (!value_is_map(r, n, "a map with 'species', 'count' and 'place'")) return;
    settings_check_keys(r, n, &table_particles, NULL);
    settings_read(r, &table_particles, n, n, p);
    const node *species = tree_get(r->t, n, "species"), *count = tree_get(r->t, n, "count");
    const node *place = tree_get(r->t, n, "place"), *velocity = tree_get(r->t, n, "velocity");
    if (species != NULL) read_shares(r, species, p);
    if (place != NULL) read_place(r, place, count, p);
    if (count == NULL && p->place != PLACE_AT && p->place != PLACE_FILE)
        settings_missing(r, n, "", settings_find(&table_particles, "count"));
    if (velocity != NULL) read_velocity(r, velocity, p);
    read_spins(r, tree_get(r->t, n, "angular_velocity"), p);
    read_orientation(r, tree_get(r->t, n, "orientation"), p);
}

void read_particles(reader *r, const node *n)
{
    if (n == NULL || !value_is_list(r, n, "a list of groups of particles")) return;
    r->s->particles = read_new(r, n->length, sizeof *r->s->particles);
    if (r->s->particles == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_one(r, item, &r->s->particles[r->s->particles_count++]);
    for (size_t i = 0; i < r->s->particles_count; i++) {
        const scene_particles *p = &r->s->particles[i];
        bool unknown = p->place == PLACE_FILE && p->count == 0;
        r->particles = unknown || p->count > UINT64_MAX - r->particles ? UINT64_MAX : r->particles + p->count;
    }
}
