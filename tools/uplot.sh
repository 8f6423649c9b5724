#!/bin/sh
# Fetches uPlot, the chart library of the HTML report, into a folder: from npm where that is
# installed, else from its repository. What comes must have the sums below. If it cannot be had, the
# files are empty: reports then hold still pictures. `make uplot` tries again.
set -u
version=1.6.32
folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

by_npm() {
    command -v npm >/dev/null && cd "$work" && timeout 60 npm pack "uplot@$version" >/dev/null 2>&1 &&
        tar -xzf "uplot-$version.tgz"
}
by_git() {
    cd "$work" && rm -rf package && GIT_TERMINAL_PROMPT=0 timeout 60 git clone -q --depth 1 \
        --branch "$version" https://github.com/leeoniya/uPlot package >/dev/null 2>&1
}
right() {
    cd "$work/package" 2>/dev/null && sha256sum -c >/dev/null 2>&1 <<END
19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f  dist/uPlot.iife.min.js
df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04  dist/uPlot.min.css
END
}
if { by_npm && right; } || { by_git && right; }; then
    cp "$work/package/dist/uPlot.min.css" "$folder/uPlot.css"
    cp "$work/package/LICENSE" "$folder/LICENSE"
    cp "$work/package/dist/uPlot.iife.min.js" "$folder/uPlot.js"
else
    echo "uPlot $version cannot be fetched: HTML reports hold still pictures ('make uplot' tries again)"
    : >"$folder/uPlot.css"
    : >"$folder/LICENSE"
    : >"$folder/uPlot.js"
fi
