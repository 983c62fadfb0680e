/* Detects wrong times, numbers, places and energies of particles that enter and leave, bits that depend on threads, the reference
 * or a resumed run, and contacts of a stored state that do not go on. Closed forms: falls through a region, numbers in
 * steady flow. */
#include "../support/expect.h"
#include "../support/grains.h"
#include "../support/suite.h"

/* ---- without contacts -------------------------------------------------------------------------------------------- */

/* Disks far apart enter at height 9 and leave below height 1: 2 s apart, with speed 1 downwards. */
#define FALL                                                                                                           \
    "dimension: 2\nseed: 3\nbox: {size: [40, 10], boundary: open}\nspecies: {a: {diameter: 0.1, mass: 3}}\n"           \
    "particles: [{species: a, count: 20, velocity: {each: [0, -1]},\n"                                                 \
    "  place: {inflow: {region: {box: {from: [0, 9], to: [40, 9.1001]}}, rate: 0.5, start: 1}}}]\n"                    \
    "outflow: [{name: below, region: {box: {from: [-1, -100], to: [41, 1]}}, every: 0.01, start: 0.005}]\n"            \
    "fields: {gravity: [0, -2]}\n"

/* Height 9.05 within 5e-5: the time to height 1 is (sqrt(1 + 4 * 8.05) - 1) / 2 = 2.380. */
START_TEST(a_fall_takes_its_time)
{
    play p = open_scene(FALL, NULL);
    const double fall = 0.5 * (sqrt(1 + 4 * 8.05) - 1);
    for (int n = 0; n < 90; n++) {
        const double t = 0.4377 * n;
        uint64_t entered = 0, left = 0;
        for (int k = 0; k < 20; k++) {
            entered += 1 + 2 * k <= t;
            left += 1 + 2 * k + fall + 0.02 <= t;
            if (fabs(1 + 2 * k + fall - t) < 0.03) left = UINT64_MAX / 2; /* the checks are 0.01 apart */
        }
        play_advance(&p, t);
        const frame_flow *flow = &frame(&p)->tallies.flow;
        ck_assert_uint_eq(flow->entered, entered);
        if (left < 100) ck_assert_uint_eq(flow->left, left);
        ck_assert_uint_eq(frame_present(frame(&p)), flow->entered - flow->left);
        EXPECT_CLOSE("mass that has entered", flow->mass_entered, 3.0 * (double)entered, 0);
        EXPECT_CLOSE("energy that has entered", flow->energy_entered, (double)entered * 3 * (0.5 + 2 * 9.05), 6e-3);
        EXPECT_CLOSE("energy that has left", flow->energy_left, (double)flow->left * 3 * (0.5 + 2 * 9.05), 6e-3);
        EXPECT_CLOSE("energy balance", budget(&p), 0, 1e-12 * (1 + flow->energy_entered));
    }
    play_close(&p);
}
END_TEST

/* Ids are numbers, also after others have left; absent particles are at rest at the origin. */
START_TEST(ids_stay)
{
    play p = open_scene(FALL, NULL);
    play_advance(&p, 10.5);
    const carom_frame *f = frame(&p);
    frame_need(f, FRAME_ALL);
    for (uint32_t i = 0; i < 20; i++) {
        const bool there = 1 + 2.0 * i <= 10.5 && 1 + 2.0 * i + 2.5 > 10.5;
        ck_assert_uint_eq(f->id[i], i);
        ck_assert_uint_eq(f->present[i], there ? i : UINT32_MAX);
        ck_assert_int_eq(frame_is_absent(f, i), !there);
        if (!there) EXPECT_CLOSE("place", fabs(f->position[2 * i]) + fabs(f->velocity[2 * i + 1]), 0, 0);
    }
    play_close(&p);
}
END_TEST

