# SPDX-License-Identifier: Apache-2.0
# Tests of everything that is written in C, and the two commands that run all checks: test, regress.

# tests/sample holds files of another tree, tests/install what is compiled outside of it.
TESTS_C  := $(filter-out tests/sample/% tests/install/%,$(sort $(shell find tests -name '*.c')))
TESTS    := $(patsubst tests/%.c,%,$(filter %_test.c,$(TESTS_C)))
TEST_ENV := HEDDLE_BUILD=$(abspath $(B)) OCL_ICD_VENDORS=$(abspath $(B))/heddle.icd
PAGE_C   := $(wildcard tb/cli/html/*.c) $(patsubst %,tb/cli/%.c,statistics rows colours cost)
# What tests may lean on: stimuli, the workloads' shared code, helpers that are no test themselves.
TEST_SUPPORT := $(WORKLOAD_COMMON) \
	$(call objects,$(filter-out %_test.c,$(TESTS_C)) \
	tb/cli/sweep/groups.c tb/cli/sweep/memory.c tb/cli/sweep/members.c $(patsubst %,tb/cli/claims/%.c,ledger parse eval scope rule table) \
	$(patsubst %,tb/cli/train/%.c,basis negbin kernels features target predict) \
	$(patsubst %,tb/cli/search/%.c,design genetic) $(PAGE_C) \
	$(filter-out %/main.c %/draw.c,$(wildcard synth/liberty/*.c synth/wires/*.c)) $(patsubst %,synth/netlist/%.c,netlist read token simulator switching energy))

# The reference of a unit is tested alone, so that it can be before there is any Verilog.
REFERENCE_TESTS := $(filter $(foreach u,$(UNITS),cmodel/$(u)/$(u)_test),$(TESTS))
# So are models of cmodel/analytic, which know the C library alone.
ANALYTIC_TESTS  := $(filter cmodel/analytic/%,$(TESTS))
MACHINE_TESTS   := $(filter-out $(REFERENCE_TESTS) $(ANALYTIC_TESTS),$(TESTS))

.SECONDEXPANSION:
$(REFERENCE_TESTS:%=$(B)/tests/%): $(B)/tests/%: $$(call objects,tests/$$*.c \
		tests/cosim/$$(notdir $$(*D))_stimulus.c) $$(call references,$$(notdir $$(*D)))
	@mkdir -p $(@D)
	$(Q)gcc $(OPT) -o $@ $^ -lcmocka -lm
$(ANALYTIC_TESTS:%=$(B)/tests/%): $(B)/tests/%: $$(call objects,tests/$$*.c) \
		$(call objects,$(wildcard cmodel/analytic/*.c))
	@mkdir -p $(@D)
	$(Q)gcc $(OPT) -o $@ $^ -lcmocka -lm
$(MACHINE_TESTS:%=$(B)/tests/%): $(B)/tests/%: $$(call objects,tests/$$*.c) $(TEST_SUPPORT) \
		$(B)/libheddle.a
	@mkdir -p $(@D)
	$(Q)g++ $(OPT) -o $@ $^ -lcmocka -lOpenCL -lsqlite3 -lyaml $(LDLIBS)

# Only this one: GSL is under the GPL.
$(B)/tests/tb/cli/train/gsl_test: LDLIBS += -lgsl -lgslcblas

list: ## the test programs; `make tests/<name>` builds and runs one
	@printf 'tests/%s\n' $(TESTS)
$(MACHINE_TESTS:%=tests/%): $(PRODUCT)
$(TESTS:%=tests/%): tests/%: $(B)/tests/%
	$(call say,TEST,$*)
	$(Q)$(TEST_ENV) $<
# Need a browser, and a solver of integer programs, which other tests do without.
BROWSER_TEST := tb/cli/html/browser_test
SOLVER_TEST  := cmodel/analytic/lp_solve_test
unit-tests: $(patsubst %,tests/%,$(filter-out $(BROWSER_TEST) $(SOLVER_TEST),$(TESTS))) ## all cmocka tests but those of browser-test and solver-test
browser-test: tests/$(BROWSER_TEST) ## pages of a run in chromium, which `make setup MORE=1` installs
solver-test: tests/$(SOLVER_TEST) ## the knapsack against lp_solve, which `make setup MORE=1` installs

# What several checks share is made before they run at the same time.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc)) --output-sync=target
test: $(PACKAGES) ## everything that must pass: units, machine, lockstep, synthesis, proofs, faults
	@$(if $(NOSETUP),tb/install/packages.sh look checks,:)
	@tests/summary/run.sh build/test $(MAKE) all-tests
all-tests:
	@$(MAKE) $(PARALLEL) unit-tests
	@$(MAKE) $(PARALLEL) pages workload-tests ELSEWHERE="tiny titanv"
	@$(MAKE) pairs PAIRS="$(A_DOZEN)"
	@$(MAKE) install-test
	@set -e; for unit in $(UNITS); do $(MAKE) UNIT=$$unit $(B)/check/$$unit/random; \
		$(MAKE) CONFIG=tiny UNIT=$$unit build/tiny/check/$$unit/random; done
	@$(MAKE) $(PARALLEL) tested-glue $(LARGEST:%=tested-%) tested-sample tested-library memcheck
# Units, those with most cells first, so that at the end no long check runs alone. A new one has no page yet.
PAGED    = $(shell awk -F '|' '/^\| tiny / && !seen[FILENAME]++ { split(FILENAME, part, "/"); print $$6 + 0, part[2] }' \
	$(wildcard rtl/*/EVIDENCE.md) /dev/null | sort -rn | cut -d' ' -f2)
