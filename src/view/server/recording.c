#include "view/server/recording.h"

#include "base/memory.h"
#include "view/server/assets.h"
#include "view/server/websocket.h"

#include <string.h>
#include <zlib.h>

/* Kinds of records (docs/view.md). RECORD_FRAME + n: a frame as differences of order n. */
enum { RECORD_TEXT = 0, RECORD_BINARY = 1, RECORD_FRAME = 2, ORDERS = 3 };
/* Frames in memory, as a multiple of the largest size of the page. */
enum { MEMORY_FACTOR = 16, CHUNK = 3 << 14 };

void recording_create(recording *r, size_t most, size_t limit)
{
    *r = (recording){.most = most, .limit = limit, .every = 1};
}

static void drop(recorded *message)
{
    memory_free(message->data);
    *message = (recorded){0};
}

void recording_destroy(recording *r)
{
    drop(&r->hello);
    drop(&r->things);
    drop(&r->charts);
    for (size_t k = 0; k < r->count; k++) drop(&r->frames[k]);
    memory_free(r->frames);
    *r = (recording){0};
}

carom_status recording_take(recorded *to, uint8_t *message, size_t size, error *e)
{
    recorded made = {.size = size};
    const uint8_t *contents = message != NULL ? websocket_contents(message, &made.size) : NULL;
    made.data = contents != NULL ? NEW_ARRAY(made.size, uint8_t) : NULL;
    if (made.data != NULL) memcpy(made.data, contents, made.size);
    memory_free(message);
    if (made.data == NULL) return error_memory(e, "a frame for the page", size);
    drop(to);
    *to = made;
    return CAROM_OK;
}

/* ---- frames ---------------------------------------------------------------------------------------------------- */

bool recording_keeps(const recording *r, uint64_t number, bool last)
{
    return last || number % r->every == 0;
}

static void thin_out(recording *r, uint64_t factor)
{
    size_t kept = 0;
    r->every *= factor;
    for (size_t k = 0; k < r->count; k++) {
        if (recording_keeps(r, r->frames[k].number, k + 1 == r->count)) {
            r->frames[kept++] = r->frames[k];
        } else {
            r->bytes -= r->frames[k].size;
            drop(&r->frames[k]);
        }
    }
    r->count = kept;
}

static carom_status make_room(recording *r, error *e)
{
    if (r->count < r->capacity) return CAROM_OK;
    const size_t capacity = 2 * r->capacity + 16;
    recorded *grown = r->frames != NULL ? memory_resize(r->frames, r->capacity, capacity, sizeof *grown)
                                        : NEW_ARRAY(capacity, recorded);
    if (grown == NULL) return error_memory(e, "the frames of the page", capacity * sizeof *grown);
    r->frames = grown;
    r->capacity = capacity;
    return CAROM_OK;
}

carom_status recording_add(recording *r, uint64_t number, const view_moment *m, uint8_t *message, size_t size, error *e)
{
    recorded made = {0};
    TRY(recording_take(&made, message, size, e));
    made.number = number;
    made.moment = *m;
    if (r->count > 0 && !recording_keeps(r, r->frames[r->count - 1].number, false)) {
        r->bytes -= r->frames[--r->count].size;
        drop(&r->frames[r->count]);
    }
    const carom_status status = make_room(r, e);
    if (status != CAROM_OK) {
        drop(&made);
        return status;
    }
    r->frames[r->count++] = made;
    r->bytes += made.size;
    while (r->count > 2 && (r->count > r->most || r->bytes / MEMORY_FACTOR > r->limit)) thin_out(r, 2);
    return CAROM_OK;
}

/* ---- compression ----------------------------------------------------------------------------------------------- */

/* Bytes that are compressed and added to a text as base64. */
typedef struct packer {
    z_stream z;
    text_buffer *out;
    uint8_t chunk[CHUNK];
    uint8_t *words; /* of a frame: differences */
} packer;

static void put_base64(text_buffer *out, const uint8_t *data, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        const size_t some = size - k < 3 ? size - k : 3;
        const uint32_t bits = (uint32_t)data[k] << 16 | (some > 1 ? (uint32_t)data[k + 1] << 8 : 0) |
                              (some > 2 ? (uint32_t)data[k + 2] : 0);
        char four[4];
        for (unsigned n = 0; n < 4; n++) four[n] = n <= some ? letters[bits >> (18 - 6 * n) & 63] : '=';
        text_add_bytes(out, four, sizeof four);
    }
}

/* CHUNK is a multiple of three: only the last piece of base64 is padded. */
static void compress_bytes(packer *p, const uint8_t *data, size_t size, int flush)
{
    int done = Z_OK;
    p->z.next_in = (z_const Bytef *)data;
    p->z.avail_in = (uInt)size;
    while (done == Z_OK && (p->z.avail_in > 0 || flush == Z_FINISH)) {
        done = deflate(&p->z, flush);
        if (p->z.avail_out > 0 && done != Z_STREAM_END) continue;
        put_base64(p->out, p->chunk, CHUNK - p->z.avail_out);
        p->z.next_out = p->chunk;
        p->z.avail_out = CHUNK;
    }
}

static void compress_u32(packer *p, size_t x)
{
    const uint8_t bytes[] = {(uint8_t)x, (uint8_t)(x >> 8), (uint8_t)(x >> 16), (uint8_t)(x >> 24)};
    compress_bytes(p, bytes, sizeof bytes, Z_NO_FLUSH);
}

static void compress_record(packer *p, unsigned kind, const uint8_t *data, size_t size)
{
    static const uint8_t padding[4];
    compress_u32(p, kind);
    compress_u32(p, size);
    compress_bytes(p, data, size, Z_NO_FLUSH);
    compress_bytes(p, padding, (4 - size % 4) % 4, Z_NO_FLUSH);
}

