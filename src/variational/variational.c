/* The engine `variational`: asynchronous variational contact (Vouga, Harmon, Tamstorf, Grinspun). */
#include "variational/check.h"
#include "variational/foresee.h"
#include "variational/kernel.h"
#include "variational/settings.h"

#include "base/cores.h"

const engine_kernel *variational_kernel_level(int dimension, int level)
{
    const bool flat = dimension == 2;
    if (level > cores_level()) return NULL;
#ifdef CAROM_HAVE_ISA_LEVELS
    if (level == CORES_AVX2 && !flat) return &kernel_variational_3d_avx2;
#endif
    if (level > CORES_ANY) return NULL;
    return flat ? &kernel_variational_2d : &kernel_variational_3d;
}

static const engine_kernel *fastest(int dimension)
{
    const engine_kernel *with = variational_kernel_level(dimension, CORES_AVX2);
    return with != NULL ? with : variational_kernel_level(dimension, CORES_ANY);
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
        return fastest(s->dimension);
    }
}

/* The kernel checks the bounds of springs, segments and meshes: this creates it and destroys it again. With
 * compression the positions are not known yet. */
static carom_status try_state(const scene *s, const initial_state *state, error *e)
{
    bool ties = s->springs_count + s->hinges_count + s->rods_count + s->segments_count + s->mesh_count > 0;
    for (size_t k = 0; k < s->particles_count; k++) ties = ties && s->particles[k].place != PLACE_COMPRESS;
    if (!ties) return CAROM_OK;
    void *trial = NULL;
    carom_status status = kernel(s)->create(&trial, s, state, 0, NULL, e);
    kernel(s)->destroy(trial);
    return status;
}

static unsigned tallies_of(const scene *s)
{
    (void)s;
    return TALLY_COLLISIONS | TALLY_IMPULSES | TALLY_IMAGES | TALLY_CONTACTS | TALLY_FORCES;
}

static carom_status add_arrays(const scene *s, carom_frame *f, error *e)
{
    if (scene_flows(s) || scene_meshes_change(s)) TRY(FRAME_ADD(f, present, e));
    if (scene_has_clumps(s)) TRY(FRAME_ADD(f, clump, e));
    if (s->rough) TRY(FRAME_ADD(f, spin, e));
    if (s->rough) TRY(FRAME_ADD(f, inertia, e));
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
    .lasting = true,
    .features = ENGINE_ROUGH | ENGINE_FLOWS | ENGINE_LOADS,
    .settings = &variational_table,
    .check = variational_check,
    .check_state = variational_check_state,
    .try_state = try_state,
    .foresee = variational_foresee,
    .tallies = tallies_of,
    .accounts = accounts,
    .add_arrays = add_arrays,
    .links = stores_links,
    .kernel = kernel,
};
