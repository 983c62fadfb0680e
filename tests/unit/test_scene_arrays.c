/* Detects particles and meshes from arrays that differ from those of equal files, accepted faults of arrays, and runs
 * that resume with other arrays. */
#include "../support/suite.h"

#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                           \
    "carom: 1\nengine: hard\nbox: {size: [8, 7, 6]}\n"                                                                 \
    "species: {small: {diameter: {uniform: [0.5, 2]}, density: 1}, large: {diameter: {uniform: [0.5, 2]}, mass: 3}}\n" \
    "run: {until: {time: 3}}\n"
#define ENTRY "species: {small: 1, large: 1}, velocity: "

enum { N = 27 };
static double positions[N][3], velocities[N][3], radii[N], masses[N];
static uint32_t species[N];
static const char *const names[] = {"large", "small"}; /* not in the order of the scene */

/* Numbers with all digits. */
static void make_points(void)
{
    for (int i = 0; i < N; i++) {
        const int at[3] = {i % 3, i / 3 % 3, i / 9};
        for (int k = 0; k < 3; k++) {
            positions[i][k] = 0.9 + 1.9 * at[k] + 0.1 / (3 + i + k);
            velocities[i][k] = sin(1.0 + 3 * i + k);
        }
        radii[i] = 0.5 + 0.2 / (3 + i);
        masses[i] = 1 + 1.0 / (7 + i);
        species[i] = (uint32_t)(i * i % 3 % 2);
    }
}

static carom_point_arrays all_points(void)
{
    make_points();
    return (carom_point_arrays){.count = N,
                                .dimension = 3,
                                .positions = &positions[0][0],
                                .velocities = &velocities[0][0],
                                .radii = radii,
                                .masses = masses,
                                .species = species,
                                .species_names = names,
                                .species_count = 2};
}

static carom_status load(carom_scene *scene, const char *text)
{
    const carom_status status = carom_scene_load_text(scene, "s.yaml", text, strlen(text));
    if (status != CAROM_OK) printf("%s\n", carom_scene_message(scene));
    return status;
}

static char *hash_of(const char *summary)
{
    char *hash = strstr(summary, "\"state_hash\": ");
    ck_assert_ptr_nonnull(hash);
    hash[40] = '\0';
    return hash;
}

/* The state hashes of two scenes after their runs. */
static void expect_equal_runs(carom_scene *a, carom_scene *b)
{
    carom_sim *sims[2];
    char *summaries[2];
    for (int k = 0; k < 2; k++) {
        const carom_status status = carom_sim_new(&sims[k], k == 0 ? a : b, NULL);
        ck_assert_msg(status == CAROM_OK, "%s", carom_sim_message(sims[k]));
        ck_assert_int_eq(carom_sim_run(sims[k]), CAROM_OK);
        summaries[k] = carom_sim_summary(sims[k]);
    }
    const size_t count = 3 * carom_frame_count(carom_sim_frame(sims[0]));
    ck_assert_mem_eq(carom_frame_positions(carom_sim_frame(sims[0])), carom_frame_positions(carom_sim_frame(sims[1])),
                     count * sizeof(double));
    ck_assert_str_eq(hash_of(summaries[0]), hash_of(summaries[1]));
    for (int k = 0; k < 2; k++) {
        carom_free(summaries[k]);
        carom_sim_free(sims[k]);
    }
}

START_TEST(points_equal_a_file)
{
    const carom_point_arrays points = all_points();
    FILE *out = fopen("arrays.xyz", "w");
    ck_assert_ptr_nonnull(out);
    fprintf(out, "%d\nProperties=species:S:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1\n", N);
    for (int i = 0; i < N; i++)
        fprintf(out, "%s %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", names[species[i]], positions[i][0],
                positions[i][1], positions[i][2], velocities[i][0], velocities[i][1], velocities[i][2], radii[i],
                masses[i]);
    fclose(out);
    carom_scene *file = carom_scene_new(), *array = carom_scene_new();
    ck_assert_int_eq(load(file, HEAD "particles: [{" ENTRY "file, place: {file: arrays.xyz}}]\n"), CAROM_OK);
    ck_assert_int_eq(carom_scene_set_points(array, "p", &points), CAROM_OK);
    memset(positions, 0, sizeof positions); /* the scene has its own copy */
    ck_assert_int_eq(load(array, HEAD "particles: [{" ENTRY "array, place: {array: p}}]\n"), CAROM_OK);
    expect_equal_runs(file, array);
    remove("arrays.xyz");
    carom_scene_free(file);
    carom_scene_free(array);
}
END_TEST

