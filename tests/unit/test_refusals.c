/* Detects refusals by engines, initial states and observables that are missing or point to the wrong place in the
 * scene. */
#include "../support/suite.h"

#include <carom/carom.h>
#include <stdio.h>
#include <string.h>

#include "scene/where.h"

/* Lines 1 to 7; what is wrong comes below. */
#define SCENE(engine)                                                                                                  \
    "carom: 1\n"                                                                                                       \
    "engine: " engine "\n"                                                                                             \
    "box: {size: 10, boundary: wall}\n"                                                                                \
    "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.5, mass: 1}}\n"                                              \
    "particles:\n"                                                                                                     \
    "  - {species: a, place: {at: [[2, 2, 2], [4, 2, 2]]}, velocity: {maxwell: 1}}\n"                                  \
    "run: {until: {time: 1}}\n"
#define HARD SCENE("hard")
#define DUST SCENE("aggregation")
#define LAYERS SCENE("variational")
/* Lines 1 to 7. */
#define ELASTIC(engine, dimension, more)                                                                               \
    "carom: 1\n"                                                                                                       \
    "engine: " engine "\n"                                                                                             \
    "dimension: " dimension "\n"                                                                                       \
    "box: {size: 10}\n"                                                                                                \
    "species: {a: {diameter: 1, density: 1, young: 1e6, poisson: 0.3}" more "}\n"                                      \
    "particles: [{species: a, count: 2, place: random, velocity: {maxwell: 1}}]\n"                                     \
    "run: {until: {time: 1}}\n"
/* Lines 1 to 6. */
#define FLUID                                                                                                          \
    "carom: 1\nengine: hard\nbox: {size: 10}\nspecies: {a: {diameter: 1, mass: 1}}\n"                                  \
    "particles: [{species: a, count: 125, place: random, velocity: {maxwell: 1}}]\nrun: {until: {time: 100}}\n"
#define EGG                                                                                                            \
    "carom: 1\nengine: hard\nbox: {size: 10}\nspecies: {egg: {semi_axes: [0.5, 0.25, 0.25], density: 1}}\n"            \
    "particles: [{species: egg, place: {at: [[2, 2, 2]]}}]\nrun: {until: {time: 1}}\n"