/* Places are uniform in the region: the mean and variance of 20 of them in [0.05, 39.95], within three standard errors. */
START_TEST(places_are_uniform)
{
    double sum = 0, squares = 0;
    enum { SEEDS = 20 };
    for (int seed = 0; seed < SEEDS; seed++) {
        char set[20];
        snprintf(set, sizeof set, "seed=%d", seed);
        play p = open_scene(FALL, set);
        for (int k = 0; k < 20; k++) {
            play_advance(&p, 1.001 + 2 * k);
            const carom_frame *f = frame(&p);
            frame_need(f, FRAME_ALL);
            sum += f->position[2 * k];
            squares += f->position[2 * k] * f->position[2 * k];
        }
        play_close(&p);
    }
    const double n = 20 * SEEDS, mean = sum / n, sigma = 39.9 / sqrt(12);
    EXPECT_CLOSE("mean", mean, 20, 3 * sigma / sqrt(n));
    EXPECT_CLOSE("standard deviation", sqrt(squares / n - mean * mean), sigma,
                 3 * sigma * sqrt(0.2 / n)); /* kurtosis 1.8 */
}
END_TEST

/* A change replaces the scene to which times and regions belong. */
START_TEST(changes_keep_the_exchange)
{
    play p = open_scene(FALL, NULL);
    for (int n = 1; n <= 12; n++) {
        play_advance(&p, 2.0 * n + 0.01);
        ck_assert_uint_eq(frame(&p)->tallies.flow.entered, (uint64_t)n);
        ck_assert_int_eq(carom_sim_change(p.sim, n % 2 == 0 ? "run.until.time=1e5" : "run.until.time=1e4"), CAROM_OK);
    }
    play_close(&p);
}
END_TEST

static double last_of(const carom_observable *o, const char *name)
{
    const carom_table *t = &o->tables[0];
    for (size_t k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k].name, name) == 0) return t->columns[k].data[t->rows - 1];
    ck_abort_msg("no column %s", name);
    return NAN;
}

/* Rows are 0.7 apart, and disks leave between them. Planes: where disks enter; above and at the edge of the region in
 * which they leave, of which a half is open; and within it, up to which some come before a check. */
START_TEST(net_flows_are_exact)
{
    enum { PLANES = 5 };
    play p =
        open_scene(FALL "observe:\n  - {what: mass_flow, name: a, point: [0, 9.05005], normal: [0, -1], every: 0.7}\n"
                        "  - {what: mass_flow, name: b, point: [0, 5], normal: [0, -1], every: 0.7}\n"
                        "  - {what: mass_flow, name: c, point: [0, 1], normal: [0, 1], every: 0.7}\n"
                        "  - {what: mass_flow, name: d, point: [0, 0.97], normal: [0, -1], every: 0.7}\n"
                        "  - {what: mass_flow, name: e, point: [10, 1], normal: [0, -1], radius: 10, every: 0.7}\n",
                   "outflow.0.every=0.013");
    double number[PLANES] = {0};
    for (int k = 0; k < 20; k++) {
        play_advance(&p, 1.0001 + 2 * k);
        frame_need(frame(&p), FRAME_ALL);
        const double x = frame(&p)->position[2 * k], y = frame(&p)->position[2 * k + 1] + 0.0001;
        const double fall = 0.5 * (sqrt(1 + 4 * (y - 1)) - 1), wait = fmod(0.005 - (1 + 2 * k + fall) + 130, 0.013);
        const double low = y - (fall + wait) - (fall + wait) * (fall + wait);
        ck_assert(fabs(y - 9.05005) > 1e-7 && fabs(low - 0.97) > 1e-3 && fabs(x - 20) > 1e-3);
        number[0] += y > 9.05005;
        number[1]++;
        number[2]--;
        number[3] += low < 0.97;
        number[4] += x < 20;
    }
    play_advance(&p, 42.1);
    ck_assert_uint_eq(frame(&p)->tallies.flow.left, 20);
    ck_assert(number[0] > 3 && number[3] > 3 && number[4] > 3);
    for (size_t k = 0; k < PLANES; k++) {
        EXPECT_CLOSE("number", last_of(carom_sim_observable(p.sim, k), "number"), number[k], 0);
        EXPECT_CLOSE("mass", last_of(carom_sim_observable(p.sim, k), "mass"), 3 * number[k], 0);
        const carom_table *t = &carom_sim_observable(p.sim, k)->tables[0];
        double sum = 0; /* rates of the rows */
        for (size_t n = 0; n < t->rows; n++) sum += 0.7 * t->columns[2].data[n];
        EXPECT_CLOSE("sum of the rates", sum, number[k], 1e-12);
    }
    play_close(&p);
}
END_TEST

