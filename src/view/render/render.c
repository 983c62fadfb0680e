#include "view/render/render.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/pi.h"
#include "base/text.h"
#include "output/results/export_frame.h"
#include "output/results/sink.h"
#include "view/canvas.h"

enum { SIDE_LEAST = 32, SIDE_MOST = 16384, PIXELS_MOST = 64000000, SIDE = 960 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

carom_status render_read(renderer *v, uint64_t index, error *e)
{
    TRY(v->from->read(v->from->self, index, &v->frame, e));
    if (v->options.plane_count > 0)
        v->options.planes_at(v->options.world, v->frame.time, v->planes, v->options.plane_count);
    if (!v->options.whole) return CAROM_OK;
    TRY(clusters_unwrap(&v->frame, e));
    molecules_unwrap(&v->molecules, &v->frame);
    return CAROM_OK;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

typedef enum target_kind { TARGET_PNG, TARGET_FRAMES, TARGET_MOVIE } target_kind;

/* Position and width of "%d" or "%05d" in a name; if there is none, `start` is the length of the name. false: another
 * %. */
static bool find_number(const char *target, size_t *start, size_t *end, int *digits)
{
    enum { DIGITS_MOST = 12 };
    *start = *end = strcspn(target, "%");
    *digits = 0;
    if (target[*start] == '\0') return true;
    size_t at = *start + 1;
    while (isdigit((unsigned char)target[at]) && *digits <= DIGITS_MOST) *digits = 10 * *digits + (target[at++] - '0');
    if (target[at] != 'd' || *digits > DIGITS_MOST || strchr(target + at, '%') != NULL) return false;
    *end = at + 1;
    return true;
}

static carom_status kind_of(const char *target, target_kind *kind, error *e)
{
    size_t start, end;
    int digits;
    if (text_ends_in(target, ".mp4")) {
        *kind = TARGET_MOVIE;
        return CAROM_OK;
    }
    if (!text_ends_in(target, ".png"))
        return error_set(e, CAROM_USAGE,
                         "error: '%s' has no known ending; name a picture x.png, a movie x.mp4, or one picture per "
                         "frame frames-%%d.png",
                         target);
    if (!find_number(target, &start, &end, &digits))
        return error_set(e, CAROM_USAGE,
                         "error: '%s': a name with a frame's number holds one %%d, or %%05d and the like", target);
    *kind = start < end ? TARGET_FRAMES : TARGET_PNG;
    return CAROM_OK;
}

static carom_status choose_frames(const render_source *from, const render_options *options, target_kind kind,
                                  render_report *report, error *e)
{
    const uint64_t frames = from->about->frames;
    if (options->rate > 0 && kind != TARGET_MOVIE)
        return error_set(e, CAROM_USAGE,
                         "error: only movies have a rate of frames a second; name the target .mp4, or leave out "
                         "the rate");
    if (frames == 0)
        return error_set(e, CAROM_BAD_DATA, "error: '%s' contains no frames; set output.frames in the scene",
                         from->name);
    if (options->frame == CAROM_RENDER_ALL && kind == TARGET_PNG)
        return error_set(e, CAROM_USAGE,
                         "error: one picture cannot show all frames; name a movie .mp4, or frames-%%d.png");
    if (options->frame >= 0 && (uint64_t)options->frame >= frames)
        return error_set(e, CAROM_USAGE, "error: '%s' has no frame %" PRId64 "; its frames are 0 to %" PRIu64,
                         from->name, options->frame, frames - 1);
    const bool all = options->frame == CAROM_RENDER_ALL || (options->frame == CAROM_RENDER_SUITS && kind != TARGET_PNG);
    report->first = options->frame >= 0 ? (uint64_t)options->frame : all ? 0 : frames - 1;
    report->frames = all ? frames : 1;
    return CAROM_OK;
}

static carom_status check_size(const render_options *options, error *e)
{
    const int least = options->width < options->height ? options->width : options->height;
    const int most = options->width > options->height ? options->width : options->height;
    if (options->width == 0 && options->height == 0) return CAROM_OK;
    if (least >= SIDE_LEAST && most <= SIDE_MOST && (int64_t)options->width * options->height <= PIXELS_MOST)
        return CAROM_OK;
    return error_set(e, CAROM_USAGE,
                     "error: a picture of %d x %d: its sides are %d to %d pixels, and %d million in all at most",
                     options->width, options->height, SIDE_LEAST, SIDE_MOST, PIXELS_MOST / 1000000);
}

/* ---- the region shown -------------------------------------------------------------------------------------------- */

/* The aspect ratio of a picture in two dimensions follows from the scene. */
static void choose_size(renderer *v)
{
    v->width = v->options.width;
    v->height = v->options.height;
    if (v->width > 0) return;
    v->width = SIDE;
    v->height = SIDE * 3 / 4;
    const int up = camera_upward(&v->options.camera, v->about->gravity);
    const double base =
        fmax(v->high[(up + 1) % 3] - v->low[(up + 1) % 3], v->high[(up + 2) % 3] - v->low[(up + 2) % 3]);
    if (v->frame.dimension == 3 && v->high[up] - v->low[up] > 1.4 * base) { /* upright */
        v->height = SIDE;
        v->width = SIDE * 3 / 4;
    }
    if (v->frame.dimension == 3) return;
    const double aspect = (v->high[1] - v->low[1]) / (v->high[0] - v->low[0]);
    for (int n = 0; n < 4; n++) { /* the text needs a margin, and its size depends on that of the picture */
        const double text = render_text_size(v->width, v->height);
        v->height = (int)fmin(fmax(5.2 * text + (SIDE - 2 * text) * aspect, 240), 1.1 * SIDE);
        if (aspect > 1) v->width = (int)fmax(2 * text + (v->height - 5.2 * text) / aspect, 400);
    }
    v->width += v->width % 2;
    v->height += v->height % 2;
}

static bool is_framed(const renderer *v, const double x[3])
{
    bool inside = true;
    for (int k = 0; k < 3; k++) inside = inside && x[k] >= v->low[k] && x[k] <= v->high[k];
    return inside;
}

/* Without a box the bodies themselves fill the picture, not the corners of the box around them. */
static carom_status fit_bodies(renderer *v, const render_report *report, const camera_options *options, error *e)
{
    const uint64_t samples = report->frames < RENDER_SAMPLES ? report->frames : RENDER_SAMPLES;
    double least[2] = {INFINITY, INFINITY}, greatest[2] = {-INFINITY, -INFINITY};
    for (uint64_t n = 0; n < samples; n++) {
        TRY(render_read(v, render_sampled_frame(report, n, samples), e));
        for (size_t i = 0; i < v->frame.count; i++) {
            double x[3], seen[3], pixel[2];
            render_unwrapped(&v->frame, i, x);
            if (!is_framed(v, x)) continue;
            camera_see(&v->camera, x, seen);
            camera_project(&v->camera, seen, pixel);
            const double radius = v->frame.radius[i] * v->camera.scale / seen[2];
            for (int k = 0; k < 2 && isfinite(pixel[k]); k++) {
                least[k] = fmin(least[k], pixel[k] - radius);
                greatest[k] = fmax(greatest[k], pixel[k] + radius);
            }
        }
    }
    if (greatest[0] > least[0] && greatest[1] > least[1])
        camera_fill(&v->camera, least, greatest, options, render_viewport(v->width, v->height));
    return CAROM_OK;
}

static carom_status choose_camera(renderer *v, const render_report *report, error *e)
{
    camera_options options = v->options.camera;
    options.upward = camera_upward(&options, v->about->gravity);
    camera_fit(&v->camera, v->frame.dimension, v->low, v->high, &options, render_viewport(v->width, v->height));
    bool open = v->frame.dimension == 3 && !options.framed;
    for (int k = 0; k < 3; k++) open = open && v->frame.boundary[k] == FRAME_OPEN;
    open = open && v->options.plane_count + v->options.exact.count == 0;
    if (open) TRY(fit_bodies(v, report, &options, e));
    v->line = (v->width < v->height ? v->width : v->height) / 1500.0 * v->camera.distance / v->camera.scale;
    v->line = fmax(v->line, 0.45 * v->camera.distance / v->camera.scale);
    return CAROM_OK;
}

double render_dot(size_t count, int width, int height)
{
    const double share = 0.02, side = width < height ? width : height; /* covered by all dots */
    const double most = 1.5 * fmax(1, side / (SIDE * 3 / 4));
    return fmin(most, sqrt(share * width * height / (PI * fmax((double)count, 1))));
}

/* Rays through 9 points of each pixel, fewer in very large pictures. */
static int fineness(int width, int height)
{
    const double pixels = (double)width * height;
    return pixels <= 4e6 ? 3 : pixels <= 16e6 ? 2 : 1;
}

static carom_status find_molecules(renderer *v, error *e)
{
    const connection kinds[] = {{(const uint32_t *const *)v->links->spring, v->links->springs},
                                {(const uint32_t *const *)v->links->segment, v->links->segments}};
    return molecules_create(&v->molecules, v->about->count, kinds, 2, e);
}

static carom_status prepare(renderer *v, const render_report *report, error *e)
{
    const size_t count = v->about->count;
    v->is_vertex = NEW_ARRAY(count, bool);
    v->paint = NEW_ARRAY(count, uint32_t);
    v->value = NEW_ARRAY(count, double);
    v->shade = NEW_ARRAY(count, uint8_t);
    v->planes = NEW_ARRAY(v->options.plane_count, view_plane);
    if (v->is_vertex == NULL || v->paint == NULL || v->value == NULL || v->shade == NULL || v->planes == NULL)
        return error_memory(e, "a picture", count * 14);
    for (size_t k = 0; k < v->links->meshes; k++)
        memset(v->is_vertex + v->links->mesh[k].first, 1, v->links->mesh[k].vertices * sizeof *v->is_vertex);
    TRY(find_molecules(v, e));
    TRY(render_meshes_begin(v, e));
    TRY(render_find_extent(v, report, e));
    choose_size(v);
    TRY(choose_camera(v, report, e));
    size_t particles = 0;
    for (size_t i = 0; i < count; i++) particles += !v->is_vertex[i];
    v->dot = render_dot(particles, v->width, v->height);
    v->pixels = NEW_ARRAY((size_t)v->width * (size_t)v->height, uint32_t);
    if (v->pixels == NULL) return error_memory(e, "a picture", (size_t)v->width * (size_t)v->height * 4);
    if (v->frame.dimension == 3) TRY(raster_create(&v->raster, v->width, v->height, fineness(v->width, v->height), e));
    return render_colours_begin(v, report->first, report->frames, e);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static carom_status write_picture(renderer *v, const char *path, bool force, error *e)
{
    sink s;
    TRY(sink_open(&s, path, force, e));
    return sink_close(&s, canvas_png(v->pixels, v->width, v->height, &s.text, e), e);
}

static char *frame_path(const char *target, uint64_t index)
{
    size_t start, end;
    int digits;
    find_number(target, &start, &end, &digits);
    if (start == end) return memory_text(target);
    return memory_format("%.*s%0*" PRIu64 "%s", (int)start, target, digits, index, target + end);
}

static carom_status draw_frames(renderer *v, const char *target, bool force, movie *film, render_report *report,
                                error *e)
{
    for (uint64_t n = 0; n < report->frames; n++) {
        TRY(render_read(v, report->first + n, e));
        const double start = seconds();
        TRY(render_draw(v, e));
        const double drawn = seconds();
        report->draw_s += drawn - start;
        if (film != NULL) {
            TRY(movie_frame(film, v->pixels, e));
        } else {
            char *path = frame_path(target, report->first + n);
            carom_status status = path != NULL ? write_picture(v, path, force, e) : error_memory(e, "a file name", 1);
            memory_free(path);
            TRY(status);
        }
        report->write_s += seconds() - drawn;
    }
    return CAROM_OK;
}

/* A movie of few frames has a lower rate. */
static double choose_rate(const render_options *options, uint64_t frames)
{
    if (options->rate > 0) return options->rate;
    return fmin(fmax((double)frames / 6, 4), 25);
}

static carom_status draw_target(renderer *v, const char *target, target_kind kind, bool force, render_report *report,
                                error *e)
{
    movie *film = NULL;
    if (kind == TARGET_MOVIE) {
        const double rate = choose_rate(&v->options, report->frames);
        TRY(movie_open(&film, target, v->width, v->height, rate, force, e));
    }
    carom_status status = draw_frames(v, target, force, film, report, e);
    if (film != NULL) status = movie_close(film, status, e);
    report->width = v->width;
    report->height = v->height;
    report->by = render_by_names[v->by];
    return status;
}

static void free_renderer(renderer *v)
{
    render_meshes_end(v);
    molecules_free(&v->molecules);
    frame_destroy(&v->frame);
    raster_free(&v->raster);
    memory_free(v->is_vertex);
    memory_free(v->paint);
    memory_free(v->shade);
    memory_free(v->value);
    memory_free(v->planes);
    strain_free(&v->strain);
    memory_free(v->mesh_paint);
    memory_free(v->pixels);
}

carom_status render_frames(const render_source *from, const char *target, bool force, const render_options *options,
                           render_report *report, error *e)
{
    target_kind kind = TARGET_PNG;
    *report = (render_report){0};
    TRY(kind_of(target, &kind, e));
    TRY(check_size(options, e));
    TRY(choose_frames(from, options, kind, report, e));
    renderer v = {.from = from,
                  .about = from->about,
                  .options = *options,
                  .theme = theme_of(options->dark),
                  .links = from->links};
    if (kind == TARGET_MOVIE) { /* movies have an even width and height */
        v.options.width += v.options.width % 2;
        v.options.height += v.options.height % 2;
    }
    carom_status status = from->create(from->self, &v.frame, e);
    if (status != CAROM_OK) return status;
    status = prepare(&v, report, e);
    if (status == CAROM_OK) status = draw_target(&v, target, kind, force, report, e);
    free_renderer(&v);
    return status;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static carom_status create_of_result(const void *self, carom_frame *f, error *e)
{
    return reader_frame_create(self, f, e);
}

static carom_status frame_of_result(const void *self, uint64_t index, carom_frame *f, error *e)
{
    return export_frame(self, index, f, e);
}

static carom_status time_of_result(const void *self, uint64_t index, double *time, error *e)
{
    frame_row row;
    TRY(reader_row(self, index, &row, e));
    *time = row.f.time;
    return CAROM_OK;
}

carom_status render_result(const reader *r, const char *target, bool force, const render_options *options,
                           render_report *report, error *e)
{
    result_links links;
    TRY(reader_links(r, &links, e));
    const render_source from = {.name = reader_path(r),
                                .about = reader_about(r),
                                .self = r,
                                .create = create_of_result,
                                .read = frame_of_result,
                                .time = time_of_result,
                                .links = &links};
    const carom_status status = render_frames(&from, target, force, options, report, e);
    links_free(&links);
    return status;
}
