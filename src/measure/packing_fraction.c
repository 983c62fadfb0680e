/* The volume of the particles divided by that of the box; overlaps count twice. */
#include <math.h>

#include "base/pi.h"
#include "geometry/shapes.h"
#include "measure/box.h"
#include "measure/gauge.h"

static const settings_table settings = {
    .name = "packing_fraction",
    .help = "volume of the particles (area in 2D) over that of the box",
};

static const series_column columns[] = {{"packing_fraction", "", 1, true}};

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    if (box_has(first, BOUNDARY_OPEN))
        return error_set(e, CAROM_BAD_DATA,
                         "error: packing_fraction needs a volume: make every boundary of the box periodic or wall");
    return gauge_create(self, &settings, columns, 1, first, e);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    const double ball = frame->dimension == 3 ? 4 * PI / 3 : PI;
    double volume = 0;
    frame_need(frame, FRAME_RADIUS | FRAME_AXIS);
    for (size_t i = 0; i < frame->count; i++) {
        const double *semi = frame->semi_axes != NULL ? frame->semi_axes + 3 * i : NULL;
        const uint32_t kind = frame->shape != NULL ? frame->shape[i] : BODY_ELLIPSOID;
        if (semi == NULL)
            volume += pow(frame->radius[i], frame->dimension);
        else
            volume += semi[0] * semi[1] * (frame->dimension == 3 ? semi[2] : 1) *
                      shapes[kind]->fullness(frame->dimension, semi);
    }
    volume = box_ratio(volume * ball, box_volume(frame));
    gauge *g = self;
    return series_add(&g->rows, frame->time, 1.0, &volume, e);
}

const observable observable_packing_fraction = {.settings = &settings,
                                                .separate = true,
                                                .needs_particles = true,
                                                .create = create,
                                                .sample = sample,
                                                GAUGE_FUNCTIONS};
