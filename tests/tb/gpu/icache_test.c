/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/icache_test.c: fetches through the instruction cache, against a dumb restatement: each
 * set is a list of lines, most recently used first; each warp has a list of what it was given since it
 * last jumped, and what it issues must be the first of it. Kernels are random, several times longer
 * than the cache, and warps go ways of their own. Faults between SM and cache are each found. */
#define l1_load watched_load
#define l1_fill watched_fill
#include "tb/mem/l1.c"
#undef l1_load
#undef l1_fill
#include <inttypes.h>

#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/bench.h"
#include "tests/tb/mem/random.h"

#define CODE     UINT64_C(0x4000000000000000) /* the first kernel's */
#define MOST     16                           /* sets, ways, fetches */
#define NOTHING  UINT32_MAX
#define TIMEOUT  20000 /* cycles: far more than a line takes */
#define MAX_TEXT (1 << 16)

/* What the test does to a machine that is right. */
#define FAULTS(F)                                                                                  \
    F(NO_FAULT)                                                                                    \
    F(HIT_WITHOUT_LINE)                                                                            \
    F(HIT_WITHOUT_TOUCH)                                                                           \
    F(ANOTHER_LINE)                                                                                \
    F(LINE_IS_LOST)                                                                                \
    F(LINE_FOR_THE_PAST)
enum fault {
#define FAULT(name) name,
    FAULTS(FAULT)
#undef FAULT
        NUM_FAULTS
};
static const char *const fault_names[] = {
#define FAULT(name) #name,
    FAULTS(FAULT)
#undef FAULT
};

struct given {
    uint32_t pc;
    uint64_t since; /* cycle */
};
struct reader {
    uint32_t flushes;
    uint32_t awaits; /* PC, or NOTHING */
    struct given given[8];
    unsigned count;
};
struct place {
    uint64_t line;
    unsigned waiters; /* 0: it is here */
};

static struct sm_model {
    struct sm *sm;
    struct listener guest;
    struct place sets[MOST][MOST];
    unsigned held[MOST], coming;
    uint64_t asked[NUM_SCHEDULERS]; /* the last cycle in which a scheduler did */
    struct reader readers[NUM_SLOTS];
    struct l1_counters counters;
} models[NUM_SMS];

static struct config c;
static uint64_t code;
static enum fault planted;
static unsigned until_fault;
static char wrong[256]; /* what was found first */

__attribute__((format(printf, 1, 2))) static void found(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!*wrong)
        vsnprintf(wrong, sizeof wrong, format, args);
    va_end(args);
}

static int due(enum fault f)
{
    return planted == f && until_fault && !--until_fault;
}

static uint64_t line_of(uint32_t pc)
{
    return (code + 8 * (uint64_t)pc) / (uint64_t)c.l1i_line * (uint64_t)c.l1i_line;
}

/* A warp that has jumped forgets what it was given and what it waits for. */
static struct reader *reader_of(struct sm_model *m, unsigned warp)
{
    struct reader *r = &m->readers[warp];
    const uint32_t flushes = m->sm->schedulers[warp / NUM_WARPS].flushes[warp % NUM_WARPS];
    if (r->flushes != flushes)
        *r = (struct reader){.flushes = flushes, .awaits = NOTHING};
    return r;
}

static void give(struct reader *r, uint32_t pc, uint64_t cycle)
{
    if (r->count == c.sm_ibuffer_entries)
        found("a warp fetches more than its buffer holds");
    else
        r->given[r->count++] = (struct given){pc, cycle};
}

/* The instruction that a warp must fetch next; the last one again behind the end. */
static uint32_t next_of(const struct sm_model *m, const struct reader *r, unsigned warp)
{
    const uint32_t last = m->sm->kernels[0].launch->kernel->num_uops - 1;
    const uint32_t pc = r->count ? r->given[r->count - 1].pc + 1
                                 : m->sm->schedulers[warp / NUM_WARPS].warps[warp % NUM_WARPS].pc;
    return pc > last ? last : pc;
}

static unsigned set_of(uint64_t line)
{
    return (unsigned)(line / (uint64_t)c.l1i_line % (uint64_t)c.l1i_sets);
}

