/* Detects wrong axes, cameras and visible surfaces of drawn bodies, against known areas and depths. */
#include "../support/expect.h"
#include "../support/suite.h"

#include <string.h>

#include "base/memory.h"
#include "view/axis.h"
#include "view/plot/plot.h"
#include "view/render/flat.h"
#include "view/render/occlusion.h"
#include "view/render/raster.h"
#include "view/render/render.h"

enum { WIDTH = 200, HEIGHT = 160 };

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static void check_ticks(double low, double high, bool log)
{
    axis a;
    axis_set(&a, low, high, log, true, 300, 44);
    ck_assert_msg(a.low <= low && a.high >= high && a.count >= 2, "%g to %g became %g to %g, %zu ticks", low, high,
                  a.low, a.high, a.count);
    size_t named = 0;
    for (size_t k = 0; k < a.count; k++) {
        ck_assert(a.ticks[k].at >= a.low * (1 - 1e-9) - 1e-12 * fabs(high) || !log);
        ck_assert(axis_place(&a, a.ticks[k].at) > -1e-6 && axis_place(&a, a.ticks[k].at) < 1 + 1e-6);
        ck_assert(k == 0 || a.ticks[k].at > a.ticks[k - 1].at);
        named += !a.ticks[k].minor;
        for (size_t m = 0; m < k && !a.ticks[k].minor; m++)
            ck_assert_msg(a.ticks[m].minor || strcmp(a.ticks[m].label, a.ticks[k].label) != 0, "'%s' twice in %g to %g",
                          a.ticks[k].label, low, high);
    }
    printf("%g to %g%s: %zu ticks, %zu named, first '%s', common '%s'\n", low, high, log ? ", log" : "", a.count, named,
           a.ticks[0].label, a.common);
    ck_assert(named >= 2 && named <= 12);
}

START_TEST(axes_have_ticks_that_can_be_told_apart)
{
    static const double ranges[][2] = {{0, 1},        {-3, 7},      {1e-9, 3e-9},     {0, 123456789},  {5, 5},
                                       {0, 0},        {-1e-14, 0},  {3000, 3000.002}, {-1e300, 1e300}, {1e-300, 2e-300},
                                       {0.1, 0.1001}, {-2, -1.999}, {99, 101},        {1, 1 + 1e-13}};
    static const double positive[][2] = {{1, 10},    {0.5, 0.7}, {1e-12, 1e15}, {3, 3},       {1e-300, 1e300},
                                         {20, 5000}, {6.3, 7.9}, {2000, 2000},  {2e-7, 6e-7}, {3, 40}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) check_ticks(ranges[k][0], ranges[k][1], false);
    for (size_t k = 0; k < sizeof positive / sizeof *positive; k++) check_ticks(positive[k][0], positive[k][1], true);
}
END_TEST

START_TEST(steps_are_1_2_and_5)
{
    EXPECT_CLOSE("next to 0.3", axis_nice(0.3), 0.5, 1e-15);
    EXPECT_CLOSE("next to 5.1", axis_nice(5.1), 10, 1e-14);
    EXPECT_CLOSE("next to 2", axis_nice(2), 2, 1e-15);
    EXPECT_CLOSE("next to 1.2e-7", axis_nice(1.2e-7), 2e-7, 1e-21);
}
END_TEST

/* ---- the plane --------------------------------------------------------------------------------------------------- */

static double covered(const flat *f)
{
    double sum = 0;
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) sum += (double)(f->pixels[i] & 255u) / 255;
    return sum;
}

