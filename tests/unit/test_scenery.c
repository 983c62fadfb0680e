/* Detects wrong vessels in pictures: framing, sharp and smooth edges of meshes, opaque walls that do not hide. */
#include "../support/expect.h"
#include "../support/suite.h"

#include <string.h>

#include "base/memory.h"
#include "frame/channels.h"
#include "view/framing.h"
#include "view/render/faces.h"
#include "view/render/molecules.h"
#include "view/render/raster.h"

/* ---- framing ----------------------------------------------------------------------------------------------------- */

/* `count` bodies evenly from 0 to 1 along x, of which the last `gone` are at `away`. */
static framing seen_of(size_t count, size_t gone, double away, const framing *limits)
{
    carom_frame f;
    error e = {0};
    framing seen = framing_none();
    ck_assert_int_eq(frame_create(&f, 2, count, &e), CAROM_OK);
    f.boundary[0] = f.boundary[1] = FRAME_OPEN;
    for (size_t i = 0; i < count; i++) {
        f.position[2 * i] = i < count - gone ? (double)i / (double)(count - gone - 1) : away;
        f.radius[i] = 0.1;
    }
    framing_see(&seen, &f, NULL, limits);
    frame_destroy(&f);
    return seen;
}

START_TEST(the_bulk_is_framed)
{
    const framing all = framing_all();
    framing seen = seen_of(10000, 300, 1e6, &all);
    EXPECT_CLOSE("high end of the bulk", seen.high[0], 1.1, 1e-12);
    EXPECT_CLOSE("low end of the bulk", seen.low[0], -0.1, 1e-12);
    seen = seen_of(10000, 300, 1.8, &all);
    EXPECT_CLOSE("beside the bulk", seen.high[0], 1.9, 1e-12);
    seen = seen_of(10, 1, 1e6, &all);
    EXPECT_CLOSE("few bodies all count", seen.high[0], 1e6 + 0.1, 1e-9);
    seen = seen_of(10000, 300, (double)NAN, &all);
    EXPECT_CLOSE("no place", seen.high[0], 1.1, 1e-12);
}
END_TEST

START_TEST(what_has_left_a_vessel_is_not_framed)
{
    framing vessel = framing_none();
    framing_widen(&vessel, 0, -1, 1);
    framing_widen(&vessel, 1, 0, 4);
    const framing limits = framing_vicinity(&vessel, 2);
    EXPECT_CLOSE("half its size to the right", limits.high[0], 3, 1e-15);
    EXPECT_CLOSE("and down", limits.low[1], -2, 1e-15);
    const framing seen = seen_of(100, 80, 50, &limits);
    EXPECT_CLOSE("most have left", seen.high[0], 1.1, 1e-12);
}
END_TEST

/* ---- edges and normals ------------------------------------------------------------------------------------------- */

