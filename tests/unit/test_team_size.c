/* Detects a choice of the slower number of threads, also where the cost of the work varies, one that is kept when the machine
 * changes, and measurements that take a large part of a run. */
#include "../support/suite.h"

#include "base/team_size.h"

#include <math.h>

typedef struct machine {
    team_size team;
    double now;
    uint64_t work;
    double slow; /* time with the slower number [s] */
} machine;

/* Steps of 8192 units until `end`; seconds of one unit with one thread, and with all. */
static void run_until(machine *m, double end, double one, double all)
{
    while (m->now < end) {
        const double unit = m->team.now == 1 ? one : all;
        m->work += 8192;
        m->now += 8192 * unit;
        if (unit > fmin(one, all)) m->slow += 8192 * unit;
        if (team_size_is_due(&m->team, m->work)) team_size_look(&m->team, m->work, m->now);
    }
}

/* The number of threads after the present measurement. */
static int chosen(machine *m, double one, double all)
{
    while (m->team.round > 0) run_until(m, m->now + 1e-4, one, all);
    return m->team.now;
}

START_TEST(test_faster)
{
    machine m = {.now = 5};
    team_size_begin(&m.team, 4);
    ck_assert_int_eq(m.team.now, 4);
    run_until(&m, 35, 1e-7, 4e-8);
    ck_assert_int_eq(chosen(&m, 1e-7, 4e-8), 4);
    ck_assert_double_lt(m.slow / 30, 0.06);
    run_until(&m, 36, 1e-7, 3e-6); /* other programs begin */
    m.slow = 0;
    run_until(&m, 66, 1e-7, 3e-6);
    ck_assert_int_eq(chosen(&m, 1e-7, 3e-6), 1);
    ck_assert_double_lt(m.slow / 30, 0.06);
    run_until(&m, 70, 1e-7, 4e-8);
    ck_assert_int_eq(chosen(&m, 1e-7, 4e-8), 4);
}
END_TEST

/* A large difference is found by one step with each number. */
START_TEST(test_much_slower)
{
    machine m = {0};
    team_size_begin(&m.team, 2);
    run_until(&m, 0.5, 1e-7, 6e-6);
    ck_assert_int_eq(m.team.now, 1);
    ck_assert_double_lt(m.slow, 2.5 * 8192 * 6e-6);
}
END_TEST

/* A step with all threads that takes much longer than a measurement. */
START_TEST(test_long_steps)
{
    machine m = {0};
    team_size_begin(&m.team, 2);
    run_until(&m, 100, 1e-7, 3e-5);
    ck_assert_int_eq(chosen(&m, 1e-7, 3e-5), 1);
    ck_assert_double_lt(m.slow / 100, 0.12);
}
END_TEST

/* Every third round of the measurement has costly steps, as if lists were renewed; and the cost falls, as that of a growing pile. */
START_TEST(test_varying_cost)
{
    machine m = {0};
    double all = 0;
    team_size_begin(&m.team, 2);
    while (m.now < 60) {
        const double cost = 1e-7 * (1 + 3 * exp(-0.5 * m.now)) * (fmod(m.now, 0.03) < 0.01 ? 1.6 : 1), before = m.now;
        run_until(&m, m.now + 1e-4, cost, 0.8 * cost);
        if (m.team.now == 2) all += m.now - before;
    }
    ck_assert_double_gt(all / 60, 0.9);
}
END_TEST

START_TEST(test_one_thread)
{
    machine m = {0};
    team_size_begin(&m.team, 1);
    run_until(&m, 1, 1e-7, 1e-7);
    ck_assert_int_eq(m.team.now, 1);
    ck_assert(m.team.round == 0 && m.team.work == 0);
}
END_TEST

/* A pause within a measurement has no effect on the rate. */
START_TEST(test_pause)
{
    team_size t;
    team_size_begin(&t, 2);
    t.round = 1;
    t.since = 100;
    team_size_pause(&t);
    t.paused -= 7; /* it has taken seven seconds */
    team_size_resume(&t);
    ck_assert_double_eq_tol(t.since, 107, 1);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("team_size");
    tcase_add_test(cases, test_faster);
    tcase_add_test(cases, test_much_slower);
    tcase_add_test(cases, test_long_steps);
    tcase_add_test(cases, test_varying_cost);
    tcase_add_test(cases, test_one_thread);
    tcase_add_test(cases, test_pause);
    return suite_run("team_size", cases);
}
