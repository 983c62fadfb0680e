/* The settings of the engine `variational`: values of the scene's key `variational`. */
#ifndef CAROM_VARIATIONAL_SETTINGS_H
#define CAROM_VARIATIONAL_SETTINGS_H

#include "scene/scene.h"

typedef enum variational_gravity { GRAVITY_DRIFT, GRAVITY_KICK } variational_gravity;

/* The method of contact. Methods other than layers serve to demonstrate their defects. */
typedef enum variational_contact { CONTACT_LAYERS, CONTACT_IMPULSES, CONTACT_REALIGNED } variational_contact;

/* The law of restitution: see kernel/response/restitution.c. */
typedef enum restitution_rule { RULE_KINEMATIC, RULE_PAPER } restitution_rule;

typedef struct variational_settings {
    double eta;        /* half the gap at which the first layer begins; 0: automatic */
    double stiffness;  /* k, of the first layer; 0: automatic */
    uint64_t exponent; /* p of the layers' potentials */
    double step;       /* h_1, of the first layer's clock for the lightest pair; 0: courant times the stability bound */
    double courant;    /* c; 0: automatic (scene/losses.h) */
    double step_law;   /* x: h_l = h_1 l^-x */
    double material_step; /* of springs and hinges; 0: courant times their bound, at most 4 h_1; less where contacts
                             lose energy */
    int contact;          /* variational_contact */
    int rule;             /* restitution_rule */
    int gravity;          /* variational_gravity */
    double gravity_step;  /* gravity: kick; 0: h_1 */
    bool rotation;        /* balls rotate: friction acts at their surfaces */
    bool reference;       /* one event a force, one certificate a pair, all pairs: the oracle */
} variational_settings;

/* The final values for a scene, and quantities that follow from them. */
typedef struct variational_choice {
    double eta, stiffness, step; /* h_1 of the lightest pair */
    double exponent;             /* p: of elastic spheres 5/2 */
    double coefficient;          /* k_p of V_l = k_p l^(p+1) (2 eta / l - d)^p */
    double lightest; /* reduced mass of the lightest pair; of elastic spheres, of that with the shortest step, which
                                    has the stiffness */
    double softest;  /* of elastic spheres: the smallest stiffness of a contact, in units of `stiffness`; otherwise 1 */
    bool rests;      /* the stiffness is that of bodies at rest (supports.h) */
    double driven;   /* largest speed of driven elements */
    double speed;    /* largest expected speed: at the start, driven, or after a fall */
} variational_choice;

extern const settings_table variational_table;

#endif
