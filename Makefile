# pod-dns. `make help` lists the targets.
CC       ?= cc
CFLAGS   ?= -O2 -g
PREFIX   ?= /usr/local
# Where runtimes look for plugins, whatever PREFIX is.
CNI_BIN_DIR ?= /opt/cni/bin
MANDIR   ?= $(PREFIX)/share/man
COMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
UNITDIR  ?= $(PREFIX)/lib/systemd/system
PKG_CONFIG ?= pkg-config
CLANG    ?= clang

build := build$(if $(SAN),-san)
version := $(shell sed -n 's/.*POD_DNS_VERSION "\(.*\)"/\1/p' plugin/version.h)
# V=1 shows the commands.
Q     := $(if $(V),,@)
told   = $(if $(V),,@printf '  %-5s %s\n' $(1) $@)
comma := ,

warnings  := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes \
	     -Wformat=2 -Wundef -Wvla $(if $(WERROR),-Werror)
hardening := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all \
		-fno-omit-frame-pointer,-D_FORTIFY_SOURCE=2) \
	     -fPIE -fstack-protector-strong -fstack-clash-protection
# What the folder is called must not show in the programs: two builds are the same bytes.
required  := -std=c11 -D_GNU_SOURCE $(warnings) $(hardening) -MMD -MP -ffile-prefix-map=$(CURDIR)=.
linking   := -pie -Wl,-z,relro -Wl,-z,now -Wl,--as-needed \
	     $(if $(SAN),-fsanitize=address$(comma)undefined)
# Every start pays for a shared library, so jansson's archive is linked where there is one.
# JANSSON=-ljansson: the shared one, as a distribution wants it.
JANSSON  ?= $(if $(filter /%,$(shell $(CC) -print-file-name=libjansson.a)),-l:libjansson.a,-ljansson)
# Evaluated when first used: `make deps` may be what installs pkg-config.
libraries = $(subst -ljansson,$(JANSSON),$(shell $(PKG_CONFIG) --libs jansson libmnl))
# What a program links beside them: the plugin, which runs for every pod, stays with the two above.
libraries_pod-dnsctl = $(shell $(PKG_CONFIG) --libs yaml-0.1 libnghttp2)
cmocka    = $(shell $(PKG_CONFIG) --libs cmocka)
headers   = $(shell $(PKG_CONFIG) --cflags jansson libmnl)

