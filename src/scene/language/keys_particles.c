/* The key `particles`. */
#include <string.h>

#include "base/number.h"
#include "geometry/shape.h"
#include "scene/language/places.h"
#include "scene/language/reader.h"

/* ---- species ---- */

static void read_share(reader *r, const node *name, const node *ratio, scene_share *share)
{
    share->ratio = 1;
    share->species = read_species_name(r, name);
    if (ratio == NULL || !value_number(r, ratio, &share->ratio)) return;
    if (!(share->ratio > 0))
        fault_add(r->f, ratio, "a number ratio must be greater than 0, not %s", value_quote(r, ratio));
}

static void read_shares(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    if (n->kind == NODE_LIST || n->length == 0) {
        value_refuse(r, n, n->kind == NODE_MAP ? "number ratios" : "the name of a species");
        return;
    }
    p->shares = read_new(r, n->kind == NODE_MAP ? n->length : 1, sizeof *p->shares);
    if (p->shares == NULL) return;
    if (n->kind == NODE_SCALAR) read_share(r, n, NULL, &p->shares[p->share_count++]);
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_share(r, tree_key(r->t, item), item, &p->shares[p->share_count++]);
}

static void write_shares(writer *w, const void *from)
{
    const scene_particles *p = from;
    if (p->share_count == 1) {
        text_add(w->out, "%s", w->s->species[p->shares[0].species].name);
        return;
    }
    for (size_t i = 0; i < p->share_count; i++) {
        text_add(w->out, "%s%s", i > 0 ? ", " : "{", w->s->species[p->shares[i].species].name);
        write_key_number(w, ": ", p->shares[i].ratio);
    }
    text_add(w->out, "}");
}

static const setting_form form_shares = {read_shares, write_shares, false};

/* ---- clump ---- */

WRITTEN_IF(is_single, scene_particles, one->clump == SIZE_MAX)

WRITTEN_IF(is_clump, scene_particles, one->clump != SIZE_MAX)

/* The particles of a clump have its species. */
static void read_clump(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    form_clump.read(r, n, into);
    p->shares = read_new(r, 1, sizeof *p->shares);
    if (p->shares == NULL) return;
    p->shares[0] = (scene_share){p->clump < r->s->clump_count ? r->s->clumps[p->clump].species : UINT32_MAX, 1};
    p->share_count = 1;
}

static void write_clump(writer *w, const void *from)
{
    form_clump.write(w, from);
}

static const setting_form form_template = {read_clump, write_clump, false};

/* ---- count ---- */

/* With a list of positions the count is known, with a file possibly unknown. */
WRITTEN_IF(has_count, scene_particles, one->place != PLACE_AT && (one->place != PLACE_FILE || one->count > 0))

/* ---- velocity ---- */

static void read_each(reader *r, const node *n, scene_particles *p)
{
    const node *first = tree_first(r->t, n);
    p->velocity = VELOCITY_EACH;
    if (first != NULL && first->kind == NODE_SCALAR) {
        p->each = read_new(r, 1, sizeof *p->each);
        if (p->each != NULL && value_vector(r, n, p->each[0])) p->each_count = 1;
        return;
    }
    p->each = value_vectors(r, n, &p->each_count);
    if (p->each == NULL || p->each_count == 1 || p->count == 0 || p->each_count == p->count) return;
    fault_add(r->f, n, "'each' lists %zu velocities for %llu particles" HINT "give one for all or one for each",
              p->each_count, (unsigned long long)p->count);
}

static void read_speed(reader *r, const node *n, const char *what, double *out)
{
    if (value_number(r, n, out) && *out < 0)
        fault_add(r->f, n, "'%s' must be at least 0, not %s", what, value_quote(r, n));
}

