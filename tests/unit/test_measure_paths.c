/* Detects recorded paths that keep points near a straight line, omit others, or do not report what is unknown. */
#include "../support/observe.h"
#include "../support/suite.h"

#include <math.h>

enum { POINTS = 3, PER_FRAME = 100, FRAMES = 4 };

static const double STEP = 0.01, WITHIN = 0.02;
static int scale; /* velocities of frames are 2^scale times those of the points */

/* Point 0 flies straight on, point 1 round a circle, point 2 trembles on a line, by a tenth of what is allowed. */
static void place(size_t i, double t, double x[3], double v[3])
{
    memset(x, 0, 3 * sizeof *x);
    memset(v, 0, 3 * sizeof *v);
    x[0] = v[0] = 1;
    x[0] *= t;
    if (i == 1) x[0] = cos(t), x[1] = sin(t), v[0] = -sin(t), v[1] = cos(t);
    if (i == 2) x[1] = 0.1 * WITHIN * sin(30 * t), v[1] = 3 * WITHIN * cos(30 * t);
}

static void fill(carom_frame *f, double t)
{
    f->time = t;
    f->scale = 0;
    for (size_t i = 0; i < POINTS; i++) place(i, t, f->position + 3 * i, f->velocity + 3 * i);
    frame_rescale(f, scale);
}

static measure_table table_of(observer *o)
{
    measure_result r;
    OBSERVE_OK(o, o->type->result(o->self, &r, &o->e));
    return r.tables[0];
}

/* The chain of a point from frame to frame: how far the true path is from it at the most, and its places. */
static double farthest(const measure_table *t, size_t point, size_t *places)
{
    double from = 0, begin[3], worst = 0, unused[3];
    *places = 0;
    place(point, 0, begin, unused);
    for (size_t n = 0; n < t->rows; n++) {
        const double who = t->columns[1].data[n], to = t->columns[0].data[n];
        double end[3];
        if (who != (double)point && who != -1) continue;
        *places += who != -1;
        place(point, to, end, unused);
        if (who != -1) memcpy(end, t->columns[2].data + 3 * n, sizeof end);
        for (int s = 0; s <= 1000; s++) {
            const double share = s / 1000.0;
            double x[3], square = 0;
            place(point, from + share * (to - from), x, unused);
            for (int k = 0; k < 3; k++) square += pow(x[k] - begin[k] - share * (end[k] - begin[k]), 2);
            worst = fmax(worst, sqrt(square));
        }
        memcpy(begin, end, sizeof begin);
        from = to;
    }
    return worst;
}

static observer watch(carom_frame *f)
{
    observer o = observer_new("paths");
    *f = frame_of(3, POINTS, 10);
    fill(f, 0);
    observer_set(&o, "within", WITHIN);
    observer_set(&o, "per_frame", PER_FRAME);
    observer_start(&o, f);
    observer_sample(&o, f);
    return o;
}

