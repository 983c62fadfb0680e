/* Detects wrong exports: XYZ, CSV, VTP and PVD files, links across periodic sides, strains, images, replaced files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <hdf5.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <sys/stat.h>

#include "../support/expect.h"
#include "../support/gas.h"
#include "../support/suite.h"
#include "base/memory.h"
#include "output/results/checkpoint.h"
#include "output/results/export.h"
#include "output/results/info.h"
#include "output/results/strain.h"

enum { SIDE = 3, FRAMES = 4 };

static reader *write_run(carom_frame *f, const result_links *links, uint64_t frames)
{
    error e = {0};
    gas_measure m;
    result *r;
    reader *read;
    result_header header = gas_header();
    header.links = links;
    gas_folder();
    gas_measure_create(&m);
    gas_at(f, SIDE, 0);
    gas_must(result_create(&r, "r.h5", true, &header, m.watched, 2, f, &e), &e);
    gas_run(r, f, SIDE, &m, 0, frames);
    gas_finish(r, f, &m);
    gas_must(reader_open(&read, "r.h5", &e), &e);
    return read;
}

static reader *make_linked(int dimension, const result_links *links)
{
    carom_frame f;
    gas_create(&f, dimension, SIDE);
    f.boundary[1] = FRAME_WALL;
    reader *read = write_run(&f, links, FRAMES);
    frame_destroy(&f);
    return read;
}

static reader *make(int dimension)
{
    return make_linked(dimension, NULL);
}

static char *load(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "no %s", path);
    char *text = calloc(1 << 20, 1);
    ck_assert_uint_lt(fread(text, 1, 1 << 20, file), 1 << 20);
    fclose(file);
    return text;
}

/* Line number `line` (from 0) of a text. */
static void expect_line(const char *text, size_t line, const char *wanted)
{
    while (line-- > 0) {
        text = strchr(text, '\n');
        ck_assert_ptr_nonnull(text);
        text++;
    }
    char got[512];
    snprintf(got, sizeof got, "%.*s", (int)strcspn(text, "\n"), text);
    printf("%s\n", got);
    ck_assert_str_eq(got, wanted);
}

START_TEST(extended_xyz)
{
    error e = {0};
    reader *r = make(3);
    ck_assert_int_eq(export_result(r, "xyz", "r.xyz", false, &e), CAROM_OK);
    char *text = load("r.xyz");
    expect_line(text, 0, "27");
    expect_line(text, 1,
                "Lattice=\"6 0 0 0 6 0 0 0 6\" Properties=type:S:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1:id:I:1 "
                "Time=0 pbc=\"T F T\"");
    expect_line(text, 2, "light 1 1 1 0.25 0.125 0.5 0.5 1 0");
    expect_line(text, 29, "27");
    expect_line(text, 29 + 2 + 26, "light 5.125 5.0625 5.25 0.25 0.125 0.5 0.5 1 26");
    expect_line(text, 29 + 2 + 25, "heavy 3.125 5.0625 5.25 0.25 0.125 0.5 0.5 2 25");
    free(text);
    reader_close(r);
}
END_TEST

START_TEST(csv)
{
    error e = {0};
    reader *r = make(2);
    ck_assert_int_eq(export_result(r, "csv", "r.csv", false, &e), CAROM_OK);
    char *text = load("r.csv");
    expect_line(text, 0, "frame,time,id,species,x,y,z,vx,vy,vz,image_x,image_y,image_z,radius,mass");
    expect_line(text, 1 + 9 * 3 + 4, "3,1.5,4,light,3.375,3.1875,0,0.25,0.125,0,0,0,0,0.5,1");
    free(text);
    reader_close(r);
}
END_TEST

START_TEST(vtp_and_pvd)
{
    error e = {0};
    reader *r = make(3);
    mkdir("out", 0777);
    ck_assert_int_eq(export_result(r, "vtp", "out/r.pvd", false, &e), CAROM_OK);
    char *text = load("out/r.pvd");
    ck_assert_ptr_nonnull(strstr(text, "<DataSet timestep=\"1.5\" part=\"0\" file=\"r/r_000003.vtp\"/>"));
    free(text);
    text = load("out/r/r_000003.vtp");
    ck_assert_ptr_nonnull(strstr(text, "<Piece NumberOfPoints=\"27\" NumberOfVerts=\"27\">"));
    /* 27 radii of 0.5: a header of eight bytes (216), then 216 bytes. */
    ck_assert_ptr_nonnull(
        strstr(text, "Name=\"radius\" format=\"binary\">2AAAAAAAAAA=AAAAAAAA4D8AAAAAAADgPwAAAAAAAOA/"));
    free(text);
    reader_close(r);
}
END_TEST

