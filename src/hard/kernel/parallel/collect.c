/* Collection of the state of the domains, and its dispersal among them. */
#include "hard/kernel/parallel/collect.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/parallel/body_state.h"
#include "hard/kernel/parallel/halo.h"
#include "hard/kernel/parallel/members.h"
#include "hard/kernel/parallel/times.h"
#include "hard/kernel/response/tallies.h"
#include "hard/kernel/schedule/start.h"

/* ---- collection -------------------------------------------------------------------------------------------------- */

static void collect_tallies(gas *g, gas *part)
{
    tallies_merge(&g->tallies, &part->tallies);
    features_collect(g, part);
}

static void clear_tallies_of(crew *c)
{
    for (int n = 0; n < c->count; n++) {
        gas *g = c->domain[n].gas;
        memset(&g->tallies, 0, sizeof g->tallies);
        memset(g->events, 0, sizeof g->events);
        g->since_rebase = 0;
    }
}

static carom_status collect_domain(domain *d, error *e)
{
    const gas *g = d->gas;
    gas *whole = d->crew->gas;
    buffer state = {.data = NULL};
    for (uint32_t i = 0; i < g->count; i++) {
        if (d->role[i] != ROLE_OWNED) continue;
        buffer_clear(&state);
        body_put(g, i, &state);
        if (state.failed) break;
        body_get(whole, g->id[i], state.data);
        memcpy(whole->plan[g->id[i]].list_origin, g->plan[i].list_origin, sizeof g->plan[i].list_origin); /* or cell */
    }
    const bool failed = state.failed;
    buffer_free(&state);
    return failed ? error_memory(e, "the particles", sizeof *d) : CAROM_OK;
}

static carom_status crew_collect(gas *g, error *e)
{
    crew *c = g->crew;
    if (!c->dispersed) return CAROM_OK;
    for (int n = 0; n < c->count; n++) {
        TRY(collect_domain(&c->domain[n], e));
        collect_tallies(g, c->domain[n].gas);
    }
    g->now = later(g->now, c->reached);
    return CAROM_OK;
}

static void crew_read(gas *g)
{
    crew *c = g->crew;
    if (c->status == CAROM_OK) c->status = crew_collect(g, &c->error);
}

static carom_status crew_unite(gas *g, error *e)
{
    if (g->crew == NULL) return CAROM_OK;
    TRY(crew_collect(g, e));
    g->crew->dispersed = false;
    return g->queue == NULL ? start(g, e) : CAROM_OK;
}

/* In open boxes the cells of each domain are its own. */
static bool has_own_cells(const gas *g)
{
    bool open = false;
    for (int k = 0; k < DIM; k++) open = open || g->scene->box.boundary[k] == BOUNDARY_OPEN;
    return open && g->crew->domain[0].gas->cells != NULL;
}

static carom_status crew_prepare_save(gas *g, const gas **searched, error *e)
{
    if (g->crew == NULL || !g->crew->dispersed || has_own_cells(g)) return crew_unite(g, e);
    *searched = g->crew->domain[0].gas;
    return crew_collect(g, e);
}

/* ---- dispersal --------------------------------------------------------------------------------------------------- */

static carom_status divide_space(crew *c, error *e)
{
    const gas *g = c->gas;
    double(*points)[3] = memory_new(g->count, sizeof *points);
    double box[3] = {0};
    if (points == NULL) return error_memory(e, "domains", g->count * sizeof *points);
    for (int k = 0; k < DIM; k++) box[k] = (double)g->box[k];
    for (uint32_t i = 0; i < g->count; i++) place_in_box(g, i, points[i]);
    const carom_status status = cuts_make(&c->cuts, DIM, box, c->count, g->count, points, e);
    memory_free(points);
    return status;
}

static carom_status find_owners(crew *c, ownership *o, error *e)
{
    const gas *g = c->gas;
    uint32_t *owner = NEW_ARRAY(g->count, uint32_t);
    o->order = NEW_ARRAY(g->count, uint32_t);
    o->first = NEW_ARRAY((size_t)c->count + 2, uint32_t);
    if (owner == NULL || o->order == NULL || o->first == NULL) {
        memory_free(owner);
        return error_memory(e, "domains", g->count * sizeof *owner);
    }
    uint32_t *next = o->first + 1;
    for (uint32_t i = 0; i < g->count; i++) {
        double place[3];
        place_in_box(g, i, place);
        owner[i] = (uint32_t)cuts_domain(&c->cuts, place);
        next[owner[i] + 1]++;
    }
    for (int n = 0; n < c->count; n++) next[n + 1] += next[n];
    for (uint32_t i = 0; i < g->count; i++) o->order[next[owner[i]]++] = i;
    memory_free(owner);
    return CAROM_OK;
}

static void give_members(domain *d)
{
    const ownership *o = &d->crew->ownership;
    error *e = &d->error;
    const uint32_t from = o->first[d->index], to = o->first[d->index + 1];
    buffer state = {.data = NULL};
    members_destroy(d);
    carom_status status = members_create(d, (to - from) + (to - from) / 8 + 256, e);
    for (uint32_t n = from; n < to && status == CAROM_OK; n++) {
        uint32_t i;
        buffer_clear(&state);
        body_put(d->crew->gas, o->order[n], &state);
        const char *at = state.data;
        status = state.failed ? error_memory(e, "a domain", sizeof *d) : members_enter(d, &at, ROLE_OWNED, &i, e);
    }
    buffer_free(&state);
    d->status = status;
}

static carom_status crew_disperse(crew *c, error *e)
{
    if (c->dispersed) return CAROM_OK;
    drop_search(c->gas);
    TRY(divide_space(c, e));
    halo_choose(c);
    TRY(halo_connect(c, e));
    carom_status status = find_owners(c, &c->ownership, e);
    if (status == CAROM_OK) status = crew_each(c, give_members, e);
    memory_free(c->ownership.order);
    memory_free(c->ownership.first);
    c->ownership = (ownership){.order = NULL};
    TRY(status);
    clear_tallies_of(c);
    c->reached = just_before(c->gas->now);
    c->survey_end = c->epoch_end = -REAL_NEVER;
    c->dispersed = c->dispersing = true;
    TRY(halo_renew(c, e));
    c->dispersing = false;
    if (c->length == 0) c->length = (c->epoch_end - c->reached) / FIRST_WINDOWS;
    return CAROM_OK;
}
