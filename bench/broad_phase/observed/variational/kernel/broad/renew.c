/* The engine's own, under a name that leaves `near_keep` to bench/broad_phase/main.c. */
#define near_keep engine_near_keep
#include_next "variational/kernel/broad/renew.c"
#undef near_keep
