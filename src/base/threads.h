/* Threads, if the compiler has OpenMP; otherwise one. Parallel loops give the same bits for any number of threads. */
#ifndef CAROM_BASE_THREADS_H
#define CAROM_BASE_THREADS_H

#ifdef _OPENMP
#include <omp.h>
#endif

/* The number of threads of a team. */
static inline int threads_most(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* The index of the calling thread in its team, from 0. */
static inline int threads_here(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* Sets the number of threads; 0: one, as waiting threads cost more than they gain on shared machines. */
static inline void threads_set(int count)
{
#ifdef _OPENMP
    omp_set_num_threads(count > 0 ? count : 1);
#else
    (void)count;
#endif
}

#endif
