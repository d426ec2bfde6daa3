// SPDX-License-Identifier: Apache-2.0
// daws_predict_props: the rules of the footprint prediction, restated from its ports and registers without looking at how the RTL
// does it. tests/formal/run.sh builds the proof of one rule (parameter RULE) around it; it takes each rule's number and words from
// the lines `// R<n>: ...`.
//
// Who is older is kept here, from the births alone. Rules are stated for all warps at once, as vectors (wia_props.sv says why).
// Rules about sums hold while `effective` stays as it is: the machine never changes it.
`default_nettype none

module daws_predict_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned LOOP_BITS = 0,
    parameter int unsigned FOOTPRINT_BITS = 0,
    parameter int unsigned DAWS_LOOKS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove a lemma along with the rule
    localparam int unsigned S = NUM_SCHEDULERS,
    localparam int unsigned L = LOOP_BITS,
    localparam int unsigned F = FOOTPRINT_BITS,
    localparam int unsigned N = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned SlotBits = $clog2(N),
    localparam int unsigned Cycles = (N + DAWS_LOOKS - 1) / DAWS_LOOKS,
    localparam int unsigned PositionBits = Cycles > 1 ? $clog2(Cycles) : 1,
    localparam int unsigned SumBits = $clog2(N << F)
) (
    input logic                    clk,
    input logic                    rst,
    input logic                    started,         // the first cycle, a reset, is over
    input logic                    start,
    input logic [N-1:0]            fresh,
    input logic [N-1:0]            running,
    input logic [S-1:0]            issue,
    input logic [S*WarpBits-1:0]   warp,
    input logic [S*L-1:0]          loop_begin,
    input logic [S*L-1:0]          loop_last,
    input logic [S*L-1:0]          loop,
    input logic [S*L-1:0]          next_loop,
    input logic [S*F-1:0]          footprint,
    input logic [S*F-1:0]          closest,
    input logic [15:0]             effective,
    input logic [N-1:0]            allow_load,
    input logic                    settled,
    input logic [N*F-1:0]          state_predicted,
    input logic [N*L-1:0]          state_inner,
    input logic [N*L-1:0]          state_outer,
    input logic [N*L-1:0]          state_last,
    input logic [N*SlotBits-1:0]   state_order,
    input logic                    state_busy,
    input logic                    state_again,
    input logic [PositionBits-1:0] state_position,
    input logic [SumBits-1:0]      state_sum,
    input logic                    state_alone,
    input logic [N-1:0]            state_next,
    input logic [N-1:0]            state_allow
);
    logic reset;
    assign reset = rst || start;

    // What happened in the cycle before this one.
    logic known, was_reset;  // it was no reset, and not the first; it was one
    logic [N-1:0] was_fresh, was_running, was_issue;
    logic [N*F-1:0] was_predicted;
    logic [N*L-1:0] was_inner, was_outer, was_last;
    logic [N-1:0] was_allow;
    logic was_end;
    logic [S*L-1:0] was_begin, was_begin_last, was_loop, was_next_loop;
    logic [S*F-1:0] was_footprint, was_closest;
    logic [N-1:0] issues;  // slot's warp issues
    for (genvar i = 0; i < N; i++) begin : g_issues
        assign issues[i] = issue[i/NUM_WARPS] && warp[(i/NUM_WARPS)*WarpBits+:WarpBits] == WarpBits'(i % NUM_WARPS)
                           && running[i] && !fresh[i];
    end
    always_ff @(posedge clk) begin
        known <= started && !reset;
        was_reset <= reset;
        {was_fresh, was_running, was_issue} <= {fresh, running, issues};
        {was_predicted, was_inner, was_outer, was_last} <= {state_predicted, state_inner, state_outer, state_last};
        {was_begin, was_begin_last, was_loop, was_next_loop} <= {loop_begin, loop_last, loop, next_loop};
        {was_footprint, was_closest, was_allow} <= {footprint, closest, allow_load};
        was_end <= state_busy && state_position == PositionBits'(Cycles - 1);
    end

    // Age: pair (i, j), i < j, row after row: i is older than j.
    logic [N-1:0] born;  // the lowest fresh slot of each scheduler
    logic [N*N-1:0] elder;  // elder[i*N+j]: j is older than i
    for (genvar i = 0; i < N; i++) begin : g_age
        if (i % NUM_WARPS == 0) begin : g_lowest
            assign born[i] = fresh[i];
        end else begin : g_above
            assign born[i] = fresh[i] && fresh[i-1-:i%NUM_WARPS] == '0;
        end
        assign elder[i*N+i] = 1'b0;
        for (genvar j = 0; j < i; j++) begin : g_pair
            logic older;  // j is older than i
            always_ff @(posedge clk) older <= reset || born[i] || (older && !born[j]);
            assign {elder[i*N+j], elder[j*N+i]} = {older, !older};
        end
    end

    // at[p*N+i]: slot i stands at place p of the order.
    logic [N*N-1:0] at;
    // Two places hold the same slot; a place holds none.
    logic [N*N-1:0] twice;
    logic [N-1:0] none;
    localparam logic Places = RULE == 1 || RULE == 2 || (RULE >= 8 && RULE <= 11);
    for (genvar p = 0; p < N; p++) begin : g_place
        for (genvar i = 0; i < N; i++) begin : g_slot
            assign at[p*N+i] = Places && state_order[p*SlotBits+:SlotBits] == SlotBits'(i);
            assign twice[p*N+i] = Places && i < p && state_order[p*SlotBits+:SlotBits] == state_order[i*SlotBits+:SlotBits];
        end
        assign none[p] = 32'(state_order[p*SlotBits+:SlotBits]) >= N;
    end
    logic permutation;
    assign permutation = twice == '0 && none == '0;

    // The lines that count: those of warps outside loops only while one inside has any.
    logic anybody;
    logic [N*F-1:0] lines;
    logic [N-1:0] in_loop, too_large;
    logic some_too_large;
    for (genvar i = 0; i < N; i++) begin : g_lines
        assign in_loop[i] = state_outer[i*L+:L] != '0;
        assign lines[i*F+:F] = in_loop[i] || anybody ? state_predicted[i*F+:F] : '0;
        assign too_large[i] = 16'(lines[i*F+:F]) > effective;
    end
    assign some_too_large = |too_large;
    always_comb begin
        anybody = 1'b0;
        for (int i = 0; i < N; i++) if (in_loop[i] && state_predicted[i*F+:F] != '0) anybody = 1'b1;
    end

    // effective is what it was after the reset.
    logic [15:0] was_effective;
    logic steady, changes_q;
    assign steady = !changes_q && (effective == was_effective || was_reset);
    always_ff @(posedge clk) begin
        was_effective <= effective;
        changes_q <= !reset && !steady;
    end

    // Who has been looked at in this pass, with which lines; and what that amounts to. All of this is about rules 8 to 11.
    logic [N-1:0] looks, looked, passed;  // in this cycle; before it; the slots at the places before this cycle's
    logic consistent;                     // position and busy belong together
    logic correct;                        // the registers of a pass are the sums, unless a footprint has changed under it
    logic bounded, within;                // what is let through, as last summed, fits; and so does what the pass has found so far
    assign consistent = permutation && looked == passed && !(state_again && !state_busy) && 32'(state_position) < Cycles
                        && (state_busy || (state_position == '0 && state_sum == '0 && !state_alone));
    if (RULE >= 8 && RULE <= 11) begin : g_pass
        for (genvar i = 0; i < N; i++) begin : g_slot
            always_comb begin
                looks[i] = 1'b0;
                passed[i] = 1'b0;
                for (int p = 0; p < N; p++) begin
                    if (at[p*N+i] && state_busy && 32'(state_position) == p / DAWS_LOOKS) looks[i] = 1'b1;
                    if (at[p*N+i] && p / DAWS_LOOKS < 32'(state_position)) passed[i] = 1'b1;
                end
            end
            always_ff @(posedge clk) begin
                looked[i] <= (looked[i] || looks[i]) && state_busy && !reset && fresh == '0 && 32'(state_position) != Cycles - 1;
            end
        end
    end else begin : g_no_pass
        assign {looks, looked, passed} = '0;
    end

    logic [N-1:0] found;  // who may issue loads, by the footprints as they are now
    if (RULE == 9 || RULE == 10) begin : g_sums
        logic [N*SumBits-1:0] up_to;  // up to the slot at place p
        logic [N-1:0] fits;
        logic [SumBits-1:0] before_here;
        logic alone_here;
        always_comb begin
            before_here = '0;
            alone_here = |(passed & too_large);
            fits = '0;
            for (int p = 0; p < N; p++) begin
                up_to[p*SumBits+:SumBits] = p == 0 ? '0 : up_to[(p-1)*SumBits+:SumBits];
                for (int i = 0; i < N; i++) begin
                    if (at[p*N+i]) up_to[p*SumBits+:SumBits] = up_to[p*SumBits+:SumBits] + SumBits'(lines[i*F+:F]);
                end
                if (p / DAWS_LOOKS < 32'(state_position)) before_here = up_to[p*SumBits+:SumBits];
                for (int i = 0; i < N; i++) if (at[p*N+i] && 16'(up_to[p*SumBits+:SumBits]) <= effective) fits[i] = 1'b1;
            end
            found = some_too_large ? '1 : fits;
        end
        assign correct = consistent && (!steady || (state_busy ? state_again || (state_sum == before_here && state_alone == alone_here
                                                                                 && (state_next & passed) == (fits & passed))
                                                    : state_allow == found));
    end else begin : g_no_sums
        assign found = '0;
        assign correct = 1'b0;
    end

    // Sums of the lines that the slots had when they were looked at: of those of this pass, and of those of the last one.
    if (RULE == 11) begin : g_through
        logic [N*F-1:0] summed, published;
        logic [SumBits-1:0] here, fitting, through;
        for (genvar i = 0; i < N; i++) begin : g_slot
            always_ff @(posedge clk) begin
                if (looks[i]) summed[i*F+:F] <= lines[i*F+:F];
                if (reset) published[i*F+:F] <= '0;
                else if (state_busy && 32'(state_position) == Cycles - 1) published[i*F+:F] <= looks[i] ? lines[i*F+:F] : summed[i*F+:F];
            end
        end
        always_comb begin
            {here, fitting, through} = '0;
            for (int i = 0; i < N; i++) begin
                if (passed[i]) here = here + SumBits'(summed[i*F+:F]);
                if (passed[i] && state_next[i]) fitting = fitting + SumBits'(summed[i*F+:F]);
                if (state_allow[i]) through = through + SumBits'(published[i*F+:F]);
            end
        end
        assign bounded = &state_allow || 16'(through) <= effective;
        assign within = consistent && (!steady || (state_sum == here && 16'(fitting) <= effective && fitting <= here));
    end else begin : g_not_through
        assign {bounded, within} = '0;
    end

    // R1: The age order is total: each slot stands at one place of it.
    if (RULE == 1) begin : g_r1
        always_comb if (started) assert (permutation);
    end

    // R2: It is the order of birth: after a reset by slot; who gets a new warp is the youngest, of several in a cycle the lower slot
    // is older.
    if (RULE == 2) begin : g_r2
        // For each slot, those that stand before it.
        logic [N*N-1:0] ahead;
        for (genvar i = 0; i < N; i++) begin : g_slot
            always_comb begin
                ahead[i*N+:N] = '0;
                for (int p = 1; p < N; p++) begin
                    for (int q = 0; q < p; q++) if (at[p*N+i]) ahead[i*N+:N] = ahead[i*N+:N] | at[q*N+:N];
                end
            end
        end
        always_comb if (started) assert (ahead == elder && (!WITH || permutation));
    end

    // R3: In the cycle after its slot has got a new warp, or while it waits at a barrier or has ended, a warp has no footprint and is
    // in no loop.
    if (RULE == 3) begin : g_r3
        logic [N-1:0] kept;
        for (genvar i = 0; i < N; i++) begin : g_slot
            assign kept[i] = known && (was_fresh[i] || !was_running[i])
                             && {state_predicted[i*F+:F], state_inner[i*L+:L], state_outer[i*L+:L], state_last[i*L+:L]} != '0;
        end
        always_comb if (started) assert (kept == '0);
    end

    // R4: A warp that goes on outside all loops has left its own; it is predicted to be in the closest one, if there is one.
    if (RULE == 4) begin : g_r4
        logic [N-1:0] stays;
        for (genvar i = 0; i < N; i++) begin : g_slot
            localparam int unsigned C = i / NUM_WARPS;
            assign stays[i] = known && was_issue[i] && was_loop[C*L+:L] == '0
                              && ({state_inner[i*L+:L], state_outer[i*L+:L], state_last[i*L+:L]} != '0
                                  || state_predicted[i*F+:F] != (was_next_loop[C*L+:L] == '0 ? '0 : was_closest[C*F+:F]));
        end
        always_comb if (started) assert (stays == '0);
    end

    // R5: A warp in no loop has neither a last nor an inner one; the loop of a footprint is one of the nest.
    if (RULE == 5) begin : g_r5
        logic [N-1:0] wrong;
        for (genvar i = 0; i < N; i++) begin : g_slot
            assign wrong[i] = in_loop[i] ? state_inner[i*L+:L] < state_outer[i*L+:L] || state_inner[i*L+:L] > state_last[i*L+:L]
                              : {state_inner[i*L+:L], state_last[i*L+:L]} != '0;
        end
        always_comb if (started) assert (wrong == '0);
    end

    // R6: What is kept of a warp changes only when it issues, its slot gets a new warp, or it does not run.
    if (RULE == 6) begin : g_r6
        logic [N-1:0] moves;
        for (genvar i = 0; i < N; i++) begin : g_slot
            assign moves[i] = known && !was_issue[i] && !was_fresh[i] && was_running[i]
                              && {state_predicted[i*F+:F], state_inner[i*L+:L], state_outer[i*L+:L], state_last[i*L+:L]}
                              != {was_predicted[i*F+:F], was_inner[i*L+:L], was_outer[i*L+:L], was_last[i*L+:L]};
        end
        always_comb if (started) assert (moves == '0);
    end

    // R7: A warp that begins a loop and goes on in it has its footprint, also one inside a loop it is in; if that is 0 there, the
    // one before stays.
    if (RULE == 7) begin : g_r7
        logic [N-1:0] wrong;
        logic [N-1:0] consistent;  // who is in no loop has no last loop: the induction needs it
        for (genvar i = 0; i < N; i++) begin : g_slot
            localparam int unsigned C = i / NUM_WARPS;
            assign consistent[i] = state_outer[i*L+:L] != '0 || state_last[i*L+:L] == '0;
            logic inside;  // it begins a loop inside the one that it was in
            assign inside = was_outer[i*L+:L] != '0 && was_begin[C*L+:L] >= was_outer[i*L+:L] && was_begin[C*L+:L] <= was_last[i*L+:L];
            assign wrong[i] = known && was_issue[i] && was_begin[C*L+:L] != '0 && was_loop[C*L+:L] >= was_begin[C*L+:L]
                              && was_loop[C*L+:L] <= (inside ? was_last[i*L+:L] : was_begin_last[C*L+:L])
                              && state_predicted[i*F+:F] != (inside && was_footprint[C*F+:F] == '0 ? was_predicted[i*F+:F] : was_footprint[C*F+:F]);
        end
        always_comb if (started) assert (wrong == '0 && &consistent);
    end

    // R8: No footprint is counted twice in a pass, and at its end each has been counted.
    if (RULE == 8) begin : g_r8
        logic ends, consistent_places;
        assign ends = state_busy && 32'(state_position) == Cycles - 1;
        assign consistent_places = permutation && looked == passed && 32'(state_position) < Cycles
                                   && (state_busy || state_position == '0);
        always_comb begin
            if (started) begin
                assert ((looks & looked) == '0 && (!ends || (looks | looked) == '1) && (!WITH || consistent_places));
            end
        end
    end

    // R9: No deadlock: when it is settled and a warp runs, one that runs may issue loads.
    if (RULE == 9) begin : g_r9
        always_comb begin
            if (started) assert ((!steady || !settled || running == '0 || (running & allow_load) != '0) && (!WITH || correct));
        end
    end

    // R10: When it is settled, a warp may issue loads if its footprint and those of all warps before it in the order are together at
    // most `effective`; all may if one of them is above that by itself.
    if (RULE == 10) begin : g_r10
        always_comb if (started) assert ((!steady || !settled || allow_load == found) && (!WITH || correct));
    end

    // R11: At all times the footprints of the warps that are let through, as last summed, are together at most `effective`, unless
    // all are let through.
    if (RULE == 11) begin : g_r11
        always_comb if (started) assert ((!steady || bounded) && (!WITH || within));
    end

    // R12: A change is in force after two passes at the latest: while no slot gets a new warp, allow_load is what a pass has found
    // that began after every change of 2 passes ago or longer.
    if (RULE == 12) begin : g_r12
        // A change that shows in this cycle.
        logic change;
        logic [N-1:0] differs;
        for (genvar i = 0; i < N; i++) begin : g_slot
            assign differs[i] = state_predicted[i*F+:F] != was_predicted[i*F+:F]
                                || (state_predicted[i*F+:F] != '0 && (in_loop[i] != (was_outer[i*L+:L] != '0)));
        end
        assign change = known && differs != '0;
        // The oldest change that the pass under way has seen from its beginning on, and the oldest that waits for the next one; how
        // many cycles ago they were.
        logic seen, waits, begins, ends, placed;
        logic [15:0] seen_age, waits_age;
        assign begins = state_busy && state_position == '0;
        assign ends = state_busy && 32'(state_position) == Cycles - 1;
        always_ff @(posedge clk) begin
            if (reset || fresh != '0) {seen, waits, seen_age, waits_age} <= '0;
            else begin
                seen <= !ends && (seen || (begins && (waits || change)));
                seen_age <= (seen ? seen_age : waits_age) + 1'b1;
                waits <= !begins && (waits || change);
                waits_age <= !begins && (waits || change) ? waits_age + 1'b1 : '0;
            end
        end
        assign placed = 32'(state_position) < Cycles && (state_busy || (state_position == '0 && !state_again))
                        && (!(waits || change) || begins || (state_busy && state_again))
                        && (waits || waits_age == '0)
                        && (!waits || 32'(waits_age) < (begins ? Cycles : 32'(state_position)))
                        && (!seen || (state_busy && !begins && 32'(seen_age) < Cycles + 32'(state_position)));
        always_comb begin
            if (started) assert (!(seen && 32'(seen_age) >= 2 * Cycles) && !(waits && 32'(waits_age) >= 2 * Cycles) && (!WITH || placed));
        end
    end

    // R13: After a reset, and when a kernel has begun, nobody is in a loop, nobody has a footprint, all may issue loads.
    if (RULE == 13) begin : g_r13
        always_comb begin
            if (started && was_reset) begin
                assert ({state_predicted, state_inner, state_outer, state_last, state_busy, state_again, state_position} == '0
                        && &allow_load);
            end
        end
    end

    // R14: allow_load changes as a whole: only after the last cycle of a pass, or when a kernel begins.
    if (RULE == 14) begin : g_r14
        always_comb if (started && known && !was_end) assert (allow_load == was_allow);
    end
endmodule

`default_nettype wire
