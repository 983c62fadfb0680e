/* The state of a body as bytes: for messages between domains, and to undo a window. */
#include "hard/kernel/parallel/body_state.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/images.h"

/* The part that all scenes have. */
typedef struct core_state {
    body b;
    int64_t image[DIM];
    real stall_time;
    uint32_t stall_count;
    uint32_t id;
} core_state;

static void body_put(const gas *g, uint32_t i, buffer *out)
{
    core_state s = {.b = g->body[i], .id = g->id[i]};
    if (g->stall.any) {
        s.stall_time = g->stall.time[i];
        s.stall_count = g->stall.count[i];
    }
    images_get(g, i, s.image);
    buffer_put(out, &s, sizeof s);
    features_put(g, i, out);
}

static const char *body_get(gas *g, uint32_t i, const char *from)
{
    core_state s;
    const uint32_t stamp = g->body[i].stamp;
    memcpy(&s, from, sizeof s);
    from += sizeof s;
    g->body[i] = s.b;
    g->body[i].stamp = stamp + 1;
    images_put(g, i, s.image);
    g->stall.any = g->stall.any || s.stall_count > 0;
    if (g->stall.any) {
        g->stall.time[i] = s.stall_time;
        g->stall.count[i] = s.stall_count;
    }
    g->id[i] = s.id;
    return features_get(g, i, from);
}

static bool body_copy(const gas *from, uint32_t i, gas *to, uint32_t j, buffer *scratch)
{
    const uint32_t stamp = to->body[j].stamp;
    to->body[j] = from->body[i];
    to->body[j].stamp = stamp + 1;
    memcpy(to->image[j], from->image[i], sizeof to->image[j]);
    if (to->images_long)
        for (int k = 0; k < DIM; k++) to->image_high[j][k] = from->images_long ? from->image_high[i][k] : 0;
    to->id[j] = from->id[i];
    if (to->stall.any) {
        to->stall.time[j] = from->stall.any ? from->stall.time[i] : 0;
        to->stall.count[j] = from->stall.any ? from->stall.count[i] : 0;
    }
    if (!from->body_data) return true;
    buffer_clear(scratch);
    features_put(from, i, scratch);
    if (!scratch->failed) features_get(to, j, scratch->data);
    return !scratch->failed;
}

static uint32_t body_number(const char *state)
{
    uint32_t id;
    memcpy(&id, state + offsetof(core_state, id), sizeof id);
    return id;
}

static size_t body_bytes(const gas *g, const char *state)
{
    return sizeof(core_state) + features_bytes(g, state + sizeof(core_state));
}

static uint64_t body_chain(const gas *g, uint32_t i, uint64_t chain)
{
    const body *b = &g->body[i];
    for (int k = 0; k < DIM; k++) {
        chain = hash_real(chain, b->r[k]);
        chain = hash_real(chain, b->v[k]);
    }
    chain = hash_real(chain, b->t);
    return features_chain(g, i, chain);
}
