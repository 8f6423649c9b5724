#!/bin/sh
# Files as C arrays that end with a zero: tools/embed.sh NAME=FILE... > assets.c
set -eu
echo '/* made by tools/embed.sh */'
for item in "$@"; do
    name=${item%%=*}
    echo "extern const char $name[];"
    echo "const char $name[] = {"
    od -An -v -tu1 "${item#*=}" | sed 's/  *\([0-9]\)/,\1/g; s/^,//; s/$/,/'
    echo '0};'
done
