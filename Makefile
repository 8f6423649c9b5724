# Rubato. `make demo` shows it at work, `make test` checks it; both install what is missing.
#
# Sources are found by folder: a new src/FOLDER/file.c, tests/unit/test_x.c or
# bench/bench_x.c needs no change here.

BUILD   ?= build
CC      ?= cc
PREFIX  ?= /usr/local
CFLAGS  ?= -O2 -g
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
# One set of objects serves the program, the archive and the shared object: only what
# include/rubato.h declares is seen outside of it, so calls inside cost nothing more.
FLAGS    = -std=c11 -fPIC -fvisibility=hidden $(WARN) $(WERROR) -Isrc -Iinclude -MMD -MP \
    -DHAVE_TCC -DHAVE_LAPACK -DHAVE_KLU $(CFLAGS) $(SANITIZE)
LDLIBS   = $(SUNDIALS_LIBS) $(FMI_LIBS) -lklu -lamd -lcolamd -lbtf -lsuitesparseconfig -llapack -lblas -ltcc -ldl -lpthread -lm
JOBS    ?= $(shell nproc 2>/dev/null || echo 1)
NUMBER   = 0.2.0
VERSION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)

comma := ,
MAKEFLAGS += --no-print-directory
ifneq ($(V),1)
SAY = @echo
HIDE = @
else
SAY = @:
HIDE =
endif

# SUNDIALS is a second opinion for tests and benchmarks; without it everything still builds.
# The probe has no '#' in it: GNU make passes an escaped one on as it stands since version 4.3.
SUNDIALS := $(shell $(CC) -E -include cvode/cvode.h -x c /dev/null >/dev/null 2>&1 && echo yes)
ifeq ($(SUNDIALS),yes)
SUNDIALS_LIBS = -lsundials_kinsol -lsundials_cvode -lsundials_ida -lsundials_arkode \
    -lsundials_sunlinsoldense -lsundials_sunlinsolband -lsundials_sunlinsolklu \
    -lsundials_sunmatrixdense -lsundials_sunmatrixband -lsundials_sunmatrixsparse \
    -lsundials_sunnonlinsolfixedpoint -lsundials_nvecserial
endif

# FMUs are zip archives that describe themselves in XML; without these libraries there are none.
FMI := $(shell $(CC) -E -include minizip/zip.h -include expat.h -x c /dev/null >/dev/null 2>&1 && echo yes)
ifeq ($(FMI),yes)
FMI_LIBS = -lminizip -lexpat
endif

# cJSON reads and writes the messages of the language server; without it there is none.
CJSON := $(shell $(CC) -E -include cjson/cJSON.h -x c /dev/null >/dev/null 2>&1 && echo yes)

# The language server belongs to the program, not to the library.
COMMAND := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/cli/*.c) $(if $(CJSON),$(wildcard src/lsp/*.c)))
# Entry points of FMI belong to the runtime of exported models alone.
ENTRIES := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/fmi/entry*.c))
SOURCES := $(filter-out src/cli/% src/lsp/% src/fmi/entry% src/mpi/%,$(wildcard src/*/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
UNITS   := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/bench_*.c))

.PHONY: all demo test asan check fuzz bench install clean setup setup-check setup-fuzz setup-mpi docs
all: $(BUILD)/rubato $(BUILD)/librubato.a $(BUILD)/librubato.so $(BUILD)/librubato_fmu.so \
    $(BUILD)/fmu-sources/list

# Several processes: a shared object of its own, which only the command under mpirun loads.
MPI := $(shell command -v mpicc 2>/dev/null)
ifneq ($(MPI),)
all: $(BUILD)/librubato_mpi.so
$(BUILD)/librubato_mpi.so: src/mpi/link.c include/rubato.h
	@mkdir -p $(@D)
	$(SAY) "  link $@"
	$(HIDE)mpicc -std=c11 -fPIC -fvisibility=hidden $(WARN) $(WERROR) -Iinclude $(CFLAGS) -shared -o $@ $<
