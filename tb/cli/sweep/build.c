/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/build.c: what a point's results depend on besides its text: a hash (XXH3, 128 bits)
 * over the machine, what kernels are compiled with, the configuration and the program; or the captures, and what replays them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/sweep.h"

static int add_file(XXH3_state_t *h, const char *path)
{
    char bytes[65536];
    size_t count;
    FILE *f = fopen(path, "r");
    while (f && (count = fread(bytes, 1, sizeof bytes, f)))
        XXH3_128bits_update(h, bytes, count);
    const int failed = !f || ferror(f);
    if (failed)
        fprintf(stderr, "%s: cannot be read: %s\n", path, strerror(errno));
    if (f)
        fclose(f);
    return failed ? -1 : 0;
}

static void print_hash(const XXH3_state_t *h, char text[HASH_TEXT])
{
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(h));
    for (size_t i = 0; i < sizeof bytes.digest; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes.digest[i]);
}

void args_hash(const char *args, char hash[HASH_TEXT])
{
    XXH3_state_t all;
    XXH3_128bits_reset(&all);
    XXH3_128bits_update(&all, args, strlen(args));
    print_hash(&all, hash);
}

int build_hash(const struct point *p, char build[HASH_TEXT])
{
    struct arena memory = {0};
    XXH3_state_t hash;
    char path[PATH_MAX], file[300];
    struct member members[MAX_MEMBERS];
    const int count = point_members(p, members, &memory);
    snprintf(file, sizeof file, "%s.ini", p->config);
    const char *const files[] = {"libheddle.so", "devlib.bc", "prelude.cl", file};
    int failed = 0;
    XXH3_128bits_reset(&hash);
    for (size_t i = 0; i < sizeof files / sizeof files[0] && !failed; i++)
        failed = add_file(&hash, plan_file(path, p->config, files[i]));
    for (int i = 0; i < count && !failed; i++) {
        const char *name = members[i].name;
        snprintf(file, sizeof file, "workloads/%s", name);
        failed = add_file(&hash, is_capture(name) ? name : plan_file(path, p->config, file));
    }
    if (point_replays(p) && !failed)
        failed = add_file(&hash, plan_file(path, p->config, "replay"));
    print_hash(&hash, build);
    arena_free(&memory);
    return failed ? -1 : 0;
}

/* Points of one program follow one another in most files: each pair is hashed once. */
int build_hashes(const struct plan *plan, char (*builds)[HASH_TEXT])
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
