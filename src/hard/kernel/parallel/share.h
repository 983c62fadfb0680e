/* The state of rank 0 at all ranks. */
#ifndef CAROM_HARD_KERNEL_SHARE_H
#define CAROM_HARD_KERNEL_SHARE_H

#include "hard/kernel/parallel/domain.h"

/* All ranks take over the state of rank 0, and its *stop. */
static carom_status share_rank(crew *c, carom_stop *stop, error *e);

#endif
