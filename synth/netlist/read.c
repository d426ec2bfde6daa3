/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/read.c: the text of a netlist. What bits are the same net is found here too: each assignment makes two
 * of them one. */
#include "synth/netlist/token.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BITS     (1u << 20) /* of all signals */
#define MOST_ASSIGNED (1u << 26) /* bits of all expressions */

static char *keep(struct netlist_reader *r, const char *text, size_t length)
{
    char *kept = arena_alloc(&r->netlist->memory, length + 1, 1);
    if (kept)
        memcpy(kept, text, length);
    else
        fail(r, "no memory");
    return kept;
}

/* The name that comes next, or NULL. */
static char *take_name(struct netlist_reader *r)
{
    if (r->token != TOKEN_NAME || !r->length) {
        netlist_expect(r, "a name");
        return NULL;
    }
    char *name = keep(r, r->text, r->length);
    netlist_next(r);
    return name;
}

static int take_index(struct netlist_reader *r, int *to)
{
    char text[16] = "", *end;
    if (r->token == TOKEN_NUMBER && r->length < sizeof text)
        memcpy(text, r->text, r->length);
    const long value = strtol(text, &end, 10);
    if (!*text || *end || value >= (long)MOST_BITS)
        return netlist_expect(r, "a number of a bit");
    *to = (int)value;
    netlist_next(r);
    return 0;
}

/* "[7:0]" or "[7]". Returns 0, or -1. */
static int take_range(struct netlist_reader *r, int *high, int *low)
{
    if (take_index(r, high))
        return -1;
    *low = *high;
    if (netlist_accept(r, ":") && take_index(r, low))
        return -1;
    if (*high < *low)
        return fail(r, "the range [%d:%d]: expected the highest bit first", *high, *low);
    return netlist_expect(r, "]");
}

static struct netlist_named *find(const struct netlist_reader *r, const char *name, size_t length)
{
    struct netlist_named *found;
    HASH_FIND(hh, r->named, name, (unsigned)length, found);
    return found;
}

/* The bit that stands for all that are the same net as this. */
static uint32_t root(struct netlist_reader *r, uint32_t bit)
{
    while (r->same[bit] != bit)
        bit = r->same[bit] = r->same[r->same[bit]];
    return bit;
}

/* `bits` more bits; the number of the first, or 0. */
static uint32_t new_bits(struct netlist_reader *r, uint32_t bits)
{
    const uint32_t first = r->num_bits, count = first + bits;
    if (count > MOST_BITS)
        return (uint32_t)(fail(r, "more than %u bits", MOST_BITS) + 1);
    if (count > r->room) {
        const uint32_t room = 2 * count;
        uint32_t *grown = realloc(r->same, room * sizeof *grown);
        if (!grown)
            return (uint32_t)(fail(r, "no memory") + 1);
        r->same = grown;
        r->room = room;
    }
    for (uint32_t b = first; b < count; b++)
        r->same[b] = b;
    r->num_bits = count;
    return first;
}

/* A signal of this name, whether or not it has been declared before. */
static int declare(struct netlist_reader *r, enum pin_direction direction, int high, int low)
{
    struct netlist_named *s = find(r, r->text, r->length);
    char *const name = take_name(r);
    if (!name)
        return -1;
    if (s && (s->low != low || s->bits != (unsigned)(high - low + 1)))
        return fail(r, "'%s' has had another range", name);
    if (!s) {
        if (!(s = arena_alloc(&r->netlist->memory, sizeof *s, sizeof(void *))))
            return fail(r, "no memory");
        *s = (struct netlist_named){
            .name = name, .direction = PIN_OTHER, .low = low, .bits = (unsigned)(high - low + 1)};
        if (!(s->first = new_bits(r, s->bits)))
            return -1;
        HASH_ADD_KEYPTR(hh, r->named, name, (unsigned)strlen(name), s);
        r->netlist->num_signals++;
    }
    if (direction != PIN_OTHER)
        s->direction = direction;
    return 0;
}

/* "wire [7:0] a, b;", behind the word. */
static int take_declaration(struct netlist_reader *r, enum pin_direction direction)
{
    int high = 0, low = 0;
    if (netlist_is(r, "wire"))
        netlist_next(r);
    if (netlist_accept(r, "[") && take_range(r, &high, &low))
        return -1;
    do
        if (declare(r, direction, high, low))
            return -1;
    while (netlist_accept(r, ","));
    return netlist_expect(r, ";");
}

