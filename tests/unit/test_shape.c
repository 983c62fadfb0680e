/* Detects wrong shape numbers: exact clusters, the configurations of Degond, Dimarco, Ferreira and Hecht (Fig. 9),
 * direct sums. */
#include <stdlib.h>
#include <string.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "measure/shape.h"

static carom_frame frame_of(int dimension, size_t count, double side, frame_boundary boundary, double radius)
{
    carom_frame f;
    error e = {0};
    ck_assert_int_eq(frame_create(&f, dimension, count, &e), CAROM_OK);
    for (int k = 0; k < dimension; k++) {
        f.box[k] = side;
        f.boundary[k] = (int)boundary;
    }
    for (size_t i = 0; i < count; i++) {
        f.radius[i] = radius;
        f.mass[i] = 1;
        f.id[i] = (uint32_t)i;
    }
    return f;
}

static void put(carom_frame *f, size_t i, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    memcpy(f->position + i * (size_t)f->dimension, at, (size_t)f->dimension * sizeof *at);
}

static shape_partition divide(const carom_frame *f, double gap, bool as_one)
{
    shape_partition p;
    error e = {0};
    ck_assert_msg(shape_partition_create(&p, f, gap, as_one, &e) == CAROM_OK, "%s", error_text(&e));
    return p;
}

static shape_cluster measure(const carom_frame *f, double gap, bool as_one, shape_curves *curves)
{
    shape_curves own;
    shape_cluster c;
    error e = {0};
    shape_partition p = divide(f, gap, as_one);
    ck_assert_int_eq(shape_measure(&p, 0, &c, curves != NULL ? curves : &own, &e), CAROM_OK);
    shape_partition_destroy(&p);
    return c;
}

/* ---- exact clusters ---------------------------------------------------------------------------------------------- */

/* n touching spheres in a row: lambda_1 = (2R)^2 (n^2 - 1) / 12, the others 0; a tree of n - 1 contacts. */
static void rod(int dimension, size_t n, double angle)
{
    const double radius = 0.3;
    carom_frame f = frame_of(dimension, n, 100, FRAME_OPEN, radius);
    for (size_t i = 0; i < n; i++) {
        double way = 2 * radius * (double)i;
        put(&f, i, 20 + way * cos(angle), 30 + way * sin(angle), 5);
    }
    shape_cluster c = measure(&f, 1e-6, false, NULL);
    double exact = 4 * radius * radius * (double)(n * n - 1) / 12, most = dimension == 2 ? 6 : 12;
    ck_assert_uint_eq(c.size, n);
    EXPECT_CLOSE("rod, lambda 1", c.gyration.value[0], exact, 1e-13 * exact);
    EXPECT_CLOSE("rod, lambda 2", c.gyration.value[1], 0, 0);
    EXPECT_CLOSE("rod, anisotropy", c.gyration.anisotropy, 1, 1e-13);
    ck_assert(isnan(c.gyration.aspect));
    EXPECT_CLOSE("tree, N_c without self", c.contacts, 2 * (double)(n - 1) / (most * (double)n), 1e-15);
    EXPECT_CLOSE("tree, N_c with self", c.contacts_self, (double)(n + 2 * (n - 1)) / (most * (double)n), 1e-15);
    if (dimension == 2) EXPECT_CLOSE("rod, angle", c.gyration.orientation, angle * 180 / acos(-1), 1e-11);
    if (dimension == 3) EXPECT_CLOSE("rod, asphericity", c.gyration.asphericity, exact, 1e-13 * exact);
    frame_destroy(&f);
}

START_TEST(rods)
{
    rod(2, 2, 0);
    rod(2, 17, 2.5);
    rod(2, 1000, 0.7);
    rod(3, 50, 1.1);
}
END_TEST

