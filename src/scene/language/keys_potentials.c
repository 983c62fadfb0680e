/* The keys `potentials` (stepped) and `bonds`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/language/reader.h"

/* Settings of the forms of a potential. */
typedef struct parameters {
    double range; /* in contact distances */
    double depth;
    double core, cutoff; /* of the Lennard-Jones potential, in units of its sigma */
    double temperature;  /* at which it is discretised */
    uint64_t steps;
} parameters;

static void refuse_elsewhere(reader *r, const node *n, unsigned feature)
{
    const char *instead = n != NULL && n->length > 0 ? read_engine_instead(r, feature) : NULL;
    if (instead != NULL)
        fault_add(r->f, tree_key(r->t, n), "the engine `%s` has no %s" HINT "leave them out, or use `engine: %s`",
                  r->vocabulary->engines[r->s->engine]->name, value_quote(r, tree_key(r->t, n)), instead);
}

/* ---- steps of the forms ------------------------------------------------------------------------------------------ */

static scene_step *new_steps(reader *r, scene_potential *p, size_t count)
{
    p->steps = read_new(r, count, sizeof *p->steps);
    p->count = p->steps != NULL ? count : 0;
    return p->steps;
}

static void set_one_step(reader *r, scene_potential *p, double distance, double energy)
{
    if (new_steps(r, p, 1) != NULL) p->steps[0] = (scene_step){distance, energy};
}

static void set_staircase(reader *r, scene_potential *p, const parameters *form)
{
    const double count = (double)form->steps;
    if (new_steps(r, p, form->steps) == NULL) return;
    for (size_t k = 0; k < p->count; k++)
        p->steps[k] =
            (scene_step){1 + (form->range - 1) * (count - (double)k) / count, -form->depth * ((double)k + 1) / count};
}

/* The Lennard-Jones potential in terms of Mayer's function f = exp(-U / T) - 1, r in units of sigma. */
static double mayer(const parameters *form, double r)
{
    const double attraction = pow(r, -6);
    return expm1(-4 * form->depth / form->temperature * (attraction * attraction - attraction));
}

/* Total variation of f from the core to r: up to the minimum of U, then down. */
static double change_to(const parameters *form, double r)
{
    const double lowest = pow(2, 1.0 / 6), rise = mayer(form, fmin(r, lowest)) - mayer(form, form->core);
    return r > lowest ? rise + mayer(form, lowest) - mayer(form, r) : rise;
}

static double place_of(const parameters *form, double change)
{
    double low = form->core, high = form->cutoff;
    for (int n = 0; n < 100; n++) {
        const double middle = 0.5 * (low + high);
        *(change_to(form, middle) < change ? &low : &high) = middle;
    }
    return high;
}

/* The energy at which f equals its mean over a shell from a to b, by Simpson's rule. */
static double mean_energy(const parameters *form, int dimension, double a, double b)
{
    enum { PARTS = 400 };
    double sum = 0, volume = 0;
    for (int n = 0; n <= PARTS; n++) {
        const double r = a + (b - a) * n / PARTS, weight = n == 0 || n == PARTS ? 1 : n % 2 == 1 ? 4 : 2;
        const double area = weight * (dimension == 3 ? r * r : r);
        sum += area * mayer(form, r);
        volume += area;
    }
    return -form->temperature * log1p(sum / volume);
}

/* Steps at equal changes of Mayer's function. Their energies preserve its integral over each shell, and with it the
 * second virial coefficient at that temperature. (Schemes are compared by Thomson, Lue, Bannerman, J. Chem. Phys. 140,
 * 034105 (2014).) */
static void set_lennard_jones(reader *r, scene_potential *p, const parameters *form)
{
    const double whole = change_to(form, form->cutoff);
    if (new_steps(r, p, form->steps) == NULL) return;
    double b = form->cutoff;
    for (size_t k = 0; k < p->count; k++) {
        const double share = (double)(p->count - k - 1) / (double)p->count;
        const double a = k + 1 < p->count ? place_of(form, share * whole) : form->core;
        p->steps[k] = (scene_step){b / form->core, mean_energy(form, r->s->dimension, a, b)};
        b = a;
    }
}

