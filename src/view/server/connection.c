#include "view/server/connection.h"

#include "base/memory.h"
#include "view/server/assets.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Seconds. The server sends a ping to a silent viewer, and disconnects it if no answer arrives. */
static const double request_limit = 10, reply_limit = 20, linger_limit = 2, ping_after = 20, silence_limit = 60;
enum { CREDIT = 2, CREDIT_MOST = 4, ANSWERS_MOST = 4096 };

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

view_message *message_new(uint8_t *data, size_t size, uint64_t serial)
{
    view_message *m = data != NULL ? NEW_ARRAY(1, view_message) : NULL;
    if (m == NULL) {
        memory_free(data);
        return NULL;
    }
    *m = (view_message){data, size, serial, 1};
    return m;
}

void message_drop(view_message *m)
{
    if (m == NULL || --m->users > 0) return;
    memory_free(m->data);
    memory_free(m);
}

void connection_open(connection *c, int fd, double now)
{
    *c = (connection){.fd = fd, .state = CONNECTION_REQUEST, .deadline = now + request_limit};
}

void connection_close(connection *c)
{
    if (c->state == CONNECTION_FREE) return;
    close(c->fd);
    text_free(&c->out);
    message_drop(c->sending);
    *c = (connection){.fd = -1};
}

/* ---- replies --------------------------------------------------------------------------------------------------- */

static const char common_headers[] =
    "Connection: close\r\n"
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors ";

/* Notebooks: in a browser, or in an editor that shows them as pages of its own. */
static const char local_pages[] = "http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:* "
                                  "vscode-webview:";

typedef struct response {
    int status;
    const char *type;
    const void *body;
    size_t size;
    bool framed;
} response;

static void reply(connection *c, const response *r, double now)
{
    text_add(&c->out, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s%s%s\r\n\r\n", r->status,
             http_reason(r->status), r->type, r->size, r->status == 426 ? "Sec-WebSocket-Version: 13\r\n" : "",
             common_headers, r->framed ? local_pages : "'none'");
    text_add_bytes(&c->out, r->body, r->size);
    c->state = CONNECTION_REPLY;
    c->deadline = now + reply_limit;
}

static void refuse(connection *c, int status, const char *why, double now)
{
    text_buffer body = {0};
    text_add(&body, "carom view: %s\n", why);
    if (body.failed)
        connection_close(c);
    else
        reply(c, &(response){status, "text/plain; charset=utf-8", body.data, body.length, false}, now);
    text_free(&body);
}

static const char *why_refused(int status)
{
    switch (status) {
    case 403:
        return "this page needs its address with the token, as `carom view` printed it";
    case 404:
        return "there is no such page";
    case 405:
        return "only GET is answered";
    case 426:
        return "this address is for WebSockets, version 13";
    case 431:
        return "the request is too long";
    case 503:
        return "too many viewers are connected";
    default:
        return "this is not a request that a browser sends";
    }
}

static const view_asset *find_asset(const char *path)
{
    if (strcmp(path, "/") == 0) path = "/index.html";
    for (size_t k = 0; k < view_asset_count; k++)
        if (strcmp(view_assets[k].path, path) == 0) return &view_assets[k];
    return NULL;
}

static void open_viewer(connection *c, const http_request *r, const connection_host *host, double now)
{
    char answer[WEBSOCKET_ANSWER];
    websocket_accept(r->key, answer);
    text_add(&c->out,
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Accept: %s\r\n\r\n",
             answer);
    host->send_history(&c->out, host->user);
    c->state = CONNECTION_VIEWER;
    c->deadline = now + silence_limit;
    c->pinged = now;
    c->credit = CREDIT;
}

/* The status of a refusal; 0: the request has been answered. */
static int answer(connection *c, const http_request *r, const connection_host *host, double now)
{
    const bool live = strcmp(r->path, "/live") == 0;
    const view_asset *asset = find_asset(r->path);
    /* The files of the page contain no data of the simulation; the page itself requires the token. */
    int status = http_judge(r, &host->rules, live || strcmp(r->path, "/") == 0);
    if (status != 0) return status;
    if (!live && asset == NULL) return 404;
    if (live && (!r->upgrade || strcmp(r->version, "13") != 0 || strlen(r->key) != WEBSOCKET_KEY)) return 426;
    if (live && host->viewers >= VIEWERS_MOST) return 503;
    if (live)
        open_viewer(c, r, host, now);
    else
        reply(c, &(response){200, asset->type, asset->data, asset->size, host->rules.framed}, now);
    return 0;
}

static void take_request(connection *c, const connection_host *host, double now)
{
    http_request request;
    size_t head = http_head(c->in, c->in_used);
    if (head == 0 && c->in_used < sizeof c->in) return;
    int status = head == 0 ? 431 : http_parse(c->in, head, &request);
    if (status == 0) {
        c->in_used -= head;
        memmove(c->in, c->in + head, c->in_used);
        status = answer(c, &request, host, now);
    }
    if (status != 0) refuse(c, status, why_refused(status), now);
}

/* ---- viewers --------------------------------------------------------------------------------------------------- */

/* A short control frame. It is dropped if many are waiting: the viewer does not read. */
static void send_control(connection *c, websocket_opcode opcode, const void *data, size_t size)
{
    uint8_t header[WEBSOCKET_HEADER];
    if (c->out.length - c->out_sent > ANSWERS_MOST) return;
    size_t length = websocket_header(opcode, size, header);
    text_add_bytes(&c->out, (const char *)header, length);
    text_add_bytes(&c->out, data, size);
}

