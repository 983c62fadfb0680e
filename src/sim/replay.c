/* The live page of a result file: its frames, in sequence or as viewers select. */
#include "sim/view_api.h"

#include "base/memory.h"
#include "output/results/read.h"
#include "sim/charts.h"
#include "sim/file_api.h"

#include <math.h>
#include <time.h>

/* Seconds. Interval between checks of a file that is being written; longest time without a new frame before the run
 * counts as ended. */
static const double frame_interval = 1 / 40.0, long_wait = 10, look_every = 0.5, patience = 60;
enum { HISTORY_ROWS = 256 };

typedef struct replay {
    carom_view *view;
    reader *file;
    const scene *scene; /* NULL: its text cannot be read by this version */
    carom_frame frame;
    uint64_t index;
    bool paused, stale;     /* stale: the page shows an earlier state */
    double speed;           /* simulated time per second */
    double time, next_time; /* of the frame, and of the next; infinite after the last */
    double clock_wall, clock_time;
    view_moment last;        /* of the file */
    double looked, had_news; /* wall clock: last check of a file that is being written, and last new frame */
} replay;

static carom_status time_of(replay *r, uint64_t index, double *time)
{
    frame_row row = {0};
    *time = INFINITY;
    if (index >= reader_about(r->file)->frames) return CAROM_OK;
    TRY(reader_row(r->file, index, &row, &r->view->message));
    *time = row.f.time;
    return CAROM_OK;
}

static carom_status go_to(replay *r, uint64_t index)
{
    const uint64_t frames = reader_about(r->file)->frames;
    r->index = index < frames ? index : frames - 1;
    r->stale = true;
    TRY(reader_frame(r->file, r->index, &r->frame, &r->view->message));
    r->time = r->frame.time;
    return time_of(r, r->index + 1, &r->next_time);
}

static void set_clock(replay *r)
{
    r->clock_wall = clock_wall();
    r->clock_time = r->time;
}

static void publish(replay *r)
{
    view_surfaces_at(&r->view->surfaces, r->scene, r->time);
    view_status status = {.state = r->paused ? VIEW_PAUSED : VIEW_RUNNING,
                          .speed = r->speed,
                          .index = r->index,
                          .frames = reader_about(r->file)->frames,
                          .unfinished = reader_about(r->file)->live,
                          .last = r->last};
    status_surfaces(&status, &r->view->surfaces);
    server_publish(r->view->server, &r->frame, &status);
    r->stale = false;
}

/* The file of a run that was killed is also marked as being written. */
static bool expects_more(const replay *r)
{
    return reader_about(r->file)->live && clock_wall() - r->had_news < patience;
}

static carom_status obey(replay *r, const view_command *command)
{
    carom_status status = CAROM_OK;
    switch (command->verb) {
    case VIEW_PLAY: /* from the end: restart */
        r->paused = false;
        if (isinf(r->next_time) && !expects_more(r)) status = go_to(r, 0);
        break;
    case VIEW_PAUSE:
        r->paused = true;
        break;
    case VIEW_STEP:
        r->paused = true;
        status = go_to(r, r->index + (uint64_t)command->number);
        break;
    case VIEW_SEEK:
        r->paused = true;
        status = go_to(r, (uint64_t)command->number);
        break;
    case VIEW_SPEED:
        r->speed = command->number;
        break;
    case VIEW_NEXT:
        break;
    }
    set_clock(r);
    r->stale = true;
    return status;
}

/* Shows the last frame that is due; without a pace, the next frame. */
static carom_status play(replay *r)
{
    const double now = isinf(r->speed) ? r->next_time : r->clock_time + (clock_wall() - r->clock_wall) * r->speed;
    uint64_t index = r->index;
    double next = r->next_time;
    while (next <= now && isfinite(next)) TRY(time_of(r, ++index + 1, &next));
    if (index != r->index) TRY(go_to(r, index));
    if (isinf(r->next_time) && !expects_more(r)) {
        r->paused = true;
        r->stale = true;
    }
    return CAROM_OK;
}

/* Reads the frames that a run has added. A failed read, as during a write, is repeated later. */
static carom_status look_for_more(replay *r)
{
    const result_about *about = reader_about(r->file);
    const uint64_t before = about->frames;
    if (!about->live || clock_wall() - r->looked < look_every) return CAROM_OK;
    r->looked = clock_wall();
    if (reader_refresh(r->file, &r->view->message) != CAROM_OK) {
        error_clear(&r->view->message);
        return CAROM_OK;
    }
    r->stale = r->stale || about->frames > before || !about->live;
    if (about->frames == before) return CAROM_OK;
    r->had_news = r->looked;
    TRY(time_of(r, r->index + 1, &r->next_time));
    return moment_of_result(r->file, about->frames - 1, &r->last, &r->view->message);
}

