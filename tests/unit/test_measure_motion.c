/* Detects wrong displacements and velocity correlations, against motions that are known exactly. */
#include "../support/observe.h"
#include "../support/suite.h"

/* Moves all particles on by dt and wraps them. */
static void fly(carom_frame *f, double dt)
{
    size_t d = (size_t)f->dimension;
    for (size_t k = 0; k < f->count * d; k++) {
        double x = f->position[k] + f->velocity[k] * dt, side = f->box[k % d], turns = floor(x / side);
        f->position[k] = x - turns * side;
        f->image[k] += (int64_t)turns;
    }
    f->time += dt;
}

START_TEST(ballistic_flight_goes_as_the_square_of_time)
{
    enum { COUNT = 100, SAMPLES = 300 };
    carom_frame f = frame_of(3, COUNT, 4.0);
    observer o = observer_new("msd"), m = observer_new("msd");
    observer_set(&m, "lags", 7);
    frame_gas(&f, 1.0, 2);
    double square = 0.0;
    for (size_t k = 0; k < 3 * COUNT; k++) square += f.velocity[k] * f.velocity[k] / COUNT;
    observer_start(&o, &f);
    observer_start(&m, &f);
    observer_sample(&o, &f); /* the first frame again: nothing new */
    for (int i = 0; i < SAMPLES; i++) {
        fly(&f, 0.25);
        observer_sample(&o, &f);
        observer_sample(&m, &f);
    }
    const size_t rows[] = {13, 18}; /* 1 2 3 4 8 12 16 ... 256; 1 ... 6 7 14 ... 42 49 ... 294 */
    const double last[] = {256.0, 294.0};
    observer *both[] = {&o, &m};
    for (size_t b = 0; b < 2; b++) {
        measure_result r = observer_result(both[b]);
        measure_table t = result_table(&r, "msd");
        const double *lag = table_column(&t, "lag").data, *msd = table_column(&t, "msd").data;
        const double *axes = table_column(&t, "axes").data, *origins = table_column(&t, "origins").data;
        EXPECT_CLOSE("longest lag", lag[t.rows - 1], 0.25 * last[b], 0);
        ck_assert_uint_eq(t.rows, rows[b]);
        for (size_t i = 0; i < t.rows; i++) {
            ck_assert(i == 0 || lag[i] > lag[i - 1]);
            EXPECT_CLOSE("msd / (v t)^2", msd[i] / (square * lag[i] * lag[i]), 1.0, 2e-15);
            EXPECT_CLOSE("axes", axes[3 * i] + axes[3 * i + 1] + axes[3 * i + 2], msd[i], 0);
        }
        ck_assert(origins[0] == SAMPLES);
    }
    observer_free(&o);
    observer_free(&m);
    frame_destroy(&f);
}
END_TEST

/* 20 flights, observed without their drift. */
static void observe_without_drift(carom_frame *f, double dt, observer *msd, observer *vacf)
{
    *msd = observer_new("msd");
    *vacf = observer_new("vacf");
    observer_set(msd, "remove_drift", 1);
    observer_set(vacf, "remove_drift", 1);
    observer_start(msd, f);
    observer_start(vacf, f);
    for (int i = 0; i < 20; i++) {
        fly(f, dt);
        observer_sample(msd, f);
        observer_sample(vacf, f);
    }
}

START_TEST(a_drift_can_be_taken_off)
{
    carom_frame f = frame_of(2, 50, 4.0);
    for (size_t i = 0; i < 50; i++) f.velocity[2 * i] = 3.0;
    observer o, v;
    observe_without_drift(&f, 0.3, &o, &v);
    measure_result r = observer_result(&o);
    for (size_t i = 0; i < r.tables[0].rows; i++)
        EXPECT_CLOSE("msd", table_column(&r.tables[0], "msd").data[i], 0.0, 5e-30);
    r = observer_result(&v);
    EXPECT_CLOSE("vacf", table_column(&r.tables[0], "vacf").data[0], 0.0, 5e-30);
    observer_free(&o);
    observer_free(&v);
    frame_destroy(&f);
}
END_TEST

/* Masses 1 and 3, with velocities 3 and -1 about that of their centre. */
START_TEST(the_drift_is_of_the_centre_of_mass)
{
    carom_frame f = frame_of(2, 2, 4.0);
    f.mass[1] = 3.0;
    f.velocity[0] = 5.0 + 3.0;
    f.velocity[2] = 5.0 - 1.0;
    observer o, v;
    observe_without_drift(&f, 0.25, &o, &v);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("msd", table_column(&r.tables[0], "msd").data[0], 0.5 * (9 + 1) * 0.25 * 0.25, 0);
    r = observer_result(&v);
    EXPECT_CLOSE("vacf", table_column(&r.tables[0], "vacf").data[0], 0.5 * (9 + 1), 0);
    observer_free(&o);
    observer_free(&v);
    frame_destroy(&f);
}
END_TEST

