#include "variational/kernel/response/element_lanes.h"

#include "variational/kernel/narrow/element_kinds.h"

/* Without vectors of four numbers in the machine it takes longer. */
#if CAROM_DIM == 3 && defined(__AVX2__)

#include "geometry/closest.h"

_Static_assert(offsetof(node, t) == 2 * DIM * sizeof(double) && sizeof(node) == 8 * sizeof(double), "row");

/* The ends of both elements, first those of i: two and two of rods, one and three of a node and a face. */
typedef struct ends_lanes {
    lanes x[4][3], v[4][3], yield[4]; /* yield: inverse masses */
} ends_lanes;

/* ---- closest points: geometry/closest.h -------------------------------------------------------------------------- */

HOT void foot_lanes(const lanes w[3], const lanes d[3], const lanes f[3], const lanes n[3], lanes nn, lanes along[2],
                    lanes q[3])
{
    lanes c[3];
    along[0] = along[1] = lanes_of(0);
    memcpy(q, w, 3 * sizeof *q);
    for (int round = 0; round < 3; round++) {
        lanes_cross(q, f, c);
        along[0] -= lanes_dot(c, n) / nn;
        lanes_cross(q, d, c);
        along[1] -= lanes_dot(c, n) / nn;
        for (int k = 0; k < 3; k++) q[k] = w[k] + along[0] * d[k] - along[1] * f[k];
    }
}

HOT lanes between_0_and_1(lanes s)
{
    return lanes_pick(lanes_of(0), s, lanes_pick(s, lanes_of(1), s, lanes_of(1)), lanes_of(0));
}

/* square: that of d. */
HOT lanes on_segment_lanes(const lanes w[3], const lanes d[3], lanes square)
{
    return between_0_and_1(lanes_pick(lanes_of(0), square, lanes_dot(w, d) / square, lanes_of(0)));
}

/* The square of a distance with which no other one is compared, if the foot of the perpendicular is certainly the closest
 * point; otherwise that of the foot, if it is inside; otherwise REAL_NEVER. */
HOT lanes square_at_foot(const lanes r[3], lane_masks inside, lane_masks doubtless)
{
    const lanes square = lanes_choose(inside, lanes_dot(r, r), lanes_of(REAL_NEVER));
    return lanes_choose(inside & doubtless, lanes_of(-1), square);
}

HOT bool all_certain(lanes best)
{
    return lanes_less(best, lanes_of(0)) == (1u << LANES) - 1;
}

/* closest_try_ends. dd, ff: squares of d and f. */
static void try_ends_lanes(const lanes w[3], const lanes d[3], const lanes f[3], lanes dd, lanes ff, lanes best,
                           lanes along[2], lanes r[3])
{
    const lanes zero = lanes_of(0), one = lanes_of(1);
    lanes s[5] = {zero, one, zero, zero, between_0_and_1(along[0])}, u[5] = {zero, zero, zero, one, zero}, x[3], q[3];
    for (int n = 0; n < 5; n++) {
        const bool on_first = n < 2 || n == 4;
        for (int k = 0; k < 3; k++) x[k] = on_first ? w[k] + s[n] * d[k] : u[n] * f[k] - w[k];
        *(on_first ? &u[n] : &s[n]) = on_segment_lanes(x, on_first ? f : d, on_first ? ff : dd);
        for (int k = 0; k < 3; k++) q[k] = (w[k] + s[n] * d[k]) - u[n] * f[k];
        const lanes square = lanes_dot(q, q);
        const lane_masks nearer = square < best;
        best = lanes_choose(nearer, square, best);
        along[0] = lanes_choose(nearer, s[n], along[0]);
        along[1] = lanes_choose(nearer, u[n], along[1]);
        for (int k = 0; k < 3; k++) r[k] = lanes_choose(nearer, q[k], r[k]);
    }
}

/* closest_of_segments. */
HOT void closest_of_rods(const ends_lanes *b, lanes r[3], lanes along[2])
{
    const lanes zero = lanes_of(0), one = lanes_of(1);
    lanes w[3], d[3], f[3], n[3];
    for (int k = 0; k < 3; k++) {
        w[k] = b->x[0][k] - b->x[2][k];
        d[k] = b->x[1][k] - b->x[0][k];
        f[k] = b->x[3][k] - b->x[2][k];
    }
    const lanes dd = lanes_dot(d, d), ff = lanes_dot(f, f);
    lanes_cross(d, f, n);
    const lanes nn = lanes_dot(n, n);
    const lane_masks askew = nn > zero;
    foot_lanes(w, d, f, n, nn, along, r);
    for (int q = 0; q < 2; q++) along[q] = lanes_choose(askew, along[q], zero);
    for (int k = 0; k < 3; k++) r[k] = lanes_choose(askew, r[k], w[k]);
    const lane_masks inside = askew & (along[0] >= zero) & (along[0] <= one) & (along[1] >= zero) & (along[1] <= one);
    const lanes best = square_at_foot(r, inside, nn > CLOSEST_DOUBTFUL * dd * ff);
    if (!all_certain(best)) try_ends_lanes(w, d, f, dd, ff, best, along, r);
}

