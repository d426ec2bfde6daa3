# SPDX-License-Identifier: Apache-2.0
# The only Makefile. Bare `make` prints what it can do. Units, sources, tests and workloads are discovered, not listed.
# Everything generated sits in build/<config>/; what is the same for all configurations in build/common/.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

CONFIG ?= gtx480
UNIT   ?= wia
# SAN=1: address and undefined-behaviour sanitizers; SAN=thread: data races. Other folders, so that modes never mix.
SAN    ?=
SUFFIX := $(if $(SAN),$(if $(filter thread,$(SAN)),-tsan,-san))
V      ?=
B      := build/$(CONFIG)$(SUFFIX)
C      := build/common$(SUFFIX)
Q      := $(if $(V),,@)
say     = @printf '  %-8s %s\n' "$(1)" "$(2)"

UNITS     := $(filter-out prim,$(patsubst rtl/%/,%,$(wildcard rtl/*/)))
PRIMS     := $(wildcard rtl/prim/*.sv)
FSMS      := $(patsubst fsm/%.def,%,$(wildcard fsm/*.def))
CONFIGS   := $(patsubst configs/%.ini,%,$(wildcard configs/*.ini))
# All are built, whichever WORKLOADS a command is to run: a sweep looks at all it knows.
ALL_WORKLOADS := $(filter-out common,$(patsubst tb/workloads/%/,%,$(wildcard tb/workloads/*/)))
WORKLOADS := $(ALL_WORKLOADS)
# Programs have a main() and are never part of the library.
PROGRAMS  := cosim/expand.c cosim/random.c cosim/mutants.c cosim/unit_table.c
LIB_C     := $(filter-out $(PROGRAMS),$(wildcard cmodel/*/*.c cosim/*.c tb/*.c tb/ptx/*.c tb/ptx/*/*.c tb/exec/*.c tb/mem/*.c tb/sm/*.c tb/gpu/*.c tb/ocl/*.c))
CLI_C     := $(wildcard tb/cli/*.c tb/cli/*/*.c)
TESTS     := $(patsubst tests/%.c,%,$(shell find tests -name '*_test.c' | sort))

VERILATOR_ROOT := /usr/share/verilator
FST            := $(VERILATOR_ROOT)/include/gtkwave
LIBERTY        := /usr/share/qflow/tech/osu018/osu018_stdcells.lib

COMMA    := ,
EMPTY    :=
SPACE    := $(EMPTY) $(EMPTY)
OPT      := -O2 -g $(SAN:%=$(if $(filter thread,$(SAN)),-fsanitize=thread,-fsanitize=address$(COMMA)undefined -fno-sanitize-recover=all))
WARN     := -Wall -Wextra -Werror
CPPFLAGS := -I. -I$(B) -DCL_TARGET_OPENCL_VERSION=120
CFLAGS   := -std=gnu11 -D_GNU_SOURCE= $(OPT) $(WARN) -fPIC -ffp-contract=off -MMD -MP
CXXFLAGS := -std=gnu++17 $(OPT) -Wall -Wextra -fPIC -MMD -MP
LDLIBS   := -lcjson -linih -lz -lm -lpthread -lstdc++
# Tables refer to the Verilated models weakly, and a weak reference takes nothing out of an archive.
LDLIBS   += $(UNITS:%=-Wl,-u,%_model)

## Commands -----------------------------------------------------------------------------------------------------------

help: ## this text
	@printf 'Heddle: GPU scheduling hardware, in Verilog and in C, in lockstep.\n\n'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
	@printf '\n  CONFIG=%s  of: %s\n  UNIT=%s  of: %s\n  SAN=1, SAN=thread  with sanitizers   V=1  show commands\n' \
		'$(CONFIG)' '$(CONFIGS)' '$(UNIT)' '$(UNITS)'

PACKAGES := build/packages.ok
setup: $(PACKAGES) ## install the missing Debian packages of packages.txt (run and test do it themselves)
$(PACKAGES): packages.txt
	@mkdir -p build
	@missing=; for package in $$(sed 's/#.*//' packages.txt); do \
		[ "$$(dpkg-query -W -f '$${Status}' $$package 2>/dev/null || true)" = 'install ok installed' ] || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
		echo "Installing Debian packages that are missing:$$missing"; \
		sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
		$$sudo apt-get update -qq; \
		$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >build/apt.log 2>&1 \
			|| { tail -20 build/apt.log; echo "apt-get failed; its output is in build/apt.log"; exit 1; }; \
	fi
	@touch $@

# What is to be built is named only after the packages are there: the rules below find them in a second make.
ifeq ($(wildcard $(PACKAGES)),)
WITH_PACKAGES := $(PACKAGES)
endif

## Configuration ------------------------------------------------------------------------------------------------------

ifeq ($(wildcard configs/$(CONFIG).ini),)
$(error configs/$(CONFIG).ini does not exist; CONFIG is one of: $(CONFIGS))
endif
ifeq ($(CONFIG),common)
$(error a configuration cannot be named common: build/common holds what all share)
endif
ifneq ($(filter-out $(UNITS),$(UNIT)),)
$(error there is no unit '$(UNIT)'; UNIT is one of: $(UNITS))
endif

# [hw] becomes constants. Written only when it changes, so that a run-time setting rebuilds nothing.
$(B)/hw.h: $(B)/hw.stamp ;
$(B)/hw.stamp: configs/$(CONFIG).ini | $(PACKAGES)
	@mkdir -p $(B)
	@{ echo '/* From configs/$(CONFIG).ini, [hw]. */'; \
	   echo '#define CONFIG_NAME "$(CONFIG)"'; \
	   awk '/^\[/ { hw = $$1 == "[hw]" } hw && /^[a-z]/ { print "#define", toupper($$1), $$3 }' $<; } > $(B)/hw.h.new
	@cmp -s $(B)/hw.h.new $(B)/hw.h && rm $(B)/hw.h.new || mv $(B)/hw.h.new $(B)/hw.h
	@touch $@
$(B)/$(CONFIG).ini: configs/$(CONFIG).ini | $(PACKAGES)
	@mkdir -p $(B) && cp $< $@

## Objects ------------------------------------------------------------------------------------------------------------

# A file that includes hw.h, or a file that does, and so on, is compiled once a configuration; all others once, without -I$(B):
# one that needs hw.h after all does not compile.
SEES_HW := $(shell grep -rHo --include='*.[ch]' --include='*.def' '^#include "[^"]*"' cmodel cosim tb tests | awk -F '[:"]' '\
	function see(file, i, n, user) { n = split(users[file], user, " "); for (i = 1; i <= n; i++) if (!seen[user[i]]++) { print user[i]; see(user[i]) } } \
	{ users[$$3] = users[$$3] " " $$1 } END { see("hw.h") }')
objects = $(patsubst %.c,$(B)/obj/%.o,$(filter $(SEES_HW),$(1))) $(patsubst %.c,$(C)/obj/%.o,$(filter-out $(SEES_HW),$(1)))

$(B)/obj/%.o: %.c | $(B)/hw.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)gcc $(CPPFLAGS) $(CFLAGS) $(EXTRA) -c $< -o $@
$(C)/obj/%.o: %.c | $(PACKAGES)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)gcc $(filter-out -I$(B),$(CPPFLAGS)) $(CFLAGS) $(EXTRA) -c $< -o $@

