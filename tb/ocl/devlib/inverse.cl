/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/inverse.cl: inverse trigonometric functions, all of them from one arc tangent, within
 * OpenCL's 4 to 6 ulp. Those in units of pi are not multiples of the others: reflected about 0.5 and 1, angles on the axes and
 * diagonals are exact, as section 7.5.1 wants them. */

/* TERMS of the arc tangent's series, for |u| <= tan(pi/8). */
#define INVERSE(T, TERMS, QUARTER_REST, HALF_REST, PI_REST)                                        \
    /* Of 0 <= t <= 1: beyond tan(pi/8) it is pi/4 + arctan((t - 1) / (t + 1)). The REST is what   \
     * the constant lacks. */                                                                      \
    BUILTIN T arc(T t)                                                                             \
    {                                                                                              \
        const int far = t > (T)0.41421356237309503;                                                \
        const T u = far ? (t - (T)1) / (t + (T)1) : t, z = u * u;                                  \
        T sum = 0;                                                                                 \
        _Pragma("unroll") for (int i = TERMS; i > 0; i--) sum =                                    \
            z * ((i & 1 ? (T)-1 : (T)1) / (T)(2 * i + 1) + sum);                                   \
        const T a = fma(u, sum, u);                                                                \
        return far ? (T)(PI / 4) + (a + (T)QUARTER_REST) : a;                                      \
    }                                                                                              \
    /* The angle of the point (|x|, y) from the nearer axis, y >= 0. */                            \
    BUILTIN T octant(T y, T x)                                                                     \
    {                                                                                              \
        const T large = fmax(fabs(x), y), small = fmin(fabs(x), y);                                \
        return arc(large == 0 ? (T)0 : small == large ? (T)1 : small / large);                     \
    }                                                                                              \
    /* The angle of the point (x, y) in the upper half plane; in units of pi. */                   \
    BUILTIN T angle(T y, T x)                                                                      \
    {                                                                                              \
        const T a = octant(y, x);                                                                  \
        const T b = y > fabs(x) ? (T)(PI / 2) - (a - (T)HALF_REST) : a;                            \
        return signbit(x) ? (T)PI - (b - (T)PI_REST) : b;                                          \
    }                                                                                              \
    BUILTIN T angle_pi(T y, T x)                                                                   \
    {                                                                                              \
        const T a = octant(y, x) * (T)(1 / PI);                                                    \
        const T b = y > fabs(x) ? (T)0.5 - a : a;                                                  \
        return signbit(x) ? (T)1 - b : b;                                                          \
    }                                                                                              \
    BUILTIN T atan2(T y, T x)                                                                      \
    {                                                                                              \
        return x != x || y != y ? x + y : copysign(angle(fabs(y), x), y);                          \
    }                                                                                              \
    BUILTIN T atan(T x) { return atan2(x, (T)1); }                                                 \
    BUILTIN T asin(T x) { return atan2(x, sqrt(((T)1 - x) * ((T)1 + x))); }                        \
    BUILTIN T acos(T x) { return atan2(sqrt(((T)1 - x) * ((T)1 + x)), x); }                        \
    BUILTIN T atan2pi(T y, T x)                                                                    \
    {                                                                                              \
        return x != x || y != y ? x + y : copysign(angle_pi(fabs(y), x), y);                       \
    }                                                                                              \
    BUILTIN T atanpi(T x) { return atan2pi(x, (T)1); }                                             \
    BUILTIN T asinpi(T x) { return atan2pi(x, sqrt(((T)1 - x) * ((T)1 + x))); }                    \
    BUILTIN T acospi(T x) { return atan2pi(sqrt(((T)1 - x) * ((T)1 + x)), x); }                    \
    MAP2(atan2, T, T, T)                                                                           \
    MAP1(atan, T, T)                                                                               \
    MAP1(asin, T, T)                                                                               \
    MAP1(acos, T, T)                                                                               \
    MAP2(atan2pi, T, T, T)                                                                         \
    MAP1(atanpi, T, T)                                                                             \
    MAP1(asinpi, T, T)                                                                             \
    MAP1(acospi, T, T)
INVERSE(float, 10, -0x1.777a5cp-26f, -0x1.777a5cp-25f, -0x1.777a5cp-24f)
INVERSE(double, 21, 0x1.1a62633145c07p-55, 0x1.1a62633145c07p-54, 0x1.1a62633145c07p-53)
