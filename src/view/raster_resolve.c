/* From samples to pixels. */
#include <math.h>
#include <string.h>

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

/* Sums over `radius` numbers to both sides along each row. */
static void sum_rows(const float *in, float *out, int width, int height, int radius)
{
    for (int y = 0; y < height; y++, in += width, out += width) {
        float sum = 0;
        for (int x = 0; x < radius && x < width; x++) sum += in[x];
        for (int x = 0; x < width; x++) {
            if (x + radius < width) sum += in[x + radius];
            if (x - radius - 1 >= 0) sum -= in[x - radius - 1];
            out[x] = sum;
        }
    }
}

static void add_row(float *sum, const float *row, int width, float sign)
{
    for (int x = 0; x < width; x++) sum[x] += sign * row[x];
}

/* ... and along each column, all columns at once. `sum`: [width]. */
static void sum_columns(const float *in, float *out, float *sum, int width, int height, int radius)
{
    const size_t row = (size_t)width;
    memset(sum, 0, row * sizeof *sum);
    for (int y = 0; y < radius && y < height; y++) add_row(sum, in + (size_t)y * row, width, 1);
    for (int y = 0; y < height; y++) {
        if (y + radius < height) add_row(sum, in + (size_t)(y + radius) * row, width, 1);
        if (y - radius - 1 >= 0) add_row(sum, in + (size_t)(y - radius - 1) * row, width, -1);
        memcpy(out + (size_t)y * row, sum, row * sizeof *sum);
    }
}

static void sum_around(float *field, float *space, float *sum, int width, int height, int radius)
{
    sum_rows(field, space, width, height, radius);
    sum_columns(space, field, sum, width, height, radius);
}

void raster_backdrop(raster *r)
{
    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) r->bodies[(size_t)y * (size_t)r->width + (size_t)x] = mean_depth(r, x, y);
}

/* Sums over the window around each pixel, twice: without the edges of a window. */
typedef struct surroundings {
    float *depth, *known; /* of bodies: their depths, and how many pixels are theirs */
    double window;        /* how many pixels there are */
    double reach;         /* a length about as long as the window is wide */
} surroundings;

static void look_around(const raster *r, surroundings *s, float *space, float *sum)
{
    const size_t count = (size_t)r->width * (size_t)r->height;
    const int radius = 1 + (r->width < r->height ? r->width : r->height) / 80;
    s->window = pow(2 * radius + 1, 4);
    s->reach = 3 * radius * r->fine / r->camera.scale * r->camera.distance;
    for (size_t i = 0; i < count; i++) {
        s->depth[i] = r->bodies[i];
        s->known[i] = r->bodies[i] > 0;
    }
    for (int pass = 0; pass < 2; pass++) {
        sum_around(s->depth, space, sum, r->width, r->height, radius);
        sum_around(s->known, space, sum, r->width, r->height, radius);
    }
}

/* What a body keeps of the light: less, the farther it lies behind the mean of the bodies around it, and more again
 * where it is so far behind that the two have nothing to do with one another. */
static float light_on_body(const surroundings *s, size_t i, float depth)
{
    /* At the edge of what is seen, the side that is known does not speak for the other. */
    const double sure = fmin(fmax(2.5 * (double)s->known[i] / s->window - 1.25, 0), 1);
    const double mean = sure > 0 ? (double)(s->depth[i] / s->known[i]) : 0;
    const double behind = sure * ((double)depth - mean) / s->reach;
    return behind > 0 ? (float)(1 - 0.4 * behind / (behind + 0.6) / (1 + 0.08 * behind * behind)) : 1;
}

/* The same of a wall, where a body stands or lies; bodies far in front leave no halo. */
static float light_on_backdrop(const surroundings *s, size_t i, float depth)
{
    const double share = (double)s->known[i] / s->window;
    if (!(share > 1e-3) || !(depth > 0)) return 1; /* sums that add and take away leave some rounding */
    const double behind = ((double)depth - (double)(s->depth[i] / s->known[i])) / s->reach;
    return behind > 0 ? (float)(1 - 0.5 * share / (1 + behind * behind * behind * behind)) : 1;
}

static carom_status find_shadow(const raster *r, float *shadow, error *e)
{
    const size_t count = (size_t)r->width * (size_t)r->height;
    surroundings s = {.depth = NEW_ARRAY(count, float), .known = NEW_ARRAY(count, float)};
    float *space = NEW_ARRAY(count, float), *sum = NEW_ARRAY((size_t)r->width, float);
    const bool done = s.depth != NULL && s.known != NULL && space != NULL && sum != NULL;
    if (done) look_around(r, &s, space, sum);
    for (int y = 0; done && y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const size_t i = (size_t)y * (size_t)r->width + (size_t)x;
            if (r->bodies[i] > 0)
                shadow[i] = light_on_body(&s, i, r->bodies[i]);
            else
                shadow[i] = light_on_backdrop(&s, i, mean_depth(r, x, y));
        }
    memory_free(s.depth);
    memory_free(s.known);
    memory_free(space);
    memory_free(sum);
    return done ? CAROM_OK : error_memory(e, "a picture", 3 * count * sizeof(float));
}

/* Two channels are summed in one number: of 9 samples at most, they stay apart. */
static uint32_t mean_paint(const raster *r, int x, int y, float light)
{
    uint32_t outer = 0, green = 0;
    for (int j = 0; j < r->fine; j++) {
        const uint32_t *row = r->paint + (size_t)(y * r->fine + j) * (size_t)r->across + x * r->fine;
        for (int i = 0; i < r->fine; i++) {
            outer += row[i] & 0xff00ffu;
            green += row[i] >> 8 & 0xffu;
        }
    }
    const float by = light / (float)(r->fine * r->fine);
    const uint32_t red = (uint32_t)((float)(outer >> 16) * by + 0.5f);
    const uint32_t blue = (uint32_t)((float)(outer & 0xffffu) * by + 0.5f);
    return red << 16 | (uint32_t)((float)green * by + 0.5f) << 8 | blue;
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
