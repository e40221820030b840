# What this computer builds of the firmware: boards on a pseudo-terminal (host), the core's tests (host-test), the fuzzer
# of the frame parser and the commands (fuzz), and the core as a library for the tests in Python.
# Part of firmware/Makefile; alone: make -f host/host.mk TARGET
#
# The name of a build says what is in it: 32, 50 or 64 places; lights; hall = Hall sensors.

HOST_CC ?= gcc
HOST_BUILD ?= build/host
HOST_FLAGS := -std=c99 -Wall -Wextra -Werror -Wconversion -Wshadow -pedantic -O1 -g -Icore
HOST_SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
HOST_BOARDS := 32 50 64 32-lights 50-lights 64-lights hall-32 hall-50 hall-64 hall-32-lights hall-50-lights hall-64-lights
HOST_TESTED := 32 50-lights 64 hall-32 hall-50 hall-64-lights
CORE_ALL := $(wildcard core/*.[ch])
TESTS := $(wildcard tests/test_*.c) tests/check.c tests/bench.c tests/golden.c
FUZZ_RUNS ?= 5000
FUZZ_SOURCES := tests/fuzz_frame.c tests/bench.c
# libFuzzer where there is one (Debian: clang-14 libclang-rt-14-dev), else the driver in fuzz_frame.c.
CLANG ?= clang-14
LIBFUZZER = $(shell echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return !data || !size; }' \
	| $(CLANG) -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null && echo yes)

# $(1): a build's name
host_has = $(findstring $(2),$(1))
host_defines = -DPLACES=$(filter 32 50 64,$(subst -, ,$(1))) $(if $(call host_has,$(1),lights),-DLIGHTS) \
	$(if $(call host_has,$(1),hall),-DHALL)
host_core = core/debounce_deferred.c core/event_log.c core/frame.c core/protocol.c \
	$(if $(call host_has,$(1),lights),core/lights.c) $(if $(call host_has,$(1),hall),core/hall.c)

.PHONY: host host-test fuzz libfuzzer

host: $(HOST_BOARDS:%=$(HOST_BUILD)/board-%)

host-test: $(HOST_TESTED:%=$(HOST_BUILD)/tests-%)
	@for tests in $^; do $$tests ../tests/wire || exit 1; done

fuzz: $(HOST_TESTED:%=$(HOST_BUILD)/fuzz-%)
	@for fuzz in $^; do $$fuzz -runs=$(FUZZ_RUNS) ../tests/wire/frames.txt || exit 1; done
	@if [ -n "$(LIBFUZZER)" ]; then $(MAKE) -f host/host.mk libfuzzer; fi

libfuzzer: $(HOST_TESTED:%=$(HOST_BUILD)/libfuzzer-%)
	@for fuzz in $^; do \
		$$fuzz -runs=$(FUZZ_RUNS) -max_len=512 -seed=1 2>$$fuzz.log || { cat $$fuzz.log; exit 1; }; \
		echo "$$fuzz: $(FUZZ_RUNS) runs, all sound"; \
	done

$(HOST_BUILD)/board-%: host/board.c $(CORE_ALL) | $(HOST_BUILD)
	$(HOST_CC) $(HOST_FLAGS) $(call host_defines,$*) -o $@ host/board.c $(call host_core,$*)

$(HOST_BUILD)/tests-%: $(TESTS) $(wildcard tests/*.h) $(CORE_ALL) | $(HOST_BUILD)
	$(HOST_CC) $(HOST_FLAGS) $(HOST_SANITIZERS) $(call host_defines,$*) -DHARDWARE=1 -o $@ $(TESTS) $(call host_core,$*)

$(HOST_BUILD)/core-%.so: tests/library.c $(CORE_ALL) | $(HOST_BUILD)
	$(HOST_CC) $(HOST_FLAGS) -shared -fPIC -fsanitize=undefined -fno-sanitize-recover=all $(call host_defines,$*) -o $@ $< $(call host_core,$*)

$(HOST_BUILD)/fuzz-%: $(FUZZ_SOURCES) tests/golden.c $(wildcard tests/*.h) $(CORE_ALL) | $(HOST_BUILD)
	$(HOST_CC) $(HOST_FLAGS) $(HOST_SANITIZERS) -DOWN_DRIVER $(call host_defines,$*) -o $@ $(FUZZ_SOURCES) tests/golden.c $(call host_core,$*)

$(HOST_BUILD)/libfuzzer-%: $(FUZZ_SOURCES) $(wildcard tests/*.h) $(CORE_ALL) | $(HOST_BUILD)
	$(CLANG) $(HOST_FLAGS) $(HOST_SANITIZERS) -fsanitize=fuzzer $(call host_defines,$*) -o $@ $(FUZZ_SOURCES) $(call host_core,$*)

$(HOST_BUILD):
	mkdir -p $@
