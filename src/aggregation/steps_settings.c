/* The settings of `method: steps`, and which of them make no sense. */
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
    {"alpha2", SETTING_REAL, FIELD(alpha2), "", "0.03", 0, 100, true, NULL, NULL,
     "weight of the gradient of the Lagrangian (alpha squared)"},
    {"beta", SETTING_REAL, FIELD(beta), "", "1", 0, 100, true, NULL, NULL, "growth of the multipliers"},
    {"gamma", SETTING_REAL, FIELD(gamma), "", "0.3", 0, 100, false, NULL, NULL,
     "weight of the second force; explicit steps need it below about 0.4"},
    {"damping", SETTING_REAL, FIELD(damping), "", "0.8", 0, 2, true, NULL, NULL, "damping c of the positions"},
    {"multiplier_damping", SETTING_REAL, FIELD(multiplier_damping), "", "0", 0, 2, false, NULL, NULL,
     "damping of multipliers that have inertia; 0: they have none"},
    {"lambda", SETTING_REAL, FIELD(lambda), "", "-1", -1, 100, false, NULL, NULL,
     "where multipliers of new contacts start; -1: at their equilibrium (1/2 smooth, 1 non-smooth), as those of known "
     "ones do"},
    {"constraint", SETTING_CHOICE, FIELD(constraint), "", "smooth", 0, 0, false, constraints, NULL,
     "squared distances (smooth) or distances (non_smooth)"},
    {"evolve", SETTING_BOOL, FIELD(evolve), "", "false", 0, 0, false, NULL, NULL,
     "let the coefficients evolve during the run: larger while the iterations converge, smaller after a stall"},
};
static const setting aha_entries[] = {
    {"alpha", SETTING_REAL, FIELD(alpha2), "", "0.1", 0, 100, true, NULL, NULL,
     "weight of the gradient of the Lagrangian"},
    {"beta", SETTING_REAL, FIELD(beta), "", "0.5", 0, 100, true, NULL, NULL, "growth of the multipliers"},
    {"lambda", SETTING_REAL, FIELD(lambda), "", "-1", -1, 100, false, NULL, NULL,
     "where multipliers of new contacts start; -1: at their equilibrium (1/2 smooth, 1 non-smooth), as those of known "
     "ones do"},
    {"constraint", SETTING_CHOICE, FIELD(constraint), "", "smooth", 0, 0, false, constraints, NULL,
     "squared distances (smooth: stalls on most problems) or distances (non_smooth)"},
};
#undef FIELD
#define COUNT(entries) (sizeof entries / sizeof *entries)
static const settings_table daha_table = {"daha", "damped Arrow-Hurwicz iterations", sizeof(steps_hurwicz),
                                          daha_entries, COUNT(daha_entries)};
static const settings_table aha_table = {"aha", "Arrow-Hurwicz iterations", sizeof(steps_hurwicz), aha_entries,
                                         COUNT(aha_entries)};

#define FIELD(member) offsetof(steps_settings, member)
static const setting entries[] = {
    {"dt", SETTING_REAL, FIELD(dt), "time", "0", 0, INFINITY, false, NULL, NULL,
     "length of a step; 0: by cfl, anew for each step"},
    {"cfl", SETTING_REAL, FIELD(cfl), "", "0.5", 0, 1, true, NULL, NULL,
     "smallest radii that the fastest cluster flies in a step"},
    {"solver", SETTING_CHOICE, FIELD(solver), "", "sor", 0, 0, false, solvers, NULL,
     "what brings linked particles to contact: " STEPS_SOLVERS(HELP)},
    {"mode", SETTING_CHOICE, FIELD(mode), "", "flexible", 0, 0, false, modes, NULL,
     "flexible: every particle may move; rigid: clusters move as a whole"},
    {"tolerance", SETTING_REAL, FIELD(tolerance), "contact distance", "1e-7", 1e-13, 1e-2, false, NULL, NULL,
     "how near to contact linked particles are brought"},
    {"relaxation", SETTING_REAL, FIELD(relaxation), "", "1.3", 0, 2, true, NULL, NULL, "over-relaxation; solver sor"},
    {"iterations", SETTING_INTEGER, FIELD(iterations), "", "2000", 1, 1e9, false, NULL, NULL,
     "iterations after which a solver has stalled, and sor takes over"},
    {"bound", SETTING_REAL, FIELD(bound), "", "0", 0, 1e6, false, NULL, NULL,
     "how far a step may displace a particle beyond its flight, in the lengths that bound_by names; 0: any way"},
    {"bound_by", SETTING_CHOICE, FIELD(bound_by), "", "radius", 0, 0, false, bounds, NULL,
     "the lengths of bound: the particle's radius, or the flight of its cluster in the step"},
    {"daha", SETTING_TABLE, FIELD(daha), "", "", 0, 0, false, NULL, &daha_table, "solver daha"},
    {"aha", SETTING_TABLE, FIELD(aha), "", "", 0, 0, false, NULL, &aha_table, "solver aha"},
};
#undef FIELD
const settings_table steps_settings_table = {"steps", "time stepping", sizeof(steps_settings), entries, COUNT(entries)};

/* Of the iterations, linearised at a pair in contact, in the limit of small steps (Routh and Hurwitz). */
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

/* Within the bound every particle must reach the place that it flew from: there nothing overlaps. */
static carom_status check_bound(const steps_settings *settings, const scene *s, const char *path, error *e)
{
    const bool flight = settings->bound_by == BOUND_FLIGHT;
    const double least = flight || settings->dt > 0 ? 1 : settings->cfl;
    if (settings->bound == 0 && flight)
        return scene_refuse(scene_at(s, "%s.bound_by", path), e,
                            "%s.bound_by has no effect without %s.bound; give the bound, or leave both out", path,
                            path);
    if (settings->bound == 0 || settings->bound >= least) return CAROM_OK;
    return scene_refuse(scene_at(s, "%s.bound", path), e,
                        "%s.bound is %g: particles that overlap after a flight of up to %g %s could not be parted; at "
                        "least %g, or 0 for no bound",
                        path, settings->bound, least, flight ? "flights" : "radii", least);
}

carom_status steps_settings_check(const steps_settings *settings, const scene *s, const char *path, error *e)
{
    TRY(check_bound(settings, s, path, e));
    const steps_hurwicz *h = &settings->daha;
    if (settings->solver != SOLVER_DAHA || is_stable(h)) return CAROM_OK;
    const scene_spot at = scene_at(s, "%s.daha", path);
    if (h->multiplier_damping > 0)
        return scene_refuse(at, e,
                            "%s.daha diverges: multipliers with damping %g do not settle; lower beta, or raise gamma "
                            "or multiplier_damping",
                            path, h->multiplier_damping);
    if (h->constraint == CONSTRAINT_NON_SMOOTH)
        return scene_refuse(
            at, e, "%s.daha diverges: damping (gamma + alpha2) = %g has to be above alpha2 beta = %g; lower beta", path,
            h->damping * (h->gamma + h->alpha2), h->alpha2 * h->beta);
    return scene_refuse(at, e,
                        "%s.daha diverges: damping gamma = %g has to be above 2 alpha2 beta = %g; lower beta or "
                        "alpha2, or raise gamma",
                        path, h->damping * h->gamma, 2 * h->alpha2 * h->beta);
}
