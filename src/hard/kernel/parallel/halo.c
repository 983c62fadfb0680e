/* Halos. During an epoch each domain has the same copies. The contact layer contains each body that may touch an owned
 * body before the end of the epoch, by a bound of the speeds; the outer halo shields it: errors that start at its outer
 * side reach the layer only by a chain of collisions within one window.
 *
 * Distances from the region of a domain, for a body with range a (the largest: A) and a largest displacement of two
 * bodies `slack`:
 *     layer: a + A + slack;   halo: a + A + slack + shield;
 * with links longer than 2 A, their largest length in place of a + A. */
#include "hard/kernel/parallel/halo.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/features/stepped_bonds.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/parallel/body_state.h"
#include "hard/kernel/parallel/exchange.h"
#include "hard/kernel/parallel/members.h"
#include "hard/kernel/schedule/schedule.h"

#include <assert.h>

/* ---- steps of all domains ---------------------------------------------------------------------------------------- */

typedef struct team_step {
    crew *crew;
    void (*step)(domain *d);
} team_step;

static void run_step(void *context, int member)
{
    const team_step *s = context;
    const int members = team_members(s->crew->team);
    for (int n = member; n < s->crew->own; n += members) {
        domain *d = &s->crew->domain[s->crew->first + n];
        const double before = team_cpu();
        s->step(d);
        d->busy = team_cpu() - before;
    }
}

static void count_step(crew *c)
{
    double longest = 0;
    for (int n = c->first; n < c->first + c->own; n++) {
        longest = fmax(longest, c->domain[n].busy);
        c->cost.cpu_s += c->domain[n].busy;
    }
    c->cost.critical_s += longest;
}

static carom_status crew_each(crew *c, void (*step)(domain *d), error *e)
{
    team_step s = {c, step};
    team_run(c->team, run_step, &s);
    count_step(c);
    for (int n = c->first; n < c->first + c->own; n++) {
        domain *d = &c->domain[n];
        if (d->status == CAROM_OK) continue;
        error_set(e, d->status, "%s", d->error.text != NULL ? d->error.text : "error: a domain failed");
        return d->status;
    }
    return CAROM_OK;
}

static buffer *message_to(adjacent *a)
{
    return &a->out;
}

static const buffer *message_from(const adjacent *a)
{
    return a->in;
}

/* ---- lengths ----------------------------------------------------------------------------------------------------- */

/* Largest distance of two bodies that interact: contact, potential, bridge, bond. */
static double largest_range(const gas *g)
{
    double range = (double)largest_contact(g);
    const double unit = range / (double)g->reach;
    for (uint32_t n = 0; g->stepped != NULL && n < g->stepped->shell_count; n++) {
        const shell *s = &g->stepped->shell[n];
        range = fmax(range, sqrt((double)s->outer) * (s->lengths ? 1 : unit));
    }
    return range;
}

static double mean_gap(const gas *g)
{
    double room = 1;
    for (int k = 0; k < DIM; k++) room *= (double)g->size[k];
    return fmax(pow(room / g->count, 1.0 / DIM) - (double)mean_contact(g), 0);
}

/* Side of a cube of the volume of a domain. */
static double mean_side(const crew *c)
{
    double volume = 1.0 / c->count;
    for (int k = 0; k < DIM; k++) volume *= (double)c->gas->size[k];
    return pow(volume, 1.0 / DIM);
}

static void halo_choose(crew *c)
{
    const gas *g = c->gas;
    const double mean = (double)mean_contact(g), contact = (double)largest_contact(g);
    const double range = largest_range(g), rounding = 1e-5; /* of the ranges of potentials, by far */
    c->largest = (0.5 + rounding) * contact;
    c->range = fmax(range, 2 * c->largest);
    c->slack = HALO_SLACK * mean + HALO_SLACK_OF_GAP * mean_gap(g);
    c->shield = HALO_SHIELD * mean;
    c->margin = fmax(sqrt(HALO_MARGIN * c->slack * mean_side(c)), c->slack);
    c->linked = range > (1 + rounding) * contact;
    c->shield = fmax(c->shield, HALO_PARTNERS * (c->range + c->slack));
    if (g->stepped != NULL && c->shield < c->range) c->shield = c->range; /* links of all bodies in the layer */
    c->own_slack = c->slack;
    if (g->tally_three_body) c->slack += c->range; /* neighbours of all bodies in the layer */
    c->reach = c->range + c->slack + c->shield;
}

