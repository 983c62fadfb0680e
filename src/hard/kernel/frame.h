/* Frames, and the hash of the state. */
#ifndef CAROM_HARD_KERNEL_FRAME_H
#define CAROM_HARD_KERNEL_FRAME_H

#include "hard/kernel/gas.h"

static void gas_fill_frame(void *self, double time, carom_frame *frame);
static void gas_fill_columns(void *self, unsigned columns, carom_frame *frame);
static bool gas_fills_parts(const void *self);
static double time_of(const void *self);
static const uint64_t *events_of(const void *self);

#endif
