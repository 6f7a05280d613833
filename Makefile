# linelint: one Makefile, not recursive. `make help` lists the targets and the knobs; V=1 shows the commands.

VERSION  := 0.1.0
PREFIX   ?= /usr/local
DESTDIR  ?=
SANITIZE ?=
DEV      ?=
V        ?= 0
J        ?= 2

# Debian's packages: to build, to test, to measure. libc6-dev and python3 come with others on most machines, not on all.
# (gcc-multilib, which conflicts with the cross compilers, is not the one: tests of 32-bit code need these two.)
DEPS_BUILD := gcc libc6-dev make libdwarf-dev libelf-dev libbpf-dev zlib1g-dev libyaml-dev libcjson-dev \
              liblzma-dev libzstd-dev liblz4-dev libbz2-dev
DEPS_TEST  := libcmocka-dev liburcu-dev libck-dev spin valgrind ministat pahole mandoc git patch g++ clang llvm lld dwz gdb binutils pkgconf \
              zstd lz4 python3 python3-jsonschema python3-yaml python3-pyelftools $(if $(filter x86_64,$(shell uname -m)),gcc-12-multilib libc6-dev-i386)
DEPS_BENCH := pahole ministat python3 libcmocka-dev gcc g++ clang dwz binutils
DEPS_FUZZ  := clang libclang-rt-dev gcc g++ llvm dwz pahole binutils zstd lz4 python3 python3-yaml
DEPS_LINT  := clang clang-format shellcheck mandoc

# Separate builds side by side, so that a sanitized one never links objects of a plain one.
comma   := ,
VARIANT := $(if $(filter-out gcc cc,$(notdir $(CC))),$(notdir $(CC))-)$(if $(SANITIZE),$(subst $(comma),-,$(SANITIZE)),plain)
B       ?= build/$(VARIANT)

# Another libdwarf than the system's, by where it was installed: headers of 2.x and 0.x lie in a directory of their own.
LIBDWARF_PREFIX ?=
ifneq ($(LIBDWARF_PREFIX),)
LIBDWARF_HEADER := $(firstword $(wildcard $(LIBDWARF_PREFIX)/include/libdwarf-2/libdwarf.h $(LIBDWARF_PREFIX)/include/libdwarf-0/libdwarf.h \
                     $(LIBDWARF_PREFIX)/include/libdwarf/libdwarf.h $(LIBDWARF_PREFIX)/include/libdwarf.h))
