/* Limits of magnitudes in a scene. Within them no product overflows or underflows, and no sum loses all of its digits.
 * docs/scene.md lists them. */
#ifndef CAROM_SCENE_SCALE_H
#define CAROM_SCENE_SCALE_H

#include <stdbool.h>

/* Largest ratio of lengths: of the box and the positions in it to the smallest thickness. */
#define SCALE_LENGTHS 1e12
/* Largest ratio of the lengths of planes and exact surfaces (points, radii) to the smallest width. A gap is a difference
 * of such lengths; its error is then at most 1e-7 widths. */
#define SCALE_SURFACES 1e9
/* Largest distance of given positions from a periodic box, in box lengths. */
#define SCALE_IMAGES 1e9
/* Contact distances, or reaches of potentials, that a periodic box is wide at least. With fewer than two, a particle would
 * meet two images of another, or its own; a tenth more leaves room for neighbour lists. */
#define SCALE_PERIODIC 2.2
/* Largest extent of a mesh along a periodic axis, in box lengths. */
#define SCALE_MESH_IMAGES 100

/* The limits of one quantity, by the unit of a setting. */
typedef struct scale {
    const char *unit, *plural;
    double least, most; /* of magnitudes that are not 0 */
} scale;

enum {
    SCALE_LENGTH,
    SCALE_MASS,
    SCALE_TIME,
    SCALE_SPEED,
    SCALE_ACCELERATION,
    SCALE_RATE,
    SCALE_ENERGY,
    SCALES = SCALE_ENERGY + 9 /* the others are selected by their unit alone */
};
extern const scale scales[SCALES];

/* The limits of a unit; NULL: none. */
const scale *scale_of_unit(const char *unit);

bool scale_fits(const scale *of, double value);

/* For a component of a vector: it may be arbitrarily small. */
bool scale_fits_component(const scale *of, double value);

#endif
