/* Requests for the page: strict parsing, and checks before any action. */
#ifndef CAROM_VIEW_SERVER_HTTP_H
#define CAROM_VIEW_SERVER_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "view/server/websocket.h"

enum { HTTP_TARGET = 256, HTTP_NAME = 256, HTTP_MOST = 16384 };

typedef struct http_request {
    char path[HTTP_TARGET], token[HTTP_TARGET]; /* of the target PATH?token=TOKEN */
    char host[HTTP_NAME], origin[HTTP_NAME];    /* "" where there is none */
    bool upgrade;                               /* to a WebSocket */
    char key[WEBSOCKET_KEY + 1];
    char version[8];
} http_request;

/* The request in a head that ends with an empty line. 0, or the status to refuse it with. */
int http_parse(const char *head, size_t size, http_request *out);

/* The size of the head in bytes; 0: it is incomplete. */
size_t http_head(const char *data, size_t size);

/* "Not Found" */
const char *http_reason(int status);

typedef struct http_rules {
    const char *token;   /* NULL: none is needed, and the host has to be this machine's own name */
    const char *address; /* as it is in URLs */
    int port;
} http_rules;

/* Whether a request may be answered: 0, or 403. Requests from a page of another site, or from one whose name was made
 * to resolve to this machine (DNS rebinding), are refused. `data`: whether the answer would contain data of the
 * simulation. */
int http_judge(const http_request *r, const http_rules *rules, bool data);

#endif
