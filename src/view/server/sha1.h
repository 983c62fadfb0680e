/* SHA-1, for the handshake of WebSockets. Not for security. */
#ifndef CAROM_VIEW_SERVER_SHA1_H
#define CAROM_VIEW_SERVER_SHA1_H

#include <stddef.h>
#include <stdint.h>

/* For at most SHA1_MOST bytes. */
enum { SHA1_SIZE = 20, SHA1_MOST = 119 };
void sha1(const void *data, size_t size, uint8_t out[SHA1_SIZE]);

#endif
