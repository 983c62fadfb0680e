/* What `carom verify` says. */
#include <inttypes.h>
#include <string.h>

#include "output/results/json_text.h"
#include "output/verify/verifier.h"

static const char *const check_names[CHECKS] = {
    "invalid numbers",
    "overlaps",
    "passages between frames",
    "particles outside the box",
    "wrong stored sums",
    "times and counters",
    "energy budget",
    "momentum",
    "clusters",
    "bonds",
    "recorded events",
};

static const char *const check_keys[CHECKS] = {
    "numbers", "overlaps", "passages", "outside", "stored", "times",
    "energy",  "momentum", "clusters", "bonds",   "events",
};

static void add_unclear(text_buffer *t, const between_counts *counts)
{
    text_add(t, "undecided passages          %" PRIu64 "\n", counts->unclear);
    if (counts->bent > 0)
        text_add(t, "paths too curved to follow  %" PRIu64 " of %" PRIu64 "\n", counts->bent, counts->paths);
    if (counts->unclear + counts->bent > 0)
        text_add(t, "  to decide them, record `paths` or write frames more often\n");
}

/* Whether the result has what is checked. */
static bool is_checked(const verifier *v, int what)
{
    return (what != CHECK_BONDS || v->links.longest != NULL) && (what != CHECK_EVENTS || v->events != NULL);
}

enum { SHOWN_DIGITS = 3 };

static void summarise(const verifier *v, text_buffer *t, uint64_t total)
{
    const result_about *about = reader_about(v->r);
    text_add(t, "%s: %s; %" PRIu64 " frames of %zu particles", reader_path(v->r), total == 0 ? "sound" : "VIOLATED",
             about->frames, about_particles(about));
    if (about->vertices > 0) text_add(t, " and %zu mesh vertices", about->vertices);
    text_add(t, "\n");
    text_add(t, "lengths are compared within ");
    text_add_rounded(t, v->tolerance, SHOWN_DIGITS);
    text_add(t, ", energies and momenta within ");
    text_add_rounded(t, verify_rounding(v), SHOWN_DIGITS);
    text_add(t, " of their scale\n");
    if (reader_about(v->r)->leeway > 0) {
        text_add(t, "contacts may be compressed by up to ");
        text_add_rounded(t, reader_about(v->r)->leeway, SHOWN_DIGITS);
        text_add(t, " of the contact distance\n");
    }
    if (about_has_ledger(reader_about(v->r))) {
        text_add(t, "the energy balance drifts by at most ");
        text_add_rounded(t, v->drift, SHOWN_DIGITS);
        text_add(t, ", ");
        text_add_rounded(t, v->account_scale > 0 ? v->drift / v->account_scale : 0, SHOWN_DIGITS);
        text_add(t, " of the largest energy; the limit in that frame is ");
        text_add_rounded(t, v->account_scale > 0 ? v->allowed / v->account_scale : verify_rounding(v), SHOWN_DIGITS);
        text_add(t, " of it\n");
    }
    for (int what = 0; what < CHECKS; what++) {
        if (!is_checked(v, what)) continue;
        text_add(t, "%-28s%" PRIu64 "\n", check_names[what], v->found[what]);
        if (v->descriptions[what].length > 0)
            text_add_bytes(t, v->descriptions[what].data, v->descriptions[what].length);
        if (v->found[what] > SHOWN) text_add(t, "  ... and %" PRIu64 " more\n", v->found[what] - SHOWN);
    }
    if (about->shear != 0) text_add(t, "passages between frames are not checked: the box is sheared\n");
    if (v->way != NULL) add_unclear(t, between_counted(v->way));
    if (v->found[CHECK_OVERLAP] > 0) {
        text_add(t, "deepest overlap ");
        text_add_rounded(t, v->deepest, SHOWN_DIGITS);
        text_add(t, "\n");
    }
}

/* A list of the described violations, without the leading blanks of each line. */
static void put_lines(json_text *j, const text_buffer *lines)
{
    json_open(j, '[');
    const char *line = lines->data, *end;
    for (; lines->length > 0 && line < lines->data + lines->length; line = end + 1) {
        text_buffer one = {0};
        line += strspn(line, " ");
        end = strchr(line, '\n');
        text_add_bytes(&one, line, (size_t)(end - line));
        j->text.failed = j->text.failed || one.failed;
        json_word(j, one.data != NULL ? one.data : "");
        text_free(&one);
    }
    json_close(j, ']');
}

static void put_checks(const verifier *v, json_text *j)
{
    json_key(j, "violations");
    json_open(j, '{');
    for (int what = 0; what < CHECKS; what++)
        if (is_checked(v, what)) json_count_entry(j, check_keys[what], v->found[what]);
    json_close(j, '}');
    json_key(j, "descriptions");
    json_open(j, '{');
    for (int what = 0; what < CHECKS; what++) {
        if (v->found[what] == 0) continue;
        json_key(j, check_keys[what]);
        put_lines(j, &v->descriptions[what]);
    }
    json_close(j, '}');
}

static text_buffer write_json(const verifier *v, uint64_t total)
{
    const result_about *about = reader_about(v->r);
    const between_counts none = {0}, *counts = v->way != NULL ? between_counted(v->way) : &none;
    json_text j = {0};
    json_open(&j, '{');
    json_key(&j, "file");
    json_word(&j, reader_path(v->r));
    json_key(&j, "sound");
    json_bool(&j, total == 0);
    json_count_entry(&j, "frames", about->frames);
    json_count_entry(&j, "particles", about_particles(about));
    if (about->vertices > 0) json_count_entry(&j, "vertices", about->vertices);
    json_number_entry(&j, "tolerance", v->tolerance);
    json_number_entry(&j, "leeway", about->leeway);
    if (about_has_ledger(about))
        json_number_entry(&j, "drift", v->drift), json_number_entry(&j, "drift_allowed", v->allowed);
    json_number_entry(&j, "deepest_overlap", v->deepest);
    put_checks(v, &j);
    json_key(&j, "between_frames");
    json_open(&j, '{');
    json_count_entry(&j, "unclear", counts->unclear);
    json_count_entry(&j, "paths", counts->paths);
    json_count_entry(&j, "bent", counts->bent);
    json_close(&j, '}');
    json_close(&j, '}');
    text_add(&j.text, "\n");
    return j.text;
}

carom_status verify_report(const verifier *v, bool json, char **report, error *e)
{
    text_buffer t = {0};
    uint64_t total = 0;
    bool failed = false;
    for (int what = 0; what < CHECKS; what++) {
        total += v->found[what];
        failed = failed || v->descriptions[what].failed;
    }
    if (json)
        t = write_json(v, total);
    else
        summarise(v, &t, total);
    if (failed || t.failed) {
        text_free(&t);
        return error_memory(e, "a report", t.capacity);
    }
    t.data[t.length - 1] = '\0';
    *report = t.data;
    return total == 0 ? CAROM_OK : CAROM_VIOLATION;
}
