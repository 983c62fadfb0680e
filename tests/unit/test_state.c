/* Detects wrong initial states: lattices, random positions, mixtures, sizes, velocities, and missing refusals. */
#include "../support/expect.h"
#include "../support/make_scene.h"
#include "../support/suite.h"
#include "scene/state/watch.h"

static const double pi = 3.141592653589793;

static void create(initial_state *state, const made_scene *m)
{
    error e = {0};
    carom_status status = state_create(state, &m->s, &e);
    ck_assert_msg(status == CAROM_OK, "%s", error_text(&e));
    ck_assert_int_eq(e.status, CAROM_OK);
}

/* The state is refused with exactly this text. */
static void refuse(const made_scene *m, const char *text)
{
    error e = {0};
    initial_state state;
    carom_status status = state_create(&state, &m->s, &e);
    printf("%s\n", error_text(&e));
    ck_assert_int_eq(status, CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&e), text);
    ck_assert_ptr_null(state.position);
    error_clear(&e);
}

static double distance(const initial_state *state, const scene *s, size_t i, size_t j)
{
    double sum = 0;
    for (int k = 0; k < s->dimension; k++) {
        double d = state->position[i][k] - state->position[j][k];
        if (s->box.boundary[k] == BOUNDARY_PERIODIC) d -= state->size[k] * round(d / state->size[k]);
        sum += d * d;
    }
    return sqrt(sum);
}

/* Smallest gap relative to contact, by looking at all pairs, with diameters times scale; walls are looked at too. */
static double smallest_gap(const initial_state *state, const scene *s, double scale)
{
    double least = INFINITY;
    for (size_t i = 0; i < state->count; i++) {
        for (size_t j = 0; j < i; j++) {
            double contact = 0.5 * scale * (state->diameter[i] + state->diameter[j]);
            least = fmin(least, distance(state, s, i, j) / contact - 1);
        }
        for (int k = 0; k < s->dimension; k++) {
            double x = state->position[i][k], radius = 0.5 * scale * state->diameter[i];
            if (s->box.boundary[k] == BOUNDARY_WALL)
                least = fmin(least, fmin(x, state->size[k] - x) / radius - 1);
            else if (s->box.boundary[k] == BOUNDARY_PERIODIC)
                ck_assert(x >= 0 && x < state->size[k]);
        }
    }
    return least;
}

static double nearest(const initial_state *state, const scene *s)
{
    double least = INFINITY;
    for (size_t i = 0; i < state->count; i++)
        for (size_t j = 0; j < i; j++) least = fmin(least, distance(state, s, i, j));
    return least;
}

/* How many neighbours particle i has within 1e-9 of a distance. */
static int neighbours(const initial_state *state, const scene *s, size_t i, double at)
{
    int found = 0;
    for (size_t j = 0; j < state->count; j++) found += j != i && fabs(distance(state, s, i, j) - at) < 1e-9;
    return found;
}

