/* The scene as it runs, every default written out: canonical, so that two texts are equal where the scenes are. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "mesh/repair.h"
#include "scene/language/reader.h"

static bool is_plain_word(const char *word)
{
    char c = word[0];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')) return false;
    for (; (c = *word) != '\0'; word++)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_-./", c) != NULL))
            return false;
    return true;
}

static void write_text(text_buffer *out, const char *value)
{
    if (is_plain_word(value)) {
        text_add(out, "%s", value);
        return;
    }
    text_add(out, "\"");
    for (; *value != '\0'; value++) {
        if (*value == '\n')
            text_add(out, "\\n");
        else if (*value == '\t')
            text_add(out, "\\t");
        else
            text_add(out, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
    }
    text_add(out, "\"");
}

static void write_numbers(text_buffer *out, const double *values, size_t count)
{
    text_add_bytes(out, "[", 1);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) text_add_bytes(out, ", ", 2);
        text_add_number(out, values[i]);
    }
    text_add_bytes(out, "]", 1);
}

static void write_vectors(text_buffer *out, double (*vectors)[3], size_t count, int dimension)
{
    text_add(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) text_add_bytes(out, ",\n      ", 8);
        write_numbers(out, vectors[i], (size_t)dimension);
    }
    text_add(out, "]");
}

/* ---- By the tables ---- */

static double real_at(const void *field)
{
    return *(const double *)field;
}

/* Left out in the scene: the table has no default and the field is still zero. */
static bool is_absent(const setting *s, const void *field, int dimension)
{
    static const double zero[3];
    if (s->fallback == NULL || s->fallback[0] != '\0') return false;
    switch (s->type) {
    case SETTING_INTEGER:
        return *(const uint64_t *)field == 0;
    case SETTING_REAL:
        return real_at(field) == 0;
    case SETTING_TEXT:
        return *(char *const *)field == NULL || (*(char *const *)field)[0] == '\0';
    case SETTING_VECTOR:
        return memcmp(field, zero, (size_t)dimension * sizeof(double)) == 0;
    default:
        return false;
    }
}

