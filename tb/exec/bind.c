/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/bind.c: finds the function of every uop, once, so that executing one is a single
 * indirect call. */
#include "tb/exec/bind.h"

#include <stdio.h>

#include "tb/exec/op.h"

/* Textures, surfaces, special registers and the stack gain nothing from wider vectors. */
extern const struct exec_forms exec_special, exec_tex, exec_surf, exec_query, exec_alloca;
#define FORMS(isa)                                                                                 \
    extern const struct exec_forms exec_atom##isa, exec_bits##isa, exec_cvt##isa, exec_float##isa; \
    extern const struct exec_forms exec_half##isa, exec_video##isa;                                \
    extern const struct exec_forms exec_int##isa, exec_lanes##isa, exec_mem##isa, exec_setp##isa;  \
    static const struct exec_forms *const forms##isa[] = {                                         \
        &exec_int##isa,  &exec_float##isa, &exec_mem##isa,  &exec_setp##isa,                       \
        &exec_bits##isa, &exec_cvt##isa,   &exec_atom##isa, &exec_lanes##isa,                      \
        &exec_half##isa, &exec_video##isa, &exec_tex,       &exec_surf,                            \
        &exec_query,     &exec_special,    &exec_alloca,    NULL,                                  \
    };
FORMS()
#ifdef __x86_64__
FORMS(_v3)
#endif

static const struct {
    const char *name;
    const struct exec_forms *const *forms;
} builds[] = {
    {"any", forms},
#ifdef __x86_64__
    {"x86-64-v3", forms_v3},
#endif
};

unsigned exec_builds(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("x86-64-v3") ? 2 : 1;
#else
    return 1;
#endif
}

const char *exec_build_name(unsigned build)
{
    return builds[build].name;
}

enum type_kind { UNTYPED, UNSIGNED, SIGNED, FLOAT };

static const struct {
    uint8_t bits; /* the untyped one of the same width */
    uint8_t kind;
} types[] = {
    [T_B8] = {T_B8, UNTYPED},     [T_B16] = {T_B16, UNTYPED},  [T_B32] = {T_B32, UNTYPED},
    [T_B64] = {T_B64, UNTYPED},   [T_U8] = {T_B8, UNSIGNED},   [T_U16] = {T_B16, UNSIGNED},
    [T_U32] = {T_B32, UNSIGNED},  [T_U64] = {T_B64, UNSIGNED}, [T_S8] = {T_B8, SIGNED},
    [T_S16] = {T_B16, SIGNED},    [T_S32] = {T_B32, SIGNED},   [T_S64] = {T_B64, SIGNED},
    [T_F16] = {T_B16, FLOAT},     [T_F32] = {T_B32, FLOAT},    [T_F64] = {T_B64, FLOAT},
    [T_PRED] = {T_PRED, UNTYPED}, [T_F16X2] = {T_B32, FLOAT},
};
static const uint8_t unsigned_of[T_PRED + 1] = {
    [T_B8] = T_U8, [T_B16] = T_U16, [T_B32] = T_U32, [T_B64] = T_U64, [T_PRED] = T_PRED};

/* A register that holds more than the type, or sits in wider lanes: the plain conversions cannot
 * read or extend it. */
static int resizes(const struct uop *u)
{
    uint8_t to = types[u->type].bits, from = types[u->type2].bits;
    return (to == T_B64) != (u->mod == T_B64) || (from == T_B64) != (u->mod2 == T_B64) ||
           (types[u->type].kind == SIGNED && u->mod != to);
}

/* div.approx, and the approximations of .f64 with .ftz, have ranges and digits of their own. */
static int approximates(const struct uop *u)
{
    return u->round == RND_APPROX && (u->op == U_DIV || (u->type == T_F64 && u->flags & UF_FTZ));
}

/* What the uop asks for beyond the plain operation. Truncation is the plain rounding towards an
 * integer. */
static uint8_t needs(const struct uop *u)
{
    int plain_round = u->round == RND_NONE || u->round == RND_RN || u->round == RND_APPROX ||
                      (u->op == U_CVT && u->round == RND_RZI && types[u->type].kind != FLOAT);
    return (uint8_t)((u->flags & UF_SAT ? CAN_SATURATE : 0) | (u->flags & UF_FTZ ? CAN_FLUSH : 0) |
                     (plain_round ? 0 : CAN_ROUND) | (approximates(u) ? CAN_APPROXIMATE : 0) |
                     (u->op == U_CVT && resizes(u) ? CAN_RESIZE : 0));
}

/* The first form that suffices, of `type` or of `bits`, which stands for any type of its width:
 * every table lists plain forms first. */
static uop_fn *find_form(unsigned build, const struct uop *u, uint8_t type, uint8_t bits,
                         uint8_t type2)
{
    const uint8_t wanted = needs(u);
    for (const struct exec_forms *const *table = builds[build].forms; *table; table++) {
        for (size_t i = 0; i < (*table)->count; i++) {
            const struct exec_form *form = &(*table)->form[i];
            if (form->op == u->op && (form->type == type || form->type == bits) &&
                (form->type2 == ANY || form->type2 == type2) &&
                (form->mod == ANY || form->mod == u->mod) && (wanted & ~form->abilities) == 0) {
                return form->run;
            }
        }
    }
    return NULL;
}

