/* The key `drives`: prescribed motions. */
#include <math.h>
#include <stdio.h>

#include "scene/exact.h"
#include "scene/language/reader.h"

/* ---- driven objects ---------------------------------------------------------------------------------------------- */

WRITTEN_IF(has_plane, scene_drive, one->plane != SIZE_MAX)

#define HAS_EXACT(name, many, ONE, words) WRITTEN_IF(has_##name, scene_drive, one->exact[EXACT_##ONE] != SIZE_MAX)
EXACT_KINDS(HAS_EXACT)

WRITTEN_IF(has_mesh, scene_drive, one->mesh != SIZE_MAX)

static bool has_particles(const scene *s, const void *from)
{
    return !has_plane(s, from) && scene_drive_exact_kind(from) == NULL && !has_mesh(s, from);
}

static bool has_vertices(const scene *s, const void *from)
{
    return has_mesh(s, from) && ((const scene_drive *)from)->particles != NULL;
}

WRITTEN_IF(has_within, scene_drive, one->within.given)

static void finish_within(reader *r, const node *map, void *filled)
{
    scene_within *within = filled;
    within->given = true;
    for (int k = 0; k < r->s->dimension; k++)
        if (within->lowest[k] > within->highest[k]) fault_add(r->f, map, "'to' must not be below 'from'");
}

/* Two keys that exclude each other. */
static void exclude(reader *r, const node *n, const char *one, const char *other)
{
    if (tree_get(r->t, n, one) != NULL && tree_get(r->t, n, other) != NULL)
        fault_add(r->f, tree_key(r->t, tree_get(r->t, n, other)), "'%s' and '%s' exclude each other" HINT "give one",
                  one, other);
}

static void check_moved(reader *r, const node *n)
{
#define KEY(one, many, ONE, words) #one,
    static const char *const keys[] = {"particles", "plane", EXACT_KINDS(KEY) "mesh"};
    enum { KEYS = sizeof keys / sizeof *keys };
    const node *vertices = tree_get(r->t, n, "vertices"), *within = tree_get(r->t, n, "within");
    const node *given[KEYS];
    int count = 0;
    for (int k = 0; k < KEYS; k++) count += (given[k] = tree_get(r->t, n, keys[k])) != NULL;
    for (int k = 0; k < KEYS; k++)
        for (int other = k + 1; other < KEYS; other++) exclude(r, n, keys[k], keys[other]);
    if (count > 1 || given[KEYS - 1] != NULL) return;
    if (vertices != NULL || within != NULL)
        fault_add(r->f, tree_key(r->t, vertices != NULL ? vertices : within),
                  "missing key 'mesh': name of the mesh of these vertices");
    else if (count == 0)
        fault_add(r->f, n, "missing key 'particles' (or 'plane'%s or 'mesh'): the driven object",
                  scene_exact_words(r->s, false, ", '", ", '", "'").text);
}

/* ---- motion ---- */

WRITTEN_IF(turns, scene_motion, one->rate != 0)

/* Not for objects that rotate about their own axis. */
static bool has_axis(const scene *s, const void *from)
{
    const double *axis = ((const scene_motion *)from)->axis;
    (void)s;
    return axis[0] != 0 || axis[1] != 0 || axis[2] != 0;
}

WRITTEN_IF(oscillates, scene_motion, one->frequency != 0)

/* For a mesh the axis is required; exact surfaces that rotate have their own. */
static void check_axis(reader *r, const node *n, const scene_drive *drive)
{
    static const char *const keys[] = {"axis", "through"};
    const exact_kind *kind = scene_drive_exact_kind(drive);
    for (int k = 0; k < 2; k++) {
        const node *given = tree_get(r->t, n, keys[k]);
        if (kind != NULL && kind->turns && given != NULL)
            fault_add(r->f, tree_key(r->t, given), "a %s turns about its own axis: leave '%s' out", kind->name,
                      keys[k]);
        if (kind == NULL && given == NULL) settings_missing(r, n, "", settings_find(&table_turn, keys[k]));
    }
}

static void check_turn(reader *r, const node *n, const scene_drive *drive, const scene_motion *piece)
{
    if (n == NULL || n->kind != NODE_MAP) return;
    const node *axis = tree_get(r->t, n, "axis");
    if (axis != NULL && axis->kind == NODE_LIST && !has_axis(r->s, piece))
        fault_add(r->f, axis, "an axis of length zero has no direction");
    check_axis(r, n, drive);
    const exact_kind *kind = scene_drive_exact_kind(drive);
    if ((kind == NULL || !kind->turns) && drive->mesh == SIZE_MAX)
        fault_add(r->f, n, "only meshes and cylinders can be turned: give this drive a 'mesh' or a 'cylinder'");
}

