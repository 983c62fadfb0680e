/* Detects contacts that are missed, counted twice or made up, against lattices, sheared and stretched
 * ones, and a plain search through all pairs. */
#include "../support/observe.h"
#include "../support/suite.h"

/* Points of a lattice with `base` points in a cell of the given sides, n[k] cells along axis k, of spheres of diameter 1. */
static carom_frame lattice(int dimension, const size_t n[3], const double side[3], size_t base, const double (*at)[3])
{
    const size_t d = (size_t)dimension, cells = n[0] * n[1] * (d == 3 ? n[2] : 1);
    carom_frame f = frame_of(dimension, base * cells, 1);
    for (size_t k = 0; k < d; k++) f.box[k] = (double)n[k] * side[k];
    for (size_t i = 0; i < f.count; i++) {
        const size_t cell = i / base, corner[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
        for (size_t k = 0; k < d; k++) f.position[i * d + k] = side[k] * ((double)corner[k] + at[i % base][k]);
    }
    return f;
}

static const double one_point[][3] = {{0, 0, 0}};
static const double fcc_points[][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
static const double hexagonal_points[][3] = {{0, 0, 0}, {0.5, 0.5, 0}};

static carom_frame cubic(size_t cells)
{
    return lattice(3, (size_t[3]){cells, cells, cells}, (double[3]){1, 1, 1}, 1, one_point);
}

static carom_frame fcc(size_t cells)
{
    const double a = sqrt(2);
    return lattice(3, (size_t[3]){cells, cells, cells}, (double[3]){a, a, a}, 4, fcc_points);
}

static carom_frame hexagonal(size_t cells)
{
    return lattice(2, (size_t[3]){cells, cells, 1}, (double[3]){1, sqrt(3), 0}, 2, hexagonal_points);
}

/* Measures a frame once; `gap`, `ratio` negative: not given. */
static observer measure(const char *what, const carom_frame *f, double gap, double ratio, bool walls)
{
    observer o = observer_new(what);
    if (gap >= 0) observer_set(&o, "gap", gap);
    if (ratio >= 0) observer_set(&o, "gap_ratio", ratio);
    observer_set(&o, "walls", walls);
    observer_start(&o, f);
    observer_sample(&o, f);
    return o;
}

static double last_of(observer *o, const char *column)
{
    measure_result r = observer_result(o);
    const measure_column c = table_column(&r.tables[0], column);
    ck_assert_uint_gt(r.tables[0].rows, 0);
    return c.data[(r.tables[0].rows - 1) * c.width];
}

/* ---- coordination ------------------------------------------------------------------------------------------------ */

START_TEST(lattices_have_their_coordination)
{
    static const double wanted[] = {6, 12, 6};
    for (int kind = 0; kind < 3; kind++)
        for (size_t cells = 3; cells <= 9; cells += 3) {
            carom_frame f = kind == 0 ? cubic(cells) : kind == 1 ? fcc(cells) : hexagonal(cells);
            observer o = measure("coordination", &f, -1, -1, false);
            EXPECT_CLOSE("coordination", last_of(&o, "coordination"), wanted[kind], 0);
            EXPECT_CLOSE("contacts", last_of(&o, "contacts"), wanted[kind] * (double)f.count / 2, 0);
            EXPECT_CLOSE("rattlers", last_of(&o, "rattlers"), 0, 0);
            measure_result r = observer_result(&o);
            measure_table t = result_table(&r, "distribution");
            ck_assert_uint_eq(t.rows, (size_t)wanted[kind] + 1);
            for (size_t k = 0; k < t.rows; k++)
                EXPECT_CLOSE("fraction", table_column(&t, "fraction").data[k], k + 1 == t.rows,
                             5e-17 * (double)f.count);
            observer_free(&o);
            frame_destroy(&f);
        }
}
END_TEST

/* A gap of 0.1: a length that is added to contact distances, or a ratio that is applied to them, on either side of it. */
START_TEST(the_gap_is_a_length_or_a_ratio)
{
    carom_frame f = cubic(4);
    for (size_t k = 0; k < 3 * f.count; k++) f.position[k] *= 2.2;
    for (int k = 0; k < 3; k++) f.box[k] *= 2.2;
    for (size_t i = 0; i < f.count; i++) f.radius[i] = 1; /* surfaces are 0.2 apart, a tenth of the contact distance */
    for (int beyond = 0; beyond < 2; beyond++) {
        const double slightly = 1 + (beyond ? 1e-9 : -1e-9);
        observer length = measure("coordination", &f, 0.2 * slightly, -1, false);
        observer ratio = measure("coordination", &f, -1, 0.1 * slightly, false);
        EXPECT_CLOSE("gap", last_of(&length, "coordination"), beyond ? 6 : 0, 0);
        EXPECT_CLOSE("gap_ratio", last_of(&ratio, "coordination"), beyond ? 6 : 0, 0);
        observer_free(&length);
        observer_free(&ratio);
    }
    frame_destroy(&f);
}
END_TEST

/* Without a gap: a hundredth of the contact distance, and none for engines with penalty layers, which begin there. */
START_TEST(the_default_gap_is_that_of_the_engine)
{
    static const uint64_t layers[LAYER_BINS];
    for (int soft = 0; soft < 2; soft++)
        for (int k = 0; k < 3; k++) {
            const double distance[] = {0.9999, 1.0099, 1.0101};
            carom_frame f = frame_of(2, 2, 10);
            f.tallies.layers = soft ? layers : NULL;
            f.position[2] = distance[k];
            observer o = measure("coordination", &f, -1, -1, false);
            EXPECT_CLOSE("coordination", last_of(&o, "coordination"), k == 0 || (k == 1 && !soft), 0);
            observer_free(&o);
            frame_destroy(&f);
        }
}
END_TEST

/* A chain of three between walls, of which the first touches the floor and a side, beside one that is alone. */
START_TEST(rattlers_have_few_contacts)
{
    carom_frame f = frame_of(2, 5, 10);
    const double at[5][2] = {{0.5, 0.5}, {1.5, 0.5}, {2.5, 0.5}, {2, 0.5 + sqrt(0.75)}, {6, 6}};
    memcpy(f.position, at, sizeof at);
    f.boundary[0] = f.boundary[1] = BOUNDARY_WALL;
    observer bare = measure("coordination", &f, 1e-9, -1, false), whole = measure("coordination", &f, 1e-9, -1, true);
    EXPECT_CLOSE("contacts", last_of(&bare, "contacts"), 4, 0); /* 0-1, 1-2, 1-3, 2-3 */
    EXPECT_CLOSE("coordination", last_of(&bare, "coordination"), 8 / 5.0, 0);
    EXPECT_CLOSE("rattlers", last_of(&bare, "rattlers"), 4 / 5.0, 1e-15);
    EXPECT_CLOSE("contacts, walls", last_of(&whole, "contacts"), 8, 0);
    EXPECT_CLOSE("coordination, walls", last_of(&whole, "coordination"), (8 + 4) / 5.0, 1e-15);
    EXPECT_CLOSE("rattlers, walls", last_of(&whole, "rattlers"), 2 / 5.0, 1e-15);
    measure_result r = observer_result(&whole);
    measure_table t = result_table(&r, "distribution");
    const double wanted[] = {0.2, 0, 0.2, 0.4, 0.2}; /* 0: the lonely, 2: the top, 3: first and third, 4: the second */
    ck_assert_uint_eq(t.rows, 5);
    for (size_t k = 0; k < t.rows; k++)
        EXPECT_CLOSE("fraction", table_column(&t, "fraction").data[k], wanted[k], 1e-15);
    observer_free(&bare);
    observer_free(&whole);
    frame_destroy(&f);
}
END_TEST

/* A gas of particles of widely different sizes, some of them outside of an open box, in a sheared box too: all pairs. */
START_TEST(contacts_are_those_of_all_pairs)
{
    enum { COUNT = 400 };
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int kind = 0; kind < 3; kind++) {
            const size_t d = (size_t)dimension;
            carom_frame f = frame_of(dimension, COUNT, dimension == 2 ? 30 : 9);
            frame_gas(&f, 1, (uint64_t)kind + 5);
            for (size_t i = 0; i < COUNT; i++) f.radius[i] = i % 50 == 0 ? 1.5 : 0.05 + 0.001 * (double)(i % 300);
            if (kind == 1) f.boundary[1] = BOUNDARY_OPEN;
            for (size_t i = 0; kind == 1 && i < COUNT; i += 7) f.position[i * d + 1] -= 40;
            if (kind == 2) f.shear = 0.5, f.slid = 0.37 * f.box[0];
            double count = 0;
            for (size_t i = 0; i < COUNT; i++)
                for (size_t j = 0; j < i; j++) {
                    double square = 0, beside = 0;
                    for (size_t k = d; k-- > 0;) {
                        double way = f.position[i * d + k] - f.position[j * d + k] - (k == 0 ? beside : 0);
                        const double turns = f.boundary[k] == BOUNDARY_PERIODIC ? rint(way / f.box[k]) : 0;
                        if (k == 1) beside = turns * f.slid;
                        square += pow(way - turns * f.box[k], 2);
                    }
                    count += sqrt(square) <= f.radius[i] + f.radius[j] + 0.1;
                }
            observer o = measure("coordination", &f, 0.1, -1, false);
            EXPECT_CLOSE("contacts", last_of(&o, "contacts"), count, 0);
            ck_assert_double_ge(count, 50);
            observer_free(&o);
            frame_destroy(&f);
        }
}
END_TEST

START_TEST(other_shapes_are_refused)
{
    static const char *const what[] = {"coordination"};
    for (int k = 0; k < 1; k++) {
        error e = {0};
        carom_frame f = frame_of(3, 2, 10);
        ck_assert(FRAME_ADD(&f, axis, &e) == CAROM_OK);
        observer o = observer_new(what[k]);
        ck_assert(o.type->create(&o.self, o.settings, &f, &o.e) == CAROM_BAD_DATA);
        ck_assert_ptr_null(o.self);
        printf("%s\n", error_text(&o.e));
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("contacts");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, lattices_have_their_coordination);
    tcase_add_test(all, the_gap_is_a_length_or_a_ratio);
    tcase_add_test(all, the_default_gap_is_that_of_the_engine);
    tcase_add_test(all, rattlers_have_few_contacts);
    tcase_add_test(all, contacts_are_those_of_all_pairs);
    tcase_add_test(all, other_shapes_are_refused);
    return suite_run("contacts", all);
}
