/* Costs of rounds of a team of threads; under mpirun, of messages between ranks. */
#include "base/memory.h"
#include "parallel/launch.h"
#include "parallel/pause.h"
#include "parallel/team.h"

#include <stdio.h>
#include <stdlib.h>

static void nothing(void *context, int member)
{
    (void)context, (void)member;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_team(int members)
{
    enum { SAMPLES = 50, ROUNDS = 2000 };
    double ns[SAMPLES];
    error e = {0};
    team *t;
    if (team_create(&t, members, &e) != CAROM_OK) {
        fprintf(stderr, "%s\n", error_text(&e));
        exit(1);
    }
    for (int s = 0; s < SAMPLES; s++) {
        const int64_t began = pause_clock_ns();
        for (int n = 0; n < ROUNDS; n++) team_run(t, nothing, NULL);
        ns[s] = (double)(pause_clock_ns() - began) / ROUNDS;
    }
    qsort(ns, SAMPLES, sizeof *ns, compare);
    printf("team of %3d: %9.0f ns a round (fastest tenth %.0f, slowest %.0f)\n", members, ns[SAMPLES / 2],
           ns[SAMPLES / 10], ns[SAMPLES - 1 - SAMPLES / 10]);
    team_destroy(t);
}

/* ---- ranks ----------------------------------------------------------------------------------------------------------- */

static void swap(transport *t, size_t bytes, const char *data)
{
    parcel in, out = {transport_rank(t) ^ 1, data, bytes};
    error e = {0};
    if (transport_exchange(t, out.rank < transport_ranks(t), &out, &in, &e) != CAROM_OK) exit(1);
}

static void reduce(transport *t, size_t bytes, const char *data)
{
    uint64_t x = (uint64_t)*data + bytes;
    error e = {0};
    if (transport_reduce_count(t, TRANSPORT_MIN, 1, &x, &e) != CAROM_OK) exit(1);
}

static void measure_calls(transport *t, const char *name, void (*call)(transport *, size_t, const char *), size_t bytes)
{
    enum { SAMPLES = 50 };
    double us[SAMPLES];
    const int calls = bytes < 10000 ? 1000 : bytes < 1000000 ? 100 : 10;
    char *data = memory_new(bytes + 1, 1);
    for (int s = 0; s < SAMPLES; s++) {
        const int64_t began = pause_clock_ns();
        for (int n = 0; n < calls; n++) call(t, bytes, data);
        us[s] = 1e-3 * (double)(pause_clock_ns() - began) / calls;
    }
    qsort(us, SAMPLES, sizeof *us, compare);
    if (transport_rank(t) == 0)
        printf("%s of %8zu bytes: %9.2f us (fastest tenth %.2f, slowest %.2f)\n", name, bytes, us[SAMPLES / 2],
               us[SAMPLES / 10], us[SAMPLES - 1 - SAMPLES / 10]);
    memory_free(data);
}

static void measure_ranks(transport *t)
{
    static const size_t sizes[] = {0, 100, 1000, 3900, 10000, 100000, 1000000, 10000000};
    measure_calls(t, "reduction", reduce, 8);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) measure_calls(t, "exchange ", swap, sizes[k]);
}

int main(void)
{
    transport *t;
    error e = {0};
    if (launch_open(&t, &e) != CAROM_OK) {
        fprintf(stderr, "%s\n", error_text(&e));
        return 1;
    }
    if (transport_ranks(t) > 1) {
        measure_ranks(t);
        transport_close(t);
        return 0;
    }
    const int most = 4 * pause_cores();
    for (int members = 1; members <= most; members++)
        if (members <= 2 || members % 2 == 0) measure_team(members);
    return 0;
}
