/* Is this text at all? */
#ifndef CAROM_SCENE_TEXT_CHECK_H
#define CAROM_SCENE_TEXT_CHECK_H

#include "scene/language/tree.h"

/* Looks through the bytes of a source: UTF-8 throughout, no binary data, no tabs as indentation. False where reading it
 * as YAML makes no sense; the reason is in f. */
bool text_check(const tree *t, faults *f, uint16_t source);

#endif
