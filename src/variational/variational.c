/* The engine `variational`: asynchronous variational contact (Vouga, Harmon, Tamstorf, Grinspun). */
#include "variational/choose.h"
#include "variational/drive_collisions.h"
#include "variational/kernel.h"
#include "variational/settings.h"

#include "scene/planes.h"
#include "scene/where.h"

#include <math.h>

/* Instantaneous impulses, and clocks that begin anew, are shown where layers do best: no energy is lost but theirs. */
static carom_status check_contact(const scene *s, error *e)
{
    const variational_settings *settings = s->engine_settings;
    if (settings->contact == CONTACT_LAYERS) return CAROM_OK;
    const char *const name = settings->contact == CONTACT_IMPULSES ? "impulses" : "realigned";
    for (size_t k = 0; k < s->law_count; k++) {
        const restitution_law *l = &s->laws[k];
        const bool loses = l->kind != RESTITUTION_CONSTANT || l->value != 1;
        if (loses || l->friction != 0)
            return scene_refuse(scene_at_law(s, k, loses ? "restitution" : "friction"), e,
                                "`contact: %s` is for elastic and smooth contacts; leave '%s' out, or use `contact: "
                                "layers`",
                                name, loses ? "restitution" : "friction");
    }
    if (s->body_count > 0)
        return scene_refuse(scene_at(s, "bodies"), e,
                            "`contact: %s` cannot have rigid bodies, whose corners do not fly straight; leave 'bodies' "
                            "out, or use `contact: layers`",
                            name);
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].start.free)
            return scene_refuse(scene_at(s, "drives.%zu.start.free", d), e,
                                "`contact: %s` cannot have drive '%s' leave free what it moves; leave 'free' out, or "
                                "use `contact: layers`",
                                name, s->drives[d].name);
    if (settings->reference)
        return scene_refuse(scene_at(s, "variational.reference"), e,
                            "the reference is for `contact: layers`; leave 'reference' out");
    return CAROM_OK;
}

static carom_status check(const scene *s, error *e)
{
    TRY(check_contact(s, e));
    for (size_t k = 0; k < s->law_count; k++)
        if (s->laws[k].stick_given)
            return scene_refuse(scene_at_law(s, k, "stick"), e,
                                "nothing sticks in the engine `variational`; leave 'stick' out of contacts, or use "
                                "`engine: aggregation`");
    for (size_t d = 0; d < s->drive_count; d++)
        for (size_t k = 0; k < s->drives[d].motion_count; k++)
            if (s->drives[d].motion[k].frequency > 0)
                return scene_refuse(
                    scene_at(s, "drives.%zu.motion.%zu.oscillate", d, k), e,
                    "drive '%s' oscillates, which the engine `variational` cannot; give it a 'path', or "
                    "use `engine: hard`",
                    s->drives[d].name);
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].start.given && !isfinite(s->until.time))
            return scene_refuse(scene_at(s, "drives.%zu.start", d), e,
                                "drive '%s' may never start: set 'run.until.time'", s->drives[d].name);
    TRY(scene_refuse_thermal(s, s->engine_table->name, e));
    TRY(scene_refuse_exact(s, s->engine_table->name, e));
    return scene_refuse_leaning(s, e);
}

static const engine_kernel *kernel(const scene *s)
{
    const variational_settings *settings = s->engine_settings;
    const bool flat = s->dimension == 2;
    switch ((variational_contact)settings->contact) {
    case CONTACT_IMPULSES:
        return flat ? &kernel_variational_2d_impulses : &kernel_variational_3d_impulses;
    case CONTACT_REALIGNED:
        return flat ? &kernel_variational_2d_realigned : &kernel_variational_3d_realigned;
    default:
        return flat ? &kernel_variational_2d : &kernel_variational_3d;
    }
}

/* Bounds of springs, segments and meshes are the kernel's: it is made for a moment. Compression has yet to find its
 * places. */
static carom_status try_state(const scene *s, const initial_state *state, error *e)
{
    bool ties = s->springs_count + s->hinges_count + s->segments_count + s->mesh_count > 0;
    for (size_t k = 0; k < s->particles_count; k++) ties = ties && s->particles[k].place != PLACE_COMPRESS;
    if (!ties) return CAROM_OK;
    void *trial = NULL;
    carom_status status = kernel(s)->create(&trial, s, state, 0, e);
    kernel(s)->destroy(trial);
    return status;
}

static carom_status check_meshes(const scene *s, error *e)
{
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < s->mesh_count; k++)
        if (!(s->meshes[k].thickness > 0))
            status = scene_refuse(scene_at(s, "meshes.%zu", k), e, "mesh '%s' has no 'thickness': give it one",
                                  s->meshes[k].name);
    return status;
}

static carom_status check_state(const scene *s, const initial_state *state, error *e)
{
    variational_choice c;
    if (state->count >= 0x7fff0000u)
        return error_set(e, CAROM_BAD_DATA, "error: %zu particles are more than the engine can number", state->count);
    TRY(check_meshes(s, e));
    TRY(choose(&c, s, state, e));
    TRY(check_drive_collisions(s, state, e));
    return check_mesh_collisions(s, state, e);
}

static unsigned tallies_of(const scene *s)
{
    (void)s;
    return TALLY_COLLISIONS | TALLY_IMPULSES | TALLY_IMAGES;
}

static carom_status add_arrays(const scene *s, carom_frame *f, error *e)
{
    (void)s;
    return FRAME_ADD(f, layers, e);
}

static bool accounts(const scene *s)
{
    (void)s;
    return true;
}

static bool stores_links(const scene *s)
{
    (void)s;
    return true;
}

const engine engine_variational = {
    .summary = "asynchronous variational contact: penalty layers with clocks of their own keep bodies apart",
    .single = "one moment at which clocks fire, with every kick that they give then",
    .starter = "settling",
    .settings = &variational_table,
    .check = check,
    .check_state = check_state,
    .try_state = try_state,
    .tallies = tallies_of,
    .accounts = accounts,
    .add_arrays = add_arrays,
    .links = stores_links,
    .kernel = kernel,
};
