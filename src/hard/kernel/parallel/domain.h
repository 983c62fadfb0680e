/* Domains of a parallel run: their data.
 *
 * A domain is a gas of its own: the bodies that it owns, and copies of the bodies of other domains near its region (its
 * halo). All domains execute the events of a window of time independently. Then the histories of the copies in the
 * contact layer, the inner part of the halo, are compared with those of their owners. If all are equal, the states of
 * the owned bodies are those of the serial run (docs/parallel.md), and the halo takes over the owners' states. Otherwise
 * all domains return to the start of the window, and repeat it up to the first difference. */
#ifndef CAROM_HARD_KERNEL_DOMAIN_H
#define CAROM_HARD_KERNEL_DOMAIN_H

#include "engine/engine.h"
#include "hard/kernel/features/feature.h"
#include "parallel/buffer.h"
#include "parallel/cuts.h"
#include "parallel/team.h"
#include "parallel/transport.h"

typedef enum body_role {
    ROLE_ABSENT, /* a free place */
    ROLE_OUTER,  /* a copy that may differ from its original */
    ROLE_LAYER,  /* a copy that may touch an owned body before the end of the epoch: its history is compared */
    ROLE_OWNED
} body_role;

/* Result of the comparison of a copy with its original. */
typedef enum copy_state { COPY_UNKNOWN, COPY_EQUAL, COPY_DIFFERS } copy_state;

/* A body that has changed in the present window. Its state at the start of the window is kept in domain.before. */
typedef struct body_change {
    uint32_t body;
    uint32_t post; /* its first post, or NO_POST */
    uint32_t events;
    uint8_t role;
    uint8_t known;  /* copy_state, of a copy */
    uint64_t chain; /* of a body with copies, or a copy: hash of its states after each event of the window */
    size_t before;  /* place of its state at the start of the window in domain.before */
    real first;     /* time of the first event */
} body_change;

/* An image of the box that a body has left in the present window. */
typedef struct image_change {
    uint32_t body;
    int64_t before[DIM];
} image_change;

/* What a domain knows of a body, in one place: an event of the body reads all of it. */
typedef struct membership {
    uint32_t change; /* domain.first_change + index of its change in the present window; others: it has none */
    uint32_t post;   /* its first post, or NO_POST */
} membership;

/* Another domain, with copies of bodies of this one, or originals of copies in this one. */
typedef struct adjacent {
    int domain;
    uint32_t *sent, sent_count;         /* owned bodies with a copy there, in the order of the messages */
    uint32_t *received, received_count; /* copies of its bodies, in the order of its messages */
    uint32_t sent_room, received_room;
    buffer out;       /* message to the other domain */
    const buffer *in; /* message from it: its `out`, or `copy` */
    buffer copy;      /* of the message from a domain of another rank */
} adjacent;

/* Another rank, with domains adjacent to those of this one. */
typedef struct peer {
    int rank;
    adjacent **out, **in; /* [count]: by number of the sending domain, then of the receiving one */
    int count;
    buffer message; /* bytes of each part (uint64_t), and the parts */
} peer;

/* What all domains have done in a window, or could not do. */
typedef struct window_result {
    real halt, far, last_event;
    double speed_found;
    uint64_t events[EVENT_KINDS];
    uint64_t marks, collisions, counted, work; /* counted: for run.until.events */
} window_result;

/* Where a body is sent. */
typedef struct post {
    uint32_t to, place; /* index of the adjacent domain; place in its list `sent` */
    uint32_t next;      /* next post of the body, or NO_POST */
    uint32_t body;
} post;
#define NO_POST 0xffffffffu

/* An owned body that other domains have to know after a displacement of `due` at the earliest. */
typedef struct coming_body {
    uint32_t body;
    float due;
} coming_body;

/* A counted event of the window, of any physical kind. */
typedef struct mark {
    real time;
    uint8_t collisions, events; /* collisions; all that count for run.until.events */
} mark;

/* The state of the gas at the start of a window, besides bodies. */
typedef struct window_start {
    real now, last_event, far;
    uint64_t events[EVENT_KINDS];
    event_tallies tallies;
    bool stalls;
} window_start;

enum { REGION_PARTS = DIM == 3 ? 27 : 9 };