/* Perfect lattices: the number of sites, the nearest distance in units of the cell, the coordination number. */
START_TEST(perfect_lattices)
{
    static const struct {
        scene_place place;
        int dimension, coordination;
        uint64_t count;
        double distance;
    } cases[] = {
        {PLACE_FCC, 3, 12, 4 * 4 * 4 * 4, 0.70710678118654757},
        {PLACE_BCC, 3, 8, 2 * 4 * 4 * 4, 0.8660254037844386},
        {PLACE_SC, 3, 6, 4 * 4 * 4, 1},
        {PLACE_SQUARE, 2, 4, 16, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        made_scene m;
        initial_state state;
        made_start(&m, cases[c].dimension, 8);
        made_entry(&m, cases[c].count, cases[c].place);
        create(&state, &m);
        ck_assert_uint_eq(state.count, cases[c].count);
        EXPECT_CLOSE("nearest distance", nearest(&state, &m.s), 2 * cases[c].distance, 1e-13);
        for (size_t i = 0; i < state.count; i++)
            ck_assert_int_eq(neighbours(&state, &m.s, i, 2 * cases[c].distance), cases[c].coordination);
        state_free(&state);
    }
}
END_TEST

START_TEST(hexagonal_lattice)
{
    made_scene m;
    initial_state state;
    made_start(&m, 2, 0);
    m.s.box.size[0] = 10 * 1.1;
    m.s.box.size[1] = 12 * 1.1 * sqrt(3) / 2;
    made_entry(&m, 120, PLACE_HEXAGONAL);
    create(&state, &m);
    EXPECT_CLOSE("nearest distance", nearest(&state, &m.s), 1.1, 1e-13);
    for (size_t i = 0; i < state.count; i++) ck_assert_int_eq(neighbours(&state, &m.s, i, 1.1), 6);
    state_free(&state);
}
END_TEST

/* In a square periodic box the perfect hexagonal lattice does not fit; what is found still holds 0.86. */
START_TEST(hexagonal_in_a_square)
{
    made_scene m;
    initial_state state;
    made_start(&m, 2, 0);
    made_fraction(&m, 0.86);
    made_entry(&m, 1000, PLACE_HEXAGONAL);
    create(&state, &m);
    ck_assert(smallest_gap(&state, &m.s, 1) >= 0);
    state_free(&state);
}
END_TEST

START_TEST(close_packing_touches)
{
    made_scene m;
    initial_state state;
    made_start(&m, 3, 0);
    made_fraction(&m, pi / sqrt(18));
    made_entry(&m, 500, PLACE_FCC);
    create(&state, &m);
    EXPECT_CLOSE("nearest distance", nearest(&state, &m.s), 1, 1e-13);
    EXPECT_CLOSE("packing fraction", 500 * pi / 6 / pow(state.size[0], 3), pi / sqrt(18), 1e-13);
    state_free(&state);
}
END_TEST

/* Any number of particles gets a lattice, in any box; the empty sites lie apart. */
START_TEST(any_count)
{
    static const scene_place places[2][3] = {{PLACE_SQUARE, PLACE_HEXAGONAL, PLACE_SQUARE},
                                             {PLACE_FCC, PLACE_BCC, PLACE_SC}};
    for (int boundary = BOUNDARY_PERIODIC; boundary <= BOUNDARY_OPEN; boundary++)
        for (int dimension = 2; dimension <= 3; dimension++)
            for (uint64_t count = 20; count < 140; count += 7)
                for (int p = 0; p < 3; p++) {
                    made_scene m;
                    initial_state state;
                    made_start(&m, dimension, 0);
                    made_fraction(&m, 0.2);
                    m.s.box.aspect[1] = 1.7;
                    m.s.box.aspect[2] = dimension == 3 ? 0.9 : 1;
                    for (int k = 0; k < dimension; k++) m.s.box.boundary[k] = (scene_boundary)boundary;
                    made_entry(&m, count, places[dimension - 2][p]);
                    create(&state, &m);
                    ck_assert_uint_eq(state.count, count);
                    ck_assert(smallest_gap(&state, &m.s, 1) >= 0);
                    EXPECT_CLOSE("aspect", state.size[1] / state.size[0], 1.7, 1e-14);
                    state_free(&state);
                }
}
END_TEST

START_TEST(walls_touch_the_tightest_lattice)
{
    made_scene m;
    initial_state state;
    made_start(&m, 3, 4);
    for (int k = 0; k < 3; k++) m.s.box.boundary[k] = BOUNDARY_WALL;
    made_entry(&m, 64, PLACE_SC);
    create(&state, &m);
    EXPECT_CLOSE("smallest gap", smallest_gap(&state, &m.s, 1), 0, 1e-12);
    state_free(&state);
}
END_TEST

START_TEST(a_full_lattice_is_refused)
{
    made_scene m;
    made_start(&m, 3, 7.5);
    made_entry(&m, 512, PLACE_SC);
    refuse(&m,
           "scene.yaml: error: particles 0 and 1 overlap: their distance is 0.9375, contact is at 1\n"
           "scene.yaml: error: particles 0 and 7 overlap: their distance is 0.9375, contact is at 1\n"
           "scene.yaml: error: particles 0 and 8 overlap: their distance is 0.9375, contact is at 1\n"
           "scene.yaml: error: particles 0 and 56 overlap: their distance is 0.9375, contact is at 1\n"
           "scene.yaml: error: particles 0 and 64 overlap: their distance is 0.9375, contact is at 1\n"
           "scene.yaml: error: 1536 pairs overlap at the start\n"
           "scene.yaml: error: the sc lattice of 512 particles has room for diameters up to 0.9375 in this box, here a "
           "packing fraction of 0.5236; use a larger box or place: compress");
    m.particles[0].place = PLACE_SQUARE;
    refuse(&m, "scene.yaml: error: particles.0: the square lattice has 2 dimensions; use fcc, bcc or sc");
}
END_TEST

START_TEST(impossible_fractions)
{
    made_scene m;
    made_start(&m, 3, 0);
    made_fraction(&m, 0.75);
    made_entry(&m, 500, PLACE_COMPRESS)->compress_from = 0.3;
    refuse(&m, "scene.yaml: error: packing fraction 0.75 is above 0.74048, the densest possible of equal spheres");
    m.s.dimension = 2;
    m.s.box.packing_fraction = 0.91;
    refuse(&m, "scene.yaml: error: packing fraction 0.91 is above 0.9069, the densest possible of equal disks");
    m.species[0].diameter = (scene_size){.law = SIZE_UNIFORM, .a = 0.5, .b = 1};
    m.s.box.packing_fraction = 1.5;
    refuse(&m, "scene.yaml: error: packing fraction 1.5: the disks do not fit into the box");
}
END_TEST

START_TEST(small_boxes)
{
    made_scene m;
    made_start(&m, 3, 2.1);
    made_entry(&m, 1, PLACE_RANDOM);
    refuse(&m,
           "scene.yaml: error: the periodic box is too small for its particles: it is 2.1 long along x, and needs 2.2 "
           "times the largest diameter, 2.2; use more particles or a larger box");
    m.s.box.size[1] = 0.9;
    m.s.box.boundary[0] = m.s.box.boundary[1] = BOUNDARY_WALL;
    refuse(&m,
           "scene.yaml: error: a particle of diameter 1 does not fit between the walls of the box, 0.9 apart along y");
    m.particles[0].count = 0;
    refuse(&m, "scene.yaml: error: no particles: add an entry to `particles` with a count of 1 or more");
}
END_TEST

START_TEST(one_particle)
{
    for (int place = PLACE_FCC; place <= PLACE_RANDOM; place++) {
        made_scene m;
        initial_state state;
        made_start(&m, place == PLACE_SQUARE || place == PLACE_HEXAGONAL ? 2 : 3, 3);
        made_entry(&m, 1, (scene_place)place);
        create(&state, &m);
        ck_assert_uint_eq(state.count, 1);
        state_free(&state);
    }
}
END_TEST

/* Random placement, also of a mix of very different sizes, with walls and planes: valid by brute force. */
START_TEST(random_placement)
{
    static char name[] = "floor";
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int boundary = BOUNDARY_PERIODIC; boundary <= BOUNDARY_OPEN; boundary++) {
            made_scene m;
            initial_state state;
            made_start(&m, dimension, 0);
            made_fraction(&m, 0.3);
            m.species[0].diameter = (scene_size){.law = SIZE_UNIFORM, .a = 0.1, .b = 2};
            m.s.box.boundary[0] = (scene_boundary)boundary;
            m.s.plane_count = 1;
            m.planes[0] = (scene_plane){name, {0, 1, 0}, {0.6, 0.8, 0}};
            made_entry(&m, 800, PLACE_RANDOM);
            create(&state, &m);
            double gap = smallest_gap(&state, &m.s, 1);
            printf("smallest gap %g\n", gap);
            ck_assert(gap >= 0 && gap < 0.1);
            for (size_t i = 0; i < state.count; i++)
                ck_assert(0.6 * state.position[i][0] + 0.8 * (state.position[i][1] - 1) >= 0.5 * state.diameter[i]);
            state_free(&state);
        }
}
END_TEST

