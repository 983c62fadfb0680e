/* Images of bodies in the windows of a parallel run. */
#ifndef CAROM_HARD_KERNEL_IMAGES_H
#define CAROM_HARD_KERNEL_IMAGES_H

#include "hard/kernel/gas.h"

/* The image of body i is about to change: an undo needs the present one. */
static void window_keep_image(struct domain *d, uint32_t i);

#endif
