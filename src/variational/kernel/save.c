/* The exact state, for checkpoints. The clocks of materials follow from it. */
#include "variational/kernel/features/feature.h"
#include "variational/kernel/response/contacts.h"
#include "variational/kernel/schedule/monitoring.h"
#include "variational/kernel/schedule/run.h"

#include <stdlib.h>

#include "engine/sound.h"

enum { CORE_PARTS = 11, MOST_PARTS = CORE_PARTS + FEATURE_COUNT * FEATURE_ARRAYS };

static int state_parts(world *w, snapshot_part parts[MOST_PARTS])
{
    const snapshot_part core[] = {
        {"engine/nodes", w->node, w->count * sizeof *w->node},
        {"engine/surface", w->domain.surface, w->domain.surface_count * sizeof *w->domain.surface},
        {"engine/now", &w->now, sizeof w->now},
        {"engine/last_event", &w->last_event, sizeof w->last_event},
        {"engine/events", w->totals.events, sizeof w->totals.events},
        {"engine/layers", w->totals.layers, sizeof w->totals.layers},
        {"engine/closest", &w->totals.closest, sizeof w->totals.closest},
        {"engine/ledger", &w->totals.ledger, sizeof w->totals.ledger},
        {"engine/sums", &w->totals.sum, sizeof w->totals.sum},
        {"engine/quiet_since", &w->progress.quiet_since, sizeof w->progress.quiet_since},
        {"engine/quiet_looks", &w->progress.quiet_checks, sizeof w->progress.quiet_checks}};
    int n = CORE_PARTS;
    memcpy(parts, core, sizeof core);
    for (int k = 0; k < FEATURE_COUNT; k++)
        if (FEATURES[k]->saved != NULL && FEATURES[k]->enabled(w)) n += FEATURES[k]->saved(w, parts + n);
    return n;
}

