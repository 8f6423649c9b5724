#!/bin/sh
# make demo: a circuit and a bouncing ball, from text to curves; then a model with mistakes.
set -eu
cd "$(dirname "$0")/.."
rubato=$PWD/$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() {
    printf '\n$ rubato %s\n' "$*"
    "$rubato" "$@"
}
# A curve of one CSV column (number in $2) as 60 x 12 characters.
plot() {
    awk -F, -v column="$2" '
        NR == 1 { name = $column; gsub(/"/, "", name); next }
        { t[++n] = $1; y[n] = $column; if (n == 1 || y[n] > top) top = y[n]
          if (n == 1 || y[n] < low) low = y[n] }
        END {
            for (i = 1; i <= n; i++) {
                c = int(60 * (t[i] - t[1]) / (t[n] - t[1])); r = int(11 * (y[i] - low) / (top - low) + 0.5)
                mark[r "," c] = 1
            }
            for (r = 11; r >= 0; r--) {
                line = ""
                for (c = 0; c <= 60; c++) line = line ((r "," c) in mark ? "*" : " ")
                printf "%10.3g |%s\n", low + (top - low) * r / 11, line
            }
            printf "%10s +%s\n%12s%-8g%48s%g s\n", name, "-------------------------------------------------------------", "", t[1], "", t[n]
        }' "$1"
}
run simulate examples/BouncingBall.mo --variables '^h$' --output "$work/ball.csv"
plot "$work/ball.csv" 2
run simulate examples/Circuit.mo --model Circuit.Filter --variables '^c2.v$' --output "$work/filter.csv"
plot "$work/filter.csv" 2
sed -e 's/C\*der(v);/C*der(v)/' -e 's/v = R\*i;/v == R*i;/' -e 's/Resistor r1/Resistr r1/' \
    examples/Circuit.mo >"$work/Broken.mo"
printf '\nThe same circuit with mistakes:\n'
cd "$work"
run check Broken.mo --model Circuit.Filter 2>&1 || true
