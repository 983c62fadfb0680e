/* Particles from an H5MD file of carom or another program (de Buyl, Colberg, Höfling, Comput. Phys. Commun. 185,
 * 1546 (2014)): a frame of particles/<group>/position, and of velocity, species, radius, mass and box, if present. */
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/state/points.h"

typedef struct source {
    const char *path;
    const points_rules *rules;
    error *e;
    hid_t file, group; /* the file and its particles group */
    char *name;        /* of the group */
    hsize_t frames;    /* of the positions; 0: not a time series */
    hsize_t frame;     /* the requested frame */
    hsize_t particles; /* upper limit: the vertices of meshes follow */
    bool *keep;        /* [particles]: those that the entry takes */
} source;

/* One element of the particles group: its data set and the shape of one frame of it. */
typedef struct element {
    const char *name;
    hid_t set, space;
    bool series;      /* the first dimension counts frames */
    int rank;         /* of one frame */
    hsize_t shape[4]; /* of one frame */
    hsize_t frames;
} element;

#define FAULT(s, format, ...) error_set_at((s)->e, CAROM_BAD_DATA, (s)->path, 0, format, __VA_ARGS__)

static bool is_group(hid_t at, const char *name)
{
    H5O_info_t about;
    return H5Lexists(at, name, H5P_DEFAULT) > 0 && H5Oget_info_by_name(at, name, &about, H5P_DEFAULT) >= 0 &&
           about.type == H5O_TYPE_GROUP;
}

static bool exists(const source *s, const char *name)
{
    return H5Lexists(s->group, name, H5P_DEFAULT) > 0 && H5Oexists_by_name(s->group, name, H5P_DEFAULT) > 0;
}

/* The only group under /particles, or the one named "all". */
static carom_status open_group(source *s)
{
    if (!is_group(s->file, "particles"))
        return FAULT(s, "%s", "no group /particles: this is not an H5MD file with particles");
    hid_t particles = H5Gopen2(s->file, "particles", H5P_DEFAULT);
    H5G_info_t about = {0};
    if (particles < 0 || H5Gget_info(particles, &about) < 0) {
        if (particles >= 0) H5Gclose(particles);
        return FAULT(s, "%s", "/particles cannot be read");
    }
    if (about.nlinks == 1) {
        ssize_t length = H5Lget_name_by_idx(particles, ".", H5_INDEX_NAME, H5_ITER_INC, 0, NULL, 0, H5P_DEFAULT);
        s->name = length > 0 ? NEW_ARRAY((size_t)length + 1, char) : NULL;
        if (s->name != NULL)
            H5Lget_name_by_idx(particles, ".", H5_INDEX_NAME, H5_ITER_INC, 0, s->name, (size_t)length + 1, H5P_DEFAULT);
    } else if (about.nlinks > 1) {
        s->name = memory_text("all");
    }
    if (s->name != NULL && is_group(particles, s->name)) s->group = H5Gopen2(particles, s->name, H5P_DEFAULT);
    H5Gclose(particles);
    if (s->group >= 0) return CAROM_OK;
    return FAULT(s, "/particles holds %llu groups; there must be one, or one named all",
                 (unsigned long long)about.nlinks);
}

static void element_close(element *el)
{
    if (el->space >= 0) H5Sclose(el->space);
    if (el->set >= 0) H5Dclose(el->set);
    el->space = el->set = -1;
}

/* Opens <name>/value, a time series, or the data set <name>, constant in time. */
static carom_status element_open(source *s, const char *name, element *el)
{
    *el = (element){.name = name, .set = -1, .space = -1, .series = is_group(s->group, name)};
    if (el->series) {
        char *path = memory_format("%s/value", name);
        if (path == NULL) return error_memory(s->e, "a name", strlen(name));
        el->set = H5Dopen2(s->group, path, H5P_DEFAULT);
        memory_free(path);
    } else {
        el->set = H5Dopen2(s->group, name, H5P_DEFAULT);
    }
    if (el->set >= 0) el->space = H5Dget_space(el->set);
    int rank = el->space >= 0 ? H5Sget_simple_extent_ndims(el->space) : -1;
    hsize_t shape[5] = {0};
    if (rank < (el->series ? 1 : 0) || rank > 4 || H5Sget_simple_extent_dims(el->space, shape, NULL) < 0)
        return FAULT(s, "/particles/%s/%s cannot be read", s->name, name);
    el->frames = el->series ? shape[0] : 1;
    el->rank = rank - (el->series ? 1 : 0);
    memcpy(el->shape, shape + (el->series ? 1 : 0), sizeof el->shape);
    if (el->frames == 0) return FAULT(s, "/particles/%s/%s holds no frame", s->name, name);
    return CAROM_OK;
}

