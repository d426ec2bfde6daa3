// SPDX-License-Identifier: Apache-2.0
// ccws_props: the rules of the lost-locality scores, restated from ports and registers. tests/formal/run.sh builds the proof of one
// rule (parameter RULE) around it.
//
// The clock is an input like any other. Rules about two times say so for a clock that has counted from one to the other; those of
// a pass are about the cycle in which it began, whose scores it adds, and hold whatever the clock does. What a pass has added is
// kept in ccws_pass.sv, for a warp a and a set of warps x, which may be any.
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
    input logic [23:0]                       pick,          // number of warp a, cycles after the beginning of a pass
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

    // A pass, as seen by warp a and the set x.
    logic [Slots-1:0] is_a, ahead, behind, x;
    logic a_counted, a_visited, a_pending, a_allowed, a_leads, all_ahead, in_time, apart, least;
    logic [S-1:0] a_key, later;
    logic [SumBits-1:0] cutoff, sum, of_x, up_to_a, sum_later, up_to_a_later;
    ccws_pass #(
        .SLOTS(Slots),
        .LOOKS(Looks),
        .BASE(CCWS_BASE),
        .S(S)
    ) pass (
        .clk(clk),
        .rst(rst),
        .pick_a(pick[7:0]),
        .pick_later(S'(pick[23:8])),
        .pick_x(living),
        .counted(state_counted),
        .pending(state_pending),
        .until(state_until),
        .since(state_since),
        .soonest(state_soonest),
        .summing(state_summing),
        .visited(state_visited),
        .is_a(is_a), .a_counted(a_counted),
        .a_visited(a_visited),
        .a_pending(a_pending),
        .a_key(a_key),
        .ahead(ahead),
        .behind(behind),
        .x(x),
        .later(later),
        .in_time(in_time),
        .least(least),
        .all_ahead(all_ahead),
        .apart(apart),
        .cutoff(cutoff),
        .sum(sum),
        .of_x(of_x),
        .up_to_a(up_to_a),
        .sum_later(sum_later),
        .up_to_a_later(up_to_a_later)
    );
    assign a_allowed = (is_a & allow_load) != '0;
    assign a_leads = a_counted && ahead == '0;

    // Lemmas about a pass that runs, each proved along with the rules that need it.
    logic starts_right, sums, in_order, leads_first;
    logic signed [TimeBits-1:0] room;
    assign room = state_room;
    // Only who is counted is visited, and the sum passes the cutoff by a visit.
    assign starts_right = (state_visited & ~state_counted) == '0 && (!state_over || state_visited != '0);
    // Until then the room is what the sum leaves of the cutoff, and it is not negative after more than one visit. After one it is
    // not so low that what it lacks for another score would wrap.
    assign sums = apart && cutoff <= SumBits'(CCWS_BASE * Slots)
                  && cutoff >= SumBits'($onehot0(state_counted) ? CCWS_BASE : 2 * CCWS_BASE)
                  && (state_over || ((SumBits + 1)'(cutoff) - (SumBits + 1)'(sum) == (SumBits + 1)'(room)
                                     && (state_visited != '0 || sum == '0) && ($onehot0(state_visited) || room >= 0)
                                     && (!$onehot(state_visited) || sum <= SumBits'(CCWS_BASE) + SumBits'({S{1'b1}}))));
    // Warp a is visited after all that come before it, and before all that come after it.
    assign in_order = a_visited ? (ahead & ~state_visited) == '0 : !a_counted || (behind & state_visited) == '0;
    // The first is visited first, and may load.
    assign leads_first = !a_leads || ((state_visited == '0 || a_visited) && (!state_over || a_allowed));

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
        logic lemma;
        assign lemma = !WITH || !state_summing || (starts_right && leads_first);
        always_comb if (started) assert (lemma && (!ended || !a_leads || a_allowed));
    end

    // R2: When a pass has ended, the scores of the living warps that may load sum up to no more than the cutoff, or it is one warp.
    if (RULE == 2) begin : g_r2
        logic [Slots-1:0] loads;
        logic is_x, fits, lemma;  // x are the living warps that may load
        assign loads = state_counted & allow_load;
        assign is_x = x == loads;
        assign fits = of_x <= cutoff || $onehot0(x);
        assign lemma = !WITH || !state_summing
            || (starts_right && sums && (state_over ? (loads & ~state_visited) == '0 && (!is_x || fits) : of_x <= sum));
        always_comb if (started) assert (lemma && (!ended || ((loads & ~state_visited) == '0 && (!is_x || fits))));
    end

    // R3: When a pass has ended, exactly those may load whom the rule lets with the scores of the cycle in which it began: the one
    // with the highest score, and those whose score and all that come before are together at most the cutoff.
    if (RULE == 3) begin : g_r3
        logic whole, fits, right, lemma;  // all that come before a have been added; more of them would not make it fit
        assign whole = ((is_a | ahead) & ~state_visited) == '0;
        assign fits = a_leads || (up_to_a <= cutoff && whole);
        assign right = is_a == '0 || (a_allowed == (!a_counted || fits) && (!a_counted || a_leads || whole || up_to_a > cutoff));
        assign lemma = !WITH || !state_summing
            || (starts_right && sums && in_order && leads_first
                && (state_over ? right : !a_counted || (a_visited ? fits : up_to_a == sum)));
        always_comb if (started) assert (lemma && (!ended || right));
    end

    // R4: When a pass has ended, the next one begins no later than the first score is back at the base, or at once.
    if (RULE == 4) begin : g_r4
        logic lemma;
        logic [TimeBits-1:0] lowest;
        assign lowest = state_soonest - state_since;  // of the scores that were visited
        assign lemma = !WITH || !state_summing
            || (starts_right && in_order && all_ahead && (state_pending & ~state_counted) == '0
                && (!a_visited || !a_pending || lowest <= {1'b0, a_key}));
        always_comb begin
            if (started) assert (lemma && (!ended || state_stale || (state_wake_valid && (!a_pending || {1'b0, a_key} >= goes_on))));
        end
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
    logic [CountBits:0] lasts;
    logic in_time_so_far;  // a lemma: it has visited as many as it could, or all
    if (RULE == 7 || RULE == 8) begin : g_lasts
        logic [CountBits-1:0] visits;
        always_ff @(posedge clk) lasts <= rst || start || !state_summing || fresh != '0 ? '0 : lasts + 1'b1;
        always_comb begin
            visits = '0;
            for (int w = 0; w < Slots; w++) visits = visits + CountBits'(state_visited[w]);
        end
        assign in_time_so_far = !state_summing || ((state_visited & ~state_counted) == '0
                                                   && ((state_counted & ~state_visited) == '0 || 32'(visits) >= 32'(lasts) * Looks));
    end else begin : g_no_lasts
        assign lasts = '0;
        assign in_time_so_far = 1'b1;
    end
    if (RULE == 7) begin : g_r7
        always_comb if (started) assert ((!WITH || in_time_so_far) && (!state_summing || 32'(lasts) <= Visits));
    end

    // R8: A warp that begins or ends is heard of in time: after the cycles of a pass and two more, if none other has begun or ended.
    if (RULE == 8) begin : g_r8
        logic [CountBits+1:0] same;
        logic heard, lemma;
        always_ff @(posedge clk) begin
            if (rst || start || living != was_living || fresh != '0) same <= '0;
            else if (32'(same) < Visits + 3) same <= same + 1'b1;
        end
        assign heard = state_counted == was_living;
        assign lemma = !WITH || (in_time_so_far && (!state_summing || 32'(lasts) <= Visits)
                                 && (heard || (state_summing ? 32'(same) < 32'(lasts) : 32'(same) <= Visits + 32'(!state_scoring))));
        always_comb if (started) assert (lemma && (32'(same) != Visits + 3 || heard));
    end

    // R9: The divider divides: when it is ready, its quotient and remainder are those of K_THROTTLE * hits * cutoff and the
    // instructions when it began; without an instruction all bits of the quotient are set. The product of quotient and divisor is
    // made bit by bit, from the quotient's highest bit on, as the divider finds them.
    if (RULE == 9) begin : g_r9
        localparam int unsigned ProductBits = QuotientBits + CCWS_ISSUE_BITS + 2;
        logic [QuotientBits-1:0] dividend, dividend_q, head, head_q, tail, tail_q, bits, bits_q;
        logic [CountBits-1:0] live;
        logic [CCWS_ISSUE_BITS-1:0] divisor;
        logic [ProductBits-1:0] product, product_q;
        logic steps_on, ready, divided, lemma;
        logic [$clog2(QuotientBits+1)-1:0] was_steps;
        always_comb begin
            live = '0;
            for (int w = 0; w < Slots; w++) live = live + CountBits'(living[w]);
            dividend = QuotientBits'(state_hits) * QuotientBits'(live) * QuotientBits'(CCWS_THROTTLE * CCWS_BASE);
            // A step: the next bit of the dividend comes to its head, a bit of the quotient is found.
            steps_on = was_scoring && was_steps != '0;
            {head, tail} = steps_on ? {head_q, tail_q} << 1 : {head_q, tail_q};
            bits = steps_on ? {bits_q[QuotientBits-2:0], state_quotient[0]} : bits_q;
            product = !steps_on ? product_q : (product_q << 1) + (state_quotient[0] ? ProductBits'(divisor) : '0);
        end
        always_ff @(posedge clk) begin
            was_steps <= state_steps;
            if (!state_scoring) begin
                dividend_q <= dividend;
                divisor <= state_instructions;
                {head_q, tail_q, bits_q, product_q} <= {{QuotientBits{1'b0}}, dividend, {QuotientBits + ProductBits{1'b0}}};
            end else {head_q, tail_q, bits_q, product_q} <= {head, tail, bits, product};
        end
        // The head of the dividend is divided.
        assign divided = state_remainder < divisor && product + ProductBits'(state_remainder) == ProductBits'(head);
        logic all_set;
        logic [QuotientBits-1:0] found;  // places of the bits found so far
        always_comb for (int k = 0; k < QuotientBits; k++) found[k] = 32'(state_steps) + k < QuotientBits;
        assign all_set = bits == found;
        assign ready = state_scoring && state_steps == '0;
        assign lemma = !WITH || !state_scoring
            || (32'(state_steps) <= QuotientBits && state_divisor == divisor && state_quotient == (tail | bits)
                && {head, tail} == {{QuotientBits{1'b0}}, dividend_q} << (QuotientBits - 32'(state_steps))
                && (divisor == '0 ? all_set : divided));
        always_comb begin
            if (started) begin
                assert (lemma && (!ready || (state_quotient == bits && head == dividend_q && (divisor == '0 ? &bits : divided))));
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

    // R13: When a pass has ended, those whom it lets load may load by the rule with the scores of any later cycle, too, up to the one
    // that is named for the next pass, that one excluded; no score is back at the base before it.
    if (RULE == 13) begin : g_r13
        // So far have scores fallen by then, if so many of the sum are above the base.
        logic [(Slots+1)*SumBits-1:0] fallen;
        always_comb begin
            fallen = '0;
            for (int n = 1; n <= Slots; n++) begin
                fallen[n*SumBits+:SumBits] = n == 1 ? SumBits'(later) : n % 2 == 0 ? fallen[(n/2)*SumBits+:SumBits] << 1
                                             : fallen[(n-1)*SumBits+:SumBits] + SumBits'(later);
            end
        end
        logic whole, fits, right, asked_of, lemma;
        logic [SumBits-1:0] fell;
        always_comb begin
            fell = '0;
            for (int n = 0; n <= Slots; n++) if (32'(state_raised) == n) fell = fell | fallen[n*SumBits+:SumBits];
        end
        assign whole = ((is_a | ahead) & ~state_visited) == '0;
        assign fits = a_leads || (up_to_a_later <= cutoff && whole);
        assign right = is_a == '0 || (a_allowed == (!a_counted || fits) && (!a_counted || a_leads || whole || up_to_a_later > cutoff));
        assign asked_of = state_wake_valid && {1'b0, later} < goes_on && !goes_on[S];
        assign lemma = !WITH || !state_summing
            || (starts_right && least && all_ahead && (state_pending & ~state_counted) == '0
                && (!in_time
                    || (sums && in_order && leads_first && 32'(state_raised) <= Slots && (state_visited != '0 || state_raised == '0)
                        && (state_over ? later >= state_excess || right
                            : sum == sum_later + fell && sum_later <= sum && fell <= sum
                              && (!a_counted || (a_visited ? fits : up_to_a_later == sum_later))))));
        always_comb if (started) assert (lemma && (!ended || !asked_of || (in_time && right)));
    end
endmodule

`default_nettype wire
