/* Detects wrong thermostats: other bits on the fast and the reference path, no equilibrium of mixtures and rough
 * spheres, kicks that are no Poisson process, a wrong steady state of granular gases. */
#include "../support/expect.h"
#include "../support/random_scene.h"
#include "../support/suite.h"

static play_text text;

static void begin(const char *body)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\n%s", body);
}

static uint64_t run_hash(const char *set, uint64_t *kicks)
{
    play p = play_try(text.text, set, NULL);
    uint64_t hash = 0;
    if (p.created == CAROM_OK) {
        (void)carom_sim_run(p.sim);
        hash = play_hash(&p);
        *kicks = carom_sim_frame(p.sim)->events[EVENT_FORCE];
    }
    play_close(&p);
    return hash;
}

/* ---- paths ----------------------------------------------------------------------------------------------------- */

enum { EACH = 12 };

/* A random scene with a bath; in `thermostat`, what was added. */
static random_scene bath_scene(uint64_t seed)
{
    random_scene s = random_scene_write(&text, seed, 1500);
    dice d = {seed * 31337};
    static const double rates[] = {0.01, 0.3, 5};
    play_text with = {.length = 0};
    const char *at = strstr(text.text, "hard:\n") + strlen("hard:\n");
    play_add(&with, "%.*s  thermostat: {temperature: %g, rate: %g}\n%s", (int)(at - text.text), text.text,
             dice_real(&d, 0.3, 2), rates[dice_below(&d, 3)], at);
    text = with;
    return s;
}

START_TEST(paths)
{
    for (uint64_t seed = (uint64_t)_i * EACH; seed < (uint64_t)(_i + 1) * EACH; seed++) {
        random_scene s = random_scene_write(&text, seed + 3000, 1500);
        if (strcmp(s.policy, "sleep") == 0) continue;
        bath_scene(seed + 3000);
        uint64_t kicks = 0, same = 0;
        const uint64_t fast = run_hash(NULL, &kicks), slow = run_hash("hard.reference=true", &same);
        printf("%llu: %dd, %u particles, %s, %s: %016llx, %llu kicks\n", (unsigned long long)seed, s.dimension, s.count,
               s.policy, s.precision, (unsigned long long)fast, (unsigned long long)kicks);
        if (fast != slow || kicks != same)
            ck_abort_msg("seed %llu: fast and reference differ\n%s", (unsigned long long)seed, text.text);
    }
}
END_TEST

/* Many bodies, sorted anew with each origin of time: the same in one slice and with halts, cells and lists. */
START_TEST(many)
{
    static const double packings[] = {0.05, 0.4};
    uint64_t hash[2];
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\nseed: 5\nbox: {packing_fraction: %g}\nspecies: {a: {diameter: 1}}\n"
             "particles: [{species: a, count: 2100, place: compress, velocity: {maxwell: 1}}]\n"
             "contacts: [{between: [a, a], restitution: 0.9}]\nhard: {thermostat: {temperature: 1, rate: 2}}\n"
             "run: {until: {events: 80000}}\n",
             packings[_i]);
    for (int halts = 0; halts < 2; halts++) {
        play p = play_open(text.text, NULL);
        for (int k = 1; halts > 0 && k < 20; k++) play_advance(&p, 0.1 * k);
        play_run(&p, CAROM_STOP_EVENTS);
        hash[halts] = play_hash(&p);
        ck_assert_uint_ge(carom_sim_frame(p.sim)->events[EVENT_REBASE], 2);
        play_close(&p);
    }
    ck_assert_uint_eq(hash[0], hash[1]);
}
END_TEST

/* ---- equilibrium ------------------------------------------------------------------------------------------------ */

/* Light and heavy, started cold, in gravity and a drift: all come to the temperature of the bath, at rest. */
START_TEST(mixture)
{
    begin("seed: 7\nbox: {packing_fraction: 0.1, boundary: periodic}\nfields: {gravity: [0, 0, -0.2]}\n"
          "species: {light: {diameter: 1, mass: 0.2}, heavy: {diameter: 1, mass: 5}}\n"
          "particles: [{species: {light: 1, heavy: 1}, count: 2000, place: random, velocity: {uniform: [1, 1.5]}}]\n"
          "hard: {thermostat: {temperature: 2, rate: 4}}\nrun: {until: {time: 100}}\n");
    play p = play_open(text.text, NULL);
    double energy[2] = {0}, drift[2] = {0}, number[2] = {0};
    for (int k = 0; k < 60; k++) {
        play_advance(&p, 4 + 0.5 * k);
        const carom_frame *f = carom_sim_frame(p.sim);
        for (size_t i = 0; i < f->count; i++) {
            const double *v = f->velocity + 3 * i;
            energy[f->species[i]] += f->mass[i] * (v[0] * v[0] + v[1] * v[1]) / 2;
            drift[f->species[i]] += v[2];
            number[f->species[i]]++;
        }
    }
    /* Of 1000 and 60 looks, two energies each, that remember exp(-2) of the look before: errors of 0.0094; of the
     * momentum's velocity 0.0029. */
    EXPECT_CLOSE("temperature of the light", energy[0] / number[0], 2, 3 * 0.0094);
    EXPECT_CLOSE("temperature of the heavy", energy[1] / number[1], 2, 3 * 0.0094);
    EXPECT_CLOSE("they fall as fast as the bath lets them, -g / rate",
                 (0.2 * drift[0] + 5 * drift[1]) / 5.2 / number[0], -0.05, 3 * 0.0029);
    play_close(&p);
}
END_TEST