/* Both disks beside a periodic face leave through one region, and others enter on its two sides. */
START_TEST(regions_continue_beyond_periodic_faces)
{
    play p = open_scene(
        "dimension: 2\nbox: {size: [6, 6], boundary: periodic}\nspecies: {a: {diameter: 0.1, mass: 1}}\n"
        "particles:\n  - {species: a, place: {at: [[0.3, 3], [5.7, 3], [3, 3]]}}\n"
        "  - {species: a, count: 40, place: {inflow: {rate: 20, start: 1, region: {box: {from: [3.95, 2], to: "
        "[8.05, 4]}}}}}\n"
        "outflow: [{name: hole, region: {ball: {centre: [6, 3], radius: 0.5}}, every: 0.1, end: 0.9}]\nvariational: "
        "{stiffness: 100}\n",
        NULL);
    play_advance(&p, 0.5);
    ck_assert_uint_eq(frame(&p)->tallies.flow.left, 2);
    play_advance(&p, 4);
    ck_assert_uint_eq(frame(&p)->tallies.flow.entered, 40);
    const carom_frame *f = frame(&p);
    frame_need(f, FRAME_ALL);
    size_t sides[2] = {0};
    for (size_t i = 3; i < 43; i++) {
        const double x = f->position[2 * i];
        ck_assert((x >= 0 && x <= 2) || (x >= 4 && x < 6));
        sides[x > 3]++;
    }
    EXPECT_CLOSE("on the left", (double)sides[0], 20, 3 * sqrt(10));
    play_close(&p);
}
END_TEST

