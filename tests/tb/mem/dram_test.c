/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/dram_test.c: tests tb/mem/dram.c in three ways. An observer derives the commands
 * from what changes from tick to tick (a row opens or closes, a request leaves) and checks each
 * against all before it by the list of minimum distances. A scheduler restated tick by tick, which
 * tries every command against that list, must leave the same state after every cycle, whatever the
 * ratio of the clocks. And latencies and rates must be those that the configuration adds up to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/dram.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/test_config.h"

#define REPLIES 4096
#define HISTORY 128 /* commands back that can matter */

enum command { ACTIVATE = 1, PRECHARGE = 2, READ = 4, WRITE = 8, COLUMN = READ | WRITE };

struct issued {
    enum command what;
    uint32_t bank, bytes;
    uint64_t tick, row;
};

/* Commands in order, in a ring. */
struct stream {
    const struct config *c;
    struct issued list[HISTORY];
    uint64_t count;
};

static uint64_t burst(const struct config *c, uint32_t bytes)
{
    return (bytes + (uint64_t)c->dram_bytes_per_cycle - 1) / (uint64_t)c->dram_bytes_per_cycle;
}

static uint64_t data_begins(const struct config *c, const struct issued *i)
{
    return i->tick + (uint64_t)(i->what == READ ? c->dram_tCL : c->dram_tWL);
}

static uint64_t data_ends(const struct config *c, const struct issued *i)
{
    return data_begins(c, i) + burst(c, i->bytes);
}

enum where { SAME_BANK, OTHER_BANK, ANY_BANK };

/* RULE(name, command before, command after, where, first tick for the one after). */
#define RULES                                                                                      \
    RULE(tRCD, ACTIVATE, COLUMN, SAME_BANK, b->tick + (uint64_t)c->dram_tRCD)                      \
    RULE(tRAS, ACTIVATE, PRECHARGE, SAME_BANK, b->tick + (uint64_t)c->dram_tRAS)                   \
    RULE(tRP, PRECHARGE, ACTIVATE, SAME_BANK, b->tick + (uint64_t)c->dram_tRP)                     \
    RULE(tRC, ACTIVATE, ACTIVATE, SAME_BANK, b->tick + (uint64_t)c->dram_tRC)                      \
    RULE(tRRD, ACTIVATE, ACTIVATE, OTHER_BANK, b->tick + (uint64_t)c->dram_tRRD)                   \
    RULE(tCCD, COLUMN, COLUMN, ANY_BANK, b->tick + (uint64_t)c->dram_tCCD)                         \
    RULE(tCDLR, WRITE, READ, ANY_BANK, data_ends(c, b) + (uint64_t)c->dram_tCDLR)                  \
    RULE(tWR, WRITE, PRECHARGE, SAME_BANK, data_ends(c, b) + (uint64_t)c->dram_tWR)                \
    RULE(read_burst, READ, PRECHARGE, SAME_BANK, b->tick + burst(c, b->bytes))                     \
    RULE(bus, COLUMN, COLUMN, ANY_BANK, a->tick + data_ends(c, b) - data_begins(c, a))             \
    RULE(one_column, COLUMN, COLUMN, ANY_BANK, b->tick + 1)                                        \
    RULE(one_row, ACTIVATE | PRECHARGE, ACTIVATE | PRECHARGE, ANY_BANK, b->tick + 1)

enum rule {
#define RULE(name, ...) RULE_##name,
    RULES
#undef RULE
        NUM_RULES
};
static const char *const rule_names[] = {
#define RULE(name, ...) #name,
    RULES
#undef RULE
};
static uint64_t tight[NUM_RULES]; /* a command came in the first tick that a rule allows */

/* The rule that forbids a command now, or NUM_RULES. With `count`, rules that are just met are
 * counted. */
