#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The sources of the runtime of exported models: tools/runtime_sources.sh BUILD OUT
#
# What the entry points of FMI need is found from the symbols of the objects in BUILD, the headers from
# the compiler's lists beside them; lin/plain.c stands in for a library that is not needed. OUT gets
# folder_file.c for src/folder/file.c, so that no two objects
# have one name, headers and entry points as they lie in src, and `list`, which names all of them in
# order; those without a folder are to be compiled.
set -eu
export LC_ALL=C
build=$1
out=$2
rm -rf "$out.new"
mkdir -p "$out.new"

objects=$(find "$build/src" -name '*.o' ! -path '*/src/cli/*' ! -path '*/src/lsp/*' ! -path '*/src/mpi/*' | sort)
# shellcheck disable=SC2086
needed=$(nm -A $objects | awk '
    { file = $1; sub(/:.*/, "", file); kind = $(NF - 1); name = $NF }
    kind == "U" { wants[file] = wants[file] " " name }
    kind ~ /^[TDBRCV]$/ { gives[name] = file }
    END {
        for (file in wants) if (file ~ /\/(fmi\/entry[23]|lin\/plain)\.o$/) { queue[n++] = file; seen[file] = 1 }
        for (k = 0; k < n; k++) {
            print queue[k]
            count = split(wants[queue[k]], symbol, " ")
            for (i = 1; i <= count; i++) {
                file = gives[symbol[i]]
                if (file != "" && !(file in seen)) { seen[file] = 1; queue[n++] = file }
            }
        }
    }' | sort)

for object in $needed; do
    source=${object#"$build/"}
    source=${source%.o}.c
    name=${source#src/}
    case $name in
    fmi/entry*) mkdir -p "$out.new/fmi" ;;
    *) name=$(echo "$name" | tr / _) ;;
    esac
    cp "$source" "$out.new/$name"
    tr ' \\:' '\n\n\n' <"${object%.o}.d" | grep -E '^src/.*\.(h|def)$' || true
done | sort -u | while read -r header; do
    mkdir -p "$out.new/$(dirname "${header#src/}")"
    cp "$header" "$out.new/${header#src/}"
done
(cd "$out.new" && find . -type f | sed 's|^\./||' | sort >../list.new && mv ../list.new list)
rm -rf "$out"
mv "$out.new" "$out"