static void write_value(text_buffer *out, const setting *s, const void *field, int dimension)
{
    switch (s->type) {
    case SETTING_BOOL:
        text_add(out, "%s", *(const bool *)field ? "true" : "false");
        break;
    case SETTING_INTEGER:
        text_add(out, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case SETTING_REAL:
        text_add_number(out, real_at(field));
        break;
    case SETTING_TEXT:
        write_text(out, *(char *const *)field);
        break;
    case SETTING_CHOICE:
        write_text(out, s->choices[*(const int *)field]);
        break;
    default:
        write_numbers(out, field, (size_t)dimension);
    }
}

/* One line a setting, below a key; "" for an empty table is the caller's business. The number of lines. */
static size_t write_settings(text_buffer *out, const settings_table *table, const void *from, int indent, int dimension)
{
    size_t lines = 0;
    for (size_t i = 0; i < table->count; i++) {
        const setting *s = &table->entries[i];
        const void *field = (const char *)from + s->offset;
        if (s->type > SETTING_TABLE || (s->type != SETTING_TABLE && is_absent(s, field, dimension))) continue;
        lines++;
        text_add(out, "\n%*s%s:", indent, "", s->name);
        if (s->type == SETTING_TABLE) {
            if (write_settings(out, s->table, field, indent + 2, dimension) == 0) text_add(out, " {}");
            continue;
        }
        text_add(out, " ");
        write_value(out, s, field, dimension);
    }
    return lines;
}

/* ---- By hand ---- */

static void write_box(text_buffer *out, const scene *s)
{
    const scene_box *box = &s->box;
    size_t dimension = (size_t)s->dimension;
    text_add(out, "box:\n");
    if (box->packing_fraction > 0) {
        text_add(out, "  packing_fraction: ");
        text_add_number(out, box->packing_fraction);
        text_add(out, "\n  aspect: ");
        write_numbers(out, box->aspect, dimension);
    } else {
        text_add(out, "  size: ");
        write_numbers(out, box->size, dimension);
    }
    text_add(out, "\n  boundary: [");
    for (size_t i = 0; i < dimension; i++) text_add(out, "%s%s", i > 0 ? ", " : "", boundary_words[box->boundary[i]]);
    text_add(out, "]\n");
}

static void write_key_number(text_buffer *out, const char *key, double value)
{
    text_add(out, "%s", key);
    text_add_number(out, value);
}

static void write_size(text_buffer *out, const scene_size *size)
{
    static const char *const laws[] = {"", "uniform", "normal", "lognormal"};
    if (size->law == SIZE_CONSTANT) {
        text_add_number(out, size->a);
        return;
    }
    text_add(out, "{%s: ", laws[size->law]);
    write_numbers(out, (const double[]){size->a, size->b}, 2);
    if (size->law != SIZE_UNIFORM && size->min > 0) write_key_number(out, ", min: ", size->min);
    if (size->law != SIZE_UNIFORM && isfinite(size->max)) write_key_number(out, ", max: ", size->max);
    text_add(out, "}");
}

static void write_species(text_buffer *out, const scene *s)
{
    text_add(out, "species:\n");
    for (size_t i = 0; i < s->species_count; i++) {
        const scene_species *one = &s->species[i];
        text_add(out, one->semi_axes[0] > 0 ? "  %s: {semi_axes: " : "  %s: {diameter: ", one->name);
        if (one->semi_axes[0] > 0)
            write_numbers(out, (const double[]){one->semi_axes[0], one->semi_axes[1], one->semi_axes[1]},
                          (size_t)s->dimension);
        else
            write_size(out, &one->diameter);
        write_key_number(out,
                         one->density > 0 ? ", density: " : ", mass: ", one->density > 0 ? one->density : one->mass);
        if (one->inertia > 0) write_key_number(out, ", inertia: ", one->inertia);
        text_add(out, "}\n");
    }
}

static void write_shares(text_buffer *out, const scene *s, const scene_particles *p)
{
    if (p->share_count == 1) {
        text_add(out, "%s", s->species[p->shares[0].species].name);
        return;
    }
    for (size_t i = 0; i < p->share_count; i++) {
        text_add(out, "%s%s: ", i > 0 ? ", " : "{", s->species[p->shares[i].species].name);
        text_add_number(out, p->shares[i].ratio);
    }
    text_add(out, "}");
}

/* The path as it counts from the scene's folder. */
static const char *relative_path(const char *path, const char *folder)
{
    size_t length = folder != NULL ? strlen(folder) : 0;
    if (length == 0 || strncmp(path, folder, length) != 0) return path;
    if (folder[length - 1] == '/') return path + length;
    return path[length] == '/' ? path + length + 1 : path;
}

static void write_place(text_buffer *out, const scene *s, const scene_particles *p, const char *folder)
{
    switch (p->place) {
    case PLACE_COMPRESS:
        write_key_number(out, "{compress: {rate: ", p->compress_rate);
        write_key_number(out, ", from: ", p->compress_from);
        text_add(out, "}}");
        break;
    case PLACE_WALK:
        text_add(out, "{walk: {length: %llu", (unsigned long long)p->walk_length);
        write_key_number(out, ", step: ", p->walk_step);
        text_add(out, "}}");
        break;
    case PLACE_FILE:
        text_add(out, "{file: ");
        write_text(out, relative_path(p->file, folder));
        if (p->frame != -1) text_add(out, ", frame: %lld", (long long)p->frame);
        text_add(out, "}");
        break;
    case PLACE_AT:
        text_add(out, "{at: ");
        write_vectors(out, p->at, p->count, s->dimension);
        text_add(out, "}");
        break;
    case PLACE_RANDOM:
        region_write(out, s, p);
        break;
    default:
        text_add(out, "%s", place_words[p->place]);
    }
}

static void write_velocity(text_buffer *out, const scene *s, const scene_particles *p)
{
    switch (p->velocity) {
    case VELOCITY_ZERO:
        text_add(out, "zero");
        return;
    case VELOCITY_FILE:
        text_add(out, "file");
        return;
    case VELOCITY_MAXWELL:
        if (p->temperatures == NULL) {
            write_key_number(out, "{maxwell: ", p->a);
            break;
        }
        for (size_t k = 0; k < p->share_count; k++) {
            text_add(out, "%s%s", k == 0 ? "{maxwell: {" : ", ", s->species[p->shares[k].species].name);
            write_key_number(out, ": ", p->temperatures[k]);
        }
        text_add(out, "}");
        break;
    case VELOCITY_UNIFORM:
        text_add(out, "{uniform: ");
        write_numbers(out, (const double[]){p->a, p->b}, 2);
        break;
    case VELOCITY_CIRCLE:
        write_key_number(out, "{circle: ", p->a);
        break;
    case VELOCITY_EACH:
        text_add(out, "{each: ");
        if (p->each_count == 1)
            write_numbers(out, p->each[0], (size_t)s->dimension);
        else
            write_vectors(out, p->each, p->each_count, s->dimension);
        break;
    }
    text_add(out, "}");
}

static void write_spin(text_buffer *out, const scene *s, const double spin[3])
{
    if (s->dimension == 3)
        write_numbers(out, spin, 3);
    else
        text_add_number(out, spin[2]);
}

/* Nothing where they do not turn, or turn as in the file that their velocities are from. */
static void write_spins(text_buffer *out, const scene *s, const scene_particles *p)
{
    if (p->spin == SPIN_FILE || (p->spin == SPIN_ZERO && p->velocity == VELOCITY_FILE)) {
        if (p->spin_given) text_add(out, "    angular_velocity: %s\n", p->spin == SPIN_FILE ? "file" : "zero");
        return;
    }
    if (p->spin == SPIN_ZERO) return;
    text_add(out, "    angular_velocity: ");
    if (p->spin == SPIN_MAXWELL) {
        write_key_number(out, "{maxwell: ", p->spin_temperature);
    } else {
        text_add(out, p->spin_count == 1 ? "{each: " : "{each: [");
        for (size_t i = 0; i < p->spin_count; i++) {
            if (i > 0) text_add(out, ",\n      ");
            write_spin(out, s, p->spins[i]);
        }
        if (p->spin_count > 1) text_add(out, "]");
    }
    text_add(out, "}\n");
}

/* Nothing where they take any, or those of the file that their places are from. */
static void write_orientation(text_buffer *out, const scene *s, const scene_particles *p)
{
    if (p->orientation == ORIENTATION_FILE || (p->orientation == ORIENTATION_RANDOM && p->place == PLACE_FILE)) {
        const char *word = p->orientation == ORIENTATION_FILE ? "file" : "random";
        if (p->orientation_given) text_add(out, "    orientation: %s\n", word);
        return;
    }
    if (p->orientation == ORIENTATION_RANDOM) return;
    text_add(out, p->orientation == ORIENTATION_ALONG ? "    orientation: {along: " : "    orientation: {each: [");
    for (size_t i = 0; i < p->axes_count; i++) {
        if (i > 0) text_add(out, ",\n      ");
        write_numbers(out, p->axes[i], (size_t)s->dimension);
    }
    text_add(out, p->orientation == ORIENTATION_ALONG ? "}\n" : "]}\n");
}

static void write_particles(text_buffer *out, const scene *s, const char *folder)
{
    text_add(out, s->particles_count > 0 ? "particles:\n" : "particles: []\n");
    for (size_t i = 0; i < s->particles_count; i++) {
        const scene_particles *p = &s->particles[i];
        text_add(out, "  - species: ");
        write_shares(out, s, p);
        if (p->place != PLACE_AT && (p->place != PLACE_FILE || p->count > 0))
            text_add(out, "\n    count: %llu", (unsigned long long)p->count);
        text_add(out, "\n    place: ");
        write_place(out, s, p, folder);
        text_add(out, "\n    velocity: ");
        write_velocity(out, s, p);
        text_add(out, "\n    zero_momentum: %s\n", p->zero_momentum ? "true" : "false");
        write_spins(out, s, p);
        write_orientation(out, s, p);
    }
}

static void write_law(text_buffer *out, const restitution_law *law)
{
    if (law->kind == RESTITUTION_CONSTANT) {
        text_add_number(out, law->value);
    } else if (law->kind == RESTITUTION_VISCOELASTIC) {
        write_key_number(out, "{viscoelastic: ", law->value);
        text_add(out, "}");
    } else {
        text_add(out, "{table: [");
        for (size_t i = 0; i < law->count; i++) {
            if (i > 0) text_add(out, ", ");
            write_numbers(out, law->table[i], 2);
        }
        text_add(out, "]}");
    }
}

static void write_stick(text_buffer *out, double below)
{
    text_add(out, ", stick: ");
    if (below < INFINITY) {
        write_key_number(out, "{below: ", below);
        text_add(out, "}");
    } else {
        text_add(out, "always");
    }
}

static void write_contact(text_buffer *out, const scene *s, const char *a, const char *b, uint32_t law, size_t *written)
{
    if (law == 0) return;
    text_add(out, "%s  - {between: [%s, %s]", (*written)++ == 0 ? "contacts:\n" : "", a, b);
    if (s->laws[law].temperature > 0) { /* and nothing else: what comes off has forgotten how it came */
        write_key_number(out, ", temperature: ", s->laws[law].temperature);
        text_add(out, "}\n");
        return;
    }
    text_add(out, ", restitution: ");
    write_law(out, &s->laws[law]);
    if (s->laws[law].stick_given) write_stick(out, s->laws[law].stick_below);
    if (s->laws[law].friction_given) write_key_number(out, ", friction: ", s->laws[law].friction);
    if (s->laws[law].tangential > -1) write_key_number(out, ", tangential: ", s->laws[law].tangential);
    text_add(out, "}\n");
}

static const char *surface_name(const scene *s, size_t surface)
{
    if (surface == 0) return "wall";
    return surface <= s->plane_count ? s->planes[surface - 1].name : s->cylinders[surface - 1 - s->plane_count].name;
}

static void write_contacts(text_buffer *out, const scene *s)
{
    size_t n = s->species_count, surfaces = scene_surfaces(s), written = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++)
            write_contact(out, s, s->species[i].name, s->species[j].name, s->pair_law[i * n + j], &written);
        for (size_t j = 0; j < surfaces; j++)
            write_contact(out, s, s->species[i].name, surface_name(s, j), s->surface_law[i * surfaces + j], &written);
    }
    if (written == 0) text_add(out, "contacts: []\n");
}

