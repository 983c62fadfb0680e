/* Values of arguments: numbers, texts, callbacks. */
#include "calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u); /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

size_t choose(chooser *c, size_t alternatives)
{
    size_t at = c->position++, chosen = alternatives - 1;
    if (c->random != 0 && next_random(&c->random) % 2 == 0) chosen = next_random(&c->random) % alternatives;
    for (size_t k = 0; k < c->forced_count; k++) {
        if (c->forced[k] != at) continue;
        chosen = c->to[k] < alternatives ? c->to[k] : alternatives - 1;
        if (k + 1 == c->forced_count) c->alternatives = alternatives;
    }
    return chosen;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

bool pick_bool(chooser *c)
{
    return choose(c, 2) == 0;
}

int pick_int(chooser *c)
{
    static const int values[] = {
        -1, -5, 1, 1000000, INT32_MAX, INT32_MIN, CAROM_THREADS_MOST, CAROM_THREADS_MOST + 1, 65536, 2, 0};
    return values[choose(c, COUNT(values))];
}

int64_t pick_int64(chooser *c)
{
    static const int64_t values[] = {INT64_MIN, INT64_MAX, -1, -2, -3, -4, -5, 1, (int64_t)1 << 32, 0};
    return values[choose(c, COUNT(values))];
}

uint64_t pick_uint64(chooser *c)
{
    static const uint64_t values[] = {UINT64_MAX, (uint64_t)1 << 63, (uint64_t)1 << 32, 1, 2, 0};
    return values[choose(c, COUNT(values))];
}

size_t pick_index(chooser *c)
{
    static const size_t values[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 16, (size_t)1 << 32, 1000, 7, 2, 1, 0};
    return values[choose(c, COUNT(values))];
}

uint32_t pick_uint32(chooser *c)
{
    static const uint32_t values[] = {UINT32_MAX, UINT32_C(1) << 31, 1 << CAROM_EVENT_KINDS, 2, 1, 0};
    return values[choose(c, COUNT(values))];
}

carom_event_kind pick_event_kind(chooser *c)
{
    static const int values[] = {-1, 1000, INT32_MAX, INT32_MIN, CAROM_EVENT_KINDS, CAROM_EVENT_WAKE, 0};
    return (carom_event_kind)values[choose(c, COUNT(values))];
}

double pick_double(chooser *c)
{
    static const double values[] = {(double)NAN,
                                    (double)INFINITY,
                                    -(double)INFINITY,
                                    -1,
                                    -0.0,
                                    0,
                                    0x1p-1074,
                                    1e-300,
                                    1e300,
                                    0x1.fffffffffffffp1023,
                                    0.5,
                                    1,
                                    0.01};
    return values[choose(c, COUNT(values))];
}

carom_stop pick_stop(chooser *c)
{
    static const int values[] = {
        -1, 1000, INT32_MAX, INT32_MIN, CAROM_STOP_SIGNAL + 1, CAROM_STOP_SIGNAL, CAROM_STOP_NONE};
    return (carom_stop)values[choose(c, COUNT(values))];
}

void pick_numbers(chooser *c, double **values, size_t *count)
{
    static double numbers[5];
    const double sound[5] = {3, 1, 4, 1, 5}, odd[5] = {(double)NAN, (double)INFINITY, -(double)INFINITY,
                                                       0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023};
    const size_t chosen = choose(c, 7);
    memcpy(numbers, chosen == 3 ? odd : sound, sizeof numbers);
    *values = chosen < 2 ? NULL : numbers;
    *count = chosen == 0 || chosen == 2 ? 0 : chosen == 1 ? SIZE_MAX : chosen == 4 ? 1 : 5;
}

/* Of the four particles of the scenes. */
void pick_ids(chooser *c, const uint32_t **ids, size_t *count)
{
    static const uint32_t all[] = {0, 1, 2, 3}, missing[] = {99}, far[] = {UINT32_MAX}, twice[] = {1, 1};
    static const uint32_t *const lists[] = {NULL, NULL, NULL, all, all, missing, far, twice, all, all, all};
    static const size_t counts[COUNT(lists)] = {0, 4, SIZE_MAX, SIZE_MAX, 0, 1, 1, 2, 4, 2, 1};
    const size_t chosen = choose(c, COUNT(lists));
    *ids = lists[chosen];
    *count = counts[chosen];
}

void pick_places(chooser *c, const double **positions, size_t *count)
{
    static const double free[] = {1, 1, 7, 7}, taken[] = {6, 4}, outside[] = {-1, 9}, odd[] = {(double)NAN, 1},
                        far[] = {1e300, -(double)INFINITY};
    static const double *const lists[] = {NULL, NULL, NULL, free, free, taken, outside, odd, far, free, free};
    static const size_t counts[COUNT(lists)] = {0, 1, SIZE_MAX, SIZE_MAX, 0, 1, 1, 1, 1, 2, 1};
    const size_t chosen = choose(c, COUNT(lists));
    *positions = lists[chosen];
    *count = counts[chosen];
}

const double *pick_doubles(chooser *c)
{
    static const double sound[16] = {0.5, -1, 0.25, 2, 1, 1, 0, 1}, zeros[16],
                        odd[16] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, 0x1p-1074};
    static const double *const lists[] = {NULL, odd, zeros, sound};
    return lists[choose(c, COUNT(lists))];
}