/* clang-format off */
static const struct {
    const char *text, *message; /* how its first line begins */
} cases[] = {
    /* Keys outside their map. */
    {HARD "size: 10\n", "8:1: error: unknown key 'size'; did you mean 'box.size'?"},
    {HARD "gravity: [0, 0, -1]\n", "8:1: error: unknown key 'gravity'; did you mean 'fields.gravity'?"},
    {HARD "compression: 4\n", "8:1: error: unknown key 'compression'; did you mean 'output.compression' or 'hard.compression'?"},
    {HARD "collapse: {policy: tc}\n", "8:1: error: unknown key 'collapse'; it is a key of an engine: 'hard.collapse'"},
    {DUST "rotation: true\n", "8:1: error: unknown key 'rotation'; it is a key of an engine: 'aggregation.rotation'"},
    {LAYERS "rotation: true\n", "8:1: error: unknown key 'rotation'; it is a key of an engine: 'variational.rotation'"},
    {LAYERS "reference: true\n", "8:1: error: unknown key 'reference'; it is a key of an engine: 'variational.reference'"},
    {"carom: 1\nengine: hard\nbox: {size: 10, boundary: open}\nspecies: {egg: {semi_axes: [0.5, 0.25, 0.25], density: 1}}\n"
     "particles: [{species: egg, place: {at: [[2, 2, 2]]}}]\nrun: {until: {time: 1}}\n"
     "planes: [{name: lid, point: [0, 9, 0], normal: [0, 1, 0]}]\n",
     "5:28: error: particle 0 at (2, 2, 2), diameter 0.560299, is 7.28 outside plane lid"},
    /* The engine `hard`. */
    {HARD "hard:\n  collapse: {policy: tc}\n", "9:14: error: hard.collapse.policy is tc: give hard.collapse.tc"},
    {HARD "hard:\n  collapse:\n    speed: 0.1\n    policy: sleep\n",
     "11:5: error: hard.collapse.policy is sleep: give hard.collapse.speed"},
    {EGG "hard: {collapse: {policy: sleep, speed: 0.1}}\nfields: {gravity: [0, 0, -1]}\n",
     "7:19: error: ellipsoids (species with 'semi_axes') cannot be combined with hard.collapse.policy sleep: use tc or cutoff"},
    {EGG "hard:\n  compression: {rate: 0.1}\n",
     "8:3: error: ellipsoids (species with 'semi_axes') cannot be combined with hard.compression"},
    {HARD "hard: {thermostat: {rate: 1}}\n", "8:21: error: hard.thermostat has a rate and no temperature"},
    {HARD "hard: {shear: {rate: 1}}\n", "8:8: error: hard.shear maintains a flow between periodic boundaries, but"},
    {HARD "hard: {compression: {rate: 0.1}}\nfields: {gravity: [0, 0, -1]}\n",
     "8:8: error: hard.compression cannot be combined with fields.gravity"},
    {HARD "fields:\n  gravity: [0, 0, 1e200]\n", "9:3: error: 'gravity' has a value of 1e200; accelerations must lie between 1e-60 and 1e+60"},
    {HARD "contacts:\n  - {between: [a, b]}\n  - {between: [a, a], friction: 0.5}\n",
     "10:23: error: contacts with friction 0.5 have no 'tangential'"},
    {HARD "contacts:\n  - {between: [a, a], restitution: 0.5}\n  - {between: [b, b]}\n  - between: [a, wall]\n"
          "    stick: always\n",
     "12:5: error: nothing sticks in the engine `hard`"},
    {HARD "contacts: [{between: [a, a], temperature: 2}]\n",
     "8:30: error: contacts of 'a' and 'a' have a temperature, but both are particles"},
    {HARD "springs: [{name: s, pairs: [[0, 1]], stiffness: 1}]\n", "8:1: error: the engine `hard` has no springs"},
    {HARD "drives:\n  - {name: d, particles: [0]}\n", "9:15: error: drive 'd': the engine `hard` moves planes"},
    {HARD "planes: [{name: p, point: [0, 0, 1], normal: [0, 0, 1]}]\nhard: {detection: naive}\n"
          "drives: [{name: d, plane: p}]\n",
     "9:8: error: driven boundaries: contacts with them are found by the stable rule only"},
    {HARD "observe:\n  - {what: energy}\n  - what: ledger\n    every: 1e-30\n",
     "11:5: error: observe.1.every is 1e-30: this is too short for the length of the run"},
    {HARD "observe:\n  - what: packing_fraction\n  - what: clusters\n    every: 1\n",
     "10:5: error: clusters: this engine has no merges"},
    {HARD "meshes:\n  - {name: m, shape: {sphere: {radius: 1, parts: 1}}, place: {at: [7, 7, 7]}}\n",
     "9:5: error: mesh 'm': the engine `hard` has rigid meshes only"},
    {"carom: 1\nengine: hard\nbox: {size: 10}\nspecies: {a: {diameter: 1}}\nrun: {until: {time: 1}}\n"
     "meshes: [{name: m, rigid: true, shape: {sphere: {radius: 1}}}]\n",
     "6:1: error: no particles: nothing moves; add some to `particles`"},
    /* Settings that do nothing. */
    {HARD "hard: {bias: 1e-6}\n", "8:8: error: hard.bias does nothing without hard.detection: bias"},
    {HARD "hard: {shear: {profile: false}}\n", "8:16: error: hard.shear.profile does nothing without hard.shear.rate"},
    {"carom: 1\nengine: hard\nbox: {size: 10}\nspecies: {a: {diameter: 1, inertia: 0.4}}\n"
     "particles: [{species: a, place: {at: [[2, 2, 2]]}}]\nrun: {until: {time: 1}}\n",
     "4:28: error: species.a.inertia does nothing without particles that turn"},
    {DUST "contacts: [{between: [a, a], stick: always, restitution: 0.5}]\n",
     "8:45: error: contacts: a restitution with `stick: always` has no effect"},
    {DUST "aggregation: {steps: {cfl: 0.25}}\n",
     "8:23: error: aggregation.steps.cfl does nothing without aggregation.method: steps"},
    {DUST "aggregation: {steps: {daha: {evolve: true}}}\n",
     "8:30: error: aggregation.steps.daha.evolve does nothing without aggregation.method: steps"},
    {DUST "aggregation: {method: steps, steps: {solver: daha, aha: {alpha: 0.2}}}\n",
     "8:58: error: aggregation.steps.aha.alpha does nothing without aggregation.steps.solver: aha"},
    {DUST "aggregation: {method: steps, steps: {daha: {constraint: non_smooth}}}\n",
     "8:45: error: aggregation.steps.daha.constraint does nothing without aggregation.steps.solver: daha"},
    {DUST "aggregation: {method: steps, steps: {dt: 0.001, cfl: 0.25}}\n",
     "8:49: error: aggregation.steps.cfl does nothing beside aggregation.steps.dt"},
    {LAYERS "variational: {gravity_step: 0.01}\nfields: {gravity: [0, 0, -1]}\n",
     "8:15: error: variational.gravity_step does nothing without variational.gravity: kick"},
    {LAYERS "variational: {gravity: kick}\n", "8:15: error: variational.gravity does nothing without fields.gravity"},
    {LAYERS "variational: {step: 1e-5, courant: 0.1}\n",
     "8:27: error: variational.courant does nothing beside variational.step, as"},
    {LAYERS "variational: {step: 1e-5, material_step: 1e-5, courant: 0.1}\n"
            "springs: [{name: s, pairs: [[0, 1]], stiffness: 1}]\n",
     "8:48: error: variational.courant does nothing beside variational.step and variational.material_step"},
    {LAYERS "variational: {material_step: 0.01}\n",
     "8:15: error: variational.material_step does nothing without springs, hinges, rods or meshes that are not rigid"},
    {LAYERS "variational: {contact: impulses, exponent: 2}\n",
     "8:34: error: variational.exponent does nothing without variational.contact: layers or realigned"},
    /* Elastic constants. */
    {ELASTIC("variational", "3", "") "variational: {stiffness: 100}\n",
     "8:15: error: variational.stiffness beside elastic constants of species, which determine it"},
    {ELASTIC("variational", "3", "") "variational: {exponent: 2}\n",
     "8:15: error: variational.exponent beside elastic constants of species"},
    {ELASTIC("variational", "3", "") "variational: {contact: realigned}\n",
     "8:15: error: elastic constants are for `contact: layers`"},
    {ELASTIC("variational", "3", ", b: {diameter: 1}"), "5:67: error: species 'b' has no elastic constants, and 'a' has"},
    {ELASTIC("variational", "2", ""), "5:40: error: elastic constants are for spheres: disks of 2 dimensions"},
    {ELASTIC("hard", "3", ""), "5:40: error: the engine `hard` has no lasting contacts, in which 'young' acts"},
    {ELASTIC("aggregation", "3", ""), "5:40: error: the engine `aggregation` has no lasting contacts, in which 'young' acts"},
    {ELASTIC("variational", "3", "") "variational: {step: 1}\n",
     "8:15: error: the step of the layers is 1, beyond the stability of contacts and of their friction"},
    {LAYERS "springs: [{name: s, pairs: [[0, 1]], stiffness: 0}]\n",
     "8:38: error: springs with neither stiffness nor damping do nothing"},
    /* Observables that a run could not measure. */
    {FLUID "hard: {compression: {rate: 0.1}}\nobserve:\n  - what: radial_distribution\n    range: 4\n",
     "10:5: error: radial_distribution: range 4 is not within (0, 2.0149"},
    {FLUID "observe: [{what: viscosity, every: 1, fit_from: 3, fit_to: 2}]\n",
     "7:39: error: the plateau from 3 to 2 contains fewer than two lags"},
    {FLUID "observe: [{what: viscosity, every: 1, lags: 10, fit_from: 10}]\n",
     "7:49: error: the plateau from 10 to 10 contains fewer than two lags: they are multiples of `every`, 1, up to 10"},
    {FLUID "observe: [{what: thermal_conductivity, every: 1, fit_to: 1}]\n",
     "7:50: error: the plateau from 50 to 1 contains fewer than two lags"},
    {FLUID "observe: [{what: msd, every: 1, fit_from: 3, fit_to: 3}]\n",
     "7:33: error: msd: fit_from, 3, must be less than fit_to, 3"},
    {FLUID "observe: [{what: energy}, {what: paths, every: 0.1, per_frame: 100}]\noutput: {frames: {every: 1}}\n",
     "7:53: error: paths: per_frame is 100, but output.frames.every over `every` is 10; give that"},
    {FLUID "observe: [{what: paths, every: 0.3}]\noutput: {frames: {every: 1}}\n",
     "7:25: error: paths: output.frames.every, 1, is not a multiple of `every`, 0.3: samples would miss the frames; give "
     "`every: 0.25`"},
    {FLUID "observe: [{what: paths, every: 2}]\noutput: {frames: {every: 1}}\n", "7:25: error: paths: output.frames.every, 1"},
    {FLUID "observe: [{what: paths, every: 0.1, start: 1.5}]\noutput: {frames: {every: 1}}\n",
     "7:37: error: paths: start, 1.5, is between frames, which are 1 apart; give `start: 2`"},
    {FLUID "observe: [{what: paths, every: 0.1}]\noutput: {frames: {every_collisions: 1}}\n",
     "7:12: error: paths are recorded from frame to frame"},
    /* The engine `aggregation`. */
    {DUST "fields: {gravity: [0, 0, -1]}\n", "8:10: error: the engine `aggregation` has no gravity"},
    {DUST "contacts:\n  - {between: [a, b], restitution: 0.5, stick: {below: 1}}\n"
          "  - {between: [a, a], restitution: 0.9}\n",
     "10:23: error: contacts: a restitution without `stick` has no effect"},
    {DUST "contacts:\n  - {between: [a, wall], restitution: 0.5, stick: {below: 1}}\n",
     "9:6: error: the engine `aggregation` has only elastic walls"},
    {DUST "contacts: [{between: [a, b], restitution: 0.5, stick: {below: 1}}]\naggregation: {method: steps}\n",
     "8:48: error: the engine `aggregation` has a sticking law for `method: events` alone"},
    {DUST "output: {frames: {every_collisions: 3}}\n", "8:19: error: output.frames.every_collisions: all touches merge"},
    {DUST "observe: [{what: energy, every: 1}, {what: energy, every_collisions: 2}]\n",
     "8:52: error: observe.1.every_collisions: all touches merge"},
    {DUST "observe: [{what: shape}, {what: pressure, every: 1}]\n",
     "8:27: error: observe.1: pressure requires collisions: they are not recorded in the engine `aggregation`"},
    {DUST "aggregation:\n  method: steps\n  steps:\n    dt: 5\n", "11:5: error: aggregation.steps.dt is 5"},
    {DUST "aggregation: {method: steps, steps: {solver: daha, daha: {beta: 100}}}\n",
     "8:52: error: aggregation.steps.daha diverges"},
    {DUST "planes: [{name: p, point: [0, 0, 1], normal: [0, 0, 1]}]\n",
     "8:1: error: the engine `aggregation` has no planes but the walls of the box"},
    /* The engine `variational`. */
    {LAYERS "variational:\n  stiffness: 100\n  step: 1\n", "10:3: error: variational.step is 1, beyond the stability"},
    {"carom: 1\nengine: variational\nbox: {size: 10}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, place: {at: [[2, 2, 2]]}, velocity: zero, angular_velocity: {maxwell: 1}}]\nrun: {until: {time: 1}}\n",
     "5:68: error: this is an angular velocity, and particles do not rotate; set variational.rotation: true"},
    {"carom: 1\nengine: variational\nbox: {size: 10}\nspecies: {a: {diameter: 1, mass: 1, inertia: 0.5}}\n"
     "particles: [{species: a, place: {at: [[2, 2, 2]]}, velocity: {maxwell: 1}}]\nrun: {until: {time: 1}}\n",
     "4:37: error: this is a moment of inertia, and particles do not rotate"},
    {LAYERS "contacts: [{between: [a, a], friction: 0.5, twisting_friction: 0.1}]\n",
     "8:45: error: this contact resists rolling or twisting, and particles do not rotate"},
    {LAYERS "contacts: [{between: [a, wall], rolling_friction: 0.1}]\nvariational: {rotation: true}\n",
     "8:33: error: rolling_friction does nothing in a contact without friction"},
    {LAYERS "contacts: [{between: [a, a], tangential: 0.1}]\nvariational: {rotation: true}\n",
     "8:30: error: 'tangential' is for instantaneous impacts (`hard`)"},
    {LAYERS "variational: {rotation: true, contact: impulses}\n", "8:15: error: `rotation` is for `contact: layers`"},
    {LAYERS "contacts: [{between: [a, a], cohesion: 0.1}]\nvariational: {contact: realigned}\n",
     "8:30: error: `contact: realigned` is for contacts without cohesion"},
    {HARD "contacts: [{between: [a, a], cohesion: 0.1}]\n", "8:30: error: the engine `hard` has no lasting contacts, in which 'cohesion' acts"},
    {DUST "contacts: [{between: [a, a], rolling_viscosity: 0.1}]\n",
     "8:30: error: the engine `aggregation` has no lasting contacts, in which 'rolling_viscosity' acts"},
    {LAYERS "contacts: [{between: [a, b], restitution: 0.5}]\nvariational: {contact: impulses}\n",
     "8:30: error: `contact: impulses` is for elastic and smooth contacts; leave 'restitution' out"},
    {LAYERS "contacts: [{between: [a, b], friction: 0.5}]\nvariational: {contact: realigned}\n",
     "8:30: error: `contact: realigned` is for elastic and smooth contacts; leave 'friction' out"},
    {LAYERS "bodies: [{name: pair, particles: [0, 1]}]\nvariational: {contact: realigned}\n",
     "8:1: error: `contact: realigned` cannot have rigid bodies"},
    {LAYERS "variational: {contact: impulses, reference: true}\n",
     "8:34: error: the reference is for `contact: layers`"},
    {LAYERS "variational: {eta: 0.7}\n", "8:15: error: variational.eta is 0.7, but cores are the particles"},
    {LAYERS "springs: [{name: s, pairs: [[0, 1]], stiffness: 100}]\nvariational: {material_step: 9}\n",
     "9:15: error: variational.material_step is 9, beyond the stability of these springs"},
    {LAYERS "contacts: [{between: [a, b]}, {between: [a, wall], temperature: 1}]\n",
     "8:52: error: the engine `variational` has no thermal walls"},
    {LAYERS "drives:\n  - {name: x, particles: [1]}\n  - {name: y, particles: [0], motion: [{velocity: [-9, 0, 0]}]}\n",
     "10:5: error: drive 'y': at time 0.1666"},
    {LAYERS "planes: [{name: p, point: [0, 0, 1], normal: [0, 0, 1]}]\n"
            "drives: [{name: d, plane: p, motion: [{oscillate: {by: [0, 0, 0.1], frequency: 1}}]}]\n",
     "9:40: error: drive 'd' oscillates, which the engine `variational` cannot"},
    {LAYERS "cylinders: [{name: c, through: [5, 5, 5], axis: [0, 0, 1], radius: 9, side: inside}]\n",
     "8:1: error: the engine `variational` has no cylinders"},
    {LAYERS "meshes:\n  - {name: m, shape: {sphere: {radius: 1, parts: 1}}, place: {at: [7, 7, 7]}}\n",
     "9:5: error: mesh 'm' has no 'thickness'"},
    {LAYERS "segments: [{name: s, pairs: [[0, 1]], diameter: 0.2, species: a}]\n"
            "drives: [{name: l, particles: [0], motion: [{velocity: [0, 0, 1]}]}, {name: r, particles: [1]}]\n",
     "8:12: error: segments 's': particles 0 and 1 are in two drives"},
    {LAYERS "segments: [{name: s, pairs: [[0, 1]], diameter: 2, species: a}]\n"
            "drives: [{name: d, particles: [0, 1], motion: [{velocity: [9, 0, 0]}]}]\n",
     "9:10: error: drive 'd': at time 0.555555556 the segment between particles 0 and 1 collides with the wall at high x"},
    {LAYERS "bodies:\n  - {name: line, particles: [0, 1]}\n", "9:5: error: body 'line': its particles lie on one line"},
};
/* clang-format on */

