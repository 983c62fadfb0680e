#include "hard/kernel/features/motion.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/feature.h"

#include "base/memory.h"
#include "base/pi.h"
#include "scene/exact.h"

#include <string.h>

static const real identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* ---- poses ------------------------------------------------------------------------------------------------------- */

/* r = rotation * q by `angle` about a unit vector (Rodrigues). */
static void rotate(const real n[3], real angle, real r[3][3])
{
    const real c = real_cos(angle), s = real_sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const real side = i == j ? 0 : ((j - i + 3) % 3 == 1 ? -1 : 1) * n[3 - i - j];
            r[i][j] = (i == j ? c : 0) + s * side + (1 - c) * n[i] * n[j];
        }
}

static void rotate_pose(const motion_piece *m, real since, pose *p)
{
    real r[3][3], arm[3];
    rotate(m->axis, m->angle + m->rate * since, r);
    for (int k = 0; k < 3; k++) {
        arm[k] = p->moved[k] - m->through[k];
        p->through[k] = m->through[k] + (m->gone[k] + since * m->velocity[k]);
        p->spin[k] = m->rate * m->axis[k];
    }
    for (int i = 0; i < 3; i++) {
        p->moved[i] = m->through[i];
        for (int j = 0; j < 3; j++) {
            p->moved[i] += r[i][j] * arm[j];
            p->turned[i][j] = 0;
            for (int k = 0; k < 3; k++) p->turned[i][j] += r[i][k] * m->turned[k][j];
        }
    }
    p->rate = real_fabs(m->rate);
}

static void pose_in(const motion_piece *m, real since, pose *p)
{
    memcpy(p->turned, m->turned, sizeof p->turned);
    memcpy(p->moved, m->moved, sizeof p->moved);
    if (m->rate != 0) rotate_pose(m, since, p);
    p->roll = m->roll;
    const real angle = m->pace * since + m->phase;
    const real sine = m->pace > 0 ? real_sin(angle) - real_sin(m->first) : 0;
    const real cosine = m->pace > 0 ? real_cos(angle) : 0;
    for (int k = 0; k < 3; k++) {
        p->moved[k] += (m->gone[k] + since * m->velocity[k]) + sine * m->swing[k];
        p->through[k] += sine * m->swing[k];
        p->velocity[k] = m->velocity[k] + cosine * m->pace * m->swing[k];
        p->swing[k] = real_fabs(m->swing[k]) * m->pace * m->pace;
    }
}

static void motion_at(const motion *m, real t, pose *p)
{
    memset(p, 0, sizeof *p);
    memcpy(p->turned, identity, sizeof identity);
    p->left = REAL_NEVER;
    if (m == NULL) return;
    uint32_t k = m->count - 1;
    while (k > 0 && m->piece[k].start > t) k--;
    if (k + 1 < m->count) p->left = m->piece[k + 1].start - t;
    pose_in(&m->piece[k], t - m->piece[k].start, p);
}

static void motion_velocity(const pose *p, const real y[3], real v[3])
{
    real arm[3];
    for (int k = 0; k < 3; k++) arm[k] = y[k] - p->through[k];
    cross3(p->spin, arm, v);
    for (int k = 0; k < 3; k++) v[k] += p->velocity[k];
}

static void surface_pose(const surface *s, real t, pose *p, real point[DIM])
{
    motion_at(s->motion, t, p);
    for (int k = 0; k < DIM; k++) point[k] = s->point[k] + p->moved[k];
}

/* ---- searches ---------------------------------------------------------------------------------------------------- */

/* Searches are repeated at multiples of `lookahead`, plus a share of it that depends on the number of the body, so that
 * bodies follow one after the other. The times do not depend on those of predictions. */
static real lookahead_end(const gas *g, uint32_t i)
{
    if (g->motions == NULL || !(g->motions->lookahead < REAL_NEVER)) return REAL_NEVER;
    const real period = g->motions->lookahead, share = (real)(g->id[i] * 0x9e3779b9u) * (real)0x1p-32;
    real n = real_floor(g->now / period - share) - 1;
    while (!(period * (n + share) > g->now)) n += 1;
    return period * (n + share);
}

/* ---- change of the origin of time -------------------------------------------------------------------------------- */

static void advance_piece(motion_piece *p, real_long elapsed)
{
    p->angle = (real)real_long_fmod((real_long)p->rate * elapsed, REAL_LONG_TURN);
    p->phase = (real)real_long_fmod((real_long)p->first + (real_long)p->pace * elapsed, REAL_LONG_TURN);
    for (int k = 0; k < 3; k++) p->gone[k] = (real)((real_long)p->velocity[k] * elapsed);
}

static void set_piece_origin(const gas *g, motion_piece *p)
{
    const real_long elapsed = (real_long)g->origin - (real_long)p->time + (real_long)g->origin_low;
    const bool begun = elapsed > 0;
    p->start = begun ? 0 : gas_local_time(g, p->time);
    advance_piece(p, begun ? elapsed : 0);
}

/* After a change of the origin of local time. */
static void motions_rebase(gas *g)
{
    for (size_t k = 0; k < g->scene->drive_count; k++)
        for (uint32_t n = 0; n < g->motions->drive[k].count; n++) set_piece_origin(g, &g->motions->drive[k].piece[n]);
}