/* One for each species of the entry. */
static void read_temperatures(reader *r, const node *n, scene_particles *p)
{
    bool *given = read_new(r, p->share_count + 1, sizeof *given);
    p->temperatures = read_new(r, p->share_count, sizeof *p->temperatures);
    if (p->temperatures == NULL || given == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        const uint32_t species = read_species_name(r, tree_key(r->t, item));
        size_t k = 0;
        while (k < p->share_count && p->shares[k].species != species) k++;
        if (species == UINT32_MAX) continue;
        if (k == p->share_count) {
            fault_add(r->f, tree_key(r->t, item), "this entry has no particles of species '%s'",
                      value_quote(r, tree_key(r->t, item)));
            continue;
        }
        given[k] = true;
        read_speed(r, item, "maxwell", &p->temperatures[k]);
    }
    for (size_t k = 0; k < p->share_count; k++) {
        const uint32_t species = p->shares[k].species;
        if (!given[k] && species != UINT32_MAX && r->s->species[species].name != NULL)
            fault_add(r->f, n, "no temperature for species '%s' of this entry", r->s->species[species].name);
    }
}

static void read_velocity_map(reader *r, const node *n, scene_particles *p)
{
    static const char *const kinds[] = {"maxwell", "uniform", "circle", "each", NULL};
    const node *form = value_only_key(r, n, "velocity");
    double range[2];
    if (form == NULL) return;
    switch (value_choice(r, tree_key(r->t, form), "velocity", kinds)) {
    case 0:
        p->velocity = VELOCITY_MAXWELL;
        if (form->kind == NODE_MAP)
            read_temperatures(r, form, p);
        else
            read_speed(r, form, "maxwell", &p->a);
        break;
    case 1:
        p->velocity = VELOCITY_UNIFORM;
        if (!value_numbers(r, form, 2, range)) break;
        if (range[0] > range[1]) fault_add(r->f, form, "'uniform' must be [a, b] with a not above b");
        p->a = range[0];
        p->b = range[1];
        break;
    case 2:
        p->velocity = VELOCITY_CIRCLE;
        read_speed(r, form, "circle", &p->a);
        break;
    case 3:
        read_each(r, form, p);
        break;
    default:
        break;
    }
}

/* The words for data from the file or array that gives the positions. */
static bool is_given(reader *r, const node *n, const char *key, const scene_particles *p)
{
    const bool file = node_is(n, "file"), array = node_is(n, "array");
    if (!file && !array) return false;
    if (file && (p->place != PLACE_FILE || p->array_name != NULL))
        fault_add(r->f, n, "'%s: file' needs 'place: {file: PATH}'", key);
    if (array && (p->place != PLACE_FILE || p->file != NULL))
        fault_add(r->f, n, "'%s: array' needs 'place: {array: NAME}'", key);
    return true;
}

static const char *given_word(const scene_particles *p)
{
    return p->array_name != NULL ? "array" : "file";
}

static bool is_zero(const node *n)
{
    double value;
    if (n->kind != NODE_SCALAR) return false;
    return node_is(n, "zero") || (n->plain && number_read(n->text, n->length, &value, NULL) == NUMBER_OK && value == 0);
}

static void read_velocity(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    if (n->kind == NODE_MAP) {
        read_velocity_map(r, n, p);
    } else if (is_zero(n)) {
        p->velocity = VELOCITY_ZERO;
    } else if (is_given(r, n, "velocity", p)) {
        p->velocity = VELOCITY_FILE;
    } else {
        value_refuse(r, n, "zero, file, {maxwell: T}, {uniform: [a, b]}, {circle: speed} or {each: [...]}");
    }
}

