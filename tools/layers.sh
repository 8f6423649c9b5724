#!/bin/sh
# Includes follow the order of tools/layers.txt, and runtime folders stay free of the compiler.
set -eu
cd "$(dirname "$0")/.."
grep -Ho '#include "[a-z]*/' src/*/*.[ch] | awk '
    FILENAME == ARGV[1] { if (!/^#/ && NF) { rank[$1] = NR; side[$1] = $2 }; next }
    {
        split($0, part, ":"); split(part[1], path, "/"); from = path[2]
        match($0, /"[a-z]*\//); to = substr($0, RSTART + 1, RLENGTH - 2)
        if (!(from in rank)) bad(from " is not in tools/layers.txt")
        else if (!(to in rank)) bad(part[1] " includes " to ", which is not in tools/layers.txt")
        else if (rank[to] > rank[from]) bad(part[1] " includes " to ", which stands below " from)
        else if (side[from] == "run" && side[to] == "compile") bad(part[1] ": runtime includes compiler folder " to)
    }
    function bad(text) { if (!(text in seen)) print text; seen[text] = 1; n++ }
    END { exit n > 0 }' tools/layers.txt -
