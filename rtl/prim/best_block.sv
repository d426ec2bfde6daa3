// SPDX-License-Identifier: Apache-2.0
// best_block: of the thread blocks that wait, the one that goes before all others of them: all pairs at once. Without a register.
// The other way to find it is best_block_tree, with the same ports.
`default_nettype none

module best_block #(
    parameter int unsigned SM_BLOCKS = 0,
    localparam int unsigned Pairs = SM_BLOCKS * (SM_BLOCKS - 1) / 2
) (
    input  logic [Pairs-1:0]     ahead,  // pair (i, j), i < j, row after row: block i goes before block j
    input  logic [SM_BLOCKS-1:0] waits,  // a bit of each block
    output logic [SM_BLOCKS-1:0] best    // one-hot; 0 if none waits, or if pairs are in no order and none goes before all others
);
    logic [SM_BLOCKS-1:0] better[SM_BLOCKS];  // better[b]: blocks that wait and go before b
    for (genvar i = 0; i < SM_BLOCKS; i++) begin : g_row
        assign better[i][i] = 1'b0;
        for (genvar j = i + 1; j < SM_BLOCKS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * SM_BLOCKS - 1 - i) / 2 + j - i - 1;
            assign better[j][i] = waits[i] && ahead[Pair];
            assign better[i][j] = waits[j] && !ahead[Pair];
        end
        assign best[i] = waits[i] && better[i] == '0;
    end
endmodule

`default_nettype wire
