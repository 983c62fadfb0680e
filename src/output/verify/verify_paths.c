#include "output/verify/verify_paths.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "frame/frame.h"
#include "geometry/ccd.h"
#include "geometry/closest.h"

/* A position on the path, at a fraction of the time between the frames. */
typedef struct knot {
    double at, x[3];
} knot;

struct recorded_paths {
    path_rows rows;
    uint64_t next; /* the first row that has not been read */
    size_t count;  /* points */
    const carom_frame *before;
    uint64_t *first;   /* [count + 1]: the knots of point i begin at knot[first[i]] */
    knot *knots;       /* [rows] */
    double *deviation; /* [count]: deviations of paths from their straight lines, */
    double *within;    /* [count]: and from their polygons */
};

static void free_rows(path_rows *rows)
{
    memory_free(rows->time);
    memory_free(rows->point);
    memory_free(rows->place);
}

void recorded_paths_close(recorded_paths *p)
{
    if (p == NULL) return;
    free_rows(&p->rows);
    memory_free(p->first);
    memory_free(p->knots);
    memory_free(p->deviation);
    memory_free(p->within);
    memory_free(p);
}

carom_status recorded_paths_make(recorded_paths **out, path_rows rows, size_t points, error *e)
{
    recorded_paths *p = *out = NEW_ARRAY(1, recorded_paths);
    if (p == NULL) {
        free_rows(&rows);
        return error_memory(e, "paths", sizeof *p);
    }
    *p = (recorded_paths){.rows = rows, .count = points};
    p->first = NEW_ARRAY(points + 2, uint64_t);
    p->knots = NEW_ARRAY(rows.count, knot);
    p->deviation = NEW_ARRAY(points, double);
    p->within = NEW_ARRAY(points, double);
    if (p->first != NULL && p->knots != NULL && p->deviation != NULL && p->within != NULL) return CAROM_OK;
    recorded_paths_close(p);
    *out = NULL;
    return error_memory(e, "paths", rows.count * sizeof(knot));
}

static carom_status load(path_rows *rows, const reader *r, const reader_observable *o, error *e)
{
    rows->count = o->tables[0].rows;
    rows->width = o->tables[0].columns[2].width;
    TRY(reader_numbers(r, o, 0, 0, &rows->time, e));
    TRY(reader_numbers(r, o, 0, 1, &rows->point, e));
    return reader_numbers(r, o, 0, 2, &rows->place, e);
}

static bool fits(const reader_observable *o, int dimension)
{
    return strcmp(o->what, "paths") == 0 && o->table_count == 1 && o->tables[0].column_count == 3 &&
           o->tables[0].columns[0].width == 1 && o->tables[0].columns[1].width == 1 &&
           o->tables[0].columns[2].width == (size_t)dimension;
}

carom_status recorded_paths_open(recorded_paths **out, const reader *r, error *e)
{
    const result_about *about = reader_about(r);
    size_t k = 0;
    *out = NULL;
    while (k < about->observable_count && !fits(&about->observables[k], about->dimension)) k++;
    if (k == about->observable_count) return CAROM_OK;
    path_rows rows = {0};
    const carom_status status = load(&rows, r, &about->observables[k], e);
    if (status == CAROM_OK) return recorded_paths_make(out, rows, about->count, e);
    free_rows(&rows);
    return status;
}

/* ---- intervals between frames ------------------------------------------------------------------------------------ */

/* The rows from *first on with end time `end`; false if there are none. */
static bool find_rows(recorded_paths *p, double from, double to, uint64_t *first, uint64_t *end)
{
    const double slack = 1e-6 * (to - from); /* of times that are multiples of two different steps */
    for (uint64_t n = p->next; n < p->rows.count; n++) {
        if (p->rows.point[n] != -1) continue;
        const double began = p->rows.place[n * p->rows.width], ended = p->rows.time[n];
        if (began > from + slack) return false;
        *first = p->next;
        *end = n;
        p->next = n + 1;
        if (fabs(began - from) <= slack) return fabs(ended - to) <= slack;
    }
    return false;
}

static double place_of(const recorded_paths *p, uint64_t row, size_t k)
{
    return k < p->rows.width ? p->rows.place[row * p->rows.width + k] : 0;
}

