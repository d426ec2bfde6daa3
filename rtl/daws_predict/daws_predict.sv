// SPDX-License-Identifier: Apache-2.0
// daws_predict: the footprint prediction of one SM (DAWS 5.1): how many lines of L1D the warps in loops will use, and which warps
// may issue loads: the oldest ones, as long as their lines together fit. The order of what happens in one cycle stands in
// cmodel/daws_predict/daws_predict.h.
//
// Summing all warps at once would take an adder for each of them, one behind the other. So a pass adds DAWS_LOOKS of them in a
// cycle, from the oldest on, and at its end replaces all of allow_load. It follows any change of a footprint.
`default_nettype none

module daws_predict #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,       // of one scheduler
    parameter int unsigned LOOP_BITS = 0,       // of a loop's number
    parameter int unsigned FOOTPRINT_BITS = 0,
    parameter int unsigned DAWS_LOOKS = 0,      // warps that are added in a cycle; as many as there are, or more: all
    localparam int unsigned S = NUM_SCHEDULERS,
    localparam int unsigned L = LOOP_BITS,
    localparam int unsigned F = FOOTPRINT_BITS,
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS)
) (
    input  logic                  clk,
    input  logic                  rst,         // synchronous
    // from the block dispatcher
    input  logic                  start,       // a kernel begins: as a reset
    input  logic [Slots-1:0]      fresh,       // slot gets a new warp, the youngest; one slot of a scheduler in a cycle
    // from the schedulers; slot s * NUM_WARPS + w is warp w of scheduler s
    input  logic [Slots-1:0]      running,     // warp has begun, has not ended and waits at no barrier
    input  logic [S-1:0]          issue,       // a warp of this scheduler issues
    input  logic [S*WarpBits-1:0] warp,        // which; not a warp (>= NUM_WARPS): none
    input  logic [S*L-1:0]        loop_begin,  // its instruction is the first of this loop; 0: of none
    input  logic [S*L-1:0]        loop_last,   // last loop inside that loop
    input  logic [S*L-1:0]        loop,        // innermost loop of what the warp executes next; 0: none
    input  logic [S*L-1:0]        next_loop,   // first loop that begins behind what it executes next; 0: none
    // from the classification of loads
    input  logic [S*F-1:0]        footprint,   // lines of loop_begin's loop, or of `inner` inside it; 0: nothing known
    input  logic [S*F-1:0]        closest,     // lines of next_loop's loop
    // from software
    input  logic [15:0]           effective,   // lines of L1D that may be used
    // to the schedulers
    output logic [Slots-1:0]      allow_load,  // may issue loads
    // to the classification of loads
    output logic [Slots*L-1:0]    inner,       // loop that the footprint is of; 0: none
    // to who leaves out cycles
    output logic                  settled      // no pass is under way, and nothing of a warp that does not run is left
);
    localparam int unsigned SlotBits = $clog2(Slots);
    localparam int unsigned Cycles = (Slots + DAWS_LOOKS - 1) / DAWS_LOOKS;  // of a pass
    localparam int unsigned PositionBits = Cycles > 1 ? $clog2(Cycles) : 1;
    localparam int unsigned SumBits = $clog2(Slots << F);
    localparam logic [PositionBits-1:0] LastPosition = PositionBits'(Cycles - 1);

    if (SumBits > 16) begin : g_check
        $error("a sum is compared with 16 bits");
    end

    logic [Slots*F-1:0] predicted_q;
    logic [Slots*L-1:0] inner_q, outer_q, last_q;
    logic [Slots*SlotBits-1:0] order_q, order_d;
    logic busy_q, again_q, alone_q;
    logic [PositionBits-1:0] position_q;
    logic [SumBits-1:0] sum_q;
    logic [Slots-1:0] next_q, allow_q;
    assign allow_load = allow_q;
    assign inner = inner_q;

    // The table: who issues, and what becomes of its row.
    logic [Slots-1:0] issues;        // slot's warp issues, and it counts
    logic [S-1:0] moved;             // what a pass would count of it changes
    logic [F-1:0] predicted_d[S];
    logic [L-1:0] inner_d[S], outer_d[S], last_d[S];

    for (genvar s = 0; s < S; s++) begin : g_scheduler
        logic [L-1:0] begins, its_last, goes_to;
        logic [F-1:0] its_lines;
        assign begins = loop_begin[s*L+:L];
        assign its_last = loop_last[s*L+:L];
        assign goes_to = loop[s*L+:L];
        assign its_lines = footprint[s*F+:F];

        logic [NUM_WARPS-1:0] picked;  // one-hot
        for (genvar w = 0; w < NUM_WARPS; w++) begin : g_warp
            assign picked[w] = issue[s] && warp[s*WarpBits+:WarpBits] == WarpBits'(w) && running[s*NUM_WARPS+w]
                               && !fresh[s*NUM_WARPS+w];
        end
        assign issues[s*NUM_WARPS+:NUM_WARPS] = picked;

        // Its row.
        logic [F-1:0] old_predicted;
        logic [L-1:0] old_inner, old_outer, old_last;
        always_comb begin
            {old_predicted, old_inner, old_outer, old_last} = '0;
            for (int w = 0; w < NUM_WARPS; w++) begin
                old_predicted = old_predicted | ({F{picked[w]}} & predicted_q[(s*NUM_WARPS+w)*F+:F]);
                old_inner = old_inner | ({L{picked[w]}} & inner_q[(s*NUM_WARPS+w)*L+:L]);
                old_outer = old_outer | ({L{picked[w]}} & outer_q[(s*NUM_WARPS+w)*L+:L]);
                old_last = old_last | ({L{picked[w]}} & last_q[(s*NUM_WARPS+w)*L+:L]);
            end
        end

        // It begins a loop: of its nest, or a new nest.
        logic nested, written, keeps_inner, in_nest, stays;
        logic [L-1:0] nest, nest_last;
        assign nested = begins >= old_outer && begins <= old_last;  // outside loops old_last is 0: no loop is nested there
        assign written = |begins && (!nested || |its_lines);
        assign keeps_inner = !written || (old_inner >= begins && old_inner <= its_last);
        assign nest = |begins && !nested ? begins : old_outer;
        assign nest_last = |begins && !nested ? its_last : old_last;
        // Then it stays in its nest, or leaves it.
        assign in_nest = |nest;
        assign stays = in_nest && goes_to >= nest && goes_to <= nest_last;
        assign inner_d[s] = !stays ? '0 : keeps_inner ? old_inner : begins;
        assign outer_d[s] = stays ? nest : '0;
        assign last_d[s] = stays ? nest_last : '0;
        always_comb begin
            if (stays) predicted_d[s] = written ? its_lines : old_predicted;
            else if (goes_to == '0) predicted_d[s] = |next_loop[s*L+:L] ? closest[s*F+:F] : '0;
            else predicted_d[s] = in_nest ? '0 : old_predicted;
        end
        assign moved[s] = |picked && (predicted_d[s] != old_predicted || (|old_predicted && stays != |old_outer));
    end

    logic [Slots-1:0] lines, in_loop;  // footprint is not 0; has begun a loop
    logic [Slots-1:0] gone;            // row is cleared
    logic changed;                     // what a pass would count changes
    assign gone = fresh | ~running;
    assign changed = |moved || |(gone & lines);
    assign settled = !busy_q && (~running & (lines | in_loop)) == '0;
    for (genvar i = 0; i < Slots; i++) begin : g_row
        assign lines[i] = |predicted_q[i*F+:F];
        assign in_loop[i] = |outer_q[i*L+:L];
        always_ff @(posedge clk) begin
            if (rst || start || gone[i]) begin
                predicted_q[i*F+:F] <= '0;
                inner_q[i*L+:L] <= '0;
                outer_q[i*L+:L] <= '0;
                last_q[i*L+:L] <= '0;
            end else if (issues[i]) begin
                predicted_q[i*F+:F] <= predicted_d[i/NUM_WARPS];
                inner_q[i*L+:L] <= inner_d[i/NUM_WARPS];
                outer_q[i*L+:L] <= outer_d[i/NUM_WARPS];
                last_q[i*L+:L] <= last_d[i/NUM_WARPS];
            end
        end
    end

    // The order: a permutation of the slots. Who is fresh leaves its place, those behind it close the gap, and it goes to the end:
    // a step for each scheduler. Whoever is hit is found before the first step; the hits then move along with the slots.
    logic [S*SlotBits-1:0] newborn;
    for (genvar s = 0; s < S; s++) begin : g_newborn
        logic [SlotBits-1:0] lowest;
        always_comb begin
            lowest = '0;
            for (int w = NUM_WARPS - 1; w >= 0; w--) if (fresh[s*NUM_WARPS+w]) lowest = SlotBits'(s * NUM_WARPS + w);
        end
        assign newborn[s*SlotBits+:SlotBits] = lowest;
    end
    always_comb begin
        logic [Slots-1:0] hit[S];
        logic [Slots-1:0] moves;  // places that take their younger neighbour: all from the hit on
        order_d = order_q;
        for (int s = 0; s < S; s++) begin
            for (int p = 0; p < Slots; p++) begin
                hit[s][p] = |fresh[s*NUM_WARPS+:NUM_WARPS] && order_q[p*SlotBits+:SlotBits] == newborn[s*SlotBits+:SlotBits];
            end
        end
        for (int s = 0; s < S; s++) begin
            moves = ~hit[s] + 1'b1;  // the negative of a one-hot number is ones from its bit upwards
            for (int p = 0; p < Slots - 1; p++) begin
                if (moves[p]) order_d[p*SlotBits+:SlotBits] = order_d[(p+1)*SlotBits+:SlotBits];
            end
            if (moves[Slots-1]) order_d[(Slots-1)*SlotBits+:SlotBits] = newborn[s*SlotBits+:SlotBits];
            for (int t = s + 1; t < S; t++) hit[t] = (hit[t] & ~moves) | ((hit[t] >> 1) & moves);
        end
    end

    // A pass looks at the warps of some places.
    logic any;                           // a warp is in a loop that has a footprint: then those outside count as well
    logic [SlotBits-1:0] seat[DAWS_LOOKS];
    logic [DAWS_LOOKS-1:0] taken;        // there is such a place
    logic [Slots-1:0] seen[DAWS_LOOKS];  // its warp, one-hot
    logic [F-1:0] count[DAWS_LOOKS];
    logic [SumBits-1:0] sums[DAWS_LOOKS];
    logic [DAWS_LOOKS-1:0] fits, too_large;
    logic [Slots-1:0] next_d;
    logic alone_d;
    assign any = |(in_loop & lines);
    for (genvar k = 0; k < DAWS_LOOKS; k++) begin : g_look
        always_comb begin
            taken[k] = 1'b0;
            seat[k] = '0;
            for (int c = 0; c < Cycles; c++) begin
                if (c * DAWS_LOOKS + k < Slots && position_q == PositionBits'(c)) begin
                    taken[k] = 1'b1;
                    seat[k] = seat[k] | order_q[(c*DAWS_LOOKS+k)*SlotBits+:SlotBits];
                end
            end
            count[k] = '0;
            for (int i = 0; i < Slots; i++) begin
                seen[k][i] = taken[k] && seat[k] == SlotBits'(i);
                count[k] = count[k] | ({F{seen[k][i] && (in_loop[i] || any)}} & predicted_q[i*F+:F]);
            end
        end
        assign fits[k] = 16'(sums[k]) <= effective;
        assign too_large[k] = 16'(count[k]) > effective;
    end

    // Sums up to each of them, doubled in reach from step to step.
    always_comb begin
        for (int k = 0; k < DAWS_LOOKS; k++) sums[k] = SumBits'(count[k]);
        for (int reach = 1; reach < DAWS_LOOKS; reach = reach * 2) begin
            for (int k = DAWS_LOOKS - 1; k >= reach; k--) sums[k] = sums[k] + sums[k-reach];
        end
        for (int k = 0; k < DAWS_LOOKS; k++) sums[k] = sums[k] + sum_q;
        alone_d = alone_q || |too_large;
        next_d = next_q;
        for (int k = 0; k < DAWS_LOOKS; k++) next_d = (next_d & ~seen[k]) | ({Slots{fits[k]}} & seen[k]);
    end

    logic ends, restarts;
    assign ends = busy_q && position_q == LastPosition;
    assign restarts = |fresh;  // the order moves
    always_ff @(posedge clk) begin
        if (rst || start) begin
            for (int p = 0; p < Slots; p++) order_q[p*SlotBits+:SlotBits] <= SlotBits'(p);
            {busy_q, again_q, alone_q} <= '0;
            position_q <= '0;
            sum_q <= '0;
            next_q <= '0;
            allow_q <= '1;
        end else begin
            order_q <= order_d;
            busy_q <= restarts || changed || again_q || (busy_q && !ends);
            again_q <= busy_q && !ends && !restarts && (again_q || changed);
            if (busy_q && !ends && !restarts) begin
                position_q <= position_q + 1'b1;
                sum_q <= sums[DAWS_LOOKS-1];
                alone_q <= alone_d;
            end else begin
                position_q <= '0;
                sum_q <= '0;
                alone_q <= 1'b0;
            end
            if (busy_q) next_q <= next_d;
            if (ends) allow_q <= alone_d ? '1 : next_d;
        end
    end
endmodule

`default_nettype wire
