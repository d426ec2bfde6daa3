// SPDX-License-Identifier: Apache-2.0
// dvfs: the frequency controller of P-DVFS, one per GPU (thesis 5.3.4): the loop of figure 5.1, but for what software computes. At each scaling
// point the level becomes that of the slot of the period's misses per instruction; at each control point software is asked for a table.
// The state machine is fsm/dvfs.def; the order of what happens in one cycle stands in cmodel/dvfs/dvfs.h.
//
// Neither multiplier nor divider: the quotient is made by one subtractor, a bit a cycle, and compared with the edges one after the other.
`default_nettype none

module dvfs #(
    parameter int unsigned DVFS_SLOTS = 0,        // at least 2
    parameter int unsigned DVFS_LEVELS = 0,       // at least 2
    parameter int unsigned DVFS_TIME_BITS = 0,    // of the cycles between points
    parameter int unsigned DVFS_SETTLE_BITS = 0,  // of the cycles that a change takes
    parameter int unsigned DVFS_COUNT_BITS = 0,   // of the instructions or misses of a period
    parameter int unsigned DVFS_EDGE_BITS = 0,    // of an edge; at most DVFS_COUNT_BITS
    parameter int unsigned DVFS_SHARE_BITS = 0,   // of a slot's instructions; at least DVFS_COUNT_BITS
    localparam int unsigned T = DVFS_TIME_BITS,
    localparam int unsigned C = DVFS_COUNT_BITS,
    localparam int unsigned SlotBits = $clog2(DVFS_SLOTS),
    localparam int unsigned LevelBits = $clog2(DVFS_LEVELS),
    localparam int unsigned FractionBits = $clog2(DVFS_EDGE_BITS + 1)
) (
    input  logic                                  clk,
    input  logic                                  rst,        // synchronous
    // from software; of the three lengths 0 counts as 1
    input  logic                                  run,        // it is to run
    input  logic [T-1:0]                          scaling,    // T_scaling: cycles between scaling points
    input  logic [T-1:0]                          control,    // T_control: cycles between control points
    input  logic [DVFS_SETTLE_BITS-1:0]           settle,     // cycles that a change of the frequency takes
    input  logic [FractionBits-1:0]               fraction,   // bits of the edges behind the point
    input  logic [1:0]                            write,      // what is written: 0 nothing, 1 an edge, 2 an entry, 3 a commit
    input  logic [SlotBits-1:0]                   index,      // which edge, or the entry of which slot
    input  logic [DVFS_EDGE_BITS-1:0]             value,      // the edge, or the level
    // from the SMs
    input  logic [C-1:0]                          issued,     // warp instructions since they were told of last
    input  logic [C-1:0]                          missed,     // misses, in the same way
    input  logic [T:0]                            clock,      // cycles, modulo 2^(T + 1)
    // to the clock of the SMs
    output logic [LevelBits-1:0]                  level,      // by rising frequency
    output logic                                  change,     // the level changes at this clock edge
    output logic                                  settling,   // the frequency changes to that of the level
    // to software
    output logic                                  irq,        // interrupt: a table is asked for
    output logic                                  counted,    // a period is added to histogram at this clock edge
    output logic [SlotBits-1:0]                   slot,       // in a cycle of counted: its slot
    output logic [DVFS_SLOTS*DVFS_SHARE_BITS-1:0] histogram,  // instructions of the periods of each slot, modulo
    // to who leaves out cycles
    output logic                                  busy        // a register may move in this cycle
);
    localparam int unsigned StepBits = $clog2(C + 2 ** FractionBits);
    localparam logic [1:0] Edge = 2'd1, Entry = 2'd2, Commit = 2'd3;
    localparam logic [LevelBits-1:0] Highest = LevelBits'(DVFS_LEVELS - 1);

    if (DVFS_SLOTS < 2 || DVFS_LEVELS < 2) begin : g_check_choice
        $error("there must be 2 slots and 2 levels");
    end
    if (DVFS_EDGE_BITS > C || C > DVFS_SHARE_BITS || LevelBits > DVFS_EDGE_BITS || DVFS_SLOTS > C + 2 ** FractionBits) begin : g_check_bits
        $error("edges, counts, shares and steps do not fit each other");
    end

    typedef enum logic [2:0] {
        IDLE,
        RUN,
        DIVIDE,
        SEARCH,
        LOOKUP,
        SETTLE,
        CONTROL
    } dvfs_fsm;

    dvfs_fsm state_q, state_d, wait_d;
    logic [LevelBits-1:0] level_q;
    logic [SlotBits-1:0] slot_q;
    logic [DVFS_SLOTS*DVFS_SHARE_BITS-1:0] histogram_q;
    logic [(DVFS_SLOTS-1)*DVFS_EDGE_BITS-1:0] edges_q;
    logic [2*DVFS_SLOTS*LevelBits-1:0] table_q;
    logic [T:0] due_q, due_d, ends_q;
    logic [T-1:0] left_q, left_d;
    logic [C-1:0] instructions_q, misses_q, divisor_q, remainder_q, remainder_d, quotient_q, quotient_d;
    logic [StepBits-1:0] step_q;
    logic used_q, by_control_q, irq_q, irq_d;
    assign level = level_q;
    assign slot = slot_q;
    assign histogram = histogram_q;
    assign irq = irq_q;
    assign settling = state_q == SETTLE;

    // Time. A cycle has come when the clock is not behind it.
    logic waits, reached;
    logic [T:0] since, pause;
    assign pause = settle == '0 ? (T + 1)'(1) : (T + 1)'(settle);
    assign waits = state_q == RUN || state_q == CONTROL;
    assign since = clock - (settling ? ends_q : due_q);
    assign reached = !since[T];

    // What a period has with what is told in this cycle.
    logic [C:0] more_instructions, more_misses;
    logic [C-1:0] instructions_d, misses_d;
    assign more_instructions = {1'b0, instructions_q} + {1'b0, issued};
    assign more_misses = {1'b0, misses_q} + {1'b0, missed};
    assign instructions_d = more_instructions[C] ? '1 : more_instructions[C-1:0];
    assign misses_d = more_misses[C] ? '1 : more_misses[C-1:0];

    // Points. A period ends, and the next one begins: with the earlier of the next scaling point and the next control point before it.
    logic stops, point, by_control, begins, divides, longer;
    logic [T-1:0] ahead, length;
    assign stops = !run && (!settling || reached);
    assign point = waits && run && reached;
    assign by_control = left_q == '0;
    assign divides = point && instructions_d != '0;
    assign begins = point || (state_q == IDLE && run);
    assign ahead = state_q != IDLE && !by_control ? left_q : control == '0 ? T'(1) : control;
    assign length = scaling == '0 ? T'(1) : scaling;
    assign longer = ahead > length;
    assign due_d = clock + {1'b0, longer ? length : ahead};
    assign left_d = longer ? ahead - length : '0;

    // A bit of the quotient: first those of the misses, then as many behind the point.
    logic whole, fits, divided;
    logic [C:0] rest;
    logic [C-1:0] less;
    assign whole = 32'(step_q) < C;
    assign rest = {remainder_q, whole && quotient_q[C-1]};
    assign fits = rest >= {1'b0, divisor_q};
    assign less = rest[C-1:0] - divisor_q;
    assign remainder_d = fits ? less : rest[C-1:0];
    assign quotient_d = !whole && quotient_q[C-1] ? '1 : {quotient_q[C-2:0], fits};
    assign divided = 32'(step_q) + 1 >= C + 32'(fraction);

    // An edge; instructions and level of the slot.
    logic passed, searched;
    logic [DVFS_EDGE_BITS-1:0] next_edge;
    logic [LevelBits-1:0] found;
    logic [DVFS_SHARE_BITS-1:0] share, share_d;
    always_comb begin
        next_edge = '0;
        for (int i = 0; i < DVFS_SLOTS - 1; i++) if (StepBits'(i) == step_q) next_edge = edges_q[i*DVFS_EDGE_BITS+:DVFS_EDGE_BITS];
        {share, found} = '0;
        for (int i = 0; i < DVFS_SLOTS; i++) begin
            if (SlotBits'(i) == slot_q) share = histogram_q[i*DVFS_SHARE_BITS+:DVFS_SHARE_BITS];
            if (SlotBits'(i) == slot_q) found = used_q ? table_q[(DVFS_SLOTS+i)*LevelBits+:LevelBits] : table_q[i*LevelBits+:LevelBits];
        end
    end
    assign passed = quotient_q >= C'(next_edge);
    assign share_d = share + DVFS_SHARE_BITS'(divisor_q);
    assign searched = 32'(step_q) == DVFS_SLOTS - 2;
    assign counted = state_q == LOOKUP && run;
    assign change = counted && !by_control_q && found != level_q;

    // The state machine.
    assign irq_d = !stops && ((irq_q && write != Commit) || (point && !divides && by_control) || (counted && by_control_q));
    assign wait_d = irq_d ? CONTROL : RUN;
    always_comb begin
        state_d = state_q;
        unique case (state_q)
            IDLE: state_d = RUN;
            RUN, CONTROL: state_d = divides ? DIVIDE : wait_d;
            DIVIDE: if (divided) state_d = SEARCH;
            SEARCH: if (searched) state_d = LOOKUP;
            LOOKUP: state_d = change ? SETTLE : wait_d;
            SETTLE: if (reached) state_d = wait_d;
            default: ;
        endcase
        if (stops) state_d = IDLE;
    end
    always_comb begin
        busy = write != 2'd0;
        unique case (state_q)
            IDLE: if (run) busy = 1'b1;
            RUN, CONTROL: if (!run || reached || issued != '0 || missed != '0) busy = 1'b1;
            SETTLE: if (reached || issued != '0 || missed != '0) busy = 1'b1;
            default: busy = 1'b1;
        endcase
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            state_q <= IDLE;
            level_q <= Highest;
            {irq_q, slot_q, used_q, due_q, left_q, ends_q, instructions_q, misses_q, by_control_q} <= '0;
            {divisor_q, remainder_q, quotient_q, step_q} <= '0;
        end else begin
            {state_q, irq_q} <= {state_d, irq_d};
            used_q <= used_q ^ (write == Commit);
            if (begins) begin
                {due_q, left_q} <= {due_d, left_d};
                {instructions_q, misses_q} <= '0;
            end else if (state_q != IDLE) {instructions_q, misses_q} <= {instructions_d, misses_d};
            if (divides) begin
                {by_control_q, divisor_q, quotient_q} <= {by_control, instructions_d, misses_d};
                {remainder_q, step_q} <= '0;
            end
            if (run && state_q == DIVIDE) begin
                {remainder_q, quotient_q} <= {remainder_d, quotient_d};
                step_q <= divided ? '0 : step_q + 1'b1;
                if (divided) slot_q <= '0;
            end
            if (run && state_q == SEARCH) begin
                step_q <= step_q + 1'b1;
                slot_q <= slot_q + SlotBits'(passed);
            end
            if (change) begin
                level_q <= found;
                ends_q <= clock + pause;
            end
        end
    end

    // What is of a slot: its instructions, the edge above it, its levels. A table that is in use is not written.
    logic [LevelBits-1:0] given;
    assign given = 32'(value) < DVFS_LEVELS ? value[LevelBits-1:0] : Highest;
    for (genvar i = 0; i < DVFS_SLOTS; i++) begin : g_slot
        logic here;
        assign here = index == SlotBits'(i);
        always_ff @(posedge clk) begin
            if (rst) histogram_q[i*DVFS_SHARE_BITS+:DVFS_SHARE_BITS] <= '0;
            else if (counted && slot_q == SlotBits'(i)) histogram_q[i*DVFS_SHARE_BITS+:DVFS_SHARE_BITS] <= share_d;
            for (int t = 0; t < 2; t++) begin
                if (rst) table_q[(t*DVFS_SLOTS+i)*LevelBits+:LevelBits] <= Highest;
                else if (write == Entry && here && used_q != 1'(t)) table_q[(t*DVFS_SLOTS+i)*LevelBits+:LevelBits] <= given;
            end
        end
        if (i < DVFS_SLOTS - 1) begin : g_edge
            always_ff @(posedge clk) begin
                if (rst) edges_q[i*DVFS_EDGE_BITS+:DVFS_EDGE_BITS] <= '1;
                else if (write == Edge && here) edges_q[i*DVFS_EDGE_BITS+:DVFS_EDGE_BITS] <= value;
            end
        end
    end
endmodule

`default_nettype wire