/* Independent normal steps of variance 2 D dt a component. */
START_TEST(brownian_steps_diffuse)
{
    enum { COUNT = 400, SAMPLES = 1000, SEEDS = 20 };
    const double diffusion = 0.7, dt = 0.5;
    double mean = 0.0, error2 = 0.0, chi2 = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        carom_frame f = frame_of(2, COUNT, 5.0);
        observer o = observer_new("msd");
        observer_start(&o, &f);
        for (uint64_t n = 0; n < SAMPLES; n++) {
            for (size_t i = 0; i < COUNT; i++)
                random_normal2((random_key){seed, RANDOM_GENERAL}, i, n, f.velocity + 2 * i);
            for (size_t k = 0; k < 2 * COUNT; k++) f.velocity[k] *= sqrt(2.0 * diffusion / dt);
            fly(&f, dt);
            observer_sample(&o, &f);
        }
        measure_result r = observer_result(&o);
        measure_value found = result_value(&r, "diffusion");
        EXPECT_CLOSE("fit from", result_value(&r, "fit_from").mean[0], SAMPLES * dt / 20.0, 0);
        mean += found.mean[0] / SEEDS;
        error2 += found.error[0] * found.error[0] / SEEDS;
        chi2 += (found.mean[0] - diffusion) * (found.mean[0] - diffusion) / SEEDS;
        observer_free(&o);
        frame_destroy(&f);
    }
    printf("scatter %g, error %g\n", sqrt(chi2), sqrt(error2));
    EXPECT_CLOSE("diffusion", mean, diffusion, 3.0 * sqrt(error2 / SEEDS));
    EXPECT_CLOSE("scatter / error", sqrt(chi2 / error2), 1.0, 2.5 / sqrt(2.0 * SEEDS));
    ck_assert_double_lt(sqrt(error2), 0.05 * diffusion);
}
END_TEST

/* Of flights at speed 1 the displacements squared are 1, 4, 9 at the lags 1, 2, 3. With weights 1, 1/8, 1/27 their line has
 * the slope (3 * 251/216 - 49/36 * 11/6) / (11/6 * 251/216 - (49/36)^2) = 107/30; weighed alike they have 4. */
