#include "hard/kernel/parallel/follow.h"
#include "hard/kernel/parallel/collect.h"
#include "hard/kernel/parallel/crew.h"
#include "hard/kernel/parallel/orders.h"

static carom_status carry_out_order(crew *c, const rank_order *order, error *e)
{
    carom_stop stop;
    carom_status status;
    switch (order->kind) {
    case ORDER_ADVANCE:
        status = advance_domains(c, &order->limits, &stop, e);
        return status == CAROM_DYNAMICS ? CAROM_OK : status; /* rank 0 reports it */
    case ORDER_DISPERSE:
        return crew_disperse(c, e);
    case ORDER_COLLECT:
        return collect_domains(c, false, e);
    case ORDER_UNITE:
        return unite_domains(c, e);
    case ORDER_END:
        break;
    }
    return CAROM_OK;
}

static carom_status gas_follow(void *self, error *e)
{
    gas *g = self;
    rank_order order;
    do {
        TRY(order_receive(g->crew, &order, e));
        TRY(carry_out_order(g->crew, &order, e));
    } while (order.kind != ORDER_END);
    return CAROM_OK;
}
