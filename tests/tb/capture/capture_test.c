/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/capture/capture_test.c: launches of a machine, captured and played on another one: the same memory, the same cycles; and what is
 * not as it was is found. */
#include "tb/capture/play.h"
#include "tests/tb/capture/place.h"
#include "tests/tb/gpu/bench.h"

/* `add` adds to each word a variable of the module and, an address in a variable, what stands there; `far` stores where nothing is. */
static const char text[] = PTX_HEADER
    ".global .u32 amount = 5;\n.global .u64 where = amount;\n.global .u32 calls;\n"
    ".entry add(.param .u64 data)\n{\n"
    ".reg .b32 %r<8>; .reg .b64 %d<8>;\n"
    "ld.param.u64 %d0, [data]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r0, %r0, %r1, %r2; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1;\n"
    "ld.global.u32 %r3, [%d1]; ld.global.u32 %r4, [amount]; ld.global.u64 %d2, [where]; "
    "ld.global.u32 %r5, [%d2];\n"
    "add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5; st.global.u32 [%d1], %r3;\n"
    "atom.global.add.u32 %r6, [calls], 1;\nret;\n}\n"
    ".entry far(.param .u64 data)\n{\n.reg .b32 %r<2>; .reg .b64 %d<2>;\n"
    "ld.param.u64 %d0, [data]; mov.u32 %r0, 1; st.global.u32 [%d0], %r0;\nret;\n}\n";

#define WORDS 192
/* A machine with its variables initialised, as a driver does that. */
static uint64_t place(void *memory, const struct ptx_var *v)
{
    const uint64_t address = gmem_alloc(memory, v->size, NULL);
    memcpy(gmem_host(memory, address, v->size), v->init, v->size);
    return address;
}

struct host {
    struct bench b;
    struct capture_program program;
    struct capture *capture;
};

static void open_host(struct host *h)
{
    struct ptx_error error;
    const struct config c = test_config();
    memset(h, 0, sizeof *h);
    h->b.gpu = gpu_open(&c, NULL, NULL, stderr);
    h->b.module = ptx_parse("test.ptx", text, strlen(text), &error);
    assert_non_null(h->b.module);
    assert_int_equal(ptx_place(h->b.module, place, gpu_memory(h->b.gpu)), 0);
    assert_int_equal(exec_bind(h->b.module, &error), 0);
    h->program = (struct capture_program){"test.ptx", text, strlen(text), h->b.module};
    h->capture = capture_open(path, stderr);
    assert_non_null(h->capture);
}

static uint64_t run(struct host *h, const char *kernel, uint64_t data, uint32_t blocks,
                    enum gpu_status expected)
{
    const uint8_t *params = (const uint8_t *)&data;
    const struct gpu_launch l = {.kernel = ptx_kernel(h->b.module, kernel),
                                 .params = params,
                                 .grid = {blocks, 1, 1},
                                 .block = {WORDS / blocks, 1, 1},
                                 .work_dim = 1};
    struct gpu_result result;
    capture_begins(h->capture, gpu_memory(h->b.gpu), &h->program, &l);
    assert_int_equal(gpu_launch(h->b.gpu, &l, &result), expected);
    capture_ended(h->capture, gpu_memory(h->b.gpu), expected, result.message);
    return result.end_cycle - result.start_cycle;
}

static uint64_t cycles[8];

