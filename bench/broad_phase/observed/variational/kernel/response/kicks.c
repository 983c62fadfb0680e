/* The engine's own, under a name that leaves `give_kicks` to bench/broad_phase/main.c. */
#define give_kicks engine_give_kicks
#include_next "variational/kernel/response/kicks.c"
#undef give_kicks
