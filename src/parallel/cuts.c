#include "parallel/cuts.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Numbers in the table of a level of the tree, about; of a cut at least; places of a cut in its part of space. More: more
 * memory for each domain; fewer: more passes over all bodies, and coarser places. */
enum { CUT_NUMBERS = 16384, CUT_BINS_LEAST = 64, CUT_PLACES = 1 << 20 };

/* An axis remains that of a cut as long as the longest is not longer by this factor. */
#define CUT_KEPT 1.5

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

/* A cut that is sought: its part of space, the domains of that part, and the interval of its place. */
typedef struct sought {
    region part;
    int first, domains;
    double low, high;
} sought;

struct cutting {
    cuts *cuts;
    sought *sought; /* [domains - 1] */
    int from, to;   /* the cuts of the present level of the tree */
    size_t bins;    /* of each of them, between `low` and `high`; two more are for what is below and above */
};

/* Of a cut: the domains below it. */
static int lower_domains(const sought *s)
{
    return s->domains / 2;
}

/* Numbers the cuts level by level. */
static void grow_tree(cutting *k)
{
    int next = 1;
    if (k->cuts->domains > 1) k->sought[0].domains = k->cuts->domains;
    for (int n = 0; n < k->cuts->domains - 1; n++) {
        const sought *s = &k->sought[n];
        const int below = lower_domains(s), above = s->domains - below;
        cut *c = &k->cuts->cut[n];
        c->below = below > 1 ? next++ : -1 - s->first;
        if (below > 1) k->sought[c->below] = (sought){.first = s->first, .domains = below};
        c->above = above > 1 ? next++ : -1 - (s->first + below);
        if (above > 1) k->sought[c->above] = (sought){.first = s->first + below, .domains = above};
    }
}

/* The end of the level that begins with cut `from`, if all cuts before it have been numbered. */
static int level_end(const cutting *k, int from)
{
    int end = from;
    for (int n = 0; n < from; n++) {
        const cut *c = &k->cuts->cut[n];
        end = c->below >= end ? c->below + 1 : end;
        end = c->above >= end ? c->above + 1 : end;
    }
    return from == 0 ? 1 : end;
}

/* ---- counts of bodies -------------------------------------------------------------------------------------------- */

size_t cutting_numbers(const cutting *k)
{
    return (size_t)(k->to - k->from) * (k->bins + 2);
}

void cutting_count(const cutting *k, uint64_t *table, const double r[3], uint64_t weight)
{
    const cuts *c = k->cuts;
    int at = 0;
    while (at >= 0 && at < k->from) at = r[c->cut[at].axis] < c->cut[at].at ? c->cut[at].below : c->cut[at].above;
    if (at < 0) return; /* on a higher level it is in a domain already */
    const sought *s = &k->sought[at];
    const double x = r[c->cut[at].axis];
    size_t bin = 0;
    if (x >= s->high)
        bin = k->bins + 1;
    else if (x >= s->low) {
        const double of = (x - s->low) / (s->high - s->low) * (double)k->bins;
        bin = 1 + (of < (double)k->bins ? (size_t)of : k->bins - 1);
    }
    table[(size_t)(at - k->from) * (k->bins + 2) + bin] += weight;
}

static double edge_of(const cutting *k, const sought *s, size_t edge)
{
    return edge == k->bins ? s->high : s->low + (s->high - s->low) * ((double)edge / (double)k->bins);
}

/* Narrows the interval of a cut to one bin, and places the cut at the better of its edges. */
static void narrow(const cutting *k, int n, const uint64_t *count)
{
    sought *s = &k->sought[n];
    uint64_t total = 0;
    for (size_t b = 0; b < k->bins + 2; b++) total += count[b];
    if (total == 0) {
        k->cuts->cut[n].at = 0.5 * (s->low + s->high);
        return;
    }
    const double wanted = (double)total * lower_domains(s) / s->domains;
    size_t edge = 0;
    double below = (double)count[0], before = below;
    while (below < wanted && edge < k->bins) {
        before = below;
        below += (double)count[++edge];
    }
    const size_t lower = edge > 0 ? edge - 1 : 0, upper = edge > 0 ? edge : 1;
    const double low = edge_of(k, s, lower), high = edge_of(k, s, upper);
    k->cuts->cut[n].at = edge > 0 && wanted - before < below - wanted ? low : edge_of(k, s, edge);
    s->low = low;
    s->high = high;
}

/* ---- the cuts of a level ------------------------------------------------------------------------------------------ */

