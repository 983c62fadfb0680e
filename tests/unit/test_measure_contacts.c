/* Detects contacts that are missed, counted twice or made up, and wrong fabric tensors, against lattices, sheared and stretched
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

/* A particle is no partner of its own images, however wide the gap. */
START_TEST(images_of_a_particle_are_not_its_contacts)
{
    for (int sheared = 0; sheared < 2; sheared++) {
        carom_frame f = frame_of(3, 1, 3);
        f.position[1] = 2.9;
        f.shear = sheared;
        observer o = measure("coordination", &f, 2.5, -1, false);
        EXPECT_CLOSE("contacts", last_of(&o, "contacts"), 0, 0);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

START_TEST(other_shapes_are_refused)
{
    static const char *const what[] = {"coordination", "fabric"};
    for (int k = 0; k < 2; k++) {
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

/* ---- fabric ------------------------------------------------------------------------------------------------------ */

static void expect_fabric(observer *o, int dimension, const double tensor[3][3], double anisotropy,
                          const double *direction)
{
    const size_t d = (size_t)dimension;
    measure_result r = observer_result(o);
    const measure_value found = result_value(&r, "tensor");
    const double *axis = table_column(&r.tables[0], "direction").data;
    ck_assert_uint_eq(found.width, d * d);
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++) EXPECT_CLOSE("tensor", found.mean[a * d + b], tensor[a][b], 7e-16);
    EXPECT_CLOSE("anisotropy", result_value(&r, "anisotropy").mean[0], anisotropy, 7e-16);
    for (size_t k = 0; direction != NULL && k < d; k++) EXPECT_CLOSE("direction", axis[k], direction[k], 2e-15);
}

START_TEST(cubic_and_hexagonal_lattices_are_isotropic)
{
    const double third[3][3] = {{1 / 3.0, 0, 0}, {0, 1 / 3.0, 0}, {0, 0, 1 / 3.0}}, half[3][3] = {{0.5, 0}, {0, 0.5}};
    for (int kind = 0; kind < 3; kind++) {
        carom_frame f = kind == 0 ? cubic(4) : kind == 1 ? fcc(4) : hexagonal(5);
        observer o = measure("fabric", &f, -1, -1, false);
        expect_fabric(&o, f.dimension, kind == 2 ? half : third, 0, NULL);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* A lattice that is stretched by 1.2 along z keeps its contacts along x and y: eigenvalues 1/2, 1/2, 0, and the other way
 * around 1, 0, 0. */
START_TEST(a_stretched_lattice_has_planes_or_columns)
{
    for (int columns = 0; columns < 2; columns++) {
        const double along = columns ? 1 : 1.2, across = columns ? 1.2 : 1;
        carom_frame f = lattice(3, (size_t[3]){4, 5, 6}, (double[3]){across, across, along}, 1, one_point);
        const double plane[3][3] = {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0}},
                     line[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}};
        observer o = measure("fabric", &f, 0.1, -1, false);
        /* F' = (1/6, 1/6, -1/3): F':F' = 1/6, times 3/2 */
        expect_fabric(&o, 3, columns ? line : plane, columns ? 1 : 0.5, columns ? (const double[3]){0, 0, 1} : NULL);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* Layers of disks, each displaced by `shift` to the last: contacts along x, and along (shift, h) and (shift - 1, h) where
 * these are near enough. */
START_TEST(a_sheared_lattice_has_its_axes)
{
    const double h = 0.8, shift = 0.45, cut = 1e-3;
    const double u[3][2] = {{1, 0}, {shift, h}, {shift - 1, h}};
    enum { ALONG = 20, ROWS = 20 }; /* after 20 layers the displacement is 9 diameters */
    carom_frame f = frame_of(2, ALONG * ROWS, 1);
    f.box[0] = ALONG;
    f.box[1] = h * ROWS;
    for (size_t i = 0; i < f.count; i++) {
        const double x = (double)(i % ALONG) + shift * (double)(i / ALONG);
        f.position[2 * i] = x - floor(x / ALONG) * ALONG;
        f.position[2 * i + 1] = h * (double)(i / ALONG);
    }
    double tensor[3][3] = {{0}};
    int near = 0;
    for (int k = 0; k < 3; k++) {
        const double length = hypot(u[k][0], u[k][1]);
        if (length > 1 + cut) continue;
        near++;
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) tensor[a][b] += u[k][a] * u[k][b] / (length * length);
    }
    ck_assert_int_eq(near, 3);
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) tensor[a][b] /= near;
    const double angle = 0.5 * atan2(2 * tensor[0][1], tensor[0][0] - tensor[1][1]);
    const double size = hypot(tensor[0][0] - tensor[1][1], 2 * tensor[0][1]);
    const double sign = sin(angle) < 0 ? -1 : 1, direction[3] = {sign * cos(angle), sign * sin(angle), 0};
    observer o = measure("fabric", &f, cut, -1, false);
    expect_fabric(&o, 2, (const double(*)[3])tensor, size, direction);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* One disk on the floor: the normal of the wall. */
START_TEST(walls_have_normals)
{
    carom_frame f = frame_of(2, 1, 10);
    f.boundary[1] = BOUNDARY_WALL;
    f.position[1] = 9.5;
    observer o = measure("fabric", &f, 1e-6, -1, true), none = measure("fabric", &f, 1e-6, -1, false);
    expect_fabric(&o, 2, (const double[3][3]){{0, 0}, {0, 1}}, 1, (const double[3]){0, 1});
    measure_result r = observer_result(&none);
    ck_assert_uint_eq(r.tables[0].rows, 0); /* no contact: no row */
    observer_free(&o);
    observer_free(&none);
    frame_destroy(&f);
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
    tcase_add_test(all, images_of_a_particle_are_not_its_contacts);
    tcase_add_test(all, other_shapes_are_refused);
    tcase_add_test(all, cubic_and_hexagonal_lattices_are_isotropic);
    tcase_add_test(all, a_stretched_lattice_has_planes_or_columns);
    tcase_add_test(all, a_sheared_lattice_has_its_axes);
    tcase_add_test(all, walls_have_normals);
    return suite_run("contacts", all);
}
