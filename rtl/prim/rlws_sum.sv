// SPDX-License-Identifier: Apache-2.0
// rlws_sum: Q of one action in one state (RLWS IV-E): the weights of the action, each shifted right by the value of its variable, added up. A sum
// that as many bits cannot hold becomes the nearest that they can. Without a register.
`default_nettype none

module rlws_sum #(
    parameter int unsigned RLWS_WEIGHT_BITS = 0,
    localparam int unsigned W = RLWS_WEIGHT_BITS
) (
    input  logic [8*W-1:0] weight,  // two's complement
    input  logic [8*3-1:0] value,
    input  logic [7:0]     used,    // variables that there are
    output logic [W-1:0]   q
);
    logic [8*W-1:0] term;
    for (genvar i = 0; i < 8; i++) begin : g_term
        logic signed [W-1:0] shifted;  // of its own: beside '0 the shift would be one without sign
        assign shifted = $signed(weight[i*W+:W]) >>> value[i*3+:3];
        assign term[i*W+:W] = used[i] ? shifted : '0;
    end
    logic [W+2:0] sum;
    always_comb begin
        sum = '0;
        for (int i = 0; i < 8; i++) sum = sum + {{3{term[i*W+W-1]}}, term[i*W+:W]};
    end
    assign q = sum[W+2:W-1] == {4{sum[W+2]}} ? sum[W-1:0] : {sum[W+2], {W - 1{!sum[W+2]}}};
endmodule

`default_nettype wire
