/* PLY: a text header with elements and their properties, then their values as text or binary. Used are x, y and z of
 * the element `vertex`, and the list vertex_indices (or vertex_index) of the element `face`. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "mesh/bytes.h"
#include "mesh/scan.h"

enum { MOST_ELEMENTS = 32, MOST_PROPERTIES = 64 };

typedef struct type {
    const char *name, *other; /* both spellings */
    unsigned size;
    char kind; /* i: signed, u: unsigned, f: float */
} type;

static const type types[] = {{"char", "int8", 1, 'i'},     {"uchar", "uint8", 1, 'u'},   {"short", "int16", 2, 'i'},
                             {"ushort", "uint16", 2, 'u'}, {"int", "int32", 4, 'i'},     {"uint", "uint32", 4, 'u'},
                             {"float", "float32", 4, 'f'}, {"double", "float64", 8, 'f'}};

typedef enum role { ROLE_NONE, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS } role;

typedef struct property {
    const type *of, *length; /* type of the length of a list; NULL: not a list */
    role is;
} property;

typedef struct element {
    span name;
    uint64_t count;
    property properties[MOST_PROPERTIES];
    size_t property_count;
    unsigned has; /* one bit 1 << role each */
} element;

typedef enum encoding { ENCODING_TEXT, ENCODING_LITTLE, ENCODING_BIG, ENCODING_NONE } encoding;

typedef struct ply {
    scan *s;
    encoding encoding;
    element elements[MOST_ELEMENTS];
    size_t element_count;
    uint64_t vertex_count; /* as stated in the header */
    polygon face;
    const element *now; /* index of the present row */
    uint64_t row;
    span line; /* rest of the present line, in text files */
} ply;

/* ---- The header ---- */

static carom_status read_type(ply *p, span word, const type **out)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (span_is(word, types[i].name) || span_is(word, types[i].other)) {
            *out = &types[i];
            return CAROM_OK;
        }
    return SCAN_FAULT(p->s, "unknown type '%s'", excerpt_of(word).text);
}

static carom_status read_encoding(ply *p, span line)
{
    span word = span_word(&line), version = span_word(&line);
    p->encoding = span_is(word, "ascii")                  ? ENCODING_TEXT
                  : span_is(word, "binary_little_endian") ? ENCODING_LITTLE
                  : span_is(word, "binary_big_endian")    ? ENCODING_BIG
                                                          : ENCODING_NONE;
    if (p->encoding == ENCODING_NONE) return SCAN_FAULT(p->s, "unknown format '%s'", excerpt_of(word).text);
    return span_is(version, "1.0") ? CAROM_OK
                                   : SCAN_FAULT(p->s, "version '%s', expected 1.0", excerpt_of(version).text);
}

static carom_status read_element(ply *p, span line)
{
    if (p->element_count == MOST_ELEMENTS) return SCAN_FAULT(p->s, "more than %d elements", MOST_ELEMENTS);
    element *one = &p->elements[p->element_count++];
    one->name = span_word(&line);
    uint64_t most = UINT32_MAX - 1;
    if (!span_is(one->name, "vertex") && !span_is(one->name, "face")) most = UINT64_MAX;
    TRY(scan_count(p->s, &line, "the number of elements", most, &one->count));
    if (span_is(one->name, "vertex")) p->vertex_count = one->count;
    if (span_is(one->name, "tristrips"))
        return SCAN_FAULT(p->s, "%s", "strips of triangles cannot be read; save the mesh with faces");
    return CAROM_OK;
}

static role role_of(const element *one, span name, bool list)
{
    if (list)
        return span_is(one->name, "face") && (span_is(name, "vertex_indices") || span_is(name, "vertex_index"))
                   ? ROLE_CORNERS
                   : ROLE_NONE;
    if (!span_is(one->name, "vertex")) return ROLE_NONE;
    return span_is(name, "x") ? ROLE_X : span_is(name, "y") ? ROLE_Y : span_is(name, "z") ? ROLE_Z : ROLE_NONE;
}

static carom_status read_property(ply *p, span line)
{
    if (p->element_count == 0) return SCAN_FAULT(p->s, "%s", "a property before the first element");
    element *one = &p->elements[p->element_count - 1];
    if (one->property_count == MOST_PROPERTIES) return SCAN_FAULT(p->s, "more than %d properties", MOST_PROPERTIES);
    property *added = &one->properties[one->property_count++];
    span word = span_word(&line);
    if (span_is(word, "list")) {
        TRY(read_type(p, span_word(&line), &added->length));
        if (added->length->kind == 'f') return SCAN_FAULT(p->s, "%s", "the length of a list is not a whole number");
        word = span_word(&line);
    }
    TRY(read_type(p, word, &added->of));
    added->is = role_of(one, span_word(&line), added->length != NULL);
    if (added->is == ROLE_NONE) return CAROM_OK;
    if ((one->has & 1u << added->is) != 0) return SCAN_FAULT(p->s, "%s", "this property is given twice");
    one->has |= 1u << added->is;
    return CAROM_OK;
}

/* Lines of the header are not cut at '#': a comment is a line of its own. */
static carom_status read_header(ply *p)
{
    span line;
    p->encoding = ENCODING_NONE;
    if (!lines_next(&p->s->text, &line) || !span_is(line, "ply"))
        return SCAN_FAULT(p->s, "%s", "not a PLY file: the first line is not 'ply'");
    while (lines_next(&p->s->text, &line)) {
        span word = span_word(&line);
        carom_status status = CAROM_OK;
        if (span_is(word, "end_header"))
            return p->encoding != ENCODING_NONE ? CAROM_OK : SCAN_FAULT(p->s, "%s", "the header has no line 'format'");
        if (span_is(word, "format"))
            status = read_encoding(p, line);
        else if (span_is(word, "element"))
            status = read_element(p, line);
        else if (span_is(word, "property"))
            status = read_property(p, line);
        else if (!span_is(word, "comment") && !span_is(word, "obj_info") && word.length > 0)
            status = SCAN_FAULT(p->s, "unknown word '%s' in the header", excerpt_of(word).text);
        if (status != CAROM_OK) return status;
    }
    return SCAN_FAULT(p->s, "%s", "the file ends without 'end_header'");
}

