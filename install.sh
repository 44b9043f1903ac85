#!/bin/sh
# Installs a released program of Skillmirror, without a compiler:
#
#   install.sh [--client] [--to DIR] [--key KEY] [URL]
#
#   URL          the folder of a release, with SHA256SUMS and archives [default: $SKILLMIRROR_RELEASES]
#   --to DIR     install into this folder [default: ~/.local/bin]
#   --client     install the program that only uses registries, and runs none
#   --key KEY    accept only an archive that this public key of minisign has signed
#
# It checks the sha256 of the archive, and then writes one file: DIR/skillmirror.
set -eu

die() { echo "install.sh: $*" >&2; exit 1; }

fetch() { # URL FILE
    if command -v curl >/dev/null; then curl -fsSL --retry 2 -o "$2" "$1"; else wget -q -O "$2" "$1"; fi ||
        die "$1 cannot be downloaded with curl or wget: check the address and the network"
}

sha256() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1; }

# The targets whose programs run here, the best one first.
targets() {
    case "$(uname -s) $(uname -m)" in
    "Linux x86_64" | "Linux amd64") echo x86_64-unknown-linux-musl x86_64-unknown-linux-gnu ;;
    "Linux aarch64" | "Linux arm64") echo aarch64-unknown-linux-musl aarch64-unknown-linux-gnu ;;
    "Darwin x86_64") echo x86_64-apple-darwin ;;
    "Darwin arm64") echo aarch64-apple-darwin ;;
    esac
}

main() {
    url=${SKILLMIRROR_RELEASES:-} to=$HOME/.local/bin product=skillmirror key=''
    while [ $# -gt 0 ]; do
        case "$1" in
        --client) product=skillmirror-client ;;
        --to) to=${2:?install.sh: --to needs a folder}; shift ;;
        --key) key=${2:?install.sh: --key needs a public key}; shift ;;
        -*) die "unknown option $1: usage: install.sh [--client] [--to DIR] [--key KEY] [URL]" ;;
        *) url=$1 ;;
        esac
        shift
    done
    [ -n "$url" ] || die "no release is named: give its URL, or set SKILLMIRROR_RELEASES"
    [ -z "$key" ] || command -v minisign >/dev/null || die "minisign, which checks the key, is missing: install it"
    url=${url%/} system="$(uname -s) on $(uname -m)" work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT; trap 'exit 1' HUP INT TERM

    fetch "$url/SHA256SUMS" "$work/SHA256SUMS"
    archive=''
    for target in $(targets); do
        archive=$(sed -n "s/^[0-9a-f]\{64\} [ *]\($product-[0-9][^/]*-$target\.tar\.gz\)\$/\1/p" "$work/SHA256SUMS" | tail -n 1)
        [ -z "$archive" ] || break
    done
    [ -n "$archive" ] || die "the release has no $product for $system: build it from the source (cargo install --locked --path .)"
    fetch "$url/$archive" "$work/$archive"
    wanted=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$archive\$/\1/p" "$work/SHA256SUMS")
    [ "$(sha256 "$work/$archive")" = "$wanted" ] ||
        die "$archive has another sha256 than SHA256SUMS says: download it again, and tell the maintainers if that stays so"
    if [ -n "$key" ]; then
        fetch "$url/$archive.minisig" "$work/$archive.minisig"
        minisign -V -q -P "$key" -m "$work/$archive" || die "$archive has no valid signature of the key $key"
    fi
    tar -xzf "$work/$archive" -C "$work"
    program=$work/${archive%.tar.gz}/skillmirror
    version=$("$program" --version) || die "the program of $archive does not run here ($system): build it from the source"

    # A rename replaces the program at once, also while it runs.
    new=$to/.skillmirror.$$
    if ! { mkdir -p "$to" && cp "$program" "$new" && mv -f "$new" "$to/skillmirror"; }; then
        rm -f "$new"
        die "$to cannot be written: name another folder with --to"
    fi
    echo "installed $version as $to/skillmirror; to remove it: rm $to/skillmirror"
    [ -n "$key" ] || echo "its sha256 was checked, its signature was not: give the key with --key"
    case ":$PATH:" in *":$to:"*) ;; *) echo "$to is not in PATH: add it, or run $to/skillmirror" ;; esac
}

main "$@"