static int position(const struct sm_model *m, uint64_t line)
{
    for (unsigned i = 0; i < m->held[set_of(line)]; i++)
        if (m->sets[set_of(line)][i].line == line)
            return (int)i;
    return -1;
}

static struct place *to_front(struct sm_model *m, uint64_t line, int from)
{
    struct place *set = m->sets[set_of(line)], moved = set[from];
    memmove(&set[1], &set[0], (unsigned)from * sizeof moved);
    set[0] = moved;
    return &set[0];
}

static enum l1_result refuse(struct sm_model *m, enum l1_failure why)
{
    m->counters.failures[why]++;
    return L1_FAILED;
}

/* What the cache must answer; `room`: in the queue to the memory. */
static enum l1_result expected(struct sm_model *m, uint64_t line, int room)
{
    const unsigned s = set_of(line);
    int at = position(m, line), out = -1;
    if (at >= 0 && m->sets[s][at].waiters == c.l1i_mshr_merge)
        return refuse(m, L1_FAIL_merge_full);
    if (at < 0) {
        for (unsigned i = 0; i < m->held[s]; i++)
            out = m->sets[s][i].waiters ? out : (int)i;
        if (m->held[s] == c.l1i_ways && out < 0)
            return refuse(m, L1_FAIL_no_way);
        if (m->coming == c.l1i_mshrs)
            return refuse(m, L1_FAIL_no_mshr);
        if (!room)
            return refuse(m, L1_FAIL_queue_full);
        m->counters.evictions += m->held[s] == c.l1i_ways;
        at = m->held[s] == c.l1i_ways ? out : (int)m->held[s]++;
        m->sets[s][at] = (struct place){line, 0};
        m->coming++;
        m->counters.accesses++, m->counters.misses++;
        to_front(m, line, at)->waiters = 1;
        return L1_MISS;
    }
    struct place *p = to_front(m, line, at);
    m->counters.accesses++;
    if (!p->waiters)
        return m->counters.hits++, L1_HIT;
    p->waiters++;
    m->counters.misses++, m->counters.mshr_merged++;
    return L1_MERGED;
}

/* Between the SM and its caches. */
enum l1_result l1_load(struct l1 *l, uint64_t cycle, uint64_t line, uint8_t sectors,
                       const struct l1_user *u, int pollute, enum l1_failure *failure)
{
    struct sm_model *m = &models[l->port];
    if (!m->sm || l != m->sm->l1i)
        return watched_load(l, cycle, line, sectors, u, pollute, failure);
    struct reader *r = reader_of(m, u->warp);
    const uint32_t pc = next_of(m, r, u->warp);
    uint64_t *asked = &m->asked[u->warp / NUM_WARPS];
    if (*asked == cycle)
        found("cycle %" PRIu64 ": a scheduler asks twice", cycle);
    *asked = cycle;
    if (r->awaits != NOTHING)
        found("cycle %" PRIu64 ": warp %u asks while it waits", cycle, u->warp);
    if (line != line_of(pc))
        found("cycle %" PRIu64 ": warp %u asks for %#" PRIx64 "; expected %#" PRIx64, cycle,
              u->warp, line, line_of(pc));
    const int room = memory_room(l->memory, l->port, cycle);
    const int64_t way = tags_find(&l->tags, line);
    const uint64_t order = way < 0 ? 0 : l->tags.order[way];
    enum l1_result result =
        watched_load(l, cycle, due(ANOTHER_LINE) ? line + (uint64_t)c.l1i_line : line, sectors, u,
                     pollute, failure);
    if (result == L1_HIT && planted == HIT_WITHOUT_TOUCH)
        l->tags.order[way] = order;
    if (result == L1_MISS && due(HIT_WITHOUT_LINE))
        result = L1_HIT;
    const enum l1_result right = expected(m, line, room);
    if (result != right)
        found("cycle %" PRIu64 ": line %#" PRIx64 ": result %d; expected %d", cycle, line, result,
              right);
    if (result == L1_HIT)
        give(r, pc, cycle);
    else if (result != L1_FAILED)
        r->awaits = pc, m->counters.waited -= cycle;
    return result;
}