/* A region with room for one disk: the next one enters when it has left the region. */
START_TEST(an_occupied_region_waits)
{
    play p = open_scene("dimension: 2\nbox: {size: [4, 30], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                        "particles: [{species: a, count: 5, velocity: {each: [0, -1]},\n"
                        "  place: {inflow: {region: {box: {from: [1, 20], to: [2.001, 21.001]}}, rate: 10}}}]\n",
                        NULL);
    for (int n = 1; n <= 40; n++) {
        play_advance(&p, 0.1 * n + 0.05);
        /* disks are at most 0.001 apart along x, and enter at multiples of 0.1, 1 to 1.001 after the one before */
        const uint64_t most = 1 + (uint64_t)((0.1 * n + 0.05) / 0.998), least = 1 + (uint64_t)((0.1 * n + 0.05) / 1.1);
        ck_assert_uint_le(frame(&p)->tallies.flow.entered, most < 5 ? most : 5);
        ck_assert_uint_ge(frame(&p)->tallies.flow.entered, least < 5 ? least : 5);
    }
    play_close(&p);
}
END_TEST

/* ---- with contacts ----------------------------------------------------------------------------------------------- */

/* A bed into which grains fall, and of which a part leaves, in contact. */
#define BED                                                                                                            \
    "dimension: 3\nseed: %d\nbox: {size: [3.5, 3, 6], boundary: [periodic, wall, open]}\n"                             \
    "species: {a: {diameter: {uniform: [0.8, 1.2]}, density: 1.9}, b: {diameter: 0.7, mass: 0.4}}\n"                   \
    "particles:\n"                                                                                                     \
    "  - {species: b, count: 6, place: {random: {region: {box: {from: [0, 0, 1], to: [3.5, 3, 3]}}}}}\n"               \
    "  - {species: {a: 1, b: 1}, count: 24, velocity: {maxwell: 0.2}, angular_velocity: {maxwell: 1},\n"               \
    "     place: {inflow: {region: {cylinder: {from: [1.7, 1.5, 3.5], to: [1.7, 1.5, 5.5], radius: 1.5}}, rate: "      \
    "6}}}\n"                                                                                                           \
    "  - {species: a, count: 2, place: {inflow: {region: {ball: {centre: [1, 1, 5], radius: 1}}, rate: 1, start: "     \
    "3}}}\n"                                                                                                           \
    "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"                                                   \
    "meshes: [{name: post, rigid: true, thickness: 0.2, shape: {solid: {kind: octahedron, radius: 0.5}}, place: {at: " \
    "[1.5, 1.5, 0.8]}}]\n"                                                                                             \
    "contacts:\n  - {between: [a, a], restitution: 0.6, friction: 0.4, rolling_friction: 0.1%s}\n"                     \
    "  - {between: [a, b], restitution: 0.6, friction: 0.4}\n  - {between: [b, b], restitution: 0.6, friction: 0.4}\n" \
    "  - {between: [a, floor], restitution: 0.6, friction: 0.4}\n  - {between: [b, floor], restitution: 0.6, "         \
    "friction: 0.4}\n"                                                                                                 \
    "  - {between: [a, wall], restitution: 0.6, friction: 0.4}\n  - {between: [b, wall], restitution: 0.6, friction: " \
    "0.4}\n"                                                                                                           \
    "outflow:\n  - {name: drain, region: {box: {from: [0, 0, -1], to: [1.2, 3, 0.9]}}, every: 1.1, start: 3.3, end: "  \
    "7}\n"                                                                                                             \
    "  - {name: splash, side: z+, every: 0.5}\n"                                                                       \
    "fields: {gravity: [0, 0, -1]}\nvariational: {rotation: true, courant: 0.2}\n"

static const char *bed_text(int seed)
{
    static char body[2400];
    snprintf(body, sizeof body, BED, seed, seed % 2 == 0 ? ", cohesion: 0.05" : "");
    return body;
}

enum { SEEDS = 12, SOME = 3 };

START_TEST(the_reference_agrees)
{
    reference_gives_the_same(bed_text(_i), 1.5, 6);
    play p = open_scene(bed_text(_i), NULL);
    play_advance(&p, 9);
    ck_assert_uint_gt(frame(&p)->tallies.flow.left, 0);
    play_close(&p);
}
END_TEST

START_TEST(resumed_runs_and_threads_agree)
{
    char name[40];
    snprintf(name, sizeof name, "flows-%d", _i);
    parts_give_the_same(name, bed_text(_i), NULL, 8);
}
END_TEST

/* The drift of the balance is that of scenes without exchange (some 1e-5 at this step). */
START_TEST(the_energy_is_balanced)
{
    double worst = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        play p = open_scene(bed_text(seed), "variational.courant=0.05");
        const double start = budget(&p);
        play_advance(&p, 12);
        worst = fmax(worst, fabs(budget(&p) - start) / frame(&p)->tallies.flow.energy_entered);
        play_close(&p);
    }
    EXPECT_CLOSE("drift / energy that has entered", worst, 0, 2e-5);
}
END_TEST

/* ---- a stored state as a start ----------------------------------------------------------------------------------- */

/* A settled bed goes on at rest: with the same walls, or without the one on which nothing rests. */
START_TEST(a_stored_bed_stays_at_rest)
{
    char path[64], body[2400], next[2400];
    snprintf(path, sizeof path, "flows-bed-%d.h5", (int)getpid());
    text.length = 0;
    snprintf(body, sizeof body, BED, 1, "");
    play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 40}}\n%s", body);
    play p = play_try(text.text, NULL, &(carom_options){.output = path, .force = true});
    play_run(&p, CAROM_STOP_TIME);
    const size_t present = frame_present(frame(&p));
    const frame_energy settled = frame_energy_of(frame(&p));
    const double eta = frame(&p)->tallies.eta, stiffness = frame(&p)->tallies.stiffness;
    play_close(&p);
    char *from = strstr(body, "particles:"), *to = strstr(body, "planes:"), *outflow = strstr(body, "outflow:"),
         *fields = strstr(body, "fields:");
    snprintf(next, sizeof next, "%.*sparticles: [{species: {a: 1, b: 1}, place: {file: %s}, velocity: file}]\n%.*s%s",
             (int)(from - body), body, path, (int)(outflow - to), to, fields);
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 5}}\n%s", next);
    char *rotation = strstr(text.text, "rotation: true, courant: 0.2");
    char rest[400];
    snprintf(rest, sizeof rest, "%s", rotation + strlen("rotation: true, courant: 0.2"));
    text.length = (size_t)(rotation - text.text);
    play_add(&text, "rotation: true, courant: 0.2, eta: %.17g, stiffness: %.17g%s", eta, stiffness, rest);
    p = play_open(text.text, NULL);
    ck_assert_uint_eq(frame_particles(frame(&p)), present);
    const frame_energy start = frame_energy_of(frame(&p));
    EXPECT_CLOSE("stored in contacts", start.stored, settled.stored, 0.02 * settled.stored);
    const double before = budget(&p);
    play_run(&p, CAROM_STOP_TIME);
    const frame_energy end = frame_energy_of(frame(&p));
    EXPECT_CLOSE("height", end.potential, start.potential, 2e-3 * start.potential);
    EXPECT_CLOSE("energy balance", budget(&p), before, 1e-5 * start.potential);
    play_close(&p);
    remove(path);
}
END_TEST