/* A unit cube; `turned` facets run the wrong way. */
static const uint32_t cube[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static void make_cube(double x[8][3], uint32_t triangles[12][3], unsigned turned)
{
    for (int n = 0; n < 8; n++)
        for (int k = 0; k < 3; k++) x[n][k] = n >> k & 1;
    memcpy(triangles, cube, sizeof cube);
    for (int t = 0; t < 12; t++) {
        if (!(turned >> t & 1)) continue;
        const uint32_t swapped = triangles[t][1];
        triangles[t][1] = triangles[t][2];
        triangles[t][2] = swapped;
    }
}

static size_t count_lines(const faces *f)
{
    size_t lines = 0;
    for (size_t t = 0; t < f->count; t++)
        for (int k = 0; k < 3; k++) lines += f->lines[t] >> k & 1;
    return lines;
}

START_TEST(cubes_are_sharp_and_have_no_diagonals)
{
    static const unsigned turns[] = {0, 0xfff, 0x5a3, 0x801};
    for (size_t n = 0; n < sizeof turns / sizeof *turns; n++) {
        double x[8][3], least = 1;
        uint32_t triangles[12][3];
        faces f;
        error e = {0};
        make_cube(x, triangles, turns[n]);
        ck_assert_int_eq(faces_create(&f, (const uint32_t(*)[3])triangles, 12, &e), CAROM_OK);
        faces_shade(&f, x);
        for (size_t t = 0; t < 12; t++)
            for (int k = 0; k < 3; k++) {
                float normal[3];
                faces_normal(&f, t, k, normal);
                least = fmin(least, fabs((double)normal[2 - t / 4]));
            }
        EXPECT_CLOSE("normals along the axes", least, 1, 1e-6);
        EXPECT_CLOSE("half-edges that are lines", (double)count_lines(&f), 24, 0);
        faces_free(&f);
    }
}
END_TEST

/* A prism of `sides` sides without ends; the largest distance of normals from the radial direction. */
static double worst_on_prism(uint32_t sides, size_t *lines)
{
    uint32_t(*triangles)[3] = memory_new(2 * sides, sizeof *triangles);
    double(*x)[3] = memory_new(2 * sides, sizeof *x), worst = 0;
    faces f;
    error e = {0};
    for (uint32_t k = 0; k < sides; k++) {
        const uint32_t a = 2 * k, b = 2 * ((k + 1) % sides), corners[2][3] = {{a, b, a + 1}, {b, b + 1, a + 1}};
        memcpy(triangles + 2 * k, corners, sizeof corners);
        for (uint32_t end = 0; end < 2; end++) {
            x[2 * k + end][0] = cos(2 * acos(-1.0) * k / sides);
            x[2 * k + end][1] = sin(2 * acos(-1.0) * k / sides);
            x[2 * k + end][2] = end;
        }
    }
    ck_assert_int_eq(faces_create(&f, (const uint32_t(*)[3])triangles, 2 * sides, &e), CAROM_OK);
    faces_shade(&f, x);
    for (size_t t = 0; t < 2 * sides; t++)
        for (int k = 0; k < 3; k++) {
            float normal[3];
            const double *at = x[triangles[t][k]];
            faces_normal(&f, t, k, normal);
            worst = fmax(worst, 1 - fabs(normal[0] * at[0] + normal[1] * at[1]));
        }
    *lines = count_lines(&f);
    faces_free(&f);
    memory_free(triangles);
    memory_free(x);
    return worst;
}

START_TEST(round_walls_are_smooth)
{
    size_t lines;
    EXPECT_CLOSE("normals of 16 sides lean", worst_on_prism(16, &lines), 0, 0.01);
    EXPECT_CLOSE("lines: the two rims", (double)lines, 32, 0);
    EXPECT_CLOSE("normals of 8 sides: of the faces", worst_on_prism(8, &lines), 1 - cos(acos(-1.0) / 8), 1e-6);
    EXPECT_CLOSE("lines: rims and edges", (double)lines, 16 + 16, 0);
}
END_TEST

START_TEST(sheets_are_drawn_as_quadrilaterals)
{
    /* Two squares, one split each way; three triangles share the edge 1-4 of the last. */
    double x[7][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {1, 0.5, 1}};
    static const uint32_t triangles[5][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 4}, {2, 5, 4}, {1, 4, 6}};
    faces f;
    error e = {0};
    ck_assert_int_eq(faces_create(&f, triangles, 4, &e), CAROM_OK);
    ck_assert_int_eq(faces_find_diagonals(&f, x, &e), CAROM_OK);
    x[4][2] = 0.3; /* bent since */
    faces_shade(&f, x);
    EXPECT_CLOSE("half-edges of two squares", (double)count_lines(&f), 8, 0);
    faces_free(&f);
    ck_assert_int_eq(faces_create(&f, triangles, 5, &e), CAROM_OK);
    ck_assert_uint_eq(f.twin[0], FACES_NONE); /* 1-4: three triangles */
    faces_free(&f);
}
END_TEST

/* ---- depth ------------------------------------------------------------------------------------------------------- */

enum { WIDTH = 120, HEIGHT = 100 };

static void begin(raster *r)
{
    const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
    const camera_options wish = {.azimuth = 0, .elevation = 0, .zoom = 1, .upward = 2};
    camera c;
    error e = {0};
    camera_fit(&c, 3, low, high, &wish, (viewport){0, 0, WIDTH, HEIGHT});
    ck_assert_int_eq(raster_create(r, WIDTH, HEIGHT, 3, &e), CAROM_OK);
    raster_clear(r, &c, (colour){0, 0, 0});
}

