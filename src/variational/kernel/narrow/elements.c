#include "variational/kernel/narrow/elements.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/schedule/nominal.h"

#include "base/memory.h"
#include "geometry/closest.h"
#include "mesh/topology.h"
#include "scene/where.h"

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static carom_status check_length(const world *w, const rod *q, size_t segments, error *e)
{
    double r[DIM], y[DIM];
    node_place(w, q->a, 0, r);
    node_place(w, q->b, 0, y);
    for (int k = 0; k < DIM; k++) r[k] -= y[k];
    nearest_image(w, r);
    for (int k = 0; k < DIM; k++)
        if (w->domain.box[k] > 0 && fabs(r[k]) > w->domain.box[k] / 4)
            return scene_refuse(scene_at(w->scene, "segments.%zu", segments), e,
                                "segments '%s': particles %u and %u are more than a quarter of the periodic box "
                                "apart" HINT "take more and shorter segments, or a larger box",
                                w->scene->segments[segments].name, w->id[q->a], w->id[q->b]);
    return CAROM_OK;
}

static void element_name(const world *w, uint32_t element, char out[ELEMENT_NAME])
{
    uint32_t ends[3], k[3] = {0};
    if (element >= NODES) {
        snprintf(out, ELEMENT_NAME, "a wall or plane");
        return;
    }
    const int n = ends_of(w, element, ends);
    const uint32_t of = is_vertex(w, ends[0]) ? w->topology.mesh_of[ends[0]] : NONE;
    const char *name = of != NONE ? w->scene->meshes[of].name : "";
    for (int c = 0; c < n; c++) k[c] = w->id[ends[c]] - (of != NONE ? w->topology.mesh_first[of] : 0);
    if (n == 3)
        snprintf(out, ELEMENT_NAME, "triangle %u, %u, %u of mesh '%s'", k[0], k[1], k[2], name);
    else if (n == 2 && element >= w->topology.edges_from)
        snprintf(out, ELEMENT_NAME, "edge %u, %u of mesh '%s'", k[0], k[1], name);
    else if (n == 2)
        snprintf(out, ELEMENT_NAME, "the segment between particles %u and %u", w->id[ends[0]], w->id[ends[1]]);
    else if (of != NONE)
        snprintf(out, ELEMENT_NAME, "vertex %u of mesh '%s'", k[0], name);
    else
        snprintf(out, ELEMENT_NAME, "particle %u", k[0]);
}

static carom_status refuse_stretched(const world *w, uint32_t element, double t, double length, double most, error *e)
{
    const rod *q = &w->topology.rod[element - w->count];
    char name[ELEMENT_NAME];
    element_name(w, element, name);
    if (t == 0)
        return scene_refuse(is_vertex(w, q->a)
                                ? scene_at(w->scene, "meshes.%lu", (unsigned long)w->topology.mesh_of[q->a])
                                : scene_at(w->scene, "segments"),
                            e,
                            "%s is %.6g long along a periodic axis, which allows at most %.6g" HINT
                            "take more and shorter ones, or a larger box",
                            name, length, most);
    return error_set(
        e, CAROM_DYNAMICS,
        "error: stretched: at time %.9g %s has been stretched to %.6g along a periodic axis, which allows at "
        "most %.6g: tie its ends by a stiffer spring or a body, take more and shorter ones, or a larger box",
        t, name, length, most);
}

/* The ends of an edge of a mesh are in one image, those of a segment in the nearest ones. */
static carom_status check_stretch(const world *w, uint32_t element, double t, double room, error *e)
{
    const rod *q = &w->topology.rod[element - w->count];
    double x[DIM], y[DIM];
    node_place(w, q->a, t, x);
    node_place(w, q->b, t, y);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    if (!is_vertex(w, q->a)) nearest_image(w, x);
    for (int k = 0; k < DIM; k++) {
        const double most = greater(0.5 * w->domain.box[k] - room, 0.25 * w->domain.box[k]);
        if (w->domain.box[k] > 0 && fabs(x[k]) > most * (1 + 1e-9))
            return refuse_stretched(w, element, t, fabs(x[k]), most, e);
    }
    return CAROM_OK;
}

/* ---- rods and faces ---------------------------------------------------------------------------------------------- */

