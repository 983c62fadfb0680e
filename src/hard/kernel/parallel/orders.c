#include "hard/kernel/parallel/orders.h"

static carom_status order_send(crew *c, const rank_order *order, error *e)
{
    rank_order copy = *order;
    return c->first == 0 ? transport_broadcast(c->transport, &copy, sizeof copy, e) : CAROM_OK;
}

static carom_status order_receive(crew *c, rank_order *order, error *e)
{
    return transport_broadcast(c->transport, order, sizeof *order, e);
}
