/* The attitude of a body between events. */
#include "aggregation/kernel/rotating/body.h"

#include "base/memory.h"

static void attitude_normalise(double attitude[ATTITUDE])
{
    const double size = length_of(attitude, ATTITUDE);
    for (int k = 0; k < ATTITUDE; k++) attitude[k] /= size;
}

#if CAROM_DIM == 2

/* Cosine and sine with the same bits on all platforms: within 2e-16 for angles up to several millions. */
static void circle(double angle, double *cosine, double *sine)
{
    const double quarter = rint(angle * 0.63661977236758138);
    double x = angle - quarter * 1.57079632673412561417;
    x -= quarter * 6.07710050630396597660e-11;
    x -= quarter * 2.02226624879595063154e-21;
    const double x2 = x * x;
    double c = 1, s = 1;
    for (int n = 18; n >= 2; n -= 2) {
        c = 1 - c * x2 / (n * (n - 1));
        s = 1 - s * x2 / (n * (n + 1));
    }
    s *= x;
    const double turn = quarter - 4 * floor(quarter / 4);
    *cosine = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
    *sine = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
}

static void attitude_axes(const double attitude[ATTITUDE], double e[DIM][DIM])
{
    e[0][0] = e[1][1] = attitude[0];
    e[1][0] = attitude[1];
    e[0][1] = -attitude[1];
}

static void attitude_reset(cluster_state *s, uint32_t root)
{
    s->rotation.cache[root].t = NAN;
}

static void attitude_at(const cluster_state *s, uint32_t root, double t, double attitude[ATTITUDE])
{
    const body *b = &s->rotation.body[root];
    double c, z;
    circle(b->l[0] * b->inverse[0] * (t - s->motion[root].t), &c, &z);
    attitude[0] = b->attitude[0] * c - b->attitude[1] * z;
    attitude[1] = b->attitude[0] * z + b->attitude[1] * c;
}

static double attitude_apart(const double a[ATTITUDE], const double b[ATTITUDE])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

static carom_status attitude_create(cluster_state *s, error *e)
{
    (void)s;
    (void)e;
    return CAROM_OK;
}

static void attitude_destroy(cluster_state *s)
{
    (void)s;
}

#else

/* The motion of a free body in pieces. Each piece is a Taylor series of the attitude, within the range in which it is
 * exact to all digits. The first piece begins at the stored state, each other one at the end of the piece before. The
 * choice of pieces in memory does not affect the result. In the axes of the body l' = l x w, w = J^-1 l, q' = q w / 2.
 * At the beginning of each piece, l is computed from the constant angular momentum by rotation: it cannot drift. */

typedef struct taylor_piece {
    double start, end; /* of the piece in memory; end is -INFINITY if there is none */
    double rate;       /* the series is in rate * (t - start) */
    double series[SERIES_ORDER + 1][4];
    double base; /* beginning of a piece at or before the present time, from which earlier times are reached */
    double base_attitude[4];
} taylor_piece;

static void attitude_axes(const double q[ATTITUDE], double e[DIM][DIM])
{
    for (int k = 0; k < 3; k++) {
        const int n = (k + 1) % 3, m = (k + 2) % 3;
        e[k][k] = 1 - 2 * (q[1 + n] * q[1 + n] + q[1 + m] * q[1 + m]);
        e[k][n] = 2 * (q[1 + k] * q[1 + n] - q[0] * q[1 + m]);
        e[n][k] = 2 * (q[1 + k] * q[1 + n] + q[0] * q[1 + m]);
    }
}

static void attitude_reset(cluster_state *s, uint32_t root)
{
    s->rotation.cache[root].t = NAN;
    taylor_piece *k = &s->rotation.piece[root];
    k->end = -INFINITY;
    k->base = s->motion[root].t;
    for (int n = 0; n < 4; n++) k->base_attitude[n] = s->rotation.body[root].attitude[n];
}

/* r += q (0, w) */
static void add_product(const double q[4], const double w[3], double r[4])
{
    r[0] += -q[1] * w[0] - q[2] * w[1] - q[3] * w[2];
    r[1] += q[0] * w[0] + q[2] * w[2] - q[3] * w[1];
    r[2] += q[0] * w[1] + q[3] * w[0] - q[1] * w[2];
    r[3] += q[0] * w[2] + q[1] * w[1] - q[2] * w[0];
}