static enum rule forbids(const struct stream *s, const struct issued *a, int count)
{
    const struct config *c = s->c;
    const uint64_t first = s->count > HISTORY ? s->count - HISTORY : 0;
    for (uint64_t i = first; i < s->count; i++) {
        const struct issued *b = &s->list[i % HISTORY];
        const enum where where = a->bank == b->bank ? SAME_BANK : OTHER_BANK;
        uint64_t allowed;
#define RULE(name, before, after, banks, tick_allowed)                                             \
    if ((b->what & (before)) && (a->what & (after)) && (banks == ANY_BANK || banks == where)) {    \
        allowed = tick_allowed;                                                                    \
        if (a->tick < allowed)                                                                     \
            return RULE_##name;                                                                    \
        tight[RULE_##name] += count && a->tick == allowed;                                         \
    }
        RULES
#undef RULE
    }
    return NUM_RULES;
}

static void issue(struct stream *s, const struct issued *i)
{
    s->list[s->count++ % HISTORY] = *i;
}

/* A request as it was sent. */
struct request {
    uint64_t row;
    uint32_t bank, bytes, owner;
    int is_write, opened;
};

static struct request as_request(const struct config *c, uint64_t address, uint32_t bytes,
                                 int is_write, uint32_t owner)
{
    const uint64_t row = address / (uint64_t)c->dram_row_bytes;
    return (struct request){.row = row / (uint64_t)c->dram_banks,
                            .bank = (uint32_t)(row % (uint64_t)c->dram_banks),
                            .bytes = bytes,
                            .owner = owner,
                            .is_write = is_write};
}

/* The requests, oldest first, of a channel with these banks and this queue. Returns their number.
 */
static uint32_t in_order(uint32_t num_banks, const struct dram_bank *banks,
                         const struct dram_request *queue, struct dram_request *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < num_banks; i++)
        for (uint32_t at = banks[i].oldest; at != NO_REQUEST; at = queue[at].next) {
            uint32_t place = count++;
            for (; place > 0 && out[place - 1].number > queue[at].number; place--)
                out[place] = out[place - 1];
            out[place] = queue[at];
        }
    return count;
}

/* The observer. `before`: the channel before the tick. */
static void observe(struct stream *s, const struct dram *before, const struct dram_bank *rows,
                    const struct dram_request *queue, const struct dram *after, uint64_t tick)
{
    struct issued seen[3];
    unsigned count = 0;
    for (uint32_t i = 0; i < before->num_banks; i++) {
        const int64_t from = rows[i].row, to = after->banks[i].row;
        if (from == to)
            continue;
        assert_true(from < 0 || to < 0); /* a row is closed before another is opened */
        assert_true(count < 1);
        seen[count++] = (struct issued){.what = to < 0 ? PRECHARGE : ACTIVATE,
                                        .bank = i,
                                        .tick = tick,
                                        .row = (uint64_t)(to < 0 ? from : to)};
    }
    assert_in_range(before->count - after->count, 0, 1);
    if (after->count < before->count) {
        struct dram_request old[64], new[64];
        uint32_t left = 0;
        in_order(before->num_banks, rows, queue, old);
        assert_int_equal(in_order(after->num_banks, after->banks, after->queue, new), after->count);
        while (left < after->count && old[left].number == new[left].number)
            left++;
        const struct dram_request *r = &old[left];
        assert_int_equal(rows[r->bank].row, r->row); /* its row was open */
        seen[count++] = (struct issued){
            .what = r->is_write ? WRITE : READ, .bank = r->bank, .bytes = r->bytes, .tick = tick};
    }
    for (unsigned i = 0; i < count; i++) {
        const enum rule broken = forbids(s, &seen[i], 1);
        if (broken != NUM_RULES)
            fail_msg("%s is broken in tick %llu", rule_names[broken], (unsigned long long)tick);
    }
    for (unsigned i = 0; i < count; i++)
        issue(s, &seen[i]);
}

/* The restated scheduler. */
struct model {
    const struct config *c;
    struct stream stream;
    struct request queue[64];
    unsigned count;
    int64_t open[64];
    uint64_t tick; /* the next */
    struct {
        uint64_t data_ends, due; /* due: 0: not known yet */
        uint32_t owner;
    } replies[REPLIES];
    unsigned first_reply, num_replies;
    struct dram_counters counters;
};