/* Edges and triangles of one mesh, whose vertices are particles from `first` on. */
static carom_status add_mesh(world *w, const mesh *m, size_t first, error *e)
{
    mesh_topology of_mesh;
    TRY(mesh_topology_create(&of_mesh, m, e));
    const uint32_t rods = w->topology.rod_count + (uint32_t)of_mesh.edge_count;
    const uint32_t faces = w->topology.face_count + (uint32_t)m->triangle_count;
    rod *rod_more = memory_resize(w->topology.rod, w->topology.rod_count, rods, sizeof *rod_more);
    if (rod_more != NULL) w->topology.rod = rod_more;
    face *face_more = memory_resize(w->topology.face, w->topology.face_count, faces, sizeof *face_more);
    if (face_more != NULL) w->topology.face = face_more;
    bool made = rod_more != NULL && face_more != NULL;
    for (size_t k = 0; made && k < of_mesh.edge_count; k++) {
        const uint32_t *ends = of_mesh.edges[k].vertex;
        w->topology.rod[w->topology.rod_count++] = (rod){(uint32_t)first + ends[0], (uint32_t)first + ends[1]};
    }
    for (size_t k = 0; made && k < m->triangle_count; k++) {
        for (int c = 0; c < 3; c++)
            w->topology.face[w->topology.face_count].corner[c] = (uint32_t)first + m->triangles[k][c];
        w->topology.face_count++;
    }
    mesh_topology_free(&of_mesh);
    return made ? CAROM_OK
                : error_memory(e, "edges and triangles",
                               rods * sizeof *w->topology.rod + faces * sizeof *w->topology.face);
}

/* Uses the scene's numbers of particles; elements_create converts them into nodes. */
static carom_status elements_count(world *w, const initial_state *state, error *e)
{
    const scene *s = w->scene;
    w->topology.balls = w->count;
    for (size_t k = 0; k < s->segments_count; k++) w->topology.rod_count += (uint32_t)s->segments[k].count;
    w->topology.edges_from = w->count + w->topology.rod_count;
    w->topology.rod = NEW_ARRAY(w->topology.rod_count, rod);
    if (w->topology.rod == NULL) return error_memory(e, "segments", w->topology.rod_count * sizeof *w->topology.rod);
    uint32_t at = 0;
    for (size_t k = 0; k < s->segments_count; k++)
        for (size_t n = 0; n < s->segments[k].count; n++)
            w->topology.rod[at++] = (rod){s->segments[k].pairs[n][0], s->segments[k].pairs[n][1]};
    for (size_t k = 0; DIM == 3 && k < state->mesh_count; k++) {
        if (state->mesh_first[k + 1] == state->mesh_first[k]) continue;
        w->topology.balls -= (uint32_t)state->meshes[k].vertex_count;
        TRY(add_mesh(w, &state->meshes[k], state->mesh_first[k], e));
    }
    w->topology.faces_from = w->count + w->topology.rod_count;
    w->elements = w->topology.faces_from + w->topology.face_count;
    return CAROM_OK;
}

/* The parts that end at each node. */
static carom_status list_parts(world *w, error *e)
{
    const size_t most = 2 * (size_t)w->topology.rod_count + 3 * (size_t)w->topology.face_count;
    uint32_t ends[3];
    w->topology.first_part = NEW_ARRAY(w->count + 1, uint32_t);
    w->topology.part = NEW_ARRAY(most, uint32_t);
    if (w->topology.first_part == NULL || w->topology.part == NULL)
        return error_memory(e, "segments", most * sizeof *w->topology.part);
    for (uint32_t p = w->count; p < w->elements; p++)
        for (int n = ends_of(w, p, ends); n-- > 0;) w->topology.first_part[ends[n] + 1]++;
    for (uint32_t i = 0; i < w->count; i++) w->topology.first_part[i + 1] += w->topology.first_part[i];
    for (uint32_t p = w->elements; p-- > w->count;)
        for (int n = ends_of(w, p, ends); n-- > 0;) w->topology.part[--w->topology.first_part[ends[n] + 1]] = p;
    for (uint32_t i = 0; i < w->count; i++) w->topology.first_part[i] = w->topology.first_part[i + 1];
    w->topology.first_part[w->count] = (uint32_t)most;
    return CAROM_OK;
}

static carom_status set_segments(world *w, error *e)
{
    const scene *s = w->scene;
    uint32_t at = 0;
    for (size_t k = 0; k < s->segments_count; k++)
        for (size_t n = 0; n < s->segments[k].count; n++, at++) {
            const scene_segments *from = &s->segments[k];
            w->radius[w->count + at] = 0.5 * from->diameter;
            w->core[w->count + at] = 0.5 * from->diameter - w->choice.eta;
            w->species[w->count + at] = from->species;
            TRY(check_length(w, &w->topology.rod[at], k, e));
        }
    return CAROM_OK;
}

