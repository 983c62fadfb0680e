/* Detects mesh contacts that violate conservation of momentum, angular momentum or energy, restitution, or Coulomb's
 * law. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/suite.h"

#include "frame/frame.h"

static const char *const SHEETS =
    "carom: 1\nengine: variational\nbox: {size: [10, 10, 6], boundary: [open, open, open]}\n"
    "species: {a: {diameter: 0.5, mass: 0.2}}\n"
    "meshes:\n"
    "  - {name: low, shape: {rectangle: {length: 2, width: 2, along: 8, across: 8, rough: true}}, place: {at: [5, 5, "
    "2]},\n"
    "     thickness: 0.05, density: 20, stretch: 100, bend: 0.01, velocity: [0, 0, 0.5]}\n"
    "  - {name: high, shape: {rectangle: {length: 2, width: 2, along: 8, across: 8, rough: true, seed: 3}},\n"
    "     place: {at: [5.13, 5.07, 2.4]}, thickness: 0.05, density: 20, stretch: 100, bend: 0.01,\n"
    "     velocity: [0.02, 0, -0.5]}\n"
    "%s"
    "run: {until: {time: 6}}\n";

/* Sum of |m v|, by which what moves is measured. */
static double all_moving(const carom_frame *f)
{
    double sum = 0;
    for (size_t k = 0; k < 3 * f->count; k++) sum += f->mass[k / 3] * fabs(f->velocity[k]);
    return sum;
}

static double energy_of(const carom_frame *f)
{
    return frame_energy_of(f).total;
}

/* Elastic: sheets hit each other, or a ball hits one from above. */
static void keep(const char *others, const char *name)
{
    play_text text = {.length = 0};
    play_add(&text, SHEETS, others);
    play p = play_open(text.text, NULL);
    static const double middle[3] = {5, 5, 5};
    const momenta start = momenta_of(carom_sim_frame(p.sim), middle);
    const double scale = all_moving(carom_sim_frame(p.sim));
    double energy = energy_of(carom_sim_frame(p.sim)), off = 0, turned = 0, early = 0, late = 0;
    for (int n = 1; n <= 60; n++) {
        play_advance(&p, 0.1 * n);
        const carom_frame *f = carom_sim_frame(p.sim);
        const momenta now = momenta_of(f, middle);
        for (int k = 0; k < 3; k++) {
            off = fmax(off, fabs(now.linear[k] - start.linear[k]) / scale);
            turned = fmax(turned, fabs(now.angular[k] - start.angular[k]) / scale);
        }
        *(n <= 30 ? &early : &late) += (energy_of(f) / energy - 1) / 30;
    }
    const carom_frame *f = carom_sim_frame(p.sim);
    printf("%s: %llu impacts\n", name, (unsigned long long)f->events[EVENT_COLLISION]);
    ck_assert_uint_gt(f->events[EVENT_COLLISION], 100);
    /* 3.3e-16 and 8.2e-14, of a sum of 600,000 kicks with arms of 5; energies by 2.6e-5 at most */
    EXPECT_CLOSE("momentum", off, 0, 1e-15);
    EXPECT_CLOSE("angular momentum", turned, 0, 2.5e-13);
    EXPECT_CLOSE("energy, first half", early, 0, 8e-5);
    EXPECT_CLOSE("energy, second half", late, 0, 2e-5);
    play_close(&p);
}

START_TEST(elastic)
{
    keep("", "two sheets");
    keep("particles: [{species: a, place: {at: [[5.03, 4.98, 3.2]]}, velocity: {each: [[0.1, 0, -2]]}}]\n",
         "two sheets and a ball");
}
END_TEST

/* ---- restitution ------------------------------------------------------------------------------------------------- */