static int row_wanted(const struct model *m, uint32_t bank)
{
    for (unsigned i = 0; i < m->count; i++)
        if (m->queue[i].bank == bank && m->open[bank] == (int64_t)m->queue[i].row)
            return 1;
    return 0;
}

/* The oldest request whose row is open and which is allowed; -1: none. */
static int first_ready(const struct model *m, struct issued *command)
{
    for (unsigned i = 0; i < m->count; i++) {
        const struct request *r = &m->queue[i];
        if (m->open[r->bank] != (int64_t)r->row)
            continue;
        *command = (struct issued){.what = r->is_write ? WRITE : READ,
                                   .bank = r->bank,
                                   .bytes = r->bytes,
                                   .tick = m->tick};
        if (forbids(&m->stream, command, 0) == NUM_RULES)
            return (int)i;
    }
    return -1;
}

/* The oldest request, each the oldest of its bank, for which a row can be closed or opened; a row
 * that somebody wants stays open. */
static int first_row(const struct model *m, struct issued *command)
{
    uint64_t looked_at = 0;
    for (unsigned i = 0; i < m->count; i++) {
        const struct request *r = &m->queue[i];
        if (row_wanted(m, r->bank) || looked_at >> r->bank & 1)
            continue;
        looked_at |= UINT64_C(1) << r->bank;
        *command = (struct issued){
            .what = m->open[r->bank] < 0 ? ACTIVATE : PRECHARGE, .bank = r->bank, .tick = m->tick};
        if (forbids(&m->stream, command, 0) == NUM_RULES)
            return (int)i;
    }
    return -1;
}

static void model_column(struct model *m, unsigned index, const struct issued *command)
{
    const struct request r = m->queue[index];
    memmove(&m->queue[index], &m->queue[index + 1], (--m->count - index) * sizeof r);
    m->counters.reads += !r.is_write;
    m->counters.writes += (uint64_t)r.is_write;
    m->counters.bytes += r.bytes;
    m->counters.row_hits += !r.opened;
    m->counters.bus_busy += burst(m->c, r.bytes);
    if (r.is_write)
        return;
    m->replies[m->num_replies].data_ends = data_ends(m->c, command);
    m->replies[m->num_replies].due = 0;
    m->replies[m->num_replies++].owner = r.owner;
}

static void model_tick(struct model *m)
{
    struct issued column, row;
    m->counters.queue_occupancy += m->count;
    const int ready = first_ready(m, &column), opening = first_row(m, &row);
    if (opening >= 0) {
        issue(&m->stream, &row);
        m->open[row.bank] = row.what == ACTIVATE ? (int64_t)m->queue[opening].row : -1;
        m->queue[opening].opened |= row.what == ACTIVATE;
        m->counters.activates += row.what == ACTIVATE;
    }
    if (ready >= 0) {
        issue(&m->stream, &column);
        model_column(m, (unsigned)ready, &column);
    }
    m->tick++;
}

/* All ticks that have begun by this core cycle, and the replies whose data has come. */
static void model_step(struct model *m, uint64_t cycle)
{
    while (m->tick * (uint64_t)m->c->gpu_clock_mhz <= cycle * (uint64_t)m->c->dram_clock_mhz)
        model_tick(m);
    for (unsigned i = m->first_reply; i < m->num_replies; i++)
        if (!m->replies[i].due && m->replies[i].data_ends < m->tick)
            m->replies[i].due = cycle + (uint64_t)m->c->dram_latency;
}

static void compare(const struct model *m, const struct dram *d)
{
    assert_int_equal(d->count, m->count);
    struct dram_request queue[64];
    assert_int_equal(in_order(d->num_banks, d->banks, d->queue, queue), m->count);
    for (unsigned i = 0; i < m->count; i++)
        assert_int_equal(queue[i].owner, m->queue[i].owner);
    for (uint32_t i = 0; i < d->num_banks; i++)
        assert_int_equal(d->banks[i].row, m->open[i]);
}

static void compare_replies(struct model *m, struct dram *d, uint64_t cycle)
{
    uint32_t owner;
    while (dram_receive(d, cycle, &owner)) {
        assert_true(m->first_reply < m->num_replies);
        assert_int_equal(m->replies[m->first_reply].due, cycle);
        assert_int_equal(m->replies[m->first_reply++].owner, owner);
    }
    const unsigned next = m->first_reply;
    assert_true(next == m->num_replies || !m->replies[next].due || m->replies[next].due > cycle);
}

