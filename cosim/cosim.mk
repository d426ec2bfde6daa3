# SPDX-License-Identifier: Apache-2.0
# Units: contracts, Verilated models, and the programs that compare Verilog with C.

VERILATOR_ROOT ?= /usr/share/verilator
FST            := $(VERILATOR_ROOT)/include/gtkwave

# Programs have a main() and are never part of the library; nor is what belongs to one of them.
COSIM_MAIN := $(patsubst %,cosim/%.c,expand expand_library random mutants unit_table check cmutate exhaust)
CMODEL_C   := $(wildcard cmodel/*/*.c)
COSIM_C    := $(CMODEL_C) $(filter-out $(COSIM_MAIN),$(wildcard cosim/*.c))

TABLE_OBJ := $(UNITS:%=$(B)/obj/units/%_table.o)
MODEL_OBJ := $(UNITS:%=$(B)/obj/units/%_model.o)
VERILATED := $(C)/obj/units/verilated.o $(C)/obj/units/verilated_threads.o
FST_OBJ   := $(patsubst %,$(C)/obj/fst/%.o,fstapi fastlz lz4)
COSIM_OBJ := $(call objects,$(COSIM_C)) $(TABLE_OBJ) $(MODEL_OBJ) $(VERILATED) $(FST_OBJ) \
	$(FSM_OBJ)

$(C)/obj/fst/%.o: $(FST)/%.c | $(PACKAGES)
	@mkdir -p $(@D)
	$(Q)gcc -O2 -fPIC -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(FST) -c $< -o $@
%/obj/cosim/wave.o %/obj/cosim/wave_check.o %/obj/cosim/recorded.o: EXTRA := -isystem $(FST)

$(C)/obj/units/verilated%o: $(VERILATOR_ROOT)/include/verilated%cpp | $(PACKAGES)
	@mkdir -p $(@D)
	$(Q)g++ -O2 -fPIC -w -I$(VERILATOR_ROOT)/include -c $< -o $@

## A unit ------------------------------------------------------------------------------------------

# Verilog to C++: $(1) flags, $(2) folder to write, $(3) unit, $(4) folder that holds its rtl/,
# $(5) top. All that Verilator writes is one text, V<unit>.hpp.
define verilate
@mkdir -p $(2)
$(Q)rm -f $(2)/V$(3)*.cpp
$(Q)verilator $(1) -Wall -O3 --x-assign fast --x-initial unique --noassert --Mdir $(2) \
	--prefix V$(3) --top-module $(3)_top -y $(4)rtl/prim cosim/memory.vlt \
	$(4)rtl/$(3)/$(3).sv $(5)
$(Q)cd $(2) && printf '#include "%s"\n' V$(3)*.cpp >V$(3).hpp
endef
# Verilator's headers, compiled once for all models. Another flag than here, as a macro that they
# look at, and the compiler reads the text.
# Undefined behaviour is not looked for in what Verilator writes: GCC compiles those checks for ten
# minutes and more per unit, and without them for seconds.
MODEL_CXX := g++ $(filter-out -g,$(CXXFLAGS)) -O1 $(if $(SAN),-fno-sanitize=undefined) \
	-isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd
HEADERS   := $(C)/obj/units/verilated.hpp
$(HEADERS).gch: | $(PACKAGES)
	@mkdir -p $(@D)
	@printf '#include "%s"\n' verilated.h verilated_dpi.h >$(HEADERS)
	$(Q)$(filter-out -MMD -MP,$(MODEL_CXX)) -x c++-header $(HEADERS) -o $@.$$$$ && mv $@.$$$$ $@
# A Verilated model and the C interface to it, in one object: $(1) unit, $(2) folder of the model,
# $(3) object, $(4) more flags. It runs as fast with -O1 as with -O3, which takes up to ten times as
# long to compile it.
model = $(Q)$(MODEL_CXX) $(4) -include $(HEADERS) -isystem $(2) -include V$(1).hpp \
	$(CPPFLAGS) $(call unit_flags,$(1)) $(call model_flags,$(1)) -c cosim/model.cpp -o $(3)
model_flags = -DVERILATED_HEADER='"V$(1).h"' -DVERILATED_ROOT='"V$(1)___024root.h"' \
	-DVERILATED_CLASS=V$(1)
unit_flags  = -DUNIT_STEM=$(1) -DUNIT_HEADER='"cmodel/$(1)/$(1).h"' \
	-DUNIT_DEF='"cmodel/$(1)/$(1).def"'

# Per unit: its table, its generated top, its Verilated model and the C interface to that.
define unit_rules
$(B)/obj/units/$(1)_table.o: cosim/unit_table.c cmodel/$(1)/$(1).def | $(B)/hw.h $(GENERATED)
	$$(call say,CC,cosim/unit_table.c ($(1)))
	@mkdir -p $$(@D)
	$$(Q)gcc $$(CPPFLAGS) $$(CFLAGS) $(call unit_flags,$(1)) -c $$< -o $$@
$(B)/cosim/$(1)/$(1)_top.sv: $(B)/check/$(1)/expand
	@mkdir -p $$(@D)
	$$(Q)$$(call kept,$$< top $(1))
$(B)/cosim/$(1)/V$(1).hpp: $(B)/cosim/$(1)/$(1)_top.sv rtl/$(1)/$(1).sv $(PRIMS) cosim/memory.vlt
	$$(call say,VERILATE,$(1))
	$$(call verilate,--cc,$(B)/cosim/$(1),$(1),,$$<)
$(B)/obj/units/$(1)_model.o: cosim/model.cpp $(B)/cosim/$(1)/V$(1).hpp cmodel/$(1)/$(1).def \
		$(HEADERS).gch
	$$(call say,CXX,cosim/model.cpp ($(1)))
	$$(call model,$(1),$(B)/cosim/$(1),$$@)
endef
$(foreach u,$(UNITS),$(eval $(call unit_rules,$(u))))

# What the top of UNIT is made of, the top first.
UNIT_SV := $(B)/cosim/$(UNIT)/$(UNIT)_top.sv rtl/$(UNIT)/$(UNIT).sv $(PRIMS) cosim/memory.vlt

$(C)/obj/cosim/unit_list.o: $(C)/units.def
$(C)/obj/cosim/unit_list.o: EXTRA := -I$(C)

EXPAND_OBJ := $(call objects,cosim/expand.c cosim/expand_library.c cosim/units.c) $(FSM_OBJ)
$(B)/expand: $(EXPAND_OBJ) $(call objects,cosim/unit_list.c $(filter-out cmodel/analytic/%,$(CMODEL_C))) \
		$(TABLE_OBJ)
	$(Q)gcc $(OPT) -o $@ $^

## Checks of one unit -----------------------------------------------------------------------------

# Programs that hold one unit: cosim/check.h.
CHECK  := $(B)/check/$(UNIT)
ENGINE := $(call objects,$(filter-out $(COSIM_MAIN) cosim/unit_list.c,$(wildcard cosim/*.c))) \
	$(VERILATED) $(FST_OBJ) $(FSM_OBJ)
# The references that a unit needs: its own, and those that its stimulus includes.
INCLUDED  := $(shell grep -o '^\#include "cmodel/[a-z0-9_]*' tests/cosim/*_stimulus.c /dev/null | \
	sed 's|.*/\(.*\)_stimulus.c:.*/|\1:|')
references = $(call objects,$(wildcard $(patsubst %,cmodel/%/*.c,\
	$(sort $(1) $(patsubst $(1):%,%,$(filter $(1):%,$(INCLUDED)))))))
# Contract, stimulus and references: all of a unit but its Verilated model.
checked = $(B)/check/$(1)/check.o $(B)/obj/units/$(1)_table.o \
	$(call objects,tests/cosim/$(1)_stimulus.c) $(call references,$(1))
# $(1) program, $(2) what is its own: main, model, flags, $(3) contract, stimulus and references.
link_check = $(Q)g++ $(OPT) -o $(1) $(2) $(3) $(ENGINE) -lz -lm -lpthread

define check_rules
$(B)/check/$(1)/check.o: cosim/check.c | $(B)/hw.h
	@mkdir -p $$(@D)
	$$(Q)gcc $$(CPPFLAGS) $$(CFLAGS) -DUNIT_STEM=$(1) -c $$< -o $$@
$(B)/check/$(1)/expand: $(EXPAND_OBJ) $(B)/check/$(1)/check.o $(B)/obj/units/$(1)_table.o \
		$(call objects,$(wildcard cmodel/$(1)/*.c))
	$$(Q)gcc $$(OPT) -o $$@ $$^
$(B)/check/$(1)/random: $(call objects,cosim/random.c) $(B)/obj/units/$(1)_model.o \
		$(call checked,$(1)) $(ENGINE)
	$$(call say,LINK,$$@)
	$$(call link_check,$$@,$$(filter %/random.o %_model.o,$$^),$(call checked,$(1)))
# The mutants come as a netlist; of the unit there are contract, stimulus and reference.
$(B)/check/$(1)/mutants: $(call objects,cosim/mutants.c) $(B)/obj/units/$(1)_model.o \
		$(call checked,$(1)) $(ENGINE)
	$$(call link_check,$$@,$$(filter %/mutants.o %_model.o,$$^),$(call checked,$(1)))
endef
$(foreach u,$(UNITS),$(eval $(call check_rules,$(u))))
CHECKED = $(call checked,$(UNIT))

cosim: $(CHECK)/random ## UNIT under random inputs, Verilog against C: CYCLES, SEEDS
	@rm -f $(B)/cosim/$(UNIT)/report.txt
	$(Q)$< --cycles=$(or $(CYCLES),1000000) --seeds=$(or $(SEEDS),100) | \
		tee $(B)/cosim/$(UNIT)/run.txt
	@mv $(B)/cosim/$(UNIT)/run.txt $(B)/cosim/$(UNIT)/report.txt

# Hours: 10^9 cycles of each unit on the machine of the pages, 10^8 on the others. SOAKED: CONFIG,UNIT ...
SOAK    = $(or $(CYCLES),$(if $(filter gtx480,$(1)),1000000000,100000000))
SOAKED ?= $(foreach c,gtx480 $(filter-out gtx480,$(CONFIGS)),$(UNITS:%=$(c)$(COMMA)%))
soak: ## random lockstep of all units and machines, deep; resumes: CYCLES, SOAKED=config,unit
	@for pair in $(SOAKED); do \
		$(MAKE) -s CONFIG=$${pair%,*} build/$${pair%,*}/check/$${pair#*,}/random; done
	@printf '%s\n' $(foreach s,$(SOAKED),'$(subst $(COMMA), ,$(s)) $(call SOAK,$(firstword \
		$(subst $(COMMA), ,$(s))))') | xargs -P $(or $(JOBS),$$(nproc)) -L 1 cosim/soak.sh

# The random lockstep with other Verilog than rtl/, for planted faults and netlists: VARIANT is a folder that
# holds rtl/.
variant: $(B)/cosim/$(UNIT)/$(UNIT)_top.sv $(CHECK)/random
	$(call verilate,--cc -Wno-fatal,$(VARIANT),$(UNIT),$(VARIANT)/,$<)
	$(call model,$(UNIT),$(VARIANT),$(VARIANT)/model.o)
	$(call link_check,$(VARIANT)/random,$(call objects,cosim/random.c) $(VARIANT)/model.o,$(CHECKED))

## Changed references ----------------------------------------------------------------------------

$(C)/cmutate: cosim/cmutate.c | $(PACKAGES)
	@mkdir -p $(@D)
	$(Q)gcc $(CPPFLAGS) $(CFLAGS) -o $@ $<
# VARIANT/UNIT.c in place of the reference: its code as text, in random lockstep, and in the test
# against its restatement.
CHANGED = $(filter-out %/cmodel/$(UNIT)/$(UNIT).o,$(CHECKED)) $(VARIANT)/$(UNIT).o
reference: $(CHECK)/random $(B)/tests/cmodel/$(UNIT)/$(UNIT)_test
	$(Q)gcc $(CPPFLAGS) $(CFLAGS) -w -c $(VARIANT)/$(UNIT).c -o $(VARIANT)/$(UNIT).o
	$(Q)objdump -dr -s -j .text -j .rodata $(VARIANT)/$(UNIT).o 2>/dev/null | sed 1,2d \
		>$(VARIANT)/code
	$(call link_check,$(VARIANT)/random,$(call objects,cosim/random.c) \
		$(B)/obj/units/$(UNIT)_model.o,$(CHANGED))
	$(Q)gcc $(OPT) -o $(VARIANT)/restated $(filter-out %/check.o %/$(UNIT)_table.o,$(CHANGED)) \
		$(call objects,tests/cmodel/$(UNIT)/$(UNIT)_test.c) -lcmocka -lm
# The same beside the unchanged one, both for a small unit, whose hw.h is in SMALL.
SMALL   := $(B)/references/$(UNIT)/small
SMALL_CC = $(Q)gcc -I$(SMALL) $(CPPFLAGS) $(CFLAGS) -w $(call unit_flags,$(UNIT)) -c
RENAMED  = $(foreach name,unit reset comb tick,-D$(UNIT)_$(name)=changed_$(name))
$(SMALL)/unit.o: cosim/exhaust.c cmodel/$(UNIT)/$(UNIT).c $(SMALL)/hw.h
	$(SMALL_CC) cosim/exhaust.c -o $(@D)/exhaust.o
	$(SMALL_CC) cosim/check.c -o $(@D)/check.o
	$(SMALL_CC) cosim/unit_table.c -o $(@D)/table.o
	$(SMALL_CC) $(RENAMED) cosim/unit_table.c -o $(@D)/changed_table.o
	$(SMALL_CC) cmodel/$(UNIT)/$(UNIT).c -o $@
exhaust: $(SMALL)/unit.o $(call objects,cosim/units.c) $(FSM_OBJ)
	$(SMALL_CC) $(RENAMED) $(VARIANT)/$(UNIT).c -o $(VARIANT)/small.o
	$(Q)gcc $(OPT) -o $(VARIANT)/exhaust $(SMALL)/*.o $(VARIANT)/small.o $(filter-out $<,$^)

## Coverage ----------------------------------------------------------------------------------------

# Lines and toggles of the Verilog, lines of the C reference. A build of its own: counting is slow.
COV     := $(B)/coverage/$(UNIT)
COUNTED := --coverage-line --coverage-toggle
COV_CPP := -w -DVM_COVERAGE=1 -isystem $(VERILATOR_ROOT)/include \
	$(VERILATOR_ROOT)/include/verilated_cov.cpp
# -fno-split: where an always block is split, a branch is counted by what its condition reads before the block has assigned it.
# It comes last, since -O3 splits. Blocks that are whole look like loops where they read each other: slower, and no error.
$(COV)/random: $(UNIT_SV) cosim/model.cpp $(CHECK)/random
	$(call say,VERILATE,$(UNIT) (coverage))
	$(call verilate,--cc $(COUNTED),$(COV),$(UNIT),,$< -fno-split -Wno-UNOPTFLAT)
	$(call model,$(UNIT),$(COV),$(COV)/model.o,-DVM_COVERAGE=1 -DCOVERAGE_DIR='"$(COV)"')
	$(Q)cd $(COV) && gcc $(CPPFLAGS:-I%=-I$(CURDIR)/%) -std=gnu11 -O0 --coverage \
		-c $(CURDIR)/cmodel/$(UNIT)/$(UNIT).c -o $(UNIT).o
	$(call link_check,$@,--coverage $(COV_CPP) $(call objects,cosim/random.c) $(COV)/model.o $(COV)/$(UNIT).o,\
		$(filter-out %/cmodel/$(UNIT)/$(UNIT).o,$(CHECKED)))
# Later versions than 1 of lcov do not believe in a line that is not reached, with a branch that is.
AS_COUNTED = $$(genhtml --version | grep -q 'version 1' || echo --ignore-errors inconsistent,corrupt)
# The same as pages to click through: lines of Verilog and reference, with branches; bits that have moved. No point may get lost.
define coverage_html
cd $(COV) && rm -rf html; \
	for kind in line toggle; do awk -v kind=$$kind -v root=$(CURDIR) -f $(CURDIR)/cosim/coverage.awk all.dat >$$kind.info; done; \
	[ "$$(cat line.info toggle.info | grep -c '^BRDA:')" = "$$(grep -ac "^C '" all.dat)" ] || \
		{ echo "cosim/coverage.awk has lost points of $(COV)/all.dat"; exit 1; }; \
	lcov -q -c -d . --include '*/cmodel/*' -o reference.info 2>lcov.log || { cat lcov.log; exit 1; }; \
	html="genhtml -q --branch-coverage --prefix $(CURDIR) $(AS_COUNTED)"; \
	$$html --title "$(UNIT), $(CONFIG): lines" -o html/lines line.info reference.info; \
	$$html --title "$(UNIT), $(CONFIG): toggles" -o html/toggles toggle.info; \
	echo "HTML: $(COV)/html/lines/index.html, $(COV)/html/toggles/index.html"
endef
coverage: $(COV)/random ## line and toggle coverage of UNIT under random inputs, as text and as HTML
	$(Q)rm -f $(COV)/run*.dat $(COV)/*.gcda
	$(Q)$< --cycles=$(or $(CYCLES),1000000) --seeds=$(or $(SEEDS),100)
	$(Q)verilator_coverage --write $(COV)/all.dat $(COV)/run*.dat
	$(Q)verilator_coverage --annotate $(COV)/annotated --annotate-all $(COV)/all.dat | \
		grep -v "^See" | tee $(COV)/report.txt
	$(Q)cd $(COV) && gcov $(UNIT).o | head -2 | sed "s|$(CURDIR)/||" | tee -a report.txt
	$(Q)$(coverage_html)
	@cosim/unreached.sh $(B) $(COV)/annotated/*.sv $(COV)/$(UNIT).c.gcov

## SystemC -----------------------------------------------------------------------------------------

# The headers of a unit for programs outside the tree, as they are installed.
HEADED = $(addprefix $(B)/include/heddle/,bits.h systemc.h $(1:%=%.h) $(1:%=%_systemc.h))
$(B)/include/heddle/bits.h: cmodel/bits.h | $(B)/hw.h
$(B)/include/heddle/systemc.h: cosim/systemc.h | $(B)/hw.h
$(B)/include/heddle/bits.h $(B)/include/heddle/systemc.h:
	@mkdir -p $(@D)
	@sed 's|"cmodel/bits.h"|"heddle/bits.h"|' $< >$@
define header_rules
$(B)/include/heddle/$(1).h: $(B)/check/$(1)/expand
	@mkdir -p $$(@D)
	@$$(call kept,$$< header $(1))
$(B)/include/heddle/$(1)_systemc.h: $(B)/check/$(1)/expand
	@mkdir -p $$(@D)
	@$$(call kept,$$< systemc $(1))
endef
$(foreach u,$(UNITS),$(eval $(call header_rules,$(u))))

# The unit as a SystemC module, RTL and reference side by side under one SystemC bench.
SYSTEMC := $(B)/systemc/$(UNIT)
$(SYSTEMC)/V$(UNIT).hpp: $(UNIT_SV)
	$(call say,VERILATE,$(UNIT) (SystemC))
	$(call verilate,--sc,$(@D),$(UNIT),,$<)
$(SYSTEMC)/bench: cosim/systemc.cpp $(call HEADED,$(UNIT)) $(SYSTEMC)/V$(UNIT).hpp \
		$(call references,$(UNIT)) $(call objects,tests/cosim/$(UNIT)_stimulus.c) \
		$(VERILATED)
	$(call say,CXX,cosim/systemc.cpp ($(UNIT)))
	$(Q)g++ $(CPPFLAGS) -I$(B)/include -std=gnu++17 -O2 -Wall -Wextra \
		-isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd \
		-isystem $(@D) -DSYSTEMC_HEADER='"heddle/$(UNIT)_systemc.h"' $(call model_flags,$(UNIT)) $(call unit_flags,$(UNIT)) -DVM_SC=1 \
		-include V$(UNIT).hpp -o $@ $(filter %.cpp %.o,$^) -lsystemc -lpthread
# And the comparison notices a lie.
systemc: $(SYSTEMC)/bench ## UNIT as SystemC modules: RTL against reference
	$(Q)$< $(or $(CYCLES),100000)
	$(Q)if $< 2000 1 1234 >$(SYSTEMC)/lie.log; then \
		echo "the SystemC bench did not notice a lie"; exit 1; fi
.PHONY: cosim soak variant reference exhaust coverage systemc