static carom_status elements_create(world *w, error *e)
{
    if (w->elements == w->count) return CAROM_OK;
    for (uint32_t r = 0; r < w->topology.rod_count; r++)
        w->topology.rod[r] = (rod){w->index_of[w->topology.rod[r].a], w->index_of[w->topology.rod[r].b]};
    for (uint32_t f = 0; f < w->topology.face_count; f++)
        for (int c = 0; c < 3; c++) w->topology.face[f].corner[c] = w->index_of[w->topology.face[f].corner[c]];
    TRY(set_segments(w, e));
    for (uint32_t p = w->topology.edges_from; p < w->elements; p++) {
        uint32_t ends[3];
        ends_of(w, p, ends);
        w->radius[p] = w->radius[ends[0]];
        w->core[p] = w->core[ends[0]];
        w->species[p] = w->species[ends[0]];
    }
    return list_parts(w, e);
}

static void elements_destroy(world *w)
{
    memory_free(w->topology.rod);
    memory_free(w->topology.face);
    memory_free(w->topology.first_part);
    memory_free(w->topology.part);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static void node_place(const world *w, uint32_t i, double t, double x[DIM])
{
    if (node_is_rigid(&w->node[i]))
        body_place(w, i, t, x);
    else
        position_at(w, &w->node[i], t, x);
}

static void node_velocity(const world *w, uint32_t i, double t, double v[DIM])
{
    if (node_is_rigid(&w->node[i]))
        body_velocity(w, i, t, v);
    else
        velocity_at(w, &w->node[i], t, v);
}

static double node_acceleration(const world *w, uint32_t i)
{
    return node_is_rigid(&w->node[i]) ? body_acceleration(w, i) : 0;
}

static bool nodes_bound(const world *w, uint32_t a, uint32_t b)
{
    if (a == b) return true;
    if (node_is_driven(&w->node[a]) && node_is_driven(&w->node[b])) return true;
    return node_is_rigid(&w->node[a]) && node_is_rigid(&w->node[b]) && w->rigid.body_of[a] == w->rigid.body_of[b];
}

enum { BALL, VERTEX, SEGMENT, EDGE, FACE, SURFACE };

/* The kinds with which elements of a kind have contacts, one bit each. */
static const unsigned MEETS[] = {[BALL] = 1 << BALL | 1 << SEGMENT | 1 << FACE | 1 << SURFACE,
                                 [VERTEX] = 1 << FACE | 1 << SURFACE,
                                 [SEGMENT] = 1 << BALL | 1 << SEGMENT | 1 << EDGE | 1 << SURFACE,
                                 [EDGE] = 1 << SEGMENT | 1 << EDGE,
                                 [FACE] = 1 << BALL | 1 << VERTEX};

static unsigned kind_of_element(const world *w, uint32_t element)
{
    if (element < w->count) return is_vertex(w, element) ? VERTEX : BALL;
    if (element < w->topology.edges_from) return SEGMENT;
    if (element < w->topology.faces_from) return EDGE;
    return element < NODES ? FACE : SURFACE;
}

static bool is_absent(const world *w, uint32_t element)
{
    if (element < w->count && node_is_absent(&w->node[element])) return true;
    if (is_rigid(w, element) && body_is_absent(w, w->rigid.body_of[element])) return true; /* it is leaving */
    if (w->topology.mesh_absent == NULL) return false;
    const uint32_t of = mesh_of_element(w, element);
    return of != NONE && w->topology.mesh_absent[of];
}

static bool never_touch(const world *w, uint32_t i, uint32_t partner)
{
    uint32_t a[3], b[3];
    bool all = true;
    if ((MEETS[kind_of_element(w, i)] >> kind_of_element(w, partner) & 1) == 0) return true;
    const bool changes = w->reserve != NULL || w->topology.mesh_absent != NULL;
    if (changes && (is_absent(w, i) || is_absent(w, partner))) return true;
    int m = ends_of(w, i, a);
    if (partner >= NODES) {
        for (int p = 0; p < m; p++) all = all && node_is_driven(&w->node[a[p]]);
        return all;
    }
    int n = ends_of(w, partner, b);
    for (int p = 0; p < m; p++)
        for (int q = 0; q < n; q++) {
            if (a[p] == b[q]) return true;
            all = all && nodes_bound(w, a[p], b[q]);
        }
    return all;
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

static void middle_of_ends(double x[3][DIM], int m, double out[DIM])
{
    for (int k = 0; k < DIM; k++) {
        out[k] = x[0][k];
        for (int p = 1; p < m; p++) out[k] += x[p][k];
        out[k] /= m;
    }
}

static void join_ends(const world *w, double x[3][DIM], int m, double y[3][DIM], int n)
{
    double way[DIM], shift[DIM], image[DIM];
    double(*side[2])[DIM] = {x, y};
    const int ends[2] = {m, n};
    if (!w->domain.periodic) return;
    for (int q = 0; q < 2; q++)
        for (int p = 1; p < ends[q]; p++) {
            for (int k = 0; k < DIM; k++) way[k] = side[q][p][k] - side[q][0][k];
            nearest_image(w, way);
            for (int k = 0; k < DIM; k++) side[q][p][k] = side[q][0][k] + way[k];
        }
    if (n == 0) return;
    middle_of_ends(x, m, shift);
    middle_of_ends(y, n, way);
    for (int k = 0; k < DIM; k++) shift[k] = image[k] = shift[k] - way[k];
    nearest_image(w, image);
    for (int p = 0; p < n; p++)
        for (int k = 0; k < DIM; k++) y[p][k] += shift[k] - image[k];
}

static void between_rods(double x[3][DIM], int m, double y[3][DIM], int n, double r[DIM], double share[2][3])
{
    double v[3] = {0}, d[3] = {0}, f[3] = {0}, out[3] = {0}, along[2];
    for (int k = 0; k < DIM; k++) {
        v[k] = x[0][k] - y[0][k];
        d[k] = m == 2 ? x[1][k] - x[0][k] : 0;
        f[k] = n == 2 ? y[1][k] - y[0][k] : 0;
    }
    closest_of_segments(v, d, f, out, along);
    memcpy(r, out, DIM * sizeof *r);
    for (int q = 0; q < 2; q++) {
        share[q][0] = 1 - along[q];
        share[q][1] = along[q];
    }
}

/* Faces have contacts with nodes only. */
static void closest_of_ends(double x[3][DIM], int m, double y[3][DIM], int n, double r[DIM], double share[2][3])
{
    if (m < 3 && n < 3) {
        between_rods(x, m, y, n, r, share);
        return;
    }
    const int side = m == 3 ? 0 : 1;
    double(*const t)[DIM] = m == 3 ? x : y;
    const double *p = m == 3 ? y[0] : x[0];
    double corner[3][3] = {{0}}, at[3] = {0}, out[3] = {0};
    for (int k = 0; k < DIM; k++) {
        at[k] = p[k];
        for (int c = 0; c < 3; c++) corner[c][k] = t[c][k];
    }
    closest_in_triangle(at, (const double(*)[3])corner, out, share[side]);
    share[1 - side][0] = 1;
    for (int k = 0; k < DIM; k++) r[k] = side == 1 ? out[k] : -out[k];
}

static void place_ends(const world *w, const uint32_t *ends, int n, double t, bool by_nominal, double x[3][DIM])
{
    double v[DIM];
    for (int p = 0; p < n; p++) {
        if (by_nominal)
            nominal_at(w, ends[p], t, x[p], v);
        else
            node_place(w, ends[p], t, x[p]);
    }
}

static void closest(const world *w, uint32_t i, uint32_t partner, double t, bool by_nominal, double r[DIM],
                    double share[2][3])
{
    uint32_t a[3], b[3] = {0};
    double x[3][DIM], y[3][DIM];
    int m = ends_of(w, i, a), n = partner < NODES ? ends_of(w, partner, b) : 0;
    place_ends(w, a, m, t, by_nominal, x);
    place_ends(w, b, n, t, by_nominal, y);
    join_ends(w, x, m, y, n);
    if (n > 0) {
        closest_of_ends(x, m, y, n, r, share);
        return;
    }
    const surface *s = &w->domain.surface[partner - NODES];
    surface_at(s, t, y[0]);
    bool second = m == 2 && dot(x[1], s->normal) < dot(x[0], s->normal);
    share[0][0] = second ? 0 : 1;
    share[0][1] = second ? 1 : 0;
    for (int k = 0; k < DIM; k++) r[k] = x[second][k] - y[0][k];
}

static double gap_at(const world *w, uint32_t i, uint32_t partner, double t)
{
    double x[DIM], y[DIM];
    if (is_linked(w, i, partner)) {
        double share[2][3];
        closest(w, i, partner, t, false, x, share);
        double distance = partner < NODES ? sqrt(dot(x, x)) : dot(x, w->domain.surface[partner - NODES].normal);
        return distance - contact_reach(w, i, partner);
    }
    position_at(w, &w->node[i], t, x);
    if (partner >= NODES) {
        const surface *s = &w->domain.surface[partner - NODES];
        surface_at(s, t, y);
        for (int k = 0; k < DIM; k++) x[k] -= y[k];
        return dot(x, s->normal) - contact_reach(w, i, partner);
    }
    position_at(w, &w->node[partner], t, y);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    nearest_image(w, x);
    return sqrt(dot(x, x)) - contact_reach(w, i, partner);
}
