#!/bin/sh
# make tarball, make deb: Rubato for machines without a compiler.
#
#   tools/package.sh tarball|deb BUILD NUMBER
#
# The tarball can be unpacked anywhere: bin/rubato finds the shared objects it needs, which are packed
# with their licences, in lib/rubato, and our library, examples and pages in share/rubato. Only the C
# library is taken from the machine. The Debian package names the packages that hold the same objects.
set -eu
cd "$(dirname "$0")/.."
what=$1 build=$2 number=$3
machine=$(uname -m)
stage=$PWD/$build/package/rubato-$number-linux-$machine
rm -rf "$stage"
mkdir -p "$stage"

# Objects that the program needs, without those of the C library and the loader.
needed() {
    ldd "$build/rubato" | awk '$2 == "=>" { print $3 }' |
        grep -v -E '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so'
}
owner() { # Debian package of a file
    dpkg-query -S "$(readlink -f "$1")" 2>/dev/null | head -n 1 | cut -d: -f1
}
tree() { # examples and pages below $1
    mkdir -p "$1"
    cp -r examples docs README.md LICENSE "$1"
}

tarball() {
    make install BUILD="$build" DESTDIR="$stage" PREFIX=/ >/dev/null
    mkdir -p "$stage/lib/rubato" "$stage/share/doc"
    for object in $(needed); do
        cp -L "$object" "$stage/lib/rubato/$(basename "$object")"
        package=$(owner "$object")
        [ -z "$package" ] || [ ! -e "/usr/share/doc/$package/copyright" ] ||
            cp -L "/usr/share/doc/$package/copyright" "$stage/share/doc/$package.copyright"
    done
    make relink BUILD="$build" OUT="$stage/bin/rubato" >/dev/null
    tree "$stage/share/rubato"
    strip "$stage/bin/rubato"
    # the same input gives the same bytes
    tar -C "$build/package" --sort=name --owner=0 --group=0 --mtime=@0 -czf \
        "$build/rubato-$number-linux-$machine.tar.gz" "$(basename "$stage")"
    try
    echo "$build/rubato-$number-linux-$machine.tar.gz"
}

# The program in a root that holds the tarball and the C library, nothing else; needs root rights.
try() {
    [ "$(id -u)" -eq 0 ] || { echo "not tried in a root of its own: that needs root rights"; return 0; }
    root=$PWD/$build/package/root
    mkdir -p "$root/tmp"
    ldd "$build/rubato" | grep -o '/[^ ]*/\(libc\|libm\|ld-linux[^/ ]*\)\.so[^ ]*' | sort -u |
        while read -r object; do
            mkdir -p "$root$(dirname "$object")"
            cp -L "$object" "$root$object"
        done
    cp -r "$stage" "$root/rubato"
    mkdir "$root/proc"
    mount -t proc proc "$root/proc" || { echo "not tried: /proc cannot be mounted"; return 0; }
    trap 'umount "$root/proc"' EXIT
    chroot "$root" /rubato/bin/rubato simulate /rubato/share/rubato/examples/Rectifier.mo --output /tmp/r.mat
    chroot "$root" /rubato/bin/rubato simulate /rubato/share/rubato/examples/Pendulum.mo --solver ida --output - |
        awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "\"length\"") c = k }
            NR > 1 && ($c < 0.9999 || $c > 1.0001) { bad = 1 } END { exit bad || NR < 500 }'
    umount "$root/proc"
    trap - EXIT
    echo "tried in a root with the C library only"
}

deb() {
    arch=$(dpkg --print-architecture)
    make install BUILD="$build" DESTDIR="$stage" PREFIX=/usr >/dev/null
    tree "$stage/usr/share/doc/rubato"
    strip "$stage/usr/bin/rubato"
    mkdir -p "$stage/DEBIAN" "$stage/usr/share/bash-completion/completions"
    "$build/rubato" completion bash >"$stage/usr/share/bash-completion/completions/rubato"
    depends=$(for object in $(needed); do owner "$object"; done | sort -u | grep . | tr '\n' ',')
    cat >"$stage/DEBIAN/control" <<END
Package: rubato
Version: $number
Architecture: $arch
Maintainer: Rubato
Depends: libc6, ${depends%,}
Recommends: gcc, libc6-dev
Section: science
Priority: optional
Installed-Size: $(du -sk "$stage/usr" | cut -f1)
Description: Modelica compiler and simulator
 Translates models in milliseconds without a C compiler, and can integrate every part of a
 model with its own step size. With gcc long runs become faster, and C code of libraries runs.
END
    dpkg-deb --root-owner-group --build "$stage" "$build/rubato_${number}_$arch.deb" >/dev/null
    echo "$build/rubato_${number}_$arch.deb"
}
"$what"
rm -rf "$build/package"
