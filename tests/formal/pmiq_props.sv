// SPDX-License-Identifier: Apache-2.0
// pmiq_props: the rules of the memory issue queue, restated from ports; registers are looked at where a rule is about them. Passive; see
// wia_props.sv. Vectors have a bit for each kernel. Inputs are free: heads may begin, fail and change memories in any cycle, also such as no
// load/store unit would.
//
// What waits is kept here once more, as hardware would do it otherwise: in rings, in which nothing moves.
`default_nettype none

module pmiq_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned PMIQ_DEPTH = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove rules 2, 6 and 16 along with the rule: together they are inductive
    localparam int unsigned WarpBits = $clog2(NUM_SCHEDULERS * NUM_WARPS),
    localparam int unsigned HandleBits = $clog2(PMIQ_DEPTH + 2),
    localparam int unsigned CountBits = $clog2(PMIQ_DEPTH + 1)
) (
    input logic                               clk,
    input logic                               rst,
    input logic                               started,  // the first cycle, a reset, is over
    input logic                               clear,
    input logic                               block,
    input logic [7:0]                         share,
    input logic                               push_valid,
    input logic                               push_kernel,
    input logic [WarpBits-1:0]                push_warp,
    input logic [HandleBits-1:0]              push_handle,
    input logic                               ready,
    input logic [1:0]                         begun,
    input logic [1:0]                         stalled,
    input logic [3:0]                         path,
    input logic [1:0]                         hit,
    input logic [1:0]                         grant,
    input logic                               take,
    input logic [WarpBits-1:0]                warp,
    input logic [HandleBits-1:0]              handle,
    input logic [1:0]                         full,
    input logic                               turns,
    input logic                               pays,
    input logic                               state_prio,
    input logic [3:0]                         state_owed,
    input logic [2*CountBits-1:0]             state_count,
    input logic [2*PMIQ_DEPTH*WarpBits-1:0]   state_warps,
    input logic [2*PMIQ_DEPTH*HandleBits-1:0] state_handles
);
    localparam int unsigned Bits = WarpBits + HandleBits;

    // Of each kernel a ring: the place of its head, how many wait; what is in the i-th place from the head on, and what the registers say of
    // it. Emptied where the SM begins anew.
    logic [1:0] none, most, begins, joins, lies;
    logic [2*Bits-1:0] heads;
    for (genvar k = 0; k < 2; k++) begin : g_ring
        logic [PMIQ_DEPTH*Bits-1:0] ring;
        logic [PMIQ_DEPTH-1:0] head, free, wrong;  // one-hot: where the head is, and the place behind the last
        logic [CountBits-1:0] held, count;
        assign count = clear ? '0 : held;
        assign none[k] = count == '0;
        assign most[k] = count == CountBits'(PMIQ_DEPTH);
        assign begins[k] = take && grant[k];
        assign joins[k] = push_valid && push_kernel == 1'(k) && !most[k];
        if (PMIQ_DEPTH == 1) begin : g_one
            assign head = 1'b1;
            assign free = 1'b1;
        end else begin : g_more
            logic [PMIQ_DEPTH-1:0] head_q, free_q;
            always_ff @(posedge clk) begin
                head_q <= rst ? PMIQ_DEPTH'(1) : begins[k] ? {head[PMIQ_DEPTH-2:0], head[PMIQ_DEPTH-1]} : head;
                free_q <= rst ? PMIQ_DEPTH'(1) : joins[k] ? {free[PMIQ_DEPTH-2:0], free[PMIQ_DEPTH-1]} : free;
            end
            assign head = clear ? PMIQ_DEPTH'(1) : head_q;
            assign free = clear ? PMIQ_DEPTH'(1) : free_q;
        end
        always_ff @(posedge clk) held <= rst ? '0 : count + CountBits'(joins[k]) - CountBits'(begins[k]);
        logic [Bits-1:0] first;
        always_comb begin
            first = '0;
            for (int i = 0; i < PMIQ_DEPTH; i++) if (head[i]) first = first | ring[i*Bits+:Bits];
        end
        assign heads[k*Bits+:Bits] = first;
        for (genvar i = 0; i < PMIQ_DEPTH; i++) begin : g_place
            always_ff @(posedge clk) if (joins[k] && free[i]) ring[i*Bits+:Bits] <= {push_handle, push_warp};
            // The i-th that waits stands i places behind the head.
            logic [Bits-1:0] there, is;
            always_comb begin
                there = '0;
                for (int j = 0; j < PMIQ_DEPTH; j++) if (head[j]) there = there | ring[(i+j)%PMIQ_DEPTH*Bits+:Bits];
            end
            assign is = {state_handles[(k*PMIQ_DEPTH+i)*HandleBits+:HandleBits], state_warps[(k*PMIQ_DEPTH+i)*WarpBits+:WarpBits]};
            assign wrong[i] = CountBits'(i) < count && is != there;
        end
        // What is kept here hangs together: places that are full stand between head and free place.
        logic [PMIQ_DEPTH-1:0] behind;
        always_comb begin
            behind = '0;
            for (int i = 0; i < PMIQ_DEPTH; i++)
                for (int j = 0; j < PMIQ_DEPTH; j++) if (head[j] && count == CountBits'(i)) behind[(i+j)%PMIQ_DEPTH] = 1'b1;
            if (most[k]) behind = head;
        end
        logic hangs;
        assign hangs = count <= CountBits'(PMIQ_DEPTH) && free == behind && head != '0 && (head & (head - 1'b1)) == '0;
        assign lies[k] = !clear && (state_count[k*CountBits+:CountBits] != count || wrong != '0 || !hangs);
    end

    // Does a kernel wait; has its head failed; does it need what the other's, which has failed, does? So it stalls.
    logic [1:0] waits, failed, needs, stalls, can;
    for (genvar k = 0; k < 2; k++) begin : g_kernel
        assign waits[k] = begun[k] || !none[k];
        assign failed[k] = begun[k] && stalled[k];
        always_comb begin
            needs[k] = path[2*k+:2] == path[2*(1-k)+:2];
            if (block && path[2*k+:2] == 2'd0 && hit[k]) needs[k] = 1'b0;
        end
        assign stalls[k] = failed[k] || (waits[k] && failed[1-k] && needs[k]);
        assign can[k] = ready && waits[k] && !stalls[k];
    end

    // The kernel with the priority, from what the unit says of its turns.
    logic first, owner;
    always_ff @(posedge clk) first <= rst ? 1'b0 : owner != turns;
    assign owner = first && !clear;

    // Whose share is the smaller one, in a bit for each kernel; and a debt, wider than the register: what the other has to have had before one may
    // go again. For each access that both could have had.
    logic [1:0] poor;
    logic [3:0] less, greater;
    logic [5:0] debt, due;
    assign poor = {share[7:4] < share[3:0], share[3:0] < share[7:4]};
    assign less = poor[1] ? share[7:4] : share[3:0];
    assign greater = poor[1] ? share[3:0] : share[7:4];
    assign due = clear ? '0 : debt;
    always_ff @(posedge clk) begin
        if (rst) debt <= '0;
        else if (can == 2'b11 && (grant & poor) != '0) debt <= due + 6'(greater) - 6'(less);
        else if (can == 2'b11 && pays) debt <= due - 6'(less);
        else debt <= due;
    end

    // The rule holds in this cycle. What R2, R6 and R16 say of the registers, in the cycles after the first.
    logic rule, kept, known;
    always_comb if (started) assert (rule && (!WITH || (kept && known)));
    assign kept = !started || lies == '0;
    assign known = !started || clear || (state_prio == owner && {2'b00, state_owed} == debt && state_owed != '1);

    // R1: A kernel's instructions begin in the order in which they have issued, each with its own warp and handle.
    if (RULE == 1) begin : g_r1
        logic [1:0] strange;
        for (genvar k = 0; k < 2; k++) begin : g_kernel
            assign strange[k] = begins[k] && (none[k] || {handle, warp} != heads[k*Bits+:Bits]);
        end
        assign rule = strange == '0;
    end

    // R2: None is lost, and none waits twice: the registers hold what has issued into a queue with room and has not begun, in order.
    if (RULE == 2) assign rule = kept;

    // R3: At most one kernel is granted, and only where the load/store unit takes an access.
    if (RULE == 3) assign rule = grant != 2'b11 && (ready || grant == 2'b00);

    // R4: No grant to what is blocked: a head that has failed, or that needs the memory on which the other's has failed.
    if (RULE == 4) assign rule = (grant & failed) == '0 && (grant & {failed[0], failed[1]} & needs) == '0;

    // R5: Only a kernel that waits is granted; and an instruction leaves its queue exactly where its kernel is granted and has none begun.
    if (RULE == 5) assign rule = (grant & ~waits) == '0 && take == ((grant & ~begun) != '0);

    // R6: The priority is the register's; it passes where the load/store unit takes an access, a kernel waits, and either the owner stalls or
    // neither does, and the owner is not paid; else it stays.
    if (RULE == 6) begin : g_r6
        logic passes;
        always_comb begin
            passes = 1'b0;
            if (ready && waits != '0) begin
                if (stalls[owner]) passes = 1'b1;
                if (stalls == '0) passes = !pays || poor[owner];
            end
        end
        assign rule = known && turns == passes;
    end

    // R7: The priority kernel goes first: where both can go the owner is granted, unless one of them pays.
    if (RULE == 7) assign rule = can != 2'b11 || pays || grant[owner];

    // R8: No cycle is lost: where one kernel alone can go it is granted, as where the other is empty; where both can one of them is.
    if (RULE == 8) assign rule = can == '0 || (grant & can) != '0;

    // R9: Strict alternation between equal shares: where both wait and neither stalls, and so it was when the load/store unit took its access
    // before, the other one is granted.
    if (RULE == 9) begin : g_r9
        logic both;
        logic [1:0] before;
        always_ff @(posedge clk) begin
            if (rst) both <= 1'b0;
            else if (ready) begin
                both <= waits == 2'b11 && stalls == '0 && poor == '0;
                before <= grant;
            end else if (clear) both <= 1'b0;
        end
        assign rule = !both || clear || !ready || waits != 2'b11 || stalls != '0 || poor != '0 || grant == ~before;
    end

    // R10: Neither kernel starves: one that can go both times of two in a row that the load/store unit takes an access is granted once, unless its
    // share is the smaller one; then R17 says when.
    if (RULE == 10) begin : g_r10
        logic [1:0] waited;
        always_ff @(posedge clk) begin
            if (rst) waited <= '0;
            else if (ready) waited <= can & ~grant & ~poor;
            else if (clear) waited <= '0;
        end
        assign rule = clear || (waited & can & ~grant & ~poor) == '0;
    end

    // R11: A queue is said to be full exactly where it holds as many as it can.
    if (RULE == 11) assign rule = full == most;

    // R12: After a reset both queues are empty, kernel 0 has the priority, and nothing is owed.
    if (RULE == 12) begin : g_r12
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        assign rule = !was_reset || (state_count == '0 && !state_prio && state_owed == '0 && state_warps == '0 && state_handles == '0);
    end

    // R13: Where the SM begins anew nothing that has waited begins, and the queues hold no more than what issues in that cycle.
    if (RULE == 13) begin : g_r13
        logic was_clear;
        logic [1:0] more;
        logic [2*CountBits-1:0] are;
        always_ff @(posedge clk) begin
            was_clear <= clear && !rst;
            more <= {push_valid && push_kernel, push_valid && !push_kernel};
        end
        assign are = {CountBits'(more[1]), CountBits'(more[0])};
        assign rule = (!clear || !take) && (!was_clear || !started || state_count == are);
    end

    // R14: Outputs that say nothing are quiet: where none begins warp and handle are 0.
    if (RULE == 14) assign rule = take || (warp == '0 && handle == '0);

    // R15: Only a kernel with the smaller share pays, and only where both can go; the other is granted.
    if (RULE == 15) assign rule = !pays || (can == 2'b11 && poor != '0 && grant == ~poor);

    // R16: Where both can go the kernel with the smaller share pays exactly if its debt is its share at least; the register is that debt, and
    // never more than the largest share less one.
    if (RULE == 16) assign rule = known && (can != 2'b11 || poor == '0 || pays == (due >= 6'(less)));

    // R17: Shares are exact: from an access on of the kernel with the smaller one, as long as both can go and the shares stay, what the one has had
    // times the other's share differs by less than both shares together: by less than an access of either.
    if (RULE == 17) begin : g_r17
        logic row, holds, same;
        logic [7:0] shares;
        logic [3:0] rest;           // of its share, when the row began
        logic signed [6:0] ahead, is;
        assign same = row && !clear && share == shares && poor != '0;
        assign is = same ? ahead : '0;
        always_ff @(posedge clk) begin
            shares <= share;
            if (rst) row <= 1'b0;
            else if (!ready) row <= same;
            else begin
                row <= can == 2'b11 && poor != '0 && (same || (grant & poor) != '0);
                if ((grant & poor) != '0) ahead <= is + $signed(7'(greater));
                else ahead <= is - $signed(7'(less));
                if (!same) rest <= less - 4'(due);
            end
        end
        // Whose turn it is tells whether the other has had the access that is owed to nobody.
        assign holds = poor[owner] ? state_owed < less && ahead == $signed(7'(state_owed) + 7'(rest) - 7'(less))
                                   : ahead == $signed(7'(state_owed) + 7'(rest));
        assign rule = !same || (holds && rest != '0 && rest <= less && state_owed < greater
                                && ahead < $signed(7'(less) + 7'(greater)) && ahead > -$signed(7'(less) + 7'(greater)));
    end

    // R18: A kernel alone owes nothing for it, and pays nothing: where not both can go the debt stays as it is.
    if (RULE == 18) begin : g_r18
        logic alone;
        logic [3:0] was;
        always_ff @(posedge clk) begin
            alone <= can != 2'b11 && !rst;
            was <= clear ? '0 : state_owed;
        end
        assign rule = !alone || !started || state_owed == was;
    end
endmodule

`default_nettype wire
