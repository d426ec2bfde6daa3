/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/l2_test.c: tests tb/mem/l2.c, with the test in place of crossbar and DRAM channel,
 * against a dumb restatement that looks at every cycle: each set is a list, most recently used
 * first; lines on their way carry the list of who waits. Traffic is random; what is served when,
 * what is asked of DRAM, all answers and all counts must agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/l2.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/test_config.h"

#define MAX_SETS    7
#define MAX_WAYS    4
#define MAX_WAITERS 8
#define MAX_ASKED   16 /* of DRAM in a cycle: what is replaced, what is fetched */
#define MAX_OPEN    64
#define MAX_ANSWERS 1024
#define NUMBER      1 /* among the banks of its channel */

/* What has been asked of DRAM in this cycle. */
struct asked {
    uint64_t address;
    uint32_t bytes, owner;
    int is_write;
};
static struct asked asked[MAX_ASKED];
static unsigned num_asked;

void dram_send(struct dram *d, uint64_t cycle, uint64_t address, uint32_t bytes, int is_write,
               uint32_t owner)
{
    (void)cycle;
    assert_in_range(++d->count, 1, d->places);
    asked[num_asked++] = (struct asked){address, bytes, owner, is_write};
}

struct line {
    uint64_t address;
    uint8_t valid, dirty;
    int coming;
    uint32_t owner; /* as it was asked for */
    struct packet waiters[MAX_WAITERS];
    unsigned num_waiters;
};

struct shape {
    unsigned sets, ways, mshrs, merge, interval, latency, neighbours, queue;
    unsigned busy;    /* of 16 cycles bring a request */
    unsigned serving; /* of 64 cycles the channel takes a request, and answers one */
};

struct model {
    const struct shape *shape;
    struct line sets[MAX_SETS][MAX_WAYS]; /* [0] is the most recently used */
    unsigned held[MAX_SETS], fetching;
    struct asked asks[MAX_ASKED]; /* in this cycle */
    unsigned num_asks, room;      /* places in the channel's queue, before this cycle */
    struct packet answers[MAX_ANSWERS];
    unsigned first_answer, num_answers;
    uint64_t free;
    struct l2_counters counters;
};

static unsigned set_number(const struct model *m, uint64_t line)
{
    return (unsigned)(line / 128 % m->shape->sets);
}

static struct line *to_front(struct model *m, unsigned s, unsigned from)
{
    const struct line moved = m->sets[s][from];
    memmove(&m->sets[s][1], &m->sets[s][0], from * sizeof moved);
    m->sets[s][0] = moved;
    return &m->sets[s][0];
}

/* The line, made the most recently used; or NULL. */
static struct line *find(struct model *m, uint64_t address)
{
    const unsigned s = set_number(m, address);
    for (unsigned i = 0; i < m->held[s]; i++)
        if (m->sets[s][i].address == address)
            return to_front(m, s, i);
    return NULL;
}

static unsigned bytes_of(uint8_t sectors)
{
    unsigned bytes = 0;
    for (unsigned i = 0; i < 4; i++)
        bytes += sectors >> i & 1 ? 32 : 0;
    return bytes;
}

/* Chunks of 256 bytes go to the channel's banks in turn. */
static uint64_t channel_address(const struct model *m, uint64_t line)
{
    const uint64_t chunk = line / 256;
    return (chunk * m->shape->neighbours + NUMBER) * 256 + line % 256;
}

static void ask(struct model *m, uint64_t line, uint32_t bytes, int is_write)
{
    m->asks[m->num_asks++] = (struct asked){channel_address(m, line), bytes, 0, is_write};
}

static void answer(struct model *m, uint64_t cycle, const struct packet *p)
{
    assert_true(m->num_answers - m->first_answer < MAX_ANSWERS);
    struct packet *a = &m->answers[m->num_answers++ % MAX_ANSWERS];
    *a = *p;
    a->due = cycle + m->shape->latency;
}

