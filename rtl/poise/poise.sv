// SPDX-License-Identifier: Apache-2.0
// poise: Poise's inference engine of one SM (Poise VI). In each epoch it samples the SM at (W, W) and (1, 1), predicts how many warps
// should issue and how many pollute L1D, and searches around the prediction. The state machine is fsm/poise.def; the order of what
// happens in one cycle stands in cmodel/poise/poise.h.
//
// All multiplications and divisions share the registers high and low and one adder, and take 34 cycles each.
`default_nettype none

module poise #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,          // of one scheduler, at most 64
    parameter int unsigned POISE_TIME_BITS = 0,    // of an epoch's cycles
    parameter int unsigned POISE_SAMPLE_BITS = 0,  // of a sample's cycles
    parameter int unsigned POISE_MISS_BITS = 0,    // of the number of misses that wait
    localparam int unsigned T = POISE_TIME_BITS,
    localparam int unsigned S = POISE_SAMPLE_BITS,
    localparam int unsigned M = POISE_MISS_BITS,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned IssueBits = $clog2(NUM_SCHEDULERS + 1)
) (
    input  logic                 clk,
    input  logic                 rst,       // synchronous
    // from the block dispatcher
    input  logic                 start,     // a kernel begins, and with it an epoch; nothing else of the cycle counts
    input  logic [WarpBits-1:0]  warps,     // most warps of the kernel that a scheduler holds; read at start, 0 counts as 1
    // from the schedulers
    input  logic [IssueBits-1:0] issued,    // instructions issued in this cycle
    input  logic [IssueBits-1:0] loads,     // of those, loads of global memory
    // from L1D
    input  logic                 access,    // a load accesses a line
    input  logic                 hit,       // and finds it
    input  logic                 own,       // which its own warp has brought
    input  logic                 miss,      // a load begins to wait for a line that L1D does not have
    input  logic [M-1:0]         fill,      // how many of those have their line now
    input  logic [T-1:0]         clock,       // cycles of the machine, modulo 2^T
    // from software; of the four lengths 0 counts as 1
    input  logic [T-1:0]         period,    // cycles of an epoch
    input  logic [S-1:0]         warmup,    // cycles at a pair before it is measured
    input  logic [S-1:0]         feature,   // cycles of a sample of features
    input  logic [S-1:0]         search,    // cycles of a sample of the local search
    input  logic [7:0]           cutoff,    // with more instructions between loads than this, the kernel stays at (W, W)
    input  logic [WarpBits-1:0]  stride_n,  // first stride of the search for N; 0: N is not searched
    input  logic [WarpBits-1:0]  stride_p,  // first stride of the search for p; 0: p is not searched
    input  logic [16*25-1:0]     weight,    // alpha_1 to alpha_8, then beta_1 to beta_8; two's complement, 20 bits behind the point
    // from who knows a pair; read when an epoch begins
    input  logic                 given,     // a pair is given, as if it had been predicted: no features are sampled
    input  logic [WarpBits-1:0]  given_n,   // its N; 0 counts as 1, more than W as W
    input  logic [WarpBits-1:0]  given_p,   // its p; 0 counts as 1, more than N as N
    // to the schedulers
    output logic [WarpBits-1:0]  n,         // warps of each that may issue
    output logic [WarpBits-1:0]  p,         // of those, that may pollute L1D
    // to who leaves out cycles
    output logic                 settled    // without what happens in this cycle no register moves
);
    localparam int unsigned WaitBits = M + S;
    localparam int unsigned CountBits = S + IssueBits;

    if (NUM_WARPS > 64 || S > 16 || S > T || WaitBits > 28 || CountBits > 24) begin : g_check
        $error("a sample is too long, or too much is counted in it");
    end

    localparam logic [5:0] LastTick = 6'd33;
    localparam logic [S-1:0] SampleOne = S'(1);

    typedef enum logic [2:0] {
        IDLE,
        WARM,
        SAMPLE,
        DERIVE,
        PREDICT,
        DECIDE,
        HOLD
    } poise_fsm;

    localparam logic [2:0] Base = 3'd0, Lone = 3'd1, Centre = 3'd2, Less = 3'd3, More = 3'd4, Round = 3'd5;
    localparam logic [1:0] None = 2'd0, Lower = 2'd1, Higher = 2'd2;
    // The steps of DERIVE, and those of a link function that matter here (poise_link).
    localparam logic [3:0] Waits = 4'd0, Latency = 4'd1, Hits = 4'd2, Owns = 4'd3, Gap = 4'd4;
    localparam logic [3:0] HitBase = 4'd0, Power = 4'd12, Pair = 4'd15;

    poise_fsm state_q, state_d;
    logic [2:0] point_q, point_d;
    logic axis_q, axis_d;
    logic [WarpBits-1:0] most_q, most_d, n_q, n_d, p_q, p_d, centre_n_q, centre_n_d, centre_p_q, centre_p_d, stride_q, stride_d;
    logic [1:0] side_q, side_d, left_q, left_d;
    logic [CountBits-1:0] top_q, top_d;
    logic [T-1:0] due_q, due_d, ends_q, ends_d;
    logic [S-1:0] accesses_q, hits_q, owns_q;
    logic [CountBits-1:0] instructions_q, globals_q;
    logic [WaitBits-1:0] waited_q;
    logic [M-1:0] waiting_q;
    logic [16:0] hit_base_q, own_base_q, hit_lone_q, own_lone_q;
    logic [15:0] gap_q, latency_base_q, latency_lone_q;
    logic [3:0] step_q;
    logic [5:0] tick_q;
    logic [24:0] high_q;
    logic [31:0] low_q;
    logic [36:0] sum_q;
    assign n = n_q;
    assign p = p_q;
    assign settled = state_q == IDLE || ((state_q == WARM || state_q == SAMPLE || state_q == HOLD) && clock != due_q);

    // Time: the epoch's end comes before what else is due.
    logic [S-1:0] feature_length;
    logic epoch_ends, timed_out, features;  // features: the sample is one of features
    assign epoch_ends = state_q != IDLE && timed_out && due_q == ends_q;
    assign feature_length = feature == '0 ? SampleOne : feature;
    assign timed_out = clock == due_q;
    assign features = point_q == Base || point_q == Lone;

    // Misses that wait, and their cycles in the sample: what waited when it began, for all of it, and each change for what is left of
    // it.
    logic [M+1:0] waiting_sum;
    logic [M-1:0] waiting_d;
    logic [T-1:0] ahead;
    logic [WaitBits-1:0] change;
    assign waiting_sum = {2'b00, waiting_q} + {{(M + 1) {1'b0}}, miss} - {2'b00, fill};
    always_comb begin
        if (waiting_sum[M+1]) waiting_d = '0;
        else if (waiting_sum[M]) waiting_d = '1;
        else waiting_d = waiting_sum[M-1:0];
    end
    assign ahead = due_q - clock + 1'b1;
    assign change = WaitBits'(waiting_d) - WaitBits'(waiting_q);

    // The shift register of products (to the right) and quotients (to the left).
    logic multiplies, last_tick;
    logic signed [24:0] factor;
    logic [24:0] divisor, high_d, rest;
    logic [31:0] low_d;
    logic signed [25:0] partial;
    logic fits;
    assign last_tick = tick_q == LastTick;
    assign partial = {high_q[24], high_q} + (low_q[0] ? {factor[24], factor} : 26'd0);
    assign rest = {high_q[23:0], low_q[31]};
    assign fits = rest >= divisor;
    assign high_d = multiplies ? partial[25:1] : fits ? rest - divisor : rest;
    assign low_d = multiplies ? {partial[0], low_q[31:1]} : {low_q[30:0], fits};

    // What it works on: counters, or what the link functions say.
    logic [31:0] operand, link_operand;  // the first factor, or the dividend
    logic signed [24:0] link_factor;
    logic [24:0] link_divisor;
    logic link_multiplies, adds;  // adds: the step's product belongs to the sum
    logic [4:0] exponent;         // of the prediction, as a power of two
    assign exponent = sum_q[20:16];
    poise_link link (
        .axis(axis_q),
        .step(step_q),
        .high(high_q[15:0]),
        .low(low_q),
        .sum(sum_q),
        .most(7'(most_q)),
        .hit_base(hit_base_q),
        .own_base(own_base_q),
        .gap(gap_q),
        .latency_base(latency_base_q),
        .hit_lone(hit_lone_q),
        .own_lone(own_lone_q),
        .latency_lone(latency_lone_q),
        .weight(weight),
        .operand(link_operand),
        .multiplies(link_multiplies),
        .factor(link_factor),
        .divisor(link_divisor),
        .adds(adds)
    );
    always_comb begin
        operand = link_operand;
        multiplies = link_multiplies;
        factor = link_factor;
        divisor = link_divisor;
        if (state_q == DERIVE) begin
            multiplies = step_q == Waits;
            factor = 25'(feature_length);
            divisor = step_q == Gap ? 25'(globals_q) : 25'(accesses_q);
            unique case (step_q)
                Waits: operand = low_q;
                Latency: operand = 32'({waited_q + low_q[WaitBits-1:0], 4'b0000});
                Hits: operand = 32'({hits_q, 16'd0});
                Owns: operand = 32'({owns_q, 16'd0});
                default: operand = 32'({instructions_q, 8'd0});
            endcase
        end
    end

    // What the last tick of a step finds.
    logic [31:0] per_access;
    logic [15:0] per_access_16, per_load;
    logic [14:0] rounded;
    logic [WarpBits-1:0] found_most, found;  // the bound of what was found, and it
    assign per_access = accesses_q == '0 ? 32'd0 : low_q;
    assign per_access_16 = |per_access[31:16] ? '1 : per_access[15:0];
    assign per_load = |low_q[31:16] ? '1 : low_q[15:0];
    assign rounded = 15'(low_q[31:18]) + 15'(low_q[17]);
    assign found_most = axis_q ? centre_n_q : most_q;
    always_comb begin
        if (exponent < 5'd10) found = WarpBits'(1);
        else if (exponent > 5'd18 || rounded > 15'(found_most)) found = found_most;
        else if (rounded == '0) found = WarpBits'(1);
        else found = WarpBits'(rounded);
    end

    // The neighbours of the centre, and which of them there are.
    logic [WarpBits-1:0] centre, floor, roof, less_of, more_of;  // on the axis; least and most that it may become
    logic has_less, has_more;
    assign centre = axis_q ? centre_p_q : centre_n_q;
    assign floor = axis_q ? WarpBits'(1) : centre_p_q;
    assign roof = axis_q ? centre_n_q : most_q;
    assign less_of = centre - stride_q;
    assign more_of = centre + stride_q;
    assign has_less = {1'b0, centre} >= {1'b0, floor} + {1'b0, stride_q} && left_q != Lower;
    assign has_more = {1'b0, centre} + {1'b0, stride_q} <= {1'b0, roof} && left_q != Higher;

    // The state machine. Whoever says `warms` or `samples` begins a window, `holds` the rest of the epoch.
    logic warms, samples, holds, computes, begins, searches, derived;
    logic [WarpBits-1:0] first_n, first_p;  // the pair given, within its bounds
    logic better, visits_less, visits_more;  // the sample is the best so far; a neighbour's turn
    logic [S-1:0] asked, length;
    logic [T-1:0] remaining;
    assign derived = last_tick && step_q == (point_q == Lone ? Owns : Gap);
    assign better = (point_q == Less || point_q == More) && instructions_q > top_q;
    assign visits_less = state_q == DECIDE && (point_q == Centre || point_q == Round);
    assign visits_more = state_q == DECIDE && point_q == Less;
    assign begins = start || epoch_ends;
    always_comb begin
        most_d = most_q;
        if (start) most_d = warps == '0 ? WarpBits'(1) : 32'(warps) > NUM_WARPS ? WarpBits'(NUM_WARPS) : warps;
    end
    assign first_n = given_n == '0 ? WarpBits'(1) : given_n > most_d ? most_d : given_n;
    assign first_p = given_p == '0 ? WarpBits'(1) : given_p > first_n ? first_n : given_p;
    always_comb begin
        {state_d, point_d, axis_d, n_d, p_d} = {state_q, point_q, axis_q, n_q, p_q};
        {centre_n_d, centre_p_d, stride_d, side_d, left_d, top_d} = {centre_n_q, centre_p_q, stride_q, side_q, left_q, top_q};
        {warms, samples, holds, computes, searches} = '0;
        unique case (state_q)
            WARM: samples = timed_out;
            SAMPLE: begin
                computes = timed_out;
                if (timed_out) state_d = features ? DERIVE : DECIDE;
            end
            DERIVE: begin
                if (derived && point_q == Lone) begin
                    computes = 1'b1;
                    state_d = PREDICT;
                    axis_d = 1'b0;
                end else if (derived && per_load > {cutoff, 8'd0}) begin
                    holds = 1'b1;
                    {n_d, p_d} = {most_q, most_q};
                end else if (derived) begin
                    warms = 1'b1;
                    point_d = Lone;
                    {n_d, p_d} = {WarpBits'(1), WarpBits'(1)};
                end
            end
            PREDICT: begin
                if (last_tick && step_q == Pair) begin
                    axis_d = 1'b1;
                    searches = axis_q;
                    if (axis_q) centre_p_d = found;
                    else centre_n_d = found;
                end
            end
            DECIDE: begin
                if (better) begin
                    top_d = instructions_q;
                    side_d = point_q == Less ? Lower : Higher;
                end
                if (visits_less) begin
                    if (point_q == Centre) top_d = instructions_q;
                    side_d = None;
                    point_d = Less;
                    warms = has_less;
                    if (has_less) {n_d, p_d} = axis_q ? {centre_n_q, less_of} : {less_of, centre_p_q};
                end else if (visits_more) begin
                    point_d = More;
                    warms = has_more;
                    if (has_more) {n_d, p_d} = axis_q ? {centre_n_q, more_of} : {more_of, centre_p_q};
                end else begin
                    point_d = Round;
                    if (side_d == None) begin
                        stride_d = stride_q >> 1;
                        left_d = None;
                        if (stride_d == '0 && !axis_q) {axis_d, stride_d} = {1'b1, stride_p};
                        if (stride_d == '0) begin
                            holds = 1'b1;
                            {n_d, p_d} = {centre_n_q, centre_p_q};
                        end
                    end else begin
                        left_d = side_d == Lower ? Higher : Lower;
                        if (axis_q) centre_p_d = side_d == Lower ? less_of : more_of;
                        else centre_n_d = side_d == Lower ? less_of : more_of;
                    end
                end
            end
            default: ;
        endcase
        if (begins) begin
            {samples, holds, computes, warms} = 4'b0001;
            point_d = Base;
            {n_d, p_d} = {2{most_d}};
            searches = given;
            if (given) {centre_n_d, centre_p_d} = {first_n, first_p};
        end
        if (searches) begin  // around a pair that is measured first
            axis_d = stride_n == '0;
            stride_d = axis_d ? stride_p : stride_n;
            left_d = None;
            point_d = Centre;
            {n_d, p_d} = {centre_n_d, centre_p_d};
            {warms, holds} = {stride_d != '0, stride_d == '0};
        end
        if (warms) state_d = WARM;
        else if (samples) state_d = SAMPLE;
        else if (holds) state_d = HOLD;
    end
    always_comb begin
        ends_d = begins ? clock + (period == '0 ? T'(1) : period) : ends_q;
        remaining = ends_d - clock;
        asked = warms ? warmup : features ? feature : search;
        length = asked == '0 ? SampleOne : asked;
        due_d = due_q;
        if (warms || samples) due_d = T'(length) < remaining ? clock + T'(length) : ends_d;
        else if (holds || computes) due_d = ends_d;
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            state_q <= IDLE;
            {point_q, axis_q, side_q, left_q, top_q, stride_q, due_q, ends_q} <= '0;
            most_q <= WarpBits'(NUM_WARPS);
            n_q <= WarpBits'(NUM_WARPS);
            p_q <= WarpBits'(NUM_WARPS);
            centre_n_q <= WarpBits'(NUM_WARPS);
            centre_p_q <= WarpBits'(NUM_WARPS);
            waiting_q <= '0;
        end else begin
            {state_q, point_q, n_q, p_q, most_q, due_q, ends_q} <= {state_d, point_d, n_d, p_d, most_d, due_d, ends_d};
            if (!begins) {side_q, top_q} <= {side_d, top_d};
            if (!begins || given) {axis_q, left_q, stride_q, centre_n_q, centre_p_q} <= {axis_d, left_d, stride_d, centre_n_d, centre_p_d};
            waiting_q <= start ? '0 : waiting_d;
        end
    end

    // The counters.
    always_ff @(posedge clk) begin
        if (rst) {accesses_q, hits_q, owns_q, instructions_q, globals_q, waited_q} <= '0;
        else if (samples) {accesses_q, hits_q, owns_q, instructions_q, globals_q, waited_q} <= '0;
        else if (state_q == SAMPLE && !start) begin
            accesses_q <= accesses_q + S'(access);
            hits_q <= hits_q + S'(access && hit);
            owns_q <= owns_q + S'(access && hit && own);
            instructions_q <= instructions_q + CountBits'(issued);
            globals_q <= globals_q + CountBits'(loads);
            waited_q <= waited_q + change * WaitBits'(ahead);
        end else if ((visits_less || visits_more) && !begins) begin
            instructions_q <= '0;
        end
    end

    // The arithmetic.
    logic works;
    assign works = (state_q == DERIVE || state_q == PREDICT) && !begins;
    always_ff @(posedge clk) begin
        if (rst) begin
            {step_q, tick_q, high_q, low_q, sum_q} <= '0;
            {hit_base_q, own_base_q, gap_q, latency_base_q, hit_lone_q, own_lone_q, latency_lone_q} <= '0;
        end else begin
            if (computes && features) {step_q, tick_q} <= '0;
            if (samples) {high_q, low_q} <= {25'd0, 32'(waiting_d)};
            if (works && tick_q == '0) begin
                {high_q, low_q} <= {25'd0, operand};
                if (state_q == PREDICT && step_q == HitBase) sum_q <= 37'($signed(weight[{axis_q, 3'd7}*25+:25]));
            end
            if (works && tick_q != '0 && !last_tick) {high_q, low_q} <= {high_d, low_d};
            if (works) tick_q <= last_tick ? '0 : tick_q + 1'b1;
            if (works && last_tick) begin
                step_q <= derived && state_q == DERIVE ? '0 : step_q + 1'b1;
                if (state_q == PREDICT && adds) sum_q <= sum_q + {high_q[20:0], low_q[31:16]};
                if (state_q == PREDICT && step_q == Power) sum_q <= 37'({high_q[12:0], low_q[31:24]});
                if (state_q == DERIVE && point_q == Lone) begin
                    if (step_q == Latency) latency_lone_q <= per_access_16;
                    if (step_q == Hits) hit_lone_q <= per_access[16:0];
                    if (step_q == Owns) own_lone_q <= per_access[16:0];
                end else if (state_q == DERIVE) begin
                    if (step_q == Latency) latency_base_q <= per_access_16;
                    if (step_q == Hits) hit_base_q <= per_access[16:0];
                    if (step_q == Owns) own_base_q <= per_access[16:0];
                    if (step_q == Gap) gap_q <= per_load;
                end
            end
        end
    end
endmodule

`default_nettype wire
