#include "scene/planes.h"

#include <math.h>

#include "base/pi.h"
#include "scene/where.h"

carom_status scene_refuse_leaning(const scene *s, error *e)
{
    for (size_t p = 0; p < s->plane_count; p++)
        for (int k = 0; k < s->dimension; k++)
            if (s->box.boundary[k] == BOUNDARY_PERIODIC && s->planes[p].normal[k] != 0)
                return scene_refuse(
                    scene_at(s, "planes.%zu.normal", p), e,
                    "plane '%s' leans along axis %c, which is periodic: its images would be crossed" HINT
                    "make that axis `wall` or `open`",
                    s->planes[p].name, "xyz"[k]);
    return CAROM_OK;
}

double scene_plane_height(const scene_plane *plane, const double *moved, const double r[3])
{
    double height = 0;
    for (int k = 0; k < 3; k++) height += plane->normal[k] * (r[k] - plane->point[k] - (moved != NULL ? moved[k] : 0));
    return height;
}

void scene_drive_moved(const scene_drive *d, double time, double moved[3])
{
    for (size_t k = 0; k < d->motion_count && d->motion[k].time < time; k++) {
        const scene_motion *m = &d->motion[k];
        const double from = fmax(m->time, 0), to = k + 1 < d->motion_count ? fmin(m[1].time, time) : time;
        const double since = fmax(to - from, 0), turn = 2 * PI * m->frequency;
        const double sine = m->frequency > 0 ? sin(turn * since + m->phase) - sin(m->phase) : 0;
        for (int c = 0; c < 3; c++) moved[c] += since * m->velocity[c] + sine * m->swing[c];
    }
}

void scene_plane_moved(const scene *s, size_t plane, double time, double moved[3])
{
    for (int c = 0; c < 3; c++) moved[c] = 0;
    for (size_t k = 0; k < s->drive_count; k++)
        if (s->drives[k].plane == plane) scene_drive_moved(&s->drives[k], time, moved);
}
