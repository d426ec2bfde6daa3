/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/prelude.cl: what the compiler reads before every program: declarations of built-in
 * functions that clang 14 leaves out, and printf, which becomes one call for each argument and one
 * for the format, so that their types are known. All names begin with __heddle. */

/* Halves in memory: devlib/half.cl. */
#define __HEDDLE_CALL(...) __attribute__((overloadable)) __VA_ARGS__
#define __HEDDLE_LOAD(n, space)                                                                    \
    __HEDDLE_CALL(float##n vload_half##n(size_t, const space half *));                             \
    __HEDDLE_CALL(float##n vloada_half##n(size_t, const space half *));
#define __HEDDLE_STORE(n, T, suffix, space)                                                        \
    __HEDDLE_CALL(void vstore_half##n##suffix(T##n, size_t, space half *));                        \
    __HEDDLE_CALL(void vstorea_half##n##suffix(T##n, size_t, space half *));
#define __HEDDLE_ROUNDINGS(n, T, space)                                                            \
    __HEDDLE_STORE(n, T, , space)                                                                  \
    __HEDDLE_STORE(n, T, _rte, space)                                                              \
    __HEDDLE_STORE(n, T, _rtz, space)                                                              \
    __HEDDLE_STORE(n, T, _rtp, space)                                                              \
    __HEDDLE_STORE(n, T, _rtn, space)
#define __HEDDLE_SPACE(n, space)                                                                   \
    __HEDDLE_LOAD(n, space)                                                                        \
    __HEDDLE_ROUNDINGS(n, float, space) __HEDDLE_ROUNDINGS(n, double, space)
#define __HEDDLE_SIZE(n)                                                                           \
    __HEDDLE_LOAD(n, __constant)                                                                   \
    __HEDDLE_SPACE(n, __global) __HEDDLE_SPACE(n, __local) __HEDDLE_SPACE(n, __private)
__HEDDLE_SIZE()
__HEDDLE_SIZE(2)
__HEDDLE_SIZE(3)
__HEDDLE_SIZE(4)
__HEDDLE_SIZE(8)
__HEDDLE_SIZE(16)
#undef __HEDDLE_LOAD
#undef __HEDDLE_STORE
#undef __HEDDLE_ROUNDINGS
#undef __HEDDLE_SPACE
#undef __HEDDLE_SIZE

/* printf: devlib/printf.cl. */
#define __HEDDLE_ARGUMENT(T) __HEDDLE_CALL(void __heddle_printf(T);)
#define __HEDDLE_ARGUMENTS(T)                                                                      \
    __HEDDLE_ARGUMENT(T)                                                                           \
    __HEDDLE_ARGUMENT(T##2)                                                                        \
    __HEDDLE_ARGUMENT(T##3)                                                                        \
    __HEDDLE_ARGUMENT(T##4) __HEDDLE_ARGUMENT(T##8) __HEDDLE_ARGUMENT(T##16)
__HEDDLE_ARGUMENTS(char)
__HEDDLE_ARGUMENTS(uchar)
__HEDDLE_ARGUMENTS(short)
__HEDDLE_ARGUMENTS(ushort)
__HEDDLE_ARGUMENTS(int)
__HEDDLE_ARGUMENTS(uint)
__HEDDLE_ARGUMENTS(long)
__HEDDLE_ARGUMENTS(ulong)
__HEDDLE_ARGUMENTS(float)
__HEDDLE_ARGUMENTS(double)
__HEDDLE_ARGUMENT(const volatile __global void *)
__HEDDLE_ARGUMENT(const volatile __local void *)
__HEDDLE_ARGUMENT(const volatile __constant void *)
__HEDDLE_ARGUMENT(const volatile __private void *)
int __heddle_printf_format(__constant char *, int);
#undef __HEDDLE_ARGUMENT
#undef __HEDDLE_ARGUMENTS
#undef __HEDDLE_CALL

/* f(a) f(b) f(c) ... : each reading of the text unfolds one, and 64 readings are enough. */
#define __HEDDLE_EACH(f, a, ...) f(a) __VA_OPT__(__HEDDLE_LATER __HEDDLE_NOTHING()(f, __VA_ARGS__))
#define __HEDDLE_LATER()         __HEDDLE_EACH
#define __HEDDLE_NOTHING
#define __HEDDLE_READ(...)                                                                         \
    __HEDDLE_READ3(__HEDDLE_READ3(__HEDDLE_READ3(__HEDDLE_READ3(__VA_ARGS__))))
#define __HEDDLE_READ3(...)                                                                        \
    __HEDDLE_READ2(__HEDDLE_READ2(__HEDDLE_READ2(__HEDDLE_READ2(__VA_ARGS__))))
#define __HEDDLE_READ2(...)                                                                        \
    __HEDDLE_READ1(__HEDDLE_READ1(__HEDDLE_READ1(__HEDDLE_READ1(__VA_ARGS__))))
#define __HEDDLE_READ1(...) __VA_ARGS__

#define __HEDDLE_PRINT(a) __heddle_printf(a),
#define __HEDDLE_COUNT(a) +1
/* The sizeof has clang check the arguments against the format. */
#define printf(format, ...)                                                                        \
    ((void)sizeof(printf(format __VA_OPT__(, ) __VA_ARGS__)),                                      \
     __VA_OPT__(__HEDDLE_READ(__HEDDLE_EACH(__HEDDLE_PRINT, __VA_ARGS__))) __heddle_printf_format( \
         format, 0 __VA_OPT__(__HEDDLE_READ(__HEDDLE_EACH(__HEDDLE_COUNT, __VA_ARGS__)))))
