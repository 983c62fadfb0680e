/* New cuts of space. They are made at a re-basing, which makes lists, queues and predictions anew in any case: the only cost
 * of new cuts is that of their search and of passing the bodies that change their domain.
 *
 * The work of a domain is a count of its events, those of copies included, and not a time: all ranks decide alike. The bodies
 * of a domain share its work equally. That is inexact, since halos and events are not distributed as the bodies are, but the
 * next new cuts correct it. */
#include "hard/kernel/parallel/recut.h"
#include "hard/kernel/parallel/body_state.h"
#include "hard/kernel/parallel/divide.h"
#include "hard/kernel/parallel/exchange.h"
#include "hard/kernel/parallel/halo.h"
#include "hard/kernel/parallel/members.h"

/* ---- decision ---------------------------------------------------------------------------------------------------- */

/* The work of the domain with most, and the mean. */
typedef struct work_balance {
    double most, mean;
} work_balance;

static carom_status find_balance(crew *c, work_balance *found, error *e)
{
    uint64_t *work = NEW_ARRAY((size_t)c->count, uint64_t), most = 0, sum = 0;
    if (work == NULL) return error_memory(e, "domains", (size_t)c->count * sizeof *work);
    for (int n = c->first; n < c->first + c->own; n++) work[n] = c->domain[n].work_of_stage;
    const carom_status status = transport_reduce_count(c->transport, TRANSPORT_SUM, (size_t)c->count, work, e);
    for (int n = 0; n < c->count; n++) {
        most = work[n] > most ? work[n] : most;
        sum += work[n];
    }
    *found = (work_balance){(double)most, (double)sum / c->count};
    memory_free(work);
    return status;
}

/* Not for imbalance that may be chance, or that costs less than new cuts. */
static bool recut_pays(const crew *c, const work_balance *b)
{
    const double excess = b->most - b->mean;
    return excess > RECUT_IMBALANCE * b->mean + RECUT_DEVIATIONS * sqrt(b->mean) &&
           excess > RECUT_COST * c->gas->count / c->count;
}

/* ---- bodies of other domains --------------------------------------------------------------------------------------- */

static void weigh_bodies(domain *d)
{
    uint64_t owned = 0;
    for (uint32_t i = 0; i < d->gas->count; i++) owned += d->role[i] == ROLE_OWNED;
    d->weight = owned > 0 ? 1 + RECUT_WEIGHT * d->work_of_stage / owned : 1;
}

/* All copies leave, and the bodies that other domains own by the new cuts. */
static void send_bodies(domain *d)
{
    gas *g = d->gas;
    d->rebuild = true;
    d->near_count = d->coming_count = d->entered_count = d->gone_count = d->post_count = 0;
    for (int k = 0; k < d->adjacent_count; k++) buffer_clear(message_to(&d->adjacent[k]));
    for (uint32_t i = 0; i < g->count; i++) {
        double place[3];
        d->member[i].post = NO_POST;
        if (d->role[i] == ROLE_ABSENT) continue;
        if (d->role[i] == ROLE_OWNED) {
            place_in_box(g, i, place);
            const int owner = cuts_domain(&d->crew->cuts, place);
            if (owner == d->index) continue;
            const int to = adjacent_index(d, owner);
            assert(to >= 0); /* the regions before and after are adjacent */
            body_put(g, i, message_to(&d->adjacent[to]));
        }
        members_leave(d, i);
    }
    for (int k = 0; k < d->adjacent_count; k++)
        if (message_to(&d->adjacent[k])->failed) out_of_memory(d, "messages");
}

static void receive_bodies(domain *d)
{
    for (int k = 0; k < d->adjacent_count; k++) {
        const buffer *in = message_from(&d->adjacent[k]);
        uint32_t i;
        for (const char *at = in->data, *end = at + in->size; at < end && d->status == CAROM_OK;)
            d->status = members_enter(d, &at, ROLE_OWNED, &i, &d->error);
    }
}

static carom_status pass_bodies(crew *c, const cuts *before, error *e)
{
    TRY(halo_connect(c, before, e));
    TRY(crew_each(c, send_bodies, e));
    TRY(exchange_messages(c, e));
    TRY(crew_each(c, receive_bodies, e));
    return halo_connect(c, &c->cuts, e);
}

static carom_status recut(crew *c, error *e)
{
    work_balance balance = {0, 0};
    if (c->count == 1 || c->gas->stepped != NULL) return CAROM_OK; /* links of bodies that pass would be lost */
    TRY(find_balance(c, &balance, e));
    const bool pays = recut_pays(c, &balance);
    if (pays) TRY(crew_each(c, weigh_bodies, e));
    for (int n = c->first; n < c->first + c->own; n++) c->domain[n].work_of_stage = 0;
    if (!pays) return CAROM_OK;
    cuts before = c->cuts;
    carom_status status = divide_space(c, &before, e);
    if (status == CAROM_OK) status = pass_bodies(c, &before, e);
    cuts_free(&before);
    c->cost.recuts++;
    return status;
}