static void send_close(connection *c, int code, double now)
{
    const uint8_t bytes[] = {(uint8_t)(code >> 8), (uint8_t)code};
    send_control(c, WEBSOCKET_CLOSE, bytes, sizeof bytes);
    c->closing = true;
    c->credit = 0;
    c->deadline = now + linger_limit;
}

static void take_message(connection *c, const websocket_message *m, const connection_host *host, double now)
{
    view_command command;
    if (m->opcode == WEBSOCKET_PING) send_control(c, WEBSOCKET_PONG, m->data, m->size);
    if (m->opcode == WEBSOCKET_CLOSE) send_close(c, 1000, now);
    if (m->opcode != WEBSOCKET_TEXT) return;
    if (strlen(m->data) != m->size || !command_parse(m->data, &command)) {
        send_close(c, WEBSOCKET_REFUSED, now);
    } else if (command.verb == VIEW_NEXT) {
        if (c->credit < CREDIT_MOST) c->credit++;
    } else {
        host->command(&command, host->user);
    }
}

static void take_messages(connection *c, const connection_host *host, double now)
{
    websocket_result result = WEBSOCKET_WHOLE;
    size_t from = 0;
    while (result == WEBSOCKET_WHOLE && !c->closing) {
        websocket_message message;
        size_t used;
        int code;
        result = websocket_read(&c->reader, (const uint8_t *)c->in + from, c->in_used - from, &used, &message, &code);
        from += used;
        if (result == WEBSOCKET_WHOLE) take_message(c, &message, host, now);
        if (result == WEBSOCKET_FAULT) send_close(c, code, now);
    }
    c->in_used = c->closing ? 0 : c->in_used - from;
    memmove(c->in, c->in + from, c->in_used);
}

/* ---- bytes ----------------------------------------------------------------------------------------------------- */

static bool would_block(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

void connection_readable(connection *c, connection_host *host, double now)
{
    ssize_t got = recv(c->fd, c->in + c->in_used, sizeof c->in - c->in_used, 0);
    if (got <= 0) {
        if (got == 0 || !would_block()) connection_close(c);
        return;
    }
    const connection_state before = c->state;
    c->in_used += (size_t)got;
    if (before == CONNECTION_REPLY || before == CONNECTION_LINGER || c->closing) {
        c->in_used = 0;
        return;
    }
    if (before == CONNECTION_REQUEST) take_request(c, host, now);
    if (c->state != CONNECTION_VIEWER) return;
    if (before == CONNECTION_REQUEST) host->viewers++;
    c->deadline = now + silence_limit;
    take_messages(c, host, now);
}

/* Sends as much as the socket accepts; false: the connection is closed. */
static bool push(connection *c, const void *data, size_t size, size_t *sent)
{
    if (size == *sent) return true;
    ssize_t put = send(c->fd, (const char *)data + *sent, size - *sent, MSG_NOSIGNAL);
    if (put > 0) *sent += (size_t)put;
    if (put >= 0 || would_block()) return true;
    connection_close(c);
    return false;
}

static void reply_is_sent(connection *c, double now)
{
    shutdown(c->fd, SHUT_WR);
    c->state = CONNECTION_LINGER;
    c->deadline = now + linger_limit;
}

void connection_writable(connection *c, double now)
{
    if (c->sending != NULL) { /* a picture in progress is completed before other messages */
        if (!push(c, c->sending->data, c->sending->size, &c->sent) || c->sent < c->sending->size) return;
        message_drop(c->sending);
        c->sending = NULL;
    }
    if (c->out.failed) {
        connection_close(c);
        return;
    }
    if (!push(c, c->out.data, c->out.length, &c->out_sent) || c->out_sent < c->out.length) return;
    text_free(&c->out);
    c->out_sent = 0;
    if (c->state == CONNECTION_REPLY || c->closing) reply_is_sent(c, now);
}

bool connection_wants_to_write(const connection *c)
{
    return c->sending != NULL || c->out.failed || c->out.length > c->out_sent;
}

void connection_tick(connection *c, double now)
{
    if (c->state == CONNECTION_FREE) return;
    if (now > c->deadline) {
        connection_close(c);
    } else if (c->state == CONNECTION_VIEWER && !c->closing && now > c->deadline - silence_limit + ping_after &&
               now > c->pinged + ping_after) {
        c->pinged = now;
        send_control(c, WEBSOCKET_PING, "", 0);
    }
}

bool connection_waits(const connection *c, const view_message *newest)
{
    return c->state == CONNECTION_VIEWER && !c->closing && c->credit > 0 && c->sending == NULL &&
           (newest == NULL || c->shown == newest->serial);
}

void connection_tell(connection *c, const uint8_t *charts, size_t size, uint64_t serial)
{
    if (c->state != CONNECTION_VIEWER || c->closing || c->told == serial || c->sending != NULL || c->out.length > 0)
        return;
    text_add_bytes(&c->out, (const char *)charts, size);
    c->told = serial;
}

void connection_offer(connection *c, view_message *newest)
{
    if (c->state != CONNECTION_VIEWER || c->closing || c->credit == 0 || c->sending != NULL || newest == NULL ||
        c->shown == newest->serial || c->out_sent < c->out.length)
        return;
    newest->users++;
    c->sending = newest;
    c->sent = 0;
    c->shown = newest->serial;
    c->credit--;
}
