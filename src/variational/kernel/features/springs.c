/* Springs: V = stiffness (|r| - length)^2 / 2, with a dashpot along r; hinges (2D): V = stiffness (theta - angle)^2
 * / 2, theta the angle at b by which the path a-b-c turns to the left. All of them share one clock. */
#include "variational/kernel/features/springs.h"

#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/kicks.h"

#include "variational/kernel/step_rows.h"

#include "base/memory.h"
#include "base/pi.h"
#include "scene/losses.h"
#include "scene/where.h"

static void spring_vector(const world *w, uint32_t i, uint32_t j, double t, double r[DIM])
{
    double y[DIM];
    node_place(w, i, t, r);
    node_place(w, j, t, y);
    for (int k = 0; k < DIM; k++) r[k] -= y[k];
    nearest_image(w, r);
}

static bool link_vector(world *w, uint32_t i, uint32_t j, double t, double r[DIM])
{
    spring_vector(w, i, j, t, r);
    for (int k = 0; k < DIM && w->domain.periodic; k++) {
        if (w->domain.box[k] == 0 || fabs(r[k]) <= LINK_REACH * w->domain.box[k]) continue;
        w->elastic_links.stretched[0] = i;
        w->elastic_links.stretched[1] = j;
        return false;
    }
    return true;
}

static carom_status springs_stretched(const world *w, double t, error *e)
{
    const uint32_t *ends = w->elastic_links.stretched;
    double r[DIM];
    spring_vector(w, ends[0], ends[1], t, r);
    return error_set(
        e, CAROM_DYNAMICS,
        "error: stretched: at time %.9g particles %u and %u, which a spring or hinge connects, are %.6g apart, "
        "which is too far for the periodic box: give a larger box or a stiffer spring between them",
        t, w->id[ends[1]], w->id[ends[0]], sqrt(dot(r, r)));
}

static carom_status refuse_long(const world *w, const char *key, size_t k, uint32_t i, uint32_t j, error *e)
{
    double r[DIM];
    spring_vector(w, i, j, 0, r);
    return scene_refuse(
        scene_at(w->scene, "%s.%zu", key, k), e,
        "particles %u and %u are %.6g apart, which is too far for the periodic box: their distance along a "
        "periodic axis must be below %g of the box" HINT "give a larger box or connect nearer particles",
        w->id[j], w->id[i], sqrt(dot(r, r)), LINK_REACH);
}

static double material_courant(const world *w)
{
    return w->settings->courant > 0 ? w->settings->courant : ELASTIC_COURANT;
}

