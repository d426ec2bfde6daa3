/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/memory_test.c: lockstep must notice what goes wrong in a MEMORY, and name the word.
 * The unit is a small store; its "RTL" is written here too, so that its memory can be told to lie.
 * */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cosim/inst.h"
#include "cosim/promises.h"
#include "cosim/wave.h"
#include "tests/cosim/report_text.h"

#define DEPTH 20

struct store_in {
    uint64_t write, address, data;
};
struct store_out {
    uint64_t word;
};
struct store_state {
    uint64_t last;
    uint64_t tag[DEPTH], count[DEPTH];
};

static void reset(void *state)
{
    ((struct store_state *)state)->last = 0;
}

static void comb(const void *state, const void *in, void *out)
{
    const struct store_state *s = state;
    ((struct store_out *)out)->word = s->count[((const struct store_in *)in)->address];
}

static void tick(void *state, const void *input, const void *out)
{
    struct store_state *s = state;
    const struct store_in *in = input;
    (void)out;
    s->last = in->address;
    if (in->write) {
        s->count[in->address] = in->data;
        s->tag[0] ^= 1;
    }
}

/* The model: the same with a write port that can be told to lie, and words that flip. */
static struct model {
    struct store_state s;
    struct store_in in;
    struct memory_write count;
    uint64_t cycle;
} rtl;
static enum { HONEST, LOST, MISPLACED, SPOILED, FLIPPED, INVENTED } lie;
static uint64_t lie_cycle;

static void *open_model(void)
{
    memset(&rtl, 0, sizeof rtl);
    return &rtl;
}

static void close_model(void *model)
{
    (void)model;
}

static void outputs(void *model, const void *in, void *out)
{
    struct model *m = model;
    m->in = *(const struct store_in *)in;
    m->count = (struct memory_write){m->in.write, m->in.address, m->in.data};
    if (m->cycle == lie_cycle)
        switch (lie) {
        case LOST: m->count.write = 0; break;
        case MISPLACED: m->count.address = (m->in.address + 3) % DEPTH; break;
        case SPOILED: m->count.data ^= 1; break;
        case FLIPPED: m->s.count[17] ^= 4; break;
        case INVENTED: m->count = (struct memory_write){1, 3, 0x99}; break;
        case HONEST: break;
        }
    comb(&m->s, in, out);
}

static void sample(void *model, const void *in, void *out, void *state)
{
    outputs(model, in, out);
    *(uint64_t *)state = rtl.s.last;
}

static void state_of(void *model, void *state)
{
    *(uint64_t *)state = ((struct model *)model)->s.last;
}

static void edge(void *model)
{
    struct model *m = model;
    m->cycle++;
    m->s.last = m->in.address;
    m->s.tag[0] ^= m->in.write;
    if (m->count.write)
        m->s.count[m->count.address] = m->count.data;
}

static void writes(void *model, struct memory_write *w)
{
    struct model *m = model;
    w[0] = (struct memory_write){m->in.write, 0, m->s.tag[0] ^ 1};
    w[1] = m->count;
}

static void contents(void *model, uint64_t *words)
{
    memcpy(words, ((struct model *)model)->s.tag, 2 * DEPTH * sizeof *words);
}

static void preset(void *model, const uint64_t *words)
{
    memcpy(((struct model *)model)->s.tag, words, 2 * DEPTH * sizeof *words);
}

static void reset_model(void *model)
{
    ((struct model *)model)->s.last = 0;
}

static const struct unit_model model = {open_model, close_model, sample, outputs,  state_of,
                                        edge,       reset_model, writes, contents, preset};

#define FIELD(kind, part, name, width)                                                             \
    {                                                                                              \
        kind, #name, "meaning of " #name, width, 1, width, 1, offsetof(struct store_##part, name), \
            #width                                                                                 \
    }