# Every list of fsm/ as data, and the list of them.
FSM_OBJ := $(FSMS:%=$(C)/obj/fsm/%_machine.o) $(C)/obj/fsm/fsm.o
$(C)/obj/fsm/%_machine.o: fsm/machine.c fsm/%.def | $(PACKAGES)
	$(call say,CC,fsm/machine.c ($*))
	@mkdir -p $(@D)
	$(Q)gcc -I. $(CFLAGS) -DFSM_NAME=$* -DFSM_LIST='"fsm/$*.def"' -c $< -o $@
$(C)/fsms.def: fsm/. | $(PACKAGES)
	@mkdir -p $(@D)
	@printf '$(foreach m,$(FSMS),FSM($(m))\n)' > $@
$(C)/obj/fsm/fsm.o: $(C)/fsms.def
$(C)/obj/fsm/fsm.o: EXTRA := -I$(C)

$(C)/obj/fst/%.o: $(FST)/%.c | $(PACKAGES)
	@mkdir -p $(@D)
	$(Q)gcc -O2 -fPIC -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(FST) -c $< -o $@
%/obj/cosim/wave.o: EXTRA := -isystem $(FST)

# Verilog to C++: $(1) flags, $(2) folder to write, $(3) unit, $(4) folder that holds its rtl/, $(5) top, $(6) options of make.
define verilate
@mkdir -p $(2)
$(Q)verilator $(1) -Wall -O3 --x-assign fast --x-initial unique --noassert --Mdir $(2) --prefix V$(3) --top-module $(3)_top \
	-y $(4)rtl/prim $(4)rtl/$(3)/$(3).sv $(5)
$(Q)MAKEFLAGS= $(MAKE) -s -C $(2) -f V$(3).mk VM_PARALLEL_BUILDS=0 OPT_SLOW=-O1 $(6) V$(3)__ALL.a >$(2)/build.log
endef
# The C interface of a Verilated model: $(1) unit, $(2) folder of the model, $(3) object, $(4) more flags.
model = $(Q)g++ $(CPPFLAGS) $(CXXFLAGS) -O3 $(4) -isystem $(VERILATOR_ROOT)/include -isystem $(2) $(call unit_flags,$(1)) \
	-DVERILATED_HEADER='"V$(1).h"' -DVERILATED_CLASS=V$(1) -c cosim/model.cpp -o $(3)
unit_flags = -DUNIT_STEM=$(1) -DUNIT_HEADER='"cmodel/$(1)/$(1).h"' -DUNIT_DEF='"cmodel/$(1)/$(1).def"'

