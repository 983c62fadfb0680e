/* Detects wrong particles from H5MD files, written here with the HDF5 library, and wrong messages. */
#include <hdf5.h>
#include <unistd.h>

#include "../support/expect.h"
#include "../support/make_scene.h"
#include "../support/suite.h"
#include "scene/state/points.h"

static char grain[] = "grain", dust[] = "dust";
static const scene_species two[] = {{.name = grain}, {.name = dust}};
static const points_rules in_3d = {.dimension = 3, .species = two, .species_count = 2, .frame = -1},
                          in_2d = {.dimension = 2, .species = two, .species_count = 2, .frame = -1};
static char path[] = "/tmp/carom-test-h5md-XXXXXX";

static hid_t start_file(const char *group)
{
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t particles = H5Gcreate2(file, "particles", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t at = H5Gcreate2(particles, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(particles);
    H5Gclose(at);
    return file;
}

/* A data set, its groups made on the way. */
static void put(hid_t file, const char *name, hid_t stored, hid_t type, int rank, const hsize_t *shape,
                const void *data)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t space = H5Screate_simple(rank, shape, NULL);
    hid_t set = H5Dcreate2(file, name, stored, space, links, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

static void put_doubles(hid_t file, const char *name, int rank, const hsize_t *shape, const double *data)
{
    put(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, rank, shape, data);
}

static void read_points(points *p, const points_rules *rules)
{
    error e = {0};
    carom_status status = points_read(p, path, rules, &e);
    ck_assert_msg(status == CAROM_OK, "%s", error_text(&e));
}

static void refuse(const points_rules *rules, const char *format)
{
    error e = {0};
    points p;
    char message[300];
    snprintf(message, sizeof message, format, path);
    carom_status status = points_read(&p, path, rules, &e);
    printf("%s\n", error_text(&e));
    ck_assert_int_eq(status, CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&e), message);
    ck_assert_ptr_null(p.position);
    error_clear(&e);
    unlink(path);
}

static const double two_frames[2][3][3] = {{{0}}, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
static const hsize_t series[] = {2, 3, 3};

/* As our own results are: series, integers for species, edges as vectors. */
START_TEST(a_series)
{
    static const double velocities[2][3][3] = {{{0}}, {{-1, 0, 0}, {0, -2, 0}, {0, 0, -3}}};
    static const double radius[3] = {0.5, 1, 1.5}, mass[3] = {1, 2, 3},
                        edges[3][3][3] = {{{1}}, {{2}}, {{10, 0, 0}, {0, 20, 0}, {0, 0, 30}}};
    static const int species[3] = {0, 1, 0};
    static const hsize_t three[] = {3, 3, 3}; /* edges of more frames than positions: the last belong together */
    hid_t file = start_file("all");
    put_doubles(file, "particles/all/position/value", 3, series, &two_frames[0][0][0]);
    put_doubles(file, "particles/all/velocity/value", 3, series, &velocities[0][0][0]);
    put_doubles(file, "particles/all/radius", 1, &series[1], radius);
    put_doubles(file, "particles/all/mass", 1, &series[1], mass);
    put_doubles(file, "particles/all/box/edges/value", 3, three, &edges[0][0][0]);
    put(file, "particles/all/species", H5T_STD_I16BE, H5T_NATIVE_INT, 1, &series[1], species);
    H5Fclose(file);
    points p;
    read_points(&p, &in_3d);
    unlink(path);
    ck_assert_uint_eq(p.count, 3);
    EXPECT_CLOSE("position", p.position[2][1], 8, 0);
    EXPECT_CLOSE("velocity", p.velocity[1][1], -2, 0);
    EXPECT_CLOSE("diameter", p.diameter[2], 3, 0);
    EXPECT_CLOSE("mass", p.mass[1], 2, 0);
    EXPECT_CLOSE("box", p.box[2], 30, 0);
    ck_assert(p.has_box && p.species[0] == 0 && p.species[1] == 1 && p.species[2] == 0);
    points_free(&p);
}
END_TEST

/* As others write them: one frame, single precision, another group name, species by name, edges as a vector. */
START_TEST(one_frame)
{
    static const float positions[2][2] = {{1.5f, 2}, {3, 4}};
    static const hsize_t shape[] = {2, 2};
    static const double edges[2] = {5, 6};
    static const short species[2] = {7, 3};
    hid_t file = start_file("atoms"), names = H5Tenum_create(H5T_STD_I16LE);
    short value = 3;
    H5Tenum_insert(names, "grain", &value);
    value = 7;
    H5Tenum_insert(names, "dust", &value);
    value = 9;
    H5Tenum_insert(names, "other", &value);
    put(file, "particles/atoms/position", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, 2, shape, positions);
    put_doubles(file, "particles/atoms/box/edges", 1, shape, edges);
    put(file, "particles/atoms/species", names, names, 1, shape, species);
    H5Tclose(names);
    H5Fclose(file);
    points p;
    read_points(&p, &in_2d);
    unlink(path);
    ck_assert(p.count == 2 && p.velocity == NULL && p.species[0] == 1 && p.species[1] == 0);
    EXPECT_CLOSE("x", p.position[0][0], 1.5, 0);
    EXPECT_CLOSE("z", p.position[1][2], 0, 0);
    EXPECT_CLOSE("box", p.box[1], 6, 0);
    points_free(&p);
}
END_TEST

static hid_t start_series(void)
{
    hid_t file = start_file("all");
    put_doubles(file, "particles/all/position/value", 3, series, &two_frames[0][0][0]);
    return file;
}

START_TEST(no_group_to_choose)
{
    hid_t file = start_file("all");
    H5Fclose(file);
    refuse(&in_3d, "%s: error: no /particles/all/position");

    file = start_file("a");
    put_doubles(file, "particles/b/position", 2, &series[1], &two_frames[1][0][0]);
    H5Fclose(file);
    refuse(&in_3d, "%s: error: /particles holds 2 groups; there must be one, or one named all");

    file = start_file("all");
    H5Ldelete(file, "particles", H5P_DEFAULT);
    H5Fclose(file);
    refuse(&in_3d, "%s: error: no group /particles: this is not an H5MD file with particles");
}
END_TEST

START_TEST(wrong_shapes)
{
    static const double tilted[2][2] = {{1, 0}, {0.5, 1}};
    hid_t file = start_series();
    H5Fclose(file);
    refuse(&in_2d, "%s: error: position of particle 0: the third component is 3, but the scene has two dimensions");

    file = start_file("all");
    put_doubles(file, "particles/all/position", 1, &series[1], &two_frames[0][0][0]);
    H5Fclose(file);
    refuse(&in_3d, "%s: error: /particles/all/position: expected one vector of 3 components a particle");

    file = start_series();
    put_doubles(file, "particles/all/mass", 1, series, tilted[0]);
    H5Fclose(file);
    refuse(&in_3d, "%s: error: /particles/all/mass: expected one value for each of 3 particles");

    file = start_file("all");
    put_doubles(file, "particles/all/position", 2, (const hsize_t[]){1, 2}, tilted[0]);
    put_doubles(file, "particles/all/box/edges", 2, (const hsize_t[]){2, 2}, &tilted[0][0]);
    H5Fclose(file);
    refuse(&in_2d, "%s: error: /particles/all/box/edges: only boxes with their sides along the axes can be used");
}
END_TEST

START_TEST(wrong_numbers)
{
    static const double bad[3] = {1, -1, NAN};
    hid_t file = start_series();
    put_doubles(file, "particles/all/radius", 1, &series[1], bad);
    H5Fclose(file);
    refuse(&in_3d, "%s: error: radius of particle 1 is -1, expected a positive number");

    file = start_file("all");
    put_doubles(file, "particles/all/position/value", 3, (const hsize_t[]){1, 1, 3}, bad);
    H5Fclose(file);
    refuse(&in_3d, "%s: error: position of particle 0 is not finite");
}
END_TEST

START_TEST(wrong_frames)
{
    hid_t file = start_series();
    put_doubles(file, "particles/all/velocity/value", 3, (const hsize_t[]){1, 3, 3}, &two_frames[0][0][0]);
    H5Fclose(file);
    refuse(&in_3d, "%s: error: velocity has 1 frames, position 2: their last frames belong to different times");

    file = start_file("all");
    put_doubles(file, "particles/all/position/value", 3, (const hsize_t[]){0, 3, 3}, &two_frames[0][0][0]);
    H5Fclose(file);
    refuse(&in_3d, "%s: error: /particles/all/position holds no frame");
}
END_TEST

/* The caller refuses it, with the names that the scene knows. */
START_TEST(unknown_species)
{
    static const int species[3] = {0, 2, 0};
    hid_t file = start_series();
    put(file, "particles/all/species", H5T_STD_I32LE, H5T_NATIVE_INT, 1, &series[1], species);
    H5Fclose(file);
    points stranger;
    read_points(&stranger, &in_3d);
    unlink(path);
    ck_assert(stranger.strange && stranger.stranger == 1 && stranger.stranger_number == 2);
    ck_assert_ptr_null(stranger.stranger_name);
    points_free(&stranger);
}
END_TEST

START_TEST(damaged)
{
    hid_t file = start_series();
    H5Fclose(file);
    ck_assert_int_eq(truncate(path, 600), 0);
    refuse(&in_3d, "%s: error: the HDF5 file is damaged or still being written");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("h5md_in");
    tcase_add_test(cases, a_series);
    tcase_add_test(cases, one_frame);
    tcase_add_test(cases, no_group_to_choose);
    tcase_add_test(cases, wrong_shapes);
    tcase_add_test(cases, wrong_numbers);
    tcase_add_test(cases, wrong_frames);
    tcase_add_test(cases, unknown_species);
    tcase_add_test(cases, damaged);
    return suite_run("h5md_in", cases);
}
