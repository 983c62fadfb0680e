/* The key `when`: conditions for the start of a motion, and for a mesh to appear or vanish. The key `rest`: the same for the
 * end of a run. */
#include <math.h>

#include "scene/language/reader.h"

/* Meshes that are not rigid. */
static void read_looked_at(reader *r, const node *n, void *into)
{
    scene_condition *when = into;
    if (!value_is_list(r, n, "a list of names of meshes")) return;
    if (n->length == 0)
        fault_add(r->f, n,
                  "this list is empty" HINT "name meshes, or leave 'meshes' out for all points that no drive holds");
    when->meshes = read_new(r, n->length, sizeof *when->meshes);
    if (when->meshes == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        const size_t mesh = read_find_mesh(r, item);
        if (mesh < r->s->mesh_count && r->s->meshes[mesh].rigid)
            fault_add(r->f, item, "mesh '%s' is `rigid`, and has no speed of its own" HINT "name one that is not",
                      r->s->meshes[mesh].name);
        when->meshes[when->mesh_count++] = mesh;
    }
}

static void write_looked_at(writer *w, const void *from)
{
    const scene_condition *when = from;
    for (size_t k = 0; k < when->mesh_count; k++)
        text_add(w->out, "%s%s", k > 0 ? ", " : "[", w->s->meshes[when->meshes[k]].name);
    text_add(w->out, "]");
}

WRITTEN_IF(has_looked_at, scene_condition, one->mesh_count > 0)

WRITTEN_IF(has_least, scene_condition, one->particles > 0)

WRITTEN_IF(has_limit, scene_condition, one->slower > 0)

static const setting_form form_looked_at = {read_looked_at, write_looked_at, false};

static void finish_when(reader *r, const node *map, void *filled)
{
    const scene_condition *when = filled;
    if (tree_get(r->t, map, "slower") == NULL && when->particles == 0)
        fault_add(r->f, map, "missing key 'slower' (or 'particles'): the condition itself");
    if (tree_get(r->t, map, "slower") == NULL && (when->mesh_count > 0 || when->lasting > 0))
        fault_add(r->f, map, "'for' and 'meshes' belong to 'slower'" HINT "give that, or leave them out");
}

/* clang-format off */
static const char *const names_shapes[] = {"[NAME, ...]", NULL};
#define FOR_ROW                                                                                                        \
    {.name = "for", .type = SETTING_REAL, .offset = offsetof(scene_condition, lasting), .unit = "time", .fallback = "0", \
     .min = 0, .max = INFINITY, .help = "... during this time; 0: at one check. Bodies that fall from rest are slow at first"}
#define EVERY_ROW                                                                                                      \
    {.name = "every", .type = SETTING_REAL, .offset = offsetof(scene_condition, every), .unit = "time", .min = 0,      \
     .max = INFINITY, .above_min = true, .help = "between two checks; they are at multiples of it"}
static const setting when_entries[] = {
    {.name = "slower", .type = SETTING_REAL, .offset = offsetof(scene_condition, slower), .unit = "speed", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .written = has_limit, .help = "all of them are slower than this at each check ..."},
    FOR_ROW,
    EVERY_ROW,
    {.name = "meshes", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = names_shapes,
     .form = &form_looked_at, .written = has_looked_at,
     .help = "names of the meshes whose vertices are checked (for `appear` and `vanish`: listed before); not given: all particles and vertices that no drive holds"},
    {.name = "particles", .type = SETTING_INTEGER, .offset = offsetof(scene_condition, particles), .unit = "", .fallback = "0",
     .min = 0, .max = INFINITY, .written = has_least, .help = "at least this number of particles is in the system (`inflow`); with `slower`: both"},
};
const settings_table table_when = {TABLE_OF("when", scene_condition, when_entries, "condition for the start of a motion, or for a mesh to appear or vanish"),
                                   .wanted = "a map of slower, for, every, meshes and particles", .finish = finish_when};
const char *const when_shapes[] = {"{slower: SPEED, for: TIME, every: TIME, meshes: [NAME, ...], particles: N}", NULL};

static const setting rest_entries[] = {
    {.name = "slower", .type = SETTING_REAL, .offset = offsetof(scene_condition, slower), .unit = "speed", .min = 0,
     .max = INFINITY, .above_min = true,
     .help = "all centres of particles, and vertices of meshes, that no drive holds are slower than this at each check ..."},
    FOR_ROW,
    EVERY_ROW,
    {.name = "particles", .type = SETTING_INTEGER, .offset = offsetof(scene_condition, particles), .unit = "", .fallback = "0",
     .min = 0, .max = INFINITY, .written = has_least, .help = "and at least this number of particles is in the system (`inflow`)"},
};
const settings_table table_rest = {TABLE_OF("rest", scene_condition, rest_entries, "condition for the end of a run: the system is at rest"),
                                   .wanted = "a map of slower, for, every and particles"};
const char *const rest_shapes[] = {"{slower: SPEED, for: TIME, every: TIME, particles: N}", NULL};
/* clang-format on */
