/* Detects crossings between two frames that verify misses, in frames made by hand. */
#include "../support/expect.h"
#include "../support/suite.h"

#include "base/memory.h"
#include "base/random.h"
#include "output/verify/verify_between.h"
#include "output/verify/verify_paths.h"

#include <math.h>
#include <string.h>

/* Two sheets of CELLS * CELLS squares, 1 wide, and what else a test adds. */
enum { CELLS = 4, ROW = CELLS + 1, SHEET = ROW * ROW, MORE = 4, COUNT = 2 * SHEET + MORE, FACES = 2 * CELLS * CELLS };

static uint32_t triangles[FACES][3], owner[COUNT];
static uint32_t rods[2][2] = {{2 * SHEET, 2 * SHEET + 2}, {2 * SHEET + 1, 2 * SHEET + 3}};
static double rod_radius[2] = {0.01, 0.01};
static result_mesh meshes[2];
static carom_frame frames[2];
static result_links links;

typedef struct seen {
    size_t certain;
    passage first;
    between_counts counts;
} seen;

static void see(const passage *p, void *data)
{
    seen *s = data;
    if (s->certain++ == 0) s->first = *p;
}

static void set(int n, size_t i, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    for (size_t k = 0; k < 3; k++) frames[n].position[3 * i + k] = at[k];
}

/* Sheet `which` level at height z of frame n. */
static void set_sheet(int n, size_t which, double x, double y, double z)
{
    for (size_t i = 0; i < SHEET; i++)
        set(n, which * SHEET + i, x + (double)(i % ROW) / CELLS, y + (double)(i / ROW) / CELLS, z);
}

/* The sheets at heights 1 and 3, the other particles far away; both frames alike, times 5 and 5.5. */
static void begin(void)
{
    error e = {0};
    links = (result_links){.mesh = meshes, .meshes = 2};
    memset(owner, 0, sizeof owner);
    for (uint32_t c = 0; c < CELLS * CELLS; c++) {
        const uint32_t at = c / CELLS * ROW + c % CELLS;
        memcpy(triangles[2 * c], (const uint32_t[3]){at, at + 1, at + ROW}, sizeof *triangles);
        memcpy(triangles[2 * c + 1], (const uint32_t[3]){at + ROW + 1, at + ROW, at + 1}, sizeof *triangles);
    }
    for (size_t k = 0; k < 2; k++)
        meshes[k] = (result_mesh){.name = "sheet",
                                  .first = (uint32_t)(k * SHEET),
                                  .vertices = SHEET,
                                  .triangles = triangles,
                                  .triangle_count = FACES};
    for (int n = 0; n < 2; n++) {
        ck_assert_int_eq(frame_create(&frames[n], 3, COUNT, &e), CAROM_OK);
        frames[n].time = 5 + 0.5 * n;
        frames[n].leeway = 0.5;
        for (int k = 0; k < 3; k++) frames[n].box[k] = 8, frames[n].boundary[k] = FRAME_OPEN;
        for (size_t i = 0; i < COUNT; i++) frames[n].radius[i] = 0.01;
        set_sheet(n, 0, 2.1, 2.2, 1);
        set_sheet(n, 1, 2, 2, 3);
        for (size_t i = 0; i < MORE; i++) set(n, 2 * SHEET + i, 6 + (double)(i % 2), 6 + (double)(i / 2), 7);
    }
}

/* Velocities that lead from the one frame straight to the other. */
static void go_straight(void)
{
    for (size_t i = 0; i < 3 * COUNT; i++) {
        double way = frames[1].position[i] - frames[0].position[i];
        way += (double)(frames[1].image[i] - frames[0].image[i]) * frames[0].box[i % 3];
        frames[0].velocity[i] = frames[1].velocity[i] = way / 0.5;
    }
}

static seen look(void)
{
    error e = {0};
    between *w;
    seen s = {0};
    ck_assert_int_eq(between_open(&w, &frames[0], &links, &e), CAROM_OK);
    ck_assert_int_eq(between_check(w, &frames[0], &frames[1], 1e-12, see, &s, &e), CAROM_OK);
    s.counts = *between_counted(w);
    between_close(w);
    ck_assert_uint_eq(s.certain, s.counts.certain);
    return s;
}

