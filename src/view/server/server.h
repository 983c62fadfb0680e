/* The server of the live page: one thread with non-blocking sockets. It serves the page, and sends each viewer the
 * newest picture when the viewer has shown the last one. The engine publishes pictures and takes commands without
 * waiting. */
#ifndef CAROM_VIEW_SERVER_SERVER_H
#define CAROM_VIEW_SERVER_SERVER_H

#include "view/server/command.h"
#include "view/server/picture.h"

typedef struct view_server view_server;

/* Opens the socket. bind NULL: on 127.0.0.1, for this machine only; otherwise there, for clients with the token. port
 * 0: a free port. framed: pages of this machine may show the page in a frame. CAROM_NO_CREATE, CAROM_USAGE with the
 * remedy in `e`. */
carom_status server_open(view_server **out, const char *bind, int port, bool framed, error *e);
void server_close(view_server *s);

/* URL of the page, with the token. */
const char *server_url(const view_server *s);

/* Begins to answer. */
carom_status server_show(view_server *s, const view_subject *subject, error *e);

/* ---- For the thread of the engine. Only server_wait waits. */

bool server_visited(const view_server *s); /* a viewer is or was connected */
bool server_wanted(const view_server *s);  /* a viewer has requested a newer picture */
void server_publish(view_server *s, const carom_frame *f, const view_status *status);
void server_charts(view_server *s, char *text);         /* takes it over: JSON from memory_new; NULL: no effect */
bool server_command(view_server *s, view_command *out); /* the next command of a viewer */
void server_wait(view_server *s, double seconds);       /* waits for a command, a viewer, or server_wake */
void server_wake(view_server *s);                       /* async-signal-safe */

#endif
