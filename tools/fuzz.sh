#!/bin/sh
# make fuzz [SECONDS=60]: libFuzzer on lexer, parser and formatter, started from our own tests.
# What it finds is left in BUILD as crash-* or timeout-*; it belongs into tests/lang afterwards.
set -eu
cd "$(dirname "$0")/.."
build=$1
seconds=${2:-60}
mkdir -p "$build/corpus"
clang -std=c11 -g -O1 -Isrc -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    -o "$build/fuzz_parse" fuzz/fuzz_parse.c src/base/*.c src/syntax/*.c -lm
git ls-files tests examples | grep '\.mo$' | while read -r file; do
    cp "$file" "$build/corpus/$(echo "$file" | tr '/ ' '__')"
done
exec "$build/fuzz_parse" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -dict=fuzz/modelica.dict -artifact_prefix="$build/" -print_final_stats=1 "$build/corpus"