static void write_planes(text_buffer *out, const scene *s)
{
    text_add(out, s->plane_count > 0 ? "planes:\n" : "planes: []\n");
    for (size_t i = 0; i < s->plane_count; i++) {
        text_add(out, "  - {name: %s, point: ", s->planes[i].name);
        write_numbers(out, s->planes[i].point, (size_t)s->dimension);
        text_add(out, ", normal: ");
        write_numbers(out, s->planes[i].normal, (size_t)s->dimension);
        text_add(out, "}\n");
    }
}

static void write_cylinders(text_buffer *out, const scene *s)
{
    if (s->cylinder_count > 0) text_add(out, "cylinders:\n");
    for (size_t i = 0; i < s->cylinder_count; i++) {
        const scene_cylinder *one = &s->cylinders[i];
        text_add(out, "  - {name: %s, through: ", one->name);
        write_numbers(out, one->through, (size_t)s->dimension);
        if (s->dimension == 3) {
            text_add(out, ", axis: ");
            write_numbers(out, one->axis, 3);
        }
        write_key_number(out, ", radius: ", one->radius);
        text_add(out, ", side: %s}\n", one->side == SIDE_INSIDE ? "inside" : "outside");
    }
}

/* ---- What ties particles: only where there is any, so that scenes without read as ever. ---- */

