/* The keys of a scene, and the small tables `run`, `fields`, `output`, `view`. */
#include <math.h>
#include <string.h>

#include "scene/language/reader.h"

/* ---- carom, engine, dimension ---- */

/* Checked before all other keys are read (read_scene.c). */
static void read_version(reader *r, const node *n, void *into)
{
    (void)r;
    (void)n;
    (void)into;
}

static void write_version(writer *w, const void *from)
{
    (void)from;
    text_add(w->out, "1");
}

static void read_engine(reader *r, const node *n, void *into)
{
    const scene_vocabulary *v = r->vocabulary;
    const char *words[64] = {NULL};
    for (size_t i = 0; i < v->engine_count && i < 63; i++) words[i] = v->engines[i]->name;
    const int word = value_choice(r, n, "engine", words);
    r->engine_known = word >= 0;
    if (word >= 0) ((scene *)into)->engine = (uint32_t)word;
}

static void write_engine(writer *w, const void *from)
{
    text_add(w->out, "%s", w->vocabulary->engines[((const scene *)from)->engine]->name);
}

static void read_dimension(reader *r, const node *n, void *into)
{
    uint64_t dimension;
    if (!value_count(r, n, &dimension)) return;
    if (dimension == 2 || dimension == 3)
        ((scene *)into)->dimension = (int)dimension;
    else
        fault_add(r->f, n, "'dimension' must be 2 or 3, not %s", value_quote(r, n));
}

static void write_dimension(writer *w, const void *from)
{
    text_add(w->out, "%d", ((const scene *)from)->dimension);
}

static const setting_form form_version = {read_version, write_version, false};
static const setting_form form_engine = {read_engine, write_engine, false};
static const setting_form form_dimension = {read_dimension, write_dimension, false};

static const settings_table table_until;

/* ---- run ---- */

WRITTEN_IF(has_time, scene, isfinite(one->until.time))

WRITTEN_IF(has_rest, scene, one->until.rest.every > 0)

static void begin_until(reader *r, void *filled)
{
    (void)r;
    ((scene *)filled)->until.time = INFINITY;
}

static void finish_until(reader *r, const node *map, void *filled)
{
    (void)filled;
    if (map == NULL && r->endless) return;
    if (map == NULL) {
        const char *key = r->where == r->root ? "run.until" : "until";
        fault_add(r->f, r->where, "missing key '%s': %s", key, table_until.help);
        return;
    }
    const node *rest = tree_get(r->t, map, "rest");
    if (map->length == 0 && !r->endless)
        fault_add(r->f, map, "no limit is given: one of time, events, collisions, clusters, pressure, wall_time");
    if (rest != NULL && map->length == 1 && !r->endless)
        fault_add(r->f, tree_key(r->t, rest),
                  "the system may never be at rest" HINT "give another limit beside 'rest', as 'time'");
    const node *pressure = tree_get(r->t, map, "pressure"), *clusters = tree_get(r->t, map, "clusters");
    if (pressure != NULL && read_engine_instead(r, ENGINE_COMPRESSES) != NULL)
        fault_add(r->f, tree_key(r->t, pressure), "'pressure' is a limit of compressions in `hard` only: remove it");
    if (clusters != NULL && read_engine_instead(r, ENGINE_MERGES) != NULL)
        fault_add(r->f, tree_key(r->t, clusters),
                  "the engine `%s` does not merge particles, so 'clusters' would never end the run: remove it",
                  r->vocabulary->engines[r->s->engine]->name);
}

/* ---- view ---- */

static void read_framing(reader *r, const node *view)
{
    const node *low = tree_get(r->t, view, "low"), *high = tree_get(r->t, view, "high");
    const scene_view *given = &r->s->view;
    r->s->view.framed = low != NULL && high != NULL;
    if ((low == NULL) != (high == NULL))
        fault_add(r->f, tree_key(r->t, low != NULL ? low : high),
                  "'low' and 'high' belong together: they are the corners of the box that the picture shows");
    for (int k = 0; k < r->s->dimension && given->framed; k++)
        if (!(given->high[k] > given->low[k])) {
            fault_add(r->f, tree_key(r->t, high),
                      "'high' must be above 'low' along each axis; axis %d goes from %g to %g", k, given->low[k],
                      given->high[k]);
            return;
        }
}

static void finish_view(reader *r, const node *map, void *filled)
{
    static const char *const spatial[] = {"azimuth", "elevation", "up", "meshes"};
    scene_view *view = &((scene *)filled)->view;
    view->given = map != NULL;
    view->aimed = tree_get(r->t, map, "target") != NULL;
    read_framing(r, map);
    for (size_t k = 0; k < sizeof spatial / sizeof *spatial && r->s->dimension == 2; k++) {
        const node *given = tree_get(r->t, map, spatial[k]);
        if (given != NULL)
            fault_add(r->f, tree_key(r->t, given), "in 2 dimensions the view is from above: remove '%s'", spatial[k]);
    }
}