/* Distance from a region within which a body belongs to the layer. */
static double layer_of(const crew *c, const gas *g, uint32_t i)
{
    return (c->linked ? c->range : (double)extent_of(g, i) + c->largest) + c->slack;
}

static bool are_adjacent(const crew *c, const cuts *before, int n, int m)
{
    const double square = c->reach * c->reach;
    return n != m && (cuts_between_squared(before, &c->cuts.region[n], m) <= square ||
                      cuts_between_squared(&c->cuts, &before->region[n], m) <= square);
}

/* The part of the region that contains a place. Along each axis the region has a lower, a middle and an upper part. */
static int part_of(const domain *d, const double place[3])
{
    const region *own = &d->crew->cuts.region[d->index];
    int part = 0;
    for (int k = DIM - 1; k >= 0; k--)
        part = 3 * part + (place[k] < own->low[k] + d->part_depth    ? 0
                           : place[k] > own->high[k] - d->part_depth ? 2
                                                                     : 1);
    return part;
}

static region region_of_part(const domain *d, int part)
{
    region r = d->crew->cuts.region[d->index];
    for (int k = 0; k < DIM; k++, part /= 3) {
        const double low = r.low[k] + d->part_depth, high = r.high[k] - d->part_depth;
        if (part % 3 == 0) r.high[k] = fmin(r.high[k], low);
        if (part % 3 == 1) r.low[k] = low;
        if (part % 3 == 1) r.high[k] = fmax(low, high);
        if (part % 3 == 2) r.low[k] = fmax(r.low[k], high);
    }
    return r;
}

/* The adjacent domains within reach of each part. The outer parts are a little deeper than the reach: the middle ones are beyond
 * it whatever the rounding. */
static bool find_beside(domain *d)
{
    const crew *c = d->crew;
    const double reach = (1 + 1e-7) * c->reach;
    d->part_depth = (1 + 1e-6) * c->reach;
    memory_free(d->beside);
    d->beside = NEW_ARRAY((size_t)REGION_PARTS * (size_t)d->adjacent_count, uint32_t);
    for (int part = 0; part < REGION_PARTS && d->beside != NULL; part++) {
        const region from = region_of_part(d, part);
        uint32_t *list = d->beside + part * d->adjacent_count;
        d->beside_count[part] = 0;
        for (int k = 0; k < d->adjacent_count; k++)
            if (cuts_between_squared(&c->cuts, &from, d->adjacent[k].domain) <= reach * reach)
                list[d->beside_count[part]++] = (uint32_t)k;
    }
    return d->beside != NULL;
}

static carom_status halo_connect(crew *c, const cuts *before, error *e)
{
    for (int n = c->first; n < c->first + c->own; n++) {
        domain *d = &c->domain[n];
        adjacent_free(d);
        for (int m = 0; m < c->count; m++) d->adjacent_count += are_adjacent(c, before, n, m);
        d->adjacent = NEW_ARRAY((size_t)d->adjacent_count, adjacent);
        if (d->adjacent == NULL) return error_memory(e, "domains", (size_t)d->adjacent_count * sizeof *d->adjacent);
        int k = 0;
        for (int m = 0; m < c->count; m++)
            if (are_adjacent(c, before, n, m)) d->adjacent[k++].domain = m;
        if (!find_beside(d)) return error_memory(e, "domains", (size_t)d->adjacent_count * sizeof *d->beside);
    }
    for (int n = c->first; n < c->first + c->own; n++)
        for (int k = 0; k < c->domain[n].adjacent_count; k++) {
            domain *other = &c->domain[c->domain[n].adjacent[k].domain];
            const int back = adjacent_index(other, n);
            if (back >= 0) c->domain[n].adjacent[k].in = &other->adjacent[back].out;
        }
    return exchange_connect(c, e);
}

static void adjacent_free(domain *d)
{
    for (int k = 0; d->adjacent != NULL && k < d->adjacent_count; k++) {
        memory_free(d->adjacent[k].sent);
        memory_free(d->adjacent[k].received);
        buffer_free(&d->adjacent[k].out);
        buffer_free(&d->adjacent[k].copy);
    }
    memory_free(d->adjacent);
    memory_free(d->beside);
    d->beside = NULL;
    d->adjacent = NULL;
    d->adjacent_count = 0;
}

