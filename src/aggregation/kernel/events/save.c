/* The exact state, for checkpoints, and the plans. Grid and queue are not part of it: they follow from it. */
#include "aggregation/kernel/events/members.h"
#include "aggregation/kernel/rotating/body.h"

#include "engine/sound.h"

#define BYTES(s, field) (sizeof *(s)->field * (s)->count)

enum { MOST_PARTS = 17 };

static int parts_of(swarm *s, snapshot_part parts[MOST_PARTS])
{
    int n = 0;
    parts[n++] = (snapshot_part){"engine/particle", s->particle, BYTES(s, particle)};
    parts[n++] = (snapshot_part){"engine/id", s->id, BYTES(s, id)};
    parts[n++] = (snapshot_part){"engine/motion", s->motion, BYTES(s, motion)};
    parts[n++] = (snapshot_part){"engine/cluster", s->cluster, BYTES(s, cluster)};
#if CAROM_ROTATING
    parts[n++] = (snapshot_part){"engine/body", s->body, BYTES(s, body)};
#endif
    parts[n++] = (snapshot_part){"engine/merges", s->merges, BYTES(s, merges)};
    parts[n++] = (snapshot_part){"engine/now", &s->now, sizeof s->now};
    parts[n++] = (snapshot_part){"engine/last_event", &s->last_event, sizeof s->last_event};
    parts[n++] = (snapshot_part){"engine/last_merge", &s->last_merge, sizeof s->last_merge};
    parts[n++] = (snapshot_part){"engine/pace", &s->pace, sizeof s->pace};
    parts[n++] = (snapshot_part){"engine/stall", &s->stall, sizeof s->stall};
    parts[n++] = (snapshot_part){"engine/clusters", &s->clusters, sizeof s->clusters};
    parts[n++] = (snapshot_part){"engine/events", s->events, sizeof s->events};
    parts[n++] = (snapshot_part){"engine/dissipated", &s->dissipated, sizeof s->dissipated};
    parts[n++] = (snapshot_part){"engine/merge_count", &s->merge_count, sizeof s->merge_count};
    parts[n++] = (snapshot_part){"engine/idle", &s->idle, sizeof s->idle};
    parts[n++] = (snapshot_part){"engine/hopeful", &s->hopeful, sizeof s->hopeful};
    return n;
}