/* A new line at the front of its set, or NULL and one more cycle of a cause. */
static struct line *allocate(struct model *m, uint64_t address, int fetch)
{
    const unsigned s = set_number(m, address);
    int out = -1; /* the last in the list that is not coming */
    for (unsigned i = 0; i < m->held[s]; i++)
        if (!m->sets[s][i].coming)
            out = (int)i;
    const int space = m->held[s] < m->shape->ways;
    const int dirty = !space && out >= 0 && m->sets[s][out].dirty;
    if (!space && out < 0) {
        m->counters.stalled_no_way++;
        return NULL;
    }
    if (fetch && m->fetching == m->shape->mshrs) {
        m->counters.stalled_no_mshr++;
        return NULL;
    }
    if (m->room < (unsigned)(fetch + dirty)) {
        m->counters.stalled_dram_full++;
        return NULL;
    }
    if (!space) {
        const struct line old = m->sets[s][out];
        if (dirty)
            ask(m, old.address, bytes_of(old.dirty), 1);
        m->counters.evictions++;
        m->counters.writebacks += (uint64_t)dirty;
        memmove(&m->sets[s][out], &m->sets[s][out + 1],
                (m->held[s] - (unsigned)out - 1) * sizeof old);
        m->held[s]--;
    }
    m->sets[s][m->held[s]] = (struct line){.address = address};
    return to_front(m, s, m->held[s]++);
}

static int write_sectors(struct model *m, const struct packet *p)
{
    struct line *l = find(m, p->line);
    const int hit = l != NULL;
    if (!l && !(l = allocate(m, p->line, 0)))
        return 0;
    l->valid |= p->sectors;
    l->dirty |= p->sectors;
    m->counters.hits += (uint64_t)hit;
    m->counters.misses += (uint64_t)!hit;
    return 1;
}

static void fetch(struct model *m, struct line *l, const struct packet *p)
{
    l->coming = 1;
    l->waiters[0] = *p;
    l->num_waiters = 1;
    m->fetching++;
    ask(m, l->address, 128, 0);
    m->counters.misses++;
}

/* Looks for a line without counting that as a use. */
static struct line *peek(struct model *m, uint64_t address)
{
    const unsigned s = set_number(m, address);
    for (unsigned i = 0; i < m->held[s]; i++)
        if (m->sets[s][i].address == address)
            return &m->sets[s][i];
    return NULL;
}

static int read_sectors(struct model *m, uint64_t cycle, const struct packet *p)
{
    struct line *l = peek(m, p->line);
    if (l && l->coming) {
        if (l->num_waiters == m->shape->merge) {
            m->counters.stalled_merge_full++;
            return 0;
        }
        l = find(m, p->line);
        l->waiters[l->num_waiters++] = *p;
        m->counters.misses++;
        m->counters.mshr_merged++;
        return 1;
    }
    if (l && (l->valid & p->sectors) == p->sectors) {
        l = find(m, p->line);
        if (p->kind == MEMORY_ATOMIC)
            l->dirty |= p->sectors;
        m->counters.hits++;
        m->counters.read_hits += p->kind == MEMORY_READ;
        answer(m, cycle, p);
        return 1;
    }
    if (l && m->fetching == m->shape->mshrs) {
        m->counters.stalled_no_mshr++;
        return 0;
    }
    if (l && m->room < 1) {
        m->counters.stalled_dram_full++;
        return 0;
    }
    l = l ? find(m, p->line) : allocate(m, p->line, 1);
    if (l)
        fetch(m, l, p);
    return l != NULL;
}

/* The first request in this cycle. Returns whether it was served. */
static int model_step(struct model *m, uint64_t cycle, const struct packet *p)
{
    m->num_asks = 0;
    if (cycle < m->free)
        return 0;
    if (!(p->kind == MEMORY_WRITE ? write_sectors(m, p) : read_sectors(m, cycle, p)))
        return 0;
    m->counters.accesses++;
    m->counters.reads += p->kind == MEMORY_READ;
    m->free = cycle + m->shape->interval;
    return 1;
}

static void model_fill(struct model *m, uint64_t cycle, uint32_t owner)
{
    for (unsigned s = 0; s < m->shape->sets; s++)
        for (unsigned i = 0; i < m->held[s]; i++) {
            struct line *l = &m->sets[s][i];
            if (!l->coming || l->owner != owner)
                continue;
            l->coming = 0;
            l->valid = 0xf;
            m->fetching--;
            for (unsigned j = 0; j < l->num_waiters; j++) {
                if (l->waiters[j].kind == MEMORY_ATOMIC)
                    l->dirty |= l->waiters[j].sectors;
                answer(m, cycle, &l->waiters[j]);
            }
            return;
        }
    fail_msg("nobody waits for %u", owner);
}

static struct dram channel;
static uint32_t open_reads[MAX_OPEN]; /* owners */
static unsigned num_open;

