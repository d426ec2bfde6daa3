// SPDX-License-Identifier: Apache-2.0
// pcal_props: the rules of PCAL's search, restated from its ports and registers without looking at how the RTL does it.
// tests/formal/run.sh builds the proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines
// `// R<n>: ...`.
//
// Rules about times hold while the clock goes on by one in each cycle, and those about lengths and the search while the settings stay as
// they are: the machine never changes them. Those about scores hold while the counts stay as they are read.
`default_nettype none

module pcal_props #(
    parameter int unsigned NUM_SMS = 0,
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned PCAL_SAMPLE_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove a lemma along with the rule
    localparam int unsigned S = PCAL_SAMPLE_BITS,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned SmsBits = $clog2(NUM_SMS + 1),
    localparam int unsigned CountBits = S + $clog2(NUM_SCHEDULERS + 1),
    localparam int unsigned SumBits = CountBits + SmBits
) (
    input logic                         clk,
    input logic                         rst,
    input logic                         started,  // the first cycle, a reset, is over
    input logic [23:0]                  pick,     // any N
    input logic                         start,
    input logic [WarpBits-1:0]          warps,
    input logic [WarpBits-1:0]          start_n,
    input logic [S-1:0]                 warmup,
    input logic [S-1:0]                 sample,
    input logic [S-1:0]                 late,
    input logic [WarpBits-1:0]          stride,
    input logic [NUM_SMS*CountBits-1:0] issued,
    input logic [S-1:0]                 clock,
    input logic [WarpBits-1:0]          vital,
    input logic [NUM_SMS*WarpBits-1:0]  polluters,
    input logic                         count,
    input logic                         settled,
    input logic [2:0]                   state_state,
    input logic [2:0]                   state_point,
    input logic [WarpBits-1:0]          state_most,
    input logic [WarpBits-1:0]          state_n,
    input logic [NUM_SMS*WarpBits-1:0]  state_p,
    input logic [WarpBits-1:0]          state_centre,
    input logic [WarpBits-1:0]          state_best,
    input logic [SumBits-1:0]           state_top,
    input logic [SmsBits-1:0]           state_top_idle,
    input logic [WarpBits-1:0]          state_first,
    input logic [WarpBits-1:0]          state_value,
    input logic [SmBits-1:0]            state_lead,
    input logic [SmBits-1:0]            state_sm,
    input logic [SmsBits-1:0]           state_whole,
    input logic [SumBits-1:0]           state_sum,
    input logic [SmsBits-1:0]           state_idle,
    input logic [S-1:0]                 state_due
);
    localparam logic [2:0] Idle = 0, Deal = 1, Warm = 2, Sample = 3, Wait = 4, Read = 5, Decide = 6, Hold = 7;
    localparam logic [2:0] Spread = 0, Centre = 1, More = 2, Less = 3, Up = 4, Down = 5;

    // The cycle before this one.
    logic known, was_start;
    logic [2:0] was_state, was_point;
    logic [WarpBits-1:0] was_warps, was_start_n, was_vital;
    logic [NUM_SMS*WarpBits-1:0] was_polluters;
    logic [S-1:0] was_clock;
    always_ff @(posedge clk) begin
        known <= started && !rst;
        {was_start, was_state, was_point, was_warps, was_start_n} <= {start, state_state, state_point, warps, start_n};
        {was_vital, was_polluters, was_clock} <= {vital, polluters, clock};
    end

    // Settings as the reset found them: anything, but always the same. `kept`: so they are.
    logic [S-1:0] warm_length, sample_length, late_length;
    logic [WarpBits-1:0] step;
    logic kept_q, kept;
    assign kept = kept_q && warm_length == (warmup == '0 ? S'(1) : warmup) && sample_length == (sample == '0 ? S'(1) : sample)
                  && late_length == (late == '0 ? S'(1) : late) && step == stride;
    always_ff @(posedge clk) begin
        kept_q <= rst || !started || kept;
        if (rst || !started) begin
            warm_length <= warmup == '0 ? S'(1) : warmup;
            sample_length <= sample == '0 ? S'(1) : sample;
            late_length <= late == '0 ? S'(1) : late;
            step <= stride;
        end
    end

    // The p of each SM, and whether all have that of SM 0.
    logic [NUM_SMS-1:0] same_p, in_bounds, dealt;
    for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
        logic [WarpBits-1:0] p;
        assign p = polluters[i*WarpBits+:WarpBits];
        assign same_p[i] = p == polluters[WarpBits-1:0];
        assign in_bounds[i] = p >= 1 && p <= vital;
        assign dealt[i] = p == state_value || SmsBits'(i) >= SmsBits'(state_sm);
    end

    // R1: 1 <= p <= N <= W for every SM at all times, and W is at most the warps of a scheduler.
    if (RULE == 1) begin : g_r1
        logic spread, centre_deal, climb, sound;
        assign spread = state_point == Spread && state_state != Idle;
        assign centre_deal = state_point == Centre && state_state == Deal;
        assign climb = state_point != Spread && state_state != Idle && state_state != Deal;
        assign sound = state_n == vital && state_p == polluters && state_point <= Down && 32'(state_sm) < NUM_SMS
                       && (state_state != Idle || state_point == Spread)
                       && (state_state != Deal || state_point <= Centre) && (state_state != Hold || state_point != Spread)
                       && (!spread || (state_first >= 1 && state_first <= vital && state_value >= 1 && state_value <= vital
                                       && state_best >= 1 && state_best <= vital && state_centre == vital))
                       && (!centre_deal || (state_value >= 1 && state_value <= vital && state_value == state_first
                                            && state_best == state_value && state_centre == vital && &dealt))
                       && (!climb || (&same_p && state_best >= polluters[WarpBits-1:0] && state_best <= state_most
                                      && state_centre >= polluters[WarpBits-1:0] && state_centre <= state_most))
                       && (!(climb && state_point == Centre && state_state != Hold) || vital == state_centre);
        always_comb begin
            if (started) assert (&in_bounds && vital >= 1 && vital <= state_most && 32'(state_most) <= NUM_WARPS && (!WITH || sound));
        end
    end

    // R2: A kernel begins at once, whatever was under way: in the next cycle every SM is at (N_swl, N_swl), and its p is dealt.
    if (RULE == 2) begin : g_r2
        logic [WarpBits-1:0] w, n;
        assign w = was_warps == '0 ? WarpBits'(1) : 32'(was_warps) > NUM_WARPS ? WarpBits'(NUM_WARPS) : was_warps;
        assign n = was_start_n == '0 || was_start_n > w ? w : was_start_n;
        always_comb begin
            if (started && known && was_start) begin
                assert (state_state == Deal && state_point == Spread && state_most == w && vital == n && &same_p
                        && polluters[WarpBits-1:0] == n);
            end
        end
    end

    // R3: A sample has its full length, and so have the warm-up before it and the time until its counts are read.
    if (RULE == 3) begin : g_r3
        logic [S-1:0] age_q, age;  // cycles of this state before this one
        logic running_q, running;  // the clock has run since it began
        logic timed, ended, was_timed;
        logic [S-1:0] length, was_length;
        assign age = was_start || state_state != was_state ? '0 : S'(age_q + 1'b1);
        assign running = was_start || state_state != was_state ? clock == S'(was_clock + 1'b1) : running_q && clock == S'(was_clock + 1'b1);
        assign length = state_state == Warm ? warm_length : state_state == Sample ? sample_length : late_length;
        assign was_length = was_state == Warm ? warm_length : was_state == Sample ? sample_length : late_length;
        assign timed = state_state == Warm || state_state == Sample || state_state == Wait;
        assign was_timed = was_state == Warm || was_state == Sample || was_state == Wait;
        assign ended = was_timed && state_state != was_state && !was_start;
        always_ff @(posedge clk) begin
            age_q <= age;
            running_q <= !rst && started && running;
        end
        always_comb begin
            if (started && known && kept) begin
                assert ((!(ended && running_q && clock == S'(was_clock + 1'b1)) || S'(age_q + 1'b1) == was_length)
                        && (!(timed && running) || !WITH || (age < length && state_due == S'(clock + length - age - 1'b1))));
            end
        end
    end

    // R4: N and p stay as they are while SMs warm up, count, and are read: p moves out of DEAL alone, N out of DECIDE, unless a kernel
    // begins.
    if (RULE == 4) begin : g_r4
        always_comb begin
            if (started && known && !was_start) begin
                assert ((polluters == was_polluters || was_state == Deal) && (vital == was_vital || was_state == Decide));
            end
        end
    end

    // R5: The SMs count in SAMPLE alone: what is read has been counted in one sample.
    if (RULE == 5) begin : g_r5
        always_comb begin
            if (started) assert (count == (state_state == Sample));
        end
    end

    // R6: Once the search has ended nothing moves until a kernel begins.
    if (RULE == 6) begin : g_r6
        always_comb begin
            if (started && known && !was_start && (was_state == Hold || was_state == Idle)) begin
                assert (state_state == was_state && vital == was_vital && polluters == was_polluters);
            end
        end
    end

    // R7: The search ends: it takes no more samples than one for each NUM_SMS values of p, one of N_swl and of each neighbour, and one for each
    // N.
    if (RULE == 7) begin : g_r7
        localparam int unsigned Rounds = (NUM_WARPS + NUM_SMS - 1) / NUM_SMS;
        localparam int unsigned Most = Rounds + 3 + NUM_WARPS;
        localparam int unsigned TakenBits = $clog2(Most + 2);
        logic [TakenBits-1:0] taken_q, taken;  // samples that have begun
        logic begun, sound, kept_kernel_q, kept_kernel;
        logic fresh;  // the sample of this point is still to begin
        int unsigned around, far, limit;
        assign begun = known && !was_start && was_state == Warm && state_state == Sample;
        assign kept_kernel = was_start ? step == stride : kept_kernel_q && step == stride;
        assign taken = was_start ? '0 : &taken_q ? taken_q : taken_q + TakenBits'(begun);
        always_ff @(posedge clk) begin
            taken_q <= rst || !started ? '0 : taken;
            kept_kernel_q <= started && !rst && kept_kernel;
        end
        assign fresh = state_state == Deal || state_state == Warm;
        assign around = Rounds + (state_point == Centre ? 1 : state_point == More ? 2 : 3);
        assign limit = state_point == Spread ? Rounds : state_point <= Less ? around : Most;
        assign far = state_point == Up ? 32'(vital) - 32'(state_centre) : 32'(state_centre) - 32'(vital);
        assign sound = state_point == Spread ? 32'(state_first) > (32'(taken) - 32'(!fresh)) * NUM_SMS && (32'(taken) >= 32'(!fresh))
                                               && state_first <= vital && vital == state_centre && 32'(vital) <= NUM_WARPS
                       : state_point <= Less ? 32'(taken) + 32'(fresh) <= around
                       : 32'(taken) + 32'(fresh) <= around + far && step != '0
                         && (state_point == Up ? vital > state_centre : vital < state_centre);
        always_comb begin
            if (started && known && kept && kept_kernel && state_state != Idle) begin
                assert (32'(taken) <= limit && (!WITH || sound));
            end
        end
    end

    // An N that is any, but always the same.
    logic [WarpBits-1:0] any;
    logic steady_q, steady;  // the counts of this kernel's samples have stayed while they were read
    logic [NUM_SMS*CountBits-1:0] was_issued;
    assign steady = was_start || (steady_q && !(was_state == Read && state_state == Read && issued != was_issued)
                                  && !(was_state == Decide && state_state == Read && issued != was_issued)
                                  && !(was_state == Read && state_state == Decide && issued != was_issued));
    always_ff @(posedge clk) begin
        if (rst || !started) any <= WarpBits'(pick);
        was_issued <= issued;
        steady_q <= !rst && started && steady;
    end

    // R8: A p takes the place of the best only by a larger sum in which all its SMs had work; else the best and its sum stay; and the best is what
    // all SMs are given.
    if (RULE == 8) begin : g_r8
        logic [SumBits-1:0] was_sum, was_top;
        logic [SmsBits-1:0] was_idle;
        logic [WarpBits-1:0] was_value, was_best;
        logic decided, wins, given, giving;
        always_ff @(posedge clk) begin
            {was_sum, was_top, was_idle, was_value, was_best} <= {state_sum, state_top, state_idle, state_value, state_best};
        end
        assign decided = known && !was_start && was_point == Spread && was_state == Decide;
        assign wins = was_idle == '0 && was_sum > was_top;
        assign given = known && !was_start && was_point == Centre && was_state == Deal && state_state != Deal;
        assign giving = state_state != Deal || state_point != Centre || (&dealt && state_value == state_best && 32'(state_sm) < NUM_SMS);
        always_comb begin
            if (started) begin
                assert ((!decided || (state_top == (wins ? was_sum : was_top) && state_best == (wins ? was_value : was_best)))
                        && (!given || (&same_p && polluters[WarpBits-1:0] == state_best)) && (!WITH || giving));
            end
        end
    end

    // R9: The N at which the search ends is one that no other N measured with this p beats: of those in whose sample as many SMs had no work
    // as in that of N_swl.
    if (RULE == 9) begin : g_r9
        logic [SumBits-1:0] sum, peak_q, peak, any_q, any_d;
        logic [SmsBits-1:0] without, first_q, first;
        logic first_read, ends, tried_q, tried;
        assign first_read = known && was_state == Wait && state_state == Read && !was_start && state_point != Spread;
        always_comb begin
            {sum, without} = '0;
            for (int i = 0; i < NUM_SMS; i++) begin
                sum = sum + SumBits'(issued[i*CountBits+:CountBits]);
                without = without + SmsBits'(issued[i*CountBits+:CountBits] == '0);
            end
            {peak, any_d, first, tried} = was_start ? '0 : {peak_q, any_q, first_q, tried_q};
            if (first_read && state_point == Centre) {first, peak} = {without, sum};
            if (first_read && without == first) begin
                if (sum > peak) peak = sum;
                if (any == vital) {tried, any_d} = {1'b1, sum};
            end
        end
        always_ff @(posedge clk) {peak_q, any_q, first_q, tried_q} <= rst || !started ? '0 : {peak, any_d, first, tried};
        assign ends = known && was_state == Decide && state_state == Hold && !was_start;
        // What has been read of this sample; what the unit has found before it, and how the N that is measured lies to the best.
        logic [SumBits-1:0] part;
        logic [SmsBits-1:0] part_without;
        logic begun, measures, reads, left_out, before, after, apart, sound;
        always_comb begin
            {part, part_without} = '0;
            for (int i = 0; i < NUM_SMS; i++) begin
                if (state_state != Read || SmBits'(i) < state_sm) begin
                    part = part + SumBits'(issued[i*CountBits+:CountBits]);
                    part_without = part_without + SmsBits'(issued[i*CountBits+:CountBits] == '0);
                end
            end
        end
        assign begun = (state_state != Idle || state_point == Spread) && (state_state != Deal || state_point <= Centre)
                       && (state_point != Spread && state_state != Deal || vital == state_centre);
        assign measures = state_point != Spread && state_state != Idle && state_state != Deal && state_state != Hold;
        assign reads = state_state == Read || state_state == Decide;
        assign left_out = state_state == Decide && state_sum == '0 && (state_point == More || state_point == Less);
        assign before = first == state_top_idle && peak == state_top && (any != state_best || (tried && any_d == state_top));
        assign after = state_sum == part && state_idle == part_without && (any != vital || without != first || (tried && any_d == sum))
                       && (state_point == Centre ? first == without && peak == sum
                           : first == state_top_idle && peak == (without == first && sum > state_top ? sum : state_top)
                             && (any != state_best || (tried && any_d == state_top)));
        assign apart = state_point == Centre ? vital == state_centre
                       : state_point == More ? left_out || {1'b0, vital} == {1'b0, state_centre} + {1'b0, step}
                       : state_point == Less ? left_out || {1'b0, vital} + {1'b0, step} == {1'b0, state_centre}
                       : state_point == Up ? {1'b0, vital} == {1'b0, state_best} + {1'b0, step}
                       : {1'b0, vital} + {1'b0, step} == {1'b0, state_best};
        assign sound = step != '0 && apart && 32'(state_sm) < NUM_SMS && state_point <= Down
                       && (state_point != More || state_best == state_centre)
                       && (state_point != Less || state_best == state_centre || {1'b0, state_best} == {1'b0, state_centre} + {1'b0, step})
                       && (left_out ? before : reads ? after : state_point == Centre || before);
        always_comb begin
            if (started && kept && steady) begin
                assert ((!(ends && vital == any) || (tried && any_d == peak)) && (!WITH || (known ? begun && (!measures || sound) : state_state == Idle)));
            end
        end
    end
endmodule

`default_nettype wire