static carom_status world_save(void *self, snapshot *out, error *e)
{
    const world *w = self;
    world copy = *w;
    snapshot_part parts[MOST_PARTS];
    int n = state_parts(&copy, parts);
    TRY(snapshot_put_parts(out, parts, n, &copy, sizeof copy, e));
    return w->observer != NULL ? w->observer->save(w, out, e) : monitoring_save(w, out, e);
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

/* The state according to the scene: a file must not change it. */
typedef struct known_state {
    node_kind *kind; /* kind of each node */
    surface *surface;
    void *arrays[FEATURE_COUNT][FEATURE_ARRAYS];
} known_state;

static void *copy_of(const void *data, size_t bytes)
{
    void *copy = memory_new(bytes, 1);
    if (copy != NULL && bytes > 0) memcpy(copy, data, bytes);
    return copy;
}

static void known_free(known_state *k)
{
    memory_free(k->kind);
    memory_free(k->surface);
    for (int f = 0; f < FEATURE_COUNT; f++)
        for (int n = 0; n < FEATURE_ARRAYS; n++) memory_free(k->arrays[f][n]);
}

static bool copy_arrays(known_state *k, const world *w)
{
    bool whole = true;
    for (int f = 0; f < FEATURE_COUNT; f++) {
        snapshot_part parts[FEATURE_ARRAYS];
        const bool some = FEATURES[f]->saved != NULL && FEATURES[f]->enabled(w);
        const int count = some ? FEATURES[f]->saved(w, parts) : 0;
        for (int n = 0; n < count; n++) {
            k->arrays[f][n] = copy_of(parts[n].data, parts[n].bytes);
            whole = whole && k->arrays[f][n] != NULL;
        }
    }
    return whole;
}

static carom_status known_create(known_state *k, const world *w, error *e)
{
    *k = (known_state){.kind = NEW_ARRAY(w->count, node_kind),
                       .surface = copy_of(w->domain.surface, w->domain.surface_count * sizeof *w->domain.surface)};
    if (!copy_arrays(k, w) || k->kind == NULL || k->surface == NULL) {
        known_free(k);
        return error_memory(e, "a checkpoint", w->count * sizeof *k->kind);
    }
    for (uint32_t i = 0; i < w->count; i++) k->kind[i] = w->node[i].kind;
    return CAROM_OK;
}

static bool is_node(const world *w, uint32_t i, node_kind kind)
{
    const node *a = &w->node[i];
    if (!sound_same(&a->kind, &kind, sizeof kind) || !sound_speeds(a->v, DIM) || !isfinite(a->t) || a->t > w->now)
        return false;
    for (int k = 0; k < DIM; k++) {
        const double most = FAR * (w->domain.size[k] + w->radius[i]);
        const double way = (w->now - a->t) * (fabs(a->v[k]) + (w->now - a->t) * fabs(w->domain.gravity[k]));
        if (!(fabs(a->x[k]) <= most) || !(way <= most)) return false;
    }
    return true;
}

static bool is_surface(const surface *s, const surface *from, double now)
{
    return sound_numbers(s->point, DIM) && sound_speeds(s->velocity, DIM) && isfinite(s->t) && s->t <= now &&
           sound_same(s->normal, from->normal, sizeof s->normal) && s->law == from->law && sound_flags(&s->driven, 1) &&
           s->driven == from->driven && s->axis == from->axis && s->side == from->side;
}

static bool ledger_is_sound(const frame_ledger *l)
{
    const double numbers[] = {l->springs, l->contact, l->restitution, l->friction, l->damping,  l->work, l->stretch,
                              l->bend,    l->plastic, l->sliding,     l->rolling,  l->twisting, l->twist};
    return sound_flags(&l->kept, 1) && sound_flags(&l->shells, 1) && sound_flags(&l->rods, 1) &&
           sound_flags(&l->rotation, 1) && sound_numbers(numbers, sizeof numbers / sizeof *numbers);
}

static carom_status check_state(const world *w, const known_state *k, error *e)
{
    if (!(w->now >= 0) || !isfinite(w->now) || !isfinite(w->last_event) || w->last_event > w->now ||
        w->totals.closest != w->totals.closest)
        return sound_not("engine/now", e);
    for (int f = 0; f < FEATURE_COUNT; f++) {
        if (!FEATURES[f]->enabled(w)) continue;
        const char *unsound = FEATURES[f]->find_unsound != NULL ? FEATURES[f]->find_unsound(w, k->arrays[f]) : NULL;
        if (unsound != NULL) return sound_not(unsound, e);
        if (FEATURES[f]->set_kinds != NULL) FEATURES[f]->set_kinds(w, k->kind);
    }
    for (uint32_t i = 0; i < w->count; i++)
        if (!is_node(w, i, k->kind[i])) return sound_not("engine/nodes", e);
    for (uint32_t n = 0; n < w->domain.surface_count; n++)
        if (!is_surface(&w->domain.surface[n], &k->surface[n], w->now)) return sound_not("engine/surface", e);
    const bool sums = sound_numbers(&w->totals.sum.virial[0][0], 9) && sound_numbers(&w->totals.sum.wall[0][0], 6) &&
                      isfinite(w->totals.sum.work);
    return sums && ledger_is_sound(&w->totals.ledger) ? CAROM_OK : sound_not("engine/ledger", e);
}

static carom_status load_parts(world *w, const snapshot *in, error *e)
{
    known_state k;
    const frame_ledger ledger = w->totals.ledger;
    snapshot_part parts[MOST_PARTS];
    int n = state_parts(w, parts);
    TRY(known_create(&k, w, e));
    carom_status status = snapshot_get_parts(in, parts, n, e);
    if (status == CAROM_OK) status = check_state(w, &k, e);
    known_free(&k);
    w->totals.ledger.kept = ledger.kept;
    w->totals.ledger.shells = ledger.shells;
    w->totals.ledger.rods = ledger.rods;
    w->totals.ledger.rotation = ledger.rotation;
    return status;
}

static carom_status world_load(void *self, const snapshot *in, error *e)
{
    world *w = self;
    w->progress.resumed = true;
    TRY(load_parts(w, in, e));
    for (uint32_t i = 0; i < w->count; i++)
        if (node_is_driven(&w->node[i])) node_set_driven(w, i); /* with its mass, which is not saved */
    for (int k = 0; k < FEATURE_COUNT; k++)
        if (FEATURES[k]->loaded != NULL && FEATURES[k]->enabled(w)) FEATURES[k]->loaded(w);
    monitoring_end(w);
    const uint64_t certificates = w->totals.events[EVENT_CERTIFICATE];
    TRY(monitoring_begin(w, e));
    w->totals.events[EVENT_CERTIFICATE] = certificates;
    return w->observer != NULL ? w->observer->load(w, in, e) : monitoring_load(w, in, e);
}
