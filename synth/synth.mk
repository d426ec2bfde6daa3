# SPDX-License-Identifier: Apache-2.0
# What UNIT costs.

# The reader of Liberty files.
LIBERTY_OBJ := $(call objects,$(wildcard synth/liberty/*.c) tb/arena.c tb/text_file.c)
LIBERTY_TOOL := $(C)/liberty
$(LIBERTY_TOOL): $(LIBERTY_OBJ)
	$(call say,LINK,$@)
	$(Q)gcc $(OPT) -o $@ $^ -lm

# Placing and routing, beside the tools of others: see synth/wires.
WIRES_OBJ := $(call objects,$(wildcard synth/wires/*.c) $(patsubst %,synth/netlist/%.c,netlist read token) \
	$(filter-out %/main.c,$(wildcard synth/liberty/*.c)) $(patsubst %,tb/%.c,arena text_file file cli/gnuplot))
WIRES_TOOL := $(C)/wires
$(WIRES_TOOL): $(WIRES_OBJ)
	$(call say,LINK,$@)
	$(Q)gcc $(OPT) -o $@ $^ -lm

# Results of another library of cells, or for a clock, lie beside those of the default.
LIBERTY ?=
CLOCK   ?=
export LIBERTY CLOCK LIBERTY_TOOL
AT := $(if $(LIBERTY),@$(basename $(notdir $(LIBERTY))))$(if $(CLOCK),@$(CLOCK))
SYNTH_INPUTS = $(wildcard synth/*.* synth/claims/$(UNIT).txt) $(LIBERTY_TOOL) $(LIBERTY) \
	rtl/$(UNIT)/$(UNIT).sv $(PRIMS) cmodel/$(UNIT)/$(UNIT).def cmodel/contract.h
SYNTHESIS := $(B)/synth/$(UNIT)$(AT)
# STATE bits must equal flip-flops.
synth: $(SYNTHESIS)/result.txt ## flip-flops, area and delay of UNIT: LIBERTY=file.lib, CLOCK=700MHz
	$(Q)cat $(SYNTHESIS)/report.md; echo; SYNTH_OUT=$(UNIT)$(AT) sh synth/ledger.sh $(UNIT) $(B)
$(SYNTHESIS)/result.txt: $(SYNTH_INPUTS) | $(B)/hw.h
	$(Q)SYNTH_OUT=$(UNIT)$(AT) sh synth/run.sh $(UNIT) $(B) >$(B)/synth-$(UNIT)$(AT).log || \
		{ cat $(B)/synth-$(UNIT)$(AT).log; exit 1; }

wires: $(SYNTHESIS)/result.txt $(WIRES_TOOL) ## UNIT placed and routed, its area and delays with wires: LIBERTY, CLOCK, LEF, DENSITIES
	$(Q)SYNTH_OUT=$(UNIT)$(AT) WIRES_TOOL=$(WIRES_TOOL) sh synth/wires/run.sh $(UNIT) $(B)

libraries: $(LIBERTY_TOOL) | $(B)/hw.h ## UNIT in several libraries, each for several clocks: LIBERTIES, CLOCKS
	$(Q)sh synth/libraries.sh $(UNIT) $(B)

variants: $(LIBERTY_TOOL) | $(B)/hw.h ## what other ways to build parts of UNIT cost (synth/variants)
	$(Q)sh synth/compare.sh $(UNIT) $(B)

# The mapped unit in place of its Verilog, in lockstep with the reference. INPUTS is a waveform of the machine.
NETLIST = $(B)/netlist/$(UNIT)$(AT)
INPUTS ?=
LOCKSTEP = $(if $(INPUTS),--inputs=$(INPUTS),--cycles=$(or $(CYCLES),100000) --seeds=$(or $(SEEDS),20))
netlist: $(SYNTHESIS)/result.txt ## the netlist of UNIT in lockstep: LIBERTY, CLOCK, INPUTS=wave.fst:sm0.scheduler0
	$(Q)SYNTH_OUT=$(UNIT)$(AT) sh synth/netlist.sh $(UNIT) $(B) $(NETLIST)
	$(Q)$(MAKE) -s VARIANT=$(NETLIST) variant 2>$(NETLIST)/log || { tail -n 20 $(NETLIST)/log; exit 1; }
	$(Q)$(NETLIST)/random $(LOCKSTEP) >$(NETLIST)/report.txt || [ $$? -ge 4 ] || { cat $(NETLIST)/report.txt; exit 1; }
	$(Q)tail -n 1 $(NETLIST)/report.txt

# The same, and what its edges cost: the netlist takes the place of the Verilated model.
NETLIST_OBJ := $(call objects,$(wildcard synth/netlist/*.c) tb/file.c tb/text_file.c tb/arena.c \
	$(filter-out %/main.c,$(wildcard synth/liberty/*.c)))
define energy_rules
$(B)/check/$(1)/energy: $(NETLIST_OBJ) $(call checked,$(1)) $(ENGINE)
	$$(call say,LINK,$$@)
	$$(call link_check,$$@,-Wl$$(COMMA)--defsym=$(1)_model=netlist_model $(NETLIST_OBJ),$(call checked,$(1)))
endef
$(foreach u,$(UNITS),$(eval $(call energy_rules,$(u))))
MEASURED = $(if $(INPUTS),--inputs=$(INPUTS),$(if $(CYCLES),--cycles=$(CYCLES)))
energy: $(SYNTHESIS)/result.txt $(CHECK)/energy ## what the edges of UNIT's netlist cost: LIBERTY, CLOCK, INPUTS, CYCLES
	$(Q)SYNTH_OUT=$(UNIT)$(AT) sh synth/energy.sh $(UNIT) $(B) $(MEASURED)
energies: $(SYNTHESIS)/result.txt $(CHECK)/energy $(PRODUCT) ## that of UNIT in kernels and under random inputs: KERNELS, RUN, CYCLES
	$(Q)sh synth/energies.sh $(UNIT) $(B)

memories: $(SYNTHESIS)/result.txt ## each MEMORY of UNIT beside the same array of flip-flops: LIBERTY, CACTI, MOST_CELLS
	$(Q)SYNTH_OUT=$(UNIT)$(AT) sh synth/memories.sh $(UNIT) $(B)
pipeline: $(LIBERTY_TOOL) $(PRODUCT) | $(B)/hw.h ## what the cycles cost that UNIT needs for a clock: CLOCKS, LIBERTY, KERNELS, RUN
	$(Q)sh synth/pipeline.sh $(UNIT) $(B)

# Wrong registers and memories, planted, are noticed; so are wrong constants of the area model.
synth-test: $(LIBERTY_TOOL) | $(B)/hw.h ## planted wrong registers and memories are refused by synth
	$(Q)tests/synth/run.sh $(UNIT) $(B)
	$(Q)tests/synth/memory.sh
library-test: $(LIBERTY_TOOL) | $(B)/hw.h ## UNIT in a library in other words; planted mistakes, and libraries that cannot be used
	$(Q)tests/synth/libraries.sh $(UNIT) $(B)
netlist-test: ## the netlist of UNIT in lockstep, and wrong cells planted in it
	$(Q)tests/synth/netlist.sh $(UNIT) $(B)
memories-test: $(LIBERTY_TOOL) | $(B)/hw.h ## memories of UNIT as flip-flops; files that CACTI has not printed are refused
	$(Q)sh tests/synth/memories.sh $(UNIT) $(B)
wires-test: $(WIRES_TOOL) $(LIBERTY_TOOL) | $(B)/hw.h ## UNIT placed and routed; faults planted in its layout are found
	$(Q)tests/synth/wires.sh $(UNIT) $(B)
.PHONY: synth wires wires-test libraries variants netlist energy energies memories pipeline synth-test library-test netlist-test memories-test
