/* Planes, and which pair bounces how. */
#include <math.h>
#include <string.h>

#include "scene/language/reader.h"
#include "scene/language/suggest.h"

enum { MOST_PLANES = 10000 };

static void check_plane_name(reader *r, const node *n, const scene_plane *plane)
{
    size_t length = strlen(plane->name);
    if (!read_is_name(r, n, plane->name, length)) return;
    if (read_find_species(r, plane->name, length) != UINT32_MAX)
        fault_add(r->f, n, "the name '%s' is taken by a species", plane->name);
    for (const scene_plane *p = r->s->planes; p < plane; p++)
        if (p->name != NULL && strcmp(p->name, plane->name) == 0)
            fault_add(r->f, n, "the name '%s' is taken by another plane", plane->name);
}

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

bool read_unit(double v[3])
{
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0)) return false;
    if (fabs(square(v) - 1) <= 0x1p-50) return true;
    for (int i = 0; i < 3; i++) v[i] /= largest; /* so that no square under- or overflows */
    double length = sqrt(square(v));
    for (int i = 0; i < 3; i++) v[i] /= length;
    return true;
}

static void read_plane(reader *r, const node *n, scene_plane *plane)
{
    if (!value_is_map(r, n, "a map with 'name', 'point' and 'normal'")) return;
    settings_check_keys(r, n, &table_plane, NULL);
    settings_read(r, &table_plane, n, n, plane);
    if (plane->name != NULL) check_plane_name(r, tree_get(r->t, n, "name"), plane);
    const node *normal = tree_get(r->t, n, "normal");
    if (normal == NULL || normal->kind != NODE_LIST || normal->length != (uint32_t)r->s->dimension) return;
    if (!read_unit(plane->normal)) fault_add(r->f, normal, "'normal' must not be zero");
}

