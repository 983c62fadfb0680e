/* The commented scenes that `carom init` writes. */
#ifndef CAROM_SIM_STARTER_H
#define CAROM_SIM_STARTER_H

/* The scene for an engine, or NULL where there is no such engine. NULL names the first engine. */
const char *starter_scene(const char *engine);

#endif
