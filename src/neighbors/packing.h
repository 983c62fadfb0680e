/* Spheres (disks) in a box and which of them overlap: one cell grid a size class, each class half as wide as the one
 * before, so that a few large spheres among many small ones cost nothing extra. */
#ifndef CAROM_NEIGHBORS_PACKING_H
#define CAROM_NEIGHBORS_PACKING_H

#include "neighbors/cells.h"

enum { PACKING_CLASSES = 24, PACKING_MANY = 10000000 };

typedef struct packing {
    cells_box box;
    size_t count;
    const double (*position)[3]; /* [count]: owned by the caller, read when a sphere is added or compared */
    const double *diameter;      /* [count]: likewise */
    double widest;               /* the largest diameter */
    double scale;                /* of all diameters */
    double slack;                /* an overlap up to this length is rounding: see packing_create */
    size_t members[PACKING_CLASSES];
    cells classes[PACKING_CLASSES]; /* classes without members have no grid */
    uint32_t *next;
} packing;

/* Makes an empty packing for `count` spheres in the box; diameters are multiplied by `scale`. Touching spheres are no
 * overlap: gaps down to -1e-12 of the contact distance, and down to the rounding of the coordinates, pass. */
carom_status packing_create(packing *p, const cells_box *box, size_t count, const double (*position)[3],
                            const double *diameter, double scale, error *e);
void packing_destroy(packing *p);

/* Adds sphere i at its position. */
void packing_add(packing *p, uint32_t i);

/* A sphere among those added that a new one, of `diameter` (to be scaled) at r, would overlap by more than rounding;
 * CELLS_END where there is none. */
uint32_t packing_hit(const packing *p, const double r[3], double diameter);

typedef struct packing_pair {
    uint32_t i, j; /* i < j */
    double distance, contact;
} packing_pair;

/* All overlapping pairs among spheres in a box, of which the first `room` in order of (i, j) go to `pairs`; *found is
 * the number of all, and the search ends when it reaches PACKING_MANY. Positions lie in the box on periodic axes. */
carom_status packing_overlaps(const cells_box *box, size_t count, const double (*position)[3], const double *diameter,
                              double scale, packing_pair *pairs, size_t room, uint64_t *found, error *e);

/* Keeps the first `room` pairs in order of (i, j): adds one to those of `found` that were offered before. */
void packing_keep(packing_pair *pairs, size_t room, uint64_t found, packing_pair pair);

/* Calls `visit` for every pair that packing_overlaps would find, in an order that depends on the places only; false
 * from it ends the search. */
typedef bool packing_visit(const packing_pair *pair, void *user);
carom_status packing_pairs(const cells_box *box, size_t count, const double (*position)[3], const double *diameter,
                           double scale, packing_visit *visit, void *user, error *e);

#endif