static void end(void)
{
    for (int n = 0; n < 2; n++) frame_destroy(&frames[n]);
}

static void expect(size_t certain, size_t unclear)
{
    seen s = look();
    printf("%zu certain, %zu unclear, %zu bent\n", s.certain, (size_t)s.counts.unclear, (size_t)s.counts.bent);
    ck_assert_int_eq(s.certain > 0, certain > 0);
    ck_assert_int_eq(s.counts.unclear > 0, unclear > 0);
}

START_TEST(sheets_swap_sides)
{
    begin();
    set_sheet(1, 0, 2.1, 2.2, 3);
    set_sheet(1, 1, 2, 2, 1);
    go_straight();
    seen s = look();
    ck_assert_uint_gt(s.certain, 16);
    ck_assert_double_eq_tol(s.first.time, 5.25, 0.01);
    ck_assert_uint_ne(s.first.a.mesh, s.first.b.mesh);
    ck_assert_uint_eq(s.counts.paths, 2 * FACES + MORE);
    ck_assert_uint_eq(s.counts.bent, 0);
    /* other velocities at the ends: they need not have gone straight */
    for (size_t i = 0; i < 6 * SHEET; i++) frames[1].velocity[i] *= 0.8;
    expect(0, 1);
    /* ways to and fro a hundred times as long say nothing at all */
    for (size_t i = 0; i < 6 * SHEET; i++) frames[0].velocity[i] *= 100;
    s = look();
    ck_assert_uint_eq(s.counts.bent, 2 * FACES);
    expect(0, 0);
    end();
}
END_TEST

START_TEST(sheets_that_fly_together)
{
    begin();
    set_sheet(0, 1, 2, 2, 1.05);
    set_sheet(1, 0, 2.1 + 3, 2.2 + 3, 4);
    set_sheet(1, 1, 2 + 3, 2 + 3, 4.05);
    go_straight();
    expect(0, 0);
    /* and fall alike, at an acceleration of 1000: what they do to each other is known */
    set_sheet(1, 1, 2 + 3, 2 + 3, 3.95);
    go_straight();
    for (int n = 0; n < 2; n++) frames[n].gravity[2] = -1000;
    for (size_t i = 0; i < 2 * SHEET; i++) frames[0].velocity[3 * i + 2] += 250, frames[1].velocity[3 * i + 2] -= 250;
    expect(1, 0);
    end();
}
END_TEST

/* A corner of the upper sheet goes round the edge of the lower: past it, or through it by a straight line. */
START_TEST(round_an_edge)
{
    for (int through = 0; through < 2; through++) {
        begin();
        links.meshes = 1;
        links.segments = 0;
        const double y = 2.5, beside = through ? 0.01 : -0.02;
        set(0, 2 * SHEET, 2.1 + beside, y, 1.2);
        set(1, 2 * SHEET, 2.1 + beside, y, 0.8);
        go_straight();
        frames[0].velocity[6 * SHEET] = -0.2; /* outwards, and back */
        frames[1].velocity[6 * SHEET] = 0.2;
        expect(0, (size_t)through);
        end();
    }
}
END_TEST

START_TEST(a_particle_through_a_sheet)
{
    begin();
    set(0, 2 * SHEET, 2.7, 2.7, 1.5);
    set(1, 2 * SHEET, 2.7, 2.7, 0.5);
    go_straight();
    expect(1, 0);
    owner[2 * SHEET] = 3; /* a mesh that does not yield, and a particle that does not */
    links.owner = owner;
    meshes[0].rigid = 1;
    expect(0, 0);
    owner[2 * SHEET] = 0;
    expect(1, 0);
    end();
}
END_TEST

START_TEST(through_the_periodic_boundary)
{
    begin();
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 3; k++) frames[n].boundary[k] = FRAME_PERIODIC;
    set(0, 2 * SHEET, 2.7, 2.7, 1.5);
    set(1, 2 * SHEET, 2.7, 2.7, 0.5);
    for (size_t i = 0; i < COUNT; i++) { /* the sheet one box farther, and lower by more than its height */
        for (int n = 0; n < 2; n++) frames[n].image[3 * i] += i < SHEET ? 5 : 0;
        frames[0].position[3 * i + 2] -= 0.9;
        frames[1].position[3 * i + 2] -= 0.9;
        for (int n = 0; n < 2; n++) {
            double *z = &frames[n].position[3 * i + 2];
            if (*z < 0) *z += 8, frames[n].image[3 * i + 2]--;
        }
    }
    go_straight();
    expect(1, 0);
    /* without the images the particle would have gone up by 7.x, past the other sheet */
    frames[1].image[3 * 2 * SHEET + 2] = 0;
    go_straight();
    expect(1, 0);
    end();
}
END_TEST

