/* WebSockets (RFC 6455), server side: the key of the handshake, frame headers, and a reader that accepts at most the
 * length of a command, whatever length a frame claims. */
#ifndef CAROM_VIEW_SERVER_WEBSOCKET_H
#define CAROM_VIEW_SERVER_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WEBSOCKET_KEY = 24, WEBSOCKET_ANSWER = 29, WEBSOCKET_HEADER = 10, WEBSOCKET_MOST = 256 };

typedef enum websocket_opcode {
    WEBSOCKET_CONTINUATION = 0,
    WEBSOCKET_TEXT = 1,
    WEBSOCKET_BINARY = 2,
    WEBSOCKET_CLOSE = 8,
    WEBSOCKET_PING = 9,
    WEBSOCKET_PONG = 10
} websocket_opcode;

enum { WEBSOCKET_BAD = 1002, WEBSOCKET_NOT_TEXT = 1003, WEBSOCKET_REFUSED = 1008, WEBSOCKET_TOO_LONG = 1009 };

/* Sec-WebSocket-Accept for the client's key, which has WEBSOCKET_KEY characters. */
void websocket_accept(const char *key, char answer[WEBSOCKET_ANSWER]);

/* The header of an unfragmented message of `size` bytes; returns its length. */
size_t websocket_header(websocket_opcode opcode, size_t size, uint8_t out[WEBSOCKET_HEADER]);

/* The contents of such a message: skips its header; *size is the length with it before, and without it after. */
const uint8_t *websocket_contents(const uint8_t *message, size_t *size);

/* A message from the client, complete, or a control frame. */
typedef struct websocket_message {
    websocket_opcode opcode;
    char data[WEBSOCKET_MOST + 1]; /* terminated */
    size_t size;
} websocket_message;

typedef struct websocket_reader {
    websocket_message message; /* being assembled from fragments */
    bool begun;
} websocket_reader;

typedef enum websocket_result { WEBSOCKET_MORE, WEBSOCKET_WHOLE, WEBSOCKET_FAULT } websocket_result;

/* Parses received bytes. WHOLE: *out is a message; MORE: a message is incomplete; both have used *used bytes. FAULT:
 * *code is the close code. */
websocket_result websocket_read(websocket_reader *r, const uint8_t *data, size_t size, size_t *used,
                                websocket_message *out, int *code);

#endif