static double longest_material_step(const world *w)
{
    return (w->contacts.elastic ? MATERIAL_STEPS : MATERIAL_STEPS_LOSSY) * w->choice.step;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static carom_status set_springs(world *w, error *e)
{
    const scene *s = w->scene;
    for (size_t k = 0; k < s->springs_count; k++)
        for (size_t n = 0; n < s->springs[k].count; n++) {
            const scene_springs *from = &s->springs[k];
            spring *q = &w->elastic_links.spring[w->elastic_links.spring_count++];
            double r[DIM];
            *q = (spring){.i = w->index_of[from->pairs[n][0]],
                          .j = w->index_of[from->pairs[n][1]],
                          .stiffness = from->stiffness,
                          .damping = from->damping,
                          .length = from->length};
            if (!link_vector(w, q->i, q->j, 0, r)) return refuse_long(w, "springs", k, q->i, q->j, e);
            if (q->length < 0) q->length = sqrt(dot(r, r));
        }
    return CAROM_OK;
}

/* The angle by which the path turns to the left from `back` (b - a) to `ahead` (c - b). */
static double turn_angle(const double back[DIM], const double ahead[DIM])
{
    return atan2(back[0] * ahead[1] - back[1] * ahead[0], back[0] * ahead[0] + back[1] * ahead[1]);
}

static carom_status set_hinges(world *w, error *e)
{
    const scene *s = w->scene;
    for (size_t k = 0; k < s->hinges_count; k++)
        for (size_t n = 0; n < s->hinges[k].count; n++) {
            const uint32_t *at = s->hinges[k].triples[n];
            hinge *q = &w->elastic_links.hinge[w->elastic_links.hinge_count++];
            double back[DIM], ahead[DIM];
            *q = (hinge){w->index_of[at[0]], w->index_of[at[1]], w->index_of[at[2]], s->hinges[k].stiffness,
                         s->hinges[k].angle};
            if (!link_vector(w, q->b, q->a, 0, back)) return refuse_long(w, "hinges", k, q->b, q->a, e);
            if (!link_vector(w, q->c, q->b, 0, ahead)) return refuse_long(w, "hinges", k, q->c, q->b, e);
            if (isnan(q->angle)) q->angle = turn_angle(back, ahead);
        }
    return CAROM_OK;
}

static double hinge_pull(const world *w, const hinge *q)
{
    double back[DIM], ahead[DIM];
    spring_vector(w, q->b, q->a, 0, back);
    spring_vector(w, q->c, q->b, 0, ahead);
    return q->stiffness / lesser(dot(back, back), dot(ahead, ahead));
}

static void springs_pull(const world *w, double *pull)
{
    for (uint32_t k = 0; k < w->elastic_links.spring_count; k++) {
        pull[w->elastic_links.spring[k].i] += w->elastic_links.spring[k].stiffness;
        pull[w->elastic_links.spring[k].j] += w->elastic_links.spring[k].stiffness;
    }
    for (uint32_t k = 0; k < w->elastic_links.hinge_count; k++) {
        const hinge *q = &w->elastic_links.hinge[k];
        const double stiff = hinge_pull(w, q);
        pull[q->a] += 2 * stiff;
        pull[q->c] += 2 * stiff;
        pull[q->b] += 4 * stiff;
    }
}

/* A bound of the largest squared frequency. */
static double frequency2(const world *w)
{
    double *pull = NEW_ARRAY(w->count, double), most = 0;
    if (pull == NULL) return NAN;
    springs_pull(w, pull);
    for (uint32_t i = 0; i < w->count; i++) most = greater(most, 2 * pull[i] * w->inverse_mass[i]);
    memory_free(pull);
    return most;
}

static double most_damping(const world *w)
{
    double most = 0;
    for (uint32_t k = 0; k < w->elastic_links.spring_count; k++)
        most = greater(most, w->elastic_links.spring[k].damping * (w->inverse_mass[w->elastic_links.spring[k].i] +
                                                                   w->inverse_mass[w->elastic_links.spring[k].j]));
    return most;
}

static double springs_bound(const world *w)
{
    const double square = frequency2(w);
    return isnan(square) ? NAN : lesser(2 / sqrt(square), 1 / most_damping(w));
}

static double springs_step(const world *w, double bound)
{
    const double given = w->settings->material_step;
    return given > 0 ? given : lesser(material_courant(w) * bound, longest_material_step(w));
}

static carom_status springs_create(world *w, const initial_state *state, error *e)
{
    (void)state;
    const scene *s = w->scene;
    size_t springs = 0, hinges = 0;
    for (size_t k = 0; k < s->springs_count; k++) springs += s->springs[k].count;
    for (size_t k = 0; k < s->hinges_count; k++) hinges += s->hinges[k].count;
    if (springs + hinges == 0) return CAROM_OK;
    w->elastic_links.spring = NEW_ARRAY(springs, spring);
    w->elastic_links.hinge = NEW_ARRAY(hinges, hinge);
    if (w->elastic_links.spring == NULL || w->elastic_links.hinge == NULL)
        return error_memory(e, "springs", springs * sizeof *w->elastic_links.spring);
    TRY(set_springs(w, e));
    if (DIM == 2) TRY(set_hinges(w, e));
    const double bound = springs_bound(w), step = springs_step(w, bound);
    if (isnan(bound)) return error_memory(e, "springs", w->count * sizeof(double));
    if (isinf(bound)) return CAROM_OK; /* no force on a free node */
    if (step >= bound)
        return scene_refuse(scene_at(s, "variational.material_step"), e,
                            "variational.material_step is %.6g, beyond the stability of these springs; it must "
                            "be below %.6g",
                            step, bound);
    uint32_t c = clock_add(w, CLOCK_SPRINGS, 0, 0, step);
    if (c == NONE) return error_memory(e, "clocks", sizeof(clock));
    return CAROM_OK;
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static double lengthening(const world *w, const spring *q, double t)
{
    double u[DIM], v[DIM];
    node_velocity(w, q->i, t, u);
    node_velocity(w, q->j, t, v);
    for (int k = 0; k < DIM; k++) u[k] -= v[k];
    return dot(u, q->n);
}

static void pull_spring(world *w, spring *q, double step, double t)
{
    kick out = {.i = q->i, .j = q->j};
    q->lost = 0;
    if (!link_vector(w, q->i, q->j, t, out.r)) return;
    double length = sqrt(dot(out.r, out.r));
    if (!(length > 0)) return;
    for (int k = 0; k < DIM; k++) q->n[k] = out.r[k] / length;
    if (q->damping > 0) {
        q->speed = lengthening(w, q, t);
        q->lost = -step * q->damping * q->speed;
    }
    double impulse = -step * q->stiffness * (length - q->length) + q->lost;
    for (int k = 0; k < DIM; k++) out.impulse[k] = impulse * q->n[k];
    w->totals.events[EVENT_FORCE]++;
    add_kick(w, &out);
}

/* The work of a dashpot's impulse uses the mean of the velocities before and after all kicks of the tick, including
 * those of other springs and hinges at the same nodes. */
static void springs_book(world *w, double t)
{
    for (uint32_t k = 0; k < w->elastic_links.spring_count; k++) {
        const spring *q = &w->elastic_links.spring[k];
        if (q->lost != 0) w->totals.ledger.damping -= 0.5 * q->lost * (q->speed + lengthening(w, q, t));
    }
}

static void bend_hinge(world *w, const hinge *q, double step, double t)
{
    double back[DIM], ahead[DIM];
    kick a = {.i = q->a, .j = NONE}, b = {.i = q->b, .j = NONE}, c = {.i = q->c, .j = NONE};
    if (!link_vector(w, q->b, q->a, t, back) || !link_vector(w, q->c, q->b, t, ahead)) return;
    double first = dot(back, back), second = dot(ahead, ahead);
    if (!(first > 0 && second > 0)) return;
    double torque = step * q->stiffness * remainder(turn_angle(back, ahead) - q->angle, 2 * PI);
    /* theta = arg(ahead) - arg(back); the gradient of arg(r) is (-r_y, r_x) / r^2 */
    a.impulse[0] = -torque * -back[1] / first;
    a.impulse[1] = -torque * back[0] / first;
    c.impulse[0] = -torque * -ahead[1] / second;
    c.impulse[1] = -torque * ahead[0] / second;
    for (int k = 0; k < 2; k++) b.impulse[k] = -a.impulse[k] - c.impulse[k];
    w->totals.events[EVENT_FORCE]++;
    if (add_kick(w, &a) && add_kick(w, &b)) add_kick(w, &c);
}

static void springs_fire(world *w, const clock *c, double t)
{
    for (uint32_t k = 0; k < w->elastic_links.spring_count; k++)
        pull_spring(w, &w->elastic_links.spring[k], c->step, t);
    for (uint32_t k = 0; k < w->elastic_links.hinge_count; k++) bend_hinge(w, &w->elastic_links.hinge[k], c->step, t);
}

static double springs_energy(const world *w, double t)
{
    double sum = 0, r[DIM], ahead[DIM];
    for (uint32_t k = 0; k < w->elastic_links.spring_count; k++) {
        spring_vector(w, w->elastic_links.spring[k].i, w->elastic_links.spring[k].j, t, r);
        double longer = sqrt(dot(r, r)) - w->elastic_links.spring[k].length;
        sum += 0.5 * w->elastic_links.spring[k].stiffness * longer * longer;
    }
    for (uint32_t k = 0; k < w->elastic_links.hinge_count; k++) {
        const hinge *q = &w->elastic_links.hinge[k];
        spring_vector(w, q->b, q->a, t, r);
        spring_vector(w, q->c, q->b, t, ahead);
        double off = remainder(turn_angle(r, ahead) - q->angle, 2 * PI);
        sum += 0.5 * q->stiffness * off * off;
    }
    return sum;
}

static step_rates spring_rates(const world *w, const spring *q)
{
    const double courant = material_courant(w), i = w->inverse_mass[q->i], j = w->inverse_mass[q->j];
    return (step_rates){sqrt(2 * q->stiffness * greater(i, j)) / (2 * courant), q->damping * (i + j) / courant};
}

static step_rates hinge_rates(const world *w, const hinge *q)
{
    const double ends = greater(w->inverse_mass[q->a], w->inverse_mass[q->c]);
    const double pull = hinge_pull(w, q) * greater(2 * ends, 4 * w->inverse_mass[q->b]);
    return (step_rates){sqrt(2 * pull) / (2 * material_courant(w)), 0};
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static double pull_bound(const world *w, const double *pull, const uint32_t *at, int count)
{
    double most = 0;
    for (int q = 0; q < count; q++) most = greater(most, 2 * pull[at[q]] * w->inverse_mass[at[q]]);
    return 2 / sqrt(most);
}

static void add_spring_row(const world *w, engine_steps *out, const char *kind, const step_candidate *best)
{
    const scene *s = w->scene;
    size_t k = 0, n = best->n;
    if (best->count == 0) return;
    carom_step *row = steps_add(out, kind, step_of_clock(w, CLOCK_SPRINGS), best->bound, best->count);
    const uint32_t at[2] = {w->elastic_links.spring[best->n].i, w->elastic_links.spring[best->n].j};
    while (n >= s->springs[k].count) n -= s->springs[k++].count;
    snprintf(row->element, sizeof row->element, "spring %zu of '%.100s' (particles %u and %u)", n, s->springs[k].name,
             w->id[at[0]], w->id[at[1]]);
    step_set_place(w, row, at, 2);
}

static void add_hinge_row(const world *w, engine_steps *out, const step_candidate *best)
{
    const scene *s = w->scene;
    size_t k = 0, n = best->n;
    if (best->count == 0) return;
    carom_step *row = steps_add(out, "hinges", step_of_clock(w, CLOCK_SPRINGS), best->bound, best->count);
    const hinge *q = &w->elastic_links.hinge[best->n];
    const uint32_t at[3] = {q->a, q->b, q->c};
    while (n >= s->hinges[k].count) n -= s->hinges[k++].count;
    snprintf(row->element, sizeof row->element, "hinge %zu of '%.100s' (particles %u, %u and %u)", n, s->hinges[k].name,
             w->id[at[0]], w->id[at[1]], w->id[at[2]]);
    step_set_place(w, row, at, 3);
}

static carom_status springs_steps(const world *w, const initial_state *state, engine_steps *out, error *e)
{
    (void)state;
    step_candidate springs = {0}, dashpots = {0}, hinges = {0};
    if (!(step_of_clock(w, CLOCK_SPRINGS) > 0)) return CAROM_OK;
    double *pull = NEW_ARRAY(w->count, double);
    if (pull == NULL) return error_memory(e, "springs", w->count * sizeof *pull);
    springs_pull(w, pull);
    for (uint32_t n = 0; n < w->elastic_links.spring_count; n++) {
        const spring *q = &w->elastic_links.spring[n];
        const step_rates rates = spring_rates(w, q);
        step_consider(&springs, n, pull_bound(w, pull, (const uint32_t[2]){q->i, q->j}, 2), rates.pull);
        step_consider(&dashpots, n, 1 / (q->damping * (w->inverse_mass[q->i] + w->inverse_mass[q->j])), rates.drag);
    }
    for (uint32_t n = 0; n < w->elastic_links.hinge_count; n++) {
        const hinge *q = &w->elastic_links.hinge[n];
        step_consider(&hinges, n, pull_bound(w, pull, (const uint32_t[3]){q->a, q->b, q->c}, 3),
                      hinge_rates(w, q).pull);
    }
    memory_free(pull);
    add_spring_row(w, out, "springs", &springs);
    add_spring_row(w, out, "spring_damping", &dashpots);
    add_hinge_row(w, out, &hinges);
    return CAROM_OK;
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool springs_enabled(const world *w)
{
    return w->scene->springs_count + w->scene->hinges_count > 0;
}

static void springs_destroy(world *w)
{
    memory_free(w->elastic_links.spring);
    memory_free(w->elastic_links.hinge);
}

static void springs_fill_frame(const world *w, double t, carom_frame *f)
{
    f->tallies.ledger.springs += springs_energy(w, t);
}

static const feature springs_feature = {.name = "springs",
                                        .enabled = springs_enabled,
                                        .create = springs_create,
                                        .destroy = springs_destroy,
                                        .fire = springs_fire,
                                        .book = springs_book,
                                        .fill_frame = springs_fill_frame,
                                        .steps = springs_steps};