# A program is a folder of plugin/ with a main.c, and has rooms below it; the other folders are shared by the programs.
programs   := $(patsubst plugin/%/main.c,%,$(wildcard plugin/*/main.c))
pkg_src    := $(wildcard pkgsrc/*.c pkgsrc/*/*.c)
room_src   := $(filter-out $(programs:%=plugin/%/%),$(wildcard plugin/*.c plugin/*/*.c plugin/*/*/*.c))
test_src   := $(wildcard tests/unit/*/test_*.c tests/program/test_*.c)
pkg_obj    := $(pkg_src:%.c=$(build)/%.o)
room_obj   := $(room_src:%.c=$(build)/%.o)
tests      := $(test_src:%.c=$(build)/%)

all: $(programs:%=$(build)/%)

# The layer rule: the library is compiled without the plugin in its include path.
$(build)/pkgsrc/%.o: pkgsrc/%.c
	@mkdir -p $(@D)
	$(call told,CC)
	$(Q)$(CC) $(required) -Ipkgsrc $(headers) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
$(build)/plugin/%.o: plugin/%.c
	@mkdir -p $(@D)
	$(call told,CC)
	$(Q)$(CC) $(required) -Iplugin -Ipkgsrc $(headers) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(build)/libpkg.a: $(pkg_obj)
$(build)/libplugin.a: $(room_obj)
# pod-dnsctl install looks there for the plugin: compiled again where CNI_BIN_DIR is another one than before.
$(build)/plugin/pod-dnsctl/install/plugin_file.o: CPPFLAGS += -DCNI_BIN_DIR='"$(CNI_BIN_DIR)"'
$(build)/plugin/pod-dnsctl/install/plugin_file.o: $(build)/cni-bin-dir
$(build)/cni-bin-dir: FORCE
	@mkdir -p $(@D)
	@echo '$(CNI_BIN_DIR)' | cmp -s - $@ || echo '$(CNI_BIN_DIR)' >$@
FORCE:

# A program's own parts, but for its main: what a test may link.
program_obj = $(patsubst %.c,$(build)/%.o,$(filter-out %/main.c,$(wildcard plugin/$1/*.c plugin/$1/*/*.c)))
$(foreach p,$(programs),$(eval $(build)/lib$p.a: $$(call program_obj,$p)))
$(build)/%.a:
	$(call told,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

libs := $(build)/libplugin.a $(build)/libpkg.a
$(programs:%=$(build)/%): $(build)/%: $(build)/plugin/%/main.o $(build)/lib%.a $(libs)
	$(call told,LINK)
	$(Q)$(CC) $(linking) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(libraries) $(libraries_$*)

# For hosts without our libraries, or with another libc: the programs with their loader and what they
# load, all of it below one folder. An rpath of the old kind, which LD_LIBRARY_PATH does not precede.
BUNDLE_DIR := /opt/pod-dns
bundled := $(programs:%=$(build)/bundle$(BUNDLE_DIR)/bin/%)
$(bundled): $(build)/bundle$(BUNDLE_DIR)/bin/%: $(build)/plugin/%/main.o $(build)/lib%.a $(libs)
	@mkdir -p $(@D)
	$(call told,LINK)
	$(Q)$(CC) $(linking) $(CFLAGS) $(LDFLAGS) -s -Wl,--dynamic-linker=$(BUNDLE_DIR)/lib/ld.so \
		-Wl,--disable-new-dtags -Wl,-rpath,$(BUNDLE_DIR)/lib -o $@ $^ $(libraries) $(libraries_$*)

# Where the libraries are installed as archives (Debian has no libmnl.a).
$(programs:%=$(build)/static/%): $(build)/static/%: $(build)/plugin/%/main.o $(build)/lib%.a $(libs) | archives
	@mkdir -p $(@D)
	$(call told,LINK)
	$(Q)$(CC) $(linking) -static-pie $(CFLAGS) $(LDFLAGS) -o $@ $^ \
		$(shell $(PKG_CONFIG) --static --libs jansson libmnl) $(libraries_$*)

# A test may include the .c it tests: the archive then gives the rest.
archives := $(programs:%=$(build)/lib%.a) $(libs)
$(build)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(call told,CC)
	$(Q)$(CC) $(required) -Itests -Iplugin -Ipkgsrc $(headers) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
$(tests): %: %.o $(archives)
	$(call told,TEST)
	$(Q)$(CC) $(linking) $(CFLAGS) $(LDFLAGS) -o $@ $< $(archives) $(libraries) \
		$(foreach p,$(programs),$(libraries_$p)) $(cmocka)

.PHONY: all help deps quick check test unit integration lint fuzz bench kernels demo install uninstall \
	bundle static archives deb dist release-check clean FORCE
.DELETE_ON_ERROR:

help:
	@echo 'all (default)   build/pod-dns, build/pod-dnsctl, build/pod-dns-nri'
	@echo 'deps            install the Debian packages that the targets below need (root)'
	@echo 'demo            two real pods, before and after, as a story (root)'
	@echo 'check           unit and integration tests (root); SAN=1: with ASan and UBSan'
	@echo 'quick           what a commit needs: build, lint, unit tests'
	@echo 'lint            rooms, functions, compilers, clang-tidy, cppcheck, shellcheck'
	@echo 'fuzz            each fuzz driver for FUZZ_SECONDS (60)'
	@echo 'bench           what an ADD costs, DNS through the rules, many attachments (root)'
	@echo 'kernels         steering on the kernels of Debian 11 and 12, emulated (root, 20 minutes)'
	@echo 'test            the unit tests, without root and without installing anything'
	@echo 'unit            the same; integration: the scenarios alone (root)'
	@echo 'bundle          build/bundle/opt/pod-dns: the programs with their loader and libraries'
	@echo 'static          build/static: the programs in one piece, where the archives are installed'
	@echo 'deb             Debian packages of the last commit, in build/deb'
	@echo 'dist            build/pod-dns-VERSION.tar.gz of the last commit'
	@echo 'release-check   what must hold before a version is tagged'
	@echo 'clean           remove what was built'
	@echo 'install         DESTDIR= PREFIX= CNI_BIN_DIR= (by rename: a pod may start meanwhile)'

deps:
	@integration/deps

demo:
	@integration/deps demo
	@$(MAKE) --no-print-directory -s all
	@integration/demo

check: deps
	@$(MAKE) --no-print-directory unit
	@$(MAKE) --no-print-directory integration

quick: all
	@$(MAKE) --no-print-directory lint unit

test: unit

unit: all $(tests)
	@tests/run $(build)

integration: all bundle
	@integration/run $(build)

lint: deps
	@tests/lint

fuzz: deps
	@tests/fuzz/run

bench: deps
	@$(MAKE) --no-print-directory all
	@integration/bench/run

kernels:
	@integration/deps kernels
	@$(MAKE) --no-print-directory all
	@integration/kernels/run $(build)

# The loader's own name is another on each architecture: ld.so is what the programs ask for.
bundle: $(bundled) $(programs:%=$(build)/%)
	@packaging/bundle $(build) $(BUNDLE_DIR)

static: $(programs:%=$(build)/static/%)

archives:
	@for library in libjansson.a libmnl.a; do \
		case $$($(CC) -print-file-name=$$library) in \
		/*) ;; \
		*) echo "static: $$library is not installed" >&2; exit 1 ;; \
		esac; \
	done

deb:
	@packaging/deb $(build)

dist:
	@mkdir -p $(build)
	@git archive --format=tar --prefix=pod-dns-$(version)/ HEAD | gzip -n9 >$(build)/pod-dns-$(version).tar.gz
	@echo $(build)/pod-dns-$(version).tar.gz

release-check:
	@packaging/release-check $(version)

# None of them is enabled.
units := $(notdir $(wildcard conf/systemd/*))

install: all
	install -d $(DESTDIR)$(CNI_BIN_DIR) $(DESTDIR)$(PREFIX)/sbin \
		$(addprefix $(DESTDIR)$(MANDIR)/man,5 7 8) $(DESTDIR)$(COMPLETIONDIR) \
		$(DESTDIR)$(UNITDIR)
	install -m 0755 $(build)/pod-dns $(DESTDIR)$(CNI_BIN_DIR)/.pod-dns.new
	mv -f $(DESTDIR)$(CNI_BIN_DIR)/.pod-dns.new $(DESTDIR)$(CNI_BIN_DIR)/pod-dns
	install -m 0755 $(build)/pod-dnsctl $(DESTDIR)$(PREFIX)/sbin/.pod-dnsctl.new
	mv -f $(DESTDIR)$(PREFIX)/sbin/.pod-dnsctl.new $(DESTDIR)$(PREFIX)/sbin/pod-dnsctl
	install -m 0755 $(build)/pod-dns-nri $(DESTDIR)$(PREFIX)/sbin/.pod-dns-nri.new
	mv -f $(DESTDIR)$(PREFIX)/sbin/.pod-dns-nri.new $(DESTDIR)$(PREFIX)/sbin/pod-dns-nri
	install -m 0644 plugin/pod-dns/pod-dns.conf.5 $(DESTDIR)$(MANDIR)/man5/
	install -m 0644 plugin/pod-dns/pod-dns-steering.7 $(DESTDIR)$(MANDIR)/man7/
	install -m 0644 plugin/pod-dns/pod-dns.8 plugin/pod-dnsctl/pod-dnsctl.8 \
		plugin/pod-dns-nri/pod-dns-nri.8 $(DESTDIR)$(MANDIR)/man8/
	install -m 0644 plugin/pod-dnsctl/completion.bash $(DESTDIR)$(COMPLETIONDIR)/pod-dnsctl
	for unit in $(units); do \
		sed 's,^ExecStart=/usr/local/,ExecStart=$(PREFIX)/,' conf/systemd/$$unit \
			>$(DESTDIR)$(UNITDIR)/$$unit && chmod 0644 $(DESTDIR)$(UNITDIR)/$$unit || exit 1; \
	done

uninstall:
	rm -f $(DESTDIR)$(CNI_BIN_DIR)/pod-dns $(DESTDIR)$(PREFIX)/sbin/pod-dnsctl \
		$(DESTDIR)$(PREFIX)/sbin/pod-dns-nri $(DESTDIR)$(MANDIR)/man8/pod-dns-nri.8 \
		$(DESTDIR)$(MANDIR)/man5/pod-dns.conf.5 \
		$(DESTDIR)$(MANDIR)/man7/pod-dns-steering.7 \
		$(DESTDIR)$(MANDIR)/man8/pod-dns.8 $(DESTDIR)$(MANDIR)/man8/pod-dnsctl.8 \
		$(DESTDIR)$(COMPLETIONDIR)/pod-dnsctl \
		$(addprefix $(DESTDIR)$(UNITDIR)/,$(units))

clean:
	rm -rf build build-san build-fuzz

-include $(shell find $(build) -name '*.d' 2>/dev/null)
