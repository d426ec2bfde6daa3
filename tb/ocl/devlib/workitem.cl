/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/workitem.cl: who am I. Global ids are computed in 32 bits: the driver refuses larger
 * ranges. The work dimension and the global offset are in the environment registers 0 to 3. */

/* For a constant dimension only one branch remains. */
#define PICK(dimension, of, other)                                                                 \
    ((dimension) == 0   ? of(x, 1)                                                                 \
     : (dimension) == 1 ? of(y, 2)                                                                 \
     : (dimension) == 2 ? of(z, 3)                                                                 \
                        : (uint)(other))

#define ENVIRONMENT(number)                                                                        \
    ({                                                                                             \
        uint value_;                                                                               \
        __asm("mov.u32 %0, %%envreg" #number ";" : "=r"(value_));                                  \
        value_;                                                                                    \
    })

#define LOCAL_ID(axis, n)   (uint) __nvvm_read_ptx_sreg_tid_##axis()
#define LOCAL_SIZE(axis, n) (uint) __nvvm_read_ptx_sreg_ntid_##axis()
#define GROUP_ID(axis, n)   (uint) __nvvm_read_ptx_sreg_ctaid_##axis()
#define NUM_GROUPS(axis, n) (uint) __nvvm_read_ptx_sreg_nctaid_##axis()
#define OFFSET(axis, n)     ENVIRONMENT(n)
#define GLOBAL_ID(axis, n)                                                                         \
    (GROUP_ID(axis, n) * LOCAL_SIZE(axis, n) + LOCAL_ID(axis, n) + OFFSET(axis, n))
#define GLOBAL_SIZE(axis, n) (NUM_GROUPS(axis, n) * LOCAL_SIZE(axis, n))

BUILTIN uint get_work_dim(void) { return ENVIRONMENT(0); }
BUILTIN size_t get_global_id(uint d) { return PICK(d, GLOBAL_ID, 0); }
BUILTIN size_t get_global_size(uint d) { return PICK(d, GLOBAL_SIZE, 1); }
BUILTIN size_t get_global_offset(uint d) { return PICK(d, OFFSET, 0); }
BUILTIN size_t get_local_id(uint d) { return PICK(d, LOCAL_ID, 0); }
BUILTIN size_t get_local_size(uint d) { return PICK(d, LOCAL_SIZE, 1); }
BUILTIN size_t get_group_id(uint d) { return PICK(d, GROUP_ID, 0); }
BUILTIN size_t get_num_groups(uint d) { return PICK(d, NUM_GROUPS, 1); }
