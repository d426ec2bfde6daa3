/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/black_scholes/black_scholes.cl: prices of European options by the formula of Black
 * and Scholes (1973). A launch has a fixed number of work-items and each takes every so manieth
 * option. All loads and stores are coalesced, nothing is used twice and no two work-groups share a
 * line; between three loads and two stores come some sixty operations, nine of them of the special
 * function unit (logarithm, exponentials, roots, quotients), so that arithmetic is the limit, and
 * memory comes in bursts. There is no divergence but in the last trip. */

/* The normal distribution: a polynomial of fifth degree in 1 / (1 + a |d|), times the density
 * (Abramowitz and Stegun: Handbook of Mathematical Functions, 26.2.17; off by less than 7.5e-8). */
static float normal(float d)
{
    float k = native_recip(1.0f + 0.2316419f * fabs(d));
    float tail =
        k *
        (0.319381530f +
         k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))) *
        0.39894228f * native_exp(-0.5f * d * d);
    return d > 0.0f ? 1.0f - tail : tail;
}

__kernel void black_scholes(__global const float *price, __global const float *strike,
                            __global const float *years, __global float *call, __global float *put,
                            uint options, float rate, float volatility)
{
    for (uint i = get_global_id(0); i < options; i += get_global_size(0)) {
        float s = price[i], x = strike[i], t = years[i];
        float deviation = volatility * native_sqrt(t);
        float d1 = native_divide(native_log(native_divide(s, x)) +
                                     (rate + 0.5f * volatility * volatility) * t,
                                 deviation);
        float n1 = normal(d1), n2 = normal(d1 - deviation);
        float discounted = x * native_exp(-rate * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