START_TEST(segments)
{
    begin();
    links.meshes = 0;
    links.segments = 2;
    for (int k = 0; k < 2; k++) links.segment[k] = NEW_ARRAY(2, uint32_t);
    for (size_t n = 0; n < 2; n++)
        for (int k = 0; k < 2; k++) links.segment[k][n] = rods[n][k];
    links.radius = rod_radius;
    const size_t at = 2 * SHEET;
    for (int n = 0; n < 2; n++) {
        set(n, at, 1, 2, 6 - n);
        set(n, at + 2, 3, 2, 6 - n);
        set(n, at + 1, 2, 1, 5.5);
        set(n, at + 3, 2, 3, 5.5);
    }
    go_straight();
    expect(1, 0); /* crossed, they pass through each other */
    set(1, at, 1, 2, 5.6), set(1, at + 2, 3, 2, 5.6);
    go_straight();
    expect(0, 0);
    /* and the first through an edge of a sheet, its ends outside */
    set(1, at, 1, 2, 2.5), set(1, at + 2, 3.3, 2.3, 2.5);
    set(0, at, 1, 2, 3.5), set(0, at + 2, 3.3, 2.3, 3.5);
    links.segments = 1;
    links.meshes = 2;
    go_straight();
    expect(1, 0);
    for (int k = 0; k < 2; k++) memory_free(links.segment[k]);
    end();
}
END_TEST

/* A particle through a rod, and round its end; a rod across two particles' ways. */
START_TEST(in_a_plane)
{
    error e = {0};
    uint32_t from = 0, to = 1;
    const double past[3] = {1.5, 2.1, 2.5};
    result_links flat = {.segments = 1, .segment = {&from, &to}, .radius = rod_radius};
    for (int n = 0; n < 2; n++) {
        ck_assert_int_eq(frame_create(&frames[n], 2, 3, &e), CAROM_OK);
        frames[n].time = n;
        for (int k = 0; k < 2; k++) frames[n].box[k] = 4, frames[n].boundary[k] = FRAME_OPEN;
        for (size_t i = 0; i < 3; i++) frames[n].radius[i] = 0.01;
        frames[n].position[0] = 1, frames[n].position[1] = 2;
        frames[n].position[2] = 2, frames[n].position[3] = 2;
    }
    for (int c = 0; c < 3; c++) {
        between *w;
        seen s = {0};
        for (int n = 0; n < 2; n++) {
            frames[n].position[4] = past[c], frames[n].position[5] = 2.5 - n;
            frames[n].velocity[5] = -1.1; /* a bend of 0.09 */
        }
        ck_assert_int_eq(between_open(&w, &frames[0], &flat, &e), CAROM_OK);
        ck_assert_int_eq(between_check(w, &frames[0], &frames[1], 1e-12, see, &s, &e), CAROM_OK);
        ck_assert_uint_eq(s.certain, c == 0);
        ck_assert_uint_eq(between_counted(w)->unclear, 0);
        between_close(w);
    }
    end();
}
END_TEST

/* Numbers that cannot be, but are finite: no crash, and nothing is said of them. */
START_TEST(beyond_all_reason)
{
    begin();
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 3; k++) frames[n].boundary[k] = FRAME_PERIODIC;
    for (size_t i = 0; i < 3 * SHEET; i++) {
        frames[1].image[i] = i % 2 == 0 ? INT64_MAX : INT64_MIN;
        frames[0].velocity[i] = 1e308;
    }
    for (size_t i = 3 * SHEET; i < 6 * SHEET; i++) frames[i % 2].position[i] = i % 3 == 0 ? 1e308 : -1e308;
    seen s = look();
    ck_assert_uint_eq(s.certain + s.counts.unclear, 0);
    ck_assert_uint_eq(s.counts.bent, 2 * FACES);
    frames[1].time = frames[0].time; /* no time has passed */
    s = look();
    ck_assert_uint_eq(s.counts.paths, 0);
    end();
}
END_TEST

