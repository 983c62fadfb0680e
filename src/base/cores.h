/* Cores that this process may use. */
#ifndef CAROM_BASE_CORES_H
#define CAROM_BASE_CORES_H

/* Number of cores that this process may use: a job of a batch system may have only some of those of the machine, a
 * container only a share of their time. At least 1. */
int cores_usable(void);

#endif
