/* The exact state, for checkpoints, and what watches. The clocks of materials follow from it. */
#include "variational/kernel/features/bodies.h"
#include "variational/kernel/features/drives.h"
#include "variational/kernel/features/shells.h"
#include "variational/kernel/response/contacts.h"
#include "variational/kernel/schedule/monitoring.h"
#include "variational/kernel/schedule/run.h"

#include <stdlib.h>

#include "engine/sound.h"

enum { MOST_PARTS = 20 };

static int state_parts(world *w, snapshot_part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (snapshot_part){"engine/node", w->node, w->count * sizeof *w->node};
    if (w->bodies != NULL) {
        snapshot_part *of_bodies = &parts[n++];
        of_bodies->name = "engine/bodies";
        bodies_state(w, &of_bodies->data, &of_bodies->bytes);
    }
    snapshot_part *hinges = &parts[n];
    hinges->name = "engine/hinges";
    if (shells_state(w, &hinges->data, &hinges->bytes)) n++;
    snapshot_part *kicks = &parts[n];
    kicks->name = "engine/kicks";
    if (shells_kicks(w, &kicks->data, &kicks->bytes)) n++;
    snapshot_part *waits = &parts[n];
    waits->name = "engine/waits";
    if (drives_state(w, &waits->data, &waits->bytes)) n++;
    snapshot_part *places = &parts[n];
    places->name = "engine/places";
    if (drives_places(w, &places->data, &places->bytes)) n++;
    snapshot_part *middles = &parts[n];
    middles->name = "engine/middles";
    if (shells_middles(w, &middles->data, &middles->bytes)) n++;
    parts[n++] = (snapshot_part){"engine/surface", w->surface, w->surface_count * sizeof *w->surface};
    parts[n++] = (snapshot_part){"engine/now", &w->now, sizeof w->now};
    parts[n++] = (snapshot_part){"engine/last_event", &w->last_event, sizeof w->last_event};
    parts[n++] = (snapshot_part){"engine/events", w->events, sizeof w->events};
    parts[n++] = (snapshot_part){"engine/layers", w->layers, sizeof w->layers};
    parts[n++] = (snapshot_part){"engine/closest", &w->closest, sizeof w->closest};
    parts[n++] = (snapshot_part){"engine/ledger", &w->ledger, sizeof w->ledger};
    parts[n++] = (snapshot_part){"engine/sums", &w->sum, sizeof w->sum};
    parts[n++] = (snapshot_part){"engine/quiet_since", &w->quiet_since, sizeof w->quiet_since};
    parts[n++] = (snapshot_part){"engine/quiet_looks", &w->quiet_checks, sizeof w->quiet_checks};
    return n;
}

