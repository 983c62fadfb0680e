#include "variational/kernel/response/element_lanes.h"

#include "variational/kernel/narrow/element_kinds.h"

/* Without vectors of four numbers in the machine it takes longer. */
#if CAROM_DIM == 3 && defined(__AVX2__)

#include "geometry/closest_lanes.h"

_Static_assert(offsetof(node, t) == 2 * DIM * sizeof(double) && sizeof(node) == 8 * sizeof(double), "row");

/* The ends of both elements, first those of i: two and two of rods, one and three of a node and a face. */
typedef struct ends_lanes {
    lanes x[4][3], v[4][3], yield[4]; /* yield: inverse masses */
} ends_lanes;

/* Returns false unless all ends are free. */
HOT bool read_ends(const world *w, const uint32_t end[LANES][4], double t, ends_lanes *b)
{
    bool all_free = true;
    for (int q = 0; q < 4; q++) {
        const double *row[LANES];
        lanes number[8];
        for (int n = 0; n < LANES; n++) {
            const node *a = &w->node[end[n][q]];
            all_free = all_free && node_is_free(a);
            row[n] = (const double *)a;
            b->yield[q][n] = w->inverse_mass[end[n][q]];
        }
        lanes_transpose(row, number);
        const lanes dt = t - number[2 * DIM];
        for (int k = 0; k < 3; k++) {
            b->x[q][k] = number[k] + dt * (number[DIM + k] + dt * w->domain.half_gravity[k]);
            b->v[q][k] = number[DIM + k] + dt * w->domain.gravity[k];
        }
    }
    return all_free;
}

/* Columns of element_motion: those of the closest points of two rods. */
HOT void rods_motion(const ends_lanes *b, contact *const of[LANES], lanes column[8])
{
    lanes w[3], d[3], f[3], along[2], back[2], yield[2];
    for (int k = 0; k < 3; k++) {
        w[k] = b->x[0][k] - b->x[2][k];
        d[k] = b->x[1][k] - b->x[0][k];
        f[k] = b->x[3][k] - b->x[2][k];
    }
    closest_of_segments_lanes(w, d, f, column, along);
    for (int q = 0; q < 2; q++) {
        back[q] = 1 - along[q];
        yield[q] = back[q] * back[q] * b->yield[2 * q] + along[q] * along[q] * b->yield[2 * q + 1];
    }
    for (int k = 0; k < 3; k++)
        column[4 + k] =
            (b->v[0][k] + along[0] * (b->v[1][k] - b->v[0][k])) - (b->v[2][k] + along[1] * (b->v[3][k] - b->v[2][k]));
    column[7] = 1 / (yield[0] + yield[1]);
    for (int n = 0; n < LANES; n++)
        for (int q = 0; q < 2; q++) {
            of[n]->share[q][0] = back[q][n];
            of[n]->share[q][1] = along[q][n];
        }
}

/* The same of a node and a face. */
HOT void face_motion(const ends_lanes *b, contact *const of[LANES], lanes column[8])
{
    lanes share[3], yield = lanes_of(0);
    closest_in_triangle_lanes(b->x[0], b->x + 1, column, share);
    for (int q = 0; q < 3; q++) yield += share[q] * share[q] * b->yield[1 + q];
    for (int k = 0; k < 3; k++)
        column[4 + k] =
            b->v[0][k] - (b->v[1][k] + share[1] * (b->v[2][k] - b->v[1][k]) + share[2] * (b->v[3][k] - b->v[1][k]));
    column[7] = 1 / (b->yield[0] + yield);
    for (int n = 0; n < LANES; n++) {
        of[n]->share[0][0] = 1;
        for (int q = 0; q < 3; q++) of[n]->share[1][q] = share[q][n];
    }
}

static bool elements_motion(world *w, const touch *at, uint32_t count, double t, element_motion out[LANES])
{
    uint32_t end[LANES][4], some[3];
    contact *of[LANES];
    bool rods = true, faces = true;
    if (w->observer != NULL || w->domain.periodic) return false;
    for (uint32_t n = 0; n < LANES; n++) {
        contact *c = of[n] = &w->contacts.contact[at[n < count ? n : 0].contact];
        rods = rods && is_rod(w, c->i) && is_rod(w, c->j);
        faces = faces && c->i < w->count && is_face(w, c->j);
    }
    if (!rods && !faces) return false;
    for (int n = 0; n < LANES; n++) {
        const int first = ends_of(w, of[n]->i, end[n]);
        ends_of(w, of[n]->j, some);
        memcpy(end[n] + first, some, (size_t)(4 - first) * sizeof *some);
    }
    ends_lanes b;
    lanes column[8] = {0};
    double *record[LANES];
    if (!read_ends(w, (const uint32_t(*)[4])end, t, &b)) return false;
    if (rods)
        rods_motion(&b, of, column);
    else
        face_motion(&b, of, column);
    for (int n = 0; n < LANES; n++) record[n] = (double *)&out[n];
    lanes_store(column, record);
    return true;
}

#else

static bool elements_motion(world *w, const touch *at, uint32_t count, double t, element_motion out[LANES])
{
    (void)w, (void)at, (void)count, (void)t, (void)out;
    return false;
}

#endif
