/* JSON written incrementally, without a tree in memory. Numbers that are not finite become null. */
#ifndef CAROM_OUTPUT_RESULTS_JSON_TEXT_H
#define CAROM_OUTPUT_RESULTS_JSON_TEXT_H

#include <stdint.h>

#include "base/text.h"

typedef struct json_text {
    text_buffer text;
    int depth;
    bool inner; /* there are previous entries in this object or list */
    bool named; /* a key has no value yet */
} json_text;

void json_open(json_text *j, char bracket); /* { or [ */
void json_close(json_text *j, char bracket);
void json_key(json_text *j, const char *key); /* a word without characters that need an escape */
void json_number_put(json_text *j, double value);
void json_count_put(json_text *j, uint64_t value);
void json_number_entry(json_text *j, const char *key, double value); /* a key and its value */
void json_count_entry(json_text *j, const char *key, uint64_t value);
void json_word(json_text *j, const char *text); /* any bytes; invalid UTF-8 becomes ? */
void json_bool(json_text *j, bool value);
void json_numbers(json_text *j, const double *values, size_t count);

#endif