static carom_status world_save(const void *self, snapshot *out, error *e)
{
    const world *w = self;
    world copy = *w;
    snapshot_part parts[MOST_PARTS];
    int n = state_parts(&copy, parts);
    TRY(snapshot_put_parts(out, parts, n, &copy, sizeof copy, e));
    return w->observer != NULL ? w->observer->save(w, out, e) : monitoring_save(w, out, e);
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

/* What the scene says of the state, and a file must not change. */
typedef struct known_state {
    double *w; /* of each node */
    surface *surface;
    void *bodies, *hinges; /* NULL: none */
} known_state;

static void *copy_of(const void *data, size_t bytes)
{
    void *copy = memory_new(bytes, 1);
    if (copy != NULL && bytes > 0) memcpy(copy, data, bytes);
    return copy;
}

static void known_free(known_state *k)
{
    memory_free(k->w);
    memory_free(k->surface);
    memory_free(k->bodies);
    memory_free(k->hinges);
}

static carom_status known_create(known_state *k, const world *w, error *e)
{
    void *data;
    size_t bytes;
    bool whole = true;
    *k = (known_state){.w = NEW_ARRAY(w->count, double),
                       .surface = copy_of(w->surface, w->surface_count * sizeof *w->surface)};
    if (w->bodies != NULL) {
        bodies_state(w, &data, &bytes);
        k->bodies = copy_of(data, bytes);
        whole = k->bodies != NULL;
    }
    if (shells_state(w, &data, &bytes)) {
        k->hinges = copy_of(data, bytes);
        whole = whole && k->hinges != NULL;
    }
    if (!whole || k->w == NULL || k->surface == NULL) {
        known_free(k);
        return error_memory(e, "a checkpoint", w->count * sizeof *k->w);
    }
    for (uint32_t i = 0; i < w->count; i++) k->w[i] = w->node[i].w;
    return CAROM_OK;
}

/* So many boxes away numbers begin to fail. */
static const double FAR = 0x1p40;

static bool is_node(const world *w, uint32_t i, double weight)
{
    const node *a = &w->node[i];
    if (!sound_same(&a->w, &weight, sizeof weight) || !sound_speeds(a->v, DIM) || !isfinite(a->t) || a->t > w->now)
        return false;
    for (int k = 0; k < DIM; k++) {
        const double most = FAR * (w->size[k] + w->radius[i]);
        const double way = (w->now - a->t) * (fabs(a->v[k]) + (w->now - a->t) * fabs(w->gravity[k]));
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
    const double numbers[] = {l->springs, l->contact, l->restitution, l->friction, l->damping,
                              l->work,    l->stretch, l->bend,        l->plastic};
    return sound_flags(&l->kept, 1) && sound_flags(&l->shells, 1) &&
           sound_numbers(numbers, sizeof numbers / sizeof *numbers);
}

static carom_status check_state(const world *w, const known_state *k, error *e)
{
    if (!(w->now >= 0) || !isfinite(w->now) || !isfinite(w->last_event) || w->last_event > w->now ||
        w->closest != w->closest)
        return sound_not("engine/now", e);
    if (!drives_are_sound(w)) return sound_not("engine/waits", e);
    drives_set_inverse_masses(w, k->w);
    for (uint32_t i = 0; i < w->count; i++)
        if (!is_node(w, i, k->w[i])) return sound_not("engine/node", e);
    for (uint32_t n = 0; n < w->surface_count; n++)
        if (!is_surface(&w->surface[n], &k->surface[n], w->now)) return sound_not("engine/surface", e);
    if (k->bodies != NULL && !bodies_are_sound(w, k->bodies)) return sound_not("engine/bodies", e);
    if (!shells_are_sound(w, k->hinges)) return sound_not("engine/hinges", e);
    const bool sums =
        sound_numbers(&w->sum.virial[0][0], 9) && sound_numbers(&w->sum.wall[0][0], 6) && isfinite(w->sum.work);
    return sums && ledger_is_sound(&w->ledger) ? CAROM_OK : sound_not("engine/ledger", e);
}

static carom_status load_parts(world *w, const snapshot *in, error *e)
{
    known_state k;
    const frame_ledger ledger = w->ledger;
    snapshot_part parts[MOST_PARTS];
    int n = state_parts(w, parts);
    TRY(known_create(&k, w, e));
    carom_status status = snapshot_get_parts(in, parts, n, e);
    if (status == CAROM_OK) status = check_state(w, &k, e);
    known_free(&k);
    w->ledger.kept = ledger.kept;
    w->ledger.shells = ledger.shells;
    return status;
}

static carom_status world_load(void *self, const snapshot *in, error *e)
{
    world *w = self;
    w->resumed = true;
    TRY(load_parts(w, in, e));
    drives_catch_up(w);
    monitoring_end(w);
    const uint64_t certificates = w->events[EVENT_CERTIFICATE];
    TRY(monitoring_begin(w, e));
    w->events[EVENT_CERTIFICATE] = certificates;
    return w->observer != NULL ? w->observer->load(w, in, e) : monitoring_load(w, in, e);
}
