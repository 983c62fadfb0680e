#include "variational/settings.h"

#include <math.h>

static const char *const gravities[] = {"drift", "kick", NULL};
static const char *const rules[] = {"kinematic", "paper", NULL};
static const char *const contacts[] = {"layers", "impulses", "realigned", NULL};

#define FIELD(member) offsetof(variational_settings, member)
static const setting entries[] = {
    {.name = "eta",
     .type = SETTING_REAL,
     .offset = FIELD(eta),
     .unit = "length",
     .fallback = "0",
     .max = INFINITY,
     .help =
         "half the thickness of contacts: cores are the particles with radii smaller by eta, and the first penalty "
         "layer "
         "begins at a gap of 2 eta between them; 0: a twentieth of the smallest diameter, or a quarter of the thinnest "
         "mesh"},
    {.name = "stiffness",
     .type = SETTING_REAL,
     .offset = FIELD(stiffness),
     .unit = "force / length",
     .fallback = "0",
     .max = INFINITY,
     .help = "k of the first layer; 0: so that ordinary impacts, by the speeds of the start and falls through the box, "
             "use it "
             "up; of bodies at rest, so that they overlap by eta / 2 under their weight"},
    {.name = "exponent",
     .type = SETTING_INTEGER,
     .offset = FIELD(exponent),
     .unit = "",
     .fallback = "3",
     .min = 2,
     .max = 4,
     .help = "p of the layers' potentials V_l = k_p l^(p+1) (2 eta/l - d)^p; 2 is the paper's, 3 scatters less energy"},
    {.name = "step",
     .type = SETTING_REAL,
     .offset = FIELD(step),
     .unit = "time",
     .fallback = "0",
     .max = INFINITY,
     .help = "h_1, of the first layer's clock for the lightest pair; 0: courant times the stability bound"},
    {.name = "courant",
     .type = SETTING_REAL,
     .offset = FIELD(courant),
     .unit = "",
     .fallback = "0",
     .max = 0.5,
     .help = "steps, in units of their stability bounds; 0: 0.2 for the layers of a scene in which every contact loses "
             "energy and masses are alike (0.1 for bodies at rest), otherwise 0.05"},
    {.name = "step_law",
     .type = SETTING_REAL,
     .offset = FIELD(step_law),
     .unit = "",
     .fallback = "2",
     .min = 1.5,
     .max = 4,
     .help = "x of the layers' steps h_l = h_1 l^-x; 1.5 is the paper's, 2 returns the energy of deep impacts better"},
    {.name = "material_step",
     .type = SETTING_REAL,
     .offset = FIELD(material_step),
     .unit = "time",
     .fallback = "0",
     .max = INFINITY,
     .help = "of springs and hinges; 0: courant times the stability bound, at most four steps of the first layer, or "
             "one where "
             "a contact loses energy"},
    {.name = "contact",
     .type = SETTING_CHOICE,
     .offset = FIELD(contact),
     .unit = "",
     .fallback = "layers",
     .choices = contacts,
     .help = "what holds bodies apart; the others are for experiments, with elastic and smooth contacts "
             "only: "
             "impulses, instantaneous ones where bodies touch, the material's forces on their clocks; realigned, "
             "layers whose "
             "clocks begin anew at each activation"},
    {.name = "restitution_rule",
     .type = SETTING_CHOICE,
     .offset = FIELD(rule),
     .unit = "",
     .fallback = "kinematic",
     .choices = rules,
     .help = "what a coefficient of restitution e means: kinematic, the ratio of speeds; paper, the factor by which "
             "layers are "
             "weaker while a pair separates, so that the ratio of speeds is about the root of e"},
    {.name = "gravity",
     .type = SETTING_CHOICE,
     .offset = FIELD(gravity),
     .unit = "",
     .fallback = "drift",
     .choices = gravities,
     .help = "drift: exact parabolas; kick: a clock of its own, which spoils the energy of stiff contacts"},
    {.name = "gravity_step",
     .type = SETTING_REAL,
     .offset = FIELD(gravity_step),
     .unit = "time",
     .fallback = "0",
     .max = INFINITY,
     .help = "of gravity's clock where gravity is kick; 0: h_1"},
    {.name = "rotation",
     .type = SETTING_BOOL,
     .offset = FIELD(rotation),
     .unit = "",
     .fallback = "false",
     .rotates = true,
     .help = "particles rotate: friction acts at their surfaces, with torques; needed for resistance to rolling and "
             "twisting"},
    {.name = "reference",
     .type = SETTING_BOOL,
     .offset = FIELD(reference),
     .unit = "",
     .fallback = "false",
     .help = "one event a force and one certificate a pair, all pairs (the paper's algorithms): slow, the oracle"},
};
#undef FIELD

const settings_table variational_table = {.name = "variational",
                                          .help = "asynchronous variational contact",
                                          .size = sizeof(variational_settings),
                                          .entries = entries,
                                          .count = sizeof entries / sizeof *entries};