void read_planes(reader *r, const node *n)
{
    if (n == NULL || !value_is_list(r, n, "a list of planes")) return;
    if (n->length > MOST_PLANES) {
        fault_add(r->f, n, "more than %d planes", MOST_PLANES);
        return;
    }
    r->s->planes = read_new(r, n->length, sizeof *r->s->planes);
    if (r->s->planes == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_plane(r, item, &r->s->planes[r->s->plane_count++]);
}

static bool read_restitution_number(reader *r, const node *n, double *e)
{
    if (!value_number(r, n, e)) return false;
    if (*e >= 0 && *e <= 1) return true;
    fault_add(r->f, n, "a coefficient of restitution lies between 0 and 1, not %s", value_quote(r, n));
    return false;
}

static bool read_row(reader *r, const node *n, restitution_law *law)
{
    double *row = law->table[law->count], *before = law->count > 0 ? law->table[law->count - 1] : NULL;
    if (!value_numbers(r, n, 2, row)) return false;
    law->count++;
    if (!(row[0] >= 0) || (before != NULL && !(row[0] > before[0]))) {
        fault_add(r->f, n, "speeds in a table must not be negative and must grow from row to row");
        return false;
    }
    if (row[1] >= 0 && row[1] <= 1) return true;
    fault_add(r->f, n, "a coefficient of restitution lies between 0 and 1");
    return false;
}

static void read_table(reader *r, const node *n, restitution_law *law)
{
    law->kind = RESTITUTION_TABLE;
    if (!value_is_list(r, n, "a list of [speed, e]")) return;
    if (n->length == 0) fault_add(r->f, n, "this table is empty");
    law->table = read_new(r, n->length, sizeof *law->table);
    const node *item = law->table != NULL ? tree_first(r->t, n) : NULL;
    while (item != NULL && read_row(r, item, law)) item = tree_next(r->t, item);
}

static void read_restitution(reader *r, const node *n, restitution_law *law)
{
    if (n == NULL) return;
    const node *viscoelastic = tree_get(r->t, n, "viscoelastic"), *table = tree_get(r->t, n, "table");
    if (n->kind == NODE_SCALAR) {
        read_restitution_number(r, n, &law->value);
    } else if (n->kind == NODE_MAP && n->length == 1 && viscoelastic != NULL) {
        law->kind = RESTITUTION_VISCOELASTIC;
        if (value_number(r, viscoelastic, &law->value) && law->value < 0)
            fault_add(r->f, viscoelastic, "'viscoelastic' must be at least 0, not %s", value_quote(r, viscoelastic));
    } else if (n->kind == NODE_MAP && n->length == 1 && table != NULL) {
        read_table(r, table, law);
    } else {
        value_refuse(r, n, "a number, {viscoelastic: A} or {table: [[speed, e], ...]}");
    }
}

static void read_stick(reader *r, const node *n, restitution_law *law)
{
    if (n == NULL) return;
    law->stick_given = true;
    const node *below = tree_get(r->t, n, "below");
    if (n->kind == NODE_SCALAR && node_is(n, "always")) return;
    if (n->kind != NODE_MAP || n->length != 1 || below == NULL) {
        value_refuse(r, n, "always or {below: speed}");
        return;
    }
    if (value_number(r, below, &law->stick_below) && law->stick_below <= 0)
        fault_add(r->f, below, "'below' must be above 0, not %s: two that never stick can bounce without end",
                  value_quote(r, below));
}

/* What a contact may name: species count from 0 on, surfaces after them: the walls, planes, cylinders. */
static uint32_t find_partner(reader *r, const node *n)
{
    const scene *s = r->s;
    if (n->kind != NODE_SCALAR) {
        value_refuse(r, n, "the name of a species, 'wall', a plane or a cylinder");
        return UINT32_MAX;
    }
    uint32_t species = read_find_species(r, n->text, n->length);
    if (species != UINT32_MAX) return species;
    if (node_is(n, "wall")) return (uint32_t)s->species_count;
    for (size_t i = 0; i < s->plane_count; i++)
        if (s->planes[i].name != NULL && node_is(n, s->planes[i].name)) return (uint32_t)(s->species_count + 1 + i);
    for (size_t i = 0; i < s->cylinder_count; i++)
        if (s->cylinders[i].name != NULL && node_is(n, s->cylinders[i].name))
            return (uint32_t)(s->species_count + 1 + s->plane_count + i);
    suggest near = suggest_begin(n->text, n->length);
    suggest_try(&near, "wall");
    for (size_t i = 0; i < s->species_count; i++)
        if (s->species[i].name != NULL) suggest_try(&near, s->species[i].name);
    for (size_t i = 0; i < s->plane_count; i++)
        if (s->planes[i].name != NULL) suggest_try(&near, s->planes[i].name);
    for (size_t i = 0; i < s->cylinder_count; i++)
        if (s->cylinders[i].name != NULL) suggest_try(&near, s->cylinders[i].name);
    if (near.best != NULL)
        fault_add(r->f, n, "unknown name '%s'; did you mean '%s'?", value_quote(r, n), near.best);
    else if (read_knows(r, "species") && read_knows(r, "planes") && read_knows(r, "cylinders"))
        fault_add(r->f, n, "unknown name '%s'; expected a species, 'wall', a plane or a cylinder", value_quote(r, n));
    return UINT32_MAX;
}

/* Notes which law a pair has; `lines` remembers where the pair has been given: [species][species + scene_surfaces]. */
static void set_law(reader *r, const node *between, uint32_t a, uint32_t b, uint32_t law, uint32_t *lines)
{
    scene *s = r->s;
    size_t n = s->species_count, surfaces = scene_surfaces(s);
    if (a >= n && b >= n) {
        fault_add(r->f, between, "a contact needs a species; walls, planes and cylinders do not meet");
        return;
    }
    if (a >= n || (b < n && b < a)) {
        uint32_t other = a;
        a = b;
        b = other;
    }
    uint32_t *line = &lines[a * (n + surfaces) + b];
    if (*line != 0) {
        fault_add(r->f, between, "this pair is given twice; it stands on line %u already", *line);
        return;
    }
    *line = between->line;
    if (b >= n)
        s->surface_law[a * surfaces + (b - n)] = law;
    else
        s->pair_law[a * n + b] = s->pair_law[b * n + a] = law;
}

static void read_contact(reader *r, const node *n, size_t contact, uint32_t *lines)
{
    scene *s = r->s;
    if (!value_is_map(r, n, "a map with 'between' and 'restitution'")) return;
    settings_check_keys(r, n, &table_contact, NULL);
    const node *between = tree_get(r->t, n, "between"), *restitution = tree_get(r->t, n, "restitution");
    restitution_law law = {.kind = RESTITUTION_CONSTANT, .value = 1, .stick_below = INFINITY, .tangential = -1};
    law.contact = contact;
    settings_read(r, &table_contact, n, n, &law); /* friction, tangential; the rest by hand */
    law.friction_given = tree_get(r->t, n, "friction") != NULL;
    read_restitution(r, restitution, &law);
    read_stick(r, tree_get(r->t, n, "stick"), &law);
    const node *temperature = tree_get(r->t, n, "temperature");
    if (law.temperature > 0 && (restitution != NULL || law.tangential > -1 || law.friction_given))
        fault_add(r->f, tree_key(r->t, temperature),
                  "what comes off a thermal wall has forgotten how it came: leave 'restitution', 'tangential' and "
                  "'friction' out");
    if (law.tangential > -1) s->rough = read_needs_rough(r, tree_key(r->t, tree_get(r->t, n, "tangential")));
    bool usual = law.kind == RESTITUTION_CONSTANT && law.value == 1 && !law.stick_given && !law.friction_given &&
                 law.tangential == -1 && law.temperature == 0;
    uint32_t index = usual ? 0 : (uint32_t)s->law_count;
    if (!usual) s->laws[s->law_count++] = law;
    if (between == NULL) return;
    if (between->kind != NODE_LIST || between->length != 2) {
        if (between->kind == NODE_LIST)
            fault_add(r->f, between, "expected two names, found %u", between->length);
        else
            value_refuse(r, between, "a list of two names");
        return;
    }
    const node *first = tree_first(r->t, between);
    uint32_t a = find_partner(r, first), b = find_partner(r, tree_next(r->t, first));
    if (a != UINT32_MAX && b != UINT32_MAX) set_law(r, between, a, b, index, lines);
}

void read_contacts(reader *r, const node *n)
{
    scene *s = r->s;
    size_t species = s->species_count, surfaces = scene_surfaces(s), listed = 0;
    if (n != NULL && value_is_list(r, n, "a list of contacts")) listed = n->length;
    s->pair_law = read_new(r, species * species, sizeof *s->pair_law);
    s->surface_law = read_new(r, species * surfaces, sizeof *s->surface_law);
    s->laws = read_new(r, listed + 1, sizeof *s->laws);
    uint32_t *lines = arena_new(r->t->memory, species * (species + surfaces), sizeof *lines);
    if (lines == NULL) r->f->no_memory = species * (species + surfaces) * sizeof *lines;
    if (r->f->no_memory > 0) return;
    s->laws[0] = (restitution_law){.kind = RESTITUTION_CONSTANT, .value = 1, .stick_below = INFINITY, .tangential = -1};
    s->law_count = 1;
    if (listed == 0) return;
    size_t contact = 0;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_contact(r, item, contact++, lines);
}