START_TEST(random_among_others)
{
    made_scene m;
    initial_state state;
    static char small[] = "small";
    made_start(&m, 3, 8);
    m.species[1] = (scene_species){.name = small, .diameter = {.law = SIZE_CONSTANT, .a = 0.2}, .density = 3};
    m.s.species_count = 2;
    made_entry(&m, 300, PLACE_RANDOM)->shares[0].species = 1;
    made_entry(&m, 250, PLACE_FCC);
    create(&state, &m);
    ck_assert(smallest_gap(&state, &m.s, 1) >= 0);
    ck_assert_uint_eq(state.species[299], 1);
    ck_assert_uint_eq(state.species[300], 0);
    EXPECT_CLOSE("mass of density 3", state.mass[0], 3 * pi / 6 * 0.008, 1e-16);
    EXPECT_CLOSE("mass given", state.mass[300], 1, 0);
    state_free(&state);
}
END_TEST

START_TEST(random_placement_jams)
{
    made_scene m;
    made_start(&m, 2, 10);
    made_entry(&m, 80, PLACE_RANDOM);
    error e = {0};
    initial_state state;
    ck_assert_int_eq(state_create(&state, &m.s, &e), CAROM_BAD_DATA);
    unsigned done = 0, of = 0;
    double reached = 0, wanted = 0;
    int read =
        sscanf(error_text(&e),
               "scene.yaml: error: random placement stalled after %u of %u particles, at packing fraction %lf of %lf; "
               "use a larger box or place: compress",
               &done, &of, &reached, &wanted);
    printf("%s\n", error_text(&e));
    ck_assert_int_eq(read, 4);
    ck_assert_uint_eq(of, 80);
    ck_assert(done > 50 && done < 80);
    EXPECT_CLOSE("reached", reached, done * pi / 400, 1e-4);
    EXPECT_CLOSE("wanted", wanted, 80 * pi / 400, 1e-4);
    error_clear(&e);
    made_start(&m, 3, 0);
    made_fraction(&m, 0.45);
    made_entry(&m, 2000, PLACE_RANDOM);
    refuse(&m, "scene.yaml: error: random placement cannot reach packing fraction 0.45, it jams near 0.3841; use "
               "a larger box or place: compress");
    m.particles[0].place = PLACE_COMPRESS;
    m.particles[0].compress_from = 0.4;
    refuse(&m, "scene.yaml: error: random placement cannot reach packing fraction 0.4, it jams near 0.3841; use "
               "a larger box, or a lower 'from' in place: {compress: {from: ...}}");
}
END_TEST

