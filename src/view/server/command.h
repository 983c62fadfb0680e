/* The commands of a viewer: a word, for some with a number. */
#ifndef CAROM_VIEW_SERVER_COMMAND_H
#define CAROM_VIEW_SERVER_COMMAND_H

#include <stdbool.h>

typedef enum view_verb {
    VIEW_NEXT, /* the viewer has shown its last picture and requests the newest */
    VIEW_PLAY,
    VIEW_PAUSE,
    VIEW_STEP,  /* advance by so many events, or frames of a file; then pause */
    VIEW_SPEED, /* simulated time per wall second; infinite: without a limit */
    VIEW_SEEK   /* show a frame of a file; then pause */
} view_verb;

typedef struct view_command {
    view_verb verb;
    double number;
} view_command;

/* Parses "step 1"; false: not a command. */
bool command_parse(const char *text, view_command *out);

#endif
