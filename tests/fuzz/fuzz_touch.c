/* Detects missed or late contacts, and endless searches, of a sphere and a triangle of any bits, at rest or moving. */
#define CAROM_DIM 3
#define HARD_KERNEL hard_kernel_of_test
#include "hard/kernel/kernel.c"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 30, SAMPLES = 50 };

static bool usable(double x)
{
    return isfinite(x) && fabs(x) < 1e3;
}

/* Deeper in than rounding, and going deeper? */
static bool goes_deeper(const gas *g, const element *of, double dt, double scale)
{
    gap_state s;
    touch_gap(g, 0, of, dt, &s);
    return s.gap < -1e-9 * scale && s.rate < -1e-9 * scale;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double x[NUMBERS], scale = 1;
    if (size < sizeof x) return 0;
    memcpy(x, data, sizeof x);
    for (int k = 0; k < NUMBERS; k++) {
        if (!usable(x[k])) return 0;
        scale = fmax(scale, fabs(x[k]));
    }
    body b = {.r = {x[0], x[1], x[2]}, .v = {x[3], x[4], x[5]}};
    real radius = 1e-3 + fabs(x[6]), corner[1][3][3];
    memcpy(corner, x + 7, sizeof corner);
    motion_piece piece = {.velocity = {x[16], x[17], x[18]},
                          .swing = {x[19], x[20], x[21]},
                          .pace = fmin(fabs(x[22]), 10),
                          .rate = fmax(-10, fmin(x[23], 10)),
                          .through = {x[24], x[25], x[26]},
                          .axis = {0, 0, 1},
                          .turned = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    motion m = {&piece, 1};
    gas g = {.body = &b, .radius = &radius, .gravity = {x[27], x[28], x[29]}, .has_gravity = true};
    solid s = {.corner = corner, .count = 1, .motion = data[size - 1] & 1 ? &m : NULL};
    const element of = {.of = &s};
    const double until = 3, time = touch_time(&g, 0, &of, until), end = fmin(time, until);
    if (isnan(time) || time < 0) abort();
    bool before = goes_deeper(&g, &of, 0, scale);
    for (int k = 1; k < SAMPLES && time > 0 && !before; k++)
        if (goes_deeper(&g, &of, end * k / SAMPLES * (1 - 1e-9), scale * scale)) abort();
    return 0;
}
