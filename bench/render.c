/* Drawing times of pictures: the least and the median of several drawings, in ms.
 *
 *     render [drawings, default 15]
 *
 * CPU time, since other programs affect it less. Lit spheres with 9 samples per pixel at 640 x 480, and disks at 1000 x
 * 1000, with random positions and colours. Excluded are the reading of frames, texts, and the encoding of PNG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "view/render/flat.h"
#include "view/render/raster.h"

enum { MOST = 1000 };

static uint64_t random_state;

static double random_number(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-53;
}

static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void tell(const char *what, size_t count, double *times, int drawings)
{
    qsort(times, (size_t)drawings, sizeof *times, rising);
    printf("%8zu %s: %7.1f ms least, %7.1f ms median of %d\n", count, what, times[0], times[drawings / 2], drawings);
}

/* In a cube of side 1, at packing fraction 0.4. */
static void draw_spheres(size_t count, int drawings, double *times)
{
    enum { WIDTH = 640, HEIGHT = 480 };
    const double low[3] = {0}, high[3] = {1, 1, 1}, radius = cbrt(0.4 * 3 / (4 * acos(-1.0) * (double)count));
    const camera_options wish = {.azimuth = 30, .elevation = 22, .zoom = 1, .upward = 2};
    double *x = NEW_ARRAY(3 * count, double), *radii = NEW_ARRAY(count, double);
    uint32_t *paint = NEW_ARRAY(count, uint32_t), *pixels = NEW_ARRAY(WIDTH * HEIGHT, uint32_t);
    error e = {0};
    raster r;
    camera c;
    if (x == NULL || radii == NULL || paint == NULL || pixels == NULL) exit(1);
    for (size_t i = 0; i < 3 * count; i++) x[i] = random_number();
    for (size_t i = 0; i < count; i++) radii[i] = radius;
    for (size_t i = 0; i < count; i++) paint[i] = (uint32_t)(random_number() * 0xffffff);
    camera_fit(&c, 3, low, high, &wish, (viewport){14, 30, WIDTH - 28, HEIGHT - 70});
    if (raster_create(&r, WIDTH, HEIGHT, 3, &e) != CAROM_OK) exit(1);
    for (int n = 0; n < drawings; n++) {
        const double start = cpu_ms();
        raster_clear(&r, &c, theme_of(false)->paper);
        r.reach = 3 * radius;
        if (raster_spheres(&r, x, radii, paint, count, &e) != CAROM_OK) exit(1);
        raster_backdrop(&r);
        if (raster_resolve(&r, pixels, &e) != CAROM_OK) exit(1);
        times[n] = cpu_ms() - start;
    }
    tell("lit spheres, 640 x 480", count, times, drawings);
    raster_free(&r);
    memory_free(x);
    memory_free(radii);
    memory_free(paint);
    memory_free(pixels);
}

static void draw_disks(size_t count, int drawings, double *times)
{
    enum { SIDE = 1000 };
    const double radius = SIDE * sqrt(0.5 / (acos(-1.0) * (double)count));
    double *x = NEW_ARRAY(2 * count, double);
    flat f = flat_on(NEW_ARRAY((size_t)SIDE * SIDE, uint32_t), SIDE, SIDE);
    if (x == NULL || f.pixels == NULL) exit(1);
    for (size_t i = 0; i < 2 * count; i++) x[i] = SIDE * random_number();
    for (int n = 0; n < drawings; n++) {
        const double start = cpu_ms();
        memset(f.pixels, 255, (size_t)SIDE * SIDE * sizeof *f.pixels);
        for (size_t i = 0; i < count; i++) flat_disk(&f, x[2 * i], x[2 * i + 1], radius, (uint32_t)i);
        times[n] = cpu_ms() - start;
    }
    tell("disks, 1000 x 1000", count, times, drawings);
    memory_free(x);
    memory_free(f.pixels);
}

int main(int argc, char **argv)
{
    double times[MOST];
    const int asked = argc > 1 ? atoi(argv[1]) : 15, drawings = asked < 1 ? 1 : asked > MOST ? MOST : asked;
    random_state = 1;
    for (size_t count = 1000; count <= 1000000; count *= 10) draw_spheres(2 * count, drawings, times);
    for (size_t count = 10000; count <= 1000000; count *= 10) draw_disks(count, drawings, times);
    return 0;
}
