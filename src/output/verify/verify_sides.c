#include "output/verify/verify_sides.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/topology.h"
#include "output/verify/verify_winding.h"

/* Deviation from integers; above it, the sum of the dipole approximation is replaced by the sum over all triangles. */
static const double NEAR = 0.1;

enum { UNKNOWN = INT8_MIN }; /* the side of an absent particle, or of an absent mesh */

struct sides {
    const result_links *links;
    winding **mesh; /* [links->meshes]: of closed meshes, otherwise NULL */
    bool *vertex;   /* [count] */
    int8_t *winds;  /* [links->meshes][count]: in the previous frame */
    double *corner; /* of one mesh: [vertices][3] */
    size_t count;
    bool begun;
};

static carom_status make_winding(winding **out, const result_mesh *m, error *e)
{
    const mesh shape = {.triangles = m->triangles, .vertex_count = m->vertices, .triangle_count = m->triangle_count};
    bool closed;
    TRY(mesh_is_closed(&shape, &closed, e));
    return closed ? winding_create(out, (const uint32_t(*)[3])m->triangles, m->triangle_count, m->vertices, e)
                  : CAROM_OK;
}

carom_status sides_open(sides **out, const carom_frame *f, const result_links *links, error *e)
{
    sides *s = *out = NEW_ARRAY(1, sides);
    size_t most = 0;
    for (size_t k = 0; k < links->meshes; k++) most = links->mesh[k].vertices > most ? links->mesh[k].vertices : most;
    if (s == NULL) return error_memory(e, "a look at sides", sizeof *s);
    *s = (sides){.links = links, .count = f->count};
    s->mesh = NEW_ARRAY(links->meshes, winding *);
    s->vertex = NEW_ARRAY(f->count, bool);
    s->winds = memory_new(links->meshes, f->count);
    s->corner = memory_new(most, 3 * sizeof *s->corner);
    if (s->mesh == NULL || s->vertex == NULL || s->winds == NULL || s->corner == NULL)
        return error_memory(e, "a look at sides", links->meshes * f->count);
    for (size_t k = 0; k < links->meshes; k++) {
        memset(s->vertex + links->mesh[k].first, 1, links->mesh[k].vertices);
        if (f->dimension == 3) TRY(make_winding(&s->mesh[k], &links->mesh[k], e));
    }
    return CAROM_OK;
}

void sides_close(sides *s)
{
    if (s == NULL) return;
    for (size_t k = 0; s->mesh != NULL && k < s->links->meshes; k++) winding_destroy(s->mesh[k]);
    memory_free(s->mesh);
    memory_free(s->vertex);
    memory_free(s->winds);
    memory_free(s->corner);
    memory_free(s);
}

/* ---- winding numbers --------------------------------------------------------------------------------------------- */

static double period(const carom_frame *f, size_t k)
{
    return f->boundary[k] == FRAME_PERIODIC ? f->box[k] : 0;
}

typedef double winding_of(const winding *w, const double x[3]);

/* For the mesh and its images, in the box and adjacent to it, about particle i. */
static double sum_images(const winding *w, const carom_frame *f, size_t i, winding_of *around)
{
    double sum = 0;
    for (int n = 0; n < 27; n++) {
        const int step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        double x[3];
        bool is = true;
        for (size_t k = 0; k < 3; k++) {
            is = is && (step[k] == 0 || period(f, k) > 0);
            x[k] = f->position[3 * i + k] + step[k] * period(f, k);
        }
        if (is) sum += around(w, x);
    }
    return fmin(fmax(sum, -100), 100);
}

static int winds(const winding *w, const carom_frame *f, size_t i)
{
    double sum = sum_images(w, f, i, winding_about);
    if (fabs(sum - rint(sum)) > NEAR) sum = sum_images(w, f, i, winding_exact);
    return (int)rint(sum);
}

/* The positions of the corners, with the first one in the box. */
static void place(const sides *s, const carom_frame *f, const result_mesh *m)
{
    for (size_t n = 0; n < m->vertices; n++)
        for (size_t k = 0; k < 3; k++) {
            const size_t at = 3 * (m->first + n) + k;
            s->corner[3 * n + k] = f->position[at] + frame_boxes_apart(f, m->first + n, m->first, k) * period(f, k);
        }
}

void sides_check(sides *s, const carom_frame *f, side_changed *changed, void *data)
{
    for (size_t k = 0; k < s->links->meshes; k++) {
        if (s->mesh[k] == NULL) continue;
        place(s, f, &s->links->mesh[k]);
        winding_place(s->mesh[k], s->corner);
        const bool gone = links_mesh_is_absent(s->links, k, f);
        for (size_t i = 0; i < f->count; i++) {
            if (s->vertex[i]) continue;
            int8_t *before = &s->winds[k * s->count + i];
            const int now = gone || frame_is_absent(f, i) ? UNKNOWN : winds(s->mesh[k], f, i);
            if (s->begun && now != *before && now != UNKNOWN && *before != UNKNOWN) changed(i, k, now != 0, data);
            *before = (int8_t)now;
        }
    }
    s->begun = true;
}
