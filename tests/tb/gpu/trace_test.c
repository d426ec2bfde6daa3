/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_test.c: a trace, read by a reader of its own, against the stream that was
 * executed, as the machine's events and the warps' registers tell of it. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tb/gpu/trace.h"
#include "tests/tb/gpu/trace_faults.h"
#include "tests/tb/gpu/trace_folder.h"
#include "tests/tb/gpu/trace_witness.h"

#define LITTLE 65536 /* bytes in memory, so that much goes to the spool's file */

struct machine {
    const char *sched, *dispatch, *backend;
    int64_t threads;
    uint64_t memory;
};

static void open_machine(struct bench *b, const struct machine *m, const char *folder)
{
    struct config c = test_config();
    strcpy(c.run_sched, m->sched);
    strcpy(c.run_dispatch, m->dispatch);
    strcpy(c.run_backend, m->backend);
    c.run_threads = m->threads;
    c.sm_max_blocks = 3;
    bench_open(b, &c, program, NULL);
    b->gpu->trace = trace_open(folder, m->memory, stderr);
    assert_non_null(b->gpu->trace);
}

static const uint32_t grid[3] = {3, 2, 4}, one[3] = {1, 1, 1}, block[3] = {33, 2, 2};

static enum gpu_status launch(struct bench *b, const char *kernel, const uint32_t blocks[3],
                              uint64_t buffer)
{
    const struct gpu_launch l = {.kernel = ptx_kernel(b->module, kernel),
                                 .params = (const uint8_t *)&buffer,
                                 .grid = {blocks[0], blocks[1], blocks[2]},
                                 .block = {block[0], block[1], block[2]},
                                 .work_dim = 3,
                                 .dynamic_shared = 48};
    assert_non_null(l.kernel);
    return gpu_launch(b->gpu, &l, &b->result);
}

static struct ptx_module *known; /* whose kernel the witness compares with */

/* Both kernels, and a copy between them; `witness` hears the first, or is NULL. Returns the warp
 * instructions of both. */
static uint64_t run(const struct machine *m, const char *folder, struct witness *witness)
{
    struct bench b;
    open_machine(&b, m, folder);
    const uint64_t buffer = bench_buffer(&b, 20000);
    if (witness)
        witness_listen(witness, b.gpu);
    if (launch(&b, "everything", grid, buffer) != GPU_OK)
        fail_msg("%s", b.result.message);
    uint64_t instructions = bench_stats(&b)->sums.sm.warp_instructions;
    if (witness) {
        assert_int_equal(witness->instructions, instructions);
        witness_stop(witness, b.gpu);
    }
    gpu_copied(b.gpu, buffer + 4, 400);
    if (launch(&b, "uneven", grid, buffer) != GPU_OK)
        fail_msg("%s", b.result.message);
    instructions += bench_stats(&b)->sums.sm.warp_instructions;
    if (!witness) {
        bench_close(&b);
        return instructions;
    }
    assert_int_equal(gpu_close(b.gpu), 0);
    if (known)
        ptx_free(known);
    known = b.module;
    return instructions;
}

static const struct machine machines[] = {
    {"gto", "lrr", "c", 1, LITTLE},
    {"lrr", "bcs", "c", 1, TRACE_MEMORY},
    {"tl", "lrr", "rtl", 1, 0},
};

static struct witness witness;
static char whole[128]; /* the folder that `witness` knows */

static uint64_t lines_of(const struct read_kernel *k)
{
    uint64_t lines = 0;
    for (uint64_t b = 0; b < k->num_blocks; b++)
        for (uint32_t w = 0; w < k->num_warps; w++)
            lines += k->blocks[b].warps[w].count;
    return lines;
}

static void the_trace_is_what_was_executed(void **unused)
{
    (void)unused;
    for (unsigned i = sizeof machines / sizeof *machines; i-- > 0;) {
        char reason[READ_REASON];
        folder_of("whole", whole);
        const uint64_t instructions = run(&machines[i], whole, &witness);
        struct read_trace *t = trace_read(whole, reason);
        if (!t)
            fail_msg("%s", reason);
        assert_int_equal(t->count, 3);
        assert_null(t->commands[1].kernel);
        assert_int_equal(t->commands[1].bytes, 400);
        const struct read_kernel *k = t->commands[0].kernel, *second = t->commands[2].kernel;
        assert_string_equal(k->name, "everything");
        assert_string_equal(second->name, "uneven");
        assert_string_equal(second->file, "kernel-2.traceg");
        assert_int_equal(k->id, 1);
        assert_int_equal(k->stream, 0);
        assert_memory_equal(k->grid, grid, sizeof grid);
        assert_memory_equal(k->block, block, sizeof block);
        assert_int_equal(k->shmem, 4096 + 48);
        assert_int_equal(k->version, 35);
        assert_int_equal(k->tracer, 5);
        if (witness_compare(&witness, k, reason))
            fail_msg("%s", reason);
        assert_int_equal(lines_of(k) + lines_of(second), instructions);
        for (unsigned seen = 0; seen < NUM_SIGHTS; seen++) /* and all of it occurs */
            if (!witness.seen[seen])
                fail_msg("there was no %s", sight_names[seen]);
        trace_read_free(t);
    }
}

