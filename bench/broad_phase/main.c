/* Neighbour lists against a hierarchy of k-DOPs with separation lists, in the engine `variational`, on the same motion:
 *
 *     bench_broad_phase_3d [--kicks] SCENE FROM TO [KEY=VALUE]...        (2D: bench_broad_phase_2d)
 *
 * runs a scene. From time FROM to TO it passes each nominal trajectory of the engine (nominal.h) to the broad phase of
 * separation.h as well, which certifies the same: that the first layer of a pair is inactive. With --kicks it passes each
 * flight instead, after each kick, as in algorithm 3 of the paper. Both are counted, and their CPU time is sampled. At
 * ten times both must contain each pair in contact; then the trees of particles, which mix, are rebuilt. This program
 * contains the kernel a second time. The functions below replace functions of the kernel with the same names; the files
 * under observed/ rename the latter to engine_... */
#include "separation.h"

#include "base/threads.h"
#include "sim/scene_api.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "variational/kernel/kernel.c"

/* The engine takes this kernel for that of its instruction set, too. */
#if CAROM_DIM == 3 && defined(CAROM_HAVE_ISA_LEVELS)
extern const engine_kernel kernel_variational_3d_avx2 __attribute__((alias("kernel_variational_3d")));
#endif

#include "separation.c"

enum { LOOKS = 10 };

volatile int now_in = PHASE_REST;

static volatile uint64_t samples[PHASES];
static separation_lists *other;
static nominal *given_flight; /* [count] with --kicks: flights as nominal trajectories without tolerance */
static uint32_t *kicked;
static separation_counts counts;
static uint64_t checked, unknown;
static uint64_t looked, touching; /* certificates of the engine, of inactive pairs and of others */

static carom_status lists_keep_valid(world *w, const uint32_t *element, uint32_t count, double t, double until,
                                     error *e)
{
    if (other == NULL) return engine_near_keep(w, element, count, t, until, e);
    now_in = PHASE_BOXES;
    if (given_flight == NULL) separation_advance(other, w->flights.nominal, element, count, t);
    now_in = PHASE_LISTS;
    const carom_status status = engine_near_keep(w, element, count, t, until, e);
    now_in = PHASE_REST;
    return status;
}

/* The nodes with new motions, and the elements at them; returns their number. */
static uint32_t take_flights(const world *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const node *a = &w->node[i];
        nominal *f = &given_flight[i];
        if (a->t == f->t && memcmp(a->v, f->v, sizeof a->v) == 0) continue;
        memcpy(f->x, a->x, sizeof a->x);
        memcpy(f->v, a->v, sizeof a->v);
        f->t = a->t;
        f->straight = node_is_driven(a);
        kicked[count++] = i;
        for (uint32_t k = 0; k < parts_at(w, i); k++) kicked[count++] = w->topology.part[w->topology.first_part[i] + k];
    }
    return count;
}

static void give_kicks(world *w, double t)
{
    engine_give_kicks(w, t);
    if (other == NULL || given_flight == NULL) return;
    const uint32_t count = take_flights(w);
    now_in = PHASE_BOXES;
    separation_advance(other, given_flight, kicked, count, t);
    now_in = PHASE_REST;
}

static void count_looks(const world *w, uint32_t i, double until, scope of)
{
    const list *known = &w->neighbours.list[i];
    for (uint32_t k = 0; k < known->count; k++) {
        const neighbour *n = &known->at[k];
        if (n->partner >= NODES || (of == DUE && n->until > until)) continue;
        looked += n->contact == NONE;
        touching += n->contact != NONE;
    }
}

static void certify_element(world *w, uint32_t i, double t, double until, scope of)
{
    if (other != NULL) count_looks(w, i, until, of);
    now_in = PHASE_CERTIFICATES;
    engine_certify_look(w, i, t, until, of);
    now_in = PHASE_REST;
}

static void certify_wake(world *w, uint32_t i, double t, double until)
{
    if (other != NULL && w->flights.recheck[i].next <= until) count_looks(w, i, until, DUE);
    now_in = PHASE_CERTIFICATES;
    engine_certify_wake(w, i, t, until);
    now_in = PHASE_REST;
}

static void take_sample(int signal_number)
{
    (void)signal_number;
    samples[now_in]++;
}

static void start_sampling(long microseconds)
{
    const struct itimerval every = {{0, microseconds}, {0, microseconds}};
    signal(SIGPROF, take_sample);
    setitimer(ITIMER_PROF, &every, NULL);
}

static void advance(const engine_kernel *kernel, void *self, double time)
{
    const engine_limits limits = {time, UINT64_MAX, UINT64_MAX, (uint64_t)1 << 40, 0, 0};
    error e = {0};
    carom_stop stop = CAROM_STOP_NONE;
    if (kernel->advance(self, &limits, &stop, &e) == CAROM_OK && stop == CAROM_STOP_TIME) return;
    fprintf(stderr, "bench_broad_phase: %s\n", error_text(&e));
    exit(1);
}

/* Pairs of the engine in contact, and those of them that the other broad phase does not contain. */
static void check(const world *w)
{
    separation_advance(other, w->flights.nominal, NULL, 0, w->now);
    for (uint32_t i = 0; i < w->elements; i++)
        for (uint32_t k = 0; k < w->neighbours.list[i].count; k++) {
            const neighbour *n = &w->neighbours.list[i].at[k];
            if (n->partner >= NODES || n->partner < i || n->contact == NONE) continue;
            if (gap_at(w, i, n->partner, w->now) >= thickness(w, 1)) continue;
            checked++;
            unknown += !separation_holds(other, i, n->partner);
        }
}