/* What the bank asked is what the model asked; the lines that it fetches get their owners. */
static void compare_asked(struct model *m)
{
    assert_int_equal(num_asked, m->num_asks);
    for (unsigned i = 0; i < num_asked; i++) {
        assert_int_equal(asked[i].address, m->asks[i].address);
        assert_int_equal(asked[i].bytes, m->asks[i].bytes);
        assert_int_equal(asked[i].is_write, m->asks[i].is_write);
        if (asked[i].is_write)
            continue;
        assert_int_equal(asked[i].owner >> 16, NUMBER);
        assert_true((asked[i].owner & 0xffff) < m->shape->mshrs);
        for (unsigned j = 0; j < num_open; j++)
            assert_int_not_equal(open_reads[j], asked[i].owner);
        open_reads[num_open++] = asked[i].owner;
        for (unsigned s = 0; s < m->shape->sets; s++)
            for (unsigned j = 0; j < m->held[s]; j++)
                if (channel_address(m, m->sets[s][j].address) == asked[i].address)
                    m->sets[s][j].owner = asked[i].owner;
    }
}

static void compare_answers(struct model *m, struct l2_bank *b, uint64_t cycle)
{
    while (packets_due(&b->replies) <= cycle) {
        const struct packet *p = packets_at(&b->replies, 0);
        assert_true(m->first_answer < m->num_answers);
        const struct packet *a = &m->answers[m->first_answer++ % MAX_ANSWERS];
        assert_int_equal(p->due, a->due);
        assert_int_equal(p->port, a->port);
        assert_int_equal(p->tag, a->tag);
        assert_int_equal(p->sectors, a->sectors);
        packets_pop(&b->replies);
    }
    if (m->first_answer < m->num_answers)
        assert_true(m->answers[m->first_answer % MAX_ANSWERS].due > cycle);
}

/* The channel and its other banks: requests come and go, and one is answered. */
static int channel_moves(struct model *m, struct l2_bank *b, uint64_t cycle)
{
    int moved = 0;
    if (channel.count < channel.places && below(64) < 4)
        channel.count++;
    if (channel.count && below(64) < m->shape->serving) {
        channel.count--;
        moved = 1;
    }
    if (num_open && below(64) < m->shape->serving) {
        const unsigned chosen = below(num_open);
        const uint32_t owner = open_reads[chosen];
        open_reads[chosen] = open_reads[--num_open];
        model_fill(m, cycle, owner);
        l2_fill(b, cycle, owner & 0xffff);
        moved = 1;
    }
    m->room = channel.places - channel.count;
    return moved;
}

static void request(struct packet_queue *q, uint64_t cycle)
{
    static const uint8_t kinds[] = {MEMORY_READ, MEMORY_READ, MEMORY_WRITE, MEMORY_ATOMIC};
    const uint64_t last = q->count ? packets_at(q, q->count - 1)->due : 0;
    struct packet p = {.due = cycle + below(20),
                       .line = (below(4) ? below(12) : below(90)) * 128,
                       .port = (uint16_t)below(30),
                       .tag = (uint16_t)below(1000),
                       .kind = kinds[below(4)],
                       .sectors = (uint8_t)(1 + below(15))};
    p.due = p.due > last ? p.due : last; /* the crossbar's order is another test's */
    packets_push(q, &p);
}

static void random_run(const struct shape *shape, struct l2_counters *total)
{
    struct config c = test_config();
    struct l2_bank b = {0};
    struct packet_queue requests = {0};
    struct model m = {.shape = shape};
    c.l2_banks = shape->neighbours * c.dram_channels;
    c.l2_sets = shape->sets, c.l2_ways = shape->ways, c.l2_mshrs = shape->mshrs;
    c.l2_mshr_merge = shape->merge, c.l2_interval = shape->interval, c.l2_latency = shape->latency;
    channel = (struct dram){.places = shape->queue};
    num_open = 0;
    assert_int_equal(packets_init(&requests, 64), 0);
    assert_int_equal(l2_init(&b, &c, &channel, NUMBER, &requests, MAX_ANSWERS), 0);
    for (uint64_t cycle = 0; cycle < 100000; cycle++) {
        const uint64_t event = l2_event(&b);
        const int moved = channel_moves(&m, &b, cycle);
        const struct packet head = *packets_at(&requests, 0);
        num_asked = m.num_asks = 0;
        const int expected = requests.count && head.due <= cycle ? model_step(&m, cycle, &head) : 0;
        /* Called when it has said so, when the channel moved, and sometimes for nothing. */
        int served = 0;
        if (event <= cycle || moved || below(8) == 0)
            served = l2_step(&b, cycle, moved);
        assert_int_equal(served, expected);
        if (served)
            packets_pop(&requests);
        compare_asked(&m);
        compare_answers(&m, &b, cycle);
        m.counters.mshr_occupancy += m.fetching;
        if (requests.count < 60 && below(16) < shape->busy)
            request(&requests, cycle);
    }
    l2_account(&b, 100000);
    assert_memory_equal(&b.counters, &m.counters, sizeof m.counters);
    assert_int_equal(m.counters.hits + m.counters.misses, m.counters.accesses);
    ADD_COUNTS(*total, m.counters);
    l2_free(&b);
    free(requests.packets);
}

