#include "variational/kernel/features/conditions.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/narrow/elements.h"

static carom_status condition_check_interval(const world *w, scene_spot at, double every, error *e)
{
    if (every >= w->choice.step) return CAROM_OK;
    return scene_refuse(at, e,
                        "an interval of %.6g is less than the time step of the contacts, %.6g: choose at least that",
                        every, w->choice.step);
}

static bool is_checked(const world *w, const scene_condition *when, uint32_t i)
{
    if (node_is_held(&w->node[i])) return false;
    for (size_t k = 0; k < when->mesh_count; k++) {
        const size_t at = when->meshes[k], next = at + 1;
        const uint32_t end = next < w->scene->mesh_count ? w->topology.mesh_first[next] : w->count;
        if (w->id[i] >= w->topology.mesh_first[at] && w->id[i] < end) return true;
    }
    return when->mesh_count == 0;
}

static bool condition_is_met(const world *w, const scene_condition *when, double t)
{
    double v[DIM];
    uint64_t present = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        present += !is_vertex(w, i) && !node_is_absent(&w->node[i]) && clump_begins(w, i);
        if (when->slower == 0 || !is_checked(w, when, i)) continue;
        node_velocity(w, i, t, v);
        if (!(dot(v, v) < when->slower * when->slower)) return false;
    }
    return present >= when->particles;
}
