/* Surfaces other than the walls of the box: the key `planes`, and common functions for the keys of exact surfaces
 * (scene/exact/). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "scene/exact.h"
#include "scene/language/reader.h"

bool read_unit(double v[3])
{
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0)) return false;
    if (fabs(dot3(v, v) - 1) <= 0x1p-50) return true;
    for (int i = 0; i < 3; i++) v[i] /= largest; /* so that no square underflows or overflows */
    double length = sqrt(dot3(v, v));
    for (int i = 0; i < 3; i++) v[i] /= length;
    return true;
}

/* ---- planes ---- */

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

static void finish_plane(reader *r, const node *map, void *filled)
{
    scene_plane *plane = filled;
    const node *normal = tree_get(r->t, map, "normal");
    if (plane->name != NULL) check_plane_name(r, tree_get(r->t, map, "name"), plane);
    if (normal == NULL || normal->kind != NODE_LIST || normal->length != (uint32_t)r->s->dimension) return;
    if (!isnan(plane->normal[0]) && !read_unit(plane->normal)) fault_add(r->f, normal, "'normal' must not be zero");
}

const setting_list list_planes = {
    .wanted = "a list of planes", .count = offsetof(scene, plane_count), .things = "planes"};

/* clang-format off */
static const setting plane_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_plane, name), .unit = "",
     .help = "name that contacts refer to"},
    {.name = "point", .type = SETTING_VECTOR, .offset = offsetof(scene_plane, point), .unit = "length",
     .help = "any point of the plane"},
    {.name = "normal", .type = SETTING_VECTOR, .offset = offsetof(scene_plane, normal), .unit = "",
     .help = "points to the side of the particles; any length but zero"},
};
const settings_table table_planes = {TABLE_OF("planes", scene_plane, plane_entries, "a fixed plane"),
                                     .wanted = "a map with 'name', 'point' and 'normal'", .finish = finish_plane};
/* clang-format on */

/* ---- exact surfaces ---- */

static void refuse_taken(reader *r, const node *n, const char *name, const char *by)
{
    fault_add(r->f, n, "the name '%s' is taken by %s", name, by);
}

/* Whether the name belongs to a surface of a kind before `end`. */
static void check_taken(reader *r, const node *n, const char *name, exact_id kind, const void *end, const char *other)
{
    const exact_kind *of = exact_kinds[kind];
    const char *one = r->s->exact[kind].items;
    for (size_t k = 0; k < r->s->exact[kind].count && one != end; k++, one += of->table->size) {
        const char *taken = *(char *const *)(const void *)one;
        char by[60];
        snprintf(by, sizeof by, "%s %s", other, of->name);
        if (taken != NULL && strcmp(taken, name) == 0) refuse_taken(r, n, name, by);
    }
}

void read_exact_name(reader *r, const node *map, exact_id kind, const void *own)
{
    const char *name = *(char *const *)own;
    if (name == NULL) return;
    const size_t length = strlen(name);
    const node *n = tree_get(r->t, map, "name");
    if (!read_is_name(r, n, name, length)) return;
    if (read_find_species(r, name, length) != UINT32_MAX) refuse_taken(r, n, name, "a species");
    for (size_t i = 0; i < r->s->plane_count; i++)
        if (r->s->planes[i].name != NULL && strcmp(r->s->planes[i].name, name) == 0)
            refuse_taken(r, n, name, "a plane");
    for (exact_id before = 0; before < kind; before++) check_taken(r, n, name, before, NULL, "a");
    check_taken(r, n, name, kind, own, "another");
}

#define LIST(one, many, ONE, words)                                                                                    \
    const setting_list list_##many = {.wanted = "a list of " #many,                                                    \
                                      .count = offsetof(scene, exact[EXACT_##ONE].count),                              \
                                      .things = #many,                                                                 \
                                      .silent = true};
EXACT_KINDS(LIST)