START_TEST(mesh_equals_a_file)
{
    static const double vertices[][3] = {{3, 3, 2}, {5, 3, 2.1}, {4, 5, 1.9}, {4, 3.9, 4}};
    static const uint32_t triangles[][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const char head[] =
        "carom: 1\nengine: hard\nbox: {size: [8, 8, 8]}\nspecies: {a: {diameter: 1}}\nrun: {until: {time: 5}}\n"
        "particles: [{species: a, count: 40, place: random, velocity: {maxwell: 1}}]\n";
    FILE *out = fopen("arrays.obj", "w");
    ck_assert_ptr_nonnull(out);
    for (int i = 0; i < 4; i++) fprintf(out, "v %.17g %.17g %.17g\n", vertices[i][0], vertices[i][1], vertices[i][2]);
    for (int i = 0; i < 4; i++)
        fprintf(out, "f %u %u %u\n", triangles[i][0] + 1, triangles[i][1] + 1, triangles[i][2] + 1);
    fclose(out);
    const carom_mesh_arrays mesh = {&vertices[0][0], 4, &triangles[0][0], 4};
    char text[2][400];
    snprintf(text[0], sizeof text[0], "%smeshes: [{name: m, rigid: true, file: arrays.obj}]\n", head);
    snprintf(text[1], sizeof text[1], "%smeshes: [{name: m, rigid: true, array: tip}]\n", head);
    carom_scene *file = carom_scene_new(), *array = carom_scene_new();
    ck_assert_int_eq(load(file, text[0]), CAROM_OK);
    ck_assert_int_eq(carom_scene_set_mesh(array, "tip", &mesh), CAROM_OK);
    ck_assert_int_eq(load(array, text[1]), CAROM_OK);
    ck_assert_ptr_nonnull(strstr(carom_scene_resolved(array), "array: tip"));
    expect_equal_runs(file, array);
    remove("arrays.obj");
    carom_scene_free(file);
    carom_scene_free(array);
}
END_TEST

/* ---- Faults ---- */

static void expect_fault(carom_scene *scene, const char *key, const char *message)
{
    carom_estimate estimate;
    ck_assert_int_eq(carom_scene_check(scene, &estimate), CAROM_BAD_DATA);
    ck_assert_uint_ge(carom_scene_fault_count(scene), 1);
    const carom_fault *fault = carom_scene_fault(scene, 0);
    ck_assert_str_eq(fault->message, message);
    ck_assert_str_eq(fault->key, key);
    ck_assert_str_eq(fault->file, "s.yaml");
}

START_TEST(faulty_points)
{
    static const char text[] = HEAD "particles: [{" ENTRY "array, place: {array: p}}]\n";
    static const struct {
        double *number, value;
        const char *message;
    } cases[] = {{&positions[4][1], NAN, "particle 4 of array 'p': position nan is not finite"},
                 {&velocities[5][2], INFINITY, "particle 5 of array 'p': velocity inf is not finite"},
                 {&radii[6], 0, "particle 6 of array 'p': radius 0 is not above 0"},
                 {&radii[7], 1e308, "particle 7 of array 'p': radius 1e+308 is too large"},
                 {&masses[8], -1, "particle 8 of array 'p': mass -1 is not above 0"},
                 {&radii[3], NAN, "particle 3 of array 'p': radius nan is not above 0"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const carom_point_arrays points = all_points();
        *cases[k].number = cases[k].value;
        carom_scene *scene = carom_scene_new();
        ck_assert_int_eq(carom_scene_set_points(scene, "p", &points), CAROM_OK);
        ck_assert_int_eq(load(scene, text), CAROM_OK);
        expect_fault(scene, "particles.0.place", cases[k].message);
        carom_scene_free(scene);
    }
}
END_TEST

START_TEST(points_that_do_not_fit)
{
    static const char *const wrong[] = {"large", "none"};
    static const char text[] = HEAD "particles: [{" ENTRY "array, place: {array: p}}]\n";
    carom_point_arrays points = all_points();
    carom_scene *scene = carom_scene_new();
    points.species_names = wrong;
    ck_assert_int_eq(carom_scene_set_points(scene, "p", &points), CAROM_OK);
    ck_assert_int_eq(load(scene, text), CAROM_OK);
    expect_fault(scene, "particles.0.place",
                 "particle 1 of array 'p' is of species 'none', which the scene does not have; add it to `species`");
    points = all_points();
    points.velocities = NULL;
    ck_assert_int_eq(carom_scene_set_points(scene, "p", &points), CAROM_OK); /* replaces the first */
    ck_assert_int_eq(load(scene, text), CAROM_OK);
    expect_fault(scene, "particles.0.velocity", "particles.0: array 'p' holds no velocities");
    points = all_points();
    points.dimension = 2;
    ck_assert_int_eq(carom_scene_set_points(scene, "p", &points), CAROM_OK);
    ck_assert_int_eq(load(scene, text), CAROM_OK);
    expect_fault(scene, "particles.0.place",
                 "the vectors of array 'p' have 2 components, but the scene has 3 dimensions");
    carom_scene_free(scene);
}
END_TEST

START_TEST(faulty_meshes)
{
    double vertices[4][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}};
    uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 4}};
    static const char text[] =
        "carom: 1\nengine: hard\nbox: {size: 8}\nspecies: {a: {diameter: 1}}\nrun: {until: {time: 5}}\n"
        "particles: [{species: a, place: {at: [[5, 5, 5]]}}]\nmeshes: [{name: m, rigid: true, array: tip}]\n";
    carom_mesh_arrays mesh = {&vertices[0][0], 4, &triangles[0][0], 4};
    carom_scene *scene = carom_scene_new();
    ck_assert_int_eq(carom_scene_set_mesh(scene, "tip", &mesh), CAROM_OK);
    ck_assert_int_eq(load(scene, text), CAROM_OK);
    expect_fault(scene, "meshes.0.array", "triangle 3 of array 'tip' has vertex 4, and there are 4, numbered from 0");
    triangles[3][2] = 3;
    vertices[2][1] = NAN;
    ck_assert_int_eq(carom_scene_set_mesh(scene, "tip", &mesh), CAROM_OK);
    ck_assert_int_eq(load(scene, text), CAROM_OK);
    expect_fault(scene, "meshes.0.array", "vertex 2 of array 'tip': y = nan is not finite");
    vertices[2][1] = 1;
    ck_assert_int_eq(carom_scene_set_mesh(scene, "tip", &mesh), CAROM_OK);
    ck_assert_int_eq(load(scene, text), CAROM_OK);
    expect_fault(scene, "meshes.0", "mesh 'm': triangle 0 has no area; remove it");
    carom_scene_free(scene);
}
END_TEST