/* Few rows of few banks, so that everything meets: hits, conflicts, both directions. */
static uint64_t some_address(const struct config *c, unsigned rows)
{
    const uint64_t banks = (uint64_t)c->dram_banks < 6 ? (uint64_t)c->dram_banks : 6;
    const uint64_t row = below(rows) * (uint64_t)c->dram_banks + below((uint32_t)banks);
    return row * (uint64_t)c->dram_row_bytes + below((uint32_t)c->dram_row_bytes / 128) * 128;
}

static struct dram_counters total;

/* Random traffic; `busy` of 64 cycles bring a request. */
static void random_run(const struct config *c, unsigned busy, unsigned rows)
{
    static struct model m;
    static struct dram_bank rows_before[64];
    static struct dram_request queue_before[64];
    struct dram d = {0};
    struct stream observed = {.c = c};
    uint32_t sent = 0;
    memset(&m, 0, sizeof m);
    m.c = m.stream.c = c;
    m.tick = 1; /* a request that is sent in cycle 0 is seen in tick 1 */
    for (unsigned i = 0; i < 64; i++)
        m.open[i] = -1;
    assert_int_equal(dram_init(&d, c, REPLIES), 0);
    for (uint64_t cycle = 0; sent < 3000 || d.count; cycle++) {
        const struct dram before = d;
        memcpy(rows_before, d.banks, d.num_banks * sizeof *d.banks);
        memcpy(queue_before, d.queue, d.places * sizeof *d.queue);
        const int left = dram_step(&d, cycle);
        model_step(&m, cycle);
        compare(&m, &d);
        assert_int_equal(left, d.count < before.count);
        if (c->dram_clock_mhz <= c->gpu_clock_mhz) /* at most one tick in a cycle */
            observe(&observed, &before, rows_before, queue_before, &d, m.tick - 1);
        compare_replies(&m, &d, cycle);
        if (sent < 3000 && dram_room(&d, 1) && below(64) < busy) {
            const uint64_t address = some_address(c, rows);
            const uint32_t bytes = 32 + below(4) * 32;
            const int is_write = below(8) < (sent / 256 % 2 ? 5 : 1); /* in phases */
            dram_send(&d, cycle, address, bytes, is_write, sent);
            m.queue[m.count++] = as_request(c, address, bytes, is_write, sent++);
        }
        if (cycle % 1000 == 0)
            dram_account(&d, cycle);
    }
    assert_memory_equal(&d.counters, &m.counters, sizeof m.counters);
    ADD_COUNTS(total, m.counters);
    dram_free(&d);
}

static void random_traffic(void **state)
{
    (void)state;
    static const struct {
        int64_t core, dram, queue, rate, banks;
        unsigned busy, rows;
    } shapes[] = {
        {1000, 1000, 32, 32, 16, 20, 4}, {1400, 924, 32, 32, 16, 16, 3},
        {1400, 924, 8, 64, 2, 40, 2},    {1000, 333, 16, 128, 6, 10, 2},
        {700, 1750, 32, 32, 16, 60, 4},  {1481, 2500, 64, 24, 8, 40, 3},
        {1000, 1000, 2, 16, 1, 60, 2},   {1, 1, 16, 4, 4, 8, 2},
    };
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct config c = test_config();
        c.gpu_clock_mhz = shapes[i].core, c.dram_clock_mhz = shapes[i].dram;
        c.dram_queue = shapes[i].queue, c.dram_bytes_per_cycle = shapes[i].rate;
        c.dram_banks = shapes[i].banks;
        random_run(&c, shapes[i].busy, shapes[i].rows);
        /* Other timings, each the longest once. */
        c.dram_tCCD = 9, c.dram_tRRD = 17, c.dram_tRCD = 5, c.dram_tRAS = 40, c.dram_tRP = 7;
        c.dram_tRC = 60, c.dram_tCL = 4, c.dram_tWL = 11, c.dram_tCDLR = 15, c.dram_tWR = 30;
        random_run(&c, shapes[i].busy, shapes[i].rows);
        c.dram_tCCD = 1; /* column commands in successive ticks */
        random_run(&c, shapes[i].busy, shapes[i].rows);
    }
    ASSERT_ALL_REACHED(total, 100);
    for (unsigned i = 0; i < NUM_RULES; i++)
        if (!tight[i])
            fail_msg("no command came as early as %s allows", rule_names[i]);
}

