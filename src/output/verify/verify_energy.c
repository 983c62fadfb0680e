/* The energy budget. */
#include <math.h>

#include "frame/channels.h"
#include "output/verify/verifier.h"

/* For the whole run: after a start from rest without forces, the first energies are rounding errors. */
carom_status verify_account_scale(verifier *v, error *e)
{
    for (uint64_t k = 0; k < reader_about(v->r)->frames; k++) {
        frame_row row;
        TRY(reader_row(v->r, k, &row, e));
        const double held = frame_balance_scale(&row.f, BALANCE_STORED);
        const double gone = frame_balance_scale(&row.f, BALANCE_LOST);
        v->account_scale = fmax(v->account_scale, fmax(fmax(fabs(row.kinetic), fabs(row.potential)), held));
        v->account_scale = fmax(v->account_scale, fmax(gone, frame_balance_scale(&row.f, BALANCE_WORK)));
    }
    return CAROM_OK;
}

static double allowed_drift(const verifier *v, const frame_energy *own)
{
    const double exact = verify_rounding(v) * v->account_scale;
    if (!(reader_about(v->r)->leeway > 0)) return exact;
    return fmax(exact, verify_drift_allowed(&v->f, own, v->steps, v->account_scale, v->flow_scale));
}

/* With a ledger, the drift of the sum is the error of the time steps. It is reported, and is a violation above the
 * limit for valid steps (without steps: above rounding). */
static void check_ledger(verifier *v, const frame_energy *own)
{
    const double sum = frame_budget(&v->f, own), drift = sum - v->first_sum, allowed = allowed_drift(v, own);
    if (v->allowed == 0 || fabs(drift) > fabs(v->drift)) v->drift = drift, v->allowed = allowed;
    verify_compare(v, CHECK_ENERGY, "the energy balance", sum, v->first_sum, allowed);
}

void verify_energy(verifier *v, const frame_row *row, const frame_energy *own)
{
    const double tolerance = verify_rounding(v) * v->energy_scale;
    if (v->f.tallies.ledger.kept) {
        check_ledger(v, own);
        return;
    }
    verify_compare(v, CHECK_ENERGY, "energy + dissipated energy", own->total + row->dissipated, v->first_sum,
                   tolerance);
    if (reader_about(v->r)->edited) return;
    const double supplied = row->f.tallies.supplied - v->last.f.tallies.supplied;
    if (own->total - fmax(supplied, 0) > v->last.total + tolerance && verify_note(v, CHECK_ENERGY)) {
        verify_note_number(v, CHECK_ENERGY, "the energy has risen to ", own->total);
        verify_note_number(v, CHECK_ENERGY, " from ", v->last.total);
        if (supplied > 0) verify_note_number(v, CHECK_ENERGY, ", with a supplied energy of ", supplied);
        verify_end_note(v, CHECK_ENERGY);
    }
}