/* Compression is no help where there is no room, nor beside what it does not go with. */
START_TEST(remedies)
{
    static const char none[] = "scene.yaml: error: random placement cannot reach packing fraction 0.45, it jams near "
                               "0.3841; use fewer or smaller particles, or give them more room";
    char name[] = "c";
    scene_cylinder tube = {.name = name, .through = {6.5, 6.5, 6.5}, .axis = {0, 0, 1}, .radius = 5};
    scene_bonds bonds = {.name = name, .longest = 2};
    made_scene m;
    made_start(&m, 3, 0);
    made_fraction(&m, 0.45);
    made_entry(&m, 2000, PLACE_RANDOM);
    m.s.exact[EXACT_CYLINDER] = (exact_list){&tube, 1};
    refuse(&m, none); /* it is packed beyond all limits */
    tube.radius = 20;
    refuse(&m, "scene.yaml: error: random placement cannot reach packing fraction 0.45, it jams near 0.3841; use "
               "a larger box or place: compress");
    tube.radius = 0.4;
    refuse(&m, none); /* none fits */
    m.s.exact[EXACT_CYLINDER].count = 0;
    m.s.bonds = &bonds;
    m.s.bonds_count = 1;
    refuse(&m, none);
}
END_TEST

START_TEST(compression)
{
    made_scene m;
    initial_state state;
    made_start(&m, 3, 0);
    made_fraction(&m, 0.6);
    scene_particles *p = made_entry(&m, 500, PLACE_COMPRESS);
    p->compress_from = 0.3;
    p->compress_rate = 0.01;
    made_entry(&m, 100, PLACE_RANDOM);
    create(&state, &m);
    EXPECT_CLOSE("wanted fraction", state.compress_to, 0.6, 1e-13);
    EXPECT_CLOSE("scale", state.compress_scale, cbrt(0.5), 1e-13);
    EXPECT_CLOSE("rate", state.compress_rate, 0.01, 0);
    EXPECT_CLOSE("diameter", state.diameter[0], 1, 0);
    ck_assert(smallest_gap(&state, &m.s, state.compress_scale) >= 0);
    ck_assert(smallest_gap(&state, &m.s, 1) < 0);
    state_free(&state);

    m.s.box.packing_fraction = 0.25;
    create(&state, &m);
    EXPECT_CLOSE("nothing to compress", state.compress_to, 0, 0);
    ck_assert(smallest_gap(&state, &m.s, 1) >= 0);
    state_free(&state);

    m.particles[1].place = PLACE_FCC;
    refuse(&m, "scene.yaml: error: place: compress goes together with place: random only; all particles are compressed "
               "together");
    m.particles[1].place = PLACE_COMPRESS;
    refuse(&m,
           "scene.yaml: error: several entries of particles have place: compress; give it to one of them, and place: "
           "random to the others (all are compressed together)");
}
END_TEST

