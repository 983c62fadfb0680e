/* Boundaries beside fixed walls and planes: rigid meshes and driven boundaries. Checks that `hard` supports their kinds
 * and that no particle overlaps them at the start. */
#include "hard/features/feature_checks.h"

#include "hard/settings.h"
#include "scene/exact.h"
#include "scene/gates.h"
#include "scene/state/mesh_space.h"

#include <float.h>
#include <math.h>

enum { NAMED = 5, MOST_TRIANGLES = 0x7fff0000 };

static carom_status check_kinds(const scene *s, const initial_state *state, error *e)
{
    carom_status status = CAROM_OK;
    size_t triangles = 0;
    for (size_t k = 0; k < s->mesh_count; k++) {
        triangles += state->meshes[k].triangle_count;
        if (!s->meshes[k].rigid)
            status = scene_refuse(scene_at(s, "meshes.%zu.rigid", k), e,
                                  "mesh '%s': the engine `hard` has rigid meshes only" HINT "set `rigid: true`, or use "
                                  "`engine: variational`",
                                  s->meshes[k].name);
    }
    if (status != CAROM_OK) return status;
    if (triangles >= MOST_TRIANGLES)
        return scene_refuse(scene_whole(s), e, "%zu triangles are more than the engine can number", triangles);
    if (state->mesh_first[0] == 0)
        return scene_refuse(scene_at(s, "meshes"), e, "no particles: nothing moves" HINT "add some to `particles`");
    return CAROM_OK;
}

/* Refuses settings that cannot be combined with these boundaries. */
static carom_status check_settings(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    const char *what = s->mesh_count > 0          ? "meshes"
                       : scene_exact_count(s) > 0 ? scene_exact_at(s, 0).kind->names
                                                  : "driven boundaries";
    if (settings->detection != DETECTION_STABLE)
        return scene_refuse(
            scene_at(s, "hard.detection"), e,
            "%s: contacts with them are found by the stable rule only" HINT "leave 'hard.detection' out", what);
    for (size_t k = 0; k < s->particles_count; k++)
        if (s->particles[k].place == PLACE_COMPRESS && s->drive_count > 0)
            return scene_refuse(scene_at(s, "particles.%zu.place", k), e,
                                "compression changes the positions of particles, possibly into driven boundaries" HINT
                                "use another `place`");
    return CAROM_OK;
}

static carom_status check_drives(const scene *s, error *e)
{
    carom_status status = CAROM_OK;
    for (size_t d = 0; d < s->drive_count; d++) {
        const scene_drive *one = &s->drives[d];
        if (one->plane == SIZE_MAX && scene_drive_exact_kind(one) == NULL && one->mesh == SIZE_MAX)
            status =
                scene_refuse(scene_at(s, "drives.%zu.particles", d), e,
                             "drive '%s': the engine `hard` moves planes%s and rigid meshes only" HINT "use `engine: "
                             "variational` for particles",
                             one->name, scene_exact_words(s, true, ", ", ", ", "").text);
        for (int k = 0; k < s->dimension && one->mesh != SIZE_MAX && one->motion_count > 0; k++)
            if (s->box.boundary[k] == BOUNDARY_PERIODIC)
                return scene_refuse(scene_at(s, "box.boundary"), e,
                                    "drive '%s' moves a mesh, but axis %c is periodic" HINT "make it `wall` or `open`",
                                    one->name, "xyz"[k]);
    }
    return status;
}

/* ---- meshes that appear or vanish, drives that start ------------------------------------------------------------- */

static carom_status check_interval(const scene *s, size_t k, const char *key, double every, double least, error *e)
{
    return every == 0 ? CAROM_OK : hard_check_interval(scene_at(s, "meshes.%zu.%s.every", k, key), every, least, e);
}

static carom_status check_intervals(const scene *s, const initial_state *state, error *e)
{
    const double least = scene_meshes_change(s) || s->drive_count > 0 ? hard_least_interval(s, state) : 0;
    for (size_t k = 0; k < s->mesh_count; k++) {
        const scene_moment *in = &s->meshes[k].appear, *out = &s->meshes[k].vanish;
        TRY(check_interval(s, k, "appear", in->every, least, e));
        TRY(check_interval(s, k, "appear.when", in->when.every, least, e));
        TRY(check_interval(s, k, "vanish.when", out->when.every, least, e));
    }
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].start.given)
            TRY(hard_check_interval(scene_at(s, "drives.%zu.start.when.every", d), s->drives[d].start.when.every, least,
                                    e));
    return CAROM_OK;
}

/* ---- the initial state ------------------------------------------------------------------------------------------- */

static bool overlaps(const mesh_space *meshes, const initial_state *state, size_t which, size_t i, mesh_near *n)
{
    const double contact = 0.5 * (state->diameter[i] + meshes->s->meshes[which].thickness);
    double longest = 0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, fmax(state->size[k], fabs(state->position[i][k])));
    *n = mesh_space_nearest(meshes, which, state->position[i], contact);
    return contact - n->distance > fmax(1e-12 * contact, 4 * DBL_EPSILON * longest);
}

static carom_status check_mesh(const mesh_space *meshes, const initial_state *state, size_t which, error *e)
{
    const scene *s = meshes->s;
    size_t found = 0;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < state->mesh_first[0]; i++) {
        mesh_near n;
        const double *r = state->position[i];
        if (state->absent != NULL && state->absent[i]) continue;
        if (!overlaps(meshes, state, which, i, &n) || ++found > NAMED) continue;
        status = scene_refuse(scene_at(s, "meshes.%zu", which), e,
                              "particle %zu at (%.10g, %.10g, %.10g) overlaps triangle %lu of mesh '%s': their "
                              "distance is %.10g, contact is at %.10g",
                              i, r[0], r[1], r[2], (unsigned long)n.triangle, s->meshes[which].name, n.distance,
                              0.5 * (state->diameter[i] + s->meshes[which].thickness));
    }
    if (found > NAMED)
        scene_refuse(scene_at(s, "meshes.%zu", which), e, "%zu particles in all overlap mesh '%s' at the start", found,
                     s->meshes[which].name);
    return status;
}

static carom_status check_meshes(const scene *s, const initial_state *state, error *e)
{
    carom_status status = CAROM_OK;
    if (s->mesh_count + scene_exact_count(s) + s->drive_count > 0) TRY(check_settings(s, e));
    TRY(check_drives(s, e));
    if (s->mesh_count == 0) return CAROM_OK;
    TRY(check_kinds(s, state, e));
    TRY(gates_check_state(s, state, e));
    TRY(check_intervals(s, state, e));
    mesh_space meshes;
    status = mesh_space_create(&meshes, s, state->meshes, state->size, e);
    for (size_t k = 0; k < s->mesh_count && status != CAROM_INTERNAL; k++) {
        if (s->meshes[k].appear.given) continue;
        carom_status one = check_mesh(&meshes, state, k, e);
        if (status == CAROM_OK) status = one;
    }
    mesh_space_destroy(&meshes);
    return status;
}

const feature_checks hard_feature_meshes = {.check = gates_check, .check_state = check_meshes};
