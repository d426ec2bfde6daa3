# SPDX-License-Identifier: Apache-2.0
# tests/synth/wires/opensta.tcl: what the path through hand.v takes, in ns, with the wires of SPEF or, if that is empty, without.
read_liberty tests/synth/wires/hand.lib
read_verilog tests/synth/wires/hand.v
link_design hand
if {$env(SPEF) ne ""} {
    read_spef $env(SPEF)
}
create_clock -name clk -period 100
set_driving_cell -lib_cell INV [all_inputs]
set_load 0.05 [all_outputs]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set path [lindex [find_timing_paths -path_delay max -from [all_inputs] -to [all_outputs]] 0]
puts [format "delay %.6f" [expr {100 - [get_property $path slack]}]]
