#!/bin/sh
# Includes follow the order of tools/layers.txt, runtime folders stay free of the compiler, and a
# header that calls itself private is included by its own folder only.
set -eu
cd "$(dirname "$0")/.."
private=$(grep -l '^/\* .*private\|^ \* .*private to this folder' src/*/*.h | sed 's#^src/##' | tr '\n' ' ')
grep -Ho '#include "[a-z]*/[a-z_]*\.h' src/*/*.[ch] | awk -v private=" $private" '
    FILENAME == ARGV[1] { if (!/^#/ && NF) { rank[$1] = NR; side[$1] = $2 }; next }
    {
        split($0, part, ":"); split(part[1], path, "/"); from = path[2]
        match($0, /"[a-z]*\/[a-z_]*\.h/); header = substr($0, RSTART + 1, RLENGTH - 1)
        to = substr(header, 1, index(header, "/") - 1)
        if (!(from in rank)) bad(from " is not in tools/layers.txt")
        else if (!(to in rank)) bad(part[1] " includes " to ", which is not in tools/layers.txt")
        else if (rank[to] > rank[from]) bad(part[1] " includes " to ", which stands below " from)
        else if (side[from] == "run" && side[to] == "compile") bad(part[1] ": runtime includes compiler folder " to)
        else if (side[from] == "both" && side[to] != "both") bad(part[1] ": " from " serves both sides and includes " to)
        else if (from != to && index(private, " " header " ")) bad(part[1] " includes " header ", which is private to " to)
    }
    function bad(text) { if (!(text in seen)) print text; seen[text] = 1; n++ }
    END { exit n > 0 }' tools/layers.txt -
