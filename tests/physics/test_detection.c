/* Detects wrong event times or missed overlaps under each hard.detection and each hard.precision. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include "base/random.h"

static play_text text;

/* ---- a gas, in each precision ------------------------------------------------------------------------------------ */

static play gas(int dimension, double e, const char *hard, int collisions)
{
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\nseed: 5\ndimension: %d\nbox: {packing_fraction: 0.3}\n"
             "species: {a: {diameter: 1, mass: 1}}\n"
             "particles: [{species: a, count: 200, place: compress, velocity: {maxwell: 1}, zero_momentum: true}]\n"
             "contacts: [{between: [a, a], restitution: %g}]\nhard: {%s}\n"
             "observe: [{what: impact_separation, every: 1e300}]\nrun: {until: {collisions: %d}}\n",
             dimension, e, hard, collisions);
    return play_open(text.text, NULL);
}

/* Single precision, dense and dilute, with walls, gravity, sleep and drift: lists and queue find what all pairs do. */
START_TEST(float_fast_as_reference)
{
    static const char *const scenes[] = {
        "dimension: 3\nbox: {packing_fraction: 0.4}\ncontacts: [{between: [a, a], restitution: 0.9}]\n",
        "dimension: 2\nbox: {packing_fraction: 0.6, boundary: [wall, periodic]}\n",
        "dimension: 3\nbox: {packing_fraction: 0.01}\ncontacts: [{between: [a, a], restitution: 0.7}]\n",
        "dimension: 2\nbox: {packing_fraction: 0.1, boundary: [periodic, wall]}\nfields: {gravity: [0, -0.1]}\n"
        "contacts: [{between: [a, a], restitution: 0.9}, {between: [a, wall], restitution: 0.9}]\n"
        "hard: {collapse: {policy: sleep, speed: 0.01}}\n",
    };
    uint64_t hash[2], events = 0;
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 4\n%sspecies: {a: {diameter: {uniform: [0.8, 1.2]}, mass: 1}}\n",
             scenes[_i]);
    play_add(&text, "particles: [{species: a, count: 150, place: compress, velocity: {maxwell: 1}}]\n"
                    "run: {until: {events: 10000}}\n");
    for (int k = 0; k < 2; k++) {
        play p = {.scene = carom_scene_new()};
        REQUIRE(carom_scene_set(p.scene, "hard.precision=float") == CAROM_OK);
        if (k == 1) REQUIRE(carom_scene_set(p.scene, "hard.reference=true") == CAROM_OK);
        REQUIRE(carom_scene_load_text(p.scene, "test.yaml", text.text, text.length) == CAROM_OK);
        REQUIRE(carom_sim_new(&p.sim, p.scene, NULL) == CAROM_OK);
        (void)carom_sim_run(p.sim);
        const carom_frame *f = carom_sim_frame(p.sim);
        events = f->events[EVENT_COLLISION] + f->events[EVENT_WALL];
        hash[k] = f->state_hash;
        play_close(&p);
    }
    printf("%d: %llu events, %016llx %016llx\n", _i, (unsigned long long)events, (unsigned long long)hash[0],
           (unsigned long long)hash[1]);
    ck_assert(hash[0] == hash[1]);
    ck_assert_uint_ge(events, 10000);
}
END_TEST

/* Density of impacts at contact, over the larger of those beside it. */
static double density_at_contact(json_t *summary)
{
    json_t *of = json_object_get(json_object_get(summary, "observables"), "impact_separation"),
           *table = json_object_get(of, "impact_separation"), *steps = json_object_get(table, "separation"),
           *density = json_object_get(table, "density");
    double at[3] = {0};
    for (size_t n = 0; n < json_array_size(steps); n++) {
        double step = json_number_value(json_array_get(steps, n));
        if (fabs(step) <= 1) at[(int)step + 1] = json_number_value(json_array_get(density, n));
    }
    return at[1] / fmax(at[0], at[2]);
}

