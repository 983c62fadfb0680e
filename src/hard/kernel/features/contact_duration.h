/* The collapse policy `tc`: a contact within the duration tc of the last one is elastic (Luding and McNamara, Granul.
 * Matter 1, 113 (1998)). */
#ifndef CAROM_HARD_KERNEL_CONTACT_DURATION_H
#define CAROM_HARD_KERNEL_CONTACT_DURATION_H

#include "hard/kernel/gas.h"

typedef struct contact_duration {
    real *last_contact; /* local time of each body's last collision */
} contact_duration;

#endif
