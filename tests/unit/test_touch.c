/* Detects missed or wrong contacts with triangles, at rest and moving, against closed forms. */
#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"

#define CAROM_DIM 3
#define HARD_KERNEL hard_kernel_of_test
#include "hard/kernel/kernel.c"

#include <string.h>

/* Draws a sphere that turns round slowly within reach of a triangle (moving_triangles, 2850). */
static dice die = {12345};

static double uniform(double low, double high)
{
    return dice_real(&die, low, high);
}

/* One sphere and one triangle. */
typedef struct set_up {
    gas g;
    body b;
    real radius, corner[1][3][3];
    solid s;
    motion m;
    motion_piece piece[2];
    element of;
} set_up;

/* Every third triangle is a sliver, every third nearly a point. */
static void draw_contact(set_up *u, int n)
{
    memset(u, 0, sizeof *u);
    const double width = n % 3 == 0 ? 1 : pow(10, uniform(-14, -2)), length = n % 3 == 2 ? width : 1;
    const double d[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    u->radius = pow(10, uniform(-2, 0));
    for (int k = 0; k < 3; k++) {
        u->corner[0][0][k] = uniform(-1, 1);
        u->corner[0][1][k] = u->corner[0][0][k] + length * d[k] + width * uniform(-1, 1);
        u->corner[0][2][k] = u->corner[0][0][k] + length * uniform(0, 1) * d[k] + width * uniform(-1, 1);
        const double aim = (u->corner[0][0][k] + u->corner[0][1][k] + u->corner[0][2][k]) / 3 + uniform(-1, 1);
        u->b.v[k] = uniform(-1, 1);
        u->b.r[k] = aim - 5 * u->b.v[k];
    }
    u->b.t = uniform(-1, 1);
    u->g.body = &u->b;
    u->g.radius = &u->radius;
    u->s.corner = u->corner;
    u->s.count = 1;
    u->s.reach = n % 2 == 0 ? 0 : 0.05;
    u->of.of = &u->s;
}

/* ---- straight flights -------------------------------------------------------------------------------------------- */

/* w + v t touches a point, a line, or a plane through the origin, of direction or normal n, at distance s; NAN:
 * never. */
static double meets(const double w[3], const double v[3], const double n[3], bool line, double s)
{
    double a = 0, b = 0, c = -s * s, nn = 0, wn = 0, vn = 0;
    for (int k = 0; k < 3; k++) {
        nn += n[k] * n[k];
        wn += w[k] * n[k];
        vn += v[k] * n[k];
    }
    for (int k = 0; k < 3; k++) {
        const double x = line ? w[k] - n[k] * wn / nn : w[k], y = line ? v[k] - n[k] * vn / nn : v[k];
        a += y * y;
        b += x * y;
        c += x * x;
    }
    const double root = b * b - a * c;
    return b < 0 && root > 0 && c >= 0 ? c / (-b + sqrt(root)) : NAN;
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double product(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The earliest of a face, three edges and three corners. */
static double by_features(const set_up *u)
{
    const double *v = u->b.v, s = u->radius + u->s.reach;
    const double(*c)[3] = u->corner[0];
    double best = INFINITY, w[3], edge[2][3], n[3], x[3];
    for (int k = 0; k < 3; k++) {
        static const double none[3] = {1, 0, 0};
        subtract(u->b.r, c[k], w);
        subtract(c[(k + 1) % 3], c[k], edge[0]);
        const double corner = meets(w, v, none, false, s), side = meets(w, v, edge[0], true, s);
        if (corner < best) best = corner;
        for (int m = 0; m < 3; m++) x[m] = w[m] + side * v[m];
        const double along = product(x, edge[0]) / product(edge[0], edge[0]);
        if (side < best && along >= 0 && along <= 1) best = side;
    }
    subtract(c[1], c[0], edge[0]);
    subtract(c[2], c[0], edge[1]);
    for (int k = 0; k < 3; k++)
        n[k] = edge[0][(k + 1) % 3] * edge[1][(k + 2) % 3] - edge[0][(k + 2) % 3] * edge[1][(k + 1) % 3];
    const double nn = product(n, n);
    subtract(u->b.r, c[0], w);
    const double height = product(w, n) / sqrt(nn), speed = product(v, n) / sqrt(nn);
    const double face = (fabs(height) - s) / (height > 0 ? -speed : speed);
    if (!(face >= 0) || !(nn > 1e-20)) return best;
    for (int k = 0; k < 3; k++) x[k] = w[k] + face * v[k];
    const double aa = product(edge[0], edge[0]), bb = product(edge[1], edge[1]), ab = product(edge[0], edge[1]);
    const double xa = product(x, edge[0]), xb = product(x, edge[1]), det = aa * bb - ab * ab;
    const double p = (xa * bb - xb * ab) / det, q = (xb * aa - xa * ab) / det;
    return p >= 0 && q >= 0 && p + q <= 1 && face < best ? face : best;
}

START_TEST(straight_flights)
{
    set_up u;
    int hits = 0;
    double worst = 0;
    for (int n = 0; n < 300000; n++) {
        draw_contact(&u, n);
        gap_state start, there;
        touch_gap(&u.g, 0, &u.of, 0, &start);
        if (start.gap < 1e-3) continue;
        const double time = touch_time(&u.g, 0, &u.of, INFINITY) - u.b.t, expected = by_features(&u);
        if (isinf(time) != isinf(expected)) { /* only where it glances */
            const double when = fmin(time, expected), nudge = 1e-7 * u.radius;
            u.radius += isinf(time) ? nudge : -nudge;
            const bool other = isinf(touch_time(&u.g, 0, &u.of, INFINITY));
            ck_assert_msg(other != isinf(time), "%d: %.17g, expected %.17g at %g", n, time, expected, when);
            continue;
        }
        if (isinf(time)) continue;
        hits++;
        touch_gap(&u.g, 0, &u.of, time, &there);
        const double off = fabs(time - expected) * fabs(there.rate); /* of the way */
        worst = fmax(worst, off);
        ck_assert_msg(off < 1e-9, "%d: %.17g, expected %.17g, rate %g", n, time, expected, there.rate);
        ck_assert_msg(fabs(there.gap) < 1e-13 && there.rate < 0, "%d: gap %g, rate %g", n, there.gap, there.rate);
    }
    printf("%d contacts, the worst off by %.2g\n", hits, worst);
    ck_assert_int_gt(hits, 50000);
}
END_TEST

/* ---- all others: is the event one, and has there been none before? ----------------------------------------------- */

enum { SAMPLES = 400 };

static void check_event(const set_up *u, int n, double until, double tolerance)
{
    const double time = touch_time(&u->g, 0, &u->of, until) - u->b.t, end = isinf(time) ? until - u->b.t : time;
    gap_state s;
    const double found = u->b.t + time;
    if (isfinite(time)) { /* how far one looks ahead decides whether it is found, not when it is */
        ck_assert_double_eq(touch_time(&u->g, 0, &u->of, found), found);
        ck_assert(isinf(touch_time(&u->g, 0, &u->of, nextafter(found, -INFINITY))));
    }
    touch_gap(&u->g, 0, &u->of, 0, &s);
    bool inside = s.gap <= 0;
    if (isfinite(time)) {
        touch_gap(&u->g, 0, &u->of, time, &s);
        ck_assert_msg(s.gap < tolerance && s.rate < 1e-9, "%d: at %.17g gap %g, rate %g", n, time, s.gap, s.rate);
    }
    for (int k = 0; k < SAMPLES && time != 0; k++) {
        touch_gap(&u->g, 0, &u->of, end * k / SAMPLES, &s);
        inside = inside && s.gap <= 0; /* as long as it has been since the start */
        if (!inside && s.gap < -tolerance)
            ck_abort_msg("%d: overlap %g at %g, before the event at %g", n, s.gap, end * k / SAMPLES, time);
        if (inside && s.gap < -tolerance && s.rate < -tolerance)
            ck_abort_msg("%d: overlap %g grows by %g at %g, and the event is at %g", n, s.gap, s.rate,
                         end * k / SAMPLES, time);
    }
}

START_TEST(falls)
{
    set_up u;
    for (int n = 0; n < 20000; n++) {
        draw_contact(&u, n);
        for (int k = 0; k < 3; k++) u.g.gravity[k] = n % 5 == 0 && k < 2 ? 0 : uniform(-0.3, 0.3);
        u.g.has_gravity = true;
        if (n % 4 == 0) /* begins at contact, or in it */
            for (int k = 0; k < 3; k++) u.b.r[k] += (5 + uniform(-0.1, 0.1)) * u.b.v[k];
        check_event(&u, n, u.b.t + 20, 1e-12);
    }
}
END_TEST

/* A sphere at rest on an edge but for rounding, in gravity: found before it falls into the triangle. */
START_TEST(rests_on_an_edge)
{
    set_up u;
    for (int n = 0; n < 2000; n++) {
        draw_contact(&u, 0);
        const double corner[3][3] = {{0, -1, 0}, {0, 1, 0}, {1, 0, 0}}, lean = uniform(0.01, 1);
        for (int at = 0; at < 9; at++) u.corner[0][at / 3][at % 3] = corner[at / 3][at % 3];
        u.s.reach = 0;
        u.b.r[0] = -u.radius * sin(lean);
        u.b.r[1] = uniform(-0.5, 0.5);
        u.b.r[2] = u.radius * cos(lean);
        for (int k = 0; k < 3; k++) u.b.v[k] = n % 4 == 0 ? 0 : pow(10, uniform(-22, -12)) * uniform(-1, 1);
        u.g.gravity[2] = -1;
        u.g.has_gravity = true;
        const double time = touch_time(&u.g, 0, &u.of, u.b.t + 20) - u.b.t;
        gap_state s;
        ck_assert_msg(time < 1e-6, "%d: speed %g, time %g", n, u.b.v[0], time);
        touch_gap(&u.g, 0, &u.of, time, &s);
        ck_assert_msg(s.gap > -1e-12 && s.rate < 0, "%d: gap %g", n, s.gap);
    }
}
END_TEST

static void let_move(set_up *u, int n)
{
    u->m = (motion){u->piece, 1 + (uint32_t)(n % 2)};
    for (int p = 0; p < 2; p++) {
        motion_piece *m = &u->piece[p];
        double length = 0;
        m->start = p == 0 ? -2 : u->b.t + uniform(0, 6);
        m->rate = n % 3 > 0 ? uniform(-3, 3) : 0;
        m->pace = n % 3 < 2 ? uniform(0, 5) : 0;
        m->first = m->phase = uniform(0, 6); /* it begins where it is */
        for (int k = 0; k < 3; k++) {
            m->velocity[k] = uniform(-0.3, 0.3);
            m->axis[k] = uniform(-1, 1);
            m->through[k] = uniform(-1, 1);
            m->swing[k] = uniform(-0.2, 0.2);
            m->turned[k][k] = 1;
            length += m->axis[k] * m->axis[k];
        }
        for (int k = 0; k < 3; k++) m->axis[k] /= sqrt(length);
    }
    if (u->m.count == 1) return;
    pose before; /* the second goes on from where the first leads */
    u->m.count = 1;
    motion_at(&u->m, u->piece[1].start, &before);
    u->m.count = 2;
    memcpy(u->piece[1].turned, before.turned, sizeof before.turned);
    memcpy(u->piece[1].moved, before.moved, sizeof before.moved);
}

START_TEST(moving_triangles)
{
    set_up u;
    for (int n = 0; n < 20000; n++) {
        draw_contact(&u, n);
        let_move(&u, n);
        u.s.motion = &u.m;
        for (int k = 0; k < 3 && n % 7 < 3; k++) u.g.gravity[k] = uniform(-0.3, 0.3);
        check_event(&u, n, u.b.t + 12, 1e-11);
    }
}
END_TEST

/* A frame's velocity is the change of its place. */
START_TEST(poses)
{
    set_up u;
    double worst = 0;
    for (int n = 0; n < 2000; n++) {
        draw_contact(&u, n);
        let_move(&u, n);
        const double t = uniform(-1.5, 10), h = 1e-5, x[3] = {0.3, -0.4, 1.2};
        double at[3][3], v[3];
        pose p;
        for (int s = -1; s <= 1; s++) {
            motion_at(&u.m, t + s * h, &p);
            for (int k = 0; k < 3; k++) at[s + 1][k] = product(p.turned[k], x) + p.moved[k];
        }
        motion_at(&u.m, t, &p);
        motion_velocity(&p, at[1], v);
        if (n % 2 == 1 && fabs(t - u.piece[1].start) < 2 * h) continue;
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(v[k] - (at[2][k] - at[0][k]) / (2 * h)));
    }
    EXPECT_CLOSE("velocity from places, the worst", worst, 0, 1e-8);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, straight_flights);
    tcase_add_test(all, falls);
    tcase_add_test(all, rests_on_an_edge);
    tcase_add_test(all, moving_triangles);
    tcase_add_test(all, poses);
    tcase_set_timeout(all, 300);
    return suite_run("touch", all);
}