START_TEST(disks_cover_their_area)
{
    flat f = flat_on(NEW_ARRAY(WIDTH * HEIGHT, uint32_t), WIDTH, HEIGHT);
    const double radii[] = {0.2, 0.5, 0.59, 1.3, 2.7, 10.4, 60.1};
    for (size_t k = 0; k < sizeof radii / sizeof *radii; k++) {
        const double radius = radii[k], area = acos(-1.0) * radius * radius;
        memset(f.pixels, 0, WIDTH * HEIGHT * sizeof *f.pixels);
        flat_disk(&f, 100.3, 80.8, radius, 0xffffff);
        EXPECT_CLOSE("area of a disk", covered(&f), area, 0.02 * area + 0.02);
    }
    memset(f.pixels, 0, WIDTH * HEIGHT * sizeof *f.pixels);
    flat_rod(&f, (double[]){30, 40}, (double[]){120, 100}, 3, 0xffffff);
    const double area = 6 * hypot(90, 60) + 9 * acos(-1.0);
    EXPECT_CLOSE("area of a rod", covered(&f), area, 0.01 * area);
    memory_free(f.pixels);
}
END_TEST

START_TEST(disks_are_cut_off_where_it_is_asked_for)
{
    flat f = flat_on(NEW_ARRAY(WIDTH * HEIGHT, uint32_t), WIDTH, HEIGHT);
    f.low[0] = 100;
    f.high[1] = 80;
    const double radii[] = {20, 0.4};
    for (size_t k = 0; k < 2; k++) {
        const double area = acos(-1.0) * radii[k] * radii[k];
        memset(f.pixels, 0, WIDTH * HEIGHT * sizeof *f.pixels);
        flat_disk(&f, 100, 80, radii[k], 0xffffff);
        EXPECT_CLOSE("a quarter of a disk", covered(&f), 0.25 * area, 0.02 * area);
    }
    memory_free(f.pixels);
}
END_TEST

START_TEST(disks_outside_touch_nothing)
{
    flat f = flat_on(NEW_ARRAY(WIDTH * HEIGHT, uint32_t), WIDTH, HEIGHT);
    const double bad[] = {-1e9, 1e9, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t k = 0; k < 5; k++) {
        flat_disk(&f, bad[k], 10, 2, 0xffffff);
        flat_disk(&f, 10, bad[k], 2, 0xffffff);
        flat_disk(&f, bad[k], bad[k], 0.3, 0xffffff);
    }
    flat_disk(&f, 10, 10, (double)NAN, 0xffffff);
    EXPECT_CLOSE("nothing drawn", covered(&f), 0, 0);
    memory_free(f.pixels);
}
END_TEST

/* ---- space ------------------------------------------------------------------------------------------------------- */

static void begin(raster *r, camera *c)
{
    const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
    const camera_options wish = {.azimuth = 0, .elevation = 0, .zoom = 1, .upward = 2};
    error e = {0};
    camera_fit(c, 3, low, high, &wish, (viewport){0, 0, WIDTH, HEIGHT});
    ck_assert_int_eq(raster_create(r, WIDTH, HEIGHT, 3, &e), CAROM_OK);
    raster_clear(r, c, (colour){0, 0, 0});
}

static size_t count_hits(const raster *r)
{
    size_t hits = 0;
    for (size_t i = 0; i < (size_t)r->across * (size_t)r->down; i++) hits += isfinite(r->depth[i]) != 0;
    return hits;
}

START_TEST(spheres_cover_their_silhouette)
{
    const double places[][3] = {{0, 0, 0}, {0.6, -0.5, 0.4}, {-0.7, 0.9, -0.6}};
    for (size_t k = 0; k < 3; k++) {
        raster r;
        camera c;
        double seen[3], pixel[2];
        const double radius = 0.3;
        begin(&r, &c);
        camera_see(&r.camera, places[k], seen);
        raster_sphere(&r, seen, radius, 0xffffff);
        /* A sphere's outline on the plane of sight is an ellipse; its axes from the cone that touches it. */
        const double flat2 = seen[0] * seen[0] + seen[1] * seen[1], below = seen[2] * seen[2] - radius * radius;
        const double minor = radius / sqrt(below), major = radius * sqrt(flat2 + below) / below;
        const double area = acos(-1.0) * minor * major * r.camera.scale * r.camera.scale;
        EXPECT_CLOSE("samples on a sphere", (double)count_hits(&r), area, 0.002 * area);
        camera_project(&r.camera, seen, pixel);
        const float depth = r.depth[(size_t)pixel[1] * (size_t)r.across + (size_t)pixel[0]];
        const double nearest = seen[2] * (1 - radius / sqrt(flat2 + seen[2] * seen[2]));
        EXPECT_CLOSE("depth at its middle", (double)depth, nearest, 1e-3);
        raster_free(&r);
    }
}
END_TEST

