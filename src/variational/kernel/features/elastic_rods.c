/* Elastic rods (the key `rods`): stretching, bending and twist of polygons of nodes, by rod_math.h and rod_frames.h. All of them share
 * one clock.
 * A joint whose edges are held from the start does not bend, so a clamp is at the end of the held edges. */
#include "variational/kernel/features/elastic_rods.h"

#include "variational/kernel/features/springs.h"
#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/kicks.h"
#include "variational/kernel/step_rows.h"

#include "base/memory.h"
#include "base/pi.h"
#include "engine/sound.h"
#include "scene/where.h"
#include "variational/rod_frames.h"

static bool rods_enabled(const world *w)
{
    return w->scene->rods_count > 0;
}

#if CAROM_DIM == 3

typedef struct elastic_rods {
    elastic_rod *rod;
    rod_edge *edge; /* of all rods */
    rod_state *state;
    rod_frames *section;      /* of each rod that has frames */
    rod_frame *frame, *trial; /* of each edge, and room for a copy; NULL: no rod has frames */
    rod_joint_rest *rest;     /* likewise */
    bool *held;
    frame_equation *equation;
    uint32_t count, edge_count;
} elastic_rods;

static bool has_frames(const scene_rod *from)
{
    return from->width > 0 || from->rest != ROD_STRAIGHT;
}

/* Of the edges of a rod, in the array of those of all rods. */
static rod_frame *frames_in(const world *w, const elastic_rod *r, rod_frame *all)
{
    return r->frames != NULL ? &all[r->edge - w->rods->edge] : NULL;
}

/* The state at time t. f: frames at the time before, which become those at t. Adds the work done by the rotation of the end, and the
 * energy that directors lose. */
static rod_state rod_follow(const elastic_rod *r, const rod_state *before, rod_frame *f, double t, double *work,
                            double *lost)
{
    rod_state now = *before;
    if (r->frames == NULL) {
        now = rod_advance(r, before, t);
        *work += rod_work(r, before, &now);
        return now;
    }
    const double rotated = rod_rotation(r, before->time, t), torque = frames_end_torque(r, f);
    *lost += frames_advance(r, f, rotated);
    *work += 0.5 * rotated * (torque + frames_end_torque(r, f));
    now.twist = frames_twist(r, f);
    now.held += rotated;
    now.time = t;
    return now;
}

/* Gathers the edges at time t. */
static void rod_place(const world *w, elastic_rod *r, double t)
{
    for (uint32_t j = 0; j < r->edges; j++) {
        rod_edge *e = &r->edge[j];
        spring_vector(w, e->to, e->from, t, e->way);
    }
    rod_look(r);
}