LIBDWARF_LIB    := $(firstword $(wildcard $(LIBDWARF_PREFIX)/lib/libdwarf.* $(LIBDWARF_PREFIX)/lib/*/libdwarf.* $(LIBDWARF_PREFIX)/lib64/libdwarf.*))
ifeq ($(and $(LIBDWARF_HEADER),$(LIBDWARF_LIB)),)
$(error no libdwarf.h in $(LIBDWARF_PREFIX)/include, or no libdwarf in $(LIBDWARF_PREFIX)/lib; LIBDWARF_PREFIX is what --prefix was when it was built)
endif
LIBDWARF_CFLAGS  := -DLIBDWARF_ALONE -isystem $(dir $(LIBDWARF_HEADER))
LIBDWARF_LDFLAGS := -L$(dir $(LIBDWARF_LIB)) -Wl,-rpath,$(abspath $(dir $(LIBDWARF_LIB)))
endif

# What compressed binaries and sections are unpacked with, beside zlib: those of lzma zstd lz4 bz2 that are there.
UNPACK_HEADERS := lzma:lzma.h zstd:zstd.h lz4:lz4frame.h bz2:bzlib.h
UNPACK := $(foreach each,$(UNPACK_HEADERS),$(shell \
            $(CC) $(CFLAGS) -E -include $(lastword $(subst :, ,$(each))) -x c /dev/null >/dev/null 2>&1 && echo $(firstword $(subst :, ,$(each)))))

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wformat=2 \
            -Wundef -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wimplicit-fallthrough -Wnull-dereference \
            -Wdouble-promotion -Wswitch-enum
CFLAGS   ?= -O2 -g
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -Isrc $(LIBDWARF_CFLAGS) $(WARNINGS) $(if $(DEV),-Werror) $(CFLAGS) -pthread \
              $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all) \
              -DLINELINT_VERSION='"$(VERSION)"' $(patsubst %,-DUNPACK_%,$(shell echo $(UNPACK) | tr a-z A-Z))
ALL_LDFLAGS := $(LDFLAGS) $(LIBDWARF_LDFLAGS) -pthread $(if $(SANITIZE),-fsanitize=$(SANITIZE))
LIBS     := -ldwarf -lbpf -lelf -lz -lyaml -lcjson -lm $(UNPACK:%=-l%)

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' $(1) $(2))

# The recorder is no part of the program: a library for other programs, whatever this one is built with. Without debug
# information: its structs are not theirs, and of two with one name the wrong one might be taken.
RECORDER        := $(B)/liblinelint-record.a
RECORDER_CFLAGS := -std=c11 -D_GNU_SOURCE -Isrc $(WARNINGS) $(if $(DEV),-Werror) -O2 -g0 -pthread -fPIC -fvisibility=hidden -ftls-model=initial-exec \
                   $(if $(filter x86_64,$(shell uname -m)),-mcx16)
RECORDER_OBJECTS := $(patsubst src/%.c,$(B)/%.o,$(wildcard src/record/*.c))
# What the linker replaces in a program that is recorded (man/linelint-record.3 lists it too).
RECORDER_WRAPS  := malloc calloc realloc reallocarray free aligned_alloc memalign valloc posix_memalign \
                   memcpy memmove memset \
                   $(addprefix pthread_,mutex_lock mutex_trylock mutex_unlock spin_lock spin_trylock spin_unlock \
                     rwlock_rdlock rwlock_tryrdlock rwlock_wrlock rwlock_trywrlock rwlock_unlock)

UNPACK_ABSENT := $(filter-out gzip $(UNPACK:lzma=xz) $(UNPACK:bz2=bzip2),gzip xz zstd lz4 bzip2)
SOURCES  := $(filter-out src/main.c src/record/% $(UNPACK_ABSENT:%=src/read/unpack/%.c),$(wildcard src/*.c src/*/*.c src/*/*/*.c))
OBJECTS  := $(SOURCES:src/%.c=$(B)/%.o) $(B)/linux_profile.o
PROGRAM  := $(B)/linelint
UNIT     := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))

#: the program, at ./linelint, and the recorder's library
.PHONY: all
all: linelint $(RECORDER)

.PHONY: linelint
linelint: $(PROGRAM)
	@ln -sfn $(PROGRAM) $@

$(PROGRAM): $(B)/main.o $(B)/liblinelint.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LIBS)

