/* Ambient occlusion: what lies in a hollow, as seen from the eye, gets less light. From depths in the picture alone, as
 * on the live page (web/occlusion.js). */
#ifndef CAROM_VIEW_RENDER_OCCLUSION_H
#define CAROM_VIEW_RENDER_OCCLUSION_H

#include "base/error.h"

typedef struct occlusion {
    int width, height;          /* pixels */
    double scale;               /* pixels of a length at a depth of 1 */
    double reach;               /* a length: so far away bodies still shade */
    const float *bodies, *seen; /* [height][width]: 1 / depth, 0 where there is nothing; without and with walls */
} occlusion;

/* light: [height][width], the share that is left. Only bodies shade. */
carom_status occlusion_light(const occlusion *o, float *light, error *e);

#endif
