/* Requests for the page: strict parsing, with checks before any action. */
#ifndef CAROM_VIEW_SERVER_HTTP_H
#define CAROM_VIEW_SERVER_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "view/server/websocket.h"

enum { HTTP_TARGET = 256, HTTP_NAME = 256, HTTP_MOST = 16384 };

typedef struct http_request {
    char path[HTTP_TARGET], token[HTTP_TARGET]; /* of the target PATH?token=TOKEN */
    char host[HTTP_NAME], origin[HTTP_NAME];    /* "" if absent */
    bool upgrade;                               /* for a WebSocket */
    char key[WEBSOCKET_KEY + 1];
    char version[8];
} http_request;

/* Parses the request in a head that ends with an empty line. Returns 0, or the status of the refusal. */
int http_parse(const char *head, size_t size, http_request *out);

/* The size of the head in bytes; 0: it is incomplete. */
size_t http_head(const char *data, size_t size);

/* "Not Found" */
const char *http_reason(int status);

typedef struct http_rules {
    const char *token;   /* NULL: no token is required, and the host must be a loopback name of this machine */
    const char *address; /* as it is in URLs */
    int port;
    bool framed; /* pages of this machine may show the page in a frame */
} http_rules;

/* Whether a request may be answered: 0, or 403. Requests from pages of other sites, or from a site whose name resolves
 * to this machine (DNS rebinding), are refused. `data`: whether the answer would contain data of the simulation. */
int http_judge(const http_request *r, const http_rules *rules, bool data);

#endif
