/* The heat bath: settings, and refused combinations. */
#include "hard/features/feature_checks.h"

#include "hard/settings.h"
#include "scene/where.h"

#include <math.h>

#define FIELD(member) offsetof(hard_thermostat, member)
static const setting thermostat_entries[] = {
    {.name = "temperature",
     .type = SETTING_REAL,
     .offset = FIELD(temperature),
     .unit = "energy",
     .fallback = "0",
     .max = INFINITY,
     .help = "of the bath, in units of energy"},
    {.name = "rate",
     .type = SETTING_REAL,
     .offset = FIELD(rate),
     .unit = "1 / time",
     .fallback = "0",
     .max = INFINITY,
     .help = "mean number of kicks of a particle in a unit of time; 0: no bath"},
};
#undef FIELD
const settings_table hard_thermostat_settings = {.name = "thermostat",
                                                 .help = "a heat bath at rest (Andersen): at random times a particle "
                                                         "receives a new velocity from Maxwell's distribution",
                                                 .size = sizeof(hard_thermostat),
                                                 .entries = thermostat_entries,
                                                 .count = sizeof thermostat_entries / sizeof *thermostat_entries};

static carom_status check_thermostat(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    const hard_thermostat *t = &settings->thermostat;
    if (t->rate == 0 && t->temperature != 0)
        return scene_refuse(scene_at(s, "hard.thermostat.temperature"), e,
                            "hard.thermostat has a temperature and no rate: give hard.thermostat.rate, the rate "
                            "of kicks of a particle");
    if (t->rate > 0 && t->temperature == 0)
        return scene_refuse(scene_at(s, "hard.thermostat.rate"), e,
                            "hard.thermostat has a rate and no temperature: give hard.thermostat.temperature");
    if (t->rate > 0 && settings->collapse.policy == COLLAPSE_SLEEP)
        return scene_refuse(scene_at(s, "hard.collapse.policy"), e,
                            "hard.collapse.policy: sleep cannot be combined with a thermostat: its kicks keep waking "
                            "the particles" HINT "use tc or cutoff, "
                            "or leave the thermostat out");
    return CAROM_OK;
}

const feature_checks hard_feature_thermostat = {.check = check_thermostat};
