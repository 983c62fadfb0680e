/* Texts that exceed their width. */
#include <stdio.h>
#include <string.h>

#include "view/plot/plot.h"

/* Whether a text may be cut here: neither within a character nor within a superscript or subscript. */
static bool may_end(const char *text, size_t length)
{
    bool within = false;
    if (((unsigned char)text[length] & 0xc0u) == 0x80u) return false;
    for (size_t k = 0; k < length; k++) {
        if ((text[k] == '^' || text[k] == '_') && (text[k + 1] == '{')) within = true;
        if (text[k] == '}') within = false;
    }
    return !within;
}

const char *plot_cut(canvas *c, const char *text, const canvas_style *style, double width, char buffer[PLOT_CUT])
{
    static const char more[] = "\u2026";
    const size_t length = strlen(text);
    if (canvas_text_width(c, text, style) <= width) return text;
    for (size_t kept = length < PLOT_CUT - sizeof more ? length : PLOT_CUT - sizeof more; kept > 0; kept--) {
        if (!may_end(text, kept) || text[kept - 1] == ' ') continue;
        snprintf(buffer, PLOT_CUT, "%.*s%s", (int)kept, text, more);
        if (canvas_text_width(c, buffer, style) <= width) return buffer;
    }
    return more;
}

/* Length of the beginning of the text, up to a blank, that fits into the width; 0: the first word does not fit. */
static size_t fitting(canvas *c, const char *text, const canvas_style *style, double width)
{
    size_t fits = 0;
    for (size_t at = 1; text[at - 1] != '\0' && at < PLOT_CUT; at++) {
        char start[PLOT_CUT];
        if ((text[at] != ' ' && text[at] != '\0') || text[at - 1] == ' ') continue;
        snprintf(start, sizeof start, "%.*s", (int)at, text);
        if (canvas_text_width(c, start, style) > width) break;
        fits = at;
    }
    return fits;
}

size_t plot_lines(canvas *c, const char *text, const canvas_style *style, double width, char lines[][PLOT_CUT],
                  size_t most)
{
    size_t count = 0;
    while (*text != '\0' && count < most) {
        char buffer[PLOT_CUT];
        size_t taken = fitting(c, text, style, width);
        if (count + 1 == most || taken == 0) {
            snprintf(lines[count++], PLOT_CUT, "%s", plot_cut(c, text, style, width, buffer));
            break;
        }
        snprintf(lines[count++], PLOT_CUT, "%.*s", (int)taken, text);
        text += taken;
        text += strspn(text, " ");
    }
    return count;
}
