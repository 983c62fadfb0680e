/* Detects sums over events or bodies that depend on their order: a scene with its particles listed in another order has
 * the same motion, and the same tallies to the bit. */
#include "../support/dice.h"
#include "../support/play.h"
#include "../support/suite.h"

enum { SIDE = 6, MOST = SIDE * SIDE * SIDE };

typedef struct trial {
    int dimension;
    const char *text;
    bool rough, alike; /* alike: of one mass */
} trial;

#define PERIODIC "box: {size: 8, boundary: periodic}\n"

static const trial trials[] = {
    {.dimension = 3, .text = PERIODIC "observe: [{what: viscosity, every: 0.7}]\n"},
    {.dimension = 3,
     .text = PERIODIC "observe: [{what: viscosity, every: 0.7}, {what: thermal_conductivity, every: 0.7}]\n",
     .alike = true},
    {.dimension = 2, .text = PERIODIC "observe: [{what: viscosity, every: 0.7}]\n"},
    {.dimension = 3, .text = PERIODIC "observe: [{what: impact_separation}, {what: three_body}]\n"},
    {
        .dimension = 3,
        .text = PERIODIC
        "contacts: [{between: [a, a], restitution: 0.7}, {between: [a, b], restitution: 0.8}, {between: [b, b], "
        "restitution: 0.6}]\nhard: {collapse: {policy: tc, tc: 1e-5}}\n",
    },
    {.dimension = 3,
     .text = "box: {size: 8}\nfields: {gravity: [0, 0, -0.3]}\ncontacts: [{between: [a, a], restitution: 0.95}]\n"},
    {.dimension = 3,
     .text =
         PERIODIC "contacts: [{between: [a, a], restitution: 0.95, tangential: 0.5, friction: 0.3}, {between: [a, b], "
                  "tangential: 0.2}]\n",
     .rough = true},
    {.dimension = 2, .text = "box: {size: 8}\ncontacts: [{between: [a, wall], tangential: 0.3}]\n", .rough = true},
    {.dimension = 3, .text = PERIODIC "hard: {shear: {rate: 0.4}}\n"},
    {.dimension = 2, .text = PERIODIC "hard: {shear: {rate: 0.4}, precision: long_double}\n"},
    {.dimension = 3, .text = PERIODIC "hard: {compression: {rate: 0.01}}\n"},
    {.dimension = 3, .text = PERIODIC "hard: {compression: {rate: 0.01}, precision: float}\n"},
    {.dimension = 2, .text = PERIODIC "hard: {compression: {rate: 0.01}, precision: long_double}\n"},
    {.dimension = 3, .text = PERIODIC "potentials: [{between: [a, a], square_well: {depth: 0.5, range: 1.2}}]\n"},
};

typedef struct outcome {
    double position[MOST * 3], velocity[MOST * 3]; /* in the order of the first list */
    frame_tallies tallies;
    uint64_t events[EVENT_KINDS];
    uint64_t impact[IMPACT_BINS];
    double impact_density[IMPACT_BINS];
} outcome;

static double position[MOST][3], velocity[MOST][3];
static uint32_t species[MOST], order[MOST];
static play_text text;

static size_t make_points(int dimension, dice *die)
{
    const size_t count = dimension == 3 ? MOST : SIDE * SIDE;
    for (size_t i = 0; i < count; i++) {
        const size_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        species[i] = dice_below(die, 4) == 0;
        order[i] = (uint32_t)i;
        for (int k = 0; k < 3; k++) {
            position[i][k] = 0.7 + 1.3 * (double)at[k] + dice_real(die, -0.1, 0.1);
            velocity[i][k] = dice_real(die, -1, 1) + 0.3; /* with a drift */
        }
    }
    return count;
}

static void shuffle(size_t count, dice *die)
{
    for (size_t n = count - 1; n > 0; n--) {
        const size_t other = dice_below(die, (uint32_t)n + 1);
        const uint32_t held = order[n];
        order[n] = order[other];
        order[other] = held;
    }
}

