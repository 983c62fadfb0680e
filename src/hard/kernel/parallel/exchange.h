/* Data that domains of several ranks exchange. All ranks call these functions in the same order. On one rank they
 * do no work. */
#ifndef CAROM_HARD_KERNEL_EXCHANGE_H
#define CAROM_HARD_KERNEL_EXCHANGE_H

#include "hard/kernel/parallel/domain.h"

/* After a change of the adjacent domains: where the messages come from. */
static carom_status exchange_connect(crew *c, error *e);

/* The messages between adjacent domains of different ranks. */
static carom_status exchange_messages(crew *c, error *e);

/* Sets c->result to that of all domains. */
static carom_status exchange_results(crew *c, error *e);

/* The largest value of all ranks. */
static carom_status exchange_largest(crew *c, double *x, error *e);

/* The sum of one exact sum of each rank. */
static carom_status exchange_sum(crew *c, exact_sum *s, error *e);

/* The marks of all domains: [c->result.marks], which the caller frees, at rank 0; NULL at the others. */
static carom_status exchange_marks(crew *c, mark **all, error *e);

/* The index of a domain among the adjacent ones of d; -1: it is not adjacent. */
static int adjacent_index(const domain *d, int other);

static void exchange_free(crew *c);

#endif
