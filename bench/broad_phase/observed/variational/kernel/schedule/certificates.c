/* The engine's own, under names that leave `certify_element` and `certify_wake` to bench/broad_phase/main.c. */
#define certify_element engine_certify_look
#define certify_wake engine_certify_wake
#include_next "variational/kernel/schedule/certificates.c"
#undef certify_element
#undef certify_wake
