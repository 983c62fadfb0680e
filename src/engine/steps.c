#include "engine/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the cost of all other elements together. */
static const double COSTLY = 10;

carom_step *steps_add(engine_steps *all, const char *kind, double step, double bound, uint64_t elements)
{
    carom_step *row = &all->at[all->count++];
    *row = (carom_step){.step = step, .bound = bound, .elements = elements, .position = {NAN, NAN, NAN}};
    snprintf(row->kind, sizeof row->kind, "%s", kind);
    return row;
}

carom_step *steps_find(engine_steps *all, const char *kind)
{
    for (size_t k = 0; k < all->count; k++)
        if (strcmp(all->at[k].kind, kind) == 0) return &all->at[k];
    return NULL;
}

static int falling(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? 1 : -(a > b);
}

/* The cost of the elements with rates above that of the element after the `count` fastest ones, relative to the others;
 * and their number. */
static double excess_of(const steps_costs *c, double cost, size_t count, size_t *outliers)
{
    const double rate = c->rates[count];
    *outliers = 0;
    while (c->rates[*outliers] > rate) ++*outliers;
    const double others = *outliers > 0 ? c->up_to(c->data, rate) : 0;
    return others > 0 ? (cost - others) / others : 0;
}

static size_t most_outliers(size_t count)
{
    const size_t hundredth = count / 100, tenth = count / 10, few = tenth < 10 ? tenth : 10;
    const size_t most = hundredth > few ? hundredth : few;
    return most > 1 ? most : 1;
}

void steps_find_outliers(carom_step *row, const steps_costs *c, const char *remedy)
{
    if (c->count < 2) return;
    const size_t most = most_outliers(c->count);
    size_t outliers = 0;
    qsort(c->rates, c->count, sizeof *c->rates, falling);
    const double cost = c->up_to(c->data, INFINITY);
    double excess = excess_of(c, cost, most, &outliers);
    if (!(excess >= COSTLY)) return;
    for (size_t k = 1; k < most; k *= 2) {
        size_t fewer;
        const double less = excess_of(c, cost, k, &fewer);
        if (!(less >= COSTLY)) continue;
        outliers = fewer;
        excess = less;
        break;
    }
    row->outliers = outliers;
    row->excess = excess;
    snprintf(
        row->warning, sizeof row->warning,
        "%zu of %zu elements cost%s %.3g times all the others together, by a step of %.3g (%s), first of all %s: %s",
        outliers, c->count, outliers == 1 ? "s" : "", excess, row->step, row->kind, row->element, remedy);
}
