/* Several ranks: rank 0 leads, since it has the files and the observers; the others follow its orders. Between two orders all
 * ranks do the same, and exchange data (exchange.h). */
#ifndef CAROM_HARD_KERNEL_FOLLOW_H
#define CAROM_HARD_KERNEL_FOLLOW_H

#include "hard/kernel/parallel/domain.h"

typedef enum order_kind { ORDER_ADVANCE, ORDER_COLLECT, ORDER_UNITE, ORDER_END } order_kind;

typedef struct order_of_lead {
    order_kind kind;
    engine_limits limits; /* of ORDER_ADVANCE */
} order_of_lead;

/* Rank 0, before it carries out the order itself. */
static carom_status follow_order(crew *c, const order_of_lead *order, error *e);

/* All ranks take over the state of rank 0, and its *stop. */
static carom_status follow_share(crew *c, carom_stop *stop, error *e);

/* On the other ranks: carries out orders until the last one. */
static carom_status gas_follow(void *self, error *e);

#endif
