/* Loads on vertices that no material of the scene carries. */
#include "scene/where.h"
#include "variational/features/feature.h"
#include "variational/strains.h"

/* Elements would leave all space within a few steps, in layers without end. */
static const double MOST_STRAIN = 1000;

static carom_status refuse_strains(const scene *s, const initial_state *state, error *e)
{
    const load_strain worst = loads_strain(s, state);
    if (!(worst.strain > MOST_STRAIN)) return CAROM_OK;
    return scene_refuse(
        scene_at(s, "loads.%zu", worst.load), e,
        "load '%s': a force of %.3g on vertex %zu of mesh '%s' would stretch its edges to some %.1g times "
        "their length" HINT "give a smaller force, more vertices, or a stiffer mesh",
        s->loads[worst.load].name, worst.force, worst.vertex, s->meshes[worst.mesh].name, worst.strain);
}

const variational_feature variational_feature_loads = {.check_state = refuse_strains};
