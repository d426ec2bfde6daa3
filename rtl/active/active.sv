// SPDX-License-Identifier: Apache-2.0
// active: the active and pending warps of one scheduler: two-level scheduling with promotion and demotion. At most `limit`
// warps are active and may issue. An active warp that waits long goes to the end of a queue. While a warp in the queue is
// awake the head of the queue, awake or not, takes a free place.
//
// All outputs but `demoted` and `promoted` are registers, so the unit is off the arbiter's critical path: a swap shows in
// the next cycle.
`default_nettype none

module active #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input  logic                 clk,
    input  logic                 rst,        // synchronous
    // from software
    input  logic [CountBits-1:0] limit,      // warps become active while fewer than this many are
    // from the warps' states, the scoreboard and throttling units; a warp without a long wait is awake
    input  logic [NUM_WARPS-1:0] long_wait,  // waits for a load, a barrier, its block's end, a block, or another unit
    // to wia
    output logic [NUM_WARPS-1:0] allow,      // may issue: is active
    // to who watches: what moves at the end of this cycle
    output logic [NUM_WARPS-1:0] demoted,    // from the active warps to the end of the queue
    output logic [NUM_WARPS-1:0] promoted    // from the head of the queue to the active warps
);
    logic [NUM_WARPS-1:0] active_q, active_d;
    logic [Pairs-1:0] order_q, order_d;  // pair (i, j), i < j, row after row: i was demoted before j

    logic [NUM_WARPS-1:0] kept;  // active warps that stay so
    logic wanted;                // a warp in the queue is awake
    assign allow = active_q;
    assign demoted = active_q & long_wait;
    assign kept = active_q & ~long_wait;
    assign wanted = |(~active_q & ~long_wait);

    // Who is demoted goes behind all others, those below it that are demoted as well included. Then all warps stand in a row,
    // kept ones before those in the queue: how many stand before each?
    logic [NUM_WARPS-1:0] ahead[NUM_WARPS];  // ahead[w]: who they are
    logic [CountBits-1:0] rank[NUM_WARPS];    // how many
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        assign ahead[i][i] = 1'b0;
        for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
            assign order_d[Pair] = demoted[j] || (order_q[Pair] && !demoted[i]);
            assign ahead[j][i] = kept[i] || order_d[Pair];
            assign ahead[i][j] = kept[j] || !order_d[Pair];
        end
    end

    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin
            rank[w] = '0;
            for (int i = 0; i < NUM_WARPS; i++) rank[w] = rank[w] + CountBits'(ahead[w][i]);
            promoted[w] = wanted && !kept[w] && rank[w] < limit;
        end
    end
    assign active_d = kept | promoted;

    always_ff @(posedge clk) begin
        if (rst) begin
            active_q <= '0;
            order_q <= '1;
        end else begin
            active_q <= active_d;
            order_q <= order_d;
        end
    end
endmodule

`default_nettype wire
