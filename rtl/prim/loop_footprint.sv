// SPDX-License-Identifier: Apache-2.0
// loop_footprint: the lines of L1D that a warp needs for one trip through a loop (DAWS, MICRO 2013, 5.1.1). Logic only.
//
// A repetition id with a diverged load brings a line for each active lane, another one two lines, and each brings one if a
// single lane is active. 255 stands for more.
`default_nettype none

module loop_footprint #(
    parameter int unsigned COUNT_BITS = 0
) (
    input  logic [5:0]            active,     // lanes
    input  logic [COUNT_BITS-1:0] diverged,   // repetition ids of the loop with a diverged load
    input  logic [COUNT_BITS-1:0] converged,  // those without
    output logic [7:0]            lines
);
    logic [COUNT_BITS+6:0] sum;
    always_comb begin
        sum = (COUNT_BITS + 7)'(diverged) * (COUNT_BITS + 7)'(active)
            + (active > 6'd1 ? (COUNT_BITS + 7)'(converged) << 1 : '0);
        if (active == 6'd1) sum = (COUNT_BITS + 7)'(diverged) + (COUNT_BITS + 7)'(converged);
    end
    assign lines = sum > (COUNT_BITS + 7)'(255) ? 8'd255 : sum[7:0];
endmodule

`default_nettype wire
