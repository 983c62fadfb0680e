/* The key `contacts`: collision laws of pairs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/exact.h"
#include "scene/language/reader.h"
#include "scene/language/suggest.h"

/* An item: the law, and the two partners (find_partner). */
typedef struct contact {
    restitution_law law;
    uint32_t between[2];
} contact;

WRITTEN_IF(is_thermal, contact, one->law.temperature > 0)

/* ---- between ---- */

static bool knows_surfaces(const reader *r)
{
    bool all = read_knows(r, "planes");
    for (size_t k = 0; k < EXACT_COUNT; k++) all = all && read_knows(r, exact_kinds[k]->names);
    return all;
}

static void refuse_partner(reader *r, const node *n)
{
    const scene *s = r->s;
    suggest near = suggest_begin(n->text, n->length);
    suggest_try(&near, "wall");
    for (size_t i = 0; i < s->species_count; i++)
        if (s->species[i].name != NULL) suggest_try(&near, s->species[i].name);
    for (size_t i = 0; i < s->plane_count; i++)
        if (s->planes[i].name != NULL) suggest_try(&near, s->planes[i].name);
    for (size_t i = 0; i < scene_exact_count(s); i++)
        if (scene_exact_name(s, i) != NULL) suggest_try(&near, scene_exact_name(s, i));
    if (near.best != NULL)
        fault_add(r->f, n, "unknown name '%s'" HINT "did you mean '%s'?", value_quote(r, n), near.best);
    else if (read_knows(r, "species") && knows_surfaces(r))
        fault_add(r->f, n, "unknown name '%s'" HINT "expected a species, 'wall', a plane%s", value_quote(r, n),
                  scene_exact_words(s, false, ", a ", " or a ", "").text);
}

/* Partners of a contact, by index: species from 0 on, then surfaces: the walls, planes, exact surfaces. */
static uint32_t find_partner(reader *r, const node *n)
{
    const scene *s = r->s;
    if (n->kind != NODE_SCALAR) {
        char wanted[300];
        snprintf(wanted, sizeof wanted, "the name of a species, 'wall', a plane%s",
                 scene_exact_words(s, false, ", a ", " or a ", "").text);
        value_refuse(r, n, wanted);
        return UINT32_MAX;
    }
    uint32_t species = read_find_species(r, n->text, n->length);
    if (species != UINT32_MAX) return species;
    if (node_is(n, "wall")) return (uint32_t)s->species_count;
    for (size_t i = 0; i < s->plane_count; i++)
        if (s->planes[i].name != NULL && node_is(n, s->planes[i].name)) return (uint32_t)(s->species_count + 1 + i);
    for (size_t i = 0; i < scene_exact_count(s); i++) {
        const char *name = scene_exact_name(s, i);
        if (name != NULL && node_is(n, name)) return (uint32_t)(s->species_count + 1 + s->plane_count + i);
    }
    refuse_partner(r, n);
    return UINT32_MAX;
}

static void read_between(reader *r, const node *n, void *into)
{
    contact *c = into;
    if (n->kind != NODE_LIST) {
        value_refuse(r, n, "a list of two names");
    } else if (n->length != 2) {
        fault_add(r->f, n, "expected two names, found %u", n->length);
    } else {
        const node *first = tree_first(r->t, n);
        c->between[0] = find_partner(r, first);
        c->between[1] = find_partner(r, tree_next(r->t, first));
    }
}

static const char *partner_name(const scene *s, size_t partner)
{
    if (partner < s->species_count) return s->species[partner].name;
    const size_t surface = partner - s->species_count;
    if (surface == 0) return "wall";
    return surface <= s->plane_count ? s->planes[surface - 1].name : scene_exact_name(s, surface - 1 - s->plane_count);
}

static void write_between(writer *w, const void *from)
{
    const contact *c = from;
    text_add(w->out, "[%s, %s]", partner_name(w->s, c->between[0]), partner_name(w->s, c->between[1]));
}

static const setting_form form_between = {read_between, write_between, false};

/* ---- restitution ---- */

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
    if (n->length == 0) value_refuse_empty(r, n);
    law->table = read_new(r, n->length, sizeof *law->table);
    const node *item = law->table != NULL ? tree_first(r->t, n) : NULL;
    while (item != NULL && read_row(r, item, law)) item = tree_next(r->t, item);
}

