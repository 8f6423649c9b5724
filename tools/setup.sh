#!/bin/sh
# Installs the packages of tools/packages.txt that are missing, for the purposes named.
# As root it installs them; otherwise it prints the one command to run.
set -eu
list=$(dirname "$0")/packages.txt
if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This system has no dpkg; please see that you have the equivalents of:" >&2
    sed '/^#/d' "$list" >&2
    exit 0
fi
missing=
for purpose in "$@"; do
    for package in $(awk -v p="$purpose" '$1 == p { print $2 }' "$list"); do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || missing="$missing $package"
    done
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -ne 0 ]; then
    echo "Missing packages. Run this once, then try again:" >&2
    echo "  sudo apt-get install$missing" >&2
    exit 1
fi
echo "Installing$missing ..."
export DEBIAN_FRONTEND=noninteractive
apt-get install -y --no-install-recommends $missing >/dev/null 2>&1 ||
    { apt-get update && apt-get install -y --no-install-recommends $missing; } >/dev/null
