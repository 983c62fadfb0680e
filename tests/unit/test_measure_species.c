/* Detects observables of one species that count particles or contacts of another one, with wrong shares or degrees of freedom, and
 * wrong profiles of fabric: against plain searches through all pairs, formulas of single frames, and sums over species. */
#include "../support/observe.h"
#include "../support/suite.h"

#include <float.h>

enum { COUNT = 500, BINS = 7 };

/* Observers of the species 0 and 1, and of all. */
typedef struct trio {
    observer of[3];
} trio;

static trio trio_of(const char *what)
{
    trio t;
    for (uint32_t k = 0; k < 3; k++) {
        t.of[k] = observer_new(what);
        if (k < 2) observer_set_species(&t.of[k], "species", 1, &k);
    }
    return t;
}

static void trio_set(trio *t, const char *name, double value)
{
    for (int k = 0; k < 3; k++) observer_set(&t->of[k], name, value);
}

static void trio_start(trio *t, const carom_frame *f)
{
    for (int k = 0; k < 3; k++) observer_start(&t->of[k], f);
}

static void trio_sample(trio *t, const carom_frame *f)
{
    for (int k = 0; k < 3; k++) observer_sample(&t->of[k], f);
}

static void trio_free(trio *t)
{
    for (int k = 0; k < 3; k++) observer_free(&t->of[k]);
}

static double mean_of(observer *o, const char *name, size_t component)
{
    measure_result r = observer_result(o);
    return result_value(&r, name).mean[component];
}

static double row_of(observer *o, const char *column, size_t row)
{
    measure_result r = observer_result(o);
    return table_column(&r.tables[0], column).data[row];
}

static double table_of(observer *o, const char *table, const char *column, size_t at)
{
    measure_result r = observer_result(o);
    const measure_table t = result_table(&r, table);
    return table_column(&t, column).data[at];
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* A third of species 0, of larger particles; a wall at both ends of y. */
static carom_frame mixture(int dimension, int boundary_y, uint64_t seed)
{
    carom_frame f = frame_of(dimension, COUNT, dimension == 2 ? 20 : 7);
    frame_gas(&f, 1, seed);
    f.boundary[1] = boundary_y;
    for (size_t i = 0; i < COUNT; i++) {
        f.species[i] = i % 3 > 0;
        f.radius[i] = f.species[i] == 0 ? 0.6 : 0.3 + 0.0005 * (double)i;
        if (boundary_y == BOUNDARY_OPEN && i % 9 == 0) f.position[i * (size_t)dimension + 1] -= f.box[1] / 2;
    }
    return f;
}

/* What a plain search finds: of the species 0 and 1, and of all. */
typedef struct found {
    double particles[3], ends[3], few[3], contacts[3], shares[3], sum[3][9];
    double in_bin[3][BINS], sum_in_bin[3][BINS][9];
} found;

static void find_contact(found *to, const carom_frame *f, size_t i, size_t j, const double n[3], double y)
{
    const size_t d = (size_t)f->dimension;
    const bool wall = j == SIZE_MAX;
    double at = floor(y / f->box[1] * BINS);
    if (f->boundary[1] == BOUNDARY_PERIODIC) at -= BINS * floor(at / BINS);
    if (f->boundary[1] == BOUNDARY_WALL) at = fmin(fmax(at, 0), BINS - 1);
    for (uint32_t s = 0; s < 3; s++) {
        const double one = s == 2 || f->species[i] == s, other = s == 2 || f->species[wall ? i : j] == s;
        const double share = (one + other) / 2;
        to->contacts[s] += one > 0 || other > 0;
        to->shares[s] += share;
        for (size_t ab = 0; ab < d * d; ab++) to->sum[s][ab] += share * n[ab / d] * n[ab % d];
        if (!(at >= 0 && at < BINS)) continue;
        to->in_bin[s][(size_t)at] += share;
        for (size_t ab = 0; ab < d * d; ab++) to->sum_in_bin[s][(size_t)at][ab] += share * n[ab / d] * n[ab % d];
    }
}

static void find_all(found *to, const carom_frame *f, double gap, double (*number)[2])
{
    const size_t d = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++) {
        for (size_t j = 0; j < i; j++) {
            double n[3] = {0}, square = 0;
            for (size_t k = 0; k < d; k++) {
                n[k] = f->position[i * d + k] - f->position[j * d + k];
                if (f->boundary[k] == BOUNDARY_PERIODIC) n[k] -= f->box[k] * rint(n[k] / f->box[k]);
                square += n[k] * n[k];
            }
            const double distance = sqrt(square);
            if (distance > f->radius[i] + f->radius[j] + gap) continue;
            for (size_t k = 0; k < d; k++) n[k] /= distance;
            /* the middle of the gap, or of the overlap */
            const double low = f->radius[i], high = distance - f->radius[j];
            find_contact(to, f, i, j, n, f->position[i * d + 1] - 0.5 * (low + high) * n[1]);
            number[i][0]++;
            number[j][0]++;
        }
        for (int end = 0; end < 2 && f->boundary[1] == BOUNDARY_WALL; end++) {
            const double n[3] = {0, end ? -1 : 1, 0}, y = f->position[i * d + 1];
            if ((end ? f->box[1] - y : y) > f->radius[i] + gap) continue;
            find_contact(to, f, i, SIZE_MAX, n, end ? f->box[1] : 0);
            number[i][0]++;
        }
    }
    for (size_t i = 0; i < f->count; i++)
        for (uint32_t s = 0; s < 3; s++) {
            if (s < 2 && f->species[i] != s) continue;
            to->particles[s]++;
            to->ends[s] += number[i][0];
            to->few[s] += number[i][0] < (double)d + 1;
        }
}

