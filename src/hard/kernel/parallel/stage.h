/* Re-basing of a parallel run. */
#ifndef CAROM_HARD_KERNEL_STAGE_H
#define CAROM_HARD_KERNEL_STAGE_H

#include "hard/kernel/parallel/domain.h"

/* As new_stage of the serial run, at local time crew.reached. */
static carom_status stage_begin(crew *c, carom_stop *stop, error *e);

#endif
