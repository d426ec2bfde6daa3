// SPDX-License-Identifier: Apache-2.0
// wia_props: the rules of the warp issue arbiter, restated without looking at how the RTL does it.
// Passive: it watches the unit's ports and, for the rules about STATE, its registers. tests/formal/run.sh builds the
// proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// What the rules call "granted last", "older", "the queue" is kept here, from the ports alone. Each rule is stated for all
// warps at once, as vectors with a bit for each warp or pair: what holds of each bit by itself is then a node of the network,
// which abc's scorr proves in one induction with all others. A rule with one warp chosen freely would hide them.
`default_nettype none

module wia_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned TL_GROUP = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove a lemma along with the rule
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned GroupBits = NUM_WARPS > TL_GROUP ? $clog2(NUM_WARPS / TL_GROUP) : 1,
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 started,         // the first cycle, a reset, is over
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
    input logic                 state_issued,
    input logic [GroupBits-1:0] state_turn,
    input logic [Pairs-1:0]     state_order
);
    localparam int unsigned Lrr = 0, Gto = 1, Oldest = 2, Youngest = 3, Tl = 4, Gtls = 5;

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

    // Who is granted; who was granted last (warp 0 after a reset), and does that tenant still hold the number?
    logic [NUM_WARPS-1:0] granted, served;  // one-hot; granted: none without a grant
    logic [WarpBits-1:0] last;
    logic holds, again;  // again: who was granted last is granted
    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin
            granted[w] = grant_valid && grant == WarpBits'(w);
            served[w] = last == WarpBits'(w);
        end
    end
    assign again = grant_valid && grant == last;
    always_ff @(posedge clk) begin
        if (rst) begin
            last <= '0;
            holds <= 1'b0;
        end else if (grant_valid) begin
            last <= grant;
            holds <= !(alloc && alloc_warp == grant);
        end else if (alloc && alloc_warp == last) begin
            holds <= 1'b0;
        end
    end

    // Who is older? A bit for each pair, as in STATE: pair (i, j), i < j, row after row: i is older than j. Who comes later is
    // younger; by number after a reset. Who has issued under gtls yields to all others with the next grant or allocation under gtls.
    logic [NUM_WARPS-1:0] comes, yields;
    logic owed;  // the warp granted last has issued under gtls, and nothing has been granted or allocated since
    logic [Pairs-1:0] order;
    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin
            comes[w] = alloc && alloc_warp == WarpBits'(w);
            yields[w] = owed && served[w] && policy == Gtls && (grant_valid || alloc);
        end
    end
    always_ff @(posedge clk) begin
        if (rst) owed <= 1'b0;
        else if (grant_valid) owed <= policy == Gtls && (granted & comes) == 0;
        else if (alloc) owed <= 1'b0;
    end
    // elders[i*NUM_WARPS+j]: is warp j older than warp i? state_elders: so STATE says.
    logic [NUM_WARPS*NUM_WARPS-1:0] elders, state_elders;
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        assign elders[i*NUM_WARPS+i] = 1'b0;
        assign state_elders[i*NUM_WARPS+i] = 1'b0;
        for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_column
            localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
            always_ff @(posedge clk) order[Pair] <= rst || (!comes[i] && (comes[j] || (!yields[i] && (yields[j] || order[Pair]))));
            assign {elders[i*NUM_WARPS+j], elders[j*NUM_WARPS+i]} = {!order[Pair], order[Pair]};
            assign {state_elders[i*NUM_WARPS+j], state_elders[j*NUM_WARPS+i]} = {!state_order[Pair], state_order[Pair]};
        end
    end

    // Who is granted although an elder, or a younger one, can issue?
    logic [NUM_WARPS-1:0] elder_waits, younger_waits;
    always_comb begin
        for (int i = 0; i < NUM_WARPS; i++) begin
            elder_waits[i] = granted[i] && |(eligible & elders[i*NUM_WARPS+:NUM_WARPS]);
            younger_waits[i] = granted[i] && |(eligible & ~elders[i*NUM_WARPS+:NUM_WARPS] & ~(NUM_WARPS'(1) << i));
        end
    end

    // Are three warps older than each other in a circle?
    logic [NUM_WARPS*NUM_WARPS-1:0] circle;
    circles #(
        .NUM_WARPS(NUM_WARPS)
    ) of_three (
        .started(started),
        .order(state_order),
        .circle(circle)
    );

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

    // Who takes part in a round: under tl only the group whose turn it is. Who of these stands, going up and around, between the
    // warp granted last and the one granted now?
    logic [NUM_WARPS-1:0] candidates, above_last, passed_over;
    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin
            candidates[w] = eligible[w] && (policy != Tl || turn == 8'(w / TL_GROUP));
            above_last[w] = WarpBits'(w) > last;
            passed_over[w] = candidates[w] && grant_valid
                             && (grant > last ? above_last[w] && WarpBits'(w) < grant : above_last[w] || WarpBits'(w) < grant);
        end
    end

    // Who goes before warp i: its elders, or under youngest those who are younger.
    logic [NUM_WARPS*NUM_WARPS-1:0] sooner;
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_sooner
        assign sooner[i*NUM_WARPS+:NUM_WARPS] = (state_elders[i*NUM_WARPS+:NUM_WARPS] ^ {NUM_WARPS{policy == Youngest}})
                                                & ~(NUM_WARPS'(1) << i);
    end

    // Does age decide? Not under lrr and tl, nor while gto or gtls is greedy.
    logic aged;
    assign aged = started && (policy == Oldest || policy == Youngest
                             || ((policy == Gto || policy == Gtls) && !(holds && (eligible & served) != 0)));

    // What makes a rule about age provable: who goes first, the oldest or the youngest, of those that can issue, is sought step by step
    // (search.sv). `astray` says that age decides and not the one found is granted. And who was granted last is a warp.
    logic lemma;
    if (WITH && (RULE == 1 || RULE == 5 || RULE == 6 || RULE == 12 || RULE == 16)) begin : g_lemma
        logic [NUM_WARPS*NUM_WARPS-1:0] wrong, missed;
        logic [NUM_WARPS-1:0] found, astray;
        search #(
            .NUM_WARPS(NUM_WARPS)
        ) of_all (
            .started(started),
            .candidates(eligible),
            .sooner(sooner),
            .found(found),
            .wrong(wrong),
            .missed(missed)
        );
        assign astray = {NUM_WARPS{aged}} & (granted ^ found);
        assign lemma = circle == 0 && wrong == 0 && missed == 0 && astray == 0 && (served != 0 || !started);
    end else begin : g_plain
        assign lemma = 1'b1;
    end

    logic rule;
    always_comb if (started) assert (rule && lemma && (link || !WITH));

    // R1: Who is granted can issue: allowed, ready for an allowed class, and no throttled load.
    if (RULE == 1) assign rule = (granted & ~eligible) == 0;

    // R2: A grant names one warp of the scheduler; without a grant, and always under an unknown policy, it names 0.
    if (RULE == 2) assign rule = grant < NUM_WARPS && (grant_valid || grant == 0) && !(grant_valid && policy > Gtls);

    // R3: Under lrr, gto, oldest, youngest and gtls no cycle is lost: some warp can issue, so one is granted.
    if (RULE == 3) assign rule = !((policy < Tl || policy == Gtls) && eligible != 0) || grant_valid;

    // R4: gto and gtls are greedy: the warp granted last is granted again while it can issue.
    if (RULE == 4) assign rule = !((policy == Gto || policy == Gtls) && holds && (eligible & served) != 0) || again;

    // R5: gto without greed, and oldest: nobody is granted while an older warp can issue.
    if (RULE == 5) begin : g_r5
        assign rule = !(policy == Oldest || (policy == Gto && !(holds && again))) || elder_waits == 0;
    end

    // R6: youngest: nobody is granted while a younger warp can issue.
    if (RULE == 6) assign rule = policy != Youngest || younger_waits == 0;

    // R7: lrr grants the next warp that can issue after the one granted last, cyclically.
    if (RULE == 7) assign rule = policy != Lrr || passed_over == 0;

    // R8: lrr lets nobody wait long: a warp that can issue sees at most NUM_WARPS - 1 grants to others before its own.
    if (RULE == 8) begin : g_r8
        localparam int unsigned Bits = WarpBits + 1;
        logic [NUM_WARPS-1:0] late, more;  // more: with the steps that are left more than a round
        for (genvar w = 0; w < NUM_WARPS; w++) begin : g_warp
            logic passed;
            logic [Bits-1:0] waited, steps;  // grants to others while warp w could issue; from the warp granted last to w
            assign passed = policy == Lrr && eligible[w] && grant_valid && !granted[w];
            assign steps = Bits'(w) - Bits'(last) + (above_last[w] ? Bits'(0) : Bits'(NUM_WARPS));
            always_ff @(posedge clk) waited <= rst || !passed ? Bits'(0) : waited + 1'b1;
            assign late[w] = passed && waited >= Bits'(NUM_WARPS - 1);
            assign more[w] = started && {1'b0, waited} + {1'b0, steps} > (Bits + 1)'(NUM_WARPS);
        end
        // The lemma: each grant to another comes nearer, and who was granted last is a warp.
        assign rule = late == 0 && (!WITH || (more == 0 && (served != 0 || !started)));
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
        assign rule = turn_passes == may && (!known || left == (state_turn != before));
    end

    // R10: tl grants if and only if the group whose turn it is has a warp that can issue: then the next of them after
    // the one granted last, cyclically.
    if (RULE == 10) begin : g_r10
        assign rule = policy != Tl
                      || (grant_valid == (candidates != 0) && (granted & ~candidates) == 0 && passed_over == 0);
    end

    // R11: A warp that is allocated becomes younger than every other; under gtls, before that, or when the next one is granted, the warp that was
    // granted last under gtls. No other pair changes its order.
    if (RULE == 11) assign rule = state_order == order;

    // R12: Greed ends with the tenant: if the number granted last has been allocated anew, gto and gtls grant the oldest.
    if (RULE == 12) assign rule = !((policy == Gto || policy == Gtls) && !holds && again) || elder_waits == 0;

    // R13: Age is a strict total order at all times: of any three warps one is older than both others.
    if (RULE == 13) assign rule = circle == 0;

    // R14: After a reset nothing has been granted, the first group has the turn, and age goes by number.
    if (RULE == 14) begin : g_r14
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        assign rule = !was_reset || (!state_last_valid && state_last == 0 && !state_issued && state_turn == 0 && &state_order);
    end

    // R15: The queue encoding of age chooses the same warp as the matrix, always.
    if (RULE == 15) begin : g_r15
        logic [WarpBits-1:0] chosen;
        age_queue #(
            .NUM_WARPS(NUM_WARPS)
        ) queue (
            .clk(clk),
            .rst(rst),
            .yield(owed && policy == Gtls && (grant_valid || alloc)),
            .yield_warp(last),
            .alloc(alloc),
            .alloc_warp(alloc_warp),
            .candidates(eligible),
            .youngest(policy == Youngest),
            .chosen(chosen),
            .order()
        );
        assign rule = !(grant_valid && (policy == Oldest || policy == Youngest)) || grant == chosen;
    end

    // R16: gtls without greed: nobody is granted while a warp that can issue has waited longer, since it issued or was allocated; while the policy
    // is gtls from the reset on. Kept by clocks, not by yields: who issues in a cycle waits from then on, and so behind a warp that is allocated in it.
    logic link;  // the lemma: so it will be in STATE when the warp granted last has yielded
    if (RULE == 16) begin : g_r16
        logic [NUM_WARPS-1:0] issues, longer_waits;
        logic [Pairs-1:0] waited, differ;
        logic [NUM_WARPS*NUM_WARPS-1:0] longer;
        always_comb assume (policy == Gtls);
        assign issues = granted & ~comes;
        for (genvar i = 0; i < NUM_WARPS; i++) begin : g_waits
            assign longer[i*NUM_WARPS+i] = 1'b0;
            assign longer_waits[i] = granted[i] && |(eligible & longer[i*NUM_WARPS+:NUM_WARPS]);
            for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_for
                localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
                always_ff @(posedge clk) begin
                    waited[Pair] <= rst || (!issues[i] && (issues[j] || (!comes[i] && (comes[j] || waited[Pair]))));
                end
                assign {longer[i*NUM_WARPS+j], longer[j*NUM_WARPS+i]} = {!waited[Pair], waited[Pair]};
                assign differ[Pair] = started && waited[Pair] != (!(owed && served[i]) && ((owed && served[j]) || state_order[Pair]));
            end
        end
        assign rule = (holds && again) || longer_waits == 0;
        assign link = differ == 0 && (!started || (state_issued == owed && state_last == last && state_last_valid == holds));
    end else begin : g_no_link
        assign link = 1'b1;
    end
endmodule

`default_nettype wire
