/* Detects observables that take the spheres of clumps for particles of their own, or clumps for spheres: against the energies and
 * velocities of frames, and searches through all pairs of spheres. */
#include "../support/grains.h"
#include "../support/observe.h"
#include "../support/suite.h"

#include <float.h>

/* Clumps of two and of three spheres, and single spheres, of two species; %s: boundaries, walls and more. */
#define MIXED                                                                                                          \
    "dimension: %d\nseed: 4\nbox: {size: %s, boundary: %s}\nspecies: {a: {diameter: 0.8, mass: 0.5}, b: {diameter: "   \
    "1, "                                                                                                              \
    "mass: 1}}\n"                                                                                                      \
    "clumps:\n"                                                                                                        \
    "  - {name: pair, species: a, density: 1, spheres: [{at: [0, 0%s], diameter: 1}, {at: [0.6, 0%s], diameter: "      \
    "0.8}]}\n"                                                                                                         \
    "  - {name: bent, species: b, mass: 1, spheres: [{at: [0, 0%s], diameter: 0.7}, {at: [0.5, 0%s], diameter: 0.7}, " \
    "{at: [0, 0.5%s], diameter: 0.6}]}\n"                                                                              \
    "particles:\n  - {clump: pair, count: 12, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: "     \
    "1}}\n"                                                                                                            \
    "  - {species: a, count: 6, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 2}}\n"              \
    "  - {clump: bent, count: 8, place: random, velocity: {maxwell: 1}}\n"                                             \
    "contacts: [{between: [a, a], restitution: 0.8}, {between: [a, b]}, {between: [b, b], friction: 0.3}]\n"           \
    "variational: {rotation: true}\n"

enum { BODIES = 26 };

static play mixed(int d, const char *boundary)
{
    char body[3000];
    const char *const z = d == 2 ? "" : ", 0";
    snprintf(body, sizeof body, MIXED, d, d == 2 ? "9" : "5", boundary, z, z, z, z, z);
    return open_scene(body, NULL);
}

