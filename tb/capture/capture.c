/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/capture.c: see capture.h. A copy of global memory tells what the host has changed between launches, and what each launch
 * has. */
#include "tb/capture/capture.h"

#include <stdlib.h>
#include <string.h>

#include "tb/capture/out.h"
#include "tb/capture/snapshot.h"

struct capture {
    struct capture_out *out;
    struct snapshot *snapshot;
    const struct ptx_module **programs; /* by number; NULL: it has been freed */
    uint32_t num_programs;
    uint64_t launches;
    int lost; /* there was no memory */
};

struct capture *capture_open(const char *path, FILE *err)
{
    struct capture *c = calloc(1, sizeof *c);
    if (!c || !(c->snapshot = snapshot_new()))
        fprintf(err, "%s: no memory for a capture\n", path);
    else if ((c->out = out_open(path, err)))
        return c;
    if (c)
        snapshot_free(c->snapshot);
    free(c);
    return NULL;
}

static void released(void *context, uint64_t base)
{
    struct capture *c = context;
    out_record(c->out, RECORD_release);
    out_u64(c->out, base);
}

static void allocated(void *context, uint64_t base, uint64_t size)
{
    struct capture *c = context;
    out_record(c->out, RECORD_allocate);
    out_u64(c->out, base);
    out_u64(c->out, size);
}

static void put_bytes(struct capture *c, enum record record, uint64_t address, const uint8_t *bytes,
                      uint64_t size)
{
    out_record(c->out, record);
    out_u64(c->out, address);
    out_bytes(c->out, bytes, size);
}

static void written(void *context, uint64_t address, const uint8_t *bytes, uint64_t size)
{
    put_bytes(context, RECORD_write, address, bytes, size);
}

static void changed(void *context, uint64_t address, const uint8_t *bytes, uint64_t size)
{
    put_bytes(context, RECORD_change, address, bytes, size);
}

/* The program's number; it is told of where it is new. */
static uint32_t number_of(struct capture *c, const struct capture_program *p)
{
    for (uint32_t i = 0; i < c->num_programs; i++)
        if (c->programs[i] == p->module)
            return i;
    const struct ptx_module **longer =
        realloc(c->programs, (c->num_programs + 1) * sizeof *c->programs);
    if (!longer) {
        c->lost = 1;
        return 0;
    }
    c->programs = longer;
    c->programs[c->num_programs] = p->module;
    out_record(c->out, RECORD_program);
    out_text(c->out, p->name);
    out_bytes(c->out, p->ptx, p->ptx_bytes);
    out_u32(c->out, p->module->num_vars);
    for (uint32_t i = 0; i < p->module->num_vars; i++)
        out_u64(c->out, p->module->vars[i].address);
    return c->num_programs++;
}

static void three(struct capture *c, const uint32_t numbers[3])
{
    for (int i = 0; i < 3; i++)
        out_u32(c->out, numbers[i]);
}

void capture_begins(struct capture *c, const struct gmem *g, const struct capture_program *p,
                    const struct gpu_launch *l)
{
    const struct snapshot_watch watch = {c, released, allocated, written};
    c->lost |= snapshot_follow(c->snapshot, g, &watch) != 0;
    const uint32_t number = number_of(c, p);
    out_record(c->out, RECORD_launch);
    out_u32(c->out, number);
    out_text(c->out, l->kernel->name);
    out_bytes(c->out, l->params, l->kernel->param_bytes);
    three(c, l->grid);
    three(c, l->block);
    three(c, l->offset);
    out_u32(c->out, l->work_dim);
    out_u32(c->out, l->dynamic_shared);
    c->launches++;
}

void capture_ended(struct capture *c, const struct gmem *g, enum gpu_status status,
                   const char *message)
{
    const struct snapshot_watch watch = {c, released, allocated, changed};
    c->lost |= snapshot_follow(c->snapshot, g, &watch) != 0;
    out_record(c->out, RECORD_ended);
    out_u32(c->out, status);
    out_text(c->out, message);
}

void capture_forget(struct capture *c, const struct ptx_module *module)
{
    for (uint32_t i = 0; i < c->num_programs; i++)
        if (c->programs[i] == module)
            c->programs[i] = NULL;
}

int capture_close(struct capture *c, FILE *err)
{
    int failed;
    if (!c)
        return 0;
    if (c->lost) {
        fprintf(err, "no memory for a copy of global memory: nothing is captured\n");
        out_discard(c->out);
        failed = -1;
    } else {
        out_record(c->out, RECORD_last);
        out_u64(c->out, c->launches);
        failed = out_close(c->out, err);
    }
    snapshot_free(c->snapshot);
    free(c->programs);
    free(c);
    return failed;
}
