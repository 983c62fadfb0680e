/* New cuts of space when the domains are out of balance. */
#ifndef CAROM_HARD_KERNEL_RECUT_H
#define CAROM_HARD_KERNEL_RECUT_H

#include "hard/kernel/parallel/domain.h"

/* After a re-basing, at c->reached: moves the cuts if the work of the domains since the last call is out of balance. The next
 * step is a renewal of the halos, with a new survey, that makes lists and queues anew. */
static carom_status recut(crew *c, error *e);

#endif