static const struct field fields[] = {
    FIELD(FIELD_IN, in, write, 1),      FIELD(FIELD_IN, in, address, 5),
    FIELD(FIELD_IN, in, data, 8),       FIELD(FIELD_OUT, out, word, 8),
    FIELD(FIELD_STATE, state, last, 5),
};
static const struct field memories[] = {
    {FIELD_STATE, "tag", "meaning of tag", 1, DEPTH, 1, 0, offsetof(struct store_state, tag), "1"},
    {FIELD_STATE, "count", "meaning of count", 8, DEPTH, 8, 0, offsetof(struct store_state, count),
     "8"},
};

static int never_quiet(const void *in)
{
    (void)in;
    return 0;
}

static int always_quiet(const void *in)
{
    (void)in;
    return 1;
}

static int never_idle(const void *in, const void *out)
{
    (void)in, (void)out;
    return 0;
}

static const struct unit store = {
    .stem = "store",
    .fields = fields,
    .num_fields = sizeof fields / sizeof fields[0],
    .memories = memories,
    .num_memories = 2,
    .size = {sizeof(struct store_in), sizeof(struct store_out), sizeof(uint64_t)},
    .state_size = sizeof(struct store_state),
    .quiet = never_quiet,
    .idle = never_idle,
    .reset = reset,
    .comb = comb,
    .tick = tick,
    .model = &model,
};

/* Cycle by cycle one word after the other is written, except in every fourth. */
static struct store_in input(uint64_t cycle)
{
    return (struct store_in){cycle % 4 != 3, cycle % DEPTH, cycle / DEPTH % 250 + 1};
}

/* Runs with a lie until a difference, or for `cycles`. Returns the instance; *stopped: the cycle.
 * */
static struct unit_inst *run(int a_lie, uint64_t in_cycle, uint64_t cycles, uint64_t *stopped)
{
    struct unit_inst *i = unit_open(&store, BACKEND_LOCKSTEP, "test");
    assert_non_null(i);
    unit_preset(i, 3);
    lie = a_lie;
    lie_cycle = in_cycle;
    for (*stopped = 0; *stopped < cycles; ++*stopped) {
        struct store_in in = input(*stopped);
        struct store_out out;
        if (unit_step(i, *stopped, &in, &out))
            break;
    }
    return i;
}

/* The report names these words and no others. `says` are the rows, up to their meaning. */
static void expect(struct unit_inst *i, const char *first, const char *second)
{
    char *text = report_text(i, "test");
    unsigned rows = 0;
    for (const char *row = text; (row = strstr(row, " meaning of ")); row++)
        rows++;
    assert_non_null(strstr(text, "MISMATCH  store  test  config test  cycle "));
    assert_non_null(strstr(text, first));
    if (second)
        assert_non_null(strstr(text, second));
    assert_int_equal(rows, second ? 2 : 1);
    assert_string_equal(inst_difference(i), "count");
    free(text);
    unit_close(i);
}

static void honest_memories_agree(void **unused)
{
    (void)unused;
    uint64_t stopped;
    struct unit_inst *i = run(HONEST, 0, 10000, &stopped);
    assert_int_equal(stopped, 10000);
    assert_int_equal(unit_settle(i, 10000), 0);
    assert_int_equal(unit_mismatches(i), 0);
    assert_null(inst_difference(i));
    assert_true(i->moved[0].rose == 1 && i->moved[0].fell == 1);
    assert_true(i->moved[1].rose == 0xff && i->moved[1].fell == 0xff);
    const struct store_state *s = unit_state(i);
    assert_int_equal(s->count[18], 9998 / DEPTH % 250 + 1);
    unit_close(i);
}