static void look(const carom_frame *f, outcome *o)
{
    const size_t d = (size_t)f->dimension;
    memset(o, 0, sizeof *o);
    for (size_t n = 0; n < f->count; n++)
        for (size_t k = 0; k < d; k++) {
            o->position[order[n] * d + k] = f->position[n * d + k];
            o->velocity[order[n] * d + k] = f->velocity[n * d + k];
        }
    memcpy(&o->tallies, &f->tallies, sizeof o->tallies);
    o->tallies.impact = NULL;
    o->tallies.impact_density = NULL;
    for (int k = 0; k < EVENT_KINDS; k++) o->events[k] = k == EVENT_TRANSFER ? 0 : f->events[k];
    if (f->tallies.impact == NULL) return;
    memcpy(o->impact, f->tallies.impact, sizeof o->impact);
    memcpy(o->impact_density, f->tallies.impact_density, sizeof o->impact_density);
}

/* Lists the points in the present order. */
static void list_points(carom_scene *scene, size_t count, int dimension)
{
    static double r[MOST * 3], v[MOST * 3];
    static uint32_t of[MOST];
    static const char *const names[] = {"a", "b"};
    const size_t d = (size_t)dimension;
    for (size_t n = 0; n < count; n++) {
        of[n] = species[order[n]];
        memcpy(r + n * d, position[order[n]], d * sizeof *r);
        memcpy(v + n * d, velocity[order[n]], d * sizeof *v);
    }
    const carom_point_arrays points = {.count = count,
                                       .dimension = dimension,
                                       .positions = r,
                                       .velocities = v,
                                       .species = of,
                                       .species_names = names,
                                       .species_count = 2};
    REQUIRE(carom_scene_set_points(scene, "p", &points) == CAROM_OK);
}

static void run(const trial *t, size_t count, outcome *o)
{
    play p = {.scene = carom_scene_new()};
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: %d\nseed: 3\n%s", t->dimension, t->text);
    play_add(&text, "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: %d}}\n", t->alike ? 1 : 3);
    play_add(&text, "particles: [{species: {a: 1, b: 1}, velocity: array, %splace: {array: p}}]\n",
             t->rough ? "angular_velocity: 0, " : "");
    play_add(&text, "run: {until: {time: 50}}\n");
    list_points(p.scene, count, t->dimension);
    if (carom_scene_load_text(p.scene, "order.yaml", text.text, text.length) != CAROM_OK)
        ck_abort_msg("%s", carom_scene_message(p.scene));
    p.created = carom_sim_new(&p.sim, p.scene, NULL);
    if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    if (carom_sim_run(p.sim) != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    look(carom_sim_frame(p.sim), o);
    play_close(&p);
}

START_TEST(any_order)
{
    static outcome first, other;
    const trial *t = &trials[_i];
    dice die = {.state = (uint64_t)_i};
    const size_t count = make_points(t->dimension, &die);
    run(t, count, &first);
    ck_assert_uint_gt(first.events[EVENT_COLLISION] + first.events[EVENT_FORCE], 16 * count);
    ck_assert_uint_gt(first.events[EVENT_REBASE], 0);
    for (int n = 0; n < 3; n++) {
        shuffle(count, &die);
        run(t, count, &other);
        ck_assert_mem_eq(first.position, other.position, sizeof first.position);
        ck_assert_mem_eq(first.velocity, other.velocity, sizeof first.velocity);
        ck_assert_mem_eq(first.events, other.events, sizeof first.events);
        ck_assert_mem_eq(&first.tallies, &other.tallies, sizeof first.tallies);
        ck_assert_mem_eq(first.impact, other.impact, sizeof first.impact);
        ck_assert_mem_eq(first.impact_density, other.impact_density, sizeof first.impact_density);
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("order of particles");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, any_order, 0, sizeof trials / sizeof *trials);
    return suite_run("order of particles", c);
}
