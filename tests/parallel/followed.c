/* Gives the engine `hard` ranks that follow without any work: part of a carom for tests of the command under mpirun. Rank 0
 * simulates alone, and at each call of its engine all ranks add up the ranks. */
#include "hard/kernel.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static engine_kernel before;
static transport *ranks;
static int steps;

/* CAROM_TEST_SIGNALS=RANK:STEP:SIGNAL,...: signals that ranks send to themselves. */
static void send_signals(void)
{
    const char *at = getenv("CAROM_TEST_SIGNALS");
    int rank, step, number, length;
    for (; at != NULL && sscanf(at, "%d:%d:%d%n", &rank, &step, &number, &length) == 3; at += length) {
        if (rank == transport_rank(ranks) && step == steps) raise(number);
        if (at[length] == ',') at++;
    }
}

/* All ranks take part in each step of rank 0. */
static carom_status join_step(uint64_t *go_on, error *e)
{
    uint64_t sum = (uint64_t)transport_rank(ranks);
    const uint64_t count = (uint64_t)transport_ranks(ranks);
    steps++;
    send_signals();
    carom_status status = transport_broadcast(ranks, go_on, sizeof *go_on, e);
    if (status == CAROM_OK) status = transport_reduce_count(ranks, TRANSPORT_SUM, 1, &sum, e);
    if (status == CAROM_OK && sum != count * (count - 1) / 2)
        return error_set(e, CAROM_INTERNAL, "error: the sum over the ranks is %llu", (unsigned long long)sum);
    return status;
}

static carom_status create(void **self, const scene *s, const initial_state *state, unsigned tallies,
                           const engine_workers *workers, error *e)
{
    if (workers != NULL && workers->transport != NULL) ranks = workers->transport;
    return before.create(self, s, state, tallies, workers, e);
}

static carom_status advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    uint64_t go_on = 1;
    const carom_status status = join_step(&go_on, e);
    return status == CAROM_OK ? before.advance(self, limits, stop, e) : status;
}

/* CAROM_TEST_FAIL=RANK: this rank fails at its hundredth step. */
static carom_status follow(void *self, error *e)
{
    const char *text = getenv("CAROM_TEST_FAIL");
    const int failing = text != NULL ? atoi(text) : -1;
    (void)self;
    for (;;) {
        uint64_t go_on;
        if (steps == 100 && transport_rank(ranks) == failing)
            return error_set(e, CAROM_INTERNAL, "error: out of memory for a test");
        const carom_status status = join_step(&go_on, e);
        if (status != CAROM_OK || go_on == 0) return status;
    }
}

static void destroy(void *self)
{
    uint64_t go_on = 0;
    error ignored = {0};
    if (transport_rank(ranks) == 0 && transport_ranks(ranks) > 1) (void)join_step(&go_on, &ignored);
    error_clear(&ignored);
    before.destroy(self);
}

/* The table of the kernel is constant. */
static void replace(const hard_kernel *kernel)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)kernel / page * page;
    engine_kernel *run = (engine_kernel *)(uintptr_t)&kernel->run;
    if (mprotect((void *)start, (uintptr_t)(kernel + 1) - start, PROT_READ | PROT_WRITE) != 0) abort();
    before = *run;
    run->create = create;
    run->advance = advance;
    run->destroy = destroy;
    run->follow = follow;
}

__attribute__((constructor)) static void replace_kernel(void)
{
    replace(hard_kernel_double(3));
}
