/* The state of a body as bytes. */
#ifndef CAROM_HARD_KERNEL_BODY_STATE_H
#define CAROM_HARD_KERNEL_BODY_STATE_H

#include "hard/kernel/parallel/domain.h"

/* Appends the state of body i. */
static void body_put(const gas *g, uint32_t i, buffer *out);

/* Sets the state of body i, with a new stamp. Returns the end of its bytes. */
static const char *body_get(gas *g, uint32_t i, const char *from);

/* Copies the state of body i of one gas to body j of another, whose stall.any is set if it is set in the first. The
 * buffer is scratch. Returns false without memory. */
static bool body_copy(const gas *from, uint32_t i, gas *to, uint32_t j, buffer *scratch);

/* The number of the body in the bytes of a state. */
static uint32_t body_number(const char *state);

/* Bytes of the state that begins there. */
static size_t body_bytes(const gas *g, const char *state);

/* Adds the state of body i to the hash of its history. Its image follows from the positions since a common start. */
static uint64_t body_chain(const gas *g, uint32_t i, uint64_t chain);

#endif
