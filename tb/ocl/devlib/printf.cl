/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/printf.cl: printf writes down what is to be printed; the driver prints it when the kernel
 * has ended. tb/ocl/printf.c knows the layout: records of 8-byte words. Each begins with a head and
 * the number of the work-item; then come the elements of one argument, or, last, the format. */

#define PRINTF_WORDS (1 << 17)

/* A record's first word: its size in words, what it holds, how many bytes an element had, and how
 * many there are; for a format: how many arguments belong to it. */
#define RECORD_HEAD(words, kind, bytes, count)                                                     \
    ((ulong)(words) | (ulong)(kind) << 32 | (ulong)(bytes) << 40 | (ulong)(count) << 48)
#define RECORD_FIXED  2
#define KIND_FORMAT   0
#define KIND_POINTER  1
#define KIND_SIGNED   2
#define KIND_UNSIGNED 3
#define KIND_FLOAT    4

/* `used` counts on where there is no more room. Volatile: somebody else reads it. */
__global struct {
    volatile ulong used;
    volatile ulong words[PRINTF_WORDS];
} heddle_printf;

/* Where the elements go; NULL: there is no room. */
BUILTIN volatile __global ulong *new_record(uint kind, uint bytes, uint count, uint elements)
{
    const uint words = RECORD_FIXED + elements;
    const ulong at = atom_add(&heddle_printf.used, (ulong)words);
    if (at > PRINTF_WORDS - words)
        return 0;
    const ulong row = get_global_id(2) * get_global_size(1) + get_global_id(1);
    heddle_printf.words[at] = RECORD_HEAD(words, kind, bytes, count);
    heddle_printf.words[at + 1] = row * get_global_size(0) + get_global_id(0);
    return &heddle_printf.words[at + RECORD_FIXED];
}

#define WORD_SIGNED(v)   (ulong)(long)(v)
#define WORD_UNSIGNED(v) (ulong)(v)
#define WORD_FLOAT(v)    as(ulong, (double)(v))

#define PRINT_VECTOR(n, T, kind)                                                                   \
    BUILTIN void __heddle_printf(T##n v)                                                           \
    {                                                                                              \
        volatile __global ulong *to = new_record(KIND_##kind, sizeof(T), n, n);                    \
        if (to)                                                                                    \
            _Pragma("unroll") for (int e = 0; e < n; e++) to[e] = WORD_##kind(v[e]);               \
    }
#define PRINT(T, kind)                                                                             \
    BUILTIN void __heddle_printf(T v)                                                              \
    {                                                                                              \
        volatile __global ulong *to = new_record(KIND_##kind, sizeof(T), 1, 1);                    \
        if (to)                                                                                    \
            *to = WORD_##kind(v);                                                                  \
    }                                                                                              \
    SIZES(PRINT_VECTOR, T, kind)
#define PRINT_SIGNED(T)   PRINT(T, SIGNED)
#define PRINT_UNSIGNED(T) PRINT(T, UNSIGNED)
#define PRINT_FLOAT(T)    PRINT(T, FLOAT)
SIGNED_TYPES(PRINT_SIGNED)
UNSIGNED_TYPES(PRINT_UNSIGNED)
FLOAT_TYPES(PRINT_FLOAT)

#define PRINT_POINTER(space)                                                                       \
    BUILTIN void __heddle_printf(const volatile space void *p)                                     \
    {                                                                                              \
        volatile __global ulong *to = new_record(KIND_POINTER, sizeof p, 1, 1);                    \
        if (to)                                                                                    \
            *to = (ulong)p;                                                                        \
    }
PRINT_POINTER(__global)
PRINT_POINTER(__local)
PRINT_POINTER(__constant)
PRINT_POINTER(__private)

__attribute__((always_inline)) int __heddle_printf_format(__constant char *format, int arguments)
{
    volatile __global ulong *to = new_record(KIND_FORMAT, sizeof format, (uint)arguments, 1);
    if (to)
        *to = (ulong)format;
    return to ? 0 : -1;
}