static unsigned word(const recorded *f, size_t n)
{
    return (unsigned)f->data[2 * n] | (unsigned)f->data[2 * n + 1] << 8;
}

/* Word n of frame k less its extrapolation from the frames before: differences of order 0, 1 or 2 modulo 2^16, with the
 * sign in the lowest bit. */
static unsigned difference(const recorded *frame, int order, size_t n)
{
    unsigned x = word(frame, n);
    if (order == 1) x -= word(frame - 1, n);
    if (order == 2) x = x - 2 * word(frame - 1, n) + word(frame - 2, n);
    x &= 0xffff;
    return (x << 1 & 0xffff) ^ (x >> 15 != 0 ? 0xffff : 0);
}

static unsigned bits_of(unsigned x)
{
    unsigned bits = 0;
    for (; x > 0; x >>= 1) bits++;
    return bits;
}

/* The order with the fewest significant bits. Extrapolation suits free flight, order 0 unrelated frames. */
static int order_of(const recorded *frames, size_t k)
{
    int chosen = 0;
    uint64_t least = UINT64_MAX;
    for (int order = 0; order < ORDERS && (size_t)order <= k; order++) {
        uint64_t bits = 0;
        for (size_t n = 0; 2 * n < frames[k].size; n++) bits += bits_of(difference(&frames[k], order, n));
        if (bits < least) chosen = order;
        if (bits < least) least = bits;
    }
    return chosen;
}

/* All frames of a page have the same size, an even number of bytes. Low bytes come first, since high bytes are mostly
 * zero. */
static void compress_frame(packer *p, const recorded *frames, size_t k)
{
    const size_t size = frames[k].size;
    const int order = order_of(frames, k);
    for (size_t n = 0; 2 * n < size; n++) {
        const unsigned x = difference(&frames[k], order, n);
        p->words[n] = (uint8_t)x;
        p->words[size / 2 + n] = (uint8_t)(x >> 8);
    }
    compress_record(p, (unsigned)(RECORD_FRAME + order), p->words, size);
}

static carom_status compress_history(packer *p, const recording *r, error *e)
{
    recorded history = {0};
    size_t size = 0;
    view_moment *moments = NEW_ARRAY(r->count, view_moment);
    if (moments == NULL) return error_memory(e, "the charts", r->count * sizeof *moments);
    for (size_t k = 0; k < r->count; k++) moments[k] = r->frames[k].moment;
    uint8_t *message = encode_history(moments, r->count, &size);
    memory_free(moments);
    TRY(recording_take(&history, message, size, e));
    compress_record(p, RECORD_BINARY, history.data, history.size);
    drop(&history);
    return CAROM_OK;
}

static carom_status compress_all(packer *p, const recording *r, error *e)
{
    p->z.next_out = p->chunk;
    p->z.avail_out = CHUNK;
    compress_record(p, RECORD_TEXT, r->hello.data, r->hello.size);
    compress_record(p, RECORD_BINARY, r->things.data, r->things.size);
    TRY(compress_history(p, r, e));
    if (r->charts.data != NULL) compress_record(p, RECORD_TEXT, r->charts.data, r->charts.size);
    for (size_t k = 0; k < r->count; k++) compress_frame(p, r->frames, k);
    compress_bytes(p, (const uint8_t *)"", 0, Z_FINISH);
    return CAROM_OK;
}

static carom_status put_messages(const recording *r, text_buffer *out, error *e)
{
    const size_t size = r->frames[0].size;
    packer *p = NEW_ARRAY(1, packer);
    uint8_t *words = NEW_ARRAY(size, uint8_t);
    const bool made = p != NULL && words != NULL && deflateInit(&p->z, Z_BEST_COMPRESSION) == Z_OK;
    carom_status status = CAROM_OK;
    if (made) {
        p->words = words;
        p->out = out;
        status = compress_all(p, r, e);
        deflateEnd(&p->z);
    }
    memory_free(words);
    memory_free(p);
    return made ? status : error_memory(e, "the frames of the page", size);
}

/* ---- the page -------------------------------------------------------------------------------------------------- */

static carom_status put_page(const recording *r, uint64_t recorded_frames, text_buffer *out, error *e)
{
    const char *page = (const char *)view_page.data;
    const char *mark = strstr(page, VIEW_PAGE_MARK);
    text_add_bytes(out, page, (size_t)(mark - page));
    text_add(out, "<script type=\"text/plain\" id=\"recording\" data-recorded=\"%llu\">",
             (unsigned long long)recorded_frames);
    TRY(put_messages(r, out, e));
    text_add(out, "</script>");
    text_add_bytes(out, mark + strlen(VIEW_PAGE_MARK), strlen(mark) - strlen(VIEW_PAGE_MARK));
    return out->failed ? error_memory(e, "the page", out->capacity) : CAROM_OK;
}

carom_status recording_page(recording *r, uint64_t recorded_frames, text_buffer *out, error *e)
{
    for (;;) {
        TRY(put_page(r, recorded_frames, out, e));
        if (out->length <= r->limit) return CAROM_OK;
        const size_t size = out->length;
        text_free(out);
        if (r->count <= 2)
            return error_set(e, CAROM_USAGE,
                             "error: the page with %zu frames has %.3g MB, above the limit of %.3g MB; allow more "
                             "megabytes, or show fewer particles",
                             r->count, 1e-6 * (double)size, 1e-6 * (double)r->limit);
        thin_out(r, (size - 1) / r->limit + 1);
    }
}
