/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/build.c: what a point's results depend on besides its text: a hash (FNV-1a, 64 bits)
 * over the machine, what kernels are compiled with, the configuration and the program; or the captures, and what replays them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/sweep.h"

#define FNV_OFFSET 0xcbf29ce484222325u
#define FNV_PRIME  0x100000001b3u

static uint64_t add(uint64_t hash, int ch)
{
    return (hash ^ (uint64_t)ch) * FNV_PRIME;
}

static int hash_file(const char *path, uint64_t *hash)
{
    FILE *f = fopen(path, "r");
    int ch;
    while (f && (ch = getc_unlocked(f)) != EOF)
        *hash = add(*hash, ch);
    const int failed = !f || ferror(f);
    if (failed)
        fprintf(stderr, "%s: cannot be read: %s\n", path, strerror(errno));
    if (f)
        fclose(f);
    return failed ? -1 : 0;
}

static void print_hash(uint64_t hash, char text[17])
{
    snprintf(text, 17, "%016" PRIx64, hash);
}

void args_hash(const char *args, char hash[17])
{
    uint64_t all = FNV_OFFSET;
    for (const char *at = args; *at; at++)
        all = add(all, (unsigned char)*at);
    print_hash(all, hash);
}

int build_hash(const struct point *p, char build[17])
{
    struct arena memory = {0};
    uint64_t hash = FNV_OFFSET;
    char path[PATH_MAX], file[300];
    struct member members[MAX_MEMBERS];
    const int count = point_members(p, members, &memory);
    snprintf(file, sizeof file, "%s.ini", p->config);
    const char *const files[] = {"libheddle.so", "devlib.bc", "prelude.cl", file};
    int failed = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0] && !failed; i++)
        failed = hash_file(plan_file(path, p->config, files[i]), &hash);
    for (int i = 0; i < count && !failed; i++) {
        const char *name = members[i].name;
        snprintf(file, sizeof file, "workloads/%s", name);
        failed = hash_file(is_capture(name) ? name : plan_file(path, p->config, file), &hash);
    }
    if (point_replays(p) && !failed)
        failed = hash_file(plan_file(path, p->config, "replay"), &hash);
    print_hash(hash, build);
    arena_free(&memory);
    return failed ? -1 : 0;
}

/* Points of one program follow one another in most files: each pair is hashed once. */
int build_hashes(const struct plan *plan, char (*builds)[17])
{
    int *firsts = more(NULL, (size_t)plan->count * sizeof *firsts), count = 0, failed = 0;
    for (int i = 0; i < plan->count && !failed; i++) {
        int f = 0;
        while (f < count && (strcmp(plan->points[firsts[f]].config, plan->points[i].config) ||
                             strcmp(plan->points[firsts[f]].workload, plan->points[i].workload)))
            f++;
        if (f == count) {
            firsts[count++] = i;
            failed = build_hash(&plan->points[i], builds[i]);
        } else
            memcpy(builds[i], builds[firsts[f]], sizeof builds[i]);
    }
    free(firsts);
    return failed;
}
