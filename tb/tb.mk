# SPDX-License-Identifier: Apache-2.0
# The bench: library, command, OpenCL's device library, workloads.

CLI_C := $(sort $(shell find tb/cli -name '*.c'))
REPLAY_C := $(sort $(wildcard tb/replay/*.c))
LIB_C := $(COSIM_C) \
	$(filter-out tb/cli/% tb/replay/% tb/workloads/% tb/experiments/%,$(sort $(shell find tb -name '*.c')))
LIB_OBJ := $(call objects,$(filter tb/%,$(LIB_C))) $(COSIM_OBJ)

# All are built, whichever WORKLOADS a command is to run: a sweep looks at all it knows.
ALL_WORKLOADS := $(filter-out common,$(patsubst tb/workloads/%/,%,$(wildcard tb/workloads/*/)))
WORKLOADS := $(ALL_WORKLOADS)
# Those that the person who types the command has named, if any.
CHOSEN = $(if $(filter command% environment%,$(origin WORKLOADS)),$(WORKLOADS))

PRODUCT := $(B)/heddle $(B)/replay $(B)/libheddle.so $(B)/heddle.icd $(B)/$(CONFIG).ini $(B)/devlib.bc \
	$(B)/prelude.cl $(B)/identity $(ALL_WORKLOADS:%=$(B)/workloads/%)
build: ## everything `heddle run` needs, by all processors
	@$(MAKE) $(PARALLEL) built
built: $(PRODUCT)
	@:

$(B)/libheddle.a: $(LIB_OBJ)
	@rm -f $@ && ar rcs $@ $^
$(B)/libheddle.so: $(LIB_OBJ) tb/ocl/heddle.map
	$(call say,LINK,$@)
	$(Q)g++ -shared $(OPT) -o $@ $(LIB_OBJ) -Wl,--version-script=tb/ocl/heddle.map \
		-Wl,-z,defs $(LDLIBS)
$(B)/heddle: $(call objects,$(CLI_C)) $(B)/libheddle.a
	$(call say,LINK,$@)
	$(Q)g++ $(OPT) -o $@ $^ -lsqlite3 $(LDLIBS)
$(B)/replay: $(call objects,$(REPLAY_C)) $(B)/libheddle.a
	$(call say,LINK,$@)
	$(Q)g++ $(OPT) -o $@ $^ $(LDLIBS)
# Holds where the tree is, which a tree that is moved or copied takes along.
LIBRARY := $(abspath $(B))/libheddle.so
$(B)/heddle.icd: $(if $(filter $(LIBRARY),$(file <$(B)/heddle.icd)),,moved) | $(B)/hw.h
	@echo '$(LIBRARY)' > $@

# What this build says of itself, in statistics and reports. Not within the library: results are reused as long as that is the same.
$(C)/tools: $(PACKAGES)
	@mkdir -p $(@D)
	@for tool in gcc clang verilator; do echo "$$tool=$$($$tool --version | head -n 1)"; done > $@
$(B)/identity: $(C)/tools always | $(B)/hw.h
	@{ echo "version=$(VERSION)"; \
	   echo "commit=$$(git describe --always --exclude='*' --abbrev=12 --dirty=' with changes' 2>/dev/null || echo unknown)"; \
	   cat $(C)/tools; } > $@.$$$$; \
	if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

## Device library ----------------------------------------------------------------------------------

DEVLIB_EXT := +cl_khr_fp64 +__opencl_c_fp64 +__opencl_c_images +__opencl_c_3d_image_writes \
	+cl_khr_3d_image_writes +__opencl_c_program_scope_global_variables \
	-__opencl_c_generic_address_space
