/* Detects scenes beyond the limits of magnitude that are accepted, and scenes near them that run differently from
 * those of unit scale. */
#include <math.h>

#include "../support/play.h"
#include "../support/suite.h"
#include "scene/language/language.h"
#include "scene/scale.h"
#include "sim/scene_api.h"

#define RUN "run: {until: {time: 1, events: 1000}}\n"
#define KINDS "species: {a: {diameter: 1, mass: 1}}\n"
#define ENTRY "particles: [{species: a, place: {at: [[2, 2], [4, 2]]}, velocity: {maxwell: 1}}]\n"
#define HEAD(engine) "carom: 1\nengine: " engine "\ndimension: 2\n"
#define CUBE "carom: 1\nengine: hard\nbox: {size: 10}\n" KINDS RUN

/* clang-format off */
static const struct {
    const char *text, *set, *message; /* how the message begins */
} refused[] = {
    /* These ran without end, or computed with NaN. */
    {HEAD("variational") "box: {size: 1e42, boundary: wall}\nspecies: {a: {diameter: 1e41, mass: 1}}\n"
     "particles: [{species: a, place: {at: [[2e41, 2e41], [4e41, 2e41]]}, velocity: {circle: 1}}]\n" RUN, NULL,
     "s.yaml:4:7: error: 'size' has a value of 1e42; lengths must lie between 1e-30 and 1e+30: choose other units\n"},
    {HEAD("hard") "box: {packing_fraction: 1e-308}\n" KINDS "particles: [{species: a, count: 9, place: square}]\n" RUN,
     NULL, "s.yaml:4:7: error: the box is inf long along x; lengths must lie between"},
    {HEAD("hard") "box: {size: 1e150}\n" KINDS ENTRY RUN, NULL, "s.yaml:4:7: error: 'size' has a value of 1e150"},
    {HEAD("hard") "box: {size: 10}\n" KINDS ENTRY RUN, "box.size=1e150",
     "--set box.size=1e150: error: 'size' has a value of 1e150"},
    /* Each kind of number. */
    {HEAD("hard") "box: {size: 10}\nspecies: {a: {diameter: 1e-31}}\n" ENTRY RUN, NULL,
     "s.yaml:5:15: error: 'diameter' has a value of 1e-31"},
    {HEAD("hard") "box: {size: 10}\nspecies: {a: {diameter: {uniform: [1, 1e31]}}}\n" ENTRY RUN, NULL,
     "s.yaml:5:15: error: 'diameter' has a value of 1e31"},
    {HEAD("hard") "box: {size: 10}\nspecies: {a: {diameter: 1, mass: 1e61}}\n" ENTRY RUN, NULL,
     "s.yaml:5:28: error: 'mass' has a value of 1e61; masses"},
    {HEAD("hard") "box: {size: 10}\nspecies: {a: {diameter: 1, density: 1e-90}}\n" ENTRY RUN, NULL,
     "s.yaml:5:11: error: particle 0 has a mass of 7.85e-91; masses"},
    {HEAD("hard") "box: {size: 10}\n" KINDS "particles: [{species: a, place: {at: [[2, 1e33]]}}]\n" RUN, NULL,
     "s.yaml:6:26: error: 'place' has a value of 1e33; lengths"},
    {HEAD("hard") "box: {size: 10}\n" KINDS "particles: [{species: a, place: {at: [[2, 1e11]]}}]\n" RUN, NULL,
     "s.yaml:6:26: error: particle 0 is at y = 1e+11, and the periodic box is 10 long; positions must be within 1e+09"},
    {HEAD("hard") "box: {size: 10, boundary: open}\n" KINDS "particles: [{species: a, place: {at: [[2, 1e13]]}}]\n" RUN,
     NULL, "s.yaml:6:26: error: particle 0 is at y = 1e+13, and the smallest body is 1 wide: lengths may differ by"},
    {HEAD("hard") "box: {size: 10, boundary: open}\n" KINDS ENTRY "planes: [{name: p, point: [-2e9, 0], normal: [1, 0]}]\n" RUN, NULL,
     "s.yaml:7:20: error: 'point' is 2e+09, and the smallest body is 1 wide: lengths of surfaces may be larger by a"},
    {HEAD("hard") "box: {size: 10, boundary: open}\n" KINDS ENTRY
     "cylinders: [{name: c, through: [5, 5], radius: 2e9, side: inside}]\n" RUN, NULL,
     "s.yaml:7:40: error: 'radius' is 2e+09, and the smallest body is 1 wide: lengths of surfaces may be larger by a"},
    {HEAD("hard") "box: {size: 1e13}\n" KINDS ENTRY RUN, NULL,
     "s.yaml:4:7: error: the box is 1e+13 long, and the smallest body 1 wide: lengths may differ by a factor of 1e+12"},
    {HEAD("hard") "box: {size: 10}\n" KINDS ENTRY "fields: {gravity: [0, 1e61]}\n" RUN, NULL,
     "s.yaml:7:10: error: 'gravity' has a value of 1e61; accelerations"},
    {HEAD("hard") "box: {size: 1e12}\nspecies: {a: {diameter: 1e2}}\nparticles: [{species: a, place: {at: [[2, 2]]}}]\n"
     "fields: {gravity: [0, 1e60]}\n" "run: {until: {time: 1e-3}}\n", "fields.gravity=[0, 1e59]", ""},
    {HEAD("hard") "box: {size: 10}\n" KINDS ENTRY RUN, "particles.0.velocity={maxwell: 1e101}",
     "--set particles.0.velocity={maxwell: 1e101}: error: 'velocity' has a value of 1e101; energies"},
    {HEAD("hard") "box: {size: 10}\n" KINDS ENTRY RUN, "particles.0.velocity={maxwell: 1e90}",
     "--set particles.0.velocity={maxwell: 1e90}: error: particle 0 starts at a speed of"},
    {HEAD("hard") "box: {size: 10}\n" KINDS ENTRY RUN, "particles.0.velocity={each: [1e-41, 0]}",
     "--set particles.0.velocity={each: [1e-41, 0]}: error: the largest initial speed is 1e-41"},
    {HEAD("hard") "box: {size: 10}\n" KINDS ENTRY RUN, "particles.0.velocity={each: [0, -3e-290]}", /* squares: 0 */
     "--set particles.0.velocity={each: [0, -3e-290]}: error: the largest initial speed is 3e-290"},
    {HEAD("hard") "box: {size: 10}\n" KINDS ENTRY RUN, "hard.thermostat={temperature: 1, rate: 1e50}",
     "--set hard.thermostat={temperature: 1, rate: 1e50}: error: 'rate' has a value of 1e50; rates"},
    {HEAD("hard") "box: {size: 10}\n" KINDS ENTRY RUN, "observe=[{what: energy, every: 1e-50}]",
     "--set observe=[{what: energy, every: 1e-50}]: error: 'every' has a value of 1e-50; times"},
    {HEAD("hard") "box: {size: 10}\n" KINDS ENTRY RUN, "contacts=[{between: [a, a], restitution: {table: [[1e41, 1]]}}]",
     "--set contacts=[{between: [a, a], restitution: {table: [[1e41, 1]]}}]: error: 'restitution' has a value of 1e41"},
    {HEAD("variational") "box: {size: 10}\n" KINDS ENTRY RUN, "springs=[{name: s, pairs: [[0, 1]], stiffness: 1e101}]",
     "--set springs=[{name: s, pairs: [[0, 1]], stiffness: 1e101}]: error: 'stiffness' has a value of 1e101"},
    {HEAD("variational") "box: {size: 10}\n" KINDS ENTRY RUN, "springs=[{name: s, pairs: [[0, 1]], stiffness: 1, length: 1e31}]",
     "--set springs=[{name: s, pairs: [[0, 1]], stiffness: 1, length: 1e31}]: error: 'length' has a value of 1e31"},
    {HEAD("variational") "box: {size: 10}\n" KINDS ENTRY RUN, "drives=[{name: d, particles: [0], motion: [{velocity: [0, 1e41]}]}]",
     "--set drives=[{name: d, particles: [0], motion: [{velocity: [0, 1e41]}]}]: error: 'velocity' has a value of 1e41"},
    {CUBE, "meshes=[{name: m, rigid: true, shape: {sphere: {radius: 1e31}}}]",
     "--set meshes=[{name: m, rigid: true, shape: {sphere: {radius: 1e31}}}]: error: 'radius' has a value of 1e31"},
    {CUBE, "meshes=[{name: m, rigid: true, shape: {sphere: {radius: 1e29}}, place: {scale: 1e9}}]",
     "--set meshes=[{name: m, rigid: true, shape: {sphere: {radius: 1e29}}, place: {scale: 1e9}}]: error: mesh 'm': "
     "vertex 0 has a coordinate of"},
    {CUBE, "meshes=[{name: m, rigid: true, shape: {ribbon: {points: [[1, 1, 1], [5, 1, 1]], sides: [0, 1, 1e308], width: 1, "
     "along: 2, across: 1}}}]",
     "--set meshes=[{name: m, rigid: true, shape: {ribbon: {points: [[1, 1, 1], [5, 1, 1]], sides: [0, 1, 1e308], width: 1, "
     "along: 2, across: 1}}}]: error: mesh 'm': the direction of the shape is undefined at vertex 0; give other points or sides"},
    {CUBE, "meshes=[{name: m, rigid: true, shape: {sphere: {radius: 600}}}]",
     "--set meshes=[{name: m, rigid: true, shape: {sphere: {radius: 600}}}]: error: mesh 'm' extends over"},
};
/* clang-format on */

