/* Dissipative contacts.
 *
 * During approach the layers act with their full force. The square of the coefficient of restitution times their work
 * is reserved as the *budget*: the energy that they may return. During separation their forces are scaled by the budget
 * over the energy of the layers, and never return more than the rest of the budget. Both vanish together at the end of
 * the first layer, so that the speeds before and after an impact of two bodies have the ratio e, whatever the step. The
 * kick that reverses a pair is split at zero speed; its second part follows the rule for separation. (RULE_PAPER, paper
 * 3, sec. 7.1: the forces during separation are e times as large. The ratio of speeds is about the root of e, and
 * scatters with the step. The remaining text does not apply to it.)
 *
 * All contacts of a batch use the velocities before it. The ledger uses the mean with the velocities after the whole
 * batch. Contacts whose kicks are in different batches thereby exchange energy in the ledger, and only the sum over all
 * contacts is the dissipated energy. The ledger therefore includes elastic contacts.
 *
 * This describes the impact of two bodies. If others press the pair together, by gravity or a pile, such kicks let it
 * sink: they cancel the velocity that the load adds between them, and no more. A pair is *at rest* if it reverses
 * repeatedly without separation, or if it approaches in spite of kicks with reduced force. Its layers then act like
 * springs, and each of their kicks removes a quarter of the normal speed. With the default step this is twice the
 * critical damping in the first layer, and more in the others. The pair reaches the balance of layers and load, and
 * stays there. The springs are weak at first and stiffen to the layers' strength while the pair sinks or hardly rises,
 * so that a pair stopped deep in its layers does not jump. An approach with more energy than the layers hold is an
 * ordinary impact.
 *
 * The speed of a pair at rest is the mean since its last kick. Just before a kick the speed is not zero if bodies
 * fall freely between kicks. For a body on several contacts, damping of that speed would exert forces at contacts
 * without load, and the normal forces that cap friction would fluctuate. */
#include "variational/kernel/features/shells.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/contact_motion.h"
#include "variational/kernel/response/energy_balance.h"
#include "variational/kernel/response/layers.h"
#include "variational/kernel/response/press.h"
#include "variational/kernel/response/rolling.h"

#include "engine/sound.h"
#include "scene/restitution.h"

/* ---- the impulse ------------------------------------------------------------------------------------------------- */

static bool at_rest(const restitution_state *b)
{
    return b->turns >= MOST_TURNS || b->withheld >= MOST_WITHHELD;
}

static bool contact_rests(const contact *c)
{
    return at_rest(&c->restitution);
}

static double gain(double budget, double held)
{
    return held > 0 ? fmin(budget / held, MOST_GAIN) : 1;
}

/* The impulse during separation. Its work is at most the budget. */
static double separating(double budget, double mass, double held, double layer, double v)
{
    double impulse = layer * gain(budget, held);
    if (impulse * (v + 0.5 * impulse / mass) <= budget) return impulse;
    double sum = v + sqrt(v * v + 2 * budget / mass);
    return sum > 0 ? 2 * budget / sum : 0;
}

/* The impulse of a kick in which the layer's full impulse would reverse the pair. */
static double turning(const restitution_state *b, double mass, double held, double layer, double v)
{
    double budget = b->budget + b->ratio * b->ratio * 0.5 * mass * v * v;
    return mass * (fmin((layer / mass + v) * gain(budget, held), sqrt(2 * budget / mass)) - v);
}

static double resting(const restitution_state *b, double mass, double layer, double v)
{
    if (layer <= -mass * v) return layer;
    return fmax(b->share * layer - RESTING_DAMPING * mass * v, 0);
}

