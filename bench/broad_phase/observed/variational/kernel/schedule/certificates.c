/* The engine's own, under names that leave `certify_look` and `certify_wake` to bench/broad_phase/main.c. */
#define certify_look engine_certify_look
#define certify_wake engine_certify_wake
#include_next "variational/kernel/schedule/certificates.c"
#undef certify_look
#undef certify_wake