uint32_t l1_fill(struct l1 *l, uint64_t cycle, uint32_t tag, const uint64_t **waiters)
{
    struct sm_model *m = &models[l->port];
    if (!m->sm || l != m->sm->l1i)
        return watched_fill(l, cycle, tag, waiters);
    const uint64_t line = l->mshrs.entries[tag - l->first_tag].line;
    const uint32_t count = watched_fill(l, cycle, tag, waiters);
    const int at = position(m, line);
    if (at < 0 || m->sets[set_of(line)][at].waiters != count) {
        found("cycle %" PRIu64 ": line %#" PRIx64 " comes for %u", cycle, line, count);
        return count;
    }
    m->sets[set_of(line)][at].waiters = 0;
    m->coming--;
    m->counters.waited += count * cycle;
    for (unsigned i = 0; i < NUM_SLOTS; i++) {
        struct reader *r = reader_of(m, i);
        if (r->awaits == NOTHING || line_of(r->awaits) != line)
            continue;
        give(r, r->awaits, cycle);
        r->awaits = NOTHING;
    }
    if (due(LINE_IS_LOST))
        return 0;
    for (uint32_t i = 0; i < count && planted == LINE_FOR_THE_PAST; i++) {
        const unsigned warp = (*waiters)[i] & 255;
        ((uint64_t *)*waiters)[i] = m->readers[warp].flushes << 8 | warp;
    }
    return count;
}

static void hear(void *context, const struct event *e)
{
    struct sm_model *m = context;
    struct reader *r = reader_of(m, (unsigned)e->of.issue.warp);
    if (!r->count || r->given[0].pc != e->of.issue.pc)
        found("cycle %" PRIu64 ": warp %u issues what it was not given", e->cycle,
              (unsigned)e->of.issue.warp);
    else if (r->given[0].since + (uint64_t)c.sm_fetch_latency > e->cycle)
        found("cycle %" PRIu64 ": warp %u issues before its fetch has ended", e->cycle,
              (unsigned)e->of.issue.warp);
    if (r->count)
        memmove(&r->given[0], &r->given[1], --r->count * sizeof r->given[0]);
}

/* A kernel of some hundred instructions: sections in a loop, which warps or lanes leave out by chance;
 * some go round on their own, %r4 times. Loads of lines of their own keep the way to memory busy. */
static void write_kernel(char *text, const char *name)
{
    text += sprintf(text,
                    ".visible .entry %s(.param .u64 p)\n{\n.reg .b32 %%r<20>;\n.reg .b64 %%rd<4>;\n"
                    ".reg .pred %%p<4>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\n"
                    "mul.wide.u32 %%rd2, %%r1, 128;\nadd.s64 %%rd2, %%rd2, %%rd1;\n"
                    "mov.u32 %%r2, %u;\nLOOP_%s:\n",
                    name, 2 + below(3), name);
    for (unsigned section = 0; section < 8; section++) {
        text += sprintf(
            text,
            "add.u32 %%r3, %%r1, %%r2;\nshr.u32 %%r3, %%r3, %u;\nand.b32 %%r3, %%r3, 1;\n"
            "setp.eq.u32 %%p1, %%r3, 0;\nmov.u32 %%r4, %u;\n@%%p1 bra SKIP_%s_%u;\nAGAIN_%s_%u:\n",
            below(4) ? 5 : below(5), below(2) ? 1 : below(8), name, section, name, section);
        for (unsigned i = 5 + below(60); i; i--)
            text += below(20) ? sprintf(text, "add.u32 %%r%u, %%r1, %%r2;\n", 5 + below(12))
                              : sprintf(text, "ld.global.u32 %%r%u, [%%rd2+%u];\n", 5 + below(12),
                                        4 * below(1024));
        text += sprintf(text,
                        "sub.u32 %%r4, %%r4, 1;\nsetp.gt.s32 %%p3, %%r4, 0;\n@%%p3 bra "
                        "AGAIN_%s_%u;\nSKIP_%s_%u:\n",
                        name, section, name, section);
    }
    sprintf(text,
            "sub.u32 %%r2, %%r2, 1;\nsetp.ne.u32 %%p2, %%r2, 0;\n@%%p2 bra LOOP_%s;\nret;\n}\n",
            name);
}

