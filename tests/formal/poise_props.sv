// SPDX-License-Identifier: Apache-2.0
// poise_props: the rules of the inference engine, restated from its ports and registers without looking at how the RTL does it.
// tests/formal/run.sh builds the proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines
// `// R<n>: ...`.
//
// Times are counted here, in cycles. Rules about times hold while the clock goes on by one in each cycle, and those about
// lengths while the settings stay as they are: the machine never changes them.
`default_nettype none

module poise_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned POISE_TIME_BITS = 0,
    parameter int unsigned POISE_SAMPLE_BITS = 0,
    parameter int unsigned POISE_MISS_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove a lemma along with the rule
    localparam int unsigned T = POISE_TIME_BITS,
    localparam int unsigned S = POISE_SAMPLE_BITS,
    localparam int unsigned M = POISE_MISS_BITS,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned IssueBits = $clog2(NUM_SCHEDULERS + 1),
    localparam int unsigned CountBits = S + IssueBits,
    localparam int unsigned WaitBits = M + S
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 started,  // the first cycle, a reset, is over
    input logic                 start,
    input logic [WarpBits-1:0]  warps,
    input logic [IssueBits-1:0] issued,
    input logic [IssueBits-1:0] loads,
    input logic                 access,
    input logic                 hit,
    input logic                 own,
    input logic                 miss,
    input logic [M-1:0]         fill,
    input logic [T-1:0]         clock,
    input logic [T-1:0]         period,
    input logic [S-1:0]         warmup,
    input logic [S-1:0]         feature,
    input logic [S-1:0]         search,
    input logic [7:0]           cutoff,
    input logic [WarpBits-1:0]  stride_n,
    input logic [WarpBits-1:0]  stride_p,
    input logic [16*25-1:0]     weight,
    input logic                 given,
    input logic [WarpBits-1:0]  given_n,
    input logic [WarpBits-1:0]  given_p,
    input logic                 settled,
    input logic [2:0]           state_state,
    input logic [2:0]           state_point,
    input logic                 state_axis,
    input logic [WarpBits-1:0]  state_most,
    input logic [WarpBits-1:0]  state_n,
    input logic [WarpBits-1:0]  state_p,
    input logic [WarpBits-1:0]  state_centre_n,
    input logic [WarpBits-1:0]  state_centre_p,
    input logic [WarpBits-1:0]  state_stride,
    input logic [1:0]           state_side,
    input logic [1:0]           state_left,
    input logic [CountBits-1:0] state_top,
    input logic [T-1:0]         state_due,
    input logic [T-1:0]         state_ends,
    input logic [S-1:0]         state_accesses,
    input logic [S-1:0]         state_hits,
    input logic [S-1:0]         state_owns,
    input logic [CountBits-1:0] state_instructions,
    input logic [CountBits-1:0] state_globals,
    input logic [WaitBits-1:0]  state_waited,
    input logic [M-1:0]         state_waiting,
    input logic [16:0]          state_hit_base,
    input logic [16:0]          state_own_base,
    input logic [15:0]          state_gap,
    input logic [15:0]          state_latency_base,
    input logic [16:0]          state_hit_lone,
    input logic [16:0]          state_own_lone,
    input logic [15:0]          state_latency_lone,
    input logic [3:0]           state_step,
    input logic [5:0]           state_tick,
    input logic [24:0]          state_high,
    input logic [31:0]          state_low,
    input logic [36:0]          state_sum
);
    localparam logic [2:0] Idle = 0, Warm = 1, Sample = 2, Derive = 3, Predict = 4, Decide = 5, Hold = 6;
    localparam logic [2:0] Base = 0, Lone = 1, Centre = 2;

    // The cycle before this one: no reset, and not the first.
    logic known, was_start, was_given;
    logic [WarpBits-1:0] was_given_n, was_given_p, was_stride_n, was_stride_p;
    logic [2:0] was_state, was_point;
    logic [T-1:0] was_clock, was_due, was_ends;
    logic [WarpBits-1:0] was_n, was_p;
    logic [M-1:0] was_waiting;
    logic was_miss;
    logic [M-1:0] was_fill;
    logic [3:0] was_step;
    always_ff @(posedge clk) begin
        known <= started && !rst;
        {was_start, was_state, was_point} <= {start, state_state, state_point};
        {was_given, was_given_n, was_given_p, was_stride_n, was_stride_p} <= {given, given_n, given_p, stride_n, stride_p};
        {was_clock, was_due, was_ends} <= {clock, state_due, state_ends};
        {was_n, was_p, was_step} <= {state_n, state_p, state_step};
        {was_waiting, was_miss, was_fill} <= {state_waiting, miss, fill};
    end

    // An epoch has begun with this cycle: the one before was a start, or the last of an epoch.
    logic begins;
    assign begins = known && (was_start || (was_state != Idle && was_clock == was_ends && was_due == was_ends));

    // Time: cycles of the epoch and of the state before this one, while the clock runs and settings stay.
    logic [T-1:0] epoch_length, age_q, age;
    logic [S-1:0] warm_length, feature_length, search_length;
    logic running_q, running, same;
    logic [T-1:0] state_age_q, state_age;  // cycles of this state before this one
    assign same = warm_length == (warmup == '0 ? S'(1) : warmup) && feature_length == (feature == '0 ? S'(1) : feature)
                  && search_length == (search == '0 ? S'(1) : search);
    assign running = begins ? clock == T'(was_clock + 1'b1) : running_q && clock == T'(was_clock + 1'b1);
    assign age = begins ? '0 : T'(age_q + 1'b1);
    assign state_age = begins || state_state != was_state ? '0 : T'(state_age_q + 1'b1);
    logic [T-1:0] was_period;
    always_ff @(posedge clk) begin
        was_period <= period == '0 ? T'(1) : period;
        age_q <= age;
        state_age_q <= state_age;
        // Settings as the epoch's beginning found them: anything, but always the same.
        if (rst || !started) begin
            warm_length <= warmup == '0 ? S'(1) : warmup;
            feature_length <= feature == '0 ? S'(1) : feature;
            search_length <= search == '0 ? S'(1) : search;
        end
        epoch_length <= begins ? was_period : epoch_length;
    end
    logic [T-1:0] epoch;
    assign epoch = begins ? was_period : epoch_length;
    // Nothing has disturbed the settings since the reset, nor the clock since the epoch began.
    logic kept_q, kept;
    assign kept = kept_q && same;
    always_ff @(posedge clk) begin
        kept_q <= rst || !started || kept;
        running_q <= !rst && started && running;
    end

    // Where the timers stand.
    logic timed;
    logic [T-1:0] length;  // of this warm-up or sample
    assign length = state_state == Warm ? T'(warm_length) : state_point == Base || state_point == Lone ? T'(feature_length) : T'(search_length);
    assign timed = T'(state_ends - clock) == T'(epoch - age - 1'b1) && age < epoch
                   && (state_state == Warm || state_state == Sample
                       ? state_age < length && state_due == (T'(length - state_age - 1'b1) < T'(state_ends - clock) ? T'(clock + length - state_age - 1'b1) : state_ends)
                       : state_due == state_ends);

    // R1: 1 <= p <= N <= W at all times, and W is at most the warps of a scheduler.
    if (RULE == 1) begin : g_r1
        localparam logic [2:0] Less = 3, More = 4, Round = 5;
        localparam logic [1:0] Lower = 1, Higher = 2;
        logic pair, centre, sound;
        assign pair = state_p >= 1 && state_p <= state_n && state_n <= state_most && 32'(state_most) <= NUM_WARPS;
        assign centre = state_centre_n >= 1 && state_centre_n <= state_most
                        && (state_state == Predict || (state_centre_p >= 1 && state_centre_p <= state_centre_n));
        // A neighbour that is sampled, has been sampled in this round, or is the best so far, is within the bounds.
        logic fits_less, fits_more, visits_less, visits_more;
        assign fits_less = {1'b0, state_axis ? state_centre_p : state_centre_n}
                           >= {1'b0, state_axis ? WarpBits'(1) : state_centre_p} + {1'b0, state_stride};
        assign fits_more = {1'b0, state_axis ? state_centre_p : state_centre_n} + {1'b0, state_stride}
                           <= {1'b0, state_axis ? state_centre_n : state_most};
        logic samples, round;
        assign samples = state_state == Warm || state_state == Sample || (state_state == Decide && state_instructions != '0);
        assign round = (state_state == Warm || state_state == Sample || state_state == Decide) && (state_point == Less || state_point == More);
        assign visits_less = (samples && state_point == Less) || (round && state_side == Lower);
        assign visits_more = (samples && state_point == More) || (round && state_side >= Higher);
        assign sound = ((state_point <= Lone && !(state_state == Predict && state_axis)) || centre)
                       && (state_state != Predict || state_point == Lone) && state_state != 7
                       && (state_state != Idle || state_point == Base) && (state_state != Derive || state_point <= Lone)
                       && (state_state != Decide || state_point > Lone) && state_point <= Round && (!visits_less || fits_less) && (!visits_more || fits_more);
        always_comb begin
            if (started) assert (pair && (!WITH || sound));
        end
    end

    // R2: A new kernel, and the end of an epoch, begin at once with the warm-up at (W, W), whatever was under way. Where a pair is given
    // they begin at the pair next to it of those that there are: with its warm-up, or without strides holding it.
    if (RULE == 2) begin : g_r2
        logic [WarpBits-1:0] next_n, next_p;
        logic sampled, taken;
        assign next_n = was_given_n > state_most ? state_most : was_given_n == '0 ? WarpBits'(1) : was_given_n;
        assign next_p = was_given_p > next_n ? next_n : was_given_p == '0 ? WarpBits'(1) : was_given_p;
        assign sampled = state_state == Warm && state_point == Base && state_n == state_most && state_p == state_most;
        assign taken = state_state == (was_stride_n == '0 && was_stride_p == '0 ? Hold : Warm) && state_point == Centre
                       && state_n == next_n && state_p == next_p && state_centre_n == next_n && state_centre_p == next_p;
        always_comb begin
            if (started && begins) assert (was_given ? taken : sampled);
        end
    end

    // R3: An epoch, and with it a search, ends after its period: while the clock runs, another one begins in the cycle after its last.
    if (RULE == 3) begin : g_r3
        logic sound;
        assign sound = T'(state_ends - clock) == T'(epoch - age - 1'b1)
                       && (state_state == Warm || state_state == Sample ? T'(state_due - clock) <= T'(state_ends - clock)
                           : state_due == state_ends);
        always_comb begin
            if (started && known && running && state_state != Idle) assert (age < epoch && (!WITH || sound));
        end
    end

    // R4: A sample that is used has its full length, and so has the warm-up before it.
    if (RULE == 4) begin : g_r4
        logic uses, warmed;
        assign uses = known && was_state == Sample && (state_state == Derive || state_state == Decide);
        assign warmed = known && was_state == Warm && state_state == Sample;
        always_comb begin
            if (started && running && kept && !begins && state_state != Idle) begin
                assert ((!uses || T'(state_age_q + 1'b1) == (was_point <= Lone ? T'(feature_length) : T'(search_length)))
                        && (!warmed || T'(state_age_q + 1'b1) == T'(warm_length)) && (!WITH || timed));
            end
        end
    end

    // R5: A kernel that is bound by computation stays at (W, W) until the next epoch: where DERIVE goes to HOLD, and as long as HOLD
    // lasts, N and p are what they were, and DERIVE goes there from (W, W) alone.
    if (RULE == 5) begin : g_r5
        logic bound;  // HOLD came from DERIVE
        logic bound_q;
        assign bound = known && !begins && state_state == Hold && (was_state == Derive || bound_q);
        always_ff @(posedge clk) bound_q <= bound && !rst;
        always_comb begin
            if (started && known && !begins) begin
                assert ((was_state != Hold || (state_state == Hold && state_n == was_n && state_p == was_p))
                        && (!bound || (state_n == state_most && state_p == state_most)));
            end
        end
    end

    // R6: No counter of a sample runs over: hits on own lines are at most hits, these at most accesses, and these at most the cycles of
    // the sample so far.
    if (RULE == 6) begin : g_r6
        always_comb begin
            if (started && running && kept && state_state != Idle) begin
                assert ((state_state != Sample
                         || (state_owns <= state_hits && state_hits <= state_accesses && T'(state_accesses) <= state_age))
                        && (!WITH || timed));
            end
        end
    end

    // R7: What waits is the misses less the fills, from 0 to all that the register holds.
    if (RULE == 7) begin : g_r7
        logic [M+1:0] should;
        assign should = (M + 2)'(was_waiting) + (M + 2)'(was_miss);
        always_comb begin
            if (started && known) begin
                assert (state_waiting == (was_start || should < (M + 2)'(was_fill) ? '0
                                          : should - (M + 2)'(was_fill) > (M + 2)'({M{1'b1}}) ? {M{1'b1}} : M'(should - (M + 2)'(was_fill))));
            end
        end
    end

    // R8: In a sample of features, the register and what waited when it began, times its length, are together the sum over its cycles
    // of what waited after each.
    if (RULE == 8) begin : g_r8
        logic [WaitBits+1:0] sum_q, sum;
        logic [T-1:0] rest;  // cycles of the sample from this one on
        logic sound;
        assign sum = state_state == Sample && was_state == Sample && !begins ? sum_q + (WaitBits + 2)'(state_waiting) : '0;
        assign rest = T'(state_due - clock + 1'b1);
        always_ff @(posedge clk) sum_q <= sum;
        // In a cycle of the sample: what waits now, for the rest of it, and what has waited before.
        assign sound = WaitBits'(state_waited + WaitBits'(state_low) * WaitBits'(length))
                       == WaitBits'(sum + (WaitBits + 2)'(state_waiting) * (WaitBits + 2)'(rest));
        logic ends;
        assign ends = known && was_state == Sample && state_state == Derive && !begins && state_step == '0 && state_tick == '0;
        always_comb begin
            if (started && running && kept && state_state != Idle) begin
                assert ((!ends || WaitBits'(state_waited + WaitBits'(state_low) * WaitBits'(feature_length))
                                  == WaitBits'(sum_q + (WaitBits + 2)'(state_waiting)))
                        && (!WITH || (timed && (state_state != Sample || state_due == state_ends || sound))));
            end
        end
    end

    // R9: An epoch that begins with a pair given samples and predicts nothing: it is never at a point of features, nor in DERIVE or PREDICT.
    if (RULE == 9) begin : g_r9
        logic knows, knows_q;  // this epoch has begun with a pair
        assign knows = begins ? was_given : knows_q;
        always_ff @(posedge clk) knows_q <= knows && started && !rst;
        always_comb begin
            if (started && known && knows) assert (state_point > Lone && state_state != Derive && state_state != Predict);
        end
    end
endmodule

`default_nettype wire
