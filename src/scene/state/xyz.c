/* The XYZ format, plain and extended: a line with the number of particles, a comment line that may contain
 * Lattice="..." and Properties=name:type:columns:..., and a line per particle; any number of such frames. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lines.h"
#include "base/number.h"
#include "scene/state/points.h"

typedef struct reader {
    const char *name;
    lines text;
    const points_rules *rules;
    error *e;
} reader;

enum { MOST_COLUMNS = 64 };

/* Contents of a column. */
typedef enum field {
    FIELD_SKIP,
    FIELD_SPECIES,
    FIELD_POSITION,
    FIELD_VELOCITY,
    FIELD_RADIUS,
    FIELD_DIAMETER,
    FIELD_MASS,
    FIELD_SPIN,
    FIELD_QUATERNION, /* quaternion that rotates z to the axis: x, y, z, w */
    FIELD_MESH,
    FIELD_TYPE /* the species, if there is no other column for it */
} field;

typedef struct column {
    field what;
    int axis;
} column;

typedef struct layout {
    column columns[MOST_COLUMNS];
    size_t count;
    unsigned has; /* one bit 1 << field for each field */
} layout;

typedef struct property {
    const char *name;
    field what;
    const char *types; /* permitted numbers of columns */
    bool vector;
} property;

static const property known[] = {
    {"species", FIELD_SPECIES, "S", false},
    {"pos", FIELD_POSITION, "RI", true},
    {"velo", FIELD_VELOCITY, "RI", true},
    {"vel", FIELD_VELOCITY, "RI", true},
    {"velocity", FIELD_VELOCITY, "RI", true},
    {"velocities", FIELD_VELOCITY, "RI", true},
    {"radius", FIELD_RADIUS, "RI", false},
    {"diameter", FIELD_DIAMETER, "RI", false},
    {"mass", FIELD_MASS, "RI", false},
    {"masses", FIELD_MASS, "RI", false},
    {"angular_velocity", FIELD_SPIN, "RI", true},
    {"mesh", FIELD_MESH, "I", false},
};

#define FAULT(r, format, ...) error_set_at((r)->e, CAROM_BAD_DATA, (r)->name, (r)->text.number, format, __VA_ARGS__)

/* The value of key=value or key="value" in a comment line. */
static bool find_key(span line, const char *key, span *value)
{
    const char *p = line.start, *end = p + line.length;
    while (p < end) {
        while (p < end && span_is_blank(*p)) p++;
        span name = {p, 0};
        while (p < end && !span_is_blank(*p) && *p != '=') p++;
        name.length = (size_t)(p - name.start);
        if (p == end || *p != '=') continue;
        bool quoted = ++p < end && *p == '"';
        if (quoted) p++;
        *value = (span){p, 0};
        while (p < end && (quoted ? *p != '"' : !span_is_blank(*p))) p++;
        value->length = (size_t)(p - value->start);
        if (quoted && p < end) p++;
        if (span_is(name, key)) return true;
    }
    return false;
}

static carom_status read_count(reader *r, span line, uint64_t *count)
{
    span word = span_word(&line), more = span_word(&line);
    if (more.length > 0 || number_read_count(word.start, word.length, count, NULL) != NUMBER_OK)
        return FAULT(r, "expected the number of particles, found '%s'",
                     excerpt_of((span){word.start, (size_t)(line.start + line.length - word.start)}).text);
    if (*count >= UINT32_MAX) return FAULT(r, "%llu particles are too many", (unsigned long long)*count);
    return CAROM_OK;
}

static carom_status skip_frame(reader *r, uint64_t count)
{
    span line;
    if (!lines_next(&r->text, &line)) return FAULT(r, "%s", "the file ends where the comment line should be");
    for (uint64_t i = 0; i < count; i++)
        if (!lines_next(&r->text, &line))
            return FAULT(r, "the file ends after %llu of %llu particles", (unsigned long long)i,
                         (unsigned long long)count);
    return CAROM_OK;
}