# Per unit: its table, its generated top, its Verilated model and the C interface to that.
define unit_rules
$(B)/obj/units/$(1)_table.o: cosim/unit_table.c cmodel/$(1)/$(1).def | $(B)/hw.h
	$$(call say,CC,cosim/unit_table.c ($(1)))
	@mkdir -p $$(@D)
	$$(Q)gcc $$(CPPFLAGS) $$(CFLAGS) $(call unit_flags,$(1)) -c $$< -o $$@
$(B)/cosim/$(1)/$(1)_top.sv: $(B)/expand
	@mkdir -p $$(@D)
	$$(Q)$$< top $(1) > $$@.new; cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@
$(B)/cosim/$(1)/V$(1)__ALL.a: $(B)/cosim/$(1)/$(1)_top.sv rtl/$(1)/$(1).sv $(PRIMS)
	$$(call say,VERILATE,$(1))
	$$(call verilate,--cc,$(B)/cosim/$(1),$(1),,$$<,OPT_FAST=-O3 CXXFLAGS=-fPIC)
	@touch $$@
$(B)/obj/units/$(1)_model.o: cosim/model.cpp $(B)/cosim/$(1)/V$(1)__ALL.a cmodel/$(1)/$(1).def
	$$(call say,CXX,cosim/model.cpp ($(1)))
	$$(call model,$(1),$(B)/cosim/$(1),$$@)
endef
$(foreach u,$(UNITS),$(eval $(call unit_rules,$(u))))

$(B)/units.def: $(addprefix rtl/,$(UNITS)) | $(B)/hw.h
	@printf '$(foreach u,$(UNITS),UNIT($(u))\n)' > $@
$(B)/obj/cosim/units.o $(B)/obj/cosim/random.o: $(B)/units.def

$(C)/obj/units/verilated%o: $(VERILATOR_ROOT)/include/verilated%cpp | $(PACKAGES)
	@mkdir -p $(@D)
	$(Q)g++ -O2 -fPIC -w -I$(VERILATOR_ROOT)/include -c $< -o $@

