/* Wrong calls (carom.h): a call with NULL, with an object whose creation or loading failed, or from within the
 * callbacks of the object has no effect and returns a status (or NULL, 0, false). Each public function begins with
 * these checks; tests/calls tests them. */
#ifndef CAROM_SIM_GUARD_H
#define CAROM_SIM_GUARD_H

#include "base/error.h"

/* State of an object that determines the permitted calls. */
typedef struct guard {
    bool made;          /* created or loaded without an error */
    bool busy;          /* within a call with callbacks */
    carom_status spent; /* error after which the object cannot be used; CAROM_OK: none */
} guard;

/* CAROM_OK if the object can be used. Otherwise sets its message to `missing`, unless the object is busy: the
 * message belongs to the call in progress. */
carom_status guard_check(const guard *g, error *message, const char *missing);

/* Ends the creation or loading of an object. */
carom_status guard_made(guard *g, carom_status status);

/* Ends a call with callbacks. After an error of memory, files or data the object cannot be used. */
carom_status guard_leave(guard *g, carom_status status);

static inline bool guard_free(const guard *g)
{
    return g->made && !g->busy;
}

#define USABLE(object) ((object) != NULL && guard_free(&(object)->guard))

/* Returns from a function with a status unless `object` can be used; `missing` is the message before it is loaded. */
#define ENTER(object, missing)                                                                                         \
    do {                                                                                                               \
        if ((object) == NULL) return CAROM_USAGE;                                                                      \
        TRY(guard_check(&(object)->guard, &(object)->message, missing));                                               \
    } while (0)

/* Returns CAROM_USAGE if a required pointer is NULL. */
#define NEED(object, argument)                                                                                         \
    do {                                                                                                               \
        if ((argument) == NULL)                                                                                        \
            return error_set(&(object)->message, CAROM_USAGE, "error: the argument `" #argument "` is NULL");          \
    } while (0)

#endif