/* Tuples of `width` that follow one another as in a chain are written as one. */
static void write_tuples(text_buffer *out, const char *key, const uint32_t *tuples, size_t count, size_t width)
{
    bool chain = count > 1;
    for (size_t i = 0; i < count * width && chain; i++) chain = tuples[i] == tuples[0] + i / width + i % width;
    if (chain) {
        text_add(out, ", chain: {from: %lu, to: %lu}", (unsigned long)tuples[0],
                 (unsigned long)tuples[count * width - 1]);
        return;
    }
    text_add(out, ", %s: [", key);
    for (size_t i = 0; i < count; i++) {
        text_add(out, "%s[", i > 0 ? ", " : "");
        for (size_t k = 0; k < width; k++)
            text_add(out, "%s%lu", k > 0 ? ", " : "", (unsigned long)tuples[i * width + k]);
        text_add(out, "]");
    }
    text_add(out, "]");
}

/* Likewise a range. */
static void write_numbers_of(text_buffer *out, const char *key, const uint32_t *particles, size_t count)
{
    bool range = count > 1;
    for (size_t i = 0; i < count && range; i++) range = particles[i] == particles[0] + i;
    text_add(out, ", %s: ", key);
    if (range) {
        text_add(out, "{from: %lu, to: %lu}", (unsigned long)particles[0], (unsigned long)particles[count - 1]);
        return;
    }
    for (size_t i = 0; i < count; i++) text_add(out, "%s%lu", i > 0 ? ", " : "[", (unsigned long)particles[i]);
    text_add(out, "]");
}