/* When the answer to a read of an idle channel is there. */
static uint64_t read_at(struct dram *d, uint64_t cycle, uint64_t address)
{
    uint32_t owner;
    dram_send(d, cycle, address, 128, 0, 7);
    while (dram_event(d) != NEVER) {
        cycle = dram_event(d);
        dram_step(d, cycle);
        if (dram_receive(d, cycle, &owner))
            return cycle;
    }
    fail_msg("no answer");
    return 0;
}

/* A row that is open, none open, another one open. */
static void latencies(void **state)
{
    (void)state;
    static const int64_t clocks[][2] = {{1000, 1000}, {1400, 924}, {1000, 1750}, {1417, 1848}};
    for (unsigned i = 0; i < 4; i++) {
        struct config c = test_config();
        c.gpu_clock_mhz = clocks[i][0], c.dram_clock_mhz = clocks[i][1];
        struct dram d = {0};
        assert_int_equal(dram_init(&d, &c, 4), 0);
        const uint64_t row_of_bank = (uint64_t)(c.dram_row_bytes * c.dram_banks);
        const struct {
            uint64_t address;
            int64_t row_commands;
        } reads[] = {{0, c.dram_tRCD},
                     {128, 0},
                     {row_of_bank, c.dram_tRP + c.dram_tRCD},
                     {(uint64_t)c.dram_row_bytes, c.dram_tRCD},
                     {row_of_bank + 256, 0}};
        for (unsigned j = 0; j < 5; j++) {
            const double ratio = (double)clocks[i][0] / (double)clocks[i][1];
            const uint64_t cycle = 10007 * (j + 1);
            const uint64_t tick = (uint64_t)((double)cycle / ratio) + 1; /* that sees it */
            const double data = (double)(tick + (uint64_t)(reads[j].row_commands + c.dram_tCL) +
                                         128 / (uint64_t)c.dram_bytes_per_cycle);
            const double whole = data * ratio; /* the core cycle by which it has come */
            uint64_t expected = (uint64_t)whole;
            expected += (double)expected < whole;
            assert_int_equal(read_at(&d, cycle, reads[j].address),
                             expected + (uint64_t)c.dram_latency);
        }
        dram_free(&d);
    }
}

/* Requests for one open row, more than enough: the data bus never rests. */
static void rate_of_row_hits(void **state)
{
    (void)state;
    for (int is_write = 0; is_write < 2; is_write++)
        for (int64_t rate = 8; rate <= 64; rate *= 2) {
            struct config c = test_config();
            struct dram d = {0};
            uint32_t owner, sent = 0;
            uint64_t cycle = 0, began = 0, begun_with = 0;
            c.dram_bytes_per_cycle = rate;
            assert_int_equal(dram_init(&d, &c, 1024), 0);
            for (; d.counters.reads + d.counters.writes < 1000; cycle++) {
                dram_step(&d, cycle);
                while (dram_receive(&d, cycle, &owner))
                    ;
                if (!began && d.counters.bytes) {
                    began = cycle;
                    begun_with = d.counters.bytes;
                }
                while (sent < 1000 && dram_room(&d, 1))
                    dram_send(&d, cycle, sent++ % 16 * 128, 128, is_write, 0);
            }
            assert_int_equal(d.counters.activates, 1);
            assert_int_equal(d.counters.row_hits, 999);
            /* From the first column command to the last, both clocks being the same. */
            assert_int_equal((cycle - 1 - began) * (uint64_t)rate, d.counters.bytes - begun_with);
            dram_free(&d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(latencies),
        cmocka_unit_test(rate_of_row_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
