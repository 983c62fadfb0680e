/* Cost of a round of a team of threads. */
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

int main(void)
{
    const int most = 4 * pause_cores();
    for (int members = 1; members <= most; members++)
        if (members <= 2 || members % 2 == 0) measure_team(members);
    return 0;
}