static void check_oscillation(reader *r, const node *n, const scene_drive *drive, const scene_motion *piece)
{
    if (n == NULL || n->kind != NODE_MAP) return;
    if (!(fabs(piece->phase) < 1e9)) fault_add(r->f, n, "'phase' must be less than 1e9 radians");
    if (drive->plane == SIZE_MAX && scene_drive_exact_kind(drive) == NULL && drive->mesh == SIZE_MAX)
        fault_add(r->f, n, "only planes%s and meshes oscillate: give this drive a 'plane'%s or 'mesh'",
                  scene_exact_words(r->s, true, ", ", ", ", "").text,
                  scene_exact_words(r->s, false, ", '", ", '", "'").text);
}

static void check_motion(reader *r, const node *n, const scene_drive *drive)
{
    size_t k = 0;
    if (n == NULL || n->kind != NODE_LIST || drive->motion == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        const scene_motion *piece = &drive->motion[k++];
        if (item->kind != NODE_MAP) continue;
        check_turn(r, tree_get(r->t, item, "turn"), drive, piece);
        check_oscillation(r, tree_get(r->t, item, "oscillate"), drive, piece);
        if (k < 2 || piece->time > piece[-1].time) continue;
        const node *time = tree_get(r->t, item, "time");
        fault_add(r->f, time != NULL ? time : item, "'time' must be later than that of the previous item, %.10g",
                  piece[-1].time);
    }
}

static const setting_list list_motion = {
    .wanted = "a list of {time, velocity}", .count = offsetof(scene_drive, motion_count), .most = UINT32_MAX};

/* ---- path ---- */

/* clang-format off */
static const setting path_entries[] = {
    {.name = "time", .type = SETTING_REAL, .offset = offsetof(scene_waypoint, time), .unit = "time",
     .min = 0, .max = INFINITY, .help = "time at which it is reached; increases from item to item"},
    {.name = "by", .type = SETTING_VECTOR, .offset = offsetof(scene_waypoint, by), .unit = "length",
     .help = "displacement from the initial position"},
};
static const settings_table table_path = {TABLE_OF("path", scene_waypoint, path_entries, "a point of a path"),
                                          .wanted = "a map with 'time' and 'by'"};
/* clang-format on */

/* Converts positions to velocities: the first velocity leads from the start to the first position; after the last, the
 * velocity is zero. */
static void read_waypoint(reader *r, const node *n, scene_waypoint *last, scene_drive *drive)
{
    scene_waypoint next = *last;
    if (!settings_read_map(r, &table_path, n, &next)) return;
    const node *time = tree_get(r->t, n, "time");
    if (!(next.time > last->time)) {
        fault_add(r->f, time != NULL ? time : n,
                  "'time' must be later than that of the previous item, %.10g (the start: 0)", last->time);
        return;
    }
    scene_motion *piece = &drive->motion[drive->motion_count++];
    piece->time = last->time;
    for (int k = 0; k < 3; k++) piece->velocity[k] = (next.by[k] - last->by[k]) / (next.time - last->time);
    *last = next;
}

