/* The paths into the summary of a run (summary.c), determined before the run: the possible measures of a sweep. One
 * on each line, with # for any index; then the short names of `carom info`, each with a tab and its path. */
#include "sim/sim.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "scene/language/suggest.h"
#include "sim/summary_paths.h"

static const char always[] =
    "carom\nengine\nscene\ntitle\nseed\nparticles\ndimension\nstop\ntime\nthreads\nranks\nevents.total\n"
    "setup_s\ncpu_s\nwall_s\nevents_per_s\npeak_rss_bytes\nenergy.kinetic\nenergy.potential\n"
    "energy.total\nenergy.initial\nenergy.dissipated\nenergy.supplied\nvelocity_scale_log2\n"
    "state_hash\n";
static const char merging[] = "clusters\n";
static const char forces[] =
    "layers.impacts.#\nlayers.mean_depth\nlayers.eta\nlayers.stiffness\nlayers.step\nclosest\n";

static void add_value(text_buffer *to, const char *name, const measure_value *v, bool first)
{
    const char *index = v->width > 1 ? ".#" : "", *below = first ? "" : ".", *last = first ? "" : v->name;
    text_add(to, "observables.%s%s%s.mean%s\n", name, below, last, index);
    text_add(to, "observables.%s%s%s.error%s\n", name, below, last, index);
    text_add(to, "observables.%s%s%s.converged\n", name, below, last);
    if (v->width > 1) return;
    text_add(to, "%s.%s\tobservables.%s%s%s.mean\n", name, v->name, name, below, last);
    if (first) text_add(to, "%s\tobservables.%s.mean\n", name, name);
}

static void add_table(text_buffer *to, const char *name, const measure_result *r, const measure_table *t)
{
    const bool alone = r->value_count == 0 && r->table_count == 1;
    for (size_t c = 0; c < t->column_count && !t->series; c++)
        text_add(to, "observables.%s%s%s.%s.#%s\n", name, alone ? "" : ".", alone ? "" : t->name, t->columns[c].name,
                 t->columns[c].width > 1 ? ".#" : "");
}

static carom_status add_observable(text_buffer *to, const scene_observe *o, const carom_frame *first, error *e)
{
    void *self = NULL;
    measure_result r = {0};
    const observable *kind = observable_of(o);
    carom_status status = kind->create(&self, o->settings, first, e);
    if (status == CAROM_OK) status = kind->result(self, &r, e);
    for (size_t k = 0; status == CAROM_OK && k < r.value_count; k++) add_value(to, o->name, &r.values[k], k == 0);
    for (size_t k = 0; status == CAROM_OK && k < r.table_count; k++) add_table(to, o->name, &r, &r.tables[k]);
    if (self != NULL) kind->destroy(self);
    return status;
}

/* Paths of channels: of the energy balance if the engine has a ledger, of steps if it has time steps. */
static void add_channels(text_buffer *to, bool balance, bool steps)
{
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++) {
        if (c->balance != BALANCE_NONE && balance) text_add(to, "energy.%s\n", c->name);
        if (c->summary != NULL && (steps || strncmp(c->summary, "steps.", 6) != 0)) text_add(to, "%s\n", c->summary);
    }
    if (balance) text_add(to, "energy.drift\n");
}

carom_status summary_paths(const scene *s, text_buffer *to, error *e)
{
    initial_state state = {0};
    carom_frame f = {0};
    const engine *used = engine_of(s);
    text_add(to, "%s%s%s", always, used->merges ? merging : "", used->kernel(s)->add_potential != NULL ? forces : "");
    add_channels(to, used->accounts != NULL && used->accounts(s), used->merges);
    for (int k = 0; k < s->dimension; k++) text_add(to, "box.%d\nmomentum.%d\n", k, k);
    for (int k = 0; k < EVENT_KINDS; k++) text_add(to, "events.%s\n", event_kind_names[k]);
    if (s->observe_count == 0) return to->failed ? error_memory(e, "measures", to->length) : CAROM_OK;
    carom_status status = state_create(&state, s, e);
    if (status == CAROM_OK) status = scene_first_frame(&f, s, &state, e);
    for (size_t k = 0; k < s->observe_count && status == CAROM_OK; k++)
        status = add_observable(to, &s->observe[k], &f, e);
    frame_destroy(&f);
    state_free(&state);
    return status == CAROM_OK && to->failed ? error_memory(e, "measures", to->length) : status;
}

/* Whether a line without its end is the path. */
static bool same(const char *line, size_t length, const char *path)
{
    const char *end = line + length;
    while (line < end && *path != '\0') {
        if (*line == '#') {
            if (!isdigit((unsigned char)*path) || (path[0] == '0' && isdigit((unsigned char)path[1]))) return false;
            while (isdigit((unsigned char)*path)) path++;
            line++;
        } else if (*line++ != *path++) {
            return false;
        }
    }
    return line == end && *path == '\0';
}

bool summary_paths_have(const text_buffer *paths, const char *path)
{
    for (const char *line = paths->data; line != NULL && *line != '\0'; line += strcspn(line, "\n") + 1)
        if (same(line, strcspn(line, "\t\n"), path)) return true;
    return false;
}

char *summary_paths_near(const text_buffer *paths, const char *path)
{
    char *best = NULL;
    suggest near = suggest_begin(path, strlen(path));
    for (const char *line = paths->data; line != NULL && *line != '\0'; line += strcspn(line, "\n") + 1) {
        char *word = memory_format("%.*s", (int)strcspn(line, "\t\n"), line);
        const char *before = near.best;
        if (word == NULL) continue;
        suggest_try(&near, word);
        if (near.best == before) {
            memory_free(word);
            continue;
        }
        memory_free(best);
        best = word;
    }
    for (char *c = best; c != NULL && *c != '\0'; c++)
        if (*c == '#') *c = '0';
    return best;
}
