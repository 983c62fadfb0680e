/* Which meshes stand still from one look at frames to the next: what has been made of them serves again. */
#ifndef CAROM_OUTPUT_VERIFY_STILL_H
#define CAROM_OUTPUT_VERIFY_STILL_H

#include "frame/frame.h"
#include "output/results/links.h"

typedef struct still_meshes {
    const result_links *links;
    bool *mesh; /* [links->meshes]: whether its vertices, and the box, are as at the look before */
    bool begun;
    double box[3];
    double *position; /* of the frame that was looked at last, [count][dimension] */
    int64_t *image;
} still_meshes;

/* `f`: any frame of the run. To be destroyed, also after a failure. */
carom_status still_create(still_meshes *s, const carom_frame *f, const result_links *links, error *e);
void still_destroy(still_meshes *s);

void still_look(still_meshes *s, const carom_frame *f);

#endif
