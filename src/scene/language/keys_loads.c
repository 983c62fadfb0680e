/* The key `loads`: forces and couples on vertices of shells. */
#include <math.h>

#include "scene/language/reader.h"

WRITTEN_IF(has_vertices, scene_load, one->vertices != NULL)

WRITTEN_IF(has_within, scene_load, one->within.given)

static bool is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static void check_ramp(reader *r, const node *n, const scene_load *load)
{
    size_t k = 0;
    if (n == NULL || n->kind != NODE_LIST || load->ramp == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item), k++) {
        if (k == 0 || load->ramp[k].time > load->ramp[k - 1].time) continue;
        const node *time = item->kind == NODE_MAP ? tree_get(r->t, item, "time") : NULL;
        fault_add(r->f, time != NULL ? time : item, "'time' must be later than that of the previous item, %.10g",
                  load->ramp[k - 1].time);
        return;
    }
}

static void finish_load(reader *r, const node *map, void *filled)
{
    const scene_load *load = filled;
    const node *force = tree_get(r->t, map, "force"), *moment = tree_get(r->t, map, "moment");
    read_list_name(r, map, r->s->loads, sizeof *load, load, "loads");
    check_ramp(r, tree_get(r->t, map, "ramp"), load);
    if (force == NULL && moment == NULL)
        fault_add(r->f, map, "missing key 'force' (or 'moment'): the load");
    else if (is_zero(load->force) && is_zero(load->moment) && r->f->count == 0)
        fault_add(r->f, force != NULL ? force : moment, "this load is zero" HINT "leave it out");
}

static void finish_all(reader *r, const node *n)
{
    if (n != NULL && r->s->load_count > 0) read_needs(r, tree_key(r->t, n), ENGINE_LOADS, "loads on vertices");
}

/* clang-format off */
static const setting ramp_entries[] = {
    {.name = "time", .type = SETTING_REAL, .offset = offsetof(scene_ramp, time), .unit = "time", .min = 0, .max = INFINITY,
     .help = "increases from item to item"},
    {.name = "factor", .type = SETTING_REAL, .offset = offsetof(scene_ramp, factor), .unit = "",
     .help = "of force and moment at this time"},
};
const settings_table table_ramp = {TABLE_OF("ramp", scene_ramp, ramp_entries, "a point of a ramp"), .wanted = "a map of time and factor"};
static const setting_list list_ramp = {
    .wanted = "a list of {time, factor}", .count = offsetof(scene_load, ramp_count), .most = UINT32_MAX, .silent = true};

const setting_list list_loads = {
    .wanted = "a list of loads", .count = offsetof(scene, load_count), .silent = true, .finish = finish_all};

static const setting loads_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_load, name), .unit = "", .help = "name in messages"},
    {.name = "mesh", .type = SETTING_SHAPE, .offset = offsetof(scene_load, mesh), .unit = "", .form = &form_mesh,
     .help = "name of the shell; neither `rigid` nor one of `bodies`"},
    {.name = "vertices", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = numbers_shapes, .form = &form_numbers,
     .written = has_vertices, .help = "only these vertices of the mesh, by their numbers from 0"},
    {.name = "within", .type = SETTING_SHAPE, .offset = offsetof(scene_load, within), .unit = "length", .fallback = "", .choices = within_shapes,
     .table = &table_within, .form = &form_map, .written = has_within,
     .help = "only vertices of the mesh that are initially in this box; with `vertices`: only those of them that are in it"},
    {.name = "force", .type = SETTING_VECTOR, .offset = offsetof(scene_load, force), .unit = "force", .fallback = "[0, 0, 0]",
     .help = "in total; its direction is constant. Vertices share it in proportion to the sides of triangles between them"},
    {.name = "moment", .type = SETTING_VECTOR, .offset = offsetof(scene_load, moment), .unit = "energy", .fallback = "[0, 0, 0]",
     .help = "a couple about this axis, of constant direction, by forces that follow the vertices and sum to zero: choose at least the two last rows of an edge"},
    {.name = "ramp", .type = SETTING_LIST, .offset = offsetof(scene_load, ramp), .unit = "", .fallback = "[]", .table = &table_ramp, .list = &list_ramp,
     .help = "factor of the load: straight lines from 0 at time 0 from item to item, constant after the last. Without it: 1"},
};
const settings_table table_loads = {TABLE_OF("loads", scene_load, loads_entries, "a force or a couple on vertices of a shell"),
                                    .wanted = "a map of name, mesh, and force or moment", .finish = finish_load};
/* clang-format on */