static void read_restitution(reader *r, const node *n, void *into)
{
    restitution_law *law = &((contact *)into)->law;
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

static void write_restitution(writer *w, const void *from)
{
    const restitution_law *law = &((const contact *)from)->law;
    if (law->kind == RESTITUTION_CONSTANT) {
        write_number(w, law->value);
    } else if (law->kind == RESTITUTION_VISCOELASTIC) {
        write_key_number(w, "{viscoelastic: ", law->value);
        text_add(w->out, "}");
    } else {
        text_add(w->out, "{table: [");
        for (size_t i = 0; i < law->count; i++) {
            if (i > 0) text_add(w->out, ", ");
            write_numbers(w, law->table[i], 2);
        }
        text_add(w->out, "]}");
    }
}

/* `temperature` replaces the law. */
static bool has_restitution(const scene *s, const void *from)
{
    return !is_thermal(s, from);
}

static const setting_form form_restitution = {read_restitution, write_restitution, false};

/* ---- stick ---- */

static void read_stick(reader *r, const node *n, void *into)
{
    restitution_law *law = &((contact *)into)->law;
    law->stick_below = INFINITY;
    const node *below = tree_get(r->t, n, "below");
    if (n->kind == NODE_SCALAR && node_is(n, "always")) return;
    if (n->kind != NODE_MAP || n->length != 1 || below == NULL) {
        value_refuse(r, n, "always or {below: speed}");
        return;
    }
    if (value_number(r, below, &law->stick_below) && law->stick_below <= 0)
        fault_add(r->f, below, "'below' must be greater than 0, not %s: pairs that never stick can collide without end",
                  value_quote(r, below));
}

static void write_stick(writer *w, const void *from)
{
    const restitution_law *law = &((const contact *)from)->law;
    if (law->stick_below == INFINITY) {
        text_add(w->out, "always");
        return;
    }
    write_key_number(w, "{below: ", law->stick_below);
    text_add(w->out, "}");
}

static bool has_stick(const scene *s, const void *from)
{
    return ((const contact *)from)->law.stick_given && !is_thermal(s, from);
}

static const setting_form form_stick = {read_stick, write_stick, false};

/* ---- friction and tangential ---- */

WRITTEN_IF(has_friction, contact, one->law.friction_given)

WRITTEN_IF(has_tangential, contact, restitution_is_rough(&one->law))

/* ---- cohesion, rolling and twisting ---- */

WRITTEN_IF(has_cohesion, contact, one->law.cohesion > 0)

WRITTEN_IF(has_rolling, contact, one->law.rolling_friction > 0)
WRITTEN_IF(has_twisting, contact, one->law.twisting_friction > 0)
WRITTEN_IF(has_viscosity, contact, one->law.rolling_viscosity > 0)

/* ---- the elastic constants of a wall or plane ---- */

WRITTEN_IF(is_elastic, contact, one->law.young > 0)

/* ---- A contact as a whole ---- */

static void begin_contact(reader *r, void *filled)
{
    (void)r;
    *(contact *)filled = (contact){.between = {UINT32_MAX, UINT32_MAX}};
}

static void finish_contact(reader *r, const node *map, void *filled)
{
    restitution_law *law = &((contact *)filled)->law;
    law->stick_given = tree_get(r->t, map, "stick") != NULL;
    law->friction_given = tree_get(r->t, map, "friction") != NULL;
    const bool rough = restitution_is_rough(law);
    const node *young = tree_get(r->t, map, "young"), *poisson = tree_get(r->t, map, "poisson");
    if ((young == NULL) != (poisson == NULL))
        fault_add(r->f, tree_key(r->t, young != NULL ? young : poisson),
                  "'young' and 'poisson' belong together" HINT "give both, or neither: the wall or plane is rigid");
    if (law->temperature > 0 && (tree_get(r->t, map, "restitution") != NULL || rough || law->friction_given))
        fault_add(r->f, tree_key(r->t, tree_get(r->t, map, "temperature")),
                  "'temperature' replaces the collision law at this wall: remove 'restitution', 'tangential' and "
                  "'friction'");
    if (rough) r->s->rough = read_needs_rough(r, tree_key(r->t, tree_get(r->t, map, "tangential")));
}

/* Assigns a law to a pair; `lines` stores the line of each pair: [species][species + scene_surfaces]. */
static void set_law(reader *r, const node *between, uint32_t a, uint32_t b, uint32_t law, uint32_t *lines)
{
    scene *s = r->s;
    size_t n = s->species_count, surfaces = scene_surfaces(s);
    if (a >= n && b >= n) {
        fault_add(r->f, between, "a contact needs a species; walls, planes%s do not collide with each other",
                  scene_exact_words(s, true, ", ", " and ", "").text);
        return;
    }
    if (a >= n || (b < n && b < a)) {
        uint32_t other = a;
        a = b;
        b = other;
    }
    uint32_t *line = &lines[a * (n + surfaces) + b];
    if (*line != 0) {
        fault_add(r->f, between, "this pair is given twice; the first is on line %u", *line);
        return;
    }
    *line = between->line;
    if (b >= n)
        s->surface_law[a * surfaces + (b - n)] = law;
    else
        s->pair_law[a * n + b] = s->pair_law[b * n + a] = law;
}

/* Whether it defines the default of pairs that are not listed. */
static bool is_default(const restitution_law *law, const restitution_law *elastic)
{
    return law->kind == elastic->kind && law->value == elastic->value && !law->stick_given && !law->friction_given &&
           law->tangential == elastic->tangential && law->temperature == elastic->temperature && law->cohesion == 0 &&
           law->young == 0 && !restitution_resists_rolling(law);
}

static void check_elastic(reader *r, const node *n, const contact *c)
{
    const scene *s = r->s;
    const uint32_t *b = c->between, species = b[0] < b[1] ? b[0] : b[1];
    const node *key = tree_key(r->t, tree_get(r->t, n, "young"));
    if (b[0] < s->species_count && b[1] < s->species_count)
        fault_add(r->f, key,
                  "'young' in a contact is of a wall or plane, and both partners are species" HINT
                  "give 'young' and 'poisson' to the species");
    else if (species < s->species_count && !(s->species[species].young > 0))
        fault_add(r->f, key,
                  "'young' of a wall or plane does nothing without that of species '%s'" HINT
                  "give it to the species, too, or leave it out",
                  s->species[species].name);
}

static void read_contact(reader *r, const node *n, size_t number, uint32_t *lines)
{
    scene *s = r->s;
    contact c;
    if (!settings_read_map(r, &table_contacts, n, &c)) return;
    c.law.contact = number;
    if (c.law.young > 0) check_elastic(r, n, &c);
    const uint32_t index = is_default(&c.law, &s->laws[0]) ? 0 : (uint32_t)s->law_count;
    if (index > 0) s->laws[s->law_count++] = c.law;
    if (c.between[0] != UINT32_MAX && c.between[1] != UINT32_MAX)
        set_law(r, tree_get(r->t, n, "between"), c.between[0], c.between[1], index, lines);
}

/* The first law is that of pairs that are not listed. */
static void read_contacts(reader *r, const node *n)
{
    scene *s = r->s;
    const size_t species = s->species_count, surfaces = scene_surfaces(s), listed = n != NULL ? n->length : 0;
    contact elastic = {0};
    size_t number = 0;
    s->pair_law = read_new(r, species * species, sizeof *s->pair_law);
    s->surface_law = read_new(r, species * surfaces, sizeof *s->surface_law);
    s->laws = read_new(r, listed + 1, sizeof *s->laws);
    uint32_t *lines = arena_new(r->t->memory, species * (species + surfaces), sizeof *lines);
    if (lines == NULL) r->f->no_memory = species * (species + surfaces) * sizeof *lines;
    if (r->f->no_memory > 0) return;
    settings_defaults(r, &table_contacts, &elastic);
    s->laws[0] = elastic.law;
    s->law_count = 1;
    for (const node *item = listed > 0 ? tree_first(r->t, n) : NULL; item != NULL; item = tree_next(r->t, item))
        read_contact(r, item, number++, lines);
}

static void write_contact(writer *w, uint32_t law, size_t a, size_t b, size_t *written)
{
    if (law == 0) return;
    const contact c = {w->s->laws[law], {(uint32_t)a, (uint32_t)b}};
    text_add(w->out, "%s\n  - ", (*written)++ == 0 ? "contacts:" : "");
    write_map(w, &table_contacts, &c);
}

static void write_contacts(writer *w)
{
    const scene *s = w->s;
    const size_t n = s->species_count, surfaces = scene_surfaces(s);
    size_t written = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) write_contact(w, s->pair_law[i * n + j], i, j, &written);
        for (size_t j = 0; j < surfaces; j++) write_contact(w, s->surface_law[i * surfaces + j], i, n + j, &written);
    }
    text_add(w->out, written == 0 ? "contacts: []\n" : "\n");
}

