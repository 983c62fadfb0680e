/* Detects compressions that miss their packing fraction, create overlaps, or do not report jamming. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"
#include "neighbors/packing.h"

typedef struct target {
    const char *name, *scene;
    double fraction;
} target;

static const target targets[] = {
    {"3D to 0.5",
     "dimension: 3\nbox: {packing_fraction: 0.5}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, count: 256, place: compress, velocity: {maxwell: 1}}]\n",
     0.5},
    {"3D to 0.6",
     "dimension: 3\nbox: {packing_fraction: 0.6}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, count: 256, place: compress, velocity: {maxwell: 1}}]\n",
     0.6},
    {"2D to 0.7",
     "dimension: 2\nbox: {packing_fraction: 0.7}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, count: 200, place: compress, velocity: {maxwell: 1}}]\n",
     0.7},
    {"polydisperse",
     "dimension: 3\nbox: {packing_fraction: 0.55}\n"
     "species: {a: {diameter: {lognormal: [1, 0.3], min: 0.3, max: 2.5}, density: 1}}\n"
     "particles: [{species: a, count: 200, place: compress, velocity: {maxwell: 1}}]\n",
     0.55},
    {"walls",
     "dimension: 3\nbox: {packing_fraction: 0.45, boundary: [wall, periodic, wall]}\n"
     "species: {a: {diameter: 1, mass: 1}}\nfields: {gravity: [0, 0, -1]}\n"
     "particles: [{species: a, count: 256, place: compress, velocity: {maxwell: 1}}]\n",
     0.45},
    {"long double",
     "dimension: 2\nbox: {packing_fraction: 0.6}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "hard: {precision: long_double}\n"
     "particles: [{species: a, count: 100, place: compress, velocity: {maxwell: 1}}]\n",
     0.6},
};

static play_text text;

static play open_target(const char *scene)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 2\n%srun: {until: {collisions: 20000}}\n", scene);
    return play_try(text.text, NULL, NULL);
}

/* What rounding leaves here: 3e-15 at most of fractions and walls. */
static const double rounding = 9e-15;

/* Overlaps beyond rounding, counted by the cell grid of the scene reader. */
static uint64_t overlaps(const carom_frame *f)
{
    cells_box box = {.dimension = f->dimension};
    double(*position)[3] = calloc(f->count, sizeof *position), *diameter = calloc(f->count, sizeof *diameter);
    uint64_t found = 0;
    packing_pair pair;
    error e = {0};
    REQUIRE(position != NULL && diameter != NULL);
    for (int k = 0; k < f->dimension; k++) {
        box.size[k] = f->box[k];
        box.periodic[k] = f->boundary[k] == FRAME_PERIODIC;
    }
    for (size_t i = 0; i < f->count; i++) {
        for (int k = 0; k < f->dimension; k++) position[i][k] = f->position[i * (size_t)f->dimension + (size_t)k];
        diameter[i] = 2 * f->radius[i];
        for (int k = 0; k < f->dimension; k++)
            if (f->boundary[k] == FRAME_WALL)
                found +=
                    position[i][k] < f->radius[i] - rounding || position[i][k] > f->box[k] - f->radius[i] + rounding;
    }
    uint64_t pairs = 0;
    REQUIRE(packing_overlaps(&box, f->count, (const double(*)[3])position, diameter, 1, &pair, 1, &pairs, &e) ==
            CAROM_OK);
    free(position);
    free(diameter);
    return found + pairs;
}

static double fraction(const carom_frame *f)
{
    const double pi = 3.14159265358979;
    double volume = 0, room = 1;
    for (size_t i = 0; i < f->count; i++)
        volume += f->dimension == 2 ? pi * pow(f->radius[i], 2) : pi * 4 / 3 * pow(f->radius[i], 3);
    for (int k = 0; k < f->dimension; k++) room *= f->box[k];
    return volume / room;
}

