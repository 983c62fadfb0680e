/* Random scenes of the engine `variational`: against the oracle to the bit, and resumed to the bit. */
#ifndef CAROM_TESTS_ORACLE_H
#define CAROM_TESTS_ORACLE_H

#include <unistd.h>

#include "play.h"

/* A scene under test; `ending` is the message with which its run may end before its time, or NULL. */
typedef struct oracle_case {
    const char *text, *ending;
    uint64_t seed;
    double time;
} oracle_case;

static inline bool oracle_goes_on(const oracle_case *c, play *p, double time)
{
    if (carom_sim_advance(p->sim, time) == CAROM_OK) return true;
    if (c->ending == NULL || strstr(carom_sim_message(p->sim), c->ending) == NULL)
        ck_abort_msg("scene %llu: %s", (unsigned long long)c->seed, carom_sim_message(p->sim));
    return false;
}

/* As far as the oracle gets in some seconds: until there were so many forces. */
static inline void oracle_compare(const oracle_case *c, uint64_t most_forces)
{
    enum { PIECES = 40 };
    play fast = play_open(c->text, NULL), slow = play_open(c->text, "variational.reference=true");
    const carom_frame *f = carom_sim_frame(fast.sim), *g = carom_sim_frame(slow.sim);
    for (int n = 1; n <= PIECES && f->events[EVENT_FORCE] < most_forces; n++) {
        if (!oracle_goes_on(c, &fast, c->time * n / PIECES)) break;
        play_advance(&slow, c->time * n / PIECES);
        f = carom_sim_frame(fast.sim), g = carom_sim_frame(slow.sim);
        if (f->state_hash != g->state_hash)
            ck_abort_msg("scene %llu, by %.9g: states differ, %llu forces or %llu\n%s", (unsigned long long)c->seed,
                         f->time, (unsigned long long)f->events[EVENT_FORCE],
                         (unsigned long long)g->events[EVENT_FORCE], c->text);
    }
    printf("%llu impacts, %llu with walls, %llu forces, by %.2g of its time\n",
           (unsigned long long)f->events[EVENT_COLLISION], (unsigned long long)f->events[EVENT_WALL],
           (unsigned long long)f->events[EVENT_FORCE], f->time / c->time);
    play_close(&fast);
    play_close(&slow);
}

/* The numbers beside the state, those of bookkeeping too. */
static inline void oracle_same_numbers(const oracle_case *c, const carom_frame *f, const carom_frame *g)
{
    for (int k = 0; k < EVENT_KINDS; k++)
        if (f->events[k] != g->events[k])
            ck_abort_msg("scene %llu, resumed: %llu events of kind %s, and %llu without a halt, by %.9g\n%s",
                         (unsigned long long)c->seed, (unsigned long long)g->events[k], event_kind_names[k],
                         (unsigned long long)f->events[k], f->time, c->text);
    const frame_ledger *a = &f->tallies.ledger, *b = &g->tallies.ledger;
    const double one[] = {a->springs, a->contact, a->restitution, a->friction, a->damping,
                          a->work,    a->stretch, a->bend,        a->plastic,  a->twist};
    const double two[] = {b->springs, b->contact, b->restitution, b->friction, b->damping,
                          b->work,    b->stretch, b->bend,        b->plastic,  b->twist};
    for (size_t k = 0; k < sizeof one / sizeof *one; k++)
        if (one[k] != two[k])
            ck_abort_msg("scene %llu, resumed: number %zu of the ledger is %.17g and was %.17g, by %.9g\n%s",
                         (unsigned long long)c->seed, k, two[k], one[k], f->time, c->text);
}

/* Stopped twice, in the midst of contacts; `name` is of the result. */
static inline void oracle_resume(const oracle_case *c, const char *name)
{
    static const double stops[] = {0.31, 0.7, 1};
    char path[100], checkpoint[120], until[60];
    snprintf(path, sizeof path, "%s-%ld.h5", name, (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    play whole = play_open(c->text, NULL);
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        const carom_options options = {.output = path, .force = k == 0, .resume = k > 0};
        snprintf(until, sizeof until, "run.until.time=%.17g", stops[k] * c->time);
        if (!oracle_goes_on(c, &whole, stops[k] * c->time)) break;
        play p = play_try(c->text, until, &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        play_run(&p, CAROM_STOP_TIME);
        ck_assert_msg(play_hash(&p) == play_hash(&whole), "scene %llu, resumed: states differ by %.9g\n%s",
                      (unsigned long long)c->seed, stops[k] * c->time, c->text);
        oracle_same_numbers(c, carom_sim_frame(whole.sim), carom_sim_frame(p.sim));
        play_close(&p);
    }
    play_close(&whole);
    remove(path);
    remove(checkpoint);
}

#endif