LARGEST  = $(PAGED) $(filter-out $(PAGED),$(UNITS))
# Pairs that are soon done, in `test`.
A_DOZEN := bfs+hotspot vecadd+spmv vecadd+pathfinder lud+hotspot bfs+vecadd spmv+pathfinder backprop+vecadd spmv+bfs lud+spmv matmul+nw stencil+bicg gesummv+sad
# Checks of the checkers are on the smallest machine; of what is planted some are tried, and proofs are of small sizes. All of them:
# regress.
SHORT := SIZES="2 3 4 6" PLANTED=2
$(UNITS:%=tested-%): tested-%:
	@$(MAKE) UNIT=$* cosim
	@$(MAKE) CONFIG=tiny UNIT=$* evidence-check
	@PLANTED=1 $(MAKE) CONFIG=tiny UNIT=$* synth-test
	@$(SHORT) $(MAKE) CONFIG=tiny UNIT=$* faults
	@$(SHORT) $(MAKE) CONFIG=tiny UNIT=$* prove
tested-library: tested-wia tested-daws_classify # they write below the same folders
	@$(MAKE) CONFIG=tiny UNIT=wia library-test
	@PLANTED=3 $(MAKE) CONFIG=tiny UNIT=wia netlist-test
	@$(MAKE) CONFIG=tiny UNIT=daws_classify memories-test
	@$(MAKE) CONFIG=tiny UNIT=wia energies pipeline KERNELS=hotspot CYCLES=1000
	@sh tests/frontier.sh build/tiny
tested-glue:
	@PLANTED=24 $(MAKE) CONFIG=tiny glue
tested-sample:
	@$(SHORT) $(MAKE) CONFIG=tiny sample-test \
		TARGETS="lint-unit cosim synth synth-test prove faults"

# After test: sanitizers, medium workloads, 10^8 random cycles, proofs at the real size, mutants,
# coverage and SystemC of every unit, every unit on every machine, a long sweep.
regress: $(PACKAGES) ## test, then the long runs, which take hours
	@tests/summary/run.sh build/regress $(MAKE) all-regress
all-regress: all-tests docs
	@$(MAKE) setup MORE=1
	@set -e; for unit in mask active; do $(MAKE) CONFIG=tiny UNIT=$$unit wires-test; done
	@$(MAKE) UNIT=dispatch wires
	@$(MAKE) browser-test solver-test
	@$(MAKE) SAN=1 unit-tests
	@$(MAKE) SAN=thread tests/tb/gpu/same_test
	@EVERY=1 ACTING=all $(MAKE) workload-tests
	@$(MAKE) workload-tests SIZE=medium
	@$(MAKE) replays
	@$(MAKE) pairs
	@$(MAKE) CONFIG=tiny glue
	@set -e; for unit in $(UNITS); do \
		$(MAKE) UNIT=$$unit cosim CYCLES=100000000; \
		$(MAKE) UNIT=$$unit synth-test netlist-test faults systemc coverage prove mutate mutate-reference LISTS=2; done
	@set -e; for config in $(filter-out $(CONFIG),$(CONFIGS)); do for unit in $(UNITS); do \
		$(MAKE) CONFIG=$$config UNIT=$$unit cosim synth faults mutate; done; done
	@$(MAKE) CONFIG=tiny sample-test
	@$(MAKE) sweep-test
	@$(MAKE) pandas-test

