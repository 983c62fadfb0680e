/* Detects wrong radial and velocity distributions, against lattices, ideal gases and direct counts. */
#include "../support/observe.h"
#include "../support/suite.h"
#include "measure/pairs.h"

static carom_frame fcc(size_t cells)
{
    static const double base[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    const double a = sqrt(2.0);
    carom_frame f = frame_of(3, 4 * cells * cells * cells, (double)cells * a);
    for (size_t i = 0; i < f.count; i++) {
        size_t cell = i / 4, corner[3] = {cell % cells, cell / cells % cells, cell / cells / cells};
        for (size_t k = 0; k < 3; k++) f.position[3 * i + k] = a * ((double)corner[k] + base[i % 4][k]);
    }
    return f;
}

/* Shells of fcc at the roots of 1, 2, 3, ... nearest distances; bins chosen so that none is on an edge. */
START_TEST(an_fcc_lattice_has_its_shells)
{
    static const double shell[] = {12, 6, 24, 12, 24, 8};
    const size_t sizes[] = {4, 9}; /* all pairs at once; a grid of cells */
    for (size_t s = 0; s < 2; s++) {
        carom_frame f = fcc(sizes[s]);
        observer o = observer_new("radial_distribution");
        observer_set(&o, "bins", 37);
        observer_set(&o, "range", 2.6);
        observer_start(&o, &f);
        observer_sample(&o, &f);
        measure_result r = observer_result(&o);
        measure_table t = r.tables[0];
        const double *x = table_column(&t, "r").data, *g = table_column(&t, "g").data;
        const double *n = table_column(&t, "neighbours").data;
        double found[37] = {0}, all = (double)f.count, volume = f.box[0] * f.box[1] * f.box[2];
        for (size_t k = 0; k < 6; k++) found[(size_t)(sqrt((double)(k + 1)) * 37 / 2.6)] += shell[k];
        double running = 0.0;
        for (size_t b = 0; b < 37; b++) {
            double inner = (double)b * 2.6 / 37, outer = ((double)b + 1) * 2.6 / 37;
            double space = 4.0 / 3.0 * acos(-1.0) * (outer * outer * outer - inner * inner * inner);
            running += found[b];
            EXPECT_CLOSE("r", x[b], 0.5 * (inner + outer), 1.5e-15);
            EXPECT_CLOSE("g", g[b], found[b] / ((all - 1.0) / volume * space), 1e-10 * (1.0 + g[b]));
            EXPECT_CLOSE("neighbours", n[b], running, 1e-10);
        }
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* Every pair by hand. */
static void count_plainly(const carom_frame *f, double range, size_t bins, uint64_t *count)
{
    size_t d = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = 0; j < i; j++) {
            double square = 0.0;
            for (size_t a = 0; a < d; a++) {
                double way = f->position[i * d + a] - f->position[j * d + a];
                if (f->boundary[a] == BOUNDARY_PERIODIC) way -= f->box[a] * rint(way / f->box[a]);
                square += way * way;
            }
            if (sqrt(square) < range) count[(size_t)(sqrt(square) / range * (double)bins)]++;
        }
}

START_TEST(the_grid_finds_every_pair_once)
{
    static const double boxes[][3] = {{10, 10, 10}, {30, 4, 4}, {2.1, 25, 9}, {40, 1.3, 7}, {5, 5, 5}};
    static const double ranges[] = {1.0, 2.0, 1.0, 0.6, 2.5};
    enum { BINS = 60, COUNT = 1500 };
    for (int trial = 0; trial < 20; trial++) {
        int dimension = trial < 10 ? 3 : 2;
        carom_frame f = frame_of(dimension, COUNT, 1.0);
        for (int a = 0; a < dimension; a++) {
            f.box[a] = boxes[trial % 5][a];
            f.boundary[a] = trial % 10 >= 5 && a == trial % 3 ? BOUNDARY_WALL : BOUNDARY_PERIODIC;
        }
        frame_gas(&f, 1.0, (uint64_t)trial);
        pairs p;
        error e = {0};
        uint64_t plain[BINS] = {0};
        ck_assert(pairs_create(&p, ranges[trial % 5], BINS, &e) == CAROM_OK);
        ck_assert(pairs_count(&p, &f, &e) == CAROM_OK);
        count_plainly(&f, ranges[trial % 5], BINS, plain);
        uint64_t total = 0, off = 0;
        for (size_t b = 0; b < BINS; b++) {
            total += plain[b];
            off += plain[b] > p.count[b] ? plain[b] - p.count[b] : p.count[b] - plain[b];
        }
        printf("trial %d: %llu pairs, %llu off\n", trial, (unsigned long long)total, (unsigned long long)off);
        ck_assert_uint_gt(total, 1000);
        ck_assert_uint_le(off, 2); /* rounding at an edge */
        pairs_destroy(&p);
        frame_destroy(&f);
    }
}
END_TEST

/* Points uniform over what centres can reach have g = 1 in every box. */
START_TEST(an_ideal_gas_has_g_one)
{
    enum { COUNT = 3000, SAMPLES = 30, BINS = 10 };
    for (int walls = 0; walls < 8; walls++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            if (dimension == 2 && walls >= 4) continue;
            carom_frame f = frame_of(dimension, COUNT, 8.0);
            f.box[1] = 5.0;
            observer o = observer_new("radial_distribution");
            observer_set(&o, "bins", BINS);
            observer_set(&o, "range", 2.5);
            for (int a = 0; a < dimension; a++) f.boundary[a] = walls >> a & 1 ? BOUNDARY_WALL : BOUNDARY_PERIODIC;
            observer_start(&o, &f);
            for (int n = 0; n < SAMPLES; n++) {
                frame_gas(&f, 1.0, (uint64_t)(100 * walls + n));
                for (size_t k = 0; k < COUNT * (size_t)dimension; k++) {
                    int a = (int)(k % (size_t)dimension);
                    if (f.boundary[a] == BOUNDARY_WALL) f.position[k] = 0.5 + f.position[k] * (1.0 - 1.0 / f.box[a]);
                }
                observer_sample(&o, &f);
            }
            measure_result r = observer_result(&o);
            for (size_t b = 0; b < BINS; b++) {
                double found = table_column(&r.tables[0], "error").data[b];
                EXPECT_CLOSE("g", table_column(&r.tables[0], "g").data[b], 1.0, 5.0 * found);
                ck_assert_double_lt(found, b == 0 ? 0.03 : 0.01);
            }
            observer_free(&o);
            frame_destroy(&f);
        }
}
END_TEST

START_TEST(the_range_has_to_fit_the_box)
{
    carom_frame f = frame_of(3, 100, 4.0);
    observer o = observer_new("radial_distribution");
    observer_set(&o, "range", 2.1);
    ck_assert(o.type->create(&o.self, o.settings, &f, &o.e) == CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&o.e),
                     "error: radial_distribution: range 2.1 is not within (0, 2], half of the shortest "
                     "periodic side and as far as centres reach between walls; give a smaller 'range'");
    f.boundary[0] = BOUNDARY_OPEN;
    observer_set(&o, "range", 1.0);
    ck_assert(o.type->create(&o.self, o.settings, &f, &o.e) == CAROM_BAD_DATA);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(the_default_range_bounds_the_work)
{
    carom_frame f = frame_of(3, 20000, 30.0);
    frame_gas(&f, 1.0, 1);
    observer o = observer_new("radial_distribution");
    observer_start(&o, &f);
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    const double *n = table_column(&r.tables[0], "neighbours").data;
    EXPECT_CLOSE("neighbours in range", n[r.tables[0].rows - 1], 500.0, 2.0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(a_million_particles_are_affordable)
{
    enum { COUNT = 1000000 };
    carom_frame f = frame_of(3, COUNT, 100.0);
    frame_gas(&f, 1.0, 1);
    observer o = observer_new("radial_distribution");
    observer_set(&o, "range", 1.5);
    observer_start(&o, &f);
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    const double *n = table_column(&r.tables[0], "neighbours").data;
    double wanted = 4.0 / 3.0 * acos(-1.0) * 1.5 * 1.5 * 1.5;
    EXPECT_CLOSE("neighbours in range", n[r.tables[0].rows - 1], wanted, 5.0 * sqrt(2.0 * wanted / COUNT));
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

static double normal_share(double a, double b)
{
    return 0.5 * (erf(b / sqrt(2.0)) - erf(a / sqrt(2.0)));
}

START_TEST(maxwell_velocities_are_normal)
{
    enum { COUNT = 4000, SAMPLES = 50, BINS = 20 };
    carom_frame f = frame_of(3, COUNT, 10.0);
    for (size_t i = 0; i < COUNT; i += 2) f.mass[i] = 7.0;
    observer o = observer_new("velocity_distribution");
    observer_set(&o, "bins", BINS);
    observer_start(&o, &f);
    for (int n = 0; n < SAMPLES; n++) {
        frame_gas(&f, 0.3, (uint64_t)n + 1);
        frame_rescale(&f, n); /* not to be noticed */
        f.time = n;
        observer_sample(&o, &f);
        frame_rescale(&f, -n);
    }
    measure_result r = observer_result(&o);
    measure_value a2 = result_value(&r, "a2");
    printf("a2 error %g\n", a2.error[0]);
    EXPECT_CLOSE("a2", a2.mean[0], 0.0, 4.0 * a2.error[0]);
    ck_assert_double_lt(a2.error[0], 0.004);
    measure_table c = result_table(&r, "components"), v = result_table(&r, "speeds");
    double total = 0.0, all = 0.0;
    for (size_t b = 0; b < BINS; b++) {
        double low = -5.0 + 0.5 * (double)b, share = table_column(&c, "density").data[b] * 0.5;
        EXPECT_CLOSE("component", share, normal_share(low, low + 0.5),
                     5.0 * sqrt(normal_share(low, low + 0.5) / 6e5) + 1e-5);
        total += table_column(&v, "density").data[b] * 0.25;
        all += share;
    }
    EXPECT_CLOSE("all components", all, 1.0, 2.1e-14);
    EXPECT_CLOSE("all speeds", total, 1.0, 3e-5); /* two of 200000 are faster than the last bin: 1e-5 */
    EXPECT_CLOSE("speed of 1.0 ... 1.25", table_column(&v, "density").data[4] * 0.25, 0.133330,
                 4.0 * sqrt(0.1333 / 2e5));
    ck_assert_uint_eq(result_table(&r, "a2").rows, SAMPLES);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* The flow of a sheared box is not of the distribution. */
START_TEST(a_flow_is_taken_off)
{
    enum { COUNT = 50000 };
    const double rate = 2.0, side = 10.0;
    carom_frame f = frame_of(2, COUNT, side);
    frame_gas(&f, 1.5, 4);
    for (size_t i = 0; i < COUNT; i++) f.velocity[2 * i] += rate * (f.position[2 * i + 1] - side / 2);
    f.shear = rate;
    frame_rescale(&f, 3);
    observer o = observer_new("velocity_distribution");
    observer_start(&o, &f);
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("a2", r.values[0].mean[0], 0.0, 3 * sqrt(8.0 / COUNT)); /* more than 50,000 scatter by */
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Few particles: the correction for N is exact for equal masses. */
START_TEST(a2_has_no_bias_for_few_particles)
{
    enum { COUNT = 3, SAMPLES = 160000 };
    carom_frame f = frame_of(2, COUNT, 10.0);
    observer o = observer_new("velocity_distribution");
    observer_start(&o, &f);
    for (uint64_t n = 0; n < SAMPLES; n++) {
        frame_gas(&f, 1.0, n + 1);
        observer_sample(&o, &f);
    }
    measure_result r = observer_result(&o);
    printf("error %g\n", r.values[0].error[0]);
    EXPECT_CLOSE("a2", r.values[0].mean[0], 0.0, 4.0 * r.values[0].error[0]);
    ck_assert_double_lt(r.values[0].error[0], 0.001);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Uniform components in a cube: <x^2> = 1/3, <x^4> = 1/5, so 1 + a2 = 3/5 (3/5 + 6/9) = 0.76. */
START_TEST(uniform_velocities_have_their_cumulant)
{
    enum { COUNT = 100000 };
    carom_frame f = frame_of(3, COUNT, 10.0);
    for (size_t k = 0; k < 3 * COUNT; k++)
        f.velocity[k] = 2.0 * random_uniform((random_key){5, RANDOM_VELOCITY}, k, 0) - 1.0;
    observer o = observer_new("velocity_distribution");
    observer_start(&o, &f);
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("a2", r.values[0].mean[0], -0.24, 3 * 0.00092); /* what 100,000 scatter by */
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("space"), *more = suite_ci_case();
    tcase_set_timeout(all, 0);
    tcase_set_timeout(more, 0);
    tcase_add_test(all, an_fcc_lattice_has_its_shells);
    tcase_add_test(all, the_grid_finds_every_pair_once);
    tcase_add_test(more, an_ideal_gas_has_g_one);
    tcase_add_test(all, the_range_has_to_fit_the_box);
    tcase_add_test(all, the_default_range_bounds_the_work);
    tcase_add_test(more, a_million_particles_are_affordable);
    tcase_add_test(all, maxwell_velocities_are_normal);
    tcase_add_test(all, a_flow_is_taken_off);
    tcase_add_test(all, a2_has_no_bias_for_few_particles);
    tcase_add_test(all, uniform_velocities_have_their_cumulant);
    return suite_run("space", all, more);
}