/* Distance of a knot from the straight line. */
static double off_line(const knot *n, const carom_frame *before, const carom_frame *after, size_t i)
{
    double square = 0;
    for (size_t k = 0; k < (size_t)before->dimension; k++) {
        const double line = (1 - n->at) * frame_unwrapped(before, i, k) + n->at * frame_unwrapped(after, i, k);
        square += (n->x[k] - line) * (n->x[k] - line);
    }
    return sqrt(square);
}

/* A row without a knot states the deviation of the path from its polygon. */
static bool is_width(const recorded_paths *p, uint64_t row)
{
    return isnan(place_of(p, row, 0));
}

/* Sorted by point; the rows of a point are in order of time. */
static bool sort_rows(recorded_paths *p, uint64_t first, uint64_t end, double from, double to)
{
    memset(p->first, 0, (p->count + 2) * sizeof *p->first);
    for (size_t i = 0; i < p->count; i++) p->within[i] = place_of(p, end, 1);
    for (uint64_t n = first; n < end; n++) {
        if (!(p->rows.point[n] >= 0 && p->rows.point[n] < (double)p->count)) return false;
        if (is_width(p, n))
            p->within[(size_t)p->rows.point[n]] = place_of(p, n, 1);
        else
            p->first[(size_t)p->rows.point[n] + 2]++;
    }
    for (size_t i = 1; i < p->count + 2; i++) p->first[i] += p->first[i - 1];
    for (uint64_t n = first; n < end; n++) {
        if (is_width(p, n)) continue;
        knot *one = &p->knots[p->first[(size_t)p->rows.point[n] + 1]++];
        one->at = (p->rows.time[n] - from) / (to - from);
        for (size_t k = 0; k < 3; k++) one->x[k] = place_of(p, n, k);
    }
    return true;
}

static void find_deviations(recorded_paths *p, const carom_frame *before, const carom_frame *after)
{
    for (size_t i = 0; i < p->count; i++) {
        double farthest = 0, last = 0;
        for (uint64_t n = p->first[i]; n < p->first[i + 1]; n++) {
            const knot *one = &p->knots[n];
            const double off = off_line(one, before, after, i);
            if (!(off >= 0) || !(one->at > last && one->at < 1)) farthest = INFINITY;
            farthest = fmax(farthest, off);
            last = one->at;
        }
        p->deviation[i] = p->within[i] > 0 ? farthest + p->within[i] : INFINITY;
    }
}

bool recorded_paths_select(recorded_paths *p, const carom_frame *before, const carom_frame *after)
{
    uint64_t first, end;
    if (p == NULL || before->count != p->count) return false;
    if (!find_rows(p, before->time, after->time, &first, &end)) return false;
    p->before = before;
    if (!(place_of(p, end, 1) > 0) || !sort_rows(p, first, end, before->time, after->time)) return false;
    find_deviations(p, before, after);
    return true;
}

double recorded_paths_deviation(const recorded_paths *p, uint32_t i)
{
    return p->deviation[i];
}

/* ---- pairs of features ------------------------------------------------------------------------------------------- */

/* The current position of one of the points on its path. */
typedef struct walker {
    double at, x[3], shift[3]; /* the last knot; displacement of the features relative to the frames */
    uint64_t next, end;
    const double *to;
} walker;

static void start(const recorded_paths *p, const path_point *point, walker *w)
{
    *w = (walker){.next = p->first[point->particle], .end = p->first[point->particle + 1], .to = point->to};
    memcpy(w->x, point->from, sizeof w->x);
    for (size_t k = 0; k < p->rows.width; k++)
        w->shift[k] = point->from[k] - frame_unwrapped(p->before, point->particle, k);
}

/* Its position at time `at`, which is not after its next knot. */
static void walk_to(const recorded_paths *p, walker *w, double at, double x[3])
{
    const bool last = w->next == w->end;
    const knot *n = last ? NULL : &p->knots[w->next];
    const double goal = last ? 1 : n->at, share = (at - w->at) / (goal - w->at);
    for (int k = 0; k < 3; k++) {
        const double to = last ? w->to[k] : n->x[k] + w->shift[k];
        x[k] = share < 1 ? w->x[k] + share * (to - w->x[k]) : to;
    }
    if (last || n->at > at) return;
    memcpy(w->x, x, sizeof w->x);
    w->at = at;
    w->next++;
}