START_TEST(order_of_drawing_does_not_matter)
{
    enum { COUNT = 400 };
    static double x[COUNT][3], radii[COUNT];
    static uint32_t paints[COUNT];
    uint64_t state = 7;
    for (size_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < 3; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            x[i][k] = (double)(state >> 11) * 0x1p-52 - 1;
        }
        radii[i] = 0.05 + 0.0002 * (double)i;
        paints[i] = (uint32_t)(state >> 40);
    }
    raster a, b;
    camera c;
    error e = {0};
    begin(&a, &c);
    begin(&b, &c);
    ck_assert_int_eq(raster_spheres(&a, *x, radii, paints, COUNT, &e), CAROM_OK);
    for (size_t i = 0; i < COUNT; i++) {
        double seen[3];
        camera_see(&b.camera, x[i], seen);
        raster_sphere(&b, seen, radii[i], paints[i]);
    }
    const size_t samples = (size_t)a.across * (size_t)a.down;
    printf("%zu samples, %zu of them on spheres\n", samples, count_hits(&a));
    ck_assert_mem_eq(a.depth, b.depth, samples * sizeof *a.depth);
    ck_assert_mem_eq(a.paint, b.paint, samples * sizeof *a.paint);
    raster_free(&a);
    raster_free(&b);
}
END_TEST

START_TEST(triangles_and_rods_cover_their_area)
{
    raster r;
    camera c;
    begin(&r, &c);
    const double corners[3][3] = {{-0.8, 0, -0.7}, {0.9, 0, -0.2}, {0.1, 0, 0.8}};
    raster_corner t[3] = {0};
    for (int k = 0; k < 3; k++) camera_see(&r.camera, corners[k], t[k].seen);
    raster_triangle(&r, t, 0xffffff, RASTER_UNLIT);
    const double scale = r.camera.scale / r.camera.distance, double_area = 1.7 * 1.5 - 0.9 * 0.5;
    const double area = 0.5 * double_area * scale * scale;
    EXPECT_CLOSE("samples on a triangle", (double)count_hits(&r), area, 0.003 * area);
    EXPECT_CLOSE("its depth", (double)r.depth[(size_t)(r.down / 2) * (size_t)r.across + (size_t)r.across / 2],
                 r.camera.distance, 1e-5);
    raster_clear(&r, &c, (colour){0, 0, 0});
    raster_rod(&r, (double[]){-0.7, 0, -0.5}, (double[]){0.6, 0, 0.7}, 0.05, 0xffffff, true);
    const double rod = (0.1 * hypot(1.3, 1.2) + 0.0025 * acos(-1.0)) * scale * scale;
    EXPECT_CLOSE("samples on a rod", (double)count_hits(&r), rod, 0.01 * rod);
    raster_free(&r);
}
END_TEST

