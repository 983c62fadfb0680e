/* Detects differences in bits between the engine `variational` and its oracle (one event per force, one certificate
 * per pair, all pairs) over scenes of all kinds, halted and resumed. */
#include "../support/expect.h"
#include "../support/random_contact.h"
#include "../support/suite.h"

#include "base/hash.h"

#include <unistd.h>

typedef struct outcome {
    carom_stop stop;
    uint64_t hash, collisions, walls, forces, certificates, layers[LAYER_BINS];
    double closest, restitution;
    uint64_t within; /* hash of the layers that each particle is in */
} outcome;

static outcome look(play *p)
{
    const carom_frame *f = carom_sim_frame(p->sim);
    outcome o = {carom_sim_stop(p->sim),
                 f->state_hash,
                 f->events[EVENT_COLLISION],
                 f->events[EVENT_WALL],
                 f->events[EVENT_FORCE],
                 f->events[EVENT_CERTIFICATE],
                 {0},
                 f->tallies.closest,
                 f->tallies.ledger.restitution,
                 hash_bytes(HASH_START, f->layers, f->count * sizeof *f->layers)};
    memcpy(o.layers, f->tallies.layers, sizeof o.layers);
    return o;
}

static outcome run(const char *text, const char *set, int halts, double until)
{
    play p = play_open(text, set);
    for (int k = 1; k <= halts && carom_sim_stop(p.sim) == CAROM_STOP_NONE; k++)
        (void)carom_sim_advance(p.sim, until * k / halts);
    (void)carom_sim_run(p.sim);
    outcome o = look(&p);
    play_close(&p);
    return o;
}

/* Checkpoints in the midst of it, three times, each time forgetting all but the file. */
static outcome run_resumed(const char *text, double until)
{
    static const double stops[] = {0.21, 0.5, 0.83};
    char path[100], checkpoint[120];
    snprintf(path, sizeof path, "variational-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    for (size_t k = 0; k <= sizeof stops / sizeof *stops; k++) {
        carom_options options = {.output = path, .force = k == 0, .resume = k > 0};
        play p = play_try(text, NULL, &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s\n%s", carom_sim_message(p.sim), text);
        if (k < sizeof stops / sizeof *stops) {
            play_advance(&p, until * stops[k]);
            carom_sim_request_stop(p.sim);
        }
        (void)carom_sim_run(p.sim);
        outcome o = look(&p);
        play_close(&p);
        if (k < sizeof stops / sizeof *stops) continue;
        remove(path);
        remove(checkpoint);
        return o;
    }
    REQUIRE(false);
    return (outcome){0};
}

static const char *difference(const outcome *a, const outcome *b)
{
    if (a->stop != b->stop) return "stops differ";
    if (a->collisions != b->collisions || a->walls != b->walls) return "impacts differ";
    if (a->forces != b->forces) return "forces differ";
    if (a->hash != b->hash) return "states differ";
    if (memcmp(a->layers, b->layers, sizeof a->layers) != 0) return "layers differ";
    if (a->within != b->within) return "layers of the last frame differ";
    if (a->closest != b->closest) return "closest approaches differ";
    /* what is lost at one moment is summed in another order */
    if (fabs(a->restitution - b->restitution) > 1e-12 * fabs(a->restitution)) return "losses differ";
    return NULL;
}

static void expect_same(const outcome *fast, const outcome *other, const char *what, const char *text)
{
    const char *fault = difference(fast, other);
    if (fault == NULL) return;
    ck_abort_msg("%s: %s: %llu impacts, %llu forces, closest %.17g; or %llu, %llu, %.17g\n%s", what, fault,
                 (unsigned long long)(fast->collisions + fast->walls), (unsigned long long)fast->forces, fast->closest,
                 (unsigned long long)(other->collisions + other->walls), (unsigned long long)other->forces,
                 other->closest, text);
}

static void compare(uint64_t seed)
{
    static play_text t;
    contact_scene s = random_contact_write(&t, seed, false);
    outcome fast = run(t.text, NULL, 0, 0), slow = run(t.text, "variational.reference=true", 0, 0);
    printf("%4llu: %-8s %dd, %2u bodies, p = %d: %llu impacts, %llu with walls, %llu forces, %llu looks (%llu)\n",
           (unsigned long long)seed, contact_kind_names[s.kind], s.dimension, s.count, s.exponent,
           (unsigned long long)fast.collisions, (unsigned long long)fast.walls, (unsigned long long)fast.forces,
           (unsigned long long)fast.certificates, (unsigned long long)slow.certificates);
    expect_same(&fast, &slow, "reference", t.text);
    outcome halting = run(t.text, NULL, 37, s.time), resumed = run_resumed(t.text, s.time);
    expect_same(&fast, &halting, "halting", t.text);
    expect_same(&fast, &resumed, "resumed", t.text);
}

enum { EACH = 12 };

static uint64_t first, count = 120;

START_TEST(scenes_of_all_kinds)
{
    const uint64_t from = (uint64_t)_i * EACH, to = from + EACH < count ? from + EACH : count;
    for (uint64_t k = from; k < to; k++) compare(first + k);
}
END_TEST

/* Other scenes than usual: FIRST COUNT. */
int main(int argc, char **argv)
{
    suite_scenes(argc, argv, &first, &count);
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(more, scenes_of_all_kinds, 0, 1);
    tcase_add_loop_test(rest, scenes_of_all_kinds, 1, 5);
    tcase_add_loop_test(all, scenes_of_all_kinds, 5, 6); /* notices a certificate that lacks the other's tolerance */
    tcase_add_loop_test(rest, scenes_of_all_kinds, 6, (int)((count + EACH - 1) / EACH));
    tcase_set_timeout(all, 300);
    return suite_run("variational paths", all, more, rest);
}
