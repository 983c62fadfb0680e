/* Meshes that have not moved between two checks of frames: their boxes are reused. */
#ifndef CAROM_OUTPUT_VERIFY_STILL_H
#define CAROM_OUTPUT_VERIFY_STILL_H

#include "frame/frame.h"
#include "output/results/links.h"

typedef struct still_meshes {
    const result_links *links;
    bool *mesh; /* [links->meshes]: whether its vertices and the box are unchanged since the previous check */
    bool begun;
    double box[3];
    double *position; /* of the last frame checked, [count][dimension] */
    int64_t *image;
} still_meshes;

/* `f`: any frame of the run. To be destroyed, also after a failure. */
carom_status still_create(still_meshes *s, const carom_frame *f, const result_links *links, error *e);
void still_destroy(still_meshes *s);

void still_update(still_meshes *s, const carom_frame *f);

#endif
