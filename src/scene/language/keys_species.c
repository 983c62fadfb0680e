/* The key `species`. */
#include <math.h>

#include "geometry/shapes.h"
#include "scene/language/reader.h"

enum { MOST_SPECIES = 1000 };

/* Largest ratio of length to width of a particle. */
#define MOST_SLENDER 1000.0

/* ---- diameter and radius ---- */

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

/* Probability that the normal distribution (for LOGNORMAL: of the logarithm) is within [min, max]. */
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

static bool read_size(reader *r, const node *n, scene_size *size)
{
    *size = (scene_size){.law = SIZE_CONSTANT};
    if (n->kind == NODE_MAP) return read_law(r, n, size);
    if (n->kind == NODE_SCALAR) return read_positive(r, n, r->row->name, &size->a);
    value_refuse(r, n, "a number or a distribution");
    return false;
}

static void read_diameter(reader *r, const node *n, void *into)
{
    read_size(r, n, &((scene_species *)into)->diameter);
}

static void write_diameter(writer *w, const void *from)
{
    static const char *const laws[] = {"", "uniform", "normal", "lognormal"};
    const scene_size *size = &((const scene_species *)from)->diameter;
    if (size->law == SIZE_CONSTANT) {
        write_number(w, size->a);
        return;
    }
    text_add(w->out, "{%s: ", laws[size->law]);
    write_numbers(w, (const double[]){size->a, size->b}, 2);
    if (size->law != SIZE_UNIFORM && size->min > 0) write_key_number(w, ", min: ", size->min);
    if (size->law != SIZE_UNIFORM && isfinite(size->max)) write_key_number(w, ", max: ", size->max);
    text_add(w->out, "}");
}

static void read_radius(reader *r, const node *n, void *into)
{
    scene_size *size = &((scene_species *)into)->diameter;
    if (!read_size(r, n, size)) return;
    size->a *= 2;
    size->b *= 2;
    size->min *= 2;
    size->max *= 2;
}

static const setting_form form_diameter = {read_diameter, write_diameter, false};
static const setting_form form_radius = {read_radius, NULL, false};

/* ---- shapes: one key each; its form reads and writes the half lengths along and across the axis ------------------ */

/* Called before the value of the key of a shape is read. */
static void begin_shape(reader *r, const node *n, uint32_t kind)
{
    static const char *const others[] = {"diameter", "radius", NULL};
    const char *key = shapes[kind]->key;
    const node *other = NULL;
    r->s->rough = r->s->shaped = true;
    read_needs(r, tree_key(r->t, n), ENGINE_SHAPES, shapes[kind]->plural);
    for (int k = 0; other == NULL && others[k] != NULL; k++) other = tree_get(r->t, r->map, others[k]);
    for (uint32_t k = 0; other == NULL && k < kind; k++) other = tree_get(r->t, r->map, shapes[k]->key);
    if (other != NULL)
        fault_add(r->f, tree_key(r->t, other), "'%s' and '%s' exclude each other" HINT "give one",
                  value_quote(r, tree_key(r->t, other)), key);
}

/* Stores the half lengths of a shape, which are positive. */
static void set_shape(reader *r, const node *n, uint32_t kind, double along, double across, scene_species *species)
{
    const double longest = fmax(along, across), shortest = fmin(along, across);
    if (longest > MOST_SLENDER * shortest) {
        fault_add(r->f, n, "'%s': one is more than 1000 times the other", shapes[kind]->key);
        return;
    }
    species->shape = kind;
    species->half[0] = along;
    species->half[1] = across;
    species->diameter = (scene_size){.law = SIZE_CONSTANT, .a = 2 * longest};
}

static bool has_shape(const void *from, uint32_t kind)
{
    const scene_species *species = from;
    return species->half[0] > 0 && species->shape == kind;
}

static void read_semi_axes(reader *r, const node *n, void *into)
{
    double semi[3];
    begin_shape(r, n, BODY_ELLIPSOID);
    if (!value_numbers(r, n, (size_t)r->s->dimension, semi)) return;
    if (!(fmin(semi[0], semi[1]) > 0))
        fault_add(r->f, n, "'semi_axes' must be greater than 0");
    else if (r->s->dimension == 3 && semi[1] != semi[2])
        fault_add(r->f, n, "the last two of 'semi_axes' must be equal: [a, b, b], a along the axis of revolution");
    else
        set_shape(r, n, BODY_ELLIPSOID, semi[0], semi[1], into);
}

static void write_semi_axes(writer *w, const void *from)
{
    const double *semi = ((const scene_species *)from)->half;
    write_vector(w, (const double[]){semi[0], semi[1], semi[1]});
}

static bool is_ellipsoid(const scene *s, const void *from)
{
    (void)s;
    return has_shape(from, BODY_ELLIPSOID);
}

static const setting_form form_semi_axes = {read_semi_axes, write_semi_axes, false};

/* ---- A species as a whole ---- */

/* The largest inertia at that size: a hollow sphere, or a ring. */
static void check_inertia(reader *r, const node *n, double inertia)
{
    if (n == NULL) return;
    read_needs_rough(r, tree_key(r->t, n));
    if (r->s->dimension == 3 && inertia > 2.0 / 3 && inertia <= 1)
        fault_add(r->f, n, "'inertia' must be at most 2/3, that of a hollow sphere, not %s", value_quote(r, n));
}

