# A thin cover over cargo, for those who type "make". Nothing here is needed to build the engine.
#
#   make build     the optimised engine, target/release/trebuchet
#   make run       the engine on this terminal; also good for: xboard -fcp "make run"
#   make test      the tests that need nothing but a Rust toolchain
#   make play      chess against it in xboard; make play3: three-check
#   make debug     the same with xboard's log and the engine's in xboard-logs/; make debug VARIANT=3check
#   make dist      archives for Linux (x86-64, aarch64) and Windows in target/dist
#   make install   binary, man page and xboard's plug-in file under PREFIX; make uninstall takes them away

CARGO   ?= cargo
PREFIX  ?= /usr/local
DESTDIR ?=
ARGS    ?=
VARIANT ?= normal

ENGINE   = $(or $(CARGO_TARGET_DIR),target)/release/trebuchet
LOGS     = xboard-logs
BINDIR   = $(PREFIX)/bin
MANDIR   = $(PREFIX)/share/man/man6
ENGDIR   = $(PREFIX)/share/games/plugins/xboard

.PHONY: build run clean test play play3 debug dist install uninstall

build:
	$(CARGO) build --release

# Whatever is printed here xboard reads as chess, on stderr too: so cargo's words go to a file, and
# are shown only to a person who sees the build fail.
run:
	@mkdir -p $(LOGS)
	@$(CARGO) run --quiet --release -- $(ARGS) 2>$(LOGS)/run.stderr || \
	  { status=$$?; if [ -t 2 ]; then cat $(LOGS)/run.stderr >&2; fi; exit $$status; }

clean:
	$(CARGO) clean

test:
	$(CARGO) test

# Engines and xboard live in /usr/games on Debian, which root's PATH often lacks.
BOARD = PATH="$$PATH:/usr/games"; \
  if command -v xboard >/dev/null; then xboard -fcp "$(1)" $(2); \
  elif command -v winboard.exe >/dev/null; then winboard.exe -fcp "wsl.exe --cd '$(CURDIR)' $(1)" $(2); \
  else echo "There is neither xboard nor winboard.exe here. Debian and Ubuntu: apt install xboard."; exit 1; fi

play: build
	@$(call BOARD,$(ENGINE),)

play3: build
	@$(call BOARD,$(ENGINE),-variant 3check)

debug: build
	@mkdir -p $(LOGS)
	@log=$(LOGS)/xboard-$$(date +%Y%m%d-%H%M%S).debug; echo "The log of xboard: $$log"; \
	$(call BOARD,$(ENGINE) --log $(LOGS),-variant $(VARIANT) -debug -nameOfDebugFile $$log)

dist:
	@CARGO=$(CARGO) packaging/dist.sh

# Builds nothing, so that root need not have a toolchain: "make build && sudo make install".
install:
	@test -x $(ENGINE) || { echo "Nothing to install yet: run \"make build\" first."; exit 1; }
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR) $(DESTDIR)$(ENGDIR)
	install -m 755 $(ENGINE) $(DESTDIR)$(BINDIR)/trebuchet
	install -m 644 packaging/trebuchet.6 $(DESTDIR)$(MANDIR)/trebuchet.6
	sed 's|@BINDIR@|$(BINDIR)|' packaging/trebuchet.eng.in > $(DESTDIR)$(ENGDIR)/trebuchet.eng
	chmod 644 $(DESTDIR)$(ENGDIR)/trebuchet.eng

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/trebuchet $(DESTDIR)$(MANDIR)/trebuchet.6 $(DESTDIR)$(ENGDIR)/trebuchet.eng