static double sampled(const play *p, const char *what, const char *value, size_t component, uint32_t species)
{
    observer o = observer_new(what);
    const carom_frame *f = frame(p);
    if (species != NO_SPECIES) observer_set_species(&o, "species", 1, &species);
    observer_start(&o, f);
    observer_sample(&o, f);
    measure_result r = observer_result(&o);
    const double found = result_value(&r, value).mean[component];
    observer_free(&o);
    return found;
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

/* frame_energy has the temperature of clumps with the motion of their centre, and the energy of rotation. */
START_TEST(temperatures_are_those_of_the_energies)
{
    for (int d = 2; d <= 3; d++) {
        play p = mixed(d, "periodic");
        for (int n = 0; n < 3; n++) {
            play_advance(&p, 0.7 * n);
            const carom_frame *f = frame(&p);
            const frame_energy e = frame_energy_of(f);
            const double moving = d * BODIES * e.temperature, turning = 2 * e.kinetic - moving,
                         ways = (d == 3 ? 3 : 1) * BODIES;
            double mass = 0, drift = 0;
            for (size_t k = 0; k < f->solids; k++)
                for (int a = 0; a < 16; a++) mass += f->solid[k].share_mass[a / 4][a % 4];
            mass += 6 * 0.5;
            for (int k = 0; k < d; k++) drift += e.momentum[k] * e.momentum[k] / mass;
            const double wanted = (moving - drift) / (d * (BODIES - 1));
            EXPECT_CLOSE("temperature", sampled(&p, "temperature", "temperature", 0, NO_SPECIES), wanted, 1e-13);
            EXPECT_CLOSE("rotational", sampled(&p, "rotational_temperature", "rotational_temperature", 0, NO_SPECIES),
                         turning / ways, 1e-13);
            EXPECT_CLOSE("ratio", sampled(&p, "rotational_temperature", "ratio", 0, NO_SPECIES),
                         turning / ways / wanted, 1e-13);
        }
        ck_assert_uint_gt(frame(&p)->events[EVENT_COLLISION], 5);
        play_close(&p);
    }
}
END_TEST

/* A dumbbell and a ball in free flight, across a periodic boundary. */
START_TEST(centres_move_as_their_clumps)
{
    static const char *const body =
        "dimension: 3\nbox: {size: 10, boundary: periodic}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 1, "
        "mass: "
        "1}}\n"
        "clumps: [{name: c, species: a, mass: 3, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [1, 0, 0], diameter: "
        "1}]}]\n"
        "particles: [{clump: c, orientation: fixed, place: {at: [[9.9, 2, 2]]}, velocity: {each: [1, 2, 0]}, "
        "angular_velocity: {each: [0, 0, 4]}}, {species: b, place: {at: [[5, 5, 5]]}, velocity: {each: [-1, 0, 0]}}]\n"
        "contacts: [{between: [a, a]}, {between: [a, b]}, {between: [b, b]}]\nvariational: {rotation: true}\n";
    play p = open_scene(body, NULL);
    play_advance(&p, 0.3);
    /* V = (3 (1, 2, 0) + (-1, 0, 0)) / 4; m c^2 = 3 (1/4 + 1/4) + (9/4 + 9/4) */
    EXPECT_CLOSE("temperature", sampled(&p, "temperature", "temperature", 0, NO_SPECIES), (1.5 + 4.5) / 3, 1e-13);
    EXPECT_CLOSE("of clumps", sampled(&p, "temperature", "temperature", 0, 0), 1.5 / (3 * 0.25), 1e-13);
    EXPECT_CLOSE("of spheres", sampled(&p, "temperature", "temperature", 0, 1), 4.5 / (3 * 0.75), 1e-13);
    /* I = 2 m (2/5 R^2 + a^2) about z, with m = 3/2, R = a = 1/2 */
    EXPECT_CLOSE("rotation of clumps", sampled(&p, "rotational_temperature", "rotational_temperature", 0, 0),
                 2 * 1.5 * (0.1 + 0.25) * 16 / 3, 1e-13);
    EXPECT_CLOSE("translation", sampled(&p, "energy", "translation", 0, 0), 1.5 * 5, 1e-13);
    EXPECT_CLOSE("rotation", sampled(&p, "energy", "rotation", 0, 0), 1.5 * (0.1 + 0.25) * 16, 1e-13);
    EXPECT_CLOSE("rotation of spheres", sampled(&p, "rotational_temperature", "rotational_temperature", 0, 1), 0, 0);
    play_close(&p);
}
END_TEST

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Spheres of the same clump touch and are not in contact; a clump is one particle. */
START_TEST(contacts_are_those_of_clumps)
{
    const double gap = 0.15;
    for (int d = 2; d <= 3; d++) {
        play p = mixed(d, d == 2 ? "[periodic, wall]" : "[periodic, wall, periodic]");
        play_advance(&p, 0.5);
        const carom_frame *f = frame(&p);
        double number[BODIES] = {0}, contacts = 0, tensor[9] = {0}, few = 0, sum = 0;
        int body[100], bodies = 0;
        frame_need(f, FRAME_ALL);
        for (size_t i = 0; i < f->count; i++)
            body[i] = i > 0 && f->clump[i] >= 0 && f->clump[i] == f->clump[i - 1] ? body[i - 1] : bodies++;
        ck_assert_int_eq(bodies, BODIES);
        for (size_t i = 0; i < f->count; i++) {
            for (size_t j = 0; j < i; j++) {
                double n[3] = {0}, square = 0;
                for (int k = 0; k < d; k++) {
                    n[k] = f->position[i * (size_t)d + (size_t)k] - f->position[j * (size_t)d + (size_t)k];
                    if (k != 1) n[k] -= f->box[k] * rint(n[k] / f->box[k]);
                    square += n[k] * n[k];
                }
                if (body[i] == body[j] || sqrt(square) > f->radius[i] + f->radius[j] + gap) continue;
                contacts++;
                number[body[i]]++;
                number[body[j]]++;
                for (int ab = 0; ab < d * d; ab++) tensor[ab] += n[ab / d] * n[ab % d] / square;
            }
            const double y = f->position[i * (size_t)d + 1], near = f->radius[i] + gap;
            for (int end = 0; end < 2; end++) {
                if ((end ? f->box[1] - y : y) > near) continue;
                contacts++;
                number[body[i]]++;
                tensor[d + 1]++;
            }
        }
        for (int b = 0; b < BODIES; b++) few += number[b] < d + 1, sum += number[b];
        observer o[2] = {observer_new("coordination"), observer_new("fabric")};
        for (int k = 0; k < 2; k++) {
            observer_set(&o[k], "gap", gap);
            observer_set(&o[k], "walls", 1);
            observer_start(&o[k], f);
            observer_sample(&o[k], f);
        }
        measure_result r = observer_result(&o[0]), s = observer_result(&o[1]);
        printf("%g contacts\n", contacts);
        ck_assert_double_ge(contacts, 10);
        EXPECT_CLOSE("coordination", result_value(&r, "coordination").mean[0], sum / BODIES, 4 * DBL_EPSILON);
        EXPECT_CLOSE("rattlers", result_value(&r, "rattlers").mean[0], few / BODIES, DBL_EPSILON);
        EXPECT_CLOSE("contacts", table_column(&r.tables[0], "contacts").data[0], contacts, 0);
        EXPECT_CLOSE("contacts", table_column(&s.tables[0], "contacts").data[0], contacts, 0);
        for (int ab = 0; ab < d * d; ab++)
            EXPECT_CLOSE("tensor", result_value(&s, "tensor").mean[ab], tensor[ab] / contacts, 1e-14);
        for (int k = 0; k < 2; k++) observer_free(&o[k]);
        play_close(&p);
    }
}
END_TEST

/* ---- stress ------------------------------------------------------------------------------------------------------ */

#define AT_REST                                                                                                        \
    "dimension: 3\nseed: 3\nbox: {size: [3, 3, 8], boundary: [periodic, periodic, %s]}\nfields: {gravity: [0, 0, "     \
    "-1]}\nspecies: {a: {diameter: 1, density: 1}, b: {diameter: 0.9, density: 1}}\n"                                  \
    "clumps: [{name: c, species: a, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.9, 0, 0], diameter: 1}, {at: [0, " \
    "0.7, 0], diameter: 0.8}]}]\n"                                                                                     \
    "particles: [{clump: c, count: 6, place: random, velocity: {maxwell: 1}}, {species: b, count: 3, place: "          \
    "random}]\nplanes: [{name: floor, point: [0, 0, 0.5], normal: [0, 0, 1]}]\n"                                       \
    "contacts: [{between: [a, a], restitution: 0.5, friction: 0.4, rolling_friction: 0.1}, {between: [a, b], "         \
    "restitution: 0.5, friction: 0.4, rolling_friction: 0.1}, {between: [b, b], restitution: 0.5}, {between: [a, "     \
    "floor], restitution: 0.5, friction: 0.4, rolling_friction: 0.1}, {between: [b, floor], restitution: 0.5, "        \
    "friction: 0.4, rolling_friction: 0.1}]\nvariational: {rotation: true, courant: 0.1}\n"                            \
    "observe:\n  - {what: stress, start: 16, every: 1}\n  - {what: stress, start: 16, every: 1, species: a, name: "    \
    "a}\n  - {what: stress, start: 16, every: 1, species: b, name: b}\n"                                               \
    "  - {what: fields, start: 16, every: 1, cells: [1, 1, 20], width: 0.4}\n"

static double component(const json_t *summary, const char *name, const char *value, size_t at)
{
    const json_t *of = json_object_get(json_object_get(json_object_get(summary, "observables"), name), value);
    return json_real_value(json_array_get(json_object_get(of, "mean"), at));
}

/* At rest the force on each clump balances its weight, and V sigma_zz = sum m g Z over the centres of mass Z: branches have to begin
 * there. The forces of the floor at z = 1/2 subtract half of the weight. Between walls and between open sides, which are not touched. */
START_TEST(a_heap_of_clumps_bears_its_weight)
{
    for (int open = 0; open < 2; open++) {
        char body[3000];
        snprintf(body, sizeof body, AT_REST, open ? "open" : "wall");
        play p = open_scene(body, "run.until.time=20");
        play_run(&p, CAROM_STOP_TIME);
        json_t *summary = play_summary(&p);
        const carom_frame *f = frame(&p);
        const frame_energy e = frame_energy_of(f);
        const double volume = 3 * 3 * 8, zz = component(summary, "stress", "tensor", 8) * volume;
        double spheres = 0, weight = 0;
        for (size_t i = 0; i < f->count; i++) spheres += f->mass[i] * (f->position[3 * i + 2] - 0.5);
        for (size_t k = 0; k < f->solids; k++)
            for (int n = 0; n < 16; n++) weight += f->solid[k].share_mass[n / 4][n % 4];
        for (size_t i = 0; i < f->count; i++) weight += f->species[i] == 1 ? f->mass[i] : 0;
        const double wanted = e.potential - 0.5 * weight;
        printf("V sigma_zz %.9g, sum m g (Z - 1/2) %.9g, of spheres %.9g, kinetic %.3g\n", zz, wanted, spheres,
               e.kinetic);
        EXPECT_CLOSE("sum m g (Z - 1/2)", zz, wanted, 2e-4 * wanted);
        for (size_t ab = 0; ab < 9; ab++)
            EXPECT_CLOSE("sum of species",
                         component(summary, "a", "tensor", ab) + component(summary, "b", "tensor", ab),
                         component(summary, "stress", "tensor", ab), 1e-14);
        json_decref(summary);
        play_close(&p);
    }
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, temperatures_are_those_of_the_energies);
    tcase_add_test(all, centres_move_as_their_clumps);
    tcase_add_test(all, contacts_are_those_of_clumps);
    tcase_add_test(all, a_heap_of_clumps_bears_its_weight);
    return suite_run("clump measures", all);
}
