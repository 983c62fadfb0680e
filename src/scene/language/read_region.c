/* Random places: inside and outside of meshes, in regions. */
#include "scene/language/reader.h"

static bool same_place(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void read_region(reader *r, const node *n, scene_region *region)
{
    const char *words[4] = {NULL};
    if (!value_is_map(r, n, "a map of box, ball or cylinder")) return;
    const node *form = value_only_key(r, n, "region");
    if (form == NULL) return;
    for (size_t i = 0; i < table_region.count; i++) words[i] = table_region.entries[i].name;
    const int kind = value_choice(r, tree_key(r->t, form), "region", words);
    if (kind < 0 || !value_is_map(r, form, "a map")) return;
    const settings_table *table = table_region.entries[kind].table;
    const node *to = tree_get(r->t, form, "to");
    settings_check_keys(r, form, table, NULL);
    settings_read(r, table, form, form, region);
    if (kind + 1 == REGION_CYLINDER && r->s->dimension == 2)
        fault_add(r->f, tree_key(r->t, form), "cylinders lie in space; in 2 dimensions use a ball");
    for (int k = 0; kind + 1 == REGION_BOX && to != NULL && k < r->s->dimension; k++)
        if (!(region->to[k] > region->from[k])) {
            fault_add(r->f, to, "an empty region: 'to' must be above 'from' along %c", "xyz"[k]);
            break;
        }
    if (kind + 1 == REGION_CYLINDER && to != NULL && same_place(region->from, region->to))
        fault_add(r->f, to, "an empty region: 'to' must not be the place of 'from'");
    region->kind = (scene_region_kind)(kind + 1);
}

void read_random(reader *r, const node *n, scene_particles *p)
{
    if (!value_is_map(r, n, "a map of inside, outside and region")) return;
    settings_check_keys(r, n, &table_random, NULL);
    const node *inside = tree_get(r->t, n, "inside"), *outside = tree_get(r->t, n, "outside");
    const node *region = tree_get(r->t, n, "region");
    if (inside != NULL) p->inside = read_find_mesh(r, inside);
    if (outside != NULL) p->outside = read_find_mesh(r, outside);
    if (inside != NULL && outside != NULL && p->inside == p->outside)
        fault_add(r->f, outside, "nothing is inside and outside of the same mesh");
    if (region != NULL) read_region(r, region, &p->region);
}

static void write_point(text_buffer *out, const char *key, const double r[3], int dimension)
{
    text_add(out, "%s: [", key);
    for (int k = 0; k < dimension; k++) {
        if (k > 0) text_add(out, ", ");
        text_add_number(out, r[k]);
    }
    text_add(out, "]");
}

static void write_region(text_buffer *out, const scene_region *region, int dimension)
{
    text_add(out, "region: {%s: {", table_region.entries[region->kind - 1].name);
    write_point(out, region->kind == REGION_BALL ? "centre" : "from", region->from, dimension);
    if (region->kind != REGION_BALL) {
        text_add(out, ", ");
        write_point(out, "to", region->to, dimension);
    }
    if (region->kind != REGION_BOX) {
        text_add(out, ", radius: ");
        text_add_number(out, region->radius);
    }
    text_add(out, "}}");
}

void region_write(text_buffer *out, const scene *s, const scene_particles *p)
{
    const char *gap = "";
    if (p->inside == SIZE_MAX && p->outside == SIZE_MAX && p->region.kind == REGION_ALL) {
        text_add(out, "random");
        return;
    }
    text_add(out, "{random: {");
    if (p->inside != SIZE_MAX) {
        text_add(out, "inside: %s", s->meshes[p->inside].name);
        gap = ", ";
    }
    if (p->outside != SIZE_MAX) {
        text_add(out, "%soutside: %s", gap, s->meshes[p->outside].name);
        gap = ", ";
    }
    if (p->region.kind != REGION_ALL) {
        text_add(out, "%s", gap);
        write_region(out, &p->region, s->dimension);
    }
    text_add(out, "}}");
}
