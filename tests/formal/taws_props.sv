// SPDX-License-Identifier: Apache-2.0
// taws_props: the rules of what TAWS keeps of an SM, restated from ports and registers. Passive; see wia_props.sv. Vectors have a bit for each
// pair of contexts, or for each warp a scheduler may remember of each context, for the reason that is given there.
//
// `before` and `first` are kept here, from the ports alone: who started before whom, and what the rank must be.
`default_nettype none

module taws_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned SM_BLOCKS = 0,
    parameter int unsigned RULE = 0,
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned BlockBits = $clog2(SM_BLOCKS),
    localparam int unsigned CountBits = $clog2(Slots + 1),
    localparam int unsigned Pairs = SM_BLOCKS * (SM_BLOCKS - 1) / 2,
    localparam int unsigned Held = NUM_SCHEDULERS * SM_BLOCKS
) (
    input logic                               clk,
    input logic                               rst,
    input logic                               started,  // the first cycle, a reset, is over
    input logic                               greedy,
    input logic [Slots-1:0]                   stalled,
    input logic [Slots*BlockBits-1:0]         block,
    input logic                               start,
    input logic [BlockBits-1:0]               start_block,
    input logic [Slots-1:0]                   fresh,
    input logic [NUM_SCHEDULERS-1:0]          issued,
    input logic [NUM_SCHEDULERS*WarpBits-1:0] issued_warp,
    input logic                               settled,
    input logic [Pairs-1:0]                   state_older,
    input logic [Pairs-1:0]                   state_ahead,
    input logic [Held-1:0]                    state_held_valid,
    input logic [Held*WarpBits-1:0]           state_held
);
    // Was the cycle before this one a reset?
    logic was_reset;
    always_ff @(posedge clk) was_reset <= rst;

    // How many warps of each context are stalled? Up to six slots are counted one by one. More are counted by the primitive of the RTL, because
    // no prover sees that two ways to add up 48 bits are the same: that it counts is rule R10.
    logic [SM_BLOCKS*CountBits-1:0] count;
    for (genvar c = 0; c < SM_BLOCKS; c++) begin : g_count
        logic [Slots-1:0] counted;
        for (genvar w = 0; w < Slots; w++) begin : g_slot
            assign counted[w] = stalled[w] && 32'(block[w*BlockBits+:BlockBits]) == c;
        end
        if (Slots <= 6) begin : g_plain
            logic [CountBits-1:0] sum;
            always_comb begin
                sum = '0;
                for (int w = 0; w < Slots; w++) if (counted[w]) sum = sum + 1'b1;
            end
            assign count[c*CountBits+:CountBits] = sum;
        end else begin : g_many
            ones #(
                .NUM(Slots)
            ) sum (
                .of(counted),
                .count(count[c*CountBits+:CountBits])
            );
        end
    end

    // Of each pair (i, j), i < j: did the block of i start before that of j, this cycle's start included? And does it go first?
    logic [Pairs-1:0] before, before_q, first, first_q;
    for (genvar i = 0; i < SM_BLOCKS; i++) begin : g_row
        for (genvar j = i + 1; j < SM_BLOCKS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * SM_BLOCKS - 1 - i) / 2 + j - i - 1;
            always_comb begin
                before[Pair] = before_q[Pair];
                if (start && 32'(start_block) == i) before[Pair] = 1'b0;
                if (start && 32'(start_block) == j) before[Pair] = 1'b1;
                if (count[i*CountBits+:CountBits] != count[j*CountBits+:CountBits])
                    first[Pair] = count[i*CountBits+:CountBits] > count[j*CountBits+:CountBits];
                else first[Pair] = before[Pair];
            end
        end
    end
    always_ff @(posedge clk) begin
        before_q <= rst ? '1 : before;
        first_q <= rst ? '1 : first;
    end

    // Are three contexts before each other in a circle: by rank, by start?
    logic [SM_BLOCKS*SM_BLOCKS-1:0] circle;
    if (RULE == 2 || RULE == 3) begin : g_circles
        circles #(
            .NUM_WARPS(SM_BLOCKS)
        ) of_three (
            .started(started),
            .order(RULE == 2 ? state_ahead : state_older),
            .circle(circle)
        );
    end else begin : g_none
        assign circle = '0;
    end

    // Warp w of scheduler k is number k * NUM_WARPS + w. Who issues in this cycle; has it issued since it began?
    logic [Slots-1:0] issues, has_issued;
    always_comb begin
        for (int k = 0; k < NUM_SCHEDULERS; k++) begin
            for (int w = 0; w < NUM_WARPS; w++) begin
                issues[k*NUM_WARPS+w] = issued[k] && 32'(issued_warp[k*WarpBits+:WarpBits]) == w;
            end
        end
    end
    always_ff @(posedge clk) has_issued <= rst ? '0 : (has_issued | issues) & ~fresh;

    // Bit c * Slots + w: warp w is remembered for context c; so says STATE, and so it must be.
    logic [SM_BLOCKS*Slots-1:0] says, notes;
    logic [NUM_SCHEDULERS-1:0] crowd;  // more than one is remembered
    for (genvar k = 0; k < NUM_SCHEDULERS; k++) begin : g_scheduler
        logic [SM_BLOCKS-1:0] valid;
        assign valid = state_held_valid[k*SM_BLOCKS+:SM_BLOCKS];
        assign crowd[k] = (valid & (valid - 1'b1)) != '0;
        for (genvar c = 0; c < SM_BLOCKS; c++) begin : g_context
            logic [NUM_WARPS-1:0] told;
            for (genvar w = 0; w < NUM_WARPS; w++) begin : g_warp
                localparam int unsigned Slot = k * NUM_WARPS + w;
                assign told[w] = issues[Slot] && 32'(block[Slot*BlockBits+:BlockBits]) == c;
                assign says[c*Slots+Slot] = valid[c] && 32'(state_held[(k*SM_BLOCKS+c)*WarpBits+:WarpBits]) == w;
                always_ff @(posedge clk) begin
                    if (rst || fresh[Slot]) notes[c*Slots+Slot] <= 1'b0;
                    else if (told != '0 || (issued[k] && greedy)) notes[c*Slots+Slot] <= told[w];
                end
            end
        end
    end

    // The rank, the order of starts, and whether the rank would have moved, of the cycle before.
    logic [Pairs-1:0] was_ahead;
    logic was_settled;
    always_ff @(posedge clk) begin
        was_ahead <= state_ahead;
        was_settled <= settled;
    end

    logic rule;
    always_comb if (started) assert (rule);

    // R1: Of any two contexts that one goes before the other which had more stalled warps in the cycle before, or as many and the block that
    // started earlier.
    if (RULE == 1) assign rule = state_ahead == first_q;

    // R2: The rank is a strict total order at all times: of any three contexts one goes before both others.
    if (RULE == 2) assign rule = circle == '0;

    // R3: So is the order of starts.
    if (RULE == 3) assign rule = circle == '0;

    // R4: A block that starts becomes the youngest; no other pair changes its order, and a context that there is not changes none.
    if (RULE == 4) assign rule = state_older == before_q;

    // R5: Who is remembered is a warp that there is, has issued, and has not begun anew since.
    if (RULE == 5) begin : g_r5
        logic [Held-1:0] wrong;
        always_comb begin
            for (int e = 0; e < Held; e++) begin
                wrong[e] = state_held_valid[e];
                for (int w = 0; w < NUM_WARPS; w++) begin
                    if (32'(state_held[e*WarpBits+:WarpBits]) == w && has_issued[e/SM_BLOCKS*NUM_WARPS+w]) wrong[e] = 1'b0;
                end
            end
        end
        assign rule = wrong == '0;
    end

    // R6: Of each context the warp is remembered that issued last for it, until it begins anew, or until, with `global`, the scheduler issues for
    // another or for none.
    if (RULE == 6) assign rule = says == notes;

    // R7: A scheduler whose last instruction was issued with `global` remembers one warp at most.
    if (RULE == 7) begin : g_r7
        logic [NUM_SCHEDULERS-1:0] single;
        always_ff @(posedge clk) single <= rst ? '1 : (issued & {NUM_SCHEDULERS{greedy}}) | (~issued & single);
        assign rule = (crowd & single) == '0;
    end

    // R8: `settled` says exactly whether the clock edge leaves the rank as it is.
    if (RULE == 8) assign rule = was_reset || was_settled == (state_ahead == was_ahead);

    // R9: After a reset nobody is remembered, and both orders go by number.
    if (RULE == 9) assign rule = !was_reset || (state_held_valid == '0 && state_held == '0 && &state_older && &state_ahead);

    // R10: What counts stalled warps counts: no bits are 0, and any bit more is one more.
    if (RULE == 10) begin : g_r10
        logic [Slots*CountBits-1:0] less, more;
        logic [CountBits-1:0] none;
        logic [Slots-1:0] wrong;
        ones #(
            .NUM(Slots)
        ) of_none (
            .of('0),
            .count(none)
        );
        for (genvar w = 0; w < Slots; w++) begin : g_bit
            logic [Slots-1:0] off, on;
            for (genvar b = 0; b < Slots; b++) begin : g_of
                assign {off[b], on[b]} = b == w ? 2'b01 : {2{stalled[b]}};
            end
            ones #(
                .NUM(Slots)
            ) without (
                .of(off),
                .count(less[w*CountBits+:CountBits])
            );
            ones #(
                .NUM(Slots)
            ) with_it (
                .of(on),
                .count(more[w*CountBits+:CountBits])
            );
            assign wrong[w] = more[w*CountBits+:CountBits] != less[w*CountBits+:CountBits] + 1'b1;
        end
        assign rule = none == '0 && wrong == '0;
    end
endmodule

`default_nettype wire
