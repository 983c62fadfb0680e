/* Contact times of a body with a triangle of a mesh, or with a moving plane. */
#ifndef CAROM_HARD_KERNEL_MESH_CONTACT_H
#define CAROM_HARD_KERNEL_MESH_CONTACT_H

#include "hard/kernel/features/meshes.h"

/* Position and velocity of body i at `dt` after its stored time, in the frame of the image of the mesh. */
static void touch_place(const gas *g, uint32_t i, const element *of, real dt, real x[3], real v[3]);

/* A bound of its acceleration in this frame, valid for `window`. */
static real touch_acceleration_bound(const gas *g, uint32_t i, const solid *of, real dt, real *window);

/* Gap at `dt` after the stored time of body i; for triangles without the bounds. */
static void touch_gap(const gas *g, uint32_t i, const element *of, real dt, gap_state *s);

/* Local time of the next contact of body i with the element, if it is not after `until`. */
static real touch_time(const gas *g, uint32_t i, const element *of, real until);

static void touch_gap_plane(const gas *g, uint32_t i, const surface *of, real dt, gap_state *s);
static real touch_plane_time(const gas *g, uint32_t i, const surface *of, real until);

#endif