static double draw(uint64_t look, uint64_t what)
{
    return random_uniform((random_key){1, 5}, look, what);
}

/* Frame 1 becomes frame 0; in the new one each sheet stays or moves, now and then with a velocity that its way does not
 * have, and particles fall through either. Some sheets have come from elsewhere in between. */
static void next_frame(uint64_t n, double at[2])
{
    memcpy(frames[0].position, frames[1].position, 3 * COUNT * sizeof(double));
    if (n % 11 == 0) set_sheet(0, n % 2, 2, 2, 2.5);
    memcpy(frames[1].position, frames[0].position, 3 * COUNT * sizeof(double));
    if (n % 11 == 0) set_sheet(1, n % 2, 2, 2, at[n % 2]);
    for (uint64_t k = 0; k < 2; k++) {
        if (draw(n, k) < 0.7) continue;
        at[k] += 2 * draw(n, 2 + k) - 1;
        set_sheet(1, k, 2, 2, at[k]);
    }
    for (uint64_t i = 0; i < MORE; i++) {
        const double x = 2 + draw(n, 10 + i), y = 2 + draw(n, 20 + i);
        set(0, 2 * SHEET + i, x, y, 4);
        set(1, 2 * SHEET + i, x, y, 4 * draw(n, 30 + i));
    }
    go_straight();
    for (size_t i = 6 * SHEET; i < 3 * COUNT; i++) frames[1].velocity[i] += 0.2 * (draw(n, 7) < 0.5);
    if (draw(n, 4) < 0.1) frames[1].velocity[0] = frames[0].velocity[3 * SHEET] = 3;
    for (int k = 0; k < 3 && n % 17 == 0; k++) frames[0].box[k] = frames[1].box[k] = 8 + draw(n, 5);
}

/* What is kept of sheets that stand still changes nothing. */
START_TEST(kept_from_look_to_look)
{
    enum { LOOKS = 300 };
    error e = {0};
    between *kept;
    size_t certain = 0, unclear = 0, bent = 0;
    double at[2] = {1, 3};
    begin();
    meshes[0].rigid = meshes[1].rigid = 1;
    for (int n = 0; n < 2; n++)
        for (size_t k = 0; k < 2; k++) set_sheet(n, k, 2, 2, at[k]);
    ck_assert_int_eq(between_open(&kept, &frames[0], &links, &e), CAROM_OK);
    for (uint64_t n = 1; n <= LOOKS; n++) {
        between *fresh;
        seen s[2] = {{0}};
        const double tolerance = draw(n, 6) < 0.2 ? 2e-12 : 1e-12;
        next_frame(n, at);
        const between_counts before = *between_counted(kept);
        ck_assert_int_eq(between_check(kept, &frames[0], &frames[1], tolerance, see, &s[0], &e), CAROM_OK);
        ck_assert_int_eq(between_open(&fresh, &frames[0], &links, &e), CAROM_OK);
        ck_assert_int_eq(between_check(fresh, &frames[0], &frames[1], tolerance, see, &s[1], &e), CAROM_OK);
        const between_counts now = *between_counted(kept), other = *between_counted(fresh);
        ck_assert_uint_eq(s[0].certain, s[1].certain);
        ck_assert_mem_eq(&s[0].first, &s[1].first, sizeof s[0].first);
        ck_assert_uint_eq(now.unclear - before.unclear, other.unclear);
        ck_assert_uint_eq(now.paths - before.paths, other.paths);
        ck_assert_uint_eq(now.bent - before.bent, other.bent);
        certain += other.certain;
        unclear += other.unclear;
        bent += other.bent;
        between_close(fresh);
    }
    printf("%zu certain, %zu unclear, %zu bent\n", certain, unclear, bent);
    ck_assert(certain > 100 && unclear > 100 && bent > 100);
    between_close(kept);
    end();
}
END_TEST

/* Recorded paths of the first sheet, which begins and ends below the second: at half of the time it is `lift` higher
 * than the straight line. They are `within` a distance of what is recorded, or, where `wide` is not 0, within that. */
