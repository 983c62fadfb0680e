/* Ambient occlusion: concave regions receive less light. It uses the depths in the picture only, as on the live page
 * (web/occlusion.js). */
#ifndef CAROM_VIEW_RENDER_OCCLUSION_H
#define CAROM_VIEW_RENDER_OCCLUSION_H

#include "base/error.h"

typedef struct occlusion {
    int width, height;          /* pixels */
    double scale;               /* pixels per length at depth 1 */
    double reach;               /* a length: largest distance at which bodies shade */
    const float *bodies, *seen; /* [height][width]: 1 / depth, 0 for the background; without and with walls */
} occlusion;

/* light: [height][width], the remaining fraction. Only bodies shade. */
carom_status occlusion_light(const occlusion *o, float *light, error *e);

#endif
