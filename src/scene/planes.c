#include "scene/planes.h"

carom_status scene_refuse_leaning(const scene *s, error *e)
{
    for (size_t p = 0; p < s->plane_count; p++)
        for (int k = 0; k < s->dimension; k++)
            if (s->box.boundary[k] == BOUNDARY_PERIODIC && s->planes[p].normal[k] != 0)
                return error_set(e, CAROM_BAD_DATA,
                                 "%s: error: plane '%s' leans along axis %c, which is periodic: its images would be "
                                 "crossed; make that axis `wall` or `open`",
                                 s->source, s->planes[p].name, "xyz"[k]);
    return CAROM_OK;
}
