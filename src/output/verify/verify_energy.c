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

/* The rate of the stored energy, from a frame to the next one. */
static carom_status rate_between(const verifier *v, uint64_t from, double *rate, error *e)
{
    frame_row one, other;
    TRY(reader_row(v->r, from, &one, e));
    TRY(reader_row(v->r, from + 1, &other, e));
    const double stored = frame_balance(&other.f, BALANCE_STORED, 0) - frame_balance(&one.f, BALANCE_STORED, 0);
    if (other.f.time > one.f.time) *rate = fmax(*rate, fabs(stored) / (other.f.time - one.f.time));
    return CAROM_OK;
}

/* The larger rate of those before and after this frame. */
static carom_status storing_rate(const verifier *v, double *rate, error *e)
{
    *rate = 0;
    if (v->index > 0) TRY(rate_between(v, v->index - 1, rate, e));
    return v->index + 1 < reader_about(v->r)->frames ? rate_between(v, v->index, rate, e) : CAROM_OK;
}

static carom_status allowed_drift(const verifier *v, const frame_energy *own, double *allowed, error *e)
{
    drift_scales scales = {.account = v->account_scale, .flow = v->flow_scale};
    *allowed = verify_rounding(v) * v->account_scale;
    if (!(reader_about(v->r)->leeway > 0)) return CAROM_OK;
    TRY(storing_rate(v, &scales.rate, e));
    *allowed = fmax(*allowed, verify_drift_allowed(&v->f, own, v->steps, scales));
    return CAROM_OK;
}

/* With a ledger, the drift of the sum is the error of the time steps. It is reported, and is a violation above the
 * limit for valid steps (without steps: above rounding). */
static carom_status check_ledger(verifier *v, const frame_row *row, const frame_energy *own, error *e)
{
    double allowed;
    TRY(allowed_drift(v, own, &allowed, e));
    const double sum = frame_budget(&v->f, own), drift = sum - v->first_sum;
    if (v->allowed == 0 || fabs(drift) > fabs(v->drift)) v->drift = drift, v->allowed = allowed;
    verify_compare(v, CHECK_ENERGY, "the energy balance", sum, v->first_sum, allowed);
    verify_dissipation(v, row, allowed);
    return CAROM_OK;
}

/* Without a ledger. */
static void check_total(verifier *v, const frame_row *row, const frame_energy *own)
{
    const double tolerance = verify_rounding(v) * v->energy_scale;
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

carom_status verify_energy(verifier *v, const frame_row *row, const frame_energy *own, error *e)
{
    if (v->f.tallies.ledger.kept) return check_ledger(v, row, own, e);
    check_total(v, row, own);
    return CAROM_OK;
}
