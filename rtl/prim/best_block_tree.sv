// SPDX-License-Identifier: Apache-2.0
// best_block_tree: of the thread blocks that wait, the one that goes before all others of them: a knock-out by pairs. Without a register.
// Where pairs are in an order it finds what best_block does. In a circle somebody wins all the same.
//
// Who is left of each part of the field is kept one-hot. So each pair is looked at in one round only: when one of its two is left of the lower
// half of a part, and the other of the upper half.
`default_nettype none

module best_block_tree #(
    parameter int unsigned SM_BLOCKS = 0,
    localparam int unsigned Pairs = SM_BLOCKS * (SM_BLOCKS - 1) / 2
) (
    input  logic [Pairs-1:0]     ahead,  // pair (i, j), i < j, row after row: block i goes before block j
    input  logic [SM_BLOCKS-1:0] waits,  // a bit of each block
    output logic [SM_BLOCKS-1:0] best    // one-hot; 0 if none waits
);
    localparam int unsigned Field = 1 << $clog2(SM_BLOCKS);  // with places that nobody takes
    logic [Field-1:0] worse[Field];  // worse[i]: blocks above i that i goes before
    for (genvar i = 0; i < Field; i++) begin : g_row
        for (genvar j = 0; j < Field; j++) begin : g_pair
            if (i < j && j < SM_BLOCKS) begin : g_there
                assign worse[i][j] = ahead[i*(2*SM_BLOCKS-1-i)/2+j-i-1];
            end else begin : g_none
                assign worse[i][j] = 1'b0;
            end
        end
    end

    logic [Field-1:0] left;
    logic lower, upper;  // of this part: the one left of the lower half wins; there is one of the upper half
    always_comb begin
        left = Field'(waits);
        for (int half = 1; half < Field; half = 2 * half) begin
            for (int part = 0; part < Field; part = part + 2 * half) begin
                lower = 1'b0;
                upper = 1'b0;
                for (int i = part; i < part + half; i++) begin
                    upper = upper | left[i+half];
                    for (int j = part + half; j < part + 2 * half; j++) lower = lower | (left[i] & left[j] & worse[i][j]);
                end
                for (int i = part; i < part + half; i++) begin
                    left[i] = left[i] & (lower | !upper);
                    left[i+half] = left[i+half] & !lower;
                end
            end
        end
        best = left[SM_BLOCKS-1:0];
    end
endmodule

`default_nettype wire
