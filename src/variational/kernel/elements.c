#include "variational/kernel/elements.h"

#include "variational/kernel/bodies.h"
#include "variational/kernel/leash.h"

#include "base/memory.h"

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static carom_status check_length(const world *w, const rod *q, const char *name, error *e)
{
    double r[DIM], y[DIM];
    node_place(w, q->a, 0, r);
    node_place(w, q->b, 0, y);
    for (int k = 0; k < DIM; k++) r[k] -= y[k];
    shorten(w, r);
    for (int k = 0; k < DIM; k++)
        if (w->box[k] > 0 && fabs(r[k]) > w->box[k] / 4)
            return error_set(
                e, CAROM_BAD_DATA,
                "%s: error: segments '%s': particles %u and %u are more than a quarter of the periodic box apart; "
                "take more and shorter segments, or a larger box",
                w->scene->source, name, w->id[q->a], w->id[q->b]);
    return CAROM_OK;
}

carom_status check_stretch(const world *w, uint32_t who, double t, double room, error *e)
{
    const rod *q = &w->rod[who - w->count];
    double x[DIM], y[DIM];
    node_place(w, q->a, t, x);
    node_place(w, q->b, t, y);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    shorten(w, x);
    for (int k = 0; k < DIM; k++)
        if (w->box[k] > 0 && fabs(x[k]) > greater(0.5 * w->box[k] - room, 0.25 * w->box[k] * (1 + 1e-9)))
            return error_set(e, CAROM_DYNAMICS,
                             "error: at time %.9g the segment between particles %u and %u has been stretched to %.6g, "
                             "which is too long for the periodic box: tie its ends by a stiffer spring or a body, take "
                             "more and shorter segments, or a larger box",
                             t, w->id[q->a], w->id[q->b], sqrt(dot(x, x)));
    return CAROM_OK;
}

carom_status elements_create(world *w, error *e)
{
    const scene *s = w->scene;
    uint32_t at = 0;
    if (w->rod_count == 0) return CAROM_OK;
    w->rod = NEW_ARRAY(w->rod_count, rod);
    w->first_rod = NEW_ARRAY(w->count + 1, uint32_t);
    w->rod_of = NEW_ARRAY(2 * (size_t)w->rod_count, uint32_t);
    if (w->rod == NULL || w->first_rod == NULL || w->rod_of == NULL)
        return error_memory(e, "segments", w->rod_count * sizeof *w->rod);
    for (size_t k = 0; k < s->segments_count; k++)
        for (size_t n = 0; n < s->segments[k].count; n++) {
            const scene_segments *from = &s->segments[k];
            rod *q = &w->rod[at];
            *q = (rod){w->index_of[from->pairs[n][0]], w->index_of[from->pairs[n][1]]};
            w->radius[w->count + at] = 0.5 * from->diameter;
            w->core[w->count + at] = 0.5 * from->diameter - w->choice.eta;
            w->species[w->count + at++] = from->species;
            TRY(check_length(w, q, from->name, e));
            w->first_rod[q->a + 1]++;
            w->first_rod[q->b + 1]++;
        }
    for (uint32_t i = 0; i < w->count; i++) w->first_rod[i + 1] += w->first_rod[i];
    for (uint32_t r = w->rod_count; r-- > 0;) {
        w->rod_of[--w->first_rod[w->rod[r].a + 1]] = w->count + r;
        w->rod_of[--w->first_rod[w->rod[r].b + 1]] = w->count + r;
    }
    for (uint32_t i = 0; i < w->count; i++) w->first_rod[i] = w->first_rod[i + 1];
    w->first_rod[w->count] = 2 * w->rod_count;
    return CAROM_OK;
}

