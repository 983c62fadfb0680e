/* Detects damping of shells in several stages, groups or classes that violates conservation of momentum or energy, that
 * dissipates another energy than with short steps, or whose bits depend on threads, checkpoints or the path. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/suite.h"

#include "frame/frame.h"

#include <unistd.h>

/* ---- a sheet with a sliver --------------------------------------------------------------------------------------- */

enum { CELLS = 8 };

static double height(double x)
{
    return 0.3 * (x - 0.5) * (x - 0.5);
}

static uint32_t corner(int i, int j)
{
    return (uint32_t)(j * (CELLS + 1) + i);
}

/* A sheet bent to a parabola, of squares of width 1/8. In the middle one, a vertex divides a triangle, at this distance from its longest edge. */
static void write_sheet(const char *path, double gap)
{
    const double cell = 1.0 / CELLS, at = (CELLS / 2 + 0.5) * cell, off = gap / sqrt(2);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "OFF\n%d %d 0\n", (CELLS + 1) * (CELLS + 1) + 1, 2 * CELLS * CELLS + 2);
    for (int j = 0; j <= CELLS; j++)
        for (int i = 0; i <= CELLS; i++) fprintf(file, "%.17g %.17g %.17g\n", i * cell, j * cell, height(i * cell));
    fprintf(file, "%.17g %.17g %.17g\n", at + off, at - off, height(at + off));
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            const uint32_t a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1), d = corner(i, j + 1);
            const uint32_t inner = (CELLS + 1) * (CELLS + 1);
            fprintf(file, "3 %u %u %u\n", a, c, d);
            if (i != CELLS / 2 || j != CELLS / 2)
                fprintf(file, "3 %u %u %u\n", a, b, c);
            else
                fprintf(file, "3 %u %u %u\n3 %u %u %u\n3 %u %u %u\n", a, b, inner, b, c, inner, c, a, inner);
        }
    ck_assert_int_eq(fclose(file), 0);
}

/* It springs open, and flies. Or it hangs on two of its sides. */
static play open_sheet(bool hangs, const char *set, const carom_options *options)
{
    static play_text text;
    char path[60];
    snprintf(path, sizeof path, "damping-%ld.off", (long)getpid());
    write_sheet(path, 0.004);
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\nbox: {size: [4, 4, 4], boundary: open}\nspecies: {a: {diameter: 1}}\n"
             "meshes: [{name: sheet, file: %s, place: {at: [2, 2, 2]}, thickness: 0.002, density: 500, rest: flat, "
             "stretch: 100, bend: 0.05, damping: {stretch: 0.5, bend: 0.002}, velocity: [0.1, 0.2, -0.3]}]\n"
             "variational: {stiffness: 1}\nrun: {until: {time: 20}}\n%s",
             path,
             hangs ? "drives: [{name: hem, mesh: sheet, within: {from: [0, 0, 0], to: [2.1, 4, 4]}}, {name: other, "
                     "mesh: sheet, within: {from: [2.9, 0, 0], to: [4, 4, 4]}}]\n"
                     "fields: {gravity: [0, 0, -2]}\n"
                   : "");
    play p = play_try(text.text, set, options);
    if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    ck_assert_int_eq(remove(path), 0);
    return p;
}

static double summed(play *p, const char *what)
{
    char path[60];
    json_t *summary = play_summary(p);
    snprintf(path, sizeof path, "energy.%s", what);
    const double value = play_number(summary, path);
    json_decref(summary);
    return value;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

START_TEST(momentum_and_energy)
{
    play p = open_sheet(false, NULL, NULL);
    const momenta before = momenta_of(carom_sim_frame(p.sim), NULL);
    const double start = summed(&p, "bend");
    double last = 0;
    for (int n = 1; n <= 20; n++) {
        play_advance(&p, 0.1 * n);
        const double lost = summed(&p, "damping");
        ck_assert(lost > last);
        last = lost;
    }
    const momenta after = momenta_of(carom_sim_frame(p.sim), NULL);
    printf("bending energy %.6g, damped %.6g, drift %.3g\n", start, last, summed(&p, "drift"));
    for (int k = 0; k < 3; k++) {
        EXPECT_CLOSE("momentum", after.linear[k], before.linear[k], 1e-15);           /* 1.7e-16 */
        EXPECT_CLOSE("angular momentum", after.angular[k], before.angular[k], 3e-15); /* 8.9e-16 */
    }
    EXPECT_CLOSE("what is not accounted for, of what is damped", summed(&p, "drift") / last, 0, 1e-3); /* 3.7e-4 */
    play_close(&p);
}
END_TEST

/* With short steps the sliver's damping needs one stage. */
START_TEST(energy_of_short_steps)
{
    static const double times[] = {0.05, 0.1};
    play long_steps = open_sheet(false, NULL, NULL),
         short_steps = open_sheet(false, "variational.material_step=1e-6", NULL);
    for (int n = 0; n < 2; n++) {
        play_advance(&long_steps, times[n]);
        play_advance(&short_steps, times[n]);
        const double lost = summed(&short_steps, "damping");
        printf("at %g: %.6g with short steps, %.3g more with long ones\n", times[n], lost,
               summed(&long_steps, "damping") / lost - 1);
        EXPECT_CLOSE("damped", summed(&long_steps, "damping") / lost, 1, 1.5e-3); /* 5e-4 */
    }
    play_close(&long_steps);
    play_close(&short_steps);
}
END_TEST

/* At rest under its weight, elements of several classes hold the vertices in balance. */
START_TEST(no_drag_at_rest)
{
    play p = open_sheet(true, NULL, NULL);
    play_advance(&p, 18);
    const double before = summed(&p, "damping");
    play_advance(&p, 19);
    const double after = summed(&p, "damping");
    printf("damped until 18: %.6g, and %.3g more until 19; kinetic %.3g, drift %.3g\n", before, after - before,
           summed(&p, "kinetic"), summed(&p, "drift"));
    EXPECT_CLOSE("damped at rest", (after - before) / before, 0, 4.5e-8); /* 1.5e-8 */
    play_close(&p);
}
END_TEST

START_TEST(bits)
{
    char path[100], checkpoint[120], set[60];
    snprintf(path, sizeof path, "damping-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    play whole = open_sheet(false, NULL, NULL), slow = open_sheet(false, "variational.reference=true", NULL);
    play_advance(&whole, 0.01);
    play_advance(&slow, 0.01);
    ck_assert_uint_eq(play_hash(&slow), play_hash(&whole));
    play_advance(&whole, 0.5);
    const uint64_t hash = play_hash(&whole);
    play_close(&whole);
    play_close(&slow);
    for (int k = 0; k < 2; k++) {
        carom_options options = {.output = path, .force = k == 0, .resume = k > 0, .threads = 2 - k};
        snprintf(set, sizeof set, "run.until.time=%g", 0.25 * (k + 1));
        play p = open_sheet(false, set, &options);
        play_run(&p, CAROM_STOP_TIME);
        if (k == 1) ck_assert_uint_eq(play_hash(&p), hash);
        play_close(&p);
    }
    remove(path);
    remove(checkpoint);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("variational_damping"), *more = suite_ci_case();
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, momentum_and_energy);
    tcase_add_test(cases, energy_of_short_steps);
    tcase_add_test(more, no_drag_at_rest);
    tcase_add_test(more, bits);
    return suite_run("variational_damping", cases, more);
}
