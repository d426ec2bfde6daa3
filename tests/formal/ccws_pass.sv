// SPDX-License-Identifier: Apache-2.0
// ccws_pass: what rules 1 to 4 and 13 of ccws_props say of a pass, for one warp a and one set of warps x. Both are taken once, during
// reset, and may be any: what is proved of them is proved of every warp and of every set.
//
// Sums are kept as the pass goes on: the score of a warp is added in the cycle after the one that has visited it, and a sum past the
// largest number stays there. So no cycle adds more than CCWS_LOOKS scores, and no proof the scores of all warps.
`default_nettype none

module ccws_pass #(
    parameter int unsigned SLOTS = 0,
    parameter int unsigned LOOKS = 0,
    parameter int unsigned BASE = 0,
    parameter int unsigned S = 0,  // bits of a score
    localparam int unsigned TimeBits = S + 1,
    localparam int unsigned CountBits = $clog2(SLOTS + 1),
    localparam int unsigned SumBits = S + CountBits
) (
    input  logic                      clk,
    input  logic                      rst,
    input  logic [7:0]                pick_a,
    input  logic [S-1:0]              pick_later,
    input  logic [SLOTS-1:0]          pick_x,
    input  logic [SLOTS-1:0]          counted,
    input  logic [SLOTS-1:0]          pending,
    input  logic [SLOTS*TimeBits-1:0] until,
    input  logic [TimeBits-1:0]       since,
    input  logic [TimeBits-1:0]       soonest,
    input  logic                      summing,
    input  logic [SLOTS-1:0]          visited,
    // warp a
    output logic [SLOTS-1:0]          is_a,     // one-hot; 0 if it is no warp
    output logic                      a_counted,
    output logic                      a_visited,
    output logic                      a_pending,
    output logic [S-1:0]              a_key,    // how far its score was above the base when the pass began
    output logic [SLOTS-1:0]          ahead,    // come before it, or
    output logic [SLOTS-1:0]          behind,   // after it, of those that the pass counts
    // the set x
    output logic [SLOTS-1:0]          x,
    // time
    output logic [S-1:0]              later,    // so many cycles after the pass began, for the second kind of sums
    output logic                      in_time,  // no score is back at the base by then
    output logic                      least,    // `soonest` is between the pending warps that are visited and the others
    output logic                      all_ahead,  // the scores of the pending warps were above the base when it began
    // sums, of what has been visited; in the cycle after the pass those of all its visits
    output logic                      apart,    // no more warps were visited than a cycle looks at
    output logic [SumBits-1:0]        cutoff,
    output logic [SumBits-1:0]        sum,
    output logic [SumBits-1:0]        of_x,     // of x alone
    output logic [SumBits-1:0]        up_to_a,  // of a and those before it
    output logic [SumBits-1:0]        sum_later,
    output logic [SumBits-1:0]        up_to_a_later
);
    logic [7:0] a;
    always_ff @(posedge clk) begin
        if (rst) begin
            a <= pick_a;
            later <= pick_later;
            x <= pick_x;
        end
    end

    // Scores above the base when the pass began.
    logic [SLOTS*S-1:0] key;
    logic [TimeBits-1:0] left;
    always_comb begin
        left = '0;
        all_ahead = 1'b1;
        in_time = 1'b1;
        for (int w = 0; w < SLOTS; w++) begin
            left = until[w*TimeBits+:TimeBits] - since;
            key[w*S+:S] = pending[w] ? left[S-1:0] : '0;
            if (pending[w] && (left == '0 || left[S])) all_ahead = 1'b0;
            if (pending[w] && later >= left[S-1:0]) in_time = 1'b0;
        end
    end
    always_comb begin
        least = 1'b1;
        for (int w = 0; w < SLOTS; w++) begin
            if (pending[w] && (visited[w] ? soonest - since > {1'b0, key[w*S+:S]}
                               : visited != '0 && soonest - since < {1'b0, key[w*S+:S]})) least = 1'b0;
        end
    end
    always_comb begin
        a_key = '0;
        for (int w = 0; w < SLOTS; w++) begin
            is_a[w] = 32'(a) == w;
            if (is_a[w]) a_key = a_key | key[w*S+:S];
        end
        for (int w = 0; w < SLOTS; w++) begin
            ahead[w] = counted[w] && !is_a[w] && (key[w*S+:S] > a_key || (key[w*S+:S] == a_key && 8'(w) < a));
            behind[w] = counted[w] && !is_a[w] && !ahead[w];
        end
        a_counted = (is_a & counted) != '0;
        a_visited = (is_a & visited) != '0;
        a_pending = (is_a & pending) != '0;
    end

    // Who was visited in the last cycle, and what that adds.
    function automatic logic [SumBits-1:0] plus(input logic [SumBits-1:0] one, input logic [SumBits-1:0] other);
        logic [SumBits:0] both;
        both = {1'b0, one} + {1'b0, other};
        plus = both[SumBits] ? '1 : both[SumBits-1:0];
    endfunction
    logic was_summing;
    logic [SLOTS-1:0] was_visited, newly;
    assign newly = summing && was_summing ? visited & ~was_visited : '0;
    logic [SumBits-1:0] number, cutoff_q, sum_q, of_x_q, up_q, sum_later_q, up_later_q;
    logic [SumBits-1:0] more, more_of_x, more_up, more_later, more_up_later;
    logic [SumBits-1:0] score, score_later;
    logic [S-1:0] new_key;
    logic new_pending;
    always_comb begin
        {more, more_of_x, more_up, more_later, more_up_later, score, score_later} = '0;
        new_key = '0;
        new_pending = 1'b0;
        if (LOOKS == 1) begin
            apart = $onehot0(newly);
            for (int w = 0; w < SLOTS; w++) if (newly[w]) new_key = new_key | key[w*S+:S];
            new_pending = (newly & pending) != '0;
            score = SumBits'(BASE) + SumBits'(new_key);
            score_later = score - (new_pending ? SumBits'(later) : '0);
            if (newly != '0) more = score;
            if (newly != '0) more_later = score_later;
            if ((newly & x) != '0) more_of_x = score;
            if ((newly & (is_a | ahead)) != '0) more_up = score;
            if ((newly & (is_a | ahead)) != '0) more_up_later = score_later;
        end else begin
            apart = 1'b1;
            for (int w = 0; w < SLOTS; w++) begin
                score = SumBits'(BASE) + SumBits'(key[w*S+:S]);
                score_later = score - (pending[w] ? SumBits'(later) : '0);
                if (newly[w]) more = more + score;
                if (newly[w]) more_later = more_later + score_later;
                if (newly[w] && x[w]) more_of_x = more_of_x + score;
                if (newly[w] && (is_a[w] || ahead[w])) more_up = more_up + score;
                if (newly[w] && (is_a[w] || ahead[w])) more_up_later = more_up_later + score_later;
            end
        end
    end
    logic [CountBits-1:0] living;
    always_comb begin
        living = '0;
        for (int w = 0; w < SLOTS; w++) living = living + CountBits'(counted[w]);
    end
    assign number = SumBits'(living) * SumBits'(BASE);

    logic begun;  // in the last cycle
    assign begun = summing && !was_summing;
    assign cutoff = begun ? number : cutoff_q;
    assign sum = begun ? '0 : plus(sum_q, more);
    assign of_x = begun ? '0 : plus(of_x_q, more_of_x);
    assign up_to_a = begun ? '0 : plus(up_q, more_up);
    assign sum_later = begun ? '0 : plus(sum_later_q, more_later);
    assign up_to_a_later = begun ? '0 : plus(up_later_q, more_up_later);
    always_ff @(posedge clk) begin
        was_summing <= summing && !rst;
        was_visited <= visited;
        cutoff_q <= cutoff;
        sum_q <= sum;
        of_x_q <= of_x;
        up_q <= up_to_a;
        sum_later_q <= sum_later;
        up_later_q <= up_to_a_later;
    end
endmodule

`default_nettype wire
