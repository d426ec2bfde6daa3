// SPDX-License-Identifier: Apache-2.0
// ccws_props: the rules of the lost-locality scores, restated from ports and registers. tests/formal/run.sh builds the proof of one
// rule (parameter RULE) around it.
//
// The clock is an input like any other. Rules about two times say so for a clock that has counted from one to the other; those of
// a pass are about the cycle in which it began, whose scores it adds, and hold whatever the clock does.
`default_nettype none

module ccws_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned CCWS_LOOKS = 0,
    parameter int unsigned CCWS_BASE = 0,
    parameter int unsigned CCWS_THROTTLE = 0,
    parameter int unsigned CCWS_SCORE_BITS = 0,
    parameter int unsigned CCWS_HIT_BITS = 0,
    parameter int unsigned CCWS_ISSUE_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove a lemma along with the rule
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned SlotBits = $clog2(Slots),
    localparam int unsigned CountBits = $clog2(Slots + 1),
    localparam int unsigned S = CCWS_SCORE_BITS,
    localparam int unsigned TimeBits = S + 1,
    localparam int unsigned QuotientBits = CCWS_HIT_BITS + CountBits + $clog2(CCWS_THROTTLE * CCWS_BASE + 1)
) (
    input logic                              clk,
    input logic                              rst,
    input logic                              started,       // the first cycle, a reset, is over
    input logic [23:0]                       pick,          // cycles after the beginning of a pass
    input logic                              start,
    input logic [Slots-1:0]                  fresh,
    input logic [Slots-1:0]                  living,
    input logic                              hit,
    input logic [SlotBits-1:0]               hit_warp,
    input logic [$clog2(NUM_SCHEDULERS+1)-1:0] issued,
    input logic [31:0]                       clock,
    input logic [Slots-1:0]                  allow_load,
    input logic                              busy,
    input logic [Slots-1:0]                  state_allow,
    input logic [Slots-1:0]                  state_pending,
    input logic [Slots*TimeBits-1:0]         state_until,
    input logic [CCWS_HIT_BITS-1:0]          state_hits,
    input logic [CCWS_ISSUE_BITS-1:0]        state_instructions,
    input logic                              state_asked,
    input logic [SlotBits-1:0]               state_asked_warp,
    input logic                              state_scoring,
    input logic [SlotBits-1:0]               state_scoring_warp,
    input logic [$clog2(QuotientBits+1)-1:0] state_steps,
    input logic [CCWS_ISSUE_BITS-1:0]        state_divisor,
    input logic [CCWS_ISSUE_BITS-1:0]        state_remainder,
    input logic [QuotientBits-1:0]           state_quotient,
    input logic                              state_stale,
    input logic [Slots-1:0]                  state_counted,
    input logic                              state_summing,
    input logic [TimeBits-1:0]               state_since,
    input logic [Slots-1:0]                  state_visited,
    input logic                              state_over,
    input logic [TimeBits-1:0]               state_room,
    input logic [CountBits-1:0]              state_raised,
    input logic [S-1:0]                      state_excess,
    input logic [TimeBits-1:0]               state_soonest,
    input logic                              state_wake_valid,
    input logic [31:0]                       state_wake
);
    localparam int unsigned Looks = CCWS_LOOKS == 0 ? Slots : CCWS_LOOKS;
    localparam int unsigned Visits = (Slots + Looks - 1) / Looks;  // cycles of a pass in which it visits
    localparam int unsigned SumBits = S + CountBits;

    // Has the clock counted in every cycle since the reset?
    logic counts, counted_before;
    logic [31:0] was_clock;
    always_ff @(posedge clk) was_clock <= clock;
    assign counts = counted_before && clock == was_clock + 32'd1;
    logic first;  // after a reset any time may be
    always_ff @(posedge clk) begin
        first <= rst;
        counted_before <= rst || counts;
    end
    // How far the score of each warp is above the base in this cycle.
    logic [Slots*S-1:0] above;
    logic [TimeBits-1:0] left;
    always_comb begin
        above = '0;
        left = '0;
        for (int w = 0; w < Slots; w++) begin
            left = state_until[w*TimeBits+:TimeBits] - clock[TimeBits-1:0];
            if (state_pending[w] && !left[S]) above[w*S+:S] = left[S-1:0];
        end
    end

    // The same when the pass began.
    logic [Slots*S-1:0] key;
    logic [Slots-1:0] key_ahead;
    logic [TimeBits-1:0] key_left;
    always_comb begin
        key = '0;
        key_left = '0;
        for (int w = 0; w < Slots; w++) begin
            key_left = state_until[w*TimeBits+:TimeBits] - state_since;
            key_ahead[w] = key_left != '0 && !key_left[S];
            if (state_pending[w]) key[w*S+:S] = key_left[S-1:0];
        end
    end
    // Some cycles later, as many as `pick` says: this is before any score is back at the base, and before the time until which the
    // sum is known to stay above the cutoff.
    logic [S-1:0] later;
    logic in_time;
    assign later = pick[S-1:0];
    always_comb begin
        in_time = !state_over || later < state_excess || later == '0;
        for (int w = 0; w < Slots; w++) if (state_pending[w] && later >= key[w*S+:S]) in_time = 1'b0;
    end

    // The rule: the sum of a warp's score and those of the warps that come before it; the cutoff; who may load.
    logic [Slots*Slots-1:0] before;  // before[i*Slots+j]: warp j comes before i, or is i
    logic [SumBits-1:0] sum, cutoff, through, visited_sum;
    logic [Slots*SumBits-1:0] score;
    logic [Slots-1:0] may, leads;    // leads: comes before all others that live
    logic alone;
    always_comb begin
        cutoff = '0;
        through = '0;
        visited_sum = '0;
        score = '0;
        for (int w = 0; w < Slots; w++) begin
            if (state_counted[w]) cutoff = cutoff + SumBits'(CCWS_BASE);
            score[w*SumBits+:SumBits] = SumBits'(CCWS_BASE) + (state_pending[w] ? SumBits'(key[w*S+:S]) - SumBits'(later) : '0);
            if (state_counted[w] && allow_load[w]) through = through + score[w*SumBits+:SumBits];
            if (state_visited[w]) visited_sum = visited_sum + SumBits'(CCWS_BASE) + SumBits'(key[w*S+:S]);
        end
        before = '0;
        sum = '0;
        for (int i = 0; i < Slots; i++) begin
            sum = '0;
            for (int j = 0; j < Slots; j++) begin
                before[i*Slots+j] = state_counted[j]
                    && (i == j || key[j*S+:S] > key[i*S+:S] || (key[j*S+:S] == key[i*S+:S] && j < i));
                if (before[i*Slots+j]) sum = sum + score[j*SumBits+:SumBits];
            end
            leads[i] = state_counted[i] && $onehot0(before[i*Slots+:Slots]);
            may[i] = !state_counted[i] || leads[i] || sum <= cutoff;
        end
        alone = $onehot0(state_counted & allow_load);
    end

    // What a pass has found so far, a lemma of the rules about its end.
    logic lemma;
    if (WITH && RULE >= 1 && RULE <= 4) begin : g_lemma
        logic [Slots-1:0] unsorted, later_back;  // visited before one that comes before it; back at the base before `soonest`
        logic known;                             // `soonest` is of a visited warp
        logic [CountBits-1:0] raised;
        logic signed [TimeBits-1:0] room;
        assign room = state_room;
        always_comb begin
            known = (state_visited & state_pending) == '0;
            raised = '0;
            for (int i = 0; i < Slots; i++) begin
                unsorted[i] = state_visited[i] && (before[i*Slots+:Slots] & ~state_visited) != '0;
                later_back[i] = state_visited[i] && state_pending[i] && key[i*S+:S] < S'(state_soonest - state_since);
                raised = raised + CountBits'(state_visited[i] && state_pending[i]);
                if (state_visited[i] && state_pending[i] && state_soonest == state_until[i*TimeBits+:TimeBits]) known = 1'b1;
            end
        end
        assign lemma = !state_summing
            || ((state_visited & ~state_counted) == '0 && unsorted == '0 && (state_pending & ~(state_counted & key_ahead)) == '0
                && state_pending != '0
                && later_back == '0 && known && raised == state_raised
                && (state_over || (TimeBits'(cutoff - visited_sum) == state_room
                                   && ($onehot0(state_visited) || room >= 0)))
                && (!state_over || !in_time || allow_load == may));
    end else begin : g_plain
        assign lemma = 1'b1;
    end

    // What happened a cycle ago.
    logic was_reset, was_scoring, stored;
    logic [Slots-1:0] was_fresh, was_living, own;  // own: the score of this warp was stored
    logic [SlotBits-1:0] was_warp;
    always_ff @(posedge clk) begin
        was_reset <= rst || start;
        was_fresh <= fresh;
        was_living <= living;
        was_scoring <= state_scoring;
        was_warp <= state_scoring_warp;
    end
    always_comb begin
        stored = was_scoring && !state_scoring && !was_reset;
        own = '0;
        for (int w = 0; w < Slots; w++) own[w] = stored && 32'(was_warp) == w && !was_fresh[w];
        for (int w = 0; w < Slots; w++) if (32'(was_warp) == w && was_fresh[w]) stored = 1'b0;
    end

    // A pass has ended in the last cycle. What it has found stands in the registers.
    logic was_summing, ended;
    always_ff @(posedge clk) was_summing <= state_summing;
    assign ended = was_summing && !state_summing && !was_reset && was_fresh == '0;
    logic [TimeBits-1:0] goes_on;  // from the beginning of the pass to that of the next
    assign goes_on = state_wake[TimeBits-1:0] - state_since;

    // R1: No deadlock: when a pass has ended, the living warp with the highest score, of equals the lowest number, may load.
    if (RULE == 1) begin : g_r1
        always_comb if (started) assert (lemma && (!ended || (leads & ~allow_load) == '0));
    end

    // R2: When a pass has ended, the scores of the living warps that may load sum up to no more than the cutoff, or it is one warp.
    if (RULE == 2) begin : g_r2
        always_comb if (started) assert (lemma && (!ended || later != '0 || through <= cutoff || alone));
    end

    // R3: When a pass has ended, exactly those may load whom the rule lets with the scores of the cycle in which it began, and with
    // those of any cycle up to the one that is named for the next pass, that one excluded.
    if (RULE == 3) begin : g_r3
        logic asked_of;  // the cycle is one of those
        assign asked_of = later == '0 || (state_wake_valid && {1'b0, later} < goes_on && !goes_on[S]);
        always_comb if (started) assert (lemma && (!ended || !asked_of || allow_load == may));
    end

    // R4: When a pass has ended, the next one begins no later than the first score is back at the base, or at once.
    if (RULE == 4) begin : g_r4
        logic [Slots-1:0] sooner;
        always_comb for (int w = 0; w < Slots; w++) sooner[w] = state_pending[w] && {1'b0, key[w*S+:S]} < goes_on;
        always_comb if (started) assert (lemma && (!ended || state_stale || (state_wake_valid && sooner == '0)));
    end

    // R5: A fresh slot has the base score.
    if (RULE == 5) begin : g_r5
        always_comb if (started && !first) assert ((was_fresh & state_pending & ~{Slots{was_reset}}) == '0);
    end

    // R6: After a reset, and when a kernel has begun, all scores are at the base, nothing is counted, and all may load.
    if (RULE == 6) begin : g_r6
        always_comb begin
            if (started && was_reset) begin
                assert (&allow_load && {state_pending, state_hits, state_instructions, state_asked, state_scoring, state_summing} == '0);
            end
        end
    end

    // R7: A pass ends in time: it visits for as many cycles as its warps need, and ends in the next.
    if (RULE == 7) begin : g_r7
        logic [CountBits:0] lasts;
        always_ff @(posedge clk) lasts <= rst || start || !state_summing || fresh != '0 ? '0 : lasts + 1'b1;
        always_comb if (started && state_summing) assert (32'(lasts) <= Visits);
    end

    // R8: A warp that begins or ends is heard of in time: after the cycles of a pass and two more, if none other has begun or ended.
    if (RULE == 8) begin : g_r8
        logic [CountBits+1:0] same;
        always_ff @(posedge clk) begin
            if (rst || start || living != was_living || fresh != '0) same <= '0;
            else if (32'(same) < Visits + 3) same <= same + 1'b1;
        end
        always_comb if (started && 32'(same) == Visits + 3) assert (state_counted == was_living);
    end

    // R9: The divider divides: when it is ready, its quotient and remainder are those of K_THROTTLE * hits * cutoff and the
    // instructions when it began; without an instruction all bits of the quotient are set.
    if (RULE == 9) begin : g_r9
        logic [QuotientBits-1:0] dividend, live;
        logic [CCWS_HIT_BITS-1:0] was_hits;
        logic [CCWS_ISSUE_BITS-1:0] was_instructions, divisor;
        logic ready;
        always_comb begin
            live = '0;
            for (int w = 0; w < Slots; w++) live = live + QuotientBits'(living[w]);
        end
        always_ff @(posedge clk) begin
            if (!state_scoring) begin
                dividend <= QuotientBits'(state_hits) * live * QuotientBits'(CCWS_THROTTLE * CCWS_BASE);
                divisor <= state_instructions;
            end
        end
        assign ready = state_scoring && state_steps == '0;
        always_comb begin
            if (started && ready) begin
                assert (divisor == '0 ? &state_quotient
                        : state_remainder < divisor
                          && (2 * QuotientBits)'(state_quotient) * (2 * QuotientBits)'(divisor) + (2 * QuotientBits)'(state_remainder)
                             == (2 * QuotientBits)'(dividend));
            end
        end
    end

    // R10: What the divider has found becomes the score of its warp, not below the base and not above what the bits of a score
    // hold; it falls from that cycle on.
    if (RULE == 10) begin : g_r10
        logic [S-1:0] score;
        logic [QuotientBits-1:0] was_quotient;
        always_ff @(posedge clk) was_quotient <= state_quotient;
        assign score = 64'(was_quotient) >> S != '0 ? '1 : was_quotient[S-1:0];
        logic [Slots-1:0] wrong;
        always_comb begin
            for (int w = 0; w < Slots; w++) begin
                wrong[w] = own[w] && above[w*S+:S] != (32'(score) > CCWS_BASE ? score - S'(CCWS_BASE) - 1'b1 : '0);
            end
        end
        always_comb if (started && counts && !first) assert (wrong == '0);
    end

    // R11: Only who has lost locality since it began has a score above the base.
    if (RULE == 11) begin : g_r11
        logic [Slots-1:0] lost;
        for (genvar w = 0; w < Slots; w++) begin : g_warp
            always_ff @(posedge clk) lost[w] <= !rst && !start && !fresh[w] && (lost[w] || (hit && 32'(hit_warp) == w));
        end
        always_comb if (started) assert ((state_pending & ~lost) == '0);
    end

    // R12: Hits and instructions are counted, and both are halved when one of them does not fit.
    if (RULE == 12) begin : g_r12
        logic [CCWS_HIT_BITS:0] hits;
        logic [CCWS_ISSUE_BITS:0] instructions;
        logic [CCWS_HIT_BITS:0] more_hits;
        logic [CCWS_ISSUE_BITS:0] more_instructions;
        assign more_hits = hits + (CCWS_HIT_BITS + 1)'(hit && 32'(hit_warp) < Slots);
        assign more_instructions = instructions + (CCWS_ISSUE_BITS + 1)'(issued);
        always_ff @(posedge clk) begin
            if (rst || start) begin
                hits <= '0;
                instructions <= '0;
            end else if (more_hits[CCWS_HIT_BITS] || more_instructions[CCWS_ISSUE_BITS]) begin
                hits <= more_hits >> 1;
                instructions <= more_instructions >> 1;
            end else begin
                hits <= more_hits;
                instructions <= more_instructions;
            end
        end
        always_comb if (started) assert ({1'b0, state_hits} == hits && {1'b0, state_instructions} == instructions);
    end
endmodule

`default_nettype wire
