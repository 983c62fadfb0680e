/* The engine `hard`: event-driven hard particles with the stable event-detection rule. */
#include "hard/check.h"
#include "hard/domains.h"

#include "base/cores.h"

#include <math.h>

#include "hard/features/feature_checks.h"
#include "hard/kernel.h"
#include "hard/settings.h"

/* ---- settings ---------------------------------------------------------------------------------------------------- */

const char *const hard_detections[] = {"stable", "naive", "rewind", "ignore_overlap", "bias", "retrospective", NULL};
static const char *const precisions[] = {"float", "double", "long_double", "quad", NULL};

#define FIELD(member) offsetof(hard_settings, member)
static const setting entries[] = {
    {.name = "reference",
     .type = SETTING_BOOL,
     .offset = FIELD(reference),
     .unit = "",
     .fallback = "false",
     .help = "all pairs and a linear scan instead of neighbour lists and queue: slow, for tests"},
    {.name = "detection",
     .type = SETTING_CHOICE,
     .offset = FIELD(detection),
     .unit = "",
     .fallback = "stable",
     .choices = hard_detections,
     .help =
         "rule that finds collisions; the others are for comparison: naive, the text-book formula; rewind, the same, "
         "with "
         "events before the present; ignore_overlap: pairs that overlap do not collide; bias: the contact distance is "
         "increased; retrospective: contact is searched backwards in time, until the pair does not overlap"},
    {.name = "bias",
     .type = SETTING_REAL,
     .offset = FIELD(bias),
     .unit = "contact distance",
     .fallback = "1e-12",
     .max = 1,
     .help = "relative increase of the contact distance; detection bias"},
    {.name = "precision",
     .type = SETTING_CHOICE,
     .offset = FIELD(precision),
     .unit = "",
     .fallback = "double",
     .choices = precisions,
     .help = "number type of the engine"},
    {.name = "collapse",
     .type = SETTING_TABLE,
     .offset = FIELD(collapse),
     .unit = "",
     .fallback = "",
     .table = &hard_collapse_settings,
     .help = "inelastic collapse"},
    {.name = "compression",
     .type = SETTING_TABLE,
     .offset = FIELD(compression),
     .unit = "",
     .fallback = "",
     .table = &hard_compression_settings,
     .help = "compression during the run, for example until `run.until.pressure`"},
    {.name = "thermostat",
     .type = SETTING_TABLE,
     .offset = FIELD(thermostat),
     .unit = "",
     .fallback = "",
     .table = &hard_thermostat_settings,
     .help = "heat bath: kicks at random times"},
    {.name = "shear",
     .type = SETTING_TABLE,
     .offset = FIELD(shear),
     .unit = "",
     .fallback = "",
     .table = &hard_shear_settings,
     .help = "a sheared box"},
};
#undef FIELD
const settings_table hard_settings_table = {.name = "hard",
                                            .help = "event-driven hard particles",
                                            .size = sizeof(hard_settings),
                                            .entries = entries,
                                            .count = sizeof entries / sizeof *entries};

/* ---- the engine -------------------------------------------------------------------------------------------------- */

const hard_kernel *hard_kernel_level(int dimension, int level)
{
    const bool flat = dimension == 2;
    if (level > cores_level()) return NULL;
#ifdef CAROM_HAVE_ISA_LEVELS
    if (level == CORES_AVX512) return flat ? &hard_kernel_2d_double_avx512 : &hard_kernel_3d_double_avx512;
    if (level == CORES_AVX2) return flat ? &hard_kernel_2d_double_avx2 : &hard_kernel_3d_double_avx2;
#endif
    return flat ? &hard_kernel_2d_double : &hard_kernel_3d_double;
}

const hard_kernel *hard_kernel_double(int dimension)
{
    return hard_kernel_level(dimension, cores_level());
}

