/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_pair_test.c: the trace of kernels that run at once: the same bytes as if they had followed each other, as none sees
 * the other's memory; and what becomes of it where one fails. */
#include "tb/gpu/trace.h"
#include "tests/tb/gpu/trace_folder.h"
#include "tests/tb/gpu/trace_reader.h"

#define SPACE (UINT64_C(1) << 42) /* from one address space to the next */

static const uint32_t grid[3] = {3, 2, 4}, block[3] = {33, 2, 2};

/* A kernel, and the number as which it runs. */
struct one {
    const char *kernel;
    unsigned number;
    struct gmem *memory; /* NULL: the machine's */
    uint32_t space;
    uint64_t buffer;
    struct gpu_result result;
};

static void open_machine(struct bench *b, const char *backend, int64_t threads, const char *folder)
{
    struct config c = test_config();
    strcpy(c.run_dispatch, "kmu");
    strcpy(c.run_backend, backend);
    c.run_threads = threads;
    c.sm_max_blocks = 3;
    bench_open(b, &c, program, NULL);
    assert_int_equal(gpu_trace(b->gpu, folder, stderr), 0);
}

static enum gpu_status begin(struct bench *b, struct one *o)
{
    struct gmem *const memory = o->memory ? o->memory : gpu_memory(b->gpu);
    o->buffer = gmem_alloc(memory, 80000, NULL);
    assert_int_not_equal(o->buffer, 0);
    const int ends_soon = !strcmp(o->kernel, "nothing");
    const struct gpu_launch l = {
        .kernel = ptx_kernel(b->module, o->kernel),
        .params = (const uint8_t *)&o->buffer,
        .grid = {ends_soon ? 1 : grid[0], ends_soon ? 1 : grid[1], ends_soon ? 1 : grid[2]},
        .block = {block[0], block[1], block[2]},
        .work_dim = 3,
        .dynamic_shared = 48,
        .gmem = o->memory,
        .space = o->space};
    return gpu_begin(b->gpu, o->number, &l, &o->result);
}

static unsigned advance(struct bench *b)
{
    unsigned ended;
    assert_int_equal(gpu_advance(b->gpu, &ended), GPU_OK);
    return ended;
}

struct machine {
    const char *backend;
    int64_t threads;
    int beside;     /* the first two run at once, and the third beside who is left */
    uint32_t space; /* of the second; unless it is 0, both have memory of their own */
};

static unsigned first_to_end;    /* of two that run at once */
static uint64_t instructions[3]; /* of the three */

/* Three kernels, and a copy behind the beginning of the second. */
static void run(const struct machine *m, const char *folder)
{
    struct bench b;
    open_machine(&b, m->backend, m->threads, folder);
    struct one first = {.kernel = "everything"},
               second = {.kernel = "uneven", .number = 1, .space = m->space},
               third = {.kernel = "everything"};
    if (m->space) {
        first.memory = third.memory = gmem_new();
        second.memory = gmem_new();
    }
    assert_int_equal(begin(&b, &first), GPU_OK);
    if (!m->beside)
        assert_int_equal(advance(&b), 0);
    assert_int_equal(begin(&b, &second), GPU_OK);
    gpu_copied(b.gpu, first.buffer + 4, 400);
    if (m->beside)
        first_to_end = advance(&b);
    else
        assert_int_equal(advance(&b), 1);
    third.number = first_to_end;
    assert_int_equal(begin(&b, &third), GPU_OK);
    for (int i = 0; i <= m->beside; i++)
        advance(&b);
    const struct stats *s = &b.gpu->stats;
    memset(instructions, 0, sizeof instructions);
    assert_int_equal(s->num_kernels, 3);
    for (unsigned i = 0; i < 3; i++) {
        const int is_second = !strcmp(s->kernels[i].name, "uneven");
        const int which = is_second ? 1 : instructions[0] ? 2 : 0;
        instructions[which] = s->kernels[i].sums.sm.warp_instructions;
        assert_int_equal(s->kernels[i].shares, m->beside);
    }
    if (m->space) {
        gmem_free_all(first.memory);
        gmem_free_all(second.memory);
    }
    bench_close(&b);
}