/* Room for the bits of an expression. */
static int add_bits(struct netlist_reader *r, uint32_t first, uint32_t count, int constant)
{
    if (count > MOST_ASSIGNED - r->assigned)
        return fail(r, "more than %u bits in expressions", MOST_ASSIGNED);
    r->assigned += count;
    if (r->num_value + count > r->value_room) {
        const uint32_t room = 2 * (r->num_value + count);
        uint32_t *grown = realloc(r->value, room * sizeof *grown);
        if (!grown)
            return fail(r, "no memory");
        r->value = grown;
        r->value_room = room;
    }
    for (uint32_t b = 0; b < count; b++)
        r->value[r->num_value++] = constant ? first : first + b;
    return 0;
}

/* The digits behind 'd. Returns 0, or -1: they are none, or say more than so many bits hold. */
static int read_decimal(const char *digits, size_t count, unsigned long bits, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++)
        if (digits[i] < '0' || digits[i] > '9' || __builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(digits[i] - '0'), value))
            return -1;
    return bits < 64 && *value >> bits ? -1 : 0;
}

/* Bit b of what digits of `per` bits each say; x and z are 0. -1: there is another character. */
static int bit_of_digits(const char *digits, size_t count, unsigned per, unsigned long b)
{
    const size_t digit = b / per; /* from the right */
    const char c = digit < count ? digits[count - 1 - digit] : '0';
    const char text[2] = {strchr("xzXZ", c) ? '0' : c, 0};
    char *end;
    const unsigned long value = strtoul(text, &end, 1 << per);
    return *end ? -1 : (int)(value >> b % per & 1);
}

/* 4'h5, 2'b0x, 32'd0. */
static int take_constant(struct netlist_reader *r)
{
    const char *quote = memchr(r->text, '\'', r->length), *digits = quote ? quote + 2 : NULL;
    const size_t behind = quote ? r->length - (size_t)(quote - r->text) : 0,
                 count = behind > 2 ? behind - 2 : 0;
    const char base = count ? quote[1] : 0;
    const unsigned per = base == 'h' ? 4 : base == 'b' ? 1 : 0;
    const unsigned long bits = strtoul(r->text, NULL, 10);
    uint64_t number = 0;
    int wrong = !bits || bits > MOST_BITS ||
                (!per && (base != 'd' || read_decimal(digits, count, bits, &number)));
    for (unsigned long b = 0; b < bits && !wrong; b++) {
        const int bit = per      ? bit_of_digits(digits, count, per, b)
                        : b < 64 ? (int)(number >> b & 1)
                                 : 0;
        wrong = bit < 0;
        if (!wrong && add_bits(r, bit ? NET_1 : NET_0, 1, 1))
            return -1;
    }
    if (wrong)
        return netlist_expect(r, "a constant such as 4'h5");
    netlist_next(r);
    return 0;
}

static int take_selection(struct netlist_reader *r)
{
    const struct netlist_named *s = find(r, r->text, r->length);
    if (r->token != TOKEN_NAME || !s)
        return netlist_expect(r, "the name of a wire");
    int low = s->low, high = low + (int)s->bits - 1;
    netlist_next(r);
    if (netlist_accept(r, "[") && take_range(r, &high, &low))
        return -1;
    if (low < s->low || high >= s->low + (int)s->bits)
        return fail(r, "'%s' has no bit %d", s->name, low < s->low ? low : high);
    return add_bits(r, s->first + (uint32_t)(low - s->low), (uint32_t)(high - low + 1), 0);
}

static void reverse(uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t value = values[i];
        values[i] = values[count - 1 - i];
        values[count - 1 - i] = value;
    }
}

/* A signal, some bits of one, or a constant: behind what r->value has. */
static int take_part(struct netlist_reader *r)
{
    return r->token == TOKEN_NUMBER ? take_constant(r) : take_selection(r);
}

/* A part, or { several }, the highest first. Its bits, the lowest first, are r->value. */
static int take_expression(struct netlist_reader *r)
{
    r->num_value = 0;
    if (!netlist_accept(r, "{"))
        return take_part(r);
    do {
        const uint32_t before = r->num_value;
        if (take_part(r))
            return -1;
        reverse(r->value + before, r->num_value - before);
    } while (netlist_accept(r, ","));
    reverse(r->value, r->num_value);
    return netlist_expect(r, "}");
}

static int take_assignment(struct netlist_reader *r)
{
    if (take_expression(r) || netlist_expect(r, "="))
        return -1;
    const uint32_t count = r->num_value;
    uint32_t *to = malloc((count + 1) * sizeof *to);
    if (!to)
        return fail(r, "no memory");
    memcpy(to, r->value, count * sizeof *to);
    int failed = take_expression(r);
    if (!failed && r->num_value != count)
        failed = fail(r, "%u bits are assigned to %u", r->num_value, count);
    for (uint32_t b = 0; b < count && !failed; b++) {
        const uint32_t left = root(r, to[b]), right = root(r, r->value[b]);
        if (left < FIRST_NET && right < FIRST_NET && left != right)
            failed = fail(r, "a bit is 0 and 1 at once");
        else /* a constant stands for all that is the same */
            r->same[left < FIRST_NET ? right : left] = left < FIRST_NET ? left : right;
    }
    free(to);
    return failed ? -1 : netlist_expect(r, ";");
}