/* Energy and impact distances are as exact as the numbers are. */
START_TEST(rounding_goes_with_precision)
{
    static const struct {
        const char *name;
        double grain;
    } numbers[] = {{"float", 0x1p-23}, {"double", 0x1p-52}, {"long_double", 0x1p-63}};
    for (size_t k = 0; k < 3; k++) {
        char hard[40];
        snprintf(hard, sizeof hard, "precision: %s", numbers[k].name);
        play p = gas(3, 1, hard, 20000);
        play_run(&p, CAROM_STOP_COLLISIONS);
        json_t *s = play_summary(&p);
        double off = play_number(s, "energy.total") / play_number(s, "energy.initial") - 1;
        double deepest = play_number(s, "max_overlap"),
               overlapping = play_number(s, "observables.impact_separation.mean");
        printf("%s: energy off by %.3g, deepest overlap %.3g, %g of the impacts overlap\n", numbers[k].name, off,
               deepest, overlapping);
        double energy = numbers[k].grain > 0x1p-52 ? numbers[k].grain : 0x1p-52; /* frames are doubles */
        /* Seven seeds: energy off by 9 grains at most, 7 to 9 grains deep; of the impacts 0.459 overlap, and scatter by
         * 0.0036, the root of 1/4 over their number (those at contact to the bit do not). */
        EXPECT_CLOSE("energy", off, 0, 27 * energy);
        ck_assert(deepest > 3 * numbers[k].grain && deepest < 27 * numbers[k].grain);
        EXPECT_CLOSE("impacts that overlap", overlapping, 0.459, 3 * 0.0036);
        ck_assert_double_gt(density_at_contact(s), 1);
        json_decref(s);
        play_close(&p);
    }
}
END_TEST

/* A gas cools without end in single precision, too: rounding's drift of the centre of mass does not become its
 * temperature. */
START_TEST(float_cools_for_ever)
{
    play p = gas(3, 0.8, "precision: float, collapse: {policy: tc, tc: 1e-6}", 60000);
    play_run(&p, CAROM_STOP_COLLISIONS);
    json_t *s = play_summary(&p);
    const carom_frame *f = carom_sim_frame(p.sim);
    double left = play_number(s, "energy.total") / play_number(s, "energy.initial");
    double moves = (double)f->events[EVENT_TRANSFER] / (double)f->events[EVENT_COLLISION];
    printf("energy %.3g of that at the start, scale 2^%lld, %.3g transfers a collision\n", left, (long long)f->scale,
           moves);
    /* An impact takes (1 - e^2) T, without correlations: exp(-72) is left. Seven seeds: -68.3, scattering by 0.4, as
     * those that meet have met before; 0.415 transfers, scattering by 0.003. */
    EXPECT_CLOSE("logarithm of the energy left", log(left), -68.3, 3 * 0.44);
    EXPECT_CLOSE("size of the speeds, as a power of 2", (double)f->scale, 42, 1);
    EXPECT_CLOSE("transfers a collision", moves, 0.415, 3 * 0.003);
    json_decref(s);
    play_close(&p);
}
END_TEST

START_TEST(float_refuses_what_it_cannot_hold)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nbox: {size: 4}\nspecies: {a: {diameter: 1, mass: 1e30}}\n"
                    "particles: [{species: a, place: {at: [[1, 1, 1]]}}]\nrun: {until: {time: 1}}\n");
    play p = play_try(text.text, "hard.precision=float", NULL);
    printf("%s\n", carom_sim_message(p.sim));
    ck_assert_int_eq(p.created, CAROM_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(carom_sim_message(p.sim), "hard.precision double"));
    play_close(&p);
}
END_TEST

/* ---- what was done before the rule ------------------------------------------------------------------------------- */

/* Two spheres meet head on: distance 3, relative speed 2, s = 1. */
static double meet(const char *hard)
{
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: hard\nbox: {size: 8, boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
        "particles: [{species: a, place: {at: [[2, 4, 4], [5, 4, 4]]}, velocity: {each: [[1, 0, 0], [-1, 0, 0]]}}]\n"
        "hard: {%s}\nrun: {until: {collisions: 1}}\n",
        hard);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_COLLISIONS);
    double time = carom_frame_time(carom_sim_frame(p.sim));
    play_close(&p);
    return time;
}

