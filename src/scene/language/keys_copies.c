/* The key `copies` of a body: many bodies with the mesh of one. */
#include <math.h>

#include "scene/language/places.h"
#include "scene/language/reader.h"

enum { MOST_COPIES = 1000000 };

/* ---- orientation ---- */

static void read_orientation(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    if (node_is(n, "fixed"))
        p->orientation = ORIENTATION_FIXED;
    else if (node_is(n, "random"))
        p->orientation = ORIENTATION_RANDOM;
    else
        value_refuse(r, n, "random or fixed");
}

static void write_orientation(writer *w, const void *from)
{
    text_add(w->out, ((const scene_particles *)from)->orientation == ORIENTATION_FIXED ? "fixed" : "random");
}

static const setting_form form_attitude = {read_orientation, write_orientation, false};

/* ---- angular_velocity ---- */

WRITTEN_IF(spins, scene_particles, one->spin == SPIN_MAXWELL)

static void read_spin(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    const node *form = n->kind == NODE_MAP ? value_only_key(r, n, "angular_velocity") : NULL;
    if (node_is(n, "zero") || (n->kind == NODE_MAP && form == NULL)) return;
    if (form == NULL || !node_is(tree_key(r->t, form), "maxwell")) {
        value_refuse(r, n, "zero or {maxwell: T}; one for all is `angular_velocity` of the body");
        return;
    }
    p->spin = SPIN_MAXWELL;
    if (value_number(r, form, &p->spin_temperature) && p->spin_temperature < 0)
        fault_add(r->f, form, "'maxwell' must be at least 0, not %s", value_quote(r, form));
}

static void write_spin(writer *w, const void *from)
{
    write_key_number(w, "{maxwell: ", ((const scene_particles *)from)->spin_temperature);
    text_add(w->out, "}");
}

static const setting_form form_spin = {read_spin, write_spin, false};

/* ---- The copies as a whole ---- */

WRITTEN_IF(has_count, scene_particles, one->place != PLACE_AT)

static void begin_copies(reader *r, void *filled)
{
    scene_particles *p = filled;
    place_begin(r, p);
    p->clump = SIZE_MAX;
}

static void finish_copies(reader *r, const node *map, void *filled)
{
    scene_particles *p = filled;
    const node *place = tree_get(r->t, map, "place"), *velocity = tree_get(r->t, map, "velocity");
    const bool unread = p->place == PLACE_FILE && p->from == NULL;
    if (place != NULL && p->place != PLACE_RANDOM && p->place != PLACE_AT && !unread)
        fault_add(r->f, place,
                  "copies of a body are placed at random or at listed places" HINT
                  "give random, {random: {region: ...}} or {at: [...]}");
    if (velocity != NULL && p->temperatures != NULL)
        fault_add(r->f, velocity, "copies of a body have one temperature: give a number");
    if (tree_get(r->t, map, "count") == NULL && p->place != PLACE_AT)
        settings_missing(r, map, "", settings_find(&table_copies, "count"));
}

/* clang-format off */
static const char *const place_shapes[] = {"random", "{random: {inside: MESH, outside: MESH, region: {...}}}", "{at: [[x, y, z], ...]}", NULL};
static const char *const velocity_shapes[] = {"zero", "{maxwell: temperature}", "{uniform: [a, b]}", "{circle: speed}",
                                              "{each: [vx, vy, vz]}", "{each: [[vx, vy, vz], ...]}", NULL};
static const char *const orientation_shapes[] = {"random", "fixed", NULL};
static const char *const spin_shapes[] = {"zero", "{maxwell: temperature}", NULL};
static const setting copies_entries[] = {
    {.name = "count", .type = SETTING_INTEGER, .offset = offsetof(scene_particles, count), .unit = "", .fallback = "",
     .min = 1, .max = MOST_COPIES, .written = has_count, .help = "number of copies; required unless a list gives the places"},
    {.name = "place", .type = SETTING_SHAPE, .unit = "length", .fallback = "random", .choices = place_shapes, .form = &form_place,
     .help = "of the centres of mass: random, so that spheres around the copies touch neither each other nor other bodies, walls and surfaces; or a list"},
    {.name = "orientation", .type = SETTING_SHAPE, .unit = "", .fallback = "random", .choices = orientation_shapes, .form = &form_attitude,
     .help = "uniform random rotations, or fixed, as the mesh is placed"},
    {.name = "velocity", .type = SETTING_SHAPE, .unit = "speed", .fallback = "zero", .choices = velocity_shapes, .form = &form_velocity,
     .help = "at the start, in addition to that of the mesh; {maxwell: T}: the kinetic energy of each component has the mean T / 2"},
    {.name = "angular_velocity", .type = SETTING_SHAPE, .unit = "1 / time", .fallback = "zero", .choices = spin_shapes, .form = &form_spin,
     .written = spins, .help = "at the start, in addition to that of the body; {maxwell: T}: the energy of rotation has the mean 3 T / 2"},
};
const settings_table table_copies = {TABLE_OF("copies", scene_particles, copies_entries, "copies of the mesh of a body: each is a mesh and a body of its own"),
                                     .wanted = "a map with 'count'", .begin = begin_copies, .finish = finish_copies};
/* clang-format on */
