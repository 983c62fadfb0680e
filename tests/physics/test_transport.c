/* Detects wrong transport coefficients: Helfand moments against the positions and velocities that define them, on the
 * fast and the reference path, and values against Enskog's. */
#include "../support/expect.h"
#include "../support/random_scene.h"
#include "../support/suite.h"

static play_text text;

/* sum m v_a r_b, and sum (m v^2 / 2) r_a: their changes are the moments, while none crosses the box's boundary. */
static void moments_of(const carom_frame *f, frame_transport *q)
{
    const int d = f->dimension;
    *q = (frame_transport){0};
    for (size_t i = 0; i < f->count; i++) {
        const double *r = f->position + i * (size_t)d, *v = f->velocity + i * (size_t)d;
        double square = 0;
        for (int k = 0; k < d; k++) square += v[k] * v[k];
        for (int a = 0; a < d; a++) {
            for (int b = 0; b < d; b++) q->momentum[a][b] += f->mass[i] * v[a] * r[b];
            q->heat[a] += 0.5 * f->mass[i] * square * r[a];
        }
    }
}

static void compare_moments(const frame_transport *ours, const frame_transport *start, const frame_transport *now,
                            int d)
{
    for (int a = 0; a < d; a++) {
        for (int b = 0; b < d; b++)
            EXPECT_CLOSE("moment of momentum", ours->momentum[a][b], now->momentum[a][b] - start->momentum[a][b],
                         1e-12);
        EXPECT_CLOSE("moment of energy", ours->heat[a], now->heat[a] - start->heat[a], 1e-11);
    }
}

/* A cluster in the middle of a large box flies apart; masses differ. */
START_TEST(exact)
{
    const int d = _i == 0 ? 2 : 3, side = d == 2 ? 7 : 4;
    dice numbers = {77};
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: %d\nseed: 4\nbox: {size: 100}\n", d);
    play_add(&text, "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.7, mass: 3}}\nparticles:\n");
    for (int s = 0; s < 2; s++) {
        play_add(&text, "  - {species: %s, velocity: {maxwell: 1}, zero_momentum: true, place: {at: [", s ? "b" : "a");
        for (int i = s, n = 0; i < side * side * (d == 3 ? side : 1); i += 2, n++) {
            play_add(&text, "%s[%.6f, %.6f", n > 0 ? ", " : "", 45 + 1.1 * (i % side) + dice_real(&numbers, 0, 0.05),
                     45 + 1.1 * (i / side % side) + dice_real(&numbers, 0, 0.05));
            if (d == 3) play_add(&text, ", %.6f", 45 + 1.1 * (i / side / side));
            play_add(&text, "]");
        }
        play_add(&text, "]}}\n");
    }
    play_add(&text, "run: {until: {time: 5}}\nobserve: [{what: viscosity, every: 1}]\n");
    play p = play_open(text.text, NULL);
    frame_transport start, now;
    moments_of(carom_sim_frame(p.sim), &start);
    for (int k = 1; k <= 5; k++) {
        play_advance(&p, k);
        const carom_frame *f = carom_sim_frame(p.sim);
        moments_of(f, &now);
        compare_moments(&f->tallies.transport, &start, &now, d);
    }
    printf("%llu collisions\n", (unsigned long long)carom_sim_frame(p.sim)->events[EVENT_COLLISION]);
    ck_assert_uint_ge(carom_sim_frame(p.sim)->events[EVENT_COLLISION], 40);
    play_close(&p);
}
END_TEST

static frame_transport run(const char *set, int halts, uint64_t *hash)
{
    play p = play_open(text.text, set);
    for (int k = 1; k < halts; k++) play_advance(&p, 0.37 * k);
    play_run(&p, CAROM_STOP_EVENTS);
    const frame_transport q = carom_sim_frame(p.sim)->tallies.transport;
    *hash = play_hash(&p);
    play_close(&p);
    return q;
}

/* The same bits with and without halts, on the fast and the reference path, over several origins of time; and asking
 * changes nothing. */
