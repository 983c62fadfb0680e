#include "base/team_size.h"

#include <math.h>
#include <time.h>

/* Of a measurement [s]. Shorter: the choice is random where both are about as fast. Longer: more time with the worse one. */
static const double MEASURED = 0.01;

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

static void start(team_size *t, uint64_t work, double now)
{
    t->since = now;
    t->work = work;
}

static void choose_size(team_size *t, double now)
{
    const bool all = t->rate[1] > t->rate[0];
    t->now = all ? t->most : 1;
    t->until = now + fmax(KEPT, KEPT_TIMES * t->time[!all]);
    t->measuring = t->second = false;
}

void team_size_look(team_size *t, uint64_t work, double now)
{
    if (!t->measuring) {
        t->work = work;
        if (now < t->until) return;
        t->measuring = true;
        start(t, work, now);
        return;
    }
    if (now - t->since < MEASURED) return;
    const bool all = t->now > 1;
    t->rate[all] = (double)(work - t->work) / (now - t->since);
    t->time[all] = now - t->since;
    if (t->second) {
        choose_size(t, now);
    } else {
        t->now = other(t);
        t->second = true;
    }
    start(t, work, now);
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
    if (t->most > 1 && t->measuring) t->since += clock_now() - t->paused;
}

void team_size_watch(team_size *t, uint64_t work)
{
    team_size_look(t, work, clock_now());
}
