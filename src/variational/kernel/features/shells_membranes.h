/* The membranes of triangles, by the materials of their meshes. */
#ifndef CAROM_VARIATIONAL_SHELLS_MEMBRANES_H
#define CAROM_VARIATIONAL_SHELLS_MEMBRANES_H

#include "variational/kernel/features/shells.h"

/* The thickness in plate theory, and Young's modulus times thickness. */
static double shell_thickness(const scene_mesh *from);
static double shell_stretch(const scene_mesh *from);

static membrane_kind mesh_membrane(const scene_mesh *from);

/* The moduli of a fabric, and its warp in the scene. */
static fabric mesh_fabric(const scene_mesh *from);

/* The membrane of a triangle of the draft, number n of its mesh. */
static carom_status draft_membrane(const world *w, shell_membrane *membrane, shell_triangle *s, const scene_mesh *from,
                                   const mesh *m, size_t n, error *e);

#endif
