// SPDX-License-Identifier: Apache-2.0
// round_robin: the first candidate after the one chosen last, in cyclic order.
//
// Two searches run side by side, one among the candidates above `last`, one among all. Each finds the lowest bit by an
// OR over all bits below, doubled in reach from step to step, so that delay grows with the logarithm of NUM.
`default_nettype none

module round_robin #(
    parameter int unsigned NUM = 0,
    localparam int unsigned Bits = $clog2(NUM)
) (
    input  logic [NUM-1:0]  candidates,
    input  logic [Bits-1:0] last,    // chosen last
    output logic [NUM-1:0]  chosen,  // one-hot; none without a candidate
    output logic [Bits-1:0] number   // of the chosen; 0 without a candidate
);
    logic [NUM-1:0] above;         // candidates above last
    logic [NUM-1:0] seen_above, seen;  // bit i: a candidate at i or below
    always_comb begin
        for (int i = 0; i < NUM; i++) above[i] = candidates[i] && Bits'(i) > last;
        seen_above = above;
        seen = candidates;
        for (int reach = 1; reach < NUM; reach = reach * 2) begin
            seen_above = seen_above | (seen_above << reach);
            seen = seen | (seen << reach);
        end
        chosen = seen_above[NUM-1] ? above & ~(seen_above << 1) : candidates & ~(seen << 1);
        number = '0;
        for (int i = 0; i < NUM; i++) begin
            if (chosen[i]) number = number | Bits'(i);
        end
    end
endmodule

`default_nettype wire
