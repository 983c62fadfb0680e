/* From samples to pixels. */
#include "base/memory.h"
#include "view/render/occlusion.h"
#include "view/render/raster.h"

/* 1 / depth of the sample at the centre of each pixel; 0 for the background. */
static void take_middles(const raster *r, float *near)
{
    for (int y = 0; y < r->height; y++) {
        const float *row = r->depth + (size_t)(y * r->fine + r->fine / 2) * (size_t)r->across + r->fine / 2;
        for (int x = 0; x < r->width; x++, row += r->fine) *near++ = 1 / *row;
    }
}

void raster_backdrop(raster *r)
{
    take_middles(r, r->bodies);
}

static carom_status find_light(const raster *r, float *light, error *e)
{
    const size_t count = (size_t)r->width * (size_t)r->height;
    if (!(r->reach > 0)) {
        for (size_t i = 0; i < count; i++) light[i] = 1;
        return CAROM_OK;
    }
    float *seen = NEW_ARRAY(count, float);
    if (seen == NULL) return error_memory(e, "a picture", count * sizeof *seen);
    take_middles(r, seen);
    for (size_t i = 0; i < count; i++)
        if (r->bodies[i] > 0) seen[i] = r->bodies[i]; /* below outlines */
    const occlusion o = {.width = r->width,
                         .height = r->height,
                         .reach = r->reach,
                         .bodies = r->bodies,
                         .seen = seen,
                         .scale = r->camera.scale / r->fine};
    carom_status status = occlusion_light(&o, light, e);
    memory_free(seen);
    return status;
}

/* Two channels are summed in one number: 9 samples at most do not overflow the lower one. */
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
    float *light = NEW_ARRAY((size_t)r->width * (size_t)r->height, float);
    if (light == NULL) return error_memory(e, "a picture", (size_t)r->width * (size_t)r->height * sizeof(float));
    carom_status status = find_light(r, light, e);
    for (int y = 0; status == CAROM_OK && y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const size_t i = (size_t)y * (size_t)r->width + (size_t)x;
            pixels[i] = mean_paint(r, x, y, light[i]);
        }
    memory_free(light);
    return status;
}