static bool read_parameters(reader *r, const node *n, parameters *p)
{
    const size_t before = r->f->count;
    *p = (parameters){0};
    return settings_read_map(r, r->row->table, n, p) && r->f->count == before;
}

static void read_well(reader *r, const node *n, void *into)
{
    parameters p;
    if (read_parameters(r, n, &p)) set_one_step(r, into, p.range, -p.depth);
}

static void read_shoulder(reader *r, const node *n, void *into)
{
    parameters p;
    if (read_parameters(r, n, &p)) set_one_step(r, into, p.range, p.depth);
}

static void read_staircase(reader *r, const node *n, void *into)
{
    parameters p;
    if (read_parameters(r, n, &p)) set_staircase(r, into, &p);
}

static void read_lennard_jones(reader *r, const node *n, void *into)
{
    parameters p;
    if (read_parameters(r, n, &p)) set_lennard_jones(r, into, &p);
}

static const setting_form form_well = {read_well, NULL, false}, form_shoulder = {read_shoulder, NULL, false};
static const setting_form form_staircase = {read_staircase, NULL, false};
static const setting_form form_lennard_jones = {read_lennard_jones, NULL, false};

/* ---- bridge ---- */

WRITTEN_IF(is_bridge, scene_potential, one->bridge)

static void read_bridge(reader *r, const node *n, void *into)
{
    parameters p;
    ((scene_potential *)into)->bridge = true;
    if (read_parameters(r, n, &p)) set_one_step(r, into, p.range, p.depth);
}

static void write_bridge(writer *w, const void *from)
{
    const scene_step *step = ((const scene_potential *)from)->steps;
    write_map(w, w->row->table, &(parameters){.range = step->distance, .depth = step->energy});
}

static const setting_form form_bridge = {read_bridge, write_bridge, false};

/* ---- steps ---- */

static int from_outermost(const void *left, const void *right)
{
    const scene_step *a = left, *b = right;
    return a->distance < b->distance ? 1 : a->distance > b->distance ? -1 : 0;
}

static bool read_step(reader *r, const node *n, scene_step *step)
{
    double row[2];
    if (!value_numbers(r, n, 2, row)) return false;
    *step = (scene_step){row[0], row[1]};
    if (row[0] > 1 && row[0] <= 1e6) return true;
    fault_add(r->f, n, "steps lie beyond contact, at a distance of 1: they need distances between 1 and 1e6");
    return false;
}

static void read_steps(reader *r, const node *n, void *into)
{
    scene_potential *p = into;
    enum { MOST_STEPS = 1000 };
    if (!value_is_list(r, n, "a list of [distance, energy]")) return;
    if (n->length == 0) value_refuse_empty(r, n);
    if (n->length > MOST_STEPS) fault_add(r->f, n, "more than %d steps", MOST_STEPS);
    if (n->length == 0 || n->length > MOST_STEPS || new_steps(r, p, n->length) == NULL) return;
    size_t k = 0;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        if (!read_step(r, item, &p->steps[k++])) return;
    qsort(p->steps, p->count, sizeof *p->steps, from_outermost);
    for (k = 1; k < p->count; k++)
        if (!(p->steps[k].distance < p->steps[k - 1].distance)) {
            fault_add(r->f, n, "two steps at one distance");
            return;
        }
}

static void write_steps(writer *w, const void *from)
{
    const scene_potential *p = from;
    for (size_t k = 0; k < p->count; k++) {
        text_add(w->out, k > 0 ? ",\n      " : "[");
        write_numbers(w, (double[2]){p->steps[k].distance, p->steps[k].energy}, 2);
    }
    text_add(w->out, "]");
}

static bool has_steps(const scene *s, const void *from)
{
    return !is_bridge(s, from);
}

static const setting_form form_steps = {read_steps, write_steps, false};

/* ---- between ---- */