/* k^d lattice: every eigenvalue is (2R)^2 (k^2 - 1) / 12. */
static void cube(int dimension, size_t k)
{
    size_t n = dimension == 2 ? k * k : k * k * k;
    carom_frame f = frame_of(dimension, n, 64, FRAME_WALL, 0.5);
    for (size_t i = 0; i < n; i++)
        put(&f, i, 3.5 + (double)(i % k), 3.5 + (double)(i / k % k), 3.5 + (double)(i / (k * k)));
    shape_cluster c = measure(&f, 1e-6, false, NULL);
    double exact = (double)(k * k - 1) / 12;
    for (int a = 0; a < dimension; a++) EXPECT_CLOSE("cube, lambda", c.gyration.value[a], exact, 1e-12 * exact);
    EXPECT_CLOSE("cube, aspect", c.gyration.aspect, 1, 1e-12);
    EXPECT_CLOSE("cube, anisotropy", c.gyration.anisotropy, 0, 1e-24);
    double pairs = dimension == 2 ? 2 * (double)(k * (k - 1)) : 3 * (double)(k * k * (k - 1));
    EXPECT_CLOSE("cube, N_c", c.contacts, 2 * pairs / ((dimension == 2 ? 6 : 12) * (double)n), 1e-14);
    if (dimension == 2) ck_assert(isnan(c.gyration.orientation));
    frame_destroy(&f);
}

START_TEST(squares_and_cubes)
{
    cube(2, 2);
    cube(2, 9);
    cube(3, 2);
    cube(3, 7);
}
END_TEST

START_TEST(a_box_of_three_lengths)
{
    /* 2 x 3 x 5 points: lambda = (k^2 - 1) / 12 along each axis */
    carom_frame f = frame_of(3, 30, 20, FRAME_OPEN, 0.5);
    for (size_t i = 0; i < 30; i++) put(&f, i, (double)(i % 2), (double)(i / 2 % 3), (double)(i / 6));
    shape_gyration g = measure(&f, 1e-6, false, NULL).gyration;
    EXPECT_CLOSE("lambda 1", g.value[0], 2, 1e-13);
    EXPECT_CLOSE("lambda 2", g.value[1], 2.0 / 3, 1e-13);
    EXPECT_CLOSE("lambda 3", g.value[2], 0.25, 1e-13);
    EXPECT_CLOSE("v1 along z", g.vector[0][2], 1, 1e-13);
    EXPECT_CLOSE("v3 along x", g.vector[2][0], 1, 1e-13);
    EXPECT_CLOSE("aspect", g.aspect, 3, 1e-12);
    EXPECT_CLOSE("asphericity", g.asphericity, 2 - 11.0 / 24, 1e-13);
    EXPECT_CLOSE("acylindricity", g.acylindricity, 5.0 / 12, 1e-13);
    double total = 35.0 / 12; /* 1 - 3 (l1 l2 + l2 l3 + l3 l1) / total^2 */
    EXPECT_CLOSE("anisotropy", g.anisotropy, 1 - 3 * (4.0 / 3 + 1.0 / 6 + 0.5) / (total * total), 1e-13);
    frame_destroy(&f);
}
END_TEST

START_TEST(contacts_of_unequal_radii)
{
    /* A ring of small disks round a large one: 1.05 (R_i + R_j), not 2.1 R of anyone. */
    carom_frame f = frame_of(2, 5, 50, FRAME_OPEN, 0.25);
    f.radius[0] = 4;
    put(&f, 0, 25, 25, 0);
    put(&f, 1, 25 + 4.25 * 1.04, 25, 0);
    put(&f, 2, 25, 25 + 4.25 * 1.06, 0);
    put(&f, 3, 25 - 4.25, 25, 0);
    put(&f, 4, 25 - 4.25 - 0.5 * 1.04, 25, 0);
    shape_cluster c = measure(&f, 0.05, false, NULL);
    ck_assert_uint_eq(c.size, 4); /* disk 2 is too far */
    EXPECT_CLOSE("N_c", c.contacts, 6.0 / 24, 1e-15);
    EXPECT_CLOSE("R", c.radius, 1, 1e-15);
    frame_destroy(&f);
}
END_TEST

/* ---- periodic boxes ---------------------------------------------------------------------------------------------- */

START_TEST(a_rod_through_the_boundary)
{
    carom_frame f = frame_of(2, 8, 10, FRAME_PERIODIC, 0.5);
    for (size_t i = 0; i < 8; i++) put(&f, i, fmod(7.3 + (double)i, 10), 9.99, 0);
    shape_cluster c = measure(&f, 1e-6, false, NULL);
    ck_assert_int_eq(c.state, SHAPE_WHOLE);
    EXPECT_CLOSE("lambda 1", c.gyration.value[0], 63.0 / 12, 1e-12);
    EXPECT_CLOSE("contacts", c.contacts, 14.0 / 48, 1e-15);
    frame_destroy(&f);
}
END_TEST