typedef struct domain {
    struct crew *crew;
    gas *gas;
    int index;
    uint8_t *role;                               /* [room] */
    uint32_t *vacant, vacant_count, vacant_room; /* places of absent bodies below gas.count */
    uint32_t *near, near_count, near_room;       /* owned bodies that other domains may now have to know */
    coming_body *coming;                         /* and those that join them before the next survey */
    uint32_t coming_count, coming_room;

    adjacent *adjacent;
    int adjacent_count;
    uint32_t *beside; /* [REGION_PARTS][adjacent_count]: those that a body in a part of the region may be near to */
    uint32_t beside_count[REGION_PARTS];
    double part_depth; /* of the outer parts */
    post *post;
    uint32_t post_count, post_room;
    membership *member;                             /* [room] */
    uint32_t *entered, entered_count, entered_room; /* bodies that have entered in this renewal of the halo */
    uint32_t *gone, gone_count, gone_room;          /* bodies that other domains own from this renewal on */
    uint32_t *kept, kept_count, kept_room;          /* scratch */
    uint32_t *scratch;                              /* [room] */
    double (*place)[3];                             /* positions of `near`, of the first placed_count at least */
    uint32_t placed_count, place_room;
    uint32_t *place_of;   /* [bodies of the whole]: index + 1 of each body, or 0; only for scenes with links */
    uint32_t search_room; /* room of lists and queue */
    bool rebuild;         /* lists and queue are made anew at the end of the renewal: changes do not update them */
    double fastest;       /* largest speed */
    exact_sum squares;    /* sum of the squared velocities */
    real fastest_axis;    /* largest component of a velocity */
    bool planned;         /* an owned body has a planned event */

    body_change *change;
    uint32_t change_count, change_room;
    uint32_t first_change; /* number of the first change of the present window */
    buffer before, images; /* states of changed bodies at the start of the window; changes of images */
    buffer tallies;        /* tallies of features at the start of the window */
    uint32_t *moved, moved_count, moved_room; /* bodies whose list or cell has been renewed in the window */
    mark *marks;
    uint32_t mark_count, mark_room;
    window_start start;
    real halt;          /* the window cannot continue to this time */
    double speed_found; /* a speed above crew.speed_most; 0: none */
    uint64_t work;      /* events of the window, copies and transfers included */
    double busy;        /* CPU time of the present step */

    /* Events since the last re-basing, of copies and in repeated windows too. Crossings made together are one. */
    uint64_t work_of_stage;
    uint64_t weight;  /* of a body, while the cuts are made anew */
    double extent[6]; /* of the bodies: least coordinates; largest ones, negative */
    buffer table;     /* of counts for the cuts (uint64_t) */

    carom_status status;
    error error;
} domain;

/* Owners of all bodies of the whole; lists for the domains of this rank, in `order` from first[domain - crew.first] on. */
typedef struct ownership {
    uint32_t *owner, *order;
    uint32_t *first; /* [own + 1] */
    uint32_t *next;  /* [own][own]: scratch */
} ownership;

/* All domains, and the present window. Each rank has the domains first ... first + own - 1; all ranks take the same decisions,
 * from results of all domains. */
typedef struct crew {
    gas *gas; /* the whole: clock, counters; the bodies too while they are collected (at rank 0) */
    int count, first, own;
    domain *domain; /* [count]; those of other ranks are empty */
    transport *transport;
    peer *peer;
    int peer_count;
    parcel *parcels; /* [2 * peer_count]: scratch */
    bool alone;      /* the state of rank 0 is not that of the others */
    window_result result;
    team *team;
    cuts cuts;
    const cutting *cutting;   /* while cuts are made */
    ownership ownership;      /* during a dispersal */
    bool dispersed;           /* the state of the bodies is in the domains */
    bool dispersing;          /* the domains have their own bodies only */
    bool collected;           /* and the whole has their tallies, and a copy of the bodies if readers need one */
    real (*list_origin)[DIM]; /* [bodies of the whole]: in such a copy, if wanted; or NULL */

    real reached;  /* all events until this local time have been executed */
    real until;    /* end of the present window */
    real length;   /* of windows */
    uint64_t idle; /* work since the last event that counts */
    real epoch_end, survey_begin, survey_end;
    double range;        /* largest distance of two bodies that interact */
    double largest;      /* largest range of a body */
    bool linked;         /* it is that of a link, a bridge or bond, and larger than all sizes of bodies */
    double speed;        /* bound of all speeds until the end of the survey */
    double speed_most;   /* largest permitted speed after an event: the rest is for gravity */
    double speed_needed; /* a speed that exceeded it; 0: none */
    double slack, own_slack, shield, margin, reach; /* lengths (halo.c); own_slack: the part for displacements */
    carom_status status;                            /* of a collection of the state for a frame */
    error error;
    bool undone; /* the window ends with a return to its start */
    engine_domains cost;
} crew;

#endif