START_TEST(short_lags_weigh_more)
{
    enum { COUNT = 5 };
    carom_frame f = frame_of(3, COUNT, 4.0);
    observer o = observer_new("msd");
    observer_set(&o, "fit_from", 1.0);
    observer_set(&o, "fit_to", 3.0);
    for (size_t i = 0; i < COUNT; i++) f.velocity[3 * i + i % 3] = i % 2 == 0 ? 1.0 : -1.0;
    observer_start(&o, &f);
    for (int n = 0; n < 10; n++) {
        fly(&f, 1.0);
        observer_sample(&o, &f);
    }
    measure_result r = observer_result(&o);
    const double *lag = table_column(&r.tables[0], "lag").data;
    for (int n = 0; n < 4; n++) EXPECT_CLOSE("lag", lag[n], n + 1, 0);
    EXPECT_CLOSE("diffusion", result_value(&r, "diffusion").mean[0], 107.0 / 30 / 6, 3.4e-16);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(free_particles_keep_their_correlation)
{
    enum { COUNT = 64 };
    carom_frame f = frame_of(3, COUNT, 4.0);
    frame_gas(&f, 2.0, 9);
    double square = 0.0;
    for (size_t k = 0; k < 3 * COUNT; k++) square += f.velocity[k] * f.velocity[k] / COUNT;
    observer o = observer_new("vacf");
    observer_set(&o, "lags", 20);
    observer_set(&o, "origins", 4);
    observer_start(&o, &f);
    for (int i = 0; i < 100; i++) {
        fly(&f, 0.5);
        if (i % 7 == 3) frame_rescale(&f, i % 2 == 0 ? 5 : -3); /* the same motion in other units */
        observer_sample(&o, &f);
        if (f.scale != 0) frame_rescale(&f, -(int)f.scale);
    }
    measure_result r = observer_result(&o);
    measure_table t = r.tables[0];
    ck_assert_uint_eq(t.rows, 21);
    for (size_t i = 0; i < t.rows; i++) {
        EXPECT_CLOSE("lag", table_column(&t, "lag").data[i], 0.5 * (double)i, 0);
        EXPECT_CLOSE("vacf", table_column(&t, "vacf").data[i], square, 2e-15 * square);
        EXPECT_CLOSE("normalised", table_column(&t, "normalised").data[i], 1.0, 1e-15);
        EXPECT_CLOSE("integral", table_column(&t, "diffusion").data[i], square * 0.5 * (double)i / 3.0, 1e-11 * square);
    }
    /* origins every ceil(21 / 4) = 6 samples from 0 on: 0, 6, ..., 96, and 17 of them at lag 0, 14 at lag 20 */
    ck_assert(table_column(&t, "origins").data[0] == 17.0);
    ck_assert(table_column(&t, "origins").data[20] == 14.0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Langevin velocities: v' = phi v + noise have vacf D T phi^n; its trapezoid sum is known in closed form. */
START_TEST(langevin_velocities_give_green_kubo)
{
    enum { COUNT = 2000, SAMPLES = 400, LAGS = 60 };
    const double phi = 0.9, dt = 0.2;
    carom_frame f = frame_of(2, COUNT, 5.0);
    frame_gas(&f, 1.0, 1);
    observer o = observer_new("vacf");
    observer_set(&o, "lags", LAGS);
    observer_start(&o, &f);
    for (uint64_t n = 0; n < SAMPLES; n++) {
        for (size_t i = 0; i < COUNT; i++) {
            double normal[2];
            random_normal2((random_key){3, RANDOM_GENERAL}, i, n, normal);
            for (size_t a = 0; a < 2; a++)
                f.velocity[2 * i + a] = phi * f.velocity[2 * i + a] + sqrt(1.0 - phi * phi) * normal[a];
        }
        f.time += dt;
        observer_sample(&o, &f);
    }
    measure_result r = observer_result(&o);
    const double *vacf = table_column(&r.tables[0], "vacf").data, *error_ = table_column(&r.tables[0], "error").data;
    for (int n = 0; n <= LAGS; n += 10) EXPECT_CLOSE("vacf", vacf[n], 2.0 * pow(phi, n), 5.0 * error_[n]);
    double exact = dt * ((1.0 - pow(phi, LAGS)) / (1.0 - phi) * phi + 0.5 - 0.5 * pow(phi, LAGS));
    measure_value found = result_value(&r, "diffusion");
    printf("error %g\n", found.error[0]);
    EXPECT_CLOSE("diffusion", found.mean[0], exact, 4.0 * found.error[0]);
    ck_assert_double_lt(found.error[0], 0.03 * exact);
    ck_assert(found.converged);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(particles_may_come_in_any_order)
{
    carom_frame f = frame_of(2, 3, 4.0);
    f.velocity[0] = 1.0;
    observer o = observer_new("msd");
    observer_start(&o, &f);
    fly(&f, 1.0);
    const uint32_t order[] = {2, 0, 1};
    carom_frame g = frame_of(2, 3, 4.0);
    for (size_t i = 0; i < 3; i++) {
        g.id[i] = order[i];
        g.position[2 * i] = f.position[2 * order[i]];
    }
    g.time = f.time;
    observer_sample(&o, &g);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("msd", table_column(&r.tables[0], "msd").data[0], 1.0 / 3.0, 1e-15);
    observer_free(&o);
    frame_destroy(&f);
    frame_destroy(&g);
}
END_TEST

START_TEST(unequal_steps_and_new_particles_are_refused)
{
    carom_frame f = frame_of(2, 3, 4.0);
    observer o = observer_new("vacf");
    observer_start(&o, &f);
    f.time = 1.0;
    observer_sample(&o, &f);
    f.time = 2.5;
    ck_assert(o.type->sample(o.self, &f, &o.e) == CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&o.e),
                     "error: vacf needs samples at equal time steps, but a step of 1.5 follows one of "
                     "1; give it `every` in simulated time");
    f.time = 2.0;
    f.id[1] = 3;
    ck_assert(o.type->sample(o.self, &f, &o.e) == CAROM_BAD_DATA);
    f.count = 2;
    f.time = 3.0;
    ck_assert(o.type->sample(o.self, &f, &o.e) == CAROM_BAD_DATA);
    f.count = 3;
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("motion");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, ballistic_flight_goes_as_the_square_of_time);
    tcase_add_test(all, a_drift_can_be_taken_off);
    tcase_add_test(all, the_drift_is_of_the_centre_of_mass);
    tcase_add_test(all, brownian_steps_diffuse);
    tcase_add_test(all, short_lags_weigh_more);
    tcase_add_test(all, free_particles_keep_their_correlation);
    tcase_add_test(all, langevin_velocities_give_green_kubo);
    tcase_add_test(all, particles_may_come_in_any_order);
    tcase_add_test(all, unequal_steps_and_new_particles_are_refused);
    return suite_run("motion", all);
}
