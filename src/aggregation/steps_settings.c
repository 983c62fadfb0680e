/* The settings of `method: steps`, and refusals of invalid combinations. */
#include "aggregation/steps_settings.h"

#include <math.h>

#include "scene/where.h"

#define NAME(constant, name, help) #name,
#define HELP(constant, name, help) help
static const char *const solvers[] = {STEPS_SOLVERS(NAME) NULL};
static const char *const modes[] = {"flexible", "rigid", NULL};
static const char *const bounds[] = {"radius", "flight", NULL};
static const char *const constraints[] = {"smooth", "non_smooth", NULL};

#define FIELD(member) offsetof(steps_hurwicz, member)
static const setting daha_entries[] = {
    {.name = "alpha2",
     .type = SETTING_REAL,
     .offset = FIELD(alpha2),
     .unit = "",
     .fallback = "0.03",
     .max = 100,
     .above_min = true,
     .help = "weight of the gradient of the Lagrangian (alpha squared)"},
    {.name = "beta",
     .type = SETTING_REAL,
     .offset = FIELD(beta),
     .unit = "",
     .fallback = "1",
     .max = 100,
     .above_min = true,
     .help = "growth of the multipliers"},
    {.name = "gamma",
     .type = SETTING_REAL,
     .offset = FIELD(gamma),
     .unit = "",
     .fallback = "0.3",
     .max = 100,
     .help = "weight of the second force; explicit steps need it below about 0.4"},
    {.name = "damping",
     .type = SETTING_REAL,
     .offset = FIELD(damping),
     .unit = "",
     .fallback = "0.8",
     .max = 2,
     .above_min = true,
     .help = "damping c of the positions"},
    {.name = "multiplier_damping",
     .type = SETTING_REAL,
     .offset = FIELD(multiplier_damping),
     .unit = "",
     .fallback = "0",
     .max = 2,
     .help = "damping of multipliers that have inertia; 0: they have none"},
    {.name = "lambda",
     .type = SETTING_REAL,
     .offset = FIELD(lambda),
     .unit = "",
     .fallback = "-1",
     .min = -1,
     .max = 100,
     .help = "where multipliers of new contacts start; -1: at their equilibrium (1/2 smooth, 1 non-smooth), as those "
             "of known "
             "ones do"},
    {.name = "constraint",
     .type = SETTING_CHOICE,
     .offset = FIELD(constraint),
     .unit = "",
     .fallback = "smooth",
     .choices = constraints,
     .help = "squared distances (smooth) or distances (non_smooth)"},
    {.name = "evolve",
     .type = SETTING_BOOL,
     .offset = FIELD(evolve),
     .unit = "",
     .fallback = "false",
     .help = "let the coefficients evolve during the run: larger while the iterations converge, smaller after a stall"},
};
static const setting aha_entries[] = {
    {.name = "alpha",
     .type = SETTING_REAL,
     .offset = FIELD(alpha2),
     .unit = "",
     .fallback = "0.1",
     .max = 100,
     .above_min = true,
     .help = "weight of the gradient of the Lagrangian"},
    {.name = "beta",
     .type = SETTING_REAL,
     .offset = FIELD(beta),
     .unit = "",
     .fallback = "0.5",
     .max = 100,
     .above_min = true,
     .help = "growth of the multipliers"},
    {.name = "lambda",
     .type = SETTING_REAL,
     .offset = FIELD(lambda),
     .unit = "",
     .fallback = "-1",
     .min = -1,
     .max = 100,
     .help = "where multipliers of new contacts start; -1: at their equilibrium (1/2 smooth, 1 non-smooth), as those "
             "of known "
             "ones do"},
    {.name = "constraint",
     .type = SETTING_CHOICE,
     .offset = FIELD(constraint),
     .unit = "",
     .fallback = "smooth",
     .choices = constraints,
     .help = "squared distances (smooth: stalls on most problems) or distances (non_smooth)"},
};
#undef FIELD
#define COUNT(entries) (sizeof entries / sizeof *entries)
static const settings_table daha_table = {.name = "daha",
                                          .help = "damped Arrow-Hurwicz iterations",
                                          .size = sizeof(steps_hurwicz),
                                          .entries = daha_entries,
                                          .count = COUNT(daha_entries)};