static void write_velocity(writer *w, const void *from)
{
    const scene_particles *p = from;
    switch (p->velocity) {
    case VELOCITY_ZERO:
        text_add(w->out, "zero");
        return;
    case VELOCITY_FILE:
        text_add(w->out, "%s", given_word(p));
        return;
    case VELOCITY_MAXWELL:
        if (p->temperatures == NULL) {
            write_key_number(w, "{maxwell: ", p->a);
            break;
        }
        for (size_t k = 0; k < p->share_count; k++) {
            text_add(w->out, "%s%s", k == 0 ? "{maxwell: {" : ", ", w->s->species[p->shares[k].species].name);
            write_key_number(w, ": ", p->temperatures[k]);
        }
        text_add(w->out, "}");
        break;
    case VELOCITY_UNIFORM:
        text_add(w->out, "{uniform: ");
        write_numbers(w, (const double[]){p->a, p->b}, 2);
        break;
    case VELOCITY_CIRCLE:
        write_key_number(w, "{circle: ", p->a);
        break;
    case VELOCITY_EACH:
        text_add(w->out, "{each: ");
        if (p->each_count == 1)
            write_vector(w, p->each[0]);
        else
            write_vectors(w, p->each, p->each_count, w->s->dimension);
        break;
    }
    text_add(w->out, "}");
}

const setting_form form_velocity = {read_velocity, write_velocity, false};

/* ---- angular_velocity ---- */

static bool read_spin(reader *r, const node *n, double out[3])
{
    return r->s->dimension == 3 ? value_vector(r, n, out) : value_number(r, n, &out[2]);
}

/* One vector for all: a number in 2D, a list of numbers in 3D. */
static bool is_one(reader *r, const node *n)
{
    const node *first = n->kind == NODE_LIST ? tree_first(r->t, n) : NULL;
    if (r->s->dimension == 2) return n->kind != NODE_LIST;
    return first == NULL || first->kind == NODE_SCALAR;
}

static void read_each_spin(reader *r, const node *n, scene_particles *p)
{
    const bool one = is_one(r, n);
    p->spin = SPIN_EACH;
    if (!one && n->length == 0) {
        value_refuse_empty(r, n);
        return;
    }
    p->spins = read_new(r, one ? 1 : n->length, sizeof *p->spins);
    if (p->spins == NULL) return;
    if (one) {
        p->spin_count = read_spin(r, n, p->spins[0]);
        return;
    }
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        if (!read_spin(r, item, p->spins[p->spin_count++])) return;
    if (p->spin_count > 1 && p->count > 0 && p->spin_count != p->count)
        fault_add(r->f, n,
                  "'each' lists %zu angular velocities for %llu particles" HINT "give one for all or one for each",
                  p->spin_count, (unsigned long long)p->count);
}

static void read_spins(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    static const char *const kinds[] = {"maxwell", "each", NULL};
    if (is_zero(n)) return;
    if (is_given(r, n, "angular_velocity", p)) {
        r->s->rough = read_needs_rough(r, tree_key(r->t, n));
        p->spin = SPIN_FILE;
        return;
    }
    if (n->kind != NODE_MAP) {
        value_refuse(r, n, "zero, file, {maxwell: T} or {each: ...}");
        return;
    }
    r->s->rough = read_needs_rough(r, tree_key(r->t, n));
    const node *form = value_only_key(r, n, "angular_velocity");
    if (form == NULL) return;
    int kind = value_choice(r, tree_key(r->t, form), "angular_velocity", kinds);
    if (kind == 1) read_each_spin(r, form, p);
    if (kind != 0) return;
    p->spin = SPIN_MAXWELL;
    if (value_number(r, form, &p->spin_temperature) && p->spin_temperature < 0)
        fault_add(r->f, form, "'maxwell' must be at least 0, not %s", value_quote(r, form));
}

static void write_spin(writer *w, const double spin[3])
{
    if (w->s->dimension == 3)
        write_numbers(w, spin, 3);
    else
        write_number(w, spin[2]);
}

static void write_spins(writer *w, const void *from)
{
    const scene_particles *p = from;
    if (p->spin == SPIN_FILE || p->spin == SPIN_ZERO) {
        text_add(w->out, "%s", p->spin == SPIN_FILE ? given_word(p) : "zero");
    } else if (p->spin == SPIN_MAXWELL) {
        write_key_number(w, "{maxwell: ", p->spin_temperature);
        text_add(w->out, "}");
    } else {
        text_add(w->out, p->spin_count == 1 ? "{each: " : "{each: [");
        for (size_t i = 0; i < p->spin_count; i++) {
            if (i > 0) text_add(w->out, ",\n      ");
            write_spin(w, p->spins[i]);
        }
        text_add(w->out, p->spin_count == 1 ? "}" : "]}");
    }
}