endif

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(SAY) "  cc   $<"
	$(HIDE)$(CC) $(FLAGS) -c -o $@ $<
$(BUILD)/src/api/version.o: Makefile $(wildcard .git/logs/HEAD)
$(BUILD)/src/api/version.o: FLAGS += -DRUBATO_VERSION='"$(NUMBER) ($(VERSION))"' -DRUBATO_BUILD='"$(KEY)"'
# Translations that are kept belong to these sources: the same text gives the same key, whoever builds it.
# Only the command that compiles version.c computes it.
KEYED   := $(sort $(SOURCES) $(wildcard src/*/*.h src/*/*.def))
KEY      = $(shell cat $(KEYED) | cksum | tr ' ' -)
$(BUILD)/src/api/version.o: $(KEYED)

# The numerical kernels gain from vectorised loops; results do not depend on it.
$(BUILD)/src/lin/%.o $(BUILD)/src/ode/%.o $(BUILD)/src/rate/%.o: FLAGS += $(if $(SANITIZE),,-O3 -fno-math-errno)
$(BUILD)/src/ode/sundials.o $(BUILD)/src/study/fit_kinsol.o: FLAGS += $(if $(filter yes,$(SUNDIALS)),-DHAVE_SUNDIALS)
# Built anew when the library appears or goes.
$(BUILD)/src/ode/sundials.o $(BUILD)/src/study/fit_kinsol.o: $(BUILD)/sundials-$(or $(SUNDIALS),no)
$(BUILD)/sundials-%:
	@mkdir -p $(@D) && rm -f $(BUILD)/sundials-* && touch $@
$(BUILD)/src/cli/cmd_lsp.o: FLAGS += $(if $(CJSON),-DHAVE_CJSON)
$(BUILD)/src/cli/cmd_lsp.o: $(BUILD)/cjson-$(or $(CJSON),no)
$(BUILD)/cjson-%:
	@mkdir -p $(@D) && rm -f $(BUILD)/cjson-* && touch $@

$(BUILD)/src/fmi/archive.o $(BUILD)/src/fmi/reader.o: FLAGS += $(if $(filter yes,$(FMI)),-DHAVE_MINIZIP -DHAVE_EXPAT)
$(BUILD)/src/fmi/archive.o $(BUILD)/src/fmi/reader.o: $(BUILD)/fmi-$(or $(FMI),no)
$(BUILD)/fmi-%:
	@mkdir -p $(@D) && rm -f $(BUILD)/fmi-* && touch $@

# Parts of the HTML report become arrays of C; the libraries it uses are fetched once for all builds.
WEB     := $(if $(filter /%,$(BUILD)),$(BUILD),$(firstword $(subst /, ,$(BUILD))))/web
ASSETS  := page_style=src/plot/page/report.css page_body=src/plot/page/report.html \
    page_script=src/plot/page/report.js page_panels=src/plot/page/panels.js \
    page_animation=src/plot/page/animation.js page_study=src/plot/page/study.js \
    uplot_script=$(WEB)/uPlot.js uplot_style=$(WEB)/uPlot.css uplot_licence=$(WEB)/uPlot.LICENSE \
    three_core=$(WEB)/three.core.js three_module=$(WEB)/three.module.js \
    three_orbit=$(WEB)/three.orbit.js three_licence=$(WEB)/three.LICENSE
OBJECTS += $(BUILD)/assets.o
$(WEB)/fetched:
	$(SAY) "  get  uPlot, three.js"
	$(HIDE)tools/web.sh $(WEB)
