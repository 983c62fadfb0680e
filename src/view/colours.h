/* The colours of plots and pictures, chosen so that people who see fewer colours can tell them apart. */
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
    colour soft;       /* text and lines that matter less */
    colour grid;
    colour wall;                 /* faces of the box */
    colour plain;                /* bodies without a colour of their own */
    colour series[THEME_SERIES]; /* after Okabe and Ito */
} theme;

const theme *theme_of(bool dark);

/* The map viridis, perceptually even; t is brought into [0, 1]. */
colour colour_map(double t);

colour colour_mix(colour a, colour b, double share_of_b);

/* One of many: numbers that differ get colours that mostly differ. */
colour colour_of_number(const theme *t, size_t number);

#endif
