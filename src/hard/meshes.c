#include "hard/meshes.h"

#include "base/memory.h"
#include "geometry/closest.h"
#include "hard/settings.h"
#include "neighbors/box_tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NAMED = 5, MOST_TRIANGLES = 0x7fff0000 };

static carom_status check_kinds(const scene *s, const initial_state *state, error *e)
{
    carom_status status = CAROM_OK;
    size_t triangles = 0;
    for (size_t k = 0; k < s->mesh_count; k++) {
        triangles += state->meshes[k].triangle_count;
        if (!s->meshes[k].rigid)
            status = error_add(e, CAROM_BAD_DATA,
                               "%s: error: mesh '%s': the engine `hard` has rigid meshes only; say `rigid: true`, or "
                               "use `engine: variational`",
                               s->source, s->meshes[k].name);
    }
    if (status != CAROM_OK) return status;
    if (triangles >= MOST_TRIANGLES)
        return error_set(e, CAROM_BAD_DATA, "%s: error: %zu triangles are more than the engine can number", s->source,
                         triangles);
    if (state->mesh_first[0] == 0)
        return error_set(e, CAROM_BAD_DATA, "%s: error: no particles: nothing moves", s->source);
    return CAROM_OK;
}

/* What boundaries of these kinds do not go with. */
static carom_status check_settings(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    const char *what = s->mesh_count > 0 ? "meshes" : "what drives move";
    if (settings->detection != DETECTION_STABLE)
        return error_set(e, CAROM_BAD_DATA,
                         "%s: error: %s: contacts with them are found by the stable rule only; "
                         "leave 'hard.detection' out",
                         s->source, what);
    for (size_t k = 0; k < s->particles_count; k++)
        if (s->particles[k].place == PLACE_COMPRESS && s->drive_count > 0)
            return error_set(e, CAROM_BAD_DATA,
                             "%s: error: particles placed by compression end up anywhere: what "
                             "drives move needs other places",
                             s->source);
    return CAROM_OK;
}

static carom_status check_drives(const scene *s, error *e)
{
    carom_status status = CAROM_OK;
    for (size_t d = 0; d < s->drive_count; d++) {
        const scene_drive *one = &s->drives[d];
        if (one->plane == SIZE_MAX && one->mesh == SIZE_MAX)
            status = error_add(e, CAROM_BAD_DATA,
                               "%s: error: drive '%s': the engine `hard` moves planes and rigid meshes only; use "
                               "`engine: variational` for particles",
                               s->source, one->name);
        for (int k = 0; k < s->dimension && one->mesh != SIZE_MAX && one->motion_count > 0; k++)
            if (s->box.boundary[k] == BOUNDARY_PERIODIC)
                return error_add(
                    e, CAROM_BAD_DATA,
                    "%s: error: drive '%s' moves a mesh, but axis %c is periodic; make it `wall` or `open`", s->source,
                    one->name, "xyz"[k]);
    }
    return status;
}

/* ---- the start ----------------------------------------------------------------------------------------------------- */

typedef struct nearest {
    const mesh *of;
    double distance;
    uint32_t triangle;
} nearest;

static void measure(tree_path *path, uint32_t triangle, void *data)
{
    nearest *n = data;
    double corner[3][3], way[3], share[3];
    for (int c = 0; c < 3; c++) memcpy(corner[c], n->of->vertices[n->of->triangles[triangle][c]], sizeof corner[c]);
    closest_in_triangle(path->from, (const double(*)[3])corner, way, share);
    const double distance = sqrt(segment_dot(way, way));
    if (!(distance < n->distance)) return;
    n->distance = distance;
    n->triangle = triangle;
}

