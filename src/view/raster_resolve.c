/* From samples to pixels. */
#include <math.h>

#include "base/memory.h"
#include "view/raster.h"

/* The mean depth of a pixel's samples; 0 where there is nothing in one of them. */
static float mean_depth(const raster *r, int x, int y)
{
    float sum = 0;
    for (int j = 0; j < r->fine; j++) {
        const float *row = r->depth + (size_t)(y * r->fine + j) * (size_t)r->across + x * r->fine;
        for (int i = 0; i < r->fine; i++) sum += row[i];
    }
    return isfinite(sum) ? sum / (float)(r->fine * r->fine) : 0;
}

/* Sums over `radius` numbers to both sides, along lines of `count` numbers that are `step` apart. */
static void sum_along(const float *in, float *out, int count, size_t step, int radius)
{
    double sum = 0;
    for (int i = 0; i < radius && i < count; i++) sum += (double)in[(size_t)i * step];
    for (int i = 0; i < count; i++) {
        if (i + radius < count) sum += (double)in[(size_t)(i + radius) * step];
        if (i - radius - 1 >= 0) sum -= (double)in[(size_t)(i - radius - 1) * step];
        out[(size_t)i * step] = (float)sum;
    }
}

static void sum_around(float *field, float *space, int width, int height, int radius)
{
    for (int y = 0; y < height; y++) {
        const size_t row = (size_t)y * (size_t)width;
        sum_along(field + row, space + row, width, 1, radius);
    }
    for (int x = 0; x < width; x++) sum_along(space + x, field + x, height, (size_t)width, radius);
}

/* How much light a pixel keeps: less, the farther it lies behind the mean of what is around it. */
static carom_status find_shadow(const raster *r, float *shadow, error *e)
{
    const size_t count = (size_t)r->width * (size_t)r->height;
    const int radius = 1 + (r->width < r->height ? r->width : r->height) / 80;
    float *depth = NEW_ARRAY(count, float), *known = NEW_ARRAY(count, float), *space = NEW_ARRAY(count, float);
    const bool done = depth != NULL && known != NULL && space != NULL;
    for (int y = 0; done && y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const size_t i = (size_t)y * (size_t)r->width + (size_t)x;
            depth[i] = mean_depth(r, x, y);
            known[i] = depth[i] > 0;
            shadow[i] = depth[i];
        }
    for (int pass = 0; done && pass < 2; pass++) { /* twice: without the edges of a window */
        sum_around(depth, space, r->width, r->height, radius);
        sum_around(known, space, r->width, r->height, radius);
    }
    const double reach =
        3 * radius * r->fine / r->camera.scale * r->camera.distance; /* as long as the window is wide */
    for (size_t i = 0; done && i < count; i++) {
        const double behind = shadow[i] > 0 && known[i] >= 1 ? (double)(shadow[i] - depth[i] / known[i]) / reach : 0;
        /* Less again for what is so far behind that it has nothing to do with it. */
        shadow[i] = behind > 0 ? (float)(1 - 0.6 * behind / (behind + 0.5) / (1 + 0.4 * behind * behind)) : 1;
    }
    memory_free(depth);
    memory_free(known);
    memory_free(space);
    return done ? CAROM_OK : error_memory(e, "a picture", 3 * count * sizeof(float));
}

static uint32_t mean_paint(const raster *r, int x, int y, float light)
{
    uint32_t sum[3] = {0};
    for (int j = 0; j < r->fine; j++) {
        const uint32_t *row = r->paint + (size_t)(y * r->fine + j) * (size_t)r->across + x * r->fine;
        for (int i = 0; i < r->fine; i++)
            for (int k = 0; k < 3; k++) sum[k] += row[i] >> (8 * k) & 255u;
    }
    const float by = light / (float)(r->fine * r->fine);
    uint32_t paint = 0;
    for (int k = 0; k < 3; k++) paint |= (uint32_t)((float)sum[k] * by + 0.5f) << (8 * k);
    return paint;
}

carom_status raster_resolve(const raster *r, uint32_t *pixels, error *e)
{
    float *shadow = NEW_ARRAY((size_t)r->width * (size_t)r->height, float);
    if (shadow == NULL) return error_memory(e, "a picture", (size_t)r->width * (size_t)r->height * sizeof(float));
    carom_status status = find_shadow(r, shadow, e);
    for (int y = 0; status == CAROM_OK && y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const size_t i = (size_t)y * (size_t)r->width + (size_t)x;
            pixels[i] = mean_paint(r, x, y, shadow[i]);
        }
    memory_free(shadow);
    return status;
}