START_TEST(a_rod_round_the_box_percolates)
{
    carom_frame f = frame_of(2, 10, 10, FRAME_PERIODIC, 0.5);
    for (size_t i = 0; i < 10; i++) put(&f, i, (double)i, 4, 0);
    shape_curves curves;
    shape_cluster c = measure(&f, 1e-6, false, &curves);
    ck_assert_int_eq(c.state, SHAPE_PERCOLATES);
    ck_assert(isnan(c.gyration.radius));
    EXPECT_CLOSE("contacts", c.contacts, 20.0 / 60, 1e-15);
    EXPECT_CLOSE("P(2 diameters)", curves.pairs[8 - SHAPE_FIRST], 4, 0);
    ck_assert(isnan(curves.pairs[SHAPE_RADII - 1])); /* beyond half the box */
    frame_destroy(&f);
}
END_TEST

START_TEST(a_helix_that_winds_without_closing)
{
    /* It leaves the box again and again but never meets itself: unwrapped it is as long as it is. */
    const size_t n = 25;
    carom_frame f = frame_of(3, n, 10, FRAME_PERIODIC, 0.5);
    double z = 0.2, x = 0.5;
    for (size_t i = 0; i < n; i++) put(&f, i, fmod(x + 0.8 * (double)i, 10), 5, fmod(z + 0.6 * (double)i, 10));
    shape_cluster c = measure(&f, 1e-6, false, NULL);
    ck_assert_int_eq(c.state, SHAPE_WHOLE);
    EXPECT_CLOSE("lambda 1", c.gyration.value[0], (double)(n * n - 1) / 12, 1e-10);
    frame_destroy(&f);
}
END_TEST

/* ---- fractal dimensions ------------------------------------------------------------------------------------------ */

/* Fig. 9: 900 particles of radius 0.2 in a box of side 120. */
START_TEST(figure_9_lines)
{
    carom_frame f = frame_of(2, 900, 120, FRAME_WALL, 0.2);
    for (size_t i = 0; i < 900; i++) put(&f, i, 0.2 + 0.4 * (double)(i % 300), 20 + 40 * (double)(i / 300), 0);
    shape_curves curves;
    shape_cluster c = measure(&f, 1e-6, true, &curves);
    ck_assert_uint_eq(c.size, 900);
    /* 3 * 2^m boxes, but 2 * 2 on the coarsest of seven grids, where two of the lines share boxes */
    EXPECT_CLOSE("three lines", -c.boxes.slope, 1 + (log2(3) - 1) * 3 / 28, 1e-12);
    for (int m = 3; m <= 7; m++)
        EXPECT_CLOSE("its local slope", log2((double)curves.boxes[m] / (double)curves.boxes[m - 1]), 1, 1e-12);
    frame_destroy(&f);
}
END_TEST

/* The box-counting dimension of k x k disks that touch; *last: the local slope at the fine end of the window. */
static double lattice_dimension(size_t k, double side, double corner, double *last)
{
    shape_curves curves;
    carom_frame f = frame_of(2, k * k, side, FRAME_WALL, 0.2);
    for (size_t i = 0; i < k * k; i++)
        put(&f, i, corner + 0.2 + 0.4 * (double)(i % k), corner + 0.2 + 0.4 * (double)(i / k), 0);
    shape_cluster c = measure(&f, 1e-6, false, &curves);
    const uint64_t *end = &curves.boxes[curves.fit_to];
    *last = log2((double)end[0] / (double)end[-1]);
    frame_destroy(&f);
    return -c.boxes.slope;
}

/* The slope, of grids one half of the one before, where a side of the lattice lies in so many boxes. */
static double slope_of_side(const int *boxes, int count)
{
    double sum = 0, weight = 0;
    for (int m = 0; m < count; m++) {
        const double away = m - 0.5 * (count - 1);
        sum += away * 2 * log2(boxes[m]);
        weight += away * away;
    }
    return sum / weight;
}

