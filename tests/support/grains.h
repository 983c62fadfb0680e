/* Scenes from the rest of their text: without an end, with their frame and energy balance; in several algorithms; and in parts.
 * Without a name the engine is `variational`. */
#ifndef CAROM_TESTS_GRAINS_H
#define CAROM_TESTS_GRAINS_H

#include "expect.h"
#include "play.h"

#include <unistd.h>

static play_text text;

static inline play open_engine(const char *engine, const char *body, const char *set)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: %s\nrun: {until: {time: 1e6}}\n%s", engine, body);
    return play_open(text.text, set);
}

static inline play open_scene(const char *body, const char *set)
{
    return open_engine("variational", body, set);
}

static inline const carom_frame *frame(const play *p)
{
    return carom_sim_frame(p->sim);
}

static inline double budget(const play *p)
{
    const carom_frame *f = frame(p);
    const frame_energy energy = frame_energy_of(f);
    return frame_budget(f, &energy);
}

static inline void same_state(play *a, play *b)
{
    const frame_flow *one = &frame(a)->tallies.flow, *other = &frame(b)->tallies.flow;
    ck_assert_uint_eq(play_hash(a), play_hash(b));
    ck_assert_uint_eq(one->entered, other->entered);
    ck_assert_uint_eq(one->left, other->left);
    EXPECT_CLOSE("energy that has left", one->energy_left, other->energy_left, 0);
    EXPECT_CLOSE("energy balance", budget(a), budget(b), 0);
    const frame_ledger *mine = &frame(a)->tallies.ledger, *theirs = &frame(b)->tallies.ledger;
    ck_assert(mine->rotation == theirs->rotation);
    EXPECT_CLOSE("lost to sliding", mine->sliding, theirs->sliding, 0);
    EXPECT_CLOSE("lost to rolling", mine->rolling, theirs->rolling, 0);
    EXPECT_CLOSE("lost to twisting", mine->twisting, theirs->twisting, 0);
}

/* The bits of the reference implementation, at multiples of an interval. */
static inline void reference_gives_the_same(const char *body, double every, int times)
{
    play fast = open_scene(body, NULL), all_pairs = open_scene(body, "variational.reference=true");
    for (int n = 0; n <= times; n++) {
        play_advance(&fast, every * n);
        play_advance(&all_pairs, every * n);
        same_state(&fast, &all_pairs);
    }
    play_close(&fast);
    play_close(&all_pairs);
}

/* The bits of a run up to `end` in four parts, alternately with `threads` threads and with one. `name` distinguishes the files. */
static inline void parts_of_engine(const char *engine, int threads, const char *name, const char *body, const char *set,
                                   double end)
{
    char path[100], checkpoint[120];
    snprintf(path, sizeof path, "%s-%ld.h5", name, (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    text.length = 0;
    play_add(&text, "carom: 1\nengine: %s\nrun: {until: {time: %.17g}}\n%s", engine, end, body);
    play whole = play_open(text.text, set);
    play_run(&whole, CAROM_STOP_TIME);
    for (int n = 1; n <= 4; n++) {
        const carom_options options = {
            .output = path, .force = n == 1, .resume = n > 1, .threads = n % 2 == 1 ? threads : 1};
        play p = play_try(text.text, set, &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        if (n < 4) {
            play_advance(&p, 0.23 * n * end);
            carom_sim_request_stop(p.sim);
        }
        (void)carom_sim_run(p.sim);
        if (n == 4) same_state(&p, &whole);
        play_close(&p);
    }
    play_close(&whole);
    remove(path);
    remove(checkpoint);
}

static inline void parts_give_the_same(const char *name, const char *body, const char *set, double end)
{
    parts_of_engine("variational", 2, name, body, set, end);
}

#endif