void elements_destroy(world *w)
{
    memory_free(w->rod);
    memory_free(w->first_rod);
    memory_free(w->rod_of);
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

void node_place(const world *w, uint32_t i, double t, double x[DIM])
{
    if (w->node[i].w < 0)
        body_place(w, i, t, x);
    else
        position_at(w, &w->node[i], t, x);
}

void node_velocity(const world *w, uint32_t i, double t, double v[DIM])
{
    if (w->node[i].w < 0)
        body_velocity(w, i, t, v);
    else
        velocity_at(w, &w->node[i], t, v);
}

double node_bend(const world *w, uint32_t i)
{
    return w->node[i].w < 0 ? body_bend(w, i) : 0;
}

static int ends_of(const world *w, uint32_t who, uint32_t ends[2])
{
    if (!is_rod(w, who)) {
        ends[0] = ends[1] = who;
        return 1;
    }
    ends[0] = w->rod[who - w->count].a;
    ends[1] = w->rod[who - w->count].b;
    return 2;
}

static bool nodes_bound(const world *w, uint32_t a, uint32_t b)
{
    if (a == b) return true;
    if (w->node[a].w == 0 && w->node[b].w == 0) return true;
    return w->node[a].w < 0 && w->node[b].w < 0 && w->body_of[a] == w->body_of[b];
}

bool never_touch(const world *w, uint32_t i, uint32_t who)
{
    uint32_t a[2], b[2];
    int m = ends_of(w, i, a);
    if (who >= NODES) return w->node[a[0]].w == 0 && w->node[a[1]].w == 0;
    int n = ends_of(w, who, b);
    bool all = true;
    if (is_vertex(w, a[0]) || is_vertex(w, b[0])) return true; /* triangles and edges are what touches */
    for (int p = 0; p < m; p++)
        for (int q = 0; q < n; q++) {
            if (a[p] == b[q]) return true;
            all = all && nodes_bound(w, a[p], b[q]);
        }
    return all;
}

/* ---- distances ------------------------------------------------------------------------------------------------------- */

static double within(double s)
{
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

/* Where on a + s d a point p of the line comes closest to x; d may be nothing. */
static double foot(const double a[DIM], const double d[DIM], const double x[DIM])
{
    double along = 0, square = dot(d, d);
    for (int k = 0; k < DIM; k++) along += (x[k] - a[k]) * d[k];
    return square > 0 ? within(along / square) : 0;
}

static double apart(const double a[DIM], const double d[DIM], double s, const double b[DIM], const double f[DIM],
                    double u, double r[DIM])
{
    for (int k = 0; k < DIM; k++) r[k] = (a[k] + s * d[k]) - (b[k] + u * f[k]);
    return dot(r, r);
}

/* Of two segments a + s d and b + u f. Inside both the gradient vanishes; else an end of one is closest to the other: all are tried,
 * so that parallel and vanishing ones need no care. */
void closest_of_rods(const double a[DIM], const double d[DIM], const double b[DIM], const double f[DIM], double r[DIM],
                     double along[2])
{
    double end[DIM], best = INFINITY, trial[DIM];
    double dd = dot(d, d), df = dot(d, f), ff = dot(f, f), w[DIM];
    for (int k = 0; k < DIM; k++) w[k] = a[k] - b[k];
    double det = dd * ff - df * df, wd = dot(w, d), wf = dot(w, f);
    double s[5] = {0, 1, 0, 0, 0}, u[5] = {0, 0, 0, 1, 0};
    int tries = 4;
    u[0] = foot(b, f, a);
    for (int k = 0; k < DIM; k++) end[k] = a[k] + d[k];
    u[1] = foot(b, f, end);
    s[2] = foot(a, d, b);
    for (int k = 0; k < DIM; k++) end[k] = b[k] + f[k];
    s[3] = foot(a, d, end);
    if (det > 1e-12 * dd * ff) {
        s[4] = (df * wf - ff * wd) / det;
        u[4] = (dd * wf - df * wd) / det;
        if (s[4] > 0 && s[4] < 1 && u[4] > 0 && u[4] < 1) tries = 5;
    }
    for (int n = 0; n < tries; n++) {
        double square = apart(a, d, s[n], b, f, u[n], trial);
        if (square >= best) continue;
        best = square;
        memcpy(r, trial, sizeof trial);
        along[0] = s[n];
        along[1] = u[n];
    }
}

/* First end and the way to the second. */
static void stretch_of(const world *w, uint32_t who, double t, bool by_nominal, double x[DIM], double d[DIM])
{
    uint32_t ends[2];
    double v[DIM], y[2][DIM];
    int n = ends_of(w, who, ends);
    for (int q = 0; q < n; q++) {
        if (by_nominal)
            nominal_at(w, ends[q], t, y[q], v);
        else
            node_place(w, ends[q], t, y[q]);
    }
    for (int k = 0; k < DIM; k++) {
        x[k] = y[0][k];
        d[k] = n == 2 ? y[1][k] - y[0][k] : 0;
    }
    if (n == 2) shorten(w, d);
}

void closest(const world *w, uint32_t i, uint32_t who, double t, bool by_nominal, double r[DIM], double along[2])
{
    double a[DIM], d[DIM], b[DIM], f[DIM], shift[DIM], image[DIM];
    stretch_of(w, i, t, by_nominal, a, d);
    if (who >= NODES) {
        const surface *s = &w->surface[who - NODES];
        surface_at(s, t, b);
        along[0] = dot(d, s->normal) < 0 ? 1 : 0;
        along[1] = 0;
        for (int k = 0; k < DIM; k++) r[k] = a[k] + along[0] * d[k] - b[k];
        return;
    }
    stretch_of(w, who, t, by_nominal, b, f);
    for (int k = 0; k < DIM; k++) shift[k] = image[k] = (a[k] + 0.5 * d[k]) - (b[k] + 0.5 * f[k]);
    shorten(w, image);
    for (int k = 0; k < DIM; k++) b[k] += shift[k] - image[k];
    closest_of_rods(a, d, b, f, r, along);
}

/* ---- certificates ---------------------------------------------------------------------------------------------------- */

/* No point of one element comes closer to one of the other faster than the ends of both do. */
sight sight_of_elements(const world *w, uint32_t i, uint32_t who, double t, bool by_nominal, double *slack)
{
    uint32_t a[2], b[2];
    int m = ends_of(w, i, a), n = who < NODES ? ends_of(w, who, b) : 1;
    double r[DIM], along[2], x[DIM], u[DIM], v[DIM] = {0};
    sight s = {.bound = true};
    closest(w, i, who, t, by_nominal, r, along);
    s.r2 = who < NODES ? sqrt(dot(r, r)) : dot(r, w->surface[who - NODES].normal);
    *slack = w->margin;
    double reach[2] = {0, 0};
    for (int p = 0; p < m; p++)
        for (int q = 0; q < n; q++) {
            bool falls = w->node[a[p]].w != 0, other = who < NODES && w->node[b[q]].w != 0;
            double bend = 0;
            if (by_nominal) {
                nominal_at(w, a[p], t, x, u);
                falls = !w->nominal[a[p]].straight;
                reach[0] = greater(reach[0], w->nominal[a[p]].tau);
                if (who < NODES) {
                    nominal_at(w, b[q], t, x, v);
                    other = !w->nominal[b[q]].straight;
                    reach[1] = greater(reach[1], w->nominal[b[q]].tau);
                }
            } else {
                node_velocity(w, a[p], t, u);
                if (who < NODES) node_velocity(w, b[q], t, v);
                bend = node_bend(w, a[p]) + (who < NODES ? node_bend(w, b[q]) : 0);
            }
            if (who >= NODES) memcpy(v, w->surface[who - NODES].velocity, sizeof v);
            for (int k = 0; k < DIM; k++) u[k] -= v[k];
            s.rw = greater(s.rw, sqrt(dot(u, u)));
            s.fall = greater(s.fall, (falls != other ? w->fall : 0) + bend);
        }
    *slack += reach[0] + reach[1];
    return s;
}

/* ---- forces ---------------------------------------------------------------------------------------------------------- */

static double share_of(const contact *c, int side, int end)
{
    double s = c->along[side];
    return end == 0 ? 1 - s : s;
}

static double mobility(const world *w, uint32_t who, const contact *c, int side, const double n[DIM], double t)
{
    uint32_t ends[2];
    int count = ends_of(w, who, ends);
    double sum = 0;
    if (is_rigid(w, ends[0]) && (count == 1 || (is_rigid(w, ends[1]) && w->body_of[ends[0]] == w->body_of[ends[1]]))) {
        double x[DIM], y[DIM];
        node_place(w, ends[0], t, x);
        node_place(w, ends[1], t, y);
        for (int k = 0; k < DIM; k++) x[k] += (y[k] - x[k]) * (count == 2 ? c->along[side] : 0);
        return body_mobility(w, w->body_of[ends[0]], x, n, t);
    }
    for (int q = 0; q < count; q++) {
        double share = count == 2 ? share_of(c, side, q) : 1, x[DIM];
        node_place(w, ends[q], t, x);
        double one = is_rigid(w, ends[q]) ? body_mobility(w, w->body_of[ends[q]], x, n, t) : w->node[ends[q]].w;
        sum += share * share * one;
    }
    return sum;
}

double contact_mass(const world *w, const contact *c, const double along[DIM], double t)
{
    if (!c->linked) return pair_mass(w, c->i, c->j);
    return 1 / (mobility(w, c->i, c, 0, along, t) + (c->j < NODES ? mobility(w, c->j, c, 1, along, t) : 0));
}

static void velocity_of_side(const world *w, uint32_t who, const contact *c, int side, double t, double v[DIM])
{
    uint32_t ends[2];
    double u[DIM];
    if (who >= NODES) {
        memcpy(v, w->surface[who - NODES].velocity, DIM * sizeof *v);
        return;
    }
    int count = ends_of(w, who, ends);
    node_velocity(w, ends[0], t, v);
    if (count == 1) return;
    node_velocity(w, ends[1], t, u);
    for (int k = 0; k < DIM; k++) v[k] += c->along[side] * (u[k] - v[k]);
}

void contact_velocity(const world *w, const contact *c, double t, double v[DIM])
{
    double u[DIM];
    velocity_of_side(w, c->i, c, 0, t, v);
    velocity_of_side(w, c->j, c, 1, t, u);
    for (int k = 0; k < DIM; k++) v[k] -= u[k];
}

static bool kick_side(world *w, uint32_t who, const contact *c, int side, const double impulse[DIM])
{
    uint32_t ends[2];
    int count = ends_of(w, who, ends);
    for (int q = 0; q < count; q++) {
        double share = (side == 0 ? 1 : -1) * (count == 2 ? share_of(c, side, q) : 1);
        kick out = {.i = ends[q], .j = NOBODY};
        for (int k = 0; k < DIM; k++) out.impulse[k] = share * impulse[k];
        if (!add_kick(w, &out)) return false;
    }
    return true;
}

bool kick_contact(world *w, const contact *c, const double impulse[DIM], const double r[DIM])
{
    kick out = {.i = c->linked ? NOBODY : c->i, .j = c->j};
    memcpy(out.impulse, impulse, sizeof out.impulse);
    memcpy(out.r, r, sizeof out.r);
    if (!c->linked) return add_kick(w, &out);
    if (!kick_side(w, c->i, c, 0, impulse)) return false;
    if (c->j >= NODES) return add_kick(w, &out);
    for (int a = 0; a < DIM; a++)
        for (int b = 0; b < DIM; b++) w->virial[a][b] += impulse[a] * r[b];
    return kick_side(w, c->j, c, 1, impulse);
}

pressed press_linked(world *w, const clock *c, touch *p, double t)
{
    contact *pair = &w->contact[p->contact];
    double r[DIM], normal[DIM], impulse[DIM];
    closest(w, pair->i, pair->j, t, false, r, pair->along);
    if (pair->j >= NODES) memcpy(normal, w->surface[pair->j - NODES].normal, sizeof normal);
    double distance = pair->j >= NODES ? dot(r, normal) : sqrt(dot(r, r)), limit = p->reach + c->thickness;
    if (distance >= limit) return press_idle(w, c, p, r, distance);
    for (int k = 0; k < DIM && pair->j < NODES; k++) normal[k] = r[k] / distance;
    double gap = distance - p->reach, size = layer_impulse(w, c, p, gap);
    if (!w->law[p->law].elastic) size = respond(w, p->contact, normal, r, gap, size, t);
    for (int k = 0; k < DIM; k++) impulse[k] = size * normal[k];
    kick_contact(w, &w->contact[p->contact], impulse, r);
    return PRESSED_ACTS;
}
