/* Threads, where the compiler has OpenMP; else there is one. Loops that share work give the same bits with any
 * number. */
#ifndef CAROM_BASE_THREADS_H
#define CAROM_BASE_THREADS_H

#ifdef _OPENMP
#include <omp.h>
#endif

/* As many as a team will have. */
static inline int threads_most(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* Which of its team the calling thread is, from 0. */
static inline int threads_here(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* So many from now on; 0: one, as waiting threads cost more than they give where others use the machine too. */
static inline void threads_set(int count)
{
#ifdef _OPENMP
    omp_set_num_threads(count > 0 ? count : 1);
#else
    (void)count;
#endif
}

#endif
