#include "view/colours.h"

#include <math.h>

#define RGB(r, g, b)                                                                                                   \
    {                                                                                                                  \
        (r) / 255.0f, (g) / 255.0f, (b) / 255.0f                                                                       \
    }

/* The eight colours of Okabe and Ito, in the order of decreasing contrast; yellow for dark backgrounds only. */
static const theme light = {
    .paper = RGB(255, 255, 255),
    .ink = RGB(26, 26, 26),
    .soft = RGB(110, 110, 110),
    .grid = RGB(228, 228, 228),
    .wall = RGB(240, 240, 238),
    .plain = RGB(200, 200, 198),
    .series = {RGB(0, 114, 178), RGB(213, 94, 0), RGB(0, 158, 115), RGB(204, 121, 167), RGB(230, 159, 0),
               RGB(86, 180, 233), RGB(90, 90, 90)},
};

static const theme dark = {
    .paper = RGB(17, 19, 24),
    .ink = RGB(236, 236, 236),
    .soft = RGB(160, 162, 168),
    .grid = RGB(48, 51, 58),
    .wall = RGB(30, 33, 40),
    .plain = RGB(120, 124, 130),
    .series = {RGB(86, 180, 233), RGB(230, 159, 0), RGB(0, 178, 130), RGB(204, 121, 167), RGB(240, 228, 66),
               RGB(213, 94, 0), RGB(190, 190, 190)},
};

const theme *theme_of(bool is_dark)
{
    return is_dark ? &dark : &light;
}

/* Viridis (Smith and van der Walt 2015) at 17 equidistant values; linear interpolation. */
static const colour viridis[] = {
    RGB(68, 1, 84),    RGB(72, 21, 104),  RGB(71, 42, 122),  RGB(66, 61, 132),  RGB(59, 82, 139),  RGB(51, 99, 141),
    RGB(44, 114, 142), RGB(38, 130, 142), RGB(33, 145, 140), RGB(31, 161, 135), RGB(40, 174, 128), RGB(63, 188, 115),
    RGB(94, 201, 98),  RGB(131, 211, 75), RGB(173, 220, 48), RGB(216, 226, 25), RGB(253, 231, 37)};

colour colour_mix(colour a, colour b, double share_of_b)
{
    const float s = (float)share_of_b;
    return (colour){a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b)};
}

colour colour_map(double t)
{
    enum { STEPS = sizeof viridis / sizeof *viridis - 1 };
    double at = (t > 0 ? t < 1 ? t : 1 : 0) * STEPS;
    int below = 0;
    while (below < STEPS - 1 && below + 1 <= at) below++;
    return colour_mix(viridis[below], viridis[below + 1], at - below);
}

colour colour_of_many(const theme *t, size_t number)
{
    const colour hue = t->series[number % COLOUR_HUES];
    const size_t shade = number / COLOUR_HUES % 3;
    return shade == 0 ? hue : colour_mix(hue, shade == 1 ? (colour){1, 1, 1} : (colour){0, 0, 0}, 0.4);
}
