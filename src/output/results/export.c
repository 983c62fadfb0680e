#include "output/results/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "output/results/export_frame.h"

void export_true_velocities(carom_frame *f)
{
    for (size_t i = 0; f->scale != 0 && i < f->count * (size_t)f->dimension; i++)
        f->velocity[i] = frame_true(f, f->velocity[i]);
    f->scale = 0;
}

carom_status export_frame(const reader *r, uint64_t index, carom_frame *f, error *e)
{
    TRY(reader_frame(r, index, f, e));
    export_true_velocities(f);
    return CAROM_OK;
}

const char *export_species(const result_about *about, uint32_t species, char room[24])
{
    if (species < about->species_count) return about->species[species];
    snprintf(room, 24, "species%" PRIu32, species);
    return room;
}

char *export_folder(const char *target, const char *ending)
{
    size_t length = strlen(target);
    const size_t more = strlen(ending);
    if (length > more && strcmp(target + length - more, ending) == 0) length -= more;
    while (length > 1 && target[length - 1] == '/') length--;
    return memory_format("%.*s", (int)length, target);
}

char *export_name(const char *folder, uint64_t index, const char *ending)
{
    const char *slash = strrchr(folder, '/');
    return memory_format("%s/%s_%06" PRIu64 "%s", folder, slash != NULL ? slash + 1 : folder, index, ending);
}

static void add_number(text_buffer *t, char separator, double value)
{
    text_add_bytes(t, &separator, 1);
    text_add_number(t, value);
}

void export_vector(text_buffer *t, const double *x, int dimension, char separator)
{
    for (int k = 0; k < 3; k++) add_number(t, separator, k < dimension ? x[k] : 0);
}

void export_points_free(export_points *all)
{
    memory_free(all->point);
    memory_free(all->mesh);
}

static void list_points(export_points *all, uint32_t from, size_t count, uint32_t mesh)
{
    for (uint32_t i = from; i < from + count; i++, all->count++) {
        all->point[all->count] = i;
        all->mesh[all->count] = mesh;
    }
}

carom_status export_points_create(export_points *all, const reader *r, const carom_frame *f, error *e)
{
    result_links links;
    *all = (export_points){.point = NEW_ARRAY(f->count, uint32_t), .mesh = NEW_ARRAY(f->count, uint32_t)};
    carom_status status = all->point != NULL && all->mesh != NULL
                              ? reader_links(r, &links, e)
                              : error_memory(e, "an export", f->count * sizeof *all->point);
    if (status != CAROM_OK) {
        export_points_free(all);
        return status;
    }
    list_points(all, 0, frame_particles(f), 0);
    for (size_t k = 0; k < links.meshes; k++)
        if (!links.mesh[k].rigid) list_points(all, links.mesh[k].first, links.mesh[k].vertices, (uint32_t)k + 1);
    all->shells = all->count > frame_particles(f);
    links_free(&links);
    return CAROM_OK;
}

static bool is_integer(const frame_channel *c)
{
    return c->type != SNAPSHOT_F64;
}

/* The first `components` of the channel's value of body i. */
static void add_components(text_buffer *t, const frame_channel *c, const carom_frame *f, size_t i, size_t components,
                           char separator)
{
    const void *array = frame_array(f, c);
    const size_t width = channel_width(c, f->dimension);
    for (size_t k = i * width; k < i * width + components; k++) {
        if (is_integer(c))
            text_add(t, "%c%.0f", separator, channel_value(c, array, k));
        else
            add_number(t, separator, channel_value(c, array, k));
    }
}

static bool in_xyz(const carom_frame *f, const frame_channel *c)
{
    return c->kind != CHANNEL_NUMBERS && (c->exports & CHANNEL_IN_XYZ) && frame_has(f, c);
}

static bool in_csv(const carom_frame *f, const frame_channel *c)
{
    return c->kind != CHANNEL_NUMBERS && c->csv != NULL && frame_has(f, c);
}