static void read_between(reader *r, const node *n, void *into)
{
    scene_potential *p = into;
    if (n->kind != NODE_LIST || n->length != 2) {
        if (n->kind == NODE_LIST)
            fault_add(r->f, n, "expected two names, found %u", n->length);
        else
            value_refuse(r, n, "a list of two names");
        return;
    }
    const node *first = tree_first(r->t, n);
    p->between[0] = read_species_name(r, first);
    p->between[1] = read_species_name(r, tree_next(r->t, first));
    if (p->between[0] == UINT32_MAX || p->between[1] == UINT32_MAX) return;
    for (const scene_potential *q = r->s->potentials; q < p; q++)
        for (int k = 0; k < 2; k++)
            if (q->between[0] == p->between[k] && q->between[1] == p->between[1 - k]) {
                fault_add(r->f, n, "this pair is given twice");
                return;
            }
}

static void write_between(writer *w, const void *from)
{
    const uint32_t *between = ((const scene_potential *)from)->between;
    text_add(w->out, "[%s, %s]", w->s->species[between[0]].name, w->s->species[between[1]].name);
}

static const setting_form form_between = {read_between, write_between, false};

/* ---- A potential as a whole ---- */

static void begin_potential(reader *r, void *filled)
{
    scene_potential *p = filled;
    (void)r;
    p->between[0] = p->between[1] = UINT32_MAX;
}

static void refuse_no_form(reader *r, const node *map)
{
    text_buffer forms = {0};
    for (size_t i = 0; i < table_potentials.count; i++) {
        const char *name = table_potentials.entries[i].name;
        if (strcmp(name, "between") != 0) text_add(&forms, "%s%s", forms.length > 0 ? ", " : "", name);
    }
    fault_add(r->f, map, "missing form: one of %s", forms.failed ? "the keys of potentials" : forms.data);
    text_free(&forms);
}

static void finish_potential(reader *r, const node *map, void *filled)
{
    const node *form = NULL;
    (void)filled;
    for (const node *item = tree_first(r->t, map); item != NULL; item = tree_next(r->t, item)) {
        if (node_is(tree_key(r->t, item), "between")) continue;
        if (form != NULL)
            fault_add(r->f, tree_key(r->t, item), "'%s' and '%s' exclude each other" HINT "give one",
                      value_quote(r, tree_key(r->t, form)), value_quote(r, tree_key(r->t, item)));
        else
            form = item;
    }
    if (form == NULL) refuse_no_form(r, map);
}

static void finish_potentials(reader *r, const node *n)
{
    refuse_elsewhere(r, n, ENGINE_STEPS);
}

const setting_list list_potentials = {.wanted = "a list of potentials",
                                      .count = offsetof(scene, potential_count),
                                      .silent = true,
                                      .finish = finish_potentials};

/* clang-format off */
#define FORM(member) offsetof(parameters, member)
static const setting square_well_entries[] = {
    {.name = "range", .type = SETTING_REAL, .offset = FORM(range), .unit = "contact distance", .min = 1, .max = 1e6,
     .above_min = true, .help = "distance at which the well ends"},
    {.name = "depth", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy", .min = 0, .max = INFINITY,
     .above_min = true, .help = "energy of a pair inside is lower by this"},
};
static const settings_table table_square_well = {TABLE_OF("square_well", parameters, square_well_entries, "a well around the hard core")};

static const setting square_shoulder_entries[] = {
    {.name = "range", .type = SETTING_REAL, .offset = FORM(range), .unit = "contact distance", .min = 1, .max = 1e6,
     .above_min = true, .help = "distance at which the shoulder ends"},
    {.name = "height", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy", .min = 0, .max = INFINITY,
     .above_min = true, .help = "energy of a pair inside is higher by this"},
};
static const settings_table table_square_shoulder = {TABLE_OF("square_shoulder", parameters, square_shoulder_entries, "a shoulder around the hard core")};

static const setting staircase_entries[] = {
    {.name = "range", .type = SETTING_REAL, .offset = FORM(range), .unit = "contact distance", .min = 1, .max = 1e6,
     .above_min = true, .help = "distance at which it begins"},
    {.name = "depth", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy",
     .help = "energy at contact is lower by this; below 0: an ascending staircase"},
    {.name = "steps", .type = SETTING_INTEGER, .offset = FORM(steps), .unit = "", .min = 1, .max = 1000,
     .help = "of equal width and height"},
};
static const settings_table table_staircase = {TABLE_OF("staircase", parameters, staircase_entries, "a terraced ramp down to the hard core")};

