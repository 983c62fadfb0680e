/* The listening socket, and the token. */
#ifndef CAROM_VIEW_SERVER_LISTEN_H
#define CAROM_VIEW_SERVER_LISTEN_H

#include "base/error.h"

enum { ADDRESS_SIZE = 256, TOKEN_SIZE = 33 };

/* bind NULL: 127.0.0.1. port 0: a free port. *got: the port; address: for URLs. */
carom_status listen_at(const char *bind, int port, int *fd, int *got, char address[ADDRESS_SIZE], error *e);

/* 128 random bits from the operating system, as text. */
carom_status make_token(char token[TOKEN_SIZE], error *e);

#endif