$(BUILD)/assets.c: tools/embed.sh $(WEB)/fetched $(wildcard src/plot/page/*)
	@mkdir -p $(@D)
	$(HIDE)tools/embed.sh $(ASSETS) >$@.new && mv $@.new $@
$(BUILD)/assets.o: $(BUILD)/assets.c
	$(HIDE)$(CC) $(FLAGS) -c -o $@ $<
.PHONY: web
web:
	@rm -rf $(WEB) && $(MAKE) all

$(BUILD)/librubato.a: $(OBJECTS)
	$(SAY) "  ar   $@"
	$(HIDE)rm -f $@ && $(AR) rcs $@ $^

# Where libtcc is an archive, its code is not made for shared objects: it takes three variables of
# the C library for its own. A copy that asks for ours instead can be linked.
SONAME  := librubato.so.0
TCC_A   := $(if $(findstring /,$(shell $(CC) -print-file-name=libtcc.so 2>/dev/null)),,$(filter /%,$(shell $(CC) -print-file-name=libtcc.a 2>/dev/null)))
$(BUILD)/shared/libtcc_shared.a: $(TCC_A)
	@mkdir -p $(@D)
	$(HIDE)objcopy $(foreach s,stdout stderr environ,--redefine-sym $(s)=rb_tcc_$(s)) $< $@
$(BUILD)/librubato.so: $(OBJECTS) $(if $(TCC_A),$(BUILD)/tools/shared/tcc.o $(BUILD)/shared/libtcc_shared.a)
	$(SAY) "  link $@"
	$(HIDE)$(CC) $(FLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--exclude-libs,ALL -o $@ $(filter %.o,$^) \
	    $(if $(TCC_A),$(patsubst -ltcc,$(BUILD)/shared/libtcc_shared.a,$(LDLIBS)),$(LDLIBS))

# The runtime of exported models: what a simulation needs, without the compiler. Where the libraries it
# uses are archives it needs nothing but the C library, so that a model runs on other machines, too.
FMU_LIBS   := -lklu -lamd -lcolamd -lbtf -lsuitesparseconfig -llapack -lblas
FMU_STATIC := $(if $(findstring /lapack,$(shell readlink -f "$$($(CC) -print-file-name=liblapack.a)")),yes)
$(BUILD)/fmu/sundials.o: src/ode/sundials.c
	@mkdir -p $(@D)
	$(HIDE)$(CC) $(FLAGS) -c -o $@ $<
FMU_OBJECTS := $(ENTRIES) $(BUILD)/fmu/sundials.o $(BUILD)/tools/shared/lapack.o \
    $(if $(TCC_A),$(BUILD)/tools/shared/tcc.o)
$(BUILD)/librubato_fmu.so: $(FMU_OBJECTS) $(BUILD)/librubato.a $(if $(TCC_A),$(BUILD)/shared/libtcc_shared.a)
	$(SAY) "  link $@"
	$(HIDE)$(CC) $(FLAGS) -shared -Wl,-s,--exclude-libs,ALL $(if $(SANITIZE),,-Wl,-z,defs) -o $@ $(FMU_OBJECTS) \
	    $(BUILD)/librubato.a $(if $(TCC_A),$(BUILD)/shared/libtcc_shared.a,-ltcc) \
	    $(if $(FMU_STATIC),-Wl$(comma)-Bstatic $(FMU_LIBS) -Wl$(comma)-Bdynamic,$(FMU_LIBS)) -ldl -lpthread -lm

# The same as sources, for the FMUs that are built elsewhere.
$(BUILD)/fmu-sources/list: tools/runtime_sources.sh $(ENTRIES) $(BUILD)/librubato.a
	$(SAY) "  list $@"
	$(HIDE)tools/runtime_sources.sh $(BUILD) $(BUILD)/fmu-sources

$(BUILD)/rubato: $(COMMAND) $(BUILD)/librubato.a
	$(SAY) "  link $@"
	$(HIDE)$(CC) $(FLAGS) -o $@ $^ $(if $(CJSON),-lcjson) $(LDLIBS)

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/librubato.a
	@mkdir -p $(@D)
	$(SAY) "  link $@"
	$(HIDE)$(CC) $(FLAGS) -Itests/unit -o $@ $< $(BUILD)/librubato.a -lcmocka $(LDLIBS)

$(BUILD)/examples/%: examples/c/%.c $(BUILD)/librubato.a
	@mkdir -p $(@D)
	$(SAY) "  link $@"
	$(HIDE)$(CC) $(FLAGS) -o $@ $< $(BUILD)/librubato.a $(LDLIBS)

# Counts blocks and lets requests fail.
$(BUILD)/unit/test_memory: private FLAGS += \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

# Loops by hand get the options of tier 1; private, or the library would get them as well where it is not built yet.
$(BUILD)/bench/bench_scale $(BUILD)/bench/bench_rhs: private FLAGS += -O3 -march=native -fno-math-errno
# Helpers of bench/bench_x.c may live in bench/x/.
$(BUILD)/bench/bench_ode: $(wildcard bench/ode/*.[ch])
$(BUILD)/bench/bench_rate: $(wildcard bench/rate/*.[ch])
$(BUILD)/bench/bench_study: $(wildcard bench/study/*.[ch])
$(BUILD)/bench/bench_study: private FLAGS += $(if $(filter yes,$(SUNDIALS)),-DHAVE_SUNDIALS) -O3 -march=native
$(BUILD)/bench/bench_%: bench/bench_%.c $(BUILD)/librubato.a
	@mkdir -p $(@D)
	$(SAY) "  link $@"
	$(HIDE)$(CC) $(FLAGS) -Ibench -o $@ $< $(wildcard bench/$*/*.c) $(BUILD)/librubato.a $(LDLIBS)

