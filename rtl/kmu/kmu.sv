// SPDX-License-Identifier: Apache-2.0
// kmu: the kernel management unit, one per GPU. It hands out the blocks of two kernels that share the SMs (thesis 8.3.1), at most one block
// per cycle. Each kernel has a quota of blocks per SM, which is lent to the other while it has no block to hand out itself. The order of what
// happens in one cycle stands in cmodel/kmu/kmu.h; the state machine of each kernel is fsm/kmu.def.
`default_nettype none

module kmu #(
    parameter int unsigned NUM_SMS = 0,     // at least 2
    parameter int unsigned SM_BLOCKS = 0,   // contexts of an SM, at least 2
    parameter int unsigned BLOCK_BITS = 0,  // of a block's linear number
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned CountBits = $clog2(SM_BLOCKS + 1)
) (
    input  logic                    clk,
    input  logic                    rst,           // synchronous
    // from software, of each kernel
    input  logic [1:0]              start,         // the kernel starts; ignored unless its state is IDLE
    input  logic [2*BLOCK_BITS-1:0] first,         // linear number of its first block
    input  logic [2*BLOCK_BITS-1:0] blocks,        // number of its blocks; 0: it does not start
    input  logic [1:0]              stop,          // the kernel is given up: no further block is placed
    input  logic [2*CountBits-1:0]  quota,         // blocks of the kernel per SM while the other has blocks to hand out
    input  logic [2*NUM_SMS-1:0]    may_use,       // the kernel may use the SM
    // from the SMs, of each kernel
    input  logic [2*NUM_SMS-1:0]    room,          // one more block of the kernel fits the SM beside all that is resident
    input  logic [2*NUM_SMS-1:0]    ended,         // a block of the kernel has ended; ignored where none is resident
    // to the SMs
    output logic                    place_valid,   // a block is placed this cycle
    output logic                    place_kernel,  // of this kernel; 0 when none is placed
    output logic [SmBits-1:0]       place_sm,      // where; 0 when none is placed
    output logic [BLOCK_BITS-1:0]   place_block,   // linear number of the next block of place_kernel, placed or not
    // to software, of each kernel
    output logic [1:0]              done           // nothing of the kernel is left after this cycle
);
    if (NUM_SMS < 2 || SM_BLOCKS < 2 || BLOCK_BITS < 2) begin : g_check
        $error("NUM_SMS, SM_BLOCKS and BLOCK_BITS must be at least 2");
    end

    localparam logic [CountBits-1:0] Most = CountBits'(SM_BLOCKS);

    typedef enum logic [1:0] {
        IDLE,
        SEARCH,
        DRAIN
    } kmu_fsm;

    kmu_fsm state_0_q, state_0_d, state_1_q, state_1_d;
    logic [2*BLOCK_BITS-1:0] next_q;  // block to be placed next
    logic [2*BLOCK_BITS-1:0] left_q;  // blocks not yet placed
    logic [2*SmBits-1:0] last_q;      // SM that received the kernel's last block
    logic [2*NUM_SMS*CountBits-1:0] resident_q;  // blocks of the kernel on the SM
    logic turn_q;                     // kernel that goes first where both can be placed

    logic [1:0] idle, wants, drains;  // wants: it has blocks to hand out
    assign idle = {state_1_q == IDLE, state_0_q == IDLE};
    assign wants = {state_1_q == SEARCH, state_0_q == SEARCH} & ~stop;
    assign drains = {state_1_q == DRAIN, state_0_q == DRAIN};

    // A kernel can go where its blocks, without the one that ends this cycle, are fewer than it may hold: its quota, unless the
    // other's is lent.
    logic [2*NUM_SMS-1:0] can_go, placed;
    logic [2*NUM_SMS-1:0] empty;  // no block is left after this cycle
    for (genvar k = 0; k < 2; k++) begin : g_bound
        logic [CountBits-1:0] mine, bound;
        assign mine = quota[k*CountBits+:CountBits];
        assign bound = wants[1-k] && mine < Most ? mine : Most;
        for (genvar i = k * NUM_SMS; i < (k + 1) * NUM_SMS; i++) begin : g_sm
            logic [CountBits-1:0] resident;
            logic leaves;  // a resident block ends
            assign resident = resident_q[i*CountBits+:CountBits];
            assign leaves = ended[i] && resident != '0;
            assign can_go[i] = wants[k] && may_use[i] && room[i] && (resident < bound || (leaves && resident == bound));
            assign empty[i] = resident == '0 || (leaves && resident == CountBits'(1));
            always_ff @(posedge clk) begin
                if (rst) resident_q[i*CountBits+:CountBits] <= '0;
                else if (placed[i] && !leaves) resident_q[i*CountBits+:CountBits] <= resident + 1'b1;
                else if (leaves && !placed[i]) resident_q[i*CountBits+:CountBits] <= resident - 1'b1;
            end
        end
    end

    // The kernel that is placed, and the next SM that it can go to after the one that received its last block.
    logic [1:0] can;
    logic [NUM_SMS-1:0] candidates, chosen;
    logic [SmBits-1:0] last;
    assign can = {|can_go[NUM_SMS+:NUM_SMS], |can_go[0+:NUM_SMS]};
    assign place_valid = |can;
    assign place_kernel = &can ? turn_q : can[1];
    assign candidates = place_kernel ? can_go[NUM_SMS+:NUM_SMS] : can_go[0+:NUM_SMS];
    assign last = place_kernel ? last_q[SmBits+:SmBits] : last_q[0+:SmBits];
    round_robin #(
        .NUM(NUM_SMS)
    ) circle (
        .candidates(candidates),
        .last(last),
        .chosen(chosen),
        .number(place_sm)
    );
    assign placed = {chosen & {NUM_SMS{place_kernel}}, chosen & {NUM_SMS{!place_kernel}}};
    assign place_block = place_kernel ? next_q[BLOCK_BITS+:BLOCK_BITS] : next_q[0+:BLOCK_BITS];
    always_ff @(posedge clk) begin
        if (rst) turn_q <= 1'b0;
        else if (place_valid) turn_q <= !place_kernel;
    end

    // A kernel starts; one is given up; its next, its last block is placed.
    logic [1:0] begins, given_up, places, finishes;
    for (genvar k = 0; k < 2; k++) begin : g_kernel
        assign begins[k] = idle[k] && start[k] && |blocks[k*BLOCK_BITS+:BLOCK_BITS];
        assign given_up[k] = stop[k] && !idle[k];
        assign places[k] = place_valid && place_kernel == 1'(k);
        assign finishes[k] = places[k] && !(|left_q[k*BLOCK_BITS+1+:BLOCK_BITS-1]);
        assign done[k] = drains[k] && &empty[k*NUM_SMS+:NUM_SMS];
        always_ff @(posedge clk) begin
            if (rst) begin
                next_q[k*BLOCK_BITS+:BLOCK_BITS] <= '0;
                left_q[k*BLOCK_BITS+:BLOCK_BITS] <= '0;
                last_q[k*SmBits+:SmBits] <= '0;
            end else if (begins[k]) begin
                next_q[k*BLOCK_BITS+:BLOCK_BITS] <= first[k*BLOCK_BITS+:BLOCK_BITS];
                left_q[k*BLOCK_BITS+:BLOCK_BITS] <= blocks[k*BLOCK_BITS+:BLOCK_BITS];
                last_q[k*SmBits+:SmBits] <= SmBits'(NUM_SMS - 1);
            end else if (places[k]) begin
                next_q[k*BLOCK_BITS+:BLOCK_BITS] <= next_q[k*BLOCK_BITS+:BLOCK_BITS] + 1'b1;
                left_q[k*BLOCK_BITS+:BLOCK_BITS] <= left_q[k*BLOCK_BITS+:BLOCK_BITS] - 1'b1;
                last_q[k*SmBits+:SmBits] <= place_sm;
            end else if (given_up[k]) begin
                left_q[k*BLOCK_BITS+:BLOCK_BITS] <= '0;
            end
        end
    end

    // Registers that are named one by one, so that each is of the enum.
    always_comb begin
        state_0_d = state_0_q;
        if (begins[0]) state_0_d = SEARCH;
        if (finishes[0] || given_up[0]) state_0_d = DRAIN;
        if (done[0]) state_0_d = IDLE;
        state_1_d = state_1_q;
        if (begins[1]) state_1_d = SEARCH;
        if (finishes[1] || given_up[1]) state_1_d = DRAIN;
        if (done[1]) state_1_d = IDLE;
    end
    always_ff @(posedge clk) begin
        if (rst) begin
            state_0_q <= IDLE;
            state_1_q <= IDLE;
        end else begin
            state_0_q <= state_0_d;
            state_1_q <= state_1_d;
        end
    end
endmodule

`default_nettype wire