static void write_rest(text_buffer *out, const char *key, double value, bool placed)
{
    if (placed)
        text_add(out, "%splaced", key);
    else
        write_key_number(out, key, value);
}

static void write_potentials(text_buffer *out, const scene *s)
{
    if (s->potential_count > 0) text_add(out, "potentials:\n");
    for (size_t i = 0; i < s->potential_count; i++) {
        const scene_potential *one = &s->potentials[i];
        text_add(out, "  - {between: [%s, %s]", s->species[one->between[0]].name, s->species[one->between[1]].name);
        if (one->bridge) {
            write_key_number(out, ", bridge: {rupture: ", one->steps->distance);
            write_key_number(out, ", energy: ", one->steps->energy);
            text_add(out, "}}\n");
            continue;
        }
        for (size_t k = 0; k < one->count; k++) {
            text_add(out, k > 0 ? ",\n      " : ", steps: [");
            write_numbers(out, (double[2]){one->steps[k].distance, one->steps[k].energy}, 2);
        }
        text_add(out, "]}\n");
    }
}

static void write_bonds(text_buffer *out, const scene *s)
{
    if (s->bonds_count > 0) text_add(out, "bonds:\n");
    for (size_t i = 0; i < s->bonds_count; i++) {
        const scene_bonds *one = &s->bonds[i];
        text_add(out, "  - {name: %s", one->name);
        write_tuples(out, "pairs", one->pairs[0], one->count, 2); /* pieces of a chain are pairs like others */
        write_key_number(out, ", shortest: ", one->shortest);
        write_key_number(out, ", longest: ", one->longest);
        text_add(out, "}\n");
    }
}

static void write_springs(text_buffer *out, const scene *s)
{
    if (s->springs_count > 0) text_add(out, "springs:\n");
    for (size_t i = 0; i < s->springs_count; i++) {
        const scene_springs *one = &s->springs[i];
        text_add(out, "  - {name: %s", one->name);
        write_tuples(out, "pairs", one->pairs[0], one->count, 2);
        write_key_number(out, ", stiffness: ", one->stiffness);
        write_key_number(out, ", damping: ", one->damping);
        write_rest(out, ", length: ", one->length, one->length < 0);
        text_add(out, "}\n");
    }
}