static void report(const world *w, const separation_counts *c, uint64_t forces, double tick)
{
    uint64_t entries = 0;
    for (uint32_t i = 0; i < w->elements; i++) entries += w->neighbours.list[i].count;
    printf("%" PRIu32 " elements, %" PRIu64 " forces, %" PRIu64 " new motions of nodes, %" PRIu64
           " pairs in contact at %d checks, %" PRIu64 " of them missing\n",
           w->elements, forces, c->motions, checked, LOOKS, unknown);
    printf("%-42s %16s %16s\n", "", "lists", "k-DOPs");
    printf("%-42s %16" PRIu64 " %16" PRIu32 "\n", "pairs known", entries / 2, c->most);
    printf("%-42s %16s %16" PRIu64 "\n", "new bounds", "-", c->refits);
    printf("%-42s %16s %16" PRIu64 "\n", "certificates of two bounds", "-", c->boxes);
    printf("%-42s %16" PRIu64 " %16" PRIu64 "\n", "certificates of two elements, inactive", looked, c->sights);
    printf("%-42s %16" PRIu64 " %16" PRIu64 "\n", "the same, in contact", touching, c->touching);
    printf("%-42s %16.3f %16.3f\n", "CPU seconds, broad phase", tick * (double)samples[PHASE_LISTS],
           tick * (double)samples[PHASE_BOXES]);
    printf("%-42s %16.3f %16.3f\n", "CPU seconds, certificates of elements", tick * (double)samples[PHASE_CERTIFICATES],
           tick * (double)samples[PHASE_SIGHTS]);
    printf("%-42s %16.3f\n", "CPU seconds, all else", tick * (double)samples[PHASE_REST]);
}

static double cpu_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static int fail(const char *why)
{
    fprintf(stderr, "bench_broad_phase: %s\n", why);
    return CAROM_BAD_DATA;
}

/* New trees for the present motions. */
static void grow_trees(world *w)
{
    now_in = PHASE_BOXES;
    separation_destroy(other);
    other = separation_create(w, given_flight != NULL ? given_flight : w->flights.nominal, &counts);
    now_in = PHASE_REST;
}

static void begin(world *w, bool kicks)
{
    if (kicks) {
        given_flight = calloc(w->count, sizeof *given_flight);
        kicked = malloc(3 * w->elements * sizeof *kicked);
        if (given_flight == NULL || kicked == NULL) abort();
        for (uint32_t i = 0; i < w->count; i++) given_flight[i].t = NAN;
        take_flights(w);
    }
    grow_trees(w);
    counts = (separation_counts){.most = counts.most};
    start_sampling(1000);
}

static void compare(world *w, const engine_kernel *kernel, bool kicks, const char *const time[2])
{
    const double from = atof(time[0]), to = atof(time[1]);
    advance(kernel, w, from);
    const uint64_t forces = w->totals.events[EVENT_FORCE];
    begin(w, kicks);
    const double start = cpu_seconds();
    for (int k = 1; k <= LOOKS; k++) {
        advance(kernel, w, from + (to - from) * k / LOOKS);
        check(w);
        if (k < LOOKS && w->topology.face_count == 0) grow_trees(w);
    }
    const double spent = cpu_seconds() - start;
    start_sampling(0);
    uint64_t all = 0;
    for (int k = 0; k < PHASES; k++) all += samples[k];
    report(w, &counts, w->totals.events[EVENT_FORCE] - forces, all > 0 ? spent / (double)all : 0);
    separation_destroy(other);
    free(given_flight);
    free(kicked);
}

int main(int argc, char **argv)
{
    const bool kicks = argc > 1 && strcmp(argv[1], "--kicks") == 0;
    char **arg = argv + kicks;
    argc -= kicks;
    if (argc < 4) {
        fprintf(stderr, "usage: bench_broad_phase_%dd [--kicks] SCENE FROM TO [KEY=VALUE]...\n", DIM);
        return CAROM_USAGE;
    }
    carom_scene *from = carom_scene_new();
    initial_state state;
    error e = {0};
    void *self = NULL;
    bool good = from != NULL;
    for (int k = 4; good && k < argc; k++) good = carom_scene_set(from, arg[k]) == CAROM_OK;
    good = good && carom_scene_load(from, arg[1]) == CAROM_OK;
    if (!good) return fail(carom_scene_message(from));
    const scene *s = from->checked;
    if (s->dimension != DIM || engine_of(s) != &engine_variational) return fail("another engine or dimension");
    for (int k = 0; k < DIM; k++)
        if (s->box.boundary[k] == BOUNDARY_PERIODIC) return fail("bounds do not support periodic boundaries");
    const engine_kernel *kernel = engine_variational.kernel(s);
    threads_set(1);
    if (state_create(&state, s, &e) != CAROM_OK || kernel->create(&self, s, &state, 0, NULL, &e) != CAROM_OK)
        return fail(error_text(&e));
    compare(self, kernel, kicks, (const char *const[]){arg[2], arg[3]});
    kernel->destroy(self);
    state_free(&state);
    carom_scene_free(from);
    return 0;
}
