/* Detects compiled variants of the kernel of `variational` whose motion or ledger differs in a bit: those for vector
 * instructions treat several contacts of balls at a time. */
#include "../support/suite.h"
#include "base/cores.h"
#include "base/hash.h"
#include "sim/sim.h"
#include "support/play.h"
#include "variational/kernel.h"

typedef struct case_of {
    const char *name, *scene;
    double time;
} case_of;

#define GRAINS "species: {a: {diameter: {uniform: [0.8, 1.2]}, density: 1}, b: {diameter: 1.1, density: 3}}\n"
#define PLACED "particles: [{species: {a: 2, b: 1}, count: 120, place: random, velocity: {maxwell: 0.3}, "

static const case_of cases[] = {
    {"a pile with all resistances",
     "box: {size: [5, 5, 15], boundary: wall}\nfields: {gravity: [0, 0.1, -1]}\n" GRAINS PLACED
     "angular_velocity: {maxwell: 1}}]\n"
     "contacts:\n  - {between: [a, a], restitution: 0.3, friction: 0.5, rolling_friction: 0.1, twisting_friction: "
     "0.2}\n"
     "  - {between: [a, b], restitution: 0.8, friction: 0.2, rolling_viscosity: 0.05}\n"
     "  - {between: [b, b], restitution: 0, friction: 1, rolling_friction: 0.3}\n"
     "  - {between: [a, wall], restitution: 0.5, friction: 0.4, rolling_friction: 0.1}\n",
     12},
    {"only some contacts with friction",
     "box: {size: [5, 5, 15], boundary: [periodic, periodic, wall]}\nfields: {gravity: [0, 0, -1]}\n" GRAINS PLACED
     "}]\ncontacts: [{between: [a, b], restitution: 0.5, friction: 0.7}, {between: [a, a], restitution: 0.9}]\n",
     8},
    {"a gas of rough spheres with a cohesive kind",
     "box: {packing_fraction: 0.4}\n" GRAINS PLACED "angular_velocity: {maxwell: 3}}]\ncontacts: [{between: [a, a], "
     "friction: 0.3}, {between: [b, b], restitution: 0.6, "
     "friction: 0.3, cohesion: 0.1, rolling_friction: 0.2}]\n",
     4},
    {"some of them driven",
     "box: {size: [6, 6, 8], boundary: [periodic, periodic, wall]}\nfields: {gravity: [0, 0, -1]}\n" GRAINS PLACED
     "}]\ndrives: [{name: stirrer, particles: {from: 3, to: 9}, motion: [{velocity: [0.3, 0, 0]}]}]\n"
     "contacts: [{between: [a, a], restitution: 0.4, friction: 0.5, rolling_friction: 0.1}, "
     "{between: [a, b], restitution: 0.4, friction: 0.5, rolling_friction: 0.1}]\n",
     5},
};

/* Of the state and of the energies after so much time, by one kernel. */
static uint64_t hash_of(const engine_kernel *kernel, const scene *s, double time)
{
    error e = {0};
    initial_state state;
    carom_frame frame;
    void *world = NULL;
    carom_stop stop = CAROM_STOP_NONE;
    const engine_limits limits = {time, UINT64_MAX, UINT64_MAX, 1 << 20, 0, 0};
    REQUIRE(state_create(&state, s, &e) == CAROM_OK);
    REQUIRE(kernel->create(&world, s, &state, 0, NULL, &e) == CAROM_OK);
    while (stop == CAROM_STOP_NONE && kernel->time(world) < time)
        REQUIRE(kernel->advance(world, &limits, &stop, &e) == CAROM_OK);
    REQUIRE(frame_create(&frame, s->dimension, state.count, &e) == CAROM_OK);
    REQUIRE(engine_variational.add_arrays(s, &frame, &e) == CAROM_OK);
    engine_fill_frame(kernel, world, time, FRAME_ALL, &frame);
    const frame_ledger *l = &frame.tallies.ledger;
    const double energies[] = {l->restitution, l->friction, l->work};
    printf("  %.17g %.17g %.17g, %llu forces\n", energies[0], energies[1], energies[2],
           (unsigned long long)frame.events[EVENT_FORCE]);
    ck_assert(energies[0] > 0 && energies[1] > 0);
    const uint64_t hash = hash_bytes(frame.state_hash, energies, sizeof energies);
    kernel->destroy(world);
    frame_destroy(&frame);
    state_free(&state);
    return hash;
}

START_TEST(all_give_the_same_bits)
{
    static play_text text;
    const case_of *c = &cases[_i];
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\ndimension: 3\nseed: 3\n%s"
             "variational: {rotation: true, courant: 0.1}\nrun: {until: {time: %g}}\n",
             c->scene, c->time);
    play p = play_open(text.text, NULL);
    const scene *s = p.scene->checked;
    const uint64_t expected = hash_of(variational_kernel_level(3, CORES_ANY), s, c->time);
    int compared = 1;
    for (int level = CORES_ANY + 1; level < CORES_LEVELS; level++) {
        const engine_kernel *kernel = variational_kernel_level(3, level);
        if (kernel == NULL) continue;
        ck_assert_uint_eq(hash_of(kernel, s, c->time), expected);
        compared++;
    }
    printf("%s: %d kernels give %016llx\n", c->name, compared, (unsigned long long)expected);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, all_give_the_same_bits, 0, (int)(sizeof cases / sizeof *cases));
    tcase_set_timeout(all, 300);
    return suite_run("kernels of variational", all, NULL);
}