/* Four launches: memory that comes and goes, and that the host writes, between them; the last one fails. */
static void capture(void)
{
    struct host h;
    open_host(&h);
    const uint64_t first = bench_buffer(&h.b, WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        bench_words(&h.b, first)[i] = i * i;
    cycles[0] = run(&h, "add", first, 3, GPU_OK);
    gmem_free(gpu_memory(h.b.gpu), first);
    const uint64_t second = bench_buffer(&h.b, WORDS);
    cycles[1] = run(&h, "add", second, 1, GPU_OK);
    bench_words(&h.b, second)[7] = 1234;
    cycles[2] = run(&h, "add", second, 2, GPU_OK);
    assert_int_equal(bench_words(&h.b, second)[7], 1244);
    run(&h, "far", first, 1, GPU_FAULT);
    assert_int_equal(capture_close(h.capture, stderr), 0);
    bench_close(&h.b);
}

struct player {
    struct gpu *gpu;
    unsigned launches, written;
    uint64_t cycles[8];
    uint64_t spoils;  /* this launch writes a byte too many, */
    uint64_t spoiled; /* here */
    int refuses;      /* and none runs */
    struct play_ended ends[8];
    char kernels[8][16], captured[8][512];
};

static enum gpu_status launch(void *context, const struct gpu_launch *l,
                              const struct capture_program *program)
{
    struct player *p = context;
    struct gpu_result result;
    assert_string_equal(program->name, "test.ptx");
    assert_string_equal(program->ptx, text);
    if (p->refuses)
        return GPU_NO_FIT;
    const enum gpu_status status = gpu_launch(p->gpu, l, &result);
    p->cycles[p->launches++] = result.end_cycle - result.start_cycle;
    if (p->launches == p->spoils) {
        memcpy(&p->spoiled, l->params, sizeof p->spoiled);
        p->spoiled += 17;
        *(uint8_t *)gmem_host(gpu_memory(p->gpu), p->spoiled, 1) ^= 0x10;
    }
    return status;
}

static void written(void *context, uint64_t address, uint64_t bytes)
{
    struct player *p = context;
    assert_non_null(gmem_host(gpu_memory(p->gpu), address, bytes));
    p->written++;
}

static void ended(void *context, const struct play_ended *e)
{
    struct player *p = context;
    p->ends[e->number - 1] = *e;
    snprintf(p->kernels[e->number - 1], 16, "%s", e->kernel);
    snprintf(p->captured[e->number - 1], 512, "%s", e->captured_message);
}

static void play(struct player *p)
{
    const struct config c = test_config();
    p->gpu = gpu_open(&c, NULL, NULL, stderr);
    const struct play_host host = {
        p, gpu_memory(p->gpu), 1 << 20, PTX_STACK_BYTES, written, launch, ended};
    assert_int_equal(capture_play(path, &host, stderr), 0);
    gpu_close(p->gpu);
}

static void as_it_was(void **unused)
{
    (void)unused;
    struct player p = {0};
    capture();
    play(&p);
    assert_int_equal(p.launches, 4);
    assert_int_equal(
        p.written,
        4); /* the two variables that are not zero, one piece of the first buffer, one of the second */
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(p.ends[i].status, GPU_OK);
        assert_int_equal(p.ends[i].captured, GPU_OK);
        assert_int_equal(p.ends[i].difference.bytes, 0);
        assert_int_equal(p.cycles[i], cycles[i]);
        assert_string_equal(p.kernels[i], "add");
    }
    assert_int_equal(p.ends[3].status, GPU_FAULT);
    assert_int_equal(p.ends[3].captured, GPU_FAULT);
    assert_string_equal(p.kernels[3], "far");
    assert_non_null(strstr(p.captured[3], "far"));
}

/* One byte that a launch should not have written is found, and does no harm to those after it. */
static void one_byte(void **unused)
{
    (void)unused;
    capture();
    for (uint64_t n = 1; n <= 3; n++) {
        struct player p = {.spoils = n};
        play(&p);
        for (uint64_t i = 0; i < 3; i++)
            assert_int_equal(p.ends[i].difference.bytes, i + 1 == n);
        const struct snapshot_difference *d = &p.ends[n - 1].difference;
        assert_int_equal(d->address, p.spoiled);
        assert_int_equal(d->address - d->base, 17);
        assert_int_equal(d->size, WORDS * 4);
        assert_int_equal(d->there ^ d->copied, 0x10);
    }
}

/* A machine that runs nothing. */
static void that_fails(void **unused)
{
    (void)unused;
    struct player p = {.refuses = 1};
    capture();
    play(&p);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(p.ends[i].status, GPU_NO_FIT);
        assert_int_equal(p.ends[i].difference.bytes, 0);
    }
}

/* Two modules that came to lie at one place are two programs. */
static void modules_that_are_gone(void **unused)
{
    (void)unused;
    struct host h;
    struct player p = {0};
    open_host(&h);
    const uint64_t data = bench_buffer(&h.b, WORDS);
    run(&h, "add", data, 1, GPU_OK);
    capture_forget(h.capture, h.b.module);
    run(&h, "add", data, 1, GPU_OK);
    run(&h, "add", data, 1, GPU_OK);
    capture_close(h.capture, stderr);
    bench_close(&h.b);
    play(&p);
    assert_int_equal(p.launches, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(p.ends[i].difference.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_it_was),
        cmocka_unit_test(one_byte),
        cmocka_unit_test(that_fails),
        cmocka_unit_test(modules_that_are_gone),
    };
    return cmocka_run_group_tests(tests, make_path, drop_path);
}