/* The darkest pixel, of 255, of a white wall behind a ball that hangs `height` in front of it; 0: there is none. */
static int darkest_on_wall(double height, double radius, bool edge)
{
    const double corners[4][3] = {{-1, 1, -1}, {1, 1, -1}, {1, 1, 1}, {-1, 1, 1}};
    raster r;
    camera c;
    error e = {0};
    raster_corner t[4] = {0};
    double seen[3];
    int darkest = 255;
    uint32_t *pixels = NEW_ARRAY(WIDTH * HEIGHT, uint32_t);
    begin(&r, &c);
    raster_clear(&r, &c, (colour){1, 1, 1});
    r.reach = 0.3;
    camera_see(&r.camera, (double[]){0, 1 - height, 0}, seen);
    raster_sphere(&r, seen, radius, 0x0000ff); /* brighter in blue than in red */
    raster_backdrop(&r);
    for (int k = 0; k < 4; k++) camera_see(&r.camera, corners[k], t[k].seen);
    raster_triangle(&r, t, 0xffffff, RASTER_UNLIT);
    raster_triangle(&r, (raster_corner[]){t[0], t[2], t[3]}, 0xffffff, RASTER_UNLIT);
    if (edge) raster_rod(&r, (double[]){0, -0.9, -0.8}, (double[]){0, -0.9, 0.8}, 0.005, 0xffffff, false);
    ck_assert_int_eq(raster_resolve(&r, pixels, &e), CAROM_OK);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        const int red = (int)(pixels[i] >> 16 & 255u), blue = (int)(pixels[i] & 255u);
        if (red == blue && red < darkest) darkest = red; /* of the ball itself no pixel is grey */
    }
    raster_free(&r);
    memory_free(pixels);
    return darkest;
}

START_TEST(walls_are_shaded_only_by_what_is_close)
{
    const int close = darkest_on_wall(0.1, 0.1, false), far = darkest_on_wall(1.9, 0.1, false);
    const int edge = darkest_on_wall(1, 0, true);
    printf("darkest pixel of a white wall: %d beside a ball that touches it, %d behind one far away, %d by an edge\n",
           close, far, edge);
    ck_assert_int_lt(close, 252);
    ck_assert_int_gt(close, 200);
    ck_assert_int_ge(far, 254);
    ck_assert_int_eq(edge, 255);
}
END_TEST

/* Depths of surfaces that are flat, lean, bend away from the eye and towards it, and have a step, along a row of the
 * picture from -1 to 1. Planes are even in 1 / depth. */
static double flat_at(double x)
{
    return 10 + 0 * x;
}

static double leaning_at(double x)
{
    return 10 / (1 - 0.3 * x);
}

static double ridge_at(double x)
{
    return 10 / (1 - 0.2 * fabs(x));
}

static double valley_at(double x)
{
    return 12 / (1 + 0.2 * fabs(x));
}

static double step_at(double x)
{
    return x < 0 ? 10 : 10.5;
}

enum { FIELD = 120 };

/* Light on such a surface, along the middle row, in units of length of `unit`. */
static void light_on_surface(double (*depth)(double), double unit, float light[FIELD])
{
    static float near[FIELD * FIELD], all[FIELD * FIELD];
    error e = {0};
    for (int i = 0; i < FIELD * FIELD; i++) near[i] = (float)(1 / (unit * depth((i % FIELD + 0.5) * 2 / FIELD - 1)));
    const occlusion o = {
        .width = FIELD, .height = FIELD, .scale = 500, .reach = 0.4 * unit, .bodies = near, .seen = near};
    ck_assert_int_eq(occlusion_light(&o, all, &e), CAROM_OK);
    memcpy(light, all + FIELD / 2 * FIELD, FIELD * sizeof *light);
}

