// SPDX-License-Identifier: Apache-2.0
// vta: the victim tags of one SM. Per warp, VTA_SETS sets of VTA_WAYS tags of lines that the warp had brought into L1D and that
// have left; a miss of the same warp on such a line is locality that it has lost (DAWS 3.3, 5.2.1, table 3). The order of
// what happens in one cycle stands in cmodel/vta/vta.h.
//
// Entries are numbered by warp, set and way: a row is the set of a warp. Valid bits are flip-flops, because whole warps are
// cleared at once; tags and the order of insertion are memories, written by evictions only.
`default_nettype none

module vta #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,  // of one scheduler
    parameter int unsigned LINE_BITS = 0,
    parameter int unsigned VTA_SETS = 0,   // of a warp; a power of two, at least 2
    parameter int unsigned VTA_WAYS = 0,   // a power of two, at least 2
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned SlotBits = $clog2(Slots),
    localparam int unsigned Entries = Slots * VTA_SETS * VTA_WAYS
) (
    input  logic                 clk,
    input  logic                 rst,         // synchronous
    // from the block dispatcher
    input  logic                 start,       // a kernel begins: no entry is valid
    input  logic [Slots-1:0]     fresh,       // slot gets a new warp: its entries are cleared
    // from L1D: a load misses
    input  logic                 miss,        // and its line is not on its way already
    input  logic [LINE_BITS-1:0] miss_line,   // number of the line
    input  logic [SlotBits-1:0]  miss_warp,   // warp that misses
    // from L1D: a line leaves
    input  logic                 evict,       // a valid line
    input  logic [LINE_BITS-1:0] evict_line,  // number of the line
    input  logic [SlotBits-1:0]  owner,       // warp that had brought it
    // to what throttles
    output logic                 hit          // the warp that misses had brought this line before
);
    localparam int unsigned SetBits = $clog2(VTA_SETS);
    localparam int unsigned WayBits = $clog2(VTA_WAYS);
    localparam int unsigned TagBits = LINE_BITS - SetBits;
    localparam int unsigned Rows = Slots * VTA_SETS;
    localparam int unsigned RowBits = SlotBits + SetBits;
    localparam int unsigned Pairs = VTA_WAYS * (VTA_WAYS - 1) / 2;
    localparam logic [SlotBits:0] NumSlots = (SlotBits + 1)'(Slots);

    if (VTA_SETS != 1 << SetBits || VTA_WAYS != 1 << WayBits || VTA_SETS < 2 || VTA_WAYS < 2 || Slots < 2) begin : g_sizes
        $error("VTA_SETS and VTA_WAYS are powers of two, at least 2, and a warp has a number");
    end

    logic [Entries-1:0] valid_q, valid_d;

    // The set in which the miss looks, and the one into which the eviction goes.
    logic [RowBits-1:0] miss_row, evict_row;
    logic [VTA_WAYS-1:0] miss_valid, evict_valid;  // their valid bits
    assign miss_row = {miss_warp, miss_line[SetBits-1:0]};
    assign evict_row = {owner, evict_line[SetBits-1:0]};
    always_comb begin
        miss_valid = '0;
        evict_valid = '0;
        for (int row = 0; row < Rows; row++) begin
            if (miss_row == RowBits'(row)) miss_valid = miss_valid | valid_q[row*VTA_WAYS+:VTA_WAYS];
            if (evict_row == RowBits'(row)) evict_valid = evict_valid | valid_q[row*VTA_WAYS+:VTA_WAYS];
        end
    end

    // Probe: all ways of the set at once.
    logic looks;
    logic [VTA_WAYS-1:0] match;  // entries that hold the line; those are freed
    logic [VTA_WAYS*(RowBits+WayBits)-1:0] probed;
    logic [VTA_WAYS*TagBits-1:0] tags;
    assign looks = miss && !start && {1'b0, miss_warp} < NumSlots;
    for (genvar w = 0; w < VTA_WAYS; w++) begin : g_probe
        assign probed[w*(RowBits+WayBits)+:RowBits+WayBits] = {miss_row, WayBits'(w)};
        assign match[w] = looks && miss_valid[w] && tags[w*TagBits+:TagBits] == miss_line[LINE_BITS-1:SetBits];
    end
    assign hit = |match;

    // Insertion: into the first way that is free, what the probe frees included; else in place of the oldest.
    logic inserts;
    logic [VTA_WAYS-1:0] taken, free_way, oldest, into;
    logic [WayBits-1:0] into_way;
    logic [Pairs-1:0] order_before, order_after;
    assign inserts = evict && !start && {1'b0, owner} < NumSlots && !fresh[owner];
    assign taken = evict_valid & ~(miss_row == evict_row ? match : '0);
    assign free_way = ~taken & (taken + 1'b1);  // the lowest that is clear; none if all are set
    assign into = &taken ? oldest : free_way;
    always_comb begin
        into_way = '0;
        for (int w = 0; w < VTA_WAYS; w++) if (into[w]) into_way = into_way | WayBits'(w);
    end

    memory #(
        .WIDTH(TagBits),
        .DEPTH(Entries),
        .READS(VTA_WAYS)
    ) tag (
        .clk(clk),
        .write(inserts),
        .write_address({evict_row, into_way}),
        .write_data(evict_line[LINE_BITS-1:SetBits]),
        .read_address(probed),
        .read_data(tags)
    );

    memory #(
        .WIDTH(Pairs),
        .DEPTH(Rows)
    ) order (
        .clk(clk),
        .write(inserts),
        .write_address(evict_row),
        .write_data(order_after),
        .read_address(evict_row),
        .read_data(order_before)
    );

    lru_ways #(
        .WAYS(VTA_WAYS)
    ) lru (
        .order(order_before),
        .used(into),
        .oldest(oldest),
        .order_after(order_after)
    );

    // What the probe frees goes first, then the eviction comes in; a fresh slot loses all.
    always_comb begin
        for (int row = 0; row < Rows; row++) begin
            valid_d[row*VTA_WAYS+:VTA_WAYS] = valid_q[row*VTA_WAYS+:VTA_WAYS];
            if (miss_row == RowBits'(row))
                valid_d[row*VTA_WAYS+:VTA_WAYS] = valid_d[row*VTA_WAYS+:VTA_WAYS] & ~match;
            if (inserts && evict_row == RowBits'(row))
                valid_d[row*VTA_WAYS+:VTA_WAYS] = valid_d[row*VTA_WAYS+:VTA_WAYS] | into;
            if (fresh[row/VTA_SETS]) valid_d[row*VTA_WAYS+:VTA_WAYS] = '0;
        end
    end

    always_ff @(posedge clk) begin
        if (rst || start) valid_q <= '0;
        else valid_q <= valid_d;
    end
endmodule

`default_nettype wire
