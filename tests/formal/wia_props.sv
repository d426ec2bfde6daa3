// SPDX-License-Identifier: Apache-2.0
// wia_props: the rules of the warp issue arbiter, restated without looking at how the RTL does it.
// Passive: it watches the unit's ports and, for the rules about STATE, its registers. tests/formal/run.sh builds the
// proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// What the rules call "granted last", "older", "the queue" is kept here, from the ports alone. Rules about "any two
// warps" speak of warps a, b, c that are inputs, taken once, during reset: the proof holds for every choice.
`default_nettype none

module wia_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned TL_GROUP = 0,
    parameter int unsigned RULE = 0,
    parameter logic [23:0] PICK = 0,             // c, b, a if they are fixed; 0: any
    parameter logic [NUM_WARPS-1:0] CROWD = {NUM_WARPS{1'b1}},  // only these warps are ever ready
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned GroupBits = NUM_WARPS > TL_GROUP ? $clog2(NUM_WARPS / TL_GROUP) : 1,
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 started,         // the first cycle, a reset, is over
    input logic [3*8-1:0]       pick,            // numbers of warps a, b, c
    input logic [2:0]           policy,
    input logic [NUM_WARPS-1:0] ready_sp,
    input logic [NUM_WARPS-1:0] ready_sfu,
    input logic [NUM_WARPS-1:0] ready_gmem,
    input logic [NUM_WARPS-1:0] ready_stcmem,
    input logic [NUM_WARPS-1:0] load,
    input logic [NUM_WARPS-1:0] long_wait,
    input logic [NUM_WARPS-1:0] allow,
    input logic [NUM_WARPS-1:0] allow_load,
    input logic [3:0]           allow_class,
    input logic                 alloc,
    input logic [WarpBits-1:0]  alloc_warp,
    input logic                 grant_valid,
    input logic [WarpBits-1:0]  grant,
    input logic                 turn_passes,
    input logic                 state_last_valid,
    input logic [WarpBits-1:0]  state_last,
    input logic [GroupBits-1:0] state_turn,
    input logic [Pairs-1:0]     state_order
);
    localparam int unsigned Lrr = 0, Gto = 1, Oldest = 2, Youngest = 3, Tl = 4;

    // Three different warps, fixed by PICK or chosen during reset.
    logic [7:0] a, b, c;
    if (PICK != 0) begin : g_fixed
        assign {c, b, a} = PICK;
    end else begin : g_any
        always_ff @(posedge clk) if (rst) {c, b, a} <= pick;
    end
    logic distinct;
    assign distinct = a < NUM_WARPS && b < NUM_WARPS && c < NUM_WARPS && a != b && a != c && b != c;

    // A warp can issue to a class that is allowed; a load from global memory only if its warp may issue loads.
    logic [NUM_WARPS-1:0] eligible;
    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin
            eligible[w] = 1'b0;
            if (ready_sp[w] && allow_class[0]) eligible[w] = 1'b1;
            if (ready_sfu[w] && allow_class[1]) eligible[w] = 1'b1;
            if (ready_gmem[w] && allow_class[2] && (allow_load[w] || !load[w])) eligible[w] = 1'b1;
            if (ready_stcmem[w] && allow_class[3]) eligible[w] = 1'b1;
            if (!allow[w]) eligible[w] = 1'b0;
        end
    end

    always_comb assume (((ready_sp | ready_sfu | ready_gmem | ready_stcmem) & ~CROWD) == 0);

    // Who was granted last (warp 0 after a reset), and does that tenant still hold the number?
    logic [7:0] last;
    logic holds;
    always_ff @(posedge clk) begin
        if (rst) begin
            last <= 8'd0;
            holds <= 1'b0;
        end else if (grant_valid) begin
            last <= 8'(grant);
            holds <= !(alloc && alloc_warp == grant);
        end else if (alloc && 8'(alloc_warp) == last) begin
            holds <= 1'b0;
        end
    end

    // Is a older than b? Who comes later is younger; by number after a reset.
    logic a_older;
    always_ff @(posedge clk) begin
        if (rst) a_older <= PICK != 0 ? a < b : pick[7:0] < pick[15:8];
        else if (alloc && 8'(alloc_warp) == a) a_older <= 1'b0;
        else if (alloc && 8'(alloc_warp) == b) a_older <= 1'b1;
    end

    // The same in the unit's STATE.
    function automatic logic state_older(input logic [7:0] x, input logic [7:0] y);
        int unsigned place;
        begin
            state_older = 1'b0;
            place = 0;
            for (int i = 0; i < NUM_WARPS; i++) begin
                for (int j = i + 1; j < NUM_WARPS; j++) begin
                    if (32'(x) == i && 32'(y) == j) state_older = state_order[place];
                    if (32'(y) == i && 32'(x) == j) state_older = !state_order[place];
                    place = place + 1;
                end
            end
        end
    endfunction

    // tl: which group had the turn in the last cycle of tl (0 after a reset), and which has it now: the same if a warp of it is awake,
    // else the next such, cyclically; the same, too, if there is none.
    localparam int unsigned Groups = NUM_WARPS / TL_GROUP;
    logic [Groups-1:0] awake;
    logic [7:0] had, turn;
    always_comb begin
        for (int g = 0; g < Groups; g++) awake[g] = !(&long_wait[g*TL_GROUP+:TL_GROUP]);
        turn = had;
        for (int k = Groups - 1; k >= 0; k--) begin
            for (int g = 0; g < Groups; g++) begin
                if (32'(had) == (g + Groups - k) % Groups && awake[g]) turn = 8'(g);
            end
        end
    end
    always_ff @(posedge clk) begin
        if (rst) had <= 8'd0;
        else if (policy == Tl) had <= turn;
    end

    // Who takes part in a round: under tl only the group whose turn it is.
    logic [NUM_WARPS-1:0] candidates;
    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin
            candidates[w] = eligible[w] && (policy != Tl || 32'(turn) == w / TL_GROUP);
        end
    end

    // Is warp w in the set? Numbers that are no warp are in none.
    function automatic logic in(input logic [NUM_WARPS-1:0] set, input logic [7:0] w);
        begin
            in = 1'b0;
            for (int i = 0; i < NUM_WARPS; i++) if (32'(w) == i && set[i]) in = 1'b1;
        end
    endfunction

    // Steps from the warp granted last to warp w, going up and around: 1 to NUM_WARPS.
    function automatic logic [7:0] steps(input logic [7:0] w);
        steps = w > last ? w - last : w + 8'(NUM_WARPS) - last;
    endfunction

    // R1: Who is granted can issue: allowed, ready for an allowed class, and no throttled load.
    if (RULE == 1) begin : g_r1
        always_comb if (started && grant_valid) assert (in(eligible, 8'(grant)));
    end

    // R2: A grant names one warp of the scheduler; without a grant, and always under an unknown policy, it names 0.
    if (RULE == 2) begin : g_r2
        always_comb begin
            if (started) begin
                assert (grant < NUM_WARPS && (grant_valid || grant == 0) && !(grant_valid && policy > Tl));
            end
        end
    end

    // R3: Under lrr, gto, oldest and youngest no cycle is lost: some warp can issue, so one is granted.
    if (RULE == 3) begin : g_r3
        always_comb if (started && policy < Tl && eligible != 0) assert (grant_valid);
    end

    // R4: gto is greedy: the warp granted last is granted again while it can issue.
    if (RULE == 4) begin : g_r4
        always_comb begin
            if (started && policy == Gto && holds && in(eligible, last)) assert (grant_valid && 8'(grant) == last);
        end
    end

    // R5: gto without greed, and oldest: nobody is granted while an older warp can issue.
    if (RULE == 5) begin : g_r5
        always_comb begin
            if (started && distinct && (policy == Oldest || (policy == Gto && !(holds && 8'(grant) == last)))) begin
                assert (!(grant_valid && 8'(grant) == b && a_older && in(eligible, a)));
            end
        end
    end

    // R6: youngest: nobody is granted while a younger warp can issue.
    if (RULE == 6) begin : g_r6
        always_comb begin
            if (started && distinct && policy == Youngest) begin
                assert (!(grant_valid && 8'(grant) == a && a_older && in(eligible, b)));
            end
        end
    end

    // R7: lrr grants the next warp that can issue after the one granted last, cyclically.
    if (RULE == 7) begin : g_r7
        always_comb begin
            if (started && policy == Lrr && grant_valid && in(candidates, a)) begin
                assert (steps(8'(grant)) <= steps(a));
            end
        end
    end

    // R8: lrr lets nobody wait long: a warp that can issue sees at most NUM_WARPS - 1 grants to others before its own.
    if (RULE == 8) begin : g_r8
        logic [7:0] waited;  // grants to others while a could issue
        logic passed;
        assign passed = policy == Lrr && a < NUM_WARPS && in(eligible, a) && grant_valid && 8'(grant) != a;
        always_ff @(posedge clk) begin
            if (rst || !passed) waited <= 8'd0;
            else if (waited != 8'hff) waited <= waited + 8'd1;
        end
        always_comb if (started && passed) assert (waited < 8'(NUM_WARPS - 1));
    end

    // R9: The turn leaves a fetch group only under tl, and only in a cycle in which all its warps wait long and a warp of another
    // group does not; turn_passes says so.
    if (RULE == 9) begin : g_r9
        logic left, known, may;
        logic [GroupBits-1:0] before;
        always_comb begin
            may = 1'b0;
            for (int g = 0; g < Groups; g++) if (32'(state_turn) == g && !awake[g]) may = policy == Tl && awake != 0;
        end
        always_ff @(posedge clk) begin
            known <= !rst && started;
            before <= state_turn;
            left <= turn_passes;
        end
        always_comb if (started) assert (turn_passes == may && (!known || left == (state_turn != before)));
    end

    // R10: tl grants if and only if the group whose turn it is has a warp that can issue: then the next of them after
    // the one granted last, cyclically.
    if (RULE == 10) begin : g_r10
        always_comb begin
            if (started && policy == Tl) begin
                assert (grant_valid == (candidates != 0)
                        && (!(grant_valid && in(candidates, a)) || (in(candidates, 8'(grant))
                        && steps(8'(grant)) <= steps(a))));
            end
        end
    end

    // R11: A warp that is allocated becomes younger than every other; no other pair changes its order.
    if (RULE == 11) begin : g_r11
        logic before, moved_a, moved_b, known;
        always_ff @(posedge clk) begin
            known <= !rst && started;
            before <= state_older(a, b);
            moved_a <= alloc && 8'(alloc_warp) == a;
            moved_b <= alloc && 8'(alloc_warp) == b;
        end
        always_comb begin
            if (started && known && distinct) begin
                assert (state_older(a, b) == (moved_a ? 1'b0 : moved_b ? 1'b1 : before));
            end
        end
    end

    // R12: Greed ends with the tenant: if the number granted last has been allocated anew, gto grants the oldest.
    if (RULE == 12) begin : g_r12
        always_comb begin
            if (started && distinct && policy == Gto && !holds && grant_valid && 8'(grant) == last && last == b) begin
                assert (!(a_older && in(eligible, a)));
            end
        end
    end

    // R13: Age is a strict total order at all times: of any three warps one is older than both others.
    if (RULE == 13) begin : g_r13
        always_comb begin
            if (started && distinct) begin
                assert (!(state_older(a, b) && state_older(b, c) && state_older(c, a)));
            end
        end
    end

    // R14: After a reset nothing has been granted, the first group has the turn, and age goes by number.
    if (RULE == 14) begin : g_r14
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        always_comb begin
            if (started && was_reset && distinct && a < b) begin
                assert (!state_last_valid && state_last == 0 && state_turn == 0 && state_older(a, b));
            end
        end
    end

    // R15: The queue encoding of age chooses the same warp as the matrix, always.
    if (RULE == 15) begin : g_r15
        logic [WarpBits-1:0] chosen;
        age_queue #(
            .NUM_WARPS(NUM_WARPS)
        ) queue (
            .clk(clk),
            .rst(rst),
            .alloc(alloc),
            .alloc_warp(alloc_warp),
            .candidates(eligible),
            .youngest(policy == Youngest),
            .chosen(chosen),
            .order()
        );
        always_comb begin
            if (started && grant_valid && (policy == Oldest || policy == Youngest)) assert (grant == chosen);
        end
    end
endmodule

`default_nettype wire
