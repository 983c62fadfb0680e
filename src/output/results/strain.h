/* Strain of meshes: at a vertex the mean of |l / l_0 - 1| over the edges of its triangles, l_0 the length of an edge
 * in a reference frame. */
#ifndef CAROM_OUTPUT_RESULTS_STRAIN_H
#define CAROM_OUTPUT_RESULTS_STRAIN_H

#include "frame/frame.h"
#include "output/results/links.h"

typedef struct mesh_strain {
    double *rest;   /* [3 x triangles]: lengths of their edges, mesh by mesh */
    uint32_t *ends; /* [points]: number of edges of triangles that end there */
} mesh_strain;

/* Reference frame: `rest`. To be freed with strain_free, also after a failure. */
carom_status strain_create(mesh_strain *s, const result_links *links, const carom_frame *rest, error *e);
void strain_free(mesh_strain *s);

/* strain: [points], set only at the vertices. */
void strain_find(const mesh_strain *s, const result_links *links, const carom_frame *f, double *strain);

#endif