/* Waits until a frame is due. */
static double wait_of(const replay *r)
{
    const double most = reader_about(r->file)->live ? look_every : long_wait;
    const double next = (r->next_time - r->clock_time) / r->speed + r->clock_wall - clock_wall();
    return r->paused || isinf(r->next_time) ? most : fmin(fmax(next, frame_interval), most);
}

static carom_status play_all(replay *r)
{
    view_server *server = r->view->server;
    while (atomic_load(&r->view->stop_requested) == 0) {
        view_command command;
        while (server_command(server, &command)) TRY(obey(r, &command));
        if (!server_visited(server)) {
            server_wait(server, long_wait);
            set_clock(r);
            continue;
        }
        TRY(look_for_more(r));
        if (!r->paused) TRY(play(r));
        if (r->stale) publish(r);
        server_wait(server, wait_of(r));
    }
    return CAROM_OK;
}

/* ---- contents ---------------------------------------------------------------------------------------------------- */

static carom_status read_history(replay *r, view_moment **history, size_t *count)
{
    const result_about *about = reader_about(r->file);
    uint64_t every = about->frames / HISTORY_ROWS + 1;
    *history = NEW_ARRAY(HISTORY_ROWS, view_moment);
    if (*history == NULL) return error_memory(&r->view->message, "the charts", HISTORY_ROWS * sizeof **history);
    for (uint64_t k = 0; k < about->frames && *count < HISTORY_ROWS; k += every) {
        TRY(moment_of_result(r->file, k, &(*history)[*count], &r->view->message));
        ++*count;
    }
    return moment_of_result(r->file, about->frames - 1, &r->last, &r->view->message);
}

static carom_status show(replay *r, const result_links *links)
{
    error *e = &r->view->message;
    view_moment *history = NULL;
    subject made;
    view_surfaces_at(&r->view->surfaces, r->scene, r->time);
    carom_status status = subject_of_result(&made, r->file, links, r->scene, &r->frame, &r->view->surfaces, e);
    r->speed = made.shown.speed;
    if (status == CAROM_OK) status = read_history(r, &history, &made.shown.history_count);
    made.shown.history = history;
    if (status == CAROM_OK) status = server_show(r->view->server, &made.shown, e);
    memory_free(history);
    subject_free(&made);
    return status;
}

/* The charts of the file when it was opened. */
static carom_status show_charts(replay *r)
{
    charts *c = charts_new();
    if (c == NULL) return error_memory(&r->view->message, "the charts", 1 << 15);
    carom_status status = charts_take_result(c, r->file, &r->view->message);
    if (status == CAROM_OK && charts_changed(c)) server_charts(r->view->server, charts_text(c));
    charts_free(c);
    return status;
}

static carom_status replay_all(replay *r, const result_links *links)
{
    TRY(reader_frame_create(r->file, &r->frame, &r->view->message));
    TRY(go_to(r, 0));
    TRY(show(r, links));
    TRY(show_charts(r));
    return play_all(r);
}

/* Waits for the first frame of a run that has just started. */
static void await_frames(carom_view *view, reader *file)
{
    const struct timespec wait = {.tv_nsec = 20000000};
    const double begun = clock_wall();
    while (reader_about(file)->frames == 0 && reader_about(file)->live && clock_wall() - begun < patience &&
           atomic_load(&view->stop_requested) == 0) {
        if (reader_refresh(file, &view->message) != CAROM_OK) error_clear(&view->message);
        nanosleep(&wait, NULL);
    }
}

static carom_status need_frames(carom_view *view, carom_file *file)
{
    NEED(view, file);
    carom_status status = file_need_result(file, "show");
    if (status != CAROM_OK) return error_set(&view->message, status, "%s", error_text(&file->message));
    await_frames(view, file->result);
    if (reader_about(file->result)->frames > 0) return CAROM_OK;
    return error_set(&view->message, CAROM_BAD_DATA, "error: '%s' has no frames to show", file->path);
}

carom_status carom_view_replay(carom_view *view, carom_file *file)
{
    ENTER(view, "the page is not served");
    error_clear(&view->message);
    TRY(need_frames(view, file));
    reader *opened = file->result;
    result_links links = {0};
    carom_scene *loaded = stored_scene(opened);
    replay r = {
        .had_news = clock_wall(), .view = view, .file = opened, .scene = loaded != NULL ? loaded->checked : NULL};
    carom_status status = reader_links(opened, &links, &view->message);
    if (status == CAROM_OK) status = replay_all(&r, &links);
    frame_destroy(&r.frame);
    links_free(&links);
    carom_scene_free(loaded);
    return status;
}
