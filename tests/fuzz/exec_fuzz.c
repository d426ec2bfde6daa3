/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/exec_fuzz.c: any bytes as PTX whose kernels are then executed: a warp of each, some
 * hundred instructions. It may fault, but must stay within its registers and memory; every build of
 * the operations must leave the same bits, and so must a kernel that may have fewer registers. The same where accesses
 * outside the buffers pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/exec/bind.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/kernels.h"

#define STEPS 400 /* of a kernel */

/* Runs at most `steps` instructions; `passes`: what is outside the buffers passes. *hash is of all that was computed; *memory is that of
 * memory alone. Returns whether the kernel came to its end. */
static int run_kernel(const struct fuzz_kernels *f, const struct ptx_kernel *k, int steps,
                      int passes, uint64_t *hash, uint64_t *memory)
{
    uint8_t *params = fuzz_params(f, k);
    const struct exec_launch launch = {.kernel = k,
                                       .gmem = f->gmem,
                                       .params = params,
                                       .grid = {2, 1, 1},
                                       .block = {FUZZ_THREADS, 1, 1},
                                       .work_dim = 1,
                                       .shared_bytes = k->shared_bytes + 64};
    struct fuzz_warp w;
    struct exec_access access;
    fuzz_fill(f);
    fuzz_start(&w, &launch, 0, 0);
    struct exec_tolerated tolerated = {.overrun = 1, .any = 1};
    w.block.tolerated = passes ? &tolerated : NULL;
    enum exec_status status = EXEC_NEXT;
    for (int i = 0; i < steps && status != EXEC_DONE && status != EXEC_FAULT; i++)
        status = exec_step(&w.warp, &access);
    assert_int_equal(w.fault.raised, status == EXEC_FAULT);
    assert_true(w.warp.pc <= k->num_uops && w.warp.depth <= EXEC_STACK_DEPTH);
    fuzz_hash_bytes(hash, w.fault.message, strlen(w.fault.message));
    fuzz_hash_bytes(hash, &tolerated.counts, sizeof tolerated.counts);
    fuzz_hash_bytes(hash, w.warp.regs, k->reg_bytes);
    *memory = 0;
    fuzz_hash_bytes(memory, w.block.shared, launch.shared_bytes);
    fuzz_hash(f, memory);
    fuzz_hash_bytes(hash, memory, sizeof *memory);
    fuzz_end(&w);
    free(params);
    return status == EXEC_DONE;
}

/* A shuffle may read a lane that is not here, which PTX leaves open. */
static int shuffles(const struct ptx_kernel *k)
{
    for (uint32_t i = 0; i < k->num_uops; i++)
        if (k->uops[i].op == U_SHFL)
            return 1;
    return 0;
}

/* The kernel as it is to be run, and with fewer registers, ends as it does with a place for each register, within as many instructions as can
 * become of those: no one names more than 14 registers. Where alloca's memory lies, which is behind what is
 * spilled, PTX leaves open: there it may end otherwise. */
static void run_limited(const struct fuzz_kernels *f, const struct ptx_kernel *k, int passes,
                        uint64_t expected)
{
    struct ptx_error error;
    for (uint32_t registers = 2, more = 1; more; registers += 1 + registers / 2) {
        uint64_t hash = 0, memory;
        more = registers < k->regs_per_thread; /* and once with as many as it has */
        const struct ptx_kernel *limited = exec_limit(k, registers, &error);
        if (!limited)
            continue;
        assert_true(limited->regs_per_thread <= registers);
        const int ended = run_kernel(f, limited, 15 * STEPS, passes, &hash, &memory);
        assert_true(ended || k->allocated);
        assert_true(memory == expected || k->allocated || shuffles(k));
    }
}

static void run_builds(const struct fuzz_kernels *f)
{
    struct ptx_error error;
    uint64_t hashes[2] = {0};
    const unsigned builds[2] = {0, exec_builds() - 1};
    for (int i = 0; i < 2; i++) {
        if (exec_bind_build(f->module, builds[i], &error)) {
            assert_true(error.line > 0);
            return;
        }
        for (uint32_t n = 0; n < 2 * f->module->num_kernels; n++) {
            const struct ptx_kernel *k = &f->module->kernels[n / 2];
            const int passes = n % 2;
            uint64_t memory;
            const int ended = run_kernel(f, k, STEPS, passes, &hashes[i], &memory);
            if (ended && i == 1)
                run_limited(f, k, passes, memory);
        }
    }
    assert_true(hashes[0] == hashes[1]);
}

int exec_fuzz(const uint8_t *data, size_t size)
{
    struct fuzz_kernels f;
    if (fuzz_open(&f, data, size))
        return 0;
    run_builds(&f);
    fuzz_close(&f);
    return 0;
}
