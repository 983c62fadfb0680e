#include "output/verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "frame/channels.h"
#include "output/verify/verifier.h"
#include "output/verify/verify_bonds.h"
#include "output/verify/verify_clusters.h"

static double length_tolerance(const carom_frame *f)
{
    enum { ULPS = 512 };
    size_t dimension = (size_t)f->dimension;
    double largest = 0;
    for (size_t k = 0; k < dimension; k++) largest = fmax(largest, f->box[k]);
    for (size_t i = 0; i < f->count * dimension; i++) largest = fmax(largest, fabs(f->position[i]));
    for (size_t i = 0; i < f->count; i++) largest = fmax(largest, f->radius[i]);
    return ULPS * fmax(f->grain, 0x1p-52) * largest;
}

/* Connections between particles. */
static carom_status read_links(verifier *v, error *e)
{
    TRY(reader_links(v->r, &v->links, e));
    return joined_create(&v->joined, &v->links, e);
}

static void bond_is_off(size_t bond, double length, void *data)
{
    verifier *v = data;
    if (!verify_note(v, CHECK_BONDS)) return;
    const result_links *links = &v->links;
    text_add(&v->descriptions[CHECK_BONDS], "particles %" PRIu32 " and %" PRIu32, links->spring[0][bond],
             links->spring[1][bond]);
    verify_note_number(v, CHECK_BONDS, " are ", length);
    verify_note_number(v, CHECK_BONDS, " apart, not between ", links->shortest[bond]);
    verify_note_number(v, CHECK_BONDS, " and ", links->longest[bond]);
    verify_end_note(v, CHECK_BONDS);
}

/* The largest energy and the sum of m |v|: the scales of rounding errors. */
static void widen_scales(verifier *v, const frame_row *row)
{
    const carom_frame *f = &v->f;
    size_t dimension = (size_t)f->dimension;
    double flow = 0;
    for (size_t i = 0; i < f->count; i++) {
        double square = 0;
        for (size_t k = 0; k < dimension; k++)
            square += f->velocity[i * dimension + k] * f->velocity[i * dimension + k];
        flow += f->mass[i] * sqrt(square);
    }
    v->flow_scale = fmax(v->flow_scale, frame_true(f, flow));
    v->energy_scale = fmax(v->energy_scale, fmax(fabs(row->kinetic), fabs(row->potential)));
    v->energy_scale = fmax(v->energy_scale, frame_balance_scale(f, BALANCE_STORED));
}

static void cluster_is_wrong(size_t i, const char *what, void *data)
{
    verifier *v = data;
    if (verify_note(v, CHECK_CLUSTERS))
        text_add(&v->descriptions[CHECK_CLUSTERS], "particle %" PRIu32 " %s\n", v->f.id[i], what);
}

static carom_status check_clusters(verifier *v, error *e)
{
    if (v->f.cluster == NULL) return CAROM_OK;
    return verify_clusters(&v->f, v->merges, reader_about(v->r)->merges, cluster_is_wrong, v, e);
}

static carom_status check_frame(verifier *v, error *e)
{
    frame_row row;
    TRY(reader_frame(v->r, v->index, &v->f, e));
    TRY(reader_row(v->r, v->index, &row, e));
    if (!verify_numbers(v)) {
        v->follows = false;
        return CAROM_OK;
    }
    v->tolerance = length_tolerance(&v->f);
    TRY(verify_overlaps(v, e));
    verify_bonds(&v->f, &v->links, v->tolerance, bond_is_off, v);
    verify_tell(v, 0.6);
    TRY(verify_passages(v, e));
    verify_tell(v, 1);
    verify_box(v);
    TRY(check_clusters(v, e));
    TRY(verify_events(v, e));
    frame_energy own = frame_energy_of(&v->f);
    turning_sum turning = verify_turning(&v->f);
    widen_scales(v, &row);
    verify_stored(v, &row, &own);
    if (!v->begun) {
        v->first_sum = frame_budget(&v->f, &own);
        v->begun = true;
    } else {
        verify_times(v, &row);
        TRY(verify_energy(v, &row, &own, e));
        verify_momentum(v, &row, &own, &turning);
    }
    v->last_turning = turning;
    v->last = row;
    v->last.total = own.total;
    memcpy(v->last.momentum, own.momentum, sizeof own.momentum);
    const carom_frame seen = v->f;
    v->f = v->before;
    v->before = seen;
    v->follows = true;
    return CAROM_OK;
}

carom_status verify_result(const reader *r, const scene *s, const verify_watch *watch, bool json, char **report,
                           error *e)
{
    verifier v = {.r = r, .scene = s, .watch = watch, .steps = verify_drift_steps(s, reader_about(r)->summary)};
    *report = NULL;
    carom_status status = reader_check(r, NULL, e);
    if (status == CAROM_OK) status = reader_frame_create(r, &v.f, e);
    if (status == CAROM_OK) status = reader_frame_create(r, &v.before, e);
    if (status == CAROM_OK && ABOUT_HAS(reader_about(r), cluster)) status = reader_merges(r, &v.merges, e);
    if (status == CAROM_OK) status = read_links(&v, e);
    if (status == CAROM_OK) status = recorded_paths_open(&v.paths, r, e);
    if (status == CAROM_OK) status = event_check_open(&v.events, r, s, e);
    if (status == CAROM_OK) status = verify_account_scale(&v, e);
    for (; v.index < reader_about(r)->frames && status == CAROM_OK; v.index++) status = check_frame(&v, e);
    if (status == CAROM_OK) status = verify_report(&v, json, report, e);
    for (int what = 0; what < CHECKS; what++) text_free(&v.descriptions[what]);
    between_close(v.way);
    recorded_paths_close(v.paths);
    event_check_close(v.events);
    sides_close(v.sides);
    meshes_look_destroy(v.near);
    frame_destroy(&v.f);
    frame_destroy(&v.before);
    memory_free(v.merges);
    joined_destroy(&v.joined);
    links_free(&v.links);
    return status;
}