/* Lines 0-1 and 3-5; 0 and 2 are neighbours through the periodic boundary, and no line is drawn across the box. */
START_TEST(springs_and_segments_are_lines)
{
    error e = {0};
    uint32_t i[2] = {0, 0}, j[2] = {1, 2}, a[1] = {3}, b[1] = {5};
    double radius[1] = {0.25};
    const result_links links = {
        .springs = 2, .segments = 1, .spring = {i, j}, .segment = {a, b}, .radius = radius, .closed = true};
    reader *r = make_linked(2, &links);
    result_links back;
    gas_must(reader_links(r, &back, &e), &e);
    ck_assert(back.springs == 2 && back.segments == 1 && back.closed && back.owner == NULL);
    ck_assert(back.spring[1][1] == 2 && back.segment[0][0] == 3 && back.radius[0] == 0.25);
    links_free(&back);
    ck_assert_int_eq(export_result(r, "vtp", "r.vtp", false, &e), CAROM_OK);
    char *text = load("r/r_000000.vtp");
    ck_assert_ptr_nonnull(strstr(text, "<Piece NumberOfPoints=\"9\" NumberOfVerts=\"9\" NumberOfLines=\"1\">"));
    /* One line of two Int64: 16 bytes, 0 and 1; it ends at 2. Nine particles and a spring. */
    ck_assert_ptr_nonnull(strstr(text, "<Lines>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"binary\">"
                                       "EAAAAAAAAAA=AAAAAAAAAAABAAAAAAAAAA==</DataArray>"));
    ck_assert_ptr_nonnull(strstr(text, "Name=\"kind\" format=\"binary\">CgAAAAAAAAA=AAAAAAAAAAAAAQ==</DataArray>"));
    free(text);
    reader_close(r);
}
END_TEST

/* In a box that is no cube a spring is across where it is longer than half of the side along which it lies. */
START_TEST(springs_across_each_side)
{
    for (int axis = 0; axis < 3; axis++) {
        uint32_t i[2] = {0, 0}, j[2] = {1, 2};
        const result_links links = {.springs = 2, .spring = {i, j}};
        result_header header = gas_header();
        header.links = &links;
        error e = {0};
        carom_frame f;
        result *r;
        reader *read;
        gas_measure m;
        gas_folder();
        gas_must(frame_create(&f, 3, 3, &e), &e);
        for (int k = 0; k < 3; k++) f.box[k] = k == axis ? 6 : 6 + 5 * (k + 1);
        for (size_t n = 0; n < 3; n++) {
            for (int k = 0; k < 3; k++) f.position[3 * n + (size_t)k] = k == axis ? 1 + 2 * (double)n : 1;
            f.radius[n] = 0.5;
            f.mass[n] = 1;
            f.id[n] = (uint32_t)n;
        }
        gas_measure_create(&m);
        gas_must(result_create(&r, "r.h5", true, &header, m.watched, 2, &f, &e), &e);
        gas_must(result_frame(r, &f, &e), &e);
        gas_finish(r, &f, &m);
        frame_destroy(&f);
        gas_must(reader_open(&read, "r.h5", &e), &e);
        ck_assert_int_eq(export_result(read, "vtp", "r.vtp", false, &e), CAROM_OK);
        char *text = load("r/r_000000.vtp");
        ck_assert_ptr_nonnull(strstr(text, "NumberOfVerts=\"3\" NumberOfLines=\"1\">"));
        free(text);
        reader_close(read);
    }
}
END_TEST

/* A unit square of two triangles, points 1 to 4, with a particle, point 0. It is stretched to 1.5 along x, and 2 and 3 pass
 * the boundary of the box. The diagonal joins 1 and 3: sqrt(2) before, sqrt(3.25) after. */
