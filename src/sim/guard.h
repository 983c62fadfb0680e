/* What carom.h promises of wrong calls: on NULL, on an object whose creation or loading failed, and from within the
 * object's own callbacks a call changes nothing and returns a status (or NULL, 0, false). Every public function begins
 * here; tests/calls calls each of them in each wrong way. */
#ifndef CAROM_SIM_GUARD_H
#define CAROM_SIM_GUARD_H

#include "base/error.h"

/* The part of an object that decides which calls it allows. */
typedef struct guard {
    bool made;          /* created or loaded without an error */
    bool busy;          /* within a call that calls back */
    carom_status spent; /* the error that has left it in no state to go on; CAROM_OK: none has */
} guard;

/* CAROM_OK where the object can be used. Else its message says what is missing, unless it is busy: the call that goes on
 * owns the message. */
carom_status guard_check(const guard *g, error *message, const char *missing);

/* The end of the creation or loading of an object. */
carom_status guard_made(guard *g, carom_status status);

/* The end of a call that calls back; an error of memory, files or data leaves the object spent. */
carom_status guard_leave(guard *g, carom_status status);

static inline bool guard_free(const guard *g)
{
    return g->made && !g->busy;
}

#define USABLE(object) ((object) != NULL && guard_free(&(object)->guard))

/* Leaves a function that returns a status unless `object` can be used; `missing` is what it lacks before it is loaded. */
#define ENTER(object, missing)                                                                                         \
    do {                                                                                                               \
        if ((object) == NULL) return CAROM_USAGE;                                                                      \
        TRY(guard_check(&(object)->guard, &(object)->message, missing));                                               \
    } while (0)

/* Leaves it where a pointer that the call needs is NULL. */
#define NEED(object, argument)                                                                                         \
    do {                                                                                                               \
        if ((argument) == NULL)                                                                                        \
            return error_set(&(object)->message, CAROM_USAGE, "error: the argument `" #argument "` is NULL");          \
    } while (0)

#endif
