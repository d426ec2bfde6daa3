// SPDX-License-Identifier: Apache-2.0
// mask: the vital and pollute bits of one scheduler (Poise III, VI-C). Of the live warps the n oldest are vital: only
// they may issue. The p oldest of those may pollute: a load of any other warp that misses L1 reserves no line.
// No register: the age order is kept once, in wia; everything here follows its inputs within the cycle.
`default_nettype none

module mask #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    // from software, or from a unit that tunes them
    input  logic [CountBits-1:0] n,       // warps that may issue; above NUM_WARPS: all
    input  logic [CountBits-1:0] p,       // of those, warps that may pollute; above n it counts as n
    // from the warps' states
    input  logic [NUM_WARPS-1:0] live,    // has a tenant that has not ended and does not wait at a barrier
    // from wia
    input  logic [Pairs-1:0]     order,   // pair (i, j), i < j, row after row: i is older than j
    // to wia
    output logic [NUM_WARPS-1:0] vital,   // may issue
    // to the load/store unit
    output logic [NUM_WARPS-1:0] pollute  // its loads may reserve lines of L1
);
    logic [NUM_WARPS-1:0] elders[NUM_WARPS];  // elders[w]: live warps that are older than w
    logic [CountBits-1:0] rank[NUM_WARPS];    // how many

    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        assign elders[i][i] = 1'b0;
        for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
            assign elders[j][i] = live[i] && order[Pair];
            assign elders[i][j] = live[j] && !order[Pair];
        end
    end

    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin
            rank[w] = '0;
            for (int i = 0; i < NUM_WARPS; i++) rank[w] = rank[w] + CountBits'(elders[w][i]);
            vital[w] = live[w] && rank[w] < n;
            pollute[w] = vital[w] && rank[w] < p;
        end
    end
endmodule

`default_nettype wire
