/* An engine on several ranks that are threads: rank 0 leads, the others follow. */
#ifndef CAROM_TESTS_LONE_RANKS_H
#define CAROM_TESTS_LONE_RANKS_H

#include "fake_ranks.h"
#include "lone_engine.h"

typedef struct lone_ranks {
    const carom_scene *scene;
    int threads; /* of each rank */
    void (*lead)(lone_engine *own, int domains, const void *context);
    const void *context;
} lone_ranks;

static inline void lone_rank(transport *t, void *context)
{
    const lone_ranks *all = context;
    const engine_workers workers = {.threads = all->threads, .transport = t};
    lone_engine own = {.self = NULL};
    lone_create(&own, all->scene, NULL, &workers);
    if (transport_rank(t) == 0)
        all->lead(&own, transport_ranks(t) * all->threads, all->context);
    else if (own.kernel->follow(own.self, &own.e) != CAROM_OK)
        ck_abort_msg("%s", error_text(&own.e));
    lone_destroy(&own);
}

static inline void lone_ranks_run(int ranks, uint64_t seed, lone_ranks all)
{
    ck_assert_int_eq(fake_run(ranks, seed, lone_rank, &all, 0, NULL), ranks);
}

#endif
