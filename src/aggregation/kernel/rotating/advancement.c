/* Closing time of a gap by conservative advancement: from a time at which the gap and its rate are known to a lower
 * bound of the closing time, repeatedly.
 *
 * A gap of at most `near` that closes is a contact. Contact times are multiples of a quantum, a power of two in which
 * the gap changes by less than half of `near`. Hence no contact is missed, nothing overlaps, and every search for a
 * contact returns the same bits, for any start time. The search skips only times that cannot be contacts. */
#include "aggregation/kernel/rotating/body.h"

static void advancement_prepare(advancement *h, double length)
{
    const cluster_state *s = h->cluster_state;
    double scale = length;
    int power;
    for (int k = 0; k < DIM; k++) scale = fmax(scale, s->size[k]);
    h->noise = GAP_NOISE * scale;
    h->near = fmax(CONTACT_GAP * length, GAP_NOISES * h->noise);
    frexp(h->near / (2 * h->speed), &power);
    h->quantum = ldexp(0.5, power);
}

static bool touches(const advancement *h, gap_state now)
{
    return now.gap <= h->near && now.rate < 0;
}

static bool advancement_touches(const advancement *h, double t)
{
    return touches(h, h->gap_at(h, t));
}

/* gap(x) >= gap + rate x - bend x^2 / 2, and >= gap - speed x. */
static double advancement_safe(const advancement *h, gap_state now)
{
    if (now.gap <= h->near) return now.rate > 0 ? ROUND_DOWN * now.rate / h->acceleration : 0;
    const double room = now.gap - h->near - h->noise;
    if (room <= 0) return 0;
    const double root = sqrt(now.rate * now.rate + 2 * h->acceleration * room);
    const double curved = now.rate > 0 ? (now.rate + root) / h->acceleration : 2 * room / (root - now.rate);
    return ROUND_DOWN * fmax(curved, room / h->speed);
}

static double advance(double t, double safe, double quantum)
{
    double far = t + safe;
    if (far - t > safe) far = nextafter(far, t);
    const double down = floor(far / quantum) * quantum;
    if (down > t) return down;
    const double next = (floor(t / quantum) + 1) * quantum;
    return next > t ? next : nextafter(t, INFINITY);
}

static double advancement_contact(const advancement *h, double start, double from, double until)
{
    if (!(h->speed > 0)) return INFINITY;
    if (from <= start && advancement_touches(h, start)) return start;
    for (double t = ceil(from / h->quantum) * h->quantum;;) {
        if (t > until || isinf(t)) return t;
        const gap_state now = h->gap_at(h, t);
        if (touches(h, now)) return t;
        t = advance(t, advancement_safe(h, now), h->quantum);
    }
}