/* ---- survey ------------------------------------------------------------------------------------------------------ */

static void place_in_box(const gas *g, uint32_t i, double place[3])
{
    real r[DIM];
    position_at(g, i, g->now, r);
    place[2] = 0;
    for (int k = 0; k < DIM; k++) {
        r[k] -= real_floor(r[k] * g->inverse_box[k]) * g->box[k];
        place[k] = (double)r[k];
    }
}

static double speed_at(const gas *g, uint32_t i, real t)
{
    real v[DIM];
    for (int k = 0; k < DIM; k++) v[k] = g->body[i].v[k] + acceleration(g, i, k) * (t - g->body[i].t);
    return sqrt((double)dot(v, v));
}

static void find_fastest(domain *d)
{
    gas *g = d->gas;
    d->fastest = 0;
    for (uint32_t i = 0; i < g->count; i++)
        if (d->role[i] == ROLE_OWNED) d->fastest = fmax(d->fastest, speed_at(g, i, g->now));
}

static void add_near(domain *d, uint32_t i)
{
    if (!push(&d->near, &d->near_count, &d->near_room, i)) out_of_memory(d, "a domain");
}

static void find_near(domain *d)
{
    const crew *c = d->crew;
    d->near_count = d->coming_count = 0;
    for (uint32_t i = 0; i < d->gas->count && d->status == CAROM_OK; i++) {
        double place[3];
        if (d->role[i] != ROLE_OWNED) continue;
        place_in_box(d->gas, i, place);
        const double way = cuts_depth(&c->cuts, d->index, place) - c->reach;
        if (way > c->margin) continue;
        if (way <= 0)
            add_near(d, i);
        else if (reserve(&d->coming, &d->coming_room, d->coming_count + 1, sizeof *d->coming))
            d->coming[d->coming_count++] = (coming_body){i, (float)(way * (1 - 1e-6))};
        else
            out_of_memory(d, "a domain");
    }
}

/* Those that may have come near since the survey. */
static void join_near(domain *d)
{
    const crew *c = d->crew;
    const double way = c->speed * (double)(c->reached - c->survey_begin);
    uint32_t kept = 0;
    for (uint32_t n = 0; n < d->coming_count; n++) {
        const coming_body one = d->coming[n];
        if (one.due > way)
            d->coming[kept++] = one;
        else
            add_near(d, one.body);
    }
    d->coming_count = kept;
}

static carom_status halo_survey(crew *c, error *e)
{
    const gas *g = c->gas;
    const double pull = sqrt((double)dot(g->gravity, g->gravity));
    double fastest = c->speed_needed;
    TRY(crew_each(c, find_fastest, e));
    for (int n = c->first; n < c->first + c->own; n++) fastest = fmax(fastest, c->domain[n].fastest);
    TRY(exchange_largest(c, &fastest, e));
    c->speed_needed = 0;
    /* |v| + |g| t <= speed for all times t of the survey: speed = SPEED_ROOM * fastest + |g| t, margin = speed * t. */
    const double base = SPEED_ROOM * fastest;
    const double span = base + pull > 0 ? 2 * c->margin / (base + sqrt(base * base + 4 * pull * c->margin)) : INFINITY;
    c->speed = base + (isfinite(span) ? pull * span : 0);
    c->speed_most = base;
    c->survey_begin = c->reached;
    c->survey_end = c->reached + (real)span;
    return crew_each(c, find_near, e);
}

/* ---- owners ------------------------------------------------------------------------------------------------------ */

/* The body becomes a copy, without copies elsewhere. It leaves at the end of the renewal: its links appear in the
 * messages about its partners. */
static void give_away(domain *d, uint32_t i)
{
    d->member[i].post = NO_POST;
    d->role[i] = ROLE_OUTER;
    if (!push(&d->gone, &d->gone_count, &d->gone_room, i)) out_of_memory(d, "messages");
}

static void enter_domain(domain *d, const char **at, body_role role, uint32_t *i)
{
    d->status = members_enter(d, at, role, i, &d->error);
    if (d->status == CAROM_OK && !push(&d->entered, &d->entered_count, &d->entered_room, *i))
        out_of_memory(d, "a domain");
}

