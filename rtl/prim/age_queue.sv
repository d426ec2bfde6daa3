// SPDX-License-Identifier: Apache-2.0
// age_queue: who is oldest, kept as a queue of warp ids, position 0 the oldest.
// The other encoding is age_matrix; both have the same ports, except for what `order` means, and choose alike.
// The queue is a permutation of all ids at all times: a warp that is allocated leaves its place, the younger ones
// close the gap, and it goes to the tail. So no position needs a valid bit.
`default_nettype none

module age_queue #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS)
) (
    input  logic                 clk,
    input  logic                 rst,         // synchronous: age in order of index
    input  logic                 alloc,       // make alloc_warp the youngest
    input  logic [WarpBits-1:0]  alloc_warp,
    input  logic [NUM_WARPS-1:0] candidates,  // choose among these
    input  logic                 youngest,    // the youngest of them, else the oldest
    output logic [WarpBits-1:0]  chosen,      // 0 without a candidate
    output logic [NUM_WARPS*WarpBits-1:0] order  // the ids, the oldest lowest
);
    logic [NUM_WARPS*WarpBits-1:0] order_q;
    assign order = order_q;

    logic [NUM_WARPS-1:0] hit;    // position holds alloc_warp
    logic [NUM_WARPS-1:0] moves;  // position takes its younger neighbour: every one from the hit on
    logic [NUM_WARPS-1:0] waits;  // position holds a candidate
    logic [NUM_WARPS-1:0] first;  // the position that wins, one-hot

    assign moves = ~hit + 1'b1;  // the negative of a one-hot number is ones from its bit upwards

    for (genvar p = 0; p < NUM_WARPS; p++) begin : g_position
        assign hit[p] = alloc && order_q[p*WarpBits+:WarpBits] == alloc_warp;
        assign waits[p] = candidates[order_q[p*WarpBits+:WarpBits]];
        if (p == NUM_WARPS - 1) begin : g_tail
            always_ff @(posedge clk) begin
                if (rst) order_q[p*WarpBits+:WarpBits] <= WarpBits'(p);
                else if (moves[p]) order_q[p*WarpBits+:WarpBits] <= alloc_warp;
            end
        end else begin : g_body
            always_ff @(posedge clk) begin
                if (rst) order_q[p*WarpBits+:WarpBits] <= WarpBits'(p);
                else if (moves[p]) order_q[p*WarpBits+:WarpBits] <= order_q[(p+1)*WarpBits+:WarpBits];
            end
        end
    end

    // Isolate the lowest set bit (x & -x); for the youngest, of the mirrored vector.
    logic [NUM_WARPS-1:0] mirrored, lowest;
    always_comb begin
        for (int p = 0; p < NUM_WARPS; p++) mirrored[p] = youngest ? waits[NUM_WARPS-1-p] : waits[p];
        lowest = mirrored & (~mirrored + 1'b1);
        for (int p = 0; p < NUM_WARPS; p++) first[p] = youngest ? lowest[NUM_WARPS-1-p] : lowest[p];
    end

    always_comb begin
        chosen = '0;
        for (int p = 0; p < NUM_WARPS; p++) begin
            if (first[p]) chosen = chosen | order_q[p*WarpBits+:WarpBits];
        end
    end
endmodule

`default_nettype wire
