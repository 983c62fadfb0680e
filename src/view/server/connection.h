/* One connection to the server: a request and its reply, or a viewer. */
#ifndef CAROM_VIEW_SERVER_CONNECTION_H
#define CAROM_VIEW_SERVER_CONNECTION_H

#include "base/text.h"
#include "view/server/command.h"
#include "view/server/http.h"

/* A picture as it goes out, to all viewers alike. */
typedef struct view_message {
    uint8_t *data;
    size_t size;
    uint64_t serial;
    int users;
} view_message;

view_message *message_new(uint8_t *data, size_t size, uint64_t serial); /* takes the data; NULL: no memory */
void message_drop(view_message *m);                                     /* NULL is allowed */

typedef enum connection_state {
    CONNECTION_FREE,
    CONNECTION_REQUEST, /* its request has not come, or not all of it */
    CONNECTION_REPLY,   /* being answered */
    CONNECTION_LINGER,  /* answered: further input is read and discarded, so that the answer arrives */
    CONNECTION_VIEWER
} connection_state;

typedef struct connection {
    int fd;
    connection_state state;
    double deadline; /* when it is given up */
    char in[HTTP_MOST];
    size_t in_used;
    text_buffer out;
    size_t out_sent;
    view_message *sending; /* NULL: none is under way */
    size_t sent;
    uint64_t told;  /* serial of the charts that it was sent */
    uint64_t shown; /* serial of the newest picture that it was sent */
    int credit;     /* how many more pictures it wants */
    double pinged;
    bool closing; /* once all is sent */
    websocket_reader reader;
} connection;

/* What is common to all connections. */
typedef struct connection_host {
    http_rules rules;
    size_t viewers;                              /* how many there are */
    void (*greet)(text_buffer *out, void *user); /* messages that a new viewer gets: the subject and its history */
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
/* Sends a viewer the charts where it has not had them, and nothing else is under way. */
void connection_tell(connection *c, const uint8_t *charts, size_t size, uint64_t serial);
/* Begins to send a picture, where it wants one and has not had it. */
void connection_offer(connection *c, view_message *newest);
bool connection_waits(const connection *c, const view_message *newest); /* for one newer than that */

#endif