START_TEST(hollows_are_dark)
{
    double (*const even[])(double) = {flat_at, leaning_at, ridge_at};
    float light[FIELD], larger[FIELD];
    for (size_t k = 0; k < 3; k++) {
        light_on_surface(even[k], 1, light);
        for (int x = 2; x < FIELD - 2; x++) EXPECT_CLOSE("light where nothing stands out", (double)light[x], 1, 1e-3);
    }
    light_on_surface(valley_at, 1, light);
    printf("in a valley: %g, beside it: %g\n", (double)light[FIELD / 2], (double)light[FIELD / 2 + 30]);
    ck_assert(light[FIELD / 2] < 0.85f && light[FIELD / 2 + 30] > 0.99f);
    for (int x = FIELD / 2 + 2; x < FIELD / 2 + 28; x += 4) ck_assert(light[x + 4] >= light[x] - 0.02f);
    light_on_surface(step_at, 1, light);
    printf("above a step: %g, below: %g\n", (double)light[FIELD / 2 - 2], (double)light[FIELD / 2 + 1]);
    ck_assert(light[FIELD / 2 - 2] > 0.999f && light[FIELD / 2 + 1] < 0.8f);
    for (int k = -1; k <= 1; k += 2) { /* whatever the unit of length */
        light_on_surface(step_at, ldexp(1, 90 * k), larger);
        ck_assert_mem_eq(light, larger, sizeof light);
    }
}
END_TEST

/* A lattice of clusters of two, one above the other, and one long cluster beside all of them. */
START_TEST(clusters_side_by_side_differ)
{
    enum { SIDE = 12, PAIRS = SIDE * SIDE, COUNT = 2 * PAIRS + SIDE };
    static double x[COUNT][2], radius[COUNT];
    static uint32_t cluster[COUNT], sizes[COUNT];
    static uint8_t shade[COUNT], before[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        const size_t pair = i < 2 * PAIRS ? i / 2 : PAIRS;
        radius[i] = 0.2;
        x[i][0] = pair < PAIRS ? (double)(pair % SIDE) : SIDE;
        x[i][1] = pair < PAIRS ? (double)(pair / SIDE) + 0.4 * (double)(i % 2) : (double)(i - 2 * PAIRS);
        cluster[i] = (uint32_t)pair;
        sizes[pair]++;
    }
    const result_about about = {.gravity = {0}};
    renderer v = {.about = &about,
                  .frame = {.count = COUNT,
                            .dimension = 2,
                            .box = {SIDE + 1, SIDE + 1, 1},
                            .boundary = {FRAME_OPEN, FRAME_OPEN, FRAME_OPEN},
                            .position = *x,
                            .radius = radius,
                            .cluster = cluster},
                  .width = 300,
                  .height = 300,
                  .shade = shade,
                  .group = cluster};
    const camera_options wish = {.zoom = 1};
    camera_fit(&v.camera, 2, (double[]){-1, -1, 0}, (double[]){SIDE + 1, SIDE + 1, 0}, &wish,
               (viewport){0, 0, 300, 300});
    render_shade_clusters(&v, sizes);
    size_t used[COLOUR_MANY] = {0};
    for (size_t a = 0; a < COUNT; a++) {
        ck_assert(shade[cluster[a]] >= 1 && shade[cluster[a]] <= COLOUR_MANY);
        used[shade[cluster[a]] - 1]++;
        for (size_t b = 0; b < a; b++)
            if (cluster[a] != cluster[b] && hypot(x[a][0] - x[b][0], x[a][1] - x[b][1]) < 1.05)
                ck_assert_msg(shade[cluster[a]] != shade[cluster[b]], "clusters %u and %u are both of colour %d",
                              cluster[a], cluster[b], shade[cluster[a]]);
    }
    for (int k = 0; k < COLOUR_MANY; k++) ck_assert_msg(used[k] > 0, "colour %d is not used", k);
    memcpy(before, shade, sizeof before);
    render_shade_clusters(&v, sizes);
    ck_assert_mem_eq(before, shade, sizeof before); /* they stay in the frames of a movie */
    memset(shade, 0, sizeof shade);
    v.camera.eye[0] += 5;
    v.camera.scale *= 3;
    render_shade_clusters(&v, sizes);
    ck_assert_mem_eq(before, shade, sizeof before); /* wherever they are seen from */
}
END_TEST

