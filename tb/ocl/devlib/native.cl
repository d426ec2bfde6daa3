/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/native.cl: native_ functions: one instruction of the special function unit each, or
 * nearly. half_ functions are the full ones, or native where that is exact enough. */

BUILTIN float native_sqrt(float a) { return __nvvm_sqrt_approx_f(a); }
BUILTIN float native_rsqrt(float a) { return __nvvm_rsqrt_approx_f(a); }
BUILTIN float native_sin(float a) { return __nvvm_sin_approx_f(a); }
BUILTIN float native_cos(float a) { return __nvvm_cos_approx_f(a); }
BUILTIN float native_tan(float a) { return __nvvm_div_approx_f(native_sin(a), native_cos(a)); }
BUILTIN float native_exp2(float a) { return __nvvm_ex2_approx_f(a); }
BUILTIN float native_exp(float a) { return native_exp2(a * (float)LOG2_E); }
BUILTIN float native_exp10(float a) { return native_exp2(a * (float)LOG2_10); }
BUILTIN float native_log2(float a) { return __nvvm_lg2_approx_f(a); }
BUILTIN float native_log(float a) { return native_log2(a) * (float)LN2; }
BUILTIN float native_log10(float a) { return native_log2(a) * (float)LOG10_2; }
BUILTIN float native_powr(float a, float b) { return native_exp2(b * native_log2(a)); }
BUILTIN float native_recip(float a) { return __nvvm_div_approx_f(1.0f, a); }
BUILTIN float native_divide(float a, float b) { return __nvvm_div_approx_f(a, b); }

#define HALF1(f)                                                                                   \
    BUILTIN float half_##f(float a) { return f(a); }                                               \
    MAP1(half_##f, float, float)                                                                   \
    MAP1(native_##f, float, float)
HALF1(sqrt)
HALF1(rsqrt)
HALF1(sin)
HALF1(cos)
HALF1(tan)
HALF1(exp2)
HALF1(exp)
HALF1(exp10)
HALF1(log2)
HALF1(log)
HALF1(log10)
MAP1(native_recip, float, float)
MAP2(native_divide, float, float, float)
MAP2(native_powr, float, float, float)
// native_ division gives up on large divisors; half_ may not.
BUILTIN float half_recip(float a) { return 1.0f / a; }
BUILTIN float half_divide(float a, float b) { return a / b; }
BUILTIN float half_powr(float a, float b) { return powr(a, b); }
MAP1(half_recip, float, float)
MAP2(half_divide, float, float, float)
MAP2(half_powr, float, float, float)
