/* Initial positions of particles: `place` of an entry of `particles`. */
#include <math.h>

#include "scene/language/places.h"
#include "scene/language/reader.h"

/* ---- random positions: inside and outside of meshes, in regions -------------------------------------------------- */

WRITTEN_IF(has_inside, scene_particles, one->inside != SIZE_MAX)

WRITTEN_IF(has_outside, scene_particles, one->outside != SIZE_MAX)

static bool same_place(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void read_region(reader *r, const node *n, void *into)
{
    scene_region *region = (scene_region *)(void *)((char *)into + r->row->offset);
    const char *words[4] = {NULL};
    if (!value_is_map(r, n, "a map of box, ball or cylinder")) return;
    const node *form = value_only_key(r, n, "region");
    if (form == NULL) return;
    for (size_t i = 0; i < table_region.count; i++) words[i] = table_region.entries[i].name;
    const int kind = value_choice(r, tree_key(r->t, form), "region", words);
    if (kind < 0 || !settings_read_map(r, table_region.entries[kind].table, form, region)) return;
    const node *to = tree_get(r->t, form, "to");
    if (kind + 1 == REGION_CYLINDER && r->s->dimension == 2)
        fault_add(r->f, tree_key(r->t, form), "cylinders lie in space" HINT "in 2 dimensions use a ball");
    for (int k = 0; kind + 1 == REGION_BOX && to != NULL && k < r->s->dimension; k++)
        if (!(region->to[k] > region->from[k])) {
            fault_add(r->f, to, "an empty region: 'to' must be above 'from' along %c", "xyz"[k]);
            break;
        }
    if (kind + 1 == REGION_CYLINDER && to != NULL && same_place(region->from, region->to))
        fault_add(r->f, to, "an empty region: 'to' must differ from 'from'");
    region->kind = (scene_region_kind)(kind + 1);
}

static void write_region(writer *w, const void *from)
{
    const scene_region *region = (const scene_region *)(const void *)((const char *)from + w->row->offset);
    const setting *kind = &table_region.entries[region->kind - 1];
    text_add(w->out, "{%s: ", kind->name);
    write_map(w, kind->table, region);
    text_add(w->out, "}");
}

WRITTEN_IF(has_region, scene_particles, one->region.kind != REGION_ALL)

const setting_form form_region = {read_region, write_region, false};

static void finish_random(reader *r, const node *map, void *filled)
{
    const scene_particles *p = filled;
    const node *outside = tree_get(r->t, map, "outside");
    if (tree_get(r->t, map, "inside") != NULL && outside != NULL && p->inside == p->outside)
        fault_add(r->f, outside, "no position is inside and outside of the same mesh");
}

/* ---- particles that enter during the run -------------------------------------------------------------------------- */

WRITTEN_IF(has_end, scene_particles, isfinite(one->inflow_end))

static void begin_inflow(reader *r, void *filled)
{
    (void)r;
    ((scene_particles *)filled)->inflow_end = INFINITY;
}

static void finish_inflow(reader *r, const node *map, void *filled)
{
    const scene_particles *p = filled;
    const node *end = tree_get(r->t, map, "end");
    if (end != NULL && p->inflow_end < p->inflow_start)
        fault_add(r->f, end, "'end' is before 'start', %g: no particle would enter", p->inflow_start);
}

/* ---- Files ---- */

static void read_file(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    p->from = p->file = value_path(r, n);
}

static void write_file(writer *w, const void *from)
{
    write_path(w, ((const scene_particles *)from)->file);
}

static void read_array(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    p->array = read_array_name(r, n, GIVEN_POINTS, &p->array_name, &p->from);
}

static void write_array(writer *w, const void *from)
{
    write_text(w, ((const scene_particles *)from)->array_name);
}

static void read_frame(reader *r, const node *n, void *into)
{
    static const double far = 9007199254740992; /* integers up to this limit are exact */
    double number;
    if (!value_number(r, n, &number)) return;
    if (number != floor(number) || fabs(number) > far)
        fault_add(r->f, n, "expected a whole number, from 0, or backwards from -1; found %s", value_quote(r, n));
    else
        ((scene_particles *)into)->frame = (int64_t)number;
}

static void write_frame(writer *w, const void *from)
{
    text_add(w->out, "%lld", (long long)((const scene_particles *)from)->frame);
}

WRITTEN_IF(is_other_frame, scene_particles, one->frame != -1)

static const setting_form form_file = {read_file, write_file, false};
static const setting_form form_array = {read_array, write_array, false};
static const setting_form form_frame = {read_frame, write_frame, false};

/* ---- Rows ---- */

/* clang-format off */
static const setting compress_entries[] = {
    {.name = "rate", .type = SETTING_REAL, .offset = offsetof(scene_particles, compress_rate), .unit = "",
     .fallback = "0.01", .min = 0, .max = INFINITY, .above_min = true,
     .help = "growth rate of the diameters relative to the thermal speed; slower packs denser"},
    {.name = "from", .type = SETTING_REAL, .offset = offsetof(scene_particles, compress_from), .unit = "",
     .fallback = "0.2", .min = 0, .max = 1, .above_min = true,
     .help = "packing fraction at which the compression starts"},
};
static const settings_table table_compress = {
    TABLE_OF("compress", scene_particles, compress_entries, "growth of the particles from random positions (Lubachevsky-Stillinger)"),
    .wanted = "a map of rate and from"};

static const setting walk_entries[] = {
    {.name = "length", .type = SETTING_INTEGER, .offset = offsetof(scene_particles, walk_length), .unit = "",
     .min = 1, .max = INFINITY, .help = "particles in each walk"},
    {.name = "step", .type = SETTING_REAL, .offset = offsetof(scene_particles, walk_step), .unit = "length",
     .min = 0, .max = INFINITY, .above_min = true, .help = "distance of successive particles; they must not overlap"},
};
static const settings_table table_walk = {
    TABLE_OF("walk", scene_particles, walk_entries, "random walks without overlaps"),
    .wanted = "a map of length and step"};

static const char *const name_of_mesh[] = {"NAME", NULL};
#define REGION(text, type_of, field, words) \
    {.name = text, .type = type_of, .offset = offsetof(scene_region, field), .unit = "length", .help = words}
#define REGION_RADIUS \
    {.name = "radius", .type = SETTING_REAL, .offset = offsetof(scene_region, radius), .unit = "length", .min = 0, \
     .max = INFINITY, .above_min = true, .help = "of the region"}
static const setting region_box_entries[] = {
    REGION("from", SETTING_VECTOR, from, "lowest coordinates"), REGION("to", SETTING_VECTOR, to, "highest coordinates"),
};
static const settings_table table_region_box = {TABLE_OF("box", scene_region, region_box_entries, "a box along the axes")};
static const setting region_ball_entries[] = {REGION("centre", SETTING_VECTOR, from, "of the ball"), REGION_RADIUS};
static const settings_table table_region_ball = {TABLE_OF("ball", scene_region, region_ball_entries, "a ball, in 2 dimensions a disk")};
static const setting region_cylinder_entries[] = {
    REGION("from", SETTING_VECTOR, from, "one end of the axis"), REGION("to", SETTING_VECTOR, to, "the other end"),
    REGION_RADIUS,
};
static const settings_table table_region_cylinder = {
    TABLE_OF("cylinder", scene_region, region_cylinder_entries, "a cylinder with flat ends (3 dimensions)")};
/* By scene_region_kind - 1. */
static const setting region_entries[] = {
    {.name = "box", .type = SETTING_TABLE, .unit = "", .table = &table_region_box, .help = "a box along the axes"},
    {.name = "ball", .type = SETTING_TABLE, .unit = "", .table = &table_region_ball, .help = "a ball, in 2 dimensions a disk"},
    {.name = "cylinder", .type = SETTING_TABLE, .unit = "", .table = &table_region_cylinder,
     .help = "a cylinder with flat ends (3 dimensions)"},
};
const settings_table table_region = {
    TABLE_OF("region", scene_region, region_entries, "a part of the box: a map of one of these keys")};
const char *const region_shapes[] = {"{box: {from: [x, y, z], to: [x, y, z]}}", "{ball: {centre: [x, y, z], radius: R}}",
                                            "{cylinder: {from: [x, y, z], to: [x, y, z], radius: R}}", NULL};
static const setting random_entries[] = {
    {.name = "inside", .type = SETTING_SHAPE, .offset = offsetof(scene_particles, inside), .unit = "", .fallback = "", .choices = name_of_mesh,
     .form = &form_mesh, .written = has_inside,
     .help = "a closed mesh that encloses the particles; left out: anywhere outside closed rigid meshes"},
    {.name = "outside", .type = SETTING_SHAPE, .offset = offsetof(scene_particles, outside), .unit = "", .fallback = "", .choices = name_of_mesh,
     .form = &form_mesh, .written = has_outside,
     .help = "a closed mesh whose inside stays empty; the inside of rigid meshes does in any case"},
    {.name = "region", .type = SETTING_SHAPE, .offset = offsetof(scene_particles, region), .unit = "", .fallback = "",
     .choices = region_shapes, .table = &table_region, .form = &form_region, .written = has_region,
     .help = "a part of the box that contains the particles, including their surfaces; left out: the whole box"},
};
static const settings_table table_random = {
    TABLE_OF("random", scene_particles, random_entries, "random positions without overlaps (random sequential addition)"),
    .wanted = "a map of inside, outside and region", .finish = finish_random};

static const setting inflow_entries[] = {
    {.name = "region", .type = SETTING_SHAPE, .offset = offsetof(scene_particles, region), .unit = "",
     .choices = region_shapes, .table = &table_region, .form = &form_region,
     .help = "particles enter at random places in it, each where it touches no other body; while there is no such place, "
             "the inflow pauses"},
    {.name = "rate", .type = SETTING_REAL, .offset = offsetof(scene_particles, inflow_rate), .unit = "1 / time", .min = 0,
     .max = INFINITY, .above_min = true, .help = "particles per time, one after the other; fewer if the region is occupied"},
    {.name = "start", .type = SETTING_REAL, .offset = offsetof(scene_particles, inflow_start), .unit = "time", .fallback = "0",
     .min = 0, .max = INFINITY, .help = "time at which the first particle enters"},
    {.name = "end", .type = SETTING_REAL, .offset = offsetof(scene_particles, inflow_end), .unit = "time", .fallback = "",
     .min = 0, .max = INFINITY, .above_min = true, .written = has_end,
     .help = "no particle enters after this time; left out: until all `count` particles have entered"},
};
static const settings_table table_inflow = {
    TABLE_OF("inflow", scene_particles, inflow_entries, "particles that enter during the run"),
    .wanted = "a map of region, rate, start and end", .begin = begin_inflow, .finish = finish_inflow};

static const char *const frame_numbers[] = {"N", NULL};
static const setting place_entries[] = {
    {.name = "file", .type = SETTING_TEXT, .unit = "", .fallback = "", .form = &form_file,
     .help = "positions from a file: extended XYZ, or H5MD as carom writes it; vertices of meshes are left out"},
    {.name = "frame", .type = SETTING_SHAPE, .unit = "", .fallback = "-1", .choices = frame_numbers,
     .form = &form_frame, .written = is_other_frame,
     .help = "with `file`: index of the frame, from 0, or backwards from -1, the last"},
    {.name = "array", .type = SETTING_TEXT, .unit = "", .fallback = "", .form = &form_array,
     .help = "positions that a program gives under this name (C: carom_scene_set_points; Python: numpy arrays)"},
    {.name = "random", .type = SETTING_TABLE, .unit = "", .table = &table_random,
     .help = "random positions without overlaps (random sequential addition)"},
    {.name = "compress", .type = SETTING_TABLE, .unit = "", .table = &table_compress,
     .help = "growth of the particles from random positions (Lubachevsky-Stillinger)"},
    {.name = "walk", .type = SETTING_TABLE, .unit = "", .table = &table_walk,
     .help = "random walks without overlaps: chains for bonds"},
    {.name = "inflow", .type = SETTING_TABLE, .unit = "", .table = &table_inflow,
     .help = "particles that enter during the run, through a region (`hard`, `variational`)"},
};
/* Its first two rows form one map, the others are separate forms. */
static const settings_table table_place_file = {
    .name = "place", .help = "positions from a file", .size = sizeof(scene_particles), .entries = place_entries, .count = 2};
static const settings_table table_place_array = {
    .name = "place", .help = "positions from an array", .size = sizeof(scene_particles), .entries = place_entries + 2, .count = 1};
const settings_table table_place = {TABLE_OF("place", scene_particles, place_entries, "the initial positions")};
/* clang-format on */

/* ---- The forms of `place` ---- */

static const char *const place_words[] = {"fcc", "bcc", "sc", "square", "hexagonal", "random", "compress", NULL};
static const char *const map_words[] = {"compress", "file", "at", "walk", "random", "array", "inflow", NULL};
enum { MAP_COMPRESS, MAP_FILE, MAP_AT, MAP_WALK, MAP_RANDOM, MAP_ARRAY, MAP_INFLOW }; /* by map_words */

void place_begin(reader *r, scene_particles *p)
{
    p->inside = p->outside = SIZE_MAX;
    settings_defaults(r, &table_compress, p);
    settings_defaults(r, &table_place_file, p);
}

static void read_at(reader *r, const node *n, const node *count, scene_particles *p)
{
    size_t listed;
    p->at = value_vectors(r, n, &listed);
    if (p->at == NULL) return;
    if (count != NULL && p->count != listed)
        fault_add(r->f, count, "'count' is %llu, but 'at' lists %zu" HINT "leave it out", (unsigned long long)p->count,
                  listed);
    p->count = listed;
}

static void read_map(reader *r, const node *n, const node *count, scene_particles *p)
{
    if (tree_get(r->t, n, "file") != NULL) {
        p->place = PLACE_FILE;
        settings_read_map(r, &table_place_file, n, p);
        return;
    }
    const node *form = value_only_key(r, n, "place");
    if (form == NULL) return;
    switch (value_choice(r, tree_key(r->t, form), "place", map_words)) {
    case MAP_COMPRESS:
        p->place = PLACE_COMPRESS;
        settings_read_map(r, &table_compress, form, p);
        break;
    case MAP_AT:
        p->place = PLACE_AT;
        read_at(r, form, count, p);
        break;
    case MAP_WALK:
        p->place = PLACE_WALK;
        settings_read_map(r, &table_walk, form, p);
        break;
    case MAP_RANDOM:
        p->place = PLACE_RANDOM;
        settings_read_map(r, &table_random, form, p);
        break;
    case MAP_ARRAY:
        p->place = PLACE_FILE;
        settings_read_map(r, &table_place_array, n, p);
        break;
    case MAP_INFLOW:
        p->place = PLACE_INFLOW;
        read_needs(r, tree_key(r->t, form), ENGINE_FLOWS, "inflow");
        settings_read_map(r, &table_inflow, form, p);
        break;
    default:
        break;
    }
}

static void check_lattice(reader *r, const node *n, scene_place place)
{
    int wanted = place <= PLACE_SC ? 3 : place <= PLACE_HEXAGONAL ? 2 : r->s->dimension;
    if (wanted == r->s->dimension) return;
    fault_add(r->f, n, "'%s' is a lattice in %d dimensions" HINT "in %d use %s", place_words[place], wanted,
              r->s->dimension, wanted == 3 ? "square or hexagonal" : "fcc, bcc or sc");
}

/* A word that is equivalent to a map without keys. */
static bool is_map_word(const node *n)
{
    return node_is(n, "file") || node_is(n, "at") || node_is(n, "walk") || node_is(n, "array") || node_is(n, "inflow");
}

static void read_place(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    p->place = PLACE_FILE; /* while the number is not known */
    if (n->kind == NODE_MAP) {
        read_map(r, n, tree_get(r->t, r->map, "count"), p);
        return;
    }
    if (n->kind != NODE_SCALAR || n->length == 0 || is_map_word(n)) {
        value_refuse(r, n,
                     "fcc, bcc, sc, square, hexagonal, random, compress, {random: {region: ...}}, {compress: {rate: R, "
                     "from: PHI}}, {walk: {length: N, step: S}}, {inflow: {region: ..., rate: R}}, {file: PATH} or "
                     "{at: [[x, y, ...], "
                     "...]}");
        return;
    }
    int word = value_choice(r, n, "place", place_words);
    if (word < 0) return;
    p->place = (scene_place)word;
    check_lattice(r, n, p->place);
}

static void write_named_map(writer *w, const settings_table *table, const scene_particles *p)
{
    text_add(w->out, "{%s: ", table->name);
    write_map(w, table, p);
    text_add(w->out, "}");
}

static void write_place(writer *w, const void *from)
{
    const scene_particles *p = from;
    switch (p->place) {
    case PLACE_COMPRESS:
        write_named_map(w, &table_compress, p);
        break;
    case PLACE_WALK:
        write_named_map(w, &table_walk, p);
        break;
    case PLACE_FILE:
        write_map(w, p->file != NULL ? &table_place_file : &table_place_array, p);
        break;
    case PLACE_AT:
        text_add(w->out, "{at: ");
        write_vectors(w, p->at, p->count, w->s->dimension);
        text_add(w->out, "}");
        break;
    case PLACE_INFLOW:
        write_named_map(w, &table_inflow, p);
        break;
    case PLACE_RANDOM:
        if (has_inside(w->s, p) || has_outside(w->s, p) || has_region(w->s, p))
            write_named_map(w, &table_random, p);
        else
            text_add(w->out, "random");
        break;
    default:
        text_add(w->out, "%s", place_words[p->place]);
    }
}

const setting_form form_place = {read_place, write_place, false};
