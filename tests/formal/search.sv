// SPDX-License-Identifier: Apache-2.0
// search: what makes a rule about who goes first provable. Whoever of some candidates goes before all others is sought among warps 0 to k for
// each k. `wrong` says that the one found is no candidate, or that another one goes before it; `missed`, that one before whom nobody goes is
// not the one found. Each follows from those before it, if the order has no circle; all at once are beyond the provers.
`default_nettype none

module search #(
    parameter int unsigned NUM_WARPS = 0
) (
    input  logic                           started,
    input  logic [NUM_WARPS-1:0]           candidates,
    input  logic [NUM_WARPS*NUM_WARPS-1:0] sooner,      // i*NUM_WARPS+j: j goes before i
    output logic [NUM_WARPS-1:0]           found,       // one-hot; 0 without a candidate
    output logic [NUM_WARPS*NUM_WARPS-1:0] wrong,
    output logic [NUM_WARPS*NUM_WARPS-1:0] missed
);
    logic [NUM_WARPS*NUM_WARPS-1:0] first;  // k*NUM_WARPS+i: i is the one found up to warp k
    logic [NUM_WARPS-1:0] foremost;         // a candidate, and none goes before
    for (genvar k = 0; k < NUM_WARPS; k++) begin : g_step
        logic [NUM_WARPS-1:0] before, here;  // the one found: before warp k joins, and with it
        if (k == 0) assign before = '0;
        else assign before = first[(k-1)*NUM_WARPS+:NUM_WARPS];
        assign here = candidates[k] && (before & sooner[k*NUM_WARPS+:NUM_WARPS]) == 0 ? NUM_WARPS'(1) << k : before;
        assign first[k*NUM_WARPS+:NUM_WARPS] = here;
        assign foremost[k] = started && candidates[k] && (candidates & sooner[k*NUM_WARPS+:NUM_WARPS]) == 0;
        for (genvar i = 0; i < NUM_WARPS; i++) begin : g_warp
            if (i > k) begin : g_later
                assign {wrong[k*NUM_WARPS+i], missed[k*NUM_WARPS+i]} = 2'b00;
            end else begin : g_joined
                assign wrong[k*NUM_WARPS+i] = |({(k + 1) {started && here[i]}}
                        & ((candidates[k:0] & sooner[i*NUM_WARPS+:k+1]) | {(k + 1) {!candidates[i]}}));
                assign missed[k*NUM_WARPS+i] = foremost[i] && !here[i];
            end
        end
    end
    assign found = first[(NUM_WARPS-1)*NUM_WARPS+:NUM_WARPS];
endmodule

`default_nettype wire