static double within(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* The axis along which the part is longest, or nearly so if it was the axis before. */
static void choose_axis(const cutting *k, int n, const cuts *before, const cuts_bodies *bodies)
{
    sought *s = &k->sought[n];
    double low[3] = {0}, high[3] = {0};
    int axis = 0;
    for (int a = 0; a < k->cuts->dimension; a++) {
        const bool periodic = k->cuts->box[a] > 0;
        const double least = periodic ? 0 : bodies->low[a], most = periodic ? k->cuts->box[a] : bodies->high[a];
        low[a] = within(s->part.low[a], least, most);
        high[a] = within(s->part.high[a], least, most);
        if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
    }
    if (before != NULL && before->domains == k->cuts->domains) {
        const int old = before->cut[n].axis;
        if (CUT_KEPT * (high[old] - low[old]) >= high[axis] - low[axis]) axis = old;
    }
    k->cuts->cut[n].axis = axis;
    s->low = low[axis];
    s->high = high[axis];
}

static void set_part(const cutting *k, int n, region part)
{
    if (n < 0)
        k->cuts->region[-1 - n] = part;
    else
        k->sought[n].part = part;
}

static void divide_part(const cutting *k, int n)
{
    const cut *c = &k->cuts->cut[n];
    region lower = k->sought[n].part, upper = lower;
    lower.high[c->axis] = upper.low[c->axis] = c->at;
    set_part(k, c->below, lower);
    set_part(k, c->above, upper);
}

static carom_status find_cuts(cutting *k, const cuts_bodies *bodies, uint64_t *table, error *e)
{
    for (double fine = 1; fine < CUT_PLACES; fine *= (double)k->bins) {
        memset(table, 0, cutting_numbers(k) * sizeof *table);
        TRY(bodies->count(bodies->context, k, table, e));
        for (int n = k->from; n < k->to; n++) narrow(k, n, table + (size_t)(n - k->from) * (k->bins + 2));
    }
    return CAROM_OK;
}

static carom_status divide(cutting *k, const cuts *before, const cuts_bodies *bodies, error *e)
{
    carom_status status = CAROM_OK;
    for (k->from = 0; k->from < k->cuts->domains - 1 && status == CAROM_OK; k->from = k->to) {
        k->to = level_end(k, k->from);
        const size_t share = CUT_NUMBERS / (size_t)(k->to - k->from);
        k->bins = share < CUT_BINS_LEAST ? CUT_BINS_LEAST : share;
        uint64_t *table = NEW_ARRAY(cutting_numbers(k), uint64_t);
        if (table == NULL) return error_memory(e, "domains", cutting_numbers(k) * sizeof *table);
        for (int n = k->from; n < k->to; n++) choose_axis(k, n, before, bodies);
        status = find_cuts(k, bodies, table, e);
        for (int n = k->from; n < k->to; n++) divide_part(k, n);
        memory_free(table);
    }
    return status;
}

carom_status cuts_make(cuts *c, int dimension, const double box[3], int domains, const cuts *before,
                       const cuts_bodies *bodies, error *e)
{
    *c = (cuts){.dimension = dimension, .domains = domains};
    c->cut = NEW_ARRAY((size_t)domains, cut);
    c->region = NEW_ARRAY((size_t)domains, region);
    cutting k = {.cuts = c, .sought = NEW_ARRAY((size_t)domains, sought)};
    if (c->cut == NULL || c->region == NULL || k.sought == NULL) {
        memory_free(k.sought);
        return error_memory(e, "domains", (size_t)domains * (sizeof(cut) + sizeof(region) + sizeof(sought)));
    }
    region all;
    for (int a = 0; a < 3; a++) {
        c->box[a] = a < dimension ? box[a] : 0;
        all.low[a] = c->box[a] > 0 ? 0 : -INFINITY;
        all.high[a] = c->box[a] > 0 ? c->box[a] : INFINITY;
    }
    grow_tree(&k);
    set_part(&k, domains > 1 ? 0 : -1, all);
    const carom_status status = divide(&k, before, bodies, e);
    memory_free(k.sought);
    return status;
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

double cuts_depth(const cuts *c, int domain, const double r[3])
{
    const region *of = &c->region[domain];
    double depth = INFINITY;
    for (int k = 0; k < c->dimension; k++) {
        if (c->box[k] > 0 && of->low[k] <= 0 && of->high[k] >= c->box[k]) continue; /* its own neighbour */
        depth = fmin(depth, fmin(r[k] - of->low[k], of->high[k] - r[k]));
    }
    return depth;
}

double cuts_between_squared(const cuts *c, const region *from, int domain)
{
    const region *a = from, *b = &c->region[domain];
    double square = 0;
    for (int k = 0; k < c->dimension; k++) {
        const double d = interval_distance(a->low[k], a->high[k], b->low[k], b->high[k], c->box[k]);
        square += d * d;
    }
    return square;
}
