#include "scene/state/mesh_space.h"

#include "base/memory.h"
#include "geometry/closest.h"

#include <math.h>
#include <string.h>

/* ---- trees ------------------------------------------------------------------------------------------------------- */

static carom_status plant(box_tree **tree, const mesh *m, error *e)
{
    if (m->triangle_count == 0) return CAROM_OK;
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

carom_status mesh_space_create(mesh_space *m, const scene *s, const mesh *meshes, const double size[3], error *e)
{
    *m = (mesh_space){.s = s, .meshes = meshes, .size = {size[0], size[1], size[2]}};
    if (s->mesh_count == 0) return CAROM_OK;
    m->tree = NEW_ARRAY(s->mesh_count, box_tree *);
    if (m->tree == NULL) return error_memory(e, "a look at meshes", s->mesh_count * sizeof *m->tree);
    for (size_t k = 0; k < s->mesh_count; k++) TRY(plant(&m->tree[k], &meshes[k], e));
    return CAROM_OK;
}

void mesh_space_destroy(mesh_space *m)
{
    for (size_t k = 0; m->tree != NULL && k < m->s->mesh_count; k++) box_tree_destroy(m->tree[k]);
    memory_free(m->tree);
    *m = (mesh_space){0};
}

static void corners_of(const mesh *m, uint32_t triangle, double corner[3][3])
{
    for (int c = 0; c < 3; c++) memcpy(corner[c], m->vertices[m->triangles[triangle][c]], sizeof corner[c]);
}

/* ---- nearest triangle -------------------------------------------------------------------------------------------- */

typedef struct search {
    const mesh *of;
    mesh_near near;
} search;

static void measure(tree_path *path, uint32_t triangle, void *data)
{
    search *n = data;
    double corner[3][3], way[3], share[3];
    corners_of(n->of, triangle, corner);
    closest_in_triangle(path->from, (const double(*)[3])corner, way, share);
    const double distance = sqrt(dot3(way, way));
    if (distance < n->near.distance) n->near = (mesh_near){.distance = distance, .triangle = triangle};
}

/* Periodic images that may be within the search distance of a position. */
static void find_images(const mesh_space *m, size_t which, const double at[3], double reach, int low[3], int high[3])
{
    const tree_box *all = box_tree_all(m->tree[which]);
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = 0;
        if (m->s->box.boundary[k] != BOUNDARY_PERIODIC) continue;
        low[k] = (int)ceil((at[k] - reach - all->high[k]) / m->size[k]);
        high[k] = (int)floor((at[k] + reach - all->low[k]) / m->size[k]);
    }
}

mesh_near mesh_space_nearest(const mesh_space *m, size_t which, const double at[3], double reach)
{
    search n = {.of = &m->meshes[which], .near = {.distance = INFINITY}};
    if (m->tree[which] == NULL) return n.near;
    int low[3], high[3];
    find_images(m, which, at, reach, low, high);
    for (int x = low[0]; x <= high[0]; x++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int z = low[2]; z <= high[2]; z++) {
                tree_path here = {.reach = reach, .share = 1};
                const int image[3] = {x, y, z};
                for (int k = 0; k < 3; k++) here.from[k] = at[k] - image[k] * m->size[k];
                box_tree_follow(m->tree[which], &here, measure, &n);
            }
    return n.near;
}

bool mesh_space_clear(const mesh_space *m, const double at[3], double radius)
{
    for (size_t k = 0; k < m->s->mesh_count; k++) {
        const double contact = radius + 0.5 * m->s->meshes[k].thickness;
        if (mesh_space_nearest(m, k, at, contact).distance < contact) return false;
    }
    return true;
}

/* ---- inside or outside ------------------------------------------------------------------------------------------- */

/* A ray, and the number of its intersections with the mesh; doubtful if one is close to an edge. */
typedef struct ray {
    const mesh *of;
    uint32_t crossings;
    bool doubtful;
} ray;

/* Six times the volume of the tetrahedron of the ray and two corners, relative to the start of the ray, divided by its
 * scale. */
static double turn(const double way[3], const double a[3], const double b[3])
{
    double c[3];
    cross3(a, b, c);
    const double scale = sqrt(dot3(way, way) * dot3(a, a) * dot3(b, b));
    return scale > 0 ? dot3(way, c) / scale : 0;
}

static void cross(tree_path *path, uint32_t triangle, void *data)
{
    static const double doubt = 1e-9;
    ray *r = data;
    double corner[3][3], side[3], edge[2][3], normal[3];
    corners_of(r->of, triangle, corner);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) corner[c][k] -= path->from[k];
    for (int c = 0; c < 3; c++) side[c] = turn(path->way, corner[c], corner[(c + 1) % 3]);
    const bool left = side[0] > -doubt && side[1] > -doubt && side[2] > -doubt;
    const bool right = side[0] < doubt && side[1] < doubt && side[2] < doubt;
    if (!left && !right) return;
    for (int k = 0; k < 3; k++) {
        edge[0][k] = corner[1][k] - corner[0][k];
        edge[1][k] = corner[2][k] - corner[0][k];
    }
    cross3(edge[0], edge[1], normal);
    if (dot3(normal, corner[0]) * dot3(normal, path->way) < 0) return; /* behind */
    for (int c = 0; c < 3; c++) r->doubtful = r->doubtful || fabs(side[c]) <= doubt;
    r->crossings++;
}

bool mesh_space_encloses(const mesh_space *m, size_t which, const double at[3])
{
    static const double ways[][3] = {
        {0.61, 0.35, 0.71}, {-0.23, 0.87, 0.44}, {0.79, -0.51, -0.34}, {-0.47, -0.42, 0.78}};
    ray r = {.doubtful = false};
    if (m->tree[which] == NULL) return false;
    const tree_box *all = box_tree_all(m->tree[which]);
    double wide = 0;
    for (int k = 0; k < 3; k++) {
        if (at[k] <= all->low[k] || at[k] >= all->high[k]) return false;
        wide += all->high[k] - all->low[k];
    }
    for (int n = 0; n < 4; n++) {
        tree_path path = {.share = 1};
        for (int k = 0; k < 3; k++) {
            path.from[k] = at[k];
            path.way[k] = 2 * wide * ways[n][k];
        }
        r = (ray){.of = &m->meshes[which]};
        box_tree_follow(m->tree[which], &path, cross, &r);
        if (!r.doubtful) break;
    }
    return r.crossings % 2 == 1;
}

bool mesh_space_encloses_image(const mesh_space *m, size_t which, const double at[3])
{
    int low[3], high[3];
    if (m->tree[which] == NULL) return false;
    find_images(m, which, at, 0, low, high);
    for (int x = low[0]; x <= high[0]; x++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int z = low[2]; z <= high[2]; z++) {
                const double from[3] = {at[0] - x * m->size[0], at[1] - y * m->size[1], at[2] - z * m->size[2]};
                if (mesh_space_encloses(m, which, from)) return true;
            }
    return false;
}
