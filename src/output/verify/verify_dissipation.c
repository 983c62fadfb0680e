/* Dissipated energies: what is dissipated does not return. */
#include <math.h>

#include "output/verify/verifier.h"

static void note_fall(verifier *v, const char *name, double is, double largest)
{
    if (!verify_note(v, CHECK_ENERGY)) return;
    text_add(&v->descriptions[CHECK_ENERGY], "the energy dissipated %s", name);
    verify_note_number(v, CHECK_ENERGY, " has fallen to ", is);
    verify_note_number(v, CHECK_ENERGY, " from ", largest);
    verify_end_note(v, CHECK_ENERGY);
}

static void check_rise(verifier *v, const char *name, double is, double *largest, double allowed)
{
    if (is < *largest - allowed) note_fall(v, name, is, *largest);
    *largest = fmax(*largest, is);
}

/* Contacts of shells at rest feed vibrations (docs/shells.md, limits): a part of the largest energy, some three times that of the
 * cloths on spikes in the part of their run with little motion. */
static const double FED = 0.02;

/* Dashpots and plastic bending dissipate at each moment, and so do all accounts together, but for what contacts feed. Contacts in
 * different batches may exchange energy between the accounts of restitution and friction, and an elastic contact that rubs
 * lends energy to its normal: of these two each may fall by what has been dissipated so far. Steps cost each of two frames
 * `allowed`. */
void verify_dissipation(verifier *v, const frame_row *row, double allowed)
{
    const frame_ledger *l = &row->f.tallies.ledger;
    dissipated_energies *most = &v->dissipated;
    const double sum = l->restitution + l->friction + l->damping + l->plastic;
    const double steps = 2 * allowed, fed = steps + FED * v->account_scale;
    check_rise(v, "in all", sum, &most->sum, fed);
    check_rise(v, "by damping", l->damping, &most->damping, steps);
    check_rise(v, "by plastic bending", l->plastic, &most->plastic, steps);
    check_rise(v, "by restitution", l->restitution, &most->restitution, most->sum + fed);
    check_rise(v, "by friction", l->friction, &most->friction, most->sum + fed);
}
