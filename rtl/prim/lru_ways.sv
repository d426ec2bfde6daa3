// SPDX-License-Identifier: Apache-2.0
// lru_ways: which way of a set is the oldest, from one bit per pair of ways, and the bits after a way has been used. Logic
// only: the bits stand in the user's memory or registers, one word for each set.
//
// Bit (i, j), i < j, says that i was used before j. The pairs stand row after row, as in age_matrix: (0,1) (0,2) ... (1,2) ...
// A pair means something once one of its ways has been used, so a word needs no reset if all ways are used before
// the oldest is asked for. Of a word that means nothing, none may be the oldest; never are two.
`default_nettype none

module lru_ways #(
    parameter int unsigned WAYS = 0,
    localparam int unsigned Pairs = WAYS * (WAYS - 1) / 2
) (
    input  logic [Pairs-1:0] order,       // of the set
    input  logic [WAYS-1:0]  used,        // way that is used now, one-hot; none: nothing changes
    output logic [WAYS-1:0]  oldest,      // way whose last use is longest ago, one-hot
    output logic [Pairs-1:0] order_after  // of the set, when that way has been used
);
    logic [WAYS-1:0] ahead[WAYS];  // ahead[i]: the ways that i was used before; itself counts

    for (genvar i = 0; i < WAYS; i++) begin : g_row
        assign ahead[i][i] = 1'b1;
        assign oldest[i] = &ahead[i];
        for (genvar j = i + 1; j < WAYS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * WAYS - 1 - i) / 2 + j - i - 1;
            assign ahead[i][j] = order[Pair];
            assign ahead[j][i] = !order[Pair];
            assign order_after[Pair] = used[j] || order[Pair] && !used[i];
        end
    end
endmodule

`default_nettype wire
