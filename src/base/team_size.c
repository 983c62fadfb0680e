#include "base/team_size.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Of a round [s], and rounds of a measurement. The numbers take turns as in ABBA, which cancels a linear change of the cost.
 * Fewer or shorter: the choice is random where both are about as fast. Longer: more time with the worse one. */
static const double ROUND = 0.01;
enum { ROUNDS = 8 };

/* A ratio of rates from which on two rounds are enough. Smaller: the choice is random. Larger: more time with the worse one. */
static const double CLEAR = 1.5;

/* A choice is kept for at least this long [s], and for so many times the time spent with the worse number. */
static const double KEPT = 0.2, KEPT_TIMES = 20;

void team_size_begin(team_size *t, int most)
{
    *t = (team_size){.now = most, .most = most};
}

static int other(const team_size *t)
{
    return t->now == 1 ? t->most : 1;
}

static void start(team_size *t, int round, uint64_t work, double now)
{
    t->round = round;
    t->since = now;
    t->work = work;
}

/* Whether both numbers have had the same rounds, and there are enough of them. */
static bool is_over(const team_size *t)
{
    const double one = t->done[0] * t->time[1], all = t->done[1] * t->time[0];
    return t->round % 2 == 0 && (t->round == ROUNDS || one > CLEAR * all || all > CLEAR * one);
}

static void choose_size(team_size *t, double now)
{
    const bool all = t->done[1] * t->time[0] > t->done[0] * t->time[1];
    t->now = all ? t->most : 1;
    t->until = now + fmax(KEPT, KEPT_TIMES * t->time[!all]);
    memset(t->done, 0, sizeof t->done);
    memset(t->time, 0, sizeof t->time);
}

void team_size_look(team_size *t, uint64_t work, double now)
{
    if (t->round == 0) {
        start(t, now < t->until ? 0 : 1, work, now);
        return;
    }
    if (now - t->since < ROUND) return;
    const bool all = t->now > 1;
    t->done[all] += (double)(work - t->work);
    t->time[all] += now - t->since;
    if (is_over(t)) {
        choose_size(t, now);
        start(t, 0, work, now);
        return;
    }
    if (t->round % 2 == 1) t->now = other(t);
    start(t, t->round + 1, work, now);
}

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void team_size_pause(team_size *t)
{
    if (t->most > 1) t->paused = clock_now();
}

void team_size_resume(team_size *t)
{
    if (t->most > 1 && t->round > 0) t->since += clock_now() - t->paused;
}

void team_size_watch(team_size *t, uint64_t work)
{
    team_size_look(t, work, clock_now());
}