static carom_status plant(box_tree **tree, const mesh *m, error *e)
{
    tree_box *boxes = NEW_ARRAY(m->triangle_count, tree_box);
    if (boxes == NULL) return error_memory(e, "a look at meshes", m->triangle_count * sizeof *boxes);
    for (size_t n = 0; n < m->triangle_count; n++)
        for (int k = 0; k < 3; k++) {
            const uint32_t *at = m->triangles[n];
            boxes[n].low[k] = fmin(m->vertices[at[0]][k], fmin(m->vertices[at[1]][k], m->vertices[at[2]][k]));
            boxes[n].high[k] = fmax(m->vertices[at[0]][k], fmax(m->vertices[at[1]][k], m->vertices[at[2]][k]));
        }
    carom_status status = box_tree_create(tree, boxes, (uint32_t)m->triangle_count, e);
    memory_free(boxes);
    return status;
}

/* Periodic images are whole boxes apart. */
static void measure_images(const scene *s, const initial_state *state, const box_tree *tree, const double at[3],
                           double reach, nearest *n)
{
    const tree_box *all = box_tree_all(tree);
    int low[3] = {0}, high[3] = {0};
    for (int k = 0; k < 3; k++) {
        if (s->box.boundary[k] != BOUNDARY_PERIODIC) continue;
        low[k] = (int)ceil((at[k] - reach - all->high[k]) / state->size[k]);
        high[k] = (int)floor((at[k] + reach - all->low[k]) / state->size[k]);
    }
    for (int x = low[0]; x <= high[0]; x++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int z = low[2]; z <= high[2]; z++) {
                tree_path here = {.reach = reach, .share = 1};
                const int image[3] = {x, y, z};
                for (int k = 0; k < 3; k++) here.from[k] = at[k] - image[k] * state->size[k];
                box_tree_follow(tree, &here, measure, n);
            }
}

static bool overlaps(const scene *s, const initial_state *state, size_t which, const box_tree *tree, size_t i,
                     nearest *n)
{
    const double contact = 0.5 * (state->diameter[i] + s->meshes[which].thickness);
    double longest = 0;
    *n = (nearest){.of = &state->meshes[which], .distance = INFINITY};
    for (int k = 0; k < 3; k++) longest = fmax(longest, fmax(state->size[k], fabs(state->position[i][k])));
    measure_images(s, state, tree, state->position[i], contact, n);
    return contact - n->distance > fmax(1e-12 * contact, 4 * DBL_EPSILON * longest);
}

static carom_status check_mesh(const scene *s, const initial_state *state, size_t which, error *e)
{
    box_tree *tree = NULL;
    size_t found = 0;
    carom_status status = state->meshes[which].triangle_count > 0 ? plant(&tree, &state->meshes[which], e) : CAROM_OK;
    for (size_t i = 0; i < state->mesh_first[0] && tree != NULL && status != CAROM_INTERNAL; i++) {
        nearest n;
        const double *r = state->position[i];
        if (!overlaps(s, state, which, tree, i, &n) || ++found > NAMED) continue;
        status = error_add(e, CAROM_BAD_DATA,
                           "%s: error: particle %zu at (%.10g, %.10g, %.10g) overlaps triangle %lu of mesh '%s': their "
                           "distance is %.10g, contact is at %.10g",
                           s->source, i, r[0], r[1], r[2], (unsigned long)n.triangle, s->meshes[which].name, n.distance,
                           0.5 * (state->diameter[i] + s->meshes[which].thickness));
    }
    if (found > NAMED)
        error_add(e, CAROM_BAD_DATA, "%s: error: %zu particles in all overlap mesh '%s' at the start", s->source, found,
                  s->meshes[which].name);
    box_tree_destroy(tree);
    return status;
}

carom_status hard_check_meshes(const scene *s, const initial_state *state, error *e)
{
    carom_status status = CAROM_OK;
    if (s->mesh_count + s->drive_count > 0) TRY(check_settings(s, e));
    TRY(check_drives(s, e));
    if (s->mesh_count == 0) return CAROM_OK;
    TRY(check_kinds(s, state, e));
    for (size_t k = 0; k < s->mesh_count; k++) {
        carom_status one = check_mesh(s, state, k, e);
        if (status == CAROM_OK) status = one;
    }
    return status;
}