/* Kicks draw numbers of their own: none that the one before has used for the spin. */
START_TEST(fresh_numbers)
{
    enum { COUNT = 100 };
    double w[COUNT][3] = {{0}}, v[COUNT][3] = {{0}}, inertia = 0.4 * 3 * 0.25e-12;
    uint64_t kicks = 0, again = 0;
    begin("seed: 7\nbox: {size: 10}\nspecies: {a: {diameter: 1e-6, mass: 3}}\n"
          "particles: [{species: a, count: 100, place: random, velocity: {maxwell: 2}}]\n"
          "contacts: [{between: [a, a], tangential: 0.5}]\n"
          "hard: {thermostat: {temperature: 2, rate: 1}}\nrun: {until: {time: 20}}\n");
    play p = play_open(text.text, NULL);
    for (int look = 0; look <= 400; look++) {
        play_advance(&p, 0.05 * look);
        const carom_frame *f = carom_sim_frame(p.sim);
        for (size_t i = 0; i < COUNT; i++) {
            kicks += f->velocity[3 * i] != v[i][0];
            for (size_t k = 0; k < 9; k++)
                again += f->velocity[3 * i] != v[i][0] &&
                         fabs(fabs(f->velocity[3 * i + k / 3] * sqrt(3) / (w[i][k % 3] * sqrt(inertia))) - 1) < 1e-9;
            memcpy(v[i], f->velocity + 3 * i, sizeof v[i]);
            memcpy(w[i], f->spin + 3 * i, sizeof w[i]);
        }
    }
    ck_assert_uint_gt(kicks, 1000);
    ck_assert_uint_eq(again, 0);
    play_close(&p);
}
END_TEST

/* Kicks of a particle in a time are Poisson's: mean and variance. */
START_TEST(poisson)
{
    enum { COUNT = 4000 };
    begin("seed: 11\ndimension: 2\nbox: {packing_fraction: 0.01}\nspecies: {a: {diameter: 1}}\n"
          "particles: [{species: a, count: 4000, place: random, velocity: {maxwell: 1}}]\n"
          "hard: {thermostat: {temperature: 1, rate: 0.7}}\nrun: {until: {time: 1000}}\n");
    play p = play_open(text.text, NULL);
    double before = 0, mean = 0, square = 0;
    enum { STEPS = 100 };
    for (int k = 1; k <= STEPS; k++) {
        play_advance(&p, 0.1 * k);
        const double kicks = (double)carom_sim_frame(p.sim)->events[EVENT_FORCE] - before;
        before += kicks;
        mean += kicks / STEPS;
        square += kicks * kicks / STEPS;
    }
    const double wanted = 0.7 * 0.1 * COUNT;
    EXPECT_CLOSE("kicks of all in a time", mean, wanted, 3 * sqrt(wanted / STEPS));
    EXPECT_CLOSE("their variance, over the mean", (square - mean * mean) / wanted, 1, 3 * sqrt(2.0 / STEPS));
    play_close(&p);
}
END_TEST