static seen look_at_paths(double lift, double within, double wide, bool known)
{
    error e = {0};
    recorded_paths *paths;
    between *w;
    seen s = {0};
    const uint64_t last = wide != 0 ? 2 * SHEET : SHEET, count = last + 1;
    path_rows rows = {.time = memory_new(count, sizeof(double)),
                      .point = memory_new(count, sizeof(double)),
                      .place = memory_new(3 * count, sizeof(double)),
                      .count = count,
                      .width = 3};
    for (size_t i = 0; i < SHEET; i++) {
        rows.time[i] = 5.25;
        rows.point[i] = (double)i;
        for (size_t k = 0; k < 3; k++)
            rows.place[3 * i + k] = 0.5 * (frames[0].position[3 * i + k] + frames[1].position[3 * i + k]);
        rows.place[3 * i + 2] += lift;
    }
    for (size_t i = SHEET; i < last; i++) {
        rows.time[i] = 5.5;
        rows.point[i] = (double)(i - SHEET);
        rows.place[3 * i] = NAN;
        rows.place[3 * i + 1] = wide;
    }
    rows.time[last] = known ? 5.5 : 5.4;
    rows.point[last] = -1;
    rows.place[3 * last] = 5;
    rows.place[3 * last + 1] = within;
    ck_assert_int_eq(recorded_paths_make(&paths, rows, COUNT, &e), CAROM_OK);
    ck_assert_int_eq(recorded_paths_select(paths, &frames[0], &frames[1]), known);
    ck_assert_int_eq(between_open(&w, &frames[0], &links, &e), CAROM_OK);
    between_take_paths(w, known ? paths : NULL);
    ck_assert_int_eq(between_check(w, &frames[0], &frames[1], 1e-12, see, &s, &e), CAROM_OK);
    s.counts = *between_counted(w);
    between_close(w);
    recorded_paths_close(paths);
    return s;
}

START_TEST(recorded_paths_decide)
{
    begin();
    go_straight();
    for (size_t i = 0; i < 6 * SHEET; i++) frames[0].velocity[i] += 3; /* any bend is possible */
    /* near the other sheet and back, and through it and back: what the frames cannot tell */
    seen s = look_at_paths(1.97, 1e-3, 0, true);
    ck_assert_uint_eq(s.certain + s.counts.unclear + s.counts.bent, 0);
    s = look_at_paths(2.05, 1e-3, 0, true);
    ck_assert_uint_gt(s.certain, 16);
    ck_assert_uint_eq(s.counts.unclear + s.counts.bent, 0);
    ck_assert_double_eq_tol(s.first.time, 5 + 0.25 * 2 / 2.05, 0.005);
    /* recorded less closely than they come near: nothing is certain but that */
    s = look_at_paths(1.97, 0.02, 0, true);
    ck_assert_uint_eq(s.certain + s.counts.bent, 0);
    ck_assert_uint_gt(s.counts.unclear, 16);
    const seen wide = look_at_paths(1.97, 1e-3, 0.039, true);
    ck_assert_uint_eq(wide.certain + wide.counts.bent, 0);
    ck_assert_uint_eq(wide.counts.unclear, s.counts.unclear);
    /* of another time, or of places that are none: as without */
    s = look_at_paths(1.97, 1e-3, 0, false);
    ck_assert_uint_eq(s.certain, 0);
    ck_assert_uint_gt(s.counts.bent, 0);
    s = look_at_paths(NAN, 1e-3, 0, true);
    ck_assert_uint_eq(s.certain, 0);
    ck_assert_uint_gt(s.counts.bent, 0);
    s = look_at_paths(1.97, 1e-3, NAN, true);
    ck_assert_uint_eq(s.certain, 0);
    ck_assert_uint_gt(s.counts.bent, 0);
    end();
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, sheets_swap_sides);
    tcase_add_test(all, sheets_that_fly_together);
    tcase_add_test(all, round_an_edge);
    tcase_add_test(all, a_particle_through_a_sheet);
    tcase_add_test(all, through_the_periodic_boundary);
    tcase_add_test(all, segments);
    tcase_add_test(all, in_a_plane);
    tcase_add_test(all, beyond_all_reason);
    tcase_add_test(all, kept_from_look_to_look);
    tcase_add_test(all, recorded_paths_decide);
    return suite_run("verify, between frames", all);
}
