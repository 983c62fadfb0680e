/* Recording of impacts. */
#include "variational/kernel/response/record.h"

#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/response/contact_order.h"

#include "base/memory.h"
#include "engine/sound.h"

static carom_status make(world *w, error *e)
{
    if (w->impacts != NULL) return CAROM_OK;
    impacts *made = NEW_ARRAY(1, impacts);
    if (made != NULL) made->at = NEW_ARRAY(w->contacts.contact_capacity, impact);
    if (made == NULL || made->at == NULL) {
        memory_free(made);
        return error_memory(e, "the recording of events", w->contacts.contact_capacity * sizeof(impact));
    }
    for (uint32_t k = 0; k < w->contacts.contact_capacity; k++) made->at[k].begin = NAN;
    w->impacts = made;
    return CAROM_OK;
}

static carom_status world_record(void *self, event_log *log, error *e)
{
    world *w = self;
    if (log == NULL) {
        impacts_destroy(w);
        return CAROM_OK;
    }
    TRY(make(w, e));
    w->impacts->log = log;
    return CAROM_OK;
}

static void impacts_destroy(world *w)
{
    if (w->impacts == NULL) return;
    memory_free(w->impacts->at);
    memory_free(w->impacts);
    w->impacts = NULL;
}

static bool impacts_grow(world *w, uint32_t from, uint32_t capacity)
{
    if (w->impacts == NULL) return true;
    impact *more = memory_resize(w->impacts->at, from, capacity, sizeof *more);
    if (more != NULL) w->impacts->at = more;
    return more != NULL;
}

static void impact_add(world *w, uint32_t index, unsigned pressed, double t, const kick *q, const response *r)
{
    impact *m = &w->impacts->at[index];
    if (pressed & PRESSED_BEGINS) *m = (impact){.begin = t};
    const bool responds = (pressed & PRESSED_RESPONDS) != 0;
    for (int k = 0; k < DIM; k++) {
        m->normal[k] += responds ? r->impulse * r->normal[k] : q->impulse[k];
        m->impulse[k] += q->impulse[k];
    }
}

static void impact_add_friction(world *w, uint32_t index, const double impulse[DIM])
{
    for (int k = 0; k < DIM; k++) w->impacts->at[index].impulse[k] += impulse[k];
}

static void find_body(const world *w, uint32_t element, uint16_t *type, uint32_t *number)
{
    if (element < w->count) {
        *type = CAROM_BODY_PARTICLE;
        *number = w->id[element];
    } else if (element >= NODES) {
        const surface *s = &w->domain.surface[element - NODES];
        *type = s->axis >= 0 ? CAROM_BODY_WALL : CAROM_BODY_PLANE;
        *number = s->axis >= 0 ? (uint32_t)(2 * s->axis + s->side) : s->law - 1;
    } else {
        const bool is_triangle = is_face(w, element);
        *type = is_triangle ? CAROM_BODY_TRIANGLE : CAROM_BODY_ROD;
        *number = element - (is_triangle ? w->topology.faces_from : w->count);
    }
}

/* The particle with the smaller number comes first; a particle comes before a rod or a triangle. */
static bool in_order(const carom_event *e)
{
    return e->i_type < e->j_type || (e->i_type == e->j_type && e->i < e->j);
}

static void turn(carom_event *e)
{
    const carom_event from = *e;
    e->i = from.j;
    e->i_type = from.j_type;
    e->j = from.i;
    e->j_type = from.i_type;
    for (int k = 0; k < DIM; k++) {
        e->normal[k] = -from.normal[k];
        e->impulse[k] = -from.impulse[k];
    }
}

static void impact_end(world *w, uint32_t index)
{
    impact *m = &w->impacts->at[index];
    const uint32_t i = w->contacts.contact[index].i, j = w->contacts.contact[index].j;
    if (isnan(m->begin) || w->impacts->log == NULL) return;
    carom_event out = {
        .time = w->now, .duration = w->now - m->begin, .kind = j < NODES ? CAROM_EVENT_COLLISION : CAROM_EVENT_WALL};
    find_body(w, i, &out.i_type, &out.i);
    find_body(w, j, &out.j_type, &out.j);
    const double length = sqrt(dot(m->normal, m->normal));
    for (int k = 0; k < DIM; k++) {
        out.normal[k] = length > 0 ? m->normal[k] / length : 0;
        out.impulse[k] = m->impulse[k];
    }
    m->begin = NAN;
    if (!in_order(&out)) turn(&out);
    event_log_add(w->impacts->log, &out);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static carom_status impacts_save(const world *w, uint32_t rank_count, snapshot *out, error *e)
{
    if (w->impacts == NULL) return CAROM_OK;
    return contacts_put(w, rank_count, "watch/impacts", w->impacts->at, sizeof *w->impacts->at, out, e);
}

static bool is_impact(const world *w, const impact *m)
{
    return !(m->begin > w->now) && sound_numbers(m->normal, DIM) && sound_numbers(m->impulse, DIM);
}

static carom_status impacts_load(world *w, const snapshot *in, size_t count, const uint32_t *loaded, error *e)
{
    const snapshot_array *stored = snapshot_find(in, "watch/impacts");
    for (uint32_t k = 0; w->impacts != NULL && k < w->contacts.contact_capacity; k++) w->impacts->at[k].begin = NAN;
    if (stored == NULL) return CAROM_OK;
    if (stored->type != SNAPSHOT_U8 || stored->count != count * sizeof(impact)) return sound_not("watch/impacts", e);
    TRY(make(w, e));
    const impact *all = stored->data;
    for (size_t k = 0; k < count; k++) {
        if (!is_impact(w, &all[k])) return sound_not("watch/impacts", e);
        w->impacts->at[loaded[k]] = all[k];
    }
    return CAROM_OK;
}
