// SPDX-License-Identifier: Apache-2.0
// mask_props: the rules of the vital and pollute bits, restated without looking at how the RTL does it.
// tests/formal/run.sh builds the proof of one rule (parameter RULE) around it; it takes each rule's number and words from the
// lines `// R<n>: ...`.
//
// Rules 2 to 5 hold for every age order that is one: of any two warps exactly one is older, and never three in a circle.
// That is assumed there, and rule 7 proves it of the order that wia keeps. SORTED takes one of these orders, the one by
// number. What holds in it holds in all: every order comes from it by renaming warps, two neighbours in number at a time, and
// rule 9 says that mask does not go by numbers. Rules 6 to 8 attach the order that wia keeps, age_matrix, with allocations as they
// please. So that an attached order is a wire and not an assumption, which proofs take much longer with, the rules speak of
// an instance of their own.
`default_nettype none

module mask_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned RULE = 0,
    parameter int unsigned SORTED = 0,           // 1: the lower in number the older
    parameter int unsigned TL_GROUP = 2,         // of wia, in the rules about both units
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 started,         // the first cycle, a reset, is over
    input logic [CountBits-1:0] n,
    input logic [CountBits-1:0] p,
    input logic [NUM_WARPS-1:0] live,
    input logic [Pairs-1:0]     order,
    input logic [NUM_WARPS-1:0] vital,
    input logic [NUM_WARPS-1:0] pollute
);
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
        .yield(1'b0),
        .yield_warp('0),
        .alloc(alloc),
        .alloc_warp(alloc_warp),
        .candidates('0),
        .youngest(1'b0),
        .chosen()
    );

    // The order of the rule, and the bits in it.
    logic [Pairs-1:0] ages;
    logic [NUM_WARPS-1:0] is_vital, may_pollute;
    if (RULE >= 6 && RULE <= 8 || RULE >= 13) begin : g_kept
        assign ages = kept;
    end else if (SORTED != 0) begin : g_sorted
        assign ages = {Pairs{1'b1}};
    end else begin : g_any
        assign ages = order;
    end
    mask #(
        .NUM_WARPS(NUM_WARPS)
    ) masks (
        .n(n),
        .p(p),
        .live(live),
        .order(ages),
        .vital(is_vital),
        .pollute(may_pollute)
    );

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

    logic [NUM_WARPS-1:0] behind[NUM_WARPS];  // behind[i]: warps that i is older than
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_i
        assign behind[i][i] = 1'b0;
        for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_j
            assign behind[i][j] = ages[i*(2*NUM_WARPS-1-i)/2+j-i-1];
            assign behind[j][i] = !ages[i*(2*NUM_WARPS-1-i)/2+j-i-1];
        end
    end

    // Are three warps older than each other in a circle?
    logic [NUM_WARPS*NUM_WARPS-1:0] circle;
    circles #(
        .NUM_WARPS(NUM_WARPS)
    ) of_three (
        .started(started),
        .order(ages),
        .circle(circle)
    );
    if ((RULE >= 2 && RULE <= 5 || RULE >= 10 && RULE <= 12) && SORTED == 0) begin : g_order
        always_comb assume (circle == 0);
    end

    // R1: Who is vital is live, and who may pollute is vital; whatever the order.
    if (RULE == 1) begin : g_r1
        always_comb if (started) assert ((is_vital & ~live) == 0 && (may_pollute & ~is_vital) == 0);
    end

    // R2: Exactly n warps are vital, or all live ones if they are fewer.
    if (RULE == 2) begin : g_r2
        always_comb if (started) assert (size(is_vital) == least(8'(n), size(live)));
    end

    // R3: Exactly p warps may pollute, or all vital ones if they are fewer: p <= n is enforced.
    if (RULE == 3) begin : g_r3
        always_comb if (started) assert (size(may_pollute) == least(8'(p), least(8'(n), size(live))));
    end

    // R4: A live warp that is older than a vital one is vital.
    if (RULE == 4 || RULE == 5) begin : g_r4_r5
        // R5: A live warp that is older than one that may pollute may pollute.
        logic [NUM_WARPS-1:0] set, missing;
        assign set = RULE == 4 ? is_vital : may_pollute;
        always_comb begin
            for (int w = 0; w < NUM_WARPS; w++) missing[w] = live[w] && !set[w] && |(behind[w] & set);
            if (started) assert (missing == 0);
        end
    end

    // R6: A warp that has just been allocated is vital only if every other live warp is.
    if (RULE == 6) begin : g_r6
        logic [NUM_WARPS-1:0] newborn;
        always_ff @(posedge clk) newborn <= !rst && started && alloc ? NUM_WARPS'(1) << alloc_warp : '0;
        always_comb if (started) assert ((newborn & is_vital) == 0 || is_vital == live);
    end

    // R7: The order that wia keeps is one: of any three warps one is older than both others.
    if (RULE == 7) begin : g_r7
        always_comb if (started) assert (circle == 0);
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
            .yield(1'b0),
            .yield_warp('0),
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
        always_comb if (started) assert (is_vital == queue_vital && may_pollute == queue_pollute);
    end

    // R9: mask goes by age, not by number: where two warps, neighbours in number, change names, their bits do, and nobody else's;
    // whatever the order.
    if (RULE == 9) begin : g_r9
        logic [NUM_WARPS-2:0] differs;
        for (genvar k = 0; k < NUM_WARPS - 1; k++) begin : g_k
            logic [NUM_WARPS-1:0] renamed_live, renamed_vital, renamed_pollute, back_vital, back_pollute;
            logic [Pairs-1:0] renamed_order;
            for (genvar i = 0; i < NUM_WARPS; i++) begin : g_w
                localparam int unsigned I = i == k ? k + 1 : i == k + 1 ? k : i;
                assign renamed_live[i] = live[I];
                assign back_vital[i] = renamed_vital[I];
                assign back_pollute[i] = renamed_pollute[I];
                for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_pair
                    localparam int unsigned J = j == k ? k + 1 : j == k + 1 ? k : j;
                    assign renamed_order[i*(2*NUM_WARPS-1-i)/2+j-i-1] = behind[I][J];
                end
            end
            mask #(
                .NUM_WARPS(NUM_WARPS)
            ) renamed (
                .n(n),
                .p(p),
                .live(renamed_live),
                .order(renamed_order),
                .vital(renamed_vital),
                .pollute(renamed_pollute)
            );
            assign differs[k] = is_vital != back_vital || may_pollute != back_pollute;
        end
        always_comb if (started) assert (differs == 0);
    end

    // What mask_steps makes of the same inputs.
    if (RULE >= 10 && RULE <= 12) begin : g_steps
        logic [NUM_WARPS-1:0] steps_vital, steps_pollute, was_vital, was_pollute, was_live;
        logic [CountBits-1:0] was_n, was_p;
        logic [Pairs-1:0] was_ages;
        logic known, stays;         // there was a cycle before, no reset; it had the inputs of this one
        logic [7:0] steady;         // so many before had
        mask_steps #(
            .NUM_WARPS(NUM_WARPS)
        ) steps (
            .clk(clk),
            .rst(rst),
            .n(n),
            .p(p),
            .live(live),
            .order(ages),
            .vital(steps_vital),
            .pollute(steps_pollute)
        );
        assign stays = known && n == was_n && p == was_p && live == was_live && ages == was_ages;
        always_ff @(posedge clk) begin
            known <= !rst && started;
            was_n <= n;
            was_p <= p;
            was_live <= live;
            was_ages <= ages;
            was_vital <= steps_vital;
            was_pollute <= steps_pollute;
        end

        // R10: mask_steps never lets more warps be vital than n was in the cycle before, nor more pollute than p was; who is
        // vital is live, and who may pollute is vital.
        if (RULE == 10) begin : g_r10
            always_comb begin
                if (started) begin
                    assert ((steps_vital & ~live) == 0 && (steps_pollute & ~steps_vital) == 0
                            && (!known || (size(steps_vital) <= 8'(was_n) && size(steps_pollute) <= 8'(was_p))));
                end
            end
        end

        // R11: When the inputs of mask_steps stay and its bits stay, they are those of mask.
        if (RULE == 11) begin : g_r11
            always_comb begin
                if (started && stays && steps_vital == was_vital && steps_pollute == was_pollute) begin
                    assert (steps_vital == is_vital && steps_pollute == may_pollute);
                end
            end
        end

        // R12: When the inputs of mask_steps have stayed for n + 1 cycles, its bits are those of mask.
        if (RULE == 12) begin : g_r12
            always_ff @(posedge clk) steady <= !stays ? 8'd0 : steady == 8'hff ? steady : steady + 8'd1;
            always_comb begin
                if (started && stays && steady >= 8'(n)) begin
                    assert (steps_vital == is_vital && steps_pollute == may_pollute);
                end
            end
        end
    end

    // wia and mask together, wired by mask_wia. Its inputs are free, but for what ties them: a warp that is ready is live, and
    // one that is not waits long.
    if (RULE >= 13) begin : g_both
        localparam logic [2:0] Tl = 3'd4, Gtls = 3'd5;
        logic [4*NUM_WARPS-1:0] ready;
        logic [NUM_WARPS-1:0] load, allow, allow_load, long_wait, eligible, granted, both_pollute;
        logic [3:0] allow_class;
        logic [2:0] policy;
        logic grant_valid;
        logic [WarpBits-1:0] grant;
        assign {ready, load, allow, allow_load} = $anyseq;
        assign {allow_class, policy} = $anyseq;
        assign long_wait = $anyseq;
        always_comb begin
            assume (policy != Gtls);  // beside which there is no mask: its order is not one of age
            assume ((long_wait | live) == {NUM_WARPS{1'b1}});
            for (int c = 0; c < 4; c++) assume ((ready[c*NUM_WARPS+:NUM_WARPS] & ~live) == 0);
        end
        mask_wia #(
            .NUM_WARPS(NUM_WARPS),
            .TL_GROUP(TL_GROUP)
        ) both (
            .clk(clk),
            .rst(rst),
            .n(n),
            .p(p),
            .live(live),
            .policy(policy),
            .ready_sp(ready[0+:NUM_WARPS]),
            .ready_sfu(ready[NUM_WARPS+:NUM_WARPS]),
            .ready_gmem(ready[2*NUM_WARPS+:NUM_WARPS]),
            .ready_stcmem(ready[3*NUM_WARPS+:NUM_WARPS]),
            .load(load),
            .long_wait(long_wait),
            .allow(allow),
            .allow_load(allow_load),
            .allow_class(allow_class),
            .alloc(alloc),
            .alloc_warp(alloc_warp),
            .grant_valid(grant_valid),
            .grant(grant),
            .turn_passes(),
            .order(),
            .pollute(both_pollute)
        );
        // Who can issue: to a class that is allowed; a load from global memory only if its warp may issue loads.
        always_comb begin
            for (int w = 0; w < NUM_WARPS; w++) begin
                eligible[w] = allow[w] && ((allow_class[0] && ready[w]) || (allow_class[1] && ready[NUM_WARPS+w])
                    || (allow_class[2] && ready[2*NUM_WARPS+w] && (allow_load[w] || !load[w]))
                    || (allow_class[3] && ready[3*NUM_WARPS+w]));
                granted[w] = grant_valid && grant == WarpBits'(w);
            end
        end

        // R13: Who is granted by wia and mask together is one of the n oldest live warps; and who may pollute is one of the p
        // oldest of them.
        if (RULE == 13) begin : g_r13
            always_comb if (started) assert ((granted & ~is_vital) == 0 && both_pollute == may_pollute);
        end

        // R14: With an n that is not below the number of live warps, wia and mask together grant as wia alone does.
        if (RULE == 14) begin : g_r14
            logic alone_valid;
            logic [WarpBits-1:0] alone;
            always_comb assume (8'(n) >= size(live));
            wia #(
                .NUM_WARPS(NUM_WARPS),
                .TL_GROUP(TL_GROUP)
            ) arbiter (
                .clk(clk),
                .rst(rst),
                .policy(policy),
                .ready_sp(ready[0+:NUM_WARPS]),
                .ready_sfu(ready[NUM_WARPS+:NUM_WARPS]),
                .ready_gmem(ready[2*NUM_WARPS+:NUM_WARPS]),
                .ready_stcmem(ready[3*NUM_WARPS+:NUM_WARPS]),
                .load(load),
                .long_wait(long_wait | ~allow),
                .allow(allow),
                .allow_load(allow_load),
                .allow_class(allow_class),
                .alloc(alloc),
                .alloc_warp(alloc_warp),
                .grant_valid(alone_valid),
                .grant(alone),
                .turn_passes(),
                .order()
            );
            always_comb if (started) assert (grant_valid == alone_valid && grant == alone);
        end

        // R15: Under lrr, gto, oldest and youngest wia and mask together lose no cycle: a vital warp can issue, so a warp is
        // granted.
        if (RULE == 15) begin : g_r15
            always_comb if (started && policy < Tl && (eligible & is_vital) != 0) assert (grant_valid);
        end

        // R16: Nor do they under tl, if the vital warps that do not wait long are all of one fetch group: no group keeps the turn
        // for warps that are not vital.
        if (RULE == 16) begin : g_r16
            logic [NUM_WARPS-1:0] awake, waits;
            logic [NUM_WARPS/TL_GROUP-1:0] group;  // one-hot, if all are of one
            always_comb begin
                awake = is_vital & allow & ~long_wait;
                waits = eligible & awake;
                for (int g = 0; g < NUM_WARPS / TL_GROUP; g++) group[g] = |awake[g*TL_GROUP+:TL_GROUP];
            end
            always_comb begin
                if (started && policy == Tl && (group & (group - 1'b1)) == 0 && waits != 0) assert (grant_valid);
            end
        end
    end
endmodule

`default_nettype wire
