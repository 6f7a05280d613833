# linelint: one Makefile, not recursive. `make help` lists the targets; V=1 shows the commands.
#
# Knobs: CC, CFLAGS, DEV=1 (warnings are errors), SANITIZE=address,undefined, PREFIX, DESTDIR, V=1.

VERSION  := 0.1.0
PREFIX   ?= /usr/local
DESTDIR  ?=
SANITIZE ?=
DEV      ?=
V        ?= 0

# Separate builds side by side, so that a sanitized one never links objects of a plain one.
VARIANT := $(if $(filter-out gcc cc,$(notdir $(CC))),$(notdir $(CC))-)$(if $(SANITIZE),$(subst $(comma),-,$(SANITIZE)),plain)
comma   := ,
B       := build/$(VARIANT)

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wformat=2 \
            -Wundef -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wimplicit-fallthrough -Wnull-dereference \
            -Wdouble-promotion -Wswitch-enum
CFLAGS   ?= -O2 -g
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -Isrc $(WARNINGS) $(if $(DEV),-Werror) $(CFLAGS) -pthread \
              $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all) \
              -DLINELINT_VERSION='"$(VERSION)"'
ALL_LDFLAGS := $(LDFLAGS) -pthread $(if $(SANITIZE),-fsanitize=$(SANITIZE))
LIBS     := -ldwarf -lelf -lyaml -lcjson -lm

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' $(1) $(2))

SOURCES  := $(filter-out src/main.c,$(wildcard src/*.c src/base/*.c src/read/*.c src/import/*.c src/render/*.c src/cmd/*.c))
OBJECTS  := $(SOURCES:src/%.c=$(B)/%.o) $(B)/linux_profile.o
PROGRAM  := $(B)/linelint

.PHONY: all
all: linelint

linelint: $(PROGRAM)
	$(Q)ln -sf $(PROGRAM) $@

$(PROGRAM): $(B)/main.o $(B)/liblinelint.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(B)/liblinelint.a: $(OBJECTS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(B)/%.o: src/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The shipped profile as bytes of the program.
$(B)/linux_profile.c: layouts/linux.yaml
	@mkdir -p $(@D)
	$(Q){ echo '#include "profile.h"'; echo 'const char profile_linux_text[] = {'; \
	  od -An -v -tx1 $< | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; echo '0};'; \
	  echo 'const size_t profile_linux_length = sizeof(profile_linux_text) - 1;'; } > $@
$(B)/linux_profile.o: $(B)/linux_profile.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

-include $(OBJECTS:.o=.d) $(B)/main.d

.PHONY: fmt
fmt:
	clang-format -i $$(git ls-files 'src/*.[ch]' 'tests/unit/*.c')

.PHONY: clean
clean:
	rm -rf build linelint
