# Short names for common commands. You can build the engine without make: cargo build --release.
#
#   make build     the optimised engine, target/release/trebuchet
#   make run       the engine on this terminal; also good for: xboard -fcp "make run"
#   make run-pawns, make run-random   the same in these stages; or: make run STAGE=pawns
#   make test      the tests that need only a Rust toolchain
#   make play      play chess against it in xboard, or without xboard on this terminal; make play3: three-check
#   make debug     make play in xboard, with logs of xboard and of the engine in xboard-logs/;
#                  another game: make debug VARIANT=kingofthehill; play and run know VARIANT, too
#   make dist      archives for Linux (x86-64, aarch64) and Windows, a Debian package and wheels, in target/dist
#   make man       the manual page, packaging/trebuchet.6, from the definitions of the commands
#   make install   puts binary, man page and plug-in file for xboard under PREFIX; make uninstall removes them

CARGO   ?= cargo
PREFIX  ?= /usr/local
DESTDIR ?=
ARGS    ?=
VARIANT ?= normal
STAGE   ?= full

ENGINE   = $(or $(CARGO_TARGET_DIR),target)/release/trebuchet
LOGS     = xboard-logs
BINDIR   = $(PREFIX)/bin
MANDIR   = $(PREFIX)/share/man/man6
ENGDIR   = $(PREFIX)/share/games/plugins/xboard

.PHONY: build run run-pawns run-random clean test play play3 debug dist man install uninstall

# With EXE=NAME the program is copied to NAME, too, and EVALFILE=FILE builds in another network of chess:
# OpenBench builds engines so.
build:
	$(if $(EVALFILE),EVALFILE=$(EVALFILE)) $(CARGO) build --release
	$(if $(EXE),cp $(ENGINE) $(EXE))

# xboard reads all output as protocol, including stderr. So cargo's messages and those of
# the program go to a file. In a terminal they are shown at the end.
CHOICE = $(if $(filter-out full,$(STAGE)),--stage $(STAGE)) $(if $(filter-out normal,$(VARIANT)),--variant $(VARIANT))
run-pawns:  STAGE = pawns
run-random: STAGE = random
run run-pawns run-random:
	@mkdir -p $(LOGS)
	@if [ -t 1 ] && [ ! -x $(ENGINE) ]; then echo "The first build takes a few minutes."; fi
	@$(CARGO) run --quiet --release -- $(CHOICE) $(ARGS) 2>$(LOGS)/run.stderr; \
	  status=$$?; if [ -t 2 ]; then cat $(LOGS)/run.stderr >&2; fi; exit $$status

clean:
	$(CARGO) clean

test:
	$(CARGO) test

# Debian installs xboard and the engines in /usr/games, which is often not on root's PATH.
BOARD = PATH="$$PATH:/usr/games"; \
  if command -v xboard >/dev/null; then xboard -fcp "$(1)" $(2); \
  elif command -v winboard.exe >/dev/null; then winboard.exe -fcp "wsl.exe --cd '$(CURDIR)' $(1)" $(2); \
  elif [ -t 0 ]; then echo "There is no xboard here (Debian and Ubuntu: apt install xboard)."; $(1) $(3); \
  else echo "There is neither xboard nor a terminal here. Debian and Ubuntu: apt install xboard."; exit 1; fi

# xboard takes every move of a side without a king for illegal.
BY_XBOARD = -variant $(VARIANT) $(if $(filter horde,$(VARIANT)),-testLegality false -saveSettingsOnExit false)

play: build
	@$(call BOARD,$(ENGINE) --stage $(STAGE),$(BY_XBOARD),--variant $(VARIANT))

play3: build
	@$(call BOARD,$(ENGINE) --stage $(STAGE),-variant 3check,--variant 3check)

debug: build
	@mkdir -p $(LOGS)
	@log=$(LOGS)/xboard-$$(date +%Y%m%d-%H%M%S).debug; \
	PATH="$$PATH:/usr/games"; \
	if command -v xboard >/dev/null || command -v winboard.exe >/dev/null; then echo "The log of xboard: $$log"; fi; \
	$(call BOARD,$(ENGINE) --stage $(STAGE) --log $(LOGS),$(BY_XBOARD) -debug -nameOfDebugFile $$log,--variant $(VARIANT))

man: build
	$(ENGINE) man > packaging/trebuchet.6

dist:
	@CARGO=$(CARGO) packaging/dist.sh

# Does not build, so root needs no toolchain: "make build && sudo make install".
install:
	@test -x $(ENGINE) || { echo "Nothing to install yet: run \"make build\" first."; exit 1; }
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR) $(DESTDIR)$(ENGDIR)
	install -m 755 $(ENGINE) $(DESTDIR)$(BINDIR)/trebuchet
	install -m 644 packaging/trebuchet.6 $(DESTDIR)$(MANDIR)/trebuchet.6
	sed 's|@BINDIR@|$(BINDIR)|' packaging/trebuchet.eng.in > $(DESTDIR)$(ENGDIR)/trebuchet.eng
	chmod 644 $(DESTDIR)$(ENGDIR)/trebuchet.eng

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/trebuchet $(DESTDIR)$(MANDIR)/trebuchet.6 $(DESTDIR)$(ENGDIR)/trebuchet.eng
