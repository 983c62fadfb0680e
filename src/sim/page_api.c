/* carom_page_*: the page as a file, with recorded frames. */
#include <math.h>

#include "base/memory.h"
#include "output/results/sink.h"
#include "sim/charts.h"
#include "sim/file_api.h"
#include "sim/view_api.h"
#include "view/server/recording.h"

static const double megabyte = 1e6, usual_megabytes = 20, most_megabytes = 2000;
enum { USUAL_FRAMES = 300, MOST_FRAMES = 1000000 };

struct carom_page {
    guard guard;
    error message;
    carom_page_options options;
    bool of_file;
    recording recording;
    uint64_t recorded; /* number of frames so far */
    view_surfaces surfaces;
    view_choice choice; /* of the first frame */
    picture picture;
    size_t count; /* particles of the first frame */
};

static carom_status read_options(carom_page *page, const carom_page_options *given)
{
    carom_page_options o = given != NULL ? *given : (carom_page_options){0};
    if (o.frames == 0) o.frames = USUAL_FRAMES;
    if (o.particles == 0) o.particles = VIEW_POINTS;
    if (!(o.megabytes < 0 || o.megabytes > 0)) o.megabytes = usual_megabytes;
    page->options = o;
    if (o.frames < 2 || o.frames > MOST_FRAMES)
        return error_set(&page->message, CAROM_USAGE, "error: a page can have 2 to %d frames, not %d", MOST_FRAMES,
                         o.frames);
    if (o.particles < 1 || o.particles > VIEW_POINTS)
        return error_set(&page->message, CAROM_USAGE, "error: a page can show 1 to %d particles, not %d", VIEW_POINTS,
                         o.particles);
    if (!(o.megabytes > 0 && o.megabytes <= most_megabytes))
        return error_set(&page->message, CAROM_USAGE,
                         "error: the size of a page is above 0 and up to %g megabytes, not %g", most_megabytes,
                         o.megabytes);
    return CAROM_OK;
}

carom_status carom_page_new(carom_page **out, const carom_page_options *options)
{
    if (out == NULL) return CAROM_USAGE;
    carom_page *page = NEW_ARRAY(1, carom_page);
    *out = page;
    if (page == NULL) return CAROM_INTERNAL;
    const carom_status status = read_options(page, options);
    recording_create(&page->recording, (size_t)page->options.frames, (size_t)(page->options.megabytes * megabyte));
    return guard_made(&page->guard, status);
}

void carom_page_free(carom_page *page)
{
    if (page == NULL || page->guard.busy) return;
    recording_destroy(&page->recording);
    picture_destroy(&page->picture);
    choice_free(&page->choice);
    error_clear(&page->message);
    memory_free(page);
}

const char *carom_page_message(const carom_page *page)
{
    return page != NULL ? error_text(&page->message) : "error: out of memory";
}

size_t carom_page_frames(const carom_page *page)
{
    return USABLE(page) ? page->recording.count : 0;
}

size_t carom_page_recorded(const carom_page *page)
{
    return USABLE(page) ? (size_t)page->recorded : 0;
}

/* ---- recording --------------------------------------------------------------------------------------------------- */

static carom_status begin(carom_page *page, subject *s)
{
    error *e = &page->message;
    size_t size = 0;
    s->shown.step = "one frame";
    s->shown.grains_most = (size_t)page->options.particles;
    TRY(choice_make(&page->choice, &s->shown, e));
    TRY(picture_create(&page->picture, &s->shown, &page->choice, e));
    page->count = s->shown.first->count;
    uint8_t *hello = encode_hello(&s->shown, &page->choice, &size);
    TRY(recording_take(&page->recording.hello, hello, size, e));
    uint8_t *things = encode_things(&s->shown, &page->choice, &size);
    return recording_take(&page->recording.things, things, size, e);
}

static carom_status add(carom_page *page, uint64_t number, const carom_frame *f, const view_moment *m)
{
    size_t size = 0;
    view_status status = {.state = VIEW_PAUSED};
    status_surfaces(&status, &page->surfaces);
    picture_fill(&page->picture, &page->choice, f, &status);
    uint8_t *message = encode_frame(&page->picture, &size);
    return recording_add(&page->recording, number, m, message, size, &page->message);
}

/* What cannot be recorded after the frames before. */
static carom_status check_order(carom_page *page, const carom_sim *sim)
{
    if (page->recorded == 0) return CAROM_OK;
    const double before = page->recording.frames[page->recording.count - 1].moment.time;
    if (page->of_file)
        return error_set(&page->message, CAROM_USAGE, "error: the page shows a result; record into another page");
    if (sim->frame.count != page->count)
        return error_set(&page->message, CAROM_USAGE,
                         "error: the page shows %zu particles, the simulation has %zu; record into another page",
                         page->count, sim->frame.count);
    if (!picture_suits(&page->picture, &sim->frame))
        return error_set(&page->message, CAROM_USAGE,
                         "error: the page shows a simulation with another dimension or other properties of particles; "
                         "record into another page");
    if (sim->time < before)
        return error_set(&page->message, CAROM_USAGE,
                         "error: the simulation is at time %.9g, before the last frame at %.9g; record into another "
                         "page",
                         sim->time, before);
    return CAROM_OK;
}