/* Coefficient n + 1 of l and q from the lower ones. */
static void extend(double l[][3], double w[][3], double q[][4], int n)
{
    for (int k = 0; k < 3; k++) l[n + 1][k] = 0;
    for (int k = 0; k < 4; k++) q[n + 1][k] = 0;
    for (int i = 0; i <= n; i++) {
        double m[3];
        moment(l[i], w[n - i], m);
        for (int k = 0; k < 3; k++) l[n + 1][k] += m[k];
        add_product(q[i], w[n - i], q[n + 1]);
    }
    for (int k = 0; k < 3; k++) l[n + 1][k] /= n + 1;
    for (int k = 0; k < 4; k++) q[n + 1][k] /= 2 * (n + 1);
}

/* The range in which the series is exact: its last term is at most SERIES_LAST, and the other terms are at most those
 * of a series with a radius of convergence of 32 times the range. */
static double range_of(double q[][4])
{
    double x = sqrt(sqrt(sqrt(sqrt(SERIES_LAST / length_of(q[SERIES_ORDER], 4)))));
    for (bool good = false; !good;) {
        double most = SERIES_BEFORE_LAST, power;
        good = true;
        for (int n = SERIES_ORDER - 1; n >= SERIES_ORDER - 4; n--, most *= SERIES_RATIO) {
            power = 1;
            for (int m = 0; m < n; m++) power *= x;
            good = good && length_of(q[n], 4) * power <= most;
        }
        if (!good) x *= SERIES_SHORTER;
    }
    return x;
}

static void begin_piece(const cluster_state *s, uint32_t root, double t, const double q[4])
{
    const body *b = &s->rotation.body[root];
    taylor_piece *k = &s->rotation.piece[root];
    double l[SERIES_ORDER + 1][3], w[SERIES_ORDER + 1][3], e[DIM][DIM];
    const double size = length_of(b->l, 3);
    for (int n = 0; n < 4; n++) k->series[0][n] = q[n];
    attitude_axes(q, e);
    to_body(e, b->l, l[0]);
    for (int n = 0; n < 3; n++) l[0][n] /= size;
    for (int n = 0; n < SERIES_ORDER; n++) {
        moments_by(b->inverse, l[n], w[n]);
        for (int m = 0; m < 3; m++) w[n][m] *= size / b->rate;
        extend(l, w, k->series, n);
    }
    k->rate = b->rate;
    k->start = t;
    k->end = t + range_of(k->series) / b->rate;
    if (!(k->end > t)) k->end = nextafter(t, INFINITY);
}

static void value_of(const taylor_piece *k, double t, double q[4])
{
    const double x = k->rate * (t - k->start);
    for (int n = 0; n < 4; n++) {
        double sum = 0;
        for (int m = SERIES_ORDER; m >= 0; m--) sum = sum * x + k->series[m][n];
        q[n] = sum;
    }
}

static void next_piece(const cluster_state *s, uint32_t root)
{
    taylor_piece *k = &s->rotation.piece[root];
    double q[4], start = k->end;
    value_of(k, start, q);
    attitude_normalise(q);
    begin_piece(s, root, start, q);
    if (start > s->now) return;
    k->base = start;
    for (int n = 0; n < 4; n++) k->base_attitude[n] = q[n];
}

static void attitude_at(const cluster_state *s, uint32_t root, double t, double attitude[ATTITUDE])
{
    const body *b = &s->rotation.body[root];
    if (b->rate == 0 || t <= s->motion[root].t) {
        for (int n = 0; n < 4; n++) attitude[n] = b->attitude[n];
        return;
    }
    taylor_piece *k = &s->rotation.piece[root];
    if (k->end < k->start || k->end == -INFINITY || t < k->start) {
        const bool early = t < k->base;
        begin_piece(s, root, early ? s->motion[root].t : k->base, early ? b->attitude : k->base_attitude);
    }
    while (t >= k->end) next_piece(s, root);
    value_of(k, t, attitude);
}

static double attitude_apart(const double a[ATTITUDE], const double b[ATTITUDE])
{
    double v[4] = {0}, conjugate[3] = {-b[1], -b[2], -b[3]};
    add_product(a, conjugate, v);
    double square = 0;
    for (int k = 0; k < 3; k++) square += (v[1 + k] + b[0] * a[1 + k]) * (v[1 + k] + b[0] * a[1 + k]);
    return 2 * sqrt(square);
}

static carom_status attitude_create(cluster_state *s, error *e)
{
    s->rotation.piece = NEW_ARRAY(s->count, taylor_piece);
    return s->rotation.piece != NULL ? CAROM_OK : error_memory(e, "the clusters", s->count * sizeof *s->rotation.piece);
}

static void attitude_destroy(cluster_state *s)
{
    memory_free(s->rotation.piece);
}

#endif
