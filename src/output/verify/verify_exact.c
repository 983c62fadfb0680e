#include "output/verify/verify_exact.h"

#include <math.h>
#include <string.h>

#include "frame/frame.h"
#include "output/verify/verify_meshes.h"
#include "scene/exact.h"

/* The position of a moving surface has the error of the time times its velocity. */
static double doubt(const scene *s, size_t n, double time, const double moved[3])
{
    double later[3], sum = 0;
    scene_exact_moved(s, n, time * (1 + 0x1p-48), later);
    for (int k = 0; k < 3; k++) sum += fabs(later[k] - moved[k]);
    return sum;
}

void verify_exact(const carom_frame *f, const scene *s, const result_links *links, double tolerance,
                  beyond_found *found, void *data)
{
    const size_t dimension = (size_t)f->dimension;
    for (size_t n = 0; n < scene_exact_count(s); n++) {
        const scene_exact exact = scene_exact_at(s, n);
        double moved[3], r[3] = {0, 0, 0};
        scene_exact_moved(s, n, f->time, moved);
        const double allowed = tolerance + doubt(s, n, f->time, moved);
        for (uint32_t i = 0; i < f->count; i++) {
            memcpy(r, f->position + i * dimension, dimension * sizeof *r);
            const double depth = f->radius[i] - scene_exact_height(&exact, moved, r);
            if (depth > allowed && !frame_is_absent(f, i) && !verify_is_vertex(links, i))
                found(exact.kind->name, scene_exact_name(s, n), i, depth, data);
        }
    }
}
