/* Detects wrong signs, factors, shares and places of contacts in stress, fields and distributions of forces, by contacts and frames
 * that are made by hand: closed forms, columns of spheres at rest, sums that are exact. */
#include "../support/observe.h"
#include "../support/suite.h"

#include <float.h>

enum { MOST = 64 };

static void observer_gather(observer *o, const contact_impulse *all, size_t count)
{
    contact_impulse copy[MOST];
    ck_assert_uint_le(count, MOST);
    if (count > 0) memcpy(copy, all, count * sizeof *all);
    const contact_log log = {.at = copy, .count = count, .capacity = MOST};
    OBSERVE_OK(o, o->type->gather(o->self, &log, &o->e));
}

/* A contact of i and j (or of a boundary) with a given branch and impulse on i. */
static contact_impulse contact_of(const carom_frame *f, uint32_t i, uint32_t j, const double branch[3],
                                  const double impulse[3])
{
    contact_impulse c = {.i = i, .j = j, .species = {f->species[i], f->species[j == CONTACT_BOUNDARY ? i : j]}};
    for (int a = 0; a < f->dimension; a++) {
        c.place[a] = f->position[i * (size_t)f->dimension + (size_t)a];
        c.branch[a] = c.line[a] = branch[a];
        c.impulse[a] = impulse[a];
        for (int b = 0; b < f->dimension; b++) c.product[a][b] = impulse[a] * branch[b];
    }
    return c;
}

/* Measures one interval of 2, with these contacts. */
static void measure(observer *o, carom_frame *f, const contact_impulse *all, size_t count)
{
    observer_start(o, f);
    observer_gather(o, all, count);
    f->time += 2;
    observer_sample(o, f);
}

static observer stress_along(int axis, double bins)
{
    observer o = observer_new("stress");
    observer_set(&o, "axis", axis);
    observer_set(&o, "bins", bins);
    return o;
}

static measure_column profile(observer *o, const char *name)
{
    measure_result r = observer_result(o);
    measure_table t = result_table(&r, "profile");
    return table_column(&t, name);
}

/* Two spheres across a periodic boundary, pressed with the force 3 along the branch and 1 across: sigma = F r / V. */
START_TEST(a_pair_has_the_stress_of_its_force)
{
    for (int d = 2; d <= 3; d++) {
        carom_frame f = frame_of(d, 2, 10);
        f.position[1] = 0.25;
        f.position[d + 1] = 9.25;
        f.species[1] = 1;
        const double branch[3] = {0, 1, 0}, impulse[3] = {2, 6, 0}, volume = pow(10, d);
        const contact_impulse c = contact_of(&f, 0, 1, branch, impulse);
        for (uint32_t species = 0; species < 3; species++) {
            observer o = stress_along(2, 20);
            if (species < 2) observer_set_species(&o, "species", 1, &species);
            measure(&o, &f, &c, 1);
            measure_result r = observer_result(&o);
            const double share = species < 2 ? 0.5 : 1, *tensor = result_value(&r, "contact").mean;
            EXPECT_CLOSE("sigma_yy", tensor[d + 1], share * 3 / volume, DBL_EPSILON / volume);
            EXPECT_CLOSE("sigma_xy", tensor[1], share * 1 / volume, DBL_EPSILON / volume);
            EXPECT_CLOSE("sigma_yx", tensor[d], 0, 0);
            EXPECT_CLOSE("pressure", result_value(&r, "stress").mean[0], share * 3 / volume / d, DBL_EPSILON / volume);
            const measure_column yy =
                profile(&o, "contact"); /* half of a bin at each end: 9.25 .. 9.5, 9.5 .. 10, 0 .. 0.25 */
            const double parts[] = {0.25, 0, 0.25, 0.5};
            const size_t bins[] = {0, 1, 18, 19};
            for (int n = 0; n < 4; n++)
                EXPECT_CLOSE("part", yy.data[bins[n] * (size_t)(d * d) + (size_t)d + 1],
                             share * parts[n] * 3 * 20 / volume, 60 * DBL_EPSILON / volume);
            observer_free(&o);
        }
        frame_destroy(&f);
    }
}
END_TEST

/* A column of spheres between floor and lid: each contact bears the weight above. */
enum { COLUMN = 8 };
static const double weight = 1.5;

