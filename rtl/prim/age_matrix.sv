// SPDX-License-Identifier: Apache-2.0
// age_matrix: who is oldest, kept as one bit per pair of warps.
// The other encoding is age_queue; both have the same ports, except for what `order` means, and choose alike.
//
// Bit (i, j), i < j, says that i is older than j; the mirror half is its complement and costs nothing. The pairs stand
// row after row: (0,1) (0,2) ... (1,2) ...
`default_nettype none

module age_matrix #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input  logic                 clk,
    input  logic                 rst,         // synchronous: age in order of index
    input  logic                 yield,       // make yield_warp the youngest
    input  logic [WarpBits-1:0]  yield_warp,
    input  logic                 alloc,       // make alloc_warp the youngest, younger than yield_warp
    input  logic [WarpBits-1:0]  alloc_warp,  // not a warp (>= NUM_WARPS): nothing changes
    input  logic [NUM_WARPS-1:0] candidates,  // choose among these
    input  logic                 youngest,    // the youngest of them, else the oldest
    output logic [WarpBits-1:0]  chosen,      // 0 without a candidate
    output logic [Pairs-1:0]     order        // the bits
);
    logic [Pairs-1:0] order_q;
    assign order = order_q;

    logic [NUM_WARPS-1:0] newborn;            // alloc_warp, one-hot
    logic [NUM_WARPS-1:0] yielding;           // yield_warp, one-hot
    logic [NUM_WARPS-1:0] behind[NUM_WARPS];  // behind[i]: warps above i that i goes before
    logic [NUM_WARPS-1:0] ahead[NUM_WARPS];   // ahead[i]: warps above i that go before i

    assign newborn = alloc ? NUM_WARPS'(1) << alloc_warp : '0;
    assign yielding = yield ? NUM_WARPS'(1) << yield_warp : '0;

    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        localparam int unsigned Above = NUM_WARPS - 1 - i;
        if (Above == 0) begin : g_last
            assign behind[i] = '0;
            assign ahead[i] = '0;
        end else begin : g_pairs
            localparam int unsigned Base = i * (2 * NUM_WARPS - 1 - i) / 2;
            // The newborn is older than nobody: its own row falls, its bit in the others' rows rises. Who yields is older than the newborn
            // alone.
            always_ff @(posedge clk) begin
                if (rst) order_q[Base+:Above] <= '1;
                else if (newborn[i]) order_q[Base+:Above] <= '0;
                else if (yielding[i]) order_q[Base+:Above] <= newborn[i+1+:Above];
                else order_q[Base+:Above] <= order_q[Base+:Above] | newborn[i+1+:Above] | yielding[i+1+:Above];
            end
            assign behind[i] = {order_q[Base+:Above] ^ {Above{youngest}}, {(i + 1) {1'b0}}};
            assign ahead[i] = {~order_q[Base+:Above] ^ {Above{youngest}}, {(i + 1) {1'b0}}};
        end
    end

    // Each candidate beats those behind it; it is beaten itself if a candidate above it goes before it.
    logic [NUM_WARPS-1:0] beaten;
    always_comb begin
        beaten = '0;
        for (int i = 0; i < NUM_WARPS; i++) begin
            if (candidates[i]) beaten = beaten | behind[i];
            if (|(candidates & ahead[i])) beaten[i] = 1'b1;
        end
        chosen = '0;
        for (int i = 0; i < NUM_WARPS; i++) begin
            if (candidates[i] && !beaten[i]) chosen = chosen | WarpBits'(i);
        end
    end
endmodule

`default_nettype wire
