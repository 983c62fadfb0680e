/* One connection to the server: a request and its reply, or a viewer. */
#ifndef CAROM_VIEW_SERVER_CONNECTION_H
#define CAROM_VIEW_SERVER_CONNECTION_H

#include "base/text.h"
#include "view/server/command.h"
#include "view/server/http.h"

/* A picture in transmission, shared by all viewers. */
typedef struct view_message {
    uint8_t *data;
    size_t size;
    uint64_t serial;
    int users;
} view_message;

view_message *message_new(uint8_t *data, size_t size, uint64_t serial); /* takes over the data; NULL: no memory */
void message_drop(view_message *m);                                     /* NULL is allowed */

typedef enum connection_state {
    CONNECTION_FREE,
    CONNECTION_REQUEST, /* its request is absent or incomplete */
    CONNECTION_REPLY,   /* being answered */
    CONNECTION_LINGER,  /* answered: further input is read and discarded, so that the client receives the answer */
    CONNECTION_VIEWER
} connection_state;

typedef struct connection {
    int fd;
    connection_state state;
    double deadline; /* when it is closed */
    char in[HTTP_MOST];
    size_t in_used;
    text_buffer out;
    size_t out_sent;
    view_message *sending; /* NULL: none in transmission */
    size_t sent;
    uint64_t told;  /* serial of the charts that the viewer has */
    uint64_t shown; /* serial of the newest picture that the viewer has */
    int credit;     /* number of pictures that the viewer has requested */
    double pinged;
    bool closing; /* when all output is sent */
    websocket_reader reader;
} connection;

/* Common data of all connections. */
typedef struct connection_host {
    http_rules rules;
    size_t viewers;                                     /* number of pictures requested */
    void (*send_history)(text_buffer *out, void *user); /* messages for a new viewer: the subject and its history */
    void (*command)(const view_command *command, void *user);
    void *user;
} connection_host;

enum { VIEWERS_MOST = 16 };

void connection_open(connection *c, int fd, double now);
void connection_close(connection *c);
void connection_readable(connection *c, connection_host *host, double now);
void connection_writable(connection *c, double now);
/* Closes connections that have been silent for too long. */
void connection_tick(connection *c, double now);
bool connection_wants_to_write(const connection *c);
/* Sends the charts to a viewer, unless it has them or a message is in transmission. */
void connection_tell(connection *c, const uint8_t *charts, size_t size, uint64_t serial);
/* Begins to send a picture, if the viewer has requested one and does not have it. */
void connection_offer(connection *c, view_message *newest);
bool connection_waits(const connection *c, const view_message *newest); /* for a newer picture */

#endif