static carom_status record(carom_page *page, carom_sim *sim)
{
    TRY(check_order(page, sim));
    view_surfaces_at(&page->surfaces, sim->scene, sim->time);
    if (page->recorded == 0) {
        subject made;
        carom_status begun = subject_of_sim(&made, sim, &page->surfaces, &page->message);
        if (begun == CAROM_OK) begun = begin(page, &made);
        subject_free(&made);
        TRY(begun);
    }
    look(sim, sim->time);
    const carom_status status = callbacks_check(sim);
    if (status != CAROM_OK) return error_set(&page->message, status, "%s", error_text(&sim->message));
    frame_need(&sim->frame, FRAME_ALL & ~FRAME_HASH);
    const view_moment m = view_moment_of(&sim->frame);
    TRY(add(page, page->recorded, &sim->frame, &m));
    page->recorded++;
    return CAROM_OK;
}

carom_status carom_page_record(carom_page *page, carom_sim *sim)
{
    ENTER(page, "the page has not been created");
    error_clear(&page->message);
    NEED(page, sim);
    carom_status status = guard_check(&sim->guard, &sim->message, "the simulation has not been created");
    if (status != CAROM_OK) return error_set(&page->message, status, "%s", error_text(&sim->message));
    page->guard.busy = sim->guard.busy = true; /* user-defined potentials are called for their energy */
    status = record(page, sim);
    sim->guard.busy = false;
    return guard_leave(&page->guard, status);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static carom_status take_charts(carom_page *page, const reader *r)
{
    carom_status status = CAROM_OK;
    charts *c = charts_new();
    if (c == NULL) return error_memory(&page->message, "the charts", 1 << 15);
    status = charts_take_result(c, r, &page->message);
    if (status == CAROM_OK && charts_changed(c)) {
        char *text = charts_text(c);
        size_t size = 0;
        uint8_t *message = text != NULL ? encode_text(text, &size) : NULL;
        memory_free(text);
        status = recording_take(&page->recording.charts, message, size, &page->message);
    }
    charts_free(c);
    return status;
}

static carom_status take_frame(carom_page *page, const reader *r, const scene *known, uint64_t index, carom_frame *f)
{
    view_moment m;
    TRY(reader_frame(r, index, f, &page->message));
    TRY(moment_of_result(r, index, &m, &page->message));
    view_surfaces_at(&page->surfaces, known, f->time);
    return add(page, index, f, &m);
}

static carom_status take_frames(carom_page *page, const reader *r, const scene *known, carom_frame *f)
{
    const uint64_t frames = reader_about(r)->frames;
    recording *to = &page->recording;
    while (frames > to->most && (frames - 2) / to->every + 2 > to->most) to->every++;
    for (uint64_t k = 0; k < frames; k++)
        if (recording_keeps(to, k, k + 1 == frames)) TRY(take_frame(page, r, known, k, f));
    page->recorded = frames;
    return CAROM_OK;
}

static carom_status take_result(carom_page *page, const reader *r, const scene *known, const result_links *links,
                                carom_frame *f)
{
    subject made;
    TRY(reader_frame_create(r, f, &page->message));
    TRY(reader_frame(r, 0, f, &page->message));
    view_surfaces_at(&page->surfaces, known, f->time);
    carom_status status = subject_of_result(&made, r, links, known, f, &page->surfaces, &page->message);
    if (status == CAROM_OK) status = begin(page, &made);
    subject_free(&made);
    if (status == CAROM_OK) status = take_charts(page, r);
    return status == CAROM_OK ? take_frames(page, r, known, f) : status;
}

static carom_status add_file(carom_page *page, const reader *r)
{
    result_links links = {0};
    carom_frame frame = {0};
    carom_scene *loaded = stored_scene(r);
    carom_status status = reader_links(r, &links, &page->message);
    page->of_file = true;
    if (status == CAROM_OK) status = take_result(page, r, loaded != NULL ? loaded->checked : NULL, &links, &frame);
    frame_destroy(&frame);
    links_free(&links);
    carom_scene_free(loaded);
    return status;
}

carom_status carom_page_add_file(carom_page *page, carom_file *file)
{
    ENTER(page, "the page has not been created");
    error_clear(&page->message);
    NEED(page, file);
    const carom_status status = file_need_result(file, "show");
    if (status != CAROM_OK) return error_set(&page->message, status, "%s", error_text(&file->message));
    if (page->recorded > 0)
        return error_set(&page->message, CAROM_USAGE, "error: the page has frames already; add the result to another");
    if (reader_about(file->result)->frames == 0)
        return error_set(&page->message, CAROM_BAD_DATA, "error: '%s' has no frames to show", file->path);
    return guard_leave(&page->guard, add_file(page, file->result));
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static carom_status page_text(carom_page *page, text_buffer *out)
{
    error_clear(&page->message);
    if (page->recorded == 0)
        return error_set(&page->message, CAROM_USAGE, "error: the page has no frames; record some before writing it");
    const carom_status status = recording_page(&page->recording, page->recorded, out, &page->message);
    if (status != CAROM_OK) text_free(out);
    return status;
}

carom_status carom_page_write(carom_page *page, const char *target, bool force)
{
    text_buffer text = {0};
    sink to;
    ENTER(page, "the page has not been created");
    NEED(page, target);
    TRY(page_text(page, &text));
    const carom_status status = sink_open(&to, target, force, &page->message);
    if (status != CAROM_OK) {
        text_free(&text);
        return status;
    }
    to.text = text;
    return sink_close(&to, CAROM_OK, &page->message);
}

carom_status carom_page_text(carom_page *page, char **html)
{
    text_buffer out = {0};
    ENTER(page, "the page has not been created");
    NEED(page, html);
    *html = NULL;
    TRY(page_text(page, &out));
    *html = out.data;
    return CAROM_OK;
}
