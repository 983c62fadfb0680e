/* The meshes of a scene: reading or generation, placement, checks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/intersect.h"
#include "mesh/make.h"
#include "mesh/read.h"
#include "mesh/repair.h"
#include "scene/copies.h"
#include "scene/state/build.h"
#include "scene/state/repairs.h"

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
    case SHAPE_BOX:
        mesh_make_box(m, s->size);
        return mesh_refine(m, parts, e);
    case SHAPE_CAPSULE:
        return mesh_make_capsule(m, s->length, s->radius, around, along, e);
    case SHAPE_PRISM:
        return mesh_make_prism(m, s->width, s->height, s->length, parts, along, e);
    case SHAPE_TUBE:
        mesh_make_tube(m, s->radius, s->length, around, along);
        break;
    case SHAPE_REVOLUTION:
        mesh_make_revolution(m, (const double(*)[3])s->points, s->point_count, around);
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

/* Rodrigues' formula. */
void state_mesh_rotation(const scene_mesh *s, double rotation[3][3])
{
    const double *a = s->axis, length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    const double n[3] = {a[0] / length, a[1] / length, a[2] / length}, c = cos(s->angle), sine = sin(s->angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double turn = i == j ? 0 : ((j - i + 3) % 3 == 1 ? -1 : 1) * n[3 - i - j];
            rotation[i][j] = (i == j ? c : 0) + sine * turn + (1 - c) * n[i] * n[j];
        }
}

static void place(mesh *m, const scene_mesh *s)
{
    double rotation[3][3];
    state_mesh_rotation(s, rotation);
    mesh_place(m, s->at, (const double(*)[3])rotation, s->scale);
}

/* Checks of a single mesh; the orientation of rigid meshes and bodies is set later. */
static carom_status get_mesh(const scene_mesh *s, mesh *m, mesh_repaired *done, error *e)
{
    *done = (mesh_repaired){0};
    if (s->from == NULL) return make(m, &s->shape, e);
    TRY(s->file != NULL ? mesh_read(m, s->file, e) : mesh_from_array(m, s, e));
    TRY(mesh_mend(m, s->repair | (s->rigid || s->solid ? MESH_ORIENT : 0U), s->weld_within, done, e));
    if (m->triangle_count > 0) return CAROM_OK;
    if (s->file == NULL)
        return error_set(e, CAROM_BAD_DATA, "all triangles of %s have zero area; the repair removes all of them",
                         s->from);
    return error_set(e, CAROM_BAD_DATA, "error: '%s': all triangles have zero area; the repair removes all of them",
                     s->from);
}

/* Finds the repairs that remove faults. */
static unsigned helping(const mesh_report *report)
{
    const uint64_t *count = report->count;
    return (count[MESH_SAME_PLACE] + count[MESH_DUPLICATE] + count[MESH_DEGENERATE] > 0 ? (unsigned)MESH_WELD : 0U) |
           (count[MESH_UNUSED] > 0 ? (unsigned)MESH_DROP_UNUSED : 0U) |
           (count[MESH_ORIENTATION] > 0 ? (unsigned)MESH_ORIENT : 0U);
}

static bool has_faults(const mesh_report *report)
{
    for (int kind = 0; kind < MESH_FAULTS; kind++)
        if (report->count[kind] > 0) return true;
    return false;
}

/* Repairs can cause faults that other repairs remove, so they are repeated until none has an effect. *report: the
 * remaining faults. No repairs if they would remove all triangles. */
static carom_status try_repairs(const scene_mesh *s, unsigned *repairs, mesh_report *report, error *e)
{
    scene_mesh tried = *s;
    while ((helping(report) & ~tried.repair) != 0) {
        mesh m = {0};
        mesh_repaired done;
        tried.repair |= helping(report);
        error refused = {0};
        carom_status status = get_mesh(&tried, &m, &done, &refused);
        if (status == CAROM_OK) place(&m, s);
        if (status == CAROM_OK) status = mesh_check(report, &m, !s->rigid, &refused);
        mesh_free(&m);
        if (status != CAROM_OK && status != CAROM_BAD_DATA) error_move(e, &refused);
        error_clear(&refused);
        if (status == CAROM_BAD_DATA) return CAROM_OK;
        TRY(status);
    }
    *repairs = tried.repair;
    return CAROM_OK;
}

