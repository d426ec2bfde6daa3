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
    input  logic                 yield,       // make yield_warp the youngest
    input  logic [WarpBits-1:0]  yield_warp,
    input  logic                 alloc,       // make alloc_warp the youngest, younger than yield_warp
    input  logic [WarpBits-1:0]  alloc_warp,
    input  logic [NUM_WARPS-1:0] candidates,  // choose among these
    input  logic                 youngest,    // the youngest of them, else the oldest
    output logic [WarpBits-1:0]  chosen,      // 0 without a candidate
    output logic [NUM_WARPS*WarpBits-1:0] order  // the ids, the oldest lowest
);
    logic [NUM_WARPS*WarpBits-1:0] order_q;
    assign order = order_q;

    logic [NUM_WARPS*WarpBits-1:0] yielded;            // the queue after yield_warp has moved
    logic [NUM_WARPS-1:0] yield_hit, alloc_hit;        // position holds the warp that moves
    logic [NUM_WARPS-1:0] yield_moves, alloc_moves;    // position takes its younger neighbour: every one from the hit on
    logic [NUM_WARPS-1:0] waits;                       // position holds a candidate
    logic [NUM_WARPS-1:0] first;                       // the position that wins, one-hot

    // The negative of a one-hot number is ones from its bit upwards.
    assign yield_moves = ~yield_hit + 1'b1;
    assign alloc_moves = ~alloc_hit + 1'b1;

    for (genvar p = 0; p < NUM_WARPS; p++) begin : g_position
        logic [WarpBits-1:0] here, behind, next;  // who follows: in the queue, and once yield_warp has moved
        assign here = order_q[p*WarpBits+:WarpBits];
        assign yield_hit[p] = yield && here == yield_warp;
        assign alloc_hit[p] = alloc && yielded[p*WarpBits+:WarpBits] == alloc_warp;
        assign waits[p] = candidates[here];
        if (p == NUM_WARPS - 1) begin : g_tail
            assign behind = yield_warp;
            assign next = alloc_warp;
        end else begin : g_body
            assign behind = order_q[(p+1)*WarpBits+:WarpBits];
            assign next = yielded[(p+1)*WarpBits+:WarpBits];
        end
        assign yielded[p*WarpBits+:WarpBits] = yield_moves[p] ? behind : here;
        always_ff @(posedge clk) begin
            if (rst) order_q[p*WarpBits+:WarpBits] <= WarpBits'(p);
            else order_q[p*WarpBits+:WarpBits] <= alloc_moves[p] ? next : yielded[p*WarpBits+:WarpBits];
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
