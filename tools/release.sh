#!/usr/bin/env bash
# Makes a release: target/release-files/soffio-VERSION-HOST.tar.gz with the stripped binary, documents, licences, manual page
# and completions, and SHA256SUMS beside it and within.
# Usage: tools/release.sh [--profile NAME] [--out DIRECTORY]      (profile dist takes several minutes; release is quicker)
set -euo pipefail
cd "$(dirname "$0")/.."
profile=dist
out=
while [ $# -gt 0 ]; do
    case $1 in
        --profile) profile=${2:?--profile NAME}; shift 2 ;;
        --out) out=${2:?--out DIRECTORY}; shift 2 ;;
        *) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
    esac
done
target=${CARGO_TARGET_DIR:-target}
out=${out:-$target/release-files}
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
name=soffio-$version-$host

cargo build --locked --profile "$profile" --bin soffio
built=$target/$profile/soffio
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
root=$staged/$name
mkdir -p "$root/man" "$root/completions"
cp "$built" "$root/soffio"
if command -v strip >/dev/null; then strip "$root/soffio"; fi
chmod 755 "$root/soffio"
cp README.md protocol.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$root/"
"$root/soffio" man > "$root/man/soffio.1"
"$root/soffio" completions bash > "$root/completions/soffio.bash"
"$root/soffio" completions zsh > "$root/completions/_soffio"
"$root/soffio" completions fish > "$root/completions/soffio.fish"
"$root/soffio" completions powershell > "$root/completions/_soffio.ps1"
"$root/soffio" completions elvish > "$root/completions/soffio.elv"
# What is packed has the right signature: it is the engine of the tests.
signature=$("$root/soffio" bench | tail -n 1)
[ "$signature" = "$(cat tests/data/bench.signature)" ] || { echo "the binary has signature $signature" >&2; exit 1; }
(cd "$root" && find . -type f ! -name SHA256SUMS -print | sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum > SHA256SUMS)

mkdir -p "$out"
# The same files make the same archive.
date=$(git log -1 --format=%cI 2>/dev/null || echo 2026-01-01)
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" -C "$staged" -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" > SHA256SUMS && cat SHA256SUMS)
echo "$out/$name.tar.gz"
