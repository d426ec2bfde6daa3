/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/sync.cl: barriers, fences, atomics. A barrier is PTX's barrier 0, which orders memory of
 * both kinds. */

#define GLOBAL_FENCE 2 /* CLK_GLOBAL_MEM_FENCE */

__attribute__((convergent)) BUILTIN void barrier(uint flags) { __nvvm_bar_sync(0); }

BUILTIN void mem_fence(uint flags)
{
    if (flags & GLOBAL_FENCE)
        __nvvm_membar_gl();
    else
        __nvvm_membar_cta();
}
BUILTIN void read_mem_fence(uint flags) { mem_fence(flags); }
BUILTIN void write_mem_fence(uint flags) { mem_fence(flags); }

/* One operation, in one address space, on one type, under one name: atomic_ for 32 bits
 * (OpenCL 1.1), atom_ for the extensions of 1.0 and for 64 bits. */
#define ATOMICS(prefix, space, T)                                                                  \
    BUILTIN T prefix##_add(volatile space T *p, T v) { return __sync_fetch_and_add(p, v); }        \
    BUILTIN T prefix##_sub(volatile space T *p, T v) { return __sync_fetch_and_add(p, (T)-v); }    \
    BUILTIN T prefix##_inc(volatile space T *p) { return __sync_fetch_and_add(p, (T)1); }          \
    BUILTIN T prefix##_dec(volatile space T *p) { return __sync_fetch_and_add(p, (T)-1); }         \
    BUILTIN T prefix##_and(volatile space T *p, T v) { return __sync_fetch_and_and(p, v); }        \
    BUILTIN T prefix##_or(volatile space T *p, T v) { return __sync_fetch_and_or(p, v); }          \
    BUILTIN T prefix##_xor(volatile space T *p, T v) { return __sync_fetch_and_xor(p, v); }        \
    BUILTIN T prefix##_xchg(volatile space T *p, T v) { return __sync_swap(p, v); }                \
    BUILTIN T prefix##_cmpxchg(volatile space T *p, T c, T v)                                      \
    {                                                                                              \
        return __sync_val_compare_and_swap(p, c, v);                                               \
    }

#define MIN_MAX_32(prefix, space, T, signedness)                                                   \
    BUILTIN T prefix##_min(volatile space T *p, T v)                                               \
    {                                                                                              \
        return __sync_fetch_and_##signedness##min(p, v);                                           \
    }                                                                                              \
    BUILTIN T prefix##_max(volatile space T *p, T v)                                               \
    {                                                                                              \
        return __sync_fetch_and_##signedness##max(p, v);                                           \
    }

/* clang has no builtin for these in an address space. */
#define MIN_MAX_64(name, space, T, better)                                                         \
    BUILTIN T atom_##name(volatile space T *p, T v)                                                \
    {                                                                                              \
        T old = *p;                                                                                \
        for (T seen; v better old; old = seen)                                                     \
            if ((seen = __sync_val_compare_and_swap(p, old, v)) == old)                            \
                break;                                                                             \
        return old;                                                                                \
    }

#define ATOMICS_32(prefix, space)                                                                  \
    ATOMICS(prefix, space, int)                                                                    \
    ATOMICS(prefix, space, uint)                                                                   \
    MIN_MAX_32(prefix, space, int, )                                                               \
    MIN_MAX_32(prefix, space, uint, u)

#define ATOMICS_64(space, T)                                                                       \
    ATOMICS(atom, space, T)                                                                        \
    MIN_MAX_64(min, space, T, <)                                                                   \
    MIN_MAX_64(max, space, T, >)

#define ATOMICS_IN(space)                                                                          \
    ATOMICS_32(atomic, space)                                                                      \
    ATOMICS_32(atom, space)                                                                        \
    ATOMICS_64(space, long)                                                                        \
    ATOMICS_64(space, ulong)                                                                       \
    BUILTIN float atomic_xchg(volatile space float *p, float v)                                    \
    {                                                                                              \
        return as(float, __sync_swap((volatile space int *)p, as(int, v)));                        \
    }

ATOMICS_IN(__global)
ATOMICS_IN(__local)