static carom_frame column_of(int d, contact_impulse all[COLUMN])
{
    carom_frame f = frame_of(d, COLUMN, 2);
    f.box[1] = 12;
    f.boundary[1] = BOUNDARY_WALL;
    for (size_t i = 0; i < COLUMN; i++) {
        const double impulse[3] = {0, 2 * weight * (double)(COLUMN - i), 0}, branch[3] = {0, i == 0 ? 0.5 : 1, 0};
        f.position[i * (size_t)d] = 1;
        f.position[i * (size_t)d + 1] = 0.5 + (double)i;
        f.species[i] = i % 2 == 1;
        all[i] = contact_of(&f, (uint32_t)i, i == 0 ? CONTACT_BOUNDARY : (uint32_t)i - 1, branch, impulse);
    }
    return f;
}

START_TEST(a_column_bears_its_weight)
{
    for (int d = 2; d <= 3; d++) {
        contact_impulse all[COLUMN];
        carom_frame f = column_of(d, all);
        observer o = stress_along(2, 48); /* bins of a quarter */
        measure(&o, &f, all, COLUMN);
        const measure_column yy = profile(&o, "contact");
        const double area = d == 2 ? 2 : 4;
        for (size_t bin = 0; bin < 48; bin++) {
            const double y = ((double)bin + 0.5) / 4, above = fmax(0, COLUMN - floor(y + 0.5));
            EXPECT_CLOSE("sigma_yy", yy.data[bin * (size_t)(d * d) + (size_t)d + 1], above * weight / area,
                         200 * DBL_EPSILON);
        }
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* Relative to the centre of mass: the trace is D (N - 1) T / V. In a bin, relative to its own mean, also in a flow. */
START_TEST(an_ideal_gas_has_its_kinetic_stress)
{
    for (int d = 2; d <= 3; d++) {
        carom_frame f = frame_of(d, 4000, 5);
        frame_gas(&f, 2, 7);
        frame_rescale(&f, 40);
        observer o = stress_along(1, 5), t = observer_new("temperature");
        measure(&o, &f, NULL, 0);
        observer_start(&t, &f);
        observer_sample(&t, &f);
        measure_result r = observer_result(&o), s = observer_result(&t);
        const double temperature = result_value(&s, "temperature").mean[0];
        EXPECT_CLOSE("pressure", result_value(&r, "stress").mean[0], 3999 * temperature / pow(5, d), 1e-12);
        EXPECT_CLOSE("contact", result_value(&r, "contact").mean[0], 0, 0);
        const measure_column still = profile(&o, "kinetic");
        double before[5], trace = 0;
        for (size_t bin = 0; bin < 5; bin++) trace += (before[bin] = still.data[bin * (size_t)(d * d)]) / 5;
        EXPECT_CLOSE("mean of the bins", trace, 2 * (4000 - 5) / pow(5, d), 3 * 2 * sqrt(2 * 4000.) / pow(5, d));
        observer_free(&o);
        for (size_t i = 0; i < f.count; i++) f.velocity[i * (size_t)d] += ldexp(floor(f.position[i * (size_t)d]), 40);
        o = stress_along(1, 5);
        measure(&o, &f, NULL, 0);
        for (size_t bin = 0; bin < 5; bin++)
            EXPECT_CLOSE("bin in a flow", profile(&o, "kinetic").data[bin * (size_t)(d * d)], before[bin], 1e-11);
        observer_free(&o);
        observer_free(&t);
        frame_destroy(&f);
    }
}
END_TEST

START_TEST(bad_settings_are_refused)
{
    carom_frame f = frame_of(2, 2, 10);
    for (int n = 0; n < 5; n++) {
        static const char *const words[] = {"no axis z", "numbers of cells", "cells are too many", "smaller width",
                                            "1, 2, 3"};
        observer o = n == 0 ? stress_along(3, 5) : observer_new("fields");
        if (n > 0) observer_set(&o, "width", n == 3 ? 2 : 0.5);
        if (n > 0) observer_set_vector(&o, "cells", n == 1 ? 0 : n == 2 ? 1e4 : 5, n == 2 ? 1e3 : n == 4 ? 2.5 : 5, 0);
        ck_assert_int_eq(o.type->create(&o.self, o.settings, &f, &o.e), CAROM_BAD_DATA);
        ck_assert_msg(strstr(error_text(&o.e), words[n]) != NULL, "%s", error_text(&o.e));
        ck_assert_ptr_null(o.self);
        memory_free(o.settings);
        error_clear(&o.e);
    }
    frame_destroy(&f);
}
END_TEST

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static observer fields_of(double x, double y, double z, double width)
{
    observer o = observer_new("fields");
    observer_set_vector(&o, "cells", x, y, z);
    observer_set(&o, "width", width);
    return o;
}

static measure_column grid(observer *o, const char *name)
{
    measure_result r = observer_result(o);
    measure_table t = result_table(&r, "grid");
    return table_column(&t, name);
}

/* Integral of a component over the grid: cells of this volume. */
static double integral(observer *o, const char *name, size_t component, double volume)
{
    measure_result r = observer_result(o);
    measure_table t = result_table(&r, "grid");
    const measure_column c = table_column(&t, name);
    double all = 0;
    for (size_t row = 0; row < t.rows; row++) all += c.data[row * c.width + component] * volume;
    return all;
}

/* Particles anywhere in the box, also at walls: mass, J r and the force of boundaries integrate to their sums; a common velocity is
 * that of each cell, without kinetic stress. */
START_TEST(integrals_of_fields_are_exact)
{
    static const double cells[][3] = {{7, 9, 5}, {1, 30, 1}, {40, 1, 1}, {1, 1, 1}, {3, 1, 4}};
    for (int d = 2; d <= 3; d++)
        for (int n = 0; n < 5; n++) {
            carom_frame f = frame_of(d, 50, 10);
            frame_gas(&f, 1, (uint64_t)n);
            f.boundary[1] = BOUNDARY_WALL;
            f.position[1] = 0;
            f.position[(size_t)d + 1] = 10;
            for (size_t i = 0; i < f.count; i++) f.mass[i] = 0.5 + 0.01 * (double)i;
            for (size_t i = 0; i < f.count; i++)
                for (int k = 0; k < d; k++) f.velocity[i * (size_t)d + (size_t)k] = 1.25 - 3 * k;
            const double branch[3] = {0.7, -0.4, 0.2}, impulse[3] = {1, -2, 0.5}, width = 0.6;
            contact_impulse all[2] = {contact_of(&f, 2, 3, branch, impulse),
                                      contact_of(&f, 0, CONTACT_BOUNDARY, (double[3]){0, 0.5, 0}, impulse)};
            observer o = fields_of(cells[n][0], cells[n][1], cells[n][2], width);
            measure(&o, &f, all, 2);
            double volume = 1, mass = 0;
            for (int k = 0; k < d; k++) volume *= (k == 1 && cells[n][1] > 1 ? 10 + 8 * width : 10) / cells[n][k];
            for (size_t i = 0; i < f.count; i++) mass += f.mass[i];
            EXPECT_CLOSE("mass", integral(&o, "density", 0, volume), mass, 100 * DBL_EPSILON * mass);
            for (int a = 0; a < d; a++) {
                EXPECT_CLOSE("force", integral(&o, "boundary", (size_t)a, volume), impulse[a] / 2, 50 * DBL_EPSILON);
                EXPECT_CLOSE("velocity", grid(&o, "velocity").data[a],
                             grid(&o, "density").data[0] > 0 ? 1.25 - 3 * a : 0, 1e-12);
                for (int b = 0; b < d; b++) {
                    const size_t ab = (size_t)(a * d + b);
                    EXPECT_CLOSE("J r", integral(&o, "contact", ab, volume),
                                 (all[0].product[a][b] + all[1].product[a][b]) / 2, 50 * DBL_EPSILON);
                    EXPECT_CLOSE("kinetic", integral(&o, "kinetic", ab, volume), 0, 1e-12 * mass);
                }
            }
            observer_free(&o);
            frame_destroy(&f);
        }
}
END_TEST

static double below(double u)
{
    return u <= -4 ? 0 : u >= 4 ? 1 : 0.5 + 0.5 * erf(u / sqrt(2)) / erf(4 / sqrt(2));
}

/* The mean over a cell of the integral over the branch, by many points, for widths of a twentieth of the branch up to its
 * double; the error is relative to the largest cell. */
START_TEST(the_integral_over_a_branch_is_accurate)
{
    static const double widths[] = {0.05, 0.17, 0.5, 1, 2};
    enum { CELLS = 100, POINTS = 200000 };
    double worst = 0;
    for (int n = 0; n < 5; n++) {
        const double width = widths[n], side = 20, cell = side / CELLS;
        carom_frame f = frame_of(2, 2, side);
        f.position[1] = 10.5;
        const contact_impulse c = contact_of(&f, 0, 1, (double[3]){0, 1, 0}, (double[3]){0, 2, 0});
        observer o = fields_of(1, CELLS, 1, width);
        measure(&o, &f, &c, 1);
        double wanted[CELLS] = {0}, most = 0, wrong = 0;
        for (int q = 0; q < POINTS; q++) {
            const double y = 9.5 + (q + 0.5) / POINTS;
            for (int at = (int)((y - 4 * width) / cell); at <= (int)((y + 4 * width) / cell); at++)
                wanted[(at + CELLS) % CELLS] +=
                    (below(((at + 1) * cell - y) / width) - below((at * cell - y) / width)) / POINTS;
        }
        for (size_t k = 0; k < CELLS; k++) {
            const double value = grid(&o, "contact").data[4 * k + 3] * cell * side;
            most = fmax(most, wanted[k]);
            wrong = fmax(wrong, fabs(value - wanted[k]));
        }
        printf("width %g: error %.3g\n", width, wrong / most);
        worst = fmax(worst, wrong / most);
        observer_free(&o);
        frame_destroy(&f);
    }
    EXPECT_CLOSE("largest error", worst, 0, 5e-5);
}
END_TEST

/* d sigma_yy / dy = - rho g + force of the floor, by central differences. Their error is h^2 / 6 times the third derivative of W's
 * integral: below h^2 / (6 w^2) times twice the largest value. */
START_TEST(the_divergence_of_the_stress_is_the_weight)
{
    contact_impulse all[COLUMN];
    carom_frame f = column_of(2, all);
    const double width = 0.4, area = 2;
    enum { CELLS = 608 };
    const double h = (12 + 8 * width) / CELLS, bound = h * h / (6 * width * width);
    observer o = fields_of(1, CELLS, 1, width);
    measure(&o, &f, all, COLUMN);
    const double *stress = grid(&o, "contact").data, *force = grid(&o, "boundary").data,
                 *density = grid(&o, "density").data;
    double most = 0, wrong = 0;
    for (size_t k = 1; k + 1 < CELLS; k++) {
        const double slope = (stress[4 * (k + 1) + 3] - stress[4 * (k - 1) + 3]) / (2 * h);
        const double load = force[2 * k + 1] - weight * density[k];
        most = fmax(most, fabs(load));
        wrong = fmax(wrong, fabs(slope - load));
    }
    EXPECT_CLOSE("force of the floor", integral(&o, "boundary", 1, h * area), COLUMN * weight, 1e-13 * COLUMN);
    EXPECT_CLOSE("slope - load", wrong / most, 0, 2 * bound + 3e-4);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* At y = 4.5 of a uniform flow gradient, the velocity of the field is that of the gradient; species add up. */
START_TEST(species_add_up)
{
    contact_impulse all[COLUMN];
    carom_frame f = column_of(2, all);
    for (size_t i = 0; i < COLUMN; i++) f.velocity[2 * i] = (double)i;
    observer o[3];
    for (uint32_t n = 0; n < 3; n++) {
        o[n] = fields_of(2, 16, 1, 0.2);
        if (n < 2) observer_set_species(&o[n], "species", 1, &n);
        measure(&o[n], &f, all, COLUMN);
    }
    for (size_t k = 0; k < 32; k++) {
        double sums[3][4];
        for (int n = 0; n < 3; n++) {
            sums[n][0] = grid(&o[n], "density").data[k];
            sums[n][1] = sums[n][0] * grid(&o[n], "velocity").data[2 * k];
            sums[n][2] = grid(&o[n], "contact").data[4 * k + 3];
            sums[n][3] = grid(&o[n], "boundary").data[2 * k + 1];
        }
        for (int c = 0; c < 4; c++) EXPECT_CLOSE("sum of species", sums[0][c] + sums[1][c], sums[2][c], 1e-13);
    }
    for (int n = 0; n < 3; n++) observer_free(&o[n]);
    frame_destroy(&f);
}
END_TEST

/* ---- open sides -------------------------------------------------------------------------------------------------- */

/* Particles and branches in a box with open sides along x and y, and outside of it. */
static carom_frame half_open(int d, contact_impulse all[MOST])
{
    carom_frame f = frame_of(d, MOST, 10);
    frame_gas(&f, 1, 5);
    for (uint32_t i = 0; i < MOST; i++) {
        double branch[3] = {0}, impulse[3] = {0};
        for (int k = 0; k < d; k++) branch[k] = 4 * sin(3.0 * i + k), impulse[k] = cos(2.0 * i + k);
        if (i % 8 == 0) branch[0] = 0;
        f.mass[i] = 1 + 0.1 * i;
        for (int k = 0; k < d; k++) f.position[i * (size_t)d + (size_t)k] -= k < 2 ? 2.5 : 0;
        all[i] = contact_of(&f, i, i % 5 == 0 ? CONTACT_BOUNDARY : (i + 1) % MOST, branch, impulse);
    }
    f.box[0] = f.box[1] = 5;
    f.boundary[0] = f.boundary[1] = BOUNDARY_OPEN;
    return f;
}

static bool is_inside(const double *x)
{
    return x[0] >= 0 && x[0] < 5 && x[1] >= 0 && x[1] < 5;
}

/* The parts of branches in the box, and in each bin along y, by many points; the kinetic part from the particles inside. */
START_TEST(open_boxes_have_the_stress_inside)
{
    enum { POINTS = 20000, BINS = 4 };
    for (int d = 2; d <= 3; d++) {
        contact_impulse all[MOST];
        carom_frame f = half_open(d, all);
        const size_t tensor = (size_t)(d * d);
        const double volume = 25 * (d == 3 ? 10 : 1);
        double wanted[1 + BINS][9] = {{0}}, kinetic[9] = {0}, mean[3] = {0}, mass = 0, size = 0;
        for (int n = 0; n < MOST; n++)
            for (int q = 0; q < POINTS; q++) {
                double x[3];
                for (int k = 0; k < d; k++) x[k] = all[n].place[k] - (q + 0.5) / POINTS * all[n].branch[k];
                for (size_t ab = 0; is_inside(x) && ab < tensor; ab++) {
                    const double part = all[n].product[ab / (size_t)d][ab % (size_t)d] / POINTS / 2;
                    wanted[0][ab] += part / volume;
                    wanted[1 + (int)(x[1] * BINS / 5)][ab] += part / volume * BINS;
                }
            }
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < f.count; i++) {
                const double *v = f.velocity + i * (size_t)d;
                if (!is_inside(f.position + i * (size_t)d)) continue;
                if (pass == 0) mass += f.mass[i];
                for (int k = 0; pass == 0 && k < d; k++) mean[k] += f.mass[i] * v[k];
                for (int ab = 0; pass == 1 && ab < d * d; ab++)
                    kinetic[ab] +=
                        f.mass[i] * (v[ab / d] - mean[ab / d] / mass) * (v[ab % d] - mean[ab % d] / mass) / volume;
            }
        for (size_t ab = 0; ab < tensor; ab++) size = fmax(size, fabs(wanted[0][ab]));
        observer o = stress_along(2, BINS);
        measure(&o, &f, all, MOST);
        measure_result r = observer_result(&o);
        const double eps = MOST * 4.0 / POINTS / volume * 4; /* a point at each end of each branch, J r below 4 */
        for (size_t ab = 0; ab < tensor; ab++) {
            EXPECT_CLOSE("contact", result_value(&r, "contact").mean[ab], wanted[0][ab], eps);
            EXPECT_CLOSE("kinetic", result_value(&r, "kinetic").mean[ab], kinetic[ab], 1e-14);
            for (size_t bin = 0; bin < BINS; bin++)
                EXPECT_CLOSE("contact in a bin", profile(&o, "contact").data[bin * tensor + ab], wanted[1 + bin][ab],
                             BINS * eps);
        }
        ck_assert_double_gt(size, 10 * eps);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* The cells of a box with open sides are those of a larger grid with the same contents. */
START_TEST(open_boxes_have_the_fields_inside)
{
    static const char *const names[] = {"density", "velocity", "kinetic", "contact", "boundary"};
    const double width = 0.5;
    for (int d = 2; d <= 3; d++)
        for (int one = 0; one < 2; one++) { /* a single cell along x is the mean over the box */
            contact_impulse all[MOST], moved[MOST];
            carom_frame f = half_open(d, all), whole = half_open(d, moved);
            const size_t cells = one ? 1 : 5;
            double mass = 0;
            for (int k = 0; k < 2; k++) whole.boundary[k] = BOUNDARY_PERIODIC, whole.box[k] = 25;
            for (size_t i = 0; i < MOST; i++)
                for (int k = 0; k < 2; k++) whole.position[i * (size_t)d + (size_t)k] += 10, moved[i].place[k] += 10;
            observer o = fields_of((double)cells, 10, 1, width), all_of = fields_of(5 * (double)cells, 50, 1, width);
            measure(&o, &f, all, MOST);
            measure(&all_of, &whole, moved, MOST);
            for (int n = 0; n < 5; n++) {
                const measure_column part = grid(&o, names[n]), of = grid(&all_of, names[n]);
                for (size_t y = 0; y < 10; y++)
                    for (size_t c = 0; c < cells * part.width; c++) {
                        const double here = part.data[y * cells * part.width + c];
                        EXPECT_CLOSE(names[n], here, of.data[((y + 20) * 5 * cells + 2 * cells) * part.width + c],
                                     1e-13 * fmax(1, fabs(here)));
                        if (n == 0) mass += here * 5 / (double)cells * 0.5 * (d == 3 ? 10 : 1);
                    }
            }
            measure_result r = observer_result(&o);
            EXPECT_CLOSE("mass in the grid", result_value(&r, "mass").mean[0], mass, 1e-12 * mass);
            observer_free(&o);
            observer_free(&all_of);
            frame_destroy(&f);
            frame_destroy(&whole);
        }
}
END_TEST

/* ---- forces, dissipation, energy of a species -------------------------------------------------------------------- */

/* Forces 1, 3, 4 and 8 with mean 4, of which one comes in three parts, in both orders of its particles; tangential parts 0, 0, 0, 2. */
START_TEST(forces_have_their_distribution)
{
    carom_frame f = frame_of(2, 8, 10);
    const double along[3] = {1, 0, 0}, back[3] = {-1, 0, 0};
    contact_impulse all[] = {contact_of(&f, 4, 5, along, (double[3]){8, 0, 0}),
                             contact_of(&f, 0, 1, along, (double[3]){2, 0, 0}),
                             contact_of(&f, 6, 7, along, (double[3]){4, 1, 0}),
                             contact_of(&f, 2, 3, along, (double[3]){6, 0, 0}),
                             contact_of(&f, 7, 6, back, (double[3]){-4, -1, 0}),
                             contact_of(&f, 6, 7, along, (double[3]){8, 2, 0}),
                             contact_of(&f, 0, CONTACT_BOUNDARY, along, (double[3]){100, 0, 0})};
    observer o = observer_new("force_distribution");
    observer_set(&o, "bins", 6);
    observer_set(&o, "range", 3);
    measure(&o, &f, all, 7);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("normal", result_value(&r, "normal").mean[0], 4, 4 * DBL_EPSILON);
    EXPECT_CLOSE("tangential", result_value(&r, "tangential").mean[0], 0.5, DBL_EPSILON);
    measure_table t = result_table(&r, "distribution"), series = r.tables[0];
    EXPECT_CLOSE("contacts", table_column(&series, "contacts").data[0], 4, 0);
    const double wanted[] = {0.5, 0.5, 0.5, 0, 0.5, 0}; /* 1/4, 3/4, 1, 2, each 1/4 in a bin of 1/2 */
    for (size_t k = 0; k < 6; k++) {
        EXPECT_CLOSE("normal", table_column(&t, "normal").data[k], wanted[k], DBL_EPSILON);
        EXPECT_CLOSE("tangential", table_column(&t, "tangential").data[k], k == 0 ? 1.5 : 0, 2 * DBL_EPSILON);
    }
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* More contacts than the list has room for, each many times. */
START_TEST(lists_of_forces_stay_short)
{
    enum { PAIRS = 3000, TIMES = 40 };
    carom_frame f = frame_of(3, PAIRS + 1, 10);
    observer o = observer_new("force_distribution");
    observer_start(&o, &f);
    const size_t before = memory_held();
    for (int n = 0; n < TIMES; n++)
        for (uint32_t i = 0; i < PAIRS; i++) {
            const contact_impulse c = contact_of(&f, i, i + 1, (double[3]){1, 0, 0}, (double[3]){0.5, 0, 0});
            observer_gather(&o, &c, 1);
        }
    ck_assert_uint_le(memory_held() - before, 4 * PAIRS * 7 * sizeof(double) + 1000);
    f.time = TIMES;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("contacts", table_column(&r.tables[0], "contacts").data[0], PAIRS, 0);
    EXPECT_CLOSE("normal", result_value(&r, "normal").mean[0], 0.5, 1e-12);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(dissipation_is_the_slope_of_its_parts)
{
    carom_frame f = frame_of(2, 2, 10);
    f.tallies.dissipated = 100;
    f.tallies.ledger = (frame_ledger){.kept = true, .restitution = 40, .friction = 30, .damping = 20, .plastic = 10};
    observer o = observer_new("dissipation");
    observer_start(&o, &f);
    f.time = 4;
    f.tallies.dissipated = 116;
    f.tallies.ledger = (frame_ledger){.kept = true, .restitution = 42, .friction = 36, .damping = 24, .plastic = 14};
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    const char *const names[] = {"dissipation", "restitution", "friction", "damping", "plastic"};
    const double wanted[] = {4, 0.5, 1.5, 1, 1};
    for (int k = 0; k < 5; k++) EXPECT_CLOSE(names[k], result_value(&r, names[k]).mean[0], wanted[k], 0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(friction_has_parts_with_rotation)
{
    carom_frame f = frame_of(2, 2, 10);
    f.tallies.ledger =
        (frame_ledger){.kept = true, .friction = 6, .rotation = true, .sliding = 3, .rolling = 2, .twisting = 1};
    observer o = observer_new("dissipation");
    observer_start(&o, &f);
    f.time = 2;
    f.tallies.ledger.friction = 20;
    f.tallies.ledger.sliding = 5;
    f.tallies.ledger.rolling = 6;
    f.tallies.ledger.twisting = 9;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    const char *const names[] = {"friction", "sliding", "rolling", "twisting"};
    const double wanted[] = {7, 1, 2, 4};
    for (int k = 0; k < 4; k++) EXPECT_CLOSE(names[k], result_value(&r, names[k]).mean[0], wanted[k], 0);
    ck_assert_uint_eq(r.value_count, 8);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(a_species_has_its_kinetic_energy)
{
    carom_frame f = frame_of(3, 3, 10);
    for (size_t i = 0; i < 3; i++) {
        f.species[i] = i > 0;
        f.mass[i] = (double)(i + 1);
        f.velocity[3 * i] = 2;
        f.spin[3 * i + 2] = 4;
        f.inertia[i] = 0.5;
    }
    frame_rescale(&f, 30);
    const uint32_t second = 1;
    observer o = observer_new("energy");
    observer_set_species(&o, "species", 1, &second);
    observer_start(&o, &f);
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("translation", result_value(&r, "translation").mean[0], 0.5 * (2 + 3) * 4, 0);
    EXPECT_CLOSE("rotation", result_value(&r, "rotation").mean[0], 2 * 0.5 * 0.5 * 16, 0);
    EXPECT_CLOSE("kinetic", result_value(&r, "kinetic").mean[0], 18, 0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("stress");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, a_pair_has_the_stress_of_its_force);
    tcase_add_test(all, a_column_bears_its_weight);
    tcase_add_test(all, an_ideal_gas_has_its_kinetic_stress);
    tcase_add_test(all, bad_settings_are_refused);
    tcase_add_test(all, open_boxes_have_the_stress_inside);
    tcase_add_test(all, open_boxes_have_the_fields_inside);
    tcase_add_test(all, integrals_of_fields_are_exact);
    tcase_add_test(all, the_integral_over_a_branch_is_accurate);
    tcase_add_test(all, the_divergence_of_the_stress_is_the_weight);
    tcase_add_test(all, species_add_up);
    tcase_add_test(all, forces_have_their_distribution);
    tcase_add_test(all, lists_of_forces_stay_short);
    tcase_add_test(all, dissipation_is_the_slope_of_its_parts);
    tcase_add_test(all, friction_has_parts_with_rotation);
    tcase_add_test(all, a_species_has_its_kinetic_energy);
    return suite_run("stress", all);
}