/* The message of a scene that is loaded and checked. */
static carom_scene *refused(const char *text, const char *set)
{
    carom_estimate estimate;
    carom_scene *s = carom_scene_new();
    ck_assert_ptr_nonnull(s);
    if (set != NULL) ck_assert_int_eq(carom_scene_set(s, set), CAROM_OK);
    carom_status status = carom_scene_load_text(s, "s.yaml", text, strlen(text));
    if (status == CAROM_OK) status = carom_scene_check(s, &estimate);
    printf("%s\n", carom_scene_message(s));
    ck_assert_int_eq(status, CAROM_BAD_DATA);
    return s;
}

/* The line, and a caret below the column. */
static void expect_line(const char *message, const char *text)
{
    char shown[400];
    unsigned line, column;
    ck_assert_int_eq(sscanf(message, "s.yaml:%u:%u", &line, &column), 2);
    while (--line > 0) text = strchr(text, '\n') + 1;
    snprintf(shown, sizeof shown, "\n    %.*s\n    %*s^", (int)strcspn(text, "\n"), text, (int)column - 1, "");
    const size_t length = strlen(message), below = strlen(shown);
    ck_assert_msg(length > below && strcmp(message + length - below, shown) == 0, "expected%s", shown);
}

START_TEST(place_and_line)
{
    char begin[400];
    carom_scene *s = refused(cases[_i].text, NULL);
    const char *message = carom_scene_message(s);
    snprintf(begin, sizeof begin, "s.yaml:%s", cases[_i].message);
    ck_assert_msg(strncmp(message, begin, strlen(begin)) == 0, "expected %s", begin);
    expect_line(message, cases[_i].text);
    carom_scene_free(s);
}
END_TEST

