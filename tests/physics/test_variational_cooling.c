/* Detects restitution rules that return too much energy at some stage of cooling, or to pairs at rest: disks lose
 * energy in the order of their coefficients, early and in a heap (the paper's Fig. 5, small). */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

enum { FACTORS = 5, TIMES = 3, STARTS = 6 };
static const double factors[FACTORS] = {1, 0.8, 0.5, 0.2, 0}, times[TIMES] = {0.1, 0.3, 1};

/* Kinetic and potential energy over that of the start. */
static void cool(double factor, bool paper, int seed, double left[TIMES])
{
    static play_text text;
    const double e = paper ? factor : sqrt(factor);
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\ndimension: 2\nseed: %d\nbox: {size: [3, 3], boundary: wall}\n"
             "species: {disk: {radius: 0.05, mass: 1}}\n"
             "particles: [{species: disk, count: 120, place: random, velocity: {uniform: [-7, 7]}}]\n"
             "contacts: [{between: [disk, disk], restitution: %.17g}, {between: [disk, wall], restitution: %.17g}]\n"
             "fields: {gravity: [0, -9.81]}\nvariational: {eta: 0.01, restitution_rule: %s}\n"
             "run: {until: {time: 10}}\n",
             seed, e, e, paper ? "paper" : "kinematic");
    play p = play_open(text.text, NULL);
    const frame_energy start = frame_energy_of(carom_sim_frame(p.sim));
    for (int k = 0; k < TIMES; k++) {
        play_advance(&p, times[k]);
        const frame_energy now = frame_energy_of(carom_sim_frame(p.sim));
        left[k] = (now.kinetic + now.potential) / (start.kinetic + start.potential);
    }
    play_close(&p);
}

/* The mean of differences between runs from the same starts, and its standard error. */
static void compare(double (*a)[TIMES], double (*b)[TIMES], int k, double *mean, double *deviation)
{
    double sum = 0, square = 0;
    for (int s = 0; s < STARTS; s++) sum += (a[s][k] - b[s][k]) / STARTS;
    for (int s = 0; s < STARTS; s++) square += pow(a[s][k] - b[s][k] - sum, 2) / (STARTS - 1);
    *mean = sum;
    *deviation = sqrt(square / STARTS);
}

START_TEST(energy_falls_in_the_order_of_restitution)
{
    static double left[FACTORS][STARTS][TIMES];
    double mean, deviation;
    for (int f = 0; f < FACTORS; f++)
        for (int s = 0; s < STARTS; s++) cool(factors[f], _i == 1, s + 1, left[f][s]);
    for (int k = 0; k < TIMES; k++)
        for (int f = 1; f < FACTORS; f++) {
            compare(left[f - 1], left[f], k, &mean, &deviation);
            printf("time %g: factor %g less %g: %+.4f +- %.4f\n", times[k], factors[f - 1], factors[f], mean,
                   deviation);
            /* the last two are alike at 1 s: all lie in a heap, of the same height */
            const bool alike = factors[f] == 0 && times[k] >= 1;
            ck_assert_double_gt(mean, alike ? -3 * deviation : 0);
            if (alike) ck_assert_double_lt(mean, 3 * deviation);
        }
}
END_TEST

/* Two disks of mass 1 that meet with a speed of 1 each: kinetic energy and what their layers hold, at a time. */
static void meet(double restitution, double time, double *kinetic, double *held)
{
    static play_text text;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\ndimension: 2\nbox: {size: [10, 10], boundary: open}\n"
             "species: {disk: {radius: 0.5, mass: 1}}\n"
             "particles: [{species: disk, place: {at: [[3, 5], [5, 5]]}, velocity: {each: [[1, 0], [-1, 0]]}}]\n"
             "contacts: [{between: [disk, disk], restitution: %.17g}]\nvariational: {eta: 0.05}\n"
             "run: {until: {time: 10}}\n",
             restitution);
    play p = play_open(text.text, NULL);
    play_advance(&p, time);
    *kinetic = frame_energy_of(carom_sim_frame(p.sim)).kinetic;
    *held = carom_sim_frame(p.sim)->tallies.ledger.contact;
    play_close(&p);
}

/* An impact with e = 0 leaves some energy in the layers, which never moves the pair again; with e > 0 none is left there. */
START_TEST(a_stopped_pair_holds_the_energy_of_its_impact)
{
    const double late[] = {0.6, 1, 9};
    double kinetic, held, first;
    meet(0, 0.55, &kinetic, &first);
    ck_assert(first > 0.05 && first < 0.5);
    for (int k = 0; k < 3; k++) {
        meet(0, late[k], &kinetic, &held);
        EXPECT_CLOSE("e = 0: kinetic", kinetic, 0, 1e-30);
        EXPECT_CLOSE("e = 0: held by the layers, as at first", held, first, 0);
    }
    meet(0.2, 1, &kinetic, &held);
    EXPECT_CLOSE("e = 0.2: kinetic", kinetic, 0.04, 1e-15);
    EXPECT_CLOSE("e = 0.2: held by the layers", held, 0, 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("variational_cooling"), *more = suite_ci_case();
    tcase_add_test(cases, a_stopped_pair_holds_the_energy_of_its_impact);
    suite_split_loop(cases, more, energy_falls_in_the_order_of_restitution, 1, 2);
    return suite_run("variational_cooling", cases, more);
}