uint32_t *pick_ids_out(chooser *c)
{
    static uint32_t ids[16];
    return choose(c, 2) == 0 ? NULL : ids;
}

const char *pick_entry(chooser *c)
{
    static const char *const entries[] = {NULL,
                                          "",
                                          "{}",
                                          "what: energy",
                                          "{what: presure}",
                                          "{what: energy}\nseed: 3",
                                          "{what: energy, every: -1}",
                                          "{what: energy, start: 1e9}",
                                          "{what: msd, every: 0.1}",
                                          "{what: impact_separation, every: 0.1}",
                                          "{what: temperature, every: 0.1}"};
    return entries[choose(c, COUNT(entries))];
}

const char *pick_change(chooser *c)
{
    static const char *const changes[] = {NULL,
                                          "",
                                          "=",
                                          "fields",
                                          "seed=4",
                                          "fields.gravity=[0]",
                                          "observe=[]",
                                          "box.size=9",
                                          "engine=hard",
                                          "hard.precision=float",
                                          "variational.eta=0.01",
                                          "fields.gravity=[0, -1]"};
    return changes[choose(c, COUNT(changes))];
}

/* Counts of arrays that have room for all of them, and counts beyond any memory. */
size_t pick_few(chooser *c)
{
    static const size_t values[] = {SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 33, 0, 1, 4};
    return values[choose(c, COUNT(values))];
}

const uint32_t *pick_indices(chooser *c)
{
    static const uint32_t far[16] = {UINT32_MAX, 4, 99}, sound[16] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    const uint32_t *const values[] = {NULL, far, sound};
    return values[choose(c, COUNT(values))];
}

