// SPDX-License-Identifier: Apache-2.0
// foremost_tree: of some candidates the one that goes before all others of them: a knock-out by pairs. Without a register.
// Where pairs are in an order it finds what foremost does. In a circle somebody wins all the same.
//
// Who is left of each part of the field is kept one-hot. So each pair is looked at in one round only: when one of its two is left of the lower
// half of a part, and the other of the upper half.
`default_nettype none

module foremost_tree #(
    parameter int unsigned NUM = 0,
    localparam int unsigned Pairs = NUM * (NUM - 1) / 2
) (
    input  logic [NUM-1:0]   candidates,
    input  logic [Pairs-1:0] order,      // pair (i, j), i < j, row after row: i goes before j
    output logic [NUM-1:0]   chosen      // one-hot; 0 without a candidate
);
    localparam int unsigned Field = 1 << $clog2(NUM);  // with places that nobody takes
    logic [Field-1:0] worse[Field];  // worse[i]: those above i that i goes before
    for (genvar i = 0; i < Field; i++) begin : g_row
        for (genvar j = 0; j < Field; j++) begin : g_pair
            if (i < j && j < NUM) begin : g_there
                assign worse[i][j] = order[i*(2*NUM-1-i)/2+j-i-1];
            end else begin : g_none
                assign worse[i][j] = 1'b0;
            end
        end
    end

    logic [Field-1:0] left;
    logic lower, upper;  // of this part: the one left of the lower half wins; there is one of the upper half
    always_comb begin
        left = Field'(candidates);
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
        chosen = left[NUM-1:0];
    end
endmodule

`default_nettype wire
