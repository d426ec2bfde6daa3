/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/opcode.c: matches an opcode against the table of forms in opcode.def. */
#include "tb/ptx/opcode.h"

#include <string.h>

#include "tb/ptx/ptx.h"
#include "tb/ptx/type.h"

/* The groups of modifiers, in the order of their bits. */
enum group {
    GROUP_HALF,
    GROUP_HIGH,
    GROUP_WIDE,
    GROUP_CMP_EQUAL,
    GROUP_CMP_ORDER,
    GROUP_CMP_UNSIGNED,
    GROUP_CMP_FLOAT,
    GROUP_COMBINE,
    GROUP_ROUND,
    GROUP_NEAREST,
    GROUP_ROUND_INT,
    GROUP_APPROX,
    GROUP_FULL,
    GROUP_SAT,
    GROUP_FTZ,
    GROUP_SPACE_RW,
    GROUP_SPACE_GLOBAL,
    GROUP_SPACE_LOCAL,
    GROUP_SPACE_CONST,
    GROUP_SPACE_PARAM,
    GROUP_TO,
    GROUP_VECTOR,
    GROUP_VOLATILE,
    GROUP_ORDER,
    GROUP_SCOPE,
    GROUP_CACHE,
    GROUP_ATOM_ADD,
    GROUP_ATOM_MINMAX,
    GROUP_ATOM_BITS,
    GROUP_ATOM_EXCH,
    GROUP_ATOM_CAS,
    GROUP_ATOM_WRAP,
    GROUP_DIRECTION,
    GROUP_CLAMP,
    GROUP_SHIFTAMT,
    GROUP_UNI,
    GROUP_SYNC,
    GROUP_ALIGNED,
    GROUP_CARRY,
    GROUP_NAN_WINS,
    GROUP_PERMUTE,
    GROUP_TEST,
    GROUP_SHUFFLE,
    GROUP_VOTE,
    GROUP_BALLOT,
    GROUP_MATCH_ANY,
    GROUP_MATCH_ALL,
    GROUP_WARP,
    GROUP_ARRIVE,
    GROUP_RED,
    GROUP_RED_COUNT,
    GROUP_RED_BITS,
    GROUP_LEVEL,
    GROUP_EVICTION,
    GROUP_PREFETCH,
    GROUP_GEOMETRY,
    GROUP_TEXEL,
    GROUP_EVENTS,
    GROUP_CUBE,
    GROUP_UNFORMATTED,
    GROUP_FORMATTED,
    GROUP_OUTSIDE,
    GROUP_REDUCE_ADD,
    GROUP_REDUCE_MINMAX,
    GROUP_REDUCE_BITS,
    GROUP_QUERY,
    GROUP_QUERY_SAMPLER,
    GROUP_QUERY_SURFACE,
    GROUP_SECOND,
    GROUP_ACCUMULATE,
    GROUP_SCALE,
    GROUP_PLUS_ONE,
    GROUP_INDEXED,
    GROUP_BASE,
    GROUP_EXPLICIT_LEVEL,
    GROUP_GRADIENT,
    GROUP_COMPONENT,
    GROUP_PLANE,
    GROUP_BOOLEAN,
    GROUP_NOFTZ,
    GROUP_TEXEL_PAIR,
    GROUP_PROXY,
    GROUP_ALIAS,
    GROUP_PACK,
    GROUP_NARROW,
    GROUP_QUERY_SIZE,
    GROUP_DEVICE,
    GROUP_OPAQUE,
    GROUP_SPACE_FUNCTION,
    GROUP_ROUND_FINITE,
    GROUP_FINITE,
    NUM_GROUPS
};
typedef unsigned __int128 group_set;
_Static_assert(NUM_GROUPS <= 128, "a bit for each group");
#define G(group) ((group_set)1 << GROUP_##group)

enum field {
    FIELD_NONE,
    FIELD_MOD,
    FIELD_MOD2,
    FIELD_ROUND,
    FIELD_FLAG,
    FIELD_SPACE,
    FIELD_VEC,
    NUM_FIELDS
};

static const struct modifier {
    const char *text;
    group_set group;
    enum field field;
    uint32_t value;
} modifiers[] = {
#define MODIFIER(text, group, field, value) {text, G(group), FIELD_##field, value},
#include "tb/ptx/opcode.def"
};