$(B)/expand: $(B)/obj/cosim/expand.o $(B)/obj/cosim/units.o $(UNITS:%=$(B)/obj/units/%_table.o) $(call objects,$(wildcard cmodel/*/*.c)) $(FSM_OBJ)
	$(Q)gcc $(OPT) -o $@ $^

## The library, the command, the workloads ------------------------------------------------------------------------------

UNIT_OBJ := $(UNITS:%=$(B)/obj/units/%_table.o) $(UNITS:%=$(B)/obj/units/%_model.o) $(C)/obj/units/verilated.o $(C)/obj/units/verilated_threads.o
COSIM_OBJ = $(call objects,$(filter cmodel/% cosim/%,$(LIB_C))) $(UNIT_OBJ) $(FST_OBJ) $(FSM_OBJ)
UNIT_LIB := $(foreach u,$(UNITS),$(B)/cosim/$(u)/V$(u)__ALL.a)
FST_OBJ  := $(patsubst %,$(C)/obj/fst/%.o,fstapi fastlz lz4)
LIB_OBJ  := $(call objects,$(LIB_C)) $(UNIT_OBJ) $(FST_OBJ) $(FSM_OBJ)


$(B)/random: $(B)/obj/cosim/random.o $(UNITS:%=$(B)/obj/tests/cosim/%_stimulus.o) $(COSIM_OBJ) $(UNIT_LIB)
	$(call say,LINK,$@)
	$(Q)g++ $(OPT) -o $@ $^ $(LDLIBS)

$(B)/libheddle.a: $(LIB_OBJ)
	@rm -f $@ && ar rcs $@ $^
$(B)/libheddle.so: $(LIB_OBJ) $(UNIT_LIB) tb/ocl/heddle.map
	$(call say,LINK,$@)
	$(Q)g++ -shared $(OPT) -o $@ $(LIB_OBJ) $(UNIT_LIB) -Wl,--version-script=tb/ocl/heddle.map -Wl,-z,defs $(LDLIBS)
$(B)/heddle: $(call objects,$(CLI_C)) $(B)/libheddle.a $(UNIT_LIB)
	$(call say,LINK,$@)
	$(Q)g++ $(OPT) -o $@ $^ -lsqlite3 $(LDLIBS)
# Holds where the tree is, which a tree that is moved or copied takes along.
$(B)/heddle.icd: $(if $(filter $(abspath $(B))/libheddle.so,$(file <$(B)/heddle.icd)),,moved) | $(B)/hw.h
	@echo '$(abspath $(B))/libheddle.so' > $@

$(C)/devlib.bc: $(wildcard tb/ocl/*.cl tb/ocl/devlib/*.cl tb/ptx/texture.def) | $(PACKAGES)
	$(call say,CLANG,devlib)
	$(Q)clang -x cl -cl-no-stdinc -Itb/ocl -Itb/ptx --target=nvptx64-nvidia-nvcl -cl-std=CL3.0 -O2 \
		-Xclang -cl-ext=+cl_khr_fp64,+__opencl_c_fp64,+__opencl_c_images,+__opencl_c_3d_image_writes,+cl_khr_3d_image_writes,+__opencl_c_program_scope_global_variables,-__opencl_c_generic_address_space \
		-emit-llvm -c tb/ocl/devlib.cl -o $@
$(B)/devlib.bc: $(C)/devlib.bc | $(B)/hw.h
	@ln -sf ../$(<:build/%=%) $@

$(B)/prelude.cl: tb/ocl/prelude.cl | $(B)/hw.h
	@cp $< $@

# Programs know nothing of the configuration: always common.
WORKLOAD_COMMON := $(patsubst %.c,$(C)/obj/%.o,$(wildcard tb/workloads/common/*.c)) \
	$(patsubst %.cl,$(C)/obj/%_cl.o,$(wildcard tb/workloads/common/*.cl))
define workload_rules
$(C)/workloads/$(1): $(patsubst %.c,$(C)/obj/%.o,$(wildcard tb/workloads/$(1)/*.c)) $(C)/obj/tb/workloads/$(1)/$(1)_cl.o $(WORKLOAD_COMMON)
	@mkdir -p $$(@D)
	$$(Q)gcc $(OPT) -o $$@ $$^ -lOpenCL -lm
endef
$(foreach w,$(ALL_WORKLOADS),$(eval $(call workload_rules,$(w))))
$(ALL_WORKLOADS:%=$(B)/workloads/%): $(B)/workloads/%: $(C)/workloads/%
	@mkdir -p $(@D) && ln -sf ../../$(<:build/%=%) $@
# A kernel's text as a C string, so that a workload is one file.
$(C)/gen/%_cl.c: tb/workloads/%.cl
	@mkdir -p $(@D)
	@{ echo 'const char $(notdir $*)_cl[] ='; sed -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $<; echo ';'; } > $@
$(C)/obj/tb/workloads/%_cl.o: $(C)/gen/%_cl.c
	@mkdir -p $(@D)
	$(Q)gcc $(OPT) -c $< -o $@

PRODUCT := $(B)/heddle $(B)/libheddle.so $(B)/heddle.icd $(B)/$(CONFIG).ini $(B)/devlib.bc $(B)/prelude.cl $(ALL_WORKLOADS:%=$(B)/workloads/%)
build: $(PRODUCT) ## everything `heddle run` needs

## Tests --------------------------------------------------------------------------------------------------------------

# What tests may lean on: stimuli, the workloads' shared code, helpers that are no test themselves.
TEST_SUPPORT := $(WORKLOAD_COMMON) $(call objects,$(filter-out %_test.c,$(shell find tests -name '*.c')) \
	tb/cli/sweep/groups.c tb/cli/sweep/memory.c)

.SECONDEXPANSION:
$(TESTS:%=$(B)/tests/%): $(B)/tests/%: $$(call objects,tests/$$*.c) $(TEST_SUPPORT) $(B)/libheddle.a $(UNIT_LIB)
	@mkdir -p $(@D)
	$(Q)g++ $(OPT) -o $@ $^ -lcmocka -lOpenCL -lsqlite3 $(LDLIBS)

list: ## the test programs; `make tests/<name>` builds and runs one
	@printf 'tests/%s\n' $(TESTS)
$(TESTS:%=tests/%): tests/%: $(B)/tests/% $(PRODUCT)
	$(call say,TEST,$*)
	$(Q)$(TEST_ENV) $<
TEST_ENV = HEDDLE_BUILD=$(abspath $(B)) OCL_ICD_VENDORS=$(abspath $(B))/heddle.icd
unit-tests: $(TESTS:%=tests/%) ## all cmocka tests

# fault/<name>.patch of a unit, mutants, proofs: see tests/faults, tests/mutate, tests/formal.
test: $(PACKAGES) ## everything that must pass: units, machine, lockstep, synthesis, proofs, mutants
	@$(MAKE) --no-print-directory tested
tested: unit-tests workload-tests memcheck docs
	@for unit in $(UNITS); do $(MAKE) --no-print-directory UNIT=$$unit cosim synth prove faults; done
	@echo "All tests passed."

docs: $(PRODUCT) ## the pages' commands as typed, with the tour: a planted fault, its report, waveform and replay
	$(Q)$(if $(filter build/gtx480,$(B)),tests/docs.sh $(B),echo "the pages are of CONFIG=gtx480")

# The long runs.
regress: test ## test, then the long runs: sanitizers, medium workloads, 10^8 random cycles, mutants, coverage, SystemC, every unit on every machine, sweeps
	@$(MAKE) --no-print-directory SAN=1 unit-tests
	@$(MAKE) --no-print-directory SAN=thread tests/tb/gpu/same_test
	@$(MAKE) --no-print-directory workload-tests SIZE=medium
	@for unit in $(UNITS); do $(MAKE) --no-print-directory UNIT=$$unit cosim CYCLES=100000000; \
		$(MAKE) --no-print-directory UNIT=$$unit systemc coverage mutate; done
	@for config in $(filter-out $(CONFIG),$(CONFIGS)); do for unit in $(UNITS); do \
		$(MAKE) --no-print-directory CONFIG=$$config UNIT=$$unit cosim synth faults mutate; done; done
	@$(MAKE) --no-print-directory sweep-test

sweep-test: $(PRODUCT) ## a sweep of POINTS points (300) killed and restarted; sweeps under Slurm, if that is installed
	$(Q)HEDDLE_SWEEP_POINTS=$(or $(POINTS),300) $(MAKE) --no-print-directory tests/tb/cli/sweep/kill_test
	$(Q)tests/tb/cli/sweep/slurm.sh $(B)

# Every workload on every machine. The others are built one after the other, once this one has built what they share.
MACHINES := $(B) $(filter-out $(B),$(CONFIGS:%=build/%$(SUFFIX)))
workload-tests: $(PRODUCT) ## every workload, verified and in lockstep, on every configuration: SIZE, WORKLOADS
	@for config in $(filter-out $(CONFIG),$(CONFIGS)); do $(MAKE) -s --no-print-directory CONFIG=$$config build; done
	$(Q)WORKLOADS="$(WORKLOADS)" tests/tb/workloads/matrix.sh $(or $(SIZE),small) $(MACHINES)

memcheck: $(PRODUCT) ## valgrind on a workload of every kind: WORKLOADS
	$(Q)for workload in $(if $(filter command line,$(origin WORKLOADS)),$(WORKLOADS),vecadd bfs histogram); do \
		echo "  MEMCHECK $$workload"; \
		OCL_ICD_VENDORS=$(abspath $(B))/heddle.icd HEDDLE_SET="run.backend=lockstep" valgrind -q --error-exitcode=9 \
			--leak-check=full --errors-for-leak-kinds=definite $(B)/workloads/$$workload --size=small > $(B)/memcheck.log 2>&1 || \
			{ cat $(B)/memcheck.log; exit 1; }; done

cosim: $(B)/random ## UNIT under random inputs, Verilog against C: CYCLES, SEEDS
	$(Q)$< $(UNIT) --cycles=$(or $(CYCLES),1000000) --seeds=$(or $(SEEDS),100)

SYNTH_INPUTS = $(wildcard synth/*) rtl/$(UNIT)/$(UNIT).sv $(PRIMS) cmodel/$(UNIT)/$(UNIT).def cmodel/contract.h
synth: $(B)/synth/$(UNIT)/result.txt ## what UNIT costs: flip-flops, area, delay; STATE bits must equal flip-flops
	$(Q)cat $(B)/synth/$(UNIT)/report.md; echo; sh synth/ledger.sh $(UNIT) $(B)
$(B)/synth/$(UNIT)/result.txt: $(SYNTH_INPUTS) | $(B)/hw.h
	$(Q)sh synth/run.sh $(UNIT) $(B) >$(B)/synth-$(UNIT).log || { cat $(B)/synth-$(UNIT).log; exit 1; }

variants: | $(B)/hw.h ## what other ways to build parts of UNIT cost (synth/variants)
	$(Q)sh synth/compare.sh $(UNIT) $(B)

# The unit as a SystemC module, RTL and reference side by side under one SystemC bench.
$(B)/systemc/$(UNIT)/V$(UNIT)__ALL.a: $(B)/cosim/$(UNIT)/$(UNIT)_top.sv rtl/$(UNIT)/$(UNIT).sv $(PRIMS)
	$(call say,VERILATE,$(UNIT) (SystemC))
	$(call verilate,--sc,$(@D),$(UNIT),,$<,OPT_FAST=-O2)
	@touch $@
$(B)/systemc/$(UNIT)/bench: cosim/systemc.cpp cosim/systemc.h $(B)/systemc/$(UNIT)/V$(UNIT)__ALL.a \
		$(patsubst %.c,$(B)/obj/%.o,$(wildcard cmodel/*/*.c)) $(B)/obj/tests/cosim/$(UNIT)_stimulus.o $(C)/obj/units/verilated.o $(C)/obj/units/verilated_threads.o
	$(call say,CXX,cosim/systemc.cpp ($(UNIT)))
	$(Q)g++ $(CPPFLAGS) -std=gnu++17 -O2 -Wall -Wextra -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd \
		-isystem $(@D) -DVERILATED_HEADER='"V$(UNIT).h"' -DVERILATED_CLASS=V$(UNIT) $(call unit_flags,$(UNIT)) \
		-DVM_SC=1 -o $@ \
		$(filter %.cpp %.o %.a,$^) -lsystemc -lpthread