static const settings_table aha_table = {.name = "aha",
                                         .help = "Arrow-Hurwicz iterations",
                                         .size = sizeof(steps_hurwicz),
                                         .entries = aha_entries,
                                         .count = COUNT(aha_entries)};

#define FIELD(member) offsetof(steps_settings, member)
static const setting entries[] = {
    {.name = "dt",
     .type = SETTING_REAL,
     .offset = FIELD(dt),
     .unit = "time",
     .fallback = "0",
     .max = INFINITY,
     .help = "length of a step; 0: by cfl, anew for each step"},
    {.name = "cfl",
     .type = SETTING_REAL,
     .offset = FIELD(cfl),
     .unit = "",
     .fallback = "0.5",
     .max = 1,
     .above_min = true,
     .help = "smallest radii that the fastest cluster flies in a step"},
    {.name = "solver",
     .type = SETTING_CHOICE,
     .offset = FIELD(solver),
     .unit = "",
     .fallback = "sor",
     .choices = solvers,
     .help = "what brings linked particles to contact: " STEPS_SOLVERS(HELP)},
    {.name = "mode",
     .type = SETTING_CHOICE,
     .offset = FIELD(mode),
     .unit = "",
     .fallback = "flexible",
     .choices = modes,
     .help = "flexible: every particle may move; rigid: clusters move as a whole"},
    {.name = "tolerance",
     .type = SETTING_REAL,
     .offset = FIELD(tolerance),
     .unit = "contact distance",
     .fallback = "1e-7",
     .min = 1e-13,
     .max = 1e-2,
     .help = "how near to contact linked particles are brought"},
    {.name = "relaxation",
     .type = SETTING_REAL,
     .offset = FIELD(relaxation),
     .unit = "",
     .fallback = "1.3",
     .max = 2,
     .above_min = true,
     .help = "over-relaxation; solver sor"},
    {.name = "iterations",
     .type = SETTING_INTEGER,
     .offset = FIELD(iterations),
     .unit = "",
     .fallback = "2000",
     .min = 1,
     .max = 1e9,
     .help = "iterations after which a solver has stalled, and sor takes over"},
    {.name = "bound",
     .type = SETTING_REAL,
     .offset = FIELD(bound),
     .unit = "",
     .fallback = "0",
     .max = 1e6,
     .help =
         "how far a step may displace a particle beyond its flight, in the lengths that bound_by names; 0: any way"},
    {.name = "bound_by",
     .type = SETTING_CHOICE,
     .offset = FIELD(bound_by),
     .unit = "",
     .fallback = "radius",
     .choices = bounds,
     .help = "the lengths of bound: the particle's radius, or the flight of its cluster in the step"},
    {.name = "daha",
     .type = SETTING_TABLE,
     .offset = FIELD(daha),
     .unit = "",
     .fallback = "",
     .table = &daha_table,
     .help = "solver daha"},
    {.name = "aha",
     .type = SETTING_TABLE,
     .offset = FIELD(aha),
     .unit = "",
     .fallback = "",
     .table = &aha_table,
     .help = "solver aha"},
};
#undef FIELD
const settings_table steps_settings_table = {.name = "steps",
                                             .help = "time stepping",
                                             .size = sizeof(steps_settings),
                                             .entries = entries,
                                             .count = COUNT(entries)};

