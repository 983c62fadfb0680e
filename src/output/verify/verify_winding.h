/* Winding numbers of a mesh about points: the sum of the solid angles of its triangles over 4 pi. A distant cluster
 * of triangles is approximated by a dipole (Barill, Dickson, Schmidt, Levin and Jacobson, ACM Trans. Graph. 37, 43
 * (2018)). */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_WINDING_H
#define CAROM_OUTPUT_VERIFY_VERIFY_WINDING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct winding winding;

/* The triangles must outlive it. */
carom_status winding_create(winding **out, const uint32_t (*triangles)[3], size_t count, size_t vertices, error *e);
void winding_destroy(winding *w);

/* Sets the positions of the vertices, corner: [vertices][3]. To be called before the next two functions. */
void winding_place(winding *w, const double *corner);

/* The error is usually below 0.1. */
double winding_about(const winding *w, const double x[3]);

double winding_exact(const winding *w, const double x[3]);

#endif
