#!/bin/sh
# Fetches the libraries of the HTML report into a folder: uPlot (charts) and three.js (animation), both
# under the MIT licence. They come from npm where that is installed, else from their repositories, and
# every file must have the sum below. If one cannot be had, its files are empty: reports then hold
# still pictures, or no animation. `make web` tries again.
set -u
folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

by_npm() { # package, version
    command -v npm >/dev/null && cd "$work" && timeout 90 npm pack "$1@$2" >/dev/null 2>&1 &&
        tar -xzf "$1-$2.tgz"
}
by_git() { # repository, tag; of its files only those that are wanted
    cd "$work" && rm -rf package && GIT_TERMINAL_PROMPT=0 timeout 90 git clone -q --depth 1 --no-checkout \
        --filter=blob:none --branch "$2" "$1" package >/dev/null 2>&1 && cd package &&
        awk '{ print $2 }' "$work/files" | GIT_TERMINAL_PROMPT=0 timeout 90 xargs git checkout -q HEAD -- >/dev/null 2>&1
}
right() { # the files are there, and are those that are known
    cd "$work/package" 2>/dev/null && awk '{ print $1 "  " $2 }' "$work/files" | sha256sum -c >/dev/null 2>&1
}
# What without it; package, version, repository, tag. Standard input: lines of sum, file, name in the folder.
fetch() {
    cat >"$work/files"
    rm -rf "$work/package"
    found=no
    if { by_npm "$2" "$3" && right; } || { by_git "$4" "$5" && right; }; then found=yes; fi
    while read -r _ file name; do
        if [ $found = yes ]; then cp "$work/package/$file" "$folder/$name"; else : >"$folder/$name"; fi
    done <"$work/files"
    [ $found = yes ] || echo "$2 $3 cannot be fetched: HTML reports have $1 ('make web' tries again)"
}

fetch "still pictures" uplot 1.6.32 https://github.com/leeoniya/uPlot 1.6.32 <<END
19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f dist/uPlot.iife.min.js uPlot.js
df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04 dist/uPlot.min.css uPlot.css
8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd LICENSE uPlot.LICENSE
END
fetch "no animation" three 0.180.0 https://github.com/mrdoob/three.js r180 <<END
61ba0df005b05991361d040d8ff670e1aadfd0ce7aeebd1fdb0725957a8957de build/three.core.min.js three.core.js
e2b5ee6bccd38fd6d8a2428546b83c5f2426d84b152ef82be8055556e3b40eb6 build/three.module.min.js three.module.js
b97879c748170baadeb3fb84cea1ffdf4674e283dc06042f34e2acb95a76042c examples/jsm/controls/OrbitControls.js three.orbit.js
bfe119ea4fd413f5f7ca3fcd63adb0c4a073ed39daa2fe7d3e6b769e21272601 LICENSE three.LICENSE
END
touch "$folder/fetched"
