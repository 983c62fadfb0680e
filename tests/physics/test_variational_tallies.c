/* Detects wrong sums in the engine `variational`: impulses on walls against momenta, the virial against the rotation
 * of positions about each other, restitution against relative speeds. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/suite.h"

static play_text text;

static void begin(const char *body)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\n%s", body);
}

/* sum m v_a x_b of all particles, unwrapped, and sum m v_a. */
static void moments_of(const carom_frame *f, double moment[3][3], double momentum[3])
{
    const size_t d = (size_t)f->dimension;
    memset(moment, 0, 9 * sizeof(double));
    memset(momentum, 0, 3 * sizeof(double));
    for (size_t i = 0; i < f->count; i++)
        for (size_t a = 0; a < d; a++) {
            momentum[a] += f->mass[i] * f->velocity[i * d + a];
            for (size_t b = 0; b < d; b++)
                moment[a][b] += f->mass[i] * f->velocity[i * d + a] * frame_unwrapped(f, i, b);
        }
}

/* Friction acts at the centres, across the line between them: what it does to the angular momentum is what the virial has of
 * an antisymmetric part, J_a r_b - J_b r_a; and the virial theorem tells its symmetric part: the change of sum m v_a x_b is the
 * integral of sum m v_a v_b and the virial. The integral is that of steps as small as kicks. */
START_TEST(virial)
{
    static const char *const gases[] = {"dimension: 2\nbox: {size: [8, 9], boundary: open}\nspecies: {a: {diameter: 1, "
                                        "mass: 1}, b: {diameter: 0.8, mass: 3}}\n"
                                        "particles: [{species: a, place: {at: [[2, 2], [4, 2.4]]}, velocity: {each: "
                                        "[[1, 0], [-1, 0.1]]}}, {species: b, place: {at: "
                                        "[[3.2, 4]]}, velocity: {each: [[0.1, -0.8]]}}]\n",
                                        "dimension: 3\nbox: {size: [8, 9, 7], boundary: open}\nspecies: {a: {diameter: "
                                        "1, mass: 1}, b: {diameter: 0.8, mass: 3}}\n"
                                        "particles: [{species: a, place: {at: [[2, 2, 2], [4, 2.4, 1.8]]}, velocity: "
                                        "{each: [[1, 0, 0], [-1, 0.1, 0.05]]}}, {species: "
                                        "b, place: {at: [[3.2, 4, 2.1]]}, velocity: {each: [[0.1, -0.8, 0]]}}]\n"};
    double first[3][3], last[3][3], flow[3][3] = {{0}}, momentum[3], before[3][3] = {{0}}, step = 1e-4;
    begin(gases[_i]);
    play_add(
        &text,
        "contacts: [{between: [a, a], restitution: 0.7, friction: 0.5}, {between: [a, b], restitution: 0.8, friction: "
        "0.4}]\nvariational: {courant: 0.05}\nrun: {until: {time: 4}}\n");
    play p = play_open(text.text, NULL);
    moments_of(carom_sim_frame(p.sim), first, momentum);
    for (int n = 0; n <= 40000; n++) {
        play_advance(&p, n * step);
        const carom_frame *f = carom_sim_frame(p.sim);
        for (size_t a = 0; a < (size_t)f->dimension; a++)
            for (size_t b = 0; b < (size_t)f->dimension; b++) {
                double now = 0;
                for (size_t i = 0; i < f->count; i++)
                    now += f->mass[i] * f->velocity[i * (size_t)f->dimension + a] *
                           f->velocity[i * (size_t)f->dimension + b];
                if (n > 0) flow[a][b] += 0.5 * step * (before[a][b] + now);
                before[a][b] = now;
            }
    }
    const carom_frame *f = carom_sim_frame(p.sim);
    moments_of(f, last, momentum);
    ck_assert_uint_ge(f->events[EVENT_COLLISION], 2);
    double odd = 0;
    for (int a = 0; a < f->dimension; a++)
        for (int b = 0; b < f->dimension; b++) {
            const double expected = last[a][b] - first[a][b] - flow[a][b];
            EXPECT_CLOSE("virial", f->tallies.virial[a][b], expected, 1e-5);
            EXPECT_CLOSE("its odd part", f->tallies.virial[a][b] - f->tallies.virial[b][a],
                         last[a][b] - first[a][b] - last[b][a] + first[b][a], 1.6e-14);
            odd = fmax(odd, fabs(f->tallies.virial[a][b] - f->tallies.virial[b][a]));
        }
    ck_assert(odd > 0.05);
    play_close(&p);
}
END_TEST

