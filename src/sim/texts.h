/* Texts that the build compiles in (cmake/texts.cmake). */
#ifndef CAROM_SIM_TEXTS_H
#define CAROM_SIM_TEXTS_H

#include <stddef.h>

typedef struct named_text {
    const char *name, *text; /* name: of the file, without its ending */
} named_text;

/* The scenes of `carom init`, src/sim/starters. */
extern const named_text starters[];
extern const size_t starters_count;

/* The guides of docs that `carom help` searches. */
extern const named_text guides[];
extern const size_t guides_count;

#endif
