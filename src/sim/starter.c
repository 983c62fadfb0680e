#include "sim/starter.h"

#include <string.h>

#include "scene/language/suggest.h"
#include "sim/scene_api.h"
#include "sim/texts.h"

/* Synonyms of starters. */
static const struct {
    const char *word, *name;
} words[] = {{"fluid", "gas"},
             {"liquid", "gas"},
             {"spheres", "gas"},
             {"molecular", "gas"},
             {"pressure", "gas"},
             {"equilibrium", "gas"},
             {"granular", "granular-gas"},
             {"granulargas", "granular-gas"},
             {"grains", "granular-gas"},
             {"cooling", "granular-gas"},
             {"haff", "granular-gas"},
             {"inelastic", "granular-gas"},
             {"silo", "hopper"},
             {"funnel", "hopper"},
             {"bin", "hopper"},
             {"discharge", "hopper"},
             {"flow", "hopper"},
             {"hourglass", "hopper"},
             {"mill", "drum"},
             {"mixer", "drum"},
             {"tumbler", "drum"},
             {"kiln", "drum"},
             {"cylinder", "drum"},
             {"powder", "pile"},
             {"sand", "pile"},
             {"heap", "pile"},
             {"bed", "pile"},
             {"packing", "pile"},
             {"sediment", "pile"},
             {"rest", "pile"},
             {"sleep", "pile"},
             {"fabric", "cloth"},
             {"textile", "cloth"},
             {"shell", "cloth"},
             {"sheet", "cloth"},
             {"drape", "cloth"},
             {"mesh", "cloth"},
             {"rope", "chain"},
             {"spring", "chain"},
             {"springs", "chain"},
             {"thread", "chain"},
             {"polymer", "chain"},
             {"cable", "chain"},
             {"aggregate", "aggregates"},
             {"cluster", "aggregates"},
             {"clusters", "aggregates"},
             {"dust", "aggregates"},
             {"fractal", "aggregates"},
             {"fractals", "aggregates"},
             {"soot", "aggregates"},
             {"colloid", "aggregates"},
             {"sticky", "aggregates"},
             {"penalty", "settling"},
             {"layers", "settling"},
             {"disks", "settling"},
             {"box", "settling"},
             {"study", "sweep"},
             {"parameters", "sweep"},
             {"seeds", "sweep"},
             {"batch", "sweep"},
             {"scan", "sweep"}};

enum { WORDS = sizeof words / sizeof *words };

static const char *text_of(const char *name)
{
    for (size_t k = 0; k < starters_count; k++)
        if (strcmp(starters[k].name, name) == 0) return starters[k].text;
    return NULL;
}

const char *starter_scene(const char *name)
{
    const engine *of = engine_named(name != NULL ? name : vocabulary.engines[0]->name);
    if (of == NULL) return text_of(name);
    return of->starter != NULL ? text_of(of->starter) : NULL;
}

const char *starter_near(const char *word)
{
    suggest near = suggest_begin(word, strlen(word));
    for (size_t k = 0; k < starters_count; k++) suggest_try(&near, starters[k].name);
    for (size_t k = 0; k < vocabulary.engine_count; k++) suggest_try(&near, vocabulary.engines[k]->name);
    for (size_t k = 0; k < WORDS; k++) suggest_try(&near, words[k].word);
    for (size_t k = 0; k < WORDS && near.best != NULL; k++)
        if (strcmp(words[k].word, near.best) == 0) return words[k].name;
    return near.best;
}

void starter_list(text_buffer *to)
{
    for (size_t k = 0; k < starters_count; k++) {
        const char *what = strchr(starters[k].text, ':');
        const size_t length = what != NULL ? strcspn(what + 1, "\n") : 0;
        text_add(to, "%-14s%.*s\n", starters[k].name, (int)length, what != NULL ? what + 1 : "");
    }
}
