#include "view/framing.h"

#include <math.h>
#include <stdlib.h>

framing framing_none(void)
{
    return (framing){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

framing framing_all(void)
{
    return (framing){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

void framing_widen(framing *f, int axis, double low, double high)
{
    f->low[axis] = fmin(f->low[axis], low);
    f->high[axis] = fmax(f->high[axis], high);
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double coordinate(const carom_frame *f, size_t i, int axis)
{
    return frame_unwrapped(f, i, (size_t)axis);
}

/* Range of the positions of most bodies along an axis; for very many bodies, of a subset. */
static void bulk_of(const carom_frame *f, const bool *left_out, int axis, double ends[2])
{
    enum { SAMPLES = 4096, FEW = 20 };
    double sample[SAMPLES];
    size_t count = 0, stride = f->count / SAMPLES + 1;
    for (size_t i = 0; i < f->count; i += stride) {
        const double x = coordinate(f, i, axis);
        if (isfinite(x) && !frame_is_absent(f, i) && (left_out == NULL || !left_out[i])) sample[count++] = x;
    }
    ends[0] = -INFINITY;
    ends[1] = INFINITY;
    if (count < FEW) return;
    qsort(sample, count, sizeof *sample, rising);
    const double low = sample[count / 20], high = sample[count - 1 - count / 20];
    ends[0] = low - (high - low);
    ends[1] = high + (high - low);
}

void framing_see(framing *to, const carom_frame *f, const bool *left_out, const framing *limits)
{
    for (int k = 0; k < f->dimension; k++) {
        double ends[2];
        if (f->boundary[k] != FRAME_OPEN) continue;
        bulk_of(f, left_out, k, ends);
        ends[0] = fmax(ends[0], limits->low[k]);
        ends[1] = fmin(ends[1], limits->high[k]);
        for (size_t i = 0; i < f->count; i++) {
            const double x = coordinate(f, i, k);
            if (frame_is_absent(f, i) || !(x >= ends[0] && x <= ends[1]) || (left_out != NULL && left_out[i]) ||
                !isfinite(x))
                continue;
            framing_widen(to, k, x - f->radius[i], x + f->radius[i]);
        }
    }
}

framing framing_vicinity(const framing *f, int dimension)
{
    framing around = framing_all();
    double size = 0;
    for (int k = 0; k < dimension; k++) size = fmax(size, f->high[k] - f->low[k]);
    for (int k = 0; k < dimension && isfinite(size); k++) {
        around.low[k] = f->low[k] - 0.5 * size;
        around.high[k] = f->high[k] + 0.5 * size;
    }
    return around;
}