START_TEST(tiny_spheres_are_dots)
{
    raster r;
    camera c;
    double seen[3];
    begin(&r, &c);
    camera_see(&r.camera, (double[]){0.2, 0.1, -0.3}, seen);
    raster_sphere(&r, seen, 1e-9, 0xffffff);
    ck_assert_uint_eq(count_hits(&r), 0);
    r.least = 2 / c.scale;
    raster_sphere(&r, seen, 1e-9, 0xffffff);
    const double area = 4 * acos(-1.0) * r.fine * r.fine;
    EXPECT_CLOSE("samples on a dot", (double)count_hits(&r), area, 0.1 * area);
    raster_free(&r);
    EXPECT_CLOSE("radius of few dots", render_dot(1, 960, 720), 1.5, 1e-12);
    EXPECT_CLOSE("share of a picture on a million dots",
                 1e6 * acos(-1.0) * pow(render_dot(1000000, 960, 720), 2) / (960 * 720), 0.02, 1e-12);
}
END_TEST

START_TEST(long_texts_are_cut_or_wrapped)
{
    static const char text[] = "pressure on walls, in units of \u03b5 / length^{2}, which differs from P_{0} by little";
    const canvas_style style = {.size = 10};
    char room[PLOT_CUT], lines[3][PLOT_CUT];
    canvas *c;
    error e = {0};
    if (canvas_create(&c, CANVAS_SVG, 1, 1, 1, &e) != CAROM_OK) {
        printf("skipped: %s\n", error_text(&e));
        error_clear(&e);
        return;
    }
    const double whole = canvas_text_width(c, text, &style);
    ck_assert_ptr_eq(plot_cut(c, text, &style, whole, room), text);
    for (double width = 30; width < whole; width += 3) {
        const char *cut = plot_cut(c, text, &style, width, room);
        ck_assert_msg(canvas_text_width(c, cut, &style) <= width, "'%s' is wider than %g", cut, width);
        ck_assert_msg(strstr(cut, "\u2026") != NULL && (strchr(cut, '{') == NULL) == (strchr(cut, '}') == NULL),
                      "'%s' is no whole text", cut);
    }
    const size_t count = plot_lines(c, text, &style, 0.45 * whole, lines, 3);
    for (size_t k = 0; k < count; k++) printf("line %zu: '%s'\n", k, lines[k]);
    ck_assert_uint_eq(count, 3);
    for (size_t k = 0; k < count; k++) {
        ck_assert(canvas_text_width(c, lines[k], &style) <= 0.45 * whole);
        ck_assert(strstr(lines[k], "\u2026") == NULL);
    }
    ck_assert_uint_eq(plot_lines(c, text, &style, 0.3 * whole, lines, 2), 2);
    ck_assert_ptr_nonnull(strstr(lines[1], "\u2026"));
    canvas_free(c);
}
END_TEST

START_TEST(texts_are_legible)
{
    static const int sizes[][2] = {{960, 720}, {960, 1020}, {960, 288}, {240, 180}, {288, 960}, {4000, 300}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const double text = render_text_size(sizes[k][0], sizes[k][1]);
        printf("text of %d x %d: %.3g pixels\n", sizes[k][0], sizes[k][1], text);
        ck_assert(text >= 9 && text <= 40 && text <= sizes[k][1] / 10.0);
        ck_assert(text >= 0.013 * sizes[k][0] || text >= 20);
    }
}
END_TEST