START_TEST(first_contact)
{
    static const char *const exact[] = {"stable",         "naive",         "rewind",
                                        "ignore_overlap", "retrospective", "bias, bias: 0"};
    for (size_t k = 0; k < sizeof exact / sizeof *exact; k++) {
        char hard[60];
        snprintf(hard, sizeof hard, "detection: %s", exact[k]);
        ck_assert_double_eq(meet(hard), 1);
    }
    ck_assert_double_eq(meet("detection: bias, bias: 0.25"), 0.875);
}
END_TEST

/* Bias and retrospective search do what they are for: no impact overlaps. The others let nearly half of them overlap:
 * 0.460, by seven seeds, which scatter by 0.005, as 10,000 impacts do. */
START_TEST(overlaps_at_impact)
{
    static const struct {
        const char *hard;
        double least, most;
    } ways[] = {{"detection: stable", 0.445, 0.475},
                {"detection: naive", 0.445, 0.475},
                {"detection: rewind", 0.445, 0.475},
                {"detection: ignore_overlap", 0.445, 0.475},
                {"detection: bias", 0, 0},
                {"detection: retrospective", 0, 0},
                {"detection: bias, bias: 0", 0.445, 0.475},
                {"detection: retrospective, precision: float", 0, 0}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        play p = gas(3, 1, ways[k].hard, 10000);
        play_run(&p, CAROM_STOP_COLLISIONS);
        json_t *s = play_summary(&p);
        double overlapping = play_number(s, "observables.impact_separation.mean");
        printf("%s: %g\n", ways[k].hard, overlapping);
        ck_assert_double_ge(overlapping, ways[k].least);
        ck_assert_double_le(overlapping, ways[k].most);
        json_decref(s);
        play_close(&p);
    }
}
END_TEST

/* Inelastic spheres that get squeezed: what has no rule for an overlap that deepens ends, goes back, or passes
 * through. */
START_TEST(squeezed)
{
    static const struct {
        const char *detection;
        carom_stop stop;
    } ways[] = {{"stable", CAROM_STOP_COLLISIONS},         {"naive", CAROM_STOP_NO_PROGRESS},
                {"bias", CAROM_STOP_NO_PROGRESS},          {"retrospective", CAROM_STOP_NO_PROGRESS},
                {"ignore_overlap", CAROM_STOP_COLLISIONS}, {"rewind", CAROM_STOP_COLLISIONS}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        char hard[100];
        snprintf(hard, sizeof hard, "detection: %s, collapse: {policy: tc, tc: 1e-6}", ways[k].detection);
        play p = gas(2, 0.1, hard, 400000);
        (void)carom_sim_run(p.sim);
        const carom_frame *f = carom_sim_frame(p.sim);
        printf("%s: %s after %llu collisions, %llu stabilising, deepest %.3g: %s\n", ways[k].detection,
               carom_stop_name(carom_sim_stop(p.sim)), (unsigned long long)f->events[EVENT_COLLISION],
               (unsigned long long)f->tallies.stabilising, f->tallies.max_overlap, carom_sim_message(p.sim));
        ck_assert_int_eq(carom_sim_stop(p.sim), ways[k].stop);
        if (ways[k].stop == CAROM_STOP_NO_PROGRESS)
            ck_assert_ptr_nonnull(strstr(carom_sim_message(p.sim), "detection ran backwards"));
        play_close(&p);
    }
}
END_TEST

/* ---- three bodies ------------------------------------------------------------------------------------------------ */

/* Whether two overlap in single precision, as their places are rounded. */
static bool overlap_in_float(const double a[3], const double b[3], double box)
{
    float square = 0;
    for (int k = 0; k < 3; k++) {
        float r = (float)a[k] - (float)b[k];
        r -= rintf(r / (float)box) * (float)box;
        square += r * r;
    }
    return square < 1;
}

static void add_body(const char *species, const double x[3], const double v[3], int dimension, double box)
{
    play_add(&text, "\n  - {species: %s, ", species);
    for (int side = 0; side < 2; side++) {
        play_add(&text, side == 0 ? "place: {at: [[" : "]]}, velocity: {each: [[");
        for (int k = 0; k < dimension; k++) {
            const double here = side == 0 ? x[k] - floor(x[k] / box) * box : v[k];
            play_add(&text, "%s%.17g", k > 0 ? ", " : "", here);
        }
    }
    play_add(&text, "]]}}");
}