/* A wall across the picture at a depth y, reaching from -wide to wide. */
static void draw_wall(raster *r, double y, double wide, unsigned flags)
{
    const double corners[4][3] = {{-wide, y, -wide}, {wide, y, -wide}, {wide, y, wide}, {-wide, y, wide}};
    raster_corner t[4] = {0};
    for (int k = 0; k < 4; k++) camera_see(&r->camera, corners[k], t[k].seen);
    raster_triangle(r, t, 0x808080, RASTER_UNLIT | flags);
    raster_triangle(r, (raster_corner[]){t[0], t[2], t[3]}, 0x808080, RASTER_UNLIT | flags);
}

static size_t count_paint(const raster *r, uint32_t paint)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)r->across * (size_t)r->down; i++) count += r->paint[i] == paint;
    return count;
}

START_TEST(grains_do_not_shine_through_walls)
{
    /* A tiny grain that touches the wall from behind, drawn as a dot a tenth of the picture wide. */
    raster r;
    double seen[3];
    begin(&r);
    const size_t samples = (size_t)r.across * (size_t)r.down;
    r.least = 0.1 * 2 / r.camera.distance;
    camera_see(&r.camera, (double[]){0, 0.001, 0}, seen);
    draw_wall(&r, 0, 3, 0);
    raster_sphere(&r, seen, 0.001, 0x0000ff);
    EXPECT_CLOSE("samples of the wall", (double)count_paint(&r, 0x808080), (double)samples, 0);
    camera_see(&r.camera, (double[]){0, -0.002, 0}, seen);
    raster_sphere(&r, seen, 0.001, 0x0000ff);
    const double dot = acos(-1.0) * pow(0.2 * r.camera.scale / r.camera.distance, 2);
    EXPECT_CLOSE("samples of a dot before it", (double)(samples - count_paint(&r, 0x808080)), dot, 0.02 * dot);
    raster_free(&r);
}
END_TEST

START_TEST(walls_that_pass_the_eye_hide)
{
    /* A floor below the eye from far behind it to far ahead: its corners behind the eye are cut off, not all of it. */
    raster r;
    double seen[3];
    begin(&r);
    const double corners[3][3] = {{-1e3, -1e3, -0.5}, {1e3, -1e3, -0.5}, {0, 1e3, -0.5}};
    raster_corner t[3] = {0};
    for (int k = 0; k < 3; k++) camera_see(&r.camera, corners[k], t[k].seen);
    raster_triangle(&r, t, 0x808080, RASTER_UNLIT);
    camera_see(&r.camera, (double[]){0, 0, -0.8}, seen);
    raster_sphere(&r, seen, 0.2, 0x0000ff);
    ck_assert_uint_gt(count_paint(&r, 0x808080), (size_t)r.across * (size_t)r.down / 4);
    for (size_t i = 0; i < (size_t)r.across * (size_t)r.down; i++) ck_assert(r.paint[i] == 0x808080 || r.paint[i] == 0);
    raster_free(&r);
}
END_TEST

START_TEST(clear_walls_show_what_is_behind)
{
    raster r;
    begin(&r);
    draw_wall(&r, 0.5, 3, 0);
    draw_wall(&r, 0, 3, RASTER_CLEAR);
    const size_t samples = (size_t)r.across * (size_t)r.down, middle = samples / 2 + (size_t)r.across / 2;
    EXPECT_CLOSE("depth of what is behind", (double)r.depth[middle], r.camera.distance + 0.5, 1e-5);
    EXPECT_CLOSE("grey upon grey", (double)count_paint(&r, 0x808080), (double)samples, 0);
    draw_wall(&r, 0.9, 3, RASTER_CLEAR);
    EXPECT_CLOSE("hidden", (double)count_paint(&r, 0x808080), (double)samples, 0);
    raster_free(&r);
    begin(&r);
    draw_wall(&r, 0, 3, RASTER_CLEAR);
    EXPECT_CLOSE("a quarter of it on black", (double)count_paint(&r, 0x202020), (double)samples, 0);
    raster_free(&r);
}
END_TEST

/* ---- molecules --------------------------------------------------------------------------------------------------- */

