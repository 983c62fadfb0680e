/* Potentials in steps, and bonds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/language/reader.h"

/* Only `hard` knows them. */
static void refuse_elsewhere(reader *r, const node *n)
{
    if (n == NULL || n->length == 0 || !r->engine_known) return;
    const char *engine = r->vocabulary->engines[r->s->engine]->name;
    if (strcmp(engine, "hard") != 0)
        fault_add(r->f, tree_key(r->t, n), "the engine `%s` has no %s; leave them out, or use `engine: hard`", engine,
                  value_quote(r, tree_key(r->t, n)));
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

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

static void set_staircase(reader *r, scene_potential *p, const read_form *form)
{
    const double count = (double)form->steps;
    if (new_steps(r, p, form->steps) == NULL) return;
    for (size_t k = 0; k < p->count; k++)
        p->steps[k] =
            (scene_step){1 + (form->range - 1) * (count - (double)k) / count, -form->depth * ((double)k + 1) / count};
}

/* The Lennard-Jones potential by Mayer's function f = exp(-U / T) - 1, r in units of sigma. */
static double mayer(const read_form *form, double r)
{
    const double attraction = pow(r, -6);
    return expm1(-4 * form->depth / form->temperature * (attraction * attraction - attraction));
}

/* By how much f changes from the core to r: up to the minimum of U, then down. */
static double change_to(const read_form *form, double r)
{
    const double lowest = pow(2, 1.0 / 6), rise = mayer(form, fmin(r, lowest)) - mayer(form, form->core);
    return r > lowest ? rise + mayer(form, lowest) - mayer(form, r) : rise;
}

static double place_of(const read_form *form, double change)
{
    double low = form->core, high = form->cutoff;
    for (int n = 0; n < 100; n++) {
        const double middle = 0.5 * (low + high);
        *(change_to(form, middle) < change ? &low : &high) = middle;
    }
    return high;
}

/* The energy whose f is the mean of a shell from a to b, by Simpson's rule. */
static double mean_energy(const read_form *form, int dimension, double a, double b)
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

/* Steps where Mayer's function changes by equal amounts, of energies that leave its integral over each shell, and with
 * it the second virial coefficient at that temperature, what it was. (Schemes are compared by Thomson, Lue, Bannerman,
 * J. Chem. Phys. 140, 034105 (2014).) */
static void set_lennard_jones(reader *r, scene_potential *p, const read_form *form)
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

/* ---- user steps -------------------------------------------------------------------------------------------------- */

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

static void read_steps(reader *r, const node *n, scene_potential *p)
{
    enum { MOST_STEPS = 1000 };
    if (!value_is_list(r, n, "a list of [distance, energy]")) return;
    if (n->length == 0) fault_add(r->f, n, "this list is empty");
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

/* ---- potentials -------------------------------------------------------------------------------------------------- */

static void read_form_of(reader *r, const node *n, scene_potential *p)
{
    const node *key = tree_key(r->t, n);
    if (node_is(key, "steps")) {
        read_steps(r, n, p);
        return;
    }
    read_form form = {0};
    const setting *s = NULL;
    for (size_t k = 0; k < table_potentials.count; k++)
        if (node_is(key, table_potentials.entries[k].name)) s = &table_potentials.entries[k];
    const size_t before = r->f->count;
    if (s == NULL || !value_is_map(r, n, "a map")) return;
    settings_check_keys(r, n, s->table, NULL);
    settings_read(r, s->table, n, n, &form);
    if (r->f->count > before) return;
    if (node_is(key, "square_well")) set_one_step(r, p, form.range, -form.depth);
    if (node_is(key, "square_shoulder")) set_one_step(r, p, form.range, form.depth);
    if (node_is(key, "staircase")) set_staircase(r, p, &form);
    if (node_is(key, "lennard_jones")) set_lennard_jones(r, p, &form);
    p->bridge = node_is(key, "bridge");
    if (p->bridge) set_one_step(r, p, form.range, form.depth);
}

static bool read_between(reader *r, const node *n, scene_potential *p)
{
    const node *between = tree_get(r->t, n, "between");
    if (between == NULL) return false;
    if (between->kind != NODE_LIST || between->length != 2) {
        if (between->kind == NODE_LIST)
            fault_add(r->f, between, "expected two names, found %u", between->length);
        else
            value_refuse(r, between, "a list of two names");
        return false;
    }
    const node *first = tree_first(r->t, between);
    p->between[0] = read_species_name(r, first);
    p->between[1] = read_species_name(r, tree_next(r->t, first));
    if (p->between[0] == UINT32_MAX || p->between[1] == UINT32_MAX) return false;
    for (const scene_potential *q = r->s->potentials; q < p; q++)
        for (int k = 0; k < 2; k++)
            if (q->between[0] == p->between[k] && q->between[1] == p->between[1 - k]) {
                fault_add(r->f, between, "this pair is given twice");
                return false;
            }
    return true;
}

static void read_potential(reader *r, const node *n, scene_potential *p)
{
    p->between[0] = p->between[1] = UINT32_MAX;
    if (!value_is_map(r, n, "a map with 'between' and a form, such as 'square_well'")) return;
    settings_check_keys(r, n, &table_potentials, NULL);
    settings_read(r, &table_potentials, n, n, p);
    read_between(r, n, p);
    const node *form = NULL;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        if (node_is(tree_key(r->t, item), "between")) continue;
        if (form != NULL)
            fault_add(r->f, tree_key(r->t, item), "'%s' and '%s' exclude each other; give one",
                      value_quote(r, tree_key(r->t, form)), value_quote(r, tree_key(r->t, item)));
        else
            form = item;
    }
    if (form == NULL)
        fault_add(r->f, n,
                  "missing form: one of square_well, square_shoulder, steps, staircase, lennard_jones, bridge");
    else
        read_form_of(r, form, p);
}

void read_potentials(reader *r, const node *n)
{
    refuse_elsewhere(r, n);
    r->s->potentials = read_list(r, n, "a list of potentials", sizeof *r->s->potentials);
    if (r->s->potentials == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_potential(r, item, &r->s->potentials[r->s->potential_count++]);
}

/* ---- bonds ------------------------------------------------------------------------------------------------------- */

/* A chain is cut into pieces, and these closed, as is wanted. */
static void cut_chain(reader *r, const node *n, scene_bonds *bonds)
{
    const uint64_t particles = bonds->count + 1, length = bonds->length > 0 ? bonds->length : particles;
    const uint32_t first = bonds->pairs[0][0];
    if (particles % length != 0) {
        fault_add(r->f, n, "'chain' has %llu particles, which are no pieces of %llu", (unsigned long long)particles,
                  (unsigned long long)length);
        return;
    }
    if (bonds->closed && length < 3) {
        fault_add(r->f, n, "a ring takes 3 particles at least");
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

static void read_bond(reader *r, const node *n, scene_bonds *bonds)
{
    if (!value_is_map(r, n, "a map with 'name', 'pairs' and 'longest'")) return;
    settings_check_keys(r, n, &table_bonds, NULL);
    settings_read(r, &table_bonds, n, n, bonds);
    read_list_name(r, n, r->s->bonds, sizeof *bonds, bonds, "bonds");
    bonds->pairs = read_pairs(r, n, "a bond", &bonds->count);
    const node *longest = tree_get(r->t, n, "longest"), *chain = tree_get(r->t, n, "chain");
    if (chain != NULL && bonds->count > 0)
        cut_chain(r, chain, bonds);
    else if (chain == NULL && (bonds->length > 0 || bonds->closed))
        fault_add(r->f, n, "'length' and 'closed' are about a 'chain'");
    if (longest != NULL && bonds->longest > 0 && !(bonds->shortest < bonds->longest))
        fault_add(r->f, longest, "'longest' must be above 'shortest'");
}

void read_bonds(reader *r, const node *n)
{
    refuse_elsewhere(r, n);
    r->s->bonds = read_list(r, n, "a list of bonds", sizeof *r->s->bonds);
    if (r->s->bonds == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_bond(r, item, &r->s->bonds[r->s->bonds_count++]);
}