/* Moves the reader to the comment line of frame `index`, or to the end; *frames: number of frames before it. */
static carom_status find_frame(reader *r, uint64_t index, uint64_t *frames, uint64_t *count)
{
    span line;
    *frames = 0;
    while (lines_next(&r->text, &line)) {
        span rest = line;
        if (span_word(&rest).length == 0) continue;
        TRY(read_count(r, line, count));
        if ((*frames)++ == index) return CAROM_OK;
        TRY(skip_frame(r, *count));
    }
    return *frames > 0 ? CAROM_OK : error_set_at(r->e, CAROM_BAD_DATA, r->name, 0, "the file is empty");
}

/* Takes the next part of a list separated by colons. */
static span next_part(span *list)
{
    const char *colon = memchr(list->start, ':', list->length);
    span part = {list->start, colon != NULL ? (size_t)(colon - list->start) : list->length};
    size_t used = part.length + (colon != NULL ? 1 : 0);
    *list = (span){list->start + used, list->length - used};
    return part;
}

static carom_status check_property(reader *r, const property *p, span type, uint64_t columns)
{
    if (type.length != 1 || strchr(p->types, type.start[0]) == NULL)
        return FAULT(r, "property %s has type '%s', expected %c", p->name, excerpt_of(type).text, p->types[0]);
    bool fits = !p->vector ? columns == 1 : columns == 3 || (columns == 2 && r->rules->dimension == 2);
    if (!fits)
        return FAULT(r, "property %s has %llu columns, expected %d", p->name, (unsigned long long)columns,
                     p->vector ? r->rules->dimension : 1);
    return CAROM_OK;
}

static carom_status add_property(reader *r, layout *l, span name, span type, uint64_t columns)
{
    const property *found = NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (span_is(name, known[i].name)) found = &known[i];
    if (found != NULL) TRY(check_property(r, found, type, columns));
    const bool names = span_is(name, "type") && span_is(type, "S") && columns == 1;
    const bool turned = span_is(name, "orientation") && span_is(type, "R") && columns == 4;
    field what = found != NULL ? found->what : names ? FIELD_TYPE : turned ? FIELD_QUATERNION : FIELD_SKIP;
    if (what != FIELD_SKIP && (l->has & (1u << what)) != 0)
        return FAULT(r, "property %s is given twice", excerpt_of(name).text);
    if (columns > MOST_COLUMNS - l->count) return FAULT(r, "more than %d columns", MOST_COLUMNS);
    l->has |= 1u << what;
    for (uint64_t i = 0; i < columns; i++) l->columns[l->count++] = (column){what, (int)i};
    return CAROM_OK;
}

static carom_status read_layout(reader *r, span comment, layout *l)
{
    span list, text = {"species:S:1:pos:R:3", 19};
    *l = (layout){.count = 0};
    list = find_key(comment, "Properties", &list) ? list : text;
    while (list.length > 0) {
        span name = next_part(&list), type = next_part(&list), columns = next_part(&list);
        uint64_t count;
        if (name.length == 0 || type.length == 0 ||
            number_read_count(columns.start, columns.length, &count, NULL) != NUMBER_OK || count == 0)
            return FAULT(r, "Properties: expected name:type:columns, found '%s:%s:%s'", excerpt_of(name).text,
                         excerpt_of(type).text, excerpt_of(columns).text);
        TRY(add_property(r, l, name, type, count));
    }
    if ((l->has & (1u << FIELD_SPECIES)) == 0 && (l->has & (1u << FIELD_TYPE)) != 0) {
        l->has |= 1u << FIELD_SPECIES;
        for (size_t c = 0; c < l->count; c++)
            if (l->columns[c].what == FIELD_TYPE) l->columns[c].what = FIELD_SPECIES;
    }
    if ((l->has & (1u << FIELD_POSITION)) == 0) return FAULT(r, "%s", "Properties: no positions (pos:R:3)");
    if ((l->has & (1u << FIELD_RADIUS)) != 0 && (l->has & (1u << FIELD_DIAMETER)) != 0)
        return FAULT(r, "%s", "Properties: both radius and diameter");
    return CAROM_OK;
}

