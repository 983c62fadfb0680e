/* Stepped potentials, liquid bridges and bonds: refused combinations, and the smallest periodic box. */
#include "hard/features/feature_checks.h"

#include "hard/settings.h"
#include "scene/scale.h"
#include "scene/where.h"

#include <math.h>

/* Only the stable rule detects steps beyond contact, and sleeping bodies interact only with their supports. */
static carom_status check_potentials(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    if (s->potential_count + s->bonds_count == 0) return CAROM_OK;
    const char *what = s->potential_count > 0 ? "potentials" : "bonds";
    if (settings->collapse.policy == COLLAPSE_SLEEP)
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy is sleep, but the scene has %s, by which sleeping particles do not "
                            "interact" HINT "use tc or cutoff",
                            what);
    if (settings->detection != DETECTION_STABLE)
        return scene_refuse(scene_at(s, "hard.detection"), e, "%s need the stable rule" HINT "leave hard.detection out",
                            what);
    return CAROM_OK;
}

/* A particle interacts with the nearest image of another particle only: the range of potentials and bonds has to be
 * below half of the box. */
static carom_status check_reach(const scene *s, const initial_state *state, error *e)
{
    double widest = 0, reach = 0;
    for (size_t i = 0; i < state->count; i++) widest = fmax(widest, state->diameter[i]);
    for (size_t k = 0; k < s->potential_count; k++) reach = fmax(reach, widest * s->potentials[k].steps[0].distance);
    for (size_t k = 0; k < s->bonds_count; k++) reach = fmax(reach, s->bonds[k].longest);
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] == BOUNDARY_PERIODIC && state->size[k] < SCALE_PERIODIC * reach)
            return scene_refuse(scene_at_size(s), e,
                                "the periodic box is too small for its potentials and bonds: it is %.6g long along "
                                "%c, and needs %g times their reach, %.6g" HINT "use more particles or a larger box",
                                state->size[k], "xyz"[k], SCALE_PERIODIC, SCALE_PERIODIC * reach);
    return CAROM_OK;
}

const feature_checks hard_feature_potentials = {.check = check_potentials, .check_state = check_reach};