START_TEST(figure_9_square)
{
    /* from the corner to 11.8, in boxes of 7.5 to 0.9375; from 300.2 to 699.8, in boxes of 125 to 0.98 */
    static const int side_of_30[] = {2, 4, 7, 13}, side_of_1000[] = {4, 8, 14, 26, 52, 104, 206, 410};
    double last;
    EXPECT_CLOSE("900 on a square lattice", lattice_dimension(30, 120, 0, &last), slope_of_side(side_of_30, 4), 1e-12);
    EXPECT_CLOSE("1024 that fit the grid", lattice_dimension(32, 102.4, 51.2, &last), 2, 1e-12);
    EXPECT_CLOSE("a million", lattice_dimension(1000, 1000, 300, &last), slope_of_side(side_of_1000, 8), 1e-12);
    EXPECT_CLOSE("its local slope at the fine end", last, 2, 0.02);
}
END_TEST

/* In a box that is no square the boxes are those of its longest side, along whichever axis that is. */
START_TEST(boxes_of_the_longest_side)
{
    for (size_t axis = 0; axis < 2; axis++) {
        carom_frame f = frame_of(2, 128, 8, FRAME_OPEN, 0.5);
        shape_curves curves;
        f.box[axis] = 16;
        for (size_t i = 0; i < 128; i++) {
            const double x = 0.5 + (double)(i % 16), y = 0.5 + (double)(i / 16);
            put(&f, i, axis == 0 ? x : y, axis == 0 ? y : x, 0);
        }
        measure(&f, 1e-6, false, &curves);
        static const int boxes[] = {1, 2, 8, 32, 128};
        EXPECT_CLOSE("side of the largest box", curves.side, 16, 0);
        for (int m = 0; m < 5; m++) EXPECT_CLOSE("boxes", (double)curves.boxes[m], boxes[m], 0);
        frame_destroy(&f);
    }
}
END_TEST

/* Corners of the triangles of generation g, which are 3^g; skewed so that two sides lie along the grid. */
START_TEST(figure_9_sierpinski)
{
    enum { GENERATION = 6, COUNT = 729 };
    const double side = 120;
    carom_frame f = frame_of(2, COUNT, side, FRAME_WALL, 0.2);
    for (size_t i = 0; i < COUNT; i++) {
        double x = 0, y = 0, step = side / 2;
        size_t digits = i;
        for (int g = 0; g < GENERATION; g++, digits /= 3, step /= 2) {
            x += digits % 3 == 1 ? step : 0;
            y += digits % 3 == 2 ? step : 0;
        }
        put(&f, i, x + 0.3, y + 0.3, 0);
    }
    shape_curves curves;
    shape_cluster c = measure(&f, 1e-6, true, &curves);
    EXPECT_CLOSE("Sierpinski triangle", -c.boxes.slope, log(3) / log(2), 1e-12);
    ck_assert_int_eq(curves.fit_from, 1);
    ck_assert_int_eq(curves.fit_to, 5); /* 6: each particle in a box of its own, as in 7 */
    frame_destroy(&f);
}
END_TEST

START_TEST(growth_of_rods_and_of_squares)
{
    double dimension, deviation;
    shape_growth rods_only = {0}, squares = {0};
    for (int n = 100; n < 2000; n += 50) shape_growth_add(&rods_only, n, sqrt(((double)n * n - 1) / 12));
    for (int k = 50; k < 500; k += 10) shape_growth_add(&squares, k * k, sqrt(((double)k * k - 1) / 6));
    shape_growth_dimension(&rods_only, &dimension, &deviation);
    EXPECT_CLOSE("rods", dimension, 1, 1e-4);
    shape_growth_dimension(&squares, &dimension, &deviation);
    EXPECT_CLOSE("squares", dimension, 2, 1e-3);
    ck_assert(deviation < 1e-3);
}
END_TEST

/* ---- slow sums as a peer ----------------------------------------------------------------------------------------- */

static double distance(const carom_frame *f, size_t i, size_t j)
{
    double sum = 0;
    for (int a = 0; a < f->dimension; a++) {
        size_t d = (size_t)f->dimension;
        double way = f->position[i * d + (size_t)a] - f->position[j * d + (size_t)a];
        sum += way * way;
    }
    return sqrt(sum);
}

static size_t slow_boxes(const carom_frame *f, double side)
{
    size_t found = 0, d = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++) {
            seen = true;
            for (size_t a = 0; a < d; a++)
                seen = seen && floor(f->position[i * d + a] / side) == floor(f->position[j * d + a] / side);
        }
        found += !seen;
    }
    return found;
}