const setting_list list_contacts = {
    .wanted = "a list of contacts", .most = UINT32_MAX, .read = read_contacts, .write = write_contacts};

/* clang-format off */
#define PARTNER_SHAPE(one, many, ONE, words) "[SPECIES, " #ONE "]",
static const char *const between_shapes[] = { /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): #ONE is part of one text */
    "[SPECIES, SPECIES]", "[SPECIES, wall]", "[SPECIES, PLANE]", EXACT_KINDS(PARTNER_SHAPE) NULL};
static const char *const restitution_shapes[] = {"a number in [0, 1]", "{viscoelastic: A}",
                                                 "{table: [[speed, e], ...]}", NULL};
static const char *const stick_shapes[] = {"always", "{below: speed}", NULL};
static const setting contact_entries[] = {
    {.name = "between", .type = SETTING_SHAPE, .unit = "", .choices = between_shapes, .form = &form_between,
     .help = "the two partners; wall stands for all walls of the box"},
    {.name = "restitution", .type = SETTING_SHAPE, .unit = "", .fallback = "1", .choices = restitution_shapes,
     .form = &form_restitution, .written = has_restitution,
     .help = "coefficient of normal restitution: constant, falling with the impact speed as for viscoelastic "
             "spheres, or interpolated in a table"},
    {.name = "stick", .type = SETTING_SHAPE, .unit = "", .fallback = "always", .choices = stick_shapes,
     .form = &form_stick, .written = has_stick,
     .help = "whether a contact is permanent, in `aggregation`: always, or at impact speeds below a limit "
             "(above it the two bounce)"},
    {.name = "friction", .type = SETTING_REAL, .offset = offsetof(contact, law.friction), .unit = "",
     .fallback = "", .min = 0, .max = INFINITY, .written = has_friction,
     .help = "coefficient of Coulomb friction: in `variational` (left out: 0, smooth; with `rotation` at the surfaces); in `hard` of rough spheres, where it "
             "limits what `tangential` does (left out: nothing does)"},
    {.name = "tangential", .type = SETTING_REAL, .offset = offsetof(contact, law.tangential), .unit = "",
     .fallback = "-1", .min = -1, .max = 1, .written = has_tangential,
     .help = "coefficient of tangential restitution of rough spheres (`hard`): ratio of the tangential velocities of the two surfaces after and before an impact, with "
             "opposite sign; -1: smooth, 1: perfectly rough"},
    {.name = "cohesion", .type = SETTING_REAL, .offset = offsetof(contact, law.cohesion), .unit = "force",
     .fallback = "0", .min = 0, .max = INFINITY, .written = has_cohesion,
     .help = "force of attraction of particles in contact, as of Derjaguin, Muller and Toporov (`variational`): constant within the "
             "first layer; a larger force pulls the pair apart"},
    {.name = "rolling_friction", .type = SETTING_REAL, .offset = offsetof(contact, law.rolling_friction), .unit = "",
     .fallback = "0", .min = 0, .max = INFINITY, .written = has_rolling,
     .help = "resistance to rolling (`variational` with `rotation`): a spring about the point of contact, with a torque of at most "
             "this coefficient times reduced radius times normal force"},
    {.name = "twisting_friction", .type = SETTING_REAL, .offset = offsetof(contact, law.twisting_friction), .unit = "",
     .fallback = "0", .min = 0, .max = INFINITY, .written = has_twisting,
     .help = "the same for rotation about the normal of the contact"},
    {.name = "rolling_viscosity", .type = SETTING_REAL, .offset = offsetof(contact, law.rolling_viscosity), .unit = "time",
     .fallback = "0", .min = 0, .max = INFINITY, .written = has_viscosity,
     .help = "viscous resistance to rolling, beside `rolling_friction`: a torque of this time times the rate of rolling times reduced "
             "radius times normal force"},
    {.name = "young", .type = SETTING_REAL, .offset = offsetof(contact, law.young), .unit = "force / area", .fallback = "",
     .min = 0, .max = INFINITY, .above_min = true, .written = is_elastic,
     .help = "Young's modulus of the wall or plane, for a species with `young`; left out: rigid"},
    {.name = "poisson", .type = SETTING_REAL, .offset = offsetof(contact, law.poisson), .unit = "", .fallback = "",
     .min = -1, .max = 0.5, .above_min = true, .written = is_elastic,
     .help = "Poisson's ratio of the wall or plane, with `young`"},
    {.name = "temperature", .type = SETTING_REAL, .offset = offsetof(contact, law.temperature), .unit = "energy",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true,
     .help = "of a thermal wall, plane" EXACT_KINDS(EXACT_COMMA_ONE) " or mesh (`hard`): particles leave it with a velocity drawn "
             "at this temperature, in place of the collision law"},
};
const settings_table table_contacts = {TABLE_OF("contacts", contact, contact_entries, "the collision law of a pair; pairs not listed are elastic"),
                                       .wanted = "a map with 'between' and 'restitution'", .begin = begin_contact, .finish = finish_contact};
