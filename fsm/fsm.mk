# SPDX-License-Identifier: Apache-2.0
# State machines: every list of fsm/ as data, the list of them, and drawings.

FSMS    := $(patsubst fsm/%.def,%,$(wildcard fsm/*.def))
FSM_OBJ := $(FSMS:%=$(C)/obj/fsm/%_machine.o) $(C)/obj/fsm/fsm.o
$(C)/obj/fsm/%_machine.o: fsm/machine.c fsm/%.def | $(PACKAGES)
	$(call say,CC,fsm/machine.c ($*))
	@mkdir -p $(@D)
	$(Q)gcc -I. $(CFLAGS) -DFSM_NAME=$* -DFSM_LIST='"fsm/$*.def"' -c $< -o $@
$(C)/obj/fsm/fsm.o: $(C)/fsms.def
$(C)/obj/fsm/fsm.o: EXTRA := -I$(C)

fsm: $(FSMS:%=$(B)/fsm/%.svg) ## draws every state machine of fsm/
$(B)/fsm/%.svg: fsm/%.def $(B)/expand
	@mkdir -p $(@D)
	$(Q)$(B)/expand graph $* | dot -Tsvg -o $@
	$(call say,DRAWN,$@)
.PHONY: fsm