static void write_hinges(text_buffer *out, const scene *s)
{
    if (s->hinges_count > 0) text_add(out, "hinges:\n");
    for (size_t i = 0; i < s->hinges_count; i++) {
        const scene_hinges *one = &s->hinges[i];
        text_add(out, "  - {name: %s", one->name);
        write_tuples(out, "triples", one->triples[0], one->count, 3);
        write_key_number(out, ", stiffness: ", one->stiffness);
        write_rest(out, ", angle: ", one->angle, isnan(one->angle));
        text_add(out, "}\n");
    }
}

static void write_segments(text_buffer *out, const scene *s)
{
    if (s->segments_count > 0) text_add(out, "segments:\n");
    for (size_t i = 0; i < s->segments_count; i++) {
        const scene_segments *one = &s->segments[i];
        text_add(out, "  - {name: %s", one->name);
        write_tuples(out, "pairs", one->pairs[0], one->count, 2);
        write_key_number(out, ", diameter: ", one->diameter);
        text_add(out, ", species: %s}\n", s->species[one->species].name);
    }
}

static void write_vertices_of(text_buffer *out, const scene *s, const scene_drive *one)
{
    text_add(out, ", mesh: %s", s->meshes[one->mesh].name);
    if (one->particles != NULL) write_numbers_of(out, "vertices", one->particles, one->count);
    if (!one->within) return;
    text_add(out, ", within: {from: ");
    write_numbers(out, one->lowest, 3);
    text_add(out, ", to: ");
    write_numbers(out, one->highest, 3);
    text_add(out, "}");
}

static void write_turn(text_buffer *out, const scene_motion *piece, bool own_axis)
{
    if (piece->rate == 0) return;
    text_add(out, ", turn: {");
    if (!own_axis) {
        text_add(out, "axis: ");
        write_numbers(out, piece->axis, 3);
        text_add(out, ", through: ");
        write_numbers(out, piece->through, 3);
    }
    write_key_number(out, own_axis ? "rate: " : ", rate: ", piece->rate);
    text_add(out, "}");
}

static void write_oscillation(text_buffer *out, const scene_motion *piece, size_t dimension)
{
    if (piece->frequency == 0) return;
    text_add(out, ", oscillate: {by: ");
    write_numbers(out, piece->swing, dimension);
    write_key_number(out, ", frequency: ", piece->frequency);
    write_key_number(out, ", phase: ", piece->phase);
    text_add(out, "}");
}

static void write_start(text_buffer *out, const scene *s, const scene_start *start)
{
    if (!start->given) return;
    write_key_number(out, ", start: {when: {slower: ", start->slower);
    write_key_number(out, ", for: ", start->lasting);
    write_key_number(out, ", every: ", start->every);
    for (size_t k = 0; k < start->mesh_count; k++)
        text_add(out, "%s%s", k > 0 ? ", " : ", meshes: [", s->meshes[start->meshes[k]].name);
    text_add(out, "%s}%s}", start->mesh_count > 0 ? "]" : "", start->free ? ", free: true" : "");
}

static void write_drives(text_buffer *out, const scene *s)
{
    if (s->drive_count > 0) text_add(out, "drives:\n");
    for (size_t i = 0; i < s->drive_count; i++) {
        const scene_drive *one = &s->drives[i];
        text_add(out, "  - {name: %s", one->name);
        if (one->plane != SIZE_MAX)
            text_add(out, ", plane: %s", s->planes[one->plane].name);
        else if (one->cylinder != SIZE_MAX)
            text_add(out, ", cylinder: %s", s->cylinders[one->cylinder].name);
        else if (one->mesh != SIZE_MAX)
            write_vertices_of(out, s, one);
        else
            write_numbers_of(out, "particles", one->particles, one->count);
        text_add(out, ", motion: [");
        for (size_t k = 0; k < one->motion_count; k++) {
            write_key_number(out, k > 0 ? ", {time: " : "{time: ", one->motion[k].time);
            text_add(out, ", velocity: ");
            write_numbers(out, one->motion[k].velocity, (size_t)s->dimension);
            write_turn(out, &one->motion[k], one->cylinder != SIZE_MAX);
            write_oscillation(out, &one->motion[k], (size_t)s->dimension);
            text_add(out, "}");
        }
        text_add(out, "]");
        write_start(out, s, &one->start);
        text_add(out, "}\n");
    }
}