static void expect_profile(observer *o, const found *all, uint32_t s, size_t d, double samples)
{
    const double eps = COUNT * DBL_EPSILON;
    for (size_t bin = 0; bin < BINS; bin++) {
        const double contacts = all->in_bin[s][bin];
        EXPECT_CLOSE("contacts in a bin", table_of(o, "profile", "contacts", bin), contacts / samples, eps * contacts);
        for (size_t ab = 0; ab < d * d && contacts > 0; ab++)
            EXPECT_CLOSE("tensor in a bin", table_of(o, "profile", "tensor", bin * d * d + ab),
                         all->sum_in_bin[s][bin][ab] / contacts, eps);
    }
}

/* In boxes with walls, periodic ones, and open ones with particles outside; two frames, so that bins have weights. */
START_TEST(contacts_of_a_species_are_those_of_all_pairs)
{
    static const int boundaries[] = {BOUNDARY_WALL, BOUNDARY_PERIODIC, BOUNDARY_OPEN};
    const double gap = 0.1;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int b = 0; b < 3; b++) {
            const size_t d = (size_t)dimension;
            trio number = trio_of("coordination"), fabric = trio_of("fabric");
            found whole = {.particles = {0}};
            trio_set(&number, "gap", gap), trio_set(&fabric, "gap", gap);
            trio_set(&number, "walls", 1), trio_set(&fabric, "walls", 1);
            trio_set(&fabric, "axis", 2), trio_set(&fabric, "bins", BINS);
            for (size_t n = 0; n < 2; n++) {
                static double numbers[COUNT][2];
                carom_frame f = mixture(dimension, boundaries[b], 3 + n);
                found one = {.particles = {0}};
                memset(numbers, 0, sizeof numbers);
                find_all(&one, &f, gap, numbers);
                find_all(&whole, &f, gap, memset(numbers, 0, sizeof numbers));
                if (n == 0) trio_start(&number, &f), trio_start(&fabric, &f);
                trio_sample(&number, &f), trio_sample(&fabric, &f);
                for (uint32_t s = 0; s < 3; s++) {
                    observer *c = &number.of[s], *t = &fabric.of[s];
                    const double eps = COUNT * DBL_EPSILON;
                    EXPECT_CLOSE("coordination", row_of(c, "coordination", n), one.ends[s] / one.particles[s], 1e-14);
                    EXPECT_CLOSE("rattlers", row_of(c, "rattlers", n), one.few[s] / one.particles[s], 1e-15);
                    EXPECT_CLOSE("contacts", row_of(c, "contacts", n), one.contacts[s], 0);
                    EXPECT_CLOSE("half contacts", row_of(t, "contacts", n), one.shares[s], 0);
                    for (size_t ab = 0; ab < d * d; ab++)
                        EXPECT_CLOSE("tensor", row_of(t, "tensor", n * d * d + ab), one.sum[s][ab] / one.shares[s],
                                     eps);
                }
                ck_assert_double_ge(one.contacts[0] + one.contacts[1] - one.contacts[2], 100); /* of both */
                frame_destroy(&f);
            }
            for (uint32_t s = 0; s < 3; s++) expect_profile(&fabric.of[s], &whole, s, d, 2);
            trio_free(&number);
            trio_free(&fabric);
        }
}
END_TEST

