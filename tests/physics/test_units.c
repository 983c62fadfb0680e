/* Detects wrong factors, units and axis indices: a scene in other units, or with exchanged axes, must give the
 * numbers that follow. Powers of length, time and mass give each observable's factor; components follow the order of
 * the axes. No box is a cube and no number is 1. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include "sim/sim.h"

/* ---- scenes with units ----------------------------------------------------------------------------------------- */

/* A scene's numbers as <0.5 L> or <2 E/L>: L, T, M are the units, E = M L^2 / T^2, and a digit after one is its power. Vectors
 * along the axes are <x| y| z>, each with its unit, which come in another order where `turn` is 1. */
typedef struct change {
    double length, time, mass;
    int turn; /* component k of the new scene is component (k + turn) % dimension of the old */
} change;

static double unit_of(const change *c, const char *text, const char *end)
{
    double value = 1;
    bool over = false;
    for (; text < end; text++) {
        const double base = *text == 'L'   ? c->length
                            : *text == 'T' ? c->time
                            : *text == 'M' ? c->mass
                            : *text == 'E' ? c->mass * c->length * c->length / (c->time * c->time)
                                           : 0;
        over = over || *text == '/';
        if (base == 0) continue;
        const int power = text + 1 < end && text[1] >= '2' && text[1] <= '9' ? text[1] - '0' : 1;
        value *= pow(base, over ? -power : power);
    }
    return value;
}

static void add_scaled(play_text *t, const change *c, const char *from, const char *end)
{
    char *after;
    const double number = strtod(from, &after);
    play_add(t, "%.17g", number * unit_of(c, after, end));
}

/* <...>: one number, or one for each axis. */
static const char *add_group(play_text *t, const change *c, const char *from)
{
    const char *end = strchr(from, '>'), *part[4] = {from};
    int count = 1;
    for (const char *at = from; at < end; at++)
        if (*at == '|') part[count++] = at + 1;
    part[count] = end + 1;
    for (int k = 0; k < count; k++) {
        const int axis = (k + c->turn) % count;
        if (count > 1) play_add(t, "%s", k == 0 ? "[" : ", ");
        add_scaled(t, c, part[axis], part[axis + 1] - 1);
    }
    if (count > 1) play_add(t, "]");
    return end + 1;
}

static void add_scene(play_text *t, const change *c, const char *text)
{
    while (*text != '\0') {
        if (*text == '<')
            text = add_group(t, c, text + 1);
        else
            play_add(t, "%c", *text++);
    }
}

#define RUN(time) "carom: 1\nseed: 5\nrun: {until: {time: <" time " T>}}\n"
#define MANY(what) "{what: " what ", every: <0.1 T>}"
#define GAS_2D                                                                                                         \
    "particles: [{species: a, place: {at: [<1 L| 1 L>, <2.6 L| 1.2 L>, <1.1 L| 2.7 L>, <2.7 L| 3.4 L>, <1.2 L| 4.5 "   \
    "L>, <2.9 L| "                                                                                                     \
    "5.1 L>]}, velocity: {each: [<0.7 L/T| 0.4 L/T>, <-0.5 L/T| 1.1 L/T>, <0.9 L/T| -0.8 L/T>, <-1.3 L/T| 0.2 L/T>, "  \
    "<0.3 L/T| "                                                                                                       \
    "-0.9 L/T>, <0.25 L/T| 0.6 L/T>]}%s}]\n"
#define GAS_3D                                                                                                         \
    "particles: [{species: a, place: {at: [<1 L| 1 L| 1 L>, <2.3 L| 1.2 L| 1.1 L>, <1.1 L| 2.5 L| 1.3 L>, <2.2 L| "    \
    "2.7 L| 2.9 L>, "                                                                                                  \
    "<1 L| 1.3 L| 3.1 L>, <2.4 L| 1.1 L| 4.2 L>]}, velocity: {each: [<0.7 L/T| 0.4 L/T| -0.6 L/T>, <-0.5 L/T| 1.1 "    \
    "L/T| 0.3 "                                                                                                        \
    "L/T>, <0.9 L/T| -0.8 L/T| 0.2 L/T>, <-1.3 L/T| 0.2 L/T| 0.8 L/T>, <0.3 L/T| -0.9 L/T| 0.45 L/T>, <0.25 L/T| 0.6 " \
    "L/T| -1.2 "                                                                                                       \
    "L/T>]}%s}]\n"