$(B)/liblinelint.a: $(OBJECTS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $(filter %.o,$^)

$(B)/%.o: src/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Another set of libraries is another program.
$(B)/read/unpack.o $(B)/liblinelint.a $(PROGRAM): $(B)/unpack
$(B)/unpack: FORCE
	@mkdir -p $(@D)
	@echo '$(UNPACK)' | cmp -s - $@ || echo '$(UNPACK)' > $@
.PHONY: FORCE
FORCE:

$(B)/record/%.o: src/record/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(RECORDER_CFLAGS) -MMD -MP -c -o $@ $<

$(RECORDER): $(RECORDER_OBJECTS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

# The shipped profile as bytes of the program.
$(B)/linux_profile.c: layouts/linux.yaml
	@mkdir -p $(@D)
	$(Q){ echo '#include "profile.h"'; echo 'const char profile_linux_text[] = {'; \
	  od -An -v -tx1 $< | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; echo '0};'; \
	  echo 'const size_t profile_linux_length = sizeof(profile_linux_text) - 1;'; } > $@
$(B)/linux_profile.o: $(B)/linux_profile.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(B)/tests/%: tests/unit/%.c $(B)/liblinelint.a
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(ALL_LDFLAGS) -o $@ $< $(B)/liblinelint.a -lcmocka $(LIBS)

# For the tests: as on a machine without those libraries.
WITHOUT := $(B)/tests/linelint-without
$(WITHOUT): src/read/unpack.c $(B)/main.o $(B)/liblinelint.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(filter-out -DUNPACK_%,$(ALL_CFLAGS)) $(ALL_LDFLAGS) -o $@ $^ $(filter-out $(UNPACK:%=-l%),$(LIBS))

-include $(OBJECTS:.o=.d) $(RECORDER_OBJECTS:.o=.d) $(B)/main.d $(UNIT:=.d)

# What installs packages must come first, and only then may the rest be looked at: hence a second make.
AGAIN  = +$(Q)$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(J))

#: the main job on the five cases of layouts/: each report before and after the fix (CASES="1 4" for some)
.PHONY: demo
demo: deps-build
	$(AGAIN) linelint
	$(Q)CC='$(CC)' layouts/demo.sh $(CASES)

#: all tests (TESTS="golden/bitfields ..." for some; SANITIZE=address,undefined)
.PHONY: check
check: deps-build deps-test
	$(AGAIN) all unit-tests
	$(Q)CC='$(CC)' SANITIZE='$(SANITIZE)' BUILD='$(B)' tests/run -j$(J) $(TESTS)

include samples/fdtable/fdtable.mk
include samples/fdtable/bench/bench.mk
include tests/fuzz/fuzz.mk

.PHONY: unit-tests
unit-tests: $(UNIT) $(WITHOUT) $(FDTABLE_TESTS) $(FDBENCH_TESTS) $(FUZZ_REPLAY)

#: against pahole on Debian's kernels, and the precision tests on them (downloads about 300 MB each, once)
.PHONY: check-vmlinux
check-vmlinux: deps-build deps-test
	$(AGAIN) linelint
	$(Q)LINELINT='$(PROGRAM)' tests/check-vmlinux.sh

#: every struct of many builds, beside pahole: compilers, DWARF versions, targets, packagings (CORPUS="clang/constructs" for some)
.PHONY: corpus
corpus: deps-build deps-test
	$(AGAIN) linelint
	$(Q)SANITIZE='$(SANITIZE)' BUILD='$(B)' /usr/bin/python3 tests/corpus/corpus.py -j$(J) $(CORPUS)

#: speed and memory against pahole on Debian's 6.12 kernel
.PHONY: bench
bench: deps-build deps-bench
	$(AGAIN) all
	$(Q)LINELINT='$(PROGRAM)' tests/bench/run.sh

#: the fd table's benchmarks, goals and simulations, in less than 10 minutes (BENCH_FDTABLE="--scale 0.2 --only opensock")
.PHONY: bench-fdtable
bench-fdtable: deps-build deps-test deps-bench
	$(AGAIN) linelint $(FDBENCH_PROGRAMS) $(FDBENCH_RECORDED)
	$(Q)BUILD='$(B)' samples/fdtable/bench/run.py --out build/bench-fdtable $(BENCH_FDTABLE)

#: warnings as errors with gcc and clang, scripts, manual pages
.PHONY: lint
lint: deps-build deps-test deps-lint
	$(AGAIN) DEV=1 CC=gcc B=build/lint-gcc build/lint-gcc/linelint build/lint-gcc/liblinelint-record.a unit-tests
	$(AGAIN) DEV=1 CC=clang B=build/lint-clang build/lint-clang/linelint build/lint-clang/liblinelint-record.a unit-tests
	$(Q)$(MAKE) --no-print-directory DEV=1 CC=gcc fdtable-lint
	$(Q)$(MAKE) --no-print-directory DEV=1 CC=clang fdtable-lint
	$(Q)shellcheck -e SC1007 $(shell find layouts tests samples -name '*.sh') .ci/run
	$(Q)BUILD=build/lint-gcc tests/run order docs/lint

# Not the headers: their comments stand in a column a struct, which clang-format would take apart.
#: formats the C sources
.PHONY: fmt
fmt: deps-lint
	clang-format -i $$(git ls-files 'src/*.c' 'tests/unit/*.c' 'samples/fdtable/*.c' 'samples/fdtable/bench/*.c')

#: libFuzzer on each reader, with sanitizers (FUZZ="index profile" for some; FUZZ_SECONDS=60 each)
.PHONY: fuzz
fuzz: deps-build deps-fuzz
	$(AGAIN) CC=clang SANITIZE=fuzzer-no-link,address,undefined B=$(FUZZ_B) LDFLAGS= fuzz-programs
	$(Q)tests/fuzz/run.py --build $(FUZZ_B)/fuzz --seconds $(FUZZ_SECONDS) $(FUZZ)

#: the tests with coverage, and a table of it
.PHONY: cover
cover: deps-build deps-test
	$(Q)rm -rf build/cover
	-$(AGAIN) B=build/cover CFLAGS='-O0 -g --coverage' LDFLAGS=--coverage check
	$(Q)tests/cover.sh build/cover

#: installs Debian's packages for all of this
.PHONY: deps
deps:
	$(Q)tests/deps.sh $(sort $(DEPS_BUILD) $(DEPS_TEST) $(DEPS_BENCH) $(DEPS_FUZZ) $(DEPS_LINT))

.PHONY: deps-build deps-test deps-bench deps-fuzz deps-lint
deps-build:
	$(Q)tests/deps.sh $(DEPS_BUILD)
deps-test:
	$(Q)tests/deps.sh $(DEPS_TEST)
deps-bench:
	$(Q)tests/deps.sh $(DEPS_BENCH)
deps-fuzz:
	$(Q)tests/deps.sh $(DEPS_FUZZ)
deps-lint:
	$(Q)tests/deps.sh $(DEPS_LINT)

#: program, recorder, manual pages, profiles, schemas and completion, under PREFIX (and DESTDIR)
.PHONY: install
install: linelint $(RECORDER)
	$(Q)install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/linelint
	$(Q)install -D -m 644 $(RECORDER) $(DESTDIR)$(PREFIX)/lib/liblinelint-record.a
	$(Q)install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@WRAPS@|$(RECORDER_WRAPS:%=-Wl,--wrap=%)|' \
	  src/record/linelint-record.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/linelint-record.pc
	$(Q)install -D -m 644 src/record/linelint-record.h $(DESTDIR)$(PREFIX)/include/linelint-record.h
	$(Q)for page in $(wildcard man/*.[1-9]); do \
	  install -D -m 644 $$page $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page#man/} || exit; done
	$(Q)install -d $(DESTDIR)$(PREFIX)/share/linelint/layouts $(DESTDIR)$(PREFIX)/share/linelint/schema
	$(Q)install -m 644 layouts/*.yaml $(DESTDIR)$(PREFIX)/share/linelint/layouts
	$(Q)install -m 644 samples/schema/*.json $(DESTDIR)$(PREFIX)/share/linelint/schema
	$(Q)install -D -m 644 samples/completion/linelint.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/linelint

#: removes what install has put there
.PHONY: uninstall
uninstall:
	$(Q)rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/linelint lib/liblinelint-record.a lib/pkgconfig/linelint-record.pc \
	  include/linelint-record.h share/bash-completion/completions/linelint)
	$(Q)for page in $(notdir $(wildcard man/*.[1-9])); do rm -f $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$$page; done
	$(Q)rm -rf $(DESTDIR)$(PREFIX)/share/linelint

.PHONY: clean
clean:
	rm -rf build linelint

#: this list
.PHONY: help
help:
	@awk '/^#: / { text = substr($$0, 4) } \
	  /^[a-z-]+:/ { if (text) { split($$0, name, ":"); printf "make %-15s %s\n", name[1], text } text = "" }' Makefile
	@echo
	@echo 'CC=clang  CFLAGS=...  DEV=1 (warnings are errors)  SANITIZE=address,undefined  V=1 (commands)  J=2 (jobs)'
	@echo 'PREFIX=$(PREFIX)  DESTDIR=  B=$(B) (objects)  LIBDWARF_PREFIX=DIR (another libdwarf; with a B of its own)'
