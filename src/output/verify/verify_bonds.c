#include "output/verify/verify_bonds.h"

#include <math.h>

/* With the nearest image: bonds are shorter than half a periodic box. */
static double length_of(const carom_frame *f, uint32_t i, uint32_t j)
{
    const size_t dimension = (size_t)f->dimension;
    double square = 0;
    for (size_t k = 0; k < dimension; k++) {
        double way = f->position[j * dimension + k] - f->position[i * dimension + k];
        if (f->boundary[k] == FRAME_PERIODIC) way -= f->box[k] * rint(way / f->box[k]);
        square += way * way;
    }
    return sqrt(square);
}

void verify_bonds(const carom_frame *f, const result_links *links, double tolerance, bond_found *found, void *data)
{
    for (size_t n = 0; links->longest != NULL && n < links->springs; n++) {
        const double length = length_of(f, links->spring[0][n], links->spring[1][n]);
        if (length < links->shortest[n] - tolerance || length > links->longest[n] + tolerance) found(n, length, data);
    }
}