static void expect(const char *text, const char *set, const char *message)
{
    carom_scene *s = refused(text, set);
    ck_assert_str_eq(carom_scene_message(s), message);
    carom_scene_free(s);
}

/* An override is shown itself, and a key of the text beside it in the text. */
START_TEST(overrides)
{
    expect(HARD "hard: {thermostat: {rate: 1, temperature: 0}}\n", "hard.thermostat.rate=2",
           "--set hard.thermostat.rate=2: error: hard.thermostat has a rate and no temperature: give "
           "hard.thermostat.temperature\n"
           "    hard.thermostat.rate=2\n"
           "                         ^");
    expect(HARD "hard: {collapse: {policy: tc}}\n", "hard.detection=naive",
           "s.yaml:8:19: error: hard.collapse.policy is tc: give hard.collapse.tc, the contact duration\n"
           "    hard: {collapse: {policy: tc}}\n"
           "                      ^");
}
END_TEST

/* What is wrong at one place shares its line; what is at several places has none. */
START_TEST(one_place)
{
    expect("carom: 1\nengine: hard\nbox: {size: 10, boundary: wall}\nspecies: {a: {diameter: 1}}\n"
           "run: {until: {time: 1}}\nparticles:\n  - {species: a, place: {at: [[0, 2, 2], [0, 2.5, 2]]}}\n"
           "  - {species: a, place: {at: [[0, 8, 8], [5, 8, 8]]}}\n",
           NULL,
           "s.yaml:7:18: error: particle 0 at (0, 2, 2), diameter 1, is 0.5 outside the wall at low x\n"
           "s.yaml:7:18: error: particle 1 at (0, 2.5, 2), diameter 1, is 0.5 outside the wall at low x\n"
           "      - {species: a, place: {at: [[0, 2, 2], [0, 2.5, 2]]}}\n"
           "                     ^\n"
           "s.yaml:8:18: error: particle 2 at (0, 8, 8), diameter 1, is 0.5 outside the wall at low x\n"
           "      - {species: a, place: {at: [[0, 8, 8], [5, 8, 8]]}}\n"
           "                     ^\n"
           "s.yaml:7:18: error: particles 0 and 1 overlap: their distance is 0.5, contact is at 1\n"
           "      - {species: a, place: {at: [[0, 2, 2], [0, 2.5, 2]]}}\n"
           "                     ^");
}
END_TEST

/* Of the scenes that tests make there is no text. */
START_TEST(no_text)
{
    error e = {0};
    char name[] = "made.yaml";
    const scene made = {.source = name}, nameless = {0};
    ck_assert_int_eq(scene_refuse(scene_at(&made, "hard.%s", "detection"), &e, "no %d", 1), CAROM_BAD_DATA);
    scene_refuse(scene_whole(&nameless), &e, "no %d", 2);
    ck_assert_str_eq(error_text(&e), "made.yaml: error: no 1\n(text): error: no 2");
    ck_assert_int_eq(e.status, CAROM_BAD_DATA);
    error_clear(&e);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("refusals");
    tcase_add_loop_test(all, place_and_line, 0, sizeof cases / sizeof *cases);
    tcase_add_test(all, overrides);
    tcase_add_test(all, one_place);
    tcase_add_test(all, no_text);
    return suite_run("refusals", all);
}
