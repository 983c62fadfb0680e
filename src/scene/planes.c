#include "scene/planes.h"

#include <math.h>

#include "scene/where.h"

carom_status scene_refuse_leaning(const scene *s, error *e)
{
    for (size_t p = 0; p < s->plane_count; p++)
        for (int k = 0; k < s->dimension; k++)
            if (s->box.boundary[k] == BOUNDARY_PERIODIC && s->planes[p].normal[k] != 0)
                return scene_refuse(scene_at(s, "planes.%zu.normal", p), e,
                                    "plane '%s' leans along axis %c, which is periodic: its images would be crossed; "
                                    "make that axis `wall` or `open`",
                                    s->planes[p].name, "xyz"[k]);
    return CAROM_OK;
}

carom_status scene_refuse_crossing(const scene *s, error *e)
{
    for (size_t n = 0; n < s->cylinder_count; n++)
        for (int k = 0; k < s->dimension; k++) {
            const double *a = s->cylinders[n].axis;
            const bool along = s->dimension == 3 && a[(k + 1) % 3] == 0 && a[(k + 2) % 3] == 0;
            if (s->box.boundary[k] == BOUNDARY_PERIODIC && !along)
                return scene_refuse(
                    scene_at(s, "cylinders.%zu.axis", n), e,
                    "cylinder '%s' does not run along axis %c, which is periodic: it would have images; "
                    "make that axis `wall` or `open`",
                    s->cylinders[n].name, "xyz"[k]);
        }
    return CAROM_OK;
}

double scene_plane_height(const scene_plane *plane, const double *moved, const double r[3])
{
    double height = 0;
    for (int k = 0; k < 3; k++) height += plane->normal[k] * (r[k] - plane->point[k] - (moved != NULL ? moved[k] : 0));
    return height;
}

double scene_cylinder_height(const scene_cylinder *c, const double *moved, const double r[3])
{
    double arm[3], along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        arm[k] = r[k] - c->through[k] - (moved != NULL ? moved[k] : 0);
        along += arm[k] * c->axis[k];
    }
    for (int k = 0; k < 3; k++) {
        const double across = arm[k] - along * c->axis[k];
        square += across * across;
    }
    return c->side == SIDE_INSIDE ? c->radius - sqrt(square) : sqrt(square) - c->radius;
}

static void move(const scene_drive *d, double time, double moved[3])
{
    for (size_t k = 0; k < d->motion_count && d->motion[k].time < time; k++) {
        const scene_motion *m = &d->motion[k];
        const double from = fmax(m->time, 0), to = k + 1 < d->motion_count ? fmin(m[1].time, time) : time;
        const double since = fmax(to - from, 0), turn = 6.283185307179586 * m->frequency;
        const double sine = m->frequency > 0 ? sin(turn * since + m->phase) - sin(m->phase) : 0;
        for (int c = 0; c < 3; c++) moved[c] += since * m->velocity[c] + sine * m->swing[c];
    }
}

void scene_plane_moved(const scene *s, size_t plane, double time, double moved[3])
{
    for (int c = 0; c < 3; c++) moved[c] = 0;
    for (size_t k = 0; k < s->drive_count; k++)
        if (s->drives[k].plane == plane) move(&s->drives[k], time, moved);
}

void scene_cylinder_moved(const scene *s, size_t cylinder, double time, double moved[3])
{
    for (int c = 0; c < 3; c++) moved[c] = 0;
    for (size_t k = 0; k < s->drive_count; k++)
        if (s->drives[k].cylinder == cylinder) move(&s->drives[k], time, moved);
}
