/* The commands of a viewer: a word, and a number for some. */
#ifndef CAROM_VIEW_SERVER_COMMAND_H
#define CAROM_VIEW_SERVER_COMMAND_H

#include <stdbool.h>

typedef enum view_verb {
    VIEW_NEXT, /* has shown what it got, and wants the newest */
    VIEW_PLAY,
    VIEW_PAUSE,
    VIEW_STEP,  /* so many events, or frames of a file; and pause */
    VIEW_SPEED, /* time per wall second; infinite: as fast as it goes */
    VIEW_SEEK   /* a frame of a file; and pause */
} view_verb;

typedef struct view_command {
    view_verb verb;
    double number;
} view_command;

/* "step 1"; false where it is no command. */
bool command_parse(const char *text, view_command *out);

#endif