/* The edges of closest_in_triangle. */
static void try_edges_lanes(const lanes w[3][3], const lanes way[3][3], lanes best, lanes r[3], lanes share[3])
{
    lanes q[3];
    for (int c = 0; c < 3; c++) {
        const lanes s = on_segment_lanes(w[c], way[c], lanes_dot(way[c], way[c]));
        for (int k = 0; k < 3; k++) q[k] = w[c][k] - s * way[c][k];
        const lanes square = lanes_dot(q, q);
        const lane_masks nearer = square < best;
        best = lanes_choose(nearer, square, best);
        for (int k = 0; k < 3; k++) r[k] = lanes_choose(nearer, q[k], r[k]);
        share[c] = lanes_choose(nearer, 1 - s, share[c]);
        share[(c + 1) % 3] = lanes_choose(nearer, s, share[(c + 1) % 3]);
        share[(c + 2) % 3] = lanes_choose(nearer, lanes_of(0), share[(c + 2) % 3]);
    }
}

/* closest_in_triangle. */
HOT void closest_in_face(const ends_lanes *b, lanes r[3], lanes share[3])
{
    const lanes zero = lanes_of(0);
    lanes way[3][3], w[3][3], back[3], n[3], at[2];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            way[c][k] = b->x[1 + (c + 1) % 3][k] - b->x[1 + c][k];
            w[c][k] = b->x[0][k] - b->x[1 + c][k];
        }
    for (int k = 0; k < 3; k++) back[k] = -way[0][k];
    lanes_cross(back, way[2], n);
    const lanes nn = lanes_dot(n, n);
    const lane_masks wide = nn > zero;
    foot_lanes(w[0], back, way[2], n, nn, at, r);
    for (int k = 0; k < 3; k++) r[k] = lanes_choose(wide, r[k], w[0][k]);
    share[1] = lanes_choose(wide, at[0], zero);
    share[2] = lanes_choose(wide, -at[1], zero);
    share[0] = 1 - share[1] - share[2];
    const lane_masks inside = wide & (share[0] >= zero) & (share[1] >= zero) & (share[2] >= zero);
    const lane_masks doubtless = nn > CLOSEST_DOUBTFUL * lanes_dot(way[0], way[0]) * lanes_dot(way[2], way[2]);
    const lanes best = square_at_foot(r, inside, doubtless);
    if (!all_certain(best)) try_edges_lanes((const lanes(*)[3])w, (const lanes(*)[3])way, best, r, share);
}

/* ---- ends -------------------------------------------------------------------------------------------------------- */

/* Returns false unless all ends are free. */
HOT bool read_ends(const world *w, const uint32_t end[LANES][4], double t, ends_lanes *b)
{
    bool free = true;
    for (int q = 0; q < 4; q++) {
        const double *row[LANES];
        lanes number[8];
        for (int n = 0; n < LANES; n++) {
            const node *a = &w->node[end[n][q]];
            free = free && node_is_free(a);
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
    return free;
}

/* Columns of element_motion: those of the closest points of two rods. */
HOT void move_rods(const ends_lanes *b, contact *const of[LANES], lanes column[8])
{
    lanes along[2], back[2], yield[2];
    closest_of_rods(b, column, along);
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
HOT void move_face(const ends_lanes *b, contact *const of[LANES], lanes column[8])
{
    lanes share[3], yield = lanes_of(0);
    closest_in_face(b, column, share);
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

static bool move_elements(world *w, const touch *at, uint32_t count, double t, element_motion out[LANES])
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
        move_rods(&b, of, column);
    else
        move_face(&b, of, column);
    for (int n = 0; n < LANES; n++) record[n] = (double *)&out[n];
    lanes_store(column, record);
    return true;
}

#else

static bool move_elements(world *w, const touch *at, uint32_t count, double t, element_motion out[LANES])
{
    (void)w, (void)at, (void)count, (void)t, (void)out;
    return false;
}

#endif