static void random_cloud(int dimension)
{
    enum { COUNT = 700 };
    const random_key key = {.seed = 7, .stream = RANDOM_GENERAL};
    carom_frame f = frame_of(dimension, COUNT, 30, FRAME_OPEN, 0.5);
    for (size_t i = 0; i < COUNT; i++) {
        f.radius[i] = 0.2 + 0.6 * random_uniform(key, i, 5);
        put(&f, i, 40 * random_uniform(key, i, 0) - 7, 33 * random_uniform(key, i, 1), 9 * random_uniform(key, i, 2));
    }
    shape_curves curves;
    shape_cluster c = measure(&f, 1e-6, true, &curves);
    for (int k = 0; k < SHAPE_RADII; k++) {
        uint64_t pairs = 0;
        for (size_t i = 0; i < COUNT; i++)
            for (size_t j = 0; j < COUNT; j++)
                pairs += i != j && distance(&f, i, j) <= 0.5 * c.radius * (SHAPE_FIRST + k);
        EXPECT_CLOSE("P(r)", curves.pairs[k], (double)pairs / COUNT, 1e-12);
    }
    uint64_t near = 0;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < i; j++) near += distance(&f, i, j) <= 1.05 * (f.radius[i] + f.radius[j]);
    EXPECT_CLOSE("N_c", c.contacts, 2 * (double)near / ((dimension == 2 ? 6 : 12) * COUNT), 1e-15);
    for (int m = 0; m < curves.levels; m++) ck_assert_uint_eq(curves.boxes[m], slow_boxes(&f, 30 / pow(2, m)));
    frame_destroy(&f);
}

START_TEST(random_clouds)
{
    random_cloud(2);
    random_cloud(3);
}
END_TEST

/* Clusters of random disks in a periodic box against labels spread until nothing changes. */
START_TEST(random_clusters)
{
    enum { COUNT = 300 };
    const random_key key = {.seed = 11, .stream = RANDOM_GENERAL};
    carom_frame f = frame_of(2, COUNT, 20, FRAME_PERIODIC, 0.5);
    uint32_t label[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        label[i] = f.id[i] = (uint32_t)(COUNT - i);
        put(&f, i, 20 * random_uniform(key, i, 0), 20 * random_uniform(key, i, 1), 0);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < COUNT; i++)
            for (size_t j = 0; j < COUNT; j++) {
                double x = fabs(f.position[2 * i] - f.position[2 * j]);
                double y = fabs(f.position[2 * i + 1] - f.position[2 * j + 1]);
                if (hypot(fmin(x, 20 - x), fmin(y, 20 - y)) > 1 || label[j] >= label[i]) continue;
                label[i] = label[j];
                changed = true;
            }
    }
    shape_partition p = divide(&f, 1e-12, false);
    printf("%zu clusters, largest %zu\n", p.count, p.groups[0].size);
    ck_assert(p.count > 10 && p.count < COUNT);
    for (size_t k = 0; k < p.count; k++)
        for (size_t i = 0; i < p.groups[k].size; i++)
            ck_assert_uint_eq(label[p.place[p.groups[k].first + i]], p.groups[k].id);
    shape_partition_destroy(&p);
    frame_destroy(&f);
}
END_TEST

/* ---- tools ------------------------------------------------------------------------------------------------------- */

START_TEST(eigenvalues)
{
    const random_key key = {.seed = 3, .stream = RANDOM_GENERAL};
    for (uint64_t trial = 0; trial < 200; trial++) {
        double m[3][3] = {{0}}, value[3], v[3][3], worst = 0;
        int d = trial % 2 == 0 ? 2 : 3;
        for (int a = 0; a < d; a++)
            for (int b = 0; b <= a; b++)
                for (int k = 0; k < 4; k++) {
                    double x = random_uniform(key, trial, (uint64_t)(10 * a + k)) - 0.5;
                    double y = random_uniform(key, trial, (uint64_t)(10 * b + k)) - 0.5;
                    m[a][b] += x * y;
                    m[b][a] = m[a][b];
                }
        shape_eigen(d, m, value, v);
        for (int k = 0; k < d; k++)
            for (int a = 0; a < d; a++) {
                double image = 0, length = 0;
                for (int b = 0; b < d; b++) {
                    image += m[a][b] * v[k][b];
                    length += v[k][b] * v[k][b];
                }
                worst = fmax(worst, fabs(image - value[k] * v[k][a]) + fabs(length - 1));
            }
        ck_assert_msg(worst < 1e-14, "off by %g", worst);
        for (int k = 1; k < d; k++) ck_assert(value[k] <= value[k - 1]);
    }
}
END_TEST

