#include "parallel/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "parallel/pause.h"

/* Waiting in three stages: within some microseconds the other core answers sooner than any call of the system; then
 * other threads get the core; then the thread sleeps, from which it wakes within tens of microseconds. */
static const int64_t SPIN_NS = 5000, YIELD_NS = 100000;

typedef struct worker {
    struct team *team;
    int member;
    pthread_t thread;
} worker;

struct team {
    int members;
    int64_t spin_ns;
    worker *workers; /* [members - 1] */
    int started;
    void (*work)(void *context, int member); /* NULL: the threads end */
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    alignas(64) atomic_uint round; /* number of calls of team_run so far */
    atomic_uint asleep;            /* threads that wait for `begin` */
    alignas(64) atomic_uint left;  /* threads that have not finished the round */
    atomic_uint caller_asleep;
};

/* Whether *word becomes `wanted` while polling is cheaper than sleep. */
static bool becomes_soon(const team *t, const atomic_uint *word, unsigned wanted)
{
    const int64_t began = pause_clock_ns();
    for (;;) {
        for (int k = 0; k < 16; k++) {
            if (atomic_load_explicit(word, memory_order_acquire) == wanted) return true;
            if (t->spin_ns > 0) pause_briefly();
        }
        const int64_t waited = pause_clock_ns() - began;
        if (waited > YIELD_NS) return false;
        if (waited >= t->spin_ns) sched_yield();
    }
}

/* The sleeper announces itself before it looks at the word for the last time, and the other side changes the word
 * before it looks for sleepers: one of the two sees the other. */
static void await(team *t, const atomic_uint *word, unsigned wanted, atomic_uint *asleep, pthread_cond_t *signal)
{
    if (becomes_soon(t, word, wanted)) return;
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(asleep, 1);
    while (atomic_load(word) != wanted) pthread_cond_wait(signal, &t->lock);
    atomic_fetch_sub(asleep, 1);
    pthread_mutex_unlock(&t->lock);
}

static void wake(team *t, const atomic_uint *asleep, pthread_cond_t *signal)
{
    if (atomic_load(asleep) == 0) return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(signal);
    pthread_mutex_unlock(&t->lock);
}

static void *serve(void *of_worker)
{
    const worker *w = of_worker;
    team *t = w->team;
    for (unsigned round = 1;; round++) {
        await(t, &t->round, round, &t->asleep, &t->begin);
        if (t->work == NULL) return NULL;
        t->work(t->context, w->member);
        if (atomic_fetch_sub(&t->left, 1) == 1) wake(t, &t->caller_asleep, &t->end);
    }
}

static void start_round(team *t, void (*work)(void *context, int member), void *context)
{
    t->work = work;
    t->context = context;
    atomic_store_explicit(&t->left, (unsigned)t->started, memory_order_relaxed);
    atomic_fetch_add(&t->round, 1);
    wake(t, &t->asleep, &t->begin);
}

static carom_status start_threads(team *t, error *e)
{
    sigset_t all, before;
    int failure = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (failure == 0 && t->started < t->members - 1) {
        worker *w = &t->workers[t->started];
        *w = (worker){.team = t, .member = t->started + 1};
        failure = pthread_create(&w->thread, NULL, serve, w);
        if (failure == 0) t->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure == 0) return CAROM_OK;
    return error_set(e, CAROM_INTERNAL, "error: thread %d of %d cannot be started (%s); use fewer threads",
                     t->started + 2, t->members, strerror(failure));
}

carom_status team_create(team **out, int members, error *e)
{
    team *t = NEW_ARRAY(1, team);
    *out = NULL;
    if (t == NULL) return error_memory(e, "a team of threads", sizeof *t);
    t->members = members;
    t->spin_ns = members <= pause_cores() ? SPIN_NS : 0;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->begin, NULL);
    pthread_cond_init(&t->end, NULL);
    t->workers = NEW_ARRAY((size_t)members - 1, worker);
    const carom_status status = t->workers != NULL
                                    ? start_threads(t, e)
                                    : error_memory(e, "a team of threads", (size_t)members * sizeof(worker));
    if (status == CAROM_OK)
        *out = t;
    else
        team_destroy(t);
    return status;
}

int team_members(const team *t)
{
    return t->members;
}

void team_run(team *t, void (*work)(void *context, int member), void *context)
{
    if (t->started > 0) start_round(t, work, context);
    work(context, 0);
    if (t->started > 0) await(t, &t->left, 0, &t->caller_asleep, &t->end);
}

void team_destroy(team *t)
{
    if (t == NULL) return;
    if (t->started > 0) start_round(t, NULL, NULL);
    for (int k = 0; k < t->started; k++) pthread_join(t->workers[k].thread, NULL);
    pthread_cond_destroy(&t->begin);
    pthread_cond_destroy(&t->end);
    pthread_mutex_destroy(&t->lock);
    memory_free(t->workers);
    memory_free(t);
}

double team_cpu(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}