/* Two elastic balls, compressed by half of their layer, whose energy becomes motion: with an error of the second order in the step. */
START_TEST(elastic_contacts_of_a_stored_state_balance)
{
    char path[64], body[600];
    snprintf(path, sizeof path, "flows-pair-%d.xyz", (int)getpid());
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("2\nProperties=species:S:1:pos:R:3:velo:R:3\na 2 2 2 0 0 0\na 2.95 2 2 0 0 0\n", file);
    fclose(file);
    snprintf(body, sizeof body,
             "dimension: 3\nbox: {size: [8, 4, 8], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
             "particles: [{species: a, place: {file: %s}, velocity: file}]\n"
             "variational: {eta: 0.05, stiffness: 100, courant: %%g}\n",
             path);
    for (int n = 0; n < 2; n++) {
        const double courant = n == 0 ? 0.2 : 0.05;
        char text_of_step[700];
        snprintf(text_of_step, sizeof text_of_step, body, courant);
        play p = open_scene(text_of_step, NULL);
        const double start = budget(&p);
        play_advance(&p, 3);
        EXPECT_CLOSE("energy balance", budget(&p), start, 0.26 * courant * courant * start);
        ck_assert(frame(&p)->tallies.ledger.friction == 0);
        play_close(&p);
    }
    remove(path);
}
END_TEST

