// SPDX-License-Identifier: Apache-2.0
// memory: an array that hardware would build as SRAM: one write port, READS read ports.
//
// A read shows the word of the same cycle, before it is written. SRAM has no reset: a word that has not been written
// holds anything. An address past DEPTH writes nothing and reads 0.
`default_nettype none

module memory #(
    parameter int unsigned WIDTH = 0,
    parameter int unsigned DEPTH = 0,
    parameter int unsigned READS = 1,
    localparam int unsigned AddressBits = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic                         clk,
    input  logic                         write,          // at this clock edge
    input  logic [AddressBits-1:0]       write_address,
    input  logic [WIDTH-1:0]             write_data,
    input  logic [READS*AddressBits-1:0] read_address,   // port 0 lowest
    output logic [READS*WIDTH-1:0]       read_data       // port 0 lowest
);
    localparam logic [AddressBits:0] Depth = (AddressBits + 1)'(DEPTH);

    logic [WIDTH-1:0] word_q[0:DEPTH-1];

    always_ff @(posedge clk) begin
        if (write && {1'b0, write_address} < Depth) word_q[write_address] <= write_data;
    end

    for (genvar r = 0; r < READS; r++) begin : g_read
        logic [AddressBits-1:0] address;
        assign address = read_address[r*AddressBits+:AddressBits];
        assign read_data[r*WIDTH+:WIDTH] = {1'b0, address} < Depth ? word_q[address] : '0;
    end
endmodule

`default_nettype wire