/* Not if particles do not rotate, or if the spins are from the same file as the velocities. */
static bool has_spins(const scene *s, const void *from)
{
    const scene_particles *p = from;
    (void)s;
    if (p->spin == SPIN_FILE || (p->spin == SPIN_ZERO && p->velocity == VELOCITY_FILE)) return p->spin_given;
    return p->spin != SPIN_ZERO;
}

static const setting_form form_spins = {read_spins, write_spins, false};

/* ---- orientation ---- */

static bool is_direction(reader *r, const node *n, const double v[3])
{
    double square = 0;
    for (int k = 0; k < r->s->dimension; k++) square += v[k] * v[k];
    if (square > 1e-200 && square < 1e200) return true;
    fault_add(r->f, n, "a direction must not be of length zero (or beyond 1e100)");
    return false;
}

static void read_orientation(reader *r, const node *n, void *into)
{
    scene_particles *p = into;
    static const char *const kinds[] = {"along", "each", NULL};
    if (p->clump != SIZE_MAX) {
        p->orientation = node_is(n, "fixed") ? ORIENTATION_FIXED : ORIENTATION_RANDOM;
        if (!node_is(n, "fixed") && !node_is(n, "random")) value_refuse(r, n, "random or fixed, for clumps");
        return;
    }
    if (node_is(n, "fixed")) {
        fault_add(r->f, n, "'orientation: fixed' is for clumps" HINT "give {along: [...]} for other shapes");
        return;
    }
    if (n->key != 0) read_needs(r, tree_key(r->t, n), ENGINE_SHAPES, scene_particle_shape(r->s)->plural);
    if (node_is(n, "random")) return;
    if (is_given(r, n, "orientation", p)) {
        p->orientation = ORIENTATION_FILE;
        return;
    }
    if (n->kind != NODE_MAP) {
        value_refuse(r, n, "random, file, {along: [...]} or {each: [[...], ...]}");
        return;
    }
    const node *form = value_only_key(r, n, "orientation");
    if (form == NULL) return;
    const int kind = value_choice(r, tree_key(r->t, form), "orientation", kinds);
    if (kind == 0) {
        p->axes = read_new(r, 1, sizeof *p->axes);
        if (p->axes == NULL || !value_vector(r, form, p->axes[0]) || !is_direction(r, form, p->axes[0])) return;
        p->orientation = ORIENTATION_ALONG;
        p->axes_count = 1;
    } else if (kind == 1) {
        size_t count = 0;
        p->axes = value_vectors(r, form, &count);
        if (p->axes == NULL) return;
        p->orientation = ORIENTATION_EACH;
        p->axes_count = count;
        for (size_t k = 0; k < count; k++)
            if (!is_direction(r, form, p->axes[k])) return;
        if (p->count > 0 && count != p->count)
            fault_add(r->f, form, "'each' lists %zu directions for %llu particles" HINT "give one for each", count,
                      (unsigned long long)p->count);
    }
}

static void write_orientation(writer *w, const void *from)
{
    const scene_particles *p = from;
    const bool along = p->orientation == ORIENTATION_ALONG;
    if (p->orientation == ORIENTATION_FIXED) {
        text_add(w->out, "fixed");
        return;
    }
    if (p->orientation == ORIENTATION_FILE || p->orientation == ORIENTATION_RANDOM) {
        text_add(w->out, "%s", p->orientation == ORIENTATION_FILE ? given_word(p) : "random");
        return;
    }
    text_add(w->out, along ? "{along: " : "{each: [");
    for (size_t i = 0; i < p->axes_count; i++) {
        if (i > 0) text_add(w->out, ",\n      ");
        write_vector(w, p->axes[i]);
    }
    text_add(w->out, along ? "}" : "]}");
}

