/* The number of threads of the next parallel loops: all, or one. Threads that wait for each other at every step are slower than one
 * where other programs use the same cores. The rates of both are measured in turns, and the better one is kept for some time. The bits
 * of results do not depend on the choice. */
#ifndef CAROM_BASE_TEAM_SIZE_H
#define CAROM_BASE_TEAM_SIZE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct team_size {
    int now, most;
    int round;               /* of the measurement, from 1 on; 0: none */
    double since, until;     /* of the present round, or of the choice [s] */
    double paused;           /* beginning of a pause [s] */
    uint64_t work;           /* at `since`, or at the last look */
    double done[2], time[2]; /* in the measurement, with one thread and with all: work, seconds */
} team_size;

void team_size_begin(team_size *t, int most);

/* To be called with the work done up to now, in any unit, and the time [s]. */
void team_size_look(team_size *t, uint64_t work, double now);

/* Time between these calls does not count. */
void team_size_pause(team_size *t);
void team_size_resume(team_size *t);

/* A look at the present time. */
void team_size_watch(team_size *t, uint64_t work);

/* Whether enough work has been done since the last call for another one. */
static inline bool team_size_is_due(const team_size *t, uint64_t work)
{
    enum { BETWEEN_LOOKS = 8192 };
    return t->most > 1 && work - t->work >= BETWEEN_LOOKS;
}

#endif