#define WATCH                                                                                                          \
    "{what: energy}, {what: momentum}, {what: temperature}, " MANY(                                                    \
        "msd") ", {what: vacf, every: <0.1 T>, lags: 8}, {what: "                                                      \
               "velocity_distribution}"
#define GRAINS ", {what: coordination, gap: <0.3 L>, every: <0.1 T>}, {what: fabric, gap: <0.3 L>, every: <0.1 T>}"
#define FLOW_2D ", {what: mass_flow, point: <2 L| 3 L>, normal: <0 | 1>, radius: <1.5 L>, every: <0.5 T>}"
#define FLOW_3D ", {what: mass_flow, point: <2 L| 3 L| 3 L>, normal: <0 | 1 | 0>, radius: <1.5 L>, every: <0.5 T>}"

typedef struct trial {
    const char *text, *more; /* more: of each particle */
    bool turns;              /* may its axes be turned? Then they all have the same kind of boundary */
} trial;

static const trial trials[] = {
    {RUN("6") "engine: hard\ndimension: 2\nbox: {size: <4 L| 6.5 L>}\nspecies: {a: {diameter: <1 L>, mass: <1.5 "
              "M>}}\n" GAS_2D "contacts: [{between: [a, a], restitution: 0.9}]\nobserve: [" WATCH
              ", {what: pressure}, {what: collision_rate}, {what: packing_fraction}, " MANY(
                  "radial_distribution") ", {what: "
                                         "viscosity, every: <0.1 T>, lags: 8}, {what: thermal_conductivity, every: "
                                         "<0.1 T>, lags: 8}, {what: stabilising}" GRAINS FLOW_2D "]\n",
     "", true},
    {RUN("6") "engine: hard\ndimension: 3\nbox: {size: <4 L| 4.6 L| 5.5 L>}\nspecies: {a: {diameter: <1 L>, mass: <1.5 "
              "M>}}\n" GAS_3D "contacts: [{between: [a, a], restitution: 0.9}]\nobserve: [" WATCH
              ", {what: pressure}, {what: collision_rate}, {what: packing_fraction}, " MANY(
                  "radial_distribution") ", {what: "
                                         "viscosity, every: <0.1 T>, lags: 8}, {what: thermal_conductivity, every: "
                                         "<0.1 T>, lags: 8}" GRAINS FLOW_3D "]\n",
     "", true},
    {RUN("14") "engine: hard\ndimension: 3\nbox: {size: <4 L| 4.6 L| 5.5 L>, boundary: wall}\nfields: {gravity: <0.1 "
               "L/T2| -0.2 L/T2| "
               "0.3 L/T2>}\nspecies: {a: {diameter: <1 L>, mass: <1.5 M>}}\n" GAS_3D
               "contacts: [{between: [a, a], restitution: 0.9, tangential: 0.4}, {between: [a, wall], restitution: "
               "0.8, "
               "tangential: "
               "0.2, friction: 0.3}]\nobserve: [" WATCH
               ", {what: pressure}, {what: wall_pressure}, {what: rotational_temperature}, " MANY(
                   "radial_distribution") "]\n",
     ", angular_velocity: {each: <0.7 /T| -0.4 /T| 0.3 /T>}", true},
    {RUN("6") "engine: hard\ndimension: 3\nbox: {size: <4 L| 4.6 L| 5.5 L>, boundary: wall}\nspecies: {a: {semi_axes: "
              "[<0.6 L>, <0.4 "
              "L>, <0.4 L>], mass: <1.5 M>}}\n" GAS_3D
              "contacts: [{between: [a, a], restitution: 0.9}]\nobserve: [" WATCH
              ", {what: pressure}, {what: wall_pressure}, {what: nematic_order}, {what: rotational_temperature}, "
              "{what: "
              "packing_fraction}]\n",
     ", orientation: {along: <0.6 | 0 | 0.8 >}", true},
    {RUN("6") "engine: hard\ndimension: 2\nbox: {size: <4 L| 6.5 L>, boundary: [periodic, wall]}\nspecies: {a: "
              "{diameter: <1 L>, mass: "
              "<1.5 M>}}\n" GAS_2D
              "contacts: [{between: [a, wall], temperature: <0.8 E>}]\nhard: {thermostat: {temperature: <0.5 "
              "E>, rate: <0.3 /T>}}\nobserve: [" WATCH ", {what: pressure}, {what: wall_pressure}, {what: power}]\n",
     "", false},
    {RUN("6") "engine: hard\ndimension: 3\nbox: {size: <4 L| 4.6 L| 5.5 L>}\nspecies: {a: {diameter: <1 L>, mass: <1.5 "
              "M>}}\n" GAS_3D "contacts: [{between: [a, a], restitution: 0.8}]\nhard: {shear: {rate: <0.2 "
              "/T>}}\nobserve: [{what: shear_viscosity}, "
              "{what: power}, {what: temperature}]\n",
     "", false},
    {RUN("6") "engine: hard\ndimension: 3\nbox: {size: <4 L| 4.6 L| 5.5 L>}\nspecies: {a: {diameter: <1 L>, mass: <1.5 "
              "M>}}\n" GAS_3D
              "potentials: [{between: [a, a], square_well: {range: 1.4, depth: <0.3 E>}}]\nobserve: [" WATCH
              ", {what: pressure}]\n",
     "", true},
    {RUN("9") "engine: variational\ndimension: 3\nbox: {size: <4 L| 4.6 L| 5.5 L>, boundary: wall}\nfields: {gravity: "
              "<0.1 L/T2| -0.2 "
              "L/T2| 0.3 L/T2>}\nspecies: {a: {diameter: <1 L>, mass: <1.5 M>}}\n" GAS_3D
              "variational: {eta: <0.01 L>, stiffness: <4000 M/T2>}\ncontacts: [{between: [a, a], restitution: 0.7, "
              "friction: 0.3}, "
              "{between: [a, wall], restitution: 0.8, friction: 0.2}]\nobserve: [" WATCH
              ", {what: pressure}, {what: wall_pressure}, {what: ledger}, {what: layers}" GRAINS FLOW_3D "]\n",
     "", true},
    {RUN("3") "engine: variational\ndimension: 2\nbox: {size: <4 L| 6.5 L>}\nspecies: {a: {diameter: <1 L>, mass: <1.5 "
              "M>}}\n" GAS_2D "variational: {eta: <0.01 L>, stiffness: <4000 M/T2>}\nsprings: [{name: s, pairs: [[0, "
              "1], [2, 3]], stiffness: <20 "
              "M/T2>, damping: <0.2 M/T>}]\ncontacts: [{between: [a, a], restitution: 0.7, friction: 0.3}]\nobserve: "
              "[" WATCH ", {what: pressure}, {what: ledger}]\n",
     "", true},
    {RUN("6") "engine: aggregation\ndimension: 2\nbox: {size: <4 L| 6.5 L>, boundary: wall}\nspecies: {a: {diameter: "
              "<1 L>, mass: <1.5 "
              "M>}}\n" GAS_2D
              "contacts: [{between: [a, a], restitution: 0.8, stick: {below: <0.9 L/T>}}]\nobserve: [{what: energy}, "
              "{what: momentum}, " MANY("clusters") ", {what: shape, every: <2 T>}]\n",
     "", true},
    {RUN("30") "engine: aggregation\ndimension: 3\nbox: {size: <4 L| 4.6 L| 5.5 L>}\naggregation: {rotation: "
               "true}\nspecies: {a: "
               "{diameter: <1 L>, mass: <1.5 M>}}\n" GAS_3D
               "observe: [{what: energy}, {what: momentum}, " MANY("clusters") "]\n",
     "", true},
};
enum { TRIALS = sizeof trials / sizeof *trials };

