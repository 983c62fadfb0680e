/* The colours of plots and pictures, chosen to be distinguishable in colour blindness. */
#ifndef CAROM_VIEW_COLOURS_H
#define CAROM_VIEW_COLOURS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct colour {
    float r, g, b; /* sRGB, 0 to 1 */
} colour;

enum { THEME_SERIES = 7 };

typedef struct theme {
    colour paper, ink; /* background, text */
    colour soft;       /* secondary text and lines */
    colour grid;
    colour wall;                 /* faces of the box */
    colour plain;                /* bodies without a colour of their own */
    colour series[THEME_SERIES]; /* after Okabe and Ito */
} theme;

const theme *theme_of(bool dark);

/* The colour map viridis (perceptually uniform); t is clamped to [0, 1]. */
colour colour_map(double t);

colour colour_mix(colour a, colour b, double share_of_b);

/* Colour number 0 to COLOUR_MANY - 1: the hues, then two other shades of each. */
enum { COLOUR_HUES = 6, COLOUR_MANY = 3 * COLOUR_HUES };
colour colour_of_many(const theme *t, size_t number);

#endif