WRITTEN_IF(has_view, scene, one->view.given)

WRITTEN_IF(has_events, scene, one->output.events.given)

WRITTEN_IF(in_space, scene, one->dimension == 3)

WRITTEN_IF(is_aimed, scene, one->view.aimed)

WRITTEN_IF(is_framed, scene, one->view.framed)

/* ---- Rows ---- */

/* clang-format off */
static const setting fields_entries[] = {
    {.name = "gravity", .type = SETTING_VECTOR, .offset = offsetof(scene, gravity), .unit = "length / time^2",
     .fallback = "[0, 0, 0]", .help = "acceleration of every particle"},
};
static const settings_table table_fields = {TABLE_OF("fields", scene, fields_entries, "external fields")};

static const setting until_entries[] = {
    {.name = "time", .type = SETTING_REAL, .offset = offsetof(scene, until.time), .unit = "time", .fallback = "",
     .min = 0, .max = INFINITY, .written = has_time, .help = "simulated time"},
    {.name = "events", .type = SETTING_INTEGER, .offset = offsetof(scene, until.events), .unit = "", .fallback = "",
     .min = 1, .max = INFINITY, .help = "events of any kind"},
    {.name = "collisions", .type = SETTING_INTEGER, .offset = offsetof(scene, until.collisions), .unit = "",
     .fallback = "", .min = 1, .max = INFINITY, .help = "collisions between particles; those with walls and other surfaces do not count"},
    {.name = "clusters", .type = SETTING_INTEGER, .offset = offsetof(scene, until.clusters), .unit = "",
     .fallback = "", .min = 1, .max = INFINITY, .help = "number of clusters; for engines that merge"},
    {.name = "pressure", .type = SETTING_REAL, .offset = offsetof(scene, until.pressure), .unit = "",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true, .help = "reduced pressure P V / (N T); for compressions"},
    {.name = "wall_time", .type = SETTING_REAL, .offset = offsetof(scene, until.wall_time), .unit = "seconds",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true, .help = "wall-clock time"},
    {.name = "rest", .type = SETTING_SHAPE, .offset = offsetof(scene, until.rest), .unit = "", .fallback = "", .choices = rest_shapes,
     .table = &table_rest, .form = &form_map, .written = has_rest,
     .help = "beside another limit: the system is at rest; the run ends at the first check at which this condition holds"},
};
static const settings_table table_until = {
    TABLE_OF("until", scene, until_entries, "limits, at least one (time, events, ...); the run ends at the first"),
    .begin = begin_until, .finish = finish_until};

static const setting run_entries[] = {
    {.name = "until", .type = SETTING_TABLE, .unit = "", .table = &table_until,
     .help = "limits, at least one (time, events, ...); the run ends at the first"},
};
static const settings_table table_run = {TABLE_OF("run", scene, run_entries, "the length of the run")};

static const setting frames_entries[] = {
    {.name = "every", .type = SETTING_REAL, .offset = offsetof(scene, output.frames_every), .unit = "time",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true,
     .help = "simulated time between frames"},
    {.name = "every_collisions", .type = SETTING_INTEGER, .offset = offsetof(scene, output.frames_every_collisions),
     .unit = "", .fallback = "", .min = 1, .max = INFINITY, .instead_of = "every", .help = "instead of every: collisions between particles from frame to frame"},
};
static const settings_table table_frames = {TABLE_OF("frames", scene, frames_entries, "frames in the result file")};

static const setting checkpoint_entries[] = {
    {.name = "every_wall", .type = SETTING_REAL, .offset = offsetof(scene, output.checkpoint_every_wall),
     .unit = "seconds", .fallback = "600", .min = 0, .max = INFINITY, .above_min = true,
     .help = "wall-clock seconds between checkpoints"},
};
static const settings_table table_checkpoint = {TABLE_OF("checkpoint", scene, checkpoint_entries, "exact states, for --resume")};

static const char *const event_shapes[] = {"true", "false", "{kinds: [collision, merge], species: [NAME, ...]}", NULL};
static const setting output_entries[] = {
    {.name = "frames", .type = SETTING_TABLE, .unit = "", .table = &table_frames, .help = "frames in the result file"},
    {.name = "checkpoint", .type = SETTING_TABLE, .unit = "", .table = &table_checkpoint,
     .help = "exact states, for --resume"},
    {.name = "compression", .type = SETTING_INTEGER, .offset = offsetof(scene, output.compression), .unit = "",
     .fallback = "0", .min = 0, .max = 9,
     .help = "compression level (deflate) of arrays with one element per particle, and of events; 0: none"},
    {.name = "events", .type = SETTING_SHAPE, .offset = offsetof(scene, output.events), .unit = "", .fallback = "false", .choices = event_shapes,
     .table = &table_events, .form = &form_events, .written = has_events,
     .help = "record collisions, merges and other events into the result: all, or a choice (docs/events.md)"},
};
static const settings_table table_output = {TABLE_OF("output", scene, output_entries, "output during the run")};