/* Not if orientations are random, or from the same file as the positions. */
static bool has_orientation(const scene *s, const void *from)
{
    const scene_particles *p = from;
    (void)s;
    if (p->orientation == ORIENTATION_FILE || (p->orientation == ORIENTATION_RANDOM && p->place == PLACE_FILE))
        return p->orientation_given;
    return p->orientation != ORIENTATION_RANDOM;
}

static const setting_form form_orientation = {read_orientation, write_orientation, false};

/* ---- An entry as a whole ---- */

static void begin_entry(reader *r, void *filled)
{
    place_begin(r, filled);
    ((scene_particles *)filled)->clump = SIZE_MAX;
}

/* Clumps are placed by their centres of mass, one after the other. */
static void check_clumps(reader *r, const node *map, const scene_particles *p)
{
    const node *place = tree_get(r->t, map, "place"), *velocity = tree_get(r->t, map, "velocity");
    const bool unfit = p->place == PLACE_COMPRESS || p->place == PLACE_WALK;
    if (place != NULL && unfit)
        fault_add(r->f, place,
                  "clumps are placed at random, on a lattice or at listed places, from a file, or enter" HINT
                  "give random, {random: {region: ...}}, a lattice, {at: [...]}, {file: ...} or {inflow: ...}");
    if (p->place == PLACE_FILE && p->orientation_given)
        fault_add(r->f, tree_get(r->t, map, "orientation"),
                  "the spheres of a file determine the orientations of its clumps" HINT "leave 'orientation' out");
    if (p->temperatures != NULL)
        fault_add(r->f, velocity, "the clumps of an entry have one temperature: give a number");
    const size_t size = p->clump < r->s->clump_count ? r->s->clumps[p->clump].sphere_count : 1;
    if (size > 0 && p->count > UINT32_MAX / size)
        fault_add(r->f, map, "more than %lu particles in all", (unsigned long)UINT32_MAX - 1);
}

static void finish_entry(reader *r, const node *map, void *filled)
{
    scene_particles *p = filled;
    p->spin_given = tree_get(r->t, map, "angular_velocity") != NULL;
    p->orientation_given = tree_get(r->t, map, "orientation") != NULL;
    if (!p->spin_given && p->velocity == VELOCITY_FILE) p->spin = SPIN_FILE;
    if (!p->orientation_given && p->place == PLACE_FILE) p->orientation = ORIENTATION_FILE;
    if (tree_get(r->t, map, "count") == NULL && p->place != PLACE_AT && p->place != PLACE_FILE)
        settings_missing(r, map, "", settings_find(&table_particles, "count"));
    if (tree_get(r->t, map, "species") == NULL && tree_get(r->t, map, "clump") == NULL)
        settings_missing(r, map, "", settings_find(&table_particles, "species"));
    if (p->clump != SIZE_MAX) check_clumps(r, map, p);
}

/* Vertices of meshes are particles with subsequent numbers; their number is known later. */
static void count_particles(reader *r, const node *n)
{
    for (size_t i = 0; i < r->s->particles_count; i++) {
        const scene_particles *p = &r->s->particles[i];
        bool unknown = p->place == PLACE_FILE && p->count == 0;
        const uint64_t count = p->count > UINT32_MAX ? p->count : p->count * scene_item_size(r->s, i);
        r->particles = unknown || count > UINT64_MAX - r->particles ? UINT64_MAX : r->particles + count;
    }
    if (r->s->mesh_count > 0)
        r->particles = UINT64_MAX;
    else if (n == NULL)
        settings_missing(r, r->root, "", settings_find(&table_scene, "particles"));
}

const setting_list list_particles = {.wanted = "a list of groups of particles",
                                     .count = offsetof(scene, particles_count),
                                     .most = UINT32_MAX,
                                     .finish = count_particles};

