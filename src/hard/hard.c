/* The engine `hard`: event-driven hard particles with the stable event-detection rule. */
#include "hard/check.h"

#include <math.h>

#include "hard/kernel.h"
#include "hard/settings.h"

/* ---- settings ---------------------------------------------------------------------------------------------------- */

const char *const hard_detections[] = {"stable", "naive", "rewind", "ignore_overlap", "bias", "retrospective", NULL};
static const char *const precisions[] = {"float", "double", "long_double", "quad", NULL};
static const char *const policies[] = {"stop", "tc", "cutoff", "sleep", NULL};

#define FIELD(member) offsetof(hard_collapse, member)
static const setting collapse_entries[] = {
    {"policy", SETTING_CHOICE, FIELD(policy), "", "stop", 0, 0, false, policies, NULL,
     "what to do about inelastic collapse: stop with a report and a checkpoint; tc: a collision within the contact "
     "duration of the last one is elastic; cutoff: slow contacts are elastic; sleep: resting contacts leave the queue"},
    {"count", SETTING_INTEGER, FIELD(count), "", "1000", 10, 1e9, false, NULL, NULL,
     "collisions of one particle without progress of time that are called collapse"},
    {"tc", SETTING_REAL, FIELD(tc), "time", "0", 0, INFINITY, false, NULL, NULL, "contact duration; policy tc"},
    {"speed", SETTING_REAL, FIELD(speed), "speed", "0", 0, INFINITY, false, NULL, NULL,
     "impact speed below which a contact is elastic (cutoff) or counts as resting (sleep)"},
};
#undef FIELD
static const settings_table collapse_table = {"collapse", "inelastic collapse", sizeof(hard_collapse), collapse_entries,
                                              sizeof collapse_entries / sizeof *collapse_entries};

#define FIELD(member) offsetof(hard_thermostat, member)
static const setting thermostat_entries[] = {
    {"temperature", SETTING_REAL, FIELD(temperature), "energy", "0", 0, INFINITY, false, NULL, NULL,
     "of the bath, in units of energy"},
    {"rate", SETTING_REAL, FIELD(rate), "1 / time", "0", 0, INFINITY, false, NULL, NULL,
     "how often a particle meets the bath, on average; 0: no bath"},
};
#undef FIELD
static const settings_table thermostat_table = {
    "thermostat", "a heat bath at rest (Andersen's): particles that meet it go on with velocities drawn anew",
    sizeof(hard_thermostat), thermostat_entries, sizeof thermostat_entries / sizeof *thermostat_entries};

static const setting compression_entries[] = {
    {"rate", SETTING_REAL, offsetof(hard_compression, rate), "", "0", 0, 1, false, NULL, NULL,
     "growth of the mean diameter over the thermal speed, as seen from a box that keeps its size; 0: none"},
};
static const settings_table compression_table = {
    "compression", "Lubachevsky and Stillinger's: the box shrinks around spheres that are kept at their temperature",
    sizeof(hard_compression), compression_entries, sizeof compression_entries / sizeof *compression_entries};

#define FIELD(member) offsetof(hard_shear, member)
static const setting shear_entries[] = {
    {"rate", SETTING_REAL, FIELD(rate), "1 / time", "0", 0, 0, false, NULL, NULL,
     "of shear: the flow along x is rate (y - height / 2); 0: none"},
    {"profile", SETTING_BOOL, FIELD(profile), "", "true", 0, 0, false, NULL, NULL,
     "add this flow to the velocities of the start"},
};
#undef FIELD
static const settings_table shear_table = {
    "shear", "a box that is sheared (Lees and Edwards): images above it slide along x", sizeof(hard_shear),
    shear_entries, sizeof shear_entries / sizeof *shear_entries};

