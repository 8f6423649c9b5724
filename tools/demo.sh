#!/bin/sh
# make demo: a circuit, a mechanism, a model of many tempos, a mistake, and a page to look around in.
set -eu
cd "$(dirname "$0")/.."
rubato=$PWD/$1
build=$PWD/$(dirname "$1")
mkdir -p "$build/demo"
examples=$PWD/examples
cd "$build/demo"
run() {
    printf '\n$ rubato %s\n' "$(echo "$*" | sed "s|$examples|examples|g")"
    "$rubato" "$@"
}
say() {
    printf '\n---- %s\n' "$1"
}
say 'A circuit: a bridge of ideal diodes, twenty events'
run simulate "$examples/Rectifier.mo" --output rectifier.mat
run plot rectifier.mat c.v d1.i
say 'A mechanism: a pendulum as a constraint, index 3; the rod keeps its length'
run simulate "$examples/Pendulum.mo" --output pendulum.mat
run plot pendulum.mat x
run variables pendulum.mat '^length$'
say 'Many tempos: 1000 inverters, of which a few switch; first with one step size for all, then with several'
run simulate "$examples/multirate/InverterChain.mo" --stop 60 --variables 'U\[(1|20|50)\]' --output one.mat --stats one.json
run simulate "$examples/multirate/InverterChain.mo" --stop 60 --variables 'U\[(1|20|50)\]' --rates auto --output several.mat --stats several.json
count() { sed -e 's/"levels".*//' -e "s/.*\"$2\":\([0-9]*\).*/\1/" "$1"; }
printf 'equations evaluated: %s with one rate, %s with several: %s times fewer\n' \
    "$(count one.json rhs_rows)" "$(count several.json rhs_rows)" \
    "$(echo "$(count one.json rhs_rows) $(count several.json rhs_rows)" | awk '{ printf "%.1f", $1/$2 }')"
run compare several.mat one.mat
say 'Mistakes are explained at their place'
sed -e 's/v = R\*i;/v == R*i;/' -e 's/Resistor r1/Resistr r1/' "$examples/Circuit.mo" >Broken.mo
run check Broken.mo --model Circuit.Filter 2>&1 || true
say 'A page to zoom, search and compare in'
run simulate "$examples/DCMotor.mo" --report motor.html
printf '\nOpen %s/motor.html in a browser.\n' "$build/demo"
[ -z "${DISPLAY:-}" ] || [ ! -t 1 ] || xdg-open motor.html >/dev/null 2>&1 || true
