/* carom: event-driven contact dynamics.
 *
 * The whole public interface. A scene (text) is checked into a carom_scene; a carom_sim runs it; a carom_frame
 * says what is where at a time. Lengths, masses and times are in the scene's own units throughout.
 *
 *     carom_scene *scene = carom_scene_new();
 *     carom_sim *sim = NULL;
 *     if (carom_scene_load(scene, "gas.yaml") == CAROM_OK && carom_sim_new(&sim, scene, NULL) == CAROM_OK)
 *         carom_sim_run(sim);
 *
 * Every call that can fail returns a carom_status; what went wrong and what to do about it is the text that
 * carom_scene_message or carom_sim_message gives. The library never prints and never exits. An object is used
 * by one thread at a time; different objects are independent. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined _WIN32
#define CAROM_API
#else
#define CAROM_API __attribute__((visibility("default")))
#endif

/* What a call came to. The values are the command's exit codes (sysexits where one fits). */
typedef enum carom_status {
    CAROM_OK = 0,
    CAROM_USAGE = 64,     /* wrong call: an unknown option, a value out of range */
    CAROM_BAD_DATA = 65,  /* a scene or a data file that cannot be used as it is */
    CAROM_NO_INPUT = 66,  /* a file that is not there or cannot be opened for reading */
    CAROM_INTERNAL = 70,  /* no memory, or a fault of carom itself */
    CAROM_NO_CREATE = 73, /* an output that cannot be created, or that exists */
    CAROM_IO = 74,        /* a read or write that failed half-way */
    CAROM_EARLY = 75,     /* stopped early by a signal or wall time, with a checkpoint to resume */
    CAROM_DYNAMICS = 76,  /* the dynamics stopped it: collapse, no progress, squeezed */
    CAROM_VIOLATION = 77  /* `verify` found a violation */
} carom_status;

/* Why a run ended; carom_stop_name gives the word used in files and JSON. */
typedef enum carom_stop {
    CAROM_STOP_NONE = 0, /* still running */
    CAROM_STOP_TIME,
    CAROM_STOP_EVENTS,
    CAROM_STOP_COLLISIONS,
    CAROM_STOP_CLUSTERS,
    CAROM_STOP_WALL_TIME,
    CAROM_STOP_NO_EVENTS,
    CAROM_STOP_NO_PROGRESS,
    CAROM_STOP_COLLAPSE,
    CAROM_STOP_SQUEEZED,
    CAROM_STOP_SIGNAL
} carom_stop;

typedef struct carom_scene carom_scene;
typedef struct carom_sim carom_sim;
typedef struct carom_frame carom_frame;

/* The release, as in "0.1.0", and the commit it was built from ("unknown" outside a checkout). */
CAROM_API const char *carom_version(void);
CAROM_API const char *carom_commit(void);
CAROM_API const char *carom_stop_name(carom_stop stop);

#ifdef __cplusplus
}
#endif
#endif
