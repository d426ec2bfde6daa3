/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/members.c: what a point runs: a program, a capture, or two of these beside each other. */
#include <string.h>

#include "tb/cli/sweep/plan.h"

#define BLANKS " \t"

int is_capture(const char *member)
{
    static const char ending[] = ".capture";
    const size_t length = strlen(member), behind = strlen(ending);
    return strchr(member, '/') || (length > behind && !strcmp(member + length - behind, ending));
}

/* The + behind a member, or the end: one in its first word, or one that is a word by itself. Another belongs to its arguments. */
static const char *member_end(const char *member)
{
    const char *at = member + strcspn(member, BLANKS "+");
    while (*at && *at != '+') {
        at += strspn(at, BLANKS);
        if (*at == '+' && strchr(BLANKS, at[1]))
            break;
        at += strcspn(at, BLANKS);
    }
    return at;
}

int point_members(const struct point *p, struct member members[MAX_MEMBERS], struct arena *memory)
{
    int count = 0;
    for (const char *at = p->workload;; at++) {
        at += strspn(at, BLANKS);
        const char *end = member_end(at);
        size_t length = (size_t)(end - at);
        while (length && strchr(BLANKS, at[length - 1]))
            length--;
        if (count == MAX_MEMBERS || !length)
            return -1;
        const char *program = arena_copy(memory, at, length);
        const size_t name = strcspn(program, BLANKS);
        members[count++] = (struct member){program, arena_copy(memory, program, name),
                                           program + name + strspn(program + name, BLANKS)};
        at = end;
        if (!*at)
            return count;
    }
}

int point_replays(const struct point *p)
{
    return strchr(p->workload, '+') || is_capture(p->workload);
}