static void write_bodies(text_buffer *out, const scene *s)
{
    if (s->body_count > 0) text_add(out, "bodies:\n");
    for (size_t i = 0; i < s->body_count; i++) {
        const scene_body *one = &s->bodies[i];
        text_add(out, "  - {name: %s", one->name);
        if (one->mesh == SIZE_MAX)
            write_numbers_of(out, "particles", one->particles, one->count);
        else
            text_add(out, ", mesh: %s, density: ", s->meshes[one->mesh].name);
        if (one->mesh != SIZE_MAX) text_add_number(out, one->density);
        text_add(out, ", angular_velocity: ");
        if (s->dimension == 3)
            write_numbers(out, one->angular_velocity, 3);
        else
            text_add_number(out, one->angular_velocity[2]);
        text_add(out, "}\n");
    }
}

static void write_shape(text_buffer *out, const scene_shape *shape)
{
    const setting *kind = &table_shape.entries[shape->kind];
    text_add(out, "\n    shape:\n      %s:", kind->name);
    write_settings(out, kind->table, shape, 8, 3);
    if (shape->kind != SHAPE_RIBBON) return;
    text_add(out, "\n        points: ");
    write_vectors(out, shape->points, shape->point_count, 3);
    text_add(out, "\n        sides: ");
    write_vectors(out, shape->sides, shape->point_count, 3);
}

static bool is_any_of(const char *name, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(name, *words) == 0) return true;
    return false;
}

/* What a mesh is made of; nothing of one that is only looked at. */
static void write_matter(text_buffer *out, const scene *s, const scene_mesh *one)
{
    static const char *const elsewhere[] = {"name", "file", "repair", "weld_within", "shape", "place", "species", NULL};
    static const char *const elastic[] = {"stretch", "poisson", "bend", "damping", "rest", "yield", "velocity", NULL};
    if (!(one->thickness > 0)) return;
    text_add(out, "\n    species: %s", s->species[one->species].name);
    for (size_t i = 0; i < table_meshes.count; i++) {
        const setting *entry = &table_meshes.entries[i];
        const settings_table table = {.entries = entry, .count = 1};
        bool not_here = is_any_of(entry->name, elsewhere) || (one->rigid && is_any_of(entry->name, elastic));
        if (not_here || (strcmp(entry->name, "yield") == 0 && one->yield_angle == 0)) continue;
        write_settings(out, &table, one, 4, 3);
    }
}

static void write_meshes(text_buffer *out, const scene *s, const char *folder)
{
    if (s->mesh_count > 0) text_add(out, "meshes:\n");
    for (size_t i = 0; i < s->mesh_count; i++) {
        const scene_mesh *one = &s->meshes[i];
        text_add(out, "  - name: %s", one->name);
        if (one->file != NULL) {
            text_add(out, "\n    file: ");
            write_text(out, relative_path(one->file, folder));
            for (int bit = 0, first = 1; bit < MESH_REPAIRS; bit++) {
                if (!(one->repair >> bit & 1)) continue;
                text_add(out, "%s%s", first ? "\n    repair: [" : ", ", scene_repair_words[bit]);
                first = 0;
            }
            if (one->repair != 0) text_add(out, "]");
            if (one->weld_within > 0) write_key_number(out, "\n    weld_within: ", one->weld_within);
        } else {
            write_shape(out, &one->shape);
        }
        text_add(out, "\n    place:");
        write_settings(out, settings_find(&table_meshes, "place")->table, one, 6, 3);
        write_matter(out, s, one);
        text_add(out, "\n");
    }
}