/* Exact counts by largest remainder, in an order that the seed shuffles. */
START_TEST(mixes)
{
    made_scene m;
    initial_state state, again;
    static char b[] = "b", c[] = "c";
    made_start(&m, 3, 0);
    made_fraction(&m, 0.1);
    m.species[1] = (scene_species){.name = b, .diameter = {.law = SIZE_CONSTANT, .a = 0.5}, .mass = 2};
    m.species[2] = (scene_species){.name = c, .diameter = {.law = SIZE_CONSTANT, .a = 0.7}, .mass = 3};
    m.s.species_count = 3;
    made_entry(&m, 1001, PLACE_RANDOM);
    m.shares[0][0].ratio = 3;
    made_share(&m, 0, 2, 1);
    made_share(&m, 0, 1, 2);
    create(&state, &m);
    create(&again, &m);
    size_t counts[3] = {0}, changes = 0;
    for (size_t i = 0; i < state.count; i++) {
        counts[state.species[i]]++;
        changes += i > 0 && state.species[i] != state.species[i - 1];
        ck_assert(state.diameter[i] == m.species[state.species[i]].diameter.a && state.mass[i] == state.species[i] + 1);
        ck_assert(memcmp(state.position[i], again.position[i], sizeof state.position[i]) == 0);
        ck_assert_uint_eq(state.species[i], again.species[i]);
    }
    /* 500.5, 333.67, 166.83 */
    ck_assert_uint_eq(counts[0], 500);
    ck_assert_uint_eq(counts[1], 334);
    ck_assert_uint_eq(counts[2], 167);
    /* neighbours in the list differ with probability 1 - 1/4 - 1/9 - 1/36 */
    EXPECT_CLOSE("changes", (double)changes, 1000 * 11.0 / 18, 80);
    state_free(&again);
    m.s.seed++;
    create(&again, &m);
    ck_assert(memcmp(state.species, again.species, state.count * sizeof *state.species) != 0);
    state_free(&state);
    state_free(&again);
}
END_TEST

static void size_moments(scene_size law, double mean, double deviation, double fourth)
{
    enum { COUNT = 40000 };
    made_scene m;
    initial_state state;
    made_start(&m, 2, 1000);
    m.species[0].diameter = law;
    made_entry(&m, COUNT, PLACE_SQUARE);
    create(&state, &m);
    double sum = 0, square = 0;
    for (size_t i = 0; i < COUNT; i++) {
        sum += state.diameter[i];
        square += pow(state.diameter[i] - mean, 2);
        ck_assert(law.max == 0 || (state.diameter[i] >= law.min && state.diameter[i] <= law.max));
    }
    EXPECT_CLOSE("mean diameter", sum / COUNT, mean, 5 * deviation / sqrt(COUNT));
    EXPECT_CLOSE("variance of diameters", square / COUNT, deviation * deviation,
                 5 * deviation * deviation * sqrt((fourth - 1) / COUNT));
    state_free(&state);
}

START_TEST(size_distributions)
{
    size_moments((scene_size){.law = SIZE_UNIFORM, .a = 0.5, .b = 1.5}, 1, 1 / sqrt(12), 1.8);
    size_moments((scene_size){.law = SIZE_NORMAL, .a = 1, .b = 0.1}, 1, 0.1, 3);
    size_moments((scene_size){.law = SIZE_LOGNORMAL, .a = 1, .b = 0.2}, 1, 0.2, 3.7);
    /* a normal law cut at one deviation on both sides: variance 1 - 2 phi(1) / erf(1 / sqrt 2) */
    size_moments((scene_size){.law = SIZE_NORMAL, .a = 1, .b = 0.1, .min = 0.9, .max = 1.1}, 1, 0.1 * sqrt(0.29112509),
                 2.2);
}
END_TEST

START_TEST(impossible_sizes)
{
    made_scene m;
    made_start(&m, 2, 10);
    m.species[0].diameter = (scene_size){.law = SIZE_NORMAL, .a = 1, .b = 0.01, .min = 2, .max = 3};
    made_entry(&m, 5, PLACE_RANDOM);
    refuse(&m,
           "scene.yaml: error: species.grain.diameter: no diameter of the distribution lies within its limits; widen "
           "min and max");
}
END_TEST

