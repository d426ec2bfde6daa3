/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/netlist.c: see netlist.h. The nets of a netlist, from its bits. */
#include "synth/netlist/netlist.h"

#include <stdlib.h>
#include <string.h>

#include "synth/netlist/read.h"
#include "tb/text_file.h"

#define MOST_BYTES ((size_t)1 << 30) /* of a file */

static void *take_memory(struct netlist_reader *r, size_t count, size_t size)
{
    void *taken = arena_alloc(&r->netlist->memory, count * size, sizeof(void *));
    if (!taken)
        netlist_error(r->netlist, r->err, r->line, "no memory");
    return taken;
}

/* Yosys numbers what has no name: _0123_. */
static int is_number(const char *name)
{
    return name[0] == '_' && name[1] >= '0' && name[1] <= '9';
}

/* Net of each bit, of 1 each that are the same. NULL: no memory. */
static uint32_t *number_nets(struct netlist_reader *r)
{
    uint32_t *net = malloc(r->num_bits * sizeof *net);
    uint32_t count = FIRST_NET;
    if (!net) {
        netlist_error(r->netlist, r->err, r->line, "no memory");
        return NULL;
    }
    for (uint32_t b = 0; b < r->num_bits; b++)
        if (netlist_root(r, b) == b)
            net[b] = b < FIRST_NET ? b : count++;
    for (uint32_t b = 0; b < r->num_bits; b++)
        net[b] = net[netlist_root(r, b)];
    r->netlist->num_nets = count;
    return net;
}

/* Names a net after a bit of a signal, unless it has a better name. */
static int name_net(struct netlist_reader *r, uint32_t net, const struct netlist_named *s,
                    unsigned bit)
{
    const char **name = &r->netlist->net_name[net];
    if (*name && (!is_number(*name) || is_number(s->name)))
        return 0;
    if (s->bits == 1 && s->low == 0) {
        *name = s->name;
        return 0;
    }
    const size_t size = strlen(s->name) + 16;
    char *text = take_memory(r, size, 1);
    if (!text)
        return -1;
    snprintf(text, size, "%s[%d]", s->name, s->low + (int)bit);
    *name = text;
    return 0;
}

/* Names the nets of outputs that nobody reads. */
static int name_outputs(struct netlist_reader *r, const uint32_t *net)
{
    struct netlist *n = r->netlist;
    for (uint32_t i = 0; i < n->num_cells; i++)
        for (unsigned p = 0; p < n->cells[i].type->num_pins; p++) {
            const struct library_pin *pin = &n->cells[i].type->pins[p];
            const size_t size = strlen(n->cells[i].name) + strlen(pin->name) + 2;
            if (pin->direction != PIN_OUT || n->net_name[net[n->cells[i].net[p]]])
                continue;
            char *name = take_memory(r, size, 1);
            if (!name)
                return -1;
            snprintf(name, size, "%s.%s", n->cells[i].name, pin->name);
            n->net_name[net[n->cells[i].net[p]]] = name;
        }
    return 0;
}

/* Signals and the names of nets. */
static int take_signals(struct netlist_reader *r, const uint32_t *net)
{
    struct netlist *n = r->netlist;
    uint32_t count = 0;
    n->signals = take_memory(r, n->num_signals, sizeof *n->signals);
    n->net_name = take_memory(r, n->num_nets, sizeof *n->net_name);
    if (!n->signals || !n->net_name)
        return -1;
    n->net_name[NET_0] = "0";
    n->net_name[NET_1] = "1";
    for (struct netlist_named *s = r->named; s; s = s->hh.next) {
        uint32_t *nets = take_memory(r, s->bits, sizeof *nets);
        if (!nets)
            return -1;
        for (unsigned b = 0; b < s->bits; b++) {
            nets[b] = net[s->first + b];
            if (name_net(r, nets[b], s, b))
                return -1;
        }
        n->signals[count++] = (struct netlist_signal){s->name, s->direction, s->bits, s->low, nets};
    }
    return name_outputs(r, net);
}

enum { DRIVEN = 1, READ = 2 };

static int drive(struct netlist_reader *r, uint8_t *seen, uint32_t net, unsigned line)
{
    if (net < FIRST_NET || seen[net] & DRIVEN)
        return netlist_error(r->netlist, r->err, line, "'%s' has a second driver",
                             r->netlist->net_name[net]);
    seen[net] |= DRIVEN;
    return 0;
}

/* What an input or a cell drives and reads. */
static int look_at_cell(struct netlist_reader *r, struct netlist_cell *c, const uint32_t *net,
                        uint8_t *seen)
{
    uint32_t *pins = (uint32_t *)c->net;
    for (unsigned p = 0; p < c->type->num_pins; p++) {
        const struct library_pin *pin = &c->type->pins[p];
        if (pins[p] != NET_NONE)
            pins[p] = net[pins[p]];
        if (pin->direction == PIN_IN && pins[p] == NET_NONE)
            return netlist_error(r->netlist, r->err, c->line, "nothing drives '%s' of '%s'",
                                 pin->name, c->name);
        if (pin->direction == PIN_IN)
            seen[pins[p]] |= READ;
        else if (pins[p] != NET_NONE && drive(r, seen, pins[p], c->line))
            return -1;
    }
    return 0;
}

/* Every net has one driver at most, and those that are read have one. */
static int check_drivers(struct netlist_reader *r, const uint32_t *net, uint8_t *seen)
{
    struct netlist *n = r->netlist;
    seen[NET_0] = seen[NET_1] = DRIVEN;
    for (uint32_t s = 0; s < n->num_signals; s++)
        for (unsigned b = 0; b < n->signals[s].bits; b++)
            if (n->signals[s].direction == PIN_IN && drive(r, seen, n->signals[s].net[b], r->line))
                return -1;
            else if (n->signals[s].direction == PIN_OUT)
                seen[n->signals[s].net[b]] |= READ;
    for (uint32_t i = 0; i < n->num_cells; i++)
        if (look_at_cell(r, &n->cells[i], net, seen))
            return -1;
    for (uint32_t i = 0; i < n->num_nets; i++)
        if (seen[i] == READ)
            return netlist_error(n, r->err, r->line, "nothing drives '%s'", n->net_name[i]);
    return 0;
}

static int make_nets(struct netlist_reader *r)
{
    uint32_t *net = number_nets(r);
    uint8_t *seen = net ? calloc(r->netlist->num_nets, 1) : NULL;
    int failed = !seen || take_signals(r, net) || check_drivers(r, net, seen);
    if (net && !seen)
        netlist_error(r->netlist, r->err, r->line, "no memory");
    free(net);
    free(seen);
    return failed ? -1 : 0;
}

static void forget(struct netlist_reader *r)
{
    HASH_CLEAR(hh, r->named);
    free(r->same);
    free(r->value);
}

int netlist_read(struct netlist *n, const char *path, struct library *l, FILE *err)
{
    *n = (struct netlist){.path = path, .library = l};
    size_t size;
    char *const text = text_file_read(path, MOST_BYTES, &size, err);
    if (!text)
        return -1;
    struct netlist_reader r = {.netlist = n, .err = err, .at = text, .end = text + size};
    const int failed = netlist_take(&r) || make_nets(&r);
    forget(&r);
    free(text);
    return failed ? -1 : 0;
}

void netlist_free(struct netlist *n)
{
    free(n->cells);
    arena_free(&n->memory);
}

const struct netlist_signal *netlist_signal(const struct netlist *n, const char *name)
{
    for (uint32_t s = 0; s < n->num_signals; s++)
        if (!strcmp(n->signals[s].name, name))
            return &n->signals[s];
    return NULL;
}
