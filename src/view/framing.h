/* The region that a picture shows if the scene does not set it. */
#ifndef CAROM_VIEW_FRAMING_H
#define CAROM_VIEW_FRAMING_H

#include "frame/frame.h"

typedef struct framing {
    double low[3], high[3];
} framing;

/* An empty framing (low = infinity, high = -infinity); a framing of all space. */
framing framing_none(void);
framing framing_all(void);

void framing_widen(framing *f, int axis, double low, double high);

/* Widens the framing along the open axes by the bulk of the bodies within `limits`: the central nine tenths of their
 * positions, and bodies outside them at a distance of at most their width. If there are few bodies, all count.
 * left_out: [count], bodies to ignore; may be NULL. */
void framing_see(framing *to, const carom_frame *f, const bool *left_out, const framing *limits);

/* The framing widened by half its size; bodies outside it have left the vessel. */
framing framing_vicinity(const framing *f, int dimension);

#endif