/* One that two others touch, so closely that rounding makes them overlap or not, is hit from the other side: the meeting is
 * one of three bodies where it overlaps any of both, and a double one where both. Everywhere in a periodic box, in all
 * directions, the first or the second of the pair: with cells, with lists, as where one far away is large, and with neither. */
START_TEST(three_bodies)
{
    enum { SCENES = 100, OTHER = 2 };
    const double box = 12, angle[2] = {0.6, -0.6};
    const int dimension = 2 + _i % 2;
    int seen[3] = {0};
    for (uint64_t n = 0; n < SCENES; n++) {
        const random_key key = {n, RANDOM_GENERAL};
        double x[5][3] = {{0}}, v[5][3] = {{0}}, normal[4], u[3] = {0}, w[3] = {0}, place[4], length = 0, across = 0;
        random_normal2(key, 0, 0, normal);
        random_normal2(key, 1, 0, normal + 2);
        random_uniform2(key, 2, 0, place);
        random_uniform2(key, 3, 0, place + 2);
        for (int k = 0; k < dimension; k++) length = hypot(length, normal[k]);
        for (int k = 0; k < dimension; k++) u[k] = normal[k] / length;
        if (dimension == 2) w[0] = -u[1], w[1] = u[0];
        for (int k = 0; k < 3 && dimension == 3; k++) w[k] = (k == 0) - u[0] * u[k];
        for (int k = 0; k < 3; k++) across = hypot(across, w[k]);
        for (int k = 0; k < dimension; k++) { /* the one, two that touch it, one that hits it, and one far away */
            x[0][k] = box * place[k];
            for (int side = 0; side < 2; side++)
                x[1 + side][k] = x[0][k] + (1 + 1e-9) * (cos(angle[side]) * u[k] + sin(angle[side]) * w[k] / across);
            x[3][k] = x[0][k] - 1.1 * u[k];
            x[4][k] = x[0][k] + 0.5 * box;
            v[3][k] = u[k];
            v[4][k] = -u[k];
        }
        text.length = 0;
        play_add(
            &text,
            "carom: 1\nengine: hard\ndimension: %d\nbox: {size: %g}\nspecies: {a: {diameter: 1, mass: 1}, b: "
            "{diameter: %g, mass: "
            "1}}\nhard: {precision: float%s}\nobserve: [{what: three_body}]\nrun: {until: {collisions: 1}}\nparticles:",
            dimension, box, _i / 2 == 1 ? 4.5 : 1, _i / 2 == 2 ? ", reference: true" : "");
        for (int k = 0; k < 5; k++) {
            const int i = n % 2 ? 4 - k : k;
            add_body(i == 4 ? "b" : "a", x[i], v[i], dimension, box);
        }
        play_add(&text, "\n");
        play p = play_open(text.text, NULL);
        play_run(&p, CAROM_STOP_COLLISIONS);
        const frame_tallies *tallies = &carom_sim_frame(p.sim)->tallies;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < dimension; k++) x[i][k] -= floor(x[i][k] / box) * box;
        const int overlaps = overlap_in_float(x[0], x[1], box) + overlap_in_float(x[0], x[2], box);
        seen[overlaps]++;
        ck_assert_msg(tallies->three_body_again == (overlaps > 0), "scene %d: %d overlaps, told %d", (int)n, overlaps,
                      (int)tallies->three_body_again);
        if (overlaps != 1) ck_assert_uint_eq(tallies->three_body_double, overlaps == OTHER); /* or with the third */
        play_close(&p);
    }
    printf("%d with none, %d with one, %d with two\n", seen[0], seen[1], seen[2]);
    ck_assert(seen[0] > SCENES / 10 && seen[1] > SCENES / 10 && seen[2] > SCENES / 10);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, float_fast_as_reference, 0, 4);
    tcase_add_test(all, rounding_goes_with_precision);
    tcase_add_test(all, float_cools_for_ever);
    tcase_add_test(all, float_refuses_what_it_cannot_hold);
    tcase_add_test(all, first_contact);
    tcase_add_test(all, overlaps_at_impact);
    tcase_add_test(all, squeezed);
    tcase_add_loop_test(all, three_bodies, 0, 6);
    tcase_set_timeout(all, 120);
    return suite_run("detection", all);
}
