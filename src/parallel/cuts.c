#include "parallel/cuts.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* ---- bisection --------------------------------------------------------------------------------------------------- */

typedef double point[3];

static void swap(point *a, point *b)
{
    point held;
    memcpy(held, *a, sizeof held);
    memcpy(*a, *b, sizeof held);
    memcpy(*b, held, sizeof held);
}

/* Moves the `below` smallest points along an axis to the front (quickselect). */
static void select_points(point *p, size_t count, size_t below, int axis)
{
    while (count > 1) {
        const double pivot = p[count / 2][axis];
        size_t low = 0, at = 0, high = count;
        while (at < high) {
            if (p[at][axis] < pivot)
                swap(&p[at++], &p[low++]);
            else if (p[at][axis] > pivot)
                swap(&p[at], &p[--high]);
            else
                at++;
        }
        if (below <= low)
            count = low;
        else if (below >= high) {
            p += high;
            count -= high;
            below -= high;
        } else
            return;
    }
}

static void extent(const point *p, size_t count, int axis, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        *low = fmin(*low, p[i][axis]);
        *high = fmax(*high, p[i][axis]);
    }
}

/* The axis along which the part is longest: of its region, or of its points where the region has no limit. */
static int longest_axis(const cuts *c, const region *part, const point *p, size_t count, double *middle)
{
    double longest = -1;
    int axis = 0;
    for (int k = 0; k < c->dimension; k++) {
        double low = part->low[k], high = part->high[k];
        if (!isfinite(low) || !isfinite(high)) {
            double least, most;
            extent(p, count, k, &least, &most);
            low = isfinite(low) ? low : fmin(least, isfinite(high) ? high : least);
            high = isfinite(high) ? high : fmax(most, low);
        }
        if (high - low > longest) {
            longest = high - low;
            axis = k;
            *middle = low + 0.5 * (high - low);
        }
    }
    if (!isfinite(*middle)) *middle = 0;
    return axis;
}

typedef struct bisection {
    cuts *c;
    int used; /* cuts so far */
} bisection;

static int bisect(bisection *b, region part, int first, int domains, point *p, size_t count)
{
    cuts *c = b->c;
    if (domains == 1) {
        c->region[first] = part;
        return -1 - first;
    }
    const int own = b->used++, below = domains / 2;
    double at = 0;
    const int axis = longest_axis(c, &part, p, count, &at);
    const size_t few = count * (size_t)below / (size_t)domains;
    select_points(p, count, few, axis);
    double low, high;
    extent(p + few, count - few, axis, &low, &high);
    if (count > few && low > part.low[axis] && low < part.high[axis]) at = low;
    region lower = part, upper = part;
    lower.high[axis] = upper.low[axis] = at;
    size_t split = 0; /* equal coordinates: all at or above the cut belong to the upper part */
    for (size_t i = 0; i < count; i++)
        if (p[i][axis] < at) swap(&p[i], &p[split++]);
    c->cut[own] = (cut){.axis = axis, .at = at};
    const int to_low = bisect(b, lower, first, below, p, split);
    const int to_high = bisect(b, upper, first + below, domains - below, p + split, count - split);
    c->cut[own].below = to_low;
    c->cut[own].above = to_high;
    return own;
}

carom_status cuts_make(cuts *c, int dimension, const double box[3], int domains, size_t count, double (*points)[3],
                       error *e)
{
    cuts_free(c);
    *c = (cuts){.dimension = dimension, .domains = domains};
    c->cut = NEW_ARRAY((size_t)domains, cut);
    c->region = NEW_ARRAY((size_t)domains, region);
    if (c->cut == NULL || c->region == NULL)
        return error_memory(e, "domains", (size_t)domains * (sizeof(cut) + sizeof(region)));
    region all;
    for (int k = 0; k < 3; k++) {
        c->box[k] = k < dimension ? box[k] : 0;
        all.low[k] = c->box[k] > 0 ? 0 : -INFINITY;
        all.high[k] = c->box[k] > 0 ? c->box[k] : INFINITY;
    }
    bisection b = {.c = c};
    bisect(&b, all, 0, domains, points, count);
    return CAROM_OK;
}

void cuts_free(cuts *c)
{
    memory_free(c->cut);
    memory_free(c->region);
    *c = (cuts){.domains = 0};
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

int cuts_domain(const cuts *c, const double r[3])
{
    int at = c->domains > 1 ? 0 : -1;
    while (at >= 0) at = r[c->cut[at].axis] < c->cut[at].at ? c->cut[at].below : c->cut[at].above;
    return -1 - at;
}

/* Without the special cases of fmax. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Distance of an interval [a, b] from an interval [low, high] on an axis of this period (0: not periodic). The same bits if
 * the intervals are exchanged: two domains agree on whether they are adjacent. */
static double interval_distance(double a, double b, double low, double high, double period)
{
    const double below = low - b, above = a - high; /* at most one is positive */
    double apart = larger(larger(below, above), 0);
    if (period > 0 && apart > 0) {
        const double other = period - (below > 0 ? high - a : b - low);
        apart = larger(other < apart ? other : apart, 0);
    }
    return apart;
}

double cuts_distance_squared(const cuts *c, int domain, const double r[3])
{
    const region *of = &c->region[domain];
    double square = 0;
    for (int k = 0; k < c->dimension; k++) {
        const double d = interval_distance(r[k], r[k], of->low[k], of->high[k], c->box[k]);
        square += d * d;
    }
    return square;
}

bool cuts_is_deep(const cuts *c, int domain, const double r[3], double depth)
{
    const region *of = &c->region[domain];
    for (int k = 0; k < c->dimension; k++) {
        if (c->box[k] > 0 && of->low[k] <= 0 && of->high[k] >= c->box[k]) continue; /* its own neighbour */
        if (r[k] - of->low[k] < depth || of->high[k] - r[k] < depth) return false;
    }
    return true;
}

double cuts_between_squared(const cuts *c, int domain, int other)
{
    const region *a = &c->region[domain], *b = &c->region[other];
    double square = 0;
    for (int k = 0; k < c->dimension; k++) {
        const double d = interval_distance(a->low[k], a->high[k], b->low[k], b->high[k], c->box[k]);
        square += d * d;
    }
    return square;
}
