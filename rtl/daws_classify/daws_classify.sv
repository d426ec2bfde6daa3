// SPDX-License-Identifier: Apache-2.0
// daws_classify: the load classification of one SM (DAWS, MICRO 2013, 5.2): which warp samples which loop, whether the loop
// has locality, which of its loads are diverged and which repeat each other, and from that the footprints of loops. The order
// of what happens in one cycle stands in cmodel/daws_classify/daws_classify.h.
// What only an access or a feedback moves is worked out in its cycle alone: less toggles, and a simulator passes over it.
//
// A footprint is asked for several times in a cycle, but at most one load changes. So the loops' distinct repetition ids are
// not counted when a footprint is wanted: each loop keeps two counts, which move with the load.
`default_nettype none

module daws_classify #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,  // of one scheduler
    parameter int unsigned LOOP_BITS = 0,
    parameter int unsigned LOAD_BITS = 0,
    parameter int unsigned LINE_BITS = 0,
    parameter int unsigned ILRD_SETS = 0,  // a power of two, from 2 on
    parameter int unsigned ILRD_WAYS = 0,  // the same
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned SlotBits = $clog2(Slots),
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned Loops = (1 << LOOP_BITS) - 1,
    localparam int unsigned IdBits = LOAD_BITS - 1,
    localparam int unsigned Loads = 1 << IdBits,
    localparam int unsigned Entries = ILRD_SETS * ILRD_WAYS
) (
    input  logic                                clk,
    input  logic                                rst,            // synchronous
    // from the block dispatcher
    input  logic                                start,          // a kernel begins: all is as after a reset
    input  logic [Slots-1:0]                    fresh,          // slot gets a new warp; the lowest counts
    // from the schedulers
    input  logic [NUM_SCHEDULERS-1:0]           issue,          // a warp issues
    input  logic [NUM_SCHEDULERS*WarpBits-1:0]  warp,           // which
    input  logic [NUM_SCHEDULERS*6-1:0]         active,         // its active lanes
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_begin,     // its instruction is the first of this loop
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_last,      // last loop inside that loop
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_end,       // its instruction is the last of this loop
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop,           // innermost loop of what it executes next
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] next_loop,      // first loop that begins behind that
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] inner,          // loop that its prediction is of
    // from the coalescer
    input  logic                                access,         // a load reaches L1D
    input  logic [SlotBits-1:0]                 access_warp,    // slot of the warp that loads
    input  logic [LOAD_BITS-1:0]                access_load,    // number of the load
    input  logic [LOOP_BITS-1:0]                access_loop,    // innermost loop of the load
    input  logic [5:0]                          access_active,  // lanes that load
    input  logic [5:0]                          access_lines,   // memory accesses that were made of it
    input  logic [LINE_BITS-1:0]                access_line,    // line of the first one
    // from L1D and the victim tags
    input  logic                                feedback,       // the last line of a load has accessed L1D
    input  logic [SlotBits-1:0]                 feedback_warp,  // slot of the warp that loads
    input  logic [LOOP_BITS-1:0]                feedback_loop,  // innermost loop of the load
    input  logic                                feedback_local, // the warp had brought one of its lines before
    // to daws_predict
    output logic [NUM_SCHEDULERS*8-1:0]         footprint,      // lines of loop_begin's loop, or of `inner`
    output logic [NUM_SCHEDULERS*8-1:0]         closest         // lines of next_loop
);
    localparam int unsigned SetBits = $clog2(ILRD_SETS);
    localparam int unsigned WayBits = $clog2(ILRD_WAYS);
    localparam int unsigned TagBits = LINE_BITS - SetBits;
    localparam int unsigned OrderBits = ILRD_WAYS * (ILRD_WAYS - 1) / 2;

    // Of loop l, element l - 1.
    logic [Loops*LOOP_BITS-1:0] last_q, last_d;  // 0: nobody samples it
    logic [Loops*SlotBits-1:0] sampler_q, sampler_d;
    logic [Loops*6-1:0] locality_q;
    logic [Loops*LOAD_BITS-1:0] diverged_q, converged_q;
    // Of load l, element l - 1.
    logic [Loads*LOOP_BITS-1:0] load_loop_q;  // 0: not classified
    logic [Loads*2-1:0] divergence_q;
    logic [Loads*IdBits-1:0] repetition_q;
    // Of way w of set s, element s * ILRD_WAYS + w.
    logic [Entries-1:0] ilrd_valid_q, ilrd_valid_d;
    logic [Entries*SlotBits-1:0] ilrd_warp_q;
    logic [Entries-1:0] writes;  // the access goes here

    // What the issues say: slot s of the SM issues.
    logic [NUM_SCHEDULERS-1:0] issues;
    logic [NUM_SCHEDULERS*SlotBits-1:0] slot;
    logic [NUM_SCHEDULERS-1:0] wants, enters;  // would sample loop_begin's loop; may
    logic [NUM_SCHEDULERS-1:0] repeats, samples, forgets;  // the detector forgets the slot: a sampler's next trip, or a new sampler
    for (genvar s = 0; s < NUM_SCHEDULERS; s++) begin : g_issue
        logic [WarpBits-1:0] number;
        assign number = warp[s*WarpBits+:WarpBits];
        logic [LOOP_BITS-1:0] first, after;
        assign first = loop_begin[s*LOOP_BITS+:LOOP_BITS];
        assign after = loop[s*LOOP_BITS+:LOOP_BITS];
        assign issues[s] = issue[s] && 32'(number) < NUM_WARPS;
        assign slot[s*SlotBits+:SlotBits] = SlotBits'(s * NUM_WARPS) + SlotBits'(number);
        assign wants[s] = issues[s] && active[s*6+:6] > 6'd2 && first != '0 && after >= first
            && after <= loop_last[s*LOOP_BITS+:LOOP_BITS];
        logic [NUM_SCHEDULERS-1:0] earlier;  // schedulers that come first there
        for (genvar t = 0; t < NUM_SCHEDULERS; t++) begin : g_other
            assign earlier[t] = t < s && wants[t] && loop_begin[t*LOOP_BITS+:LOOP_BITS] == first;
        end
        assign enters[s] = wants[s] && earlier == '0;
    end

    logic [SlotBits-1:0] fresh_slot;  // the lowest, if any
    always_comb begin
        fresh_slot = '0;
        for (int w = Slots - 1; w >= 0; w--) if (fresh[w]) fresh_slot = SlotBits'(w);
    end

    // Who samples. A loop whose sampler leaves can be taken by another warp in the same cycle.
    logic [Loops*LOOP_BITS-1:0] kept;  // last_q, but 0 where the sampler leaves
    always_comb begin
        kept = last_q;
        repeats = '0;
        if (|fresh) for (int l = 0; l < Loops; l++) begin
            if (sampler_q[l*SlotBits+:SlotBits] == fresh_slot) kept[l*LOOP_BITS+:LOOP_BITS] = '0;
        end
        for (int s = 0; s < NUM_SCHEDULERS; s++) begin
            if (issues[s]) for (int l = 0; l < Loops; l++) begin
                if (sampler_q[l*SlotBits+:SlotBits] == slot[s*SlotBits+:SlotBits]) begin
                    if (loop[s*LOOP_BITS+:LOOP_BITS] <= LOOP_BITS'(l)
                        || loop[s*LOOP_BITS+:LOOP_BITS] > last_q[l*LOOP_BITS+:LOOP_BITS])
                        kept[l*LOOP_BITS+:LOOP_BITS] = '0;
                    if (last_q[l*LOOP_BITS+:LOOP_BITS] != '0 && loop_end[s*LOOP_BITS+:LOOP_BITS] == LOOP_BITS'(l + 1))
                        repeats[s] = 1'b1;
                end
            end
        end
    end
    always_comb begin
        last_d = kept;
        sampler_d = sampler_q;
        samples = '0;
        for (int s = 0; s < NUM_SCHEDULERS; s++) begin
            if (enters[s]) for (int l = 0; l < Loops; l++) begin
                if (loop_begin[s*LOOP_BITS+:LOOP_BITS] == LOOP_BITS'(l + 1) && kept[l*LOOP_BITS+:LOOP_BITS] == '0) begin
                    last_d[l*LOOP_BITS+:LOOP_BITS] = loop_last[s*LOOP_BITS+:LOOP_BITS];
                    sampler_d[l*SlotBits+:SlotBits] = slot[s*SlotBits+:SlotBits];
                    samples[s] = 1'b1;
                end
            end
        end
    end
    assign forgets = repeats | samples;

    // Locality feedback: the counter of the loop whose sampler loads.
    logic [SlotBits-1:0] fed_sampler;
    logic fed_counts;
    logic [Loops-1:0] fed;  // it is this loop, and somebody samples it
    logic [5:0] old_locality, new_locality;
    always_comb begin
        fed = '0;
        fed_sampler = '0;
        old_locality = '0;
        if (feedback) for (int l = 0; l < Loops; l++) begin
            fed[l] = feedback_loop == LOOP_BITS'(l + 1) && last_q[l*LOOP_BITS+:LOOP_BITS] != '0;
            if (fed[l]) begin
                fed_sampler = fed_sampler | sampler_q[l*SlotBits+:SlotBits];
                old_locality = old_locality | locality_q[l*6+:6];
            end
        end
        fed_counts = feedback && fed_sampler == feedback_warp;
        new_locality = old_locality;
        if (feedback_local && old_locality != 6'd31) new_locality = old_locality + 6'd1;
        if (!feedback_local && old_locality != 6'd32) new_locality = old_locality - 6'd1;
    end

    // The loop of the access, and whether the access counts.
    logic [Loops-1:0] at_loop, has_locality;
    logic is_sampled, counts, known;  // is_sampled: there is an access, of a loop that is; known: the load has an entry
    logic [SlotBits-1:0] its_sampler;
    logic [LOAD_BITS-1:0] old_diverged, old_converged;
    always_comb begin
        for (int l = 0; l < Loops; l++) has_locality[l] = !locality_q[l*6+5] && locality_q[l*6+:5] != '0;
    end
    always_comb begin
        at_loop = '0;
        is_sampled = 1'b0;
        its_sampler = '0;
        old_diverged = '0;
        old_converged = '0;
        if (access) for (int l = 0; l < Loops; l++) begin
            at_loop[l] = access_loop == LOOP_BITS'(l + 1);
            if (at_loop[l]) begin
                is_sampled = has_locality[l] && last_q[l*LOOP_BITS+:LOOP_BITS] != '0;
                its_sampler = its_sampler | sampler_q[l*SlotBits+:SlotBits];
                old_diverged = old_diverged | diverged_q[l*LOAD_BITS+:LOAD_BITS];
                old_converged = old_converged | converged_q[l*LOAD_BITS+:LOAD_BITS];
            end
        end
    end

    logic [IdBits-1:0] load, old_group, group;  // the load; its repetition id
    logic [Loads-1:0] at_load;
    logic [LOOP_BITS-1:0] its_loop;
    logic [1:0] old_divergence, new_divergence;
    assign load = IdBits'(access_load - 1'b1);
    always_comb begin
        at_load = '0;
        its_loop = '0;
        old_divergence = '0;
        old_group = '0;
        if (access) for (int i = 0; i < Loads; i++) begin
            at_load[i] = load == IdBits'(i);
            if (at_load[i]) begin
                its_loop = its_loop | load_loop_q[i*LOOP_BITS+:LOOP_BITS];
                old_divergence = old_divergence | divergence_q[i*2+:2];
                old_group = old_group | repetition_q[i*IdBits+:IdBits];
            end
        end
    end
    assign known = its_loop != '0;
    assign group = known ? old_group : load;
    assign counts = is_sampled && its_sampler == access_warp && access_load != '0 && 32'(access_load) <= Loads
        && (!known || its_loop == access_loop);
    always_comb begin
        new_divergence = old_divergence;
        if (access_active > 6'd2 && access_lines > 6'd2 && old_divergence != 2'd3) new_divergence = old_divergence + 2'd1;
        if (access_active > 6'd2 && access_lines <= 6'd2 && old_divergence != 2'd0) new_divergence = old_divergence - 2'd1;
    end

    // The repetition detector: the set of the line, all ways at once.
    logic [SetBits-1:0] set;
    logic [TagBits-1:0] tag;
    logic [ILRD_WAYS*(TagBits+IdBits)-1:0] words;
    logic [ILRD_WAYS*(SetBits+WayBits)-1:0] addresses;
    logic [ILRD_WAYS*SlotBits-1:0] owners;
    logic [ILRD_WAYS-1:0] valid, same, free, oldest, used;
    logic [OrderBits-1:0] stored_order, old_order, new_order;
    logic [WayBits-1:0] way;
    logic found;
    logic [IdBits-1:0] other;  // the load found
    assign set = access_line[SetBits-1:0];
    assign tag = access_line[LINE_BITS-1:SetBits];
    assign free = ~valid;
    always_comb begin
        valid = '0;
        owners = '0;
        if (access) for (int i = 0; i < ILRD_SETS; i++) begin
            if (set == SetBits'(i)) begin
                valid = valid | ilrd_valid_q[i*ILRD_WAYS+:ILRD_WAYS];
                owners = owners | ilrd_warp_q[i*ILRD_WAYS*SlotBits+:ILRD_WAYS*SlotBits];
            end
        end
    end
    for (genvar w = 0; w < ILRD_WAYS; w++) begin : g_way
        assign addresses[w*(SetBits+WayBits)+:SetBits+WayBits] = {set, WayBits'(w)};
        assign same[w] = valid[w] && owners[w*SlotBits+:SlotBits] == access_warp
            && words[w*(TagBits+IdBits)+IdBits+:TagBits] == tag;
        for (genvar j = w + 1; j < ILRD_WAYS; j++) begin : g_pair
            localparam int unsigned Pair = w * (2 * ILRD_WAYS - 1 - w) / 2 + j - w - 1;
            assign old_order[Pair] = stored_order[Pair] && valid[w] && valid[j];
        end
    end
    assign found = |same;
    assign used = found ? same : |free ? free & (~free + 1'b1) : oldest;
    always_comb begin
        way = '0;
        other = '0;
        for (int w = 0; w < ILRD_WAYS; w++) if (used[w]) way = way | WayBits'(w);
        for (int w = 0; w < ILRD_WAYS; w++) if (same[w]) other = other | words[w*(TagBits+IdBits)+:IdBits];
    end

    memory #(
        .WIDTH(TagBits + IdBits),
        .DEPTH(Entries),
        .READS(ILRD_WAYS)
    ) ilrd (
        .clk(clk),
        .write(counts && !start),
        .write_address({set, way}),
        .write_data({tag, load}),
        .read_address(addresses),
        .read_data(words)
    );

    memory #(
        .WIDTH(OrderBits),
        .DEPTH(ILRD_SETS)
    ) ilrd_order (
        .clk(clk),
        .write(counts && !start),
        .write_address(set),
        .write_data(new_order),
        .read_address(set),
        .read_data(stored_order)
    );

    lru_ways #(
        .WAYS(ILRD_WAYS)
    ) lru (
        .order(old_order),
        .used(used),
        .oldest(oldest),
        .order_after(new_order)
    );

    // The load's group of equal repetition ids, and the group that it joins; is one of their loads diverged?
    logic [IdBits-1:0] joined;
    logic [LOOP_BITS-1:0] other_loop;
    logic joins, was_diverged, other_diverged, is_diverged;
    logic [Loads-1:0] mine, theirs;  // members; the load itself is one although it may have no entry yet
    always_comb begin
        joined = '0;
        other_loop = '0;
        if (found) for (int i = 0; i < Loads; i++) begin
            if (other == IdBits'(i)) begin
                joined = joined | repetition_q[i*IdBits+:IdBits];
                other_loop = other_loop | load_loop_q[i*LOOP_BITS+:LOOP_BITS];
            end
        end
        joins = found && other_loop == access_loop && joined != group;
        mine = '0;
        theirs = '0;
        was_diverged = 1'b0;
        other_diverged = 1'b0;
        is_diverged = new_divergence[1];
        if (access) for (int i = 0; i < Loads; i++) begin
            mine[i] = load_loop_q[i*LOOP_BITS+:LOOP_BITS] != '0 && repetition_q[i*IdBits+:IdBits] == group || at_load[i];
            theirs[i] = load_loop_q[i*LOOP_BITS+:LOOP_BITS] != '0 && repetition_q[i*IdBits+:IdBits] == joined && joins;
            was_diverged = was_diverged || mine[i] && divergence_q[i*2+1];
            other_diverged = other_diverged || theirs[i] && divergence_q[i*2+1];
            is_diverged = is_diverged || (mine[i] || theirs[i]) && !at_load[i] && divergence_q[i*2+1];
        end
    end

    // One or two groups go, one comes.
    logic [LOAD_BITS-1:0] new_diverged, new_converged;
    assign new_diverged = old_diverged + LOAD_BITS'(is_diverged) - LOAD_BITS'(known && was_diverged)
        - LOAD_BITS'(joins && other_diverged);
    assign new_converged = old_converged + LOAD_BITS'(!is_diverged) - LOAD_BITS'(known && !was_diverged)
        - LOAD_BITS'(joins && !other_diverged);

    // What the detector holds: the access comes before the issues.
    always_comb begin
        writes = '0;
        if (counts) for (int e = 0; e < Entries; e++) writes[e] = set == SetBits'(e / ILRD_WAYS) && used[e%ILRD_WAYS];
        ilrd_valid_d = ilrd_valid_q | writes;
        for (int s = 0; s < NUM_SCHEDULERS; s++) begin
            if (forgets[s]) for (int e = 0; e < Entries; e++) begin
                if (writes[e] ? slot[s*SlotBits+:SlotBits] == access_warp
                              : slot[s*SlotBits+:SlotBits] == ilrd_warp_q[e*SlotBits+:SlotBits])
                    ilrd_valid_d[e] = 1'b0;
            end
        end
    end

    always_ff @(posedge clk) begin
        if (rst || start) begin
            last_q <= '0;
            sampler_q <= '0;
            locality_q <= '0;
            diverged_q <= '0;
            converged_q <= '0;
            load_loop_q <= '0;
            divergence_q <= '0;
            repetition_q <= '0;
            ilrd_valid_q <= '0;
            ilrd_warp_q <= '0;
        end else begin
            last_q <= last_d;
            sampler_q <= sampler_d;
            ilrd_valid_q <= ilrd_valid_d;
            if (fed_counts) for (int l = 0; l < Loops; l++) if (fed[l]) locality_q[l*6+:6] <= new_locality;
            if (counts) begin
                for (int l = 0; l < Loops; l++) begin
                    if (at_loop[l]) begin
                        diverged_q[l*LOAD_BITS+:LOAD_BITS] <= new_diverged;
                        converged_q[l*LOAD_BITS+:LOAD_BITS] <= new_converged;
                    end
                end
                for (int i = 0; i < Loads; i++) begin
                    if (mine[i]) repetition_q[i*IdBits+:IdBits] <= joins ? joined : group;
                    if (at_load[i]) begin
                        load_loop_q[i*LOOP_BITS+:LOOP_BITS] <= access_loop;
                        divergence_q[i*2+:2] <= new_divergence;
                    end
                end
                for (int e = 0; e < Entries; e++) if (writes[e]) ilrd_warp_q[e*SlotBits+:SlotBits] <= access_warp;
            end
        end
    end

    // Footprints: what a scheduler asks for.
    for (genvar s = 0; s < NUM_SCHEDULERS; s++) begin : g_questions
        loop_questions #(
            .LOOP_BITS(LOOP_BITS),
            .COUNT_BITS(LOAD_BITS)
        ) questions (
            .active(active[s*6+:6]),
            .loop_begin(loop_begin[s*LOOP_BITS+:LOOP_BITS]),
            .loop_last(loop_last[s*LOOP_BITS+:LOOP_BITS]),
            .next_loop(next_loop[s*LOOP_BITS+:LOOP_BITS]),
            .inner(inner[s*LOOP_BITS+:LOOP_BITS]),
            .known(has_locality),
            .diverged(diverged_q),
            .converged(converged_q),
            .footprint(footprint[s*8+:8]),
            .closest(closest[s*8+:8])
        );
    end
endmodule

`default_nettype wire