START_TEST(paths_stay_near_their_chains)
{
    carom_frame f;
    scale = 40 * _i;
    observer o = watch(&f);
    size_t places[POINTS], ends = 0;
    double off[POINTS];
    for (int n = 1; n <= FRAMES * PER_FRAME; n++) {
        fill(&f, n * STEP);
        observer_sample(&o, &f);
    }
    const measure_table t = table_of(&o);
    for (size_t i = 0; i < POINTS; i++) {
        off[i] = farthest(&t, i, &places[i]);
        printf("point %zu: %zu places, %.3g off\n", i, places[i], off[i]);
        ck_assert_double_le(off[i], WITHIN);
    }
    ck_assert_uint_eq(places[0], 0);
    ck_assert_uint_eq(places[2], 0);
    /* a chord of the circle that is d off it is sqrt(8 d) long, and d is between a quarter and half of WITHIN, or WITHIN */
    ck_assert_uint_ge(places[1], (size_t)(FRAMES * (floor(1 / sqrt(8 * WITHIN)))));
    ck_assert_uint_le(places[1], (size_t)(FRAMES * (ceil(1 / sqrt(2 * WITHIN)) + 1)));
    for (size_t n = 0; n < t.rows; n++) {
        if (t.columns[1].data[n] != -1) continue;
        ck_assert_double_eq_tol(t.columns[0].data[n], (double)++ends * PER_FRAME * STEP, 1e-12);
        ck_assert_double_eq_tol(t.columns[2].data[3 * n], (double)(ends - 1) * PER_FRAME * STEP, 1e-12);
        ck_assert(t.columns[2].data[3 * n + 1] == WITHIN);
    }
    ck_assert_uint_eq(ends, FRAMES);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Between two samples a point may have been anywhere, by its velocities: how far away it was is stored, and all is as
 * before from the next frame on. */
START_TEST(what_bends_has_its_own_distance)
{
    carom_frame f;
    observer o = watch(&f);
    size_t wider = 0;
    for (int n = 1; n <= 2 * PER_FRAME; n++) {
        fill(&f, n * STEP);
        if (n == 7) f.velocity[0] += 10;
        observer_sample(&o, &f);
    }
    const measure_table t = table_of(&o);
    for (size_t n = 0; n < t.rows; n++) {
        if (!isnan(t.columns[2].data[3 * n])) continue;
        wider++;
        ck_assert(t.columns[1].data[n] == 0 && t.columns[0].data[n] == t.columns[0].data[n + 1]);
        ck_assert_double_eq_tol(t.columns[0].data[n], PER_FRAME * STEP, 1e-12);
        /* the point flies straight: the velocity of one sample is off by 10, three times Hermite's cubic is 4/9 of it */
        ck_assert_double_eq_tol(t.columns[2].data[3 * n + 1], WITHIN / 2 + 10 * STEP * 4 / 9, 1e-12);
    }
    ck_assert_uint_eq(wider, 1);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* At each sample the chain is within half of the distance of it, in space; the other half is for the way between. Three that
 * walk at random, along an axis, across a plane and through space, by up to a third of that a step. */
START_TEST(chains_pass_the_samples)
{
    static const double along[POINTS][3] = {{0, 1, 0}, {1, -1, 0}, {1, 1, 1}};
    static double sample[FRAMES * PER_FRAME + 1][POINTS][3];
    const random_key key = {7, RANDOM_GENERAL};
    carom_frame f = frame_of(3, POINTS, 10);
    observer o = observer_new("paths");
    observer_set(&o, "within", WITHIN);
    observer_set(&o, "per_frame", PER_FRAME);
    observer_start(&o, &f);
    for (size_t n = 0; n <= FRAMES * PER_FRAME; n++) {
        f.time = (double)n * STEP;
        for (size_t i = 0; i < POINTS; i++) {
            double way[2];
            random_uniform2(key, n, i, way);
            for (size_t k = 0; k < 3 && n > 0; k++)
                sample[n][i][k] = sample[n - 1][i][k] + (way[0] - 0.5) * WITHIN / 3 * along[i][k];
        }
        memcpy(f.position, sample[n], sizeof sample[n]);
        observer_sample(&o, &f);
    }
    const measure_table t = table_of(&o);
    for (size_t i = 0; i < POINTS; i++) {
        double worst = 0, begin[3] = {0};
        size_t from = 0;
        for (size_t r = 0; r < t.rows; r++) {
            const double who = t.columns[1].data[r], *place_of = t.columns[2].data + 3 * r;
            const size_t to = (size_t)lround(t.columns[0].data[r] / STEP);
            if ((who != (double)i && who != -1) || isnan(place_of[0])) continue;
            const double *end = who == -1 ? sample[to][i] : place_of;
            for (size_t n = from; n <= to; n++) {
                const double share = to > from ? (double)(n - from) / (double)(to - from) : 1;
                double square = 0;
                for (int k = 0; k < 3; k++) square += pow(sample[n][i][k] - begin[k] - share * (end[k] - begin[k]), 2);
                worst = fmax(worst, sqrt(square));
            }
            memcpy(begin, end, sizeof begin);
            from = to;
        }
        ck_assert_uint_eq(from, FRAMES * PER_FRAME);
        printf("point %zu: at most %.6g of the distance\n", i, worst / WITHIN);
        ck_assert_double_le(worst, WITHIN / 2 * (1 + 1e-12));
        ck_assert_double_gt(worst, WITHIN / 4); /* knees are left out */
    }
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("paths");
    tcase_add_loop_test(all, paths_stay_near_their_chains, 0, 2);
    tcase_add_test(all, chains_pass_the_samples);
    tcase_add_test(all, what_bends_has_its_own_distance);
    return suite_run("paths", all);
}
