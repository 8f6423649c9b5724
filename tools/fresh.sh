#!/bin/sh
# make fresh: the two commands of the README on a machine that has nothing but git and make.
#
#   tools/fresh.sh FOLDER [COMMAND...]     COMMAND is what follows `make`; default: demo, then test,
#                                          and on a bare machine again test, then demo
#   tools/fresh.sh FOLDER --bare           only makes the machine and keeps it for the next call
#
# Where root rights and a Debian mirror are available, the machine is a minimal Debian 12 made in
# FOLDER/root from the mirror that apt uses here. The commands run in it by chroot, on the last
# commit with the uncommitted changes of its files; nothing else of this machine is visible there.
# Otherwise the commands run here with the headers of SUNDIALS hidden, and a message says why.
# FOLDER is emptied before the run, but for a machine that is kept there, and after it unless a command
# failed.
set -eu
cd "$(dirname "$0")/.."
# In a mount namespace of its own the root can lie in memory, and all mounts end with the script.
if [ "${FRESH_SPACE:-}" != own ] && unshare -m true 2>/dev/null; then
    FRESH_SPACE=own exec unshare -m tools/fresh.sh "$@"
fi
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD
mkdir -p "$1"
folder=$(cd "$1" && pwd)
root=$folder/root
shift
both=
[ $# -gt 0 ] || { both=yes; set -- demo test; }
# debootstrap and apt in the root use the proxy of apt, if there is one.
eval "$(apt-config shell proxy Acquire::http::Proxy 2>/dev/null || true)"
[ -z "${proxy:-}" ] || export http_proxy="${http_proxy:-$proxy}"

# Runs a shell command in the root, with nothing of this environment but the proxies.
inside() {
    chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        sh -c "cd /rubato && $1"
}

# Address of the Debian mirror in the settings of apt, empty if there is none.
mirror() {
    apt-get indextargets --format '$(SITE) $(LABEL) $(COMPONENT)' 'Created-By: Packages' |
        awk '$2 == "Debian" && $3 == "main" { print $1; exit }'
}

# The root lies in memory where that is possible.
place_root() {
    mkdir -p "$root"
    if [ "${FRESH_SPACE:-}" = own ] && awk '/^MemAvailable/ { exit $2 < 4e6 }' /proc/meminfo; then
        mount -t tmpfs -o size=3g fresh "$root" || true # three times as fast as a disk
    fi
}

# Makes the bare root and keeps it; if that is impossible the last line printed says why.
make_bare() {
    [ "$(id -u)" -eq 0 ] || { echo "not root"; return 1; }
    tools/setup.sh fresh || { echo "debootstrap cannot be installed"; return 1; }
    [ -n "$(mirror)" ] || apt-get update >/dev/null 2>&1 || true
    site=$(mirror)
    [ -n "$site" ] || { echo "apt has no Debian mirror"; return 1; }
    certificates=
    case $site in https:*) certificates=,ca-certificates ;; esac
    place_root
    timeout 300 debootstrap --variant=minbase --include=git,make$certificates \
        bookworm "$root" "$site" >"$folder/debootstrap.log" 2>&1 ||
        { echo "debootstrap: $(tail -n 1 "$folder/debootstrap.log")"; return 1; }
    apt-config dump Acquire >"$root/etc/apt/apt.conf.d/99machine"
    mkdir "$root/rubato"
    inside true 2>/dev/null || { echo "chroot is not permitted"; return 1; }
    tar -C "$root" -cf "$folder/bare.new" . && mv "$folder/bare.new" "$folder/bare.tar"
}

# The bare root, from the archive; only .kept is left of what was there.
unpack_bare() {
    find "$root" -mindepth 1 -maxdepth 1 ! -name .kept -exec rm -rf {} +
    tar -C "$root" -xf "$folder/bare.tar"
}

# The build in folder $1 has SUNDIALS ($2 is yes) or has not (no).
expect() {
    [ -e "$1/sundials-$2" ] || { echo "SUNDIALS in this build: expected $2"; exit 1; }
}

# Git that needs no settings and does not mind who owns the folder.
named_git() {
    git -c safe.directory="$PWD" -c user.name=fresh -c user.email=fresh "$@"
}

in_root() {
    begun=$(date +%s)
    changed=$(named_git stash create)
    named_git archive "${changed:-HEAD}" | tar -x -C "$root/rubato"
    inside "git init -q && git add -A"
    run_in_root "$@"
}

# Passes lines on, and tells how long it took from the copy of the sources to the first plot.
first_plot() {
    told=
    while IFS= read -r line; do
        printf '%s\n' "$line"
        case $told$line in '$ rubato plot'*)
            told=yes
            echo "== from the clone to the first plot, packages and build included: $(($(date +%s) - begun)) s" ;;
        esac
    done
}

run_in_root() {
    for command in "$@"; do
        echo "== make $command (in a minimal Debian 12)"
        { inside "make $command" 2>&1 && echo yes >"$folder/fine"; } | first_plot
        [ -e "$folder/fine" ] || { echo "make $command failed"; exit 1; }
        rm "$folder/fine"
        installed=$([ -e "$root/usr/include/cvode/cvode.h" ] && echo yes || echo no)
        expect "$root/rubato/build" "$installed"
    done
}

# CPATH is searched before the headers of the system: each header of SUNDIALS is an error there.
in_place() {
    sed -n 's|^#include <\([a-z]*/.*\.h\)>.*|\1|p' src/ode/sundials.c | while read -r header; do
        mkdir -p "$folder/hide/$(dirname "$header")"
        echo '#error "SUNDIALS is hidden"' >"$folder/hide/$header"
    done
    for command in "$@"; do
        echo "== make $command (headers of SUNDIALS hidden)"
        CPATH="$folder/hide${CPATH:+:$CPATH}" make BUILD="${folder#"$PWD"/}/build" $command
        expect "$folder/build" no
    done
}

clear_folder() { # but for the file $1
    umount "$root" 2>/dev/null || true
    find "${folder:?}" -mindepth 1 -maxdepth 1 ! -name "${1:-}" -exec rm -rf --one-file-system {} +
}

if [ "$1" = --bare ]; then
    clear_folder
    make_bare
    clear_folder bare.tar
    exit
fi
clear_folder bare.tar
if [ -e "$folder/bare.tar" ] && place_root && unpack_bare || reason=$(make_bare); then
    in_root "$@"
    if [ -n "$both" ]; then # the other order, with what was compiled before
        mv "$root/rubato" "$root/.kept"
        unpack_bare
        rmdir "$root/rubato"
        mv "$root/.kept" "$root/rubato"
        run_in_root "test TESTS=library" demo
    fi
else
    echo "No fresh Debian ($(echo "$reason" | tail -n 1)): the headers of SUNDIALS are hidden instead."
    in_place "$@"
fi
clear_folder
echo "fresh: passed"