#define MAX_TYPES 3
static const struct form {
    const char *mnemonic;
    enum uop_op op;
    enum uop_class klass;
    uint32_t types[MAX_TYPES]; /* of the first, second and third type; 0: the opcode has none */
    group_set required, optional;
    opcode_shape shape;
} forms[] = {
#define OPCODE3(mnemonic, op, class, types, types2, types3, required, optional, shape)             \
    {#mnemonic, op, CLASS_##class, {types, types2, types3}, required, optional, shape},
#define OPCODE2(mnemonic, op, class, types, types2, required, optional, shape)                     \
    OPCODE3(mnemonic, op, class, types, types2, 0, required, optional, shape)
#define OPCODE(mnemonic, op, class, types, required, optional, shape)                              \
    OPCODE2(mnemonic, op, class, types, 0, required, optional, shape)
#include "tb/ptx/opcode.def"
};

#define NUM_MODIFIERS (sizeof modifiers / sizeof *modifiers)
#define NUM_FORMS     (sizeof forms / sizeof *forms)

/* strcmp is called for few: most words differ in the first character already, behind the dot of a modifier. */
static int same(const char *a, const char *b, size_t first)
{
    return a[first] == b[first] && !strcmp(a, b);
}

int opcode_known(const char *mnemonic)
{
    for (size_t i = 0; i < NUM_FORMS; i++)
        if (same(forms[i].mnemonic, mnemonic, 0))
            return 1;
    return 0;
}

static const struct modifier *find_modifier(const char *text, group_set groups)
{
    for (size_t i = 0; i < NUM_MODIFIERS; i++)
        if (modifiers[i].group & groups && same(modifiers[i].text, text, 1))
            return &modifiers[i];
    return NULL;
}

static int num_types_of(const struct form *f)
{
    int n = 0;
    while (n < MAX_TYPES && f->types[n])
        n++;
    return n;
}

/* Takes the modifiers one by one; a form fits when each is a type or in an admitted group that is
 * not taken yet. */
static int match(const struct form *f, const struct insn *n, struct uop *u)
{
    group_set taken = 0;
    uint64_t fields = 0;
    uint32_t value[NUM_FIELDS] = {[FIELD_VEC] = 1};
    int num_types = 0, type[MAX_TYPES] = {T_B32, T_B32, T_B32};
    for (uint32_t i = 0; i < n->num_modifiers; i++) {
        int t = type_find(n->modifiers[i]);
        if (t >= 0) {
            if (num_types == MAX_TYPES || !(f->types[num_types] & TYPE_BIT(t)))
                return 0;
            type[num_types++] = t;
            continue;
        }
        const struct modifier *m =
            find_modifier(n->modifiers[i], (f->required | f->optional) & ~taken);
        if (!m)
            return 0;
        taken |= m->group;
        if (m->field == FIELD_NONE || m->field == FIELD_FLAG) {
            value[m->field] |= m->value;
        } else if (fields & (uint64_t)1 << m->field) {
            return 0; /* .global.local: two groups, one field */
        } else {
            fields |= (uint64_t)1 << m->field;
            value[m->field] = m->value;
        }
    }
    if ((taken & f->required) != f->required || num_types != num_types_of(f))
        return 0;
    u->op = f->op;
    u->klass = f->klass;
    u->type = (uint8_t)type[0];
    u->type2 = (uint8_t)(f->types[1] ? type[1] : type[0]);
    u->type3 = (uint8_t)(f->types[2] ? type[2] : u->type2);
    u->mod = (uint8_t)value[FIELD_MOD];
    u->mod2 = (uint8_t)value[FIELD_MOD2];
    u->round = (uint8_t)value[FIELD_ROUND];
    u->space = (uint8_t)value[FIELD_SPACE];
    u->vec = (uint8_t)value[FIELD_VEC];
    u->flags = (uint16_t)value[FIELD_FLAG];
    /* Float arithmetic without a rounding mode rounds to nearest even. */
    if (f->op != U_CVT && f->optional & (G(ROUND) | G(NEAREST)) && u->round == RND_NONE)
        u->round = RND_RN;
    return 1;
}

/* Every value of the one integer type is one of the other. */
static int contains(enum ptx_type outer, enum ptx_type inner)
{
    int wider = type_bytes(outer) > type_bytes(inner);
    return type_is_signed(outer) == type_is_signed(inner)
               ? wider || type_bytes(outer) == type_bytes(inner)
               : wider && type_is_signed(outer);
}

/* A conversion rounds exactly where its result may be inexact; an integral rounding of a float to
 * its own type is allowed too (floor, ceil, rint, trunc). .sat between integers is allowed where it
 * may do something. */
static int cvt_is_valid(const struct uop *u)
{
    int to_float = type_is_float(u->type), from_float = type_is_float(u->type2);
    int integral = u->round >= RND_RNI && u->round <= RND_RPI;
    int real = u->round >= RND_RN && u->round <= RND_RP;
    if (u->flags & UF_FTZ && u->type != T_F32 && u->type2 != T_F32)
        return 0;
    if (!to_float && !from_float)
        return u->round == RND_NONE && !(u->flags & UF_SAT && contains(u->type, u->type2));
    if (!to_float)
        return integral;
    if (!from_float)
        return real;
    if (type_bytes(u->type) == type_bytes(u->type2))
        return integral || u->round == RND_NONE;
    return type_bytes(u->type) < type_bytes(u->type2) ? real : u->round == RND_NONE;
}

static int is_valid(const struct uop *u)
{
    switch (u->op) {
    case U_CVT: return cvt_is_valid(u);
    case U_LD:
    case U_SULD:
    case U_SUST:
    case U_MOVES:
    case U_ST: return u->vec * type_bytes(u->type) <= 16;
    default: return 1;
    }
}

/* The pipeline of a memory access follows its space; parameters are operands from the constant
 * bank. */
static enum uop_class memory_class(enum ptx_space space)
{
    switch (space) {
    case SPACE_PARAM: return CLASS_SP;
    case SPACE_SHARED:
    case SPACE_CONST: return CLASS_STCMEM;
    default: return CLASS_GMEM;
    }
}

int opcode_complete(const struct insn *n, struct insn *complete,
                    const char *modifiers[OPCODE_COMPLETE])
{
    static const char *const mnemonics[] = {"div", "rcp", "sqrt", "rsqrt",
                                            "sin", "cos", "lg2",  "ex2"};
    size_t i = 0;
    while (i < sizeof mnemonics / sizeof *mnemonics && strcmp(n->mnemonic, mnemonics[i]))
        i++;
    if (i == sizeof mnemonics / sizeof *mnemonics || n->num_modifiers != 1)
        return 0;
    *complete = *n;
    complete->modifiers = modifiers;
    modifiers[0] = n->modifiers[0];
    if (!strcmp(n->modifiers[0], ".f32")) {
        modifiers[complete->num_modifiers++] = ".approx";
        modifiers[complete->num_modifiers++] = ".ftz";
        return 1;
    }
    modifiers[complete->num_modifiers++] = strcmp(n->mnemonic, "rsqrt") ? ".rn" : ".approx";
    return !strcmp(n->modifiers[0], ".f64");
}

int opcode_halve(const struct insn *n, struct insn *halves,
                 const char *modifiers[MAX_MODIFIERS + 1])
{
    static const char *const mnemonics[] = {"ld", "st", "mov"};
    int found = 0, knows = 0;
    for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++)
        knows |= !strcmp(n->mnemonic, mnemonics[i]);
    *halves = *n;
    halves->modifiers = modifiers;
    halves->num_modifiers = 0;
    for (uint32_t i = 0; knows && i < n->num_modifiers; i++) {
        const int here = !found && !strcmp(n->modifiers[i], ".b128");
        if (here)
            modifiers[halves->num_modifiers++] = ".v2";
        modifiers[halves->num_modifiers++] = here ? ".b64" : n->modifiers[i];
        found |= here;
    }
    return found;
}

