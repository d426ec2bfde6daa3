/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/exec_fuzz.c: any bytes as PTX whose kernels are then executed: a warp of each, some
 * hundred instructions. It may fault, but must stay within its registers and memory; every build of
 * the operations must leave the same bits, and so must a kernel that may have fewer registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/exec/bind.h"
#include "tb/exec/exec.h"
#include "tests/fuzz/fuzz.h"

#define STEPS        400        /* of a kernel */
#define THREADS      27         /* some lanes are not there */
#define BUFFER_BYTES 4096       /* where the parameters point */
#define MOST_BYTES   (1u << 20) /* of all that the kernels want: no time goes into clearing */

struct machine {
    const struct ptx_module *module;
    struct gmem *gmem;
    uint64_t buffer;
    uint64_t hash; /* of all that was computed */
};

static void hash_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ p[i]) * 0x100000001b3;
}

static uint64_t place(void *gmem, const struct ptx_var *var)
{
    return gmem_alloc(gmem, var->size, NULL);
}

static void fill_memory(const struct machine *m)
{
    for (uint32_t i = 0; i < m->module->num_vars; i++) {
        const struct ptx_var *var = &m->module->vars[i];
        memcpy(gmem_host(m->gmem, var->address, var->size), var->init, var->size);
    }
    uint8_t *buffer = gmem_host(m->gmem, m->buffer, BUFFER_BYTES);
    for (uint32_t i = 0; i < BUFFER_BYTES; i++)
        buffer[i] = (uint8_t)(i * i >> 3);
}

static void hash_memory(const struct machine *m, uint64_t *hash)
{
    for (uint32_t i = 0; i < m->module->num_vars; i++) {
        const struct ptx_var *var = &m->module->vars[i];
        hash_bytes(hash, gmem_host(m->gmem, var->address, var->size), var->size);
    }
    hash_bytes(hash, gmem_host(m->gmem, m->buffer, BUFFER_BYTES), BUFFER_BYTES);
}

/* Zeroed, at least a byte, aligned as registers must be. */
static void *make(uint64_t bytes)
{
    uint64_t room = (bytes / 64 + 1) * 64;
    void *memory = aligned_alloc(64, room);
    assert_non_null(memory);
    return memset(memory, 0, room);
}

/* Parameters of 8 bytes point into the buffer, others are small numbers. */
static uint8_t *make_params(const struct machine *m, const struct ptx_kernel *k)
{
    uint8_t *params = make(k->param_bytes);
    for (uint32_t i = 0; i < k->num_params; i++) {
        const struct ptx_param *p = &k->params[i];
        uint64_t value = p->size == 8 ? m->buffer + 256 * (i % 8) : i + 1;
        memcpy(params + p->offset, &value, p->size < 8 ? p->size : 8);
    }
    return params;
}

/* Runs at most `steps` instructions. The hash is of all that was computed; *memory is that of
 * memory alone. Returns whether the kernel came to its end. */
static int run_kernel(struct machine *m, const struct ptx_kernel *k, int steps, uint64_t *memory)
{
    uint8_t *params = make_params(m, k);
    const struct exec_launch launch = {.kernel = k,
                                       .gmem = m->gmem,
                                       .params = params,
                                       .grid = {2, 1, 1},
                                       .block = {THREADS, 1, 1},
                                       .work_dim = 1,
                                       .shared_bytes = k->shared_bytes + 64};
    struct exec_block block = {.launch = &launch, .shared = make(launch.shared_bytes)};
    struct exec_fault fault = {0};
    struct exec_access access;
    struct exec_warp *w = make(sizeof *w);
    w->regs = make(exec_warp_bytes(k));
    w->local = make(exec_local_bytes(k));
    fill_memory(m);
    exec_warp_start(w, &block, 0, &fault);
    enum exec_status status = EXEC_NEXT;
    for (int i = 0; i < steps && status != EXEC_DONE && status != EXEC_FAULT; i++)
        status = exec_step(w, &access);
    assert_int_equal(fault.raised, status == EXEC_FAULT);
    assert_true(w->pc <= k->num_uops && w->depth <= EXEC_STACK_DEPTH);
    hash_bytes(&m->hash, fault.message, strlen(fault.message));
    hash_bytes(&m->hash, w->regs, k->reg_bytes);
    *memory = 0;
    hash_bytes(memory, block.shared, launch.shared_bytes);
    hash_memory(m, memory);
    hash_bytes(&m->hash, memory, sizeof *memory);
    free(params);
    free(block.shared);
    free(w->regs);
    free(w->local);
    free(w);
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

/* The kernel with fewer registers ends as it does with all, within as many instructions as can
 * become of those: no one names more than 14 registers. */
static void run_limited(struct machine *m, const struct ptx_kernel *k, uint64_t expected)
{
    struct ptx_error error;
    for (uint32_t registers = 2; registers < k->regs_per_thread; registers += 1 + registers / 2) {
        uint64_t memory;
        const struct ptx_kernel *limited = exec_limit(k, registers, &error);
        if (!limited)
            continue;
        assert_true(limited->regs_per_thread <= registers);
        assert_true(run_kernel(m, limited, 15 * STEPS, &memory));
        assert_true(memory == expected || shuffles(k));
    }
}

static int is_modest(const struct ptx_module *module)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < module->num_vars; i++)
        bytes += module->vars[i].size;
    for (uint32_t i = 0; i < module->num_kernels; i++) {
        const struct ptx_kernel *k = &module->kernels[i];
        bytes += k->shared_bytes + exec_warp_bytes(k) + exec_local_bytes(k);
    }
    return bytes <= MOST_BYTES;
}

static void run_builds(const struct ptx_module *module, struct gmem *gmem)
{
    struct ptx_error error;
    uint64_t hashes[2] = {0};
    const unsigned builds[2] = {0, exec_builds() - 1};
    const uint64_t buffer = gmem_alloc(gmem, BUFFER_BYTES, NULL);
    for (int i = 0; i < 2; i++) {
        struct machine m = {module, gmem, buffer, 0};
        if (exec_bind_build(module, builds[i], &error)) {
            assert_true(error.line > 0);
            return;
        }
        for (uint32_t k = 0; k < module->num_kernels; k++) {
            uint64_t memory;
            const int ended = run_kernel(&m, &module->kernels[k], STEPS, &memory);
            hashes[i] = m.hash;
            if (ended && i == 1)
                run_limited(&m, &module->kernels[k], memory);
            m.hash = hashes[i];
        }
    }
    assert_true(hashes[0] == hashes[1]);
}

int exec_fuzz(const uint8_t *data, size_t size)
{
    struct ptx_error error;
    struct ptx_module *module = ptx_parse("x", (const char *)data, size, &error);
    if (!module)
        return 0;
    struct gmem *gmem = gmem_new();
    assert_non_null(gmem);
    if (is_modest(module)) {
        assert_int_equal(ptx_place(module, place, gmem), 0);
        run_builds(module, gmem);
    }
    gmem_free_all(gmem);
    ptx_free(module);
    return 0;
}