static double normal_response(const world *w, contact *c, double mass, double held, double layer, double v)
{
    restitution_state *b = &c->restitution;
    const double mean = 0.5 * (b->left + v);
    bool hard = at_rest(b) && mean < 0 && 0.5 * mass * mean * mean > held;
    if (b->ratio < 0 || hard)
        *b = (restitution_state){.ratio = restitution(w->contacts.law[c->law].restitution, greater(-v, 0)),
                                 .share = FIRST_SHARE,
                                 .stored = b->stored};
    if (b->ratio == 1) return layer;
    if (w->settings->rule == RULE_PAPER) return v < 0 ? layer : b->ratio * layer;
    if (at_rest(b)) return resting(b, mass, layer, mean);
    if (layer <= -mass * v) return layer;
    return v < 0 ? turning(b, mass, held, layer, v) : separating(b->budget, mass, held, layer, v);
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

static void respond_normally(world *w, uint32_t index, const clock *c, const double v[DIM], double gap, double t,
                             response *r)
{
    contact *pair = &w->contacts.contact[index];
    r->before = dot(v, r->normal);
    r->held = layers_energy(w, index, gap);
    r->mass = pair->linked ? contact_mass(w, pair, r->normal, t) : pair->mass;
    r->impulse = normal_response(w, pair, r->mass, r->held, r->layer, r->before);
    if (w->contacts.law[pair->law].friction > 0) apply_friction(w, c, v, gap, t, r);
}

/* The change of the budget by a kick: reserved (positive) or returned (negative) energy. A kick that reverses the
 * pair does both. */
static double put_aside(double part, double impulse, double before, double after)
{
    if (before < 0 && after > 0) {
        double stopping = impulse * before / (before - after);
        return 0.5 * (-part * stopping * before - (impulse - stopping) * after);
    }
    double work = 0.5 * impulse * (before + after);
    return work < 0 ? -part * work : -work;
}

/* Updates the criteria of rest by a kick. Kicks with reduced force count in the first layer only. */
static void judge(restitution_state *b, const response *r, double after, bool first)
{
    double least = fmin(r->before, after), gained = r->layer / r->mass;
    if (at_rest(b)) {
        if (least < SLOW * gained) b->share = fmin(b->share * STIFFENING, 1);
        return;
    }
    b->turns += r->before < 0 && after > 0;
    if (first && least < -STILL * gained && r->impulse < r->layer)
        b->withheld++;
    else if (first && r->before >= 0 && b->withheld > 0)
        b->withheld--;
}

/* Updates the ledger after all kicks of a batch. Dissipated is the energy that the layers held at the last kick,
 * less the energy that they hold now and the work of the kick. */
static void book(world *w, response *r, bool first, double t)
{
    contact *c = &w->contacts.contact[r->contact];
    restitution_state *b = &c->restitution;
    double v[DIM], before = r->before;
    contact_velocity(w, c, t, v);
    double after = dot(v, r->normal);
    r->restitution = b->stored - r->held - 0.5 * r->impulse * (before + after);
    b->stored = r->held;
    b->left = after;
    b->budget = fmax(b->budget + put_aside(b->ratio * b->ratio, r->impulse, before, after), 0);
    judge(b, r, after, first);
    if (w->contacts.law[c->law].friction > 0) book_friction(w, v, r);
    book_steadily(w, t, r);
}

/* Prefetches the data for the ledger of a response: contacts far ahead, then their nodes. */
static inline void prefetch_response(const world *w, const response *r, uint32_t n, uint32_t last)
{
    const contact *soon = &w->contacts.contact[r[n + RESPONSES_AHEAD < last ? n + RESPONSES_AHEAD : last].contact];
    contact_prefetch(w, r[n + CONTACTS_AHEAD < last ? n + CONTACTS_AHEAD : last].contact);
    if (soon->linked) return;
    __builtin_prefetch(&w->node[soon->i]);
    if (soon->j < NODES) __builtin_prefetch(&w->node[soon->j]);
}

static void book_block(world *w, const clock *c, const block *k, double t)
{
    response *r = w->batch.response + k->slot;
    for (uint32_t n = 0; n < k->responses; n++) {
        prefetch_response(w, r, n, k->responses - 1);
        if (!r[n].parted) book(w, &r[n], c->layer == 1, t);
    }
}

static void book_blocks(world *w, const clock *c, bool many, double t)
{
    if (!many || w->threads == 1) {
        for (uint32_t b = 0; b < w->batch.block_count; b++) book_block(w, c, &w->batch.block[b], t);
        return;
    }
#pragma omp parallel for schedule(dynamic, 2) num_threads(w->threads)
    for (uint32_t b = 0; b < w->batch.block_count; b++) book_block(w, c, &w->batch.block[b], t);
}

static void book_responses(world *w, const clock *c, double t)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < w->batch.block_count; b++) count += w->batch.block[b].responses;
    if (w->spins != NULL && w->spins->resists) give_torques(w, t);
    book_blocks(w, c, count > FEW_RESPONSES, t);
    for (uint32_t b = 0; b < w->batch.block_count; b++)
        for (uint32_t n = 0; n < w->batch.block[b].responses; n++) {
            const response *r = &w->batch.response[w->batch.block[b].slot + n];
            book_normal(w, w->contacts.contact[r->contact].law, r->restitution);
            w->totals.ledger.friction += r->friction;
        }
    for (uint32_t b = 0; b < w->batch.block_count; b++) {
        for (uint32_t n = 0; n < w->batch.block[b].responses; n++)
            if (w->batch.response[w->batch.block[b].slot + n].parted)
                part_contact(w, &w->batch.response[w->batch.block[b].slot + n], t);
        w->batch.block[b].responses = 0;
    }
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool restitution_enabled(const world *w)
{
    return !w->contacts.elastic;
}

static bool restitution_is_sound(const contact *c)
{
    const restitution_state *b = &c->restitution;
    return isfinite(b->ratio) && isfinite(b->budget) && isfinite(b->stored) && isfinite(b->share);
}

static const feature restitution_feature = {
    .name = "restitution", .enabled = restitution_enabled, .contact_is_sound = restitution_is_sound};
