/* The key `clumps`: templates of rigid bodies of spheres. */
#include <math.h>

#include "scene/language/reader.h"

enum { MOST_SPHERES = 1000 };

/* ---- spheres ---- */

static const setting_list list_clump_spheres = {.wanted = "a list of spheres, {at: [x, y, z], diameter: d}",
                                                .count = offsetof(scene_clump, sphere_count),
                                                .most = MOST_SPHERES,
                                                .things = "spheres in a clump"};

/* ---- A clump as a whole ---- */

static bool same_sphere(const scene_clump_sphere *a, const scene_clump_sphere *b)
{
    return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2] && a->diameter == b->diameter;
}

static void check_spheres(reader *r, const node *list, const scene_clump *clump)
{
    const node *item = tree_first(r->t, list);
    for (size_t i = 0; i < clump->sphere_count && item != NULL; i++, item = tree_next(r->t, item))
        for (size_t j = 0; j < i; j++)
            if (same_sphere(&clump->spheres[i], &clump->spheres[j])) {
                fault_add(r->f, item, "clump '%s': sphere %zu is sphere %zu once more" HINT "leave it out",
                          clump->name != NULL ? clump->name : "", i, j);
                break;
            }
}

/* The mass: of the clump, or from its density; without both, from the density of the species. */
static void check_matter(reader *r, const node *map, scene_clump *clump)
{
    if (tree_get(r->t, map, "density") != NULL || tree_get(r->t, map, "mass") != NULL) return;
    if (clump->species != UINT32_MAX && clump->species < r->s->species_count)
        clump->density = r->s->species[clump->species].density;
    if (!(clump->density > 0) && clump->species != UINT32_MAX)
        fault_add(r->f, map, "missing key 'density' (or 'mass') of clump '%s': overlaps of its spheres count once",
                  clump->name != NULL ? clump->name : "");
}

static void finish_clump(reader *r, const node *map, void *filled)
{
    scene_clump *clump = filled;
    const node *spheres = tree_get(r->t, map, "spheres");
    read_list_name(r, map, r->s->clumps, sizeof(scene_clump), filled, "clumps");
    if (spheres != NULL && spheres->kind == NODE_LIST && spheres->length == 0)
        fault_add(r->f, spheres, "a clump needs at least one sphere");
    if (spheres != NULL && spheres->kind == NODE_LIST) check_spheres(r, spheres, clump);
    check_matter(r, map, clump);
}

const setting_list list_clumps = {.wanted = "a list of clumps", .count = offsetof(scene, clump_count), .silent = true};

/* clang-format off */
static const setting sphere_entries[] = {
    {.name = "at", .type = SETTING_VECTOR, .offset = offsetof(scene_clump_sphere, at), .unit = "length",
     .help = "its centre, in coordinates of the template; their origin is arbitrary"},
    {.name = "diameter", .type = SETTING_REAL, .offset = offsetof(scene_clump_sphere, diameter), .unit = "length", .min = 0,
     .max = INFINITY, .above_min = true, .help = "of this sphere"},
};
const settings_table table_clump_spheres = {
    TABLE_OF("spheres", scene_clump_sphere, sphere_entries, "a sphere of a clump"), .wanted = "a map with 'at' and 'diameter'"};

static const setting clumps_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_clump, name), .unit = "",
     .help = "name for `particles`"},
    {.name = "species", .type = SETTING_SHAPE, .offset = offsetof(scene_clump, species), .unit = "", .form = &form_species,
     .help = "species that determines the contacts; its sizes are not used"},
    {.name = "spheres", .type = SETTING_LIST, .offset = offsetof(scene_clump, spheres), .unit = "", .table = &table_clump_spheres,
     .list = &list_clump_spheres,
     .help = "the spheres, {at: [x, y, z], diameter: d}. They may overlap: mass, centre of mass and inertia are those of their union"},
    {.name = "density", .type = SETTING_REAL, .offset = offsetof(scene_clump, density), .unit = "mass / volume", .fallback = "",
     .min = 0, .max = INFINITY, .above_min = true, .help = "mass over volume of the union (area in 2 dimensions); default: that of the species"},
    {.name = "mass", .type = SETTING_REAL, .offset = offsetof(scene_clump, mass), .unit = "mass", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .instead_of = "density", .help = "instead of density: of the clump"},
};
const settings_table table_clumps = {TABLE_OF("clumps", scene_clump, clumps_entries, "a template of rigid bodies of spheres"), .lines = true,
                                     .wanted = "a map with 'name', 'species' and 'spheres'", .finish = finish_clump};
/* clang-format on */
