/* Detects wrong viscosity and thermal conductivity, from moments whose random walks are known. */
#include "../support/observe.h"
#include "../support/suite.h"

enum { COUNT = 50, HELFAND_NUMBERS = 12 };

static const double dt = 0.5, side = 4, temperature = 1.5;

static carom_frame fluid(int dimension)
{
    carom_frame f = frame_of(dimension, COUNT, side);
    frame_gas(&f, temperature, 3);
    return f;
}

static double temperature_of(const carom_frame *f)
{
    observer o = observer_new("temperature");
    observer_start(&o, f);
    observer_sample(&o, f);
    const measure_result r = observer_result(&o);
    const double t = result_value(&r, "temperature").mean[0];
    observer_free(&o);
    return t;
}

/* Flows are white noise, or live on with a share `memory` from sample to sample. */
static void walk(carom_frame *f, double flow[HELFAND_NUMBERS], double memory, uint64_t n)
{
    const random_key key = {17, RANDOM_GENERAL};
    double normal[2], *moment = &f->tallies.transport.momentum[0][0];
    for (int k = 0; k < HELFAND_NUMBERS; k++) {
        random_normal2(key, (uint64_t)k, n, normal);
        flow[k] = memory * flow[k] + sqrt(1 - memory * memory) * normal[0];
        if (k < 9)
            moment[k] += (k % 4 == 0 ? sqrt(2) : 1) * flow[k];
        else
            f->tallies.transport.heat[k - 9] += flow[k];
    }
    /* as in a fluid, symmetric; of all differences (aa - bb) / 2, and of all ab, the variance is 1 */
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < a; b++) f->tallies.transport.momentum[a][b] = f->tallies.transport.momentum[b][a];
    f->time += dt;
}

/* A walk whose steps remember: its coefficient is p / (2 dt) (1 + m) / (1 - m), for steps of variance 1. */
static void compare(const char *name, int dimension, double memory, int power)
{
    enum { SAMPLES = 20000 };
    carom_frame f = fluid(dimension);
    observer o = observer_new(name);
    observer_set(&o, "lags", 20);
    observer_set(&o, "fit_from", 8 * dt);
    double flow[HELFAND_NUMBERS] = {0}, volume = pow(side, dimension),
           p = 1 / (volume * pow(temperature_of(&f), power));
    observer_start(&o, &f);
    for (uint64_t n = 1; n <= SAMPLES; n++) {
        walk(&f, flow, memory, n);
        observer_sample(&o, &f);
        observer_sample(&o, &f); /* again: nothing new */
    }
    measure_result r = observer_result(&o);
    const double wanted = p / (2 * dt) * (1 + memory) / (1 - memory);
    const measure_value einstein = result_value(&r, name), kubo = result_value(&r, "green_kubo");
    EXPECT_CLOSE(name, einstein.mean[0], wanted, 4 * einstein.error[0]);
    EXPECT_CLOSE("by Green and Kubo", kubo.mean[0], wanted, 4 * kubo.error[0]);
    ck_assert(einstein.converged && einstein.error[0] > 0 && einstein.error[0] < 0.05 * wanted);
    const measure_table t = result_table(&r, name);
    const double *lag = table_column(&t, "lag").data, *product = table_column(&t, "correlation").data;
    const double *integral = table_column(&t, "green_kubo").data, *square = table_column(&t, "einstein").data;
    ck_assert_uint_eq(t.rows, 20);
    for (size_t j = 0; j < t.rows; j++) EXPECT_CLOSE("lag", lag[j], dt * (double)(j + 1), 0);
    EXPECT_CLOSE("correlation at the first lag", product[0], p * memory / (dt * dt), 0.1 * p / (dt * dt));
    /* the running integral is the slope of the mean square: exactly, but for the samples at the ends */
    const double slope = 0.5 * (square[5] * lag[5] - square[3] * lag[3]) / dt;
    EXPECT_CLOSE("slope of the mean square", slope, integral[4], 0.01 * wanted);
    observer_free(&o);
    frame_destroy(&f);
}

START_TEST(walks)
{
    compare("viscosity", 3, 0, 1);
    compare("viscosity", 3, 0.5, 1);
    compare("viscosity", 2, 0.3, 1);
    compare("thermal_conductivity", 3, 0.4, 2);
    compare("thermal_conductivity", 2, 0, 2);
}
END_TEST

START_TEST(refused)
{
    carom_frame f = fluid(3);
    observer o = observer_new("thermal_conductivity");
    f.mass[7] = 2;
    ck_assert(o.type->create(&o.self, o.settings, &f, &o.e) == CAROM_BAD_DATA);
    printf("%s\n", error_text(&o.e));
    memory_free(o.settings);
    error_clear(&o.e);
    observer narrow = observer_new("viscosity");
    observer_set(&narrow, "lags", 10);
    observer_set(&narrow, "fit_from", 5);
    observer_start(&narrow, &f);
    f.time += 0.5;
    ck_assert(narrow.type->sample(narrow.self, &f, &narrow.e) == CAROM_BAD_DATA);
    printf("%s\n", error_text(&narrow.e));
    observer_free(&narrow);
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, walks);
    tcase_add_test(all, refused);
    tcase_set_timeout(all, 60);
    return suite_run("transport coefficients", all);
}
