#include "output/results/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Lists of plain values are written on one line; each member of an object, and each object in a list, starts a line. */
static void begin(json_text *j, bool line)
{
    if (j->named) {
        j->named = false;
        return;
    }
    if (j->inner) text_add(&j->text, line ? "," : ", ");
    if (line && j->depth > 0) text_add(&j->text, "\n%*s", 2 * j->depth, "");
    j->inner = true;
}

void json_open(json_text *j, char bracket)
{
    begin(j, bracket == '{');
    text_add(&j->text, "%c", bracket);
    j->depth++;
    j->inner = false;
}

void json_close(json_text *j, char bracket)
{
    j->depth--;
    if (bracket == '}') text_add(&j->text, "\n%*s", 2 * j->depth, "");
    text_add(&j->text, "%c", bracket);
    j->inner = true;
}

void json_key(json_text *j, const char *key)
{
    begin(j, true);
    text_add(&j->text, "\"%s\": ", key);
    j->named = true;
}

void json_number_put(json_text *j, double value)
{
    begin(j, false);
    if (isfinite(value))
        text_add_number(&j->text, value);
    else
        text_add(&j->text, "null");
}

void json_count_put(json_text *j, uint64_t value)
{
    begin(j, false);
    text_add(&j->text, "%" PRIu64, value);
}

void json_bool(json_text *j, bool value)
{
    begin(j, false);
    text_add(&j->text, value ? "true" : "false");
}

void json_numbers(json_text *j, const double *values, size_t count)
{
    json_open(j, '[');
    for (size_t k = 0; k < count; k++) json_number_put(j, values[k]);
    json_close(j, ']');
}

void json_word(json_text *j, const char *text)
{
    begin(j, false);
    text_add_json(&j->text, text, strlen(text));
}

void json_number_entry(json_text *j, const char *key, double value)
{
    json_key(j, key);
    json_number_put(j, value);
}

void json_count_entry(json_text *j, const char *key, uint64_t value)
{
    json_key(j, key);
    json_count_put(j, value);
}
