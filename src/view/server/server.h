/* The server of the live page: one thread with non-blocking sockets. It serves the page, and sends each viewer the
 * newest picture when the last one has been shown. The engine publishes pictures and takes commands without waiting. */
#ifndef CAROM_VIEW_SERVER_SERVER_H
#define CAROM_VIEW_SERVER_SERVER_H

#include "view/server/command.h"
#include "view/server/picture.h"

typedef struct view_server view_server;

/* Listens. bind NULL: on 127.0.0.1, for this machine alone; else there, for holders of the token. port 0: one that
 * is free. CAROM_NO_CREATE, CAROM_USAGE with what to do on `e`. */
carom_status server_open(view_server **out, const char *bind, int port, error *e);
void server_close(view_server *s);

/* Where the page is, with the token. */
const char *server_url(const view_server *s);

/* Begins to answer. */
carom_status server_show(view_server *s, const view_subject *subject, error *e);

/* ---- For the engine's thread. None of these waits, but for server_wait. */

bool server_visited(const view_server *s); /* a viewer looks, or has */
bool server_wanted(const view_server *s);  /* a viewer waits for a newer picture */
void server_publish(view_server *s, const carom_frame *f, const view_status *status);
void server_charts(view_server *s, char *text);         /* takes it: JSON of memory_new; NULL: nothing happens */
bool server_command(view_server *s, view_command *out); /* the next that a viewer gave */
void server_wait(view_server *s, double seconds);       /* for a command, a viewer, or server_wake */
void server_wake(view_server *s);                       /* async-signal-safe */

#endif