static const char *const up_words[] = {"gravity", "x", "y", "z", NULL};
static const char *const look_words[] = {"solid", "transparent", "edges", "hidden", NULL};
static const setting view_entries[] = {
    {.name = "azimuth", .type = SETTING_REAL, .offset = offsetof(scene, view.azimuth), .unit = "degrees",
     .fallback = "30", .min = -360, .max = 360,
     .written = in_space, .help = "of the camera, about the upward axis; at 0 with elevation 0 and z up it looks along y (3 dimensions)"},
    {.name = "elevation", .type = SETTING_REAL, .offset = offsetof(scene, view.elevation), .unit = "degrees",
     .fallback = "22", .min = -90, .max = 90, .written = in_space, .help = "of the camera; at 90 it looks straight down (3 dimensions)"},
    {.name = "zoom", .type = SETTING_REAL, .offset = offsetof(scene, view.zoom), .unit = "", .fallback = "1",
     .min = 0, .max = 1000, .above_min = true, .help = "at 1 the whole region is in the picture"},
    {.name = "target", .type = SETTING_VECTOR, .offset = offsetof(scene, view.target), .unit = "length",
     .fallback = "", .written = is_aimed, .help = "the point at the centre of the picture; without it the centre of the region"},
    {.name = "up", .type = SETTING_CHOICE, .offset = offsetof(scene, view.up), .unit = "", .fallback = "gravity",
     .choices = up_words, .written = in_space, .help = "the upward axis of the picture: opposite to gravity (z without gravity), or an axis (3 dimensions)"},
    {.name = "low", .type = SETTING_VECTOR, .offset = offsetof(scene, view.low), .unit = "length", .fallback = "",
     .written = is_framed, .help = "lowest corner of the box that fills the picture, with 'high'; without them the box, the meshes and the bulk "
             "of the bodies"},
    {.name = "high", .type = SETTING_VECTOR, .offset = offsetof(scene, view.high), .unit = "length", .fallback = "",
     .written = is_framed, .help = "highest corner of that box"},
    {.name = "meshes", .type = SETTING_CHOICE, .offset = offsetof(scene, view.meshes), .unit = "", .fallback = "solid",
     .choices = look_words, .written = in_space, .help = "drawing of meshes; edges are those at which the surface bends by more than 35 degrees, "
                                    "and its borders (3 dimensions)"},
    {.name = "whole", .type = SETTING_BOOL, .offset = offsetof(scene, view.whole), .unit = "", .fallback = "false",
     .help = "draw molecules and clusters in one piece, beyond the box if they cross a periodic boundary"},
};
static const settings_table table_view = {TABLE_OF("view", scene, view_entries, "camera of pictures"), .finish = finish_view};

static const char *const version_shapes[] = {"1", NULL};
static const char *const dimension_shapes[] = {"2", "3", NULL};