START_TEST(unknown_arrays)
{
    const carom_point_arrays points = all_points();
    const carom_mesh_arrays none = {0};
    carom_scene *scene = carom_scene_new();
    ck_assert_int_eq(load(scene, HEAD "particles: [{" ENTRY "array, place: {array: grains}}]\n"), CAROM_BAD_DATA);
    ck_assert_str_eq(carom_scene_fault(scene, 0)->message,
                     "unknown array 'grains': only a program can give arrays (carom_scene_set_points); in a scene "
                     "file use 'file'");
    ck_assert_int_eq(carom_scene_set_points(scene, "grain", &points), CAROM_OK);
    ck_assert_int_eq(load(scene, HEAD "particles: [{" ENTRY "array, place: {array: grains}}]\n"), CAROM_BAD_DATA);
    ck_assert_str_eq(carom_scene_fault(scene, 0)->hint, "did you mean 'grain'?");
    ck_assert_int_eq(load(scene, HEAD "particles: [{" ENTRY "file, place: {array: grain}}]\n"), CAROM_BAD_DATA);
    ck_assert_int_eq(load(scene, HEAD "particles: [{" ENTRY "array, count: 1, place: sc}]\n"), CAROM_BAD_DATA);
    ck_assert_str_eq(carom_scene_fault(scene, 0)->message, "'velocity: array' needs 'place: {array: NAME}'");
    ck_assert_int_eq(carom_scene_set_points(scene, "2", &points), CAROM_USAGE);
    ck_assert_int_eq(carom_scene_set_mesh(scene, "m", &none), CAROM_USAGE);
    carom_scene_free(scene);
}
END_TEST

