#include "view/canvas.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/pi.h"

carom_status canvas_kind_of(const char *path, canvas_kind *kind, error *e)
{
    static const char *const endings[] = {".svg", ".pdf", ".png"};
    const size_t length = strlen(path);
    for (int k = 0; k < 3; k++) {
        if (length <= 4 || strcmp(path + length - 4, endings[k]) != 0) continue;
        *kind = (canvas_kind)k;
        return CAROM_OK;
    }
    return error_set(e, CAROM_USAGE, "error: '%s' has no known ending; name a file that ends in .svg, .pdf or .png",
                     path);
}

#if CAROM_HAVE_CAIRO

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <dlfcn.h>
#include <pthread.h>

/* Cairo and its libraries are loaded at the first drawing, so that runs do not use memory and time for them. */
/* clang-format off */
#define CAIRO_FUNCTIONS(X) X(cairo_arc) X(cairo_clip) X(cairo_create) X(cairo_destroy) X(cairo_fill) \
    X(cairo_image_surface_create) X(cairo_image_surface_create_for_data) X(cairo_line_to) X(cairo_move_to) \
    X(cairo_new_path) X(cairo_new_sub_path) X(cairo_pdf_surface_create_for_stream) \
    X(cairo_pdf_surface_set_metadata) X(cairo_rectangle) X(cairo_restore) X(cairo_rotate) X(cairo_save) \
    X(cairo_scale) X(cairo_select_font_face) X(cairo_set_dash) X(cairo_set_font_size) X(cairo_set_line_join) \
    X(cairo_set_line_width) X(cairo_set_source_rgba) X(cairo_show_text) X(cairo_status) \
    X(cairo_status_to_string) X(cairo_stroke) X(cairo_surface_destroy) X(cairo_surface_finish) \
    X(cairo_surface_status) X(cairo_surface_write_to_png_stream) X(cairo_svg_surface_create_for_stream) \
    X(cairo_text_extents) X(cairo_translate)
/* clang-format on */

#define MEMBER(name) __typeof__(name) *name##_;
static struct api {
    CAIRO_FUNCTIONS(MEMBER)
    bool complete, no_memory;
} api;

#define FIND(name) (api.name##_ = (__typeof__(name) *)dlsym(library, #name)) != NULL &&
static void load_cairo(void)
{
    void *library = dlopen(CAROM_CAIRO_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    const char *why = library == NULL ? dlerror() : NULL;
    api.no_memory = why != NULL && (strstr(why, "memory") != NULL || strstr(why, "failed to map") != NULL);
    api.complete = library != NULL && CAIRO_FUNCTIONS(FIND) true;
}

#define cairo_arc (*api.cairo_arc_)
#define cairo_clip (*api.cairo_clip_)
#define cairo_create (*api.cairo_create_)
#define cairo_destroy (*api.cairo_destroy_)
#define cairo_fill (*api.cairo_fill_)
#define cairo_image_surface_create (*api.cairo_image_surface_create_)
#define cairo_image_surface_create_for_data (*api.cairo_image_surface_create_for_data_)
#define cairo_line_to (*api.cairo_line_to_)
#define cairo_move_to (*api.cairo_move_to_)
#define cairo_new_path (*api.cairo_new_path_)
#define cairo_new_sub_path (*api.cairo_new_sub_path_)
#define cairo_pdf_surface_create_for_stream (*api.cairo_pdf_surface_create_for_stream_)
#define cairo_pdf_surface_set_metadata (*api.cairo_pdf_surface_set_metadata_)
#define cairo_rectangle (*api.cairo_rectangle_)
#define cairo_restore (*api.cairo_restore_)
#define cairo_rotate (*api.cairo_rotate_)
#define cairo_save (*api.cairo_save_)
#define cairo_scale (*api.cairo_scale_)
#define cairo_select_font_face (*api.cairo_select_font_face_)
#define cairo_set_dash (*api.cairo_set_dash_)
#define cairo_set_font_size (*api.cairo_set_font_size_)
#define cairo_set_line_join (*api.cairo_set_line_join_)
#define cairo_set_line_width (*api.cairo_set_line_width_)
#define cairo_set_source_rgba (*api.cairo_set_source_rgba_)
#define cairo_show_text (*api.cairo_show_text_)
#define cairo_status (*api.cairo_status_)
#define cairo_status_to_string (*api.cairo_status_to_string_)
#define cairo_stroke (*api.cairo_stroke_)
#define cairo_surface_destroy (*api.cairo_surface_destroy_)
#define cairo_surface_finish (*api.cairo_surface_finish_)
#define cairo_surface_status (*api.cairo_surface_status_)
#define cairo_surface_write_to_png_stream (*api.cairo_surface_write_to_png_stream_)
#define cairo_svg_surface_create_for_stream (*api.cairo_svg_surface_create_for_stream_)
#define cairo_text_extents (*api.cairo_text_extents_)
#define cairo_translate (*api.cairo_translate_)

static carom_status need_cairo(error *e)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_cairo);
    if (api.complete) return CAROM_OK;
    if (api.no_memory) return error_memory(e, "cairo", 0);
    return error_set(e, CAROM_USAGE,
                     "error: cairo, which draws plots and pictures, is not installed (" CAROM_CAIRO_LIBRARY "); "
                     "install it (Debian: libcairo2)");
}