static void random_traffic(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {4, 4, 16, 8, 2, 30, 2, 32, 8, 20}, {7, 2, 4, 2, 1, 10, 1, 4, 12, 16},
        {1, 4, 16, 3, 3, 60, 2, 8, 6, 8},   {4, 1, 16, 8, 2, 5, 4, 16, 6, 8},
        {4, 4, 8, 8, 1, 100, 2, 3, 10, 12}, {2, 3, 2, 8, 4, 20, 2, 32, 4, 30},
    };
    struct l2_counters total = {0};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        random_run(&shapes[i], &total);
    ASSERT_ALL_REACHED(total, 100);
}

static uint64_t now;
static struct l2_bank bank;
static struct packet_queue queue;

static void begin(void)
{
    const struct config c = test_config();
    bank = (struct l2_bank){0};
    queue = (struct packet_queue){0};
    channel = (struct dram){.places = 32};
    now = 1000;
    assert_int_equal(packets_init(&queue, 8), 0);
    assert_int_equal(l2_init(&bank, &c, &channel, 0, &queue, 64), 0);
}

static void end(void)
{
    l2_free(&bank);
    free(queue.packets);
}

/* Serves one request; returns the reads asked of DRAM. */
static unsigned serve(enum memory_kind kind, uint64_t line, uint8_t sectors)
{
    num_asked = 0;
    now += 100;
    packets_push(&queue,
                 &(struct packet){.due = now, .line = line, .kind = kind, .sectors = sectors});
    assert_true(l2_step(&bank, now, 0));
    packets_pop(&queue);
    return num_asked;
}

static unsigned answers(void)
{
    unsigned count = 0;
    for (now += 100; packets_due(&bank.replies) <= now; count++)
        packets_pop(&bank.replies);
    return count;
}

/* What is written is there; the other sectors of the line are not, until a read brings them; what
 * was written stays dirty. */
static void sectors(void **state)
{
    (void)state;
    const struct config c = test_config();
    begin();
    assert_int_equal(serve(MEMORY_WRITE, 0x1000, 0x1), 0);
    assert_int_equal(answers(), 0); /* a write is not answered */
    assert_int_equal(serve(MEMORY_READ, 0x1000, 0x1), 0);
    assert_int_equal(answers(), 1);
    assert_int_equal(serve(MEMORY_READ, 0x1000, 0x3), 1); /* fetched */
    assert_int_equal(answers(), 0);
    assert_int_equal(asked[0].bytes, 128);
    l2_fill(&bank, now, asked[0].owner & 0xffff);
    assert_int_equal(answers(), 1);
    assert_int_equal(serve(MEMORY_READ, 0x1000, 0xf), 0);
    assert_int_equal(serve(MEMORY_ATOMIC, 0x1000, 0x4), 0);
    assert_int_equal(answers(), 2);
    /* Other lines of the set push it out: the written and the atomic's sector go to DRAM. */
    for (uint64_t i = 1; i <= (uint64_t)c.l2_ways; i++) {
        serve(MEMORY_WRITE, 0x1000 + i * (uint64_t)c.l2_sets * 128, 0xf);
        assert_int_equal(num_asked, i == (uint64_t)c.l2_ways);
    }
    assert_true(asked[0].is_write);
    assert_int_equal(asked[0].bytes, 2 * 32);
    assert_int_equal(bank.counters.writebacks, 1);
    end();
}

/* A kernel that is given up leaves its lines, but none that nobody will bring. */
static void reset_keeps_lines(void **state)
{
    (void)state;
    begin();
    serve(MEMORY_WRITE, 0x1000, 0xf);
    assert_int_equal(serve(MEMORY_READ, 0x2000, 0x1), 1);
    l2_reset(&bank);
    assert_int_equal(packets_due(&bank.replies), NEVER);
    assert_int_equal(serve(MEMORY_READ, 0x1000, 0xf), 0);
    assert_int_equal(serve(MEMORY_READ, 0x2000, 0x1), 1); /* asked for again */
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(sectors),
        cmocka_unit_test(reset_keeps_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