/* What walls give is what gravity does not. */
START_TEST(walls)
{
    double moment[3][3], first[3], last[3];
    begin("dimension: 3\nseed: 2\nbox: {size: [4, 5, 6], boundary: wall}\nspecies: {a: {diameter: 1, mass: "
          "2}}\nfields: {gravity: [0.5, "
          "-0.3, 0.2]}\nparticles: [{species: a, count: 8, place: random, velocity: {maxwell: 2}}]\n"
          "contacts: [{between: [a, wall], restitution: 0.8}]\nrun: {until: {time: 5}}\n");
    play p = play_open(text.text, NULL);
    moments_of(carom_sim_frame(p.sim), moment, first);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    moments_of(f, moment, last);
    for (int a = 0; a < 3; a++) {
        const double *given = f->tallies.wall_impulse[a];
        printf("%g and %g\n", given[0], given[1]);
        ck_assert(given[0] > 1 && given[1] > 1);
        EXPECT_CLOSE("impulse", given[0] - given[1], last[a] - first[a] - 16 * 5 * f->gravity[a], 4e-13);
    }
    play_close(&p);
}
END_TEST

/* A ball off a plane that comes towards it: as seen from the plane it loses as the table says, and the plane does the work of
 * its force on its way. */
START_TEST(moving_plane)
{
    begin("dimension: 2\nbox: {size: [9, 9], boundary: open}\nspecies: {a: {diameter: 1, mass: 3}}\n"
          "planes: [{name: piston, point: [0, 2], normal: [0, 1]}]\ndrives: [{name: d, plane: piston, motion: "
          "[{velocity: [0, 0.5]}]}]\n"
          "particles: [{species: a, place: {at: [[4, 4]]}, velocity: {each: [[0.1, -1]]}}]\n"
          "contacts: [{between: [a, piston], restitution: {table: [[1, 1], [2, 0.5]]}}]\nrun: {until: {time: 3}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double off = f->velocity[1] - 0.5;
    EXPECT_CLOSE("speed off the plane", off, 0.75 * 1.5, 1.4e-15);
    EXPECT_CLOSE("work", f->tallies.ledger.work, 3 * 0.5 * (f->velocity[1] + 1), 1.4e-15);
    EXPECT_CLOSE("lost", f->tallies.ledger.restitution, 0.5 * 3 * (1.5 * 1.5 - off * off), 7e-15);
    EXPECT_CLOSE("along the plane", f->velocity[0], 0.1, 0);
    json_t *summary = play_summary(&p);
    EXPECT_CLOSE("drift of the whole", play_number(summary, "energy.drift"), 0, 5.4e-15);
    json_decref(summary);
    play_close(&p);
}
END_TEST

/* Two disks head-on, at speeds of a table. */
START_TEST(restitution_by_speed)
{
    static const double speed[] = {0.5, 1.5, 3}, expected[] = {1, 0.75, 0.5};
    for (int k = 0; k < 3; k++) {
        begin("dimension: 2\nbox: {size: [30, 9], boundary: open}\nspecies: {a: {diameter: 1, mass: 3}, b: {diameter: "
              "1, mass: 1}}\n");
        play_add(
            &text,
            "particles: [{species: a, place: {at: [[10, 4]]}, velocity: {each: [[%g, 0]]}}, {species: b, place: {at: "
            "[[12, 4]]}, "
            "velocity: {each: [[%g, 0]]}}]\ncontacts: [{between: [a, b], restitution: {table: [[1, 1], [2, 0.5]]}}]\n"
            "variational: {courant: 0.05}\nrun: {until: {time: 5}}\n",
            0.25 * speed[k], -0.75 * speed[k]);
        play p = play_open(text.text, NULL);
        play_run(&p, CAROM_STOP_TIME);
        const carom_frame *f = carom_sim_frame(p.sim);
        EXPECT_CLOSE("e", (f->velocity[2] - f->velocity[0]) / speed[k], expected[k], 3e-7);
        play_close(&p);
    }
}
END_TEST

/* What turns about a leaning axis and travels with it is where Rodrigues' formula says; moving and lifting it costs m v^2 / 2 +
 * m g h. */
START_TEST(driven)
{
    static const double axis[3] = {0.6, 0, 0.8}, through[3] = {3, 4, 5}, velocity[3] = {0.1, -0.05, 0.2},
                        turn = 0.7 * 2;
    double start[6][3], work = 0;
    begin("dimension: 3\nbox: {size: [12, 12, 12], boundary: open}\nspecies: {a: {diameter: 0.5, mass: 2}}\nfields: "
          "{gravity: [0, 0, "
          "-1]}\nmeshes: [{name: m, shape: {solid: {kind: octahedron, radius: 0.7}}, place: {at: [5, 4.5, 5.5]}, "
          "species: a, thickness: "
          "0.1, density: 5, stretch: 100}]\ndrives: [{name: d, mesh: m, motion: [{time: 0.5, velocity: [0.1, -0.05, "
          "0.2], turn: {axis: "
          "[0.6, 0, 0.8], through: [3, 4, 5], rate: 0.7}}]}]\nrun: {until: {time: 2.5}}\n");
    play p = play_open(text.text, NULL);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->count, 6);
    memcpy(start, f->position, sizeof start);
    play_run(&p, CAROM_STOP_TIME);
    f = carom_sim_frame(p.sim);
    for (int i = 0; i < 6; i++) {
        double arm[3], along = 0;
        for (int k = 0; k < 3; k++) {
            arm[k] = start[i][k] - through[k];
            along += axis[k] * arm[k];
        }
        for (int k = 0; k < 3; k++) {
            const double side = axis[(k + 1) % 3] * arm[(k + 2) % 3] - axis[(k + 2) % 3] * arm[(k + 1) % 3];
            const double to = through[k] + cos(turn) * arm[k] + sin(turn) * side + (1 - cos(turn)) * along * axis[k];
            EXPECT_CLOSE("place", f->position[3 * i + k], to + 2 * velocity[k], 3e-15);
            work += 0.5 * f->mass[i] * f->velocity[3 * i + k] * f->velocity[3 * i + k];
        }
        work += f->mass[i] * (f->position[3 * i + 2] - start[i][2]);
    }
    EXPECT_CLOSE("work", f->tallies.ledger.work, work, 4e-15);
    play_close(&p);
}
END_TEST

