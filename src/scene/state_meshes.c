/* The meshes of a scene: read or made, put in their places, checked. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/intersect.h"
#include "mesh/make.h"
#include "mesh/read.h"
#include "scene/build.h"

static carom_status make(mesh *m, const scene_shape *s, error *e)
{
    const double size[2] = {s->length, s->width};
    const uint32_t along = (uint32_t)s->along, across = (uint32_t)s->across, around = (uint32_t)s->around;
    const uint32_t grid[2] = {along, across}, rings = (uint32_t)s->rings, parts = (uint32_t)s->parts;
    const mesh_knot knot = s->kind == SHAPE_BOWLINE ? BOWLINE : REEF_KNOT;
    switch (s->kind) {
    case SHAPE_RECTANGLE:
        if (s->rough)
            mesh_make_rough_rectangle(m, size, grid, s->seed);
        else
            mesh_make_rectangle(m, size, grid);
        break;
    case SHAPE_DISK:
        mesh_make_disk(m, s->radius, rings);
        break;
    case SHAPE_RIBBON:
        return mesh_make_ribbon(m, (const double(*)[3])s->points, (const double(*)[3])s->sides, s->point_count, 0, 0,
                                s->width, grid, e);
    case SHAPE_SPHERE:
        return mesh_make_sphere(m, s->radius, parts, e);
    case SHAPE_GLOBE:
        mesh_make_globe(m, s->radius, around, rings);
        break;
    case SHAPE_TORUS:
        mesh_make_torus(m, s->radius, s->tube, around, across);
        break;
    case SHAPE_SOLID:
        mesh_make_platonic(m, (platonic_solid)s->solid, s->radius);
        return mesh_refine(m, parts, e);
    case SHAPE_PRISM:
        return mesh_make_prism(m, s->width, s->height, s->length, parts, along, e);
    case SHAPE_TUBE:
        mesh_make_tube(m, s->radius, s->length, around, along);
        break;
    case SHAPE_SPIKES:
        mesh_make_spikes(m, size, grid, s->height, s->radius);
        break;
    case SHAPE_REEF_KNOT:
    case SHAPE_BOWLINE:
        return mesh_make_knot(m, knot, s->length, s->width, grid, e);
    }
    return mesh_done(m, e);
}

/* By Rodrigues' formula. */
static void place(mesh *m, const scene_mesh *s)
{
    const double *a = s->axis, length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    const double n[3] = {a[0] / length, a[1] / length, a[2] / length}, c = cos(s->angle), sine = sin(s->angle);
    double rotation[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double turn = i == j ? 0 : ((j - i + 3) % 3 == 1 ? -1 : 1) * n[3 - i - j];
            rotation[i][j] = (i == j ? c : 0) + sine * turn + (1 - c) * n[i] * n[j];
        }
    mesh_place(m, s->at, (const double(*)[3])rotation, s->scale);
}

static carom_status check_finite(const build *b, const scene_mesh *s, const mesh *m, error *e)
{
    for (size_t i = 0; i < 3 * m->vertex_count; i++)
        if (!isfinite(m->vertices[i / 3][i % 3]))
            return scene_refuse(scene_at(b->s, "meshes.%zu", (size_t)(s - b->s->meshes)), e,
                                "mesh '%s': vertex %zu is beyond all numbers where it is placed", s->name, i / 3);
    return CAROM_OK;
}

static carom_status report_faults(const build *b, const mesh_report *report, const scene_mesh *s, error *e)
{
    const scene_spot at = scene_at(b->s, "meshes.%zu", (size_t)(s - b->s->meshes));
    const carom_status status = mesh_report_faults(report, at.place, s->name, e);
    if (status == CAROM_BAD_DATA && at.excerpt != NULL) error_add(e, status, "%s", at.excerpt);
    return status;
}