static void same_files(const char *one, const char *other)
{
    static const char *const names[] = {"kernelslist.g", "kernel-1.traceg", "kernel-2.traceg",
                                        "kernel-3.traceg"};
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
        char *a = text_of(one, names[n]), *b = text_of(other, names[n]);
        if (strcmp(a, b))
            fail_msg("%s of %s and %s differ", names[n], one, other);
        free(a);
        free(b);
    }
    has_files(one, 4);
}

static void as_if_one_followed_the_other(void **unused)
{
    (void)unused;
    static const struct machine machines[] = {
        {"c", 1, 1, 0}, {"rtl", 2, 1, 0}, {"lockstep", 3, 1, 0}, {"c", 1, 0, 0}};
    char beside[128], other[128];
    folder_of("beside", beside);
    run(&machines[0], beside);
    for (unsigned i = 1; i < sizeof machines / sizeof *machines; i++) {
        folder_of("other", other);
        run(&machines[i], other);
        same_files(beside, other);
    }
}

static uint64_t lines_of(const struct read_kernel *k)
{
    uint64_t lines = 0;
    for (uint64_t b = 0; b < k->num_blocks; b++)
        for (uint32_t w = 0; w < k->num_warps; w++)
            lines += k->blocks[b].warps[w].count;
    return lines;
}

/* In the order in which they began; each a stream of its own, with as many lines as its warps have issued instructions. */
static void each_has_its_file(void **unused)
{
    (void)unused;
    static const struct machine m = {"c", 1, 1, 0};
    static const char *const names[] = {"everything", "uneven", NULL, "everything"};
    char folder[128], reason[READ_REASON];
    folder_of("each", folder);
    run(&m, folder);
    struct read_trace *t = trace_read(folder, reason);
    if (!t)
        fail_msg("%s", reason);
    assert_int_equal(t->count, 4);
    uint64_t id = 0;
    for (unsigned i = 0; i < 4; i++) {
        const struct read_kernel *k = t->commands[i].kernel;
        if (!names[i]) {
            assert_null(k);
            assert_int_equal(t->commands[i].bytes, 400);
            continue;
        }
        const unsigned streams[] = {0, 1, first_to_end};
        assert_string_equal(k->name, names[i]);
        assert_int_equal(k->stream, streams[id]);
        assert_int_equal(lines_of(k), instructions[id]);
        assert_int_equal(k->id, ++id);
        assert_int_equal(k->num_blocks, grid[0] * grid[1] * grid[2]);
    }
    trace_read_free(t);
}

static int is_global(const char *opcode)
{
    return !strncmp(opcode, "LDG", 3) || !strncmp(opcode, "STG", 3) ||
           !strncmp(opcode, "ATOM", 4) || !strncmp(opcode, "RED", 3);
}

/* But for `distance` between their addresses in global memory. Returns how many of these there are. */
static uint64_t same_lines(const struct read_kernel *a, const struct read_kernel *b,
                           uint64_t distance)
{
    uint64_t addresses = 0;
    assert_int_equal(a->num_blocks, b->num_blocks);
    for (uint64_t i = 0; i < a->num_blocks; i++)
        for (uint32_t w = 0; w < a->num_warps; w++) {
            const struct read_warp *x = &a->blocks[i].warps[w], *y = &b->blocks[i].warps[w];
            assert_int_equal(x->count, y->count);
            for (uint64_t n = 0; n < x->count; n++)
                for (unsigned lane = 0; lane < 32; lane++) {
                    const struct read_line *p = &x->lines[n], *q = &y->lines[n];
                    const uint64_t moved =
                        is_global(p->opcode) && p->mask >> lane & 1 ? distance : 0;
                    assert_int_equal(p->pc, q->pc);
                    assert_int_equal(p->mask, q->mask);
                    if (p->mask >> lane & 1)
                        assert_true(q->address[lane] == p->address[lane] + moved);
                    addresses += moved != 0;
                }
        }
    return addresses;
}

