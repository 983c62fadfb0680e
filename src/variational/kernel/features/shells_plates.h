/* The bending of plates: meshes with Young's modulus. See shells_plates.c. */
#ifndef CAROM_VARIATIONAL_SHELLS_PLATES_H
#define CAROM_VARIATIONAL_SHELLS_PLATES_H

#include "variational/kernel/features/shell_draft.h"

#include "mesh/topology.h"

/* The moments of the hinges of plates in a class, by their angles from rest. */
static void bend_plates(const world *w, const shell_class *c);

/* The energy of the plates of a class for its present angles from rest. */
static double plates_energy(const world *w, const shell_class *c);

/* The rows of a class in the order of its hinges: `hinges`, of the draft, sorted. row_of: space for as many numbers. */
static void fill_plates(shells *s, const shell_draft *d, const uint64_t *hinges, uint32_t class, uint32_t *row_of);

/* The hinges of a mesh become those of a plate. hinge_of: of the edges, in the draft; NONE: no hinge. */
static void draft_plate(const world *w, shell_draft *d, const scene_mesh *from, const mesh *m, const mesh_topology *t,
                        size_t first, const uint32_t *hinge_of);

/* The hinges of a plate are in one class: the finest of them. */
static carom_status join_plates(const world *w, shell_draft *d, error *e);

#endif
