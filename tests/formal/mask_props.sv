// SPDX-License-Identifier: Apache-2.0
// mask_props: the rules of the vital and pollute bits, restated without looking at how the RTL does it.
// Passive: it watches the unit's ports. tests/formal/run.sh builds the proof of one rule (parameter RULE) around it;
// it takes each rule's number and words from the lines `// R<n>: ...`.
//
// Rules 2 to 5 hold for every age order that is one: of any two warps exactly one is older, and never three in a circle.
// That is assumed there, and rule 7 proves it of the order that wia keeps. From rule 6 on that order is attached:
// age_matrix, as in wia, with allocations as they please. Rules about "any two warps" speak of warps a, b, c that are
// inputs, taken once, during reset.
`default_nettype none

module mask_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned RULE = 0,
    parameter logic [23:0] PICK = 0,             // c, b, a if they are fixed; 0: any
    parameter logic [NUM_WARPS-1:0] CROWD = {NUM_WARPS{1'b1}},  // only these warps are ever live
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 started,         // the first cycle, a reset, is over
    input logic [3*8-1:0]       pick,            // numbers of warps a, b, c
    input logic [CountBits-1:0] n,
    input logic [CountBits-1:0] p,
    input logic [NUM_WARPS-1:0] live,
    input logic [Pairs-1:0]     order,
    input logic [NUM_WARPS-1:0] vital,
    input logic [NUM_WARPS-1:0] pollute
);
    // Three different warps, fixed by PICK or chosen during reset.
    logic [7:0] a, b, c;
    if (PICK != 0) begin : g_fixed
        assign {c, b, a} = PICK;
    end else begin : g_any
        always_ff @(posedge clk) if (rst) {c, b, a} <= pick;
    end
    logic distinct;
    assign distinct = a < NUM_WARPS && b < NUM_WARPS && c < NUM_WARPS && a != b && a != c && b != c;

    always_comb assume ((live & ~CROWD) == 0);

    // Is warp w in the set?
    function automatic logic in(input logic [NUM_WARPS-1:0] set, input logic [7:0] w);
        begin
            in = 1'b0;
            for (int i = 0; i < NUM_WARPS; i++) if (32'(w) == i && set[i]) in = 1'b1;
        end
    endfunction

    // Is warp x older than warp y?
    function automatic logic older(input logic [7:0] x, input logic [7:0] y);
        int unsigned place;
        begin
            older = 1'b0;
            place = 0;
            for (int i = 0; i < NUM_WARPS; i++) begin
                for (int j = i + 1; j < NUM_WARPS; j++) begin
                    if (32'(x) == i && 32'(y) == j) older = order[place];
                    if (32'(y) == i && 32'(x) == j) older = !order[place];
                    place = place + 1;
                end
            end
        end
    endfunction

    // How many warps are in the set?
    function automatic logic [7:0] size(input logic [NUM_WARPS-1:0] set);
        begin
            size = 8'd0;
            for (int i = 0; i < NUM_WARPS; i++) size = size + 8'(set[i]);
        end
    endfunction

    function automatic logic [7:0] least(input logic [7:0] x, input logic [7:0] y);
        least = x < y ? x : y;
    endfunction

    // No three warps are older than each other in a circle. Where a and b are fixed it is enough to say so of pairs with one of
    // them.
    if (RULE >= 2 && RULE <= 5) begin : g_order
        logic [NUM_WARPS-1:0] behind[NUM_WARPS];  // behind[i]: warps that i is older than
        for (genvar i = 0; i < NUM_WARPS; i++) begin : g_i
            assign behind[i][i] = 1'b0;
            for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_j
                assign behind[i][j] = order[i*(2*NUM_WARPS-1-i)/2+j-i-1];
                assign behind[j][i] = !order[i*(2*NUM_WARPS-1-i)/2+j-i-1];
            end
        end
        // Who is behind one that is behind i is behind i.
        always_comb begin
            for (int i = 0; i < NUM_WARPS; i++) begin
                for (int j = 0; j < NUM_WARPS; j++) begin
                    if (PICK == 0 || PICK[7:0] == i || PICK[15:8] == i || PICK[7:0] == j || PICK[15:8] == j) begin
                        assume (!(behind[i][j] && |(behind[j] & ~behind[i])));
                    end
                end
            end
        end
    end

    // The order that wia keeps.
    logic alloc;
    logic [WarpBits-1:0] alloc_warp;
    logic [Pairs-1:0] kept;
    assign alloc = $anyseq;
    assign alloc_warp = $anyseq;
    age_matrix #(
        .NUM_WARPS(NUM_WARPS)
    ) age (
        .clk(clk),
        .rst(rst),
        .order(kept),
        .alloc(alloc),
        .alloc_warp(alloc_warp),
        .candidates('0),
        .youngest(1'b0),
        .chosen()
    );
    if (RULE >= 6) begin : g_kept
        always_comb assume (order == kept);
    end

    // R1: Who is vital is live, and who may pollute is vital; whatever the order.
    if (RULE == 1) begin : g_r1
        always_comb if (started) assert ((vital & ~live) == 0 && (pollute & ~vital) == 0);
    end

    // R2: Exactly n warps are vital, or all live ones if they are fewer.
    if (RULE == 2) begin : g_r2
        always_comb if (started) assert (size(vital) == least(8'(n), size(live)));
    end

    // R3: Exactly p warps may pollute, or all vital ones if they are fewer: p <= n is enforced.
    if (RULE == 3) begin : g_r3
        always_comb if (started) assert (size(pollute) == least(8'(p), least(8'(n), size(live))));
    end

    // R4: A live warp that is older than a vital one is vital.
    if (RULE == 4) begin : g_r4
        always_comb begin
            if (started && distinct && in(live, a) && in(vital, b) && older(a, b)) assert (in(vital, a));
        end
    end

    // R5: A live warp that is older than one that may pollute may pollute.
    if (RULE == 5) begin : g_r5
        always_comb begin
            if (started && distinct && in(live, a) && in(pollute, b) && older(a, b)) assert (in(pollute, a));
        end
    end

    // R6: A warp that has just been allocated is vital only if every other live warp is.
    if (RULE == 6) begin : g_r6
        logic newborn;
        always_ff @(posedge clk) newborn <= !rst && started && alloc && 8'(alloc_warp) == a;
        always_comb begin
            if (started && distinct && newborn && in(vital, a) && in(live, b)) assert (in(vital, b));
        end
    end

    // R7: The order that wia keeps is one: of any three warps one is older than both others.
    if (RULE == 7) begin : g_r7
        always_comb begin
            if (started && distinct) assert (!(older(a, b) && older(b, c) && older(c, a)));
        end
    end

    // R8: Over the queue encoding of age the bits are the same.
    if (RULE == 8) begin : g_r8
        logic [NUM_WARPS*WarpBits-1:0] ids;
        logic [NUM_WARPS-1:0] queue_vital, queue_pollute;
        age_queue #(
            .NUM_WARPS(NUM_WARPS)
        ) queue (
            .clk(clk),
            .rst(rst),
            .alloc(alloc && alloc_warp < NUM_WARPS),
            .alloc_warp(alloc_warp),
            .candidates('0),
            .youngest(1'b0),
            .chosen(),
            .order(ids)
        );
        mask_queue #(
            .NUM_WARPS(NUM_WARPS)
        ) over_queue (
            .n(n),
            .p(p),
            .live(live),
            .order(ids),
            .vital(queue_vital),
            .pollute(queue_pollute)
        );
        always_comb if (started) assert (vital == queue_vital && pollute == queue_pollute);
    end
endmodule

`default_nettype wire