/* The tensor of a bin is the mean over all its contacts; its error is that of their series. */
START_TEST(bins_of_fabric_have_errors)
{
    enum { SAMPLES = 64 };
    carom_frame f = frame_of(2, 2, 10);
    observer o = observer_new("fabric");
    observer_set(&o, "axis", 1);
    observer_set(&o, "bins", 2);
    observer_set(&o, "gap", 1e-6);
    f.position[0] = f.position[2] = 2;
    double sum = 0, series[SAMPLES];
    bool converged;
    for (uint64_t n = 0; n < SAMPLES; n++) {
        const double angle = random_uniform((random_key){1, RANDOM_GENERAL}, n, 0), x = cos(angle) * cos(angle);
        f.position[2] = 2 + cos(angle);
        f.position[3] = sin(angle);
        if (n == 0) observer_start(&o, &f);
        observer_sample(&o, &f);
        sum += x / SAMPLES;
        series[n] = x;
    }
    EXPECT_CLOSE("tensor", table_of(&o, "profile", "tensor", 0), sum, 1e-14);
    EXPECT_CLOSE("error", table_of(&o, "profile", "tensor_error", 0), blocking_error(series, SAMPLES, 1, &converged),
                 1e-14);
    const double xy = table_of(&o, "profile", "tensor", 1);
    EXPECT_CLOSE("anisotropy", table_of(&o, "profile", "anisotropy", 0), hypot(2 * sum - 1, 2 * xy), 1e-14);
    EXPECT_CLOSE("contacts beyond", table_of(&o, "profile", "contacts", 1), 0, 0);
    ck_assert(isnan(table_of(&o, "profile", "tensor", 4)));
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(profiles_need_an_axis)
{
    static const char *const words[] = {"needs its `axis`", "no axis z", "move along x"};
    for (int n = 0; n < 3; n++) {
        carom_frame f = frame_of(2, 2, 10);
        observer o = observer_new("fabric");
        f.shear = n == 2;
        observer_set(&o, "bins", 5);
        observer_set(&o, "axis", n == 0 ? 0 : n == 1 ? 3 : 1);
        ck_assert_int_eq(o.type->create(&o.self, o.settings, &f, &o.e), CAROM_BAD_DATA);
        ck_assert_msg(strstr(error_text(&o.e), words[n]) != NULL, "%s", error_text(&o.e));
        ck_assert_ptr_null(o.self);
        memory_free(o.settings);
        error_clear(&o.e);
        frame_destroy(&f);
    }
}
END_TEST

/* Forces 1 and 2 between particles of species 0, 4 of both, 3 between those of species 1, 7 of species 1 and a wall. */
START_TEST(forces_of_a_species_have_their_distribution)
{
    static const double force[] = {1, 2, 4, 3, 7};
    static const uint32_t end[][2] = {{0, 0}, {0, 0}, {1, 0}, {1, 1}, {1, 1}};
    const double number[] = {2.5, 2.5, 5}, mean[] = {(1 + 2 + 2) / 2.5, (2 + 3 + 7) / 2.5, 17 / 5.0};
    carom_frame f = frame_of(2, 10, 10);
    contact_impulse all[5] = {{.i = 0}};
    for (uint32_t n = 0; n < 5; n++) {
        all[n] = (contact_impulse){.i = 2 * n, .j = n == 4 ? CONTACT_BOUNDARY : 2 * n + 1, .line = {1, 0, 0}};
        all[n].impulse[0] = 2 * force[n];
        memcpy(all[n].species, end[n], sizeof end[n]);
    }
    trio t = trio_of("force_distribution");
    trio_set(&t, "walls", 1), trio_set(&t, "bins", 400), trio_set(&t, "range", 4);
    trio_start(&t, &f);
    const contact_log log = {.at = all, .count = 5, .capacity = 5};
    for (int s = 0; s < 3; s++) OBSERVE_OK(&t.of[s], t.of[s].type->gather(t.of[s].self, &log, &t.of[s].e));
    f.time = 2;
    trio_sample(&t, &f);
    for (uint32_t s = 0; s < 3; s++) {
        double wanted[400] = {0};
        EXPECT_CLOSE("mean", mean_of(&t.of[s], "normal", 0), mean[s], 8 * DBL_EPSILON);
        EXPECT_CLOSE("contacts", row_of(&t.of[s], "contacts", 0), number[s], 0);
        for (int n = 0; n < 5; n++)
            wanted[(size_t)(force[n] / mean[s] * 100)] +=
                (s == 2 ? 1 : 0.5 * (end[n][0] == s) + 0.5 * (end[n][1] == s)) / number[s] * 100;
        for (size_t bin = 0; bin < 400; bin++)
            EXPECT_CLOSE("distribution", table_of(&t.of[s], "distribution", "normal", bin), wanted[bin],
                         200 * DBL_EPSILON);
    }
    trio_free(&t);
    frame_destroy(&f);
}
END_TEST

/* ---- motion ------------------------------------------------------------------------------------------------------ */

/* Of species 0 one forward and two backward, of species 1 three forward and one backward, with masses 1, 2, ..., 8. */
START_TEST(each_species_crosses_a_plane)
{
    static const double forward[8] = {1, -1, -1, 1, 1, 1, -1, 0};
    carom_frame f = frame_of(3, 8, 10);
    trio t = trio_of("mass_flow");
    double number[3] = {0}, mass[3] = {0}, ahead[3] = {0};
    for (int s = 0; s < 3; s++) observer_set_vector(&t.of[s], "point", 5, 0, 0);
    for (int s = 0; s < 3; s++) observer_set_vector(&t.of[s], "normal", 1, 0, 0);
    for (size_t i = 0; i < 8; i++) {
        f.species[i] = i >= 3;
        f.mass[i] = (double)(i + 1);
        f.position[3 * i] = 5 - forward[i];
    }
    trio_start(&t, &f);
    for (size_t i = 0; i < 8; i++) {
        f.position[3 * i] = 5 + forward[i];
        for (uint32_t s = 0; s < 3; s++) {
            if (s < 2 && f.species[i] != s) continue;
            number[s] += forward[i];
            mass[s] += forward[i] * f.mass[i];
            ahead[s] += fmax(forward[i], 0);
        }
    }
    f.position[3 * 7] = 5; /* was there */
    f.time = 4;
    trio_sample(&t, &f);
    for (int s = 0; s < 3; s++) {
        EXPECT_CLOSE("number", row_of(&t.of[s], "number", 0), number[s], 0);
        EXPECT_CLOSE("mass flow", mean_of(&t.of[s], "mass_flow", 0), mass[s] / 4, 0);
        EXPECT_CLOSE("forward", row_of(&t.of[s], "forward_number", 0), ahead[s], 0);
    }
    trio_free(&t);
    frame_destroy(&f);
}
END_TEST

/* Numbers 40 and 60, masses 3 and 1, temperatures 2 and 5; spins at 4 and 7. */
static carom_frame two_temperatures(int d, uint64_t seed)
{
    carom_frame f = frame_of(d, 100, 10);
    frame_gas(&f, 1, seed);
    for (size_t i = 0; i < f.count; i++) {
        const bool second = i >= 40;
        f.species[i] = second;
        f.mass[i] = second ? 1 : 3;
        f.inertia[i] = second ? 0.1 : 0.7;
        for (int k = 0; k < d; k++) f.velocity[i * (size_t)d + (size_t)k] *= sqrt((second ? 5 : 2) / f.mass[i]);
        for (int k = d == 2 ? 2 : 0; k < 3; k++)
            f.spin[3 * i + (size_t)k] = sqrt((second ? 7 : 4) / f.inertia[i]) * sin(0.1 + (double)(3 * i) + k);
    }
    return f;
}

/* Relative to the velocity of all: sums of m c^2, of c^2 over their thermal speeds and its square, by the formulas. */
START_TEST(spins_and_cumulants_are_those_of_the_species)
{
    for (int d = 2; d <= 3; d++) {
        carom_frame f = two_temperatures(d, 8);
        trio spin = trio_of("rotational_temperature"), shape = trio_of("velocity_distribution");
        double centre[3] = {0}, total = 0;
        for (size_t i = 0; i < f.count; i++) {
            total += f.mass[i];
            for (int k = 0; k < d; k++) centre[k] += f.mass[i] * f.velocity[i * (size_t)d + (size_t)k];
        }
        frame_rescale(&f, 6);
        trio_start(&spin, &f), trio_start(&shape, &f);
        trio_sample(&spin, &f), trio_sample(&shape, &f);
        frame_rescale(&f, -6);
        for (uint32_t s = 0; s < 3; s++) {
            double number = 0, mass = 0, turning = 0, moving = 0, second = 0, fourth = 0;
            for (size_t i = 0; i < f.count; i++) {
                double square = 0;
                if (s < 2 && f.species[i] != s) continue;
                for (int k = 0; k < d; k++) square += pow(f.velocity[i * (size_t)d + (size_t)k] - centre[k] / total, 2);
                for (size_t k = 0; k < 3; k++) turning += f.inertia[i] * f.spin[3 * i + k] * f.spin[3 * i + k];
                number++;
                mass += f.mass[i];
                moving += f.mass[i] * square;
                second += f.mass[i] * square; /* over the temperature */
                fourth += pow(f.mass[i] * square, 2);
            }
            const double n = d * (number - mass / total), ways = (d == 3 ? 3 : 1) * number;
            const double wanted = (n + 2) / n * d / (d + 2) * fourth * number / (second * second) - 1;
            EXPECT_CLOSE("T_rot", mean_of(&spin.of[s], "rotational_temperature", 0), turning / ways, 1e-12);
            EXPECT_CLOSE("ratio", mean_of(&spin.of[s], "ratio", 0), turning / ways / (moving / n), 1e-12);
            EXPECT_CLOSE("a2", mean_of(&shape.of[s], "a2", 0), wanted, 1e-12);
        }
        trio_free(&spin);
        trio_free(&shape);
        frame_destroy(&f);
    }
}
END_TEST

/* Thermal species of unlike temperatures are normal, each over its own speed; together they are not: of second and fourth moments
 * <c^2>, 3 <c^2>^2 by species. Species of few particles have no bias beyond x (1 - x) 2 / n^2. */
START_TEST(species_are_maxwellian_by_themselves)
{
    enum { SAMPLES = 4000 };
    carom_frame f = two_temperatures(2, 1);
    trio t = trio_of("velocity_distribution");
    trio_set(&t, "bins", 1), trio_set(&t, "range", 1);
    trio_start(&t, &f);
    frame_destroy(&f);
    for (uint64_t n = 0; n < SAMPLES; n++) {
        f = two_temperatures(2, n + 1);
        trio_sample(&t, &f);
        frame_destroy(&f);
    }
    for (int s = 0; s < 2; s++) {
        measure_result r = observer_result(&t.of[s]);
        const measure_value a2 = result_value(&r, "a2");
        EXPECT_CLOSE("a2", a2.mean[0], 0, 3 * a2.error[0] + 0.25 * 2 / (80. * 80));
        ck_assert_double_lt(a2.error[0], 0.004);
        const double part = erf(sqrt(0.5)) / 2; /* of components between -1 and 1, in one bin of width 2 */
        EXPECT_CLOSE("density", table_of(&t.of[s], "components", "density", 0), part,
                     3 * table_of(&t.of[s], "components", "error", 0) + 0.2 / 40);
    }
    const double mean = 0.4 * 2 + 0.6 * 5, square = 0.4 * 4 + 0.6 * 25;
    EXPECT_CLOSE("a2 of the mixture", mean_of(&t.of[2], "a2", 0), square / (mean * mean) - 1, 0.02);
    trio_free(&t);
}
END_TEST

/* Without a particle of the species there is no row. */
START_TEST(absent_species_have_no_rows)
{
    static const char *const what[] = {"coordination", "fabric", "rotational_temperature", "velocity_distribution"};
    carom_frame f = mixture(2, BOUNDARY_PERIODIC, 1);
    for (int k = 0; k < 4; k++) {
        observer o = observer_new(what[k]);
        observer_set_species(&o, "species", 1, (const uint32_t[]){5});
        observer_start(&o, &f);
        observer_sample(&o, &f);
        measure_result r = observer_result(&o);
        for (size_t t = 0; t < r.table_count; t++) ck_assert_uint_eq(r.tables[t].rows, 0);
        observer_free(&o);
    }
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("species");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, contacts_of_a_species_are_those_of_all_pairs);
    tcase_add_test(all, bins_of_fabric_have_errors);
    tcase_add_test(all, profiles_need_an_axis);
    tcase_add_test(all, forces_of_a_species_have_their_distribution);
    tcase_add_test(all, each_species_crosses_a_plane);
    tcase_add_test(all, spins_and_cumulants_are_those_of_the_species);
    tcase_add_test(all, species_are_maxwellian_by_themselves);
    tcase_add_test(all, absent_species_have_no_rows);
    return suite_run("species", all);
}
