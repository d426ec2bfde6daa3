// SPDX-License-Identifier: Apache-2.0
// rlws_state_props: the rules of what RLWS's learner sees, restated from ports and registers. tests/formal/run.sh builds the proof of
// one rule (parameter RULE) around it. What rules say of ratio r or of load l is proved for each: their numbers are taken
// once, during reset.
`default_nettype none

module rlws_state_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned LOAD_BITS = 0,
    parameter int unsigned RLWS_COUNT_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter int unsigned PINNED = 0,  // 1: only variable 0 of the last scheduler
    parameter logic WITH = 1'b0,  // prove a lemma along with the rule
    localparam int unsigned S = NUM_SCHEDULERS,
    localparam int unsigned N = NUM_WARPS,
    localparam int unsigned Slots = S * N,
    localparam int unsigned WarpBits = $clog2(N),
    localparam int unsigned B = RLWS_COUNT_BITS,
    localparam int unsigned Low = B + 7,
    localparam int unsigned StepBits = $clog2(B + 8)
) (
    input logic                        clk,
    input logic                        rst,
    input logic                        started,  // the first cycle, a reset, is over
    input logic [23:0]                 pick,     // r, lowest: 2 bits; l: 8 bits
    input logic                        start,
    input logic                        last_block,
    input logic [Slots-1:0]            occupied,
    input logic [Slots-1:0]            running,
    input logic [Slots-1:0]            at_barrier,
    input logic [Slots-1:0]            done,
    input logic [Slots-1:0]            buffered,
    input logic [Slots-1:0]            clear,
    input logic [Slots-1:0]            split,
    input logic [Slots-1:0]            next_sp,
    input logic [Slots-1:0]            next_sfu,
    input logic [Slots-1:0]            next_gmem,
    input logic [Slots-1:0]            next_stcmem,
    input logic [Slots*LOAD_BITS-1:0]  next_load,
    input logic [Slots*6-1:0]          block,
    input logic                        block_end,
    input logic [S-1:0]                issued,
    input logic [S*2-1:0]              issue_class,
    input logic [S*WarpBits-1:0]       issued_warp,
    input logic [S-1:0]                fetch,
    input logic [S-1:0]                fetch_miss,
    input logic [S-1:0]                takes_sp,
    input logic                        takes_sfu,
    input logic                        takes_mem,
    input logic [9:0]                  completed,
    input logic                        access,
    input logic                        miss,
    input logic [LOAD_BITS-1:0]        missed_load,
    input logic [9:0]                  agml,
    input logic [6:0]                  l2mp,
    input logic [9:0]                  gnmie,
    input logic [8*6-1:0]              attribute,
    input logic [56*10-1:0]            edges,
    input logic [S*8*3-1:0]            value,
    input logic                        busy,
    input logic                        state_waiting,
    input logic                        state_ended,
    input logic [(1<<(LOAD_BITS-1))-1:0] state_missed,
    input logic [5:0]                  state_recent,
    input logic                        state_recent_known,
    input logic [9:0]                  state_in_flight,
    input logic [4*B-1:0]              state_dividend,
    input logic [4*B-1:0]              state_divisor,
    input logic [2*7-1:0]              state_percent,
    input logic [2*10-1:0]             state_quotient,
    input logic [3:0]                  state_stale,
    input logic [1:0]                  state_turn,
    input logic [StepBits-1:0]         state_steps,
    input logic [Low-1:0]              state_low,
    input logic [B-1:0]                state_high,
    input logic [B-1:0]                state_by
);
    localparam int unsigned Loads = 1 << (LOAD_BITS - 1), Late = 5 * (B + 8) - 1, AgeBits = $clog2(Late + 2);

    logic [1:0] r;
    logic [7:0] l;
    always_ff @(posedge clk) if (rst) {l, r} <= pick[9:0];
    logic was_reset, was_start, went_on;  // went_on: a cycle without reset and start lies behind
    always_ff @(posedge clk) {was_reset, was_start} <= {rst, start};
    assign went_on = started && !was_reset && !was_start;

    // Which values are as they should be: of each scheduler each attribute, warp by warp, and of each variable how many edges it reaches.
    logic [S*8-1:0] value_right, value_lies, ascending, skipped;
    assign skipped = PINNED == 0 ? '0 : ~((S * 8)'(1) << (S - 1) * 8);
    for (genvar k = 0; k < S; k++) begin : g_scheduler
        logic [34*10-1:0] all;
        logic [33:0] counts;  // attributes for which a warp counts
        logic next, could, mem, ready, stalled, long_load, its_own;
        always_comb begin
            all = '0;
            counts = '0;
            {next, could, mem, ready, stalled, long_load, its_own} = '0;
            for (int w = 0; w < Slots; w++) begin
                its_own = w / N == k;
                mem = next_gmem[w] || next_stcmem[w];
                next = running[w] && buffered[w];
                could = next && clear[w];
                ready = (next_sp[w] && takes_sp[k]) || (next_sfu[w] && takes_sfu) || (mem && takes_mem);
                stalled = (next_sp[w] && !takes_sp[k]) || (next_sfu[w] && !takes_sfu) || (mem && !takes_mem);
                long_load = 1'b0;
                for (int n = 1; n <= Loads; n++) if (next_load[w*LOAD_BITS+:LOAD_BITS] == LOAD_BITS'(n) && state_missed[n-1]) long_load = 1'b1;
                counts = '0;
                counts[0] = at_barrier[w];
                counts[1] = done[w];
                counts[3] = could && mem && takes_mem && long_load;
                counts[4] = could && next_gmem[w] && takes_mem;
                counts[5] = could && next_stcmem[w] && takes_mem;
                counts[6] = could && next_sfu[w] && takes_sfu;
                counts[7] = could && next_sp[w] && takes_sp[k];
                counts[9] = occupied[w] && !buffered[w];
                counts[10] = split[w];
                counts[11] = next && next_sfu[w];
                counts[12] = next && mem;
                counts[13] = counts[7];
                counts[14] = counts[4];
                counts[15] = counts[5];
                counts[16] = counts[6];
                counts[17] = next && !clear[w];
                counts[18] = could && stalled;
                counts[19] = could && mem && !takes_mem;
                counts[20] = could && next_sfu[w] && !takes_sfu;
                counts[21] = could && next_sp[w] && !takes_sp[k];
                counts[23] = could && ready;
                counts[24] = running[w];
                counts[25] = counts[6] || counts[7];
                counts[26] = could && mem && takes_mem && state_recent_known && block[w*6+:6] == state_recent;
                for (int a = 0; a < 9; a++) if (counts[a] && (a < 2 || its_own)) all[a*10+:10] = 10'd1;
                for (int a = 9; a < 34; a++) all[a*10+:10] = all[a*10+:10] + 10'(counts[a] && its_own);
            end
            all[20+:10] = 10'(state_waiting);
            all[80+:10] = 10'(!state_ended);
            all[220+:10] = state_quotient[19:10];
            all[270+:10] = state_in_flight;
            all[280+:10] = 10'(state_percent[6:0]);
            all[290+:10] = 10'(state_percent[13:7]);
            all[300+:10] = 10'(l2mp);
            all[310+:10] = state_quotient[9:0];
            all[320+:10] = agml;
            all[330+:10] = gnmie;
        end
        for (genvar i = 0; i < 8; i++) begin : g_variable
            logic [9:0] found;
            logic [2:0] its_value;
            logic [3:0] reached;
            assign its_value = value[(k*8+i)*3+:3];
            always_comb begin
                found = '0;
                for (int a = 0; a < 34; a++) if (attribute[i*6+:6] == 6'(a)) found = all[a*10+:10];
                if (found > 10'd1022) found = 10'd1022;
                reached = '0;
                ascending[k*8+i] = 1'b1;
                value_lies[k*8+i] = 1'b1;
                for (int e = 0; e < 7; e++) begin
                    if (edges[(i*7+e)*10+:10] <= found) reached = reached + 4'd1;
                    if (e > 0 && edges[(i*7+e)*10+:10] < edges[(i*7+e-1)*10+:10]) ascending[k*8+i] = 1'b0;
                    if ((4'(e) < 4'(its_value)) != (edges[(i*7+e)*10+:10] <= found)) value_lies[k*8+i] = 1'b0;
                end
                if (attribute[i*6+:6] > 6'd33) {reached, value_lies[k*8+i]} = {4'd0, 1'b1};
            end
            assign value_right[k*8+i] = 4'(its_value) == reached;
        end
    end

    // What ratio r counts, and by how much.
    logic [B-1:0] dividend, divisor;
    logic [B+3:0] dividend_sum, divisor_sum;  // as wide as they may become
    logic grows;
    logic [3:0] alus, mems;
    always_comb begin
        {alus, mems} = '0;
        for (int k = 0; k < S; k++) begin
            if (issued[k] && issue_class[k*2+:2] < 2'd2) alus = alus + 4'd1;
            if (issued[k] && issue_class[k*2+:2] > 2'd1) mems = mems + 4'd1;
        end
        dividend = '0;
        divisor = '0;
        for (int i = 0; i < 4; i++) begin
            if (2'(i) == r) begin
                dividend = state_dividend[i*B+:B];
                divisor = state_divisor[i*B+:B];
            end
        end
        dividend_sum = (B + 4)'(dividend);
        divisor_sum = (B + 4)'(divisor);
        unique case (r)
            2'd0: for (int k = 0; k < S; k++) begin
                if (fetch[k]) divisor_sum = divisor_sum + 1'b1;
                if (fetch[k] && fetch_miss[k]) dividend_sum = dividend_sum + 1'b1;
            end
            2'd1: begin
                divisor_sum = divisor_sum + (B + 4)'(access);
                dividend_sum = dividend_sum + (B + 4)'(access && miss);
            end
            2'd2: begin
                divisor_sum = divisor_sum + (B + 4)'(access && miss);
                dividend_sum = dividend_sum + (B + 4)'(alus) + (B + 4)'(mems);
            end
            default: begin
                divisor_sum = divisor_sum + (B + 4)'(mems);
                dividend_sum = dividend_sum + (B + 4)'(alus);
            end
        endcase
        grows = dividend_sum != (B + 4)'(dividend) || divisor_sum != (B + 4)'(divisor);
    end

    // The divider as seen by ratio r: what it has taken, what the quotient kept is of, and how old both are: cycles since the counts were
    // the same.
    logic percentage, just_taken, dividing, keeps, was_grows;
    logic [Low-1:0] scaled, was_scaled, taken, taken_q, kept;  // counts above, times 100 for percentages
    logic [B-1:0] was_divisor, taken_by, taken_by_q, kept_by;
    logic [9:0] quotient;
    logic [AgeBits-1:0] taken_age, taken_age_q, taken_age_d, kept_age;
    assign percentage = !r[1];
    assign scaled = Low'(dividend) * (percentage ? Low'(100) : Low'(1));
    assign just_taken = state_steps == StepBits'(Low) && state_turn == r;
    assign dividing = state_steps != '0 && state_turn == r;
    assign keeps = state_steps == StepBits'(1) && state_turn == r;
    assign taken = just_taken ? was_scaled : taken_q;
    assign taken_by = just_taken ? was_divisor : taken_by_q;
    assign taken_age = just_taken ? AgeBits'(was_grows) : taken_age_q;
    assign taken_age_d = (taken_age == '0 && !grows) || &taken_age ? taken_age : taken_age + 1'b1;
    always_comb begin
        unique case (r)
            2'd0: quotient = 10'(state_percent[6:0]);
            2'd1: quotient = 10'(state_percent[13:7]);
            2'd2: quotient = state_quotient[9:0];
            default: quotient = state_quotient[19:10];
        endcase
    end
    always_ff @(posedge clk) begin
        {was_scaled, was_divisor, was_grows} <= {scaled, divisor, grows};
        {taken_q, taken_by_q, taken_age_q} <= {taken, taken_by, taken_age_d};
        if (keeps) {kept, kept_by, kept_age} <= {taken, taken_by, taken_age_d};
        else if (kept_age != '0 || grows) kept_age <= &kept_age ? kept_age : kept_age + 1'b1;
        if (rst || start) {taken_q, taken_by_q, taken_age_q, kept, kept_by, kept_age} <= '0;
    end

    // Is the quotient that of what it was taken of (rule 7: of the counts as they are)?
    logic [Low-1:0] above;
    logic [B-1:0] below;
    logic [Low+9:0] product;
    logic is_quotient;
    assign above = RULE == 7 ? scaled : kept;
    assign below = RULE == 7 ? divisor : kept_by;
    assign product = (Low + 10)'(quotient) * (Low + 10)'(below);
    assign is_quotient = below == '0 ? quotient == (percentage ? 10'd0 : 10'd1022)
        : product <= (Low + 10)'(above) && (quotient == 10'd1022 || product + (Low + 10)'(below) > (Low + 10)'(above));

    // Lemmas. The bits found so far times the divisor, and the remainder, are the upper bits of what was taken; the others are still there.
    logic [Low-1:0] bits_found, upper, mask;
    logic divides_right, taken_right, is_current, in_bounds;
    assign mask = {Low{1'b1}} >> state_steps;
    assign bits_found = state_low & mask;
    assign upper = taken >> state_steps;
    assign divides_right = state_steps <= StepBits'(Low)
        && (!dividing || (state_by == taken_by && state_low >> (StepBits'(Low) - state_steps) == (taken & ~({Low{1'b1}} << state_steps))
            && (state_by == '0 ? bits_found == mask
                : state_high < state_by && (2 * Low)'(bits_found) * (2 * Low)'(state_by) + (2 * Low)'(state_high) == (2 * Low)'(upper))));
    // What was taken of a ratio that is not stale is what it counts now.
    assign is_current = state_stale[r] || (dividing ? taken == scaled && taken_by == divisor : kept == scaled && kept_by == divisor);
    // No more is missed than looked up.
    assign in_bounds = !percentage || (dividend <= divisor && taken <= Low'(taken_by) * Low'(100) && kept <= Low'(kept_by) * Low'(100));
    assign taken_right = WITH == 1'b0 || (divides_right && in_bounds);
    // How old counts may become: what is divided goes on for `steps` cycles, each ratio before r takes B + 8, and so does r.
    logic [1:0] before;  // how many come before r
    logic [15:0] wait_for;
    logic in_time;
    assign before = r - state_turn - 2'd1;
    assign wait_for = 16'(state_steps) + (16'(before) + 16'd1) * 16'(B + 8);
    always_comb begin
        in_time = state_steps <= StepBits'(Low);
        if (dividing && 16'(kept_age) + 16'(state_steps) > 16'(Late + 1)) in_time = 1'b0;
        if (dividing && (state_stale[r] ? 16'(taken_age) + 16'(state_steps) > 16'(B + 8) : taken_age != '0)) in_time = 1'b0;
        if (!dividing && (state_stale[r] ? 16'(kept_age) + wait_for > 16'(Late + 1) : kept_age != '0)) in_time = 1'b0;
        if (!dividing && taken_age != kept_age) in_time = 1'b0;
    end

    logic [Loads-1:0] was_missed;
    logic its_missed, its_was_missed, was_misses;
    logic was_block_end, was_last_block, was_ended, was_waiting, was_known;
    logic [5:0] was_recent, recent;
    logic [LOAD_BITS-1:0] was_load;
    logic [9:0] was_in_flight, was_completed;
    logic [3:0] was_mems;
    logic [B-1:0] was_dividend;
    logic [B+3:0] was_dividend_sum, was_divisor_sum;
    always_comb begin
        recent = state_recent;
        for (int k = 0; k < S; k++) for (int w = 0; w < N; w++)
            if (issued[k] && issue_class[k*2+:2] > 2'd1 && issued_warp[k*WarpBits+:WarpBits] == WarpBits'(w)) recent = block[(k*N+w)*6+:6];
        {its_missed, its_was_missed} = '0;
        for (int n = 0; n < Loads; n++) if (8'(n) == l) {its_missed, its_was_missed} = {state_missed[n], was_missed[n]};
    end
    always_ff @(posedge clk) begin
        was_missed <= state_missed;
        was_misses <= access && miss;
        was_load <= missed_load;
        {was_block_end, was_last_block, was_ended, was_waiting, was_known} <= {block_end, last_block, state_ended, state_waiting, state_recent_known};
        was_recent <= recent;
        {was_in_flight, was_completed, was_mems} <= {state_in_flight, completed, mems};
        {was_dividend, was_dividend_sum, was_divisor_sum} <= {dividend, dividend_sum, divisor_sum};
    end

    // R1: When a kernel has begun, no block of it has ended, no load has missed, nothing is counted and nothing is divided; percentages are 0, the other
    // ratios 1022; blocks wait, unless the last was handed out in the same cycle.
    if (RULE == 1) begin : g_r1
        logic none;
        assign none = !state_ended && state_missed == '0 && !state_recent_known && state_dividend == '0 && state_divisor == '0 && !busy
            && state_percent == '0 && state_quotient == {10'd1022, 10'd1022};
        always_comb if (started && (was_reset || was_start)) assert (none && state_waiting == (!was_reset && !was_last_block));
    end

    // R2: A variable's value is the number of its edges that its attribute reaches; without an attribute it is 0.
    if (RULE == 2) begin : g_r2
        always_comb if (started) assert (&(value_right | skipped));
    end

    // R3: Where edges ascend the attribute lies in the bucket that the value says: not below its edge, and below the next one.
    if (RULE == 3) begin : g_r3
        always_comb if (started) assert (&(value_lies | ~ascending | skipped));
    end

    // R4: No count wraps: both of a ratio grow by what has happened, or are half of that when one of them would not fit.
    if (RULE == 4) begin : g_r4
        logic fits;
        assign fits = was_dividend_sum < (B + 4)'(1 << B) && was_divisor_sum < (B + 4)'(1 << B);
        always_comb if (went_on)
            assert (fits ? (B + 4)'(dividend) == was_dividend_sum && (B + 4)'(divisor) == was_divisor_sum
                         : (B + 4)'(dividend) == was_dividend_sum >> 1 && (B + 4)'(divisor) == was_divisor_sum >> 1);
    end

    // R5: What is in flight grows by the memory instructions issued and falls by those that have completed, from kernel to kernel; it is never below 0, if no
    // more have completed than there were, nor above 1023.
    if (RULE == 5) begin : g_r5
        logic signed [15:0] rest;
        assign rest = 16'(was_in_flight) + 16'(was_mems) - 16'(was_completed);
        always_comb if (started && !was_reset)
            assert (rest < 0 ? state_in_flight == '0 : rest > 16'sd1023 ? state_in_flight == 10'd1023 : $signed(16'(state_in_flight)) == rest);
    end

    // R6: A ratio that is kept is the quotient of the counts that the divider has taken.
    if (RULE == 6) begin : g_r6
        always_comb if (started) assert (is_quotient && taken_right);
    end

    // R7: A ratio that is neither stale nor divided is the quotient of its counts.
    if (RULE == 7) begin : g_r7
        logic kept_right;
        logic [Low+9:0] kept_product;
        assign kept_product = (Low + 10)'(quotient) * (Low + 10)'(kept_by);
        assign kept_right = WITH == 1'b0 || (divides_right && in_bounds && is_current
            && (kept_by == '0 ? quotient == (percentage ? 10'd0 : 10'd1022)
                : kept_product <= (Low + 10)'(kept) && (quotient == 10'd1022 || kept_product + (Low + 10)'(kept_by) > (Low + 10)'(kept))));
        always_comb if (started) assert ((state_stale[r] || dividing || is_quotient) && kept_right);
    end

    // R8: The counts that a ratio is taken of were those of the cycle not longer ago than 5 * (RLWS_COUNT_BITS + 8) - 1 cycles.
    if (RULE == 8) begin : g_r8
        always_comb if (started) assert (kept_age <= AgeBits'(Late) && (WITH == 1'b0 || in_time));
    end

    // R9: A percentage is never above 100, another ratio never above 1022.
    if (RULE == 9) begin : g_r9
        always_comb if (started) assert (quotient <= (percentage ? 10'd100 : 10'd1022) && (WITH == 1'b0 || (in_bounds && divides_right)));
    end

    // R10: A load is known as long when it has missed in this kernel, and stays so.
    if (RULE == 10) begin : g_r10
        always_comb if (went_on && 32'(l) < Loads)
            assert (its_missed == (its_was_missed || (was_misses && was_load != '0 && 32'(was_load) - 1 == 32'(l))));
    end

    // R11: The recent block is that of the last memory instruction issued in this kernel. Once a block has ended, and once none waits, that stays so.
    if (RULE == 11) begin : g_r11
        always_comb if (went_on)
            assert (state_recent == was_recent && state_recent_known == (was_known || was_mems != '0) && state_ended == (was_ended || was_block_end)
                    && state_waiting == (was_waiting && !was_last_block));
    end
endmodule

`default_nettype wire