-include $(OBJECTS:.o=.d) $(COMMAND:.o=.d) $(FMU_OBJECTS:.o=.d) $(BUILD)/examples/sweep.d $(UNITS:=.d) $(BENCHES:=.d)

# ---- set-up: Debian packages by name, in tools/packages.txt --------------------------
setup:
	@tools/setup.sh build
setup-test:
	@tools/setup.sh build test
setup-check:
	@tools/setup.sh build test check
setup-fuzz:
	@tools/setup.sh build fuzz
setup-mpi: # studies and large models on several processes; without it they run on threads
	@tools/setup.sh build mpi

# ---- the two commands of the README ---------------------------------------------------
demo: setup
	@$(MAKE) -j$(JOBS) all
	@tools/demo.sh $(BUILD)/rubato

test: setup-test
	@$(MAKE) -j$(JOBS) run-tests

.PHONY: run-tests build-tests setup-test
build-tests: all $(UNITS) $(BUILD)/examples/sweep $(BUILD)/plain/librubato_plain.a
# The sources of the runtime as an FMU brings them, without any library: tests link models to it.
$(BUILD)/plain/librubato_plain.a: $(BUILD)/fmu-sources/list
	$(SAY) "  cc   $(BUILD)/fmu-sources/*.c"
	@rm -rf $(@D) && mkdir -p $(@D)
	$(HIDE)cd $(@D) && ls $(abspath $(BUILD))/fmu-sources/*.c | xargs -P $(JOBS) -n 16 \
	    $(CC) -std=c11 -O1 -fPIC $(WARN) $(WERROR) -I$(abspath $(BUILD))/fmu-sources -c
	$(HIDE)$(AR) rcs $@ $(@D)/*.o
run-tests: build-tests
	tests/run.py --build $(BUILD) $(if $(TESTS),--filter $(TESTS)) $(if $(SHORT),--short)

# Both commands on a minimal Debian made for the purpose: make fresh [FRESH="test demo"]
.PHONY: fresh
fresh:
	@tools/fresh.sh $(BUILD)/fresh $(FRESH)

# Every allocation of a translate-and-run fails once: make oom [LIBRARY=... MODELS="..."]
.PHONY: oom
oom: setup all $(BUILD)/oom
	@mkdir -p $(BUILD)/oom-cache
	$(BUILD)/oom --cache $(BUILD)/oom-cache $(LIBRARY:%=--library %) $(or $(MODELS),$(wildcard tests/oom/models/*.mo))
$(BUILD)/oom: tests/oom/oom.c $(BUILD)/librubato.a
	$(HIDE)$(CC) $(FLAGS) -rdynamic -o $@ $^ $(LDLIBS) \
	    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=tcc_new \
	    -Wl,--wrap=tcc_compile_string,--wrap=tcc_relocate,--wrap=tcc_output_file \
	    -Wl,--wrap=tcc_set_output_type,--wrap=tcc_set_options,--wrap=tcc_add_symbol

# ---- quality ---------------------------------------------------------------------------
# The whole test set again with AddressSanitizer and UndefinedBehaviorSanitizer; SHORT=yes leaves out
# what takes long and is run in small by others.
asan: setup-test
	@$(MAKE) -j$(JOBS) BUILD=$(BUILD)/asan CFLAGS="-Og -g1" \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" \
	    run-tests

# What runs on several threads, with ThreadSanitizer.
.PHONY: tsan
tsan: setup-test
	@$(MAKE) -j$(JOBS) BUILD=$(BUILD)/tsan CFLAGS="-Og -g1" SANITIZE="-fsanitize=thread" build-tests
	TSAN_OPTIONS=suppressions=$(CURDIR)/tools/tsan.txt tests/run.py --build $(BUILD)/tsan --filter rate
	TSAN_OPTIONS=suppressions=$(CURDIR)/tools/tsan.txt tests/run.py --build $(BUILD)/tsan --filter api
	TSAN_OPTIONS=suppressions=$(CURDIR)/tools/tsan.txt tests/run.py --build $(BUILD)/tsan --filter study

check: setup-check
	@tools/check.sh

fuzz: setup-fuzz
	@tools/fuzz.sh $(BUILD)/fuzz $(SECONDS)

# Changed models must end in messages or results: no crash, no hang, no NaN. MUTANTS, SEED.
.PHONY: mutate
mutate: setup
	@$(MAKE) -j$(JOBS) BUILD=$(BUILD)/asan CFLAGS="-Og -g1" \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" \
	    all
	tools/mutate.py --count $(or $(MUTANTS),2000) --seed $(or $(SEED),1) --keep $(BUILD)/mutants \
	    $(BUILD)/asan/rubato tests/lang tests/flat
	tools/mutate.py --count $(or $(MUTANTS),2000) --seed $(or $(SEED),1) --keep $(BUILD)/mutants \
	    --command simulate $(BUILD)/asan/rubato examples
	tools/mutate.py --count $(or $(MUTANTS),2000) --seed $(or $(SEED),1) --keep $(BUILD)/mutants \
	    --command simulate $(BUILD)/asan/rubato tests/simulate

# Every benchmark, about 15 minutes on a quiet machine; writes docs/benchmarks.md:
# make bench [ONLY=rate,ode] [MINUTES=15] [PAGE=FILE]
bench: setup-test all $(BENCHES)
	@tools/bench.py $(BUILD) $(ONLY:%=--only %) $(MINUTES:%=--minutes %) $(PAGE:%=--page %)

# Work-precision tables of the integrators beside CVODE, IDA and ARKODE.
.PHONY: bench-ode
bench-ode: setup-test all $(BUILD)/bench/bench_ode
	@$(BUILD)/bench/bench_ode $(ODE)

# Single rate, multi-rate and IDA with KLU on models with many tempos.
.PHONY: bench-multirate
bench-multirate: setup-test all $(BUILD)/bench/bench_rate
	@$(BUILD)/bench/bench_rate $(RATE)
	@python3 bench/bench_cells.py $(BUILD)/rubato

# 1000 simulations of one program on 1, 2 and 8 threads: make bench-sweep
# [SWEEP="N FILE MODEL PARAMETER LOW HIGH"]
.PHONY: bench-sweep
bench-sweep: all $(BUILD)/bench/bench_sweep
	@$(BUILD)/bench/bench_sweep $(SWEEP)
	@$(if $(SWEEP),,$(BUILD)/bench/bench_sweep 1000 examples/BouncingBall.mo BouncingBall e 0.3 0.8)

# How fast results are written: make bench-csv [CSV="VARIABLES POINTS"]
.PHONY: bench-csv
bench-csv: all $(BUILD)/bench/bench_csv
	@cd $(BUILD) && bench/bench_csv $(CSV)

# 10,000 runs of a circuit beside single processes, CVODE in C, and all runs at once: make bench-study [CASES=n]
.PHONY: bench-study
bench-study: all $(BUILD)/bench/bench_study
	@$(BUILD)/bench/bench_study $(BUILD)/rubato $(CASES)

# 1 to 16,777,216 crane crabs, component by component and as a whole: make bench-lied [LIED="--svg FILE"]
.PHONY: bench-lied
bench-lied: all $(BUILD)/bench/bench_lied
	@python3 bench/bench_lied.py $(BUILD) $(LIED)

# Examples of ThermofluidStream both ways, and a heat exchanger of 100,000 cells made of its parts:
# make bench-streams LIBRARY="THERMOFLUIDSTREAM MSL" [STREAMS="--folder Tests"]
.PHONY: bench-streams
bench-streams: all
	@python3 bench/bench_network.py $(BUILD)/rubato $(foreach d,$(LIBRARY),--library $(d))
	@python3 bench/bench_streams.py $(BUILD)/rubato $(firstword $(LIBRARY))/ThermofluidStream \
	    $(foreach d,$(wordlist 2,9,$(LIBRARY)),--library $(d)) $(STREAMS)

# What an infinitely fast process costs and saves: make bench-theta
.PHONY: bench-theta
bench-theta: all
	@python3 bench/bench_theta.py $(BUILD)/rubato

# The same in examples of the Modelica Standard Library: make bench-theta-library LIBRARY=MSL [RUNS=7]
.PHONY: bench-theta-library
bench-theta-library: all
	@python3 bench/bench_theta_library.py $(BUILD)/rubato $(LIBRARY) $(RUNS)

# A robot in partitions, against one method for all of it: make bench-robot [RUNS=3]
.PHONY: bench-robot
bench-robot: all
	@python3 bench/bench_robot.py $(BUILD)/rubato $(RUNS)

# Equal drives on one thread and on two: make bench-drives [RUNS=7]
.PHONY: bench-drives
bench-drives: all
	@python3 bench/bench_drives.py $(BUILD)/rubato $(RUNS)

# The robot in real time, on a machine that does nothing else: make bench-realtime [SECONDS=20]
.PHONY: bench-realtime
bench-realtime: all $(BUILD)/bench/bench_wake
	@python3 bench/bench_realtime.py $(BUILD)/rubato $(BUILD)/bench/bench_wake $(SECONDS)

# The robot of the Modelica Standard Library in partitions: make bench-robot-library LIBRARY=MSL [RUNS=3]
.PHONY: bench-robot-library
bench-robot-library: all
	@python3 bench/bench_robot_library.py $(BUILD)/rubato $(LIBRARY) $(RUNS)

# What an evaluation of a library model costs: make bench-eval LIBRARY="MSL [SUITE]" [OLD=rubato] [MODELS=Robot,IF97]
.PHONY: bench-eval
bench-eval: all
	@python3 bench/bench_eval.py $(BUILD)/rubato $(LIBRARY) $(if $(OLD),--old $(OLD)) \
	    $(if $(RUNS),--runs $(RUNS)) $(if $(MODELS),--models $(MODELS))

# Every model of a list by this program and another one, worst first: make bench-list LIBRARY=MSL LIST=file
# [OLD=rubato] [LISTED="--rungs 8-9 --solvers --count --json FILE"]
.PHONY: bench-list
bench-list: all
	@python3 bench/bench_list.py $(BUILD)/rubato $(LIST) $(LIBRARY:%=--library %) $(if $(OLD),--old $(OLD)) $(LISTED)

# One rate and several on models of your own: make bench-rates [RATES=auto,2] [METHODS=,rodas4]
# [LIBRARY="dirs"] [LIST=file] [MODELS="files"]
.PHONY: bench-rates
bench-rates: all
	@tools/rates.py $(BUILD)/rubato $(LIBRARY:%=--library %) $(if $(LIST),--list $(LIST)) \
	    $(if $(RATES),--rates $(RATES)) $(if $(METHODS),--methods=$(METHODS)) \
	    $(or $(MODELS),$(if $(LIST),,examples/multirate/*.mo))

# Every example of a library against its reference results: make msl LIBRARY=... REFERENCE=...
.PHONY: msl
msl: all
	@tools/msl.py $(BUILD)/rubato $(LIBRARY) $(if $(REFERENCE),--reference $(REFERENCE)) \
	    $(if $(LIST),--list $(LIST)) --timeout $(or $(SECONDS),15) --markdown docs/coverage.md

# Every model of a library that has a stop time translates, those that are not too large run:
# make suite LIBRARY="SUITE MSL" [SLICE="--from N --count N"] [SECONDS=n]
.PHONY: suite
suite: all
	@tools/suite.py $(BUILD)/rubato $(LIBRARY) $(SLICE) --timeout $(or $(SECONDS),60)

# Large models of the ScalableTestSuite: make bench-scale LIBRARY="SUITE MSL" [SIZE=N]
.PHONY: bench-scale
bench-scale: all $(BUILD)/bench/bench_scale
	@tools/scale.py $(BUILD)/rubato $(LIBRARY:%=--library %)
	@$(BUILD)/bench/bench_scale $(or $(SIZE),100000) $(LIBRARY)

# From the start of the program to the first step: make bench-start [LIBRARY=... LIST=...]
.PHONY: bench-start
bench-start: all
	@tools/start.py $(BUILD)/rubato $(if $(LIST),--library $(LIBRARY) --list $(LIST))

# Random models of many tempos with several rates and with one: make tempos [MODELS=n SEED=s]
.PHONY: tempos
tempos: all
	@tools/tempos.py $(BUILD)/rubato --count $(or $(MODELS),50) --seed $(or $(SEED),1) --keep $(BUILD)/tempos

# Events of fast functions beside slow states, whose counts are known: make events [MODELS=n SEED=s]
.PHONY: events
events: all
	@tools/events.py $(BUILD)/rubato --count $(or $(MODELS),5000) --seed $(or $(SEED),1) --keep $(BUILD)/events

# Clocked models whose values are known tick by tick: make clocks [MODELS=n SEED=s]
.PHONY: clocks
clocks: all
	@tools/clocks.py $(BUILD)/rubato --count $(or $(MODELS),3000) --seed $(or $(SEED),1) --keep $(BUILD)/clocks

# Fast signals through delays and flows beside slow states: make delays [MODELS=n SEED=s]
.PHONY: delays
delays: all
	@tools/delays.py $(BUILD)/rubato --count $(or $(MODELS),1000) --seed $(or $(SEED),1) --keep $(BUILD)/delays

# The same results with our integrator, CVODE and IDA: make agree [LIBRARY=... LIST=...]
.PHONY: agree
agree: all
	@tools/agree.py $(BUILD)/rubato $(if $(LIST),--library $(LIBRARY) --list $(LIST),tests/simulate examples)

# Random expressions in every evaluation and by Python: make agree-values [CASES=n SEED=s]
.PHONY: agree-values
agree-values: all
	@tools/values.py $(BUILD)/rubato --count $(or $(CASES),100000) --seed $(or $(SEED),1) --keep $(BUILD)/values

# Random models of loops, arrays and records whose values are known: make loops [MODELS=n SEED=s]
.PHONY: loops
loops: all
	@tools/loops.py $(BUILD)/rubato --count $(or $(MODELS),10000) --seed $(or $(SEED),1) --keep $(BUILD)/loops

# FMUs both ways: make fmus [MODELS="files"] [LIST=classes LIBRARY=dirs] [FMUSIM=program] [SCHEMAS=dirs]
# [REFERENCE_FMUS=dirs ANSWERS=dirs]
.PHONY: fmus
fmus: all
	@tools/fmus.py $(BUILD)/rubato $(MODELS) $(if $(LIST),--list $(LIST)) $(LIBRARY:%=--library %) \
	    $(if $(FMUSIM),--importer $(FMUSIM)) $(SCHEMAS:%=--schemas %) $(REFERENCE_FMUS:%=--reference %) \
	    $(ANSWERS:%=--answers %) --timeout $(or $(SECONDS),60)

# A scripted editor over a library, with sanitizers, and compared with fresh starts: make lsp-soak LIBRARY=DIR
# [REQUESTS=100000 SAME=300 SEED=1]
.PHONY: lsp-soak
lsp-soak: setup-test all
	@$(MAKE) -j$(JOBS) BUILD=$(BUILD)/asan CFLAGS="-Og -g1" \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" \
	    all
	tools/lsp_soak.py $(BUILD)/asan/rubato $(LIBRARY) --requests $(or $(REQUESTS),100000) --parts ask --seed $(or $(SEED),1)
	tools/lsp_soak.py $(BUILD)/rubato $(LIBRARY) --same $(or $(SAME),300) --parts same --seed $(or $(SEED),1)

# How long messages take after a keystroke, and the memory after an hour of them: make bench-lsp LIBRARY=DIR
# [EDITS=1000 HOUR=10800 SEED=1]
.PHONY: bench-lsp
bench-lsp: setup-test all
	@tools/lsp_soak.py $(BUILD)/rubato $(LIBRARY) --edits $(or $(EDITS),1000) --hour $(or $(HOUR),10800) \
	    --parts speed,hour --seed $(or $(SEED),1)

docs: all
	$(BUILD)/rubato explain --markdown > docs/errors.md

# The pages as a small static site in build/site.
.PHONY: site
site:
	@tools/site.py $(BUILD)/site

# Shared objects are found by their name with the number of the interface.
LIB     := $(DESTDIR)$(PREFIX)/lib
SHARE   := $(DESTDIR)$(PREFIX)/share
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(LIB)/pkgconfig $(DESTDIR)$(PREFIX)/include \
	    $(SHARE)/man/man1 $(SHARE)/rubato/python
	install $(BUILD)/rubato $(DESTDIR)$(PREFIX)/bin/rubato
	install -m 644 $(BUILD)/librubato.a $(LIB)/librubato.a
	install -m 644 $(BUILD)/librubato.so $(LIB)/$(SONAME)
	install -m 644 $(BUILD)/librubato_fmu.so $(LIB)/librubato_fmu.so
	ln -sf $(SONAME) $(LIB)/librubato.so
	$(if $(MPI),install -m 644 $(BUILD)/librubato_mpi.so $(LIB)/librubato_mpi.so)
	install -m 644 include/rubato.h $(DESTDIR)$(PREFIX)/include/rubato.h
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(NUMBER)|' -e 's|@PRIVATE@|$(strip $(LDLIBS))|' \
	    tools/rubato.pc.in > $(LIB)/pkgconfig/rubato.pc
	install -m 644 docs/rubato.1 $(SHARE)/man/man1/rubato.1
	install -m 644 src/python/rubato.py $(SHARE)/rubato/python/rubato.py
	cp -r $(BUILD)/fmu-sources $(SHARE)/rubato/
	cd lib && find . -name '*.mo' -exec install -D -m 644 {} $(abspath $(SHARE))/rubato/lib/{} \;

# For machines without a compiler: a folder to unpack anywhere, or a Debian package.
.PHONY: tarball deb relink
tarball deb: setup all
	@tools/package.sh $@ $(BUILD) $(NUMBER)
relink: all # the program with its shared objects beside it
	$(CC) $(FLAGS) -o $(OUT) $(COMMAND) $(BUILD)/librubato.a $(if $(CJSON),-lcjson) $(LDLIBS) \
	    -Wl,-rpath,'$$ORIGIN/../lib/rubato' -Wl,--disable-new-dtags

clean:
	rm -rf $(BUILD)
