/* The settings of `method: steps`, from the scene key `aggregation.steps`. */
#ifndef CAROM_AGGREGATION_STEPS_SETTINGS_H
#define CAROM_AGGREGATION_STEPS_SETTINGS_H

#include "aggregation/solvers.h"
#include "scene/scene.h"

typedef enum steps_mode { MODE_FLEXIBLE, MODE_RIGID } steps_mode;
typedef enum steps_bound { BOUND_RADIUS, BOUND_FLIGHT } steps_bound;
typedef enum steps_constraint { CONSTRAINT_SMOOTH, CONSTRAINT_NON_SMOOTH } steps_constraint;

/* Arrow-Hurwicz iterations, damped (paper 2, 3.22 and 3.23) or not (3.17), in units of the contact distance. */
typedef struct steps_hurwicz {
    double alpha2;             /* DAHA: alpha squared; AHA: alpha */
    double beta;               /* growth of the multipliers */
    double gamma;              /* DAHA: the second force */
    double damping;            /* DAHA: c */
    double multiplier_damping; /* DAHA: inertia and damping of the multipliers; 0: first order */
    double lambda;             /* initial multipliers of new contacts; negative: the equilibrium value */
    int constraint;            /* steps_constraint */
    bool evolve;               /* DAHA: the coefficients change during the run */
} steps_hurwicz;

typedef struct steps_settings {
    double dt;           /* 0: by cfl */
    double cfl;          /* dt = cfl R_min / max |V| */
    int solver;          /* steps_solver */
    int mode;            /* steps_mode */
    double tolerance;    /* of contact distances, relative */
    double relaxation;   /* SOR */
    uint64_t iterations; /* after which a solver has stalled */
    double bound;        /* of a particle's displacement in a step (paper 2, 3.7); 0: none */
    int bound_by;        /* steps_bound: in radii, or in flights of the step */
    steps_hurwicz daha, aha;
} steps_settings;

extern const settings_table steps_settings_table;

/* Checks beyond the table of keys; `path` is the path of the settings in the scene. */
carom_status steps_settings_check(const steps_settings *settings, const scene *s, const char *path, error *e);

#endif