static carom_status swarm_save(const void *self, snapshot *out, error *e)
{
    const swarm *s = self;
    swarm copy = *s;
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(&copy, parts);
    TRY(snapshot_put_parts(out, parts, n, &copy, sizeof copy, e));
    return s->settings->reference ? CAROM_OK : plan_save(s, out, e);
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

/* So many boxes away numbers begin to fail. */
static const double FAR = 0x1p40;

static bool near_box(const swarm *s, const double x[DIM])
{
    for (int k = 0; k < DIM; k++)
        if (!(fabs(x[k]) <= FAR * (s->size[k] + s->largest))) return false;
    return true;
}

/* Places in a cluster: it is no longer than a chain of all particles. */
static bool in_cluster(const swarm *s, const double x[DIM])
{
    for (int k = 0; k < DIM; k++)
        if (!(fabs(x[k]) <= s->size[k] + 2 * s->largest * s->count)) return false;
    return true;
}

static bool is_cluster(const swarm *s, uint32_t root)
{
    const motion *m = &s->motion[root];
    const cluster *c = &s->cluster[root];
    double way[DIM];
    if (!sound_numbers(m->o, DIM) || !sound_speeds(m->v, DIM) || !(m->t >= 0) || m->t > s->now) return false;
    for (int k = 0; k < DIM; k++) way[k] = m->v[k] * (s->now - m->t);
    return near_box(s, m->o) && near_box(s, way) && m->slack == m->slack && sound_momenta(c->p, DIM, c->mass) &&
           near_box(s, c->low) && near_box(s, c->high) && near_box(s, c->anchor) && sound_speeds(c->nominal, DIM) &&
           c->radius == c->radius && c->skin == c->skin && c->renew == c->renew && c->wall == c->wall &&
           c->id < s->count && c->axis >= -1 && c->axis < 2 * DIM && sound_flags(&c->alone, 1);
}

#if CAROM_ROTATING
/* The inverse moments, and the bounds on the rate of turning, are those of the moments and the angular momentum. */
static bool is_settled(const body *b)
{
    body again = *b;
    inertia_settle(&again, b->attitude);
    bool same = again.rate == b->rate && again.bend == b->bend;
    for (int k = 0; k < MOMENTS; k++) same = same && again.inverse[k] == b->inverse[k];
    return same;
}

/* So many radians a cluster does not turn in free flight: what it turned by is followed from its last impact. */
static const double MOST_TURNS = 1e9;

static bool is_turning(const swarm *s, uint32_t root)
{
    const body *b = &s->body[root];
    if (!(b->rate * (s->now - s->motion[root].t) <= MOST_TURNS)) return false;
    double norm = 0, anchored = 0;
    for (int k = 0; k < ATTITUDE; k++) norm += b->attitude[k] * b->attitude[k];
    for (int k = 0; k < ATTITUDE; k++) anchored += b->anchored[k] * b->anchored[k];
    return fabs(norm - 1) < 0.01 && fabs(anchored - 1) < 0.01 && sound_numbers(b->l, TURN) &&
           in_cluster(s, b->centre) && sound_numbers(b->inertia, MOMENTS) && sound_numbers(b->inverse, MOMENTS) &&
           isfinite(b->reach) && sound_speeds(&b->rate, 1) && isfinite(b->bend) && b->measured <= s->count &&
           is_settled(b);
}
#endif

static bool is_particle(const swarm *s, const uint32_t *kind_of, uint32_t i)
{
    const particle *p = &s->particle[i];
    return p->root < s->count && s->particle[p->root].root == p->root && p->kind == kind_of[s->id[i]] &&
           in_cluster(s, p->xi);
}

static carom_status check(const swarm *s, const uint32_t *kind_of, error *e)
{
    bool good = false;
    uint64_t roots = 0;
    TRY(sound_ids(s->id, s->count, &good, e));
    if (!good) return sound_not("engine/id", e);
    if (!(s->now >= 0) || !isfinite(s->now) || !isfinite(s->last_event) || s->last_event > s->now ||
        !isfinite(s->last_merge) || s->last_merge > s->now || !(s->pace >= 0) || !isfinite(s->pace) ||
        s->stall != s->stall || !isfinite(s->dissipated) || !sound_flags(&s->hopeful, 1))
        return sound_not("engine/now", e);
    for (uint32_t i = 0; i < s->count; i++) {
        if (!is_particle(s, kind_of, i)) return sound_not("engine/particle", e);
        if (s->particle[i].root != i) continue;
        roots++;
        if (!is_cluster(s, i)) return sound_not("engine/cluster", e);
#if CAROM_ROTATING
        if (!is_turning(s, i)) return sound_not("engine/body", e);
#endif
    }
    if (roots != s->clusters || s->merge_count != s->count - roots) return sound_not("engine/clusters", e);
    return sound_merges(s->merges, s->merge_count, s->count, s->now) ? CAROM_OK : sound_not("engine/merges", e);
}

static carom_status load(swarm *s, const uint32_t *kind_of, const snapshot *in, error *e)
{
    snapshot_part parts[MOST_PARTS];
    int n = parts_of(s, parts);
    TRY(snapshot_get_parts(in, parts, n, e));
    return check(s, kind_of, e);
}

static carom_status swarm_load(void *self, const snapshot *in, error *e)
{
    swarm *s = self;
    uint32_t *kind_of = NEW_ARRAY(s->count, uint32_t);
    if (kind_of == NULL) return error_memory(e, "a checkpoint", s->count * sizeof *kind_of);
    for (uint32_t i = 0; i < s->count; i++) kind_of[s->id[i]] = s->particle[i].kind;
    const carom_status status = load(s, kind_of, in, e);
    memory_free(kind_of);
    TRY(status);
    members_rebuild(s);
#if CAROM_ROTATING
    for (uint32_t i = 0; i < s->count; i++) attitude_reset(s, i);
#endif
    if (s->settings->reference) return CAROM_OK;
    plan_destroy(s);
    return plan_restore(s, in, e);
}