/* Sums over an entry: temperature, momentum. */
static double temperature(const initial_state *state, int dimension, double momentum[3])
{
    double twice = 0;
    momentum[0] = momentum[1] = momentum[2] = 0;
    for (size_t i = 0; i < state->count; i++)
        for (int k = 0; k < 3; k++) {
            twice += state->mass[i] * state->velocity[i][k] * state->velocity[i][k];
            momentum[k] += state->mass[i] * state->velocity[i][k];
        }
    return twice / (dimension * (double)state->count);
}

START_TEST(maxwell_velocities)
{
    made_scene m;
    initial_state state;
    double momentum[3];
    static char heavy[] = "heavy";
    made_start(&m, 3, 200);
    m.species[1] = (scene_species){.name = heavy, .diameter = {.law = SIZE_CONSTANT, .a = 1}, .mass = 9};
    m.s.species_count = 2;
    scene_particles *p = made_entry(&m, 40000, PLACE_FCC);
    made_share(&m, 0, 1, 1);
    p->velocity = VELOCITY_MAXWELL;
    p->a = 2.5;
    create(&state, &m);
    const double samples = 3 * 40000;
    EXPECT_CLOSE("temperature", temperature(&state, 3, momentum), 2.5, 5 * 2.5 * sqrt(2 / samples));
    double fourth = 0;
    for (size_t i = 0; i < state.count; i++)
        for (int k = 0; k < 3; k++) fourth += pow(state.mass[i] * state.velocity[i][k] * state.velocity[i][k] / 2.5, 2);
    EXPECT_CLOSE("fourth moment", fourth / samples, 3, 5 * sqrt(96 / samples));
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("momentum", momentum[k] / 40000, 0, 5 * sqrt(2.5 * 5 / 40000));
    state_free(&state);

    p->zero_momentum = true;
    create(&state, &m);
    EXPECT_CLOSE("exact temperature", temperature(&state, 3, momentum), 2.5, 1e-13);
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("zero momentum", momentum[k] / 40000, 0, 1e-15);
    double before = state.velocity[17][1];
    state.velocity[17][1] = 99;
    error e = {0};
    ck_assert_int_eq(state_draw_velocities(&state, &m.s, &e), CAROM_OK);
    EXPECT_CLOSE("drawn again", state.velocity[17][1], before, 0);
    state_free(&state);

    p->a = 0;
    create(&state, &m);
    EXPECT_CLOSE("T = 0", temperature(&state, 3, momentum), 0, 0);
    state_free(&state);
}
END_TEST

START_TEST(uniform_and_circle_velocities)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        made_scene m;
        initial_state state;
        double sum[3] = {0}, mean[3] = {0}, square[3] = {0}, low = 9, high = -9;
        made_start(&m, dimension, 400);
        scene_particles *p = made_entry(&m, 30000, dimension == 2 ? PLACE_SQUARE : PLACE_SC);
        p->velocity = VELOCITY_UNIFORM;
        p->a = -1;
        p->b = 3;
        create(&state, &m);
        for (size_t i = 0; i < state.count; i++)
            for (int k = 0; k < dimension; k++) {
                sum[k] += state.velocity[i][k] / 30000;
                low = fmin(low, state.velocity[i][k]);
                high = fmax(high, state.velocity[i][k]);
            }
        for (int k = 0; k < dimension; k++) EXPECT_CLOSE("mean", sum[k], 1, 5 * 4 / sqrt(12.0 * 30000));
        ck_assert(low >= -1 && low < -0.99 && high < 3 && high > 2.99);
        state_free(&state);

        p->velocity = VELOCITY_CIRCLE;
        p->a = 2;
        create(&state, &m);
        for (size_t i = 0; i < state.count; i++) {
            const double *v = state.velocity[i];
            ck_assert_double_eq_tol(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 4, 1e-14);
            ck_assert(dimension == 3 || v[2] == 0);
            for (int k = 0; k < 3; k++) mean[k] += v[k] / 30000;
            for (int k = 0; k < 3; k++) square[k] += v[k] * v[k] / 30000;
        }
        for (int k = 0; k < dimension; k++)
            EXPECT_CLOSE("mean velocity", mean[k], 0, 3 * 2 / sqrt(dimension * 30000.0));
        for (int k = 0; k < dimension; k++) EXPECT_CLOSE("isotropy", square[k], 4.0 / dimension, 5 * 4 / sqrt(30000));
        state_free(&state);
    }
}
END_TEST

