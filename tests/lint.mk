# SPDX-License-Identifier: Apache-2.0
# Layout, licence lines, lists of files, planted faults that apply, and the Verilog of every unit under the strictest warnings.

FORMATTED = $(shell git ls-files '*.c' '*.h' '*.cpp')
format: ## formats all C and C++ files
	$(Q)clang-format -i $(FORMATTED)

NO_SPDX := LICENSE|.*\.(md|ptx|mtx|patch|svg|png)|\.gitignore|packages.txt|tests/.*/corpus/.*
lint: $(PACKAGES) ## Verilog of every unit and configuration, layout of C, licence lines, planted faults
	@$(MAKE) linted
linted:
	$(Q)printf '%s\n' $(FORMATTED) | xargs -P $$(nproc) -n 50 clang-format --dry-run -Werror
	$(Q)missing=$$(git ls-files | grep -vE '^($(NO_SPDX))$$' | \
			xargs grep -L 'SPDX-License-Identifier: Apache-2.0' || true); \
		[ -z "$$missing" ] || { echo "without an SPDX line:"; echo "$$missing"; exit 1; }
	$(Q)if grep -nE 'lint_off|`include|^\s*import ' rtl/*/*.sv; then \
		echo "RTL includes nothing and waives nothing"; exit 1; fi
	$(Q)status=0; for tree in . tests/sample; do \
		for patch in $$(git -C $$tree ls-files '*.patch'); do \
		case $$tree/$$patch in ./tests/sample/*) continue;; esac; \
		patch -d $$tree --dry-run -p1 -F0 -f <$$tree/$$patch >/dev/null || \
		{ echo "$$tree/$$patch does not apply any more"; status=1; }; done; done; exit $$status
	@$(MAKE) listed
	$(Q)awk '/^[^#]/ { print $$1 }' packages.txt | diff - <(sed -n '/^| Debian 12 /,/^$$/s/^| `\([^`]*\)`.*/\1/p' INSTALL.md) || \
		{ echo "the table of INSTALL.md (>) has other packages than packages.txt (<)"; exit 1; }
	@set -e; for config in $(CONFIGS); do $(MAKE) -s $(PARALLEL) CONFIG=$$config $(UNITS:%=lint-%); done
	@echo "Lint is clean."
lint-unit: lint-$(UNIT)
$(UNITS:%=lint-%): lint-%: $$(B)/cosim/$$*/$$*_top.sv
	$(Q)verilator --lint-only -Wall --top-module $*_top -y rtl/prim rtl/$*/$*.sv $<
	$(Q)sh tests/encoding/run.sh $* $(B)
.PHONY: format lint linted lint-unit $(UNITS:%=lint-%)
