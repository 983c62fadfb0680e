/* Runs of one scene in other ways, which must have the same bits. */
#ifndef CAROM_TESTS_SAME_BITS_H
#define CAROM_TESTS_SAME_BITS_H

#include "play.h"
#include "resumed.h"

/* The scene has impacts until the time `until`. */
static inline void expect_bits_of_reference(const char *text, double until)
{
    enum { PIECES = 4 };
    play fast = play_open(text, NULL), slow = play_open(text, "variational.reference=true");
    for (int n = 1; n <= PIECES; n++) {
        play_advance(&fast, until * n / PIECES);
        play_advance(&slow, until * n / PIECES);
        ck_assert_uint_eq(play_hash(&fast), play_hash(&slow));
    }
    ck_assert(carom_sim_frame(fast.sim)->events[EVENT_COLLISION] > 0);
    play_close(&fast);
    play_close(&slow);
}

/* The scene ends at `until`. Its parts have one and two threads. */
static inline void expect_bits_of_parts(const char *text, double until)
{
    play whole = play_open(text, NULL), parts;
    play_advance(&whole, until);
    const uint64_t hash = play_hash(&whole);
    play_close(&whole);
    parts = resumed_in_parts(text, until);
    ck_assert_uint_eq(play_hash(&parts), hash);
    play_close(&parts);
}

#endif