/* A gas that has cooled so far that its velocities are rescaled, and the times of its kicks with them. */
START_TEST(poisson_when_cold)
{
    begin("seed: 1\ndimension: 3\nbox: {size: 5}\nspecies: {a: {diameter: 1}}\n"
          "contacts: [{between: [a, a], restitution: 0.8}]\n"
          "particles: [{species: a, count: 40, place: random, velocity: {maxwell: 1}, zero_momentum: true}]\n"
          "hard: {thermostat: {temperature: 1e-22, rate: 1e-12}}\nrun: {until: {time: 1e13}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double wanted = 1e-12 * 1e13 * 40;
    printf("velocities times 2^%lld\n", (long long)f->scale);
    ck_assert_int_gt(f->scale, 30);
    EXPECT_CLOSE("kicks", (double)f->events[EVENT_FORCE], wanted, 3 * sqrt(wanted));
    play_close(&p);
}
END_TEST

START_TEST(spins)
{
    begin("seed: 13\nbox: {packing_fraction: 0.05}\nspecies: {a: {diameter: 1, inertia: 0.4}}\n"
          "particles: [{species: a, count: 2000, place: random, velocity: {maxwell: 1}}]\n"
          "contacts: [{between: [a, a], restitution: 1, tangential: 1}]\n"
          "hard: {thermostat: {temperature: 0.5, rate: 1}}\nrun: {until: {time: 30}}\n"
          "observe: [{what: temperature, every: 0.25, start: 5}, {what: rotational_temperature, every: 0.25, start: "
          "5}]\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    json_t *o = play_summary(&p);
    EXPECT_CLOSE("temperature of motion", play_number(o, "observables.temperature.mean"), 0.5, 0.007);
    EXPECT_CLOSE("temperature of spins", play_number(o, "observables.rotational_temperature.mean"), 0.5, 0.007);
    const double budget = play_number(o, "energy.total") + play_number(o, "energy.dissipated") -
                          play_number(o, "energy.supplied") - play_number(o, "energy.initial");
    EXPECT_CLOSE("energy less what was supplied", budget, 0, 3e-13 * play_number(o, "energy.initial"));
    json_decref(o);
    play_close(&p);
}
END_TEST

/* ---- a driven granular gas -------------------------------------------------------------------------------------- */

typedef struct driven {
    int dimension;
    double packing, e, rate;
} driven;

/* Collisions of a particle per unit time at unit temperature, by Enskog (Carnahan and Starling; Henderson). */
static double enskog_rate(const driven *c)
{
    const double phi = c->packing, pi = 3.14159265358979324;
    if (c->dimension == 2) return 2 * sqrt(pi) * (phi * 4 / pi) * (1 - 7 * phi / 16) / ((1 - phi) * (1 - phi));
    return 4 * sqrt(pi) * (phi * 6 / pi) * (1 - phi / 2) / pow(1 - phi, 3);
}

/* What a collision of Maxwellian velocities costs is (1 - e^2) T, what a kick brings is D (T_bath - T) / 2. */
static double steady_temperature(const driven *c)
{
    const double cost = (1 - c->e * c->e) * enskog_rate(c) / (c->dimension * c->rate);
    double low = 0, high = 1;
    while (high - low > 1e-12) {
        const double t = (low + high) / 2;
        if (1 - t > cost * pow(t, 1.5))
            low = t;
        else
            high = t;
    }
    return low;
}

START_TEST(steady)
{
    static const driven cases[] = {{3, 0.02, 0.9, 0.2}, {3, 0.1, 0.8, 1}, {2, 0.05, 0.9, 0.2}, {2, 0.2, 0.7, 2}};
    const driven *c = &cases[_i];
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: hard\ndimension: %d\nseed: 3\nbox: {packing_fraction: %g}\nspecies: {a: {diameter: 1}}\n"
        "particles: [{species: a, count: 3000, place: random, velocity: {maxwell: 0.8}}]\n"
        "contacts: [{between: [a, a], restitution: %g}]\nhard: {thermostat: {temperature: 1, rate: %g}}\n"
        "run: {until: {time: %g}}\nobserve:\n  - {what: temperature, every: %g, start: %g}\n"
        "  - {what: power, every: %g, start: %g}\n",
        c->dimension, c->packing, c->e, c->rate, 45 / c->rate, 0.25 / c->rate, 5 / c->rate, 0.25 / c->rate,
        5 / c->rate);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    json_t *o = play_summary(&p);
    const double wanted = steady_temperature(c);
    const double in = play_number(o, "observables.power.mean"),
                 out = play_number(o, "observables.power.dissipated.mean");
    printf("%dd, packing fraction %g, e = %g, rate %g\n", c->dimension, c->packing, c->e, c->rate);
    /* 3000 particles over 40 / rate, in which the energy is forgotten 20 times: 2 rate is the least it relaxes by */
    EXPECT_CLOSE("temperature, bath's 1", play_number(o, "observables.temperature.mean"), wanted,
                 3 * sqrt(2.0 / (c->dimension * 3000 * 20)) * wanted);
    EXPECT_CLOSE("energy dissipated over supplied", out / in, 1, 0.01);
    json_decref(o);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case();
    tcase_add_loop_test(all, paths, 0, 1);
    tcase_add_loop_test(more, paths, 1, 2);
    tcase_add_loop_test(all, paths, 2, 6);
    suite_split_loop(all, more, many, 1, 2);
    tcase_add_test(all, mixture);
    tcase_add_test(all, fresh_numbers);
    tcase_add_test(all, poisson);
    tcase_add_test(all, poisson_when_cold);
    tcase_add_test(all, spins);
    tcase_add_loop_test(all, steady, 0, 4);
    tcase_set_timeout(all, 300);
    return suite_run("bath", all, more);
}