static size_t csv_columns(const frame_channel *c)
{
    size_t columns = 1;
    for (const char *at = strchr(c->csv, ','); at != NULL; at = strchr(at + 1, ',')) columns++;
    return columns;
}

static void xyz_properties(text_buffer *t, const carom_frame *f)
{
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (in_xyz(f, c)) text_add(t, ":%s:%c:%zu", c->name, is_integer(c) ? 'I' : 'R', channel_width(c, f->dimension));
}

/* The second line of a frame in extended XYZ: key=value pairs. */
static void xyz_comment(text_buffer *t, const carom_frame *f, bool shells)
{
    text_add(t, "Lattice=\"");
    for (int k = 0; k < 9; k++) {
        if (k > 0) text_add(t, " ");
        text_add_number(t, k % 4 == 0 ? f->box[k / 4] : 0);
    }
    text_add(t, "\" Properties=type:S:1:pos:R:3:velo:R:3:radius:R:1:mass:R:1:id:I:1");
    xyz_properties(t, f);
    text_add(t, "%s%s Time=", f->axis != NULL ? ":orientation:R:4:aspherical_shape:R:3" : "",
             shells ? ":mesh:I:1" : "");
    text_add_number(t, f->time);
    text_add(t, " pbc=\"");
    for (int k = 0; k < 3; k++)
        text_add(t, "%s%c", k > 0 ? " " : "", k < f->dimension && f->boundary[k] == FRAME_PERIODIC ? 'T' : 'F');
    text_add(t, "\"\n");
}

/* A word of a column: no blanks, no quotes. */
static void add_word(text_buffer *t, const char *word, const char *bad)
{
    for (; *word != '\0'; word++) text_add_bytes(t, strchr(bad, *word) != NULL ? "_" : word, 1);
}

/* The convention of OVITO: the quaternion (x, y, z, w) that rotates z to the axis, and the semi-axes, the last along
 * z. */
static void xyz_lying(text_buffer *t, const double axis[3], const double semi[3])
{
    const double w = sqrt(fmax(0, 0.5 * (1 + axis[2]))), half[4] = {-0.5 * axis[1], 0.5 * axis[0], 0, w};
    const bool upside_down = w < 1e-8;
    for (int k = 0; k < 4; k++) add_number(t, ' ', upside_down ? k == 0 : k < 2 ? half[k] / w : half[k]);
    for (int k = 2; k >= 0; k--) add_number(t, ' ', semi[k]);
}

static void xyz_particle(text_buffer *t, const result_about *about, const carom_frame *f, const export_points *all,
                         size_t n)
{
    char room[24];
    const size_t i = all->point[n];
    size_t at = i * (size_t)f->dimension;
    add_word(t, export_species(about, f->species[i], room), " \t\r\n\"'");
    export_vector(t, f->position + at, f->dimension, ' ');
    export_vector(t, f->velocity + at, f->dimension, ' ');
    add_number(t, ' ', f->radius[i]);
    add_number(t, ' ', f->mass[i]);
    text_add(t, " %" PRIu32, f->id[i]);
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (in_xyz(f, c)) add_components(t, c, f, i, channel_width(c, f->dimension), ' ');
    if (f->axis != NULL) xyz_lying(t, f->axis + 3 * i, f->semi_axes + 3 * i);
    if (all->shells) text_add(t, " %" PRIu32, all->mesh[n]);
    text_add(t, "\n");
}

static size_t count_present(const carom_frame *f, const export_points *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) count += !frame_is_absent(f, all->point[i]);
    return count;
}

static carom_status write_xyz(const reader *r, carom_frame *f, const export_points *all, sink *s, error *e)
{
    const result_about *about = reader_about(r);
    for (uint64_t n = 0; n < about->frames && s->failure == 0; n++) {
        TRY(export_frame(r, n, f, e));
        text_add(&s->text, "%zu\n", count_present(f, all));
        xyz_comment(&s->text, f, all->shells);
        for (size_t i = 0; i < all->count; i++) {
            if (frame_is_absent(f, all->point[i])) continue;
            xyz_particle(&s->text, about, f, all, i);
            sink_pass(s);
        }
    }
    return CAROM_OK;
}

