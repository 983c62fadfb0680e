#define _GNU_SOURCE /* sched_getaffinity */
#include "parallel/pause.h"

#include <sched.h>
#include <unistd.h>

int pause_cores(void)
{
#ifdef CPU_COUNT
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 0) return CPU_COUNT(&mine);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}
