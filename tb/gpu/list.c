/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/list.c: see list.h. */
#include "tb/gpu/list.h"

void list_start(struct list *l, const struct block_groups *groups)
{
    l->groups = groups;
    l->first = l->count = 0;
}

static struct list_request *request(struct list *l, unsigned index)
{
    return &l->requests[(l->first + index) % NUM_SMS];
}

enum list_status list_ask(struct list *l, uint64_t sm, int group, uint64_t at, uint64_t cycle)
{
    const struct block_groups *g = l->groups;
    if (sm >= NUM_SMS || !g || at >= (group ? g->count : g->first[g->count]))
        return LIST_NOTHING;
    for (unsigned i = 0; i < l->count; i++)
        if (request(l, i)->sm == sm)
            return LIST_TWICE;
    *request(l, l->count++) = (struct list_request){cycle + l->latency, sm, (uint64_t)group, at};
    return LIST_ASKED;
}

uint64_t list_due(const struct list *l)
{
    return l->count ? l->requests[l->first].due : UINT64_MAX;
}

struct list_reply list_reply(struct list *l, uint64_t cycle)
{
    const struct list_request *r = &l->requests[l->first];
    struct list_reply reply = {0};
    if (list_due(l) > cycle)
        return reply;
    reply.valid = 1;
    reply.sm = r->sm;
    if (r->group) {
        reply.next = l->groups->first[r->at];
        reply.tail = l->groups->first[r->at + 1] - 1;
    } else {
        reply.block = l->groups->blocks[r->at];
    }
    l->first = (l->first + 1) % NUM_SMS;
    l->count--;
    return reply;
}
