/* Orders of rank 0, which has the files and the observers, to the other ranks. Between two orders all ranks do the same, and
 * exchange data (exchange.h). */
#ifndef CAROM_HARD_KERNEL_ORDERS_H
#define CAROM_HARD_KERNEL_ORDERS_H

#include "hard/kernel/parallel/domain.h"

typedef enum order_kind { ORDER_ADVANCE, ORDER_DISPERSE, ORDER_COLLECT, ORDER_UNITE, ORDER_END } order_kind;

typedef struct rank_order {
    order_kind kind;
    engine_limits limits; /* of ORDER_ADVANCE */
} rank_order;

/* On rank 0, before it carries out the order itself. */
static carom_status order_send(crew *c, const rank_order *order, error *e);

static carom_status order_receive(crew *c, rank_order *order, error *e);

#endif
