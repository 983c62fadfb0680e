/* A running compensated sum (Neumaier's form of Kahan's, after Knuth's two-sum: no branch). */
#ifndef CAROM_MEASURE_SUM_H
#define CAROM_MEASURE_SUM_H

typedef struct sum {
    double value, rest; /* the total is value + rest */
} sum;

static inline void sum_add(sum *s, double x)
{
    double total = s->value + x;
    double part = total - s->value;
    s->rest += (s->value - (total - part)) + (x - part);
    s->value = total;
}

static inline double sum_total(const sum *s)
{
    return s->value + s->rest;
}

#endif
