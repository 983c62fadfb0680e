/* output.events: the choice of events in the result. */
#include <math.h>
#include <string.h>

#include "scene/language/reader.h"

/* As carom_event_kind. */
static const char *const kind_words[] = {"collision", "wall", "merge", "step", "kick", "sleep", "wake", NULL};
_Static_assert(sizeof kind_words / sizeof *kind_words == CAROM_EVENT_KINDS + 1, "a kind of events lacks its word");

static void read_kinds(reader *r, const node *n, void *into)
{
    scene_events *e = into;
    if (!value_is_list(r, n, "a list of kinds of events")) return;
    if (n->length == 0) value_refuse_empty(r, n);
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        const int kind = value_choice(r, item, "kind of events", kind_words);
        if (kind >= 0) e->kinds |= UINT32_C(1) << kind;
    }
}

static void write_kinds(writer *w, const void *from)
{
    const char *gap = "[";
    for (int kind = 0; kind < CAROM_EVENT_KINDS; kind++) {
        if ((((const scene_events *)from)->kinds >> kind & 1) == 0) continue;
        text_add(w->out, "%s%s", gap, kind_words[kind]);
        gap = ", ";
    }
    text_add(w->out, "]");
}

static void read_species_list(reader *r, const node *n, void *into)
{
    scene_events *e = into;
    if (!value_is_list(r, n, "a list of names of species")) return;
    if (n->length == 0) value_refuse_empty(r, n);
    e->species = read_new(r, n->length, sizeof *e->species);
    for (const node *item = tree_first(r->t, n); e->species != NULL && item != NULL; item = tree_next(r->t, item)) {
        const uint32_t species = read_species_name(r, item);
        if (species != UINT32_MAX) e->species[e->species_count++] = species;
    }
}

static void write_species_list(writer *w, const void *from)
{
    const scene_events *e = from;
    for (size_t k = 0; k < e->species_count; k++)
        text_add(w->out, "%s%s", k > 0 ? ", " : "[", w->s->species[e->species[k]].name);
    text_add(w->out, "]");
}

static const setting_form form_kinds = {read_kinds, write_kinds, false};
static const setting_form form_species_list = {read_species_list, write_species_list, false};

static void finish_events(reader *r, const node *map, void *filled)
{
    scene_events *e = filled;
    e->given = true;
    if (map != NULL && e->end > 0 && e->end <= e->start)
        fault_add(r->f, tree_key(r->t, tree_get(r->t, map, "end")), "'end' must be after 'start'");
}

WRITTEN_IF(has_kinds, scene_events, one->kinds != 0)
WRITTEN_IF(has_species, scene_events, one->species_count > 0)
WRITTEN_IF(has_particles, scene_events, one->count > 0)

/* clang-format off */
static const char *const kind_shapes[] = {"[collision, wall, merge, step, kick, sleep, wake]", NULL};
static const char *const species_shapes[] = {"[NAME, ...]", NULL};
static const char *const number_shapes[] = {"[0, 1, 2]", "{from: FIRST, to: LAST}", "[0, {from: 4, to: 9}]", NULL};
static const setting entries[] = {
    {.name = "kinds", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = kind_shapes, .form = &form_kinds, .written = has_kinds,
     .help = "kinds of events; without it all of them"},
    {.name = "species", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = species_shapes, .form = &form_species_list,
     .written = has_species, .help = "events of particles of these species only"},
    {.name = "particles", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = number_shapes, .form = &form_numbers,
     .written = has_particles, .help = "events of these particles only, by number; with 'species': of either"},
    {.name = "start", .type = SETTING_REAL, .offset = offsetof(scene_events, start), .unit = "time", .fallback = "0", .min = 0,
     .max = INFINITY, .help = "time after which events are recorded"},
    {.name = "end", .type = SETTING_REAL, .offset = offsetof(scene_events, end), .unit = "time", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .help = "time up to which events are recorded"},
    {.name = "most", .type = SETTING_INTEGER, .offset = offsetof(scene_events, most), .unit = "", .fallback = "", .min = 1,
     .max = INFINITY, .help = "largest number of recorded events"},
};
const settings_table table_events = {TABLE_OF("events", scene_events, entries, "the choice of recorded events"),
                                     .wanted = "true, false or a map with 'kinds', 'species', 'particles', ...", .finish = finish_events};
/* clang-format on */

/* ---- true, false, or a map --------------------------------------------------------------------------------------- */

static void read_events(reader *r, const node *n, void *into)
{
    scene_events *e = (scene_events *)(void *)((char *)into + r->row->offset);
    if (n->kind != NODE_SCALAR)
        settings_read_map(r, &table_events, n, e);
    else if (node_is(n, "true") || node_is(n, "false"))
        value_bool(r, n, &e->given);
    else
        value_refuse(r, n, table_events.wanted);
}

static void write_events(writer *w, const void *from)
{
    const scene_events *e = (const scene_events *)(const void *)((const char *)from + w->row->offset);
    const bool chosen =
        e->kinds != 0 || e->species_count > 0 || e->count > 0 || e->start > 0 || e->end > 0 || e->most > 0;
    if (chosen)
        write_map(w, &table_events, e);
    else
        text_add(w->out, "true");
}

const setting_form form_events = {read_events, write_events, false};