/* Cycle 45 writes 3 to word 5. It shows in the next cycle. */
static void writes_are_compared(void **unused)
{
    (void)unused;
    uint64_t stopped;
    struct unit_inst *i = run(LOST, 45, 100, &stopped);
    assert_int_equal(stopped, 46);
    expect(i, "\n  count[5]         0x03         0x02         meaning of count\n", NULL);
    i = run(SPOILED, 45, 100, &stopped);
    assert_int_equal(stopped, 46);
    expect(i, "\n  count[5]         0x03         0x02         meaning of count\n", NULL);
    i = run(MISPLACED, 45, 100, &stopped);
    assert_int_equal(stopped, 46);
    expect(i, "\n  count[5]         0x03         0x02         meaning of count\n",
           "\n  count[8]         0x02         0x03         meaning of count\n");
    i = run(INVENTED, 47, 100, &stopped); /* cycle 47 writes nothing */
    assert_int_equal(stopped, 48);
    expect(i, "\n  count[3] ", NULL);
}

/* The history holds the writes of both sides. */
static void writes_are_remembered(void **unused)
{
    (void)unused;
    uint64_t stopped;
    struct unit_inst *i = run(MISPLACED, 45, 100, &stopped);
    char *text = report_text(i, "test");
    assert_non_null(strstr(text, "cycle 44\n"));
    assert_non_null(strstr(text, "    count            [4]<=0x03\n"));
    assert_non_null(strstr(text, "    count            [5]<=0x03/[8]<=0x03\n"));
    free(text);
    unit_close(i);
    i = run(LOST, 45, 100, &stopped);
    text = report_text(i, "test");
    assert_non_null(strstr(text, "    count            [5]<=0x03/-\n"));
    free(text);
    unit_close(i);
}

/* Nothing is written, and the word is not read: the comparison of all words finds it, every 4096
 * cycles or when it is asked. */
static void flips_are_found(void **unused)
{
    (void)unused;
    uint64_t stopped;
    struct unit_inst *i = unit_open(&store, BACKEND_LOCKSTEP, "test");
    lie = FLIPPED;
    lie_cycle = 10;
    for (stopped = 0; stopped < 5000; stopped++) {
        struct store_in in = {.address = 2};
        struct store_out out;
        if (unit_step(i, stopped, &in, &out))
            break;
    }
    assert_int_equal(stopped, 4095);
    assert_int_equal(unit_cycles(i), 4096);
    expect(i, "\n  count[17]        0x00         0x04         meaning of count\n", NULL);

    i = unit_open(&store, BACKEND_LOCKSTEP, "test");
    for (uint64_t cycle = 0; cycle < 20; cycle++) {
        struct store_in in = {.address = 2};
        struct store_out out;
        assert_int_equal(unit_step(i, cycle, &in, &out), 0);
    }
    assert_int_equal(unit_settle(i, 20), 1);
    assert_int_equal(unit_failed_cycle(i), 20);
    expect(i, "\n  count[17]        0x00         0x04         meaning of count\n", NULL);
}

/* After the last edge nobody steps any more: what it has done is compared too. */
static void the_last_edge_is_compared(void **unused)
{
    (void)unused;
    uint64_t stopped;
    struct unit_inst *i = run(LOST, 45, 46, &stopped);
    assert_int_equal(stopped, 46);
    assert_int_equal(unit_settle(i, 46), 1);
    char *text = report_text(i, "test");
    assert_non_null(
        strstr(text, "\n  count[5]         0x03         0x02         meaning of count\n"));
    free(text);
    unit_close(i);
    i = run(HONEST, 0, 46, &stopped);
    rtl.s.last ^= 1;
    assert_int_equal(unit_settle(i, 46), 1);
    assert_string_equal(inst_difference(i), "last");
    unit_close(i);
}

/* Both sides begin alike, with zeros or with noise, and each backend shows the words of its side.
 * */