/* A required element with these properties. */
static carom_status check_element(ply *p, const char *name, unsigned has, const char *wanted)
{
    size_t found = 0;
    for (size_t i = 0; i < p->element_count; i++) {
        if (!span_is(p->elements[i].name, name)) continue;
        found++;
        if ((p->elements[i].has & has) != has) return SCAN_FILE_FAULT(p->s, "element %s has no %s", name, wanted);
    }
    return found == 1 ? CAROM_OK : SCAN_FILE_FAULT(p->s, "the header has %zu elements '%s', expected one", found, name);
}

/* ---- Values ---- */

static carom_status fault_at(ply *p, const char *what)
{
    if (p->encoding == ENCODING_TEXT) return SCAN_FAULT(p->s, "%s", what);
    return SCAN_FILE_FAULT(p->s, "%.*s %llu: %s", (int)(p->now->name.length < 32 ? p->now->name.length : 32),
                           p->now->name.start, (unsigned long long)p->row, what);
}

static carom_status take_binary(ply *p, const type *of, double *out)
{
    lines *data = &p->s->text;
    if ((size_t)(data->end - data->at) < of->size) return fault_at(p, "the file ends here; is it complete?");
    bool big = p->encoding == ENCODING_BIG;
    uint64_t bits = bytes_unsigned(data->at, of->size, big), sign = (uint64_t)1 << (8 * of->size - 1);
    if (of->kind == 'f')
        *out = of->size == 4 ? bytes_float(data->at, big) : bytes_double(data->at, big);
    else
        *out = of->kind == 'i' && (bits & sign) != 0 ? (double)bits - 2 * (double)sign : (double)bits;
    data->at += of->size;
    return CAROM_OK;
}

static carom_status take(ply *p, const type *of, const char *what, double *out)
{
    return p->encoding == ENCODING_TEXT ? scan_real(p->s, &p->line, what, out) : take_binary(p, of, out);
}

/* Values of unused properties need not be finite numbers. */
static carom_status skip(ply *p, const type *of)
{
    double ignored;
    if (p->encoding != ENCODING_TEXT) return take_binary(p, of, &ignored);
    return span_word(&p->line).length > 0 ? CAROM_OK : fault_at(p, "the line ends too early");
}

static carom_status take_corner(ply *p, const type *of)
{
    double corner;
    TRY(take(p, of, "the number of a vertex", &corner));
    if (!(corner >= 0 && corner < (double)p->vertex_count) || corner != floor(corner))
        return fault_at(p, "refers to a vertex that does not exist");
    return polygon_add(&p->face, (uint32_t)corner, p->s->e);
}

static carom_status take_list(ply *p, const property *one)
{
    double length;
    TRY(take(p, one->length, "the length of a list", &length));
    if (!(length >= 0) || length != floor(length)) return fault_at(p, "the length of a list is not a whole number");
    if (one->is == ROLE_CORNERS && length < 3) return fault_at(p, "a face needs at least three vertices");
    p->face.count = 0;
    for (double i = 0; i < length; i++) TRY(one->is == ROLE_CORNERS ? take_corner(p, one->of) : skip(p, one->of));
    if (one->is == ROLE_CORNERS) mesh_add_polygon(p->s->m, p->face.corners, p->face.count);
    return CAROM_OK;
}

static carom_status take_row(ply *p)
{
    static const char *const axes[3] = {"x", "y", "z"};
    double r[3];
    if (p->encoding == ENCODING_TEXT) TRY(scan_need_line(p->s, "an element", &p->line));
    for (size_t i = 0; i < p->now->property_count; i++) {
        const property *one = &p->now->properties[i];
        if (one->length != NULL) {
            TRY(take_list(p, one));
        } else if (one->is == ROLE_NONE) {
            TRY(skip(p, one->of));
        } else {
            int k = (int)one->is - ROLE_X;
            TRY(take(p, one->of, axes[k], &r[k]));
            if (!isfinite(r[k])) return fault_at(p, "a coordinate is not finite");
        }
    }
    if (span_is(p->now->name, "vertex")) mesh_add_vertex(p->s->m, r[0], r[1], r[2]);
    return p->encoding == ENCODING_TEXT ? scan_end(p->s, p->line) : CAROM_OK;
}

static carom_status parse(ply *p)
{
    TRY(read_header(p));
    TRY(check_element(p, "vertex", 1u << ROLE_X | 1u << ROLE_Y | 1u << ROLE_Z, "x, y and z"));
    TRY(check_element(p, "face", 1u << ROLE_CORNERS, "list 'vertex_indices'"));
    for (size_t i = 0; i < p->element_count; i++) {
        p->now = &p->elements[i];
        if (p->now->property_count == 0) continue;
        for (p->row = 0; p->row < p->now->count && !p->s->m->failed; p->row++) TRY(take_row(p));
    }
    return CAROM_OK;
}

carom_status ply_parse(scan *s)
{
    ply *p = NEW_ARRAY(1, ply);
    if (p == NULL) return error_memory(s->e, "a reader of meshes", sizeof *p);
    p->s = s;
    carom_status status = parse(p);
    memory_free(p->face.corners);
    memory_free(p);
    return status;
}
