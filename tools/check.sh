#!/bin/sh
# make check: format, warnings as errors, layering, no globals, static analysis, fresh docs.
set -u
cd "$(dirname "$0")/.."
failed=0
step() {
    name=$1
    shift
    if output=$("$@" 2>&1); then
        echo "ok   $name"
    else
        echo "FAIL $name"
        echo "$output" | head -40
        failed=1
    fi
}
step "format" clang-format --dry-run --Werror $(git ls-files '*.c' '*.h')
step "warnings" make --no-print-directory -s BUILD=build/check WERROR=-Werror CFLAGS=-O2 all
step "layers" tools/layers.sh
step "sizes" tools/sizes.py $(git ls-files "src/*.c" "src/*.h" "include/*.h")
step "globals" tools/globals.sh build/check/librubato.a
step "cppcheck" cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr \
    --enable=warning,portability,performance --suppress=missingIncludeSystem \
    --suppress=nullPointerArithmeticRedundantCheck --suppress=nullPointerRedundantCheck \
    --suppress=normalCheckLevelMaxBranches -Isrc src
build/check/rubato explain --markdown >build/check/errors.md
step "docs/errors.md is fresh (else: make docs)" cmp docs/errors.md build/check/errors.md
[ $failed -eq 0 ] && echo "all checks passed"
exit $failed
