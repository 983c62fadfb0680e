#include "view/server/command.h"

#include "base/number.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct verb {
    const char *name;
    view_verb verb;
    double least, most; /* limits of the number; both 0: the command has none */
} verb;

static const verb verbs[] = {
    {"next", VIEW_NEXT, 0, 0},
    {"play", VIEW_PLAY, 0, 0},
    {"pause", VIEW_PAUSE, 0, 0},
    {"step", VIEW_STEP, 1, 1e9},
    {"speed", VIEW_SPEED, 1e-300, 1e300},
    {"seek", VIEW_SEEK, 0, 4294967295.0},
};

static bool take_number(const verb *v, const char *text, double *number)
{
    if (v->verb == VIEW_SPEED && strcmp(text, "max") == 0) {
        *number = INFINITY;
        return true;
    }
    return number_read(text, strlen(text), number, NULL) == NUMBER_OK && *number >= v->least && *number <= v->most;
}

bool command_parse(const char *text, view_command *out)
{
    size_t length = strcspn(text, " ");
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++) {
        const verb *v = &verbs[k];
        if (strlen(v->name) != length || memcmp(v->name, text, length) != 0) continue;
        *out = (view_command){.verb = v->verb};
        if (v->most <= 0) return text[length] == '\0';
        return text[length] == ' ' && take_number(v, text + length + 1, &out->number);
    }
    return false;
}
