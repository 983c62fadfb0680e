/* The bodies of a domain. Places of bodies that have left are reused; at a restart all places are filled. */
#include "hard/kernel/parallel/members.h"
#include "hard/kernel/bodies.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/grid.h"
#include "hard/kernel/broad/large_bodies.h"
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/broad/order.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/parallel/body_state.h"
#include "hard/kernel/rearrange.h"
#include "hard/kernel/schedule/run.h"
#include "hard/kernel/schedule/schedule.h"
#include "hard/kernel/schedule/start.h"

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static carom_status members_reserve(domain *d, uint32_t room, error *e)
{
    gas *g = d->gas;
    /* Contents without effect are not copied: their memory is not touched. */
    const uint32_t before = g->room, long_images = g->images_long ? before : 0, stalls = g->stall.any ? before : 0;
    bool all = widen_array(&g->body, before, room, sizeof *g->body) && widen_array(&g->id, before, room, sizeof *g->id);
    all = all && widen_array(&g->image, before, room, sizeof *g->image);
    all = all && widen_array(&g->image_high, long_images, room, sizeof *g->image_high);
    all = all && widen_array(&g->plan, before, room, sizeof *g->plan);
    all = all && widen_array(&g->stall.time, stalls, room, sizeof *g->stall.time);
    all = all && widen_array(&g->stall.count, stalls, room, sizeof *g->stall.count);
    all = all && widen_array(&d->role, before, room, sizeof *d->role);
    all = all && widen_array(&d->member, before, room, sizeof *d->member);
    all = all && widen_array(&d->scratch, before, room, sizeof *d->scratch);
    if (!all || !features_widen(g, before, room)) return error_memory(e, "a domain", (size_t)room * sizeof(body));
    g->room = room;
    return CAROM_OK;
}

static void drop_search(gas *g)
{
    lists_destroy(g);
    cell_grid_destroy(g);
    schedule_destroy(g);
}

/* Takes over what is the same in all domains. */
static void share_gas(gas *g, const gas *whole)
{
    *g = *whole;
    g->count = g->room = 0;
    g->body = NULL;
    g->id = NULL;
    g->image = g->image_high = NULL;
    g->plan = NULL;
    g->stall.time = NULL;
    g->stall.count = NULL;
    g->queue = NULL;
    g->lists = NULL;
    g->cells = NULL;
    g->recorder = NULL;
    g->crew = NULL;
}

static carom_status members_create(domain *d, uint32_t room, error *e)
{
    gas *g = d->gas = NEW_ARRAY(1, gas);
    if (g == NULL) return error_memory(e, "a domain", sizeof *g);
    share_gas(g, d->crew->gas);
    g->domain = d;
    g->whole = d->crew->gas;
    if (!features_share(g, d->crew->gas)) return error_memory(e, "a domain", sizeof *g);
    if (g->stepped != NULL) {
        d->place_of = NEW_ARRAY(d->crew->gas->count, uint32_t);
        if (d->place_of == NULL) return error_memory(e, "a domain", d->crew->gas->count * sizeof *d->place_of);
    }
    d->rebuild = true;
    return members_reserve(d, room, e);
}

static void members_destroy(domain *d)
{
    gas *g = d->gas;
    if (g == NULL) return;
    drop_search(g);
    bodies_release(g);
    features_unshare(g);
    memory_free(g);
    memory_free(d->role);
    memory_free(d->vacant);
    memory_free(d->near);
    memory_free(d->coming);
    memory_free(d->member);
    memory_free(d->scratch);
    memory_free(d->place_of);
    buffer_free(&d->images);
    d->gas = NULL;
    d->role = NULL;
    d->member = NULL;
    d->vacant = d->near = d->scratch = d->place_of = NULL;
    d->coming = NULL;
    d->vacant_count = d->near_count = d->coming_count = d->post_count = d->change_count = 0;
    d->vacant_room = d->near_room = d->coming_room = 0;
    d->search_room = 0;
}

/* ---- entry and departure ----------------------------------------------------------------------------------------- */

static carom_status search_enter(gas *g, uint32_t i, error *e)
{
    if (g->cells != NULL) {
        cell_grid_insert(g, i);
        return CAROM_OK;
    }
    return lists_enter(g, i, e);
}

static void search_leave(gas *g, uint32_t i)
{
    if (g->cells != NULL)
        cell_grid_remove(g, i);
    else
        lists_leave(g, i);
}

static carom_status members_renew(gas *g, uint32_t i, error *e)
{
    if (g->cells != NULL)
        cell_grid_move(g, i);
    else if (lists_stay(g, i))
        large_bodies_forget(g, i);
    else
        TRY(lists_renew(g, i, e));
    return CAROM_OK;
}