START_TEST(refusals)
{
    const char *set = refused[_i].set, *begin = refused[_i].message;
    carom_estimate estimate;
    carom_scene *s = carom_scene_new();
    if (set != NULL) ck_assert_int_eq(carom_scene_set(s, set), CAROM_OK);
    carom_status status = carom_scene_load_text(s, "s.yaml", refused[_i].text, strlen(refused[_i].text));
    if (status == CAROM_OK) status = carom_scene_check(s, &estimate);
    printf("%s\n", carom_scene_message(s));
    ck_assert_int_eq(status, begin[0] != '\0' ? CAROM_BAD_DATA : CAROM_OK);
    ck_assert_msg(strncmp(carom_scene_message(s), begin, strlen(begin)) == 0, "expected %s", begin);
    carom_scene_free(s);
}
END_TEST

/* Units without limits of magnitude. A misspelt unit would silently have none either. */
static const char *const unlimited[] = {"",
                                        "contact distance",
                                        "contact distance, energy",
                                        "degrees",
                                        "mean free path",
                                        "radians",
                                        "samples",
                                        "seconds",
                                        "sigma",
                                        "thermal speed"};

static bool is_known_unit(const char *unit)
{
    for (size_t k = 0; k < sizeof unlimited / sizeof *unlimited; k++)
        if (strcmp(unit, unlimited[k]) == 0) return true;
    return scale_of_unit(unit) != NULL;
}

