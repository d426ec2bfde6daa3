# SPDX-License-Identifier: Apache-2.0
# What lies outside the tree: INSTALL.md says which files go where, and why.

PREFIX  ?= /usr/local
DESTDIR ?=
# Where the system's OpenCL loader looks is /etc/OpenCL/vendors; what lies there every program sees.
ICDDIR  ?= $(PREFIX)/etc/OpenCL/vendors

# gtx480 is `heddle`, another configuration `heddle-tiny`.
NAME     := heddle$(if $(filter-out gtx480,$(CONFIG)),-$(CONFIG))
LIBDIR    = $(PREFIX)/lib/heddle
MINE      = $(LIBDIR)/$(CONFIG)
SHAREDIR  = $(PREFIX)/share/heddle
MANDIR    = $(PREFIX)/share/man/man1
COMPLETED = $(PREFIX)/share/bash-completion/completions
MAN      := $(B)/man

# The units for others: references, with headers and SystemC modules, and their Verilog at these sizes.
REFERENCES := $(B)/libheddle-units.a
TOPS       := $(foreach u,$(UNITS),$(B)/cosim/$(u)/$(u)_top.sv)
$(REFERENCES): $(call objects,$(wildcard $(UNITS:%=cmodel/%/*.c)))
	@rm -f $@ && ar rcs $@ $^
$(B)/heddle.pc: tb/install/heddle.pc.in looked | $(B)/hw.h
	@$(call kept,sed 's/@CONFIG@/$(CONFIG)/; s/@VERSION@/$(VERSION)/; s/@UNITS@/$(sort $(UNITS))/' $<)

INSTALLED := $(PRODUCT) $(MAN)/heddle.1 $(REFERENCES) $(TOPS) $(call HEADED,$(UNITS)) $(B)/heddle.pc
# A path is one word, from the root on.
define check_paths
@for path in '$(PREFIX)' '$(ICDDIR)' '$(or $(DESTDIR),/)'; do case "$$path" in \
	/*[[:space:]]* | [!/]* | '') echo "PREFIX, ICDDIR and DESTDIR are paths from / on without blanks; not '$$path'" >&2; exit 2 ;; esac; done
endef
# So that nothing is left to build for a person who installs with sudo.
installable: $(INSTALLED) ## everything that make install copies
install: $(INSTALLED) ## the command, the OpenCL driver and the units below PREFIX (/usr/local): DESTDIR, ICDDIR
	$(check_paths)
	@$(if $(SAN),echo "a build with sanitizers is not installed" >&2; exit 2,:)
	$(call say,INSTALL,$(DESTDIR)$(MINE))
	$(Q)rm -rf $(addprefix $(DESTDIR)$(MINE)/,workloads include rtl) $(DESTDIR)$(SHAREDIR)
	$(Q)install -d $(addprefix $(DESTDIR),$(MINE)/workloads $(MINE)/include/heddle \
		$(MINE)/rtl $(SHAREDIR) $(PREFIX)/bin $(PREFIX)/lib/pkgconfig $(ICDDIR) $(MANDIR) $(COMPLETED))
	$(Q)install -s $(addprefix $(B)/,heddle replay libheddle.so) $(DESTDIR)$(MINE)
	$(Q)install -s $(ALL_WORKLOADS:%=$(B)/workloads/%) $(DESTDIR)$(MINE)/workloads
	$(Q)install -m 644 $(addprefix $(B)/,$(CONFIG).ini devlib.bc prelude.cl identity) $(DESTDIR)$(MINE)
	$(Q)ln -sf ../lib/heddle/$(CONFIG)/heddle $(DESTDIR)$(PREFIX)/bin/$(NAME)
	$(Q)echo '$(MINE)/libheddle.so' | install -m 644 /dev/stdin $(DESTDIR)$(ICDDIR)/$(NAME).icd
	$(Q)install -m 644 $(MAN)/*.1 $(DESTDIR)$(MANDIR)
	$(Q)install -m 644 tb/install/heddle.bash $(DESTDIR)$(COMPLETED)/heddle
	$(Q)[ $(NAME) = heddle ] || ln -sf heddle $(DESTDIR)$(COMPLETED)/$(NAME)
	$(Q)install -m 644 $(REFERENCES) $(DESTDIR)$(MINE) && strip -g $(DESTDIR)$(MINE)/$(notdir $(REFERENCES))
	$(Q)install -m 644 $(call HEADED,$(UNITS)) $(DESTDIR)$(MINE)/include/heddle
	$(Q)install -m 644 $(TOPS) $(DESTDIR)$(MINE)/rtl
	$(Q)install -m 644 $(B)/heddle.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig/$(NAME).pc
	$(Q)install -m 644 $(LISTS) $(DESTDIR)$(SHAREDIR)
	$(Q)for file in $(PRIMS) $(foreach u,$(UNITS),rtl/$(u)/$(u).sv $(wildcard rtl/$(u)/*.md)); do \
		install -D -m 644 $$file $(DESTDIR)$(SHAREDIR)/$$file; done
# What configurations share goes with the last of them.
uninstall: ## removes what install has put there: PREFIX, DESTDIR, ICDDIR, CONFIG
	$(check_paths)
	$(Q)rm -rf $(DESTDIR)$(MINE)
	$(Q)rm -f $(addprefix $(DESTDIR),$(PREFIX)/bin/$(NAME) $(ICDDIR)/$(NAME).icd $(PREFIX)/lib/pkgconfig/$(NAME).pc)
	$(Q)[ $(NAME) = heddle ] || rm -f $(DESTDIR)$(COMPLETED)/$(NAME)
	$(Q)[ ! -d $(DESTDIR)$(LIBDIR) ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$(LIBDIR)
	$(Q)[ -d $(DESTDIR)$(LIBDIR) ] || { rm -rf $(DESTDIR)$(SHAREDIR); \
		rm -f $(DESTDIR)$(COMPLETED)/heddle $(DESTDIR)$(MANDIR)/heddle.1 $(DESTDIR)$(MANDIR)/heddle-*.1; }

$(MAN)/heddle.1: $(B)/heddle tb/install/man.sh
	$(call say,MAN,$(MAN))
	$(Q)rm -rf $(MAN) && tb/install/man.sh $(B) $(VERSION) $(MAN)
.PHONY: installable install uninstall
