/* The engine's own, under a name that leaves `lists_keep_valid` to bench/broad_phase/main.c. */
#define lists_keep_valid engine_near_keep
#include_next "variational/kernel/broad/renew.c"
#undef lists_keep_valid
