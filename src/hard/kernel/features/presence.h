/* Rigid meshes that appear or vanish during the run (`meshes: appear, vanish`): their stages. An absent mesh follows its
 * drive and has no contacts (solid.absent). kernel/gates.c changes them. */
#ifndef CAROM_HARD_KERNEL_PRESENCE_H
#define CAROM_HARD_KERNEL_PRESENCE_H

#include "hard/kernel/gas.h"
#include "scene/gates.h"

struct presence {
    gate *gate; /* in the order of the meshes */
    uint32_t count;
    frame_moments *moments; /* [count], for frames */
};

/* True time of the next trial or check; INFINITY: none. */
static double presence_next(const gas *g);

#endif
