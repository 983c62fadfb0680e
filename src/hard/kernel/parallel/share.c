#include "hard/kernel/parallel/share.h"
#include "hard/kernel/bodies.h"
#include "hard/kernel/load.h"
#include "hard/kernel/save.h"

#include <assert.h>

typedef struct array_header {
    char name[64];
    uint64_t count;
    snapshot_type type;
} array_header;

static carom_status send_array(transport *t, snapshot_array *a, error *e)
{
    array_header h = {.count = a->count, .type = a->type};
    assert(strlen(a->name) < sizeof h.name);
    memcpy(h.name, a->name, strlen(a->name));
    TRY(transport_broadcast(t, &h, sizeof h, e));
    return transport_broadcast(t, a->data, a->count * snapshot_element_size(a->type), e);
}

static carom_status receive_array(transport *t, snapshot *s, error *e)
{
    array_header h;
    void *data = NULL;
    TRY(transport_broadcast(t, &h, sizeof h, e));
    TRY(snapshot_reserve(s, h.name, h.type, h.count, &data, e));
    return transport_broadcast(t, data, h.count * snapshot_element_size(h.type), e);
}

/* The bodies of a rank that has had domains only. Their kinds are those of rank 0, which `state_load` expects. */
static carom_status restore_bodies(gas *g, const snapshot *in, error *e)
{
    if (!bodies_allocate(g, true)) return error_memory(e, "the particles", g->count * (sizeof(body) + sizeof(plan)));
    TRY(snapshot_get(in, "engine/body", SNAPSHOT_U8, g->count * sizeof *g->body, g->body, e));
    return snapshot_get(in, "engine/id", SNAPSHOT_U8, g->count * sizeof *g->id, g->id, e);
}

static carom_status share_state(crew *c, snapshot *s, error *e)
{
    if (c->first == 0) TRY(state_save(c->gas, s, e));
    if (c->first == 0) TRY(snapshot_own(s, e));
    uint64_t count = s->count;
    TRY(transport_broadcast(c->transport, &count, sizeof count, e));
    for (uint64_t n = 0; n < count; n++)
        TRY(c->first == 0 ? send_array(c->transport, &s->arrays[n], e) : receive_array(c->transport, s, e));
    if (c->first == 0) return CAROM_OK;
    TRY(restore_bodies(c->gas, s, e));
    return state_load(c->gas, s, e);
}

static carom_status share_rank(crew *c, carom_stop *stop, error *e)
{
    snapshot s = {.arrays = NULL};
    if (c->own == c->count) return CAROM_OK;
    TRY(transport_broadcast(c->transport, stop, sizeof *stop, e));
    const carom_status status = share_state(c, &s, e);
    snapshot_free(&s);
    c->alone = false;
    return status;
}
