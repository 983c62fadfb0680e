#ifndef CAROM_BASE_PI_H
#define CAROM_BASE_PI_H

/* M_PI is not in C17. */
#define PI 3.14159265358979323846

#endif