static bool reserve_places(domain *d)
{
    if (reserve(&d->place, &d->place_room, d->near_count, sizeof *d->place)) return true;
    out_of_memory(d, "messages");
    return false;
}

/* Messages with the bodies that have crossed a cut. */
static void send_emigrants(domain *d)
{
    uint32_t kept = 0;
    d->entered_count = d->gone_count = 0;
    for (int k = 0; k < d->adjacent_count; k++) buffer_clear(message_to(&d->adjacent[k]));
    join_near(d);
    if (!reserve_places(d)) return;
    for (uint32_t n = 0; n < d->near_count; n++) {
        const uint32_t i = d->near[n];
        double *place = d->place[kept];
        place_in_box(d->gas, i, place);
        const int owner = cuts_domain(&d->crew->cuts, place);
        if (owner == d->index) {
            d->near[kept++] = i;
            continue;
        }
        const int to = adjacent_index(d, owner);
        assert(to >= 0); /* nearer than the displacement in an epoch */
        body_put(d->gas, i, message_to(&d->adjacent[to]));
        give_away(d, i);
    }
    d->near_count = d->placed_count = kept;
    for (int k = 0; k < d->adjacent_count; k++)
        if (message_to(&d->adjacent[k])->failed) out_of_memory(d, "messages");
}

