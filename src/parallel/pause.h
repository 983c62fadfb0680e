/* Short waits: polling, with hints to the processor and to the system. */
#ifndef CAROM_PARALLEL_PAUSE_H
#define CAROM_PARALLEL_PAUSE_H

#include <stdint.h>
#include <time.h>

/* A hint to the processor in a loop that polls. */
static inline void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static inline int64_t pause_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int pause_cores(void); /* number of cores that this process may use */

#endif
