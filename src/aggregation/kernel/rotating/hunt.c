/* When does a gap close? Conservative advancement: from a time at which the gap and its rate are known, on to one
 * before which it cannot have closed, and again.
 *
 * A gap that is no larger than `near` and closes is a contact. Times of contact are multiples of a grain, a power of
 * two in which the gap changes by less than half of `near`: so none is jumped over, nothing overlaps, and every search
 * for a contact, from whatever time on, finds the same bits. Times that cannot be contacts are all that is left out. */
#include "aggregation/kernel/rotating/body.h"

#define NEAR_GAP 1e-10 /* by the contact distance */
#define LESS (1 - 0x1p-40)

static void hunt_prepare(hunt *h, double length)
{
    const swarm *s = h->swarm;
    double scale = length;
    int power;
    for (int k = 0; k < DIM; k++) scale = fmax(scale, s->size[k]);
    h->noise = 0x1p-48 * scale;
    h->near = fmax(NEAR_GAP * length, 4 * h->noise);
    frexp(h->near / (2 * h->speed), &power);
    h->grain = ldexp(0.5, power);
}

static bool met(const hunt *h, glimpse now)
{
    return now.gap <= h->near && now.rate < 0;
}

static bool hunt_met(const hunt *h, double t)
{
    return met(h, h->look(h, t));
}

/* gap(x) >= gap + rate x - bend x^2 / 2, and >= gap - speed x. */
static double hunt_safe(const hunt *h, glimpse now)
{
    if (now.gap <= h->near) return now.rate > 0 ? LESS * now.rate / h->bend : 0;
    const double room = now.gap - h->near - h->noise;
    if (room <= 0) return 0;
    const double root = sqrt(now.rate * now.rate + 2 * h->bend * room);
    const double curved = now.rate > 0 ? (now.rate + root) / h->bend : 2 * room / (root - now.rate);
    return LESS * fmax(curved, room / h->speed);
}

static double advance(double t, double safe, double grain)
{
    double far = t + safe;
    if (far - t > safe) far = nextafter(far, t);
    const double down = floor(far / grain) * grain;
    if (down > t) return down;
    const double next = (floor(t / grain) + 1) * grain;
    return next > t ? next : nextafter(t, INFINITY);
}

static double hunt_down(const hunt *h, double start, double from, double until)
{
    if (!(h->speed > 0)) return INFINITY;
    if (from <= start && hunt_met(h, start)) return start;
    for (double t = ceil(from / h->grain) * h->grain;;) {
        if (t > until || isinf(t)) return t;
        const glimpse now = h->look(h, t);
        if (met(h, now)) return t;
        t = advance(t, hunt_safe(h, now), h->grain);
    }
}
