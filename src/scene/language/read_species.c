#include <math.h>
#include <string.h>

#include "scene/language/reader.h"

enum { MOST_SPECIES = 1000, LONGEST_NAME = 100 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool read_is_name(reader *r, const node *at, const char *text, size_t length)
{
    bool good = length > 0 && length <= LONGEST_NAME && is_letter(text[0]);
    for (size_t i = 1; i < length && good; i++)
        good = is_letter(text[i]) || (text[i] >= '0' && text[i] <= '9') || text[i] == '_' || text[i] == '-';
    if (!good) {
        fault_add(r->f, at, "'%s' cannot be a name: a letter, then letters, digits, '_' and '-'",
                  faults_quote(r->f, text, length));
    } else if (length == 4 && memcmp(text, "wall", 4) == 0) {
        fault_add(r->f, at, "'wall' stands for the walls of the box; choose another name");
        good = false;
    }
    return good;
}

uint32_t read_find_species(const reader *r, const char *name, size_t length)
{
    for (size_t i = 0; i < r->s->species_count; i++) {
        const char *known = r->s->species[i].name;
        if (known != NULL && strlen(known) == length && memcmp(known, name, length) == 0) return (uint32_t)i;
    }
    return UINT32_MAX;
}

static bool read_positive(reader *r, const node *n, const char *what, double *out)
{
    double value;
    if (!value_number(r, n, &value)) return false;
    if (!(value > 0)) {
        fault_add(r->f, n, "'%s' must be greater than 0, not %s", what, value_quote(r, n));
        return false;
    }
    *out = value;
    return true;
}

static void check_map_keys(reader *r, const node *n, const char *law, bool limits)
{
    for (const node *v = tree_first(r->t, n); v != NULL; v = tree_next(r->t, v)) {
        const node *key = tree_key(r->t, v);
        if (node_is(key, law) || (limits && (node_is(key, "min") || node_is(key, "max")))) continue;
        fault_add(r->f, key, "unknown key '%s' beside '%s'%s", value_quote(r, key), law,
                  limits ? "; known here: min, max" : "");
    }
}

static bool read_uniform(reader *r, const node *n, scene_size *size)
{
    double limits[2];
    if (!value_numbers(r, n, 2, limits)) return false;
    if (!(limits[0] > 0) || !(limits[1] >= limits[0])) {
        fault_add(r->f, n, "'uniform' must be [smallest, largest], the smallest greater than 0");
        return false;
    }
    size->a = limits[0];
    size->b = limits[1];
    return true;
}

/* Share of the normal distribution (for LOGNORMAL: of the logarithm) that lies within [min, max]. */
static double share_within(const scene_size *s)
{
    double mean = s->a, deviation = s->b, low = s->min, high = s->max;
    if (s->law == SIZE_LOGNORMAL) {
        double v = log1p(s->b / s->a * (s->b / s->a));
        mean = log(s->a) - v / 2;
        deviation = sqrt(v);
        low = low > 0 ? log(low) : -INFINITY;
        high = log(high);
    }
    if (!(deviation > 0)) return mean >= low && mean <= high ? 1 : 0;
    return 0.5 * (erf((high - mean) / (deviation * sqrt(2))) - erf((low - mean) / (deviation * sqrt(2))));
}

static bool read_normal(reader *r, const node *map, const node *n, scene_size *size)
{
    double numbers[2];
    const node *low = tree_get(r->t, map, "min"), *high = tree_get(r->t, map, "max");
    if (!value_numbers(r, n, 2, numbers)) return false;
    if (!(numbers[0] > 0) || !(numbers[1] >= 0)) {
        fault_add(r->f, n, "expected [mean, deviation], the mean greater than 0 and the deviation not negative");
        return false;
    }
    size->a = numbers[0];
    size->b = numbers[1];
    size->max = INFINITY;
    if (low != NULL && !read_positive(r, low, "min", &size->min)) return false;
    if (high != NULL && !read_positive(r, high, "max", &size->max)) return false;
    if (!(size->min < size->max)) {
        fault_add(r->f, low, "'min' must be less than 'max'");
        return false;
    }
    if (share_within(size) >= 0.01) return true;
    fault_add(r->f, n, "fewer than 1 in 100 draws of this distribution would lie within 'min' and 'max'");
    return false;
}

static bool read_law(reader *r, const node *n, scene_size *size)
{
    const node *uniform = tree_get(r->t, n, "uniform"), *normal = tree_get(r->t, n, "normal");
    const node *lognormal = tree_get(r->t, n, "lognormal");
    if ((uniform != NULL) + (normal != NULL) + (lognormal != NULL) != 1) {
        fault_add(r->f, n, "expected one of uniform, normal, lognormal in this map");
        return false;
    }
    size->law = uniform != NULL ? SIZE_UNIFORM : normal != NULL ? SIZE_NORMAL : SIZE_LOGNORMAL;
    check_map_keys(r, n, uniform != NULL ? "uniform" : normal != NULL ? "normal" : "lognormal", uniform == NULL);
    if (uniform != NULL) return read_uniform(r, uniform, size);
    return read_normal(r, n, normal != NULL ? normal : lognormal, size);
}

static bool read_size(reader *r, const node *n, const char *what, scene_size *size)
{
    *size = (scene_size){.law = SIZE_CONSTANT};
    if (n->kind == NODE_MAP) return read_law(r, n, size);
    if (n->kind == NODE_SCALAR) return read_positive(r, n, what, &size->a);
    value_refuse(r, n, "a number or a distribution");
    return false;
}

/* No body of that size has more than a hollow sphere, or a ring. */
static void check_inertia(reader *r, const node *n, double inertia)
{
    if (n == NULL) return;
    read_needs_rough(r, tree_key(r->t, n));
    if (r->s->dimension == 3 && inertia > 2.0 / 3 && inertia <= 1)
        fault_add(r->f, n, "'inertia' must be at most 2/3, that of a hollow sphere, not %s", value_quote(r, n));
}

static void read_one(reader *r, const node *n, scene_species *species)
{
    const node *key = tree_key(r->t, n);
    if (read_is_name(r, key, key->text, key->length)) {
        species->name = arena_text(r->memory, key->text, key->length);
        if (species->name == NULL) r->f->no_memory = key->length;
    }
    if (!value_is_map(r, n, "a map with 'diameter' and 'mass'")) return;
    settings_check_keys(r, n, &table_species, NULL);
    settings_read(r, &table_species, n, n, species);
    const node *diameter = tree_get(r->t, n, "diameter"), *radius = tree_get(r->t, n, "radius");
    const node *mass = tree_get(r->t, n, "mass"), *density = tree_get(r->t, n, "density");
    if (mass != NULL && density != NULL)
        fault_add(r->f, tree_key(r->t, density), "'mass' and 'density' exclude each other; give one");
    if (density != NULL) species->mass = 0;
    if (tree_get(r->t, n, "semi_axes") != NULL) {
        read_semi_axes(r, n, species);
        return;
    }
    if (diameter == NULL && radius == NULL)
        fault_add(r->f, n, "missing key 'diameter' (or 'radius') of species '%s'", value_quote(r, key));
    if (diameter != NULL && radius != NULL)
        fault_add(r->f, tree_key(r->t, radius), "'diameter' and 'radius' exclude each other; give one");
    check_inertia(r, tree_get(r->t, n, "inertia"), species->inertia);
    scene_size *size = &species->diameter;
    if (diameter != NULL) read_size(r, diameter, "diameter", size);
    if (radius != NULL && diameter == NULL && read_size(r, radius, "radius", size)) {
        size->a *= 2;
        size->b *= 2;
        size->min *= 2;
        size->max *= 2;
    }
}

void read_species(reader *r, const node *n)
{
    if (n == NULL || !value_is_map(r, n, "a map of species by name")) return;
    if (n->length == 0 || n->length > MOST_SPECIES) {
        fault_add(r->f, n,
                  n->length == 0 ? "a scene needs a species" : "more than 1000 species; use a distribution of sizes");
        return;
    }
    r->s->species = read_new(r, n->length, sizeof *r->s->species);
    if (r->s->species == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_one(r, item, &r->s->species[r->s->species_count++]);
}
