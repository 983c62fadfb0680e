/* Detects wrong calls of carom.h that return the wrong status. tests/calls makes all wrong calls; here are those with
 * a status of their own. */
#include "../support/play.h"
#include "../support/suite.h"

#include <math.h>

static const char text[] = "carom: 1\n"
                           "engine: variational\n"
                           "dimension: 2\n"
                           "box: {size: 8, boundary: open}\n"
                           "species: {a: {diameter: 1, mass: 1}}\n"
                           "particles:\n"
                           "  - {species: a, place: {at: [[6, 4], [4, 6], [2, 4]]},\n"
                           "     velocity: {each: [[0, 0.2], [0, 0], [0, 0]]}}\n"
                           "run: {until: {time: 1}}\n";

static void expect(const char *what, carom_status status, carom_status wanted)
{
    printf("%s: %d, expected %d\n", what, (int)status, (int)wanted);
    ck_assert_int_eq(status, wanted);
}

START_TEST(threads)
{
    const struct {
        int threads;
        carom_status wanted;
    } cases[] = {{1000000, CAROM_USAGE},
                 {CAROM_THREADS_MOST + 1, CAROM_USAGE},
                 {-5, CAROM_USAGE},
                 {-2, CAROM_USAGE},
                 {0, CAROM_OK},
                 {3, CAROM_OK},
                 {CAROM_THREADS_AUTOMATIC, CAROM_OK}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const carom_options options = {.threads = cases[k].threads};
        play p = play_try(text, NULL, &options);
        expect("threads", p.created, cases[k].wanted);
        ck_assert((*carom_sim_message(p.sim) != '\0') == (p.created != CAROM_OK));
        play_close(&p);
    }
}
END_TEST

START_TEST(failed_sim)
{
    carom_sim *sim = NULL;
    carom_scene *scene = carom_scene_new();
    const carom_options options = {.output = "/missing/folder/x.h5"};
    ck_assert_int_eq(carom_scene_load_text(scene, "text", text, strlen(text)), CAROM_OK);
    expect("a file that cannot be created", carom_sim_new(&sim, scene, &options), CAROM_NO_CREATE);
    char *message = strdup(carom_sim_message(sim));
    puts(message);
    expect("run", carom_sim_run(sim), CAROM_NO_CREATE);
    expect("advance", carom_sim_advance(sim, 1), CAROM_NO_CREATE);
    expect("add_potential", carom_sim_add_potential(sim, NULL), CAROM_NO_CREATE);
    ck_assert_ptr_null(carom_sim_frame(sim));
    ck_assert_ptr_null(carom_sim_summary(sim));
    ck_assert_str_eq(carom_sim_message(sim), message);
    free(message);
    carom_sim_free(sim);
    carom_scene_free(scene);
}
END_TEST

START_TEST(unloaded_sweep)
{
    carom_sweep *sweep = carom_sweep_new();
    char *key = NULL;
    expect("difference", carom_sweep_difference(sweep, "", &key), CAROM_USAGE);
    puts(carom_sweep_message(sweep));
    ck_assert_str_eq(carom_sweep_message(sweep), "error: no sweep has been loaded");
    ck_assert_uint_eq(carom_sweep_point_count(sweep), 0);
    ck_assert_ptr_null(carom_sweep_value(sweep, 0, 0));
    expect("a missing file", carom_sweep_load(sweep, "missing.yaml"), CAROM_NO_INPUT);
    expect("difference", carom_sweep_difference(sweep, "", &key), CAROM_NO_INPUT);
    ck_assert_ptr_null(carom_sweep_scene(sweep));
    carom_sweep_free(sweep);
}
END_TEST

/* ---- potentials -------------------------------------------------------------------------------------------------- */

static double wrong_energy, wrong_force, wrong_from;

static double force(void *user, double time, const double *positions, double *forces)
{
    (void)user;
    (void)positions;
    if (time < wrong_from) return 0;
    if (forces != NULL) forces[3] = wrong_force;
    return wrong_energy;
}

START_TEST(potentials)
{
    const struct {
        double energy, force, from;
    } cases[] = {{(double)NAN, 0, 0},         {(double)NAN, 0, 0.5},      {0, (double)NAN, 0}, {0, (double)NAN, 0.5},
                 {0, -(double)INFINITY, 0.5}, {(double)INFINITY, 0, 0.5}, {0, 1e300, 0.5},     {0, -1e30, 0.5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const carom_potential p = {.step = 1e-3, .force = force};
        wrong_energy = cases[k].energy;
        wrong_force = cases[k].force;
        wrong_from = cases[k].from;
        play run = play_open(text, NULL);
        carom_status status = carom_sim_add_potential(run.sim, &p);
        if (status == CAROM_OK) status = carom_sim_run(run.sim);
        printf("energy %g, force %g from time %g: %s\n", cases[k].energy, cases[k].force, cases[k].from,
               carom_sim_message(run.sim));
        expect("a potential that is no number", status, CAROM_BAD_DATA);
        expect("the run again", carom_sim_run(run.sim), CAROM_BAD_DATA);
        play_close(&run);
    }
}
END_TEST

START_TEST(steps)
{
    const double wrong[] = {0, -1, (double)NAN, (double)INFINITY, 1e-300, 1e-16, 0x1p-1074};
    for (int endless = 0; endless < 2; endless++)
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            const carom_potential p = {.step = wrong[k], .force = force};
            play run = play_open(text, endless ? "run.until={events: 100}" : NULL);
            printf("step %g\n", wrong[k]);
            wrong_force = wrong_energy = 0;
            expect("a potential's step", carom_sim_add_potential(run.sim, &p), CAROM_USAGE);
            puts(carom_sim_message(run.sim));
            expect("the run without it", carom_sim_advance(run.sim, 0.1), CAROM_OK);
            play_close(&run);
        }
}
END_TEST

/* ---- from within callbacks --------------------------------------------------------------------------------------- */

static carom_sim *running;
static int calls, looked;

static double calling(void *user, double time, const double *positions, double *forces)
{
    (void)user, (void)time, (void)positions, (void)forces;
    calls++;
    ck_assert_int_eq(carom_sim_run(running), CAROM_USAGE);
    ck_assert_int_eq(carom_sim_advance(running, 5), CAROM_USAGE);
    ck_assert_ptr_null(carom_sim_frame(running));
    carom_sim_free(running);
    return 0;
}

static void looking(const carom_progress *progress, void *user)
{
    (void)user;
    ck_assert_int_eq(carom_sim_run(running), CAROM_USAGE);
    ck_assert_double_eq(carom_frame_time(carom_sim_frame(running)), progress->time);
    looked++;
}

START_TEST(callbacks)
{
    const carom_potential p = {.step = 1e-2, .force = calling};
    const carom_options options = {.progress = looking};
    play run = play_try(text, NULL, &options);
    running = run.sim;
    ck_assert_int_eq(run.created, CAROM_OK);
    expect("add", carom_sim_add_potential(run.sim, &p), CAROM_OK);
    expect("run", carom_sim_run(run.sim), CAROM_OK);
    printf("%d calls of the potential, %d of progress\n", calls, looked);
    ck_assert(calls > 100 && looked > 0);
    play_close(&run);
}
END_TEST

int main(void)
{
    TCase *wrong = tcase_create("wrong calls");
    tcase_add_test(wrong, threads);
    tcase_add_test(wrong, failed_sim);
    tcase_add_test(wrong, unloaded_sweep);
    tcase_add_test(wrong, potentials);
    tcase_add_test(wrong, steps);
    tcase_add_test(wrong, callbacks);
    return suite_run("wrong calls", wrong);
}
