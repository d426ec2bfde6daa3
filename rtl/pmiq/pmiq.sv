// SPDX-License-Identifier: Apache-2.0
// pmiq: the prioritized memory issue queue, one per SM (thesis 8.5.2). Memory instructions of two kernels wait in a queue each; in each cycle
// in which the load/store unit takes an access, one kernel is granted it, so that a kernel that stalls does not keep the other from memory which
// that one can access. The order of what happens in one cycle stands in cmodel/pmiq/pmiq.h.
`default_nettype none

module pmiq #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,   // of a scheduler
    parameter int unsigned PMIQ_DEPTH = 0,  // instructions in the queue of a kernel
    localparam int unsigned WarpBits = $clog2(NUM_SCHEDULERS * NUM_WARPS),
    localparam int unsigned HandleBits = $clog2(PMIQ_DEPTH + 2),
    localparam int unsigned CountBits = $clog2(PMIQ_DEPTH + 1)
) (
    input  logic                  clk,
    input  logic                  rst,          // synchronous
    // from software
    input  logic                  clear,        // the SM begins anew: before this cycle the queues are emptied, kernel 0 goes first, nothing is owed
    input  logic                  block,        // what a kernel that stalls keeps from the other: 0 path, 1 cause
    input  logic [7:0]            share,        // of each kernel, of the accesses for which both can go; equal ones: by turns
    // from the issue stage: at most one memory instruction per cycle
    input  logic                  push_valid,   // one issues; ignored where its kernel's queue is full
    input  logic                  push_kernel,  // its kernel
    input  logic [WarpBits-1:0]   push_warp,    // its warp, by number in the SM
    input  logic [HandleBits-1:0] push_handle,  // where the load/store unit keeps the rest of it
    // from the load/store unit; of each kernel but `ready`
    input  logic                  ready,        // it takes an access in the next cycle
    input  logic [1:0]            begun,        // it has begun an instruction and not ended it: the kernel's head
    input  logic [1:0]            stalled,      // that has failed to reserve what it needs, and waits until it may succeed
    input  logic [3:0]            path,         // the memory that the head accesses: 0 L1D, 1 constant, 2 shared
    input  logic [1:0]            hit,          // L1D has the next line that the head loads
    // to the load/store unit
    output logic [1:0]            grant,        // for this kernel it works in the next cycle; 0: for none
    output logic                  take,         // it begins the head of that kernel's queue, which leaves the queue
    output logic [WarpBits-1:0]   warp,         // warp of that instruction; 0 where none is begun
    output logic [HandleBits-1:0] handle,       // its handle; 0 where none is begun
    // to the issue stage
    output logic [1:0]            full,         // the kernel's queue has no room: none of its memory instructions may issue
    // to who looks on
    output logic                  turns,        // the priority passes to the other kernel at this clock edge
    output logic                  pays          // both can go, and the kernel with the smaller share leaves the access to the other
);
    if (NUM_SCHEDULERS * NUM_WARPS < 2 || PMIQ_DEPTH < 1) begin : g_check
        $error("there must be two warps at least, and room for an instruction");
    end

    localparam int unsigned Bits = WarpBits + HandleBits;

    logic prio_q;                               // the kernel that goes first
    logic [3:0] owed_q;                         // what the kernel with the smaller share owes the other
    logic [2*CountBits-1:0] count_q;            // instructions in each queue
    logic [2*PMIQ_DEPTH*WarpBits-1:0] warps_q;  // their warps and handles, the head first
    logic [2*PMIQ_DEPTH*HandleBits-1:0] handles_q;

    // What counts in this cycle: the queues are emptied before it.
    logic owner;
    logic [1:0] empty;
    assign owner = prio_q && !clear;
    for (genvar k = 0; k < 2; k++) begin : g_level
        assign empty[k] = clear || count_q[k*CountBits+:CountBits] == '0;
        assign full[k] = !clear && count_q[k*CountBits+:CountBits] == CountBits'(PMIQ_DEPTH);
    end

    // A head that has failed keeps the other kernel's from the same memory; one that is refused so stalls as well.
    logic [1:0] waits, fails, there, stalls, can_go;
    logic same;
    assign waits = begun | ~empty;
    assign fails = begun & stalled;
    assign same = path[3:2] == path[1:0];
    for (genvar k = 0; k < 2; k++) begin : g_stall
        assign there[k] = block && path[2*k+:2] == 2'd0 && hit[k];
        assign stalls[k] = fails[k] || (waits[k] && fails[1-k] && same && !there[k]);
    end
    assign can_go = waits & ~stalls & {2{ready}};

    // Where both can go, the kernel with the smaller share comes to owe the difference for each access of its own, and pays its share for each
    // that it leaves to the other. Between equal shares nothing is owed, and nobody pays.
    logic lesser, lends;
    logic [3:0] owed, price, more;
    assign lesser = share[7:4] < share[3:0];
    assign price = lesser ? share[7:4] : share[3:0];
    assign more = (lesser ? share[3:0] : share[7:4]) - price;
    assign owed = owed_q & {4{!clear}};
    assign pays = &can_go && |more && owed >= price;
    assign lends = &can_go && owner == lesser;
    always_ff @(posedge clk) owed_q <= rst ? '0 : pays ? owed - price : lends ? owed + more : owed;

    // The owner of the priority goes first, unless it pays. It keeps it only while it goes on and the other stalls or pays.
    logic first;
    assign first = pays ? !lesser : owner;
    assign grant = {can_go[1] && (first || !can_go[0]), can_go[0] && (!first || !can_go[1])};
    assign take = |(grant & ~begun);
    assign turns = ready && |waits && !(pays && first == owner) && (owner ? stalls[1] || !stalls[0] : stalls[0] || !stalls[1]);
    always_ff @(posedge clk) prio_q <= rst ? 1'b0 : owner ^ turns;

    // The queues: where the head leaves, those behind move up; one that issues joins behind the last.
    logic [1:0] leaves, joins;
    logic [2*Bits-1:0] heads;
    for (genvar k = 0; k < 2; k++) begin : g_queue
        logic [CountBits-1:0] count, tail;  // before anything joins, what is left of the queue
        assign leaves[k] = grant[k] && !begun[k];
        assign joins[k] = push_valid && push_kernel == 1'(k) && !full[k];
        assign count = count_q[k*CountBits+:CountBits] & {CountBits{!clear}};
        assign tail = leaves[k] ? count - 1'b1 : count;
        always_ff @(posedge clk) count_q[k*CountBits+:CountBits] <= rst ? '0 : joins[k] ? tail + 1'b1 : tail;

        for (genvar i = 0; i < PMIQ_DEPTH; i++) begin : g_entry
            localparam int unsigned At = k * PMIQ_DEPTH + i;
            localparam int unsigned Behind = i + 1 < PMIQ_DEPTH ? At + 1 : At;
            logic here;
            assign here = joins[k] && tail == CountBits'(i);
            always_ff @(posedge clk) begin
                if (rst) begin
                    warps_q[At*WarpBits+:WarpBits] <= '0;
                    handles_q[At*HandleBits+:HandleBits] <= '0;
                end else if (here) begin
                    warps_q[At*WarpBits+:WarpBits] <= push_warp;
                    handles_q[At*HandleBits+:HandleBits] <= push_handle;
                end else if (leaves[k]) begin
                    warps_q[At*WarpBits+:WarpBits] <= warps_q[Behind*WarpBits+:WarpBits];
                    handles_q[At*HandleBits+:HandleBits] <= handles_q[Behind*HandleBits+:HandleBits];
                end
            end
        end
        assign heads[k*Bits+:Bits] = {handles_q[k*PMIQ_DEPTH*HandleBits+:HandleBits], warps_q[k*PMIQ_DEPTH*WarpBits+:WarpBits]}
                                     & {Bits{leaves[k]}};
    end
    assign {handle, warp} = heads[Bits+:Bits] | heads[0+:Bits];
endmodule

`default_nettype wire