/* ---- comparing ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *word, *unit;
} words[] = {{"length", "L"},  {"time", "T"},   {"mass", "M"},    {"energy", "E"},
             {"speed", "L/T"}, {"volume", "V"}, {"pressure", "P"}};

/* The factor of a unit in words, as "mass / length / time" or "energy / volume"; 0 where it is not known. */
static double factor_of(const char *words_of, const change *c, int dimension)
{
    const double volume = pow(c->length, dimension), energy = c->mass * c->length * c->length / (c->time * c->time);
    const double value[] = {c->length, c->time, c->mass, energy, c->length / c->time, volume, energy / volume};
    char copy[80];
    double factor = 1;
    bool over = false;
    snprintf(copy, sizeof copy, "%s", words_of);
    for (char *word = strtok(copy, " *"); word != NULL; word = strtok(NULL, " *")) {
        if (strcmp(word, "/") == 0 || strcmp(word, "1") == 0) {
            over = *word == '/';
            continue;
        }
        char *power = strchr(word, '^');
        if (power != NULL) *power = '\0';
        size_t k = 0;
        while (k < sizeof words / sizeof *words && strcmp(words[k].word, word) != 0) k++;
        if (k == sizeof words / sizeof *words) return 0;
        factor *= pow(value[k], (over ? -1 : 1) * (power != NULL ? atoi(power + 1) : 1));
        over = false;
    }
    return factor;
}

