/* Stored sums, against those of the particles. */
#include "output/verify/verifier.h"

static const char *const stored_momentum[] = {"the stored momentum along x", "the stored momentum along y",
                                              "the stored momentum along z"};

void verify_stored(verifier *v, const frame_row *row, const frame_energy *own)
{
    const double energy = 1e-9 * v->energy_scale, flow = 1e-9 * v->flow_scale;
    verify_compare(v, CHECK_STORED, "the stored kinetic energy", row->kinetic, own->kinetic, energy);
    verify_compare(v, CHECK_STORED, "the stored potential energy", row->potential, own->potential, energy);
    verify_compare(v, CHECK_STORED, "the stored total energy", row->total, own->total, energy);
    for (int k = 0; k < v->f.dimension; k++)
        verify_compare(v, CHECK_STORED, stored_momentum[k], row->momentum[k], own->momentum[k], flow);
}