static void csv_particle(text_buffer *t, const result_about *about, const carom_frame *f, uint64_t n,
                         const export_points *all, size_t place)
{
    char room[24];
    const size_t i = all->point[place];
    size_t at = i * (size_t)f->dimension;
    text_add(t, "%" PRIu64, n);
    add_number(t, ',', f->time);
    text_add(t, ",%" PRIu32 ",", f->id[i]);
    add_word(t, export_species(about, f->species[i], room), ",\"\r\n");
    export_vector(t, f->position + at, f->dimension, ',');
    export_vector(t, f->velocity + at, f->dimension, ',');
    for (int k = 0; k < 3; k++) text_add(t, ",%" PRId64, k < f->dimension ? f->image[at + (size_t)k] : 0);
    add_number(t, ',', f->radius[i]);
    add_number(t, ',', f->mass[i]);
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (in_csv(f, c)) add_components(t, c, f, i, csv_columns(c), ',');
    if (all->shells) text_add(t, ",%" PRIu32, all->mesh[place]);
    text_add(t, "\n");
}

static carom_status write_csv(const reader *r, carom_frame *f, const export_points *all, sink *s, error *e)
{
    const result_about *about = reader_about(r);
    text_add(&s->text, "frame,time,id,species,x,y,z,vx,vy,vz,image_x,image_y,image_z,radius,mass");
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (in_csv(f, c)) text_add(&s->text, ",%s", c->csv);
    text_add(&s->text, "%s\n", all->shells ? ",mesh" : "");
    for (uint64_t n = 0; n < about->frames && s->failure == 0; n++) {
        TRY(export_frame(r, n, f, e));
        for (size_t i = 0; i < all->count; i++) {
            if (frame_is_absent(f, all->point[i])) continue;
            csv_particle(&s->text, about, f, n, all, i);
            sink_pass(s);
        }
    }
    return CAROM_OK;
}

const export_format export_xyz = {.name = "xyz", .write_text = write_xyz};
const export_format export_csv = {.name = "csv", .write_text = write_csv};

/* ---- all formats ------------------------------------------------------------------------------------------------- */

#define LIST(name) &export_##name,
static const export_format *const formats[] = {EXPORT_FORMATS(LIST)};
#undef LIST
enum { FORMATS = sizeof formats / sizeof *formats };

static carom_status write_text(const reader *r, carom_frame *f, const export_format *format, const char *target,
                               bool force, error *e)
{
    sink s;
    export_points all;
    TRY(export_points_create(&all, r, f, e));
    carom_status status = sink_open(&s, target, force, e);
    if (status == CAROM_OK) status = sink_close(&s, format->write_text(r, f, &all, &s, e), e);
    export_points_free(&all);
    return status;
}

static carom_status refuse_format(const char *format, error *e)
{
    char known[256] = "";
    for (size_t k = 0, at = 0; k < FORMATS && at < sizeof known; k++)
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%s",
                               k == 0            ? ""
                               : k + 1 < FORMATS ? ", "
                                                 : " and ",
                               formats[k]->name);
    return error_set(e, CAROM_USAGE, "error: no export format '%s'; there are %s", format, known);
}

carom_status export_result(const reader *r, const char *format, const char *target, bool force, error *e)
{
    carom_frame f;
    size_t k = 0;
    while (k < FORMATS && strcmp(format, formats[k]->name) != 0) k++;
    if (k == FORMATS) return refuse_format(format, e);
    TRY(reader_frame_create(r, &f, e));
    const carom_status status = formats[k]->write_text != NULL ? write_text(r, &f, formats[k], target, force, e)
                                                               : formats[k]->write_files(r, &f, target, force, e);
    frame_destroy(&f);
    return status;
}
