/* The exact state and the plans, for checkpoints. Grid and queue are not saved: they follow from the state. */
#include "aggregation/kernel/events/feature.h"

#include "engine/sound.h"

#include <assert.h>

#define BYTES(s, field) (sizeof *(s)->field * (s)->count)

enum { MOST_PARTS = 40 };

static int all_parts(cluster_state *s, snapshot_part parts[MOST_PARTS])
{
    int count = 0;
    parts[count++] = (snapshot_part){"engine/particle", s->particle, BYTES(s, particle)};
    parts[count++] = (snapshot_part){"engine/id", s->id, BYTES(s, id)};
    parts[count++] = (snapshot_part){"engine/motion", s->motion, BYTES(s, motion)};
    parts[count++] = (snapshot_part){"engine/cluster", s->cluster, BYTES(s, cluster)};
    parts[count++] = (snapshot_part){"engine/now", &s->now, sizeof s->now};
    parts[count++] = (snapshot_part){"engine/last_event", &s->last_event, sizeof s->last_event};
    parts[count++] = (snapshot_part){"engine/clusters", &s->clusters, sizeof s->clusters};
    parts[count++] = (snapshot_part){"engine/events", s->events, sizeof s->events};
    const state_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;) {
        if (f->parts == NULL) continue;
        assert(count + FEATURE_PARTS <= MOST_PARTS);
        count += f->parts(s, parts + count);
    }
    return count;
}

static carom_status state_save(void *self, snapshot *out, error *e)
{
    const cluster_state *s = self;
    cluster_state copy = *s;
    snapshot_part parts[MOST_PARTS];
    const int count = all_parts(&copy, parts);
    TRY(snapshot_put_parts(out, parts, count, &copy, sizeof copy, e));
    const state_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->save != NULL) TRY(f->save(s, out, e));
    return CAROM_OK;
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

static bool near_box(const cluster_state *s, const double x[DIM])
{
    for (int k = 0; k < DIM; k++)
        if (!(fabs(x[k]) <= SOUND_BOXES * (s->size[k] + s->largest))) return false;
    return true;
}

static bool is_cluster(const cluster_state *s, uint32_t root)
{
    const motion *m = &s->motion[root];
    const cluster *c = &s->cluster[root];
    double way[DIM];
    if (!sound_numbers(m->o, DIM) || !sound_speeds(m->v, DIM) || !(m->t >= 0) || m->t > s->now) return false;
    for (int k = 0; k < DIM; k++) way[k] = m->v[k] * (s->now - m->t);
    return near_box(s, m->o) && near_box(s, way) && m->slack == m->slack && sound_momenta(c->p, DIM, c->mass) &&
           near_box(s, c->low) && near_box(s, c->high) && near_box(s, c->anchor) && sound_speeds(c->nominal, DIM) &&
           c->radius == c->radius && c->skin == c->skin && c->renew == c->renew && c->wall == c->wall &&
           c->id < s->count && c->axis >= -1 && c->axis < 2 * DIM && sound_flags(&c->isolated, 1);
}

static bool is_particle(const cluster_state *s, const uint32_t *kind_of, uint32_t i)
{
    const particle *p = &s->particle[i];
    return p->root < s->count && s->particle[p->root].root == p->root && p->kind == kind_of[s->id[i]] &&
           in_cluster(s, p->xi);
}

static carom_status check_clusters(const cluster_state *s, const uint32_t *kind_of, error *e)
{
    bool good = false;
    uint64_t roots = 0;
    TRY(sound_ids(s->id, s->count, &good, e));
    if (!good) return sound_not("engine/id", e);
    if (!(s->now >= 0) || !isfinite(s->now) || !isfinite(s->last_event) || s->last_event > s->now)
        return sound_not("engine/now", e);
    for (uint32_t i = 0; i < s->count; i++) {
        if (!is_particle(s, kind_of, i)) return sound_not("engine/particle", e);
        if (s->particle[i].root != i) continue;
        roots++;
        if (!is_cluster(s, i)) return sound_not("engine/cluster", e);
    }
    return roots == s->clusters ? CAROM_OK : sound_not("engine/clusters", e);
}

static carom_status load_parts(cluster_state *s, const uint32_t *kind_of, const snapshot *in, error *e)
{
    snapshot_part parts[MOST_PARTS];
    const int count = all_parts(s, parts);
    TRY(snapshot_get_parts(in, parts, count, e));
    TRY(check_clusters(s, kind_of, e));
    const state_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->check != NULL) TRY(f->check(s, e));
    return CAROM_OK;
}

static carom_status state_load(void *self, const snapshot *in, error *e)
{
    cluster_state *s = self;
    uint32_t *kind_of = NEW_ARRAY(s->count, uint32_t);
    if (kind_of == NULL) return error_memory(e, "a checkpoint", s->count * sizeof *kind_of);
    for (uint32_t i = 0; i < s->count; i++) kind_of[s->id[i]] = s->particle[i].kind;
    const carom_status status = load_parts(s, kind_of, in, e);
    memory_free(kind_of);
    TRY(status);
    const state_feature *f;
    for (size_t n = 0; (f = feature_next(s, &n)) != NULL;)
        if (f->load != NULL) TRY(f->load(s, in, e));
    return CAROM_OK;
}
