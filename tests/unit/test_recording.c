/* Detects frames of a page in a file that are damaged by differences, compression or base64, and limits that are
 * exceeded. */
#include "view/server/recording.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../support/suite.h"
#include "base/memory.h"
#include "view/server/websocket.h"

enum { WORDS = 500, SIZE = 2 * WORDS };

/* Frame k of one kind: at rest, in free flight, with random velocities at each frame, or random. */
typedef enum motion { REST, FLIGHT, WALK, NOISE, MOTIONS } motion;

/* The output function of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint16_t word_of(motion kind, uint64_t k, uint64_t n)
{
    const uint64_t random = mixed(k * WORDS + n + 1), start = mixed(~n);
    const uint64_t at = start >> 40, speed = start >> 50 & 255, wide = random >> 48, narrow = random >> 57;
    switch (kind) {
    case REST:
        return (uint16_t)at;
    case FLIGHT:
        return (uint16_t)(at + speed * k);
    case WALK:
        return (uint16_t)(at + 3 * k * k + narrow);
    default:
        return (uint16_t)wide;
    }
}

static void fill(uint8_t *frame, motion kind, uint64_t k)
{
    for (uint64_t n = 0; n < WORDS; n++) {
        frame[2 * n] = (uint8_t)word_of(kind, k, n);
        frame[2 * n + 1] = (uint8_t)(word_of(kind, k, n) >> 8);
    }
}

/* A complete WebSocket message. */
static uint8_t *message_of(const void *data, size_t size, size_t *whole)
{
    uint8_t header[WEBSOCKET_HEADER];
    const size_t length = websocket_header(WEBSOCKET_BINARY, size, header);
    uint8_t *made = NEW_ARRAY(length + size, uint8_t);
    ck_assert_ptr_nonnull(made);
    memcpy(made, header, length);
    memcpy(made + length, data, size);
    *whole = length + size;
    return made;
}

static void begin(recording *r, size_t most, size_t limit)
{
    error e = {0};
    size_t size;
    recording_create(r, most, limit);
    uint8_t *hello = message_of("{}", 2, &size);
    ck_assert_int_eq(recording_take(&r->hello, hello, size, &e), CAROM_OK);
    uint8_t *things = message_of("thing", 5, &size);
    ck_assert_int_eq(recording_take(&r->things, things, size, &e), CAROM_OK);
}

static void add(recording *r, motion kind, uint64_t k)
{
    error e = {0};
    uint8_t frame[SIZE];
    size_t size;
    fill(frame, kind, k);
    uint8_t *message = message_of(frame, SIZE, &size);
    const view_moment m = {.time = (double)k};
    ck_assert_int_eq(recording_add(r, k, &m, message, size, &e), CAROM_OK);
}

/* ---- reading a page ---------------------------------------------------------------------------------------------- */

static unsigned sextet(char c)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return (unsigned)(strchr(letters, c) - letters);
}

/* The bytes of the recording in a page; freed with free. */
static uint8_t *unpack(const char *page, size_t *size)
{
    const char *at = strstr(page, "id=\"recording\"");
    ck_assert_ptr_nonnull(at);
    at = strchr(at, '>') + 1;
    const size_t letters = (size_t)(strchr(at, '<') - at);
    uint8_t *packed = malloc(letters), *bytes = malloc(1 << 22);
    size_t count = 0;
    ck_assert(packed != NULL && bytes != NULL && letters % 4 == 0);
    for (size_t k = 0; k < letters; k += 4) {
        const int some = at[k + 2] == '=' ? 1 : at[k + 3] == '=' ? 2 : 3;
        ck_assert(some == 3 || k + 4 == letters);
        uint32_t bits = 0;
        for (size_t n = 0; n < 4; n++) bits = bits << 6 | ((int)n <= some ? sextet(at[k + n]) : 0);
        for (int n = 0; n < some; n++) packed[count++] = (uint8_t)(bits >> (16 - 8 * n));
    }
    uLongf whole = 1 << 22;
    ck_assert_int_eq(uncompress(bytes, &whole, packed, count), Z_OK);
    free(packed);
    *size = whole;
    return bytes;
}