START_TEST(listed_particles)
{
    made_scene m;
    initial_state state;
    double at[3][3] = {{1, 1, 1}, {-1, 5, 12.5}, {4, 4, 4}}, each[3][3] = {{1, 0, 0}, {0, 2, 0}, {-1, 1, 3}};
    made_start(&m, 3, 10);
    m.species[0].mass = 2;
    scene_particles *p = made_entry(&m, 3, PLACE_AT);
    p->at = at;
    p->velocity = VELOCITY_EACH;
    p->each = each;
    p->each_count = 3;
    create(&state, &m);
    EXPECT_CLOSE("wrapped x", state.position[1][0], 9, 0);
    EXPECT_CLOSE("wrapped z", state.position[1][2], 2.5, 0);
    EXPECT_CLOSE("velocity", state.velocity[1][1], 2, 0);
    state_free(&state);
    p->zero_momentum = true;
    create(&state, &m);
    EXPECT_CLOSE("velocity less the mean", state.velocity[1][1], 1, 1e-15);
    EXPECT_CLOSE("velocity less the mean", state.velocity[2][2], 2, 1e-15);
    state_free(&state);
    p->each_count = 1;
    create(&state, &m);
    EXPECT_CLOSE("one for all, less the mean", state.velocity[2][0], 0, 0);
    state_free(&state);
    p->each_count = 2;
    refuse(&m, "scene.yaml: error: particles.0: 2 velocities for 3 particles");
    p->velocity = VELOCITY_FILE;
    refuse(&m, "scene.yaml: error: particles.0: velocity: file requires place: {file: ...}");
    at[1][1] = INFINITY;
    refuse(
        &m,
        "scene.yaml: error: particle 1 is at y = inf, and the periodic box is 10 long; positions must be within 1e+09 "
        "boxes");
}
END_TEST

/* Newton's cradle: touching is legal, wherever rounding puts the contact; a gap of -1e-9 is not. */
START_TEST(touching_and_overlapping)
{
    made_scene m;
    initial_state state;
    double at[5][3];
    made_start(&m, 3, 20);
    m.species[0].diameter.a = 0.1;
    made_entry(&m, 5, PLACE_AT)->at = at;
    for (int i = 0; i < 5; i++) at[i][0] = 17.3 + 0.1 * i, at[i][1] = at[i][2] = 3;
    create(&state, &m);
    state_free(&state);
    at[3][0] -= 1e-10;
    refuse(&m, "scene.yaml: error: particles 2 and 3 overlap: their distance is 0.0999999999, contact is at 0.1");
    at[3][0] = at[0][0];
    refuse(&m, "scene.yaml: error: particles 0 and 3 overlap: their distance is 0, contact is at 0.1");
}
END_TEST

START_TEST(outside)
{
    made_scene m;
    initial_state state;
    static char name[] = "floor";
    double at[2][3] = {{5, 5, 0}, {9.7, 0.5, 0}};
    made_start(&m, 2, 10);
    m.s.box.boundary[0] = BOUNDARY_WALL;
    m.s.box.boundary[1] = BOUNDARY_OPEN;
    m.s.plane_count = 1;
    m.planes[0] = (scene_plane){name, {0, 0.25, 0}, {0, 1, 0}};
    made_entry(&m, 2, PLACE_AT)->at = at;
    refuse(&m, "scene.yaml: error: particle 1 at (9.7, 0.5), diameter 1, is 0.2 outside the wall at high x\n"
               "scene.yaml: error: particle 1 at (9.7, 0.5), diameter 1, is 0.25 outside plane floor");
    at[1][0] = 0.5;
    at[1][1] = 12;
    create(&state, &m);
    EXPECT_CLOSE("open axes do not wrap", state.position[1][1], 12, 0);
    state_free(&state);
}
END_TEST

/* A million particles, and one that is a hundred times as large. */
START_TEST(a_million)
{
    made_scene m;
    initial_state state;
    made_start(&m, 3, 0);
    made_fraction(&m, 0.49);
    made_entry(&m, 1000000, PLACE_FCC)->velocity = VELOCITY_MAXWELL;
    m.particles[0].a = 1;
    m.particles[0].zero_momentum = true;
    create(&state, &m);
    EXPECT_CLOSE("packing fraction", 1e6 * pi / 6 / pow(state.size[0], 3), 0.49, 1e-13);
    state_free(&state);
}
END_TEST