static double distance(const double x[4][3], bool face)
{
    double r[3], share[3], along[2], way[2][3], w[3];
    if (face) {
        closest_in_triangle(x[0], (const double(*)[3])(x + 1), r, share);
        return sqrt(dot3(r, r));
    }
    for (int k = 0; k < 3; k++) {
        way[0][k] = x[1][k] - x[0][k];
        way[1][k] = x[3][k] - x[2][k];
        w[k] = x[0][k] - x[2][k];
    }
    closest_of_segments(w, way[0], way[1], r, along);
    return sqrt(dot3(r, r));
}

/* On straight lines between successive knots of the four points. */
static crossing piece(const double x[2][4][3], bool face, crossing_limits limits, double *time)
{
    double first[2][2][3], second[2][3][3], other[2][2][3], v[2][3];
    for (int t = 0; t < 2; t++) {
        memcpy(v[t], x[t][0], sizeof v[t]);
        memcpy(first[t], x[t], sizeof first[t]);
        memcpy(second[t], x[t] + 1, sizeof second[t]);
        memcpy(other[t], x[t] + 2, sizeof other[t]);
    }
    return face ? crossing_vertex_face((const double(*)[3])v, (const double(*)[3][3])second, limits, time)
                : crossing_edge_edge((const double(*)[2][3])first, (const double(*)[2][3])other, limits, time);
}

/* Also true if they approach to within `separation` only at times. */
static bool may_meet(const path_point points[4], bool face, double separation)
{
    double first[2][2][3], second[2][3][3], other[2][2][3], v[2][3];
    for (int n = 0; n < 4; n++)
        for (int t = 0; t < 2; t++) {
            const double *x = t == 0 ? points[n].from : points[n].to;
            if (n == 0) memcpy(v[t], x, sizeof v[t]);
            if (n < 2) memcpy(first[t][n], x, sizeof first[t][n]);
            if (n > 0) memcpy(second[t][n - 1], x, sizeof second[t][n - 1]);
            if (n > 1) memcpy(other[t][n - 2], x, sizeof other[t][n - 2]);
        }
    return face ? ccd_vertex_face((const double(*)[3])v, (const double(*)[3][3])second, separation, NULL)
                : ccd_edge_edge((const double(*)[2][3])first, (const double(*)[2][3])other, separation, NULL);
}

/* The largest deviation of the points. */
static double most_of(const double *each, const path_point *points, int count)
{
    double most = 0;
    for (int n = 0; n < count; n++) most = fmax(most, each[points[n].particle]);
    return most;
}

/* Combines the results for two straight pieces and for the knot between them. */
static void join(crossing *all, crossing one, double at, double *time)
{
    if (one <= *all) return;
    *all = one;
    *time = at;
}

crossing recorded_paths_cross(const recorded_paths *p, const path_point points[4], bool face, double near,
                              double tolerance, double *time)
{
    const int ends = face ? 1 : 2;
    const double away = most_of(p->deviation, points, ends) + most_of(p->deviation, points + ends, 4 - ends);
    const double bend = most_of(p->within, points, ends) + most_of(p->within, points + ends, 4 - ends) + 2 * tolerance;
    const crossing_limits limits = {fmax(near, bend), bend};
    if (!may_meet(points, face, limits.near + away)) return CROSSING_NONE;
    walker w[4];
    double x[2][4][3], from = 0, met;
    crossing all = CROSSING_NONE;
    for (int n = 0; n < 4; n++) {
        start(p, &points[n], &w[n]);
        memcpy(x[0][n], w[n].x, sizeof x[0][n]);
    }
    while (from < 1) {
        double to = 1;
        for (int n = 0; n < 4; n++)
            if (w[n].next < w[n].end) to = fmin(to, p->knots[w[n].next].at);
        for (int n = 0; n < 4; n++) walk_to(p, &w[n], to, x[1][n]);
        const crossing on_the_way = piece((const double(*)[4][3])x, face, limits, &met);
        if (on_the_way != CROSSING_NONE) join(&all, on_the_way, from + met * (to - from), time);
        const double apart = to < 1 ? distance((const double(*)[3])x[1], face) : INFINITY;
        if (apart <= limits.near) join(&all, apart < near - bend ? CROSSING_CERTAIN : CROSSING_UNCLEAR, to, time);
        memcpy(x[0], x[1], sizeof x[0]);
        from = to;
    }
    return all;
}