void pick_particles(chooser *c, const size_t **particles, size_t *count)
{
    static const size_t there[] = {0, 1}, missing[] = {99}, far[] = {SIZE_MAX}, twice[] = {1, 1};
    switch (choose(c, 9)) {
    case 0:
        *count = SIZE_MAX;
        break;
    case 1:
        *particles = there;
        break;
    case 2:
        *particles = there;
        *count = SIZE_MAX;
        break;
    case 3:
        *particles = missing;
        *count = 1;
        break;
    case 4:
        *particles = far;
        *count = 1;
        break;
    case 5:
        *particles = twice;
        *count = 2;
        break;
    case 6:
        *particles = there;
        *count = 5; /* of 4 particles */
        break;
    case 7:
        *particles = there;
        *count = 2;
        break;
    default:
        break;
    }
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* The sound texts of a function, in the order of its parameters. */
static const struct {
    const char *function, *text[2];
} sound_texts[] = {{"carom_scene_set", {"seed=3"}},
                   {"carom_scene_unset", {"seed"}},
                   {"carom_scene_set_points", {"points"}},
                   {"carom_scene_set_mesh", {"mesh"}},
                   {"carom_scene_tree", {"memory"}},
                   {"carom_scene_set_folder", {"."}},
                   {"carom_scene_load", {SCENE}},
                   {"carom_scene_load_text", {"memory"}},
                   {"carom_scene_reads", {SCENE}},
                   {"carom_file_open", {RESULT}},
                   {"carom_file_export", {"xyz", "out.xyz"}},
                   {"carom_file_export_table", {"energy", "out.csv"}},
                   {"carom_file_render", {"out.png"}},
                   {"carom_file_numbers", {"kinetic"}},
                   {"carom_sim_render", {"out.png"}},
                   {"carom_plot_write", {"out.svg"}},
                   {"carom_sweep_load", {SWEEP}},
                   {"carom_sweep_difference", {"carom: 1\n"}},
                   {"carom_shape_add", {RESULT}},
                   {"carom_shape_report", {"json"}},
                   {"carom_help", {"scene"}},
                   {"carom_keys", {"particles.0.place"}},
                   {"carom_starter", {"hard"}}};

static const char *sound_text(chooser *c)
{
    const size_t nth = c->texts++;
    for (size_t k = 0; nth < 2 && k < COUNT(sound_texts); k++)
        if (strcmp(sound_texts[k].function, c->calling) == 0) return sound_texts[k].text[nth];
    return NULL;
}

static const char *long_text(void)
{
    static char text[100001];
    if (text[0] == '\0') memset(text, 'a', sizeof text - 1);
    return text;
}

const char *pick_text(chooser *c)
{
    static const char *const values[] = {NULL,
                                         "",
                                         "x",
                                         "missing/file",
                                         ".",
                                         "/",
                                         SCENE,
                                         BAD_SCENE,
                                         SWEEP,
                                         RESULT,
                                         CHECKPOINT,
                                         DAMAGED,
                                         "%s%n%d%99999999s",
                                         "\xff\xfe\x01\n\t\x80",
                                         "json",
                                         "csv",
                                         "text",
                                         "vtp",
                                         "out.h5",
                                         "out.svg",
                                         "out.png",
                                         "frames-%d.png",
                                         "frames-%n.png",
                                         "=",
                                         "seed=",
                                         "seed=-1",
                                         "particles.99999999999999999999.count=5",
                                         "run.until.time=nan",
                                         "127.0.0.1",
                                         "999.0.0.1",
                                         "speed",
                                         "scene",
                                         "observe..",
                                         "none"};
    const char *sound = sound_text(c);
    const size_t chosen = choose(c, COUNT(values) + 2);
    if (chosen == COUNT(values)) return long_text();
    return chosen < COUNT(values) ? values[chosen] : sound;
}

void *pick_own_text(chooser *c)
{
    char *text = NULL;
    if (choose(c, 2) == 1) (void)carom_starter(NULL, &text);
    return text;
}

void *pick_user(chooser *c)
{
    static int something;
    return choose(c, 2) == 0 ? &something : NULL;
}

void pick_bytes(chooser *c, const char **text, size_t *length)
{
    static const char zeros[64], *const scene = SCENE_TEXT;
    const size_t chosen = choose(c, 7);
    *text = chosen < 2 ? NULL : chosen == 2 ? "" : chosen == 3 ? zeros : scene;
    *length = chosen == 0 || chosen == 2 || chosen == 4 ? 0 : chosen == 1 ? SIZE_MAX : chosen == 3 ? 64 : strlen(scene);
    if (chosen == 5) *length /= 2;
}

void pick_texts(chooser *c, const char *const **texts, size_t *count)
{
    static const char *const result[] = {RESULT, RESULT}, *const gap[] = {RESULT, NULL}, *const wrong[] = {"", RESULT},
                             *const missing[] = {"missing.h5"}, *const checkpoint[] = {CHECKPOINT},
                             *const damaged[] = {DAMAGED}, *const names[] = {"energy"};
    static const char *const *const lists[] = {NULL,       NULL,    NULL,  gap,    wrong,  missing,
                                               checkpoint, damaged, names, result, result, result};
    static const size_t counts[COUNT(lists)] = {0, 3, SIZE_MAX, 2, 2, 1, 1, 1, 1, 0, 2, 1};
    const size_t chosen = choose(c, COUNT(lists));
    *texts = lists[chosen];
    *count = counts[chosen];
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

static void quiet_progress(const carom_progress *progress, void *user)
{
    (void)user;
    if (progress->phase == NULL) abort();
}

static void busy_progress(const carom_progress *progress, void *user)
{
    (void)progress;
    (void)user;
    world_call_back();
}

static void quiet_warning(const char *line, void *user)
{
    (void)user;
    if (strlen(line) == 0) abort();
}

static void busy_warning(const char *line, void *user)
{
    (void)line;
    (void)user;
    world_call_back();
}

carom_progress_callback pick_progress(chooser *c)
{
    static const carom_progress_callback values[] = {busy_progress, quiet_progress, NULL};
    return values[choose(c, COUNT(values))];
}

warning_callback pick_warning(chooser *c)
{
    static const warning_callback values[] = {busy_warning, quiet_warning, NULL};
    return values[choose(c, COUNT(values))];
}

/* Four disks in the plane; a potential may act on fewer. */
static double put_force(double *forces, double value)
{
    if (forces != NULL) forces[0] = value;
    return 0;
}

static double small_force(void *user, double time, const double *x, double *forces)
{
    (void)user, (void)time, (void)x;
    return put_force(forces, 0.1);
}

static double no_energy(void *user, double time, const double *x, double *forces)
{
    (void)user, (void)time, (void)x, (void)forces;
    return (double)NAN;
}

static double late_no_energy(void *user, double time, const double *x, double *forces)
{
    (void)user, (void)x, (void)forces;
    return time > 0.01 ? (double)NAN : 0;
}

static double no_force(void *user, double time, const double *x, double *forces)
{
    (void)user, (void)time, (void)x;
    return put_force(forces, (double)NAN);
}

static double endless_force(void *user, double time, const double *x, double *forces)
{
    (void)user, (void)time, (void)x;
    return put_force(forces, (double)INFINITY);
}

static double huge_force(void *user, double time, const double *x, double *forces)
{
    (void)user, (void)time, (void)x;
    return put_force(forces, 1e300);
}

static double busy_force(void *user, double time, const double *x, double *forces)
{
    (void)user, (void)time, (void)x;
    world_call_back();
    return put_force(forces, 0.1);
}

force_callback pick_force(chooser *c)
{
    static const force_callback values[] = {NULL,          no_energy,  late_no_energy, no_force,
                                            endless_force, huge_force, busy_force,     small_force};
    return values[choose(c, COUNT(values))];
}

static void count_events(const carom_event *events, size_t count, void *user)
{
    (void)user;
    if (count == 0 || events[0].kind >= CAROM_EVENT_KINDS) abort();
}

static void busy_events(const carom_event *events, size_t count, void *user)
{
    count_events(events, count, user);
    world_call_back();
}

events_callback pick_events_callback(chooser *c)
{
    static const events_callback values[] = {busy_events, NULL, count_events};
    return values[choose(c, COUNT(values))];
}

void pick_events(chooser *c, carom_event **events, size_t *count)
{
    static carom_event room[5];
    const size_t chosen = choose(c, 6);
    *events = chosen < 3 ? NULL : room;
    *count = chosen == 0 || chosen == 3 ? 0 : chosen == 1 ? SIZE_MAX : chosen == 4 ? 1 : 5;
}

/* ---- structs ----------------------------------------------------------------------------------------------------- */

carom_options good_carom_options(void)
{
    return (carom_options){.threads = 1};
}

carom_potential good_carom_potential(void)
{
    return (carom_potential){.step = 1e-3, .force = small_force};
}

carom_record_options good_carom_record_options(void)
{
    return (carom_record_options){.events = count_events};
}

carom_point_arrays good_carom_point_arrays(void)
{
    static const double positions[16] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}; /* room for all counts of pick_few */
    return (carom_point_arrays){.count = 3, .dimension = 2, .positions = positions};
}

carom_mesh_arrays good_carom_mesh_arrays(void)
{
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    return (carom_mesh_arrays){vertices, 4, triangles, 4};
}

carom_cost good_carom_cost(void)
{
    return (carom_cost){.events = 1000, .wall_s = 1, .events_per_s = 1000, .trial_time = 1, .trial_s = 1};
}

carom_plot_options good_carom_plot_options(void)
{
    return (carom_plot_options){.dark = true};
}

carom_render_options good_carom_render_options(void)
{
    return (carom_render_options){.frame = CAROM_RENDER_LAST, .width = 40, .height = 30};
}

carom_page_options good_carom_page_options(void)
{
    return (carom_page_options){.frames = 10, .particles = 3, .megabytes = 1};
}

carom_shape_options good_carom_shape_options(void)
{
    return (carom_shape_options){.frame = CAROM_SHAPE_LAST, .cluster = CAROM_SHAPE_ALL};
}

carom_view_options good_carom_view_options(void)
{
    return (carom_view_options){.port = 0};
}

carom_particles good_carom_particles(void)
{
    static const double positions[] = {1, 1, 7, 7};
    return (carom_particles){.count = 2, .positions = positions};
}

carom_limits good_carom_limits(void)
{
    return (carom_limits){.time = 1.5, .events = 40, .collisions = 10, .wall_s = 1};
}

carom_compare_options good_carom_compare_options(void)
{
    static const char *const engines[] = {"hard"};
    return (carom_compare_options){.scene = SCENE, .engines = engines, .engine_count = 1};
}
