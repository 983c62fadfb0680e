#include "view/render/flat.h"

#include <math.h>
#include <stddef.h>

#include "base/pi.h"

static uint32_t blend(uint32_t below, uint32_t above, float share)
{
    const uint32_t part = (uint32_t)(share * 256 + 0.5f), rest = 256 - part;
    const uint32_t outer = ((below & 0xff00ffu) * rest + (above & 0xff00ffu) * part) >> 8 & 0xff00ffu;
    const uint32_t green = ((below & 0x00ff00u) * rest + (above & 0x00ff00u) * part) >> 8 & 0x00ff00u;
    return outer | green;
}

static int bound(double value, int least, int most)
{
    return !(value > least) ? least : value >= most ? most : (int)value;
}

flat flat_on(uint32_t *pixels, int width, int height)
{
    return (flat){pixels, width, height, {0, 0}, {width, height}};
}

/* Smaller than a pixel: its area is distributed over the pixels around its centre. */
static void draw_subpixel(flat *f, double x, double y, double radius, uint32_t paint)
{
    const double left = floor(x - 0.5), top = floor(y - 0.5), area = fmin(PI * radius * radius, 1);
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            const double column = left + i, row = top + j;
            const double share = (1 - fabs(x - 0.5 - column)) * (1 - fabs(y - 0.5 - row)) * area;
            if (column < f->low[0] || row < f->low[1] || column >= f->high[0] || row >= f->high[1]) continue;
            uint32_t *pixel = f->pixels + (size_t)row * (size_t)f->width + (size_t)column;
            *pixel = blend(*pixel, paint, (float)share);
        }
}

void flat_disk(flat *f, double x, double y, double radius, uint32_t paint)
{
    if (!(radius > 0) || !(x > -radius - 1) || !(y > -radius - 1) || !(x < f->width + radius + 1) ||
        !(y < f->height + radius + 1))
        return;
    if (radius < 0.5) {
        draw_subpixel(f, x, y, radius, paint);
        return;
    }
    /* The edge is one pixel wide; it begins slightly inside the disk, so that the total area is that of the disk. */
    const double edge = sqrt(radius * radius - 1.0 / 12), out = edge + 0.5;
    const float inner = edge > 0.5 ? (float)((edge - 0.5) * (edge - 0.5)) : 0, outer = (float)(out * out);
    const int x0 = bound(floor(x - out), f->low[0], f->high[0]), x1 = bound(ceil(x + out), f->low[0], f->high[0]);
    const int y0 = bound(floor(y - out), f->low[1], f->high[1]), y1 = bound(ceil(y + out), f->low[1], f->high[1]);
    for (int j = y0; j < y1; j++) {
        uint32_t *row = f->pixels + (size_t)j * (size_t)f->width;
        const float dy = (float)(j + 0.5 - y);
        for (int i = x0; i < x1; i++) {
            const float dx = (float)(i + 0.5 - x), square = dx * dx + dy * dy;
            if (square >= outer) continue;
            row[i] = square <= inner ? paint : blend(row[i], paint, (float)out - sqrtf(square));
        }
    }
}

void flat_shape(flat *f, const body_shape *of, double x, double y, const double axis[2], const double half[2],
                uint32_t paint)
{
    const double size[2] = {fmax(half[0], 0.5), fmax(half[1], 0.5)}, out = fmax(size[0], size[1]) + 1;
    const int x0 = bound(floor(x - out), f->low[0], f->high[0]), x1 = bound(ceil(x + out), f->low[0], f->high[0]);
    const int y0 = bound(floor(y - out), f->low[1], f->high[1]), y1 = bound(ceil(y + out), f->low[1], f->high[1]);
    for (int j = y0; j < y1; j++)
        for (int i = x0; i < x1; i++) {
            const double dx = i + 0.5 - x, dy = j + 0.5 - y;
            const double share = 0.5 - of->outside(size, dx * axis[0] + dy * axis[1], dy * axis[0] - dx * axis[1]);
            uint32_t *pixel = f->pixels + (size_t)j * (size_t)f->width + (size_t)i;
            if (share > 0) *pixel = share >= 1 ? paint : blend(*pixel, paint, (float)share);
        }
}

void flat_rod(flat *f, const double a[2], const double b[2], double radius, uint32_t paint)
{
    const double out = radius + 0.5, ux = b[0] - a[0], uy = b[1] - a[1], square = ux * ux + uy * uy;
    const int x0 = bound(floor(fmin(a[0], b[0]) - out), f->low[0], f->high[0]),
              x1 = bound(ceil(fmax(a[0], b[0]) + out), f->low[0], f->high[0]);
    const int y0 = bound(floor(fmin(a[1], b[1]) - out), f->low[1], f->high[1]),
              y1 = bound(ceil(fmax(a[1], b[1]) + out), f->low[1], f->high[1]);
    for (int j = y0; j < y1; j++)
        for (int i = x0; i < x1; i++) {
            const double px = i + 0.5 - a[0], py = j + 0.5 - a[1];
            const double t = square > 0 ? fmin(1, fmax(0, (px * ux + py * uy) / square)) : 0;
            const double share = fmin(out - hypot(px - t * ux, py - t * uy), fmin(1, 2 * radius));
            uint32_t *pixel = f->pixels + (size_t)j * (size_t)f->width + (size_t)i;
            if (share > 0) *pixel = blend(*pixel, paint, (float)share);
        }
}