static size_t expect_known_units(const settings_table *table)
{
    size_t rows = table->count;
    for (size_t i = 0; i < table->count; i++) {
        const setting *row = &table->entries[i];
        ck_assert_msg(row->unit == NULL || is_known_unit(row->unit), "%s.%s has the unknown unit '%s'", table->name,
                      row->name, row->unit);
        if (row->table != NULL) rows += expect_known_units(row->table);
    }
    return rows;
}

START_TEST(units_of_all_settings_are_known)
{
    size_t rows = expect_known_units(&table_scene);
    for (size_t k = 0; k < vocabulary.engine_count; k++) rows += expect_known_units(vocabulary.engines[k]);
    for (size_t k = 0; k < vocabulary.observable_count; k++) rows += expect_known_units(vocabulary.observables[k]);
    printf("%zu rows\n", rows);
    ck_assert_uint_gt(rows, 200);
}
END_TEST

/* Units of length, time and mass. */
typedef struct units {
    double l, t, m;
} units;

static void add_head(play_text *text, const char *by, const units *u, double until)
{
    play_add(text, "carom: 1\nengine: %s\ndimension: 2\nseed: 5\n", by);
    play_add(text, "box: {size: %.17g, boundary: wall}\nspecies: {a: {diameter: %.17g, mass: %.17g}}\n", 16 * u->l,
             u->l, u->m);
    play_add(text, "particles: [{species: a, place: {at: [[%.17g, %.17g]", 2 * u->l, 2 * u->l);
    for (int k = 1; k < 25; k++)
        play_add(text, ", [%.17g, %.17g]", (2 + 2.5 * (k % 5)) * u->l, (2 + 2.25 * (k / 5)) * u->l);
    play_add(text, "]}, velocity: {each: [[%.17g, %.17g]", u->l / u->t, 0.0);
    for (int k = 1; k < 25; k++)
        play_add(text, ", [%.17g, %.17g]", ((k * 7) % 11 - 5) * 0.25 * u->l / u->t,
                 ((k * 5) % 13 - 6) * 0.25 * u->l / u->t);
    play_add(text, "]}}]\nrun: {until: {time: %.17g}}\n", until * u->t);
}

