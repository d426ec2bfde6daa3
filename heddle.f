// SPDX-License-Identifier: Apache-2.0
// The RTL library: shared parts, then units. A unit needs values for its parameters:
//     verilator --lint-only -f heddle.f --top-module wia -GNUM_WARPS=24 -GTL_GROUP=8
//     yosys -p "read_verilog -sv -defer $(grep -v ^// heddle.f | xargs)"
// Made by `make lists`.
rtl/prim/age_matrix.sv
rtl/prim/age_queue.sv
rtl/prim/foremost.sv
rtl/prim/foremost_tree.sv
rtl/prim/loop_footprint.sv
rtl/prim/loop_questions.sv
rtl/prim/lru_ways.sv
rtl/prim/memory.sv
rtl/prim/oldest_set.sv
rtl/prim/ones.sv
rtl/prim/poise_link.sv
rtl/prim/rlws_pick.sv
rtl/prim/rlws_scaled.sv
rtl/prim/rlws_sum.sv
rtl/prim/rlws_warps.sv
rtl/prim/round_robin.sv
rtl/active/active.sv
rtl/ccws/ccws.sv
rtl/cd3/cd3.sv
rtl/daws_classify/daws_classify.sv
rtl/daws_predict/daws_predict.sv
rtl/daws_table/daws_table.sv
rtl/dispatch/dispatch.sv
rtl/dvfs/dvfs.sv
rtl/icmt/icmt.sv
rtl/kmu/kmu.sv
rtl/mask/mask.sv
rtl/paver_sm/paver_sm.sv
rtl/paver_steal/paver_steal.sv
rtl/pcal/pcal.sv
rtl/pmiq/pmiq.sv
rtl/poise/poise.sv
rtl/rlws/rlws.sv
rtl/rlws_act/rlws_act.sv
rtl/rlws_ms/rlws_ms.sv
rtl/rlws_state/rlws_state.sv
rtl/stall/stall.sv
rtl/taws/taws.sv
rtl/taws_act/taws_act.sv
rtl/vta/vta.sv
rtl/wia/wia.sv