/* A ball falls without gravity onto a rigid octahedron: on a face, on an edge, on a corner. */
static double bounce(double e, const char *at, const char *velocity)
{
    play_text text = {.length = 0};
    play_add(&text,
             "carom: 1\nengine: variational\nbox: {size: [10, 10, 10], boundary: [open, open, open]}\n"
             "species: {a: {diameter: 0.5, mass: 0.2}}\n"
             "particles: [{species: a, place: {at: [%s]}, velocity: {each: [%s]}}]\n"
             "meshes: [{name: rock, shape: {solid: {kind: octahedron, radius: 1}}, place: {at: [5, 5, 5]},\n"
             "          thickness: 0.05, rigid: true}]\n"
             "contacts: [{between: [a, a], restitution: %g}]\nvariational: {courant: 0.05}\n"
             "run: {until: {time: 4}}\n",
             at, velocity, e);
    play p = play_open(text.text, NULL);
    double before = energy_of(carom_sim_frame(p.sim));
    play_advance(&p, 4);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_ge(f->events[EVENT_COLLISION], 1);
    double after = frame_energy_of(f).kinetic;
    play_close(&p);
    return sqrt(after / before);
}

START_TEST(restitution)
{
    /* Elastic, what the kicks of the clocks leave: 7e-7, 7e-10, 2.2e-6. Less, the last kick is fitted to what the law
     * asks for. Without restitution the elements that meet at an edge or a corner act in turn: the pair creeps. */
    static const double e[] = {1, 0.9, 0.5, 0.2, 0}, face[] = {2.2e-6, 4e-16, 7e-16, 5e-16, 3e-16},
                        edge[] = {2.1e-9, 1.2e-10, 6e-11, 2e-13, 5.3e-6},
                        corner[] = {7e-6, 2.7e-8, 2.5e-10, 1e-13, 0.018};
    for (int k = 0; k < 5; k++) {
        printf("e = %g\n", e[k]);
        EXPECT_CLOSE("on a face", bounce(e[k], "[6, 6, 6]", "[-1, -1, -1]"), e[k], face[k]);
        EXPECT_CLOSE("on an edge", bounce(e[k], "[6, 6, 5]", "[-1, -1, 0]"), e[k], edge[k]);
        EXPECT_CLOSE("on a corner", bounce(e[k], "[5, 5, 7]", "[0, 0, -1]"), e[k], corner[k]);
    }
}
END_TEST

/* ---- the ledger -------------------------------------------------------------------------------------------------- */

static double budget_of(const carom_frame *f)
{
    const frame_energy e = frame_energy_of(f);
    return frame_budget(f, &e);
}

/* A sheet is drawn taut over a corner: its kicks press on a contact that takes their speed at once, before the sheet
 * has yielded. What the hems' work becomes is accounted for all the same, whatever the material's step. */
START_TEST(pressed_hard)
{
    static const char *const steps[] = {"5.15e-5", "0", "4e-4"};
    static const double within[] = {3.2e-4, 1.5e-3, 2.1e-3};
    for (int n = 0; n < 3; n++) {
        play_text text = {.length = 0};
        play_add(&text,
                 "carom: 1\nengine: variational\nbox: {size: [10, 10, 6], boundary: open}\n"
                 "species: {a: {diameter: 1}}\n"
                 "meshes:\n"
                 "  - {name: rock, shape: {solid: {kind: octahedron, radius: 0.6}}, place: {at: [5, 5, 2]},\n"
                 "     thickness: 0.05, rigid: true}\n"
                 "  - {name: sheet, shape: {rectangle: {length: 2, width: 1, along: 12, across: 6, rough: true}},\n"
                 "     place: {at: [5, 5, 2.7]}, thickness: 0.05, density: 5, stretch: 400, bend: 0.01,\n"
                 "     damping: {stretch: 1, bend: 0.001}}\n"
                 "drives:\n"
                 "  - {name: west, mesh: sheet, within: {from: [3.9, 0, 0], to: [4.05, 10, 6]},\n"
                 "     motion: [{velocity: [0, 0, -2]}]}\n"
                 "  - {name: east, mesh: sheet, within: {from: [5.95, 0, 0], to: [6.1, 10, 6]},\n"
                 "     motion: [{velocity: [0, 0, -2]}]}\n"
                 "contacts: [{between: [a, a], restitution: 0.3, friction: 0.2}]\n"
                 "variational: {courant: 0.05, material_step: %s}\n"
                 "run: {until: {time: 0.4}}\n",
                 steps[n]);
        play p = play_open(text.text, NULL);
        const carom_frame *f = carom_sim_frame(p.sim);
        const double start = budget_of(f);
        play_advance(&p, 0.4);
        const frame_ledger *l = &(f = carom_sim_frame(p.sim))->tallies.ledger;
        printf("material_step %s: work %.4g, stretch %.4g, lost in contacts %.4g\n", steps[n], l->work, l->stretch,
               l->restitution + l->friction);
        EXPECT_CLOSE("what is not accounted for, over the work", (budget_of(f) - start) / l->work, 0, within[n]);
        play_close(&p);
    }
}
END_TEST

