#!/bin/sh
# make demo: what Rubato does today, on the shipped examples.
set -eu
cd "$(dirname "$0")/.."
rubato=$1
run() {
    printf '\n$ rubato %s\n' "$*"
    "$rubato" "$@"
}
run parse examples
run format --check examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -e 's/C\*der(v);/C*der(v)/' -e 's/v = R\*i;/v == R*i;/' -e 's/end Ground;/end Grund;/' \
    examples/Circuit.mo >"$work/Broken.mo"
printf '\nThe same circuit with three mistakes:\n\n$ rubato parse Broken.mo\n'
(cd "$work" && "$OLDPWD/$rubato" parse Broken.mo) 2>&1 || true
