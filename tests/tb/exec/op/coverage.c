/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/coverage.c: spells all combinations of opcode.def, asks the decoder which ones
 * it takes, and looks each up among the instructions of the tables.
 *
 * A combination is a mnemonic, its modifiers in alphabetical order and its types; where registers
 * may be wider than the type, also their widths. Modifiers that say nothing (memory order, scope,
 * cache hints) are left out unless the opcode needs one. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/ptx/type.h"
#include "tests/tb/exec/op/op.h"
#include "tests/tb/exec/support.h"

/* Groups are known by their names: a set of them is the text between OPCODE's commas. */
static const struct modifier {
    const char *text, *group, *field;
} modifiers[] = {
#define MODIFIER(text, group, field, value) {text, #group, #field},
#include "tb/ptx/opcode.def"
};

#define G(group)   group
#define WORDS(...) #__VA_ARGS__
static const struct form {
    const char *mnemonic;
    uint32_t types, types2, types3;
    const char *required, *optional, *shape;
} forms[] = {
#define OPCODE3(mnemonic, op, class, types, types2, types3, required, optional, shape)             \
    {#mnemonic, types, types2, types3, WORDS(required), WORDS(optional), shape},
#define OPCODE2(mnemonic, op, class, types, types2, required, optional, shape)                     \
    {#mnemonic, types, types2, 0, WORDS(required), WORDS(optional), shape},
#define OPCODE(mnemonic, op, class, types, required, optional, shape)                              \
    OPCODE2(mnemonic, op, class, types, 0, required, optional, shape)
#include "tb/ptx/opcode.def"
};

/* Instructions that are more than data, and their tests. */
static const struct {
    const char *mnemonic, *test;
} elsewhere[] = {
    {"bra", "divergence_test"},      {"ret", "exec_test"},         {"exit", "exec_test"},
    {"trap", "exec_test"},           {"brkpt", "builtin_test"},    {"assertfail", "builtin_test"},
    {"bar", "barrier_test"},         {"barrier", "barrier_test"},  {"shfl", "lanes_test"},
    {"vote", "lanes_test"},          {"match", "lanes_test"},      {"tex", "tex_test"},
    {"redux", "lanes_test"},         {"activemask", "lanes_test"}, {"suld", "surf_test"},
    {"sust", "surf_test"},           {"sured", "surf_test"},       {"txq", "query_test"},
    {"suq", "query_test"},           {"istypep", "query_test"},    {"brx", "brx_test"},
    {"tld4", "gather_test"},         {"alloca", "alloca_test"},    {"stacksave", "alloca_test"},
    {"stackrestore", "alloca_test"},
};

/* Sets of combinations ------------------------------------------------------------------------ */

struct set {
    char **items;
    size_t count, room;
};

__attribute__((format(printf, 2, 3))) static void add(struct set *s, const char *format, ...)
{
    va_list arguments;
    if (s->count == s->room) {
        s->room = 2 * s->room + 1024;
        s->items = realloc(s->items, s->room * sizeof *s->items);
        assert_non_null(s->items);
    }
    va_start(arguments, format);
    assert_true(vasprintf(&s->items[s->count++], format, arguments) > 0);
    va_end(arguments);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts, and drops what is there twice. */
static void tidy(struct set *s)
{
    size_t kept = 0;
    qsort(s->items, s->count, sizeof *s->items, compare);
    for (size_t i = 0; i < s->count; i++) {
        if (kept && !strcmp(s->items[kept - 1], s->items[i]))
            free(s->items[i]);
        else
            s->items[kept++] = s->items[i];
    }
    s->count = kept;
}

static int has(const struct set *s, const char *item)
{
    return bsearch(&item, s->items, s->count, sizeof *s->items, compare) != NULL;
}

static void clear(struct set *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->items[i]);
    free(s->items);
}

/* Names of combinations ----------------------------------------------------------------------- */

static int has_wide_registers(const char *shape)
{
    return strpbrk(shape, "cCvs") != NULL;
}

static int is_memory(const char *shape)
{
    return strchr(shape, 'm') != NULL;
}

static const struct form *find_form(const char *opcode)
{
    const size_t length = strcspn(opcode, ".");
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strncmp(forms[i].mnemonic, opcode, length) && !forms[i].mnemonic[length])
            return &forms[i];
    fail_msg("'%s' is not in opcode.def", opcode);
    return NULL;
}

/* Modifiers in alphabetical order, then types as they come. */
static void name_opcode(char *name, size_t room, const char *opcode)
{
    char copy[128], *words[16], *rest, *save = NULL;
    unsigned count = 0, types = 0;
    snprintf(copy, sizeof copy, "%s", opcode);
    rest = strtok_r(copy, ".", &save);
    int n = snprintf(name, room, "%s", rest);
    for (char *word; count < 16 && (word = strtok_r(NULL, ".", &save));) {
        char dotted[32];
        snprintf(dotted, sizeof dotted, ".%s", word);
        if (type_find(dotted) >= 0) {
            words[count++] = word;
            types++;
        } else { /* before the types */
            memmove(&words[count - types + 1], &words[count - types], types * sizeof *words);
            words[count++ - types] = word;
        }
    }
    qsort(words, count - types, sizeof *words, compare);
    for (unsigned i = 0; i < count; i++)
        n += snprintf(name + n, room - (size_t)n, ".%s", words[i]);
}

static unsigned width_of(char letter)
{
    return letter == 'b' ? 8 : letter == 'h' ? 16 : letter == 'd' || letter == 'g' ? 64 : 32;
}

/* Adds the combination of a row's instruction. */
static void collect(void *tested, const struct op *op)
{
    char name[256];
    name_opcode(name, sizeof name, op->opcode);
    const int packs = op_has(op, ".pack"); /* unlike other forms of cvt */
    const char *shape = packs ? "xbb" : find_form(op->opcode)->shape;
    size_t n = strlen(name);
    unsigned left = !has_wide_registers(shape) ? 0 : is_memory(shape) ? 1 : 2;
    for (const char *at = op->text; left && (at = strchr(at, '%')); at++)
        if (strchr("bhrfdg", at[1])) {
            n += (size_t)snprintf(name + n, sizeof name - n, " %u", width_of(at[1]));
            left--;
        }
    add(tested, "%s", name);
}

/* What the decoder takes ---------------------------------------------------------------------- */

/* NULL, or why the statement is refused. */
static const char *refusal(const char *statement)
{
    static struct ptx_error error;
    char text[768];
    int n = snprintf(text, sizeof text,
                     PTX_HEAD ".entry k(.param .align 16 .b8 in[64])\n{\n.reg .b8 %%b<4>;\n"
                              ".reg .b16 %%h<4>;\n.reg .b32 %%r<4>;\n.reg .b64 %%d<4>;\n%s;\n}\n",
                     statement);
    struct ptx_module *m = ptx_parse("", text, (size_t)n, &error);
    if (!m)
        return error.message;
    ptx_free(m);
    return NULL;
}

/* A register, or as many of them as the opcode's vector has. */
static void name_registers(char *out, size_t room, const char *opcode, char letter)
{
    if (strstr(opcode, ".v4"))
        snprintf(out, room, "{%%%c0, %%%c1, %%%c2, %%%c3}", letter, letter, letter, letter);
    else if (strstr(opcode, ".v2"))
        snprintf(out, room, "{%%%c0, %%%c1}", letter, letter);
    else
        snprintf(out, room, "%%%c0", letter);
}

/* Adds the opcode with every width of registers that the decoder takes. */
static void add_widths(struct set *accepted, const struct form *f, const char *opcode,
                       const char *name)
{
    static const char letters[] = "bhrd";
    const unsigned pairs = is_memory(f->shape) ? 4 : 16;
    for (unsigned i = 0; i < pairs; i++) {
        char statement[256], data[64];
        const char to = letters[i % 4], from = letters[i / 4];
        const char *address = strstr(opcode, ".param") ? "[in]" : "[%d0]";
        name_registers(data, sizeof data, opcode, to);
        if (!is_memory(f->shape))
            snprintf(statement, sizeof statement, "%s %s, %%%c1", opcode, data, from);
        else if (f->shape[0] == 'm')
            snprintf(statement, sizeof statement, "%s %s, %s", opcode, address, data);
        else
            snprintf(statement, sizeof statement, "%s %s, %s", opcode, data, address);
        if (refusal(statement))
            continue;
        if (is_memory(f->shape))
            add(accepted, "%s %u", name, width_of(to));
        else
            add(accepted, "%s %u %u", name, width_of(to), width_of(from));
    }
}

static void try_opcode(struct set *accepted, const struct form *f, const char *opcode)
{
    char name[256];
    const char *why = refusal(opcode);
    if (why && strstr(why, "' is not supported"))
        return;
    name_opcode(name, sizeof name, opcode);
    if (has_wide_registers(f->shape))
        add_widths(accepted, f, opcode, name);
    else
        add(accepted, "%s", name);
}

/* Every type of the n-th set that the opcode has. */
static void try_types(struct set *accepted, const struct form *f, const char *prefix, unsigned n)
{
    const uint32_t sets[] = {f->types, f->types2, f->types3};
    if (n == sizeof sets / sizeof *sets || !sets[n]) {
        try_opcode(accepted, f, prefix);
        return;
    }
    for (int t = 0; t < NUM_TYPES; t++)
        if (sets[n] & TYPE_BIT(t)) {
            char opcode[160];
            snprintf(opcode, sizeof opcode, "%s%s", prefix, type_name((enum ptx_type)t));
            try_types(accepted, f, opcode, n + 1);
        }
}

static int says_nothing(const char *group, size_t length)
{
    for (unsigned i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        if (!strncmp(modifiers[i].group, group, length) && !modifiers[i].group[length] &&
            strcmp(modifiers[i].field, "NONE") != 0)
            return 0;
    return 1;
}

/* A field of the micro-operation has one value, which the decoder's own tests see to: `fields` are
 * those that are taken, with a space behind each. */
static int is_taken(const char *fields, const char *field)
{
    char word[16];
    snprintf(word, sizeof word, "%s ", field);
    return strcmp(field, "FLAG") && strcmp(field, "NONE") && strstr(fields, word);
}

/* One modifier, or none of an optional group, for each group that `words` still names. */
static void try_groups(struct set *accepted, const struct form *f, const char *prefix,
                       const char *fields, const char *words, int optional)
{
    while (*words && !isupper(*words))
        words++;
    if (!*words) {
        if (optional)
            try_types(accepted, f, prefix, 0);
        else
            try_groups(accepted, f, prefix, fields, f->optional, 1);
        return;
    }
    size_t length = 0;
    while (isupper(words[length]) || words[length] == '_')
        length++;
    if (optional)
        try_groups(accepted, f, prefix, fields, words + length, optional);
    if (optional && says_nothing(words, length))
        return;
    for (unsigned i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        if (!strncmp(modifiers[i].group, words, length) && !modifiers[i].group[length] &&
            !is_taken(fields, modifiers[i].field)) {
            char longer[128], more[64];
            snprintf(longer, sizeof longer, "%s%s", prefix, modifiers[i].text);
            snprintf(more, sizeof more, "%s%s ", fields, modifiers[i].field);
            try_groups(accepted, f, longer, more, words + length, optional);
        }
}

static int is_elsewhere(const char *mnemonic)
{
    for (unsigned i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (!strcmp(elsewhere[i].mnemonic, mnemonic))
            return 1;
    return 0;
}

void op_check_coverage(const struct op_table *const *tables, unsigned count)
{
    struct set accepted = {0}, tested = {0};
    unsigned missing = 0;
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!is_elsewhere(forms[i].mnemonic))
            try_groups(&accepted, &forms[i], forms[i].mnemonic, "", forms[i].required, 0);
    for (unsigned t = 0; t < count; t++)
        for (unsigned i = 0; i < tables[t]->count; i++)
            op_expand(tables[t]->rows[i].text, collect, &tested);
    tidy(&accepted);
    tidy(&tested);
    for (size_t i = 0; i < accepted.count; i++)
        if (!has(&tested, accepted.items[i]) && missing++ < 20)
            print_error("no row has %s\n", accepted.items[i]);
    print_message("%zu combinations accepted by the decoder, %zu of them tested\n", accepted.count,
                  accepted.count - missing);
    assert_true(accepted.count > 0);
    clear(&accepted);
    clear(&tested);
    if (missing)
        fail_msg("%u combinations without a row", missing);
}
