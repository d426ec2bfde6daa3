/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/kernels.c: see kernels.h. */
#include "tests/fuzz/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BUFFER_BYTES 4096
#define MOST_BYTES   (1u << 20)

static uint64_t place(void *gmem, const struct ptx_var *var)
{
    return gmem_alloc(gmem, var->size, NULL);
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

int fuzz_open(struct fuzz_kernels *f, const uint8_t *data, size_t size)
{
    struct ptx_error error;
    *f = (struct fuzz_kernels){.module = ptx_parse("x", (const char *)data, size, &error)};
    if (!f->module)
        return -1;
    if (!is_modest(f->module)) {
        ptx_free(f->module);
        return -1;
    }
    f->gmem = gmem_new();
    assert_non_null(f->gmem);
    assert_int_equal(ptx_place(f->module, place, f->gmem), 0);
    f->buffer = gmem_alloc(f->gmem, BUFFER_BYTES, NULL);
    return 0;
}

void fuzz_close(struct fuzz_kernels *f)
{
    gmem_free_all(f->gmem);
    ptx_free(f->module);
}

void fuzz_fill(const struct fuzz_kernels *f)
{
    for (uint32_t i = 0; i < f->module->num_vars; i++) {
        const struct ptx_var *var = &f->module->vars[i];
        memcpy(gmem_host(f->gmem, var->address, var->size), var->init, var->size);
    }
    uint8_t *buffer = gmem_host(f->gmem, f->buffer, BUFFER_BYTES);
    for (uint32_t i = 0; i < BUFFER_BYTES; i++)
        buffer[i] = (uint8_t)(i * i >> 3);
}

void fuzz_hash_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ p[i]) * 0x100000001b3;
}

void fuzz_hash(const struct fuzz_kernels *f, uint64_t *hash)
{
    for (uint32_t i = 0; i < f->module->num_vars; i++) {
        const struct ptx_var *var = &f->module->vars[i];
        fuzz_hash_bytes(hash, gmem_host(f->gmem, var->address, var->size), var->size);
    }
    fuzz_hash_bytes(hash, gmem_host(f->gmem, f->buffer, BUFFER_BYTES), BUFFER_BYTES);
}

void *fuzz_make(uint64_t bytes)
{
    uint64_t room = (bytes / 64 + 1) * 64;
    void *memory = aligned_alloc(64, room);
    assert_non_null(memory);
    return memset(memory, 0, room);
}

uint8_t *fuzz_params(const struct fuzz_kernels *f, const struct ptx_kernel *k)
{
    uint8_t *params = fuzz_make(k->param_bytes);
    for (uint32_t i = 0; i < k->num_params; i++) {
        const struct ptx_param *p = &k->params[i];
        uint64_t value = p->size == 8 ? f->buffer + 256 * (i % 8) : i + 1;
        memcpy(params + p->offset, &value, p->size < 8 ? p->size : 8);
    }
    return params;
}

void fuzz_start(struct fuzz_warp *w, const struct exec_launch *launch, uint32_t x, uint32_t y)
{
    memset(w, 0, sizeof *w);
    w->block = (struct exec_block){
        .launch = launch, .ctaid = {x, y, 0}, .shared = fuzz_make(launch->shared_bytes)};
    w->warp.regs = fuzz_make(exec_warp_bytes(launch->kernel));
    w->warp.local = fuzz_make(exec_local_bytes(launch->kernel));
    exec_warp_start(&w->warp, &w->block, 0, &w->fault);
}

void fuzz_end(struct fuzz_warp *w)
{
    free(w->block.shared);
    exec_warp_free(&w->warp);
    free(w->warp.regs);
    free(w->warp.local);
}
