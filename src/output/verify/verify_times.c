/* Times and counters, which do not fall. */
#include <inttypes.h>

#include "output/verify/verifier.h"

void verify_times(verifier *v, const frame_row *row)
{
    if (row->f.time < v->last.f.time && verify_note(v, CHECK_TIME)) {
        verify_note_number(v, CHECK_TIME, "the time of the previous frame was ", v->last.f.time);
        verify_end_note(v, CHECK_TIME);
    }
    for (int kind = 0; kind < EVENT_KINDS; kind++)
        if (row->f.events[kind] < v->last.f.events[kind] && verify_note(v, CHECK_TIME))
            text_add(&v->descriptions[CHECK_TIME], "%s events decrease from %" PRIu64 " to %" PRIu64 "\n",
                     event_kind_names[kind], v->last.f.events[kind], row->f.events[kind]);
}