static size_t number_at(const uint8_t *bytes)
{
    return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

/* Frame `index` from its record: the differences are sums here, with powers of two to undo. */
static void restore(uint16_t (*frames)[WORDS], size_t index, size_t order, const uint8_t *data)
{
    for (size_t n = 0; n < WORDS; n++) {
        const int32_t folded = data[n] + 256 * data[WORDS + n];
        int32_t x = folded % 2 == 0 ? folded / 2 : -(folded + 1) / 2;
        if (order == 1) x += frames[index - 1][n];
        if (order == 2) x += 2 * frames[index - 1][n] - frames[index - 2][n];
        frames[index][n] = (uint16_t)(x & 0xffff);
    }
}

static char *page_of(recording *r)
{
    text_buffer out = {0};
    error e = {0};
    ck_assert_int_eq(recording_page(r, 1000, &out, &e), CAROM_OK);
    ck_assert_uint_eq(strlen(out.data), out.length);
    return out.data;
}

/* clang-format off */
/* All kinds of motion in turn, so that each order of differences occurs. */
START_TEST(frames_return)
{
    enum { EACH = 5, FRAMES = MOTIONS * EACH };
    static uint16_t frames[FRAMES][WORDS];
    recording r;
    size_t size, orders[3] = {0}, found = 0;
    begin(&r, 100, 1 << 24);
    for (size_t k = 0; k < FRAMES; k++) add(&r, (motion)(k / EACH), k);
    char *page = page_of(&r);
    uint8_t *bytes = unpack(page, &size);
    for (size_t at = 0; at < size; at += 8 + (number_at(bytes + at + 4) + 3) / 4 * 4) {
        const size_t kind = number_at(bytes + at), length = number_at(bytes + at + 4);
        if (at == 0) ck_assert(kind == 0 && length == 2 && memcmp(bytes + 8, "{}", 2) == 0);
        if (at == 12) ck_assert(kind == 1 && length == 5 && memcmp(bytes + 20, "thing", 5) == 0);
        if (kind < 2) continue;
        ck_assert_uint_eq(length, SIZE);
        orders[kind - 2]++;
        restore(frames, found++, kind - 2, bytes + at + 8);
    }
    printf("%zu frames; orders 0, 1, 2: %zu, %zu, %zu\n", found, orders[0], orders[1], orders[2]);
    ck_assert_uint_eq(found, FRAMES);
    ck_assert(orders[0] > 0 && orders[1] > 0 && orders[2] > 0);
    for (size_t k = 0; k < FRAMES; k++)
        for (size_t n = 0; n < WORDS; n++) ck_assert_uint_eq(frames[k][n], word_of((motion)(k / EACH), k, n));
    free(bytes);
    memory_free(page);
    recording_destroy(&r);
}
END_TEST

/* Frames at regular intervals, the first and the last, never more than allowed, whatever their number. */
START_TEST(frames_are_thinned_out)
{
    for (uint64_t count = 1; count <= 70; count++) {
        recording r;
        begin(&r, 8, 1 << 24);
        for (uint64_t k = 0; k < count; k++) {
            add(&r, REST, k);
            ck_assert(r.count <= 8 && r.frames[0].number == 0 && r.frames[r.count - 1].number == k);
            ck_assert_uint_eq(r.bytes, r.count * SIZE);
            for (size_t n = 0; n + 1 < r.count; n++) ck_assert_uint_eq(r.frames[n].number, n * r.every);
        }
        ck_assert(count <= 8 ? r.count == count : r.count >= 4);
        recording_destroy(&r);
    }
}
END_TEST

/* A page that is too large loses frames until it fits; one that cannot fit is an error. */
START_TEST(pages_have_a_largest_size)
{
    recording r;
    text_buffer out = {0};
    error e = {0};
    begin(&r, 1000, 1 << 24);
    for (uint64_t k = 0; k < 600; k++) add(&r, NOISE, k);
    char *page = page_of(&r);
    const size_t whole = strlen(page);
    memory_free(page);
    r.limit = whole / 2;
    page = page_of(&r);
    printf("%zu bytes; below %zu: %zu, with %zu frames\n", whole, r.limit, strlen(page), r.count);
    ck_assert(strlen(page) <= r.limit && r.count < 600 && r.count > 1);
    memory_free(page);
    r.limit = 1000;
    ck_assert_int_eq(recording_page(&r, 600, &out, &e), CAROM_USAGE);
    ck_assert_ptr_nonnull(strstr(error_text(&e), "show fewer particles"));
    ck_assert_ptr_null(out.data);
    error_clear(&e);
    recording_destroy(&r);
}
END_TEST
/* clang-format on */

int main(void)
{
    TCase *all = tcase_create("recording");
    tcase_add_test(all, frames_return);
    tcase_add_test(all, frames_are_thinned_out);
    tcase_add_test(all, pages_have_a_largest_size);
    return suite_run("recording", all);
}
