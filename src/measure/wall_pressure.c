/* Force per area of the particles on each face of the box. The area is that of the box, not that accessible to the
 * centres. */
#include <string.h>

#include "measure/box.h"
#include "measure/gauge.h"

static const settings_table settings = {
    .name = "wall_pressure",
    .help = "force per area on the walls of the box: their mean, and each face (low and high side of each axis)",
};

static void look(const carom_frame *f, double now[GAUGE_LAST])
{
    for (int a = 0; a < f->dimension; a++)
        for (int side = 0; side < 2; side++) now[2 * a + side] = f->tallies.wall_impulse[a][side];
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    const series_column columns[] = {{"wall_pressure", "energy / volume", 1, true},
                                     {"faces", "energy / volume", 2 * (size_t)first->dimension, true}};
    (void)unused;
    if (!box_has(first, BOUNDARY_WALL))
        return error_set(e, CAROM_BAD_DATA, "error: wall_pressure needs a wall: no boundary of the box is one");
    TRY(gauge_create(self, &settings, columns, 2, first, e));
    look(first, ((gauge *)*self)->last);
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    double now[GAUGE_LAST] = {0}, row[1 + 6] = {0}, force = 0.0, walls = 0.0, interval = frame->time - g->last_time;
    if (!(interval > 0.0)) return CAROM_OK;
    look(frame, now);
    for (int a = 0; a < frame->dimension; a++) {
        double area = box_volume(frame) / frame->box[a];
        for (int face = 2 * a; face < 2 * a + 2; face++) {
            double push = (now[face] - g->last[face]) / interval;
            row[1 + face] = box_ratio(push, area);
            if (frame->boundary[a] != BOUNDARY_WALL) continue;
            force += push;
            walls += area;
        }
    }
    row[0] = box_ratio(force, walls);
    g->last_time = frame->time;
    memcpy(g->last, now, sizeof now);
    return series_add(&g->rows, frame->time, interval, row, e);
}

const observable observable_wall_pressure = {.settings = &settings,
                                             .of = MEASURE_EVENTS,
                                             .tallies = TALLY_IMPULSES,
                                             .create = create,
                                             .sample = sample,
                                             GAUGE_FUNCTIONS};