/* Names of the repairs that remove all or some faults of the mesh; empty if there are none. */
static carom_status suggest_repair(const mesh_report *report, const scene_mesh *s, scene_spot at, error *e)
{
    char words[80] = "";
    unsigned repairs = s->repair;
    mesh_report left = *report;
    if (s->from == NULL) return CAROM_OK;
    TRY(try_repairs(s, &repairs, &left, e));
    if (repairs == s->repair) return CAROM_OK;
    for (int bit = 0; bit < MESH_REPAIRS; bit++) {
        const size_t used = strlen(words);
        if (repairs >> bit & 1)
            snprintf(words + used, sizeof words - used, "%s%s", used > 0 ? ", " : "", scene_repair_words[bit]);
    }
    error_add_at(e, CAROM_BAD_DATA, spot_place(at), "mesh '%s': `repair: [%s]` repairs %s", s->name, words,
                 has_faults(&left) ? "a part of such faults" : "such faults");
    return CAROM_OK;
}

static carom_status report_faults(const build *b, const mesh_report *report, const scene_mesh *s, error *e)
{
    const scene_spot at = scene_at(b->s, "meshes.%zu", (size_t)(s - b->s->meshes));
    const carom_status status = mesh_report_faults(report, spot_place(at), s->name, e);
    if (status != CAROM_BAD_DATA) return status;
    TRY(suggest_repair(report, s, at, e));
    if (at.excerpt != NULL) error_add(e, status, "%s", at.excerpt);
    return status;
}

/* "2 vertices welded, ..." for a file or an array with `repair`; otherwise empty. */
static void name_repairs(char *out, size_t length, const scene_mesh *s, const mesh_repaired *done)
{
    out[0] = '\0';
    if (s->from != NULL && (s->repair != 0 || done->turned > 0)) mesh_repaired_text(done, out, length);
}

static carom_status note_repairs(const build *b, const scene_mesh *s, const mesh_repaired *done, error *e)
{
    char text[REPAIRS_TEXT];
    name_repairs(text, sizeof text, s, done);
    if (text[0] == '\0') return CAROM_OK;
    char **note = &b->state->repairs[s - b->s->meshes];
    *note = memory_text(text);
    return *note != NULL ? CAROM_OK : error_memory(e, "the meshes", sizeof text);
}

carom_status scene_repairs(char *out, size_t length, const scene_mesh *s, error *e)
{
    mesh m = {0};
    mesh_repaired done;
    out[0] = '\0';
    if (s->from == NULL || (s->repair == 0 && !s->rigid && !s->solid)) return CAROM_OK;
    carom_status status = get_mesh(s, &m, &done, e);
    if (status == CAROM_OK) name_repairs(out, length, s, &done);
    mesh_free(&m);
    return status;
}

/* Adds the faults of a mesh to `e` and continues with the others. */
static carom_status build_mesh(const build *b, const scene_mesh *s, mesh *m, error *e)
{
    mesh_report report;
    mesh_repaired done;
    error own = {0};
    carom_status status = get_mesh(s, m, &done, &own);
    if (status == CAROM_BAD_DATA && s->array_name != NULL) {
        error unplaced = own;
        own = (error){0};
        const scene_spot at = scene_at(b->s, "meshes.%zu.array", (size_t)(s - b->s->meshes));
        scene_refuse(at, &own, "%s", error_text(&unplaced));
        error_clear(&unplaced);
    }
    if (status == CAROM_OK) status = note_repairs(b, s, &done, &own);
    if (status == CAROM_OK) {
        place(m, s);
        status = build_check_mesh_scale(b->s, (size_t)(s - b->s->meshes), m, &own);
    }
    if (status == CAROM_OK) status = mesh_check(&report, m, !s->rigid, &own);
    if (status == CAROM_OK) status = report_faults(b, &report, s, &own);
    if (status != CAROM_OK) error_move(e, &own);
    error_clear(&own);
    return status;
}

/* The mesh of a triangle of the union; *triangle becomes its index in the mesh. */
static size_t owner_of(const initial_state *state, uint32_t *triangle)
{
    size_t i = 0;
    for (; *triangle >= state->meshes[i].triangle_count; i++) *triangle -= (uint32_t)state->meshes[i].triangle_count;
    return i;
}

