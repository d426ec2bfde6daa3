// SPDX-License-Identifier: Apache-2.0
// mask_queue: the vital and pollute bits where the age order is a queue of warp ids (age_queue), as Poise VI-C has it.
// The other form is mask; both say the same of every warp. In the queue the bits are a function of the position: how many
// live warps stand before it. So no position needs a register; the count is a parallel prefix sum.
`default_nettype none

module mask_queue #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1)
) (
    input  logic [CountBits-1:0] n,       // as in mask
    input  logic [CountBits-1:0] p,
    input  logic [NUM_WARPS-1:0] live,
    input  logic [NUM_WARPS*WarpBits-1:0] order,  // ids, the oldest lowest
    output logic [NUM_WARPS-1:0] vital,
    output logic [NUM_WARPS-1:0] pollute
);
    logic [NUM_WARPS-1:0] here;          // position holds a live warp
    logic [NUM_WARPS-1:0] vital_here, pollute_here;
    logic [CountBits-1:0] count[NUM_WARPS];  // live warps up to and with this position

    always_comb begin
        for (int i = 0; i < NUM_WARPS; i++) begin
            here[i] = live[order[i*WarpBits+:WarpBits]];
            count[i] = CountBits'(here[i]);
        end
        // Blocks of twice the size each time: the upper half adds what the lower half counted.
        for (int half = 1; half < NUM_WARPS; half = 2 * half) begin
            for (int i = 0; i < NUM_WARPS; i++) begin
                if ((i & half) != 0) count[i] = count[i] + count[(i&~(half-1))-1];
            end
        end
        for (int i = 0; i < NUM_WARPS; i++) begin
            vital_here[i] = here[i] && count[i] <= n;
            pollute_here[i] = vital_here[i] && count[i] <= p;
        end
        // Back from positions to warps.
        vital = '0;
        pollute = '0;
        for (int i = 0; i < NUM_WARPS; i++) begin
            for (int w = 0; w < NUM_WARPS; w++) begin
                if (order[i*WarpBits+:WarpBits] == WarpBits'(w)) begin
                    if (vital_here[i]) vital[w] = 1'b1;
                    if (pollute_here[i]) pollute[w] = 1'b1;
                end
            end
        end
    end
endmodule

`default_nettype wire
