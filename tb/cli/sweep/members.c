/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/members.c: what a point runs: a program, a capture, or two of these beside each other. */
#include <string.h>

#include "tb/cli/sweep/plan.h"

int is_capture(const char *member)
{
    static const char ending[] = ".capture";
    const size_t length = strlen(member), behind = strlen(ending);
    return strchr(member, '/') || (length > behind && !strcmp(member + length - behind, ending));
}

int point_members(const struct point *p, const char *members[MAX_MEMBERS], struct arena *memory)
{
    int count = 0;
    for (const char *at = p->workload;; at++) {
        const size_t length = strcspn(at, "+");
        if (count == MAX_MEMBERS || !length)
            return -1;
        members[count++] = arena_copy(memory, at, length);
        at += length;
        if (!*at)
            return count;
    }
}

int point_replays(const struct point *p)
{
    return strchr(p->workload, '+') || is_capture(p->workload);
}