typedef enum kind { COMPONENTS, FACES, BINS } kind;

static kind kind_of(const char *name)
{
    return strcmp(name, "faces") == 0 ? FACES : strstr(name, "octave") != NULL ? BINS : COMPONENTS;
}

/* Where component k of `width` of the old scene is in the new. */
static size_t place_of(size_t k, size_t width, size_t d, int turn, kind what)
{
    const size_t by = (size_t)turn;
    if (by == 0 || width == 1 || what == BINS) return k;
    if (what == FACES) return 2 * ((k / 2 + d - by) % d) + k % 2;
    if (width == d) return (k + d - by) % d;
    if (width == d * d) return ((k / d + d - by) % d) * d + (k % d + d - by) % d;
    return k;
}

/* -1 for the direction of an axis that has the opposite sign in the new. */
static double sign_of(const char *name, const change *c, size_t d, size_t width, const double *old, const double *new)
{
    double along = 0;
    if (strcmp(name, "direction") != 0) return 1;
    for (size_t k = 0; k < width; k++) along += old[k] * new[place_of(k, width, d, c->turn, COMPONENTS)];
    return along < 0 ? -1 : 1;
}

/* Numbers of one column or value: each within rounding, of which a few collisions make more. */
static size_t compare(const char *what, const char *name, const char *unit, const change *c, size_t d, size_t width,
                      size_t rows, const double *old, const double *new, double tolerance)
{
    const bool logs = strncmp(name, "log10", 5) == 0;
    const double factor = factor_of(unit, c, (int)d), energy = factor_of("energy", c, (int)d);
    double size = 0;
    if (factor == 0) return 0; /* numbers of the engine's precision, thermal speeds */
    for (size_t n = 0; n < rows * width; n++) size = fmax(size, isfinite(old[n]) ? fabs(old[n]) : 0);
    for (size_t r = 0; r < rows; r++) {
        const double sign = sign_of(name, c, d, width, old + r * width, new + r *width);
        for (size_t k = 0; k < width; k++) {
            const double old_one = old[r * width + k] * factor + (logs ? log10(energy) : 0);
            const double a = c->turn != 0 && strcmp(name, "orientation") == 0 ? fmod(270 - old_one, 180)
                                                                              : old_one; /* degrees, in the plane */
            const double b = sign * new[r * width + place_of(k, width, d, c->turn, kind_of(name))];
            if ((isnan(a) && isnan(b)) || a == b) continue;
            if (!(fabs(a - b) <= tolerance * fmax(size * factor, logs ? 1 : 0)))
                ck_abort_msg("%s: %s %zu, %zu in %s: %.17g becomes %.17g, not %.17g", what, name, r, k, unit,
                             old[r * width + k], b, a);
        }
    }
    return rows * width;
}