/* Faults of one mesh are added to `e`, and others are looked at all the same. */
static carom_status build_mesh(const build *b, const scene_mesh *s, mesh *m, error *e)
{
    mesh_report report;
    error own = {0};
    carom_status status = s->file != NULL ? mesh_read(m, s->file, &own) : make(m, &s->shape, &own);
    if (status == CAROM_OK) {
        place(m, s);
        status = check_finite(b, s, m, &own);
    }
    if (status == CAROM_OK) status = mesh_check(&report, m, &own);
    if (status == CAROM_OK) status = report_faults(b, &report, s, &own);
    if (status != CAROM_OK) error_add(e, status, "%s", error_text(&own));
    error_clear(&own);
    return status;
}

/* The mesh that has a triangle of the union, whose number in the mesh it leaves in *triangle. */
static size_t owner_of(const initial_state *state, uint32_t *triangle)
{
    size_t i = 0;
    for (; *triangle >= state->meshes[i].triangle_count; i++) *triangle -= (uint32_t)state->meshes[i].triangle_count;
    return i;
}

static carom_status check_apart(const build *b, const mesh *all, error *e)
{
    size_t count, shown;
    mesh_pair *pairs = NEW_ARRAY(MESH_PAIRS_MOST, mesh_pair);
    if (pairs == NULL) return error_memory(e, "a look at meshes", MESH_PAIRS_MOST * sizeof *pairs);
    carom_status status = mesh_intersections(all, pairs, &count, e);
    for (shown = 0; shown < count && shown < BUILD_NAMED; shown++) {
        mesh_pair pair = pairs[shown];
        const size_t first = owner_of(b->state, &pair.first), second = owner_of(b->state, &pair.second);
        status = scene_refuse(scene_at(b->s, "meshes.%zu", second), e,
                              "meshes '%s' and '%s' meet: triangle %lu of the one and %lu of the other",
                              b->s->meshes[first].name, b->s->meshes[second].name, (unsigned long)pair.first,
                              (unsigned long)pair.second);
    }
    if (shown < count)
        scene_refuse(scene_whole(b->s), e, "%s%zu pairs of triangles of two meshes meet in all",
                     count == MESH_PAIRS_MOST ? "at least " : "", count);
    memory_free(pairs);
    return status;
}

/* Vertices follow the particles, mesh by mesh. */
static carom_status number_vertices(const build *b, error *e)
{
    const initial_state *state = b->state;
    state->mesh_first[0] = build_particles(b);
    for (size_t i = 0; i < b->s->mesh_count; i++) {
        const bool matters = b->s->meshes[i].thickness > 0 || b->s->meshes[i].rigid;
        state->mesh_first[i + 1] = state->mesh_first[i] + (matters ? state->meshes[i].vertex_count : 0);
    }
    if (state->mesh_first[b->s->mesh_count] >= UINT32_MAX)
        return scene_refuse(scene_whole(b->s), e, "more than %lu particles and vertices in all",
                            (unsigned long)UINT32_MAX - 1);
    if (state->mesh_first[b->s->mesh_count] == 0)
        return scene_refuse(scene_at(b->s, "meshes"), e, "no particles, and no mesh that has a thickness");
    return CAROM_OK;
}

carom_status build_meshes(const build *b, error *e)
{
    const scene *s = b->s;
    mesh all = {0};
    if (s->mesh_count == 0) return CAROM_OK;
    b->state->meshes = NEW_ARRAY(s->mesh_count, mesh);
    if (b->state->meshes == NULL) return error_memory(e, "the meshes", s->mesh_count * sizeof(mesh));
    b->state->mesh_first = NEW_ARRAY(s->mesh_count + 1, size_t);
    if (b->state->mesh_first == NULL) return error_memory(e, "the meshes", s->mesh_count * sizeof(size_t));
    b->state->mesh_count = s->mesh_count;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < s->mesh_count; i++) {
        carom_status one = build_mesh(b, &s->meshes[i], &b->state->meshes[i], e);
        if (status == CAROM_OK) status = one;
    }
    if (status != CAROM_OK) return status;
    TRY(number_vertices(b, e));
    if (s->mesh_count == 1) return CAROM_OK;
    for (size_t i = 0; i < s->mesh_count; i++) mesh_append(&all, &b->state->meshes[i]);
    status = mesh_done(&all, e);
    if (status == CAROM_OK) status = check_apart(b, &all, e);
    mesh_free(&all);
    return status;
}
