#include "hard/kernel/response/tallies.h"

#include "engine/sound.h"

#include <stddef.h>

enum { TALLY_SUMS = offsetof(event_tallies, stabilising) / sizeof(exact_sum) }; /* the first members */

static __attribute__((noinline)) void tallies_collect(event_tallies *all)
{
    exact_add_rows(all->pair, all->pending, (int)all->pending_count);
    all->pending_count = 0;
}

static void tallies_settle(event_tallies *all)
{
    exact_sum *sum = (exact_sum *)(void *)all;
    tallies_collect(all);
    memset(all->pending, 0, sizeof all->pending);
    for (int n = 0; n < TALLY_SUMS; n++) exact_settle(&sum[n]);
}

static void tallies_merge(event_tallies *all, event_tallies *part)
{
    exact_sum *sum = (exact_sum *)(void *)all;
    const exact_sum *other = (const exact_sum *)(const void *)part;
    tallies_collect(all);
    tallies_collect(part);
    for (int n = 0; n < TALLY_SUMS; n++) exact_merge(&sum[n], &other[n]);
    all->stabilising += part->stabilising;
    all->three_body_again += part->three_body_again;
    all->three_body_double += part->three_body_double;
    all->max_overlap = fmax(all->max_overlap, part->max_overlap);
    memset(part, 0, sizeof *part);
}

static bool tallies_are_sound(const event_tallies *all)
{
    return exact_are_sound((const exact_sum *)(const void *)all, TALLY_SUMS) && isfinite(all->max_overlap) &&
           all->pending_count == 0;
}

static void tallies_virial(const gas *g, int a, int b, exact_sum *sum)
{
    *sum = g->tallies.pair[component(a, b)];
    exact_merge(sum, &g->tallies.virial[a][b]);
}

static void tallies_fill_frame(const gas *g, frame_tallies *out)
{
    const event_tallies *all = &g->tallies;
    memset(out, 0, sizeof *out);
    out->dissipated = exact_value(&all->pair[PAIR_DISSIPATED]);
    out->supplied = exact_value(&all->supplied);
    out->ledger.friction = exact_value(&all->friction);
    out->ledger.work = exact_value(&all->work);
    out->stabilising = all->stabilising;
    out->three_body_again = all->three_body_again;
    out->three_body_double = all->three_body_double;
    out->max_overlap = all->max_overlap;
    for (int a = 0; a < DIM; a++) {
        for (int b = 0; b < DIM; b++) {
            exact_sum virial;
            tallies_virial(g, a, b, &virial);
            out->virial[a][b] = exact_value(&virial);
        }
        for (int side = 0; side < 2; side++) out->wall_impulse[a][side] = exact_value(&all->wall_impulse[a][side]);
    }
    exact_sum lost = all->pair[PAIR_DISSIPATED];
    exact_subtract(&lost, &all->friction);
    out->ledger.restitution = exact_value(&lost);
}
