/* Attraction -1/r of every particle by a sun at (5, 5). cc -O2 -shared -fPIC coupling-c.c -o coupling-c.so -lm */
#include <math.h>
#include <stddef.h>

double sun(void *user, double time, const double *positions, double *forces)
{
    (void)user;
    (void)time;
    double x = positions[0] - 5, y = positions[1] - 5, r = sqrt(x * x + y * y);
    if (forces != NULL) {
        forces[0] = -x / (r * r * r);
        forces[1] = -y / (r * r * r);
    }
    return -1 / r;
}
