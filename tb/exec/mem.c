/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/mem.c: loads and stores of all spaces, and which one an address is in.
 * PTX ISA, "ld", "st", "isspacep". An address must be a
 * multiple of the bytes that the instruction moves for a lane, and all of these bytes must be
 * mapped. */
#include "tb/exec/mem.h"

/* X(memory type, register): the value is extended to the register as the memory type's sign says.
 */
#define LOAD_LIST(X)                                                                               \
    X(B8, B8)                                                                                      \
    X(B16, B16)                                                                                    \
    X(B32, B32)                                                                                    \
    X(B64, B64)                                                                                    \
    X(U8, B16)                                                                                     \
    X(S8, B16)                                                                                     \
    X(U8, B32)                                                                                     \
    X(S8, B32)                                                                                     \
    X(U16, B32)                                                                                    \
    X(S16, B32)                                                                                    \
    X(U8, B64)                                                                                     \
    X(S8, B64)                                                                                     \
    X(U16, B64)                                                                                    \
    X(S16, B64)                                                                                    \
    X(U32, B64)                                                                                    \
    X(S32, B64)
/* X(memory type, register): the low bits are stored. */
#define STORE_LIST(X)                                                                              \
    X(B8, B32)                                                                                     \
    X(B16, B32)                                                                                    \
    X(B32, B32)                                                                                    \
    X(B8, B64)                                                                                     \
    X(B16, B64)                                                                                    \
    X(B32, B64)                                                                                    \
    X(B64, B64)

/* Lanes in a row are moved together, others one by one: all of them in a plain loop. */
#define LOAD(M, R)                                                                                 \
    static void LD_##M##_##R(OP_ARGUMENTS)                                                         \
    {                                                                                              \
        const uint32_t bytes = sizeof(element_##M), vec = u->vec;                                  \
        uint32_t left = mem_begin(w, u, mask, bytes * vec, sizeof(slot_##R), access);              \
        struct mem_group group;                                                                    \
        while (mem_next(w, access, &left, &group)) {                                               \
            for (uint32_t e = 0; e < vec; e++) {                                                   \
                slot_##R *const d = exec_target(w, u->dst[e]);                                     \
                element_##M x[WARP_LANES];                                                         \
                if (group.contiguous && vec == 1)                                                  \
                    memcpy(x, mem_at(&group, 0), sizeof x);                                        \
                else if (group.lanes == ~0u)                                                       \
                    for (int i = 0; i < WARP_LANES; i++)                                           \
                        memcpy(&x[i], mem_at(&group, i) + e * bytes, bytes);                       \
                if (group.lanes == ~0u) {                                                          \
                    FOR_LANES d[i] = (bits_##R)x[i];                                               \
                    continue;                                                                      \
                }                                                                                  \
                uint32_t rest = group.lanes;                                                       \
                FOR_ACTIVE(rest, i)                                                                \
                {                                                                                  \
                    memcpy(x, mem_at(&group, i) + e * bytes, bytes);                               \
                    d[i] = (bits_##R)x[0];                                                         \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define STORE(M, R)                                                                                \
    static void ST_##M##_##R(OP_ARGUMENTS)                                                         \
    {                                                                                              \
        const uint32_t bytes = sizeof(element_##M), vec = u->vec;                                  \
        uint32_t left = mem_begin(w, u, mask, bytes * vec, sizeof(slot_##R), access);              \
        struct mem_group group;                                                                    \
        while (mem_next(w, access, &left, &group)) {                                               \
            for (uint32_t e = 0; e < vec; e++) {                                                   \
                const slot_##R *const value = exec_later_operand(w, u->vsrc[e], e);                \
                element_##M x[WARP_LANES];                                                         \
                if (group.contiguous && vec == 1) {                                                \
                    FOR_LANES x[i] = (element_##M)value[i];                                        \
                    memcpy(mem_at(&group, 0), x, sizeof x);                                        \
                    break;                                                                         \
                }                                                                                  \
                uint32_t rest = group.lanes;                                                       \
                FOR_ACTIVE(rest, i)                                                                \
                {                                                                                  \
                    x[0] = (element_##M)value[i];                                                  \
                    memcpy(mem_at(&group, i) + e * bytes, x, bytes);                               \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
LOAD_LIST(LOAD)
STORE_LIST(STORE)

/* Constants have no window of their own: they are the module's .const variables, in what is else
 * global memory. What a driver hands to a kernel as constant memory is a buffer, and global. */
static int is_constant(const struct ptx_module *module, uint64_t address)
{
    for (uint32_t n = 0; n < module->num_vars; n++) {
        const struct ptx_var *var = &module->vars[n];
        if (var->space == SPACE_CONST && address - var->address < var->size) {
            return 1;
        }
    }
    return 0;
}

/* PTX ISA: the window of parameters is part of global memory. */
static void ISSPACEP(OP_ARGUMENTS)
{
    SOURCE(U64, a, 0);
    const int constants = u->space == SPACE_CONST || u->space == SPACE_GLOBAL;
    uint32_t yes = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        uint8_t space = mem_space_of(a_lanes[i]);
        if (constants && is_constant(w->kernel->module, a_lanes[i])) {
            space = SPACE_CONST;
        }
        if (space == SPACE_PARAM && u->space == SPACE_GLOBAL) {
            space = SPACE_GLOBAL;
        }
        yes |= space == u->space ? exec_lane_bit32[i] : 0;
    }
    exec_set_predicate(w, u->dst[0], mask, yes);
}

#define LOAD_FORM(M, R)  {U_LD, T_##M, T_##R, ANY, 0, LD_##M##_##R},
#define STORE_FORM(M, R) {U_ST, T_##M, T_##R, ANY, 0, ST_##M##_##R},
/* clang-format off */
static const struct exec_form mem_forms[] = {LOAD_LIST(LOAD_FORM) STORE_LIST(STORE_FORM)
                                            {U_ISSPACEP, T_B32, ANY, ANY, 0, ISSPACEP}};
/* clang-format on */
EXPORT_FORMS(exec_mem, mem_forms)
