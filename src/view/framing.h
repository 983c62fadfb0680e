/* Which part of space a picture shows, where the scene does not say. */
#ifndef CAROM_VIEW_FRAMING_H
#define CAROM_VIEW_FRAMING_H

#include "frame/frame.h"

typedef struct framing {
    double low[3], high[3];
} framing;

/* Nothing, infinite inwards; and everything. */
framing framing_none(void);
framing framing_all(void);

void framing_widen(framing *f, int axis, double low, double high);

/* Widens the framing along the open axes by the bulk of the bodies within `limits`: the middle nine tenths of their
 * positions, and bodies beside them by no more than the width of these. All of a few bodies count. left_out: [count],
 * bodies that do not count; may be NULL. */
void framing_see(framing *to, const carom_frame *f, const bool *left_out, const framing *limits);

/* What lies around it by no more than half its size: farther away, bodies have left a vessel. */
framing framing_vicinity(const framing *f, int dimension);

#endif