static void edge_speed(const world *w, const rod_edge *e, double t, double out[3])
{
    double u[DIM];
    node_velocity(w, e->to, t, out);
    node_velocity(w, e->from, t, u);
    for (int k = 0; k < DIM; k++) out[k] -= u[k];
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static carom_status rod_check(const world *w, size_t k, elastic_rod *r, error *e)
{
    for (uint32_t j = 0; j < r->edges; j++) {
        const rod_edge *a = &r->edge[j], *b = &r->edge[(j + 1) % r->edges];
        if (!(a->size > 0))
            return scene_refuse(scene_at(w->scene, "rods.%zu", k), e,
                                "rods '%s': particles %u and %u have the same position" HINT "move one of them",
                                w->scene->rods[k].name, w->id[a->from], w->id[a->to]);
        if (j < r->joints && b->size > 0 && dot3(a->unit, b->unit) < ROD_FOLD)
            return scene_refuse(scene_at(w->scene, "rods.%zu", k), e,
                                "rods '%s': it turns back at particle %u, by more than 120 degrees" HINT
                                "take more and shorter edges there",
                                w->scene->rods[k].name, w->id[a->to]);
    }
    return CAROM_OK;
}

/* Lengths at rest, and the parts of the rod that bend: half of each edge at a joint that is not held. */
static void rod_rest(const world *w, elastic_rod *r, const bool *held)
{
    for (uint32_t j = 0; j < r->edges; j++) r->edge[j].length = r->edge[j].size;
    for (uint32_t j = 0; j < r->joints; j++)
        for (uint32_t n = 0; n < 2; n++) {
            const rod_edge *e = &r->edge[(j + n) % r->edges];
            if (!held[w->id[e->from]] || !held[w->id[e->to]]) r->edge[j].span += 0.5 * e->length;
        }
}

/* A director is held if its edge is clamped; at an end also if the twist is given. */
static void rod_hold(const world *w, const elastic_rod *r, const bool *held)
{
    for (uint32_t j = 0; j < r->edges; j++) {
        const bool end = !rod_is_closed(r) && (j == 0 || j + 1 == r->edges);
        r->frames->held[j] = (end && r->torsion > 0) || (held[w->id[r->edge[j].from]] && held[w->id[r->edge[j].to]]);
    }
}

/* Without a width, a rod that starts straight is a round one. */
static bool needs_frames(const scene_rod *from, const elastic_rod *r)
{
    double bent = 0;
    for (uint32_t j = 0; j < r->joints; j++) bent = greater(bent, dot3(r->edge[j].bend, r->edge[j].bend));
    return has_frames(from) && (from->width > 0 || bent > 1e-18);
}

/* The cross section is an ellipse with the axes a (width) and b: E pi a b^3 / 64 and E pi a^3 b / 64, and its torsion constant
 * pi a^3 b^3 / (16 (a^2 + b^2)) (Saint-Venant). */
static carom_status rod_set_frames(world *w, size_t k, elastic_rod *r, const bool *held, error *e)
{
    const scene_rod *from = &w->scene->rods[k];
    const size_t first = (size_t)(r->edge - w->rods->edge);
    const double b = from->diameter, a = from->width > 0 ? from->width : b;
    rod_frames *f = r->frames = &w->rods->section[k];
    *f = (rod_frames){.bend = {from->young * PI / 64 * a * b * b * b, from->young * PI / 64 * a * a * a * b},
                      .torsion = from->young / (1 + from->poisson) * PI / 32 * pow(a * b, 3) / (a * a + b * b),
                      .held = &w->rods->held[first],
                      .rest = &w->rods->rest[first],
                      .equation = &w->rods->equation[first]};
    r->torsion *= f->torsion * (1 + from->poisson) / r->bend;
    rod_hold(w, r, held);
    double along[3], most = 0, across[3];
    for (int n = 0; n < 3; n++) most = greater(most, fabs(from->along[n]));
    for (int n = 0; n < 3 && from->width > 0; n++) along[n] = from->along[n] / most;
    if (from->width == 0) rod_find_normal(r->edge->unit, along);
    cross3(r->edge->unit, along, across);
    if (!(dot3(across, across) > 1e-12))
        return scene_refuse(
            scene_at(w->scene, "rods.%zu.width_along", k), e,
            "rods '%s': 'width_along' has the direction of the first edge" HINT "give a vector across it", from->name);
    frames_begin(r, frames_in(w, r, w->rods->frame), along, from->rest == ROD_START);
    return CAROM_OK;
}

static carom_status rod_make(world *w, size_t k, rod_edge *edge, const bool *held, error *e)
{
    const scene_rod *from = &w->scene->rods[k];
    const double width = from->width > 0 ? from->width : from->diameter, area = 0.25 * PI * width * from->diameter;
    const double moment = area * from->diameter * from->diameter / 16; /* second moment of area */
    elastic_rod *r = &w->rods->rod[k];
    *r = (elastic_rod){.edge = edge,
                       .edges = (uint32_t)(from->closed ? from->count : from->count - 1),
                       .stretch = from->young * area,
                       .bend = from->young * moment,
                       .damping = from->damping,
                       .rate = from->twist_rate,
                       .until = from->twist_until > 0 ? from->twist_until : INFINITY};
    r->joints = from->closed ? r->edges : r->edges - 1;
    for (uint32_t j = 0; j < r->edges; j++) {
        r->edge[j].from = w->index_of[from->particles[j]];
        r->edge[j].to = w->index_of[from->particles[(j + 1) % from->count]];
        double way[DIM];
        if (!link_vector(w, r->edge[j].to, r->edge[j].from, 0, way))
            return refuse_long(w, "rods", k, r->edge[j].to, r->edge[j].from, e);
    }
    rod_place(w, r, 0);
    TRY(rod_check(w, k, r, e));
    rod_rest(w, r, held);
    double length = 0;
    for (uint32_t j = 0; j < r->joints; j++) length += r->edge[j].span;
    if (!isnan(from->twist) && length > 0) {
        r->first = from->twist;
        r->torsion = r->bend / (1 + from->poisson) / length; /* G J = E I / (1 + poisson) */
    }
    w->rods->state[k] = rod_begin(r);
    if (needs_frames(from, r)) TRY(rod_set_frames(w, k, r, held, e));
    return CAROM_OK;
}

static carom_status rods_allocate(world *w, error *e)
{
    elastic_rods *all = w->rods = NEW_ARRAY(1, elastic_rods);
    if (all == NULL) return error_memory(e, "rods", sizeof *all);
    all->count = (uint32_t)w->scene->rods_count;
    bool frames = false;
    for (size_t k = 0; k < all->count; k++) {
        all->edge_count += (uint32_t)w->scene->rods[k].count;
        frames = frames || has_frames(&w->scene->rods[k]);
    }
    all->rod = NEW_ARRAY(all->count, elastic_rod);
    all->state = NEW_ARRAY(all->count, rod_state);
    all->edge = NEW_ARRAY(all->edge_count, rod_edge);
    bool made = all->rod != NULL && all->state != NULL && all->edge != NULL;
    if (frames) {
        all->section = NEW_ARRAY(all->count, rod_frames);
        all->frame = NEW_ARRAY(all->edge_count, rod_frame);
        all->trial = NEW_ARRAY(all->edge_count, rod_frame);
        all->rest = NEW_ARRAY(all->edge_count, rod_joint_rest);
        all->equation = NEW_ARRAY(all->edge_count, frame_equation);
        all->held = NEW_ARRAY(all->edge_count, bool);
        made = made && all->section != NULL && all->frame != NULL && all->trial != NULL && all->rest != NULL &&
               all->equation != NULL && all->held != NULL;
    }
    return made ? CAROM_OK : error_memory(e, "rods", all->edge_count * sizeof *all->edge);
}

/* ---- stability --------------------------------------------------------------------------------------------------- */

/* The largest moment of its twist that the scene prescribes. It does not depend on the end of the run where the rotation has its own:
 * runs that are extended have the steps of a whole one. */
static double rod_moment(const world *w, const elastic_rod *r)
{
    const double end = isfinite(r->until) ? r->until : w->scene->until.time;
    const double twist = isfinite(end) ? fabs(r->first + r->rate * end) : 0;
    return r->torsion * greater(fabs(r->first), twist);
}

/* The force of the twist is its moment times a third difference of positions, over a squared length: the sum of a row's
 * elements is three times that. */
static double edge_stiffness(const elastic_rod *r, const rod_edge *e, double moment)
{
    return r->stretch / e->length + 1.5 * moment / (e->length * e->length);
}

/* Of the joint at the end of edge j; 0: it does not bend. It belongs to the shorter of its two edges. */
static double joint_stiffness(const elastic_rod *r, uint32_t j, const rod_edge **of)
{
    const rod_edge *e = &r->edge[j], *f = &r->edge[(j + 1) % r->edges];
    *of = e->length <= f->length ? e : f;
    if (j >= r->joints || !(e->span > 0)) return 0;
    const double bend = r->frames != NULL ? frames_stiffness(r, j) : r->bend;
    return bend / (e->span * (*of)->length * (*of)->length);
}

/* Adds to pull[count] as springs_pull does. without: edges that are left out, by number; NULL: none. */
static void rods_pull(const world *w, const bool *without, double *pull)
{
    const rod_edge *first = w->rods->edge, *of;
    for (uint32_t n = 0; n < w->rods->count; n++) {
        const elastic_rod *r = &w->rods->rod[n];
        const double moment = rod_moment(w, r);
        for (uint32_t j = 0; j < r->edges; j++) {
            const rod_edge *e = &r->edge[j], *f = &r->edge[(j + 1) % r->edges];
            const double stiff = without != NULL && without[e - first] ? 0 : edge_stiffness(r, e, moment);
            pull[e->from] += stiff;
            pull[e->to] += stiff;
            const double bent = joint_stiffness(r, j, &of);
            if (bent == 0 || (without != NULL && without[of - first])) continue;
            pull[e->from] += 2 * bent;
            pull[e->to] += 4 * bent;
            pull[f->to] += 2 * bent;
        }
    }
}

typedef struct rod_bounds {
    double pull, drag;
} rod_bounds;

static rod_bounds edge_bounds(const world *w, const elastic_rod *r, const rod_edge *e, const double *pull)
{
    const double square = 2 * greater(pull[e->from] * w->inverse_mass[e->from], pull[e->to] * w->inverse_mass[e->to]);
    return (rod_bounds){2 / sqrt(square), 1 / (r->damping * square)};
}

/* The smallest bound of the step; NAN: no memory. best: also the edges that have it, by stiffness and by damping. */
static double rods_bound(const world *w, step_candidate best[2])
{
    double *pull = NEW_ARRAY(w->count, double), least = INFINITY;
    if (pull == NULL) return NAN;
    rods_pull(w, NULL, pull);
    uint32_t number = 0;
    for (uint32_t n = 0; n < w->rods->count; n++)
        for (uint32_t j = 0; j < w->rods->rod[n].edges; j++, number++) {
            const elastic_rod *r = &w->rods->rod[n];
            const rod_bounds b = edge_bounds(w, r, &r->edge[j], pull);
            least = lesser(least, lesser(b.pull, b.drag));
            if (best == NULL) continue;
            step_consider(&best[0], number, b.pull, isinf(b.pull) ? 0 : 1);
            step_consider(&best[1], number, b.drag, isinf(b.drag) ? 0 : 1);
        }
    memory_free(pull);
    return least;
}

static carom_status rods_create(world *w, const initial_state *state, error *e)
{
    TRY(rods_allocate(w, e));
    bool *held = state_find_held(state, w->scene);
    if (held == NULL) return error_memory(e, "rods", w->count);
    rod_edge *edge = w->rods->edge;
    carom_status status = CAROM_OK;
    for (size_t k = 0; status == CAROM_OK && k < w->rods->count; edge += w->rods->rod[k++].edges)
        status = rod_make(w, k, edge, held, e);
    memory_free(held);
    TRY(status);
    w->totals.ledger.shells = w->totals.ledger.rods = true;
    const double bound = rods_bound(w, NULL), given = w->settings->material_step;
    if (isnan(bound)) return error_memory(e, "rods", w->count * sizeof(double));
    if (isinf(bound)) return CAROM_OK; /* no free node */
    const double step = given > 0 ? given : springs_step(w, bound);
    if (step >= bound)
        return scene_refuse(
            scene_at(w->scene, "variational.material_step"), e,
            "variational.material_step is %.6g, beyond the stability of these rods; it must be below %.6g", step,
            bound);
    return clock_add(w, CLOCK_RODS, 0, 0, step) != NONE ? CAROM_OK : error_memory(e, "clocks", sizeof(clock));
}

static void rods_destroy(world *w)
{
    if (w->rods == NULL) return;
    memory_free(w->rods->rod);
    memory_free(w->rods->state);
    memory_free(w->rods->edge);
    memory_free(w->rods->section);
    memory_free(w->rods->frame);
    memory_free(w->rods->trial);
    memory_free(w->rods->rest);
    memory_free(w->rods->equation);
    memory_free(w->rods->held);
    memory_free(w->rods);
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

/* The end also works against the drag. */
static void frames_fire(world *w, elastic_rod *r, const rod_frame *f, double t, double step)
{
    const double rate = t < r->until ? r->rate : 0;
    frames_force(r, f, rate);
    const double viscous = rate * step * r->frames->viscous;
    w->totals.sum.work += viscous;
    w->totals.ledger.damping += viscous;
}

static void rods_fire(world *w, const clock *c, double t)
{
    for (uint32_t n = 0; n < w->rods->count; n++) {
        elastic_rod *r = &w->rods->rod[n];
        rod_state *s = &w->rods->state[n];
        for (uint32_t j = 0; j < r->edges; j++) {
            rod_edge *e = &r->edge[j];
            if (!link_vector(w, e->to, e->from, t, e->way)) return;
            if (r->damping > 0) edge_speed(w, e, t, e->speed);
        }
        rod_look(r);
        rod_frame *f = frames_in(w, r, w->rods->frame);
        double work = 0;
        *s = rod_follow(r, s, f, t, &work, &w->totals.ledger.damping);
        w->totals.sum.work += work;
        if (f != NULL)
            frames_fire(w, r, f, t, c->step);
        else
            rod_force(r, s->twist);
        kick *out = add_kicks(w, r->edges);
        for (uint32_t j = 0; out != NULL && j < r->edges; j++) {
            const rod_edge *e = &r->edge[j];
            out[j] = (kick){.i = e->to, .j = e->from};
            memcpy(out[j].r, e->way, sizeof out[j].r);
            for (int k = 0; k < DIM; k++) out[j].impulse[k] = c->step * e->force[k];
        }
        w->totals.events[EVENT_FORCE] += r->edges;
    }
}

/* As springs_book: with the mean of the velocities before and after all kicks of the tick. */
static void rods_book(world *w, double t)
{
    const double step = step_of_clock(w, CLOCK_RODS);
    for (uint32_t n = 0; n < w->rods->count; n++) {
        const elastic_rod *r = &w->rods->rod[n];
        for (uint32_t j = 0; r->damping > 0 && j < r->edges; j++) {
            const rod_edge *e = &r->edge[j];
            double after[3];
            edge_speed(w, e, t, after);
            for (int k = 0; k < 3; k++) after[k] += e->speed[k];
            w->totals.ledger.damping -= 0.5 * step * dot3(e->drag, after);
        }
    }
}

static void rods_fill_frame(const world *w, double t, carom_frame *out)
{
    for (uint32_t n = 0; n < w->rods->count; n++) {
        elastic_rod *r = &w->rods->rod[n];
        rod_place(w, r, t);
        rod_frame *f = frames_in(w, r, w->rods->trial);
        if (f != NULL) memcpy(f, frames_in(w, r, w->rods->frame), r->edges * sizeof *f);
        frame_ledger *l = &out->tallies.ledger;
        double work = 0;
        const rod_state now = rod_follow(r, &w->rods->state[n], f, t, &work, &l->damping);
        const rod_energy energy = f != NULL ? frames_energy_of(r, f) : rod_energy_of(r, now.twist);
        l->stretch += energy.stretch;
        l->bend += energy.bend;
        l->twist += energy.twist;
        l->work += work;
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static carom_status rods_steps(const world *w, const initial_state *state, engine_steps *out, error *e)
{
    static const char *const kinds[2] = {"rods", "rod_damping"};
    (void)state;
    step_candidate best[2] = {0};
    if (isnan(rods_bound(w, best))) return error_memory(e, "rods", w->count * sizeof(double));
    for (int k = 0; k < 2; k++) {
        if (best[k].count == 0) continue;
        carom_step *row = steps_add(out, kinds[k], step_of_clock(w, CLOCK_RODS), best[k].bound, best[k].count);
        const rod_edge *at = &w->rods->edge[best[k].n];
        uint32_t of = 0;
        while (at >= w->rods->rod[of].edge + w->rods->rod[of].edges) of++;
        snprintf(row->element, sizeof row->element, "edge %zu of rod '%.100s' (particles %u and %u)",
                 (size_t)(at - w->rods->rod[of].edge), w->scene->rods[of].name, w->id[at->from], w->id[at->to]);
        step_set_place(w, row, (const uint32_t[2]){at->from, at->to}, 2);
    }
    return CAROM_OK;
}

static uint32_t rods_edges(const world *w)
{
    const rod_edge *last = w->rods != NULL ? w->rods->rod[w->rods->count - 1].edge : NULL;
    return last != NULL ? (uint32_t)(last - w->rods->edge) + w->rods->rod[w->rods->count - 1].edges : 0;
}

static void rods_edge_ends(const world *w, uint32_t number, uint32_t ends[2])
{
    ends[0] = w->rods->edge[number].from;
    ends[1] = w->rods->edge[number].to;
}

static void rods_rates(const world *w, step_rates *rates)
{
    const double courant = material_courant(w);
    const rod_edge *first = w->rods->edge, *of;
    for (uint32_t n = 0; n < w->rods->count; n++) {
        const elastic_rod *r = &w->rods->rod[n];
        const double moment = rod_moment(w, r);
        for (uint32_t j = 0; j < r->edges; j++)
            rates[&r->edge[j] - first] = (step_rates){edge_stiffness(r, &r->edge[j], moment), 0};
        for (uint32_t j = 0; j < r->joints; j++) {
            const double bent = joint_stiffness(r, j, &of);
            rates[of - first].pull += 4 * bent;
        }
        for (uint32_t j = 0; j < r->edges; j++) {
            step_rates *one = &rates[&r->edge[j] - first];
            const double lightest = greater(w->inverse_mass[r->edge[j].from], w->inverse_mass[r->edge[j].to]);
            const double square = 2 * one->pull * lightest;
            *one = (step_rates){sqrt(square) / (2 * courant), r->damping * square / courant};
        }
    }
}

static double rods_cost(const world *w, const bool *without, double *pull)
{
    double least = INFINITY, count = 0;
    memset(pull, 0, w->count * sizeof *pull);
    rods_pull(w, without, pull);
    for (uint32_t n = 0; n < w->rods->count; n++)
        for (uint32_t j = 0; j < w->rods->rod[n].edges; j++) {
            const elastic_rod *r = &w->rods->rod[n];
            const rod_edge *e = &r->edge[j];
            if (without[e - w->rods->edge]) continue;
            const rod_bounds b = edge_bounds(w, r, e, pull);
            least = lesser(least, lesser(b.pull, b.drag));
            count++;
        }
    return isfinite(least) ? count / springs_step(w, least) : 0;
}

/* ---- the state --------------------------------------------------------------------------------------------------- */

static int rods_saved(const world *w, snapshot_part parts[FEATURE_ARRAYS])
{
    parts[0] = (snapshot_part){"engine/rods", w->rods->state, w->rods->count * sizeof *w->rods->state};
    if (w->rods->frame == NULL) return 1;
    parts[1] = (snapshot_part){"engine/rod_frames", w->rods->frame, w->rods->edge_count * sizeof *w->rods->frame};
    return 2;
}

static uint64_t rods_hash(const world *w, uint64_t hash)
{
    hash = hash_bytes(hash, w->rods->state, w->rods->count * sizeof *w->rods->state);
    return w->rods->frame != NULL ? hash_bytes(hash, w->rods->frame, w->rods->edge_count * sizeof *w->rods->frame)
                                  : hash;
}

static bool is_frame(const double unit[3], const double director[3])
{
    return fabs(dot3(unit, unit) - 1) < 1e-6 && fabs(dot3(director, director) - 1) < 1e-6 &&
           fabs(dot3(unit, director)) < 1e-6;
}

static const char *rods_find_unsound(const world *w, void *const before[FEATURE_ARRAYS])
{
    (void)before;
    for (uint32_t n = 0; n < w->rods->count; n++) {
        const rod_state *s = &w->rods->state[n];
        const bool sound = fabs(s->twist) < ROD_MOST_TWIST && fabs(s->held) < ROD_MOST_TWIST && s->time >= 0 &&
                           s->time <= w->now && is_frame(s->tangent[0], s->director[0]) &&
                           is_frame(s->tangent[1], s->director[1]);
        if (!sound) return "engine/rods";
        const elastic_rod *r = &w->rods->rod[n];
        const rod_frame *f = frames_in(w, r, w->rods->frame);
        for (uint32_t j = 0; f != NULL && j < r->edges; j++)
            if (!is_frame(f[j].tangent, f[j].director) || !(fabs(f[j].twist) < ROD_MOST_TWIST) ||
                !isfinite(f[j].torque))
                return "engine/rod_frames";
    }
    return NULL;
}

#else

static uint32_t rods_edges(const world *w)
{
    (void)w;
    return 0;
}

static void rods_edge_ends(const world *w, uint32_t number, uint32_t ends[2])
{
    (void)w;
    ends[0] = ends[1] = number;
}

static void rods_rates(const world *w, step_rates *rates)
{
    (void)w;
    (void)rates;
}

static double rods_cost(const world *w, const bool *without, double *pull)
{
    (void)w;
    (void)without;
    (void)pull;
    return 0;
}

#endif

static const feature elastic_rods_feature = {.name = "elastic rods",
#if CAROM_DIM == 3
                                             .create = rods_create,
                                             .destroy = rods_destroy,
                                             .fire = rods_fire,
                                             .book = rods_book,
                                             .saved = rods_saved,
                                             .hash = rods_hash,
                                             .find_unsound = rods_find_unsound,
                                             .fill_frame = rods_fill_frame,
                                             .steps = rods_steps,
#endif
                                             .enabled = rods_enabled};