/* ---- Results ---- */

/* The second half of a run needs the arrays of the first. */
START_TEST(resumed_runs)
{
    static const char text[] = HEAD "particles: [{" ENTRY "array, place: {array: p}}]\noutput: {frames: {every: 1}}\n";
    carom_options options = {.output = "arrays.h5", .force = true};
    carom_point_arrays points = all_points();
    carom_scene *scene = carom_scene_new();
    carom_sim *sim;
    ck_assert_int_eq(carom_scene_set_points(scene, "p", &points), CAROM_OK);
    ck_assert_int_eq(load(scene, text), CAROM_OK);
    ck_assert_int_eq(carom_sim_new(&sim, scene, &options), CAROM_OK);
    ck_assert_int_eq(carom_sim_advance(sim, 1), CAROM_OK);
    carom_sim_request_stop(sim);
    ck_assert_int_eq(carom_sim_run(sim), CAROM_EARLY);
    carom_sim_free(sim);
    options.force = false;
    options.resume = true;
    velocities[3][1] += 1e-15;
    ck_assert_int_eq(carom_scene_set_points(scene, "p", &points), CAROM_OK);
    ck_assert_int_eq(load(scene, text), CAROM_OK);
    ck_assert_int_eq(carom_sim_new(&sim, scene, &options), CAROM_BAD_DATA);
    ck_assert_str_eq(carom_sim_message(sim),
                     "error: cannot resume: array 'p' has changed since the run began; restore it, or start anew with "
                     "--force");
    carom_sim_free(sim);
    points = all_points();
    ck_assert_int_eq(carom_scene_set_points(scene, "p", &points), CAROM_OK);
    ck_assert_int_eq(load(scene, text), CAROM_OK);
    const carom_status status = carom_sim_new(&sim, scene, &options);
    ck_assert_msg(status == CAROM_OK, "%s", carom_sim_message(sim));
    ck_assert_int_eq(carom_sim_run(sim), CAROM_OK);
    carom_sim_free(sim);
    carom_scene_free(scene);

    char *report = NULL;
    carom_file *file;
    ck_assert_int_eq(carom_file_open(&file, "arrays.h5"), CAROM_OK);
    ck_assert_int_eq(carom_file_info(file, false, &report), CAROM_OK);
    carom_free(report);
    ck_assert_int_eq(carom_file_verify(file, false, &report), CAROM_OK);
    carom_free(report);
    carom_file_free(file);
    remove("arrays.h5");
}
END_TEST

/* A simulation goes on with its own arrays while others are given to its scene. */
START_TEST(replaced_arrays)
{
    carom_point_arrays points = all_points();
    carom_scene *scene = carom_scene_new();
    carom_sim *sim;
    carom_estimate estimate;
    ck_assert_int_eq(carom_scene_set_points(scene, "p", &points), CAROM_OK);
    ck_assert_int_eq(load(scene, HEAD "particles: [{" ENTRY "array, place: {array: p}}]\n"), CAROM_OK);
    points.count = 9;
    ck_assert_int_eq(carom_scene_set_points(scene, "p", &points), CAROM_OK);
    ck_assert_int_eq(carom_scene_check(scene, &estimate), CAROM_OK);
    ck_assert_uint_eq(estimate.particles, N);
    ck_assert_int_eq(carom_sim_new(&sim, scene, NULL), CAROM_OK);
    ck_assert_int_eq(carom_sim_run(sim), CAROM_OK);
    carom_sim_free(sim);
    ck_assert_int_eq(load(scene, HEAD "particles: [{" ENTRY "array, place: {array: p}}]\n"), CAROM_OK);
    ck_assert_int_eq(carom_scene_check(scene, &estimate), CAROM_OK);
    ck_assert_uint_eq(estimate.particles, 9);
    carom_scene_free(scene);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("scene arrays");
    tcase_add_test(all, points_equal_a_file);
    tcase_add_test(all, mesh_equals_a_file);
    tcase_add_test(all, faulty_points);
    tcase_add_test(all, points_that_do_not_fit);
    tcase_add_test(all, faulty_meshes);
    tcase_add_test(all, unknown_arrays);
    tcase_add_test(all, resumed_runs);
    tcase_add_test(all, replaced_arrays);
    return suite_run("scene arrays", all);
}
