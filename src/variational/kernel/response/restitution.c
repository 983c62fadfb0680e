/* Dissipative contacts.
 *
 * Beside the spring of each layer acts a dashpot with the critical damping at the present depth. Its force vanishes with
 * the normal velocity: a pair at rest under a load is in the equilibrium of the layers. Dashpots alone would give
 * different coefficients of restitution to slow and fast impacts. The energy therefore limits them.
 *
 * The square of the coefficient of restitution e times the work of the contact during approach is reserved as the
 * *budget*: the energy that it may return. During approach the dashpot adds at most as much as makes the force that of
 * the layers over e. During separation the force is at least that of the layers times the budget over their energy, with
 * which both vanish together at the end of the first layer. The speeds before and after an impact of two bodies thereby
 * have the ratio e, whatever the step. A kick that reverses the pair is divided at zero speed between the two phases.
 *
 * If e is small, the dashpot alone does not stop the pair in time. If no other force acts on the pair, its speed is
 * limited to e times that of the approach. Under a load the contact may return more than the budget, as it must to rise
 * to its equilibrium; the dashpot may then pull until the excess, at most the kinetic energy, is dissipated.
 *
 * Dashpots of many contacts in parallel act on the same velocity before a kick, and could together more than reverse it.
 * Their number follows from the change of the velocity by all kicks of the last batch, over that by the own kick.
 *
 * (RULE_PAPER, paper 3, sec. 7.1: the forces during separation are e times as large. The ratio of speeds is about the
 * root of e, and scatters with the step. The text above does not apply to it.)
 *
 * The velocity of the dashpot is the mean since the last kick. Just before a kick the velocity is not zero if bodies
 * fall freely between kicks. For a body on several contacts, damping of that velocity would exert forces at contacts
 * without load, and the normal forces that cap friction would fluctuate.
 *
 * All contacts of a batch use the velocities before it. The ledger uses the mean with the velocities after the whole
 * batch. Contacts whose kicks are in different batches thereby exchange energy in the ledger, and only the sum over all
 * contacts is the dissipated energy. The ledger therefore includes elastic contacts. */
#include "variational/kernel/features/shells.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/ball_ledger.h"
#include "variational/kernel/response/contact_motion.h"
#include "variational/kernel/response/energy_balance.h"
#include "variational/kernel/response/layers.h"
#include "variational/kernel/response/press.h"
#include "variational/kernel/response/rolling.h"

#include "engine/sound.h"
#include "scene/restitution.h"

/* ---- the impulse ------------------------------------------------------------------------------------------------- */

static double dashpot(const world *w, const clock *c, double gap, const response *r, double speed)
{
    const restitution_state *b = &w->contacts.contact[r->contact].restitution;
    const double power = hertz_of(w, r->contact) != NULL ? 1.5 : (double)w->settings->exponent - 1;
    const double stiffness = power * r->layer / (c->thickness - gap);
    const double critical = sqrt(stiffness * c->step / (r->mass * b->together));
    const double part = lesser(2 * CONTACT_DAMPING * critical, MOST_DAMPING / b->together);
    return lesser(r->mass * part * speed, MOST_OF_LAYER * r->layer);
}

static double approaching(double ratio, double layer, double damping)
{
    return layer + lesser(damping, (1 / ratio - 1) * layer);
}

/* The impulse whose work is the budget. */
static double balancing(double budget, double mass, double v)
{
    const double sum = v + sqrt(greater(v * v + 2 * budget / mass, 0));
    return sum > 0 ? 2 * budget / sum : 0;
}

static double separating(double budget, const response *r, double damping)
{
    const double v = r->before;
    if (budget <= 0) return greater(r->layer - damping, lesser(balancing(budget, r->mass, v), 0));
    const double share = r->held > 0 ? r->layer * lesser(budget / r->held, MOST_GAIN) : 0;
    const bool within = share * (v + 0.5 * share / r->mass) <= budget;
    return greater(r->layer - damping, within ? share : balancing(budget, r->mass, v));
}

/* A change of the normal velocity that is not by the pair's own kicks. */
static void note_load(restitution_state *b, double change)
{
    b->loaded = b->loaded || fabs(change) > STILL * b->fastest;
}

/* `number`: change of the normal velocity by all contacts, over that by the own impulse. */
static void note_others(restitution_state *b, double number)
{
    if (number > MOST_TOGETHER) number = MOST_TOGETHER;
    b->together = greater(greater(number, 1), TOGETHER_KEPT * b->together);
}

/* `mean`: normal velocity since the last kick. A pair that turns under its load and then approaches with more energy
 * than the layers hold is in another impact. */
static void begin_impact(const world *w, contact *c, const response *r, double mean)
{
    restitution_state *b = &c->restitution;
    const bool again = b->turned && mean < 0 && 0.5 * r->mass * mean * mean > r->held;
    if (b->ratio >= 0 && !again) return;
    const double ratio = restitution(w->contacts.law[c->law].restitution, greater(-r->before, 0));
    *b = (restitution_state){.ratio = ratio, .stored = b->stored, .left = b->left, .together = 1};
}

