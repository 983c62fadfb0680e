/* Losses of energy in contacts, and the length of steps that they permit. */
#ifndef CAROM_SCENE_LOSSES_H
#define CAROM_SCENE_LOSSES_H

#include "scene/scene.h"

/* `courant` of elastic contacts, and of springs and shells; and of contacts that all lose energy, whose coefficient of
 * restitution is exact at any step. */
static const double ELASTIC_COURANT = 0.05, LOSSY_COURANT = 0.2;

/* The setting `courant` of an engine with forces, or its automatic value. */
double scene_courant(const scene *s);

/* Whether each contact that can occur loses energy, at any speed. False if none can. */
bool scene_contacts_lose(const scene *s);

#endif