static const setting lennard_jones_entries[] = {
    {.name = "epsilon", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy", .min = 0, .max = INFINITY,
     .above_min = true, .help = "depth of the continuous potential 4 epsilon (r^-12 - r^-6), r in units of sigma"},
    {.name = "core", .type = SETTING_REAL, .offset = FORM(core), .unit = "sigma", .fallback = "0.8", .min = 0.1,
     .max = 1, .help = "the contact distance"},
    {.name = "cutoff", .type = SETTING_REAL, .offset = FORM(cutoff), .unit = "sigma", .fallback = "2.5", .min = 1.2,
     .max = 100, .help = "distance at which it ends"},
    {.name = "steps", .type = SETTING_INTEGER, .offset = FORM(steps), .unit = "", .fallback = "20", .min = 2,
     .max = 1000, .help = "number of steps between core and cutoff; exp(-U / temperature) changes equally at each"},
    {.name = "temperature", .type = SETTING_REAL, .offset = FORM(temperature), .unit = "energy", .fallback = "1",
     .min = 0, .max = INFINITY, .above_min = true,
     .help = "at which the steps have the second virial coefficient of the smooth potential"},
};
static const settings_table table_lennard_jones = {TABLE_OF("lennard_jones", parameters, lennard_jones_entries, "the Lennard-Jones potential in steps")};

static const setting bridge_entries[] = {
    {.name = "rupture", .type = SETTING_REAL, .offset = FORM(range), .unit = "contact distance", .min = 1, .max = 1e6,
     .above_min = true, .help = "distance at which it breaks"},
    {.name = "energy", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy", .min = 0, .max = INFINITY,
     .above_min = true, .help = "dissipated when it breaks; pairs with less energy are reflected"},
};
static const settings_table table_bridge = {TABLE_OF("bridge", parameters, bridge_entries, "a thin liquid bridge, which forms at contact")};

static const char *const step_shapes[] = {"[[distance, energy], ...]", NULL};
static const char *const species_shapes[] = {"[SPECIES, SPECIES]", NULL};
#define SHAPE_OF(text, how)                                                                                            \
    {.name = #text, .type = SETTING_SHAPE, .unit = "", .fallback = "", .table = &table_##text, .form = &form_##how
static const setting potentials_entries[] = {
    {.name = "between", .type = SETTING_SHAPE, .unit = "", .choices = species_shapes, .form = &form_between,
     .help = "the two species"},
    SHAPE_OF(square_well, well), .help = "a well around the hard core. One of these forms"},
    SHAPE_OF(square_shoulder, shoulder), .help = "a shoulder around the hard core"},
    {.name = "steps", .type = SETTING_SHAPE, .unit = "contact distance, energy", .fallback = "", .choices = step_shapes,
     .form = &form_steps, .written = has_steps,
     .help = "the energy of a pair closer than each distance, in any order; 0 beyond the largest"},
    SHAPE_OF(staircase, staircase), .help = "a terraced ramp down to the hard core"},
    SHAPE_OF(lennard_jones, lennard_jones), .help = "the Lennard-Jones potential in steps"},
    SHAPE_OF(bridge, bridge), .written = is_bridge, .help = "a thin liquid bridge, which forms at contact"},
};
const settings_table table_potentials = {
    TABLE_OF("potentials", scene_potential, potentials_entries, "steps of the energy of a pair of particles; pairs not listed have none"),
    .wanted = "a map with 'between' and a form, such as 'square_well'", .begin = begin_potential, .finish = finish_potential};
/* clang-format on */

/* ---- bonds ---- */