static void write_run(text_buffer *out, const scene *s)
{
    text_add(out, "run:\n  until:");
    if (isfinite(s->until.time)) write_key_number(out, "\n    time: ", s->until.time);
    for (size_t i = 0; i < table_until.count; i++) {
        const setting *limit = &table_until.entries[i];
        const void *field = (const char *)s + limit->offset;
        if (strcmp(limit->name, "time") == 0 || is_absent(limit, field, s->dimension)) continue;
        text_add(out, "\n    %s: ", limit->name);
        write_value(out, limit, field, s->dimension);
    }
    text_add(out, "\n");
}

static void write_observe(text_buffer *out, const scene *s, const scene_vocabulary *vocabulary)
{
    text_add(out, s->observe_count > 0 ? "observe:\n" : "observe: []\n");
    for (size_t i = 0; i < s->observe_count; i++) {
        const scene_observe *o = &s->observe[i];
        const settings_table *table = vocabulary->observables[o->what];
        text_add(out, "  - what: %s", table->name);
        write_settings(out, &table_observe, o, 4, s->dimension);
        write_settings(out, table, o->settings, 4, s->dimension);
        text_add(out, "\n");
    }
}

/* Whether a key of the view has a meaning: numbers do not say whether a vector was given. */
static bool view_has(const scene *s, const char *name)
{
    static const char *const planar[] = {"zoom", "target", "low", "high", "whole"};
    bool known = s->dimension == 3;
    for (size_t k = 0; k < sizeof planar / sizeof *planar; k++) known = known || strcmp(name, planar[k]) == 0;
    if (strcmp(name, "target") == 0) return s->view.aimed;
    if (strcmp(name, "low") == 0 || strcmp(name, "high") == 0) return s->view.framed;
    return known;
}

static void write_view(text_buffer *out, const scene *s)
{
    if (!s->view.given) return;
    text_add(out, "view:");
    for (size_t i = 0; i < table_view.count; i++) {
        const setting *entry = &table_view.entries[i];
        if (!view_has(s, entry->name)) continue;
        text_add(out, "\n  %s: ", entry->name);
        write_value(out, entry, (const char *)s + entry->offset, s->dimension);
    }
    text_add(out, "\n");
}

char *resolved_write(const scene *s, const scene_vocabulary *vocabulary, const char *folder, arena *memory)
{
    text_buffer out = {0};
    const settings_table *engine = vocabulary->engines[s->engine];
    text_add(&out, "carom: 1\ntitle: ");
    write_text(&out, s->title);
    text_add(&out, "\nengine: %s\ndimension: %d\nseed: %llu\n", engine->name, s->dimension,
             (unsigned long long)s->seed);
    write_box(&out, s);
    write_species(&out, s);
    write_particles(&out, s, folder);
    write_contacts(&out, s);
    write_planes(&out, s);
    write_cylinders(&out, s);
    write_potentials(&out, s);
    write_bonds(&out, s);
    write_springs(&out, s);
    write_hinges(&out, s);
    write_segments(&out, s);
    write_drives(&out, s);
    write_bodies(&out, s);
    write_meshes(&out, s, folder);
    text_add(&out, "fields:\n  gravity: ");
    write_numbers(&out, s->gravity, (size_t)s->dimension);
    text_add(&out, "\n");
    write_run(&out, s);
    write_observe(&out, s, vocabulary);
    text_add(&out, "output:");
    write_settings(&out, settings_find(&table_scene, "output")->table, s, 2, s->dimension);
    text_add(&out, "\n");
    write_view(&out, s);
    text_add(&out, "%s:", engine->name);
    if (write_settings(&out, engine, s->engine_settings, 2, s->dimension) == 0) text_add(&out, " {}");
    text_add(&out, "\n");
    char *result = out.failed ? NULL : arena_text(memory, out.data, out.length);
    text_free(&out);
    return result;
}
