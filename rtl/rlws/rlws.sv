// SPDX-License-Identifier: Apache-2.0
// rlws: the learner of RLWS, one per SM, whose schedulers share its weights (RLWS IV). Q(s, a) is the sum of the weights of action a, each
// shifted by the value of its variable; what an action has brought moves the weights of the action before by SARSA. The order of what happens in one
// cycle stands in cmodel/rlws/rlws.h.
//
// Features are powers of two: but for the two rates, by which each scheduler has a product taken, there are shifters in place of multipliers. What is
// preferred is worked out for the state of a cycle's end and kept for the next cycle, so that no sum is on the way to the warp that is issued.
`default_nettype none

module rlws #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned RLWS_WEIGHT_BITS = 0,  // of a weight, of Q and of a reward; 12 fewer are behind the point
    parameter bit SHIFTS = 1'b0,  // 1: rates are powers of two, 2^-alpha and 1 - 2^-gamma, and alpha decays by halves
    localparam int unsigned S = NUM_SCHEDULERS,
    localparam int unsigned W = RLWS_WEIGHT_BITS
) (
    input  logic               clk,
    input  logic               rst,       // synchronous
    // from the block dispatcher
    input  logic               start,     // a kernel begins; nothing else of the cycle counts
    input  logic               waiting,   // blocks wait to be handed out: the rates decay
    // from software
    input  logic               keep,      // with start: the weights stay
    input  logic [W-1:0]       optimism,  // with start: what all weights begin with
    input  logic [31:0]        seed,      // with start: of what is drawn
    input  logic [7:0]         used,      // variables that there are
    input  logic [W-1:0]       reward,    // of a cycle in which an instruction is issued
    input  logic [W-1:0]       penalty,   // of one in which none is
    input  logic [15:0]        alpha,     // rates that a kernel begins with, in fractions of 2^16
    input  logic [15:0]        epsilon,
    input  logic [15:0]        gamma,
    input  logic [13:0]        decay,     // cycles after which both lose an eighth while blocks wait; 0: they do not
    input  logic [3:0]         interval,  // cycles from one decision to the next, less one
    // from the schedulers
    input  logic [S*8*3-1:0]   value,     // of their variables, at the end of this cycle
    input  logic [S-1:0]       acts,      // which have taken an action
    input  logic [S*3-1:0]     action,
    input  logic [S-1:0]       issued,    // and issued an instruction by it
    // to them
    output logic [S*10-1:0]    beats,     // pair (i, j), i < j, row after row: action i is preferred to j
    output logic [S-1:0]       explore,   // the next action is drawn
    output logic [S*32-1:0]    lfsr,      // by bits 0 to 7
    // to who looks on
    output logic [S*(W+2)-1:0] change     // by which the weights of the last action move
);
    localparam int unsigned Variables = 8, Actions = 5, Pairs = 10, Draws = 24;
    localparam logic [1:0] None = 2'd0, Now = 2'd1, Pair = 2'd2;

    if (W < 13) begin : g_check
        $error("11 bits and a sign stand before the point");
    end

    logic [Variables*Actions*W-1:0] theta_q, theta_d;
    logic [15:0] rate_q, explores_q;
    logic [13:0] elapsed_q;
    logic [3:0] phase_q;
    logic [S*2-1:0] known_q;
    logic [S*Variables*3-1:0] now_q, last_q;
    logic [S*Pairs-1:0] beats_q;
    logic [S-1:0] explore_q;
    logic [S*W-1:0] gained_q;
    logic [S*32-1:0] lfsr_q;
    logic [S*3-1:0] last_action_q;
    assign beats = beats_q;
    assign explore = explore_q;
    assign lfsr = lfsr_q;

    logic first, last;  // cycle of an interval
    assign first = phase_q == 4'd0;
    assign last = phase_q >= interval;

    logic [S-1:0] acted, learns;
    for (genvar k = 0; k < S; k++) begin : g_scheduler
        logic [2:0] taken;
        logic [1:0] known;
        logic [Variables*3-1:0] state;
        assign taken = action[k*3+:3];
        assign known = known_q[k*2+:2];
        assign state = value[k*Variables*3+:Variables*3];
        assign acted[k] = acts[k] && taken < 3'd5 && !start;

        // The temporal difference, times alpha: Q of the action of this cycle and of the one before, by the weights as they are.
        logic [Variables*W-1:0] weights, last_weights;  // of these actions
        logic [W-1:0] q, q_before, discounted;
        logic [W-1:0] scaled;
        logic [W+1:0] difference, moved;
        always_comb begin
            weights = '0;
            last_weights = '0;
            for (int i = 0; i < Variables; i++) begin
                for (int a = 0; a < Actions; a++) begin
                    if (taken == 3'(a)) weights[i*W+:W] = theta_q[(i*Actions+a)*W+:W];
                    if (last_action_q[k*3+:3] == 3'(a)) last_weights[i*W+:W] = theta_q[(i*Actions+a)*W+:W];
                end
            end
        end
        rlws_sum #(.RLWS_WEIGHT_BITS(W)) sum_now (.weight(weights), .value(now_q[k*Variables*3+:Variables*3]), .used, .q(q));
        rlws_sum #(.RLWS_WEIGHT_BITS(W)) sum_last (.weight(last_weights), .value(last_q[k*Variables*3+:Variables*3]), .used, .q(q_before));
        assign learns[k] = acted[k] && first && known == Pair;
        rlws_scaled #(.RLWS_WEIGHT_BITS(W), .SHIFTS(SHIFTS)) by_gamma (.number(q), .rate(gamma), .product(scaled));
        assign discounted = SHIFTS ? q - scaled : scaled;
        assign difference = {{2{gained_q[k*W+W-1]}}, gained_q[k*W+:W]} + {{2{discounted[W-1]}}, discounted} - {{2{q_before[W-1]}}, q_before};
        rlws_scaled #(.RLWS_WEIGHT_BITS(W + 2), .SHIFTS(SHIFTS)) by_alpha (.number(difference), .rate(rate_q), .product(moved));
        assign change[k*(W+2)+:W+2] = learns[k] ? moved : '0;

        // The order of actions in the state that this cycle ends in.
        logic [Actions*W-1:0] q_of;
        logic [Pairs-1:0] beats_d;
        for (genvar a = 0; a < Actions; a++) begin : g_action
            logic [Variables*W-1:0] weight;
            for (genvar i = 0; i < Variables; i++) begin : g_weight
                assign weight[i*W+:W] = theta_q[(i*Actions+a)*W+:W];
            end
            rlws_sum #(.RLWS_WEIGHT_BITS(W)) of_action (.weight, .value(state), .used, .q(q_of[a*W+:W]));
            for (genvar b = a + 1; b < Actions; b++) begin : g_beats
                assign beats_d[a*(2*Actions-1-a)/2+b-a-1] = $signed(q_of[a*W+:W]) >= $signed(q_of[b*W+:W]);
            end
        end

        // x^32 + x^22 + x^2 + x + 1, 24 steps at once.
        logic [31:0] lfsr_d;
        always_comb begin
            lfsr_d = lfsr_q[k*32+:32];
            for (int n = 0; n < Draws; n++) lfsr_d = {lfsr_d[30:0], lfsr_d[31] ^ lfsr_d[21] ^ lfsr_d[1] ^ lfsr_d[0]};
        end

        // What the last action brings, cycle by cycle.
        logic taken_over;  // the action of this cycle becomes the last one
        logic [W-1:0] brought;
        logic [W:0] gained_d;
        assign taken_over = first && known != None;
        assign brought = issued[k] ? reward : penalty;
        assign gained_d = {brought[W-1], brought} + (first ? '0 : {gained_q[k*W+W-1], gained_q[k*W+:W]});

        localparam logic [31:0] Apart = 32'h9e3779b9 * 32'(k);  // each register begins elsewhere
        logic [31:0] sown;
        assign sown = (rst ? '0 : seed) ^ Apart;
        always_ff @(posedge clk) begin
            if (rst || start) begin
                known_q[k*2+:2] <= None;
                beats_q[k*Pairs+:Pairs] <= {Pairs{1'b1}};
                explore_q[k] <= 1'b0;
                lfsr_q[k*32+:32] <= sown == '0 ? 32'd1 : sown;
            end else if (acted[k]) begin
                known_q[k*2+:2] <= taken_over ? Pair : last && known == None ? Now : known;
                if (last) begin
                    beats_q[k*Pairs+:Pairs] <= beats_d;
                    explore_q[k] <= lfsr_d[31:16] < explores_q;
                    lfsr_q[k*32+:32] <= lfsr_d;
                end
            end
            if (rst) begin
                now_q[k*Variables*3+:Variables*3] <= '0;
                last_q[k*Variables*3+:Variables*3] <= '0;
                last_action_q[k*3+:3] <= '0;
                gained_q[k*W+:W] <= '0;
            end else if (acted[k]) begin
                if (last) now_q[k*Variables*3+:Variables*3] <= state;
                if (taken_over) begin
                    last_q[k*Variables*3+:Variables*3] <= now_q[k*Variables*3+:Variables*3];
                    last_action_q[k*3+:3] <= taken;
                end
                if (taken_over || known == Pair)
                    gained_q[k*W+:W] <= gained_d[W] == gained_d[W-1] ? gained_d[W-1:0] : {gained_d[W], {W - 1{!gained_d[W]}}};
            end
        end
    end

    // The weights of each scheduler's last action move, one scheduler after the other: where two move the same weight, both do.
    for (genvar i = 0; i < Variables; i++) begin : g_variable
        logic [Actions*W-1:0] row;  // the weights of the variable
        logic [W-1:0] weight;
        logic signed [W+2:0] shifted;  // the lowest bit: half or more of what is shifted out
        logic [W+2:0] sum;
        always_comb begin
            row = theta_q[i*Actions*W+:Actions*W];
            weight = '0;
            shifted = '0;
            sum = '0;
            for (int k = 0; k < S; k++) begin
                for (int a = 0; a < Actions; a++) if (last_action_q[k*3+:3] == 3'(a)) weight = row[a*W+:W];
                shifted = $signed({change[k*(W+2)+:W+2], 1'b0}) >>> last_q[(k*Variables+i)*3+:3];
                sum = {{3{weight[W-1]}}, weight} + {shifted[W+2], shifted[W+2:1]} + {{W + 2{1'b0}}, shifted[0]};
                for (int a = 0; a < Actions; a++) begin
                    if (learns[k] && used[i] && last_action_q[k*3+:3] == 3'(a)) begin
                        row[a*W+:W] = sum[W+2:W-1] == {4{sum[W+2]}} ? sum[W-1:0] : {sum[W+2], {W - 1{!sum[W+2]}}};
                    end
                end
            end
        end
        assign theta_d[i*Actions*W+:Actions*W] = row;
    end

    logic over;  // of the cycles until the rates decay
    logic [15:0] slower;
    assign slower = !SHIFTS ? rate_q - (rate_q >> 3) : rate_q == 16'd15 ? rate_q : rate_q + 16'd1;
    assign over = decay != '0 && elapsed_q >= decay - 14'd1;
    always_ff @(posedge clk) begin
        if (rst) begin
            theta_q <= '0;
            rate_q <= '0;
            explores_q <= '0;
            elapsed_q <= '0;
            phase_q <= '0;
        end else if (start) begin
            if (!keep) theta_q <= {Variables * Actions{optimism}};
            rate_q <= alpha;
            explores_q <= epsilon;
            elapsed_q <= '0;
            phase_q <= '0;
        end else if (acted != '0) begin
            theta_q <= theta_d;
            rate_q <= !waiting ? alpha : over ? slower : rate_q;
            explores_q <= !waiting ? epsilon : over ? explores_q - (explores_q >> 3) : explores_q;
            phase_q <= last ? '0 : phase_q + 4'd1;
            elapsed_q <= waiting && decay != '0 && !over ? elapsed_q + 14'd1 : '0;
        end
    end
endmodule

`default_nettype wire