/* Stability of the iterations, linearised at a pair in contact, in the limit of small steps (Routh and Hurwitz). */
static bool is_stable(const steps_hurwicz *h)
{
    const bool smooth = h->constraint == CONSTRAINT_SMOOTH;
    double c = h->damping, d = h->multiplier_damping;
    double stiffness = smooth ? 4 * h->gamma : 2 * (h->gamma + h->alpha2);
    double coupling = smooth ? 8 * h->alpha2 * h->beta : 2 * h->alpha2 * h->beta;
    if (d == 0) return c * stiffness > coupling;
    double first = stiffness * d, second = c * d + stiffness, third = c + d;
    return first * (third * second - first) > third * third * coupling;
}

/* Within the bound, every particle must be able to return to its position before the step, which has no overlap. */
static carom_status check_bound(const steps_settings *settings, const scene *s, const char *path, error *e)
{
    const bool flight = settings->bound_by == BOUND_FLIGHT;
    const double least = flight || settings->dt > 0 ? 1 : settings->cfl;
    if (settings->bound == 0 && flight)
        return scene_refuse(scene_at(s, "%s.bound_by", path), e,
                            "%s.bound_by has no effect without %s.bound" HINT "give the bound, or leave both out", path,
                            path);
    if (settings->bound == 0 || settings->bound >= least) return CAROM_OK;
    return scene_refuse(scene_at(s, "%s.bound", path), e,
                        "%s.bound is %g: particles that overlap after a flight of up to %g %s could not be parted" HINT
                        "at "
                        "least %g, or 0 for no bound",
                        path, settings->bound, least, flight ? "flights" : "radii", least);
}

/* Refuses settings without effect in combination with others. */
static carom_status check_idle(const steps_settings *settings, const scene *s, const char *path, error *e)
{
    const struct {
        steps_solver solver;
        const settings_table *table;
        const steps_hurwicz *filled;
    } own[] = {{SOLVER_DAHA, &daha_table, &settings->daha}, {SOLVER_AHA, &aha_table, &settings->aha}};
    char key[80];
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        const char *name = own[k].table->name;
        if ((int)own[k].solver == settings->solver) continue;
        if (settings_first_changed(own[k].table, own[k].filled, key, sizeof key) == NULL) continue;
        return scene_refuse(scene_at(s, "%s.%s.%s", path, name, key), e,
                            "%s.%s.%s does nothing without %s.solver: %s" HINT "give that, too, or leave %s out", path,
                            name, key, path, name, key);
    }
    if (settings->dt == 0 || !settings_changed(&steps_settings_table, settings, "cfl")) return CAROM_OK;
    return scene_refuse(scene_at(s, "%s.cfl", path), e,
                        "%s.cfl does nothing beside %s.dt, the length of all steps" HINT "leave one of them out", path,
                        path);
}

carom_status steps_settings_check(const steps_settings *settings, const scene *s, const char *path, error *e)
{
    TRY(check_idle(settings, s, path, e));
    TRY(check_bound(settings, s, path, e));
    const steps_hurwicz *h = &settings->daha;
    if (settings->solver != SOLVER_DAHA || is_stable(h)) return CAROM_OK;
    const scene_spot at = scene_at(s, "%s.daha", path);
    if (h->multiplier_damping > 0)
        return scene_refuse(at, e,
                            "%s.daha diverges: multipliers with damping %g do not settle" HINT
                            "lower beta, or raise gamma "
                            "or multiplier_damping",
                            path, h->multiplier_damping);
    if (h->constraint == CONSTRAINT_NON_SMOOTH)
        return scene_refuse(
            at, e, "%s.daha diverges: damping (gamma + alpha2) = %g has to be above alpha2 beta = %g" HINT "lower beta",
            path, h->damping * (h->gamma + h->alpha2), h->alpha2 * h->beta);
    return scene_refuse(at, e,
                        "%s.daha diverges: damping gamma = %g has to be above 2 alpha2 beta = %g" HINT "lower beta or "
                        "alpha2, or raise gamma",
                        path, h->damping * h->gamma, 2 * h->alpha2 * h->beta);
}
