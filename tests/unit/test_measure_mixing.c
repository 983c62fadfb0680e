/* Detects mixing indices that are not 0 for segregated and 1 for random species, against lattices whose indices are known and
 * exchanges at random. */
#include "../support/observe.h"
#include "../support/suite.h"

enum { SIDE = 12, COUNT = SIDE * SIDE };

/* A square lattice with the spacing 1, of disks that touch; on the centres of unit squares. */
static carom_frame square(void)
{
    carom_frame f = frame_of(2, COUNT, SIDE);
    for (size_t i = 0; i < COUNT; i++) {
        f.position[2 * i] = (double)(i % SIDE) + 0.5;
        f.position[2 * i + 1] = (double)(i / SIDE) + 0.5;
    }
    return f;
}

static observer observe_mixing(double cell, double within)
{
    observer o = observer_new("mixing");
    observer_set_species(&o, "between", 2, (const uint32_t[2]){2, 1});
    observer_set(&o, "cell", cell);
    observer_set(&o, "within", within);
    return o;
}

static double last_of(observer *o, const char *column)
{
    measure_result r = observer_result(o);
    ck_assert_uint_gt(r.tables[0].rows, 0);
    return table_column(&r.tables[0], column).data[r.tables[0].rows - 1];
}

/* In cells of 3 x 3, of 16: stripes of the width of cells are segregated, a checkerboard of cells too. */
START_TEST(segregated_species_have_the_index_0)
{
    for (int board = 0; board < 2; board++) {
        carom_frame f = square();
        for (size_t i = 0; i < COUNT; i++) f.species[i] = (i % SIDE / 6 + (board ? i / SIDE / 6 : 0)) % 2 ? 1 : 2;
        observer o = observe_mixing(3, 1.2);
        observer_start(&o, &f);
        observer_sample(&o, &f);
        EXPECT_CLOSE("lacey", last_of(&o, "lacey"), 0, 1e-15);
        EXPECT_CLOSE("cells", last_of(&o, "cells"), 16, 0);
        const double borders = board ? 4 * SIDE : 2 * SIDE, unlike = borders / (2 * COUNT);
        EXPECT_CLOSE("unlike", last_of(&o, "unlike"), unlike, 1e-15);
        EXPECT_CLOSE("unlike_ratio", last_of(&o, "unlike_ratio"), unlike * (COUNT - 1) / (COUNT / 2), 1e-15);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* A checkerboard of particles in cells of 2 x 2 is mixed better than at random: no variance, and all neighbours unlike. Cells
 * of one particle tell nothing. */
START_TEST(a_checkerboard_is_mixed_better_than_at_random)
{
    carom_frame f = square();
    for (size_t i = 0; i < COUNT; i++) f.species[i] = 1 + (i % SIDE + i / SIDE) % 2;
    observer o = observe_mixing(2, 1.2), single = observe_mixing(1, 1.2);
    observer_start(&o, &f);
    observer_sample(&o, &f);
    EXPECT_CLOSE("lacey", last_of(&o, "lacey"), 1 / (1 - (COUNT / 4 - 1) / (COUNT - 1.0)), 1e-14);
    EXPECT_CLOSE("unlike", last_of(&o, "unlike"), 1, 0);
    observer_start(&single, &f);
    observer_sample(&single, &f);
    measure_result r = observer_result(&single);
    ck_assert_uint_eq(r.tables[0].rows, 0);
    observer_free(&o);
    observer_free(&single);
    frame_destroy(&f);
}
END_TEST

/* Random places in cells of different numbers of particles, and exchanges at random, among them of a third species, which does
 * not count: the means of both indices are exactly 1. */
START_TEST(random_species_have_the_index_1_in_the_mean)
{
    enum { SHUFFLES = 4000, OTHERS = 20, FIRST = 30 };
    for (int dimension = 2; dimension <= 3; dimension++) {
        carom_frame f = frame_of(dimension, COUNT, dimension == 2 ? SIDE : 6);
        f.boundary[0] = BOUNDARY_OPEN;
        frame_gas(&f, 1, 8);
        for (size_t i = 0; i < COUNT; i++) f.species[i] = i < OTHERS ? 0 : i < OTHERS + FIRST ? 1 : 2;
        observer o = observe_mixing(dimension == 2 ? 2.5 : 1.7, 1.5);
        observer_start(&o, &f);
        double mean[2] = {0}, square[2] = {0};
        for (uint64_t n = 0; n < SHUFFLES; n++) {
            for (size_t i = COUNT - 1; i > OTHERS; i--) { /* the places of the two species only */
                const double u = random_uniform((random_key){(uint64_t)dimension, RANDOM_GENERAL}, n, i);
                const size_t j = OTHERS + (size_t)(u * (double)(i - OTHERS + 1));
                const uint32_t kept = f.species[i];
                f.species[i] = f.species[j];
                f.species[j] = kept;
            }
            observer_sample(&o, &f);
            const double index[2] = {last_of(&o, "lacey"), last_of(&o, "unlike_ratio")};
            for (int k = 0; k < 2; k++) {
                mean[k] += index[k] / SHUFFLES;
                square[k] += index[k] * index[k] / SHUFFLES;
            }
        }
        for (int k = 0; k < 2; k++) {
            const double spread = sqrt((square[k] - mean[k] * mean[k]) / SHUFFLES);
            printf("mean %.6f, standard error %.2g\n", mean[k], spread);
            ck_assert_double_le(spread, 0.01);
            EXPECT_CLOSE(k == 0 ? "lacey" : "unlike_ratio", mean[k], 1, 3 * spread);
        }
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* The default is four mean diameters, the grid of a periodic axis fits the box, and cells of an open axis have numbers below 0. */
START_TEST(cells_fit_the_box)
{
    carom_frame f = square();
    for (size_t i = 0; i < COUNT; i++) f.species[i] = 1 + i % 2;
    observer two = observe_mixing(5, 1.2); /* the box has 2.4 of them along an axis */
    observer_start(&two, &f);
    observer_sample(&two, &f);
    EXPECT_CLOSE("cells", last_of(&two, "cells"), 4, 0);
    EXPECT_CLOSE("lacey", last_of(&two, "lacey"), 1 / (1 - 3 / (COUNT - 1.0)), 1e-14); /* all cells have 36 */
    observer_free(&two);
    for (int open = 0; open < 2; open++) {
        const double wanted[] = {9, 12}; /* from -2 to 10: the outermost are narrower */
        observer o = observe_mixing(0, 1.2);
        f.boundary[0] = open ? BOUNDARY_OPEN : BOUNDARY_PERIODIC;
        for (size_t i = 0; open && i < COUNT; i++) f.position[2 * i] -= 2;
        observer_start(&o, &f);
        observer_sample(&o, &f);
        EXPECT_CLOSE("cells", last_of(&o, "cells"), wanted[open], 0);
        observer_free(&o);
    }
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("mixing");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, segregated_species_have_the_index_0);
    tcase_add_test(all, a_checkerboard_is_mixed_better_than_at_random);
    tcase_add_test(all, random_species_have_the_index_1_in_the_mean);
    tcase_add_test(all, cells_fit_the_box);
    return suite_run("mixing", all);
}