/* Reads the frame as `type` into `out`, which is large enough. If an element has fewer frames than the positions, its
 * last frame is that of their last frame. */
static carom_status element_read(source *s, const element *el, hid_t type, void *out)
{
    hsize_t start[5] = {0}, count[5] = {1, 1, 1, 1, 1};
    int at = 0;
    if (el->series) start[at++] = el->frames == s->frames ? s->frame : el->frames - 1;
    if (el->series && el->frames != s->frames && s->frame + 1 < s->frames)
        return FAULT(s,
                     "/particles/%s/%s has %llu frames, position %llu: only their last frames belong to the same time",
                     s->name, el->name, (unsigned long long)el->frames, (unsigned long long)s->frames);
    for (int k = 0; k < el->rank; k++) count[at++] = el->shape[k];
    hid_t memory = H5Screate_simple(el->rank, el->shape, NULL);
    bool fine = memory >= 0 &&
                (at == 0 || H5Sselect_hyperslab(el->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0) &&
                H5Dread(el->set, type, memory, el->space, H5P_DEFAULT, out) >= 0;
    if (memory >= 0) H5Sclose(memory);
    return fine ? CAROM_OK
                : FAULT(s, "frame %llu of /particles/%s/%s cannot be read", (unsigned long long)s->frame, s->name,
                        el->name);
}

static H5T_class_t class_of(const element *el)
{
    hid_t type = H5Dget_type(el->set);
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    if (type >= 0) H5Tclose(type);
    return class;
}

static carom_status need_numbers(source *s, const element *el)
{
    H5T_class_t class = class_of(el);
    if (class == H5T_FLOAT || class == H5T_INTEGER) return CAROM_OK;
    return FAULT(s, "/particles/%s/%s holds no numbers", s->name, el->name);
}

/* Vectors in file order, [count][columns], expanded to [count][3]. */
static carom_status read_vectors(source *s, const element *el, size_t count, double (*out)[3])
{
    const size_t columns = (size_t)el->shape[1];
    double *flat = memory_new(count, columns * sizeof(double));
    if (flat == NULL) return error_memory(s->e, "the vectors of a file", count * columns * sizeof(double));
    carom_status status = element_read(s, el, H5T_NATIVE_DOUBLE, flat);
    for (size_t i = 0; status == CAROM_OK && i < count; i++)
        for (size_t k = 0; status == CAROM_OK && k < columns; k++) {
            double value = flat[i * columns + k];
            if (!isfinite(value))
                status = FAULT(s, "%s of particle %zu is not finite", el->name, i);
            else if ((int)k < s->rules->dimension)
                out[i][k] = value;
            else if (value != 0)
                status = FAULT(s, "%s of particle %zu: the third component is %.10g, but the scene has two dimensions",
                               el->name, i, value);
        }
    memory_free(flat);
    return status;
}

static carom_status check_vectors(source *s, const element *el, const points *p)
{
    hsize_t columns = el->rank == 2 ? el->shape[1] : 0;
    if (columns != (hsize_t)s->rules->dimension && !(columns == 3 && s->rules->dimension == 2))
        return FAULT(s, "/particles/%s/%s: expected one vector of %d components a particle", s->name, el->name,
                     s->rules->dimension);
    if (p != NULL && el->shape[0] != p->count)
        return FAULT(s, "/particles/%s/%s is for %llu particles, position for %zu", s->name, el->name,
                     (unsigned long long)el->shape[0], p->count);
    return need_numbers(s, el);
}

static carom_status take_positions(source *s, const element *el, points *p)
{
    TRY(check_vectors(s, el, NULL));
    if (el->shape[0] >= UINT32_MAX) return FAULT(s, "%llu particles are too many", (unsigned long long)el->shape[0]);
    uint64_t index;
    s->frames = el->series ? el->frames : 0;
    p->frames = el->frames;
    p->no_frame = !points_frame(s->rules, el->frames, &index);
    s->frame = index;
    if (p->no_frame) return CAROM_OK;
    unsigned arrays = 0;
    if (exists(s, "velocity")) arrays |= POINTS_VELOCITY;
    if (exists(s, "species")) arrays |= POINTS_SPECIES;
    if (exists(s, "radius")) arrays |= POINTS_DIAMETER;
    if (exists(s, "mass")) arrays |= POINTS_MASS;
    if (exists(s, "angular_velocity")) arrays |= POINTS_SPIN;
    if (exists(s, "orientation") && is_group(s->file, "carom")) arrays |= POINTS_AXIS;
    TRY(points_create(p, (size_t)el->shape[0], arrays, s->e));
    p->frames = el->frames;
    return read_vectors(s, el, p->count, p->position);
}

static carom_status take_velocities(source *s, const element *el, points *p)
{
    TRY(check_vectors(s, el, p));
    if (el->series && el->frames != s->frames)
        return FAULT(s, "velocity has %llu frames, position %llu: their last frames belong to different times",
                     (unsigned long long)el->frames, (unsigned long long)s->frames);
    return read_vectors(s, el, p->count, p->velocity);
}

/* Elements with three components also in two dimensions. */
static carom_status take_triples(source *s, const element *el, points *p, double (*out)[3])
{
    if (el->rank != 2 || el->shape[0] != p->count || el->shape[1] != 3)
        return FAULT(s, "/particles/%s/%s: expected three components for each of %zu particles", s->name, el->name,
                     p->count);
    TRY(need_numbers(s, el));
    TRY(element_read(s, el, H5T_NATIVE_DOUBLE, out));
    for (size_t i = 0; i < p->count; i++)
        if (!isfinite(out[i][0]) || !isfinite(out[i][1]) || !isfinite(out[i][2]))
            return FAULT(s, "%s of particle %zu is not finite", el->name, i);
    return CAROM_OK;
}

/* Shapes of other programs may have a different layout and are not read. */
static carom_status take_spins(source *s, const element *el, points *p)
{
    if (el->rank != 2 || el->shape[1] != 3) {
        memory_free(p->spin);
        p->spin = NULL;
        return CAROM_OK;
    }
    return take_triples(s, el, p, p->spin);
}

static carom_status take_axes(source *s, const element *el, points *p)
{
    return take_triples(s, el, p, p->axis);
}

static carom_status check_scalars(source *s, const element *el, const points *p)
{
    if (el->rank != 1 || el->shape[0] != p->count)
        return FAULT(s, "/particles/%s/%s: expected one value for each of %zu particles", s->name, el->name, p->count);
    return CAROM_OK;
}

static carom_status take_positive(source *s, const element *el, points *p, double *out, double factor)
{
    TRY(check_scalars(s, el, p));
    TRY(need_numbers(s, el));
    TRY(element_read(s, el, H5T_NATIVE_DOUBLE, out));
    for (size_t i = 0; i < p->count; i++) {
        out[i] *= factor;
        if (!(out[i] > 0) || !isfinite(out[i]))
            return FAULT(s, "%s of particle %zu is %.10g, expected a positive number", el->name, i, out[i] / factor);
    }
    return CAROM_OK;
}

static carom_status take_radii(source *s, const element *el, points *p)
{
    return take_positive(s, el, p, p->diameter, 2);
}

static carom_status take_masses(source *s, const element *el, points *p)
{
    return take_positive(s, el, p, p->mass, 1);
}

static int rising(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

/* The particles of a cluster have the same number. */
static carom_status count_clusters(source *s, const element *el, points *p)
{
    TRY(check_scalars(s, el, p));
    TRY(need_numbers(s, el));
    int64_t *numbers = NEW_ARRAY(p->count, int64_t);
    if (numbers == NULL) return error_memory(s->e, "the clusters of a file", p->count * sizeof(int64_t));
    carom_status status = element_read(s, el, H5T_NATIVE_INT64, numbers);
    if (status == CAROM_OK) qsort(numbers, p->count, sizeof *numbers, rising);
    for (size_t i = 1; status == CAROM_OK && i < p->count; i++)
        p->clusters += numbers[i] == numbers[i - 1] && (i == 1 || numbers[i - 2] != numbers[i]);
    memory_free(numbers);
    return status;
}

static carom_status find_clumps(source *s, const element *el, points *p)
{
    TRY(check_scalars(s, el, p));
    TRY(need_numbers(s, el));
    int64_t *numbers = NEW_ARRAY(p->count, int64_t);
    if (numbers == NULL) return error_memory(s->e, "the clumps of a file", p->count * sizeof(int64_t));
    const carom_status status = element_read(s, el, H5T_NATIVE_INT64, numbers);
    for (size_t i = 0; status == CAROM_OK && i < p->count; i++) {
        p->clumps = p->clumps || numbers[i] >= 0;
        s->keep[i] = s->keep[i] && !(s->rules->single && numbers[i] >= 0);
    }
    memory_free(numbers);
    return status;
}

/* The first spheres of the copies of a template, and the spheres of each. */
static carom_status keep_copies(source *s, hid_t copies, points *p)
{
    uint64_t count = 0;
    const hid_t at = H5Aopen_by_name(copies, ".", "count", H5P_DEFAULT, H5P_DEFAULT);
    bool read = at >= 0 && H5Aread(at, H5T_NATIVE_UINT64, &count) >= 0;
    if (at >= 0) H5Aclose(at);
    const hid_t set = H5Dopen2(copies, "first", H5P_DEFAULT), space = set >= 0 ? H5Dget_space(set) : -1;
    const hssize_t number = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    uint64_t *first = number >= 0 ? NEW_ARRAY((size_t)number, uint64_t) : NULL;
    read = read && first != NULL && H5Dread(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, first) >= 0;
    memset(s->keep, 0, p->count * sizeof *s->keep);
    for (hssize_t n = 0; read && n < number; n++) {
        read = count <= p->count && first[n] <= p->count - count;
        for (uint64_t i = 0; read && i < count; i++) s->keep[first[n] + i] = true;
    }
    memory_free(first);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    return read ? CAROM_OK : FAULT(s, "/carom/clumps/%s cannot be read", s->rules->clump);
}

static carom_status keep_template(source *s, points *p)
{
    if (s->rules->clump == NULL || !is_group(s->file, "carom") || !is_group(s->file, "carom/clumps")) return CAROM_OK;
    const hid_t clumps = H5Gopen2(s->file, "carom/clumps", H5P_DEFAULT);
    const bool known = clumps >= 0 && is_group(clumps, s->rules->clump);
    const hid_t copies = known ? H5Gopen2(clumps, s->rules->clump, H5P_DEFAULT) : -1;
    const carom_status status = copies >= 0 ? keep_copies(s, copies, p) : CAROM_OK;
    if (copies >= 0) H5Gclose(copies);
    if (clumps >= 0) H5Gclose(clumps);
    return status;
}

/* The species of the scene for a member of an enumeration, by name. */
static carom_status member_species(source *s, hid_t type, unsigned member, int64_t *value, uint32_t *species)
{
    long long number = 0;
    char *name = H5Tget_member_name(type, member);
    hid_t base = H5Tget_super(type);
    bool fine = name != NULL && base >= 0 && H5Tget_member_value(type, member, &number) >= 0 &&
                H5Tconvert(base, H5T_NATIVE_LLONG, 1, &number, NULL, H5P_DEFAULT) >= 0;
    size_t guess = 0, found = fine ? points_species(s->rules, name, strlen(name), &guess) : 0;
    *value = number;
    *species = (uint32_t)found; /* species_count: not in the scene, an error if a particle has it */
    if (name != NULL) H5free_memory(name);
    if (base >= 0) H5Tclose(base);
    return fine ? CAROM_OK : FAULT(s, "/particles/%s/species: its enumeration cannot be read", s->name);
}

/* Particle i has a species that only the file contains; its name, if the file has names. */
static void note_stranger(points *p, size_t i, int64_t number, const char *name)
{
    if (p->strange) return;
    p->strange = true;
    p->stranger = i;
    p->stranger_number = number;
    p->stranger_name = name != NULL ? memory_text(name) : NULL;
}

/* Replaces species numbers of the file by those of the scene with the same names. */
static carom_status map_names(source *s, hid_t type, points *p, int64_t *numbers)
{
    int members = H5Tget_nmembers(type);
    size_t room = members > 0 ? (size_t)members : 0;
    int64_t *values = NEW_ARRAY(room, int64_t);
    uint32_t *species = NEW_ARRAY(room, uint32_t);
    carom_status status = values == NULL || species == NULL ? error_memory(s->e, "species names", room * 12) : CAROM_OK;
    for (unsigned m = 0; status == CAROM_OK && m < room; m++)
        status = member_species(s, type, m, &values[m], &species[m]);
    for (size_t i = 0; status == CAROM_OK && i < p->count; i++) {
        size_t m = 0;
        while (m < room && values[m] != numbers[i]) m++;
        if (!p->strange && (m == room || species[m] == s->rules->species_count)) {
            char *name = m < room ? H5Tget_member_name(type, (unsigned)m) : NULL;
            note_stranger(p, i, numbers[i], name);
            if (name != NULL) H5free_memory(name);
        }
        numbers[i] = m < room ? species[m] : (int64_t)s->rules->species_count;
    }
    memory_free(values);
    memory_free(species);
    return status;
}

/* Names of the species in a result of carom, each in `width` bytes with a terminating zero; NULL if there are none. */
static char *own_names(const source *s, size_t *count, size_t *width)
{
    if (!is_group(s->file, "carom") || H5Aexists_by_name(s->file, "carom", "species", H5P_DEFAULT) <= 0) return NULL;
    const hid_t at = H5Aopen_by_name(s->file, "carom", "species", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = at >= 0 ? H5Aget_type(at) : -1, space = at >= 0 ? H5Aget_space(at) : -1;
    const hssize_t listed = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    const bool fixed = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
    char *names = NULL;
    *count = listed > 0 && fixed ? (size_t)listed : 0;
    *width = fixed ? H5Tget_size(type) + 1 : 1;
    const hid_t wanted = *count > 0 ? H5Tcopy(type) : -1;
    if (wanted >= 0 && H5Tset_size(wanted, *width) >= 0 && H5Tset_strpad(wanted, H5T_STR_NULLTERM) >= 0)
        names = memory_new(*count, *width);
    if (names != NULL && H5Aread(at, wanted, names) < 0) {
        memory_free(names);
        names = NULL;
    }
    if (wanted >= 0) H5Tclose(wanted);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (at >= 0) H5Aclose(at);
    return names;
}

/* The species numbers of a result of carom are mapped by name as well. */
static void map_own(const source *s, points *p, int64_t *numbers)
{
    size_t count = 0, width = 1, guess = 0;
    char *names = own_names(s, &count, &width);
    for (size_t i = 0; names != NULL && i < p->count; i++) {
        if (numbers[i] < 0 || numbers[i] >= (int64_t)count) continue;
        const char *name = names + (size_t)numbers[i] * width;
        const size_t species = points_species(s->rules, name, strlen(name), &guess);
        if (species == s->rules->species_count) note_stranger(p, i, numbers[i], name);
        numbers[i] = (int64_t)species;
    }
    memory_free(names);
}

static carom_status read_species(source *s, const element *el, points *p, int64_t *numbers)
{
    hid_t type = H5Dget_type(el->set);
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    carom_status status = CAROM_OK;
    if (class == H5T_ENUM) {
        hid_t base = H5Tget_super(type);
        size_t size = H5Tget_size(type);
        void *raw = size > 0 && size <= 8 ? memory_new(p->count, 8) : NULL;
        if (raw == NULL) status = error_memory(s->e, "the species of a file", p->count * 8);
        if (status == CAROM_OK) status = element_read(s, el, type, raw);
        if (status == CAROM_OK && H5Tconvert(base, H5T_NATIVE_INT64, p->count, raw, NULL, H5P_DEFAULT) < 0)
            status = FAULT(s, "/particles/%s/species: its numbers cannot be read", s->name);
        if (status == CAROM_OK) memcpy(numbers, raw, p->count * sizeof *numbers);
        if (status == CAROM_OK) status = map_names(s, type, p, numbers);
        memory_free(raw);
        if (base >= 0) H5Tclose(base);
    } else if (class == H5T_INTEGER) {
        status = element_read(s, el, H5T_NATIVE_INT64, numbers);
        if (status == CAROM_OK) map_own(s, p, numbers);
    } else {
        status = FAULT(s, "/particles/%s/species holds neither numbers nor an enumeration", s->name);
    }
    if (type >= 0) H5Tclose(type);
    return status;
}

/* An enumeration, or a result of carom, is mapped by name; other integers are species in the order of the scene, from
 * 0. */
static carom_status take_species(source *s, const element *el, points *p)
{
    TRY(check_scalars(s, el, p));
    int64_t *numbers = NEW_ARRAY(p->count, int64_t);
    if (numbers == NULL) return error_memory(s->e, "the species of a file", p->count * sizeof(int64_t));
    carom_status status = read_species(s, el, p, numbers);
    for (size_t i = 0; status == CAROM_OK && i < p->count; i++) {
        if (numbers[i] < 0 || numbers[i] >= (int64_t)s->rules->species_count) note_stranger(p, i, numbers[i], NULL);
        p->species[i] = (uint32_t)numbers[i];
    }
    memory_free(numbers);
    return status;
}

/* Sides as [D], or as the edge vectors [D][D] of a box along the axes. */
static carom_status take_box(source *s, const element *el, points *p)
{
    double edges[9];
    hsize_t size = el->rank > 0 ? el->shape[0] : 0;
    if ((size != 2 && size != 3) || el->rank > 2 || (el->rank == 2 && el->shape[1] != size))
        return FAULT(s, "/particles/%s/box/edges: expected [D] or [D][D] numbers", s->name);
    TRY(need_numbers(s, el));
    TRY(element_read(s, el, H5T_NATIVE_DOUBLE, edges));
    for (hsize_t i = 0; i < size; i++) {
        for (hsize_t k = 0; el->rank == 2 && k < size; k++)
            if (i != k && edges[i * size + k] != 0)
                return FAULT(s, "/particles/%s/box/edges: only boxes with their sides along the axes can be used",
                             s->name);
        p->box[i] = el->rank == 2 ? edges[i * size + i] : edges[i];
    }
    p->has_box = true;
    return CAROM_OK;
}

static carom_status take(source *s, const char *name, points *p,
                         carom_status (*taker)(source *, const element *, points *))
{
    element el;
    carom_status status = element_open(s, name, &el);
    if (el.rank > 0 && el.shape[0] > s->particles && taker != take_box) el.shape[0] = s->particles;
    if (status == CAROM_OK) status = taker(s, &el, p);
    element_close(&el);
    return status;
}

/* The particle that is the first vertex of a mesh, in a result of carom. The names of many meshes are a dataset there. */
static herr_t first_vertex(hid_t meshes, const char *name, const H5L_info_t *unused, void *data)
{
    (void)unused;
    hsize_t *particles = data;
    uint64_t first = 0;
    if (!is_group(meshes, name)) return 0;
    const hid_t at = H5Aopen_by_name(meshes, name, "first", H5P_DEFAULT, H5P_DEFAULT);
    const bool read = at >= 0 && H5Aread(at, H5T_NATIVE_UINT64, &first) >= 0;
    if (at >= 0) H5Aclose(at);
    if (read && first < *particles) *particles = first;
    return read ? 0 : -1;
}

/* A result of carom lists the vertices of meshes after the particles. */
static carom_status count_particles(source *s)
{
    s->particles = UINT64_MAX;
    if (!is_group(s->file, "carom") || !is_group(s->file, "carom/meshes")) return CAROM_OK;
    const hid_t meshes = H5Gopen2(s->file, "carom/meshes", H5P_DEFAULT);
    const bool read =
        meshes >= 0 && H5Literate(meshes, H5_INDEX_NAME, H5_ITER_INC, NULL, first_vertex, &s->particles) >= 0;
    if (meshes >= 0) H5Gclose(meshes);
    return read ? CAROM_OK : FAULT(s, "%s", "/carom/meshes cannot be read");
}

static void keep_points(points *p, const bool *keep)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (!keep[i]) continue;
        memcpy(p->position[kept], p->position[i], sizeof *p->position);
        if (p->velocity != NULL) memcpy(p->velocity[kept], p->velocity[i], sizeof *p->velocity);
        if (p->spin != NULL) memcpy(p->spin[kept], p->spin[i], sizeof *p->spin);
        if (p->axis != NULL) memcpy(p->axis[kept], p->axis[i], sizeof *p->axis);
        if (p->species != NULL) p->species[kept] = p->species[i];
        if (p->diameter != NULL) p->diameter[kept] = p->diameter[i];
        if (p->mass != NULL) p->mass[kept] = p->mass[i];
        kept++;
    }
    p->count = kept;
}

/* Ids that change with time and have a fill value: elements with it are unused in that frame. */
static carom_status take_ids(source *s, const element *el, points *p)
{
    uint32_t absent = 0;
    H5D_fill_value_t given = H5D_FILL_VALUE_UNDEFINED;
    const hid_t made = H5Dget_create_plist(el->set);
    const bool filled = made >= 0 && H5Pfill_value_defined(made, &given) >= 0 && given == H5D_FILL_VALUE_USER_DEFINED &&
                        H5Pget_fill_value(made, H5T_NATIVE_UINT32, &absent) >= 0;
    if (made >= 0) H5Pclose(made);
    if (!filled || !el->series) return CAROM_OK;
    TRY(check_scalars(s, el, p));
    uint32_t *id = NEW_ARRAY(p->count, uint32_t);
    if (id == NULL) return error_memory(s->e, "the ids of a file", p->count * sizeof *id);
    const carom_status status = element_read(s, el, H5T_NATIVE_UINT32, id);
    for (size_t i = 0; status == CAROM_OK && i < p->count; i++) s->keep[i] = s->keep[i] && id[i] != absent;
    memory_free(id);
    return status;
}

static carom_status read_group(source *s, points *p)
{
    TRY(open_group(s));
    TRY(count_particles(s));
    if (!exists(s, "position")) return FAULT(s, "no /particles/%s/position", s->name);
    TRY(take(s, "position", p, take_positions));
    if (p->no_frame) return CAROM_OK;
    s->keep = NEW_ARRAY(p->count, bool);
    if (s->keep == NULL) return error_memory(s->e, "the particles of a file", p->count * sizeof *s->keep);
    memset(s->keep, true, p->count * sizeof *s->keep);
    if (p->velocity != NULL) TRY(take(s, "velocity", p, take_velocities));
    if (p->species != NULL) TRY(take(s, "species", p, take_species));
    if (p->strange) return CAROM_OK;
    if (p->diameter != NULL) TRY(take(s, "radius", p, take_radii));
    if (p->mass != NULL) TRY(take(s, "mass", p, take_masses));
    if (p->spin != NULL) TRY(take(s, "angular_velocity", p, take_spins));
    if (p->axis != NULL) TRY(take(s, "orientation", p, take_axes));
    if (exists(s, "cluster") && is_group(s->file, "carom")) TRY(take(s, "cluster", p, count_clusters));
    if (exists(s, "clump") && is_group(s->file, "carom")) TRY(take(s, "clump", p, find_clumps));
    TRY(keep_template(s, p));
    if (exists(s, "box") && exists(s, "box/edges")) TRY(take(s, "box/edges", p, take_box));
    if (exists(s, "id")) TRY(take(s, "id", p, take_ids));
    keep_points(p, s->keep);
    return CAROM_OK;
}

carom_status h5md_read(points *p, const char *path, const points_rules *rules, error *e)
{
    source s = {.path = path, .rules = rules, .e = e, .file = -1, .group = -1};
    carom_status status = CAROM_OK;
    *p = (points){0};
    if (!memory_headroom(0)) return error_memory(e, "an HDF5 file", 0);
    /* HDF5 prints nothing; errors are reported in `e` */
    H5E_BEGIN_TRY
    {
        s.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        status = s.file >= 0 ? read_group(&s, p) : FAULT(&s, "%s", "the HDF5 file is damaged or still being written");
        if (s.group >= 0) H5Gclose(s.group);
        if (s.file >= 0) H5Fclose(s.file);
    }
    H5E_END_TRY
    memory_free(s.name);
    memory_free(s.keep);
    if (status != CAROM_OK) points_free(p);
    return status;
}