systemc: $(B)/systemc/$(UNIT)/bench ## UNIT as SystemC modules: RTL against reference; and the comparison noticing a lie
	$(Q)$< $(or $(CYCLES),100000)
	$(Q)if $< 2000 1 1234 >$(B)/systemc/$(UNIT)/lie.log; then echo "the SystemC bench did not notice a lie"; exit 1; fi

# The random lockstep with other Verilog than rtl/: VARIANT is a folder that holds rtl/, for planted faults.
variant: $(B)/cosim/$(UNIT)/$(UNIT)_top.sv $(B)/random
	$(call verilate,--cc -Wno-fatal,$(VARIANT),$(UNIT),$(VARIANT)/,$<,OPT_FAST=-O1 CXXFLAGS=-fPIC)
	$(call model,$(UNIT),$(VARIANT),$(VARIANT)/model.o)
	$(Q)g++ -o $(VARIANT)/random $(B)/obj/cosim/random.o $(UNITS:%=$(B)/obj/tests/cosim/%_stimulus.o) $(VARIANT)/model.o \
		$(filter-out $(B)/obj/units/$(UNIT)_model.o,$(COSIM_OBJ)) $(filter-out $(B)/cosim/$(UNIT)/%,$(UNIT_LIB)) \
		$(VARIANT)/V$(UNIT)__ALL.a $(LDLIBS)