static void read_path(reader *r, const node *n, void *into)
{
    scene_drive *drive = into;
    scene_waypoint last = {0};
    if (!value_is_list(r, n, "a list of {time, by}")) return;
    if (drive->motion != NULL) {
        fault_add(r->f, n, "'motion' and 'path' exclude each other" HINT "give one");
        return;
    }
    drive->motion = read_new(r, (size_t)n->length + 1, sizeof *drive->motion);
    if (drive->motion == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_waypoint(r, item, &last, drive);
    drive->motion[drive->motion_count++].time = last.time;
}

/* The resolved scene contains it as a motion. */
static const setting_form form_path = {read_path, NULL, false};

/* ---- start ---- */

WRITTEN_IF(waits, scene_drive, one->start.given)

WRITTEN_IF(is_free, scene_drive, one->start.free)

static void finish_start(reader *r, const node *map, void *filled)
{
    scene_drive *drive = filled;
    const node *when = tree_get(r->t, map, "when");
    if (when == NULL || when->kind != NODE_MAP) return;
    drive->start.given = true;
    if (drive->plane != SIZE_MAX || scene_drive_exact_kind(drive) != NULL)
        fault_add(r->f, map, "'start' is available for particles and meshes only: leave it out for planes%s",
                  scene_exact_words(r->s, true, ", ", " and ", "").text);
    else if (drive->motion_count == 0)
        fault_add(r->f, map,
                  "this drive has no motion that could start: give it a 'motion' or 'path', or leave 'start' out");
    else if (drive->start.free && drive->mesh < r->s->mesh_count && r->s->meshes[drive->mesh].rigid)
        fault_add(r->f, tree_get(r->t, map, "free"),
                  "mesh '%s' is `rigid` and moves only by a drive" HINT "leave 'free' out",
                  r->s->meshes[drive->mesh].name);
}

/* ---- A drive as a whole ---- */

static void begin_drive(reader *r, void *filled)
{
    scene_drive *drive = filled;
    (void)r;
    drive->plane = drive->mesh = SIZE_MAX;
    for (size_t k = 0; k < EXACT_COUNT; k++) drive->exact[k] = SIZE_MAX;
}

static void finish_drive(reader *r, const node *map, void *filled)
{
    read_list_name(r, map, r->s->drives, sizeof(scene_drive), filled, "drives");
    check_moved(r, map);
    check_motion(r, tree_get(r->t, map, "motion"), filled);
}

const setting_list list_drives = {.wanted = "a list of drives", .count = offsetof(scene, drive_count), .silent = true};

/* clang-format off */
const char *const numbers_shapes[] = {"[i, j, {from: FIRST, to: LAST}, ...]", "{from: FIRST, to: LAST}", NULL};
static const setting turn_entries[] = {
    {.name = "axis", .type = SETTING_VECTOR, .offset = offsetof(scene_motion, axis), .unit = "", .fallback = "", .written = has_axis,
     .help = "of any length but zero (required for meshes; a cylinder has its own)"},
    {.name = "through", .type = SETTING_VECTOR, .offset = offsetof(scene_motion, through), .unit = "length", .fallback = "", .written = has_axis,
     .help = "likewise: a point of the axis at the start of this motion; the axis then moves with the velocity"},
    {.name = "rate", .type = SETTING_REAL, .offset = offsetof(scene_motion, rate), .unit = "1 / time",
     .help = "in radians, counterclockwise, seen against the direction of the axis"},
};
const settings_table table_turn = {TABLE_OF("turn", scene_motion, turn_entries, "a rotation about an axis"),
                                   .wanted = "a map of axis, through and rate"};
static const char *const turn_shapes[] = {"{axis: [x, y, z], through: [x, y, z], rate: RADIANS}", "{rate: RADIANS} (of a cylinder)", NULL};

static const setting oscillate_entries[] = {
    {.name = "by", .type = SETTING_VECTOR, .offset = offsetof(scene_motion, swing), .unit = "length",
     .help = "amplitude: by * (sin(2 pi frequency (t - time) + phase) - sin(phase)) is added to the position"},
    {.name = "frequency", .type = SETTING_REAL, .offset = offsetof(scene_motion, frequency), .unit = "1 / time", .min = 0,
     .max = INFINITY, .above_min = true, .help = "in cycles"},
    {.name = "phase", .type = SETTING_REAL, .offset = offsetof(scene_motion, phase), .unit = "radians", .fallback = "0",
     .help = "at the start of this motion"},
};
const settings_table table_oscillate = {TABLE_OF("oscillate", scene_motion, oscillate_entries, "a harmonic motion"),
                                        .wanted = "a map of by, frequency and phase"};
static const char *const oscillate_shapes[] = {"{by: [x, y, z], frequency: CYCLES, phase: RADIANS}", NULL};

static const setting motion_entries[] = {
    {.name = "time", .type = SETTING_REAL, .offset = offsetof(scene_motion, time), .unit = "time", .fallback = "0",
     .min = 0, .max = INFINITY, .help = "start of this piece; increases from item to item"},
    {.name = "velocity", .type = SETTING_VECTOR, .offset = offsetof(scene_motion, velocity), .unit = "speed",
     .fallback = "[0, 0, 0]", .help = "until the time of the next item"},
    {.name = "turn", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = turn_shapes, .table = &table_turn,
     .form = &form_map, .written = turns,
     .help = "additional rotation: of meshes about an axis, of cylinders about their own axis"},
    {.name = "oscillate", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = oscillate_shapes, .table = &table_oscillate,
     .form = &form_map, .written = oscillates,
     .help = "of planes" EXACT_KINDS(EXACT_COMMA_MANY) " and rigid meshes: additional oscillation (`hard`)"},
};
const settings_table table_motion = {TABLE_OF("motion", scene_motion, motion_entries, "a piece of a motion"),
                                     .wanted = "a map with 'time' and 'velocity'"};

static const setting within_entries[] = {
    {.name = "from", .type = SETTING_VECTOR, .offset = offsetof(scene_within, lowest), .unit = "length",
     .help = "lowest coordinates; the faces of the box belong to it"},
    {.name = "to", .type = SETTING_VECTOR, .offset = offsetof(scene_within, highest), .unit = "length",
     .help = "highest coordinates"},
};
const settings_table table_within = {TABLE_OF("within", scene_within, within_entries, "a box"),
                                     .wanted = "a map of from and to", .finish = finish_within};
const char *const within_shapes[] = {"{from: [x, y, z], to: [x, y, z]}", NULL};

static const setting start_entries[] = {
    {.name = "when", .type = SETTING_SHAPE, .offset = offsetof(scene_drive, start.when), .unit = "", .choices = when_shapes, .table = &table_when, .form = &form_map,
     .help = "the motion begins when all checked particles and vertices are at rest"},
    {.name = "free", .type = SETTING_BOOL, .offset = offsetof(scene_drive, start.free), .unit = "", .fallback = "false",
     .written = is_free,
     .help = "before the start of the motion the particles are free; false: they are at rest"},
};
static const settings_table table_start = {TABLE_OF("start", scene_drive, start_entries, "the start of a motion"),
                                           .wanted = "a map with 'when'", .finish = finish_start};
static const char *const start_shapes[] = {"{when: {...}, free: true}", NULL};

#define EXACT_ROW(one, many, ONE, words)                                                                               \
    {.name = #one, .type = SETTING_SHAPE, .offset = offsetof(scene_drive, exact[EXACT_##ONE]), .unit = "", .fallback = "", \
     .form = &form_exact, .written = has_##one, .unlisted = EXACT_##ONE > 0, .help = "name of the " #one " that is driven (`hard`)"},
static const setting drives_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_drive, name), .unit = "",
     .help = "name in messages"},
    {.name = "particles", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = numbers_shapes,
     .form = &form_numbers, .written = has_particles,
     .help = "the driven particles, by their numbers. Either this, plane" EXACT_KINDS(EXACT_COMMA_ONE) " or mesh"},
    {.name = "plane", .type = SETTING_SHAPE, .offset = offsetof(scene_drive, plane), .unit = "", .fallback = "",
     .form = &form_plane, .written = has_plane, .help = "name of the driven plane"},
    EXACT_KINDS(EXACT_ROW)
    {.name = "mesh", .type = SETTING_SHAPE, .offset = offsetof(scene_drive, mesh), .unit = "", .fallback = "",
     .form = &form_mesh, .written = has_mesh, .help = "name of the mesh whose vertices are driven"},
    {.name = "vertices", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = numbers_shapes,
     .form = &form_numbers, .written = has_vertices,
     .help = "only these vertices of the mesh, by their numbers from 0"},
    {.name = "within", .type = SETTING_SHAPE, .offset = offsetof(scene_drive, within), .unit = "length", .fallback = "", .choices = within_shapes, .table = &table_within,
     .form = &form_map, .written = has_within,
     .help = "only vertices of the mesh that are initially in this box; with `vertices`: only those of them that are in it"},
    {.name = "motion", .type = SETTING_LIST, .offset = offsetof(scene_drive, motion), .unit = "", .fallback = "[]",
     .table = &table_motion, .list = &list_motion,
     .help = "successive velocities; at rest before the first. Without it the particles are at rest"},
    {.name = "path", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_path, .form = &form_path,
     .help = "positions instead of velocities, connected by straight lines from the initial position on; at rest after the last"},
    {.name = "start", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = start_shapes, .table = &table_start,
     .form = &form_map, .written = waits,
     .help = "times are relative to the moment at which this condition holds, instead of the start of the run (particles and meshes)"},
};
const settings_table table_drives = {
    TABLE_OF("drives", scene_drive, drives_entries, "particles, vertices of a mesh, a plane" EXACT_KINDS(EXACT_OR_A) " with prescribed motion"),
    .wanted = "a map with 'name', 'particles' or 'plane', and 'motion'", .begin = begin_drive, .finish = finish_drive};
