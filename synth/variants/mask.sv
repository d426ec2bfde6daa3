// SPDX-License-Identifier: Apache-2.0
// synth/variants/mask.sv: the vital and pollute bits together with the age order that they need and the choice that they
// gate, so that forms of both can be compared as wholes.
//   QUEUE      the order is a queue (age_queue, mask_queue), else a matrix (age_matrix, mask)
//   HELD       the bits stand in registers, two for a warp, as the paper counts them: they come one cycle late
//   THROTTLED  0: no such bits, for what they add
`default_nettype none

module mask_bits #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned HELD = 0,
    parameter int unsigned THROTTLED = 1
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic [NUM_WARPS-1:0] vital_now,
    input  logic [NUM_WARPS-1:0] pollute_now,
    output logic [NUM_WARPS-1:0] vital,
    output logic [NUM_WARPS-1:0] pollute
);
    if (THROTTLED == 0) begin : g_none
        assign vital = '1;
        assign pollute = '1;
    end else if (HELD == 0) begin : g_now
        assign vital = vital_now;
        assign pollute = pollute_now;
    end else begin : g_held
        logic [NUM_WARPS-1:0] vital_q, pollute_q;
        always_ff @(posedge clk) begin
            if (rst) begin
                vital_q <= '0;
                pollute_q <= '0;
            end else begin
                vital_q <= vital_now;
                pollute_q <= pollute_now;
            end
        end
        assign vital = vital_q;
        assign pollute = pollute_q;
    end
endmodule

// The oldest vital warp that is ready: what greedy-then-oldest does when greed ends. FORM:
//   0  a vector of bits for all warps, over the matrix (mask)
//   1  the same, over the queue (mask_queue)
//   2  over the queue, bits of positions that are never brought back to warps: the paper's "bit of each queue entry"
//   3  over the matrix, for the chosen warp alone: if the oldest ready warp is not vital, no ready warp is (rule R4)
module mask_chain #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned FORM = 0,
    parameter int unsigned HELD = 0,
    parameter int unsigned THROTTLED = 1,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1)
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic [CountBits-1:0] n,
    input  logic [CountBits-1:0] p,
    input  logic [NUM_WARPS-1:0] live,
    input  logic                 alloc,
    input  logic [WarpBits-1:0]  alloc_warp,
    input  logic [NUM_WARPS-1:0] ready,
    output logic                 valid,    // a warp is chosen
    output logic [WarpBits-1:0]  chosen,
    output logic                 pollutes  // and its loads may reserve lines
);
    localparam int unsigned QUEUE = FORM == 1 || FORM == 2 ? 1 : 0;
    localparam int unsigned Order = QUEUE != 0 ? NUM_WARPS * WarpBits : NUM_WARPS * (NUM_WARPS - 1) / 2;
    logic [NUM_WARPS-1:0] vital_now, pollute_now, vital, pollute;
    logic [NUM_WARPS-1:0] candidates;
    logic [WarpBits-1:0] oldest;
    logic [Order-1:0] order;
    mask_bits #(
        .NUM_WARPS(NUM_WARPS),
        .HELD(HELD),
        .THROTTLED(THROTTLED)
    ) bits (
        .clk(clk),
        .rst(rst),
        .vital_now(vital_now),
        .pollute_now(pollute_now),
        .vital(vital),
        .pollute(pollute)
    );
    if (QUEUE == 0) begin : g_matrix
        age_matrix #(
            .NUM_WARPS(NUM_WARPS)
        ) age (
            .clk(clk),
            .rst(rst),
            .yield(1'b0),
            .yield_warp({WarpBits{1'b0}}),
            .alloc(alloc),
            .alloc_warp(alloc_warp),
            .candidates(candidates),
            .youngest(1'b0),
            .chosen(oldest),
            .order(order)
        );
    end else begin : g_queue
        age_queue #(
            .NUM_WARPS(NUM_WARPS)
        ) age (
            .clk(clk),
            .rst(rst),
            .yield(1'b0),
            .yield_warp({WarpBits{1'b0}}),
            .alloc(alloc),
            .alloc_warp(alloc_warp),
            .candidates(candidates),
            .youngest(1'b0),
            .chosen(oldest),
            .order(order)
        );
    end

    if (FORM == 0) begin : g_vector
        mask #(
            .NUM_WARPS(NUM_WARPS)
        ) masks (
            .n(n),
            .p(p),
            .live(live),
            .order(order),
            .vital(vital_now),
            .pollute(pollute_now)
        );
        assign candidates = ready & vital;
        assign valid = |candidates;
        assign chosen = oldest;
        assign pollutes = pollute[chosen];
    end else if (FORM == 1) begin : g_queue_vector
        mask_queue #(
            .NUM_WARPS(NUM_WARPS)
        ) masks (
            .n(n),
            .p(p),
            .live(live),
            .order(order),
            .vital(vital_now),
            .pollute(pollute_now)
        );
        assign candidates = ready & vital;
        assign valid = |candidates;
        assign chosen = oldest;
        assign pollutes = pollute[chosen];
    end else if (FORM == 2) begin : g_position
        logic [NUM_WARPS-1:0] here, waits, first;
        logic [CountBits-1:0] count[NUM_WARPS];
        always_comb begin
            for (int i = 0; i < NUM_WARPS; i++) begin
                here[i] = live[order[i*WarpBits+:WarpBits]];
                waits[i] = ready[order[i*WarpBits+:WarpBits]] && vital[i];
                count[i] = CountBits'(here[i]);
            end
            for (int half = 1; half < NUM_WARPS; half = 2 * half) begin
                for (int i = 0; i < NUM_WARPS; i++) begin
                    if ((i & half) != 0) count[i] = count[i] + count[(i&~(half-1))-1];
                end
            end
            first = waits & (~waits + 1'b1);
            chosen = '0;
            for (int i = 0; i < NUM_WARPS; i++) begin
                vital_now[i] = here[i] && count[i] <= n;
                pollute_now[i] = vital_now[i] && count[i] <= p;
                if (first[i]) chosen = chosen | order[i*WarpBits+:WarpBits];
            end
        end
        assign candidates = {NUM_WARPS{1'b0}};
        assign valid = |waits;
        assign pollutes = |(first & pollute);
    end else begin : g_chosen
        logic [NUM_WARPS-1:0] elders[NUM_WARPS];
        logic [NUM_WARPS-1:0] row;
        logic [CountBits-1:0] rank;
        for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
            assign elders[i][i] = 1'b0;
            for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_pair
                localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
                assign elders[j][i] = order[Pair];
                assign elders[i][j] = !order[Pair];
            end
        end
        always_comb begin
            row = {NUM_WARPS{1'b0}};
            for (int i = 0; i < NUM_WARPS; i++) if (oldest == WarpBits'(i)) row = row | elders[i];
            row = row & live;
            rank = '0;
            for (int i = 0; i < NUM_WARPS; i++) rank = rank + CountBits'(row[i]);
        end
        assign candidates = ready;
        assign chosen = oldest;
        assign valid = |ready && rank < n;
        assign pollutes = valid && rank < p;
        assign {vital_now, pollute_now} = '0;
    end
endmodule

`default_nettype wire