#define EXACT_ROW(one, many, ONE, words)                                                                               \
    {.name = #many, .type = SETTING_LIST, .offset = offsetof(scene, exact[EXACT_##ONE].items), .unit = "", .fallback = "[]", \
     .table = &table_##many, .list = &list_##many, .early = 1, .unlisted = EXACT_##ONE > 0, .help = words},
static const setting scene_entries[] = {
    {.name = "carom", .type = SETTING_SHAPE, .unit = "", .choices = version_shapes, .form = &form_version, .early = 2,
     .help = "version of the scene language"},
    {.name = "title", .type = SETTING_TEXT, .offset = offsetof(scene, title), .unit = "", .fallback = "",
     .help = "a line of text"},
    {.name = "engine", .type = SETTING_SHAPE, .unit = "", .form = &form_engine, .early = 2, .help = "the engine that runs the scene"},
    {.name = "dimension", .type = SETTING_SHAPE, .unit = "", .fallback = "3", .choices = dimension_shapes,
     .form = &form_dimension, .early = 2,
     .help = "of space"},
    {.name = "seed", .type = SETTING_INTEGER, .offset = offsetof(scene, seed), .unit = "", .fallback = "0",
     .help = "seed of all random numbers; runs with equal seeds are equal"},
    {.name = "box", .type = SETTING_TABLE, .offset = offsetof(scene, box), .unit = "", .table = &table_box,
     .help = "the box (required)"},
    {.name = "species", .type = SETTING_NAMED, .offset = offsetof(scene, species), .unit = "", .table = &table_species,
     .list = &list_species, .early = 1, .help = "the kinds of particles, by name"},
    {.name = "clumps", .type = SETTING_LIST, .offset = offsetof(scene, clumps), .unit = "", .fallback = "[]", .table = &table_clumps,
     .list = &list_clumps, .early = 1, .help = "templates of rigid bodies of spheres, for `particles` (`variational`)"},
    {.name = "particles", .type = SETTING_LIST, .offset = offsetof(scene, particles), .unit = "", .fallback = "[]", .table = &table_particles,
     .list = &list_particles, .help = "the initial particles; required unless there are meshes"},
    {.name = "contacts", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_contacts,
     .list = &list_contacts, .help = "collision laws of pairs; pairs not listed are elastic"},
    {.name = "planes", .type = SETTING_LIST, .offset = offsetof(scene, planes), .unit = "", .fallback = "[]", .table = &table_planes, .list = &list_planes, .early = 1, .help = "fixed planes"},
    EXACT_KINDS(EXACT_ROW)
    {.name = "potentials", .type = SETTING_LIST, .offset = offsetof(scene, potentials), .unit = "", .fallback = "[]", .table = &table_potentials,
     .list = &list_potentials, .help = "steps of the energy of pairs beyond contact (`hard`)"},
    {.name = "bonds", .type = SETTING_LIST, .offset = offsetof(scene, bonds), .unit = "", .fallback = "[]", .table = &table_bonds,
     .list = &list_bonds, .help = "permanent bonds of pairs of particles (`hard`)"},
    {.name = "springs", .type = SETTING_LIST, .offset = offsetof(scene, springs), .unit = "", .fallback = "[]", .table = &table_springs,
     .list = &list_springs, .help = "springs between pairs of particles (`variational`)"},
    {.name = "hinges", .type = SETTING_LIST, .offset = offsetof(scene, hinges), .unit = "", .fallback = "[]", .table = &table_hinges,
     .list = &list_hinges, .help = "angular springs between triples of particles (`variational`, 2 dimensions)"},
    {.name = "rods", .type = SETTING_LIST, .offset = offsetof(scene, rods), .unit = "", .fallback = "[]", .table = &table_rods,
     .list = &list_rods, .help = "elastic rods through particles, which stretch, bend and twist (`variational`, 3 dimensions)"},
    {.name = "segments", .type = SETTING_LIST, .offset = offsetof(scene, segments), .unit = "", .fallback = "[]", .table = &table_segments,
     .list = &list_segments, .help = "rods between pairs of particles, with contacts (`variational`)"},
    {.name = "drives", .type = SETTING_LIST, .offset = offsetof(scene, drives), .unit = "", .fallback = "[]", .table = &table_drives,
     .list = &list_drives, .help = "planes" EXACT_KINDS(EXACT_COMMA_MANY) " and rigid meshes with prescribed motion; in `variational` also particles and vertices, possibly at rest"},
    {.name = "loads", .type = SETTING_LIST, .offset = offsetof(scene, loads), .unit = "", .fallback = "[]", .table = &table_loads,
     .list = &list_loads, .help = "forces and couples on vertices of shells (`variational`)"},
    {.name = "bodies", .type = SETTING_LIST, .offset = offsetof(scene, bodies), .unit = "", .fallback = "[]", .table = &table_bodies,
     .list = &list_bodies, .help = "rigid bodies: of particles, or of meshes (`variational`)"},
    {.name = "meshes", .type = SETTING_LIST, .offset = offsetof(scene, meshes), .unit = "", .fallback = "[]", .table = &table_meshes,
     .list = &list_meshes, .early = 1, .help = "triangle meshes (3 dimensions): obstacles (`hard`, `variational`) and shells (`variational`)"},
    {.name = "outflow", .type = SETTING_LIST, .offset = offsetof(scene, outflows), .unit = "", .fallback = "[]", .table = &table_outflow,
     .list = &list_outflow, .help = "places at which particles leave (`hard`, `variational`)"},
    {.name = "fields", .type = SETTING_TABLE, .unit = "", .table = &table_fields, .help = "external fields"},
    {.name = "run", .type = SETTING_TABLE, .unit = "", .table = &table_run, .help = "the length of the run (required)"},
    {.name = "observe", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_observe,
     .list = &list_observe, .help = "observables"},
    {.name = "output", .type = SETTING_TABLE, .unit = "", .table = &table_output, .help = "output during the run"},
    {.name = "view", .type = SETTING_TABLE, .unit = "", .table = &table_view, .written = has_view,
     .help = "camera of `carom render` and `carom view`"},
};
const settings_table table_scene = {TABLE_OF("scene", scene, scene_entries, "a scene")};
