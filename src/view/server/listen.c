#define _GNU_SOURCE
#include "view/server/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 64 };

carom_status make_token(char token[TOKEN_SIZE], error *e)
{
    unsigned char bits[(TOKEN_SIZE - 1) / 2];
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, bits, sizeof bits) : -1;
    if (fd >= 0) close(fd);
    if (got != (ssize_t)sizeof bits)
        return error_set(e, CAROM_INTERNAL, "error: no random numbers for the token: cannot read /dev/urandom");
    for (size_t k = 0; k < sizeof bits; k++) snprintf(token + 2 * k, 3, "%02x", bits[k]);
    return CAROM_OK;
}

static carom_status cannot_listen(const char *bind, int port, error *e)
{
    switch (errno) {
    case EADDRINUSE:
        return error_set(e, CAROM_NO_CREATE,
                         "error: port %d of %s is in use; choose another with --port, or leave it out for one that "
                         "is free",
                         port, bind);
    case EACCES:
        return error_set(e, CAROM_NO_CREATE, "error: port %d is reserved for root; choose one above 1023 with --port",
                         port);
    case EADDRNOTAVAIL:
        return error_set(e, CAROM_NO_CREATE,
                         "error: this machine has no address '%s'; --bind takes one of its own, or 0.0.0.0 for all",
                         bind);
    default:
        return error_set(e, CAROM_NO_CREATE, "error: cannot listen at %s, port %d: %s", bind, port, strerror(errno));
    }
}

/* A network address of this machine, for a server that is bound to all addresses. */
static void public_address(char address[ADDRESS_SIZE])
{
    struct ifaddrs *all = NULL;
    snprintf(address, ADDRESS_SIZE, "127.0.0.1");
    if (getifaddrs(&all) != 0) return;
    for (const struct ifaddrs *at = all; at != NULL; at = at->ifa_next) {
        if (at->ifa_addr == NULL || at->ifa_addr->sa_family != AF_INET) continue;
        if ((at->ifa_flags & IFF_LOOPBACK) != 0 || (at->ifa_flags & IFF_UP) == 0) continue;
        getnameinfo(at->ifa_addr, sizeof(struct sockaddr_in), address, ADDRESS_SIZE, NULL, 0, NI_NUMERICHOST);
        break;
    }
    freeifaddrs(all);
}

static bool is_any(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET) return ((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr == INADDR_ANY;
    const struct sockaddr_in6 *six = (const void *)a;
    return a->sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr);
}

static void name_address(const struct addrinfo *found, char address[ADDRESS_SIZE])
{
    char plain[ADDRESS_SIZE - 2] = "127.0.0.1";
    if (is_any(found->ai_addr)) {
        public_address(address);
        return;
    }
    getnameinfo(found->ai_addr, found->ai_addrlen, plain, sizeof plain, NULL, 0, NI_NUMERICHOST);
    snprintf(address, ADDRESS_SIZE, found->ai_family == AF_INET6 ? "[%s]" : "%s", plain);
}

static int port_of(int fd)
{
    struct sockaddr_storage a = {0};
    socklen_t size = sizeof a;
    if (getsockname(fd, (struct sockaddr *)&a, &size) != 0) return 0;
    return ntohs(a.ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)(const void *)&a)->sin6_port
                                         : ((const struct sockaddr_in *)(const void *)&a)->sin_port);
}

static bool open_socket(const struct addrinfo *found, int *fd)
{
    int yes = 1;
    *fd = socket(found->ai_family, SOCK_STREAM, 0);
    if (*fd < 0) return false;
    fcntl(*fd, F_SETFD, FD_CLOEXEC);
    fcntl(*fd, F_SETFL, O_NONBLOCK);
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    return bind(*fd, found->ai_addr, found->ai_addrlen) == 0 && listen(*fd, BACKLOG) == 0;
}

carom_status listen_at(const char *bind, int port, int *fd, int *got, char address[ADDRESS_SIZE], error *e)
{
    char service[16];
    struct addrinfo *found = NULL;
    const struct addrinfo options = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    if (bind == NULL) bind = "127.0.0.1";
    snprintf(service, sizeof service, "%d", port);
    int fault = getaddrinfo(bind, service, &options, &found);
    if (fault != 0)
        return error_set(e, CAROM_USAGE, "error: '%s' is not a valid address (%s); example: --bind 192.168.1.5", bind,
                         gai_strerror(fault));
    carom_status status = open_socket(found, fd) ? CAROM_OK : cannot_listen(bind, port, e);
    name_address(found, address);
    *got = status == CAROM_OK ? port_of(*fd) : 0;
    freeaddrinfo(found);
    return status;
}
