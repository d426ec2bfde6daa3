// SPDX-License-Identifier: Apache-2.0
// rlws_props: the rules of the learner of RLWS, restated from its ports and registers. tests/formal/run.sh builds the proof of one rule
// (parameter RULE) around it. What rules say of variable v and action a, or of scheduler s, is proved for each: their numbers are
// taken once, during reset. What the products are is not restated: tests/cmodel/rlws compares them with double precision.
`default_nettype none

module rlws_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned RLWS_WEIGHT_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter int unsigned VARIABLE = 8,  // only this one; 8: any
    parameter int unsigned ACTION = 5,    // only this one; 5: any
    localparam int unsigned S = NUM_SCHEDULERS,
    localparam int unsigned W = RLWS_WEIGHT_BITS
) (
    input logic               clk,
    input logic               rst,
    input logic               started,  // the first cycle, a reset, is over
    input logic [3*8-1:0]     pick,     // v, lowest; a; s
    input logic               start,
    input logic               keep,
    input logic [W-1:0]       optimism,
    input logic [31:0]        seed,
    input logic               waiting,
    input logic [7:0]         used,
    input logic [S*8*3-1:0]   value,
    input logic [S-1:0]       acts,
    input logic [S*3-1:0]     action,
    input logic [S-1:0]       issued,
    input logic [W-1:0]       reward,
    input logic [W-1:0]       penalty,
    input logic [15:0]        alpha,
    input logic [15:0]        epsilon,
    input logic [15:0]        gamma,
    input logic [13:0]        decay,
    input logic [3:0]         interval,
    input logic [S*(W+2)-1:0] change,
    input logic [40*W-1:0]    state_theta,
    input logic [15:0]        state_rate,
    input logic [15:0]        state_explores,
    input logic [13:0]        state_elapsed,
    input logic [3:0]         state_phase,
    input logic [S*2-1:0]     state_known,
    input logic [S*8*3-1:0]   state_now,
    input logic [S*10-1:0]    state_beats,
    input logic [S-1:0]       state_explore,
    input logic [S*32-1:0]    state_lfsr,
    input logic [S*8*3-1:0]   state_last,
    input logic [S*3-1:0]     state_last_action,
    input logic [S*W-1:0]     state_gained
);
    logic [7:0] v, a, s;
    always_ff @(posedge clk) begin
        if (rst) begin
            s <= pick[23:16];
            a <= ACTION < 5 ? 8'(ACTION) : pick[15:8];
            v <= VARIABLE < 8 ? 8'(VARIABLE) : pick[7:0];
        end
    end

    // The weight of v and a.
    logic [W-1:0] weight;
    always_comb begin
        weight = '0;
        for (int i = 0; i < 40; i++) if (32'(v) * 5 + 32'(a) == i && v < 8'd8 && a < 8'd5) weight = state_theta[i*W+:W];
    end

    // By how much each scheduler moves it in this cycle, if at all: its change, shifted, and one more where half or more is shifted out.
    logic [S-1:0] moves, half;
    logic [S*(W+3)-1:0] by;
    for (genvar k = 0; k < S; k++) begin : g_moves
        logic [2:0] shift;
        always_comb begin
            shift = '0;
            for (int i = 0; i < 8; i++) if (8'(i) == v) shift = state_last[(k*8+i)*3+:3];
            half[k] = 1'b0;
            for (int i = 1; i < 8; i++) if (3'(i) == shift) half[k] = change[k*(W+2)+i-1];
        end
        assign moves[k] = !start && acts[k] && action[k*3+:3] < 3'd5 && state_phase == 4'd0 && state_known[k*2+:2] == 2'd2
            && 8'(state_last_action[k*3+:3]) == a && used[v[2:0]];
        assign by[k*(W+3)+:W+3] = (W + 3)'($signed(change[k*(W+2)+:W+2]) >>> shift);
    end

    // Where it ends, in numbers that hold all sums.
    localparam logic signed [W+2:0] Highest = (W + 3)'((1 << (W - 1)) - 1), Lowest = -Highest - 1;
    logic signed [W+2:0] sum, moved, whole;
    logic up, down;  // no scheduler moves it down, or up
    always_comb begin
        sum = {{3{weight[W-1]}}, weight};
        moved = '0;
        whole = '0;
        up = 1'b1;
        down = 1'b1;
        for (int k = 0; k < S; k++) begin
            // Added in the unit's order, not as `whole`: the proof finds the same adders on both sides.
            moved = sum + $signed(by[k*(W+3)+:W+3]) + $signed({{W + 2{1'b0}}, half[k]});
            if (moves[k]) sum = moved > Highest ? Highest : moved < Lowest ? Lowest : moved;
            whole = by[k*(W+3)+:W+3] + (W + 3)'(half[k]);
            if (moves[k] && whole < 0) up = 1'b0;
            if (moves[k] && whole > 0) down = 1'b0;
        end
    end

    // Scheduler s.
    logic its_turn, its_issued;
    logic [W-1:0] its_gained;
    logic [1:0] its_known;
    logic [2:0] its_action, its_last_action;
    logic [8*3-1:0] its_value, its_now, its_last;
    logic [9:0] its_beats;
    logic [31:0] its_lfsr;
    logic its_explore;
    logic [W+1:0] its_change;
    always_comb begin
        {its_turn, its_issued, its_gained, its_known, its_action, its_last_action, its_value, its_now, its_last, its_beats, its_explore} = '0;
        its_lfsr = 32'd1;
        its_change = '0;
        for (int k = 0; k < S; k++) begin
            if (8'(k) == s) begin
                its_turn = acts[k] && action[k*3+:3] < 3'd5;
                its_issued = issued[k];
                its_gained = state_gained[k*W+:W];
                its_known = state_known[k*2+:2];
                its_action = action[k*3+:3];
                its_last_action = state_last_action[k*3+:3];
                its_value = value[k*24+:24];
                its_now = state_now[k*24+:24];
                its_last = state_last[k*24+:24];
                its_beats = state_beats[k*10+:10];
                its_explore = state_explore[k];
                its_lfsr = state_lfsr[k*32+:32];
                its_change = change[k*(W+2)+:W+2];
            end
        end
    end

    // The cycle before.
    logic was_reset, was_start, was_keep, was_waiting, was_any, was_turn, was_up, was_down, was_still, was_first, was_last_cycle;
    logic [W-1:0] was_weight, was_optimism, was_sum, was_gained, was_brought;
    logic [3:0] was_phase;
    logic [9:0] was_beats;
    logic [32:0] was_drawn;
    logic [15:0] was_rate, was_explores, was_alpha, was_epsilon;
    logic [1:0] was_known;
    logic [2:0] was_action, was_last_action;
    logic [8*3-1:0] was_value, was_now, was_last;
    logic [W+42:0] was_its, its;
    assign its = {its_known, its_gained, its_beats[7:0], its_explore, its_lfsr};
    always_ff @(posedge clk) begin
        {was_reset, was_start, was_keep, was_waiting} <= {rst, start, keep, waiting};
        was_any <= 1'b0;
        for (int k = 0; k < S; k++) if (acts[k] && action[k*3+:3] < 3'd5) was_any <= 1'b1;
        {was_turn, was_up, was_down, was_still} <= {its_turn, up, down, moves == '0};
        {was_first, was_last_cycle, was_phase} <= {state_phase == 4'd0, state_phase >= interval, state_phase};
        {was_weight, was_optimism, was_sum} <= {weight, optimism, sum[W-1:0]};
        {was_gained, was_brought, was_beats, was_drawn} <= {its_gained, its_issued ? reward : penalty, its_beats, its_explore, its_lfsr};
        {was_rate, was_explores, was_alpha, was_epsilon} <= {state_rate, state_explores, alpha, epsilon};
        {was_known, was_action, was_last_action} <= {its_known, its_action, its_last_action};
        {was_value, was_now, was_last, was_its} <= {its_value, its_now, its_last, its};
    end
    logic went_on;  // a cycle without reset and start lies behind
    assign went_on = started && !was_reset && !was_start;
    logic is_weight;
    assign is_weight = v < 8'd8 && a < 8'd5;

    // R1: When a kernel has begun nothing is known of any scheduler, no action is drawn, and of two actions the lower by number is preferred.
    if (RULE == 1) begin : g_r1
        always_comb if (started && (was_reset || was_start)) assert (its_known == '0 && !its_explore && (8'(S) <= s || its_beats == 10'h3ff));
    end

    // R2: A kernel begins with the rates that it is given, and with all weights alike, or as they were if they are kept.
    if (RULE == 2) begin : g_r2
        always_comb if (started && !was_reset && was_start && is_weight)
            assert (state_rate == was_alpha && state_explores == was_epsilon && weight == (was_keep ? was_weight : was_optimism));
    end

    // R3: Preferences are an order: what is preferred to a second action, which is preferred to a third, is preferred to that.
    if (RULE == 3) begin : g_r3
        logic [4:0] over[5];  // over[i][j]: i is preferred to j
        always_comb begin
            for (int i = 0; i < 5; i++) over[i] = '0;
            for (int i = 0; i < 5; i++) begin
                for (int j = i + 1; j < 5; j++) begin
                    over[i][j] = its_beats[i*(9-i)/2+j-i-1];
                    over[j][i] = !its_beats[i*(9-i)/2+j-i-1];
                end
            end
        end
        logic is_order;
        always_comb begin
            is_order = 1'b1;
            for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) for (int k = 0; k < 5; k++)
                if (i != j && j != k && i != k && over[i][j] && over[j][k] && !over[i][k]) is_order = 1'b0;
        end
        always_comb if (started && s < 8'(S)) assert (is_order);
    end

    // R4: No weight wraps: what no scheduler moves down does not fall, and what none moves up does not rise.
    if (RULE == 4) begin : g_r4
        always_comb if (went_on && is_weight)
            assert ((!was_up || $signed(weight) >= $signed(was_weight)) && (!was_down || $signed(weight) <= $signed(was_weight)));
    end

    // R5 frees change: what the products are plays no part.
    // R5: No change is lost: a weight moves by the changes of all schedulers whose last action it belongs to, one after the other, each shifted by
    // the value that the variable had, and rounded; at the limits it stops.
    if (RULE == 5) begin : g_r5
        always_comb if (went_on && is_weight) assert (weight == was_sum);
    end

    // R6: A weight that belongs to no scheduler's last action, or to a variable that there is not, stays.
    if (RULE == 6) begin : g_r6
        always_comb if (went_on && is_weight && was_still) assert (weight == was_weight);
    end

    // R7: What is known of a scheduler, and what it does next, stays while it does not act.
    if (RULE == 7) begin : g_r7
        always_comb if (went_on && !was_turn) assert (its == was_its && its_now == was_now && its_last == was_last && its_last_action == was_last_action);
    end

    // R8: The shift register is never 0.
    if (RULE == 8) begin : g_r8
        always_comb if (started) assert (its_lfsr != '0);
    end

    // R9: Nothing changes by a scheduler that does not act, or not in the first cycle of an interval, or of which no pair of state and action is known.
    if (RULE == 9) begin : g_r9
        always_comb if (started && (start || !its_turn || state_phase != '0 || its_known != 2'd2)) assert (its_change == '0);
    end

    // R10: When a scheduler has acted, both rates are as given where no blocks wait; else they have not risen.
    if (RULE == 10) begin : g_r10
        always_comb if (went_on && was_any)
            assert (was_waiting ? state_rate <= was_rate && state_explores <= was_explores : state_rate == was_alpha && state_explores == was_epsilon);
    end

    // R11: When a scheduler has acted in the last cycle of an interval, the state at its end is that of the next action. When it has in the first one, and
    // its state was seen, the action is its last one, taken in that state, and has brought what this cycle has. The last action is one of the five.
    if (RULE == 11) begin : g_r11
        logic seen, took, knows;
        assign seen = !was_last_cycle || its_now == was_value;
        assign took = !was_first || was_known == '0
            || (its_last == was_now && its_last_action == was_action && its_gained == was_brought);
        assign knows = its_known == (was_first && was_known != '0 ? 2'd2 : was_last_cycle && was_known == '0 ? 2'd1 : was_known);
        always_comb if (started) assert (its_last_action < 3'd5 && (!went_on || !was_turn || (seen && took && knows)));
    end

    // R12: Before an interval's last cycle what is preferred, what is drawn and the state of the next action stay; after its first one the last
    // action does, with its state.
    if (RULE == 12) begin : g_r12
        logic same, same_last;
        assign same = its_beats == was_beats && {its_explore, its_lfsr} == was_drawn && its_now == was_now;
        assign same_last = its_last == was_last && its_last_action == was_last_action;
        always_comb if (went_on) assert ((was_last_cycle || same) && (was_first || same_last));
    end

    // R13: After an interval's first cycle what the cycles bring adds up, and stops at the limits.
    if (RULE == 13) begin : g_r13
        logic signed [W+5:0] total, most;
        assign total = {{6{was_gained[W-1]}}, was_gained} + {{6{was_brought[W-1]}}, was_brought};
        assign most = total > Highest ? Highest : total < Lowest ? Lowest : total;
        always_comb if (went_on && was_turn && !was_first && was_known == 2'd2) assert (its_gained == most[W-1:0]);
    end

    // R14: An interval goes on in the cycles in which a scheduler acts, for all of them alike.
    if (RULE == 14) begin : g_r14
        always_comb if (went_on) assert (state_phase == (!was_any ? was_phase : was_last_cycle ? 4'd0 : was_phase + 4'd1));
    end
endmodule
