// SPDX-License-Identifier: Apache-2.0
// rlws_scaled: a number times a rate of RLWS, rounded to the nearest: the rate is a fraction of 2^16. Or, with SHIFTS, times 2^-rate, which needs no
// multiplier. Without a register.
`default_nettype none

module rlws_scaled #(
    parameter int unsigned RLWS_WEIGHT_BITS = 0,  // of the number and of the product
    parameter bit SHIFTS = 1'b0,
    localparam int unsigned W = RLWS_WEIGHT_BITS
) (
    input  logic [W-1:0] number,  // two's complement
    input  logic [15:0]  rate,
    output logic [W-1:0] product
);
    localparam logic signed [W+15:0] Half = 32768;
    if (SHIFTS) begin : g_shift
        logic signed [W:0] shifted;  // the lowest bit: half or more of what is shifted out
        assign shifted = $signed({number, 1'b0}) >>> rate[3:0];
        assign product = shifted[W:1] + W'(shifted[0]);
    end else begin : g_product
        assign product = W'(($signed({1'b0, rate}) * $signed({{16{number[W-1]}}, number}) + Half) >>> 16);
    end
endmodule

`default_nettype wire
