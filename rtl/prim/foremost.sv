// SPDX-License-Identifier: Apache-2.0
// foremost: of some candidates the one that goes before all others of them, by an order that is made elsewhere: all pairs at once. Without a
// register. For units that choose several times in a cycle by one order, or whose order is not one of age (age_matrix has both).
// The other way to find it is foremost_tree, with the same ports.
//
// One is it if it is a candidate and no candidate goes before it: NUM searches side by side, each an OR over all.
`default_nettype none

module foremost #(
    parameter int unsigned NUM = 0,
    localparam int unsigned Pairs = NUM * (NUM - 1) / 2
) (
    input  logic [NUM-1:0]   candidates,
    input  logic [Pairs-1:0] order,      // pair (i, j), i < j, row after row: i goes before j
    output logic [NUM-1:0]   chosen      // one-hot; 0 without a candidate, or if pairs are in no order and none goes before all others
);
    logic [NUM-1:0] ahead[NUM];  // ahead[k]: candidates that go before k
    for (genvar i = 0; i < NUM; i++) begin : g_row
        assign ahead[i][i] = 1'b0;
        for (genvar j = i + 1; j < NUM; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * NUM - 1 - i) / 2 + j - i - 1;
            assign ahead[j][i] = candidates[i] && order[Pair];
            assign ahead[i][j] = candidates[j] && !order[Pair];
        end
        assign chosen[i] = candidates[i] && ahead[i] == '0;
    end
endmodule

`default_nettype wire