START_TEST(paths)
{
    static const char *const gases[] = {
        "dimension: 2\nbox: {packing_fraction: 0.05}\n", "dimension: 2\nbox: {packing_fraction: 0.6}\n",
        "dimension: 3\nbox: {packing_fraction: 0.02}\ncontacts: [{between: [a, a], restitution: 0.97}]\n",
        "dimension: 3\nbox: {packing_fraction: 0.4}\nhard: {precision: long_double}\n"};
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\nseed: 9\n%sspecies: {a: {diameter: {uniform: [0.8, 1.2]}, mass: 1}}\n"
             "particles: [{species: a, count: 100, place: compress, velocity: {uniform: [0, 1]}}]\n"
             "run: {until: {events: 8000}}\nobserve: [{what: viscosity, every: 10}]\n",
             gases[_i]);
    uint64_t hash[4];
    const frame_transport fast = run(NULL, 0, &hash[0]), slow = run("hard.reference=true", 0, &hash[1]);
    const frame_transport halting = run(NULL, 60, &hash[2]);
    (void)run("observe=[]", 0, &hash[3]);
    printf("%g %g, heat %g\n", fast.momentum[0][0], fast.momentum[0][1], fast.heat[0]);
    ck_assert(hash[0] == hash[1] && hash[0] == hash[2] && hash[0] == hash[3]);
    ck_assert(memcmp(&fast, &slow, sizeof fast) == 0 && memcmp(&fast, &halting, sizeof fast) == 0);
    ck_assert(fast.momentum[0][0] != 0);
}
END_TEST

/* Enskog's viscosity and thermal conductivity of hard spheres of unit diameter and mass, with the polynomials of
 * Sonine that Chapman and Cowling give and Carnahan and Starling's contact value. */
static void enskog(double phi, double temperature, double *viscosity, double *conductivity)
{
    const double pi = 3.14159265358979324, g = (1 - phi / 2) / pow(1 - phi, 3), b = 4 * phi;
    *viscosity = 1.01603 * 5 / 16 * sqrt(temperature / pi) * (1 / g + 0.8 * b + 0.7614 * b * b * g);
    *conductivity = 1.02513 * 75 / 64 * sqrt(temperature / pi) * (1 / g + 1.2 * b + 0.7574 * b * b * g);
}

START_TEST(beside_enskog)
{
    const double phi = _i == 0 ? 0.05 : 0.2, every = _i == 0 ? 0.25 : 0.05;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\nseed: 1\nbox: {packing_fraction: %g}\nspecies: {a: {diameter: 1}}\n"
             "particles: [{species: a, count: 256, place: random, velocity: {maxwell: 1}, zero_momentum: true}]\n"
             "run: {until: {time: %g}}\nobserve:\n"
             "  - {what: viscosity, every: %g, start: 10, lags: 60, fit_from: %g}\n"
             "  - {what: thermal_conductivity, every: %g, start: 10, lags: 60, fit_from: %g}\n",
             phi, _i == 0 ? 12000.0 : 2500.0, every, 30 * every, every, 30 * every);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    json_t *o = play_summary(&p);
    double viscosity, conductivity;
    enskog(phi, play_number(o, "observables.viscosity.temperature.mean"), &viscosity, &conductivity);
    static const char *const values[] = {"observables.viscosity.mean", "observables.viscosity.green_kubo.mean",
                                         "observables.thermal_conductivity.mean",
                                         "observables.thermal_conductivity.green_kubo.mean"};
    for (int k = 0; k < 4; k++) {
        const double wanted = k < 2 ? viscosity : conductivity;
        /* three standard errors, 2.3 and 3 %, as printed below; Enskog's theory is 1 % off at most here */
        EXPECT_CLOSE(values[k], play_number(o, values[k]), wanted, 3 * (k < 2 ? 0.023 : 0.03) * wanted);
    }
    printf("errors %g, %g\n", play_number(o, "observables.viscosity.error") / viscosity,
           play_number(o, "observables.thermal_conductivity.error") / conductivity);
    json_decref(o);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case();
    tcase_add_loop_test(all, exact, 0, 2);
    tcase_add_loop_test(all, paths, 0, 4);
    tcase_add_loop_test(more, beside_enskog, 0, 2);
    tcase_set_timeout(all, 300);
    return suite_run("transport", all, more);
}