/* A plate that moves gives a ball what it does work for: the ball's momentum, at the speed of the plate, wherever in a
 * triangle, on an edge or at a corner they meet. */
START_TEST(driven_plate)
{
    static const char *const places[] = {"4.2, 3.7", "4, 4.3", "3.5, 3.5"};
    begin(
        "dimension: 3\nbox: {size: [8, 8, 8], boundary: open}\nspecies: {a: {diameter: 0.5, mass: 2}}\nmeshes: [{name: "
        "m, shape: {rectangle: {length: 1, width: 1, along: 1, across: 1}}, place: {at: [4, 4, 2]}, species: a, "
        "thickness: 0.2, density: 5, stretch: 100}]\ndrives: [{name: d, mesh: m, motion: [{velocity: [0.3, 0, "
        "1]}]}]\n");
    play_add(&text,
             "particles: [{species: a, place: {at: [[%s, 3]]}, velocity: {each: [[0.3, 0, 0]]}}]\n"
             "run: {until: {time: 2}}\n",
             places[_i]);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double *v = f->velocity;
    ck_assert_uint_ge(f->events[EVENT_COLLISION], 1);
    ck_assert_double_gt(v[2], 1);
    EXPECT_CLOSE("work", f->tallies.ledger.work, 2 * (0.3 * (v[0] - 0.3) + v[2]), 1.4e-15);
    play_close(&p);
}
END_TEST

/* Points that are one body and turn freely, about none of its axes: they keep their momenta. Its spin is that of half a tick
 * later; a tick is four steps of the first layer. */
START_TEST(body_of_points)
{
    begin(
        "dimension: 3\nbox: {size: [20, 20, 20], boundary: open}\nspecies: {a: {diameter: 0.2, mass: 1}, b: {diameter: "
        "0.2, mass: 3}}\nparticles:\n  - {species: a, place: {at: [[10, 10, 10], [11, 10.4, 10], [10.2, 11.5, "
        "10.7]]}}\n"
        "  - {species: b, place: {at: [[9.6, 10.3, 12]]}}\n"
        "bodies: [{name: top, particles: {from: 0, to: 3}, angular_velocity: [0.3, 1, -0.5]}]\n"
        "variational: {eta: 0.02, stiffness: 10000}\nrun: {until: {time: 30}}\n");
    play p = play_open(text.text, NULL);
    const momenta first = momenta_of(carom_sim_frame(p.sim), NULL);
    const double kinetic = frame_energy_of(carom_sim_frame(p.sim)).kinetic;
    const double lead = 0.5 * 4 * 0.05 * sqrt(1 / 10000.0) * sqrt(0.09 + 1 + 0.25);
    double size = 0;
    for (int k = 0; k < 3; k++) size = hypot(size, first.angular[k]);
    for (int n = 1; n <= 60; n++) {
        play_advance(&p, 0.5 * n);
        const momenta now = momenta_of(carom_sim_frame(p.sim), NULL);
        for (int k = 0; k < 3; k++) {
            EXPECT_CLOSE("momentum", now.linear[k], first.linear[k], 8e-15);
            EXPECT_CLOSE("angular momentum", now.angular[k], first.angular[k], lead * size);
        }
        EXPECT_CLOSE("kinetic energy", frame_energy_of(carom_sim_frame(p.sim)).kinetic, kinetic,
                     0.36 * lead * lead * kinetic);
    }
    play_close(&p);
}
END_TEST

