/* Detects missed contacts of the continuous collision check: bytes become two features that touch exactly at a known
 * time, or any two, which must keep the separation until the time that is returned. */
#include "../support/ccd_oracle.h"

#include <stdint.h>

typedef struct stream {
    const uint8_t *at, *end;
} stream;

static uint8_t byte(stream *s)
{
    return s->at < s->end ? *s->at++ : 0;
}

static double any_number(stream *s)
{
    uint8_t kind = byte(s);
    double x = (int8_t)byte(s);
    if (kind % 3 == 0) return x;
    return ldexp(x + ldexp((int8_t)byte(s), -(int)byte(s) % 64), kind % 3 == 1 ? 0 : (int8_t)byte(s));
}

/* With weights of sixteenths in the meeting point at 0 and steps of whole numbers: nothing is rounded. */
static query touching(stream *s, query_kind k, int eighths)
{
    query q = {.meets = true};
    int i = byte(s) % 17, j = byte(s) % (k == VERTEX_FACE ? 17 - i : 17);
    const int exponent = 7 * (int8_t)byte(s);
    for (int x = 0; x < 3; x++) {
        const int a = (int8_t)byte(s), b = (int8_t)byte(s), corner = -i * a - j * b;
        const int face[4] = {0, corner, corner + 16 * a, corner + 16 * b};
        const int edges[4] = {-i * a, (16 - i) * a, -j * b, (16 - j) * b};
        for (int point = 0; point < 4; point++) {
            const int at_meeting = k == VERTEX_FACE ? face[point] : edges[point], step = (int8_t)byte(s);
            q.point[0][point][x] = ldexp(at_meeting - eighths * step, exponent);
            q.point[1][point][x] = ldexp(at_meeting + (8 - eighths) * step, exponent);
        }
    }
    return q;
}

static void check_separation(query_kind k, const query *q, double separation)
{
    enum { SAMPLES = 16 };
    double t, largest = 0.0;
    const bool answer = ask(k, q, separation, &t);
    if (answer ? !(t >= 0.0 && t < 1.0) : !isinf(t)) abort();
    for (int i = 0; i < 24; i++) largest = fmax(largest, fabs(q->point[i / 12][i / 3 % 4][i % 3]));
    const oracle o = oracle_new(k, q);
    for (int i = 0; i < SAMPLES && t > 0.0; i++) {
        wide distance = oracle_distance(&o, fminl((wide)t, 1) * i / SAMPLES);
        if (distance < separation - 1e-17L * largest) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    stream s = {data, data + size};
    const uint8_t kind = byte(&s);
    const query_kind k = kind & 1 ? EDGE_EDGE : VERTEX_FACE;
    if (kind & 2) {
        const int eighths = byte(&s) % 9;
        const query q = touching(&s, k, eighths);
        double t;
        if (!ask(k, &q, 0.0, &t) || !(t >= 0.0 && t <= eighths / 8.0)) abort();
        return 0;
    }
    query q = {0};
    for (int i = 0; i < 24; i++) q.point[i / 12][i / 3 % 4][i % 3] = any_number(&s);
    check_separation(k, &q, kind & 4 ? fabs(any_number(&s)) : 0.0);
    return 0;
}
