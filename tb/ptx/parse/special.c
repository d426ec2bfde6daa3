/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/special.c: special registers: %tid.x, %laneid, %lanemask_lt, %clock. */
#include <string.h>

#include "tb/ptx/parse/parse.h"

/* Those that are set when a warp starts. */
static const struct {
    const char *name, *component; /* "" where it has none */
    enum ptx_special number;
} registers[] = {
    {"%tid", ".x", SR_TID_X},       {"%tid", ".y", SR_TID_Y},       {"%tid", ".z", SR_TID_Z},
    {"%ntid", ".x", SR_NTID_X},     {"%ntid", ".y", SR_NTID_Y},     {"%ntid", ".z", SR_NTID_Z},
    {"%ctaid", ".x", SR_CTAID_X},   {"%ctaid", ".y", SR_CTAID_Y},   {"%ctaid", ".z", SR_CTAID_Z},
    {"%nctaid", ".x", SR_NCTAID_X}, {"%nctaid", ".y", SR_NCTAID_Y}, {"%nctaid", ".z", SR_NCTAID_Z},
    {"%envreg0", "", SR_ENVREG0},   {"%envreg1", "", SR_ENVREG1},   {"%envreg2", "", SR_ENVREG2},
    {"%envreg3", "", SR_ENVREG3},   {"%laneid", "", SR_LANEID},     {"%warpid", "", SR_WARPID},
    {"%nwarpid", "", SR_NWARPID},
};

/* Masks that a lane compares with: constants that differ by lane. In the order of enum lanemask. */
static const char *const lanemasks[NUM_LANEMASKS] = {"%lanemask_eq", "%lanemask_le", "%lanemask_lt",
                                                     "%lanemask_ge", "%lanemask_gt"};

/* Those that are read when the instruction is executed. In the order of enum uop_special. */
static const char *const values[NUM_VALUES] = {
    "%clock", "%clock_hi", "%clock64", "%globaltimer",     "%globaltimer_lo",   "%globaltimer_hi",
    "%smid",  "%nsmid",    "%gridid",  "%total_smem_size", "%dynamic_smem_size"};

/* The fourth component, which is always 0. */
static const char *const vectors[] = {"%tid", "%ntid", "%ctaid", "%nctaid"};

/* Registers of the ISA that the machine does not have: a kernel that names one is refused. A name
 * stands for all that begin with it. */
static const char *const unsupported[] = {
    "%clock",  "%envreg",  "%globaltimer", "%tid",   "%ntid",      "%ctaid",
    "%nctaid", "%cluster", "%is_explicit", "%nclus", "%aggr_smem", "%reserved_smem"};

/* %envreg4 to %envreg31: no driver of this machine sets them. */
static int is_unset(const char *name)
{
    if (strncmp(name, "%envreg", 7) != 0 || !name[7])
        return 0;
    const char *digits = name + 7;
    const size_t length = strlen(digits);
    const int tens = length == 2 ? digits[0] - '0' : 0, ones = digits[length - 1] - '0';
    return ones >= 0 && ones <= 9 && (length == 1 || (length == 2 && tens >= 1 && tens <= 3)) &&
           10 * tens + ones > 3 && 10 * tens + ones < 32;
}

/* %pm0 to %pm7, and %pm0_64 to %pm7_64: nothing counts there. */
static int is_counter(const char *name)
{
    return !strncmp(name, "%pm", 3) && name[3] >= '0' && name[3] <= '7' &&
           (!name[4] || !strcmp(name + 4, "_64"));
}

static int find(const char *name, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return (int)i;
    return -1;
}

static int find_register(const char *name, const char *component)
{
    for (uint32_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (!strcmp(name, registers[i].name) && !strcmp(component, registers[i].component))
            return (int)registers[i].number;
    return -1;
}

/* %tid without a component: all four, for mov.v4. */
static void make_vector(struct parser *p, const char *name, struct operand *o)
{
    static const char *const components[] = {".x", ".y", ".z"};
    o->kind = OPERAND_VECTOR;
    o->count = 4;
    o->elements = ptx_scratch(p->context, 4, sizeof *o->elements);
    for (uint32_t i = 0; i < 3; i++)
        o->elements[i] = (struct operand){.kind = OPERAND_SPECIAL,
                                          .name = name,
                                          .special = (uint32_t)find_register(name, components[i])};
    o->elements[3] = (struct operand){.kind = OPERAND_INT, .name = name};
}

static int is_unsupported(const char *name)
{
    for (uint32_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (!strncmp(name, unsupported[i], strlen(unsupported[i])))
            return 1;
    return 0;
}

int parse_special(struct parser *p, const char *name, struct operand *o)
{
    struct lexer *x = &p->lexer;
    const char *component = x->token.kind == TOKEN_DOT ? x->token.text : "";
    int n;
    if ((n = find_register(name, component)) >= 0) {
        o->kind = OPERAND_SPECIAL;
        o->special = (uint32_t)n;
    } else if ((n = find(name, lanemasks, NUM_LANEMASKS)) >= 0) {
        o->kind = OPERAND_LANEMASK;
        o->special = (uint32_t)n;
        component = "";
    } else if ((n = find(name, values, NUM_VALUES)) >= 0) {
        o->kind = OPERAND_VALUE;
        o->special = (uint32_t)n;
        component = "";
    } else if (!*component && find(name, vectors, 4) >= 0) {
        make_vector(p, name, o);
    } else if (!strcmp(name, "%current_graph_exec") ||
               is_counter(name)) { /* no graph is executed */
        o->kind = OPERAND_INT;
        component = "";
    } else if ((!strcmp(component, ".w") && find(name, vectors, 4) >= 0) || is_unset(name)) {
        o->kind = OPERAND_INT;
        component = is_unset(name) ? "" : component;
    } else if (is_unsupported(name)) {
        o->kind = OPERAND_UNSUPPORTED;
        char *both = ptx_scratch(p->context, strlen(name) + strlen(component) + 1, 1);
        o->name = strcat(strcpy(both, name), component);
    } else {
        return 0;
    }
    if (*component)
        lexer_advance(x);
    return 1;
}
