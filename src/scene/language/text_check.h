/* Checks that a file is text. */
#ifndef CAROM_SCENE_TEXT_CHECK_H
#define CAROM_SCENE_TEXT_CHECK_H

#include "scene/language/tree.h"

/* Checks the bytes of a source: UTF-8 throughout, no binary data, no tabs as indentation. False if it cannot be YAML;
 * the reason is in f. */
bool text_check(const tree *t, faults *f, uint16_t source);

#endif