# Two of Verilator 5.006's optimisations make a netlist of some hundred mutants wrong: the graph of dataflow, where bits of a
# vector depend on each other, and the trees of bit operations, where they are wide. Without them it does what -O0 does.
mutants: $(B)/random
	$(Q)verilator --cc -Wno-fatal -Wno-lint -O3 -fno-dfg -fno-const-bit-op-tree --x-assign fast --x-initial unique --noassert \
		--Mdir $(VARIANT) --prefix V$(UNIT) --top-module $(UNIT)_top $(VARIANT)/rtl/$(UNIT)/$(UNIT).sv $(VARIANT)/$(UNIT)_top.sv
	$(Q)$(MAKE) -s -C $(VARIANT) -f V$(UNIT).mk VM_PARALLEL_BUILDS=0 OPT_SLOW=-O1 OPT_FAST=-O1 CXXFLAGS=-fPIC V$(UNIT)__ALL.a
	$(call model,$(UNIT),$(VARIANT),$(VARIANT)/model.o,-DMUTANTS)
	$(Q)gcc $(CPPFLAGS) $(CFLAGS) -DUNIT_STIMULUS=$(UNIT)_stimulus -c cosim/mutants.c -o $(VARIANT)/mutants.o
	$(Q)g++ -o $(VARIANT)/mutants $(VARIANT)/mutants.o $(UNITS:%=$(B)/obj/tests/cosim/%_stimulus.o) $(VARIANT)/model.o \
		$(filter-out $(B)/obj/units/$(UNIT)_model.o,$(COSIM_OBJ)) $(filter-out $(B)/cosim/$(UNIT)/%,$(UNIT_LIB)) \
		$(VARIANT)/V$(UNIT)__ALL.a $(LDLIBS)
faults: $(B)/random ## every planted fault of UNIT is found, and on the field it names
	$(Q)sh tests/faults/run.sh $(UNIT) $(B)
prove: | $(B)/hw.h ## the numbered rules of UNIT, and that each proof fails on its planted bug
	$(Q)sh tests/formal/run.sh $(UNIT) $(B)
mutate: $(B)/random ## 1,000 small changes of UNIT: how many are noticed, and what the others are
	$(Q)sh tests/mutate/run.sh $(UNIT) $(B) $(or $(MUTANTS),1000)

# Lines and toggles of the Verilog, lines of the C reference, under random inputs. A build of its own: counting is slow.
COV := $(B)/coverage/$(UNIT)
$(COV)/random: $(B)/cosim/$(UNIT)/$(UNIT)_top.sv rtl/$(UNIT)/$(UNIT).sv $(PRIMS) cosim/model.cpp $(B)/random
	$(call say,VERILATE,$(UNIT) (coverage))
	$(call verilate,--cc --coverage-line --coverage-toggle,$(COV),$(UNIT),,$<,OPT_FAST=-O2 CXXFLAGS=-fPIC)
	$(call model,$(UNIT),$(COV),$(COV)/model.o,-DVM_COVERAGE=1 -DCOVERAGE_DIR='"$(COV)"')
	$(Q)cd $(COV) && gcc $(CPPFLAGS:-I%=-I$(CURDIR)/%) -std=gnu11 -O0 --coverage -c $(CURDIR)/cmodel/$(UNIT)/$(UNIT).c -o $(UNIT).o
	$(Q)g++ --coverage -w -o $@ $(B)/obj/cosim/random.o $(UNITS:%=$(B)/obj/tests/cosim/%_stimulus.o) $(COV)/model.o $(COV)/$(UNIT).o \
		$(filter-out $(B)/obj/units/$(UNIT)_model.o $(B)/obj/cmodel/$(UNIT)/$(UNIT).o,$(COSIM_OBJ)) \
		$(filter-out $(B)/cosim/$(UNIT)/%,$(UNIT_LIB)) $(COV)/V$(UNIT)__ALL.a $(VERILATOR_ROOT)/include/verilated_cov.cpp -DVM_COVERAGE=1 \
		-isystem $(VERILATOR_ROOT)/include $(LDLIBS)