static void contents_at_the_start(void **unused)
{
    (void)unused;
    static const struct store_state zeros;
    for (int backend = 0; backend < NUM_BACKENDS; backend++) {
        struct unit_inst *i = unit_open(&store, (enum unit_backend)backend, "test");
        struct store_in in = {1, 7, 0x42};
        struct store_out out;
        lie = HONEST;
        assert_memory_equal(unit_state(i), &zeros, sizeof zeros);
        unit_preset(i, 5);
        const struct store_state *s = unit_state(i);
        uint64_t all = 0;
        for (unsigned w = 0; w < DEPTH; w++)
            all |= s->count[w];
        assert_int_equal(all, 0xff);
        if (backend != BACKEND_C)
            assert_memory_equal(rtl.s.count, s->count, sizeof s->count);
        assert_int_equal(unit_step(i, 0, &in, &out), 0);
        s = unit_state(i);
        assert_int_equal(s->count[7], 0x42);
        assert_int_equal(s->last, 7);
        unit_close(i);
    }
}

/* A contract that promises quiet cycles while a word is written. */
static void quiet_writes_are_found(void **unused)
{
    (void)unused;
    struct unit lying = store;
    struct store_state before = {0}, after = {0};
    struct store_in in = {0};
    struct store_out out = {0};
    uint8_t scratch[sizeof in + sizeof out + sizeof after];
    char reason[160];
    lying.quiet = always_quiet;
    assert_false(promise_broken(&lying, &before, &in, &out, NULL, &after, scratch, reason, 160));
    assert_true(promise_broken(&lying, &before, &in, &out, "count", &after, scratch, reason, 160));
    assert_string_equal(reason, "QUIET holds, but MEMORY count is written");
}

static int times(const char *text, const char *word)
{
    int n = 0;
    while ((text = strstr(text, word)))
        n++, text++;
    return n;
}

/* The waveform shows the word that changes, on both sides. Cycle 1 writes 0x42 to word 9; the RTL
 * writes 0x43. */
static void waves_show_writes(void **unused)
{
    (void)unused;
    for (int backend = 0; backend < NUM_BACKENDS; backend++) {
        char folder[] = "/tmp/heddle-memory-XXXXXX", spec[64], command[128], text[65536];
        assert_non_null(mkdtemp(folder));
        snprintf(spec, sizeof spec, "%s/a.fst", folder);
        snprintf(command, sizeof command, "fst2vcd %s/a.fst && rm -r %s", folder, folder);
        struct wave *w = wave_open(spec, stderr);
        struct unit_inst *i = unit_open(&store, (enum unit_backend)backend, "test");
        assert_non_null(w);
        lie = SPOILED;
        lie_cycle = 1;
        assert_int_equal(unit_trace_declare(i, w), 0);
        unit_trace_show(i, w);
        for (uint64_t cycle = 0; cycle < 3; cycle++) {
            struct store_in in = {cycle == 1, cycle == 1 ? 9 : 2, 0x42};
            struct store_out out;
            wave_cycle(w, cycle);
            unit_step(i, cycle, &in, &out);
            unit_trace(i, w, cycle, &in);
        }
        assert_int_equal(wave_close(w), 0);
        unit_close(i);
        FILE *pipe = popen(command, "r");
        const size_t length = fread(text, 1, sizeof text - 1, pipe);
        text[length] = 0;
        assert_int_equal(pclose(pipe), 0);
        assert_non_null(strstr(text, " count_write $end"));
        assert_non_null(strstr(text, " count_address [4:0] $end"));
        assert_non_null(strstr(text, "b01001 "));
        assert_int_equal(times(text, "b01000010 "), 1 + (backend != BACKEND_RTL)); /* and in.data */
        assert_int_equal(times(text, "b01000011 "), backend != BACKEND_C);
        assert_int_equal(!!strstr(text, " count $end"), backend == BACKEND_LOCKSTEP); /* differ */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_memories_agree),     cmocka_unit_test(writes_are_compared),
        cmocka_unit_test(writes_are_remembered),     cmocka_unit_test(flips_are_found),
        cmocka_unit_test(the_last_edge_is_compared), cmocka_unit_test(contents_at_the_start),
        cmocka_unit_test(quiet_writes_are_found),    cmocka_unit_test(waves_show_writes),
    };
    return cmocka_run_group_tests_name("cosim/memory", tests, NULL, NULL);
}
