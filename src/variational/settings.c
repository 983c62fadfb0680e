#include "variational/settings.h"

#include <math.h>

static const char *const gravities[] = {"drift", "kick", NULL};
static const char *const rules[] = {"kinematic", "paper", NULL};
static const char *const contacts[] = {"layers", "impulses", "realigned", NULL};

#define FIELD(member) offsetof(variational_settings, member)
static const setting entries[] = {
    {"eta", SETTING_REAL, FIELD(eta), "length", "0", 0, INFINITY, false, NULL, NULL,
     "half the thickness of contacts: cores are the particles with radii smaller by eta, and the first penalty layer "
     "begins at a gap of 2 eta between them; 0: a twentieth of the smallest diameter, or a quarter of the thinnest "
     "mesh"},
    {"stiffness", SETTING_REAL, FIELD(stiffness), "force / length", "0", 0, INFINITY, false, NULL, NULL,
     "k of the first layer; 0: so that ordinary impacts, by the speeds of the start and falls through the box, use it "
     "up"},
    {"exponent", SETTING_INTEGER, FIELD(exponent), "", "3", 2, 4, false, NULL, NULL,
     "p of the layers' potentials V_l = k_p l^(p+1) (2 eta/l - d)^p; 2 is the paper's, 3 scatters less energy"},
    {"step", SETTING_REAL, FIELD(step), "time", "0", 0, INFINITY, false, NULL, NULL,
     "h_1, of the first layer's clock for the lightest pair; 0: courant times the stability bound"},
    {"courant", SETTING_REAL, FIELD(courant), "", "0.05", 0, 0.5, true, NULL, NULL,
     "steps, in units of their stability bounds"},
    {"step_law", SETTING_REAL, FIELD(step_law), "", "2", 1.5, 4, false, NULL, NULL,
     "x of the layers' steps h_l = h_1 l^-x; 1.5 is the paper's, 2 returns the energy of deep impacts better"},
    {"material_step", SETTING_REAL, FIELD(material_step), "time", "0", 0, INFINITY, false, NULL, NULL,
     "of springs and hinges; 0: courant times the stability bound, at most four steps of the first layer, or one where "
     "a contact loses energy"},
    {"contact", SETTING_CHOICE, FIELD(contact), "", "layers", 0, 0, false, contacts, NULL,
     "what holds bodies apart; all but layers is there to be seen failing, and for elastic and smooth contacts only: "
     "impulses, instantaneous ones where bodies touch, the material's forces on their clocks; realigned, layers whose "
     "clocks begin anew at each activation"},
    {"restitution_rule", SETTING_CHOICE, FIELD(rule), "", "kinematic", 0, 0, false, rules, NULL,
     "what a coefficient of restitution e means: kinematic, the ratio of speeds; paper, the factor by which layers are "
     "weaker while a pair separates, so that the ratio of speeds is about the root of e"},
    {"gravity", SETTING_CHOICE, FIELD(gravity), "", "drift", 0, 0, false, gravities, NULL,
     "drift: exact parabolas; kick: a clock of its own, which spoils the energy of stiff contacts"},
    {"gravity_step", SETTING_REAL, FIELD(gravity_step), "time", "0", 0, INFINITY, false, NULL, NULL,
     "of gravity's clock where gravity is kick; 0: h_1"},
    {"reference", SETTING_BOOL, FIELD(reference), "", "false", 0, 0, false, NULL, NULL,
     "one event a force and one certificate a pair, all pairs (the paper's algorithms): slow, the oracle"},
};
#undef FIELD

const settings_table variational_table = {"variational", "asynchronous variational contact",
                                          sizeof(variational_settings), entries, sizeof entries / sizeof *entries};
