/* Detects crashes, out-of-range values and dependence on packet boundaries in the live page's network readers:
 * requests, WebSocket frames, commands. The first byte selects which. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "view/server/command.h"
#include "view/server/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool truth)
{
    if (!truth) abort();
}

static void request(const char *data, size_t size)
{
    http_request r;
    const http_rules local = {NULL, "127.0.0.1", 8080, false},
                     remote = {"0123456789abcdef0123456789abcdef", "10.0.0.1", 8080, false};
    size_t head = http_head(data, size);
    need(head <= size);
    int status = http_parse(data, head > 0 ? head : size, &r);
    need(*http_reason(status) != '\0');
    if (status != 0) return;
    need(r.path[0] == '/' && r.host[0] != '\0' && strlen(r.path) < HTTP_TARGET && strlen(r.token) < HTTP_TARGET);
    int judged = http_judge(&r, &local, true);
    need(judged == 0 || judged == 403);
    bool named = strcasecmp(r.host, "127.0.0.1:8080") == 0 || strcasecmp(r.host, "localhost:8080") == 0 ||
                 strcasecmp(r.host, "[::1]:8080") == 0;
    need(judged != 0 || (named && (r.origin[0] == '\0' || strcasecmp(r.origin + 7, r.host) == 0)));
    need(http_judge(&r, &remote, true) != 0 || strcmp(r.token, remote.token) == 0);
}

/* A sum of all messages, of `step` bytes more each time; and of the fault, if one comes. */
static uint64_t converse(const uint8_t *data, size_t size, size_t step)
{
    websocket_reader reader = {0};
    uint64_t sum = 0;
    size_t from = 0, there = 0;
    while (there < size) {
        there = size - there > step ? there + step : size;
        websocket_result result = WEBSOCKET_WHOLE;
        while (result == WEBSOCKET_WHOLE) {
            websocket_message m;
            size_t used;
            int code = 0;
            result = websocket_read(&reader, data + from, there - from, &used, &m, &code);
            need(used <= there - from);
            from += used;
            if (result == WEBSOCKET_FAULT) return sum * 31 + (uint64_t)code;
            if (result != WEBSOCKET_WHOLE) continue;
            need(m.size <= WEBSOCKET_MOST && m.data[m.size] == '\0');
            sum = sum * 31 + m.opcode;
            for (size_t i = 0; i < m.size; i++) sum = sum * 31 + (uint8_t)m.data[i];
        }
    }
    return sum;
}

static void command(const char *data, size_t size)
{
    char text[WEBSOCKET_MOST + 1] = {0};
    view_command c;
    memcpy(text, data, size < WEBSOCKET_MOST ? size : WEBSOCKET_MOST);
    if (!command_parse(text, &c)) return;
    need(!isnan(c.number) && c.number >= 0);
    need(isfinite(c.number) || c.verb == VIEW_SPEED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    if (data[0] % 3 == 0) request((const char *)data + 1, size - 1);
    if (data[0] % 3 == 1) need(converse(data + 1, size - 1, size) == converse(data + 1, size - 1, 1));
    if (data[0] % 3 == 2) command((const char *)data + 1, size - 1);
    return 0;
}