/* The same bytes whatever the host's threads, the backend, and how much is kept in memory. */
static void the_same_trace_from_every_machine(void **unused)
{
    (void)unused;
    static const struct machine same[] = {{"gto", "lrr", "c", 1, TRACE_MEMORY},
                                          {"gto", "lrr", "c", 3, LITTLE},
                                          {"gto", "lrr", "rtl", 2, 0},
                                          {"gto", "lrr", "lockstep", 3, TRACE_MEMORY}};
    static const char *const names[] = {"kernelslist.g", "kernel-1.traceg", "kernel-2.traceg"};
    char first[128], other[128];
    folder_of("first", first);
    run(&same[0], first, NULL);
    for (unsigned i = 1; i < sizeof same / sizeof *same; i++) {
        folder_of("other", other);
        run(&same[i], other, NULL);
        for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
            char *a = text_of(first, names[n]), *b = text_of(other, names[n]);
            assert_int_equal(strcmp(a, b), 0);
            free(a);
            free(b);
        }
    }
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void every_planted_fault_is_found(void **unused)
{
    (void)unused;
    char faulty[128], reason[READ_REASON];
    folder_of("faulty", faulty);
    assert_int_equal(mkdir(faulty, 0777), 0);
    write_text(faulty, "kernelslist.g", "kernel-1.traceg\n");
    for (unsigned i = 0; i <= num_trace_faults; i++) {
        char *good = text_of(whole, "kernel-1.traceg"), *text = malloc(2 * strlen(good));
        strcpy(text, good);
        if (i)
            trace_faults[i - 1].plant(text);
        write_text(faulty, "kernel-1.traceg", text);
        struct read_trace *t = trace_read(faulty, reason);
        const int differs = !t || witness_compare(&witness, t->commands[0].kernel, reason);
        if (i && !differs)
            fail_msg("not found: %s", trace_faults[i - 1].name);
        if (i && !strstr(reason, trace_faults[i - 1].found))
            fail_msg("%s: %s", trace_faults[i - 1].name, reason);
        if (!i && differs)
            fail_msg("without a fault: %s", reason);
        if (t)
            trace_read_free(t);
        free(good);
        free(text);
    }
}

static void a_kernel_that_fails_leaves_nothing(void **unused)
{
    (void)unused;
    char folder[128], reason[READ_REASON];
    struct bench b;
    folder_of("fails", folder);
    open_machine(&b, &machines[0], folder);
    const uint64_t buffer = bench_buffer(&b, 20000);
    assert_int_equal(launch(&b, "uneven", grid, buffer), GPU_OK);
    assert_int_equal(launch(&b, "fails", grid, buffer), GPU_FAULT);
    assert_int_equal(launch(&b, "uneven", grid, buffer), GPU_OK);
    bench_close(&b);
    struct read_trace *t = trace_read(folder, reason);
    assert_non_null(t);
    assert_int_equal(t->count, 2);
    assert_string_equal(t->commands[1].kernel->file, "kernel-3.traceg");
    assert_int_equal(t->commands[1].kernel->id, 3);
    trace_read_free(t);
    has_files(folder, 3);
}

/* The reason that a folder is refused for. */
static void refused(const char *folder, const char *reason)
{
    char *text;
    size_t size;
    FILE *err = open_memstream(&text, &size);
    assert_null(trace_open(folder, LITTLE, err));
    fclose(err);
    assert_non_null(strstr(text, folder));
    if (!strstr(text, reason))
        fail_msg("%s", text);
    free(text);
}

static void folders_that_are_refused(void **unused)
{
    (void)unused;
    char folder[128], path[256];
    folder_of("full", folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    write_text(folder, "a_file", "text");
    refused(folder, "is not empty (a_file)");
    snprintf(path, sizeof path, "%s/a_file", folder);
    refused(path, "Not a directory");
    refused("/nowhere/trace", "cannot be made: No such file or directory");
    refused("/proc", "is not empty");
    struct config c = test_config();
    c.run_timing = 0;
    struct gpu *g = gpu_open(&c, NULL, NULL, stderr);
    char *text;
    size_t size;
    FILE *err = open_memstream(&text, &size);
    assert_int_equal(gpu_trace(g, folder, err), -1);
    fclose(err);
    assert_string_equal(text,
                        "[run] timing = 0, blocks = 0: a trace is of what SMs issue; expected "
                        "1 and 0\n");
    free(text);
    assert_int_equal(gpu_close(g), 0);
}

struct limited {
    const char *kernel;
    const uint32_t *blocks;
    uint64_t memory;
    rlim_t most;
};

/* Two launches, as the first must not harm the second. */
static int runs_into_the_limit(const char *folder, const void *context)
{
    const struct limited *l = context;
    const struct machine m = {"gto", "lrr", "c", 2, l->memory};
    struct bench b;
    int right = 1;
    open_machine(&b, &m, folder);
    const uint64_t buffer = bench_buffer(&b, 20000);
    for (unsigned i = 0; right && i < 2; i++) {
        const enum gpu_status status = launch(&b, l->kernel, l->blocks, buffer);
        right = status == GPU_FAULT && strstr(b.result.message, ": its trace could not be written");
        right = right && bench_stats(&b)->sums.cycles < 100000;
    }
    return right;
}

/* As on a disk that is full: while blocks are written, while they wait, at the kernel's end. */
static void what_cannot_be_written_fails_the_kernel(void **unused)
{
    (void)unused;
    static const struct limited cases[] = {{"everything", grid, TRACE_MEMORY, 40000},
                                           {"everything", grid, 0, 40000},
                                           {"nothing", one, TRACE_MEMORY, 100}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        holds_within(cases[i].most, runs_into_the_limit, &cases[i]);
}

int main(void)
{
    if (open_directory())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trace_is_what_was_executed),
        cmocka_unit_test(every_planted_fault_is_found),
        cmocka_unit_test(the_same_trace_from_every_machine),
        cmocka_unit_test(a_kernel_that_fails_leaves_nothing),
        cmocka_unit_test(folders_that_are_refused),
        cmocka_unit_test(what_cannot_be_written_fails_the_kernel),
    };
    const int result = cmocka_run_group_tests_name("tb/gpu/trace", tests, NULL, NULL);
    remove_folder(directory);
    if (known)
        ptx_free(known);
    return result;
}