static void receive_immigrants(domain *d)
{
    for (int k = 0; k < d->adjacent_count; k++) {
        const buffer *in = message_from(&d->adjacent[k]);
        for (const char *at = in->data, *end = at + in->size; at < end && d->status == CAROM_OK;) {
            uint32_t i;
            enter_domain(d, &at, ROLE_OWNED, &i);
            if (d->status == CAROM_OK) add_near(d, i);
        }
    }
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* A body of a message: its place in the message of the epoch before, or NO_POST and its state. */
typedef struct item {
    uint32_t before;
    uint32_t layer;
} item_of_halo;

/* The place of a body in the message of the epoch before to an adjacent domain, or NO_POST. */
static uint32_t place_before(const domain *d, uint32_t i, uint32_t to)
{
    uint32_t p = d->member[i].post;
    while (p != NO_POST && d->post[p].to != to) p = d->post[p].next;
    return p != NO_POST ? d->post[p].place : NO_POST;
}

/* Of near body n, to each domain that is within reach. */
static void send_copies_of(domain *d, uint32_t n)
{
    const crew *c = d->crew;
    const uint32_t i = d->near[n];
    const double layer = layer_of(c, d->gas, i), reach = layer + c->shield;
    const int part = part_of(d, d->place[n]);
    const uint32_t *beside = d->beside + part * d->adjacent_count;
    for (uint32_t m = 0; m < d->beside_count[part]; m++) {
        adjacent *a = &d->adjacent[beside[m]];
        const double apart = cuts_distance_squared(&c->cuts, a->domain, d->place[n]);
        if (apart > reach * reach) continue;
        const item_of_halo one = {place_before(d, i, beside[m]), apart <= layer * layer};
        buffer_put(message_to(a), &one, sizeof one);
        if (one.before == NO_POST) body_put(d->gas, i, message_to(a));
        if (!push(&a->sent, &a->sent_count, &a->sent_room, i)) out_of_memory(d, "messages");
    }
}

static void send_copies(domain *d)
{
    if (!reserve_places(d)) return;
    for (uint32_t n = d->placed_count; n < d->near_count; n++) place_in_box(d->gas, d->near[n], d->place[n]);
    for (int k = 0; k < d->adjacent_count; k++) {
        buffer_clear(message_to(&d->adjacent[k]));
        d->adjacent[k].sent_count = 0;
    }
    for (uint32_t n = 0; n < d->near_count; n++) send_copies_of(d, n);
    for (int k = 0; k < d->adjacent_count; k++)
        if (message_to(&d->adjacent[k])->failed) out_of_memory(d, "messages");
}

/* First pass: copies that stay. The others leave. */
static void keep_copies(domain *d, adjacent *a)
{
    const buffer *in = message_from(a);
    const char *at = in->data, *end = at + in->size;
    d->kept_count = 0;
    while (at < end) {
        item_of_halo one;
        memcpy(&one, at, sizeof one);
        at += sizeof one;
        const bool stays = one.before != NO_POST;
        if (!push(&d->kept, &d->kept_count, &d->kept_room, stays ? a->received[one.before] : NO_POST))
            out_of_memory(d, "messages");
        if (stays) {
            d->role[a->received[one.before]] = one.layer ? ROLE_LAYER : ROLE_OUTER;
            a->received[one.before] = NO_POST;
        } else
            at += body_bytes(d->gas, at);
    }
    for (uint32_t p = 0; p < a->received_count; p++)
        if (a->received[p] != NO_POST) members_leave(d, a->received[p]);
    a->received_count = 0;
    for (uint32_t p = 0; p < d->kept_count; p++)
        if (!push(&a->received, &a->received_count, &a->received_room, d->kept[p])) out_of_memory(d, "messages");
}

/* Second pass: new copies. */
static void add_copies(domain *d, adjacent *a)
{
    const buffer *in = message_from(a);
    const char *at = in->data, *end = at + in->size;
    for (uint32_t p = 0; at < end && d->status == CAROM_OK; p++) {
        item_of_halo one;
        memcpy(&one, at, sizeof one);
        at += sizeof one;
        if (one.before == NO_POST) enter_domain(d, &at, one.layer ? ROLE_LAYER : ROLE_OUTER, &a->received[p]);
    }
}

/* For each owned body the messages in which it is. */
static void make_posts(domain *d)
{
    uint32_t all = 0;
    for (int k = 0; k < d->adjacent_count; k++) all += d->adjacent[k].sent_count;
    for (uint32_t p = 0; p < d->post_count; p++) d->member[d->post[p].body].post = NO_POST;
    if (all > d->post_room) {
        memory_free(d->post);
        d->post_room = all + all / 4;
        d->post = NEW_ARRAY(d->post_room, post);
        if (d->post == NULL) {
            d->post_room = d->post_count = 0;
            out_of_memory(d, "messages");
            return;
        }
    }
    d->post_count = 0;
    for (int k = 0; k < d->adjacent_count; k++)
        for (uint32_t p = 0; p < d->adjacent[k].sent_count; p++) {
            const uint32_t i = d->adjacent[k].sent[p];
            d->post[d->post_count] = (post){.to = (uint32_t)k, .place = p, .next = d->member[i].post, .body = i};
            d->member[i].post = d->post_count++;
        }
}

static void receive_copies(domain *d)
{
    for (int k = 0; k < d->adjacent_count && d->status == CAROM_OK; k++) keep_copies(d, &d->adjacent[k]);
    for (int k = 0; k < d->adjacent_count && d->status == CAROM_OK; k++) add_copies(d, &d->adjacent[k]);
    for (uint32_t n = 0; n < d->gone_count; n++) members_leave(d, d->gone[n]);
    if (d->status != CAROM_OK) return;
    for (uint32_t i = 0; d->crew->dispersing && i < d->gas->count; i++)
        if (d->role[i] != ROLE_ABSENT) features_join(d->gas, i);
    if (d->rebuild) {
        d->status = members_restart(d, &d->error);
        for (uint32_t i = 0; i < d->gas->room; i++) d->member[i].post = NO_POST;
        d->post_count = 0;
    } else
        for (uint32_t n = 0; n < d->entered_count; n++)
            if (d->role[d->entered[n]] != ROLE_ABSENT) schedule_one(d->gas, d->entered[n]);
    if (d->status == CAROM_OK) make_posts(d);
}

static void enter_epoch(domain *d)
{
    d->gas->now = d->crew->reached;
}

static carom_status halo_renew(crew *c, error *e)
{
    TRY(crew_each(c, enter_epoch, e));
    if (!(c->reached < c->survey_end)) TRY(halo_survey(c, e));
    TRY(crew_each(c, send_emigrants, e));
    TRY(exchange_messages(c, e));
    TRY(crew_each(c, receive_immigrants, e));
    TRY(crew_each(c, send_copies, e));
    TRY(exchange_messages(c, e));
    TRY(crew_each(c, receive_copies, e));
    const double span = c->speed > 0 ? 0.5 * c->own_slack / c->speed : INFINITY;
    c->epoch_end = c->reached + (real)span;
    if (c->survey_end < c->epoch_end) c->epoch_end = c->survey_end;
    return CAROM_OK;
}