$(C)/devlib.bc: $(wildcard tb/ocl/*.cl tb/ocl/devlib/*.cl) tb/ptx/texture.def | $(PACKAGES)
	$(call say,CLANG,devlib)
	$(Q)clang -x cl -cl-no-stdinc -I. -Itb/ocl --target=nvptx64-nvidia-nvcl -cl-std=CL3.0 -O2 \
		-Xclang -cl-ext=$(subst $(SPACE),$(COMMA),$(strip $(DEVLIB_EXT))) \
		-emit-llvm -c tb/ocl/devlib.cl -o $@
$(B)/devlib.bc: $(C)/devlib.bc | $(B)/hw.h
	@ln -sf ../$(<:build/%=%) $@
$(B)/prelude.cl: tb/ocl/prelude.cl | $(B)/hw.h
	@cp $< $@

## Workloads ---------------------------------------------------------------------------------------

# Programs know nothing of the configuration: always common.
WORKLOAD_COMMON := $(patsubst %.c,$(C)/obj/%.o,$(wildcard tb/workloads/common/*.c)) \
	$(patsubst %.cl,$(C)/obj/%_cl.o,$(wildcard tb/workloads/common/*.cl))
workload_obj = $(patsubst %.c,$(C)/obj/%.o,$(wildcard tb/workloads/$(1)/*.c)) \
	$(C)/obj/tb/workloads/$(1)/$(1)_cl.o
define workload_rules
$(C)/workloads/$(1): $(call workload_obj,$(1)) $(WORKLOAD_COMMON)
	@mkdir -p $$(@D)
	$$(Q)gcc $(OPT) -o $$@ $$^ -lOpenCL -lm
endef
$(foreach w,$(ALL_WORKLOADS),$(eval $(call workload_rules,$(w))))
$(ALL_WORKLOADS:%=$(B)/workloads/%): $(B)/workloads/%: $(C)/workloads/%
	@mkdir -p $(@D) && ln -sf ../../$(<:build/%=%) $@
# A kernel's text as a C string, so that a workload is one file.
$(C)/gen/%_cl.c: tb/workloads/%.cl
	@mkdir -p $(@D)
	@{ echo 'const char $(notdir $*)_cl[] ='; \
	   sed -e 's/[\\"]/\\&/g' -e 's/^/"/' -e 's/$$/\\n"/' $<; \
	   echo ';'; } > $@
$(C)/obj/tb/workloads/%_cl.o: $(C)/gen/%_cl.c
	@mkdir -p $(@D)
	$(Q)gcc $(OPT) -c $< -o $@

## The first look ----------------------------------------------------------------------------------

# Verilog against C under every policy, and what that costs, where what measures it is installed.
COST_NEEDS = yosys berkeley-abc opensta $(if $(LIBERTY),,qflow-tech-osu018)
run: $(PACKAGES) ## a sparse-matrix kernel on the machine, in lockstep, under every policy
	@echo "Builds what is not built, a few minutes, in 200 MB below build/; then a run of 10 to 20 s per policy."
	@$(MAKE) build
	@$(MAKE) UNIT=wia MISSING="$$(tb/install/packages.sh lacks $(COST_NEEDS) | xargs)" first-light
# Policies that need a file of their own are left out, and those that act in every cycle, which take thirty times as long in lockstep. So many rows fill the slots more than once: a slot's number is no longer its warp's age.
POLICIES = $$($(B)/heddle list policies | awk '/^ / && !/; needs / && !/; acts in every cycle/ { print $$1 }')
first-light: $(PRODUCT)
	$(if $(MISSING),,@$(MAKE) $(SYNTHESIS)/result.txt)
	@mkdir -p $(B)/run; files=; \
	for policy in $(POLICIES); do \
		file=$(B)/run/$$policy.json; files="$$files $$file"; \
		run="$(B)/heddle run --sched=$$policy --backend=lockstep --stats=$$file"; \
		run="$$run -- $(B)/workloads/spmv --rows=32768 --nonzeros=20"; \
		echo "$$run"; \
		$$run; \
	done; echo; \
	$(B)/heddle compare $(if $(MISSING),,--synth=$(SYNTHESIS)/result.txt) $$files
	$(if $(MISSING),@echo "No areas: nothing measures them without $(MISSING); INSTALL.md has the names of packages elsewhere.")

wave: $(PRODUCT) ## a waveform of the first cycles of spmv in lockstep, and its view
	@mkdir -p $(B)/wave
	$(Q)$(B)/heddle run --backend=lockstep --wave=$(B)/wave/spmv.fst:$(or $(WINDOW),0-2000) \
		-- $(B)/workloads/spmv --size=small
	@echo "view it with: gtkwave $(B)/wave/spmv.gtkw, or surfer --command-file $(B)/wave/spmv.sucl $(B)/wave/spmv.fst"
.PHONY: build built moved always run first-light wave
