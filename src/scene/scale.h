/* The magnitudes that a scene may have, so that no engine computes with numbers whose products overflow, vanish or lose
 * all digits beside others. docs/scene.md lists them. */
#ifndef CAROM_SCENE_SCALE_H
#define CAROM_SCENE_SCALE_H

#include <stdbool.h>

/* Lengths differ by no more than this factor, from the box and the places in it down to the smallest thickness. */
#define SCALE_LENGTHS 1e12
/* Lengths of planes and exact surfaces (points, radii) are at most so many times the smallest width: a gap is a difference of
 * these, and is then exact to 1e-7 widths. */
#define SCALE_SURFACES 1e9
/* Places given in a periodic box are at most so many boxes away. */
#define SCALE_IMAGES 1e9
/* Contact distances, or reaches of potentials, that a periodic box is wide at least. With fewer than two, a particle would
 * meet two images of another, or its own; a tenth more leaves room for neighbour lists. */
#define SCALE_PERIODIC 2.2
/* Boxes along a periodic axis that a mesh extends over. */
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
    SCALES = SCALE_ENERGY + 7 /* the others are found by their unit alone */
};
extern const scale scales[SCALES];

/* The limits of a unit; NULL where it has none. */
const scale *scale_of_unit(const char *unit);

bool scale_fits(const scale *of, double value);

/* A component of a vector: it may be arbitrarily small. */
bool scale_fits_component(const scale *of, double value);

#endif