static carom_status read_number(reader *r, span word, const char *what, double *out)
{
    number_fault fault = number_read(word.start, word.length, out, NULL);
    if (fault == NUMBER_OK) return CAROM_OK;
    return FAULT(r, "%s: '%s' is %s", what, excerpt_of(word).text,
                 fault == NUMBER_TOO_LARGE   ? "too large"
                 : fault == NUMBER_TOO_SMALL ? "too small"
                                             : "no number");
}

/* Lattice="ax ay az bx by bz cx cy cz"; only boxes along the axes with a corner at 0. */
static carom_status read_lattice(reader *r, span comment, points *p)
{
    span text;
    double vectors[9], origin;
    if (find_key(comment, "Origin", &text))
        for (int i = 0; i < 3; i++) {
            TRY(read_number(r, span_word(&text), "Origin", &origin));
            if (origin != 0) return FAULT(r, "%s", "Origin: only boxes with their corner at 0 0 0 can be used");
        }
    if (!find_key(comment, "Lattice", &text)) return CAROM_OK;
    for (int i = 0; i < 9; i++) TRY(read_number(r, span_word(&text), "Lattice", &vectors[i]));
    if (span_word(&text).length > 0) return FAULT(r, "%s", "Lattice: more than nine numbers");
    for (int i = 0; i < 9; i++) {
        if (i % 4 != 0 && vectors[i] != 0)
            return FAULT(r, "%s", "Lattice: only boxes with their sides along the axes can be used");
        if (i % 4 == 0 && vectors[i] < 0) return FAULT(r, "%s", "Lattice: a side is negative");
    }
    p->has_box = true;
    for (int k = 0; k < 3; k++) p->box[k] = vectors[4 * k];
    return CAROM_OK;
}