/* A place for body `number` of the scene. */
static carom_status find_place(domain *d, uint32_t number, body_role role, uint32_t *at, error *e)
{
    gas *g = d->gas;
    if (d->vacant_count == 0 && g->count == g->room) {
        d->rebuild = true;
        TRY(members_reserve(d, g->room + g->room / 4 + 64, e));
    }
    const uint32_t i = d->vacant_count > 0 ? d->vacant[--d->vacant_count] : g->count++;
    d->role[i] = (uint8_t)role;
    d->member[i] = (membership){.change = 0, .post = NO_POST};
    plan_clear(&g->plan[i]);
    if (d->place_of != NULL) d->place_of[number] = i + 1;
    *at = i;
    return CAROM_OK;
}

static carom_status members_take(domain *d, uint32_t of_whole, buffer *scratch, error *e)
{
    const gas *whole = d->crew->gas;
    uint32_t i;
    TRY(find_place(d, whole->id[of_whole], ROLE_OWNED, &i, e));
    return body_copy(whole, of_whole, d->gas, i, scratch) ? CAROM_OK : error_memory(e, "a domain", sizeof *d);
}

static carom_status members_enter(domain *d, const char **state, body_role role, uint32_t *at, error *e)
{
    gas *g = d->gas;
    uint32_t i;
    TRY(find_place(d, body_number(*state), role, &i, e));
    *state = body_get(g, i, *state);
    *at = i;
    return d->rebuild ? CAROM_OK : search_enter(g, i, e);
}

static void members_leave(domain *d, uint32_t i)
{
    gas *g = d->gas;
    if (!d->rebuild) {
        search_leave(g, i);
        fel_schedule(g->queue, i, INFINITY);
    }
    features_leave(g, i);
    if (d->place_of != NULL && d->place_of[g->id[i]] == i + 1) d->place_of[g->id[i]] = 0;
    plan_clear(&g->plan[i]);
    g->body[i].stamp++;
    if (g->stall.any) g->stall.count[i] = 0;
    d->role[i] = ROLE_ABSENT;
    d->member[i].post = NO_POST;
    if (!push(&d->vacant, &d->vacant_count, &d->vacant_room, i)) out_of_memory(d, "a domain");
}

/* ---- restart ----------------------------------------------------------------------------------------------------- */

/* New indices: scratch[i] for body i. */
static void renumber_members(domain *d)
{
    gas *g = d->gas;
    uint32_t *to = d->scratch;
    for (uint32_t k = 0; k < d->near_count; k++) d->near[k] = to[d->near[k]];
    for (uint32_t k = 0; k < d->coming_count; k++) d->coming[k].body = to[d->coming[k].body];
    for (int n = 0; n < d->adjacent_count; n++) {
        adjacent *a = &d->adjacent[n];
        for (uint32_t k = 0; k < a->sent_count; k++) a->sent[k] = to[a->sent[k]];
        for (uint32_t k = 0; k < a->received_count; k++) a->received[k] = to[a->received[k]];
    }
    for (uint32_t i = 0; d->place_of != NULL && i < g->count; i++) d->place_of[g->id[i]] = i + 1;
}

/* Sorts the bodies along the curve, absent ones last. */
static void sort_members(domain *d)
{
    gas *g = d->gas;
    curve_place *from = (curve_place *)(void *)g->plan, *absent = from + g->count; /* plans are made anew */
    uint32_t present = 0, gone = 0;
    find_places(g, from);
    for (uint32_t i = 0; i < g->count; i++) {
        const curve_place p = from[i];
        if (d->role[i] == ROLE_ABSENT)
            absent[gone++] = p;
        else
            from[present++] = p;
    }
    memcpy(from + present, absent, gone * sizeof *from);
    curve_sort(from, absent, present);
    for (uint32_t i = 0; i < g->count; i++) d->scratch[from[i].item] = i;
    arrange_bodies(g, from);
    uint8_t held;
    rearrange(d->role, sizeof *d->role, from, g->count, &held);
    g->count = present;
    d->vacant_count = 0;
}

static carom_status find_search(domain *d, error *e)
{
    gas *g = d->gas;
    if (g->queue != NULL && d->search_room == g->room) return gas_find_events(g, e);
    drop_search(g);
    d->search_room = g->room;
    if (cells_are_faster(d->crew->gas)) TRY(cell_grid_create(g, e));
    if (g->cells == NULL) TRY(lists_create(g, e));
    TRY(schedule_create(g, e));
    schedule_all(g);
    return CAROM_OK;
}

static carom_status members_restart(domain *d, error *e)
{
    sort_members(d);
    renumber_members(d);
    d->rebuild = false;
    return find_search(d, e);
}