/* The elastic constants of a sphere, with a mass that belongs to them. */
static void check_elastic(reader *r, const node *map)
{
    const node *young = tree_get(r->t, map, "young"), *poisson = tree_get(r->t, map, "poisson");
    if (young == NULL && poisson == NULL) return;
    if (young == NULL || poisson == NULL)
        fault_add(r->f, tree_key(r->t, young != NULL ? young : poisson),
                  "'young' and 'poisson' belong together" HINT "give both, or neither");
    if (tree_get(r->t, map, "density") == NULL && tree_get(r->t, map, "mass") == NULL)
        fault_add(r->f, tree_key(r->t, young != NULL ? young : poisson),
                  "elastic constants without 'density'" HINT "give 'density', or 'mass'");
}

static void finish_species(reader *r, const node *map, void *into)
{
    scene_species *species = into;
    bool shaped = false;
    check_elastic(r, map);
    for (uint32_t k = 0; k < BODY_KINDS; k++) shaped = shaped || tree_get(r->t, map, shapes[k]->key) != NULL;
    if (tree_get(r->t, map, "density") != NULL) species->mass = 0;
    if (shaped) return;
    if (tree_get(r->t, map, "diameter") == NULL && tree_get(r->t, map, "radius") == NULL)
        fault_add(r->f, map, "missing key 'diameter' (or 'radius') of species '%s'",
                  species->name != NULL ? species->name : "");
    check_inertia(r, tree_get(r->t, map, "inertia"), species->inertia);
}

static void check_count(reader *r, const node *n)
{
    if (n != NULL && n->kind == NODE_MAP && n->length == 0) fault_add(r->f, n, "a scene needs at least one species");
}

const setting_list list_species = {.wanted = "a map of species by name",
                                   .count = offsetof(scene, species_count),
                                   .most = MOST_SPECIES,
                                   .things = "species; use a distribution of sizes",
                                   .finish = check_count};

WRITTEN_IF(is_round, scene_species, !(one->half[0] > 0))

WRITTEN_IF(has_mass, scene_species, !(one->density > 0))

WRITTEN_IF(is_elastic, scene_species, one->young > 0)

/* clang-format off */
static const char *const diameter_shapes[] = {"a number", "{uniform: [smallest, largest]}",
                                              "{normal: [mean, deviation], min: a, max: b}",
                                              "{lognormal: [mean, deviation], min: a, max: b}", NULL};
static const char *const semi_axes_shapes[] = {"[a, b] (2 dimensions)", "[a, b, b] (3 dimensions)", NULL};
static const setting species_entries[] = {
    {.name = "diameter", .type = SETTING_SHAPE, .unit = "length", .fallback = "", .choices = diameter_shapes,
     .form = &form_diameter, .written = is_round,
     .help = "one size for all, or a distribution; draws outside [min, max] are repeated. Either this or radius"},
    {.name = "radius", .type = SETTING_SHAPE, .unit = "length", .fallback = "", .choices = diameter_shapes,
     .form = &form_radius, .instead_of = "diameter",
     .help = "half the diameter, in the same forms"},
    {.name = "semi_axes", .type = SETTING_SHAPE, .unit = "length", .fallback = "", .choices = semi_axes_shapes,
     .form = &form_semi_axes, .written = is_ellipsoid,
     .help = "instead of diameter: of an ellipse or an ellipsoid of revolution, the first along its axis (`hard`)"},
    {.name = "mass", .type = SETTING_REAL, .offset = offsetof(scene_species, mass), .unit = "mass", .fallback = "1",
     .min = 0, .max = INFINITY, .above_min = true, .written = has_mass, .help = "of each particle"},
    {.name = "density", .type = SETTING_REAL, .offset = offsetof(scene_species, density), .unit = "mass / volume",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true, .instead_of = "mass",
     .help = "instead of mass: mass = density * volume (area in 2 dimensions)"},
    {.name = "inertia", .type = SETTING_REAL, .offset = offsetof(scene_species, inertia), .unit = "", .fallback = "",
     .min = 0, .max = 1, .above_min = true,
     .help = "moment of inertia in units of mass * diameter^2 / 4, for rotating particles; default: that of a solid sphere, 0.4, "
             "or disk, 0.5; for ellipsoids, normal to their axis, with the largest diameter"},
    {.name = "young", .type = SETTING_REAL, .offset = offsetof(scene_species, young), .unit = "force / area", .fallback = "",
     .min = 0, .max = INFINITY, .above_min = true, .written = is_elastic,
     .help = "Young's modulus of elastic spheres (`variational`, 3 dimensions): contacts have the forces of Hertz and Mindlin"},
    {.name = "poisson", .type = SETTING_REAL, .offset = offsetof(scene_species, poisson), .unit = "", .fallback = "",
     .min = -1, .max = 0.5, .above_min = true, .written = is_elastic,
     .help = "Poisson's ratio, with `young`"},
};
const settings_table table_species = {TABLE_OF("species", scene_species, species_entries, "a kind of particle"),
                                      .wanted = "a map with 'diameter' and 'mass'", .finish = finish_species};
