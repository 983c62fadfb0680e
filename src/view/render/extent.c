/* The region that a picture shows. */
#include <math.h>

#include "view/render/render.h"

/* Bodies that are drawn in one piece extend beyond the box. */
static void see_whole(const renderer *v, framing *to)
{
    const carom_frame *f = &v->frame;
    for (size_t i = 0; i < f->count && v->options.whole; i++)
        for (int k = 0; k < f->dimension; k++) {
            const double x = f->position[i * (size_t)f->dimension + (size_t)k];
            if (f->boundary[k] == FRAME_PERIODIC && isfinite(x))
                framing_widen(to, k, x - f->radius[i], x + f->radius[i]);
        }
}

static void see_box(const carom_frame *f, framing *to)
{
    for (int k = 0; k < f->dimension; k++)
        if (f->boundary[k] != FRAME_OPEN) framing_widen(to, k, 0, f->box[k]);
}

/* `vessels`: only meshes that move as the scene prescribes. */
static void see_meshes(const renderer *v, framing *to, bool vessels)
{
    for (size_t m = 0; m < v->links->meshes; m++) {
        const result_mesh *mesh = &v->links->mesh[m];
        for (size_t i = mesh->first; i < (size_t)mesh->first + mesh->vertices && (mesh->rigid || !vessels); i++) {
            double x[3];
            render_unwrapped(&v->frame, i, x);
            for (int k = 0; k < v->frame.dimension && isfinite(x[k]); k++)
                framing_widen(to, k, x[k] - v->frame.radius[i], x[k] + v->frame.radius[i]);
        }
    }
}

/* Bodies that have left a vessel are not followed: the vessel and the initial region stay in the picture. */
static carom_status find_limits(renderer *v, framing *limits, error *e)
{
    framing start = framing_none(), all = framing_all();
    bool vessel = false;
    *limits = all;
    for (size_t m = 0; m < v->links->meshes; m++) vessel = vessel || v->links->mesh[m].rigid;
    if (!vessel) return CAROM_OK;
    TRY(render_read(v, 0, e));
    see_box(&v->frame, &start);
    see_meshes(v, &start, true);
    framing_see(&start, &v->frame, v->is_vertex, &all);
    *limits = framing_vicinity(&start, v->frame.dimension);
    return CAROM_OK;
}

static void keep(renderer *v, const framing *f)
{
    for (int k = 0; k < 3; k++) {
        v->low[k] = f->low[k];
        v->high[k] = f->high[k];
    }
}

/* The projections of the bodies onto planes that are not too far away, so that the picture contains these planes. */
static void see_planes(renderer *v, double across, const double middle[3])
{
    enum { FAR = 10 };
    for (size_t n = 0; n < v->options.plane_count; n++) {
        const view_plane *p = &v->planes[n];
        double above = 0;
        for (int k = 0; k < v->frame.dimension; k++) above += (middle[k] - p->point[k]) * p->normal[k];
        for (int k = 0; k < v->frame.dimension && fabs(above) < FAR * across; k++) {
            const double foot = middle[k] - above * p->normal[k];
            if (v->frame.boundary[k] != FRAME_OPEN) continue;
            v->low[k] = fmin(v->low[k], foot);
            v->high[k] = fmax(v->high[k], foot);
        }
    }
}

uint64_t render_sampled_frame(const render_report *report, uint64_t style, uint64_t samples)
{
    return report->first + (samples > 1 ? style * (report->frames - 1) / (samples - 1) : 0);
}

/* Along axes without extent, the length is 1. */
static void leave_room(renderer *v, double across)
{
    for (int k = 0; k < 3; k++) {
        if (!(v->high[k] >= v->low[k]) || !isfinite(v->high[k] - v->low[k])) v->low[k] = 0, v->high[k] = across;
        if (v->high[k] - v->low[k] < 0.02 * across) v->low[k] -= 0.01 * across, v->high[k] += 0.01 * across;
    }
}

carom_status render_find_extent(renderer *v, const render_report *report, error *e)
{
    const uint64_t samples = report->frames < RENDER_SAMPLES ? report->frames : RENDER_SAMPLES;
    const camera_options *options = &v->options.camera;
    framing seen = framing_none(), limits;
    TRY(find_limits(v, &limits, e));
    for (uint64_t n = 0; n < samples; n++) {
        TRY(render_read(v, render_sampled_frame(report, n, samples), e));
        see_box(&v->frame, &seen);
        see_whole(v, &seen);
        see_meshes(v, &seen, false);
        framing_see(&seen, &v->frame, v->is_vertex, &limits);
    }
    for (int k = 0; k < v->frame.dimension && options->framed; k++) {
        seen.low[k] = options->low[k];
        seen.high[k] = options->high[k];
    }
    keep(v, &seen);
    double across = 0;
    for (int k = 0; k < v->frame.dimension; k++) across = fmax(across, v->high[k] - v->low[k]);
    if (!(across > 0) || !isfinite(across)) across = 1;
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (v->low[k] + v->high[k]);
    for (uint64_t n = 0; n < samples && v->options.plane_count > 0 && !options->framed; n++) {
        double time;
        TRY(v->from->time(v->from->self, render_sampled_frame(report, n, samples), &time, e));
        v->options.planes_at(v->options.world, time, v->planes, v->options.plane_count);
        see_planes(v, across, middle);
    }
    if (!options->framed) render_see_exact(v, across, middle);
    leave_room(v, across);
    return CAROM_OK;
}
