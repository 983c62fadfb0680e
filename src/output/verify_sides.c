#include "output/verify_sides.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/topology.h"

/* Particles times triangles that are looked at in a frame. */
static const double MOST = 1e9;

struct sides {
    const result_links *links;
    bool *closed;   /* [links->meshes] */
    bool *vertex;   /* [count] */
    int8_t *winds;  /* [links->meshes][count]: in the frame before */
    double *corner; /* of one mesh: [vertices][3] */
    size_t count;
    bool begun;
};

static carom_status find_closed(bool *closed, const result_mesh *m, error *e)
{
    const mesh shape = {.triangles = m->triangles, .vertex_count = m->vertices, .triangle_count = m->triangle_count};
    return mesh_is_closed(&shape, closed, e);
}

carom_status sides_open(sides **out, const carom_frame *f, const result_links *links, error *e)
{
    sides *s = *out = NEW_ARRAY(1, sides);
    size_t most = 0;
    for (size_t k = 0; k < links->meshes; k++) most = links->mesh[k].vertices > most ? links->mesh[k].vertices : most;
    if (s == NULL) return error_memory(e, "a look at sides", sizeof *s);
    *s = (sides){.links = links, .count = f->count};
    s->closed = NEW_ARRAY(links->meshes, bool);
    s->vertex = NEW_ARRAY(f->count, bool);
    s->winds = memory_new(links->meshes, f->count);
    s->corner = memory_new(most, 3 * sizeof *s->corner);
    if (s->closed == NULL || s->vertex == NULL || s->winds == NULL || s->corner == NULL)
        return error_memory(e, "a look at sides", links->meshes * f->count);
    for (size_t k = 0; k < links->meshes; k++) {
        const result_mesh *m = &links->mesh[k];
        memset(s->vertex + m->first, 1, m->vertices);
        if ((double)m->triangle_count * (double)f->count > MOST || f->dimension != 3) continue;
        TRY(find_closed(&s->closed[k], m, e));
    }
    return CAROM_OK;
}

void sides_close(sides *s)
{
    if (s == NULL) return;
    memory_free(s->closed);
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

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Half the solid angle of a triangle whose corners are seen at a, b, c. */
static double half_angle(const double a[3], const double b[3], const double c[3])
{
    const double volume =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    const double u = sqrt(dot(a, a)), v = sqrt(dot(b, b)), w = sqrt(dot(c, c));
    return atan2(volume, u * v * w + dot(a, b) * w + dot(b, c) * u + dot(c, a) * v);
}

static double winding(const sides *s, const result_mesh *m, const double x[3])
{
    double sum = 0;
    for (size_t n = 0; n < m->triangle_count; n++) {
        double at[3][3];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) at[c][k] = s->corner[3 * m->triangles[n][c] + (size_t)k] - x[k];
        sum += half_angle(at[0], at[1], at[2]);
    }
    return sum / 6.283185307179586;
}

/* Of the mesh and its images, next to the box and in it, around particle i. */
static int winds(const sides *s, const carom_frame *f, const result_mesh *m, size_t i)
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
        if (is) sum += winding(s, m, x);
    }
    return (int)rint(fmin(fmax(sum, -100), 100));
}

/* Where the corners are, with the first one in the box. */
static void place(const sides *s, const carom_frame *f, const result_mesh *m)
{
    for (size_t n = 0; n < m->vertices; n++)
        for (size_t k = 0; k < 3; k++) {
            const size_t at = 3 * (m->first + n) + k, first = 3 * (size_t)m->first + k;
            s->corner[3 * n + k] = f->position[at] + (f->image[at] - f->image[first]) * period(f, k);
        }
}

void sides_look(sides *s, const carom_frame *f, side_changed *changed, void *data)
{
    for (size_t k = 0; k < s->links->meshes; k++) {
        if (!s->closed[k]) continue;
        place(s, f, &s->links->mesh[k]);
        for (size_t i = 0; i < f->count; i++) {
            if (s->vertex[i]) continue;
            int8_t *before = &s->winds[k * s->count + i];
            const int now = winds(s, f, &s->links->mesh[k], i);
            if (s->begun && now != *before) changed(i, k, now != 0, data);
            *before = (int8_t)now;
        }
    }
    s->begun = true;
}
