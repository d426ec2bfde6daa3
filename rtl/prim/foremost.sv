// SPDX-License-Identifier: Apache-2.0
// foremost: who of some warps goes before all others of them, by an order that is made elsewhere. For units that choose several
// times in a cycle by one order.
//
// A warp is it if it is a candidate and no candidate goes before it: W searches side by side, each an OR over all warps.
`default_nettype none

module foremost #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input  logic [NUM_WARPS-1:0] candidates,
    input  logic [Pairs-1:0]     order,       // pair (i, j), i < j, row after row: i goes before j
    output logic [NUM_WARPS-1:0] chosen       // one-hot; none without a candidate
);
    logic [NUM_WARPS-1:0] ahead[NUM_WARPS];  // ahead[w]: candidates that go before w
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        assign ahead[i][i] = 1'b0;
        for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
            assign ahead[j][i] = candidates[i] && order[Pair];
            assign ahead[i][j] = candidates[j] && !order[Pair];
        end
        assign chosen[i] = candidates[i] && ahead[i] == '0;
    end
endmodule

`default_nettype wire