coverage: $(COV)/random ## line and toggle coverage of UNIT under random inputs
	$(Q)rm -f $(COV)/run*.dat $(COV)/*.gcda
	$(Q)$< $(UNIT) --cycles=$(or $(CYCLES),200000) --seeds=20
	$(Q)verilator_coverage --write $(COV)/all.dat $(COV)/run*.dat && verilator_coverage --annotate $(COV)/annotated --annotate-all $(COV)/all.dat | grep -v "^See"
	@echo "points never reached (%000000) stand in $(COV)/annotated"; ! grep -rn "^%000000" $(COV)/annotated | grep -v "_top.sv" || true
	$(Q)cd $(COV) && gcov -n $(UNIT).o | head -2

## Fuzzing --------------------------------------------------------------------------------------------------------------

# TARGET is one of tests/fuzz/*_fuzz.c: what it tests, the inputs to begin with, the files with words worth trying.
TARGET ?= ptx
ifeq ($(wildcard tests/fuzz/$(TARGET)_fuzz.c),)
$(error there is nothing to fuzz named '$(TARGET)'; TARGET is one of: $(patsubst tests/fuzz/%_fuzz.c,%,$(wildcard tests/fuzz/*_fuzz.c)))
endif
FUZZ   := $(B)/fuzz/$(TARGET)
FUZZED_ptx    := $(wildcard tb/ptx/*.c tb/ptx/*/*.c) tests/tb/ptx/ptx_support.c
FUZZED_exec   := $(wildcard tb/ptx/*.c tb/ptx/*/*.c tb/exec/*.c) tb/mem/gmem.c
FUZZED_config := tb/config.c tb/ini_file.c
FUZZED_sweep  := tb/ini_file.c tb/ptx/arena.c tb/cli/sweep/groups.c tb/cli/sweep/memory.c
SEEDS_ptx     := $(shell find tests/tb -name '*.ptx' | sort)
SEEDS_exec    := $(SEEDS_ptx) $(wildcard tests/fuzz/corpus/ptx/*)
SEEDS_config  := $(wildcard configs/*.ini)
SEEDS_sweep   := $(wildcard configs/sweeps/*.ini)
WORDS_ptx     := $(SEEDS_ptx) tb/ptx/opcode.def tb/ptx/opcode.c
WORDS_exec    := $(WORDS_ptx)
WORDS_config  := $(SEEDS_config)
WORDS_sweep   := $(SEEDS_sweep) tb/config.def
FUZZ_C        := tests/fuzz/$(TARGET)_fuzz.c tests/fuzz/mutate.c $(FUZZED_$(TARGET))
fuzz: $(PACKAGES) ## hostile text for TARGET (ptx, exec, config, sweep), under sanitizers, for SECONDS
	@$(MAKE) --no-print-directory fuzzed
$(FUZZ)/fuzz: $(FUZZ_C) $(wildcard tb/*.h tb/*.def tb/ptx/*.h tb/ptx/*/*.h tb/ptx/*.def tb/exec/*.h) | $(B)/hw.h
	$(call say,CLANG,$@)
	@mkdir -p $(FUZZ)/corpus
	$(Q)clang $(CPPFLAGS) -std=gnu11 -D_GNU_SOURCE= -O1 -g -ffp-contract=off -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		-D'__builtin_cpu_supports(x)=0' -D$(TARGET)_fuzz=LLVMFuzzerTestOneInput $(FUZZ_C) -o $@ -w -lcmocka -linih -lm
$(FUZZ)/words: $(WORDS_$(TARGET))
	@mkdir -p $(FUZZ)
	@grep -ohE '[.%@[]?[A-Za-z_][A-Za-z0-9_]*' $^ | sort -u | sed 's/.*/"&"/' >$@
# clang does not know the word for the machines that exec_v3.c is for: the replayed corpus compares its build.
# What it finds it leaves in $(FUZZ): once mended, the input belongs into tests/fuzz/corpus/.
fuzzed: $(FUZZ)/fuzz $(FUZZ)/words
	$(Q)$< -max_total_time=$(or $(SECONDS),60) -timeout=5 -dict=$(FUZZ)/words -artifact_prefix=$(FUZZ)/ -print_final_stats=1 \
		-seed_inputs=$(subst $(SPACE),$(COMMA),$(strip $(SEEDS_$(TARGET)))) $(FUZZ)/corpus tests/fuzz/corpus/$(TARGET)

## The first look -------------------------------------------------------------------------------------------------------

POLICIES = $$($(B)/heddle list policies | awk '/^ / { print $$1 }')
run: $(PACKAGES) ## a sparse-matrix kernel on the machine, Verilog against C, under every policy, and what that costs
	@$(MAKE) --no-print-directory first-light
first-light: $(PRODUCT) $(B)/synth/wia/result.txt
	@mkdir -p $(B)/run; files=; \
	for policy in $(POLICIES); do \
		echo "$(B)/heddle run --sched=$$policy --backend=lockstep --stats=$(B)/run/$$policy.json -- $(B)/workloads/spmv"; \
		$(B)/heddle run --sched=$$policy --backend=lockstep --stats=$(B)/run/$$policy.json -- $(B)/workloads/spmv; \
		files="$$files $(B)/run/$$policy.json"; \
	done; echo; \
	$(B)/heddle compare --synth=$(B)/synth/wia/result.txt $$files

dispatching: $(PRODUCT) ## lrr against bcs on the kernels that PAVER 6.3 names: SIZE
	$(Q)tests/tb/workloads/dispatching.sh $(B)

throttling: $(PRODUCT) ## what fewer warps gain: sweep of (N, p), tables and maps: CONFIG=poise or daws, WORKLOADS
	$(Q)WORKLOADS="$(if $(filter command% environment%,$(origin WORKLOADS)),$(WORKLOADS))" tests/tb/workloads/throttling.sh $(B) configs/sweeps/$(CONFIG).ini

fsm: $(FSMS:%=$(B)/fsm/%.svg) ## draws every state machine of fsm/
$(B)/fsm/%.svg: fsm/%.def $(B)/expand
	@mkdir -p $(@D)
	$(Q)$(B)/expand graph $* | dot -Tsvg -o $@
	$(call say,DRAWN,$@)

wave: $(PRODUCT) ## a waveform of the first cycles of spmv in lockstep, and the view that goes with it
	@mkdir -p $(B)/wave
	$(Q)$(B)/heddle run --backend=lockstep --wave=$(B)/wave/spmv.fst:$(or $(WINDOW),0-2000) -- $(B)/workloads/spmv --size=small
	@echo "view it with: gtkwave $(B)/wave/spmv.gtkw"

bench: $(PRODUCT) ## how fast the simulator is, against the recorded speeds
	$(Q)$(B)/heddle bench --baseline=tests/bench.baseline

# Which sets of workloads the papers run on which machine.
BASELINES_poise := poise poise-training
BASELINES_daws  := daws
baselines: $(PRODUCT) ## the machine without any of the papers' policies, as Markdown tables: SIZE, SET, WORKLOADS
	$(Q)WORKLOADS="$(if $(filter command% environment%,$(origin WORKLOADS)),$(WORKLOADS))" tests/tb/workloads/baselines.sh $(or $(SIZE),medium) $(B) $(or $(SET),$(BASELINES_$(CONFIG)),thesis rlws paver)

## Style ----------------------------------------------------------------------------------------------------------------

FORMATTED = $(shell git ls-files '*.c' '*.h' '*.cpp')
format: ## lays out all C and C++ files
	$(Q)clang-format -i $(FORMATTED)
lint: $(PACKAGES) ## Verilog of every unit and configuration, layout of C, licence lines
	@$(MAKE) --no-print-directory linted
linted:
	$(Q)clang-format --dry-run -Werror $(FORMATTED)
	$(Q)missing=$$(git ls-files | grep -vE '^(LICENSE|.*\.(md|ptx|mtx|patch|svg|png)|\.gitignore|packages.txt|tests/.*/corpus/.*)$$' | xargs grep -L 'SPDX-License-Identifier: Apache-2.0' || true); \
		[ -z "$$missing" ] || { echo "without an SPDX line:"; echo "$$missing"; exit 1; }
	$(Q)if grep -nE 'lint_off|`include|^\s*import ' rtl/*/*.sv; then echo "RTL includes nothing and waives nothing"; exit 1; fi
	$(Q)for unit in $(UNITS); do for config in $(CONFIGS); do \
		$(MAKE) -s --no-print-directory CONFIG=$$config lint-unit UNIT=$$unit; done; done
	@echo "Lint is clean."
lint-unit: $(B)/cosim/$(UNIT)/$(UNIT)_top.sv
	$(Q)verilator --lint-only -Wall --top-module $(UNIT)_top -y rtl/prim rtl/$(UNIT)/$(UNIT).sv $<
	$(Q)sh tests/encoding/run.sh $(UNIT) $(B)

clean: ## removes build/
	rm -rf build

-include $(shell find $(B)/obj $(C)/obj -name '*.d' 2>/dev/null)
.PHONY: help setup build list moved
.PHONY: unit-tests $(TESTS:%=tests/%) test tested docs regress workload-tests sweep-test memcheck cosim systemc coverage
.PHONY: synth variant variants mutants faults prove mutate fuzz fuzzed
.PHONY: run first-light wave fsm dispatching throttling bench baselines
.PHONY: format lint linted lint-unit clean
