// SPDX-License-Identifier: Apache-2.0
// dispatch: the thread-block dispatcher, one per GPU. Each cycle it places at most one block of the kernel on an SM.
// Policies: lrr, the next block to the next SM with room, round robin; bcs, two consecutive blocks to the next SM with
// room for both (PAVER 2.1, 6.1, 6.3). The state machine is fsm/dispatch.def.
`default_nettype none

module dispatch #(
    parameter int unsigned NUM_SMS = 0,     // at least 2
    parameter int unsigned SM_BLOCKS = 0,   // contexts of an SM, at least 2
    parameter int unsigned BLOCK_BITS = 0,  // of a block's linear number
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned CountBits = $clog2(SM_BLOCKS + 1)
) (
    input  logic                  clk,
    input  logic                  rst,          // synchronous
    // from software
    input  logic                  policy,       // 0 lrr, 1 bcs
    input  logic                  start,        // a kernel starts; ignored unless the state is IDLE
    input  logic [BLOCK_BITS-1:0] first,        // linear number of its first block
    input  logic [BLOCK_BITS-1:0] blocks,       // number of its blocks; 0: it does not start
    input  logic                  stop,         // the kernel is given up: no further block is placed
    input  logic [CountBits-1:0]  limit,        // blocks of the kernel that fit an SM
    // from throttling units
    input  logic [NUM_SMS-1:0]    allow,        // SM may receive a block
    // from the SMs
    input  logic [NUM_SMS-1:0]    ended,        // a block on this SM has ended; ignored where none is resident
    // to the SMs
    output logic                  place_valid,  // a block is placed this cycle
    output logic [SmBits-1:0]     place_sm,     // where; 0 when none is placed
    output logic [BLOCK_BITS-1:0] place_block,  // linear number of the next block, placed or not
    // to software
    output logic                  done          // nothing of the kernel is left after this cycle
);
    if (NUM_SMS < 2 || SM_BLOCKS < 2 || BLOCK_BITS < 2) begin : g_check
        $error("NUM_SMS, SM_BLOCKS and BLOCK_BITS must be at least 2");
    end

    localparam logic PolicyBcs = 1'b1;

    typedef enum logic [1:0] {
        IDLE,
        SEARCH,
        SECOND,
        DRAIN
    } dispatch_fsm;

    dispatch_fsm state_q, state_d;
    logic [BLOCK_BITS-1:0] next_q;  // block to be placed next
    logic [BLOCK_BITS-1:0] left_q;  // blocks not yet placed
    logic [SmBits-1:0] last_q;      // SM that received the last block
    logic [NUM_SMS*CountBits-1:0] resident_q;  // blocks on each SM

    // Do the next two blocks go together? Not the last one alone, nor where an SM never holds two.
    logic several, pair;
    assign several = |left_q[BLOCK_BITS-1:1];
    assign pair = state_q == SEARCH && policy == PolicyBcs && several && |limit[CountBits-1:1];

    // An SM has room while its blocks, without the one that ends this cycle, are fewer than the bound.
    logic [CountBits-1:0] bound;
    logic [NUM_SMS-1:0] leaves, room, placed;  // leaves: a resident block ends
    logic [NUM_SMS-1:0] empty;                 // no block is left after this cycle
    assign bound = limit - CountBits'(pair);
    for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
        logic [CountBits-1:0] resident;
        assign resident = resident_q[i*CountBits+:CountBits];
        assign leaves[i] = ended[i] && resident != '0;
        assign room[i] = allow[i] && (resident < bound || (leaves[i] && resident == bound));
        assign empty[i] = resident == '0 || (leaves[i] && resident == CountBits'(1));
        always_ff @(posedge clk) begin
            if (rst) resident_q[i*CountBits+:CountBits] <= '0;
            else if (placed[i] && !leaves[i]) resident_q[i*CountBits+:CountBits] <= resident + 1'b1;
            else if (leaves[i] && !placed[i]) resident_q[i*CountBits+:CountBits] <= resident - 1'b1;
        end
    end

    // The next SM with room after the one that received the last block; the second of a pair follows the first.
    logic [NUM_SMS-1:0] here, candidates;  // here: the SM that received the last block
    always_comb begin
        for (int i = 0; i < NUM_SMS; i++) here[i] = SmBits'(i) == last_q;
        unique case (state_q)
            SEARCH: candidates = room;
            SECOND: candidates = room & here;
            default: candidates = '0;
        endcase
        if (stop) candidates = '0;
    end
    round_robin #(
        .NUM(NUM_SMS)
    ) turn (
        .candidates(candidates),
        .last(last_q),
        .chosen(placed),
        .number(place_sm)
    );
    assign place_valid = |candidates;
    assign place_block = next_q;
    assign done = state_q == DRAIN && &empty;

    // A kernel starts; one is given up.
    logic begins, given_up;
    assign given_up = stop && state_q != IDLE;
    assign begins = state_q == IDLE && start && |blocks;

    always_comb begin
        state_d = state_q;
        if (begins) state_d = SEARCH;
        if (place_valid) state_d = pair ? SECOND : several ? SEARCH : DRAIN;
        if (given_up) state_d = DRAIN;
        if (done) state_d = IDLE;
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            state_q <= IDLE;
            next_q <= '0;
            left_q <= '0;
            last_q <= '0;
        end else begin
            state_q <= state_d;
            if (begins) begin
                next_q <= first;
                left_q <= blocks;
                last_q <= SmBits'(NUM_SMS - 1);
            end else if (place_valid) begin
                next_q <= next_q + 1'b1;
                left_q <= left_q - 1'b1;
                last_q <= place_sm;
            end else if (given_up) begin
                left_q <= '0;
            end
        end
    end
endmodule

`default_nettype wire