static size_t compare_results(const carom_sim *a, const carom_sim *b, const change *c, double tolerance)
{
    const size_t d = (size_t)a->frame.dimension;
    size_t numbers = 0;
    for (size_t k = 0; k < a->observer_count; k++) {
        const char *what = a->observers[k].kind->settings->name;
        measure_result one, two;
        error e = {0};
        REQUIRE(a->observers[k].kind->result(a->observers[k].self, &one, &e) == CAROM_OK);
        REQUIRE(b->observers[k].kind->result(b->observers[k].self, &two, &e) == CAROM_OK);
        for (size_t v = 0; v < one.value_count; v++)
            numbers += compare(what, one.values[v].name, one.values[v].unit, c, d, one.values[v].width, 1,
                               one.values[v].mean, two.values[v].mean, tolerance);
        for (size_t t = 0; t < one.table_count; t++) {
            const measure_table *from = &one.tables[t], *to = &two.tables[t];
            ck_assert_uint_eq(from->rows, to->rows);
            for (size_t n = 0; n < from->column_count; n++)
                numbers += compare(what, from->columns[n].name, from->columns[n].unit, c, d, from->columns[n].width,
                                   from->rows, from->columns[n].data, to->columns[n].data, tolerance);
        }
    }
    return numbers;
}

static play open_changed(const trial *t, const change *c)
{
    static play_text with, text;
    with.length = text.length = 0;
    play_add(&with, t->text, t->more);
    add_scene(&text, c, with.text);
    return play_open(text.text, NULL);
}

static void compare_changed(const trial *t, const change *c, double tolerance)
{
    const change none = {1, 1, 1, 0};
    play a = open_changed(t, &none), b = open_changed(t, c);
    (void)carom_sim_run(a.sim);
    (void)carom_sim_run(b.sim);
    const carom_frame *f = carom_sim_frame(a.sim), *g = carom_sim_frame(b.sim);
    ck_assert_uint_eq(f->events[EVENT_COLLISION], g->events[EVENT_COLLISION]);
    ck_assert_uint_eq(f->events[EVENT_WALL], g->events[EVENT_WALL]);
    const size_t numbers = compare_results(a.sim, b.sim, c, tolerance);
    printf("%llu collisions, %llu with walls, %llu merges, %zu numbers\n",
           (unsigned long long)f->events[EVENT_COLLISION], (unsigned long long)f->events[EVENT_WALL],
           (unsigned long long)f->events[EVENT_MERGE], numbers);
    ck_assert_uint_ge(f->events[EVENT_COLLISION] + f->events[EVENT_MERGE], 5);
    ck_assert_uint_ge(numbers, 15);
    play_close(&a);
    play_close(&b);
}

/* Powers of two, so that nothing is rounded differently; of which no two products are alike. */
START_TEST(other_units)
{
    const change c = {.length = 0x1p-3, .time = 0x1p7, .mass = 0x1p-5};
    compare_changed(&trials[_i], &c, 1e-12);
}
END_TEST

/* A turn of the axes changes the order of sums, and so their rounding, which each collision makes some ten times larger. */
START_TEST(other_axes)
{
    const change c = {1, 1, 1, 1};
    if (trials[_i].turns) compare_changed(&trials[_i], &c, 1e-7);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, other_units, 0, TRIALS);
    tcase_add_loop_test(all, other_axes, 0, TRIALS);
    tcase_set_timeout(all, 60);
    return suite_run("units", all);
}