/* ---- friction ---------------------------------------------------------------------------------------------------- */

/* A small sheet on a plate; gravity leans by tan = 0.5. Its way by times 4 and 8. */
static void slide(double mu, double way[2])
{
    play_text text = {.length = 0};
    play_add(
        &text,
        "carom: 1\nengine: variational\nbox: {size: [20, 10, 6], boundary: [open, open, open]}\n"
        "species: {a: {diameter: 0.5, mass: 0.2}}\n"
        "meshes:\n"
        "  - {name: plate, shape: {rectangle: {length: 16, width: 6, along: 16, across: 6}}, place: {at: [10, 5, 2]},\n"
        "     thickness: 0.05, rigid: true}\n"
        "  - {name: sheet, shape: {rectangle: {length: 1, width: 1, along: 3, across: 3, rough: true}},\n"
        "     place: {at: [5.21, 5.13, 2.0501], rotate: {angle: 0.3}}, thickness: 0.05, density: 20, stretch: 100,\n"
        "     bend: 0.1}\n"
        "contacts: [{between: [a, a], restitution: 0.5, friction: %g}]\n"
        "fields: {gravity: [0.5, 0, -1]}\n"
        "run: {until: {time: 20}}\n",
        mu);
    play p = play_open(text.text, NULL);
    double start = 0;
    const carom_frame *f = carom_sim_frame(p.sim);
    size_t from = f->count - 16;
    for (size_t i = from; i < f->count; i++) start += f->position[3 * i] / 16;
    for (int n = 0; n < 2; n++) {
        double end = 0;
        play_advance(&p, 4 * (n + 1));
        f = carom_sim_frame(p.sim);
        for (size_t i = from; i < f->count; i++) end += f->position[3 * i] / 16;
        way[n] = end - start;
    }
    play_close(&p);
}

START_TEST(friction)
{
    /* It creeps by 0.0003; slides on by 0.25 % less at the end, 0.1 % without friction: edges of the plate are met. */
    static const double mu[] = {0.6, 0.4, 0}, within[] = {0.001, 0.003, 0.01}, later[] = {0.001, 0.037, 0.04};
    const double steep = fmax(0.5 - mu[_i], 0);
    double way[2];
    slide(mu[_i], way);
    printf("mu = %g\n", mu[_i]);
    EXPECT_CLOSE("by 4", way[0], 8 * steep, within[_i]);
    EXPECT_CLOSE("by 8", way[1], 32 * steep, later[_i]);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *rest = suite_long_case();
    tcase_add_test(all, elastic);
    tcase_add_test(all, restitution);
    tcase_add_test(all, pressed_hard);
    suite_split_loop(all, rest, friction, 2, 3);
    tcase_set_timeout(all, 300);
    return suite_run("variational, sheets", all, rest);
}