START_TEST(strain_of_a_mesh)
{
    static char name[] = "square";
    static uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    result_mesh square = {.name = name, .first = 1, .vertices = 4, .triangles = triangles, .triangle_count = 2};
    const result_links links = {.mesh = &square, .meshes = 1};
    double strain[5] = {7};
    mesh_strain s;
    carom_frame f;
    error e = {0};
    gas_must(frame_create(&f, 3, 5, &e), &e);
    for (int k = 0; k < 3; k++) f.box[k] = 4;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 2; k++) f.position[3 * (i + 1) + k] = corner[i][k];
    gas_must(strain_create(&s, &links, &f, &e), &e);
    strain_find(&s, &links, &f, strain);
    for (size_t i = 1; i < 5; i++) EXPECT_CLOSE("strain at rest", strain[i], 0, 0);
    for (size_t i = 2; i < 4; i++) {
        f.position[3 * i] = 1.5 - 4;
        f.image[3 * i] = 1;
    }
    strain_find(&s, &links, &f, strain);
    const double diagonal = sqrt(3.25 / 2) - 1;
    EXPECT_CLOSE("a particle", strain[0], 7, 0);
    EXPECT_CLOSE("both triangles", strain[1], (0.5 + 2 * diagonal + 0) / 4, 1e-15);
    EXPECT_CLOSE("one triangle", strain[2], 0.5 / 2, 1e-15);
    EXPECT_CLOSE("both triangles", strain[3], (0 + 2 * diagonal + 0.5) / 4, 1e-15);
    EXPECT_CLOSE("one triangle", strain[4], 0.5 / 2, 1e-15);
    strain_free(&s);
    frame_destroy(&f);
}
END_TEST

static void read_images(const char *path, hssize_t count, int64_t *image)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "particles/trajectory/image/value", H5P_DEFAULT), space = H5Dget_space(dataset);
    ck_assert_int_eq(H5Sget_simple_extent_npoints(space), count);
    ck_assert_int_ge(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, image), 0);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
}

/* Vertices of rigid meshes are not listed; what comes after them keeps its own images. */
START_TEST(images_of_what_is_listed)
{
    enum { POST = 18, CLOTH = 22, ALL = 27, LISTED = 23, FRAME = 16 };
    static char names[2][6] = {"post", "cloth"};
    static uint32_t triangle[1][3] = {{0, 1, 2}};
    static int64_t image[FRAME + 1][LISTED][3];
    result_mesh mesh[2] = {{.name = names[0], .first = POST, .vertices = CLOTH - POST, .triangles = triangle},
                           {.name = names[1], .first = CLOTH, .vertices = ALL - CLOTH, .triangles = triangle}};
    const result_links links = {.mesh = mesh, .meshes = 2};
    error e = {0};
    carom_frame f;
    mesh[0].rigid = true;
    mesh[0].triangle_count = mesh[1].triangle_count = 1;
    gas_create(&f, 3, SIDE);
    f.vertices = ALL - POST;
    reader *read = write_run(&f, &links, FRAME + 1);
    gas_must(export_result(read, "h5md", "out.h5md", false, &e), &e);
    reader_close(read);
    read_images("out.h5md", (FRAME + 1) * LISTED * 3, &image[0][0][0]);
    for (size_t n = 0; n < LISTED; n++)
        for (size_t k = 0; k < 3; k++)
            ck_assert_int_eq(image[FRAME][n][k], f.image[3 * (n < POST ? n : n + CLOTH - POST) + k]);
    frame_destroy(&f);
}
END_TEST

START_TEST(nothing_is_replaced_unasked)
{
    error e = {0};
    reader *r = make(3);
    static const char *const formats[] = {"xyz", "csv", "vtp", "h5md"};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(export_result(r, formats[i], "a.pvd", true, &e), CAROM_OK);
        ck_assert_int_eq(export_result(r, formats[i], "a.pvd", false, &e), CAROM_NO_CREATE);
        ck_assert_str_eq(error_text(&e), "error: 'a.pvd' exists; name another target, or give --force to replace it");
    }
    ck_assert_int_eq(export_result(r, "xyz", "r.h5/a.xyz", false, &e), CAROM_NO_CREATE);
    ck_assert_int_eq(export_result(r, "stl", "b", false, &e), CAROM_USAGE);
    ck_assert_str_eq(error_text(&e), "error: no export format 'stl'; there are xyz, vtp, csv, h5md, obj and ply");
    ck_assert_int_eq(export_result(r, "obj", "b", false, &e), CAROM_USAGE);
    ck_assert_str_eq(error_text(&e), "error: 'r.h5' has no meshes; export it as xyz, vtp or csv");
    ck_assert_int_eq(export_result(r, "xyz", "/dev/full", true, &e), CAROM_IO);
    ck_assert_str_eq(
        error_text(&e),
        "error: cannot write '/dev/full': No space left on device; free disk space or choose another folder");
    error_clear(&e);
    reader_close(r);
}
END_TEST