/* The same addresses in two memories are other addresses of the trace, above all of the first. */
static void memories_lie_apart(void **unused)
{
    (void)unused;
    static const struct machine apart = {"c", 1, 1, 1}, far = {"c", 1, 1, 127};
    char one[128], other[128], reason[READ_REASON];
    folder_of("apart", one);
    run(&apart, one);
    folder_of("far", other);
    run(&far, other);
    struct read_trace *a = trace_read(one, reason), *b = trace_read(other, reason);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(same_lines(a->commands[0].kernel, b->commands[0].kernel, 0), 0);
    assert_true(same_lines(a->commands[1].kernel, b->commands[1].kernel, 126 * SPACE) > 0);
    const struct read_kernel *k = a->commands[1].kernel;
    const struct read_line *load = &k->blocks[0].warps[0].lines[5];
    assert_int_equal(strncmp(load->opcode, "LDG", 3), 0);
    assert_true(load->address[0] / SPACE == 1);
    assert_true(k->shared_base < SPACE && k->local_base < SPACE);
    trace_read_free(a);
    trace_read_free(b);
}

static void a_fault_leaves_nothing_of_both(void **unused)
{
    (void)unused;
    char folder[128], reason[READ_REASON];
    struct bench b;
    unsigned ended;
    folder_of("fails", folder);
    open_machine(&b, "c", 2, folder);
    struct one first = {.kernel = "everything"}, fails = {.kernel = "fails", .number = 1},
               again = {.kernel = "uneven", .number = 1}, stopped = {.kernel = "everything"};
    assert_int_equal(begin(&b, &first), GPU_OK);
    assert_int_equal(begin(&b, &fails), GPU_OK);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_FAULT);
    assert_string_equal(first.result.message, fails.result.message);
    assert_int_equal(begin(&b, &again), GPU_OK);
    assert_int_equal(advance(&b), 1);
    assert_int_equal(begin(&b, &stopped), GPU_OK);
    gpu_stop(b.gpu);
    bench_close(&b);
    struct read_trace *t = trace_read(folder, reason);
    assert_non_null(t);
    assert_int_equal(t->count, 1);
    assert_string_equal(t->commands[0].kernel->file, "kernel-3.traceg");
    trace_read_free(t);
    has_files(folder, 2);
}

/* Whichever of the two cannot be written, both end, and say why. */
static int runs_into_the_limit(const char *folder, const void *two)
{
    const char *const *kernels = two;
    struct bench b;
    int right = 1;
    unsigned ended;
    open_machine(&b, "c", 2, folder);
    for (unsigned i = 0; right && i < 2; i++) { /* the first must not harm the second */
        struct one first = {.kernel = kernels[0]}, second = {.kernel = kernels[1], .number = 1};
        char says[128];
        assert_int_equal(begin(&b, &first), GPU_OK);
        assert_int_equal(begin(&b, &second), GPU_OK);
        right = gpu_advance(b.gpu, &ended) == GPU_FAULT && !b.gpu->runs[0] && !b.gpu->runs[1];
        snprintf(says, sizeof says, "kernel %s: its trace could not be written", kernels[ended]);
        right = right && !strcmp(first.result.message, says) &&
                !strcmp(second.result.message, says) && b.gpu->stats.num_kernels == 2 * i + 2;
    }
    return right;
}

/* While blocks are written; at the end of the first, while the second goes on. */
static void what_cannot_be_written_fails_both(void **unused)
{
    (void)unused;
    static const struct {
        const char *kernels[2];
        rlim_t most;
    } cases[] = {{{"everything", "uneven"}, 40000}, {{"nothing", "uneven"}, 100}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        holds_within(cases[i].most, runs_into_the_limit, cases[i].kernels);
}

int main(void)
{
    if (open_directory())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_if_one_followed_the_other),
        cmocka_unit_test(each_has_its_file),
        cmocka_unit_test(memories_lie_apart),
        cmocka_unit_test(a_fault_leaves_nothing_of_both),
        cmocka_unit_test(what_cannot_be_written_fails_both),
    };
    const int result = cmocka_run_group_tests_name("tb/gpu/trace_pair", tests, NULL, NULL);
    remove_folder(directory);
    return result;
}
