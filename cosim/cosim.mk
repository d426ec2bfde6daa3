# SPDX-License-Identifier: Apache-2.0
# Units: contracts, Verilated models, and the programs that compare Verilog with C.

VERILATOR_ROOT := /usr/share/verilator
FST            := $(VERILATOR_ROOT)/include/gtkwave

# Programs have a main() and are never part of the library.
COSIM_MAIN := cosim/expand.c cosim/random.c cosim/mutants.c cosim/unit_table.c
CMODEL_C   := $(wildcard cmodel/*/*.c)
COSIM_C    := $(CMODEL_C) $(filter-out $(COSIM_MAIN),$(wildcard cosim/*.c))

TABLE_OBJ := $(UNITS:%=$(B)/obj/units/%_table.o)
MODEL_OBJ := $(UNITS:%=$(B)/obj/units/%_model.o)
VERILATED := $(C)/obj/units/verilated.o $(C)/obj/units/verilated_threads.o
FST_OBJ   := $(patsubst %,$(C)/obj/fst/%.o,fstapi fastlz lz4)
STIMULI   := $(UNITS:%=$(B)/obj/tests/cosim/%_stimulus.o)
UNIT_LIB  := $(foreach u,$(UNITS),$(B)/cosim/$(u)/V$(u)__ALL.a)
COSIM_OBJ := $(call objects,$(COSIM_C)) $(TABLE_OBJ) $(MODEL_OBJ) $(VERILATED) $(FST_OBJ) \
	$(FSM_OBJ)

$(C)/obj/fst/%.o: $(FST)/%.c | $(PACKAGES)
	@mkdir -p $(@D)
	$(Q)gcc -O2 -fPIC -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(FST) -c $< -o $@
%/obj/cosim/wave.o: EXTRA := -isystem $(FST)

$(C)/obj/units/verilated%o: $(VERILATOR_ROOT)/include/verilated%cpp | $(PACKAGES)
	@mkdir -p $(@D)
	$(Q)g++ -O2 -fPIC -w -I$(VERILATOR_ROOT)/include -c $< -o $@

## A unit ------------------------------------------------------------------------------------------

# The library of a Verilated model: $(1) folder, $(2) unit, $(3) options of make.
verilated_lib = MAKEFLAGS= $(MAKE) -s -C $(1) -f V$(2).mk VM_PARALLEL_BUILDS=0 OPT_SLOW=-O1 $(3) \
	V$(2)__ALL.a
# Verilog to C++: $(1) flags, $(2) folder to write, $(3) unit, $(4) folder that holds its rtl/,
# $(5) top, $(6) options of make.
define verilate
@mkdir -p $(2)
$(Q)verilator $(1) -Wall -O3 --x-assign fast --x-initial unique --noassert --Mdir $(2) \
	--prefix V$(3) --top-module $(3)_top -y $(4)rtl/prim cosim/memory.vlt \
	$(4)rtl/$(3)/$(3).sv $(5)
$(Q)$(call verilated_lib,$(2),$(3),$(6)) >$(2)/build.log
endef
# The C interface of a Verilated model: $(1) unit, $(2) folder of the model, $(3) object,
# $(4) more flags.
model = $(Q)g++ $(CPPFLAGS) $(CXXFLAGS) -O3 $(4) -isystem $(VERILATOR_ROOT)/include \
	-isystem $(VERILATOR_ROOT)/include/vltstd -isystem $(2) \
	$(call unit_flags,$(1)) $(call model_flags,$(1)) -c cosim/model.cpp -o $(3)
model_flags = -DVERILATED_HEADER='"V$(1).h"' -DVERILATED_ROOT='"V$(1)___024root.h"' \
	-DVERILATED_CLASS=V$(1)
unit_flags  = -DUNIT_STEM=$(1) -DUNIT_HEADER='"cmodel/$(1)/$(1).h"' \
	-DUNIT_DEF='"cmodel/$(1)/$(1).def"'

# Per unit: its table, its generated top, its Verilated model and the C interface to that.
define unit_rules
$(B)/obj/units/$(1)_table.o: cosim/unit_table.c cmodel/$(1)/$(1).def | $(B)/hw.h
	$$(call say,CC,cosim/unit_table.c ($(1)))
	@mkdir -p $$(@D)
	$$(Q)gcc $$(CPPFLAGS) $$(CFLAGS) $(call unit_flags,$(1)) -c $$< -o $$@
$(B)/cosim/$(1)/$(1)_top.sv: $(B)/expand
	@mkdir -p $$(@D)
	$$(Q)$$< top $(1) > $$@.new; cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@
$(B)/cosim/$(1)/V$(1)__ALL.a: $(B)/cosim/$(1)/$(1)_top.sv rtl/$(1)/$(1).sv $(PRIMS) \
		cosim/memory.vlt
	$$(call say,VERILATE,$(1))
	$$(call verilate,--cc,$(B)/cosim/$(1),$(1),,$$<,OPT_FAST=-O3 CXXFLAGS=-fPIC)
	@touch $$@
$(B)/obj/units/$(1)_model.o: cosim/model.cpp $(B)/cosim/$(1)/V$(1)__ALL.a cmodel/$(1)/$(1).def
	$$(call say,CXX,cosim/model.cpp ($(1)))
	$$(call model,$(1),$(B)/cosim/$(1),$$@)
endef
$(foreach u,$(UNITS),$(eval $(call unit_rules,$(u))))

# What the top of UNIT is made of, the top first.
UNIT_SV := $(B)/cosim/$(UNIT)/$(UNIT)_top.sv rtl/$(UNIT)/$(UNIT).sv $(PRIMS) cosim/memory.vlt

$(B)/units.def: $(addprefix rtl/,$(UNITS)) | $(B)/hw.h
	@printf '$(foreach u,$(UNITS),UNIT($(u))\n)' > $@
$(B)/obj/cosim/units.o $(B)/obj/cosim/random.o: $(B)/units.def

$(B)/expand: $(B)/obj/cosim/expand.o $(B)/obj/cosim/units.o $(TABLE_OBJ) \
		$(call objects,$(CMODEL_C)) $(FSM_OBJ)
	$(Q)gcc $(OPT) -o $@ $^

## Random inputs -----------------------------------------------------------------------------------

$(B)/random: $(B)/obj/cosim/random.o $(STIMULI) $(COSIM_OBJ) $(UNIT_LIB)
	$(call say,LINK,$@)
	$(Q)g++ $(OPT) -o $@ $^ $(LDLIBS)
cosim: $(B)/random ## UNIT under random inputs, Verilog against C: CYCLES, SEEDS
	@rm -f $(B)/cosim/$(UNIT)/report.txt
	$(Q)$< $(UNIT) --cycles=$(or $(CYCLES),1000000) --seeds=$(or $(SEEDS),100) | \
		tee $(B)/cosim/$(UNIT)/run.txt
	@mv $(B)/cosim/$(UNIT)/run.txt $(B)/cosim/$(UNIT)/report.txt

# What a program needs that brings a model of UNIT, or other objects of it, along.
OTHERS = $(STIMULI) $(filter-out $(B)/obj/units/$(UNIT)_model.o,$(COSIM_OBJ)) \
	$(filter-out $(B)/cosim/$(UNIT)/%,$(UNIT_LIB))
QUICK  := OPT_FAST=-O1 CXXFLAGS=-fPIC

# The random lockstep with other Verilog than rtl/, for planted faults: VARIANT is a folder that
# holds rtl/.
variant: $(B)/cosim/$(UNIT)/$(UNIT)_top.sv $(B)/random
	$(call verilate,--cc -Wno-fatal,$(VARIANT),$(UNIT),$(VARIANT)/,$<,$(QUICK))
	$(call model,$(UNIT),$(VARIANT),$(VARIANT)/model.o)
	$(Q)g++ -o $(VARIANT)/random $(B)/obj/cosim/random.o $(VARIANT)/model.o $(OTHERS) \
		$(VARIANT)/V$(UNIT)__ALL.a $(LDLIBS)
# Two of Verilator 5.006's optimisations make a netlist of some hundred mutants wrong: the graph of
# dataflow, where bits of a vector depend on each other, and the trees of bit operations, where they
# are wide. Without them it does what -O0 does.
mutants: $(B)/random
	$(Q)verilator --cc -Wno-fatal -Wno-lint -O3 -fno-dfg -fno-const-bit-op-tree \
		--x-assign fast --x-initial unique --noassert --Mdir $(VARIANT) --prefix V$(UNIT) \
		--top-module $(UNIT)_top -y rtl/prim cosim/memory.vlt \
		$(VARIANT)/rtl/$(UNIT)/$(UNIT).sv $(VARIANT)/$(UNIT)_top.sv
	$(Q)$(call verilated_lib,$(VARIANT),$(UNIT),$(QUICK))
	$(call model,$(UNIT),$(VARIANT),$(VARIANT)/model.o,-DMUTANTS)
	$(Q)gcc $(CPPFLAGS) $(CFLAGS) -DUNIT_STIMULUS=$(UNIT)_stimulus -c cosim/mutants.c \
		-o $(VARIANT)/mutants.o
	$(Q)g++ -o $(VARIANT)/mutants $(VARIANT)/mutants.o $(VARIANT)/model.o $(OTHERS) \
		$(VARIANT)/V$(UNIT)__ALL.a $(LDLIBS)

## Coverage ----------------------------------------------------------------------------------------

# Lines and toggles of the Verilog, lines of the C reference. A build of its own: counting is slow.
COV     := $(B)/coverage/$(UNIT)
COUNTED := --coverage-line --coverage-toggle
$(COV)/random: $(UNIT_SV) cosim/model.cpp $(B)/random
	$(call say,VERILATE,$(UNIT) (coverage))
	$(call verilate,--cc $(COUNTED),$(COV),$(UNIT),,$<,OPT_FAST=-O2 CXXFLAGS=-fPIC)
	$(call model,$(UNIT),$(COV),$(COV)/model.o,-DVM_COVERAGE=1 -DCOVERAGE_DIR='"$(COV)"')
	$(Q)cd $(COV) && gcc $(CPPFLAGS:-I%=-I$(CURDIR)/%) -std=gnu11 -O0 --coverage \
		-c $(CURDIR)/cmodel/$(UNIT)/$(UNIT).c -o $(UNIT).o
	$(Q)g++ --coverage -w -o $@ $(B)/obj/cosim/random.o $(COV)/model.o $(COV)/$(UNIT).o \
		$(filter-out $(B)/obj/cmodel/$(UNIT)/$(UNIT).o,$(OTHERS)) $(COV)/V$(UNIT)__ALL.a \
		$(VERILATOR_ROOT)/include/verilated_cov.cpp -DVM_COVERAGE=1 \
		-isystem $(VERILATOR_ROOT)/include $(LDLIBS)
coverage: $(COV)/random ## line and toggle coverage of UNIT under random inputs
	$(Q)rm -f $(COV)/run*.dat $(COV)/*.gcda
	$(Q)$< $(UNIT) --cycles=$(or $(CYCLES),200000) --seeds=20
	$(Q)verilator_coverage --write $(COV)/all.dat $(COV)/run*.dat
	$(Q)verilator_coverage --annotate $(COV)/annotated --annotate-all $(COV)/all.dat | \
		grep -v "^See" | tee $(COV)/report.txt
	@echo "points never reached (%000000) stand in $(COV)/annotated"
	@grep -rn "^%000000" $(COV)/annotated | grep -v "_top.sv" || true
	$(Q)cd $(COV) && gcov -n $(UNIT).o | head -2 | tee -a report.txt

## SystemC -----------------------------------------------------------------------------------------

# The unit as a SystemC module, RTL and reference side by side under one SystemC bench.
SYSTEMC := $(B)/systemc/$(UNIT)
$(SYSTEMC)/V$(UNIT)__ALL.a: $(UNIT_SV)
	$(call say,VERILATE,$(UNIT) (SystemC))
	$(call verilate,--sc,$(@D),$(UNIT),,$<,OPT_FAST=-O2)
	@touch $@
$(SYSTEMC)/bench: cosim/systemc.cpp cosim/systemc.h $(SYSTEMC)/V$(UNIT)__ALL.a \
		$(CMODEL_C:%.c=$(B)/obj/%.o) $(B)/obj/tests/cosim/$(UNIT)_stimulus.o $(VERILATED)
	$(call say,CXX,cosim/systemc.cpp ($(UNIT)))
	$(Q)g++ $(CPPFLAGS) -std=gnu++17 -O2 -Wall -Wextra -isystem $(VERILATOR_ROOT)/include \
		-isystem $(VERILATOR_ROOT)/include/vltstd -isystem $(@D) \
		$(call model_flags,$(UNIT)) $(call unit_flags,$(UNIT)) -DVM_SC=1 \
		-o $@ $(filter %.cpp %.o %.a,$^) -lsystemc -lpthread
# And the comparison notices a lie.
systemc: $(SYSTEMC)/bench ## UNIT as SystemC modules: RTL against reference
	$(Q)$< $(or $(CYCLES),100000)
	$(Q)if $< 2000 1 1234 >$(SYSTEMC)/lie.log; then \
		echo "the SystemC bench did not notice a lie"; exit 1; fi
.PHONY: cosim variant mutants coverage systemc
