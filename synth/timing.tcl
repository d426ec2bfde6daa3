# SPDX-License-Identifier: Apache-2.0
# synth/timing.tcl: the slowest path of each kind, by OpenSTA, as lines
#   path <in_out|in_reg|reg_out|reg_reg> <ns> <start> <end>     or    path <group> none
# A path that ends in a flip-flop includes its setup time, one that starts there its clock-to-output time. The clock
# is ideal; a module without one gets one that goes nowhere. From the environment: TOP, NETLIST, LIBERTY, LOAD (pF), DRIVER.

set period 1000.0
read_liberty $env(LIBERTY)
read_verilog $env(NETLIST)
link_design $env(TOP)

set clock_ports {}
set inputs {}
foreach port [all_inputs] {
    if {[get_full_name $port] eq "clk"} {
        lappend clock_ports $port
    } else {
        lappend inputs $port
    }
}
create_clock -name clk -period $period {*}$clock_ports
set_driving_cell -lib_cell $env(DRIVER) $inputs
set_load $env(LOAD) [all_outputs]
set_input_delay 0 -clock clk $inputs
set_output_delay 0 -clock clk [all_outputs]

# A flip-flop is named after the net that it drives.
proc pin_name {pin} {
    set name [get_full_name $pin]
    regsub {[\\_]+DFF[^/]*/[A-Z]+$} $name {} name
    return $name
}

proc slowest {group from to} {
    global period
    set ends [find_timing_paths -path_delay max -from $from -to $to]
    if {[llength $ends] == 0} {
        puts "path $group none"
        return
    }
    set end [lindex $ends 0]
    set delay [expr {$period - [get_property $end slack]}]
    puts [format "path %s %.2f %s %s" $group $delay [pin_name [get_property $end startpoint]] \
        [pin_name [get_property $end endpoint]]]
}

slowest in_out $inputs [all_outputs]
slowest in_reg $inputs [all_registers -data_pins]
slowest reg_out [all_registers -clock_pins] [all_outputs]
slowest reg_reg [all_registers -clock_pins] [all_registers -data_pins]
foreach {from to} [list $inputs [all_outputs] $inputs [all_registers -data_pins] \
        [all_registers -clock_pins] [all_outputs] [all_registers -clock_pins] [all_registers -data_pins]] {
    report_checks -path_delay max -from $from -to $to -fields {capacitance slew fanout} -digits 3
}
puts timing-done