/* clang-format off */
static const char *const clump_names[] = {"NAME", NULL};
static const char *const member_shapes[] = {"NAME", "{NAME: ratio, NAME: ratio, ...}", NULL};
static const char *const place_shapes[] = {"fcc, bcc, sc (3 dimensions)", "square, hexagonal (2 dimensions)",
                                           "random", "{random: {inside: MESH, outside: MESH, region: {...}}}", "compress", "{compress: {rate: 0.01, from: 0.2}}", "{walk: {length: 8, step: 1.05}}", "{inflow: {region: {...}, rate: R}}",
                                           "{file: PATH, frame: -1}", "{array: NAME}", "{at: [[x, y, z], ...]}", NULL};
static const char *const velocity_shapes[] = {"zero", "{maxwell: temperature}", "{maxwell: {SPECIES: temperature, ...}}", "{uniform: [a, b]}",
                                              "{circle: speed}", "file", "array", "{each: [vx, vy, vz]}",
                                              "{each: [[vx, vy, vz], ...]}", NULL};
static const char *const turning_shapes[] = {"zero", "{maxwell: temperature}", "file", "array", "{each: w}", "{each: [w, ...]}",
                                             "{each: [wx, wy, wz]}", "{each: [[wx, wy, wz], ...]}", NULL};
static const char *const orientation_shapes[] = {"random", "fixed", "file", "array", "{along: [x, y, z]}", "{each: [[x, y, z], ...]}", NULL};
static const setting particles_entries[] = {
    {.name = "species", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = member_shapes, .form = &form_shares,
     .written = is_single, .help = "one species, or several in number ratios"},
    {.name = "clump", .type = SETTING_SHAPE, .offset = offsetof(scene_particles, clump), .unit = "", .fallback = "", .choices = clump_names,
     .form = &form_template, .instead_of = "species", .written = is_clump,
     .help = "instead of species: the name of a template under `clumps`. Each item of the entry then is a rigid body; all keys refer to "
             "these bodies and their centres of mass"},
    {.name = "count", .type = SETTING_INTEGER, .offset = offsetof(scene_particles, count), .unit = "", .fallback = "",
     .written = has_count,
     .help = "number of particles; required unless a file or a list gives the positions"},
    {.name = "place", .type = SETTING_SHAPE, .unit = "length", .choices = place_shapes,
     .table = &table_place, .form = &form_place,
     .help = "a lattice that fills the box, random positions, a compression, positions from a file (extended XYZ or H5MD; "
             "the path is relative to the folder of the scene), or a list"},
    {.name = "velocity", .type = SETTING_SHAPE, .unit = "speed", .fallback = "zero", .choices = velocity_shapes, .form = &form_velocity,
     .help = "at rest; Maxwell's distribution; each component uniform in [a, b]; one speed in random directions; from the "
             "file or array of `place`; one vector for all or a list"},
    {.name = "zero_momentum", .type = SETTING_BOOL, .offset = offsetof(scene_particles, zero_momentum), .unit = "",
     .fallback = "false", .help = "subtract the centre-of-mass velocity of the particles of this entry"},
    {.name = "angular_velocity", .type = SETTING_SHAPE, .unit = "1 / time", .fallback = "zero",
     .choices = turning_shapes, .form = &form_spins, .written = has_spins,
     .help = "zero; Maxwell's distribution; from the file or array of `place` (default with `velocity: file` or `array` if the file contains "
             "them); one for all or a list, numbers in 2 dimensions (`hard`; `variational` with `rotation`, and clumps)"},
    {.name = "orientation", .type = SETTING_SHAPE, .unit = "", .fallback = "random", .choices = orientation_shapes,
     .form = &form_orientation, .written = has_orientation,
     .help = "of the axes of ellipsoids: random; from the file or array of `place` (default if it contains them); one for "
             "all; a list (`hard`). Of clumps: uniform random rotations, or fixed, as in the template; those of a file follow from its spheres"},
};
const settings_table table_particles = {TABLE_OF("particles", scene_particles, particles_entries, "a group of particles"), .lines = true,
                                        .wanted = "a map with 'species', 'count' and 'place'", .begin = begin_entry, .finish = finish_entry};