struct canvas {
    canvas_kind kind;
    cairo_surface_t *surface;
    cairo_t *cairo;
    text_buffer bytes; /* the file so far */
};

static cairo_status_t take(void *to, const unsigned char *data, unsigned length)
{
    text_buffer *bytes = to;
    text_add_bytes(bytes, (const char *)data, length);
    return bytes->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

/* Cairo keeps the hinting of a font from the first surface that uses it in a process, and the hinting of pixels differs from
 * that of lines: two names of one font, so that a file does not depend on those before. */
static const char *family(const canvas *c)
{
    return c->kind == CANVAS_PNG ? "sans-serif" : "Sans-Serif";
}

static carom_status complete(canvas **out, canvas *c, error *e)
{
    if (c->surface != NULL) c->cairo = cairo_create(c->surface);
    if (c->cairo == NULL || cairo_status(c->cairo) != CAIRO_STATUS_SUCCESS) {
        canvas_free(c);
        return error_memory(e, "a picture", 1 << 20);
    }
    cairo_set_line_join(c->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_select_font_face(c->cairo, family(c), CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    *out = c;
    return CAROM_OK;
}

carom_status canvas_create(canvas **out, canvas_kind kind, double width, double height, double scale, error *e)
{
    *out = NULL;
    TRY(need_cairo(e));
    canvas *c = NEW_ARRAY(1, canvas);
    if (c == NULL) return error_memory(e, "a picture", sizeof *c);
    c->kind = kind;
    if (kind == CANVAS_SVG)
        c->surface = cairo_svg_surface_create_for_stream(take, &c->bytes, width, height);
    else if (kind == CANVAS_PDF)
        c->surface = cairo_pdf_surface_create_for_stream(take, &c->bytes, width, height);
    else
        c->surface =
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width * scale), (int)ceil(height * scale));
    /* The file of a plot does not contain the time of its creation. */
    if (kind == CANVAS_PDF) cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01");
    TRY(complete(out, c, e));
    if (kind == CANVAS_PNG) cairo_scale(c->cairo, scale, scale);
    return CAROM_OK;
}

carom_status canvas_over(canvas **out, uint32_t *pixels, int width, int height, error *e)
{
    *out = NULL;
    TRY(need_cairo(e));
    canvas *c = NEW_ARRAY(1, canvas);
    if (c == NULL) return error_memory(e, "a picture", sizeof *c);
    c->kind = CANVAS_PNG;
    c->surface =
        cairo_image_surface_create_for_data((unsigned char *)pixels, CAIRO_FORMAT_RGB24, width, height, 4 * width);
    return complete(out, c, e);
}

carom_status canvas_finish(canvas *c, text_buffer *bytes, error *e)
{
    cairo_status_t status = cairo_status(c->cairo);
    if (c->kind == CANVAS_PNG && status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(c->surface, take, &c->bytes);
    cairo_surface_finish(c->surface);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(c->surface);
    text_add_bytes(bytes, c->bytes.data != NULL ? c->bytes.data : "", c->bytes.length);
    if (status == CAIRO_STATUS_SUCCESS && !bytes->failed) return CAROM_OK;
    if (status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_NO_MEMORY || c->bytes.failed)
        return error_memory(e, "a picture", c->bytes.length);
    return error_set(e, CAROM_INTERNAL, "error: the picture cannot be drawn: %s", cairo_status_to_string(status));
}

void canvas_free(canvas *c)
{
    if (c == NULL) return;
    if (c->cairo != NULL) cairo_destroy(c->cairo);
    if (c->surface != NULL) cairo_surface_destroy(c->surface);
    text_free(&c->bytes);
    memory_free(c);
}

void canvas_colour(canvas *c, colour paint, double opacity)
{
    cairo_set_source_rgba(c->cairo, (double)paint.r, (double)paint.g, (double)paint.b, opacity);
}

void canvas_pen(canvas *c, double width, const double *dashes, int dash_count)
{
    cairo_set_line_width(c->cairo, width);
    cairo_set_dash(c->cairo, dashes, dash_count, 0);
}

void canvas_move(canvas *c, double x, double y)
{
    cairo_move_to(c->cairo, x, y);
}

void canvas_line(canvas *c, double x, double y)
{
    cairo_line_to(c->cairo, x, y);
}

void canvas_rectangle(canvas *c, double x, double y, double width, double height)
{
    cairo_rectangle(c->cairo, x, y, width, height);
}

void canvas_disk(canvas *c, double x, double y, double radius)
{
    cairo_new_sub_path(c->cairo);
    cairo_arc(c->cairo, x, y, radius, 0, 2 * PI);
}

void canvas_stroke(canvas *c)
{
    cairo_stroke(c->cairo);
}

void canvas_fill(canvas *c)
{
    cairo_fill(c->cairo);
}

void canvas_clip(canvas *c, double x, double y, double width, double height)
{
    cairo_save(c->cairo);
    cairo_rectangle(c->cairo, x, y, width, height);
    cairo_clip(c->cairo);
}

void canvas_unclip(canvas *c)
{
    cairo_restore(c->cairo);
}

/* Copies text that cairo can draw: invalid bytes become ?. */
static void copy_text(char *to, size_t room, const char *text, size_t length)
{
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        const size_t valid = (unsigned char)text[at] < ' ' ? 0 : text_character(text + at);
        const size_t bytes = valid > 0 && at + valid <= length ? valid : 1;
        if (used + bytes >= room) break;
        memcpy(to + used, valid > 0 ? text + at : "?", bytes);
        used += bytes;
        at += bytes;
    }
    to[used] = '\0';
}

/* Draws (or only measures) a text at (0, 0), in parts if it has superscripts or subscripts. */
static double set_text(canvas *c, const char *text, double size, bool show)
{
    double width = 0;
    while (*text != '\0') {
        char piece[160];
        const bool raised = strncmp(text, "^{", 2) == 0, lowered = strncmp(text, "_{", 2) == 0;
        if (raised || lowered) text += 2;
        const size_t length = raised || lowered ? strcspn(text, "}") : 1 + strcspn(text + 1, "^_");
        copy_text(piece, sizeof piece, text, length);
        text += length + ((raised || lowered) && text[length] == '}' ? 1 : 0);
        cairo_text_extents_t extents;
        cairo_set_font_size(c->cairo, raised || lowered ? 0.72 * size : size);
        cairo_text_extents(c->cairo, piece, &extents);
        if (show) cairo_move_to(c->cairo, width, raised ? -0.38 * size : lowered ? 0.2 * size : 0);
        if (show) cairo_show_text(c->cairo, piece);
        width += extents.x_advance;
    }
    return width;
}

static void choose_face(canvas *c, const canvas_style *style)
{
    cairo_select_font_face(c->cairo, family(c), CAIRO_FONT_SLANT_NORMAL,
                           style->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
}

double canvas_text_width(canvas *c, const char *text, const canvas_style *style)
{
    choose_face(c, style);
    return set_text(c, text, style->size, false);
}

void canvas_text(canvas *c, double x, double y, const char *text, const canvas_style *style)
{
    const double width = canvas_text_width(c, text, style);
    cairo_save(c->cairo);
    cairo_translate(c->cairo, x, y);
    if (style->upward) cairo_rotate(c->cairo, -0.5 * PI);
    cairo_translate(c->cairo,
                    style->along == ANCHOR_START    ? 0
                    : style->along == ANCHOR_MIDDLE ? -0.5 * width
                                                    : -width,
                    style->centred ? 0.36 * style->size : 0);
    set_text(c, text, style->size, true);
    cairo_new_path(c->cairo);
    cairo_restore(c->cairo);
}

#else /* without cairo there are no canvases, so these do nothing */

static carom_status missing(error *e)
{
    return error_set(e, CAROM_USAGE,
                     "error: this carom was built without cairo, which draws its pictures; install it "
                     "(Debian: libcairo2-dev) and build carom again");
}

carom_status canvas_create(canvas **out, canvas_kind kind, double width, double height, double scale, error *e)
{
    (void)kind, (void)width, (void)height, (void)scale;
    *out = NULL;
    return missing(e);
}

carom_status canvas_over(canvas **out, uint32_t *pixels, int width, int height, error *e)
{
    (void)pixels, (void)width, (void)height;
    *out = NULL;
    return missing(e);
}

carom_status canvas_finish(canvas *c, text_buffer *bytes, error *e)
{
    (void)c, (void)bytes;
    return missing(e);
}

void canvas_free(canvas *c)
{
    (void)c;
}

void canvas_colour(canvas *c, colour paint, double opacity)
{
    (void)c, (void)paint, (void)opacity;
}

void canvas_pen(canvas *c, double width, const double *dashes, int dash_count)
{
    (void)c, (void)width, (void)dashes, (void)dash_count;
}

void canvas_move(canvas *c, double x, double y)
{
    (void)c, (void)x, (void)y;
}

void canvas_line(canvas *c, double x, double y)
{
    (void)c, (void)x, (void)y;
}

void canvas_rectangle(canvas *c, double x, double y, double width, double height)
{
    (void)c, (void)x, (void)y, (void)width, (void)height;
}

void canvas_disk(canvas *c, double x, double y, double radius)
{
    (void)c, (void)x, (void)y, (void)radius;
}

void canvas_stroke(canvas *c)
{
    (void)c;
}

void canvas_fill(canvas *c)
{
    (void)c;
}

void canvas_clip(canvas *c, double x, double y, double width, double height)
{
    (void)c, (void)x, (void)y, (void)width, (void)height;
}

void canvas_unclip(canvas *c)
{
    (void)c;
}

void canvas_text(canvas *c, double x, double y, const char *text, const canvas_style *style)
{
    (void)c, (void)x, (void)y, (void)text, (void)style;
}

double canvas_text_width(canvas *c, const char *text, const canvas_style *style)
{
    (void)c, (void)text, (void)style;
    return 0;
}

#endif

carom_status canvas_png(uint32_t *pixels, int width, int height, text_buffer *bytes, error *e)
{
    canvas *c;
    TRY(canvas_over(&c, pixels, width, height, e));
    carom_status status = canvas_finish(c, bytes, e);
    canvas_free(c);
    return status;
}
