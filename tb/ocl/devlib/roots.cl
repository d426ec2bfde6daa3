/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/roots.cl: square roots, exact as the machine has them, and what is made of them. */

BUILTIN float sqrt(float a) { return __nvvm_sqrt_rn_f(a); }
BUILTIN double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
BUILTIN float rsqrt(float a) { return __nvvm_rsqrt_approx_f(a); }
BUILTIN double rsqrt(double a) { return 1.0 / sqrt(a); }

#define ROOTS(T)                                                                                   \
    BUILTIN T hypot(T a, T b)                                                                      \
    {                                                                                              \
        const T large = fmax(fabs(a), fabs(b)), ratio = fmin(fabs(a), fabs(b)) / large;            \
        if (isinf(a) || isinf(b))                                                                  \
            return large;                                                                          \
        return isnan(a) || isnan(b) ? a + b                                                        \
               : large == 0         ? large                                                        \
                                    : large * sqrt(fma(ratio, ratio, (T)1));                               \
    }                                                                                              \
    MAP1(sqrt, T, T)                                                                               \
    MAP1(rsqrt, T, T)                                                                              \
    MAP2(hypot, T, T, T)
FLOAT_TYPES(ROOTS)