START_TEST(decimal_commas)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) printf("no locale with decimal commas here: in C only\n");
    error e = {0};
    reader *r = make(3);
    ck_assert_int_eq(export_result(r, "csv", "r.csv", false, &e), CAROM_OK);
    char *text = load("r.csv"), *json;
    expect_line(text, 28, "1,0.5,0,light,1.125,1.0625,1.25,0.25,0.125,0.5,0,0,0,0.5,1");
    free(text);
    ck_assert_int_eq(info_result(r, true, &json, &e), CAROM_OK);
    json_t *parsed = json_loads(json, 0, NULL);
    ck_assert_ptr_nonnull(parsed);
    EXPECT_CLOSE("time", json_real_value(json_object_get(parsed, "time")), 1.5, 0);
    json_decref(parsed);
    memory_free(json);
    reader_close(r);
}
END_TEST

START_TEST(info_of_a_result)
{
    error e = {0};
    char *text;
    reader *r = make(3);
    ck_assert_int_eq(info_result(r, false, &text, &e), CAROM_OK);
    printf("%s\n", text);
    static const char *const wanted[] = {
        "title         Drift\n",
        "engine        hard\n",
        "particles     27\n",
        "box           6 x 6 x 6  (periodic, wall, periodic)\n",
        "frames        4\n",
        "time          1.5\n",
        "stop          time\n",
        "events        15  (collision 15, transfer 4)\n",
        "  pressure.pressure = 3.375 +- 0.01\n",
        "  rdf/g: 5 rows of r, g",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_msg(strstr(text, wanted[i]) != NULL, "no '%s'", wanted[i]);
    memory_free(text);
    ck_assert_int_eq(info_result(r, true, &text, &e), CAROM_OK);
    json_t *json = json_loads(text, 0, NULL), *pressure;
    ck_assert_str_eq(json_string_value(json_object_get(json, "what")), "result");
    ck_assert_int_eq(json_integer_value(json_object_get(json, "frames")), 4);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(json, "events"), "total")), 15);
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(json, "summary"), "stop")), "time");
    pressure = json_object_get(json_object_get(json_object_get(json, "observables"), "pressure"), "values");
    EXPECT_CLOSE("mean", json_real_value(json_object_get(json_object_get(pressure, "pressure"), "mean")), 3.375, 0);
    json_decref(json);
    memory_free(text);
    reader_close(r);
}
END_TEST

START_TEST(info_of_a_checkpoint)
{
    static char version[] = "0.1.0", commit[] = "abc", scene[] = "carom: 1\n", title[] = "T \"q\"", engine[] = "hard";
    static uint64_t lengths[1] = {7};
    checkpoint c = {version, commit, scene, title, engine, 2.5, 100, 30, 20, lengths, 1, {0}};
    error e = {0};
    char *text;
    ck_assert_int_eq(info_checkpoint(&c, "r.h5.checkpoint", false, &text, &e), CAROM_OK);
    printf("%s\n", text);
    ck_assert_ptr_nonnull(strstr(text, "what          checkpoint of carom"));
    ck_assert_ptr_nonnull(strstr(text, "time          2.5\n"));
    memory_free(text);
    ck_assert_int_eq(info_checkpoint(&c, "r.h5.checkpoint", true, &text, &e), CAROM_OK);
    json_t *json = json_loads(text, 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(json, "title")), "T \"q\"");
    ck_assert_int_eq(json_integer_value(json_object_get(json, "frames")), 7);
    json_decref(json);
    memory_free(text);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("export and info");
    tcase_add_test(tests, extended_xyz);
    tcase_add_test(tests, csv);
    tcase_add_test(tests, vtp_and_pvd);
    tcase_add_test(tests, springs_and_segments_are_lines);
    tcase_add_test(tests, springs_across_each_side);
    tcase_add_test(tests, strain_of_a_mesh);
    tcase_add_test(tests, nothing_is_replaced_unasked);
    tcase_add_test(tests, images_of_what_is_listed);
    tcase_add_test(tests, decimal_commas);
    tcase_add_test(tests, info_of_a_result);
    tcase_add_test(tests, info_of_a_checkpoint);
    return suite_run("export", tests);
}
