/* Cylinders; in two dimensions circles. */
#include <string.h>

#include "scene/language/reader.h"

enum { MOST_CYLINDERS = 10000 };

static void check_name(reader *r, const node *n, const scene_cylinder *cylinder)
{
    const size_t length = strlen(cylinder->name);
    if (!read_is_name(r, n, cylinder->name, length)) return;
    if (read_find_species(r, cylinder->name, length) != UINT32_MAX)
        fault_add(r->f, n, "the name '%s' is taken by a species", cylinder->name);
    for (size_t i = 0; i < r->s->plane_count; i++)
        if (r->s->planes[i].name != NULL && strcmp(r->s->planes[i].name, cylinder->name) == 0)
            fault_add(r->f, n, "the name '%s' is taken by a plane", cylinder->name);
    for (const scene_cylinder *c = r->s->cylinders; c < cylinder; c++)
        if (c->name != NULL && strcmp(c->name, cylinder->name) == 0)
            fault_add(r->f, n, "the name '%s' is taken by another cylinder", cylinder->name);
}

static void read_axis(reader *r, const node *n, const node *axis, scene_cylinder *cylinder)
{
    if (r->s->dimension == 2) {
        if (axis != NULL)
            fault_add(r->f, tree_key(r->t, axis), "in two dimensions a cylinder is a circle: leave 'axis' out");
    } else if (axis == NULL)
        settings_missing(r, n, "", settings_find(&table_cylinder, "axis"));
    else if (value_vector(r, axis, cylinder->axis) && !read_unit(cylinder->axis))
        fault_add(r->f, axis, "'axis' must not be zero");
}

static void read_cylinder(reader *r, const node *n, scene_cylinder *cylinder)
{
    if (!value_is_map(r, n, "a map with 'name', 'through', 'axis', 'radius' and 'side'")) return;
    settings_check_keys(r, n, &table_cylinder, NULL);
    settings_read(r, &table_cylinder, n, n, cylinder);
    if (cylinder->name != NULL) check_name(r, tree_get(r->t, n, "name"), cylinder);
    read_axis(r, n, tree_get(r->t, n, "axis"), cylinder);
}

void read_cylinders(reader *r, const node *n)
{
    if (n == NULL || !value_is_list(r, n, "a list of cylinders")) return;
    if (n->length > MOST_CYLINDERS) {
        fault_add(r->f, n, "more than %d cylinders", MOST_CYLINDERS);
        return;
    }
    r->s->cylinders = read_new(r, n->length, sizeof *r->s->cylinders);
    if (r->s->cylinders == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_cylinder(r, item, &r->s->cylinders[r->s->cylinder_count++]);
}
