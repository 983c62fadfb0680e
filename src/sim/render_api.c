/* The part of carom.h about pictures of frames. */
#include <string.h>

#include "base/memory.h"
#include "output/json_text.h"
#include "sim/file_api.h"
#include "sim/scene_api.h"
#include "sim/view_api.h"
#include "view/render.h"

/* The planes of a scene; none where that cannot be read. */
static void find_planes(const scene *s, render_plane **planes, size_t *count)
{
    *planes = NULL;
    *count = 0;
    if (s == NULL) return;
    *planes = NEW_ARRAY(s->plane_count, render_plane);
    for (size_t k = 0; *planes != NULL && k < s->plane_count; k++) {
        bool moved = false;
        for (size_t d = 0; d < s->drive_count; d++) moved = moved || s->drives[d].plane == k;
        if (moved) continue; /* results do not say where it has got to */
        memcpy((*planes)[*count].point, s->planes[k].point, sizeof s->planes[k].point);
        memcpy((*planes)[*count].normal, s->planes[k].normal, sizeof s->planes[k].normal);
        ++*count;
    }
}

static carom_status to_wish(const carom_render_options *o, const scene *s, render_wish *wish, error *e)
{
    int by = 0;
    while (o->colour != NULL && by < RENDER_BYS && strcmp(render_by_names[by], o->colour) != 0) by++;
    if (by == RENDER_BYS)
        return error_set(e, CAROM_USAGE, "error: colours are by species, speed, cluster, strain or layers, not by '%s'",
                         o->colour);
    if (o->frame < CAROM_RENDER_ALL || !(o->zoom >= 0) || o->zoom > 1e6 || !(o->rate >= 0) || o->rate > 1000)
        return error_set(e, CAROM_USAGE, "error: no such choice of frames, zoom or rate");
    *wish = (render_wish){.frame = o->frame,
                          .width = o->width,
                          .height = o->height,
                          .by = (render_by)by,
                          .dark = o->dark,
                          .camera = camera_of(s),
                          .rate = o->rate};
    if (o->turned) wish->camera.azimuth = o->azimuth;
    if (o->turned) wish->camera.elevation = o->elevation;
    if (o->zoom > 0) wish->camera.zoom = o->zoom;
    return CAROM_OK;
}

static carom_status report_json(const render_report *report, const char *target, char **out, error *e)
{
    json_text j = {0};
    json_open(&j, '{');
    json_key(&j, "picture");
    json_word(&j, target);
    json_key(&j, "first");
    json_count_put(&j, report->first);
    json_key(&j, "frames");
    json_count_put(&j, report->frames);
    json_key(&j, "width");
    json_count_put(&j, (uint64_t)report->width);
    json_key(&j, "height");
    json_count_put(&j, (uint64_t)report->height);
    json_key(&j, "colour");
    json_word(&j, report->by);
    json_key(&j, "draw_s");
    json_number_put(&j, report->draw_s);
    json_key(&j, "write_s");
    json_number_put(&j, report->write_s);
    json_close(&j, '}');
    *out = j.text.data;
    if (!j.text.failed) return CAROM_OK;
    text_free(&j.text);
    *out = NULL;
    return error_memory(e, "a report", 1 << 10);
}

carom_status carom_file_render(carom_file *file, const char *target, bool force, const carom_render_options *options,
                               char **json)
{
    static const carom_render_options usual = {.frame = CAROM_RENDER_SUITS};
    render_wish wish;
    render_report report;
    render_plane *planes = NULL;
    if (json != NULL) *json = NULL;
    TRY(file_need_result(file, "render"));
    carom_scene *loaded = stored_scene(file->result);
    const scene *s = loaded != NULL ? loaded->checked : NULL;
    carom_status status = to_wish(options != NULL ? options : &usual, s, &wish, &file->message);
    if (status == CAROM_OK) {
        find_planes(s, &planes, &wish.plane_count);
        wish.planes = planes;
        status = render_result(file->result, target, force, &wish, &report, &file->message);
    }
    memory_free(planes);
    carom_scene_free(loaded);
    return status == CAROM_OK && json != NULL ? report_json(&report, target, json, &file->message) : status;
}
