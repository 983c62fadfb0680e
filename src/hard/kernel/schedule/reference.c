/* The reference path: all pairs, and a linear scan for the earliest event. It shares the rule and the collision
 * response with the fast path, but not the search for pairs. */
#include "hard/kernel/schedule/reference.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/features/thermostat.h"
#include "hard/kernel/narrow/detect.h"
#include "hard/kernel/narrow/flight.h"

/* Local time until which only the nearest image of j can touch i. */
static real horizon(const gas *g, uint32_t i, uint32_t j)
{
    real r[DIM], v[DIM], limit = REAL_NEVER;
    relative_at(g, i, j, g->now, g->now, r, v);
    real s = contact_distance(g, i, j, 0) * g->grow_to * g->reach;
    bool one_falls = g->sleep != NULL && g->has_gravity && g->sleep->asleep[i] != g->sleep->asleep[j];
    for (int k = 0; k < DIM; k++) {
        if (g->box[k] == 0) continue;
        real room = g->box[k] / 2 - s, speed = real_fabs(v[k]), pull = one_falls ? real_fabs(g->gravity[k]) : 0;
        if (speed == 0 && pull == 0) continue;
        real dt = 2 * room / (speed + real_sqrt(speed * speed + 2 * pull * room));
        if (g->now + dt < limit) limit = g->now + dt;
    }
    return limit;
}

/* The prediction is valid until plan.second, a transfer. `keeps`: this time remains as it is, since the body has not
 * changed. (If another body has, its own prediction is valid for the pair.) */
static void predict_against_all(gas *g, uint32_t i, bool keeps)
{
    next_event best = {REAL_NEVER, PARTNER_NONE, 0};
    real limit = keeps ? g->plan[i].second.time : REAL_NEVER;
    for (uint32_t j = 0; j < g->count; j++) {
        if (j == i) continue;
        next_event e = {detect_pair(g, i, j, g->now), j, g->body[j].stamp};
        if (e.time < REAL_NEVER && event_before(g, i, &e, i, &best)) best = e;
        real h = keeps ? REAL_NEVER : horizon(g, i, j);
        if (h < limit) limit = h;
    }
    if (is_asleep(g, i)) {
        const next_event check = {g->sleep->check[i], PARTNER_CHECK, 0};
        if (check.time < REAL_NEVER && event_before(g, i, &check, i, &best)) best = check;
    }
    detect_surfaces(g, i, &best);
    if (g->thermostat != NULL) {
        next_event kick = {g->thermostat->next[i], PARTNER_KICK, 0};
        if (event_before(g, i, &kick, i, &best)) best = kick;
    }
    if (lookahead_end(g, i) < limit) limit = lookahead_end(g, i);
    if (g->solids != NULL) meshes_detect(g, i, &best, &limit);
    const next_event again = {limit, PARTNER_TRANSFER, 0};
    g->plan[i].first = again.time < best.time ? again : best;
    g->plan[i].second = again;
}

static void reference_all(gas *g)
{
    for (uint32_t i = 0; i < g->count; i++) predict_against_all(g, i, false);
}

static void reference_resume(gas *g)
{
    for (uint32_t i = 0; i < g->count; i++) predict_against_all(g, i, true);
}

static void reference_after(gas *g, uint32_t i, uint32_t j)
{
    predict_against_all(g, i, false);
    if (j != i) predict_against_all(g, j, false);
    for (uint32_t k = 0; k < g->count; k++) {
        if (!is_valid(g, &g->plan[k].first)) predict_against_all(g, k, true);
    }
}

static void reference_enter(gas *g, uint32_t i)
{
    predict_against_all(g, i, false);
}

static bool reference_first(const gas *g, uint32_t *i, next_event *e)
{
    uint32_t first = 0;
    for (uint32_t k = 1; k < g->count; k++)
        if (event_before(g, k, &g->plan[k].first, first, &g->plan[first].first)) first = k;
    if (g->count == 0 || g->plan[first].first.partner == PARTNER_NONE) return false;
    *i = first;
    *e = g->plan[first].first;
    return true;
}
