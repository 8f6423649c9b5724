#!/bin/sh
# Makes the extension as one file: package.sh [FOLDER]. Its client library comes from npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../../build/vscode}
mkdir -p "$out/extension"
out=$(cd "$out" && pwd)
cp -r "$here/package.json" "$here/language-configuration.json" "$here/syntaxes" "$here/extension.js" \
    "$here/README.md" "$here/../../LICENSE" "$out/extension/"
(cd "$out/extension" && npm install --omit=dev --no-audit --no-fund --no-package-lock --silent)
python3 "$here/vsix.py" "$out/extension" "$out/rubato.vsix"
echo "$out/rubato.vsix"