START_TEST(statistics)
{
    double values[] = {4, NAN, 1, 3, 2, NAN, 10}, axes[] = {1, 179, 2, 178, NAN}, mean, order;
    carom_statistics s = carom_statistics_of(values, 7);
    ck_assert_uint_eq(s.count, 5);
    EXPECT_CLOSE("mean", s.mean, 4, 1e-15);
    EXPECT_CLOSE("std", s.deviation, sqrt(12.5), 1e-15);
    EXPECT_CLOSE("median", s.median, 3, 0);
    EXPECT_CLOSE("5 %", s.quantile_05, 1.2, 1e-15);
    EXPECT_CLOSE("95 %", s.quantile_95, 8.8, 1e-14);
    ck_assert(isnan(carom_statistics_of(values + 5, 2).mean)); /* NAN were sorted last */
    shape_mean_axis(axes, 5, &mean, &order);
    EXPECT_CLOSE("mean axis", fmin(mean, 180 - mean), 0, 1e-9);
    ck_assert(order > 0.99);
    shape_mean_axis((double[]){100, 110, 120}, 3, &mean, &order);
    EXPECT_CLOSE("mean axis", mean, 110, 1e-12);
    EXPECT_CLOSE("order", order, (1 + 2 * cos(3.14159265358979323846 / 9)) / 3, 1e-15);
}
END_TEST

START_TEST(sorting)
{
    enum { COUNT = 5000 };
    static uint64_t keys[COUNT], space[COUNT];
    const random_key key = {.seed = 1, .stream = RANDOM_GENERAL};
    for (size_t count = 0; count <= COUNT; count += count < 100 ? 1 : 700) {
        uint64_t total = 0, sum = 0;
        for (size_t i = 0; i < count; i++) {
            keys[i] = random_below(key, count, i, UINT64_MAX) >> random_below(key, i, count, 64);
            total += keys[i];
        }
        sort_u64(keys, space, count);
        for (size_t i = 0; i < count; i++) {
            if (i > 0) ck_assert_uint_le(keys[i - 1], keys[i]);
            sum += keys[i];
        }
        ck_assert_uint_eq(sum, total);
    }
}
END_TEST

START_TEST(what_cannot_be)
{
    error e = {0};
    shape_partition p;
    carom_frame f = frame_of(2, 3, 10, FRAME_PERIODIC, 0.5);
    f.position[3] = (double)NAN;
    ck_assert_int_eq(shape_partition_create(&p, &f, 1e-6, false, &e), CAROM_BAD_DATA);
    f.position[3] = 1e300;
    ck_assert_int_eq(shape_partition_create(&p, &f, 1e-6, false, &e), CAROM_OK);
    shape_partition_destroy(&p);
    f.radius[1] = 0;
    ck_assert_int_eq(shape_partition_create(&p, &f, 1e-6, false, &e), CAROM_BAD_DATA);
    f.radius[1] = 1;
    f.box[1] = -1;
    ck_assert_int_eq(shape_partition_create(&p, &f, 1e-6, false, &e), CAROM_BAD_DATA);
    error_clear(&e);
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_test(all, rods);
    tcase_add_test(all, squares_and_cubes);
    tcase_add_test(all, a_box_of_three_lengths);
    tcase_add_test(all, contacts_of_unequal_radii);
    tcase_add_test(all, a_rod_through_the_boundary);
    tcase_add_test(all, a_rod_round_the_box_percolates);
    tcase_add_test(all, a_helix_that_winds_without_closing);
    tcase_add_test(all, figure_9_lines);
    tcase_add_test(all, figure_9_square);
    tcase_add_test(all, boxes_of_the_longest_side);
    tcase_add_test(all, figure_9_sierpinski);
    tcase_add_test(all, growth_of_rods_and_of_squares);
    tcase_add_test(all, random_clouds);
    tcase_add_test(all, random_clusters);
    tcase_add_test(all, eigenvalues);
    tcase_add_test(all, statistics);
    tcase_add_test(all, sorting);
    tcase_add_test(all, what_cannot_be);
    return suite_run("shape", all);
}