START_TEST(reaches)
{
    const target *t = &targets[_i];
    play p = open_target(t->scene);
    ck_assert_msg(p.created == CAROM_OK, "%s", carom_sim_message(p.sim));
    const carom_frame *f = carom_sim_frame(p.sim);
    EXPECT_CLOSE(t->name, fraction(f), t->fraction, rounding);
    ck_assert_uint_eq(overlaps(f), 0);
    double temperature = frame_energy_of(f).temperature;
    const double freedom = f->dimension * ((double)f->count - 1);
    EXPECT_CLOSE("temperature drawn", temperature, 1, 3 * sqrt(2 / freedom)); /* of a sum of squares */
    (void)carom_sim_run(p.sim);
    f = carom_sim_frame(p.sim);
    printf("%s: after %llu collisions, deepest overlap %g\n", t->name, (unsigned long long)f->events[EVENT_COLLISION],
           f->tallies.max_overlap);
    ck_assert_uint_eq(overlaps(f), 0);
    const double grain = strstr(t->scene, "long_double") != NULL ? 0x1p-63 : 0x1p-52; /* 7 to 14 of them */
    ck_assert(f->tallies.max_overlap > grain && f->tallies.max_overlap < 42 * grain);
    play_close(&p);
}
END_TEST

START_TEST(jams)
{
    play p = open_target("dimension: 3\nbox: {packing_fraction: 0.70}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                         "particles: [{species: a, count: 200, place: {compress: {rate: 0.5}}}]\n");
    ck_assert_int_eq(p.created, CAROM_BAD_DATA);
    static const char said[] = "the compression jams at packing fraction ";
    const char *at = strstr(carom_sim_message(p.sim), said);
    ck_assert_msg(at != NULL, "%s", carom_sim_message(p.sim));
    EXPECT_CLOSE("packing fraction of the jam", atof(at + strlen(said)), 0.598, 3 * 0.0056); /* of six seeds */
    play_close(&p);
}
END_TEST

/* The same seed gives the same state, and one ball alone is compressed at once. */
START_TEST(is_repeatable)
{
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        play p = open_target(targets[2].scene);
        hash[k] = play_hash(&p);
        play_close(&p);
    }
    ck_assert(hash[0] == hash[1]);
    play p =
        open_target("dimension: 3\nbox: {size: 2.3}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                    "particles: [{species: a, count: 1, place: {compress: {from: 0.01}}, velocity: {maxwell: 1}}]\n");
    ck_assert_msg(p.created == CAROM_OK, "%s", carom_sim_message(p.sim));
    EXPECT_CLOSE("radius", carom_sim_frame(p.sim)->radius[0], 0.5, 0);
    play_close(&p);
}
END_TEST

typedef struct stopping {
    int calls; /* calls to wait for */
    double fraction;
    carom_sim *sim;
} stopping;

static void note_stop(const carom_progress *p, void *user)
{
    stopping *s = user;
    if (strcmp(p->phase, "compress") != 0) return;
    s->fraction = p->packing_fraction;
    if (--s->calls == 0) carom_sim_request_stop(s->sim);
}

/* A request to stop that has to wait for the end of a round: 20 collisions of each sphere. */
START_TEST(stops_within_a_round)
{
    double reached[2] = {0};
    for (int k = 0; k < 2; k++) {
        carom_scene *scene = carom_scene_new();
        static const char given[] = "carom: 1\nengine: hard\nseed: 2\ndimension: 3\nbox: {packing_fraction: 0.5}\n"
                                    "species: {a: {diameter: 1, mass: 1}}\nparticles: [{species: a, count: 8000, "
                                    "place: compress}]\nrun: {until: {time: 1}}\n";
        ck_assert_int_eq(carom_scene_load_text(scene, "scene", given, sizeof given - 1), CAROM_OK);
        stopping s = {.calls = 1 + k};
        carom_options options = {.progress = note_stop, .user = &s};
        ck_assert_int_eq(carom_sim_new(&s.sim, scene, &options), CAROM_EARLY);
        ck_assert_int_le(s.calls, 0);
        reached[k] = s.fraction;
        carom_sim_free(s.sim);
        carom_scene_free(scene);
    }
    printf("packing fraction at the first call %.4f, at the second %.4f\n", reached[0], reached[1]);
    ck_assert(reached[0] > 0.2 && reached[1] > reached[0]);
    ck_assert_double_lt(reached[1], 0.22); /* a round: 0.2235 */
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, stops_within_a_round);
    tcase_add_loop_test(all, reaches, 0, sizeof targets / sizeof *targets);
    tcase_add_test(all, jams);
    tcase_add_test(all, is_repeatable);
    tcase_set_timeout(all, 200);
    return suite_run("compress", all);
}