static carom_status unknown_species(reader *r, span word)
{
    char names[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < r->rules->species_count && used < sizeof names; i++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", r->rules->species[i].name);
    return FAULT(r, "unknown species '%s'; the scene has %s", excerpt_of(word).text, names);
}

static carom_status read_species(reader *r, span word, size_t *guess, uint32_t *out)
{
    size_t species = points_species(r->rules, word.start, word.length, guess);
    if (species == r->rules->species_count) return unknown_species(r, word);
    *out = (uint32_t)species;
    return CAROM_OK;
}

static carom_status read_component(reader *r, span word, const char *what, int axis, double *vector)
{
    double value;
    TRY(read_number(r, word, what, &value));
    if (axis < r->rules->dimension)
        vector[axis] = value;
    else if (value != 0)
        return FAULT(r, "%s: the third component is %s, but the scene has two dimensions", what, excerpt_of(word).text);
    return CAROM_OK;
}

static carom_status read_positive(reader *r, span word, const char *what, double *out)
{
    TRY(read_number(r, word, what, out));
    return *out > 0 ? CAROM_OK : FAULT(r, "%s: %s is not above 0", what, excerpt_of(word).text);
}

static carom_status read_column(reader *r, span word, column c, points *p, size_t i, size_t *guess)
{
    switch (c.what) {
    case FIELD_SPECIES:
        return read_species(r, word, guess, &p->species[i]);
    case FIELD_POSITION:
        return read_component(r, word, "pos", c.axis, p->position[i]);
    case FIELD_VELOCITY:
        return read_component(r, word, "velo", c.axis, p->velocity[i]);
    case FIELD_RADIUS:
        TRY(read_positive(r, word, "radius", &p->diameter[i]));
        p->diameter[i] *= 2;
        return isfinite(p->diameter[i]) ? CAROM_OK : FAULT(r, "radius: %s is too large", excerpt_of(word).text);
    case FIELD_DIAMETER:
        return read_positive(r, word, "diameter", &p->diameter[i]);
    case FIELD_MASS:
        return read_positive(r, word, "mass", &p->mass[i]);
    case FIELD_SPIN:
        return read_number(r, word, "angular_velocity", &p->spin[i][c.axis]);
    case FIELD_QUATERNION:
    case FIELD_MESH:
    case FIELD_TYPE:
    case FIELD_SKIP:
        break;
    }
    return CAROM_OK;
}

/* The axis is the z axis rotated by the quaternion. */
static void set_axis(const double q[4], double axis[3])
{
    axis[0] = 2 * (q[0] * q[2] + q[3] * q[1]);
    axis[1] = 2 * (q[1] * q[2] - q[3] * q[0]);
    axis[2] = q[3] * q[3] + q[2] * q[2] - q[0] * q[0] - q[1] * q[1];
}

/* A vertex of a mesh: its column `mesh` is not 0. */
static bool is_vertex(const layout *l, span line)
{
    span word = {NULL, 0};
    if ((l->has & (1u << FIELD_MESH)) == 0) return false;
    for (size_t c = 0; c < l->count; c++) {
        word = span_word(&line);
        if (l->columns[c].what == FIELD_MESH) break;
    }
    return word.length > 0 && !span_is(word, "0");
}

static carom_status read_particles(reader *r, const layout *l, points *p)
{
    double quaternion[4];
    size_t guess = 0, listed = p->count;
    span line = {NULL, 0};
    p->count = 0;
    for (size_t n = 0; n < listed; n++) {
        lines_next(&r->text, &line);
        if (is_vertex(l, line)) continue;
        const size_t i = p->count++;
        for (size_t c = 0; c < l->count; c++) {
            span word = span_word(&line);
            if (word.length == 0) return FAULT(r, "%zu columns, expected %zu", c, l->count);
            if (l->columns[c].what == FIELD_QUATERNION)
                TRY(read_number(r, word, "orientation", &quaternion[l->columns[c].axis]));
            else
                TRY(read_column(r, word, l->columns[c], p, i, &guess));
        }
        if (p->axis != NULL) set_axis(quaternion, p->axis[i]);
        span more = span_word(&line);
        if (more.length > 0)
            return FAULT(r, "more than %zu columns, the next is '%s'; name them with Properties=", l->count,
                         excerpt_of(more).text);
    }
    return CAROM_OK;
}

static carom_status create_points(points *p, const layout *l, uint64_t count, error *e)
{
    unsigned arrays = 0;
    if ((l->has & (1u << FIELD_VELOCITY)) != 0) arrays |= POINTS_VELOCITY;
    if ((l->has & (1u << FIELD_SPECIES)) != 0) arrays |= POINTS_SPECIES;
    if ((l->has & (1u << FIELD_RADIUS | 1u << FIELD_DIAMETER)) != 0) arrays |= POINTS_DIAMETER;
    if ((l->has & (1u << FIELD_MASS)) != 0) arrays |= POINTS_MASS;
    if ((l->has & (1u << FIELD_SPIN)) != 0) arrays |= POINTS_SPIN;
    if ((l->has & (1u << FIELD_QUATERNION)) != 0) arrays |= POINTS_AXIS;
    const uint64_t frames = p->frames;
    const carom_status status = points_create(p, count, arrays, e);
    p->frames = frames;
    return status;
}

static carom_status parse(reader *r, points *p)
{
    uint64_t count = 0, index, passed;
    span comment = {NULL, 0};
    layout l;
    reader whole = *r;
    TRY(find_frame(&whole, UINT64_MAX, &p->frames, &count));
    p->no_frame = !points_frame(r->rules, p->frames, &index);
    if (p->no_frame) return CAROM_OK;
    TRY(find_frame(r, index, &passed, &count));
    lines_next(&r->text, &comment);
    TRY(read_layout(r, comment, &l));
    TRY(create_points(p, &l, count, r->e));
    TRY(read_lattice(r, comment, p));
    return read_particles(r, &l, p);
}

carom_status xyz_parse(points *p, const char *name, const char *text, size_t length, const points_rules *rules,
                       error *e)
{
    reader r = {name, lines_begin(text, length), rules, e};
    *p = (points){0};
    carom_status status = parse(&r, p);
    if (status != CAROM_OK) points_free(p);
    return status;
}
