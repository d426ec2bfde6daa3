/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/poise_log.c: see poise_log.h. The engine shows no event; what it has done is seen by how its state, `point` and
 * `ends` differ from what they were. `ends` is set when an epoch begins, and never to what it was. */
#include "tb/units/poise_log.h"

#include <math.h>
#include <string.h>

#include "cmodel/poise/poise.h"

enum {
#define COLUMN(name, point, unit, meaning) AT_##name,
#define WORDS(name, meaning)               AT_##name,
#include "tb/units/poise.rows"
    NUM_COLUMNS
};

enum {
#define WORD(name, word, meaning) name##_##word,
#include "tb/units/poise.rows"
};

static const char *const words[] = {
#define WORD(name, word, meaning) #word,
#include "tb/units/poise.rows"
};

static const struct log_column columns[] = {
#define COLUMN(name, point, unit, meaning) {#name, unit, meaning, point, NULL},
#define WORDS(name, meaning)               {#name, "", meaning, 0, words},
#include "tb/units/poise.rows"
};

struct memory {
    int open; /* an epoch is under way: */
    uint64_t row[NUM_COLUMNS];
    uint64_t state, point, ends; /* as they were */
    uint64_t epochs;             /* begun in this launch */
    struct found left_out;       /* by rows that are not in the log */
};

/* Adds a row to the sums. */
static void count_row(const uint64_t *row, struct found *f)
{
    uint64_t *const ends[] = {[ended_search] = &f->epochs_search,
                              [ended_compute] = &f->epochs_compute,
                              [ended_idle] = &f->epochs_idle,
                              [ended_epoch] = &f->epochs_epoch,
                              [ended_kernel] = &f->epochs_kernel};
    f->epochs++;
    ++*ends[row[AT_ended]];
    if (row[AT_predicted_n] != LOG_NONE) {
        f->predictions++;
        f->predicted_n += row[AT_predicted_n];
        f->predicted_p += row[AT_predicted_p];
    }
    if (row[AT_found_n] != LOG_NONE) {
        const double n = (double)row[AT_found_n] - (double)row[AT_predicted_n],
                     p = (double)row[AT_found_p] - (double)row[AT_predicted_p];
        f->samples += row[AT_samples];
        f->found_n += row[AT_found_n];
        f->found_p += row[AT_found_p];
        f->distance_n += (uint64_t)fabs(n);
        f->distance_p += (uint64_t)fabs(p);
        f->distance += (uint64_t)llround(1000 * sqrt(n * n + p * p));
    }
}

static void begin(struct log *l)
{
    memset(l->memory, 0, sizeof(struct memory));
}

/* The search is over. */
static void hold(struct memory *m, const struct poise_state *s)
{
    m->row[AT_ended] = ended_search;
    m->row[AT_found_n] = s->n;
    m->row[AT_found_p] = s->p;
}

static void open_row(struct memory *m, const struct poise_state *s, uint64_t cycle)
{
    for (unsigned i = 0; i < NUM_COLUMNS; i++)
        m->row[i] = LOG_NONE;
    m->open = 1;
    m->row[AT_epoch] = m->epochs++;
    m->row[AT_first] = cycle + 1;
    m->row[AT_most] = s->most;
    m->row[AT_samples] = 0;
    m->row[AT_given] = s->point == poise_point_centre;
    if (!m->row[AT_given])
        return;
    m->row[AT_predicted_n] = s->n;
    m->row[AT_predicted_p] = s->p;
    if (s->state == POISE_HOLD)
        hold(m, s);
}

static void close_row(struct memory *m, uint64_t last, uint64_t why, struct log *l)
{
    m->row[AT_last] = last;
    if (m->row[AT_ended] == LOG_NONE)
        m->row[AT_ended] = why;
    if (log_add(l, m->row))
        count_row(m->row, &m->left_out);
}

/* What has been counted and divided at (W, W) or at (1, 1). */
static void take_features(struct memory *m, const struct poise_state *s)
{
    uint64_t *const row = m->row;
    if (m->point == poise_point_base) {
        row[AT_accesses_base] = s->accesses;
        row[AT_instructions_base] = s->instructions;
        row[AT_globals_base] = s->globals;
        row[AT_hit_base] = s->hit_base;
        row[AT_own_base] = s->own_base;
        row[AT_gap] = s->gap;
        row[AT_latency_base] = s->latency_base;
    } else {
        row[AT_accesses_lone] = s->accesses;
        row[AT_instructions_lone] = s->instructions;
        row[AT_hit_lone] = s->hit_lone;
        row[AT_own_lone] = s->own_lone;
        row[AT_latency_lone] = s->latency_lone;
    }
}

/* Within an epoch the state has become another. */
static void move(struct memory *m, const struct poise_state *s)
{
    if (m->state == POISE_DERIVE)
        take_features(m, s);
    if (m->state == POISE_PREDICT) {
        m->row[AT_predicted_n] = s->centre_n;
        m->row[AT_predicted_p] = s->centre_p;
    }
    m->row[AT_samples] += s->state == POISE_DECIDE;
    if (s->state == POISE_HOLD && m->state == POISE_DERIVE)
        m->row[AT_ended] = s->instructions ? ended_compute : ended_idle;
    else if (s->state == POISE_HOLD)
        hold(m, s);
}

static void note(const struct plug *p, uint64_t cycle, struct log *l)
{
    const struct poise_state *s = plug_state(p);
    struct memory *m = l->memory;
    if (!m->open || s->ends != m->ends) {
        if (m->open)
            close_row(m, cycle, ended_epoch, l);
        open_row(m, s, cycle);
    } else if (s->state != m->state)
        move(m, s);
    m->state = s->state;
    m->point = s->point;
    m->ends = s->ends;
}

static uint64_t *last_row(const struct log *l)
{
    return &l->rows[(l->count - 1) * NUM_COLUMNS];
}

static void end(uint64_t cycle, struct log *l)
{
    struct memory *m = l->memory;
    if (m->open)
        close_row(m, cycle, ended_kernel, l); /* a cycle too far, as it may be with others */
    while (l->count && last_row(l)[AT_first] >= cycle) /* the kernel did not see it begin */
        l->count--;
    uint64_t *row = l->count ? last_row(l) : NULL;
    if (row && row[AT_last] >= cycle) { /* or end */
        row[AT_last] = cycle - 1;
        row[AT_ended] = row[AT_ended] == ended_epoch ? ended_kernel : row[AT_ended];
    }
}

void poise_log_count(const struct plug *p, struct found *found)
{
    const struct log *l = plug_log(p);
    const struct memory *m = l->memory;
#define FOUND(name, meaning) found->name += m->left_out.name;
#include "tb/sm/sm.def"
    for (size_t i = 0; i < l->count; i++)
        count_row(&l->rows[i * NUM_COLUMNS], found);
}

const struct log_kind poise_log = {.columns = columns,
                                   .num_columns = NUM_COLUMNS,
                                   .memory = sizeof(struct memory),
                                   .begin = begin,
                                   .note = note,
                                   .end = end};