/* Particles along a periodic box of length 10 and across an open one: 0 - 2 - 4 passes its end
 * twice. */
START_TEST(molecules_are_in_one_piece)
{
    enum { COUNT = 7 };
    static const double x[COUNT] = {9.5, 3, 0.5, 7, 8.5, 1, 7};
    static const uint32_t spring[2][3] = {{4, 6, 5}, {2, 5, 6}}, segment[2][1] = {{2}, {0}};
    const uint32_t *const springs[2] = {spring[0], spring[1]}, *const segments[2] = {segment[0], segment[1]};
    const connection kinds[] = {{springs, 3}, {segments, 1}};
    carom_frame f;
    molecules m;
    error e = {0};
    ck_assert_int_eq(frame_create(&f, 2, COUNT, &e), CAROM_OK);
    f.box[0] = f.box[1] = 10;
    f.boundary[1] = FRAME_OPEN;
    for (size_t i = 0; i < COUNT; i++) f.position[2 * i] = x[i], f.position[2 * i + 1] = 100 * (double)i;
    ck_assert_int_eq(molecules_create(&m, COUNT, kinds, 2, &e), CAROM_OK);
    static const uint32_t roots[COUNT] = {0, 1, 0, 3, 0, 5, 5};
    ck_assert_mem_eq(m.root, roots, sizeof roots);
    molecules_unwrap(&m, &f);
    static const double want[COUNT] = {9.5, 3, 10.5, 7, 8.5, 1, -3};
    for (size_t i = 0; i < COUNT; i++) {
        EXPECT_CLOSE("along the box", f.position[2 * i], want[i], 1e-15);
        EXPECT_CLOSE("unwrapped as before", f.position[2 * i] + 10 * (double)f.image[2 * i], x[i], 1e-15);
        EXPECT_CLOSE("across", f.position[2 * i + 1], 100 * (double)i, 0);
    }
    molecules_free(&m);
    frame_destroy(&f);
}
END_TEST

/* Four disks in contact across both boundaries, and one that is alone. */
START_TEST(clusters_are_in_one_piece)
{
    static const double x[5][2] = {{9.5, 9.5}, {0.5, 9.5}, {0.5, 0.5}, {1.5, 0.5}, {5, 5}};
    static const double want[5][2] = {{9.5, 9.5}, {10.5, 9.5}, {10.5, 10.5}, {11.5, 10.5}, {5, 5}};
    carom_frame f;
    error e = {0};
    double shift[2];
    ck_assert_int_eq(frame_create(&f, 2, 5, &e), CAROM_OK);
    ck_assert_int_eq(FRAME_ADD(&f, cluster, &e), CAROM_OK);
    f.box[0] = f.box[1] = 10;
    for (uint32_t i = 0; i < 5; i++) {
        memcpy(f.position + 2 * i, x[i], sizeof x[i]);
        f.radius[i] = 0.5;
        f.mass[i] = 1;
        f.id[i] = i;
        f.cluster[i] = i < 4 ? 0 : 4;
    }
    ck_assert_int_eq(clusters_unwrap(&f, &e), CAROM_OK);
    for (int k = 0; k < 2; k++) shift[k] = f.position[k] - want[0][k]; /* whichever is in the box */
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 2; k++)
            EXPECT_CLOSE("place", f.position[2 * i + k], want[i][k] + (i < 4 ? shift[k] : 0), 1e-12);
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("scenery");
    tcase_add_test(cases, the_bulk_is_framed);
    tcase_add_test(cases, what_has_left_a_vessel_is_not_framed);
    tcase_add_test(cases, cubes_are_sharp_and_have_no_diagonals);
    tcase_add_test(cases, round_walls_are_smooth);
    tcase_add_test(cases, sheets_are_drawn_as_quadrilaterals);
    tcase_add_test(cases, grains_do_not_shine_through_walls);
    tcase_add_test(cases, walls_that_pass_the_eye_hide);
    tcase_add_test(cases, clear_walls_show_what_is_behind);
    tcase_add_test(cases, molecules_are_in_one_piece);
    tcase_add_test(cases, clusters_are_in_one_piece);
    return suite_run("scenery", cases);
}