static const hard_kernel *kernel_for(const scene *s)
{
    const hard_settings *settings = s->engine_settings;
    bool flat = s->dimension == 2;
    if (settings->precision == PRECISION_FLOAT) return flat ? &hard_kernel_2d_float : &hard_kernel_3d_float;
    if (settings->precision == PRECISION_LONG_DOUBLE)
        return flat ? &hard_kernel_2d_long_double : &hard_kernel_3d_long_double;
#ifdef CAROM_HAVE_QUAD
    if (settings->precision == PRECISION_QUAD) return flat ? &hard_kernel_2d_quad : &hard_kernel_3d_quad;
#endif
    if (settings->precision == PRECISION_QUAD) return NULL;
    if (settings->detection != DETECTION_STABLE)
        return flat ? &hard_kernel_2d_double_remedies : &hard_kernel_3d_double_remedies;
    return hard_kernel_double(s->dimension);
}

/* Transport coefficients are tallied for a fluid at rest, without boundaries and fields. */
static unsigned tallies_of(const scene *s)
{
    const hard_settings *settings = s->engine_settings;
    bool sheared = settings->shear.rate != 0, alone = settings->thermostat.rate == 0 && !sheared;
    alone = alone && scene_surfaces(s) - 1 + s->mesh_count + s->potential_count + s->bonds_count == 0 &&
            settings->compression.rate == 0 && !scene_flows(s);
    for (int k = 0; k < s->dimension; k++)
        alone = alone && s->gravity[k] == 0 && s->box.boundary[k] == BOUNDARY_PERIODIC;
    unsigned missing = (alone && !s->shaped ? 0 : TALLY_TRANSPORT) | (sheared ? TALLY_IMAGES : TALLY_SHEAR);
    if (s->shaped) missing |= TALLY_IMPACT | TALLY_THREE_BODY | TALLY_CONTACTS; /* defined for spheres */
    if (settings->collapse.policy == COLLAPSE_SLEEP) missing |= TALLY_CONTACTS; /* bodies at rest have no impacts */
    missing |= TALLY_FORCES;
    return TALLY_ALL & ~missing;
}

static bool shrinks(const scene *s)
{
    return ((const hard_settings *)s->engine_settings)->compression.rate > 0;
}

static bool accounts(const scene *s)
{
    return s->drive_count > 0 || shrinks(s) || scene_flows(s);
}

/* Runs that compress have none, but keep the mark that nothing acts from outside: only with it does `carom verify` check
 * the momentum of a run with a ledger. */
static bool stores_links(const scene *s)
{
    return s->drive_count > 0 || ((const hard_settings *)s->engine_settings)->compression.rate > 0;
}

static carom_status add_arrays(const scene *s, carom_frame *f, error *e)
{
    if (scene_flows(s) || scene_meshes_change(s)) TRY(FRAME_ADD(f, present, e));
    if (s->rough) TRY(FRAME_ADD(f, spin, e));
    if (s->rough) TRY(FRAME_ADD(f, inertia, e));
    if (scene_tells_shapes(s)) TRY(FRAME_ADD(f, shape, e));
    return s->shaped ? FRAME_ADD(f, axis, e) : CAROM_OK;
}

static const engine_kernel *kernel(const scene *s)
{
    return &kernel_for(s)->run;
}

const engine engine_hard = {.summary = "event-driven hard particles, with the stable event-detection rule",
                            .single = "one collision, of two particles or with a wall",
                            .starter = "gas",
                            .features = ENGINE_COMPRESSES | ENGINE_ROUGH | ENGINE_SHAPES | ENGINE_STEPS | ENGINE_FLOWS,
                            .settings = &hard_settings_table,
                            .check = hard_check,
                            .check_state = hard_check_state,
                            .tallies = tallies_of,
                            .accounts = accounts,
                            .shrinks = shrinks,
                            .add_arrays = add_arrays,
                            .threads = hard_threads,
                            .links = stores_links,
                            .kernel = kernel};
