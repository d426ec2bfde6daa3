// SPDX-License-Identifier: Apache-2.0
// ccws: the lost-locality scores of one SM: cache-conscious wavefront scheduling as DAWS describes it (3.3, 5, table 3).
// A hit in the victim tags raises the score of the warp that has lost locality; scores fall by one a cycle to their base. The
// warps are added up from the highest score on, and those behind the point where the sum passes the cutoff issue no loads.
//
// A score is kept as the time at which it is back at the base, so that it falls without being touched. A sequential divider
// finds new scores, a pass over the warps who may load. The order of what happens in one cycle stands in cmodel/ccws/ccws.h.
`default_nettype none

module ccws #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,        // of one scheduler
    parameter int unsigned CCWS_LOOKS = 0,       // warps added up in one cycle; 0: all
    parameter int unsigned CCWS_BASE = 0,        // score of a warp that has lost no locality
    parameter int unsigned CCWS_THROTTLE = 0,    // K_THROTTLE
    parameter int unsigned CCWS_SCORE_BITS = 0,
    parameter int unsigned CCWS_HIT_BITS = 0,
    parameter int unsigned CCWS_ISSUE_BITS = 0,
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned SlotBits = $clog2(Slots),
    localparam int unsigned IssuedBits = $clog2(NUM_SCHEDULERS + 1)
) (
    input  logic                  clk,
    input  logic                  rst,         // synchronous
    // from the block dispatcher
    input  logic                  start,       // a kernel begins: all is as after a reset
    input  logic [Slots-1:0]      fresh,       // slot gets a new warp: its score is the base
    input  logic [Slots-1:0]      living,      // warp has begun and has not ended
    // from the victim tags
    input  logic                  hit,         // a warp has lost locality
    input  logic [SlotBits-1:0]   hit_warp,    // which
    // from the schedulers
    input  logic [IssuedBits-1:0] issued,      // instructions issued in this cycle
    // from the machine
    input  logic [31:0]           clock,       // its cycles
    // to the schedulers
    output logic [Slots-1:0]      allow_load,  // may issue loads; from registers only
    // to who may leave cycles out
    output logic                  busy         // a register may move although nothing comes in
);
    localparam int unsigned Looks = CCWS_LOOKS == 0 ? Slots : CCWS_LOOKS;
    localparam int unsigned ScoreBits = CCWS_SCORE_BITS;
    localparam int unsigned TimeBits = ScoreBits + 1;  // the top bit of a difference: it is over
    localparam int unsigned CountBits = $clog2(Slots + 1);
    localparam int unsigned HitBits = CCWS_HIT_BITS, IssueBits = CCWS_ISSUE_BITS;
    localparam int unsigned QuotientBits = HitBits + CountBits + $clog2(CCWS_THROTTLE * CCWS_BASE + 1);
    localparam int unsigned StepBits = $clog2(QuotientBits + 1);
    localparam int unsigned Leaves = 1 << SlotBits;
    localparam logic [SlotBits:0] NumSlots = (SlotBits + 1)'(Slots);
    localparam logic [ScoreBits-1:0] Base = ScoreBits'(CCWS_BASE);

    logic [Slots-1:0] allow_q, allow_d, pending_q, pending_d, counted_q, visited_q, visited_d;
    logic [Slots*TimeBits-1:0] until_q;
    logic [HitBits-1:0] hits_q;
    logic [IssueBits-1:0] instructions_q, divisor_q, remainder_q;
    logic asked_q, scoring_q, stale_q, summing_q, over_q, over_d, wake_valid_q;
    logic [SlotBits-1:0] asked_warp_q, scoring_warp_q;
    logic [StepBits-1:0] steps_q;
    logic [QuotientBits-1:0] quotient_q;
    logic [TimeBits-1:0] since_q, soonest_q, soonest_d;
    logic signed [TimeBits-1:0] room_q, room_d;
    logic [CountBits-1:0] raised_q, raised_d;
    logic [ScoreBits-1:0] excess_q, excess_d;
    logic [31:0] wake_q;

    logic [TimeBits-1:0] now;
    assign now = clock[TimeBits-1:0];
    assign allow_load = allow_q;

    // How many live: their number times the base is the cutoff.
    logic [CountBits-1:0] number;
    always_comb begin
        number = '0;
        for (int w = 0; w < Slots; w++) number = number + CountBits'(living[w]);
    end

    // Counts of hits and instructions, halved when one is full.
    logic hits_warp;
    logic [HitBits:0] hits_sum;
    logic [IssueBits:0] instructions_sum;
    logic full;
    assign hits_warp = hit && {1'b0, hit_warp} < NumSlots;
    assign hits_sum = {1'b0, hits_q} + (HitBits + 1)'(hits_warp);
    assign instructions_sum = {1'b0, instructions_q} + (IssueBits + 1)'(issued);
    assign full = hits_sum[HitBits] || instructions_sum[IssueBits];

    // The divider: a restoring one, a bit in each cycle.
    logic dropped, asks, takes, divides, stores, fits_divisor;
    logic [IssueBits:0] part;
    logic [IssueBits-1:0] rest;
    assign dropped = scoring_q && fresh[scoring_warp_q];
    assign asks = asked_q && !fresh[asked_warp_q];
    assign takes = !scoring_q && asks;
    assign divides = scoring_q && !dropped && steps_q != '0;
    assign stores = scoring_q && !dropped && steps_q == '0 && !summing_q;
    assign part = {remainder_q, quotient_q[QuotientBits-1]};
    assign fits_divisor = part >= {1'b0, divisor_q};
    assign rest = part[IssueBits-1:0] - divisor_q;
    always_ff @(posedge clk) begin
        if (rst || start) begin
            hits_q <= '0;
            instructions_q <= '0;
            asked_q <= 1'b0;
            asked_warp_q <= '0;
            scoring_q <= 1'b0;
            scoring_warp_q <= '0;
            steps_q <= '0;
            divisor_q <= '0;
            remainder_q <= '0;
            quotient_q <= '0;
        end else begin
            hits_q <= full ? hits_sum[HitBits:1] : hits_sum[HitBits-1:0];
            instructions_q <= full ? instructions_sum[IssueBits:1] : instructions_sum[IssueBits-1:0];
            asked_q <= asks && !takes;
            if (hits_warp && !fresh[hit_warp]) begin  // the newest hit takes the place of one that waits
                asked_q <= 1'b1;
                asked_warp_q <= hit_warp;
            end
            scoring_q <= takes || (scoring_q && !dropped && !stores);
            if (takes) begin
                scoring_warp_q <= asked_warp_q;
                steps_q <= StepBits'(QuotientBits);
                quotient_q <= QuotientBits'(hits_q) * QuotientBits'(number) * QuotientBits'(CCWS_THROTTLE * CCWS_BASE);
                divisor_q <= instructions_q;
                remainder_q <= '0;
            end else if (divides) begin
                steps_q <= steps_q - 1'b1;
                quotient_q <= {quotient_q[QuotientBits-2:0], fits_divisor};
                remainder_q <= fits_divisor ? rest : part[IssueBits-1:0];
            end
        end
    end

    // The new score.
    logic [ScoreBits-1:0] score;
    logic [TimeBits-1:0] until_d;
    logic raises;
    assign score = |quotient_q[QuotientBits-1:ScoreBits] ? '1 : quotient_q[ScoreBits-1:0];
    assign raises = score > Base;
    assign until_d = now + {1'b0, score - Base};

    // Does a pass begin? Which pending warps stay so: the others are dead, or their scores are back at the base.
    logic wanted, begins, none;
    logic [Slots-1:0] ahead;
    logic [TimeBits-1:0] left;
    assign wanted = stale_q || counted_q != living || (wake_valid_q && wake_q == clock);
    assign begins = wanted && !summing_q && !stores;
    assign busy = summing_q || asked_q || scoring_q || wanted;
    always_comb begin
        left = '0;
        for (int w = 0; w < Slots; w++) begin
            left = until_q[w*TimeBits+:TimeBits] - now;
            ahead[w] = left != '0 && !left[TimeBits-1];
        end
        pending_d = pending_q & ~fresh;
        if (begins) pending_d = pending_d & living & ahead;
        for (int w = 0; w < Slots; w++) begin
            if (stores && 32'(scoring_warp_q) == w) pending_d[w] = raises;
        end
    end
    assign none = pending_d == '0;

    // Visits: the highest score by a tree of comparisons, node n above nodes 2n and 2n + 1; of equals the left one, whose number
    // is lower.
    logic [Slots-1:0] candidates;
    logic [2*Leaves-1:0] node_valid;
    logic [2*Leaves*ScoreBits-1:0] node_key;  // how far above the base, when the pass began
    logic [2*Leaves*SlotBits-1:0] node_warp;
    logic [SlotBits-1:0] top;
    logic top_pending, right;
    logic [ScoreBits-1:0] key;
    logic [TimeBits-1:0] top_until;
    logic signed [TimeBits:0] lack;  // what the room lacks for the score, one bit wider than both
    logic [TimeBits-1:0] lacks;
    always_comb begin
        allow_d = allow_q;
        visited_d = visited_q;
        over_d = over_q;
        room_d = room_q;
        raised_d = raised_q;
        excess_d = excess_q;
        soonest_d = soonest_q;
        candidates = '0;
        node_valid = '0;
        node_key = '0;
        node_warp = '0;
        top = '0;
        top_pending = 1'b0;
        top_until = '0;
        right = 1'b0;
        key = '0;
        lack = '0;
        lacks = '0;
        for (int look = 0; look < Looks; look++) begin
            candidates = counted_q & ~visited_d;
            for (int w = 0; w < Slots; w++) begin
                key = until_q[w*TimeBits+:ScoreBits] - since_q[ScoreBits-1:0];
                node_valid[Leaves+w] = candidates[w];
                node_key[(Leaves+w)*ScoreBits+:ScoreBits] = pending_q[w] ? key : '0;
                node_warp[(Leaves+w)*SlotBits+:SlotBits] = SlotBits'(w);
            end
            for (int n = Leaves - 1; n > 0; n--) begin
                right = node_valid[2*n+1] && (!node_valid[2*n]
                    || node_key[(2*n+1)*ScoreBits+:ScoreBits] > node_key[2*n*ScoreBits+:ScoreBits]);
                node_valid[n] = node_valid[2*n] || node_valid[2*n+1];
                node_key[n*ScoreBits+:ScoreBits] = right ? node_key[(2*n+1)*ScoreBits+:ScoreBits] : node_key[2*n*ScoreBits+:ScoreBits];
                node_warp[n*SlotBits+:SlotBits] = right ? node_warp[(2*n+1)*SlotBits+:SlotBits] : node_warp[2*n*SlotBits+:SlotBits];
            end
            top = node_warp[SlotBits+:SlotBits];
            top_pending = pending_q[top];
            top_until = until_q[32'(top)*TimeBits+:TimeBits];
            lack = (TimeBits + 1)'(node_key[ScoreBits+:ScoreBits]) + (TimeBits + 1)'(Base) - (TimeBits + 1)'(room_d);
            if (node_valid[1]) begin
                if (top_pending) begin
                    raised_d = raised_d + 1'b1;
                    soonest_d = top_until;
                end
                if (!over_d && (visited_d == '0 || lack <= 0)) begin
                    room_d = TimeBits'(-lack);
                end else if (!over_d) begin
                    allow_d = ~counted_q | visited_d;
                    lacks = lack[TimeBits-1:0];
                    // Divided by a power of two that is not below the number of scores in the sum that fall.
                    for (int s = 0; s < CountBits; s++) if (raised_d > CountBits'(1 << s)) lacks = lacks >> 1;
                    excess_d = lacks[ScoreBits-1:0];
                    over_d = 1'b1;
                end
                visited_d[top] = 1'b1;
            end
        end
    end

    // The pass ends: when is the next one wanted? At the first time when a score is back at the base, or the excess may be gone.
    logic [Slots-1:0] ahead_of_pass;
    logic ends, again;
    logic signed [TimeBits-1:0] to_base, to_fit, wait_for;
    assign ahead_of_pass = counted_q & ~visited_q & (over_q ? pending_q : '1);
    assign ends = summing_q && ahead_of_pass == '0;
    assign to_base = soonest_q - now;
    assign to_fit = since_q + {1'b0, excess_q} - now;
    assign wait_for = over_q && to_fit < to_base ? to_fit : to_base;
    assign again = wait_for <= 0;

    always_ff @(posedge clk) begin
        if (rst || start) begin
            allow_q <= '1;
            pending_q <= '0;
            until_q <= '0;
            counted_q <= '0;
            visited_q <= '0;
            since_q <= '0;
            over_q <= 1'b0;
            room_q <= '0;
            raised_q <= '0;
            excess_q <= '0;
            soonest_q <= '0;
            stale_q <= 1'b0;
            summing_q <= 1'b0;
            wake_valid_q <= 1'b0;
            wake_q <= '0;
        end else begin
            pending_q <= pending_d;
            for (int w = 0; w < Slots; w++) begin
                if (stores && raises && 32'(scoring_warp_q) == w) until_q[w*TimeBits+:TimeBits] <= until_d;
            end
            if (begins) begin
                counted_q <= living;
                visited_q <= '0;
                since_q <= now;
                over_q <= 1'b0;
                room_q <= TimeBits'(number) * TimeBits'(CCWS_BASE);
                raised_q <= '0;
                wake_valid_q <= 1'b0;
                if (none) allow_q <= '1;
            end else if (ends) begin
                if (!over_q) allow_q <= '1;
                if (!again) begin
                    wake_valid_q <= 1'b1;
                    wake_q <= clock + 32'(wait_for);
                end
            end else if (summing_q) begin
                allow_q <= allow_d;
                visited_q <= visited_d;
                over_q <= over_d;
                room_q <= room_d;
                raised_q <= raised_d;
                excess_q <= excess_d;
                soonest_q <= soonest_d;
            end
            summing_q <= begins ? !none : summing_q && !ends && fresh == '0;
            stale_q <= !begins && (stale_q || stores || fresh != '0 || (ends && again));
        end
    end
endmodule

`default_nettype wire