/* Edges that a periodic box cannot tell from shorter ones are refused: a ball never falls through a plate. */
START_TEST(long_edges_in_a_periodic_box_hold_or_are_refused)
{
    int held = 0;
    for (int n = 0; n < 36; n++) {
        char body[700];
        const double length = 0.9 + 0.2 * n;
        text.length = 0;
        snprintf(body, sizeof body,
                 "dimension: 3\nbox: {size: [4, 4, 8], boundary: [periodic, periodic, wall]}\n"
                 "species: {a: {diameter: 1, mass: 1}}\nparticles: [{species: a, place: {at: [[2, 2, 4]]}}]\n"
                 "meshes: [{name: plate, shape: {rectangle: {length: %g, width: %g, along: %d, across: %d}},\n"
                 "  place: {at: [2, 2, 2]}, rigid: true, thickness: 0.1}]\nfields: {gravity: [0, 0, -1]}\n",
                 length, length, 1 + n % 3, 1 + n % 3);
        play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 4}}\n%s", body);
        play p = play_try(text.text, NULL, NULL);
        if (p.created != CAROM_OK)
            ck_assert_ptr_nonnull(strstr(carom_sim_message(p.sim), "allows at most"));
        else
            play_run(&p, CAROM_STOP_TIME);
        if (p.created == CAROM_OK) ck_assert(frame(&p)->position[2] > 2.5);
        held += p.created == CAROM_OK;
        play_close(&p);
    }
    ck_assert_int_ge(held, 5);
}
END_TEST

/* A mesh in a grain of a stored state is refused; one that the grain touches is not. */
START_TEST(meshes_in_grains_of_a_stored_state_are_refused)
{
    char path[64], body[900];
    snprintf(path, sizeof path, "flows-grain-%d.xyz", (int)getpid());
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("1\nProperties=species:S:1:pos:R:3:velo:R:3\na 2 2 5 0 0 0\n", file);
    fclose(file);
    const double heights[] = {4.3, 4.42, 4.49, 4.51, 4.55, 4.9, 5, 5.3, 5.49};
    for (size_t n = 0; n < sizeof heights / sizeof *heights; n++) {
        snprintf(body, sizeof body,
                 "dimension: 3\nbox: {size: [4, 4, 8], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                 "particles: [{species: a, place: {file: %s}, velocity: file}]\n"
                 "meshes: [{name: plate, shape: {rectangle: {length: 3, width: 3, along: 3, across: 3}},\n"
                 "  place: {at: [2, 2, %g]}, rigid: true, thickness: 0.1}]\nfields: {gravity: [0, 0, -1]}\n"
                 "contacts: [{between: [a, a], restitution: 0.5}]\nvariational: {eta: 0.045}\n",
                 path, heights[n]);
        text.length = 0;
        play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 3}}\n%s", body);
        play p = play_try(text.text, NULL, NULL);
        /* contact begins at a distance of 0.55, and 0.469 is the least one */
        ck_assert_int_eq(p.created == CAROM_OK, fabs(5 - heights[n]) >= 0.469);
        if (p.created != CAROM_OK) ck_assert_ptr_nonnull(strstr(carom_sim_message(p.sim), "at the start"));
        if (p.created == CAROM_OK && heights[n] < 5) {
            play_run(&p, CAROM_STOP_TIME);
            ck_assert(frame(&p)->position[2] > heights[n] + 0.4);
        }
        play_close(&p);
    }
    remove(path);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *rest = suite_long_case();
    tcase_add_test(all, a_fall_takes_its_time);
    tcase_add_test(all, ids_stay);
    tcase_add_test(all, places_are_uniform);
    tcase_add_test(all, changes_keep_the_exchange);
    tcase_add_test(all, net_flows_are_exact);
    tcase_add_test(all, regions_continue_beyond_periodic_faces);
    tcase_add_test(all, an_occupied_region_waits);
    suite_split_loop(all, rest, the_reference_agrees, SOME, SEEDS);
    suite_split_loop(all, rest, resumed_runs_and_threads_agree, SOME, SEEDS);
    tcase_add_test(all, the_energy_is_balanced);
    tcase_add_test(all, a_stored_bed_stays_at_rest);
    tcase_add_test(all, long_edges_in_a_periodic_box_hold_or_are_refused);
    tcase_add_test(all, elastic_contacts_of_a_stored_state_balance);
    tcase_add_test(all, meshes_in_grains_of_a_stored_state_are_refused);
    tcase_set_timeout(all, 300);
    return suite_run("flows", all, rest);
}