/* The machine as a kernel finds it. */
static void begin(struct bench *b)
{
    for (unsigned i = 0; i < NUM_SMS; i++) {
        struct sm_model *m = &models[i];
        struct sm_model next = {.sm = b->gpu->sms[i], .guest = m->guest};
        if (m->sm && c.l1i_keep) {
            memcpy(next.sets, m->sets, sizeof next.sets);
            memcpy(next.held, m->held, sizeof next.held);
        }
        *m = next;
        memset(m->asked, 0xff, sizeof m->asked);
        for (unsigned j = 0; j < NUM_SLOTS; j++)
            m->readers[j].flushes = ~m->sm->schedulers[j / NUM_WARPS].flushes[j % NUM_WARPS];
    }
}

/* A random machine and program; `total` gets what the model counted. */
static void run(unsigned seed, enum fault fault, struct l1_counters *total)
{
    static char text[MAX_TEXT];
    struct bench b;
    random_seed = seed;
    planted = fault;
    until_fault = 20 + below(20);
    *wrong = 0;
    c = test_config();
    c.run_deadlock_cycles = TIMEOUT;
    c.sm_ibuffer_entries = 1 + below(3);
    c.sm_fetch_latency = 1 + below(5);
    c.l1i_sets = 1 << below(4), c.l1i_ways = 1 + below(4), c.l1i_line = 32 << below(3);
    c.l1i_keep = below(2);
    c.l1i_mshrs = 1 + below(4), c.l1i_mshr_merge = 1 + below(6);
    c.l1d_miss_queue = 1 + below(4), c.xbar_buffer = 1 + below(4);
    strcpy(text, PTX_HEADER);
    write_kernel(text + strlen(text), "first");
    write_kernel(text + strlen(text), "second");
    bench_open(&b, &c, text, NULL);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        models[i].guest = (struct listener){HEARS(issue), i, hear, &models[i], NULL};
        sm_listen(b.gpu->sms[i], &models[i].guest);
    }
    const uint64_t buffer = bench_buffer(&b, 16384);
    const uint64_t second = ptx_kernel(b.module, "first")->num_uops * UINT64_C(8);
    for (unsigned launch = 0; launch < 3 && !*wrong; launch++) {
        struct l1_counters counted = {0};
        begin(&b);
        code = CODE + (launch == 1 ? (second + 255) / 256 * 256 : 0);
        bench_param(&b, buffer);
        if (bench_run(&b, launch == 1 ? "second" : "first", 4, 256) != GPU_OK)
            found("%s", b.result.message);
        for (unsigned i = 0; i < NUM_SMS; i++) {
            if (models[i].coming)
                found("a line has not come");
            ADD_COUNTS(counted, models[i].counters);
        }
        struct l1_counters said = bench_stats(&b)->sums.l1i;
        said.hits_intra_warp = said.hits_inter_warp = said.mshr_occupancy =
            0; /* l1_test has them */
        if (memcmp(&said, &counted, sizeof said))
            found("launch %u: the counts differ", launch);
        ADD_COUNTS(*total, counted);
    }
    for (unsigned i = 0; i < NUM_SMS; i++)
        models[i].sm = NULL;
    bench_close(&b);
}

static void warps_get_what_they_fetch(void **state)
{
    (void)state;
    struct l1_counters total = {0};
    for (unsigned seed = 1; seed <= 20; seed++) {
        run(seed, NO_FAULT, &total);
        if (*wrong)
            fail_msg("seed %u: %s", seed, wrong);
    }
    assert_true(total.hits > 10000 && total.misses - total.mshr_merged > 10000);
    assert_true(total.mshr_merged > 1000 && total.evictions > 1000);
    for (unsigned i = 0; i < NUM_L1_FAILURES; i++)
        if (total.failures[i] < 100)
            fail_msg("cause %u of failures came up %d times", i, (int)total.failures[i]);
}

static void faults_are_found(void **state)
{
    (void)state;
    for (enum fault fault = NO_FAULT + 1; fault < NUM_FAULTS; fault++) {
        *wrong = 0;
        for (unsigned seed = 1; seed <= 10 && !*wrong; seed++) {
            struct l1_counters unused = {0};
            run(seed, fault, &unused);
        }
        if (!*wrong)
            fail_msg("%s is not found", fault_names[fault]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_get_what_they_fetch),
        cmocka_unit_test(faults_are_found),
    };
    return cmocka_run_group_tests_name("tb/gpu/icache", tests, NULL, NULL);
}