/* ".A(net)", behind the dot. */
static int take_pin(struct netlist_reader *r, const struct netlist_cell *c, uint32_t *net)
{
    const int pin = library_pin(c->type, r->text, r->length);
    char *const name = take_name(r);
    if (!name)
        return -1;
    if (pin < 0)
        return fail(r, "the cell %s has no pin '%s'", c->type->name, name);
    if (net[pin] != NET_NONE)
        return fail(r, "a second '%s' of '%s'", name, c->name);
    if (netlist_expect(r, "("))
        return -1;
    if (netlist_accept(r, ")")) /* not connected */
        return 0;
    if (take_expression(r))
        return -1;
    if (r->num_value != 1)
        return fail(r, "%u bits at '%s' of '%s'", r->num_value, name, c->name);
    net[pin] = r->value[0];
    return netlist_expect(r, ")");
}

static struct netlist_cell *new_cell(struct netlist_reader *r)
{
    struct netlist *n = r->netlist;
    if (n->num_cells == r->cell_room) {
        const uint32_t room = r->cell_room ? 2 * r->cell_room : 1024;
        struct netlist_cell *grown = realloc(n->cells, room * sizeof *grown);
        if (!grown) {
            fail(r, "no memory");
            return NULL;
        }
        n->cells = grown;
        r->cell_room = room;
    }
    return &n->cells[n->num_cells];
}

/* "NAND2X1 name (.A(a), .Y(y));" */
static int take_cell(struct netlist_reader *r)
{
    struct netlist_cell *c = new_cell(r);
    const unsigned line = r->line;
    char *const type = c ? take_name(r) : NULL;
    if (!type)
        return -1;
    *c = (struct netlist_cell){.type = library_cell(r->netlist->library, type), .line = line};
    if (!c->type)
        return fail(r, "%s has no cell '%s'", r->netlist->library->liberty.path, type);
    uint32_t *net = arena_alloc(&r->netlist->memory, c->type->num_pins * sizeof *net, sizeof *net);
    if (!net)
        return fail(r, "no memory");
    for (unsigned p = 0; p < c->type->num_pins; p++)
        net[p] = NET_NONE;
    c->net = net;
    if (!(c->name = take_name(r)) || netlist_expect(r, "("))
        return -1;
    do
        if (netlist_expect(r, ".") || take_pin(r, c, net))
            return -1;
    while (netlist_accept(r, ","));
    for (unsigned p = 0; p < c->type->num_pins; p++) /* an output that nobody reads moves, too */
        if (c->type->pins[p].direction == PIN_OUT && net[p] == NET_NONE &&
            !(net[p] = new_bits(r, 1)))
            return -1;
    r->netlist->num_cells++;
    return netlist_expect(r, ")") || netlist_expect(r, ";") ? -1 : 0;
}

static int take_module(struct netlist_reader *r)
{
    if (!netlist_is(r, "module"))
        return netlist_expect(r, "module");
    netlist_next(r);
    if (!(r->netlist->module = take_name(r)) || netlist_expect(r, "("))
        return -1;
    while (r->token == TOKEN_NAME) { /* what these are is said by their declarations */
        netlist_next(r);
        netlist_accept(r, ",");
    }
    return netlist_expect(r, ")") || netlist_expect(r, ";") ? -1 : 0;
}

int netlist_take(struct netlist_reader *r)
{
    static const struct {
        const char *word;
        enum pin_direction direction;
    } words[] = {{"wire", PIN_OTHER}, {"input", PIN_IN}, {"output", PIN_OUT}};
    r->line = 1;
    if (new_bits(r, FIRST_NET) != 0 || r->num_bits != FIRST_NET)
        return -1;
    netlist_next(r);
    if (take_module(r))
        return -1;
    while (!netlist_is(r, "endmodule")) {
        unsigned w = 0;
        while (w < sizeof words / sizeof words[0] && !netlist_is(r, words[w].word))
            w++;
        const int assigns = netlist_is(r, "assign");
        if (w < sizeof words / sizeof words[0] || assigns)
            netlist_next(r);
        if (w < sizeof words / sizeof words[0] ? take_declaration(r, words[w].direction)
            : assigns                          ? take_assignment(r)
                                               : take_cell(r))
            return -1;
    }
    netlist_next(r);
    return r->token == TOKEN_END ? 0 : fail(r, "expected one module and nothing behind it");
}

uint32_t netlist_root(struct netlist_reader *r, uint32_t bit)
{
    return root(r, bit);
}