/* Membars order nothing here: a warp's accesses are done when they are executed. Hints to caches
 * and clocks have no result. Control is exec_step's own. */
static void run_nothing(OP_ARGUMENTS)
{
    (void)w;
    (void)u;
    (void)mask;
}

static uop_fn *find_load(unsigned build, const struct uop *u)
{
    uint8_t bits = types[u->type].bits, to = types[u->type2].bits;
    uint8_t from = bits == to ? bits : types[u->type].kind == SIGNED ? u->type : unsigned_of[bits];
    return u->space == SPACE_NONE ? NULL : find_form(build, u, from, from, to);
}

static uop_fn *find_store(unsigned build, const struct uop *u)
{
    uint8_t bits = types[u->type].bits, from = types[u->type2].bits == T_B64 ? T_B64 : T_B32;
    int writable = u->space == SPACE_GLOBAL || u->space == SPACE_SHARED ||
                   u->space == SPACE_LOCAL || u->space == SPACE_GENERIC;
    return writable ? find_form(build, u, bits, bits, from) : NULL;
}

static uop_fn *find_other(unsigned build, const struct uop *u)
{
    int atomic_space =
        u->space == SPACE_GLOBAL || u->space == SPACE_SHARED || u->space == SPACE_GENERIC;
    if (u->op == U_ATOM && !atomic_space) {
        return NULL;
    }
    /* What the bits of a float mean does not matter where they are only moved. */
    int as_bits = types[u->type].kind != FLOAT || u->op == U_MOV || u->op == U_MOVES ||
                  u->op == U_SELP || u->op == U_SLCT;
    return find_form(build, u, u->type, as_bits ? types[u->type].bits : u->type, u->type2);
}

/* By the type of what is compared. */
static uop_fn *find_set(unsigned build, const struct uop *u)
{
    const uint8_t type = u->type2;
    return find_form(build, u, type, types[type].kind == FLOAT ? type : types[type].bits, type);
}

static uop_fn *find_run(unsigned build, const struct uop *u)
{
    if (u->op >= NUM_UOPS || u->type > T_PRED || u->type2 > T_PRED) {
        return NULL;
    }
    switch (u->op) {
    case U_MEMBAR:
    case U_NOP:
    case U_BAR:
    case U_BRA:
    case U_BRX:
    case U_RET:
    case U_CALL:
    case U_RETURN:
    case U_TRAP: return run_nothing;
    case U_LD: return find_load(build, u);
    case U_ST: return find_store(build, u);
    case U_SET: return find_set(build, u);
    default: return find_other(build, u);
    }
}

/* Returns 0; 1 where the kernel is refused, with *error saying why; -1: no memory. */
static int bind_kernel(const struct ptx_module *module, struct ptx_kernel *kernel, unsigned build,
                       struct ptx_error *error)
{
    for (uint32_t i = 0; i < kernel->num_uops; i++) {
        struct uop *u = &kernel->uops[i];
        u->run = find_run(build, u);
        if (u->run) {
            continue;
        }
        error->line = u->line;
        snprintf(error->message, sizeof error->message,
                 "%.100s:%u: kernel '%.64s': cannot execute '%.200s': no such combination "
                 "of types and modifiers",
                 module->name, u->line, kernel->name, kernel->text[i]);
        if (ptx_refuse(module, kernel, i, error->message) != 0) {
            return -1;
        }
        kernel->uops[0].run = run_nothing; /* the trap */
    }
    return kernel->refused != NULL;
}

int exec_bind_build(const struct ptx_module *module, unsigned build, struct ptx_error *error)
{
    uint32_t ready = 0;
    for (uint32_t k = module->num_kernels; k-- > 0;) { /* the first one has the last word */
        struct ptx_kernel *kernel = &module->kernels[k];
        const int result = bind_kernel(module, kernel, build, error);
        if (result < 0) {
            return -1;
        }
        ready += result == 0;
    }
    return ready || !module->num_kernels ? 0 : -1;
}

int exec_bind(const struct ptx_module *module, struct ptx_error *error)
{
    return exec_bind_build(module, exec_builds() - 1, error);
}

int exec_read(struct ptx_module *module, struct ptx_kernel *kernel)
{
    struct ptx_error error;
    if (kernel->uops) {
        return 0;
    }
    if (ptx_read(module, kernel) < 0) {
        return -1;
    }
    return bind_kernel(module, kernel, exec_builds() - 1, &error) < 0 ? -1 : 0;
}

const struct ptx_kernel *exec_limit(const struct ptx_kernel *kernel, uint32_t registers,
                                    struct ptx_error *error)
{
    const struct ptx_kernel *limited = ptx_limit(kernel, registers, error);
    for (uint32_t i = 0; limited && limited != kernel && i < limited->num_uops; i++) {
        struct uop *u = &limited->uops[i];
        if (!u->run) {
            u->run = find_run(exec_builds() - 1, u);
        }
    }
    return limited;
}
