#include "hard/kernel/true_place.h"
#include "hard/kernel/features/shear.h"
#include "hard/kernel/images.h"
#include "hard/kernel/narrow/flight.h"
/* The rest is exact. The number of boxes belongs to this rest: floor(way / box) may be larger by one. */
static drifted drifted_until(const gas *g, double time)
{
    const double since = time - g->frame_since;
    drifted d = {{0}, {0}, {0}};
    for (int k = 0; k < DIM; k++) {
        if (g->drift[k] == 0 && g->fall[k] == 0) continue;
        const double way = (g->drift[k] + 0.5 * g->fall[k] * since) * since, box = (double)g->box[k];
        d.speed[k] = g->drift[k] + g->fall[k] * since;
        d.rest[k] = way;
        if (box == 0) continue;
        d.rest[k] = fmod(way, box);
        d.boxes[k] = round((way - d.rest[k]) / box);
        if (!(d.rest[k] < 0)) continue;
        d.rest[k] += box;
        d.boxes[k]--;
    }
    return d;
}

static void place_sheared(const gas *g, uint32_t i, real t, real r[DIM], real v[DIM], int64_t image[DIM])
{
    position_at(g, i, t, r);
    memcpy(v, g->body[i].v, sizeof g->body[i].v);
    images_get(g, i, image);
    shear_wrap(g, t, r, v, image);
}