static double normal_response(const world *w, contact *pair, const clock *c, double gap, const response *r)
{
    restitution_state *b = &pair->restitution;
    const double v = r->before;
    if (b->ratio < 0) b->left = v;
    const double mean = 0.5 * (b->left + v);
    begin_impact(w, pair, r, mean);
    if (b->ratio == 1) return r->layer;
    if (w->settings->rule == RULE_PAPER) return v < 0 ? r->layer : b->ratio * r->layer;
    const double damping = dashpot(w, c, gap, r, fabs(mean));
    const double impulse = mean < 0 ? approaching(b->ratio, r->layer, damping) : separating(b->budget, r, damping);
    b->fastest = greater(b->fastest, fabs(v));
    note_load(b, v - b->left);
    return b->loaded ? impulse : greater(lesser(impulse, r->mass * (b->ratio * b->fastest - v)), 0);
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

static void respond_normally(world *w, uint32_t index, const clock *c, const double v[DIM], double gap, double t,
                             response *r)
{
    contact *pair = &w->contacts.contact[index];
    r->before = dot(v, r->normal);
    r->held = layers_energy(w, index, gap);
    if (!pair->linked) r->mass = pair->mass;
    r->impulse = normal_response(w, pair, c, gap, r);
    if (w->contacts.law[pair->law].friction > 0) apply_friction(w, c, v, gap, t, r);
}

/* The change of the budget by a kick: reserved (positive) or returned (negative) energy. A kick that reverses the
 * pair does both. */
static double put_aside(const restitution_state *b, double impulse, double before, double after)
{
    const double part = b->ratio * b->ratio;
    if (before < 0 && after > 0) {
        double stopping = impulse * before / (before - after);
        return 0.5 * (-part * stopping * before - (impulse - stopping) * after);
    }
    double work = 0.5 * impulse * (before + after);
    return b->left + before < 0 ? -part * work : -work;
}

/* Updates the ledger after all kicks of a batch. Dissipated is the energy that the layers held at the last kick,
 * less the energy that they hold now and the work of the kick. */
static void book(world *w, response *r, double t)
{
    contact *c = &w->contacts.contact[r->contact];
    restitution_state *b = &c->restitution;
    const double before = r->before;
    const components velocity = relative_velocity(w, c, t);
    double v[DIM], after = components_dot(velocity, components_at(r->normal));
    r->restitution = b->stored - r->held - 0.5 * r->impulse * (before + after);
    b->stored = r->held;
    b->budget += put_aside(b, r->impulse, before, after);
    b->budget = greater(b->budget, after > 0 ? -0.5 * r->mass * after * after : 0);
    note_load(b, after - before - r->impulse / r->mass);
    note_others(b, r->mass * (after - before) / r->impulse);
    b->turned = b->turned || (before < 0 && after > 0);
    b->left = after;
    if (w->contacts.law[c->law].friction > 0) {
        components_put(velocity, v);
        book_friction(w, v, r);
    }
    book_steadily(w, r);
}

/* Prefetches the data for the ledger of a response: contacts far ahead, then their nodes. */
static inline void prefetch_response(const world *w, const response *r, uint32_t n, uint32_t last)
{
    const contact *soon = &w->contacts.contact[r[n + RESPONSES_AHEAD < last ? n + RESPONSES_AHEAD : last].contact];
    contact_prefetch(w, r[n + CONTACTS_AHEAD < last ? n + CONTACTS_AHEAD : last].contact, offsetof(contact, friction));
    if (soon->linked) return;
    __builtin_prefetch(&w->node[soon->i]);
    if (soon->j < NODES) __builtin_prefetch(&w->node[soon->j]);
}

static void book_block(world *w, const block *k, double t)
{
    response *r = w->batch.response + k->slot, *together[LANES];
    int some = 0;
    for (uint32_t n = 0; n < k->responses; n++) {
        prefetch_response(w, r, n, k->responses - 1);
        if (books_together(w, &r[n]))
            together[some++] = &r[n];
        else if (!r[n].parted)
            book(w, &r[n], t);
        if (!BALL_LANES || some < LANES) continue;
        book_together(w, together, t);
        some = 0;
    }
    for (int n = 0; n < some; n++) book(w, together[n], t);
}

static void book_blocks(world *w, bool many, double t)
{
    if (!many || w->team.now == 1) {
        for (uint32_t b = 0; b < w->batch.block_count; b++) book_block(w, &w->batch.block[b], t);
        return;
    }
#pragma omp parallel for schedule(dynamic, 2) num_threads(w->team.now)
    for (uint32_t b = 0; b < w->batch.block_count; b++) book_block(w, &w->batch.block[b], t);
}

/* Adds the energies of a block to the ledger, in the order of its contacts. Returns whether any of them has parted. */
static bool add_losses(world *w, const block *k)
{
    const response *r = w->batch.response + k->slot;
    bool parted = false;
    for (uint32_t n = 0; n < k->responses; n++) {
        book_normal(w, r[n].law, r[n].restitution);
        book_frictions(w, &r[n]);
        parted = parted || r[n].parted;
    }
    return parted;
}

static void book_responses(world *w, double t)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < w->batch.block_count; b++) count += w->batch.block[b].responses;
    if (w->spins != NULL && w->spins->resists) give_torques(w, t);
    if (w->shells != NULL && count > 0) shells_look_ahead(w, t);
    book_blocks(w, count > FEW_RESPONSES, t);
    bool parted = false;
    for (uint32_t b = 0; b < w->batch.block_count; b++) parted = add_losses(w, &w->batch.block[b]) || parted;
    for (uint32_t b = 0; b < w->batch.block_count; b++) {
        for (uint32_t n = 0; parted && n < w->batch.block[b].responses; n++)
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
    return isfinite(b->ratio) && isfinite(b->budget) && isfinite(b->fastest) && b->together >= 0 &&
           b->together <= MOST_TOGETHER && sound_flags(&b->loaded, 1) && isfinite(b->stored) && isfinite(b->left) &&
           sound_flags(&b->turned, 1);
}

static const feature restitution_feature = {
    .name = "restitution", .enabled = restitution_enabled, .contact_is_sound = restitution_is_sound};
