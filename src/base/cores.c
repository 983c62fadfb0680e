/* Cores that this process may use, and their instruction sets. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/cores.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

static int cores_permitted(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

/* CPU time per time that a container has (control groups, version 2); 0: no limit. */
static double share_of_container(void)
{
    double quota = 0, period = 0;
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%lf %lf", &quota, &period) != 2) quota = 0; /* "max PERIOD" */
    fclose(file);
    return quota > 0 && period > 0 ? quota / period : 0;
}

int cores_level(void)
{
#ifdef CAROM_HAVE_ISA_LEVELS
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (avx2) return avx512 ? CORES_AVX512 : CORES_AVX2;
#endif
    return CORES_ANY;
}

int cores_usable(void)
{
    const int cores = cores_permitted();
    const double share = share_of_container();
    if (share <= 0 || share >= cores) return cores;
    return share > 1 ? (int)share : 1;
}