/* A damped sheet that hangs from one of its sides comes to rest, though gravity moves each of its vertices between two kicks:
 * from then on it loses nothing. */
START_TEST(damped_sheet_at_rest)
{
    begin("dimension: 3\nbox: {size: [8, 8, 8], boundary: open}\nspecies: {a: {diameter: 0.5}}\nfields: {gravity: [0, "
          "-1, "
          "0]}\nmeshes: [{name: m, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [4, 4, "
          "4]}, "
          "thickness: 0.1, density: 10, stretch: 100, bend: 0.1, damping: {stretch: 10}}]\ndrives: [{name: d, mesh: m, "
          "within: {from: [0, 4.49, 0], to: [8, 8, 8]}}]\n"
          "variational: {stiffness: 100, material_step: 0.01}\nrun: {until: {time: 100}}\n");
    play p = play_open(text.text, NULL);
    play_advance(&p, 50);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double early = f->tallies.ledger.damping, budget = frame_energy_of(f).total;
    ck_assert_double_gt(early, 1e-4);
    play_run(&p, CAROM_STOP_TIME);
    f = carom_sim_frame(p.sim);
    /* 5000 kicks of 9 vertices by damping of the roundings of speeds, 1e-2 / 10, are far less than one of the sum */
    EXPECT_CLOSE("lost at rest", f->tallies.ledger.damping, early, 3 * 0x1p-53 * early);
    EXPECT_CLOSE("energy", frame_energy_of(f).total, budget, 1.4e-15);
    play_close(&p);
}
END_TEST

/* Sheets that differ ten thousand times in stiffness each take the steps that they need: both vibrate, struck by a ball,
 * and keep the energy of all but for what two impacts may scatter: each a quarter of courant of half of it at most, and they do by 0.002. */
START_TEST(sheets_of_two_stiffnesses)
{
    begin("dimension: 3\nbox: {size: [20, 8, 8], boundary: open}\nspecies: {a: {diameter: 0.5, mass: 1}}\nmeshes:\n"
          "  - {name: soft, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [4, 4, 4]}, "
          "thickness: 0.1, density: 10, stretch: 1, bend: 0.01}\n"
          "  - {name: stiff, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [14, 4, 4]}, "
          "thickness: 0.1, density: 10, stretch: 10000, bend: 100}\n"
          "particles: [{species: a, place: {at: [[4.1, 3.8, 5], [14.1, 3.8, 5]]}, velocity: {each: [[0, 0, -1], [0, 0, "
          "-1]]}}]\nvariational: {eta: 0.02, stiffness: 1000, material_step: 0.05}\nrun: {until: {time: 3}}\n");
    play p = play_open(text.text, NULL);
    const double before = frame_energy_of(carom_sim_frame(p.sim)).total;
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_ge(f->events[EVENT_COLLISION], 2);
    EXPECT_CLOSE("energy", frame_energy_of(f).total, before, 0.006 * before);
    play_close(&p);
}
END_TEST

/* A ball meets a thick segment where its cores are, though a narrow box leaves lists hardly any margin: what it has afterwards
 * is that of an impact of 1 on 2. */
START_TEST(thick_segment_in_a_narrow_box)
{
    begin("dimension: 3\nbox: {size: [4.5, 12, 12], boundary: [periodic, open, open]}\nspecies: {end: {diameter: 0.5, "
          "mass: "
          "1}, ball: {diameter: 2, mass: 1}}\nparticles:\n  - {species: end, place: {at: [[1, 5, 6], [2, 5, 6]]}}\n"
          "  - {species: ball, place: {at: [[1.5, 8, 6]]}, velocity: {each: [[0, -1, 0]]}}\n"
          "springs: [{name: tie, pairs: [[0, 1]], stiffness: 100}]\n"
          "segments: [{name: rod, pairs: [[0, 1]], diameter: 2, species: end}]\n"
          "variational: {eta: 0.05, stiffness: 100}\nrun: {until: {time: 3}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->events[EVENT_COLLISION], 1);
    EXPECT_CLOSE("speed of the ball", f->velocity[7], 1.0 / 3, 7e-6);
    EXPECT_CLOSE("of the segment", 0.5 * (f->velocity[1] + f->velocity[4]), -2.0 / 3, 3.6e-6);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, virial, 0, 2);
    tcase_add_test(all, walls);
    tcase_add_test(all, moving_plane);
    tcase_add_test(all, restitution_by_speed);
    tcase_add_test(all, driven);
    tcase_add_loop_test(all, driven_plate, 0, 3);
    tcase_add_test(all, body_of_points);
    tcase_add_test(all, damped_sheet_at_rest);
    tcase_add_test(all, sheets_of_two_stiffnesses);
    tcase_add_test(all, thick_segment_in_a_narrow_box);
    tcase_set_timeout(all, 60);
    return suite_run("variational tallies", all);
}
