/* The operation `advance` of the engine. */
#ifndef CAROM_HARD_KERNEL_ADVANCE_H
#define CAROM_HARD_KERNEL_ADVANCE_H

#include "hard/kernel/gas.h"

static carom_status gas_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e);

#endif