static void motion_start(const gas *g, motion *m, const scene_drive *d, double time)
{
    for (uint32_t k = 1; k < m->count; k++) {
        m->piece[k].time = time + fmax(d->motion[k - 1].time, 0);
        set_piece_origin(g, &m->piece[k]);
    }
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static void set_piece(motion_piece *p, const scene_motion *from, bool own_axis)
{
    const double *a = from->axis, length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    p->time = fmax(from->time, 0);
    p->rate = own_axis ? 0 : (real)from->rate;
    p->roll = own_axis ? (real)from->rate : 0;
    p->pace = (real)(2 * PI * from->frequency);
    p->first = p->phase = (real)from->phase;
    for (int k = 0; k < 3; k++) {
        p->velocity[k] = (real)from->velocity[k];
        p->axis[k] = p->rate != 0 ? (real)a[k] / (real)length : 0;
        p->through[k] = (real)from->through[k];
        p->swing[k] = (real)from->swing[k];
    }
}

/* At rest before the first piece. */
static carom_status set_motion(motion *m, const scene_drive *d, error *e)
{
    const bool waits = d->motion_count == 0 || d->motion[0].time > 0 || d->start.given;
    m->piece = NEW_ARRAY(d->motion_count + waits, motion_piece);
    if (m->piece == NULL) return error_memory(e, "drives", (d->motion_count + 1) * sizeof *m->piece);
    for (size_t k = 0; k < d->motion_count; k++)
        set_piece(&m->piece[k + waits], &d->motion[k], scene_drive_exact_kind(d) != NULL);
    m->count = (uint32_t)(d->motion_count + waits);
    memcpy(m->piece[0].turned, identity, sizeof identity);
    for (uint32_t k = 1; k < m->count; k++) {
        pose p = {.rate = 0};
        advance_piece(&m->piece[k - 1], (real_long)m->piece[k].time - (real_long)m->piece[k - 1].time);
        pose_in(&m->piece[k - 1], 0, &p);
        memcpy(m->piece[k].turned, p.turned, sizeof p.turned);
        memcpy(m->piece[k].moved, p.moved, sizeof p.moved);
    }
    return CAROM_OK;
}

/* Limits the time for which contacts with periodic motions are searched. */
static void limit_lookahead(gas *g, const motion *m)
{
    for (uint32_t k = 0; k < m->count; k++) {
        const real swinging = m->piece[k].pace > 0 ? OSCILLATION_LOOKAHEAD / m->piece[k].pace : REAL_NEVER;
        const real turning = m->piece[k].rate != 0 ? ROTATION_LOOKAHEAD / real_fabs(m->piece[k].rate) : REAL_NEVER;
        if (swinging < g->motions->lookahead) g->motions->lookahead = swinging;
        if (turning < g->motions->lookahead) g->motions->lookahead = turning;
    }
}

static bool motions_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return g->scene->drive_count > 0;
}

/* Planes are surfaces of the core; exact surfaces and meshes look up their own motions. */
static void move_planes(gas *g)
{
    const uint32_t first = g->surface_count - (uint32_t)g->scene->plane_count;
    for (uint32_t p = first; p < g->surface_count; p++)
        g->surface[p].motion = motion_of(g, p - first, SIZE_MAX, SIZE_MAX);
}

static carom_status motions_create(gas *g, const initial_state *state, error *e)
{
    const scene *s = g->scene;
    motions *all = g->motions;
    (void)state;
    all->lookahead = REAL_NEVER;
    all->drive = NEW_ARRAY(s->drive_count, motion);
    if (all->drive == NULL) return error_memory(e, "drives", s->drive_count * sizeof *all->drive);
    for (size_t k = 0; k < s->drive_count; k++) {
        TRY(set_motion(&all->drive[k], &s->drives[k], e));
        limit_lookahead(g, &all->drive[k]);
    }
    move_planes(g);
    motions_rebase(g);
    return CAROM_OK;
}

static void motions_destroy(gas *g)
{
    for (size_t k = 0; g->motions->drive != NULL && k < g->scene->drive_count; k++)
        memory_free(g->motions->drive[k].piece);
    memory_free(g->motions->drive);
}

static const motion *motion_of(const gas *g, size_t on_plane, size_t on_exact, size_t on_mesh)
{
    for (size_t k = 0; g->motions != NULL && k < g->scene->drive_count; k++) {
        const scene_drive *d = &g->scene->drives[k];
        if ((on_plane != SIZE_MAX && d->plane == on_plane) ||
            (on_exact != SIZE_MAX && scene_drive_exact(g->scene, d) == on_exact) ||
            (on_mesh != SIZE_MAX && d->mesh == on_mesh))
            return &g->motions->drive[k];
    }
    return NULL;
}

static const feature feature_motion = {.name = "motion",
                                       FEATURE_STATE(motions),
                                       .enabled = motions_enabled,
                                       .accounts = true,
                                       .create = motions_create,
                                       .destroy = motions_destroy,
                                       .rebased = motions_rebase,
                                       .loaded = motions_rebase};