#define FIELD(member) offsetof(hard_settings, member)
static const setting entries[] = {
    {"reference", SETTING_BOOL, FIELD(reference), "", "false", 0, 0, false, NULL, NULL,
     "all pairs and a linear scan instead of neighbour lists and queue: slow, the oracle"},
    {"detection", SETTING_CHOICE, FIELD(detection), "", "stable", 0, 0, false, hard_detections, NULL,
     "rule that finds collisions; the others are there to see them fail: naive, the text-book formula; rewind, the "
     "same, "
     "and events before the present are carried out; ignore_overlap: pairs that overlap do not collide; bias: contact "
     "is "
     "found a little early; retrospective: contact is sought backwards until the pair does not overlap"},
    {"bias", SETTING_REAL, FIELD(bias), "contact distance", "1e-12", 0, 1, false, NULL, NULL,
     "how much wider contact is; detection bias"},
    {"precision", SETTING_CHOICE, FIELD(precision), "", "double", 0, 0, false, precisions, NULL,
     "numbers that the engine computes with"},
    {"collapse", SETTING_TABLE, FIELD(collapse), "", "", 0, 0, false, NULL, &collapse_table, "inelastic collapse"},
    {"compression", SETTING_TABLE, FIELD(compression), "", "", 0, 0, false, NULL, &compression_table,
     "the box shrinks while the run lasts, until `run.until.pressure` say"},
    {"thermostat", SETTING_TABLE, FIELD(thermostat), "", "", 0, 0, false, NULL, &thermostat_table,
     "a heat bath that particles meet at random times"},
    {"shear", SETTING_TABLE, FIELD(shear), "", "", 0, 0, false, NULL, &shear_table, "a box that is sheared"},
};
#undef FIELD
static const settings_table table = {"hard", "event-driven hard particles", sizeof(hard_settings), entries,
                                     sizeof entries / sizeof *entries};

/* ---- the engine -------------------------------------------------------------------------------------------------- */

const hard_kernel *hard_kernel_level(int dimension, int level)
{
    const bool flat = dimension == 2;
#ifdef CAROM_HAVE_ISA_LEVELS
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (level == 2 && avx2 && avx512) return flat ? &hard_kernel_2d_double_avx512 : &hard_kernel_3d_double_avx512;
    if (level == 1 && avx2) return flat ? &hard_kernel_2d_double_avx2 : &hard_kernel_3d_double_avx2;
#endif
    if (level > 0) return NULL;
    return flat ? &hard_kernel_2d_double : &hard_kernel_3d_double;
}

const hard_kernel *hard_kernel_double(int dimension)
{
    const hard_kernel *kernel = NULL;
    for (int level = HARD_KERNEL_LEVELS - 1; kernel == NULL; level--) kernel = hard_kernel_level(dimension, level);
    return kernel;
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
    return hard_kernel_double(s->dimension);
}

/* Transport coefficients are those of a fluid at rest, with nothing outside. */
static unsigned tallies_of(const scene *s)
{
    const hard_settings *settings = s->engine_settings;
    bool sheared = settings->shear.rate != 0, alone = settings->thermostat.rate == 0 && !sheared;
    alone = alone && s->plane_count + s->cylinder_count + s->mesh_count + s->potential_count + s->bonds_count == 0 &&
            settings->compression.rate == 0;
    for (int k = 0; k < s->dimension; k++)
        alone = alone && s->gravity[k] == 0 && s->box.boundary[k] == BOUNDARY_PERIODIC;
    unsigned missing = (alone && !s->ellipsoids ? 0 : TALLY_TRANSPORT) | (sheared ? TALLY_IMAGES : TALLY_SHEAR);
    if (s->ellipsoids) missing |= TALLY_IMPACT | TALLY_THREE_BODY; /* of spheres */
    return TALLY_ALL & ~missing;
}

static bool accounts(const scene *s)
{
    return s->drive_count > 0 || ((const hard_settings *)s->engine_settings)->compression.rate > 0;
}

static carom_status add_arrays(const scene *s, carom_frame *f, error *e)
{
    if (s->rough) TRY(FRAME_ADD(f, spin, e));
    if (s->rough) TRY(FRAME_ADD(f, inertia, e));
    return s->ellipsoids ? FRAME_ADD(f, axis, e) : CAROM_OK;
}

static const engine_kernel *kernel(const scene *s)
{
    return &kernel_for(s)->run;
}

const engine engine_hard = {.summary = "event-driven hard particles, with the stable event-detection rule",
                            .single = "one collision, of two particles or with a wall",
                            .features = ENGINE_COMPRESSES | ENGINE_ROUGH | ENGINE_ELLIPSOIDS | ENGINE_STEPS,
                            .settings = &table,
                            .check = hard_check,
                            .check_state = hard_check_state,
                            .tallies = tallies_of,
                            .accounts = accounts,
                            .add_arrays = add_arrays,
                            .links = accounts,
                            .kernel = kernel};
