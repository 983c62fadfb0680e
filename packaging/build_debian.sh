#!/usr/bin/env bash
# Builds the Debian packages from the tracked files of the checkout: results in build/debian. Arguments are those of
# dpkg-buildpackage; without any: -us -uc -b. The checkout itself stays as it is.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- -us -uc -b
version=$(sed -n 's/^project(carom VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
folder=build/debian
rm -rf "$folder"
mkdir -p "$folder"
(cd packaging/wheel && python3 -B -c 'import backend; backend.build_sdist("../../build/debian")')
mv "$folder/carom-$version.tar.gz" "$folder/carom_$version.orig.tar.gz"
tar -xf "$folder/carom_$version.orig.tar.gz" -C "$folder"
cp -r packaging/debian "$folder/carom-$version/debian"
cd "$folder/carom-$version"
dpkg-buildpackage "$@"
