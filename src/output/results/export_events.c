/* Recorded events as a table: one row for each. */
#include "output/results/export_events.h"
#include "base/memory.h"

static const char *const axes[] = {"x", "y", "z"};

static void write_header(text_buffer *to, const result_about *about)
{
    text_add(to, "time,%skind,i_type,i,j_type,j", about->lasting ? "duration," : "");
    for (int k = 0; k < about->dimension; k++) text_add(to, ",normal_%s", axes[k]);
    for (int k = 0; k < about->dimension; k++) text_add(to, ",impulse_%s", axes[k]);
    text_add(to, "\n");
}

static void write_numbers(text_buffer *to, const double *numbers, int count)
{
    for (int k = 0; k < count; k++) {
        text_add(to, ",");
        text_add_number(to, numbers[k]);
    }
}

static void write_event(text_buffer *to, const result_about *about, const carom_event *event)
{
    text_add_number(to, event->time);
    if (about->lasting) write_numbers(to, &event->duration, 1);
    text_add(to, ",%s,%s,%lu,%s", event_names[event->kind], event_body_names[event->i_type], (unsigned long)event->i,
             event_body_names[event->j_type]);
    if (event->j_type == CAROM_BODY_NONE)
        text_add(to, ",");
    else
        text_add(to, ",%lu", (unsigned long)event->j);
    write_numbers(to, event->normal, about->dimension);
    write_numbers(to, event->impulse, about->dimension);
    text_add(to, "\n");
}

carom_status export_events(const reader *r, sink *s, error *e)
{
    const result_about *about = reader_about(r);
    carom_event *events = NEW_ARRAY(EVENT_BLOCK, carom_event);
    if (events == NULL) return error_memory(e, "an export", EVENT_BLOCK * sizeof *events);
    carom_status status = CAROM_OK;
    write_header(&s->text, about);
    for (uint64_t block = 0; block * EVENT_BLOCK < about->event_rows && status == CAROM_OK && s->failure == 0;
         block++) {
        size_t count = 0;
        status = reader_event_block(r, block, events, &count, e);
        for (size_t n = 0; n < count && status == CAROM_OK; n++) {
            write_event(&s->text, about, &events[n]);
            sink_pass(s);
        }
    }
    memory_free(events);
    return status;
}
