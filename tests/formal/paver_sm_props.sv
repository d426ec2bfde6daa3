// SPDX-License-Identifier: Apache-2.0
// paver_sm_props: the rules of PAVER's thread-block queues, restated without looking at how the RTL does it. tests/formal/run.sh builds
// the proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// Inputs are free: the stealer may look, give and take at any moment, a kernel may start or be given up in any cycle, and the dispatcher
// may place where it may not. What is said of position w of the list, and of group g of the global queue, which holds it, is proved of
// every one: both are taken once, during reset. Of memory, where a rule says that it tells the truth, this alone is assumed: a group ends
// where it begins or later, it has no more blocks than there are numbers, and w is in group g and in no other.
`default_nettype none

module paver_sm_props #(
    parameter int unsigned NUM_SMS = 0,
    parameter int unsigned BLOCK_BITS = 0,
    parameter int unsigned PAVER_TB_BITS = 0,
    parameter int unsigned PAVER_LIST_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove along with the rule what makes it inductive: `sound`
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned CountBits = $clog2(2 * NUM_SMS + 4),
    localparam int unsigned T = PAVER_TB_BITS,
    localparam int unsigned L = PAVER_LIST_BITS
) (
    input logic                  clk,
    input logic                  rst,
    input logic                  started,      // the first cycle, a reset, is over
    input logic [23:0]           pick,         // position w
    input logic                  start,
    input logic [T-1:0]          groups,
    input logic [L-1:0]          first_group,
    input logic                  stop,
    input logic [NUM_SMS-1:0]    free,
    input logic                  place_valid,
    input logic [SmBits-1:0]     place_sm,
    input logic [BLOCK_BITS-1:0] order_block,
    input logic                  reply_valid,
    input logic [SmBits-1:0]     reply_sm,
    input logic [L-1:0]          reply_next,
    input logic [L-1:0]          reply_tail,
    input logic [T-1:0]          reply_tb,
    input logic [SmBits-1:0]     look,
    input logic                  give,
    input logic [SmBits-1:0]     recipient,
    input logic [T-1:0]          count,
    input logic [BLOCK_BITS-1:0] place_block,
    input logic                  fetch_valid,
    input logic                  fetch_group,
    input logic [SmBits-1:0]     fetch_sm,
    input logic [L-1:0]          fetch_at,
    input logic [NUM_SMS-1:0]    recipients,
    input logic                  busy,
    input logic [T-1:0]          waiting,
    input logic [T-1:0]          given,
    input logic                  state_active,
    input logic [L-1:0]          state_group,
    input logic [T-1:0]          state_left,
    input logic [SmBits-1:0]     state_last,
    input logic [NUM_SMS-1:0]    state_held,
    input logic [NUM_SMS-1:0]    state_asked,
    input logic [NUM_SMS-1:0]    state_allow,
    input logic [NUM_SMS*L-1:0]  state_next,
    input logic [NUM_SMS*L-1:0]  state_tail,
    input logic [NUM_SMS*T-1:0]  state_next_tb
);
    logic [L-1:0] w, g;
    always_ff @(posedge clk) begin
        if (rst) begin
            w <= pick[L-1:0];
            g <= first_group;
        end
    end

    // The kernel, from its start until it is given up: with groups or in the dispatcher's order; how many groups it has, and how many
    // of them memory was asked for. Is g one of them, and was it asked for? Who was memory asked for last?
    logic goes_on, grouped, plain, g_begun, is_first;
    logic [L-1:0] first, g_from_first;
    logic [T-1:0] total, begun;
    logic [SmBits-1:0] before;
    logic inside;
    assign goes_on = !start && !stop;
    assign g_from_first = g - first;
    assign inside = grouped && 32'(g_from_first) < 32'(total);
    assign is_first = fetch_valid && fetch_group;
    always_ff @(posedge clk) begin
        if (rst || !goes_on) begin
            grouped <= !rst && start && groups != '0;
            plain <= rst || (start && groups == '0);
            total <= !rst && start ? groups : '0;
            first <= rst ? '0 : first_group;
            {begun, g_begun} <= '0;
            before <= !rst && start ? SmBits'(NUM_SMS - 1) : rst ? '0 : before;
        end else if (fetch_valid) begin
            before <= fetch_sm;
            if (is_first) begun <= begun + 1'b1;
            if (is_first && fetch_at == g) g_begun <= 1'b1;
        end
    end

    // Of each SM: what memory was asked for last and has not replied to; whether it replied in this cycle; the number of the block that
    // came last, its position, and whether it came since anything was asked or placed.
    logic [NUM_SMS-1:0] due, for_group, for_g, asks, replied, there, meant, issues;
    logic [NUM_SMS*L-1:0] at;
    logic [NUM_SMS*T-1:0] number;
    always_comb begin
        for (int i = 0; i < NUM_SMS; i++) begin
            asks[i] = fetch_valid && fetch_sm == SmBits'(i);
            replied[i] = reply_valid && reply_sm == SmBits'(i) && due[i];
            meant[i] = place_valid && place_sm == SmBits'(i);
            issues[i] = meant[i] && state_allow[i] && grouped && goes_on;
        end
    end
    for (genvar i = 0; i < NUM_SMS; i++) begin : g_memory
        always_ff @(posedge clk) begin
            if (rst || !goes_on) begin
                {due[i], for_group[i], for_g[i], there[i]} <= '0;
            end else begin
                due[i] <= asks[i] || (due[i] && !replied[i]);
                if (asks[i]) {for_group[i], for_g[i]} <= {fetch_group, fetch_group && fetch_at == g};
                there[i] <= replied[i] ? !for_group[i] : there[i] && !asks[i] && !issues[i];
            end
            if (rst || (asks[i] && !fetch_group)) at[i*L+:L] <= rst ? '0 : fetch_at;
            if (rst || (replied[i] && !for_group[i])) number[i*T+:T] <= rst ? '0 : reply_tb;
        end
    end

    // Memory tells the truth about groups.
    logic group_comes, of_g, holds_w, truth;
    assign group_comes = |(replied & for_group);
    assign of_g = |(replied & for_g);
    assign holds_w = reply_next <= w && w <= reply_tail;
    assign truth = !group_comes || (reply_next <= reply_tail && ((reply_tail - reply_next) >> T) == '0 && holds_w == of_g);
    if (RULE <= 3 || RULE == 13 || RULE == 14) begin : g_truth
        always_comb if (started) assume (truth);
    end

    // Where is position w? Each SM may hold it, a reply with its group may be due, and its block was issued so many times, up to 3.
    logic [NUM_SMS-1:0] has, comes, issues_w;
    logic [1:0] issued;
    logic [CountBits-1:0] places;
    assign comes = due & for_g;
    always_comb begin
        places = CountBits'(inside && !g_begun) + CountBits'(issued);
        for (int i = 0; i < NUM_SMS; i++) begin
            has[i] = state_held[i] && state_next[i*L+:L] <= w && w <= state_tail[i*L+:L];
            issues_w[i] = issues[i] && at[i*L+:L] == w;
            places = places + CountBits'(has[i]) + CountBits'(comes[i]);
        end
    end
    always_ff @(posedge clk) begin
        if (rst || !goes_on) issued <= 2'd0;
        else if (issues_w != '0 && !(&issued)) issued <= issued + 1'b1;
    end

    // The SM that is looked at, one-hot; its range, and whether the block at its first position is its own.
    logic [NUM_SMS-1:0] looked, keeps, takes;
    logic [L-1:0] look_next, look_tail;
    logic look_holds, look_keeps;
    always_comb begin
        {look_next, look_tail} = '0;
        for (int i = 0; i < NUM_SMS; i++) begin
            looked[i] = look == SmBits'(i);
            takes[i] = given != '0 && recipient == SmBits'(i);
            keeps[i] = free[i] || !state_allow[i] || meant[i];
            if (looked[i]) {look_next, look_tail} = {state_next[i*L+:L], state_tail[i*L+:L]};
        end
    end
    assign look_holds = |(looked & state_held);
    assign look_keeps = |(looked & keeps);

    // Who needs something of memory? Who of them stands, going up and around, between the SM that was served before and this one?
    logic [NUM_SMS-1:0] needs, passed_over;
    always_comb begin
        for (int i = 0; i < NUM_SMS; i++) begin
            needs[i] = !due[i] && (state_held[i] ? !state_allow[i] : grouped && begun != total);
            passed_over[i] = needs[i] && fetch_valid && (fetch_sm > before ? SmBits'(i) > before && SmBits'(i) < fetch_sm
                                                                           : SmBits'(i) > before || SmBits'(i) < fetch_sm);
        end
    end

    // What makes the rules inductive: registers are what they are called, and each SM's range is one.
    logic [NUM_SMS-1:0] astray, broken;
    logic sound;
    always_comb begin
        for (int i = 0; i < NUM_SMS; i++) begin
            astray[i] = state_asked[i] != due[i] || (due[i] && (for_group[i] == state_held[i] || (state_allow[i] && grouped)))
                        || (for_g[i] && !for_group[i]) || (state_held[i] && !grouped) || (due[i] && !grouped)
                        || (state_allow[i] && !(grouped ? state_held[i] && there[i] : plain && !state_active))
                        || (grouped && state_held[i] && (state_allow[i] || due[i]) && at[i*L+:L] != state_next[i*L+:L])
                        || (grouped && state_allow[i] && number[i*T+:T] != state_next_tb[i*T+:T]);
            broken[i] = state_held[i] && (state_next[i*L+:L] > state_tail[i*L+:L]
                                          || ((state_tail[i*L+:L] - state_next[i*L+:L]) >> T) != '0);
        end
    end
    assign sound = astray == '0 && (grouped ? state_active && state_group == L'(first + L'(begun)) : total == '0)
                   && state_left == T'(total - begun) && begun <= total && state_last == before && (!plain || !state_active)
                   && !(grouped && plain);
    logic counted;
    assign counted = broken == '0 && g_begun == (inside && 32'(g_from_first) < 32'(begun)) && places == CountBits'(inside)
                     && (comes == '0 || (inside && g_begun));

    logic rule;
    always_comb if (started) assert (rule && (!WITH || (sound && (RULE > 3 || counted) && (RULE < 13 || RULE > 14 || broken == '0))));

    // R1: No block is lost: while memory tells the truth about a kernel's groups, and the kernel is not given up, a position of one of them
    // is in exactly one place at any time: its group was not asked for, the reply with its group is due, one SM holds it, or its block
    // was issued, once. Any other position is nowhere.
    if (RULE == 1) assign rule = places == CountBits'(inside);

    // R2: No block is issued twice, and none that is in no group of the kernel, while memory tells the truth.
    if (RULE == 2) assign rule = issues_w == '0 || (inside && issued == 2'd0);

    // R3: No block is forgotten: once every group was asked for, no reply is due and no SM holds blocks, each block of the kernel was issued.
    if (RULE == 3) assign rule = !grouped || begun != total || due != '0 || busy || issued == 2'(inside);

    // R4: What is placed is what memory replied last for that SM; in a kernel without groups, the block of the dispatcher's order.
    if (RULE == 4) begin : g_r4
        logic [NUM_SMS-1:0] another;
        always_comb for (int i = 0; i < NUM_SMS; i++) another[i] = issues[i] && place_block != BLOCK_BITS'(number[i*T+:T]);
        assign rule = another == '0 && (!plain || place_block == order_block);
    end

    // R5: An SM may receive a block only if it holds blocks and memory has replied with the number of the one at its first position, and
    // may from the cycle after that reply on; in a kernel without groups each may at any time, and in one that was given up none.
    if (RULE == 5) begin : g_r5
        logic [NUM_SMS-1:0] came, known, early;
        logic asked_for;  // a kernel was started since the reset
        always_ff @(posedge clk) begin
            came <= !rst && goes_on ? replied & ~for_group : '0;
            asked_for <= !rst && (start || asked_for);
        end
        always_comb begin
            for (int i = 0; i < NUM_SMS; i++) known[i] = state_held[i] && there[i] && at[i*L+:L] == state_next[i*L+:L];
        end
        assign early = state_allow & ~known;
        assign rule = grouped ? early == '0 && (came & ~state_allow) == '0 : state_allow == {NUM_SMS{plain && asked_for}};
    end

    // R6: Of each SM one reply is due at most; and the unit knows which are.
    if (RULE == 6) assign rule = (asks & due) == '0 && state_asked == due && fetch_valid == (asks != '0);

    // R7: Groups are asked for in order, from the first one of the kernel on, each once, and no more than there are; and only for an SM
    // without blocks.
    if (RULE == 7) begin : g_r7
        assign rule = !is_first || (grouped && begun < total && fetch_at == first + L'(begun) && (asks & state_held) == '0);
    end

    // R8: A block's number is asked for only for an SM that holds blocks, the one at its first position, and only while it is not there.
    if (RULE == 8) begin : g_r8
        logic [L-1:0] position;
        always_comb begin
            position = '0;
            for (int i = 0; i < NUM_SMS; i++) if (asks[i]) position = state_next[i*L+:L];
        end
        assign rule = !fetch_valid || fetch_group || ((asks & state_held & ~state_allow) != '0 && fetch_at == position);
    end

    // R9: No cycle is lost: memory is asked whenever an SM needs something of it, which is a group, while there are any, or the number of
    // its next block; except in a cycle with a start or a stop. Without a request the outputs to memory are 0.
    if (RULE == 9) begin : g_r9
        assign rule = fetch_valid == (goes_on && needs != '0) && (asks & ~needs) == '0
                      && (fetch_valid || {fetch_group, fetch_sm, fetch_at} == '0);
    end

    // R10: Round robin: memory is asked for the next SM, after the one before, that needs something; a kernel begins with the first.
    if (RULE == 10) assign rule = passed_over == '0;

    // R11: The waiting blocks of an SM are those it holds, without the one at its first position if that is its own: it is being
    // placed, or a context is free, or its number is not there.
    if (RULE == 11) begin : g_r11
        logic [T-1:0] behind, end_of_waiting;  // the position after the last one, and where one comes that many after the first
        assign behind = T'(look_tail) + 1'b1;
        assign end_of_waiting = T'(look_next) + T'(look_keeps) + waiting;
        assign rule = look_holds ? end_of_waiting == behind : waiting == '0;
    end

    // R12: What is given are as many blocks as the stealer says, or all that wait if they are fewer; and none to an SM that is not among the
    // recipients, none unless it says so, and none in a cycle with a start or a stop.
    if (RULE == 12) begin : g_r12
        logic [NUM_SMS-1:0] receiver;
        logic may;
        always_comb for (int i = 0; i < NUM_SMS; i++) receiver[i] = recipients[i] && recipient == SmBits'(i);
        assign may = give && goes_on && receiver != '0;
        assign rule = may ? given <= count && given <= waiting && (given == count || given == waiting) : given == '0;
    end

    // R13: The block at an SM's first position is never given away while a context is free, its number is not there, or it is being placed;
    // nor is one that the SM does not hold.
    if (RULE == 13) begin : g_r13
        assign rule = given == '0 || (look_holds && {1'b0, look_next} + (L + 1)'(given) <= {1'b0, look_tail} + (L + 1)'(!look_keeps));
    end

    // R14: Blocks change hands as they must: an SM holds a position if it came with a group for that SM, or was among the last of the donor,
    // as many as were given, and the SM was the recipient, until it is issued or given away itself. All others stay where they are.
    if (RULE == 14) begin : g_r14
        logic [NUM_SMS-1:0] should, goes;
        logic moves;  // w is among the last of the donor
        assign moves = (looked & should) != '0 && {1'b0, w} + (L + 1)'(given) > {1'b0, look_tail};
        for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
            assign goes[i] = (issues[i] && state_next[i*L+:L] == w) || (moves && looked[i]);
            always_ff @(posedge clk) begin
                should[i] <= !rst && goes_on && ((should[i] && !goes[i]) || (moves && takes[i])
                                                 || (replied[i] && for_group[i] && holds_w));
            end
        end
        assign rule = has == should;
    end

    // R15: Recipients are the SMs with a free context, no block and no reply due, once every group was asked for; busy says that one holds
    // blocks.
    if (RULE == 15) begin : g_r15
        assign rule = recipients == (free & ~state_held & ~due & {NUM_SMS{begun == total}}) && busy == (state_held != '0);
    end

    // R16: A start and a stop forget everything: no SM holds blocks, no reply is due, and no group is left but those of the kernel that starts.
    if (RULE == 16) begin : g_r16
        logic was_start, was_stop;
        logic [T-1:0] its_groups;
        logic [L-1:0] its_first;
        always_ff @(posedge clk) begin
            {was_start, was_stop} <= rst ? 2'b00 : {start, stop && !start};
            {its_groups, its_first} <= {groups, first_group};
        end
        assign rule = !(was_start || was_stop)
                      || ({state_held, state_asked, busy} == '0 && state_allow == {NUM_SMS{was_start && its_groups == '0}}
                          && state_left == (was_start ? its_groups : '0)
                          && (!was_start || (state_active == (its_groups != '0) && state_group == its_first)));
    end

    // R17: After a reset there is no kernel, and every register is 0.
    if (RULE == 17) begin : g_r17
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        assign rule = !was_reset || {state_active, state_group, state_left, state_last, state_held, state_asked, state_allow, state_next,
                                     state_tail, state_next_tb} == '0;
    end
endmodule

`default_nettype wire