START_TEST(cameras_see_all_of_the_box)
{
    const double low[3] = {-3, 2, 5}, high[3] = {4, 2.5, 50};
    for (int n = 0; n < 36; n++) {
        const camera_options wish = {.azimuth = 10 * n, .elevation = 5 * n - 90, .zoom = 1, .upward = n % 3};
        const viewport v = {10, 20, 300, 100};
        double least[2] = {INFINITY, INFINITY}, greatest[2] = {-INFINITY, -INFINITY};
        camera c;
        camera_fit(&c, 3, low, high, &wish, v);
        for (int k = 0; k < 8; k++) {
            const double corner[3] = {k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]};
            double seen[3], pixel[2];
            camera_see(&c, corner, seen);
            camera_project(&c, seen, pixel);
            ck_assert(seen[2] > 0);
            for (int m = 0; m < 2; m++) {
                least[m] = fmin(least[m], pixel[m]);
                greatest[m] = fmax(greatest[m], pixel[m]);
            }
        }
        ck_assert(least[0] >= 10 - 1e-9 && greatest[0] <= 310 + 1e-9 && least[1] >= 20 - 1e-9 &&
                  greatest[1] <= 120 + 1e-9);
        const double filled = fmax((greatest[0] - least[0]) / 300, (greatest[1] - least[1]) / 100);
        EXPECT_CLOSE("as much of the picture as can be", filled, 1, 1e-9);
    }
}
END_TEST

/* What it is aimed at lies in the middle, and everything still is in sight. */
START_TEST(cameras_aim)
{
    const double low[3] = {-3, 2, 5}, high[3] = {4, 6, 9};
    for (int n = 0; n < 12; n++) {
        const viewport v = {10, 20, 300, 100};
        camera_options wish = {.azimuth = 30 * n, .elevation = 12 * n - 70, .zoom = 1, .upward = n % 3, .aimed = true};
        const double target[3] = {n, 0.5 * n, -n};
        const int dimension = n % 4 == 0 ? 2 : 3;
        double seen[3], pixel[2];
        camera c;
        memcpy(wish.target, target, sizeof target);
        camera_fit(&c, dimension, low, high, &wish, v);
        camera_see(&c, target, seen);
        camera_project(&c, seen, pixel);
        EXPECT_CLOSE("middle", pixel[0], 160, 1e-9);
        EXPECT_CLOSE("middle", pixel[1], 70, 1e-9);
        for (int k = 0; k < 8; k++) {
            const double corner[3] = {k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]};
            camera_see(&c, corner, seen);
            camera_project(&c, seen, pixel);
            ck_assert(seen[2] > 0 || dimension == 2);
            ck_assert(pixel[0] >= 10 - 1e-9 && pixel[0] <= 310 + 1e-9 && pixel[1] >= 20 - 1e-9 &&
                      pixel[1] <= 120 + 1e-9);
        }
    }
}
END_TEST

START_TEST(up_is_against_gravity_or_as_wished)
{
    const double none[3] = {0}, down[3] = {0, -9, 1};
    camera_options wish = camera_default();
    ck_assert_int_eq(camera_upward(&wish, none), 2);
    ck_assert_int_eq(camera_upward(&wish, down), 1);
    wish.upward = 0;
    ck_assert_int_eq(camera_upward(&wish, down), 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("pictures");
    tcase_add_test(cases, axes_have_ticks_that_can_be_told_apart);
    tcase_add_test(cases, steps_are_1_2_and_5);
    tcase_add_test(cases, disks_cover_their_area);
    tcase_add_test(cases, disks_are_cut_off_where_it_is_asked_for);
    tcase_add_test(cases, disks_outside_touch_nothing);
    tcase_add_test(cases, spheres_cover_their_silhouette);
    tcase_add_test(cases, order_of_drawing_does_not_matter);
    tcase_add_test(cases, triangles_and_rods_cover_their_area);
    tcase_add_test(cases, walls_are_shaded_only_by_what_is_close);
    tcase_add_test(cases, hollows_are_dark);
    tcase_add_test(cases, clusters_side_by_side_differ);
    tcase_add_test(cases, tiny_spheres_are_dots);
    tcase_add_test(cases, long_texts_are_cut_or_wrapped);
    tcase_add_test(cases, texts_are_legible);
    tcase_add_test(cases, cameras_see_all_of_the_box);
    tcase_add_test(cases, cameras_aim);
    tcase_add_test(cases, up_is_against_gravity_or_as_wished);
    return suite_run("pictures", cases);
}
