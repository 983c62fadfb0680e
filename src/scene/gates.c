#include "scene/gates.h"

#include "base/hash.h"

#include <math.h>

/* ---- conditions -------------------------------------------------------------------------------------------------- */

double condition_next(const scene_condition *when, const condition_checks *checks)
{
    return (double)(checks->count + 1) * when->every;
}

bool condition_count(const scene_condition *when, condition_checks *checks, bool slow)
{
    checks->count++;
    checks->slow = slow ? checks->slow + 1 : 0;
    return checks->slow > 0 && (double)(checks->slow - 1) * when->every >= (1 - 1e-9) * when->lasting;
}

bool condition_is_sound(const scene_condition *when, const condition_checks *checks, double now)
{
    return checks->slow <= checks->count && (double)checks->count * when->every <= now;
}

/* ---- checks of the scene ----------------------------------------------------------------------------------------- */

static carom_status check_moment(const scene *s, size_t k, const scene_moment *m, const char *key, error *e)
{
    if (!m->given || !(m->waits || m->every > 0) || isfinite(s->until.time)) return CAROM_OK;
    return scene_refuse(scene_at(s, "meshes.%zu.%s", k, key), e, "mesh '%s' may never %s: set 'run.until.time'",
                        s->meshes[k].name, key);
}

carom_status gates_check(const scene *s, error *e)
{
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].start.given && !isfinite(s->until.time))
            return scene_refuse(scene_at(s, "drives.%zu.start", d), e,
                                "drive '%s' may never start: set 'run.until.time'", s->drives[d].name);
    for (size_t k = 0; k < s->mesh_count; k++) {
        TRY(check_moment(s, k, &s->meshes[k].appear, "appear", e));
        TRY(check_moment(s, k, &s->meshes[k].vanish, "vanish", e));
    }
    return CAROM_OK;
}

static carom_status check_particles(const scene *s, const initial_state *state, size_t k, const scene_moment *m,
                                    const char *key, error *e)
{
    if (!m->waits) return CAROM_OK;
    return state_check_condition(state, &m->when, scene_at(s, "meshes.%zu.%s.when.particles", k, key), e);
}

carom_status gates_check_state(const scene *s, const initial_state *state, error *e)
{
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].start.given)
            TRY(state_check_condition(state, &s->drives[d].start.when,
                                      scene_at(s, "drives.%zu.start.when.particles", d), e));
    for (size_t k = 0; k < s->mesh_count; k++) {
        TRY(check_particles(s, state, k, &s->meshes[k].appear, "appear", e));
        TRY(check_particles(s, state, k, &s->meshes[k].vanish, "vanish", e));
    }
    return CAROM_OK;
}

/* ---- all gates --------------------------------------------------------------------------------------------------- */

uint32_t gates_begin(const scene *s, gate *gates)
{
    uint32_t count = 0;
    for (size_t k = 0; k < s->mesh_count; k++)
        if (scene_mesh_changes(s, k))
            gates[count++] = (gate){.appeared = -1,
                                    .mesh = (uint32_t)k,
                                    .stage = s->meshes[k].appear.given ? PRESENCE_AWAITED : PRESENCE_NOW};
    return count;
}

gate *gates_first(const scene *s, gate *gates, uint32_t count)
{
    gate *first = NULL;
    for (uint32_t k = 0; k < count; k++)
        if (first == NULL || gate_next(s, &gates[k]) < gate_next(s, first)) first = &gates[k];
    return first;
}

uint64_t gates_hash(const gate *gates, uint32_t count, uint64_t hash)
{
    for (uint32_t k = 0; k < count; k++) hash = hash_bytes(hash, &gates[k].stage, sizeof gates[k].stage);
    return hash;
}

/* ---- a gate ------------------------------------------------------------------------------------------------------ */

const scene_moment *gate_moment(const scene *s, const gate *g)
{
    static const scene_moment none;
    const scene_mesh *m = &s->meshes[g->mesh];
    return g->stage == PRESENCE_AWAITED ? &m->appear : g->stage == PRESENCE_NOW ? &m->vanish : &none;
}

/* A mesh that vanishes at a time which has passed when it appears vanishes then. */
double gate_next(const scene *s, const gate *g)
{
    const scene_moment *m = gate_moment(s, g);
    if (!m->given) return INFINITY;
    if (m->waits) return condition_next(&m->when, &g->checks);
    const double time = m->time + (double)g->checks.count * m->every;
    return time > g->since ? time : g->since;
}

bool gate_try(const scene *s, gate *g, bool slow)
{
    const scene_moment *m = gate_moment(s, g);
    if (m->waits) return condition_count(&m->when, &g->checks, slow);
    g->checks.count++;
    return true;
}

/* The quotient may be rounded to the next check. */
void gate_pass(const scene *s, gate *g, double t)
{
    g->stage++;
    g->since = t;
    if (g->stage == PRESENCE_NOW) g->appeared = t;
    g->checks = (condition_checks){0};
    const scene_moment *m = gate_moment(s, g);
    if (m->waits) g->checks.count = (uint64_t)floor(t / m->when.every);
    if (m->waits && condition_next(&m->when, &g->checks) <= t) g->checks.count++;
    if (m->waits && (double)g->checks.count * m->when.every > t) g->checks.count--;
}

bool gate_is_sound(const scene *s, const gate *g, const gate *from, double now, double slack)
{
    if (g->mesh != from->mesh || g->stage < from->stage || g->stage > PRESENCE_OVER) return false;
    const scene_moment *m = gate_moment(s, g);
    if (!(g->since >= 0 && g->since <= now + slack) || !(gate_next(s, g) > now - slack)) return false;
    if (!(g->appeared <= now + slack)) return false;
    return !m->given || !m->waits || condition_is_sound(&m->when, &g->checks, now + slack);
}