docs: pages ## the pages: commands as typed, what they print, and the units' figures
	@set -e; for unit in $(UNITS); do $(MAKE) UNIT=$$unit evidence-check; done
# With the tour: a planted fault, its report, waveform and replay. First of all it copies $(B).
pages: $(PRODUCT)
	$(Q)$(if $(filter build/gtx480,$(B)),tests/docs.sh $(B),echo "the pages are of CONFIG=gtx480")

# Sweeps under Slurm too, if that is installed.
sweep-test: $(PRODUCT) ## a sweep of POINTS points (300) killed and restarted
	$(Q)HEDDLE_SWEEP_POINTS=$(or $(POINTS),300) $(MAKE) tests/tb/cli/sweep/kill_test
	$(Q)tests/tb/cli/sweep/slurm.sh $(B)

# With Debian's Python, whatever else there is.
pandas-test: $(PRODUCT) ## a sweep's results in pandas, as the page of the command has it
	$(Q)PATH=/usr/bin:$$PATH tests/pandas.sh $(B)

# With another configuration beside this one.
BESIDE := $(if $(filter tiny,$(CONFIG)),gtx480,tiny)
install-test: $(PRODUCT) ## what make install leaves, used without the tree
	@$(MAKE) CONFIG=$(BESIDE) build
	$(Q)tests/install/install.sh $(B) $(BESIDE)

# The other machines are built one after the other, once this one has built what they share. In `test` they are the smallest and the
# largest: to build all of them takes longer than to run them.
ELSEWHERE ?= $(CONFIGS)
MACHINES   = $(B) $(filter-out $(B),$(ELSEWHERE:%=build/%$(SUFFIX)))
workload-tests: $(PRODUCT) ## every workload, in lockstep, on every machine: SIZE, WORKLOADS, ELSEWHERE="tiny ..."
	@set -e; for config in $(filter-out $(CONFIG),$(ELSEWHERE)); do \
		$(MAKE) -s $(PARALLEL) CONFIG=$$config build; done
	$(Q)WORKLOADS="$(WORKLOADS)" tests/tb/workloads/matrix.sh $(or $(SIZE),small) $(MACHINES)

# CHOSEN is WORKLOADS, if that was given.
backends: $(PRODUCT) ## the same whichever backend decides, and how fast: POLICIES, WORKLOADS, SIZE
	$(Q)POLICIES="$(or $(POLICIES),gto)" tests/tb/workloads/backends.sh $(or $(SIZE),small) $(B) $(or $(CHOSEN),bfs spmv)

replays: $(PRODUCT) ## every workload, captured and replayed: WORKLOADS
	$(Q)WORKLOADS="$(WORKLOADS)" tests/tb/workloads/replays.sh $(B)

pairs: $(PRODUCT) ## two captures beside each other, in lockstep: PAIRS="bfs+spmv ...", or all of WORKLOADS
	$(Q)PAIRS="$(PAIRS)" WORKLOADS="$(WORKLOADS)" tests/tb/workloads/pairs.sh $(B)

# On the machine whose name stands in tests/glue/EVIDENCE.md.
glue: $(PRODUCT) ## planted faults between machine and units, all found by observers: FAULTS, WRITE=1
	$(Q)FAULTS="$(FAULTS)" tests/glue/run.sh $(B) $(if $(WRITE),write)

VALGRIND := valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
memcheck: $(PRODUCT) ## valgrind on a workload of every kind: WORKLOADS
	$(Q)for workload in $(or $(CHOSEN),vecadd bfs histogram); do \
		echo "  MEMCHECK $$workload"; \
		OCL_ICD_VENDORS=$(abspath $(B))/heddle.icd HEDDLE_SET="run.backend=lockstep" \
			$(VALGRIND) $(B)/workloads/$$workload --size=small \
			> $(B)/memcheck.log 2>&1 || { cat $(B)/memcheck.log; exit 1; }; done
.PHONY: $(TESTS:%=tests/%) list unit-tests test all-tests regress all-regress docs pages sweep-test workload-tests
.PHONY: browser-test solver-test install-test pandas-test backends replays pairs memcheck glue tested-glue tested-sample tested-library $(UNITS:%=tested-%)
