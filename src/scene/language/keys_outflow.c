/* Particles that leave during the run: the key `outflow`. */
#include <math.h>

#include "scene/language/places.h"
#include "scene/language/reader.h"

static const char *const side_words[] = {"x-", "x+", "y-", "y+", "z-", "z+", NULL};

WRITTEN_IF(has_region, scene_outflow, one->region.kind != REGION_ALL)

WRITTEN_IF(has_side, scene_outflow, one->region.kind == REGION_ALL)

WRITTEN_IF(has_end, scene_outflow, isfinite(one->end))

static void begin_outflow(reader *r, void *filled)
{
    (void)r;
    scene_outflow *o = filled;
    o->end = INFINITY;
    o->side = -1;
}

static void check_side(reader *r, const node *side, const scene_outflow *o)
{
    const int axis = o->side / 2;
    if (axis >= r->s->dimension)
        fault_add(r->f, side, "there is no side '%s' in 2 dimensions", side_words[o->side]);
    else if (r->s->box.boundary[axis] != BOUNDARY_OPEN)
        fault_add(r->f, side, "no particle passes side '%s', which is %s" HINT "set box.boundary to open along %c",
                  side_words[o->side], r->s->box.boundary[axis] == BOUNDARY_WALL ? "a wall" : "periodic", "xyz"[axis]);
}

static void finish_outflow(reader *r, const node *map, void *filled)
{
    const scene_outflow *o = filled;
    const node *region = tree_get(r->t, map, "region"), *side = tree_get(r->t, map, "side"),
               *end = tree_get(r->t, map, "end");
    read_list_name(r, map, r->s->outflows, sizeof *o, o, "outflows");
    if ((region == NULL) == (side == NULL))
        fault_add(r->f, region == NULL ? map : tree_key(r->t, side),
                  "give either 'region' or 'side': where particles leave");
    if (side != NULL && region == NULL && o->side >= 0) check_side(r, side, o);
    if (end != NULL && o->end < o->start)
        fault_add(r->f, end, "'end' is before 'start', %g: no particle would leave", o->start);
}

static void finish_all(reader *r, const node *n)
{
    if (n != NULL && r->s->outflow_count > 0) read_needs(r, tree_key(r->t, n), ENGINE_FLOWS, "outflow");
}

const setting_list list_outflow = {.wanted = "a list of outflows",
                                   .count = offsetof(scene, outflow_count),
                                   .things = "outflows",
                                   .silent = true,
                                   .finish = finish_all};

/* clang-format off */
static const setting outflow_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_outflow, name), .unit = "", .help = "for messages and results"},
    {.name = "region", .type = SETTING_SHAPE, .offset = offsetof(scene_outflow, region), .unit = "", .fallback = "",
     .choices = region_shapes, .table = &table_region, .form = &form_region, .written = has_region,
     .help = "particles leave whose centres are in it at a check"},
    {.name = "side", .type = SETTING_CHOICE, .offset = offsetof(scene_outflow, side), .unit = "", .fallback = "",
     .choices = side_words, .written = has_side,
     .help = "instead of `region`: particles leave whose centres are beyond this open side of the box"},
    {.name = "every", .type = SETTING_REAL, .offset = offsetof(scene_outflow, every), .unit = "time", .min = 0, .max = INFINITY,
     .above_min = true, .help = "interval of the checks"},
    {.name = "start", .type = SETTING_REAL, .offset = offsetof(scene_outflow, start), .unit = "time", .fallback = "0", .min = 0,
     .max = INFINITY, .help = "time of the first check"},
    {.name = "end", .type = SETTING_REAL, .offset = offsetof(scene_outflow, end), .unit = "time", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .written = has_end, .help = "time after which no particle leaves"},
};
const settings_table table_outflow = {TABLE_OF("outflow", scene_outflow, outflow_entries, "a place at which particles leave"),
                                      .wanted = "a map with 'name', 'region' or 'side', and 'every'",
                                      .begin = begin_outflow, .finish = finish_outflow};
/* clang-format on */