/* Divides a chain into pieces, and closes these, as requested. */
static void cut_chain(reader *r, const node *n, scene_bonds *bonds)
{
    const uint64_t particles = bonds->count + 1, length = bonds->length > 0 ? bonds->length : particles;
    const uint32_t first = bonds->pairs[0][0];
    if (particles % length != 0) {
        fault_add(r->f, n, "'chain' has %llu particles, not a multiple of %llu", (unsigned long long)particles,
                  (unsigned long long)length);
        return;
    }
    if (bonds->closed && length < 3) {
        fault_add(r->f, n, "a ring needs at least 3 particles");
        return;
    }
    const uint64_t pieces = particles / length, each = bonds->closed ? length : length - 1;
    uint32_t(*pairs)[2] = read_new(r, pieces * each, sizeof *pairs);
    if (pairs == NULL) return;
    for (uint64_t k = 0; k < pieces * each; k++) {
        const uint64_t from = first + k / each * length, at = k % each;
        pairs[k][0] = (uint32_t)(from + at);
        pairs[k][1] = (uint32_t)(from + (at + 1) % length);
    }
    bonds->pairs = pairs;
    bonds->count = pieces * each;
}

static void finish_bond(reader *r, const node *map, void *filled)
{
    scene_bonds *bonds = filled;
    const node *longest = tree_get(r->t, map, "longest"), *chain = tree_get(r->t, map, "chain");
    read_list_name(r, map, r->s->bonds, sizeof *bonds, bonds, "bonds");
    if (chain == NULL && tree_get(r->t, map, "pairs") == NULL)
        fault_add(r->f, map, "missing key 'pairs' (or 'chain'): the particles");
    if (chain != NULL && bonds->count > 0)
        cut_chain(r, chain, bonds);
    else if (chain == NULL && (bonds->length > 0 || bonds->closed))
        fault_add(r->f, map, "'length' and 'closed' require a 'chain'");
    if (longest != NULL && bonds->longest > 0 && !(bonds->shortest < bonds->longest))
        fault_add(r->f, longest, "'longest' must be above 'shortest'");
}

static void finish_bonds(reader *r, const node *n)
{
    refuse_elsewhere(r, n, ENGINE_STEPS);
}

const setting_list list_bonds = {
    .wanted = "a list of bonds", .count = offsetof(scene, bonds_count), .silent = true, .finish = finish_bonds};

/* clang-format off */
/* The resolved scene contains the pieces of a chain as pairs. */
static const char *const pair_shapes[] = {"[[i, j], ...]", NULL};
static const char *const chain_shapes[] = {"{from: FIRST, to: LAST}", NULL};
static const setting bonds_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_bonds, name), .unit = "",
     .help = "name in messages"},
    {.name = "pairs", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = pair_shapes,
     .form = &form_pairs, .written = is_pair_list,
     .help = "bonded particles, by their numbers: from 0, in the order of `particles`"},
    {.name = "chain", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = chain_shapes,
     .form = &form_pair_chain, .instead_of = "pairs", .written = is_pair_chain,
     .help = "instead of pairs: each of these particles and the next"},
    {.name = "length", .type = SETTING_INTEGER, .offset = offsetof(scene_bonds, length), .unit = "", .fallback = "",
     .min = 2, .max = INFINITY, .written = write_never, .help = "number of particles of each piece of the chain; without it the chain is not divided"},
    {.name = "closed", .type = SETTING_BOOL, .offset = offsetof(scene_bonds, closed), .unit = "", .fallback = "false",
     .written = write_never, .help = "rings: the last particle of each piece of the chain is bonded to its first"},
    {.name = "shortest", .type = SETTING_REAL, .offset = offsetof(scene_bonds, shortest), .unit = "length",
     .fallback = "0", .min = 0, .max = INFINITY,
     .help = "distance of elastic collisions, instead of the contact distance"},
    {.name = "longest", .type = SETTING_REAL, .offset = offsetof(scene_bonds, longest), .unit = "length", .min = 0,
     .max = INFINITY, .above_min = true, .help = "distance at which the velocity reverses inwards"},
};
const settings_table table_bonds = {
    TABLE_OF("bonds", scene_bonds, bonds_entries, "permanent bonds of pairs, with free motion between two distances"),
    .wanted = "a map with 'name', 'pairs' and 'longest'", .finish = finish_bond};