static void add_gravity(play_text *text, const units *u)
{
    play_add(text, "fields: {gravity: [0, %.17g]}\n", -0.25 * u->l / (u->t * u->t));
}

static play_text text;

/* Powers of two, so that only exponents differ. */
static const units scaled[] = {{1, 1, 1},
                               {0x1p95, 0x1p-30, 0x1p70},
                               {0x1p-95, 0x1p30, 0x1p-70},
                               {0x1p90, 0x1p110, 0x1p190},
                               {0x1p-60, 0x1p-110, 0x1p-190}};
enum { SCALED = sizeof scaled / sizeof *scaled };

/* Events and places after a run. */
typedef struct outcome {
    uint64_t events[2];
    double place[50];
} outcome;

static outcome run_scaled(const units *u)
{
    outcome end = {0};
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    json_t *s = play_summary(&p);
    end.events[0] = (uint64_t)play_number(s, "events.total");
    json_decref(s);
    for (size_t i = 0; i < 50; i++) end.place[i] = f->position[i] / u->l;
    play_close(&p);
    return end;
}

static void expect_same(const char *by, void (*more)(play_text *, const units *), double until)
{
    outcome unit = {0};
    for (int k = 0; k < SCALED; k++) {
        text.length = 0;
        add_head(&text, by, &scaled[k], until);
        if (more != NULL) more(&text, &scaled[k]);
        const outcome now = run_scaled(&scaled[k]);
        double off = 0;
        if (k == 0) unit = now;
        for (int i = 0; i < 50; i++) off = fmax(off, fabs(now.place[i] - unit.place[i]));
        printf("%s, lengths of %g, times of %g, masses of %g: %llu events, off by %g\n", by, scaled[k].l, scaled[k].t,
               scaled[k].m, (unsigned long long)now.events[0], off);
        ck_assert(now.events[0] == unit.events[0]);
        ck_assert_double_le(off, 1e-9);
    }
}

static void add_springs(play_text *t, const units *u)
{
    add_gravity(t, u);
    play_add(t, "springs: [{name: s, pairs: [[0, 1], [7, 8], [12, 13]], stiffness: %.17g, damping: %.17g}]\n",
             4 * u->m / (u->t * u->t), 0.25 * u->m / u->t);
    play_add(t, "contacts: [{between: [a, a], friction: 0.5, restitution: 0.5}]\n");
}

static void add_stick(play_text *t, const units *u)
{
    play_add(t, "contacts: [{between: [a, a], restitution: 0.5, stick: {below: %.17g}}]\n", u->l / u->t);
}

START_TEST(hard_near_the_limits)
{
    expect_same("hard", add_gravity, 8);
}
END_TEST

START_TEST(aggregation_near_the_limits)
{
    expect_same("aggregation", add_stick, 8);
}
END_TEST

START_TEST(variational_near_the_limits)
{
    expect_same("variational", add_springs, 2);
}
END_TEST

int main(void)
{
    TCase *limits = tcase_create("limits");
    tcase_add_loop_test(limits, refusals, 0, sizeof refused / sizeof *refused);
    tcase_add_test(limits, units_of_all_settings_are_known);
    tcase_add_test(limits, hard_near_the_limits);
    tcase_add_test(limits, aggregation_near_the_limits);
    tcase_add_test(limits, variational_near_the_limits);
    return suite_run("scale", limits);
}