START_TEST(one_large_among_many)
{
    made_scene m;
    initial_state state;
    static char large[] = "large";
    double at[1][3] = {{100, 100, 0}};
    made_start(&m, 2, 400);
    m.species[1] = (scene_species){.name = large, .diameter = {.law = SIZE_CONSTANT, .a = 150}, .mass = 1};
    m.s.species_count = 2;
    scene_particles *p = made_entry(&m, 1, PLACE_AT);
    p->at = at;
    p->shares[0].species = 1;
    made_entry(&m, 50000, PLACE_RANDOM);
    create(&state, &m);
    double least = INFINITY;
    for (size_t i = 1; i < state.count; i++) least = fmin(least, distance(&state, &m.s, 0, i));
    ck_assert(least >= 75.5 && least < 75.6);
    state_free(&state);
}
END_TEST

/* All in one place: counted up to a limit. */
START_TEST(a_heap_of_overlaps)
{
    made_scene m;
    static double at[30000][3];
    made_start(&m, 3, 1e6);
    made_entry(&m, 30000, PLACE_AT)->at = at;
    error e = {0};
    initial_state state;
    ck_assert_int_eq(state_create(&state, &m.s, &e), CAROM_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(error_text(&e), "10000000 pairs or more overlap at the start"));
    error_clear(&e);
}
END_TEST

typedef struct watched {
    int calls, until;
    double last;
} watched;

static bool watch(double fraction, void *user)
{
    watched *w = user;
    ck_assert(fraction >= w->last && fraction <= 1);
    w->last = fraction;
    return ++w->calls < w->until;
}

/* A random placement that does not stop on request: a million spheres take a minute. */
START_TEST(placements_can_be_stopped)
{
    made_scene m;
    made_start(&m, 3, 0);
    made_fraction(&m, 0.36);
    made_entry(&m, 2000, PLACE_RANDOM);
    error e = {0};
    initial_state state, same;
    watched whole = {.until = 1 << 20}, part = {.until = 2};
    ck_assert_int_eq(state_create_watched(&state, &m.s, watch, &whole, &e), CAROM_OK);
    create(&same, &m);
    ck_assert_mem_eq(state.position, same.position, state.count * sizeof *state.position);
    printf("%d calls\n", whole.calls);
    ck_assert_int_gt(whole.calls, 2);
    state_free(&state);
    state_free(&same);
    ck_assert_int_eq(state_create_watched(&state, &m.s, watch, &part, &e), CAROM_EARLY);
    ck_assert_int_eq(part.calls, 2);
    ck_assert_double_lt(part.last, 1);
    ck_assert_str_eq(error_text(&e), "error: stopped while placing particles; there is nothing yet to resume from");
    ck_assert_ptr_null(state.position);
    error_clear(&e);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("state"), *more = suite_ci_case();
    tcase_set_timeout(cases, 0);
    tcase_set_timeout(more, 0);
    tcase_add_test(cases, perfect_lattices);
    tcase_add_test(cases, hexagonal_lattice);
    tcase_add_test(cases, hexagonal_in_a_square);
    tcase_add_test(cases, close_packing_touches);
    tcase_add_test(cases, any_count);
    tcase_add_test(cases, walls_touch_the_tightest_lattice);
    tcase_add_test(cases, a_full_lattice_is_refused);
    tcase_add_test(more, placements_can_be_stopped);
    tcase_add_test(cases, impossible_fractions);
    tcase_add_test(cases, small_boxes);
    tcase_add_test(cases, one_particle);
    tcase_add_test(cases, random_placement);
    tcase_add_test(cases, random_among_others);
    tcase_add_test(cases, random_placement_jams);
    tcase_add_test(cases, remedies);
    tcase_add_test(cases, compression);
    tcase_add_test(cases, mixes);
    tcase_add_test(cases, size_distributions);
    tcase_add_test(cases, impossible_sizes);
    tcase_add_test(cases, maxwell_velocities);
    tcase_add_test(cases, uniform_and_circle_velocities);
    tcase_add_test(cases, listed_particles);
    tcase_add_test(cases, touching_and_overlapping);
    tcase_add_test(cases, outside);
    tcase_add_test(more, a_million);
    tcase_add_test(cases, one_large_among_many);
    tcase_add_test(cases, a_heap_of_overlaps);
    return suite_run("state", cases, more);
}
