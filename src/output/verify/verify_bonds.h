/* Lengths of bonds. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_BONDS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_BONDS_H

#include "frame/frame.h"
#include "output/results/links.h"

/* Calls `found` for each bond of a frame that is too short or too long by more than `tolerance`. */
typedef void bond_found(size_t bond, double length, void *data);
void verify_bonds(const carom_frame *f, const result_links *links, double tolerance, bond_found *found, void *data);

#endif