/* Intersections within one mesh were checked before. */
static bool is_of_one_mesh(uint32_t first, uint32_t second, const void *data)
{
    return owner_of(data, &first) == owner_of(data, &second);
}

static carom_status check_pairs(const build *b, const mesh *all, error *e)
{
    size_t count, shown;
    mesh_pair *pairs = NEW_ARRAY(MESH_PAIRS_MOST, mesh_pair);
    if (pairs == NULL) return error_memory(e, "a look at meshes", MESH_PAIRS_MOST * sizeof *pairs);
    carom_status status = mesh_intersections(all, (mesh_meeting){is_of_one_mesh, b->state}, pairs, &count, e);
    for (shown = 0; shown < count && shown < BUILD_NAMED; shown++) {
        mesh_pair pair = pairs[shown];
        const size_t first = owner_of(b->state, &pair.first), second = owner_of(b->state, &pair.second);
        status = scene_refuse(scene_at(b->s, "meshes.%zu", second), e,
                              "meshes '%s' and '%s' intersect: triangle %lu of the first and %lu of the second",
                              b->s->meshes[first].name, b->s->meshes[second].name, (unsigned long)pair.first,
                              (unsigned long)pair.second);
    }
    if (shown < count)
        scene_refuse(scene_whole(b->s), e, "%s%zu pairs of triangles of two meshes intersect in all",
                     count == MESH_PAIRS_MOST ? "at least " : "", count);
    memory_free(pairs);
    return status;
}

carom_status build_check_apart(const build *b, error *e)
{
    mesh all = {0};
    if (b->s->mesh_count == 1) return CAROM_OK;
    for (size_t i = 0; i < b->s->mesh_count; i++) mesh_append(&all, &b->state->meshes[i]);
    carom_status status = mesh_done(&all, e);
    if (status == CAROM_OK) status = check_pairs(b, &all, e);
    mesh_free(&all);
    return status;
}

/* Vertices follow the particles, mesh by mesh. */
static carom_status number_vertices(const build *b, error *e)
{
    const initial_state *state = b->state;
    state->mesh_first[0] = build_particles(b);
    for (size_t i = 0; i < b->s->mesh_count; i++) {
        const bool matters = b->s->meshes[i].thickness > 0 || b->s->meshes[i].rigid;
        const size_t shape = scene_is_further_copy(b->s, i) ? b->s->meshes[i].copy_of : i;
        state->mesh_first[i + 1] = state->mesh_first[i] + (matters ? state->meshes[shape].vertex_count : 0);
    }
    if (state->mesh_first[b->s->mesh_count] >= UINT32_MAX)
        return scene_refuse(scene_whole(b->s), e, "more than %lu particles and vertices in all",
                            (unsigned long)UINT32_MAX - 1);
    if (state->mesh_first[b->s->mesh_count] == 0)
        return scene_refuse(
            scene_at(b->s, "meshes"), e,
            "no particles, and no mesh that has a thickness: add particles, or give a mesh a 'thickness'");
    return CAROM_OK;
}

carom_status build_meshes(const build *b, error *e)
{
    const scene *s = b->s;
    if (s->mesh_count == 0) return CAROM_OK;
    b->state->meshes = NEW_ARRAY(s->mesh_count, mesh);
    if (b->state->meshes == NULL) return error_memory(e, "the meshes", s->mesh_count * sizeof(mesh));
    b->state->mesh_first = NEW_ARRAY(s->mesh_count + 1, size_t);
    if (b->state->mesh_first == NULL) return error_memory(e, "the meshes", s->mesh_count * sizeof(size_t));
    b->state->repairs = NEW_ARRAY(s->mesh_count, char *);
    if (b->state->repairs == NULL) return error_memory(e, "the meshes", s->mesh_count * sizeof(char *));
    b->state->mesh_count = s->mesh_count;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < s->mesh_count; i++) {
        if (scene_is_further_copy(s, i)) continue;
        carom_status one = build_mesh(b, &s->meshes[i], &b->state->meshes[i], e);
        if (status == CAROM_OK) status = one;
    }
    if (status != CAROM_OK) return status;
    TRY(number_vertices(b, e));
    return scene_has_copies(s) ? CAROM_OK : build_check_apart(b, e); /* copies have no places yet */
}
