#include "view/server/http.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

size_t http_head(const char *data, size_t size)
{
    for (size_t i = 3; i < size; i++)
        if (memcmp(data + i - 3, "\r\n\r\n", 4) == 0) return i + 1;
    return 0;
}

const char *http_reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 426:
        return "Upgrade Required";
    case 431:
        return "Request Header Fields Too Large";
    case 503:
        return "Service Unavailable";
    default:
        return "Bad Request";
    }
}

/* Copies a text of `length` characters into a field; false if it is too long or not printable ASCII. */
static bool keep(char *field, size_t size, const char *text, size_t length)
{
    if (length >= size) return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~') return false;
    memcpy(field, text, length);
    field[length] = '\0';
    return true;
}

static bool is_name(const char *text, size_t length, const char *name)
{
    return length == strlen(name) && strncasecmp(text, name, length) == 0;
}

/* Whether a list such as "keep-alive, Upgrade" contains the word. */
static bool has_word(const char *list, size_t length, const char *word)
{
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && list[end] != ',') end++;
        size_t from = at, to = end;
        while (from < to && (list[from] == ' ' || list[from] == '\t')) from++;
        while (to > from && (list[to - 1] == ' ' || list[to - 1] == '\t')) to--;
        if (is_name(list + from, to - from, word)) return true;
        at = end + 1;
    }
    return false;
}

static bool parse_target(const char *target, size_t length, http_request *out)
{
    static const char query[] = "?token=";
    const char *mark = memchr(target, '?', length);
    size_t path = mark != NULL ? (size_t)(mark - target) : length;
    if (length == 0 || target[0] != '/' || !keep(out->path, sizeof out->path, target, path)) return false;
    size_t rest = length - path, name = sizeof query - 1;
    if (rest < name || memcmp(mark, query, name) != 0) return true; /* some other query */
    return keep(out->token, sizeof out->token, mark + name, rest - name);
}

/* GET TARGET HTTP/1.1 */
static int parse_first(const char *line, size_t length, http_request *out)
{
    static const char version[] = " HTTP/1.1";
    size_t tail = sizeof version - 1;
    const char *space = memchr(line, ' ', length);
    if (space == NULL || length < tail || memcmp(line + length - tail, version, tail) != 0) return 400;
    const char *target = space + 1, *end = line + length - tail;
    if (end < target || !parse_target(target, (size_t)(end - target), out)) return 400;
    return space - line == 3 && memcmp(line, "GET", 3) == 0 ? 0 : 405;
}

typedef struct header_flags {
    bool upgrade, connection;
} header_flags;

static bool once(char *field, size_t size, const char *text, size_t length)
{
    return *field == '\0' && keep(field, size, text, length);
}

static bool parse_header(const char *line, size_t length, http_request *out, header_flags *flags)
{
    const char *colon = memchr(line, ':', length);
    if (colon == NULL || colon == line || line[0] == ' ' || line[0] == '\t') return false;
    size_t name = (size_t)(colon - line);
    const char *value = colon + 1;
    size_t size = length - name - 1;
    while (size > 0 && (*value == ' ' || *value == '\t')) value++, size--;
    while (size > 0 && (value[size - 1] == ' ' || value[size - 1] == '\t')) size--;
    if (is_name(line, name, "Host")) return once(out->host, sizeof out->host, value, size);
    if (is_name(line, name, "Origin")) return once(out->origin, sizeof out->origin, value, size);
    if (is_name(line, name, "Sec-WebSocket-Key")) return once(out->key, sizeof out->key, value, size);
    if (is_name(line, name, "Sec-WebSocket-Version")) return once(out->version, sizeof out->version, value, size);
    if (is_name(line, name, "Upgrade")) flags->upgrade = has_word(value, size, "websocket");
    if (is_name(line, name, "Connection")) flags->connection = has_word(value, size, "upgrade");
    return true;
}

int http_parse(const char *head, size_t size, http_request *out)
{
    header_flags flags = {0};
    *out = (http_request){0};
    if (memchr(head, '\0', size) != NULL) return 400;
    const char *end = head + size;
    for (const char *line = head, *next; line < end; line = next + 2) {
        next = line;
        while (next + 1 < end && !(next[0] == '\r' && next[1] == '\n')) next++;
        if (next + 1 >= end) return 400;
        size_t length = (size_t)(next - line);
        if (length == 0) break;
        int status = line == head ? parse_first(line, length, out) : parse_header(line, length, out, &flags) ? 0 : 400;
        if (status != 0) return status;
    }
    out->upgrade = flags.upgrade && flags.connection;
    return out->path[0] == '\0' || out->host[0] == '\0' ? 400 : 0;
}

/* The time of the comparison does not depend on where the texts differ. */
static bool same_secret(const char *a, const char *b)
{
    size_t n = strlen(b);
    unsigned differ = 0;
    if (strlen(a) != n) return false; /* the length is not secret */
    for (size_t i = 0; i < n; i++) differ |= (unsigned)(a[i] ^ b[i]);
    return differ == 0;
}

static bool is_host(const char *host, const char *name, int port)
{
    char whole[HTTP_NAME];
    snprintf(whole, sizeof whole, "%s:%d", name, port);
    return strcasecmp(host, whole) == 0 || (port == 80 && strcasecmp(host, name) == 0);
}

int http_judge(const http_request *r, const http_rules *rules, bool data)
{
    static const char scheme[] = "http://";
    bool own = is_host(r->host, "127.0.0.1", rules->port) || is_host(r->host, "localhost", rules->port) ||
               is_host(r->host, "[::1]", rules->port) || is_host(r->host, rules->address, rules->port);
    if (rules->token == NULL && !own) return 403;
    if (rules->token != NULL && data && !same_secret(r->token, rules->token)) return 403;
    if (r->origin[0] == '\0') return 0; /* no browser */
    bool same = strncasecmp(r->origin, scheme, sizeof scheme - 1) == 0 &&
                strcasecmp(r->origin + sizeof scheme - 1, r->host) == 0;
    return same ? 0 : 403;
}
