/* Sums of the forces of elements at their nodes. A thread adds up the forces on the nodes of its part, of all elements that
 * touch them, in the order of the elements: any number of threads gives the same bits. */
#ifndef CAROM_VARIATIONAL_SHELLS_SUMS_H
#define CAROM_VARIATIONAL_SHELLS_SUMS_H

#include "variational/kernel/features/shells.h"
#include "variational/shell_lanes.h"

/* Whether forces are computed for LANES elements at a time; if not, and in the reference, one after the other. Without AVX2 lanes take
 * three times as long. */
static inline bool in_lanes(const world *w)
{
#if defined(__AVX2__)
    return w->observer == NULL;
#else
    (void)w;
    return false;
#endif
}

/* Loops that the threads of shells_fire share. */
#define SHARED _Pragma("omp for schedule(static)")

/* Three numbers of a row, and 0. */
typedef double row_lanes __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct node_sums {
    double (*sum)[4];
    uint32_t from, count;
    double beyond[4]; /* of the nodes of other parts */
} node_sums;

static inline double *sum_of(node_sums *to, uint32_t n)
{
    return n - to->from < to->count ? to->sum[n] : to->beyond;
}

/* Up to LANES elements of a set; the places of missing ones repeat the first. */
typedef struct element_block {
    uint32_t count;
    uint32_t at[LANES];
} element_block;

static inline uint32_t span_count(const element_span *span)
{
    return span->before_count + (span->to - span->from);
}

static inline uint32_t span_element(const element_span *span, uint32_t n)
{
    return n < span->before_count ? span->before[n] : span->from + (n - span->before_count);
}

HOT element_block block_of(const element_span *span, uint32_t first)
{
    const uint32_t rest = span_count(span) - first;
    element_block b = {.count = rest < LANES ? rest : LANES};
    for (uint32_t n = 0; n < LANES; n++) b.at[n] = span_element(span, n < b.count ? first + n : first);
    return b;
}

/* Transposes vectors of three numbers into rows. */
HOT void rows_of(const lanes a[3], row_lanes row[LANES])
{
#if defined(__AVX512F__)
    for (int n = 0; n < LANES; n++) row[n] = (row_lanes){a[0][n], a[1][n], a[2][n], 0};
#else
    const lanes none = lanes_of(0);
    const lanes pair[4] = {SHUFFLE(a[0], a[1], 0, 4, 2, 6), SHUFFLE(a[0], a[1], 1, 5, 3, 7),
                           SHUFFLE(a[2], none, 0, 4, 2, 6), SHUFFLE(a[2], none, 1, 5, 3, 7)};
    for (int k = 0; k < 2; k++) {
        row[k] = SHUFFLE(pair[k], pair[k + 2], 0, 1, 4, 5);
        row[k + 2] = SHUFFLE(pair[k], pair[k + 2], 2, 3, 6, 7);
    }
#endif
}

/* Adds the forces of a block on the corners of each element. One element after the other: they may share nodes. */
HOT void add_block(node_sums *to, const element_block *b, const uint32_t *const corner[LANES], int corners,
                   lanes force[][3])
{
    row_lanes row[4][LANES];
    for (int q = 0; q < corners; q++) rows_of(force[q], row[q]);
    for (uint32_t n = 0; n < b->count; n++)
        for (int q = 0; q < corners; q++) *(row_lanes *)sum_of(to, corner[n][q]) += row[q][n];
}

HOT void turn_block(node_sums *to, const element_block *b, const uint32_t *const corner[LANES], lanes moment,
                    lanes gradient[4][3])
{
    lanes force[4][3];
    for (int q = 0; q < 4; q++)
        for (int k = 0; k < 3; k++) force[q][k] = moment * gradient[q][k];
    add_block(to, b, corner, 4, force);
}

/* The stored gradients of these hinges of a class. */
HOT void gradient_lanes(const shells *s, const uint32_t at[LANES], lanes gradient[4][3])
{
    const double *low[LANES], *high[LANES];
    lanes from_low[8], from_high[8];
    for (int n = 0; n < LANES; n++) {
        low[n] = s->gradient[at[n]][0];
        high[n] = low[n] + 4;
    }
    lanes_transpose(low, from_low);
    lanes_transpose(high, from_high);
    for (int k = 0; k < 12; k++) gradient[k / 3][k % 3] = k < 8 ? from_low[k] : from_high[k - 4];
}

/* The same for one element. */
static inline void add_force(node_sums *to, uint32_t corner, const vector3 force)
{
    double *sum = sum_of(to, corner);
    for (int k = 0; k < 3; k++) sum[k] += force[k];
}

static inline void add_triangle(node_sums *to, const uint32_t corner[3], const vector3 on_y, const vector3 on_z)
{
    vector3 on_x;
    for (int k = 0; k < 3; k++) on_x[k] = -(on_y[k] + on_z[k]);
    add_force(to, corner[0], on_x);
    add_force(to, corner[1], on_y);
    add_force(to, corner[2], on_z);
}

static inline void add_hinge(node_sums *to, const uint32_t corner[4], double moment, const vector3 gradient[4])
{
    for (int q = 0; q < 4; q++) {
        const vector3 force = {moment * gradient[q][0], moment * gradient[q][1], moment * gradient[q][2]};
        add_force(to, corner[q], force);
    }
}

/* The sums of a part, set to 0. */
static inline node_sums begin_sums(const shell_part *part, double (*sum)[4])
{
    memset(sum[part->node_from], 0, (part->node_to - part->node_from) * sizeof *sum);
    return (node_sums){.sum = sum, .from = part->node_from, .count = part->node_to - part->node_from};
}

#endif
