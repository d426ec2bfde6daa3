// SPDX-License-Identifier: Apache-2.0
// icmt_props: the rules of the issue arbiter of two kernels, restated without looking at how the RTL does it.
// Passive: it watches the unit's ports and, for the rules about STATE, its registers. tests/formal/run.sh builds the
// proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// What the rules call "greedy", "older", "priority" is kept here, from the ports alone; WITH it, for the proof of the unit as it is, from the
// registers of the cycle before and the ports. Rules 10, 13 and 17 say that this is what the registers hold in the next: so, from the reset
// on, both are the same. Each rule is stated for all warps at once, as vectors (wia_props.sv says why). Inputs are free: a warp may be ready
// for two classes, and a slot change kernels at any time.
`default_nettype none

module icmt_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // go by the registers, and prove along with the rule what makes it provable
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input logic                  clk,
    input logic                  rst,
    input logic                  started,  // the first cycle, a reset, is over
    input logic [1:0]            issue,
    input logic [NUM_WARPS-1:0]  kernel_1,
    input logic [NUM_WARPS-1:0]  ready_sp,
    input logic [NUM_WARPS-1:0]  ready_sfu,
    input logic [NUM_WARPS-1:0]  ready_gmem,
    input logic [NUM_WARPS-1:0]  ready_stcmem,
    input logic [NUM_WARPS-1:0]  load,
    input logic [NUM_WARPS-1:0]  allow,
    input logic [NUM_WARPS-1:0]  allow_load,
    input logic [3:0]            allow_class,
    input logic                  alloc,
    input logic [WarpBits-1:0]   alloc_warp,
    input logic [2:0]            grant_valid,
    input logic [3*WarpBits-1:0] grant,
    input logic [1:0]            state_last_valid,
    input logic [2*WarpBits-1:0] state_last,
    input logic                  state_turn,
    input logic [1:0]            state_first,
    input logic [Pairs-1:0]      state_order
);
    // Of SP, SFU, MEM: warps that can issue, and the one that is granted, one-hot. Of each class and warp: of which kernel, and is it
    // that with priority? All vectors of three classes have SP lowest.
    logic [3*NUM_WARPS-1:0] eligible, granted, granted_0, granted_1;
    logic [NUM_WARPS-1:0] any, loads;
    logic [2:0] can;
    assign loads = ready_gmem & load;
    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin
            eligible[w] = allow[w] && ready_sp[w] && allow_class[0];
            eligible[NUM_WARPS+w] = allow[w] && ready_sfu[w] && allow_class[1];
            eligible[2*NUM_WARPS+w] = 1'b0;
            if (ready_gmem[w] && !(loads[w] && !allow_load[w]) && allow_class[2]) eligible[2*NUM_WARPS+w] = allow[w];
            if (ready_stcmem[w] && allow_class[3]) eligible[2*NUM_WARPS+w] = allow[w];
            any[w] = eligible[w] || eligible[NUM_WARPS+w] || eligible[2*NUM_WARPS+w];
        end
        for (int c = 0; c < 3; c++) begin
            can[c] = eligible[c*NUM_WARPS+:NUM_WARPS] != 0;
            for (int w = 0; w < NUM_WARPS; w++) granted[c*NUM_WARPS+w] = grant_valid[c] && grant[c*WarpBits+:WarpBits] == WarpBits'(w);
        end
    end
    assign granted_0 = granted & ~{3{kernel_1}};
    assign granted_1 = granted & {3{kernel_1}};

    // Which kernel has priority: 0 after a reset; it swaps after a cycle with a grant.
    logic priority_1, kept_priority_1;
    always_ff @(posedge clk) begin
        if (rst) kept_priority_1 <= 1'b0;
        else kept_priority_1 <= priority_1 ^ (grant_valid != 0);
    end
    assign priority_1 = WITH ? state_turn : kept_priority_1;
    logic [NUM_WARPS-1:0] preferred;
    assign preferred = priority_1 ? kernel_1 : ~kernel_1;

    // The greedy warp of each kernel, one-hot; none after a reset, and once its slot is allocated anew.
    logic [NUM_WARPS-1:0] greedy_0, greedy_1, kept_greedy_0, kept_greedy_1, says_0, says_1, next_0, next_1, comes, served;
    logic [2:0] here_0, here_1, first_0, first_1;
    logic [2:0] leads;  // the leader's class, one-hot
    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) comes[w] = alloc && alloc_warp == WarpBits'(w);
        for (int c = 0; c < 3; c++) begin
            here_0[c] = granted_0[c*NUM_WARPS+:NUM_WARPS] != 0;
            here_1[c] = granted_1[c*NUM_WARPS+:NUM_WARPS] != 0;
        end
        first_0 = (here_0 & leads) != 0 ? leads : here_0[0] ? 3'b001 : here_0[1] ? 3'b010 : here_0;
        first_1 = (here_1 & leads) != 0 ? leads : here_1[0] ? 3'b001 : here_1[1] ? 3'b010 : here_1;
        next_0 = greedy_0;
        next_1 = greedy_1;
        served = '0;
        for (int c = 0; c < 3; c++) served = served | granted[c*NUM_WARPS+:NUM_WARPS];
        if (here_0 != 0 && (served & ~kernel_1 & greedy_0) == 0) begin
            next_0 = '0;
            for (int c = 0; c < 3; c++) if (first_0[c]) next_0 = next_0 | granted_0[c*NUM_WARPS+:NUM_WARPS];
        end
        if (here_1 != 0 && (served & kernel_1 & greedy_1) == 0) begin
            next_1 = '0;
            for (int c = 0; c < 3; c++) if (first_1[c]) next_1 = next_1 | granted_1[c*NUM_WARPS+:NUM_WARPS];
        end
    end
    always_ff @(posedge clk) begin
        kept_greedy_0 <= rst ? '0 : next_0 & ~comes;
        kept_greedy_1 <= rst ? '0 : next_1 & ~comes;
    end
    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin  // the same by the registers
            says_0[w] = state_last_valid[0] && state_last[0+:WarpBits] == WarpBits'(w);
            says_1[w] = state_last_valid[1] && state_last[WarpBits+:WarpBits] == WarpBits'(w);
        end
    end
    assign greedy_0 = WITH ? says_0 : kept_greedy_0;
    assign greedy_1 = WITH ? says_1 : kept_greedy_1;
    logic [NUM_WARPS-1:0] greedy;
    assign greedy = (greedy_0 & ~kernel_1) | (greedy_1 & kernel_1);

    // Who is older? A bit for each pair, as in STATE: pair (i, j), i < j, row after row: i is older than j. Who comes later is
    // younger; by number after a reset. elders[i*NUM_WARPS+j]: is warp j older than warp i?
    logic [Pairs-1:0] order, kept_order;
    assign order = WITH ? state_order : kept_order;
    logic [NUM_WARPS*NUM_WARPS-1:0] elders;
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        assign elders[i*NUM_WARPS+i] = 1'b0;
        for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_column
            localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
            always_ff @(posedge clk) kept_order[Pair] <= rst || (!comes[i] && (comes[j] || order[Pair]));
            assign {elders[i*NUM_WARPS+j], elders[j*NUM_WARPS+i]} = {!order[Pair], order[Pair]};
        end
    end
    logic [NUM_WARPS*NUM_WARPS-1:0] circle;
    circles #(
        .NUM_WARPS(NUM_WARPS)
    ) of_three (
        .started(started),
        .order(order),
        .circle(circle)
    );

    // The best of each class and of all, by the rule: of the kernel with priority if it has one, greedy if that can, else with no elder.
    // overtaken: who is granted although another one of its class goes before it, and why.
    logic [4*NUM_WARPS-1:0] sets, field, best;
    assign sets = {any, eligible};
    for (genvar c = 0; c < 4; c++) begin : g_best
        logic [NUM_WARPS-1:0] all, mine;
        assign all = sets[c*NUM_WARPS+:NUM_WARPS];
        assign mine = all & preferred;
        assign field[c*NUM_WARPS+:NUM_WARPS] = mine != 0 ? mine : all;
        for (genvar w = 0; w < NUM_WARPS; w++) begin : g_warp
            assign best[c*NUM_WARPS+w] = field[c*NUM_WARPS+w]
                && (greedy[w] || ((field[c*NUM_WARPS+:NUM_WARPS] & greedy) == 0
                                  && (field[c*NUM_WARPS+:NUM_WARPS] & elders[w*NUM_WARPS+:NUM_WARPS]) == 0));
        end
    end
    logic [2:0] leader_in;
    always_comb begin
        for (int c = 0; c < 3; c++) leader_in[c] = (eligible[c*NUM_WARPS+:NUM_WARPS] & best[3*NUM_WARPS+:NUM_WARPS]) != 0;
        leads = leader_in[0] ? 3'b001 : leader_in[1] ? 3'b010 : leader_in;
    end

    // How many classes are granted, and could be.
    logic [1:0] count, could;
    assign count = 2'(grant_valid[0]) + 2'(grant_valid[1]) + 2'(grant_valid[2]);
    assign could = 2'(can[0]) + 2'(can[1]) + 2'(can[2]);

    // What makes rules about the best provable: who goes before whom is an order of its own, and has no circle as age has none; of each class
    // and of all, who goes first is sought step by step (search.sv), is the best by the rule, and is the one granted.
    logic lemma;
    if (WITH) begin : g_lemma
        logic [Pairs-1:0] before;
        logic [NUM_WARPS*NUM_WARPS-1:0] sooner, sooner_circle;
        logic [4*NUM_WARPS-1:0] found;
        logic [4*NUM_WARPS*NUM_WARPS-1:0] wrong, missed;
        logic [3*NUM_WARPS-1:0] astray;
        for (genvar i = 0; i < NUM_WARPS; i++) begin : g_sooner
            assign sooner[i*NUM_WARPS+i] = 1'b0;
            for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_pair
                localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
                assign before[Pair] = preferred[i] != preferred[j] ? preferred[i] : greedy[i] || (!greedy[j] && order[Pair]);
                assign {sooner[i*NUM_WARPS+j], sooner[j*NUM_WARPS+i]} = {!before[Pair], before[Pair]};
            end
        end
        circles #(
            .NUM_WARPS(NUM_WARPS)
        ) of_sooner (
            .started(started),
            .order(before),
            .circle(sooner_circle)
        );
        for (genvar c = 0; c < 4; c++) begin : g_search
            search #(
                .NUM_WARPS(NUM_WARPS)
            ) of_class (
                .started(started),
                .candidates(sets[c*NUM_WARPS+:NUM_WARPS]),
                .sooner(sooner),
                .found(found[c*NUM_WARPS+:NUM_WARPS]),
                .wrong(wrong[c*NUM_WARPS*NUM_WARPS+:NUM_WARPS*NUM_WARPS]),
                .missed(missed[c*NUM_WARPS*NUM_WARPS+:NUM_WARPS*NUM_WARPS])
            );
        end
        for (genvar c = 0; c < 3; c++) begin : g_astray
            assign astray[c*NUM_WARPS+:NUM_WARPS] = {NUM_WARPS{started && grant_valid[c]}}
                                                    & (granted[c*NUM_WARPS+:NUM_WARPS] ^ found[c*NUM_WARPS+:NUM_WARPS]);
        end
        assign lemma = circle == 0 && sooner_circle == 0 && wrong == 0 && missed == 0 && found == best && astray == 0 && state_first != 2'd3;
    end else begin : g_plain
        assign lemma = 1'b1;
    end

    logic rule;
    always_comb if (started) assert (rule && lemma);

    // R1: Who is granted can issue to that class: allowed, ready for it, and no throttled load.
    if (RULE == 1) assign rule = (granted & ~eligible) == 0;

    // R2: A grant names one warp of the scheduler; a class without a grant names 0.
    if (RULE == 2) begin : g_r2
        logic [2:0] strange;
        for (genvar c = 0; c < 3; c++) begin : g_class
            assign strange[c] = grant_valid[c] ? granted[c*NUM_WARPS+:NUM_WARPS] == 0 : grant[c*WarpBits+:WarpBits] != 0;
        end
        assign rule = strange == 0;
    end

    // R3: At most `issue` grants in a cycle, and so, with one output per class, at most one of each class.
    if (RULE == 3) assign rule = count <= issue;

    // R4: No grant is lost: as many as `issue` allows and classes can.
    if (RULE == 4) assign rule = count == (could < issue ? could : issue);

    // R5: A warp issues at most once per cycle, if it is ready for one class alone.
    if (RULE == 5) begin : g_r5
        logic [NUM_WARPS-1:0] mem, twice, again;
        assign mem = ready_gmem | ready_stcmem;
        assign twice = (ready_sp & ready_sfu) | (ready_sp & mem) | (ready_sfu & mem);
        assign again = (granted[0+:NUM_WARPS] & granted[NUM_WARPS+:NUM_WARPS])
                       | (granted[0+:NUM_WARPS] & granted[2*NUM_WARPS+:NUM_WARPS])
                       | (granted[NUM_WARPS+:NUM_WARPS] & granted[2*NUM_WARPS+:NUM_WARPS]);
        assign rule = (again & ~twice) == 0;
    end

    // R6: In no class is a warp of the other kernel granted while the kernel with priority has one that can issue to it.
    if (RULE == 6) begin : g_r6
        logic [2:0] wrong;
        for (genvar c = 0; c < 3; c++) begin : g_class
            assign wrong[c] = (granted[c*NUM_WARPS+:NUM_WARPS] & ~preferred) != 0 && (eligible[c*NUM_WARPS+:NUM_WARPS] & preferred) != 0;
        end
        assign rule = wrong == 0;
    end

    // R7: Greedy: in a class that is granted, a kernel's greedy warp that can issue to it is granted if any of its kernel is.
    if (RULE == 7) begin : g_r7
        logic [2:0] wrong;
        for (genvar c = 0; c < 3; c++) begin : g_class
            assign wrong[c] = ((here_0[c] && (eligible[c*NUM_WARPS+:NUM_WARPS] & greedy_0 & ~kernel_1 & ~granted[c*NUM_WARPS+:NUM_WARPS]) != 0)
                               || (here_1[c] && (eligible[c*NUM_WARPS+:NUM_WARPS] & greedy_1 & kernel_1 & ~granted[c*NUM_WARPS+:NUM_WARPS]) != 0));
        end
        assign rule = wrong == 0;
    end

    // R8: Then oldest: who is granted and is not its kernel's greedy warp has no elder of its kernel that can issue to the class.
    if (RULE == 8) begin : g_r8
        logic [3*NUM_WARPS-1:0] wrong;
        for (genvar c = 0; c < 3; c++) begin : g_class
            for (genvar w = 0; w < NUM_WARPS; w++) begin : g_warp
                assign wrong[c*NUM_WARPS+w] = granted[c*NUM_WARPS+w] && !greedy[w]
                    && (eligible[c*NUM_WARPS+:NUM_WARPS] & elders[w*NUM_WARPS+:NUM_WARPS] & (kernel_1[w] ? kernel_1 : ~kernel_1)) != 0;
            end
        end
        assign rule = wrong == 0;
    end

    // R9: The leader issues: where anything may, the best of all warps, whatever their classes, is granted.
    if (RULE == 9) assign rule = issue == 0 || any == 0 || (best[3*NUM_WARPS+:NUM_WARPS] & served) != 0;

    // R10: Priority swaps in each cycle with a grant, whoever is granted, and in no other.
    if (RULE == 10) assign rule = state_turn == kept_priority_1;

    // R11: No kernel starves: one that can issue in two cycles in a row, both with grants, is granted in one of them.
    if (RULE == 11) begin : g_r11
        logic waited_0, waited_1, waits_0, waits_1;
        assign waits_0 = grant_valid != 0 && (any & ~kernel_1) != 0 && here_0 == 0;
        assign waits_1 = grant_valid != 0 && (any & kernel_1) != 0 && here_1 == 0;
        always_ff @(posedge clk) begin
            waited_0 <= !rst && waits_0;
            waited_1 <= !rst && waits_1;
        end
        assign rule = !(waited_0 && waits_0) && !(waited_1 && waits_1);
    end

    // R12: With two grants per cycle no class starves: the one that could issue and was passed over last is not passed over again before another is.
    if (RULE == 12) begin : g_r12
        logic [2:0] owed, passed;
        logic linked;
        assign passed = issue == 2'd2 ? can & ~grant_valid : 3'b000;
        always_ff @(posedge clk) begin
            if (rst) owed <= 3'b000;
            else if (passed != 0) owed <= passed;
        end
        assign linked = owed == 0 || owed == 3'b001 << state_first;
        assign rule = (owed & passed) == 0 && (linked || !WITH);
    end

    // R13: A warp that is allocated becomes younger than every other; no other pair changes its order.
    if (RULE == 13) assign rule = state_order == kept_order;

    // R14: Age is a strict total order at all times: of any three warps one is older than both others.
    if (RULE == 14) begin : g_r14
        logic [NUM_WARPS*NUM_WARPS-1:0] state_circle;
        circles #(
            .NUM_WARPS(NUM_WARPS)
        ) of_state (
            .started(started),
            .order(state_order),
            .circle(state_circle)
        );
        assign rule = state_circle == 0;
    end

    // R15: After a reset nobody is greedy, kernel 0 has priority, SP goes first, and age goes by number.
    if (RULE == 15) begin : g_r15
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        assign rule = !was_reset || (state_last_valid == 0 && state_last == 0 && !state_turn && state_first == 0 && &state_order);
    end

    // R16: With one kernel alone, either of the two, and one instruction per cycle the unit is `wia` under gto: the same warp in every cycle.
    if (RULE == 16) begin : g_r16
        logic alone_1, by_wia_valid;  // which kernel it is
        logic [2:0] by_icmt_valid;
        logic [3*WarpBits-1:0] by_icmt;
        logic [WarpBits-1:0] by_wia;
        always_ff @(posedge clk) if (rst) alone_1 <= kernel_1[0];
        icmt #(
            .NUM_WARPS(NUM_WARPS)
        ) alone (
            .clk(clk),
            .rst(rst),
            .issue(2'd1),
            .kernel_1({NUM_WARPS{alone_1}}),
            .ready_sp(ready_sp),
            .ready_sfu(ready_sfu),
            .ready_gmem(ready_gmem),
            .ready_stcmem(ready_stcmem),
            .load(load),
            .allow(allow),
            .allow_load(allow_load),
            .allow_class(allow_class),
            .alloc(alloc),
            .alloc_warp(alloc_warp),
            .grant_valid(by_icmt_valid),
            .grant(by_icmt),
            .order()
        );
        wia #(
            .NUM_WARPS(NUM_WARPS),
            .TL_GROUP(2)
        ) gto (
            .clk(clk),
            .rst(rst),
            .policy(3'd1),
            .ready_sp(ready_sp),
            .ready_sfu(ready_sfu),
            .ready_gmem(ready_gmem),
            .ready_stcmem(ready_stcmem),
            .load(load),
            .long_wait({NUM_WARPS{1'b0}}),
            .allow(allow),
            .allow_load(allow_load),
            .allow_class(allow_class),
            .alloc(alloc),
            .alloc_warp(alloc_warp),
            .grant_valid(by_wia_valid),
            .grant(by_wia),
            .turn_passes(),
            .order()
        );
        assign rule = !started || (by_wia_valid == (by_icmt_valid != 0)
                                   && by_wia == (by_icmt[0+:WarpBits] | by_icmt[WarpBits+:WarpBits] | by_icmt[2*WarpBits+:WarpBits]));
    end

    // R17: A kernel's greedy warp stays until another of it is granted without it, or its slot is allocated anew; of several the leader becomes it.
    if (RULE == 17) assign rule = says_0 == kept_greedy_0 && says_1 == kept_greedy_1;
endmodule

`default_nettype wire
