#include "view/server/websocket.h"

#include "view/server/sha1.h"

#include <string.h>

enum { LONG16 = 126, LONG64 = 127, FINAL = 0x80, RESERVED = 0x70, MASKED = 0x80, CONTROL = 0x8, CONTROL_MOST = 125 };

void websocket_accept(const char *key, char answer[WEBSOCKET_ANSWER])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char text[WEBSOCKET_KEY + sizeof guid];
    uint8_t hash[SHA1_SIZE + 1] = {0};
    memcpy(text, key, WEBSOCKET_KEY);
    memcpy(text + WEBSOCKET_KEY, guid, sizeof guid);
    sha1(text, sizeof text - 1, hash);
    for (size_t i = 0; i < WEBSOCKET_ANSWER - 1; i++) {
        const uint8_t *three = hash + i / 4 * 3;
        uint32_t bits = (uint32_t)three[0] << 16 | (uint32_t)three[1] << 8 | three[2];
        answer[i] = letters[bits >> (18 - 6 * (i % 4)) & 63];
    }
    answer[WEBSOCKET_ANSWER - 2] = '=';
    answer[WEBSOCKET_ANSWER - 1] = '\0';
}

size_t websocket_header(websocket_opcode opcode, size_t size, uint8_t out[WEBSOCKET_HEADER])
{
    size_t bytes = size < LONG16 ? 0 : size <= UINT16_MAX ? 2 : 8;
    out[0] = (uint8_t)(FINAL | opcode);
    out[1] = (uint8_t)(bytes == 0 ? size : bytes == 2 ? LONG16 : LONG64);
    for (size_t i = 0; i < bytes; i++) out[2 + i] = (uint8_t)((uint64_t)size >> 8 * (bytes - 1 - i));
    return 2 + bytes;
}

const uint8_t *websocket_contents(const uint8_t *message, size_t *size)
{
    const size_t header = 2U + (message[1] == LONG64 ? 8U : message[1] == LONG16 ? 2U : 0U);
    *size -= header;
    return message + header;
}

typedef struct frame_header {
    websocket_opcode opcode;
    bool final;
    uint64_t size;
    size_t length; /* length of the header with its mask; 0: the header is incomplete */
    const uint8_t *mask;
} frame_header;

static frame_header read_header(const uint8_t *data, size_t size)
{
    size_t bytes = (data[1] & 127) == LONG64 ? 8 : (data[1] & 127) == LONG16 ? 2 : 0;
    frame_header h = {.opcode = data[0] & 15, .final = (data[0] & FINAL) != 0, .size = data[1] & 127};
    if (size < 2 + bytes + 4) return h;
    if (bytes > 0) h.size = 0;
    for (size_t i = 0; i < bytes; i++) h.size = h.size << 8 | data[2 + i];
    h.mask = data + 2 + bytes;
    h.length = 2 + bytes + 4;
    return h;
}

/* Close code for an error in the first two bytes of a frame; 0: no error. */
static int early_fault(const websocket_reader *r, const uint8_t *data)
{
    websocket_opcode opcode = data[0] & 15;
    bool control = (opcode & CONTROL) != 0, final = (data[0] & FINAL) != 0;
    bool known = opcode <= WEBSOCKET_BINARY || (opcode >= WEBSOCKET_CLOSE && opcode <= WEBSOCKET_PONG);
    if (!known || (data[0] & RESERVED) != 0 || (data[1] & MASKED) == 0) return WEBSOCKET_BAD;
    if (control) return final && (data[1] & 127) <= CONTROL_MOST ? 0 : WEBSOCKET_BAD;
    if (opcode == WEBSOCKET_BINARY) return WEBSOCKET_NOT_TEXT;
    return (opcode == WEBSOCKET_CONTINUATION) == r->begun ? 0 : WEBSOCKET_BAD;
}

static void take(websocket_message *m, const frame_header *h, const uint8_t *payload)
{
    for (size_t i = 0; i < h->size; i++) m->data[m->size + i] = (char)(payload[i] ^ h->mask[i % 4]);
    m->size += (size_t)h->size;
    m->data[m->size] = '\0';
}

websocket_result websocket_read(websocket_reader *r, const uint8_t *data, size_t size, size_t *used,
                                websocket_message *out, int *code)
{
    *used = 0;
    while (size - *used >= 2) {
        const uint8_t *at = data + *used;
        *code = early_fault(r, at);
        if (*code != 0) return WEBSOCKET_FAULT;
        frame_header h = read_header(at, size - *used);
        if (h.length == 0) return WEBSOCKET_MORE;
        bool control = (h.opcode & CONTROL) != 0;
        size_t before = control || !r->begun ? 0 : r->message.size;
        *code = WEBSOCKET_TOO_LONG;
        if (h.size > WEBSOCKET_MOST - before) return WEBSOCKET_FAULT;
        if (size - *used - h.length < h.size) return WEBSOCKET_MORE;
        *used += h.length + (size_t)h.size;
        if (control) {
            *out = (websocket_message){.opcode = h.opcode};
            take(out, &h, at + h.length);
            return WEBSOCKET_WHOLE;
        }
        if (!r->begun) r->message = (websocket_message){.opcode = h.opcode};
        take(&r->message, &h, at + h.length);
        r->begun = !h.final;
        *out = r->message;
        if (h.final) return WEBSOCKET_WHOLE;
    }
    return WEBSOCKET_MORE;
}
