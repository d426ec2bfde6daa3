// SPDX-License-Identifier: Apache-2.0
// circles: is an order of warps one? Rules that go by age lean on it. A vector, for the reason that wia_props.sv gives.
`default_nettype none

module circles #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input  logic                           started,
    input  logic [Pairs-1:0]               order,   // pair (i, j), i < j, row after row: i is older than j
    output logic [NUM_WARPS*NUM_WARPS-1:0] circle   // i*NUM_WARPS+j, i < j: with some third warp above they form a circle
);
    logic [NUM_WARPS-1:0] ahead[NUM_WARPS];  // ahead[i]: warps above i that go before i
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        for (genvar j = 0; j < NUM_WARPS; j++) begin : g_column
            if (i < j) begin : g_pair
                assign ahead[i][j] = !order[i*(2*NUM_WARPS-1-i)/2+j-i-1];
            end else begin : g_none
                assign ahead[i][j] = 1'b0;
            end
        end
    end
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_circle
        for (genvar j = 0; j < NUM_WARPS; j++) begin : g_with
            if (i < j && j < NUM_WARPS - 1) begin : g_third
                localparam int unsigned Above = NUM_WARPS - 1 - j;
                logic [Above-1:0] of_i, of_j;  // the third warps that go before these
                assign of_i = ahead[i][j+1+:Above];
                assign of_j = ahead[j][j+1+:Above];
                assign circle[i*NUM_WARPS+j] = |({Above{started}} & (ahead[i][j] ? of_j & ~of_i : of_i & ~of_j));
            end else begin : g_none
                assign circle[i*NUM_WARPS+j] = 1'b0;
            end
        end
    end
endmodule

`default_nettype wire