static const struct {
    const char *word, *reason;
} missing[] = {
#define MISSING(word, reason) {word, reason},
#include "tb/ptx/missing.def"
};

/* Why the machine does not have the instruction: ": " and the reason, or nothing. */
static const char *reason_of(const struct insn *n, const char **colon)
{
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        int found = same(missing[i].word, n->mnemonic, 0);
        for (uint32_t k = 0; k < n->num_modifiers; k++)
            found |= same(missing[i].word, n->modifiers[k], 1);
        if (found) {
            *colon = ": ";
            return missing[i].reason;
        }
    }
    *colon = "";
    return "";
}

const char *opcode_why_no_special(const char *name, const char **colon)
{
    *colon = "";
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (*missing[i].word == '%' && !strncmp(name, missing[i].word, strlen(missing[i].word))) {
            *colon = ": ";
            return missing[i].reason;
        }
    return "";
}

opcode_shape opcode_decode(struct ptx_context *c, const struct insn *n, struct uop *u)
{
    for (size_t i = 0; i < NUM_FORMS; i++) {
        const struct form *f = &forms[i];
        if (!same(f->mnemonic, n->mnemonic, 0) || !match(f, n, u))
            continue;
        if (!is_valid(u))
            break;
        if (strchr(f->shape, 'm') && u->space == SPACE_NONE)
            u->space = SPACE_GENERIC;
        if (u->op == U_LD || u->op == U_ST || u->op == U_ATOM)
            u->klass = memory_class(u->space);
        return f->shape;
    }
    const char *colon, *reason = reason_of(n, &colon);
    ptx_fail(c, n->line, "opcode '%.100s' is not supported%s%s", n->opcode, colon, reason);
}
